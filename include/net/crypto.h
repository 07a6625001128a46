/* SPDX-License-Identifier: MIT */
#ifndef NET_CRYPTO_H
#define NET_CRYPTO_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The cryptography that authorization needs. Random bytes come from the kernel, signatures from
 * libcrypto, which is loaded at first use; without it they fail with err.
 */
struct crypto_key;

bool crypto_random(void *out, size_t len, struct err *err);

/* An unencrypted P-256 private key as PEM (PKCS #8 or SEC 1). */
struct crypto_key *crypto_key_create(const char *pem, size_t len, struct err *err);
void crypto_key_destroy(struct crypto_key *key); /* NULL-safe */
/* r and s of ECDSA with SHA-256, 32 bytes each (RFC 7518, 3.4). */
bool crypto_sign_es256(
    const struct crypto_key *key, const void *bytes, size_t len, uint8_t out[64], struct err *err);

#endif
