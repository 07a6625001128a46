#include "offers_priv.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

/* Notices that demo://counter changed: to who subscribed (before 2026-07-28), or on the one
 * subscription that is open (since). */

#define COUNTER "demo://counter"
#define SUBSCRIPTION_ID "io.modelcontextprotocol/subscriptionId"

static bool
is_counter(const cJSON *uri)
{
	return json_string(uri) && strcmp(json_string(uri), COUNTER) == 0;
}

static void
set_subscribed(struct demo_call *call, bool on)
{
	if (is_counter(json_get(call->params, "uri")))
		call->demo->subscribed = on;
	demo_result(call);
	demo_end(call);
}

void
demo_subscribe(struct demo_call *call)
{
	set_subscribed(call, true);
}

void
demo_unsubscribe(struct demo_call *call)
{
	set_subscribed(call, false);
}

static void
open_notice(struct json_writer *w, struct buf *out, const char *method)
{
	json_write_init(w, out);
	json_write_object(w);
	json_write_member_string(w, "jsonrpc", "2.0");
	json_write_member_string(w, "method", method);
	json_write_key(w, "params");
	json_write_object(w);
}

static void
close_notice(struct json_writer *w, const char *id)
{
	if (id) {
		json_write_key(w, "_meta");
		json_write_object(w);
		json_write_key(w, SUBSCRIPTION_ID);
		json_write_raw(w, id, strlen(id));
		json_write_object_end(w);
	}
	json_write_object_end(w);
	json_write_object_end(w);
	buf_add_char(w->out, '\n');
}

/* The request stays open: what is said on it carries its id. A newer one takes its place. */
void
demo_listen(struct demo_call *call)
{
	const cJSON *filter = json_get(call->params, "notifications");
	const cJSON *uris = json_get(filter, "resourceSubscriptions");
	struct demo *d = call->demo;
	struct json_writer w;

	free(d->listen_id);
	d->listen_id = mem_strdup(call->id);
	d->subscribed = false;
	open_notice(&w, &d->out, "notifications/subscriptions/acknowledged");
	json_write_key(&w, "notifications");
	json_write_object(&w);
	if (uris) {
		json_write_key(&w, "resourceSubscriptions");
		json_write_array(&w);
		for (const cJSON *uri = json_first(uris); uri; uri = uri->next)
			if (is_counter(uri)) {
				json_write_string(&w, COUNTER);
				d->subscribed = true;
			}
		json_write_array_end(&w);
	}
	json_write_object_end(&w);
	close_notice(&w, d->listen_id);
}

void
demo_listen_cancel(struct demo *d, const char *id)
{
	if (!d->listen_id || strcmp(d->listen_id, id) != 0)
		return;
	free(d->listen_id);
	d->listen_id = NULL;
	d->subscribed = false;
}

void
demo_count(struct demo *d)
{
	struct json_writer w;

	d->count++;
	if (!d->subscribed)
		return;
	open_notice(&w, &d->out, "notifications/resources/updated");
	json_write_member_string(&w, "uri", COUNTER);
	close_notice(&w, d->listen_id);
}
