#include "app.h"

#include "model/findings.h"

#include <string.h>

/* What is odd about an app that is open: about its page, and about its run. */

enum { WAITS_US = 6 * 1000000 }; /* after that, silence is a finding */

/* All that they depend on: pictures and notes change none of them. */
static struct app_found_of
look(const struct app *a, const struct call *c, int64_t now_us)
{
	const struct app_facts *f = &a->facts;
	struct app_found_of now = { .read = f->read, .withheld = f->withheld, .life = f->life };

	if (f->bridge) {
		now.phase = f->bridge->phase;
		now.trouble = f->bridge->trouble;
	}
	if (c) {
		now.raw = c->raw;
		now.call = c->state + 1u;
	}
	now.is_late = f->life == APP_STARTING && now_us - f->started_us > WAITS_US;
	return now;
}

const struct findings *
app_findings(struct app *a, int64_t now_us)
{
	const struct call *c = server_find_call(a->server, a->facts.call);
	const struct app_found_of now = look(a, c, now_us);

	if (a->is_searched && memcmp(&now, &a->found_of, sizeof(now)) == 0)
		return &a->found;
	findings_finish(&a->found);
	a->found = (struct findings){ 0 };
	a->found_of = now;
	a->is_searched = true;
	if (a->facts.read)
		findings_of_app(&a->found,
		    &(struct finding_app){ .uri = a->facts.uri, .result = a->facts.read });
	findings_of_run(&a->found, &(struct finding_run){ &a->facts, c, now_us });
	return &a->found;
}
