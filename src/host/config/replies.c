#include "host/options.h"

#include "base/mem.h"
#include "base/path.h"
#include "base/strings.h"
#include "base/vec.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define REPLY_MAX ((size_t)1 << 20)

static const char *const actions[] = {
	[ANSWER_DECLINE] = "decline",
	[ANSWER_CANCEL] = "cancel",
	[ANSWER_ACCEPT] = "accept",
	[ANSWER_GUESS] = "guess",
};

/* Returns ANSWER_..., or -1 for any other word. */
static int
action_of(const char *text)
{
	for (int i = 0; i < (int)ARRAY_LEN(actions); i++)
		if (strcmp(actions[i], text) == 0)
			return i;
	return -1;
}

static bool
check_elicit(const struct options *o, struct err *err)
{
	if (!o->elicit || action_of(o->elicit) >= 0)
		return true;
	struct json_doc *doc = json_parse(o->elicit, strlen(o->elicit), NULL, NULL);
	bool ok = doc && cJSON_IsObject(json_root(doc));
	json_doc_destroy(doc);
	return ok || err_set(err,
			 "--elicit: \"%.80s\" is neither accept, guess, decline, cancel nor a JSON "
			 "object",
			 o->elicit);
}

static bool
read_reply(struct options *o, struct err *err)
{
	struct buf text = { .max = REPLY_MAX };

	if (!o->sampling_reply)
		return true;
	if (o->sampling_reply[0] != '@') {
		o->sampling_text = mem_strdup(o->sampling_reply);
		return true;
	}
	if (!path_read_file(o->sampling_reply + 1, &text, err)) {
		buf_finish(&text);
		return false;
	}
	o->sampling_text = mem_strdup(buf_text(&text));
	buf_finish(&text);
	return true;
}

static bool
check_command(const struct options *o, struct err *err)
{
	struct strings words = { 0 };
	struct err why;

	if (!o->sampling_command)
		return true;
	bool ok = strings_split_command(&words, o->sampling_command, &why) ||
		  err_set(err, "--sampling-command: %s", why.text);
	strings_finish(&words);
	return ok;
}

static bool
find_root(struct options *o, const char *given, struct err *err)
{
	bool is_uri = strncmp(given, "file:", 5) == 0;
	char *path = is_uri ? mem_strdup(given) : realpath(given, NULL);
	struct strings check = { 0 };

	if (!path)
		return err_set(err, "--root %.150s: %s", given, strerror(errno));
	strings_take(&o->root_uris, path);
	bool ok = roots_add(&check, path, err);
	strings_finish(&check);
	return ok;
}

bool
options_read_replies(struct options *o, struct err *err)
{
	for (size_t i = 0; i < o->roots.len; i++)
		if (!find_root(o, o->roots.items[i], err))
			return false;
	return check_elicit(o, err) && check_command(o, err) && read_reply(o, err);
}

void
options_finish_replies(struct options *o)
{
	strings_finish(&o->root_uris);
	free(o->roots.items);
	free(o->sampling_text);
}

void
options_apply_replies(
    const struct options *o, struct session_capabilities *can, struct answer_policy *policy)
{
	bool unseen = !o->full_screen;
	bool samples = !unseen || o->sampling_text || o->sampling_command;
	int action = o->elicit ? action_of(o->elicit) : ANSWER_DECLINE;

	can->elicitation_form = can->elicitation_url = true;
	can->sampling = can->sampling_tools = samples;
	can->roots = !unseen || o->root_uris.len > 0;
	*policy = (struct answer_policy){
		.unseen = unseen,
		.content = action < 0 ? o->elicit : NULL,
		.sampling = o->sampling_text,
		.sampling_later = o->sampling_command && !o->sampling_text,
		.roots = (const char *const *)o->root_uris.items,
		.root_count = o->root_uris.len,
	};
	policy->elicit = action < 0 ? ANSWER_ACCEPT : action;
}
