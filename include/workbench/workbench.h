/* SPDX-License-Identifier: MIT */
#ifndef WORKBENCH_WORKBENCH_H
#define WORKBENCH_WORKBENCH_H

#include "pane/pane.h"
#include "ui/backend.h"
#include "ui/input.h"
#include "ui/surface.h"

/*
 * The whole interface as one value without I/O: panes, focus, layout, commands, keys, prompt and
 * dialogs. Input and time come in, a grid comes out; effects go out through struct effects.
 */
struct workbench;

struct workbench *workbench_create(const struct effects *effects, void *user);
void workbench_destroy(struct workbench *wb);
struct workspace *workbench_workspace(struct workbench *wb);
/* A line of the user's configuration: "bind CONTEXT KEY COMMAND". */
bool workbench_bind(struct workbench *wb, const char *line, struct err *err);

void workbench_key(struct workbench *wb, const struct key *key, int64_t now_us);
/* Runs a line as typed after ":". False: failed; the bottom bar says why. */
bool workbench_run(struct workbench *wb, const char *command_line, int64_t now_us);
/* Queues commands to run in order once the server is ready, each when the previous one is done
 * (`call` is done when its response arrives or the server asks something). */
void workbench_enqueue(struct workbench *wb, const char *command_line);
/* Runs the commands that are due. Call after every event. */
void workbench_advance(struct workbench *wb, int64_t now_us);
bool workbench_queue_empty(const struct workbench *wb);

/* Writes the rest of a recorded session, if any, before the servers and the workbench are
 * destroyed. False: it failed; the bottom bar says why. */
bool workbench_end_recording(struct workbench *wb);

/* One line for the bottom bar. */
void workbench_tell(struct workbench *wb, enum role role, const char *text);
/* The editor ended: the new text, or NULL and the reason. */
void workbench_on_edited(
    struct workbench *wb, const char *text, size_t len, const char *why, int64_t now_us);

/* Opens the terminal pane on a program. */
bool workbench_open_terminal(
    struct workbench *wb, const struct terminal_program *program, struct err *err);

/* Before the first frame: for commands that run before it. */
void workbench_set_size(struct workbench *wb, int width, int height);
/* The sizes that the user gave to panes, as text to keep; unknown names are skipped. */
void workbench_load_sizes(struct workbench *wb, const char *text);
void workbench_add_sizes(struct workbench *wb, struct buf *out);
/* Until the first call of all runs, the bottom bar says where the keys are. text: as kept by an
 * earlier run; "": there was none. */
void workbench_load_first_call(struct workbench *wb, const char *text);
void workbench_add_first_call(struct workbench *wb, struct buf *out);
/* The command lines that the palette ran, as text to keep. */
void workbench_load_uses(struct workbench *wb, const char *text);
void workbench_add_uses(struct workbench *wb, struct buf *out);
/* The expressions of jq, likewise. */
void workbench_load_queries(struct workbench *wb, const char *text);
void workbench_add_queries(struct workbench *wb, struct buf *out);
/* Which changed definitions of tools the user has seen. */
void workbench_load_looked(struct workbench *wb, const char *text);
void workbench_add_looked(struct workbench *wb, struct buf *out);
/* Draws everything into g. */
void workbench_draw(struct workbench *wb, struct grid *g, int64_t now_us);
/* Jobs are under way, or the last frame shows a part of a long text: later frames show more. */
bool workbench_is_busy(const struct workbench *wb);
/* The next time-driven change of the screen (a running clock, progress); INT64_MAX: none. */
int64_t workbench_next_frame_us(const struct workbench *wb, int64_t now_us);
/* The last message in the bottom bar; "" if none. */
const char *workbench_message(const struct workbench *wb);

/* A command, for completions, the help and the manual. */
struct command_info {
	const char *context; /* "global", "alias", or the name of a pane or view */
	const char *name, *args, *keys, *help;
	bool whole; /* cannot be abbreviated */
	bool of_view;
	const char *alias_of; /* the command line of an alias; NULL: not an alias */
};
const struct command_info *workbench_command_info(size_t index); /* NULL past the end */

#endif
