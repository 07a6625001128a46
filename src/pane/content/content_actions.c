/* SPDX-License-Identifier: MIT */
#include "content.h"

#include "base/mem.h"
#include "base/url.h"
#include "base/vec.h"
#include "pane/pane_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- links ---- */

/* A link: the URI of a block (link 0), or a link in its text, from 1. */
struct link_place {
	size_t block;
	uint32_t link;
};

static uint32_t
links_in(const struct content *p, size_t block)
{
	const struct rich *rich = meant_rich(&p->blocks[block]);

	return rich ? (uint32_t)rich->links.len : 0;
}

/* A link without text has no row. */
static bool
is_link(const struct content *p, struct link_place at)
{
	const struct block_view *b = &p->blocks[at.block];

	if (at.link == 0)
		return b->uri != NULL;
	return at.link <= links_in(p, at.block) &&
	       meant_rich(b)->links.items[at.link - 1].row != UINT32_MAX;
}

static struct link_place
neighbor(const struct content *p, struct link_place at, bool forward)
{
	if (forward) {
		if (at.link < links_in(p, at.block))
			return (struct link_place){ at.block, at.link + 1 };
		return (struct link_place){ (at.block + 1) % p->len, 0 };
	}
	if (at.link > 0)
		return (struct link_place){ at.block, at.link - 1 };
	size_t block = (at.block + p->len - 1) % p->len;
	return (struct link_place){ block, links_in(p, block) };
}

static struct link_place
selected_link(const struct content *p)
{
	struct link_place at = { p->link < p->len ? p->link : 0, p->link_in };

	if (at.link > links_in(p, at.block))
		at.link = 0;
	return at;
}

/* Return this link or the next one in that direction; NO_LINK if there are no links. */
static struct link_place
find_link(const struct content *p, struct link_place at, bool forward)
{
	struct link_place start = at;

	while (!is_link(p, at)) {
		at = neighbor(p, at, forward);
		if (at.block == start.block && at.link == start.link)
			return (struct link_place){ NO_LINK, 0 };
	}
	return at;
}

void
content_first_link(struct content *p)
{
	p->link = NO_LINK;
	p->link_in = 0;
	for (size_t i = 0; i < p->len && p->link == NO_LINK; i++)
		if (p->blocks[i].uri)
			p->link = i;
}

/* Scroll to a line of a block. */
static void
show_block(struct content *p, size_t index, size_t line)
{
	size_t budget = WRAP_SLICE;

	for (size_t i = 0; i < index; i++)
		line += content_block_lines(p, &p->blocks[i], p->width, &budget);
	if (line < p->top || line >= p->top + (size_t)p->height)
		p->top = line;
}

/* Return the first line of the block's text, after its facts. */
static size_t
line_of_text(struct content *p, size_t block)
{
	size_t budget = WRAP_SLICE;

	return content_block_lines(p, &p->blocks[block], p->width, &budget) -
	       meant_rich(&p->blocks[block])->rows.len;
}

/* Return the block drawn at a row of the pane, and the row within it; NO_LINK if none. */
static size_t
block_at_row(struct content *p, int y, size_t *row)
{
	size_t line = p->top + (size_t)(y - p->blocks_y), budget = WRAP_SLICE;

	for (size_t i = 0; y >= p->blocks_y && i < p->len; i++) {
		size_t lines = content_block_lines(p, &p->blocks[i], p->width, &budget);
		*row = line;
		if (line < lines)
			return i;
		line -= lines;
	}
	return NO_LINK;
}

size_t
content_block_in_sight(struct content *p)
{
	size_t row;

	return p->top > 0 ? block_at_row(p, p->blocks_y, &row) : 0;
}

static const char no_link[] = "this content has no link";

/* Return the selected URI, or NULL with the reason. */
static const char *
uri_of(const struct content *p, const struct view_env *env)
{
	struct link_place at = p->len > 0 ? selected_link(p) : (struct link_place){ 0 };

	if (p->len > 0 && p->link < p->len && is_link(p, at))
		return at.link > 0 ? rich_uri(meant_rich(&p->blocks[at.block]), at.link)
				   : p->blocks[at.block].uri;
	bool none = p->len == 0 || find_link(p, (struct link_place){ 0 }, true).block == NO_LINK;
	view_refuse(env, "%s", none ? no_link : "no link is selected: n goes to the next one");
	return NULL;
}

