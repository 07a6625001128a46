/* SPDX-License-Identifier: MIT */
#ifndef CLIENT_APP_APP_H
#define CLIENT_APP_APP_H

#include "client/app.h"
#include "client/server/server.h"

/* A request of the app that the server answers. */
struct app_asked {
	uint64_t token, request; /* token 0: a file that the user wants */
	char file[128];          /* its name */
};

/* Everything that the findings depend on. */
struct app_found_of {
	const cJSON *read;
	const char *withheld, *trouble;
	const struct blob *raw;
	uint32_t life, phase, call, is_late; /* no padding: compared as bytes */
};

struct app {
	struct server *server; /* its now_us is the time of the event under way */
	struct app_facts facts;
	struct json_doc *definition; /* of the tool */
	char *uri, *tool, *call_id;
	char reason[256];
	uint64_t reading; /* the resources/read; 0: none */
	struct app_html page;
	struct json_doc *page_doc; /* that page points into */
	struct app_policy policy;
	struct app_bridge *bridge;
	struct app_view *view;
	struct journal *log;
	struct app_cells cells;
	bool has_cells, shown;
	bool waits;           /* a frame is not on the screen yet */
	struct job *decoding; /* of the next frame; NULL: none */
	bool is_gone;         /* to be removed */
	struct {
		struct app_asked *items;
		size_t len, cap;
	} asked;
	struct {
		struct app_note *items;
		size_t len, cap;
	} notes;
	struct {
		struct app_wish *items;
		size_t len, cap;
	} wishes;
	struct {
		struct app_file *items;
		size_t len, cap;
	} files;
	struct strings messages;
	struct findings found;
	struct app_found_of found_of;
	bool is_searched;
	struct buf reader;
	char shot[128]; /* the file for the picture that is being taken; "": none is */
};

void app_changed(struct app *a);
void app_break(struct app *a, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* app_events.c */
extern const struct app_events app_bridge_events;
void app_asks_forget(struct app *a, const char *why); /* all open requests and wishes */
void app_events_finish(struct app *a);

#endif
