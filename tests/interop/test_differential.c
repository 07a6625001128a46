/* SPDX-License-Identifier: MIT */
/*
 * Our validator against others: ajv, set up as in the MCP TypeScript SDK, and the crate jsonschema,
 * over seeds, the schemas of real tools, changed ones, patterns and, if they are there, corpora and
 * the official suite. Each difference has to be one of those that `explanations` lists.
 * tests/interop/differential.sh makes the cases and asks. PAIRS=N goes on by chance up to N pairs,
 * others with each SEED=N.
 */
#include "validator.h"

#include "base/buf.h"
#include "base/mem.h"
#include "base/vec.h"
#include "json/print.h"
#include "schema/findings.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#define LEAST_VALUES 3000
#define DIFFERENCES_SAID 20
#define WHOLE_BYTES 20000 /* of a schema or value that is said */

enum peer { AJV, AJV_FORMATS, RUST, PEERS };
#define BOTH_AJV (1u << AJV | 1u << AJV_FORMATS)
#define ALL_PEERS (BOTH_AJV | 1u << RUST)
static const char *const PEER_NAMES[] = {
	[AJV] = "ajv",
	[AJV_FORMATS] = "ajv with formats",
	[RUST] = "jsonschema-rs",
};

/* What we and a peer say. */
struct comparison {
	struct schema_library *library; /* for metaschemas */
	const char *from;
	const cJSON *schema;
	const char *why;             /* ajv refuses the schema; NULL: it does not */
	bool breaks_meta;            /* the schema breaks its metaschema */
	struct validator by, strict; /* strict: with formats asserted */

	const cJSON *value; /* NULL while the schema alone is compared */
	enum validity ours[PEERS], theirs[PEERS];
	const cJSON *keywords[PEERS]; /* of ajv's errors; a string: what it threw */
	unsigned asked;               /* a mask of enum peer */
	enum peer peer;               /* the one that differs */
	bool told;
};

static const struct validator *
ours(const struct comparison *c, enum peer peer)
{
	return peer == AJV_FORMATS ? &c->strict : &c->by;
}

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
	for (const cJSON *k = json_first(c->keywords[c->peer]); k; k = k->next)
		if (strcmp(cJSON_GetStringValue(k), keyword) == 0)
			return true;
	return false;
}

static bool
is_between(const struct comparison *c, enum validity ours, enum validity theirs)
{
	return c->ours[c->peer] == ours && c->theirs[c->peer] == theirs;
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
	return c->by.planned && schema_draft(c->by.planned) <= SCHEMA_DRAFT_07 &&
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
		return node->type & cJSON_IsReference;
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
	return c->why ? strncmp(c->why, "Maximum call stack", 18) == 0
		      : cJSON_GetStringValue(c->keywords[c->peer]) != NULL;
}

static bool
is_broken(const struct comparison *c)
{
	return c->breaks_meta && is_between(c, IS_REFUSED, IS_VALID);
}

static bool
is_checked(const struct comparison *c)
{
	return c->breaks_meta && is_between(c, IS_VALID, IS_REFUSED);
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
	return c->why && strncmp(c->why, "can't resolve reference", 23) == 0;
}

/* Our reasons for what the crate decides or refuses. */
static bool
is_because(const struct comparison *c, const char *words)
{
	struct schema_findings findings = { 0 };
	bool found = false;

	schema_find(&findings, c->schema, &(struct schema_options){ .library = c->library });
	for (size_t i = 0; i < findings.len; i++)
		found |= strstr(findings.items[i].text, words) != NULL;
	schema_findings_finish(&findings);
	for (int plain = 0; c->value && plain < 2; plain++) {
		struct report *r =
		    schema_check(plain ? c->by.plain : c->by.planned, c->value, NULL);
		for (size_t i = 0; i < report_facts(r)->unchecked_count; i++)
			found |= strstr(report_facts(r)->unchecked[i], words) != NULL;
		report_destroy(r);
	}
	return found;
}

