/* SPDX-License-Identifier: MIT */
#include "state.h"

#include "base/ascii.h"
#include "base/text_match.h"
#include "base/units.h"
#include "base/vec.h"
#include "json/equal.h"
#include "json/keys.h"
#include "json/pointer.h"
#include "json/print.h"
#include "json/rows.h"

#include <stdlib.h>
#include <string.h>

/* What the steps of a run evaluate: jq expressions, their variables, and expectations. */

/* ---- jq expressions ---- */

/* Add the variables that the text refers to as $name. */
static void
add_named(const char *text, const struct variables *v, struct variables *named)
{
	while ((text = strchr(text, '$'))) {
		const char *name = ++text;
		while (ascii_is_alnum((unsigned char)*text) || *text == '_')
			text++;
		size_t len = (size_t)(text - name);
		const struct variable *found = len > 0 ? variables_find(v, name, len) : NULL;
		if (found && !variables_find(named, name, len))
			variables_set(named, found->name,
			    found->doc ? json_doc_ref(found->doc) : NULL, found->value);
	}
}

/* jq gets {"v": {"name": ...}, "i": input}, and the expression after
 * .v as {$name, ...} | .i | ( */
bool
expression_make(struct recipe_expression *e, const char *text, const cJSON *current,
    const struct variables *v, struct buf *value, struct err *err)
{
	struct variables named = { 0 };

	buf_finish(&e->whole);
	e->text = text;
	add_named(text, v, &named);
	buf_finish(value);
	buf_init(value, QUERY_MAX_BYTES);
	for (size_t i = 0; i < named.len; i++) {
		buf_addf(&e->whole, "%s$%s", i ? "," : ".v as {", named.items[i].name);
		buf_addf(value, "%s\"%s\":", i ? "," : "{\"v\":{", named.items[i].name);
		json_print(value, named.items[i].value);
	}
	if (named.len > 0) {
		buf_add_str(&e->whole, "} | .i | (");
		buf_add_str(value, "},\"i\":");
	}
	e->prefix = e->whole.len;
	buf_add_str(&e->whole, text);
	if (current)
		json_print(value, current);
	else
		buf_add_str(value, "null");
	if (named.len > 0) {
		buf_add_str(&e->whole, EXPRESSION_END);
		buf_add_char(value, '}');
	}
	variables_finish(&named);
	return !value->overflowed ||
	       err_set(err, "the value for jq is larger than %zu MiB", QUERY_MAX_BYTES >> 20);
}

bool
expression_read(
    const struct recipe_expression *e, const struct query_answer *answer, struct buf *reason)
{
	if (answer->trouble.text[0] == '\0' && !answer->more)
		return true;
	if (answer->more) {
		buf_addf(reason, "jq %s: there are more than %zu results, or more than %zu MiB",
		    e->text, QUERY_MAX_RESULTS, QUERY_MAX_ANSWER >> 20);
		return false;
	}
	buf_addf(reason, "jq %s: %s", e->text, answer->trouble.text);
	if (answer->at != QUERY_NOWHERE && answer->at >= e->prefix &&
	    answer->at - e->prefix <= strlen(e->text))
		buf_addf(reason, " (at character %zu)", answer->at - e->prefix + 1);
	return false;
}

bool
results_are_true(const cJSON *results)
{
	const cJSON *result = json_first(results);

	for (; result; result = result->next)
		if (cJSON_IsNull(result) || (cJSON_IsBool(result) && !cJSON_IsTrue(result)))
			return false;
	return json_first(results) != NULL;
}

/* ---- all expressions of a recipe ---- */

/*
 * Report invalid expressions before the first call, which may have side effects. One jq program
 * compiles many expressions without running them; if it does not compile, its expressions are
 * compiled one by one.
 */

