#include "diff_pane.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

/* Compares two results, in a job if they are large. */
#define LATER_BYTES ((size_t)256 << 10)

struct diff_work {
	struct job job; /* first */
	struct diff_pane *pane;
	struct json_doc *docs[2], *definitions[2];
	struct json_doc *data[2]; /* of the texts, made by the job unless they were there */
	const cJSON *values[2];
	struct result_texts texts[2];
	enum diff_part part;
	bool first; /* the part is chosen by what there is */
	bool has[DIFF_PARTS];
	char *key;
	uint32_t key_of;
	struct diff *diff;
	struct drift drift;
};

static const cJSON *
part_of(enum diff_part part, const cJSON *value, const struct json_doc *data)
{
	switch (part) {
	case PART_STRUCTURED:
		return json_get(value, "structuredContent");
	case PART_DATA:
		return data ? json_root(data) : NULL;
	case PART_CONTENT:
		return json_get(value, "content");
	default:
		return value;
	}
}

static void
choose_part(struct diff_work *k)
{
	bool structured = json_get(k->values[0], "structuredContent") &&
			  json_get(k->values[1], "structuredContent");

	for (int side = 0; side < 2 && !structured; side++)
		result_texts_read(&k->texts[side], SIZE_MAX, &k->job, &k->data[side],
		    &(enum text_data_kind){ 0 });
	for (int part = 0; part < DIFF_PARTS; part++)
		k->has[part] = part_of((enum diff_part)part, k->values[0], k->data[0]) &&
			       part_of((enum diff_part)part, k->values[1], k->data[1]);
	for (k->part = 0; k->part < PART_WHOLE && !k->has[k->part];)
		k->part++;
}

static void
run(struct job *job)
{
	struct diff_work *k = (struct diff_work *)job;
	const struct diff_options options = { .key = k->key, .key_of = k->key_of, .job = job };

	if (k->first)
		choose_part(k);
	k->diff = diff_values(part_of(k->part, k->values[0], k->data[0]),
	    part_of(k->part, k->values[1], k->data[1]), &options);
	if (k->definitions[0] && k->definitions[1])
		drift_add_tool(
		    &k->drift, json_root(k->definitions[0]), json_root(k->definitions[1]));
}

static void
hand_over(struct diff_work *k)
{
	struct diff_pane *p = k->pane;

	diff_destroy(p->diff);
	p->diff = k->diff;
	drift_finish(&p->drift);
	p->drift = k->drift;
	p->part = k->part;
	for (int side = 0; side < 2 && k->first; side++) {
		json_doc_destroy(p->data[side]);
		p->data[side] = k->data[side];
	}
	if (k->first)
		memcpy(p->has, k->has, sizeof(p->has));
	diff_shown(p);
}

static void
done(struct job *job)
{
	struct diff_work *k = (struct diff_work *)job;

	if (!job_is_stopped(job) && k->diff) {
		hand_over(k);
	} else {
		diff_destroy(k->diff);
		drift_finish(&k->drift);
		for (int side = 0; side < 2 && k->first; side++)
			json_doc_destroy(k->data[side]);
	}
	for (int side = 0; side < 2; side++) {
		json_doc_destroy(k->docs[side]);
		json_doc_destroy(k->definitions[side]);
		if (!k->first)
			json_doc_destroy(k->data[side]);
	}
	free(k->key);
	free(k);
}

/* Of another part or by another key if there is a diff already. */
void
diff_work_start(struct diff_pane *p, const struct view_env *env)
{
	struct diff_work *k = mem_zalloc(sizeof(*k));
	size_t bytes = 0;

	*k = (struct diff_work){
		.job = { .run = run, .done = done },
		.pane = p,
		.part = p->part,
		.first = !p->diff,
		.key = mem_strdup(p->key),
		.key_of = p->key_of,
	};
	for (int side = 0; side < 2; side++) {
		const struct comparison_side *s = &p->sides[side];
		k->docs[side] = json_doc_ref(s->doc);
		k->definitions[side] = s->definition ? json_doc_ref(s->definition) : NULL;
		k->data[side] = p->diff && p->data[side] ? json_doc_ref(p->data[side]) : NULL;
		k->values[side] = s->value;
		k->texts[side] = s->texts;
		bytes += s->bytes;
	}
	job_start(bytes >= LATER_BYTES ? env->jobs : NULL, &k->job, &p->job);
}
