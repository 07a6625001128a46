#ifndef HOST_AUTHORIZER_PRIV_H
#define HOST_AUTHORIZER_PRIV_H

#include "host/authorizer.h"
#include "host/browser.h"
#include "net/fetch.h"
#include "net/loopback.h"

struct authorizer {
	struct loop *loop;
	struct authorizer_events events;
	void *user;
	struct auth_flow *flow;
	struct crypto_key *key;
	char *redirect_uri, *tokens_path;
	char *registered_uri; /* where the browser came back to before: the same port again */
	enum authorizer_consent consent;
	bool insecure;

	struct fetch *fetch;
	struct fetch *visit;
	struct loopback *listener;
	struct browser *browser;
	struct loop_timer wait, renew;
	uint64_t noted; /* the last step that is in the journal */
	bool waiting;   /* http has parked messages */
	int64_t waiting_since_us;
	bool fresh;  /* a token that nobody was told of */
	bool opened; /* the URL of this turn */
	bool moving; /* move() is at work */
	bool again;  /* and has to look again */
};

/* authorizer.c */
int64_t authorizer_now_s(void); /* since 1970 */
void authorizer_note(struct authorizer *a, const char *text);
/* Does what the flow says until it rests. May be called from anything that is called from it. */
void authorizer_move(struct authorizer *a);

/* authorizer_browser.c */
/* The user agreed: listens for the way back, and the flow goes on. */
void authorizer_go(struct authorizer *a);
bool authorizer_open_browser(struct authorizer *a, struct err *err);
/* The browser that is none. */
void authorizer_visit(struct authorizer *a);
void authorizer_stop_listening(struct authorizer *a);
void authorizer_on_waited_long(void *user);

#endif
