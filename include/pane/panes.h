/* SPDX-License-Identifier: MIT */
#ifndef PANE_PANES_H
#define PANE_PANES_H

/*
 * The table of panes, in the order of Tab and of the tabs. A row is one of
 *
 *   LIST(name, least, share)          the list beside the others: its least columns, and its share
 *                                     of the width in percent
 *   STACKED(name, least, share, rank) in the main column, from top to bottom: its least rows with
 *                                     the frame, at most this percentage of the height if it wants
 *                                     more, and its turn for spare rows; 100 % takes the rest
 *   OVERLAY(name, command, keys, help) covers the main area: the command that shows or hides it; ""
 *                                     if a command of COMMANDS does
 *
 * Its file defines pane_NAME (pane.h). The name is that of `:pane` and of the context in `bind`.
 */
#define PANES(LIST, STACKED, OVERLAY)                                                             \
	LIST(tools, 20, 30)                                                                       \
	STACKED(form, 5, 40, 0)                                                                   \
	STACKED(content, 3, 25, 2)                                                                \
	STACKED(structured, 6, 100, 3)                                                            \
	STACKED(app, 6, 100, 3)                                                                   \
	STACKED(validation, 3, 30, 1)                                                             \
	OVERLAY(journal, "journal", "w", "show or hide the journal of messages")                  \
	OVERLAY(schema, "definition", "D f2", "show or hide the definition and its schemas")      \
	OVERLAY(logs, "logs", "L", "show or hide the log messages of the server")                 \
	OVERLAY(tasks, "tasks", "T", "show or hide the tasks of the server")                      \
	OVERLAY(skills, "skills", "I", "show or hide the skills of the server")                   \
	OVERLAY(overview, "overview", "f3 i", "show or hide the server's capabilities and state") \
	OVERLAY(authorization, "authorization", "A", "show or hide the server's authorization")   \
	OVERLAY(findings, "findings", "* f6", "toggle the findings about tools and results")      \
	OVERLAY(lenses, "lenses", "@ f7",                                                         \
	    "toggle the lenses: the part of the result that reaches a model")                     \
	OVERLAY(history, "history", "H", "toggle the history: past and running calls")            \
	OVERLAY(batch, "batch", "alt-b",                                                          \
	    "show or hide the batch: one call for each of several values")                        \
	OVERLAY(recipe, "recipe", "alt-u", "show or hide the steps of the recipe")                \
	OVERLAY(diff, "", "", "")                                                                 \
	OVERLAY(console, "console", "alt-l", "toggle the console of the app")                     \
	OVERLAY(inspector, "inspector", "alt-d", "toggle the app inspector")                      \
	OVERLAY(terminal, "", "", "")                                                             \
	OVERLAY(servers, "", "", "")                                                              \
	OVERLAY(questions, "", "", "")

enum pane_id {
#define X(id, ...) PANE_##id,
	PANES(X, X, X)
#undef X
	    PANE_COUNT
};

/* Its place among the numbers of panes, from 0. The app stands where structuredContent would, so
 * they share one. */
static inline int
pane_number(int pane)
{
	return pane < PANE_app ? pane : pane - 1;
}

#endif
