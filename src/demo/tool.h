/* SPDX-License-Identifier: MIT */
#ifndef DEMO_TOOL_H
#define DEMO_TOOL_H

#include "demo/demo.h"
#include "json/doc.h"
#include "json/write.h"
#include "mcp/frame.h"
#include "mcp/message.h"

#include <stdbool.h>
#include <stdint.h>

/* JSON as it is read, made a string: tokens are kept, a run of white space becomes one space. */
#define JSON_TEXT(...) #__VA_ARGS__

struct demo;

/* A request that is being handled. A handler answers between demo_result() and demo_end(), by one
 * of the helpers for whole replies, or later. */
struct demo_call {
	struct demo *demo;
	struct json_writer w; /* inside the result object between demo_result() and demo_end() */
	const char *id;       /* as JSON; lives as long as the handler runs */
	const char *method;
	const cJSON *params;
	const cJSON *arguments; /* of a tools/call: an object or NULL */
	bool modern;
	int64_t now_ms;
	const cJSON *tool; /* of a tools/call: its definition; NULL if it is answered later */
};

/*
 * page/tools.json has the definitions of the tools in the order of tools/list, and in each a member
 * "demo" that is not sent:
 *	text, data	the whole reply of a tool without a handler: its content and
 *structuredContent run		the name of the handler, if it is not that of the tool
 *	asks		what the tool asks of the client
 *	anyValue	structuredContent need not be an object. Before 2026-07-28 it must be: there
 *it and its schema are wrapped in an object, as its member `result`.
 */
struct demo_handler {
	const char *name;
	void (*run)(struct demo_call *call); /* answers, now or later */
};

/* Of each file; the last row has no name. */
extern const struct demo_handler demo_results[], demo_records[], demo_long_calls[];

/* ---- demo.c ---- */

/* A member of "demo" in the definition of the tool; NULL: it has none. */
const cJSON *demo_extra(const struct demo_call *call, const char *name);
void demo_result(struct demo_call *call); /* opens the reply and its result */
void demo_end(struct demo_call *call);    /* closes both as "complete" */
void demo_end_as(struct demo_call *call, const char *result_type);
void demo_end_cacheable(struct demo_call *call, int ttl_ms); /* by the modern client */
/* content: one text block */
void demo_text(struct demo_call *call, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void demo_text_block(struct json_writer *w, const char *text);
void demo_structured(struct demo_call *call, const char *json); /* structuredContent */
/* The whole reply: isError and a sentence. */
void demo_fail(struct demo_call *call, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* The whole reply: a JSON-RPC error; data is JSON or NULL. */
void demo_error(struct demo_call *call, int code, const char *data, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Set *value to the argument; it stays if the argument is absent. A bad argument is answered with a
 * sentence, and the result is false. */
bool demo_arg_size(struct demo_call *call, const char *name, size_t min, size_t max, size_t *value);
bool demo_arg_bool(struct demo_call *call, const char *name, bool *value);
bool demo_arg_text(struct demo_call *call, const char *name, const char **value);
/* One of choices (ended by NULL), as its index. */
bool demo_arg_choice(
    struct demo_call *call, const char *name, const char *const *choices, size_t *value);

#define DEMO_APP_PREFIX "ui://demo/" /* apps, which no list of resources has */
#define DEMO_ORDERS 8
#define DEMO_RUNS_MAX 64
#define DEMO_TASKS_MAX 64
#define DEMO_LOG_LEVELS 8 /* as a level: none */

/* A call that waits for the client's answer to a request of ours. */
struct demo_asked {
	char *id; /* of the call, JSON */
	int64_t number;
};

struct demo_asks {
	struct demo_asked *items;
	size_t len, cap;
	int64_t last;
};

/* A call of `slow` that waits for its next step. */
struct demo_run {
	char *id;    /* JSON */
	char *token; /* JSON, NULL when no progress was asked for */
	bool modern;
	int64_t start_ms, total_ms;
	size_t steps, done;
	int log_level; /* messages below are not sent */
};

/* A call of `slow` in the background. */
struct demo_task {
	char id[24];
	int64_t start_ms, total_ms;
	size_t steps;
	bool cancelled;
};

/* The result of `rows` while it is written. */
struct demo_stream {
	struct demo_call call;
	size_t next, count;
	bool wide, active;
};

struct demo {
	struct frame frame;
	struct {
		struct frame_line *items;
		size_t len, cap, next;
	} lines; /* read but not yet handled */
	struct demo_output *out;
	struct json_doc *tools, *lists; /* page/tools.json, page/lists.json */
	struct buf id;                  /* JSON text of the request being handled */
	struct demo_run runs[DEMO_RUNS_MAX];
	size_t run_count;
	struct demo_asks asked;
	struct demo_task tasks[DEMO_TASKS_MAX];
	size_t task_count;
	struct demo_stream stream;
	unsigned char order_status[DEMO_ORDERS];
	size_t count;    /* of tool calls, what demo://counter says */
	bool subscribed; /* to it */
	char *listen_id; /* JSON: of the subscription that is open, NULL: none */
	bool modern_seen, legacy_seen;
	int log_level;          /* of legacy clients */
	size_t machine_reading; /* how often machine_stats was read */
};

/* ---- methods of MCP: resources.c, long_calls.c ---- */
void demo_list(struct demo_call *call);
void demo_read_resource(struct demo_call *call);
void demo_get_prompt(struct demo_call *call);
void demo_list_skills(struct demo_call *call);
void demo_get_skill(struct demo_call *call);
void demo_read_directory(struct demo_call *call);
void demo_complete(struct demo_call *call);
void demo_subscribe(struct demo_call *call);
void demo_listen(struct demo_call *call);
void demo_set_level(struct demo_call *call);
void demo_get_task(struct demo_call *call);
void demo_cancel_task(struct demo_call *call);

/* ---- long_calls.c: calls that take more than one step ---- */
bool demo_calls_step(struct demo *d, int64_t now_ms);   /* one step; false if none is due */
void demo_calls_cancel(struct demo *d, const char *id); /* without an answer */
void demo_on_client_answer(struct demo *d, const struct message *m, int64_t now_ms);

void demo_message(struct json_writer *w, struct demo *d); /* opens a message of any kind */
/* A notification; open and end surround the members of params. */
void demo_notice(struct json_writer *w, struct demo *d, const char *method);
void demo_notice_end(struct json_writer *w); /* also of a reply */

/* ---- resources.c ---- */
void demo_count(struct demo *d); /* a tool was called */

#endif
