/*
 * Our validator against ajv, set up as in the MCP TypeScript SDK, over seeds, the schemas of real
 * tools, changed ones, patterns and, where they are there, corpora. Each difference has to be one
 * of those explained in EXPLANATIONS. tests/interop/ajv.mjs makes the cases and asks ajv.
 */
#include "validator.h"

#include "base/buf.h"
#include "base/mem.h"
#include "base/vec.h"
#include "json/print.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#define LEAST_VALUES 3000
#define DIFFERENCES_SAID 20

/* What both sides say with formats asserted, and with formats ignored. */
enum { IGNORED, ASSERTED, MODES };

struct comparison {
	const char *from;
	const cJSON *schema;
	const char *why;  /* ajv refuses the schema; NULL: it does not */
	bool breaks_meta; /* the schema breaks its metaschema */
	struct validator by[MODES];

	const cJSON *value; /* NULL while the schema alone is compared */
	enum validity ours[MODES], theirs[MODES];
	const cJSON *keywords[MODES]; /* of ajv's errors; a string: what it threw */
	int mode;                     /* the one they differ in */
};

/* ---- looking at a case ---- */

static bool
has(const cJSON *schema, const char *keyword)
{
	for (const cJSON *c = json_first(schema); c; c = c->next)
		if ((c->string && strcmp(c->string, keyword) == 0) || has(c, keyword))
			return true;
	return false;
}

static bool
ajv_names(const struct comparison *c, const char *keyword)
{
	for (const cJSON *k = json_first(c->keywords[c->mode]); k; k = k->next)
		if (strcmp(json_string(k), keyword) == 0)
			return true;
	return false;
}

static bool
is_between(const struct comparison *c, enum validity ours, enum validity theirs)
{
	return c->ours[c->mode] == ours && c->theirs[c->mode] == theirs;
}

/* ---- the differences there are ---- */

/* "a validator SHOULD ignore other keywords": draft-07 section 8.3. */
static bool
has_siblings_of_ref(const cJSON *schema)
{
	if (json_get(schema, "$ref") && json_count(schema) > 1)
		return true;
	for (const cJSON *m = json_first(schema); m; m = m->next)
		if (has_siblings_of_ref(m))
			return true;
	return false;
}

static bool
is_sibling_of_ref(const struct comparison *c)
{
	return c->by[0].planned && schema_draft(c->by[0].planned) <= SCHEMA_DRAFT_07 &&
	       has_siblings_of_ref(c->schema);
}

static bool
is_multiple(const struct comparison *c)
{
	return is_between(c, IS_VALID, IS_INVALID) && ajv_names(c, "multipleOf");
}

/* The parser keeps the text of a number that no double holds. */
static bool
has_inexact(const cJSON *node)
{
	if (json_type(node) == JSON_NUMBER)
		return node->valuestring != NULL;
	for (const cJSON *m = json_first(node); m; m = m->next)
		if (has_inexact(m))
			return true;
	return false;
}

static bool
is_rounded(const struct comparison *c)
{
	return c->value && (has_inexact(c->value) || has_inexact(c->schema));
}

static bool
is_nullable(const struct comparison *c)
{
	return has(c->schema, "nullable");
}

static bool
is_inherited(const struct comparison *c)
{
	struct buf text = BUF_INIT;

	json_print(&text, c->schema);
	bool named = strstr(buf_text(&text), "\"toString\"") != NULL;
	buf_finish(&text);
	return c->value &&
	       (named || (has(c->schema, "unevaluatedProperties") && has(c->value, "toString")));
}

static bool
is_id(const struct comparison *c)
{
	return c->why && strncmp(c->why, "NOT SUPPORTED: keyword \"id\"", 27) == 0;
}

static bool
is_endless(const struct comparison *c)
{
	return json_string(c->keywords[c->mode]) != NULL;
}

static bool
is_broken(const struct comparison *c)
{
	return c->ours[c->mode] == IS_REFUSED && c->breaks_meta;
}

static bool
is_pattern(const struct comparison *c)
{
	return c->why && strncmp(c->why, "Invalid regular expression", 26) == 0;
}

static bool
is_dialect(const struct comparison *c)
{
	return c->why && strncmp(c->why, "unsupported dialect", 19) == 0;
}

static bool
is_empty_enum(const struct comparison *c)
{
	return c->why && strcmp(c->why, "enum must have non-empty array") == 0;
}

