/* SPDX-License-Identifier: MIT */
#include "commands.h"

#include "base/glyph.h"
#include "base/mem.h"
#include "base/strings.h"
#include "base/text_match.h"
#include "base/units.h"
#include "base/url.h"
#include "base/vec.h"
#include "data/table_export.h"
#include "json/equal.h"
#include "json/pointer.h"
#include "json/print.h"
#include "json/rows.h"

#include <stdlib.h>
#include <string.h>

/* From a value on the screen to a field of the next call. */

#define VALUE_BYTES_MAX ((size_t)1 << 20)   /* of one value */
#define VALUES_BYTES_MAX ((size_t)16 << 20) /* of all of them */
#define TOO_LARGE "a value over 1 MiB cannot be passed on"

static const struct {
	const char *name, *noun;
} whats[PASS_WHATS] = { { "value", NULL }, { "rows", "selected row" }, { "column", "row" },
	{ "items", "item" } };

/* ---- the servers, that of the result first ---- */

static const struct server *
pass_server(const struct workbench *wb, size_t index)
{
	if (index == 0)
		return wb->ws.server;
	for (size_t i = 0; i < wb->ws.choice_count; i++) {
		const struct server *s = wb->ws.choices[i].server;
		bool is_other = s && s != wb->ws.server && server_info(s)->phase == SERVER_READY;
		if (is_other && --index == 0)
			return s;
	}
	return NULL;
}

static void
pass_find_fields(struct workbench *wb, const struct pass_part *part, struct chain_fields *out)
{
	struct {
		const struct server **items;
		size_t len, cap;
	} servers = { 0 };
	const struct call *call = workspace_call(&wb->ws);
	const struct chain_source source = {
		.value = json_root(part->sample),
		.pointer = part->pointer,
		.tool = call ? call->key : NULL,
		.many = part->what != PASS_VALUE,
	};

	for (const struct server *s; (s = pass_server(wb, servers.len)) != NULL;)
		*VEC_PUSH(&servers) = s;
	chain_find(&source, servers.items, servers.len, out);
	free(servers.items);
}

/* ---- the values ---- */

/* The value and the table in front. */
struct front {
	const cJSON *value;        /* that is selected; NULL: none */
	const struct table *table; /* NULL: none, or no column of it is selected */
	size_t column;
};

/* pointer: of the value is appended. False: nothing is shown. */
static bool
find_front(struct workbench *wb, struct front *out, struct buf *pointer)
{
	const struct view *v = workbench_front_value(wb);

	*out = (struct front){ 0 };
	if (!v->in->value)
		return false;
	const struct table *t = view_table_of(v, &out->column);
	out->table = t && out->column < t->columns.len ? t : NULL;
	out->value = view_selected(v, pointer);
	if (!out->value && !v->ops->selected)
		out->value = v->in->value;
	return true;
}

/* The first value of a column that says something, if one of the first does. */
static const cJSON *
sample_of(const struct table *t, enum pass_what what, size_t column)
{
	for (size_t i = 0, seen = 0; i < t->shown && seen < BATCH_ROWS_MAX; i++) {
		if (what != PASS_COLUMN && !row_set_has(&t->selected, t->order[i]))
			continue;
		const cJSON *cell = table_cell(t, t->order[i], column);
		if (cell && json_type(cell) != JSON_NULL)
			return cell;
		seen++;
	}
	return NULL;
}

struct pass_list {
	struct pass_part items[PASS_WHATS];
	size_t len;
	const char *pointer;
	unsigned too_large; /* bits of enum pass_what: their value was */
};

static void
add_part(struct pass_list *p, enum pass_what what, size_t count, const cJSON *sample)
{
	struct buf text = { .max = VALUE_BYTES_MAX };

	if (count == 0 || !sample)
		return;
	json_print(&text, sample); /* a copy, so that it outlives the result */
	struct json_doc *doc =
	    text.overflowed ? NULL : json_parse(buf_text(&text), text.len, NULL, NULL);
	buf_finish(&text);
	if (!doc)
		p->too_large |= 1u << what;
	else
		p->items[p->len++] = (struct pass_part){ what, count, doc, mem_strdup(p->pointer) };
}

