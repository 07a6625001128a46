/* SPDX-License-Identifier: MIT */
/* Servers' declarations about apps, and the policy made of them. Every domain is hostile. */
#include "apps/policy.h"
#include "base/vec.h"
#include "quoted.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

/* ---- tools ---- */

#define UI(members) "{'name':'t','_meta':{'ui':{" members "}}}"

static const struct {
	const char *definition, *resource;
	bool deprecated, model, app;
	const char *flaws; /* "KIND POINTER\n" */
} TOOLS[] = {
	{ "{'name':'t'}", NULL, false, true, true, "" },
	{ UI("'resourceUri':'ui://a/b'"), "ui://a/b", false, true, true, "" },
	{ UI("'resourceUri':'ui://a','visibility':['app']"), "ui://a", false, false, true, "" },
	{ UI("'visibility':['model']"), NULL, false, true, false, "" },
	{ UI("'visibility':['app','model']"), NULL, false, true, true, "" },
	{ UI("'visibility':[]"), NULL, false, false, false, "4 /_meta/ui/visibility\n" },
	{ UI("'visibility':'app'"), NULL, false, false, false, "3 /_meta/ui/visibility\n" },
	{ UI("'visibility':['App']"), NULL, false, false, false, "3 /_meta/ui/visibility\n" },
	{ "{'_meta':{'ui/resourceUri':'ui://a'}}", "ui://a", true, true, true,
	    "1 /_meta/ui~1resourceUri\n" },
	{ "{'meta':{'ui':{'resourceUri':'ui://a'}}}", "ui://a", false, true, true, "" },
	{ "{'_meta':{'ui':{'resourceUri':'ui://a'},'ui/resourceUri':'ui://a'}}", "ui://a", false,
	    true, true, "" },
	{ "{'_meta':{'ui':{'resourceUri':'ui://a'},'ui/resourceUri':'ui://b'}}", "ui://a", false,
	    true, true, "2 /_meta/ui/resourceUri\n" },
	{ UI("'resourceUri':'https://a'"), NULL, false, true, true, "0 /_meta/ui/resourceUri\n" },
	{ UI("'resourceUri':'ui://'"), NULL, false, true, true, "0 /_meta/ui/resourceUri\n" },
	{ UI("'resourceUri':7"), NULL, false, true, true, "0 /_meta/ui/resourceUri\n" },
	{ UI("'resourceUri':'ui://a','csp':{},'permissions':{}"), "ui://a", false, true, true,
	    "5 /_meta/ui/csp\n5 /_meta/ui/permissions\n" },
	{ "{'_meta':{'ui':'ui://a'}}", NULL, false, true, true, "" },
	{ "{'_meta':[]}", NULL, false, true, true, "" },
	{ "7", NULL, false, true, true, "" },
};

static void
on_flaw(void *user, const struct app_flaw *flaw)
{
	assert_true(flaw->text[0] && !strchr(flaw->text, '\n'));
	buf_addf(user, "%d %s\n", (int)flaw->kind, flaw->pointer);
}

static void
test_tools(void **state)
{
	struct buf flaws = BUF_INIT;
	struct app_tool t;

	for (size_t i = 0; i < ARRAY_LEN(TOOLS); i++) {
		struct json_doc *doc = parse_quoted(TOOLS[i].definition);
		app_tool_read(&t, json_root(doc));
		assert_int_equal(t.resource != NULL, TOOLS[i].resource != NULL);
		if (t.resource)
			assert_string_equal(t.resource, TOOLS[i].resource);
		assert_int_equal(t.is_deprecated, TOOLS[i].deprecated);
		assert_int_equal(t.for_model, TOOLS[i].model);
		assert_int_equal(t.for_app, TOOLS[i].app);
		app_tool_flaws(json_root(doc), on_flaw, &flaws);
		assert_string_equal(buf_text(&flaws), TOOLS[i].flaws);
		buf_clear(&flaws);
		json_doc_destroy(doc);
	}
	buf_finish(&flaws);
}

/* ---- resources ---- */

