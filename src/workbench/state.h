/* SPDX-License-Identifier: MIT */
#ifndef WORKBENCH_STATE_H
#define WORKBENCH_STATE_H

#include "workbench/frame/frame.h"
#include "workbench/dialogs/dialogs.h"
#include "workbench/prompt/prompt.h"
#include "workbench/palette/palette.h"
#include "pane/pane.h"
#include "view/views.h"
#include "ui/keymap.h"
#include "workbench/workbench.h"

/* The purpose of the open $EDITOR. */
enum edited_what {
	EDITED_ARGUMENTS,
	EDITED_FIELD,
	EDITED_ANSWER,
	EDITED_REQUEST,
	EDITED_MESSAGE,
	EDITED_RECIPE,
};

/* The file that cmd_open_file_now() opens once the user agrees; type NULL: none. */
struct file_to_open {
	char *type;
	const char *ending; /* of a static table */
	struct buf bytes;
};
void file_to_open_finish(struct file_to_open *f);

/* Values for a field, whose first is in the form. */
struct armed {
	struct strings values;   /* JSON; empty: none */
	const struct desk *desk; /* of the form */
	char *pointer;           /* of the field */
};

/* A server that is being started, in steps that may wait for the user. */
struct start {
	size_t choice;
	bool shows; /* show the server when it has started */
};

/* What the text in $EDITOR is for. */
struct edited {
	enum edited_what what;
	char *field;             /* or the path of the recipe */
	uint64_t question;       /* of the field or the text; 0: the field is of desk */
	const struct desk *desk; /* only to compare: it may be gone */
};

/* Recordings of the user's calls, and of the wire. */
struct recording {
	struct recorder *recorder; /* NULL: calls are not recorded */
	size_t calls;
	struct session_recording *session; /* NULL: the wire is not recorded */
};

/* Commands that run one after the other, see workbench_enqueue(). */
struct queue {
	struct strings lines;
	uint64_t call;  /* that the next one waits for; 0: none */
	bool advancing; /* in workbench_advance() */
};

/* Questions that open automatically, and dialogs that must be read before they take a key. */
struct asked {
	uint64_t awaited_call; /* of the last key: its questions open; 0: none */
	bool appeared;         /* a question, or a dialog that decides, is new on the screen */
	const struct dialog *appeared_in; /* NULL: the questions pane */
	int64_t appeared_us;
};

/* The members after the first group belong to the files named; few others use them. */
struct workbench {
	struct workspace ws;
	const struct effects *effects;
	void *user; /* the first argument of effects */
	struct keymap keymap;
	struct view panes[PANE_COUNT];
	int64_t now_us;
	char *message; /* in the bottom bar; NULL: none */
	enum role message_role;

	/* workbench.c, cmd_move.c: the focus */
	enum pane_id focus; /* among panes of the left and right slots */
	enum pane_id right; /* the right pane last focused */
	int overlay;        /* a pane of SLOT_OVERLAY, -1: none */
	int covered;        /* by the terminal pane: the overlay before it, -1: none */
	bool zoomed;
	uint64_t whole_app;       /* the call of the app that has the whole screen; 0: none */
	uint64_t follow_call;     /* focus its result on arrival */
	enum pane_id called_from; /* the pane that Esc goes back to from a result */
	char contexts[64];        /* of workbench_contexts() */

	/* workbench.c: passed to the panes */
	struct pane_host pane_host;
	struct jobs jobs;
	uint64_t synced;        /* workspace generation the panes know */
	struct pane_work *work; /* long work that the user waits for; NULL: none */

	/* dispatch.c */
	int commands_in; /* the pane whose letters are commands since Esc, see view_ops.types; -1 */
	int pressed;     /* the pane of a program in which a button is down, -1: none */

	struct frame_state frame;

	/* dialogs/, prompt/, palette/ */
	const struct dialog *dialog; /* owns the keyboard, ahead of any pane; NULL: none */
	struct list_dialog rows;     /* of the dialog, if it is a list */
	struct prompt prompt;
	struct find find;
	struct palette palette;
	struct uses uses;
	struct confirm confirm;
	struct calls calls;
	struct pick pick;
	struct pass pass;
	char *copied_call;        /* of the menu of copy-as: its ID or "" */
	struct saved_calls saved; /* to choose from */
	struct help help;
	struct approval approval;
	struct ask ask;
	struct asked asked;

	/* commands/ */
	struct start start;
	struct edited edited;
	struct recording recording;
	struct queue queue;
	struct file_to_open file_to_open;
	struct {
		char *path; /* NULL: none */
		struct buf bytes;
	} replacing;        /* written once the user agrees to replace the file */
	struct armed armed; /* values that the next call is made for */
	struct pane_work batch_work;
	struct job *export_job;
};

struct command {
	const char *name;
	const char *keys;
	const char *args;
	const char *help;
	bool whole; /* deletes, forgets or quits: cannot be abbreviated */
	bool (*run)(struct workbench *wb, const char *arg);
	bool (*run_variant)(struct workbench *wb, const char *arg, int how);
	int how;           /* for run_variant */
	enum pane_id pane; /* without functions: that it shows or hides */
};

/* The rows of a file's commands; { 0 } ends them. COMMAND_IN_FULL deletes, forgets or ends
 * something: its name cannot be abbreviated. COMMAND_WITH shares its handler with other rows, and
 * passes how: often whether to ask first. */
