#include "render/render.h"

#include "json/print.h"
#include "ui/list.h"
#include "ui/wrap.h"

#include <stdlib.h>
#include <string.h>

/* Bytes formatted or wrapped in one go. */
#define SLICE ((size_t)1 << 20)

/* The value as formatted JSON: every digit and member exactly as received. Huge values are
 * formatted only as far as they are viewed. */
struct json_view {
	struct json_printing *printing; /* NULL: all is formatted */
	struct buf text;
	struct wrap wrap; /* of its whole lines */
	size_t top;
	int height;
	bool to_end; /* once known */
};

static void
json_view_init(void *state)
{
	struct json_view *v = state;

	buf_init(&v->text, 0);
	wrap_init(&v->wrap);
}

static void
json_view_finish(void *state)
{
	struct json_view *v = state;

	json_printing_end(v->printing);
	v->printing = NULL;
	wrap_finish(&v->wrap);
	buf_finish(&v->text);
}

static int
serves(const struct render_input *in)
{
	return in->value ? 2 : 0;
}

static void
lay_out_more(struct json_view *v)
{
	if (!json_printing_go(v->printing, SLICE)) {
		json_printing_end(v->printing);
		v->printing = NULL;
	}
	size_t len = v->text.len;
	while (v->printing && len > 0 && v->text.data[len - 1] != '\n')
		len--;
	wrap_extend(&v->wrap, buf_text(&v->text), len);
}

/* Formats up to this many rows, if there are that many. */
static void
know_rows(struct json_view *v, size_t rows)
{
	while (wrap_work(&v->wrap, rows, SIZE_MAX) && v->wrap.known < rows && v->printing)
		lay_out_more(v);
}

static void
sync(void *state, const struct render_env *env)
{
	struct json_view *v = state;

	json_view_finish(v);
	json_view_init(v);
	v->top = 0;
	v->to_end = false;
	if (!env->in->value)
		return;
	v->printing = json_printing_begin(&v->text, env->in->value, 2);
	lay_out_more(v);
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
	wrap_set(&v->wrap, v->wrap.text, v->wrap.len, s.width);
	know_rows(v, v->top + (size_t)s.height + 1);
	wrap_work(&v->wrap, SIZE_MAX, SLICE);
	render_json_rows(&v->wrap, s, v->top);
	surface_scrollbar(s, env->focused, wrap_rows(&v->wrap), v->top);
}

static void
heading(void *state, const struct render_env *env, struct buf *where, struct buf *facts)
{
	const struct json_view *v = state;
	(void)env, (void)where;

	buf_add_str(facts, "json");
	if (v->to_end)
		buf_addf(facts, " · to the end: %zu MB", v->text.len >> 20);
}

static void
scroll_to(struct json_view *v, size_t top)
{
	size_t height = (size_t)(v->height > 0 ? v->height : 1);

	know_rows(v, top < SIZE_MAX - height ? top + height + 1 : SIZE_MAX);
	size_t rows = wrap_rows(&v->wrap), last = rows > height ? rows - height : 0;
	v->top = top < last ? top : last;
}

/* The end of a huge value is reached in the background. */
static bool
work(void *state)
{
	struct json_view *v = state;

	if (!v->to_end)
		return false;
	if (wrap_work(&v->wrap, SIZE_MAX, SLICE) && v->printing) {
		lay_out_more(v);
	} else if (wrap_is_complete(&v->wrap)) {
		v->to_end = false;
		scroll_to(v, SIZE_MAX);
	}
	return true;
}

static void
go_to_end(struct json_view *v)
{
	v->to_end = v->printing != NULL || !wrap_is_complete(&v->wrap);
	if (!v->to_end)
		scroll_to(v, SIZE_MAX);
}

static bool
key(void *state, const struct render_env *env, const struct key *key)
{
	struct json_view *v = state;
	size_t top = v->top;
	(void)env;

	v->to_end = false;
	if (!scroll_key(key, v->height > 1 ? (size_t)v->height - 1 : 1, &top))
		return false;
	if (top == SIZE_MAX)
		go_to_end(v);
	else
		scroll_to(v, top);
	return true;
}

/* Formats more of a huge value as the search reaches it. */
static enum seek_result
seek_on(const struct seekable *s, const struct substring *n, size_t *at)
{
	struct json_view *v = (struct json_view *)s->with;
	struct seekable known = seek_wrap(&v->wrap, &v->top, v->height, 0);
	enum seek_result result = known.seek(&known, n, at);

	if (result != SEEK_END || !v->printing)
		return result;
	lay_out_more(v);
	return SEEK_MORE;
}

static bool
seek(void *state, struct seekable *out)
{
	struct json_view *v = state;

	*out = seek_wrap(&v->wrap, &v->top, v->height, 0);
	out->with = v;
	out->seek = seek_on;
	out->version = 0; /* the same text, grown */
	return true;
}

const struct render_ops render_json = {
	.name = "json",
	.help = "the raw JSON, formatted, every digit as received",
	.state_size = sizeof(struct json_view),
	.init = json_view_init,
	.finish = json_view_finish,
	.serves = serves,
	.sync = sync,
	.work = work,
	.seek = seek,
	.heading = heading,
	.draw = draw,
	.key = key,
};
