/* SPDX-License-Identifier: MIT */
#ifndef APPS_RESOURCE_H
#define APPS_RESOURCE_H

#include "base/buf.h"
#include "base/err.h"
#include "json/doc.h"
#include "mcp/app_metadata.h"

/*
 * The resource of an app (specification 2026-01-26): its page, and the domains and permissions that
 * the page needs. Pointers are into the given trees. Ignored members are reported as flaws.
 */
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
extern const char *const app_permission_answers[APP_PERMISSIONS]; /* the consequence */

enum app_border { APP_BORDER_ABSENT, APP_BORDER_NO, APP_BORDER_YES };

struct app_resource {
	const cJSON *ui;                        /* _meta.ui; NULL: absent */
	const char *from;                       /* the member it was found in: "_meta"; NULL */
	const cJSON *csp;                       /* an object; NULL: absent */
	const cJSON *domains[APP_DOMAIN_KINDS]; /* arrays; NULL: absent */
	unsigned permissions;                   /* requested, as bits of enum app_permission */
	const char *domain; /* for hosts with stable origins: shown, never used */
	enum app_border border;
};

/* The content item of resources/read comes first, then the entry of resources/list; either may be
 * NULL. */
void app_resource_read(struct app_resource *r, const cJSON *item, const cJSON *entry);

/* The page in the result of resources/read. */
#define APP_HTML_MAX ((size_t)32 << 20)

struct app_html {
	const cJSON *item; /* of `contents`; NULL: none */
	const char *mime;  /* NULL: absent */
	struct buf html;
	struct app_resource resource;
};

/* Read the page; its MIME type must be that of apps. False with err: it cannot be shown; item and
 * mime are set if known. Finish it in both cases. */
bool app_html_read(struct app_html *page, const cJSON *result, const char *uri, const cJSON *entry,
    struct err *err);
void app_html_finish(struct app_html *page);
/* Return whether it is text/html;profile=mcp-app, regardless of blanks, case and quotes (RFC 9110
 * section 8.3.1). */
bool app_is_mime(const char *mime);
/* Return the next address of another host (http, https, ws, wss, or without a scheme) from *at that
 * the page certainly fetches: in src=, the href= of a link element, url(), import, fetch() and
 * similar. *len is its length. NULL: no more. */
const char *app_html_next_address(const struct buf *html, size_t *at, size_t *len);

void app_resource_flaws(const struct app_resource *r, app_flaw_fn *on_flaw, void *user);

#endif
