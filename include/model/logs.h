#ifndef MODEL_LOGS_H
#define MODEL_LOGS_H

#include "json/doc.h"
#include "mcp/logging.h"

/*
 * What a server logged by notifications/message. Bounded: the oldest go first, and
 * how many went is known. Named by id, which is never reused.
 */
struct log_entry {
	uint64_t id;
	int64_t at_us;
	enum log_level level; /* NONE: not one of the eight */
	char *level_name;     /* as the server says it; "" when it does not */
	char *logger;         /* a label; NULL when it names none */
	char *data;           /* a string as it is, else JSON on one line; "" when absent */
	size_t data_len;
	bool is_text;
};

struct logs {
	struct log_entry *items; /* the oldest first */
	size_t len, cap;
	uint64_t last_id;
	size_t bytes, evicted;
	size_t unseen; /* of level warning and worse since logs_mark_seen() */
};

#define LOGS_MAX 10000
#define LOGS_MAX_BYTES ((size_t)16 << 20)

/* Zeroed memory is empty. */
void logs_finish(struct logs *l);
/* params of notifications/message. */
void logs_add(struct logs *l, const cJSON *params, int64_t now_us);
const struct log_entry *logs_find(const struct logs *l, uint64_t id); /* NULL: evicted */
void logs_mark_seen(struct logs *l);
void logs_clear(struct logs *l);

/* A filter as typed: words that must all hold. `level:warning` is that level and worse, `logger:x`
 * looks in the logger's name, anything else in all of the message, ignoring ASCII case; `-word` for
 * "not". */
struct log_filter;
struct log_filter *log_filter_create(const char *text);
void log_filter_destroy(struct log_filter *f);
bool log_filter_matches(const struct log_filter *f, const struct log_entry *e);

#endif
