#include "recipe/report.h"

#include "base/glyph.h"
#include "base/mem.h"
#include "base/units.h"
#include "base/vec.h"
#include "json/print.h"
#include "json/write.h"
#include "report_parts.h"

#include <stdlib.h>
#include <string.h>

#define CASES_KEPT 10000
#define CASES_MAX 20000 /* with failures */

const char *const recipe_failure_names[] = { "", "expectation", "error", "no answer",
	"broken result", "recipe" };

/* ---- names ---- */

struct report_name {
	size_t uses; /* of the text, with numbers behind it */
	char text[];
};

static uint64_t
hash_of(const char *text)
{
	return text_hash(recipe_failure_names, text, strlen(text));
}

static struct report_name *
find_name(const struct map *names, const char *text)
{
	struct report_name *name;

	MAP_EACH(names, hash_of(text), name)
	if (strcmp(name->text, text) == 0)
		return name;
	return NULL;
}

/* The text, or "text (2)" and so on if it is taken. */
static const char *
add_name(struct map *names, const char *text)
{
	struct report_name *taken = find_name(names, text);
	struct buf own = BUF_INIT;

	buf_add_str(&own, text);
	while (taken && find_name(names, buf_text(&own))) {
		buf_clear(&own);
		buf_addf(&own, "%s (%zu)", text, ++taken->uses);
	}
	struct report_name *name = mem_alloc(sizeof(*name) + own.len + 1);
	name->uses = 1;
	memcpy(name->text, buf_text(&own), own.len + 1);
	map_add(names, hash_of(name->text), name);
	buf_finish(&own);
	return name->text;
}

static void
finish_names(struct map *names)
{
	struct report_name *name;

	MAP_ALL(names, name)
	free(name);
	map_finish(names);
}

/* ---- a report ---- */

void
report_add_suite(struct recipe_report *r, const char *name, const char *file)
{
	*VEC_PUSH(&r->suites) = (struct recipe_suite){ .name = add_name(&r->names, name),
		.file = mem_strdup(file) };
}

static struct recipe_suite *
last(struct recipe_report *r)
{
	return &r->suites.items[r->suites.len - 1];
}

void
report_add_case(struct recipe_report *r, const struct recipe_record *record)
{
	struct recipe_suite *s = last(r);
	struct buf name = BUF_INIT;
	bool failed = record->outcome == RECIPE_FAILED;

	s->counts.passed += record->outcome == RECIPE_PASSED;
	s->counts.skipped += record->outcome == RECIPE_SKIPPED;
	s->counts.failed += failed;
	if (s->cases.len >= (failed ? CASES_MAX : CASES_KEPT)) {
		s->left_out += recipe_outcome_counts(record->outcome);
		return;
	}
	report_add_safe(&name, record->title);
	if (*record->place)
		buf_addf(&name, " [%s]", record->place);
	*VEC_PUSH(&s->cases) = (struct recipe_case){
		.outcome = record->outcome,
		.failure = record->failure,
		.depth = record->depth,
		.round = record->round,
		.rounds = record->rounds,
		.name = recipe_outcome_counts(record->outcome)
			    ? add_name(&s->names, buf_text(&name))
			    : "",
		.title = mem_strdup(record->title),
		.detail = mem_strdup(record->detail),
		.message = mem_strdup(record->message),
		.took_us = record->took_us,
		.attempt = record->attempt,
		.call = record->call,
	};
	buf_finish(&name);
}

void
report_set_trouble(struct recipe_report *r, const char *why)
{
	free(last(r)->trouble);
	last(r)->trouble = mem_strdup(why);
}

void
recipe_report_finish(struct recipe_report *r)
{
	for (size_t i = 0; i < r->suites.len; i++) {
		struct recipe_suite *s = &r->suites.items[i];
		for (size_t c = 0; c < s->cases.len; c++) {
			free(s->cases.items[c].title);
			free(s->cases.items[c].detail);
			free(s->cases.items[c].message);
		}
		free(s->cases.items);
		finish_names(&s->names);
		free(s->file);
		free(s->trouble);
	}
	free(r->suites.items);
	finish_names(&r->names);
	*r = (struct recipe_report){ 0 };
}

struct recipe_counts
report_counts(const struct recipe_report *r, int64_t *took_us)
{
	struct recipe_counts all = { 0 };

	*took_us = 0;
	for (size_t i = 0; i < r->suites.len; i++) {
		const struct recipe_suite *s = &r->suites.items[i];
		all.passed += s->counts.passed;
		all.failed += s->counts.failed + (s->trouble != NULL);
		all.skipped += s->counts.skipped;
		*took_us += s->took_us;
	}
	return all;
}

void
report_add_safe(struct buf *out, const char *text)
{
	glyph_append_safe(out, text, strlen(text), GLYPH_KEEP_NOTHING);
}

/* ---- text ---- */

static void
add_message(const char *message, size_t indent, struct buf *out)
{
	while (*message) {
		size_t len = strcspn(message, "\n");
		buf_addf(out, "%*s> ", (int)indent, "");
		glyph_append_safe(out, message, len, GLYPH_KEEP_NOTHING);
		buf_add_char(out, '\n');
		message += len + (message[len] == '\n');
	}
}

