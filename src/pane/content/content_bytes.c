#include "content.h"

#include "base/vec.h"
#include "pane/pane_text.h"

#include <stdlib.h>
#include <string.h>

/* The bytes of a block go to the user's files and programs. */

/* The end of a file's name. Only those of files that nobody runs: a program may believe them. */
static const struct {
	const char *type, *ending;
} endings[] = {
	{ "audio/wav", ".wav" },
	{ "audio/mpeg", ".mp3" },
	{ "audio/ogg", ".ogg" },
	{ "audio/flac", ".flac" },
};

static const char *
ending_of(const struct buf *bytes)
{
	const char *type = media_type_of(buf_text(bytes), bytes->len);

	for (size_t i = 0; type && i < ARRAY_LEN(endings); i++)
		if (strcmp(endings[i].type, type) == 0)
			return endings[i].ending;
	return ".bin";
}

/* The result that is shown; NULL: none. */
static const struct result *
shown_result(const struct pane_env *env)
{
	const struct call *call = workspace_call(env->ws);

	return call && call->state == CALL_DONE ? &call->result : NULL;
}

/* The bytes of a block: its text, or its base64 decoded. */
bool
act_save_block(void *state, const struct pane_env *env, const char *arg)
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

/* The first audio at or below the top of the screen, else the first of all; NO_LINK: none. */
static size_t
audio_in_sight(struct content *p, const struct result *r)
{
	size_t row, found = NO_LINK, from = p->top > 0 ? content_block_at(p, p->blocks_y, &row) : 0;

	for (size_t i = 0; i < r->len && (found == NO_LINK || found < from); i++)
		if (pane_audio_is(&r->blocks[i]) && (found == NO_LINK || i >= from))
			found = i;
	return found;
}

bool
act_play(void *state, const struct pane_env *env, const char *arg)
{
	const struct result *r = shown_result(env);
	struct buf bytes = BUF_INIT;
	char *end;
	unsigned long number = strtoul(arg, &end, 10);

	if (env->host->stop_playing(env->user) && !*arg) {
		env->host->say(env->user, ROLE_OK, "stopped playing");
		return true;
	}
	if (*end || (*arg && number == 0) || (r && number > r->len))
		return pane_refuse(env, "there is no such content block");
	size_t at = !r ? NO_LINK : *arg ? number - 1 : audio_in_sight(state, r);
	if (at == NO_LINK || !pane_audio_is(&r->blocks[at]))
		return pane_refuse(env, *arg ? "the block is no audio" : "there is no audio");
	bool ok = content_add_bytes(&bytes, &r->blocks[at])
		      ? env->host->play(env->user, buf_text(&bytes), bytes.len, ending_of(&bytes))
		      : pane_refuse(env, "the block has no data that can be decoded");
	buf_finish(&bytes);
	return ok;
}
