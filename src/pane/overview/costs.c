#include "overview.h"

#include "base/mem.h"
#include "base/units.h"
#include "base/vec.h"
#include "json/print.h"
#include "mcp/session.h"
#include "client/lens.h"
#include "pane/pane_text.h"

#include <stdlib.h>
#include <string.h>

/*
 * The cost of the tools for a model before the first call: hosts hand on the name, description and
 * inputSchema of each. A job counts them.
 */
#define AT_ONCE 32                      /* tools counted without a job's thread, */
#define AT_ONCE_BYTES ((size_t)4 << 20) /* if their lists are no larger in memory */
#define ROWS_MAX 200                    /* written */
#define KEY_COLS 28

struct tool_cost {
	char *name;
	uint32_t nth; /* in the list */
	struct cost_size said, whole;
};

struct tool_costs {
	struct job job; /* first */
	struct overview_costs *owner;
	struct primitive *tools; /* while it runs */
	size_t len;
	struct tool_cost *items;
	char *text; /* the instructions, while it runs */
	struct cost_size instructions, said, whole;
};

static void
measure(const cJSON *value, struct buf *json, struct cost_size *size)
{
	buf_clear(json);
	json_print(json, value);
	size->bytes += json->len;
	size->tokens += tokens_estimate(buf_text(json), json->len);
}

static void
run(struct job *job)
{
	static const char *const SAID[] = { "name", "description", "inputSchema" };
	struct tool_costs *k = (struct tool_costs *)job;
	struct buf json = BUF_INIT;

	k->instructions.bytes = strlen(k->text);
	k->instructions.tokens = tokens_estimate(k->text, k->instructions.bytes);
	for (size_t i = 0; i < k->len && job_goes_on(job, i); i++) {
		struct tool_cost *c = &k->items[i];
		for (size_t m = 0; m < ARRAY_LEN(SAID); m++) {
			const cJSON *member = json_get(k->tools[i].definition, SAID[m]);
			if (member)
				measure(member, &json, &c->said);
		}
		measure(k->tools[i].definition, &json, &c->whole);
		k->said.bytes += c->said.bytes;
		k->said.tokens += c->said.tokens;
		k->whole.bytes += c->whole.bytes;
		k->whole.tokens += c->whole.tokens;
	}
	buf_finish(&json);
}

static void
forget_tools(struct tool_costs *k)
{
	for (size_t i = 0; k->tools && i < k->len; i++)
		json_doc_destroy(k->tools[i].doc);
	free(k->tools);
	free(k->text);
	k->tools = NULL;
	k->text = NULL;
}

static void
costs_destroy(struct tool_costs *k)
{
	if (!k)
		return;
	forget_tools(k);
	for (size_t i = 0; i < k->len; i++)
		free(k->items[i].name);
	free(k->items);
	free(k);
}

/* ---- the order ---- */

static int
compare_tokens(const void *a, const void *b)
{
	const struct tool_cost *x = a, *y = b;

	if (x->said.tokens != y->said.tokens)
		return x->said.tokens < y->said.tokens ? 1 : -1;
	return x->nth < y->nth ? -1 : 1;
}

static int
compare_names(const void *a, const void *b)
{
	const struct tool_cost *x = a, *y = b;
	int order = strcmp(x->name, y->name);

	return order != 0 ? order : x->nth < y->nth ? -1 : 1;
}

static int
compare_places(const void *a, const void *b)
{
	const struct tool_cost *x = a, *y = b;

	return x->nth < y->nth ? -1 : 1;
}

static const struct {
	const char *name;
	int (*compare)(const void *a, const void *b);
} ORDERS[] = {
	{ "tokens", compare_tokens },
	{ "name", compare_names },
	{ "place in the list", compare_places },
};

static void
sort(struct overview_costs *costs)
{
	if (costs->counted)
		qsort(costs->counted->items, costs->counted->len, sizeof(struct tool_cost),
		    ORDERS[costs->order].compare);
}

void
overview_sort_costs(struct overview_costs *costs)
{
	costs->order = (costs->order + 1) % ARRAY_LEN(ORDERS);
	sort(costs);
}

/* ---- counting ---- */

static void
done(struct job *job)
{
	struct tool_costs *k = (struct tool_costs *)job;

	if (job_is_stopped(job)) {
		costs_destroy(k);
		return;
	}
	forget_tools(k);
	costs_destroy(k->owner->counted);
	k->owner->counted = k;
	k->owner->changed = true;
	sort(k->owner);
}

