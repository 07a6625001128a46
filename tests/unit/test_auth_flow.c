/* SPDX-License-Identifier: MIT */
#include "base/mem.h"
#include "base/vec.h"
#include "flow_world.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BOTH_METHODS "\"client_secret_basic\",\"client_secret_post\""

static void
test_whole_way(void **state)
{
	struct auth_flow *f = start(&(struct auth_flow_options){ 0 });

	check_state(f, AUTH_NOT_NEEDED, "");
	assert_null(auth_flow_info(f).request);
	auth_flow_challenge(f, 401, "Bearer resource_metadata=\"" PRM_URL "\"", 1000);
	feed(f, usual);
	check_state(f, AUTH_NEEDED, "as.example must authorize this, for s1 s2");
	assert_null(auth_flow_info(f).browser_url);
	auth_flow_go(f, BACK, 1000);
	feed(f, usual);
	check_state(f, AUTH_READY, "as.example");
	assert_non_null(strstr(auth_flow_info(f).browser_url,
	    "response_type=code&client_id=c1&redirect_uri=http%3A%2F%2F127.0.0.1%3A9%2Fcallback&"
	    "scope=s1%20s2&state="));
	assert_non_null(strstr(auth_flow_info(f).browser_url,
	    "&code_challenge_method=S256&resource=https%3A%2F%2Fm.example%2Fmcp"));
	auth_flow_on_opened(f, true, "opened");
	check_state(f, AUTH_WAITING, "");
	come_back(f, "&code=C-shh");
	feed(f, usual);
	check_state(f, AUTH_AUTHORIZED, "authorized by https://as.example");
	assert_string_equal(auth_flow_info(f).access_token, "T1-shh");
	assert_int_equal(auth_flow_info(f).expires_s, 1060);
	check_secrets(f);
	assert_non_null(
	    strstr(buf_text(&asked), "GET " PRM_URL " \nGET " AS_URL " \nPOST " AS "/r "));
	assert_non_null(strstr(buf_text(&asked), "\"application_type\":\"native\""));
	assert_non_null(
	    strstr(buf_text(&asked), "resource=https%3A%2F%2Fm.example%2Fmcp&client_id=c1"));
	auth_flow_forget(f);
	assert_null(auth_flow_info(f).access_token);
	auth_flow_destroy(f);
}

static void
test_refresh(void **state)
{
	struct auth_flow *f = authorized(usual);
	struct row refused[] = { usual[0], usual[1], usual[2],
		{ AS "/t", 400, "{\"error\":\"invalid_grant\"}" }, { NULL, 0, NULL } };

	/* before the end, without discovery */
	assert_true(auth_flow_renew(f, 1050));
	feed(f, usual);
	check_state(f, AUTH_AUTHORIZED, "");
	assert_non_null(
	    strstr(buf_text(&asked), "POST " AS "/t grant_type=refresh_token&refresh_token=R1"));
	assert_null(strstr(buf_text(&asked), "GET"));
	/* refused right after: not again by the same means */
	auth_flow_challenge(f, 401, NULL, 1001);
	feed(f, usual);
	check_state(f, AUTH_NEEDED, "");
	auth_flow_destroy(f);
	/* later the server says no: the user is asked, the token is gone */
	f = authorized(usual);
	auth_flow_challenge(f, 401, NULL, 2000);
	feed(f, refused);
	check_state(f, AUTH_NEEDED,
	    "the previous token is refused: it cannot be renewed: the token "
	    "endpoint refuses (400 invalid_grant)");
	assert_null(auth_flow_info(f).access_token);
	auth_flow_destroy(f);
}

static void
test_step_up(void **state)
{
	struct auth_flow *f = authorized(usual);

	for (int i = 0; i < 2; i++) {
		auth_flow_challenge(
		    f, 403, "Bearer error=\"insufficient_scope\", scope=\"w\"", 1000);
		feed(f, usual);
		check_state(f, AUTH_NEEDED, "for s1 s2 w");
		auth_flow_go(f, BACK, 1000);
		feed(f, usual);
		come_back(f, "&code=C-shh");
		feed(f, usual);
		check_state(f, AUTH_AUTHORIZED, "");
	}
	assert_null(strstr(buf_text(&asked), AS "/r ")); /* registered once */
	auth_flow_challenge(f, 403, "Bearer error=\"insufficient_scope\", scope=\"w\"", 1000);
	feed(f, usual);
	auth_flow_go(f, BACK, 1000);
	feed(f, usual);
	check_state(f, AUTH_FAILED, "after 3 authorizations, and asks for scope w");
	/* the user may say: again */
	auth_flow_go(f, BACK, 1000);
	feed(f, usual);
	check_state(f, AUTH_READY, "");
	auth_flow_destroy(f);
}

