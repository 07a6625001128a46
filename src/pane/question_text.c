#include "questions_priv.h"

#include "base/glyph.h"
#include "model/answers.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Of one paragraph: more is said to be there. */
#define PARAGRAPH_MAX ((size_t)65536)

void
flow_add(struct flow *f, enum role role, int indent, const char *text, size_t len)
{
	int width = f->s.width - indent;
	size_t shown = len < PARAGRAPH_MAX ? len : PARAGRAPH_MAX;

	wrap_set(f->wrap, text, shown, width);
	wrap_work(f->wrap, SIZE_MAX, shown + 1);
	size_t rows = wrap_rows(f->wrap), above = f->row < f->top ? f->top - f->row : 0;
	size_t y = f->row > f->top ? f->row - f->top : 0;
	if (above < rows && y < (size_t)f->s.height)
		wrap_draw(f->wrap, surface_sub(f->s, indent, (int)y, width, f->s.height - (int)y),
		    style_of(role), above);
	f->row += rows;
	if (shown < len)
		flow_addf(f, ROLE_HINT, indent, "… and %zu bytes more: the journal has them",
		    len - shown);
}

void
flow_addf(struct flow *f, enum role role, int indent, const char *format, ...)
{
	struct buf text = BUF_INIT;
	char line[512];
	va_list args;

	va_start(args, format);
	vsnprintf(line, sizeof(line), format, args);
	va_end(args);
	buf_add_str(&text, line);
	flow_add(f, role, indent, buf_text(&text), text.len);
	buf_finish(&text);
}

/* ---- a URL to be visited ---- */

/* The host stands out, over as many rows as it takes. */
static void
mark_host(struct flow *f, const char *url, const struct link *l, size_t first)
{
	struct wrap_row row;

	/* what was wrapped last may have been another text, gone by now */
	wrap_set(f->wrap, url, strnlen(url, PARAGRAPH_MAX), f->s.width - URL_INDENT);
	for (size_t i = 0; wrap_row_at(f->wrap, i, &row); i++) {
		size_t start = l->host > row.start ? l->host : row.start;
		size_t end = l->host + l->host_len < row.end ? l->host + l->host_len : row.end;
		if (start >= end || first + i < f->top)
			continue;
		int x = (int)glyph_columns(url + row.start, start - row.start);
		int width = (int)glyph_columns(url + start, end - start);
		surface_restyle(f->s, URL_INDENT + x, (int)(first + i - f->top), width,
		    ROLE_SELECTION, ATTR_BOLD);
	}
}

static void
draw_state(const struct question *q, struct flow *f)
{
	if (q->completed)
		flow_addf(f, ROLE_OK, 0, "The server says that it is done.");
	else if (q->opened)
		flow_addf(f, ROLE_OK, 0,
		    q->sends_again ? "Opened. When it is done there, F5 sends the call again."
				   : "Opened.");
	else if (q->link.openable)
		flow_addf(f, ROLE_HINT, 0,
		    "Nothing was fetched. It opens in your browser only when you say so.");
}

/* What is to be known of it comes first: the URL itself may be longer than the screen. */
void
question_draw_url(const struct question *q, struct flow *f)
{
	const char *url = q->elicitation.url;
	const struct link *l = &q->link;

	flow_addf(f, ROLE_DIM, 0, "The server wants you to visit:");
	flow_addf(f, ROLE_DIM, 0, " ");
	if (l->host_len > 0)
		flow_addf(f, ROLE_TEXT, 0, "Host: %.*s",
		    (int)(l->host_len < 300 ? l->host_len : 300), url + l->host);
	for (size_t i = 0; i < l->warning_count; i++)
		flow_addf(f, ROLE_WARNING, 0, "! %s", l->warnings[i]);
	if (!l->openable)
		flow_addf(f, ROLE_ERROR, 0, "✗ it is not opened from here: %s", l->refusal);
	if (!q->opened && !q->completed)
		draw_state(q, f);
	flow_addf(f, ROLE_DIM, 0, " ");
	size_t first = f->row;
	flow_add(f, ROLE_TITLE, URL_INDENT, url, strlen(url));
	mark_host(f, url, l, first);
	if (!q->opened && !q->completed)
		return;
	flow_addf(f, ROLE_DIM, 0, " ");
	draw_state(q, f);
}

/* ---- roots ---- */

void
question_draw_roots(struct questions *p, const struct server *s, struct flow *f, bool focused)
{
	const struct roots *roots = server_roots(s);

	flow_addf(f, ROLE_DIM, 0,
	    roots->len ? "Folders the server is told of, now and whenever it asks again:"
		       : "No folders yet: Tell answers with an empty list, Add adds a folder.");
	flow_addf(f, ROLE_DIM, 0, " ");
	if (p->root >= roots->len)
		p->root = roots->len ? roots->len - 1 : 0;
	for (size_t i = 0; i < roots->len; i++) {
		size_t row = f->row;
		flow_add(f, ROLE_TITLE, 2, roots->items[i], strlen(roots->items[i]));
		if (i == p->root && row >= f->top && row - f->top < (size_t)f->s.height)
			surface_select_row(f->s, (int)(row - f->top), focused);
	}
	if (roots->len > 0)
		flow_addf(f, ROLE_HINT, 0, " \n:root add PATH and :root remove PATH change them.");
}