static bool
is_nowhere(const struct comparison *c)
{
	return (c->ours[c->peer] == IS_UNDECIDED || is_between(c, IS_VALID, IS_REFUSED)) &&
	       is_because(c, " lead");
}

static bool
is_hidden(const struct comparison *c)
{
	return is_between(c, IS_VALID, IS_REFUSED) && is_sibling_of_ref(c);
}

static bool
is_metaschema(const struct comparison *c)
{
	struct buf text = BUF_INIT;

	json_print(&text, c->schema);
	bool named = strstr(buf_text(&text), "\"$ref\":\"http://json-schema.org/") ||
		     strstr(buf_text(&text), "\"$ref\":\"https://json-schema.org/");
	buf_finish(&text);
	return named && is_between(c, IS_VALID, IS_REFUSED);
}

static bool
is_contained_2019(const struct comparison *c)
{
	return c->by.planned && schema_draft(c->by.planned) == SCHEMA_DRAFT_2019_09 &&
	       has(c->schema, "contains") && has(c->schema, "unevaluatedItems");
}

static bool
has_pattern(const struct comparison *c)
{
	return has(c->schema, "pattern") || has(c->schema, "patternProperties");
}

/* A refusal only: verdicts about patterns are compared. */
static bool
is_refused_pattern(const struct comparison *c)
{
	return is_between(c, IS_VALID, IS_REFUSED) && has_pattern(c);
}

/* ECMA-262: \b knows ASCII letters, and . excludes U+2028. */
static bool
is_unicode_pattern(const struct comparison *c)
{
	struct buf text = BUF_INIT;
	bool found = false;

	if (c->value && has_pattern(c))
		json_print(&text, c->value);
	for (size_t i = 0; i < text.len; i++)
		found |= (unsigned char)text.data[i] >= 0x80;
	buf_finish(&text);
	return found;
}

/* Our switches say what the crate says. */
static bool
is_switched(const struct comparison *c)
{
	const struct schema_options options = { .format = SCHEMA_FORMAT_IGNORED,
		.strict_integers = true };
	struct validator by;

	if (!c->value)
		return false;
	validator_init(&by, c->schema, &options);
	bool same = validate(&by, c->value) == c->theirs[c->peer];
	validator_finish(&by);
	return same;
}

static bool
is_unknown_dialect(const struct comparison *c)
{
	return is_because(c, "unknown dialect");
}

static bool
is_circular(const struct comparison *c)
{
	return c->ours[c->peer] == IS_UNDECIDED && is_because(c, "leads back to itself");
}

static bool
is_too_large(const struct comparison *c)
{
	return c->ours[c->peer] == IS_UNDECIDED && has_pattern(c) && is_because(c, "not supported");
}

static bool
has_unevaluated(const struct comparison *c)
{
	return has(c->schema, "unevaluatedProperties") || has(c->schema, "unevaluatedItems");
}

/* The SDK checks draft-06 by the engine of draft-07. */
static bool
is_later(const struct comparison *c)
{
	return c->by.planned && schema_draft(c->by.planned) == SCHEMA_DRAFT_06 &&
	       has(c->schema, "if");
}

static bool
is_dynamic(const struct comparison *c)
{
	return has(c->schema, "$dynamicRef") || has(c->schema, "$dynamicAnchor") ||
	       has(c->schema, "$recursiveRef");
}

/* $dynamicRef came with 2020-12. */
static bool
is_dynamic_2019(const struct comparison *c)
{
	return is_between(c, IS_VALID, IS_REFUSED) && c->by.planned &&
	       schema_draft(c->by.planned) == SCHEMA_DRAFT_2019_09 && has(c->schema, "$dynamicRef");
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
	struct report *r = schema_check(ours(c, c->peer)->planned, c->value, NULL);
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
	return has(c->schema, "format");
}

