/* SPDX-License-Identifier: MIT */
#include "apps/policy.h"

#include "base/ascii.h"
#include "base/base64.h"
#include "base/mem.h"
#include "base/vec.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

const char *const app_domain_members[APP_DOMAIN_KINDS] = { "connectDomains", "resourceDomains",
	"frameDomains", "baseUriDomains" };
const char *const app_permission_names[APP_PERMISSIONS] = { "camera", "microphone", "geolocation",
	"clipboardWrite" };
const char *const app_permission_answers[APP_PERMISSIONS] = {
	[APP_CAMERA] = "never: a terminal has no camera",
	[APP_MICROPHONE] = "never: a terminal has no microphone",
	[APP_GEOLOCATION] = "never: mcpane does not know where you are",
	[APP_CLIPBOARD_WRITE] = "each copy is asked about",
};

/* ---- metadata ---- */

static const cJSON *
find_ui(const cJSON *holder, const char **from)
{
	static const char *const members[] = { "_meta", "meta" };

	for (size_t i = 0; i < ARRAY_LEN(members); i++) {
		const cJSON *ui = json_get(json_get(holder, members[i]), "ui");
		if (ui) {
			*from = members[i];
			return ui;
		}
	}
	return NULL;
}

static const cJSON *
get_of(const cJSON *object, const char *key, enum json_type type)
{
	const cJSON *value = json_get(object, key);

	return json_type(value) == type ? value : NULL;
}

void
app_resource_read(struct app_resource *r, const cJSON *item, const cJSON *entry)
{
	*r = (struct app_resource){ .ui = NULL };
	r->ui = find_ui(item, &r->from);
	if (!r->ui)
		r->ui = find_ui(entry, &r->from);
	r->csp = get_of(r->ui, "csp", JSON_OBJECT);
	for (int kind = 0; kind < APP_DOMAIN_KINDS; kind++)
		r->domains[kind] = get_of(r->csp, app_domain_members[kind], JSON_ARRAY);
	const cJSON *wanted = json_get(r->ui, "permissions");
	for (int i = 0; i < APP_PERMISSIONS; i++)
		if (get_of(wanted, app_permission_names[i], JSON_OBJECT))
			r->permissions |= 1u << i;
	r->domain = json_get_string(r->ui, "domain");
	const cJSON *border = get_of(r->ui, "prefersBorder", JSON_BOOLEAN);
	if (border)
		r->border = cJSON_IsTrue(border) ? APP_BORDER_YES : APP_BORDER_NO;
}

/* ---- the page ---- */

bool
app_is_mime(const char *mime)
{
	char plain[sizeof(APPS_MIME) + 1];
	size_t len = 0;

	for (; mime && *mime; mime++) {
		if (*mime == ' ' || *mime == '\t' || *mime == '"')
			continue;
		if (len == sizeof(plain) - 1)
			return false;
		plain[len++] = *mime;
	}
	plain[len] = '\0';
	return strcasecmp(plain, APPS_MIME) == 0;
}

bool
app_html_read(struct app_html *page, const cJSON *result, const char *uri, const cJSON *entry,
    struct err *err)
{
	*page = (struct app_html){ .html = { .max = APP_HTML_MAX } };
	/* Take the item with the URI, else the only one. */
	const cJSON *contents = json_get(result, "contents");
	const cJSON *item = json_find_by(contents, "uri", uri);
	if (!item && json_count(contents) == 1)
		item = json_first(contents);
	page->item = cJSON_IsObject(item) ? item : NULL;
	app_resource_read(&page->resource, page->item, entry);
	if (!page->item)
		return err_set(err, "resources/read returned no contents for %.120s", uri);
	page->mime = json_get_string(page->item, "mimeType");
	const char *text = json_get_string(page->item, "text");
	const char *blob = json_get_string(page->item, "blob");
	if (!text && !blob)
		return err_set(err, "the contents have neither text nor blob");
	bool ok = text ? buf_add(&page->html, text, strlen(text))
		       : base64_decode(&page->html, blob, strlen(blob));
	if (page->html.overflowed)
		return err_set(err, "the page has more than %zu MiB", APP_HTML_MAX >> 20);
	if (!ok)
		return err_set(err, "its blob is not Base64");
	if (page->html.len == 0)
		return err_set(err, "the page is empty");
	if (!app_is_mime(page->mime))
		return err_set(err, "its MIME type is %.80s, not " APPS_MIME,
		    page->mime ? page->mime : "absent");
	return true;
}

void
app_html_finish(struct app_html *page)
{
	buf_finish(&page->html);
	*page = (struct app_html){ .html = { .max = APP_HTML_MAX } };
}

/* ---- addresses in the page ---- */

/* Return whether one of the words is shortly before the end of the text. */
static bool
has_lately(const char *text, size_t len, const char *word)
{
	for (size_t back = strlen(word); back <= len && back < 300; back++)
		if (strncasecmp(text + len - back, word, strlen(word)) == 0)
			return true;
	return false;
}

