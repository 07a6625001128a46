#ifndef HOST_AUTHORIZER_STATE_H
#define HOST_AUTHORIZER_STATE_H

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
	char *last_uri; /* where the browser came back to before: the same port again */
	enum authorizer_consent consent;
	bool insecure;

	struct fetch *fetch;
	struct fetch *visit;
	struct loopback *listener;
	struct browser *browser;
	struct loop_timer wait, renew, retry, claim_again;
	int claim;                 /* to use the refresh token; -1: none */
	int64_t claiming_until_ms; /* another has it: it is waited for; 0: not */
	uint64_t noted;            /* the last step that is in the journal */
	bool waiting;              /* http has parked messages */
	int64_t waiting_since_us;
	bool retrying; /* by a token that another run has got */
	bool fresh;    /* a token that nobody was told of */
	bool opened;   /* the URL of this turn */
	bool moving;   /* move() is at work */
	bool again;    /* and has to look again */
};

/* authorizer.c */
int64_t authorizer_now_s(void); /* since 1970 */

/* True: another run has left another token than the one that is held; it is held now. */
bool authorizer_recall(struct authorizer *a);
/* False: the flow's request is not to be sent now, or not any more. */
bool authorizer_may_send(struct authorizer *a);
void authorizer_end_claim(struct authorizer *a); /* what was sent is answered, or given up */

/* move.c */
void authorizer_note(struct authorizer *a, const char *text); /* for the journal */
void authorizer_refuse(struct authorizer *a, const char *why);
void authorizer_set_renewal(struct authorizer *a);
void authorizer_on_renew(void *user);
/* Does what the flow says until it rests. May be called from anything that is called from it. */
void authorizer_move(struct authorizer *a);

/* The user agreed: listens for the way back, and the flow goes on. */
void authorizer_go(struct authorizer *a);
void authorizer_open_browser(struct authorizer *a);
void authorizer_stop_listening(struct authorizer *a);
void authorizer_on_waited_long(void *user);

#endif
