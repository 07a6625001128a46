/* SPDX-License-Identifier: MIT */
#include "stage_app.h"

#include "base/strings.h"
#include "base/vec.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

void
stage_lack_engine(struct stage *s, const char *trouble)
{
	fake_apps_init(&s->apps, trouble);
	server_use_apps(s->server, &s->apps.house);
}

void
stage_use_apps(struct stage *s)
{
	stage_lack_engine(s, "");
}

struct app *
stage_app(struct stage *s)
{
	struct app *a = server_app_at(s->server, 0);

	assert_non_null(a);
	return a;
}

void
stage_app_says(struct stage *s, const char *json)
{
	s->now_us += 1000;
	fake_apps_say(stage_app(s), json, s->now_us);
	stage_settle(s, 0);
}

void
stage_app_note(struct stage *s, const char *words)
{
	char *parts[3];
	size_t kind = 0;

	for (size_t i = 0; i < ARRAY_LEN(parts); i++)
		parts[i] = strings_next_word(&words);
	while (strcmp(app_note_kinds[kind].name, parts[0]) != 0)
		assert_true(++kind <= APP_VIEW_DROPPED);
	for (size_t i = 1; i < ARRAY_LEN(parts); i++)
		if (strcmp(parts[i], "-") == 0)
			parts[i][0] = '\0';
	s->now_us += 1000;
	app_on_view_note(stage_app(s),
	    &(struct app_view_note){ .kind = (enum app_view_note_kind)kind,
		.level = parts[1],
		.directive = parts[1],
		.url = parts[2],
		.text = words,
		.line = kind <= APP_VIEW_EXCEPTION && *parts[2] ? 12 : 0 },
	    s->now_us);
	for (size_t i = 0; i < ARRAY_LEN(parts); i++)
		free(parts[i]);
}
