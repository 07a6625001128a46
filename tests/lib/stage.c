/* SPDX-License-Identifier: MIT */
#include "stage.h"

#include "host/target.h"

#include "base/mem.h"
#include "host/media_decoder.h"
#include "json/print.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void
on_send(void *user, const struct outbound *message)
{
	struct stage *s = user;

	demo_on_bytes(s->demo, message->line, message->len);
	demo_on_bytes(s->demo, "\n", 1);
}

void
stage_answer(struct stage *s, const char *members)
{
	buf_clear(&s->answer);
	buf_add_str(&s->answer, members);
}

void
stage_stderr(struct stage *s, const char *line)
{
	server_on_stderr(s->server, line, strlen(line), s->now_us);
	server_on_stderr(s->server, "\n", 1, s->now_us);
}

static struct blob *
line_of(struct stage *s, const char *line, size_t len)
{
	struct json_doc *doc = s->answer.len > 0 ? json_parse(line, len, NULL, NULL) : NULL;
	const cJSON *id = json_get(doc ? json_root(doc) : NULL, "id");
	bool is_reply = id && !json_get(json_root(doc), "method");
	struct buf answer = BUF_INIT;

	if (is_reply) {
		buf_add_str(&answer, "{\"jsonrpc\":\"2.0\",\"id\":");
		json_print(&answer, id);
		buf_addf(&answer, ",%s}", buf_text(&s->answer));
		buf_clear(&s->answer);
	}
	struct blob *blob =
	    is_reply ? blob_from_bytes(answer.data, answer.len) : blob_from_bytes(line, len);
	buf_finish(&answer);
	json_doc_destroy(doc);
	return blob;
}

/* Pass the demo's complete lines to the server. */
static bool
deliver(struct stage *s)
{
	struct buf *out = &s->demo_out.bytes;
	bool any = false;

	for (char *end; out->len > 0 && (end = memchr(out->data, '\n', out->len));) {
		struct blob *line = line_of(s, out->data, (size_t)(end - out->data));
		buf_consume(out, (size_t)(end - out->data) + 1);
		s->now_us += 1000;
		server_on_line(s->server, line, 0, s->now_us);
		any = true;
	}
	return any;
}

void
stage_settle(struct stage *s, int64_t for_ms)
{
	int64_t end_us = s->now_us + for_ms * 1000;

	for (;;) {
		bool worked = demo_work(s->demo, s->now_us / 1000);
		worked |= deliver(s);
		workbench_advance(s->wb, s->now_us);
		if (worked)
			continue;
		int64_t next = demo_next_time(s->demo) == INT64_MAX
				   ? INT64_MAX
				   : demo_next_time(s->demo) * 1000;
		if (server_next_time(s->server) < next)
			next = server_next_time(s->server);
		if (next > end_us)
			return;
		s->now_us = next > s->now_us ? next : s->now_us + 1000;
		server_on_time(s->server, s->now_us);
	}
}

static void
quit(void *user)
{
	((struct stage *)user)->quit = true;
}

static size_t
running(void *user)
{
	return server_running(((struct stage *)user)->server);
}

static bool
suspend(void *user, struct err *err)
{
	return err_set(err, "no shell to return to");
}

/* Only the demo can be started. */
static bool
start(void *user, size_t choice, struct err *err)
{
	struct stage *s = user;

	if (choice != 0)
		return err_set(err, "%s is not there", s->choices[choice].target->name);
	demo_destroy(s->demo);
	buf_finish(&s->demo_out.bytes);
	s->demo = demo_create(&s->demo_out);
	server_start(s->server, s->now_us);
	return true;
}

static bool
stop(void *user, size_t choice, struct err *err)
{
	struct stage *s = user;

	if (choice != 0 || server_info(s->server)->phase == SERVER_IDLE)
		return err_set(err, "%s is not connected", s->choices[choice].target->name);
	server_on_stopped(s->server, s->now_us);
	return true;
}

static bool
approve(void *user, size_t choice, struct err *err)
{
	struct stage *s = user;

	s->choices[choice].unapproved = false;
	return true;
}

static const struct target_input *
wanted(void *user, size_t choice)
{
	struct stage *s = user;
	const struct target *t = s->choices[choice].target;

	return t->inputs.len > s->given ? &t->inputs.items[s->given] : NULL;
}

static bool
give(void *user, size_t choice, const char *value, struct err *err)
{
	struct stage *s = user;
	const struct target_input *input = wanted(user, choice);

	if (!inputs_take(input, value, err))
		return false;
	s->given++;
	buf_clear(&s->written);
	buf_addf(&s->written, "%s=%s", input->id, value);
	return true;
}

