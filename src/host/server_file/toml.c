/* SPDX-License-Identifier: MIT */
#include "entry.h"

#include "base/ascii.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/strings.h"
#include "base/utf8.h"
#include "json/number.h"
#include "json/write.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* TOML 1.0 as JSON text, because no C library of Debian reads it. Dates, inf and nan become
 * strings. Tables may be written in pieces, so there is a tree between the two. */

enum { MAX_DEPTH = 64, MAX_KEYS = 5000, MAX_VALUES = 100000 };

struct toml_node {
	enum { TABLE, ARRAY, STRING, RAW } kind;
	char *key;       /* of a member of a table */
	struct buf text; /* of STRING, and of RAW: JSON */
	struct toml_node *first, *last, *next;
	struct map members; /* of a table, by their keys */
	bool defined;       /* a table that has had its header, or its dotted keys */
	bool closed;        /* an inline table, or an array of values: nothing can be added */
};

struct toml_reader {
	const char *text, *at, *end;
	struct json_error *where;
	size_t keys, values;
	int depth;
};

static bool
toml_fail(struct toml_reader *r, const char *why)
{
	struct json_error *w = r->where;

	*w = (struct json_error){ .offset = (size_t)(r->at - r->text), .line = 1, .column = 1 };
	for (const char *c = r->text; c < r->at; c++) {
		w->column = *c == '\n' ? 1 : w->column + 1;
		w->line += *c == '\n';
	}
	snprintf(w->text, sizeof(w->text), "%s", why);
	return false;
}

static void
node_destroy(struct toml_node *n)
{
	for (struct toml_node *child = n->first, *next; child; child = next) {
		next = child->next;
		node_destroy(child);
	}
	map_finish(&n->members);
	free(n->key);
	buf_finish(&n->text);
	free(n);
}

static struct toml_node *
node_add(struct toml_node *parent, int kind, char *key)
{
	struct toml_node *n = mem_zalloc(sizeof(*n));

	n->kind = kind;
	n->key = key;
	*(parent->first ? &parent->last->next : &parent->first) = n;
	parent->last = n;
	if (key)
		map_add(&parent->members, text_hash(parent, key, strlen(key)), n);
	return n;
}

static struct toml_node *
node_find(const struct toml_node *table, const char *key)
{
	const struct toml_node *n;

	MAP_EACH(&table->members, text_hash(table, key, strlen(key)), n)
		if (strcmp(n->key, key) == 0)
			return (struct toml_node *)n;
	return NULL;
}

/* ---- characters ---- */

static bool
is_at(const struct toml_reader *r, char c)
{
	return r->at < r->end && *r->at == c;
}

static void
toml_skip_blanks(struct toml_reader *r)
{
	while (is_at(r, ' ') || is_at(r, '\t'))
		r->at++;
	if (is_at(r, '#'))
		while (r->at < r->end && *r->at != '\n')
			r->at++;
}

/* Line ends too, as between the items of an array. */
static void
skip_lines(struct toml_reader *r)
{
	for (toml_skip_blanks(r); is_at(r, '\n') || is_at(r, '\r'); toml_skip_blanks(r))
		r->at++;
}

static bool
end_line(struct toml_reader *r)
{
	toml_skip_blanks(r);
	if (is_at(r, '\r'))
		r->at++;
	if (r->at < r->end && *r->at != '\n')
		return toml_fail(r, "expected the end of the line");
	r->at += r->at < r->end;
	return true;
}

/* ---- strings ---- */

