#include "result_priv.h"

#include "columns_priv.h"
#include "json/print.h"
#include "model/table.h"
#include "render/render.h"

#include <string.h>

/* ---- content ---- */

void
result_add_exact(struct buf *out, const char *text, size_t len)
{
	const char *end = text + len;

	while (text < end) {
		const char *nul = memmem(text, (size_t)(end - text), "\xc0\x80", 2);
		size_t n = nul ? (size_t)(nul - text) : (size_t)(end - text);
		buf_add(out, text, n);
		if (nul)
			buf_add_char(out, '\0');
		text += n + (nul ? 2 : 0);
	}
}

static void
end_line(struct buf *out)
{
	if (out->len > 0 && out->data[out->len - 1] != '\n')
		buf_add_char(out, '\n');
}

static void
add_fact(struct buf *out, const char *text)
{
	if (text)
		buf_addf(out, " %s", text);
}

/* What is text needs no head, unless it is one of several contents or a message of somebody. */
static bool
needs_head(const struct call *c, const struct content_block *b)
{
	if (b->role)
		return true;
	if (c->kind == OFFER_TOOL || b->data)
		return b->kind != CONTENT_TEXT;
	return c->result.len > 1;
}

static void
add_head(struct buf *out, const struct content_block *b)
{
	buf_add_char(out, '[');
	if (b->role)
		buf_add_str(out, b->role);
	if (b->kind != CONTENT_TEXT)
		buf_addf(out, "%s%s", b->role ? " " : "", content_kind_name(b->kind));
	add_fact(out, b->mime);
	add_fact(out, b->uri);
	add_fact(out, b->name);
	if (b->data)
		buf_addf(out, " %zu bytes", b->decoded_bytes);
	buf_add_str(out, "]\n");
}

static void
add_block(struct buf *out, const struct call *c, const struct content_block *b)
{
	if (b->kind == CONTENT_UNKNOWN) {
		json_print(out, b->block);
		buf_add_char(out, '\n');
		return;
	}
	if (needs_head(c, b))
		add_head(out, b);
	if (b->text) {
		result_add_exact(out, b->text, b->text_len);
		end_line(out);
	}
}

static void
add_content(struct buf *out, const struct call *c)
{
	static const char *const members[OFFER_KINDS] = { "content", "contents", "contents",
		"messages" };
	const struct result *r = &c->result;

	for (size_t i = 0; i < r->len; i++)
		add_block(out, c, &r->blocks[i]);
	if (r->content != JSON_ARRAY && r->content != JSON_ABSENT) { /* broken, but shown */
		json_print(out, json_get(r->value, members[c->kind]));
		buf_add_char(out, '\n');
	}
}

/* ---- structuredContent ---- */

static void
heading(const void *user, size_t column, struct buf *out)
{
	const struct table *t = user;

	buf_add_str(out, t->columns.items[column].name);
}

static void
cell(const void *user, size_t row, size_t column, struct buf *out)
{
	render_value_text(table_cell(user, row, column), out);
}

static bool
is_right(const void *user, size_t column)
{
	const struct table *t = user;

	return t->columns.items[column].numeric;
}

static void
add_table(struct buf *out, const struct table_spot *spot, const cJSON *root_schema, int width)
{
	struct table table;

	table_init(&table, spot, root_schema);
	struct columns columns = {
		.rows = table.row_count,
		.count = table.columns.len,
		.width = width,
		.heading = heading,
		.cell = cell,
		.is_right = is_right,
		.user = &table,
	};
	columns_print(&columns, out);
	if (table.more_columns)
		buf_addf(out, "(and more columns)\n");
	table_finish(&table);
}

/* Rows with columns; what is better read as a list or an object is left as JSON. */
static const struct table_spot *
spot_at(const struct table_spots *spots, const cJSON *node)
{
	for (size_t i = 0; i < spots->len; i++) {
		const struct table_spot *s = &spots->items[i];
		if (s->node == node && (s->kind == TABLE_OBJECTS || s->kind == TABLE_ARRAYS) &&
		    json_count(node) > 0)
			return s;
	}
	return NULL;
}

/* Every member, the tables among them as tables. False: there is none. */
static bool
add_members(struct buf *out, const struct table_spots *spots, const struct call *c, int width)
{
	const cJSON *value = c->result.structured;
	bool found = false;

	for (const cJSON *m = json_first(value); m; m = m->next)
		found = found || spot_at(spots, m);
	if (!found || json_type(value) != JSON_OBJECT)
		return false;
	for (const cJSON *m = json_first(value); m; m = m->next) {
		const struct table_spot *spot = spot_at(spots, m);
		buf_addf(out, "%s:%s", m->string, spot ? "\n" : " ");
		if (spot)
			add_table(out, spot, c->output_schema, width);
		else
			json_print_pretty(out, m, 2);
		end_line(out);
	}
	return true;
}

static void
add_structured(struct buf *out, const struct call *c, int width)
{
	const cJSON *value = c->result.structured;
	struct table_spots spots = { 0 };

	shape_find(&spots, value, c->output_schema);
	const struct table_spot *whole = spot_at(&spots, value);
	if (whole)
		add_table(out, whole, c->output_schema, width);
	else if (!add_members(out, &spots, c, width))
		json_print_pretty(out, value, 2);
	end_line(out);
	shape_finish(&spots);
}

void
result_add_text(const struct call *c, int width, struct buf *out)
{
	if (c->state != CALL_DONE)
		return;
	add_content(out, c);
	if (c->kind != OFFER_TOOL || !c->result.structured)
		return;
	if (out->len > 0)
		buf_add_char(out, '\n');
	add_structured(out, c, width);
}
