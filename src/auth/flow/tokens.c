#include "state.h"

#include "base/mem.h"
#include "json/doc.h"

#include <stdlib.h>
#include <string.h>

/* ---- the store ---- */

static struct auth_kept
token_of(const struct auth_flow *f)
{
	return (struct auth_kept){
		.issuer = f->token_issuer, .resource = f->token_resource, .token = f->token
	};
}

void
flow_change_store(struct auth_flow *f, struct auth_change change)
{
	if (f->store.change)
		f->store.change(f->store.user, &change);
}

void
flow_keep_token(struct auth_flow *f)
{
	struct auth_kept token = token_of(f);

	flow_change_store(f, (struct auth_change){ .keep = &token });
}

void
flow_drop_token(struct auth_flow *f)
{
	auth_token_finish(&f->token);
	flow_set_text(&f->token_issuer, NULL);
	flow_set_text(&f->token_resource, NULL);
}

void
flow_remove_token(struct auth_flow *f)
{
	struct auth_kept token = token_of(f);

	flow_change_store(f, (struct auth_change){ .drop = &token });
	flow_drop_token(f);
}

static void
remove_client(struct auth_flow *f)
{
	const struct auth_kept client = { .client = f->client };

	flow_change_store(f, (struct auth_change){ .drop = &client });
	auth_client_finish(&f->client);
}

/* The server may grant less than what the user wants, but then that token is held. */
static bool
lacks_scope(const struct auth_flow *f, const struct auth_kept *kept)
{
	return f->needs_scope && f->wanted_scope && !f->token.access &&
	       !auth_scope_covers(kept->token.scope, f->wanted_scope);
}

/* Neither the current token, nor one of another client than the user gives or with less scope. */
static bool
is_wanted(const struct auth_flow *f, const struct auth_kept *kept)
{
	const char *held = f->token.access, *client = kept->token.client_id;

	return !lacks_scope(f, kept) && kept->token.access &&
	       !(held && strcmp(held, kept->token.access) == 0) &&
	       !(f->given.id && client && strcmp(f->given.id, client) != 0);
}

bool
flow_load_token(struct auth_flow *f, const char *issuer, const char *resource)
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

bool
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

static void
add_uri(struct strings *out, const struct auth_client *c)
{
	if (c->redirect_uri && !strings_have(out, c->redirect_uri))
		strings_add(out, c->redirect_uri);
}

void
auth_flow_redirect_uris(const struct auth_flow *f, struct strings *out)
{
	struct auth_clients found = find_clients(f);

	add_uri(out, &f->client);
	for (size_t i = 0; i < found.len; i++)
		add_uri(out, &found.items[i]);
	auth_clients_finish(&found);
}

/* ---- token requests ---- */

static void
send_token(struct auth_flow *f, bool made, enum fetching what, const char *title, struct err *err)
{
	if (made)
		flow_fetch(f, what, title);
	else
		flow_fail(f, "%s", err->text);
}

void
flow_refresh(struct auth_flow *f)
{
	struct err err = { "" };

	flow_adopt_client(f);
	auth_request_finish(&f->request);
	struct auth_token_input in = flow_token_input(f);
	bool made = auth_token_by_refresh(&f->request, &in, f->token.refresh, &err);
	send_token(f, made, FETCHING_REFRESH, "token request by refresh token", &err);
}

void
flow_by_credentials(struct auth_flow *f)
{
	struct err err = { "" };

	if (!f->given.id) {
		flow_fail(f, "there are no client credentials: --client-id names the client");
		return;
	}
	if (!flow_count_attempt(f))
		return;
	flow_adopt_client(f);
	auth_request_finish(&f->request);
	struct auth_token_input in = flow_token_input(f);
	bool made = auth_token_by_credentials(&f->request, &in, f->scope, &err);
	send_token(f, made, FETCHING_TOKEN, "token request by client credentials", &err);
}

void
flow_by_code(struct auth_flow *f, const char *code)
{
	struct err err = { "" };

	auth_request_finish(&f->request);
	struct auth_token_input in = flow_token_input(f);
	bool made = auth_token_by_code(&f->request, &in, code, f->verifier, f->redirect_uri, &err);
	flow_set_text(&f->verifier, NULL);
	flow_set_text(&f->state_nonce, NULL);
	flow_set_text(&f->browser_url, NULL);
	send_token(f, made, FETCHING_TOKEN, "token request", &err);
}

static bool
say_refusal(const struct auth_flow *f, const struct auth_answer *a, struct err *err)
{
	struct buf words = BUF_INIT;

	flow_add_refusal(f, &words, a);
	err_set(err, "the token endpoint refuses (%.210s)", buf_text(&words));
	buf_finish(&words);
	return false;
}

/* err is what the parser found; it is replaced if the body is not JSON, or is an error with status
 * 200. */
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
	if (a->status < 200 || a->status > 299)
		return say_refusal(f, a, err);
	if (!auth_token_parse(&token, a->body, a->len, asked, f->now_s, err))
		return say_no_token(f, a, err);
	if (refreshed && !token.refresh) {
		token.refresh = f->token.refresh; /* it stays valid if there is no new one */
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
	flow_keep_token(f);
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
	remove_client(f);
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

/* A server that is down or busy has not refused. */
static bool
is_outage(const struct auth_answer *a)
{
	return a->status == 0 || a->status == 408 || a->status == 429 || a->status >= 500;
}

/* Tells the user why a new authorization is needed. */
static void
add_to_refusal(struct auth_flow *f, const char *why)
{
	char *text = mem_printf("%s%sit cannot be renewed: %s", f->refusal ? f->refusal : "",
	    f->refusal ? "; " : "", why);

	free(f->refusal);
	f->refusal = text;
	f->refused_token = true;
}

/* A refused refresh token is refused forever: the user has to authorize again. */
void
flow_on_refresh(struct auth_flow *f, const struct auth_answer *a)
{
	struct err err = { "" };

	if (take_token(f, a, true, &err)) {
		f->refreshed_s = f->now_s;
		authorized(f);
		return;
	}
	flow_step_done(f, false, "%s", err.text);
	if (is_outage(a) && f->challenged) {
		flow_fail(f, "the token could not be renewed and is kept for later: %s", err.text);
	} else if (is_outage(a)) {
		flow_set(
		    f, AUTH_AUTHORIZED, "authorized; the token could not be renewed: %s", err.text);
	} else {
		drop_unknown_client(f, a);
		add_to_refusal(f, err.text);
		flow_remove_token(f);
		flow_on_known(f);
	}
}