static void
add_check(struct recipe_checks *c, const cJSON *node, const struct recipe_step *step)
{
	if (cJSON_GetStringValue(node))
		*VEC_PUSH(c) = (struct recipe_check){ node, step };
	for (const cJSON *item = json_first(node); item; item = item->next)
		add_check(c, item, step);
}

/* Add the expressions of the steps, and the names of the variables that they set. of: the top-level
 * step that contains these steps; NULL: they are top-level steps. */
static void
add_steps(struct recipe_checks *c, const struct recipe_steps *steps, const struct recipe_step *of)
{
	for (size_t i = 0; i < steps->len; i++) {
		const struct recipe_step *s = &steps->items[i], *in = of ? of : s;
		if (s->save)
			variables_set(&c->names, s->save, NULL, NULL);
		if (s->kind == RECIPE_EACH)
			variables_set(&c->names, s->as, NULL, NULL);
		add_check(c, json_get(s->node, "when"), in);
		if (s->kind == RECIPE_PICK || s->kind == RECIPE_EACH)
			add_check(c, json_get(s->node, recipe_kind_names[s->kind]), in);
		add_check(c, s->conditions, in);
		add_check(c, json_get(json_get(s->node, "expect"), "of"), in);
		add_check(c, s->expect.conditions, in);
		add_check(c, json_get(json_get(s->node, "retry"), "until"), in);
		add_steps(c, &s->steps, in);
	}
}

void
checks_finish(struct recipe_checks *c)
{
	free(c->items);
	variables_finish(&c->names);
	*c = (struct recipe_checks){ 0 };
}

bool
checks_next(struct recipe_checks *c, struct recipe_expression *e)
{
	struct variables named = { 0 };
	size_t bytes = 0;

	if (c->from == c->len)
		return false;
	buf_finish(&e->whole);
	e->text = cJSON_GetStringValue(c->items[c->from].node);
	for (c->to = c->from; c->to < c->len; c->to++) {
		const char *text = cJSON_GetStringValue(c->items[c->to].node);
		/* an upper bound of the expression with the names of its variables */
		bytes += 3 * strlen(text) + 16;
		if (c->to > c->from &&
		    (c->from < c->one_by_one || bytes >= QUERY_MAX_EXPRESSION - 100))
			break;
		add_named(text, &c->names, &named);
	}
	buf_add_str(&e->whole, "empty | ");
	for (size_t i = 0; i < named.len; i++)
		buf_addf(&e->whole, "%s$%s", i ? "," : "null as {", named.items[i].name);
	buf_add_str(&e->whole, named.len > 0 ? "} | " : "");
	e->prefix = e->whole.len;
	if (c->to - c->from == 1)
		buf_add_str(&e->whole, e->text);
	for (size_t i = c->from; i < c->to && c->to - c->from > 1; i++)
		buf_addf(&e->whole, "%s%s" EXPRESSION_END, i > c->from ? ",(" : "(",
		    cJSON_GetStringValue(c->items[i].node));
	variables_finish(&named);
	return true;
}

static bool
is_known(void *user, const char *name, size_t len, struct err *err)
{
	return variables_find(user, name, len) ||
	       err_set(err, "${%.*s} has no value: --var %.*s=VALUE gives it one", (int)len, name,
		   (int)len, name);
}

static bool
steps_are_known(const struct recipe_steps *steps, struct variables_walk *walk, struct err *err)
{
	static const char *const texts[] = { "call", "read", "get", "name", "message" };
	for (size_t i = 0; i < steps->len; i++) {
		const struct recipe_step *s = &steps->items[i];
		for (size_t t = 0; t < ARRAY_LEN(texts); t++)
			if (!variables_walk(walk, json_get(s->node, texts[t]), err))
				return false;
		walk->at = json_get(s->node, "from");
		if (s->from && !variables_find(walk->user, s->from, strlen(s->from)))
			return err_set(err,
			    "there is no variable \"%.64s\": \"from\" names one of the file, or "
			    "one that a step saves",
			    s->from);
		if (!variables_walk(walk, s->arguments, err) ||
		    !variables_walk(walk, s->expect.error, err) ||
		    !variables_walk(walk, s->expect.equals, err) ||
		    !variables_walk(walk, s->expect.contains, err) ||
		    !steps_are_known(&s->steps, walk, err))
			return false;
	}
	return true;
}

