#include "cli/client.h"

#include "check.h"

#include "base/clock.h"
#include "base/path.h"
#include "base/units.h"
#include "json/pointer.h"
#include "schema/findings.h"
#include "cli/print/print.h"

#include <stdio.h>
#include <string.h>

#define SCHEMA_MAX_BYTES ((size_t)16 << 20)
#define FINDINGS_SAID 20 /* per schema */
#define FLAWS_SAID 10    /* per text */

/* The outcome of an instance, worst last. */
enum fate { FATE_VALID, FATE_UNDECIDED, FATE_INVALID, FATE_UNREADABLE, FATE_COUNT };

struct times {
	int64_t schema_us, compile_us, parse_us, validate_us;
	size_t bytes;
};

struct check_run {
	const struct options *o;
	struct schema_map map;
	struct schema_library *library;
	struct buf text; /* the schema's source */
	struct json_doc *doc;
	struct schema *schema;
	struct buf out;
	int failed; /* exit code of a failed write; 0: none failed */
	enum fate worst;
	size_t fates[FATE_COUNT]; /* lines of the current file */
	struct times times;
};

static void
say_at(const struct origin *origin, unsigned line, unsigned column, const char *text)
{
	struct buf place = BUF_INIT;

	origin_add(origin, line, column, &place);
	say("%s: %s", buf_text(&place), text);
	buf_finish(&place);
}

/* The parser accepts these, but other programs may not. */
static void
say_flaws(const struct origin *origin, const struct json_doc *doc)
{
	size_t kept = json_flaws(doc)->len;

	for (size_t i = 0; i < kept && i < FLAWS_SAID; i++) {
		const struct json_flaw *flaw = &json_flaws(doc)->items[i];
		say_at(origin, flaw->line, flaw->column, json_flaw_text(flaw->kind));
	}
}

/* Some editors write one; RFC 8259 section 8.1 allows a reader to ignore it. */
static size_t
byte_order_mark(const struct origin *origin, const char *text, size_t len)
{
	if (origin->line > 1 || len < 3 || memcmp(text, "\xef\xbb\xbf", 3) != 0)
		return 0;
	say_at(origin, 1, 1, "byte order mark: ignored; JSON does not allow it");
	return 3;
}

static int64_t
lap(int64_t *since_us)
{
	int64_t now_us = clock_now_us(), took = now_us - *since_us;

	*since_us = now_us;
	return took;
}

/* ---- standard output ---- */

static void
flush(void *ctx)
{
	struct check_run *c = ctx;

	if (c->out.len > 0 && !c->failed)
		c->failed = output_write(&c->out, false);
	buf_clear(&c->out);
}

static void
write_out(struct check_run *c, const struct buf *text)
{
	bool is_json = c->o->format != CHECK_OUTPUT_TEXT;

	if (is_json)
		output_add_json(&c->out, text, false);
	else
		buf_add(&c->out, buf_text(text), text->len);
	if (is_json)
		buf_add_char(&c->out, '\n');
	if (c->out.len > (size_t)64 << 10)
		flush(c);
}

/* ---- the schema ---- */

/* Reports it in the output format as well. */
static void
tell_broken(struct check_run *c, const char *why, const struct schema_findings *findings,
    const struct json_position *at)
{
	const struct broken broken = {
		.file = c->o->schema, .why = why, .findings = findings, .at = at
	};
	const struct check_format *format = &check_formats[c->o->format];
	struct buf text = BUF_INIT;
	struct json_writer w;

	json_write_init(&w, &text);
	if (format->add_broken) {
		format->add_broken(&broken, &w);
		write_out(c, &text);
		flush(c);
	}
	buf_finish(&text);
}

static bool
load_schema(struct check_run *c)
{
	const struct origin origin = { .file = c->o->schema };
	int64_t since_us = clock_now_us();
	struct json_error error;
	struct err err;

	buf_init(&c->text, SCHEMA_MAX_BYTES);
	if (!path_read_file(c->o->schema, &c->text, &err)) {
		say("%s", err.text);
		tell_broken(c, err.text, NULL, NULL);
		return false;
	}
	buf_consume(&c->text, byte_order_mark(&origin, buf_text(&c->text), c->text.len));
	lap(&since_us);
	c->doc = json_parse(buf_text(&c->text), c->text.len, NULL, &error);
	c->times.schema_us = lap(&since_us);
	if (!c->doc) {
		say_at(&origin, error.line, error.column, error.text);
		err_set(&err, "not JSON, %u:%u: %s", error.line, error.column, error.text);
		tell_broken(c, err.text, NULL, NULL);
		return false;
	}
	say_flaws(&origin, c->doc);
	return true;
}

