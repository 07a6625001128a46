#ifndef DEMO_PRIV_H
#define DEMO_PRIV_H

#include "asking_priv.h"
#include "demo/demo.h"
#include "json/doc.h"
#include "json/write.h"
#include "rpc/frame.h"
#include "tools.h"

#define DEMO_ORDERS 8
#define DEMO_RUNS_MAX 64
#define DEMO_TASKS_MAX 64
#define DEMO_LOG_LEVELS 8 /* as a level: none */

/* One request on its way. A handler answers between demo_result() and demo_end(), by one of the
 * helpers for whole replies, or later. */
struct demo_call {
	struct demo *demo;
	struct json_writer w; /* inside the result object between demo_result() and demo_end() */
	const char *id;       /* as JSON; lives as long as the handler runs */
	const cJSON *params;
	const cJSON *arguments; /* of a tools/call: an object or NULL */
	bool modern;
	int64_t now_ms;
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
	struct buf out;
	struct buf id; /* JSON text of the request being handled */
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
	int log_level; /* of legacy clients */
	enum demo_crash crash;
};

/* ---- tools.c: tools/list and tools/call ---- */
void demo_list_tools(struct demo_call *call);
void demo_call_tool(struct demo_call *call);

/* ---- media.c ---- */
extern const char demo_picture_png[]; /* base64 */

/* ---- reply.c ---- */
void demo_write_info(struct json_writer *w); /* who we are */
void demo_result(struct demo_call *call);    /* opens the reply and its result */
void demo_end(struct demo_call *call);       /* closes both as "complete" */
void demo_end_as(struct demo_call *call, const char *result_type);
/* content: one text block */
void demo_text(struct demo_call *call, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void demo_structured(struct demo_call *call, const char *json); /* structuredContent as it stands */
/* The same for a tool whose any_value is set. */
void demo_any_value(struct demo_call *call, const char *json);
/* A whole reply: isError and a sentence. */
void demo_fail(struct demo_call *call, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* A whole reply: a JSON-RPC error; data is JSON or NULL. */
void demo_error(struct demo_call *call, int code, const char *data, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void demo_progress(struct demo *d, const struct demo_run *run, const char *message);

/* ---- args.c: *value becomes the argument, or stays where it is absent. A bad one is answered with
 * a sentence, and the result is false. ---- */
bool demo_arg_size(struct demo_call *call, const char *name, size_t min, size_t max, size_t *value);
bool demo_arg_bool(struct demo_call *call, const char *name, bool *value);
bool demo_arg_text(struct demo_call *call, const char *name, const char **value);
/* One of choices (ended by NULL), as its index. */
bool demo_arg_choice(
    struct demo_call *call, const char *name, const char *const *choices, size_t *value);

/* ---- rows.c, slow.c: what takes more than one step ---- */
void demo_stream_step(struct demo *d);
bool demo_runs_step(struct demo *d, int64_t now_ms);
int64_t demo_runs_next_time(const struct demo *d);
void demo_runs_cancel(struct demo *d, const char *id);
void demo_runs_finish(struct demo *d);

#endif
