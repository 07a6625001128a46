/* SPDX-License-Identifier: MIT */
#include "tui.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/vec.h"
#include "host/bundle.h"
#include "host/from_options.h"
#include "host/target.h"
#include "host/server_list.h"
#include "host/trust.h"
#include "host/user_config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Long work on bundles, on the worker. */
struct bundle_job {
	struct job job;
	struct target target; /* to unpack, or */
	struct strings paths; /* to read */
	void (*done)(
	    void *user, const char *why); /* NULL, or why it failed; not after job_drop() */
	void *user;
	struct err err;
};

static void
bundle_run(struct job *job)
{
	struct bundle_job *b = (struct bundle_job *)job;

	for (size_t i = 0; i < b->paths.len && !job_is_stopped(job); i++)
		bundle_read_ahead(b->paths.items[i], job);
	if (b->target.file)
		bundle_unpack(&b->target, job, &b->err);
}

static void
bundle_on_done(struct job *job)
{
	struct bundle_job *b = (struct bundle_job *)job;

	if (!job_is_stopped(job))
		b->done(b->user, b->err.text[0] ? b->err.text : NULL);
	target_finish(&b->target);
	strings_finish(&b->paths);
	free(b);
}

/* Submits a copy, which is in its slot until done() or job_drop(). */
static void
bundle_submit(struct worker *worker, struct job **slot, const struct bundle_job *what)
{
	struct bundle_job *b = mem_zalloc(sizeof(*b));

	*b = *what;
	b->job.run = bundle_run;
	b->job.done = bundle_on_done;
	b->job.slot = slot;
	*slot = &b->job;
	worker_submit(worker, &b->job);
}

struct item {
	struct servers *servers;
	struct target target; /* as in its file */
	enum choice_origin origin;
	struct target run,
	    before; /* with values for its inputs: at the last start, and at the one before */
	struct connection *connection; /* NULL: never started */
	uint64_t serial;
	char mark[SHA256_HEX]; /* of trust_mark_of(), "" if there is trouble */
	bool approved;
	struct dangers dangers;
	char *folder;          /* of a project's server */
	struct job *unpacking; /* of its bundle */
	bool reading;          /* a bundle that is being read */
};

static void servers_on_read(void *user, const char *why);

struct servers {
	struct loop *loop;
	struct worker *worker;
	const struct options *options;
	const struct servers_events *events;
	void *user;
	struct inputs inputs;
	struct auth_settings authorization;
	bool prepared;
	struct {
		struct item **items;
		size_t len, cap;
	} items;
	struct {
		struct server_choice *items;
		size_t len, cap;
	} choices;
	uint64_t last_serial;
	struct job *reading; /* of the bundles that the command line names */
	bool loaded;
	bool edits_own;             /* the user's own file is in an editor */
	struct strings before_edit; /* the marks of its servers before that */
	bool added; /* include the user's own file, even if the command line names others */
};

/* The list of servers: those in files, and the user's own file. */

static void
item_destroy(struct item *item)
{
	job_drop(&item->unpacking);
	connection_destroy(item->connection);
	target_finish(&item->target);
	target_finish(&item->run);
	target_finish(&item->before);
	free(item->dangers.items);
	free(item->folder);
	free(item);
}

static void
publish(struct servers *s)
{
	s->choices.len = 0;
	for (size_t i = 0; i < s->items.len; i++) {
		const struct item *item = s->items.items[i];
		*VEC_PUSH(&s->choices) = (struct server_choice){
			.target = &item->target,
			.origin = item->origin,
			.reading = item->reading,
			.unapproved = item->mark[0] && !item->approved,
			.pid = item->connection ? connection_info(item->connection).pid : 0,
			.server =
			    item->connection ? connection_info(item->connection).server : NULL,
			.folder = item->folder,
			.dangers = item->dangers.items,
			.danger_count = item->dangers.len,
		};
	}
	s->events->on_choices(s->user, s->choices.items, s->choices.len);
}

