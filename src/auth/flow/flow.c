/* SPDX-License-Identifier: MIT */
#include "state.h"

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
		.resource = auth_flow_info(f).resource,
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

/* ---- create and destroy ---- */

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
	f->needs_scope = o->needs_scope;
	f->accepts_slash = o->accepts_slash;
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
drop_request(struct auth_flow *f)
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
	strings_finish(&f->urls);
	auth_resource_finish(&f->resource);
	auth_server_finish(&f->server);
	auth_request_finish(&f->request);
	strings_finish(&f->sent);
	drop_request(f);
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
	flow_change_store(f, (struct auth_change){ .forget = true });
	flow_drop_token(f);
	auth_client_finish(&f->client);
	auth_request_finish(&f->request);
	f->fetching = FETCHING_NOTHING;
	f->go = false;
	drop_request(f);
	if (flow_open_step(f))
		flow_step_done(f, false, "given up");
	flow_note(f, true, "forgotten",
	    "the token is removed, and also a registration that no other token needs");
	flow_set(f, AUTH_NOT_NEEDED, "nothing is stored; the server may ask again");
}

/* ---- facts ---- */

struct auth_flow_info
auth_flow_info(const struct auth_flow *f)
{
	static const struct auth_steps none;

	if (!f)
		return (struct auth_flow_info){ .steps = &none };
	bool has_url = f->state == AUTH_READY || f->state == AUTH_WAITING;

	return (struct auth_flow_info){
		.state = f->state,
		.wants_user = f->state != AUTH_NOT_NEEDED && f->state != AUTH_WORKING &&
			      f->state != AUTH_AUTHORIZED,
		.sentence = f->sentence,
		.generation = f->generation,
		.server_url = f->server_url,
		.request = f->fetching == FETCHING_NOTHING ? NULL : &f->request,
		.public_only = f->near == AUTH_HOST_PUBLIC,
		.is_renewing = f->fetching == FETCHING_REFRESH,
		.browser_url = has_url ? f->browser_url : NULL,
		.access_token = f->token.access,
		.expires_s = f->token.expires_s,
		.can_renew = f->token.refresh != NULL,
		.client_id = f->token.client_id,
		.scope = f->token.scope,
		.by_client = f->token.by_client,
		.may_accept_slash = f->slash_refused && f->state == AUTH_FAILED,
		.issuer = f->server.issuer ? f->server.issuer : f->token_issuer,
		.resource = f->resource.resource ? f->resource.resource : f->server_url,
		.steps = &f->steps,
	};
}

/* ---- events: refusals, responses, the user, the browser ---- */

/* "invalid_token: the audience is wrong". Caller frees; NULL: no error was given. */
static char *
refusal_of(const struct auth_challenge *bearer)
{
	const char *error = auth_challenge_get(bearer, "error");
	const char *description = auth_challenge_get(bearer, "error_description");

	if (!error && !description)
		return NULL;
	return mem_printf("%.80s%s%.160s", error ? error : "", error && description ? ": " : "",
	    description ? description : "");
}

/* The refusal as a step: its content and its flaws. */
static void
note_challenge(struct auth_flow *f, int status, const char *header, bool flawed, bool points)
{
	struct buf said = BUF_INIT;
	char *title =
	    mem_printf("the server refuses%s: %d", f->refused_token ? " the token" : "", status);

	if (!header)
		buf_add_str(&said, "no WWW-Authenticate (RFC 9110, 15.5.2)");
	else
		buf_addf(&said, "%s%s", header,
		    flawed ? ", its grammar is broken (RFC 9110, 11.6.1)" : "");
	if (!points)
		buf_add_str(&said, ", no resource_metadata in it (RFC 9728, 5.1): the well-known "
				   "URLs are tried");
	flow_note(f, true, title, buf_text(&said));
	buf_finish(&said);
	free(title);
}

void
auth_flow_challenge(struct auth_flow *f, int status, const char *www_authenticate, int64_t now_s)
{
	char *metadata_url;
	bool busy =
	    f->state != AUTH_NOT_NEEDED && f->state != AUTH_AUTHORIZED && f->state != AUTH_FAILED;

	f->now_s = now_s;
	if (busy) {
		f->challenged = true;
		return;
	}
	auth_request_finish(&f->request);
	f->step_up = status == 403;
	f->challenged = true;
	f->go = false;
	f->in_full = false;
	struct auth_challenges all;
	auth_challenges_parse(&all, www_authenticate ? www_authenticate : "",
	    www_authenticate ? strlen(www_authenticate) : 0);
	const struct auth_challenge *bearer = auth_challenges_find(&all, "bearer");
	flow_set_text(&f->challenge_scope, auth_challenge_get(bearer, "scope"));
	flow_set_text(&f->other_scheme, !bearer && all.len > 0 ? all.items[0].scheme : NULL);
	free(f->refusal);
	f->refusal = refusal_of(bearer);
	if (f->refusal) /* now, because it may repeat the current token */
		flow_hide_in_place(f, &f->refusal);
	f->refused_token = f->token.access != NULL;
	metadata_url = mem_strdup(auth_challenge_get(bearer, "resource_metadata"));
	note_challenge(f, status, www_authenticate, all.flawed, metadata_url != NULL);
	auth_challenges_finish(&all);
	flow_discover(f, metadata_url);
	free(metadata_url);
}

