/* SPDX-License-Identifier: MIT */
#include "host/server_list.h"

#include "base/buf.h"
#include "base/text_match.h"
#include "base/mem.h"
#include "base/path.h"
#include "base/vec.h"
#include "host/bundle.h"
#include "host/server_file.h"
#include "host/trust.h"
#include "host/user_config.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void
server_list_finish(struct server_list *list)
{
	for (size_t i = 0; i < list->len; i++)
		target_finish(&list->items[i].target);
	for (size_t i = 0; i < list->troubles.len; i++) {
		free(list->troubles.items[i].path);
		free(list->troubles.items[i].why);
	}
	free(list->items);
	free(list->troubles.items);
	*list = (struct server_list){ 0 };
}

void
server_list_take(struct server_list *list, struct target *target, enum choice_origin origin)
{
	*VEC_PUSH(list) = (struct server_list_entry){ .target = *target, .origin = origin };
	*target = (struct target){ 0 };
}

/* Why a file cannot be read, without its path, which is shown next to it. */
static char *
plain_trouble(const char *path, const char *text)
{
	size_t len = strlen(path);
	unsigned line, column;
	int used = 0;

	if (strncmp(text, path, len) != 0)
		return mem_strdup(text);
	if (text[len] != ':')
		return mem_printf("%s%s", path_file_name(path), text + len);
	const char *why = text + len + 1;
	if (sscanf(why, "%u:%u: %n", &line, &column, &used) == 2 && used > 0)
		return mem_printf("line %u, column %u: %s", line, column, why + used);
	return mem_strdup(why + strspn(why, " "));
}

void
server_list_add_unusable(
    struct server_list *list, const char *path, const char *why, enum choice_origin origin)
{
	const struct server_client *client = server_client_of(path);
	struct target target = {
		.name = mem_strdup(path[0] == '/' ? path_file_name(path) : path),
		.file = mem_strdup(path),
		.client = client ? client->name : NULL,
		.place = server_client_shorten(path),
		.label = mem_strdup(""),
		.trouble = plain_trouble(path, why),
	};

	server_list_take(list, &target, origin);
}

bool
server_list_add_file(
    struct server_list *list, const char *path, enum choice_origin origin, struct err *err)
{
	struct server_file c;

	if (!server_file_load(&c, path, false, NULL, err)) {
		server_file_finish(&c);
		return false;
	}
	bool any = c.len > 0;
	if (c.published) /* the user who names the file need not know its command */
		origin = CHOICE_PROJECT;
	for (size_t i = 0; i < c.len; i++)
		server_list_take(list, &c.items[i], origin);
	server_file_finish(&c);
	return any || err_set(err, "%s: contains no server", path);
}

/* A server that several files have is listed once, and names the others. The user's own file is
 * not folded: it is approved in another way, and edited here. */
static bool
fold(struct server_list *list, const struct target *t)
{
	enum { MOST = 1000, MOST_TEXT = 500 }; /* a project's file may be of any size */
	char mark[SHA256_HEX] = "";

	if (t->trouble || list->len > MOST)
		return false;
	for (size_t i = 0; i < list->len; i++) {
		struct target *first = &list->items[i].target;
		if (first->trouble || strcmp(first->name, t->name) != 0)
			continue;
		if (!mark[0])
			trust_mark(t, mark);
		if (!list->items[i].mark[0])
			trust_mark(first, list->items[i].mark);
		if (strcmp(mark, list->items[i].mark) != 0)
			continue;
		if (first->also && strlen(first->also) > MOST_TEXT)
			return true;
		char *also = mem_printf("%s%s%s, %s", first->also ? first->also : "",
		    first->also ? "; " : "", t->client ? t->client : "mcpane", t->place);
		free(first->also);
		first->also = also;
		return true;
	}
	return false;
}