/* Completes an item once its target is known. */
static void
examine(struct item *item)
{
	const char *cwd = item->target.cwd;

	item->dangers.len = 0;
	item->mark[0] = '\0';
	if (!item->target.trouble)
		trust_mark_of(&item->target, item->origin, item->mark);
	if (!item->mark[0])
		return;
	item->approved = trust_is_given(item->mark);
	char *here = getcwd(NULL, 0);
	/* a server of a project or a bundle that leaves its folder is a finding */
	bool packed = item->target.file && bundle_is_named(item->target.file);
	const char *folder = item->origin != CHOICE_PROJECT ? NULL
			     : packed                       ? cwd
			     : here                         ? here
							    : "/";
	trust_find_dangers(&item->target, folder, &item->dangers);
	free(item->folder);
	item->folder = cwd && cwd[0] == '/' ? mem_strdup(cwd)
		       : here ? mem_printf("%s%s%s", here, cwd ? "/" : "", cwd ? cwd : "")
			      : NULL;
	free(here);
}

/* Takes the entry into the item of its name and file, which leaves the list, or into a new one. */
static struct item *
take_entry(struct servers *s, struct server_list_entry *entry)
{
	const struct target *t = &entry->target;
	struct item *item = NULL;

	for (size_t i = 0; !item && i < s->items.len; i++) {
		const struct target *old = &s->items.items[i]->target;
		bool same_file =
		    old->file && t->file ? strcmp(old->file, t->file) == 0 : old->file == t->file;
		if (same_file && strcmp(old->name, t->name) == 0) {
			item = s->items.items[i];
			VEC_REMOVE(&s->items, i);
		}
	}
	if (item) {
		target_finish(&item->target);
	} else {
		item = mem_zalloc(sizeof(*item));
		item->servers = s;
		item->serial = s->last_serial++;
	}
	item->target = entry->target;
	item->origin = entry->origin;
	item->reading = s->reading;
	entry->target = (struct target){ 0 };
	examine(item);
	return item;
}

/* Keeps the order of the server list; a connected server that left its file stays at the end. */
static void
take_server_list(struct servers *s, struct server_list *r)
{
	struct item **items = mem_zalloc((r->len + s->items.len + 1) * sizeof(*items));
	size_t len = 0;

	for (size_t i = 0; i < r->len; i++)
		items[len++] = take_entry(s, &r->items[i]);
	for (size_t i = 0; i < s->items.len; i++) {
		struct item *gone = s->items.items[i];
		if (!gone->connection) {
			item_destroy(gone);
			continue;
		}
		free(gone->target.trouble);
		gone->target.trouble = mem_strdup("no longer in its file");
		items[len++] = gone;
	}
	free(s->items.items);
	s->items.items = items;
	s->items.cap = s->items.len = len;
	server_list_finish(r);
	publish(s);
}

/* Lists large bundles as unusable until a job has read them. Entries of an earlier list stay
 * meanwhile. */
static bool
read_ahead(struct servers *s)
{
	struct strings slow = { 0 };
	struct server_list r = { 0 };

	if (s->reading)
		return true;
	for (size_t i = 0; i < s->options->configs.len; i++)
		if (bundle_is_slow(s->options->configs.items[i]))
			strings_add(&slow, s->options->configs.items[i]);
	if (slow.len == 0)
		return false;
	for (size_t i = 0; i < slow.len; i++)
		server_list_add_unusable(
		    &r, slow.items[i], "the bundle is being read", CHOICE_TYPED);
	bundle_submit(s->worker, &s->reading,
	    &(struct bundle_job){ .paths = slow, .done = servers_on_read, .user = s });
	if (s->loaded)
		server_list_finish(&r);
	else
		take_server_list(s, &r);
	return true;
}

