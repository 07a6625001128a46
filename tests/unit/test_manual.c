/*
 * The manual's section of commands is the table of commands: with GOLDEN=write it is
 * written anew, between two comments of docs/mcpane.1. Every option is named there too.
 */
#include "base/mem.h"
#include "base/path.h"
#include "cli/options.h"
#include "workbench/workbench.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MANUAL "docs/mcpane.1"
#define BEGIN ".\\\" commands, from the table: make golden\n"
#define END ".\\\" end of commands\n"

/* "-" is a hyphen to roff and "\-" the sign itself; a leading dot or quote would be a request. */
static void
add_roff(struct buf *out, const char *text)
{
	for (; *text; text++) {
		if (*text == '-' || *text == '\\')
			buf_add_char(out, '\\');
		buf_add_char(out, *text == '\\' ? 'e' : *text);
	}
}

static void
add_command(struct buf *out, const struct command_info *info)
{
	buf_add_str(out, ".TP\n.B ");
	add_roff(out, info->name);
	if (info->args[0]) {
		buf_add_str(out, "\\fR ");
		add_roff(out, info->args);
	}
	if (info->keys[0]) {
		buf_add_str(out, "\\fR, keys ");
		add_roff(out, info->keys);
	}
	buf_add_str(out, "\n\\&");
	add_roff(out, info->help);
	buf_add_char(out, '\n');
}

static void
write_section(struct buf *out)
{
	struct command_info info;
	const char *context = "";

	for (size_t i = 0; workbench_command_info(i, &info); i++) {
		if (strcmp(context, info.context) != 0) {
			bool everywhere = strcmp(info.context, "global") == 0;
			buf_addf(out, ".SS %s%s\n", everywhere ? "Everywhere" : "In the pane ",
			    everywhere ? "" : info.context);
			context = info.context;
		}
		add_command(out, &info);
	}
}

static void
test_commands(void **state)
{
	struct buf page = BUF_INIT, section = BUF_INIT;
	struct err err;
	(void)state;

	if (!path_read_file(MANUAL, &page, &err))
		fail_msg("%s", err.text);
	char *begin = strstr(buf_text(&page), BEGIN), *end = strstr(buf_text(&page), END);
	assert_non_null(begin);
	assert_non_null(end);
	begin += strlen(BEGIN);
	write_section(&section);
	bool same =
	    (size_t)(end - begin) == section.len && memcmp(begin, section.data, section.len) == 0;
	const char *golden = getenv("GOLDEN");
	if (!same && golden && strcmp(golden, "write") == 0) {
		char *text = mem_printf(
		    "%.*s%s%s", (int)(begin - page.data), page.data, buf_text(&section), end);
		same = path_write_file(MANUAL, text, strlen(text), &err);
		free(text);
	}
	if (!same)
		fail_msg("%s has other commands than the program: make golden", MANUAL);
	buf_finish(&section);
	buf_finish(&page);
}

/* "--name" at the start of text; its length, 0: there is none. */
static size_t
option_length(const char *text)
{
	return strncmp(text, "--", 2) == 0 ? strspn(text, "-abcdefghijklmnopqrstuvwxyz") : 0;
}

static bool
has_option(const char *help, const char *name)
{
	for (const char *at = help; (at = strstr(at, name)); at++)
		if (option_length(at) == strlen(name))
			return true;
	return false;
}

/* What --help explains has an entry in the manual, and the reverse. */
static void
test_options(void **state)
{
	struct buf help = BUF_INIT, page = BUF_INIT, sought = BUF_INIT;
	size_t explained = 0, entries = 0;
	struct err err;
	(void)state;

	if (!path_read_file(MANUAL, &page, &err))
		fail_msg("%s", err.text);
	cli_options_help(&help);
	for (const char *line = buf_text(&help); *line; line += strcspn(line, "\n") + 1) {
		size_t len = strncmp(line, "  ", 2) == 0 ? option_length(line + 6) : 0;
		if (len == 0)
			continue;
		char *name = mem_strndup(line + 6, len);
		buf_clear(&sought);
		buf_add_str(&sought, "\\fB");
		add_roff(&sought, name);
		buf_add_str(&sought, "\\fR");
		if (!strstr(buf_text(&page), buf_text(&sought)))
			fail_msg("%s does not explain %s", MANUAL, name);
		free(name);
		explained++;
	}
	for (const char *at = buf_text(&page); (at = strstr(at, "\\fB\\-\\-"));) {
		buf_clear(&sought);
		for (at += strlen("\\fB"); *at && strncmp(at, "\\fR", 3) != 0; at++)
			if (*at != '\\')
				buf_add_char(&sought, *at);
		if (!has_option(buf_text(&help), buf_text(&sought)))
			fail_msg("--help does not explain %s", buf_text(&sought));
		entries++;
	}
	assert_true(explained > 40);
	assert_true(entries >= explained);
	buf_finish(&help);
	buf_finish(&page);
	buf_finish(&sought);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_commands),
		cmocka_unit_test(test_options),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