/* Behind a backslash. */
static bool
read_escape(struct toml_reader *r, struct buf *out, bool many_lines)
{
	static const char names[] = "btnfre\"\\", values[] = "\b\t\n\f\r\033\"\\";
	const char *name = r->at < r->end && *r->at ? strchr(names, *r->at) : NULL;

	if (name) {
		r->at++;
		return buf_add_char(out, values[name - names]);
	}
	if (is_at(r, 'u') || is_at(r, 'U')) {
		char hex[9] = "";
		int digits = *r->at++ == 'u' ? 4 : 8;
		for (int i = 0; i < digits; i++) {
			if (r->at == r->end || !memchr("0123456789abcdefABCDEF", *r->at, 22))
				return toml_fail(r, "expected a hexadecimal digit");
			hex[i] = *r->at++;
		}
		unsigned long code = strtoul(hex, NULL, 16);
		if (code == 0 || code > 0x10ffff || (code >= 0xd800 && code < 0xe000))
			return toml_fail(r, "not a character");
		return utf8_add(out, (uint32_t)code);
	}
	size_t blanks = strspn(r->at, " \t\r"); /* the text ends with NUL */
	if (!many_lines || (size_t)(r->end - r->at) <= blanks || r->at[blanks] != '\n')
		return toml_fail(r, "unknown escape");
	while (r->at < r->end && strchr(" \t\r\n", *r->at) && *r->at)
		r->at++;
	return true;
}

/* At the opening quote. */
static bool
read_string(struct toml_reader *r, struct buf *out)
{
	char quote = *r->at;
	const char fence[] = { quote, quote, quote, '\0' };
	bool many_lines = text_begins(r->at, r->end, fence);

	r->at += many_lines ? 3 : 1;
	if (many_lines && text_begins(r->at, r->end, "\r\n"))
		r->at++;
	if (many_lines && is_at(r, '\n'))
		r->at++;
	while (
	    r->at < r->end && (many_lines ? !text_begins(r->at, r->end, fence) : *r->at != quote)) {
		char c = *r->at;
		if (c == '\\' && quote == '"') {
			r->at++;
			if (!read_escape(r, out, many_lines))
				return false;
			continue;
		}
		bool line = many_lines && (c == '\n' || c == '\r');
		if (((unsigned char)c < 0x20 && c != '\t' && !line) || c == 0x7f)
			return toml_fail(
			    r, c == '\n' ? "the string does not end" : "a control character");
		buf_add_char(out, c);
		r->at++;
	}
	if (r->at == r->end)
		return toml_fail(r, "the string does not end");
	r->at += many_lines ? 3 : 1;
	for (int i = 0; many_lines && i < 2 && is_at(r, quote); i++, r->at++)
		buf_add_char(out, quote); /* up to two quotes may stand before the fence */
	return true;
}

/* ---- keys ---- */

static char *
read_key(struct toml_reader *r)
{
	struct buf key = BUF_INIT;
	const char *begin = r->at;

	if (++r->keys > MAX_KEYS) {
		toml_fail(r, "too many keys");
		return NULL;
	}
	if (is_at(r, '"') || is_at(r, '\'')) {
		if (read_string(r, &key))
			return buf_detach(&key);
		buf_finish(&key);
		return NULL;
	}
	while (r->at < r->end &&
	       (ascii_is_alnum((unsigned char)*r->at) || is_at(r, '_') || is_at(r, '-')))
		r->at++;
	if (r->at == begin) {
		toml_fail(r, "expected a key");
		return NULL;
	}
	return mem_strndup(begin, (size_t)(r->at - begin));
}

/* Takes the key. The table of that name in the table, made if it does not exist; of an array of
 * tables the last one. */
static struct toml_node *
enter(struct toml_reader *r, struct toml_node *table, char *key, bool defined)
{
	struct toml_node *n = node_find(table, key);

	if (!n) {
		n = node_add(table, TABLE, key);
		n->defined = defined;
		return n;
	}
	free(key);
	if (n->kind == ARRAY && !n->closed)
		n = n->last;
	if (n->kind == TABLE && !n->closed)
		return n;
	toml_fail(r, "this key has a value already");
	return NULL;
}

/* "a.b.c": *last is c, which the caller owns. Returns the table for it; NULL: failed. */
static struct toml_node *
read_path(struct toml_reader *r, struct toml_node *table, bool defined, char **last)
{
	for (int depth = r->depth; table; depth++) {
		toml_skip_blanks(r);
		char *key = read_key(r);
		if (!key)
			return NULL;
		toml_skip_blanks(r);
		if (!is_at(r, '.')) {
			*last = key;
			return table;
		}
		r->at++;
		if (depth == MAX_DEPTH) {
			free(key);
			toml_fail(r, "nested too deeply");
			return NULL;
		}
		table = enter(r, table, key, defined);
	}
	return NULL;
}