bool
checks_start(struct recipe_checks *c, const struct recipe_run_options *options,
    struct variables *values, struct err *err)
{
	const struct recipe *recipe = options->recipe;
	const cJSON *environment =
	    options->environment ? json_get(recipe->environments, options->environment) : NULL;
	struct variables_walk walk = { .each = is_known, .user = &c->names };
	struct buf place = BUF_INIT;
	struct err why;

	if (options->environment && !environment) {
		struct did_you_mean meant;
		did_you_mean_init(&meant, options->environment, strlen(options->environment));
		for (const cJSON *m = json_first(recipe->environments); m; m = m->next)
			did_you_mean_try(&meant, m->string);
		return err_set(err, "there is no environment \"%.80s\"%s", options->environment,
		    did_you_mean_or(&meant, ""));
	}
	const cJSON *const sources[] = { environment, recipe->variables };
	for (size_t i = 0; i < ARRAY_LEN(sources); i++)
		for (const cJSON *m = json_first(sources[i]); m; m = m->next)
			if (!variables_find(values, m->string, strlen(m->string)))
				variables_set(values, m->string, json_doc_ref(recipe->doc), m);
	for (size_t i = 0; i < values->len; i++)
		variables_set(&c->names, values->items[i].name, NULL, NULL);
	variables_set(&c->names, "reply", NULL, NULL);
	add_steps(c, &recipe->steps, NULL);
	if (steps_are_known(&recipe->steps, &walk, &why))
		return true;
	recipe_add_place(recipe, walk.at, &place);
	err_set(err, "%.120s%.130s", buf_text(&place), why.text);
	buf_finish(&place);
	return false;
}

#define SHOWN_BYTES 100 /* of a value in a message */
#define LINES_MAX 8     /* of findings in a message */

/* ---- expectations of a value ---- */

/* The first difference of two values; the pointer is cut at a limit. */
struct recipe_matching {
	bool part;
	struct buf pointer;
	struct buf *lines;
};

static bool
differs_in(struct recipe_matching *m, const cJSON *expected, const cJSON *found)
{
	struct buf a = BUF_INIT, b = BUF_INIT;

	if (expected)
		step_add_brief(expected, SHOWN_BYTES, &a);
	if (found)
		step_add_brief(found, SHOWN_BYTES, &b);
	buf_addf(m->lines, "%s: expected %s, found %s\n",
	    m->pointer.len > 0 ? buf_text(&m->pointer) : "the value",
	    expected ? buf_text(&a) : "nothing", found ? buf_text(&b) : "nothing");
	buf_finish(&a);
	buf_finish(&b);
	return false;
}

static bool match(struct recipe_matching *m, const cJSON *expected, const cJSON *found);

static bool
match_objects(struct recipe_matching *m, const cJSON *expected, const cJSON *found)
{
	size_t before = m->pointer.len;
	struct json_keys keys;
	bool ok = true;

	json_keys_init(&keys, found);
	for (const cJSON *e = json_first(expected); e && ok; e = e->next) {
		const cJSON *f = json_keys_find(&keys, e->string);
		json_pointer_add_key(&m->pointer, e->string);
		ok = f ? match(m, e, f) : differs_in(m, e, NULL);
		buf_truncate(&m->pointer, before);
	}
	json_keys_finish(&keys);
	if (!ok || m->part)
		return ok;
	json_keys_init(&keys, expected);
	for (const cJSON *f = json_first(found); f && ok; f = f->next) {
		json_pointer_add_key(&m->pointer, f->string);
		if (!json_keys_find(&keys, f->string))
			ok = differs_in(m, NULL, f);
		buf_truncate(&m->pointer, before);
	}
	json_keys_finish(&keys);
	return ok;
}

