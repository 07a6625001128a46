#include "report_priv.h"

#include "json/print.h"

#include <string.h>

/* The longest and the shortest form of what is said of a violation. */

#define CELL_BYTES 60
#define OTHER_BYTES 70    /* of the keywords beside the one that is broken */
#define KEYWORD_BYTES 400 /* and of that */
#define MEMBERS_MAX 24

void
report_cell(const struct report *report, size_t index, struct buf *out)
{
	struct buf text = BUF_INIT;
	size_t len;

	if (report_at(report, index)->missing) {
		buf_add_str(out, "missing");
		return;
	}
	report_expected(report, index, &text);
	if (text.len == 0)
		report_line(report, index, &text);
	else
		buf_add_str(out, "expected ");
	len = text.len;
	if (len > CELL_BYTES)
		for (len = CELL_BYTES; len > 0 && ((unsigned char)text.data[len] & 0xc0) == 0x80;)
			len--;
	buf_add(out, buf_text(&text), len);
	if (len < text.len)
		buf_add_str(out, "…");
	buf_finish(&text);
}

static void
add_member(const cJSON *member, bool meant, struct buf *out)
{
	buf_add_str(out, meant ? "▸   " : "    ");
	json_print_string(out, member->string, strlen(member->string));
	buf_add_str(out, ": ");
	json_print_brief(out, member, meant ? KEYWORD_BYTES : OTHER_BYTES);
	buf_add_str(out, member->next ? ",\n" : "\n");
}

/* What is meant is always among them, however many there are. */
void
report_excerpt(const struct report *report, size_t index, struct buf *out)
{
	const struct record *r = report_record(report, index);
	const cJSON *schema = r->node->source, *meant = r->rule ? r->rule->value : NULL;
	size_t shown = 0, left = 0;

	if (json_type(schema) != JSON_OBJECT) {
		buf_add_str(out, "▸ ");
		json_print_brief(out, schema, KEYWORD_BYTES);
		buf_add_char(out, '\n');
		return;
	}
	buf_add_str(out, "  {\n");
	for (const cJSON *m = json_first(schema); m; m = m->next) {
		if (m == meant || shown < MEMBERS_MAX)
			add_member(m, m == meant, out);
		else
			left++;
		shown++;
	}
	if (left > 0)
		buf_addf(out, "    … %zu more\n", left);
	buf_add_str(out, "  }\n");
}
