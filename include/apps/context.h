/* SPDX-License-Identifier: MIT */
#ifndef APPS_CONTEXT_H
#define APPS_CONTEXT_H

#include "base/buf.h"
#include "json/write.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * The host context that is sent to apps. The owner provides the facts, this writes the complete
 * context, and the bridge sends the changes.
 */
enum app_display { APP_DISPLAY_INLINE, APP_DISPLAY_FULLSCREEN, APP_DISPLAY_PIP, APP_DISPLAYS };
extern const char *const app_display_names[APP_DISPLAYS]; /* "inline", "fullscreen", "pip" */
enum app_display app_display_find(const char *name);      /* APP_DISPLAYS: unknown, or NULL */

/* The colors of a theme, 0xrrggbb each. */
struct app_colors {
	uint32_t background, raised, selected, inverse; /* backgrounds */
	uint32_t text, dim, hint, border, accent, info, danger, success, warning;
};

struct app_context {
	const cJSON *tool;             /* the definition whose call opened the app; NULL: none */
	const char *call_id;           /* the JSON-RPC id of that call, as JSON; NULL: unknown */
	bool is_dark;                  /* the theme in use */
	struct app_colors light, dark; /* both, because an app may switch */
	bool has_colors;               /* false: no styles are sent */
	enum app_display mode;
	unsigned modes;         /* that the host offers, as bits */
	int width, height;      /* of the page, in CSS pixels */
	const char *locale;     /* "en-US"; NULL: omit */
	const char *time_zone;  /* "Europe/Vienna"; NULL: omit */
	const char *user_agent; /* "mcpane/1.0"; NULL: omit */
	bool has_mouse;
};

/* Write the context as an object. */
void app_context_write(const struct app_context *c, struct json_writer *w);

#endif
