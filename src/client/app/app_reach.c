#include "app.h"

#include "base/units.h"

#include <string.h>

/* What an app reaches outside: the declared domains that the user has allowed to the apps of its
 * server, until the program ends or the user takes it back. */

void
server_allow_domain(struct server *s, const char *domain)
{
	if (!strings_have(&s->apps.allowed, domain))
		strings_add(&s->apps.allowed, domain);
	s->generation++;
}

bool
server_forbid_domains(struct server *s)
{
	bool had = s->apps.allowed.len > 0;

	strings_finish(&s->apps.allowed);
	s->generation++;
	return had;
}

const struct app_domain *
app_find_domain(const struct app *a, const char *text)
{
	const struct strings *allowed = &a->server->apps.allowed;

	for (size_t i = 0; i < a->policy.domains.len; i++) {
		const struct app_domain *d = &a->policy.domains.items[i];
		bool wanted = *text ? strcmp(d->text, text) == 0 : !strings_have(allowed, d->text);
		if (wanted && !app_domain_stays_offline(d))
			return d;
	}
	return NULL;
}

static bool
is_declared(const struct app_policy *p, const char *domain)
{
	for (size_t i = 0; i < p->domains.len; i++)
		if (!p->domains.items[i].refusal && strcmp(p->domains.items[i].text, domain) == 0)
			return true;
	return false;
}

/* Some are declared for two things. */
size_t
app_reaches(const struct app *a)
{
	const struct strings *allowed = &a->server->apps.allowed;
	size_t count = 0;

	for (size_t i = 0; i < allowed->len; i++)
		count += is_declared(&a->policy, allowed->items[i]);
	return count;
}

const struct app_domain *
app_lets_through(const struct app *a, const struct app_request *r)
{
	return app_request_refusal(r) ? NULL
				      : app_request_domain(r, &a->policy, &a->server->apps.allowed);
}

/* Why a request was blocked, and what helps. */
void
app_reach_advise(const struct app *a, const char *url, const char *type, struct buf *out)
{
	const struct app_request r = { .url = url, .type = type, .method = "GET" };
	const char *refusal = app_request_refusal(&r);
	const struct app_domain *domain = app_request_domain(&r, &a->policy, NULL);

	if (refusal)
		buf_add_str(out, refusal);
	else if (domain && !strings_have(&a->server->apps.allowed, domain->text))
		buf_addf(out,
		    ":app-allow %s lets it through, after a question; so does mcpane render "
		    "--allow",
		    domain->text);
}

static void
add_outcome(const struct app_carried *c, struct buf *out)
{
	buf_addf(out, "%s %s: ", c->method, c->url);
	if (c->error)
		buf_add_str(out, c->error);
	else
		buf_addf(out, "%d, %s bytes, %lld ms", c->status, units_count(c->bytes).text,
		    (long long)c->took_ms);
}

void
app_on_carried(struct app *a, const struct app_carried *c, int64_t now_us)
{
	struct buf text = BUF_INIT;

	a->facts.carried++;
	add_outcome(c, &text);
	app_on_view_note(a,
	    &(struct app_view_note){ .kind = APP_VIEW_CARRIED,
		.level = c->error ? "error" : "",
		.text = buf_text(&text),
		.url = c->url,
		.directive = "" },
	    now_us);
	buf_finish(&text);
}
