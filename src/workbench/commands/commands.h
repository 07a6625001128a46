/* SPDX-License-Identifier: MIT */
#ifndef WORKBENCH_COMMANDS_COMMANDS_H
#define WORKBENCH_COMMANDS_COMMANDS_H

#include "base/buf.h"
#include "base/err.h"
#include "json/doc.h"
#include "data/table.h"
#include "workbench/state.h"

/* Other names of commands and panes: A(NAME, command line). */
#define ALIASES(A)                                \
	A("q", "quit")                            \
	A("wire", "journal")                      \
	A("schema", "definition")                 \
	A("calls", "history")                     \
	A("tools", "pane tools")                  \
	A("form", "pane form")                    \
	A("content", "pane content")              \
	A("structuredContent", "pane structured") \
	A("validation", "pane validation")        \
	A("servers", "pane servers")

/* ---- command_table.c ---- */

/* A command: global, an alias, or an action of a pane or a view. */
struct command_row {
	struct command_info info;
	const struct command *command; /* of a global one, else NULL */
	const struct view_ops *ops;    /* that has the action, else NULL */
	int pane;                      /* of a pane's action, else -1 */
};

/* Appends the aliases of the command line, with blanks between. */
void aliases_add_of(const char *line, struct buf *out);

enum { CALL_AT_ONCE = 0, CALL_ASKS = 1, CALL_AS_TASK = 2 };
bool cmd_call(struct workbench *wb, const char *arg, int how);
bool cmd_edit_server(struct workbench *wb, const char *arg);
bool cmd_quit(struct workbench *wb, const char *arg, int asks);

/* Puts JSON into the form, as one step of its undo. */
bool pass_fill_in(struct workbench *wb, const char *pointer, const char *json, struct err *err);
/* cmd_call.c: sets it, or shows it if the value is "" */
bool commands_set_setting(struct workbench *wb, const char *name, const char *value);
/* cmd_call.c: the shown form is called once for each, once it is complete. Takes the values. */
bool batch_arm(struct workbench *wb, const char *pointer, struct strings *values);
void commands_take_recipe(struct workbench *wb, const char *text, size_t len); /* an edited one */
/* cmd_question.c: takes the text edited for a question */
void commands_take_answer(struct workbench *wb, const char *text, size_t len);
/* Explains in the bottom bar; returns false. */
bool workbench_refuse(struct workbench *wb, const char *why);

#endif
