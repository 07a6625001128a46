#include "capabilities_priv.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

void
capabilities_copy(struct session_capabilities *to, const struct session_capabilities *from)
{
	*to = *from;
	to->extensions = NULL;
	if (from->extension_count == 0)
		return;
	struct session_extension *copy = mem_zalloc(from->extension_count * sizeof(*copy));
	for (size_t i = 0; i < from->extension_count; i++) {
		copy[i].id = mem_strdup(from->extensions[i].id);
		copy[i].settings = mem_strdup(from->extensions[i].settings);
	}
	to->extensions = copy;
}

void
capabilities_finish(struct session_capabilities *c)
{
	for (size_t i = 0; i < c->extension_count; i++) {
		free((char *)c->extensions[i].id);
		free((char *)c->extensions[i].settings);
	}
	free((struct session_extension *)c->extensions);
	*c = (struct session_capabilities){ 0 };
}

static void
write_empty(struct json_writer *w, const char *key, bool wanted)
{
	if (!wanted)
		return;
	json_write_key(w, key);
	json_write_object(w);
	json_write_object_end(w);
}

static void
open_member(struct json_writer *w, const char *key)
{
	json_write_key(w, key);
	json_write_object(w);
}

static void
write_settings(struct json_writer *w, const char *settings)
{
	size_t len = settings ? strlen(settings) : 0;
	struct json_doc *doc = json_parse(settings ? settings : "", len, NULL, NULL);

	if (doc && json_type(json_root(doc)) == JSON_OBJECT)
		json_write_value(w, json_root(doc));
	else
		json_write_raw(w, "{}", 2);
	json_doc_destroy(doc);
}

static void
write_extensions(const struct session_capabilities *c, struct json_writer *w)
{
	open_member(w, "extensions");
	for (size_t i = 0; i < c->extension_count; i++) {
		json_write_key(w, c->extensions[i].id);
		write_settings(w, c->extensions[i].settings);
	}
	json_write_object_end(w);
}

void
capabilities_write(const struct session_capabilities *c, struct json_writer *w, bool modern)
{
	json_write_object(w);
	if (c->elicitation_form || c->elicitation_url) {
		open_member(w, "elicitation");
		write_empty(w, "form", c->elicitation_form);
		write_empty(w, "url", c->elicitation_url);
		json_write_object_end(w);
	}
	if (c->sampling) {
		open_member(w, "sampling");
		write_empty(w, "context", c->sampling_context);
		write_empty(w, "tools", c->sampling_tools);
		json_write_object_end(w);
	}
	if (c->roots) {
		open_member(w, "roots");
		if (!modern)
			json_write_member_bool(w, "listChanged", true);
		json_write_object_end(w);
	}
	if (c->extension_count > 0)
		write_extensions(c, w);
	json_write_object_end(w);
}
