#include "report.h"

#include "base/vec.h"
#include "json/equal.h"
#include "json/number.h"
#include "json/pointer.h"
#include "json/print.h"
#include "schema/format/format.h"

#include <string.h>

/* Sentences about single values. */

static void
line_from(const struct record *r, const char *verb, say_fn *what, struct buf *out)
{
	say_subject(r, out);
	buf_addf(out, " %s ", verb);
	what(r, out);
}

/* ---- type ---- */

static const struct {
	unsigned type;
	const char *words;
} TYPE_WORDS[] = {
	{ TYPE_STRING, "a string" },
	{ TYPE_INTEGER, "an integer" },
	{ TYPE_NUMBER, "a number" },
	{ TYPE_BOOLEAN, "a boolean" },
	{ TYPE_OBJECT, "an object" },
	{ TYPE_ARRAY, "an array" },
	{ TYPE_NULL, "null" },
};

void
say_types(unsigned types, struct buf *out)
{
	const char *words[ARRAY_LEN(TYPE_WORDS)];
	size_t count = 0;

	for (size_t i = 0; i < ARRAY_LEN(TYPE_WORDS); i++)
		if (types & TYPE_WORDS[i].type)
			words[count++] = TYPE_WORDS[i].words;
	for (size_t i = 0; i < count; i++)
		buf_addf(out, "%s%s", i == 0 ? "" : i + 1 == count ? " or " : ", ", words[i]);
}

void
say_type(const struct record *r, struct buf *out)
{
	say_types(r->types, out);
}

#define PARSED_BYTES 65536

/* An array or object sent as a string because the server encoded it twice. */
static bool
is_json_text(const struct record *r)
{
	const char *text = r->naming ? NULL : json_string(r->pub.node);
	size_t len = text ? strlen(text) : 0;
	bool list = (r->types & TYPE_ARRAY) && len > 1 && text[0] == '[' && text[len - 1] == ']';
	bool object = (r->types & TYPE_OBJECT) && len > 1 && text[0] == '{' && text[len - 1] == '}';

	if (!list && !object)
		return false;
	struct json_doc *doc = json_parse(text, len < PARSED_BYTES ? len : 0, NULL, NULL);
	bool parsed = doc != NULL;
	json_doc_destroy(doc);
	return parsed || len >= PARSED_BYTES;
}

void
line_type(const struct record *r, struct buf *out)
{
	say_found(r, out);
	buf_add_str(out, ", expected ");
	say_type(r, out);
	if (is_json_text(r))
		buf_add_str(out, " (this is JSON: encoded twice?)");
}

/* ---- numbers: a is set for an upper bound, b if it is exclusive ---- */

void
say_number_bound(const struct record *r, struct buf *out)
{
	const char *words = r->a ? "at most " : "at least ";

	if (r->b)
		words = r->a ? "less than " : "more than ";
	buf_add_str(out, words);
	say_value(r->rule->value, out);
}

void
line_number_bound(const struct record *r, struct buf *out)
{
	const char *words = r->a ? " is more than the maximum " : " is less than the minimum ";

	if (r->b)
		words = r->a ? " is not less than " : " is not more than ";
	say_subject(r, out);
	buf_add_str(out, words);
	say_value(r->rule->value, out);
}

void
say_multiple(const struct record *r, struct buf *out)
{
	buf_add_str(out, "a multiple of ");
	say_value(r->rule->value, out);
}

void
line_multiple(const struct record *r, struct buf *out)
{
	line_from(r, "is not", say_multiple, out);
}

/* ---- strings: a is the length, b is set if it is too long ---- */

void
say_length(const struct record *r, struct buf *out)
{
	buf_add_str(out, r->b ? "at most " : "at least ");
	say_count(r->rule->as.count, "character", "characters", out);
}

void
line_length(const struct record *r, struct buf *out)
{
	const char *at = r->b ? "at most" : "at least";

	say_subject(r, out);
	if (r->a == 0) {
		buf_add_str(out, " is empty, expected ");
		say_length(r, out);
		return;
	}
	buf_add_str(out, " has ");
	say_count(r->a, "character", "characters", out);
	buf_addf(out, ", expected %s %zu", at, r->rule->as.count);
}

void
say_pattern(const struct record *r, struct buf *out)
{
	buf_add_str(out, "a string that matches ");
	say_short(json_string(r->rule->value), out);
}

