#include "uri_template_priv.h"

#include "base/hex.h"
#include "base/mem.h"
#include "base/vec.h"

#include <stdlib.h>
#include <string.h>

/* RFC 6570, section 2 and appendix A. */
static const struct uri_operator operators[] = {
	{ '+', "", ',', false, "", true },
	{ '#', "#", ',', false, "", true },
	{ '.', ".", '.', false, "", false },
	{ '/', "/", '/', false, "", false },
	{ ';', ";", ';', true, "", false },
	{ '?', "?", '&', true, "=", false },
	{ '&', "&", '&', true, "=", false },
	{ '\0', "", ',', false, "", false },
};
#define PLAIN (sizeof(operators) / sizeof(*operators) - 1)

struct walk {
	const char *start, *at, *end;
	const struct uri_template_visitor *visitor;
	size_t variables;
	struct err *err;
};

static bool
is_alnum(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool
is_triplet(const char *at, const char *end)
{
	return end - at >= 3 && at[0] == '%' && hex_number(at + 1, 2) >= 0;
}

static bool
fail(struct walk *w, const char *what)
{
	return err_set(
	    w->err, "the URI template is broken at byte %zu: %s", (size_t)(w->at - w->start), what);
}

/* varname: letters, digits, "_", %xx; single dots between. */
static bool
take_name(struct walk *w, struct uri_spec *spec)
{
	const char *start = w->at;

	while (w->at < w->end) {
		if (is_alnum(*w->at) || *w->at == '_')
			w->at++;
		else if (is_triplet(w->at, w->end))
			w->at += 3;
		else if (*w->at == '.' && w->at > start && w->at[-1] != '.')
			w->at++;
		else
			break;
	}
	if (w->at == start)
		return fail(w, "expected the name of a variable");
	if (w->at[-1] == '.')
		return fail(w, "a name cannot end with a dot");
	spec->name = start;
	spec->len = (size_t)(w->at - start);
	return true;
}

/* "*", or ":" and a number from 1 to 9999. */
static bool
take_modifier(struct walk *w, struct uri_spec *spec)
{
	if (w->at < w->end && *w->at == '*') {
		spec->explode = true;
		w->at++;
		return true;
	}
	if (w->at == w->end || *w->at != ':')
		return true;
	w->at++;
	if (w->at == w->end || *w->at < '1' || *w->at > '9')
		return fail(w, "expected a length from 1 to 9999");
	while (w->at < w->end && *w->at >= '0' && *w->at <= '9') {
		spec->prefix = spec->prefix * 10 + (size_t)(*w->at - '0');
		if (spec->prefix > 9999)
			return fail(w, "a length is at most 9999");
		w->at++;
	}
	return true;
}

static const struct uri_operator *
take_operator(struct walk *w)
{
	for (size_t i = 0; w->at < w->end && i < PLAIN; i++)
		if (*w->at == operators[i].op) {
			w->at++;
			return &operators[i];
		}
	return &operators[PLAIN];
}

/* What is between braces; at is after the first. */
static bool
take_expression(struct walk *w)
{
	const struct uri_operator *op = take_operator(w);

	for (bool first = true;; first = false) {
		struct uri_spec spec = { 0 };
		if (!take_name(w, &spec) || !take_modifier(w, &spec))
			return false;
		if (++w->variables > URI_VARIABLES_MAX)
			return fail(w, "too many variables");
		if (!w->visitor->variable(w->visitor->ctx, op, &spec, first))
			return false;
		if (w->at == w->end)
			return fail(w, "expected \"}\"");
		char next = *w->at++;
		if (next == '}')
			return true;
		if (next != ',') {
			w->at--;
			return fail(w, "expected \",\" or \"}\"");
		}
	}
}

bool
uri_template_walk(const char *text, const struct uri_template_visitor *visitor, struct err *err)
{
	size_t len = strnlen(text, URI_TEMPLATE_MAX + 1);
	struct walk w = { text, text, text + len, visitor, 0, err };

	if (len > URI_TEMPLATE_MAX)
		return err_set(err, "the URI template is longer than %zu bytes", URI_TEMPLATE_MAX);
	while (w.at < w.end) {
		size_t literal = strcspn(w.at, "{}");
		if (literal > 0 && !visitor->literal(visitor->ctx, w.at, literal))
			return false;
		w.at += literal;
		if (w.at == w.end)
			break;
		if (*w.at == '}')
			return fail(&w, "a \"}\" without its \"{\"");
		w.at++;
		if (!take_expression(&w))
			return false;
	}
	return true;
}

void
uri_encode(struct buf *out, const char *text, size_t len, bool reserved)
{
	static const char hex[] = "0123456789ABCDEF";
	const char *end = text + len;

	for (const char *at = text; at < end && !out->overflowed; at++) {
		unsigned char c = (unsigned char)*at;
		if (c == 0xc0 && end - at > 1 && (unsigned char)at[1] == 0x80) {
			buf_add_str(out, "%00"); /* how our trees hold U+0000 */
			at++;
		} else if (reserved && is_triplet(at, end)) {
			buf_add(out, at, 3);
			at += 2;
		} else if (is_alnum(*at) || memchr("-._~", *at, 4) ||
			   (reserved && memchr(":/?#[]@!$&'()*+,;=", *at, 18))) {
			buf_add_char(out, *at);
		} else {
			char triplet[3] = { '%', hex[c >> 4], hex[c & 15] };
			buf_add(out, triplet, 3);
		}
	}
}

/* ---- the variables ---- */

static bool
skip_literal(void *ctx, const char *text, size_t len)
{
	(void)ctx;
	(void)text;
	(void)len;
	return true;
}

static bool
collect(void *ctx, const struct uri_operator *op, const struct uri_spec *spec, bool is_first)
{
	struct uri_variables *v = ctx;
	(void)is_first;

	for (size_t i = 0; i < v->len; i++) {
		struct uri_variable *known = &v->items[i];
		if (strncmp(known->name, spec->name, spec->len) != 0 || known->name[spec->len])
			continue;
		known->explode = known->explode || spec->explode;
		known->optional = known->optional && op->named;
		return true;
	}
	*VEC_PUSH(v) = (struct uri_variable){
		.name = mem_strndup(spec->name, spec->len),
		.explode = spec->explode,
		.optional = op->named,
	};
	return true;
}

bool
uri_template_variables(const char *text, struct uri_variables *out, struct err *err)
{
	struct uri_template_visitor visitor = { skip_literal, collect, out };

	*out = (struct uri_variables){ 0 };
	if (uri_template_walk(text, &visitor, err))
		return true;
	uri_variables_finish(out);
	return false;
}

void
uri_variables_finish(struct uri_variables *v)
{
	for (size_t i = 0; i < v->len; i++)
		free(v->items[i].name);
	free(v->items);
	*v = (struct uri_variables){ 0 };
}
