/* SPDX-License-Identifier: MIT */
/*
 * Agreement of a result's text with its structuredContent: a corpus of pairs with the class that a
 * careful reader would assign. UNSURE means no finding.
 */
#include "base/vec.h"
#include "json/print.h"
#include "client/call.h"
#include "quoted.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

#define MIRROR "content-mirror"
#define SUMMARY "content-summary"
#define CONTRADICTS "content-contradicts"
#define OTHER_JSON "content-other-json"
#define UNRELATED "content-unrelated"
#define SILENT NULL

#define USERS "{'users':[{'id':1,'name':'Alice'},{'id':2,'name':'Bob'},{'id':3,'name':'Cy'}]}"
#define WEATHER "{'temperature':21.5,'conditions':'Cloudy','humidity':65}"

static const struct pair {
	const char *label, *text, *structured;
} CORPUS[] = {
	/* the same value */
	{ MIRROR, "{'a':1,'b':[1,2]}", "{'a':1,'b':[1,2]}" },
	{ MIRROR, "{'b':[1,2],'a':1}", "{'a':1,'b':[1,2]}" },
	{ MIRROR, "{ 'a' : 1.0, 'b':[1e0,20e-1] }", "{'a':1,'b':[1,2]}" },
	{ MIRROR, "[{'id':1},{'id':2}]", "{'result':[{'id':1},{'id':2}]}" },
	{ MIRROR, "[1,2,3]", "[1,2,3]" },
	{ MIRROR, "42", "{'result':42}" },
	{ MIRROR, "hello world", "{'result':'hello world'}" },
	{ MIRROR, "true", "true" },
	{ MIRROR, "{'a':1,'b':null}", "{'a':1}" },
	{ MIRROR, "```json\n{'a':1,'b':2}\n```", "{'b':2,'a':1}" },
	{ MIRROR, "{'pi':3.141592653589793}", "{'pi':3.1415926535897931}" },
	{ MIRROR, "{'n':'3','ok':'true'}", "{'n':3,'ok':true}" },
	{ MIRROR, WEATHER, WEATHER },
	{ MIRROR, "{'at':'2026-01-02T00:00:00Z','id':1}",
	    "{'at':'2026-01-02T00:00:00+00:00','id':1}" },
	{ MIRROR, "{'tags':['b','a']}", "{'tags':['a','b']}" },
	/* a part of it, or words about it */
	{ SUMMARY, "{'users':[{'id':1,'name':'Alice'}]}", USERS },
	{ SUMMARY, "{'id':2,'name':'Bob'}", USERS },
	{ SUMMARY, "{'success':true,'data':{'a':1,'b':2}}", "{'a':1,'b':2}" },
	{ SUMMARY, "{'id':1}", "{'id':1,'name':'x','more':[1,2]}" },
	{ SUMMARY, "Found 3 users", USERS },
	{ SUMMARY, "Found 3 users: Alice, Bob, Cy.", USERS },
	{ SUMMARY, "Alice, Bob and one other", USERS },
	{ SUMMARY, "It is 21.5 degrees and cloudy.", WEATHER },
	{ SUMMARY, "humidity: 65", WEATHER },
	{ SUMMARY, "humidity: 65%", WEATHER },
	{ SUMMARY, "Temperature: 22", WEATHER },
	{ SUMMARY, "Found 3 results.", "{'items':[1,2,3]}" },
	{ SUMMARY, "3 rows", "[[1],[2],[3]]" },
	{ SUMMARY, "Found 12 users", "{'users':[{'name':'Alice'}],'total':12}" },
	/* counts and values that differ */
	{ CONTRADICTS, "Found 5 users", USERS },
	{ CONTRADICTS, "Found 5 users.", USERS },
	{ CONTRADICTS, "Found 5 users:\n- Alice\n- Bob", USERS },
	{ CONTRADICTS, "There are 2 users.", USERS },
	{ CONTRADICTS, "2 users found", USERS },
	{ CONTRADICTS, "No users found.", USERS },
	{ CONTRADICTS, "Returned 10 items.", "{'items':[1,2,3]}" },
	{ CONTRADICTS, "Found 4 results", "[1,2,3]" },
	{ CONTRADICTS, "Found 1 user(s)", USERS },
	{ CONTRADICTS, "humidity: 40", WEATHER },
	{ CONTRADICTS, "Humidity = 40\nTemperature = 21.5", WEATHER },
	{ CONTRADICTS, "success: true", "{'success':false,'code':7}" },
	{ CONTRADICTS, "41", "{'result':42}" },
	{ CONTRADICTS, "false", "true" },
	/* JSON with another value */
	{ OTHER_JSON, "{'a':1,'b':3}", "{'a':1,'b':2}" },
	{ OTHER_JSON, "{'users':[1,2,3,4]}", "{'users':[1,2,3]}" },
	{ OTHER_JSON, "[{'id':1},{'id':9}]", "{'result':[{'id':1},{'id':2}]}" },
	{ OTHER_JSON, "{'name':'Alice','age':30}", "{'name':'Bob','age':30}" },
	{ OTHER_JSON, "[1,2,3,4]", "[1,2,3]" },
	{ OTHER_JSON, "{'ok':true,'n':1}", "{'ok':false,'n':1}" },
	/* words about something else */
	{ UNRELATED, "Done.", USERS },
	{ UNRELATED, "The operation was successful", "{'x':71,'y':82,'zz':'quux'}" },
	/* UNSURE: numbers that may mean something else */
	{ UNRELATED, "Found 5 active people", "{'users':[{'q':4},{'q':6},{'q':7}]}" },
	{ UNRELATED, "Showing 3 of 50 people", "{'rows':[8,9,7]}" },
	{ SUMMARY, "Showing 3 of 50 users", USERS },
	{ SUMMARY, "Found 50 users, showing the first 3.", USERS },
	{ SUMMARY, "Found more than 2 users.", USERS },
	{ SUMMARY, "Found at least 2 users.", USERS },
	{ SUMMARY, "Deleted 2 users.", USERS },
	{ SUMMARY, "Page 2 users", USERS },
	{ SUMMARY, "Alice has 5 users.", USERS },
	{ SUMMARY, "Found 5 users", "{'users':[1,2,3],'has_more':true}" },
	{ SUMMARY, "Found 5 users", "{'users':[1,2,3],'nextCursor':'x'}" },
	{ SUMMARY, "Found 5 users in 3 groups", USERS },
	{ SUMMARY, "Found 5.5 users", USERS },
	{ SUMMARY, "About 5 users.", USERS },
	{ SUMMARY, "temperature: 70.7", WEATHER },
	{ SUMMARY, "humidity: 0.65", WEATHER },
	{ SUMMARY, "humidity: 40 g/m3", WEATHER },
	{ SUMMARY, "max humidity: 80", WEATHER },
	{ SUMMARY, "size: 5", "{'size':5242880,'name':'a.txt'}" },
	{ SUMMARY, "conditions: Sunny later", WEATHER },
	{ SILENT, "{'status':'ok'}", "{'users':[1,2,3]}" },
	{ SILENT, "{'price':'$12.50'}", "{'price':12.5}" },
	{ SILENT, "{'a':[1]}", "{'a':{'x':1}}" },
	{ SUMMARY, "{'name':'A very long n...','id':1}", "{'name':'A very long name','id':1}" },
	{ SILENT, "7", "{'a':[]}" },
	{ SILENT, "", "{'a':1}" },
	{ SUMMARY, "{'users':[{'id':3,'name':'Cy'},{'id':1,'name':'Alice'}]}", USERS },
	/* answers of published servers: files, a graph, a repository, a cluster, a sheet, a log */
	{ MIRROR, "# Title\n\n- one\n- two", "{'content':'# Title\\n\\n- one\\n- two'}" },
	{ SUMMARY, "[DIR] src\n[FILE] a.txt\n[FILE] b.txt",
	    "{'entries':[{'name':'src','type':'directory'},{'name':'a.txt','type':'file'},"
	    "{'name':'b.txt','type':'file'}]}" },
	{ MIRROR, "{\n  'entities': [],\n  'relations': []\n}", "{'entities':[],'relations':[]}" },
	{ SILENT, "200 rows", "{'items':[1,2,3],'page':1,'next':2}" },
	{ SUMMARY, "octocat/Hello-World: This your first repo! (80 stars, 9 forks)",
	    "{'full_name':'octocat/Hello-World','forks_count':9,'stargazers_count':80,'size':108,"
	    "'open_issues_count':0}" },
	{ SUMMARY, "NAME   READY   RESTARTS\nweb-1  1/1     0\nweb-2  0/1     7",
	    "{'pods':[{'name':'web-1','restarts':0},{'name':'web-2','restarts':7}]}" },
	{ SUMMARY, "CPU: 12.5% of 8 cores, 15.6 GB of memory",
	    "{'cpu':{'percent':12.5,'cores':8},'memory':{'total':16750372454}}" },
	{ SUMMARY, "Sheet1: 1048576 rows max, 12 rows used",
	    "{'sheets':[{'name':'Sheet1','rows':12,'maxRows':1048576}]}" },
	{ SUMMARY, "Total: 3 files, 1 directory",
	    "{'files':['a','b','c'],'directories':['d'],'total':4}" },
	{ SUMMARY, "commit 1a2b3c4 by Alice, 2 files changed, 10 insertions(+), 4 deletions(-)",
	    "{'commit':'1a2b3c4','author':'Alice','files':['a.c'],'insertions':10,'deletions':4}" },
	{ SUMMARY, "Query returned 1000 rows (truncated)", "{'rows':[[1],[2]],'truncated':true}" },
	{ MIRROR, "[{'id': 1, 'title': 'Fix crash'}, {'id': 2, 'title': 'Add test'}]",
	    "{'issues':[{'id':1,'title':'Fix crash'},{'id':2,'title':'Add test'}]}" },
	{ SUMMARY, "Issue 12: Fix crash\nstate: open\ncomments: 3",
	    "{'number':12,'title':'Fix crash','state':'open','comments':3,'locked':false}" },
	{ SUMMARY, "page: 2\nstate: open", "{'page':1,'state':'open','x':[]}" },
	{ CONTRADICTS, "state: closed\ncomments: 41",
	    "{'number':12,'title':'Fix crash','state':'open','comments':3,'locked':false}" },
	{ SUMMARY, "Uptime: 3 days, 4 hours", "{'uptime':273600,'users':2}" },
	{ SUMMARY, "Price: 1.299,00 EUR for sku A1", "{'price':1299,'currency':'EUR','sku':'A1'}" },
	{ SUMMARY, "Size: 5.2 MB\nType: file\nName: a.iso",
	    "{'size':5452595,'type':'file','name':'a.iso'}" },
	{ SUMMARY,
	    "Paris (48.86, 2.35): 21 \xc2\xb0"
	    "C",
	    "{'city':'Paris','latitude':48.8566,'longitude':2.3522,'temperature':{'c':21.3,'f':70."
	    "3}}" },
	{ SUMMARY, "Found 2 tables. users has 5 rows.",
	    "{'tables':[{'name':'users','rows':5},{'name':'orders','rows':90}]}" },
	{ SUMMARY, "Deployed v1.2.3 to production in 42s: status OK",
	    "{'version':'v1.2.3','environment':'production','seconds':42.3,'status':'ok'}" },
	{ OTHER_JSON, "{'status':'failed','attempts':3}", "{'status':'succeeded','attempts':3}" },
	{ SUMMARY, "Updated 2 records, 0 errors",
	    "{'records':[{'id':1},{'id':2},{'id':3}],'errors':[]}" },
};