static bool
step_link(void *state, const struct view_env *env, const char *arg, bool forward)
{
	struct content *p = state;
	struct link_place at = { NO_LINK, 0 }, from = { 0 };

	if (p->link < p->len)
		from = neighbor(p, selected_link(p), forward);
	if (p->len > 0)
		at = find_link(p, from, forward);
	if (at.block == NO_LINK)
		return view_refuse(env, "%s", no_link);
	p->link = at.block;
	p->link_in = at.link;
	if (at.link == 0) {
		show_block(p, at.block, 0);
		return true;
	}
	const struct rich *rich = meant_rich(&p->blocks[at.block]);
	show_block(p, at.block, line_of_text(p, at.block) + rich->links.items[at.link - 1].row);
	char *text = mem_printf("Enter follows %s", rich_uri(rich, at.link));
	env->host->say(env->user, ROLE_TEXT, text);
	free(text);
	return true;
}

VIEW_ACTION_WITH(act_next_link, step_link, true)
VIEW_ACTION_WITH(act_previous_link, step_link, false)

/* Read a resource and add the link to the trail. The trail of another result is dropped, and the
 * first step of a full one. */
static bool
read_link(struct content *p, const struct view_env *env, const char *uri)
{
	struct trail_step step = {
		.from = p->call, .top = p->top, .link = p->link, .link_in = p->link_in
	};

	if (!content_can_go_back(p))
		p->trail_len = 0;
	if (!pane_run(env, "resource %s", uri))
		return false;
	const struct call *call = workspace_call(env->ws);
	if (!call || call->id == step.from)
		return true;
	step.to = call->id;
	if (p->trail_len == TRAIL_MAX)
		memmove(p->trail, p->trail + 1, (size_t)--p->trail_len * sizeof(p->trail[0]));
	p->trail[p->trail_len++] = step;
	return true;
}

/* Follow the link. A listed resource of any scheme is read in the pane. An unlisted web page is
 * never fetched; the browser opens it after a question. */
static bool
act_follow(void *state, const struct view_env *env, const char *arg)
{
	struct content *p = state;
	const char *uri = uri_of(p, env);
	const struct server *server = env->ws->server;

	if (!uri)
		return false;
	bool listed =
	    primitive_list_find(&server_info(server)->lists[PRIMITIVE_RESOURCE].list, uri, 0);
	if (!listed && is_web_url(uri))
		return pane_run(env, "browse %s", uri);
	if (!listed && selected_link(p).link > 0 && !strstr(uri, "://"))
		return view_refuse(
		    env, "this link cannot be read: it is not a URI of a resource or web page");
	return read_link(p, env, uri);
}

bool
content_can_go_back(const void *state)
{
	const struct content *p = state;

	return p->trail_len > 0 && p->trail[p->trail_len - 1].to == p->call;
}

static bool
act_copy_link(void *state, const struct view_env *env, const char *arg)
{
	const char *uri = uri_of(state, env);

	return uri && pane_run(env, "copy %s", uri);
}

void
content_press(struct content *p, const struct view_env *env, int x, int y)
{
	size_t row = 0, block = block_at_row(p, y, &row);

	if (block == NO_LINK)
		return;
	const struct rich *rich = meant_rich(&p->blocks[block]);
	size_t above = rich ? line_of_text(p, block) : 0;
	struct link_place at = { block, 0 };
	if (rich && row >= above)
		at.link = rich_link_at(rich, row - above, x - p->label_cols);
	if (!is_link(p, at))
		return;
	if (at.block == p->link && at.link == p->link_in && !env->entered) {
		act_follow(p, env, "");
		return;
	}
	p->link = at.block;
	p->link_in = at.link;
}

/* ---- the bytes of a block, for files and programs ---- */

