/* SPDX-License-Identifier: MIT */
#ifndef ENGINE_PARTS_H
#define ENGINE_PARTS_H

#include "engine/devtools.h"
#include "engine/app_view.h"
#include "loop/child.h"

/* ---- launch.c: the process ---- */

/* A folder for temporary files, used if a private file system is not available. */
struct engine_folder {
	char *path; /* NULL: none */
	int lock;   /* held while the folder is in use; other runs remove folders without a lock */
};

enum engine_fence {
	FENCE_FULL,  /* all processes in namespaces */
	FENCE_PLAIN, /* no namespaces: Chromium's sandbox, and options against the network */
	FENCE_NONE,  /* no sandbox either: options.allow_unsandboxed */
};

struct engine_process {
	/* set before the launch */
	enum engine_fence fence; /* FENCE_FULL becomes FENCE_PLAIN without namespaces */
	bool webgl;
	child_exit_fn *on_exit;
	void *user;

	struct child *child; /* NULL: none */
	bool exited;
	int socket; /* taken by the caller; -1: none */
	struct engine_folder folder;
};

bool engine_launch(
    struct engine_process *p, struct loop *loop, const char *program, struct err *err);
/* End the process and remove its folder. */
void engine_process_finish(struct engine_process *p);

/* Temporary folders. */
bool engine_folder_create(
    struct engine_folder *f, const char *parent, uid_t uid, gid_t gid, struct err *err);
void engine_folder_remove(struct engine_folder *f);
/* Remove the folders of processes that have ended. */
void engine_folders_sweep(const char *parent);
const char *engine_folders_parent(void); /* $TMPDIR or /tmp */

/* ---- engine.c ---- */
struct engine {
	struct loop *loop;
	struct engine_options options;
	struct engine_events events;
	struct engine_status status;
	struct engine_process process;
	struct devtools devtools;
	struct stream_in said_in[2]; /* standard output and error */
	struct buf said;             /* the end of its output */
	char why[192];               /* why the connection ended */
	bool useless;                /* another attempt would fail too */
	enum engine_fence fence;     /* of the next launch */
	int attempts;
	int64_t memory_ended_ms; /* when a renderer was ended for its memory */
	unsigned ticks;
	uint64_t question;  /* id of the pending ping; 0: none */
	uint64_t work_then; /* work_of() when the ping was sent */
	int unanswered;     /* pings in a row without an answer, while it works */
	struct loop_timer start_timer, end_timer, tick_timer, idle_timer, bury_timer;
	struct app_view *views, *closed;
};
/* Call after a view was opened or closed. */
void engine_views_changed(struct engine *e);

/* app_view/ ---- */
enum app_view_stage {
	STAGE_WAITING, /* the engine is starting */
	STAGE_TARGET,  /* create a context, a page in it, a session with it */
	STAGE_SETUP, /* wait for all answers before navigation, else the page sometimes never loads
		      */
	STAGE_CARRIER, /* the page around the app loads */
	STAGE_APP,     /* the app loads */
	STAGE_LOADED,
	STAGE_ENDED,
};

struct app_view_asked {
	struct app_view_asked *next;
	struct app_view *view;
	app_view_png_fn *png;
	app_view_nodes_fn *nodes;
	void *user;
};

struct app_view {
	/* A view that is closed during a loop over all views stays linked until the loop has ended.
	 */
	struct app_view *next, *next_closed;
	struct engine *engine;
	struct app_view_options options; /* owned copies */
	struct app_view_events events;
	struct app_view_status status;
	bool closed;
	enum app_view_stage stage;
	int64_t opened_ms;
	int attempts;
	int awaited; /* answers to the setup */
	char context[64], target[64], page[64], app[64], app_frame[64], carrier_frame[64];
	char sheet[64]; /* id of options.style in the app's document; "": none yet */
	bool carrier_committed;
	char goes_to[256];                /* URL of the app's last navigation */
	int64_t carrier_world, app_world; /* execution contexts; 0: none */
	struct loop_timer load_timer;
	/* screencast, in pictures.c */
	struct {
		struct buf png;
		int64_t number;      /* of png in the screencast */
		bool fresh;          /* png was not passed to the owner yet */
		bool outruns;        /* its texts were requested before it came */
		int64_t unconfirmed; /* number of the frame the owner has, until app_view_drawn();
					0: none */
		int64_t out_ms;      /* when the owner got it */
		uint64_t text_id;    /* id of the pending query; 0: none */
		char *text;
		bool running;
		int count;               /* pictures since the screencast began */
		struct loop_timer rest;  /* restarts the screencast */
		struct loop_timer next;  /* confirms the drawn picture */
		struct loop_timer again; /* the walker saw a change that may not draw anything */
	} picture;
	/* input queue, in pictures.c */
	struct {
		struct app_view_input *first;
		int count;
		uint64_t id;    /* id of the pending input; 0: none */
		bool has_begun; /* the app has been drawn and gets the keys */
		int probes;     /* keys sent to find that out */
		struct loop_timer timer;
	} input;
	/* the pending ping of its script; 0: none */
	uint64_t ping_id;
	/* Messages and notes in the current second. */
	int64_t second;
	int messages, notes;
	struct app_view_asked *asked;
	struct {
		struct app_view_request {
			uint64_t id;
			char *session, *request;
		} * items;
		size_t len, cap;
	} requests; /* that the owner carries */
	uint64_t last_request;
	int undressed; /* pending screenshots in the app's own style; frames pause meanwhile */
};

/* app_view.c: opening */
void app_view_begin(struct app_view *v); /* the engine is ready; a second call restarts the page */
void app_view_fail(struct app_view *v, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void app_view_opening_event(
    struct app_view *v, const char *session, const char *method, const cJSON *params);
void app_view_command(
    struct app_view *v, const char *session, const char *method, const char *members);

/* Begin the command that replaces the text of that style sheet. */
void app_view_set_style(struct app_view *v, const char *style);

/* page_events.c: requests of the page and of the app */
#define CARRIER_URL "https://host.invalid/"
void app_view_serve(struct app_view *v, const char *session, const cJSON *params);

/* page_events.c */
/* False: the session belongs to another view. */
bool app_view_on_event(
    struct app_view *v, const char *session, const char *method, const cJSON *params);
void app_view_note(struct app_view *v, struct app_view_note note);

/* screencast, in pictures.c */
void app_view_pictures_start(struct app_view *v);
void app_view_pictures_stop(struct app_view *v);
void app_view_pictures_forget(struct app_view *v);
void app_view_pictures_again(struct app_view *v);
/* The walker saw a change, which may or may not cause a picture. */
void app_view_pictures_soon(struct app_view *v);
void app_view_on_picture(struct app_view *v, const char *session, const cJSON *params);

/* input queue, in pictures.c */
void app_view_input_begin(struct app_view *v); /* the app has loaded */
void app_view_input_forget(struct app_view *v);

/* app_view.c */
void app_view_tick(struct app_view *v); /* twice a second */
void app_view_bury(struct app_view *v);

#endif
