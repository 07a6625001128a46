/* SPDX-License-Identifier: MIT */
#ifndef TESTS_FLOW_WORLD_H
#define TESTS_FLOW_WORLD_H

#include "auth/book.h"
#include "auth/flow.h"

/* An authorization flow and all servers around it, as rows of URL and answer. */
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
	int status;       /* 0: no answer */
	const char *body; /* JSON, or another type after @: "@text/html <p>" */
};

extern const struct row usual[]; /* resource metadata, server metadata, registration, token */
extern struct buf asked;         /* "GET URL body\n" */

extern struct auth_book book; /* the stored registrations and tokens */

/* Start with an empty store. */
struct auth_flow *start(const struct auth_flow_options *options);
/* Start for another server, or as a new run, with the current store. */
struct auth_flow *start_another(const char *server_url, const struct auth_flow_options *options);
/* Answer requests until the flow sends no more. */
void feed(struct auth_flow *f, const struct row *rows);
/* Deliver the browser's redirect with the state of the authorization URL. */
void come_back(struct auth_flow *f, const char *more);
void check_state(const struct auth_flow *f, enum auth_state state, const char *said);
/* Fail if a step contains a secret, that is, "-shh". */
void check_secrets(const struct auth_flow *f);
/* Start a flow after a 401, and continue it as if the user had agreed. */
struct auth_flow *agreed(const struct auth_flow_options *options, const struct row *rows);
struct auth_flow *authorized(const struct row *rows);

#endif
