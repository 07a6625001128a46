/* SPDX-License-Identifier: MIT */
#include "flow_world.h"

#include "base/mem.h"
#include "base/vec.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct row usual[] = {
	{ PRM_URL, 200, PRM(AS) },
	{ AS_URL, 200, SERVER_DOC(AS, REGISTERS) },
	{ AS "/r", 201, "{\"client_id\":\"c1\"}" },
	{ AS "/t", 200, TOKEN },
	{ NULL, 0, NULL },
};

static uint8_t counter;
struct buf asked;

static bool
count_up(void *user, void *out, size_t len, struct err *err)
{
	memset(out, counter++, len);
	return true;
}

/* ---- stored state ---- */

static char server[80];
struct auth_book book;

static bool
find(void *user, const char *issuer, const char *resource, struct auth_kept *out)
{
	return auth_book_find(&book, user, issuer, resource, out);
}

static void
find_clients(void *user, const char *issuer, struct auth_clients *out)
{
	auth_book_find_clients(&book, issuer, out);
}

static void
change(void *user, const struct auth_change *change)
{
	auth_book_change(&book, user, change);
}

struct auth_flow *
start_another(const char *server_url, const struct auth_flow_options *options)
{
	struct auth_flow_options o = *options;
	struct auth_crypto crypto = { .random = count_up };
	struct auth_store store = { find, find_clients, change, server };

	snprintf(server, sizeof(server), "%s", server_url);
	o.server_url = server_url;
	o.client_name = "test";
	buf_clear(&asked);
	return auth_flow_create(&o, &crypto, &store);
}

struct auth_flow *
start(const struct auth_flow_options *options)
{
	auth_book_finish(&book);
	return start_another(SERVER, options);
}

void
feed(struct auth_flow *f, const struct row *rows)
{
	const struct auth_request *r;

	for (int turns = 0; (r = auth_flow_info(f).request); turns++) {
		const struct row *row = rows;
		assert_true(turns < 30);
		buf_addf(&asked, "%s %s %s\n", r->method, r->url, buf_text(&r->body));
		while (row->url && strcmp(row->url, r->url) != 0)
			row++;
		const char *body = row->url && row->body ? row->body : "";
		size_t type = body[0] == '@' ? strcspn(body, " ") : 0;
		char *headers = mem_printf("Content-Type: %.*s\n", type ? (int)type - 1 : 16,
		    type ? body + 1 : "application/json");
		body += type + (type > 0);
		auth_flow_on_answer(f,
		    &(struct auth_answer){ .status = row->url ? row->status : 404,
			.error = row->url && !row->status ? "no such host" : NULL,
			.headers = headers,
			.body = body,
			.len = strlen(body),
			.took_ms = 1 },
		    1000);
		free(headers);
	}
}

void
come_back(struct auth_flow *f, const char *more)
{
	const char *url = auth_flow_info(f).browser_url;
	char *back;

	assert_non_null(url);
	size_t count;
	const char *query = strchr(url, '?') + 1;
	char *state = auth_form_get(query, strlen(query), "state", &count);
	back = mem_printf("/callback?state=%s%s", state, more);
	assert_true(auth_flow_on_redirect(f, back, 1000, NULL));
	free(state);
	free(back);
}

void
check_state(const struct auth_flow *f, enum auth_state state, const char *said)
{
	if (auth_flow_info(f).state != state || !strstr(auth_flow_info(f).sentence, said))
		fail_msg("state %d: %s", auth_flow_info(f).state, auth_flow_info(f).sentence);
}

void
check_secrets(const struct auth_flow *f)
{
	const struct auth_steps *steps = auth_flow_info(f).steps;

	if (strstr(auth_flow_info(f).sentence, "-shh"))
		fail_msg("%s", auth_flow_info(f).sentence);

	for (size_t i = 0; i < steps->len; i++) {
		const struct auth_step *s = &steps->items[i];
		const char *const texts[] = { s->request, s->answer, s->headers, s->outcome,
			s->url ? s->url : "", s->title };
		for (size_t k = 0; k < ARRAY_LEN(texts); k++)
			if (strstr(texts[k], "-shh"))
				fail_msg("step %zu (%s): %s", i, s->title, texts[k]);
		assert_false(s->open);
	}
}

struct auth_flow *
agreed(const struct auth_flow_options *options, const struct row *rows)
{
	struct auth_flow *f = start(options);

	auth_flow_challenge(f, 401, NULL, 1000);
	feed(f, rows);
	auth_flow_go(f, BACK, 1000);
	feed(f, rows);
	return f;
}

struct auth_flow *
authorized(const struct row *rows)
{
	struct auth_flow *f = agreed(&(struct auth_flow_options){ 0 }, rows);

	come_back(f, "&code=C-shh");
	feed(f, rows);
	check_state(f, AUTH_AUTHORIZED, "");
	buf_clear(&asked);
	return f;
}
