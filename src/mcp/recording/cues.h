/* SPDX-License-Identifier: MIT */
#ifndef MCP_RECORDING_CUES_H
#define MCP_RECORDING_CUES_H

#include "base/map.h"
#include "json/doc.h"
#include "mcp/message.h"
#include "mcp/replay.h"

/* An action of the recorded server. */
struct replay_event {
	uint64_t offset; /* of its line in the file */
	uint32_t len;
	bool at_end; /* it ended a subscription when the client had closed its end */
	int64_t at_us;
	uint32_t next; /* of the same cue: index + 1; 0: none */
	enum replay_event_kind {
		REPLAY_RESPONSE,
		REPLAY_NOTIFICATION,
		REPLAY_PROGRESS,
		REPLAY_REQUEST,
		REPLAY_STDERR,
		REPLAY_EXIT,
	} kind;
	int64_t answered_us; /* of a request: when the client answered; -1: never */
};

/* A message of the recorded client, and the events that it caused. */
struct replay_cue {
	int64_t at_us;
	uint32_t first, last; /* of its events: index + 1; 0: none */
	bool used;
	bool is_answered;
	bool is_subscription;
};

/* Cues with the same key, in the order of the recording. */
struct replay_group {
	uint64_t key;
	uint32_t *items;
	size_t len, cap;
	size_t next; /* all before it are used */
};

/* A parsed message with the keys that it is matched by. */
struct replay_message {
	struct json_doc *doc;
	struct message m;
	char *id, *token;          /* as JSON; NULL: none */
	const cJSON *subscription; /* the id in its _meta; NULL: none */
	uint64_t exact, like;      /* keys; like 0: only an exact match counts */
};

/* A recorded request whose answer may still come. */
struct replay_open {
	char *id, *token;
	uint64_t exchange;
	uint32_t cue;
	bool initializes, discovers;
};
struct replay_asked {
	char *id;
	uint32_t event;
};

struct replay_index {
	struct {
		struct replay_event *items;
		size_t len, cap;
	} events;
	struct {
		struct replay_cue *items;
		size_t len, cap;
	} cues;                 /* the first is the start */
	struct map exact, like; /* of struct replay_group */
	size_t requests;
	bool with_secrets;
	bool is_initialized; /* initialize got a result */
	uint32_t discovered; /* the result of server/discover, event: index + 1; 0: none */
	bool closed;         /* the client has closed its end, so an exit is expected */
	int64_t last_us;
	uint64_t exchange; /* of the current line; 0: none */
	struct {
		struct replay_open *items;
		size_t len, cap;
	} open;
	struct {
		struct replay_asked *items;
		size_t len, cap;
	} asked;
};

/* ---- messages ---- */
/* False: it is not JSON. with_secrets: else params are compared without them. */
bool replay_message_read(struct replay_message *m, const char *line, size_t len, bool with_secrets);
void replay_message_finish(struct replay_message *m);
/* Appends the message with the values of some nodes replaced; pairs end with a NULL node. */
struct replay_value {
	const cJSON *node;
	const char *json;
};
void replay_add_changed(struct buf *out, const char *line, size_t len, const cJSON *root,
    const struct replay_value *values);

/* ---- the index ---- */
void replay_index_init(struct replay_index *x);
void replay_index_finish(struct replay_index *x);
bool replay_index_add(
    struct replay_index *x, const char *line, size_t len, uint64_t offset, struct err *err);
/* The cue for this message; 0: none. *stands_in: its params are others. */
uint32_t replay_index_match(
    struct replay_index *x, const struct replay_message *m, bool strict, bool *stands_in);

#endif
