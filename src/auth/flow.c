#include "flow_priv.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

struct auth_token_input
flow_token_input(const struct auth_flow *f)
{
	return (struct auth_token_input){
		.server = &f->server,
		.client = &f->client,
		.crypto = &f->crypto,
		.resource = auth_flow_resource(f),
		.has_key = f->has_key,
		.now_s = f->now_s,
	};
}

bool
flow_count_attempt(struct auth_flow *f)
{
	if (f->now_s - f->attempted_s > ATTEMPTS_LAST_S)
		f->attempts = 0;
	if (f->attempts >= MAX_ATTEMPTS) {
		flow_fail(f,
		    "the server still refuses after %d authorizations%s%.100s%s%.250s: it is not "
		    "asked again by itself",
		    f->attempts, f->challenge_scope ? ", and asks for scope " : "",
		    f->challenge_scope ? f->challenge_scope : "", f->refusal ? ", saying " : "",
		    f->refusal ? f->refusal : "");
		return false;
	}
	f->attempts++;
	f->attempted_s = f->now_s;
	return true;
}

/* ---- life ---- */

struct auth_flow *
auth_flow_create(const struct auth_flow_options *o, const struct auth_crypto *crypto,
    const struct auth_store *store)
{
	struct auth_flow *f = mem_zalloc(sizeof(*f));
	struct auth_url url;

	f->server_url = auth_canonical_resource(o->server_url);
	BUG_IF(!f->server_url || !auth_url_parse(&url, f->server_url, NULL));
	f->near = url.kind;
	auth_url_finish(&url);
	f->client_name = mem_strdup(o->client_name);
	f->metadata_url = mem_strdup(o->client_metadata_url);
	f->wanted_scope = mem_strdup(o->scope);
	f->client_credentials = o->client_credentials;
	f->has_key = o->has_key;
	f->crypto = *crypto;
	if (store)
		f->store = *store;
	if (o->client_id)
		f->given = (struct auth_client){
			.source = AUTH_CLIENT_GIVEN,
			.issuer = mem_strdup(o->client_issuer),
			.id = mem_strdup(o->client_id),
			.secret = mem_strdup(o->client_secret),
			.method = AUTH_METHOD_COUNT,
		};
	flow_set(f, AUTH_NOT_NEEDED, "the server has not asked for authorization");
	return f;
}

static void
drop_asking(struct auth_flow *f)
{
	flow_set_text(&f->redirect_uri, NULL);
	flow_set_text(&f->scope, NULL);
	flow_set_text(&f->state_nonce, NULL);
	flow_set_text(&f->verifier, NULL);
	flow_set_text(&f->browser_url, NULL);
}

void
auth_flow_destroy(struct auth_flow *f)
{
	if (!f)
		return;
	free(f->server_url);
	free(f->client_name);
	free(f->metadata_url);
	free(f->wanted_scope);
	auth_client_finish(&f->given);
	auth_client_finish(&f->client);
	auth_steps_finish(&f->steps);
	auth_strings_finish(&f->urls);
	auth_resource_finish(&f->resource);
	auth_server_finish(&f->server);
	auth_request_finish(&f->request);
	auth_strings_finish(&f->sent);
	drop_asking(f);
	flow_drop_token(f);
	free(f->trouble);
	free(f->resource_trouble);
	free(f->refusal);
	free(f->challenge_scope);
	free(f->other_scheme);
	free(f->sentence);
	free(f);
}

void
auth_flow_forget(struct auth_flow *f)
{
	if (f->store.forget)
		f->store.forget(f->store.user);
	flow_drop_token(f);
	auth_client_finish(&f->client);
	auth_request_finish(&f->request);
	f->fetching = FETCHING_NOTHING;
	f->go = false;
	drop_asking(f);
	if (flow_open_step(f))
		flow_step_done(f, false, "given up");
	flow_note(f, true, "forgotten",
	    "the token is gone from here, and so is a registration that no other token needs");
	flow_set(f, AUTH_NOT_NEEDED, "nothing is kept; the server may ask again");
}

/* ---- what is known ---- */

const struct auth_request *
auth_flow_request(const struct auth_flow *f)
{
	return f->fetching == FETCHING_NOTHING ? NULL : &f->request;
}

bool
auth_flow_fetch_public_only(const struct auth_flow *f)
{
	return f->near == AUTH_HOST_PUBLIC;
}

enum auth_state
auth_flow_state(const struct auth_flow *f)
{
	return f->state;
}

bool
auth_flow_wants_user(const struct auth_flow *f)
{
	return f && f->state != AUTH_NOT_NEEDED && f->state != AUTH_WORKING &&
	       f->state != AUTH_AUTHORIZED;
}

const char *
auth_flow_sentence(const struct auth_flow *f)
{
	return f->sentence;
}

const char *
auth_flow_browser_url(const struct auth_flow *f)
{
	return f->state == AUTH_READY || f->state == AUTH_WAITING ? f->browser_url : NULL;
}

const char *
auth_flow_access_token(const struct auth_flow *f)
{
	return f->token.access;
}

int64_t
auth_flow_expires_s(const struct auth_flow *f)
{
	return f->token.expires_s;
}

bool
auth_flow_can_renew(const struct auth_flow *f)
{
	return f->token.refresh != NULL;
}

bool
auth_flow_is_renewing(const struct auth_flow *f)
{
	return f->fetching == FETCHING_REFRESH;
}

const char *
auth_flow_issuer(const struct auth_flow *f)
{
	return f->server.issuer ? f->server.issuer : f->token_issuer;
}

const char *
auth_flow_resource(const struct auth_flow *f)
{
	return f->resource.resource ? f->resource.resource : f->server_url;
}

const char *
auth_flow_server_url(const struct auth_flow *f)
{
	return f->server_url;
}

const struct auth_steps *
auth_flow_steps(const struct auth_flow *f)
{
	return &f->steps;
}

uint64_t
auth_flow_generation(const struct auth_flow *f)
{
	return f->generation;
}
