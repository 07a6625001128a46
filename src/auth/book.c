#include "book_priv.h"

#include "base/mem.h"
#include "base/vec.h"

#include <stdlib.h>
#include <string.h>

void
auth_kept_finish(struct auth_kept *k)
{
	auth_client_finish(&k->client);
	auth_token_finish(&k->token);
	free(k->issuer);
	free(k->resource);
	*k = (struct auth_kept){ 0 };
}

void
auth_clients_finish(struct auth_clients *c)
{
	for (size_t i = 0; i < c->len; i++)
		auth_client_finish(&c->items[i]);
	free(c->items);
	*c = (struct auth_clients){ 0 };
}

static void
server_finish(struct auth_book_server *s)
{
	free(s->url);
	free(s->issuer);
	free(s->resource);
}

void
auth_book_finish(struct auth_book *b)
{
	for (size_t i = 0; i < b->servers.len; i++)
		server_finish(&b->servers.items[i]);
	for (size_t i = 0; i < b->tokens.len; i++)
		auth_kept_finish(&b->tokens.items[i]);
	free(b->servers.items);
	free(b->tokens.items);
	auth_clients_finish(&b->clients);
	*b = (struct auth_book){ 0 };
}

/* ---- looking up: an index, or the count of all ---- */

static bool
same(const char *a, const char *b)
{
	return a && b && strcmp(a, b) == 0;
}

static size_t
server_at(const struct auth_book *b, const char *url)
{
	size_t i = 0;

	while (i < b->servers.len && !same(b->servers.items[i].url, url))
		i++;
	return i;
}

static size_t
token_at(const struct auth_book *b, const char *issuer, const char *resource)
{
	size_t i = 0;

	while (i < b->tokens.len && !(same(b->tokens.items[i].issuer, issuer) &&
					same(b->tokens.items[i].resource, resource)))
		i++;
	return i;
}

/* Some token was given to it. */
static bool
is_needed(const struct auth_book *b, const struct auth_client *c)
{
	for (size_t i = 0; i < b->tokens.len; i++)
		if (same(b->tokens.items[i].issuer, c->issuer) &&
		    same(b->tokens.items[i].token.client_id, c->id))
			return true;
	return false;
}

/* ---- finding ---- */

static void
copy_client(const struct auth_book *b, const struct auth_kept *token, struct auth_client *out)
{
	for (size_t i = 0; i < b->clients.len; i++) {
		const struct auth_client *c = &b->clients.items[i];
		if (!same(c->issuer, token->issuer) || !same(c->id, token->token.client_id))
			continue;
		auth_client_copy(out, c);
		return;
	}
}

bool
auth_book_find(const struct auth_book *b, const char *server_url, const char *issuer,
    const char *resource, struct auth_kept *out)
{
	size_t server = server_at(b, server_url);

	*out = (struct auth_kept){ 0 };
	if (!issuer && server < b->servers.len) {
		issuer = b->servers.items[server].issuer;
		resource = b->servers.items[server].resource;
	}
	size_t at = token_at(b, issuer, resource);
	if (at == b->tokens.len)
		return false;
	out->issuer = mem_strdup(issuer);
	out->resource = mem_strdup(resource);
	auth_token_copy(&out->token, &b->tokens.items[at].token);
	copy_client(b, &b->tokens.items[at], &out->client);
	return true;
}

void
auth_book_find_clients(const struct auth_book *b, const char *issuer, struct auth_clients *out)
{
	for (size_t i = b->clients.len; i-- > 0;) /* the newest first */
		if (same(b->clients.items[i].issuer, issuer))
			auth_client_copy(VEC_PUSH(out), &b->clients.items[i]);
}

/* ---- changing ---- */

static void
remove_server(struct auth_book *b, size_t at)
{
	server_finish(&b->servers.items[at]);
	VEC_REMOVE(&b->servers, at);
}

static void
remove_client(struct auth_book *b, size_t at)
{
	auth_client_finish(&b->clients.items[at]);
	VEC_REMOVE(&b->clients, at);
}

