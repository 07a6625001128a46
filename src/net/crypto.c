/* SPDX-License-Identifier: MIT */
#include "net/crypto.h"

#include "base/mem.h"
#include "base/shared_library.h"

#include <limits.h>
#include <errno.h>
#include <openssl/ecdsa.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

/* The functions of libcrypto that are used, with the types of its headers. */
#define FUNCTIONS(X)               \
	X(BIO_new_mem_buf)         \
	X(BIO_free)                \
	X(PEM_read_bio_PrivateKey) \
	X(EVP_PKEY_free)           \
	X(EVP_PKEY_get_bits)       \
	X(EVP_PKEY_get_base_id)    \
	X(EVP_MD_CTX_new)          \
	X(EVP_MD_CTX_free)         \
	X(EVP_sha256)              \
	X(EVP_DigestSignInit)      \
	X(EVP_DigestSign)          \
	X(d2i_ECDSA_SIG)           \
	X(ECDSA_SIG_get0)          \
	X(ECDSA_SIG_free)          \
	X(BN_bn2binpad)

struct api {
	FUNCTIONS(SHARED_LIBRARY_POINTER)
};

struct crypto_key {
	EVP_PKEY *key;
};

static bool
open_api(struct api *api, struct err *err)
{
	struct err why;

	if (SHARED_LIBRARY_LOAD("libcrypto.so.3", FUNCTIONS, api, &why))
		return true;
	return err_set(
	    err, "authorization needs OpenSSL's libcrypto (package libssl3): %s", why.text);
}

bool
crypto_random(void *out, size_t len, struct err *err)
{
	for (size_t done = 0; done < len;) {
		ssize_t got = getrandom((char *)out + done, len - done, 0);
		if (got < 0 && errno != EINTR)
			return err_set(err, "no random bytes: %s", strerror(errno));
		done += got > 0 ? (size_t)got : 0;
	}
	return true;
}

/* Otherwise libcrypto would ask on the terminal. */
static int
no_passphrase(char *out, int size, int writing, void *user)
{
	return -1;
}

struct crypto_key *
crypto_key_create(const char *pem, size_t len, struct err *err)
{
	struct api api;

	if (len > INT_MAX || !open_api(&api, err))
		return NULL;
	BIO *in = api.BIO_new_mem_buf(pem, (int)len);
	EVP_PKEY *key = in ? api.PEM_read_bio_PrivateKey(in, NULL, no_passphrase, NULL) : NULL;
	api.BIO_free(in);
	if (!key) {
		err_set(err, "not a PEM private key, or it has a passphrase");
		return NULL;
	}
	if (api.EVP_PKEY_get_base_id(key) != EVP_PKEY_EC || api.EVP_PKEY_get_bits(key) != 256) {
		err_set(err, "not a P-256 key, which ES256 needs");
		api.EVP_PKEY_free(key);
		return NULL;
	}
	struct crypto_key *out = mem_alloc(sizeof(*out));
	out->key = key;
	return out;
}

void
crypto_key_destroy(struct crypto_key *key)
{
	struct api api;

	if (key && open_api(&api, NULL))
		api.EVP_PKEY_free(key->key);
	free(key);
}

bool
crypto_sign_es256(
    const struct crypto_key *key, const void *bytes, size_t len, uint8_t out[64], struct err *err)
{
	struct api api;
	uint8_t der[128];
	size_t der_len = sizeof(der);

	if (!open_api(&api, err))
		return false;
	EVP_MD_CTX *ctx = api.EVP_MD_CTX_new();
	const BIGNUM *r, *s;
	const uint8_t *at = der;
	ECDSA_SIG *sig = NULL;
	if (ctx && api.EVP_DigestSignInit(ctx, NULL, api.EVP_sha256(), NULL, key->key) == 1 &&
	    api.EVP_DigestSign(ctx, der, &der_len, bytes, len) == 1)
		sig = api.d2i_ECDSA_SIG(NULL, &at, (long)der_len);
	if (sig)
		api.ECDSA_SIG_get0(sig, &r, &s);
	bool ok =
	    sig && api.BN_bn2binpad(r, out, 32) == 32 && api.BN_bn2binpad(s, out + 32, 32) == 32;
	api.ECDSA_SIG_free(sig);
	api.EVP_MD_CTX_free(ctx);
	return ok || err_set(err, "libcrypto could not sign");
}
