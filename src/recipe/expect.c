/* SPDX-License-Identifier: MIT */
#include "state.h"

#include "base/units.h"
#include "json/equal.h"
#include "json/keys.h"
#include "json/pointer.h"
#include "json/print.h"
#include "json/rows.h"

#include <string.h>

#define SHOWN_BYTES 100 /* of a value in a message */
#define LINES_MAX 8     /* of findings in a message */

/* ---- values ---- */

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

static bool
matches_filled(const cJSON *expected, const cJSON *found, bool part, const char *what,
    const struct variables *v, struct buf *lines)
{
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
expect_value(
    const struct recipe_expect *e, const cJSON *value, const struct variables *v, struct buf *lines)
{
	bool ok = !e->equals || matches_filled(e->equals, value, false, "equals", v, lines);

	return (!e->contains || matches_filled(e->contains, value, true, "contains", v, lines)) &&
	       ok;
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

/* ---- the reply ---- */

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
