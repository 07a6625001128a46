/* SPDX-License-Identifier: MIT */
#ifndef JSON_WRITE_H
#define JSON_WRITE_H

#include "base/buf.h"
#include "json/doc.h"

/*
 * Writes one JSON value into a buffer, with commas and escapes, without a tree. Used for
 * outgoing messages, the demo server and --json output. A number is written with the
 * characters that were typed. Each member of an object begins with its key.
 */
struct json_writer {
	struct buf *out;
	bool comma; /* the next value or key needs one before it */
};

void json_write_init(struct json_writer *w, struct buf *out);
void json_write_object(struct json_writer *w); /* { */
void json_write_object_end(struct json_writer *w);
void json_write_array(struct json_writer *w);
void json_write_array_end(struct json_writer *w);
void json_write_key(struct json_writer *w, const char *key);
void json_write_string(struct json_writer *w, const char *text); /* NULL writes null */
void json_write_stringn(struct json_writer *w, const char *text, size_t len);
void json_write_int(struct json_writer *w, int64_t value);
void json_write_bool(struct json_writer *w, bool value);
void json_write_null(struct json_writer *w);
void json_write_value(struct json_writer *w, const cJSON *value); /* exact */
/* Bytes that already are one JSON value (a typed number, arguments as edited): not checked. */
void json_write_raw(struct json_writer *w, const char *json, size_t len);

/* The value without its secrets (base/secret.h): the members that are named as secrets, and those
 * within strings. True: there were some. */
bool json_write_redacted(struct json_writer *w, const cJSON *value);
/* By its name it is a secret, or an array or object of secrets. */
bool json_is_secret_member(const cJSON *member);
/* The secrets in a value that the user gives, by the names in it and by its schema (format
 * password, writeOnly), are hidden from here on wherever they appear. schema: NULL: none. */
void json_note_secrets(const cJSON *value, const char *name, const cJSON *schema);
/* Does the tool's definition declare the argument a password? tool: NULL means no. */
bool json_is_password_argument(const cJSON *tool, const char *name);
/* The same for a text of any size, of which `piece` bytes at a time are parsed. w: NULL only looks
 * for a secret, without memory for the result. False: it is not JSON. */
bool json_write_redacted_text(
    struct json_writer *w, const char *text, size_t len, size_t piece, bool *hidden);

/* Key and value in one call. */
void json_write_member_string(struct json_writer *w, const char *key, const char *text);
void json_write_member_int(struct json_writer *w, const char *key, int64_t value);
void json_write_member_bool(struct json_writer *w, const char *key, bool value);
void json_write_member_value(struct json_writer *w, const char *key, const cJSON *value);
void json_write_member_json(struct json_writer *w, const char *key, const char *json); /* raw */
void json_write_member_ms(struct json_writer *w, const char *key, int64_t us); /* 1500: 1.500 */
void json_write_member_object(struct json_writer *w, const char *key);         /* opens it */
void json_write_member_array(struct json_writer *w, const char *key);

#endif
