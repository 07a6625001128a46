#include "pane/pane.h"

#include "base/mem.h"
#include "base/units.h"
#include "json/print.h"
#include "pane/pane_text.h"
#include "stream_list.h"

#include <stdlib.h>
#include <string.h>

struct journal_pane {
	struct stream_list stream;
	bool raw; /* the open entry is shown as raw bytes */
	bool text_raw;
	struct blob *bytes;     /* of the entry last opened; NULL: of none yet */
	struct job *job;        /* formats them */
	struct blob *formatted; /* NULL: bytes are shown */
};

static void
drop_text(struct journal_pane *p)
{
	job_drop(&p->job);
	blob_unref(p->bytes);
	blob_unref(p->formatted);
	p->bytes = p->formatted = NULL;
	p->stream.whole = NULL;
}

static void
finish(void *state)
{
	struct journal_pane *p = state;

	stream_list_finish(&p->stream);
	drop_text(p);
}

static const struct journal *
journal_of(const struct pane_env *env)
{
	return env->ws->server ? server_info(env->ws->server)->journal : NULL;
}

/* ---- which entries are shown ---- */

static const void *
source(const struct pane_env *env)
{
	return journal_of(env);
}

static uint64_t
next(const struct pane_env *env, uint64_t id)
{
	const struct journal_entry *first = journal_at(journal_of(env), 0);
	uint64_t after = first && id < first->id ? first->id : id + 1;

	return journal_find(journal_of(env), after) ? after : 0;
}

