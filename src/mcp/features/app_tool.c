/* SPDX-License-Identifier: MIT */
#include "mcp/app_metadata.h"

#include "base/mem.h"
#include "base/vec.h"
#include "json/keys.h"
#include "json/write.h"

#include <stdio.h>
#include <string.h>

/* ---- reading ---- */

static bool
is_app_uri(const char *uri)
{
	return uri && strncmp(uri, APPS_SCHEME, strlen(APPS_SCHEME)) == 0 &&
	       uri[strlen(APPS_SCHEME)];
}

/* Some Python servers write `meta`. */
static const cJSON *
meta_of(const cJSON *definition)
{
	const cJSON *meta = json_get(definition, "_meta");

	return meta ? meta : json_get(definition, "meta");
}

static bool
is_visible(const struct app_tool *t, const char *reader)
{
	if (!t->visibility)
		return true;
	/* A value of another type than array was meant to restrict, so it grants nothing. */
	if (json_type(t->visibility) != JSON_ARRAY)
		return false;
	for (const cJSON *item = json_first(t->visibility); item; item = item->next)
		if (cJSON_GetStringValue(item) && strcmp(cJSON_GetStringValue(item), reader) == 0)
			return true;
	return false;
}

void
app_tool_read(struct app_tool *t, const cJSON *definition)
{
	const cJSON *meta = meta_of(definition), *ui = json_get(meta, "ui");
	const char *uri = json_get_string(ui, "resourceUri");
	const char *old = json_get_string(meta, "ui/resourceUri");

	*t = (struct app_tool){ .visibility = json_get(ui, "visibility") };
	if (is_app_uri(uri)) {
		t->resource = uri;
	} else if (is_app_uri(old)) {
		t->resource = old;
		t->is_deprecated = true;
	}
	t->for_model = is_visible(t, "model");
	t->for_app = is_visible(t, "app");
}

/* ---- flaws ---- */

void
app_flaw_tell(const struct app_flaws *f, enum app_flaw_kind kind, const char *pointer,
    const char *format, ...)
{
	struct app_flaw flaw = { .kind = kind, .pointer = pointer };

	FORMAT_INTO(flaw.text, format);
	f->on_flaw(f->user, &flaw);
}

static void
check_uri(const struct app_flaws *f, const cJSON *uri, const char *pointer)
{
	if (!uri || is_app_uri(cJSON_GetStringValue(uri)))
		return;
	if (cJSON_GetStringValue(uri))
		app_flaw_tell(f, APP_FLAW_URI, pointer,
		    "\"%.100s\" does not begin with ui://, so no host shows this app",
		    cJSON_GetStringValue(uri));
	else
		app_flaw_tell(f, APP_FLAW_URI, pointer, "the URI of the app is %s, not a string",
		    json_type_name(json_type(uri)));
}

static void
check_visibility(const struct app_flaws *f, const cJSON *visibility)
{
	const char *pointer = "/_meta/ui/visibility";

	if (!visibility)
		return;
	if (json_type(visibility) != JSON_ARRAY) {
		app_flaw_tell(f, APP_FLAW_VISIBILITY, pointer, "visibility is %s, not an array",
		    json_type_name(json_type(visibility)));
		return;
	}
	for (const cJSON *item = json_first(visibility); item; item = item->next) {
		const char *word = cJSON_GetStringValue(item);
		if (word && (strcmp(word, "model") == 0 || strcmp(word, "app") == 0))
			continue;
		app_flaw_tell(f, APP_FLAW_VISIBILITY, pointer,
		    "visibility has an item that is neither \"model\" nor \"app\"");
		return;
	}
	if (!json_first(visibility))
		app_flaw_tell(f, APP_FLAW_NOBODY, pointer,
		    "visibility is empty: neither a model nor an app may call this tool");
}

void
app_tool_flaws(const cJSON *definition, app_flaw_fn *on_flaw, void *user)
{
	static const char *const misplaced[][2] = { { "csp", "/_meta/ui/csp" },
		{ "permissions", "/_meta/ui/permissions" } };
	const struct app_flaws f = { on_flaw, user };
	const cJSON *meta = meta_of(definition), *ui = json_get(meta, "ui");
	const cJSON *now = json_get(ui, "resourceUri"), *old = json_get(meta, "ui/resourceUri");

	check_uri(&f, now, "/_meta/ui/resourceUri");
	if (!now)
		check_uri(&f, old, "/_meta/ui~1resourceUri");
	if (old && !now)
		app_flaw_tell(&f, APP_FLAW_DEPRECATED, "/_meta/ui~1resourceUri",
		    "only the deprecated _meta[\"ui/resourceUri\"] names the app, not "
		    "_meta.ui.resourceUri");
	else if (cJSON_GetStringValue(old) && cJSON_GetStringValue(now) &&
		 strcmp(cJSON_GetStringValue(old), cJSON_GetStringValue(now)) != 0)
		app_flaw_tell(&f, APP_FLAW_CONTRADICTS, "/_meta/ui/resourceUri",
		    "_meta.ui.resourceUri and _meta[\"ui/resourceUri\"] name different apps");
	check_visibility(&f, json_get(ui, "visibility"));
	for (size_t i = 0; i < ARRAY_LEN(misplaced); i++)
		if (json_get(ui, misplaced[i][0]))
			app_flaw_tell(&f, APP_FLAW_MISPLACED, misplaced[i][1],
			    "%s on a tool is ignored: it belongs to the resource", misplaced[i][0]);
}

/* ---- arguments with their defaults ---- */

enum { DEPTH_MAX = 16 };

static void
write_with_defaults(struct json_writer *w, const cJSON *schema, const cJSON *value, unsigned depth)
{
	const cJSON *properties = json_get(schema, "properties");
	struct json_keys given;

	if (depth == DEPTH_MAX || !cJSON_IsObject(properties)) {
		json_write_value(w, value);
		return;
	}
	json_keys_init(&given, value);
	json_write_object(w);
	struct json_keys schemas;
	json_keys_init(&schemas, properties);
	for (const cJSON *m = json_first(value); m; m = m->next) {
		json_write_key(w, m->string);
		if (cJSON_IsObject(m))
			write_with_defaults(w, json_keys_find(&schemas, m->string), m, depth + 1);
		else
			json_write_value(w, m);
	}
	json_keys_finish(&schemas);
	for (const cJSON *p = json_first(properties); p; p = p->next) {
		const cJSON *otherwise = json_get(p, "default");
		if (otherwise && !json_keys_find(&given, p->string))
			json_write_member_value(w, p->string, otherwise);
	}
	json_write_object_end(w);
	json_keys_finish(&given);
}

void
app_arguments_add(struct buf *out, const cJSON *schema, const cJSON *arguments)
{
	const cJSON none = { .type = cJSON_Object };
	struct json_writer w;

	json_write_init(&w, out);
	write_with_defaults(&w, schema, cJSON_IsObject(arguments) ? arguments : &none, 0);
}
