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

/* Every word of --help that starts with two dashes. */
static void
test_options(void **state)
{
	char *help = NULL, *save = NULL;
	size_t len = 0, count = 0;
	struct buf page = BUF_INIT, sought = BUF_INIT;
	struct err err;
	(void)state;

	if (!path_read_file(MANUAL, &page, &err))
		fail_msg("%s", err.text);
	FILE *out = open_memstream(&help, &len);
	cli_options_help(out);
	fclose(out);
	static const char between[] = " ,\n[]|";
	for (char *word = strtok_r(help, between, &save); word;
	     word = strtok_r(NULL, between, &save)) {
		if (strncmp(word, "--", 2) != 0 || word[2] == '\0')
			continue;
		buf_clear(&sought);
		add_roff(&sought, word);
		if (!strstr(buf_text(&page), buf_text(&sought)))
			fail_msg("%s does not name %s", MANUAL, word);
		count++;
	}
	assert_true(count > 15);
	free(help);
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
