#include "auth/crypto.h"

#include "base/sha256.h"
#include "json/write.h"

#include <stdlib.h>
#include <string.h>

#define ASSERTION_LIFE_S 300
#define MAX_NONCE 64

static void
encode(struct buf *out, const uint8_t *b, size_t len, const char *last_two, bool pad)
{
	static const char digits[] =
	    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

	for (size_t i = 0; i < len; i += 3) {
		uint32_t group = (uint32_t)b[i] << 16;
		group |= i + 1 < len ? (uint32_t)b[i + 1] << 8 : 0;
		group |= i + 2 < len ? b[i + 2] : 0;
		size_t chars = len - i >= 3 ? 4 : len - i + 1;
		for (size_t k = 0; k < chars; k++) {
			uint32_t six = group >> (18 - 6 * k) & 63;
			buf_add_char(out, six < 62 ? digits[six] : last_two[six - 62]);
		}
		for (size_t k = chars; pad && k < 4; k++)
			buf_add_char(out, '=');
	}
}

void
auth_base64url(struct buf *out, const void *bytes, size_t len)
{
	encode(out, bytes, len, "-_", false);
}

void
auth_base64(struct buf *out, const void *bytes, size_t len)
{
	encode(out, bytes, len, "+/", true);
}

char *
auth_nonce(const struct auth_crypto *crypto, size_t bytes, struct err *err)
{
	uint8_t raw[MAX_NONCE];
	struct buf out = BUF_INIT;

	BUG_IF(bytes > sizeof(raw));
	if (!crypto->random(crypto->user, raw, bytes, err))
		return NULL;
	auth_base64url(&out, raw, bytes);
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
	auth_base64url(&out, hash, sizeof(hash));
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
	auth_base64url(&out, header, strlen(header));
	buf_add_char(&out, '.');
	auth_base64url(&out, claims.data, claims.len);
	buf_finish(&claims);
	bool ok = crypto->sign ? crypto->sign(crypto->user, out.data, out.len, signature, err)
			       : err_set(err, "the client has no key to sign with");
	if (!ok) {
		buf_finish(&out);
		return NULL;
	}
	buf_add_char(&out, '.');
	auth_base64url(&out, signature, sizeof(signature));
	return buf_detach(&out);
}
