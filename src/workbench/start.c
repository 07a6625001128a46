#include "workbench_priv.h"

#include <stdlib.h>
#include <string.h>

/*
 * A server is started in steps, each of which may wait for the user: what a project's file wants to
 * run is approved, values it leaves open are typed, then it runs.
 */

const struct server_choice *
start_choice(const struct workbench *wb)
{
	return wb->starting < wb->ws.choice_count ? &wb->ws.choices[wb->starting] : NULL;
}

size_t
start_shown(const struct workbench *wb)
{
	for (size_t i = 0; i < wb->ws.choice_count; i++)
		if (wb->ws.server && wb->ws.choices[i].server == wb->ws.server)
			return i;
	return SIZE_MAX;
}

static bool
show(struct workbench *wb, size_t choice)
{
	struct server *server = wb->ws.choices[choice].server;

	if (server && server != wb->ws.server)
		workspace_set_server(&wb->ws, server);
	wb->overlay = -1;
	return true;
}

bool
start_go_on(struct workbench *wb)
{
	const struct server_choice *c = start_choice(wb);
	struct err err = { "" };

	if (!c)
		return workbench_say(wb, ROLE_ERROR, "there is no such server");
	if (c->target->trouble)
		return workbench_say(wb, ROLE_ERROR, "%s: %s", c->target->name, c->target->trouble);
	if (c->unapproved) {
		approval_open(wb);
		return true;
	}
	const struct target_input *input = wb->host->wanted(wb->user, wb->starting);
	if (input) {
		ask_open(wb, input);
		return true;
	}
	if (!wb->host->start(wb->user, wb->starting, &err))
		return workbench_say(wb, ROLE_ERROR, "%s", err.text);
	wb->ws.generation++;
	return wb->start_shows ? show(wb, wb->starting) : true;
}

static bool
begin(struct workbench *wb, size_t choice, bool shows)
{
	wb->starting = choice;
	wb->start_shows = shows;
	return start_go_on(wb);
}

bool
start_show(struct workbench *wb, size_t choice)
{
	const struct server *server = wb->ws.choices[choice].server;

	if (server && server_phase(server) != SERVER_IDLE)
		return show(wb, choice);
	return begin(wb, choice, true);
}

bool
start_again(struct workbench *wb, size_t choice)
{
	return begin(wb, choice, false);
}
