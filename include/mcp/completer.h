#ifndef MCP_COMPLETER_H
#define MCP_COMPLETER_H

#include "mcp/offers.h"
#include "mcp/session.h"

/*
 * completion/complete: what the server proposes for an argument of a prompt or a
 * variable of a template. One question at a time, the newest; it goes out when
 * typing has paused, answers are remembered, and nothing ever waits for one.
 */
#define COMPLETION_VALUES_MAX 100 /* in one answer, as the specification has it */

struct completion {
	char *question; /* the params, as sent */
	char *topic;    /* what was asked about: all of them but the value */
	char *typed;    /* the value */
	char **values;
	size_t len;
	size_t total;    /* SIZE_MAX: not said */
	bool has_more;   /* than these values */
	char error[200]; /* why there are none; "" for nothing */
	bool unanswered; /* with an error: it is none of the server's */
};

struct completion_question {
	const struct offer *offer; /* a prompt or a template */
	const char *argument;
	const char *value;   /* typed so far */
	const char *context; /* the other arguments as a JSON object; NULL: none */
};

struct completer {
	struct {
		struct completion *items; /* the oldest first */
		size_t len, cap;
	} known;
	struct completion newest; /* its question, topic and typed; question NULL: none */
	struct completion asked;  /* the same of what is under way */
	int64_t due_ms;           /* when the newest goes out; < 0: it need not */
	uint64_t request;         /* 0: none under way */
	uint64_t given_up;        /* being cancelled: its reply is the completer's too */
	uint64_t generation;      /* raised when something new is known */
};

void completer_init(struct completer *c);
void completer_finish(struct completer *c);
/* Forgets what is known: another session, or a list that changed. */
void completer_forget(struct completer *c);

/* Does the server say that it completes, and is there anything of the offer to complete? */
bool completer_can(const struct session *s, const struct offer *o);
/* Asks in `delay_ms`, unless it is known or asked already. */
void completer_ask(
    struct completer *c, const struct completion_question *q, int64_t delay_ms, int64_t now_ms);
void completer_drop(struct completer *c); /* there is no question any more */
/* The answer to the newest question; NULL: none yet. Valid until the next call of any of these. */
const struct completion *completer_answer(const struct completer *c);
/* Until it comes: the answer to the same with less typed. Of its values those stay that begin so.
 */
const struct completion *completer_nearest(const struct completer *c);
bool completer_is_busy(const struct completer *c); /* an answer to it may still come */

/* False: not the completer's reply, untouched. */
bool completer_on_reply(struct completer *c, uint64_t request, struct session_reply *reply);
int64_t completer_next_time(const struct completer *c); /* INT64_MAX: never */
void completer_on_time(struct completer *c, struct session *s, int64_t now_ms);

#endif