void
line_pattern(const struct record *r, struct buf *out)
{
	say_subject(r, out);
	buf_add_str(out, " does not match ");
	say_short(json_string(r->rule->value), out);
}

void
say_format(const struct record *r, struct buf *out)
{
	const struct format *format = r->rule->as.format.format;

	buf_addf(out, "%s, such as %s", format->noun, format->example);
}

void
line_format(const struct record *r, struct buf *out)
{
	const struct format *format = r->rule->as.format.format;
	const char *text = r->naming ? r->pub.node->string : r->pub.node->valuestring;
	const char *fault = format->fault(text);

	say_subject(r, out);
	if (fault == FORMAT_UNCHECKED)
		buf_addf(out, " is not checked as %s: %s", format->noun, fault);
	else if (fault && *fault)
		buf_addf(out, " is not %s: %s", format->noun, fault);
	else
		buf_addf(out, " is not %s, such as %s", format->noun, format->example);
}

/* ---- choices ---- */

/* Sentences about values that must be one of several constants. */

#define LISTED_BYTES 60
#define TWINS_TRIED 64

/* "2" and 2 */
static bool
reads_like(const cJSON *text, const cJSON *other)
{
	struct buf words = BUF_INIT;

	if (!json_string(text) || !other || !is_leaf(other) || json_string(other))
		return false;
	json_print(&words, other);
	bool same = strcmp(json_string(text), buf_text(&words)) == 0;
	buf_finish(&words);
	return same;
}

static void
choices_add(struct choices *choices, const cJSON *value)
{
	if (choices->count < LISTED_WHOLE)
		choices->first[choices->count] = value;
	choices->count++;
	if (!choices->twin && choices->count <= TWINS_TRIED &&
	    (reads_like(choices->found, value) || reads_like(value, choices->found)))
		choices->twin = value;
	if (choices->suggestion.word)
		did_you_mean_try(
		    &choices->suggestion, json_string(value) ? json_string(value) : "");
}

static bool
choices_enough(const struct choices *choices)
{
	return choices->count >= TWINS_TRIED &&
	       (!choices->suggestion.word || !choices->suggestion.left);
}

void
choices_add_rule(struct choices *choices, const struct rule *rule)
{
	if (rule->check == check_const) {
		choices_add(choices, rule->value);
		return;
	}
	size_t count = choices->count + json_count(rule->value);
	for (const cJSON *e = json_first(rule->value); e && !choices_enough(choices); e = e->next)
		choices_add(choices, e);
	choices->count = count;
}

static void
say_bare(const cJSON *value, struct buf *out)
{
	const char *text = json_string(value);
	bool plain =
	    text && *text && strcspn(text, "\"\\, \n\t") == strlen(text) && strlen(text) <= 40;

	if (plain && (json_is_number_text(text, strlen(text)) || strcmp(text, "null") == 0 ||
			 strcmp(text, "true") == 0 || strcmp(text, "false") == 0))
		plain = false;

	if (plain)
		buf_add_str(out, text);
	else
		say_value(value, out);
}

void
say_choices(const struct choices *choices, struct buf *out)
{
	bool whole = choices->count <= LISTED_WHOLE;
	size_t shown = 0, start = out->len;

	if (choices->count == 0)
		buf_add_str(out, "nothing (the array is empty)");
	else if (choices->count > 1 || choices->types)
		buf_add_str(out, "one of ");
	for (; shown < choices->count; shown++) {
		if (shown >= LISTED_SHORT && (!whole || out->len - start > LISTED_BYTES))
			break;
		buf_add_str(out, shown ? ", " : "");
		say_bare(choices->first[shown], out);
	}
	if (shown < choices->count)
		buf_addf(out, " and %zu more", choices->count - shown);
	if (choices->types) {
		buf_add_str(out, ", ");
		say_types(choices->types, out);
	}
}

/* ---- enum, const ---- */

void
choices_want(struct choices *choices, const struct record *r)
{
	const char *text = r->naming ? r->pub.node->string : json_string(r->pub.node);

	choices->found = r->naming ? NULL : r->pub.node;
	suggest_for(&choices->suggestion, text, r);
}

void
say_enum(const struct record *r, struct buf *out)
{
	struct choices choices = { 0 };

	choices_add_rule(&choices, r->rule);
	say_choices(&choices, out);
}

#define COMPARED 64 /* characters to compare in strings that may look the same */

