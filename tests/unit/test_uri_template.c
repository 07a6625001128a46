/* SPDX-License-Identifier: MIT */
#include "mcp/uri_template.h"

#include "base/mem.h"
#include "base/vec.h"
#include "quoted.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

/* The variables of RFC 6570, sections 1.1, 2.4 and 3.2. */
static const char values[] =
    "{'count':['one','two','three'],'dom':['example','com'],'dub':'me/too','hello':'Hello World!',"
    "'half':'50%','var':'value','who':'fred','base':'http://example.com/home/','path':'/foo/bar',"
    "'list':['red','green','blue'],'keys':{'semi':';','dot':'.','comma':','},'v':'6','x':'1024',"
    "'y':'768','empty':'','empty_keys':{},'undef':null,'query':'mycelium','number':100,"
    "'semi':';','year':['1965','2000','2012'],"
    "'zero':'a\\u0000b','umlaut':'\\u00e4\\u00f6\\u00fc','yes':true,'nested':[[1],{},'x',null],"
    "'nothing':[null],'triplet':'%2f','pairs':{'a':'','b':'c'},'some':['','d']}";

/* Every example of the RFC. */
static const struct {
	const char *section, *text, *uri;
} examples[] = {
	{ "1.1", "http://www.example.com/foo{?query,number}",
	    "http://www.example.com/foo?query=mycelium&number=100" },
	{ "1.1", "http://www.example.com/foo{?nothing,number}",
	    "http://www.example.com/foo?number=100" },
	{ "1.1", "http://www.example.com/foo{?nothing}", "http://www.example.com/foo" },
	{ "1.2", "{.x,y}", ".1024.768" },
	{ "1.2", "X{.x,y}", "X.1024.768" },
	{ "1.2", "{#path:6}here", "#/foo/bhere" },
	{ "1.2", "map?{x,y}", "map?1024,768" },
	{ "2.4.1", "{var}", "value" },
	{ "2.4.1", "{var:20}", "value" },
	{ "2.4.1", "{var:3}", "val" },
	{ "2.4.1", "{semi}", "%3B" },
	{ "2.4.1", "{semi:2}", "%3B" },
	{ "2.4.2", "find{?year*}", "find?year=1965&year=2000&year=2012" },
	{ "2.4.2", "www{.dom*}", "www.example.com" },
	{ "3.2.1", "{count}", "one,two,three" },
	{ "3.2.1", "{count*}", "one,two,three" },
	{ "3.2.1", "{/count}", "/one,two,three" },
	{ "3.2.1", "{/count*}", "/one/two/three" },
	{ "3.2.1", "{;count}", ";count=one,two,three" },
	{ "3.2.1", "{;count*}", ";count=one;count=two;count=three" },
	{ "3.2.1", "{?count}", "?count=one,two,three" },
	{ "3.2.1", "{?count*}", "?count=one&count=two&count=three" },
	{ "3.2.1", "{&count*}", "&count=one&count=two&count=three" },
	{ "3.2.2", "{var}", "value" },
	{ "3.2.2", "{hello}", "Hello%20World%21" },
	{ "3.2.2", "{half}", "50%25" },
	{ "3.2.2", "O{empty}X", "OX" },
	{ "3.2.2", "O{undef}X", "OX" },
	{ "3.2.2", "{x,y}", "1024,768" },
	{ "3.2.2", "{x,hello,y}", "1024,Hello%20World%21,768" },
	{ "3.2.2", "?{x,empty}", "?1024," },
	{ "3.2.2", "?{x,undef}", "?1024" },
	{ "3.2.2", "?{undef,y}", "?768" },
	{ "3.2.2", "{var:3}", "val" },
	{ "3.2.2", "{var:30}", "value" },
	{ "3.2.2", "{list}", "red,green,blue" },
	{ "3.2.2", "{list*}", "red,green,blue" },
	{ "3.2.2", "{keys}", "semi,%3B,dot,.,comma,%2C" },
	{ "3.2.2", "{keys*}", "semi=%3B,dot=.,comma=%2C" },
	{ "3.2.3", "{+var}", "value" },
	{ "3.2.3", "{+hello}", "Hello%20World!" },
	{ "3.2.3", "{+half}", "50%25" },
	{ "3.2.3", "{base}index", "http%3A%2F%2Fexample.com%2Fhome%2Findex" },
	{ "3.2.3", "{+base}index", "http://example.com/home/index" },
	{ "3.2.3", "O{+empty}X", "OX" },
	{ "3.2.3", "O{+undef}X", "OX" },
	{ "3.2.3", "{+path}/here", "/foo/bar/here" },
	{ "3.2.3", "here?ref={+path}", "here?ref=/foo/bar" },
	{ "3.2.3", "up{+path}{var}/here", "up/foo/barvalue/here" },
	{ "3.2.3", "{+x,hello,y}", "1024,Hello%20World!,768" },
	{ "3.2.3", "{+path,x}/here", "/foo/bar,1024/here" },
	{ "3.2.3", "{+path:6}/here", "/foo/b/here" },
	{ "3.2.3", "{+list}", "red,green,blue" },
	{ "3.2.3", "{+list*}", "red,green,blue" },
	{ "3.2.3", "{+keys}", "semi,;,dot,.,comma,," },
	{ "3.2.3", "{+keys*}", "semi=;,dot=.,comma=," },
	{ "3.2.4", "{#var}", "#value" },
	{ "3.2.4", "{#hello}", "#Hello%20World!" },
	{ "3.2.4", "{#half}", "#50%25" },
	{ "3.2.4", "foo{#empty}", "foo#" },
	{ "3.2.4", "foo{#undef}", "foo" },
	{ "3.2.4", "{#x,hello,y}", "#1024,Hello%20World!,768" },
	{ "3.2.4", "{#path,x}/here", "#/foo/bar,1024/here" },
	{ "3.2.4", "{#path:6}/here", "#/foo/b/here" },
	{ "3.2.4", "{#list}", "#red,green,blue" },
	{ "3.2.4", "{#list*}", "#red,green,blue" },
	{ "3.2.4", "{#keys}", "#semi,;,dot,.,comma,," },
	{ "3.2.4", "{#keys*}", "#semi=;,dot=.,comma=," },
	{ "3.2.5", "{.who}", ".fred" },
	{ "3.2.5", "{.who,who}", ".fred.fred" },
	{ "3.2.5", "{.half,who}", ".50%25.fred" },
	{ "3.2.5", "www{.dom*}", "www.example.com" },
	{ "3.2.5", "X{.var}", "X.value" },
	{ "3.2.5", "X{.empty}", "X." },
	{ "3.2.5", "X{.undef}", "X" },
	{ "3.2.5", "X{.var:3}", "X.val" },
	{ "3.2.5", "X{.list}", "X.red,green,blue" },
	{ "3.2.5", "X{.list*}", "X.red.green.blue" },
	{ "3.2.5", "X{.keys}", "X.semi,%3B,dot,.,comma,%2C" },
	{ "3.2.5", "X{.keys*}", "X.semi=%3B.dot=..comma=%2C" },
	{ "3.2.5", "X{.empty_keys}", "X" },
	{ "3.2.5", "X{.empty_keys*}", "X" },
	{ "3.2.6", "{/who}", "/fred" },
	{ "3.2.6", "{/who,who}", "/fred/fred" },
	{ "3.2.6", "{/half,who}", "/50%25/fred" },
	{ "3.2.6", "{/who,dub}", "/fred/me%2Ftoo" },
	{ "3.2.6", "{/var}", "/value" },
	{ "3.2.6", "{/var,empty}", "/value/" },
	{ "3.2.6", "{/var,undef}", "/value" },
	{ "3.2.6", "{/var,x}/here", "/value/1024/here" },
	{ "3.2.6", "{/var:1,var}", "/v/value" },
	{ "3.2.6", "{/list}", "/red,green,blue" },
	{ "3.2.6", "{/list*}", "/red/green/blue" },
	{ "3.2.6", "{/list*,path:4}", "/red/green/blue/%2Ffoo" },
	{ "3.2.6", "{/keys}", "/semi,%3B,dot,.,comma,%2C" },
	{ "3.2.6", "{/keys*}", "/semi=%3B/dot=./comma=%2C" },
	{ "3.2.7", "{;who}", ";who=fred" },
	{ "3.2.7", "{;half}", ";half=50%25" },
	{ "3.2.7", "{;empty}", ";empty" },
	{ "3.2.7", "{;v,empty,who}", ";v=6;empty;who=fred" },
	{ "3.2.7", "{;v,bar,who}", ";v=6;who=fred" },
	{ "3.2.7", "{;x,y}", ";x=1024;y=768" },
	{ "3.2.7", "{;x,y,empty}", ";x=1024;y=768;empty" },
	{ "3.2.7", "{;x,y,undef}", ";x=1024;y=768" },
	{ "3.2.7", "{;hello:5}", ";hello=Hello" },
	{ "3.2.7", "{;list}", ";list=red,green,blue" },
	{ "3.2.7", "{;list*}", ";list=red;list=green;list=blue" },
	{ "3.2.7", "{;keys}", ";keys=semi,%3B,dot,.,comma,%2C" },
	{ "3.2.7", "{;keys*}", ";semi=%3B;dot=.;comma=%2C" },
	{ "3.2.8", "{?who}", "?who=fred" },
	{ "3.2.8", "{?half}", "?half=50%25" },
	{ "3.2.8", "{?x,y}", "?x=1024&y=768" },
	{ "3.2.8", "{?x,y,empty}", "?x=1024&y=768&empty=" },
	{ "3.2.8", "{?x,y,undef}", "?x=1024&y=768" },
	{ "3.2.8", "{?var:3}", "?var=val" },
	{ "3.2.8", "{?list}", "?list=red,green,blue" },
	{ "3.2.8", "{?list*}", "?list=red&list=green&list=blue" },
	{ "3.2.8", "{?keys}", "?keys=semi,%3B,dot,.,comma,%2C" },
	{ "3.2.8", "{?keys*}", "?semi=%3B&dot=.&comma=%2C" },
	{ "3.2.9", "{&who}", "&who=fred" },
	{ "3.2.9", "{&half}", "&half=50%25" },
	{ "3.2.9", "?fixed=yes{&x}", "?fixed=yes&x=1024" },
	{ "3.2.9", "{&x,y,empty}", "&x=1024&y=768&empty=" },
	{ "3.2.9", "{&x,y,undef}", "&x=1024&y=768" },
	{ "3.2.9", "{&var:3}", "&var=val" },
	{ "3.2.9", "{&list}", "&list=red,green,blue" },
	{ "3.2.9", "{&list*}", "&list=red&list=green&list=blue" },
	{ "3.2.9", "{&keys}", "&keys=semi,%3B,dot,.,comma,%2C" },
	{ "3.2.9", "{&keys*}", "&semi=%3B&dot=.&comma=%2C" },
};