/* In this order, the first that applies. */
static struct explanation {
	unsigned peers;
	const char *reason;
	bool (*applies)(const struct comparison *c);
	size_t times;
} explanations[] = {
	{ BOTH_AJV, "draft-07: ajv evaluates what stands beside $ref", is_sibling_of_ref, 0 },
	{ BOTH_AJV, "ajv refuses a schema with a member id, which means nothing since draft-06",
	    is_id, 0 },
	{ BOTH_AJV, "ajv follows references in circles until its stack is used up", is_endless, 0 },
	{ BOTH_AJV, "the schema breaks its metaschema; ajv is told not to look", is_broken, 0 },
	{ 1u << RUST, "a schema breaks its metaschema in a way that harms nothing", is_checked, 0 },
	{ ALL_PEERS, "a $ref that leads nowhere, or to an $id where no keyword holds schemas",
	    is_nowhere, 0 },
	{ ALL_PEERS, "a pattern too large for the automaton, with look-behinds PCRE2 does not know",
	    is_too_large, 0 },
	{ 1u << RUST, "draft-07: the schema is refused for what $ref hides", is_hidden, 0 },
	{ 1u << RUST, "2019-09: $dynamicRef, which means nothing there, is resolved",
	    is_dynamic_2019, 0 },
	{ 1u << RUST, "references in circles hold", is_circular, 0 },
	{ 1u << RUST, "an unknown dialect is read as 2020-12", is_unknown_dialect, 0 },
	{ 1u << RUST, "its regex engine refuses the pattern", is_refused_pattern, 0 },
	{ 1u << RUST, "patterns: by Unicode, not ECMA-262", is_unicode_pattern, 0 },
	{ 1u << RUST, "draft-04: 1.0 and 1e21 are not integers", is_switched, 0 },
	{ 1u << RUST, "a $ref to the metaschema of another draft is refused", is_metaschema, 0 },
	{ 1u << RUST, "2019-09: contains evaluates items, as since 2020-12", is_contained_2019, 0 },
	{ BOTH_AJV, "draft-06 by the engine of draft-07, which knows if", is_later, 0 },
	{ BOTH_AJV, "ajv resolves $dynamicRef and $recursiveRef in its own way", is_dynamic, 0 },
	{ BOTH_AJV, "a dialect that the SDK has no validator for", is_dialect, 0 },
	{ BOTH_AJV, "an empty enum is allowed since draft-06 (SHOULD NOT); ajv refuses it",
	    is_empty_enum, 0 },
	{ BOTH_AJV, "a pattern of another syntax: not checked here, refused by ajv", is_pattern,
	    0 },
	{ BOTH_AJV, "a $ref that $ref hides, or of a hidden base, leads nowhere to ajv",
	    is_dangling, 0 },
	{ BOTH_AJV, "after contains ajv takes all items as evaluated, or none (minContains 0)",
	    is_contained, 0 },
	{ BOTH_AJV, "ajv decides what is evaluated without the value", has_unevaluated, 0 },
	{ BOTH_AJV, "contains over an empty array: ajv keeps the answer of the row before",
	    is_stale, 0 },
	{ BOTH_AJV, "nullable (of OpenAPI) is a keyword to ajv", is_nullable, 0 },
	{ BOTH_AJV, "ajv divides by multipleOf in floating point", is_multiple, 0 },
	{ BOTH_AJV, "JSON.parse rounds numbers that no double holds", is_rounded, 0 },
	{ BOTH_AJV, "ajv finds members that every JavaScript object inherits", is_inherited, 0 },
	{ 1u << AJV_FORMATS,
	    "formats: ajv-formats asks for more, for less, or knows a name of its own", is_format,
	    0 },
};

static struct explanation *
explain(const struct comparison *c)
{
	for (size_t i = 0; i < ARRAY_LEN(explanations); i++)
		if (explanations[i].peers >> c->peer & 1 && explanations[i].applies(c))
			return &explanations[i];
	return NULL;
}

