/* SPDX-License-Identifier: MIT */
#include "client/skills.h"

#include "base/mem.h"
#include "base/vec.h"
#include "json/equal.h"
#include "server.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GOT_MAX 64 /* kept entries of skills/get */

static bool
is_listed(const struct server *s, const struct primitive *p)
{
	return primitive_list_find(&s->listers[PRIMITIVE_SKILL].list, p->key, 0) != NULL;
}

static void
drop_got(struct server *s, size_t index)
{
	json_doc_destroy(s->skills.got.items[index].doc);
	VEC_REMOVE(&s->skills.got, index);
	s->skills.changes++;
}

void
server_skills_finish(struct server *s)
{
	while (s->skills.got.len > 0)
		drop_got(s, s->skills.got.len - 1);
	free(s->skills.got.items);
	lister_finish(&s->skills.files);
	free(s->skills.folder);
	free(s->skills.asked);
	strings_finish(&s->skills.approved);
}

/* ---- the skills ---- */

size_t
server_skill_count(const struct server *s)
{
	size_t count = s->listers[PRIMITIVE_SKILL].list.len;

	for (size_t i = 0; i < s->skills.got.len; i++)
		count += !is_listed(s, &s->skills.got.items[i]);
	return count;
}

const struct primitive *
server_skill_at(const struct server *s, size_t index)
{
	const struct primitive_list *listed = &s->listers[PRIMITIVE_SKILL].list;

	if (index < listed->len) {
		const struct primitive *p = &listed->items[index];
		/* an entry of skills/get is newer */
		for (size_t i = 0; p->of == 1 && i < s->skills.got.len; i++)
			if (strcmp(s->skills.got.items[i].key, p->key) == 0)
				return &s->skills.got.items[i];
		return p;
	}
	index -= listed->len;
	for (size_t i = 0; i < s->skills.got.len; i++)
		if (!is_listed(s, &s->skills.got.items[i]) && index-- == 0)
			return &s->skills.got.items[i];
	return NULL;
}

const struct primitive *
server_skill_find(const struct server *s, const char *name, bool *several)
{
	const struct primitive *named = NULL;
	size_t count = server_skill_count(s), len = strlen(name);

	*several = false;
	for (size_t i = 0; i < count; i++) {
		const struct primitive *p = server_skill_at(s, i);
		const char *start = strstr(p->key, "://");
		if (strcmp(p->key, name) == 0)
			return p;
		/* "acme/billing/refunds" of skill://acme/billing/refunds/SKILL.md */
		if (start && strncmp(start + 3, name, len) == 0 &&
		    strcmp(start + 3 + len, "/SKILL.md") == 0)
			return p;
		if (strcmp(p->name, name) != 0)
			continue;
		*several = named != NULL;
		named = p;
	}
	return *several ? NULL : named;
}

const struct call *
server_skill_call(const struct server *s, const struct primitive *skill, const char *file)
{
	for (size_t i = s->calls.len; i-- > 0;) {
		const struct call *c = s->calls.items[i];
		if (c->kind == PRIMITIVE_SKILL && strcmp(c->uri, file) == 0 &&
		    strcmp(c->key, skill->key) == 0)
			return c;
	}
	return NULL;
}

/* If the entry has changed, the file is read again, even with the same digest. */
const struct call *
server_skill_read_before(const struct server *s, const struct primitive *skill, const char *file)
{
	const struct call *c = server_skill_call(s, skill, file);

	return c && c->state == CALL_DONE && c->id >= s->skills.fresh_from &&
		       c->skill.state == SKILL_VERIFIED &&
		       json_equal(json_root(c->definition), skill->definition)
		   ? c
		   : NULL;
}

/* ---- requests ---- */

static bool
may_ask(const struct server *s, struct err *err)
{
	if (!s->session || session_info(s->session)->state != SESSION_READY)
		return err_set(err, "not connected");
	return session_extension(s->session, SKILLS_EXTENSION) ||
	       err_set(err, "the server declares no " SKILLS_EXTENSION);
}

bool
server_skill_get(struct server *s, const char *uri, int64_t now_us, struct err *err)
{
	s->now_us = now_us;
	if (!may_ask(s, err))
		return false;
	s->skills.trouble[0] = '\0';
	char *asked = mem_strdup(uri); /* uri may be the former one */
	free(s->skills.asked);
	s->skills.asked = asked;
	s->skills.request = server_request(s, "skills/get", "uri", asked);
	s->generation++;
	return s->skills.request != 0 || err_set(err, "not connected");
}

bool
server_skill_browse(struct server *s, const struct primitive *skill, const char *name,
    int64_t now_us, struct err *err)
{
	const cJSON *settings = s->session ? session_extension(s->session, SKILLS_EXTENSION) : NULL;
	struct buf uri = BUF_INIT;

	s->now_us = now_us;
	if (!may_ask(s, err) || !skill_add_uri(skill, name, &uri, err)) {
		buf_finish(&uri);
		return false;
	}
	if (!cJSON_IsTrue(json_get(settings, "directoryRead"))) {
		buf_finish(&uri);
		return err_set(err, "the server cannot list a folder: no directoryRead");
	}
	free(s->skills.folder);
	s->skills.folder = buf_detach(&uri);
	s->skills.files.folder = s->skills.folder;
	lister_start(&s->skills.files, s->session, server_now_ms(s));
	s->generation++;
	return true;
}

