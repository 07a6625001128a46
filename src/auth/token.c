/* SPDX-License-Identifier: MIT */
#include "auth/token.h"

#include "base/base64.h"
#include "base/mem.h"
#include "base/sha256.h"
#include "base/url.h"
#include "json/doc.h"
#include "json/write.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define MAX_CREDENTIAL ((size_t)16 * 1024)

void
auth_client_finish(struct auth_client *c)
{
	free(c->issuer);
	free(c->id);
	free(c->secret);
	free(c->redirect_uri);
	*c = (struct auth_client){ 0 };
}

void
auth_client_copy(struct auth_client *to, const struct auth_client *from)
{
	*to = *from;
	to->issuer = mem_strdup(from->issuer);
	to->id = mem_strdup(from->id);
	to->secret = mem_strdup(from->secret);
	to->redirect_uri = mem_strdup(from->redirect_uri);
}

bool
auth_is_plain(const char *text)
{
	size_t len = strlen(text);

	for (size_t i = 0; i < len; i++)
		if (text[i] < ' ' || text[i] > '~')
			return false;
	return len > 0 && len <= MAX_CREDENTIAL;
}

bool
auth_client_is_document_url(const char *url)
{
	struct auth_url u;

	if (!auth_url_parse(&u, url, NULL))
		return false;
	bool ok = strcmp(u.scheme, "https") == 0 && strlen(u.path) > 1 && !u.has_fragment &&
		  !strstr(u.path, "/./") && !strstr(u.path, "/../");
	auth_url_finish(&u);
	return ok;
}

void
auth_registration_body(struct buf *out, const struct auth_server *server, const char *redirect_uri,
    const char *client_name, const char *scope)
{
	/* A program on the user's machine cannot keep a secret: a public client, if the server
	 * allows it. */
	enum auth_method method = AUTH_METHOD_NONE;
	struct json_writer w;

	if (server->has_methods && !server->methods[AUTH_METHOD_NONE])
		method = server->methods[AUTH_METHOD_BASIC]  ? AUTH_METHOD_BASIC
			 : server->methods[AUTH_METHOD_POST] ? AUTH_METHOD_POST
							     : AUTH_METHOD_NONE;
	json_write_init(&w, out);
	json_write_object(&w);
	json_write_member_string(&w, "client_name", client_name);
	json_write_member_string(&w, "application_type", "native");
	json_write_member_array(&w, "redirect_uris");
	json_write_string(&w, redirect_uri);
	json_write_array_end(&w);
	json_write_member_json(&w, "grant_types", "[\"authorization_code\",\"refresh_token\"]");
	json_write_member_json(&w, "response_types", "[\"code\"]");
	json_write_member_string(&w, "token_endpoint_auth_method", auth_method_names[method]);
	if (scope)
		json_write_member_string(&w, "scope", scope);
	json_write_object_end(&w);
}

static bool
take_registration(struct auth_client *c, const cJSON *root, struct err *err)
{
	const char *id = json_get_string(root, "client_id");
	const char *secret = json_get_string(root, "client_secret");
	const char *method = json_get_string(root, "token_endpoint_auth_method");
	const cJSON *expires = json_get(root, "client_secret_expires_at");

	if (!id || !auth_is_plain(id))
		return err_set(err, "the response has no client_id (RFC 7591, 3.2.1)");
	if (secret && !auth_is_plain(secret))
		return err_set(
		    err, "its client_secret has characters that cannot be sent (RFC 6749, A.2)");
	c->id = mem_strdup(id);
	c->secret = mem_strdup(secret && secret[0] ? secret : NULL);
	c->method = method ? auth_method_find(method) : AUTH_METHOD_COUNT;
	if (cJSON_IsNumber(expires) && expires->valuedouble > 0 && expires->valuedouble < 1e15)
		c->secret_expires_s = (int64_t)expires->valuedouble;
	return true;
}

bool
auth_registration_parse(struct auth_client *c, const char *json, size_t len, const char *issuer,
    const char *redirect_uri, struct err *err)
{
	struct json_doc *doc = json_parse(json, len, NULL, NULL);

	*c = (struct auth_client){ .source = AUTH_CLIENT_REGISTERED };
	bool ok = doc ? take_registration(c, json_root(doc), err)
		      : err_set(err, "the response is not JSON");
	json_doc_destroy(doc);
	c->issuer = mem_strdup(issuer);
	c->redirect_uri = mem_strdup(redirect_uri);
	if (!ok)
		auth_client_finish(c);
	return ok;
}

#define ASSERTION_LIFE_S 300
#define MAX_NONCE 64

char *
auth_nonce(const struct auth_crypto *crypto, size_t bytes, struct err *err)
{
	uint8_t raw[MAX_NONCE];
	struct buf out = BUF_INIT;

	BUG_IF(bytes > sizeof(raw));
	if (!crypto->random(crypto->user, raw, bytes, err))
		return NULL;
	base64_add(&out, raw, bytes, BASE64_URL);
	return buf_detach(&out);
}

