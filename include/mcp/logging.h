#ifndef MCP_LOGGING_H
#define MCP_LOGGING_H

#include <stdbool.h>
#include <stdint.h>

/* Levels of notifications/message, those of RFC 5424 (2026-07-28/server/utilities/logging.mdx). */
enum log_level {
	LOG_LEVEL_NONE, /* none asked for; of a message: none of those below */
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

const char *log_level_name(enum log_level level);     /* "debug"; "none" */
enum log_level log_level_from_name(const char *name); /* NONE when unknown or NULL */

struct session;
/* From now on: by logging/setLevel, since 2026-07-28 by each request's _meta. NONE cannot be said
 * to an older server: its last level stays. False: not ready, or the server declares no logging. */
bool session_set_log_level(struct session *s, enum log_level level, int64_t now_ms);

#endif
