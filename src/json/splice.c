/* SPDX-License-Identifier: MIT */
#include "json/splice.h"

#include "base/mem.h"
#include "json/equal.h"
#include "json/pointer.h"
#include "json/print.h"
#include "plain_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The offset after the string that begins here. */
static size_t
string_end(const char *text, size_t len, size_t at)
{
	return (size_t)(skip_string(text + at, text + len, NULL) - text);
}

/* Lines keep their numbers. */
static void
blank(char *text, size_t from, size_t to)
{
	for (; from < to; from++)
		if (text[from] != '\n' && text[from] != '\r')
			text[from] = ' ';
}

bool
json_blank_comments(char *text, size_t len, struct json_error *error)
{
	size_t at = 0;

	if (len >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0)
		blank(text, 0, 3);
	while (at < len) {
		char next = at + 1 < len ? text[at + 1] : '\0';
		size_t end = at + 1;
		if (text[at] == '"') {
			end = string_end(text, len, at);
		} else if (text[at] == '/' && next == '/') {
			while (end < len && text[end] != '\n' && text[end] != '\r')
				end++;
			blank(text, at, end);
		} else if (text[at] == '/' && next == '*') {
			const char *close = memmem(text + at + 2, len - at - 2, "*/", 2);
			if (!close)
				break;
			end = (size_t)(close - text) + 2;
			blank(text, at, end);
		}
		at = end;
	}
	if (at == len || !error)
		return at == len;
	*error = (struct json_error){ .offset = at, .line = 1, .column = 1 };
	for (size_t i = 0; i < at; i++) {
		error->column++;
		if (text[i] == '\n') {
			error->line++;
			error->column = 1;
		}
	}
	snprintf(error->text, sizeof(error->text), "this comment does not end");
	return false;
}

void
json_blank_commas(char *text, size_t len)
{
	size_t comma = len; /* the offset of a comma that may go */
	char before = '\0'; /* the last character that is not a blank */

	for (size_t at = 0; at < len;) {
		char c = text[at];
		if (strchr(" \t\r\n", c) && c) {
			at++;
			continue;
		}
		if ((c == '}' || c == ']') && before == ',' && comma < len)
			text[comma] = ' ';
		comma = c == ',' && before && !strchr("[{,:", before) ? at : len;
		before = c;
		at = c == '"' ? string_end(text, len, at) : at + 1;
	}
}

struct json_doc *
json_parse_commented(const char *text, size_t len, struct json_error *error)
{
	char *plain = mem_dup(text, len);
	struct json_doc *doc = NULL;

	if (json_blank_comments(plain, len, error)) {
		json_blank_commas(plain, len);
		doc = json_parse(plain, len, NULL, error);
	}
	free(plain);
	return doc;
}

/* The text, and the same with comments blanked: there only blanks and JSON are to be met. */
struct splice {
	char *text, *bare; /* copies */
	size_t len;
	struct err *err;
};

/* Or an item, whose key is its value. */
struct member {
	size_t key, value, end; /* offsets: of the key's quote, of the value, after it */
	size_t comma;           /* after it; 0: none */
};

struct container {
	size_t open, close;  /* of its brackets */
	struct member last;  /* key 0: it is empty */
	struct member found; /* likewise: no member has that key, no item that index */
	size_t comma;        /* before the found one; 0: none */
	bool is_array;
};

static size_t
splice_skip_blanks(const struct splice *s, size_t at)
{
	while (at < s->len && strchr(" \t\r\n", s->bare[at]) && s->bare[at])
		at++;
	return at;
}

/* key: of a member, or the index of an item. */
static void
read_container(const struct splice *s, size_t open, const char *key, struct container *o)
{
	size_t at = splice_skip_blanks(s, open + 1), index = 0, wanted;
	bool is_array = s->bare[open] == '[';
	bool may = !is_array || json_pointer_index(key, s->len, &wanted);

	*o = (struct container){ .open = open, .is_array = is_array };
	for (; at < s->len && (is_array ? s->bare[at] != ']' : s->bare[at] == '"'); index++) {
		struct member m = { .key = at, .value = at };
		bool is_wanted = is_array && may && index == wanted;
		if (!is_array) { /* past the key and its colon */
			size_t key_end = string_end(s->bare, s->len, at);
			m.value = splice_skip_blanks(s, splice_skip_blanks(s, key_end) + 1);
			struct json_doc *doc =
			    o->found.key ? NULL
					 : json_parse(s->bare + at, key_end - at, NULL, NULL);
			const char *name = cJSON_GetStringValue(json_root(doc));
			is_wanted = name && strcmp(name, key) == 0;
			json_doc_destroy(doc);
		}
		m.end = (size_t)(skip_value(s->bare + m.value, s->bare + s->len) - s->bare);
		size_t after = splice_skip_blanks(s, m.end);
		m.comma = s->bare[after] == ',' ? after : 0;
		if (is_wanted) {
			o->found = m;
			o->comma = o->last.comma;
		}
		o->last = m;
		at = splice_skip_blanks(s, m.comma ? m.comma + 1 : m.end);
	}
	o->close = at;
}

/* ---- lines ---- */

static size_t
line_start(const struct splice *s, size_t at)
{
	while (at > 0 && s->text[at - 1] != '\n')
		at--;
	return at;
}

/* The blanks that begin the line of `at`. */
static char *
indent_of(const struct splice *s, size_t at)
{
	size_t start = line_start(s, at);

	return mem_strndup(s->text + start, strspn(s->text + start, " \t"));
}

static bool
has_newline(const struct splice *s, size_t from, size_t to)
{
	return memchr(s->text + from, '\n', to - from) != NULL;
}

/* ---- changes ---- */

