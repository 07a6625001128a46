/* SPDX-License-Identifier: MIT */
/*
 * The cost of a frame does not depend on the length of a server's texts. Every text of the protocol
 * is filled with megabytes of words, or of marks that combine with one letter, and every pane is
 * drawn. The cost is the number of bytes parsed for the screen, so load on the machine does not
 * matter; times are printed, but not checked.
 */
#include "base/glyph.h"
#include "base/mem.h"
#include "base/vec.h"
#include "json/doc.h"
#include "json/print.h"
#include "quoted.h"
#include "test.h"
#include "wire.h"
#include "workbench/workbench.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static size_t examined, parsed;

/* The Makefile links the unit tests so that calls from file to file come here first: of the only
 * door to the screen, and of the parser. */
/* clang-format off */
size_t __real_glyph_next(const char *s, size_t len, struct glyph *g);
size_t __wrap_glyph_next(const char *s, size_t len, struct glyph *g);
size_t __real_glyph_columns(const char *s, size_t len);
size_t __wrap_glyph_columns(const char *s, size_t len);
struct json_doc *__real_json_parse(
    const char *text, size_t len, const struct json_options *options, struct json_error *error);
struct json_doc *__wrap_json_parse(
    const char *text, size_t len, const struct json_options *options, struct json_error *error);
/* clang-format on */

size_t
__wrap_glyph_next(const char *s, size_t len, struct glyph *g)
{
	size_t used = __real_glyph_next(s, len, g);

	examined += used;
	return used;
}

size_t
__wrap_glyph_columns(const char *s, size_t len)
{
	examined += len;
	return __real_glyph_columns(s, len);
}

struct json_doc *
__wrap_json_parse(
    const char *text, size_t len, const struct json_options *options, struct json_error *error)
{
	parsed += len;
	return __real_json_parse(text, len, options, error);
}

/* ---- messages of the server: @ is the long text ---- */

struct field {
	const char *name;
	const char *method; /* of the request that it answers; NULL: a notification */
	const char *json;   /* a result, or a whole line */
};

#define HELLO(info, more)                                                                      \
	"{'protocolVersion':'2025-11-25','serverInfo':{" info                                  \
	"'name':'fat','version':'1'},'capabilities':{'tools':{},'prompts':{},'resources':{},'" \
	"logging':{},'completions':{}}" more "}"
#define TOOL(more) "{'tools':[{'name':'t','inputSchema':{'type':'object'}" more "}]}"
#define IN(schema) \
	"{'tools':[{'name':'t','inputSchema':{'type':'object','properties':{" schema "}}}]}"
#define LINE(method, params) "{'jsonrpc':'2.0','method':'" method "','params':{" params "}}"
#define ASK(method, params) "{'jsonrpc':'2.0','id':'a','method':'" method "','params':{" params "}}"
#define CONTENT(block) "{'content':[{" block "}]}"