/* File name endings by MIME type. None is of an executable file, because programs trust endings. */
static const struct {
	const char *type, *ending;
} endings[] = {
	{ "audio/wav", ".wav" },
	{ "audio/mpeg", ".mp3" },
	{ "audio/ogg", ".ogg" },
	{ "audio/flac", ".flac" },
	{ "image/png", ".png" },
	{ "image/jpeg", ".jpg" },
	{ "image/gif", ".gif" },
	{ "image/webp", ".webp" },
	{ "image/svg+xml", ".svg" },
	{ "application/pdf", ".pdf" },
	{ "application/json", ".json" },
	{ "application/xml", ".xml" },
	{ "text/html", ".html" },
	{ "text/markdown", ".md" },
	{ "text/csv", ".csv" },
	{ "text/css", ".css" },
};

/* Return the file for a block. Its type follows from the bytes, or else from the server. */
static struct pane_file
file_of(const struct content_block *c, const struct buf *bytes)
{
	const char *type = media_type_of(buf_text(bytes), bytes->len);
	const char *ending = c->text ? ".txt" : ".bin";

	if (!type)
		type = c->mime && *c->mime ? c->mime
		       : c->text           ? "text/plain"
					   : "application/octet-stream";
	size_t len = strcspn(type, "; ");
	for (size_t i = 0; i < ARRAY_LEN(endings); i++)
		if (strlen(endings[i].type) == len && strncasecmp(endings[i].type, type, len) == 0)
			ending = endings[i].ending;
	return (struct pane_file){ type, ending, buf_text(bytes), bytes->len };
}

/* Return the shown result, or NULL. */
static const struct result *
shown_result(const struct view_env *env)
{
	const struct call *call = workspace_call(env->ws);

	return call && call->state == CALL_DONE ? &call->result : NULL;
}

/* Write the text of a block, or its decoded base64, to a file. */
static bool
act_save_block(void *state, const struct view_env *env, const char *arg)
{
	const struct result *r = shown_result(env);
	char *end;
	unsigned long number = strtoul(arg, &end, 10);
	const char *path = end + strspn(end, " ");
	struct buf bytes = BUF_INIT;
	const char *why = NULL;

	if (number == 0 || *end != ' ' || !*path)
		why = "usage: save-block NUMBER FILE";
	else if (!r || number > r->len)
		why = "there is no such content block";
	else if (!content_add_bytes(&bytes, &r->blocks[number - 1]))
		why = "the block has neither text nor data that can be decoded";
	if (why)
		env->host->say(env->user, ROLE_ERROR, why);
	bool ok = !why && env->host->write(env->user, path, buf_text(&bytes), bytes.len);
	buf_finish(&bytes);
	return ok;
}

/* Return the matching block with this number; without a number the first from the top of the screen
 * on, else the first of all. NO_LINK: none, and the reason is reported. */
static size_t
find_block(struct content *p, const struct view_env *env, const char *arg,
    bool (*matches)(const struct content_block *c), const char *none)
{
	const struct result *r = shown_result(env);
	char *end;
	unsigned long number = strtoul(arg, &end, 10);
	size_t at = NO_LINK, from = content_block_in_sight(p);

	if (*end || (*arg && (number == 0 || !r || number > r->len))) {
		view_refuse(env, "there is no such content block");
		return NO_LINK;
	}
	if (*arg && matches(&r->blocks[number - 1]))
		at = number - 1;
	for (size_t i = 0; r && !*arg && i < r->len && (at == NO_LINK || at < from); i++)
		if (matches(&r->blocks[i]) && (at == NO_LINK || i >= from))
			at = i;
	if (at == NO_LINK)
		view_refuse(env, "%s", none);
	return at;
}

static bool
act_play(void *state, const struct view_env *env, const char *arg)
{
	struct buf bytes = BUF_INIT;

	if (env->host->effects->stop_playing(env->host->effects_user) && !*arg) {
		env->host->say(env->user, ROLE_OK, "stopped playing");
		return true;
	}
	size_t at = find_block(state, env, arg, pane_audio_is,
	    *arg ? "the block is not audio" : "this content has no audio");
	if (at == NO_LINK)
		return false;
	const struct content_block *c = &shown_result(env)->blocks[at];
	struct err err = { "the block has no data that can be decoded" };
	bool ok = content_add_bytes(&bytes, c) &&
		  env->host->effects->play(env->host->effects_user, buf_text(&bytes), bytes.len,
		      file_of(c, &bytes).ending, &err);
	if (!ok)
		env->host->say(env->user, ROLE_ERROR, err.text);
	buf_finish(&bytes);
	return ok;
}

