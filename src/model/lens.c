#include "model/lens.h"

#include "base/ascii.h"
#include "base/units.h"
#include "base/vec.h"
#include "json/print.h"

#include <string.h>

/* ---- tokens ---- */

/* The bytes from i on that are of the kind of text[i]. */
static size_t
run_of(const char *text, size_t i, size_t len, int *kind)
{
	size_t j = i;

	*kind = -1;
	for (; j < len; j++) {
		unsigned char c = (unsigned char)text[j];
		int k = ascii_is_letter(c)   ? 'a'
			: ascii_is_digit(c)  ? '0'
			: c >= 0x80	     ? 0x80
			: strchr(" \t\r\n", c) && c ? ' '
						    : '.';
		if (*kind >= 0 && k != *kind)
			break;
		*kind = k;
	}
	return j - i;
}

/* A word of eight letters, three digits or three signs is about one token; a blank belongs to the
 * word behind it. */
size_t
tokens_estimate(const char *text, size_t len)
{
	size_t tokens = 0, others = 0;
	int kind;

	for (size_t i = 0, run; i < len; i += run) {
		run = run_of(text, i, len, &kind);
		if (kind == 'a')
			tokens += 1 + (run - 1) / 8;
		else if (kind == 0x80)
			others += run;
		else if (kind == ' ')
			tokens += run > 1 || text[i] != ' ';
		else
			tokens += (run + 2) / 3;
	}
	return tokens + others * 2 / 5;
}

/* ---- outputs ---- */

struct result_output {
	enum output_audience audience;
	const struct content_block *block; /* NULL: it is the value */
	const char *text;                  /* the value as JSON */
	size_t len;
};

static void
add_counted(struct lens_view *v, const char *text, size_t len)
{
	size_t room = LENS_TEXT_MAX - v->text.len;

	v->bytes += len;
	v->tokens += tokens_estimate(text, len);
	if (len > room) /* not within a character */
		while (room > 0 && ((unsigned char)text[room] & 0xc0) == 0x80)
			room--;
	buf_add(&v->text, text, len < room ? len : room);
}

static void
add_output(struct lens_view *v, const struct result_output *o)
{
	const struct content_block *b = o->block;
	struct buf line = BUF_INIT;

	if (v->bytes > 0)
		add_counted(v, "\n", 1);
	if (!b) {
		add_counted(v, o->text, o->len);
	} else if (b->text) {
		add_counted(v, b->text, b->text_len);
	} else if (b->data) {
		v->media++;
		buf_addf(&line, "[%s %.80s, %zu bytes]", content_kind_names[b->kind],
		    b->mime ? b->mime : "", b->decoded_bytes);
		buf_add(&v->text, buf_text(&line),
		    v->text.len + line.len < LENS_TEXT_MAX ? line.len : 0);
	} else {
		json_print(&line, b->block);
		add_counted(v, buf_text(&line), line.len);
	}
	buf_finish(&line);
}

static size_t
count_for(const struct lens_input *in, unsigned audiences)
{
	size_t count = 0;

	if (audiences & 1u << OUTPUT_MODEL)
		count += in->result.len;
	if (audiences & 1u << OUTPUT_PROGRAM)
		count += in->result.structured != NULL;
	return count;
}

/* ---- the lenses ---- */

static const char *
refuse_strictly(const struct lens_input *in)
{
	if (in->verdict == VERDICT_MISSING)
		return "MCP error -32600: the tool has an output schema but did not return "
		       "structured content";
	if (in->verdict == VERDICT_INVALID)
		return "MCP error -32602: structured content does not match the tool's output "
		       "schema";
	return NULL;
}

#define MODEL (1u << OUTPUT_MODEL)
#define PROGRAM (1u << OUTPUT_PROGRAM)

