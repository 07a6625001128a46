#include "pane/pane.h"

#include "base/buf.h"
#include "base/mem.h"
#include "json/number.h"
#include "json/print.h"
#include "model/notices.h"
#include "offer_words.h"
#include "pane_text.h"
#include "render/render.h"
#include "ui/wrap.h"

#include <stdlib.h>
#include <string.h>

#define COLOUR_MAX ((size_t)256 << 10)

/* A block as it is shown: one line of facts, then text below it where there is some. */
struct block_view {
	char *facts; /* "image/png · 68 B · for user · priority 0.9"; "" for plain text */
	char *text;  /* NULL: none */
	size_t text_len;
	struct wrap wrap, facts_wrap;
	bool is_json;        /* the text is, and laid out */
	const char *problem; /* of the content block; "" for none */
	const char *label;
	const char *uri; /* that can be read; NULL: none */
};

struct content {
	struct block_view *blocks;
	size_t len;
	uint64_t call;
	enum call_state call_state;
	size_t top;   /* first line shown */
	size_t lines; /* in all, at the last width */
	size_t bytes; /* of text */
	size_t blob_bytes;
	size_t link; /* the block whose URI is selected; NO_LINK: none */
	int label_cols;
	int width, height; /* of the blocks, at the last drawing */
};

#define NO_LINK SIZE_MAX

static void
drop(struct content *p)
{
	for (size_t i = 0; i < p->len; i++) {
		wrap_finish(&p->blocks[i].wrap);
		wrap_finish(&p->blocks[i].facts_wrap);
		free(p->blocks[i].facts);
		free(p->blocks[i].text);
	}
	free(p->blocks);
	p->blocks = NULL;
	p->len = 0;
	p->top = 0;
	p->bytes = p->blob_bytes = 0;
	p->label_cols = 0;
	p->link = NO_LINK;
}

static void
finish(void *state)
{
	drop(state);
}

static void
add_fact(struct buf *out, const char *before, const char *fact)
{
	if (fact)
		buf_addf(out, "%s%s%s", out->len ? " · " : "", before, fact);
}

static void
add_value(struct buf *out, const char *before, const cJSON *value)
{
	struct buf text = BUF_INIT;

	if (value) {
		json_print_brief(&text, value, 60);
		add_fact(out, before, buf_text(&text));
	}
	buf_finish(&text);
}

/* "for user and assistant"; anything else than the list of names it should be, as it came. */
static void
add_audience(struct buf *out, const cJSON *audience)
{
	bool names = json_first(audience) != NULL;

	for (const cJSON *a = json_first(audience); a; a = a->next)
		names = names && json_string(a);
	if (!names) {
		add_value(out, "for ", audience);
		return;
	}
	for (const cJSON *a = json_first(audience); a; a = a->next)
		if (a == json_first(audience))
			add_fact(out, "for ", json_string(a));
		else
			buf_addf(out, " and %s", json_string(a));
}

static void
describe(const struct content_block *c, struct buf *out)
{
	add_fact(out, "", c->mime);
	if (c->data) {
		buf_add_str(out, out->len ? " · " : "");
		pane_add_bytes(out, c->decoded_bytes);
	}
	add_value(out, "size ", c->size);
	add_fact(out, "", c->title ? c->title : c->name);
	add_fact(out, "", c->uri);
	add_fact(out, "", c->description);
	add_audience(out, c->audience);
	add_value(out, "priority ", c->priority);
	add_fact(out, "modified ", c->last_modified);
}

/* JSON with a token on each line can be coloured without a change to a byte of it. */
static bool
is_laid_out_json(const char *text, size_t len)
{
	if (len < 3 || len > COLOUR_MAX || (text[0] != '{' && text[0] != '[') || text[1] != '\n')
		return false;
	struct json_doc *doc = json_parse(text, len, NULL, NULL);
	json_doc_destroy(doc);
	return doc != NULL;
}

