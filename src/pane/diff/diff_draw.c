#include "diff_pane.h"

#include "pane/pane_text.h"

#include <stdio.h>
#include <string.h>

/* The frame of a diff: whose results they are, what is selected, and the facts. */
static const char *const part_names[DIFF_PARTS] = { "structuredContent", "the data of the text",
	"content", "the whole result" };
const char *const diff_look_names[DIFF_LOOKS] = { "table", "tree", "text", "definition" };

static void
draw_side(const struct diff_pane *p, struct surface s, int y, int side)
{
	const struct comparison_side *c = &p->sides[side];
	bool same = strcmp(p->sides[0].arguments, p->sides[1].arguments) == 0;
	int x = surface_text(s, 0, y, 1, style_of(diff_roles[side]), side == 0 ? "-" : "+") + 1;

	x += surface_text(s, x, y, -1, style_of(diff_roles[side]), c->when) + 2;
	if (same && side == 1)
		surface_text(s, x, y, -1, style_of(ROLE_HINT), "with the same arguments");
	else
		surface_text(s, x, y, -1, style_of(ROLE_DIM), c->arguments);
}

/* The selected value, whole: where it is, and what it was. */
static void
draw_selected(const struct diff_pane *p, struct surface s, int y)
{
	uint32_t node = p->look == LOOK_TABLE ? diff_table_selected(p) : diff_tree_selected(p);
	const struct diff_node *n = &p->diff->items[node];
	struct buf path = BUF_INIT;

	diff_add_path(p->diff, node, &path);
	int x = surface_text(s, 0, y, s.width / 2, style_of(ROLE_KEY_NAME), buf_text(&path));
	x += x > 0 ? 2 : 0;
	buf_finish(&path);
	if (n->kind == DIFF_CHANGED)
		x += diff_draw_pair(s, x, y, s.width - x, diff_side(p->diff, node, 0),
			 diff_side(p->diff, node, 1), false) +
		     2;
	if (n->moved)
		surface_textf(s, x, y, -1, style_of(ROLE_ACCENT), "moved from row %u to %u",
		    n->at[0] + 1, n->at[1] + 1);
	else if (n->kind == DIFF_SAME && node > 0)
		surface_text(s, x, y, -1, style_of(ROLE_HINT), "the same in both");
}

static void
draw_nothing(const struct diff_pane *p, struct surface s)
{
	char text[200];

	snprintf(text, sizeof(text), "No difference in %s.%s", part_names[p->part],
	    p->has[PART_CONTENT] && p->part < PART_CONTENT ? " B compares the content, too." : "");
	pane_draw_text(s, 0, ROLE_OK, text);
}

static void
draw_look(struct diff_pane *p, const struct view_env *env, struct surface s)
{
	if (p->look == LOOK_WORDS)
		page_draw(&p->words, s, ROLE_NONE, env->focused);
	else if (p->look == LOOK_TEXT)
		diff_text_draw(p, env->focused, s);
	else if (p->diff->items[0].changes == 0 && !p->all)
		draw_nothing(p, s);
	else if (p->look == LOOK_TABLE)
		diff_table_draw(p, env->focused, s);
	else
		diff_tree_draw(p, env->focused, s);
}

void
diff_draw(void *state, const struct view_env *env, struct surface s)
{
	struct diff_pane *p = state;
	int top = s.height >= 8 ? DIFF_ABOVE : 0;

	p->top = top;
	if (p->version == 0) {
		pane_draw_text(s, 0, ROLE_HINT,
		    "Nothing is compared: d on a result compares it with the one before, d in the "
		    "history two calls.");
		return;
	}
	for (int side = 0; side < 2 && top > 0; side++)
		draw_side(p, s, side, side);
	if (!p->diff) {
		pane_draw_text(surface_sub(s, 0, top, s.width, s.height - top), 0, ROLE_HINT,
		    "comparing");
		return;
	}
	int bottom = top > 0 && p->look <= LOOK_TREE && p->diff->items[0].changes > 0 ? DIFF_BELOW : 0;
	draw_look(p, env, surface_sub(s, 0, top, s.width, s.height - top - bottom));
	if (bottom > 0)
		draw_selected(p, s, s.height - 1);
}

static void
add_where(const struct diff_pane *p, struct buf *title)
{
	uint32_t node = p->look == LOOK_TABLE ? p->table.node
			: p->look == LOOK_TEXT ? p->text.node
					       : 0;

	if (node == 0 || node == DIFF_NOWHERE)
		return;
	buf_add_str(title, " ▸ ");
	diff_add_path(p->diff, node, title);
}

enum role
diff_heading(void *state, const struct view_env *env, struct buf *title, struct buf *facts)
{
	const struct diff_pane *p = state;

	buf_addf(title, "diff%s%s", p->name ? " · " : "", p->name ? p->name : "");
	if (!p->diff)
		return ROLE_DIM;
	if (p->part != PART_STRUCTURED)
		buf_addf(title, " · %s", part_names[p->part]);
	add_where(p, title);
	diff_add_counts(p->diff, facts);
	const struct diff_array *array =
	    p->look == LOOK_TABLE ? diff_array_of(p->diff, p->table.node) : NULL;
	buf_addf(facts, " · %s", diff_look_names[p->look]);
	if (array)
		buf_addf(facts, " %s%s", array->key ? "by " : "in order",
		    array->key ? array->key : "");
	if (p->look == LOOK_TEXT && p->text.is_cut)
		buf_add_str(facts, ", only the first 4 MiB of each");
	uint32_t elsewhere = array ? p->diff->items[0].changes -
					 p->diff->items[p->table.node].changes
				   : 0;
	if (elsewhere > 0)
		buf_addf(facts, ", %u elsewhere", elsewhere);
	if (p->drift.len > 0)
		buf_addf(facts, " · definition: %s", p->drift.counts[DRIFT_BREAKING] > 0 ? "breaking"
										      : "changed");
	return p->drift.counts[DRIFT_BREAKING] > 0 ? ROLE_WARNING : ROLE_DIM;
}
