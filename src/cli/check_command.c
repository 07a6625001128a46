/* SPDX-License-Identifier: MIT */
#include "client.h"

#include "base/clock.h"
#include "base/glyph.h"
#include "base/mem.h"
#include "base/path.h"
#include "base/units.h"
#include "base/url.h"
#include "base/vec.h"
#include "cli/print/print.h"
#include "json/pointer.h"
#include "json/write.h"
#include "schema/findings.h"
#include "schema/output.h"
#include "schema/schema.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The source of an instance. */
struct origin {
	const char *file; /* as given */
	size_t line;      /* line of a JSON Lines file, from 1; 0: the whole file */
};

struct checked {
	const struct origin *origin;
	const char *text; /* as read */
	size_t len;
	const struct json_doc *doc;
	const struct schema *schema;
	const struct report *report;
};

#define VIOLATIONS_SAID 100
#define GROUPS_SAID 5
#define ROWS_WORTH_SUMMING 4

static const char *const OUTCOMES[] = {
	[SCHEMA_VALID] = "valid",
	[SCHEMA_INVALID] = "invalid",
	[SCHEMA_UNDECIDED] = "undecided",
};

/* FILE:LINE:COLUMN; line and column are relative to the instance's text, 0: unknown. */
static void
origin_add(const struct origin *origin, unsigned line, unsigned column, struct buf *out)
{
	buf_add_str(out, origin->file);
	if (origin->line > 0)
		buf_addf(out, ":%zu", origin->line);
	else if (line > 0)
		buf_addf(out, ":%u", line);
	if (column > 0)
		buf_addf(out, ":%u", column);
}

/* ---- text format ---- */

/* Keeps a message on one line, even if it quotes line breaks. */
static void
add_check_line(struct buf *line, struct buf *out)
{
	glyph_append_safe(out, buf_text(line), line->len, GLYPH_KEEP_NOTHING);
	buf_add_char(out, '\n');
	buf_clear(line);
}

static void
list_violations(const struct checked *c, struct buf *out)
{
	size_t kept = report_facts(c->report)->kept;
	size_t shown = kept < VIOLATIONS_SAID ? kept : VIOLATIONS_SAID;
	size_t all = report_facts(c->report)->violations + report_facts(c->report)->warnings;
	const cJSON *nodes[VIOLATIONS_SAID];
	struct json_position at[VIOLATIONS_SAID];
	struct buf line = BUF_INIT;

	for (size_t i = 0; i < shown; i++)
		nodes[i] = report_at(c->report, i)->node;
	json_positions(c->text, c->len, json_root(c->doc), nodes, shown, at);
	for (size_t i = 0; i < shown; i++) {
		origin_add(c->origin, at[i].line, at[i].column, &line);
		buf_add_str(&line, ": ");
		result_add_violation(c->report, i, &line);
		add_check_line(&line, out);
	}
	if (all > shown) {
		origin_add(c->origin, 0, 0, &line);
		buf_addf(&line, ": and %zu more", all - shown);
		add_check_line(&line, out);
	}
	buf_finish(&line);
}

static void
add_check_text(const struct checked *c, struct buf *out)
{
	const struct report *r = c->report;
	const struct report_facts *facts = report_facts(r);
	struct summary summary;
	struct buf line = BUF_INIT;
	bool plain = facts->outcome == SCHEMA_VALID && facts->warnings == 0;

	list_violations(c, out);
	if (summary_init(&summary, r)) {
		if (summary.failed >= ROWS_WORTH_SUMMING) {
			origin_add(c->origin, 0, 0, &line);
			buf_add_str(&line, ": ");
			if (summary.list != json_root(c->doc)) {
				json_pointer_of(json_root(c->doc), summary.list, &line);
				buf_add_str(&line, ": ");
			}
			summary_line(&summary, GROUPS_SAID, &line);
			add_check_line(&line, out);
		}
		summary_finish(&summary);
	}
	/* valid lines of a large file are counted only */
	if (!c->origin->line || !plain) {
		origin_add(c->origin, 0, 0, &line);
		buf_addf(&line, ": %s (%s)", OUTCOMES[facts->outcome],
		    schema_draft_name(schema_draft(c->schema)));
		if (facts->outcome == SCHEMA_INVALID)
			buf_addf(&line, ", %zu violation%s", facts->violations,
			    plural(facts->violations));
		if (facts->warnings > 0)
			buf_addf(
			    &line, ", %zu warning%s", facts->warnings, plural(facts->warnings));
		if (facts->unchecked_count > 0) {
			buf_add_str(&line, ", not checked: ");
			report_add_unchecked(r, &line);
		}
		add_check_line(&line, out);
	}
	buf_finish(&line);
}

