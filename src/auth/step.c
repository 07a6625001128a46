#include "auth/step.h"

#include "base/mem.h"
#include "base/secret.h"
#include "base/vec.h"

#include <stdlib.h>
#include <string.h>

static void
step_finish(struct auth_step *s)
{
	free(s->title);
	free(s->method);
	free(s->url);
	free(s->request);
	free(s->headers);
	free(s->answer);
	free(s->outcome);
}

void
auth_steps_finish(struct auth_steps *s)
{
	for (size_t i = 0; i < s->len; i++)
		step_finish(&s->items[i]);
	free(s->items);
	*s = (struct auth_steps){ 0 };
}

static char *
request_text(const struct auth_request *request)
{
	struct buf out = BUF_INIT;

	for (size_t i = 0; request && i < request->headers.len; i++) {
		auth_hide_header(&out, request->headers.items[i]);
		buf_add_char(&out, '\n');
	}
	if (request && request->body.len > 0) {
		buf_add_char(&out, '\n');
		if (request->form)
			auth_hide_form(&out, request->body.data, request->body.len);
		else
			auth_hide_json(&out, request->body.data, request->body.len, false);
	}
	return buf_detach(&out);
}

struct auth_step *
auth_steps_add(struct auth_steps *s, const char *title, const struct auth_request *request)
{
	struct buf url = BUF_INIT;

	if (s->len == AUTH_MAX_STEPS) {
		step_finish(&s->items[0]);
		VEC_REMOVE(s, 0);
	}
	if (request)
		secret_hide_url(&url, request->url);
	struct auth_step *step = VEC_PUSH(s);
	*step = (struct auth_step){
		.id = ++s->last_id,
		.title = mem_strdup(title),
		.method = request ? mem_strdup(request->method) : NULL,
		.url = request ? buf_detach(&url) : NULL,
		.request = request_text(request),
		.headers = mem_strdup(""),
		.answer = mem_strdup(""),
		.outcome = mem_strdup(""),
		.open = true,
		.took_ms = -1,
	};
	return step;
}

void
auth_step_close(struct auth_step *step, bool ok, const char *outcome)
{
	step->open = false;
	step->failed = !ok;
	free(step->outcome);
	step->outcome = mem_strdup(outcome);
}

void
auth_step_add_line(struct buf *out, const struct auth_step *step)
{
	size_t from = out->len;

	buf_add_str(out, step->title);
	if (step->method)
		buf_addf(out, ": %s %s", step->method, step->url);
	if (step->status)
		buf_addf(out, ": %d", step->status);
	if (step->outcome[0])
		buf_addf(out, ": %s", step->outcome);
	for (size_t i = from; i < out->len; i++)
		if (out->data[i] == '\n')
			out->data[i] = ' ';
}
