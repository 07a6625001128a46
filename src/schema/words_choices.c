#include "words_priv.h"

#include "json/print.h"

#include <string.h>

/* Sentences about values that have to be one of several. */

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
	if (choices->likely.word)
		likely_try(&choices->likely, json_string(value) ? json_string(value) : "");
}

static bool
choices_enough(const struct choices *choices)
{
	return choices->count >= TWINS_TRIED && (!choices->likely.word || !choices->likely.left);
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
		buf_add_str(out, "nothing (the list is empty)");
	else if (choices->count > 1)
		buf_add_str(out, "one of ");
	for (; shown < choices->count; shown++) {
		if (shown >= LISTED_SHORT && (!whole || out->len - start > LISTED_BYTES))
			break;
		buf_add_str(out, shown ? ", " : "");
		say_bare(choices->first[shown], out);
	}
	if (shown < choices->count)
		buf_addf(out, " and %zu more", choices->count - shown);
}

/* ---- enum, const ---- */

void
choices_want(struct choices *choices, const struct record *r)
{
	const char *text = r->naming ? r->pub.node->string : json_string(r->pub.node);

	choices->found = r->naming ? NULL : r->pub.node;
	want_likely(&choices->likely, text, r);
}

void
say_enum(const struct record *r, struct buf *out)
{
	struct choices choices = { 0 };

	choices_add_rule(&choices, r->rule);
	say_choices(&choices, out);
}

static void
say_meant(const struct choices *choices, struct buf *out)
{
	if (!choices->twin) {
		say_likely(&choices->likely, "\"", out);
		return;
	}
	bool text = json_string(choices->found) != NULL;
	buf_add_str(out, " (");
	say_value(text ? choices->found : choices->twin, out);
	buf_add_str(out, " is text, ");
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

void
line_const(const struct record *r, struct buf *out)
{
	struct choices choices = { .found = r->naming ? NULL : r->pub.node };

	choices_add(&choices, r->rule->value);
	say_subject(r, out);
	buf_add_str(out, " is not ");
	say_const(r, out);
	say_meant(&choices, out);
}