static void
add_indented(struct buf *out, const char *value, const char *indent)
{
	for (; *value; value++) {
		buf_add_char(out, *value);
		if (*value == '\n')
			buf_add_str(out, indent);
	}
}

/* Member path[0], whose value holds the rest of the path. */
static void
add_member(struct buf *out, const char *const *path, const char *value, const char *indent)
{
	json_print_string(out, path[0], strlen(path[0]));
	buf_add_str(out, ": ");
	if (!path[1]) {
		add_indented(out, value, indent);
		return;
	}
	char *deeper = mem_printf("%s%s", indent, strchr(indent, '\t') ? "\t" : "  ");
	buf_addf(out, "{\n%s", deeper);
	add_member(out, path + 1, value, deeper);
	buf_addf(out, "\n%s}", indent);
	free(deeper);
}

/* The offset after the last member and its comments. */
static void
insert(const struct splice *s, const struct container *o, const char *const *path,
    const char *value, struct buf *out)
{
	size_t end = o->last.key ? o->last.end : o->open + 1;
	size_t tail = o->close;
	bool lines = !o->last.key || has_newline(s, o->open, o->close);
	/* as far as the last member when it begins its line, else one step more than the object */
	char *indent = indent_of(s, o->last.key ? o->last.key : o->open);

	if (!o->last.key || line_start(s, o->last.key) + strlen(indent) != o->last.key) {
		char *base = indent_of(s, o->open);
		free(indent);
		indent = mem_printf("%s%s", base, strchr(base, '\t') ? "\t" : "  ");
		free(base);
	}
	while (tail > end && strchr(" \t\r\n", s->text[tail - 1]))
		tail--;
	buf_add(out, s->text, end);
	if (o->last.key && !o->last.comma)
		buf_add_char(out, ',');
	buf_add(out, s->text + end, tail - end);
	buf_addf(out, "%s%s", lines ? "\n" : " ", lines ? indent : "");
	add_member(out, path, value, indent);
	if (o->last.comma) /* as the others have it */
		buf_add_char(out, ',');
	if (!o->last.key && !has_newline(s, tail, o->close)) {
		char *base = indent_of(s, o->open);
		buf_addf(out, "\n%s", base);
		free(base);
		tail = o->close;
	}
	buf_add(out, s->text + tail, s->len - tail);
	free(indent);
}

/* With the blanks before it, its comma, and a comment on its own line. The last one takes the comma
 * before it along. */
static void
cut(const struct splice *s, const struct container *o, struct buf *out)
{
	const struct member *m = &o->found;
	size_t from = m->key, to = m->comma ? m->comma + 1 : m->end;
	size_t comma = m->comma ? 0 : o->comma;
	size_t line = to + strspn(s->bare + to, " \t");

	while (from > o->open + 1 && strchr(" \t\r\n", s->text[from - 1]))
		from--;
	if (has_newline(s, from, m->key) && (s->bare[line] == '\n' || s->bare[line] == '\r'))
		to = line;
	if (comma) {
		buf_add(out, s->text, comma);
		comma++;
	}
	buf_add(out, s->text + comma, from - comma);
	buf_add(out, s->text + to, s->len - to);
}

/* ---- the way down ---- */

/* The object that has, or is to have, the last key that can be reached, or the array that has the
 * item; *path goes along. */
static bool
descend(const struct splice *s, const char *const **path, struct container *o)
{
	size_t at = splice_skip_blanks(s, 0);

	if (s->bare[at] != '{')
		return err_set(s->err, "it is not an object");
	for (;;) {
		read_container(s, at, **path, o);
		if (o->is_array && !o->found.key)
			return err_set(s->err, "its array has no item %.80s", **path);
		if (!o->found.key || !(*path)[1])
			return true;
		at = o->found.value;
		if (s->bare[at] != '{' && s->bare[at] != '[')
			return err_set(s->err, "%.80s is not an object", **path);
		++*path;
	}
}

bool
json_splice_set(const char *text, size_t len, const char *const *path, const char *value,
    struct buf *out, struct err *err)
{
	struct splice s = { .len = len, .err = err };
	struct json_error where;
	struct json_doc *doc = json_parse_commented(text, len, &where);
	const char *const *at = path;
	struct container o = { 0 };

	if (!doc)
		return err_set(err, "line %u column %u: %s", where.line, where.column, where.text);
	json_doc_destroy(doc);
	s.text = mem_strndup(text, len);
	s.bare = mem_strndup(text, len);
	json_blank_comments(s.bare, len, NULL);
	bool ok = descend(&s, &at, &o);
	if (ok && value && o.found.key) {
		char *indent = indent_of(&s, o.found.key);
		buf_add(out, text, o.found.value);
		add_indented(out, value, indent);
		buf_add(out, text + o.found.end, len - o.found.end);
		free(indent);
	} else if (ok && value)
		insert(&s, &o, at, value, out);
	else if (ok && o.is_array)
		ok = err_set(err, "items of an array are not removed");
	else if (ok && o.found.key && !at[1])
		cut(&s, &o, out);
	else if (ok)
		ok = err_set(err, "there is no %.80s in it", *at);
	free(s.bare);
	free(s.text);
	if (ok) { /* does the member have the wanted value, or is it gone? */
		struct json_doc *wanted =
		    value ? json_parse(value, strlen(value), NULL, NULL) : NULL;
		doc = json_parse_commented(buf_text(out), out->len, NULL);
		const cJSON *node = json_root(doc);
		for (; node && *path; path++)
			node = json_pointer_step(node, *path);
		ok = doc && (value ? node && wanted && json_equal(node, json_root(wanted)) : !node);
		json_doc_destroy(doc);
		json_doc_destroy(wanted);
		if (!ok)
			err_set(err, "it is written in a way that only you can change");
	}
	if (!ok)
		buf_clear(out);
	return ok;
}
