#include "workbench/commands/commands.h"

#include "base/mem.h"
#include "base/vec.h"
#include "client/history.h"

#include <stdlib.h>
#include <string.h>

/* The past calls, for the palette: the newest of those with the same arguments. They come from the
 * history in a job, so the palette opens without waiting for a file. */

enum { CALLS_READ = 3000, CALLS_MOST = 1000 };

struct call_list {
	struct job job; /* first */
	struct palette *palette;
	struct workspace_history history;
	struct palette_calls found;
	uint64_t changes;
};

static uint64_t
hash_of(const struct call_list *l, const struct history_call *h)
{
	uint64_t hash = text_hash(l, h->key, strlen(h->key));

	hash = hash_word(hash, text_hash(l, h->server, strlen(h->server)));
	return hash_word(hash, text_hash(l, h->arguments, strlen(h->arguments)));
}

static void
add(struct call_list *l, const struct history_call *h)
{
	struct buf note = BUF_INIT;

	buf_addf(&note, "%s %s · ", pane_call_look(h->verdict, h->is_error).mark, h->server);
	history_add_time(h, &note);
	*VEC_PUSH(&l->found) = (struct palette_call){ h->id,
		mem_printf("%s%s%s %s", h->name ? h->name : "", h->name ? ": " : "",
		    h->uri ? h->uri : h->key, h->arguments),
		mem_strdup(buf_text(&note)) };
	buf_finish(&note);
}

static void
run(struct job *job)
{
	struct call_list *l = (struct call_list *)job;
	const struct history_host *host = l->history.host;
	struct filter all = { 0 };
	struct history_ids ids = { 0 };
	struct map seen = { 0 };

	if (host && !host->off(l->history.user))
		host->list(l->history.user, &all, job, &ids);
	for (size_t i = 0; i < ids.len && i < CALLS_READ && l->found.len < CALLS_MOST; i++) {
		struct history_call h = { 0 };
		size_t at = 0;
		if (!job_goes_on(job, i))
			break;
		if (!host->find(l->history.user, ids.items[i], false, &h))
			continue;
		uint64_t hash = hash_of(l, &h);
		if (!map_next(&seen, hash, &at)) {
			map_add(&seen, hash, l);
			add(l, &h);
		}
		history_finish(&h);
	}
	map_finish(&seen);
	free(ids.items);
}

void
palette_forget_calls(struct palette_calls *calls)
{
	for (size_t i = 0; i < calls->len; i++) {
		free(calls->items[i].text);
		free(calls->items[i].note);
	}
	free(calls->items);
	*calls = (struct palette_calls){ 0 };
}

static void
done(struct job *job)
{
	struct call_list *l = (struct call_list *)job;

	if (!job_is_stopped(job)) {
		palette_forget_calls(&l->palette->calls);
		l->palette->calls = l->found;
		l->palette->calls_changes = l->changes;
		l->palette->made_of = 0;
		l->found = (struct palette_calls){ 0 };
	}
	palette_forget_calls(&l->found);
	free(l);
}

void
palette_find_calls(struct workbench *wb)
{
	const struct workspace_history *history = &wb->ws.history;

	if (history->host)
		history->host->look(history->user);
	/* 0 stands for calls that were never read */
	uint64_t changes = history->host ? history->host->changes(history->user) + 1 : 0;

	if (changes == wb->palette.calls_changes)
		return;
	struct call_list *l = mem_zalloc(sizeof(*l));
	l->job = (struct job){ .run = run, .done = done };
	l->palette = &wb->palette;
	l->history = *history;
	l->changes = changes;
	job_start(&wb->jobs, &l->job, &wb->palette.calls_job);
}
