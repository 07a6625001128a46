#ifndef BASE_SECRET_H
#define BASE_SECRET_H

#include "base/buf.h"

/* Values that are never shown or recorded: one rule by name for the parameters of a URL, the
 * members of a form, those of JSON, and the environment and headers of a server. */
#define SECRET_HIDDEN "(hidden)"

/* "access_token", "client-secret", "apiKey", "X-Amz-Signature", "code"; may be percent-encoded. */
bool secret_is_named(const char *name, size_t len);
/* "name=value"; a value that is only a reference, "${...}", stays. */
void secret_hide_member(struct buf *out, const char *member, size_t len);
/* A header of HTTP, "Name: value"; of a header that is not secret the secrets in URLs. */
void secret_hide_header(struct buf *out, const char *line, size_t len);
/* In its query and its fragment. */
void secret_hide_url(struct buf *out, const char *url);
/* Any text, such as a line of a log: "name=value", "name: value", "--name value", quoted or not,
 * what follows "Bearer", and the secrets in URLs. False: it has none, and was appended as it is. */
bool secret_hide_text(struct buf *out, const char *text, size_t len);

/* A value that is a secret wherever it appears: what hides secrets in text hides it from here on.
 * Shorter values, and those of a full list, are not noted: false. */
#define SECRET_VALUE_MIN 4
bool secret_note_value(const char *value);
/* Appends the text with those values hidden. False: it has none, and nothing was appended. */
bool secret_hide_values(struct buf *out, const char *text, size_t len);

/* This process holds a secret from now on: the kernel writes no core file of it, and no other
 * process of the user can trace it or read its memory. With MCPANE_DEBUG set in the environment
 * nothing changes. */
void secret_shield_process(void);

#endif
