#ifndef DEMO_STATE_H
#define DEMO_STATE_H

#include "demo/demo.h"
#include "mcp/frame.h"
#include "mcp/message.h"
#include "tool.h"

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
	size_t machine_reading; /* how often machine_stats was read */
	enum demo_crash crash;
};

/* ---- the methods of that name: prompts.c, resources.c, agent_skills.c, slow.c ---- */
void demo_list_resources(struct demo_call *call);
void demo_list_templates(struct demo_call *call);
void demo_read_resource(struct demo_call *call);
void demo_list_prompts(struct demo_call *call);
void demo_get_prompt(struct demo_call *call);
void demo_list_skills(struct demo_call *call);
void demo_get_skill(struct demo_call *call);
void demo_read_directory(struct demo_call *call);
void demo_complete(struct demo_call *call);
void demo_subscribe(struct demo_call *call);
void demo_unsubscribe(struct demo_call *call);
void demo_listen(struct demo_call *call);
void demo_set_level(struct demo_call *call);
void demo_get_task(struct demo_call *call);
void demo_cancel_task(struct demo_call *call);

/* ---- ask_tools.c ---- */
void demo_asked_on_answer(struct demo *d, const struct message *m, int64_t now_ms);
void demo_asked_cancel(struct demo *d, const char *id);
void demo_asked_finish(struct demo *d);

/* ---- many_rows.c, slow.c: calls that take more than one step ---- */
void demo_stream_step(struct demo *d);
bool demo_runs_step(struct demo *d, int64_t now_ms);
int64_t demo_runs_next_time(const struct demo *d);
void demo_runs_cancel(struct demo *d, const char *id);
void demo_runs_finish(struct demo *d);

/* ---- prompts.c, resources.c, agent_skills.c, demo_apps.c, reply.c, every_kind.c ---- */
extern const char demo_picture_png[];        /* base64 */
void demo_write_info(struct json_writer *w); /* serverInfo */
/* A notification: open and end surround the members of params. */
void demo_notice(struct json_writer *w, struct demo *d, const char *method);
void demo_notice_end(struct json_writer *w);
void demo_listen_cancel(struct demo *d, const char *id);
void demo_count(struct demo *d);                               /* a tool was called */
/* False: there is no such file. */
bool demo_read_skill(struct demo_call *call, const char *uri);
bool demo_read_app(struct demo_call *call, const char *uri, const char *name);
bool demo_is_month(const char *text);
bool demo_is_city(const char *country, const char *city);

#endif
