/* SPDX-License-Identifier: MIT */
/* Any header: stored values are within limits, and a parsed one parses again after printing. */
#include "fuzz.h"

#include "auth/flow/state.h"
#include "base/buf.h"

#include <stdlib.h>
#include <string.h>

static void
add_quoted(struct buf *out, const char *text)
{
	buf_add_char(out, '"');
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			buf_add_char(out, '\\');
		buf_add_char(out, *text);
	}
	buf_add_char(out, '"');
}

static void
print(struct buf *out, const struct auth_challenges *c)
{
	for (size_t i = 0; i < c->len; i++) {
		const struct auth_challenge *one = &c->items[i];
		buf_addf(out, "%s%s", i ? ", " : "", one->scheme);
		if (one->token68)
			buf_addf(out, " %s", one->token68);
		for (size_t k = 0; k < one->len; k++) {
			buf_addf(out, "%s%s=", k || one->token68 ? ", " : " ", one->items[k].name);
			add_quoted(out, one->items[k].value);
		}
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct auth_challenges one, two;
	struct buf first = BUF_INIT, second = BUF_INIT;

	auth_challenges_parse(&one, (const char *)data, size);
	if (one.len > AUTH_MAX_CHALLENGES)
		abort();
	for (size_t i = 0; i < one.len; i++)
		if (one.items[i].len > AUTH_MAX_PARAMS || !one.items[i].scheme[0])
			abort();
	print(&first, &one);
	if (first.len < AUTH_MAX_HEADER) {
		auth_challenges_parse(&two, buf_text(&first), first.len);
		print(&second, &two);
		if (two.flawed || strcmp(buf_text(&first), buf_text(&second)) != 0)
			abort();
		auth_challenges_finish(&two);
	}
	auth_challenge_get(auth_challenges_find(&one, "bearer"), "scope");
	auth_challenges_finish(&one);
	buf_finish(&first);
	buf_finish(&second);
	return 0;
}