static void
test_resource(void **state)
{
	struct json_doc *item =
	    parse_quoted("{'_meta':{'ui':{'csp':{'connectDomains':['https://a.example']},"
			 "'permissions':{'camera':{},'clipboardWrite':{},'microphone':true},"
			 "'domain':'d','prefersBorder':false}}}");
	struct json_doc *entry = parse_quoted("{'meta':{'ui':{'prefersBorder':true}}}");
	struct buf flaws = BUF_INIT;
	struct app_resource r;

	app_resource_read(&r, json_root(item), json_root(entry)); /* the content comes first */
	assert_non_null(r.domains[APP_CONNECT]);
	assert_null(r.domains[APP_FRAME]);
	assert_int_equal(r.permissions, 1u << APP_CAMERA | 1u << APP_CLIPBOARD_WRITE);
	assert_string_equal(r.domain, "d");
	assert_int_equal(r.border, APP_BORDER_NO);
	app_resource_flaws(&r, on_flaw, &flaws);
	assert_string_equal(buf_text(&flaws), "");
	app_resource_read(&r, NULL, json_root(entry));
	assert_int_equal(r.border, APP_BORDER_YES);
	app_resource_flaws(&r, on_flaw, &flaws);
	assert_string_equal(buf_text(&flaws), "6 /meta\n");
	buf_clear(&flaws);
	json_doc_destroy(item);
	item = parse_quoted("{'_meta':{'ui':{'csp':{'connect':[],'frameDomains':'x',"
			    "'resourceDomains':['https://a','*',7]},'prefersBorder':'yes'}}}");
	app_resource_read(&r, json_root(item), NULL);
	assert_int_equal(r.border, APP_BORDER_ABSENT);
	app_resource_flaws(&r, on_flaw, &flaws);
	assert_string_equal(buf_text(&flaws),
	    "6 /_meta/ui\n6 /_meta/ui/csp\n6 /_meta/ui\n7 /_meta/ui/csp/resourceDomains/1\n"
	    "7 /_meta/ui/csp/resourceDomains/2\n");
	buf_finish(&flaws);
	json_doc_destroy(item);
	json_doc_destroy(entry);
}

#define ITEM(members) "{'contents':[{'uri':'ui://a'," members "}]}"
#define MIME "'mimeType':'text/html;profile=mcp-app'"

static const struct {
	const char *result, *html, *error;
} PAGES[] = {
	{ ITEM(MIME ",'text':'<p>'"), "<p>", NULL },
	{ ITEM(MIME ",'blob':'PHA+'"), "<p>", NULL },
	{ ITEM("'mimeType':'text/html; Profile=\\\"mcp-app\\\"','text':'<p>'"), "<p>", NULL },
	{ ITEM("'mimeType':'text/html','text':'<p>'"), "<p>", "its MIME type is text/html, not" },
	{ ITEM("'text':'<p>'"), "<p>", "its MIME type is absent" },
	{ ITEM(MIME), "", "neither text nor blob" },
	{ ITEM(MIME ",'text':''"), "", "the page is empty" },
	{ ITEM(MIME ",'blob':'P'"), NULL, "not Base64" },
	{ "{'contents':[]}", "", "returned no contents for ui://a" },
	{ "{}", "", "returned no contents" },
	{ "{'contents':['x']}", "", "returned no contents" },
	{ "{'contents':[{'uri':'ui://b','text':'1'},{'uri':'ui://a'," MIME ",'text':'2'}]}", "2",
	    NULL },
	{ "{'contents':[{'uri':'ui://other'," MIME ",'text':'2'}]}", "2", NULL },
};

static void
test_pages(void **state)
{
	struct app_html page;
	struct err err;

	for (size_t i = 0; i < ARRAY_LEN(PAGES); i++) {
		struct json_doc *doc = parse_quoted(PAGES[i].result);
		bool ok = app_html_read(&page, json_root(doc), "ui://a", NULL, &err);
		assert_int_equal(ok, PAGES[i].error == NULL);
		if (!ok)
			assert_non_null(strstr(err.text, PAGES[i].error));
		if (PAGES[i].html)
			assert_string_equal(buf_text(&page.html), PAGES[i].html);
		app_html_finish(&page);
		json_doc_destroy(doc);
	}
}

