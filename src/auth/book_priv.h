#ifndef AUTH_BOOK_PRIV_H
#define AUTH_BOOK_PRIV_H

#include "auth/book.h"

/* Where there is such a token, and its resource covers the server. */
void book_keep_server(
    struct auth_book *b, const char *url, const char *issuer, const char *resource);

#endif
