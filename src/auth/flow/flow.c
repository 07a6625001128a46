/* SPDX-License-Identifier: MIT */
#include "state.h"

#include "base/ascii.h"
#include "base/buf.h"
#include "base/mem.h"
#include "base/vec.h"
#include "json/doc.h"

#include <stdlib.h>
#include <string.h>

/* ---- challenges ---- */

struct cursor {
	const char *at, *end;
};

void
auth_challenges_finish(struct auth_challenges *c)
{
	for (size_t i = 0; i < c->len; i++) {
		struct auth_challenge *item = &c->items[i];
		for (size_t p = 0; p < item->len; p++) {
			free(item->items[p].name);
			free(item->items[p].value);
		}
		free(item->items);
		free(item->token68);
		free(item->scheme);
	}
	free(c->items);
	*c = (struct auth_challenges){ 0 };
}

static bool
is_space(char c)
{
	return c == ' ' || c == '\t';
}

static bool
is_token(char c)
{
	return c != '\0' && strchr(HTTP_TOKEN, c);
}

static void
skip_space(struct cursor *c)
{
	while (c->at < c->end && is_space(*c->at))
		c->at++;
}

static bool
at_item_end(const struct cursor *c)
{
	return c->at == c->end || *c->at == ',';
}

static char *
take_word(struct cursor *c)
{
	const char *start = c->at;

	while (c->at < c->end && is_token(*c->at))
		c->at++;
	char *word = mem_strndup(start, (size_t)(c->at - start));
	for (char *p = word; *p; p++)
		*p = (char)ascii_lower(*p);
	return word;
}

/* token68 is the rest of the item: "Negotiate TlRM==". */
static char *
take_token68(struct cursor *c)
{
	struct cursor try = *c;

	while (try.at < try.end && *try.at && strchr(ASCII_ALNUM "-._~+/", *try.at))
		try.at++;
	if (try.at == c->at)
		return NULL;
	while (try.at < try.end && *try.at == '=')
		try.at++;
	const char *after = try.at;
	skip_space(&try);
	if (!at_item_end(&try))
		return NULL;
	char *token = mem_strndup(c->at, (size_t)(after - c->at));
	*c = try;
	return token;
}

/* At the '='. Takes name. */
static void
take_param(struct auth_challenges *out, struct cursor *c, char *name)
{
	struct auth_challenge *to = out->len > 0 ? &out->items[out->len - 1] : NULL;

	c->at++;
	skip_space(c);
	struct buf value = BUF_INIT;
	/* NULs become spaces, because the value is a C string. */
	if (c->at < c->end && *c->at == '"') {
		for (c->at++; c->at < c->end && *c->at != '"'; c->at++) {
			if (*c->at == '\\' && c->at + 1 < c->end)
				c->at++;
			buf_add_char(&value, *c->at ? *c->at : ' ');
		}
		if (c->at < c->end)
			c->at++;
		else
			out->flawed = true;
	} else { /* also accepts values that need quotes, such as URLs */
		for (; c->at < c->end && *c->at != ',' && !is_space(*c->at); c->at++) {
			out->flawed = out->flawed || !is_token(*c->at);
			buf_add_char(&value, *c->at ? *c->at : ' ');
		}
	}
	if (to && name[0] && to->len < AUTH_MAX_PARAMS) {
		*VEC_PUSH(to) = (struct auth_param){ name, buf_detach(&value) };
		return;
	}
	out->flawed = true;
	free(name);
	buf_finish(&value);
}

/* One item of the header; a scheme together with the first parameter after it. */
static void
take_item(struct auth_challenges *out, struct cursor *c)
{
	char *word = take_word(c);
	bool spaced = c->at < c->end && is_space(*c->at);

	skip_space(c);
	if (c->at < c->end && *c->at == '=') {
		take_param(out, c, word);
	} else if (word[0] && (spaced || at_item_end(c)) && out->len < AUTH_MAX_CHALLENGES) {
		struct auth_challenge *new = VEC_PUSH(out);
		*new = (struct auth_challenge){ .scheme = word, .token68 = take_token68(c) };
		if (!at_item_end(c) && is_token(*c->at)) {
			char *name = take_word(c);
			skip_space(c);
			if (c->at < c->end && *c->at == '=')
				take_param(out, c, name);
			else
				free(name);
		}
	} else {
		free(word);
	}
	skip_space(c);
	out->flawed = out->flawed || !at_item_end(c);
	/* Up to the comma that ends the item; commas in quotes do not. */
	for (bool quoted = false; c->at < c->end && (quoted || *c->at != ','); c->at++) {
		if (*c->at == '"')
			quoted = !quoted;
		else if (quoted && *c->at == '\\' && c->at + 1 < c->end)
			c->at++;
	}
}

