#include "slow_priv.h"

#include <string.h>

/* What `slow` tells beside its progress: legacy clients choose a level for all, modern ones with
 * each call, and hear nothing otherwise. */

static const char *const levels[DEMO_LOG_LEVELS] = { "debug", "info", "notice", "warning", "error",
	"critical", "alert", "emergency" };

static int
find_level(const char *name)
{
	for (int i = 0; name && i < DEMO_LOG_LEVELS; i++)
		if (strcmp(levels[i], name) == 0)
			return i;
	return DEMO_LOG_LEVELS;
}

int
demo_log_level(const struct demo_call *call)
{
	const cJSON *meta = json_get(call->params, "_meta");

	if (!call->modern)
		return call->demo->log_level;
	return find_level(json_get_string(meta, "io.modelcontextprotocol/logLevel"));
}

void
demo_set_level(struct demo_call *call)
{
	int level = find_level(json_get_string(call->params, "level"));

	if (level == DEMO_LOG_LEVELS) {
		demo_error(call, -32602, NULL, "there is no such level");
		return;
	}
	call->demo->log_level = level;
	demo_result(call);
	demo_end(call);
}

static void
say(struct demo *d, int level, const struct demo_run *run, const char *text)
{
	struct json_writer w;

	json_write_init(&w, &d->out);
	json_write_object(&w);
	json_write_member_string(&w, "jsonrpc", "2.0");
	json_write_member_string(&w, "method", "notifications/message");
	json_write_key(&w, "params");
	json_write_object(&w);
	json_write_member_string(&w, "level", levels[level]);
	json_write_member_string(&w, "logger", "bakery");
	json_write_key(&w, "data");
	json_write_object(&w);
	json_write_member_string(&w, "doing", text);
	json_write_member_int(&w, "step", (int64_t)run->done);
	json_write_member_int(&w, "of", (int64_t)run->steps);
	json_write_object_end(&w);
	json_write_object_end(&w);
	json_write_object_end(&w);
	buf_add_char(&d->out, '\n');
}

void
demo_log_step(struct demo *d, const struct demo_run *run, const char *doing)
{
	static const struct {
		int level;
		size_t sixth; /* of the way */
		const char *text;
	} events[] = {
		{ 3, 2, "the dough is sticky" },
		{ 0, 3, "temperature 24.5 C" },
		{ 4, 5, "the oven is not hot yet" },
		{ 2, 6, "ready" },
	};

	if (run->log_level <= 1)
		say(d, 1, run, doing);
	for (size_t i = 0; i < sizeof(events) / sizeof(*events); i++) {
		size_t at = (run->steps * events[i].sixth + 5) / 6;
		if (run->done == at && run->log_level <= events[i].level)
			say(d, events[i].level, run, events[i].text);
	}
}
