#include "base/mem.h"
#include "json/print.h"
#include "json/rows.h"
#include "json_view.h"

#include <stdlib.h>
#include <string.h>

/* Bytes wrapped between two looks at the job. */
#define WRAP_A_LOOK ((size_t)1 << 20)

/* Formats all of the value, unless text is there already, and wraps it. */
struct json_layout {
	struct job job; /* first */
	struct json_view *view;
	const cJSON *value;
	struct json_doc *doc;
	struct blob *text; /* NULL: not formatted yet */
	struct buf formatted;
	struct json_folds folds; /* as they were at the start */
	uint64_t folded;
	struct wrap wrap;
	int width;
};

void
json_view_init(void *state)
{
	struct json_view *v = state;

	json_folds_init(&v->folds);
	wrap_init(&v->wrap);
	v->wrap.folds = &v->folds.wrap;
}

void
json_view_finish(void *state)
{
	struct json_view *v = state;

	job_drop(&v->job);
	wrap_finish(&v->wrap);
	json_folds_finish(&v->folds);
	json_view_seek_node(v, NULL);
	json_reader_destroy(v->reader);
	blob_unref(v->text);
	v->text = NULL;
	v->reader = NULL;
	v->lazy = NULL;
}

/* ---- the end of a huge value ---- */

static void
run(struct job *job)
{
	struct json_layout *l = (struct json_layout *)job;
	const char *text = l->text ? l->text->data : NULL;
	size_t len = l->text ? l->text->len : 0;

	if (!l->text) {
		json_print_some(&l->formatted, l->value, JSON_OUTLINE_INDENT, SIZE_MAX, job);
		text = buf_text(&l->formatted);
		len = l->formatted.len;
	}
	json_outline_read(&l->folds.outline, text, len, job);
	l->wrap.folds = &l->folds.wrap;
	wrap_set(&l->wrap, text, len, l->width);
	while (job_goes_on(job, len) && !wrap_work(&l->wrap, SIZE_MAX, WRAP_A_LOOK))
		continue;
}

/* Of a value that goes on only whole lines are shown. The selected line stays so, unless it is far
 * down. */
void
json_view_set_width(struct json_view *v, int width)
{
	bool moves = v->cursor > 0 && v->wrap.width != width;
	size_t line = moves ? json_view_line(v, v->cursor) : SIZE_MAX;

	wrap_set(&v->wrap, v->text ? v->text->data : "", v->folds.outline.len, width);
	if (line <= JSON_VIEW_AT_ONCE)
		v->cursor = wrap_row_of(&v->wrap, line);
}

static void
take(struct json_view *v, struct json_layout *l)
{
	if (!l->text) {
		blob_unref(v->text);
		v->text = blob_take_buf(&l->formatted);
		v->whole = true;
		l->folds.outline.text = l->wrap.text = v->text->data;
		json_outline_finish(&v->folds.outline);
		v->folds.outline = l->folds.outline;
		l->folds.outline = (struct json_outline){ 0 };
		wrap_extend(&v->wrap, v->text->data, v->text->len);
		wrap_refold(&v->wrap, SIZE_MAX);
	}
	if (v->wrap.width == l->width && v->folded == l->folded) {
		wrap_finish(&v->wrap);
		v->wrap = l->wrap;
		v->wrap.folds = &v->folds.wrap;
		wrap_init(&l->wrap);
	}
	if (v->to_end)
		json_view_go_to(v, SIZE_MAX);
	v->to_end = v->job != NULL;
	if (v->sought && v->whole)
		json_view_seek_node(v, v->sought);
}

static void
done(struct job *job)
{
	struct json_layout *l = (struct json_layout *)job;

	if (!job_is_stopped(job))
		take(l->view, l);
	buf_finish(&l->formatted);
	wrap_finish(&l->wrap);
	json_folds_finish(&l->folds);
	blob_unref(l->text);
	json_doc_destroy(l->doc);
	free(l);
}

static bool
is_laid_out(const struct json_view *v)
{
	return v->whole && wrap_is_complete(&v->wrap);
}

void
json_view_lay_out(struct json_view *v)
{
	if (v->job || is_laid_out(v))
		return;
	struct json_layout *l = mem_zalloc(sizeof(*l));
	*l = (struct json_layout){
		.job = { .run = run, .done = done },
		.view = v,
		.value = v->value,
		.doc = json_doc_ref(v->doc),
		.text = v->whole ? blob_ref(v->text) : NULL,
		.width = v->wrap.width,
		.folded = v->folded,
	};
	json_folds_copy(&l->folds, &v->folds);
	wrap_init(&l->wrap);
	job_start(v->jobs, &l->job, &v->job);
}

