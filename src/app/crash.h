#ifndef APP_CRASH_H
#define APP_CRASH_H

#include "loop/loop.h"
#include "display.h"

/* When a signal ends the program (a crash, SIGUSR1, a limit of CPU time...) or memory runs out, the
 * terminal is restored and the children are ended before a line says so. NULL takes the guard off.
 * One at a time. */
void crash_guard(struct loop *loop, struct display *display);

#endif
