#include "proxy_address.h"

#include "base/url_text.h"

#include <arpa/inet.h>
#include <ctype.h>
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

/* Cuts "HOST:PORT" or "[HOST]:PORT", whose port may be missing: -1. False: it is neither. */
static bool
cut(const char *text, char host[64], long *port)
{
	bool bracket = *text == '[';
	const char *from = text + bracket, *end = strchr(from, bracket ? ']' : ':');
	size_t len = end ? (size_t)(end - from) : strlen(from);
	char *rest;

	*port = -1;
	if (len == 0 || len >= 64 || (bracket && !end))
		return false;
	memcpy(host, from, len);
	host[len] = '\0';
	end = from + len + bracket;
	if (*end == '\0')
		return true;
	*port = isdigit((unsigned char)end[1]) ? strtol(end + 1, &rest, 10) : -1;
	return *end == ':' && *port >= 0 && *port <= 65535 && *rest == '\0';
}

static bool
read_address(const char *host, long port, union any_address *at)
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

static bool
is_loopback(const union any_address *at)
{
	if (at->any.sa_family == AF_INET)
		return ntohl(at->v4.sin_addr.s_addr) >> 24 == 127;
	return IN6_IS_ADDR_LOOPBACK(&at->v6.sin6_addr);
}

/* ---- listening ---- */

static void
name_it(struct proxy_address *a, const union any_address *at)
{
	char number[INET6_ADDRSTRLEN] = "";
	bool v4 = at->any.sa_family == AF_INET;

	inet_ntop(at->any.sa_family, v4 ? (const void *)&at->v4.sin_addr : &at->v6.sin6_addr,
	    number, sizeof(number));
	snprintf(a->text, sizeof(a->text), v4 ? "%s:%d" : "[%s]:%d", number,
	    ntohs(v4 ? at->v4.sin_port : at->v6.sin6_port));
}

bool
proxy_address_listen(struct proxy_address *a, const char *text, struct err *err)
{
	union any_address at;
	socklen_t len = sizeof(at);
	char host[64];
	long port;
	int on = 1;

	bool alone = *text && strspn(text, "0123456789") == strlen(text);
	if (alone) {
		port = strlen(text) < 6 ? strtol(text, NULL, 10) : -1;
		snprintf(host, sizeof(host), "127.0.0.1");
	}
	if ((!alone && !cut(text, host, &port)) || port < 0 || port > 65535 ||
	    !read_address(host, port, &at))
		return err_set(err,
		    "--listen: \"%.80s\" is not an address and a port, such as 127.0.0.1:8080; "
		    "port 0 takes a free one",
		    text);
	*a = (struct proxy_address){ .is_local = is_loopback(&at) };
	a->fd = socket(at.any.sa_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	if (a->fd < 0)
		return err_set(err, "no socket: %s", strerror(errno));
	setsockopt(a->fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	bool ok = bind(a->fd, &at.any,
		      at.any.sa_family == AF_INET ? sizeof(at.v4) : sizeof(at.v6)) == 0 &&
		  listen(a->fd, WAITING) == 0 && getsockname(a->fd, &at.any, &len) == 0;
	if (ok) {
		name_it(a, &at);
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
	long port;

	return cut(text, host, &port) && read_address(host, 0, &at);
}

bool
proxy_origin_is_ours(const char *origin, const char *our_host)
{
	return is_plain_web_url(origin) && strcasecmp(origin + strlen("http://"), our_host) == 0 &&
	       proxy_host_is_ours(our_host);
}