/* A text that begins with a brace is the configuration of another client. */
static bool
add_pasted(void *user, const char *text, struct buf *told, struct err *err)
{
	struct stage *s = user;

	if (*text != '{')
		return false;
	if (strcmp(text, "{}") == 0)
		return err_set(err, "no server in it");
	if (told)
		buf_addf(told, "one: %s", text);
	buf_clear(&s->written);
	buf_addf(&s->written, "%s %s", told ? "told" : "added", text);
	return true;
}

static bool
add_server(void *user, const char *name, char *const *words, struct err *err)
{
	struct stage *s = user;

	buf_clear(&s->written);
	buf_addf(&s->written, "add [%s]", name);
	for (; *words; words++)
		buf_addf(&s->written, " [%s]", *words);
	return true;
}

static bool
note(struct stage *s, const char *what, size_t choice)
{
	buf_clear(&s->written);
	buf_addf(&s->written, "%s %s", what, s->choices[choice].target->name);
	return true;
}

static bool
change_server(void *user, size_t choice, enum server_change change, struct err *err)
{
	static const char *const words[] = { "remove", "enable", "disable" };

	return note(user, words[change], choice);
}

static bool
edit_server(void *user, size_t choice, struct err *err)
{
	if (choice == SIZE_MAX)
		return err_set(err, "no file to edit");
	return note(user, "edit", choice);
}

static const struct setting_info *
setting(size_t index)
{
	return NULL;
}

static bool
set_setting(void *user, const char *setting, const char *name, struct err *err)
{
	struct stage *s = user;
	struct theme theme;

	if (strcmp(setting, "theme") != 0)
		return err_set(err, "no setting %s here", setting);
	if (!theme_builtin(&theme, name) && strcmp(name, "evening sun") != 0)
		return err_set(err, "unknown theme %s", name);
	snprintf(s->theme, sizeof(s->theme), "%s", name);
	return true;
}

static void
add_setting(void *user, const char *setting, struct buf *out)
{
	const struct stage *s = user;

	buf_add_str(out, s->theme); /* the only setting */
}

static void
list_themes(void *user, struct strings *out)
{
	strings_add(out, "evening sun");
	strings_add(out, "nord"); /* replaces the built-in theme */
}

static void
preview_theme(void *user, const char *name)
{
	struct stage *s = user;

	snprintf(s->preview, sizeof(s->preview), "%s", name ? name : "");
}

static bool
has_file(void *user, const char *path)
{
	return false;
}

static bool
write_file(void *user, const char *path, const char *bytes, size_t len, struct err *err)
{
	struct stage *s = user;

	buf_clear(&s->written);
	buf_addf(&s->written, "%s\n", path);
	buf_add(&s->written, bytes, len);
	return true;
}

static char *
write_new(void *user, const char *path, const char *bytes, size_t len, struct err *err)
{
	write_file(user, path, bytes, len, err);
	return mem_strdup(path);
}

/* Appends to the written file as well. */
static int
create_new(void *user, const char *path, char **name, struct err *err)
{
	write_file(user, path, "", 0, err);
	*name = mem_strdup(path);
	return 0;
}

static bool
append_new(void *user, int file, const char *bytes, size_t len, struct err *err)
{
	struct stage *s = user;

	if (strncmp(buf_text(&s->written), "/full\n{", 7) == 0) /* the heading is present */
		return err_set(err, "No space left on device");
	return buf_add(&s->written, bytes, len);
}

static void
close_new(void *user, int file)
{
}

/* The only file. */
static bool
read_file(void *user, const char *path, struct buf *out, struct err *err)
{
	struct stage *s = user;

	if (strcmp(path, "/file") != 0)
		return err_set(err, "%s: No such file or directory", path);
	return buf_add(out, buf_text(&s->file), s->file.len);
}

static bool
read_beneath(void *user, const char *folder, const char *name, struct buf *out, struct err *err)
{
	return read_file(user, name, out, err);
}

/* The same three names in each folder. */
static void
list_folder(void *user, const char *folder,
    void (*each)(void *ctx, const char *name, bool is_folder), void *ctx)
{
	each(ctx, "notes.txt", false);
	each(ctx, "data", true);
	each(ctx, ".hidden", false);
}

static bool
edit(void *user, const char *text, size_t len, struct err *err)
{
	struct stage *s = user;

	if (s->no_editor)
		return err_set(err, "an editor is already open");
	buf_clear(&s->edited);
	buf_add(&s->edited, text, len);
	return true;
}

static void
copy(void *user, const char *text, size_t len)
{
	write_file(user, "clipboard", text, len, NULL);
}

