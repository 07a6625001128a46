#include "print.h"

#include "base/units.h"
#include "json/equal.h"
#include "json/pointer.h"
#include "json/print.h"
#include "data/text_data.h"
#include "data/table.h"
#include "view/view.h"

#include <string.h>

/* ---- a value ---- */

static void
end_line(struct buf *out)
{
	if (out->len > 0 && out->data[out->len - 1] != '\n')
		buf_add_char(out, '\n');
}

/* The keys of a map form an additional first column. */
static bool
is_label(const struct table *t, size_t column)
{
	return t->kind == TABLE_MAP && column == 0;
}

static size_t
own_column(const struct table *t, size_t column)
{
	return column - (t->kind == TABLE_MAP);
}

static void
heading(const void *user, size_t column, struct buf *out)
{
	const struct table *t = user;

	if (!is_label(t, column))
		buf_add_str(out, t->columns.items[own_column(t, column)].name);
}

static void
cell(const void *user, size_t row, size_t column, struct buf *out)
{
	const struct table *t = user;

	row = t->order[row];
	if (is_label(t, column))
		buf_add_str(out, table_row_key(t, row));
	else if (!table_cell_is_told(t, row, own_column(t, column)))
		view_value_text(table_cell(t, row, own_column(t, column)), out);
}

static bool
is_right(const void *user, size_t column)
{
	const struct table *t = user;

	return !is_label(t, column) && t->columns.items[own_column(t, column)].numeric;
}

/* The state of printing a value. */
struct value_printer {
	struct buf *out;
	struct table_spots spots;
	const cJSON *root_schema;
	int width;
	struct buf path; /* of the current member: "cpu.cores" */
};

static void
add_table(struct value_printer *p, const struct table_spot *spot)
{
	struct table table;

	table_init(&table, spot, p->root_schema);
	struct text_columns columns = {
		.rows = table.shown,
		.count = table.columns.len + (table.kind == TABLE_MAP),
		.width = p->width,
		.heading = heading,
		.cell = cell,
		.is_right = is_right,
		.user = &table,
	};
	columns_print(&columns, p->out);
	if (table.empty)
		buf_addf(p->out, "(+%zu empty: %s)\n", table.empty_count, table.empty);
	if (table.more_columns)
		buf_add_str(p->out, "(and more columns)\n");
	table_finish(&table);
}

/* Arrays of objects or arrays become tables; an array of scalars reads better as JSON. */
static bool
is_rows(const struct table_spot *s)
{
	return s->kind != TABLE_SCALARS && json_count(s->node) > 0;
}

static const struct table_spot *
spot_at(const struct value_printer *p, const cJSON *node)
{
	for (size_t i = 0; i < p->spots.len; i++)
		if (p->spots.items[i].node == node && is_rows(&p->spots.items[i]))
			return &p->spots.items[i];
	return NULL;
}

/* True if a table is nested here, which a table of the members would show as JSON. */
static bool
has_tables(const struct value_printer *p, const struct table_spot *around, const char *pointer)
{
	size_t len = strlen(pointer);

	for (size_t i = 0; i < p->spots.len; i++) {
		const struct table_spot *s = &p->spots.items[i];
		if (s != around && is_rows(s) && strncmp(s->pointer, pointer, len) == 0 &&
		    s->pointer[len] == '/')
			return true;
	}
	return false;
}

/* A member that fits on the line of its path stands there. */
static void
add_json(struct value_printer *p, const cJSON *value)
{
	enum { LINE = 80 };
	struct buf line = BUF_INIT;

	json_print_brief(&line, value, LINE + 8); /* longer if it is cut */
	if (p->path.len > 0 && p->path.len + line.len <= LINE)
		buf_add(p->out, buf_text(&line), line.len);
	else
		json_print_pretty(p->out, value, 2);
	buf_finish(&line);
}

static void
add_value(struct value_printer *p, const cJSON *value, const char *pointer)
{
	const struct table_spot *spot = spot_at(p, value);
	bool parts = json_type(value) == JSON_OBJECT && has_tables(p, spot, pointer);
	bool titled = p->path.len > 0 && !parts;

	if (titled)
		buf_addf(p->out, "%s:%s", buf_text(&p->path), spot ? "\n" : " ");
	if (!parts && spot)
		add_table(p, spot);
	else if (!parts)
		add_json(p, value);
	end_line(p->out);
	for (const cJSON *m = parts ? json_first(value) : NULL; m; m = m->next) {
		struct buf inner = BUF_INIT;
		size_t len = p->path.len;
		buf_add_str(&inner, pointer);
		json_pointer_add_key(&inner, m->string);
		buf_addf(&p->path, "%s%s", len > 0 ? "." : "", *m->string ? m->string : "\"\"");
		add_value(p, m, buf_text(&inner));
		buf_truncate(&p->path, len);
		buf_finish(&inner);
	}
}

/* schema: NULL for none. */
static void
print_value(const cJSON *value, const cJSON *schema, int width, struct buf *out)
{
	struct value_printer p = { .out = out, .root_schema = schema, .width = width };

	shape_find(&p.spots, value, schema);
	add_value(&p, value, "");
	shape_finish(&p.spots);
	buf_finish(&p.path);
}

/* ---- content ---- */

static void
add_fact(struct buf *out, const char *text)
{
	if (text)
		buf_addf(out, " %s", text);
}

/* Text needs no heading unless it is one of several blocks or a message with a role. */
static bool
needs_head(const struct call *c, const struct content_block *b)
{
	if (b->role)
		return true;
	if (c->kind == PRIMITIVE_TOOL || b->data)
		return b->kind != CONTENT_TEXT;
	return c->result.len > 1;
}

