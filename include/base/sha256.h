/* SPDX-License-Identifier: MIT */
#ifndef BASE_SHA256_H
#define BASE_SHA256_H

#include <stddef.h>
#include <stdint.h>

/* SHA-256 (FIPS 180-4), for values that must be recognized without being kept. */
struct sha256 {
	uint32_t state[8];
	uint64_t len; /* bytes taken */
	uint8_t block[64];
};

#define SHA256_BYTES 32
#define SHA256_HEX 65 /* with the NUL */

void sha256_init(struct sha256 *h);
void sha256_add(struct sha256 *h, const void *bytes, size_t len);
void sha256_end(struct sha256 *h, uint8_t digest[SHA256_BYTES]);
void sha256_end_hex(struct sha256 *h, char hex[SHA256_HEX]); /* lower case */

#endif
