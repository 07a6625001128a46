#include "mcp/tools.h"

#include "base/mem.h"
#include "base/vec.h"
#include "json/print.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define QUIET_MS 60
#define PATIENCE_MS 500
#define MAX_PAGES 1000
/* A server may hand out pages for ever, each with new cursors. */
#define MAX_TOOLS 100000

void
tool_lister_init(struct tool_lister *l)
{
	*l = (struct tool_lister){ .changed_ms = -1, .last_changed_ms = -1 };
}

static void
forget_progress(struct tool_lister *l)
{
	for (size_t i = 0; i < l->cursors.len; i++)
		free(l->cursors.items[i]);
	l->cursors.len = 0;
	tool_list_finish(&l->next);
	l->request = 0;
}

void
tool_lister_finish(struct tool_lister *l)
{
	forget_progress(l);
	free(l->cursors.items);
	tool_list_finish(&l->list);
	tool_lister_init(l);
}

bool
tool_lister_is_busy(const struct tool_lister *l)
{
	return l->request != 0;
}

static void
fail(struct tool_lister *l, const char *what, const char *why)
{
	size_t pages = l->next.docs.len;

	if (pages > 0)
		snprintf(l->error, sizeof(l->error), "tools/list, page %zu: %s%.180s", pages + 1,
		    what, why);
	else
		snprintf(l->error, sizeof(l->error), "tools/list: %s%.200s", what, why);
	forget_progress(l);
	l->generation++;
}

static int
compare_names(const void *a, const void *b)
{
	const struct tool *left = *(struct tool *const *)a, *right = *(struct tool *const *)b;
	int order = strcmp(left->name, right->name);

	if (order != 0)
		return order;
	return left < right ? -1 : left > right;
}

/* Equal names are told apart by nth; both stay. Sorted by name so that 10 000 tools are no matter.
 */
static void
number_duplicates(struct tool_list *list)
{
	if (list->len == 0)
		return;
	struct tool **sorted = mem_alloc(list->len * sizeof(struct tool *));
	for (size_t i = 0; i < list->len; i++)
		sorted[i] = &list->items[i];
	qsort(sorted, list->len, sizeof(sorted[0]), compare_names);
	for (size_t first = 0, end; first < list->len; first = end) {
		for (end = first + 1; end < list->len; end++)
			if (strcmp(sorted[first]->name, sorted[end]->name) != 0)
				break;
		for (size_t i = first; i < end; i++) {
			sorted[i]->nth = i - first;
			sorted[i]->of = end - first;
		}
	}
	free(sorted);
}

static void
complete(struct tool_lister *l)
{
	number_duplicates(&l->next);
	tool_list_finish(&l->list);
	l->list = l->next;
	l->next = (struct tool_list){ 0 };
	l->error[0] = '\0';
	l->complete = true;
	forget_progress(l);
	l->generation++;
}

static void
ask(struct tool_lister *l, struct session *s, const char *cursor, int64_t now_ms)
{
	struct buf params = BUF_INIT;

	if (cursor) {
		buf_add_str(&params, "{\"cursor\":");
		json_print_string(&params, cursor, strlen(cursor));
		buf_add_char(&params, '}');
	}
	l->request =
	    session_request(s, "tools/list", cursor ? buf_text(&params) : NULL, params.len, now_ms);
	buf_finish(&params);
	if (!l->request)
		fail(l, "", "not connected");
}

void
tool_lister_start(struct tool_lister *l, struct session *s, int64_t now_ms)
{
	const cJSON *capabilities = session_capabilities(s);

	l->given_up = l->request;
	forget_progress(l);
	l->changed_ms = l->last_changed_ms = -1;
	if (l->given_up)
		session_cancel(s, l->given_up, "the list is asked for anew", now_ms);
	l->given_up = 0;
	if (json_type(capabilities) == JSON_OBJECT && !json_get(capabilities, "tools")) {
		snprintf(l->next.note, sizeof(l->next.note), "the server declares no tools");
		complete(l);
		return;
	}
	l->generation++;
	ask(l, s, NULL, now_ms);
}

static bool
is_known_cursor(const struct tool_lister *l, const char *cursor)
{
	for (size_t i = 0; i < l->cursors.len; i++)
		if (strcmp(l->cursors.items[i], cursor) == 0)
			return true;
	return false;
}

static void
add_page(struct tool_lister *l, const cJSON *tools)
{
	for (const cJSON *tool = json_first(tools); tool && l->next.len < MAX_TOOLS;
	     tool = tool->next)
		tool_decode(VEC_PUSH(&l->next), tool);
}

/* A list that is not all there ends here, with a note. */
static bool
stops_here(struct tool_lister *l, const cJSON *cursor)
{
	char *note = l->next.note;
	size_t size = sizeof(l->next.note);

	if (!cursor)
		return true;
	if (!json_string(cursor))
		snprintf(note, size, "stopped after page %zu: nextCursor is of type %s",
		    l->next.docs.len, json_type_name(json_type(cursor)));
	else if (is_known_cursor(l, json_string(cursor)))
		snprintf(note, size, "stopped after page %zu: the server repeats a cursor",
		    l->next.docs.len);
	else if (l->next.docs.len >= MAX_PAGES || l->next.len >= MAX_TOOLS)
		snprintf(note, size, "stopped after %zu pages and %zu tools", l->next.docs.len,
		    l->next.len);
	return note[0] != '\0';
}

static void
take_page(struct tool_lister *l, struct session *s, struct session_reply *reply, int64_t now_ms)
{
	const cJSON *tools = json_get(reply->value, "tools");
	const cJSON *cursor = json_get(reply->value, "nextCursor");

	if (json_type(tools) != JSON_ARRAY) {
		fail(l, "the result has no array of tools, `tools` is ",
		    json_type_name(json_type(tools)));
		return;
	}
	*VEC_PUSH(&l->next.docs) = reply->doc;
	reply->doc = NULL;
	add_page(l, tools);
	if (stops_here(l, cursor)) {
		complete(l);
		return;
	}
	char *copy = mem_strdup(json_string(cursor));
	*VEC_PUSH(&l->cursors) = copy;
	ask(l, s, copy, now_ms);
}

bool
tool_lister_on_reply(struct tool_lister *l, struct session *s, uint64_t request,
    struct session_reply *reply, int64_t now_ms)
{
	if (request == 0 || (request != l->request && request != l->given_up))
		return false;
	if (request == l->given_up) {
		json_doc_destroy(reply->doc);
		reply->doc = NULL;
		return true;
	}
	l->request = 0;
	if (reply->kind == REPLY_RESULT)
		take_page(l, s, reply, now_ms);
	else
		fail(l, "", reply->text);
	json_doc_destroy(reply->doc);
	reply->doc = NULL;
	return true;
}

void
tool_lister_on_changed(struct tool_lister *l, int64_t now_ms)
{
	if (l->changed_ms < 0)
		l->changed_ms = now_ms;
	l->last_changed_ms = now_ms;
}

int64_t
tool_lister_next_time(const struct tool_lister *l)
{
	if (l->changed_ms < 0 || tool_lister_is_busy(l))
		return INT64_MAX;
	int64_t quiet = l->last_changed_ms + QUIET_MS, patience = l->changed_ms + PATIENCE_MS;
	return quiet < patience ? quiet : patience;
}

void
tool_lister_on_time(struct tool_lister *l, struct session *s, int64_t now_ms)
{
	if (now_ms < tool_lister_next_time(l))
		return;
	if (session_state(s) == SESSION_READY)
		tool_lister_start(l, s, now_ms);
	else
		l->changed_ms = l->last_changed_ms = -1;
}
