/* SPDX-License-Identifier: MIT */
#include "net/http_proxy.h"

#include "base/mem.h"
#include "base/strings.h"
#include "base/url.h"
#include "net/exchange/exchange.h"
#include "net/fetch.h"
#include "proxy.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

#define WAITING 64 /* connections that were not accepted yet */

union any_address {
	struct sockaddr any;
	struct sockaddr_in v4;
	struct sockaddr_in6 v6;
};

/* ---- an address and a port ---- */

/* Split "HOST:PORT" or "[HOST]:PORT"; without a port *port is -1. False: it is neither. */
static bool
split_address(const char *text, char host[64], int *port)
{
	size_t text_len = strlen(text);
	struct url u;

	url_split(&u, text, text_len);
	bool bracket = u.host.len > 1 && *u.host.at == '[' && u.host.at[u.host.len - 1] == ']';
	size_t len = u.host.len - (bracket ? 2 : 0);
	*port = url_port(&u.port);
	if (u.authority.len != text_len || len == 0 || len >= 64 || (u.port.at && *port < 0))
		return false;
	memcpy(host, u.host.at + bracket, len);
	host[len] = '\0';
	return true;
}

static bool
read_address(const char *host, int port, union any_address *at)
{
	const char *number = strcasecmp(host, "localhost") == 0 ? "127.0.0.1" : host;

	*at = (union any_address){ 0 };
	if (inet_pton(AF_INET, number, &at->v4.sin_addr) == 1) {
		at->v4.sin_family = AF_INET;
		at->v4.sin_port = htons((uint16_t)port);
		return true;
	}
	if (inet_pton(AF_INET6, number, &at->v6.sin6_addr) != 1)
		return false;
	at->v6.sin6_family = AF_INET6;
	at->v6.sin6_port = htons((uint16_t)port);
	return true;
}

/* ---- listening ---- */

