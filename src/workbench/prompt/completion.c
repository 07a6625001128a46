#include "workbench/state.h"

#include "workbench/commands/commands.h"

#include "base/mem.h"
#include "base/vec.h"
#include "render/render.h"

#include <stdlib.h>
#include <string.h>

/* Completions of an argument: each source lists its values by index. */
typedef const char *source_fn(const struct workbench *wb, size_t index);

static const struct primitive *
primitive_at(const struct workbench *wb, enum primitive_kind kind, size_t index)
{
	const struct primitive_list *list =
	    wb->ws.server ? &server_info(wb->ws.server)->lists[kind].list : NULL;

	return list && index < list->len ? &list->items[index] : NULL;
}

static const char *
tool_names(const struct workbench *wb, size_t index)
{
	const struct primitive *p = primitive_at(wb, PRIMITIVE_TOOL, index);

	return p ? p->name : NULL;
}

static const char *
resource_uris(const struct workbench *wb, size_t index)
{
	const struct primitive *p = primitive_at(wb, PRIMITIVE_RESOURCE, index);

	return p ? p->key : NULL;
}

static const char *
template_names(const struct workbench *wb, size_t index)
{
	const struct primitive *p = primitive_at(wb, PRIMITIVE_TEMPLATE, index);

	return p ? p->name : NULL;
}

static const char *
prompt_names(const struct workbench *wb, size_t index)
{
	const struct primitive *p = primitive_at(wb, PRIMITIVE_PROMPT, index);

	return p ? p->name : NULL;
}

static const char *
pane_names(const struct workbench *wb, size_t index)
{
	return index < PANE_COUNT ? pane_table[index].name : NULL;
}

static const char *
theme_names(const struct workbench *wb, size_t index)
{
	return theme_builtin_name(index);
}

static const char *
era_names(const struct workbench *wb, size_t index)
{
	return index < ERA_COUNT ? session_era_names[(enum session_era)index] : NULL;
}

static const char *
view_names(const struct workbench *wb, size_t index)
{
	return index < RENDERER_COUNT ? renderer_table[index]->name : NULL;
}

static const char *
server_names(const struct workbench *wb, size_t index)
{
	return index < wb->ws.choice_count ? wb->ws.choices[index].target->name : NULL;
}

static const char *
format_names(const struct workbench *wb, size_t index)
{
	return export_format(index);
}

static const char *
field_names(const struct workbench *wb, size_t index)
{
	const struct desk *desk = wb->ws.desk;
	const struct field *root = desk && desk->form ? form_view(desk->form).root : NULL;

	return root && index < field_view(root).child_count
		   ? field_view(field_child(root, index)).name
		   : NULL;
}

static const struct {
	const char *command;
	source_fn *source;
} sources[] = {
	{ "tool", tool_names },
	{ "resource", resource_uris },
	{ "template", template_names },
	{ "prompt", prompt_names },
	{ "pane", pane_names },
	{ "theme", theme_names },
	{ "era", era_names },
	{ "view", view_names },
	{ "server", server_names },
	{ "connect", server_names },
	{ "disconnect", server_names },
	{ "restart", server_names },
	{ "edit-server", server_names },
	{ "disable", server_names },
	{ "enable", server_names },
	{ "remove-server", server_names },
	{ "export", format_names },
	{ "set", field_names },
	{ "edit", field_names },
	{ "file", field_names },
};

static void
add(struct strings *out, const char *line)
{
	for (size_t i = 0; i < out->len; i++)
		if (strcmp(out->items[i], line) == 0)
			return;
	strings_add(out, line);
}

static void
complete_argument(
    const struct workbench *wb, const char *text, size_t command_len, struct strings *out)
{
	const char *argument = text + command_len + strspn(text + command_len, " ");
	size_t len = strlen(argument);

	for (size_t i = 0; i < ARRAY_LEN(sources); i++) {
		if (strncmp(sources[i].command, text, command_len) != 0 ||
		    sources[i].command[command_len])
			continue;
		const char *name;
		for (size_t k = 0; (name = sources[i].source(wb, k)) && out->len < 1000; k++) {
			if (strncmp(name, argument, len) != 0)
				continue;
			char *line = mem_printf("%s %s", sources[i].command, name);
			add(out, line);
			free(line);
		}
	}
}

/* ---- command names: those that apply now first, shortest first ---- */

static bool
has_authorization(const struct workbench *wb)
{
	return wb->ws.server && server_info(wb->ws.server)->auth;
}

static bool
has_question(const struct workbench *wb)
{
	return wb->ws.server && server_info(wb->ws.server)->questions > 0;
}

static const struct {
	const char *command;
	bool (*holds)(const struct workbench *wb);
} needs[] = {
	{ "authorize", has_authorization },
	{ "authorize-again", has_authorization },
	{ "copy-authorization-url", has_authorization },
	{ "client-id", has_authorization },
	{ "forget-tokens", has_authorization },
	{ "forget-tokens!", has_authorization },
	{ "answer", has_question },
	{ "answer!", has_question },
	{ "decline", has_question },
	{ "dismiss", has_question },
	{ "open-url", has_question },
	{ "copy-url", has_question },
	{ "edit-answer", has_question },
	{ "edit-request", has_question },
	{ "sample", has_question },
};

bool
command_applies(struct workbench *wb, const struct command_info *info)
{
	if (info->alias_of)
		return false;
	for (size_t i = 0; i < ARRAY_LEN(needs); i++)
		if (strcmp(needs[i].command, info->name) == 0)
			return needs[i].holds(wb);
	if (strcmp(info->context, KEYMAP_GLOBAL) == 0)
		return true;
	for (int i = 0; i < PANE_COUNT; i++) {
		const struct views *views = workbench_views(wb, (enum pane_id)i);
		const char *of = info->of_view && views ? views->ops->name : pane_table[i].name;
		bool visible =
		    workbench_focused(wb) == (enum pane_id)i || wb->layout.panes[i].width > 0;
		if (visible && strcmp(of, info->context) == 0)
			return true;
	}
	return false;
}

/* Adds the matching commands, shortest first, so that the list needs no sort. */
static void
add_by_length(struct workbench *wb, const char *text, bool applying, struct strings *out)
{
	size_t len = strlen(text), next = 0;
	struct command_info info;

	for (size_t length = len; length != SIZE_MAX; length = next) {
		next = SIZE_MAX;
		for (size_t i = 0; workbench_command_info(i, &info); i++) {
			size_t n = strlen(info.name);
			if (strncmp(info.name, text, len) != 0 ||
			    command_applies(wb, &info) != applying)
				continue;
			if (n == length || len == 0)
				add(out, info.name);
			else if (n > length && n < next)
				next = n;
		}
	}
}

void
complete(struct workbench *wb, const char *text, struct strings *out)
{
	text += strspn(text, " ");
	size_t len = strcspn(text, " ");

	if (text[len] == ' ') {
		complete_argument(wb, text, len, out);
		return;
	}
	add_by_length(wb, text, true, out);
	add_by_length(wb, text, false, out);
}
