#include "client.h"

#include "base/path.h"
#include "base/units.h"
#include "cli/print/print.h"
#include "data/snapshot.h"
#include "json/write.h"

#include <string.h>

/* `mcpane snapshot`: all that a server declares, as a file to commit and to compare with later. */

/* A server may give its information members of any name; these are not about it alone. */
static bool
is_ours(const char *name)
{
	return strcmp(name, "protocolVersion") == 0 || strcmp(name, "capabilities") == 0 ||
	       strcmp(name, "instructions") == 0;
}

static void
write_server(const struct session_info *info, struct json_writer *w)
{
	json_write_member_object(w, "server");
	for (const cJSON *m = json_first(info->server_info); m; m = m->next)
		if (!is_ours(m->string))
			json_write_member_value(w, m->string, m);
	json_write_member_string(w, "protocolVersion", info->protocol);
	if (info->server_capabilities)
		json_write_member_value(w, "capabilities", info->server_capabilities);
	if (info->instructions[0])
		json_write_member_string(w, "instructions", info->instructions);
	json_write_object_end(w);
}

static void
write_list(const struct server *s, enum primitive_kind kind, struct json_writer *w)
{
	const struct primitive_list *list = &server_info(s)->lists[kind].list;

	json_write_member_array(w, primitive_kinds[kind].list_member);
	for (size_t i = 0; i < list->len; i++)
		json_write_value(w, list->items[i].definition);
	json_write_array_end(w);
}

/* A list that is not complete would look like tools that went. */
static int
check_lists(struct client *c)
{
	for (int kind = 0; kind < PRIMITIVE_KINDS; kind++) {
		const struct lister *l = &server_info(client_server(c))->lists[kind];
		if (!(c->lists >> kind & 1) || (!l->error[0] && !l->list.note[0]) ||
		    !lister_is_declared(l, server_info(client_server(c))->session))
			continue;
		client_fail(c, "the list of %s is not complete: %s", primitive_kinds[kind].plural,
		    l->error[0] ? l->error : l->list.note);
		return client_failure(c, !l->unanswered);
	}
	return 0;
}

int
client_add_snapshot(struct client *c, struct buf *out)
{
	const struct server *s = client_server(c);
	struct buf json = BUF_INIT;
	struct json_writer w;
	int code = check_lists(c);

	if (code)
		return code;
	json_write_init(&w, &json);
	json_write_object(&w);
	json_write_member_int(&w, "snapshot", SNAPSHOT_VERSION);
	write_server(session_info(server_info(s)->session), &w);
	for (int kind = 0; kind < PRIMITIVE_KINDS; kind++)
		if (c->lists >> kind & 1)
			write_list(s, (enum primitive_kind)kind, &w);
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
write_file(struct client *c, const struct options *o, const struct buf *text, struct buf *out)
{
	const struct server_info *info = server_info(client_server(c));
	struct err err;

	if (strcmp(o->file, "-") == 0) {
		buf_add(out, buf_text(text), text->len);
		return 0;
	}
	if (!path_write_file(o->file, buf_text(text), text->len, &err)) {
		client_fail(c, "%s", err.text);
		return CLI_EXIT_USAGE;
	}
	buf_addf(out, "%s: ", o->file);
	for (int kind = 0, n = 0; kind < PRIMITIVE_KINDS; kind++)
		if (c->lists >> kind & 1) {
			size_t count = info->lists[kind].list.len;
			buf_addf(out, "%s%s %s", n++ > 0 ? ", " : "", units_count(count).text,
			    count == 1 ? primitive_kinds[kind].name : primitive_kinds[kind].plural);
		}
	buf_add_char(out, '\n');
	return 0;
}

int
cli_snapshot(const struct options *o)
{
	struct client client = { .lists = SNAPSHOT_LISTS, .lists_declared = true };
	struct buf out = BUF_INIT, text = BUF_INIT;
	int code = client_open(&client, o);

	if (code == 0)
		code = client_add_snapshot(&client, &text);
	if (code == 0)
		code = write_file(&client, o, &text, &out);
	buf_finish(&text);
	return client_end(&client, o, code, &out);
}
