#ifndef APPS_METADATA_H
#define APPS_METADATA_H

#include "base/buf.h"
#include "base/err.h"
#include "json/doc.h"

/*
 * MCP Apps (specification 2026-01-26): what servers say about apps. A tool names the resource that
 * shows its results, and who may call it; the resource says what its page needs. All pointers are
 * into the trees given. Nothing here is trusted, and nothing is dropped in silence: whatever does
 * not count is a flaw.
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

/* ---- a resource ---- */

enum app_domains { APP_CONNECT, APP_RESOURCE, APP_FRAME, APP_BASE_URI, APP_DOMAIN_KINDS };
extern const char *const app_domain_members[APP_DOMAIN_KINDS]; /* "connectDomains"... */

enum app_permission {
	APP_CAMERA,
	APP_MICROPHONE,
	APP_GEOLOCATION,
	APP_CLIPBOARD_WRITE,
	APP_PERMISSIONS
};
extern const char *const app_permission_names[APP_PERMISSIONS];   /* "camera"... */
extern const char *const app_permission_answers[APP_PERMISSIONS]; /* what becomes of it here */

enum app_border { APP_BORDER_ABSENT, APP_BORDER_NO, APP_BORDER_YES };

struct app_resource {
	const cJSON *ui;                        /* the whole of _meta.ui; NULL: absent */
	const char *from;                       /* the member it was found in: "_meta"; NULL */
	const cJSON *csp;                       /* an object; NULL: absent */
	const cJSON *domains[APP_DOMAIN_KINDS]; /* arrays; NULL: absent */
	unsigned permissions;                   /* wanted, as bits of enum app_permission */
	const char *domain; /* for hosts that give a stable origin: shown, never used */
	enum app_border border;
};

/* The content item of resources/read comes first, then the entry of resources/list; either may be
 * NULL. */
void app_resource_read(struct app_resource *r, const cJSON *item, const cJSON *entry);

/* The page in the result of resources/read. */
#define APP_HTML_MAX ((size_t)32 << 20)

struct app_html {
	const cJSON *item; /* of `contents`; NULL: there is none */
	const char *mime;  /* NULL: absent */
	struct buf html;
	struct app_resource resource;
};

/* False: err says why this page cannot be shown; item and mime are set as far as they are known.
 * The MIME type has to be that of apps. Finish it either way. */
bool app_html_read(struct app_html *page, const cJSON *result, const char *uri, const cJSON *entry,
    struct err *err);
void app_html_finish(struct app_html *page);
/* Is it text/html;profile=mcp-app? Blanks, case and quotes do not count (RFC 9110 section 8.3.1).
 */
bool app_is_mime(const char *mime);
/* The next address of another host (http, https, ws, wss, or without a scheme) from *at on that the
 * page certainly fetches: in src=, the href= of a link, url(), import, fetch() and the like. *len
 * is its length. NULL: no more. */
const char *app_html_next_address(const struct buf *html, size_t *at, size_t *len);

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
void app_resource_flaws(const struct app_resource *r, app_flaw_fn *on_flaw, void *user);
/* Only for these two. */
struct app_flaws {
	app_flaw_fn *on_flaw;
	void *user;
};
void app_flaw_tell(const struct app_flaws *f, enum app_flaw_kind kind, const char *pointer,
    const char *format, ...) __attribute__((format(printf, 4, 5)));

#endif
