#ifndef AUTH_SECRETS_PRIV_H
#define AUTH_SECRETS_PRIV_H

#include <stdbool.h>
#include <stddef.h>

/* A member of that name holds a secret: "access_token", "client_secret", "code". */
bool secret_is_named(const char *name, size_t len);

#endif