bool
servers_load(struct servers *s, struct err *err)
{
	const struct options *o = s->options;
	bool named = o->demo || o->command || o->url || o->recording || o->attach || o->configs.len;
	struct server_list r = { 0 };
	struct target demo;

	if (!s->prepared) {
		s->prepared =
		    auth_settings_init(&s->authorization, s->options, AUTHORIZER_ASKS, err);
		if (s->authorization.warning)
			fprintf(stderr, "mcpane: %s\n", s->authorization.warning);
		if (!s->prepared)
			return false;
	}
	if (read_ahead(s))
		return true;
	bool ok = server_list_choose(&r, o, err);
	if (ok && named && s->added)
		server_list_add_own(&r);
	for (size_t i = 0; ok && i < r.troubles.len; i++)
		server_list_add_unusable(&r, r.troubles.items[i].path, r.troubles.items[i].why,
		    r.troubles.items[i].origin);
	if (ok && !named && (ok = target_from_demo(&demo, err)))
		server_list_take(&r, &demo, CHOICE_DEMO);
	if (ok)
		take_server_list(s, &r);
	server_list_finish(&r);
	return ok;
}

static void
servers_on_read(void *user, const char *why)
{
	struct servers *s = user;
	struct err err = { "" };
	bool ok = servers_load(s, &err);

	if (!s->reading && !s->loaded) {
		s->loaded = true;
		s->events->on_loaded(s->user, ok ? NULL : err.text);
	}
	s->events->on_change(s->user);
}

static bool
approve_item(struct servers *s, struct item *item, struct err *err)
{
	item->approved = true; /* for this session, even if it cannot be saved */
	publish(s);
	return trust_give(&item->target, item->mark, err);
}

/* Approves the entries that the user changed in an editor that we opened, but not earlier changes
 * by others. */
void
servers_reload(struct servers *s)
{
	servers_load(s, NULL);
	for (size_t i = 0; s->edits_own && i < s->items.len; i++) {
		struct item *item = s->items.items[i];
		if (item->origin == CHOICE_OWN && item->mark[0] && !item->approved &&
		    !strings_have(&s->before_edit, item->mark))
			approve_item(s, item, NULL);
	}
	s->edits_own = false;
	strings_finish(&s->before_edit);
}

static struct item *
item_at(const struct servers *s, size_t choice, struct err *err)
{
	if (choice < s->items.len)
		return s->items.items[choice];
	err_set(err, "no such server");
	return NULL;
}

/* ---- the user's own file ---- */

/* Approves an entry that the user has typed, or seen before it was added. */
static bool
approve_own(struct servers *s, const char *name, struct err *err)
{
	for (size_t i = 0; i < s->items.len; i++) {
		struct item *item = s->items.items[i];
		if (item->origin == CHOICE_OWN && item->mark[0] &&
		    strcmp(item->target.name, name) == 0)
			return approve_item(s, item, err);
	}
	return true;
}

bool
servers_add(void *user, const char *name, char *const *words, struct err *err)
{
	struct servers *s = ((struct tui *)user)->servers;

	if (!user_config_add(name, words, err))
		return false;
	s->added = true;
	servers_load(s, NULL);
	return approve_own(s, name, err);
}

bool
servers_add_pasted(void *user, const char *text, struct buf *told, struct err *err)
{
	struct servers *s = ((struct tui *)user)->servers;
	struct buf file = BUF_INIT;
	bool ok = pasted_to_file(text, &file, err) == PASTED_SERVERS;

	if (ok && told)
		ok = pasted_tell(buf_text(&file), told, err);
	else if (ok)
		ok = user_config_add_file(buf_text(&file), err);
	if (!told) {
		s->added = true;
		servers_load(s, NULL);
		struct json_doc *doc = ok ? json_parse(file.data, file.len, NULL, NULL) : NULL;
		const cJSON *entries = doc ? json_get(json_root(doc), "mcpServers") : NULL;
		for (const cJSON *e = json_first(entries); e && ok; e = e->next)
			ok = approve_own(s, e->string, err);
		json_doc_destroy(doc);
	}
	buf_finish(&file);
	return ok;
}

