/* SPDX-License-Identifier: MIT */
/*
 * The manual's section of commands is the table of commands: with GOLDEN=write it is
 * rewritten between two comments of docs/mcpane.1. Every option is explained there too.
 */
#include "base/mem.h"
#include "base/path.h"
#include "cli/command_line.h"
#include "test.h"
#include "workbench/workbench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MANUAL "docs/mcpane.1"
#define BEGIN ".\\\" commands, from the table: make golden\n"
#define END ".\\\" end of commands\n"
#define SYNOPSIS_BEGIN ".\\\" subcommands, from the table: make golden\n"
#define SYNOPSIS_END ".\\\" end of subcommands\n"

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

/* Words in capitals are italic, all others bold. */
static void
add_usage(struct buf *out, const char *usage)
{
	static const char capitals[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
	static const char others[] = "abcdefghijklmnopqrstuvwxyz-=:";
	char word[80];

	while (*usage) {
		size_t italic = strspn(usage, capitals);
		size_t len = italic ? italic : strspn(usage, others);
		if (len == 0) {
			buf_add_char(out, *usage++);
			continue;
		}
		snprintf(word, sizeof(word), "%.*s", (int)len, usage);
		buf_add_str(out, italic ? "\\fI" : "\\fB");
		add_roff(out, word);
		buf_add_str(out, "\\fR");
		usage += len;
	}
}

static void
write_section(struct buf *out)
{
	const struct command_info *info;
	const char *context = "";

	for (size_t i = 0; (info = workbench_command_info(i)); i++) {
		if (strcmp(context, info->context) != 0) {
			bool everywhere = strcmp(info->context, "global") == 0;
			buf_addf(out, ".SS %s%s\n",
			    everywhere       ? "Everywhere"
			    : info->alias_of ? "Other names of commands and panes"
			    : info->of_view  ? "In the view "
					     : "In the pane ",
			    everywhere || info->alias_of ? "" : info->context);
			context = info->context;
		}
		add_command(out, info);
	}
}

/* Between begin and end the file has to say this; with GOLDEN=write it is made to. */
static void
expect_part(const char *file, const char *begin, const char *end, const char *part)
{
	const char *golden = getenv("GOLDEN");
	struct buf page = BUF_INIT;
	struct err err;

	if (!path_read_file(file, &page, &err))
		fail_msg("%s", err.text);
	char *from = strstr(buf_text(&page), begin), *to = strstr(buf_text(&page), end);
	assert_non_null(from);
	assert_non_null(to);
	from += strlen(begin);
	bool same = (size_t)(to - from) == strlen(part) && memcmp(from, part, strlen(part)) == 0;
	if (!same && golden && strcmp(golden, "write") == 0) {
		char *text = mem_printf("%.*s%s%s", (int)(from - page.data), page.data, part, to);
		same = path_write_file(file, text, strlen(text), &err);
		free(text);
	}
	if (!same)
		fail_msg("%s is out of date: run make golden", file);
	buf_finish(&page);
}

static void
test_synopsis(void **state)
{
	struct buf section = BUF_INIT;

	for (const struct subcommand *row = subcommands; row->name; row++) {
		if (!row->usage)
			continue;
		buf_addf(&section, "\\fBmcpane %s\\fR %s", row->name,
		    row->options ? "[\\fIOPTION\\fR]... " : "");
		add_usage(&section, row->usage);
		buf_add_char(&section, '\n');
	}
	expect_part(MANUAL, SYNOPSIS_BEGIN, SYNOPSIS_END, buf_text(&section));
	buf_finish(&section);
}

static void
test_commands(void **state)
{
	struct buf section = BUF_INIT;

	write_section(&section);
	expect_part(MANUAL, BEGIN, END, buf_text(&section));
	buf_finish(&section);
}

/* Return the length of "--name" at the start of text, or 0 without one. */
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

/* The manual and --help describe the same options. */
static void
test_options(void **state)
{
	struct buf help = BUF_INIT, page = BUF_INIT, sought = BUF_INIT;
	size_t explained = 0, entries = 0;
	struct err err;

	if (!path_read_file(MANUAL, &page, &err))
		fail_msg("%s", err.text);
	help_text(&help, NULL);
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

TEST_FILE(manual)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_synopsis),
		cmocka_unit_test(test_commands),
		cmocka_unit_test(test_options),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