static const struct field fields[] = {
	{ "nothing", NULL, LINE("notifications/message", "'level':'info','data':'d'") },
	{ "serverInfo.name", "initialize", HELLO("'name':'@',", "") },
	{ "serverInfo.title", "initialize", HELLO("'title':'@',", "") },
	{ "serverInfo.version", "initialize", HELLO("'version':'@',", "") },
	{ "serverInfo.description", "initialize", HELLO("'description':'@',", "") },
	{ "serverInfo.websiteUrl", "initialize", HELLO("'websiteUrl':'https://@',", "") },
	{ "serverInfo.icon", "initialize",
	    HELLO("'icons':[{'src':'@','mimeType':'@','sizes':['@']}],", "") },
	{ "instructions", "initialize", HELLO("", ",'instructions':'@'") },
	{ "capability", "initialize",
	    "{'protocolVersion':'2025-11-25','serverInfo':{'name':'fat','version':'1'},'"
	    "capabilities':{'tools':{},'@':{'@':'@'},'experimental':{'@':{}}}}" },
	{ "tool.name", "tools/list", "{'tools':[{'name':'@','inputSchema':{'type':'object'}}]}" },
	{ "tool.title", "tools/list", TOOL(",'title':'@'") },
	{ "tool.description", "tools/list", TOOL(",'annotations':{},'description':'@'") },
	{ "tool.annotations.title", "tools/list", TOOL(",'annotations':{'title':'@'}") },
	{ "tool.type", "tools/list", TOOL(",'inputSchema':{'type':'@'}") },
	{ "tool.unknown", "tools/list", TOOL(",'@':'@'") },
	{ "outputSchema.name", "tools/list",
	    TOOL(",'outputSchema':{'type':'object','required':['@'],'properties':{'@':{'type':'"
		 "string','description':'@','pattern':'@'}}}") },
	{ "prop.name", "tools/list", IN("'@':{'type':'string'}") },
	{ "prop.title", "tools/list", IN("'p':{'type':'string','title':'@'}") },
	{ "prop.description", "tools/list", IN("'p':{'type':'string','description':'@'}") },
	{ "prop.default", "tools/list", IN("'p':{'type':'string','default':'@'}") },
	{ "prop.const", "tools/list", IN("'p':{'const':'@'}") },
	{ "prop.enum", "tools/list", IN("'p':{'enum':['@','b']}") },
	{ "prop.enum.title", "tools/list",
	    IN("'p':{'oneOf':[{'const':'a','title':'@'},{'const':'b','title':'@'}]}") },
	{ "prop.pattern", "tools/list", IN("'p':{'type':'string','pattern':'@','format':'@'}") },
	{ "prop.examples", "tools/list", IN("'p':{'type':'string','examples':['@']}") },
	{ "prop.object", "tools/list",
	    IN("'p':{'type':'object','properties':{'@':{'type':'object','properties':{'@':{}}}}"
	       "}") },
	{ "resource.uri", "resources/list", "{'resources':[{'name':'n','uri':'@'}]}" },
	{ "resource.name", "resources/list", "{'resources':[{'name':'@','uri':'x:y'}]}" },
	{ "resource.title", "resources/list",
	    "{'resources':[{'name':'n','uri':'x:y','title':'@'}]}" },
	{ "resource.description", "resources/list",
	    "{'resources':[{'name':'n','uri':'x:y','description':'@'}]}" },
	{ "resource.mimeType", "resources/list",
	    "{'resources':[{'name':'n','uri':'x:y','mimeType':'@'}]}" },
	{ "template", "resources/templates/list",
	    "{'resourceTemplates':[{'name':'n','uriTemplate':'x:@'}]}" },
	{ "template.variable", "resources/templates/list",
	    "{'resourceTemplates':[{'name':'n','uriTemplate':'x:{b@}'}]}" },
	{ "prompt.name", "prompts/list", "{'prompts':[{'name':'@'}]}" },
	{ "prompt.title", "prompts/list", "{'prompts':[{'name':'p','title':'@'}]}" },
	{ "prompt.description", "prompts/list", "{'prompts':[{'name':'p','description':'@'}]}" },
	{ "prompt.argument", "prompts/list",
	    "{'prompts':[{'name':'p','arguments':[{'name':'@'}]}]}" },
	{ "prompt.argument.description", "prompts/list",
	    "{'prompts':[{'name':'p','arguments':[{'name':'a','title':'@','description':'@'}]}]}" },
	{ "nextCursor", "prompts/list", "{'prompts':[{'name':'p'}],'nextCursor':'@'}" },
	{ "text", "tools/call", CONTENT("'type':'text','text':'@'") },
	{ "type", "tools/call", CONTENT("'type':'@'") },
	{ "mimeType", "tools/call", CONTENT("'type':'image','data':'aaaa','mimeType':'@'") },
	{ "data", "tools/call", CONTENT("'type':'audio','data':'@','mimeType':'audio/wav'") },
	{ "annotations", "tools/call",
	    CONTENT(
		"'type':'text','text':'x','annotations':{'audience':['@'],'lastModified':'@'}") },
	{ "resource_link.uri", "tools/call",
	    CONTENT("'type':'resource_link','name':'n','uri':'@'") },
	{ "resource_link.name", "tools/call",
	    CONTENT(
		"'type':'resource_link','uri':'x:y','name':'@','title':'@','description':'@'") },
	{ "resource.text", "tools/call",
	    CONTENT("'type':'resource','resource':{'uri':'@','text':'@'}") },
	{ "structured.key", "tools/call", "{'content':[],'structuredContent':{'@':1}}" },
	{ "structured.value", "tools/call",
	    "{'content':[],'structuredContent':{'a':'@','b':['@','@']}}" },
	{ "structured.rows", "tools/call",
	    "{'content':[],'structuredContent':{'rows':[{'@':'@'},{'b':'@','@':1}]}}" },
	{ "structured.number", "tools/call",
	    "{'content':[],'structuredContent':{'rows':[{'a':1e5}],'@':[[1,2],['@']]}}" },
	{ "result.unknown", "tools/call", "{'content':'@','@':'@'}" },
	{ "error.message", "tools/call", "{'code':-1,'message':'@','data':'@'}" },
	{ "progress.message", NULL,
	    LINE("notifications/progress",
		"'progressToken':#,'progress':1,'total':2,'message':'@'") },
	{ "log.data", NULL, LINE("notifications/message", "'level':'error','data':'@'") },
	{ "log.object", NULL, LINE("notifications/message", "'level':'error','data':{'@':'@'}") },
	{ "log.logger", NULL,
	    LINE("notifications/message", "'level':'error','logger':'@','data':'d'") },
	{ "log.level", NULL, LINE("notifications/message", "'level':'@','data':'d'") },
	{ "notification.method", NULL, LINE("@", "") },
	{ "request.method", NULL, ASK("@", "") },
	{ "request.id", NULL, "{'jsonrpc':'2.0','id':'@','method':'ping'}" },
	{ "reply.id", NULL, "{'jsonrpc':'2.0','id':'@','result':{}}" },
	{ "cancelled.reason", NULL,
	    LINE("notifications/cancelled", "'requestId':'@','reason':'@'") },
	{ "uri updated", NULL, LINE("notifications/resources/updated", "'uri':'@'") },
	{ "not JSON", NULL, "@" },
	{ "elicitation.message", NULL,
	    ASK("elicitation/create", "'message':'@','requestedSchema':{'type':'object','"
				      "properties':{'a':{'type':'string'}}}") },
	{ "elicitation.property", NULL,
	    ASK("elicitation/create",
		"'message':'m','requestedSchema':{'type':'object','properties':{'@':{'type':'"
		"string','title':'@','description':'@','default':'@'}}}") },
	{ "elicitation.enum", NULL,
	    ASK("elicitation/create",
		"'message':'m','requestedSchema':{'type':'object','properties':{'a':{'type':'"
		"string','enum':['@'],'enumNames':['@']}}}") },
	{ "elicitation.url", NULL,
	    ASK("elicitation/create",
		"'mode':'url','message':'m','elicitationId':'@','url':'https://a.example/@'") },
	{ "sampling.text", NULL,
	    ASK("sampling/createMessage", "'messages':[{'role':'user','content':{'type':'text','"
					  "text':'@'}}],'maxTokens':9") },
	{ "sampling.system", NULL,
	    ASK("sampling/createMessage",
		"'messages':[],'maxTokens':9,'systemPrompt':'@','modelPreferences':{'hints':[{'"
		"name':'@'}]},'stopSequences':['@']") },
	{ "sampling.role", NULL,
	    ASK("sampling/createMessage",
		"'messages':[{'role':'@','content':{'type':'@','text':'@'}}],'maxTokens':9") },
};