/* Again, though all is well: for who writes the server the browser too. */
static void
test_again(void **state)
{
	struct auth_flow *f = authorized(usual);

	auth_flow_go(f, BACK, 5000);
	feed(f, usual);
	check_state(f, AUTH_READY, "");
	assert_null(strstr(buf_text(&asked), "refresh_token"));
	assert_string_equal(
	    auth_flow_info(f).access_token, "T1-shh"); /* good until there is another */
	come_back(f, "&code=C-shh");
	feed(f, usual);
	check_state(f, AUTH_AUTHORIZED, "");
	auth_flow_challenge(f, 401, NULL, 9000);
	feed(f, usual);
	check_state(f, AUTH_AUTHORIZED, "");
	assert_non_null(strstr(buf_text(&asked), "refresh_token=R1"));
	auth_flow_destroy(f);
}

static void
test_migration(void **state)
{
#define AS2 "https://as2.example"
	static const struct row moved[] = {
		{ PRM_URL, 200, PRM(AS2) },
		{ AS2 "/.well-known/oauth-authorization-server", 200,
		    SERVER_DOC(AS2, ",\"registration_endpoint\":\"" AS2 "/r\"") },
		{ AS2 "/r", 201, "{\"client_id\":\"c2\"}" },
		{ AS2 "/t", 200, TOKEN },
		{ NULL, 0, NULL },
	};
	struct auth_flow *f = authorized(usual);

	auth_flow_challenge(f, 401, NULL, 2000);
	feed(f, moved);
	check_state(f, AUTH_NEEDED, "as2.example");
	assert_null(auth_flow_info(f).access_token);
	auth_flow_go(f, BACK, 2000);
	feed(f, moved);
	assert_non_null(strstr(auth_flow_info(f).browser_url, "client_id=c2"));
	come_back(f, "&code=C-shh");
	feed(f, moved);
	check_state(f, AUTH_AUTHORIZED, "as2.example");
	assert_null(strstr(buf_text(&asked), "c1"));
	assert_null(strstr(buf_text(&asked), "R1-shh"));
	auth_flow_destroy(f);
	/* an id that the user gave is not shown to another server either */
	f = start(&(struct auth_flow_options){ .client_id = "mine", .client_issuer = AS });
	auth_flow_challenge(f, 401, NULL, 1000);
	feed(f, moved);
	check_state(f, AUTH_FAILED, "must not be used");
	auth_flow_destroy(f);
}

/* Failures and their messages. */
static void
test_failures(void **state)
{
	static const struct {
		struct row rows[5];
		const char *header, *said;
	} cases[] = {
		{ { { PRM_URL, 200,
		      "{\"resource\":\"https://evil.example\",\"authorization_servers\":[\"" AS
		      "\"]}" } },
		    NULL, "another resource" },
		{ { { PRM_URL, 200, PRM("http://as.example") } }, NULL, "must not be used" },
		{ { { PRM_URL, 200, PRM("https://10.1.2.3") } }, NULL, "private network" },
		{ { { PRM_URL, 200, PRM(AS) } }, NULL, "no authorization server metadata" },
		{ { { PRM_URL, 200, PRM(AS) }, { AS_URL, 0, NULL } }, NULL,
		    "does not answer: " AS_URL ": no such host" },
		{ { { PRM_URL, 200, PRM(AS) },
		      { AS_URL, 200, SERVER_DOC("https://x.example", "") } },
		    NULL, "its issuer is https://x.example" },
		{ { { PRM_URL, 200, PRM(AS) },
		      { AS_URL, 200,
			  "{\"issuer\":\"" AS "\",\"authorization_endpoint\":\"" AS
			  "/a\",\"token_endpoint\":\"" AS "/t\"}" } },
		    NULL, "S256" },
		{ { { PRM_URL, 200, PRM(AS) },
		      { AS_URL, 200,
			  "{\"issuer\":\"" AS "\",\"code_challenge_methods_supported\":[\"S256\"],"
			  "\"token_endpoint\":\"" AS "/t\"}" } },
		    NULL, "no authorization_endpoint" },
		{ { { NULL, 0, NULL } }, "Basic realm=\"x\"", "asks for `basic`" },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct auth_flow *f = start(&(struct auth_flow_options){ 0 });
		auth_flow_challenge(f, 401, cases[i].header, 1000);
		feed(f, cases[i].rows);
		check_state(f, AUTH_FAILED, cases[i].said);
		check_secrets(f);
		assert_null(strstr(buf_text(&asked), "POST"));
		auth_flow_destroy(f);
	}
}

