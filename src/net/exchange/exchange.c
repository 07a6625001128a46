/* SPDX-License-Identifier: MIT */
#include "curl.h"

#include "base/mem.h"
#include "base/secret.h"
#include "base/url.h"
#include "base/vec.h"
#include "net/fetch.h"
#include "net/transport.h"

#include <arpa/inet.h>
#include <dlfcn.h>
#include <inttypes.h>
#include <netinet/in.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <time.h>

/* ---- libcurl on our loop ---- */

static void exchange_deliver(struct exchange *x);
static void exchange_on_done(struct exchange *x, CURLcode code);

/* For CURLOPT_QUICK_EXIT: without it, abandoning a name look-up that hangs blocks. */
#define OLDEST 0x075700

static const struct function {
	const char *name;
	size_t offset;
} functions[] = {
#define ROW(name) { "curl_" #name, offsetof(struct curl_api, name) },
	CURL_FUNCTIONS(ROW)
#undef ROW
};

/* Loads the library, which stays loaded. False: not found, or too old (7.87 is needed). */
static bool
load_api(struct curl_api *api, struct err *err)
{
	static const char *const names[] = { "libcurl.so.4", "libcurl-gnutls.so.4" };
	void *library = NULL;

	for (size_t i = 0; i < ARRAY_LEN(names) && !library; i++)
		library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
	if (!library)
		return err_set(
		    err, "HTTP needs the library libcurl, which was not found: %s", dlerror());
	for (size_t i = 0; i < ARRAY_LEN(functions); i++) {
		void *function = dlsym(library, functions[i].name);
		if (!function)
			return err_set(err, "libcurl is too old: it has no %s", functions[i].name);
		memcpy((char *)api + functions[i].offset, &function, sizeof(function));
	}
	const curl_version_info_data *version = api->version_info(CURLVERSION_NOW);
	if (version->version_num < OLDEST)
		return err_set(
		    err, "libcurl %s is too old: 7.87 or later is needed", version->version);
	if (!(version->features & CURL_VERSION_ASYNCHDNS))
		return err_set(
		    err, "this libcurl (%s) would block at each name look-up", version->version);
	return true;
}

/* The default is four for each transfer in flight. */
#define KEPT_CONNECTIONS ((long)HTTP_MAX_POSTS)

/* ---- delivering to the receivers ---- */

static void
curl_loop_ready(struct curl_loop *cl, struct exchange *x)
{
	for (size_t i = 0; i < cl->ready.len; i++)
		if (cl->ready.items[i] == x)
			return;
	*VEC_PUSH(&cl->ready) = x;
	if (!cl->acting)
		loop_timer_set(cl->loop, &cl->deliver, loop_now_ms(cl->loop));
}

/* Deliver the exchanges that are ready now; the timer delivers those that become ready meanwhile.
 */
static void
deliver(void *user)
{
	struct curl_loop *cl = user;
	size_t count = cl->ready.len;

	for (size_t i = 0; i < count; i++) {
		struct exchange *x = cl->ready.items[i];
		cl->ready.items[i] = NULL;
		if (x)
			exchange_deliver(x);
	}
	for (size_t i = 0; i < count; i++)
		VEC_REMOVE(&cl->ready, 0);
	if (cl->ready.len > 0)
		loop_timer_set(cl->loop, &cl->deliver, loop_now_ms(cl->loop));
}

/* ---- libcurl's sockets and its timer ---- */

static void
work(struct curl_loop *cl, curl_socket_t socket, int ready)
{
	int running;

	BUG_IF(cl->acting);
	cl->acting = true;
	cl->api.multi_socket_action(cl->multi, socket, ready, &running);
	CURLMsg *message;
	int left;
	while ((message = cl->api.multi_info_read(cl->multi, &left))) {
		struct exchange *x = NULL;
		if (message->msg != CURLMSG_DONE)
			continue;
		cl->api.easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, (char **)&x);
		exchange_on_done(x, message->data.result);
	}
	cl->acting = false;
}

struct socket_watch {
	struct curl_loop *cl;
	struct loop_watch *watch;
	curl_socket_t socket;
};

static void
on_socket(void *user, unsigned ready)
{
	const struct socket_watch *w = user;
	struct curl_loop *cl = w->cl; /* work() may free w */

	work(cl, w->socket,
	    (ready & LOOP_READ ? CURL_CSELECT_IN : 0) |
		(ready & LOOP_WRITE ? CURL_CSELECT_OUT : 0));
	deliver(cl);
}

