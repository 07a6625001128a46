/* SPDX-License-Identifier: MIT */
/* Any text as the authorization_endpoint of a server: where the browser is sent has each of our
 * parameters once, with our value, and begins as the endpoint does. */
#include "auth/flow.h"

#include "base/vec.h"
#include "json/print.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define ISSUER "https://as.example"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
must(bool holds)
{
	if (!holds)
		abort();
}

static bool
same_bytes(void *user, void *out, size_t len, struct err *err)
{
	memset(out, 7, len);
	return true;
}

/* The metadata of the resource come first, then those of the server. */
static void
answer(struct auth_flow *f, const struct buf *endpoint)
{
	bool resource = strstr(auth_flow_info(f).request->url, "protected-resource");
	struct buf body = BUF_INIT;

	if (resource) {
		buf_add_str(&body,
		    "{\"resource\":\"https://m.example/mcp\",\"authorization_servers\":[\"" ISSUER
		    "\"]}");
	} else {
		buf_add_str(&body, "{\"issuer\":\"" ISSUER "\",\"token_endpoint\":\"" ISSUER
				   "/t\",\"code_challenge_methods_supported\":[\"S256\"],"
				   "\"authorization_endpoint\":");
		json_print_string(&body, buf_text(endpoint), endpoint->len);
		buf_add_char(&body, '}');
	}
	auth_flow_on_answer(f,
	    &(struct auth_answer){
		.status = 200, .headers = "", .body = buf_text(&body), .len = body.len },
	    1000);
	buf_finish(&body);
}

static void
check(const char *url, const struct buf *endpoint)
{
	static const char *const ours[][2] = { { "response_type", "code" }, { "client_id", "us" },
		{ "redirect_uri", "http://127.0.0.1:9/callback" }, { "state", NULL },
		{ "code_challenge", NULL }, { "code_challenge_method", "S256" },
		{ "resource", "https://m.example/mcp" } };
	size_t head = strcspn(buf_text(endpoint), "?#");
	const char *query = strchr(url, '?');

	must(strncmp(url, buf_text(endpoint), head) == 0 && query == url + head);
	must(!strchr(url, '#'));
	for (size_t i = 0; i < ARRAY_LEN(ours); i++) {
		size_t count;
		char *value = auth_form_get(query + 1, strlen(query + 1), ours[i][0], &count);
		must(count == 1 && value && value[0]);
		must(!ours[i][1] || strcmp(value, ours[i][1]) == 0);
		free(value);
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct auth_crypto crypto = { .random = same_bytes };
	struct buf endpoint = BUF_INIT;
	struct auth_flow *f = auth_flow_create(
	    &(struct auth_flow_options){
		.server_url = "https://m.example/mcp", .client_name = "fuzz", .client_id = "us" },
	    &crypto, NULL);

	buf_add_str(&endpoint, ISSUER "/a");
	for (size_t i = 0; i < size; i++) /* the parser never returns binary data */
		buf_add_char(&endpoint, (char)(data[i] & 0x7f ? data[i] & 0x7f : '?'));
	auth_flow_challenge(f, 401, NULL, 1000);
	for (int i = 0; i < 20 && auth_flow_info(f).request; i++)
		answer(f, &endpoint);
	auth_flow_go(f, "http://127.0.0.1:9/callback", 1000);
	for (int i = 0; i < 20 && auth_flow_info(f).request; i++)
		answer(f, &endpoint);
	if (auth_flow_info(f).browser_url)
		check(auth_flow_info(f).browser_url, &endpoint);
	auth_flow_destroy(f);
	buf_finish(&endpoint);
	return 0;
}
