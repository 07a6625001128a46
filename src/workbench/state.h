#ifndef WORKBENCH_STATE_H
#define WORKBENCH_STATE_H

#include "workbench/frame/frame.h"
#include "workbench/dialogs/dialogs.h"
#include "workbench/prompt/prompt.h"
#include "pane/pane.h"
#include "ui/keymap.h"
#include "workbench/workbench.h"

/* What has the keyboard before any pane. */
enum modal {
	MODAL_NONE,
	MODAL_PROMPT,
	MODAL_HELP,
	MODAL_CALLS,
	MODAL_CONFIRM,
	MODAL_APPROVAL,
	MODAL_ASK,
};

/* What $EDITOR is open for. */
enum edited { EDITED_ARGUMENTS, EDITED_FIELD, EDITED_ANSWER, EDITED_REQUEST };

struct workbench {
	struct workspace ws;
	const struct workbench_host *host;
	void *user;
	struct pane_host pane_host; /* what of it panes see */
	struct keymap keymap;
	void *states[PANE_COUNT];

	enum pane_id focus; /* among panes of the left and right slots */
	enum pane_id right; /* the right pane last focused */
	int overlay;        /* a pane of SLOT_OVERLAY, -1: none */
	bool zoomed;
	struct layout layout; /* of the last frame */
	struct layout_sizes sizes;
	int held; /* whose size the mouse is dragging, -1: none */
	int width, height;
	struct hints hints;

	enum modal modal;
	struct prompt prompt;
	struct confirm confirm;
	struct calls calls;
	struct help help;
	struct find find;
	struct titles titles;
	struct approval approval;
	struct ask ask;
	size_t starting;  /* the choice a dialog is about */
	bool start_shows; /* and show it then */
	enum edited edited;
	uint64_t edited_question;
	char *edited_field;
	char *message;
	enum role message_role;

	uint64_t follow_call;  /* its result is shown when it comes, where one pane fits */
	struct strings queue;  /* commands still to run */
	uint64_t awaited_call; /* by the last key: what it asks opens by itself; 0: none */
	bool appeared;         /* a question opened by itself */
	int64_t appeared_us;
	uint64_t queue_call;        /* the call the queue waits for; 0: none */
	bool advancing, unfinished; /* unfinished: the last frame was */
	uint64_t synced;            /* workspace generation the panes know */
	int64_t now_us;
};

struct command {
	const char *name;
	const char *keys;
	const char *args;
	const char *help;
	bool whole; /* deletes, forgets or leaves: no beginning of its name will do */
	bool (*run)(struct workbench *wb, const char *arg);
};
extern const struct command commands[]; /* ended by a row without a name */

/* workbench.c */
enum pane_id workbench_focused(const struct workbench *wb); /* the overlay when there is one */
struct pane_env workbench_env(struct workbench *wb, enum pane_id pane);
void workbench_focus(struct workbench *wb, enum pane_id pane);
/* Is there anything to show in it for what is selected? Only tools have verdicts. */
bool workbench_has(const struct workbench *wb, enum pane_id pane);
void workbench_sync(struct workbench *wb);
/* commands_move.c: opens a pane of SLOT_OVERLAY, or closes it. */
bool workbench_toggle(struct workbench *wb, enum pane_id overlay);
/* Is there anything below what is on top? Without a server there is not. */
bool workbench_can_go_back(const struct workbench *wb);
/* A call was sent: where one right pane shows at a time, it becomes the one with the result. */
void workbench_follow(struct workbench *wb, uint64_t call);
bool workbench_say(struct workbench *wb, enum role role, const char *format, ...)
    __attribute__((format(printf, 3, 4))); /* returns role != ROLE_ERROR */

void bindings_add_defaults(struct keymap *km); /* bindings.c */
/* borders.c: sizes that the user sets. True: the mouse event was a border's. */
bool borders_mouse(struct workbench *wb, const struct key *key);

/* asked.c: questions that open by themselves */
void asked_await(struct workbench *wb, uint64_t call);
void asked_touch(struct workbench *wb);  /* the user does something */
void asked_open(struct workbench *wb);   /* if what was awaited is there */
void asked_appear(struct workbench *wb); /* another is shown without being asked for */
bool asked_is_fresh(struct workbench *wb);
/* Too early to be meant for what has just appeared. */
bool asked_ignores(struct workbench *wb, const struct key *key);

/* start.c: choices by index. False: refused, said. */
bool start_show(struct workbench *wb, size_t choice);  /* starts it where it is not */
bool start_again(struct workbench *wb, size_t choice); /* or for the first time; shows nothing */
bool start_go_on(struct workbench *wb);                /* after a dialog */
const struct server_choice *start_choice(const struct workbench *wb);
size_t start_shown(const struct workbench *wb); /* the choice that is shown; SIZE_MAX: none */

#endif
