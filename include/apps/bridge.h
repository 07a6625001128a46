/* SPDX-License-Identifier: MIT */
#ifndef APPS_BRIDGE_H
#define APPS_BRIDGE_H

#include "apps/context.h"
#include "apps/events.h"
#include "apps/policy.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The host side of one MCP app (specification 2026-01-26): a state machine without I/O. The owner
 * passes in messages of the app and the time; callbacks pass out messages to the app, requests and
 * events.
 *
 * The bridge enforces the order of the specification: before ui/notifications/initialized the app
 * gets only responses, tool-input is sent once and before the result, changes of the host context
 * contain only changed members, and features that were not offered are refused.
 *
 * The app is untrusted: the size of messages and the number of open requests are limited, and a
 * flood is dropped unread, counted and reported. A request that needs the user or the server
 * becomes an ask, which the owner answers by its token.
 *
 * Times are monotonic microseconds.
 */
struct app_bridge;

enum app_phase {
	APP_LOADING,      /* the page has not sent ui/initialize */
	APP_INITIALIZING, /* ui/initialize was answered; ui/notifications/initialized is awaited */
	APP_READY,
	APP_CLOSING, /* ui/resource-teardown was sent: its answer or the time-out is awaited */
	APP_GONE,    /* the page may be removed; its messages are ignored */
};
extern const char *const app_phase_names[]; /* "loading"... */

/* Features of the host, as bits of `can`. Only these are advertised; methods of others are refused
 * as unknown. Ping, logging, model context and display modes are always available. */
enum app_ability {
	APP_CAN_OPEN_LINKS = 1 << 0,
	APP_CAN_DOWNLOAD = 1 << 1,
	APP_CAN_CALL_TOOLS = 1 << 2, /* and list them */
	APP_CAN_READ_RESOURCES = 1 << 3,
	APP_CAN_LIST_PROMPTS = 1 << 4,
	APP_CAN_MESSAGE = 1 << 5,
	APP_CAN_SAMPLE = 1 << 6,
	APP_CAN_COPY = 1 << 7, /* mcpane/copy, sent by our script in the page */
};

/* ---- the bridge ---- */

struct app_bridge_options {
	const char *host_name, *host_version;
	unsigned can; /* bits of enum app_ability */
	bool sampling_tools;
	const struct app_policy *policy; /* its accepted domains are sent to the app; may be NULL */
	unsigned permissions;            /* granted, as bits of enum app_permission */
	int64_t init_us;                 /* to wait for the handshake; 0: 10 s */
	int64_t teardown_us;             /* to wait for the app's end; 0: 500 ms */
	int64_t request_us;              /* to wait for other answers of the app; 0: 30 s */
};

/* Create a bridge when the page starts to load. Copies all arguments. *info is kept up to date. */
struct app_bridge_info;
struct app_bridge *app_bridge_create(const struct app_bridge_options *options,
    const struct app_context *context, const struct app_events *events, void *user,
    const struct app_bridge_info **info, int64_t now_us);
void app_bridge_destroy(struct app_bridge *b); /* without callbacks; NULL-safe */

/* ---- input ---- */

#define APP_MESSAGE_MAX ((size_t)16 << 20)  /* bytes of a message that is parsed */
#define APP_MESSAGE_KEPT ((size_t)64 << 10) /* bytes of a longer one in the journal */
#define APP_VALUES_MAX ((size_t)1 << 19)    /* values in one message */
#define APP_ASKS_MAX 64                     /* open at once */
/* Messages and bytes that may come at once, and in each following second. */
#define APP_BURST_MESSAGES 2000
#define APP_RATE_MESSAGES 500
#define APP_BURST_BYTES ((size_t)64 << 20)
#define APP_RATE_BYTES ((size_t)8 << 20)

void app_bridge_on_message(struct app_bridge *b, const char *json, size_t len, int64_t now_us);
int64_t app_bridge_next_time(const struct app_bridge *b); /* INT64_MAX: never */
void app_bridge_on_time(struct app_bridge *b, int64_t now_us);

/* ---- the call that opened the app: in any phase, sent when the app is ready ---- */

/* arguments: an object, as JSON; NULL: {}. A second one is ignored. Of arguments that are still
 * incomplete the last ones are sent, and none after the input. */
void app_bridge_input(
    struct app_bridge *b, const char *json, size_t len, bool is_partial, int64_t now_us);
/* The result of the tool as JSON, or its cancellation. Sent after the input; only the first is
 * sent. */
void app_bridge_result(struct app_bridge *b, const char *json, size_t len, int64_t now_us);
void app_bridge_cancelled(struct app_bridge *b, const char *why, int64_t now_us);

/* Set the host context and send the changes to the app. False: the app does not declare this
 * display mode; the mode is not changed, other members are. */
bool app_bridge_set_context(struct app_bridge *b, const struct app_context *c, int64_t now_us);

/* ---- answers; false: the ask has ended ---- */

/* json: the result, sent verbatim; NULL: {}. */
bool app_bridge_answer(
    struct app_bridge *b, uint64_t token, const char *json, size_t len, int64_t now_us);
#define APP_ERROR (-32000) /* denied or failed */
bool app_bridge_refuse(
    struct app_bridge *b, uint64_t token, int64_t code, const char *text, int64_t now_us);
/* Relay params of notifications/progress of the server with the token of the app. */
bool app_bridge_progress(struct app_bridge *b, uint64_t token, const cJSON *params, int64_t now_us);

/* ---- requests to the app: ping, tools/list, tools/call ---- */

/* Send a request; on_reply gets the reply. Return its id; 0: the app is not ready, or too many are
 * open. */
uint64_t app_bridge_request(
    struct app_bridge *b, const char *method, const char *params_json, size_t len, int64_t now_us);
/* A list of the server changed: notify the app if it can read the list. */
void app_bridge_list_changed(struct app_bridge *b, enum app_list list, int64_t now_us);
/* Close the app: a ready page gets ui/resource-teardown and has teardown_us to answer. APP_GONE
 * follows. */
void app_bridge_close(struct app_bridge *b, const char *why, int64_t now_us);

/* ---- facts ---- */

struct app_bridge_info {
	enum app_phase phase;
	const char *trouble; /* one line, as "no ui/initialize within 10 s"; NULL */
	const char *app_name, *app_title, *app_version; /* labels; "" before ui/initialize */
	const char *protocol;                           /* the protocol version of the app; "" */
	const cJSON *capabilities;                      /* appCapabilities; NULL */
	bool declares_modes;
	unsigned modes; /* display modes that the app and the host support, as bits */
	enum app_display mode;
	bool has_tools;       /* the app provides tools */
	double width, height; /* of its content, as reported; 0: unknown */
	const cJSON *context; /* params of the last ui/update-model-context; NULL: none */
	size_t context_bytes, context_updates;
	size_t received, sent;         /* messages */
	size_t flaws;                  /* messages with one */
	size_t dropped, dropped_bytes; /* messages of floods, dropped unread */
	size_t asks;                   /* open */
	int64_t ready_us;              /* from the start to initialized; -1: not yet */
	bool input_sent, result_sent;  /* result: or cancelled */
};

#endif
