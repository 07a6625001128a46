/* SPDX-License-Identifier: MIT */
#ifndef MCP_APP_METADATA_H
#define MCP_APP_METADATA_H

#include "base/buf.h"
#include "base/err.h"
#include "json/doc.h"

/*
 * MCP Apps (specification 2026-01-26), the part in a tool's definition: the resource that shows its
 * results, and who may call it. apps/policy.h has the part in the resource. Pointers are into the
 * trees given. Every member that is ignored is reported as a flaw.
 */
#define APPS_EXTENSION "io.modelcontextprotocol/ui"
#define APPS_MIME "text/html;profile=mcp-app"
/* The settings of the extension in the client capabilities. */
#define APPS_SETTINGS "{\"mimeTypes\":[\"" APPS_MIME "\"]}"
#define APPS_SCHEME "ui://"

/* ---- a tool ---- */

struct app_tool {
	const char *resource;    /* the URI of its app; NULL: it has none */
	bool is_deprecated;      /* named as _meta["ui/resourceUri"] alone */
	bool for_model;          /* a model may see and call it; also without `visibility` */
	bool for_app;            /* an app of the same server may call it; likewise */
	const cJSON *visibility; /* as given, of any type; NULL: absent */
};

/* definition: of the tool; NULL or anything else is a tool without an app. */
void app_tool_read(struct app_tool *t, const cJSON *definition);

/* ---- arguments ---- */

/* Adds the arguments, an object as JSON, with the defaults of the schema for absent properties, in
 * nested objects too. Anything but an object counts as {}. */
void app_arguments_add(struct buf *out, const cJSON *schema, const cJSON *arguments);

/* ---- flaws ---- */

enum app_flaw_kind {
	APP_FLAW_URI,         /* resourceUri is not a string that begins with ui:// */
	APP_FLAW_DEPRECATED,  /* the deprecated spelling alone */
	APP_FLAW_CONTRADICTS, /* both spellings, different URIs */
	APP_FLAW_VISIBILITY,  /* not an array of "model" and "app" */
	APP_FLAW_NOBODY,      /* for neither model nor app */
	APP_FLAW_MISPLACED,   /* csp or permissions on a tool, which hosts ignore */
	APP_FLAW_META,   /* a member of the resource's _meta.ui has the wrong type, or is unknown */
	APP_FLAW_DOMAIN, /* a declared domain that the policy refuses */
};

struct app_flaw {
	enum app_flaw_kind kind;
	const char *pointer; /* into the definition, or into the content item */
	char text[200];      /* one line; not made safe for a terminal */
};

typedef void app_flaw_fn(void *user, const struct app_flaw *flaw);
void app_tool_flaws(const cJSON *definition, app_flaw_fn *on_flaw, void *user);
/* Used by app_tool_flaws() and app_resource_flaws(). */
struct app_flaws {
	app_flaw_fn *on_flaw;
	void *user;
};
void app_flaw_tell(const struct app_flaws *f, enum app_flaw_kind kind, const char *pointer,
    const char *format, ...) __attribute__((format(printf, 4, 5)));

#endif