/* ---- comparing ---- */

struct tally {
	size_t schemas, values, differences, unexplained, told;
	struct schema_library *library;
};

/* One for each schema. */
static bool
tell(const struct comparison *c, struct tally *t)
{
	static const char *const WORDS[] = {
		[IS_INVALID] = "invalid",
		[IS_VALID] = "valid",
		[IS_UNDECIDED] = "undecided",
		[IS_REFUSED] = "refused",
		[IS_INCONSISTENT] = "various",
	};
	struct buf line = BUF_INIT;

	if (t->told++ >= DIFFERENCES_SAID)
		return true;
	buf_addf(&line, "  %s: %s here, %s to %s ", c->from, WORDS[c->ours[c->peer]],
	    WORDS[c->theirs[c->peer]], PEER_NAMES[c->peer]);
	if (c->keywords[c->peer])
		json_print_brief(&line, c->keywords[c->peer], 100);
	buf_addf(&line, " %s%s\n    ", c->why ? c->why : "", c->by.problem.text);
	json_print_brief(&line, c->schema, WHOLE_BYTES);
	buf_add_str(&line, "\n    ");
	if (c->value)
		json_print_brief(&line, c->value, WHOLE_BYTES);
	puts(buf_text(&line));
	buf_finish(&line);
	return true;
}

static void
compare(struct comparison *c, struct tally *t)
{
	for (c->peer = 0; c->peer < PEERS; c->peer++) {
		if (!(c->asked >> c->peer & 1))
			continue;
		if (c->ours[c->peer] == c->theirs[c->peer])
			continue;
		struct explanation *e = c->ours[c->peer] == IS_INCONSISTENT ? NULL : explain(c);
		t->differences++;
		if (e)
			e->times++;
		else if (t->unexplained++ == 0 || !c->told)
			c->told = tell(c, t);
		if (c->peer == AJV)
			c->peer++; /* what differs without formats may differ with them */
	}
}

static enum validity
validity_of_letter(char letter)
{
	return letter == 'v'   ? IS_VALID
	       : letter == 'i' ? IS_INVALID
	       : letter == 'r' ? IS_REFUSED
			       : IS_UNDECIDED;
}

static void
drop_schema(struct comparison *c)
{
	validator_finish(&c->by);
	validator_finish(&c->strict);
	*c = (struct comparison){ 0 };
}

static void
take_schema(struct comparison *c, char letter, const cJSON *line, struct tally *t)
{
	drop_schema(c);
	c->library = t->library;
	c->from = json_get_string(line, "from");
	c->schema = json_get(line, "schema");
	c->why = json_get_string(line, "why");
	c->asked = letter == '?' ? BOTH_AJV : ALL_PEERS;
	validator_init(
	    &c->by, c->schema, &(struct schema_options){ .format = SCHEMA_FORMAT_IGNORED });
	validator_init(
	    &c->strict, c->schema, &(struct schema_options){ .format = SCHEMA_FORMAT_ASSERTS });
	for (enum peer p = 0; p < PEERS; p++) {
		c->ours[p] = ours(c, p)->planned ? IS_VALID : IS_REFUSED;
		c->theirs[p] = c->why ? IS_REFUSED : IS_VALID;
	}
	c->theirs[RUST] = validity_of_letter(letter);
	struct report *review = schema_review(t->library, c->schema, NULL, NULL);
	c->breaks_meta = review && report_facts(review)->outcome == SCHEMA_INVALID;
	report_destroy(review);
	t->schemas++;
	compare(c, t);
	for (enum peer p = 0; p < PEERS; p++)
		if (c->ours[p] == IS_REFUSED || c->theirs[p] == IS_REFUSED)
			c->asked &= ~(1u << p);
}

