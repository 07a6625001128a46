#include "auth/client.h"

#include "base/base64.h"
#include "base/mem.h"
#include "base/sha256.h"
#include "json/doc.h"
#include "json/write.h"

#include <stdlib.h>
#include <string.h>

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

/* A program on the user's machine cannot keep a secret: a public client, if the server allows it.
 */
static enum auth_method
method_to_register(const struct auth_server *server)
{
	if (!server->has_methods || server->methods[AUTH_METHOD_NONE])
		return AUTH_METHOD_NONE;
	if (server->methods[AUTH_METHOD_BASIC])
		return AUTH_METHOD_BASIC;
	return server->methods[AUTH_METHOD_POST] ? AUTH_METHOD_POST : AUTH_METHOD_NONE;
}

static void
write_list(struct json_writer *w, const char *key, const char *const *items, size_t count)
{
	json_write_key(w, key);
	json_write_array(w);
	for (size_t i = 0; i < count; i++)
		json_write_string(w, items[i]);
	json_write_array_end(w);
}

void
auth_registration_body(struct buf *out, const struct auth_server *server, const char *redirect_uri,
    const char *client_name, const char *scope)
{
	static const char *const grants[] = { "authorization_code", "refresh_token" };
	static const char *const responses[] = { "code" };
	struct json_writer w;

	json_write_init(&w, out);
	json_write_object(&w);
	json_write_member_string(&w, "client_name", client_name);
	json_write_member_string(&w, "application_type", "native");
	write_list(&w, "redirect_uris", &redirect_uri, 1);
	write_list(&w, "grant_types", grants, 2);
	write_list(&w, "response_types", responses, 1);
	json_write_member_string(
	    &w, "token_endpoint_auth_method", auth_method_name(method_to_register(server)));
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

enum auth_method
auth_client_method(const struct auth_client *c, const struct auth_server *server, bool has_key)
{
	if (has_key)
		return AUTH_METHOD_PRIVATE_KEY;
	if (!c->secret)
		return AUTH_METHOD_NONE;
	if (c->method == AUTH_METHOD_BASIC || c->method == AUTH_METHOD_POST ||
	    c->method == AUTH_METHOD_NONE)
		return c->method;
	if (!server->methods[AUTH_METHOD_BASIC] && server->methods[AUTH_METHOD_POST])
		return AUTH_METHOD_POST;
	return AUTH_METHOD_BASIC;
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

static void
add_claims(
    struct buf *out, const char *client_id, const char *issuer, int64_t now_s, const char *id)
{
	struct json_writer w;

	json_write_init(&w, out);
	json_write_object(&w);
	json_write_member_string(&w, "iss", client_id);
	json_write_member_string(&w, "sub", client_id);
	json_write_member_string(&w, "aud", issuer);
	json_write_member_int(&w, "iat", now_s);
	json_write_member_int(&w, "exp", now_s + ASSERTION_LIFE_S);
	json_write_member_string(&w, "jti", id);
	json_write_object_end(&w);
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
	add_claims(&claims, client_id, issuer, now_s, id);
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
