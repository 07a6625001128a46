/* SPDX-License-Identifier: MIT */
#include "journal_pane.h"

#include "base/mem.h"
#include "json/print.h"
#include "pane/pane_text.h"

#include <stdlib.h>
#include <string.h>

/* Larger messages are formatted by a job. */
#define AT_ONCE ((size_t)64 << 10)
/* The least width for two messages side by side. */
#define BESIDE_FROM 100

static void
drop_text(struct journal_pane *p, int side)
{
	struct journal_text *t = &p->texts[side];

	job_drop(&t->job);
	blob_unref(t->bytes);
	blob_unref(t->formatted);
	t->bytes = t->formatted = NULL;
	stream_list_forget_text(&p->stream, side);
}

void
journal_open_finish(struct journal_pane *p)
{
	drop_text(p, 0);
	drop_text(p, 1);
}

/* Format a message from its bytes. */
struct journal_job {
	struct job job; /* first */
	struct journal_text *to;
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
		k->to->formatted = blob_take_buf(&k->text);
	buf_finish(&k->text);
	blob_unref(k->bytes);
	free(k);
}

/* Set the text of a message: its exact bytes, or formatted JSON. */
static void
renew_text(
    struct journal_pane *p, int side, const struct view_env *env, const struct journal_entry *e)
{
	struct journal_text *t = &p->texts[side];

	if (t->bytes == e->bytes && t->raw == p->raw)
		return;
	drop_text(p, side);
	t->bytes = blob_ref(e->bytes);
	t->raw = p->raw;
	p->stream.texts[side].top = 0;
	bool on_wire = e->kind == JOURNAL_SENT || e->kind == JOURNAL_RECEIVED;
	if (p->raw || !on_wire || e->message == MESSAGE_NOT_JSON || e->dropped)
		return;
	struct journal_job *k = mem_zalloc(sizeof(*k));
	*k = (struct journal_job){
		.job = { .run = run, .done = done }, .to = t, .bytes = blob_ref(e->bytes)
	};
	job_start(e->bytes->len > AT_ONCE ? env->jobs : NULL, &k->job, &t->job);
}

static void
draw_title(struct journal_pane *p, struct surface s, const struct journal_entry *e, bool active)
{
	bool on_wire = e->kind == JOURNAL_SENT || e->kind == JOURNAL_RECEIVED;
	const char *name = e->kind == JOURNAL_STDERR ? "stderr"
			   : e->kind == JOURNAL_NOTE ? "mcpane"
						     : message_kind_names[e->message];
	struct buf line = BUF_INIT;

	surface_repeat(s, 0, 0, s.width, style_of(ROLE_BORDER), 0x2500);
	buf_addf(&line, " %s %s%s%s · %s", journal_marks[e->kind].mark, name, e->method ? " " : "",
	    e->method ? e->method : "",
	    !on_wire ? ""
	    : p->raw ? "exact bytes · "
		     : "formatted · ");
	pane_add_bytes(&line, e->bytes->len + e->dropped);
	if (e->latency_us >= 0) {
		buf_add_str(&line, " · ");
		pane_add_duration(&line, e->latency_us);
	}
	buf_add_char(&line, ' ');
	surface_text(
	    s, 1, 0, s.width - 2, style_of(active ? ROLE_TITLE : ROLE_DIM), buf_text(&line));
	buf_finish(&line);
}

/* Return the role of "POST /mcp HTTP/1.1", or of "HTTP 200 OK" by its status. */
static enum role
role_of_first(const char *line)
{
	if (strncmp(line, "HTTP ", 5) != 0)
		return ROLE_TEXT;
	return line[5] == '2'                     ? ROLE_OK
	       : line[5] == '4' || line[5] == '5' ? ROLE_ERROR
						  : ROLE_WARNING;
}

