/* SPDX-License-Identifier: MIT */
#include "base/glyph.h"
#include "base/mem.h"
#include "json/print.h"
#include "pane/pane.h"
#include "test.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>

/* The pane on its own desk with a simulated server: keys in, screen and arguments out. */
struct scene {
	struct workspace ws;
	struct server *server;
	const char *schema;
	struct buf sent; /* lines the server has not answered yet */
	struct form *form;
	struct pane_host host;
	struct view_env env;
	void *state;
	struct grid grid;
	struct buf screen;
	char ran[64];
	char said[256];
	struct buf why; /* the actions that were refused */
};

static bool
on_run(struct workbench *user, const char *command_line)
{
	struct scene *s = (struct scene *)user;

	strncpy(s->ran, command_line, sizeof(s->ran) - 1);
	for (const struct view_action *a = pane_form.actions; a->name; a++)
		if (strcmp(a->name, command_line) == 0)
			return a->run(s->state, &s->env, "");
	return true;
}

static void
on_say(struct workbench *user, enum role role, const char *text)
{
	struct scene *s = (struct scene *)user;

	strncpy(s->said, text, sizeof(s->said) - 1);
}

static void
on_send(void *user, const struct outbound *message)
{
	struct scene *s = user;

	buf_add(&s->sent, message->line, message->len);
	buf_add_char(&s->sent, '\n');
}

