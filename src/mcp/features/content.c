/* SPDX-License-Identifier: MIT */
#include "mcp/content.h"

#include "base/ascii.h"
#include "base/base64.h"
#include "base/mem.h"
#include "base/vec.h"
#include "mcp/session/internals.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Only the first problem is kept. */
static void __attribute__((format(printf, 2, 3)))
add_problem(struct content_block *c, const char *format, ...)
{
	char problem[120];

	if (c->problem)
		return;
	FORMAT_INTO(problem, format);
	c->problem = mem_strdup(problem);
}

void
content_add_text(struct buf *out, const char *text, size_t len)
{
	const char *end = text + len;

	while (text < end) {
		const char *nul = memmem(text, (size_t)(end - text), "\xc0\x80", 2);
		size_t n = nul ? (size_t)(nul - text) : (size_t)(end - text);
		buf_add(out, text, n);
		if (nul)
			buf_add_char(out, '\0');
		text += n + (nul ? 2 : 0);
	}
}

bool
content_add_bytes(struct buf *out, const struct content_block *c)
{
	if (c->text)
		content_add_text(out, c->text, c->text_len);
	else if (c->data)
		return base64_decode(out, c->data, c->data_len);
	return c->text != NULL;
}

bool
base64_decoded_size(const char *text, size_t len, size_t *bytes)
{
	size_t padding = 0;

	*bytes = 0;
	if (len % 4 != 0)
		return false;
	while (padding < 2 && padding < len && text[len - 1 - padding] == '=')
		padding++;
	for (size_t i = 0; i < len - padding; i++)
		if (!ascii_is_alnum(text[i]) && text[i] != '+' && text[i] != '/')
			return false;
	*bytes = len / 4 * 3 - padding;
	return true;
}

/* An optional string. */
static const char *
read_text(struct content_block *c, const cJSON *object, const char *key)
{
	const cJSON *node = json_get(object, key);

	if (node && !cJSON_GetStringValue(node))
		add_problem(c, "%s must be a string, but is of type %s", key,
		    json_type_name(json_type(node)));
	return cJSON_GetStringValue(node);
}

static const char *
need_text(struct content_block *c, const cJSON *object, const char *key)
{
	if (!json_get(object, key))
		add_problem(c, "%s is missing", key);
	return read_text(c, object, key);
}

/* Call it once mime is set. */
static void
set_data(struct content_block *c, const char *data)
{
	if (!data)
		return;
	c->data = data;
	c->data_len = strlen(data);
	if (!base64_decoded_size(data, c->data_len, &c->decoded_bytes)) {
		add_problem(c, "the data is not base64");
	} else if (c->data_len > 0) {
		/* Compares the MIME type with the first bytes. */
		enum { HEAD = 16 }; /* characters of base64: twelve bytes */
		struct buf head = BUF_INIT;
		base64_decode(&head, c->data, c->data_len < HEAD ? c->data_len : HEAD);
		const char *found = media_type_of(buf_text(&head), head.len);
		if (media_type_differs(c->mime, found))
			add_problem(c, "the type is %.40s, but the bytes are %s", c->mime,
			    found ? found : "something else");
		buf_finish(&head);
	} else if (c->kind != CONTENT_RESOURCE) {
		add_problem(c, "the data is empty");
	}
}

static void
decode_text(struct content_block *c)
{
	c->text = need_text(c, c->block, "text");
	c->text_len = c->text ? strlen(c->text) : 0;
}

static void
decode_media(struct content_block *c)
{
	c->mime = need_text(c, c->block, "mimeType");
	set_data(c, need_text(c, c->block, "data"));
}

static void
decode_resource_link(struct content_block *c)
{
	const cJSON *size = json_get(c->block, "size");

	c->uri = need_text(c, c->block, "uri");
	c->name = need_text(c, c->block, "name");
	c->title = read_text(c, c->block, "title");
	c->description = read_text(c, c->block, "description");
	c->mime = read_text(c, c->block, "mimeType");
	if (cJSON_IsNumber(size))
		c->size = size;
	else if (size)
		add_problem(
		    c, "size must be a number, but is of type %s", json_type_name(json_type(size)));
}

