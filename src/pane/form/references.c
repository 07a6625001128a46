#include "actions.h"

#include "base/mem.h"
#include "base/units.h"
#include "json/number.h"
#include "json/print.h"
#include "json/query.h"
#include "mcp/completer.h"
#include "client/chain.h"
#include "pane/pane_text.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * "@search_orders.orders[].id" typed into a field: what jq makes of the last result of that tool
 * is offered as values. A result older than the reference allows is asked for again, with the
 * arguments of that call, if the tool only reads. Nothing of it is sent: a value is chosen, or all.
 */
#define DATA_MAX ((size_t)4 << 20)

struct form_reference {
	struct query_job job;
	char *text;       /* typed, which the values are for */
	char *expression; /* of the job */
	bool running;     /* the job is under way */
	bool dropped;     /* and nobody wants its result */
	uint64_t asked;   /* the call whose data the job has, or had; 0: none */
	uint64_t again;   /* the call that was made once more while this text is edited; 0: none */
	struct form_references seen;
	const struct pane_host *host;
	void *user;
	struct jobs *jobs;
};

/* ---- jq ---- */

static void
set_running(struct form_reference *r, bool runs)
{
	if (r->jobs && runs != r->running)
		r->jobs->outside += runs ? 1 : -(size_t)1;
	r->running = runs;
}

static void
stop(struct form_reference *r)
{
	if (!r->running)
		return;
	r->dropped = true;
	r->host->effects->stop_query(r->host->effects_user, &r->job);
}

static void
say(struct form_reference *r, enum role role, const char *text)
{
	snprintf(r->seen.note, sizeof(r->seen.note), "%s", text);
	r->seen.role = role;
}

static void
add_value(struct strings *out, const cJSON *value)
{
	char number[JSON_NUMBER_TEXT_MAX];
	struct buf json = BUF_INIT;

	if (json_string(value))
		strings_add(out, json_string(value));
	else if (json_type(value) == JSON_NUMBER)
		strings_add(out, json_number_text(value, number));
	else
		json_print(&json, value);
	if (json.len > 0)
		strings_add(out, buf_text(&json));
	buf_finish(&json);
}

/* "12 values", and the first of them. */
static void
take_answer(struct form_reference *r)
{
	struct query_answer *answer = &r->job.answer;
	struct json_doc *doc =
	    answer->trouble.text[0] && answer->count == 0
		? NULL
		: json_parse(buf_text(&answer->text), answer->text.len, NULL, NULL);
	const cJSON *value = doc ? json_first(json_root(doc)) : NULL;
	struct buf told = BUF_INIT;

	for (; value && r->seen.values.len < COMPLETION_VALUES_MAX; value = value->next)
		add_value(&r->seen.values, value);
	free(r->seen.all);
	r->seen.all = answer->count > 1 ? buf_detach(&answer->text) : NULL;
	if (answer->trouble.text[0])
		buf_addf(&told, "jq: %s", answer->trouble.text);
	else
		units_add_counted(&told, answer->count, "value");
	if (r->seen.values.len < answer->count)
		buf_addf(&told, ", the first %zu are here", r->seen.values.len);
	say(r, answer->trouble.text[0] ? ROLE_WARNING : ROLE_HINT, buf_text(&told));
	buf_finish(&told);
	json_doc_destroy(doc);
	query_answer_finish(answer);
}

static void
on_done(struct query_job *job)
{
	struct form_reference *r =
	    (struct form_reference *)((char *)job - offsetof(struct form_reference, job));
	bool dropped = r->dropped;

	r->dropped = false;
	set_running(r, false);
	if (dropped) {
		query_answer_finish(&job->answer);
		return;
	}
	take_answer(r);
	r->host->changed(r->user);
}

static void
ask(struct form_reference *r, const struct call_reference *wanted, const struct call *c)
{
	struct buf data = { .max = DATA_MAX };
	struct call_data found;

	call_data_read(&found, c, DATA_MAX);
	bool has = found.value, too_large = found.too_large;
	if (has)
		json_print(&data, found.value);
	call_data_finish(&found);
	r->asked = c->id;
	if (!has || data.overflowed) {
		say(r, ROLE_WARNING,
		    has || too_large
			? "its data is too large here: > passes a value on from its table"
			: "its result has neither data nor text");
		buf_finish(&data);
		return;
	}
	say(r, ROLE_HINT, "jq …");
	free(r->expression);
	r->expression = mem_strdup(buf_text(&wanted->query));
	r->job = (struct query_job){ .expression = r->expression, .value = data, .done = on_done };
	set_running(r, true);
	if (r->host->effects->query(r->host->effects_user, &r->job))
		return;
	set_running(r, false);
	take_answer(r);
}

/* ---- the call ---- */

