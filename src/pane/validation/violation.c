#include "validation.h"

#include "base/vec.h"
#include "json/pointer.h"
#include "json/print.h"

#include <stdlib.h>
#include <string.h>

#define VALUE_BYTES 2000 /* of the invalid value */
#define PATH_BYTES 4096  /* of the location: keys may be long and many */

static void
add_path(const struct buf *path, struct buf *out)
{
	buf_addf(out, "%s%s", buf_text(path), path->overflowed ? "…" : "");
}

void
violation_add_path(const struct report *report, size_t index, struct buf *out)
{
	const char *missing = report_at(report, index)->missing;
	struct buf path = { .max = PATH_BYTES };

	report_instance_path(report, index, &path);
	if (missing && !path.overflowed)
		json_pointer_add_key(&path, missing);
	if (path.len > 0)
		add_path(&path, out);
	else
		buf_add_str(out, "(the value)");
	buf_finish(&path);
}

void
violation_add_schema_path(const struct report *report, size_t index, struct buf *out)
{
	struct buf path = { .max = PATH_BYTES };

	report_schema_path(report, index, &path);
	add_path(&path, out);
	buf_finish(&path);
}

void
violation_view_close(struct violation_view *v)
{
	buf_finish(&v->text);
	free(v->parts.items);
	wrap_finish(&v->wrap);
	*v = (struct violation_view){ 0 };
}

static void
begin(struct violation_view *v, enum role role)
{
	*VEC_PUSH(&v->parts) = (struct violation_part){ v->text.len, role };
}

static void
add_place(struct buf *out, const char *name, const struct buf *path)
{
	buf_addf(out, "%-9s", name);
	add_path(path, out);
	buf_add_char(out, '\n');
}

static void
add_schema_places(struct violation_view *v, const struct report *report, size_t index)
{
	struct buf direct = { .max = PATH_BYTES };
	struct buf reached = { .max = PATH_BYTES }, absolute = { .max = PATH_BYTES };

	report_schema_path(report, index, &direct);
	report_keyword_path(report, index, &reached);
	add_place(&v->text, "schema", &direct);
	if (strcmp(buf_text(&direct), buf_text(&reached)) != 0)
		add_place(&v->text, "reached", &reached);
	if (report_absolute_path(report, index, &absolute))
		add_place(&v->text, "absolute", &absolute);
	buf_finish(&direct);
	buf_finish(&reached);
	buf_finish(&absolute);
}

/* The excerpt, with the keyword's line highlighted. */
static void
add_excerpt(struct violation_view *v, const struct report *report, size_t index)
{
	struct buf excerpt = BUF_INIT;

	report_excerpt(report, index, &excerpt);
	for (const char *at = buf_text(&excerpt); *at;) {
		const char *end = strchr(at, '\n') + 1;
		begin(v, strncmp(at, "▸", strlen("▸")) == 0 ? ROLE_ERROR : ROLE_DIM);
		buf_add(&v->text, at, (size_t)(end - at));
		at = end;
	}
	buf_finish(&excerpt);
}

void
violation_view_open(struct violation_view *v, const struct report *report, size_t index)
{
	const struct violation *violation = report_at(report, index);

	violation_view_close(v);
	v->open = true;
	begin(v, ROLE_KEY_NAME);
	violation_add_path(report, index, &v->text);
	buf_add_char(&v->text, '\n');
	begin(v, violation->warning ? ROLE_WARNING : ROLE_TEXT);
	report_line(report, index, &v->text);
	buf_add_char(&v->text, '\n');
	begin(v, ROLE_DIM);
	buf_add_str(&v->text, violation->missing ? "in       " : "value    ");
	json_print_brief(&v->text, violation->node, VALUE_BYTES);
	buf_add_char(&v->text, '\n');
	begin(v, ROLE_HINT);
	add_schema_places(v, report, index);
	add_excerpt(v, report, index);
	wrap_init(&v->wrap);
}

int
violation_view_rows(const struct violation_view *v)
{
	int rows = 0;

	for (size_t i = 0; i < v->text.len; i++)
		rows += v->text.data[i] == '\n';
	return rows;
}

static enum role
role_at(const struct violation_view *v, size_t offset)
{
	size_t i = v->parts.len - 1;

	while (i > 0 && v->parts.items[i].start > offset)
		i--;
	return v->parts.items[i].role;
}

void
violation_view_draw(struct violation_view *v, struct surface s, bool focused)
{
	struct wrap_row row;

	v->height = s.height;
	wrap_set(&v->wrap, buf_text(&v->text), v->text.len, s.width);
	wrap_work(&v->wrap, SIZE_MAX, SIZE_MAX);
	size_t rows = wrap_rows(&v->wrap), height = s.height > 0 ? (size_t)s.height : 1;
	if (v->top + height > rows)
		v->top = rows > height ? rows - height : 0;
	for (int y = 0; y < s.height && wrap_row_at(&v->wrap, v->top + (size_t)y, &row); y++)
		surface_textn(s, 0, y, -1, style_of(role_at(v, row.start)),
		    buf_text(&v->text) + row.start, row.end - row.start);
	surface_scrollbar(s, focused, rows, v->top);
}
