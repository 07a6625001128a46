/* SPDX-License-Identifier: MIT */
#include "content.h"

#include "base/glyph.h"
#include "base/mem.h"
#include "base/units.h"
#include "base/vec.h"
#include "client/lens.h"
#include "client/notices.h"
#include "data/text_data.h"
#include "json/number.h"
#include "json/print.h"
#include "mcp/primitive.h"
#include "pane/pane_text.h"
#include "pane/tools/tools.h"

#include <stdlib.h>
#include <string.h>

#define LABEL_COLS 24
#define LOOK_BLOCKS 8 /* examined for data, up to LOOK_BYTES of each */
#define LOOK_BYTES ((size_t)64 << 10)
#define COLOR_MAX ((size_t)256 << 10) /* bytes of JSON that is colored */
#define MALFORMED_MAX ((size_t)256 << 10)

static int
applies(const struct view_env *env)
{
	return !workspace_shows_app(env->ws);
}

static void
drop(struct content *p)
{
	for (size_t i = 0; i < p->len; i++) {
		struct block_more *more = p->blocks[i].more;
		wrap_finish(&p->blocks[i].wrap);
		if (!more)
			continue;
		wrap_finish(&more->facts_wrap);
		pane_picture_finish(&more->picture);
		pane_audio_finish(&more->audio);
		job_drop(&more->meant.job);
		rich_finish(&more->meant.rich);
		free(more->meant.json);
		free(more->facts);
		free(more->text);
		free(more);
	}
	free(p->blocks);
	p->blocks = NULL;
	p->len = p->looked_at = p->top = p->meant = 0;
	p->bytes = p->tokens = p->blob_bytes = 0;
	p->label_cols = 0;
	p->may_be_data = p->has_audio = p->links_in = false;
	p->link = NO_LINK;
	p->link_in = 0;
	p->raw = p->wants_raw;
	memset(p->kinds, 0, sizeof(p->kinds));
	p->shown++;
}

