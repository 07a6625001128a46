#include "view/view.h"

#include "base/ascii.h"
#include "base/glyph.h"
#include "base/utf8.h"
#include "json/number.h"
#include "json/pointer.h"
#include "json/print.h"
#include "data/table.h"

#include <string.h>

/* Bytes of a container shown on one line. */
#define BRIEF_BYTES 400

/* ---- strings that are something else ---- */

/* Bytes of a string that tell what it is. */
#define TOLD_BY 64
#define BYTES_LEAST 32

/* 2026-07-28, also with a time. */
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
	return len < TOLD_BY && (text[i] == 'T' || text[i] == ' ') &&
	       strspn(text + i + 1, "0123456789:.,+-Z") == len - i - 1 && len - i > 5;
}

/* "https://…": a scheme, and no blanks. */
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

/* Long, of one word, in hexadecimal, or in base64 with digits and letters of both cases. */
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

/* Block elements, as sheets draw them: U+2581 to U+258F. */
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

static enum role
role_of_text(const char *text)
{
	size_t len = strnlen(text, TOLD_BY);

	if (is_bar(text, len))
		return ROLE_SERIES_1;
	if (is_date(text, len))
		return ROLE_DATE;
	if (is_uri(text, len))
		return ROLE_URI;
	return is_bytes(text, len) ? ROLE_BYTES : ROLE_TEXT;
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
	return json_type(value) == JSON_STRING ? role_of_text(value->valuestring)
					       : roles[json_type(value)];
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
	bool is_number = json_type(value) == JSON_NUMBER;
	const char *text = is_number ? json_number_text(value, number) : json_string(value);

	if (text) {
		const char *quote = !is_number && text_is_ambiguous(text) ? "\"" : "";
		buf_add_str(out, quote);
		utf8_add_cut(out, text, strlen(text), max_bytes);
		buf_add_str(out, quote);
	} else if (json_type(value) != JSON_ABSENT) {
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

	/* the common kinds without a copy: this is the inner loop of every table */
	if (json_type(value) == JSON_NUMBER)
		return surface_text(s, x, y, max_cols, style, json_number_text(value, number));
	if (json_type(value) == JSON_STRING && !text_is_ambiguous(value->valuestring))
		return surface_text(s, x, y, max_cols, style, value->valuestring);
	struct buf text = BUF_INIT;
	if (json_type(value) == JSON_STRING) { /* ambiguous */
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
