#include "client.h"

#include "cli/print/print.h"
#include "json/write.h"

/* `mcpane servers`: the servers found, and where each comes from. None is started. */

/* A file that cannot be read is a row too, after the servers. */
struct row {
	const char *name, *client, *place, *also, *what, *state;
};

static struct row
row_of(const struct server_list *list, size_t i)
{
	static const char *const words[] = {
		[CHOICE_TYPED] = "--config",
		[CHOICE_OWN] = "mcpane",
		[CHOICE_PROJECT] = "this folder",
		[CHOICE_CLIENT] = "another client",
		[CHOICE_DEMO] = "built in",
	};

	if (i >= list->len) {
		const struct server_list_trouble *t = &list->troubles.items[i - list->len];
		return (struct row){ "", words[t->origin], t->path, NULL, t->why, "broken" };
	}
	const struct server_list_entry *e = &list->items[i];
	const struct target *t = &e->target;
	return (struct row){
		.name = t->name,
		.client = t->client ? t->client : words[e->origin],
		.place = t->place ? t->place : "",
		.also = t->also,
		.what = t->trouble ? t->trouble : t->label,
		.state = t->disabled                  ? "disabled"
			 : t->trouble                 ? "broken"
			 : server_list_is_approved(e) ? "ready"
						      : "asks first",
	};
}

static void
heading(const void *user, size_t column, struct buf *out)
{
	static const char *const names[] = { "NAME", "STATE", "FROM", "FILE", "COMMAND OR URL" };

	buf_add_str(out, names[column]);
}

static void
cell(const void *user, size_t row, size_t column, struct buf *out)
{
	struct row r = row_of(user, row);
	const char *const texts[] = { r.name, r.state, r.client, r.place, r.what };

	buf_add_str(out, texts[column]);
	if (column == 3 && r.also)
		buf_addf(out, " (also in %s)", r.also);
}

static void
print_json(const struct server_list *list, size_t rows, struct buf *out)
{
	struct json_writer w;

	json_write_init(&w, out);
	json_write_object(&w);
	json_write_member_array(&w, "servers");
	for (size_t i = 0; i < rows; i++) {
		struct row r = row_of(list, i);
		bool broken = i >= list->len || list->items[i].target.trouble;
		json_write_object(&w);
		json_write_member_string(&w, "name", r.name);
		json_write_member_string(&w, "state", r.state);
		json_write_member_string(&w, "from", r.client);
		json_write_member_string(&w, "file", r.place);
		if (r.also)
			json_write_member_string(&w, "also", r.also);
		json_write_member_string(&w, broken ? "trouble" : "runs", r.what);
		json_write_object_end(&w);
	}
	json_write_array_end(&w);
	json_write_object_end(&w);
}

int
cli_servers(const struct options *o)
{
	struct server_list list = { 0 };
	struct buf json = BUF_INIT, out = BUF_INIT;
	struct err err;

	if (!server_list_choose(&list, o, &err)) {
		say("%s", err.text);
		server_list_finish(&list);
		return CLI_EXIT_USAGE;
	}
	struct text_columns table = {
		.rows = list.len + list.troubles.len,
		.count = 5,
		.last_gives_way = true,
		.width = output_is_terminal() ? output_columns() : 0,
		.heading = heading,
		.cell = cell,
		.user = &list,
	};
	if (o->json || !output_is_terminal()) {
		print_json(&list, table.rows, &json);
		output_add_json(&out, &json, o->raw);
	} else if (table.rows > 0) {
		columns_print(&table, &out);
	} else {
		buf_add_str(&out, "No server is configured yet: mcpane --help");
	}
	int code = output_write(&out, o->raw);
	buf_finish(&json);
	buf_finish(&out);
	server_list_finish(&list);
	return code;
}
