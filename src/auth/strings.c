#include "auth/strings.h"

#include "base/mem.h"
#include "base/vec.h"

#include <stdlib.h>
#include <string.h>

void
auth_strings_finish(struct auth_strings *s)
{
	for (size_t i = 0; i < s->len; i++)
		free(s->items[i]);
	free(s->items);
	*s = (struct auth_strings){ 0 };
}

void
auth_strings_take(struct auth_strings *s, char *text)
{
	*VEC_PUSH(s) = text;
}

void
auth_strings_add(struct auth_strings *s, const char *text)
{
	auth_strings_take(s, mem_strdup(text));
}

bool
auth_strings_have(const struct auth_strings *s, const char *text)
{
	for (size_t i = 0; i < s->len; i++)
		if (strcmp(s->items[i], text) == 0)
			return true;
	return false;
}

void
auth_strings_join(const struct auth_strings *s, const char *between, struct buf *out)
{
	for (size_t i = 0; i < s->len; i++) {
		buf_add_str(out, i ? between : "");
		buf_add_str(out, s->items[i]);
	}
}

static bool
is_scope(const char *word)
{
	for (; *word; word++)
		if (*word < '!' || *word > '~' || *word == '"' || *word == '\\')
			return false;
	return true;
}

/* Adds the scopes that are missing. Leaves out invalid ones and those beyond AUTH_MAX_SCOPES. */
static void
scopes_add(struct auth_strings *s, const char *scope)
{
	for (const char *at = scope; at && *at; at += strspn(at, " ")) {
		size_t len = strcspn(at, " ");
		char *word = mem_strndup(at, len);
		bool fits = len > 0 && is_scope(word) && s->len < AUTH_MAX_SCOPES;
		if (fits && !auth_strings_have(s, word))
			auth_strings_take(s, word);
		else
			free(word);
		at += len;
	}
}

bool
auth_scope_covers(const char *held, const char *scope)
{
	struct auth_strings have = { 0 }, want = { 0 };
	bool all = true;

	scopes_add(&have, held);
	scopes_add(&want, scope);
	for (size_t i = 0; i < want.len; i++)
		all = all && auth_strings_have(&have, want.items[i]);
	auth_strings_finish(&have);
	auth_strings_finish(&want);
	return all;
}

char *
auth_scope_choose(const struct auth_scope_input *in)
{
	struct auth_strings scopes = { 0 };
	struct buf out = BUF_INIT;

	scopes_add(&scopes, in->before);
	if (in->wanted)
		scopes_add(&scopes, in->wanted);
	else if (!in->challenge && in->resource_supported)
		for (size_t i = 0; i < in->resource_supported->len; i++)
			scopes_add(&scopes, in->resource_supported->items[i]);
	scopes_add(&scopes, in->wanted && !in->before ? NULL : in->challenge);
	if (in->offline && !in->wanted && in->server_supported &&
	    auth_strings_have(in->server_supported, "offline_access"))
		scopes_add(&scopes, "offline_access");
	auth_strings_join(&scopes, " ", &out);
	auth_strings_finish(&scopes);
	if (out.len > 0)
		return buf_detach(&out);
	buf_finish(&out);
	return NULL;
}
