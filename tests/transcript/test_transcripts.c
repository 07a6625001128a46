/* SPDX-License-Identifier: MIT */
/*
 * Plays every tests/transcript/NAME.mcp. Its lines are
 *   era auto|legacy|modern     first, like timeouts MS MAX_MS, transport stdio|http,
 *                              version VERSION, ping MS
 *   can WORD...                likewise: capabilities to declare, form url sampling tools context
 *                              roots; with "answer", requests of the server wait for an action
 *   ! ACTION                   an action of the user: see probe_do()
 *   > JSON                     the next line the client sends, compared by value; "*" matches all
 *   ~ JSON                     transport data of that line: see probe_facts()
 *   < BYTES                    a line the server sends
 *   @ MS                       advance the clock
 *   = POINTER JSON             value in the probe's snapshot; `absent` if it has none
 * and # starts a comment. Every sent line must be named before the next event.
 */
#include "probe.h"

#include "mcp/app_metadata.h"
#include "base/mem.h"
#include "base/vec.h"
#include "json/equal.h"
#include "json/pointer.h"
#include "json/print.h"
#include "test.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DIRECTORY "tests/transcript"

struct play {
	const char *path;
	int line;
	struct session_options options;
	char version[32];
	struct probe probe;
	bool playing, answers;
};

static bool
matches(const cJSON *expected, const cJSON *actual)
{
	const char *text = cJSON_GetStringValue(expected);

	if (text && strcmp(text, "*") == 0)
		return actual != NULL;
	if (json_type(expected) != json_type(actual) || json_count(expected) != json_count(actual))
		return false;
	if (json_type(expected) == JSON_OBJECT) {
		for (const cJSON *e = json_first(expected); e; e = e->next)
			if (!matches(e, json_get(actual, e->string)))
				return false;
		return true;
	}
	if (json_type(expected) == JSON_ARRAY) {
		const cJSON *a = json_first(actual);
		for (const cJSON *e = json_first(expected); e; e = e->next, a = a->next)
			if (!matches(e, a))
				return false;
		return true;
	}
	return json_equal(expected, actual);
}

static struct json_doc *
parse(const struct play *p, const char *text)
{
	struct json_error error;
	struct json_doc *doc = json_parse(text, strlen(text), NULL, &error);

	if (!doc)
		fail_msg("%s:%d: not JSON: %s: %s", p->path, p->line, error.text, text);
	return doc;
}

static void
check_sent(struct play *p, const char *text)
{
	const char *sent = probe_next_sent(&p->probe);

	if (!sent)
		fail_msg("%s:%d: nothing was sent", p->path, p->line);
	struct json_doc *expected = parse(p, text), *actual = parse(p, sent);
	if (!matches(json_root(expected), json_root(actual)))
		fail_msg("%s:%d: sent %s", p->path, p->line, sent);
	json_doc_destroy(expected);
	json_doc_destroy(actual);
}

static void
check_facts(struct play *p, const char *text)
{
	struct json_doc *expected = parse(p, text), *actual = parse(p, probe_facts(&p->probe));

	for (const cJSON *e = json_first(json_root(expected)); e; e = e->next)
		if (!matches(e, json_get(json_root(actual), e->string)))
			fail_msg("%s:%d: it is %s", p->path, p->line, probe_facts(&p->probe));
	json_doc_destroy(expected);
	json_doc_destroy(actual);
}

static void
check_nothing_sent(struct play *p)
{
	const char *sent = p->playing ? probe_next_sent(&p->probe) : NULL;

	if (sent)
		fail_msg("%s:%d: before this, sent %s", p->path, p->line, sent);
}

static void
check_value(struct play *p, char *text)
{
	char *space = strchr(text, ' ');
	struct buf shown = BUF_INIT;

	if (!space)
		fail_msg("%s:%d: no value", p->path, p->line);
	*space = '\0';
	struct json_doc *snapshot = probe_snapshot(&p->probe);
	const cJSON *actual = json_pointer_find(json_root(snapshot), text);
	bool same = !actual;
	if (strcmp(space + 1, "absent") != 0) {
		struct json_doc *expected = parse(p, space + 1);
		same = matches(json_root(expected), actual);
		json_doc_destroy(expected);
	}
	if (actual)
		json_print(&shown, actual);
	if (!same)
		fail_msg("%s:%d: %s is %s", p->path, p->line, text,
		    actual ? buf_text(&shown) : "absent");
	buf_finish(&shown);
	json_doc_destroy(snapshot);
}

