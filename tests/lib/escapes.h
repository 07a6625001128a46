#ifndef ESCAPES_H
#define ESCAPES_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Follows the bytes a program writes to its terminal and remembers what a screen does not show:
 * the DEC private modes, the brackets of synchronized output and the operating system commands.
 */
struct escapes {
	/* Called for each complete OSC with the text between its introducer and its end. */
	void (*on_osc)(const char *text, size_t len, void *user);
	void *user;
	struct {
		int number;
		bool set;
	} modes[64];
	size_t mode_count;
	unsigned frames; /* times mode 2026 was reset after having been set */
	int state;
	size_t len;
	char text[4096]; /* of the sequence in hand; what passes the end is dropped */
};

void escapes_feed(struct escapes *e, const char *bytes, size_t len);
/* The last setting, `otherwise` where there was none. */
bool escapes_mode(const struct escapes *e, int number, bool otherwise);

#endif
