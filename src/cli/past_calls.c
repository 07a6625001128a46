#include "client.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/path.h"
#include "base/units.h"
#include "cli/print/print.h"
#include "host/history.h"
#include "json/write.h"

#include <stdlib.h>
#include <string.h>

/* `mcpane history`: the calls that were kept. No server is started. */

struct past_calls {
	struct history *history;
	struct history_ids ids;
	struct history_call row; /* read last */
};

static const struct history_call *
row_at(struct past_calls *c, size_t row, bool whole)
{
	uint64_t id = c->ids.items[row];

	if (id != 0 && c->row.id == id && !whole)
		return &c->row;
	history_finish(&c->row);
	return history_host.find(c->history, id, whole, &c->row) ? &c->row : NULL;
}

static void
heading(const void *user, size_t column, struct buf *out)
{
	static const char *const names[] = { "TIME", "SERVER", "NAME", "VERDICT", "STATE", "MS",
		"ARGUMENTS" };

	buf_add_str(out, names[column]);
}

static void
cell(const void *user, size_t row, size_t column, struct buf *out)
{
	const struct history_call *h = row_at((struct past_calls *)user, row, false);

	if (!h)
		return; /* another program has dropped it meanwhile */
	const char *const texts[] = { NULL, h->server, h->uri ? h->uri : h->key,
		verdict_looks[h->verdict].name, call_state_names[h->state], NULL, h->arguments };
	if (column == 0)
		history_add_time(h, out);
	else if (column == 5)
		buf_addf(out, "%.1f", (double)h->took_us / 1000);
	else
		buf_add_str(out, texts[column]);
}

static bool
is_right(const void *user, size_t column)
{
	return column == 5;
}

static void
print_json(struct past_calls *c, struct buf *out)
{
	struct json_writer w;

	json_write_init(&w, out);
	json_write_object(&w);
	json_write_member_array(&w, "calls");
	for (size_t i = 0; i < c->ids.len; i++) {
		const struct history_call *h = row_at(c, i, true);
		struct buf text = BUF_INIT;
		if (h)
			history_add_json(h, false, &text);
		if (h)
			json_write_raw(&w, buf_text(&text), text.len);
		buf_finish(&text);
	}
	json_write_array_end(&w);
	json_write_object_end(&w);
}

static int
print(struct past_calls *c, const struct options *o)
{
	struct buf out = BUF_INIT, json = BUF_INIT;
	struct text_columns table = {
		.rows = c->ids.len,
		.count = 7,
		.last_gives_way = true,
		.width = output_is_terminal() ? output_columns() : 0,
		.heading = heading,
		.cell = cell,
		.is_right = is_right,
		.user = c,
	};

	if (o->json || !output_is_terminal()) {
		print_json(c, &json);
		output_add_json(&out, &json, o->raw);
	} else if (table.rows > 0) {
		columns_print(&table, &out);
	} else {
		buf_add_str(
		    &out, o->past.len > 0 ? "No call matches." : "No call has been made yet.");
	}
	int code = output_write(&out, o->raw);
	buf_finish(&json);
	buf_finish(&out);
	return code;
}

static void
on_told(void *user, const char *text)
{
	say("%s", text);
}

/* ---- keeping a call ---- */

/* "history", "history-size" or "history-days" with a value: what is wrong the screen says. */
static void
take_setting(struct history_options *options, const char *name, const char *value)
{
	if (strcmp(name, "history") == 0)
		options->off = strcmp(value, "off") == 0;
	else if (strcmp(name, "history-size") == 0)
		units_parse_size(value, &options->max_bytes);
	else if (strcmp(name, "history-days") == 0 && strlen(value) < 6 &&
		 strspn(value, "0123456789") == strlen(value))
		options->max_days = (int)strtol(value, NULL, 10);
}

/* A line of the user's configuration, "[set] NAME VALUE # comment". */
static void
take_line(struct history_options *options, const char *line, size_t len)
{
	const char *comment = memchr(line, '#', len);
	char *text = mem_strndup(line, comment ? (size_t)(comment - line) : len), *rest = NULL;
	char *name = strtok_r(text, " \t\r", &rest);

	if (name && strcmp(name, "set") == 0)
		name = strtok_r(NULL, " \t\r", &rest);
	const char *value = name ? strtok_r(NULL, " \t\r", &rest) : NULL;
	if (value)
		take_setting(options, name, value);
	free(text);
}

static void
read_settings(struct history_options *options)
{
	char *path = path_config("config");
	struct buf text = { .max = (size_t)1 << 20 };
	bool there;

	if (path && path_read_regular(path, &text, &there, NULL))
		for (const char *at = buf_text(&text); *at;) {
			size_t len = strcspn(at, "\n");
			take_line(options, at, len);
			at += len + (at[len] != '\0');
		}
	buf_finish(&text);
	free(path);
}

struct history *
client_open_history(const struct options *o)
{
	struct history_options options = { .off = o->no_history, .brief = true, .tell = on_told };

	if (!options.off)
		read_settings(&options);
	if (options.off)
		return NULL;
	struct history *history = history_create(&options);
	history_host.off(history);
	return history;
}

/* ---- printing them ---- */

static void
set_filter(struct filter *filter, const struct options *o)
{
	const struct filter_clock clock = { clock_wall_us(), clock_zone_s() };
	struct buf words = BUF_INIT;

	for (size_t i = 0; i < o->past.len; i++)
		buf_addf(&words, "%s%s", i > 0 ? " " : "", o->past.items[i]);
	filter_set(filter, history_words, buf_text(&words), &clock);
	buf_finish(&words);
}

int
cli_history(const struct options *o)
{
	struct past_calls calls = {
		.history = history_create(&(struct history_options){ .tell = on_told }),
	};
	struct filter filter = { 0 };
	const char *off = history_host.off(calls.history);
	int code = CLI_EXIT_USAGE;

	set_filter(&filter, o);
	if (off || filter.wrong.text[0]) {
		say("%s", off ? off : filter.wrong.text);
	} else {
		history_host.list(calls.history, &filter, NULL, &calls.ids);
		history_host.changes(calls.history); /* says what went wrong */
		code = print(&calls, o);
	}
	filter_finish(&filter);
	history_finish(&calls.row);
	free(calls.ids.items);
	history_destroy(calls.history);
	return code;
}