/* The id of the finding about the two parts; NULL: none. */
static const char *
judge(const char *text, const char *structured, struct buf *why)
{
	static const char *const IDS[] = { MIRROR, SUMMARY, CONTRADICTS, OTHER_JSON, UNRELATED };
	struct buf result = BUF_INIT;
	char *said = quoted(text), *is = quoted(structured);
	const char *id = NULL;

	buf_add_str(&result, "{\"content\":[{\"type\":\"text\",\"text\":");
	json_print_string(&result, said, strlen(said));
	buf_addf(&result, "}],\"structuredContent\":%s}", is);
	struct session_reply reply = { .kind = REPLY_RESULT };
	reply.doc = json_parse(buf_text(&result), result.len, NULL, NULL);
	assert_non_null(reply.doc);
	reply.value = json_root(reply.doc);
	struct call *c = call_create(1, "t", parse_quoted("{'name':'t'}"), "{}", 2, 0);
	call_take_reply(c, &reply, 1);
	call_review(c);
	for (size_t i = 0; i < c->findings.len; i++)
		for (size_t k = 0; k < ARRAY_LEN(IDS); k++)
			if (strcmp(c->findings.items[i].kind->name, IDS[k]) == 0) {
				assert_null(id);
				id = IDS[k];
				buf_addf(why, "%s %s", c->findings.items[i].pointer,
				    c->findings.items[i].text);
			}
	call_destroy(c);
	free(said);
	free(is);
	buf_finish(&result);
	return id;
}

