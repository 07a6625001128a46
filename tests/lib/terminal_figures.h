#ifndef TERMINAL_FIGURES_H
#define TERMINAL_FIGURES_H

#include <stdint.h>

#include "terminal.h"

/* What the program under test has used so far; what comes from the kernel is 0 once it has ended.
 */
struct terminal_figures {
	int64_t started_us;   /* monotonic, right before the program was started */
	unsigned frames;      /* closed brackets of mode 2026 */
	uint64_t bytes;       /* written to the terminal */
	uint64_t write_calls; /* of the program, to whatever; 0 where the kernel does not count */
	uint64_t wakeups;     /* voluntary context switches of all its threads */
	uint64_t peak_kib, now_kib; /* VmHWM, VmRSS */
};
struct terminal_figures terminal_figures(struct terminal *t);
/* At its most so far. A sanitizer needs more for everything, and is allowed it. */
void terminal_assert_memory(struct terminal *t, uint64_t most_mib);

#endif