/* A URL that a server names is not fetched for being named. */
static void
test_urls_of_the_challenge(void **state)
{
	static const char *const bad[] = {
		"http://169.254.169.254/latest/meta-data",
		"https://169.254.169.254/latest/meta-data",
		"http://localhost:6379/",
		"file:///etc/passwd",
		"javascript:alert(1)",
		"https://user@m.example/",
	};

	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		struct auth_flow *f = start(&(struct auth_flow_options){ 0 });
		char *header = mem_printf("Bearer resource_metadata=\"%s\"", bad[i]);
		auth_flow_challenge(f, 401, header, 1000);
		feed(f, usual);
		check_state(f, AUTH_NEEDED, ""); /* found where it belongs */
		assert_null(strstr(buf_text(&asked), bad[i]));
		free(header);
		auth_flow_destroy(f);
	}
}

static void
test_clients_in_order(void **state)
{
	static const struct row both[] = {
		{ PRM_URL, 200, PRM(AS) },
		{ AS_URL, 200,
		    SERVER_DOC(AS, ",\"client_id_metadata_document_supported\":true" REGISTERS) },
		{ AS "/r", 201, "{\"client_id\":\"c1\"}" },
		{ NULL, 0, NULL },
	};
	static const struct row none[] = { { PRM_URL, 200, PRM(AS) },
		{ AS_URL, 200, SERVER_DOC(AS, "") }, { NULL, 0, NULL } };
	static const struct row refused[] = { { PRM_URL, 200, PRM(AS) },
		{ AS_URL, 200, SERVER_DOC(AS, REGISTERS) },
		{ AS "/r", 400, "{\"error\":\"invalid_redirect_uri\"}" }, { NULL, 0, NULL } };
	static const struct {
		struct auth_flow_options options;
		const struct row *rows;
		const char *id;
	} cases[] = {
		{ { .client_id = "mine", .client_metadata_url = "https://c.example/c" }, both,
		    "mine" },
		{ { .client_metadata_url = "https://c.example/c" }, both,
		    "https%3A%2F%2Fc.example%2Fc" },
		{ { .client_metadata_url = "https://c.example/c" }, usual, "c1" },
		{ { 0 }, both, "c1" },
		{ { 0 }, none, NULL },
		{ { 0 }, refused, NULL },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct auth_flow *f = agreed(&cases[i].options, cases[i].rows);
		if (!cases[i].id) {
			check_state(f, AUTH_NEEDS_CLIENT, "register a client at " AS);
			auth_flow_set_client(f, "late", NULL, 1000);
		}
		check_state(f, AUTH_READY, "");
		char *part = mem_printf("&client_id=%s&", cases[i].id ? cases[i].id : "late");
		assert_non_null(strstr(auth_flow_info(f).browser_url, part));
		free(part);
		auth_flow_destroy(f);
	}
}

/* The client's id is in the body of every request; a secret that the header's readers refuse is
 * given in the body, once. */