/* ---- JSON formats ---- */

static void
write_origin(const struct origin *origin, struct json_writer *w)
{
	json_write_member_string(w, "instance", origin->file);
	if (origin->line > 0)
		json_write_member_int(w, "line", (int64_t)origin->line);
}

static void
write_summary(const struct checked *c, struct json_writer *w)
{
	struct summary s;
	struct buf path = BUF_INIT;

	if (!summary_init(&s, c->report))
		return;
	json_pointer_of(json_root(c->doc), s.list, &path);
	json_write_member_object(w, "summary");
	json_write_member_string(w, "instancePath", buf_text(&path));
	json_write_member_int(w, "rows", (int64_t)s.rows);
	json_write_member_int(w, "failed", (int64_t)s.failed);
	json_write_member_bool(w, "partial", s.partial);
	json_write_member_array(w, "groups");
	for (size_t i = 0; i < s.groups.len; i++) {
		json_write_object(w);
		json_write_member_string(w, "fault", s.groups.items[i].text);
		json_write_member_int(w, "rows", (int64_t)s.groups.items[i].rows);
		json_write_object_end(w);
	}
	json_write_array_end(w);
	json_write_object_end(w);
	buf_finish(&path);
	summary_finish(&s);
}

static void
add_json(const struct checked *c, struct json_writer *w)
{
	json_write_object(w);
	write_origin(c->origin, w);
	json_write_member_string(w, "status", OUTCOMES[report_facts(c->report)->outcome]);
	json_write_member_int(w, "violations", (int64_t)report_facts(c->report)->violations);
	write_summary(c, w);
	output_findings(w, c->report);
	/* the parser accepts these, but other programs may not */
	const struct json_flaws *flaws = json_flaws(c->doc);
	if (flaws->len > 0)
		json_write_member_array(w, "notes");
	for (size_t i = 0; i < flaws->len; i++) {
		const struct json_flaw *flaw = &flaws->items[i];
		json_write_object(w);
		json_write_member_int(w, "line",
		    c->origin->line > 0 ? (int64_t)c->origin->line : (int64_t)flaw->line);
		json_write_member_int(w, "column", flaw->column);
		json_write_member_string(w, "message", json_flaw_text(flaw->kind));
		json_write_object_end(w);
	}
	if (flaws->len > 0)
		json_write_array_end(w);
	json_write_object_end(w);
}

/* Writes the errors or the warnings. at: one per finding. */
static void
write_schema_findings(const struct schema_findings *findings, const struct json_position *at,
    bool errors, struct json_writer *w)
{
	json_write_member_array(w, errors ? "errors" : "warnings");
	for (size_t i = 0; i < findings->len; i++) {
		const struct schema_finding *finding = &findings->items[i];
		if (finding->error != errors)
			continue;
		json_write_object(w);
		json_write_member_string(w, "schemaPath", finding->pointer);
		if (at[i].line > 0) {
			json_write_member_int(w, "line", at[i].line);
			json_write_member_int(w, "column", at[i].column);
		}
		json_write_member_string(w, "message", finding->text);
		json_write_object_end(w);
	}
	json_write_array_end(w);
}

/* ---- schemas of --map ---- */

/*
 * Documents that --map finds in folders for a schema library. A URI that starts with a prefix is
 * the file of the same name in its folder, or that name with .json; neither dots nor symbolic
 * links lead out of the folder. Nothing is fetched.
 */
struct schema_map {
	struct {
		struct schema_folder {
			const char *prefix;
			size_t len;
			char *path; /* a real path without a trailing slash */
		} * items;
		size_t len, cap;
	} folders;
	struct {
		struct json_doc **items;
		size_t len, cap;
	} docs;
	bool missed; /* some URI matched no folder */
};

#define MAX_MAPPED_BYTES ((size_t)16 << 20)

static bool
add_folder(struct schema_map *map, const char *text, struct err *err)
{
	const char *equals = strchr(text, '=');
	struct stat info;

	if (!equals || !equals[1])
		return err_set(err, "--map: \"%.80s\" is not URI-PREFIX=DIR", text);
	char *path = realpath(equals + 1, NULL);
	if (!path || stat(path, &info) != 0 || !S_ISDIR(info.st_mode)) {
		free(path);
		return err_set(err, "--map: folder %.150s does not exist", equals + 1);
	}
	if (strcmp(path, "/") == 0)
		path[0] = '\0';
	*VEC_PUSH(&map->folders) = (struct schema_folder){
		.prefix = text,
		.len = (size_t)(equals - text),
		.path = path,
	};
	return true;
}

