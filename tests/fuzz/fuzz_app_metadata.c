/* SPDX-License-Identifier: MIT */
/* The definition of a tool or a result of resources/read, as JSON: a policy never has more
 * directives than ours, a refused domain is in none, and every accepted domain was declared. */
#include "fuzz.h"

#include "apps/policy.h"

#include <string.h>

static void
on_flaw(void *user, const struct app_flaw *flaw)
{
	demand(flaw->pointer[0] == '/' && flaw->text[0]);
}

static void
check_policy(const struct app_resource *r)
{
	struct app_policy p;
	size_t ends = 0;

	for (int csp = 0; csp < APP_CSP_KINDS; csp++) {
		app_policy_init(&p, r, (enum app_csp)csp);
		ends = 0;
		for (const char *at = buf_text(&p.header); *at; at++) {
			demand(*at >= ' ' && *at < 0x7f && *at != ',' && *at != '"');
			ends += *at == ';';
		}
		demand(ends == 11 && strlen(buf_text(&p.header)) == p.header.len);
		demand(!strstr(buf_text(&p.header), " *;") && !strstr(buf_text(&p.header), " * "));
		app_policy_finish(&p);
	}
}

static void
check_page(const cJSON *value)
{
	struct app_html page;
	struct err err = { "" };
	size_t len = 0;

	if (!app_html_read(&page, value, "ui://a", NULL, &err))
		demand(err.text[0]);
	for (size_t at = 0; app_html_next_address(&page.html, &at, &len);)
		demand(len > 0 && at <= page.html.len);
	check_policy(&page.resource);
	app_resource_flaws(&page.resource, on_flaw, NULL);
	app_html_finish(&page);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct json_doc *doc = json_parse((const char *)data, size, NULL, NULL);
	struct buf advice = BUF_INIT, arguments = BUF_INIT;
	struct app_resource r;
	struct app_tool t;

	if (!doc)
		return 0;
	app_tool_read(&t, json_root(doc));
	demand(!t.resource || strncmp(t.resource, "ui://", 5) == 0);
	app_tool_flaws(json_root(doc), on_flaw, NULL);
	app_resource_read(&r, json_root(doc), NULL);
	check_policy(&r);
	app_resource_flaws(&r, on_flaw, NULL);
	check_page(json_root(doc));
	if (cJSON_GetStringValue(json_root(doc)))
		app_policy_advise("img-src", cJSON_GetStringValue(json_root(doc)), &advice);
	app_arguments_add(&arguments, json_get(json_root(doc), "inputSchema"), json_root(doc));
	struct json_doc *again = json_parse(buf_text(&arguments), arguments.len, NULL, NULL);
	demand(again && json_type(json_root(again)) == JSON_OBJECT);
	json_doc_destroy(again);
	buf_finish(&arguments);
	buf_finish(&advice);
	json_doc_destroy(doc);
	return 0;
}