static void
test_proofs(void **state)
{
	static const struct {
		const char *secret, *methods, *answer;
		enum auth_state state;
		const char *asked, *never;
	} cases[] = {
		{ NULL, "\"none\"", TOKEN, AUTH_AUTHORIZED, "&client_id=mine\n", "secret" },
		{ "S-shh-long", "\"client_secret_basic\"", TOKEN, AUTH_AUTHORIZED,
		    "&client_id=mine\n", "secret" },
		{ "S-shh-long", "\"client_secret_post\"", TOKEN, AUTH_AUTHORIZED,
		    "&client_id=mine&client_secret=S-shh-long\n", "&client_id=mine\n" },
		{ "S-shh-long", BOTH_METHODS, TOKEN, AUTH_AUTHORIZED, "&client_id=mine\n",
		    "secret" },
		{ "S-shh-long", BOTH_METHODS, "{\"error\":\"invalid_client\"}", AUTH_FAILED,
		    "&client_id=mine&client_secret=S-shh-long\n", "shh-long&client_secret" },
		{ "S-shh-long", BOTH_METHODS, "{\"error\":\"invalid_scope\"}", AUTH_FAILED,
		    "&client_id=mine\n", "secret" },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		char *doc =
		    mem_printf(SERVER_DOC(AS, ",\"token_endpoint_auth_methods_supported\":[%s]"),
			cases[i].methods);
		struct row rows[] = { { PRM_URL, 200, PRM(AS) }, { AS_URL, 200, doc },
			{ AS "/t", cases[i].state == AUTH_FAILED ? 401 : 200, cases[i].answer },
			{ NULL, 0, NULL } };
		struct auth_flow *f = start(&(struct auth_flow_options){ .client_credentials = true,
		    .client_id = "mine",
		    .client_secret = cases[i].secret });
		auth_flow_challenge(f, 401, NULL, 1000);
		feed(f, rows);
		check_state(f, cases[i].state, "");
		assert_non_null(strstr(buf_text(&asked), cases[i].asked));
		if (strstr(buf_text(&asked), cases[i].never))
			fail_msg("%zu: %s", i, buf_text(&asked));
		check_secrets(f);
		auth_flow_destroy(f);
		free(doc);
	}
}

/* The query of the endpoint itself is kept, but it cannot replace our parameters. */
static void
test_endpoint_with_query(void **state)
{
	static const struct {
		const char *query, *start, *never;
	} cases[] = {
		{ "?tenant=a%26b&&x#f", AS "/a?tenant=a%26b&x&response_type=code&client_id=mine&",
		    "#" },
		{ "?client_id=evil&tenant=1&st%61te=evil&redirect_uri=https://evil.example",
		    AS "/a?tenant=1&response_type=code&client_id=mine&", "evil" },
		{ "?state=evil", AS "/a?response_type=code&client_id=mine&", "evil" },
		{ "?", AS "/a?response_type=code&client_id=mine&", "??" },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		char *doc = mem_printf("{\"issuer\":\"" AS "\",\"authorization_endpoint\":\"" AS
				       "/a%s\",\"token_endpoint\":\"" AS
				       "/t\",\"code_challenge_methods_supported\":[\"S256\"]}",
		    cases[i].query);
		struct row rows[] = { { PRM_URL, 200, PRM(AS) }, { AS_URL, 200, doc },
			{ NULL, 0, NULL } };
		struct auth_flow *f =
		    agreed(&(struct auth_flow_options){ .client_id = "mine" }, rows);
		check_state(f, AUTH_READY, "");
		const char *url = auth_flow_info(f).browser_url;
		if (strncmp(url, cases[i].start, strlen(cases[i].start)) != 0 ||
		    strstr(url, cases[i].never))
			fail_msg("%s: %s", cases[i].query, url);
		auth_flow_destroy(f);
		free(doc);
	}
}

/* ---- stored state ---- */

static void
count_asked(const char *what, int count)
{
	int n = 0;

	for (const char *at = buf_text(&asked); (at = strstr(at, what)); at++)
		n++;
	if (n != count)
		fail_msg("%d times %s in\n%s", n, what, buf_text(&asked));
}

static void
test_kept(void **state)
{
	struct auth_flow *f = authorized(usual);

	auth_flow_destroy(f);
	/* at once: nothing is asked before the first request has its token */
	f = start_another(SERVER, &(struct auth_flow_options){ 0 });
	assert_true(auth_flow_recall(f));
	check_state(f, AUTH_AUTHORIZED, "authorized before by " AS);
	assert_string_equal(auth_flow_info(f).access_token, "T1-shh");
	assert_false(auth_flow_recall(f)); /* no other */
	auth_flow_challenge(f, 401, NULL, 5000);
	feed(f, usual);
	check_state(f, AUTH_AUTHORIZED, "");
	count_asked("refresh_token=R1-shh", 1);
	count_asked("client_id=c1", 1);
	/* the same way back: no second registration */
	auth_flow_destroy(f);
	struct auth_kept gone = { .issuer = (char *)AS,
		.resource = (char *)SERVER,
		.token = { .access = (char *)"T1-shh" } };
	auth_book_change(&book, NULL, &(struct auth_change){ .drop = &gone });
	f = start_another(SERVER, &(struct auth_flow_options){ 0 });
	auth_flow_challenge(f, 401, NULL, 5000);
	feed(f, usual);
	auth_flow_go(f, BACK, 5000);
	feed(f, usual);
	check_state(f, AUTH_READY, "");
	count_asked(AS "/r ", 0);
	/* the way back is known before it is gone */
	struct strings uris = { 0 };
	auth_flow_redirect_uris(f, &uris);
	assert_int_equal(uris.len, 1);
	assert_string_equal(uris.items[0], BACK);
	strings_finish(&uris);
	auth_flow_destroy(f);
}