static void
test_the_corpus(void **state)
{
	size_t wrong = 0;

	assert_true(ARRAY_LEN(CORPUS) >= 90);
	for (size_t i = 0; i < ARRAY_LEN(CORPUS); i++) {
		const struct pair *p = &CORPUS[i];
		struct buf why = BUF_INIT;
		const char *id = judge(p->text, p->structured, &why);
		if (id != p->label && !(id && p->label && strcmp(id, p->label) == 0)) {
			print_error("%s beside %s: %s, not %s (%s)\n", p->text, p->structured,
			    id ? id : "silent", p->label ? p->label : "silent", buf_text(&why));
			wrong++;
		}
		buf_finish(&why);
	}
	assert_int_equal(wrong, 0);
}

static void
assert_why(const char *text, const char *structured, const char *expected)
{
	struct buf why = BUF_INIT;

	judge(text, structured, &why);
	assert_string_equal(buf_text(&why), expected);
	buf_finish(&why);
}

static void
test_it_says_where(void **state)
{
	assert_why("Found 5 users", USERS,
	    "/structuredContent/users the text says 5 users, the array has 3");
	assert_why("humidity: 40", WEATHER,
	    "/structuredContent/humidity the text says 40, structuredContent 65");
	assert_why("{'users':[{'id':1,'name':'Al'},{'id':2},{'id':3}]}", USERS,
	    "/structuredContent/users/0/name \"Al\" in the text, \"Alice\" in structuredContent");
	assert_why("[{'id':1},{'id':9}]", "{'result':[{'id':1},{'id':2}]}",
	    "/structuredContent/result/1/id 9 in the text, 2 in structuredContent");
}

/* Deep, wide and huge texts are compared in bounded time. */
static void
test_hostile_texts(void **state)
{
	struct buf text = BUF_INIT, why = BUF_INIT;

	for (int i = 0; i < 900; i++)
		buf_add_str(&text, "[");
	for (int i = 0; i < 900; i++)
		buf_add_str(&text, "]");
	judge(buf_text(&text), "{'a':[[[[1]]]]}", &why);
	buf_clear(&text);
	buf_add_str(&text, "{");
	for (int i = 0; i < 20000; i++)
		buf_addf(&text, "%s'k%d':%d", i ? "," : "", 20000 - i, i);
	buf_add_str(&text, "}");
	judge(buf_text(&text), buf_text(&text), &why);
	buf_clear(&text);
	for (int i = 0; i < 100000; i++)
		buf_add_str(&text, "0 users no users ");
	judge(buf_text(&text), USERS, &why);
	buf_finish(&text);
	buf_finish(&why);
}

TEST_FILE(agreement)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_the_corpus),
		cmocka_unit_test(test_it_says_where),
		cmocka_unit_test(test_hostile_texts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
