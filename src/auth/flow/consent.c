#include "state.h"

#include "base/mem.h"
#include "base/vec.h"

#include <stdlib.h>
#include <string.h>

/* If the server was only guessed, its metadata may just be unavailable: the store keeps the token.
 */
static void
remove_token(struct auth_flow *f, const char *title, const char *why)
{
	flow_note(f, true, title, why);
	if (f->server.guessed)
		flow_drop_token(f);
	else
		flow_remove_token(f);
}

/* A token or a registration of another authorization server, or for another resource, is never
 * used. */
static void
drop_foreign(struct auth_flow *f)
{
	const char *issuer = f->server.issuer;

	if (f->token.access && strcmp(f->token_issuer, issuer) != 0)
		remove_token(f, "another authorization server",
		    "the token of the previous one is dropped, and its registration is not used");
	else if (f->token.access && strcmp(f->token_resource, auth_flow_info(f).resource) != 0)
		remove_token(f, "another resource", "the token for the previous one is dropped");
	if (f->client.issuer && strcmp(f->client.issuer, issuer) != 0)
		auth_client_finish(&f->client);
}

static bool
given_fits(struct auth_flow *f)
{
	if (f->given.source == AUTH_CLIENT_NONE)
		return true;
	if (!f->given.issuer)
		f->given.issuer = mem_strdup(f->server.issuer);
	if (strcmp(f->given.issuer, f->server.issuer) == 0)
		return true;
	flow_fail(f,
	    "the given client id is for %.150s; the server now names %.150s, where it must "
	    "not be used",
	    f->given.issuer, f->server.issuer);
	return false;
}

static void
choose_scope(struct auth_flow *f)
{
	struct auth_scope_input in = {
		.wanted = f->wanted_scope,
		.challenge = f->challenge_scope,
		.before = f->step_up ? f->token.scope : NULL,
		.resource_supported = f->resource.has_scopes ? &f->resource.scopes : NULL,
		.server_supported = f->server.has_scopes ? &f->server.scopes : NULL,
		.offline = !f->client_credentials,
	};
	free(f->scope);
	f->scope = auth_scope_choose(&in);
}

/* The token may stem from another server of this resource, from another URL of this server, or from
 * another run. An expired one is loaded too, because it can be renewed. */
static bool
use_stored(struct auth_flow *f)
{
	if (f->go || !flow_load_token(f, f->server.issuer, auth_flow_info(f).resource) ||
	    (f->token.expires_s && f->token.expires_s <= f->now_s))
		return false;
	flow_note(
	    f, true, "a stored token", "of another run, from this issuer and for this resource");
	flow_keep_token(f); /* for this server too */
	f->challenged = false;
	flow_set(f, AUTH_AUTHORIZED, "authorized before by %.200s", f->token_issuer);
	return true;
}

void
flow_on_known(struct auth_flow *f)
{
	drop_foreign(f);
	if (!given_fits(f) || use_stored(f))
		return;
	choose_scope(f);
	bool again = f->challenged && f->now_s - f->refreshed_s < REFRESH_PAUSE_S;
	if (flow_can_refresh(f) && !again && !f->step_up && !f->in_full) {
		flow_refresh(f);
	} else if (!f->challenged && f->token.access) {
		flow_fail(f, "the client that it was issued to is no longer known");
	} else if (f->client_credentials) {
		flow_by_credentials(f);
	} else if (f->go) {
		flow_begin(f);
	} else {
		flow_set(f, AUTH_NEEDED, "%.150s must authorize this%s%.150s%s%s%.200s",
		    f->server.issuer, f->scope ? ", for " : "", f->scope ? f->scope : "",
		    f->refused_token ? "; the previous token is refused" : "",
		    f->refused_token && f->refusal ? ": " : "",
		    f->refused_token && f->refusal ? f->refusal : "");
	}
}

/* ---- the authorization request ---- */

