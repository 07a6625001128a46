/* SPDX-License-Identifier: MIT */
#include "client/filter.h"

#include "base/ascii.h"
#include "base/strings.h"
#include "base/text_match.h"
#include "base/vec.h"
#include "base/moment.h"
#include "client/app.h"
#include "client/history.h"
#include "client/journal.h"
#include "client/notices.h"
#include "client/tasks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static void
refuse_unknown(struct filter *f, const struct filter_word *words, const char *text, size_t name_len)
{
	struct did_you_mean meant;
	struct buf names = BUF_INIT;
	int len = name_len < 40 ? (int)name_len : 40;

	did_you_mean_init(&meant, text, name_len);
	for (; words->name; words++) {
		did_you_mean_try(&meant, words->name);
		buf_addf(&names, "%s%s:", names.len > 0 ? " " : "", words->name);
	}
	if (meant.name)
		err_set(&f->wrong, "unknown word %.*s: did you mean %s:? Quotes search for a text",
		    len, text, meant.name);
	else
		err_set(&f->wrong, "unknown word %.*s: the words are %s; quotes search for a text",
		    len, text, buf_text(&names));
	buf_finish(&names);
}

/* A name without a value adds no condition, because the user is still typing. A value that cannot
 * be read adds none either and is reported. strict: of the last row. */
static void
add_word(struct filter *f, const struct filter_word *words, bool strict, const char *text,
    size_t len, const struct filter_clock *clock)
{
	const struct filter_word *word = words;
	struct filter_term term = { .negated = len > 1 && text[0] == '-' };
	struct err err;

	text += term.negated;
	len -= term.negated;
	for (; word->name; word++) {
		size_t n = strlen(word->name);
		if (len <= n || text[n] != ':' || strncasecmp(text, word->name, n) != 0)
			continue;
		text += n + 1;
		len -= n + 1;
		break;
	}
	/* "name:value", but no URL, no "std::string" and no time of day */
	size_t n = 0;
	while (n < len && (ascii_is_letter((unsigned char)text[n]) || text[n] == '-'))
		n++;
	if (!word->name && strict && n > 1 && n + 1 < len && text[n] == ':' && text[n + 1] != ':' &&
	    !(text[n + 1] == '/' && n + 2 < len && text[n + 2] == '/')) {
		if (!f->wrong.text[0])
			refuse_unknown(f, words, text, n);
		return;
	}
	if (strict && len > 1 && text[0] == '"' && text[len - 1] == '"') {
		text++;
		len -= 2;
	}
	if (len == 0)
		return;
	term.word = word;
	substring_init(&term.value.text, text, len);
	if (!word->read || word->read(word, &term.value, clock, &err)) {
		*VEC_PUSH(f) = term;
		return;
	}
	substring_finish(&term.value.text);
	if (!f->wrong.text[0])
		err_set(&f->wrong, "%s: %.200s", word->name, err.text);
}

void
filter_set(struct filter *f, const struct filter_word *words, const char *text,
    const struct filter_clock *clock)
{
	const struct filter_word *last = words;

	while (last->name)
		last++;
	filter_finish(f);
	for (const char *at = text; *(at += strspn(at, " \t"));) {
		size_t len = strcspn(at, " \t"), open = strcspn(at, "\" \t");
		bool quoted = last->strict && at[open] == '"' &&
			      (open == 0 || at[open - 1] == ':' || (open == 1 && *at == '-'));
		const char *close = quoted ? strchr(at + open + 1, '"') : NULL;
		if (close && strchr(" \t", close[1])) /* the quotes end the word */
			len = (size_t)(close + 1 - at);
		add_word(f, words, last->strict, at, len, clock);
		at += len;
	}
}

void
filter_finish(struct filter *f)
{
	for (size_t i = 0; i < f->len; i++)
		substring_finish(&f->items[i].value.text);
	free(f->items);
	*f = (struct filter){ 0 };
}

static bool
filter_is_in(const struct filter_text *value, const char *text)
{
	return text && substring_is_in(&value->text, text, strlen(text));
}

bool
filter_term_holds(const struct filter_term *t, const void *entry)
{
	const struct filter_word *word = t->word;
	bool matches = word->match && word->match(&t->value, entry);

	for (size_t i = 0; i < ARRAY_LEN(word->texts) && word->texts[i] && !matches; i++)
		matches =
		    filter_is_in(&t->value, *(char *const *)((const char *)entry + word->texts[i]));
	return matches != t->negated;
}

bool
filter_matches(const struct filter *f, const void *entry)
{
	for (size_t i = 0; i < f->len; i++)
		if (!filter_term_holds(&f->items[i], entry))
			return false;
	return true;
}

void
filter_add_hint(const struct filter_word *words, struct buf *out)
{
	buf_add_str(out, "text ");
	for (; words->name; words++)
		if (words->example)
			buf_addf(out, "%s:%s ", words->name, words->example);
	buf_add_str(out, "-word");
}

static bool
filter_begins(const struct filter_text *value, const char *word)
{
	return strncasecmp(word, value->text.text, value->text.len) == 0;
}

