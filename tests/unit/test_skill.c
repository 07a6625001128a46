/* SPDX-License-Identifier: MIT */
#include "base/vec.h"
#include "mcp/skill.h"
#include "quoted.h"
#include "test.h"

#include <string.h>

#define D "sha256:0000000000000000000000000000000000000000000000000000000000000000"
#define FRONT "'frontmatter':{'name':'n','description':'d'}"
#define SELF "{'uri':'s://x/n/SKILL.md','digest':'" D "','size':1}"
#define ENTRY(files) "{'uri':'s://x/n/SKILL.md'," FRONT ",'resources':" files "}"

/* Defects of an entry; an unusable entry is never read. */
static const struct {
	const char *json, *problem;
	bool unusable;
} entries[] = {
	{ ENTRY("[" SELF "]"), "", false },
	{ ENTRY("'dynamic'"), "", false },
	{ ENTRY("'other'"), "resources must be an array or \"dynamic\"", true },
	{ "{'uri':'s://x/n/SKILL.md'," FRONT "}", "resources must be an array or \"dynamic\"",
	    true },
	{ ENTRY("[]"), "resources does not list its SKILL.md", true },
	{ ENTRY("[" SELF "," SELF "]"), "resources lists a file twice", true },
	{ ENTRY("[" SELF ",{}]"), "resources/1 has no uri", true },
	{ ENTRY("[" SELF ",{'uri':'s://x/other/a'}]"),
	    "resources/1 is not in the folder of the skill", true },
	{ ENTRY("[" SELF ",{'uri':'s://x/n/../m/a'}]"),
	    "resources/1 is not in the folder of the skill", true },
	{ ENTRY("[" SELF ",{'uri':'s://x/n/a/%2E%2e/b'}]"),
	    "resources/1 is not in the folder of the skill", true },
	{ ENTRY("[" SELF ",{'uri':'s://x/n/a\\u001bb'}]"),
	    "resources/1 is not in the folder of the skill", true },
	{ ENTRY("[" SELF ",{'uri':'s://x/n/a','digest':'sha256:00','size':1}]"),
	    "resources/1: its digest is not sha256: and 64 digits", false },
	{ ENTRY("[" SELF ",{'uri':'s://x/n/a','digest':'" D "','size':-1}]"),
	    "resources/1: its size is not a number of bytes", false },
	{ ENTRY("[" SELF ",{'uri':'s://x/n/a','digest':'" D "','size':16777216}]"),
	    "its files are larger than 16 MiB", true },
	{ "{'uri':'s://x/n/SKILL.md','frontmatter':3,'resources':'dynamic'}",
	    "frontmatter must be an object, but is of type number", true },
	{ "{'uri':'s://x/n/SKILL.md','frontmatter':{'name':'n'},'resources':'dynamic'}",
	    "the skill has no description", false },
	{ "{'uri':'s://x/m/SKILL.md'," FRONT ",'resources':'dynamic'}",
	    "the folder in its uri is not its name", false },
	{ "{'uri':'s://x/n/skill.md'," FRONT ",'resources':'dynamic'}",
	    "the uri does not end with /SKILL.md", false },
	{ "{'uri':'s://x/A--b/SKILL.md','frontmatter':{'name':'A--b','description':'d'},"
	  "'resources':'dynamic'}",
	    "its name breaks the rules: a-z, 0-9 and single hyphens", false },
	{ "{" FRONT ",'resources':'dynamic'}", "the skill has no uri", false },
};

static void
test_entries(void **state)
{
	for (size_t i = 0; i < ARRAY_LEN(entries); i++) {
		struct primitive p;
		struct json_doc *doc = parse_quoted(entries[i].json);
		primitive_decode(&p, PRIMITIVE_SKILL, doc, json_root(doc));
		if (strcmp(p.problem, entries[i].problem) != 0 || p.unusable != entries[i].unusable)
			fail_msg("%s: %s", entries[i].json, p.problem);
		assert_int_equal(p.broken, p.problem[0] != '\0');
		json_doc_destroy(doc);
	}
}

static void
test_too_many_files(void **state)
{
	struct buf json = BUF_INIT;
	struct primitive p;

	buf_add_str(&json, "{'uri':'s://x/n/SKILL.md'," FRONT ",'resources':[" SELF);
	for (int i = 0; i < SKILL_FILES_MAX; i++)
		buf_addf(&json, ",{'uri':'s://x/n/%d','digest':'" D "','size':1}", i);
	buf_add_str(&json, "]}");
	struct json_doc *doc = parse_quoted(buf_text(&json));
	primitive_decode(&p, PRIMITIVE_SKILL, doc, json_root(doc));
	assert_true(p.unusable);
	assert_string_equal(p.problem, "it has 513 files, more than 512");
	json_doc_destroy(doc);
	buf_finish(&json);
}