void
auth_challenges_parse(struct auth_challenges *c, const char *header, size_t len)
{
	struct cursor at = { header, header + (len < AUTH_MAX_HEADER ? len : AUTH_MAX_HEADER) };

	*c = (struct auth_challenges){ .flawed = len > AUTH_MAX_HEADER };
	while (at.at < at.end) {
		if (*at.at == ',' || is_space(*at.at))
			at.at++;
		else
			take_item(c, &at);
	}
}

const struct auth_challenge *
auth_challenges_find(const struct auth_challenges *c, const char *scheme)
{
	for (size_t i = 0; i < c->len; i++)
		if (strcmp(c->items[i].scheme, scheme) == 0)
			return &c->items[i];
	return NULL;
}

const char *
auth_challenge_get(const struct auth_challenge *c, const char *name)
{
	for (size_t i = 0; c && i < c->len; i++)
		if (strcmp(c->items[i].name, name) == 0)
			return c->items[i].value;
	return NULL;
}

static void next_resource(struct auth_flow *f);
static void next_server(struct auth_flow *f);

/* A page of a web application that answers every URL does not count as metadata. */
static bool
is_document(const struct auth_answer *a)
{
	struct json_options options = { .max_depth = 64 };

	if (a->status != 200)
		return false;
	struct json_doc *doc = json_parse(a->body, a->len, &options, NULL);
	bool object = doc && cJSON_IsObject(json_root(doc));
	json_doc_destroy(doc);
	return object;
}

/* Remembers the first failure other than 404, to explain why no document was found. */
static void
not_here(struct auth_flow *f, const struct auth_answer *a)
{
	struct buf why = BUF_INIT;

	flow_add_no_document(&why, a);
	flow_step_done(f, false, "%s", buf_text(&why));
	if (!f->trouble && a->status != 404) {
		f->trouble = a->status
				 ? mem_printf("%.150s: %d: %.200s", f->urls.items[f->url_at - 1],
				       a->status, buf_text(&why))
				 : mem_printf("%.150s: %.200s", f->urls.items[f->url_at - 1],
				       buf_text(&why));
		flow_hide_in_place(f, &f->trouble);
	}
	buf_finish(&why);
}

/* Fetches the next URL that may be fetched. False: none is left. */
static bool
fetch_next(struct auth_flow *f, enum fetching what, const char *title)
{
	struct err err = { "" };

	while (f->url_at < f->urls.len) {
		const char *url = f->urls.items[f->url_at++];
		struct auth_request *r = &f->request;
		auth_request_finish(r);
		r->method = "GET";
		r->url = mem_strdup(url);
		strings_add(&r->headers, "Accept: application/json");
		if (auth_url_may_fetch(url, f->near, &err)) {
			flow_fetch(f, what, title);
			return true;
		}
		auth_steps_add(&f->steps, title, &f->request);
		flow_step_done(f, false, "not fetched: %s", err.text);
		if (!f->trouble)
			f->trouble = mem_printf("%.150s is not fetched: %s", url, err.text);
	}
	auth_request_finish(&f->request);
	return false;
}

/* ---- the protected resource ---- */

static void
flow_discover(struct auth_flow *f, const char *metadata_url)
{
	strings_finish(&f->urls);
	auth_resource_finish(&f->resource);
	auth_server_finish(&f->server);
	f->slash_refused = false;
	auth_resource_urls(f->server_url, metadata_url, &f->urls);
	f->url_at = 0;
	flow_set_text(&f->trouble, NULL);
	flow_set_text(&f->resource_trouble, NULL);
	next_resource(f);
}