static struct item *
own_item(const struct servers *s, size_t choice, struct err *err)
{
	struct item *item = item_at(s, choice, err);

	if (!item || item->origin == CHOICE_OWN)
		return item;
	if (item->target.file)
		err_set(err, "%.60s is in %.120s, which is not your own file: edit it there",
		    item->target.name, item->target.file);
	else
		err_set(err, "%.60s is not in a file", item->target.name);
	return NULL;
}

bool
servers_approve(void *user, size_t choice, struct err *err)
{
	struct servers *s = ((struct tui *)user)->servers;
	struct item *item = item_at(s, choice, err);

	return item && approve_item(s, item, err);
}

bool
servers_change(void *user, size_t choice, enum server_change change, struct err *err)
{
	struct servers *s = ((struct tui *)user)->servers;
	const struct item *item = own_item(s, choice, err);
	const char *what = change == SERVER_REMOVE ? NULL : "disabled";
	const char *value = change == SERVER_DISABLE ? "true" : NULL;
	bool ok = item && user_config_change(item->target.name, what, value, err);

	if (ok)
		servers_load(s, NULL);
	return ok;
}

char *
servers_file(struct servers *s, size_t choice)
{
	const struct item *item = item_at(s, choice, NULL);
	char *file = item && item->target.file ? mem_strdup(item->target.file) : user_config_path();
	char *own = user_config_path();

	s->edits_own = file && own && strcmp(file, own) == 0;
	if (s->edits_own) { /* note the marks before the edit */
		servers_load(s, NULL);
		strings_finish(&s->before_edit);
		for (size_t i = 0; i < s->items.len; i++)
			if (s->items.items[i]->origin == CHOICE_OWN)
				strings_add(&s->before_edit, s->items.items[i]->mark);
	}
	free(own);
	return file;
}

struct servers *
servers_create(struct loop *loop, struct worker *worker, const struct options *options,
    const struct servers_events *events, void *user)
{
	struct servers *s = mem_zalloc(sizeof(*s));

	*s = (struct servers){
		.loop = loop, .worker = worker, .options = options, .events = events, .user = user
	};
	inputs_add_given(&s->inputs, options);
	return s;
}

void
servers_destroy(struct servers *s)
{
	if (!s)
		return;
	job_drop(&s->reading);
	for (size_t i = 0; i < s->items.len; i++)
		item_destroy(s->items.items[i]);
	free(s->items.items);
	free(s->choices.items);
	inputs_finish(&s->inputs);
	auth_settings_finish(&s->authorization);
	strings_finish(&s->before_edit);
	free(s);
}

/* ---- connections ---- */

static void
on_unpacked(void *user, const char *why)
{
	struct item *item = user;
	struct servers *s = item->servers;

	if (why)
		server_on_spawn_failed(
		    connection_info(item->connection).server, why, clock_now_us());
	else
		connection_start(item->connection, NULL);
	publish(s);
	s->events->on_change(s->user);
}

/* A missing command is a state to show, not an error. */
bool
servers_start(void *user, size_t choice, struct err *err)
{
	struct servers *s = ((struct tui *)user)->servers;
	struct item *item = item_at(s, choice, err);
	struct target run;

	if (!item)
		return false;
	if (item->target.trouble)
		return err_set(err, "%s: %s", item->target.name, item->target.trouble);
	if (item->mark[0] && !item->approved)
		return err_set(err, "%s was not approved", item->target.name);
	if (!inputs_fill(&s->inputs, &run, &item->target, err))
		return false;
	target_finish(&item->before);
	item->before = item->run;
	item->run = run;
	if (!item->connection) {
		struct connection_options options = connection_options_from(s->options);
		options.worker = s->worker;
		options.keeps_tasks = true;
		options.reopens = true;
		options.authorize = &s->authorization.options;
		options.server.calls_after = item->serial << 32;
		options.server.keep = item->run.recording ? NULL : s->events->keep;
		options.server.keep_user = s->user;
		item->connection =
		    connection_create(s->loop, &item->run, &options, s->events->on_change, s->user);
	}
	job_drop(&item->unpacking);
	if (bundle_is_packed(&item->run)) {
		connection_stop(item->connection);
		server_on_unpacking(connection_info(item->connection).server, clock_now_us());
		bundle_submit(s->worker, &item->unpacking,
		    &(struct bundle_job){ .target.file = mem_strdup(item->run.file),
			.target.cwd = mem_strdup(item->run.cwd),
			.done = on_unpacked,
			.user = item });
	} else {
		connection_start(item->connection, NULL);
	}
	publish(s);
	return true;
}

