/* SPDX-License-Identifier: MIT */
#include "base/buf.h"
#include "base/mem.h"
#include "base/vec.h"
#include "json/equal.h"
#include "json/number.h"
#include "json/print.h"
#include "table.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- texts ---- */

static bool
found_in(const struct row_search *s, const char *text)
{
	return substring_is_in(&s->needle, text, strlen(text));
}

static bool
value_matches(const struct row_search *s, const cJSON *value)
{
	char number[JSON_NUMBER_TEXT_MAX];

	switch (json_type(value)) {
	case JSON_NULL:
		return s->in_null;
	case JSON_BOOLEAN:
		return cJSON_IsTrue(value) ? s->in_true : s->in_false;
	case JSON_NUMBER:
		return s->in_numbers && found_in(s, json_number_text(value, number));
	case JSON_STRING:
		return found_in(s, value->valuestring);
	default:
		return false;
	}
}

/* Search keys only inside cells: deeper than the columns, and in arrays. */
static bool
is_in_row(const struct row_search *s, const cJSON *value, int depth)
{
	bool object = json_type(value) == JSON_OBJECT, keys = object && depth >= COLUMN_DEPTH;

	if (!json_first(value))
		return value_matches(s, value);
	for (const cJSON *m = json_first(value); m; m = m->next)
		if ((keys && found_in(s, m->string)) ||
		    is_in_row(s, m, object ? depth + 1 : COLUMN_DEPTH))
			return true;
	return false;
}

static void
row_search_init(struct row_search *s, const char *text)
{
	substring_init(&s->needle, text, strlen(text));
	s->in_numbers = text[strspn(text, "0123456789+-.eE")] == '\0';
	s->in_null = found_in(s, "null");
	s->in_true = found_in(s, "true");
	s->in_false = found_in(s, "false");
	s->is_plain = true;
	for (const char *at = text; *at; at++)
		s->is_plain &= *at >= ' ' && *at < 0x7f && *at != '"' && *at != '\\';
}

/* ---- comparisons ---- */

static const cJSON *
value_of(const struct filter_value *v, const struct table *t, size_t row, cJSON *key)
{
	if (v->column != SIZE_MAX)
		return table_scan_cell(t, row, v->column);
	if (!v->is_key)
		return v->constant;
	*key = (cJSON){ .type = cJSON_String, .valuestring = (char *)table_row_key(t, row) };
	return key;
}

/* Compare two numbers or two strings. False: other values, which are not ordered. */
static bool
compare(const cJSON *a, const cJSON *b, int *order)
{
	enum json_type type = json_type(a);

	if (type != json_type(b) || (type != JSON_NUMBER && type != JSON_STRING))
		return false;
	*order = type == JSON_NUMBER ? json_number_compare(a, b)
				     : strcmp(a->valuestring, b->valuestring);
	return true;
}

static bool
holds(const struct filter_node *n, const cJSON *a, const cJSON *b)
{
	int order = 0;
	bool contains, equal;

	switch (n->operator) {
	case FILTER_EQUAL:
	case FILTER_UNEQUAL:
		equal = compare(a, b, &order) ? order == 0 : a && b ? json_equal(a, b) : a == b;
		return equal == (n->operator== FILTER_EQUAL);
	case FILTER_CONTAINS:
	case FILTER_CONTAINS_NOT:
		contains = a && is_in_row(&n->search, a, COLUMN_DEPTH);
		return contains == (n->operator== FILTER_CONTAINS);
	default:
		if (!compare(a, b, &order))
			return false;
	}
	return n->operator== FILTER_LESS      ? order < 0
	       : n->operator== FILTER_AT_MOST ? order <= 0
	       : n->operator== FILTER_MORE    ? order > 0
					      : order >= 0;
}

