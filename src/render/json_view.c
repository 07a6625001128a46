#include "render/views.h"

#include "base/mem.h"
#include "json/print.h"
#include "ui/list.h"
#include "ui/wrap.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* So much of a value is formatted at once, the rest in a job. */
#define AT_ONCE ((size_t)256 << 10)
/* Bytes wrapped between two looks at the job. */
#define WRAP_A_LOOK ((size_t)1 << 20)
#define INDENT 2

/* The value as formatted JSON: every digit and member exactly as received. A huge value is
 * formatted to its end when that comes into view. */
struct json_view {
	struct blob *text; /* a job may keep it */
	bool whole;        /* text is all of the value, not only its first lines */
	struct wrap wrap;
	const cJSON *value;
	struct json_doc *doc;
	struct jobs *jobs;
	struct job *job; /* formats or wraps; NULL: none */
	size_t top;
	int height;
	bool to_end;    /* once known */
	unsigned level; /* containers so deep are folded; 0: none is */
};

/* Formats all of the value, unless text is there already, and wraps it. */
struct json_layout {
	struct job job; /* first */
	struct json_view *view;
	const cJSON *value;
	struct json_doc *doc;
	struct blob *text; /* NULL: not formatted yet */
	struct buf formatted;
	struct wrap wrap;
	int width;
	unsigned level;
};

static void
json_view_init(void *state)
{
	struct json_view *v = state;

	wrap_init(&v->wrap);
}

static void
json_view_finish(void *state)
{
	struct json_view *v = state;

	job_drop(&v->job);
	wrap_finish(&v->wrap);
	blob_unref(v->text);
	v->text = NULL;
}

static int
serves(const struct render_input *in)
{
	return in->value ? 2 : 0;
}

/* ---- the end of a huge value ---- */

static void
run(struct job *job)
{
	struct json_layout *l = (struct json_layout *)job;
	const char *text = l->text ? l->text->data : NULL;
	size_t len = l->text ? l->text->len : 0;

	if (!l->text) {
		json_print_level(&l->formatted, l->value, INDENT, l->level, SIZE_MAX, job);
		text = buf_text(&l->formatted);
		len = l->formatted.len;
	}
	wrap_set(&l->wrap, text, len, l->width);
	while (job_goes_on(job, len) && !wrap_work(&l->wrap, SIZE_MAX, WRAP_A_LOOK))
		continue;
}

static void
set_width(struct json_view *v, int width)
{
	size_t len = v->text ? v->text->len : 0;

	while (!v->whole && len > 0 && v->text->data[len - 1] != '\n')
		len--;
	wrap_set(&v->wrap, v->text ? v->text->data : "", len, width);
}

static void scroll_to(struct json_view *v, size_t top);

static void
take(struct json_view *v, struct json_layout *l)
{
	if (!l->text) {
		const char *data = l->formatted.data;
		blob_unref(v->text);
		v->text = blob_take_buf(&l->formatted);
		l->wrap.text = v->text->data == data ? l->wrap.text : v->text->data;
		v->whole = true;
	}
	if (v->wrap.width == l->width) {
		wrap_finish(&v->wrap);
		v->wrap = l->wrap;
		wrap_init(&l->wrap);
	}
	set_width(v, v->wrap.width);
	if (v->to_end)
		scroll_to(v, SIZE_MAX);
	v->to_end = v->job != NULL;
}

static void
done(struct job *job)
{
	struct json_layout *l = (struct json_layout *)job;

	if (!job_is_stopped(job))
		take(l->view, l);
	buf_finish(&l->formatted);
	wrap_finish(&l->wrap);
	blob_unref(l->text);
	json_doc_destroy(l->doc);
	free(l);
}

static bool
is_laid_out(const struct json_view *v)
{
	return v->whole && wrap_is_complete(&v->wrap);
}

static void
lay_out(struct json_view *v)
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
		.level = v->level,
	};
	wrap_init(&l->wrap);
	job_start(v->jobs, &l->job, &v->job);
}

static void
sync(void *state, const struct render_env *env)
{
	struct json_view *v = state;
	struct buf text = BUF_INIT;
	int width = v->wrap.width;

	json_view_finish(v);
	*v = (struct json_view){
		.value = env->in->value,
		.doc = env->in->docs[0],
		.jobs = env->in->jobs,
		.height = v->height,
		.level = v->level,
	};
	json_view_init(v);
	v->whole = !v->value || json_print_level(&text, v->value, INDENT, v->level,
				    env->printed ? SIZE_MAX : AT_ONCE, NULL);
	v->text = blob_take_buf(&text);
	set_width(v, width);
}

/* ---- colors: laid-out JSON has one token a line, so a line tells its own ---- */

static enum role
role_of_token(const char *token, size_t len)
{
	if (len == 0)
		return ROLE_DIM;
	if (token[0] == '"')
		return ROLE_STRING;
	if (token[0] == 't' || token[0] == 'f')
		return ROLE_BOOLEAN;
	if (token[0] == 'n')
		return ROLE_NULL_VALUE;
	return strchr("-0123456789", token[0]) ? ROLE_NUMBER : ROLE_DIM;
}

/* The length of a string token from its opening quote. */
static size_t
string_length(const char *s, size_t len)
{
	size_t i = 1;

	while (i < len && s[i] != '"')
		i += s[i] == '\\' ? 2 : 1;
	return i < len ? i + 1 : len;
}

