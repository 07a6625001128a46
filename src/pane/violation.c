#include "violation.h"

#include "base/vec.h"
#include "json/pointer.h"
#include "json/print.h"

#include <stdlib.h>
#include <string.h>

/* Of the value that is wrong. */
#define VALUE_BYTES 2000

void
violation_add_path(const struct report *report, size_t index, struct buf *out)
{
	size_t before = out->len;

	report_instance_path(report, index, out);
	if (report_at(report, index)->missing)
		json_pointer_add_key(out, report_at(report, index)->missing);
	if (out->len == before)
		buf_add_str(out, "(the value)");
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
add_schema_places(struct violation_view *v, const struct report *report, size_t index)
{
	struct buf direct = BUF_INIT, reached = BUF_INIT, absolute = BUF_INIT;

	report_schema_path(report, index, &direct);
	report_keyword_path(report, index, &reached);
	buf_addf(&v->text, "schema   %s\n", buf_text(&direct));
	if (strcmp(buf_text(&direct), buf_text(&reached)) != 0)
		buf_addf(&v->text, "reached  %s\n", buf_text(&reached));
	if (report_absolute_path(report, index, &absolute))
		buf_addf(&v->text, "absolute %s\n", buf_text(&absolute));
	buf_finish(&direct);
	buf_finish(&reached);
	buf_finish(&absolute);
}

/* The excerpt, the line of the keyword in a role of its own. */
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
