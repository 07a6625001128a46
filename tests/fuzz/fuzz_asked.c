/* SPDX-License-Identifier: MIT */
/*
 * Any request of a server can be viewed, filled in and answered, and the answer is JSON. The first
 * byte chooses: E and S parameters of an elicitation and a sampling, U a URL, R a root, W a command
 * line.
 */
#include "fuzz.h"

#include "host/user_programs.h"
#include "client/question.h"
#include "client/question.h"

#include "base/mem.h"
#include "base/strings.h"

#include <stdlib.h>
#include <string.h>

static void
demand_json(struct buf *text)
{
	struct json_doc *doc = json_parse(buf_text(text), text->len, NULL, NULL);

	demand(doc);
	json_doc_destroy(doc);
	buf_finish(text);
}

static void
try_question(const char *method, const char *text, size_t len)
{
	struct json_doc *doc = json_parse(text, len, NULL, NULL);
	struct buf out = BUF_INIT, missing = BUF_INIT;

	if (!doc)
		return;
	struct session_question asked = { .id = 1, .method = method, .params = json_root(doc) };
	struct question *q = question_create(1, &asked, 0);
	json_doc_destroy(doc);
	elicitation_flaw(&q->elicitation);
	sampling_flaw(&q->sampling);
	question_request(q, &out);
	buf_finish(&out);
	if (q->kind == QUESTION_FORM) {
		question_accept_unseen(q, true, &out, &missing);
		demand_json(&out);
		question_accept_unseen(q, false, &out, &missing);
		if (missing.len == 0)
			demand_json(&out);
		buf_finish(&missing);
		form_check(q->form);
		question_accept_form(q, &out);
		demand_json(&out);
	}
	question_sampling_result(text, len, &out);
	question_sampling_flaw(q, &out);
	demand_json(&out);
	question_destroy(q);
}

static void
try_root(const char *text)
{
	struct strings roots = { 0 };
	struct buf out = BUF_INIT;

	if (roots_add(&roots, text, NULL)) {
		demand(roots.len == 1 && !roots_uri_flaw(roots.items[0]));
		demand(!strstr(roots.items[0], "/../"));
		demand(roots_add(&roots, text, NULL) && roots.len == 1);
		roots_result(&roots, &out);
		buf_finish(&out);
		demand(roots_remove(&roots, text));
	}
	strings_finish(&roots);
}

static void
try_link(const char *text)
{
	struct link l;

	link_inspect(&l, text);
	demand(l.host + l.host_len <= strlen(text) && l.warning_count <= LINK_WARNINGS);
	demand(l.openable == (l.refusal[0] == '\0'));
	demand(!l.openable || l.host_len > 0);
	for (const char *c = text; l.openable && *c; c++)
		demand(*c > ' ' && *c < 0x7f);
}

static void
try_command(const char *text)
{
	struct strings words = { 0 };

	strings_split_command(&words, text, NULL);
	strings_finish(&words);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size < 1)
		return 0;
	char *text = mem_strndup((const char *)data + 1, size - 1);

	if (data[0] == 'E')
		try_question("elicitation/create", text, strlen(text));
	else if (data[0] == 'S')
		try_question("sampling/createMessage", text, strlen(text));
	else if (data[0] == 'U')
		try_link(text);
	else if (data[0] == 'R')
		try_root(text);
	else if (data[0] == 'W')
		try_command(text);
	free(text);
	return 0;
}
