#include "mapping.h"

#include "base/vec.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * The answer of the walker. An app cannot reach the walker's world, but its renderer may be taken
 * over: nothing here is believed that is not of the right shape, and numbers stay where arithmetic
 * with them is safe.
 */
enum {
	MOST_TEXTS = 10000, /* the walker's own limits are lower */
	MOST_PICTURES = 1000,
	MOST_FRAMES = 4000,
	MOST_TARGETS = 2000,
	DEPTH = 8,
};
#define FARTHEST 1e6

static const struct walked_picture_kind {
	const char *name;
	bool has_lines;
} kinds[] = { { "canvas", true }, { "svg", true }, { "img", false }, { "video", false } };

/* ---- one value ---- */

/* Steps through an array; false and err if something in it is not as it should be. */
struct items {
	const cJSON *next;
	const char *of; /* for err */
	bool ok;
};

static double
take_number(struct items *i)
{
	const cJSON *node = i->next;

	i->ok = i->ok && cJSON_IsNumber(node) && isfinite(node->valuedouble) &&
		fabs(node->valuedouble) <= FARTHEST * 20;
	if (!i->ok)
		return 0;
	i->next = node->next;
	return node->valuedouble;
}

static unsigned
take_bits(struct items *i, unsigned most)
{
	double number = take_number(i);

	i->ok = i->ok && number >= 0 && number <= most && number == floor(number);
	return i->ok ? (unsigned)number : 0;
}

static const char *
take_string(struct items *i)
{
	const char *text = json_string(i->next);

	i->ok = i->ok && text;
	i->next = i->ok ? i->next->next : i->next;
	return text;
}

static struct walked_box
take_box(struct items *i)
{
	struct walked_box box = { 0 };

	box.x = take_number(i);
	box.y = take_number(i);
	box.width = take_number(i);
	box.height = take_number(i);
	i->ok = i->ok && fabs(box.x) <= FARTHEST && fabs(box.y) <= FARTHEST && box.width >= 0 &&
		box.width <= FARTHEST && box.height >= 0 && box.height <= FARTHEST;
	return box;
}

/* ---- the rows of each list ---- */

static void
take_text(struct walked *w, struct items *i)
{
	struct walked_text *t = VEC_PUSH(&w->texts);

	*t = (struct walked_text){ .box = take_box(i) };
	t->text = take_string(i);
	t->color = take_bits(i, 0xffffff);
	t->opacity = (uint8_t)take_bits(i, 255);
	t->flags = (uint8_t)take_bits(i, 255);
}

static void
take_picture(struct walked *w, struct items *i)
{
	struct walked_picture *p = VEC_PUSH(&w->pictures);

	*p = (struct walked_picture){ .box = take_box(i) };
	const char *kind = take_string(i);
	size_t at = 0;
	while (kind && at < ARRAY_LEN(kinds) && strcmp(kinds[at].name, kind) != 0)
		at++;
	i->ok = i->ok && at < ARRAY_LEN(kinds);
	p->has_lines = i->ok && kinds[at].has_lines;
}

static void
take_frame(struct walked *w, struct items *i)
{
	struct walked_frame *f = VEC_PUSH(&w->frames);

	*f = (struct walked_frame){ .box = take_box(i) };
	f->flags = take_bits(i, 255);
	f->color = take_bits(i, 0xffffff);
	f->opacity = (uint8_t)take_bits(i, 255);
}

static void
take_target(struct walked *w, struct items *i)
{
	struct walked_target *t = VEC_PUSH(&w->targets);

	*t = (struct walked_target){ .box = take_box(i) };
	t->role = take_string(i);
	t->name = take_string(i);
	t->flags = take_bits(i, 255);
}

static const struct {
	const char *key;
	size_t most;
	void (*take)(struct walked *w, struct items *i);
} lists[] = { { "text", MOST_TEXTS, take_text }, { "boxes", MOST_PICTURES, take_picture },
	{ "frames", MOST_FRAMES, take_frame }, { "targets", MOST_TARGETS, take_target } };

static bool
take_list(struct walked *w, size_t list, struct err *err)
{
	const cJSON *array = json_get(json_root(w->doc), lists[list].key);
	size_t row = 0;

	if (json_type(array) != JSON_ARRAY)
		return err_set(err, "the page's \"%s\" is no array", lists[list].key);
	for (const cJSON *at = json_first(array); at; at = at->next, row++) {
		struct items i = { .next = json_first(at), .ok = json_type(at) == JSON_ARRAY };
		if (row == lists[list].most) {
			w->more = true;
			return true;
		}
		lists[list].take(w, &i);
		if (!i.ok || i.next)
			return err_set(
			    err, "the page's \"%s\": entry %zu is malformed", lists[list].key, row);
	}
	return true;
}

static bool
take_rest(struct walked *w, struct err *err)
{
	const cJSON *caret = json_get(json_root(w->doc), "caret");
	const cJSON *page = json_get(json_root(w->doc), "page");
	struct items i = { .next = json_first(page), .ok = json_type(page) == JSON_ARRAY };

	take_number(&i); /* its width */
	w->page_height = take_number(&i);
	take_number(&i); /* how far it is scrolled to the right */
	w->page_top = take_number(&i);
	if (i.ok && !cJSON_IsNull(caret)) {
		i = (struct items){ .next = json_first(caret),
			.ok = json_type(caret) == JSON_ARRAY };
		w->caret = (struct walked_box){ .x = take_number(&i), .y = take_number(&i) };
		w->caret.height = take_number(&i);
	}
	w->more = w->more || json_is_true(json_get(json_root(w->doc), "more"));
	return i.ok || err_set(err, "the page's size or caret is malformed");
}

bool
walked_parse(struct walked *w, const char *json, size_t len, struct err *err)
{
	struct json_options options = { .max_depth = DEPTH, .max_flaws = 1 };
	struct json_error error;

	*w = (struct walked){ 0 };
	if (len > APP_TEXT_MAX_BYTES)
		return err_set(err, "the page's text has %zu bytes", len);
	w->doc = json_parse(json, len, &options, &error);
	bool ok = w->doc || err_set(err, "the page's text is not JSON: %s", error.text);
	for (size_t list = 0; ok && list < ARRAY_LEN(lists); list++)
		ok = take_list(w, list, err);
	ok = ok && take_rest(w, err);
	if (!ok)
		walked_finish(w);
	return ok;
}

void
walked_finish(struct walked *w)
{
	free(w->texts.items);
	free(w->pictures.items);
	free(w->frames.items);
	free(w->targets.items);
	json_doc_destroy(w->doc);
	*w = (struct walked){ 0 };
}