static void
add_found(struct server_list *list, const char *path, enum choice_origin origin)
{
	struct server_file c;
	struct err err;
	bool there;

	if (!path)
		return;
	if (!server_file_load(&c, path, origin == CHOICE_PROJECT, &there, &err))
		*VEC_PUSH(&list->troubles) =
		    (struct server_list_trouble){ mem_strdup(path), mem_strdup(err.text), origin };
	for (size_t i = 0; i < c.len; i++)
		if (origin == CHOICE_OWN || !fold(list, &c.items[i]))
			server_list_take(list, &c.items[i], origin);
	server_file_finish(&c);
}

void
server_list_add_own(struct server_list *list)
{
	char *own = user_config_path();

	add_found(list, own, CHOICE_OWN);
	free(own);
}

void
server_list_add_found(struct server_list *list)
{
	const char *home = getenv("HOME");
	char *here = getcwd(NULL, 0);
	bool at_home = home && here && strcmp(home, here) == 0;

	free(here);
	for (const struct server_client *c = server_clients; c->name; c++)
		for (size_t i = 0; i < ARRAY_LEN(c->project) && c->project[i]; i++) {
			bool is_user_file = false;
			for (size_t k = 0; at_home && k < ARRAY_LEN(c->user) && c->user[k]; k++)
				is_user_file |= strcmp(c->user[k], c->project[i]) == 0;
			if (!is_user_file)
				add_found(list, c->project[i], CHOICE_PROJECT);
		}
	server_list_add_own(list);
	for (const struct server_client *c = server_clients; c->name; c++)
		for (size_t i = 0; i < ARRAY_LEN(c->user) && c->user[i]; i++) {
			char *path = server_client_path(c->user[i]);
			add_found(list, path, CHOICE_CLIENT);
			free(path);
		}
}

size_t
server_list_find(const struct server_list *list, const char *name)
{
	char *end;

	for (size_t i = 0; i < list->len; i++)
		if (strcmp(list->items[i].target.name, name) == 0)
			return i;
	if (*name < '1' || *name > '9')
		return SIZE_MAX;
	unsigned long n = strtoul(name, &end, 10);
	return *end == '\0' && n <= list->len ? n - 1 : SIZE_MAX;
}

bool
server_list_choose(struct server_list *list, const struct options *o, struct err *err)
{
	struct target t = { 0 };

	for (size_t i = 0; i < o->configs.len; i++)
		if (!server_list_add_file(list, o->configs.items[i], CHOICE_TYPED, err))
			return false;
	if (o->configs.len > 0)
		return true;
	if (!o->url && !o->command && !o->demo && !o->recording && !o->attach) {
		server_list_add_found(list);
		return true;
	}
	if (o->attach) {
		const char *pid = o->recording;
		t.name = mem_strdup("tap");
		t.label = mem_printf("the tap %s", pid ? pid : "that was started last");
		t.recording = mem_printf(RECORDING_OF_TAP "%s", pid ? pid : "");
	} else if (o->recording) {
		t.name = mem_strdup(path_file_name(o->recording));
		t.label = mem_printf("the recording %s", o->recording);
		t.recording = mem_strdup(o->recording);
	} else if (o->url) {
		struct strings headers = { 0 };
		for (size_t i = 0; i < o->headers.len; i++)
			strings_add(&headers, o->headers.items[i]);
		target_from_url(&t, o->url, strings_argv(&headers));
		t.insecure = o->insecure;
	} else if (o->command) {
		target_from_command(&t, o->command);
	} else if (!target_from_demo(&t, err)) {
		return false;
	}
	server_list_take(list, &t, CHOICE_TYPED);
	return true;
}

void
inputs_add_given(struct inputs *in, const struct options *o)
{
	for (size_t i = 0; i < o->inputs.len; i++) {
		const char *text = o->inputs.items[i], *equals = strchr(text, '=');
		char *id = mem_strndup(text, (size_t)(equals - text));
		inputs_set(in, NULL, id, equals + 1);
		free(id);
	}
}

