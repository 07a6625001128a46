#include "json/pointer.h"
#include "data/table.h"
#include "structured.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool
say(const struct view_env *env, const char *why)
{
	env->host->say(env->user, ROLE_ERROR, why);
	return false;
}

static bool
say_views(const struct view_env *env)
{
	struct buf names = BUF_INIT;

	for (int i = 0; i < VIEW_COUNT; i++)
		buf_addf(&names, "%s%s", i > 0 ? ", " : "views: ", value_views[i]->title);
	say(env, buf_text(&names));
	buf_finish(&names);
	return false;
}

/* The new view goes to the node that was selected, unless that may take long. */
static void
show_view(struct structured *p, enum view_id view)
{
	enum { KEPT_MAX = 4 << 20 };
	struct buf pointer = BUF_INIT;
	bool keeps = p->views.in.value && p->views.shown != view && p->views.view->ops->selected &&
		     value_views[view]->reveal && p->query.of.bytes <= KEPT_MAX;

	if (keeps)
		view_selected(p->views.view, &pointer);
	p->chosen = (int)view;
	detail_close(&p->detail);
	if (!views_show_part(&p->views, view))
		views_show(&p->views, view);
	if (keeps && pointer.len > 0)
		views_reveal_in(&p->views, p->views.shown, buf_text(&pointer));
	buf_finish(&pointer);
}

static bool
act_view(void *state, const struct view_env *env, const char *arg)
{
	struct structured *p = state;
	int view = *arg ? 0 : (int)views_next(&p->views);

	while (*arg && view < VIEW_COUNT && strcmp(value_views[view]->title, arg) != 0)
		view++;
	if (view == VIEW_COUNT)
		return say_views(env);
	show_view(p, (enum view_id)view);
	return true;
}

/* Between the cards and the view before them. */
static bool
act_card(void *state, const struct view_env *env, const char *arg)
{
	struct structured *p = state;
	bool back = p->views.shown == VIEW_cards;

	if (!p->views.in.value)
		return say(env, "there is no data to show");
	if (!back && view_serves(&view_cards, &p->views.in) == 0)
		return say(env, "this value has no records");
	show_view(p, !back                                        ? VIEW_cards
		     : view_serves(&view_table, &p->views.in) > 1 ? VIEW_table
								  : VIEW_tree);
	return true;
}

/* In the view that draws charts a key goes on to another kind. */
static bool
act_chart(void *state, const struct view_env *env, const char *arg)
{
	struct structured *p = state;

	if (!p->views.in.value)
		return say(env, "there is no data to draw");
	if (!views_show_part(&p->views, VIEW_chart))
		return say(env, "this table has no numbers to draw");
	p->chosen = VIEW_chart;
	detail_close(&p->detail);
	return *arg == '\0' || view_run(p->views.view, env, "kind", arg);
}

static bool
act_filter(void *state, const struct view_env *env, const char *arg)
{
	struct structured *p = state;

	if (*arg == '\0' && env->focused)
		return env->host->run(env->user, "find");
	if (!p->views.in.value)
		return say(env, "there is no data to show");
	const struct view *view = p->views.view;
	if (!view_filtered(view))
		return say(env, "this view has no rows to filter: v shows another view");
	view_filter(view, env, arg);
	return true;
}

bool
structured_open_detail(void *state, const struct view_env *env, const char *arg)
{
	struct structured *p = state;
	struct buf pointer = BUF_INIT;

	if (!p->views.in.value || !p->views.view->ops->selected)
		return true;
	if (view_open(p->views.view, env))
		return true;
	const cJSON *node = view_selected(p->views.view, &pointer);
	if (p->views.view->ops->leads_to_table) {
		bool found = node && views_reveal_in(&p->views, VIEW_table, buf_text(&pointer));
		p->chosen = found ? VIEW_table : p->chosen;
		buf_finish(&pointer);
		return true;
	}
	const struct table *t = view_table_of(p->views.view, NULL);
	if (node && t && t->arrays) { /* it is a copy, of which the report knows nothing */
		const cJSON *own = json_pointer_find(p->views.in.value, buf_text(&pointer));
		node = own ? own : node;
	}
	if (!structured_open_text(p, env, node, buf_text(&pointer)))
		detail_show(&p->detail, node, buf_text(&pointer), p->views.in.report);
	buf_finish(&pointer);
	return true;
}

static bool
act_copy(void *state, const struct view_env *env, const char *arg)
{
	struct structured *p = state;
	struct buf text = BUF_INIT;

	if (*arg && strcmp(arg, "row") != 0 && strcmp(arg, "column") != 0)
		return say(env, "usage: copy-value [row|column]");
	bool ok = p->views.in.value && view_copy(p->views.view, arg, &text);
	if (ok)
		env->host->copy(env->user, buf_text(&text), text.len);
	buf_finish(&text);
	return ok || say(env, *arg ? "there is no row to copy" : "there is no value to copy");
}