bool
servers_stop(void *user, size_t choice, struct err *err)
{
	struct servers *s = ((struct tui *)user)->servers;
	struct item *item = item_at(s, choice, err);

	if (!item)
		return false;
	if (item->unpacking) {
		job_drop(&item->unpacking);
		server_on_stopped(connection_info(item->connection).server, clock_now_us());
		return true;
	}
	if (!item->connection || !connection_stop(item->connection))
		return err_set(err, "%s is not connected", item->target.name);
	return true;
}

/* "ID [SECRET]" */
static bool
set_client(struct authorizer *a, const char *text, struct err *err)
{
	size_t len = strcspn(text, " ");
	const char *from = text + len + strspn(text + len, " ");
	char *secret = NULL;

	if (*from && !auth_settings_read_secret(&secret, from, false, err))
		return false;
	char *id = mem_strndup(text, len);
	bool ok = authorizer_set_client(a, id, secret, err);
	free(id);
	free(secret);
	return ok;
}

bool
servers_authorize(void *user, size_t choice, enum authorize what, const char *text, struct err *err)
{
	struct servers *s = ((struct tui *)user)->servers;
	struct item *item = item_at(s, choice, err);
	struct authorizer *a =
	    item && item->connection ? connection_info(item->connection).authorizer : NULL;

	if (!a)
		return err_set(err, "nothing to authorize");
	switch (what) {
	case AUTHORIZE_NEXT:
		return authorizer_next(a, err);
	case AUTHORIZE_AGAIN:
		return authorizer_again(a, err);
	case AUTHORIZE_PASTE:
		return authorizer_paste(a, text, err);
	case AUTHORIZE_CLIENT:
		return set_client(a, text, err);
	case AUTHORIZE_FORGET:
		authorizer_forget(a);
		return true;
	}
	return false;
}

void
servers_farewell(struct servers *s)
{
	struct connection **all;

	if (!s)
		return;
	all = mem_zalloc((s->items.len + 1) * sizeof(*all));
	for (size_t i = 0; i < s->items.len; i++)
		all[i] = s->items.items[i]->connection;
	connection_farewell(s->loop, all, s->items.len);
	free(all);
}

const struct target_input *
servers_wanted(void *user, size_t choice)
{
	struct servers *s = ((struct tui *)user)->servers;
	const struct item *item = item_at(s, choice, NULL);

	return item ? inputs_missing(&s->inputs, &item->target) : NULL;
}

bool
servers_give(void *user, size_t choice, const char *value, struct err *err)
{
	struct servers *s = ((struct tui *)user)->servers;
	const struct item *item = item_at(s, choice, err);
	const struct target_input *input = item ? inputs_missing(&s->inputs, &item->target) : NULL;

	if (!input || !inputs_take(input, value, err))
		return false;
	inputs_set(&s->inputs, item->target.file, input->id, value);
	return true;
}

size_t
servers_running(void *user)
{
	struct servers *s = ((struct tui *)user)->servers;
	size_t n = 0;

	for (size_t i = 0; i < s->choices.len; i++)
		if (s->choices.items[i].server)
			n += server_running(s->choices.items[i].server);
	return n;
}

void
servers_touch(struct servers *s)
{
	for (size_t i = 0; i < s->items.len; i++)
		if (s->items.items[i]->connection)
			connection_touch(s->items.items[i]->connection);
}
