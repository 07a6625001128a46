#include "base/mem.h"
#include "base/vec.h"
#include "data/shape.h"
#include "table_view.h"

#include <limits.h>
#include <string.h>

/* One record a page: the rows of the table, or the object itself. Everything is the table view's,
 * but its table is not drawn. */

/* An object of more members is a tree at first. */
#define MEMBERS_MAX 40
/* Lines between two cards on paper. */
#define APART 1

static bool
has_records(const struct table_spots *spots, size_t best)
{
	return best < spots->len && spots->items[best].kind != TABLE_SCALARS;
}

static int
serves(const struct view_input *in)
{
	struct table_spots spots;
	size_t members = json_type(in->value) == JSON_OBJECT ? json_count(in->value) : 0;

	shape_find(&spots, in->value, in->schema);
	bool rows = has_records(&spots, shape_best(&spots));
	shape_finish(&spots);
	if (rows)
		return 4;
	return members > MEMBERS_MAX ? 4 : members > 0 ? 8 : 0;
}

size_t
table_cards_spot(struct table_view *v, const struct view_input *in, size_t best)
{
	struct table_spot whole = { .node = in->value, .schema = in->schema, .kind = TABLE_RECORD };
	bool rows = has_records(&v->spots, best);

	if (json_type(in->value) != JSON_OBJECT || json_count(in->value) == 0)
		return best;
	whole.pointer = mem_strdup("");
	VEC_PUSH(&v->spots);
	memmove(v->spots.items + 1, v->spots.items, (v->spots.len - 1) * sizeof(*v->spots.items));
	v->spots.items[0] = whole;
	return rows ? best + 1 : 0;
}

static void
init(void *state)
{
	((struct table_view *)state)->cards = true;
}

static void
finish(void *state)
{
	view_table.finish(state);
}

static void
sync(void *state, const struct view_env *env)
{
	view_table.sync(state, env);
}

static void
on_report(void *state, const struct view_env *env)
{
	view_table.on_report(state, env);
}

/* On paper all cards follow one another. */
static int
want(void *state, const struct view_env *env, int width)
{
	enum { MOST = 1000 };
	struct table_view *v = state;
	int rows = 0;

	if (v->spot >= v->spots.len || v->table.shown == 0)
		return 1;
	if (!v->record.open)
		return view_table.want(state, env, width);
	if (!env->printed)
		return 2 + table_record_rows(v, v->table.order[v->list.selected], width, MOST) +
		       (v->beside > 0 ? 1 + table_beside_rows(v, BESIDE_WANTED) : 0);
	rows = (int)v->beside;
	for (size_t i = 0; i < v->table.shown && rows < INT_MAX / 2; i++)
		rows += APART + table_record_rows(v, v->table.order[i], width, INT_MAX);
	return rows;
}

static void
heading(void *state, const struct view_env *env, struct buf *where, struct buf *facts)
{
	view_table.heading(state, env, where, facts);
}

static void
draw(void *state, const struct view_env *env, struct surface s)
{
	struct table_view *v = state;
	int y = 0;

	if (v->spot >= v->spots.len) {
		surface_text(s, 0, 0, -1, style_of(ROLE_HINT),
		    "this value has no records: v shows it as a tree");
		return;
	}
	if (!env->printed) {
		view_table.draw(state, env, s);
		return;
	}
	for (size_t i = 0; i < v->table.shown && y < s.height; i++) {
		int rows = table_record_rows(v, v->table.order[i], s.width, INT_MAX);
		list_select(&v->list, i);
		table_record_draw(v, env, surface_sub(s, 0, y, s.width, rows));
		y += rows + APART;
	}
	table_beside_draw(v, env, surface_sub(s, 0, y, s.width, (int)v->beside));
}

static bool
open_selected(void *state, const struct view_env *env)
{
	return view_table.open(state, env);
}

static bool
is_open(const void *state)
{
	return ((const struct table_view *)state)->levels.len > 0;
}

static const char *
filtered(const void *state)
{
	return view_table.filtered(state);
}

static const struct filter_note *
filter_note(const void *state)
{
	return view_table.filter_note(state);
}

static void
filter(void *state, const char *text)
{
	view_table.filter(state, text);
}

static void
order(const void *state, struct buf *out)
{
	view_table.order(state, out);
}

static struct table *
shown_table(void *state)
{
	return view_table.table(state);
}

const struct view_ops view_cards = {
	.name = "cards",
	.help = "one record a page: a row, or an object",
	.state_size = sizeof(struct table_view),
	.actions = table_view_actions,
	.init = init,
	.finish = finish,
	.serves = serves,
	.sync = sync,
	.on_report = on_report,
	.want = want,
	.heading = heading,
	.order = order,
	.turn = table_view_turn,
	.draw = draw,
	.key = table_view_key,
	.reveal = table_view_reveal,
	.selected = table_view_selected,
	.open = open_selected,
	.is_open = is_open,
	.filtered = filtered,
	.filter_note = filter_note,
	.filter = filter,
	.table = shown_table,
	.column = table_view_column,
};