/* Take the entry if it is the requested skill. */
static void
take_entry(struct server *s, struct session_reply *reply)
{
	const cJSON *entry = json_get(reply->value, "skill");
	struct primitive p;

	if (!cJSON_IsObject(entry)) {
		snprintf(s->skills.trouble, sizeof(s->skills.trouble),
		    "skills/get: the result has no skill");
		return;
	}
	primitive_decode(&p, PRIMITIVE_SKILL, reply->doc, entry);
	if (strcmp(p.key, s->skills.asked) != 0) {
		snprintf(s->skills.trouble, sizeof(s->skills.trouble),
		    "skills/get: the result is another skill");
		return;
	}
	for (size_t i = s->skills.got.len; i-- > 0;)
		if (strcmp(s->skills.got.items[i].key, p.key) == 0)
			drop_got(s, i);
	if (s->skills.got.len == GOT_MAX)
		drop_got(s, 0);
	*VEC_PUSH(&s->skills.got) = p;
	s->skills.changes++;
	s->skills.fresh_from = s->next_call;
	reply->doc = NULL;
}

bool
server_skills_on_reply(struct server *s, uint64_t request, struct session_reply *reply)
{
	if (lister_on_reply(&s->skills.files, s->session, request, reply, server_now_ms(s)))
		return true;
	if (request == 0 || request != s->skills.request)
		return false;
	s->skills.request = 0;
	if (reply->kind == REPLY_RESULT)
		take_entry(s, reply);
	else
		snprintf(
		    s->skills.trouble, sizeof(s->skills.trouble), "skills/get: %s", reply->text);
	return true;
}

/* A complete list is newer than the entries of skills/get. */
void
server_skills_on_list(struct server *s)
{
	if (s->skills.list_seen == s->listers[PRIMITIVE_SKILL].generation)
		return;
	s->skills.list_seen = s->listers[PRIMITIVE_SKILL].generation;
	for (size_t i = s->skills.got.len; i-- > 0;)
		if (is_listed(s, &s->skills.got.items[i]))
			drop_got(s, i);
}

struct skills_info
server_skills(const struct server *s)
{
	return (struct skills_info){
		.entries = s->listers[PRIMITIVE_SKILL].generation + s->skills.changes,
		.asking = s->skills.request != 0,
		.trouble = s->skills.trouble,
		.folder = s->skills.folder ? s->skills.folder : "",
		.files = &s->skills.files,
	};
}

/* ---- consent: "DIGEST URI" ---- */

static char *
consent_to(const struct primitive *skill)
{
	char hex[SHA256_HEX];

	return skill_set_digest(skill, hex) ? mem_printf("%s %s", hex, skill->key) : NULL;
}

bool
server_skill_approve(struct server *s, const struct primitive *skill, struct err *err)
{
	char *consent = consent_to(skill);

	if (!consent)
		return err_set(err,
		    skill->broken ? "its entry is broken: %s"
				  : "it is dynamic: without digests there is "
				    "nothing to approve%s",
		    skill->problem);
	server_skill_revoke(s, skill);
	strings_take(&s->skills.approved, consent);
	s->generation++;
	return true;
}

void
server_skill_revoke(struct server *s, const struct primitive *skill)
{
	for (size_t i = s->skills.approved.len; i-- > 0;)
		if (strcmp(s->skills.approved.items[i] + SHA256_HEX, skill->key) == 0)
			strings_remove(&s->skills.approved, i);
	s->generation++;
}

bool
server_skill_is_approved(const struct server *s, const struct primitive *skill)
{
	const struct strings *approved = &s->skills.approved;
	size_t i = 0;

	/* runs in each frame: compute a digest only for a skill that was approved once */
	while (i < approved->len && strcmp(approved->items[i] + SHA256_HEX, skill->key) != 0)
		i++;
	char *consent = i < approved->len ? consent_to(skill) : NULL;
	bool has = consent && strcmp(approved->items[i], consent) == 0;
	free(consent);
	return has;
}

/* The content was compared with the entry in the call, not with a later entry. */
bool
server_skill_may_use(const struct server *s, const struct call *c, struct err *err)
{
	struct primitive held;

	if (c->state != CALL_DONE)
		return err_set(err, "%s: it was not read", call_name(c));
	if (c->skill.state != SKILL_VERIFIED)
		return err_set(err, "%.80s: %s", call_name(c), c->skill.text);
	primitive_decode(&held, PRIMITIVE_SKILL, c->definition, json_root(c->definition));
	return server_skill_is_approved(s, &held) || err_set(err, "this skill is not approved");
}
