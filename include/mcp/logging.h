#ifndef MCP_LOGGING_H
#define MCP_LOGGING_H

#include <stdbool.h>
#include <stdint.h>

/* The levels of notifications/message are those of RFC 5424
 * (2026-07-28/server/utilities/logging.mdx). */
enum log_level {
	LOG_LEVEL_NONE, /* not requested; of a message: not one of these */
	LOG_LEVEL_DEBUG,
	LOG_LEVEL_INFO,
	LOG_LEVEL_NOTICE,
	LOG_LEVEL_WARNING,
	LOG_LEVEL_ERROR,
	LOG_LEVEL_CRITICAL,
	LOG_LEVEL_ALERT,
	LOG_LEVEL_EMERGENCY,
	LOG_LEVELS,
};

extern const char *const log_level_names[LOG_LEVELS]; /* "debug"; "none" */
enum log_level log_level_from_name(const char *name); /* NONE if unknown or NULL */

struct session;
/* Sets the level from now on: by logging/setLevel, since 2026-07-28 by the _meta of each request. A
 * legacy server has no NONE and keeps its last level. False: not ready, or the server does not
 * declare logging. */
bool session_set_log_level(struct session *s, enum log_level level, int64_t now_ms);

#endif
