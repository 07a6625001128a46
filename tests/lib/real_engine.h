/* SPDX-License-Identifier: MIT */
#ifndef REAL_ENGINE_H
#define REAL_ENGINE_H

#include <stdbool.h>

/* Return whether apps can run on this machine. If not, print the reason: the engine is not
 * installed, or the machine does not allow its sandbox, as in some containers. Any other failure is
 * a defect of mcpane, so the tests run. */
bool real_engine_is_here(void);

#endif