static void
view_block(struct block_view *b, const struct content_block *c)
{
	struct buf facts = BUF_INIT, text = BUF_INIT;

	if (c->role && c->kind != CONTENT_TEXT)
		add_fact(&facts, "", content_kind_name(c->kind));
	describe(c, &facts);
	b->facts = buf_detach(&facts);
	b->label = c->role ? c->role : content_kind_name(c->kind);
	b->uri = c->uri;
	b->problem = c->problem;
	wrap_init(&b->wrap);
	wrap_init(&b->facts_wrap);
	if (c->text) {
		b->text = mem_strndup(c->text, c->text_len);
		b->text_len = c->text_len;
		b->is_json = is_laid_out_json(c->text, c->text_len);
	} else if (c->kind == CONTENT_UNKNOWN) {
		json_print_pretty(&text, c->block, 2);
		b->text_len = text.len;
		b->text = buf_detach(&text);
		b->is_json = true;
	}
}

static void
sync(void *state, const struct pane_env *env)
{
	struct content *p = state;
	const struct call *call = workspace_call(env->ws);
	uint64_t id = call ? call->id : 0;
	enum call_state call_state = call ? call->state : CALL_RUNNING;

	if (id == p->call && call_state == p->call_state)
		return;
	drop(p);
	p->call = id;
	p->call_state = call_state;
	if (!call || call->state != CALL_DONE)
		return;
	p->blocks = mem_zalloc(call->result.len * sizeof(*p->blocks));
	p->len = call->result.len;
	for (size_t i = 0; i < p->len; i++) {
		view_block(&p->blocks[i], &call->result.blocks[i]);
		p->bytes += call->result.blocks[i].text_len;
		p->blob_bytes += call->result.blocks[i].decoded_bytes;
		int cols = (int)strlen(p->blocks[i].label) + 3;
		p->label_cols = cols > p->label_cols ? cols : p->label_cols;
		if (p->link == NO_LINK && p->blocks[i].uri)
			p->link = i;
	}
}

/* ---- lines: an error line, then for each block a head (unless it is bare text) and its text ----
 */

/* Bytes of a huge text that are broken into lines in one frame. */
#define WRAP_SLICE ((size_t)1 << 20)

static size_t
facts_lines(struct block_view *b, int width)
{
	if (!b->facts[0])
		return 0;
	wrap_set(&b->facts_wrap, b->facts, strlen(b->facts), width);
	wrap_work(&b->facts_wrap, SIZE_MAX, WRAP_SLICE);
	return wrap_rows(&b->facts_wrap);
}

static size_t
block_lines(struct block_view *b, int width)
{
	size_t lines = facts_lines(b, width);

	if (b->problem[0])
		lines++;
	if (b->text) {
		wrap_set(&b->wrap, b->text, b->text_len, width);
		wrap_work(&b->wrap, SIZE_MAX, WRAP_SLICE);
		lines += wrap_rows(&b->wrap);
	}
	return lines ? lines : 1;
}

/* The part of a block that is in sight in s: `skip` of its lines are above. */
static int
draw_block(struct block_view *b, struct surface s, int y, size_t skip)
{
	size_t line = facts_lines(b, s.width);
	int start = y;

	if (line > skip)
		y += wrap_draw(&b->facts_wrap, surface_sub(s, 0, y, s.width, s.height - y),
		    style_of(ROLE_DIM), skip);
	if (b->problem[0] && line++ >= skip)
		surface_textf(s, 0, y++, -1, style_of(ROLE_ERROR), "✗ %s", b->problem);
	if (b->text && y < s.height) {
		size_t top = skip > line ? skip - line : 0;
		size_t left = wrap_rows(&b->wrap) > top ? wrap_rows(&b->wrap) - top : 0;
		int rows = left < (size_t)(s.height - y) ? (int)left : s.height - y;
		struct surface at = surface_sub(s, 0, y, s.width, rows);
		if (b->is_json)
			render_json_rows(&b->wrap, at, top);
		else
			wrap_draw(&b->wrap, at, style_of(ROLE_TEXT), top);
		y += rows;
	}
	return y > start ? y : y + 1;
}

static int
draw_notices(const struct call *call, struct surface s)
{
	int y = 0;

	if (call->result.is_error)
		surface_text(s, 0, y++, -1, (struct style){ ROLE_ERROR, ROLE_NONE, ATTR_BOLD },
		    "✗ isError: the tool says that it failed");
	if (call->result.problem[0])
		surface_textf(s, 0, y++, -1, style_of(ROLE_ERROR), "✗ %s", call->result.problem);
	if (call->result.description)
		surface_text(s, 0, y++, -1, style_of(ROLE_DIM), call->result.description);
	for (size_t i = 0; i < call->asked.len; i++)
		surface_textf(
		    s, 0, y++, -1, style_of(ROLE_WARNING), "asked for %s", call->asked.items[i]);
	return y;
}

