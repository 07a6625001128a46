/* SPDX-License-Identifier: MIT */
#include "report.h"

#include "base/ascii.h"
#include "base/shared_library.h"
#include "base/vec.h"
#include "json/equal.h"
#include "json/pointer.h"
#include "json/rows.h"
#include "schema/regex/regex.h"

#include <stdlib.h>
#include <string.h>

/* The difference between a value and the constant that was meant, if it is hard to see. */

#define COMPARED 64 /* characters to compare in strings that may look the same */

struct characters {
	uint32_t items[COMPARED + 1];
	size_t len;
};

static void
read_characters(const char *text, struct characters *out)
{
	for (out->len = 0; *text && out->len <= COMPARED; out->len++)
		out->items[out->len] = take_character(&text);
}

/* ---- Unicode forms, by libunistring, which libidn2 is linked to ---- */

struct unicode {
	uint8_t *(*u8_normalize)(
	    const void *form, const uint8_t *text, size_t len, uint8_t *out, size_t *out_len);
	const void *uninorm_nfc;
};

/* The composed form, to be freed; NULL if the text is too long or libidn2 is missing. */
static char *
compose(const char *text)
{
	static const char *const NAMES[] = { "u8_normalize", "uninorm_nfc", NULL };
	struct unicode unicode;
	struct err why;
	size_t len = 0;

	if (strnlen(text, COMPARED * 4 + 1) > COMPARED * 4 ||
	    !shared_library_load("libidn2.so.0", NAMES, &unicode, &why))
		return NULL;
	return (char *)unicode.u8_normalize(
	    unicode.uninorm_nfc, (const uint8_t *)text, strlen(text) + 1, NULL, &len);
}

static bool
is_ascii(const char *text)
{
	while (*text && (unsigned char)*text < 0x80)
		text++;
	return !*text;
}

bool
add_form_difference(const char *found, const char *meant, struct buf *out)
{
	if (is_ascii(found) && is_ascii(meant))
		return false;
	char *a = compose(found), *b = compose(meant);
	bool same = a && b && strcmp(a, b) == 0 && strcmp(found, meant) != 0;
	if (same && strcmp(a, found) == 0)
		buf_add_str(out, " (differs only in the Unicode form: NFC here)");
	else if (same && strcmp(b, meant) == 0)
		buf_add_str(out, " (differs only in the Unicode form: NFD, not NFC)");
	else if (same)
		buf_add_str(out, " (differs only in the Unicode form)");
	free(a);
	free(b);
	return same;
}

/* ---- strings ---- */

static const struct {
	uint32_t point;
	const char *name;
} UNSEEN[] = {
	{ ' ', "a space" },
	{ '\t', "a tab" },
	{ '\n', "a line feed" },
	{ '\r', "a carriage return" },
	{ 0xa0, "a no-break space" },
	{ 0xad, "a soft hyphen" },
	{ 0x2007, "a figure space" },
	{ 0x2009, "a thin space" },
	{ 0x200b, "a zero width space" },
	{ 0x200c, "a zero width non-joiner" },
	{ 0x200d, "a zero width joiner" },
	{ 0x202f, "a narrow no-break space" },
	{ 0x3000, "an ideographic space" },
	{ 0xfeff, "a byte order mark" },
};

static const char *
unseen_name(uint32_t point)
{
	for (size_t i = 0; i < ARRAY_LEN(UNSEEN); i++)
		if (UNSEEN[i].point == point)
			return UNSEEN[i].name;
	return NULL;
}

bool
has_unseen(const char *text)
{
	while (*text) {
		uint32_t point = take_character(&text);
		if (point >= 0x80 && unseen_name(point))
			return true;
	}
	return false;
}

void
add_escaped(const char *text, struct buf *out)
{
	while (*text) {
		const char *from = text;
		uint32_t point = take_character(&text);
		if (point >= 0x80 && unseen_name(point))
			buf_addf(out, "\\u%04x", (unsigned)point);
		else
			buf_add(out, from, (size_t)(text - from));
	}
}

static void
add_character(uint32_t point, struct buf *out)
{
	const char *name = unseen_name(point);

	if (name)
		buf_add_str(out, name);
	else
		buf_addf(out, "U+%04X", (unsigned)point);
}

/* Names the character that differs in two strings that may look the same, if few differ and they
 * are not ASCII. */
