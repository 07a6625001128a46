#include "app.h"

#include "apps/reader.h"
#include "base/vec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Other ways to look at the page of an app: as a screen reader tells it, and as a picture. */

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

void
app_looks_finish(struct app *a)
{
	buf_finish(&a->reader);
}