/* Rules that the RFC states in prose, and cases that it leaves open. */
static const struct {
	const char *text, *uri;
} more[] = {
	{ "", "" },
	{ "a b\"<>\\^`|\xc3\xa4%zz%2f", "a%20b%22%3C%3E%5C%5E%60%7C%C3%A4%25zz%2f" },
	{ "{zero}", "a%00b" },
	{ "{umlaut:2}", "%C3%A4%C3%B6" },
	{ "{yes},{number}", "true,100" },
	{ "{nested}|{nested*}", "x%7Cx" },
	{ "X{nothing}{?nothing}{;nothing*}", "X" },
	{ "{triplet} {+triplet}", "%252f%20%2f" },
	{ "{?pairs*}{;pairs*}", "?a=&b=c;a;b=c" },
	{ "{?some*}{;some*}{?some}", "?some=&some=d;some;some=d?some=,d" },
	{ "{?undef,x,undef,y}", "?x=1024&y=768" },
	{ "{a.b_c%20d}", "" },
};

static const struct {
	const char *text, *problem;
} broken[] = {
	{ "a}", "the URI template is broken at byte 1: a \"}\" without its \"{\"" },
	{ "{", "the URI template is broken at byte 1: expected the name of a variable" },
	{ "{}", "the URI template is broken at byte 1: expected the name of a variable" },
	{ "{x", "the URI template is broken at byte 2: expected \"}\"" },
	{ "{x,}", "the URI template is broken at byte 3: expected the name of a variable" },
	{ "{=x}", "the URI template is broken at byte 1: expected the name of a variable" },
	{ "{x y}", "the URI template is broken at byte 2: expected \",\" or \"}\"" },
	{ "{x:0}", "the URI template is broken at byte 3: expected a length from 1 to 9999" },
	{ "{x:}", "the URI template is broken at byte 3: expected a length from 1 to 9999" },
	{ "{x:10000}", "the URI template is broken at byte 7: a length is at most 9999" },
	{ "{x*:3}", "the URI template is broken at byte 3: expected \",\" or \"}\"" },
	{ "{x.}", "the URI template is broken at byte 3: a name cannot end with a dot" },
	{ "{.x..y}", "the URI template is broken at byte 4: a name cannot end with a dot" },
	{ "{%4}", "the URI template is broken at byte 1: expected the name of a variable" },
	{ "{a{b}}", "the URI template is broken at byte 2: expected \",\" or \"}\"" },
};

