/* SPDX-License-Identifier: MIT */
#include "json/print.h"

#include "base/utf8.h"
#include "base/vec.h"
#include "json/number.h"
#include "json/rows.h"
#include "plain_text.h"

#include <stdlib.h>
#include <string.h>

struct printer {
	struct buf *out;
	int indent; /* below 0: all on one line, no spaces */
	bool airy;  /* a space after ':' and ',' */
	/* Of the output's length; the rest may be left out. A text is cut to as many bytes: with
	 * its quotes it is longer than the limit, so a brief printer sees that there was more. */
	size_t limit;
	struct {
		const cJSON **items; /* the containers around the next node, outermost first */
		size_t len, cap;
	} path;
	const cJSON *node;       /* that comes next; NULL: none, or the next of items */
	struct json_items items; /* of a lazy array that is being printed */
	size_t base;             /* of the path: that array and its containers; else 0 */
};

/* The number of bytes from s that need no escape. */
static inline size_t
verbatim_length(const char *s, size_t len)
{
	const char *at = s, *end = s + len;

	for (;;) {
		uint32_t cp;
		at = skip_verbatim(at, end);
		size_t used = at < end ? utf8_decode(at, (size_t)(end - at), &cp) : 0;
		if (used < 2)
			return (size_t)(at - s);
		at += used;
	}
}

/* Prints one character that needs an escape; returns its number of bytes. */
static size_t
add_escaped(struct buf *out, const unsigned char *s, size_t len)
{
	/* \b \t \n \f \r have their own letters; the other control characters are \u00xx. */
	static const char letters[] = "uuuuuuuubtnufruu", hex[] = "0123456789abcdef";
	const unsigned char c = *s;

	/* the parser's stand-ins for NUL and for half a surrogate pair; it makes no others */
	if (len >= 2 && c == 0xc0 && s[1] == 0x80) {
		buf_add_str(out, "\\u0000");
		return 2;
	}
	if (len >= 3 && c == 0xed && s[1] >= 0xa0 && s[1] <= 0xbf && (s[2] & 0xc0) == 0x80) {
		buf_addf(out, "\\u%04x", 0xd000u | (s[1] & 0x3fu) << 6 | (s[2] & 0x3fu));
		return 3;
	}
	if (c >= 0x80)
		buf_add_str(out, "\xef\xbf\xbd");
	else if (c >= 0x20)
		buf_add(out, (char[]){ '\\', (char)c }, 2);
	else if (c < sizeof(letters) - 1 && letters[c] != 'u')
		buf_add(out, (char[]){ '\\', letters[c] }, 2);
	else
		buf_add(out, (char[]){ '\\', 'u', '0', '0', hex[c >> 4], hex[c & 15] }, 6);
	return 1;
}

void
json_print_string(struct buf *out, const char *text, size_t len)
{
	size_t used = verbatim_length(text, len);
	char *to = buf_reserve(out, used + 2);

	if (!to)
		return;
	to[0] = '"';
	memcpy(to + 1, text, used);
	buf_commit(out, used + 1);
	while (used < len) {
		used += add_escaped(out, (const unsigned char *)text + used, len - used);
		size_t more = verbatim_length(text + used, len - used);
		buf_add(out, text + used, more);
		used += more;
	}
	buf_add_char(out, '"');
}

static void
break_line(struct printer *p)
{
	if (p->indent < 0)
		return;
	buf_add_char(p->out, '\n');
	for (size_t i = 0; i < p->path.len * (size_t)p->indent; i++)
		buf_add_char(p->out, ' ');
}

static void
print_leaf(struct printer *p, const cJSON *node)
{
	char number[JSON_NUMBER_TEXT_MAX];

	switch (node->type & 0xff) {
	case cJSON_False:
		buf_add(p->out, "false", 5);
		break;
	case cJSON_True:
		buf_add(p->out, "true", 4);
		break;
	case cJSON_Number: {
		const char *text = json_number_text(node, number);
		buf_add(p->out, text, strnlen(text, p->limit));
		break;
	}
	case cJSON_String:
		json_print_string(p->out, node->valuestring, strnlen(node->valuestring, p->limit));
		break;
	case cJSON_Array:
		buf_add(p->out, "[]", 2);
		break;
	case cJSON_Object:
		buf_add(p->out, "{}", 2);
		break;
	default:
		buf_add(p->out, "null", 4);
	}
}

