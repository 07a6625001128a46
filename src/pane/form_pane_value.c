#include "form_pane_draw_priv.h"

#include "base/glyph.h"
#include "json/print.h"

#include <string.h>

#define TEXT_LINES 8
#define BRIEF_BYTES 400

static const char *
line_end(const char *at, const char *end)
{
	const char *newline = memchr(at, '\n', (size_t)(end - at));

	return newline ? newline : end;
}

int
form_pane_value_lines(const struct form_row *row)
{
	const struct field *field = row->field;
	enum field_kind kind = field_view(field).kind;
	const char *at = field_view(field).text, *end = at + field_view(field).text_len;
	int lines = 1;

	if (field_view(field).state != FIELD_SET || (kind != FIELD_STRING && kind != FIELD_JSON))
		return 1;
	while (lines < TEXT_LINES && (at = line_end(at, end)) < end) {
		at++;
		lines++;
	}
	return lines;
}

static void
draw_lines(const struct field *field, struct surface s, struct style style)
{
	const char *at = field_view(field).text, *end = at + field_view(field).text_len;

	for (int y = 0; y < s.height && at <= end; y++) {
		const char *stop = line_end(at, end);
		bool more = y == s.height - 1 && stop < end;
		surface_textn(s, 1, y, s.width - (more ? 4 : 2), style, at, (size_t)(stop - at));
		if (more)
			surface_text(s, s.width - 2, y, 1, style_on(ROLE_HINT, ROLE_FIELD), "…");
		at = stop + 1;
	}
}

static void
draw_brief(const struct field *field, struct surface s, struct style style, int columns)
{
	struct buf text = BUF_INIT;

	field_brief(field, BRIEF_BYTES, &text);
	surface_text(s, 1, 0, columns, style, buf_text(&text));
	buf_finish(&text);
}

/* Objects and lists are structure, no field: a fold mark and what is in them. */
static void
draw_container(const struct field *field, struct surface s)
{
	static const char *const units[][2] = { { "field", "fields" }, { "item", "items" },
		{ "entry", "entries" } };
	size_t count = field_view(field).child_count;
	size_t kind = field_view(field).kind == FIELD_ARRAY ? 1 : field_view(field).map ? 2 : 0;

	surface_text(s, 0, 0, -1, style_of(ROLE_ACCENT), field_view(field).folded ? "▸" : "▾");
	if (field_view(field).folded && field_view(field).kind == FIELD_OBJECT) {
		struct buf text = BUF_INIT;
		field_brief(field, BRIEF_BYTES, &text);
		surface_text(s, 2, 0, -1, style_of(ROLE_DIM), buf_text(&text));
		buf_finish(&text);
	} else {
		surface_textf(
		    s, 2, 0, -1, style_of(ROLE_DIM), "%zu %s", count, units[kind][count != 1]);
	}
}

static void
draw_set(const struct field *field, struct surface s)
{
	static const enum role inks[] = {
		[FIELD_STRING] = ROLE_TEXT,
		[FIELD_NUMBER] = ROLE_NUMBER,
		[FIELD_INTEGER] = ROLE_NUMBER,
		[FIELD_BOOLEAN] = ROLE_BOOLEAN,
		[FIELD_ENUM] = ROLE_TEXT,
		[FIELD_CONST] = ROLE_DIM,
		[FIELD_ARRAY] = ROLE_TEXT,
		[FIELD_JSON] = ROLE_STRING,
	};
	enum field_kind kind = field_view(field).kind;
	struct style style = style_on(inks[kind], ROLE_FIELD);

	if (kind == FIELD_ARRAY && field_view(field).child_count == 0)
		surface_text(s, 1, 0, s.width - 4, style_on(ROLE_HINT, ROLE_FIELD), "none");
	else if (kind == FIELD_ENUM || kind == FIELD_ARRAY)
		draw_brief(field, s, style, s.width - 4);
	else if (kind == FIELD_BOOLEAN || kind == FIELD_CONST)
		draw_brief(field, s, style, s.width - 2);
	else if (field_view(field).text_len == 0)
		surface_text(s, 1, 0, -1, style_on(ROLE_HINT, ROLE_FIELD), "\"\"");
	else
		draw_lines(field, s, style);
}

/* The variant that is chosen; what is in it stands below, or here while it is folded. */
static void
draw_variant(const struct field *field, struct surface s)
{
	struct style style = style_on(ROLE_TEXT, ROLE_FIELD), dim = style_on(ROLE_DIM, ROLE_FIELD);
	int room = s.width - 4;
	int x = 1 + surface_text(
			s, 1, 0, room, style, field_variant_name(field, field_view(field).variant));

	if (!field_view(field).folded || !field_view(field).filled || x + 4 > room)
		return;
	struct buf text = BUF_INIT;
	field_brief(field, BRIEF_BYTES, &text);
	x += surface_text(s, x, 0, room - x, dim, " ▸ ");
	surface_text(s, x, 0, room - x + 1, dim, buf_text(&text));
	buf_finish(&text);
}

static void
draw_default(const cJSON *value, struct surface s)
{
	struct buf text = BUF_INIT;

	buf_add_str(&text, "default ");
	if (json_string(value) && *json_string(value))
		label_add(&text, json_string(value));
	else
		json_print_brief(&text, value, BRIEF_BYTES);
	surface_text(s, 1, 0, s.width - 2, style_on(ROLE_ABSENT, ROLE_FIELD), buf_text(&text));
	buf_finish(&text);
}

static void
draw_unset(const struct field *field, struct surface s)
{
	if (field_view(field).state == FIELD_NULL)
		surface_text(s, 1, 0, -1, style_on(ROLE_NULL_VALUE, ROLE_FIELD), "null");
	else if (field_view(field).state == FIELD_SET)
		surface_text(s, 1, 0, s.width - 2, style_on(ROLE_HINT, ROLE_FIELD),
		    field_view(field).required ? "required" : "no value yet");
	else if (field_default(field))
		draw_default(field_default(field), s);
	else
		surface_text(s, 1, 0, -1, style_on(ROLE_ABSENT, ROLE_FIELD), "omitted");
}

void
form_pane_draw_value(const struct form_row *row, struct surface s)
{
	const struct field *field = row->field;
	enum field_kind kind = field_view(field).kind;
	bool is_set = field_view(field).state == FIELD_SET;
	bool many = field_view(field).option_count > 0, chooser = form_pane_is_chooser(row);

	if (is_set && field_view(field).filled && !many && !chooser &&
	    (kind == FIELD_OBJECT || kind == FIELD_ARRAY)) {
		draw_container(field, s);
		return;
	}
	if (is_set && kind == FIELD_CONST && !chooser) { /* nothing to fill in */
		draw_brief(field, s, style_of(ROLE_DIM), s.width - 2);
		return;
	}
	surface_clear(s, style_on(ROLE_TEXT, ROLE_FIELD));
	if (chooser && is_set)
		draw_variant(field, s);
	else if (is_set && field_view(field).filled)
		draw_set(field, s);
	else
		draw_unset(field, s);
	if (chooser || kind == FIELD_ENUM || many)
		surface_text(s, s.width - 2, 0, -1, style_on(ROLE_ACCENT, ROLE_FIELD), "▾");
}