static void
check(const char *section, const char *text, const char *uri)
{
	struct json_doc *doc = parse_quoted(values);
	struct buf out = BUF_INIT;
	struct err err = { "" };

	buf_add_str(&out, "^");
	if (!uri_template_expand(text, json_root(doc), &out, &err))
		fail_msg("%s %s: %s", section, text, err.text);
	if (strcmp(buf_text(&out) + 1, uri) != 0)
		fail_msg("%s %s: %s, not %s", section, text, buf_text(&out) + 1, uri);
	buf_finish(&out);
	json_doc_destroy(doc);
}

static void
test_examples(void **state)
{
	for (size_t i = 0; i < ARRAY_LEN(examples); i++)
		check(examples[i].section, examples[i].text, examples[i].uri);
	for (size_t i = 0; i < ARRAY_LEN(more); i++)
		check("more", more[i].text, more[i].uri);
}

static void
test_broken(void **state)
{
	for (size_t i = 0; i < ARRAY_LEN(broken); i++) {
		struct buf out = BUF_INIT;
		struct uri_variables v;
		struct err err = { "" };
		assert_false(uri_template_expand(broken[i].text, NULL, &out, &err));
		assert_string_equal(err.text, broken[i].problem);
		assert_int_equal(out.len, 0);
		assert_false(uri_template_variables(broken[i].text, &v, &err));
		assert_int_equal(v.len, 0);
	}
}

