/* SPDX-License-Identifier: MIT */
#include "client.h"

#include "base/ascii.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/units.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "cli/print/print.h"
#include "host/history.h"
#include "host/settings_file.h"
#include "json/write.h"

#include <stdlib.h>
#include <string.h>

/*
 * `mcpane history`: past calls as a table or as JSON, and commands for one of them. No server is
 * started.
 */
enum { TERMINAL_LIMIT = 100, WIDE = 110 };

static void
on_told(void *user, const char *text)
{
	bool *told = user;

	say("%s", text);
	if (told)
		*told = true;
}

/* ---- keeping a call ---- */

struct history *
client_open_history(const struct options *o)
{
	struct history_settings settings = { .off = o->screen.no_history };
	struct err err;

	/* a misspelled "history off" must not keep calls */
	if (!settings.off && !history_settings_load(&settings, &err)) {
		say("%s; the call is not kept in the history", err.text);
		return NULL;
	}
	if (settings.off)
		return NULL;
	const struct history_options options = { .brief = true,
		.max_bytes = settings.max_bytes,
		.max_days = settings.max_days,
		.tell = on_told };
	struct history *history = history_create(&options);
	history_host.off(history);
	return history;
}

/* ---- a table of calls ---- */

struct past_printing {
	const struct options *o;
	bool is_json;
	bool is_wide; /* the table has ids and full times */
	struct print_table table;
	size_t limit, seen;
	struct buf text; /* JSON that was not yet written, or a cell */
	int code;        /* of a failed write */
};

static void
past_add_row(struct past_printing *p, const struct history_call *h)
{
	struct print_table *t = &p->table;
	struct buf *text = &p->text, time = BUF_INIT;

	if (t->len == 0) {
		print_columns(t, p->is_wide ? "ID" : "");
		print_columns(t, "TIME|SERVER|NAME|VERDICT|STATE");
		print_column(t, "MS", true);
		print_columns(t, "ARGUMENTS");
	}
	history_add_time(h, &time);
	if (p->is_wide) {
		buf_addf(text, "%llu", (unsigned long long)h->id);
		print_cell_take(t, text);
	}
	/* "2026-07-28 12:03:41", or "07-28 12:03" as on the screen */
	buf_addf(text, "%.*s", p->is_wide ? 19 : 11, buf_text(&time) + (p->is_wide ? 0 : 5));
	print_cell_take(t, text);
	print_cell(t, h->server);
	print_cell(t, h->uri ? h->uri : h->key);
	print_cell(t, verdict_looks[h->verdict].name);
	print_cell(t, call_state_names[h->state]);
	buf_addf(text, "%.1f", (double)h->took_us / 1000);
	print_cell_take(t, text);
	utf8_add_cut(text, h->arguments, strlen(h->arguments), HISTORY_LIST_MAX);
	print_cell_take(t, text);
	buf_finish(&time);
}

static void
past_print_table(struct past_printing *p)
{
	struct buf out = BUF_INIT;

	if (!print_table_end(&p->table, &out))
		buf_add_str(&out,
		    p->o->history.past.len > 0 ? "No call matches." : "No call has been made yet.");
	p->code = output_write(&out, p->o->call.raw);
	buf_finish(&out);
}

/* ---- JSON, written while it is read ---- */

static bool
write_text(struct past_printing *p)
{
	struct buf out = BUF_INIT;

	output_add_lines(&out, &p->text, p->o->call.raw);
	p->code = output_write_part(&out);
	buf_clear(&p->text);
	buf_finish(&out);
	return p->code == 0;
}

static bool
print_call(void *user, const struct history_call *h)
{
	enum { AT_ONCE = 1 << 16 };
	struct past_printing *p = user;

	if (p->seen++ >= p->limit)
		return !p->is_json || output_is_terminal(); /* they are counted */
	if (!p->is_json) {
		past_add_row(p, h);
		return true;
	}
	buf_add_str(&p->text, p->seen == 1 ? "" : ",");
	history_add_json(h, p->o->history.replies, &p->text);
	return output_is_terminal() || p->text.len < AT_ONCE || write_text(p);
}