static void
find_server(struct auth_flow *f, const char *issuer)
{
	strings_finish(&f->urls);
	auth_server_urls(issuer, &f->urls);
	f->url_at = 0;
	free(f->resource_trouble);
	f->resource_trouble = f->trouble;
	f->trouble = NULL;
	next_server(f);
}

static char *
own_origin(const struct auth_flow *f)
{
	struct auth_url u;
	struct buf origin = BUF_INIT;

	BUG_IF(!auth_url_parse(&u, f->server_url, NULL));
	auth_url_add_origin(&u, &origin);
	auth_url_finish(&u);
	return buf_detach(&origin);
}

static void
next_resource(struct auth_flow *f)
{
	if (fetch_next(f, FETCHING_RESOURCE, "protected resource metadata"))
		return;
	if (f->other_scheme) {
		flow_fail(f,
		    "the server asks for `%.40s`, not for a bearer token, and has no metadata: "
		    "pass the credentials by --header",
		    f->other_scheme);
		return;
	}
	flow_note(f, true, "no protected resource metadata",
	    "the MCP server is tried as the authorization server, as before 2025-06-18");
	char *origin = own_origin(f);
	find_server(f, origin);
	free(origin);
}

static void
flow_on_resource(struct auth_flow *f, const struct auth_answer *a)
{
	struct err err = { "" };

	if (!is_document(a)) {
		not_here(f, a);
		next_resource(f);
		return;
	}
	if (!auth_resource_parse(&f->resource, a->body, a->len, f->server_url, f->near, &err)) {
		flow_fail(f, "the protected resource metadata is unusable: %s", err.text);
		return;
	}
	/* The server that the given client is registered at, else the first. */
	f->server_at = 0;
	if (f->given.issuer && strings_have(&f->resource.servers, f->given.issuer))
		f->server_at = strings_index(&f->resource.servers, f->given.issuer);
	flow_step_done(f, true, "resource %.200s, authorization server %.200s",
	    f->resource.resource, f->resource.servers.items[f->server_at]);
	find_server(f, f->resource.servers.items[f->server_at]);
}

/* ---- the authorization server ---- */

/* Explains why the MCP server was tried as the authorization server. */
static void __attribute__((format(printf, 2, 3)))
fail_server(struct auth_flow *f, const char *format, ...)
{
	char why[600];

	FORMAT_INTO(why, format);
	if (f->resource.resource)
		flow_fail(f, "%s", why);
	else
		flow_fail(f,
		    "%.230s; the MCP server was tried because it has no protected resource "
		    "metadata (RFC 9728)%s%.260s",
		    why, f->resource_trouble ? ": " : "",
		    f->resource_trouble ? f->resource_trouble : "");
}

static void
next_server(struct auth_flow *f)
{
	if (fetch_next(f, FETCHING_SERVER, "authorization server metadata"))
		return;
	if (f->resource.resource) {
		flow_fail(f,
		    "%.150s has no authorization server metadata at any of its %zu well-known "
		    "URLs (RFC 8414, 3.1)%s%.250s",
		    f->resource.servers.items[f->server_at], f->urls.len, f->trouble ? ": " : "",
		    f->trouble ? f->trouble : "");
		return;
	}
	/* 2025-03-26, fallbacks for servers without metadata discovery. */
	char *origin = own_origin(f);
	f->server = (struct auth_server){
		.issuer = origin,
		.authorization_endpoint = mem_printf("%s/authorize", origin),
		.token_endpoint = mem_printf("%s/token", origin),
		.registration_endpoint = mem_printf("%s/register", origin),
		.methods = { [AUTH_METHOD_NONE] = true },
		.guessed = true,
	};
	flow_note(f, true, "no authorization server metadata",
	    "/authorize, /token and /register of the MCP server are tried");
	flow_on_known(f);
}