static bool
is_dangling(const struct comparison *c)
{
	return c->why ? strncmp(c->why, "can't resolve reference", 23) == 0
		      : is_between(c, IS_UNDECIDED, IS_VALID) && has(c->schema, "$ref");
}

static bool
is_contained(const struct comparison *c)
{
	return has(c->schema, "contains") && has(c->schema, "unevaluatedItems");
}

/* All that is wrong is that an empty array does not contain something. */
static bool
is_stale(const struct comparison *c)
{
	if (!is_between(c, IS_INVALID, IS_VALID))
		return false;
	struct report *r = schema_check(c->by[c->mode].planned, c->value, NULL);
	bool all = report_facts(r)->kept > 0;
	for (size_t i = 0; i < report_facts(r)->kept; i++)
		all = all && strcmp(report_at(r, i)->keyword, "contains") == 0 &&
		      json_count(report_at(r, i)->node) == 0;
	report_destroy(r);
	return all;
}

static bool
is_format(const struct comparison *c)
{
	return c->mode == ASSERTED && has(c->schema, "format");
}

/* In this order, the first that applies. */
static struct explanation {
	const char *reason;
	bool (*applies)(const struct comparison *c);
	size_t times;
} explanations[] = {
	{ "draft-07: ajv evaluates what stands beside $ref", is_sibling_of_ref, 0 },
	{ "ajv refuses a schema with a member id, which means nothing since draft-06", is_id, 0 },
	{ "ajv follows references in circles until its stack is used up", is_endless, 0 },
	{ "the schema breaks its metaschema; ajv is told not to look", is_broken, 0 },
	{ "a dialect that the SDK has no validator for", is_dialect, 0 },
	{ "an empty enum is allowed since draft-06 (SHOULD NOT); ajv refuses it", is_empty_enum,
	    0 },
	{ "a pattern of another syntax: not checked here, refused by ajv", is_pattern, 0 },
	{ "a $ref that leads nowhere is refused by ajv where it looks at it", is_dangling, 0 },
	{ "after contains ajv takes all items as evaluated, or none (minContains 0)", is_contained,
	    0 },
	{ "contains over an empty array: ajv keeps the answer of the row before", is_stale, 0 },
	{ "nullable (of OpenAPI) is a keyword to ajv", is_nullable, 0 },
	{ "ajv divides by multipleOf in floating point", is_multiple, 0 },
	{ "JSON.parse rounds numbers that no double holds", is_rounded, 0 },
	{ "ajv finds members that every JavaScript object inherits", is_inherited, 0 },
	{ "formats: ajv-formats asks for more, for less, or knows a name of its own", is_format,
	    0 },
};

static struct explanation *
explain(const struct comparison *c)
{
	for (size_t i = 0; i < ARRAY_LEN(explanations); i++)
		if (explanations[i].applies(c))
			return &explanations[i];
	return NULL;
}

/* ---- comparing ---- */

struct tally {
	size_t schemas, values, differences, unexplained;
};

static void
tell(const struct comparison *c)
{
	static const char *const WORDS[] = {
		[IS_INVALID] = "invalid",
		[IS_VALID] = "valid",
		[IS_UNDECIDED] = "undecided",
		[IS_REFUSED] = "refused",
		[IS_INCONSISTENT] = "various",
	};
	struct buf line = BUF_INIT;

	buf_addf(&line, "  %s: formats %s: %s here, %s to ajv ", c->from,
	    c->mode == ASSERTED ? "asserted" : "ignored", WORDS[c->ours[c->mode]],
	    WORDS[c->theirs[c->mode]]);
	if (c->keywords[c->mode])
		json_print_brief(&line, c->keywords[c->mode], 100);
	buf_addf(&line, " %s%s\n    ", c->why ? c->why : "", c->by[0].problem.text);
	json_print_brief(&line, c->schema, 1500);
	buf_add_str(&line, "\n    ");
	if (c->value)
		json_print_brief(&line, c->value, 600);
	puts(buf_text(&line));
	buf_finish(&line);
}

static void
compare(struct comparison *c, struct tally *t)
{
	for (c->mode = 0; c->mode < MODES; c->mode++) {
		assert_int_not_equal(c->ours[c->mode], IS_INCONSISTENT);
		if (c->ours[c->mode] == c->theirs[c->mode])
			continue;
		struct explanation *e = explain(c);
		t->differences++;
		if (e)
			e->times++;
		else if (t->unexplained++ < DIFFERENCES_SAID)
			tell(c);
		return; /* what differs without formats may differ with them */
	}
}