/* ---- reading ---- */

static void
make_entry(struct buf *json, const char *frontmatter, const char *text, const char *shift)
{
	struct sha256 all;
	char hex[SHA256_HEX];

	sha256_init(&all);
	sha256_add(&all, text, strlen(text));
	sha256_end_hex(&all, hex);
	if (*shift)
		hex[0] = hex[0] == '0' ? '1' : '0';
	buf_addf(json,
	    "{'uri':'s://x/n/SKILL.md','frontmatter':%s,'resources':[{'uri':'s://x/n/SKILL.md',"
	    "'digest':'sha256:%s','size':%zu}]}",
	    frontmatter, hex, strlen(text));
}

static const struct {
	const char *frontmatter, *text, *sent; /* announced, and in the result; NULL: the text */
	const char *shift;                     /* "x": another digest */
	enum skill_state state;
	const char *why;
} reads[] = {
	{ "{'name':'n','description':'d'}", "---\nname: n\ndescription: d\n---\nbody\n", NULL, "",
	    SKILL_VERIFIED, "size and digest are those of the entry" },
	{ "{'description':'d','name':'n','x':[1.0,null]}",
	    "--- \r\nname: n\r\nx: [1, ~]\r\ndescription: d\r\n---\r\n", NULL, "", SKILL_VERIFIED,
	    "size and digest are those of the entry" },
	{ "{'name':'n','description':'d'}", "---\nname: n\ndescription: d\n---\nbody\n", NULL, "x",
	    SKILL_FAILED, "its digest is sha256:" },
	{ "{'name':'n','description':'d'}", "---\nname: n\ndescription: d\n---\nbody\n",
	    "---\nname: n\ndescription: d\n---\nbody 2\n", "", SKILL_FAILED,
	    "it has 38 bytes, the entry announces 36" },
	{ "{'name':'n','description':'e'}", "---\nname: n\ndescription: d\n---\n", NULL, "",
	    SKILL_FAILED, "its frontmatter differs from the entry: description" },
	{ "{'name':'n','description':'d'}",
	    "---\nname: n\ndescription: d\nallowed-tools: Bash\n---\n", NULL, "", SKILL_FAILED,
	    "its frontmatter differs from the entry: allowed-tools" },
	{ "{'name':'n','description':'d','license':null}", "---\nname: n\ndescription: d\n---\n",
	    NULL, "", SKILL_FAILED, "its frontmatter differs from the entry: license" },
	{ "{'name':'n','description':'d'}", "name: n\ndescription: d\n", NULL, "", SKILL_FAILED,
	    "it does not begin with frontmatter between lines of ---" },
	{ "{'name':'n','description':'d'}", "---\nname: n\ndescription: d\n", NULL, "",
	    SKILL_FAILED, "it does not begin with frontmatter between lines of ---" },
	{ "{'name':'n','description':'d'}", "---\n- n\n---\n", NULL, "", SKILL_FAILED,
	    "its frontmatter is of type array" },
	{ "{'name':'n','description':'d'}", "---\nname: [n\n---\n", NULL, "", SKILL_FAILED,
	    "its frontmatter is not read: line" },
};

static void
test_reads(void **state)
{
	for (size_t i = 0; i < ARRAY_LEN(reads); i++) {
		struct buf entry = BUF_INIT;
		struct result result;
		struct skill_check check;
		const char *sent = reads[i].sent ? reads[i].sent : reads[i].text;
		cJSON *value = cJSON_CreateObject(), *contents = cJSON_CreateArray(),
		      *block = cJSON_CreateObject();

		make_entry(&entry, reads[i].frontmatter, reads[i].text, reads[i].shift);
		struct json_doc *held = parse_quoted(buf_text(&entry));
		cJSON_AddStringToObject(block, "uri", "s://x/n/SKILL.md");
		cJSON_AddStringToObject(block, "text", sent);
		cJSON_AddItemToArray(contents, block);
		cJSON_AddItemToObject(value, "contents", contents);
		char *text = cJSON_PrintUnformatted(value);
		struct json_doc *doc = json_parse(text, strlen(text), NULL, NULL);
		result_init_of(&result, PRIMITIVE_SKILL, doc, json_root(doc));
		skill_verify(&check, json_root(held), "s://x/n/SKILL.md", &result);
		if (check.state != reads[i].state ||
		    strncmp(check.text, reads[i].why, strlen(reads[i].why)) != 0)
			fail_msg("%zu: %d %s", i, check.state, check.text);
		result_finish(&result);
		json_doc_destroy(doc);
		json_doc_destroy(held);
		cJSON_free(text);
		cJSON_Delete(value);
		buf_finish(&entry);
	}
}

