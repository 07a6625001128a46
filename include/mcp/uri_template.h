#ifndef MCP_URI_TEMPLATE_H
#define MCP_URI_TEMPLATE_H

#include "base/buf.h"
#include "base/err.h"
#include "json/doc.h"

/*
 * URI templates, RFC 6570, all four levels: what variables they have, and what
 * URI they become with values. Bounded: a template of 64 KiB, 256 variables in it,
 * a URI of 1 MiB. A template that breaks the grammar is refused, not guessed at.
 */
struct uri_variable {
	char *name;
	bool explode;  /* "*": lists and objects become one part for each member */
	bool optional; /* named, as in {?x}: the URI stands without it */
};

struct uri_variables {
	struct uri_variable *items;
	size_t len, cap;
};

/* The variables in order of appearance, each once. False: err says what is wrong with the template,
 * and there are none. */
bool uri_template_variables(const char *text, struct uri_variables *out, struct err *err);
void uri_variables_finish(struct uri_variables *v);

/* Appends the URI. values: an object; of its members strings, numbers and booleans are values,
 * arrays and objects of such are lists and associative arrays, null and what is absent is
 * undefined. NULL: all are. False: nothing was appended. */
bool uri_template_expand(const char *text, const cJSON *values, struct buf *out, struct err *err);

#endif