static bool
is_small(const struct primitive_list *list)
{
	size_t bytes = 0;

	if (list->len > AT_ONCE)
		return false;
	for (size_t i = 0; i < list->len; i++) /* the tools of a page share its JSON */
		if (i == 0 || list->items[i].doc != list->items[i - 1].doc)
			bytes += json_doc_memory(list->items[i].doc);
	return bytes <= AT_ONCE_BYTES;
}

void
overview_count_costs(struct overview_costs *costs, const struct view_env *env)
{
	const struct server *s = env->ws->server;
	const struct session *session = server_info(s)->session;
	uint64_t lists = server_lists_generation(s);
	const struct primitive_list *list = &server_info(s)->lists[PRIMITIVE_TOOL].list;

	if (costs->server == s && costs->lists == lists)
		return;
	if (costs->server != s)
		overview_forget_costs(costs);
	costs->server = s;
	costs->lists = lists;
	struct tool_costs *k = mem_zalloc(sizeof(*k));
	*k = (struct tool_costs){ .job = { .run = run, .done = done },
		.owner = costs,
		.text = mem_strdup(session ? session_info(session)->instructions : ""),
		.len = list->len,
		.tools = mem_alloc((list->len + 1) * sizeof(*k->tools)),
		.items = mem_zalloc((list->len + 1) * sizeof(*k->items)) };
	for (size_t i = 0; i < list->len; i++) {
		k->tools[i] = list->items[i];
		json_doc_ref(list->items[i].doc);
		k->items[i].name = mem_strdup(list->items[i].name);
		k->items[i].nth = (uint32_t)i;
	}
	job_start(is_small(list) ? NULL : env->jobs, &k->job, &costs->job);
}

void
overview_forget_costs(struct overview_costs *costs)
{
	job_drop(&costs->job);
	costs_destroy(costs->counted);
	costs->counted = NULL;
	costs->server = NULL;
}

/* ---- the section ---- */

/* So that the digits of the rows stand below one another. */
static void
add_right(struct buf *out, const struct buf *number, int cols)
{
	buf_addf(out, "%*s%s", cols > (int)number->len ? cols - (int)number->len : 0, "",
	    buf_text(number));
}

/* all: the tokens that it is a share of; 0: no share is told. */
static void
add_row(struct page *p, const char *key, const struct cost_size *size, size_t all, const char *what)
{
	enum { COUNT_COLS = 7, BYTES_COLS = 8, SHARE_COLS = 3 };
	struct buf text = BUF_INIT, number = BUF_INIT;

	buf_add_str(&text, "≈ ");
	units_add_count(&number, size->tokens);
	add_right(&text, &number, COUNT_COLS);
	buf_add_str(&text, size->tokens == 1 ? " token  · " : " tokens · ");
	buf_clear(&number);
	pane_add_bytes(&number, size->bytes);
	add_right(&text, &number, BYTES_COLS);
	if (all > 0)
		buf_addf(
		    &text, " · %*.0f %%", SHARE_COLS, 100.0 * (double)size->tokens / (double)all);
	buf_add_str(&text, what);
	page_row(p, KEY_COLS, key, ROLE_TEXT, buf_text(&text));
	buf_finish(&number);
	buf_finish(&text);
}

void
overview_write_costs(struct page *p, const struct overview_costs *costs)
{
	const struct tool_costs *k = costs->counted;
	struct buf key = BUF_INIT;

	if (!k) {
		page_text(p, 0, ROLE_DIM, "being counted");
		return;
	}
	if (k->instructions.bytes > 0)
		add_row(p, "instructions", &k->instructions, 0, "");
	units_add_counted(&key, k->len, "tool");
	add_row(p, buf_text(&key), &k->said, 0, " of names, descriptions and inputSchemas");
	add_row(p, "whole definitions", &k->whole, 0, "");
	if (k->len > 0) {
		buf_clear(&key);
		buf_addf(&key, "By %s:", ORDERS[costs->order].name);
		page_text(p, 0, ROLE_DIM, buf_text(&key));
	}
	for (size_t i = 0; i < k->len && i < ROWS_MAX; i++)
		add_row(p, k->items[i].name, &k->items[i].said, k->said.tokens, "");
	if (k->len > ROWS_MAX) {
		buf_clear(&key);
		buf_addf(&key, "… and %s more", units_count(k->len - ROWS_MAX).text);
		page_text(p, 0, ROLE_HINT, buf_text(&key));
	}
	buf_finish(&key);
}
