/* SPDX-License-Identifier: MIT */
#include "state.h"

#include "base/ascii.h"
#include "base/buf.h"
#include "base/mem.h"
#include "base/vec.h"
#include "json/doc.h"

#include <stdlib.h>
#include <string.h>

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

/* At the opening quote. NULs become spaces, because the value is a C string. */
static void
take_quoted(struct cursor *c, struct buf *out, bool *flawed)
{
	for (c->at++; c->at < c->end && *c->at != '"'; c->at++) {
		if (*c->at == '\\' && c->at + 1 < c->end)
			c->at++;
		buf_add_char(out, *c->at ? *c->at : ' ');
	}
	if (c->at < c->end)
		c->at++;
	else
		*flawed = true;
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
	if (c->at < c->end && *c->at == '"')
		take_quoted(c, &value, &out->flawed);
	else /* also accepts values that need quotes, such as URLs */
		for (; c->at < c->end && *c->at != ',' && !is_space(*c->at); c->at++) {
			out->flawed = out->flawed || !is_token(*c->at);
			buf_add_char(&value, *c->at ? *c->at : ' ');
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

void
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

void
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
static void
fail_server(struct auth_flow *f, const char *why)
{
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
	char *origin = own_origin(f);
	auth_server_guess(&f->server, origin);
	free(origin);
	flow_note(f, true, "no authorization server metadata",
	    "/authorize, /token and /register of the MCP server are tried");
	flow_on_known(f);
}

/* The user may accept a `/` at the end of the issuer, and did so if the token is from there. */
static bool
parse_named_server(struct auth_flow *f, const struct auth_answer *a, struct err *err)
{
	const char *named = f->resource.servers.items[f->server_at];

	if (auth_server_parse(&f->server, a->body, a->len, named, f->near, err))
		return true;
	char *own = auth_server_slash_issuer(a->body, a->len, named);
	bool accepts =
	    f->accepts_slash || (own && f->token_issuer && strcmp(f->token_issuer, own) == 0);
	f->slash_refused = own && !accepts;
	bool ok =
	    own && accepts && auth_server_parse(&f->server, a->body, a->len, own, f->near, err);
	free(own);
	return ok;
}

/* An MCP server that is its own authorization server may end its origin with a '/'. */
static bool
parse_server(struct auth_flow *f, const struct auth_answer *a, struct err *err)
{
	if (f->resource.resource)
		return parse_named_server(f, a, err);
	char *origin = own_origin(f);
	char *slashed = mem_printf("%s/", origin);
	bool ok = auth_server_parse(&f->server, a->body, a->len, slashed, f->near, NULL) ||
		  auth_server_parse(&f->server, a->body, a->len, origin, f->near, err);
	free(slashed);
	free(origin);
	return ok;
}

/* The requirements of every flow with a browser. */
static bool
is_fit(struct auth_flow *f, struct err *err)
{
	if (f->client_credentials)
		return true;
	if (!f->server.authorization_endpoint)
		return err_set(err, "it has no authorization_endpoint (RFC 8414, 2)");
	if (!f->server.s256)
		return err_set(err,
		    "code_challenge_methods_supported %s, and without PKCE by S256 it must not be "
		    "used (MCP authorization, code protection; RFC 8414, 2)",
		    f->server.has_challenges ? "does not list S256" : "is missing");
	return true;
}

void
flow_on_server(struct auth_flow *f, const struct auth_answer *a)
{
	struct err err = { "" };

	if (a->status == 0) { /* its other URLs will not answer either */
		not_here(f, a);
		char *why =
		    mem_printf("the authorization server does not answer: %.200s", f->trouble);
		fail_server(f, why);
		free(why);
		return;
	}
	if (!is_document(a)) {
		not_here(f, a);
		next_server(f);
		return;
	}
	if (!parse_server(f, a, &err) || !is_fit(f, &err)) {
		char *why =
		    mem_printf("the authorization server metadata is unusable: %s", err.text);
		fail_server(f, why);
		free(why);
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