static void
take_resource(struct content_block *c, const cJSON *resource)
{
	c->uri = need_text(c, resource, "uri");
	c->mime = read_text(c, resource, "mimeType");
	c->text = read_text(c, resource, "text");
	c->text_len = c->text ? strlen(c->text) : 0;
	set_data(c, read_text(c, resource, "blob"));
	if (!c->text && !c->data)
		add_problem(c, "the resource has neither text nor blob");
	if (c->text && c->data)
		add_problem(c, "the resource has both text and blob");
}

static void
decode_resource(struct content_block *c)
{
	const cJSON *resource = json_get(c->block, "resource");

	if (cJSON_IsObject(resource))
		take_resource(c, resource);
	else if (!resource)
		add_problem(c, "resource is missing");
	else
		add_problem(c, "resource must be an object, but is of type %s",
		    json_type_name(json_type(resource)));
}

static void
decode_unknown(struct content_block *c)
{
	if (*c->type)
		add_problem(c, "MCP has no such type of content");
	else if (!json_get(c->block, "type"))
		add_problem(c, "type is missing");
	else
		add_problem(c, "type must be a string, but is of type %s",
		    json_type_name(json_type(json_get(c->block, "type"))));
}

const char *const content_kind_names[] = {
	[CONTENT_TEXT] = "text",
	[CONTENT_IMAGE] = "image",
	[CONTENT_AUDIO] = "audio",
	[CONTENT_RESOURCE_LINK] = "resource_link",
	[CONTENT_RESOURCE] = "resource",
	[CONTENT_UNKNOWN] = "unknown",
};

static void (*const decoders[])(struct content_block *c) = {
	[CONTENT_TEXT] = decode_text,
	[CONTENT_IMAGE] = decode_media,
	[CONTENT_AUDIO] = decode_media,
	[CONTENT_RESOURCE_LINK] = decode_resource_link,
	[CONTENT_RESOURCE] = decode_resource,
	[CONTENT_UNKNOWN] = decode_unknown,
};

static bool
is_object(struct content_block *c)
{
	enum json_type type = json_type(c->block);

	if (type != JSON_OBJECT)
		add_problem(c, "must be an object, but is of type %s", json_type_name(type));
	return type == JSON_OBJECT;
}

/* Shortens the texts that are shown next to the content. */
static void
cut_labels(struct content_block *c, struct json_doc *doc)
{
	const char **labels[] = { &c->type, &c->mime, &c->name, &c->title, &c->description,
		&c->last_modified };
	const char *uri = c->uri;

	for (size_t i = 0; i < ARRAY_LEN(labels); i++)
		*labels[i] = json_label(doc, *labels[i]);
	c->uri = json_label(doc, uri);
	c->readable = uri && c->uri == uri;
	if (uri && !c->readable)
		add_problem(c, "the uri is %zu bytes long, too long for a request", strlen(uri));
}

void
content_decode(struct content_block *c, struct json_doc *doc, const cJSON *block)
{
	const char *type = json_get_string(block, "type");

	*c = (struct content_block){ .block = block, .type = type ? type : "" };
	enum content_kind kind = 0;
	while (kind < CONTENT_UNKNOWN && strcmp(content_kind_names[kind], c->type) != 0)
		kind++;
	c->kind = kind;
	if (!is_object(c))
		return;
	decoders[c->kind](c);
	const cJSON *annotations = json_get(c->block, "annotations");
	const cJSON *audience = json_get(annotations, "audience");
	const cJSON *priority = json_get(annotations, "priority");
	if (annotations && !cJSON_IsObject(annotations))
		add_problem(c, "annotations must be an object, but is of type %s",
		    json_type_name(json_type(annotations)));
	if (json_type(audience) == JSON_ARRAY)
		c->audience = audience;
	else if (audience)
		add_problem(c, "annotations.audience must be an array");
	if (cJSON_IsNumber(priority))
		c->priority = priority;
	else if (priority)
		add_problem(c, "annotations.priority must be a number");
	c->last_modified = read_text(c, annotations, "lastModified");
	cut_labels(c, doc);
}

void
content_finish(struct content_block *c)
{
	free(c->problem);
	c->problem = NULL;
}