static bool
act_copy_path(void *state, const struct view_env *env, const char *arg)
{
	struct structured *p = state;
	struct buf pointer = BUF_INIT;
	bool ok = p->views.in.value && p->views.view->ops->selected;

	if (ok) {
		view_selected(p->views.view, &pointer);
		env->host->copy(env->user, buf_text(&pointer), pointer.len);
	}
	buf_finish(&pointer);
	return ok || say(env, "nothing is selected: the whole value has an empty path");
}

/* The source after the shown one: structuredContent, as data if it is such a string, then the data
 * of each block. */
static size_t
next_source(const struct structured *p)
{
	size_t next = p->shown == STRUCTURED ? 0 : p->shown + 1;

	if (p->shown == OPENED)
		return p->opened_by_user ? p->wanted : AS_IT_CAME;
	if (p->shown == STRUCTURED && p->texts.len == 0)
		return p->wanted == AS_IT_CAME && p->texts.state == TEXT_READ ? STRUCTURED : 0;
	if (next < p->texts.len)
		return p->texts.items[next].index;
	return p->whole.value ? STRUCTURED : 0;
}

static bool
act_data(void *state, const struct view_env *env, const char *arg)
{
	struct structured *p = state;
	const struct call *call = workspace_call(env->ws);
	char *end;
	unsigned long number = strtoul(arg, &end, 10);

	if (*arg && (*end || number == 0))
		return say(env, "usage: data [NUMBER]");
	if (!call || call->state != CALL_DONE || !text_blocks_serve(call))
		return say(env, "there is no result with data");
	size_t wanted = *arg ? number - 1 : next_source(p);
	if (wanted < OPENED)
		text_blocks_read(&p->texts, call, env->jobs);
	structured_want(p, env, wanted);
	return p->texts.state != TEXT_READ || p->texts.len > 0 || wanted >= OPENED ||
	       say(env, "no text block is JSON, JSON Lines, CSV or a Markdown table");
}

static bool
act_text(void *state, const struct view_env *env, const char *arg)
{
	const struct structured *p = state;
	char line[40];

	snprintf(line, sizeof(line), "block %zu",
	    p->shown < OPENED ? p->texts.items[p->shown].index + 1 : (size_t)1);
	return env->host->run(env->user, "pane content") && env->host->run(env->user, line);
}

static bool
act_jq(void *state, const struct view_env *env, const char *arg)
{
	struct structured *p = state;

	if (!p->query.of.value)
		return say(env, "there is no value to query");
	if (*arg) {
		query_set(&p->query, arg);
	} else {
		detail_close(&p->detail);
		query_open(&p->query);
	}
	structured_show_answer(p);
	return true;
}

/* For later results of the tool, in later runs too. */
static bool
act_jq_default(void *state, const struct view_env *env, const char *arg)
{
	struct structured *p = state;
	const char *expression = *arg ? arg : query_is_on(&p->query) ? p->query.asked : "";

	if (!env->ws->desk)
		return say(env, "select a tool first");
	if (!queries_set_default(&env->ws->queries, env->ws->desk, expression))
		return say(env, "only a line of up to 300 bytes without a secret can be a default");
	if (*arg && p->query.of.value)
		query_set(&p->query, arg);
	structured_show_answer(p);
	env->host->say(env->user, ROLE_OK,
	    *expression ? "its results begin with this expression, in later runs too"
			: "its results begin without jq");
	return true;
}

const struct view_action structured_actions[] = {
	{ "detail", "enter", "", "open the selected row, list or value, with its violations",
	    structured_open_detail, "open" },
	{ "view", "v", "[NAME]", "show the next view, or the named one", act_view, "view" },
	{ "chart", "#", "[KIND]", "draw a chart of the numbers", act_chart, "chart" },
	{ "card", "alt-c", "", "show the selected row or the object as a card, or go back",
	    act_card, NULL },
	{ "data", "B", "[NUMBER]",
	    "show structuredContent, or the data in the next text block, or in block N",
	    act_data, "other data" },
	{ "text", "m", "", "go to the text block of the data", act_text, "text" },
	{ "jq", "|", "[EXPRESSION]",
	    "show the results of jq for the value; Esc returns to the value",
	    act_jq, "jq" },
	{ "jq-default", "", "[EXPRESSION]",
	        "apply this expression, or the current one, to all results of this tool; without "
	        "either, none",
	    act_jq_default, NULL },
	{ "filter", "", "[TEXT]", "show only rows that match", act_filter, NULL },
	{ "copy-value", "y", "[row|column]", "copy the selected value, its row or its column",
	    act_copy, NULL },
	{ "copy-path", "Y", "", "copy the JSON Pointer of the selected value", act_copy_path,
	    NULL },
	{ 0 },
};
