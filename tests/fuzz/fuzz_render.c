/* SPDX-License-Identifier: MIT */
/*
 * Any value, any schema, any keys, any size: each view draws only harmless text, keeps its
 * selection on an existing item, and survives every query. Input: a byte each for width and height,
 * keys up to a zero byte, then the value, and after another zero byte the schema.
 */
#include "base/vec.h"
#include "fuzz.h"

#include "base/mem.h"
#include "base/utf8.h"
#include "json/pointer.h"
#include "data/table.h"
#include "view/views.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>

struct scene {
	int width, height;
	const char *keys;
	size_t key_count;
	struct json_doc *value, *schema;
};

/* The bytes up to the next zero. */
static const char *
part(const uint8_t **data, size_t *size, size_t *len)
{
	const char *start = (const char *)*data;
	const uint8_t *zero = *size ? memchr(*data, 0, *size) : NULL;

	*len = zero ? (size_t)(zero - *data) : *size;
	*data += *len + (zero != NULL);
	*size -= *len + (zero != NULL);
	return start;
}

static bool
read_input(struct scene *in, const uint8_t *data, size_t size)
{
	size_t len;

	if (size < 3)
		return false;
	*in = (struct scene){ .width = data[0] % 90, .height = data[1] % 40 };
	data += 2;
	size -= 2;
	in->keys = part(&data, &size, &in->key_count);
	const char *value = part(&data, &size, &len);
	in->value = json_parse(value, len, NULL, NULL);
	in->schema = in->value ? json_parse((const char *)data, size, NULL, NULL) : NULL;
	return in->value != NULL;
}

static void
check_grid(const struct grid *g)
{
	for (int i = 0; i < g->width * g->height; i++) {
		uint32_t ch = g->cells[i].ch;
		demand(ch == 0 || (ch >= 0x20 && (ch < 0x7f || ch > 0x9f)));
		demand(ch < 0x202a || ch > 0x202e);
	}
}

static void
draw(const struct view_ops *ops, void *state, const struct view_env *env, struct grid *g)
{
	struct surface all = surface_whole(g);
	struct buf where = BUF_INIT, facts = BUF_INIT;

	surface_clear(all, style_of(ROLE_TEXT));
	if (ops->want)
		demand(ops->want(state, env, g->width) >= 0);
	ops->heading(state, env, &where, &facts);
	ops->draw(state, env, surface_sub(all, 2, 1, g->width - 4, g->height - 2));
	check_grid(g);
	buf_finish(&where);
	buf_finish(&facts);
}

/* A sheet made from a table has different values. */
static bool has_sheet;

/* The selection is at the reported place. */
static void
check_selected(
    const struct view_ops *ops, void *state, const struct view_env *env, bool has_duplicates)
{
	struct buf pointer = BUF_INIT;

	if (!ops->selected)
		return;
	const cJSON *node = ops->selected(state, env, &pointer);
	const cJSON *found = json_pointer_find(env->in->value, buf_text(&pointer));
	/* of equal keys a pointer names the first */
	demand(!node || found || has_duplicates || has_sheet);
	if (ops->reveal && found)
		ops->reveal(state, env, buf_text(&pointer));
	buf_finish(&pointer);
}

/* Places rise, and each can be gone to. */
static void
find(const struct view_ops *ops, void *state, const struct view_env *env, const char *text)
{
	struct seekable s;
	struct substring n;
	size_t at = 0, last = 0;

	if (!ops->seek || !ops->seek(state, env, &s))
		return;
	substring_init(&n, text, strlen(text));
	for (int i = 0; i < 50; i++) {
		enum seek_result result = s.seek(&s, &n, &at);
		if (result == SEEK_DONE)
			break;
		demand(at >= last);
		if (result == SEEK_FOUND) {
			s.show(&s, at);
			s.row(&s, at++);
		}
		last = at;
	}
	s.place(&s);
	substring_finish(&n);
}

