/* SPDX-License-Identifier: MIT */
#include "recipe/recipe.h"

#include "base/text_match.h"
#include "base/mem.h"
#include "base/units.h"
#include "base/vec.h"
#include "json/number.h"
#include "json/pointer.h"
#include "recipe/variables.h"

#include <stdlib.h>
#include <string.h>

const char *const recipe_kind_names[RECIPE_KINDS] = { "call", "read", "get", "pick", "each",
	"assert", "steps" };

struct recipe_reading {
	struct recipe *recipe;
	const cJSON *at; /* what err is about */
	struct err err;
	size_t steps, depth;
};

/* A member of an object of the file. A row without a name ends a table. */
struct recipe_member {
	const char *name;
	unsigned kinds; /* of steps that have it: bits of enum recipe_kind */
	bool (*take)(struct recipe_reading *p, const cJSON *node, void *at);
	size_t offset; /* of the field that take() sets */
};

#define MEMBER(of, json_name, kinds, member, take)                  \
	{                                                           \
		json_name, kinds, take, offsetof(struct of, member) \
	}

static bool
refuse_type(struct recipe_reading *p, const cJSON *node, const char *wanted)
{
	return err_set(&p->err, "expected %s, found %s", wanted,
	    node->type == cJSON_NULL ? "null" : json_type_name(json_type(node)));
}

static bool
read_members(struct recipe_reading *p, const cJSON *object, const struct recipe_member *table,
    unsigned kinds, void *into)
{
	p->at = object;
	if (!cJSON_IsObject(object))
		return refuse_type(p, object, "an object");
	for (const cJSON *m = json_first(object); m; m = m->next) {
		const struct recipe_member *row = table;
		struct did_you_mean meant;
		did_you_mean_init(&meant, m->string, strlen(m->string));
		for (; row->name && strcmp(row->name, m->string) != 0; row++)
			if (row->kinds & kinds)
				did_you_mean_try(&meant, row->name);
		p->at = m;
		if (!row->name)
			return err_set(&p->err, "unknown member \"%.60s\"%s", m->string,
			    did_you_mean_or(&meant, ""));
		if (!(row->kinds & kinds))
			return err_set(
			    &p->err, "\"%s\" does not go with this kind of step", row->name);
		if (row->take && !row->take(p, m, (char *)into + row->offset))
			return false;
	}
	return true;
}

/* ---- values ---- */

/* Check the syntax of references to variables. */
static bool
check_references(struct recipe_reading *p, const cJSON *node)
{
	struct variables_walk walk = { 0 };

	if (variables_walk(&walk, node, &p->err))
		return true;
	p->at = walk.at;
	return false;
}

static bool
take_text(struct recipe_reading *p, const cJSON *node, void *at)
{
	const char *text = cJSON_GetStringValue(node);

	*(const char **)at = text;
	if (!text)
		return refuse_type(p, node, "a string");
	return (*text || err_set(&p->err, "expected a text, found \"\"")) &&
	       check_references(p, node);
}

static bool
take_jq(struct recipe_reading *p, const cJSON *node, void *at)
{
	const char *text = cJSON_GetStringValue(node);

	*(const char **)at = text;
	if (!text)
		return refuse_type(p, node, "a string, an expression of jq");
	if (!text[strspn(text, " \t\r\n")])
		return err_set(&p->err, "expected an expression of jq, found an empty string");
	return strlen(text) <= RECIPE_EXPRESSION_MAX ||
	       err_set(&p->err, "the expression is longer than %zu bytes", RECIPE_EXPRESSION_MAX);
}

static bool
take_recipe_name(struct recipe_reading *p, const cJSON *node, void *at)
{
	*(const char **)at = cJSON_GetStringValue(node);
	if (!cJSON_GetStringValue(node))
		return refuse_type(p, node, "a string, the name of a variable");
	return variables_check_name(cJSON_GetStringValue(node), &p->err);
}

/* A variable that a step sets; "reply" is reserved for the last reply. */
static bool
take_new_name(struct recipe_reading *p, const cJSON *node, void *at)
{
	return take_recipe_name(p, node, at) &&
	       (strcmp(cJSON_GetStringValue(node), "reply") != 0 ||
		   err_set(
		       &p->err, "\"reply\" is the reply to the last call: choose another name"));
}

static bool
take_flag(struct recipe_reading *p, const cJSON *node, void *at)
{
	*(bool *)at = cJSON_IsTrue(node);
	return cJSON_IsBool(node) || refuse_type(p, node, "a boolean");
}