/* Recursion is bounded by DEPTH_MAX and NODES_MAX. */
bool
row_filter_passes(const struct row_filter *f, size_t node, const struct table *t, size_t row)
{
	const struct filter_node *n = &f->items[node];
	const char *key = table_row_key(t, row), *text;
	const cJSON *value;
	enum json_type type;
	size_t len;
	cJSON a, b;

	switch (n->kind) {
	case FILTER_TEXT:
		/* Search the text of a row first, because most rows need no parsing then. */
		if (n->search.needle.len == 0 || (key && found_in(&n->search, key)))
			return true;
		if (!t->rows && n->search.is_plain && json_reader_text(t->scan, row, &text, &len) &&
		    !substring_is_in(&n->search.needle, text, len))
			return false;
		return is_in_row(&n->search, table_scan(t, row), 0);
	case FILTER_COMPARE:
		return holds(n, value_of(&n->a, t, row, &a), value_of(&n->b, t, row, &b));
	case FILTER_THERE:
		value = value_of(&n->a, t, row, &a);
		type = json_type(value);
		return type != JSON_ABSENT && type != JSON_NULL &&
		       (type != JSON_BOOLEAN || cJSON_IsTrue(value));
	case FILTER_INVALID:
		return row_set_has(&t->invalid, row);
	case FILTER_SELECTED:
		return row_set_has(&t->picked, row);
	case FILTER_NOT:
		return !row_filter_passes(f, n->left, t, row);
	case FILTER_AND:
		return row_filter_passes(f, n->left, t, row) &&
		       row_filter_passes(f, n->right, t, row);
	case FILTER_OR:
		return row_filter_passes(f, n->left, t, row) ||
		       row_filter_passes(f, n->right, t, row);
	}
	return false;
}

static void
row_filter_release(struct filter_node *node)
{
	substring_finish(&node->search.needle);
	json_doc_destroy(node->a.doc);
	json_doc_destroy(node->b.doc);
}

void
row_filter_finish(struct row_filter *f)
{
	for (size_t i = 0; i < f->len; i++)
		row_filter_release(&f->items[i]);
	free(f->items);
	*f = (struct row_filter){ .root = FILTER_NOWHERE };
}

/*
 * Reads a filter: a text, or an expression, which compares types and exact values:
 *
 *   COLUMN = VALUE   also != < <= > >=, and ~ !~ for "contains", ignoring ASCII case
 *   COLUMN           has a value, which is neither null nor false
 *   "text"           the row contains it
 *   @invalid         has violations    @selected    was selected when the filter was set
 *   and or not ( )
 *
 * VALUE is a JSON scalar, a string in apostrophes, `missing` or a column; @key is the key of a
 * map's row. Quotes or backquotes around a name allow any characters in it.
 */

enum token_kind {
	TOKEN_END,
	TOKEN_WORD,
	TOKEN_COLUMN,
	TOKEN_QUOTED,
	TOKEN_OPERATOR,
	TOKEN_SIGN,
	TOKEN_BAD
};

struct token {
	enum token_kind kind;
	size_t at, len;
	enum filter_operator operator;
	const char *sign; /* of TOKEN_SIGN: "(", ")", "and", "or", "not" */
};

struct filter_reader {
	const struct table *table;
	const char *text;
	struct row_filter *filter;
	struct token token; /* the next one */
	struct filter_fault *fault;
	int depth;
};

/* ---- tokens ---- */

/* Longer operators come first. */
static const struct {
	const char *text;
	enum filter_operator operator;
} operators[] = {
	{ "!=", FILTER_UNEQUAL },
	{ "<>", FILTER_UNEQUAL },
	{ "!~", FILTER_CONTAINS_NOT },
	{ "<=", FILTER_AT_MOST },
	{ ">=", FILTER_AT_LEAST },
	{ "==", FILTER_EQUAL },
	{ "=", FILTER_EQUAL },
	{ "<", FILTER_LESS },
	{ ">", FILTER_MORE },
	{ "~", FILTER_CONTAINS },
};

static const struct {
	const char *text, *sign;
} signs[] = {
	{ "(", "(" },
	{ ")", ")" },
	{ "&&", "and" },
	{ "||", "or" },
	{ "!", "not" },
};

static const char *const words[] = { "and", "or", "not" };

static bool
is_word(const struct filter_reader *r, const struct token *t, const char *word)
{
	return t->kind == TOKEN_WORD && t->len == strlen(word) &&
	       strncasecmp(r->text + t->at, word, t->len) == 0;
}