/* Explains why no server was chosen. */
static bool
refuse_choice(const struct server_list *list, const struct options *o, struct err *err)
{
	const char *where = o->configs.len ? o->configs.items[0] : "the files that are found";
	struct buf names = BUF_INIT;
	struct did_you_mean meant;

	if (list->troubles.len > 0 && list->len > 0 && o->server)
		return err_set(err, "no server is called %.60s, but a file cannot be read: %s",
		    o->server, list->troubles.items[0].why);
	if (list->troubles.len > 0)
		return err_set(err, "%s", list->troubles.items[0].why);
	if (list->len == 0)
		return err_set(
		    err, "no server: none was added, and no file of a known client has any");
	if (o->server) {
		did_you_mean_init(&meant, o->server, strlen(o->server));
		buf_add_str(&names, "; there are: ");
	}
	for (size_t i = 0; i < list->len; i++) { /* the error cuts them if necessary */
		buf_addf(&names, "%s%s", i ? ", " : "", list->items[i].target.name);
		if (o->server)
			did_you_mean_try(&meant, list->items[i].target.name);
	}
	if (o->server)
		err_set(err, "no server is called %.60s in %.80s%s", o->server, where,
		    did_you_mean_or(&meant, buf_text(&names)));
	else
		err_set(err, "%.80s: give --server NAME or number; servers: %s", where,
		    buf_text(&names));
	buf_finish(&names);
	return false;
}

bool
server_list_is_approved(const struct server_list_entry *e)
{
	char mark[SHA256_HEX];

	trust_mark_of(&e->target, e->origin, mark);
	return !mark[0] || e->target.trouble || trust_is_given(mark);
}

static bool
is_wanted(const struct server_list_entry *e, const struct options *o, struct err *err)
{
	char mark[SHA256_HEX];

	trust_mark_of(&e->target, e->origin, mark);
	if (o->approve_server && !o->unfinished)
		return !mark[0] || e->target.trouble || trust_give(&e->target, mark, err);
	/* To type a line is not yet to ask for a server of a file: only the demo and approved
	 * servers run for it. */
	if (o->unfinished && !mark[0])
		trust_mark(&e->target, mark);
	bool ok = o->unfinished ? o->demo || trust_is_given(mark)
				: o->trust || server_list_is_approved(e);
	return ok || err_set(err,
			 "%.60s of %.60s is not approved: the full screen shows it and asks, "
			 "--approve-server approves this entry, --trust runs it this time: %s",
			 e->target.name, e->target.file, e->target.label);
}

bool
target_choose(struct target *run, const struct options *o, struct err *err)
{
	struct server_list list = { 0 };
	struct inputs in = { 0 };
	size_t at = SIZE_MAX;

	*run = (struct target){ 0 };
	bool ok = server_list_choose(&list, o, err);
	if (ok && o->server)
		at = server_list_find(&list, o->server);
	else if (ok && list.len == 1)
		at = 0;
	if (ok && at == SIZE_MAX)
		ok = refuse_choice(&list, o, err);
	if (ok && is_wanted(&list.items[at], o, err)) {
		const struct target *target = &list.items[at].target;
		const struct target_input *missing;
		inputs_add_given(&in, o);
		/* the user cannot be asked: missing inputs take their defaults */
		while ((missing = inputs_missing(&in, target)) && missing->otherwise &&
		       !inputs_find(&in, target->file, missing->id))
			inputs_set(&in, NULL, missing->id, missing->otherwise);
		bool unset = missing && !inputs_find(&in, target->file, missing->id);
		ok = unset
			 ? err_set(err, "%.60s: the input %.60s has no value: --input %.60s=VALUE",
			       target->name, missing->id, missing->id)
			 : inputs_fill(&in, run, target, err) && bundle_unpack(run, NULL, err);
		inputs_finish(&in);
	} else {
		ok = false;
	}
	server_list_finish(&list);
	return ok;
}
