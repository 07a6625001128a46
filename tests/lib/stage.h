/* SPDX-License-Identifier: MIT */
#ifndef STAGE_H
#define STAGE_H

#include "demo/demo.h"
#include "fake_apps.h"
#include "workbench/workbench.h"

/*
 * The whole interface without a terminal: a workbench and a struct server connected to the demo
 * server, all in this process. It has a simulated clock in which every exchange takes one
 * millisecond, so frames are reproducible.
 */
struct stage {
	struct demo *demo;
	struct demo_output demo_out;
	struct server *server;
	struct workbench *wb;
	struct grid grid;
	struct target demo_target;
	struct server_choice choices[4]; /* the first is the demo; a test can add more */
	size_t given;                    /* inputs */
	int64_t now_us;
	bool quit;
	char theme[32];     /* set by :theme */
	char preview[32];   /* theme previewed by the palette; "" */
	struct buf written; /* content of the last write_file, after its path */
	struct buf played;  /* extension and bytes of the recording to play; empty if none */
	struct buf opened;  /* opened in a program: MIME type, extension, bytes */
	struct buf file;    /* content of /file for read_file */
	struct buf edited;  /* text passed to $EDITOR */
	bool no_editor;     /* it cannot be opened */
	struct buf answer;  /* set by stage_answer() */
	struct buf started; /* command line of the last program in the terminal pane */
	struct buf typed;   /* bytes sent to it */
	struct terminal_listener program;
	struct terminal_size program_size;
	int programs;          /* running programs */
	struct fake_apps apps; /* see stage_app.h */
};

void stage_open(struct stage *s, int width, int height); /* connects and lists the tools */
/* Add three servers to choose from; none of them exists. */
void stage_add_choices(struct stage *s);
void stage_close(struct stage *s);
void stage_keys(struct stage *s, const char *names); /* "f5 down ctrl-p", separated by blanks */
void stage_type(struct stage *s, const char *text);
bool stage_run(struct stage *s, const char *command_line);
/* Replace the demo's next reply: "result" or "error" with its value, as in JSON-RPC. */
void stage_answer(struct stage *s, const char *members);
/* The program in the terminal pane writes text, or ends. */
void stage_program(struct stage *s, const char *text);
void stage_program_ends(struct stage *s, int code);
void stage_stderr(struct stage *s, const char *line);                      /* from the server */
void stage_mouse(struct stage *s, enum mouse_action action, int x, int y); /* from 0 */
void stage_click(struct stage *s, int x, int y);
void stage_drag(struct stage *s, int x, int y, int to_x, int to_y);
void stage_resize(struct stage *s, int width, int height);
/* Exchange messages and advance the clock until both ends are idle, for at most for_ms. */
void stage_settle(struct stage *s, int64_t for_ms);
/* Return the screen as text, valid until the next call. */
const char *stage_text(struct stage *s);

#endif
