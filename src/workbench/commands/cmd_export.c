/* SPDX-License-Identifier: MIT */
#include "commands.h"

#include "base/mem.h"
#include "base/units.h"
#include "base/vec.h"
#include "data/table_export.h"
#include "view/drawing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The export of the data, or of its chart. A large one is a job, which writes the file too. */

#define AT_ONCE ((size_t)1 << 20)  /* bytes of the data in memory */
#define COPY_MAX ((size_t)8 << 20) /* bytes of a copy by the terminal */

/* The formats of a chart. Its shapes are copied at once; its text needs no job. */
static const struct chart_format {
	const char *name;
	bool (*write)(const struct drawing *d, struct buf *out, struct err *err); /* NULL: text */
} chart_formats[] = { { "svg", drawing_write_svg }, { "png", drawing_write_png }, { "txt", NULL } };

struct export_job {
	struct job job; /* first */
	struct pane_work work;
	struct workbench *wb;
	const struct effects *effects;
	void *user;          /* for effects */
	struct table *table; /* as shown; NULL: all of the value */
	const cJSON *value, *schema;
	struct json_doc *docs[2];         /* what these two are in */
	const struct chart_format *chart; /* NULL: the data */
	struct drawing drawing;
	char *format, *path; /* an empty path: the clipboard */
	struct buf out;
	struct err err;
	bool ok;
};

static void
destroy(struct export_job *k)
{
	table_snapshot_destroy(k->table);
	for (size_t i = 0; i < ARRAY_LEN(k->docs); i++)
		json_doc_destroy(k->docs[i]);
	drawing_finish(&k->drawing);
	buf_finish(&k->out);
	free(k->format);
	free(k->path);
	free(k);
}

static void
cmd_export_run(struct job *job)
{
	struct export_job *k = (struct export_job *)job;

	if (k->chart)
		k->ok = !k->chart->write || k->chart->write(&k->drawing, &k->out, &k->err);
	else if (k->table)
		k->ok = export_table(k->table, k->format, &k->job, &k->out, &k->err);
	else
		k->ok = export_write(k->value, k->schema, k->format, &k->job, &k->out, &k->err);
	if (k->ok && k->table && k->table->selected.count > 0 && export_count(k->table) == 0)
		k->ok = err_set(&k->err, "the selected rows are not shown: Esc shows all");
	if (k->ok && *k->path && job_goes_on(job, 100))
		k->ok = k->effects->write_file(
		    k->user, k->path, buf_text(&k->out), k->out.len, &k->err);
}

/* ---- the end ---- */

static bool
say_done(const struct export_job *k)
{
	const struct table *t = k->table;
	size_t count = t ? export_count(t) : 0, all = t ? t->row_count - t->heading : 0;
	bool part = count < all;
	struct buf text = BUF_INIT;

	buf_addf(&text, "%s%s", *k->path ? "wrote " : "copied", k->path);
	if (t && (part || !*k->path)) {
		buf_add_str(&text, ", ");
		units_add_count(&text, count);
		if (part) {
			buf_add_str(&text, " of ");
			units_add_count(&text, all);
		}
		buf_addf(&text, " rows%s",
		    count == all            ? ""
		    : t->selected.count > 0 ? " (selected)"
					    : " (filtered)");
	}
	buf_add_str(&text, *k->path || t ? ", " : " ");
	units_add_counted(&text, k->out.len, "byte");
	workbench_say(k->wb, part ? ROLE_WARNING : ROLE_OK, "%s", buf_text(&text));
	buf_finish(&text);
	return true;
}

/* Frees the job and reports the result. False: it failed. */
static bool
end(struct export_job *k)
{
	struct workbench *wb = k->wb;
	bool ok = k->ok;

	if (ok && !*k->path && k->out.len > COPY_MAX)
		ok = err_set(&k->err, "this is too much to copy: export FORMAT FILE");
	if (ok && !*k->path)
		wb->effects->copy(wb->user, buf_text(&k->out), k->out.len);
	ok = ok ? say_done(k) : workbench_refuse(wb, k->err.text);
	destroy(k);
	return ok;
}

static void
done(struct job *job)
{
	struct export_job *k = (struct export_job *)job;

	if (job_is_stopped(job)) {
		destroy(k);
		return;
	}
	workbench_work_is_over(k->wb, &k->work);
	end(k);
}

/* ---- while it is under way ---- */

static unsigned
percent(const struct pane_work *work)
{
	const struct export_job *k = work->owner;

	return (unsigned)job_progress(&k->job);
}

