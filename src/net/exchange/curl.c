/* SPDX-License-Identifier: MIT */
#include "curl.h"

#include "base/mem.h"
#include "base/secret.h"
#include "base/url.h"
#include "base/vec.h"
#include "net/transport.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

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

void
curl_loop_ready(struct curl_loop *cl, struct exchange *x)
{
	for (size_t i = 0; i < cl->ready.len; i++)
		if (cl->ready.items[i] == x)
			return;
	*VEC_PUSH(&cl->ready) = x;
	if (!cl->acting)
		loop_timer_set(cl->loop, &cl->deliver, loop_now_ms(cl->loop));
}

void
curl_loop_forget(struct curl_loop *cl, const struct exchange *x)
{
	for (size_t i = 0; i < cl->ready.len; i++)
		if (cl->ready.items[i] == x)
			cl->ready.items[i] = NULL;
}

/* Deliver the exchanges that are ready now; the timer delivers those that become ready meanwhile.
 */
static void
deliver(struct curl_loop *cl)
{
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

static void
on_deliver(void *user)
{
	deliver(user);
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

static void
act(struct curl_loop *cl, curl_socket_t socket, int ready)
{
	work(cl, socket, ready);
	deliver(cl);
}

void
curl_loop_go(struct curl_loop *cl)
{
	work(cl, CURL_SOCKET_TIMEOUT, 0);
	if (cl->ready.len > 0)
		loop_timer_set(cl->loop, &cl->deliver, loop_now_ms(cl->loop));
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

	act(w->cl, w->socket,
	    (ready & LOOP_READ ? CURL_CSELECT_IN : 0) |
		(ready & LOOP_WRITE ? CURL_CSELECT_OUT : 0));
}

static unsigned
wanted(int what)
{
	return (what & CURL_POLL_IN ? LOOP_READ : 0) | (what & CURL_POLL_OUT ? LOOP_WRITE : 0);
}

/* libcurl adds, changes or removes the events it waits for. */
static int
watch_socket(CURL *easy, curl_socket_t socket, int what, void *user, void *socket_user)
{
	struct curl_loop *cl = user;
	struct socket_watch *w = socket_user;

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
		loop_watch_modify(w->watch, wanted(what));
		return 0;
	}
	w = mem_zalloc(sizeof(*w));
	*w = (struct socket_watch){ .cl = cl, .socket = socket };
	w->watch = loop_watch_fd(cl->loop, socket, wanted(what), on_socket, w);
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
on_timer(void *user)
{
	act(user, CURL_SOCKET_TIMEOUT, 0);
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
create(struct loop *loop, const struct curl_api *api)
{
	struct curl_loop *cl = mem_zalloc(sizeof(*cl));

	api->global_init(CURL_GLOBAL_DEFAULT);
	cl->api = *api;
	cl->loop = loop;
	cl->timer = (struct loop_timer){ .fn = on_timer, .user = cl };
	cl->deliver = (struct loop_timer){ .fn = on_deliver, .user = cl };
	cl->multi = api->multi_init();
	api->multi_setopt(cl->multi, CURLMOPT_SOCKETFUNCTION, watch_socket);
	api->multi_setopt(cl->multi, CURLMOPT_SOCKETDATA, cl);
	api->multi_setopt(cl->multi, CURLMOPT_TIMERFUNCTION, set_timer);
	api->multi_setopt(cl->multi, CURLMOPT_TIMERDATA, cl);
	api->multi_setopt(cl->multi, CURLMOPT_MAXCONNECTS, KEPT_CONNECTIONS);
	loop_keep(loop, cl, destroy);
	return cl;
}

struct curl_loop *
curl_loop_of(struct loop *loop, struct err *err)
{
	struct curl_loop *cl = loop_find_kept(loop, destroy);
	struct curl_api api;

	if (cl)
		return cl;
	return load_api(&api, err) ? create(loop, &api) : NULL;
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
