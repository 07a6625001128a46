#ifndef NET_EXCHANGE_PARTS_PRIV_H
#define NET_EXCHANGE_PARTS_PRIV_H

#include "exchange_priv.h"

/* What the files of an exchange share. */

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
	char place[140]; /* "example.com port 443", while it is explained */
	bool is_tls;
	bool started, dialled, connected, ended, told_end; /* dialled: its name is known */

	struct buf sent;   /* the request's head, as it went out */
	struct buf head;   /* "Name: value\n" each */
	size_t head_bytes; /* of all that came */
	int status;
	char status_text[80];
	bool has_head, told_head, packed; /* packed: it has a Content-Encoding */
	char first[8];                    /* of an answer that is not HTTP */
	size_t first_len;

	struct buf inbox;
	bool paused, held;
	bool busy, destroyed; /* in a callback; by it */

	struct loop_timer timer;
	int64_t started_ms, connect_ms, head_ms, first_byte_ms, total_ms;
	int64_t first_line_ms;   /* when the head began; 0: it has not */
	int64_t last_ms;         /* when bytes of the body came last, or the head ended */
	uint64_t received;       /* bytes of the body */
	enum exchange_stop stop; /* why it was ended by us */
	CURLcode code;
	char error[CURL_ERROR_SIZE];
	char trouble[400];
};

/* exchange.c: after what moves its bounds in time. */
void exchange_set_timer(struct exchange *x);
/* exchange_set_up.c: the handle's options. */
void exchange_set_up(struct exchange *x, const struct exchange_request *request);
/* exchange_trouble.c: writes x->trouble. */
void exchange_explain(struct exchange *x);

#endif