static struct token
token_at(const struct filter_reader *r, size_t at)
{
	const char *text = r->text + at;
	struct token t = { .kind = TOKEN_BAD };

	t.at = at + strspn(text, " \t");
	text = r->text + t.at;
	if (*text == '\0') {
		t.kind = TOKEN_END;
		return t;
	}
	if (strchr("\"'`", *text)) {
		/* A backslash in a string keeps the next character from ending it. */
		size_t len = 1;
		for (; text[len] && text[len] != text[0]; len++)
			len += text[0] == '"' && text[len] == '\\' && text[len + 1];
		t.len = text[len] ? len + 1 : 0;
		t.kind = t.len == 0 ? TOKEN_BAD : *text == '`' ? TOKEN_COLUMN : TOKEN_QUOTED;
		t.len = t.len > 0 ? t.len : strlen(text);
		return t;
	}
	for (size_t i = 0; i < ARRAY_LEN(operators) && t.len == 0; i++) {
		if (strncmp(text, operators[i].text, strlen(operators[i].text)) != 0)
			continue;
		t.kind = TOKEN_OPERATOR;
		t.operator= operators[i].operator;
		t.len = strlen(operators[i].text);
	}
	for (size_t i = 0; i < ARRAY_LEN(signs) && t.len == 0; i++) {
		if (strncmp(text, signs[i].text, strlen(signs[i].text)) != 0)
			continue;
		t.kind = TOKEN_SIGN;
		t.sign = signs[i].sign;
		t.len = strlen(signs[i].text);
	}
	if (t.len > 0)
		return t;
	t.kind = TOKEN_WORD;
	t.len = strcspn(text, " \t\"'`()=<>!~&|");
	t.len = t.len > 0 ? t.len : 1; /* one & or | */
	for (size_t i = 0; i < ARRAY_LEN(words); i++)
		if (is_word(r, &t, words[i])) {
			t.kind = TOKEN_SIGN;
			t.sign = words[i];
		}
	return t;
}

static void
next_token(struct filter_reader *r)
{
	r->token = token_at(r, r->token.at + r->token.len);
}

static bool
is_sign(const struct token *t, const char *sign)
{
	return t->kind == TOKEN_SIGN && strcmp(t->sign, sign) == 0;
}

/* Return a column by name, exactly, or else ignoring case; SIZE_MAX: not a column. */
static size_t
column_of(const struct filter_reader *r, const struct token *t)
{
	bool quoted = t->kind == TOKEN_COLUMN || t->kind == TOKEN_QUOTED;
	char *name = mem_strndup(r->text + t->at + quoted, t->len - (quoted ? 2 : 0));
	size_t column = t->kind == TOKEN_BAD ? SIZE_MAX : table_find_column(r->table, name);

	for (size_t i = 0; i < r->table->columns.len && column == SIZE_MAX; i++)
		if (strcasecmp(r->table->columns.items[i].name, name) == 0)
			column = i;
	free(name);
	return column;
}

static const struct {
	const char *word;
	enum filter_kind kind;
} facts[] = {
	{ "@invalid", FILTER_INVALID },
	{ "@selected", FILTER_SELECTED },
};

static bool
is_fact(const struct filter_reader *r, const struct token *t, enum filter_kind *kind)
{
	for (size_t i = 0; i < ARRAY_LEN(facts); i++) {
		if (!is_word(r, t, facts[i].word) || column_of(r, t) != SIZE_MAX)
			continue;
		*kind = facts[i].kind;
		return true;
	}
	return false;
}

/* ---- faults ---- */

/* Record the first fault. Return FILTER_NOWHERE. */
__attribute__((format(printf, 3, 4))) static size_t
filter_fail(struct filter_reader *r, const struct token *t, const char *format, ...)
{
	va_list args;

	if (r->fault->text[0])
		return FILTER_NOWHERE;
	va_start(args, format);
	vsnprintf(r->fault->text, sizeof(r->fault->text), format, args);
	va_end(args);
	r->fault->at = t->at;
	r->fault->len = t->len;
	return FILTER_NOWHERE;
}

/* ---- values ---- */

/* Parse a string: JSON in quotes, or verbatim in apostrophes. */
static struct json_doc *
read_string(const struct filter_reader *r, const struct token *t)
{
	const char *text = r->text + t->at;
	struct buf quoted = BUF_INIT;

	if (*text == '"')
		return json_parse(text, t->len, NULL, NULL);
	buf_add_char(&quoted, '"');
	for (size_t i = 1; i + 1 < t->len; i++) {
		if (strchr("\"\\", text[i]))
			buf_add_char(&quoted, '\\');
		buf_add_char(&quoted, text[i]);
	}
	buf_add_char(&quoted, '"');
	struct json_doc *doc = json_parse(buf_text(&quoted), quoted.len, NULL, NULL);
	buf_finish(&quoted);
	return doc;
}

static bool
read_constant(struct filter_reader *r, struct filter_value *v)
{
	const struct token *t = &r->token;
	const char *text = r->text + t->at;

	v->is_missing = is_word(r, t, "missing");
	if (t->kind == TOKEN_QUOTED)
		v->doc = read_string(r, t);
	else if (is_word(r, t, "true") || is_word(r, t, "false") || is_word(r, t, "null") ||
		 json_is_number_text(text, t->len))
		v->doc = json_parse(text, t->len, NULL, NULL);
	v->constant = v->doc ? json_root(v->doc) : NULL;
	return v->constant || v->is_missing;
}