/* The call whose result is young enough; NULL: there is none yet, and the note says why. */
static const struct call *
find_call(struct form_reference *r, const struct call_reference *wanted, const struct view_env *env)
{
	struct server *s = env->ws->server;
	const char *tool = wanted->tool->key;
	const struct call *c = call_reference_find(s, tool);
	const struct call *again = r->again ? server_find_call(s, r->again) : NULL;
	struct err err = { "" };
	char text[160];

	if (again && again->state == CALL_RUNNING) {
		snprintf(text, sizeof(text), "calling %.80s again …", tool);
	} else if (again && again != c && strcmp(again->key, tool) == 0) {
		snprintf(text, sizeof(text), "%.80s failed: H shows the call", tool);
	} else if (!c) {
		snprintf(text, sizeof(text), "no result of %.80s yet", tool);
	} else if (c == again || env->now_us - c->ended_us <= wanted->max_age_us) {
		return c;
	} else if (wanted->tool->read_only != HINT_TRUE) {
		snprintf(text, sizeof(text), "too old; not marked read-only: call %.60s", tool);
	} else {
		r->again = server_ask(
		    s, wanted->tool, c->arguments, strlen(c->arguments), env->now_us, &err);
		if (r->again) {
			snprintf(text, sizeof(text), "calling %.80s again …", tool);
			form_pane_changed(env);
		} else { /* a change would try it again at once, for ever */
			snprintf(text, sizeof(text), "%.60s: %.90s", tool, err.text);
		}
	}
	say(r, ROLE_WARNING, text);
	return NULL;
}

/* Tools that have a result, while the name is typed. */
static void
offer_tools(struct form_reference *r, const struct server *s, const char *typed)
{
	for (size_t i = server_info(s)->calls; i-- > 0 && r->seen.values.len < 20;) {
		const struct call *c = server_call_at(s, i);
		char *name = mem_printf("@%s", c->key);
		if (c->kind == PRIMITIVE_TOOL && c->state == CALL_DONE &&
		    strncmp(name, typed, strlen(typed)) == 0 &&
		    !strings_have(&r->seen.values, name))
			strings_add(&r->seen.values, name);
		free(name);
	}
}

/* ---- the pane ---- */

static void
forget(struct form_reference *r)
{
	stop(r);
	strings_finish(&r->seen.values);
	free(r->seen.all);
	r->seen.all = NULL;
	r->seen.note[0] = '\0';
	free(r->text);
	r->text = NULL;
	r->asked = 0;
}

void
form_pane_refer_end(struct form_pane *p)
{
	if (!p->reference)
		return;
	forget(p->reference);
	free(p->reference->expression);
	free(p->reference);
	p->reference = NULL;
}

static struct form_reference *
begin(struct form_pane *p, const struct view_env *env)
{
	if (!p->reference)
		p->reference = mem_zalloc(sizeof(*p->reference));
	p->reference->host = env->host;
	p->reference->user = env->user;
	p->reference->jobs = env->jobs;
	return p->reference;
}

void
form_pane_refer(struct form_pane *p, const struct view_env *env)
{
	const char *typed = edit_text(&p->edit);
	struct call_reference wanted;
	struct err err;

	if (!p->editing || p->naming || p->look || !env->ws->server || typed[0] != '@' ||
	    p->edit.text.len > QUERY_MAX_EXPRESSION) {
		form_pane_refer_end(p);
		return;
	}
	struct form_reference *r = begin(p, env);
	bool same = r->text && strcmp(r->text, typed) == 0;
	if (same && r->asked)
		return;
	if (!same) {
		forget(r);
		r->text = mem_strdup(typed);
	}
	const struct primitive_list *tools =
	    &server_info(env->ws->server)->lists[PRIMITIVE_TOOL].list;
	if (call_reference_read(&wanted, typed, tools, &err)) {
		const struct call *c = find_call(r, &wanted, env);
		if (c)
			ask(r, &wanted, c);
	} else if (err.text[0]) {
		say(r, ROLE_WARNING, err.text);
	} else if (!same) {
		offer_tools(r, env->ws->server, typed);
	}
	call_reference_finish(&wanted);
}

const struct form_references *
form_pane_references(const struct form_pane *p)
{
	return p->reference ? &p->reference->seen : NULL;
}

/* Fills in the first; the call then asks whether to call for each. */
bool
form_pane_refer_to_all(struct form_pane *p, const struct view_env *env)
{
	const struct field *field = form_pane_selected(p, env);
	struct buf line = BUF_INIT;

	if (!field || !p->reference || !p->reference->seen.all)
		return false;
	buf_add_str(&line, "each ");
	field_pointer(field, &line);
	buf_addf(&line, " %s", p->reference->seen.all);
	form_pane_edit_end(p, env);
	bool ok = env->host->run(env->user, buf_text(&line));
	buf_finish(&line);
	return ok;
}