/* clang-format off */
#define COMMAND(name, keys, args, help, run) { name, keys, args, help, false, run, NULL, 0, PANE_COUNT }
#define COMMAND_IN_FULL(name, keys, args, help, run) { name, keys, args, help, true, run, NULL, 0, PANE_COUNT }
#define COMMAND_WITH(name, keys, args, help, run, how) { name, keys, args, help, false, NULL, run, how, PANE_COUNT }
#define COMMAND_IN_FULL_WITH(name, keys, args, help, run, how) { name, keys, args, help, true, NULL, run, how, PANE_COUNT }
/* clang-format on */
extern const struct command call_commands[], history_commands[], move_commands[], saved_commands[],
    dispatch_commands[], layout_commands[], recipe_commands[], server_commands[], screen_commands[],
    program_commands[], pass_commands[], export_commands[], question_commands[], find_commands[],
    palette_commands[], hint_commands[];
extern const struct command pane_commands[]; /* show or hide a pane; "" is none */

/* workbench.c */
enum pane_id workbench_focused(const struct workbench *wb);          /* the overlay, if any */
bool workbench_types(const struct workbench *wb, enum pane_id pane); /* are letters text there? */
struct view_env workbench_env(struct workbench *wb, enum pane_id pane);
void workbench_focus(struct workbench *wb, enum pane_id pane);
/* Does the pane apply to the selection? */
bool workbench_has(struct workbench *wb, enum pane_id pane);
/* The contexts of its keys: "structured table" if a view is shown in it. */
const char *workbench_contexts(struct workbench *wb, enum pane_id pane);
/* The view of a value in the pane in front, or else of structuredContent. */
struct view *workbench_front_value(struct workbench *wb);
void workbench_sync(struct workbench *wb);
/* cmd_move.c: toggles a pane of SLOT_OVERLAY. */
bool workbench_toggle(struct workbench *wb, enum pane_id overlay);
/* A call was sent: the focus moves to the result. */
void workbench_follow(struct workbench *wb, uint64_t call);
/* cmd_move.c: hides an empty terminal pane, gives the whole screen to an app that wants it, and
 * notifies that of the end. */
void workbench_settle(struct workbench *wb);
bool workbench_has_floating(const struct workbench *wb); /* an app above the panes */
/* cmd_call.c: opens $EDITOR. False: it failed, and the text in an open one keeps its purpose. */
bool commands_edit(struct workbench *wb, struct edited field_taken, const char *text, size_t len);
/* cmd_call.c: see struct pane_host */
bool commands_send_again(struct workbench *wb, const char *text, size_t len);
/* cmd_call.c: calls for each of several values */
void batch_disarm(struct workbench *wb);
void batch_advance(struct workbench *wb); /* after every event */
/* cmd_recipe.c: runs the recipe until it has to wait */
void recipe_step_on(struct workbench *wb);
/* cmd_recipe.c: the user made a call; a value went from a result into a field */
void record_call(struct workbench *wb, uint64_t call);
void record_link(struct workbench *wb, uint64_t from, const char *pointer, enum primitive_kind kind,
    const char *key, const char *field);
/* cmd_recipe.c: writes new lines of the recorded session. True: there is more. */
bool record_session_step(struct workbench *wb);
/* cmd_program.c: likewise */
bool commands_ask_to_open(struct workbench *wb, const struct pane_file *file);
/* cmd_program.c: all themes by name, with a note; the user's come last. */
void workbench_themes(
    struct workbench *wb, void (*each)(void *ctx, const char *name, const char *note), void *ctx);
/* cmd_program.c: reports it in the bottom bar, and asks before it replaces a file. */
bool workbench_write_file(struct workbench *wb, const char *path, const char *bytes, size_t len);
/* Would a file be replaced? Then the user is asked, and may run the command. */
bool workbench_asks_to_replace(struct workbench *wb, const char *path, const char *command);
/* These two and workbench_tell() are functions of struct pane_host. */
bool workbench_work(struct workbench *wb, struct pane_work *work);
void workbench_work_is_over(struct workbench *wb, struct pane_work *work);
bool workbench_say(struct workbench *wb, enum role role, const char *format, ...)
    __attribute__((format(printf, 3, 4))); /* returns role != ROLE_ERROR */

void bindings_add_defaults(struct keymap *km); /* command_table.c */
/* command_table.c: the command that the key is bound to */
bool workbench_run_bound(struct workbench *wb, const struct keymap_row *bound);
/* layout.c: sizes set by the user. True: the event was on a border. */
bool borders_mouse(struct workbench *wb, const struct key *key);

/* dispatch.c: questions that open automatically */
void asked_open(struct workbench *wb);   /* if the awaited question arrived */
void asked_appear(struct workbench *wb); /* the shown question, or dialog, is a new one */
void asked_on_drawn(struct workbench *wb);
bool asked_is_fresh(struct workbench *wb);

/* start.c: choices by index. False: failed, and said why. */
bool start_show(struct workbench *wb, size_t choice);  /* starts it if needed */
bool start_again(struct workbench *wb, size_t choice); /* starts or restarts; shows nothing */
size_t start_shown(const struct workbench *wb); /* the choice that is shown; SIZE_MAX: none */

#endif