/* first: a left operand, where a quoted name is a column. */
static bool
read_value(struct filter_reader *r, struct filter_value *v, bool first)
{
	struct token t = r->token;
	bool names = t.kind == TOKEN_WORD || t.kind == TOKEN_COLUMN;
	bool compares = token_at(r, t.at + t.len).kind == TOKEN_OPERATOR;

	*v = (struct filter_value){ .column = SIZE_MAX };
	if (!first && read_constant(r, v))
		; /* columns of arrays are named 0, 1, 2 */
	else if (names || (t.kind == TOKEN_QUOTED && compares))
		v->column = column_of(r, &t);
	if (v->column == SIZE_MAX && is_word(r, &t, "@key") && r->table->kind == TABLE_MAP)
		v->is_key = true;
	else if (v->column == SIZE_MAX && !v->constant && !v->is_missing &&
		 (t.kind == TOKEN_COLUMN || !read_constant(r, v))) {
		int len = t.len > 40 ? 40 : (int)t.len;
		const char *text = r->text + t.at;

		if (t.kind == TOKEN_BAD)
			filter_fail(r, &t, "the quote is not closed");
		else if (t.kind == TOKEN_QUOTED)
			filter_fail(r, &t, "this is not a JSON string");
		else if (t.kind != TOKEN_WORD && t.kind != TOKEN_COLUMN)
			filter_fail(r, &t, first ? "a column is expected" : "a value is expected");
		else if (first || t.kind == TOKEN_COLUMN)
			filter_fail(r, &t, "no column is named %.*s", len, text);
		else
			filter_fail(r, &t, "a string needs quotes: \"%.*s\"", len, text);
		return false;
	}
	next_token(r);
	return true;
}

/* ---- conditions: each returns the index of its node, or FILTER_NOWHERE ---- */

#define DEPTH_MAX 60
#define NODES_MAX 400

static size_t
add_node(struct filter_reader *r, struct filter_node node)
{
	if (r->filter->len == NODES_MAX) {
		row_filter_release(&node);
		return filter_fail(r, &r->token, "these are too many conditions");
	}
	*VEC_PUSH(r->filter) = node;
	return r->filter->len - 1;
}

/* Read conditions joined by "and" or, if kind is FILTER_OR, chains of them joined by "or". */
static size_t read_chain(struct filter_reader *r, enum filter_kind kind);

static void
set_search(struct filter_node *node, const cJSON *constant)
{
	char number[JSON_NUMBER_TEXT_MAX];
	const char *text = json_type(constant) == JSON_NUMBER ? json_number_text(constant, number)
							      : constant->valuestring;

	row_search_init(&node->search, text);
}

static size_t
read_comparison(struct filter_reader *r)
{
	struct filter_node node = { .kind = FILTER_COMPARE };
	enum filter_kind fact;

	if (is_fact(r, &r->token, &fact)) {
		next_token(r);
		return add_node(r, (struct filter_node){ .kind = fact });
	}
	bool ok = read_value(r, &node.a, true);
	bool compares = ok && r->token.kind == TOKEN_OPERATOR;
	if (compares) {
		node.operator= r->token.operator;
		next_token(r);
		struct token t = r->token;
		ok = read_value(r, &node.b, false);
		enum json_type type = json_type(node.b.constant);
		bool contains =
		    node.operator== FILTER_CONTAINS || node.operator== FILTER_CONTAINS_NOT;
		if (ok && contains && type != JSON_STRING && type != JSON_NUMBER) {
			filter_fail(r, &t, "~ needs a string in quotes");
			ok = false;
		} else if (ok && contains) {
			set_search(&node, node.b.constant);
		}
	} else if (ok && node.a.column != SIZE_MAX) {
		node.kind = FILTER_THERE;
	} else if (ok && json_type(node.a.constant) == JSON_STRING) {
		node.kind = FILTER_TEXT;
		set_search(&node, node.a.constant);
	} else if (ok) {
		filter_fail(r, &r->token, "an operator is expected: = != < <= > >= ~ !~");
		ok = false;
	}
	if (!ok) {
		row_filter_release(&node);
		return FILTER_NOWHERE;
	}
	return add_node(r, node);
}

static size_t
read_one(struct filter_reader *r)
{
	bool negates = is_sign(&r->token, "not"), opens = is_sign(&r->token, "(");

	if (!negates && !opens)
		return read_comparison(r);
	if (r->depth == DEPTH_MAX)
		return filter_fail(r, &r->token, "this is nested too deep");
	r->depth++;
	next_token(r);
	size_t inner = negates ? read_one(r) : read_chain(r, FILTER_OR);
	r->depth--;
	if (inner == FILTER_NOWHERE)
		return inner;
	if (negates)
		return add_node(r, (struct filter_node){ .kind = FILTER_NOT, .left = inner });
	if (!is_sign(&r->token, ")"))
		return filter_fail(r, &r->token, ") is expected");
	next_token(r);
	return inner;
}