/* The most likely part comes first. */
static void
find_parts(struct workbench *wb, struct pass_list *p)
{
	struct buf pointer = BUF_INIT;
	struct front front;

	*p = (struct pass_list){ .len = 0 };
	if (!find_front(wb, &front, &pointer))
		return;
	const struct table *t = front.table;
	const cJSON *value = front.value;
	p->pointer = buf_text(&pointer);
	if (t && t->selected.count > 0)
		add_part(p, PASS_ROWS, export_count(t), sample_of(t, PASS_ROWS, front.column));
	add_part(p, PASS_VALUE, 1, json_type(value) == JSON_NULL ? NULL : value);
	if (t && t->shown > 1)
		add_part(p, PASS_COLUMN, t->shown, sample_of(t, PASS_COLUMN, front.column));
	if (json_type(value) == JSON_ARRAY) {
		struct json_items it;
		json_items_init(&it, value, NULL);
		add_part(p, PASS_ITEMS, json_count(value), it.item);
		json_items_finish(&it);
	}
	buf_finish(&pointer);
}

static void
pass_part_finish(struct pass_part *p)
{
	json_doc_destroy(p->sample);
	free(p->pointer);
	*p = (struct pass_part){ 0 };
}

/* False: there are too many, or it is too large. Absent values and null are left out. */
static bool
add_pass_value(struct strings *out, size_t *bytes, const cJSON *value, struct err *err)
{
	struct buf text = { .max = VALUE_BYTES_MAX };

	if (!value || json_type(value) == JSON_NULL)
		return true;
	json_print(&text, value);
	*bytes += text.len;
	bool is_small = !text.overflowed;
	bool fits = is_small && *bytes <= VALUES_BYTES_MAX && out->len < BATCH_ROWS_MAX;
	if (fits)
		strings_take(out, buf_detach(&text));
	buf_finish(&text);
	if (!is_small)
		return err_set(err, TOO_LARGE);
	return fits ||
	       err_set(err, "at most %s values of together 16 MiB can be passed on: / shows fewer",
		   units_count(BATCH_ROWS_MAX).text);
}

/* The values of the part as they are now, as JSON. */
static bool
take_values(struct workbench *wb, enum pass_what what, struct strings *out, struct err *err)
{
	struct buf pointer = BUF_INIT;
	struct json_items it;
	struct front front;
	size_t bytes = 0;
	bool ok = find_front(wb, &front, &pointer);
	const struct table *t = front.table;

	buf_finish(&pointer);
	if (!ok)
		return err_set(err, "the result is gone");
	if (what == PASS_VALUE)
		return add_pass_value(out, &bytes, front.value, err);
	if (what == PASS_ITEMS && json_type(front.value) == JSON_ARRAY) {
		json_items_init(&it, front.value, NULL);
		for (; ok && it.item; json_items_next(&it))
			ok = add_pass_value(out, &bytes, it.item, err);
		json_items_finish(&it);
		return ok;
	}
	for (size_t i = 0; ok && t && i < t->shown; i++)
		if (what == PASS_COLUMN || row_set_has(&t->selected, t->order[i]))
			ok = add_pass_value(
			    out, &bytes, table_cell(t, t->order[i], front.column), err);
	return ok;
}

/* ---- into the field ---- */

/* The first value, or an array of all; converts them. False: some values do not fit. */
static bool
write_argument(struct strings *values, const struct chain_field *field, struct buf *out)
{
	bool ok = true;

	buf_add_str(out, field->array ? "[" : "");
	for (size_t i = 0; ok && i < values->len; i++) {
		struct buf one = BUF_INIT;
		struct json_doc *doc =
		    json_parse(values->items[i], strlen(values->items[i]), NULL, NULL);
		ok = doc && chain_convert(json_root(doc), field->types, &one);
		json_doc_destroy(doc);
		if (field->array || i == 0)
			buf_addf(out, "%s%s", i > 0 ? "," : "", buf_text(&one));
		free(values->items[i]);
		values->items[i] = buf_detach(&one);
	}
	buf_add_str(out, field->array ? "]" : "");
	return ok && values->len > 0;
}

