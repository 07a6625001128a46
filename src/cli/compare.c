/* SPDX-License-Identifier: MIT */
#include "client.h"

#include "base/glyph.h"
#include "base/path.h"
#include "base/units.h"
#include "cli/print/print.h"
#include "data/diff.h"
#include "data/drift.h"
#include "data/snapshot.h"
#include "json/write.h"

#include <string.h>
#include <unistd.h>

/*
 * `mcpane diff`: two files, or a server and a file; the id of a call of the history is a file, too.
 * Two snapshots, two lists of a server and two definitions of a tool are compared by their effect
 * on callers, calls by their results, and all else as JSON.
 */
#define LAZY_BYTES ((size_t)8 << 20)

enum subject { OF_VALUES, OF_TOOLS, OF_SERVERS };

struct compared {
	struct blob *blob;
	struct json_doc *doc;
	const cJSON *value; /* of a call its result */
	enum subject subject;
};

/* False: it is not JSON, and the reason was said. */
static bool
diff_parse(struct compared *c, const char *name)
{
	struct json_options options = {
		.blob = c->blob, .lazy_bytes = LAZY_BYTES, .max_depth = 2000
	};
	struct json_error error;

	c->doc = json_parse(c->blob->data, c->blob->len, &options, &error);
	if (!c->doc) {
		say("%s:%u:%u: %s", name, error.line, error.column, error.text);
		return false;
	}
	/* a message, what `mcpane call --json` prints, or a call of the history: its result or
	 * error */
	const cJSON *value = json_root(c->doc), *reply = json_get(value, "reply");
	const cJSON *message = reply && json_get(value, "kind") ? reply : value;
	const cJSON *result = json_get(message, "result");
	bool is_message = message != value || json_get(message, "jsonrpc") ||
			  (result && json_get(message, "validation"));
	if (!result)
		result = json_get(message, "error");
	c->value = is_message && json_type(result) == JSON_OBJECT ? result : value;
	bool is_tool = json_get_string(c->value, "name") && json_get(c->value, "inputSchema");
	bool lists = false;
	for (const struct snapshot_list *list = snapshot_lists; list->name; list++)
		lists |= json_type(json_get(c->value, list->name)) == JSON_ARRAY;
	c->subject = snapshot_is(c->value) || (lists && !json_get(c->value, "content")) ? OF_SERVERS
		     : is_tool                                                          ? OF_TOOLS
											: OF_VALUES;
	return true;
}

static bool
diff_read_file(struct compared *c, const char *name)
{
	struct buf text = { .max = SNAPSHOT_MAX };
	bool is_id = false;
	struct err err;

	bool ok = access(name, F_OK) != 0 && past_call_add_json(name, &text, &is_id);
	if (!ok && (is_id || !path_read_file(name, &text, &err))) {
		if (!is_id)
			say("%s", err.text);
		buf_finish(&text);
		return false;
	}
	c->blob = blob_take_buf(&text);
	return diff_parse(c, name);
}

/* ---- values ---- */

static void
write_change(const struct diff *d, uint32_t index, struct json_writer *w)
{
	static const char *const names[] = {
		[DIFF_CHANGED] = "changed", [DIFF_ADDED] = "added", [DIFF_REMOVED] = "removed"
	};
	const struct diff_node *n = &d->items[index];
	struct buf pointers[2] = { BUF_INIT, BUF_INIT };

	for (int side = 0; side < 2; side++)
		diff_add_pointer(d, index, side, &pointers[side]);
	bool same = strcmp(buf_text(&pointers[0]), buf_text(&pointers[1])) == 0;
	json_write_object(w);
	json_write_member_string(w, "change", n->kind >= DIFF_CHANGED ? names[n->kind] : "moved");
	json_write_member_string(w, "path", buf_text(&pointers[n->kind != DIFF_REMOVED]));
	if (!same && n->kind != DIFF_ADDED && n->kind != DIFF_REMOVED)
		json_write_member_string(w, "pathBefore", buf_text(&pointers[0]));
	if (n->kind >= DIFF_CHANGED && n->kind != DIFF_ADDED)
		json_write_member_value(w, "before", diff_side(d, index, 0));
	if (n->kind >= DIFF_CHANGED && n->kind != DIFF_REMOVED)
		json_write_member_value(w, "after", diff_side(d, index, 1));
	json_write_object_end(w);
	buf_finish(&pointers[0]);
	buf_finish(&pointers[1]);
}

/* A key that no table has is most likely misspelled. */
static void
check_key(const struct diff *d, const char *key)
{
	struct buf text = BUF_INIT;
	const char *keys[DIFF_KEYS_MAX + 1];

	for (size_t i = 0; i < d->arrays.len; i++) {
		const struct diff_array *array = &d->arrays.items[i];
		if (array->key && strcmp(array->key, key) == 0)
			return;
		if (!array->is_table || text.len > 0)
			continue;
		diff_key_candidates(d, array->node, keys);
		for (size_t k = 0; keys[k]; k++) {
			buf_add_str(&text, k > 0 ? ", " : "");
			label_add(&text, keys[k]);
		}
	}
	say("--key: no table that differs has %s%s%s", key, text.len > 0 ? "; it could be " : "",
	    buf_text(&text));
	buf_finish(&text);
}