static bool
make_secrets(struct auth_flow *f, char **challenge)
{
	struct err err = { "" };

	free(f->state_nonce);
	free(f->verifier);
	f->state_nonce = auth_nonce(&f->crypto, 24, &err);
	f->verifier = f->state_nonce ? auth_nonce(&f->crypto, 32, &err) : NULL;
	*challenge = f->verifier ? auth_pkce_challenge(f->verifier) : NULL;
	if (!*challenge)
		flow_fail(f, "%s", err.text);
	return *challenge != NULL;
}

static bool
has_member(const char *form, size_t len, const char *name)
{
	size_t count;

	free(auth_form_get(form, len, name, &count));
	return count > 0;
}

/* Keeps the query of the endpoint, but no parameter may be sent twice (RFC 6749, 3.1): the server
 * could use the endpoint's value instead of ours. */
static void
add_endpoint(struct auth_flow *f, struct buf *url, const struct buf *ours)
{
	static const char *const names[] = { "response_type", "client_id", "redirect_uri", "scope",
		"state", "code_challenge", "code_challenge_method", "resource", "prompt" };
	const char *at = f->server.authorization_endpoint;
	size_t len = strcspn(at, "?#");
	char between = '?';

	buf_add(url, at, len);
	while (at += len, *at == '?' || *at == '&') {
		const char *twice = NULL;
		len = strcspn(++at, "&#");
		for (size_t i = 0; i < ARRAY_LEN(names); i++)
			if (has_member(at, len, names[i]) &&
			    has_member(buf_text(ours), ours->len, names[i]))
				twice = names[i];
		if (twice) {
			char *text = mem_printf("its query has %s, which is left out: no "
						"parameter may be sent twice (RFC 6749, 3.1)",
			    twice);
			flow_note(f, true, "the authorization endpoint", text);
			free(text);
		} else if (len) {
			buf_addf(url, "%c%.*s", between, (int)len, at);
			between = '&';
		}
	}
	buf_addf(url, "%c%s", between, buf_text(ours));
}

static void
build_url(struct auth_flow *f, const char *challenge)
{
	struct buf query = BUF_INIT, url = BUF_INIT;

	auth_form_add(&query, "response_type", "code");
	auth_form_add(&query, "client_id", f->client.id);
	auth_form_add(&query, "redirect_uri", f->redirect_uri);
	auth_form_add(&query, "scope", f->scope);
	auth_form_add(&query, "state", f->state_nonce);
	auth_form_add(&query, "code_challenge", challenge);
	auth_form_add(&query, "code_challenge_method", "S256");
	auth_form_add(&query, "resource", auth_flow_info(f).resource);
	/* OpenID Connect gives no refresh token without it */
	if (f->scope && auth_scope_covers(f->scope, "offline_access"))
		auth_form_add(&query, "prompt", "consent");
	free(f->browser_url);
	add_endpoint(f, &url, &query);
	f->browser_url = buf_detach(&url);
	buf_finish(&query);
}

/* Names the origin of the endpoint, which may differ from the issuer's. */
static void
set_ready(struct auth_flow *f)
{
	struct buf origin = BUF_INIT;
	struct auth_url u;

	if (auth_url_parse(&u, f->server.authorization_endpoint, NULL)) {
		auth_url_add_origin(&u, &origin);
		auth_url_finish(&u);
	}
	bool same = strncmp(f->server.issuer, buf_text(&origin), origin.len) == 0;
	flow_set(f, AUTH_READY, "ready to open %.200s in the browser%s%.200s", buf_text(&origin),
	    same ? "" : ", which authorizes for ", same ? "" : f->server.issuer);
	buf_finish(&origin);
}

/* The client is known: the browser is next. */
static void
ask(struct auth_flow *f)
{
	char *challenge;

	if (!flow_count_attempt(f) || !make_secrets(f, &challenge))
		return;
	build_url(f, challenge);
	free(challenge);
	flow_note(f, true, "authorization request", f->browser_url);
	set_ready(f);
}

/* ---- the client ---- */