static void
press(
    const struct view_ops *ops, void *state, const struct view_env *env, uint8_t byte, uint8_t next)
{
	static const char *const actions[] = { "sort", "next-table", "fold", "hide-column",
		"column-left", "show-columns", "freeze-column", "wider", "row", "sort-also",
		"filter-cell", "filter-out", "select-row", "select-range", "select-others",
		"filter-selected", "unselect", "kind", "chart-style", "chart-x", "chart-y",
		"add-series", "remove-series", "level", "unfold-level", "fold-level", "fold-column",
		"unfold-column", "statistics", "frequency", "group", "transpose", "join" };
	enum { SHEETS = 5 }; /* the last ones */
	struct buf why = BUF_INIT;
	char text[2] = { (char)(byte & 0x7f), '\0' };
	struct key key = { .kind = (enum key_kind)(byte % (KEY_MOUSE + 1)), .ch = byte & 0x7f };

	if (key.kind == KEY_MOUSE) {
		key.action = (enum mouse_action)(byte / 16 % (MOUSE_WHEEL_RIGHT + 1));
		key.x = byte / 4 - 3;
		key.y = byte % 13 - 1;
	}
	if (byte >= 0xe8 && byte < 0xf0)
		find(ops, state, env, byte & 4 ? "a" : "1");
	else if (byte >= 0xe0 && byte < 0xe8 && ops->open)
		ops->open(state, env);
	else if (byte == 0xff && ops->turn)
		ops->turn(state, env);
	else if (byte >= 0xf0 && (byte & 3) == 3 && ops->filter)
		ops->filter(state, env, byte & 4 ? "" : text);
	else if (byte >= 0xf0) {
		size_t action = next % ARRAY_LEN(actions);
		has_sheet |= action >= ARRAY_LEN(actions) - SHEETS;
		struct view view = { .ops = ops, .state = state, .in = env->in };
		struct view_env asks = *env;
		asks.why = &why;
		view_run(&view, &asks, actions[action], byte & 4 ? "" : text);
	} else
		ops->key(state, env, &key);
	buf_finish(&why);
}

/* The position of a violation can be queried. */
static void
reveal_all(const struct view_ops *ops, void *state, const struct view_env *env)
{
	const struct report *report = env->in->report;

	for (size_t i = 0; report && ops->reveal && i < report_facts(report)->kept && i < 20; i++) {
		struct buf pointer = BUF_INIT;
		report_instance_path(report, i, &pointer);
		if (report_at(report, i)->missing)
			json_pointer_add_key(&pointer, report_at(report, i)->missing);
		ops->reveal(state, env, buf_text(&pointer));
		buf_finish(&pointer);
	}
}

/* Nothing in a file is markup, a control character, or not a number. */
static void
write_files(const struct view_ops *ops, void *state, const struct view_env *env)
{
	struct drawing shapes = { .width = 0 };
	struct buf out = BUF_INIT;
	struct err err;
	size_t quotes = 0, tags = 0;

	if (!ops->picture || !ops->picture(state, env, &shapes, NULL, &err))
		return;
	demand(drawing_write_svg(&shapes, &out, &err));
	for (size_t i = 0; i < out.len; i++) {
		unsigned char ch = (unsigned char)out.data[i];
		demand(ch >= 0x20 ? ch != 0x7f : ch == '\n');
		quotes += ch == '"';
		tags += ch == '<' ? 1 : ch == '>' ? -1UL : 0;
		demand(tags <= 1);
	}
	demand(tags == 0 && quotes % 2 == 0 && utf8_first_invalid(out.data, out.len) == out.len);
	demand(!strstr(out.data, "\"nan") && !strstr(out.data, "\"inf") &&
	       !strstr(out.data, "\"-nan") && !strstr(out.data, "\"-inf"));
	drawing_finish(&shapes);
	buf_clear(&out);
	demand(ops->picture(state, env, NULL, &out, &err));
	buf_finish(&out);
}

static void
show(const struct view_ops *ops, const struct scene *in, const struct view_input *render)
{
	struct view_env env = { .in = render, .focused = true };
	void *state = mem_zalloc(ops->state_size);
	struct grid grid;

	grid_init(&grid, in->width, in->height);
	if (ops->init)
		ops->init(state);
	demand(view_serves(ops, render) >= 0);
	has_sheet = false;
	for (int round = 0; round < 2; round++) {
		ops->sync(state, &env);
		draw(ops, state, &env, &grid);
		for (size_t i = 0; i < in->key_count && i < 60; i++) {
			press(ops, state, &env, (uint8_t)in->keys[i],
			    i + 1 < in->key_count ? (uint8_t)in->keys[i + 1] : 0);
			if (i % 8 == 0)
				draw(ops, state, &env, &grid);
		}
		check_selected(ops, state, &env, json_flaws(in->value)->count > 0);
		reveal_all(ops, state, &env);
		write_files(ops, state, &env);
		draw(ops, state, &env, &grid);
	}
	if (ops->finish)
		ops->finish(state);
	free(state);
	grid_finish(&grid);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static bool ready;
	struct check_options limits = { .max_steps = 100000 };
	struct scene in;

	if (!ready)
		ready = setlocale(LC_CTYPE, "C.UTF-8") != NULL;
	if (!read_input(&in, data, size))
		return 0;
	const cJSON *schema = in.schema ? json_root(in.schema) : NULL;
	struct schema *compiled = schema ? schema_compile(schema, NULL, NULL) : NULL;
	struct report *report =
	    compiled ? schema_check(compiled, json_root(in.value), &limits) : NULL;
	struct view_input render = {
		.value = json_root(in.value), .schema = schema, .report = report, .generation = 1
	};
	for (int i = 0; i < VIEW_COUNT; i++)
		show(value_views[i], &in, &render);
	report_destroy(report);
	schema_destroy(compiled);
	json_doc_destroy(in.value);
	json_doc_destroy(in.schema);
	return 0;
}
