#include "content.h"

#include "base/vec.h"
#include "pane/pane_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* The bytes of a block go to the user's files and programs. */

/* The end of a file's name. Only those of files that nobody runs: a program may believe them. */
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

static const char *
ending_of(const char *type, bool is_text)
{
	size_t len = strcspn(type, "; ");

	for (size_t i = 0; i < ARRAY_LEN(endings); i++)
		if (strlen(endings[i].type) == len && strncasecmp(endings[i].type, type, len) == 0)
			return endings[i].ending;
	return is_text ? ".txt" : ".bin";
}

/* What the bytes prove, or else what the server says. */
static const char *
type_of(const struct content_block *c, const struct buf *bytes)
{
	const char *type = media_type_of(buf_text(bytes), bytes->len);

	if (type)
		return type;
	return c->mime && *c->mime ? c->mime : c->text ? "text/plain" : "application/octet-stream";
}

static struct pane_file
file_of(const struct content_block *c, const struct buf *bytes)
{
	const char *type = type_of(c, bytes);

	return (struct pane_file){ .type = type,
		.ending = ending_of(type, c->text != NULL),
		.bytes = buf_text(bytes),
		.len = bytes->len };
}

/* The result that is shown; NULL: none. */
static const struct result *
shown_result(const struct view_env *env)
{
	const struct call *call = workspace_call(env->ws);

	return call && call->state == CALL_DONE ? &call->result : NULL;
}

/* The bytes of a block: its text, or its base64 decoded. */
bool
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

/* The first that is so, at or below the top of the screen, else the first of all; NO_LINK: none. */
static size_t
block_in_sight(
    struct content *p, const struct result *r, bool (*is_so)(const struct content_block *c))
{
	size_t row, found = NO_LINK, from = p->top > 0 ? content_block_at(p, p->blocks_y, &row) : 0;

	for (size_t i = 0; i < r->len && (found == NO_LINK || found < from); i++)
		if (is_so(&r->blocks[i]) && (found == NO_LINK || i >= from))
			found = i;
	return found;
}

/* The block of that number, or without one the one in sight; NO_LINK: none, and the user was told.
 */
static size_t
find_block(struct content *p, const struct view_env *env, const char *arg,
    bool (*is_so)(const struct content_block *c), const char *none)
{
	const struct result *r = shown_result(env);
	char *end;
	unsigned long number = strtoul(arg, &end, 10);
	size_t at = NO_LINK;

	if (*end || (*arg && (number == 0 || !r || number > r->len))) {
		view_refuse(env, "there is no such content block");
		return NO_LINK;
	}
	if (r)
		at = *arg ? number - 1 : block_in_sight(p, r, is_so);
	if (at != NO_LINK && is_so(&r->blocks[at]))
		return at;
	view_refuse(env, "%s", none);
	return NO_LINK;
}

bool
act_play(void *state, const struct view_env *env, const char *arg)
{
	struct buf bytes = BUF_INIT;

	if (env->host->effects->stop_playing(env->host->effects_user) && !*arg) {
		env->host->say(env->user, ROLE_OK, "stopped playing");
		return true;
	}
	size_t at = find_block(
	    state, env, arg, pane_audio_is, *arg ? "the block is no audio" : "there is no audio");
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

/* Text that is nothing but text is read here. */
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

bool
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
