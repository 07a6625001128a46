#ifndef APPS_BRIDGE_H
#define APPS_BRIDGE_H

#include "apps/context.h"
#include "apps/metadata.h"
#include "apps/policy.h"
#include "base/buf.h"
#include "base/err.h"
#include "json/doc.h"
#include "rpc/message.h"

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
 * The app is hostile: each message is bounded, so is the number of its open requests, and a flood is
 * dropped unread, counted and told. Nothing that an app sends is done here: a request that needs the
 * user or the server becomes an ask, which the owner answers by its token when it can.
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
};

/* ---- what an app wants ---- */

enum app_ask_kind {
	APP_ASK_TOOL,         /* call it: name, value has the arguments; result: a CallToolResult */
	APP_ASK_RESOURCE,     /* read it: name is the URI; result: a ReadResourceResult */
	APP_ASK_LINK,         /* open name, a URL that passed the checks, if the user agrees; {} */
	APP_ASK_DOWNLOAD,     /* save value, an array, if the user agrees: app_download_read(); {} */
	APP_ASK_MESSAGE,      /* add value, one block or an array, to the conversation; {} */
	APP_ASK_DISPLAY_MODE, /* change to mode, if that is possible: app_bridge_set_context(); the
				 answer is the mode after that, whatever result says */
	APP_ASK_SAMPLING,     /* sampling/createMessage with params */
};

/* Borrowed for the call, except the token. */
struct app_ask {
	uint64_t token; /* never reused */
	enum app_ask_kind kind;
	const char *method;
	const cJSON *params; /* whole, an object; _meta still has the app's progressToken */
	const char *name;
	const cJSON *value; /* may be NULL: a call without arguments */
	enum app_display mode;
	struct json_doc *doc; /* of the message: json_doc_ref() keeps it */
};

/* One file of a download. Pointers are into the block given. */
struct app_download {
	char name[128];   /* for a file: letters, digits and - _ . alone; never empty or hidden */
	const char *mime; /* NULL: not said */
	const char *text; /* its content, as text */
	const char *blob; /* or in Base64 */
	const char *uri;  /* or to be read from the server: of a resource link */
};
/* False: the block is neither an embedded resource nor a resource link. */
bool app_download_read(struct app_download *d, const cJSON *block);

/* ---- what goes out ---- */

/* One message, valid or not, in the form of the journal (struct journal_args). */
struct app_line {
	bool is_sent; /* to the app */
	enum message_kind kind;
	struct blob *bytes; /* the text, whole or its beginning; blob_ref() keeps it */
	size_t dropped;     /* bytes that were not kept */
	const char *method; /* of a response: the method of its request; NULL: unknown */
	const char *id;     /* as JSON; NULL: none */
	bool is_error;
	const char *flaw;           /* what is wrong with it; NULL: nothing */
	const struct json_doc *doc; /* NULL: not parsed, or ours */
	uint64_t request;           /* of ours, and of its response; 0: none */
	int64_t at_us;
};

struct app_log {
	const char *level;  /* "info"; never NULL */
	const char *logger; /* NULL: not said */
	const cJSON *data;  /* NULL: absent */
};

enum app_change {
	APP_CHANGE_PHASE,
	APP_CHANGE_SIZE,     /* the app said how big its content is */
	APP_CHANGE_CONTEXT,  /* it set the model context */
	APP_CHANGE_TEARDOWN, /* it asks to be closed: app_bridge_close() does it */
	APP_CHANGE_TOOLS,    /* its own tools changed */
	APP_CHANGE_TROUBLE,  /* see app_bridge_info */
};

/* The lists of the app's own server, which the bridge looks tools up in and hands to the app. */
enum app_list { APP_LIST_TOOLS, APP_LIST_RESOURCES, APP_LIST_TEMPLATES, APP_LIST_PROMPTS };

/* A reply to app_bridge_request(). */
struct app_reply {
	uint64_t request;
	const cJSON *result; /* NULL: it failed */
	const char *error;   /* the message of the error, "no answer within 30 s"; NULL: none */
	struct json_doc *doc;
};

/* user comes back in each. Callbacks may call all functions here but app_bridge_create(),
 * app_bridge_destroy() and app_bridge_on_message(). */