static int
notice_rows(const struct call *call)
{
	return call->result.is_error + (call->result.problem[0] != '\0') +
	       (call->result.description != NULL) + (int)call->asked.len;
}

/* The blocks below row `from` of s. */
static void
draw_blocks(struct content *p, const struct pane_env *env, struct surface s, int from)
{
	struct surface labels = surface_sub(s, 0, from, s.width, s.height - from);
	struct surface body =
	    surface_sub(labels, p->label_cols, 0, labels.width - p->label_cols, labels.height);

	p->width = body.width;
	p->height = body.height;
	p->lines = 0;
	for (size_t i = 0; i < p->len; i++)
		p->lines += block_lines(&p->blocks[i], body.width);
	size_t last = p->lines > (size_t)body.height ? p->lines - (size_t)body.height : 0;
	p->top = p->top < last ? p->top : last;
	size_t skip = p->top;
	int row = 0;
	for (size_t i = 0; i < p->len && row < body.height; i++) {
		size_t lines = block_lines(&p->blocks[i], body.width);
		int first = row;
		if (skip == 0)
			surface_text(labels, 0, row, p->label_cols - 1, style_of(ROLE_COLUMN),
			    p->blocks[i].label);
		if (skip < lines)
			row = draw_block(&p->blocks[i], body, row, skip);
		if (skip == 0 && i == p->link && env->focused)
			surface_select_row(s, from + first, true);
		skip -= skip < lines ? skip : lines;
	}
	surface_scrollbar(s, env->focused, p->lines, p->top);
}

static void
draw(void *state, const struct pane_env *env, struct surface s)
{
	struct content *p = state;
	const struct call *call = workspace_call(env->ws);

	if (!call || call->state != CALL_DONE) {
		pane_draw_call_state(env, s);
		return;
	}
	int y = draw_notices(call, s);
	if (p->len == 0) {
		struct surface body = surface_sub(s, 0, y, s.width, s.height - y);
		bool is_array = call->result.content == JSON_ARRAY;
		surface_text(body, 0, 0, -1, style_of(is_array ? ROLE_DIM : ROLE_WARNING),
		    is_array ? offer_words(call->kind)->empty : offer_words(call->kind)->absent);
		return;
	}
	draw_blocks(p, env, s, y);
}

static int
want(void *state, const struct pane_env *env, int width)
{
	struct content *p = state;
	const struct call *call = workspace_call(env->ws);
	size_t lines = 0;

	if (!call || call->state != CALL_DONE)
		return env->ws->server ? pane_call_state_rows(env) : 2;
	for (size_t i = 0; i < p->len && lines < 100; i++)
		lines += p->blocks[i].text_len > 100000
			     ? 100
			     : block_lines(&p->blocks[i], width - p->label_cols);
	return (int)lines + notice_rows(call) + (p->len == 0);
}

/* "fresh 60.0 s, private": what the server says of caching it. */
static void
add_freshness(const struct result *r, struct buf *out)
{
	double ms = r->ttl_ms ? r->ttl_ms->valuedouble : 0;

	if (!r->ttl_ms)
		return;
	if (ms <= 0) {
		buf_add_str(out, " · not to be cached");
		return;
	}
	buf_add_str(out, " · fresh ");
	pane_add_duration(out, ms < 1e15 ? (int64_t)(ms * 1000) : INT64_MAX);
	if (r->cache_scope)
		buf_addf(out, ", %s", r->cache_scope);
}

static enum role
heading(void *state, const struct pane_env *env, struct buf *title, struct buf *facts)
{
	struct content *p = state;
	const struct call *call = workspace_call(env->ws);

	buf_add_str(title, offer_words_of(env)->title);
	if (!call || call->state != CALL_DONE)
		return ROLE_DIM;
	if (call->uri)
		buf_addf(title, " ▸ %s", call->uri);
	if (call->uri && server_watch_changed(env->ws->server, call->uri)) {
		buf_add_str(facts, "changed since · F5 reads it again");
		return ROLE_WARNING;
	}
	buf_addf(facts, "%zu %s · ", p->len, p->len == 1 ? "block" : "blocks");
	if (call->uri && p->blob_bytes > 0) {
		pane_add_bytes(facts, p->bytes + p->blob_bytes);
	} else {
		pane_add_bytes(facts, p->bytes);
		buf_add_str(facts, " · ");
		pane_add_tokens(facts, p->bytes, 4);
	}
	add_freshness(&call->result, facts);
	return ROLE_DIM;
}