static bool
add_character_difference(const struct characters *a, const struct characters *b, struct buf *out)
{
	size_t least = a->len < b->len ? a->len : b->len, start = 0, end = 0;

	while (start < least && a->items[start] == b->items[start])
		start++;
	while (end < least - start && a->items[a->len - 1 - end] == b->items[b->len - 1 - end])
		end++;
	if (least == 0 || 2 * (start + end) < least || a->len - start - end > 2 ||
	    b->len - start - end > 2)
		return false;
	bool more = start + end == b->len, less = start + end == a->len;
	if (more && start < a->len && a->items[start] >= 0x80 && unseen_name(a->items[start])) {
		buf_addf(out, " (character %zu is ", start + 1);
		add_character(a->items[start], out);
		buf_add_str(out, ")");
		return true;
	}
	if (more || less || (a->items[start] < 0x80 && b->items[start] < 0x80))
		return false;
	buf_addf(out, " (character %zu is ", start + 1);
	add_character(a->items[start], out);
	buf_add_str(out, ", not ");
	add_character(b->items[start], out);
	buf_add_str(out, ")");
	return true;
}

static bool
differ_only_in_spaces(const struct characters *a, const struct characters *b)
{
	size_t i = 0, j = 0, seen = 0;

	for (;; i++, j++, seen++) {
		while (i < a->len && unseen_name(a->items[i]))
			i++;
		while (j < b->len && unseen_name(b->items[j]))
			j++;
		if (i == a->len || j == b->len)
			return seen > 0 && i == a->len && j == b->len;
		if (a->items[i] != b->items[j])
			return false;
	}
}

bool
add_text_difference(const char *found, const char *meant, struct buf *out)
{
	struct characters a, b;
	size_t same = 0;

	read_characters(found, &a);
	read_characters(meant, &b);
	if (a.len > COMPARED || b.len > COMPARED || strcmp(found, meant) == 0)
		return false;
	if (add_form_difference(found, meant, out) || add_character_difference(&a, &b, out))
		return true;
	while (same < a.len && same < b.len &&
	       ascii_lower(a.items[same]) == ascii_lower(b.items[same]))
		same++;
	if (differ_only_in_spaces(&a, &b))
		buf_add_str(out, " (only the spaces differ)");
	else if (same == a.len && same == b.len)
		buf_add_str(out, " (only the case differs)");
	else
		return false;
	return true;
}

/* ---- containers ---- */

#define DEPTH 16
#define CHILDREN 200 /* larger containers are not compared */

struct descent {
	const cJSON *found, *meant;
	struct buf path; /* from the constant */
	const char *end; /* " is missing", " is not in it"; NULL: found is not meant */
	struct json_items items[DEPTH]; /* of the arrays on the way, which may be lazy */
	unsigned arrays;
};

/* A member that only one of the two objects has, or else the first that differs. */
static bool
enter_object(struct descent *d)
{
	for (const cJSON *m = json_first(d->meant); m; m = m->next)
		if (!json_get(d->found, m->string)) {
			json_pointer_add_key(&d->path, m->string);
			d->end = " is missing";
			return true;
		}
	for (const cJSON *f = json_first(d->found); f; f = f->next)
		if (!json_get(d->meant, f->string)) {
			json_pointer_add_key(&d->path, f->string);
			d->end = " is not in it";
			return true;
		}
	for (const cJSON *m = json_first(d->meant); m; m = m->next) {
		const cJSON *f = json_get(d->found, m->string);
		if (json_equal(f, m))
			continue;
		json_pointer_add_key(&d->path, m->string);
		d->found = f;
		d->meant = m;
		return true;
	}
	return false;
}

static bool
enter_difference(struct descent *d)
{
	enum json_type type = json_type(d->meant);

	if (d->end || type != json_type(d->found) || json_count(d->meant) > CHILDREN ||
	    json_count(d->found) > CHILDREN)
		return false;
	if (type != JSON_ARRAY)
		return type == JSON_OBJECT && enter_object(d);
	struct json_items *it = &d->items[d->arrays++];
	const cJSON *m = json_first(d->meant);
	json_items_init(it, d->found, NULL);
	for (; it->item && m && json_equal(it->item, m); json_items_next(it))
		m = m->next;
	if (!it->item && !m)
		return false;
	json_pointer_add_index(&d->path, it->index);
	if (it->item && m) {
		d->found = it->item;
		d->meant = m;
	} else {
		d->end = it->item ? " is not in it" : " is missing";
	}
	return true;
}

bool
add_first_difference(const cJSON *found, const cJSON *meant, struct buf *out)
{
	struct descent d = { .found = found, .meant = meant };
	unsigned depth = 0;

	while (depth < DEPTH && enter_difference(&d))
		depth++;
	if (depth > 0) {
		buf_add_str(
		    out, d.end ? "differs from the constant: " : "differs from the constant at ");
		add_short(buf_text(&d.path), out);
	}
	if (depth > 0 && d.end) {
		buf_add_str(out, d.end);
	} else if (depth > 0) {
		buf_add_str(out, ": ");
		add_value(d.found, out);
		buf_add_str(out, " is not ");
		add_value(d.meant, out);
	}
	for (unsigned i = 0; i < d.arrays; i++)
		json_items_finish(&d.items[i]);
	buf_finish(&d.path);
	return depth > 0;
}
