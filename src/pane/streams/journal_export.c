/* SPDX-License-Identifier: MIT */
#include "base/mem.h"
#include "base/units.h"
#include "journal_pane.h"
#include "client/app.h"
#include "client/journal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The export of the journal. A large journal takes several jobs: the user interface copies a slice,
 * a thread formats it; at last a thread writes the file. */

#define AT_ONCE ((size_t)256 << 10) /* bytes of the journal */

struct journal_export_job {
	struct job job; /* first */
	struct pane_work work;
	struct view_env env;
	struct journal_pane *pane;
	const struct journal *journal; /* only compared */
	struct journal_exporter *exporter;
	char *path;
	const struct buf *file; /* the complete text; NULL: not yet */
	struct err err;
	bool written;
};

static void
destroy(struct journal_export_job *k)
{
	journal_exporter_destroy(k->exporter);
	free(k->path);
	free(k);
}

static void
journal_export_run(struct job *job)
{
	struct journal_export_job *k = (struct journal_export_job *)job;

	if (!k->file)
		journal_exporter_write(k->exporter, job);
	else
		k->written = k->env.host->effects->write_file(
		    k->env.host->effects_user, k->path, k->file->data, k->file->len, &k->err);
}

/* Return whether the journal is that of the server or of one of its apps. */
static bool
has_journal(const struct server *s, const struct journal *j)
{
	bool has = server_info(s)->journal == j;

	for (size_t i = 0; !has && server_app_at(s, i); i++)
		has = app_facts(server_app_at(s, i))->log == j;
	return has;
}

/* Prepare the next job. Return false if the export is complete or failed. */
static bool
go_on(struct journal_export_job *k)
{
	const struct workspace *ws = k->env.ws;
	bool there = ws->server && has_journal(ws->server, k->journal);

	if (k->file)
		return false;
	/* A removed server has freed its journal. */
	for (size_t i = 0; i < ws->choice_count && !there; i++)
		there = ws->choices[i].server && has_journal(ws->choices[i].server, k->journal);
	if (!there)
		return err_set(&k->err, "the server was removed during the export");
	if (journal_exporter_take(k->exporter, k->journal)) {
		snprintf(k->work.text, sizeof(k->work.text), "exporting the journal");
		return true;
	}
	k->file = journal_exporter_end(k->exporter, &k->err);
	snprintf(k->work.text, sizeof(k->work.text), "writing %.80s", k->path);
	return k->file != NULL;
}

static void
end(struct journal_export_job *k)
{
	const struct view_env *env = &k->env;
	char *wrote =
	    k->written ? mem_printf("wrote %s, %s bytes", k->path, units_count(k->file->len).text)
		       : NULL;

	env->host->work_is_over(env->user, &k->work);
	env->host->say(env->user, wrote ? ROLE_OK : ROLE_ERROR, wrote ? wrote : k->err.text);
	free(wrote);
	destroy(k);
}

static void
done(struct job *job)
{
	struct journal_export_job *k = (struct journal_export_job *)job;

	if (job_is_stopped(job))
		destroy(k);
	else if (go_on(k))
		job_start(k->env.jobs, job, &k->pane->export_job);
	else
		end(k);
}

static unsigned
percent(const struct pane_work *work)
{
	const struct journal_export_job *k = work->owner;

	return journal_exporter_percent(k->exporter);
}

static void
stop(struct pane_work *work)
{
	struct journal_export_job *k = work->owner;
	const struct view_env *env = &k->env;

	env->host->work_is_over(env->user, &k->work);
	env->host->say(env->user, ROLE_WARNING,
	    k->file ? "stopped while the file was being written: it may be there or not"
		    : "the export was stopped: no file was written");
	job_drop(&k->pane->export_job);
}

static bool
begin(struct journal_pane *p, const struct view_env *env, const struct journal_export *x,
    const char *format, const char *path)
{
	struct err err = { "" };
	struct journal_exporter *exporter = journal_exporter_create(x, format, &err);

	if (!exporter)
		return view_refuse(env, "%s", err.text);
	struct journal_export_job *k = mem_zalloc(sizeof(*k));
	*k = (struct journal_export_job){
		.job = { .run = journal_export_run, .done = done },
		.work = { .owner = k, .percent = percent, .stop = stop },
		.env = *env,
		.pane = p,
		.journal = x->journal,
		.exporter = exporter,
		.path = mem_strdup(path),
	};
	k->env.why = NULL; /* it is gone when a job ends */
	bool at_once =
	    !env->jobs || !env->jobs->submit || journal_info(x->journal)->bytes < AT_ONCE;
	bool more = go_on(k);
	for (; at_once && more; more = go_on(k))
		journal_export_run(&k->job);
	if (more && !env->host->work(env->user, &k->work)) {
		destroy(k);
		return false;
	}
	if (more) {
		job_start(env->jobs, &k->job, &p->export_job);
		return true;
	}
	bool ok = k->written;
	end(k);
	return ok;
}

bool
journal_act_export(void *state, const struct view_env *env, const char *arg)
{
	struct journal_pane *p = state;
	const struct server *s = env->ws->server;
	const struct journal_entry *e = stream_list_selected(&p->stream, env);

	if (!s)
		return view_refuse(env, "there is no server");
	struct journal_export x = { .journal = journal_of(env),
		.ids = p->stream.shown.items,
		.count = p->stream.shown.len,
		.selected = e ? e->id : 0,
		.url = server_info(s)->is_remote ? server_info(s)->label : NULL };
	char *format = strings_next_word(&arg);
	if (strcmp(format, "--with-secrets") == 0) {
		x.with_secrets = true;
		free(format);
		format = strings_next_word(&arg);
	}
	bool ok =
	    *arg ? begin(p, env, &x, format, arg)
		 : view_refuse(env, "usage: export-journal [--with-secrets] jsonl|har|curl FILE");
	free(format);
	return ok;
}