/* Shows the primitive of the field, with its form. */
static bool
show_form(struct workbench *wb, const struct chain_fields *fields, const struct chain_field *field)
{
	const struct server *server = pass_server(wb, field->server);
	const char *key = chain_text(fields, field->key);

	for (size_t i = 0; server && server != wb->ws.server && i < wb->ws.choice_count; i++)
		if (wb->ws.choices[i].server == server) {
			workspace_set_server(&wb->ws, wb->ws.choices[i].server);
			break;
		}
	wb->overlay = -1;
	return server && wb->ws.server == server &&
	       workspace_select_name(&wb->ws, (enum primitive_kind)field->kind, key) &&
	       wb->ws.desk->form;
}

bool
pass_fill_in(struct workbench *wb, const char *pointer, const char *json, struct err *err)
{
	struct form *form = wb->ws.desk->form;
	struct buf typed = BUF_INIT;

	workspace_add_plain(&wb->ws, json, &typed);
	form_note_step(form);
	bool ok = form_set(form, pointer, buf_text(&typed), FORM_EXTRA_ADDED, err);
	buf_finish(&typed);
	form_note_step(form);
	form_check_given(form);
	wb->ws.generation++;
	return ok;
}

/* Is the value at that place of the data, as a recipe will find it? */
static bool
call_has_value(const struct call *c, const char *pointer, const cJSON *value)
{
	struct call_data data;

	call_data_read(&data, c, SIZE_MAX);
	const cJSON *found = data.value ? json_pointer_find(data.value, pointer) : NULL;
	bool has = found && json_equal(found, value);
	call_data_finish(&data);
	return has;
}

/* Fills the field in, by the values as they are now. */
static bool
pass_on(struct workbench *wb, const struct pass_part *part, const struct chain_fields *fields,
    const struct chain_field *field)
{
	char *pointer = mem_strdup(chain_text(fields, field->pointer));
	const struct call *from = workspace_call(&wb->ws);
	bool is_link = from && part->what == PASS_VALUE && !field->array &&
		       call_has_value(from, part->pointer, json_root(part->sample));
	uint64_t from_id = is_link ? from->id : 0;
	struct strings values = { 0 };
	struct buf json = BUF_INIT;
	struct err err = { "the server no longer lists it" };

	bool ok = take_values(wb, part->what, &values, &err) &&
		  (write_argument(&values, field, &json) ||
		      err_set(&err, "some of the values do not fit this field")) &&
		  show_form(wb, fields, field) && pass_fill_in(wb, pointer, buf_text(&json), &err);
	char *line = mem_printf("field %s", pointer);
	if (ok && is_link)
		record_link(wb, from_id, part->pointer, (enum primitive_kind)field->kind,
		    chain_text(fields, field->key), pointer);
	if (ok)
		workbench_run(wb, line, wb->now_us);
	if (!ok)
		workbench_refuse(wb, err.text);
	else if (!field->array && values.len > 1)
		ok = batch_arm(wb, pointer, &values);
	else
		workbench_say(wb, ROLE_OK, "filled in: F5 calls, Esc u undoes it");
	strings_finish(&values);
	buf_finish(&json);
	free(line);
	free(pointer);
	return ok;
}

/* ---- the dialog: the fields that could take the value, best first ---- */

enum { WIDTH = 100, HEIGHT = 22, ABOVE_ROWS = 3, NAME_COLS = 30, FIELD_COLS = 24 };

static void
free_pass(struct pass *p)
{
	for (size_t i = 0; i < p->count; i++)
		pass_part_finish(&p->parts[i]);
	chain_fields_finish(&p->fields);
	edit_finish(&p->edit);
	free(p->shown.items);
	free(p->uri);
	*p = (struct pass){ 0 };
}

static void
pass_finish(struct workbench *wb)
{
	free_pass(&wb->pass);
}

/* The rows: a command for a URI, then the fields with the typed words. */

static const struct extra {
	const char *name, *note, *command;
} extras[] = {
	{ "read the resource", "resources/read", "resource" },
	{ "open in the browser", "after a question", "browse" },
};

static size_t
extra_count(const struct pass *p)
{
	return p->uri ? 1 : 0;
}

enum { WORDS_MAX = 6 };

struct typed_words {
	struct substring items[WORDS_MAX];
	size_t len;
};

static bool
has_words(const struct pass *p, const struct chain_field *f, const struct typed_words *w)
{
	const char *key = chain_text(&p->fields, f->key);
	const char *pointer = chain_text(&p->fields, f->pointer);

	for (size_t i = 0; i < w->len; i++)
		if (!substring_is_in(&w->items[i], key, strlen(key)) &&
		    !substring_is_in(&w->items[i], pointer, strlen(pointer)))
			return false;
	return true;
}

