/* SPDX-License-Identifier: MIT */
#include "check.h"

#include "base/glyph.h"
#include "base/units.h"
#include "json/pointer.h"
#include "schema/output.h"
#include "schema/schema.h"

#define VIOLATIONS_SAID 100
#define PATH_BYTES 4096 /* bytes of one message: keys may be long and many */
#define GROUPS_SAID 5
#define ROWS_WORTH_SUMMING 4

static const char *const OUTCOMES[] = {
	[SCHEMA_VALID] = "valid",
	[SCHEMA_INVALID] = "invalid",
	[SCHEMA_UNDECIDED] = "undecided",
};

void
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
add_line(struct buf *line, struct buf *out)
{
	glyph_append_safe(out, buf_text(line), line->len, GLYPH_KEEP_NOTHING);
	buf_add_char(out, '\n');
	buf_clear(line);
}

void
check_add_violation(const struct report *r, size_t index, struct buf *out)
{
	struct buf path = { .max = PATH_BYTES };

	report_instance_path(r, index, &path);
	buf_addf(out, "%s%s: %s", path.len > 0 ? buf_text(&path) : "(the whole)",
	    path.overflowed ? "…" : "", report_at(r, index)->warning ? "warning: " : "");
	report_line(r, index, out);
	buf_clear(&path);
	report_schema_path(r, index, &path);
	if (path.len > 0)
		buf_addf(out, " (%s%s)", buf_text(&path), path.overflowed ? "…" : "");
	buf_finish(&path);
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
		check_add_violation(c->report, i, &line);
		add_line(&line, out);
	}
	if (all > shown) {
		origin_add(c->origin, 0, 0, &line);
		buf_addf(&line, ": and %zu more", all - shown);
		add_line(&line, out);
	}
	buf_finish(&line);
}

static void
add_rows(const struct checked *c, struct buf *line, struct buf *out)
{
	struct summary summary;

	if (!summary_init(&summary, c->report))
		return;
	if (summary.failed >= ROWS_WORTH_SUMMING) {
		origin_add(c->origin, 0, 0, line);
		buf_add_str(line, ": ");
		if (summary.list != json_root(c->doc)) {
			json_pointer_of(json_root(c->doc), summary.list, line);
			buf_add_str(line, ": ");
		}
		summary_line(&summary, GROUPS_SAID, line);
		add_line(line, out);
	}
	summary_finish(&summary);
}

static void
add_count(size_t count, const char *what, struct buf *line)
{
	buf_addf(line, ", %zu %s%s", count, what, plural(count));
}

static void
add_verdict(const struct checked *c, struct buf *line)
{
	const struct report *r = c->report;

	origin_add(c->origin, 0, 0, line);
	buf_addf(line, ": %s (%s)", OUTCOMES[report_facts(r)->outcome],
	    schema_draft_name(schema_draft(c->schema)));
	if (report_facts(r)->outcome == SCHEMA_INVALID)
		add_count(report_facts(r)->violations, "violation", line);
	if (report_facts(r)->warnings > 0)
		add_count(report_facts(r)->warnings, "warning", line);
	if (report_facts(r)->unchecked_count > 0) {
		buf_add_str(line, ", not checked: ");
		report_add_unchecked(r, line);
	}
}

static void
add_text(const struct checked *c, struct json_writer *w)
{
	struct buf line = BUF_INIT;
	bool plain = report_facts(c->report)->outcome == SCHEMA_VALID &&
		     report_facts(c->report)->warnings == 0;

	list_violations(c, w->out);
	add_rows(c, &line, w->out);
	/* valid lines of a large file are counted only */
	if (!c->origin->line || !plain) {
		add_verdict(c, &line);
		add_line(&line, w->out);
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
write_place(const struct json_position *at, struct json_writer *w)
{
	if (at->line == 0)
		return;
	json_write_member_int(w, "line", at->line);
	json_write_member_int(w, "column", at->column);
}

/* The parser accepts these, but other programs may not. */
static void
write_flaws(const struct checked *c, struct json_writer *w)
{
	size_t kept = json_flaws(c->doc)->len;

	if (kept == 0)
		return;
	json_write_member_array(w, "notes");
	for (size_t i = 0; i < kept; i++) {
		const struct json_flaw *flaw = &json_flaws(c->doc)->items[i];
		const struct json_position at = {
			.line = c->origin->line > 0 ? (unsigned)c->origin->line : flaw->line,
			.column = flaw->column,
		};
		json_write_object(w);
		write_place(&at, w);
		json_write_member_string(w, "message", json_flaw_text(flaw->kind));
		json_write_object_end(w);
	}
	json_write_array_end(w);
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
	write_flaws(c, w);
	json_write_object_end(w);
}

static void
add_flag(const struct checked *c, struct json_writer *w)
{
	output_flag(w, c->report);
}

static void
add_basic(const struct checked *c, struct json_writer *w)
{
	output_basic(w, c->report);
}

static void
add_failure(const struct origin *origin, const char *why, struct json_writer *w)
{
	json_write_object(w);
	write_origin(origin, w);
	json_write_member_string(w, "status", "unreadable");
	json_write_member_string(w, "message", why);
	json_write_object_end(w);
}

static void
add_unit_failure(const struct origin *origin, const char *why, struct json_writer *w)
{
	output_failure(w, why);
}

static void
write_schema_findings(
    const struct broken *broken, const char *key, bool errors, struct json_writer *w)
{
	json_write_member_array(w, key);
	for (size_t i = 0; i < broken->findings->len; i++) {
		const struct schema_finding *finding = &broken->findings->items[i];
		if (finding->error != errors)
			continue;
		json_write_object(w);
		json_write_member_string(w, "schemaPath", finding->pointer);
		write_place(&broken->at[i], w);
		json_write_member_string(w, "message", finding->text);
		json_write_object_end(w);
	}
	json_write_array_end(w);
}

static void
add_broken(const struct broken *broken, struct json_writer *w)
{
	json_write_object(w);
	json_write_member_string(w, "schema", broken->file);
	json_write_member_string(w, "status", broken->findings ? "broken" : "unreadable");
	json_write_member_string(w, "message", broken->why);
	if (broken->findings) {
		write_schema_findings(broken, "errors", true, w);
		write_schema_findings(broken, "warnings", false, w);
	}
	json_write_object_end(w);
}

static void
add_unit_broken(const struct broken *broken, struct json_writer *w)
{
	const struct schema_finding *first =
	    broken->findings && broken->findings->len > 0 ? broken->findings->items : NULL;
	struct buf text = BUF_INIT;

	buf_addf(&text, "%s: %s", broken->file, broken->why);
	if (first)
		buf_addf(&text, ": %s: %s", first->pointer[0] ? first->pointer : "(the whole)",
		    first->text);
	output_failure(w, buf_text(&text));
	buf_finish(&text);
}

const struct check_format check_formats[] = {
	[CHECK_OUTPUT_TEXT] = { add_text, NULL, NULL, CHECK_AS_NEEDED },
	[CHECK_OUTPUT_JSON] = { add_json, add_failure, add_broken, CHECK_AS_NEEDED },
	[CHECK_OUTPUT_FLAG] = { add_flag, add_unit_failure, add_unit_broken, CHECK_FLAG },
	[CHECK_OUTPUT_BASIC] = { add_basic, add_unit_failure, add_unit_broken, CHECK_AS_NEEDED },
};
