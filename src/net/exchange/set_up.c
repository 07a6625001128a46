#include "curl.h"

#include "base/url_text.h"
#include "base/vec.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#define SET(x, option, value) (x)->cl->api.easy_setopt((x)->easy, (option), (value))

/* ---- callbacks of libcurl ---- */

/* Each status line begins a new head: after those of 1xx comes the final one. */
static void
begin_head(struct exchange *x, const char *line, size_t len)
{
	const char *space = memchr(line, ' ', len);
	size_t skip = space ? (size_t)(space + 1 - line) : len;

	buf_clear(&x->head);
	x->first_line_ms = loop_now_ms(x->cl->loop);
	x->status = len - skip >= 3 ? (int)strtol(line + skip, NULL, 10) : 0;
	snprintf(x->status_text, sizeof(x->status_text), "%.*s", (int)(len - skip), line + skip);
}

/* After the head of a 1xx, the wait for the first line starts over. */
static void
end_head(struct exchange *x)
{
	char *encoding = exchange_header(x, "Content-Encoding", 0);

	x->packed = encoding && !x->as_is;
	free(encoding);
	x->has_head = x->status >= 200;
	x->last_ms = loop_now_ms(x->cl->loop);
	if (x->has_head)
		curl_loop_ready(x->cl, x);
	else
		x->first_line_ms = 0;
	exchange_set_timer(x);
}

/* libcurl adds headers of its own; only this callback sees what was sent. */
static int
on_debug(CURL *easy, curl_infotype type, char *bytes, size_t len, void *user)
{
	struct exchange *x = user;

	if (type == CURLINFO_HEADER_OUT)
		buf_add(&x->sent, bytes, len);
	return 0;
}

static size_t
on_header(char *bytes, size_t size, size_t count, void *user)
{
	struct exchange *x = user;
	size_t all = size * count, len = all;

	while (len > 0 && (bytes[len - 1] == '\n' || bytes[len - 1] == '\r'))
		len--;
	x->head_bytes += all;
	if (x->has_head) /* trailers are ignored */
		return all;
	if (x->head_bytes > EXCHANGE_MAX_HEADS) {
		x->stop = STOP_BIG_HEAD;
		return 0;
	}
	if (len >= 5 && memcmp(bytes, "HTTP/", 5) == 0) {
		begin_head(x, bytes, len);
		exchange_set_timer(x);
		return all;
	}
	if (len == 0) {
		end_head(x);
		return all;
	}
	buf_add(&x->head, bytes, len);
	buf_add_char(&x->head, '\n');
	if (!x->head.overflowed)
		return all;
	x->stop = STOP_BIG_HEAD;
	return 0;
}

static bool
has_room(const struct exchange *x, size_t len)
{
	if (x->packed)
		return x->inbox.len + len <= EXCHANGE_UNPACKED;
	return !x->held && (x->inbox.len == 0 || x->inbox.len + len <= EXCHANGE_INBOX);
}

static size_t
on_write(char *bytes, size_t size, size_t count, void *user)
{
	struct exchange *x = user;
	size_t len = size * count;

	if (!x->has_head) {
		x->first_len = len < sizeof(x->first) ? len : sizeof(x->first);
		memcpy(x->first, bytes, x->first_len);
		return 0;
	}
	if (!has_room(x, len)) {
		x->stop = x->packed && !x->held ? STOP_BOMB : STOP_NONE;
		x->paused = x->stop == STOP_NONE;
		return x->paused ? CURL_WRITEFUNC_PAUSE : 0;
	}
	buf_add(&x->inbox, bytes, len);
	x->received += len;
	x->last_ms = loop_now_ms(x->cl->loop);
	curl_loop_ready(x->cl, x);
	return len;
}

/* If a kept connection turns out to be dead, libcurl sends the message again. Allow that only if
 * nothing of it was sent before, because it may have arrived. */
static int
before_sending(void *user, char *to, char *from, int to_port, int from_port)
{
	struct exchange *x = user;
	long head = 0;

	x->cl->api.easy_getinfo(x->easy, CURLINFO_REQUEST_SIZE, &head);
	if (head == 0)
		return CURL_PREREQFUNC_OK;
	x->stop = STOP_AGAIN;
	return CURL_PREREQFUNC_ABORT;
}

static int
on_dial(void *user, curl_socket_t socket, curlsocktype purpose)
{
	struct exchange *x = user;

	x->dialled = true;
	return CURL_SOCKOPT_OK;
}

/* ---- private addresses ---- */

static bool
is_private_v4(uint32_t a)
{
	static const struct {
		uint32_t net, mask;
	} nets[] = {
		{ 0x00000000, 0xff000000 },                             /* this network */
		{ 0x0a000000, 0xff000000 }, { 0x64400000, 0xffc00000 }, /* carrier-grade NAT */
		{ 0x7f000000, 0xff000000 }, { 0xa9fe0000, 0xffff0000 }, /* link-local */
		{ 0xac100000, 0xfff00000 }, { 0xc0a80000, 0xffff0000 },
		{ 0xe0000000, 0xe0000000 }, /* multicast and reserved */
	};

	for (size_t i = 0; i < ARRAY_LEN(nets); i++)
		if ((a & nets[i].mask) == nets[i].net)
			return true;
	return false;
}