/* What ajv says of a value; false if it was not asked. */
static bool
take_keywords(struct comparison *c, enum peer peer, const cJSON *keywords)
{
	c->keywords[peer] = keywords;
	c->theirs[peer] = json_type(keywords) != JSON_ARRAY ? IS_UNDECIDED
			  : json_count(keywords) == 0       ? IS_VALID
							    : IS_INVALID;
	return json_type(keywords) != JSON_NULL;
}

static void
take_value(struct comparison *c, char letter, const cJSON *line, struct tally *t)
{
	unsigned asked = c->asked;

	c->value = json_get(line, "value");
	c->theirs[RUST] = validity_of_letter(letter);
	if (letter == '?')
		c->asked &= ~(1u << RUST);
	if (!take_keywords(c, AJV, json_get(line, "ignored")))
		c->asked &= ~(1u << AJV);
	if (!take_keywords(c, AJV_FORMATS, json_get(line, "asserted")))
		c->asked &= ~(1u << AJV_FORMATS);
	if (c->asked & (1u << AJV | 1u << RUST))
		c->ours[AJV] = c->ours[RUST] = validate(&c->by, c->value);
	if (c->asked & 1u << AJV_FORMATS)
		c->ours[AJV_FORMATS] = validate(&c->strict, c->value);
	t->values++;
	compare(c, t);
	c->asked = asked;
}

/* The letter in front is what the crate says. */
static void
compare_lines(FILE *lines, struct tally *t)
{
	struct comparison c = { 0 };
	struct json_doc *schema_doc = NULL;
	char *line = NULL;
	size_t cap = 0;
	ssize_t len;

	while ((len = getline(&line, &cap, lines)) > 1) {
		struct json_doc *doc = json_parse(line + 1, (size_t)len - 1, NULL, NULL);
		if (!doc)
			fail_msg("no JSON: %s", line);
		if (json_get(json_root(doc), "schema")) {
			take_schema(&c, line[0], json_root(doc), t);
			json_doc_destroy(schema_doc);
			schema_doc = doc;
		} else {
			take_value(&c, line[0], json_root(doc), t);
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
	const char *pairs = getenv("PAIRS"), *seed = getenv("SEED");
	size_t least = pairs ? strtoul(pairs, NULL, 10) : 0;
	struct tally t = { .library = schema_library_create() };

	compare_lines(*state, &t);
	schema_library_destroy(t.library);
	printf("SEED=%s: %zu schemas, %zu pairs, %zu differences:\n", seed ? seed : "20260728",
	    t.schemas, t.values, t.differences);
	for (size_t i = 0; i < ARRAY_LEN(explanations); i++)
		printf("%6zu %s\n", explanations[i].times, explanations[i].reason);
	assert_true(t.values >= (least > LEAST_VALUES ? least : LEAST_VALUES));
	assert_int_equal(t.unexplained, 0);
}

/* Either there is a case to begin with, or the script says why there is none. */
static int
no_cases(FILE *script, int first)
{
	char why[256] = "";

	if (first != EOF)
		ungetc(first, script);
	if (!fgets(why, sizeof(why), script))
		why[0] = '\0';
	int status = pclose(script);
	bool skipped = WIFEXITED(status) && WEXITSTATUS(status) == 77;
	printf("%s: %s\n", skipped ? "SKIPPED: NO COMPARISON WITH AJV" : "differential.sh failed",
	    why);
	return skipped ? 77 : 1;
}

TEST_FILE(differential)
{
	FILE *script = popen("sh tests/interop/differential.sh", "r");
	char why[256] = "";
	int first = script ? fgetc(script) : EOF;

	if (first == '#' && fgets(why, sizeof(why), script)) {
		printf("SKIPPED: NO COMPARISON WITH THE CRATE jsonschema: %s", why);
		first = fgetc(script);
	}
	if (!script || !strchr("vriu?", first))
		return script ? no_cases(script, first) : 1;
	ungetc(first, script);
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_prestate(test_every_difference_is_explained, script),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);
	return pclose(script) != 0 || failed;
}
