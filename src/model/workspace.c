#include "model/workspace.h"

#include "base/mem.h"
#include "base/vec.h"
#include "json/equal.h"
#include "json/print.h"

#include <stdlib.h>
#include <string.h>

static void
desk_destroy(struct desk *d)
{
	form_destroy(d->form);
	json_doc_destroy(d->doc);
	free(d->tool);
	free(d);
}

void
workspace_init(struct workspace *w)
{
	*w = (struct workspace){ 0 };
}

void
workspace_finish(struct workspace *w)
{
	for (size_t i = 0; i < w->desks.len; i++)
		desk_destroy(w->desks.items[i]);
	free(w->desks.items);
	workspace_init(w);
}

void
workspace_set_server(struct workspace *w, struct server *server)
{
	w->generation = workspace_generation(w) + 1;
	w->server = server;
	w->tools_seen = 0;
	w->desk = NULL;
	for (size_t i = 0; i < w->desks.len; i++) {
		struct desk *d = w->desks.items[i];
		if (d->server == server && (!w->desk || d->chosen > w->desk->chosen))
			w->desk = d;
	}
}

static const struct offer_list *
tools(const struct workspace *w)
{
	return w->server ? &server_tools(w->server)->list : NULL;
}

/* The form follows the definition; where something was typed it is carried over. */
static void
desk_renew(struct desk *d, const struct offer *tool)
{
	struct buf text = BUF_INIT;
	struct form *old = d->form;
	bool touched = old && form_version(old) != d->untouched;

	json_print(&text, tool->definition);
	json_doc_destroy(d->doc);
	d->doc = json_parse(buf_text(&text), text.len, NULL, NULL);
	buf_clear(&text);
	d->form = tool->has_key && tool->input_schema ? form_create(tool->input_schema) : NULL;
	d->untouched = d->form ? form_version(d->form) : 0;
	if (d->form && touched) {
		form_to_json(old, &text);
		form_load_raw(d->form, buf_text(&text), text.len);
		d->untouched = UINT64_MAX;
	}
	form_destroy(old);
	buf_finish(&text);
}

static struct desk *
find_desk(struct workspace *w, const char *name, size_t nth)
{
	for (size_t i = 0; i < w->desks.len; i++)
		if (w->desks.items[i]->server == w->server && w->desks.items[i]->nth == nth &&
		    strcmp(w->desks.items[i]->tool, name) == 0)
			return w->desks.items[i];
	return NULL;
}

bool
workspace_select(struct workspace *w, size_t tool_index)
{
	const struct offer_list *list = tools(w);

	if (!list || tool_index >= list->len)
		return false;
	const struct offer *tool = &list->items[tool_index];
	struct desk *d = find_desk(w, tool->name, tool->nth);
	if (!d) {
		d = mem_zalloc(sizeof(*d));
		d->server = w->server;
		d->tool = mem_strdup(tool->name);
		d->nth = tool->nth;
		desk_renew(d, tool);
		*VEC_PUSH(&w->desks) = d;
	}
	w->desk = d;
	d->chosen = ++w->generation;
	return true;
}

bool
workspace_select_name(struct workspace *w, const char *name)
{
	const struct offer_list *list = tools(w);
	const struct offer *tool = list ? offer_list_find(list, name, 0) : NULL;

	return tool && workspace_select(w, (size_t)(tool - list->items));
}

static void
renew_changed_forms(struct workspace *w)
{
	for (size_t i = 0; i < w->desks.len; i++) {
		struct desk *d = w->desks.items[i];
		if (d->server != w->server)
			continue;
		const struct offer *tool = offer_list_find(tools(w), d->tool, d->nth);
		if (tool && !(d->doc && json_equal(json_root(d->doc), tool->definition)))
			desk_renew(d, tool);
	}
}

void
workspace_sync(struct workspace *w)
{
	if (!w->server || server_tools(w->server)->generation == w->tools_seen)
		return;
	w->tools_seen = server_tools(w->server)->generation;
	w->generation++;
	renew_changed_forms(w);
	if (!w->desk)
		workspace_select(w, 0);
}

const struct offer *
workspace_offer(const struct workspace *w)
{
	return w->desk ? offer_list_find(tools(w), w->desk->tool, w->desk->nth) : NULL;
}

size_t
workspace_tool_index(const struct workspace *w)
{
	const struct offer *tool = workspace_offer(w);

	return tool ? (size_t)(tool - tools(w)->items) : SIZE_MAX;
}

const struct call *
workspace_call(const struct workspace *w)
{
	return w->desk && w->desk->shown_call ? server_find_call(w->server, w->desk->shown_call)
					      : NULL;
}

void
workspace_show_call(struct workspace *w, uint64_t call)
{
	if (!w->desk)
		return;
	w->desk->shown_call = call;
	w->generation++;
}

uint64_t
workspace_generation(const struct workspace *w)
{
	return w->generation + (w->server ? server_generation(w->server) : 0);
}
