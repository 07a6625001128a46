#include "mcp/content.h"

#include "base/mem.h"
#include "base/vec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Longer texts are not parsed: that would delay the screen. */
#define PARSED_MAX ((size_t)1 << 20)

struct blocks {
	struct content_block *items;
	size_t len, cap;
	struct json_doc *doc;
};

static void
set_problem(struct content_block *c, const char *problem)
{
	if (!c->problem)
		c->problem = mem_strdup(problem);
}

static void
add_block(struct blocks *out, const cJSON *node)
{
	content_decode(VEC_PUSH(out), out->doc, node);
}

static void
add_contents(struct blocks *out, const cJSON *node)
{
	content_decode_resource(VEC_PUSH(out), out->doc, node);
}

static bool
is_role(const char *role)
{
	return role && (strcmp(role, "user") == 0 || strcmp(role, "assistant") == 0);
}

/* A message is one block with a role. An array of blocks is wrong, but all of them are shown. */
static void
add_message(struct blocks *out, const cJSON *node)
{
	const cJSON *content = json_get(node, "content");
	const char *role = json_label(out->doc, json_get_string(node, "role"));
	bool several = json_type(content) == JSON_ARRAY && json_count(content) > 0;

	for (const cJSON *block = several   ? json_first(content)
				  : content ? content
					    : node;
	     block; block = several ? block->next : NULL) {
		struct content_block *c = VEC_PUSH(out);
		content_decode(c, out->doc, block);
		c->role = role ? role : "";
		if (several)
			set_problem(c, "the content of a message must be one block, not an array");
		if (!content) {
			content_finish(c);
			set_problem(c, "the message has no content");
		} else if (!is_role(role)) {
			set_problem(c, "the role must be user or assistant");
		}
	}
}

static const struct {
	const char *member;
	void (*add)(struct blocks *out, const cJSON *node);
} shapes[PRIMITIVE_KINDS] = {
	[PRIMITIVE_TOOL] = { "content", add_block },
	[PRIMITIVE_RESOURCE] = { "contents", add_contents },
	[PRIMITIVE_TEMPLATE] = { "contents", add_contents },
	[PRIMITIVE_PROMPT] = { "messages", add_message },
	[PRIMITIVE_SKILL] = { "contents", add_contents },
};

static void
check(struct result *r, const char *member)
{
	const cJSON *error = json_get(r->value, "isError");
	char *problem = r->problem;
	size_t size = sizeof(r->problem);

	if (!cJSON_IsObject(r->value))
		snprintf(problem, size, "the result must be an object, but is of type %s",
		    json_type_name(json_type(r->value)));
	else if (r->content == JSON_ABSENT)
		snprintf(problem, size, "%s is missing", member);
	else if (r->content != JSON_ARRAY)
		snprintf(problem, size, "%s must be an array, but is of type %s", member,
		    json_type_name(r->content));
	else if (error && !cJSON_IsBool(error))
		snprintf(problem, size, "isError must be true or false, but is of type %s",
		    json_type_name(json_type(error)));
}

static bool
says_json(const char *mime)
{
	size_t len = mime ? strcspn(mime, "; ") : 0;

	return (len == 16 && strncmp(mime, "application/json", len) == 0) ||
	       (len > 5 && strncmp(mime + len - 5, "+json", 5) == 0);
}

static void
read_document(struct result *r)
{
	const struct content_block *c = r->blocks;

	if (r->len != 1 || !c->text || c->text_len > PARSED_MAX || !says_json(c->mime))
		return;
	r->parsed = json_parse(c->text, c->text_len, NULL, NULL);
	if (r->parsed)
		r->structured = json_root(r->parsed);
}

void
result_init_of(struct result *r, enum primitive_kind kind, struct json_doc *doc, const cJSON *value)
{
	const cJSON *content = json_get(value, shapes[kind].member);
	struct blocks blocks = { .cap = json_count(content), .doc = doc };

	*r = (struct result){
		.value = value, .content = json_type(content), .meta = json_get(value, "_meta")
	};
	check(r, shapes[kind].member);
	if (r->content == JSON_ARRAY && blocks.cap > 0)
		blocks.items = mem_alloc(blocks.cap * sizeof(*blocks.items));
	else
		blocks.cap = 0;
	for (const cJSON *c = r->content == JSON_ARRAY ? json_first(content) : NULL; c; c = c->next)
		shapes[kind].add(&blocks, c);
	r->blocks = blocks.items;
	r->len = blocks.len;
	if (kind == PRIMITIVE_TOOL) {
		r->is_error = json_is_true(json_get(value, "isError"));
		r->structured = json_get(value, "structuredContent");
	} else if (kind == PRIMITIVE_PROMPT) {
		r->description = json_get_string(value, "description");
	} else {
		read_document(r);
	}
}

void
result_finish(struct result *r)
{
	for (size_t i = 0; i < r->len; i++)
		content_finish(&r->blocks[i]);
	free(r->blocks);
	json_doc_destroy(r->parsed);
	*r = (struct result){ 0 };
}