static void
finish(void *state)
{
	struct content *p = state;

	drop(p);
	page_finish(&p->state);
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

/* Append "for user and assistant"; anything but an array of strings is shown raw. */
static void
add_audience(struct buf *out, const cJSON *audience)
{
	bool names = json_first(audience) != NULL;

	for (const cJSON *a = json_first(audience); a; a = a->next)
		names = names && cJSON_GetStringValue(a);
	if (!names) {
		add_value(out, "for ", audience);
		return;
	}
	for (const cJSON *a = json_first(audience); a; a = a->next) {
		if (a == json_first(audience))
			add_fact(out, "for ", "");
		else
			buf_add_str(out, " and ");
		label_add(out, cJSON_GetStringValue(a));
	}
}

static void
describe_block(const struct content_block *c, struct buf *out)
{
	double priority = c->priority ? c->priority->valuedouble : 0.5;
	size_t size;

	add_fact(out, "", c->mime);
	if (c->data) {
		buf_add_str(out, out->len ? " · " : "");
		pane_add_bytes(out, c->decoded_bytes);
	}
	if (c->size && json_number_to_size(c->size, SIZE_MAX, &size)) {
		add_fact(out, "size ", "");
		pane_add_bytes(out, size);
	} else {
		add_value(out, "size ", c->size);
	}
	add_fact(out, "", c->title ? c->title : c->name);
	add_fact(out, "", c->uri);
	add_fact(out, "", c->description);
	add_audience(out, c->audience);
	add_value(out, "priority ", c->priority);
	buf_add_str(out, priority == 1                  ? " (required)"
			 : priority == 0                ? " (optional)"
			 : priority > 0 && priority < 1 ? ""
							: " (not from 0 to 1)");
	add_fact(out, "modified ", c->last_modified);
}

static void
take_text(struct block_view *b, struct buf *text)
{
	b->text_len = text->len;
	b->text = content_more(b)->text = buf_detach(text);
}

/* The call owns the text and lives until the next sync. */
static void
view_block(struct block_view *b, const struct content_block *c)
{
	struct buf facts = BUF_INIT, text = BUF_INIT;

	if (c->role && c->kind != CONTENT_TEXT)
		add_fact(&facts, "", content_kind_names[c->kind]);
	describe_block(c, &facts);
	b->label = c->role ? c->role : content_kind_names[c->kind];
	b->uri = c->readable ? c->uri : NULL;
	b->problem = c->problem ? c->problem : "";
	wrap_init(&b->wrap);
	if (c->text) {
		b->text = c->text;
		b->text_len = c->text_len;
		/* JSON with one token per line can be colored without changing a byte. */
		if (c->text_len >= 3 && c->text_len <= COLOR_MAX && strchr("{[", c->text[0]) &&
		    c->text[1] == '\n') {
			struct json_doc *doc = json_parse(c->text, c->text_len, NULL, NULL);
			b->is_json = doc != NULL;
			json_doc_destroy(doc);
		}
	} else if (c->kind == CONTENT_UNKNOWN) {
		json_print_pretty(&text, c->block, 2);
		take_text(b, &text);
		b->is_json = true;
	}
	if (facts.len > 0 || c->data)
		content_more(b)->facts = buf_detach(&facts);
	buf_finish(&facts);
}

/* Return the invalid member content, or the result if it has none; NULL if it is valid. */
static const cJSON *
malformed(const struct call *call)
{
	const struct result *r = &call->result;

	if (r->content == JSON_ARRAY || (r->content == JSON_ABSENT && r->structured))
		return NULL;
	return r->content == JSON_ABSENT
		   ? call->value
		   : json_get(call->value, primitive_words[call->kind].member);
}

static void
view_malformed(struct content *p, const struct call *call)
{
	struct block_view *b = p->blocks;
	struct buf text = BUF_INIT;

	if (call->raw->len <= MALFORMED_MAX)
		json_print_pretty(&text, malformed(call), 2);
	else
		buf_add_str(&text, "too long: w shows it in the journal");
	wrap_init(&b->wrap);
	b->is_json = call->raw->len <= MALFORMED_MAX;
	b->label =
	    call->result.content == JSON_ABSENT ? "result" : primitive_words[call->kind].member;
	b->problem = "";
	take_text(b, &text);
}

/* Guess for the bottom bar whether a text is data: JSON, or the second line of a table. */
static bool
may_be_data(const struct content_block *c)
{
	static const char *const marks[] = { "|-", "| -", "|:", "| :" };
	size_t len = c->text_len < LOOK_BYTES ? c->text_len : LOOK_BYTES;
	bool may = text_data_begins_json(c->text, len);

	for (size_t i = 0; i < ARRAY_LEN(marks) && !may; i++)
		may = memmem(c->text, len, marks[i], strlen(marks[i])) != NULL;
	return may;
}

/* Estimate the tokens of all texts from the first ones. */
static size_t
count_tokens(const struct result *r, size_t bytes)
{
	enum { LOOKED_AT = 512 << 10 };
	size_t tokens = 0, looked = 0;

	for (size_t i = 0; i < r->len && looked < LOOKED_AT; i++)
		if (r->blocks[i].text) {
			tokens += tokens_estimate_soon(r->blocks[i].text, r->blocks[i].text_len);
			looked += r->blocks[i].text_len;
		}
	return looked < bytes ? (size_t)((double)tokens * (double)bytes / (double)looked) : tokens;
}

static void
sync(void *state, const struct view_env *env)
{
	struct content *p = state;
	const struct call *call = workspace_call(env->ws);
	uint64_t id = call ? call->id : 0;
	enum call_state call_state = call ? call->state : CALL_RUNNING;

	page_clear(&p->state);
	if (!call || (call->state != CALL_DONE && call->state != CALL_RUNNING))
		call_state_write(&p->state, env);
	if (id == p->call && call_state == p->call_state)
		return;
	drop(p);
	p->call = id;
	p->call_state = call_state;
	if (!call || call->state != CALL_DONE)
		return;
	size_t look_budget = MEANT_LOOK;
	bool odd = malformed(call) != NULL;
	p->len = call->result.len + odd;
	p->blocks = mem_zalloc(p->len * sizeof(*p->blocks));
	if (odd)
		view_malformed(p, call);
	for (size_t i = 0; i < p->len; i++) {
		if (!odd) {
			view_block(&p->blocks[i], &call->result.blocks[i]);
			meant_recognize(p, &p->blocks[i], &call->result.blocks[i], &look_budget);
			p->bytes += call->result.blocks[i].text_len;
			p->may_be_data =
			    p->may_be_data || (i < LOOK_BLOCKS && call->kind == PRIMITIVE_TOOL &&
						  call->result.blocks[i].text &&
						  may_be_data(&call->result.blocks[i]));
			p->blob_bytes += call->result.blocks[i].decoded_bytes;
			p->has_audio = p->has_audio || pane_audio_is(&call->result.blocks[i]);
		}
		int cols = (int)strlen(p->blocks[i].label) + 3;
		cols = cols < LABEL_COLS ? cols : LABEL_COLS;
		p->label_cols = cols > p->label_cols ? cols : p->label_cols;
	}
	p->tokens = count_tokens(&call->result, p->bytes);
	meant_show(p);
	content_first_link(p);
	if (p->back.from == p->call) {
		p->link = p->back.link;
		p->link_in = p->back.link_in;
	}
}

/* Append which of several calls is shown, and how many others run. */
static void
add_others(const struct view_env *env, const struct call *call, struct buf *facts)
{
	size_t count = 0, at = 0, running = 0;

	for (size_t i = 0; call && i < server_info(env->ws->server)->calls; i++) {
		const struct call *c = server_call_at(env->ws->server, i);
		if (c->kind != call->kind || strcmp(c->key, call->key) != 0)
			continue;
		count++;
		at = c == call ? count : at;
		running += c != call && c->state == CALL_RUNNING;
	}
	if (count < 2)
		return;
	buf_addf(facts, "%scall %zu of %zu H", facts->len > 0 ? " · " : "", at, count);
	if (running > 0)
		buf_addf(facts, " · %zu more running", running);
}

static enum role
heading(void *state, const struct view_env *env, struct buf *title, struct buf *facts)
{
	struct content *p = state;
	const struct call *call = workspace_call(env->ws);
	struct caching caching = { 0 };

	if (content_can_go_back(p))
		content_add_trail(p, env, title);
	else
		buf_add_str(title, primitive_words_of(env)->title);
	if (call && call->is_past) {
		buf_add_str(facts, "past call, ");
		pane_add_age(facts, env->now_us - call->started_us);
		buf_add_str(facts, call->state == CALL_DONE ? " old · " : " old");
	}
	if (!call || call->state != CALL_DONE) {
		add_others(env, call, facts);
		return ROLE_DIM;
	}
	if (call->uri)
		buf_addf(title, "%s%s", content_can_go_back(p) ? "" : " ▸ ", call->uri);
	if (call->uri && server_watch_changed(env->ws->server, call->uri)) {
		buf_add_str(facts, "changed on the server · F5 reads it again");
		return ROLE_WARNING;
	}
	if (meant_word(p))
		buf_addf(facts, "%s · ", meant_word(p));
	units_add_counted(facts, call->result.len, "block");
	buf_add_str(facts, " · ");
	pane_add_bytes(facts, p->bytes + (call->uri ? p->blob_bytes : 0));
	if (!call->uri && p->blob_bytes > 0) {
		buf_add_str(facts, " + ");
		pane_add_bytes(facts, p->blob_bytes);
		buf_add_str(facts, " media");
	}
	caching_read(&caching, call->value);
	buf_add_str(facts, caching.is_said ? " · " : "");
	caching_describe(&caching, facts);
	if (!call->uri || p->blob_bytes == 0) {
		buf_add_str(facts, " · ");
		pane_add_tokens(facts, p->tokens);
	}
	add_others(env, call, facts);
	return ROLE_DIM;
}

/* ---- search: a place is a byte of the blocks, of each its facts and then its text ---- */

static size_t
block_bytes(const struct block_view *b)
{
	size_t len;

	content_text(b, &len);
	return strlen(content_facts(b)) + len + 1;
}

/* Find the block of a position and make the position relative to it. */
static struct block_view *
block_at(const struct content *p, size_t *at)
{
	size_t i = 0;

	for (; i < p->len && *at >= block_bytes(&p->blocks[i]); i++)
		*at -= block_bytes(&p->blocks[i]);
	return i < p->len ? &p->blocks[i] : NULL;
}

static enum seek_result
seek_in_blocks(const struct seekable *s, const struct substring *n, size_t *at)
{
	struct content *p = s->of;
	size_t in = *at;
	struct block_view *b = block_at(p, &in);

	if (!b)
		return SEEK_DONE;
	size_t start = *at - in, facts = strlen(content_facts(b));
	size_t found =
	    in < facts ? substring_find(n, content_facts(b) + in, facts - in) : SUBSTRING_NONE;
	if (found != SUBSTRING_NONE) {
		*at = start + in + found;
		return SEEK_FOUND;
	}
	in = in > facts ? in - facts : 0;
	struct wrap shown = { 0 }; /* the search needs only the bytes */
	shown.text = content_text(b, &shown.len);
	struct seekable text = seek_wrap(&shown, &p->top, p->height, 0);
	enum seek_result result = b->text ? text.seek(&text, n, &in) : SEEK_DONE;
	*at = result == SEEK_DONE ? start + block_bytes(b) : start + facts + in;
	return result == SEEK_DONE ? SEEK_MORE : result;
}

static size_t
line_of(struct content *p, size_t at)
{
	struct block_view *b = block_at(p, &at);
	size_t line = 0, budget = WRAP_SLICE, facts = b ? strlen(content_facts(b)) : 0;

	for (struct block_view *before = p->blocks; b && before < b; before++)
		line += content_block_lines(p, before, p->width, &budget);
	if (b && at < facts)
		return line + wrap_row_of(&b->more->facts_wrap, at);
	const struct rich *rich = b ? meant_rich(b) : NULL;
	if (rich)
		line += content_block_lines(p, b, p->width, &budget) - rich->rows.len +
			rich_row_of(rich, at - facts);
	else if (b && b->text)
		line += content_block_lines(p, b, p->width, &budget) - wrap_rows(&b->wrap) +
			wrap_row_of(&b->wrap, at - facts);
	return line;
}

static void
show_place(const struct seekable *s, size_t at)
{
	struct content *p = s->of;
	size_t line = line_of(p, at), rows = p->height > 0 ? (size_t)p->height : 1;

	if (line < p->top || line - p->top >= rows)
		p->top = line > rows / 3 ? line - rows / 3 : 0;
}

static size_t
place_in_sight(const struct seekable *s)
{
	const struct content *p = s->of;
	size_t line = 0, at = 0, budget = WRAP_SLICE;

	for (size_t i = 0; i < p->len; i++) {
		line += content_block_lines(p, &p->blocks[i], p->width, &budget);
		if (line > p->top)
			break;
		at += block_bytes(&p->blocks[i]);
	}
	return at;
}

static int
row_of_place(const struct seekable *s, size_t at)
{
	struct content *p = s->of;
	size_t line = line_of(p, at);

	return line < p->top ? -1 : p->blocks_y + (int)(line - p->top);
}

static bool
seek(void *state, const struct view_env *env, struct seekable *out)
{
	struct content *p = state;
	const struct call *call = workspace_call(env->ws);

	*out = seek_page(&p->state);
	if (call && call->state == CALL_DONE)
		*out = (struct seekable){
			.of = p,
			.version = p->call + (p->shown << 32),
			.seek = seek_in_blocks,
			.show = show_place,
			.place = place_in_sight,
			.row = row_of_place,
		};
	return true;
}

static bool
key(void *state, const struct view_env *env, const struct key *key)
{
	struct content *p = state;
	const struct call *call = workspace_call(env->ws);

	p->back.from = 0; /* the user scrolls now */
	if (key->kind == KEY_ESCAPE && content_can_go_back(p)) {
		content_go_back(p, env);
		return true;
	}
	if (!call || call->state != CALL_DONE)
		return page_key(&p->state, key);
	if (key->kind == KEY_MOUSE && key->action == MOUSE_PRESS) {
		content_press(p, env, key->x, key->y);
		return true;
	}
	return pane_scroll_key(&p->top, p->lines, key);
}

/* Copy the text of the block at the top of the screen, or of the next block with a text. */
static void
copy(void *state, const struct view_env *env, const char *part, struct buf *out)
{
	const struct call *call = workspace_call(env->ws);
	size_t at = content_block_in_sight(state);

	if (!call || call->state != CALL_DONE)
		return;
	while (at < call->result.len && !call->result.blocks[at].text)
		at++;
	if (at < call->result.len)
		buf_add(out, call->result.blocks[at].text, call->result.blocks[at].text_len);
}

const struct view_ops pane_content = {
	.title = "content",
	.help = "the content blocks of the result, which a model reads",
	.state_size = sizeof(struct content),
	.actions = content_actions,
	.serves = applies,
	.finish = finish,
	.sync = sync,
	.want = content_want,
	.heading = heading,
	.draw = content_draw,
	.key = key,
	.copy = copy,
	.is_open = content_can_go_back,
	.seek = seek,
	.hint = content_hint,
};