/* The real path of a regular file inside the folder after resolving links; else NULL. name: names
 * separated by single slashes, of which none consists of dots only. */
static char *
real_file(const struct schema_folder *folder, const char *name, const char *ending)
{
	for (const char *part = name, *end = name; *end; part = end + 1) {
		end = part + strcspn(part, "/");
		if (end == part || part + strspn(part, ".") == end)
			return NULL;
	}
	char *path = mem_printf("%s/%s%s", folder->path, name, ending);
	char *real = realpath(path, NULL);
	size_t len = strlen(folder->path);
	struct stat info;

	free(path);
	if (real && strncmp(real, folder->path, len) == 0 && real[len] == '/' &&
	    stat(real, &info) == 0 && S_ISREG(info.st_mode))
		return real;
	free(real);
	return NULL;
}

static const cJSON *
instance_load(struct schema_map *map, const char *path)
{
	struct buf text = { .max = MAX_MAPPED_BYTES };
	struct json_error error;
	struct err err;
	struct json_doc *doc = NULL;

	if (!path_read_regular(path, &text, NULL, &err))
		say("%s", err.text);
	else if (!(doc = json_parse(buf_text(&text), text.len, NULL, &error)))
		say("%s:%u:%u: %s", path, error.line, error.column, error.text);
	buf_finish(&text);
	if (!doc)
		return NULL;
	*VEC_PUSH(&map->docs) = doc;
	return json_root(doc);
}

/* A schema_finder; reports files that are not JSON. */
static const cJSON *
schema_map_find(void *ctx, const char *uri)
{
	struct schema_map *map = ctx;
	bool missed = true;

	for (size_t i = 0; i < map->folders.len; i++) {
		const struct schema_folder *folder = &map->folders.items[i];
		/* http://a is not a prefix of http://ab */
		const char *rest =
		    strncmp(uri, folder->prefix, folder->len) == 0 ? uri + folder->len : NULL;
		if (rest && folder->len > 0 && folder->prefix[folder->len - 1] != '/')
			rest = *rest == '/' ? rest + 1 : NULL;
		struct buf name = BUF_INIT;
		char *path = NULL;
		if (rest && !strchr(rest, '?') && !strstr(rest, "%00") &&
		    !strcasestr(rest, "%2f") && percent_decode(&name, rest, strlen(rest)) &&
		    name.len > 0) {
			path = real_file(folder, buf_text(&name), "");
			if (!path)
				path = real_file(folder, buf_text(&name), ".json");
		}
		buf_finish(&name);
		const cJSON *root = path ? instance_load(map, path) : NULL;
		free(path);
		if (path)
			return root;
		if (rest) {
			say("--map: %s has no %s", folder->path, rest);
			missed = false;
		}
	}
	/* a metaschema that is not built in is a misspelled $schema: no folder has it */
	map->missed |= missed && strncmp(uri, "http://json-schema.org/", 23) != 0 &&
		       strncmp(uri, "https://json-schema.org/", 24) != 0;
	return NULL;
}

/* ---- the command ---- */

#define SCHEMA_MAX_BYTES ((size_t)16 << 20)
#define MAX_MIB 256 /* per instance */
#define MAX_BYTES ((size_t)MAX_MIB << 20)
#define CHUNK ((size_t)256 << 10)
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
check_flush(struct check_run *c)
{
	if (c->out.len > 0 && !c->failed)
		c->failed = output_write(&c->out, false);
	buf_clear(&c->out);
}

static void
check_write_out(struct check_run *c, struct buf *text)
{
	if (c->o->format == CHECK_OUTPUT_TEXT) {
		buf_add(&c->out, buf_text(text), text->len);
	} else {
		output_take_json(&c->out, text, false);
		buf_add_char(&c->out, '\n');
	}
	if (c->out.len > (size_t)64 << 10)
		check_flush(c);
}

/* ---- the schema ---- */

/* Reports a schema that cannot be used in the output format as well. findings: NULL if the file is
 * not JSON. at: one per finding. */