/* Recursive; the parser limits the depth of both. */
static bool
match(struct recipe_matching *m, const cJSON *expected, const cJSON *found)
{
	enum json_type type = json_type(expected);
	size_t before = m->pointer.len;
	struct json_items a, b;
	bool ok = true;

	if (type != json_type(found))
		return differs_in(m, expected, found);
	if (type == JSON_OBJECT)
		return match_objects(m, expected, found);
	if (type != JSON_ARRAY)
		return json_equal(expected, found) || differs_in(m, expected, found);
	if (json_count(expected) != json_count(found)) {
		buf_addf(m->lines, "%s: expected %zu item%s, found %zu\n",
		    m->pointer.len > 0 ? buf_text(&m->pointer) : "the value", json_count(expected),
		    plural(json_count(expected)), json_count(found));
		return false;
	}
	json_items_init(&a, expected, NULL);
	json_items_init(&b, found, NULL);
	for (; ok && a.item && b.item; json_items_next(&a), json_items_next(&b)) {
		json_pointer_add_index(&m->pointer, a.index);
		ok = match(m, a.item, b.item);
		buf_truncate(&m->pointer, before);
	}
	json_items_finish(&a);
	json_items_finish(&b);
	return ok;
}

static bool
matches(const cJSON *expected, const cJSON *found, bool part, const char *what, struct buf *lines)
{
	struct recipe_matching m = { .part = part, .lines = lines };
	size_t before = lines->len;

	/* compare without a pointer first, which is faster */
	if (!part && json_equal(expected, found))
		return true;
	buf_addf(lines, "%s: ", what);
	bool ok = match(&m, expected, found);
	if (ok)
		buf_truncate(lines, before);
	buf_finish(&m.pointer);
	return ok;
}

bool
expect_value(const cJSON *expected, const cJSON *found, bool part, const struct variables *v,
    struct buf *lines)
{
	const char *what = part ? "contains" : "equals";
	struct buf text = { .max = QUERY_MAX_BYTES };
	struct json_doc *doc = NULL;
	struct err err = { "" };
	bool ok = false;

	if (!variables_fill(v, expected, &text, &err) ||
	    !(doc = json_parse(buf_text(&text), text.len, NULL, NULL)))
		buf_addf(lines, "%s: %s\n", what, err.text);
	else
		ok = matches(json_root(doc), found, part, what, lines);
	json_doc_destroy(doc);
	buf_finish(&text);
	return ok;
}

bool
expect_snapshot(
    const struct recipe_snapshot *snapshot, const char *value, size_t len, struct buf *lines)
{
	struct json_error error;

	if (snapshot->trouble) {
		buf_addf(lines, "snapshot: %s\n", snapshot->trouble);
		return false;
	}
	if (snapshot->written)
		return true;
	struct json_doc *expected = json_parse(snapshot->text, snapshot->len, NULL, &error);
	struct json_doc *found = json_parse(value, len, NULL, NULL);
	bool ok = expected && found &&
		  matches(json_root(expected), json_root(found), false, "snapshot", lines);
	if (!expected)
		buf_addf(
		    lines, "snapshot: not JSON, %u:%u: %s\n", error.line, error.column, error.text);
	json_doc_destroy(expected);
	json_doc_destroy(found);
	return ok;
}

/* ---- expectations of the reply ---- */