static bool
open_url(void *user, const char *url, struct err *err)
{
	return write_file(user, "browser", url, strlen(url), err);
}

static bool
sample(void *user, uint64_t question, struct err *err)
{
	struct stage *s = user;
	struct question *q = server_find_question(s->server, question);

	question_set(&q->draft, "from a command", strlen("from a command"));
	server_changed(s->server);
	return true;
}

static bool
picture(void *user, struct picture_job *job)
{
	picture_job_run(job);
	return false;
}

static bool
audio(void *user, struct audio_job *job)
{
	audio_job_run(job);
	return false;
}

static bool
play(void *user, const char *bytes, size_t len, const char *ending, struct err *err)
{
	struct stage *s = user;

	buf_clear(&s->played);
	buf_add_str(&s->played, ending);
	buf_add(&s->played, bytes, len);
	return true;
}

static bool
stop_playing(void *user)
{
	struct stage *s = user;
	bool plays = s->played.len > 0;

	buf_clear(&s->played);
	return plays;
}

static const char *
program_for(void *user, const char *type)
{
	return strncmp(type, "image/", 6) == 0 ? "viewer --here" : "xdg-open";
}

static bool
open_file(void *user, const struct pane_file *file, struct err *err)
{
	struct stage *s = user;

	buf_clear(&s->opened);
	buf_addf(&s->opened, "%s %s ", file->type, file->ending);
	buf_add(&s->opened, file->bytes, file->len);
	return true;
}

static bool
query(void *user, struct query_job *job)
{
	query_run(job->expression, buf_text(&job->value), job->value.len, &job->answer);
	buf_finish(&job->value);
	return false;
}

static char *
absolute_path(void *user, const char *path, struct err *err)
{
	if (*path != '/')
		err_set(err, "%.150s: No such file or directory", path);
	return *path == '/' ? mem_strdup(path) : NULL;
}

/* ---- the program in the terminal pane, scripted by the test ---- */

static struct terminal_link *
start_program(void *user, char *const *argv, struct terminal_size size,
    const struct terminal_listener *listener, struct err *err)
{
	struct stage *s = user;

	if (argv[0] && strcmp(argv[0], "missing") == 0) {
		err_set(err, "missing: command not found");
		return NULL;
	}
	buf_clear(&s->started);
	for (size_t i = 0; argv[i]; i++)
		buf_addf(&s->started, "%s%s", i > 0 ? " " : "", argv[i]);
	buf_clear(&s->typed);
	s->program = *listener;
	s->program_size = size;
	s->programs++;
	return (struct terminal_link *)s;
}

static void
write_program(struct terminal_link *link, const char *bytes, size_t len)
{
	buf_add(&((struct stage *)link)->typed, bytes, len);
}

static void
resize_program(struct terminal_link *link, struct terminal_size size)
{
	((struct stage *)link)->program_size = size;
}

static void
close_program(struct terminal_link *link)
{
	((struct stage *)link)->programs--;
}

void
stage_program(struct stage *s, const char *text)
{
	s->program.on_bytes(s->program.user, text, strlen(text));
}

void
stage_program_ends(struct stage *s, int code)
{
	char how[32];

	snprintf(how, sizeof(how), "exit code %d", code);
	s->program.on_end(s->program.user, code, how);
}

static const struct effects effects = {
	.quit = quit,
	.running = running,
	.suspend = suspend,
	.start = start,
	.stop = stop,
	.approve = approve,
	.wanted = wanted,
	.give = give,
	.add_pasted = add_pasted,
	.add_server = add_server,
	.change_server = change_server,
	.edit_server = edit_server,
	.setting = setting,
	.set_setting = set_setting,
	.add_setting = add_setting,
	.list_themes = list_themes,
	.preview_theme = preview_theme,
	.has_file = has_file,
	.write_file = write_file,
	.write_new = write_new,
	.create_new = create_new,
	.append_new = append_new,
	.close_new = close_new,
	.read_file = read_file,
	.read_beneath = read_beneath,
	.list_folder = list_folder,
	.edit = edit,
	.copy = copy,
	.open_url = open_url,
	.sample = sample,
	.picture = picture,
	.audio = audio,
	.play = play,
	.stop_playing = stop_playing,
	.program_for = program_for,
	.open_file = open_file,
	.query = query,
	.start_program = start_program,
	.write_program = write_program,
	.resize_program = resize_program,
	.close_program = close_program,
	.absolute_path = absolute_path,
};

