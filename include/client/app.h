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
 * An app that runs: opened for one call of a tool, it has a page in the engine, the bridge that
 * speaks with it, the cells of its picture, and a record of all that passed. It belongs to its
 * server, where its tools/call and resources/read go and nowhere else. No I/O: the engine is behind
 * struct app_view_ops, and whatever needs the user is a wish that waits for an answer.
 *
 * Times are monotonic microseconds. Every change raises the generation of the server.
 */
struct app;

/* What all apps share; borrowed by servers. */
struct app_house {
	const struct app_view_ops *views;
	char trouble[256]; /* why no app can run, with what to type; "": they can */
	/* Looks for the engine again, which may have been installed meanwhile. NULL: trouble stays.
	 */
	void (*look_again)(struct app_house *house);
	/* An app will soon be opened: its engine may start. NULL: there is none. */
	void (*prepare)(struct app_house *house);
	struct app_context context; /* the surroundings: theme, locale, what the terminal can do */
	bool has_pip, has_fullscreen; /* is there a screen for them? */
	/* An answer of the engine changed something: draw again. NULL: nobody asks. */
	void (*on_answer)(struct app_house *house);
};
void server_use_apps(struct server *s, struct app_house *house); /* NULL: no apps run */
/* The surroundings changed. */
void server_apps_refresh(struct server *s, int64_t now_us);

/* ---- opening and closing ---- */

#define APPS_OPEN_MAX 4 /* of one server; the one that was shown longest ago gives way */

/* Does the definition of a tool name an app? */
bool app_is_named(const struct json_doc *definition);
bool call_has_app(const struct call *c);
/* Opens the app of a call, which may still run: its result goes to the app when it comes. NULL: err
 * says why not; an app that cannot run is opened all the same and says why itself. */
struct app *server_open_app(struct server *s, uint64_t call, int64_t now_us, struct err *err);
/* NULL: not open; one that was asked to end is not. */
struct app *server_find_app(const struct server *s, uint64_t call);
struct app *server_floating_app(const struct server *s);         /* shown as pip; NULL: none */
struct app *server_app_at(const struct server *s, size_t index); /* NULL behind the last */
/* Asks the app to end, which takes a moment; then it is gone from the server. */
void app_close(struct app *a, const char *why, int64_t now_us);
/* Reads the resource again and starts over. csp: APP_CSP_KINDS for the same policy as before. */
void app_reload(struct app *a, enum app_csp csp, int64_t now_us);

/* ---- facts ---- */

enum app_life {
	APP_READING,  /* resources/read */
	APP_STARTING, /* the engine, the page, the handshake */
	APP_ALIVE,
	APP_ENDING, /* it was asked to end */
	APP_BROKEN, /* reason says why; app_reload() tries again */
};
extern const char *const app_life_names[];

/* What happened in the page. */
struct app_note {
	uint64_t id; /* rises by one from note to note */
	enum app_view_note_kind kind;
	char *text;   /* one line or more; untrusted */
	char *where;  /* "https://…/x.js:12", a URL or ""; untrusted */
	char *advice; /* what its author can do; "" if there is none */
	int64_t at_us;
	bool is_error;
};

extern const char *const app_note_names[]; /* by kind: "console", "violation"... */

/* What the app wants and the user decides. */
struct app_wish {
	uint64_t token;
	enum app_ask_kind kind;
	char *text; /* "open https://… in the browser"; untrusted */
	char *url;  /* of a link; NULL */
	struct json_doc *doc;
	const cJSON *value; /* in doc */
};

struct app_file { /* that the app gave and the user wants */
	char name[128];
	struct buf bytes;
};

#define APP_USUAL_CELL_HEIGHT 16 /* CSS pixels of a row, unless the user wants others */
/* What the app is told in place of the truth. */
struct app_pretense {
	enum { APP_AS_IT_IS, APP_DARK, APP_LIGHT } theme;
	char locale[36]; /* "": as it is */
	int cols, rows;  /* 0: as many as there are */
};

struct app_facts {
	struct app_pretense pretense;
	const char *reader;  /* the page as a screen reader tells it; "" until it was asked for */
	size_t reader_count; /* how often it was told */
	struct app_house *house;
	uint64_t call;
	const char *tool, *uri;
	enum app_life life;
	const char *reason;                   /* of BROKEN: one line; "" */
	const struct app_bridge_info *bridge; /* NULL: there is none yet */
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
	int64_t ready_us; /* how long it took from started_us until initialized; -1: it is not */
};
const struct app_facts *app_facts(const struct app *a);
/* What is odd about its page and its run; lives until the next call. Cheap if nothing changed. */
const struct findings *app_findings(struct app *a, int64_t now_us);
const char *app_name(const struct app *a); /* its own, or that of its tool; a label */

/* ---- what the user does ---- */

/* The app hears of it at once. */
void app_pretend(struct app *a, const struct app_pretense *pretense, int64_t now_us);
/* The answer is facts.reader. False: there is no page. */
bool app_ask_reader(struct app *a);
/* A picture as PNG, which app_take_file() gives: the page as a browser shows it, in all modes.
 * False: err says why not. */
bool app_shoot(struct app *a, const char *file, struct err *err);
/* The cells it gets; nothing happens while they stay the same. shown: false: nobody sees it. */
void app_set_stage(struct app *a, int cols, int rows, bool shown, int64_t now_us);
void app_set_mode(struct app *a, enum app_mode mode, int64_t now_us); /* starts over */
void app_set_cell_height(struct app *a, int css_pixels, int64_t now_us);
/* An app that does not declare the mode is shown so all the same, and told nothing but its size.
 * False: there is no such screen. */
bool app_set_display(struct app *a, enum app_display display, int64_t now_us);
void app_drawn(struct app *a); /* the cells are on the screen: the next frame may come */
/* Input for the page: view and its functions of app_view_ops; NULL: there is no page. */
struct app_view *app_view_of(const struct app *a, const struct app_view_ops **ops);
/* Grants or refuses a wish. False: it is gone. Files of a download come to `files`. */
bool app_grant(struct app *a, uint64_t token, int64_t now_us);
bool app_refuse(struct app *a, uint64_t token, int64_t now_us);
/* The next file of a granted download, once; the caller finishes its bytes. False: none. */
bool app_take_file(struct app *a, struct app_file *out);

/* ---- the network ---- */

/* The apps of the server reach a domain that they declare, until the program ends. */
void server_allow_domain(struct server *s, const char *domain);
bool server_forbid_domains(struct server *s); /* again; false: none was allowed */
/* The declared domain of that text that could be allowed; "": the first that is not allowed yet.
 * NULL: none. */
const struct app_domain *app_find_domain(const struct app *a, const char *text);
size_t app_reaches(const struct app *a); /* of the domains that it declares */
/* The allowed domain by which a request may go out; NULL: it must not. */
const struct app_domain *app_lets_through(const struct app *a, const struct app_request *r);
struct app_carried {
	const char *method, *url, *error; /* error NULL: there was a response */
	int status;
	size_t bytes;
	int64_t took_ms;
};
void app_on_carried(struct app *a, const struct app_carried *c, int64_t now_us);

/* ---- what the engine says: for the owner of the views ---- */
void app_on_view_state(struct app *a, int64_t now_us);
void app_on_view_message(struct app *a, const char *json, size_t len, int64_t now_us);
void app_on_view_frame(struct app *a, const struct app_view_frame *frame, int64_t now_us);
void app_on_view_note(struct app *a, const struct app_view_note *note, int64_t now_us);

#endif
