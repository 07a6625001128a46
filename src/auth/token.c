#include "auth/token.h"

#include "base/base64.h"
#include "base/mem.h"
#include "base/url_text.h"
#include "json/doc.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

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

static void
add_basic(struct auth_request *r, const struct auth_client *c)
{
	struct buf pair = BUF_INIT, header = BUF_INIT;

	percent_encode(&pair, c->id, "-._~");
	buf_add_char(&pair, ':');
	percent_encode(&pair, c->secret ? c->secret : "", "-._~");
	buf_add_str(&header, BASIC_HEADER);
	base64_add(&header, pair.data, pair.len, BASE64_PLAIN);
	buf_finish(&pair);
	strings_take(&r->headers, buf_detach(&header));
}

static bool
add_assertion(struct auth_request *r, const struct auth_token_input *in, struct err *err)
{
	char *assertion =
	    auth_assertion(in->crypto, in->client->id, in->server->issuer, in->now_s, err);

	if (!assertion)
		return false;
	auth_form_add(&r->body, "client_assertion_type",
	    "urn:ietf:params:oauth:client-assertion-type:jwt-bearer");
	auth_form_add(&r->body, "client_assertion", assertion);
	free(assertion);
	return true;
}

/* Adds the client's authentication and the resource, which every request has. The client_id is
 * always in the body: it identifies but proves nothing, so it is not a second method of
 * authentication (RFC 6749, 2.3.1), and some servers look for it only there. */
static bool
finish_request_to(
    struct auth_request *r, const struct auth_token_input *in, const char *url, struct err *err)
{
	enum auth_method method = auth_client_method(in->client, in->server, in->has_key);

	r->method = "POST";
	r->url = mem_strdup(url);
	r->form = true;
	strings_add(&r->headers, "Content-Type: application/x-www-form-urlencoded");
	strings_add(&r->headers, "Accept: application/json");
	auth_form_add(&r->body, "resource", in->resource);
	auth_form_add(&r->body, "client_id", in->client->id);
	if (method == AUTH_METHOD_BASIC)
		add_basic(r, in->client);
	if (method == AUTH_METHOD_POST)
		auth_form_add(&r->body, "client_secret", in->client->secret);
	if (method != AUTH_METHOD_PRIVATE_KEY || add_assertion(r, in, err))
		return true;
	auth_request_finish(r);
	return false;
}

static bool
finish_request(struct auth_request *r, const struct auth_token_input *in, struct err *err)
{
	return finish_request_to(r, in, in->server->token_endpoint, err);
}

void
auth_token_revoke(
    struct auth_request *r, const struct auth_token_input *in, const char *token, const char *hint)
{
	auth_form_add(&r->body, "token", token);
	auth_form_add(&r->body, "token_type_hint", hint);
	finish_request_to(r, in, in->server->revocation_endpoint, NULL);
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

bool
auth_token_by_code(struct auth_request *r, const struct auth_token_input *in, const char *code,
    const char *verifier, const char *redirect_uri, struct err *err)
{
	auth_form_add(&r->body, "grant_type", "authorization_code");
	auth_form_add(&r->body, "code", code);
	auth_form_add(&r->body, "redirect_uri", redirect_uri);
	auth_form_add(&r->body, "code_verifier", verifier);
	return finish_request(r, in, err);
}

bool
auth_token_by_refresh(
    struct auth_request *r, const struct auth_token_input *in, const char *refresh, struct err *err)
{
	auth_form_add(&r->body, "grant_type", "refresh_token");
	auth_form_add(&r->body, "refresh_token", refresh);
	return finish_request(r, in, err);
}

bool
auth_token_by_credentials(
    struct auth_request *r, const struct auth_token_input *in, const char *scope, struct err *err)
{
	auth_form_add(&r->body, "grant_type", "client_credentials");
	auth_form_add(&r->body, "scope", scope);
	return finish_request(r, in, err);
}

/* ---- scopes ---- */

static bool
is_scope(const char *word)
{
	for (; *word; word++)
		if (*word < '!' || *word > '~' || *word == '"' || *word == '\\')
			return false;
	return true;
}

/* Adds the scopes that are missing. Leaves out invalid ones and those beyond AUTH_MAX_SCOPES. */
static void
scopes_add(struct strings *s, const char *scope)
{
	for (const char *at = scope; at && *at; at += strspn(at, " ")) {
		size_t len = strcspn(at, " ");
		char *word = mem_strndup(at, len);
		bool fits = len > 0 && is_scope(word) && s->len < AUTH_MAX_SCOPES;
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
