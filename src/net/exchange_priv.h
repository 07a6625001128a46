#ifndef NET_EXCHANGE_PRIV_H
#define NET_EXCHANGE_PRIV_H

#include "base/buf.h"
#include "curl_loop_priv.h"

#include <stdint.h>

/*
 * One HTTP request and its answer, as it comes: head, pieces of the body, end. Always
 * HTTP/1.1, so that a stream that is held fills its own socket and nothing else. What was
 * sent is never sent again by itself, not even on a connection that turned out dead.
 */
struct exchange;

#define EXCHANGE_INBOX ((size_t)128 * 1024) /* the most a piece of a body has */
/* What a packed one may unpack to between two turns of the loop: libcurl would copy what is not
 * taken again and again. */
#define EXCHANGE_UNPACKED ((size_t)4 << 20)
#define EXCHANGE_MAX_HEAD ((size_t)64 * 1024)

#define EXCHANGE_MAX_HEADS (4 * EXCHANGE_MAX_HEAD) /* with those of interim answers, 1xx */

/* How far it came; a phase is one that has been begun and not ended. */
enum exchange_phase {
	PHASE_NAME,
	PHASE_CONNECT,
	PHASE_TLS,
	PHASE_FIRST_BYTE,
	PHASE_HEAD,
	PHASE_BODY,
};

/* Everything is borrowed for the call, but body: until the exchange is destroyed. */
struct exchange_request {
	const char *method, *url;
	const char *body; /* NULL: none */
	size_t body_len;
	bool insecure, public_only;
	int64_t connect_ms;    /* name, connection and TLS */
	int64_t head_ms;       /* from the first line of the answer's head to its last */
	int64_t first_byte_ms; /* from the start to that first line; 0: no bound */
	int64_t total_ms;      /* 0: no bound */
};

/* From the loop, never from within a call below. The exchange may be destroyed in any of them. */
struct exchange_events {
	/* The head of the answer is there; those of 1xx and of proxies are not told. */
	void (*on_head)(void *user, struct exchange *x);
	void (*on_body)(void *user, const char *bytes, size_t len);
	/* The last. trouble: one line for people; NULL: the answer is whole. */
	void (*on_end)(void *user, const char *trouble);
};

/* The URL is one that url_check() or url_resolve() let pass. NULL with err: no libcurl. */
struct exchange *exchange_create(struct loop *loop, const struct exchange_request *request,
    const struct exchange_events *events, void *user, struct err *err);
void exchange_destroy(struct exchange *x); /* NULL-safe */
/* False: there is something in it that cannot stand in a header; it is left out. */
bool exchange_add_header(struct exchange *x, const char *name, const char *value);
void exchange_start(struct exchange *x);
/* While held nothing is told and, beyond EXCHANGE_INBOX bytes, nothing is read. */
void exchange_hold(struct exchange *x, bool held);

int exchange_status(const struct exchange *x);              /* 0 before on_head */
const char *exchange_status_text(const struct exchange *x); /* "404 Not Found" */
/* The head of the request as it was sent, its lines ended by CR LF, also that to a proxy. */
const char *exchange_sent(const struct exchange *x);
/* "Name: value\n" each, as they came. */
const char *exchange_headers(const struct exchange *x);
/* The nth (from 0) value, case of the name ignored; NULL: none. Caller frees. */
char *exchange_header(const struct exchange *x, const char *name, size_t nth);
int64_t exchange_retry_after_s(
    const struct exchange *x); /* -1: it does not say, or not so that it can be read */
enum exchange_phase exchange_phase(const struct exchange *x);
const char *exchange_phase_name(enum exchange_phase phase); /* "name look-up" */
/* What it waits for now: "first byte, for 2.5 s", "body, silent for 3 s after 120 bytes". */
void exchange_describe_wait(const struct exchange *x, char *out, size_t size);

/* The value of a header in lines as exchange_headers() has them. */
char *header_find(const char *headers, const char *name, size_t nth);

/* ---- for curl_loop ---- */
void exchange_deliver(struct exchange *x);
void exchange_on_connected(struct exchange *x); /* as far as TCP goes */
void exchange_on_done(struct exchange *x, CURLcode code);

#endif
