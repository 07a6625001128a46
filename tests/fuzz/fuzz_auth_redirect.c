/* SPDX-License-Identifier: MIT */
/* Any address: a code comes only with our state, from our issuer, and fit to be sent. URLs that are
 * accepted are unambiguous: printed again from their parts they are the same. */
#include "fuzz.h"

#include "auth/token.h"
#include "auth/flow/state.h"
#include "auth/auth_url.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

static void
must(bool holds)
{
	if (!holds)
		abort();
}

static void
try_redirect(const char *text, bool sends_iss)
{
	struct auth_pending pending = { "st4te", "https://as.example",
		"http://127.0.0.1:9/callback", sends_iss };
	struct err err = { "" };
	char *code;

	enum auth_redirect what = auth_redirect_parse(text, &pending, &code, &err);
	must((what == AUTH_REDIRECT_CODE) == (code != NULL));
	if (code)
		must(auth_is_plain(code) && strstr(text, "="));
	else
		must(err.text[0] != '\0');
	free(code);
}

static void
try_url(const char *text)
{
	struct auth_url one, two;
	struct buf origin = BUF_INIT;

	if (!auth_url_parse(&one, text, NULL))
		return;
	auth_url_add_origin(&one, &origin);
	must(auth_url_parse(&two, buf_text(&origin), NULL));
	must(auth_url_same_origin(&one, &two) && one.kind == two.kind);
	must(!strpbrk(one.host, "/@\\?# "));
	auth_url_finish(&one);
	auth_url_finish(&two);
	buf_finish(&origin);
	char *resource = auth_canonical_resource(text);
	char *again = resource ? auth_canonical_resource(resource) : NULL;
	must(resource && again && strcmp(resource, again) == 0);
	free(resource);
	free(again);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = mem_strndup((const char *)data, size);

	try_redirect(text, size % 2 == 0);
	try_url(text);
	free(text);
	return 0;
}