static void
draw_first_line(struct surface s, int y, const char *line, size_t len)
{
	size_t at = 0;

	while (at < len && line[at] == ' ')
		at++;
	int x = (int)at;
	if (at < len && line[at] == '"') {
		size_t key = string_length(line + at, len - at);
		if (at + key < len && line[at + key] == ':') {
			x += surface_textn(s, x, y, -1, style_of(ROLE_KEY_NAME), line + at, key);
			x += surface_text(s, x, y, -1, style_of(ROLE_DIM), ": ");
			at += key + 1;
			at += at < len && line[at] == ' ';
		}
	}
	surface_textn(
	    s, x, y, -1, style_of(role_of_token(line + at, len - at)), line + at, len - at);
}

void
render_json_rows(struct wrap *wrap, struct surface s, size_t top)
{
	struct wrap_row row;

	top = wrap_reach(wrap, s, top);
	for (int y = 0; y < s.height && wrap_row_at(wrap, top + (size_t)y, &row); y++) {
		const char *text = wrap->text + row.start;
		if (row.start == 0 || text[-1] == '\n')
			draw_first_line(s, y, text, row.end - row.start);
		else
			surface_textn(
			    s, 0, y, -1, style_of(ROLE_STRING), text, row.end - row.start);
	}
}

static void
draw(void *state, const struct render_env *env, struct surface s)
{
	struct json_view *v = state;

	v->height = s.height;
	set_width(v, s.width);
	wrap_work(&v->wrap, SIZE_MAX, AT_ONCE);
	if (v->top > v->wrap.known / 2)
		lay_out(v);
	render_json_rows(&v->wrap, s, v->top);
	surface_scrollbar(s, env->focused, wrap_rows(&v->wrap), v->top);
}

static int
want(void *state, const struct render_env *env, int width)
{
	struct json_view *v = state;

	if (!env->printed)
		return VIEWS_ALL_ROWS;
	set_width(v, width);
	wrap_work(&v->wrap, SIZE_MAX, SIZE_MAX);
	return v->wrap.known < INT_MAX ? (int)v->wrap.known : INT_MAX;
}

static void
heading(void *state, const struct render_env *env, struct buf *where, struct buf *facts)
{
	const struct json_view *v = state;

	buf_add_str(facts, "json");
	if (v->level > 0)
		buf_addf(facts, " · level %u", v->level);
	if (v->job)
		buf_addf(facts, " · to the end: %zu MB", job_progress(v->job) >> 20);
}

static void
scroll_to(struct json_view *v, size_t top)
{
	size_t height = (size_t)(v->height > 0 ? v->height : 1);

	wrap_work(&v->wrap, top < SIZE_MAX - height ? top + height + 1 : SIZE_MAX, AT_ONCE);
	if (top >= v->wrap.known - v->wrap.known / 4)
		lay_out(v);
	size_t rows = v->wrap.known, last = rows > height ? rows - height : 0;
	v->top = top < last ? top : last;
}

static bool
key(void *state, const struct render_env *env, const struct key *key)
{
	struct json_view *v = state;
	size_t top = v->top;

	v->to_end = false;
	if (!scroll_key(key, v->height > 1 ? (size_t)v->height - 1 : 1, &top))
		return false;
	scroll_to(v, top);
	v->to_end = top == SIZE_MAX && v->job;
	return true;
}

/* A huge value is formatted to its end for a search. */
static enum seek_result
seek_on(const struct seekable *s, const struct substring *n, size_t *at)
{
	struct json_view *v = (struct json_view *)s->with;
	struct seekable known = seek_wrap(&v->wrap, &v->top, v->height, 0);
	enum seek_result result = known.seek(&known, n, at);

	if (result != SEEK_DONE || v->whole)
		return result;
	lay_out(v);
	return v->whole ? SEEK_MORE : SEEK_LATER;
}

static bool
seek(void *state, struct seekable *out)
{
	struct json_view *v = state;

	*out = seek_wrap(&v->wrap, &v->top, v->height, 0);
	out->with = v;
	out->seek = seek_on;
	out->version = 0; /* the same text, grown */
	out->whole = v->whole ? v->text : NULL;
	return true;
}

/* ---- folding to a level ---- */

static void
fold_to(struct json_view *v, const struct render_env *env, unsigned level)
{
	v->level = level;
	sync(v, env);
}

/* The deepest line of what was formatted so far. */
static unsigned
deepest(const struct json_view *v)
{
	const char *text = v->text ? v->text->data : "";
	size_t most = 0;

	for (const char *line = text; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		size_t blanks = strspn(line, " ");
		most = blanks > most ? blanks : most;
	}
	return (unsigned)(most / INDENT);
}

static bool
act_level(void *state, const struct render_env *env, const char *arg, struct buf *why)
{
	unsigned level;

	if (!render_read_level(arg, &level, why))
		return false;
	fold_to(state, env, level);
	return true;
}

static bool
act_more(void *state, const struct render_env *env, const char *arg, struct buf *why)
{
	struct json_view *v = state;

	fold_to(v, env, v->level > 0 && v->level < RENDER_LEVEL_MAX ? v->level + 1 : v->level);
	return true;
}

static bool
act_less(void *state, const struct render_env *env, const char *arg, struct buf *why)
{
	unsigned level = deepest(state);

	fold_to(state, env, level > 1 ? level - 1 : 1);
	return true;
}

static const struct render_action actions[] = {
	RENDER_LEVEL_ACTIONS(act_level, act_more, act_less),
	{ 0 },
};

const struct render_ops render_json = {
	.name = "json",
	.help = "the raw JSON, formatted, every digit as received",
	.state_size = sizeof(struct json_view),
	.actions = actions,
	.init = json_view_init,
	.finish = json_view_finish,
	.serves = serves,
	.sync = sync,
	.seek = seek,
	.want = want,
	.heading = heading,
	.draw = draw,
	.key = key,
};