/* ---- values ---- */

static bool read_value(struct toml_reader *r, struct toml_node *parent, char *key);

/* "key = value" into a table. */
static bool
read_pair(struct toml_reader *r, struct toml_node *table)
{
	char *key;

	table = read_path(r, table, true, &key);
	if (!table)
		return false;
	bool ok = !node_find(table, key) || toml_fail(r, "this key has a value already");
	ok = ok && (is_at(r, '=') || toml_fail(r, "expected ="));
	if (!ok) {
		free(key);
		return false;
	}
	r->at++;
	toml_skip_blanks(r);
	return read_value(r, table, key);
}

static bool
read_inline_table(struct toml_reader *r, struct toml_node *table)
{
	r->at++;
	toml_skip_blanks(r);
	while (!is_at(r, '}')) {
		if (!read_pair(r, table))
			return false;
		toml_skip_blanks(r);
		if (!is_at(r, ',') && !is_at(r, '}'))
			return toml_fail(r, "expected , or }");
		if (is_at(r, ','))
			r->at++;
		toml_skip_blanks(r);
	}
	r->at++;
	table->closed = true;
	return true;
}

static bool
read_array(struct toml_reader *r, struct toml_node *array)
{
	r->at++;
	array->closed = true;
	for (skip_lines(r); !is_at(r, ']'); skip_lines(r)) {
		if (!read_value(r, array, NULL))
			return false;
		skip_lines(r);
		if (is_at(r, ','))
			r->at++;
		else if (!is_at(r, ']'))
			return toml_fail(r, "expected , or ]");
	}
	r->at++;
	return true;
}

/* 1_000, +1, 0xff: what JSON writes in another way. */
static bool
add_number(struct buf *out, const char *token)
{
	static const struct {
		char letter;
		int base;
	} bases[] = { { 'x', 16 }, { 'o', 8 }, { 'b', 2 } };
	struct buf plain = BUF_INIT;
	char *end;

	for (const char *c = token + (*token == '+'); *c; c++)
		if (*c != '_')
			buf_add_char(&plain, *c);
	bool ok = json_is_number_text(buf_text(&plain), plain.len);
	if (ok)
		buf_add_str(out, buf_text(&plain));
	for (size_t i = 0; !ok && i < 3 && plain.len > 2; i++) {
		if (plain.data[0] != '0' || plain.data[1] != bases[i].letter ||
		    !ascii_is_alnum((unsigned char)plain.data[2]))
			continue;
		errno = 0;
		unsigned long long value = strtoull(plain.data + 2, &end, bases[i].base);
		ok = *end == '\0' && errno == 0;
		if (ok)
			buf_addf(out, "%llu", value);
	}
	buf_finish(&plain);
	return ok;
}

/* A number, a boolean or a time. */
static bool
read_word(struct toml_reader *r, struct toml_node *n)
{
	static const char letters[] = ASCII_ALNUM "+-_.:";
	const char *begin = r->at;
	size_t len = strspn(begin, letters); /* the text ends with NUL */

	if (len == 10 && begin[4] == '-' && begin[10] == ' ' &&
	    ascii_is_digit((unsigned char)begin[11]))
		len += 1 + strspn(begin + 11, letters);
	char *token = mem_strndup(begin, len);
	const char *sign = token + (*token == '+' || *token == '-');
	bool odd = strcmp(sign, "inf") == 0 || strcmp(sign, "nan") == 0;
	bool is_time = len >= 8 && token[strspn(token, "0123456789-+:.TtZz ")] == '\0' &&
		       ascii_is_digit((unsigned char)token[0]) &&
		       (token[4] == '-' || token[2] == ':');
	bool ok = true;
	n->kind = RAW;
	if (strcmp(token, "true") == 0 || strcmp(token, "false") == 0) {
		buf_add_str(&n->text, token);
	} else if (odd || is_time) {
		n->kind = STRING;
		buf_add_str(&n->text, token);
	} else {
		ok = add_number(&n->text, token) || toml_fail(r, "expected a value");
	}
	free(token);
	r->at += ok ? len : 0;
	return ok;
}