static bool
parse_server(struct auth_flow *f, const struct auth_answer *a, struct err *err)
{
	bool ok;

	if (!f->resource.resource) {
		/* An MCP server that is its own authorization server may end its origin with a '/'.
		 */
		char *origin = own_origin(f), *slashed = mem_printf("%s/", origin);
		ok = auth_server_parse(&f->server, a->body, a->len, slashed, f->near, NULL) ||
		     auth_server_parse(&f->server, a->body, a->len, origin, f->near, err);
		free(slashed);
		free(origin);
		return ok;
	}
	const char *named = f->resource.servers.items[f->server_at];
	if (auth_server_parse(&f->server, a->body, a->len, named, f->near, err))
		return true;
	/* The user may accept a `/` at the end of the issuer, and did so if the token is from
	 * there. */
	char *own = auth_server_slash_issuer(a->body, a->len, named);
	bool accepts =
	    f->accepts_slash || (own && f->token_issuer && strcmp(f->token_issuer, own) == 0);
	f->slash_refused = own && !accepts;
	ok = own && accepts && auth_server_parse(&f->server, a->body, a->len, own, f->near, err);
	free(own);
	return ok;
}

static void
flow_on_server(struct auth_flow *f, const struct auth_answer *a)
{
	struct err err = { "" };

	if (a->status == 0) { /* its other URLs will not answer either */
		not_here(f, a);
		fail_server(f, "the authorization server does not answer: %.200s", f->trouble);
		return;
	}
	if (!is_document(a)) {
		not_here(f, a);
		next_server(f);
		return;
	}
	bool ok = parse_server(f, a, &err);
	if (ok && !f->client_credentials) { /* the requirements of every flow with a browser */
		if (!f->server.authorization_endpoint)
			ok = err_set(&err, "it has no authorization_endpoint (RFC 8414, 2)");
		else if (!f->server.s256)
			ok = err_set(&err,
			    "code_challenge_methods_supported %s, and without PKCE by S256 it must "
			    "not be used (MCP authorization, code protection; RFC 8414, 2)",
			    f->server.has_challenges ? "does not list S256" : "is missing");
	}
	if (!ok) {
		fail_server(f, "the authorization server metadata is unusable: %s", err.text);
		return;
	}
	bool slashed = f->resource.resource &&
		       strcmp(f->server.issuer, f->resource.servers.items[f->server_at]) != 0;
	flow_step_done(f, true, "issuer %.200s%s%s%s", f->server.issuer,
	    slashed ? ", accepted though the server names it with another end" : "",
	    f->server.cimd ? ", takes client metadata documents" : "",
	    f->server.registration_endpoint ? ", registers clients" : "");
	flow_on_known(f);
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
	const char *error = auth_challenge_get(bearer, "error");
	const char *description = auth_challenge_get(bearer, "error_description");
	flow_set_text(&f->refusal, NULL);
	if (error || description) {
		f->refusal = mem_printf("%.80s%s%.160s", error ? error : "",
		    error && description ? ": " : "", description ? description : "");
		flow_hide_in_place(f, &f->refusal); /* now: it may repeat the current token */
	}
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
	if (!f->server.issuer || !flow_refresh(f))
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

enum auth_redirect
auth_redirect_parse(
    const char *url, const struct auth_pending *pending, char **code, struct err *err)
{
	const char *query = strchr(url, '?');
	size_t own_len = strcspn(pending->redirect_uri, "?#");
	struct fields f = { 0 };
	const struct {
		const char *name;
		char **value;
	} taken[] = { { "code", &f.code }, { "state", &f.state }, { "iss", &f.iss },
		{ "error", &f.error }, { "error_description", &f.description } };

	*code = NULL;
	url += strspn(url, " ");
	/* An absolute URL must be our redirect URI. */
	if (strncmp(url, "http", 4) == 0 && (strncmp(url, pending->redirect_uri, own_len) != 0 ||
						(url[own_len] != '?' && url[own_len] != '\0'))) {
		err_set(err, "not the address that the browser should return to (%.150s)",
		    pending->redirect_uri);
		return AUTH_REDIRECT_STRAY;
	}
	query = query ? query + 1 : url;
	size_t len = strcspn(query, "# ");
	for (size_t i = 0; i < ARRAY_LEN(taken); i++) {
		size_t count;
		*taken[i].value = auth_form_get(query, len, taken[i].name, &count);
		f.doubled = f.doubled || count > 1;
	}
	enum auth_redirect result = check(&f, pending, code, err);
	for (size_t i = 0; i < ARRAY_LEN(taken); i++)
		free(*taken[i].value);
	return result;
}
