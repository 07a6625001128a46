#ifndef APPS_BRIDGE_H
#define APPS_BRIDGE_H

#include "apps/context.h"
#include "apps/events.h"
#include "apps/policy.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The host's end of one MCP app (specification 2026-01-26): a state machine without any I/O. The
 * app's messages and times come in by calls; messages to the app, things to do and news go out by
 * callbacks. It keeps the order of the specification by construction: nothing but responses goes to
 * the app before ui/notifications/initialized, tool-input goes once and before the result, changes
 * of the host context hold only what changed, and what was not offered is refused.
 *
 * The app is hostile: each message is bounded, so is the number of its open requests, and a flood
 * is dropped unread, counted and told. Nothing that an app sends is done here: a request that needs
 * the user or the server becomes an ask, which the owner answers by its token when it can.
 *
 * Times are monotonic microseconds.
 */
struct app_bridge;

enum app_phase {
	APP_LOADING,      /* the page has not sent ui/initialize */
	APP_INITIALIZING, /* it has its answer; ui/notifications/initialized is awaited */
	APP_READY,
	APP_CLOSING, /* ui/resource-teardown was sent: its answer or the time-out is awaited */
	APP_GONE,    /* the page may be removed; whatever it still sends is ignored */
};
extern const char *const app_phase_names[]; /* "loading"... */

/* What the host does for an app, as bits of `can`. Only this is advertised; methods of the others
 * are refused as unknown. Ping, logging, model context and display modes are always there. */
enum app_ability {
	APP_CAN_OPEN_LINKS = 1 << 0,
	APP_CAN_DOWNLOAD = 1 << 1,
	APP_CAN_CALL_TOOLS = 1 << 2, /* and list them */
	APP_CAN_READ_RESOURCES = 1 << 3,
	APP_CAN_LIST_PROMPTS = 1 << 4,
	APP_CAN_MESSAGE = 1 << 5,
	APP_CAN_SAMPLE = 1 << 6,
	APP_CAN_COPY = 1 << 7, /* mcpane/copy, of our own script in the page */
};

/* ---- the bridge ---- */

struct app_bridge_options {
	const char *host_name, *host_version;
	unsigned can; /* bits of enum app_ability */
	bool sampling_tools;
	const struct app_policy *policy; /* its accepted domains are told; may be NULL */
	unsigned permissions;            /* granted, as bits of enum app_permission */
	int64_t init_us;                 /* to wait for the handshake; 0: 10 s */
	int64_t teardown_us;             /* to wait for the app's end; 0: 500 ms */
	int64_t request_us;              /* to wait for other answers of the app; 0: 30 s */
};

/* Copies all it is given. The page starts to load now. *info stays up to date as long as the bridge
 * lives. */
struct app_bridge_info;
struct app_bridge *app_bridge_create(const struct app_bridge_options *options,
    const struct app_context *context, const struct app_events *events, void *user,
    const struct app_bridge_info **info, int64_t now_us);
void app_bridge_destroy(struct app_bridge *b); /* calls nothing; accepts NULL */

/* ---- input ---- */

#define APP_MESSAGE_MAX ((size_t)16 << 20)  /* bytes of one message that is read */
#define APP_MESSAGE_KEPT ((size_t)64 << 10) /* of a longer one for the journal */
#define APP_VALUES_MAX ((size_t)1 << 19)    /* values in one message */
#define APP_ASKS_MAX 64                     /* open at once */
/* Messages and bytes that may come at once, and in each second after that. */
#define APP_BURST_MESSAGES 2000
#define APP_RATE_MESSAGES 500
#define APP_BURST_BYTES ((size_t)64 << 20)
#define APP_RATE_BYTES ((size_t)8 << 20)

void app_bridge_on_message(struct app_bridge *b, const char *json, size_t len, int64_t now_us);
int64_t app_bridge_next_time(const struct app_bridge *b); /* INT64_MAX: never */
void app_bridge_on_time(struct app_bridge *b, int64_t now_us);

/* ---- the call that opened it: in any phase, sent when the app is ready ---- */

/* While arguments still come in: the last one counts, and none after the input. */
void app_bridge_partial_input(struct app_bridge *b, const char *json, size_t len, int64_t now_us);
/* arguments: an object, as JSON; NULL: {}. A second one is ignored. */
void app_bridge_input(struct app_bridge *b, const char *json, size_t len, int64_t now_us);
/* The result of the tool, as JSON; or that there will be none. Waits for the input; the first of
 * both counts. */
void app_bridge_result(struct app_bridge *b, const char *json, size_t len, int64_t now_us);
void app_bridge_cancelled(struct app_bridge *b, const char *why, int64_t now_us);

/* The surroundings changed; the app gets what differs from what it was told. False: the app does
 * not declare this display mode, so the mode stays as it was; all else is taken. */
bool app_bridge_set_context(struct app_bridge *b, const struct app_context *c, int64_t now_us);

/* ---- answers; false: the ask has ended ---- */

/* json: the result, sent as it is; NULL: {}. */
bool app_bridge_answer(
    struct app_bridge *b, uint64_t token, const char *json, size_t len, int64_t now_us);
#define APP_ERROR (-32000) /* denied or failed */
bool app_bridge_refuse(
    struct app_bridge *b, uint64_t token, int64_t code, const char *text, int64_t now_us);
/* Relays the params of notifications/progress of the server, under the app's own token. */
bool app_bridge_progress(struct app_bridge *b, uint64_t token, const cJSON *params, int64_t now_us);

/* ---- requests to the app: ping, tools/list, tools/call ---- */

/* 0: it is not ready, or too many are open. on_reply gets the reply. */
uint64_t app_bridge_request(
    struct app_bridge *b, const char *method, const char *params_json, size_t len, int64_t now_us);
/* A list of the server changed: the app is told if it could know the list. */
void app_bridge_list_changed(struct app_bridge *b, enum app_list list, int64_t now_us);
/* Ends it: a page that is ready is asked first and has teardown_us to answer. APP_GONE follows. */
void app_bridge_close(struct app_bridge *b, const char *why, int64_t now_us);

/* ---- facts ---- */

struct app_bridge_info {
	enum app_phase phase;
	const char *trouble; /* one line, as "no ui/initialize within 10 s"; NULL */
	const char *app_name, *app_title, *app_version; /* labels; "" before ui/initialize */
	const char *protocol;                           /* the version that the app speaks; "" */
	const cJSON *capabilities;                      /* appCapabilities; NULL */
	bool declares_modes;
	unsigned modes; /* display modes it may be in and the host offers, as bits */
	enum app_display mode;
	bool has_tools;       /* the app has tools of its own */
	double width, height; /* of its content, as it said; 0: not said */
	const cJSON *context; /* params of the last ui/update-model-context; NULL: none */
	size_t context_bytes, context_updates;
	size_t received, sent;         /* messages */
	size_t flaws;                  /* messages with one */
	size_t dropped, dropped_bytes; /* messages of floods, which nobody read */
	size_t asks;                   /* open */
	int64_t ready_us;              /* from the start to initialized; -1: not yet */
	bool input_sent, result_sent;  /* result: or cancelled */
};

#endif
