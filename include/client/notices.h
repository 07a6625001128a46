/* SPDX-License-Identifier: MIT */
#ifndef CLIENT_NOTICES_H
#define CLIENT_NOTICES_H

#include "json/doc.h"
#include "mcp/session.h"

/* Notifications a server sends unasked: its log, and changes of watched resources. */

/*
 * The log messages a server sent by notifications/message. Bounded: the oldest are evicted first
 * and counted. Named by id, which is never reused.
 */
struct log_entry {
	uint64_t id;
	int64_t at_us;
	enum log_level level; /* NONE if it is not one of the eight */
	char *level_name;     /* as the server sent it; "" if it sent none */
	char *logger;         /* a label; NULL if the server names none */
	char *data; /* a string unchanged, other values as JSON on one line; "" if absent */
	size_t data_len;
	bool is_text;
};

struct logs {
	struct log_entry *items; /* oldest first */
	size_t len, cap;
	uint64_t last_id;
	size_t bytes, evicted;
	size_t unseen; /* at level warning or worse since server_logs_seen() */
};

#define LOGS_MAX 10000
#define LOGS_MAX_BYTES ((size_t)16 << 20)

/* Zeroed memory is empty. */
void logs_finish(struct logs *l);
/* params of notifications/message. */
void logs_add(struct logs *l, const cJSON *params, int64_t now_us);
const struct log_entry *logs_find(const struct logs *l, uint64_t id); /* NULL: evicted */
void logs_clear(struct logs *l);

/* ---- of a server ---- */
struct server;

void server_logs_seen(struct server *s);
void server_logs_clear(struct server *s);
/* Applies to later sessions too. False if this server declares no logging (the level is kept all
 * the same). */
bool server_set_log_level(struct server *s, enum log_level level, int64_t now_us);

/* Subscribes to changes of a resource, in this session and later ones, until turned off. False
 * if this server has no subscriptions. */
bool server_watch(struct server *s, const char *uri, bool on, int64_t now_us);
enum watch_state server_watch_state(const struct server *s, const char *uri);
/* Returns whether it has changed since it was last read. */
bool server_watch_changed(const struct server *s, const char *uri);

#endif
