#include "authorizer_priv.h"

#include "base/mem.h"
#include "host/tokens.h"

#include <stdlib.h>
#include <unistd.h>

/* How often the turn of another run is looked for, and how long it is respected. */
#define CLAIM_PAUSE_MS 100
#define CLAIM_WAIT_MS 30000

static void
note_trouble(struct authorizer *a, const struct err *err)
{
	if (!err->text[0])
		return;
	char *text = mem_printf("authorization: %s", err->text);
	authorizer_note(a, text);
	free(text);
}

/* ---- the flow's store ---- */

static bool
find(void *user, const char *issuer, const char *resource, struct auth_kept *out)
{
	struct authorizer *a = user;
	struct err err = { "" };

	bool found =
	    tokens_find(a->tokens_path, auth_flow_server_url(a->flow), issuer, resource, out, &err);
	note_trouble(a, &err);
	return found;
}

static void
find_clients(void *user, const char *issuer, struct auth_clients *out)
{
	struct authorizer *a = user;
	struct err err = { "" };

	tokens_find_clients(a->tokens_path, issuer, out, &err);
	note_trouble(a, &err);
}

static void
keep(void *user, const struct auth_kept *kept)
{
	struct authorizer *a = user;
	struct err err = { "" };

	tokens_keep(a->tokens_path, auth_flow_server_url(a->flow), kept, &err);
	note_trouble(a, &err);
}

static void
drop(void *user, const struct auth_kept *kept)
{
	struct authorizer *a = user;
	struct err err = { "" };

	tokens_drop(a->tokens_path, kept, &err);
	note_trouble(a, &err);
}

static void
forget(void *user)
{
	struct authorizer *a = user;
	struct err err = { "" };
	bool found;

	tokens_forget(a->tokens_path, auth_flow_server_url(a->flow), &found, &err);
	note_trouble(a, &err);
}

struct auth_store
authorizer_store(struct authorizer *a)
{
	if (!a->tokens_path)
		return (struct auth_store){ 0 };
	return (struct auth_store){ find, find_clients, keep, drop, forget, a };
}

bool
authorizer_recall(struct authorizer *a)
{
	bool newer = auth_flow_recall(a->flow);

	if (newer)
		authorizer_note(a, "authorization: another run of this program has a newer token");
	return newer;
}

/* ---- one of all who hold a refresh token uses it ---- */

static bool
claim(struct authorizer *a)
{
	const char *issuer = auth_flow_issuer(a->flow), *resource = auth_flow_resource(a->flow);
	int64_t now_ms = loop_now_ms(a->loop);

	if (a->claim >= 0 || tokens_claim(a->tokens_path, issuer, resource, &a->claim)) {
		a->claiming_until_ms = 0;
		return true;
	}
	if (a->claiming_until_ms == 0)
		a->claiming_until_ms = now_ms + CLAIM_WAIT_MS;
	loop_timer_set(a->loop, &a->claim_again, now_ms + CLAIM_PAUSE_MS);
	return now_ms >= a->claiming_until_ms;
}

bool
authorizer_may_send(struct authorizer *a)
{
	if (!a->tokens_path || !auth_flow_is_renewing(a->flow))
		return true;
	if (!claim(a))
		return false;
	if (!authorizer_recall(a))
		return true;
	authorizer_end_claim(a);
	return false;
}

void
authorizer_end_claim(struct authorizer *a)
{
	loop_timer_cancel(&a->claim_again);
	a->claiming_until_ms = 0;
	if (a->claim >= 0)
		close(a->claim);
	a->claim = -1;
}

void
authorizer_on_claim(void *user)
{
	authorizer_move(user);
}