static void
narrow_fields(struct workbench *wb)
{
	struct pass *p = &wb->pass;
	struct typed_words words = { .len = 0 };
	const char *at = edit_text(&p->edit);

	for (; *(at += strspn(at, " ")) && words.len < WORDS_MAX; at += strcspn(at, " "))
		substring_init(&words.items[words.len++], at, strcspn(at, " "));
	p->shown.len = 0;
	for (size_t i = 0; i < p->fields.len; i++)
		if (has_words(p, &p->fields.items[i], &words))
			*VEC_PUSH(&p->shown) = (uint32_t)i;
	while (words.len > 0)
		substring_finish(&words.items[--words.len]);
	list_set_count(&wb->rows.list, extra_count(p) + p->shown.len);
	list_select(&wb->rows.list, 0);
}

static void
show_part(struct workbench *wb, size_t part)
{
	struct pass *p = &wb->pass;

	p->part = part;
	chain_fields_finish(&p->fields);
	pass_find_fields(wb, &p->parts[part], &p->fields);
	const char *text = cJSON_GetStringValue(json_root(p->parts[part].sample));
	bool is_uri = p->parts[part].what == PASS_VALUE && text && wb->ws.server &&
		      strstr(text, "://") && !strpbrk(text, " \t\n\r") && strlen(text) <= 4096;
	free(p->uri);
	p->uri = is_uri ? mem_strdup(text) : NULL;
	/* a resource that is listed is read; an address of the web is for the browser */
	p->is_web = is_uri && is_web_url(text) &&
		    !primitive_list_find(
			&server_info(wb->ws.server)->lists[PRIMITIVE_RESOURCE].list, text, 0);
	narrow_fields(wb);
}

static bool
pass_open(struct workbench *wb, const struct pass_part *parts, size_t count, size_t part)
{
	struct pass *p = &wb->pass;

	pass_finish(wb);
	memcpy(p->parts, parts, count * sizeof(parts[0]));
	p->count = count;
	edit_init(&p->edit, false, PALETTE_TYPED_MAX);
	list_dialog_open(wb, &dialog_pass, "Pass on to which field?", 0);
	show_part(wb, part);
	return true;
}

static void
pass_choose(struct workbench *wb, size_t row)
{
	struct pass *p = &wb->pass;
	struct pass open = *p; /* pass_on() may open another dialog */

	if (row < extra_count(p)) {
		dialog_leave_for(wb, mem_printf("%s %s", extras[p->is_web].command, p->uri));
		return;
	}
	row -= extra_count(p);
	if (row >= p->shown.len)
		return;
	*p = (struct pass){ 0 };
	wb->dialog = NULL;
	pass_on(
	    wb, &open.parts[open.part], &open.fields, &open.fields.items[open.shown.items[row]]);
	free_pass(&open);
}

static bool
pass_key(struct workbench *wb, const struct key *key)
{
	struct pass *p = &wb->pass;
	bool acts = key->kind == KEY_MOUSE || key->kind == KEY_ENTER;
	bool changed = false;

	if (acts || dialog_closes(key))
		return list_dialog_key(wb, key);
	if (key->kind == KEY_TAB)
		show_part(wb, (p->part + (key->mods & MOD_SHIFT ? p->count - 1 : 1)) % p->count);
	else if (!edit_key(&p->edit, key, &changed))
		return key->kind != KEY_CHAR && list_dialog_key(wb, key);
	if (changed)
		narrow_fields(wb);
	return true;
}

static void
pass_add_keys(const struct workbench *wb, struct buf *out)
{
	buf_addf(out, "Enter %s  %sletters find  Esc close",
	    wb->rows.list.selected < extra_count(&wb->pass) ? "open" : "fill in",
	    wb->pass.count > 1 ? "Tab other values  " : "");
}

