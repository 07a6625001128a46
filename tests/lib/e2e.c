/* SPDX-License-Identifier: MIT */
#include "e2e.h"

#include "base/buf.h"
#include "base/mem.h"
#include "base/path.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ARGS_MOST = 32, FILE_MOST = 16 << 20 };

static size_t
add_args(const char **argv, size_t n, const char *const *more)
{
	while (more && *more && n < ARGS_MOST - 1)
		argv[n++] = *more++;
	argv[n] = NULL;
	return n;
}

struct terminal *
e2e_start(void **state, const struct terminal_options *options)
{
	const char *argv[ARGS_MOST] = { terminal_program() };
	struct terminal_options with = *options;

	add_args(argv, 1, options->argv);
	with.argv = argv;
	*state = terminal_start(&with);
	return *state;
}

static struct terminal *
demo(void **state, const char *const *extra, int rows, int cols)
{
	const char *argv[ARGS_MOST];

	add_args(argv, add_args(argv, 0, extra), ARGV("--demo"));
	struct terminal *t = e2e_start(
	    state, &(struct terminal_options){ .argv = argv, .rows = rows, .cols = cols });
	terminal_wait_text(t, "list_users");
	terminal_barrier(t);
	return t;
}

struct terminal *
e2e_demo(void **state, const char *const *extra)
{
	return demo(state, extra, 0, 0);
}

struct terminal *
e2e_demo_sized(void **state, int rows, int cols)
{
	return demo(state, NULL, rows, cols);
}

struct terminal *
e2e_bad(void **state, const char *const *extra, const char *const *mode)
{
	const char *argv[ARGS_MOST];
	size_t n = add_args(argv, 0, extra);

	n = add_args(argv, n, ARGV("--", terminal_fixture("badserver")));
	add_args(argv, n, mode);
	return e2e_start(state, &(struct terminal_options){ .argv = argv });
}

int
e2e_teardown(void **state)
{
	terminal_close(*state);
	*state = NULL;
	return 0;
}

void
e2e_run(struct terminal *t, const char *command)
{
	terminal_keys(t, "alt-x");
	terminal_type(t, command);
	e2e_press(t, "enter");
}

void
e2e_press(struct terminal *t, const char *names)
{
	char *copy = mem_strdup(names), *save = NULL;

	/* ESC must not be followed by another byte, or the pair is read as an Alt key */
	for (char *name = strtok_r(copy, " ", &save); name; name = strtok_r(NULL, " ", &save)) {
		terminal_keys(t, name);
		if (strcmp(name, "esc") == 0)
			terminal_barrier(t);
	}
	free(copy);
	terminal_barrier(t);
}

void
e2e_answer(struct terminal *t, const char *names)
{
	terminal_watch(t, 450);
	e2e_press(t, names);
}

void
e2e_leave(struct terminal *t)
{
	terminal_keys(t, "ctrl-q");
	assert_int_equal(terminal_wait_exit(t), 0);
	terminal_assert_restored(t);
	terminal_wait_processes(t, 0);
}

void
e2e_wait_at(struct terminal *t, const char *text, const char *file, int line)
{
	terminal_wait_text_at(t, text, file, line);
	terminal_barrier_at(t, file, line);
}

void
e2e_see_at(struct terminal *t, const char *text, const char *file, int line)
{
	if (!terminal_find(t, text, NULL, NULL))
		terminal_fail(t, file, line, "\"%s\" is not shown", text);
}

void
e2e_see_not_at(struct terminal *t, const char *text, const char *file, int line)
{
	if (terminal_find(t, text, NULL, NULL))
		terminal_fail(t, file, line, "\"%s\" is shown", text);
}

struct terminal_cell
e2e_cell_at(struct terminal *t, const char *text, const char *file, int line)
{
	int row, col;

	e2e_see_at(t, text, file, line);
	terminal_find(t, text, &row, &col);
	return terminal_cell(t, row, col);
}

char *
e2e_file(struct terminal *t, const char *name, const char *text)
{
	char *path = mem_printf("%s/%s", terminal_home(t), name);
	struct err err;

	if (text && !path_write_file(path, text, strlen(text), &err))
		fail_msg("%s", err.text);
	return path;
}

void
e2e_file_has_at(const char *path, const char *text, const char *file, int line)
{
	struct buf bytes = { .max = FILE_MOST };
	struct err err;

	if (!path_read_file(path, &bytes, &err)) {
		fprintf(stderr, "%s\n", err.text);
		_fail(file, line);
	}
	if (!strstr(buf_text(&bytes), text)) {
		fprintf(stderr, "%s does not hold \"%s\" but:\n%s\n", path, text, buf_text(&bytes));
		_fail(file, line);
	}
	buf_finish(&bytes);
}