static const void *
find(const struct pane_env *env, uint64_t id)
{
	return journal_find(journal_of(env), id);
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

enum { COL_TIME, COL_MARK, COL_MESSAGE, COL_SIZE, COL_TOOK, COL_REST };
static const struct stream_column columns[] = {
	[COL_TIME] = { "seconds", 0, 9, true },
	[COL_MARK] = { "", 11, 1, false },
	[COL_MESSAGE] = { "message", 13, 13, false },
	[COL_SIZE] = { "size", 27, 8, true },
	[COL_TOOK] = { "took", 36, 8, true },
	[COL_REST] = { "#id method bytes", 46, -1, false },
	{ 0 },
};

/* The id, the method, what is wrong, then the bytes as far as they fit. */
static void
draw_rest(struct surface s, int y, const struct journal_entry *e)
{
	int x = columns[COL_REST].x;

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

static void
draw_row(const struct pane_env *env, struct surface s, int y, const void *entry)
{
	const struct journal_entry *e = entry;
	struct buf size = BUF_INIT, latency = BUF_INIT;
	enum role role = e->flaw || e->is_error    ? ROLE_ERROR
			 : e->kind == JOURNAL_NOTE ? ROLE_HINT
						   : ROLE_DIM;

	pane_add_bytes(&size, e->bytes->len + e->dropped);
	if (e->latency_us >= 0)
		pane_add_duration(&latency, e->latency_us);
	stream_cell_time(&columns[COL_TIME], s, y, env, e->at_us);
	stream_cell(&columns[COL_MARK], s, y, style_of(kinds[e->kind].role), kinds[e->kind].mark);
	stream_cell(&columns[COL_MESSAGE], s, y, style_of(role), what(e));
	stream_cell(&columns[COL_SIZE], s, y, style_of(ROLE_DIM), buf_text(&size));
	stream_cell(&columns[COL_TOOK], s, y, style_of(ROLE_NUMBER), buf_text(&latency));
	draw_rest(s, y, e);
	buf_finish(&size);
	buf_finish(&latency);
}

/* ---- the open entry ---- */

/* A message of so many bytes is formatted at once. */
#define AT_ONCE ((size_t)64 << 10)

/* Formats a message from its bytes. */
struct journal_job {
	struct job job; /* first */
	struct journal_pane *pane;
	struct blob *bytes;
	struct buf text;
};

static void
run(struct job *job)
{
	struct journal_job *k = (struct journal_job *)job;
	struct json_doc *doc =
	    json_parse(k->bytes->data, k->bytes->len, &(struct json_options){ .job = job }, NULL);

	if (doc)
		json_print_some(&k->text, json_root(doc), 2, SIZE_MAX, job);
	json_doc_destroy(doc);
}

static void
done(struct job *job)
{
	struct journal_job *k = (struct journal_job *)job;

	if (!job_is_stopped(job) && k->text.len > 0)
		k->pane->formatted = blob_take_buf(&k->text);
	buf_finish(&k->text);
	blob_unref(k->bytes);
	free(k);
}

/* Its exact bytes, or formatted if it is JSON. */
static void
renew_text(struct journal_pane *p, const struct pane_env *env, const struct journal_entry *e)
{
	if (p->bytes == e->bytes && p->text_raw == p->raw)
		return;
	drop_text(p);
	p->bytes = blob_ref(e->bytes);
	p->text_raw = p->raw;
	p->stream.top = 0;
	if (p->raw || e->message == MESSAGE_NOT_JSON || e->dropped)
		return;
	struct journal_job *k = mem_zalloc(sizeof(*k));
	*k = (struct journal_job){
		.job = { .run = run, .done = done }, .pane = p, .bytes = blob_ref(e->bytes)
	};
	job_start(e->bytes->len > AT_ONCE ? env->jobs : NULL, &k->job, &p->job);
}

static void
draw_open(void *state, const struct pane_env *env, struct surface s, const void *entry)
{
	struct journal_pane *p = state;
	const struct journal_entry *e = entry;
	struct buf line = BUF_INIT;

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
	renew_text(p, env, e);
	stream_list_draw_text(&p->stream, env, surface_sub(s, 0, y, s.width, s.height - y),
	    p->formatted ? p->formatted : p->bytes, p->formatted != NULL);
}

static const char *
why_empty(const struct pane_env *env)
{
	return "no messages yet";
}

static enum role
heading(void *state, const struct pane_env *env, struct buf *title, struct buf *facts)
{
	struct journal_pane *p = state;
	const struct journal *j = journal_of(env);

	buf_add_str(title, "journal · every message, exact bytes");
	if (!j)
		return ROLE_DIM;
	const struct journal_info *info = journal_info(j);
	stream_list_count(&p->stream, info->count, facts);
	units_add_count(facts, info->count);
	buf_add_str(facts, info->count == 1 ? " entry · " : " entries · ");
	pane_add_bytes(facts, info->bytes);
	buf_add_str(facts, " of ");
	pane_add_bytes(facts, info->max_bytes);
	if (info->evicted > 0) {
		buf_add_str(facts, " · ");
		units_add_count(facts, info->evicted);
		buf_add_str(facts, " oldest dropped");
	}
	return info->evicted > 0 ? ROLE_WARNING : ROLE_DIM;
}

/* ---- commands and keys ---- */

static bool
act_raw(void *state, const struct pane_env *env, const char *arg)
{
	struct journal_pane *p = state;

	p->raw = !p->raw;
	p->stream.open = p->stream.shown.len > 0;
	return true;
}

static bool
act_pair(void *state, const struct pane_env *env, const char *arg)
{
	struct journal_pane *p = state;
	const struct journal_entry *e = stream_list_selected(&p->stream, env);

	if (e && e->pair && stream_list_go(&p->stream, e->pair))
		return true;
	env->host->say(
	    env->user, ROLE_WARNING, "the matching request or response is not in the journal");
	return false;
}

/* The raw bytes, even if shown formatted. */
static void
copy(const struct pane_env *env, const void *entry, struct buf *out)
{
	const struct journal_entry *e = entry;

	buf_add(out, e->bytes->data, e->bytes->len);
}

static const struct pane_action actions[] = {
	{ "open-message", "enter", "", "show the whole message, or close it", stream_act_open,
	    "open" },
	{ "filter", "", "[WORDS]", "show only matches: text, method: dir: id: status: kind: -not",
	    stream_act_filter, NULL },
	{ "raw", "v", "", "switch between formatted and raw bytes", act_raw, "raw" },
	{ "pair", "%", "", "go from a request to its response and back", act_pair, "pair" },
	{ "copy-message", "y", "", "copy the raw bytes of the message; :write FILE saves them",
	    pane_act_copy, "copy" },
	{ 0 },
};

static const struct stream_ops stream = {
	.words = journal_words,
	.columns = columns,
	.actions = actions,
	.keys = "Esc close  v raw  % pair  y copy  ↑↓ next message  PgDn scroll",
	.source = source,
	.next = next,
	.find = find,
	.why_empty = why_empty,
	.draw_row = draw_row,
	.draw_open = draw_open,
	.copy = copy,
};

static void
init(void *state)
{
	struct journal_pane *p = state;

	stream_list_init(&p->stream, &stream);
}

static void
sync(void *state, const struct pane_env *env)
{
	stream_list_sync(state, env);
}

/* Of a message, all but the filter. */
static const char *
hint(void *state, const struct pane_env *env, const struct pane_action *action)
{
	const struct journal_pane *p = state;

	return env->ws->server && p->stream.shown.len > 0 ? action->hint : NULL;
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
	.hint = hint,
	STREAM_CALLBACKS,
};