void
json_view_sync(void *state, const struct view_env *env)
{
	struct json_view *v = state;
	struct buf text = BUF_INIT;
	int width = v->wrap.width;
	unsigned level = v->folds.level;

	json_view_finish(v);
	*v = (struct json_view){
		.value = env->in->value,
		.doc = env->in->docs[0],
		.jobs = env->in->jobs,
		.height = v->height,
		.folded = v->folded + 1,
		.folds = { .level = level },
	};
	json_view_init(v);
	v->whole = !v->value || json_print_some(&text, v->value, JSON_OUTLINE_INDENT,
				    env->printed ? SIZE_MAX : JSON_VIEW_AT_ONCE, NULL);
	v->text = blob_take_buf(&text);
	size_t len = v->text->len;
	while (!v->whole && len > 0 && v->text->data[len - 1] != '\n')
		len--;
	json_outline_read(&v->folds.outline, v->text->data, len, NULL);
	json_view_set_width(v, width);
}

/* ---- rows and folds ---- */

/* Of a row that may not be known yet, as near as a slice of work gets. */
size_t
json_view_row_start(struct json_view *v, size_t number)
{
	struct wrap_row row;

	wrap_work(&v->wrap, number + 1, JSON_VIEW_AT_ONCE);
	if (number >= v->wrap.known)
		number = v->wrap.known > 0 ? v->wrap.known - 1 : 0;
	return wrap_row_at(&v->wrap, number, &row) ? row.start : 0;
}

size_t
json_view_line(struct json_view *v, size_t number)
{
	return json_outline_line(&v->folds.outline, json_view_row_start(v, number));
}

void
json_view_refold(struct json_view *v, size_t line)
{
	v->folded++;
	wrap_refold(&v->wrap, line);
}

static void
toggle(struct json_view *v, size_t line)
{
	const char *end = memchr(v->wrap.text + line, '\n', v->wrap.len - line);

	json_folds_toggle(&v->folds, line);
	json_view_refold(v, end ? (size_t)(end - v->wrap.text) : v->wrap.len);
}

/* False: the row opens nothing. */
bool
json_view_fold(struct json_view *v, size_t row, bool open)
{
	size_t line = json_view_line(v, row);

	if (!json_outline_opens(&v->folds.outline, line))
		return false;
	if (json_folds_has(&v->folds, line) == open)
		toggle(v, line);
	return true;
}

/* Opens all around a byte that is to be seen. */
void
json_view_unfold_around(struct json_view *v, size_t at)
{
	struct outline_places around = { 0 };
	const struct json_outline *o = &v->folds.outline;
	size_t line = json_outline_line(o, at);

	json_outline_around(o, line, &around);
	for (size_t i = 0; i < around.len; i++)
		if (around.items[i].open != line && json_folds_has(&v->folds, around.items[i].open))
			toggle(v, around.items[i].open);
	free(around.items);
}

/* As far as rows are known; draw() lets the window follow. */
void
json_view_go_to(struct json_view *v, size_t cursor)
{
	size_t height = (size_t)(v->height > 0 ? v->height : 1);

	wrap_work(&v->wrap, cursor < SIZE_MAX - height ? cursor + height + 1 : SIZE_MAX,
	    JSON_VIEW_AT_ONCE);
	if (cursor >= v->wrap.known - v->wrap.known / 4)
		json_view_lay_out(v);
	size_t last = v->wrap.known > 0 ? v->wrap.known - 1 : 0;
	v->cursor = cursor < last ? cursor : last;
}

void
json_view_seek_node(struct json_view *v, const char *pointer)
{
	enum { USUAL_WIDTH = 80 }; /* until it is drawn */
	size_t line = pointer ? json_outline_find(&v->folds.outline, pointer) : SIZE_MAX;
	char *later = pointer && line == SIZE_MAX && !v->whole ? mem_strdup(pointer) : NULL;

	free(v->sought);
	v->sought = later;
	if (later)
		json_view_lay_out(v);
	if (line == SIZE_MAX)
		return;
	if (v->wrap.width < 1)
		json_view_set_width(v, USUAL_WIDTH);
	json_view_unfold_around(v, line);
	v->cursor = wrap_row_of(&v->wrap, line);
}