static void
reply(struct scene *s, const char *id, const char *method)
{
	struct buf out = BUF_INIT;

	buf_addf(&out, "{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":", id);
	if (strcmp(method, "initialize") == 0)
		buf_add_str(&out,
		    "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{\"tools\":{}},"
		    "\"serverInfo\":{\"name\":\"s\",\"version\":\"1\"}}}");
	else if (strcmp(method, "tools/list") == 0)
		buf_addf(&out,
		    "{\"tools\":[{\"name\":\"tool\",\"description\":\"Does it.\",\"annotations\":"
		    "{\"readOnlyHint\":true,\"idempotentHint\":true},\"inputSchema\":%s},"
		    "{\"name\":\"broken\"},{\"name\":\"odd\",\"annotations\":1,"
		    "\"inputSchema\":{\"type\":\"object\"}}]}}",
		    s->schema);
	else
		buf_add_str(&out, "{\"content\":[]}}");
	server_on_line(s->server, blob_take_buf(&out), 0, 1);
}

/* Answer all sent requests, and those that the answers cause. */
static void
serve(struct scene *s)
{
	while (s->sent.len > 0) {
		size_t len = strcspn(s->sent.data, "\n");
		struct json_doc *doc = json_parse(s->sent.data, len, NULL, NULL);
		struct buf id = BUF_INIT;
		assert_non_null(doc);
		buf_consume(&s->sent, len + 1);
		const cJSON *root = json_root(doc);
		json_print(&id, json_get(root, "id"));
		if (json_get(root, "id"))
			reply(s, buf_text(&id), json_get_string(root, "method"));
		buf_finish(&id);
		json_doc_destroy(doc);
	}
}

static void
open_scene(struct scene *s, const char *schema, int width, int height)
{
	struct server_options options = { .session = { .era = ERA_LEGACY } };

	memset(s, 0, sizeof(*s));
	s->schema = schema;
	s->server = server_create("s", "s", &options, on_send, s);
	server_start(s->server, 0);
	serve(s);
	workspace_init(&s->ws);
	workspace_set_server(&s->ws, s->server);
	assert_true(workspace_select_name(&s->ws, PRIMITIVE_TOOL, "tool"));
	s->form = s->ws.desk->form;
	assert_non_null(s->form);
	s->host = (struct pane_host){ .run = on_run, .say = on_say };
	s->env = (struct view_env){ .ws = &s->ws,
		.host = &s->host,
		.user = (struct workbench *)s,
		.why = &s->why,
		.focused = true };
	s->state = mem_zalloc(pane_form.state_size);
	pane_form.init(s->state);
	grid_init(&s->grid, width, height);
}

static void
close_scene(struct scene *s)
{
	pane_form.finish(s->state);
	free(s->state);
	workspace_finish(&s->ws);
	server_destroy(s->server);
	grid_finish(&s->grid);
	buf_finish(&s->screen);
	buf_finish(&s->sent);
	buf_finish(&s->why);
}

static const char *
draw(struct scene *s)
{
	struct surface whole = surface_whole(&s->grid);

	surface_clear(whole, style_of(ROLE_TEXT));
	pane_form.sync(s->state, &s->env);
	struct surface inner = surface_sub(whole, 2, 0, whole.width - 4, whole.height);
	assert_true(pane_form.want(s->state, &s->env, inner.width) > 0);
	pane_form.draw(s->state, &s->env, inner);
	pane_form.pop_up(s->state, &s->env, whole, inner);
	buf_clear(&s->screen);
	grid_to_text(&s->grid, &s->screen);
	return buf_text(&s->screen);
}

static void
shows(struct scene *s, const char *text)
{
	if (!strstr(draw(s), text))
		fail_msg("\"%s\" is not on the screen:\n%s", text, buf_text(&s->screen));
}

static void
shows_not(struct scene *s, const char *text)
{
	if (strstr(draw(s), text))
		fail_msg("\"%s\" is on the screen:\n%s", text, buf_text(&s->screen));
}

static bool
press(struct scene *s, struct key key)
{
	bool captured = pane_form.captures(s->state);
	bool used = false;

	draw(s);
	captured |= s->env.typing;
	for (const struct view_action *a = pane_form.actions; !captured && a->name; a++) {
		for (const char *at = a->keys; *(at += strspn(at, " ")); at += strcspn(at, " ")) {
			char name[16] = "";
			struct key bound;
			memcpy(name, at, strcspn(at, " "));
			assert_true(key_from_name(&bound, name));
			if (key_equal(&bound, &key))
				return a->run(s->state, &s->env, "");
		}
	}
	used = pane_form.key(s->state, &s->env, &key);
	draw(s);
	return used;
}

/* "down enter x"... or text between quotes, typed. Letters without quotes are commands, as after
 * Esc. */
static void
keys(struct scene *s, const char *script)
{
	while (*(script += strspn(script, " "))) {
		if (*script == '\'') {
			for (script++; *script && *script != '\''; script++) {
				draw(s);
				s->env.typing = pane_form.types(s->state);
				press(s,
				    (struct key){ .kind = KEY_CHAR, .ch = (unsigned char)*script });
				s->env.typing = false;
			}
			script += *script == '\'';
			continue;
		}
		char name[16] = "";
		struct key key;
		size_t len = strcspn(script, " ");
		memcpy(name, script, len);
		script += len;
		if (!key_from_name(&key, name))
			fail_msg("no key is called %s", name);
		press(s, key);
	}
}

static void
click(struct scene *s, const char *text)
{
	const char *screen = draw(s);
	const char *found = strstr(screen, text);
	int y = 0;

	if (!found)
		fail_msg("nothing to click on: %s\n%s", text, screen);
	const char *line = screen;
	for (const char *c = screen; c < found; c++)
		if (*c == '\n') {
			y++;
			line = c + 1;
		}
	int x = (int)glyph_columns(line, (size_t)(found - line)) - 2;
	press(s,
	    (struct key){ .kind = KEY_MOUSE, .action = MOUSE_PRESS, .button = 1, .x = x, .y = y });
}

static void
sends(struct scene *s, const char *expected)
{
	struct buf out = BUF_INIT;

	form_to_json(s->form, &out);
	assert_string_equal(buf_text(&out), expected);
	buf_finish(&out);
}

static const char users[] =
    "{\"type\":\"object\",\"required\":[\"name\"],\"properties\":{"
    "\"name\":{\"type\":\"string\",\"description\":\"Who it is about\"},"
    "\"role\":{\"enum\":[\"admin\",\"editor\",\"viewer\"],\"description\":\"Filter by role\"},"
    "\"limit\":{\"type\":\"integer\",\"minimum\":1,\"maximum\":500,\"default\":50},"
    "\"deep\":{\"type\":\"boolean\"},\"note\":{\"type\":[\"string\",\"null\"]},"
    "\"tags\":{\"type\":\"array\",\"items\":{\"type\":\"string\"}},"
    "\"where\":{\"type\":\"object\",\"properties\":{\"street\":{\"type\":\"string\"},\"any\":{}}}}"
    "}";

static void
test_first_look(void **state)
{
	struct scene s;
	open_scene(&s, users, 100, 14);
	shows(&s, "name *     required");
	shows(&s, "string, required · Who it is about"); /* what cannot be cut comes first */
	shows(&s, "role       omitted");
	shows(&s, "limit      default 50");
	shows(&s, "integer 1…500, default 50");
	shows(&s, "Call F5");
	shows(&s, "$EDITOR");
	shows_not(&s, "problem"); /* no request was sent yet */
	sends(&s, "{}");
	close_scene(&s);
}

static void
test_typing(void **state)
{
	struct scene s;
	open_scene(&s, users, 100, 14);
	keys(&s, "enter 'Al ice j' enter down '120'");
	shows(&s, "Al ice j");
	sends(&s, "{\"name\":\"Al ice j\",\"limit\":120}"); /* sent even while it is typed */
	assert_true(pane_form.captures(s.state));
	keys(&s, "0 0");
	sends(&s, "{\"name\":\"Al ice j\",\"limit\":12000}");
	keys(&s, "esc");
	assert_false(pane_form.captures(s.state));
	shows(&s, "✗ expected at most 500");
	keys(&s, "enter ctrl-u '1.10x' esc");
	shows(&s, "✗ not a number: would be sent as a string");
	sends(&s, "{\"name\":\"Al ice j\",\"limit\":\"1.10x\"}");
	keys(&s, "enter ctrl-u esc"); /* nothing: left out */
	sends(&s, "{\"name\":\"Al ice j\"}");
	keys(&s, "up up enter ctrl-u esc");
	sends(&s, "{\"name\":\"\"}");
	shows(&s, "\"\"");
	close_scene(&s);
}

static void
test_command_from_within_a_text(void **state)
{
	struct scene s;
	open_scene(&s, users, 100, 14);
	keys(&s, "enter 'q:?'");
	assert_false(press(&s, (struct key){ .kind = KEY_F, .ch = 5 })); /* for the binding */
	assert_false(pane_form.captures(s.state));
	sends(&s, "{\"name\":\"q:?\"}");
	close_scene(&s);
}

static void
test_choices_and_states(void **state)
{
	struct scene s;
	open_scene(&s, users, 100, 14);
	keys(&s, "down right right");
	sends(&s, "{\"role\":\"editor\"}");
	keys(&s, "left left"); /* round */
	sends(&s, "{\"role\":\"viewer\"}");
	keys(&s, "enter");
	assert_true(pane_form.captures(s.state));
	shows(&s, "admin");
	keys(&s, "'a' enter");
	sends(&s, "{\"role\":\"admin\"}");
	keys(&s, "enter home enter");
	sends(&s, "{}");
	keys(&s, "down down space");
	sends(&s, "{\"deep\":true}");
	keys(&s, "space");
	sends(&s, "{\"deep\":false}");
	keys(&s, "o down o");
	sends(&s, "{\"note\":\"\"}");
	keys(&s, "o");
	sends(&s, "{\"note\":null}");
	shows(&s, "null");
	keys(&s, "o");
	sends(&s, "{}");
	close_scene(&s);
}

static const char zones[] =
    "{\"properties\":{\"zone\":{\"enum\":[\"Zone/000\",\"Zone/046\",\"Zone/047\",\"47 north\"]},"
    "\"many\":{\"type\":\"array\",\"items\":{\"enum\":[\"html\",\"json\",\"links\"]}},"
    "\"any\":{\"default\":null},\"on\":{\"type\":\"boolean\",\"default\":true},"
    "\"mix\":{\"type\":[\"boolean\",\"string\"]}}}";

static void
test_choices_by_typing(void **state)
{
	struct scene s;
	open_scene(&s, zones, 100, 20);

	keys(&s, "enter '47'");
	shows(&s, "/ 47");
	shows_not(&s, "Zone/000");
	keys(&s, "enter");
	sends(&s, "{\"zone\":\"47 north\"}"); /* starts with it */
	keys(&s, "enter '/04' down enter");
	sends(&s, "{\"zone\":\"Zone/047\"}");
	keys(&s, "enter 'nowhere'");
	shows(&s, "no choice contains this text");
	keys(&s, "enter esc"); /* typed text is discarded first */
	shows(&s, "Zone/000");
	keys(&s, "esc");
	assert_false(pane_form.captures(s.state));
	sends(&s, "{\"zone\":\"Zone/047\"}");
	close_scene(&s);
}

static void
test_ticks(void **state)
{
	struct scene s;
	open_scene(&s, zones, 100, 20);

	keys(&s, "down enter space down down space");
	shows(&s, "[x] links");
	keys(&s, "enter"); /* done: nothing is unticked */
	assert_false(pane_form.captures(s.state));
	sends(&s, "{\"many\":[\"html\",\"links\"]}");
	keys(&s, "enter 'js' space enter");
	sends(&s, "{\"many\":[\"html\",\"links\",\"json\"]}");
	close_scene(&s);
}

static void
test_starting_from_a_default(void **state)
{
	struct scene s;
	open_scene(&s, zones, 100, 20);

	shows(&s, "default null");
	shows(&s, "default true");
	keys(&s, "down down enter '[1]' esc"); /* not "null[1]" */
	sends(&s, "{\"any\":[1]}");
	keys(&s, "u down space"); /* from the default to its opposite */
	sends(&s, "{\"on\":false}");
	keys(&s, "down enter"); /* types in the schema's order */
	const char *screen = draw(&s);
	assert_true(strstr(strstr(screen, "mix"), "true or false") <
		    strstr(strstr(screen, "mix"), "string"));
	close_scene(&s);
}

static void
test_hidden_rows_have_a_bar(void **state)
{
	struct scene s;

	for (int height = 5; height < 14; height++) {
		open_scene(&s, users, 60, height); /* facts under the selected field */
		draw(&s);
		bool all = strstr(buf_text(&s.screen), "where") != NULL;
		assert_int_equal(strstr(buf_text(&s.screen), "┃") == NULL, all);
		close_scene(&s);
	}
}

static void
test_required_stays_marked(void **state)
{
	struct scene s;
	open_scene(&s,
	    "{\"required\":[\"nextThoughtNeeded\"],\"properties\":{\"nextThoughtNeeded\":{\"type\":"
	    "\"boolean\"}}}",
	    60, 8);
	shows(&s, "… *");
	close_scene(&s);
}

static void
test_items(void **state)
{
	struct scene s;
	open_scene(&s, users, 100, 20);
	keys(&s, "down down down down down enter");
	shows(&s, "▾ 0 items");
	shows(&s, "+ add");
	keys(&s, "down enter 'one' esc a 'two' esc");
	sends(&s, "{\"tags\":[\"one\",\"two\"]}");
	keys(&s, "alt-up");
	sends(&s, "{\"tags\":[\"two\",\"one\"]}");
	keys(&s, "delete");
	sends(&s, "{\"tags\":[\"one\"]}");
	shows(&s, "▾ 1 item ");
	keys(&s, "up left");
	shows(&s, "▸ 1 item ");
	shows_not(&s, "+ add");
	keys(&s, "delete");
	assert_true(s.why.len > 0);
	keys(&s, "down enter"); /* an object */
	shows(&s, "street");
	keys(&s, "down v");
	shows(&s, "omitted");
	keys(&s, "enter '{' esc");
	shows(&s, "✗ not JSON, line 1 column 2");
	close_scene(&s);
}

static void
test_json_as_a_whole(void **state)
{
	struct scene s;
	open_scene(&s, users, 100, 20);
	keys(&s, "down down enter enter"); /* Enter takes the default */
	sends(&s, "{\"limit\":50}");
	keys(&s, "J");
	shows(&s, "\"limit\": 50");
	keys(&s, "up down end ', 5'"); /* the first line is not left upwards */
	shows(&s, "✗ not JSON, line 2 column");
	keys(&s, "esc");
	assert_string_not_equal(s.said, "");
	shows(&s, "\"limit\": 50, 5");
	keys(&s, "enter ctrl-home");
	for (int i = 0; i < 40; i++)
		keys(&s, "delete");
	keys(&s, "'{\"deep\":true,\"new\":1.50}' esc");
	sends(&s, "{\"deep\":true,\"new\":1.50}");
	shows(&s, "not in the schema");
	close_scene(&s);
}

static void
test_buttons(void **state)
{
	struct scene s;
	open_scene(&s, users, 100, 14);
	keys(&s, "end enter");
	assert_string_equal(s.ran, "call");
	keys(&s, "right right right enter");
	assert_string_equal(s.ran, "edit");
	keys(&s, "right right enter");
	assert_string_equal(s.ran, "saved");
	keys(&s, "up up up"); /* back into the rows */
	click(&s, "Saved");
	assert_string_equal(s.ran, "saved");
	click(&s, "Call F5");
	assert_string_equal(s.ran, "call");
	close_scene(&s);
	open_scene(&s, "{\"type\":\"object\"}", 60, 6);
	shows(&s, "takes no arguments");
	keys(&s, "up down enter");
	assert_string_equal(s.ran, "call");
	close_scene(&s);
}

static void
place_of(struct scene *s, const char *text, int *x, int *y)
{
	const char *screen = draw(s), *found = strstr(screen, text), *line = screen;

	if (!found)
		fail_msg("\"%s\" is not on the screen:\n%s", text, screen);
	*y = 0;
	for (const char *c = screen; c < found; c++)
		if (*c == '\n') {
			++*y;
			line = c + 1;
		}
	*x = (int)glyph_columns(line, (size_t)(found - line));
}

/* Directly below the fields, at the column of the values; a hint that wraps moves nothing. */
static void
test_buttons_rest(void **state)
{
	int x, y, value_x, value_y, at_x, at_y;
	struct scene s;

	for (int width = 64; width <= 124; width += 12) {
		open_scene(&s, users, width, 40);
		place_of(&s, " Call F5", &x, &y);
		place_of(&s, " default 50", &value_x, &value_y);
		assert_int_equal(x, value_x);
		place_of(&s, "where", &value_x, &value_y);
		assert_in_range(y - value_y, 1, 4);
		for (int i = 0; i < 8; i++) {
			keys(&s, "down");
			place_of(&s, " Call F5", &at_x, &at_y);
			assert_int_equal(at_y, y);
		}
		close_scene(&s);
	}
	open_scene(&s, users, 100, 12); /* the same in a low pane and in a high one */
	place_of(&s, " Call F5", &x, &y);
	close_scene(&s);
	open_scene(&s, users, 100, 60);
	place_of(&s, " Call F5", &at_x, &at_y);
	assert_int_equal(at_y, y);
	close_scene(&s);
}

static void
test_wheel_ends_with_the_last_row(void **state)
{
	static const struct key wheel = { .kind = KEY_MOUSE, .action = MOUSE_WHEEL_DOWN };
	struct scene s;

	open_scene(&s, users, 100, 14);
	press(&s, wheel);
	shows(&s, "name *"); /* all rows fit: there is nothing to scroll */
	close_scene(&s);
	open_scene(&s, users, 100, 7);
	for (int i = 0; i < 5; i++)
		press(&s, wheel);
	shows(&s, "tags");
	shows(&s, "where");
	shows(&s, "┃");
	close_scene(&s);
}

static void
test_mouse(void **state)
{
	struct scene s;
	open_scene(&s, users, 100, 14);
	click(&s, "required ");
	assert_true(pane_form.captures(s.state));
	keys(&s, "'yx'");
	click(&s, "x "); /* into the text */
	keys(&s, "backspace");
	click(&s, "omitted"); /* the role: its menu opens */
	sends(&s, "{\"name\":\"x\"}");
	click(&s, "editor");
	sends(&s, "{\"name\":\"x\",\"role\":\"editor\"}");
	close_scene(&s);
}

/* Dates are checked while one types, and changed a part at a time. */
static void
test_moments(void **state)
{
	struct scene s;
	open_scene(&s,
	    "{\"type\":\"object\",\"properties\":{"
	    "\"day\":{\"type\":\"string\",\"format\":\"date\"},"
	    "\"at\":{\"type\":\"string\",\"format\":\"date-time\",\"examples\":[\"now\"]},"
	    "\"word\":{\"type\":\"string\",\"format\":\"email\"}}}",
	    120, 14);
	server_set_clock(s.server, INT64_C(1784548800000000), 7200);
	shows_not(&s, "Ctrl-N");
	keys(&s, "enter");
	shows(&s, "Ctrl-N today, ↑↓");
	assert_non_null(strstr(pane_form.captures(s.state), "Ctrl-N now"));
	keys(&s, "'2026-02-3'");
	shows(&s, "✗ ");
	keys(&s, "'0'");
	shows(&s, "✗ "); /* no such day */
	keys(&s, "backspace backspace '28'");
	shows_not(&s, "✗");
	keys(&s, "up");
	sends(&s, "{\"day\":\"2026-03-01\"}");
	keys(&s, "left left left down"); /* the month */
	sends(&s, "{\"day\":\"2026-02-01\"}");
	keys(&s, "ctrl-n");
	sends(&s, "{\"day\":\"2026-07-20\"}");
	keys(&s, "tab");
	shows(&s, "Ctrl-N now");
	keys(&s, "ctrl-n");
	sends(&s, "{\"day\":\"2026-07-20\",\"at\":\"2026-07-20T14:00:00+02:00\"}");
	keys(&s, "down"); /* after the offset: the minute */
	sends(&s, "{\"day\":\"2026-07-20\",\"at\":\"2026-07-20T13:59:00+02:00\"}");
	keys(&s, "backspace down esc"); /* no moment: the arrow leaves the field */
	assert_null(pane_form.captures(s.state));
	keys(&s, "enter");
	shows_not(&s, "Ctrl-N");
	close_scene(&s);
}

static void
test_marks(void **state)
{
	struct scene s;
	open_scene(&s,
	    "{\"type\":\"object\",\"required\":[\"id\"],\"properties\":{"
	    "\"id\":{\"type\":\"string\",\"readOnly\":true},"
	    "\"old\":{\"type\":\"string\",\"deprecated\":true},"
	    "\"both\":{\"type\":\"string\",\"deprecated\":true,\"readOnly\":true},"
	    "\"new\":{\"type\":\"string\",\"deprecated\":false}}}",
	    100, 14);
	shows(&s, "id * =     required");
	shows(&s, "old ×      omitted");
	shows(&s, "both = ×   omitted");
	shows(&s, "new        omitted");
	close_scene(&s);
}

static void
test_last_call(void **state)
{
	struct scene s;
	static const char arguments[] = "{\"name\":\"Z\",\"limit\":1.0,\"x\":[]}";
	open_scene(&s, users, 100, 14);
	keys(&s, "b");
	assert_string_equal(buf_text(&s.why), "nothing has been called yet");
	assert_int_not_equal(
	    server_ask(s.server, workspace_primitive(&s.ws), arguments, strlen(arguments), 2, NULL),
	    0);
	serve(&s);
	keys(&s, "enter 'mine' enter b");
	sends(&s, arguments);
	assert_non_null(strstr(s.said, "u restores your values"));
	keys(&s, "u");
	sends(&s, "{\"name\":\"mine\"}");
	keys(&s, "U");
	sends(&s, arguments);
	close_scene(&s);
}

static void
test_frame(void **state)
{
	struct scene s;
	struct buf title = BUF_INIT, facts = BUF_INIT;
	open_scene(&s, users, 100, 14);
	shows(&s, "Does it.");
	pane_form.heading(s.state, &s.env, &title, &facts);
	assert_string_equal(buf_text(&title), "tool");
	assert_string_equal(buf_text(&facts), "definition F2   hints: read-only · idempotent");
	buf_finish(&title);
	buf_finish(&facts);
	close_scene(&s);
}

static void
test_problems(void **state)
{
	struct scene s;
	open_scene(&s, users, 100, 14);
	form_check(s.form); /* as a call does */
	shows(&s, "✗ required");
	shows(&s, "$EDITOR    Saved   ✗ 1 problem\n");
	keys(&s, "end n");
	keys(&s, "enter 'x' enter");
	shows_not(&s, "✗");
	close_scene(&s);
}

static void
test_narrow(void **state)
{
	struct scene s;
	open_scene(&s, users, 44, 14);
	shows(&s, "string, required · Who it is"); /* of the selected field, under it */
	shows_not(&s, "integer 1…500");
	keys(&s, "down down");
	shows(&s, "integer 1…500");
	for (int width = 1; width < 60; width++)
		for (int height = 1; height < 12; height += 3) {
			grid_finish(&s.grid);
			grid_init(&s.grid, width, height);
			draw(&s);
		}
	close_scene(&s);
}

static void
test_ten_thousand_items(void **state)
{
	struct scene s;
	open_scene(&s, users, 100, 20);
	struct buf json = BUF_INIT;
	buf_add_str(&json, "{\"tags\":[\"0\"");
	for (int i = 1; i < 10000; i++)
		buf_addf(&json, ",\"%d\"", i);
	buf_add_str(&json, "]}");
	assert_true(form_load_json(s.form, buf_text(&json), json.len, NULL));
	buf_finish(&json);
	shows(&s, "▾ 10000 items");
	keys(&s, "end up up");
	shows(&s, "+ add");
	shows(&s, "[9999]");
	keys(&s, "pageup up");
	shows(&s, "[9990]");
	close_scene(&s);
}

static void
test_another_desk(void **state)
{
	struct scene s;
	open_scene(&s, users, 100, 14);
	keys(&s, "down down enter '7'");
	assert_true(workspace_select_name(&s.ws, PRIMITIVE_TOOL, "broken"));
	shows(&s, "✗ the tool has no inputSchema");
	shows(&s, "J edits the arguments as JSON");
	keys(&s, "J '\"a\":1' esc");
	struct buf sent = BUF_INIT;
	form_to_json(s.ws.desk->form, &sent);
	assert_string_equal(buf_text(&sent), "{\"a\":1}");
	buf_finish(&sent);
	assert_true(workspace_select_name(&s.ws, PRIMITIVE_TOOL, "odd"));
	shows(&s, "✗ annotations must be an object, but is of type number");
	assert_false(pane_form.captures(s.state));
	keys(&s, "enter J b u U n o a delete");
	struct desk *none = s.ws.desk;
	s.ws.desk = NULL;
	shows(&s, "nothing is selected");
	s.ws.desk = none;
	assert_true(workspace_select_name(&s.ws, PRIMITIVE_TOOL, "tool"));
	shows(&s, "7 "); /* typed text is still there */
	close_scene(&s);
}

/* Letters are text wherever the focus is; none of them can be a command. */
static void
test_typing_without_enter(void **state)
{
	struct scene s;
	open_scene(&s, users, 100, 14);
	keys(&s, "'Carol rX/q'");
	sends(&s, "{\"name\":\"Carol rX/q\"}");
	keys(&s, "esc 'Xavier' esc"); /* typing replaces the value */
	sends(&s, "{\"name\":\"Xavier\"}");
	keys(&s, "enter ' II' down"); /* Enter continues with it */
	sends(&s, "{\"name\":\"Xavier II\"}");
	keys(&s, "'v'"); /* a choice is looked up */
	shows(&s, "/ v");
	keys(&s, "enter down '7' down 'rxCq'");
	sends(&s, "{\"name\":\"Xavier II\",\"role\":\"viewer\",\"limit\":7}");
	assert_string_equal(s.ran, "");
	assert_non_null(strstr(buf_text(&s.why), "letters are text"));
	keys(&s, "end 'r'"); /* nor on a button */
	assert_string_equal(s.ran, "");
	close_scene(&s);
}

/* Tab, Enter and the arrows lead from a text that is edited into the next one. */
static void
test_from_field_to_field(void **state)
{
	struct scene s;
	open_scene(&s,
	    "{\"required\":[\"a\"],\"properties\":{\"a\":{\"type\":\"string\"},\"b\":{\"type\":"
	    "\"integer\",\"default\":50},\"day\":{\"type\":\"string\",\"format\":\"date\","
	    "\"default\":"
	    "\"2026-02-28\"},\"on\":{\"type\":\"boolean\"},\"z\":{\"type\":\"string\"}}}",
	    100, 14);
	keys(&s, "'x' tab '7' enter down"); /* past a date, which the arrow does not change */
	sends(&s, "{\"a\":\"x\",\"b\":7}");
	keys(&s, "tab 'last' shift-tab up up '8' up 'first' esc");
	sends(&s, "{\"a\":\"first\",\"b\":8,\"z\":\"last\"}");
	keys(&s, "u");
	sends(&s, "{\"a\":\"x\",\"b\":8,\"z\":\"last\"}");        /* each field is undone alone */
	assert_false(press(&s, (struct key){ .kind = KEY_TAB })); /* leads out of the form */
	keys(&s, "enter end backspace '9' enter '51' enter");     /* End keeps the existing value */
	sends(&s, "{\"a\":\"9\",\"b\":51,\"z\":\"last\"}");
	keys(&s, "tab tab tab"); /* the last field, then the buttons, then out */
	assert_false(press(&s, (struct key){ .kind = KEY_TAB }));
	close_scene(&s);
}

/* Tab leaves a field of any kind for the next one; otherwise the next letters would be commands. */
static void
test_tab_stays_among_fields(void **state)
{
	struct scene s;
	open_scene(&s,
	    "{\"properties\":{\"on\":{\"type\":\"boolean\"},\"kind\":{\"enum\":[\"ab\",\"cd\","
	    "\"ce\"]},\"other\":{\"enum\":[\"x\",\"y\"]},\"z\":{\"type\":\"string\"}}}",
	    100, 14);
	assert_false(press(&s, (struct key){ .kind = KEY_TAB })); /* nothing was used yet */
	assert_false(pane_form.fills(s.state));
	keys(&s, "'x'"); /* not taken */
	assert_true(pane_form.fills(s.state));
	keys(&s, "tab 'c' down tab"); /* the entry that the user went to */
	sends(&s, "{\"kind\":\"ce\"}");
	/* an open list closes without a change if the selection did not move */
	keys(&s, "enter tab 'text'");
	sends(&s, "{\"kind\":\"ce\",\"z\":\"text\"}");
	keys(&s, "shift-tab enter 'x' shift-tab enter 'none' tab");
	sends(&s, "{\"kind\":\"ce\",\"other\":\"x\",\"z\":\"text\"}");
	keys(&s, "esc home");
	assert_false(press(&s, (struct key){ .kind = KEY_TAB }));
	keys(&s, "right tab"); /* an arrow chose */
	sends(&s, "{\"on\":true,\"kind\":\"ce\",\"other\":\"x\",\"z\":\"text\"}");
	assert_true(pane_form.fills(s.state));
	close_scene(&s);
}

/* An empty array cannot be folded: Enter adds the missing item. */
static void
test_enter_adds_to_an_empty_array(void **state)
{
	struct scene s;
	open_scene(&s,
	    "{\"required\":[\"all\"],\"properties\":{\"all\":{\"type\":\"array\",\"items\":{"
	    "\"type\":"
	    "\"object\",\"properties\":{\"x\":{\"type\":\"string\"}}}},\"more\":{\"type\":"
	    "\"array\","
	    "\"items\":{\"type\":\"string\"}}}}",
	    100, 14);
	keys(&s, "enter 'first' tab tab"); /* past + add */
	sends(&s, "{\"all\":[{\"x\":\"first\"}]}");
	keys(&s, "enter");
	sends(&s, "{\"all\":[{\"x\":\"first\"}],\"more\":[]}");
	keys(&s, "enter 'second' esc home enter"); /* folds */
	shows_not(&s, "first");
	sends(&s, "{\"all\":[{\"x\":\"first\"}],\"more\":[\"second\"]}");
	close_scene(&s);
}

/* A default is only proposed: typing replaces it, a key that moves keeps it. */
static void
test_default_is_replaced(void **state)
{
	struct scene s;
	open_scene(&s, users, 100, 14);
	keys(&s, "down down enter '7'");
	sends(&s, "{\"limit\":7}");
	keys(&s, "ctrl-z");
	shows(&s, " 50 ");
	keys(&s, "esc u enter end '7'");
	sends(&s, "{\"limit\":507}");
	keys(&s, "esc u enter backspace '3'");
	sends(&s, "{\"limit\":3}");
	close_scene(&s);
}

TEST_FILE(form_pane)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_first_look),
		cmocka_unit_test(test_typing),
		cmocka_unit_test(test_command_from_within_a_text),
		cmocka_unit_test(test_choices_and_states),
		cmocka_unit_test(test_choices_by_typing),
		cmocka_unit_test(test_ticks),
		cmocka_unit_test(test_starting_from_a_default),
		cmocka_unit_test(test_hidden_rows_have_a_bar),
		cmocka_unit_test(test_required_stays_marked),
		cmocka_unit_test(test_items),
		cmocka_unit_test(test_json_as_a_whole),
		cmocka_unit_test(test_buttons),
		cmocka_unit_test(test_buttons_rest),
		cmocka_unit_test(test_wheel_ends_with_the_last_row),
		cmocka_unit_test(test_mouse),
		cmocka_unit_test(test_moments),
		cmocka_unit_test(test_marks),
		cmocka_unit_test(test_last_call),
		cmocka_unit_test(test_frame),
		cmocka_unit_test(test_problems),
		cmocka_unit_test(test_narrow),
		cmocka_unit_test(test_ten_thousand_items),
		cmocka_unit_test(test_another_desk),
		cmocka_unit_test(test_typing_without_enter),
		cmocka_unit_test(test_from_field_to_field),
		cmocka_unit_test(test_tab_stays_among_fields),
		cmocka_unit_test(test_enter_adds_to_an_empty_array),
		cmocka_unit_test(test_default_is_replaced),
	};

	setlocale(LC_ALL, "C.UTF-8");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
