#ifndef TESTS_FLOW_WORLD_H
#define TESTS_FLOW_WORLD_H

#include "auth/book.h"
#include "auth/flow.h"

/* An authorization and the whole world around it: rows of URL and answer. */
#define SERVER "https://m.example/mcp"
#define PRM_URL "https://m.example/.well-known/oauth-protected-resource/mcp"
#define AS "https://as.example"
#define AS_URL AS "/.well-known/oauth-authorization-server"
#define BACK "http://127.0.0.1:9/callback"
#define PRM(issuer)                                                         \
	"{\"resource\":\"" SERVER "\",\"authorization_servers\":[\"" issuer \
	"\"],\"scopes_supported\":[\"s1\",\"s2\"]}"
#define SERVER_DOC(issuer, more)                                          \
	"{\"issuer\":\"" issuer "\",\"authorization_endpoint\":\"" issuer \
	"/a\",\"token_endpoint\":\"" issuer                               \
	"/t\",\"code_challenge_methods_supported\":[\"S256\"]" more "}"
#define REGISTERS ",\"registration_endpoint\":\"" AS "/r\""
#define TOKEN                                                                       \
	"{\"access_token\":\"T1-shh\",\"token_type\":\"Bearer\",\"expires_in\":60," \
	"\"refresh_token\":\"R1-shh\"}"

struct row {
	const char *url;
	int status;       /* 0: nobody answers */
	const char *body; /* "@text/html <p>" is not application/json */
};

extern const struct row usual[]; /* the resource, the server, the registration, the token */
extern struct buf asked;         /* "GET URL body\n" */

extern struct auth_book book; /* what is kept */

/* With nothing kept. */
struct auth_flow *start(const struct auth_flow_options *options);
/* Another server, or another run, with what is kept; the flow before does not go on. */
struct auth_flow *start_another(const char *server_url, const struct auth_flow_options *options);
/* Answers until nothing is asked any more. */
void feed(struct auth_flow *f, const struct row *rows);
/* The browser's answer: the state is the one of the URL. */
void come_back(struct auth_flow *f, const char *more);
void check_state(const struct auth_flow *f, enum auth_state state, const char *said);
/* No step holds a secret: none has "-shh" in it. */
void check_secrets(const struct auth_flow *f);
/* Refused, and the user said: go on. */
struct auth_flow *agreed(const struct auth_flow_options *options, const struct row *rows);
struct auth_flow *authorized(const struct row *rows);

#endif
