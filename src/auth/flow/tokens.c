/* SPDX-License-Identifier: MIT */
#include "state.h"

#include "base/mem.h"
#include "base/vec.h"
#include "json/doc.h"

#include <stdlib.h>
#include <string.h>

/* Full authorizations until the user has to retry; counted again after a pause of ATTEMPTS_LAST_S.
 */
#define MAX_ATTEMPTS 3
#define ATTEMPTS_LAST_S 600
/* A token that is refused so soon after its renewal is not renewed again. */
#define REFRESH_PAUSE_S 30

/* ---- the store ---- */

void
flow_change_store(struct auth_flow *f, struct auth_change change)
{
	if (f->store.change)
		f->store.change(f->store.user, &change);
}

static void
store_token(struct auth_flow *f, bool keep)
{
	const struct auth_kept token = {
		.issuer = f->token_issuer, .resource = f->token_resource, .token = f->token
	};

	flow_change_store(f,
	    keep ? (struct auth_change){ .keep = &token } : (struct auth_change){ .drop = &token });
}

void
flow_drop_token(struct auth_flow *f)
{
	auth_token_finish(&f->token);
	flow_set_text(&f->token_issuer, NULL);
	flow_set_text(&f->token_resource, NULL);
}

/* Loads a stored token, unless it is the current one. issuer NULL: the token of the server. */
static bool
flow_load_token(struct auth_flow *f, const char *issuer, const char *resource)
{
	const char *held = f->token.access;
	struct auth_kept kept = { 0 };
	bool found = f->store.find && f->store.find(f->store.user, issuer, resource, &kept);
	const char *client = kept.token.client_id;

	/* Nor one of another client than the user gives, or with less scope. The server may grant
	 * less than the user wants, but then that token is held. */
	if (!found || !kept.token.access || (held && strcmp(held, kept.token.access) == 0) ||
	    (f->given.id && client && strcmp(f->given.id, client) != 0) ||
	    (f->needs_scope && f->wanted_scope && !held &&
		!auth_scope_covers(kept.token.scope, f->wanted_scope))) {
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
	bool renewing = auth_flow_info(f).is_renewing;

	if ((f->state == AUTH_WORKING && !renewing) || !flow_load_token(f, NULL, NULL))
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

	const char *issuer = auth_flow_info(f).issuer;

	if (f->store.find_clients && issuer)
		f->store.find_clients(f->store.user, issuer, &found);
	return found;
}

static bool
flow_is_registered(struct auth_flow *f)
{
	if (f->register_again)
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

void
auth_flow_redirect_uris(const struct auth_flow *f, struct strings *out)
{
	struct auth_clients found = find_clients(f);

	for (size_t i = 0; i <= found.len; i++) {
		const struct auth_client *c = i == 0 ? &f->client : &found.items[i - 1];
		if (c->redirect_uri && !strings_have(out, c->redirect_uri))
			strings_add(out, c->redirect_uri);
	}
	auth_clients_finish(&found);
}

/* ---- token requests ---- */

/* False: too many; the flow has failed. */
static bool
count_attempt(struct auth_flow *f)
{
	if (f->now_s - f->attempted_s > ATTEMPTS_LAST_S)
		f->attempts = 0;
	if (f->attempts >= MAX_ATTEMPTS) {
		flow_fail(f,
		    "the server still refuses after %d authorizations%s%.100s%s%.250s: no "
		    "automatic retry",
		    f->attempts, f->challenge_scope ? ", and asks for scope " : "",
		    f->challenge_scope ? f->challenge_scope : "", f->refusal ? ", saying " : "",
		    f->refusal ? f->refusal : "");
		return false;
	}
	f->attempts++;
	f->attempted_s = f->now_s;
	return true;
}

/* The body of f->request has the grant; the rest is the same for every grant. */
static void
send_token(struct auth_flow *f, enum fetching what, const char *title)
{
	const struct auth_token_input in = {
		.server = &f->server,
		.client = &f->client,
		.crypto = &f->crypto,
		.resource = auth_flow_info(f).resource,
		.has_key = f->has_key,
		.now_s = f->now_s,
	};
	struct err err = { "" };

	if (auth_token_request(&f->request, &in, f->server.token_endpoint, &err))
		flow_fetch(f, what, title);
	else
		flow_fail(f, "%s", err.text);
}

/* Uses the client that is known without a registration. False: none. */
static bool
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
flow_refresh(struct auth_flow *f)
{
	if (!f->token.refresh || !flow_adopt_client(f) ||
	    (f->token.client_id && strcmp(f->token.client_id, f->client.id) != 0))
		return false;
	auth_request_finish(&f->request);
	auth_form_add(&f->request.body, "grant_type", "refresh_token");
	auth_form_add(&f->request.body, "refresh_token", f->token.refresh);
	send_token(f, FETCHING_REFRESH, "token request by refresh token");
	return true;
}

static void
flow_by_credentials(struct auth_flow *f)
{
	if (!f->given.id) {
		flow_fail(f, "there are no client credentials: --client-id names the client");
		return;
	}
	if (!count_attempt(f))
		return;
	flow_adopt_client(f);
	auth_request_finish(&f->request);
	auth_form_add(&f->request.body, "grant_type", "client_credentials");
	auth_form_add(&f->request.body, "scope", f->scope);
	send_token(f, FETCHING_TOKEN, "token request by client credentials");
}

void
flow_by_code(struct auth_flow *f, const char *code)
{
	struct buf *form = &f->request.body;

	auth_request_finish(&f->request);
	auth_form_add(form, "grant_type", "authorization_code");
	auth_form_add(form, "code", code);
	auth_form_add(form, "redirect_uri", f->redirect_uri);
	auth_form_add(form, "code_verifier", f->verifier);
	flow_set_text(&f->verifier, NULL);
	flow_set_text(&f->state_nonce, NULL);
	flow_set_text(&f->browser_url, NULL);
	send_token(f, FETCHING_TOKEN, "token request");
}

/* ---- the client and the consent ---- */

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
	store_token(f, true); /* for this server too */
	f->challenged = false;
	flow_set(f, AUTH_AUTHORIZED, "authorized before by %.200s", f->token_issuer);
	return true;
}

void
flow_on_known(struct auth_flow *f)
{
	/* A token or a registration of another authorization server, or for another resource, is
	 * never used. */
	const char *issuer = f->server.issuer, *another = NULL, *why = NULL;
	if (f->token.access && strcmp(f->token_issuer, issuer) != 0) {
		another = "another authorization server";
		why = "the token of the previous one is dropped, and its registration is not used";
	} else if (f->token.access && strcmp(f->token_resource, auth_flow_info(f).resource) != 0) {
		another = "another resource";
		why = "the token for the previous one is dropped";
	}
	if (another) {
		flow_note(f, true, another, why);
		/* If the server was only guessed, its metadata may just be unavailable: the store
		 * keeps the token. */
		if (!f->server.guessed)
			store_token(f, false);
		flow_drop_token(f);
	}
	if (f->client.issuer && strcmp(f->client.issuer, issuer) != 0)
		auth_client_finish(&f->client);
	if (!given_fits(f) || use_stored(f))
		return;
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
	bool again = f->challenged && f->now_s - f->refreshed_s < REFRESH_PAUSE_S;
	if (!again && !f->step_up && !f->in_full && flow_refresh(f))
		return;
	if (!f->challenged && f->token.access) {
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
		for (size_t i = 0; i < ARRAY_LEN(names); i++) {
			size_t there, here = 0;
			free(auth_form_get(at, len, names[i], &there));
			if (there > 0)
				free(auth_form_get(buf_text(ours), ours->len, names[i], &here));
			twice = here > 0 ? names[i] : twice;
		}
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

/* The client is known: the browser is next. */
static void
ask(struct auth_flow *f)
{
	struct err err = { "" };

	if (!count_attempt(f))
		return;
	free(f->state_nonce);
	free(f->verifier);
	f->state_nonce = auth_nonce(&f->crypto, 24, &err);
	f->verifier = f->state_nonce ? auth_nonce(&f->crypto, 32, &err) : NULL;
	if (!f->verifier) {
		flow_fail(f, "%s", err.text);
		return;
	}
	char *challenge = auth_pkce_challenge(f->verifier);
	build_url(f, challenge);
	free(challenge);
	flow_note(f, true, "authorization request", f->browser_url);
	/* Names the origin of the endpoint, which may differ from the issuer's. */
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

/* ---- the client ---- */

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

/* Try clients in the order of the specification. */
void
flow_begin(struct auth_flow *f)
{
	if (!f->redirect_uri)
		flow_fail(f, "no redirect URI for the browser");
	else if (f->given.id) {
		flow_adopt_client(f);
		flow_note(f, true, "the client", "registered by the user beforehand");
		ask(f);
	} else if (f->server.cimd && f->metadata_url) {
		auth_client_finish(&f->client);
		flow_adopt_client(f);
		flow_note(f, true, "the client", "its metadata document is its client_id");
		ask(f);
	} else if (flow_is_registered(f))
		ask(f);
	else if (f->server.registration_endpoint) {
		struct auth_request *r = &f->request;
		auth_client_finish(&f->client);
		auth_request_finish(r);
		r->method = "POST";
		r->url = mem_strdup(f->server.registration_endpoint);
		strings_add(&r->headers, "Content-Type: application/json");
		strings_add(&r->headers, "Accept: application/json");
		auth_registration_body(
		    &r->body, &f->server, f->redirect_uri, f->client_name, f->scope);
		flow_fetch(f, FETCHING_REGISTRATION, "client registration");
	} else
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

/* ---- token responses ---- */

/* err is the error of the parser; it is replaced if the body is not JSON, or is an error with
 * status 200. */
static bool
say_no_token(const struct auth_flow *f, const struct auth_answer *a, struct err *err)
{
	struct json_doc *doc = json_parse(a->body, a->len, NULL, NULL);
	bool error = doc && json_get(json_root(doc), "error");
	struct buf why = BUF_INIT;

	if (error) {
		flow_add_refusal(f, &why, a);
		err_set(err, "the token endpoint answers %.150s (RFC 6749, 5.2: an error is a 400)",
		    buf_text(&why));
	} else if (!doc || !cJSON_IsObject(json_root(doc))) {
		flow_add_no_document(&why, a);
		err_set(err, "the token endpoint answers %d: %.150s (RFC 6749, 5.1)", a->status,
		    buf_text(&why));
	}
	json_doc_destroy(doc);
	buf_finish(&why);
	return false;
}

static bool
take_token(struct auth_flow *f, const struct auth_answer *a, bool refreshed, struct err *err)
{
	const char *asked = refreshed ? f->token.scope : f->scope;
	struct auth_token token;

	if (a->status == 0)
		return err_set(err, "%s", a->error ? a->error : "no answer");
	if (a->status < 200 || a->status > 299) {
		struct buf words = BUF_INIT;
		flow_add_refusal(f, &words, a);
		err_set(err, "the token endpoint refuses (%.210s)", buf_text(&words));
		buf_finish(&words);
		return false;
	}
	if (!auth_token_parse(&token, a->body, a->len, asked, f->now_s, err))
		return say_no_token(f, a, err);
	if (refreshed && !token.refresh) {
		token.refresh = f->token.refresh; /* it stays valid without a new one */
		f->token.refresh = NULL;
	}
	char *resource = mem_strdup(auth_flow_info(f).resource);
	token.by_client = refreshed ? f->token.by_client : f->client_credentials;
	flow_drop_token(f);
	f->token = token;
	f->token_issuer = mem_strdup(f->server.issuer);
	f->token_resource = resource;
	f->token.client_id = mem_strdup(f->client.id);
	if (f->given.id)
		f->given.method = f->client.method;
	store_token(f, true);
	return true;
}

static void
authorized(struct auth_flow *f)
{
	struct buf text = BUF_INIT;

	buf_addf(&text, "a token%s", f->token.refresh ? " and a refresh token" : "");
	if (f->token.scope)
		buf_addf(&text, " for %.200s", f->token.scope);
	if (f->token.expires_s)
		buf_addf(&text, ", valid for %lld s", (long long)(f->token.expires_s - f->now_s));
	flow_step_done(f, true, "%s", buf_text(&text));
	buf_finish(&text);
	f->go = false;
	f->challenged = false;
	flow_set(f, AUTH_AUTHORIZED, "authorized by %.200s%s%.200s", f->token_issuer,
	    f->token.scope ? ", for " : "", f->token.scope ? f->token.scope : "");
}

static bool
is_error(const struct auth_answer *a, const char *error)
{
	struct buf words = BUF_INIT;

	auth_error_words(&words, a->body ? a->body : "", a->len);
	bool is = strncmp(buf_text(&words), error, strlen(error)) == 0;
	buf_finish(&words);
	return is;
}

/* A client that the user registered may be registered for either place of the secret, and only the
 * endpoint knows which. It refuses the client before it checks the code or the refresh token, so
 * neither is used up. */
bool
flow_proves_otherwise(struct auth_flow *f, enum fetching what, const struct auth_answer *a)
{
	bool either = f->client.source == AUTH_CLIENT_GIVEN &&
		      f->client.method == AUTH_METHOD_COUNT && f->server.methods[AUTH_METHOD_POST];

	if ((what != FETCHING_TOKEN && what != FETCHING_REFRESH) || !either ||
	    !is_error(a, "invalid_client") || !auth_token_turn_to_post(&f->request, &f->client))
		return false;
	f->client.method = AUTH_METHOD_POST;
	flow_step_done(f, false, "the client is refused with its secret in the header");
	flow_fetch(f, what, "token request with the secret in the body");
	return true;
}

/* The endpoint no longer knows the client: the next authorization registers a new one. */
static void
drop_unknown_client(struct auth_flow *f, const struct auth_answer *a)
{
	bool unknown = is_error(a, "invalid_client") || is_error(a, "unauthorized_client");

	if (!unknown || f->client.source != AUTH_CLIENT_REGISTERED)
		return;
	const struct auth_kept client = { .client = f->client };
	flow_change_store(f, (struct auth_change){ .drop = &client });
	auth_client_finish(&f->client);
	flow_note(f, true, "the client",
	    "its registration is dropped; the next authorization registers a new one");
}

void
flow_on_token(struct auth_flow *f, const struct auth_answer *a)
{
	struct err err = { "" };

	if (take_token(f, a, false, &err)) {
		authorized(f);
		return;
	}
	flow_fail(f, "no token: %s", err.text);
	drop_unknown_client(f, a);
}

/* A refused refresh token is refused forever: the user has to authorize again. */
void
flow_on_refresh(struct auth_flow *f, const struct auth_answer *a)
{
	/* A server that is down or busy has not refused. */
	bool is_outage = a->status == 0 || a->status == 408 || a->status == 429 || a->status >= 500;
	struct err err = { "" };

	if (take_token(f, a, true, &err)) {
		f->refreshed_s = f->now_s;
		authorized(f);
		return;
	}
	flow_step_done(f, false, "%s", err.text);
	if (is_outage && f->challenged) {
		flow_fail(f, "the token could not be renewed and is kept for later: %s", err.text);
	} else if (is_outage) {
		flow_set(
		    f, AUTH_AUTHORIZED, "authorized; the token could not be renewed: %s", err.text);
	} else {
		drop_unknown_client(f, a);
		char *text = mem_printf("%s%sit cannot be renewed: %s",
		    f->refusal ? f->refusal : "", f->refusal ? "; " : "", err.text);
		free(f->refusal);
		f->refusal = text;
		f->refused_token = true;
		store_token(f, false);
		flow_drop_token(f);
		flow_on_known(f);
	}
}
