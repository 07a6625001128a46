#include "post.h"

#include "base/mem.h"
#include "base/secret.h"
#include "base/vec.h"
#include "net/fetch.h"
#include "mcp/message.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

void
headers_take(struct headers *to, char *name, char *value)
{
	*VEC_PUSH(to) = (struct header){ .name = name, .value = value };
}

void
headers_finish(struct headers *headers)
{
	for (size_t i = 0; i < headers->len; i++) {
		free(headers->items[i].name);
		free(headers->items[i].value);
	}
	free(headers->items);
}

static void
add(struct post *p, const char *prefix, const char *name, const char *value)
{
	headers_take(&p->headers, mem_printf("%s%s", prefix, name), mem_strdup(value));
}

/* 2026-07-28/basic/transports/streamable-http.mdx, "Standard Request Headers". */
void
post_take_headers(struct post *p, const struct outbound *m)
{
	struct buf name = BUF_INIT;

	if (m->version)
		add(p, "", "MCP-Protocol-Version", m->version);
	if (!m->modern)
		return;
	if (m->method && (m->kind == MESSAGE_REQUEST || m->kind == MESSAGE_NOTIFICATION))
		add(p, "", "Mcp-Method", m->method);
	if (m->name) {
		header_value_add(&name, m->name);
		add(p, "", "Mcp-Name", buf_text(&name));
		buf_finish(&name);
	}
	for (size_t i = 0; i < m->param_count; i++)
		if (m->params[i].value)
			add(p, "Mcp-Param-", m->params[i].name, m->params[i].value);
}

/* The user's headers replace ours. */
static bool
is_users(const struct http *h, const char *name)
{
	for (size_t i = 0; i < h->headers.len; i++)
		if (strcasecmp(h->headers.items[i].name, name) == 0)
			return true;
	return false;
}

static void
add_own(struct http *h, struct exchange *x, const char *name, const char *value)
{
	if (!is_users(h, name) && !exchange_add_header(x, name, value))
		http_note(h, "left out a header that cannot be sent: %s", name);
}

static void
add_users(struct http *h, struct exchange *x, const char *token)
{
	for (size_t i = 0; i < h->headers.len; i++) {
		const struct header *header = &h->headers.items[i];
		if (!token || strcasecmp(header->name, "Authorization") != 0)
			exchange_add_header(x, header->name, header->value);
	}
	if (!token)
		return;
	char *bearer = mem_printf("Bearer %s", token);
	exchange_add_header(x, "Authorization", bearer);
	free(bearer);
}

static void
add_headers(struct http *h, struct exchange *x, const struct post *p, const char *accept)
{
	const char *token = h->auth.token ? h->auth.token(h->auth.user) : NULL;

	add_own(h, x, "Accept", accept);
	if (p)
		add_own(h, x, "Content-Type", "application/json");
	for (size_t i = 0; p && i < p->headers.len; i++)
		add_own(h, x, p->headers.items[i].name, p->headers.items[i].value);
	if (!p && h->version)
		add_own(h, x, "MCP-Protocol-Version", h->version);
	if (h->session && !(p && (p->modern || p->starts_session)))
		add_own(h, x, "Mcp-Session-Id", h->session);
	add_users(h, x, token);
}

struct exchange *
http_open(struct http *h, const struct opening *o, struct err *err)
{
	struct exchange_request request = {
		.method = o->method,
		.url = o->url,
		.body = o->message ? o->message->line : NULL,
		.body_len = o->message ? o->message->len : 0,
		.insecure = h->insecure,
		.connect_ms = o->total_ms ? o->total_ms : h->connect_ms,
		.head_ms = o->total_ms ? o->total_ms : HTTP_HEAD_MS,
		.first_byte_ms = o->first_byte_ms,
		.total_ms = o->total_ms,
	};
	struct exchange *x = exchange_create(h->loop, &request, o->events, o->user, err);

	if (!x)
		return NULL;
	add_headers(h, x, o->message, o->accept);
	if (o->last_event && o->last_event[0])
		exchange_add_header(x, "Last-Event-ID", o->last_event);
	exchange_hold(x, h->held);
	return x;
}

/* ---- heads in the journal ---- */

/* Only the name of a header that the user gave: its value may come from the environment. */
static bool
add_name(struct buf *out, const void *http, const char *line, size_t len)
{
	const struct http *h = http;
	char *name = mem_strndup(line, len);

	name[strcspn(name, ":")] = '\0';
	bool users = is_users(h, name);
	if (users)
		buf_addf(out, "%s: " SECRET_HIDDEN, name);
	free(name);
	return users;
}

void
http_note_heads(struct http *h, const struct exchange *x, uint64_t id, const char *format, ...)
{
	struct buf text = BUF_INIT;
	char line[400];

	FORMAT_INTO(line, format);
	for (char *p = line; *p; p++)
		*p = (unsigned char)*p < ' ' ? ' ' : *p;
	buf_add_str(&text, line);
	header_lines_add(&text, "> ", exchange_head(x).sent, add_name, h);
	if (exchange_head(x).status > 0)
		header_lines_add(&text, "< HTTP ", exchange_head(x).status_text, NULL, NULL);
	header_lines_add(&text, "< ", exchange_head(x).headers, NULL, NULL);
	http_note_text(h, buf_text(&text), id);
	buf_finish(&text);
}

/* "The session ID MUST only contain visible ASCII characters (ranging from 0x21 to 0x7E)." */
bool
http_is_session_id(const char *id)
{
	size_t len = strlen(id);

	for (size_t i = 0; i < len; i++)
		if (id[i] < 0x21 || id[i] > 0x7e)
			return false;
	return len > 0 && len <= HTTP_MAX_SESSION_ID;
}
