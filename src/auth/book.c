/* SPDX-License-Identifier: MIT */
#include "auth/book.h"

#include "base/mem.h"
#include "base/vec.h"
#include "json/write.h"

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
remove_server(struct auth_book *b, size_t at)
{
	free(b->servers.items[at].url);
	free(b->servers.items[at].issuer);
	free(b->servers.items[at].resource);
	VEC_REMOVE(&b->servers, at);
}

void
auth_book_finish(struct auth_book *b)
{
	while (b->servers.len > 0)
		remove_server(b, b->servers.len - 1);
	for (size_t i = 0; i < b->tokens.len; i++)
		auth_kept_finish(&b->tokens.items[i]);
	free(b->servers.items);
	free(b->tokens.items);
	auth_clients_finish(&b->clients);
	*b = (struct auth_book){ 0 };
}

/* ---- look-up: an index, or the length if not found ---- */

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

/* A token was issued to it. */
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
	for (size_t i = 0; i < b->clients.len; i++) {
		const struct auth_client *c = &b->clients.items[i];
		if (same(c->issuer, issuer) && same(c->id, out->token.client_id)) {
			auth_client_copy(&out->client, c);
			break;
		}
	}
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
remove_client(struct auth_book *b, size_t at)
{
	auth_client_finish(&b->clients.items[at]);
	VEC_REMOVE(&b->clients, at);
}

/* And the entries of servers that it authorized. */
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
keep_server(struct auth_book *b, const char *url, const char *issuer, const char *resource)
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

static void
keep(struct auth_book *b, const char *server_url, const struct auth_kept *kept)
{
	const struct auth_client *client = &kept->client;

	/* clients that the user gives are not stored */
	if (client->source == AUTH_CLIENT_REGISTERED && client->issuer && client->id) {
		/* One for each redirect URI, and older ones that a token was issued to. */
		size_t others = 0;
		for (size_t i = b->clients.len; i-- > 0;) {
			const struct auth_client *c = &b->clients.items[i];
			if (!same(c->issuer, client->issuer))
				continue;
			bool replaced =
			    same(c->redirect_uri, client->redirect_uri) && !is_needed(b, c);
			if (same(c->id, client->id) || replaced || ++others == AUTH_MAX_CLIENTS)
				remove_client(b, i);
		}
		if (b->clients.len == AUTH_BOOK_MAX)
			remove_client(b, 0);
		auth_client_copy(VEC_PUSH(&b->clients), client);
	}
	if (!kept->token.access || !kept->issuer || !kept->resource)
		return;
	size_t at = token_at(b, kept->issuer, kept->resource);
	if (at < b->tokens.len) { /* the entries of servers stay */
		auth_kept_finish(&b->tokens.items[at]);
		VEC_REMOVE(&b->tokens, at);
	}
	if (b->tokens.len == AUTH_BOOK_MAX)
		remove_token(b, 0);
	struct auth_kept *token = VEC_PUSH(&b->tokens);
	*token = (struct auth_kept){ .issuer = mem_strdup(kept->issuer),
		.resource = mem_strdup(kept->resource) };
	auth_token_copy(&token->token, &kept->token);
	if (server_url)
		keep_server(b, server_url, kept->issuer, kept->resource);
}

static bool
forget(struct auth_book *b, const char *server_url)
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

bool
auth_book_change(struct auth_book *b, const char *server_url, const struct auth_change *change)
{
	const struct auth_kept *gone = change->drop;

	if (gone) {
		size_t at = token_at(b, gone->issuer, gone->resource);
		if (at < b->tokens.len &&
		    same(b->tokens.items[at].token.access, gone->token.access))
			remove_token(b, at);
		for (size_t i = b->clients.len; i-- > 0;)
			if (same(b->clients.items[i].issuer, gone->client.issuer) &&
			    same(b->clients.items[i].id, gone->client.id))
				remove_client(b, i);
	}
	if (change->keep)
		keep(b, server_url, change->keep);
	return !change->forget || forget(b, server_url);
}

/* ---- JSON ---- */

#define BOOK_VERSION 2
#define MAX_TIME 1e14

static int64_t
take_time(const cJSON *object, const char *key)
{
	const cJSON *node = json_get(object, key);
	bool fits = cJSON_IsNumber(node) && node->valuedouble > 0 && node->valuedouble < MAX_TIME;

	return fits ? (int64_t)node->valuedouble : 0;
}

/* The file may be damaged: only values that may be sent in a header or a form are taken. */
static char *
take_text(const cJSON *object, const char *key)
{
	const char *text = json_get_string(object, key);

	return mem_strdup(text && auth_is_plain(text) ? text : NULL);
}

