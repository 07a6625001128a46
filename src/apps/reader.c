/* SPDX-License-Identifier: MIT */
#include "apps/reader.h"

#include "base/map.h"
#include "base/mem.h"
#include "base/strings.h"
#include "base/vec.h"
#include "json/print.h"

#include <stdlib.h>
#include <string.h>

enum { NODES_MAX = 20000, DEPTH_MAX = 40, LEVELS_MAX = 1000, TEXT_MAX = 1000 };
#define BYTES_MAX ((size_t)256 << 10)

struct ax_node {
	const cJSON *value;
	const char *id, *role, *name;
	bool is_ignored, is_told;
};

struct ax_reading {
	struct ax_node *nodes;
	size_t len;
	struct map by_id;
	struct buf *out;
	size_t most; /* bytes of out */
};

/* Properties that are shown unless false or absent. */
static const char *const told[] = { "level", "checked", "pressed", "expanded", "selected",
	"disabled", "required", "invalid", "readonly", "busy", "focused", "valuemin", "valuemax" };

static const char *
value_of(const cJSON *node, const char *member)
{
	const char *text = json_get_string(json_get(node, member), "value");

	return text ? text : "";
}

static struct ax_node *
reader_find(const struct ax_reading *r, const char *id)
{
	struct ax_node *n;

	MAP_EACH(&r->by_id, text_hash(r, id, strlen(id)), n) {
		if (strcmp(n->id, id) == 0)
			return n;
	}
	return NULL;
}

/* Append text on one line, up to a limit. */
static void
add_reader_text(struct buf *out, const char *text)
{
	size_t start = out->len, len = strlen(text);

	buf_add(out, text, len < TEXT_MAX ? len : TEXT_MAX);
	for (size_t i = start; i < out->len; i++)
		if (out->data[i] == '\n' || out->data[i] == '\r' || out->data[i] == '\t')
			out->data[i] = ' ';
	if (len > TEXT_MAX)
		buf_add_str(out, "…");
}

static void
add_reader_value(struct buf *out, const cJSON *value)
{
	if (cJSON_GetStringValue(value))
		add_reader_text(out, cJSON_GetStringValue(value));
	else if (cJSON_IsNumber(value))
		json_print_brief(out, value, 40);
	else if (cJSON_IsTrue(value))
		buf_add_str(out, "true");
}

static bool
is_false(const cJSON *value)
{
	return !value || cJSON_IsNull(value) || (cJSON_IsBool(value) && !cJSON_IsTrue(value)) ||
	       (cJSON_GetStringValue(value) && strcmp(cJSON_GetStringValue(value), "false") == 0);
}

static void
add_states(struct buf *out, const cJSON *node)
{
	size_t count = 0;

	for (size_t i = 0; i < ARRAY_LEN(told); i++)
		for (const cJSON *p = json_first(json_get(node, "properties")); p; p = p->next) {
			const char *name = json_get_string(p, "name");
			const cJSON *value = json_get(json_get(p, "value"), "value");
			if (!name || strcmp(name, told[i]) != 0 || is_false(value))
				continue;
			buf_add_str(out, count++ ? ", " : "  (");
			buf_add_str(out, told[i]);
			if (!cJSON_IsTrue(value)) {
				buf_add_char(out, ' ');
				add_reader_value(out, value);
			}
			break;
		}
	if (count > 0)
		buf_add_char(out, ')');
}

static void
add_reader_line(struct ax_reading *r, const struct ax_node *n, int depth)
{
	bool is_text = strcmp(n->role, "StaticText") == 0;
	const cJSON *value = json_get(json_get(n->value, "value"), "value");

	for (int i = 0; i < depth; i++)
		buf_add_str(r->out, "  ");
	if (!is_text)
		add_reader_text(r->out, strcmp(n->role, "RootWebArea") == 0 ? "page"
					: strcmp(n->role, "LabelText") == 0 ? "label"
									    : n->role);
	if (*n->name) {
		buf_add_str(r->out, is_text ? "" : ": ");
		add_reader_text(r->out, n->name);
	}
	if (!is_false(value)) {
		buf_add_str(r->out, " = ");
		add_reader_value(r->out, value);
	}
	add_states(r->out, n->value);
	buf_add_char(r->out, '\n');
}

/* parent: the nearest ancestor that was shown; levels: depth including nodes that were not. */
static void
tell(struct ax_reading *r, struct ax_node *n, const struct ax_node *parent, int depth, int levels)
{
	static const char *const silent[] = { "none", "generic", "presentation", "LineBreak",
		"Iframe", "IframePresentational", NULL };

	if (n->is_told || r->out->len > r->most)
		return;
	n->is_told = true;
	bool is_box = strcmp(n->role, "InlineTextBox") == 0;
	bool is_text = strcmp(n->role, "StaticText") == 0, is_leaf = is_box || is_text;
	/* Groups without a name have no information, nor do texts that repeat their parent's name.
	 */
	bool repeats = is_text && (!*n->name || (parent && strcmp(parent->name, n->name) == 0));
	bool is_silent = n->is_ignored || !*n->role || (words_have(silent, n->role) && !*n->name);
	if (!is_box && !is_silent && !repeats) {
		add_reader_line(r, n, depth);
		parent = n;
		depth++;
	}
	for (const cJSON *c = json_first(json_get(n->value, "childIds")); c; c = c->next) {
		struct ax_node *child =
		    cJSON_GetStringValue(c) ? reader_find(r, cJSON_GetStringValue(c)) : NULL;
		if (child && is_leaf)
			child->is_told = true;
		else if (child && depth < DEPTH_MAX && levels < LEVELS_MAX)
			tell(r, child, parent, depth, levels + 1);
	}
}

void
app_reader_add(struct buf *out, const cJSON *nodes)
{
	struct ax_reading r = { .out = out, .most = out->len + BYTES_MAX };
	size_t count = json_type(nodes) == JSON_ARRAY ? json_count(nodes) : 0;

	if (count == 0)
		return;
	r.nodes = mem_zalloc((count < NODES_MAX ? count : NODES_MAX) * sizeof(*r.nodes));
	for (const cJSON *v = json_first(nodes); v && r.len < NODES_MAX; v = v->next) {
		struct ax_node *n = &r.nodes[r.len];
		const char *id = json_get_string(v, "nodeId");
		if (!id || reader_find(&r, id))
			continue;
		*n = (struct ax_node){ .value = v,
			.id = id,
			.role = value_of(v, "role"),
			.name = value_of(v, "name"),
			.is_ignored = cJSON_IsTrue(json_get(v, "ignored")) };
		map_add(&r.by_id, text_hash(&r, id, strlen(id)), n);
		r.len++;
	}
	for (size_t i = 0; i < r.len; i++)
		if (!json_get_string(r.nodes[i].value, "parentId"))
			tell(&r, &r.nodes[i], NULL, 0, 0);
	for (size_t i = 0; i < r.len; i++) /* not reachable from a root */
		tell(&r, &r.nodes[i], NULL, 0, 0);
	if (count > NODES_MAX || out->len > r.most)
		buf_add_str(out, "… there is more than is shown\n");
	map_finish(&r.by_id);
	free(r.nodes);
}
