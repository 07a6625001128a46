#include "model/filter.h"

#include "base/vec.h"
#include "model/app.h"
#include "model/history.h"
#include "model/journal.h"
#include "model/notices.h"
#include "model/tasks.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* A name without a value adds no condition: the user is still typing. */
static void
add_word(struct filter *f, const struct filter_word *words, const char *text, size_t len)
{
	const struct filter_word *word = words;
	bool negated = len > 1 && text[0] == '-';

	text += negated;
	len -= negated;
	for (; word->name; word++) {
		size_t n = strlen(word->name);
		if (len <= n || text[n] != ':' || strncasecmp(text, word->name, n) != 0)
			continue;
		text += n + 1;
		len -= n + 1;
		if (len == 0)
			return;
		break;
	}
	struct filter_term *term = VEC_PUSH(f);
	*term = (struct filter_term){ .word = word, .negated = negated };
	substring_init(&term->value, text, len);
}

void
filter_set(struct filter *f, const struct filter_word *words, const char *text)
{
	filter_finish(f);
	for (const char *at = text; *(at += strspn(at, " \t"));) {
		size_t len = strcspn(at, " \t");
		add_word(f, words, at, len);
		at += len;
	}
}

void
filter_finish(struct filter *f)
{
	for (size_t i = 0; i < f->len; i++)
		substring_finish(&f->items[i].value);
	free(f->items);
	*f = (struct filter){ 0 };
}

