#ifndef BASE_SECRET_H
#define BASE_SECRET_H

#include "base/buf.h"

/*
 * Values that are never kept or reported. There are three rules: by the name of a value, which holds
 * for the parameters of a URL, the members of a form, those of JSON, and the environment and headers
 * of a server; by the value, if it was noted as a secret; and by its shape, if it is that of a
 * well-known token. docs/SECURITY.md says what is hidden and what is not.
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
/* {"name": "Authorization", "value": "..."}: what the members are called. NULL ends the lists. */
extern const char *const secret_pair_names[], *const secret_pair_values[];
/* "name=value"; a value that is only a reference, "${...}", stays. */
void secret_hide_member(struct buf *out, const char *member, size_t len);
/* A header of HTTP, "Name: value"; of a header that is not secret the secrets in URLs. */
void secret_hide_header(struct buf *out, const char *line, size_t len);
/* In its query and its fragment. */
void secret_hide_url(struct buf *out, const char *url);

/* ---- by value ---- */

/* From here on the value is hidden wherever secrets are, as it is, as in JSON and as in a URL. One
 * of fewer than 8 bytes only where it is a whole word. False: it is shorter than SECRET_VALUE_MIN,
 * or the values that were noted have SECRET_VALUES_MAX bytes together. */
#define SECRET_VALUE_MIN 4
#define SECRET_VALUES_MAX ((size_t)256 * 1024)
bool secret_note_value(const char *value);
/* The same of a value that the user gave to something with this name, unless it is too common to be
 * hidden everywhere. Its own call keeps it, so that the call can be made again. */
void secret_note_typed(const char *name, const char *value);
enum secret_values {
	SECRET_VALUES_NOTED,
	SECRET_VALUES_GIVEN, /* only those of secret_note_value() */
	SECRET_VALUES_CUT,   /* also the beginning of one that a screen cuts */
};
/* Appends the text with those values hidden. False: it has none, and nothing was appended. */
bool secret_hide_values(
    struct buf *out, const char *text, size_t len, enum secret_values which);
/* Those values, and tokens that are known by their shape: "ghp_...", "AKIA...", a private key in
 * PEM. False as above. */
bool secret_hide_tokens(struct buf *out, const char *text, size_t len);

/* ---- in any text ---- */

/* A line of a log, a message, code: tokens as above, "name=value", "name: value", "--name value",
 * quoted or not, arrays, pairs of a name and a value, elements of XML, what follows "Bearer", and
 * the secrets in URLs. Each byte is looked at a bounded number of times. False: it has none, and was
 * appended as it is. */
bool secret_hide_text(struct buf *out, const char *text, size_t len);

/* This process holds a secret from now on: the kernel writes no core file of it, and no other
 * process of the user can trace it or read its memory. With MCPANE_DEBUG set in the environment
 * nothing changes. */
void secret_shield_process(void);

#endif
