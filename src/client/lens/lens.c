#include "client/lens.h"

#include "mcp/app_metadata.h"
#include "base/mem.h"
#include "base/units.h"
#include "base/vec.h"
#include "json/print.h"

#include <stdlib.h>
#include <string.h>

/* ---- outputs ---- */

#define FOR_MODEL (1u << OUTPUT_MODEL)
#define FOR_PROGRAM (1u << OUTPUT_PROGRAM)
#define FOR_USER (1u << OUTPUT_USER)

/* All lenses look at it: long texts are counted once. */
struct looked_at {
	const struct lens_input *in;
	struct buf json; /* structuredContent */
	size_t json_tokens;
	size_t *tokens; /* of each block's text */
	struct job *job;
};

/* The i-th output of its kind; false: there are no more. */
static bool
get_block(const struct looked_at *l, size_t i, struct result_output *o)
{
	const struct content_block *b;

	if (i >= l->in->result.len)
		return false;
	b = &l->in->result.blocks[i];
	*o = (struct result_output){ o->audiences, b, b->text, b->text_len, l->tokens[i] };
	return true;
}

static bool
get_value(const struct looked_at *l, size_t i, struct result_output *o)
{
	o->text = buf_text(&l->json);
	o->len = l->json.len;
	o->tokens = l->json_tokens;
	return i == 0 && l->in->result.structured;
}

/* The members of a result that are meant for somebody, in the order in which clients that forward
 * all of them do it. */
static const struct output_kind {
	const char *name;
	unsigned audiences; /* whom the specification means */
	bool (*get)(const struct looked_at *l, size_t i, struct result_output *o);
} OUTPUTS[] = {
	{ "content", FOR_MODEL | FOR_USER, get_block },
	{ "structuredContent", FOR_PROGRAM, get_value },
};

/* ---- what reaches the reader ---- */

static void
add_counted(struct lens_view *v, const char *text, size_t len, size_t tokens)
{
	size_t room = LENS_TEXT_MAX - v->text.len;

	v->bytes += len;
	v->tokens += tokens;
	if (len > room) /* not within a character */
		while (room > 0 && ((unsigned char)text[room] & 0xc0) == 0x80)
			room--;
	buf_add(&v->text, text, len < room ? len : room);
}

void
lens_add(struct lens_view *v, const char *text, size_t len)
{
	add_counted(v, text, len, tokens_estimate(text, len));
}

/* Data costs tokens in no proportion to its bytes. */
static void
add_media(struct lens_view *v, const struct content_block *b)
{
	struct buf line = BUF_INIT;

	v->media++;
	buf_addf(&line, "[%s %.80s, %zu bytes]", content_kind_names[b->kind],
	    b->mime ? b->mime : "", b->decoded_bytes);
	buf_add(&v->text, buf_text(&line), v->text.len + line.len < LENS_TEXT_MAX ? line.len : 0);
	buf_finish(&line);
}

static void
add_output(struct lens_view *v, const struct lens *lens, const struct lens_input *in,
    const struct result_output *o)
{
	const struct content_block *b = o->block;
	struct buf line = BUF_INIT;

	if (v->text.len > 0)
		lens_add(v, "\n", 1);
	if (lens->write && lens->write(v, in, o)) {
		if (b && b->data)
			add_media(v, b);
	} else if (o->text) {
		add_counted(v, o->text, o->len, o->tokens);
	} else if (b->data) {
		add_media(v, b);
	} else {
		json_print(&line, b->block);
		lens_add(v, buf_text(&line), line.len);
	}
	buf_finish(&line);
}

/* ---- what is lost ---- */

/* So many of each kind do not reach the reader. */
struct lost {
	size_t blocks[CONTENT_UNKNOWN + 1];
	bool value;
};

static const char *const block_nouns[] = {
	[CONTENT_TEXT] = "text block",
	[CONTENT_IMAGE] = "image",
	[CONTENT_AUDIO] = "audio block",
	[CONTENT_RESOURCE_LINK] = "resource link",
	[CONTENT_RESOURCE] = "embedded resource",
	[CONTENT_UNKNOWN] = "unknown block",
};

static void
add_comma(struct buf *out)
{
	if (out->len > 0)
		buf_add_str(out, ", ");
}

