/* SPDX-License-Identifier: MIT */
#ifndef MCP_RECORDING_H
#define MCP_RECORDING_H

#include "base/buf.h"
#include "base/err.h"
#include "json/doc.h"
#include "mcp/frame.h"

#include <stdint.h>

/*
 * A recording of the wire between a client and a server, as JSON Lines: a heading, then one line
 * for each message with its time and its direction, and for the lines of standard error and the end
 * of either side. A message is there byte for byte, unless it holds a secret (base/secret.h) and
 * secrets are hidden: then it is printed without the secret. An exported journal is read too; it
 * has no heading.
 *
 *   {"mcpane":"session","version":1,"time":"2026-07-28T12:03:41.006123Z","server":"node server.js",
 *    "secrets":"hidden"}
 *   {"time":"…","direction":"sent","message":{"jsonrpc":"2.0","id":1,"method":"tools/list"}}
 *   {"time":"…","direction":"received","exchange":7,"message":{…}}        from a tap of HTTP
 *   {"time":"…","direction":"received","text":"not JSON"}      or "bytes":"…", Base64
 *   {"time":"…","direction":"exit","code":3,"text":"exit code 3"}
 */
enum recording_kind {
	RECORDING_HEADING,
	RECORDING_SENT, /* by the client */
	RECORDING_RECEIVED,
	RECORDING_STDERR,
	RECORDING_NOTE,   /* of the program that recorded */
	RECORDING_CLOSED, /* the client has closed the server's input */
	RECORDING_EXIT,   /* of the server */
};

struct recording_entry {
	enum recording_kind kind;
	int64_t wall_us;   /* since 1970 UTC; read from a line without a time: -1 */
	const char *bytes; /* without its line break; of a heading the server, of an exit how */
	size_t len;
	size_t dropped;    /* bytes of an over-long line that were not kept */
	bool unterminated; /* the stream ended before the line did */
	bool with_secrets; /* a heading: secrets are not hidden */
	uint64_t exchange; /* of HTTP: the number of the request that carried it; 0: none */
	int exit_code;     /* -1: ended by a signal */
	int signal_number; /* 0: none */
};

/* Appends the line, with its line break. */
void recording_add(struct buf *out, const struct recording_entry *e, bool with_secrets);

/* Parse a line or a message. Large arrays are lazy, because callers read only the members around
 * them. NULL: it is not JSON. */
struct json_doc *recording_parse(const char *text, size_t len, struct json_error *error);
/* Reads a line without its line break. bytes gets what e->bytes points to. False with err: it is
 * not a line of a recording. */
bool recording_read(
    const char *line, size_t len, struct recording_entry *e, struct buf *bytes, struct err *err);

/*
 * Makes a recording of the bytes of each stream, as they come: every message becomes a line at the
 * time of its end. Blank lines are skipped.
 */
struct recording_writer {
	void (*on_line)(void *user, const char *text, size_t len); /* with its line break */
	void *user;
	bool with_secrets;
	/* private */ struct recording_stream {
		struct recording_writer *writer;
		enum recording_kind kind;
		struct frame frame;
	} streams[3]; /* SENT, RECEIVED, STDERR */
	int64_t now_us;
	struct buf line;
};

void recording_writer_init(struct recording_writer *w);
/* Streams that have not ended end now. */
void recording_writer_finish(struct recording_writer *w, int64_t now_us);
/* kind: SENT, RECEIVED or STDERR. len 0: the stream has ended. */
void recording_writer_feed(struct recording_writer *w, enum recording_kind kind, const char *bytes,
    size_t len, int64_t now_us);
void recording_writer_add(struct recording_writer *w, const struct recording_entry *e);

/*
 * Cuts the bytes of a file into lines with their places. Only the length of a line beyond the bound
 * is reported.
 */
#define RECORDING_MAX_LINE ((size_t)256 << 20)

struct recording_lines {
	/* text: NULL if the line is too long. */
	void (*on_line)(void *user, const char *text, size_t len, uint64_t offset);
	void *user;
	size_t max_line; /* 0: RECORDING_MAX_LINE */
	/* private */ struct buf pending;
	uint64_t start; /* of the line that is being read */
	uint64_t len;   /* of it, so far */
};

void recording_feed(struct recording_lines *l, const char *bytes, size_t len);
/* The file has ended: the rest is a line too. */
void recording_feed_end(struct recording_lines *l);

#endif