static void
end_json(struct past_printing *p)
{
	struct buf out = BUF_INIT;

	buf_add_str(&p->text, "]}\n");
	if (output_is_terminal()) {
		output_add_json(&out, &p->text, p->o->call.raw);
		p->code = output_write(&out, p->o->call.raw);
	} else if (p->code == 0) {
		write_text(p);
	}
	buf_finish(&out);
}

/* 0: it is none. */
static uint64_t
id_of(const char *text)
{
	enum { DIGITS_MAX = 19 };
	size_t len = strspn(text, "0123456789");
	uint64_t id = strtoull(text, NULL, 10);

	return len > 0 && len <= DIGITS_MAX && !text[len] && id <= INT64_MAX ? id : 0;
}

/* A word that is not a subcommand is a search, perhaps not as meant. */
static void
say_search(const struct options *o, const char *words)
{
	const char *id = "ID";

	for (size_t i = 0; i < o->history.past.len; i++)
		if (id_of(o->history.past.items[i]) != 0)
			id = o->history.past.items[i];
	say("searched for: %s; mcpane history show %s prints one call", words, id);
}

static int
print_calls(struct history *history, const struct options *o)
{
	const struct filter_clock clock = { clock_wall_us(), clock_zone_s() };
	struct past_printing p = { .o = o,
		.is_json = o->call.json || o->history.replies || !output_is_terminal(),
		.is_wide = output_columns() >= WIDE,
		.table = { .width = output_columns(), .last_gives_way = true } };
	struct buf words = BUF_INIT;
	struct filter filter = { 0 };
	struct err err = { "" };

	for (size_t i = 0; i < o->history.past.len; i++)
		buf_addf(&words, "%s%s", i > 0 ? " " : "", o->history.past.items[i]);
	filter_set(&filter, history_words, buf_text(&words), &clock);
	p.table.uncut = p.is_wide ? 2 : 1;
	p.limit = o->history.limit       ? o->history.limit
		  : output_is_terminal() ? TERMINAL_LIMIT
					 : SIZE_MAX;
	buf_add_str(&p.text, p.is_json ? "{\"calls\":[" : "");
	if (filter.wrong.text[0])
		err = filter.wrong;
	else if (history_each(history, &filter, o->history.replies ? HISTORY_WHOLE : HISTORY_ROWS,
		     print_call, &p, &err) ||
		 p.seen > 0)
		(p.is_json ? end_json : past_print_table)(&p);
	if (err.text[0])
		say("%s", err.text);
	else if (p.seen == 0 && words.len > 0)
		say_search(o, buf_text(&words));
	else if (p.seen > p.limit && p.code == 0 && output_is_terminal())
		say("the newest %zu of %s: --limit N, --limit all or a search prints others",
		    p.limit, units_count(p.seen).text);
	buf_finish(&p.text);
	buf_finish(&words);
	filter_finish(&filter);
	return err.text[0] ? CLI_EXIT_USAGE : p.code;
}

/* ---- one call ---- */

static const char last_word[] = "last";

static bool
take_id(void *user, const struct history_call *call)
{
	*(uint64_t *)user = call->id;
	return false;
}

static bool
find_call(struct history *history, const char *text, bool whole, struct history_call *h)
{
	const struct filter all = { 0 };
	uint64_t id = id_of(text);
	struct err err = { "" };

	if (strcmp(text, last_word) == 0)
		history_each(history, &all, HISTORY_IDS, take_id, &id, &err);
	if (history_host.find(history, id, whole, h))
		return true;
	say("the history has no call %s", text);
	return false;
}

bool
past_call_add_json(const char *text, struct buf *out, bool *is_id)
{
	struct history_call h;

	*is_id = id_of(text) != 0;
	if (!*is_id)
		return false;
	struct history *history = history_create(&(struct history_options){ .tell = on_told });
	bool ok = find_call(history, text, true, &h);
	if (ok && !h.reply)
		say("the call %s has no reply", text);
	ok = ok && h.reply;
	if (ok)
		history_add_json(&h, true, out);
	history_finish(&h);
	history_destroy(history);
	return ok;
}

static void
send_nothing(void *user, const struct outbound *message)
{
}