static void
say_finding(
    const struct check_run *c, const struct schema_finding *finding, const struct json_position *at)
{
	const struct origin origin = { .file = c->o->schema };
	struct buf text = BUF_INIT;

	buf_addf(&text, "%s: %s%s", finding->pointer[0] ? finding->pointer : "(the whole)",
	    finding->error ? "" : "warning: ", finding->text);
	say_at(&origin, at->line, at->column, buf_text(&text));
	buf_finish(&text);
}

static struct json_position
position_of(const struct check_run *c, const struct schema_finding *finding)
{
	const cJSON *node = json_pointer_find(json_root(c->doc), finding->pointer);
	struct json_position at = { 0 };

	if (node)
		json_positions(buf_text(&c->text), c->text.len, json_root(c->doc), &node, 1, &at);
	return at;
}

/* Reports errors in the schema. False: the schema cannot be used. */
static bool
review_schema(struct check_run *c, const struct schema_options *options)
{
	static const char NOTHING[] = "the schema is broken: nothing was checked";
	struct schema_findings findings = { 0 };
	struct json_position at[SCHEMA_FINDINGS_MAX];
	bool fine = c->schema != NULL;

	schema_find(&findings, json_root(c->doc), options);
	for (size_t i = 0; i < findings.len; i++) {
		at[i] = position_of(c, &findings.items[i]);
		fine &= !findings.items[i].error;
		if (i < FINDINGS_SAID)
			say_finding(c, &findings.items[i], &at[i]);
	}
	if (findings.len + findings.rest > FINDINGS_SAID)
		say("%s: and %zu more", c->o->schema, findings.len + findings.rest - FINDINGS_SAID);
	if (!fine) {
		say("%s: %s", c->o->schema, NOTHING);
		tell_broken(c, NOTHING, &findings, at);
	}
	schema_findings_finish(&findings);
	return fine;
}

static bool
compile_schema(struct check_run *c)
{
	struct buf uri = BUF_INIT;
	bool has_uri = strcmp(c->o->schema, "-") != 0 && schema_map_add_uri(c->o->schema, &uri);
	const struct schema_options options = {
		.draft = (enum schema_draft)c->o->draft,
		.format = c->o->assert_format ? SCHEMA_FORMAT_ASSERTS : SCHEMA_FORMAT_WARNS,
		.asserts_content = c->o->assert_content,
		.strict_integers = c->o->strict_integers,
		.library = c->library,
		.uri = has_uri ? buf_text(&uri) : NULL,
	};
	struct schema_problem problem;
	int64_t since_us = clock_now_us();

	c->schema = schema_compile(json_root(c->doc), &options, &problem);
	c->times.compile_us = lap(&since_us);
	bool fine = review_schema(c, &options);
	if (c->map.missed)
		say("--map URI-PREFIX=DIR tells which folder has the schemas that such references "
		    "name");
	buf_finish(&uri);
	return fine;
}

/* ---- the instances ---- */

static void
count(struct check_run *c, const struct origin *origin, enum fate fate)
{
	c->fates[fate] += origin->line > 0;
	if (fate > c->worst)
		c->worst = fate;
}

static void
fail(struct check_run *c, const struct origin *origin, const char *why)
{
	const struct check_format *format = &check_formats[c->o->format];
	struct buf text = BUF_INIT;
	struct json_writer w;

	json_write_init(&w, &text);
	count(c, origin, FATE_UNREADABLE);
	if (format->add_failure) {
		format->add_failure(origin, why, &w);
		write_out(c, &text);
	}
	buf_finish(&text);
}

static struct json_doc *
parse(struct check_run *c, const struct origin *origin, const char *text, size_t len)
{
	int64_t since_us = clock_now_us();
	struct json_error error;
	struct json_doc *doc = json_parse(text, len, NULL, &error);

	c->times.parse_us += lap(&since_us);
	c->times.bytes += len;
	if (!doc) {
		char why[200];
		if (origin->line > 0)
			snprintf(
			    why, sizeof(why), "not JSON, column %u: %s", error.column, error.text);
		else
			snprintf(why, sizeof(why), "not JSON, %u:%u: %s", error.line, error.column,
			    error.text);
		say_at(origin, error.line, error.column, error.text);
		fail(c, origin, why);
		return NULL;
	}
	say_flaws(origin, doc);
	return doc;
}

