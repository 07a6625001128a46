#ifndef CLIENT_CALL_CODE_CALL_CODE_H
#define CLIENT_CALL_CODE_CALL_CODE_H

#include "base/strings.h"
#include "client/call_code.h"

/* ---- literals.c: texts and values, quoted ---- */

/* A text of the target with the secrets taken out: the names of environment variables stand for
 * them, between these two bytes, which are in no other text. */
#define VARIABLE_BEGIN '\1'
#define VARIABLE_END '\2'

/* Python or TypeScript. */
void code_add_value(struct buf *out, enum code_language language, const cJSON *value);
/* JSON on one line, without characters that could fool a reader; CODE_SHELL: quoted. */
void code_add_json(struct buf *out, enum code_language language, const char *json);

/* ---- secrets.c: what of a target is one ---- */
void code_mark_url(struct buf *out, const struct target *t);
/* The nth word of its command. */
void code_mark_argument(struct buf *out, const struct target *t, size_t nth);
/* NAME and value, both without the other. */
void code_mark_variable(struct buf *name, struct buf *value, const struct target *t, size_t nth);
void code_mark_header(struct buf *name, struct buf *value, const struct target *t, size_t nth);

#endif
