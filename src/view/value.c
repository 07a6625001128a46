/* SPDX-License-Identifier: MIT */
#include "view/view.h"

#include "base/ascii.h"
#include "base/glyph.h"
#include "base/utf8.h"
#include "json/number.h"
#include "json/pointer.h"
#include "json/print.h"
#include "data/table.h"
#include "ui/wrap.h"

#include <string.h>

/* Bytes of a container shown on one line. */
#define BRIEF_BYTES 400

/* ---- strings that are something else ---- */

#define LOOK_BYTES 64 /* of a string, to recognize it */
#define BYTES_LEAST 32

/* Return whether it is a date, 2026-07-28, with or without a time. */
static bool
is_date(const char *text, size_t len)
{
	static const char form[] = "0000-00-00";
	size_t i = 0;

	for (; form[i]; i++)
		if (form[i] == '0' ? !ascii_is_digit((unsigned char)text[i]) : text[i] != form[i])
			return false;
	if (i == len)
		return true;
	return len < LOOK_BYTES && (text[i] == 'T' || text[i] == ' ') &&
	       strspn(text + i + 1, "0123456789:.,+-Z") == len - i - 1 && len - i > 5;
}

/* Return whether it has a scheme, "https://…", and no blanks. */
static bool
is_uri(const char *text, size_t len)
{
	size_t scheme = 0;

	while (scheme < len &&
	       (ascii_is_alnum((unsigned char)text[scheme]) || strchr("+-.", text[scheme])))
		scheme++;
	return scheme > 1 && strncmp(text + scheme, "://", 3) == 0 && scheme + 3 < len &&
	       !memchr(text, ' ', len) && !memchr(text, '\n', len);
}

/* Return whether it is a long word in hexadecimal, or in base64 with digits and letters of both
 * cases. */
static bool
is_bytes(const char *text, size_t len)
{
	bool upper = false, lower = false, digit = false, is_hex = true;

	for (size_t i = 0; i < len; i++) {
		unsigned char c = (unsigned char)text[i];
		if (!ascii_is_alnum(c) && !strchr("+/=", c))
			return false;
		digit |= ascii_is_digit(c);
		upper |= ascii_lower(c) != c;
		lower |= ascii_upper(c) != c;
		is_hex &= ascii_is_digit(c) || (c >= 'a' && c <= 'f');
	}
	return len >= BYTES_LEAST && digit && (is_hex || (upper && lower));
}

/* Return whether it is a bar of block elements, U+2581 to U+258F, as in sheets. */
static bool
is_bar(const char *text, size_t len)
{
	size_t at = 0;
	bool has_block = false;

	while (at < len && (text[at] == ' ' || strncmp(text + at, "\xe2\x96", 2) == 0)) {
		unsigned char last = text[at] == ' ' ? 0x81 : (unsigned char)text[at + 2];
		if (last < 0x81 || last > 0x8f)
			return false;
		has_block |= text[at] != ' ';
		at += text[at] == ' ' ? 1 : 3;
	}
	return has_block && at >= len;
}

enum role
view_value_role(const cJSON *value)
{
	static const enum role roles[] = {
		[JSON_ABSENT] = ROLE_ABSENT,
		[JSON_NULL] = ROLE_NULL_VALUE,
		[JSON_BOOLEAN] = ROLE_BOOLEAN,
		[JSON_NUMBER] = ROLE_NUMBER,
		[JSON_STRING] = ROLE_TEXT,
		[JSON_ARRAY] = ROLE_DIM,
		[JSON_OBJECT] = ROLE_DIM,
	};
	const char *text = cJSON_GetStringValue(value);
	size_t len = text ? strnlen(text, LOOK_BYTES) : 0;

	if (!text)
		return roles[json_type(value)];
	return is_bar(text, len)     ? ROLE_SERIES_1
	       : is_date(text, len)  ? ROLE_DATE
	       : is_uri(text, len)   ? ROLE_URI
	       : is_bytes(text, len) ? ROLE_BYTES
				     : ROLE_TEXT;
}

uint32_t
view_ground(const struct report *report, const cJSON *value)
{
	size_t index = report ? report_find(report, value) : REPORT_NONE;

	if (index == REPORT_NONE)
		return ROLE_NONE;
	bool harmless = report_at(report, index)->warning && report_count_below(report, value) == 0;
	return harmless ? ROLE_WARNING_CELL : ROLE_ERROR_CELL;
}