/* ---- links ---- */

static void
show_block(struct content *p, size_t index)
{
	size_t line = 0;

	for (size_t i = 0; i < index; i++)
		line += block_lines(&p->blocks[i], p->width);
	if (line < p->top || line >= p->top + (size_t)p->height)
		p->top = line;
}

static bool
step_link(struct content *p, const struct pane_env *env, size_t step)
{
	size_t at = p->link;

	for (size_t i = 0; at != NO_LINK && i < p->len; i++) {
		at = (at + step) % p->len;
		if (!p->blocks[at].uri)
			continue;
		p->link = at;
		show_block(p, at);
		return true;
	}
	env->host->say(env->user, ROLE_WARNING, "there is no link in it");
	return false;
}

static bool
act_next_link(void *state, const struct pane_env *env, const char *arg)
{
	(void)arg;
	return step_link(state, env, 1);
}

static bool
act_previous_link(void *state, const struct pane_env *env, const char *arg)
{
	struct content *p = state;
	(void)arg;

	return step_link(p, env, p->len > 0 ? p->len - 1 : 0);
}

static const char *
selected_uri(struct content *p, const struct pane_env *env)
{
	const char *uri = p->link < p->len ? p->blocks[p->link].uri : NULL;

	if (!uri)
		env->host->say(env->user, ROLE_WARNING, "there is no link in it");
	return uri;
}

static bool
run_with(const struct pane_env *env, const char *command, const char *arg)
{
	char *line = mem_printf("%s %s", command, arg);
	bool ok = env->host->run(env->user, line);

	free(line);
	return ok;
}

/* A server reads what it offers; what is on the web is not fetched unasked. */
static bool
act_follow(void *state, const struct pane_env *env, const char *arg)
{
	struct content *p = state;
	const char *uri = selected_uri(p, env);
	const struct server *server = env->ws->server;
	(void)arg;

	if (!uri)
		return false;
	bool is_web = strncmp(uri, "https://", 8) == 0 || strncmp(uri, "http://", 7) == 0;
	if (is_web && !offer_list_find(&server_offers(server, OFFER_RESOURCE)->list, uri, 0)) {
		env->host->say(env->user, ROLE_WARNING,
		    "a page of the web, not listed by the server: y copies its URL, nothing is "
		    "fetched");
		return false;
	}
	return run_with(env, "resource", uri);
}

static bool
act_copy_link(void *state, const struct pane_env *env, const char *arg)
{
	const char *uri = selected_uri(state, env);
	(void)arg;

	return uri && run_with(env, "copy", uri);
}

static const struct pane_action actions[] = {
	{ "follow", "enter", "", "read the selected link", act_follow, "read link" },
	{ "next-link", "n", "", "select the next link", act_next_link, "next link" },
	{ "previous-link", "N", "", "select the link before", act_previous_link, NULL },
	{ "copy-link", "y", "", "copy the link's URI to the clipboard", act_copy_link,
	    "copy link" },
	{ 0 },
};

static const char *
hint(void *state, const struct pane_env *env, const struct pane_action *action)
{
	const struct content *p = state;
	(void)env;

	return p->link < p->len ? action->hint : NULL;
}

static bool
key(void *state, const struct pane_env *env, const struct key *key)
{
	struct content *p = state;
	(void)env;

	return pane_scroll_key(&p->top, p->lines, key);
}

const struct pane_ops pane_content = {
	.name = "content",
	.title = "content",
	.help = "what a model reads: the blocks of the result in order",
	.slot = SLOT_RIGHT,
	.weight = 1,
	.state_size = sizeof(struct content),
	.actions = actions,
	.finish = finish,
	.sync = sync,
	.want = want,
	.heading = heading,
	.draw = draw,
	.key = key,
	.hint = hint,
};
