/* SPDX-License-Identifier: MIT */
#ifndef APPS_EVENTS_H
#define APPS_EVENTS_H

#include "apps/context.h"
#include "base/buf.h"
#include "json/doc.h"
#include "mcp/message.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Requests of an app to its host, and other events of a bridge (apps/bridge.h). */

enum app_ask_kind {
	APP_ASK_TOOL,     /* call it: name, value has the arguments; result: a CallToolResult */
	APP_ASK_RESOURCE, /* read it: name is the URI; result: a ReadResourceResult */
	APP_ASK_LINK,     /* open name, a URL that passed the checks, if the user agrees; {} */
	APP_ASK_DOWNLOAD, /* save value, an array, if the user agrees: app_download_read(); {} */
	APP_ASK_MESSAGE,  /* add value, one block or an array, to the conversation; {} */
	APP_ASK_DISPLAY_MODE, /* change to mode, if possible: app_bridge_set_context(); the answer
				 is the resulting mode, and the result of the owner is ignored */
	APP_ASK_SAMPLING,     /* sampling/createMessage with params */
	APP_ASK_COPY,         /* value, a string, to the clipboard, if the user agrees; {} */
};

/* Borrowed for the call, except the token. */
struct app_ask {
	uint64_t token; /* never reused */
	enum app_ask_kind kind;
	const char *method;
	const cJSON *params; /* complete, an object; _meta still has the app's progressToken */
	const char *name;
	const cJSON *value; /* may be NULL: a call without arguments */
	enum app_display mode;
	struct json_doc *doc; /* of the message: json_doc_ref() keeps it */
};

/* One file of a download. Pointers are into the block given. */
struct app_download {
	char name[128];   /* for a file: only letters, digits and - _ . ; never empty or hidden */
	const char *mime; /* NULL: unknown */
	const char *text; /* its content, as text */
	const char *blob; /* or in Base64 */
	const char *uri;  /* or to be read from the server: of a resource link */
};
/* Read one block; false: it is neither an embedded resource nor a resource link. */
bool app_download_read(struct app_download *d, const cJSON *block);

/* ---- output ---- */

/* One message, valid or not, for the journal (struct journal_args). */
struct app_line {
	bool is_sent; /* to the app */
	enum message_kind kind;
	struct blob *bytes; /* the text, whole or its beginning; blob_ref() keeps it */
	size_t dropped;     /* bytes that were dropped */
	const char *method; /* of a response: the method of its request; NULL: unknown */
	const char *id;     /* as JSON; NULL: none */
	bool is_error;
	const char *flaw;           /* the flaw; NULL: none */
	const struct json_doc *doc; /* NULL: not parsed, or ours */
	uint64_t request;           /* id of our request or of its response; 0: none */
	int64_t at_us;
};

struct app_log {
	const char *level;  /* "info"; never NULL */
	const char *logger; /* NULL: unknown */
	const cJSON *data;  /* NULL: absent */
};

enum app_change {
	APP_CHANGE_PHASE,
	APP_CHANGE_SIZE,     /* the app reported the size of its content */
	APP_CHANGE_CONTEXT,  /* it set the model context */
	APP_CHANGE_TEARDOWN, /* the app requests app_bridge_close() */
	APP_CHANGE_TOOLS,    /* the tools of the app changed */
	APP_CHANGE_TROUBLE,  /* see struct app_bridge_info */
};

/* The lists of the app's server, for the bridge to find tools and to send to the app. */
enum app_list { APP_LIST_TOOLS, APP_LIST_RESOURCES, APP_LIST_TEMPLATES, APP_LIST_PROMPTS };

/* A reply to app_bridge_request(). */
struct app_reply {
	uint64_t request;
	const cJSON *result; /* NULL: it failed */
	const char *error;   /* the error message, "no answer within 30 s"; NULL: none */
	struct json_doc *doc;
};

/* Each callback gets user. Callbacks may call all functions here except app_bridge_create(),
 * app_bridge_destroy() and app_bridge_on_message(). */
struct app_events {
	void (*on_send)(void *user, const char *json, size_t len);
	void (*on_line)(void *user, const struct app_line *line);
	/* A note of the host for the journal. */
	void (*on_note)(void *user, const char *text, int64_t at_us);
	void (*on_ask)(void *user, const struct app_ask *ask);
	/* The ask was cancelled by the app, or the app is gone. why: may be NULL. */
	void (*on_ask_end)(void *user, uint64_t token, const char *why);
	void (*on_log)(void *user, const struct app_log *log);
	void (*on_reply)(void *user, const struct app_reply *reply);
	void (*on_change)(void *user, enum app_change change);
	/* Return the definition at this index; NULL after the last. */
	const cJSON *(*definition_at)(void *user, enum app_list list, size_t index);
};

#endif