static size_t
read_chain(struct filter_reader *r, enum filter_kind kind)
{
	bool any = kind == FILTER_OR;
	size_t left = any ? read_chain(r, FILTER_AND) : read_one(r);

	while (left != FILTER_NOWHERE && is_sign(&r->token, any ? "or" : "and")) {
		next_token(r);
		size_t right = any ? read_chain(r, FILTER_AND) : read_one(r);
		left = right == FILTER_NOWHERE
			   ? right
			   : add_node(r, (struct filter_node){
					     .kind = kind, .left = left, .right = right });
	}
	return left;
}

/* ---- filters ---- */

/* Return whether the text compares a column, or has @invalid or @selected. */
static bool
asks_for_columns(struct filter_reader *r)
{
	struct token before = { .kind = TOKEN_END };
	enum filter_kind fact;

	for (struct token t = token_at(r, 0); t.kind != TOKEN_END; t = token_at(r, t.at + t.len)) {
		bool names =
		    before.len > 0 && (before.kind == TOKEN_WORD || before.kind == TOKEN_COLUMN ||
					  before.kind == TOKEN_QUOTED);
		if (is_fact(r, &t, &fact))
			return true;
		if (names && t.kind == TOKEN_OPERATOR &&
		    (column_of(r, &before) != SIZE_MAX || is_word(r, &before, "@key")))
			return true;
		before = t;
	}
	return false;
}

#define EXPRESSION_MAX 4096

enum filter_look
row_filter_init(
    struct row_filter *f, const struct table *t, const char *text, struct filter_fault *fault)
{
	struct filter_fault own;
	struct filter_reader r = {
		.table = t, .text = text, .filter = f, .fault = fault ? fault : &own
	};

	*f = (struct row_filter){ .root = FILTER_NOWHERE };
	*r.fault = (struct filter_fault){ .at = 0 };
	bool asks = strlen(text) <= EXPRESSION_MAX && asks_for_columns(&r);
	r.token = token_at(&r, 0);
	if (asks || r.token.kind == TOKEN_QUOTED)
		f->root = read_chain(&r, FILTER_OR);
	if (f->root != FILTER_NOWHERE && r.token.kind != TOKEN_END)
		f->root = filter_fail(&r, &r.token, "and, or is expected");
	if (f->root != FILTER_NOWHERE)
		return FILTER_LOOK_EXPRESSION;
	row_filter_finish(f);
	if (asks)
		return FILTER_LOOK_WRONG;
	*r.fault = (struct filter_fault){ .at = 0 };
	struct filter_node node = { .kind = FILTER_TEXT };
	row_search_init(&node.search, text);
	f->root = add_node(&r, node);
	return FILTER_LOOK_TEXT;
}

enum filter_look
table_filter_look(const struct table *t, const char *text, struct filter_fault *fault)
{
	struct row_filter f;
	enum filter_look look = row_filter_init(&f, t, text, fault);

	row_filter_finish(&f);
	return look;
}

/* ---- writing ---- */

bool
table_filter_of_cell(
    const struct table *t, size_t row, size_t column, bool negated, struct buf *out)
{
	static const char *const quotes[] = { "", "`" };
	const cJSON *cell = table_cell(t, row, column);
	enum json_type type = json_type(cell);
	struct buf text = BUF_INIT;
	bool is = false;

	for (size_t i = 0; i < ARRAY_LEN(quotes) && !is; i++) {
		if (type == JSON_ARRAY || type == JSON_OBJECT)
			break;
		buf_clear(&text);
		buf_addf(&text, "%s%s%s %s ", quotes[i], t->columns.items[column].name, quotes[i],
		    negated ? "!=" : "=");
		if (cell)
			json_print(&text, cell);
		else
			buf_add_str(&text, "missing");
		/* the text must parse as one comparison, of this column */
		struct row_filter f;
		enum filter_look look = row_filter_init(&f, t, buf_text(&text), NULL);
		is = look == FILTER_LOOK_EXPRESSION && f.len == 1 &&
		     f.items[0].kind == FILTER_COMPARE && f.items[0].a.column == column;
		row_filter_finish(&f);
	}
	if (is)
		buf_add(out, buf_text(&text), text.len);
	buf_finish(&text);
	return is;
}
