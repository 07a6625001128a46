/* SPDX-License-Identifier: MIT */
#ifndef CLIENT_CALL_CODE_H
#define CLIENT_CALL_CODE_H

#include "base/strings.h"
#include "client/choice.h"
#include "client/server.h"

/*
 * A call in another form: an mcpane command line, a curl command, a program in Python or TypeScript
 * with the official SDK. The code contains no secrets: values that are secret by their name, or
 * that come from the user's environment, are read from environment variables named in a comment;
 * secrets in the arguments stay hidden. Every text is quoted for its language.
 */
struct call_code {
	const struct target *target; /* of the server */
	enum choice_origin origin;
	enum primitive_kind kind;
	const char *key;            /* a tool's or prompt's name */
	const char *uri;            /* of a resource; NULL for others */
	const char *arguments;      /* JSON, history_redact() */
	const cJSON *definition;    /* of the tool, for its headers; may be NULL */
	const char *protocol;       /* "2026-07-28"; "": unknown */
	bool modern, is_authorized; /* with a token that mcpane stores */
};

struct call_code_format {
	const char *name, *title; /* "curl", "curl command"; NULL past the last */
	bool (*add)(const struct call_code *c, struct buf *out, struct err *err);
};
extern const struct call_code_format call_code_formats[];

/* A string literal, or a word of a command line that sh, bash, dash, zsh, fish and tcsh read as
 * these bytes, or tcsh refuses; line breaks at its end are lost. needs: the text may have variables
 * of the environment (src/client/call_code), which are added to it; NULL: it has none. */
enum code_language { CODE_SHELL, CODE_PYTHON, CODE_TYPESCRIPT };
void code_add_text(
    struct buf *out, enum code_language language, const char *text, struct strings *needs);

#endif