/* libcurl adds, changes or removes the events it waits for. */
static int
watch_socket(CURL *easy, curl_socket_t socket, int what, void *user, void *socket_user)
{
	struct curl_loop *cl = user;
	struct socket_watch *w = socket_user;
	unsigned events =
	    (what & CURL_POLL_IN ? LOOP_READ : 0) | (what & CURL_POLL_OUT ? LOOP_WRITE : 0);

	if (what == CURL_POLL_IN || what == CURL_POLL_INOUT) {
		/* While it connects, libcurl only waits for the socket to become writable. Before
		 * the name is known, it waits for its thread on another socket. */
		struct exchange *x = NULL;
		cl->api.easy_getinfo(easy, CURLINFO_PRIVATE, (char **)&x);
		if (x)
			x->connected |= x->dialled;
	}
	if (what == CURL_POLL_REMOVE) {
		if (w)
			loop_watch_remove(w->watch);
		free(w);
		cl->api.multi_assign(cl->multi, socket, NULL);
		return 0;
	}
	if (w) {
		loop_watch_modify(w->watch, events);
		return 0;
	}
	w = mem_zalloc(sizeof(*w));
	*w = (struct socket_watch){ .cl = cl, .socket = socket };
	w->watch = loop_watch_fd(cl->loop, socket, events, on_socket, w);
	cl->api.multi_assign(cl->multi, socket, w);
	return 0;
}

static int
set_timer(CURLM *multi, long timeout_ms, void *user)
{
	struct curl_loop *cl = user;

	if (timeout_ms < 0)
		loop_timer_cancel(&cl->timer);
	else
		loop_timer_set(cl->loop, &cl->timer, loop_now_ms(cl->loop) + timeout_ms);
	return 0;
}

static void
on_curl_timer(void *user)
{
	work(user, CURL_SOCKET_TIMEOUT, 0);
	deliver(user);
}

/* ---- create and destroy ---- */

static void
destroy(void *user)
{
	struct curl_loop *cl = user;

	BUG_IF(cl->acting);
	if (cl->multi)
		cl->api.multi_cleanup(cl->multi);
	loop_timer_cancel(&cl->timer);
	loop_timer_cancel(&cl->deliver);
	cl->api.global_cleanup();
	free(cl->ready.items);
	free(cl);
}

static struct curl_loop *
curl_loop_of(struct loop *loop, struct err *err)
{
	struct curl_loop *cl = loop_find_kept(loop, destroy);
	struct curl_api api;

	if (cl || !load_api(&api, err))
		return cl;
	cl = mem_zalloc(sizeof(*cl));
	api.global_init(CURL_GLOBAL_DEFAULT);
	cl->api = api;
	cl->loop = loop;
	cl->timer = (struct loop_timer){ .fn = on_curl_timer, .user = cl };
	cl->deliver = (struct loop_timer){ .fn = deliver, .user = cl };
	cl->multi = api.multi_init();
	api.multi_setopt(cl->multi, CURLMOPT_SOCKETFUNCTION, watch_socket);
	api.multi_setopt(cl->multi, CURLMOPT_SOCKETDATA, cl);
	api.multi_setopt(cl->multi, CURLMOPT_TIMERFUNCTION, set_timer);
	api.multi_setopt(cl->multi, CURLMOPT_TIMERDATA, cl);
	api.multi_setopt(cl->multi, CURLMOPT_MAXCONNECTS, KEPT_CONNECTIONS);
	loop_keep(loop, cl, destroy);
	return cl;
}

#define SET(x, option, value) (x)->cl->api.easy_setopt((x)->easy, (option), (value))

/* ---- callbacks of libcurl ---- */

/* When the next time limit passes; INT64_MAX: never. */
static int64_t
next_time(const struct exchange *x)
{
	int64_t next = x->total_ms ? x->started_ms + x->total_ms : INT64_MAX;
	int64_t at = INT64_MAX;

	if (x->has_head)
		return next;
	if (x->first_line_ms)
		at = x->first_line_ms + x->head_ms;
	else if (x->first_byte_ms)
		at = x->started_ms + x->first_byte_ms;
	return at < next ? at : next;
}

/* after one of its time limits has changed */
static void
exchange_set_timer(struct exchange *x)
{
	int64_t next = next_time(x);

	if (next == INT64_MAX)
		loop_timer_cancel(&x->timer);
	else
		loop_timer_set(x->cl->loop, &x->timer, next);
}