/* Draw the lines of an HTTP head that begin with the mark; return the rows used. */
static int
draw_head(struct surface s, const struct journal_entry *note, char mark)
{
	const char *at = note->bytes->data;
	int y = 0;

	while ((at = strchr(at, '\n')) && y < s.height) {
		const char *line = ++at;
		if (line[0] != mark || line[1] != ' ')
			continue;
		line += 2;
		size_t len = strcspn(line, "\n"), name = y > 0 ? strcspn(line, ":\n") : len;
		enum role role = y > 0 ? ROLE_HINT : role_of_first(line);
		int x = surface_textn(s, 0, y, style_of(role), line, name);
		surface_textn(s, x, y++, style_of(ROLE_DIM), line + name, len - name);
	}
	return y;
}

/* Draw the HTTP head of a message and an empty row; a request without a JSON-RPC reply has the head
 * of its response too. */
static int
draw_heads(struct surface s, const struct journal_entry *e, const struct journal_entry *note)
{
	bool alone = e->kind == JOURNAL_SENT && !journal_reply(e);
	int rows = draw_head(s, note, e->kind == JOURNAL_SENT ? '>' : '<');

	if (alone)
		rows += draw_head(surface_sub(s, 0, rows, s.width, s.height - rows), note, '<');
	return rows < s.height && rows > 0 ? rows + 1 : rows;
}

/* Draw a message with its title and its errors. */
static void
draw_message(struct journal_pane *p, int side, const struct view_env *env, struct surface s,
    const struct journal_entry *e)
{
	const struct journal_entry *request =
	    journal_is_second(e) ? journal_find(e->journal, e->pair) : e;
	const struct journal_entry *http =
	    request && request->http ? journal_find(e->journal, request->http) : NULL;
	int y = 1;

	draw_title(p, s, e, p->stream.sides == 2 && side == p->stream.side);
	if (e->flaw)
		surface_textf(s, 0, y++, -1, style_of(ROLE_ERROR), "✗ %s", e->flaw);
	if (e->ended)
		surface_textf(s, 0, y++, -1, style_of(ROLE_ERROR), "✗ %s: %s",
		    e->message == MESSAGE_REQUEST ? "no reply" : "not received", e->ended);
	if (e->dropped)
		surface_textf(s, 0, y++, -1, style_of(ROLE_ERROR),
		    "✗ %zu more bytes exceeded the size limit of a message and were dropped",
		    e->dropped);
	if (http && s.height - y > 6)
		y += draw_heads(surface_sub(s, 0, y, s.width, (s.height - y) / 2), e, http);
	renew_text(p, side, env, e);
	const struct journal_text *t = &p->texts[side];
	stream_list_draw_text(&p->stream, side, env, surface_sub(s, 0, y, s.width, s.height - y),
	    t->formatted ? t->formatted : t->bytes, t->formatted != NULL);
}

const struct journal_entry *
journal_open_message(const struct journal_pane *p, const struct journal_entry *e)
{
	const struct journal_entry *reply = e ? journal_reply(e) : NULL;

	return reply && p->stream.side == 1 ? reply : e;
}

void
journal_open_draw(void *state, const struct view_env *env, struct surface s, const void *entry)
{
	struct journal_pane *p = state;
	const struct journal_entry *e = entry, *reply = journal_reply(e);
	bool beside = s.width >= BESIDE_FROM;
	int half = beside ? (s.width - 3) / 2 : s.height / 3;

	p->stream.sides = reply ? 2 : 1;
	if (!reply) {
		draw_message(p, 0, env, s, e);
	} else if (beside) {
		struct surface right = surface_sub(s, half + 3, 0, s.width - half - 3, s.height);
		for (int y = 0; y < s.height; y++)
			surface_put(s, half + 1, y, style_of(ROLE_BORDER), y ? 0x2502 : 0x252c);
		draw_message(p, 0, env, surface_sub(s, 0, 0, half, s.height), e);
		draw_message(p, 1, env, right, reply);
	} else {
		struct surface below = surface_sub(s, 0, half, s.width, s.height - half);
		draw_message(p, 0, env, surface_sub(s, 0, 0, s.width, half), e);
		draw_message(p, 1, env, below, reply);
	}
}
