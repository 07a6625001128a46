/* SPDX-License-Identifier: MIT */
#ifndef CLIENT_TASKS_H
#define CLIENT_TASKS_H

#include "base/strings.h"
#include "mcp/content.h"

/*
 * The tasks of a server: those that our calls became, those of earlier runs and, if the server
 * lists them, all others. Polls each at the server's interval until it ends; its result then
 * becomes the call's. Tasks outlive sessions.
 */
struct server_task {
	uint64_t number; /* rises from one to the next, never reused */
	char *id;
	char *tool;    /* "" if unknown */
	uint64_t call; /* the call it is the result of; 0: of an earlier run, or not ours */
	enum task_status status;
	char *message;           /* the server's statusMessage; NULL if none */
	char *created;           /* as the server sent it; NULL if absent */
	int64_t since_us;        /* when we learned of it */
	int64_t ttl_ms, poll_ms; /* -1: unlimited, unspecified */
	char *trouble;   /* why polling stopped; NULL while it continues or if the task is over */
	bool cancelling; /* the server was asked to cancel it */
	/* the end, once known */
	bool ended;
	struct json_doc *doc;
	const cJSON *value; /* the result or error, in doc */
	bool is_error;

	/* requests of ours about it */
	uint64_t request, cancel, update; /* in-flight requests; 0 if none */
	bool asks_result;                 /* request is a tasks/result */
	int64_t next_us;                  /* time of the next poll; INT64_MAX if none */
	int polls, failures;
	struct strings answered; /* keys of inputRequests handled already */
};

struct server;

const struct server_task *server_task_at(const struct server *s, size_t index); /* newest last */
/* Its status as shown: also "lost" and "cancelling". */
const char *server_task_state(const struct server_task *t);
/* Asks the server to cancel it. False if it is over or the server cannot. */
bool server_task_cancel(struct server *s, const char *id, int64_t now_us);
/* Asks for its state, and for the result if it is over. */
bool server_task_refresh(struct server *s, const char *id, int64_t now_us);
bool server_task_forget(struct server *s, const char *id); /* only if it is over or in trouble */
/* tasks/list, 2025-11-25: lists all other tasks. False if the server has no such list. */
bool server_list_tasks(struct server *s, int64_t now_us);

/* While on, calls of a tool become tasks if that is optional. False if this server or tool does
 * not support it. */
bool server_prefer_tasks(struct server *s, const cJSON *definition, bool on);

/* The tasks to keep for the next run, as one line of JSON; server_info()->task_changes rises
 * whenever it changes. */
void server_tasks_save(const struct server *s, struct buf *out);
/* Call it before the first start. Skips entries that it does not understand. */
void server_tasks_load(struct server *s, const cJSON *kept);

#endif