/* libcurl adds headers; only this callback sees all that were sent. */
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
		/* Each status line begins a new head: after those of 1xx comes the final one. */
		const char *space = memchr(bytes, ' ', len);
		size_t skip = space ? (size_t)(space + 1 - bytes) : len;
		buf_clear(&x->head);
		x->first_line_ms = loop_now_ms(x->cl->loop);
		x->status = len - skip >= 3 ? (int)strtol(bytes + skip, NULL, 10) : 0;
		snprintf(x->status_text, sizeof(x->status_text), "%.*s", (int)(len - skip),
		    bytes + skip);
		exchange_set_timer(x);
		return all;
	}
	if (len == 0) {
		/* After the head of a 1xx, the wait for the first line starts over. */
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
		return all;
	}
	buf_add(&x->head, bytes, len);
	buf_add_char(&x->head, '\n');
	if (!x->head.overflowed)
		return all;
	x->stop = STOP_BIG_HEAD;
	return 0;
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
	bool has_room =
	    x->packed ? x->inbox.len + len <= EXCHANGE_UNPACKED
		      : !x->held && (x->inbox.len == 0 || x->inbox.len + len <= EXCHANGE_INBOX);
	if (!has_room) {
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

static curl_socket_t
open_public(void *user, curlsocktype purpose, struct curl_sockaddr *to)
{
	struct exchange *x = user;
	struct sockaddr_in v4;
	struct sockaddr_in6 v6;
	enum ip_range range = IP_PUBLIC;

	if (to->family == AF_INET) {
		memcpy(&v4, &to->addr, sizeof(v4));
		range = ip_v4_range((const uint8_t *)&v4.sin_addr);
	} else if (to->family == AF_INET6) {
		memcpy(&v6, &to->addr, sizeof(v6));
		range = ip_v6_range(v6.sin6_addr.s6_addr);
	}
	if (range == IP_PUBLIC)
		return socket(to->family, to->socktype | SOCK_CLOEXEC, to->protocol);
	x->stop = STOP_PRIVATE;
	return CURL_SOCKET_BAD;
}

/* ---- options ---- */

/* Node servers close a connection after 5 s of silence, and a message sent at that moment is lost.
 */
#define KEPT_S 4L

static void
exchange_set_up(struct exchange *x, const struct exchange_request *request)
{
	x->as_is = request->as_is;
	x->is_tls = !is_plain_web_url(request->url);
	SET(x, CURLOPT_URL, request->url);
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
	SET(x, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
	SET(x, CURLOPT_HTTP09_ALLOWED, 1L); /* to report the protocol */
	SET(x, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
	SET(x, CURLOPT_PROTOCOLS_STR, "http,https");
	SET(x, CURLOPT_NOSIGNAL, 1L);
	SET(x, CURLOPT_QUICK_EXIT, 1L);
	SET(x, CURLOPT_TCP_KEEPALIVE, 1L);
	SET(x, CURLOPT_MAXAGE_CONN, KEPT_S);
	SET(x, CURLOPT_BUFFERSIZE, 65536L);
	SET(x, CURLOPT_CONNECTTIMEOUT_MS, (long)x->connect_ms);
	SET(x, CURLOPT_PATH_AS_IS, (long)x->as_is);
	if (x->as_is) {
		SET(x, CURLOPT_HTTP_CONTENT_DECODING, 0L);
	} else {
		SET(x, CURLOPT_USERAGENT, "mcpane/" VERSION);
		/* Never asks for compression, because proxies buffer compressed streams; but
		 * decompresses a compressed response. */
		SET(x, CURLOPT_ACCEPT_ENCODING, "");
		x->headers = x->cl->api.slist_append(x->headers, "Accept-Encoding:");
	}
	if (x->is_tls) {
		const char *file = getenv("SSL_CERT_FILE"), *folder = getenv("SSL_CERT_DIR");
		SET(x, CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2); /* or later */
		SET(x, CURLOPT_SSL_VERIFYPEER, request->insecure ? 0L : 1L);
		SET(x, CURLOPT_SSL_VERIFYHOST, request->insecure ? 0L : 2L);
		if (file && *file)
			SET(x, CURLOPT_CAINFO, file);
		if (folder && *folder)
			SET(x, CURLOPT_CAPATH, folder);
	}
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
	if (request->public_only) {
		SET(x, CURLOPT_OPENSOCKETFUNCTION, open_public);
		SET(x, CURLOPT_OPENSOCKETDATA, x);
	}
}

/* ---- delivering ---- */

static bool
is_silenced(const struct exchange *x)
{
	return x->destroyed || x->held;
}

static void
exchange_deliver(struct exchange *x)
{
	x->busy = true;
	if (!is_silenced(x) && x->has_head && !x->told_head) {
		x->told_head = true;
		if (x->events.on_head)
			x->events.on_head(x->user, x);
	}
	if (!is_silenced(x) && x->inbox.len > 0) {
		struct buf piece = x->inbox;
		x->inbox = (struct buf)BUF_INIT;
		if (x->events.on_body)
			x->events.on_body(x->user, piece.data, piece.len);
		/* Reuse the memory, unless more bytes came meanwhile. */
		if (x->inbox.cap == 0) {
			buf_clear(&piece);
			x->inbox = piece;
		} else {
			buf_finish(&piece);
		}
	}
	if (!is_silenced(x) && x->paused) {
		/* libcurl delivers the kept bytes at once. If the receiver refuses them, only this
		 * call reports the error. */
		x->paused = false;
		CURLcode code = x->cl->api.easy_pause(x->easy, CURLPAUSE_CONT);
		if (code != CURLE_OK && !x->ended)
			exchange_on_done(x, code);
	}
	if (!is_silenced(x) && x->ended && !x->told_end && x->inbox.len == 0) {
		bool whole = x->code == CURLE_OK && x->stop == STOP_NONE && x->has_head;
		x->told_end = true;
		loop_timer_cancel(&x->timer);
		if (!whole)
			exchange_explain(x);
		x->events.on_end(x->user, whole ? NULL : x->trouble);
	}
	x->busy = false;
	if (x->destroyed) {
		buf_finish(&x->inbox);
		free(x);
	}
}

static void
exchange_on_done(struct exchange *x, CURLcode code)
{
	x->ended = true;
	x->code = code;
	curl_loop_ready(x->cl, x);
}

/* ---- time ---- */

enum exchange_phase
exchange_phase(const struct exchange *x)
{
	if (x->has_head)
		return PHASE_BODY;
	if (x->first_line_ms)
		return PHASE_HEAD;
	curl_off_t us = 0;
	x->cl->api.easy_getinfo(x->easy, CURLINFO_PRETRANSFER_TIME_T, &us);
	if (us > 0)
		return PHASE_FIRST_BYTE;
	if (x->connected)
		return PHASE_TLS;
	return x->dialled ? PHASE_CONNECT : PHASE_NAME;
}

const char *const exchange_phase_names[] = {
	[PHASE_NAME] = "name look-up",
	[PHASE_CONNECT] = "connection",
	[PHASE_TLS] = "TLS handshake",
	[PHASE_FIRST_BYTE] = "first byte",
	[PHASE_HEAD] = "head of the response",
	[PHASE_BODY] = "body",
};

void
exchange_describe_wait(const struct exchange *x, char *out, size_t size)
{
	enum exchange_phase phase = exchange_phase(x);
	const char *name = exchange_phase_names[phase];
	int64_t now = loop_now_ms(x->cl->loop);

	if (phase == PHASE_BODY)
		snprintf(out, size, "%s, silent for %.1f s after %" PRIu64 " bytes", name,
		    (double)(now - x->last_ms) / 1000, x->received);
	else
		snprintf(out, size, "%s, for %.1f s", name, (double)(now - x->started_ms) / 1000);
}

static void
exchange_on_timer(void *user)
{
	struct exchange *x = user;
	int64_t now = loop_now_ms(x->cl->loop);

	if (x->ended)
		return;
	if (next_time(x) > now) {
		exchange_set_timer(x);
		return;
	}
	bool is_total = x->total_ms && now >= x->started_ms + x->total_ms;
	x->stop = is_total ? STOP_TOTAL : x->first_line_ms ? STOP_HEAD : STOP_FIRST_BYTE;
	x->ended = true;
	curl_loop_ready(x->cl, x);
}

/* ---- create and destroy ---- */

struct exchange *
exchange_create(struct loop *loop, const struct exchange_request *request,
    const struct exchange_events *events, void *user, struct err *err)
{
	struct curl_loop *cl = curl_loop_of(loop, err);

	if (!cl)
		return NULL;
	struct exchange *x = mem_zalloc(sizeof(*x));
	x->cl = cl;
	/* never reuse a handle: until 8.1.1 it keeps a pointer to freed headers, which a
	 * response that begins with a folded header makes libcurl write to */
	x->easy = cl->api.easy_init();
	x->events = *events;
	x->user = user;
	x->connect_ms = request->connect_ms;
	x->head_ms = request->head_ms;
	x->first_byte_ms = request->first_byte_ms;
	x->total_ms = request->total_ms;
	x->timer = (struct loop_timer){ .fn = exchange_on_timer, .user = x };
	buf_init(&x->head, EXCHANGE_MAX_HEAD);
	exchange_set_up(x, request);
	return x;
}

void
exchange_destroy(struct exchange *x)
{
	if (!x || x->destroyed)
		return;
	loop_timer_cancel(&x->timer);
	for (size_t i = 0; i < x->cl->ready.len; i++)
		if (x->cl->ready.items[i] == x)
			x->cl->ready.items[i] = NULL;
	if (x->started)
		x->cl->api.multi_remove_handle(x->cl->multi, x->easy);
	x->cl->api.easy_cleanup(x->easy);
	x->cl->api.slist_free_all(x->headers);
	buf_finish(&x->sent);
	buf_finish(&x->head);
	x->destroyed = true;
	if (x->busy)
		return;
	buf_finish(&x->inbox);
	free(x);
}

bool
exchange_add_header(struct exchange *x, const char *name, const char *value)
{
	if (strpbrk(name, "\r\n:") || strpbrk(value, "\r\n") || !*name)
		return false;
	struct buf line = BUF_INIT;
	buf_add_str(&line, name);
	buf_add_str(&line, *value ? ": " : ";"); /* libcurl's syntax for an empty value */
	buf_add_str(&line, value);
	x->headers = x->cl->api.slist_append(x->headers, buf_text(&line));
	buf_finish(&line);
	return true;
}

bool
exchange_add_line(struct exchange *x, const char *line, size_t len)
{
	size_t name_len = strcspn(line, ":\n");

	if (name_len >= len || line[name_len] != ':')
		return false;
	size_t from = name_len + 1 + strspn(line + name_len + 1, " \t");
	char *name = mem_strndup(line, name_len);
	char *value = mem_strndup(line + from, len > from ? len - from : 0);
	bool ok = exchange_add_header(x, name, value);
	free(name);
	free(value);
	return ok;
}

void
exchange_start(struct exchange *x)
{
	if (x->as_is) {
		/* Suppress the headers that libcurl adds by default. */
		static const char *const names[] = { "Accept", "Content-Type" };
		for (size_t i = 0; i < ARRAY_LEN(names); i++) {
			size_t len = strlen(names[i]);
			const struct curl_slist *line = x->headers;
			char none[24];
			while (line && (strncasecmp(line->data, names[i], len) != 0 ||
					   !strchr(":;", line->data[len])))
				line = line->next;
			snprintf(none, sizeof(none), "%s:", names[i]);
			if (!line)
				x->headers = x->cl->api.slist_append(x->headers, none);
		}
	}
	x->started = true;
	x->started_ms = loop_now_ms(x->cl->loop);
	x->cl->api.easy_setopt(x->easy, CURLOPT_HTTPHEADER, x->headers);
	x->cl->api.multi_add_handle(x->cl->multi, x->easy);
	exchange_set_timer(x);
	/* Start now, and report events later. */
	struct curl_loop *cl = x->cl;
	work(cl, CURL_SOCKET_TIMEOUT, 0);
	if (cl->ready.len > 0)
		loop_timer_set(cl->loop, &cl->deliver, loop_now_ms(cl->loop));
}

void
exchange_hold(struct exchange *x, bool held)
{
	x->held = held;
	if (!held)
		curl_loop_ready(x->cl, x);
}

/* ---- facts ---- */

struct exchange_head
exchange_head(const struct exchange *x)
{
	return (struct exchange_head){
		.status = x->has_head ? x->status : 0,
		.status_text = x->status_text,
		.headers = buf_text(&x->head),
		.sent = buf_text(&x->sent),
	};
}

char *
header_find(const char *headers, const char *name, size_t nth)
{
	size_t len = strlen(name);

	for (const char *line = headers; *line;) {
		const char *end = strchr(line, '\n');
		size_t size = end ? (size_t)(end - line) : strlen(line);
		if (size > len && line[len] == ':' && strncasecmp(line, name, len) == 0 &&
		    nth-- == 0) {
			const char *value = line + len + 1;
			value += strspn(value, " \t");
			return mem_strndup(value, (size_t)(line + size - value));
		}
		line += size + (end ? 1 : 0);
	}
	return NULL;
}

void
header_lines_add(
    struct buf *out, const char *mark, const char *head, header_line_fn *add, const void *user)
{
	while (*head) {
		size_t len = strcspn(head, "\r\n"), start = out->len;
		if (len > 0) {
			buf_addf(out, "\n%s", mark);
			if (!add || !add(out, user, head, len))
				secret_hide_header(out, head, len);
		}
		for (size_t i = start + 1; i < out->len; i++)
			if ((unsigned char)out->data[i] < ' ')
				out->data[i] = ' ';
		head += len + strspn(head + len, "\r\n");
	}
}

char *
exchange_header(const struct exchange *x, const char *name, size_t nth)
{
	return header_find(buf_text(&x->head), name, nth);
}

/* Seconds or a date (RFC 9110, 10.2.3). */
int64_t
exchange_retry_after_s(const struct exchange *x)
{
	char *value = exchange_header(x, "Retry-After", 0);
	int64_t now = time(NULL);

	if (!value)
		return -1;
	value[strcspn(value, "\r")] = '\0';
	int64_t seconds = strtoll(value, NULL, 10); /* of too many digits: the most there is */
	if (!*value || value[strspn(value, "0123456789")]) {
		int64_t at = x->cl->api.getdate(value, NULL);
		seconds = at < 0 ? -1 : at > now ? at - now : 0;
	}
	free(value);
	return seconds;
}

/* ---- URLs ---- */

const struct curl_api *
curl_api_of(struct loop *loop, struct err *err)
{
	struct curl_loop *cl = curl_loop_of(loop, err);

	return cl ? &cl->api : NULL;
}

char *
url_resolve(const struct curl_api *api, const char *base, const char *reference)
{
	CURLU *url = api->url();
	char *whole = NULL, *copy = NULL;

	if (api->url_set(url, CURLUPART_URL, base, 0) == CURLUE_OK &&
	    api->url_set(url, CURLUPART_URL, reference, 0) == CURLUE_OK &&
	    api->url_set(url, CURLUPART_USER, NULL, 0) == CURLUE_OK &&
	    api->url_set(url, CURLUPART_PASSWORD, NULL, 0) == CURLUE_OK &&
	    api->url_get(url, CURLUPART_URL, &whole, 0) == CURLUE_OK && is_web_url(whole))
		copy = mem_strdup(whole);
	api->free(whole);
	api->url_cleanup(url);
	return copy;
}

char *
url_to_show(const char *url)
{
	struct buf out = BUF_INIT;

	secret_hide_url(&out, url);
	return buf_detach(&out);
}

bool
url_check(const struct curl_api *api, const char *text, struct err *err)
{
	CURLU *url = api->url();
	CURLUcode code = api->url_set(url, CURLUPART_URL, text, 0);

	api->url_cleanup(url);
	if (code == CURLUE_OK && is_web_url(text))
		return true;
	char *shown = url_to_show(text);
	err_set(err, "%.150s: this is not an http or https URL%s%s%s", shown, code ? " (" : "",
	    code ? api->url_strerror(code) : "", code ? ")" : "");
	free(shown);
	return false;
}

static bool
is_same_part(const struct curl_api *api, CURLU *a, CURLU *b, CURLUPart part)
{
	char *left = NULL, *right = NULL;

	bool same = api->url_get(a, part, &left, CURLU_DEFAULT_PORT) == CURLUE_OK &&
		    api->url_get(b, part, &right, CURLU_DEFAULT_PORT) == CURLUE_OK &&
		    strcasecmp(left, right) == 0;
	api->free(left);
	api->free(right);
	return same;
}

bool
url_same_origin(const struct curl_api *api, const char *a, const char *b)
{
	CURLU *left = api->url(), *right = api->url();

	bool same = api->url_set(left, CURLUPART_URL, a, 0) == CURLUE_OK &&
		    api->url_set(right, CURLUPART_URL, b, 0) == CURLUE_OK &&
		    is_same_part(api, left, right, CURLUPART_SCHEME) &&
		    is_same_part(api, left, right, CURLUPART_HOST) &&
		    is_same_part(api, left, right, CURLUPART_PORT);
	api->url_cleanup(left);
	api->url_cleanup(right);
	return same;
}
