/* SPDX-License-Identifier: MIT */
#include "json/query.h"

#include "base/shared_library.h"
#include "base/vec.h"

#include <jq.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* The libjq functions we use, with the types of its header. */
#define FUNCTIONS(X)              \
	X(jq_init)                \
	X(jq_teardown)            \
	X(jq_set_error_cb)        \
	X(jq_set_input_cb)        \
	X(jq_set_debug_cb)        \
	X(jq_set_attr)            \
	X(jq_compile)             \
	X(jq_start)               \
	X(jq_next)                \
	X(jv_parse_sized)         \
	X(jv_dump_string)         \
	X(jv_string)              \
	X(jv_string_value)        \
	X(jv_string_length_bytes) \
	X(jv_array)               \
	X(jv_copy)                \
	X(jv_get_kind)            \
	X(jv_invalid_has_msg)     \
	X(jv_invalid_get_msg)     \
	X(jv_free)

struct jq_api {
	FUNCTIONS(SHARED_LIBRARY_POINTER)
};

static bool
load(struct jq_api *api, struct err *err)
{
	return SHARED_LIBRARY_LOAD("libjq.so.1", FUNCTIONS, api, NULL) ||
	       err_set(err, "jq expressions need libjq: install the package libjq1");
}

bool
query_load(struct err *err)
{
	struct jq_api api;

	return load(&api, err);
}

void
query_answer_finish(struct query_answer *answer)
{
	buf_finish(&answer->text);
	*answer = (struct query_answer){ .at = 0 };
}

/* ---- what libjq says ---- */

/* Its names of tokens. */
static const char *const words[][2] = {
	{ " (Unix shell quoting issues?)", "" },
	{ "INVALID_CHARACTER", "character" },
	{ ", expecting $end", "" },
	{ "$end", "end" },
	{ "QQSTRING_START", "string" },
	{ "IDENT", "name" },
	{ "FIELD", "field" },
	{ "LITERAL", "number" },
	{ "FORMAT", "format" },
	{ "$*label-", "label $" },
	{ "jq: error: ", "" },
};

void
query_read_error(const char *expression, const char *said, struct query_answer *answer)
{
	static const char place[] = " at <top-level>, line ", column[] = ", column ";
	const char *where = strstr(said, place);
	struct buf text = BUF_INIT;
	size_t len = strcspn(said, "\n");

	answer->at = QUERY_NOWHERE;
	if (where) {
		/* libjq 1.6 repeats the line of the expression and puts as many blanks after it as
		 * its column says; later ones say the column. */
		const char *line = expression, *named = strstr(where, column);
		const char *repeated = strchr(where, '\n');
		size_t number = strtoul(where + strlen(place), NULL, 10), offset = 0;
		for (size_t i = 1; i < number && line[strcspn(line, "\n")]; i++)
			line += strcspn(line, "\n") + 1;
		size_t line_len = strcspn(line, "\n");
		if (named)
			offset = strtoul(named + strlen(column), NULL, 10) - 1;
		else if (repeated && strlen(repeated + 1) >= line_len)
			offset = strlen(repeated + 1) - line_len;
		answer->at = (size_t)(line - expression) + (offset < line_len ? offset : line_len);
	}
	buf_add(&text, said, where && where < said + len ? (size_t)(where - said) : len);
	if (strstr(buf_text(&text), "QQSTRING_END")) {
		buf_clear(&text);
		buf_add_str(&text, "the string does not end");
	} else if (strstr(buf_text(&text), "unexpected $end") ||
		   strstr(buf_text(&text), "unexpected end of file")) {
		buf_clear(&text);
		buf_add_str(&text, "the expression ends too early");
		answer->at = strlen(expression);
	}
	for (size_t i = 0; i < ARRAY_LEN(words); i++)
		buf_replace(&text, words[i][0], words[i][1]);
	err_set(&answer->trouble, "%s", buf_text(&text));
	buf_finish(&text);
}

/* ---- running ---- */