static int
diff_two_values(
    const struct compared c[2], const struct options *o, struct json_writer *w, struct buf *out)
{
	struct diff_options options = { .key = o->diff.key };
	struct diff *d = diff_values(c[0].value, c[1].value, &options);
	int code = d->items[0].changes > 0 ? CLI_EXIT_DIFFERENT : CLI_EXIT_OK;

	if (o->diff.key && *o->diff.key && code != CLI_EXIT_OK)
		check_key(d, o->diff.key);
	if (w) {
		json_write_member_bool(w, "different", d->items[0].changes > 0);
		json_write_member_int(w, "added", (int64_t)d->added);
		json_write_member_int(w, "removed", (int64_t)d->removed);
		json_write_member_int(w, "changed", (int64_t)d->changed);
		json_write_member_int(w, "moved", (int64_t)d->moved);
		json_write_member_array(w, "changes");
		for (uint32_t i = diff_first_change(d); i != DIFF_NOWHERE;
		     i = diff_next_change(d, i, 1))
			write_change(d, i, w);
		json_write_array_end(w);
	} else {
		diff_add_text(d, out);
	}
	diff_destroy(d);
	return code;
}

/* ---- definitions ---- */

static int
diff_definitions(
    const struct compared c[2], const struct options *o, struct json_writer *w, struct buf *out)
{
	struct drift d = { 0 };
	struct buf line = BUF_INIT;

	(c[0].subject == OF_TOOLS ? drift_add_tool : drift_add_server)(&d, c[0].value, c[1].value);
	size_t count = o->diff.breaking ? d.counts[DRIFT_BREAKING] : drift_count(&d);
	if (w) {
		json_write_member_bool(w, "different", drift_count(&d) > 0);
		for (int class = DRIFT_CLASSES - 1; class >= 0; class --)
			json_write_member_int(
			    w, drift_class_names[class], (int64_t)d.counts[class]);
		drift_add_line(&d, &line);
		json_write_member_string(w, "summary", buf_text(&line));
		json_write_member_array(w, "changes");
		for (size_t i = 0; i < d.len; i++) {
			json_write_object(w);
			json_write_member_string(w, "class", drift_class_names[d.items[i].class]);
			json_write_member_string(w, "subject", d.items[i].subject);
			json_write_member_string(w, "text", d.items[i].text);
			json_write_object_end(w);
		}
		json_write_array_end(w);
	} else {
		drift_add_text(&d, out);
		drift_add_counts(&d, out);
		buf_add_char(out, '\n');
	}
	buf_finish(&line);
	drift_finish(&d);
	return count > 0 ? CLI_EXIT_DIFFERENT : CLI_EXIT_OK;
}

/* ---- the command ---- */

static int
compare(const struct compared c[2], const struct options *o, struct buf *out)
{
	bool definitions = c[0].subject == c[1].subject && c[0].subject != OF_VALUES;
	struct buf json = BUF_INIT;
	struct json_writer writer, *w = o->call.json ? &writer : NULL;

	if (o->diff.breaking && !definitions) {
		say("--breaking: only two snapshots or two definitions of tools have such changes");
		return CLI_EXIT_USAGE;
	}
	json_write_init(&writer, &json);
	if (w)
		json_write_object(w);
	int code = (definitions ? diff_definitions : diff_two_values)(c, o, w, out);
	if (w) {
		json_write_object_end(w);
		output_take_json(out, &json, o->call.raw);
	}
	return code;
}

bool
diff_check(const struct options *o, struct err *err)
{
	bool server = o->demo || o->configs.len > 0 || o->command || o->server || o->url;

	if (o->diff.files.len > (server ? 1u : 2u))
		return err_set(err,
		    "diff: unexpected \"%.80s\": it takes two files, or a server and a file",
		    o->diff.files.items[server ? 1 : 2]);
	if (o->diff.files.len == 1 && !server)
		return err_set(err, "diff: with what? Give a second file, or a server");
	if (o->diff.files.len == 2 && strcmp(o->diff.files.items[0], "-") == 0 &&
	    strcmp(o->diff.files.items[1], "-") == 0)
		return err_set(err, "diff: standard input can be read only once");
	return true;
}