/* URLs that a browser would fetch, and texts that only look like URLs. */
static void
test_addresses(void **state)
{
	static const struct {
		const char *html, *address;
	} rows[] = {
		{ "<script src=\"https://cdn.example/a.js\"></script>",
		    "https://cdn.example/a.js" },
		{ "<script src=https://cdn.example/a.js>", "https://cdn.example/a.js" },
		{ "<img SRC = '//cdn.example/a.png'>", NULL },
		{ "<img src='//cdn.example/a.png'>", "//cdn.example/a.png" },
		{ "<link rel=\"stylesheet\" href=\"https://f.example/c\">", "https://f.example/c" },
		{ "body{background:url(https://f.example/b)}", "https://f.example/b" },
		{ "fetch(`https://api.example/${x}`)", "https://api.example/${x}" },
		{ "new WebSocket(\"wss://s.example\")", "wss://s.example" },
		{ "import{a}from\"https://esm.example/a\"", "https://esm.example/a" },
		{ "<a href=\"https://docs.example\">", NULL },
		{ "<svg xmlns=\"http://www.w3.org/2000/svg\">", NULL },
		{ "throw Error(\"see https://react.dev/errors\")", NULL },
		{ "new URL(\"https://github.com/x\")", NULL },
		{ "a=1;//comment", NULL },
		{ "<script src=\"a.js\">", NULL },
		{ "src=\"https://", NULL },
		{ "", NULL },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct buf html = BUF_INIT;
		size_t at = 0, len = 0;
		buf_add_str(&html, rows[i].html);
		const char *found = app_html_next_address(&html, &at, &len);
		assert_int_equal(found != NULL, rows[i].address != NULL);
		if (found) {
			assert_int_equal(len, strlen(rows[i].address));
			assert_memory_equal(found, rows[i].address, len);
			assert_null(app_html_next_address(&html, &at, &len));
		}
		buf_finish(&html);
	}
}

/* ---- the policy ---- */

static void
test_domains(void **state)
{
	static const char *const good[] = { "https://a.example", "wss://a.example:8080",
		"https://*.a.example", "*.a.example", "a.example", "http://localhost:3000",
		"http://127.0.0.1", "http://[::1]:80", "https://a.example:*",
		"https://a.example/x/", "localhost:3000" };
	static const char *const bad[] = { "", "*", "https:", "data:", "https://", "https://*",
		"*.com", "https://*.com", "https://a; script-src *", "https://a, default-src *",
		"https://a 'unsafe-eval'", "'unsafe-eval'", "'self'", "https://a\r\nX: y",
		"https://a\tb", "javascript://a", "file:///etc", "ui://a", "https://a..b",
		"https://.a", "https://a.", "https://a:b", "https://a?b", "https://a#b",
		"https://é.example", "https://a@b", "https://a\"b", "https://[::1", "https://[]",
		"https://a\\b", "https://a\xc0\x80\x62", "https://a:80:90", "https://*a.example" };

	for (size_t i = 0; i < ARRAY_LEN(good); i++)
		if (app_domain_refusal(good[i]))
			fail_msg("%s: %s", good[i], app_domain_refusal(good[i]));
	for (size_t i = 0; i < ARRAY_LEN(bad); i++)
		if (!app_domain_refusal(bad[i]))
			fail_msg("%s is accepted", bad[i]);
}

static void
expect_policy(const char *csp, enum app_csp kind, const char *header)
{
	struct json_doc *doc = parse_quoted(csp);
	struct app_resource r;
	struct app_policy p;

	app_resource_read(&r, json_root(doc), NULL);
	app_policy_init(&p, &r, kind);
	assert_string_equal(buf_text(&p.header), header);
	app_policy_finish(&p);
	json_doc_destroy(doc);
}

static void
test_policies(void **state)
{
	expect_policy("{}", APP_CSP_STRICT,
	    "default-src 'none'; script-src 'self' 'unsafe-inline' blob: data:; style-src 'self' "
	    "'unsafe-inline' blob: data:; img-src 'self' data: blob:; font-src 'self' data: blob:; "
	    "media-src 'self' data: blob:; connect-src 'none'; worker-src 'self' blob:; frame-src "
	    "'none'; object-src 'none'; base-uri 'self'; form-action 'none'");
	expect_policy(
	    "{'_meta':{'ui':{'csp':{'connectDomains':['https://api.example','*'],"
	    "'resourceDomains':['https://cdn.example','https://x; script-src *'],"
	    "'frameDomains':['https://f.example'],'baseUriDomains':['https://b.example']}}}}",
	    APP_CSP_STRICT,
	    "default-src 'none'; script-src 'self' 'unsafe-inline' blob: data: "
	    "https://cdn.example; style-src 'self' 'unsafe-inline' blob: data: "
	    "https://cdn.example; img-src 'self' data: blob: https://cdn.example; font-src 'self' "
	    "data: blob: https://cdn.example; media-src 'self' data: blob: https://cdn.example; "
	    "connect-src 'self' https://api.example; worker-src 'self' blob: https://cdn.example; "
	    "frame-src https://f.example; object-src 'none'; base-uri https://b.example; "
	    "form-action 'none'");
	expect_policy("{}", APP_CSP_LAX,
	    "default-src 'self' 'unsafe-inline'; script-src 'self' 'unsafe-inline' blob: data: "
	    "'unsafe-eval'; style-src 'self' 'unsafe-inline' blob: data:; img-src 'self' data: "
	    "blob:; font-src 'self' data: blob:; media-src 'self' data: blob:; connect-src 'none'; "
	    "worker-src 'self' blob:; frame-src 'none'; object-src 'none'; base-uri 'self'; "
	    "form-action 'none'");
}