static bool
take_value(struct recipe_reading *p, const cJSON *node, void *at)
{
	*(const cJSON **)at = node;
	return check_references(p, node);
}

static bool
take_object(struct recipe_reading *p, const cJSON *node, void *at)
{
	return cJSON_IsObject(node) ? take_value(p, node, at) : refuse_type(p, node, "an object");
}

/* One jq expression, or an array of them. */
static bool
take_conditions(struct recipe_reading *p, const cJSON *node, void *at)
{
	const char *text;

	*(const cJSON **)at = node;
	if (json_type(node) != JSON_ARRAY)
		return take_jq(p, node, &text);
	if (!json_first(node))
		return err_set(&p->err, "expected an expression of jq, found an empty array");
	for (const cJSON *item = json_first(node); item; item = item->next) {
		p->at = item;
		if (!take_jq(p, item, &text))
			return false;
	}
	return true;
}

/* ---- retry ---- */

static bool
take_time(struct recipe_reading *p, const cJSON *node, void *at)
{
	const char *text = cJSON_GetStringValue(node);
	size_t number = 0;
	int64_t ms = 0;
	bool ok = text ? units_parse_time_ms(text, &ms)
		       : cJSON_IsNumber(node) && json_number_to_size(node, 86400000, &number);

	ms = text ? ms : (int64_t)number;
	*(int64_t *)at = ms * 1000;
	return (ok && ms > 0 && ms <= 86400000) ||
	       err_set(&p->err, "expected a time such as \"500ms\" or \"2s\", at most 24 hours");
}

static bool
take_attempts(struct recipe_reading *p, const cJSON *node, void *at)
{
	size_t *attempts = at;

	return (cJSON_IsNumber(node) && json_number_to_size(node, RECIPE_ATTEMPTS_MAX, attempts) &&
		   *attempts > 0) ||
	       err_set(&p->err, "expected a number of attempts from 1 to %d", RECIPE_ATTEMPTS_MAX);
}

static bool
take_retry(struct recipe_reading *p, const cJSON *node, void *at)
{
	static const struct recipe_member members[] = {
		MEMBER(recipe_retry, "attempts", 1, attempts, take_attempts),
		MEMBER(recipe_retry, "delay", 1, delay_us, take_time),
		MEMBER(recipe_retry, "until", 1, until, take_jq),
		{ 0 },
	};
	struct recipe_retry *retry = at;

	if (!read_members(p, node, members, 1, retry))
		return false;
	p->at = node;
	return retry->attempts > 0 || err_set(&p->err, "\"retry\" needs \"attempts\"");
}

static bool
take_on_failure(struct recipe_reading *p, const cJSON *node, void *at)
{
	const char *text = cJSON_GetStringValue(node);

	*(bool *)at = text && strcmp(text, "continue") == 0;
	return *(bool *)at || (text && strcmp(text, "stop") == 0) ||
	       err_set(&p->err, "expected \"stop\" or \"continue\"");
}

/* ---- expectations ---- */

static bool
take_error(struct recipe_reading *p, const cJSON *node, void *at)
{
	*(const cJSON **)at = node;
	if (cJSON_IsBool(node))
		return true;
	return cJSON_IsString(node)
		   ? check_references(p, node)
		   : refuse_type(p, node, "a boolean, or a part of the message as a string");
}

/* Check that the string is one of these words. */
static bool
take_word(struct recipe_reading *p, const cJSON *node, const char *const *words)
{
	const char *text = cJSON_GetStringValue(node);
	struct buf all = BUF_INIT;

	p->at = node;
	for (size_t i = 0; words[i]; i++) {
		if (text && strcmp(words[i], text) == 0) {
			buf_finish(&all);
			return true;
		}
		buf_addf(&all, "%s%s", i ? ", " : "", words[i]);
	}
	err_set(&p->err, "expected one of %s", buf_text(&all));
	buf_finish(&all);
	return false;
}

static bool
take_verdict(struct recipe_reading *p, const cJSON *node, void *at)
{
	static const char *const verdicts[] = { "valid", "invalid", "missing", "no-schema",
		"schema-broken", "not-applied", "undecided", "no-result", NULL };

	*(const cJSON **)at = node;
	if (json_type(node) != JSON_ARRAY)
		return take_word(p, node, verdicts);
	for (const cJSON *item = json_first(node); item; item = item->next)
		if (!take_word(p, item, verdicts))
			return false;
	return json_first(node) || err_set(&p->err, "expected a verdict, found an empty array");
}