/* ---- the journal: an exchange is matched by its request or its reply ---- */

/* Search the message and the texts that the list shows for it. */
static bool
is_in_exchange(const struct filter_text *value, const void *entry)
{
	for (const struct journal_entry *e = entry; e; e = e == entry ? journal_reply(e) : NULL)
		if (substring_is_in(&value->text, e->bytes->data, e->bytes->len) ||
		    filter_is_in(value, e->brief) || filter_is_in(value, e->ended) ||
		    filter_is_in(value, e->flaw))
			return true;
	return false;
}

/* Who began? */
static bool
is_direction(const struct filter_text *value, const void *entry)
{
	const struct journal_entry *e = entry;

	if (filter_begins(value, "in") || filter_begins(value, "received"))
		return e->kind == JOURNAL_RECEIVED;
	return e->kind == JOURNAL_SENT &&
	       (filter_begins(value, "out") || filter_begins(value, "sent"));
}

/* Matches a whole id; a string id also without its quotes. */
static bool
is_id(const struct filter_text *value, const void *entry)
{
	const struct journal_entry *e = entry;

	if (!e->rpc_id)
		return false;
	size_t len = strlen(e->rpc_id);
	if (len == value->text.len + 2 && e->rpc_id[0] == '"')
		return strncasecmp(e->rpc_id + 1, value->text.text, value->text.len) == 0;
	return strcasecmp(e->rpc_id, value->text.text) == 0;
}

static bool
is_status(const struct filter_text *value, const void *entry)
{
	const struct journal_entry *e = entry, *reply = journal_reply(e);
	bool bad =
	    e->is_error || e->flaw || e->ended || (reply && (reply->is_error || reply->flaw));

	if (filter_begins(value, "error"))
		return bad;
	if (filter_begins(value, "running"))
		return e->waits;
	return filter_begins(value, "ok") && !bad && !e->waits;
}

static bool
is_verdict(const struct filter_text *value, const void *entry)
{
	const struct journal_entry *e = entry, *reply = journal_reply(e);
	enum verdict_kind verdict = reply ? reply->verdict : e->verdict;

	return verdict != VERDICT_NONE && filter_begins(value, verdict_looks[verdict].name);
}

static bool
is_kind(const struct filter_text *value, const void *entry)
{
	for (const struct journal_entry *e = entry; e; e = e == entry ? journal_reply(e) : NULL) {
		const char *kind = e->kind == JOURNAL_STDERR            ? "stderr"
				   : e->kind == JOURNAL_NOTE            ? "note"
				   : e->message == MESSAGE_REQUEST      ? "request"
				   : e->message == MESSAGE_NOTIFICATION ? "notification"
				   : e->message == MESSAGE_RESULT || e->message == MESSAGE_ERROR
				       ? "reply"
				       : "bad";
		if (filter_begins(value, kind))
			return true;
	}
	return false;
}

const struct filter_word journal_words[] = {
	{ "tool", "NAME", NULL, .texts = { offsetof(struct journal_entry, tool) } },
	{ "method", "tools/call", NULL, .texts = { offsetof(struct journal_entry, method) } },
	{ "status", "error", "error running ok", .match = is_status },
	{ "verdict", "invalid", NULL, .match = is_verdict },
	{ "kind", "stderr", "request notification reply stderr note bad", .match = is_kind },
	{ "dir", "in", "in out", .match = is_direction },
	{ "id", "7", NULL, .match = is_id },
	{ NULL, NULL, NULL, .match = is_in_exchange },
};

/* ---- log messages ---- */

/* That level and worse; a level may be abbreviated, the first match counts. */
static bool
is_level(const struct filter_text *value, const void *entry)
{
	const struct log_entry *e = entry;

	for (int level = LOG_LEVEL_DEBUG; level < LOG_LEVELS; level++)
		if (filter_begins(value, log_level_names[level]))
			return (int)e->level >= level;
	return filter_is_in(value, e->level_name);
}

const struct filter_word log_words[] = {
	{ "level", "warning", NULL, .match = is_level },
	{ "logger", "name", NULL, .texts = { offsetof(struct log_entry, logger) } },
	{ NULL, NULL, NULL,
	    .texts = { offsetof(struct log_entry, level_name), offsetof(struct log_entry, logger),
		offsetof(struct log_entry, data) } },
};

/* ---- what happened in the page of an app ---- */

static bool
is_note_kind(const struct filter_text *value, const void *entry)
{
	const struct app_note *n = entry;

	return filter_begins(value, app_note_kinds[n->kind].name) ||
	       (n->is_error && filter_begins(value, "error"));
}

const struct filter_word note_words[] = {
	{ "kind", "error",
	    "error console exception violation blocked window dialog download left lost",
	    .match = is_note_kind },
	{ "where", "app.js", NULL, .texts = { offsetof(struct app_note, where) } },
	{ NULL, NULL, NULL,
	    .texts = { offsetof(struct app_note, text), offsetof(struct app_note, where),
		offsetof(struct app_note, advice) } },
};

