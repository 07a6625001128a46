/* SPDX-License-Identifier: MIT */
#include "stage.h"

/* Servers that cannot be started: from a project, from the user's file, and a broken entry. */

static char npx[] = "npx", yes[] = "-y", package[] = "@example/files", outside[] = "/etc",
	    variable[] = "NODE_OPTIONS=--require ./x", key[] = "API_KEY=hunter2",
	    url[] = "https://mcp.example.com/mcp",
	    header[] = "Authorization: Bearer ${input:token}";

static struct target_input inputs[] = {
	{ .id = (char *)"token",
	    .description = (char *)"A token of your account at example.com",
	    .password = true },
	{ .id = (char *)"region",
	    .description = (char *)"Which region?",
	    .options = (char *[]){ (char *)"eu", (char *)"us", NULL } },
};

void
stage_add_choices(struct stage *s)
{
	static char *argv[] = { npx, yes, package, outside, NULL };
	static char *env[] = { key, variable, NULL };
	static char *headers[] = { header, NULL };
	static const struct target files = { .name = (char *)"files",
		.label = (char *)"npx -y @example/files /etc",
		.argv = argv,
		.env = env,
		.file = (char *)".mcp.json" };
	static const struct target web = { .name = (char *)"web",
		.label = url,
		.url = url,
		.headers = headers,
		.file = (char *)"/home/u/.config/mcpane/servers.json",
		.inputs = { inputs, 2, 2 } };
	static const struct target broken = { .name = (char *)"old thing",
		.label = (char *)"",
		.file = (char *)".vscode/mcp.json",
		.trouble = (char *)"the environment has no OLD_HOME" };
	static const struct choice_danger dangers[] = {
		{ npx, "fetches code from the network and runs it" },
		{ outside, "a path outside of this folder" },
		{ variable, "changes what programs load and run" },
	};

	s->choices[0].origin = CHOICE_DEMO;
	s->choices[1] = (struct server_choice){ .target = &files,
		.origin = CHOICE_PROJECT,
		.unapproved = true,
		.folder = "/home/u/shop",
		.dangers = dangers,
		.danger_count = 3 };
	s->choices[2] = (struct server_choice){ .target = &web, .origin = CHOICE_OWN };
	s->choices[3] = (struct server_choice){ .target = &broken, .origin = CHOICE_PROJECT };
	workbench_workspace(s->wb)->choice_count = 4;
	workbench_workspace(s->wb)->generation++;
}