static void
tell_broken(struct check_run *c, const char *why, const struct schema_findings *findings,
    const struct json_position *at)
{
	const struct schema_finding *first = findings && findings->len > 0 ? findings->items : NULL;
	struct buf text = BUF_INIT, unit = BUF_INIT;
	struct json_writer w;

	if (c->o->format == CHECK_OUTPUT_TEXT) /* standard error is enough */
		return;
	json_write_init(&w, &text);
	if (c->o->format == CHECK_OUTPUT_JSON) {
		json_write_object(&w);
		json_write_member_string(&w, "schema", c->o->check.schema);
		json_write_member_string(&w, "status", findings ? "broken" : "unreadable");
		json_write_member_string(&w, "message", why);
		if (findings) {
			write_schema_findings(findings, at, true, &w);
			write_schema_findings(findings, at, false, &w);
		}
		json_write_object_end(&w);
	} else {
		buf_addf(&unit, "%s: %s", c->o->check.schema, why);
		if (first)
			buf_addf(&unit, ": %s: %s",
			    first->pointer[0] ? first->pointer : "(the whole)", first->text);
		output_failure(&w, buf_text(&unit));
	}
	check_write_out(c, &text);
	check_flush(c);
	buf_finish(&unit);
	buf_finish(&text);
}

static bool
load_schema(struct check_run *c)
{
	const struct origin origin = { .file = c->o->check.schema };
	int64_t since_us = clock_now_us();
	struct json_error error;
	struct err err;

	buf_init(&c->text, SCHEMA_MAX_BYTES);
	if (!path_read_file(c->o->check.schema, &c->text, &err)) {
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

/* Reports errors in the schema. False: the schema cannot be used. */
static bool
review_schema(struct check_run *c, const struct schema_options *options)
{
	static const char NOTHING[] = "the schema is broken: nothing was checked";
	const struct origin origin = { .file = c->o->check.schema };
	struct schema_findings findings = { 0 };
	struct buf text = BUF_INIT;
	struct json_position at[SCHEMA_FINDINGS_MAX];
	bool fine = c->schema != NULL;

	schema_find(&findings, json_root(c->doc), options);
	for (size_t i = 0; i < findings.len; i++) {
		const struct schema_finding *finding = &findings.items[i];
		const cJSON *root = json_root(c->doc), *node;
		node = json_pointer_find(root, finding->pointer);
		at[i] = (struct json_position){ 0 };
		if (node)
			json_positions(buf_text(&c->text), c->text.len, root, &node, 1, &at[i]);
		fine &= !finding->error;
		if (i >= FINDINGS_SAID)
			continue;
		buf_clear(&text);
		buf_addf(&text, "%s: %s%s", finding->pointer[0] ? finding->pointer : "(the whole)",
		    finding->error ? "" : "warning: ", finding->text);
		say_at(&origin, at[i].line, at[i].column, buf_text(&text));
	}
	buf_finish(&text);
	if (findings.len + findings.rest > FINDINGS_SAID)
		say("%s: and %zu more", c->o->check.schema,
		    findings.len + findings.rest - FINDINGS_SAID);
	if (!fine) {
		say("%s: %s", c->o->check.schema, NOTHING);
		tell_broken(c, NOTHING, &findings, at);
	}
	schema_findings_finish(&findings);
	return fine;
}

static bool
compile_schema(struct check_run *c)
{
	const char *file = c->o->check.schema;
	char *real = strcmp(file, "-") != 0 ? realpath(file, NULL) : NULL;
	struct buf uri = BUF_INIT;

	if (real) {
		buf_add_str(&uri, "file://");
		percent_encode(&uri, real, "-._~/");
	}
	const struct schema_options options = {
		.draft = (enum schema_draft)c->o->check.draft,
		.format = c->o->check.assert_format ? SCHEMA_FORMAT_ASSERTS : SCHEMA_FORMAT_WARNS,
		.asserts_content = c->o->check.assert_content,
		.strict_integers = c->o->check.strict_integers,
		.library = c->library,
		.uri = real ? buf_text(&uri) : NULL,
	};
	struct schema_problem problem;
	int64_t since_us = clock_now_us();

	c->schema = schema_compile(json_root(c->doc), &options, &problem);
	c->times.compile_us = lap(&since_us);
	bool fine = review_schema(c, &options);
	if (c->map.missed)
		say("--map URI-PREFIX=DIR names the folder with the schemas that such references "
		    "name");
	buf_finish(&uri);
	free(real);
	return fine;
}

/* ---- the instances ---- */

static void
check_count(struct check_run *c, const struct origin *origin, enum fate fate)
{
	c->fates[fate] += origin->line > 0;
	if (fate > c->worst)
		c->worst = fate;
}

static void
check_fail(struct check_run *c, const struct origin *origin, const char *why)
{
	struct buf text = BUF_INIT;
	struct json_writer w;

	check_count(c, origin, FATE_UNREADABLE);
	if (c->o->format == CHECK_OUTPUT_TEXT) /* standard error is enough */
		return;
	json_write_init(&w, &text);
	if (c->o->format == CHECK_OUTPUT_JSON) {
		json_write_object(&w);
		write_origin(origin, &w);
		json_write_member_string(&w, "status", "unreadable");
		json_write_member_string(&w, "message", why);
		json_write_object_end(&w);
	} else {
		output_failure(&w, why);
	}
	check_write_out(c, &text);
	buf_finish(&text);
}

static struct json_doc *
check_parse(struct check_run *c, const struct origin *origin, const char *text, size_t len)
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
		check_fail(c, origin, why);
		return NULL;
	}
	say_flaws(origin, doc);
	return doc;
}

