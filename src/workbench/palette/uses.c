/* SPDX-License-Identifier: MIT */
#include "workbench/state.h"

#include "base/map.h"
#include "base/mem.h"
#include "base/secret.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The lines that the palette ran, newest first, kept from run to run. The oldest make room. */

void
uses_finish(struct uses *u)
{
	for (size_t i = 0; i < u->len; i++)
		free(u->items[i].line);
	u->len = 0;
}

/* A line that holds a secret, or that the file could not hold, is not kept. */
static bool
may_be_kept(const char *line)
{
	struct buf hidden = BUF_INIT;
	bool plain = *line && *line != ' ' && strlen(line) <= USES_LINE_MAX;

	for (const char *c = line; plain && *c; c++)
		plain = (unsigned char)*c >= ' ' && *c != 0x7f;
	secret_hide_url(&hidden, line);
	plain = plain && strcmp(buf_text(&hidden), line) == 0;
	buf_finish(&hidden);
	return plain;
}

/* To the front, or from behind if it is read from a file. */
static void
put(struct uses *u, size_t at, const char *line, unsigned count)
{
	if (u->len == USES_MAX)
		free(u->items[--u->len].line);
	memmove(&u->items[at + 1], &u->items[at], (u->len - at) * sizeof(*u->items));
	u->items[at] = (struct use){ mem_strdup(line), count };
	u->len++;
}

static size_t
place_of(const struct uses *u, const char *line)
{
	size_t at = 0;

	while (at < u->len && strcmp(u->items[at].line, line) != 0)
		at++;
	return at;
}

void
uses_note(struct uses *u, const char *line)
{
	size_t at = place_of(u, line);
	unsigned count = at < u->len ? u->items[at].count : 0;

	if (!may_be_kept(line))
		return;
	if (at < u->len) {
		free(u->items[at].line);
		memmove(&u->items[at], &u->items[at + 1], (--u->len - at) * sizeof(*u->items));
	}
	put(u, 0, line, count < USES_COUNT_MAX ? count + 1 : count);
}

void
uses_map(const struct uses *u, struct map *out)
{
	for (size_t i = 0; i < u->len; i++)
		map_add(
		    out, text_hash(u, u->items[i].line, strlen(u->items[i].line)), &u->items[i]);
}

/* Half for how often, half for how lately. */
unsigned
uses_find(const struct uses *u, const struct map *map, const char *line, size_t len)
{
	const struct use *use;

	if (u->len == 0)
		return 0;
	MAP_EACH(map, text_hash(u, line, len), use)
		if (strlen(use->line) == len && memcmp(use->line, line, len) == 0)
			return (use->count < USES_MAX ? use->count : USES_MAX) + USES_MAX -
			       (unsigned)(use - u->items);
	return 0;
}

void
workbench_load_uses(struct workbench *wb, const char *text)
{
	struct uses *u = &wb->uses;
	char line[USES_LINE_MAX + 1];
	unsigned count;
	int used;

	uses_finish(u);
	while (u->len < USES_MAX && *text) {
		size_t len = strcspn(text, "\n");
		bool fits = len < sizeof(line);
		if (fits && *text >= '1' && *text <= '9' &&
		    sscanf(text, "%4u %n", &count, &used) == 1 && (size_t)used < len &&
		    count <= USES_COUNT_MAX && text[used - 1] == ' ') {
			snprintf(line, sizeof(line), "%.*s", (int)len - used, text + used);
			if (may_be_kept(line) && place_of(u, line) == u->len)
				put(u, u->len, line, count);
		}
		text += len + (text[len] == '\n');
	}
}

void
workbench_add_uses(struct workbench *wb, struct buf *out)
{
	for (size_t i = 0; i < wb->uses.len; i++)
		buf_addf(out, "%u %s\n", wb->uses.items[i].count, wb->uses.items[i].line);
}
