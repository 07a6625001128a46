#include "data/diff.h"

#include "base/glyph.h"
#include "json/print.h"

#include <string.h>

/* A diff as text, a line for each change. */

enum { BRIEF = 400 };

/* Two texts of several lines: the lines that differ. */
static bool
add_lines(const cJSON *a, const cJSON *b, struct buf *out)
{
	const char *texts[2] = { json_string(a), json_string(b) };
	struct diff_lines lines;

	if (!texts[0] || !texts[1] || !strchr(texts[0], '\n') || !strchr(texts[1], '\n'))
		return false;
	diff_lines_make(
	    &lines, texts, (const size_t[]){ strlen(texts[0]), strlen(texts[1]) }, NULL);
	for (size_t i = 0; i < lines.len; i++)
		for (int side = 0; side < 2; side++) {
			size_t len;
			uint32_t line = lines.items[i].at[side];
			if (lines.items[i].same || line == DIFF_NOWHERE)
				continue;
			const char *text = diff_line_text(&lines, side, line, &len);
			buf_addf(out, "\n    %s %u: ", side == 0 ? "-" : "+", line + 1);
			buf_add(out, text, len);
		}
	diff_lines_finish(&lines);
	return true;
}

const char *
diff_mark(const struct diff_node *n)
{
	static const char *const marks[] = { [DIFF_SAME] = " ",
		[DIFF_INSIDE] = " ",
		[DIFF_CHANGED] = "~",
		[DIFF_ADDED] = "+",
		[DIFF_REMOVED] = "-" };

	return n->moved && n->kind < DIFF_CHANGED ? ">" : marks[n->kind];
}

static void
add_change(const struct diff *d, uint32_t index, struct buf *out)
{
	const struct diff_node *n = &d->items[index];
	const cJSON *a = diff_side(d, index, 0), *b = diff_side(d, index, 1);

	buf_addf(out, "%s ", diff_mark(n));
	size_t start = out->len;
	diff_add_path(d, index, out);
	buf_add_str(out, out->len == start ? "(all of it)" : "");
	if (n->moved)
		buf_addf(out, ": moved from %u to %u", n->at[0], n->at[1]);
	if (n->kind >= DIFF_CHANGED)
		buf_add_str(out, ": ");
	if (n->kind == DIFF_CHANGED && !add_lines(a, b, out)) {
		json_print_brief(out, a, BRIEF);
		buf_add_str(out, " → ");
		json_print_brief(out, b, BRIEF);
	} else if (n->kind == DIFF_ADDED || n->kind == DIFF_REMOVED) {
		json_print_brief(out, n->kind == DIFF_ADDED ? b : a, BRIEF);
	}
	buf_add_char(out, '\n');
}

uint32_t
diff_first_change(const struct diff *d)
{
	return diff_is_change(&d->items[0]) ? 0 : diff_next_change(d, 0, 1);
}

void
diff_add_text(const struct diff *d, struct buf *out)
{
	uint32_t i = diff_first_change(d);

	for (; i != DIFF_NOWHERE; i = diff_next_change(d, i, 1))
		add_change(d, i, out);
	diff_add_counts(d, out);
	for (size_t k = 0; k < d->arrays.len; k++) {
		const struct diff_array *array = &d->arrays.items[k];
		if (!array->key)
			continue;
		buf_add_str(out, "; rows of ");
		size_t start = out->len;
		diff_add_path(d, array->node, out);
		buf_add_str(out, out->len == start ? "the table" : "");
		buf_add_str(out, " are matched by ");
		label_add(out, array->key);
		break;
	}
	buf_add_char(out, '\n');
}