static const struct {
	const char *type;
	size_t at; /* offset of the second signature; the first one is at 0 */
	const char *first, *second;
} marks[] = {
	{ "image/png", 4, "\x89PNG", "\r\n\x1a\n" },
	{ "image/jpeg", 2, "\xff\xd8", "\xff" },
	{ "image/gif", 4, "GIF8", "" },
	{ "image/webp", 8, "RIFF", "WEBP" },
	{ "audio/wav", 8, "RIFF", "WAVE" },
	{ "audio/mpeg", 3, "ID3", "" },
	{ "audio/ogg", 4, "OggS", "" },
	{ "audio/flac", 4, "fLaC", "" },
	{ "application/pdf", 5, "%PDF-", "" },
};
#define MARKS ARRAY_LEN(marks)

const char *
media_type_of(const void *bytes, size_t len)
{
	const char *text = bytes;

	for (size_t i = 0; i < MARKS; i++) {
		size_t first = strlen(marks[i].first), second = strlen(marks[i].second);
		if (len >= marks[i].at + second && memcmp(text, marks[i].first, first) == 0 &&
		    memcmp(text + marks[i].at, marks[i].second, second) == 0)
			return marks[i].type;
	}
	return NULL;
}

/* Synonyms; "image/jpg" is wrong but common. */
static const char *const aliases[][2] = {
	{ "image/jpg", "image/jpeg" },
	{ "audio/wave", "audio/wav" },
	{ "audio/x-wav", "audio/wav" },
	{ "audio/vnd.wave", "audio/wav" },
	{ "audio/mp3", "audio/mpeg" },
	{ "audio/x-flac", "audio/flac" },
};

bool
media_type_differs(const char *said, const char *found)
{
	size_t len = said ? strcspn(said, "; ") : 0;
	const char *type = NULL; /* as in marks[]; NULL if its bytes have no signature */

	for (size_t i = 0; said && !type && i < ARRAY_LEN(aliases); i++)
		if (strlen(aliases[i][0]) == len && strncasecmp(said, aliases[i][0], len) == 0)
			type = aliases[i][1];
	for (size_t i = 0; said && !type && i < MARKS; i++)
		if (strlen(marks[i].type) == len && strncasecmp(said, marks[i].type, len) == 0)
			type = marks[i].type;
	if (!type)
		return false;
	return found ? strcmp(type, found) != 0 : strcmp(type, "audio/mpeg") != 0;
}

/* Longer texts are not parsed: that would delay the screen. */
#define PARSED_MAX ((size_t)1 << 20)

struct blocks {
	struct content_block *items;
	size_t len, cap;
	struct json_doc *doc;
};

static void
add_block(struct blocks *out, const cJSON *node)
{
	content_decode(VEC_PUSH(out), out->doc, node);
}

