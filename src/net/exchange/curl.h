/* SPDX-License-Identifier: MIT */
#ifndef NET_EXCHANGE_CURL_H
#define NET_EXCHANGE_CURL_H

#include "exchange.h"

#include <curl/curl.h>

/* Private to this room: libcurl, and an exchange from the inside. */

/*
 * libcurl by function pointers: it is loaded when a server is first reached by HTTP, so that a
 * program without such a server never pays for its thirty libraries. The names are libcurl's own
 * without "curl_".
 */
#define CURL_FUNCTIONS(X)      \
	X(global_init)         \
	X(global_cleanup)      \
	X(free)                \
	X(version_info)        \
	X(easy_init)           \
	X(easy_setopt)         \
	X(easy_getinfo)        \
	X(easy_pause)          \
	X(easy_strerror)       \
	X(easy_cleanup)        \
	X(multi_init)          \
	X(multi_setopt)        \
	X(multi_add_handle)    \
	X(multi_remove_handle) \
	X(multi_socket_action) \
	X(multi_assign)        \
	X(multi_info_read)     \
	X(multi_cleanup)       \
	X(slist_append)        \
	X(slist_free_all)      \
	X(url)                 \
	X(url_set)             \
	X(url_get)             \
	X(url_cleanup)         \
	X(url_strerror)        \
	X(getdate)

struct curl_api {
#define FIELD(name) __typeof__(curl_##name) *name;
	CURL_FUNCTIONS(FIELD)
#undef FIELD
};

/*
 * libcurl's multi handle on our loop: one per loop, created at first use, destroyed with the loop.
 * Data from libcurl's callbacks is delivered after they have returned, so that receivers may start
 * and end transfers.
 */
struct curl_loop {
	struct curl_api api;
	struct loop *loop;
	CURLM *multi;
	struct loop_timer timer;   /* libcurl's */
	struct loop_timer deliver; /* for exchanges that became ready outside libcurl's turns */
	struct {
		struct exchange **items; /* NULL: destroyed since */
		size_t len, cap;
	} ready;
	bool acting;
};

/* The phase that has begun and not ended. */
enum exchange_phase {
	PHASE_NAME,
	PHASE_CONNECT,
	PHASE_TLS,
	PHASE_FIRST_BYTE,
	PHASE_HEAD,
	PHASE_BODY,
};
extern const char *const exchange_phase_names[]; /* "name look-up" */

/* Why we ended it. */
enum exchange_stop {
	STOP_NONE,
	STOP_FIRST_BYTE,
	STOP_HEAD,
	STOP_TOTAL,
	STOP_BIG_HEAD,
	STOP_PRIVATE,
	STOP_BOMB,
	STOP_AGAIN
};

struct exchange {
	struct curl_loop *cl;
	CURL *easy;
	struct exchange_events events;
	void *user;
	struct curl_slist *headers;
	char place[140]; /* "example.com port 443"; set by exchange_explain() */
	bool is_tls;
	bool as_is;
	bool started, dialled, connected, ended, told_end; /* dialled: its name is known */

	struct buf sent;   /* the head of the request as it was sent */
	struct buf head;   /* "Name: value\n" each */
	size_t head_bytes; /* of all heads received */
	int status;
	char status_text[80];
	bool has_head, told_head, packed; /* packed: it has a Content-Encoding */
	char first[8];                    /* of a response that is not HTTP */
	size_t first_len;

	struct buf inbox;
	bool paused, held;
	bool busy, destroyed; /* in a callback; destroyed by that callback */

	struct loop_timer timer;
	int64_t started_ms, connect_ms, head_ms, first_byte_ms, total_ms;
	int64_t first_line_ms; /* when the head began; 0: not yet */
	int64_t last_ms;       /* when the head ended or the body last grew */
	uint64_t received;     /* bytes of the body */
	enum exchange_stop stop;
	CURLcode code;
	char error[CURL_ERROR_SIZE];
	char trouble[400];
};

/* ---- exchange.c ---- */
enum exchange_phase exchange_phase(const struct exchange *x);
/* ---- trouble.c: writes x->trouble ---- */
void exchange_explain(struct exchange *x);

#endif