char *
auth_pkce_challenge(const char *verifier)
{
	uint8_t hash[SHA256_BYTES];
	struct buf out = BUF_INIT;
	struct sha256 h;

	sha256_init(&h);
	sha256_add(&h, verifier, strlen(verifier));
	sha256_end(&h, hash);
	base64_add(&out, hash, sizeof(hash), BASE64_URL);
	return buf_detach(&out);
}

char *
auth_assertion(const struct auth_crypto *crypto, const char *client_id, const char *issuer,
    int64_t now_s, struct err *err)
{
	static const char header[] = "{\"alg\":\"ES256\",\"typ\":\"JWT\"}";
	struct buf claims = BUF_INIT, out = BUF_INIT;
	uint8_t signature[64];
	char *id = auth_nonce(crypto, 16, err);

	if (!id)
		return NULL;
	struct json_writer w;
	json_write_init(&w, &claims);
	json_write_object(&w);
	json_write_member_string(&w, "iss", client_id);
	json_write_member_string(&w, "sub", client_id);
	json_write_member_string(&w, "aud", issuer);
	json_write_member_int(&w, "iat", now_s);
	json_write_member_int(&w, "exp", now_s + ASSERTION_LIFE_S);
	json_write_member_string(&w, "jti", id);
	json_write_object_end(&w);
	free(id);
	base64_add(&out, header, strlen(header), BASE64_URL);
	buf_add_char(&out, '.');
	base64_add(&out, claims.data, claims.len, BASE64_URL);
	buf_finish(&claims);
	bool ok = crypto->sign ? crypto->sign(crypto->user, out.data, out.len, signature, err)
			       : err_set(err, "the client has no key to sign with");
	if (!ok) {
		buf_finish(&out);
		return NULL;
	}
	buf_add_char(&out, '.');
	base64_add(&out, signature, sizeof(signature), BASE64_URL);
	return buf_detach(&out);
}

void
auth_token_finish(struct auth_token *t)
{
	free(t->access);
	free(t->refresh);
	free(t->scope);
	free(t->client_id);
	*t = (struct auth_token){ 0 };
}

void
auth_token_copy(struct auth_token *to, const struct auth_token *from)
{
	*to = *from;
	to->access = mem_strdup(from->access);
	to->refresh = mem_strdup(from->refresh);
	to->scope = mem_strdup(from->scope);
	to->client_id = mem_strdup(from->client_id);
}

void
auth_request_finish(struct auth_request *r)
{
	free(r->url);
	strings_finish(&r->headers);
	buf_finish(&r->body);
	*r = (struct auth_request){ 0 };
}

/* ---- responses ---- */

/* It is sent in a header: visible ASCII only. */
static bool
is_token(const char *text)
{
	return auth_is_plain(text) && !strchr(text, ' ');
}

static bool
take_token(struct auth_token *t, const cJSON *root, int64_t now_s, struct err *err)
{
	const char *access = json_get_string(root, "access_token");
	const char *refresh = json_get_string(root, "refresh_token");
	const char *type = json_get_string(root, "token_type");
	const char *scope = json_get_string(root, "scope");
	const cJSON *expires = json_get(root, "expires_in");

	if (!access)
		return err_set(err, "the response has no access_token (RFC 6749, 5.1)");
	if (!is_token(access))
		return err_set(
		    err, "its access_token has characters that no header may have (RFC 6750, 2.1)");
	if (!type)
		return err_set(err, "its token_type is missing (RFC 6749, 5.1)");
	if (strcasecmp(type, "Bearer") != 0)
		return err_set(err, "its token_type is %.40s, not Bearer (RFC 6750)", type);
	t->access = mem_strdup(access);
	t->refresh = mem_strdup(refresh && is_token(refresh) ? refresh : NULL);
	t->scope = mem_strdup(scope && auth_is_plain(scope) ? scope : NULL);
	if (cJSON_IsNumber(expires) && expires->valuedouble >= 0 && expires->valuedouble < 1e11)
		t->expires_s = now_s + (int64_t)expires->valuedouble;
	return true;
}

bool
auth_token_parse(struct auth_token *t, const char *json, size_t len, const char *asked,
    int64_t now_s, struct err *err)
{
	struct json_doc *doc = json_parse(json, len, NULL, NULL);

	*t = (struct auth_token){ 0 };
	bool ok = doc ? take_token(t, json_root(doc), now_s, err)
		      : err_set(err, "the response is not JSON");
	json_doc_destroy(doc);
	if (ok && !t->scope)
		t->scope = mem_strdup(asked);
	if (!ok)
		auth_token_finish(t);
	return ok;
}

void
auth_error_words(struct buf *out, const char *json, size_t len)
{
	struct json_doc *doc = json_parse(json, len, NULL, NULL);
	const cJSON *root = doc ? json_root(doc) : NULL;
	const char *error = json_get_string(root, "error");
	const char *description = json_get_string(root, "error_description");

	if (error)
		buf_addf(out, "%.80s", error);
	if (error && description)
		buf_addf(out, ": %.160s", description);
	json_doc_destroy(doc);
}