/* Return whether the text before an address makes a browser fetch it. Most addresses in a page are
 * links, namespaces and parts of error messages. */
static bool
is_fetched(const char *text, size_t len)
{
	static const char *const words[] = { "src=", "url(", "fetch(", "import(", "import",
		"WebSocket(", "EventSource(", "importScripts(" };

	if (len > 0 && strchr("\"'`", text[len - 1]))
		len--;
	while (len > 0 && text[len - 1] == ' ')
		len--;
	for (size_t i = 0; i < ARRAY_LEN(words); i++)
		if (text_ends(text, len, words[i]))
			return true;
	return (text_ends(text, len, "from") && has_lately(text, len, "import")) ||
	       (text_ends(text, len, "href=") && has_lately(text, len, "<link ") &&
		   !has_lately(text, len, "<a "));
}

static bool
begins_address(const char *text, size_t len)
{
	static const char *const schemes[] = { "http://", "https://", "ws://", "wss://", "//" };

	for (size_t i = 0; i < ARRAY_LEN(schemes); i++) {
		size_t scheme = strlen(schemes[i]);
		if (len > scheme && strncasecmp(text, schemes[i], scheme) == 0)
			return ascii_is_alnum((unsigned char)text[scheme]);
	}
	return false;
}

const char *
app_html_next_address(const struct buf *html, size_t *at, size_t *len)
{
	const char *text = buf_text(html);

	for (size_t i = *at; i < html->len; i++) {
		char c = (char)(text[i] | 0x20);
		if ((c != 'h' && c != 'w' && text[i] != '/') ||
		    !begins_address(text + i, html->len - i) || !is_fetched(text, i))
			continue;
		*len = 0;
		while (i + *len < html->len && !strchr("\"'`()<>\\ \t\r\n", text[i + *len]))
			++*len;
		*at = i + *len;
		return text + i;
	}
	*at = html->len;
	return NULL;
}

/* ---- flaws ---- */

static void
check_type(const struct app_flaws *f, const cJSON *holder, const char *member, enum json_type type)
{
	const cJSON *value = json_get(holder, member);

	if (value && json_type(value) != type)
		app_flaw_tell(f, APP_FLAW_META, "/_meta/ui", "%s is %s, not %s: it is ignored",
		    member, json_type_name(json_type(value)), json_type_name(type));
}

static void
check_domains(const struct app_flaws *f, const struct app_resource *r)
{
	struct app_policy policy;
	char pointer[64];

	app_policy_init(&policy, r, APP_CSP_STRICT);
	for (size_t i = 0; i < policy.domains.len; i++) {
		const struct app_domain *d = &policy.domains.items[i];
		if (!d->refusal)
			continue;
		snprintf(pointer, sizeof(pointer), "/_meta/ui/csp/%s/%zu",
		    app_domain_members[d->kind], d->index);
		app_flaw_tell(f, APP_FLAW_DOMAIN, pointer, "\"%.80s\" is not in the policy: %s",
		    d->text, d->refusal);
	}
	if (policy.rest > 0)
		app_flaw_tell(f, APP_FLAW_DOMAIN, "/_meta/ui/csp",
		    "%zu more domains are not in the policy: at most %d of each kind are",
		    policy.rest, APP_DOMAINS_MAX);
	app_policy_finish(&policy);
}

void
app_resource_flaws(const struct app_resource *r, app_flaw_fn *on_flaw, void *user)
{
	const struct app_flaws f = { on_flaw, user };

	if (r->ui && strcmp(r->from, "_meta") != 0)
		app_flaw_tell(&f, APP_FLAW_META, "/meta", "the metadata is in meta, not in _meta");
	if (r->ui && !cJSON_IsObject(r->ui))
		app_flaw_tell(&f, APP_FLAW_META, "/_meta/ui", "_meta.ui is %s, not an object",
		    json_type_name(json_type(r->ui)));
	check_type(&f, r->ui, "csp", JSON_OBJECT);
	check_type(&f, r->ui, "permissions", JSON_OBJECT);
	check_type(&f, r->ui, "domain", JSON_STRING);
	check_type(&f, r->ui, "prefersBorder", JSON_BOOLEAN);
	for (const cJSON *m = json_first(r->csp); m; m = m->next) {
		bool is_known = false;
		for (int kind = 0; kind < APP_DOMAIN_KINDS; kind++)
			is_known |= strcmp(m->string, app_domain_members[kind]) == 0;
		if (is_known)
			check_type(&f, r->csp, m->string, JSON_ARRAY);
		else
			app_flaw_tell(&f, APP_FLAW_META, "/_meta/ui/csp",
			    "csp has no member %.60s: it is ignored", m->string);
	}
	check_domains(&f, r);
}
