#include "result_priv.h"

#include "check_priv.h"
#include "client_priv.h"
#include "json/print.h"
#include "model/compat.h"
#include "output_priv.h"

#include <string.h>

#define VIOLATIONS_SAID 20
#define DATA_SAID 400

static void
say_line(struct buf *line)
{
	for (size_t i = 0; i < line->len; i++) /* one violation is one line */
		if (line->data[i] == '\n')
			line->data[i] = ' ';
	say_lines(buf_text(line), line->len);
	buf_clear(line);
}

static void
say_violations(const struct report *r)
{
	struct buf line = BUF_INIT;
	size_t shown = report_kept(r) < VIOLATIONS_SAID ? report_kept(r) : VIOLATIONS_SAID;
	size_t all = report_count(r) + report_warnings(r);

	for (size_t i = 0; i < shown; i++) {
		check_add_violation(r, i, &line);
		say_line(&line);
	}
	if (all > shown) {
		buf_addf(&line, "and %zu more: --json prints up to 10000", all - shown);
		say_line(&line);
	}
	buf_finish(&line);
}

static bool
is_fine(const struct verdict *v)
{
	return v->kind == VERDICT_VALID || v->kind == VERDICT_NO_SCHEMA ||
	       v->kind == VERDICT_NOT_APPLIED;
}

static void
say_verdict(const struct verdict *v)
{
	struct buf line = BUF_INIT;

	verdict_line(v, &line);
	say("%s", buf_text(&line));
	buf_clear(&line);
	verdict_reason(v, &line);
	if (line.len > 0)
		say_line(&line);
	if (v->report)
		say_violations(v->report);
	buf_finish(&line);
}

static void
say_failure(const struct call *c)
{
	struct buf data = BUF_INIT;

	call_add_state(c, &data);
	if (c->state == CALL_REFUSED)
		say("%s: %s: %s", call_name(c), buf_text(&data), c->error_text);
	else
		say("%s: %s", call_name(c), c->error_text);
	buf_clear(&data);
	if (call_explain(c))
		say("%s", call_explain(c));
	if (c->state == CALL_REFUSED && json_get(c->value, "data")) {
		buf_add_str(&data, "data: ");
		json_print_brief(&data, json_get(c->value, "data"), DATA_SAID);
		say_line(&data);
	}
	if (c->stderr_tail)
		client_say_stderr(c->stderr_tail);
	buf_finish(&data);
}

/* What other hosts do with it, where that is another thing than to show it. */
static void
say_hosts(const struct call *c)
{
	struct buf lines = BUF_INIT;

	if (hosts_add_lines(c, &lines) > 0) {
		say("other hosts:");
		say_lines(buf_text(&lines), lines.len);
	}
	buf_finish(&lines);
}

void
result_say(const struct call *c, bool quiet)
{
	for (size_t i = 0; i < c->asked.len; i++)
		say("the server asked: %s", c->asked.items[i]);
	if (c->state != CALL_DONE) {
		say_failure(c);
		return;
	}
	if (c->result.problem[0])
		say("%s: %s", call_name(c), c->result.problem);
	if (c->kind != OFFER_TOOL && c->result.len == 0 && !c->result.problem[0])
		say("%s: it is empty", call_name(c));
	for (size_t i = 0; i < c->result.len; i++)
		if (c->result.blocks[i].problem)
			say("%s: content %zu: %s", call_name(c), i, c->result.blocks[i].problem);
	if (c->result.is_error)
		say("%s: the tool reported an error (isError)", call_name(c));
	if (c->result.is_error && call_explain(c))
		say("%s", call_explain(c));
	if (c->kind != OFFER_TOOL || (quiet && is_fine(&c->verdict)))
		return;
	say_verdict(&c->verdict);
	say_hosts(c);
}
