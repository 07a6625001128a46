#include "pane/pane.h"

#include "base/units.h"
#include "json/print.h"
#include "pane/pane_text.h"
#include "stream_list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct journal_pane {
	struct stream_list stream;
	struct journal_filter *filter;

	bool raw; /* the open entry is shown as raw bytes */
	uint64_t text_of;
	bool text_raw;
	struct blob *bytes; /* of text_of; NULL: of none yet */
	/* Large ones are laid out a slice a frame; until then their bytes are shown. */
	struct json_doc *doc;
	struct json_printing *printing;
	struct buf laid_out; /* empty: bytes are shown */
};

static void
drop_text(struct journal_pane *p)
{
	json_printing_end(p->printing);
	json_doc_destroy(p->doc);
	blob_unref(p->bytes);
	buf_finish(&p->laid_out);
	p->printing = NULL;
	p->doc = NULL;
	p->bytes = NULL;
}

static void
finish(void *state)
{
	struct journal_pane *p = state;

	stream_list_finish(&p->stream);
	journal_filter_destroy(p->filter);
	drop_text(p);
}

static const struct journal *
journal_of(const struct pane_env *env)
{
	return env->ws->server ? server_info(env->ws->server)->journal : NULL;
}

/* ---- which entries are shown ---- */

static bool
exists(const struct pane_env *env, uint64_t id)
{
	return journal_find(journal_of(env), id) != NULL;
}

static void
take_new(struct journal_pane *p, const struct journal *j)
{
	const struct journal_entry *first = journal_at(j, 0);
	uint64_t looked_at = p->stream.looked_at;
	size_t index = 0;

	if (first && looked_at >= first->id)
		index = (size_t)(looked_at - first->id) + 1;
	for (const struct journal_entry *e; (e = journal_at(j, index)); index++) {
		if (journal_filter_matches(p->filter, e))
			stream_list_add(&p->stream, e->id);
		looked_at = e->id;
	}
	stream_list_settle(&p->stream, looked_at);
}

static void
refilter(void *state, const struct pane_env *env, const char *text)
{
	struct journal_pane *p = state;

	journal_filter_destroy(p->filter);
	p->filter = journal_filter_create(text);
	stream_list_begin(&p->stream);
	if (journal_of(env))
		take_new(p, journal_of(env));
}

static const struct journal_entry *
selected(const struct journal_pane *p, const struct pane_env *env)
{
	const struct journal *j = journal_of(env);

	return j ? journal_find(j, stream_list_selected(&p->stream)) : NULL;
}

/* ---- drawing ---- */

static const struct {
	const char *mark;
	enum role role;
} kinds[] = {
	[JOURNAL_SENT] = { "→", ROLE_SENT },
	[JOURNAL_RECEIVED] = { "←", ROLE_RECEIVED },
	[JOURNAL_STDERR] = { "│", ROLE_STDERR },
	[JOURNAL_NOTE] = { "●", ROLE_HINT },
};

static const char *
what(const struct journal_entry *e)
{
	if (e->kind == JOURNAL_STDERR)
		return "stderr";
	if (e->kind == JOURNAL_NOTE)
		return "mcpane";
	return message_kind_names[e->message];
}

static int
draw_facts(const struct journal_entry *e, int64_t start_us, struct surface s, int y)
{
	struct buf size = BUF_INIT, latency = BUF_INIT;
	char time[32];

	snprintf(time, sizeof(time), "%9.3f", (double)(e->at_us - start_us) / 1e6);
	pane_add_bytes(&size, e->bytes->len + e->dropped);
	if (e->latency_us >= 0)
		pane_add_duration(&latency, e->latency_us);
	surface_text(s, 0, y, 9, style_of(ROLE_HINT), time);
	surface_text(s, 11, y, 1, style_of(kinds[e->kind].role), kinds[e->kind].mark);
	enum role role = e->flaw || e->is_error    ? ROLE_ERROR
			 : e->kind == JOURNAL_NOTE ? ROLE_HINT
						   : ROLE_DIM;
	surface_text(s, 13, y, 13, style_of(role), what(e));
	surface_text_right(s, 35, y, 8, style_of(ROLE_DIM), buf_text(&size));
	surface_text_right(s, 44, y, 8, style_of(ROLE_NUMBER), buf_text(&latency));
	buf_finish(&size);
	buf_finish(&latency);
	return 46;
}

/* Above draw_facts() and draw_row(). */
static void
draw_heads(struct surface s, int y)
{
	struct style style = style_of(ROLE_COLUMN);

	surface_text_right(s, 9, y, 9, style, "seconds");
	surface_text(s, 13, y, 13, style, "message");
	surface_text_right(s, 35, y, 8, style, "size");
	surface_text_right(s, 44, y, 8, style, "took");
	surface_text(s, 46, y, -1, style, "#id method bytes");
}