bool
result_add_head(const struct call *c, const struct content_block *b, struct buf *out)
{
	if (!needs_head(c, b))
		return false;
	buf_add_char(out, '[');
	if (b->role)
		buf_add_str(out, b->role);
	if (b->kind != CONTENT_TEXT)
		buf_addf(out, "%s%s", b->role ? " " : "", content_kind_names[b->kind]);
	add_fact(out, b->mime);
	add_fact(out, b->uri);
	add_fact(out, b->name);
	if (b->data) {
		buf_add_char(out, ' ');
		units_add_counted(out, b->decoded_bytes, "byte");
	}
	buf_add_str(out, "]\n");
	return true;
}

static void
add_block(struct buf *out, const struct call *c, const struct content_block *b)
{
	if (b->kind == CONTENT_UNKNOWN) {
		json_print(out, b->block);
		buf_add_char(out, '\n');
		return;
	}
	result_add_head(c, b, out);
	if (b->text) {
		content_add_text(out, b->text, b->text_len);
		end_line(out);
	}
}

/* True if block `index` only repeats structuredContent, whole, its only member, or one array
 * item per block: SDKs write it so for clients that ignore structuredContent. */
static bool
is_repeated(const struct call *c, size_t index)
{
	const cJSON *value = c->result.structured, *only = json_first(value);
	const struct content_block *b = &c->result.blocks[index];

	if (!value || c->kind != PRIMITIVE_TOOL || b->kind != CONTENT_TEXT || !b->text)
		return false;
	if (json_type(value) == JSON_OBJECT && only && !only->next && json_string(only) &&
	    strcmp(json_string(only), b->text) == 0)
		return true;
	struct json_doc *doc = json_parse(b->text, b->text_len, NULL, NULL);
	const cJSON *said = doc ? json_root(doc) : NULL;
	bool repeated = json_first(said) && json_equal(said, value);
	if (!repeated && json_first(said) && json_type(value) == JSON_OBJECT && !only->next) {
		value = only;
		repeated = json_equal(said, value);
	}
	if (!repeated && json_first(said) && json_count(value) == c->result.len &&
	    json_type(value) == JSON_ARRAY) {
		const cJSON *item = json_first(value);
		for (size_t i = 0; item && i < index; i++)
			item = item->next;
		repeated = json_equal(said, item);
	}
	json_doc_destroy(doc);
	return repeated;
}

/* Returns how many blocks starting at `from` repeat structuredContent. */
static size_t
add_repeated(struct buf *out, const struct call *c, size_t from)
{
	size_t to = from;

	while (to < c->result.len && is_repeated(c, to))
		to++;
	if (to == from + 1)
		buf_addf(out, "[text block %zu repeats structuredContent]\n", to);
	else if (to > from)
		buf_addf(out, "[text blocks %zu to %zu repeat structuredContent]\n", from + 1, to);
	return to - from;
}

/* On a terminal: data that a tool has only in a text, which is often one long line there. */
static bool
add_as_data(struct buf *out, const struct call *c, size_t index, int width)
{
	const struct content_block *b = &c->result.blocks[index];
	struct json_doc *doc = NULL;

	if (width == 0 || c->kind != PRIMITIVE_TOOL || c->result.structured ||
	    b->kind != CONTENT_TEXT || !b->text || !text_data_begins_json(b->text, b->text_len))
		return false;
	enum text_data_kind kind = text_data_read(b->text, b->text_len, NULL, &doc, NULL);
	if (!doc)
		return false;
	buf_addf(out, "[text block %zu as %s]\n", index + 1, text_data_names[kind]);
	print_value(json_root(doc), NULL, width, out);
	json_doc_destroy(doc);
	return true;
}

/* width: of the terminal; 0: as the model gets it. all: what is repeated, too. */
static void
add_content(struct buf *out, const struct call *c, int width, bool all)
{
	static const char *const members[PRIMITIVE_KINDS] = { "content", "contents", "contents",
		"messages", "contents" };
	const struct result *r = &c->result;

	for (size_t i = 0; i < r->len;) {
		size_t repeated = all ? 0 : add_repeated(out, c, i);
		if (repeated == 0 && !add_as_data(out, c, i, width))
			add_block(out, c, &r->blocks[i]);
		i += repeated > 0 ? repeated : 1;
	}
	if (r->content != JSON_ARRAY && r->content != JSON_ABSENT) { /* malformed, but shown */
		json_print(out, json_get(r->value, members[c->kind]));
		buf_add_char(out, '\n');
	}
}

void
result_add_content(const struct call *c, struct buf *out)
{
	add_content(out, c, 0, true);
}

/* On a terminal: the same if it is all of structuredContent, in a string. */
static bool
add_wrapped(struct buf *out, const struct call *c, int width)
{
	struct json_doc *doc = NULL;
	struct buf pointer = BUF_INIT;

	const cJSON *string = width > 0 ? call_wrapped_text(c, &pointer) : NULL;
	if (string)
		text_data_read(json_string(string), strlen(json_string(string)), NULL, &doc, NULL);
	bool found = doc != NULL;
	if (found) {
		buf_addf(out, "[JSON in structuredContent%s]\n", buf_text(&pointer));
		print_value(json_root(doc), NULL, width, out);
	}
	buf_finish(&pointer);
	json_doc_destroy(doc);
	return found;
}

void
result_add_text(const struct call *c, int width, struct buf *out)
{
	if (c->state != CALL_DONE)
		return;
	add_content(out, c, width, false);
	if (c->kind != PRIMITIVE_TOOL || !c->result.structured)
		return;
	if (out->len > 0)
		buf_add_char(out, '\n');
	if (!add_wrapped(out, c, width))
		print_value(c->result.structured, c->output_schema, width, out);
}