struct run {
	struct jq_api api;
	jq_state *jq;
	const char *expression;
	struct query_answer *answer;
};

/* Only the first thing it says is about the expression; the rest follows from that. */
static void
on_error(void *user, jv said)
{
	struct run *r = user;

	if (!r->answer->trouble.text[0] && r->api.jv_get_kind(said) == JV_KIND_STRING)
		query_read_error(r->expression, r->api.jv_string_value(said), r->answer);
	r->api.jv_free(said);
}

/* The bytes of a string of libjq; frees it. */
static void
add_string(struct run *r, jv string, struct buf *out)
{
	const char *text = r->api.jv_string_value(string);

	buf_add(out, text, (size_t)r->api.jv_string_length_bytes(r->api.jv_copy(string)));
	r->api.jv_free(string);
}

/* An error while it runs: a message, or any value that `error` was given. */
static void
set_trouble(struct run *r, jv invalid)
{
	jv said = r->api.jv_invalid_get_msg(invalid);
	struct buf text = BUF_INIT;
	bool is_text = r->api.jv_get_kind(said) == JV_KIND_STRING;

	add_string(r, is_text ? said : r->api.jv_dump_string(said, 0), &text);
	bool ends = is_text && strcmp(buf_text(&text), "break") == 0;
	err_set(&r->answer->trouble, "%.200s", ends ? "there is no more input" : buf_text(&text));
	buf_finish(&text);
}

static void
run_all(struct run *r, jv value)
{
	struct query_answer *answer = r->answer;
	jv result;

	r->api.jq_start(r->jq, value, 0);
	for (;;) {
		result = r->api.jq_next(r->jq);
		if (r->api.jv_get_kind(result) == JV_KIND_INVALID)
			break;
		jv text = r->api.jv_dump_string(result, 0);
		size_t len = (size_t)r->api.jv_string_length_bytes(r->api.jv_copy(text));
		answer->more = answer->count == QUERY_MAX_RESULTS ||
			       answer->text.len + len + 2 > QUERY_MAX_ANSWER;
		if (answer->more) {
			r->api.jv_free(text);
			return;
		}
		if (answer->count++ > 0)
			buf_add_char(&answer->text, ',');
		add_string(r, text, &answer->text);
	}
	if (r->api.jv_invalid_has_msg(r->api.jv_copy(result)))
		set_trouble(r, result);
	else
		r->api.jv_free(result);
}

bool
query_run(const char *expression, const char *json, size_t len, struct query_answer *answer)
{
	struct run r = { .expression = expression, .answer = answer };

	*answer = (struct query_answer){ .at = QUERY_NOWHERE };
	if (len > QUERY_MAX_BYTES || strlen(expression) > QUERY_MAX_EXPRESSION)
		return err_set(&answer->trouble, "too large for jq");
	if (!load(&r.api, &answer->trouble))
		return false;
	r.jq = r.api.jq_init();
	if (!r.jq)
		return err_set(&answer->trouble, "jq cannot start");
	buf_add_char(&answer->text, '[');
	r.api.jq_set_error_cb(r.jq, on_error, &r);
	/* libjq 1.6 leaves these two pointers as malloc() gave them, and calls them */
	r.api.jq_set_input_cb(r.jq, NULL, NULL);
	r.api.jq_set_debug_cb(r.jq, NULL, NULL);
	/* without folders for modules, include and import find none */
	r.api.jq_set_attr(r.jq, r.api.jv_string("JQ_LIBRARY_PATH"), r.api.jv_array());
	if (r.api.jq_compile(r.jq, expression)) {
		jv value = r.api.jv_parse_sized(json, (int)len);
		if (r.api.jv_get_kind(value) == JV_KIND_INVALID)
			set_trouble(&r, value);
		else
			run_all(&r, value);
	} else if (!answer->trouble.text[0]) {
		err_set(&answer->trouble, "jq does not compile it");
	}
	buf_add_char(&answer->text, ']');
	r.api.jq_teardown(&r.jq);
	return true;
}
