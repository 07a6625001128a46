#ifndef HOST_AUTHORIZER_STATE_H
#define HOST_AUTHORIZER_STATE_H

#include "host/authorizer.h"
#include "host/browser.h"
#include "host/revoker.h"
#include "net/fetch.h"
#include "net/loopback.h"

struct authorizer {
	struct loop *loop;
	struct authorizer_events events;
	void *user;
	struct auth_flow *flow;
	struct crypto_key *key;
	char *redirect_uri, *tokens_path;
	char *last_uri; /* redirect address of the last run: use the same port again */
	enum authorizer_consent consent;
	bool insecure;

	struct fetch *fetch;
	struct fetch *visit;
	struct revoker *revoker; /* NULL: nothing is being revoked */
	struct loopback *listener;
	struct browser *browser;
	struct loop_timer wait, renew, retry, claim_again;
	int claim;                 /* lock on the refresh token; -1: not held */
	int64_t claiming_until_ms; /* wait for another process until then; 0: not waiting */
	uint64_t noted;            /* last step written to the journal */
	bool waiting;              /* the transport holds messages back */
	int64_t waiting_since_us;
	bool retrying; /* with a token that another process obtained */
	bool fresh;    /* a token not yet announced */
	bool opened;   /* the browser was opened for this URL */
	bool moving;   /* move() is running */
	bool again;    /* move() must run again */
};

/* authorizer.c */
int64_t authorizer_now_s(void); /* since 1970 */

/* True: another process stored a different token; it is used now. */
bool authorizer_recall(struct authorizer *a);
/* False: the flow's request must not be sent now. */
bool authorizer_may_send(struct authorizer *a);
void authorizer_end_claim(struct authorizer *a); /* the request was answered or abandoned */

/* steps.c */
void authorizer_note(struct authorizer *a, const char *text); /* for the journal */
void authorizer_refuse(struct authorizer *a, const char *why);
void authorizer_set_renewal(struct authorizer *a);
void authorizer_on_renew(void *user);
/* Performs what the flow asks for until it has to wait. Reentrant. */
void authorizer_move(struct authorizer *a);

/* The user agreed: opens the listener and continues the flow. */
void authorizer_go(struct authorizer *a);
void authorizer_open_browser(struct authorizer *a);
void authorizer_stop_listening(struct authorizer *a);
void authorizer_on_waited_long(void *user);

#endif