static bool
take_findings(struct recipe_reading *p, const cJSON *node, void *at)
{
	static const char *const worst[] = { "none", "notes", "warnings", NULL };

	*(const cJSON **)at = node;
	if (json_type(node) != JSON_ARRAY)
		return take_word(p, node, worst);
	for (const cJSON *item = json_first(node); item; item = item->next) {
		p->at = item;
		if (!cJSON_GetStringValue(item))
			return refuse_type(p, item, "a string, the id of a finding");
	}
	return true;
}

/* A snapshot is in the folder of the recipe or below. */
static bool
take_file(struct recipe_reading *p, const cJSON *node, void *at)
{
	const char *text = cJSON_GetStringValue(node);

	*(const char **)at = text;
	if (!text || !*text)
		return refuse_type(p, node, "a string, the name of a file");
	if (text[0] == '/' || strncmp(text, "../", 3) == 0 || strstr(text, "/../") ||
	    strchr(text, '\\') || strlen(text) > 200)
		return err_set(
		    &p->err, "the file has to be in the folder of the recipe, or below it");
	return (strlen(text) > 5 && strcmp(text + strlen(text) - 5, ".json") == 0) ||
	       err_set(&p->err, "the name of a snapshot ends in .json");
}

static bool
take_expect(struct recipe_reading *p, const cJSON *node, void *at)
{
	static const struct recipe_member members[] = {
		MEMBER(recipe_expect, "error", 1, error, take_error),
		MEMBER(recipe_expect, "verdict", 1, verdict, take_verdict),
		MEMBER(recipe_expect, "findings", 1, findings, take_findings),
		MEMBER(recipe_expect, "of", 1, of, take_jq),
		MEMBER(recipe_expect, "equals", 1, equals, take_value),
		MEMBER(recipe_expect, "contains", 1, contains, take_value),
		MEMBER(recipe_expect, "snapshot", 1, snapshot, take_file),
		MEMBER(recipe_expect, "jq", 1, conditions, take_conditions),
		MEMBER(recipe_expect, "within", 1, within_us, take_time),
		{ 0 },
	};
	return read_members(p, node, members, 1, at);
}

/* ---- steps ---- */

static bool take_steps(struct recipe_reading *p, const cJSON *node, void *at);

#define IS(kind) (1u << RECIPE_##kind)
#define CALLS (IS(CALL) | IS(READ) | IS(GET))
#define ALL_KINDS ((1u << RECIPE_KINDS) - 1)

static const struct recipe_member step_members[] = {
	MEMBER(recipe_step, "call", IS(CALL), action, take_text),
	MEMBER(recipe_step, "read", IS(READ), action, take_text),
	MEMBER(recipe_step, "get", IS(GET), action, take_text),
	MEMBER(recipe_step, "pick", IS(PICK), action, take_jq),
	MEMBER(recipe_step, "each", IS(EACH), action, take_jq),
	MEMBER(recipe_step, "assert", IS(ASSERT), conditions, take_conditions),
	MEMBER(recipe_step, "name", ALL_KINDS, name, take_text),
	MEMBER(recipe_step, "when", ALL_KINDS, when, take_jq),
	MEMBER(recipe_step, "from", ALL_KINDS & ~CALLS, from, take_recipe_name),
	MEMBER(recipe_step, "arguments", IS(CALL) | IS(GET), arguments, take_object),
	MEMBER(recipe_step, "expect", CALLS, expect, take_expect),
	MEMBER(recipe_step, "retry", CALLS | IS(GROUP), retry, take_retry),
	MEMBER(recipe_step, "save", CALLS | IS(PICK) | IS(EACH), save, take_new_name),
	MEMBER(recipe_step, "all", IS(PICK), all, take_flag),
	MEMBER(recipe_step, "as", IS(EACH), as, take_new_name),
	MEMBER(recipe_step, "message", IS(ASSERT), message, take_text),
	MEMBER(recipe_step, "steps", IS(EACH) | IS(GROUP), steps, take_steps),
	MEMBER(recipe_step, "onFailure", ALL_KINDS, goes_on, take_on_failure),
	{ 0 },
};

/* Find the kind of a step by its member, such as "call". */
static bool
find_kind(struct recipe_reading *p, const cJSON *node, enum recipe_kind *kind)
{
	const cJSON *found = NULL;

	for (int i = 0; i < RECIPE_GROUP; i++) {
		const cJSON *member = json_get(node, recipe_kind_names[i]);
		p->at = member;
		if (member && found)
			return err_set(&p->err, "a step does one thing, and this one has \"%s\"",
			    found->string);
		if (member) {
			found = member;
			*kind = (enum recipe_kind)i;
		}
	}
	p->at = node;
	if (found)
		return true;
	*kind = RECIPE_GROUP;
	return json_get(node, "steps") ||
	       err_set(&p->err, "a step has one of \"call\", \"read\", \"get\", \"pick\", "
				"\"each\", \"assert\" and "
				"\"steps\"");
}