/* With the servers that had it. */
static void
remove_token(struct auth_book *b, size_t at)
{
	const struct auth_kept *token = &b->tokens.items[at];

	for (size_t i = b->servers.len; i-- > 0;)
		if (same(b->servers.items[i].issuer, token->issuer) &&
		    same(b->servers.items[i].resource, token->resource))
			remove_server(b, i);
	auth_kept_finish(&b->tokens.items[at]);
	VEC_REMOVE(&b->tokens, at);
}

static void
keep_token(struct auth_book *b, const struct auth_kept *kept)
{
	size_t at = token_at(b, kept->issuer, kept->resource);

	if (at < b->tokens.len) { /* servers go on with it */
		auth_kept_finish(&b->tokens.items[at]);
		VEC_REMOVE(&b->tokens, at);
	}
	if (b->tokens.len == AUTH_BOOK_MAX)
		remove_token(b, 0);
	struct auth_kept *token = VEC_PUSH(&b->tokens);
	*token = (struct auth_kept){ .issuer = mem_strdup(kept->issuer),
		.resource = mem_strdup(kept->resource) };
	auth_token_copy(&token->token, &kept->token);
}

void
book_keep_server(struct auth_book *b, const char *url, const char *issuer, const char *resource)
{
	size_t at = server_at(b, url);

	if (at < b->servers.len)
		remove_server(b, at);
	if (token_at(b, issuer, resource) == b->tokens.len || !auth_resource_covers(resource, url))
		return;
	if (b->servers.len == AUTH_BOOK_MAX)
		remove_server(b, 0);
	*VEC_PUSH(&b->servers) = (struct auth_book_server){ .url = mem_strdup(url),
		.issuer = mem_strdup(issuer),
		.resource = mem_strdup(resource) };
}

/* One for each way back, but for those of before that a token was given to. */
static void
keep_client(struct auth_book *b, const struct auth_client *client)
{
	size_t others = 0;

	for (size_t i = b->clients.len; i-- > 0;) {
		const struct auth_client *c = &b->clients.items[i];
		if (!same(c->issuer, client->issuer))
			continue;
		bool replaced = same(c->redirect_uri, client->redirect_uri) && !is_needed(b, c);
		if (same(c->id, client->id) || replaced || ++others == AUTH_MAX_CLIENTS)
			remove_client(b, i);
	}
	if (b->clients.len == AUTH_BOOK_MAX)
		remove_client(b, 0);
	auth_client_copy(VEC_PUSH(&b->clients), client);
}

void
auth_book_keep(struct auth_book *b, const char *server_url, const struct auth_kept *kept)
{
	const struct auth_client *client = &kept->client;

	/* what the user gives on each start is not ours to keep */
	if (client->source == AUTH_CLIENT_REGISTERED && client->issuer && client->id)
		keep_client(b, client);
	if (!kept->token.access || !kept->issuer || !kept->resource)
		return;
	keep_token(b, kept);
	if (server_url)
		book_keep_server(b, server_url, kept->issuer, kept->resource);
}

void
auth_book_drop(struct auth_book *b, const struct auth_kept *kept)
{
	size_t at = token_at(b, kept->issuer, kept->resource);

	if (at < b->tokens.len && same(b->tokens.items[at].token.access, kept->token.access))
		remove_token(b, at);
	for (size_t i = b->clients.len; i-- > 0;)
		if (same(b->clients.items[i].issuer, kept->client.issuer) &&
		    same(b->clients.items[i].id, kept->client.id))
			remove_client(b, i);
}

bool
auth_book_forget(struct auth_book *b, const char *server_url)
{
	size_t server = server_at(b, server_url);

	if (server == b->servers.len)
		return false;
	char *issuer = mem_strdup(b->servers.items[server].issuer);
	size_t token = token_at(b, issuer, b->servers.items[server].resource);
	if (token < b->tokens.len)
		remove_token(b, token);
	for (size_t i = b->clients.len; i-- > 0;)
		if (same(b->clients.items[i].issuer, issuer) && !is_needed(b, &b->clients.items[i]))
			remove_client(b, i);
	free(issuer);
	return true;
}
