/* SPDX-License-Identifier: MIT */
#ifndef BASE_SECRET_H
#define BASE_SECRET_H

#include "base/buf.h"

/*
 * Values that are never kept or reported. Three rules find them: the name of the value (parameters
 * of a URL, members of a form and of JSON, the environment and headers of a server); the value, if
 * it was recorded as a secret; and the shape of a well-known token. docs/SECURITY.md lists the
 * limits.
 */
#define SECRET_HIDDEN "(hidden)"

/* ---- by name ---- */

enum secret_kind {
	SECRET_NONE,
	SECRET_BY_VALUE,   /* "key", "signature": only what looks like a token */
	SECRET_NOT_NUMBER, /* "access_tokens": a number is a count */
	SECRET_ALWAYS,
};

/* "access_token", "client-secret", "apiKey", "X-Amz-Signature", "code"; may be percent-encoded.
 * Not "nextPageToken", "primary_key". */
enum secret_kind secret_kind(const char *name, size_t len);
bool secret_is_named(const char *name, size_t len); /* of any kind */
bool secret_is_value(enum secret_kind kind, const char *value, size_t len);
/* The members of a pair: {"name": "Authorization", "value": "..."}. NULL ends the lists. */
extern const char *const secret_pair_names[], *const secret_pair_values[];
/* "name=value"; a value that is only a reference, "${...}", stays. */
void secret_hide_member(struct buf *out, const char *member, size_t len);
/* A header of HTTP, "Name: value"; of a header that is not secret the secrets in URLs. */
void secret_hide_header(struct buf *out, const char *line, size_t len);
/* Those in the query and the fragment of a URL. */
void secret_hide_url(struct buf *out, const char *url);

/* ---- by value ---- */

/* Hides the value from now on, verbatim, as escaped in JSON and as encoded in a URL. A value of
 * fewer than 8 bytes is hidden only as a whole word. False: it is shorter than SECRET_VALUE_MIN, or
 * the recorded values would exceed SECRET_VALUES_MAX bytes. */
#define SECRET_VALUE_MIN 4
#define SECRET_VALUES_MAX ((size_t)256 * 1024)
bool secret_note_value(const char *value);
/* The same of a value that the user gave to something with this name, unless it is too common to be
 * hidden everywhere. Its own call keeps it, so that the call can be made again. */
void secret_note_typed(const char *name, const char *value);
enum secret_values {
	SECRET_VALUES_NOTED,
	SECRET_VALUES_GIVEN, /* only those of secret_note_value() */
	SECRET_VALUES_CUT,   /* also the beginning of a value that the screen cuts */
};
/* Appends the text with those values hidden. False: it has none, and nothing was appended. */
bool secret_hide_values(struct buf *out, const char *text, size_t len, enum secret_values which);
/* Those values, and tokens that are known by their shape: "ghp_...", "AKIA...", a private key in
 * PEM. False as above. */
bool secret_hide_tokens(struct buf *out, const char *text, size_t len);

/* ---- in any text ---- */

/* Any text, such as a log line, a message or code: recorded values, tokens, "name=value",
 * "name: value", "--name value", quoted or not, arrays, pairs of a name and a value, elements of
 * XML, "Bearer TOKEN", and the secrets in URLs. Each byte is read a bounded number of times. False:
 * no secret was found, and the text was appended unchanged. */
bool secret_hide_text(struct buf *out, const char *text, size_t len);

/* This process holds a secret from now on: the kernel writes no core file of it, and no other
 * process of the user can trace it or read its memory. With MCPANE_DEBUG set in the environment
 * nothing changes. */
void secret_shield_process(void);

#endif