static const struct recipe_step new_step = { .as = "item", .expect.within_us = -1 };

static bool
take_steps(struct recipe_reading *p, const cJSON *node, void *at)
{
	struct recipe_steps *steps = at;

	if (json_type(node) != JSON_ARRAY)
		return refuse_type(p, node, "an array of steps");
	if (!json_first(node))
		return err_set(&p->err, "there is no step");
	if (++p->depth > RECIPE_DEPTH_MAX)
		return err_set(&p->err, "steps are nested deeper than %d", RECIPE_DEPTH_MAX);
	for (const cJSON *item = json_first(node); item; item = item->next) {
		struct recipe_step *step = VEC_PUSH(steps);
		*step = new_step;
		step->node = item;
		p->at = item;
		if (!cJSON_IsObject(item))
			return refuse_type(p, item, "an object, a step");
		if (++p->steps > RECIPE_STEPS_MAX)
			return err_set(&p->err, "there are more than %d steps", RECIPE_STEPS_MAX);
		if (!find_kind(p, item, &step->kind) ||
		    !read_members(p, item, step_members, 1u << step->kind, step))
			return false;
		p->at = item;
		if (step->kind == RECIPE_EACH && step->steps.len == 0)
			return err_set(&p->err, "\"each\" needs \"steps\"");
	}
	p->depth--;
	return true;
}

/* ---- the file ---- */

/* An object whose keys are valid names of variables. */
static bool
take_variables(struct recipe_reading *p, const cJSON *node, void *at)
{
	*(const cJSON **)at = node;
	if (!cJSON_IsObject(node))
		return refuse_type(p, node, "an object");
	for (const cJSON *m = json_first(node); m; m = m->next) {
		p->at = m;
		if (!variables_check_name(m->string, &p->err))
			return false;
	}
	return true;
}

static bool
take_environments(struct recipe_reading *p, const cJSON *node, void *at)
{
	const cJSON *ignored;

	*(const cJSON **)at = node;
	if (!cJSON_IsObject(node))
		return refuse_type(p, node, "an object with an object for each environment");
	for (const cJSON *m = json_first(node); m; m = m->next) {
		p->at = m;
		if (!take_variables(p, m, &ignored))
			return false;
	}
	return true;
}

static bool
take_any_string(struct recipe_reading *p, const cJSON *node, void *at)
{
	*(const char **)at = cJSON_GetStringValue(node);
	return cJSON_GetStringValue(node) || refuse_type(p, node, "a string");
}

#define HEAD                                                                \
	MEMBER(recipe, "$schema", 1, ignored, take_any_string),             \
	    MEMBER(recipe, "name", 1, name, take_any_string),               \
	    MEMBER(recipe, "description", 1, description, take_any_string), \
	    MEMBER(recipe, "variables", 1, variables, take_variables),      \
	    MEMBER(recipe, "environments", 1, environments, take_environments)

/* Read a saved call: a step with the members of a recipe file. */
static bool
read_call(struct recipe_reading *p, const cJSON *root)
{
	static const char *const of_step[] = { "call", "read", "get", "arguments", "expect",
		"retry" };
	static const struct recipe_member head[] = { HEAD, { "call", 1, NULL, 0 },
		{ "read", 1, NULL, 0 }, { "get", 1, NULL, 0 },
		MEMBER(recipe, "server", 1, ignored, take_any_string), { "arguments", 1, NULL, 0 },
		{ "expect", 1, NULL, 0 }, { "retry", 1, NULL, 0 }, { 0 } };
	struct recipe_step *step = VEC_PUSH(&p->recipe->steps);

	*step = new_step;
	step->node = root;
	if (!read_members(p, root, head, 1, p->recipe) || !find_kind(p, root, &step->kind))
		return false;
	for (size_t i = 0; i < ARRAY_LEN(of_step); i++) {
		const cJSON *m = json_get(root, of_step[i]);
		const struct recipe_member *row = step_members;
		while (strcmp(row->name, of_step[i]) != 0)
			row++;
		p->at = m;
		if (m && !(row->kinds & 1u << step->kind))
			return err_set(&p->err, "\"%s\" does not go with \"%s\"", m->string,
			    recipe_kind_names[step->kind]);
		if (m && !row->take(p, m, (char *)step + row->offset))
			return false;
	}
	step->name = p->recipe->name && *p->recipe->name ? p->recipe->name : NULL;
	return true;
}

