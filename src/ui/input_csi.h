#ifndef UI_INPUT_CSI_H
#define UI_INPUT_CSI_H

#include "ui/input.h"

/* Parameters of a control sequence; a missing one is -1. Only the first of sub-parameters (38:2) is
 * kept. */
struct csi {
	char prefix;       /* one of < = > ?, or 0 */
	char intermediate; /* the last one, or 0 */
	char final;
	int params[8];
	int sub[8]; /* the first sub-parameter of each */
	int count;
	const char *text; /* from '[' on */
	size_t len;
};

/* Each fills key; false: the sequence means nothing. */
bool csi_to_key(const struct csi *csi, struct key *key);
bool x10_mouse_to_key(const unsigned char bytes[3], struct key *key); /* the bytes after CSI M */
bool ss3_to_key(char final, struct key *key);

/* A code point with modifiers as one form: no shift beside printable characters, ctrl in lower
 * case, named keys for their control codes. */
struct key char_key(uint32_t ch, uint8_t mods);

#endif
