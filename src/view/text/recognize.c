/* SPDX-License-Identifier: MIT */
#include "view/meant.h"

#include "base/ascii.h"
#include "json/print.h"
#include "data/text_data.h"

#include <string.h>
#include <strings.h>

/* ---- is it Markdown? ---- */

/* Comments in settings and scripts look like headings, and their items like lists. So each kind of
 * mark counts once, and only marks that other languages lack are decisive. */
struct text_marks {
	bool heading, list, quote, code, bold, link; /* seen */
	int fences, tables;
	bool fenced;
	bool blank_before, row_before; /* the line before is blank, or has a | */
	bool title_before;             /* it is a heading of level 1 if a blank line follows */
};

static size_t
count(const char *s, size_t len, char c)
{
	size_t n = 0;

	while (n < len && s[n] == c)
		n++;
	return n;
}

static bool
is_item(const char *s, size_t len)
{
	size_t digits = 0;

	if (len > 2 && strchr("-*+", s[0]) && s[1] == ' ' && s[2] != ' ')
		return true;
	while (digits < len && digits < 3 && ascii_is_digit(s[digits]))
		digits++;
	return digits > 0 && digits + 2 < len && s[digits] == '.' && s[digits + 1] == ' ';
}

/* Return whether it is a rule, "|---|:---:|" or "--- | ---". md4c needs three dashes. */
static bool
is_table_rule(const char *s, size_t len)
{
	bool dash = false, bar = false;

	for (size_t i = 0; i < len; i++) {
		if (!strchr("-:| ", s[i]) || !s[i])
			return false;
		dash = dash || (len - i >= 3 && memcmp(s + i, "---", 3) == 0);
		bar = bar || s[i] == '|';
	}
	return dash && bar;
}

/* Return whether it has `**word**`, but neither `f(**a, **b)` nor a glob. */
static bool
has_bold(const char *s, size_t len)
{
	bool open = false;

	for (size_t i = 0; i + 2 < len; i++) {
		if (s[i] != '*' || s[i + 1] != '*')
			continue;
		bool before = i > 0 && s[i - 1] != ' ' && s[i - 1] != '(' && s[i - 1] != '/';
		unsigned char after = (unsigned char)s[i + 2];
		if (open && before)
			return true;
		open = (i == 0 || s[i - 1] == ' ' || s[i - 1] == '(') &&
		       (ascii_is_alnum((char)after) || after >= 0x80 || after == '`');
		i++;
	}
	return open && len > 2 && memcmp(s + len - 2, "**", 2) == 0 && s[len - 3] != ' ';
}

/* Return whether it has "[text](target)" with the target of a link. */
static bool
has_link(const char *s, size_t len)
{
	bool open = false, target = false; /* seen "[", and in the target a character of a link */
	size_t from = 0;                   /* the start of the target; 0: outside */

	for (size_t i = 0; i < len; i++) {
		if (open && s[i] == ']' && i + 1 < len && s[i + 1] == '(') {
			target = (from > 0 && target) || (i + 2 < len && s[i + 2] == '#');
			from = ++i + 1;
		} else if (from > 0 && s[i] == ')') {
			if (target)
				return true;
			from = 0;
		}
		open = open || s[i] == '[';
		target = target || s[i] == '/' || s[i] == ':';
	}
	return false;
}

static void
look_at_line(struct text_marks *m, const char *line, size_t len)
{
	size_t indent = count(line, len, ' ');
	const char *s = line + indent;
	size_t n = len - indent;
	bool title = false;

	m->heading = m->heading || (m->title_before && n == 0);
	if (indent < 4 && n >= 3 && memcmp(s, "```", 3) == 0) {
		m->fences++;
		m->fenced = !m->fenced;
	} else if (!m->fenced && n > 0) {
		size_t level = count(s, n, '#'); /* of "## Title"; level 1 may be a comment */
		bool is_heading = indent == 0 && m->blank_before && level <= 6 && level + 1 < n &&
				  s[level] == ' ' && s[level + 1] != ' ' && !memchr(s, '=', n);
		m->heading = m->heading || (is_heading && level > 1);
		title = is_heading && level == 1;
		m->list = m->list || is_item(s, n);
		m->quote = m->quote || (indent == 0 && n > 2 && s[0] == '>' && s[1] == ' ');
		m->code = m->code || memchr(s, '`', n);
		m->bold = m->bold || has_bold(s, n);
		m->link = m->link || has_link(s, n);
		m->tables += m->row_before && is_table_rule(s, n);
	}
	m->title_before = title;
	m->blank_before = n == 0;
	m->row_before = n > 0 && memchr(s, '|', n);
}

bool
text_is_markdown(const char *text, size_t len)
{
	struct text_marks m = { .blank_before = true };

	if (len == 0 || text[0] == '{' || text[0] == '<' || memchr(text, '\0', len) ||
	    memchr(text, '\033', len) || (len > 1 && memcmp(text, "#!", 2) == 0))
		return false;
	for (size_t at = 0; at < len;) {
		const char *newline = memchr(text + at, '\n', len - at);
		size_t end = newline ? (size_t)(newline - text) : len;
		size_t cut = end > at && text[end - 1] == '\r' ? end - 1 : end;
		look_at_line(&m, text + at, cut - at);
		at = end + 1;
	}
	if (m.fences >= 2 || m.tables > 0)
		return true;
	if (m.bold || m.link)
		return m.heading || m.list || m.quote || m.code || (m.bold && m.link);
	return m.heading && (m.list || m.quote || m.code);
}

/* ---- all languages ---- */

#define JSON_MAX ((size_t)256 << 10) /* a longer text is not formatted as JSON */
#define LOOK_TEXT ((size_t)16 << 10) /* bytes read to recognize a text */

const struct meant_look meant_looks[MEANT_KINDS] = {
	[MEANT_ANSI] = { "ANSI", NULL, ansi_lay_out, text_is_ansi, ansi_may_hide },
	[MEANT_HTML] = { "HTML", "text/html", html_lay_out, text_is_html, NULL },
	[MEANT_MARKDOWN] = { "Markdown", "text/markdown", markdown_lay_out, text_is_markdown,
	    NULL },
	[MEANT_JSON] = { "JSON", NULL, NULL, NULL, NULL },
};

/* Compare media types, ignoring parameters and case. */
static bool
is_type(const char *given, const char *mime)
{
	size_t len = strlen(mime);

	return strncasecmp(given, mime, len) == 0 && (!given[len] || given[len] == ';');
}

enum meant_kind
meant_kind_of(const char *mime, const char *text, size_t len)
{
	len = len < LOOK_TEXT ? len : LOOK_TEXT;
	for (enum meant_kind kind = MEANT_PLAIN; kind < MEANT_KINDS; kind++) {
		const struct meant_look *look = &meant_looks[kind];
		bool by_type = mime && look->mime && !is_type(mime, "text/plain");
		if (look->recognize &&
		    (by_type ? is_type(mime, look->mime) : look->recognize(text, len)))
			return kind;
	}
	return MEANT_PLAIN;
}

bool
meant_format_json(const char *text, size_t len, struct buf *out)
{
	struct json_doc *doc = NULL;

	if (len <= JSON_MAX && text_data_begins_json(text, len))
		doc = json_parse(text, len, NULL, NULL);
	if (doc)
		json_print_pretty(out, json_root(doc), 2);
	json_doc_destroy(doc);
	return doc != NULL;
}