static bool
read_file(struct recipe_reading *p, const cJSON *root)
{
	static const struct recipe_member members[] = { HEAD,
		MEMBER(recipe, "steps", 1, steps, take_steps),
		MEMBER(recipe, "tests", 1, steps, take_steps), { 0 } };
	const cJSON *steps = json_get(root, "steps"), *tests = json_get(root, "tests");

	p->at = root;
	if (!cJSON_IsObject(root))
		return refuse_type(p, root, "an object");
	p->recipe->is_independent = tests != NULL;
	p->at = tests;
	if (steps && tests)
		return err_set(&p->err, "a file has either \"steps\" or \"tests\"");
	if (steps || tests)
		return read_members(p, root, members, 1, p->recipe);
	if (json_get(root, "call") || json_get(root, "read") || json_get(root, "get"))
		return read_call(p, root);
	p->at = root;
	return err_set(&p->err,
	    "a recipe has \"steps\" or \"tests\", and a saved call has \"call\", \"read\" or "
	    "\"get\"");
}

/* Return the position of the node and append its pointer. */
static struct json_position
place_of(const struct recipe *recipe, const cJSON *node, struct buf *pointer)
{
	const cJSON *root = json_root(recipe->doc);
	struct json_position at = { 0 };

	if (node && json_pointer_of(root, node, pointer))
		json_positions(recipe->text.data, recipe->text.len, root, &node, 1, &at);
	return at;
}

void
recipe_add_place(const struct recipe *recipe, const cJSON *node, struct buf *out)
{
	struct buf pointer = { .max = 200 };
	struct json_position at = place_of(recipe, node, &pointer);

	if (recipe->path)
		buf_addf(out, "%s:", recipe->path);
	buf_addf(out, "%u:%u: ", at.line, at.column);
	if (pointer.len > 0)
		buf_addf(out, "%s: ", buf_text(&pointer));
	buf_finish(&pointer);
}

struct recipe *
recipe_parse(const char *text, size_t len, struct recipe_problem *problem)
{
	const struct json_options options = { .max_depth = 200 };
	struct json_error error;
	struct recipe_reading p = { .recipe = NULL };
	struct json_doc *doc = NULL;

	*problem = (struct recipe_problem){ .line = 1, .column = 1 };
	if (len > RECIPE_FILE_MAX) {
		snprintf(problem->text, sizeof(problem->text), "the file is larger than %zu MiB",
		    RECIPE_FILE_MAX >> 20);
		return NULL;
	}
	if (!(doc = json_parse(text, len, &options, &error))) {
		*problem = (struct recipe_problem){ error.line, error.column, "", "" };
		snprintf(problem->text, sizeof(problem->text), "not JSON: %s", error.text);
		return NULL;
	}
	p.recipe = mem_zalloc(sizeof(*p.recipe));
	p.recipe->doc = doc;
	buf_add(&p.recipe->text, text, len);
	const struct json_flaws *flaws = json_flaws(doc);
	if (flaws->count > 0) { /* other readers interpret it differently */
		problem->line = flaws->items[0].line;
		problem->column = flaws->items[0].column;
		snprintf(problem->text, sizeof(problem->text), "%s",
		    json_flaw_text(flaws->items[0].kind));
	} else if (read_file(&p, json_root(doc))) {
		return p.recipe;
	} else {
		struct buf pointer = { .max = sizeof(problem->pointer) - 1 };
		struct json_position at = place_of(p.recipe, p.at, &pointer);
		problem->line = at.line;
		problem->column = at.column;
		snprintf(problem->pointer, sizeof(problem->pointer), "%s", buf_text(&pointer));
		snprintf(problem->text, sizeof(problem->text), "%s", p.err.text);
		buf_finish(&pointer);
	}
	recipe_destroy(p.recipe);
	return NULL;
}

static void
steps_finish(struct recipe_steps *steps)
{
	for (size_t i = 0; i < steps->len; i++)
		steps_finish(&steps->items[i].steps);
	free(steps->items);
}

void
recipe_destroy(struct recipe *recipe)
{
	if (!recipe)
		return;
	steps_finish(&recipe->steps);
	json_doc_destroy(recipe->doc);
	buf_finish(&recipe->text);
	free(recipe);
}
