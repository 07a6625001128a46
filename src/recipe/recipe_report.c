/* SPDX-License-Identifier: MIT */
#include "recipe/report.h"

#include "base/ascii.h"
#include "base/glyph.h"
#include "base/mem.h"
#include "base/units.h"
#include "base/vec.h"
#include "json/print.h"
#include "json/write.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#define CASES_KEPT 10000
#define CASES_MAX 20000 /* with failures */

const char *const recipe_failure_names[] = { "", "expectation", "error", "no answer",
	"broken result", "recipe" };

/* ---- names ---- */

struct report_name {
	size_t uses; /* numbers in use for that text */
	char text[];
};

static struct report_name *
find_name(const struct map *names, const char *text)
{
	struct report_name *name;

	MAP_EACH(names, text_hash(recipe_failure_names, text, strlen(text)), name)
		if (strcmp(name->text, text) == 0)
			return name;
	return NULL;
}

/* Return the text, or "text (2)" and so on if it is in use. */
static const char *
add_recipe_report_name(struct map *names, const char *text)
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
	map_add(names, text_hash(recipe_failure_names, name->text, own.len), name);
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
	*VEC_PUSH(&r->suites) =
	    (struct recipe_suite){ .name = add_recipe_report_name(&r->names, name),
		    .file = mem_strdup(file) };
}

static void
report_add_safe(struct buf *out, const char *text)
{
	glyph_append_safe(out, text, strlen(text), GLYPH_KEEP_NOTHING);
}

void
report_add_case(struct recipe_report *r, const struct recipe_record *record)
{
	struct recipe_suite *s = &r->suites.items[r->suites.len - 1];
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
			    ? add_recipe_report_name(&s->names, buf_text(&name))
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
	struct recipe_suite *s = &r->suites.items[r->suites.len - 1];

	free(s->trouble);
	s->trouble = mem_strdup(why);
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

static struct recipe_counts
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

/* ---- text ---- */

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
	if (record->took_us >= 1000000)
		buf_addf(out, " (%.1f s)", (double)record->took_us / 1e6);
	else if (record->took_us > 0)
		buf_addf(out, " (%.1f ms)", (double)record->took_us / 1e3);
	buf_add_char(out, '\n');
	if (record->outcome == RECIPE_FAILED || record->outcome == RECIPE_RETRIED) {
		const char *message = record->message;
		while (*message) {
			size_t len = strcspn(message, "\n");
			buf_addf(out, "%*s> ", (int)(8 + indent), "");
			glyph_append_safe(out, message, len, GLYPH_KEEP_NOTHING);
			buf_add_char(out, '\n');
			message += len + (message[len] == '\n');
		}
	}
}

static void
add_recipe_report_text(const struct recipe_report *r, struct buf *out)
{
	int64_t took_us;
	struct recipe_counts all = report_counts(r, &took_us);

	buf_addf(out, "%zu passed, %zu failed, %zu skipped in %.2f s\n", all.passed, all.failed,
	    all.skipped, (double)took_us / 1e6);
}