#define OTHER "https://n.example/mcp"
static const struct row other[] = {
	{ "https://n.example/.well-known/oauth-protected-resource/mcp", 200,
	    "{\"resource\":\"" OTHER "\",\"authorization_servers\":[\"" AS "\"]}" },
	{ AS_URL, 200, SERVER_DOC(AS, REGISTERS) },
	{ AS "/r", 201, "{\"client_id\":\"c2\"}" },
	{ AS "/t", 200, "{\"access_token\":\"T2-shh\",\"token_type\":\"Bearer\"}" },
	{ NULL, 0, NULL },
};

/* Two servers with the same authorization server share a client, but not a token. */
static void
test_one_registration_for_two(void **state)
{
	struct auth_flow *f = authorized(usual);
	struct auth_kept kept;

	auth_flow_destroy(f);
	f = start_another(OTHER, &(struct auth_flow_options){ 0 });
	assert_false(auth_flow_recall(f));
	auth_flow_challenge(f, 401, NULL, 1000);
	feed(f, other);
	check_state(f, AUTH_NEEDED, AS);
	assert_null(auth_flow_info(f).access_token); /* that of the other is for the other */
	auth_flow_go(f, BACK, 1000);
	feed(f, other);
	assert_non_null(strstr(auth_flow_info(f).browser_url, "client_id=c1&"));
	come_back(f, "&code=C-shh");
	feed(f, other);
	check_state(f, AUTH_AUTHORIZED, AS);
	count_asked(AS "/r ", 0);
	assert_true(auth_book_find(&book, SERVER, NULL, NULL, &kept));
	assert_string_equal(kept.token.access, "T1-shh");
	auth_kept_finish(&kept);
	assert_true(auth_book_find(&book, OTHER, NULL, NULL, &kept));
	assert_string_equal(kept.token.access, "T2-shh");
	auth_kept_finish(&kept);
	/* one is forgotten: the other can still be renewed */
	auth_flow_forget(f);
	assert_true(auth_book_find(&book, SERVER, NULL, NULL, &kept));
	assert_string_equal(kept.client.id, "c1");
	auth_kept_finish(&kept);
	assert_false(auth_book_find(&book, OTHER, NULL, NULL, &kept));
	auth_flow_destroy(f);
	/* another way back is another registration */
	f = start_another(OTHER, &(struct auth_flow_options){ 0 });
	auth_flow_challenge(f, 401, NULL, 1000);
	feed(f, other);
	auth_flow_go(f, "http://127.0.0.1:10/callback", 1000);
	feed(f, other);
	assert_non_null(strstr(auth_flow_info(f).browser_url, "client_id=c2&"));
	auth_flow_destroy(f);
}

