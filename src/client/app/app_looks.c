#include "app.h"

#include "apps/reader.h"
#include "base/vec.h"
#include "client/findings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Other ways to look at an app: its page as a screen reader tells it, and as a picture; and what is
 * odd about it. */

static void
answered(struct app *a)
{
	app_changed(a);
	if (a->facts.house->on_answer)
		a->facts.house->on_answer(a->facts.house);
}

static void
on_nodes(void *user, const cJSON *nodes, const char *problem)
{
	struct app *a = user;

	buf_clear(&a->reader);
	if (problem)
		buf_add_str(&a->reader, problem);
	else
		app_reader_add(&a->reader, nodes);
	if (a->reader.len == 0)
		buf_add_str(&a->reader, "the page tells a screen reader nothing");
	a->facts.reader = buf_text(&a->reader);
	a->facts.reader_count++;
	answered(a);
}

bool
app_ask_reader(struct app *a)
{
	if (!a->view)
		return false;
	a->facts.house->views->reader(a->view, on_nodes, a);
	return true;
}

static void
on_png(void *user, const char *png, size_t len, const char *problem)
{
	struct app *a = user;
	struct app_file file = { 0 };

	snprintf(file.name, sizeof(file.name), "%s", a->shot);
	a->shot[0] = '\0';
	if (problem) {
		app_on_view_note(a,
		    &(struct app_view_note){ .kind = APP_VIEW_DROPPED,
			.level = "",
			.text = problem,
			.url = "",
			.directive = "" },
		    a->server->now_us);
	} else {
		buf_add(&file.bytes, png, len);
		*VEC_PUSH(&a->files) = file;
	}
	answered(a);
}

bool
app_shoot(struct app *a, const char *file, struct err *err)
{
	if (!a->view)
		return err_set(err, "the app does not run");
	if (a->shot[0])
		return err_set(err, "a picture is being taken");
	if (strlen(file) >= sizeof(a->shot))
		return err_set(err, "the name is too long: at most %zu bytes", sizeof(a->shot) - 1);
	snprintf(a->shot, sizeof(a->shot), "%s", file);
	a->facts.house->views->screenshot(a->view, on_png, a);
	return true;
}

/* ---- what is odd about its page and its run ---- */

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

void
app_looks_finish(struct app *a)
{
	buf_finish(&a->reader);
	findings_finish(&a->found);
}
