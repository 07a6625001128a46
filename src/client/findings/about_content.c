#include "findings.h"

#include "base/ascii.h"
#include "base/base64.h"
#include "base/vec.h"
#include "base/units.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#define BLOCKS_SAID 10                 /* findings of one kind about blocks */
#define ENCODED_LEN ((size_t)2 << 10)  /* characters of base64 in a row: no word is so long */

struct block_search {
	struct finding_search *s;
	size_t said;
};

static void __attribute__((format(printf, 4, 5)))
add_block(struct block_search *b, size_t index, const char *member, const char *format, ...)
{
	char pointer[80], text[300];
	va_list args;

	if (b->said++ >= BLOCKS_SAID)
		return;
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	snprintf(pointer, sizeof(pointer), "/content/%zu%s", index, member);
	finding_add(b->s, pointer, "%s", text);
}

static bool
is_base64(const struct content_block *c)
{
	size_t bytes;

	return base64_decoded_size(c->data, c->data_len, &bytes);
}

/* The type that the bytes prove, if another one is declared. */
static bool
has_other_type(const struct content_block *c, const char **found)
{
	enum { HEAD = 16 };
	struct buf head = BUF_INIT;

	base64_decode(&head, c->data, c->data_len < HEAD ? c->data_len : HEAD);
	*found = media_type_of(buf_text(&head), head.len);
	buf_finish(&head);
	return media_type_differs(c->mime, *found);
}

static void
find_base64(struct finding_search *s)
{
	struct block_search b = { .s = s };

	for (size_t i = 0; i < s->result->len; i++)
		if (s->result->blocks[i].data && !is_base64(&s->result->blocks[i]))
			add_block(&b, i, "", "the data is not base64");
}

static void
find_type(struct finding_search *s)
{
	struct block_search b = { .s = s };
	const char *found;

	for (size_t i = 0; i < s->result->len; i++) {
		const struct content_block *c = &s->result->blocks[i];
		if (c->data && c->data_len > 0 && has_other_type(c, &found) && is_base64(c))
			add_block(&b, i, "", "the type is %.40s, but the bytes are %s", c->mime,
			    found ? found : "something else");
	}
}

/* Whatever else is wrong with a block. */
static void
find_block(struct finding_search *s)
{
	struct block_search b = { .s = s };
	const char *found;

	for (size_t i = 0; i < s->result->len; i++) {
		const struct content_block *c = &s->result->blocks[i];
		if (!c->problem)
			continue;
		bool said =
		    c->data && c->data_len > 0 && (has_other_type(c, &found) || !is_base64(c));
		if (!said)
			add_block(&b, i, "", "%s", c->problem);
	}
}

static void
find_priority(struct finding_search *s)
{
	struct block_search b = { .s = s };

	for (size_t i = 0; i < s->result->len; i++) {
		const cJSON *priority = s->result->blocks[i].priority;
		if (priority && !(priority->valuedouble >= 0 && priority->valuedouble <= 1))
			add_block(&b, i, "/annotations/priority", "the priority is outside 0 to 1");
	}
}

static void
find_audience(struct finding_search *s)
{
	struct block_search b = { .s = s };

	for (size_t i = 0; i < s->result->len; i++)
		for (const cJSON *who = json_first(s->result->blocks[i].audience); who;
		     who = who->next) {
			const char *name = json_string(who);
			if (!name || (strcmp(name, "user") != 0 && strcmp(name, "assistant") != 0))
				add_block(&b, i, "/annotations/audience",
				    "the audience is neither \"user\" nor \"assistant\"");
		}
}