static bool
set_abilities(struct play *p, const char *text)
{
	struct session_capabilities *can = &p->options.can;
	const struct {
		const char *word;
		bool *flag;
	} rows[] = { { "form", &can->elicitation_form }, { "url", &can->elicitation_url },
		{ "sampling", &can->sampling }, { "tools", &can->sampling_tools },
		{ "context", &can->sampling_context }, { "roots", &can->roots },
		{ "answer", &p->answers } };

	static const struct session_extension apps = { APPS_EXTENSION, APPS_SETTINGS };

	if (strncmp(text, "can ", 4) != 0)
		return false;
	if (strstr(text + 3, "apps")) {
		can->extensions = &apps;
		can->extension_count = 1;
	}
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		if (strstr(text + 3, rows[i].word))
			*rows[i].flag = true;
	return true;
}

static bool
set_option(struct play *p, const char *text)
{
	static const char *const eras[] = { "auto", "modern", "legacy" };
	char era[16], transport[16];
	long long timeout, max;

	if (sscanf(text, "era %15s", era) == 1) {
		for (size_t i = 0; i < 3; i++)
			if (strcmp(eras[i], era) == 0)
				p->options.era = (enum session_era)i;
		return true;
	}
	if (sscanf(text, "ping %lld", &timeout) == 1) {
		p->options.ping_ms = timeout;
		return true;
	}
	if (sscanf(text, "transport %15s", transport) == 1) {
		p->options.transport =
		    strcmp(transport, "http") == 0 ? TRANSPORT_HTTP : TRANSPORT_STDIO;
		return true;
	}
	if (sscanf(text, "version %31s", p->version) == 1) {
		p->options.version = p->version;
		return true;
	}
	if (sscanf(text, "timeouts %lld %lld", &timeout, &max) != 2)
		return false;
	p->options.timeout_ms = timeout;
	p->options.max_timeout_ms = max;
	return true;
}

static void
play_line(struct play *p, char *text)
{
	char what = text[0], *rest = text[0] && text[1] == ' ' ? text + 2 : text + 1;

	if (what == '\0' || what == '#' || set_option(p, text) || set_abilities(p, text))
		return;
	if (!p->playing) {
		probe_init(&p->probe, &p->options);
		p->probe.answers = p->answers;
		p->playing = true;
	}
	if (what == '>') {
		check_sent(p, rest);
		return;
	}
	if (what == '~') {
		check_facts(p, rest);
		return;
	}
	if (what == '=') {
		check_value(p, rest);
		return;
	}
	check_nothing_sent(p);
	if (what == '<')
		probe_say(&p->probe, rest, strlen(rest));
	else if (what == '@')
		probe_wait(&p->probe, strtoll(rest, NULL, 10));
	else if (what != '!' || !probe_do(&p->probe, rest))
		fail_msg("%s:%d: unknown line: %s", p->path, p->line, text);
}

static void
test_transcript(void **state)
{
	struct play p = {
		.path = *state,
		.options = { .client_name = "mcpane", .client_version = "1.2.3" },
	};
	char *text = NULL;
	size_t cap = 0;
	FILE *f = fopen(p.path, "r");

	assert_non_null(f);
	while (getline(&text, &cap, f) >= 0) {
		text[strcspn(text, "\n")] = '\0';
		p.line++;
		play_line(&p, text);
	}
	check_nothing_sent(&p);
	if (p.playing)
		probe_finish(&p.probe);
	free(text);
	fclose(f);
}

static int
is_transcript(const struct dirent *e)
{
	size_t len = strlen(e->d_name);

	return len > 4 && strcmp(e->d_name + len - 4, ".mcp") == 0;
}

TEST_FILE(transcripts)
{
	struct dirent **files;
	int count = scandir(DIRECTORY, &files, is_transcript, alphasort);

	if (count <= 0) {
		fprintf(stderr, "no transcripts in " DIRECTORY "\n");
		return 1;
	}
	struct CMUnitTest *tests = mem_zalloc((size_t)count * sizeof(*tests));
	for (int i = 0; i < count; i++)
		tests[i] = (struct CMUnitTest){
			.name = files[i]->d_name,
			.test_func = test_transcript,
			.initial_state = mem_printf(DIRECTORY "/%s", files[i]->d_name),
		};
	int failed = _cmocka_run_group_tests("transcripts", tests, (size_t)count, NULL, NULL);
	for (int i = 0; i < count; i++) {
		free(tests[i].initial_state);
		free(files[i]);
	}
	free(tests);
	free(files);
	return failed;
}