bool
auth_flow_renew(struct auth_flow *f, int64_t now_s)
{
	f->now_s = now_s;
	if (!f->token.refresh || f->state != AUTH_AUTHORIZED)
		return false;
	f->challenged = false;
	f->step_up = false;
	f->in_full = false;
	flow_note(f, true, "the token expires soon", "it is renewed before that");
	if (f->server.issuer && flow_can_refresh(f))
		flow_refresh(f);
	else
		flow_discover(f, NULL);
	return true;
}

void
auth_flow_on_answer(struct auth_flow *f, const struct auth_answer *answer, int64_t now_s)
{
	static void (*const handlers[FETCHING_COUNT])(
	    struct auth_flow *, const struct auth_answer *) = {
		[FETCHING_RESOURCE] = flow_on_resource,
		[FETCHING_SERVER] = flow_on_server,
		[FETCHING_REGISTRATION] = flow_on_registration,
		[FETCHING_TOKEN] = flow_on_token,
		[FETCHING_REFRESH] = flow_on_refresh,
	};
	enum fetching what = f->fetching;

	if (what == FETCHING_NOTHING)
		return;
	f->now_s = now_s;
	flow_record_answer(f, answer);
	f->fetching = FETCHING_NOTHING;
	if (flow_proves_otherwise(f, what, answer))
		return;
	auth_request_finish(&f->request);
	f->generation++;
	handlers[what](f, answer);
}

void
auth_flow_go(struct auth_flow *f, const char *redirect_uri, int64_t now_s)
{
	f->now_s = now_s;
	if (f->state == AUTH_WORKING)
		return;
	if (redirect_uri)
		flow_set_text(&f->redirect_uri, redirect_uri);
	f->go = true;
	f->challenged = true;
	if (f->state == AUTH_NEEDED) {
		flow_begin(f);
		return;
	}
	f->attempts = 0;
	f->in_full = f->state == AUTH_AUTHORIZED;
	flow_discover(f, NULL);
}

void
auth_flow_set_client(struct auth_flow *f, const char *id, const char *secret, int64_t now_s)
{
	f->now_s = now_s;
	auth_client_finish(&f->given);
	f->given = (struct auth_client){
		.source = AUTH_CLIENT_GIVEN,
		.issuer = mem_strdup(f->server.issuer),
		.id = mem_strdup(id),
		.secret = mem_strdup(secret),
		.method = AUTH_METHOD_COUNT,
	};
	f->generation++;
	if (f->state == AUTH_NEEDS_CLIENT)
		flow_begin(f);
}

void
auth_flow_on_opened(struct auth_flow *f, bool ok, const char *how)
{
	if (f->state != AUTH_READY && f->state != AUTH_WAITING)
		return;
	flow_note(f, ok, "the browser", how);
	if (ok)
		flow_set(f, AUTH_WAITING, "waiting for the browser to return to %.200s",
		    f->redirect_uri);
	else
		flow_set(f, AUTH_WAITING,
		    "%.200s: open the address in a browser elsewhere. It ends on a page that does "
		    "not "
		    "load, at %.150s: paste the whole address of that page here",
		    how, f->redirect_uri);
}

bool
auth_flow_on_redirect(struct auth_flow *f, const char *url, int64_t now_s, struct err *err)
{
	struct auth_pending pending = { f->state_nonce, f->server.issuer, f->redirect_uri,
		f->server.sends_iss };
	struct err why = { "" };
	char *code;

	f->now_s = now_s;
	if (f->state != AUTH_READY && f->state != AUTH_WAITING)
		return err_set(err, "no authorization is waiting for a response");
	enum auth_redirect what = auth_redirect_parse(url, &pending, &code, &why);
	if (what == AUTH_REDIRECT_STRAY) {
		/* Any local program can send these: do not repeat the same step. */
		static const char title[] = "unexpected visit";
		const struct auth_step *last = &f->steps.items[f->steps.len - 1];
		if (strcmp(last->title, title) != 0 || strcmp(last->outcome, why.text) != 0)
			flow_note(f, false, title, why.text);
		flow_set(f, f->state, "unexpected visit: %s", why.text);
		return err_set(err, "%s", why.text);
	}
	if (what == AUTH_REDIRECT_CODE) {
		flow_note(
		    f, true, "the browser returned", "with a code and the state that was sent");
		flow_by_code(f, code);
	} else {
		flow_note(f, false, "the browser returned", why.text);
		flow_fail(f, "%s", why.text);
	}
	free(code);
	return true;
}

