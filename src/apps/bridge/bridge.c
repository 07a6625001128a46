#include "internals.h"

#include "base/mem.h"
#include "base/vec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The life of an app: its phases and their time limits, and what is known of it. */

const char *const app_phase_names[] = { "loading", "initializing", "ready", "closing", "gone" };

#define SECOND INT64_C(1000000)

static int64_t
or_default(int64_t us, int64_t otherwise)
{
	return us > 0 ? us : otherwise;
}

void
bridge_change(struct app_bridge *b, enum app_change change)
{
	b->events.on_change(b->user, change);
}

static void __attribute__((format(printf, 2, 3)))
note(struct app_bridge *b, const char *format, ...)
{
	char text[256];

	FORMAT_INTO(text, format);
	b->events.on_note(b->user, text, b->now_us);
}

void
bridge_set_phase(struct app_bridge *b, enum app_phase phase)
{
	b->info.phase = phase;
	bridge_change(b, APP_CHANGE_PHASE);
}

/* ---- creation ---- */

static void
write_sandbox(struct app_bridge *b, const struct app_policy *policy)
{
	struct json_writer w;

	json_write_init(&w, &b->sandbox);
	json_write_object(&w);
	json_write_member_object(&w, "permissions");
	for (int i = 0; i < APP_PERMISSIONS; i++)
		if (b->options.permissions & 1u << i)
			json_write_member_json(&w, app_permission_names[i], "{}");
	json_write_object_end(&w);
	json_write_member_object(&w, "csp");
	for (int kind = 0; policy && kind < APP_DOMAIN_KINDS; kind++) {
		json_write_member_array(&w, app_domain_members[kind]);
		for (size_t i = 0; i < policy->domains.len; i++)
			if ((int)policy->domains.items[i].kind == kind &&
			    !policy->domains.items[i].refusal)
				json_write_string(&w, policy->domains.items[i].text);
		json_write_array_end(&w);
	}
	json_write_object_end(&w);
	json_write_object_end(&w);
}

struct app_bridge *
app_bridge_create(const struct app_bridge_options *options, const struct app_context *context,
    const struct app_events *events, void *user, const struct app_bridge_info **info,
    int64_t now_us)
{
	struct app_bridge *b = mem_zalloc(sizeof(*b));

	*b = (struct app_bridge){
		.options = *options,
		.host_name = mem_strdup(options->host_name),
		.host_version = mem_strdup(options->host_version),
		.events = *events,
		.user = user,
		.info = { .app_name = "",
		    .app_title = "",
		    .app_version = "",
		    .protocol = "",
		    .mode = context->mode,
		    .modes = context->modes,
		    .ready_us = -1 },
		.now_us = now_us,
		.start_us = now_us,
		.init_deadline_us = now_us + or_default(options->init_us, 10 * SECOND),
		.messages_left = APP_BURST_MESSAGES,
		.bytes_left = (double)APP_BURST_BYTES,
		.filled_us = now_us,
		.flood_note_us = INT64_MAX,
	};
	*info = &b->info;
	write_sandbox(b, options->policy);
	b->options.policy = NULL; /* the caller's */
	app_bridge_set_context(b, context, now_us);
	return b;
}

void
app_bridge_destroy(struct app_bridge *b)
{
	if (!b)
		return;
	while (b->asks.len > 0)
		bridge_remove_ask(b, &b->asks.items[0]);
	for (size_t i = 0; i < b->requests.len; i++)
		free(b->requests.items[i].method);
	free(b->requests.items);
	free(b->asks.items);
	free(b->host_name);
	free(b->host_version);
	buf_finish(&b->sandbox);
	buf_finish(&b->partial.params);
	buf_finish(&b->input.params);
	buf_finish(&b->result.params);
	json_doc_destroy(b->app);
	json_doc_destroy(b->model);
	json_doc_destroy(b->host);
	json_doc_destroy(b->told);
	free(b);
}

/* ---- phases ---- */