static void
check_instance(struct check_run *c, const struct origin *origin, const char *text, size_t len)
{
	static const enum fate FATES[] = {
		[SCHEMA_VALID] = FATE_VALID,
		[SCHEMA_INVALID] = FATE_INVALID,
		[SCHEMA_UNDECIDED] = FATE_UNDECIDED,
	};
	const struct check_options options = {
		.mode = c->o->format == CHECK_OUTPUT_FLAG ? CHECK_FLAG : CHECK_AS_NEEDED
	};
	size_t mark = byte_order_mark(origin, text, len);
	text += mark;
	len -= mark;
	struct json_doc *doc = c->failed ? NULL : check_parse(c, origin, text, len);
	struct buf out = BUF_INIT;
	struct json_writer w;

	if (!doc)
		return;
	int64_t since_us = clock_now_us();
	struct report *report = schema_check(c->schema, json_root(doc), &options);
	c->times.validate_us += lap(&since_us);
	check_count(c, origin, FATES[report_facts(report)->outcome]);
	const struct checked checked = {
		.origin = origin,
		.text = text,
		.len = len,
		.doc = doc,
		.schema = c->schema,
		.report = report,
	};
	json_write_init(&w, &out);
	switch ((enum check_output)c->o->format) {
	case CHECK_OUTPUT_TEXT:
		add_check_text(&checked, &out);
		break;
	case CHECK_OUTPUT_JSON:
		add_json(&checked, &w);
		break;
	case CHECK_OUTPUT_FLAG:
		output_flag(&w, report);
		break;
	case CHECK_OUTPUT_BASIC:
		output_basic(&w, report);
		break;
	}
	check_write_out(c, &out);
	buf_finish(&out);
	report_destroy(report);
	json_doc_destroy(doc);
}

static void
check_unreadable(struct check_run *c, const struct origin *origin, const char *why)
{
	check_flush(c);
	if (origin->line > 0)
		say_at(origin, 0, 0, why);
	else
		say("%s", why);
	check_fail(c, origin, why);
}

static void
check_line(struct check_run *c, struct origin *origin, const char *line, size_t len)
{
	size_t blank = 0;

	while (blank < len && memchr(" \t\r", line[blank], 3))
		blank++;
	origin->line++;
	if (blank < len)
		check_instance(c, origin, line, len);
}