/* Uses the client that is known without a registration. False: none. */
bool
flow_adopt_client(struct auth_flow *f)
{
	if (f->given.id) {
		auth_client_finish(&f->client);
		auth_client_copy(&f->client, &f->given);
	} else if (!f->client.id && f->server.cimd && f->metadata_url) {
		f->client = (struct auth_client){
			.source = AUTH_CLIENT_DOCUMENT,
			.issuer = mem_strdup(f->server.issuer),
			.id = mem_strdup(f->metadata_url),
			.method = AUTH_METHOD_NONE,
		};
	}
	return f->client.id != NULL;
}

bool
flow_can_refresh(struct auth_flow *f)
{
	return f->token.refresh && flow_adopt_client(f) &&
	       (!f->token.client_id || strcmp(f->token.client_id, f->client.id) == 0);
}

static void
use_given(struct auth_flow *f)
{
	flow_adopt_client(f);
	flow_note(f, true, "the client", "registered by the user beforehand");
	ask(f);
}

static void
use_document(struct auth_flow *f)
{
	auth_client_finish(&f->client);
	flow_adopt_client(f);
	flow_note(f, true, "the client", "its metadata document is its client_id");
	ask(f);
}

static void
register_client(struct auth_flow *f)
{
	struct auth_request *r = &f->request;

	auth_client_finish(&f->client);
	auth_request_finish(r);
	r->method = "POST";
	r->url = mem_strdup(f->server.registration_endpoint);
	strings_add(&r->headers, "Content-Type: application/json");
	strings_add(&r->headers, "Accept: application/json");
	auth_registration_body(&r->body, &f->server, f->redirect_uri, f->client_name, f->scope);
	flow_fetch(f, FETCHING_REGISTRATION, "client registration");
}

static void
need_client(struct auth_flow *f, const char *why)
{
	if (f->server.guessed)
		flow_fail(f,
		    "the server wants a token, but no authorization server was found: there are no "
		    "metadata at any URL, and at %.120s/register, which older servers use: %.150s. "
		    "If you have a token, pass it by --header \"Authorization: Bearer TOKEN\"",
		    f->server.issuer, why);
	else
		flow_set(f, AUTH_NEEDS_CLIENT,
		    "%.250s: register a client at %.120s with the redirect URI %.100s and give its "
		    "id",
		    why, f->server.issuer, f->redirect_uri);
}

/* In the order of the specification. */
void
flow_begin(struct auth_flow *f)
{
	if (!f->redirect_uri)
		flow_fail(f, "there is no address for the browser to return to");
	else if (f->given.id)
		use_given(f);
	else if (f->server.cimd && f->metadata_url)
		use_document(f);
	else if (flow_is_registered(f))
		ask(f);
	else if (f->server.registration_endpoint)
		register_client(f);
	else
		need_client(f, "the authorization server has no registration endpoint");
}

static bool
take_registration(struct auth_flow *f, const struct auth_answer *a, struct err *err)
{
	struct err why = { "" };
	struct buf words = BUF_INIT;

	if (a->status == 0)
		return err_set(err, "no registration: %s", a->error ? a->error : "no answer");
	if (a->status != 201 && a->status != 200) {
		flow_add_refusal(f, &words, a);
		err_set(err, "the registration was refused (%.200s)", buf_text(&words));
		buf_finish(&words);
		return false;
	}
	return auth_registration_parse(
		   &f->client, a->body, a->len, f->server.issuer, f->redirect_uri, &why) ||
	       err_set(err, "no registration: %s", why.text);
}

void
flow_on_registration(struct auth_flow *f, const struct auth_answer *a)
{
	struct err err = { "" };

	if (!take_registration(f, a, &err)) {
		flow_step_done(f, false, "%s", err.text);
		need_client(f, err.text);
		return;
	}
	flow_step_done(
	    f, true, "client_id %.150s%s", f->client.id, f->client.secret ? ", with a secret" : "");
	const struct auth_kept kept = { .client = f->client };
	flow_change_store(f, (struct auth_change){ .keep = &kept });
	f->register_again = false;
	ask(f);
}