static size_t
read_characters(const char *text, uint32_t *out)
{
	size_t count = 0;

	while (*text && count <= COMPARED)
		out[count++] = take_character(&text);
	return count;
}

/* Names the character that differs in two strings that may look the same, if few differ and they
 * are not ASCII. */
static bool
say_difference(const char *found, const char *meant, struct buf *out)
{
	uint32_t a[COMPARED + 1], b[COMPARED + 1];
	size_t a_len = read_characters(found, a), b_len = read_characters(meant, b);
	size_t least = a_len < b_len ? a_len : b_len, start = 0, end = 0;

	if (least == 0 || a_len > COMPARED || b_len > COMPARED)
		return false;
	while (start < least && a[start] == b[start])
		start++;
	while (end < least - start && a[a_len - 1 - end] == b[b_len - 1 - end])
		end++;
	if (start == a_len || start == b_len || 2 * (start + end) < least ||
	    a_len - start - end > 2 || b_len - start - end > 2 ||
	    (a[start] < 0x80 && b[start] < 0x80))
		return false;
	buf_addf(out, " (character %zu is U+%04X, not U+%04X)", start + 1, (unsigned)a[start],
	    (unsigned)b[start]);
	return true;
}

static bool
say_lookalike(const struct choices *choices, struct buf *out)
{
	const char *found = choices->found ? json_string(choices->found) : NULL;

	for (size_t i = 0; found && i < choices->count && i < LISTED_WHOLE; i++)
		if (json_string(choices->first[i]) &&
		    say_difference(found, json_string(choices->first[i]), out))
			return true;
	return false;
}

static void
say_meant(const struct choices *choices, struct buf *out)
{
	if (!choices->twin) {
		if (!say_lookalike(choices, out))
			say_suggestion(&choices->suggestion, "\"", out);
		return;
	}
	bool text = json_string(choices->found) != NULL;
	buf_add_str(out, " (");
	say_value(text ? choices->found : choices->twin, out);
	buf_add_str(out, " is a string, ");
	say_value(text ? choices->twin : choices->found, out);
	buf_add_str(out, " is not)");
}

void
line_choices(const struct record *r, const struct choices *choices, struct buf *out)
{
	say_subject(r, out);
	buf_add_str(out, " is not ");
	say_choices(choices, out);
	say_meant(choices, out);
}

void
line_enum(const struct record *r, struct buf *out)
{
	struct choices choices = { 0 };

	choices_want(&choices, r);
	choices_add_rule(&choices, r->rule);
	line_choices(r, &choices, out);
}

void
say_const(const struct record *r, struct buf *out)
{
	say_value(r->rule->value, out);
}

#define DIFFERENCE_DEPTH 16

/* Descends to the first member that differs in two objects and adds its name to the path.
 * Returns false if there is none. */
static bool
go_to_difference(const cJSON **found, const cJSON **meant, struct buf *path)
{
	for (const cJSON *m = json_first(*meant); m; m = m->next) {
		const cJSON *f = json_get(*found, m->string);
		if (!f)
			return false;
		if (json_equal(f, m))
			continue;
		json_pointer_add_key(path, m->string);
		*found = f;
		*meant = m;
		return true;
	}
	return false;
}

/* Shows only the difference from a long constant: "differs from the constant at /a: 1 is not 2".
 */
static bool
line_first_difference(const struct record *r, struct buf *out)
{
	const cJSON *found = r->pub.node, *meant = r->rule->value;
	struct buf path = BUF_INIT;
	unsigned depth = 0;

	while (depth < DIFFERENCE_DEPTH && !is_leaf(found) &&
	       json_type(found) == json_type(meant) && go_to_difference(&found, &meant, &path))
		depth++;
	if (depth > 0) {
		buf_addf(out, "differs from the constant at %s: ", buf_text(&path));
		say_value(found, out);
		buf_add_str(out, " is not ");
		say_value(meant, out);
	}
	buf_finish(&path);
	return depth > 0;
}

void
line_const(const struct record *r, struct buf *out)
{
	struct choices choices = { .found = r->naming ? NULL : r->pub.node };

	if (!r->naming && !is_leaf(r->pub.node) && line_first_difference(r, out))
		return;
	choices_add(&choices, r->rule->value);
	say_subject(r, out);
	buf_add_str(out, " is not ");
	say_const(r, out);
	say_meant(&choices, out);
}