/* Two addresses of one resource have one token; the second needs no user. */
static void
test_one_token_for_two(void **state)
{
#define WHOLE(path)                                                                   \
	{                                                                             \
		"https://m.example/.well-known/oauth-protected-resource" path, 200,   \
		    "{\"resource\":\"https://m.example\",\"authorization_servers\":[" \
		    "\"" AS "\"]}"                                                    \
	}
	static const struct row whole[] = { WHOLE("/mcp"), WHOLE("/beta"),
		{ AS_URL, 200, SERVER_DOC(AS, REGISTERS) },
		{ AS "/r", 201, "{\"client_id\":\"c1\"}" }, { AS "/t", 200, TOKEN },
		{ NULL, 0, NULL } };
	struct auth_flow *f = authorized(whole);

	auth_flow_destroy(f);
	f = start_another("https://m.example/beta", &(struct auth_flow_options){ 0 });
	assert_false(auth_flow_recall(f)); /* that it is the same only its metadata say */
	auth_flow_challenge(f, 401, NULL, 1010);
	feed(f, whole);
	check_state(f, AUTH_AUTHORIZED, "authorized before by " AS);
	assert_string_equal(auth_flow_info(f).access_token, "T1-shh");
	count_asked("POST", 0);
	/* refused all the same: the same token is not taken twice */
	auth_flow_challenge(f, 401, NULL, 1011);
	feed(f, whole);
	count_asked("POST " AS "/t grant_type=refresh_token&refresh_token=R1-shh", 1);
	auth_flow_destroy(f);
	f = start_another("https://m.example/beta", &(struct auth_flow_options){ 0 });
	assert_true(auth_flow_recall(f)); /* known now */
	/* a client that the user named asks for its own tokens */
	auth_flow_destroy(f);
	f = start_another(SERVER, &(struct auth_flow_options){ .client_id = "mine" });
	assert_false(auth_flow_recall(f));
	auth_flow_destroy(f);
	/* the user started over */
	f = start_another("https://m.example/mcp", &(struct auth_flow_options){ 0 });
	auth_flow_go(f, BACK, 1000);
	feed(f, whole);
	check_state(f, AUTH_READY, "");
	auth_flow_destroy(f);
}

/* A resource that a server claims never selects the token of another server. */
static void
test_kept_for_others(void **state)
{
	static const struct row thief[] = {
		{ "https://evil.example/.well-known/oauth-protected-resource/mcp", 200, PRM(AS) },
		{ AS_URL, 200, SERVER_DOC(AS, REGISTERS) }, { NULL, 0, NULL }
	};
	static const struct row shared[] = {
		{ "https://evil.example/.well-known/oauth-protected-resource/mcp", 200,
		    "{\"resource\":\"https://evil.example/mcp\",\"authorization_servers\":[\"" AS
		    "\"]}" },
		{ AS_URL, 200, SERVER_DOC(AS, REGISTERS) }, { NULL, 0, NULL }
	};
	struct auth_flow *f = authorized(usual);

	auth_flow_destroy(f);
	f = start_another("https://evil.example/mcp", &(struct auth_flow_options){ 0 });
	auth_flow_challenge(f, 401, NULL, 1000);
	feed(f, thief);
	check_state(f, AUTH_FAILED, "another resource");
	assert_null(auth_flow_info(f).access_token);
	auth_flow_destroy(f);
	f = start_another("https://evil.example/mcp", &(struct auth_flow_options){ 0 });
	auth_flow_challenge(f, 401, NULL, 1000);
	feed(f, shared);
	check_state(f, AUTH_NEEDED, "");
	assert_null(auth_flow_info(f).access_token);
	auth_flow_destroy(f);
	/* nor does a stored file that claims it */
	for (size_t i = 0; i < book.servers.len; i++) {
		free(book.servers.items[i].url);
		book.servers.items[i].url = mem_strdup("https://evil.example/mcp");
	}
	struct buf text = BUF_INIT;
	auth_book_print(&book, &text);
	auth_book_finish(&book);
	assert_true(auth_book_parse(&book, buf_text(&text), text.len, NULL));
	assert_int_equal(book.servers.len, 0);
	assert_int_equal(book.tokens.len, 1);
	buf_finish(&text);
}

/* The metadata name another resource now: the token is for the one before. */
static void
test_another_resource(void **state)
{
	static const struct row moved[] = {
		{ PRM_URL, 200,
		    "{\"resource\":\"https://m.example\",\"authorization_servers\":[\"" AS "\"]}" },
		{ AS_URL, 200, SERVER_DOC(AS, REGISTERS) }, { NULL, 0, NULL }
	};
	struct auth_flow *f = authorized(usual);

	auth_flow_challenge(f, 401, NULL, 2000);
	feed(f, moved);
	check_state(f, AUTH_NEEDED, AS);
	assert_null(auth_flow_info(f).access_token);
	count_asked("R1-shh", 0);
	assert_int_equal(book.tokens.len, 0);
	auth_flow_destroy(f);
	/* without metadata for a while, the registration is kept, but not sent to a guessed
	 * endpoint */
	f = authorized(usual);
	auth_flow_challenge(f, 401, NULL, 2000);
	feed(f, &usual[4]);
	check_state(f, AUTH_NEEDED, "https://m.example must");
	assert_null(auth_flow_info(f).access_token);
	assert_int_equal(book.tokens.len, 1);
	auth_flow_destroy(f);
}

