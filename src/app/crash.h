#ifndef APP_CRASH_H
#define APP_CRASH_H

#include "loop/loop.h"
#include "display.h"

/* On a crash (SIGSEGV, abort...) the terminal is restored and the children are ended, then the
 * signal takes its course. NULL takes the guard off. One at a time. */
void crash_guard(struct loop *loop, struct display *display);

#endif
