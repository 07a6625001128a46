#ifndef AUTH_CRYPTO_H
#define AUTH_CRYPTO_H

#include "base/buf.h"
#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What this layer cannot make itself. Each returns false when there is none of it. */
struct auth_crypto {
	bool (*random)(void *user, void *out, size_t len, struct err *err);
	/* ES256 as JWS has it (RFC 7518, 3.4): r and s, 32 bytes each, over the SHA-256 of bytes.
	 * NULL: the client has no key. */
	bool (*sign)(void *user, const void *bytes, size_t len, uint8_t out[64], struct err *err);
	void *user;
};

void auth_base64url(struct buf *out, const void *bytes, size_t len); /* no padding */
void auth_base64(struct buf *out, const void *bytes, size_t len);

/* So many random bytes as base64url; NULL with err. Caller frees. */
char *auth_nonce(const struct auth_crypto *crypto, size_t bytes, struct err *err);
/* PKCE (RFC 7636, 4.2): the S256 challenge of a verifier. Caller frees. */
char *auth_pkce_challenge(const char *verifier);

/* A client_assertion (RFC 7523): iss and sub are the client, aud is the issuer. Caller frees. */
char *auth_assertion(const struct auth_crypto *crypto, const char *client_id, const char *issuer,
    int64_t now_s, struct err *err);

#endif
