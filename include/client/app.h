/* SPDX-License-Identifier: MIT */
#ifndef CLIENT_APP_H
#define CLIENT_APP_H

#include "apps/bridge.h"
#include "apps/cells.h"
#include "apps/policy.h"
#include "apps/view.h"
#include "base/strings.h"
#include "client/call.h"
#include "client/journal.h"
#include "client/server.h"

/*
 * An app opened for one tool call. It has a page in the engine, a bridge to the page, the cells of
 * the picture, and a log of all messages. It belongs to one server, which alone gets its tools/call
 * and resources/read. No I/O: the engine is behind struct app_view_ops, and a request that needs
 * the user is a wish that waits for an answer.
 *
 * Times are monotonic microseconds. Every change raises the generation of the server.
 */
struct app;

/* Shared by all apps; borrowed by servers. */
struct app_house {
	const struct app_view_ops *views;
	char trouble[256]; /* why no app can run, and the command to type; "": apps can run */
	/* Searches for the engine again, because it may have been installed. May be NULL. */
	void (*look_again)(struct app_house *house);
	/* An app will be opened soon: starts the engine. May be NULL. */
	void (*prepare)(struct app_house *house);
	struct app_context context;   /* theme, locale, abilities of the terminal */
	bool has_pip, has_fullscreen; /* is there a screen for them? */
	/* An answer of the engine changed something: draw again. May be NULL. */
	void (*on_answer)(struct app_house *house);
};
void server_use_apps(struct server *s, struct app_house *house); /* NULL: no apps run */
/* The surroundings changed. */
void server_apps_refresh(struct server *s, int64_t now_us);

/* ---- opening and closing ---- */

#define APPS_OPEN_MAX 4 /* of one server; the app shown longest ago is closed */

/* Returns whether the definition of a tool names an app. */
bool app_is_named(const struct json_doc *definition);
bool call_has_app(const struct call *c);
/* Opens the app of a call, which can be running: the app gets its result later. NULL: err has the
 * reason. An app that cannot run is opened too, and has the reason in its facts. */
struct app *server_open_app(struct server *s, uint64_t call, int64_t now_us, struct err *err);
/* NULL: not open, or closing. */
struct app *server_find_app(const struct server *s, uint64_t call);
struct app *server_floating_app(const struct server *s);         /* shown as pip; NULL: none */
struct app *server_app_at(const struct server *s, size_t index); /* NULL after the last */
/* Tears the app down and then removes it from the server. */
void app_close(struct app *a, const char *why, int64_t now_us);
/* Reads the resource and starts again. csp: APP_CSP_KINDS keeps the policy. */
void app_reload(struct app *a, enum app_csp csp, int64_t now_us);

/* ---- facts ---- */

enum app_life {
	APP_READING,  /* resources/read */
	APP_STARTING, /* the engine, the page, the handshake */
	APP_ALIVE,
	APP_ENDING, /* being torn down */
	APP_BROKEN, /* reason has the cause; app_reload() tries again */
};
extern const char *const app_life_names[];

/* An event in the page. */
struct app_note {
	uint64_t id; /* rises by one from note to note */
	enum app_view_note_kind kind;
	char *text;   /* one line or more; untrusted */
	char *where;  /* "https://…/x.js:12", a URL or ""; untrusted */
	char *advice; /* a remedy for the author; can be "" */
	int64_t at_us;
	bool is_error;
};

struct app_note_kind {
	const char *name; /* "console", "violation"... */
	const char *verb; /* before the text */
	bool is_error;
};
extern const struct app_note_kind app_note_kinds[]; /* by enum app_view_note_kind */

/* A request of the app that needs the consent of the user. */
struct app_wish {
	uint64_t token;
	enum app_ask_kind kind;
	char *text; /* "open https://… in the browser"; untrusted */
	char *url;  /* of a link; NULL */
	struct json_doc *doc;
	const cJSON *value; /* in doc */
};

struct app_file { /* downloaded from the app */
	char name[128];
	struct buf bytes;
};

#define APP_USUAL_CELL_HEIGHT 16 /* CSS pixels of a row by default */
/* Values that the app gets instead of the actual ones. */
struct app_pretense {
	enum { APP_AS_IT_IS, APP_DARK, APP_LIGHT } theme;
	char locale[36]; /* "": the actual locale */
	int cols, rows;  /* 0: the actual size */
};