/* The closing brackets that follow a node, and the comma; returns the next node. */
static const cJSON *
print_closing(struct printer *p, const cJSON *node)
{
	while (p->path.len > p->base && !node->next) {
		node = p->path.items[--p->path.len];
		break_line(p);
		buf_add_char(p->out, cJSON_IsObject(node) ? '}' : ']');
	}
	if (p->path.len == p->base)
		return NULL;
	buf_add(p->out, ", ", p->airy ? 2 : 1);
	return node->next;
}

/* ---- the whole ---- */

static void
print_node(struct printer *p)
{
	const cJSON *node = p->node, *child = json_first(node);

	if (p->path.len > p->base)
		break_line(p);
	if (p->path.len > 0 && cJSON_IsObject(p->path.items[p->path.len - 1])) {
		json_print_string(p->out, node->string, strnlen(node->string, p->limit));
		buf_add(p->out, ": ", p->indent >= 0 || p->airy ? 2 : 1);
	}
	if (json_is_lazy(node)) {
		buf_add_char(p->out, '[');
		*VEC_PUSH(&p->path) = node;
		p->base = p->path.len;
		json_items_init(&p->items, node, NULL);
		break_line(p);
		p->node = p->items.item;
	} else if (child) {
		buf_add_char(p->out, cJSON_IsObject(node) ? '{' : '[');
		*VEC_PUSH(&p->path) = node;
		p->node = child;
	} else {
		print_leaf(p, node);
		p->node = print_closing(p, node);
	}
}

/* Bytes between two looks at the job. */
#define BYTES_A_LOOK ((size_t)64 << 10)

/* Stops once the output has at least this many bytes. True: everything was printed. */
static bool
print_until(struct printer *p, const cJSON *node, size_t stop, struct job *job)
{
	size_t look = 0;

	p->node = node;
	while ((p->node || p->items.item) && !p->out->overflowed && p->out->len < p->limit &&
	       p->out->len < stop) {
		if (p->node) {
			print_node(p);
		} else {
			json_items_next(&p->items);
			p->node = p->items.item;
			if (p->node) {
				buf_add(p->out, ", ", p->airy ? 2 : 1);
				break_line(p);
			} else { /* no item of a lazy array has a lazy array in it */
				json_items_finish(&p->items);
				const cJSON *array = p->path.items[--p->path.len];
				p->base = 0;
				break_line(p);
				buf_add_char(p->out, ']');
				p->node = print_closing(p, array);
			}
		}
		if (!job || p->out->len < look)
			continue;
		look = p->out->len + BYTES_A_LOOK;
		if (!job_goes_on(job, p->out->len))
			break;
	}
	bool all = !p->node && !p->items.item;
	json_items_finish(&p->items);
	free(p->path.items);
	return all;
}

bool
json_print_some(struct buf *out, const cJSON *node, int indent, size_t max_bytes, struct job *job)
{
	struct printer p = { .out = out, .indent = indent, .limit = SIZE_MAX };

	return print_until(&p, node, max_bytes, job);
}

void
json_print(struct buf *out, const cJSON *node)
{
	json_print_some(out, node, -1, SIZE_MAX, NULL);
}

char *
json_text(const cJSON *node)
{
	struct buf text = BUF_INIT;

	if (!node)
		return NULL;
	json_print(&text, node);
	return buf_detach(&text);
}

void
json_print_pretty(struct buf *out, const cJSON *node, int indent)
{
	json_print_some(out, node, indent, SIZE_MAX, NULL);
}

void
json_print_brief(struct buf *out, const cJSON *node, size_t max_bytes)
{
	struct buf whole = BUF_INIT;
	struct printer p = { .out = &whole,
		.indent = -1,
		.airy = true,
		.limit = max_bytes < SIZE_MAX ? max_bytes + 1 : SIZE_MAX };

	print_until(&p, node, SIZE_MAX, NULL);
	utf8_add_cut(out, buf_text(&whole), whole.len, max_bytes);
	buf_finish(&whole);
}
