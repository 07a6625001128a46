#ifndef REAL_ENGINE_H
#define REAL_ENGINE_H

#include <stdbool.h>

/* Can apps run on this machine? If not, says so aloud: no program, or no sandbox for it, as in some
 * containers. Any other failure is one of ours, so the tests run. */
bool real_engine_is_here(void);

#endif