/* An item of ReadResourceResult.contents, which has no block around it. */
static void
add_contents(struct blocks *out, const cJSON *node)
{
	struct content_block *c = VEC_PUSH(out);

	*c = (struct content_block){ .kind = CONTENT_RESOURCE, .block = node, .type = "" };
	if (!is_object(c))
		return;
	take_resource(c, node);
	cut_labels(c, out->doc);
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
			add_problem(c, "the content of a message must be one block, not an array");
		if (!content) {
			content_finish(c);
			add_problem(c, "the message has no content");
		} else if (!(role &&
			       (strcmp(role, "user") == 0 || strcmp(role, "assistant") == 0))) {
			add_problem(c, "the role must be user or assistant");
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

void
result_init_of(struct result *r, enum primitive_kind kind, struct json_doc *doc, const cJSON *value)
{
	const cJSON *content = json_get(value, shapes[kind].member);
	struct blocks blocks = { .cap = json_count(content), .doc = doc };

	*r = (struct result){
		.value = value, .content = json_type(content), .meta = json_get(value, "_meta")
	};
	const cJSON *error = json_get(r->value, "isError");
	char *problem = r->problem;
	size_t size = sizeof(r->problem);
	if (!cJSON_IsObject(r->value))
		snprintf(problem, size, "the result must be an object, but is of type %s",
		    json_type_name(json_type(r->value)));
	else if (r->content == JSON_ABSENT)
		snprintf(problem, size, "%s is missing", shapes[kind].member);
	else if (r->content != JSON_ARRAY)
		snprintf(problem, size, "%s must be an array, but is of type %s",
		    shapes[kind].member, json_type_name(r->content));
	else if (error && !cJSON_IsBool(error))
		snprintf(problem, size, "isError must be true or false, but is of type %s",
		    json_type_name(json_type(error)));
	if (r->content == JSON_ARRAY && blocks.cap > 0)
		blocks.items = mem_alloc(blocks.cap * sizeof(*blocks.items));
	else
		blocks.cap = 0;
	for (const cJSON *c = r->content == JSON_ARRAY ? json_first(content) : NULL; c; c = c->next)
		shapes[kind].add(&blocks, c);
	r->blocks = blocks.items;
	r->len = blocks.len;
	if (kind == PRIMITIVE_TOOL) {
		r->is_error = cJSON_IsTrue(json_get(value, "isError"));
		r->structured = json_get(value, "structuredContent");
	} else if (kind == PRIMITIVE_PROMPT) {
		r->description = json_get_string(value, "description");
	} else {
		const struct content_block *c = r->blocks;
		if (r->len != 1 || !c->text || c->text_len > PARSED_MAX)
			return;
		size_t mime = c->mime ? strcspn(c->mime, "; ") : 0;
		if (!(mime == 16 && strncmp(c->mime, "application/json", mime) == 0) &&
		    !(mime > 5 && strncmp(c->mime + mime - 5, "+json", 5) == 0))
			return;
		r->parsed = json_parse(c->text, c->text_len, NULL, NULL);
		if (r->parsed)
			r->structured = json_root(r->parsed);
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

const char *const task_status_names[] = {
	[TASK_WORKING] = "working",
	[TASK_INPUT_REQUIRED] = "input_required",
	[TASK_COMPLETED] = "completed",
	[TASK_FAILED] = "failed",
	[TASK_CANCELLED] = "cancelled",
	[TASK_UNKNOWN] = "unknown",
};

bool
task_is_over(enum task_status status)
{
	return status == TASK_COMPLETED || status == TASK_FAILED || status == TASK_CANCELLED;
}

/* Reads the extension's name or else the one of 2025-11-25. */
static int64_t
read_ms(const cJSON *task, const char *name, const char *older)
{
	const cJSON *number = json_get(task, name);

	if (!number)
		number = json_get(task, older);
	if (!cJSON_IsNumber(number) || number->valuedouble < 0)
		return -1;
	return number->valuedouble < 1e15 ? (int64_t)number->valuedouble : -1;
}

bool
task_decode(struct task *t, const cJSON *value)
{
	const cJSON *task = json_get(value, "task");
	enum task_status status = TASK_WORKING;

	if (!cJSON_IsObject(task))
		task = value;
	const char *name = json_get_string(task, "status");
	while (status < TASK_UNKNOWN && !(name && strcmp(task_status_names[status], name) == 0))
		status++;
	*t = (struct task){
		.id = json_get_string(task, "taskId"),
		.status = status,
		.message = json_get_string(task, "statusMessage"),
		.created = json_get_string(task, "createdAt"),
		.ttl_ms = read_ms(task, "ttlMs", "ttl"),
		.poll_ms = read_ms(task, "pollIntervalMs", "pollInterval"),
		.result = json_get(task, "result"),
		.error = json_get(task, "error"),
		.requests = json_get(task, "inputRequests"),
	};
	return t->id && *t->id;
}

/* A tool's taskSupport counts only if the server declares the capability. */
enum task_support
session_task_support(const struct session *s, const cJSON *definition)
{
	const cJSON *requests =
	    json_get(json_get(s->info.server_capabilities, "tasks"), "requests");
	const char *support = json_get_string(json_get(definition, "execution"), "taskSupport");

	if (s->info.state != SESSION_READY || s->era->modern || !support ||
	    strcmp(s->protocol, "2025-11-25") != 0 ||
	    !json_get(json_get(requests, "tools"), "call"))
		return TASKS_FORBIDDEN;
	if (strcmp(support, "required") == 0)
		return TASKS_REQUIRED;
	return strcmp(support, "optional") == 0 ? TASKS_OPTIONAL : TASKS_FORBIDDEN;
}

void
session_prefer_tasks(struct session *s, bool prefer)
{
	s->internal.prefer_tasks = prefer;
}