struct app_facts {
	struct app_pretense pretense;
	const char *reader;  /* the page for a screen reader; "" until app_ask_reader() */
	size_t reader_count; /* answers of app_ask_reader() so far */
	struct app_house *house;
	uint64_t call;
	const char *tool, *uri;
	enum app_life life;
	const char *reason;                   /* of BROKEN: one line; "" */
	const struct app_bridge_info *bridge; /* NULL: not yet */
	const struct app_view_status *view;   /* NULL: likewise */
	const struct app_html *page;          /* html is empty until it was read */
	const struct app_policy *policy;
	enum app_csp csp;
	const struct app_cells *cells; /* NULL until the first frame */
	const struct journal *log;     /* of the bridge */
	const struct app_note *notes;
	size_t note_count, notes_dropped;
	size_t errors;                  /* notes of errors since it was started last */
	const struct strings *messages; /* for the conversation, as JSON */
	const struct app_wish *wishes;
	size_t wish_count;
	enum app_display display;
	enum app_mode mode;
	int cols, rows, cell_height;
	size_t frames;
	int64_t opened_us, started_us, shown_us;
	const struct strings *allowed; /* domains: of the server */
	size_t carried;                /* requests that went out */
	const char *withheld;          /* why the result did not go to the app; "" */
	const cJSON *read;             /* the result of resources/read; NULL: not yet */
	int64_t ready_us; /* time from started_us until initialized; -1: not initialized */
};
const struct app_facts *app_facts(const struct app *a);
/* Findings about its page and its run; valid until the next call. Cheap if nothing changed. */
const struct findings *app_findings(struct app *a, int64_t now_us);
const char *app_name(const struct app *a); /* its own, or that of its tool; a label */

/* ---- commands of the user ---- */

/* Notifies the app at once. */
void app_pretend(struct app *a, const struct app_pretense *pretense, int64_t now_us);
/* The answer arrives in facts.reader. False: it has no page. */
bool app_ask_reader(struct app *a);
/* Takes a screenshot of the page as a browser shows it, in every mode. app_take_file() returns the
 * PNG. False: err has the reason. */
bool app_shoot(struct app *a, const char *file, struct err *err);
/* Sets the size in cells; the same size has no effect. shown: it is on the screen. */
void app_set_stage(struct app *a, int cols, int rows, bool shown, int64_t now_us);
void app_set_mode(struct app *a, enum app_mode mode, int64_t now_us); /* starts over */
void app_set_cell_height(struct app *a, int css_pixels, int64_t now_us);
/* An app that does not declare the mode is shown in it too, but gets only its size. False: the mode
 * is unavailable. */
bool app_set_display(struct app *a, enum app_display display, int64_t now_us);
void app_drawn(struct app *a); /* the cells are on the screen: the next frame may come */
/* The view for input and its functions; NULL: it has no page. */
struct app_view *app_view_of(const struct app *a, const struct app_view_ops **ops);
/* Grants or refuses a wish. False: it is gone. Files of a download come to `files`. */
bool app_answer(struct app *a, uint64_t token, bool grants, int64_t now_us);
/* Detaches the next file of a granted download; the caller finishes its bytes. False: none. */
bool app_take_file(struct app *a, struct app_file *out);

/* ---- the network ---- */

/* The apps of the server reach a domain that they declare, until the program ends. */
void server_allow_domain(struct server *s, const char *domain);
bool server_forbid_domains(struct server *s); /* again; false: none was allowed */
/* The declared domain of that text that could be allowed; "": the first that is not allowed yet.
 * NULL: none. */
const struct app_domain *app_find_domain(const struct app *a, const char *text);
size_t app_reaches(const struct app *a); /* of the domains that it declares */
struct app_carried {
	const char *method, *url, *error; /* error NULL: there was a response */
	int status;
	size_t bytes;
	int64_t took_ms;
};
void app_on_carried(struct app *a, const struct app_carried *c, int64_t now_us);

/* ---- events of the engine, for the owner of the views ---- */
void app_on_view_state(struct app *a, int64_t now_us);
void app_on_view_message(struct app *a, const char *json, size_t len, int64_t now_us);
void app_on_view_frame(struct app *a, const struct app_view_frame *frame, int64_t now_us);
void app_on_view_note(struct app *a, const struct app_view_note *note, int64_t now_us);

#endif