static const char *const defaults[][2] = {
	{ "initialize", HELLO("", "") },
	{ "tools/list", TOOL("") },
	{ "resources/list", "{'resources':[{'name':'n','uri':'x:y'}]}" },
	{ "resources/templates/list", "{'resourceTemplates':[]}" },
	{ "prompts/list", "{'prompts':[{'name':'p'}]}" },
	{ "tools/call", CONTENT("'type':'text','text':'x'") },
};

struct scene {
	struct wire wire;
	struct workbench *wb;
	struct grid grid;
	const struct field *field;
	const char *fat;
	size_t answered;
	uint64_t token;
	/* the worst */
	size_t most, most_parsed;
	double worst_ms;
	char most_at[64], parsed_at[64], worst_at[64];
	struct {
		struct job **items;
		size_t len, cap;
	} jobs;
};

static double
cpu_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static void
say(struct scene *s, const char *before, const char *template, const char *after)
{
	struct buf line = BUF_INIT;
	char *json = quoted(template);

	buf_add_str(&line, before);
	for (const char *at = json; *at; at++) {
		if (*at == '@')
			buf_add_str(&line, s->fat);
		else if (*at == '#')
			buf_addf(&line, "%lu", (unsigned long)s->token);
		else
			buf_add_char(&line, *at);
	}
	buf_add_str(&line, after);
	server_on_line(
	    s->wire.server, blob_from_bytes(line.data, line.len), 0, s->wire.now_us += 1000);
	buf_finish(&line);
	free(json);
}