const struct lens lenses[LENS_COUNT] = {
	{ .name = "conversational",
	    .title = "conversational host",
	    .rule = "content; structuredContent only if content is empty",
	    .source = "SEP-2200, not accepted, describes hosts that do so",
	    .first = MODEL,
	    .then = PROGRAM },
	{ .name = "programmatic",
	    .title = "programmatic host",
	    .rule = "structuredContent; content only if there is none",
	    .source = "SEP-3279 counts such clients among those it looked at",
	    .first = PROGRAM,
	    .then = MODEL },
	{ .name = "strict",
	    .title = "strict validator",
	    .rule = "an error in place of a result that breaks its outputSchema",
	    .source = "the client of the TypeScript SDK: InvalidRequest, InvalidParams",
	    .first = MODEL,
	    .then = PROGRAM,
	    .refuse = refuse_strictly },
	{ .name = "old",
	    .title = "host before 2025-06-18",
	    .rule = "content alone; structuredContent and resource_link are unknown",
	    .source = "changelog of 2025-06-18: both were added there",
	    .first = MODEL,
	    .old = true },
	{ .name = "both",
	    .title = "host that forwards both",
	    .rule = "content, then structuredContent",
	    .source = "SEP-3279 counts such clients among those it looked at",
	    .first = MODEL | PROGRAM },
	{ .name = "apps",
	    .title = "MCP Apps host",
	    .rule = "content for the model, structuredContent for the app",
	    .source = "SEP-1865: structuredContent is not added to the model's context",
	    .first = MODEL,
	    .apps = true },
};

/* One thing, or so many of them. */
static void
add_lost(struct lens_view *v, const char *what, size_t count)
{
	if (v->lost.len > 0)
		buf_add_str(&v->lost, ", ");
	if (count > 0)
		units_add_counted(&v->lost, count, what);
	else
		buf_add_str(&v->lost, what);
}

/* What the taken audiences leave out. */
static void
tell_lost(
    struct lens_view *v, const struct lens *lens, const struct lens_input *in, unsigned taken)
{
	if (!(taken & PROGRAM) && in->result.structured) {
		if (lens->apps && in->has_app)
			buf_add_str(&v->lost, "nothing: structuredContent goes to the app");
		else
			add_lost(v, "structuredContent", 0);
	}
	if (!(taken & MODEL) && in->result.len > 0)
		add_lost(v, "block", in->result.len);
}

static void
look(struct lens_view *v, const struct lens *lens, const struct lens_input *in,
    const struct buf *json, struct job *job)
{
	const char *error = lens->refuse ? lens->refuse(in) : NULL;
	unsigned taken = count_for(in, lens->first) > 0 ? lens->first : lens->then;
	size_t links = 0;

	v->failed = error || in->result.is_error;
	if (error) {
		add_counted(v, error, strlen(error));
		buf_add_str(&v->lost, "the whole result");
		return;
	}
	for (size_t i = 0; taken & MODEL && i < in->result.len; i++) {
		const struct result_output o = { OUTPUT_MODEL, &in->result.blocks[i], NULL, 0 };
		if (job && job_is_stopped(job))
			return;
		if (lens->old && o.block->kind == CONTENT_RESOURCE_LINK)
			links++;
		else
			add_output(v, &o);
	}
	if (taken & PROGRAM && in->result.structured)
		add_output(v, &(struct result_output){ OUTPUT_PROGRAM, NULL, buf_text(json), json->len });
	if (links > 0)
		add_lost(v, "resource link", links);
	tell_lost(v, lens, in, taken);
}

void
lens_look(struct lens_view views[LENS_COUNT], const struct lens_input *in, struct job *job)
{
	struct buf json = BUF_INIT;

	if (in->result.structured)
		json_print_some(&json, in->result.structured, -1, SIZE_MAX, job);
	for (size_t i = 0; i < LENS_COUNT; i++) {
		views[i] = (struct lens_view){ .failed = false };
		look(&views[i], &lenses[i], in, &json, job);
	}
	buf_finish(&json);
}

void
lens_views_finish(struct lens_view views[LENS_COUNT])
{
	for (size_t i = 0; i < LENS_COUNT; i++) {
		buf_finish(&views[i].text);
		buf_finish(&views[i].lost);
		views[i] = (struct lens_view){ .failed = false };
	}
}

bool
lens_has_app(const cJSON *definition)
{
	const cJSON *meta = json_get(definition, "_meta");

	return json_get_string(json_get(meta, "ui"), "resourceUri") ||
	       json_get_string(meta, "ui/resourceUri");
}