/* Takes the key; NULL in an array. */
static bool
read_value(struct toml_reader *r, struct toml_node *parent, char *key)
{
	struct toml_node *n = node_add(parent, STRING, key);
	bool ok;

	if (++r->values > MAX_VALUES)
		return toml_fail(r, "too many values");
	if (is_at(r, '"') || is_at(r, '\''))
		return read_string(r, &n->text);
	if (!is_at(r, '[') && !is_at(r, '{'))
		return read_word(r, n);
	if (r->depth == MAX_DEPTH)
		return toml_fail(r, "nested too deeply");
	r->depth++;
	n->kind = is_at(r, '[') ? ARRAY : TABLE;
	n->defined = true;
	ok = n->kind == ARRAY ? read_array(r, n) : read_inline_table(r, n);
	r->depth--;
	return ok;
}

/* ---- the file ---- */

/* "[a.b]" or "[[a.b]]" becomes the current table. */
static struct toml_node *
read_header(struct toml_reader *r, struct toml_node *root)
{
	bool is_array = text_begins(r->at, r->end, "[[");
	char *key;

	r->at += is_array ? 2 : 1;
	struct toml_node *table = read_path(r, root, false, &key);
	if (!table)
		return NULL;
	struct toml_node *n = node_find(table, key);
	bool is_free = !n || (is_array ? n->kind == ARRAY && !n->closed
				       : n->kind == TABLE && !n->defined && !n->closed);
	if (!is_free || !text_begins(r->at, r->end, is_array ? "]]" : "]")) {
		free(key);
		toml_fail(r, is_free ? "expected ]" : "this table is there already");
		return NULL;
	}
	r->at += is_array ? 2 : 1;
	if (n)
		free(key);
	else
		n = node_add(table, is_array ? ARRAY : TABLE, key);
	if (is_array)
		n = node_add(n, TABLE, NULL);
	n->defined = true;
	return end_line(r) ? n : NULL;
}

static void
write_node(struct json_writer *w, const struct toml_node *n)
{
	if (n->kind == STRING)
		json_write_stringn(w, buf_text(&n->text), n->text.len);
	else if (n->kind == RAW)
		json_write_raw(w, buf_text(&n->text), n->text.len);
	if (n->kind == STRING || n->kind == RAW)
		return;
	bool is_array = n->kind == ARRAY;
	(is_array ? json_write_array : json_write_object)(w);
	for (const struct toml_node *child = n->first; child; child = child->next) {
		if (!is_array)
			json_write_key(w, child->key);
		write_node(w, child);
	}
	(is_array ? json_write_array_end : json_write_object_end)(w);
}

bool
server_file_toml(const char *text, size_t len, struct buf *out, struct json_error *where)
{
	char *copy = mem_strndup(text, len); /* ends with NUL; ends early at a NUL within */
	struct toml_reader r = {
		.text = copy, .at = copy, .end = copy + strlen(copy), .where = where
	};
	struct toml_node *root = mem_zalloc(sizeof(*root)), *table = root;
	struct json_writer w;
	bool ok = true;

	if (text_begins(r.at, r.end, "\xef\xbb\xbf"))
		r.at += 3;
	for (skip_lines(&r); ok && r.at < r.end; skip_lines(&r)) {
		if (is_at(&r, '['))
			ok = (table = read_header(&r, root)) != NULL;
		else
			ok = read_pair(&r, table) && end_line(&r);
		if (!ok)
			break;
	}
	if (ok && (size_t)(r.end - copy) < len)
		ok = toml_fail(&r, "a control character");
	json_write_init(&w, out);
	if (ok)
		write_node(&w, root);
	node_destroy(root);
	free(copy);
	return ok;
}
