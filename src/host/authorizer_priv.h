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
	struct loop_timer wait, renew, retry;
	uint64_t noted; /* the last step that is in the journal */
	bool waiting;   /* http has parked messages */
	int64_t waiting_since_us;
	bool retrying; /* by a token that another run has got */
	bool fresh;    /* a token that nobody was told of */
	bool opened;   /* the URL of this turn */
	bool moving;   /* move() is at work */
	bool again;    /* and has to look again */
};

/* authorizer.c */
int64_t authorizer_now_s(void); /* since 1970 */

/* authorizer_store.c */
void authorizer_load(struct authorizer *a);
void authorizer_save(struct authorizer *a);
void authorizer_forget_kept(struct authorizer *a);
/* True: the store has another token than the one that is held, by another run; it is held now. */
bool authorizer_reload(struct authorizer *a);

/* authorizer_move.c */
void authorizer_note(struct authorizer *a, const char *text); /* for the journal */
/* To the user of a command that opens the browser by itself; url may be NULL. */
void authorizer_say(struct authorizer *a, const char *text, const char *url);
void authorizer_refuse(struct authorizer *a, const char *why);
void authorizer_set_renewal(struct authorizer *a);
void authorizer_on_renew(void *user);
/* Does what the flow says until it rests. May be called from anything that is called from it. */
void authorizer_move(struct authorizer *a);

/* authorizer_browser.c */
/* The user agreed: listens for the way back, and the flow goes on. */
void authorizer_go(struct authorizer *a);
void authorizer_open_browser(struct authorizer *a);
/* The browser that is none. */
void authorizer_visit(struct authorizer *a);
void authorizer_stop_listening(struct authorizer *a);
void authorizer_on_waited_long(void *user);

#endif
