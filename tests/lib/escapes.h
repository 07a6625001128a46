/* SPDX-License-Identifier: MIT */
#ifndef ESCAPES_H
#define ESCAPES_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Follows the bytes that a program writes to its terminal and records the state that a screen does
 * not show: DEC private modes, synchronized output and operating system commands (OSC).
 */
struct escapes {
	/* Called for each complete OSC with its payload. */
	void (*on_osc)(const char *text, size_t len, void *user);
	void *user;
	struct {
		int number;
		bool set;
	} modes[64];
	size_t mode_count;
	unsigned frames; /* number of times mode 2026 was set and reset */
	int state;
	size_t len;
	char text[4096]; /* the current sequence; bytes beyond the end are dropped */
};

void escapes_feed(struct escapes *e, const char *bytes, size_t len);
/* Return the last setting of the mode, or otherwise if the program never set it. */
bool escapes_mode(const struct escapes *e, int number, bool otherwise);

#endif