static void
draw_row(const struct pane_env *env, struct surface s, int y, uint64_t id)
{
	const struct journal_entry *e = journal_find(journal_of(env), id);

	if (!e)
		return;
	int x = draw_facts(e, journal_start_us(journal_of(env)), s, y);
	if (e->rpc_id)
		x += surface_textf(s, x, y, 10, style_of(ROLE_NUMBER), "#%s", e->rpc_id) + 1;
	if (e->method)
		x += surface_text(s, x, y, 30, style_of(ROLE_KEY_NAME), e->method) + 1;
	if (e->flaw)
		x += surface_textf(s, x, y, s.width / 2, style_of(ROLE_ERROR), "✗ %s", e->flaw) + 1;
	size_t len = e->bytes->len < 2000 ? e->bytes->len : 2000;
	bool own = e->kind == JOURNAL_STDERR || e->kind == JOURNAL_NOTE;
	const char *end = own ? memchr(e->bytes->data, '\n', len) : NULL;
	len = end ? (size_t)(end - e->bytes->data) : len; /* HTTP headers: below, if open */
	if (x < s.width)
		surface_textn(
		    s, x, y, -1, style_of(own ? ROLE_TEXT : ROLE_HINT), e->bytes->data, len);
}

#define SLICE ((size_t)1 << 20)

/* The entry that is open: its exact bytes, or laid out when it is JSON. False: not all of it yet.
 */
static bool
renew_text(struct journal_pane *p, const struct journal_entry *e)
{
	bool known = p->bytes && p->text_of == e->id && p->text_raw == p->raw;

	if (!known) {
		drop_text(p);
		p->bytes = blob_ref(e->bytes);
		p->text_of = e->id;
		p->text_raw = p->raw;
		p->stream.top = 0;
		if (!p->raw && e->message != MESSAGE_NOT_JSON && !e->dropped)
			p->doc = json_parse(e->bytes->data, e->bytes->len, NULL, NULL);
		if (p->doc)
			p->printing = json_printing_begin(&p->laid_out, json_root(p->doc), 2);
	}
	if (!p->printing)
		return true;
	bool later = !known && e->bytes->len > SLICE;
	if (later || json_printing_go(p->printing, SLICE))
		return false;
	json_printing_end(p->printing);
	json_doc_destroy(p->doc);
	p->printing = NULL;
	p->doc = NULL;
	return true;
}

static void
draw_open(void *state, const struct pane_env *env, struct surface s, uint64_t id)
{
	struct journal_pane *p = state;
	const struct journal_entry *e = journal_find(journal_of(env), id);
	struct buf line = BUF_INIT;

	if (!e)
		return;
	bool on_wire = e->kind == JOURNAL_SENT || e->kind == JOURNAL_RECEIVED;
	buf_addf(&line, " %s %s%s%s · %s", kinds[e->kind].mark, what(e), e->method ? " " : "",
	    e->method ? e->method : "",
	    !on_wire ? ""
	    : p->raw ? "exact bytes · "
		     : "formatted · ");
	pane_add_bytes(&line, e->bytes->len + e->dropped);
	if (e->latency_us >= 0) {
		buf_add_str(&line, " · after ");
		pane_add_duration(&line, e->latency_us);
	}
	buf_add_char(&line, ' ');
	surface_text(s, 2, 0, s.width - 4, style_of(ROLE_DIM), buf_text(&line));
	buf_finish(&line);
	int y = 1;
	if (e->flaw)
		surface_textf(s, 0, y++, -1, style_of(ROLE_ERROR), "✗ %s", e->flaw);
	if (e->dropped)
		surface_textf(s, 0, y++, -1, style_of(ROLE_ERROR),
		    "✗ %zu more bytes exceeded the size limit of a message and were dropped",
		    e->dropped);
	bool whole = renew_text(p, e), as_json = whole && p->laid_out.len > 0;
	stream_list_draw_text(&p->stream, env, surface_sub(s, 0, y, s.width, s.height - y),
	    as_json ? buf_text(&p->laid_out) : p->bytes->data,
	    as_json ? p->laid_out.len : p->bytes->len, as_json);
	s.grid->unfinished = s.grid->unfinished || !whole;
}

static const char *
why_empty(void *state, const struct pane_env *env)
{
	(void)state, (void)env;

	return "no messages yet";
}

static const struct stream_ops stream = {
	.filter_hint = "filter: text, method:tools/call dir:in id:7 status:error kind:stderr -word",
	.exists = exists,
	.refilter = refilter,
	.why_empty = why_empty,
	.draw_heads = draw_heads,
	.draw_row = draw_row,
	.draw_open = draw_open,
};