bool
proxy_address_listen(struct proxy_address *a, const char *text, struct err *err)
{
	union any_address at;
	socklen_t len = sizeof(at);
	char host[64];
	int port, on = 1;

	bool alone = *text && strspn(text, "0123456789") == strlen(text);
	if (alone) {
		port = url_port(&(struct url_part){ text, strlen(text) });
		snprintf(host, sizeof(host), "127.0.0.1");
	}
	if ((!alone && !split_address(text, host, &port)) || port < 0 ||
	    !read_address(host, port, &at))
		return err_set(err,
		    "--listen: \"%.80s\" is not an address and a port, such as 127.0.0.1:8080; "
		    "port 0 takes a free one",
		    text);
	*a = (struct proxy_address){ .is_local = at.any.sa_family == AF_INET
						     ? ntohl(at.v4.sin_addr.s_addr) >> 24 == 127
						     : IN6_IS_ADDR_LOOPBACK(&at.v6.sin6_addr) };
	a->fd = socket(at.any.sa_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	if (a->fd < 0)
		return err_set(err, "no socket: %s", strerror(errno));
	setsockopt(a->fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	bool ok = bind(a->fd, &at.any,
		      at.any.sa_family == AF_INET ? sizeof(at.v4) : sizeof(at.v6)) == 0 &&
		  listen(a->fd, WAITING) == 0 && getsockname(a->fd, &at.any, &len) == 0;
	if (ok) {
		char number[INET6_ADDRSTRLEN] = "";
		bool v4 = at.any.sa_family == AF_INET;
		inet_ntop(at.any.sa_family, v4 ? (const void *)&at.v4.sin_addr : &at.v6.sin6_addr,
		    number, sizeof(number));
		snprintf(a->text, sizeof(a->text), v4 ? "%s:%d" : "[%s]:%d", number,
		    ntohs(v4 ? at.v4.sin_port : at.v6.sin6_port));
		return true;
	}
	err_set(err, "cannot listen at %.80s: %s", text, strerror(errno));
	close(a->fd);
	return false;
}

/* ---- who asks ---- */

bool
proxy_host_is_ours(const char *text)
{
	union any_address at;
	char host[64];
	int port;

	return split_address(text, host, &port) && read_address(host, 0, &at);
}

bool
proxy_origin_is_ours(const char *origin, const char *our_host)
{
	return is_plain_web_url(origin) && strcasecmp(origin + strlen("http://"), our_host) == 0 &&
	       proxy_host_is_ours(our_host);
}

#define CONNECT_MS 30000
#define HEAD_MS 60000 /* from its first line on */
#define LEAVING_MS 5000
#define LEAVING_STEP_MS 10

struct http_proxy {
	struct loop *loop;
	struct web_listener *listener;
	struct proxy_address address;
	struct http_proxy_events events;
	void *user;
	char *origin, *url;
	struct strings pages; /* origins that may come */
	bool insecure, closing;
	uint64_t count;
	struct trip *leaving;
};

/* A call on its way to the server, and the response. */
struct trip {
	struct proxied told; /* first */
	struct http_proxy *proxy;
	struct web_call *call;
	struct exchange *exchange;
	struct buf headers;
	bool told_end;
	/* after its client has gone */
	char *body; /* of the call */
	struct trip *next;
	struct loop_timer timer;
	int64_t until_ms;
};

/* ---- headers that are not passed on ---- */

/* RFC 9110, 7.6.1. Lengths are said by who sends. */
static const char of_connections[] = "Connection, Keep-Alive, Proxy-Connection, TE, Trailer, "
				     "Transfer-Encoding, Upgrade, Content-Length";
static const char ours[] = "Host, Expect, Accept-Encoding";

static bool
is_named_in(const char *list, const char *name, size_t len)
{
	while (*list) {
		list += strspn(list, ", \t");
		size_t word = strcspn(list, ", \t");
		if (word == len && strncasecmp(list, name, len) == 0)
			return true;
		list += word;
	}
	return false;
}

static char *
joined(const char *headers, const char *name)
{
	struct strings all = { 0 };
	struct buf text = BUF_INIT;
	char *value;

	for (size_t i = 0; (value = header_find(headers, name, i)); i++)
		strings_take(&all, value);
	strings_join(&all, ",", &text);
	strings_finish(&all);
	buf_add_char(&text, '\0');
	return buf_detach(&text);
}

static void
add_headers(struct buf *out, const char *headers, bool request)
{
	char *named = joined(headers, "Connection"); /* more of them */

	for (const char *line = headers; *line;) {
		size_t len = strcspn(line, "\n"), name = strcspn(line, ":\n");
		if (!is_named_in(of_connections, line, name) &&
		    !(request && is_named_in(ours, line, name)) && !is_named_in(named, line, name))
			buf_addf(out, "%.*s\n", (int)len, line);
		line += len + (line[len] == '\n');
	}
	free(named);
}

/* ---- to the server ---- */

static void
end(struct trip *t, const char *trouble)
{
	if (t->told_end)
		return;
	t->told_end = true;
	t->proxy->events.on_end(t->proxy->user, &t->told, trouble);
}

static void
refuse_trip(struct trip *t, const char *trouble)
{
	struct buf text = BUF_INIT;

	buf_addf(&text, "mcpane tap: no response from the server: %s\n", trouble);
	web_respond(t->call, 502, "Content-Type: text/plain; charset=utf-8\n", (int64_t)text.len);
	web_add(t->call, buf_text(&text), text.len);
	web_end(t->call, true);
	buf_finish(&text);
}

static void
on_head(void *user, struct exchange *x)
{
	struct trip *t = user;
	struct exchange_head head = exchange_head(x);
	struct buf headers = BUF_INIT;

	add_headers(&headers, head.headers, false);
	char *value = exchange_header(x, "Content-Length", 0), *coding;
	int64_t length = -1;
	coding = exchange_header(x, "Transfer-Encoding", 0);
	if (value && !coding && *value && strspn(value, "0123456789") == strlen(value) &&
	    strlen(value) < 18)
		length = strtoll(value, NULL, 10);
	free(value);
	free(coding);
	web_respond(t->call, head.status, buf_text(&headers), length);
	t->told.status = head.status;
	t->told.status_text = head.status_text;
	t->told.answer_headers = head.headers;
	t->proxy->events.on_head(t->proxy->user, &t->told);
	buf_finish(&headers);
}

static void
on_body(void *user, const char *bytes, size_t len)
{
	struct trip *t = user;

	if (!web_add(t->call, bytes, len))
		exchange_hold(t->exchange, true);
	t->proxy->events.on_body(t->proxy->user, &t->told, bytes, len);
}

static void
proxy_on_end(void *user, const char *trouble)
{
	struct trip *t = user;

	if (t->told.status)
		web_end(t->call, !trouble);
	else
		refuse_trip(t, trouble);
	end(t, trouble);
}

static const struct exchange_events exchange_events = {
	.on_head = on_head,
	.on_body = on_body,
	.on_end = proxy_on_end,
};

/* A POST always has a body, even an empty one. */
static bool
send_call(struct trip *t, struct err *err)
{
	const struct web_call *c = t->call;
	bool has_body =
	    c->body.len > 0 || strcmp(c->method, "POST") == 0 || strcmp(c->method, "PUT") == 0;
	char *url = mem_printf("%s%s", t->proxy->origin, c->target);
	struct exchange_request request = {
		.method = c->method,
		.url = url,
		.body = has_body ? buf_text(&c->body) : NULL,
		.body_len = c->body.len,
		.insecure = t->proxy->insecure,
		.as_is = true,
		.connect_ms = CONNECT_MS,
		.head_ms = HEAD_MS,
	};

	t->exchange = exchange_create(t->proxy->loop, &request, &exchange_events, t, err);
	free(url);
	if (!t->exchange)
		return false;
	for (const char *line = buf_text(&t->headers); *line;) {
		size_t len = strcspn(line, "\n");
		exchange_add_line(t->exchange, line, len);
		line += len + (line[len] == '\n');
	}
	exchange_add_header(t->exchange, "Accept-Encoding", "identity");
	exchange_start(t->exchange);
	return true;
}

/* ---- from clients ---- */

/* A GET of an image or a link has no Origin, but a browser says in Sec-Fetch-Site whether another
 * page is behind it. A page that the user allowed is another site to the browser. */
static bool
check_page(const struct http_proxy *p, const struct web_call *c, const char *host, struct err *why)
{
	char *first = header_find(buf_text(&c->headers), "Origin", 0);
	char *origin = joined(buf_text(&c->headers), "Origin");
	char *site = joined(buf_text(&c->headers), "Sec-Fetch-Site");
	bool ok = true;

	if (first && strings_have(&p->pages, origin))
		ok = true;
	else if (first && !proxy_origin_is_ours(origin, host))
		ok = err_set(why,
		    "refused: a request from a page of another site, Origin \"%.100s\"; "
		    "--allow-origin allows one",
		    origin);
	else if (*site && strcmp(site, "same-origin") != 0 && strcmp(site, "none") != 0)
		ok = err_set(why,
		    "refused: a request from a page of another site, Sec-Fetch-Site \"%.40s\"",
		    site);
	free(first);
	free(origin);
	free(site);
	return ok;
}

static int
check(void *user, const struct web_call *c, struct err *why)
{
	const struct http_proxy *p = user;
	char *host = joined(buf_text(&c->headers), "Host"); /* a second one makes it no name */
	char *length = header_find(buf_text(&c->headers), "Content-Length", 0);
	bool too_long = length && strtoull(length, NULL, 10) > HTTP_PROXY_MAX_BODY;
	int status = 0;

	if (!proxy_host_is_ours(host)) {
		status = 403;
		err_set(why,
		    "refused: a request for the host \"%.80s\", which is not the name of this "
		    "machine: a page of that site may have sent it (DNS rebinding)",
		    host);
	} else if (!check_page(p, c, host, why)) {
		status = 403;
	} else if (*c->target != '/') {
		status = 400;
		err_set(why, "refused: \"%.60s\" is not a path", c->target);
	} else if (too_long) {
		status = 413;
		err_set(why, "refused: a body of %.20s bytes is too long", length);
	}
	free(length);
	free(host);
	if (status)
		p->events.on_refused(p->user, why->text);
	return status;
}

static void
on_call(void *user, struct web_call *c)
{
	struct http_proxy *p = user;
	struct trip *t = mem_zalloc(sizeof(*t));
	struct err err = { "" };

	t->proxy = p;
	t->call = c;
	c->thing = t;
	add_headers(&t->headers, buf_text(&c->headers), true);
	t->told = (struct proxied){ .number = ++p->count,
		.method = c->method,
		.target = c->target,
		.headers = buf_text(&t->headers),
		.body = buf_text(&c->body),
		.body_len = c->body.len };
	bool ok = send_call(t, &err);
	p->events.on_request(p->user, &t->told);
	if (ok)
		return;
	refuse_trip(t, err.text);
	end(t, err.text);
}

static void
on_room(void *user, struct web_call *c)
{
	const struct trip *t = c->thing;

	exchange_hold(t->exchange, false);
}

static void
destroy_trip(struct trip *t)
{
	for (struct trip **at = &t->proxy->leaving; *at; at = &(*at)->next) {
		if (*at == t) {
			*at = t->next;
			break;
		}
	}
	loop_timer_cancel(&t->timer);
	exchange_destroy(t->exchange);
	free(t->body);
	buf_finish(&t->headers);
	free(t);
}

static bool
is_sent(const struct trip *t)
{
	return !t->exchange || *exchange_head(t->exchange).sent;
}

static void
on_leaving(void *user)
{
	struct trip *t = user;
	int64_t now_ms = loop_now_ms(t->proxy->loop);

	if (is_sent(t) || now_ms >= t->until_ms)
		destroy_trip(t);
	else
		loop_timer_set(t->proxy->loop, &t->timer, now_ms + LEAVING_STEP_MS);
}

static void
on_done(void *user, struct web_call *c)
{
	struct trip *t = c->thing;

	if (!t)
		return;
	bool over = t->told_end;
	t->told.client_gone = !t->told_end && !t->proxy->closing;
	end(t, t->proxy->closing ? "the tap has ended" : "the client has gone");
	if (over || t->proxy->closing || is_sent(t)) {
		destroy_trip(t);
		return;
	}
	/* Some clients send a DELETE and leave: without us the server would still get it. */
	exchange_hold(t->exchange, true); /* no more events */
	t->body = buf_detach(&t->call->body);
	t->call = NULL;
	t->next = t->proxy->leaving;
	t->proxy->leaving = t;
	t->until_ms = loop_now_ms(t->proxy->loop) + LEAVING_MS;
	t->timer = (struct loop_timer){ .fn = on_leaving, .user = t };
	on_leaving(t);
}

static const struct web_events web_events = {
	.check = check,
	.on_call = on_call,
	.on_room = on_room,
	.on_done = on_done,
};

/* ---- the proxy ---- */

static bool
proxy_start(struct http_proxy *p, const struct http_proxy_options *options, struct err *err)
{
	const struct curl_api *api = curl_api_of(p->loop, err);

	if (!api || !url_check(api, options->url, err) ||
	    !proxy_address_listen(&p->address, options->listen, err))
		return false;
	/* The path and the query of the server's URL lead to it here too. */
	struct url u;
	url_split(&u, options->url, strlen(options->url));
	p->origin = mem_strndup(options->url, (size_t)(u.path.at - options->url));
	p->url = mem_printf("http://%s%s%.*s", p->address.text, u.path.len ? "" : "/",
	    (int)strcspn(u.path.at, "#"), u.path.at);
	p->listener = web_listen(p->loop, p->address.fd, HTTP_PROXY_MAX_BODY, &web_events, p, err);
	return p->listener != NULL;
}

struct http_proxy *
http_proxy_create(struct loop *loop, const struct http_proxy_options *options,
    const struct http_proxy_events *events, void *user, struct err *err)
{
	struct http_proxy *p = mem_zalloc(sizeof(*p));

	*p = (struct http_proxy){ .loop = loop, .events = *events, .user = user };
	p->insecure = options->insecure;
	for (size_t i = 0; i < options->origin_count; i++)
		strings_add(&p->pages, options->origins[i]);
	if (proxy_start(p, options, err))
		return p;
	http_proxy_destroy(p);
	return NULL;
}

void
http_proxy_destroy(struct http_proxy *p)
{
	if (!p)
		return;
	p->closing = true;
	web_close(p->listener);
	while (p->leaving)
		destroy_trip(p->leaving);
	strings_finish(&p->pages);
	free(p->origin);
	free(p->url);
	free(p);
}

struct http_proxy_view
http_proxy_view(const struct http_proxy *p)
{
	return (struct http_proxy_view){ .url = p->url, .is_local = p->address.is_local };
}