bool
filter_matches(const struct filter *f, const void *entry)
{
	for (size_t i = 0; i < f->len; i++) {
		const struct filter_term *t = &f->items[i];
		if (t->word->match(&t->value, entry) == t->negated)
			return false;
	}
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

/* Is the value a beginning of the word? */
static bool
begins(const struct substring *value, const char *word)
{
	return strncasecmp(word, value->text, value->len) == 0;
}

/* Is the value in the text, if that is not NULL? */
static bool
is_in(const struct substring *value, const char *text)
{
	return text && substring_is_in(value, text, strlen(text));
}

/* ---- the journal: an exchange is matched by its request or its reply ---- */

/* In the message, or in what the list says of it. */
static bool
is_in_entry(const struct substring *value, const struct journal_entry *e)
{
	return substring_is_in(value, e->bytes->data, e->bytes->len) || is_in(value, e->brief) ||
	       is_in(value, e->ended) || is_in(value, e->flaw);
}

static bool
is_in_exchange(const struct substring *value, const void *entry)
{
	const struct journal_entry *e = entry, *reply = journal_reply(e);

	return is_in_entry(value, e) || (reply && is_in_entry(value, reply));
}

static bool
is_method(const struct substring *value, const void *entry)
{
	const struct journal_entry *e = entry;

	return is_in(value, e->method);
}

static bool
is_called_tool(const struct substring *value, const void *entry)
{
	const struct journal_entry *e = entry;

	return is_in(value, e->tool);
}

/* Who began? */
static bool
is_direction(const struct substring *value, const void *entry)
{
	const struct journal_entry *e = entry;

	if (begins(value, "in") || begins(value, "received"))
		return e->kind == JOURNAL_RECEIVED;
	return e->kind == JOURNAL_SENT && (begins(value, "out") || begins(value, "sent"));
}

/* Matches a whole id; a string id also without its quotes. */
static bool
is_id(const struct substring *value, const void *entry)
{
	const struct journal_entry *e = entry;

	if (!e->rpc_id)
		return false;
	size_t len = strlen(e->rpc_id);
	if (len == value->len + 2 && e->rpc_id[0] == '"')
		return strncasecmp(e->rpc_id + 1, value->text, value->len) == 0;
	return strcasecmp(e->rpc_id, value->text) == 0;
}

static bool
is_status(const struct substring *value, const void *entry)
{
	const struct journal_entry *e = entry, *reply = journal_reply(e);
	bool bad =
	    e->is_error || e->flaw || e->ended || (reply && (reply->is_error || reply->flaw));

	if (begins(value, "error"))
		return bad;
	if (begins(value, "running"))
		return e->waits;
	return begins(value, "ok") && !bad && !e->waits;
}

static bool
is_verdict(const struct substring *value, const void *entry)
{
	const struct journal_entry *e = entry, *reply = journal_reply(e);
	enum verdict_kind verdict = reply ? reply->verdict : e->verdict;

	return verdict != VERDICT_NONE && begins(value, verdict_looks[verdict].name);
}

static bool
is_of_kind(const struct substring *value, const struct journal_entry *e)
{
	if (e->kind == JOURNAL_STDERR)
		return begins(value, "stderr");
	if (e->kind == JOURNAL_NOTE)
		return begins(value, "note");
	switch (e->message) {
	case MESSAGE_REQUEST:
		return begins(value, "request");
	case MESSAGE_NOTIFICATION:
		return begins(value, "notification");
	case MESSAGE_RESULT:
	case MESSAGE_ERROR:
		return begins(value, "reply");
	default:
		return begins(value, "bad");
	}
}

static bool
is_kind(const struct substring *value, const void *entry)
{
	const struct journal_entry *e = entry, *reply = journal_reply(e);

	return is_of_kind(value, e) || (reply && is_of_kind(value, reply));
}

const struct filter_word journal_words[] = {
	{ "tool", "NAME", NULL, is_called_tool },
	{ "method", "tools/call", NULL, is_method },
	{ "status", "error", "error running ok", is_status },
	{ "verdict", "invalid", NULL, is_verdict },
	{ "kind", "stderr", "request notification reply stderr note bad", is_kind },
	{ "dir", "in", "in out", is_direction },
	{ "id", "7", NULL, is_id },
	{ NULL, NULL, NULL, is_in_exchange },
};

/* ---- log messages ---- */

/* That level and worse; a level may be abbreviated, the first match counts. */
static bool
is_level(const struct substring *value, const void *entry)
{
	const struct log_entry *e = entry;

	for (int level = LOG_LEVEL_DEBUG; level < LOG_LEVELS; level++)
		if (begins(value, log_level_names[level]))
			return (int)e->level >= level;
	return is_in(value, e->level_name);
}

static bool
is_logger(const struct substring *value, const void *entry)
{
	const struct log_entry *e = entry;

	return is_in(value, e->logger);
}

static bool
is_in_log(const struct substring *value, const void *entry)
{
	const struct log_entry *e = entry;

	return is_in(value, e->level_name) || is_in(value, e->logger) ||
	       substring_is_in(value, e->data, e->data_len);
}

const struct filter_word log_words[] = {
	{ "level", "warning", NULL, is_level },
	{ "logger", "name", NULL, is_logger },
	{ NULL, NULL, NULL, is_in_log },
};

/* ---- what happened in the page of an app ---- */

static bool
is_note_kind(const struct substring *value, const void *entry)
{
	const struct app_note *n = entry;

	return begins(value, app_note_names[n->kind]) || (n->is_error && begins(value, "error"));
}

static bool
is_note_place(const struct substring *value, const void *entry)
{
	const struct app_note *n = entry;

	return is_in(value, n->where);
}

static bool
is_in_note(const struct substring *value, const void *entry)
{
	const struct app_note *n = entry;

	return is_in(value, n->text) || is_in(value, n->where) || is_in(value, n->advice);
}

const struct filter_word note_words[] = {
	{ "kind", "error",
	    "error console exception violation blocked window dialog download left lost",
	    is_note_kind },
	{ "where", "app.js", NULL, is_note_place },
	{ NULL, NULL, NULL, is_in_note },
};

/* ---- tasks ---- */

static bool
is_state(const struct substring *value, const void *entry)
{
	return begins(value, server_task_state(entry));
}

static bool
is_tool(const struct substring *value, const void *entry)
{
	const struct server_task *t = entry;

	return is_in(value, t->tool);
}

static bool
is_in_task(const struct substring *value, const void *entry)
{
	const struct server_task *t = entry;

	return is_in(value, server_task_state(t)) || is_in(value, t->tool) || is_in(value, t->id) ||
	       is_in(value, t->trouble ? t->trouble : t->message);
}

const struct filter_word task_words[] = {
	{ "state", "working", NULL, is_state },
	{ "tool", "name", NULL, is_tool },
	{ NULL, NULL, NULL, is_in_task },
};

/* ---- the history ---- */

static bool
is_kept_server(const struct substring *value, const void *entry)
{
	const struct history_call *h = entry;

	return is_in(value, h->server) || is_in(value, h->label);
}

static bool
is_kept_tool(const struct substring *value, const void *entry)
{
	const struct history_call *h = entry;

	return is_in(value, h->uri ? h->uri : h->key);
}

static bool
is_kept_verdict(const struct substring *value, const void *entry)
{
	return begins(value, verdict_looks[((const struct history_call *)entry)->verdict].name);
}

static bool
is_kept_status(const struct substring *value, const void *entry)
{
	return begins(value, ((const struct history_call *)entry)->is_error ? "error" : "ok");
}

static bool
is_kept_pinned(const struct substring *value, const void *entry)
{
	return begins(value, ((const struct history_call *)entry)->pinned ? "yes" : "no");
}

/* < 0: the call was before that day, month or year; 0: within it. */
static int
compare_date(const struct substring *value, const void *entry)
{
	struct buf text = BUF_INIT;

	history_add_time(entry, &text);
	int order = strncmp(buf_text(&text), value->text, value->len);
	buf_finish(&text);
	return order;
}

static bool
is_on(const struct substring *value, const void *entry)
{
	return compare_date(value, entry) == 0;
}

static bool
is_since(const struct substring *value, const void *entry)
{
	return compare_date(value, entry) >= 0;
}

static bool
is_before(const struct substring *value, const void *entry)
{
	return compare_date(value, entry) < 0;
}

static bool
is_in_kept(const struct substring *value, const void *entry)
{
	const struct history_call *h = entry;

	return is_kept_tool(value, entry) || is_in(value, h->name) || is_in(value, h->arguments) ||
	       is_in(value, h->text) || is_in(value, h->error) || is_in(value, h->server);
}

const struct filter_word history_words[] = {
	{ "tool", "NAME", NULL, is_kept_tool },
	{ "server", "NAME", NULL, is_kept_server },
	{ "verdict", "invalid", NULL, is_kept_verdict },
	{ "status", "error", "error ok", is_kept_status },
	{ "date", "2026-07", NULL, is_on },
	{ "since", "2026-07-28", NULL, is_since },
	{ "before", NULL, NULL, is_before },
	{ "pinned", "yes", "yes no", is_kept_pinned },
	{ NULL, NULL, NULL, is_in_kept },
};
