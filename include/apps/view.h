/* SPDX-License-Identifier: MIT */
#ifndef APPS_VIEW_H
#define APPS_VIEW_H

#include "json/doc.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The interface of an app's page in an engine: options, events and functions. engine/app_view.h
 * implements it.
 */
struct app_view;
struct app;
struct app_house;

struct app_view_size {
	int width, height;                 /* of the page, in CSS pixels */
	int picture_width, picture_height; /* size of pictures in pixels; the engine scales them */
};

/* Copied. */
struct app_view_options {
	const char *html; /* the app */
	size_t html_len;
	const char *csp; /* value of its Content-Security-Policy header; NULL: none */
	struct app_view_size size;
	bool dark;
	bool hidden; /* like after app_view_show(false) */
	/* Scripts and style for reading the page as text; NULL: none. */
	const char *style;        /* in addition to the app's style, in each of its documents */
	const char *page_script;  /* runs in the app's world before its scripts */
	const char *world_script; /* runs in our isolated world */
	const char *collect;      /* expression there that returns app_view_frame.text */
	/* Expressions there, before and after a screenshot in the app's own style: the promise of
	 * the first resolves when the page is drawn in that style. */
	const char *undress, *dress;
	/* A file that the style refers to: its path in the app's origin, "/font.ttf", and its type.
	 * NULL: none. */
	const char *file_path;
	const char *file_type; /* "font/ttf" */
	const void *file;
	size_t file_len;
	int load_ms; /* time limit to load the app; 0: 15 s */
};

enum app_view_state {
	APP_VIEW_OPENING, /* waiting for the engine, or loading */
	APP_VIEW_RUNNING, /* its document has loaded; messages may come and go before */
	APP_VIEW_FAILED,  /* see status.reason */
};

struct app_view_status {
	enum app_view_state state;
	bool hung; /* running, but its scripts do not answer; app_view_terminate_script() */
	bool hidden;
	int inputs;       /* number of inputs that the app has not handled yet */
	char reason[256]; /* one line */
	char origin[64];  /* of the app: https://aHEX.invalid */
	int took_ms;      /* time to load; while it opens, so far */
};

/* Everything is borrowed for the call. */
struct app_view_frame {
	const char *png;
	size_t png_len;
	/* Text of the page; NULL: not available in time. Untrusted, because the app shares the
	 * process. */
	const char *text;
};

enum app_view_note_kind {
	APP_VIEW_CONSOLE,    /* level, text, url, line */
	APP_VIEW_EXCEPTION,  /* text, url, line */
	APP_VIEW_VIOLATION,  /* of its CSP: directive, url */
	APP_VIEW_BLOCKED,    /* a request: url, text is the kind of resource */
	APP_VIEW_POPUP,      /* url */
	APP_VIEW_DIALOG,     /* text; it was dismissed */
	APP_VIEW_DOWNLOAD,   /* url; it was denied */
	APP_VIEW_NAVIGATION, /* url; the app has left or reloaded its document */
	APP_VIEW_DROPPED,    /* text: the message or note that was dropped */
	APP_VIEW_CARRIED,    /* a request to a domain that the user allowed: level, text, url */
};

struct app_view_note {
	enum app_view_note_kind kind;
	const char *level, *text, *url, *directive; /* untrusted; may be "" */
	int line;                                   /* from 1; 0: none */
};

/* ---- input ---- */
/* Later input waits until the app has handled this one, or for a timeout. Input before the app's
 * first picture waits for the picture. */
enum { APP_VIEW_ALT = 1, APP_VIEW_CTRL = 2, APP_VIEW_META = 4, APP_VIEW_SHIFT = 8 };
enum app_view_mouse_kind { APP_VIEW_MOVE, APP_VIEW_PRESS, APP_VIEW_RELEASE, APP_VIEW_WHEEL };

struct app_view_mouse {
	enum app_view_mouse_kind kind;
	int x, y;   /* CSS pixels from the top left */
	int button; /* 0: none, 1: left, 2: middle, 3: right; of a move: the button that is held */
	int clicks; /* 2: a double click */
	int dx, dy; /* of the wheel: CSS pixels, down and right positive */
	int modifiers;
};

/* ---- questions ---- */
/* Called once, unless the view is closed first. problem NULL: success. */
typedef void app_view_png_fn(void *user, const char *png, size_t len, const char *problem);
/* nodes: the accessibility tree from DevTools (Accessibility.AXNode); valid during the call. */
typedef void app_view_nodes_fn(void *user, const cJSON *nodes, const char *problem);

/* The program that runs the pages. */
struct app_engine {
	const char *program, *version; /* "" before the start */
	int64_t memory_bytes;          /* of all processes; 0: unknown */
};

/* The functions of engine/app_view.h, for layers below the engine. open() reports events to the app
 * (app_on_view_state() and others). */
struct app_view_ops {
	struct app_view *(*open)(struct app *app, const struct app_view_options *options);
	struct app_engine (*engine)(const struct app_house *house);
	void (*close)(struct app_house *house, struct app_view *view);
	const struct app_view_status *(*status)(struct app_view *view);
	void (*post)(struct app_view *view, const char *json, size_t len);
	void (*drawn)(struct app_view *view);
	void (*resize)(struct app_view *view, const struct app_view_size *size);
	void (*set_dark)(struct app_view *view, bool dark);
	void (*show)(struct app_view *view, bool shown);
	void (*terminate_script)(struct app_view *view);
	void (*mouse)(struct app_view *view, const struct app_view_mouse *mouse);
	bool (*key)(struct app_view *view, const char *name, int modifiers);
	void (*text)(struct app_view *view, const char *utf8, size_t len);
	void (*screenshot)(struct app_view *view, app_view_png_fn *fn, void *user);
	void (*reader)(struct app_view *view, app_view_nodes_fn *fn, void *user);
};

#endif
