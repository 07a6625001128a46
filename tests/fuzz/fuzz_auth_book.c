/* SPDX-License-Identifier: MIT */
/* Any token file: accepted entries fit into headers, are found by their keys, give no server the
 * token of another, and are unchanged when written and read again. */
#include "auth/book.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
must(bool holds)
{
	if (!holds)
		abort();
}

static void
check_servers(const struct auth_book *b)
{
	for (size_t i = 0; i < b->servers.len; i++) {
		const struct auth_book_server *s = &b->servers.items[i];
		struct auth_kept kept;
		must(auth_resource_covers(s->resource, s->url));
		must(auth_book_find(b, s->url, NULL, NULL, &kept));
		must(strcmp(kept.issuer, s->issuer) == 0);
		must(strcmp(kept.resource, s->resource) == 0);
		must(!kept.client.id || strcmp(kept.client.issuer, s->issuer) == 0);
		auth_kept_finish(&kept);
	}
}

static void
check_tokens(const struct auth_book *b)
{
	for (size_t i = 0; i < b->tokens.len; i++) {
		const struct auth_kept *t = &b->tokens.items[i];
		struct auth_kept kept;
		must(auth_is_plain(t->token.access));
		must(!t->token.refresh || auth_is_plain(t->token.refresh));
		must(auth_book_find(b, NULL, t->issuer, t->resource, &kept));
		must(strcmp(kept.token.access, t->token.access) == 0);
		auth_kept_finish(&kept);
	}
}

static void
check_clients(const struct auth_book *b)
{
	for (size_t i = 0; i < b->clients.len; i++) {
		struct auth_clients found = { 0 };
		must(auth_is_plain(b->clients.items[i].id));
		auth_book_find_clients(b, b->clients.items[i].issuer, &found);
		must(found.len > 0 && found.len <= AUTH_MAX_CLIENTS);
		auth_clients_finish(&found);
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct buf one = BUF_INIT, two = BUF_INIT;
	struct auth_book book, again;
	struct err err = { "" };

	if (!auth_book_parse(&book, (const char *)data, size, &err)) {
		must(err.text[0] != '\0' && book.tokens.len == 0);
		return 0;
	}
	check_servers(&book);
	check_tokens(&book);
	check_clients(&book);
	auth_book_print(&book, &one);
	must(auth_book_parse(&again, buf_text(&one), one.len, NULL));
	auth_book_print(&again, &two);
	must(one.len == two.len && memcmp(one.data, two.data, one.len) == 0);
	while (again.servers.len > 0) {
		char *url = again.servers.items[0].url;
		again.servers.items[0].url = NULL;
		must(!auth_book_change(&again, url, &(struct auth_change){ .forget = true }));
		again.servers.items[0].url = url;
		must(auth_book_change(
		    &again, again.servers.items[0].url, &(struct auth_change){ .forget = true }));
	}
	auth_book_finish(&book);
	auth_book_finish(&again);
	buf_finish(&one);
	buf_finish(&two);
	return 0;
}
