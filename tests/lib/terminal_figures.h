/* SPDX-License-Identifier: MIT */
#ifndef TERMINAL_FIGURES_H
#define TERMINAL_FIGURES_H

#include <stdint.h>

#include "terminal.h"

/* Resources used by the program under test. Figures from the kernel are 0 after the program
 * ended. */
struct terminal_figures {
	int64_t started_us;   /* monotonic time just before the start */
	unsigned frames;      /* frames of synchronized output (mode 2026) */
	uint64_t bytes;       /* written to the terminal */
	uint64_t write_calls; /* of the program to all files; 0 if the kernel does not count them */
	uint64_t wakeups;     /* voluntary context switches of all its threads */
	uint64_t peak_kib, now_kib; /* VmHWM, VmRSS */
};
struct terminal_figures terminal_figures(struct terminal *t);
/* Fail if peak memory exceeds most_mib. Sanitizer builds have a higher limit. */
void terminal_assert_memory(struct terminal *t, uint64_t most_mib);

#endif