static bool
expect_error(const struct recipe_expect *e, const struct recipe_reply *reply,
    const struct variables *v, struct buf *lines)
{
	const char *part = cJSON_GetStringValue(e->error);
	struct buf wanted = BUF_INIT;
	struct err err = { "" };

	if (!reply->error) {
		buf_add_str(lines, "error: expected one, and the call succeeded\n");
		return false;
	}
	bool ok = !part || variables_fill_text(v, part, &wanted, &err);
	if (!ok)
		buf_addf(lines, "error: %s\n", err.text);
	else if (part && !strstr(reply->error, buf_text(&wanted))) {
		buf_addf(lines, "error: expected \"%s\", found \"%.300s\"\n", buf_text(&wanted),
		    reply->error);
		ok = false;
	}
	buf_finish(&wanted);
	return ok;
}

static bool
is_listed(const cJSON *words, const char *word)
{
	const char *only = cJSON_GetStringValue(words);

	if (only)
		return strcmp(only, word) == 0;
	for (const cJSON *item = json_first(words); item; item = item->next)
		if (strcmp(cJSON_GetStringValue(item), word) == 0)
			return true;
	return false;
}

static enum recipe_failure
expect_verdict(const cJSON *wanted, const struct recipe_reply *reply, struct buf *lines)
{
	struct buf words = BUF_INIT;

	if (!wanted && strcmp(reply->verdict, "invalid") != 0 &&
	    strcmp(reply->verdict, "missing") != 0)
		return RECIPE_NO_FAILURE;
	if (wanted && is_listed(wanted, reply->verdict))
		return RECIPE_NO_FAILURE;
	if (wanted)
		json_print_brief(&words, wanted, SHOWN_BYTES);
	buf_addf(lines, "verdict: %s%s%s%s%s\n", reply->verdict, wanted ? ", expected " : "",
	    wanted ? buf_text(&words) : "", reply->violations && *reply->violations ? ": " : "",
	    reply->violations ? reply->violations : "");
	buf_finish(&words);
	return wanted ? RECIPE_FAILED_EXPECTATION : RECIPE_BROKEN_RESULT;
}

static bool
expect_findings(const cJSON *allowed, const struct recipe_reply *reply, struct buf *lines)
{
	const char *worst = cJSON_GetStringValue(allowed); /* else an array of ids */
	size_t count = 0;

	for (size_t i = 0; i < reply->finding_count; i++) {
		const struct recipe_finding *f = &reply->findings[i];
		if (!worst ? is_listed(allowed, f->id)
			   : strcmp(worst, "none") != 0 &&
				 f->severity >= (strcmp(worst, "notes") == 0 ? 2 : 1))
			continue;
		if (count++ < LINES_MAX)
			buf_addf(lines, "finding: %s: %.300s\n", f->id, f->text);
	}
	if (count > LINES_MAX)
		buf_addf(lines, "finding: and %zu more\n", count - LINES_MAX);
	return count == 0;
}

enum recipe_failure
expect_reply(const struct recipe_expect *e, const struct recipe_reply *reply,
    const struct variables *v, struct buf *lines)
{
	bool wants_error = e->error && (cJSON_GetStringValue(e->error) || cJSON_IsTrue(e->error));
	enum recipe_failure failure = RECIPE_NO_FAILURE;

	if (reply->error && (!wants_error || reply->failure != RECIPE_ERROR_ANSWER)) {
		buf_addf(lines, "%.1000s\n", reply->error);
		return reply->failure;
	}
	if (wants_error && !expect_error(e, reply, v, lines))
		failure = RECIPE_FAILED_EXPECTATION;
	if (!reply->error || e->verdict) {
		enum recipe_failure verdict = expect_verdict(e->verdict, reply, lines);
		failure = failure ? failure : verdict;
	}
	if (e->findings && !expect_findings(e->findings, reply, lines))
		failure = failure ? failure : RECIPE_FAILED_EXPECTATION;
	if (e->within_us >= 0 && reply->took_us > e->within_us) {
		buf_addf(lines, "within: expected at most %.6g ms, took %.1f ms\n",
		    (double)e->within_us / 1000, (double)reply->took_us / 1000);
		failure = failure ? failure : RECIPE_FAILED_EXPECTATION;
	}
	return failure;
}