static void
answer_all(struct scene *s)
{
	for (; s->answered < s->wire.sent.len; s->answered++) {
		const char *text = s->wire.sent.items[s->answered];
		struct json_doc *doc = json_parse(text, strlen(text), NULL, NULL);
		const cJSON *root = json_root(doc), *id = json_get(root, "id");
		const char *method = json_get_string(root, "method"), *result = "{}";
		struct buf before = BUF_INIT;
		bool fat = method && s->field->method && strcmp(method, s->field->method) == 0;

		if (!method || !id)
			goto next;
		if (strcmp(method, "tools/call") == 0 && !s->field->method) {
			const cJSON *token =
			    json_get(json_get(json_get(root, "params"), "_meta"), "progressToken");
			s->token = token ? (uint64_t)token->valuedouble : 0;
			say(s, "", s->field->json, "");
			goto next; /* the call continues */
		}
		for (size_t i = 0; i < ARRAY_LEN(defaults); i++)
			if (strcmp(method, defaults[i][0]) == 0)
				result = defaults[i][1];
		if (fat)
			result = s->field->json;
		buf_add_str(&before, "{\"jsonrpc\":\"2.0\",\"id\":");
		json_print(&before, id);
		buf_addf(
		    &before, ",\"%s\":", strncmp(result, "{'code'", 7) == 0 ? "error" : "result");
		say(s, buf_text(&before), result, "}");
	next:
		buf_finish(&before);
		json_doc_destroy(doc);
	}
}

static void
note(struct scene *s, const char *step, double since)
{
	double took = cpu_ms() - since;

	if (took > s->worst_ms) {
		s->worst_ms = took;
		snprintf(s->worst_at, sizeof(s->worst_at), "%s", step);
	}
	if (examined > s->most) {
		s->most = examined;
		snprintf(s->most_at, sizeof(s->most_at), "%s", step);
	}
	/* Enter may open a message of the journal, which is laid out from its bytes. */
	if (parsed > s->most_parsed && strcmp(step, "enter") != 0) {
		s->most_parsed = parsed;
		snprintf(s->parsed_at, sizeof(s->parsed_at), "%s", step);
	}
	examined = parsed = 0;
}

static void
submit(void *user, struct job *job)
{
	struct scene *s = user;

	*VEC_PUSH(&s->jobs) = job;
}

/* Work in threads costs no frame, but its completion does. */
static void
run_jobs(struct scene *s, const char *step)
{
	char ending[32];

	snprintf(ending, sizeof(ending), "%s (job)", step);
	for (size_t i = 0; i < s->jobs.len; i++) {
		struct job *job = s->jobs.items[i];
		if (!job_is_stopped(job))
			job->run(job);
		examined = parsed = 0;
		double since = cpu_ms();
		job_end(job);
		note(s, ending, since);
	}
	s->jobs.len = 0;
}