void
bridge_become_ready(struct app_bridge *b)
{
	b->init_deadline_us = INT64_MAX;
	b->info.ready_us = b->now_us - b->start_us;
	if (b->info.trouble) {
		b->info.trouble = NULL;
		bridge_change(b, APP_CHANGE_TROUBLE);
	}
	bridge_set_phase(b, APP_READY);
	bridge_tell_context(b);
	bridge_send_pending(b);
}

void
bridge_end(struct app_bridge *b)
{
	const struct app_reply gone = { .error = "the app is gone" };

	if (b->info.phase == APP_GONE)
		return;
	b->info.phase = APP_GONE;
	b->init_deadline_us = INT64_MAX;
	bridge_end_asks(b, "the app is gone");
	while (b->requests.len > 0)
		bridge_end_request(b, 0, &gone);
	bridge_change(b, APP_CHANGE_PHASE);
}

void
app_bridge_close(struct app_bridge *b, const char *why, int64_t now_us)
{
	const struct app_reply closing = { .error = "the app is being closed" };
	struct buf params = BUF_INIT;
	struct json_writer w;

	b->now_us = now_us;
	if (b->info.phase >= APP_CLOSING)
		return;
	if (b->info.phase < APP_READY) {
		bridge_end(b);
		return;
	}
	if (b->requests.len == REQUESTS_MAX)
		bridge_end_request(b, 0, &closing);
	json_write_init(&w, &params);
	json_write_object(&w);
	if (why)
		json_write_member_string(&w, "reason", why);
	json_write_object_end(&w);
	uint64_t id =
	    app_bridge_request(b, "ui/resource-teardown", buf_text(&params), params.len, now_us);
	buf_finish(&params);
	for (size_t i = 0; i < b->requests.len; i++)
		if (b->requests.items[i].id == id)
			b->requests.items[i].deadline_us =
			    now_us + or_default(b->options.teardown_us, SECOND / 2);
	bridge_set_phase(b, APP_CLOSING);
}

/* ---- time ---- */

int64_t
app_bridge_next_time(const struct app_bridge *b)
{
	int64_t next =
	    b->init_deadline_us < b->flood_note_us ? b->init_deadline_us : b->flood_note_us;

	for (size_t i = 0; i < b->requests.len; i++)
		if (b->requests.items[i].deadline_us < next)
			next = b->requests.items[i].deadline_us;
	return b->info.phase == APP_GONE ? INT64_MAX : next;
}

static void
miss_handshake(struct app_bridge *b)
{
	double seconds = (double)or_default(b->options.init_us, 10 * SECOND) / 1e6;

	b->init_deadline_us = INT64_MAX;
	if (b->info.phase == APP_LOADING)
		snprintf(b->trouble, sizeof(b->trouble), "no ui/initialize within %g s", seconds);
	else
		snprintf(b->trouble, sizeof(b->trouble),
		    "ui/initialize, but no ui/notifications/initialized within %g s", seconds);
	b->info.trouble = b->trouble;
	note(b, "%s", b->trouble);
	bridge_change(b, APP_CHANGE_TROUBLE);
}

static void
tell_flood(struct app_bridge *b)
{
	note(b, "a flood: %zu messages of the app, %zu bytes, were dropped unread", b->flood,
	    b->flood_bytes);
	b->flood = b->flood_bytes = 0;
	b->flood_note_us = INT64_MAX;
}

static void
miss_answer(struct app_bridge *b, size_t index)
{
	const struct bridge_request *r = &b->requests.items[index];
	struct app_reply reply = { .error = "no answer in time" };

	note(b, "no answer to %s in time", r->method);
	bridge_end_request(b, index, &reply);
}

void
app_bridge_on_time(struct app_bridge *b, int64_t now_us)
{
	b->now_us = now_us;
	if (b->info.phase == APP_GONE)
		return;
	if (now_us >= b->init_deadline_us)
		miss_handshake(b);
	if (now_us >= b->flood_note_us)
		tell_flood(b);
	for (size_t i = b->requests.len; i-- > 0;)
		if (i < b->requests.len && now_us >= b->requests.items[i].deadline_us)
			miss_answer(b, i);
}
