#include "flow_priv.h"

#include <stdlib.h>
#include <string.h>

/* What a flow has from other runs, and leaves to them. */

static struct auth_kept
token_of(const struct auth_flow *f)
{
	return (struct auth_kept){
		.issuer = f->token_issuer, .resource = f->token_resource, .token = f->token
	};
}

static void
keep(struct auth_flow *f, struct auth_kept kept)
{
	if (f->store.keep)
		f->store.keep(f->store.user, &kept);
}

static void
drop(struct auth_flow *f, struct auth_kept kept)
{
	if (f->store.drop)
		f->store.drop(f->store.user, &kept);
}

void
flow_keep_token(struct auth_flow *f)
{
	keep(f, token_of(f));
}

void
flow_keep_client(struct auth_flow *f)
{
	keep(f, (struct auth_kept){ .client = f->client });
}

void
flow_drop_token(struct auth_flow *f)
{
	auth_token_finish(&f->token);
	flow_set_text(&f->token_issuer, NULL);
	flow_set_text(&f->token_resource, NULL);
}

void
flow_leave_token(struct auth_flow *f)
{
	drop(f, token_of(f));
	flow_drop_token(f);
}

void
flow_leave_client(struct auth_flow *f)
{
	drop(f, (struct auth_kept){ .client = f->client });
	auth_client_finish(&f->client);
}

/* ---- a token ---- */

/* Not that of another client than the user wants to be, nor the one that is held. */
static bool
is_wanted(const struct auth_flow *f, const struct auth_kept *kept)
{
	const char *held = f->token.access, *client = kept->token.client_id;

	return kept->token.access && !(held && strcmp(held, kept->token.access) == 0) &&
	       !(f->given.id && client && strcmp(f->given.id, client) != 0);
}

bool
flow_take_kept(struct auth_flow *f, const char *issuer, const char *resource)
{
	struct auth_kept kept = { 0 };

	if (!f->store.find || !f->store.find(f->store.user, issuer, resource, &kept) ||
	    !is_wanted(f, &kept)) {
		auth_kept_finish(&kept);
		return false;
	}
	flow_drop_token(f);
	f->token = kept.token;
	f->token_issuer = kept.issuer;
	f->token_resource = kept.resource;
	if (kept.client.id) {
		auth_client_finish(&f->client);
		f->client = kept.client;
	}
	f->generation++;
	return true;
}

bool
auth_flow_recall(struct auth_flow *f)
{
	bool renewing = auth_flow_is_renewing(f);

	if ((f->state == AUTH_WORKING && !renewing) || !flow_take_kept(f, NULL, NULL))
		return false;
	if (renewing) {
		flow_step_done(f, true, "not sent: another run has renewed it");
		auth_request_finish(&f->request);
		f->fetching = FETCHING_NOTHING;
	}
	f->challenged = false;
	flow_set(f, AUTH_AUTHORIZED, "authorized before by %.200s", f->token_issuer);
	return true;
}

/* ---- a registration ---- */

static bool
fits(const struct auth_flow *f, const struct auth_client *c)
{
	return c->source == AUTH_CLIENT_REGISTERED && c->redirect_uri &&
	       strcmp(c->redirect_uri, f->redirect_uri) == 0 &&
	       (c->secret_expires_s == 0 || c->secret_expires_s > f->now_s);
}

static struct auth_clients
find_clients(const struct auth_flow *f)
{
	struct auth_clients found = { 0 };

	if (f->store.find_clients && auth_flow_issuer(f))
		f->store.find_clients(f->store.user, auth_flow_issuer(f), &found);
	return found;
}

bool
flow_is_registered(struct auth_flow *f)
{
	if (f->anew)
		return false;
	if (fits(f, &f->client))
		return true;
	struct auth_clients found = find_clients(f);
	bool ok = false;
	for (size_t i = 0; i < found.len && !ok; i++) {
		ok = fits(f, &found.items[i]);
		if (ok) {
			auth_client_finish(&f->client);
			auth_client_copy(&f->client, &found.items[i]);
		}
	}
	auth_clients_finish(&found);
	return ok;
}

static void
add_uri(struct auth_strings *out, const struct auth_client *c)
{
	if (c->redirect_uri && !auth_strings_have(out, c->redirect_uri))
		auth_strings_add(out, c->redirect_uri);
}

void
auth_flow_redirect_uris(const struct auth_flow *f, struct auth_strings *out)
{
	struct auth_clients found = find_clients(f);

	add_uri(out, &f->client);
	for (size_t i = 0; i < found.len; i++)
		add_uri(out, &found.items[i]);
	auth_clients_finish(&found);
}
