#ifndef NET_EXCHANGE_TROUBLE_PRIV_H
#define NET_EXCHANGE_TROUBLE_PRIV_H

#include "exchange_parts_priv.h"

/* ---- exchange_trouble.c ---- */
void exchange_say(struct exchange *x, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* libcurl's own words, where they are more than the number of the error. */
const char *exchange_words(const struct exchange *x);

/* ---- exchange_trouble_tls.c ---- */
void explain_certificate(struct exchange *x);
void explain_authorities(struct exchange *x);
void explain_tls(struct exchange *x);
bool explain_handshake(struct exchange *x); /* false: it says nothing of one */

#endif