/* ---- JSON ---- */

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
	static const char *const outcomes[] = { "opened", "passed", "skipped", "failed",
		"retried" };

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
		json_write_member_ms(w, "ms", c->took_us);
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
	json_write_member_ms(&w, "ms", took_us);
	json_write_member_array(&w, "recipes");
	for (size_t i = 0; i < r->suites.len; i++) {
		const struct recipe_suite *s = &r->suites.items[i];
		json_write_object(&w);
		json_write_member_string(&w, "name", s->name);
		json_write_member_string(&w, "file", s->file);
		write_counts(&w, &s->counts);
		json_write_member_ms(&w, "ms", s->took_us);
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

/* Formats of test tools. */

/* ---- JUnit ---- */

/* Append text for an attribute or an element, with its markup escaped. */
static void
add_xml(struct buf *out, const char *text, enum glyph_keep keep)
{
	struct buf safe = BUF_INIT;

	glyph_append_safe(&safe, text, strlen(text), keep);
	for (const char *at = buf_text(&safe); *at; at++) {
		const char *name = *at == '<'    ? "&lt;"
				   : *at == '>'  ? "&gt;"
				   : *at == '&'  ? "&amp;"
				   : *at == '"'  ? "&quot;"
				   : *at == '\'' ? "&apos;"
						 : NULL;
		if (name)
			buf_add_str(out, name);
		else
			buf_add_char(out, *at);
	}
	buf_finish(&safe);
}

static void
add_attribute(struct buf *out, const char *name, const char *text)
{
	buf_addf(out, " %s=\"", name);
	add_xml(out, text, GLYPH_KEEP_NOTHING);
	buf_add_char(out, '"');
}

/* Append the first line of a message as an attribute, and all of it as text. with: the arguments,
 * or "". */
static void
add_problem(
    struct buf *out, const char *element, const char *type, const char *message, const char *with)
{
	struct buf first = BUF_INIT;

	buf_add(&first, message, strcspn(message, "\n"));
	buf_addf(out, "\n      <%s", element);
	add_attribute(out, "message", buf_text(&first));
	add_attribute(out, "type", type);
	buf_add_char(out, '>');
	add_xml(out, message, GLYPH_KEEP_LINES);
	if (*with) {
		buf_add_str(out, "\nwith ");
		add_xml(out, with, GLYPH_KEEP_NOTHING);
	}
	buf_addf(out, "</%s>\n    ", element);
	buf_finish(&first);
}

static void
add_testcase(const struct recipe_suite *s, const struct recipe_case *c, struct buf *out)
{
	bool is_failure = c->failure == RECIPE_FAILED_EXPECTATION ||
			  c->failure == RECIPE_ERROR_ANSWER || c->failure == RECIPE_BROKEN_RESULT;

	buf_add_str(out, "    <testcase");
	add_attribute(out, "name", c->name);
	add_attribute(out, "classname", s->name);
	buf_addf(out, " time=\"%.6f\">", (double)c->took_us / 1e6);
	if (c->outcome == RECIPE_FAILED) {
		add_problem(out, is_failure ? "failure" : "error", recipe_failure_names[c->failure],
		    c->message, c->detail);
	} else if (c->outcome == RECIPE_SKIPPED) {
		buf_add_str(out, "<skipped");
		add_attribute(out, "message", c->message);
		buf_add_str(out, "/>");
	}
	buf_add_str(out, "</testcase>\n");
}

static void
count_errors(const struct recipe_suite *s, size_t *failures, size_t *errors)
{
	*errors = s->trouble != NULL;
	for (size_t i = 0; i < s->cases.len; i++)
		*errors += s->cases.items[i].outcome == RECIPE_FAILED &&
			   (s->cases.items[i].failure == RECIPE_NO_ANSWER ||
			       s->cases.items[i].failure == RECIPE_WRONG);
	*failures = s->counts.failed + (s->trouble != NULL) - *errors;
}

static void
add_testsuite(const struct recipe_suite *s, struct buf *out)
{
	const struct recipe_counts *n = &s->counts;
	size_t failures, errors;

	count_errors(s, &failures, &errors);
	buf_add_str(out, "  <testsuite");
	add_attribute(out, "name", s->name);
	add_attribute(out, "file", s->file);
	if (s->started_wall_us > 0) {
		/* In UTC, because JUnit's schemas have no time zone. */
		time_t second = (time_t)(s->started_wall_us / 1000000);
		struct tm utc = { 0 };
		char text[40];
		gmtime_r(&second, &utc);
		strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%S", &utc);
		add_attribute(out, "timestamp", text);
	}
	buf_addf(out,
	    " tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" skipped=\"%zu\" time=\"%.6f\">\n",
	    n->passed + n->failed + n->skipped + (s->trouble != NULL), failures, errors, n->skipped,
	    (double)s->took_us / 1e6);
	for (size_t i = 0; i < s->cases.len; i++)
		if (recipe_outcome_counts(s->cases.items[i].outcome))
			add_testcase(s, &s->cases.items[i], out);
	if (s->trouble) {
		buf_add_str(out, "    <testcase");
		add_attribute(out, "name", s->file);
		add_attribute(out, "classname", s->name);
		buf_add_str(out, " time=\"0\">");
		add_problem(out, "error", "recipe", s->trouble, "");
		buf_add_str(out, "</testcase>\n");
	}
	if (s->left_out > 0)
		buf_addf(out,
		    "    <system-out>%zu more steps are counted, but not listed</system-out>\n",
		    s->left_out);
	buf_add_str(out, "  </testsuite>\n");
}

static void
report_add_junit(const struct recipe_report *r, struct buf *out)
{
	int64_t took_us;
	struct recipe_counts all = report_counts(r, &took_us);
	size_t errors = 0, failures = 0;

	for (size_t i = 0; i < r->suites.len; i++) {
		size_t f, e;
		count_errors(&r->suites.items[i], &f, &e);
		failures += f;
		errors += e;
	}
	buf_add_str(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
	/* Jenkins' schema allows "skipped" on a testsuite only. */
	buf_addf(out, "<testsuites tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" time=\"%.6f\">\n",
	    all.passed + all.failed + all.skipped, failures, errors, (double)took_us / 1e6);
	for (size_t i = 0; i < r->suites.len; i++)
		add_testsuite(&r->suites.items[i], out);
	buf_add_str(out, "</testsuites>\n");
}

/* ---- TAP version 13: prove rejects a higher one ---- */

static void
add_description(struct buf *out, const char *text)
{
	for (; *text; text++) {
		if (*text == '#' || *text == '\\')
			buf_add_char(out, '\\');
		buf_add_char(out, *text);
	}
}

/* Append a YAML member as a JSON string. */
static void
add_diagnostic(struct buf *out, const char *name, const char *text)
{
	struct buf safe = BUF_INIT;

	glyph_append_safe(&safe, text, strlen(text), GLYPH_KEEP_LINES);
	buf_addf(out, "  %s: ", name);
	json_print_string(out, buf_text(&safe), safe.len);
	buf_add_char(out, '\n');
	buf_finish(&safe);
}

static void
add_point(const struct recipe_case *c, size_t number, struct buf *out)
{
	struct buf text = BUF_INIT;

	buf_addf(out, "%sok %zu - ", c->outcome == RECIPE_FAILED ? "not " : "", number);
	add_description(out, c->name);
	if (c->outcome == RECIPE_SKIPPED) {
		report_add_safe(&text, c->message);
		buf_add_str(out, " # SKIP ");
		add_description(out, buf_text(&text));
	}
	buf_add_char(out, '\n');
	if (c->outcome == RECIPE_FAILED) {
		buf_add_str(out, "  ---\n");
		add_diagnostic(out, "message", c->message);
		if (*c->detail)
			add_diagnostic(out, "with", c->detail);
		buf_add_str(out, "  ...\n");
	}
	buf_finish(&text);
}

static void
report_add_tap(const struct recipe_report *r, struct buf *out)
{
	size_t number = 0;

	buf_add_str(out, "TAP version 13\n");
	for (size_t i = 0; i < r->suites.len; i++) {
		const struct recipe_suite *s = &r->suites.items[i];
		buf_add_str(out, "# ");
		report_add_safe(out, s->name);
		buf_add_char(out, '\n');
		for (size_t c = 0; c < s->cases.len; c++)
			if (recipe_outcome_counts(s->cases.items[c].outcome))
				add_point(&s->cases.items[c], ++number, out);
		if (s->trouble) {
			static char none[] = "";
			struct buf name = BUF_INIT;
			report_add_safe(&name, s->file);
			const struct recipe_case c = { .outcome = RECIPE_FAILED,
				.name = buf_text(&name),
				.detail = none,
				.message = s->trouble };
			add_point(&c, ++number, out);
			buf_finish(&name);
		}
		if (s->left_out > 0)
			buf_addf(
			    out, "# %zu more steps are counted, but not listed\n", s->left_out);
	}
	buf_addf(out, "1..%zu\n", number);
}

/* ---- the summary of a step of GitHub Actions: Markdown ---- */

/* Append text of a table cell with Markdown and HTML escaped. */
static void
add_markdown(struct buf *out, const char *text)
{
	struct buf safe = BUF_INIT;

	glyph_append_safe(
	    &safe, text, strcspn(text, "\n") < 400 ? strcspn(text, "\n") : 400, GLYPH_KEEP_NOTHING);
	for (const char *at = buf_text(&safe); *at; at++) {
		unsigned char c = (unsigned char)*at;
		if (c == '<' || c == '>' || c == '&') {
			buf_addf(out, "&#%d;", c);
			continue;
		}
		if (c > ' ' && c < 0x7f && !ascii_is_alnum(c))
			buf_add_char(out, '\\');
		buf_add_char(out, *at);
	}
	buf_finish(&safe);
}

#define ROWS_MAX 200 /* limit of failures in a summary, which must be smaller than 1 MiB */

static void
add_failures(const struct recipe_suite *s, struct buf *out)
{
	size_t rows = 0;

	for (size_t i = 0; i < s->cases.len; i++) {
		const struct recipe_case *c = &s->cases.items[i];
		if (c->outcome != RECIPE_FAILED || ++rows > ROWS_MAX)
			continue;
		if (rows == 1)
			buf_add_str(out, "\n| Failed step | Why | With |\n| --- | --- | --- |\n");
		buf_add_str(out, "| ");
		add_markdown(out, c->name);
		buf_add_str(out, " | ");
		add_markdown(out, c->message);
		buf_add_str(out, " | ");
		add_markdown(out, c->detail);
		buf_add_str(out, " |\n");
	}
	if (rows > ROWS_MAX)
		buf_addf(out, "\nand %zu more.\n", rows - ROWS_MAX);
}

static void
report_add_github(const struct recipe_report *r, struct buf *out)
{
	buf_add_str(out, "## ");
	add_recipe_report_text(r, out);
	for (size_t i = 0; i < r->suites.len; i++) {
		const struct recipe_suite *s = &r->suites.items[i];
		bool failed = s->counts.failed > 0 || s->trouble;
		buf_addf(out, "\n### %s ", failed ? ":x:" : ":white_check_mark:");
		add_markdown(out, s->name);
		buf_addf(out, "\n\n%zu passed, %zu failed, %zu skipped: ", s->counts.passed,
		    s->counts.failed, s->counts.skipped);
		add_markdown(out, s->file);
		buf_add_char(out, '\n');
		if (s->trouble) {
			buf_add_char(out, '\n');
			add_markdown(out, s->trouble);
			buf_add_char(out, '\n');
		}
		add_failures(s, out);
	}
}

void
recipe_report_add(const struct recipe_report *r, enum recipe_format format, struct buf *out)
{
	static void (*const formats[])(const struct recipe_report *, struct buf *) = {
		[RECIPE_TEXT] = add_recipe_report_text,
		[RECIPE_JSON] = add_json,
		[RECIPE_JUNIT] = report_add_junit,
		[RECIPE_TAP] = report_add_tap,
		[RECIPE_GITHUB] = report_add_github,
	};

	formats[format](r, out);
}