/* Whether programs open the block; plain text is read in the pane. */
static bool
is_for_programs(const struct content_block *c)
{
	return c->data || (c->text && c->kind == CONTENT_RESOURCE);
}

static bool
has_bytes(const struct content_block *c)
{
	return c->data || c->text;
}

static bool
act_open_block(void *state, const struct view_env *env, const char *arg)
{
	struct content *p = state;
	const struct result *r = shown_result(env);
	struct buf bytes = BUF_INIT;
	char number[24] = "";

	if (!*arg && r && p->link < r->len && has_bytes(&r->blocks[p->link]))
		snprintf(number, sizeof(number), "%zu", p->link + 1);
	size_t at = find_block(p, env, *number ? number : arg,
	    *arg || *number ? has_bytes : is_for_programs,
	    "there is no content block with data; open-block NUMBER opens a text too");
	if (at == NO_LINK)
		return false;
	bool ok = content_add_bytes(&bytes, &r->blocks[at]);
	if (ok) {
		const struct pane_file file = file_of(&r->blocks[at], &bytes);
		ok = env->host->open_file(env->user, &file);
	} else {
		view_refuse(env, "the block has no data that can be decoded");
	}
	buf_finish(&bytes);
	return ok;
}

/* ---- other actions ---- */

/* Show the data of the block at the top of the screen, or of the next block with data. */
static bool
act_data(void *state, const struct view_env *env, const char *arg)
{
	size_t at = content_block_in_sight(state);

	return pane_run(env, "data %zu", at == NO_LINK ? 1 : at + 1) &&
	       env->host->run(env->user, "pane structured");
}

static bool
act_block(void *state, const struct view_env *env, const char *arg)
{
	struct content *p = state;
	char *end;
	unsigned long number = strtoul(arg, &end, 10);

	if (number == 0 || *end || number > p->len) {
		env->host->say(env->user, ROLE_ERROR, "there is no such content block");
		return false;
	}
	show_block(p, number - 1, 0);
	return true;
}

static bool
act_as_meant(void *state, const struct view_env *env, const char *arg)
{
	struct content *p = state;

	if (p->meant == 0)
		return view_refuse(env, "this is plain text, which is always shown unchanged");
	p->raw = p->wants_raw = !p->raw;
	meant_show(p);
	content_first_link(p);
	return true;
}

const struct view_action content_actions[] = {
	{ "follow", "enter", "",
	    "read the selected link; a web page after a question, in the browser", act_follow,
	    "read link" },
	{ "next-link", "n", "", "select the next link", act_next_link, "next link" },
	{ "previous-link", "N", "", "select the previous link", act_previous_link, NULL },
	{ "copy-link", "y", "", "copy the link's URI to the clipboard", act_copy_link,
	    "copy link" },
	{ "as-meant", "v", "",
	    "toggle between rendered text (Markdown, HTML, ANSI, JSON) and the raw text that "
	    "the model gets",
	    act_as_meant, "raw or as meant" },
	{ "as-data", "m", "", "show the data in the text: JSON, JSON Lines, CSV, Markdown tables",
	    act_data, "data" },
	{ "block", "", "NUMBER", "show the content block of this number", act_block, NULL },
	{ "save-block", "", "NUMBER FILE",
	    "write the bytes of a content block to a file: its text or decoded data",
	    act_save_block, NULL },
	{ "open-block", "alt-o", "[NUMBER]",
	    "open the visible data, or content block N, in your program for its MIME type, "
	    "after a question",
	    act_open_block, NULL },
	{ "play", "p", "[NUMBER]",
	    "play the visible audio, or content block N, with the system's player; stop it",
	    act_play, "play" },
	{ 0 },
};

const char *
content_hint(void *state, const struct view_env *env, const struct view_action *action)
{
	const struct content *p = state;

	if (action->run == act_data)
		return p->may_be_data ? action->hint : NULL;
	if (action->run == act_play)
		return p->has_audio ? action->hint : NULL;
	if (action->run == act_as_meant)
		return !meant_word(p) ? NULL : p->raw ? "as meant" : "raw text";
	bool any = p->link < p->len || (action->run == act_next_link && p->links_in && !p->raw);
	return any ? action->hint : NULL;
}