/* An entry of tokens or clients; or of the old `servers`, with a token and a client in it. */
static void
take_entry(struct auth_book *b, const cJSON *entry, const cJSON *token, const cJSON *client)
{
	char *url = take_text(entry, "server");
	struct auth_kept kept = { .issuer = take_text(entry, "issuer"),
		.resource = take_text(entry, "resource") };

	const char *method = json_get_string(client, "token_endpoint_auth_method");
	kept.client = (struct auth_client){
		.source = AUTH_CLIENT_REGISTERED,
		.issuer = take_text(entry, "issuer"),
		.id = take_text(client, "client_id"),
		.secret = take_text(client, "client_secret"),
		.redirect_uri = take_text(client, "redirect_uri"),
		.method = method ? auth_method_find(method) : AUTH_METHOD_COUNT,
		.secret_expires_s = take_time(client, "client_secret_expires_at"),
	};
	kept.token = (struct auth_token){
		.access = take_text(token, "access_token"),
		.refresh = take_text(token, "refresh_token"),
		.scope = take_text(token, "scope"),
		.client_id = take_text(token, "client_id"),
		.expires_s = take_time(token, "expires_at"),
		.by_client = cJSON_IsTrue(json_get(token, "by_client")),
	};
	if (client && token && !kept.token.client_id)
		kept.token.client_id = mem_strdup(kept.client.id);
	keep(b, url, &kept);
	auth_kept_finish(&kept);
	free(url);
}

bool
auth_book_parse(struct auth_book *b, const char *json, size_t len, struct err *err)
{
	struct json_error where;
	struct json_doc *doc = json_parse(json, len, NULL, &where);
	const cJSON *root = doc ? json_root(doc) : NULL;

	*b = (struct auth_book){ 0 };
	const cJSON *version = json_get(root, "version"), *entry;
	bool ok = false;
	if (!doc)
		err_set(err, "it is not JSON (line %u: %s)", where.line, where.text);
	else if (!cJSON_IsArray(json_get(root, "servers")))
		err_set(err, "it has no array `servers`");
	else if (version && (!cJSON_IsNumber(version) || version->valuedouble != BOOK_VERSION))
		err_set(err, "another version of mcpane wrote it");
	else
		ok = true;
	if (ok && version) {
		/* tokens first: an older registration is kept only if a token needs it */
		for (entry = json_first(json_get(root, "tokens")); entry; entry = entry->next)
			take_entry(b, entry, entry, NULL);
		for (entry = json_first(json_get(root, "clients")); entry; entry = entry->next)
			take_entry(b, entry, NULL, entry);
		for (entry = json_first(json_get(root, "servers")); entry; entry = entry->next) {
			const char *url = json_get_string(entry, "server");
			if (url)
				keep_server(b, url, json_get_string(entry, "issuer"),
				    json_get_string(entry, "resource"));
		}
	} else if (ok) { /* the form before there was a version */
		for (entry = json_first(json_get(root, "servers")); entry; entry = entry->next)
			take_entry(b, entry, json_get(entry, "token"), json_get(entry, "client"));
	}
	json_doc_destroy(doc);
	return ok;
}

static void
write_text(struct json_writer *w, const char *key, const char *text)
{
	if (text)
		json_write_member_string(w, key, text);
}

void
auth_book_print(const struct auth_book *b, struct buf *out)
{
	struct json_writer w;

	json_write_init(&w, out);
	json_write_object(&w);
	json_write_member_int(&w, "version", BOOK_VERSION);
	json_write_member_array(&w, "servers");
	for (size_t i = 0; i < b->servers.len; i++) {
		const struct auth_book_server *s = &b->servers.items[i];
		json_write_object(&w);
		write_text(&w, "server", s->url);
		write_text(&w, "issuer", s->issuer);
		write_text(&w, "resource", s->resource);
		json_write_object_end(&w);
	}
	json_write_array_end(&w);
	json_write_member_array(&w, "clients");
	for (size_t i = 0; i < b->clients.len; i++) {
		const struct auth_client *c = &b->clients.items[i];
		json_write_object(&w);
		write_text(&w, "issuer", c->issuer);
		write_text(&w, "redirect_uri", c->redirect_uri);
		write_text(&w, "client_id", c->id);
		write_text(&w, "client_secret", c->secret);
		if (c->secret_expires_s)
			json_write_member_int(&w, "client_secret_expires_at", c->secret_expires_s);
		if (c->method < AUTH_METHOD_COUNT)
			write_text(&w, "token_endpoint_auth_method", auth_method_names[c->method]);
		json_write_object_end(&w);
	}
	json_write_array_end(&w);
	json_write_member_array(&w, "tokens");
	for (size_t i = 0; i < b->tokens.len; i++) {
		const struct auth_kept *k = &b->tokens.items[i];
		json_write_object(&w);
		write_text(&w, "issuer", k->issuer);
		write_text(&w, "resource", k->resource);
		write_text(&w, "client_id", k->token.client_id);
		write_text(&w, "access_token", k->token.access);
		write_text(&w, "refresh_token", k->token.refresh);
		write_text(&w, "scope", k->token.scope);
		if (k->token.expires_s)
			json_write_member_int(&w, "expires_at", k->token.expires_s);
		if (k->token.by_client)
			json_write_member_bool(&w, "by_client", true);
		json_write_object_end(&w);
	}
	json_write_array_end(&w);
	json_write_object_end(&w);
	buf_add_char(out, '\n');
}
