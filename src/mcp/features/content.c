#include "mcp/content.h"

#include "base/ascii.h"
#include "base/base64.h"
#include "base/mem.h"
#include "base/vec.h"

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

	if (node && !json_string(node))
		add_problem(c, "%s must be a string, but is of type %s", key,
		    json_type_name(json_type(node)));
	return json_string(node);
}

static const char *
need_text(struct content_block *c, const cJSON *object, const char *key)
{
	if (!json_get(object, key))
		add_problem(c, "%s is missing", key);
	return read_text(c, object, key);
}

/* Compares the MIME type with the first bytes. */
static void
check_type(struct content_block *c)
{
	enum { HEAD = 16 }; /* characters of base64: twelve bytes */
	struct buf head = BUF_INIT;

	base64_decode(&head, c->data, c->data_len < HEAD ? c->data_len : HEAD);
	const char *found = media_type_of(buf_text(&head), head.len);
	if (media_type_differs(c->mime, found))
		add_problem(c, "the type is %.40s, but the bytes are %s", c->mime,
		    found ? found : "something else");
	buf_finish(&head);
}

/* Call it once mime is set. */
static void
set_data(struct content_block *c, const char *data)
{
	if (!data)
		return;
	c->data = data;
	c->data_len = strlen(data);
	if (!base64_decoded_size(data, c->data_len, &c->decoded_bytes))
		add_problem(c, "the data is not base64");
	else if (c->data_len > 0)
		check_type(c);
	else if (c->kind != CONTENT_RESOURCE)
		add_problem(c, "the data is empty");
}

static void
set_text(struct content_block *c, const char *text)
{
	c->text = text;
	c->text_len = text ? strlen(text) : 0;
}

static void
decode_text(struct content_block *c)
{
	set_text(c, need_text(c, c->block, "text"));
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
	set_text(c, read_text(c, resource, "text"));
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

static enum content_kind
find_kind(const char *type)
{
	enum content_kind kind = 0;

	while (kind < CONTENT_UNKNOWN && strcmp(content_kind_names[kind], type) != 0)
		kind++;
	return kind;
}

static void
decode_annotations(struct content_block *c)
{
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
}

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
	c->kind = find_kind(c->type);
	if (!is_object(c))
		return;
	decoders[c->kind](c);
	decode_annotations(c);
	cut_labels(c, doc);
}

void
content_decode_resource(struct content_block *c, struct json_doc *doc, const cJSON *contents)
{
	*c = (struct content_block){ .kind = CONTENT_RESOURCE, .block = contents, .type = "" };
	if (!is_object(c))
		return;
	take_resource(c, contents);
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

/* The type as in marks[]; NULL if its bytes have no signature. */
static const char *
known(const char *said)
{
	size_t len = strcspn(said, "; ");

	for (size_t i = 0; i < ARRAY_LEN(aliases); i++)
		if (strlen(aliases[i][0]) == len && strncasecmp(said, aliases[i][0], len) == 0)
			return aliases[i][1];
	for (size_t i = 0; i < MARKS; i++)
		if (strlen(marks[i].type) == len && strncasecmp(said, marks[i].type, len) == 0)
			return marks[i].type;
	return NULL;
}

bool
media_type_differs(const char *said, const char *found)
{
	const char *type = said ? known(said) : NULL;

	if (!type)
		return false;
	return found ? strcmp(type, found) != 0 : strcmp(type, "audio/mpeg") != 0;
}