static void
add_time(int64_t us, struct buf *out)
{
	if (us >= 1000000)
		buf_addf(out, " (%.1f s)", (double)us / 1e6);
	else if (us > 0)
		buf_addf(out, " (%.1f ms)", (double)us / 1e3);
}

void
recipe_add_line(const struct recipe_record *record, struct buf *out)
{
	static const char *const words[] = { "for     ", "ok      ", "skipped ", "FAILED  ",
		"again   " };
	size_t indent = record->depth < 20 ? record->depth * 2 : 40;

	if (record->outcome == RECIPE_OPENED && record->rounds == 0)
		buf_add_str(out, "do      ");
	else
		buf_add_str(out, words[record->outcome]);
	buf_addf(out, "%*s", (int)indent, "");
	if (record->round > 0)
		buf_addf(out, "[%zu/%zu] ", record->round, record->rounds);
	report_add_safe(out, record->title);
	if (*record->detail)
		buf_add_char(out, ' ');
	report_add_safe(out, record->detail);
	if (record->outcome == RECIPE_OPENED && record->rounds > 0 && record->round == 0)
		buf_addf(out, ": %zu round%s", record->rounds, plural(record->rounds));
	if (record->outcome == RECIPE_SKIPPED && *record->message) {
		buf_add_str(out, ": ");
		report_add_safe(out, record->message);
	}
	if (record->attempt > 1)
		buf_addf(out, " (attempt %zu)", record->attempt);
	add_time(record->took_us, out);
	buf_add_char(out, '\n');
	if (record->outcome == RECIPE_FAILED || record->outcome == RECIPE_RETRIED)
		add_message(record->message, 8 + indent, out);
}

static void
add_text(const struct recipe_report *r, struct buf *out)
{
	int64_t took_us;
	struct recipe_counts all = report_counts(r, &took_us);

	buf_addf(out, "%zu passed, %zu failed, %zu skipped in %.2f s\n", all.passed, all.failed,
	    all.skipped, (double)took_us / 1e6);
}

/* ---- JSON ---- */

static void
write_ms(struct json_writer *w, int64_t us)
{
	char ms[32];

	snprintf(ms, sizeof(ms), "%.3f", (double)us / 1000);
	json_write_member_json(w, "ms", ms);
}

static void
write_counts(struct json_writer *w, const struct recipe_counts *counts)
{
	json_write_member_int(w, "passed", (int64_t)counts->passed);
	json_write_member_int(w, "failed", (int64_t)counts->failed);
	json_write_member_int(w, "skipped", (int64_t)counts->skipped);
}

static void
write_case(struct json_writer *w, const struct recipe_case *c)
{
	static const char *const outcomes[] = { "opened", "passed", "skipped", "failed", "retried" };

	json_write_object(w);
	if (*c->name)
		json_write_member_string(w, "name", c->name);
	json_write_member_string(w, "title", c->title);
	json_write_member_string(w, "outcome", outcomes[c->outcome]);
	json_write_member_int(w, "depth", (int64_t)c->depth);
	if (c->round > 0)
		json_write_member_int(w, "round", (int64_t)c->round);
	if (c->rounds > 0)
		json_write_member_int(w, "rounds", (int64_t)c->rounds);
	if (c->attempt > 0)
		json_write_member_int(w, "attempt", (int64_t)c->attempt);
	if (c->took_us > 0)
		write_ms(w, c->took_us);
	if (*c->detail)
		json_write_member_string(w, "detail", c->detail);
	if (c->failure)
		json_write_member_string(w, "failure", recipe_failure_names[c->failure]);
	if (*c->message)
		json_write_member_string(w, "message", c->message);
	json_write_object_end(w);
}

static void
add_json(const struct recipe_report *r, struct buf *out)
{
	struct json_writer w;
	int64_t took_us;
	struct recipe_counts all = report_counts(r, &took_us);

	json_write_init(&w, out);
	json_write_object(&w);
	write_counts(&w, &all);
	write_ms(&w, took_us);
	json_write_member_array(&w, "recipes");
	for (size_t i = 0; i < r->suites.len; i++) {
		const struct recipe_suite *s = &r->suites.items[i];
		json_write_object(&w);
		json_write_member_string(&w, "name", s->name);
		json_write_member_string(&w, "file", s->file);
		write_counts(&w, &s->counts);
		write_ms(&w, s->took_us);
		if (s->trouble)
			json_write_member_string(&w, "trouble", s->trouble);
		if (s->left_out > 0)
			json_write_member_int(&w, "leftOut", (int64_t)s->left_out);
		json_write_member_array(&w, "steps");
		for (size_t c = 0; c < s->cases.len; c++)
			write_case(&w, &s->cases.items[c]);
		json_write_array_end(&w);
		json_write_object_end(&w);
	}
	json_write_array_end(&w);
	json_write_object_end(&w);
}

void
recipe_report_add(const struct recipe_report *r, enum recipe_format format, struct buf *out)
{
	static void (*const formats[])(const struct recipe_report *, struct buf *) = {
		[RECIPE_TEXT] = add_text,
		[RECIPE_JSON] = add_json,
		[RECIPE_JUNIT] = report_add_junit,
		[RECIPE_TAP] = report_add_tap,
		[RECIPE_GITHUB] = report_add_github,
	};

	formats[format](r, out);
}