/* A URI has a scheme: RFC 3986 section 3.1. */
static bool
has_scheme(const char *uri)
{
	size_t len =
	    strspn(uri, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+.-");

	return len > 0 && uri[len] == ':' && uri[len + 1];
}

static void
find_link(struct finding_search *s)
{
	struct block_search b = { .s = s };

	for (size_t i = 0; i < s->result->len; i++) {
		const struct content_block *c = &s->result->blocks[i];
		if (c->kind == CONTENT_RESOURCE_LINK && c->uri && !has_scheme(c->uri))
			add_block(
			    &b, i, "/uri", "\"%.100s\" is not a URI, so it cannot be read", c->uri);
	}
}

/* A page or a file in place of words. */
static void
find_page(struct finding_search *s)
{
	struct block_search b = { .s = s };

	for (size_t i = 0; i < s->result->len; i++) {
		const struct content_block *c = &s->result->blocks[i];
		if (c->kind != CONTENT_TEXT || !c->text)
			continue;
		const char *text = c->text + strspn(c->text, " \t\r\n");
		if (strncasecmp(text, "<!doctype html", 14) == 0 ||
		    strncasecmp(text, "<html", 5) == 0)
			add_block(&b, i, "/text", "the text is an HTML page");
		else if (c->text_len > 1024 && strncmp(text, "data:", 5) == 0)
			add_block(
			    &b, i, "/text", "the text is a data: URI of %s bytes", units_count(c->text_len).text);
	}
}

/* The longest run of base64 with capitals, small letters and digits. */
static size_t
encoded_len(const char *text, size_t len)
{
	size_t longest = 0, start = 0;
	unsigned seen = 0;

	for (size_t i = 0; i <= len; i++) {
		char c = i < len ? text[i] : ' ';
		if (c >= 'A' && c <= 'Z') {
			seen |= 1;
		} else if (c >= 'a' && c <= 'z') {
			seen |= 2;
		} else if (ascii_is_digit((char)c)) {
			seen |= 4;
		} else if (c != '+' && c != '/' && c != '=' && c != '-' && c != '_') {
			if (seen == 7 && i - start > longest)
				longest = i - start;
			start = i + 1;
			seen = 0;
		}
	}
	return longest;
}

static void
find_encoded(struct finding_search *s)
{
	struct block_search b = { .s = s };

	for (size_t i = 0; i < s->result->len; i++) {
		const struct content_block *c = &s->result->blocks[i];
		size_t len = c->kind == CONTENT_TEXT ? encoded_len(c->text, c->text_len) : 0;
		if (len >= ENCODED_LEN)
			add_block(&b, i, "/text",
			    "%s characters of encoded data in a text, of which a model learns "
			    "nothing",
			    units_count(len).text);
	}
}

/* Only if somebody followed the link: nothing is read automatically. */
static void
find_refused(struct finding_search *s)
{
	struct block_search b = { .s = s };

	for (size_t i = 0; s->read && i < s->result->len; i++) {
		const struct content_block *c = &s->result->blocks[i];
		if (c->kind == CONTENT_RESOURCE_LINK && c->uri &&
		    strcmp(c->uri, call_name(s->read)) == 0)
			add_block(&b, i, "/uri", "reading \"%.100s\" failed: %.120s", c->uri,
			    s->read->error_text ? s->read->error_text : "an error");
	}
}

/* ---- the table ---- */

static const struct finding_kind FINDINGS[] = {
	{ "block-malformed", FINDING_ERROR, find_block, "ContentBlock (schema#ContentBlock)",
	    .mend = "return the members that its type requires" },
	{ "block-base64", FINDING_ERROR, find_base64,
	    "\"The base64-encoded image data.\" (schema#ImageContent; AudioContent likewise)",
	    .mend = "encode the bytes as in RFC 4648 section 4, with padding" },
	{ "block-type", FINDING_WARNING, find_type,
	    "\"The MIME type of the image.\" (schema#ImageContent; AudioContent likewise)",
	    .mend = "declare the type of the bytes" },
	{ "priority-range", FINDING_WARNING, find_priority,
	    "Annotations.priority: minimum 0, maximum 1 (schema#Annotations)",
	    .mend = "use a number from 0 to 1" },
	{ "audience-unknown", FINDING_WARNING, find_audience,
	    "Annotations.audience: Role[], which is \"user\" | \"assistant\" (schema#Annotations)",
	    .mend = "name user, assistant or both" },
	{ "link-unreadable", FINDING_WARNING, find_link, LINKED,
	    .mend = "give the URI that resources/read takes" },
	{ "link-refused", FINDING_WARNING, find_refused, LINKED,
	    .mend = "let resources/read answer to each URI that a result links to" },
	{ "content-page", FINDING_WARNING, find_page,
	    NO_SENTENCE ": content is what a model reads (MCP Apps)",
	    .mend = "return a resource, or an app for the screen" },
	{ "content-encoded", FINDING_WARNING, find_encoded,
	    NO_SENTENCE ": image, audio and resource blocks are for data",
	    .mend = "return the data as a block of its own, or as a resource_link" },
};

const struct finding_table findings_about_content = { FINDINGS, ARRAY_LEN(FINDINGS) };

void
findings_of_read(struct findings *f, const struct call *call, const struct call *read)
{
	struct finding_search s = { .out = f, .call = call, .result = &call->result, .read = read };
	size_t refused = 0;

	while (FINDINGS[refused].find != find_refused)
		refused++;
	for (size_t i = 0; i < f->len; i++)
		if (f->items[i].kind == &FINDINGS[refused])
			return; /* one is enough */
	findings_run(&s, &(struct finding_table){ &FINDINGS[refused], 1 });
}