struct app_events {
	void (*on_send)(void *user, const char *json, size_t len);
	void (*on_line)(void *user, const struct app_line *line);
	void (*on_note)(void *user, const char *text, int64_t at_us); /* ours, for the journal */
	void (*on_ask)(void *user, const struct app_ask *ask);
	/* It needs no answer any more: the app cancelled it or is gone. why: NULL if not said. */
	void (*on_ask_end)(void *user, uint64_t token, const char *why);
	void (*on_log)(void *user, const struct app_log *log);
	void (*on_reply)(void *user, const struct app_reply *reply);
	void (*on_change)(void *user, enum app_change change);
	/* The definition at this index; NULL behind the last. */
	const cJSON *(*definition_at)(void *user, enum app_list list, size_t index);
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

/* Copies all but the events' user. The page starts to load now. */
struct app_bridge *app_bridge_create(const struct app_bridge_options *options,
    const struct app_context *context, const struct app_events *events, void *user, int64_t now_us);
void app_bridge_destroy(struct app_bridge *b); /* calls nothing; accepts NULL */

/* ---- input ---- */

#define APP_MESSAGE_MAX ((size_t)16 << 20) /* bytes of one message that is read */
#define APP_MESSAGE_KEPT ((size_t)64 << 10) /* of a longer one for the journal */
#define APP_VALUES_MAX ((size_t)1 << 19)   /* values in one message */
#define APP_ASKS_MAX 64                    /* open at once */
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

/* The surroundings changed; the app gets what differs from what it was told. False: the app does not
 * declare this display mode, so the mode stays as it was; all else is taken. */
bool app_bridge_set_context(struct app_bridge *b, const struct app_context *c, int64_t now_us);

/* ---- answers; false: the ask has ended ---- */

/* json: the result, sent as it is; NULL: {}. */
bool app_bridge_answer(
    struct app_bridge *b, uint64_t token, const char *json, size_t len, int64_t now_us);
#define APP_ERROR (-32000) /* denied or failed */
bool app_bridge_refuse(
    struct app_bridge *b, uint64_t token, int64_t code, const char *text, int64_t now_us);
/* Relays the params of notifications/progress of the server, under the app's own token. */
bool app_bridge_progress(
    struct app_bridge *b, uint64_t token, const cJSON *params, int64_t now_us);

/* ---- requests to the app: ping, tools/list, tools/call ---- */

/* 0: it is not ready, or too many are open. on_reply gets the reply. */
uint64_t app_bridge_request(struct app_bridge *b, const char *method, const char *params_json,
    size_t len, int64_t now_us);
/* A list of the server changed: the app is told if it could know the list. */
void app_bridge_list_changed(struct app_bridge *b, enum app_list list, int64_t now_us);
/* Ends it: a page that is ready is asked first and has teardown_us to answer. APP_GONE follows. */
void app_bridge_close(struct app_bridge *b, const char *why, int64_t now_us);

/* ---- facts ---- */

struct app_bridge_info {
	enum app_phase phase;
	const char *trouble;           /* one line, as "no ui/initialize within 10 s"; NULL */
	const char *app_name, *app_title, *app_version; /* labels; "" before ui/initialize */
	const char *protocol;          /* the version that the app speaks; "" */
	const cJSON *capabilities;     /* appCapabilities; NULL */
	bool declares_modes;
	unsigned modes;                /* display modes it may be in and the host offers, as bits */
	enum app_display mode;
	bool has_tools;                /* the app has tools of its own */
	double width, height;          /* of its content, as it said; 0: not said */
	const cJSON *context;          /* params of the last ui/update-model-context; NULL: none */
	size_t context_bytes, context_updates;
	size_t received, sent;         /* messages */
	size_t flaws;                  /* messages with one */
	size_t dropped, dropped_bytes; /* messages of floods, which nobody read */
	size_t asks;                   /* open */
	int64_t ready_us;              /* from the start to initialized; -1: not yet */
	bool input_sent, result_sent;  /* result: or cancelled */
};
const struct app_bridge_info *app_bridge_info(const struct app_bridge *b);

#endif