void
view_value_cut(const cJSON *value, size_t max_bytes, struct buf *out)
{
	char number[JSON_NUMBER_TEXT_MAX];
	bool is_number = cJSON_IsNumber(value);
	const char *text =
	    is_number ? json_number_text(value, number) : cJSON_GetStringValue(value);

	if (text) {
		const char *quote = !is_number && text_is_ambiguous(text) ? "\"" : "";
		buf_add_str(out, quote);
		utf8_add_cut(out, text, strlen(text), max_bytes);
		buf_add_str(out, quote);
	} else if (value) {
		json_print_brief(out, value, max_bytes < BRIEF_BYTES ? max_bytes : BRIEF_BYTES);
	}
}

void
view_value_text(const cJSON *value, struct buf *out)
{
	view_value_cut(value, SIZE_MAX, out);
}

struct style
view_style(const cJSON *value, uint32_t ground)
{
	bool marked =
	    ground == ROLE_ERROR_CELL || ground == ROLE_WARNING_CELL || ground == ROLE_CURSOR;

	return (struct style){ .ink = marked ? ground : view_value_role(value), .ground = ground };
}

bool
view_read_level(const char *arg, unsigned *level, const struct view_env *env)
{
	size_t number = 0;

	if (*arg && (!json_pointer_index(arg, VIEW_LEVEL_MAX + 1, &number) || number == 0))
		return view_refuse(env, "level NUMBER, from 1 to %d", VIEW_LEVEL_MAX);
	*level = (unsigned)number;
	return true;
}

int
view_value(struct surface s, int x, int y, int max_cols, const cJSON *value, uint32_t ground)
{
	struct style style = view_style(value, ground);
	char number[JSON_NUMBER_TEXT_MAX];

	/* avoid a copy of common values, because this is the inner loop of every table */
	if (cJSON_IsNumber(value))
		return surface_text(s, x, y, max_cols, style, json_number_text(value, number));
	if (cJSON_IsString(value) && !text_is_ambiguous(value->valuestring))
		return surface_text(s, x, y, max_cols, style, value->valuestring);
	struct buf text = BUF_INIT;
	if (cJSON_IsString(value)) { /* ambiguous */
		buf_add_char(&text, '"');
		label_add(&text, value->valuestring);
		buf_add_char(&text, '"');
	} else {
		view_value_text(value, &text);
	}
	int used = surface_text(s, x, y, max_cols, style, buf_text(&text));
	buf_finish(&text);
	return used;
}

/* ---- formatted JSON ---- */

/* Formatted JSON has one token per line, so a line determines its colors. */
static void
draw_first_row(struct surface s, int y, const char *line, size_t len)
{
	size_t at = 0;

	while (at < len && line[at] == ' ')
		at++;
	int x = (int)at;
	if (at < len && line[at] == '"') {
		size_t end = at + 1; /* of the string */
		while (end < len && line[end] != '"')
			end += line[end] == '\\' ? 2 : 1;
		end = end < len ? end + 1 : len;
		if (end < len && line[end] == ':') {
			x += surface_textn(s, x, y, style_of(ROLE_KEY_NAME), line + at, end - at);
			x += surface_text(s, x, y, -1, style_of(ROLE_DIM), ": ");
			at = end + 1;
			at += at < len && line[at] == ' ';
		}
	}
	char first = at < len ? line[at] : '{';
	enum role role = first == '"'                   ? ROLE_STRING
			 : first == 't' || first == 'f' ? ROLE_BOOLEAN
			 : first == 'n'                 ? ROLE_NULL_VALUE
			 : strchr("-0123456789", first) ? ROLE_NUMBER
							: ROLE_DIM;
	surface_textn(s, x, y, style_of(role), line + at, len - at);
}

void
view_json_rows(struct wrap *wrap, struct surface s, size_t top)
{
	struct wrap_row row;

	top = wrap_reach(wrap, s, top);
	for (int y = 0; y < s.height && wrap_row_at(wrap, top + (size_t)y, &row); y++) {
		const char *text = wrap->text + row.start;
		if (row.start == 0 || text[-1] == '\n')
			draw_first_row(s, y, text, row.end - row.start);
		else
			surface_textn(s, 0, y, style_of(ROLE_STRING), text, row.end - row.start);
	}
}
