#include "engine/parts.h"

#include "base/base64.h"
#include "base/embedded.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

/* All that a view can fetch comes from here: its page, the app, one file. The rest is refused. */

struct response {
	const char *type, *csp;
	const void *bytes;
	size_t len;
};

static void
write_header(struct json_writer *w, const char *name, const char *value)
{
	json_write_object(w);
	json_write_member_string(w, "name", name);
	json_write_member_string(w, "value", value);
	json_write_object_end(w);
}

static void
fulfill(struct app_view *v, const char *session, const char *request, const struct response *r)
{
	struct devtools *d = &v->engine->devtools;
	struct buf body = BUF_INIT;

	base64_add(&body, r->bytes, r->len, BASE64_PLAIN);
	struct json_writer *w = devtools_begin(d, session, "Fetch.fulfillRequest");
	json_write_member_string(w, "requestId", request);
	json_write_member_int(w, "responseCode", 200);
	json_write_member_array(w, "responseHeaders");
	write_header(w, "content-type", r->type);
	write_header(w, "cache-control", "no-store");
	write_header(w, "x-content-type-options", "nosniff");
	write_header(w, "referrer-policy", "no-referrer");
	write_header(w, "permissions-policy",
	    "camera=(), microphone=(), geolocation=(), display-capture=(), usb=(), serial=(), "
	    "hid=()");
	if (r->csp)
		write_header(w, "content-security-policy", r->csp);
	json_write_array_end(w);
	json_write_member_string(w, "body", buf_text(&body));
	devtools_send(d, 0, NULL, NULL);
	buf_finish(&body);
}

static void
send_carrier(struct app_view *v, const char *session, const char *request)
{
	const struct embedded_file *page = embedded_find(page_files, "carrier.html");
	char *csp = mem_printf(
	    "default-src 'none'; style-src 'unsafe-inline'; frame-src %s", v->status.origin);
	struct response r = { "text/html; charset=utf-8", csp, page->bytes, page->len };

	fulfill(v, session, request, &r);
	free(csp);
}

/* The path of a URL of the app's origin, else NULL. */
static const char *
in_app(const struct app_view *v, const char *url)
{
	size_t len = strlen(v->status.origin);

	return strncmp(url, v->status.origin, len) == 0 && url[len] == '/' ? url + len : NULL;
}

void
app_view_serve(struct app_view *v, const char *session, const cJSON *params)
{
	const struct app_view_options *o = &v->options;
	const char *request = json_get_string(params, "requestId"),
		   *url = json_get_string(json_get(params, "request"), "url"),
		   *type = json_get_string(params, "resourceType");
	struct devtools *d = &v->engine->devtools;

	if (!request || !url || !type)
		return;
	const char *path = in_app(v, url);
	bool document = strcmp(type, "Document") == 0;
	if (document && strcmp(url, CARRIER_URL) == 0 && strcmp(session, v->page) == 0) {
		send_carrier(v, session, request);
	} else if (path && strcmp(path, "/") == 0 && document) {
		struct response r = { "text/html; charset=utf-8", o->csp, o->html, o->html_len };
		fulfill(v, session, request, &r);
	} else if (path && o->file_path && strcmp(path, o->file_path) == 0) {
		struct response r = { o->file_type, NULL, o->file, o->file_len };
		fulfill(v, session, request, &r);
	} else if (strncmp(url, "data:", 5) == 0 || strncmp(url, "blob:", 5) == 0) {
		json_write_member_string(
		    devtools_begin(d, session, "Fetch.continueRequest"), "requestId", request);
		devtools_send(d, 0, NULL, NULL);
	} else {
		struct json_writer *w = devtools_begin(d, session, "Fetch.failRequest");
		json_write_member_string(w, "requestId", request);
		json_write_member_string(w, "errorReason", "BlockedByClient");
		devtools_send(d, 0, NULL, NULL);
		app_view_note(v,
		    (struct app_view_note){ .kind = APP_VIEW_BLOCKED, .url = url, .text = type });
	}
}