/* Another run was faster: its token is taken, and the refresh token not used again. */
static void
test_another_run(void **state)
{
	static const struct row refused[] = { { PRM_URL, 200, PRM(AS) },
		{ AS_URL, 200, SERVER_DOC(AS, REGISTERS) },
		{ AS "/t", 400, "{\"error\":\"invalid_grant\"}" }, { NULL, 0, NULL } };
	struct auth_kept newer = { .issuer = (char *)AS,
		.resource = (char *)SERVER,
		.token = { .access = (char *)"T9-shh",
		    .refresh = (char *)"R9-shh",
		    .client_id = (char *)"c1" } };
	struct auth_flow *f = authorized(usual);

	assert_true(auth_flow_renew(f, 1050));
	assert_true(auth_flow_info(f).is_renewing);
	auth_book_change(&book, SERVER, &(struct auth_change){ .keep = &newer });
	assert_true(auth_flow_recall(f));
	assert_null(auth_flow_info(f).request);
	check_state(f, AUTH_AUTHORIZED, "");
	assert_string_equal(auth_flow_info(f).access_token, "T9-shh");
	/* it was sent at the same time: the refusal does not end the flow */
	assert_true(auth_flow_renew(f, 1100));
	newer.token.access = (char *)"T10-shh";
	auth_book_change(&book, SERVER, &(struct auth_change){ .keep = &newer });
	feed(f, refused);
	check_state(f, AUTH_AUTHORIZED, "");
	assert_string_equal(auth_flow_info(f).access_token, "T10-shh");
	/* a refused credential is dropped only if it is the stored one */
	assert_true(auth_flow_renew(f, 1200));
	feed(f, refused);
	check_state(f, AUTH_NEEDED, "");
	assert_int_equal(book.tokens.len, 0);
	auth_flow_destroy(f);
}

static void
test_strange_order(void **state)
{
	struct auth_flow *f = start(&(struct auth_flow_options){ 0 });
	struct err err = { "" };

	auth_flow_on_answer(f, &(struct auth_answer){ .status = 200, .body = "" }, 1);
	assert_false(auth_flow_on_redirect(f, "/callback?code=1&state=2", 1, &err));
	assert_false(auth_flow_renew(f, 1));
	auth_flow_on_opened(f, true, "x");
	auth_flow_set_client(f, "c", NULL, 1);
	check_state(f, AUTH_NOT_NEEDED, "");
	auth_flow_challenge(f, 401, NULL, 1);
	auth_flow_challenge(f, 401, NULL, 1);
	auth_flow_go(f, BACK, 1);
	check_state(f, AUTH_WORKING, "protected resource");
	auth_flow_forget(f);
	assert_null(auth_flow_info(f).request);
	for (int i = 0; i < 500; i++) {
		auth_flow_challenge(f, 401, "Bearer", i);
		auth_flow_fail(f, "no\nway");
	}
	check_state(f, AUTH_FAILED, "no way");
	assert_int_equal(auth_flow_info(f).steps->len, AUTH_MAX_STEPS);
	auth_flow_destroy(f);
	auth_book_finish(&book);
	buf_finish(&asked);
}

TEST_FILE(auth_flow)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_whole_way),
		cmocka_unit_test(test_refresh),
		cmocka_unit_test(test_step_up),
		cmocka_unit_test(test_again),
		cmocka_unit_test(test_migration),
		cmocka_unit_test(test_failures),
		cmocka_unit_test(test_urls_of_the_challenge),
		cmocka_unit_test(test_clients_in_order),
		cmocka_unit_test(test_proofs),
		cmocka_unit_test(test_endpoint_with_query),
		cmocka_unit_test(test_kept),
		cmocka_unit_test(test_one_registration_for_two),
		cmocka_unit_test(test_one_token_for_two),
		cmocka_unit_test(test_kept_for_others),
		cmocka_unit_test(test_another_resource),
		cmocka_unit_test(test_another_run),
		cmocka_unit_test(test_strange_order),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
