#ifndef MCP_QUESTIONS_H
#define MCP_QUESTIONS_H

#include "mcp/session.h"

/*
 * The answers to what on_question told of. False: no such question waits.
 */
/* result_json: the result of the method asked for, sent byte for byte but for line breaks. */
bool session_answer(
    struct session *s, uint64_t question, const char *result_json, size_t len, int64_t now_ms);
/* By an error, or where there is none (2026-07-28) by ending the call that asked. */
bool session_refuse(
    struct session *s, uint64_t question, int code, const char *text, int64_t now_ms);
/* notifications/roots/list_changed, where that exists and roots were declared. */
void session_roots_changed(struct session *s, int64_t now_ms);

#endif
