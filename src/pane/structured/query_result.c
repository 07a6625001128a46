#include "structured.h"

#include "base/mem.h"
#include "base/units.h"
#include "base/vec.h"
#include "json/print.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* ---- what each owner asked for ---- */

static char **
remembered_by(struct query *q, const struct desk *owner)
{
	for (size_t i = 0; i < q->remembered.len; i++)
		if (q->remembered.items[i].owner == owner)
			return &q->remembered.items[i].expression;
	const char *first = queries_default(q->kept, owner);
	*VEC_PUSH(&q->remembered) =
	    (struct remembered){ owner, first ? mem_strdup(first) : NULL };
	return &q->remembered.items[q->remembered.len - 1].expression;
}

static const char *
wanted(struct query *q)
{
	const char *expression = *remembered_by(q, q->of.owner);

	return expression ? expression : "";
}

/* ---- results ---- */

static void
drop_result(struct query *q)
{
	if (q->doc)
		q->version++;
	json_doc_destroy(q->doc);
	q->doc = NULL;
	q->result = NULL;
	query_answer_finish(&q->answer);
}

static void
stop(struct query *q)
{
	job_drop(&q->printing);
	if (!q->running)
		return;
	q->dropped = true;
	q->host->effects->stop_query(q->host->effects_user, &q->job);
}

static void
take_answer(struct query *q)
{
	struct query_answer *answer = &q->job.answer;
	struct json_error error;
	struct json_doc *doc = NULL;

	bool failed = answer->count == 0 && answer->trouble.text[0];
	if (!failed)
		doc = json_parse(buf_text(&answer->text), answer->text.len, NULL, &error);
	if (!failed && !doc)
		err_set(&answer->trouble, "its result cannot be shown: %s", error.text);
	if (doc) {
		json_doc_destroy(q->doc);
		q->doc = doc;
		q->result = answer->count > 1    ? json_root(doc)
			    : answer->count == 1 ? json_first(json_root(doc))
						 : NULL;
		q->count = answer->count;
		q->more = answer->more;
		q->bytes = answer->text.len - (answer->count > 1 ? 0 : 2);
		free(q->title);
		q->title = mem_printf("jq %s", q->asked);
		q->version++;
	}
	buf_finish(&answer->text);
	q->answer = *answer;
	if (!q->typing && answer->trouble.text[0]) {
		char *text = mem_printf("jq %s: %s", q->asked, answer->trouble.text);
		q->host->say(q->user, ROLE_ERROR, text);
		free(text);
	}
}

static void
set_running(struct query *q, bool runs)
{
	if (q->jobs && runs != q->running)
		q->jobs->outside += runs ? 1 : -(size_t)1;
	q->running = runs;
}

static void
on_done(struct query_job *job)
{
	struct query *q = (struct query *)((char *)job - offsetof(struct query, job));
	bool dropped = q->dropped;

	q->dropped = false;
	set_running(q, false);
	if (dropped) {
		query_answer_finish(&job->answer);
		return;
	}
	take_answer(q);
	q->host->changed(q->user);
}

/* ---- asking ---- */

/* Prints the value for jq, in a job if it is large. */
struct printing {
	struct job job; /* first */
	struct query *query;
	struct json_doc *doc;
	const cJSON *value;
	struct buf text;
};

static void
print(struct job *job)
{
	struct printing *p = (struct printing *)job;

	json_print(&p->text, p->value);
}

static void
submit(struct query *q, struct buf *text)
{
	if (text->overflowed) {
		q->answer = (struct query_answer){ .at = QUERY_NOWHERE };
		err_set(&q->answer.trouble, "a value of more than 64 MiB is too large for jq");
		return;
	}
	q->job = (struct query_job){ .expression = q->asked, .value = *text, .done = on_done };
	*text = (struct buf)BUF_INIT;
	set_running(q, true);
	if (q->host->effects->query(q->host->effects_user, &q->job))
		return;
	set_running(q, false);
	take_answer(q);
}

static void
printed(struct job *job)
{
	struct printing *p = (struct printing *)job;

	if (!job_is_stopped(job))
		submit(p->query, &p->text);
	buf_finish(&p->text);
	json_doc_destroy(p->doc);
	free(p);
}

static void
ask(struct query *q)
{
	struct printing *p = mem_zalloc(sizeof(*p));

	stop(q);
	free(q->asked);
	q->asked = mem_strdup(wanted(q));
	*p = (struct printing){ .job = { .run = print, .done = printed },
		.query = q,
		.doc = q->of.doc ? json_doc_ref(q->of.doc) : NULL,
		.value = q->of.value,
		.text = { .max = QUERY_MAX_BYTES } };
	job_start(query_is_live(q) ? NULL : q->jobs, &p->job, &q->printing);
}

void
query_set(struct query *q, const char *expression)
{
	char **kept = remembered_by(q, q->of.owner);

	expression += strspn(expression, " ");
	free(*kept);
	size_t len = strlen(expression);
	while (len > 0 && expression[len - 1] == ' ')
		len--;
	*kept = len > 0 ? mem_strndup(expression, len) : NULL;
	if (len > 0 && q->of.value) {
		ask(q);
		return;
	}
	stop(q);
	drop_result(q);
}

void
query_set_value(struct query *q, struct queried of)
{
	stop(q);
	drop_result(q);
	if (q->of.owner != of.owner)
		q->typing = false;
	q->of = of;
	q->typing = q->typing && of.value;
	if (of.value && *wanted(q))
		ask(q);
}

bool
query_is_live(const struct query *q)
{
	enum { LIVE_MAX = 1 << 20 };

	return q->of.bytes <= LIVE_MAX;
}

bool
query_is_on(const struct query *q)
{
	for (size_t i = 0; i < q->remembered.len; i++)
		if (q->remembered.items[i].owner == q->of.owner)
			return q->remembered.items[i].expression != NULL;
	return false;
}

void
query_add_count(const struct query *q, struct buf *out)
{
	if (!q->doc || q->count == 1)
		return;
	if (q->count == 0)
		buf_add_str(out, "no result");
	else
		units_add_counted(out, q->count, "result");
	buf_add_str(out, q->more ? ", and there are more" : "");
}

void
query_init(struct query *q)
{
	edit_init(&q->edit, false, QUERY_MAX_EXPRESSION);
}

void
query_finish(struct query *q)
{
	stop(q);
	drop_result(q);
	edit_finish(&q->edit);
	free(q->before);
	free(q->asked);
	free(q->title);
	strings_finish(&q->completion.words);
	strings_finish(&q->completion.notes);
	for (size_t i = 0; i < q->remembered.len; i++)
		free(q->remembered.items[i].expression);
	free(q->remembered.items);
}