/* ---- requests ---- */

#define BASIC_HEADER "Authorization: Basic "

/* The client_id is always in the body: it identifies but proves nothing, so it is not a second
 * method of authentication (RFC 6749, 2.3.1), and some servers look for it only there. */
bool
auth_token_request(
    struct auth_request *r, const struct auth_token_input *in, const char *url, struct err *err)
{
	const bool *methods = in->server->methods;
	enum auth_method method = in->client->method;

	if (in->has_key)
		method = AUTH_METHOD_PRIVATE_KEY;
	else if (!in->client->secret)
		method = AUTH_METHOD_NONE;
	else if (method != AUTH_METHOD_BASIC && method != AUTH_METHOD_POST &&
		 method != AUTH_METHOD_NONE)
		method = !methods[AUTH_METHOD_BASIC] && methods[AUTH_METHOD_POST]
			     ? AUTH_METHOD_POST
			     : AUTH_METHOD_BASIC;
	r->method = "POST";
	r->url = mem_strdup(url);
	r->form = true;
	strings_add(&r->headers, "Content-Type: application/x-www-form-urlencoded");
	strings_add(&r->headers, "Accept: application/json");
	auth_form_add(&r->body, "resource", in->resource);
	auth_form_add(&r->body, "client_id", in->client->id);
	if (method == AUTH_METHOD_BASIC) {
		struct buf pair = BUF_INIT, header = BUF_INIT;
		percent_encode(&pair, in->client->id, "-._~");
		buf_add_char(&pair, ':');
		percent_encode(&pair, in->client->secret ? in->client->secret : "", "-._~");
		buf_add_str(&header, BASIC_HEADER);
		base64_add(&header, pair.data, pair.len, BASE64_PLAIN);
		buf_finish(&pair);
		strings_take(&r->headers, buf_detach(&header));
	}
	if (method == AUTH_METHOD_POST)
		auth_form_add(&r->body, "client_secret", in->client->secret);
	if (method != AUTH_METHOD_PRIVATE_KEY)
		return true;
	char *assertion =
	    auth_assertion(in->crypto, in->client->id, in->server->issuer, in->now_s, err);
	if (!assertion) {
		auth_request_finish(r);
		return false;
	}
	auth_form_add(&r->body, "client_assertion_type",
	    "urn:ietf:params:oauth:client-assertion-type:jwt-bearer");
	auth_form_add(&r->body, "client_assertion", assertion);
	free(assertion);
	return true;
}

bool
auth_token_turn_to_post(struct auth_request *r, const struct auth_client *c)
{
	struct strings headers = { 0 };
	bool turned = false;

	for (size_t i = 0; i < r->headers.len; i++) {
		if (strncmp(r->headers.items[i], BASIC_HEADER, strlen(BASIC_HEADER)) == 0)
			turned = true;
		else
			strings_add(&headers, r->headers.items[i]);
	}
	strings_finish(&r->headers);
	r->headers = headers;
	if (turned)
		auth_form_add(&r->body, "client_secret", c->secret);
	return turned;
}

/* ---- scopes ---- */

/* Adds the scopes that are missing. Leaves out invalid ones and those beyond AUTH_MAX_SCOPES. */
static void
scopes_add(struct strings *s, const char *scope)
{
	for (const char *at = scope; at && *at; at += strspn(at, " ")) {
		size_t len = strcspn(at, " ");
		char *word = mem_strndup(at, len);
		bool fits = len > 0 && s->len < AUTH_MAX_SCOPES;
		for (const char *c = word; *c; c++)
			fits = fits && *c >= '!' && *c <= '~' && *c != '"' && *c != '\\';
		if (fits && !strings_have(s, word))
			strings_take(s, word);
		else
			free(word);
		at += len;
	}
}

bool
auth_scope_covers(const char *held, const char *scope)
{
	struct strings have = { 0 }, want = { 0 };
	bool all = true;

	scopes_add(&have, held);
	scopes_add(&want, scope);
	for (size_t i = 0; i < want.len; i++)
		all = all && strings_have(&have, want.items[i]);
	strings_finish(&have);
	strings_finish(&want);
	return all;
}

char *
auth_scope_choose(const struct auth_scope_input *in)
{
	struct strings scopes = { 0 };
	struct buf out = BUF_INIT;

	scopes_add(&scopes, in->before);
	if (in->wanted)
		scopes_add(&scopes, in->wanted);
	else if (!in->challenge && in->resource_supported)
		for (size_t i = 0; i < in->resource_supported->len; i++)
			scopes_add(&scopes, in->resource_supported->items[i]);
	scopes_add(&scopes, in->wanted && !in->before ? NULL : in->challenge);
	if (in->offline && !in->wanted && in->server_supported &&
	    strings_have(in->server_supported, "offline_access"))
		scopes_add(&scopes, "offline_access");
	strings_join(&scopes, " ", &out);
	strings_finish(&scopes);
	if (out.len > 0)
		return buf_detach(&out);
	buf_finish(&out);
	return NULL;
}
