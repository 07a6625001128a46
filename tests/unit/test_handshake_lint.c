/* SPDX-License-Identifier: MIT */
#include "base/buf.h"
#include "client/findings.h"
#include "client/server.h"
#include "test.h"
#include "wire.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>

static const struct server_options legacy = {
	.session = { .era = ERA_LEGACY, .client_name = "t", .client_version = "1" }
};

/* "! serious" and "· odd", one a line. */
static void
assert_judged(const struct wire *w, const char *expected)
{
	struct handshake_findings findings = { 0 };
	struct buf out = BUF_INIT;

	handshake_lint(w->server, &findings);
	for (size_t i = 0; i < findings.len; i++)
		buf_addf(
		    &out, "%c %s\n", findings.items[i].serious ? '!' : '.', findings.items[i].text);
	assert_string_equal(buf_text(&out), expected);
	buf_finish(&out);
	free(findings.items);
}

/* Members of initialize's result; without the tools capability nothing is listed. */
static void
assert_findings(const char *members, const char *expected)
{
	struct wire w;
	struct buf result = BUF_INIT;

	wire_open(&w, &legacy);
	wire_start(&w);
	buf_addf(&result, "'result':{%s}", members);
	wire_answer(&w, "initialize", buf_text(&result));
	assert_judged(&w, expected);
	wire_close(&w);
	buf_finish(&result);
}

static void
test_nothing_yet(void **state)
{
	struct wire w;

	wire_open(&w, &legacy);
	assert_judged(&w, "");
	wire_start(&w);
	assert_judged(&w, "");
	wire_close(&w);
}

static void
test_well_behaved(void **state)
{
	assert_findings("'protocolVersion':'2025-11-25','capabilities':{'logging':{}},'serverInfo':"
			"{'name':'n','version':'1','websiteUrl':'https://x','icons':[{'src':"
			"'data:image/png;base64,AA=='}]},'instructions':'Ask.\\nTwice.'",
	    "");
}

static void
test_odd(void **state)
{
	assert_findings(
	    "'protocolVersion':'2024-11-05','capabilities':{},'serverInfo':{'name':'n'}",
	    ". 2024-11-05 has neither structuredContent nor outputSchema\n"
	    "! serverInfo has no version\n");
	assert_findings(
	    "'protocolVersion':'2025-11-25','capabilities':{'logging':true},'serverInfo':"
	    "{'name':'a\\u200bb','version':'1','websiteUrl':'javascript:1','icons':["
	    "{'src':'http://x/i.png'},{}]}",
	    "! serverInfo.name contains invisible characters\n"
	    "! serverInfo.websiteUrl is not a web address\n"
	    "! serverInfo.icons/0 is neither an https: nor a data: URI\n"
	    "! serverInfo.icons/1 has no src\n"
	    "! the capability logging is not an object\n");
	assert_findings("'protocolVersion':'2025-11-25','capabilities':{},'serverInfo':{'name':'n',"
			"'version':'1'},'instructions':'Do\\u202e it'",
	    "! instructions contain invisible characters: a model reads them\n");
}

static void
test_empty_list(void **state)
{
	struct wire w;

	wire_open(&w, &legacy);
	wire_start(&w);
	wire_say(&w, "hello");
	wire_answer(&w, "initialize",
	    "'result':{'protocolVersion':'2025-11-25','capabilities':{'tools':{}},'serverInfo':{"
	    "'name':'n','version':'1'}}");
	wire_answer(&w, "tools/list", "'result':{'tools':[]}");
	assert_judged(&w, ". it declares tools and lists none\n"
			  "! 1 of its first lines is no message of the protocol\n");
	wire_close(&w);
}

TEST_FILE(handshake_lint)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_nothing_yet),
		cmocka_unit_test(test_well_behaved),
		cmocka_unit_test(test_odd),
		cmocka_unit_test(test_empty_list),
	};

	setlocale(LC_CTYPE, "C.UTF-8");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