/* ---- tasks ---- */

static bool
is_state(const struct filter_text *value, const void *entry)
{
	return filter_begins(value, server_task_state(entry));
}

static bool
is_in_task(const struct filter_text *value, const void *entry)
{
	const struct server_task *t = entry;

	return filter_is_in(value, server_task_state(t)) || filter_is_in(value, t->tool) ||
	       filter_is_in(value, t->id) ||
	       filter_is_in(value, t->trouble ? t->trouble : t->message);
}

const struct filter_word task_words[] = {
	{ "state", "working", NULL, .match = is_state },
	{ "tool", "name", NULL, .texts = { offsetof(struct server_task, tool) } },
	{ NULL, NULL, NULL, .match = is_in_task },
};

/* ---- the history ---- */

static bool
is_kept_tool(const struct filter_text *value, const void *entry)
{
	const struct history_call *h = entry;

	return filter_is_in(value, h->uri ? h->uri : h->key);
}

static bool
is_kept_verdict(const struct filter_text *value, const void *entry)
{
	return filter_begins(
	    value, verdict_looks[((const struct history_call *)entry)->verdict].name);
}

static bool
is_kept_status(const struct filter_text *value, const void *entry)
{
	return filter_begins(
	    value, ((const struct history_call *)entry)->is_error ? "error" : "ok");
}

static bool
is_kept_pinned(const struct filter_text *value, const void *entry)
{
	return filter_begins(value, ((const struct history_call *)entry)->pinned ? "yes" : "no");
}

static bool
is_in_time(const struct filter_text *value, const void *entry)
{
	int64_t started_us = HISTORY_STARTED_US(((const struct history_call *)entry)->id);

	return started_us >= value->from_us && started_us < value->to_us;
}

static bool
read_time(const struct filter_word *word, struct filter_text *value,
    const struct filter_clock *clock, struct err *err)
{
	struct moment_range range;

	if (!moment_read_range(
		value->text.text, (double)clock->now_us / 1e6, clock->zone_s, &range))
		return err_set(err,
		    "wants a time: 2026-07-28, 2026-07-28T13:30, 13:30, today or 2h, not "
		    "\"%.40s\"",
		    value->text.text);
	/* at most 1e12 seconds, which is after the year 9999 */
	value->from_us = (int64_t)(fmin(range.from, 1e12) * 1e6);
	value->to_us = (int64_t)(fmin(range.to, 1e12) * 1e6);
	if (strcmp(word->name, "since") == 0) {
		value->to_us = INT64_MAX;
	} else if (strcmp(word->name, "before") == 0) {
		value->to_us = value->from_us;
		value->from_us = INT64_MIN;
	}
	return true;
}

/* One of the word's values, or the beginning of one; those of a verdict are not in its row. */
static bool
read_one_of(const struct filter_word *word, struct filter_text *value,
    const struct filter_clock *clock, struct err *err)
{
	struct did_you_mean meant;
	struct strings names = { 0 };
	struct buf all = BUF_INIT;
	bool found = false;

	for (const char *at = word->values; at && *at;)
		strings_take(&names, strings_next_word(&at));
	for (int i = 0; !word->values && i < VERDICT_CHECKING; i++)
		strings_add(&names, verdict_looks[i].name);
	did_you_mean_init(&meant, value->text.text, value->text.len);
	for (size_t i = 0; i < names.len && !found; i++) {
		found = filter_begins(value, names.items[i]);
		did_you_mean_try(&meant, names.items[i]);
	}
	strings_join(&names, ", ", &all);
	if (!found && meant.name)
		err_set(
		    err, "unknown value \"%.40s\": did you mean %s?", value->text.text, meant.name);
	else if (!found)
		err_set(err, "unknown value \"%.40s\": the values are %s", value->text.text,
		    buf_text(&all));
	buf_finish(&all);
	strings_finish(&names);
	return found;
}

const struct filter_word history_words[] = {
	{ "tool", "NAME", NULL, .match = is_kept_tool },
	{ "name", NULL, NULL, .texts = { offsetof(struct history_call, name) } },
	{ "server", "NAME", NULL,
	    .texts = { offsetof(struct history_call, server),
		offsetof(struct history_call, label) } },
	{ "verdict", "invalid", NULL, .match = is_kept_verdict, .read = read_one_of },
	{ "status", "error", "error ok", .match = is_kept_status, .read = read_one_of },
	{ "date", "today", "today yesterday", .match = is_in_time, .read = read_time },
	{ "since", "2h", "today yesterday 1h 1d 1w", .match = is_in_time, .read = read_time },
	{ "before", "2026-07", "today yesterday 1h 1d 1w", .match = is_in_time, .read = read_time },
	{ "pinned", "yes", "yes no", .match = is_kept_pinned, .read = read_one_of },
	{ NULL, NULL, NULL, .match = is_kept_tool,
	    .texts = { offsetof(struct history_call, name),
		offsetof(struct history_call, arguments), offsetof(struct history_call, text),
		offsetof(struct history_call, error), offsetof(struct history_call, server) },
	    .strict = true },
};
