/* SPDX-License-Identifier: MIT */
#include "pane/workspace.h"

#include "base/mem.h"
#include "base/secret.h"

#include <stdlib.h>
#include <string.h>

/* These limits keep the file below 64 KiB. */
#define HISTORY_MAX 100
#define DEFAULTS_MAX 100
#define KEPT_BYTES 300

/* Return "SERVER\tTOOL\t", the beginning of a desk's default; NULL if it cannot be kept. */
static char *
key_of(const struct desk *desk)
{
	const char *server = desk && desk->server ? server_info(desk->server)->label : NULL;

	if (!server || strpbrk(server, "\t\r\n") || strpbrk(desk->key, "\t\r\n"))
		return NULL;
	return mem_printf("%s\t%s\t", server, desk->key);
}

/* Return whether an expression can be kept: one line, not too long, without a secret. */
static bool
may_be_kept(const char *line)
{
	struct buf hidden = BUF_INIT;
	bool plain = *line && strlen(line) <= KEPT_BYTES;

	for (const char *c = line; plain && *c; c++)
		plain = ((unsigned char)*c >= ' ' || *c == '\t') && *c != 0x7f;
	if (plain)
		secret_hide_text(&hidden, line, strlen(line));
	plain = plain && strcmp(buf_text(&hidden), line) == 0;
	buf_finish(&hidden);
	return plain;
}

static void
put(struct strings *s, const char *line, size_t most)
{
	size_t same = strings_index(s, line);

	if (same < s->len)
		strings_remove(s, same);
	else if (s->len == most)
		strings_remove(s, 0);
	strings_add(s, line);
}

void
queries_finish(struct queries *q)
{
	strings_finish(&q->history);
	strings_finish(&q->defaults);
}

void
queries_note(struct queries *q, const char *expression)
{
	if (*expression)
		put(&q->history, expression, HISTORY_MAX);
}

static size_t
place_of(const struct queries *q, const char *key)
{
	size_t at = 0;

	while (at < q->defaults.len && strncmp(q->defaults.items[at], key, strlen(key)) != 0)
		at++;
	return at;
}

const char *
queries_default(const struct queries *q, const struct desk *desk)
{
	char *key = q->defaults.len > 0 ? key_of(desk) : NULL;
	size_t at = key ? place_of(q, key) : q->defaults.len;
	const char *found = at < q->defaults.len ? q->defaults.items[at] + strlen(key) : NULL;

	free(key);
	return found;
}

bool
queries_set_default(struct queries *q, const struct desk *desk, const char *expression)
{
	char *key = key_of(desk), *line = key ? mem_printf("%s%s", key, expression) : NULL;
	bool ok = key && (!*expression || may_be_kept(line));
	size_t at = ok ? place_of(q, key) : q->defaults.len;

	if (at < q->defaults.len)
		strings_remove(&q->defaults, at);
	if (ok && *expression)
		put(&q->defaults, line, DEFAULTS_MAX);
	free(key);
	free(line);
	return ok;
}

/* ---- as text: "history EXPRESSION", "default SERVER\tTOOL\tEXPRESSION" ---- */

static bool
has_key(const char *line)
{
	const char *tab = strchr(line, '\t');

	tab = tab && tab > line ? strchr(tab + 1, '\t') : NULL;
	return tab && tab[1];
}

void
queries_load(struct queries *q, const char *text)
{
	static const char history[] = "history ", defaults[] = "default ";

	queries_finish(q);
	while (*text) {
		size_t len = strcspn(text, "\n");
		char *line = mem_strndup(text, len);
		text += len + (text[len] == '\n');
		const char *rest = line + sizeof(history) - 1;
		bool is_history = strncmp(line, history, sizeof(history) - 1) == 0;
		bool is_default = strncmp(line, defaults, sizeof(defaults) - 1) == 0;
		if (is_history && may_be_kept(rest))
			put(&q->history, rest, HISTORY_MAX);
		else if (is_default && may_be_kept(rest) && has_key(rest))
			put(&q->defaults, rest, DEFAULTS_MAX);
		free(line);
	}
}

void
queries_add(const struct queries *q, struct buf *out)
{
	for (size_t i = 0; i < q->defaults.len; i++)
		buf_addf(out, "default %s\n", q->defaults.items[i]);
	for (size_t i = 0; i < q->history.len; i++)
		if (may_be_kept(q->history.items[i]))
			buf_addf(out, "history %s\n", q->history.items[i]);
}