/* Draws the parts of the result; one of them is passed on. */
static void
draw_parts(const struct pass *p, struct surface s)
{
	struct buf text = BUF_INIT;
	int x = 0;

	for (size_t i = 0; i < p->count && x < s.width; i++) {
		const struct pass_part *part = &p->parts[i];
		bool is_it = i == p->part;
		buf_clear(&text);
		buf_add_str(&text, part->what == PASS_COLUMN ? "the column: " : "");
		if (part->what == PASS_VALUE)
			json_print_brief(&text, json_root(part->sample), 40);
		else
			units_add_counted(&text, part->count, whats[part->what].noun);
		x += surface_text(s, x, 0, -1,
		    style_on(is_it ? ROLE_ACCENT : ROLE_HINT, ROLE_DIALOG), is_it ? "● " : "○ ");
		x += surface_text(s, x, 0, s.width - x,
		    style_on(is_it ? ROLE_TITLE : ROLE_DIM, ROLE_DIALOG), buf_text(&text));
		x += 3;
	}
	buf_finish(&text);
}

static void
draw_field_row(struct workbench *wb, struct surface s, int y, size_t row)
{
	const struct pass *p = &wb->pass;
	const int name_cols = p->name_cols;

	if (row < extra_count(p)) {
		int x = surface_text(
		    s, 0, y, -1, style_on(ROLE_TEXT, ROLE_DIALOG), extras[p->is_web].name);
		surface_text(
		    s, x + 2, y, -1, style_on(ROLE_DIM, ROLE_DIALOG), extras[p->is_web].note);
		return;
	}
	const struct chain_field *f = &p->fields.items[p->shown.items[row - extra_count(p)]];
	const struct style dim = style_on(ROLE_DIM, ROLE_DIALOG);
	const struct server *other = f->server > 0 ? pass_server(wb, f->server) : NULL;
	const char *pointer = chain_text(&p->fields, f->pointer);
	int field_cols = s.width < 90 ? FIELD_COLS - 6 : FIELD_COLS;
	bool deep = *pointer && strchr(pointer + 1, '/');
	int x = surface_text(
	    s, 0, y, name_cols, style_on(ROLE_TEXT, ROLE_DIALOG), chain_text(&p->fields, f->key));

	if (f->kind != PRIMITIVE_TOOL && x + 2 < name_cols)
		surface_text(s, x + 1, y, name_cols - x - 1, dim, primitive_kinds[f->kind].name);
	x = name_cols + 2;
	surface_text(s, x, y, FIELD_COLS, style_on(f->named ? ROLE_ACCENT : ROLE_TEXT, ROLE_DIALOG),
	    pointer + (deep ? 0 : 1));
	x += field_cols + 2;
	if (p->parts[p->part].what != PASS_VALUE)
		x += surface_text(s, x, y, s.width - x, style_on(ROLE_HINT, ROLE_DIALOG),
		    f->array ? "all in " : "each a ");
	x += surface_text(s, x, y, s.width - x, dim, chain_text(&p->fields, f->type));
	if (other && x + 4 < s.width)
		surface_textf(s, x, y, s.width - x, style_on(ROLE_WARNING, ROLE_DIALOG),
		    " on %.40s", server_info(other)->name);
}

static int
name_columns(const struct pass *p, const struct list *list, int room)
{
	int cols = 12;

	for (int y = 0; y < list->height && list->top + (size_t)y < list->count; y++) {
		size_t row = list->top + (size_t)y;
		if (row < extra_count(p))
			continue;
		const char *key = chain_text(
		    &p->fields, p->fields.items[p->shown.items[row - extra_count(p)]].key);
		int used = (int)glyph_columns(key, strlen(key));
		cols = used > cols ? used : cols;
	}
	return cols < room / 2 - 4 && cols < NAME_COLS + 10 ? cols
	       : room / 2 - 4 < NAME_COLS                   ? room / 2 - 4
							    : NAME_COLS;
}