/* Checks each line as it arrives: the input may be a pipe. */
static bool
check_lines(struct check_run *c, const char *file, struct err *err)
{
	struct origin origin = { .file = file };
	struct buf text = { .max = MAX_BYTES };
	size_t scanned = 0;    /* bytes of text known to contain no newline */
	bool dropping = false; /* skip the rest of a line that is too long */
	bool is_stdin = strcmp(file, "-") == 0, ok = true;
	int fd = is_stdin ? STDIN_FILENO : open(file, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return err_set(err, "cannot open %s: %s", file, strerror(errno));
	for (ssize_t got = 1; ok && got != 0;) {
		char *to = buf_reserve(&text, CHUNK);
		if (!to) { /* only this line is skipped; later ones are read */
			char why[80];
			origin.line++;
			snprintf(why, sizeof(why), "longer than %d MiB: skipped", MAX_MIB);
			check_unreadable(c, &origin, why);
			buf_finish(&text);
			scanned = 0;
			dropping = true;
			continue;
		}
		check_flush(c); /* the read may block */
		got = read(fd, to, CHUNK);
		if (got < 0 && errno != EINTR)
			ok = err_set(err, "cannot read %s: %s", file, strerror(errno));
		if (got <= 0)
			continue;
		buf_commit(&text, (size_t)got);
		size_t start = 0;
		for (const char *end;
		     (end = memchr(text.data + scanned, '\n', text.len - scanned));) {
			size_t at = (size_t)(end - text.data);
			if (!dropping)
				check_line(c, &origin, text.data + start, at - start);
			dropping = false;
			start = scanned = at + 1;
		}
		buf_consume(&text, dropping ? text.len : start);
		scanned = text.len;
	}
	if (ok && text.len > 0)
		check_line(c, &origin, text.data, text.len);
	if (!is_stdin)
		close(fd);
	buf_finish(&text);
	return ok;
}

static void
check_file(struct check_run *c, const char *file)
{
	static const char *const WORDS[] = {
		[FATE_VALID] = "valid",
		[FATE_UNDECIDED] = "undecided",
		[FATE_INVALID] = "invalid",
		[FATE_UNREADABLE] = "unreadable",
	};
	const struct origin origin = { .file = file };
	const char *dot = strrchr(file, '.');
	bool lines = c->o->check.lines ||
		     (dot && (strcmp(dot, ".jsonl") == 0 || strcmp(dot, ".ndjson") == 0));
	struct buf text = { .max = MAX_BYTES };
	size_t all = 0;
	struct err err;

	memset(c->fates, 0, sizeof(c->fates));
	if (!(lines ? check_lines(c, file, &err) : path_read_file(file, &text, &err)))
		check_unreadable(c, &origin, err.text);
	else if (!lines)
		check_instance(c, &origin, buf_text(&text), text.len);
	buf_finish(&text);
	if (lines && c->o->format == CHECK_OUTPUT_TEXT) {
		for (size_t i = 0; i < FATE_COUNT; i++)
			all += c->fates[i];
		buf_addf(&c->out, "%s: %zu instance%s", file, all, plural(all));
		for (size_t i = 0; i < FATE_COUNT; i++)
			if (c->fates[i] > 0)
				buf_addf(&c->out, ", %zu %s", c->fates[i], WORDS[i]);
		buf_add_char(&c->out, '\n');
	}
	check_flush(c);
}

static int
check_run(struct check_run *c)
{
	static const int EXITS[] = {
		[FATE_VALID] = CLI_EXIT_OK,
		[FATE_UNDECIDED] = CLI_EXIT_UNDECIDED,
		[FATE_INVALID] = CLI_EXIT_BROKEN_RESULT,
		[FATE_UNREADABLE] = CLI_EXIT_USAGE,
	};

	if (!load_schema(c) || !compile_schema(c))
		return CLI_EXIT_USAGE;
	for (size_t i = 0; i < c->o->check.instances.len && !c->failed; i++)
		check_file(c, c->o->check.instances.items[i]);
	const struct times *t = &c->times;
	if (c->o->check.time)
		say("schema: parse %.3f ms, compile %.3f ms; instances: parse %.3f ms (%zu bytes), "
		    "validate %.3f ms",
		    (double)t->schema_us / 1e3, (double)t->compile_us / 1e3,
		    (double)t->parse_us / 1e3, t->bytes, (double)t->validate_us / 1e3);
	return c->failed ? c->failed : EXITS[c->worst];
}

int
cli_check(const struct options *o)
{
	struct check_run c = { .o = o };
	struct schema_map *map = &c.map;
	int code = CLI_EXIT_USAGE;
	struct err err = { "" };
	size_t added = 0;

	while (added < o->check.maps.len && add_folder(map, o->check.maps.items[added], &err))
		added++;
	if (added < o->check.maps.len) {
		say("%s", err.text);
	} else {
		c.library = schema_library_create();
		schema_library_ask(c.library, schema_map_find, map);
		code = check_run(&c);
	}
	schema_destroy(c.schema);
	schema_library_destroy(c.library); /* before the documents of the map */
	for (size_t i = 0; i < map->folders.len; i++)
		free(map->folders.items[i].path);
	free(map->folders.items);
	for (size_t i = 0; i < map->docs.len; i++)
		json_doc_destroy(map->docs.items[i]);
	free(map->docs.items);
	json_doc_destroy(c.doc);
	buf_finish(&c.text);
	buf_finish(&c.out);
	return code;
}
