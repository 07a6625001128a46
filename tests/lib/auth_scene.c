/* SPDX-License-Identifier: MIT */
#include "auth_scene.h"

#include "base/mem.h"
#include "base/path.h"
#include "base/vec.h"
#include "terminal.h"
#include "test.h"

#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct auth_scene scene;

void
open_scene(const char *flags)
{
	char words[128], *rest = NULL;
	const char *argv[16] = { mem_strdup(terminal_fixture("authserver")), scene.log };
	char line[32] = "";
	size_t n = 2, len = 0;

	snprintf(scene.home, sizeof(scene.home), "/tmp/mcpane-auth-XXXXXX");
	assert_non_null(mkdtemp(scene.home));
	snprintf(scene.log, sizeof(scene.log), "%s/log", scene.home);
	snprintf(words, sizeof(words), "%s", flags);
	for (char *w = strtok_r(words, " ", &rest); w; w = strtok_r(NULL, " ", &rest))
		argv[n++] = w;
	program_start(&scene.server, argv);
	free((char *)argv[0]);
	while (len < sizeof(line) - 1 && read(scene.server.out_fd, line + len, 1) == 1 &&
	       line[len] != '\n')
		len++;
	int port = (int)strtol(line, NULL, 10);
	snprintf(scene.url, sizeof(scene.url), "http://127.0.0.1:%d/mcp", port);
	snprintf(scene.second, sizeof(scene.second), "http://127.0.0.1:%d/second", port);
	setenv("XDG_STATE_HOME", scene.home, 1);
	/* by name only, because the path of its folder may contain a blank */
	char *folder = mem_strdup(terminal_fixture("visitor"));
	char *path = mem_printf("%s:%s", dirname(folder), getenv("PATH"));
	setenv("PATH", path, 1);
	free(path);
	free(folder);
	setenv("BROWSER", "visitor", 1);
}

char *
tokens_file(void)
{
	return mem_printf("%s/mcpane/tokens.json", scene.home);
}

void
end_server(void)
{
	if (scene.server.pid == 0)
		return;
	program_finish(&scene.server, "", 0);
	program_free(&scene.server);
	scene.server = (struct program){ 0 };
}

int
close_scene(void **state)
{
	char *folder = mem_printf("%s/mcpane", scene.home);
	static const char *const names[] = { "tokens.json", "tokens.json.broken",
		"tokens.json.lock" };

	end_server();
	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		char *path = mem_printf("%s/%s", folder, names[i]);
		unlink(path);
		free(path);
	}
	rmdir(folder);
	unlink(scene.log);
	rmdir(scene.home);
	free(folder);
	buf_finish(&scene.logged);
	scene = (struct auth_scene){ 0 };
	unsetenv("XDG_STATE_HOME");
	unsetenv("BROWSER");
	return 0;
}

const char *
log_text(void)
{
	buf_clear(&scene.logged);
	assert_true(path_read_file(scene.log, &scene.logged, NULL));
	return buf_text(&scene.logged);
}

size_t
logged(const char *line)
{
	size_t count = 0;

	for (const char *at = log_text(); (at = strstr(at, line)); at += strlen(line))
		count++;
	return count;
}

/* Runs mcpane with words (+ means a space) followed by the URL. Checks stdout and stderr for
 * secrets. */
static void
run(struct program *p, int exit_code, const char *words)
{
	const char *argv[16] = { mem_strdup(terminal_program()) };
	char *copy = mem_strdup(words), *rest = NULL;
	size_t n = 1;

	for (char *w = strtok_r(copy, " ", &rest); w; w = strtok_r(NULL, " ", &rest)) {
		for (char *plus = w; (plus = strchr(plus, '+'));)
			*plus = ' ';
		argv[n++] = strcmp(w, "URL") == 0      ? scene.url
			    : strcmp(w, "SECOND") == 0 ? scene.second
						       : w;
	}
	program_run(p, argv);
	assert_null(strstr(buf_text(&p->out), "-shh"));
	assert_null(strstr(buf_text(&p->err), "-shh"));
	if (p->exit_code != exit_code)
		fail_msg("exit code %d: %s%s", p->exit_code, buf_text(&p->err), buf_text(&p->out));
	free((char *)argv[0]);
	free(copy);
}

void
run_once(int exit_code, const char *words, const char *said)
{
	struct program p = { 0 };

	run(&p, exit_code, words);
	if (!strstr(buf_text(&p.err), said) && !strstr(buf_text(&p.out), said))
		fail_msg("not said: %s\n%s%s", said, buf_text(&p.err), buf_text(&p.out));
	program_free(&p);
}
