/* SPDX-License-Identifier: MIT */
#ifndef APPS_BRIDGE_INTERNALS_H
#define APPS_BRIDGE_INTERNALS_H

#include "apps/bridge.h"
#include "json/write.h"

/* A request of the app without an answer yet. */
struct open_ask {
	uint64_t token;
	enum app_ask_kind kind;
	char *id; /* as JSON */
	char *method;
	char *progress; /* its progressToken, as JSON; NULL: none */
};

/* A request to the app. */
struct bridge_request {
	uint64_t id;
	char *method;
	int64_t deadline_us;
};

/* A message that is sent when the app is ready. */
struct pending {
	struct buf params;
	const char *method; /* NULL: none */
};

struct app_bridge {
	struct app_bridge_options options;
	char *host_name, *host_version;
	struct buf sandbox; /* hostCapabilities.sandbox, as JSON */
	struct app_events events;
	void *user;
	struct app_bridge_info info;
	char trouble[120];
	struct json_doc *app;   /* params of ui/initialize */
	struct json_doc *model; /* params of the last ui/update-model-context */
	struct json_doc *host;  /* the current host context */
	struct json_doc *told; /* the context that was sent to the app; NULL before ui/initialize */
	unsigned host_modes;
	struct pending partial, input, result;
	struct {
		struct open_ask *items;
		size_t len, cap;
	} asks;
	struct {
		struct bridge_request *items;
		size_t len, cap;
	} requests;
	uint64_t last_token, last_request;
	int64_t now_us, start_us;
	int64_t init_deadline_us; /* INT64_MAX: none */
	/* rate limit: what the app may still send now */
	double messages_left, bytes_left;
	int64_t filled_us;
	size_t flood, flood_bytes; /* dropped and not reported yet */
	int64_t flood_note_us;     /* when that is reported; INT64_MAX: nothing to report */
};

/* ---- bridge.c ---- */
void bridge_set_phase(struct app_bridge *b, enum app_phase phase);
/* result: JSON; NULL: {}. */
void bridge_respond(
    struct app_bridge *b, const char *id, const char *method, const char *result, size_t len);
/* Compute the display modes that both sides support. */
void bridge_take_modes(struct app_bridge *b);
void bridge_remove_ask(struct app_bridge *b, struct open_ask *ask);

/* A classified message of the app. */
struct app_message {
	struct message message;
	const struct app_method *method; /* NULL: unknown */
	struct json_doc *doc;
	char *id; /* as JSON; NULL: none */
	size_t bytes;
};

/* Why a message is refused. Without a code it is executed but has a flaw. */
struct refusal {
	int64_t code;
	char text[200]; /* "": no problem */
};

/* A method that an app may use. */
struct app_method {
	const char *name;
	bool is_request;
	unsigned needs;       /* a bit of enum app_ability; 0: always available */
	enum app_phase since; /* refused in an earlier phase */
	void (*check)(struct app_bridge *b, const struct app_message *in, struct refusal *r);
	void (*act)(struct app_bridge *b, const struct app_message *in);
	int kind;           /* of the ask, the list or the change */
	const char *string; /* member of params, which must be a string: the name in the ask */
	const char
	    *value; /* member of params: the value in the ask; or of the list in the result */
};

/* ui/notifications/initialized */
void bridge_become_ready(struct app_bridge *b, const struct app_message *in);

/* ---- methods.c ---- */
#define APP_ID_MAX 256
/* Finds the method of a request or notification, and says why it is refused. */
void bridge_check_call(struct app_bridge *b, struct app_message *in, struct refusal *r);

#endif