void
stage_open(struct stage *s, int width, int height)
{
	static const struct session_extension tasks = { "io.modelcontextprotocol/tasks", NULL };
	struct server_options options = { .session = { .era = ERA_AUTO,
					      .client_name = "mcpane",
					      .client_version = "0",
					      .can = { .elicitation_form = true,
						  .elicitation_url = true,
						  .sampling = true,
						  .sampling_tools = true,
						  .roots = true,
						  .extensions = &tasks,
						  .extension_count = 1 } } };

	*s = (struct stage){ .now_us = 1000000 };
	grid_init(&s->grid, width, height);
	s->demo = demo_create(&s->demo_out);
	s->server = server_create("demo", "the demo", &options, on_send, s);
	s->wb = workbench_create(&effects, s);
	s->demo_target = (struct target){ .name = (char *)"demo", .label = (char *)"the demo" };
	s->choices[0] = (struct server_choice){ .target = &s->demo_target, .server = s->server };
	workbench_workspace(s->wb)->choices = s->choices;
	workbench_workspace(s->wb)->choice_count = 1;
	workspace_set_server(workbench_workspace(s->wb), s->server);
	server_set_clock(s->server, ((12 * 60 + 3) * 60 + 40) * INT64_C(1000000), 0);
	server_start(s->server, s->now_us);
	stage_settle(s, 100);
}

void
stage_close(struct stage *s)
{
	workbench_end_recording(s->wb);
	workbench_destroy(s->wb);
	server_destroy(s->server);
	fake_apps_finish(&s->apps);
	demo_destroy(s->demo);
	buf_finish(&s->demo_out.bytes);
	grid_finish(&s->grid);
	buf_finish(&s->started);
	buf_finish(&s->typed);
	buf_finish(&s->written);
	buf_finish(&s->played);
	buf_finish(&s->opened);
	buf_finish(&s->file);
	buf_finish(&s->edited);
	buf_finish(&s->answer);
}

/* Dialogs that ask for a decision ignore keys for this long. */
#define LOOK_US INT64_C(400000)

static void
press(struct stage *s, const struct key *key)
{
	/* as in the program: a key acts on the frame drawn before it */
	workbench_draw(s->wb, &s->grid, s->now_us);
	s->now_us += LOOK_US;
	workbench_key(s->wb, key, s->now_us);
	stage_settle(s, 0);
}

void
stage_keys(struct stage *s, const char *names)
{
	char *copy = mem_strdup(names), *save = NULL;

	for (char *name = strtok_r(copy, " ", &save); name; name = strtok_r(NULL, " ", &save)) {
		struct key key;
		if (!key_from_name(&key, name)) {
			fprintf(stderr, "no key is called %s\n", name);
			abort();
		}
		press(s, &key);
	}
	free(copy);
}

void
stage_type(struct stage *s, const char *text)
{
	for (; *text; text++)
		press(s, &(struct key){ .kind = KEY_CHAR, .ch = (unsigned char)*text });
}

bool
stage_run(struct stage *s, const char *command_line)
{
	workbench_draw(s->wb, &s->grid, s->now_us);
	workbench_tell(s->wb, ROLE_TEXT, ""); /* as the key that opens the prompt does */
	bool ok = workbench_run(s->wb, command_line, s->now_us);
	stage_settle(s, 0);
	return ok;
}

void
stage_mouse(struct stage *s, enum mouse_action action, int x, int y)
{
	press(s, &(struct key){ .kind = KEY_MOUSE,
		     .action = action,
		     .button = action != MOUSE_MOVE,
		     .x = x,
		     .y = y,
		     .part_x = KEY_PARTS / 2,
		     .part_y = KEY_PARTS / 2 });
}

void
stage_click(struct stage *s, int x, int y)
{
	stage_mouse(s, MOUSE_PRESS, x, y);
	stage_mouse(s, MOUSE_RELEASE, x, y);
}

void
stage_drag(struct stage *s, int x, int y, int to_x, int to_y)
{
	stage_mouse(s, MOUSE_PRESS, x, y);
	while (x != to_x || y != to_y) {
		x += (to_x > x) - (to_x < x);
		y += (to_y > y) - (to_y < y);
		stage_mouse(s, MOUSE_DRAG, x, y);
		stage_text(s);
	}
	stage_mouse(s, MOUSE_RELEASE, x, y);
}

void
stage_resize(struct stage *s, int width, int height)
{
	grid_finish(&s->grid);
	grid_init(&s->grid, width, height);
}

const char *
stage_text(struct stage *s)
{
	static struct buf text;

	do
		workbench_draw(s->wb, &s->grid, s->now_us);
	while (workbench_is_busy(s->wb));
	buf_clear(&text);
	grid_to_text(&s->grid, &text);
	return buf_text(&text);
}