/* Of a file and a server the file is the earlier side. */
int
cli_diff(const struct options *o)
{
	struct client client = { .lists = SNAPSHOT_LISTS, .lists_declared = true };
	struct compared c[2] = { { 0 }, { 0 } };
	struct buf out = BUF_INIT, text = BUF_INIT;
	const char *const *files = o->diff.files.items;
	bool is_read = diff_read_file(&c[0], files[0]);
	int code = CLI_EXIT_USAGE;

	if (is_read && o->diff.files.len == 2) {
		if (diff_read_file(&c[1], files[1]))
			code = compare(c, o, &out);
	} else if (is_read && c[0].subject != OF_SERVERS) {
		say(SNAPSHOT_REFUSED, files[0]);
	} else if (is_read) {
		code = client_open(&client, o);
		if (code == 0)
			code = client_add_snapshot(&client, &text);
		if (code == 0) {
			c[1].blob = blob_take_buf(&text);
			code =
			    diff_parse(&c[1], "the server") ? compare(c, o, &out) : CLI_EXIT_USAGE;
		}
	}
	buf_finish(&text);
	code = client_end(&client, o, code, &out);
	for (int side = 0; side < 2; side++) {
		json_doc_destroy(c[side].doc);
		blob_unref(c[side].blob);
	}
	return code;
}

/* `mcpane snapshot`: all that a server declares, as a file to commit and to compare with later. */

int
client_add_snapshot(struct client *c, struct buf *out)
{
	const struct server *s = client_server(c);
	const struct session_info *info = session_info(server_info(s)->session);
	struct buf json = BUF_INIT;
	struct json_writer w;

	/* a list that is not complete would look like tools that were removed */
	for (int kind = 0; kind < PRIMITIVE_KINDS; kind++) {
		const struct lister *l = &server_info(s)->lists[kind];
		if (!(c->lists >> kind & 1) || (!l->error[0] && !l->list.note[0]) ||
		    !lister_is_declared(l, server_info(s)->session))
			continue;
		client_fail(c, "the list of %s is not complete: %s", primitive_kinds[kind].plural,
		    l->error[0] ? l->error : l->list.note);
		return client_failure(c, !l->unanswered);
	}
	json_write_init(&w, &json);
	json_write_object(&w);
	json_write_member_int(&w, "snapshot", SNAPSHOT_VERSION);
	json_write_member_object(&w, "server");
	/* serverInfo can have members of any name; the session decides about these three */
	for (const cJSON *m = json_first(info->server_info); m; m = m->next)
		if (strcmp(m->string, "protocolVersion") != 0 &&
		    strcmp(m->string, "capabilities") != 0 &&
		    strcmp(m->string, "instructions") != 0)
			json_write_member_value(&w, m->string, m);
	json_write_member_string(&w, "protocolVersion", info->protocol);
	if (info->server_capabilities)
		json_write_member_value(&w, "capabilities", info->server_capabilities);
	if (info->instructions[0])
		json_write_member_string(&w, "instructions", info->instructions);
	json_write_object_end(&w);
	for (int kind = 0; kind < PRIMITIVE_KINDS; kind++) {
		if (!(c->lists >> kind & 1))
			continue;
		const struct primitive_list *list = &server_info(s)->lists[kind].list;
		json_write_member_array(&w, primitive_kinds[kind].list_member);
		for (size_t i = 0; i < list->len; i++)
			json_write_value(&w, list->items[i].definition);
		json_write_array_end(&w);
	}
	json_write_object_end(&w);
	struct json_options options = { .max_depth = 2000 };
	struct json_doc *doc = json_parse(buf_text(&json), json.len, &options, NULL);
	out->max = SNAPSHOT_MAX;
	if (doc)
		snapshot_print(out, json_root(doc));
	bool fits = doc && !out->overflowed;
	if (!fits)
		client_fail(c, "its definitions are %s for a snapshot",
		    doc ? "too large" : "nested too deeply");
	json_doc_destroy(doc);
	buf_finish(&json);
	return fits ? 0 : CLI_EXIT_USAGE;
}

static int
snapshot_write(struct client *c, const struct options *o, struct buf *out)
{
	const struct server_info *info = server_info(client_server(c));
	struct buf text = BUF_INIT;
	struct err err;
	int code = client_add_snapshot(c, &text);

	if (code == 0 && strcmp(o->call.file, "-") == 0) {
		buf_add(out, buf_text(&text), text.len);
	} else if (code == 0 && !path_write_file(o->call.file, buf_text(&text), text.len, &err)) {
		client_fail(c, "%s", err.text);
		code = CLI_EXIT_USAGE;
	} else if (code == 0) {
		buf_addf(out, "%s: ", o->call.file);
		for (int kind = 0, n = 0; kind < PRIMITIVE_KINDS; kind++)
			if (c->lists >> kind & 1) {
				size_t count = info->lists[kind].list.len;
				buf_addf(out, "%s%s %s", n++ > 0 ? ", " : "",
				    units_count(count).text,
				    count == 1 ? primitive_kinds[kind].name
					       : primitive_kinds[kind].plural);
			}
		buf_add_char(out, '\n');
	}
	buf_finish(&text);
	return code;
}

int
cli_snapshot(const struct options *o)
{
	struct client client = { .lists = SNAPSHOT_LISTS, .lists_declared = true };

	return client_run(&client, o, snapshot_write);
}