/* The file gets its name at once, when all of it is written. */
static void
stop(struct pane_work *work)
{
	struct workbench *wb = ((struct export_job *)work->owner)->wb;

	workbench_work_is_over(wb, work);
	job_drop(&wb->export_job);
	workbench_say(wb, ROLE_WARNING, "%s",
	    percent(work) < 100
		? "the export was stopped: nothing was written"
		: "stopped while the file was being written: it is complete or not there");
}

/* ---- the beginning ---- */

static struct export_job *
create(struct workbench *wb, const char *format, const char *path)
{
	struct export_job *k = mem_zalloc(sizeof(*k));

	*k = (struct export_job){ .job = { .run = cmd_export_run, .done = done },
		.work = { .owner = k, .percent = percent, .stop = stop },
		.wb = wb,
		.effects = wb->effects,
		.user = wb->user,
		.format = mem_strdup(format),
		.path = mem_strdup(path) };
	snprintf(k->work.text, sizeof(k->work.text), "exporting %s %.60s", format, path);
	return k;
}

/* Takes k, and tells the user how it went. */
static bool
export_start(struct export_job *k, bool at_once)
{
	struct workbench *wb = k->wb;

	if (at_once || !wb->jobs.submit) {
		cmd_export_run(&k->job);
		return end(k);
	}
	if (!workbench_work(wb, &k->work)) {
		destroy(k);
		return false;
	}
	job_start(&wb->jobs, &k->job, &wb->export_job);
	return true;
}

static bool
export_chart(struct workbench *wb, const struct chart_format *format, const char *path)
{
	const struct view *view = workbench_front_value(wb);
	struct err err = { "" };

	if (!*path)
		return workbench_say(wb, ROLE_ERROR, "usage: export %s FILE", format->name);
	if (!view->in->value)
		return workbench_refuse(wb, "there is no data to draw");
	struct export_job *k = create(wb, format->name, path);
	k->chart = format;
	if (!views_picture(view->among, format->write ? &k->drawing : NULL, &k->out, &err)) {
		destroy(k);
		return workbench_refuse(wb, err.text);
	}
	return export_start(k, !format->write);
}

/* All of the value as json, unless the table that is shown leaves something out. */
static bool
export_data(struct workbench *wb, const char *format, const char *path)
{
	const struct view *view = workbench_front_value(wb);
	struct table *shown = view_table_of(view, NULL);
	unsigned share;

	if (shown && !wb->jobs.submit)
		table_complete(shown);
	const char *under_way = shown ? table_progress(shown, &share) : NULL;
	if (!view->in->value)
		return workbench_refuse(wb, "there is no data to export");
	if (under_way)
		return workbench_say(
		    wb, ROLE_ERROR, "the table is not ready yet: %s, %u %%", under_way, share);
	struct export_job *k = create(wb, format, path);
	if (shown && (strcmp(format, "json") != 0 || !export_is_whole(shown)))
		k->table = table_snapshot(shown);
	k->value = view->in->value;
	k->schema = view->in->schema;
	for (size_t i = 0; i < ARRAY_LEN(k->docs); i++)
		k->docs[i] = json_doc_ref(view->in->docs[i]);
	return export_start(k, !k->docs[0] || json_doc_memory(k->docs[0]) < AT_ONCE);
}

static bool
cmd_export(struct workbench *wb, const char *arg, int over)
{
	const struct chart_format *chart = NULL;
	const char *all = arg;

	if (!*arg)
		return workbench_refuse(
		    wb, "usage: export json|jsonl|csv|tsv|md [FILE] or svg|png|txt FILE");
	workbench_sync(wb);
	char *format = strings_next_word(&arg);
	for (size_t i = 0; i < ARRAY_LEN(chart_formats); i++)
		if (strcmp(chart_formats[i].name, format) == 0)
			chart = &chart_formats[i];
	char *again = mem_printf("export! %s", all);
	bool ok = (*arg && !over && workbench_asks_to_replace(wb, arg, again)) ||
		  (chart ? export_chart(wb, chart, arg) : export_data(wb, format, arg));
	free(again);
	free(format);
	return ok;
}

/* clang-format off */
const struct command export_commands[] = {
	COMMAND_WITH("export", "", "FORMAT [FILE]", "write the visible data, or the selected rows, as json, jsonl, csv, tsv or md, or copy it without a file; write its chart as svg, png or txt", cmd_export, false),
	COMMAND_WITH("export!", "", "FORMAT FILE", "the same, replacing an existing file", cmd_export, true),
	{ 0 },
};
/* clang-format on */
