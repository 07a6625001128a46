/* SPDX-License-Identifier: MIT */
/* Any document: accepted URLs may be fetched, belong to the requested server, and may go into a
 * header; the recorded text has no secret. */
#include "fuzz.h"

#include "auth/flow.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

#define SERVER "https://m.example/a/mcp"
#define ISSUER "https://as.example"
#define SECRET "Gh5xQ"
#define LONG_SECRET "Gh5xQ-0123"

static void
must(bool holds)
{
	if (!holds)
		abort();
}

static void
try_resource(const char *text, size_t len)
{
	struct auth_resource r;
	struct strings urls = { 0 };
	struct err err;

	if (!auth_resource_parse(&r, text, len, SERVER, AUTH_HOST_PUBLIC, &err))
		return;
	must(auth_resource_covers(r.resource, SERVER));
	must(r.servers.len > 0 && r.servers.len <= AUTH_MAX_URLS);
	for (size_t i = 0; i < r.servers.len; i++) {
		must(auth_url_may_fetch(r.servers.items[i], AUTH_HOST_PUBLIC, NULL));
		auth_server_urls(r.servers.items[i], &urls);
	}
	for (size_t i = 0; i < urls.len; i++)
		must(auth_url_may_fetch(urls.items[i], AUTH_HOST_PUBLIC, NULL) ||
		     strlen(urls.items[i]) > AUTH_URL_MAX);
	strings_finish(&urls);
	auth_resource_finish(&r);
}

static void
try_server(const char *text, size_t len)
{
	struct auth_server s;
	struct err err;

	if (!auth_server_parse(&s, text, len, ISSUER, AUTH_HOST_PUBLIC, &err))
		return;
	must(strcmp(s.issuer, ISSUER) == 0);
	must(auth_url_may_fetch(s.token_endpoint, AUTH_HOST_PUBLIC, NULL));
	auth_server_finish(&s);
}

static void
try_token(const char *text, size_t len)
{
	struct auth_token t;
	struct auth_client c;
	struct err err;

	if (auth_token_parse(&t, text, len, NULL, 1000, &err))
		must(!strpbrk(t.access, " \r\n") && auth_is_plain(t.access));
	auth_token_finish(&t);
	if (auth_registration_parse(&c, text, len, ISSUER, "http://127.0.0.1/cb", &err))
		must(auth_is_plain(c.id) && (!c.secret || auth_is_plain(c.secret)));
	auth_client_finish(&c);
}

/* A secret surrounded by any text, in a form too. */
static void
try_hiding_values(const char *bytes, size_t len)
{
	struct auth_request request = { .form = true };
	struct strings secrets = { 0 };
	struct buf shown = BUF_INIT;
	char *text = mem_strndup(bytes, len);

	buf_add_str(&request.body, text);
	buf_add_str(&request.body, "&code=" LONG_SECRET);
	auth_secrets_add(&secrets, &request);
	must(secrets.len > 0);
	buf_addf(&shown, "%s" LONG_SECRET "%s", text, text);
	auth_secrets_hide(&secrets, &shown);
	must(!strstr(buf_text(&shown), LONG_SECRET));
	strings_finish(&secrets);
	auth_request_finish(&request);
	buf_finish(&shown);
	free(text);
}

/* A secret in a document of the fuzzer. */
static void
try_hiding(const char *text, size_t len)
{
	struct buf whole = BUF_INIT, shown = BUF_INIT;

	buf_addf(&whole, "{\"access_token\":\"" SECRET "\",\"x\":");
	buf_add(&whole, text, len);
	buf_add_str(&whole, "}");
	if (!memmem(text, len, SECRET, strlen(SECRET)) &&
	    auth_hide_json(&shown, whole.data, whole.len, true))
		must(!strstr(buf_text(&shown), SECRET));
	buf_finish(&whole);
	buf_finish(&shown);
	try_hiding_values(text, len);
	auth_hide_form(&shown, text, len);
	auth_error_words(&shown, text, len);
	buf_finish(&shown);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data;

	try_resource(text, size);
	try_server(text, size);
	try_token(text, size);
	try_hiding(text, size);
	return 0;
}