/* Answers that are not the file. */
static void
test_other_answers(void **state)
{
	static const char *const rows[][2] = {
		{ "{'contents':[]}", "the answer is not this file and nothing else" },
		{ "{'contents':[{'uri':'s://x/n/other','text':''}]}",
		    "the answer is not this file and nothing else" },
		{ "{'contents':[{'uri':'s://x/n/SKILL.md','text':''},{'uri':'a','text':''}]}",
		    "the answer is not this file and nothing else" },
		{ "{'contents':[{'uri':'s://x/n/SKILL.md','blob':'***'}]}",
		    "it has neither text nor data" },
		{ "{'contents':[{'uri':'s://x/n/SKILL.md','blob':'YWI='}]}",
		    "it has 2 bytes, the entry announces 1" },
		{ "{'contents':[{'uri':'s://x/n/SKILL.md','text':'\\u0000'}]}", "its digest is" },
		{ "{}", "the answer is not this file and nothing else" },
	};
	struct json_doc *held = parse_quoted(ENTRY("[" SELF "]"));

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct skill_check check;
		struct result result;
		struct json_doc *doc = parse_quoted(rows[i][0]);
		result_init_of(&result, PRIMITIVE_SKILL, doc, json_root(doc));
		skill_verify(&check, json_root(held), "s://x/n/SKILL.md", &result);
		assert_int_equal(check.state, SKILL_FAILED);
		assert_memory_equal(check.text, rows[i][1], strlen(rows[i][1]));
		result_finish(&result);
		json_doc_destroy(doc);
	}
	json_doc_destroy(held);
}

static void
test_names_of_files(void **state)
{
	static const struct {
		const char *name, *uri, *why;
	} rows[] = {
		{ "SKILL.md", "s://x/n/SKILL.md", "" },
		{ "./", "s://x/n", "" },
		{ "a/b/", "s://x/n/a/b", "" },
		{ "other", NULL, "the skill does not list other" },
		{ "../SKILL.md", NULL, "../SKILL.md leads out of the skill" },
		{ "/etc/passwd", NULL, "/etc/passwd leads out of the skill" },
		{ "a/../../b/", NULL, "a/../../b/ leads out of the skill" },
		{ "a?b", NULL, "a?b leads out of the skill" },
		{ "", NULL, " leads out of the skill" },
	};
	struct json_doc *doc = parse_quoted(ENTRY("[" SELF "]"));
	struct primitive p;

	primitive_decode(&p, PRIMITIVE_SKILL, doc, json_root(doc));
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct buf uri = BUF_INIT;
		struct err err = { "" };
		assert_int_equal(skill_add_uri(&p, rows[i].name, &uri, &err), rows[i].uri != NULL);
		assert_string_equal(err.text, rows[i].why);
		if (rows[i].uri)
			assert_string_equal(buf_text(&uri), rows[i].uri);
		buf_finish(&uri);
	}
	json_doc_destroy(doc);
}

/* A consent is bound to every URI and digest. */
static void
test_set_digest(void **state)
{
	static const char *const others[] = {
		ENTRY("[" SELF "]"),
		ENTRY("[" SELF ",{'uri':'s://x/n/a','digest':'" D "','size':1}]"),
		ENTRY("[" SELF ",{'uri':'s://x/n/b','digest':'" D "','size':1}]"),
		ENTRY(
		    "[{'uri':'s://x/n/SKILL.md','size':1,'digest':"
		    "'sha256:1000000000000000000000000000000000000000000000000000000000000000'}]"),
	};
	char hex[ARRAY_LEN(others)][SHA256_HEX];
	struct primitive p;

	for (size_t i = 0; i < ARRAY_LEN(others); i++) {
		struct json_doc *doc = parse_quoted(others[i]);
		primitive_decode(&p, PRIMITIVE_SKILL, doc, json_root(doc));
		assert_true(skill_set_digest(&p, hex[i]));
		for (size_t k = 0; k < i; k++)
			assert_string_not_equal(hex[i], hex[k]);
		json_doc_destroy(doc);
	}
	struct json_doc *doc = parse_quoted(ENTRY("'dynamic'"));
	primitive_decode(&p, PRIMITIVE_SKILL, doc, json_root(doc));
	assert_false(skill_set_digest(&p, hex[0]));
	json_doc_destroy(doc);
}

TEST_FILE(skill)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_entries),
		cmocka_unit_test(test_too_many_files),
		cmocka_unit_test(test_reads),
		cmocka_unit_test(test_other_answers),
		cmocka_unit_test(test_names_of_files),
		cmocka_unit_test(test_set_digest),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