static void
tell_lost(struct lens_view *v, const struct lens *lens, const struct lens_input *in,
    const struct lost *lost)
{
	for (size_t kind = 0; kind <= CONTENT_UNKNOWN; kind++)
		if (lost->blocks[kind] > 0) {
			add_comma(&v->lost);
			units_add_counted(&v->lost, lost->blocks[kind], block_nouns[kind]);
		}
	if (!lost->value)
		return;
	add_comma(&v->lost);
	buf_add_str(&v->lost, lens->apps && in->has_app
				  ? "nothing: structuredContent goes to the app"
				  : "structuredContent");
}

/* ---- a lens ---- */

static bool
has_for(const struct looked_at *l, unsigned audiences)
{
	struct result_output o = { 0 };
	bool found = false;

	for (size_t k = 0; k < ARRAY_LEN(OUTPUTS) && !found; k++)
		found = OUTPUTS[k].audiences & audiences && OUTPUTS[k].get(l, 0, &o);
	return found;
}

static void
take_outputs(struct lens_view *v, const struct lens *lens, const struct looked_at *l)
{
	unsigned taken = has_for(l, lens->first) ? lens->first : lens->then;
	struct lost lost = { .value = false };

	for (size_t k = 0; k < ARRAY_LEN(OUTPUTS); k++) {
		struct result_output o = { .audiences = OUTPUTS[k].audiences };
		for (size_t i = 0; OUTPUTS[k].get(l, i, &o); i++)
			if (l->job && job_is_stopped(l->job))
				return;
			else if (o.audiences & taken && (!lens->takes || lens->takes(l->in, &o)))
				add_output(v, lens, l->in, &o);
			else if (o.block)
				lost.blocks[o.block->kind]++;
			else
				lost.value = true;
	}
	tell_lost(v, lens, l->in, &lost);
}

/* Some hosts hand on the name of a file in place of a long text. */
static void
keep_below_most(struct lens_view *v, const struct lens *lens)
{
	static const char FILE_NAME[] = "(a message that names the file with this result)";

	if (lens->most_tokens == 0 || v->tokens <= lens->most_tokens || v->media > 0)
		return;
	add_comma(&v->lost);
	buf_add_str(&v->lost, "about ");
	units_add_counted(&v->lost, v->tokens, "token");
	buf_add_str(&v->lost, " go to a file");
	buf_clear(&v->text);
	v->bytes = v->tokens = 0;
	lens_add(v, FILE_NAME, strlen(FILE_NAME));
}

static void
look(struct lens_view *v, const struct lens *lens, const struct looked_at *l)
{
	struct buf error = BUF_INIT;
	bool refused = lens->refuse && lens->refuse(l->in, &error);

	v->failed = refused || l->in->result.is_error;
	if (lens->apps && l->in->for_app_alone) {
		buf_add_str(&v->lost, "the whole result: the tool is not in the model's list");
	} else if (refused) {
		lens_add(v, buf_text(&error), error.len);
		if (!l->in->result.is_error)
			buf_add_str(&v->lost, "the whole result");
	} else {
		take_outputs(v, lens, l);
		keep_below_most(v, lens);
	}
	buf_finish(&error);
}

void
lens_look(struct lens_view views[LENS_COUNT], const struct lens_input *in, struct job *job)
{
	const struct result *r = &in->result;
	struct looked_at l = {
		.in = in, .tokens = mem_alloc((r->len + 1) * sizeof(*l.tokens)), .job = job
	};

	if (r->structured)
		json_print_some(&l.json, r->structured, -1, SIZE_MAX, job);
	l.json_tokens = tokens_estimate(buf_text(&l.json), l.json.len);
	for (size_t i = 0; i < r->len; i++)
		l.tokens[i] = tokens_estimate(r->blocks[i].text, r->blocks[i].text_len);
	for (size_t i = 0; i < LENS_COUNT; i++) {
		views[i] = (struct lens_view){ .failed = false };
		look(&views[i], &lenses[i], &l);
	}
	buf_finish(&l.json);
	free(l.tokens);
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

void
lens_read_tool(struct lens_input *in, const cJSON *definition)
{
	struct app_tool tool;

	app_tool_read(&tool, definition);
	in->has_app = tool.resource != NULL;
	in->for_app_alone = !tool.for_model;
}
