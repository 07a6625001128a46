#include "commands.h"

#include "base/mem.h"
#include "base/vec.h"
#include "render/drawing.h"

#include <stdlib.h>
#include <string.h>

/* A chart as a file: its shapes are copied at once, a job writes them. */

struct chart_export {
	struct job job; /* first */
	struct workbench *wb;
	const struct workbench_host *host; /* with user, for the job's thread */
	void *user;
	bool (*write)(const struct drawing *d, struct buf *out, struct err *err);
	struct drawing drawing;
	char *path;
	struct buf out;
	struct err err;
	bool ok;
};

static const struct chart_format {
	const char *name;
	bool (*write)(const struct drawing *d, struct buf *out, struct err *err); /* NULL: text */
} formats[] = { { "svg", drawing_write_svg }, { "png", drawing_write_png }, { "txt", NULL } };

static void
destroy(struct chart_export *k)
{
	drawing_finish(&k->drawing);
	buf_finish(&k->out);
	free(k->path);
	free(k);
}

static void
run(struct job *job)
{
	struct chart_export *k = (struct chart_export *)job;

	k->ok = (!k->write || k->write(&k->drawing, &k->out, &k->err)) && !job_is_stopped(job) &&
		k->host->write_file(k->user, k->path, buf_text(&k->out), k->out.len, &k->err);
}

static bool
end(struct chart_export *k)
{
	bool ok = k->ok ? workbench_say(k->wb, ROLE_OK, "wrote %s, %zu bytes", k->path, k->out.len)
			: workbench_refuse(k->wb, k->err.text);

	destroy(k);
	return ok;
}

static void
done(struct job *job)
{
	struct chart_export *k = (struct chart_export *)job;

	if (job_is_stopped(job))
		destroy(k);
	else
		end(k);
}

static bool
export_as(struct workbench *wb, const struct chart_format *format, const char *path)
{
	struct views *views = workbench_views(wb, PANE_structured);
	struct err err = { "" };

	if (!*path)
		return workbench_say(wb, ROLE_ERROR, "usage: export %s FILE", format->name);
	workbench_sync(wb);
	if (!views->in.value)
		return workbench_refuse(wb, "there is no data to draw");
	if (wb->chart_job)
		return workbench_refuse(wb, "the chart before is still being written");
	struct chart_export *k = mem_zalloc(sizeof(*k));
	*k = (struct chart_export){ .job = { .run = run, .done = done },
		.wb = wb,
		.host = wb->host,
		.user = wb->user,
		.write = format->write,
		.path = mem_strdup(path) };
	if (!views_picture(views, format->write ? &k->drawing : NULL, &k->out, &err)) {
		destroy(k);
		return workbench_refuse(wb, err.text);
	}
	if (!wb->jobs.submit || !format->write) {
		run(&k->job);
		return end(k);
	}
	job_start(&wb->jobs, &k->job, &wb->chart_job);
	return workbench_say(wb, ROLE_TEXT, "drawing %s", path);
}

bool
export_chart(struct workbench *wb, const char *arg, bool *ok)
{
	size_t len = strcspn(arg, " ");

	for (size_t i = 0; i < ARRAY_LEN(formats); i++)
		if (strlen(formats[i].name) == len && strncmp(formats[i].name, arg, len) == 0) {
			arg += len;
			*ok = export_as(wb, &formats[i], arg + strspn(arg, " "));
			return true;
		}
	return false;
}