/* Prints it as the call did. */
static int
past_show(struct history *history, const struct history_call *h, const struct options *o)
{
	const struct server_options options = { .no_findings = true };
	struct client client = { .loop = NULL };
	struct buf out = BUF_INIT;
	struct err err;
	int code = CLI_EXIT_USAGE, failed = 0;

	client.loop = loop_create(NULL, NULL, &err);
	if (!client.loop) {
		say("%s", err.text);
		return code;
	}
	struct server *s = server_create(h->server, h->label, &options, send_nothing, NULL);
	const struct call *c = server_find_call(s, server_recall(s, h, clock_now_us()));
	code = client_print_call(&client, c, o, &out, &failed);
	code = client_end(&client, o, code, &out);
	server_destroy(s);
	return failed ? failed : code;
}

static int
past_change(struct history *history, const struct history_call *h, const struct options *o)
{
	const char *verb = o->history.past.items[0];
	struct err err;

	if (strcmp(verb, "delete") == 0
		? history_host.remove(history, h->id, &err)
		: history_host.set_pinned(history, h->id, strcmp(verb, "pin") == 0, &err))
		return CLI_EXIT_OK;
	say("%s", err.text);
	return CLI_EXIT_USAGE;
}

/* The first word of the operands; a search for such a word has it in quotes. */
static const struct past_verb {
	const char *name;
	int (*run)(struct history *history, const struct history_call *h, const struct options *o);
	bool one; /* takes one call, and the options of a result */
} verbs[] = {
	{ "show", past_show, true },
	{ "delete", past_change, false },
	{ "pin", past_change, false },
	{ "unpin", past_change, false },
};

static const struct past_verb *
verb_of(const struct options *o)
{
	for (size_t i = 0; o->history.past.len > 0 && i < ARRAY_LEN(verbs); i++)
		if (strcmp(verbs[i].name, o->history.past.items[0]) == 0)
			return &verbs[i];
	return NULL;
}

static int
run_verb(struct history *history, const struct past_verb *verb, const struct options *o)
{
	int code = CLI_EXIT_OK;

	for (size_t i = 1; i < o->history.past.len; i++) {
		struct history_call h;
		int one = find_call(history, o->history.past.items[i], verb->one, &h)
			      ? verb->run(history, &h, o)
			      : CLI_EXIT_USAGE;
		code = one != CLI_EXIT_OK ? one : code;
		history_finish(&h);
	}
	return code;
}

bool
past_calls_check(const struct options *o, struct err *err)
{
	const struct past_verb *verb = verb_of(o);
	bool shows = verb && verb->one;

	if (!shows && (o->call.view || o->format || o->call.lens || o->call.jq || o->call.findings))
		return err_set(err, "history: only show prints one result in another way");
	if (verb && (o->history.limit || o->history.replies))
		return err_set(
		    err, "history %s: --limit and --replies go with a search", verb->name);
	if (verb && o->history.past.len == 1)
		return err_set(err,
		    "history %s: the id of a call is missing; '\"%s\"' searches for the word",
		    verb->name, verb->name);
	if (shows && o->history.past.len > 2)
		return err_set(err, "history show: takes one call; --replies prints several");
	for (size_t i = 1; verb && i < o->history.past.len; i++)
		if (id_of(o->history.past.items[i]) == 0 &&
		    strcmp(o->history.past.items[i], last_word) != 0)
			return err_set(err,
			    "history %s: \"%.80s\" is not the id of a call, as --json prints it, "
			    "nor last",
			    verb->name, o->history.past.items[i]);
	return excerpt_check(o, err);
}

int
cli_history(const struct options *o)
{
	bool told = false;
	struct history *history =
	    history_create(&(struct history_options){ .tell = on_told, .user = &told });
	const struct past_verb *verb = verb_of(o);
	const char *off = history_host.off(history);
	struct history_settings settings = { 0 };
	struct err err;
	int code = CLI_EXIT_USAGE;

	if (!history_settings_load(&settings, &err))
		say("%s; no call is kept in the history until this is corrected", err.text);
	if (off && !told)
		say("%s", off);
	if (!off)
		code = verb ? run_verb(history, verb, o) : print_calls(history, o);
	history_destroy(history);
	return code;
}