static void
drop_schema(struct comparison *c)
{
	for (int m = 0; m < MODES; m++)
		validator_finish(&c->by[m]);
	*c = (struct comparison){ 0 };
}

static void
take_schema(struct comparison *c, const cJSON *line, struct tally *t)
{
	struct schema_options options = { 0 };
	struct schema_library *library = schema_library_create();

	drop_schema(c);
	c->from = json_get_string(line, "from");
	c->schema = json_get(line, "schema");
	c->why = json_get_string(line, "why");
	for (int m = 0; m < MODES; m++) {
		options.format = m == ASSERTED ? SCHEMA_FORMAT_ASSERTS : SCHEMA_FORMAT_IGNORED;
		validator_init(&c->by[m], c->schema, &options);
		c->ours[m] = c->by[m].planned ? IS_VALID : IS_REFUSED;
		c->theirs[m] = c->why ? IS_REFUSED : IS_VALID;
	}
	struct report *review = schema_review(library, c->schema, NULL, NULL);
	c->breaks_meta = review && report_facts(review)->outcome == SCHEMA_INVALID;
	report_destroy(review);
	schema_library_destroy(library);
	t->schemas++;
	compare(c, t);
}

static enum validity
ajv_validity(const cJSON *keywords)
{
	if (json_type(keywords) != JSON_ARRAY)
		return IS_UNDECIDED;
	return json_count(keywords) == 0 ? IS_VALID : IS_INVALID;
}

static void
take_value(struct comparison *c, const cJSON *line, struct tally *t)
{
	c->value = json_get(line, "value");
	c->keywords[ASSERTED] = json_get(line, "asserted");
	c->keywords[IGNORED] = json_get(line, "ignored");
	for (int m = 0; m < MODES; m++) {
		c->ours[m] = validate(&c->by[m], c->value);
		c->theirs[m] = ajv_validity(c->keywords[m]);
	}
	t->values++;
	if (c->by[0].planned)
		compare(c, t);
}

static void
compare_lines(FILE *lines, struct tally *t)
{
	struct comparison c = { 0 };
	struct json_doc *schema_doc = NULL;
	char *line = NULL;
	size_t cap = 0;
	ssize_t len;

	while ((len = getline(&line, &cap, lines)) > 0) {
		struct json_doc *doc = json_parse(line, (size_t)len, NULL, NULL);
		if (!doc)
			fail_msg("no JSON: %s", line);
		if (json_get(json_root(doc), "schema")) {
			take_schema(&c, json_root(doc), t);
			json_doc_destroy(schema_doc);
			schema_doc = doc;
		} else {
			take_value(&c, json_root(doc), t);
			json_doc_destroy(doc);
		}
	}
	drop_schema(&c);
	json_doc_destroy(schema_doc);
	free(line);
}

static void
test_every_difference_is_explained(void **state)
{
	struct tally t = { 0 };

	compare_lines(*state, &t);
	printf("%zu schemas, %zu values, %zu differences:\n", t.schemas, t.values, t.differences);
	for (size_t i = 0; i < ARRAY_LEN(explanations); i++)
		printf("%6zu %s\n", explanations[i].times, explanations[i].reason);
	assert_true(t.values >= LEAST_VALUES);
	assert_int_equal(t.unexplained, 0);
}

/* Everything the script prints, to a file: ajv is not to wait for us. Its exit status. */
static int
ask_ajv(FILE *answers)
{
	FILE *script = popen("sh tests/interop/ajv.sh", "r");
	char bytes[4096];
	size_t n;

	while (script && (n = fread(bytes, 1, sizeof(bytes), script)) > 0)
		fwrite(bytes, 1, n, answers);
	rewind(answers);
	int status = script ? pclose(script) : -1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST_FILE(ajv)
{
	FILE *answers = tmpfile();
	int status = answers ? ask_ajv(answers) : -1;
	char why[256] = "";

	if (status != 0) {
		if (answers && !fgets(why, sizeof(why), answers))
			why[0] = '\0';
		printf("%s: %s\n",
		    status == 77 ? "SKIPPED: NO COMPARISON WITH AJV" : "ajv.sh failed", why);
		return status == 77 ? 77 : 1;
	}
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_prestate(test_every_difference_is_explained, answers),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);
	fclose(answers);
	return failed;
}