static void
init(void *state)
{
	struct journal_pane *p = state;

	stream_list_init(&p->stream, &stream);
	p->filter = journal_filter_create("");
}

/* Reads the entries of the workspace's server, from the start if it changed. */
static void
sync(void *state, const struct pane_env *env)
{
	struct journal_pane *p = state;
	const struct journal *j = journal_of(env);

	stream_list_show(&p->stream, j);
	if (!j)
		return;
	stream_list_drop(&p->stream, env);
	take_new(p, j);
}

static enum role
heading(void *state, const struct pane_env *env, struct buf *title, struct buf *facts)
{
	struct journal_pane *p = state;
	const struct journal *j = journal_of(env);

	buf_add_str(title, "journal · every message, exact bytes");
	if (!j)
		return ROLE_DIM;
	if (p->stream.shown.len != journal_count(j)) {
		units_add_count(facts, p->stream.shown.len);
		buf_add_str(facts, " of ");
	}
	units_add_count(facts, journal_count(j));
	buf_add_str(facts, journal_count(j) == 1 ? " entry · " : " entries · ");
	pane_add_bytes(facts, journal_bytes(j));
	buf_add_str(facts, " of ");
	pane_add_bytes(facts, journal_max_bytes(j));
	if (journal_evicted(j) > 0) {
		buf_add_str(facts, " · ");
		units_add_count(facts, journal_evicted(j));
		buf_add_str(facts, " oldest dropped");
	}
	return journal_evicted(j) > 0 ? ROLE_WARNING : ROLE_DIM;
}

/* ---- commands and keys ---- */

static bool
act_raw(void *state, const struct pane_env *env, const char *arg)
{
	struct journal_pane *p = state;
	(void)env, (void)arg;

	p->raw = !p->raw;
	p->stream.open = p->stream.shown.len > 0;
	return true;
}

static bool
act_pair(void *state, const struct pane_env *env, const char *arg)
{
	struct journal_pane *p = state;
	const struct journal_entry *e = selected(p, env);
	(void)arg;

	if (e && e->pair && stream_list_go(&p->stream, e->pair))
		return true;
	env->host->say(
	    env->user, ROLE_WARNING, "the matching request or response is not in the journal");
	return false;
}

/* The raw bytes, even if shown formatted. */
static void
copy(void *state, const struct pane_env *env, struct buf *out)
{
	const struct journal_entry *e = selected(state, env);

	if (e)
		buf_add(out, e->bytes->data, e->bytes->len);
}

static bool
act_copy(void *state, const struct pane_env *env, const char *arg)
{
	(void)state, (void)arg;

	return env->host->run(env->user, "copy");
}

static const struct pane_action actions[] = {
	{ "open-message", "enter", "", "show the whole message, or close it", stream_list_act_open,
	    "open" },
	{ "filter", "", "[WORDS]", "show only matches: text, method: dir: id: status: kind: -not",
	    stream_list_act_filter, NULL },
	{ "raw", "v", "", "switch between formatted and raw bytes", act_raw, "raw" },
	{ "pair", "p", "", "go from a request to its response and back", act_pair, "pair" },
	{ "copy-message", "y", "", "copy the raw bytes of the message; :write FILE saves them",
	    act_copy, "copy" },
	{ 0 },
};

static const char *
hint(void *state, const struct pane_env *env, const struct pane_action *action)
{
	const struct journal_pane *p = state;

	return stream_list_hint(&p->stream, env, action, action->run != stream_list_act_filter);
}

/* An open entry owns the keyboard. */
static bool
key(void *state, const struct pane_env *env, const struct key *key)
{
	struct journal_pane *p = state;
	bool plain = key->kind == KEY_CHAR && key->mods == 0;

	if (p->stream.open && plain && key->ch == 'v')
		return act_raw(p, env, "");
	if (p->stream.open && plain && key->ch == 'p')
		return act_pair(p, env, "");
	if (p->stream.open && plain && key->ch == 'y')
		return act_copy(p, env, "");
	return stream_list_key(&p->stream, env, key);
}

static const char *
typing(const void *state)
{
	(void)state;
	return "Esc close  v raw  p pair  y copy  ↑↓ next message  PgDn scroll";
}

const struct pane_ops pane_journal = {
	.title = "journal",
	.help = "all messages in both directions, as raw bytes, and the server's stderr",
	.state_size = sizeof(struct journal_pane),
	.actions = actions,
	.init = init,
	.finish = finish,
	.sync = sync,
	.heading = heading,
	.draw = stream_list_draw,
	.key = key,
	.captures = stream_list_captures,
	.hint = hint,
	.typing = typing,
	.copy = copy,
	.filtered = stream_list_filtered,
	.filter = stream_list_filter,
	.seek = stream_list_seek,
};