static void
test_variables(void **state)
{
	struct uri_variables v;
	struct err err;

	assert_true(uri_template_variables("a/{b}{/c*}{?d,b:3,e*}{&d}{#d}", &v, &err));
	assert_int_equal(v.len, 4);
	assert_string_equal(v.items[0].name, "b");
	assert_false(v.items[0].optional);
	assert_string_equal(v.items[1].name, "c");
	assert_true(v.items[1].explode);
	assert_string_equal(v.items[2].name, "d");
	assert_false(v.items[2].optional); /* {#d} is not named */
	assert_string_equal(v.items[3].name, "e");
	assert_true(v.items[3].optional && v.items[3].explode);
	uri_variables_finish(&v);
	assert_true(uri_template_variables("file:///plain", &v, &err));
	assert_int_equal(v.len, 0);
}

static void
test_bounds(void **state)
{
	struct json_doc *doc;
	struct buf text = BUF_INIT, out = BUF_INIT;
	struct err err = { "" };

	for (int i = 0; i < 256; i++)
		buf_add_str(&text, "{x}");
	assert_true(uri_template_expand(buf_text(&text), NULL, &out, &err));
	buf_add_str(&text, "{x}");
	assert_false(uri_template_expand(buf_text(&text), NULL, &out, &err));
	buf_clear(&text);
	for (int i = 0; i < (64 << 10); i++)
		buf_add_char(&text, 'x');
	assert_true(uri_template_expand(buf_text(&text), NULL, &out, &err));
	buf_add_char(&text, 'x');
	assert_false(uri_template_expand(buf_text(&text), NULL, &out, &err));
	buf_clear(&text);
	buf_clear(&out);
	buf_add_str(&text, "{\"x\":\"");
	for (int i = 0; i < 400000; i++)
		buf_add_char(&text, ' ');
	buf_add_str(&text, "\"}");
	doc = json_parse(buf_text(&text), text.len, NULL, NULL);
	assert_false(uri_template_expand("{x}", json_root(doc), &out, &err));
	assert_string_equal(err.text, "the URI is longer than 1048576 bytes");
	assert_int_equal(out.len, 0);
	json_doc_destroy(doc);
	buf_finish(&text);
	buf_finish(&out);
}

TEST_FILE(uri_template)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_examples),
		cmocka_unit_test(test_broken),
		cmocka_unit_test(test_variables),
		cmocka_unit_test(test_bounds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