void
auth_flow_fail(struct auth_flow *f, const char *why)
{
	flow_fail(f, "%s", why);
}

void
auth_flow_unregister(struct auth_flow *f)
{
	f->register_again = true;
}

void
auth_flow_accept_slash(struct auth_flow *f)
{
	f->accepts_slash = true;
}

struct fields {
	char *code, *state, *iss, *error, *description;
	bool doubled;
};

static char *
take(struct fields *f, const char *query, size_t len, const char *name)
{
	size_t count;
	char *value = auth_form_get(query, len, name, &count);

	f->doubled = f->doubled || count > 1;
	return value;
}

/* Compare in constant time. */
static bool
equal(const char *a, const char *b)
{
	size_t len = strlen(a);
	unsigned char different = 0;

	if (strlen(b) != len)
		return false;
	for (size_t i = 0; i < len; i++)
		different |= (unsigned char)(a[i] ^ b[i]);
	return different == 0;
}

/* RFC 9207, 2.4: must be identical; advertised but absent is an error as well. */
static bool
check_issuer(const struct fields *f, const struct auth_pending *p, struct err *err)
{
	if (!f->iss && !p->sends_iss)
		return true;
	if (!f->iss)
		return err_set(err,
		    "the response does not name its issuer, `iss`, although the metadata of %.90s "
		    "say that it always does (RFC 9207, 2.4)",
		    p->issuer);
	if (strcmp(f->iss, p->issuer) == 0)
		return true;
	return err_set(err,
	    "the response comes from another issuer than %.90s%s%.90s (RFC 9207, 2.4)", p->issuer,
	    auth_url_is_safe(f->iss, NULL) ? ": its `iss` is " : "",
	    auth_url_is_safe(f->iss, NULL) ? f->iss : "");
}

static enum auth_redirect
check(struct fields *f, const struct auth_pending *p, char **code, struct err *err)
{
	if (!f->state || !equal(p->state, f->state)) {
		err_set(err, "not the response to our request: %s",
		    f->state ? "its `state` differs from the one that was sent (RFC 6749, 4.1.2)"
		    : f->code || f->error ? "it has no `state` (RFC 6749, 4.1.2)"
					  : "it has no `state`, `code` or `error`; the part "
					    "after # reaches no program");
		return AUTH_REDIRECT_STRAY;
	}
	if (f->doubled) {
		err_set(err, "the response has a parameter twice (RFC 6749, 3.1)");
		return AUTH_REDIRECT_UNSAFE;
	}
	if (!check_issuer(f, p, err))
		return AUTH_REDIRECT_UNSAFE;
	if (f->error) {
		err_set(err, "the authorization server says %.80s%s%.120s", f->error,
		    f->description ? ": " : "", f->description ? f->description : "");
		return AUTH_REDIRECT_REFUSED;
	}
	if (!f->code || !auth_is_plain(f->code)) {
		err_set(err, "the response has no code (RFC 6749, 4.1.2)");
		return AUTH_REDIRECT_UNSAFE;
	}
	*code = f->code;
	f->code = NULL;
	return AUTH_REDIRECT_CODE;
}

/* An absolute URL must be our redirect URI. */
static bool
is_ours(const char *url, const struct auth_pending *p)
{
	size_t len = strcspn(p->redirect_uri, "?#");

	return strncmp(url, p->redirect_uri, len) == 0 && (url[len] == '?' || url[len] == '\0');
}

enum auth_redirect
auth_redirect_parse(
    const char *url, const struct auth_pending *pending, char **code, struct err *err)
{
	const char *query = strchr(url, '?');
	struct fields f;

	*code = NULL;
	url += strspn(url, " ");
	if (strncmp(url, "http", 4) == 0 && !is_ours(url, pending)) {
		err_set(err, "not the address that the browser should return to (%.150s)",
		    pending->redirect_uri);
		return AUTH_REDIRECT_STRAY;
	}
	query = query ? query + 1 : url;
	size_t len = strcspn(query, "# ");
	f = (struct fields){ 0 };
	f.code = take(&f, query, len, "code");
	f.state = take(&f, query, len, "state");
	f.iss = take(&f, query, len, "iss");
	f.error = take(&f, query, len, "error");
	f.description = take(&f, query, len, "error_description");
	enum auth_redirect result = check(&f, pending, code, err);
	free(f.code);
	free(f.state);
	free(f.iss);
	free(f.error);
	free(f.description);
	return result;
}