static void
test_many_domains(void **state)
{
	struct buf json = BUF_INIT;
	struct app_resource r;
	struct app_policy p;

	buf_add_str(&json, "{'_meta':{'ui':{'csp':{'connectDomains':['https://a.example'");
	for (int i = 0; i < 5000; i++)
		buf_addf(&json, ",'https://h%d.example'", i);
	buf_add_str(&json, "]}}}}");
	struct json_doc *doc = parse_quoted(buf_text(&json));
	app_resource_read(&r, json_root(doc), NULL);
	app_policy_init(&p, &r, APP_CSP_STRICT);
	assert_int_equal(p.domains.len, APP_DOMAINS_MAX);
	assert_int_equal(p.rest, 5001 - APP_DOMAINS_MAX);
	app_policy_finish(&p);
	json_doc_destroy(doc);
	buf_finish(&json);
}

static void
test_advice(void **state)
{
	static const struct {
		const char *directive, *blocked, *advice;
	} rows[] = {
		{ "connect-src", "https://api.example/v1?x",
		    "declare \"https://api.example\" in _meta.ui.csp.connectDomains of the "
		    "resource" },
		{ "script-src-elem", "https://cdn.example:8/a.js",
		    "declare \"https://cdn.example:8\" in _meta.ui.csp.resourceDomains" },
		{ "child-src", "https://f.example/", "_meta.ui.csp.frameDomains" },
		{ "base-uri", "https://f.example/", "_meta.ui.csp.baseUriDomains" },
		{ "script-src", "eval", "'unsafe-eval'" },
		{ "object-src", "https://a.example", "no declaration allows this" },
		{ "form-action", "https://a.example", "no declaration allows this" },
		{ "prefetch-src", "https://a.example", "no declaration allows this" },
		{ "img-src", "https://a;b", "only domains in _meta.ui.csp.resourceDomains" },
		{ "img-src", "inline", "only domains in _meta.ui.csp.resourceDomains" },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct buf text = BUF_INIT;
		app_policy_advise(rows[i].directive, rows[i].blocked, &text);
		if (!strstr(buf_text(&text), rows[i].advice))
			fail_msg("%s %s: %s", rows[i].directive, rows[i].blocked, buf_text(&text));
		buf_finish(&text);
	}
}

/* ---- arguments ---- */

static void
test_arguments(void **state)
{
	static const char schema[] =
	    "{'properties':{'a':{'default':1},'b':{'default':[2]},'c':{},'d':{'properties':"
	    "{'e':{'default':'x'}}}}}";
	static const struct {
		const char *schema, *given, *filled;
	} rows[] = {
		{ schema, "{}", "{'a':1,'b':[2]}" },
		{ schema, "{'b':null,'c':3}", "{'b':null,'c':3,'a':1}" },
		{ schema, "{'d':{},'z':0}", "{'d':{'e':'x'},'z':0,'a':1,'b':[2]}" },
		{ schema, "[1]", "{'a':1,'b':[2]}" },
		{ "true", "{'a':1e2}", "{'a':1e2}" },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct json_doc *s = parse_quoted(rows[i].schema), *g = parse_quoted(rows[i].given);
		struct buf out = BUF_INIT;
		char *want = quoted(rows[i].filled);
		app_arguments_add(&out, json_root(s), json_root(g));
		assert_string_equal(buf_text(&out), want);
		free(want);
		buf_finish(&out);
		json_doc_destroy(s);
		json_doc_destroy(g);
	}
}

TEST_FILE(apps)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_tools),
		cmocka_unit_test(test_resource),
		cmocka_unit_test(test_pages),
		cmocka_unit_test(test_addresses),
		cmocka_unit_test(test_domains),
		cmocka_unit_test(test_policies),
		cmocka_unit_test(test_many_domains),
		cmocka_unit_test(test_advice),
		cmocka_unit_test(test_arguments),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
