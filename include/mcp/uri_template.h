/* SPDX-License-Identifier: MIT */
#ifndef MCP_URI_TEMPLATE_H
#define MCP_URI_TEMPLATE_H

#include "base/buf.h"
#include "base/err.h"
#include "json/doc.h"

/*
 * URI templates, RFC 6570, all four levels: lists their variables and expands them. Bounds: 64 KiB
 * per template, 256 variables, 1 MiB per URI. A template that breaks the grammar is refused.
 */
struct uri_variable {
	char *name;
	bool explode;  /* "*": arrays and objects become one part for each member */
	bool optional; /* named, as in {?x}: the URI works without it */
};

struct uri_variables {
	struct uri_variable *items;
	size_t len, cap;
};

/* Lists the variables in order of appearance, each once. False: the template is broken, err says
 * how, and *out is empty. */
bool uri_template_variables(const char *text, struct uri_variables *out, struct err *err);
void uri_variables_finish(struct uri_variables *v);

/* Appends the URI. values: an object of strings, numbers and booleans, or arrays (lists) and
 * objects (associative arrays) of them; null and absent members are undefined. NULL: all are
 * undefined. False: nothing was appended. */
bool uri_template_expand(const char *text, const cJSON *values, struct buf *out, struct err *err);

#endif
