#include "auth/scope.h"

#include "base/mem.h"
#include "base/vec.h"

#include <stdlib.h>
#include <string.h>

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
scopes_add(struct strings *s, const char *scope)
{
	for (const char *at = scope; at && *at; at += strspn(at, " ")) {
		size_t len = strcspn(at, " ");
		char *word = mem_strndup(at, len);
		bool fits = len > 0 && is_scope(word) && s->len < AUTH_MAX_SCOPES;
		if (fits && !strings_have(s, word))
			strings_take(s, word);
		else
			free(word);
		at += len;
	}
}

bool
auth_scope_covers(const char *held, const char *scope)
{
	struct strings have = { 0 }, want = { 0 };
	bool all = true;

	scopes_add(&have, held);
	scopes_add(&want, scope);
	for (size_t i = 0; i < want.len; i++)
		all = all && strings_have(&have, want.items[i]);
	strings_finish(&have);
	strings_finish(&want);
	return all;
}

char *
auth_scope_choose(const struct auth_scope_input *in)
{
	struct strings scopes = { 0 };
	struct buf out = BUF_INIT;

	scopes_add(&scopes, in->before);
	if (in->wanted)
		scopes_add(&scopes, in->wanted);
	else if (!in->challenge && in->resource_supported)
		for (size_t i = 0; i < in->resource_supported->len; i++)
			scopes_add(&scopes, in->resource_supported->items[i]);
	scopes_add(&scopes, in->wanted && !in->before ? NULL : in->challenge);
	if (in->offline && !in->wanted && in->server_supported &&
	    strings_have(in->server_supported, "offline_access"))
		scopes_add(&scopes, "offline_access");
	strings_join(&scopes, " ", &out);
	strings_finish(&scopes);
	if (out.len > 0)
		return buf_detach(&out);
	buf_finish(&out);
	return NULL;
}
