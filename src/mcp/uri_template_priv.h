#ifndef MCP_URI_TEMPLATE_PRIV_H
#define MCP_URI_TEMPLATE_PRIV_H

#include "mcp/uri_template.h"

/* How an expression's operator expands: RFC 6570, appendix A. */
struct uri_operator {
	char op;           /* '\0': none */
	const char *first; /* before the first defined variable */
	char separator;    /* between them */
	bool named;
	const char *if_empty; /* after the name of an empty value */
	bool reserved;        /* reserved characters and %xx stay as they are */
};

struct uri_spec {
	const char *name;
	size_t len;
	size_t prefix; /* characters; 0: all */
	bool explode;
};

#define URI_TEMPLATE_MAX ((size_t)64 << 10)
#define URI_VARIABLES_MAX 256
#define URI_MAX ((size_t)1 << 20)

/* What a template is made of is handed out in order. False from either ends it. */
struct uri_template_visitor {
	bool (*literal)(void *ctx, const char *text, size_t len);
	bool (*variable)(void *ctx, const struct uri_operator *op, const struct uri_spec *spec,
	    bool is_first); /* of its expression */
	void *ctx;
};
bool uri_template_walk(
    const char *text, const struct uri_template_visitor *visitor, struct err *err);

/* Appends text with everything encoded that must be. */
void uri_encode(struct buf *out, const char *text, size_t len, bool reserved);

#endif
