#ifndef APP_TUI_H
#define APP_TUI_H

#include "cli/options.h"

/* The full-screen program. Returns the exit code. */
int tui_run(const struct cli_options *options);

#endif
