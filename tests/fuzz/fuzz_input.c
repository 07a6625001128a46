/* SPDX-License-Identifier: MIT */
#include "fuzz.h"

#include "ui/input.h"

#include <stdlib.h>
#include <string.h>

/* Every key is well formed and has a name that gives the key back. */
static void
check_key(void *user, const struct key *key)
{
	struct key again;
	char name[64];

	if (key->kind == KEY_NONE || (key->kind == KEY_MOUSE && (key->x < 0 || key->y < 0)))
		abort();
	if (key->kind == KEY_CHAR && (key->ch < ' ' || key->ch == 0x7f || key->ch > 0x10ffff))
		abort();
	if ((key->kind == KEY_PASTE || key->kind == KEY_REPORT) && key->len > 0 &&
	    !memchr(key->text, key->text[0], key->len))
		abort();
	key_to_name(key, name, sizeof(name));
	if (name[0] && (!key_from_name(&again, name) || !key_equal(key, &again)))
		abort();
}

/* The first byte cuts the rest into pieces; a zero byte in between is a pause. */
int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input in;
	size_t chunk = size > 0 ? 1u + data[0] % 16u : 1;

	input_init(&in, check_key, NULL);
	for (size_t at = 1; at < size; at += chunk) {
		size_t len = size - at < chunk ? size - at : chunk;
		input_feed(&in, (const char *)data + at, len);
		if (in.pending.len > INPUT_MAX_SEQUENCE + 16)
			abort();
		if (data[at] == 0 && input_waiting(&in))
			input_timeout(&in);
	}
	for (int i = 0; input_waiting(&in); i++) {
		if (i > 2)
			abort();
		input_timeout(&in);
	}
	input_finish(&in);
	return 0;
}
