/* SPDX-License-Identifier: MIT */
#ifndef MCP_COMPLETER_H
#define MCP_COMPLETER_H

#include "mcp/primitive.h"
#include "mcp/session.h"

/*
 * completion/complete: the server's proposals for an argument of a prompt or a variable of a
 * template. One request at a time, for the newest text; it is sent after a pause in typing.
 * Answers are cached, and nothing ever waits for one.
 */
#define COMPLETION_VALUES_MAX 100 /* in one answer, according to the specification */

struct completion {
	char *question; /* the params, as sent */
	char *topic;    /* the params without the value */
	char *typed;    /* the value */
	char **values;
	size_t len;
	size_t total;    /* SIZE_MAX if not given */
	bool has_more;   /* than these values */
	char error[200]; /* why values is empty; "" without an error */
	bool unanswered; /* the error does not come from the server */
};

struct completion_question {
	const struct primitive *primitive; /* a prompt or a template */
	const char *argument;
	const char *value;   /* the text so far */
	const char *context; /* the other arguments as a JSON object; may be NULL */
};

struct completer {
	struct {
		struct completion *items; /* the oldest first */
		size_t len, cap;
	} known;
	struct completion newest;    /* only question, topic and typed; question may be NULL */
	struct completion in_flight; /* likewise, for the open request */
	int64_t due_ms;              /* when to ask for the newest; < 0: never, as at first */
	uint64_t request;            /* 0 if none is open */
	uint64_t given_up;           /* being cancelled: its reply also belongs to the completer */
	uint64_t generation;         /* incremented when anything changes */
};

void completer_finish(struct completer *c);
/* Clears the cache, for a new session or a changed list. */
void completer_forget(struct completer *c);

/* Does the server declare completions, and is this a prompt or a template? */
bool completer_can(const struct session *s, const struct primitive *p);
/* Sends the request in `delay_ms` unless the answer is cached or already requested. */
void completer_ask(
    struct completer *c, const struct completion_question *q, int64_t delay_ms, int64_t now_ms);
void completer_drop(struct completer *c); /* nothing is to be completed */
/* Return the answer for the newest text; NULL before it arrives. Valid until the next call of these
 * functions. */
const struct completion *completer_answer(const struct completer *c);
/* Until it arrives: the answer for the longest known prefix of the text. */
const struct completion *completer_nearest(const struct completer *c);
bool completer_is_busy(const struct completer *c); /* an answer may still arrive */

/* False, and untouched, if it is not the completer's reply. */
bool completer_on_reply(struct completer *c, uint64_t request, struct session_reply *reply);
int64_t completer_next_time(const struct completer *c); /* INT64_MAX: never */
void completer_on_time(struct completer *c, struct session *s, int64_t now_ms);

#endif
