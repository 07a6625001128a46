#ifndef STAGE_H
#define STAGE_H

#include "demo/demo.h"
#include "fake_apps.h"
#include "workbench/workbench.h"

/*
 * The whole interface without a terminal: a workbench on a struct server whose other
 * end is the demo server, all in this process, on a clock of its own. Every
 * exchange takes one millisecond, so what is drawn is always the same.
 */
struct stage {
	struct demo *demo;
	struct server *server;
	struct workbench *wb;
	struct grid grid;
	struct target demo_target;
	struct server_choice choices[4]; /* the first is the demo; a test may add more */
	size_t given;                    /* inputs */
	int64_t now_us;
	bool quit;
	char theme[32];     /* as :theme set it */
	char preview[32];   /* the theme that the palette shows; "": none */
	struct buf written; /* by the last write_file, with its path */
	struct buf played;  /* the ending of its file, and its bytes; empty: nothing is played */
	struct buf opened;  /* in a program: its type, the ending of its name, its bytes */
	struct buf file;    /* what read_file finds in /file */
	struct buf edited;  /* what $EDITOR was given */
	struct buf answer;  /* of stage_answer() */
	struct buf started; /* the last program of the terminal pane: its words */
	struct buf typed;   /* what it was sent */
	struct terminal_listener program;
	struct terminal_size program_size;
	int programs;          /* that run */
	struct fake_apps apps; /* of stage_app.h */
};

void stage_open(struct stage *s, int width, int height); /* connected, tools listed */
/* Three more servers to choose from, none of which is there. */
void stage_add_choices(struct stage *s);
void stage_close(struct stage *s);
void stage_keys(struct stage *s, const char *names); /* "f5 down ctrl-p", separated by blanks */
void stage_type(struct stage *s, const char *text);
bool stage_run(struct stage *s, const char *command_line);
/* In place of the demo's next reply: "result" or "error" with its value, as in JSON-RPC. */
void stage_answer(struct stage *s, const char *members);
/* The program in the terminal pane writes, or ends. */
void stage_program(struct stage *s, const char *text);
void stage_program_ends(struct stage *s, int code);
void stage_stderr(struct stage *s, const char *line); /* the server writes it there */
void stage_mouse(struct stage *s, enum mouse_action action, int x, int y);
void stage_mouse(struct stage *s, enum mouse_action action, int x, int y); /* from 0 */
void stage_click(struct stage *s, int x, int y);
void stage_drag(struct stage *s, int x, int y, int to_x, int to_y);
void stage_resize(struct stage *s, int width, int height);
/* Lets both ends talk and time pass until nothing is to be said, at most for_ms. */
void stage_settle(struct stage *s, int64_t for_ms);
/* The screen as text, valid until the next call. */
const char *stage_text(struct stage *s);

#endif