static bool
is_private_v6(const struct in6_addr *a)
{
	uint32_t low;

	memcpy(&low, &a->s6_addr[12], sizeof(low));
	if (IN6_IS_ADDR_V4MAPPED(a))
		return is_private_v4(ntohl(low));
	return IN6_IS_ADDR_LOOPBACK(a) || IN6_IS_ADDR_UNSPECIFIED(a) || IN6_IS_ADDR_LINKLOCAL(a) ||
	       IN6_IS_ADDR_MULTICAST(a) || (a->s6_addr[0] & 0xfe) == 0xfc;
}

static curl_socket_t
open_public(void *user, curlsocktype purpose, struct curl_sockaddr *to)
{
	struct exchange *x = user;
	struct sockaddr_in v4;
	struct sockaddr_in6 v6;
	bool private = false;

	if (to->family == AF_INET) {
		memcpy(&v4, &to->addr, sizeof(v4));
		private = is_private_v4(ntohl(v4.sin_addr.s_addr));
	} else if (to->family == AF_INET6) {
		memcpy(&v6, &to->addr, sizeof(v6));
		private = is_private_v6(&v6.sin6_addr);
	}
	if (!private)
		return socket(to->family, to->socktype | SOCK_CLOEXEC, to->protocol);
	x->stop = STOP_PRIVATE;
	return CURL_SOCKET_BAD;
}

/* ---- options ---- */

static void
set_body(struct exchange *x, const struct exchange_request *request)
{
	if (request->body) {
		SET(x, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)request->body_len);
		SET(x, CURLOPT_POSTFIELDS, request->body);
		SET(x, CURLOPT_PREREQFUNCTION, before_sending);
		SET(x, CURLOPT_PREREQDATA, x);
		x->headers = x->cl->api.slist_append(x->headers, "Expect:"); /* none */
	}
	SET(x, CURLOPT_CUSTOMREQUEST, request->method);
	if (strcmp(request->method, "HEAD") == 0)
		SET(x, CURLOPT_NOBODY, 1L);
}

static void
set_trust(struct exchange *x, bool insecure)
{
	const char *file = getenv("SSL_CERT_FILE"), *folder = getenv("SSL_CERT_DIR");

	SET(x, CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2); /* or later */
	SET(x, CURLOPT_SSL_VERIFYPEER, insecure ? 0L : 1L);
	SET(x, CURLOPT_SSL_VERIFYHOST, insecure ? 0L : 2L);
	if (file && *file)
		SET(x, CURLOPT_CAINFO, file);
	if (folder && *folder)
		SET(x, CURLOPT_CAPATH, folder);
}

/* Never asks for compression, because proxies buffer compressed streams; but decompresses what
 * comes. */
static void
set_encoding(struct exchange *x)
{
	if (x->as_is) {
		SET(x, CURLOPT_HTTP_CONTENT_DECODING, 0L);
		return;
	}
	SET(x, CURLOPT_ACCEPT_ENCODING, "");
	x->headers = x->cl->api.slist_append(x->headers, "Accept-Encoding:"); /* none */
}

/* Node servers close a connection after 5 s of silence, and a message sent at that moment is lost.
 */
#define KEPT_S 4L

static void
set_protocol(struct exchange *x)
{
	SET(x, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
	SET(x, CURLOPT_HTTP09_ALLOWED, 1L); /* to report what it is */
	SET(x, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
	SET(x, CURLOPT_PROTOCOLS_STR, "http,https");
	SET(x, CURLOPT_NOSIGNAL, 1L);
	SET(x, CURLOPT_QUICK_EXIT, 1L);
	SET(x, CURLOPT_TCP_KEEPALIVE, 1L);
	SET(x, CURLOPT_MAXAGE_CONN, KEPT_S);
	SET(x, CURLOPT_BUFFERSIZE, 65536L);
	SET(x, CURLOPT_CONNECTTIMEOUT_MS, (long)x->connect_ms);
	SET(x, CURLOPT_PATH_AS_IS, (long)x->as_is);
	if (!x->as_is)
		SET(x, CURLOPT_USERAGENT, "mcpane/" VERSION);
}

static void
set_callbacks(struct exchange *x)
{
	SET(x, CURLOPT_PRIVATE, x);
	SET(x, CURLOPT_ERRORBUFFER, x->error);
	SET(x, CURLOPT_HEADERFUNCTION, on_header);
	SET(x, CURLOPT_HEADERDATA, x);
	SET(x, CURLOPT_VERBOSE, 1L); /* for the debug function */
	SET(x, CURLOPT_DEBUGFUNCTION, on_debug);
	SET(x, CURLOPT_DEBUGDATA, x);
	SET(x, CURLOPT_WRITEFUNCTION, on_write);
	SET(x, CURLOPT_WRITEDATA, x);
	SET(x, CURLOPT_SOCKOPTFUNCTION, on_dial);
	SET(x, CURLOPT_SOCKOPTDATA, x);
}

void
exchange_set_up(struct exchange *x, const struct exchange_request *request)
{
	x->as_is = request->as_is;
	x->is_tls = !is_plain_web_url(request->url);
	SET(x, CURLOPT_URL, request->url);
	set_callbacks(x);
	set_protocol(x);
	set_encoding(x);
	if (x->is_tls)
		set_trust(x, request->insecure);
	set_body(x, request);
	if (request->public_only) {
		SET(x, CURLOPT_OPENSOCKETFUNCTION, open_public);
		SET(x, CURLOPT_OPENSOCKETDATA, x);
	}
}