static void
pass_draw(struct workbench *wb, struct surface main, struct surface bar)
{
	struct pass *p = &wb->pass;
	struct buf facts = BUF_INIT;
	int most = main.height < HEIGHT ? main.height : HEIGHT;
	struct list *list = &wb->rows.list;
	int rows = (int)(list->count < HEIGHT ? list->count : HEIGHT);

	rows = (rows > 0 ? rows : 1) + ABOVE_ROWS + 2;
	struct surface box = dialog_box(main, WIDTH, rows < most ? rows : most);
	wb->rows.box = (struct rect){ box.x, box.y, box.width, box.height };
	units_add_counted(&facts, p->shown.len, "field");
	buf_add_str(&facts, p->fields.more ? ", and there are more" : "");
	struct surface inner = surface_frame(box, true, wb->rows.title, buf_text(&facts), ROLE_DIM);
	buf_finish(&facts);
	draw_parts(p, surface_sub(inner, 0, 0, inner.width, 1));
	surface_put(inner, 0, 1, style_on(ROLE_BAR_KEY, ROLE_DIALOG), '>');
	edit_draw(&p->edit, surface_sub(inner, 2, 1, inner.width - 2, 1),
	    style_on(ROLE_TEXT, ROLE_DIALOG), true, "letters of a tool or a field");
	surface_repeat(inner, 0, 2, inner.width, style_on(ROLE_BORDER, ROLE_DIALOG), 0x2500);
	inner = surface_sub(inner, 0, ABOVE_ROWS, inner.width,
	    inner.height > ABOVE_ROWS ? inner.height - ABOVE_ROWS : 0);
	list_set_height(list, inner.height);
	p->name_cols = name_columns(p, list, inner.width);
	if (list->count == 0)
		surface_text(inner, 0, 0, -1, style_on(ROLE_HINT, ROLE_DIALOG),
		    p->fields.len > 0 ? "No field has these letters."
				      : "No tool has a field for this value.");
	list_dialog_draw_rows(wb, inner);
}

const struct dialog dialog_pass = {
	.key = pass_key,
	.draw = pass_draw,
	.finish = pass_finish,
	.add_keys = pass_add_keys,
	.rows =
	    &(const struct list_dialog_ops){ .choose = pass_choose, .draw_row = draw_field_row },
};

/* ---- the command ---- */

/* The word at *arg, if it names a part. */
static enum pass_what
take_what(const char **arg)
{
	for (int i = 0; i < PASS_WHATS; i++) {
		size_t len = strlen(whats[i].name);
		if (strncmp(*arg, whats[i].name, len) == 0 && strchr(" ", (*arg)[len])) {
			*arg += len + strspn(*arg + len, " ");
			return (enum pass_what)i;
		}
	}
	return PASS_WHATS;
}

static bool
pass_named(struct workbench *wb, const struct pass_part *part, const char *arg)
{
	struct chain_fields fields;
	char *tool = strings_next_word(&arg);

	pass_find_fields(wb, part, &fields);
	const struct chain_field *field = NULL;
	for (size_t i = 0; !field && i < fields.len; i++) {
		const char *pointer = chain_text(&fields, fields.items[i].pointer);
		if (strcmp(chain_text(&fields, fields.items[i].key), tool) == 0 &&
		    (strcmp(pointer, arg) == 0 || strcmp(pointer + 1, arg) == 0))
			field = &fields.items[i];
	}
	bool ok = field ? pass_on(wb, part, &fields, field)
			: workbench_say(
			      wb, ROLE_ERROR, "%.60s has no field %.60s for this value", tool, arg);
	chain_fields_finish(&fields);
	free(tool);
	return ok;
}

static bool
cmd_pass(struct workbench *wb, const char *arg)
{
	struct pass_list parts;
	enum pass_what what = take_what(&arg);
	size_t at = 0;
	bool ok;

	find_parts(wb, &parts);
	while (what != PASS_WHATS && at < parts.len && parts.items[at].what != what)
		at++;
	if (at == parts.len && (what == PASS_WHATS ? parts.too_large : parts.too_large >> what & 1))
		ok = workbench_refuse(wb, TOO_LARGE);
	else if (parts.len == 0)
		ok = workbench_refuse(wb, "no value is selected");
	else if (at == parts.len)
		ok = workbench_say(wb, ROLE_ERROR, "there are no %s to pass on", whats[what].name);
	else if (*arg)
		ok = pass_named(wb, &parts.items[at], arg);
	else
		ok = pass_open(wb, parts.items, parts.len, at);
	for (size_t i = 0; i < parts.len && (!ok || *arg); i++)
		pass_part_finish(&parts.items[i]);
	return ok;
}

/* clang-format off */
const struct command pass_commands[] = {
	COMMAND("pass", ">", "[value|rows|column|items] [TOOL FIELD]", "send the value, the column or the selected rows to a field of another tool", cmd_pass),
	{ 0 },
};
/* clang-format on */