static void
on_instance(void *ctx, const struct origin *origin, const char *text, size_t len)
{
	static const enum fate FATES[] = {
		[SCHEMA_VALID] = FATE_VALID,
		[SCHEMA_INVALID] = FATE_INVALID,
		[SCHEMA_UNDECIDED] = FATE_UNDECIDED,
	};
	struct check_run *c = ctx;
	const struct check_format *format = &check_formats[c->o->format];
	const struct check_options options = { .mode = format->mode };
	size_t mark = byte_order_mark(origin, text, len);
	text += mark;
	len -= mark;
	struct json_doc *doc = c->failed ? NULL : parse(c, origin, text, len);
	struct buf out = BUF_INIT;
	struct json_writer w;

	if (!doc)
		return;
	int64_t since_us = clock_now_us();
	struct report *report = schema_check(c->schema, json_root(doc), &options);
	c->times.validate_us += lap(&since_us);
	count(c, origin, FATES[report_facts(report)->outcome]);
	const struct checked checked = {
		.origin = origin,
		.text = text,
		.len = len,
		.doc = doc,
		.schema = c->schema,
		.report = report,
	};
	json_write_init(&w, &out);
	format->add_result(&checked, &w);
	write_out(c, &out);
	buf_finish(&out);
	report_destroy(report);
	json_doc_destroy(doc);
}

static void
on_unreadable(void *ctx, const struct origin *origin, const char *why)
{
	struct check_run *c = ctx;

	flush(c);
	if (origin->line > 0)
		say_at(origin, 0, 0, why);
	else
		say("%s", why);
	fail(c, origin, why);
}

static void
sum_up_lines(struct check_run *c, const char *file)
{
	static const char *const WORDS[] = {
		[FATE_VALID] = "valid",
		[FATE_UNDECIDED] = "undecided",
		[FATE_INVALID] = "invalid",
		[FATE_UNREADABLE] = "unreadable",
	};
	size_t all = 0;

	if (c->o->format != CHECK_OUTPUT_TEXT)
		return;
	for (size_t i = 0; i < FATE_COUNT; i++)
		all += c->fates[i];
	buf_addf(&c->out, "%s: %zu instance%s", file, all, plural(all));
	for (size_t i = 0; i < FATE_COUNT; i++)
		if (c->fates[i] > 0)
			buf_addf(&c->out, ", %zu %s", c->fates[i], WORDS[i]);
	buf_add_char(&c->out, '\n');
}

static void
check_file(struct check_run *c, const char *file)
{
	const struct instance_events input = {
		.on_instance = on_instance,
		.on_unreadable = on_unreadable,
		.on_pause = flush,
		.ctx = c,
	};
	bool lines = c->o->lines || instances_has_lines(file);

	memset(c->fates, 0, sizeof(c->fates));
	instances_read(file, lines, &input);
	if (lines)
		sum_up_lines(c, file);
	flush(c);
}

static void
say_times(const struct times *t)
{
	say("schema: parse %.3f ms, compile %.3f ms; instances: parse %.3f ms (%zu bytes), "
	    "validate %.3f ms",
	    (double)t->schema_us / 1e3, (double)t->compile_us / 1e3, (double)t->parse_us / 1e3,
	    t->bytes, (double)t->validate_us / 1e3);
}

static int
run(struct check_run *c)
{
	static const int EXITS[] = {
		[FATE_VALID] = CLI_EXIT_OK,
		[FATE_UNDECIDED] = CLI_EXIT_UNDECIDED,
		[FATE_INVALID] = CLI_EXIT_BROKEN_RESULT,
		[FATE_UNREADABLE] = CLI_EXIT_USAGE,
	};

	if (!load_schema(c) || !compile_schema(c))
		return CLI_EXIT_USAGE;
	for (size_t i = 0; i < c->o->instances.len && !c->failed; i++)
		check_file(c, c->o->instances.items[i]);
	if (c->o->time)
		say_times(&c->times);
	return c->failed ? c->failed : EXITS[c->worst];
}

int
cli_check(const struct options *o)
{
	struct check_run c = { .o = o };
	struct err err;

	if (!schema_map_init(&c.map, &o->maps, &err)) {
		say("%s", err.text);
		return CLI_EXIT_USAGE;
	}
	c.library = schema_library_create();
	schema_library_ask(c.library, schema_map_find, &c.map);
	int code = run(&c);
	schema_destroy(c.schema);
	schema_library_destroy(c.library);
	schema_map_finish(&c.map);
	json_doc_destroy(c.doc);
	buf_finish(&c.text);
	buf_finish(&c.out);
	return code;
}