/* A frame; and all that follow from it. */
static void
look(struct scene *s, const char *step)
{
	double since = cpu_ms();

	workbench_draw(s->wb, &s->grid, s->wire.now_us);
	note(s, step, since);
	for (int i = 0; i < 100000 && workbench_is_busy(s->wb); i++) {
		run_jobs(s, step);
		since = cpu_ms();
		workbench_draw(s->wb, &s->grid, s->wire.now_us);
		note(s, step, since);
	}
	since = cpu_ms();
	workbench_draw(s->wb, &s->grid, s->wire.now_us);
	note(s, step, since);
	s->wire.now_us += 500000;
}

static void
press(struct scene *s, const char *name)
{
	struct key key;

	assert_true(key_from_name(&key, name));
	double since = cpu_ms();
	workbench_key(s->wb, &key, s->wire.now_us);
	note(s, name, since);
	answer_all(s);
	parsed = 0; /* received data is parsed by a thread */
	look(s, name);
}

static size_t
running(void *user)
{
	return server_running(((struct scene *)user)->wire.server);
}

static void
copy(void *user, const char *text, size_t len)
{
}

static const struct effects effects = { .running = running, .copy = copy, .submit = submit };

static const char tour[] =
    "f5 down up f2 down end pgup home f2 f3 down pgdn end pgup home f3 "
    "tab down end enter down end escape tab down v down v down v end enter "
    "end escape tab down enter end escape "
    "tab f4 down enter down end escape f4 "
    "alt-1 w end enter down end escape up enter end escape w L end enter end "
    "escape escape T end enter escape escape "
    "f1 escape ] down enter down tab tab escape ] down ] down enter tab "
    "escape S escape z tab escape z tab z tab z";

static void
visit(const struct field *field, const char *fat, struct scene *out)
{
	static const struct server_options options = { .session = { .era = ERA_LEGACY,
							   .can = { .elicitation_form = true,
							       .elicitation_url = true,
							       .sampling = true,
							       .roots = true } } };
	struct scene s = { .field = field, .fat = fat };

	wire_open(&s.wire, &options);
	s.wb = workbench_create(&effects, &s);
	grid_init(&s.grid, 120, 36);
	wire_start(&s.wire);
	answer_all(&s);
	workspace_set_server(workbench_workspace(s.wb), s.wire.server);
	examined = parsed = 0;
	look(&s, "first");
	char *keys = mem_strdup(tour), *rest = NULL;
	for (char *k = strtok_r(keys, " ", &rest); k; k = strtok_r(NULL, " ", &rest))
		press(&s, k);
	free(keys);
	workbench_destroy(s.wb);
	grid_finish(&s.grid);
	wire_close(&s.wire);
	free(s.jobs.items);
	*out = s;
}

static char *
fat_text(const char *unit, size_t bytes)
{
	struct buf text = BUF_INIT;

	while (text.len + strlen(unit) <= bytes)
		buf_add_str(&text, unit);
	return buf_detach(&text);
}

/* More than a frame may look at, so that what grows with the text shows. */
#define FAT_BYTES ((size_t)1 << 21)
#define MOST_BYTES ((size_t)3 << 19)

static void
test_all(const char *unit)
{
	char *fat = fat_text(unit, FAT_BYTES);
	bool failed = false;

	for (size_t i = 0; i < ARRAY_LEN(fields); i++) {
		struct scene s;
		visit(&fields[i], fat, &s);
		printf("%-26s %6.1f ms at %-12s %8zu bytes at %s, %zu parsed at %s\n",
		    fields[i].name, s.worst_ms, s.worst_at, s.most, s.most_at, s.most_parsed,
		    s.parsed_at);
		failed = failed || s.most > MOST_BYTES || s.most_parsed > MOST_BYTES;
	}
	free(fat);
	assert_false(failed);
}

static void
test_words(void **state)
{
	test_all("words and ");
}

static void
test_marks(void **state)
{
	test_all("\xcc\x81\xcc\x82");
}

TEST_FILE(frame_cost)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_words),
		cmocka_unit_test(test_marks),
	};

	if (!setlocale(LC_CTYPE, "C.UTF-8"))
		return 1;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
