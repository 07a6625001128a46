#include "host/tokens.h"

#include "base/mem.h"
#include "base/path.h"
#include "json/write.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_FILE ((size_t)4 << 20)
#define MAX_TIME 1e14

/* ---- in ---- */

static int64_t
take_time(const cJSON *object, const char *key)
{
	const cJSON *node = json_get(object, key);
	bool fits =
	    json_type(node) == JSON_NUMBER && node->valuedouble > 0 && node->valuedouble < MAX_TIME;

	return fits ? (int64_t)node->valuedouble : 0;
}

/* What goes into a header or a form has to be fit for it, whoever wrote the file. */
static char *
take_text(const cJSON *object, const char *key)
{
	const char *text = json_get_string(object, key);

	return mem_strdup(text && auth_is_plain(text) ? text : NULL);
}

static void
take_client(struct auth_client *c, const cJSON *node, const char *issuer)
{
	const char *method = json_get_string(node, "token_endpoint_auth_method");

	c->id = take_text(node, "client_id");
	if (!c->id)
		return;
	c->source =
	    json_is_true(json_get(node, "registered")) ? AUTH_CLIENT_REGISTERED : AUTH_CLIENT_GIVEN;
	c->issuer = mem_strdup(issuer);
	c->secret = take_text(node, "client_secret");
	c->redirect_uri = take_text(node, "redirect_uri");
	c->method = method ? auth_method_find(method) : AUTH_METHOD_COUNT;
	c->secret_expires_s = take_time(node, "client_secret_expires_at");
}

static void
take_entry(struct auth_kept *out, const cJSON *entry)
{
	const cJSON *token = json_get(entry, "token");

	*out = (struct auth_kept){ .issuer = take_text(entry, "issuer"),
		.resource = take_text(entry, "resource") };
	if (!out->issuer)
		return;
	take_client(&out->client, json_get(entry, "client"), out->issuer);
	out->token = (struct auth_token){ .access = take_text(token, "access_token"),
		.refresh = take_text(token, "refresh_token"),
		.scope = take_text(token, "scope"),
		.expires_s = take_time(token, "expires_at") };
}

static struct json_doc *
read_file(const char *path, struct err *err)
{
	struct buf text;
	struct json_error where;

	if (access(path, F_OK) != 0)
		return NULL;
	buf_init(&text, MAX_FILE);
	if (!path_read_file(path, &text, err)) {
		buf_finish(&text);
		return NULL;
	}
	struct json_doc *doc = json_parse(buf_text(&text), text.len, NULL, &where);
	if (text.data)
		explicit_bzero(text.data, text.cap);
	buf_finish(&text);
	if (!doc)
		err_set(err, "%s is not JSON (line %u: %s)", path, where.line, where.text);
	else if (json_type(json_get(json_root(doc), "servers")) != JSON_ARRAY)
		err_set(err, "%s has no `servers`", path);
	if (!err->text[0])
		return doc;
	json_doc_destroy(doc);
	return NULL;
}

/* Aside, not away: there may be a refresh token in it that somebody wants. */
static bool
move_aside(const char *path, struct err *err)
{
	char *broken = mem_printf("%s.broken", path);
	char *why = mem_strdup(err->text);

	if (rename(path, broken) == 0)
		err_set(err, "%.120s; it was moved to %.100s", why, broken);
	else
		err_set(err, "%.120s; it cannot be moved aside: %s", why, strerror(errno));
	free(why);
	free(broken);
	return false;
}

static bool
is_of(const cJSON *entry, const char *server_url)
{
	const char *server = json_get_string(entry, "server");

	return server && strcmp(server, server_url) == 0;
}

bool
tokens_load(const char *path, const char *server_url, struct auth_kept *out, struct err *said)
{
	struct err err = { "" };
	struct json_doc *doc = read_file(path, &err);

	*out = (struct auth_kept){ 0 };
	if (!doc) {
		bool broken = err.text[0] && !move_aside(path, &err);
		return !broken || err_set(said, "%s", err.text);
	}
	const cJSON *entry = json_first(json_get(json_root(doc), "servers"));
	while (entry && !is_of(entry, server_url))
		entry = entry->next;
	if (entry)
		take_entry(out, entry);
	json_doc_destroy(doc);
	return true;
}

/* ---- out ---- */

static void
write_text(struct json_writer *w, const char *key, const char *text)
{
	if (text)
		json_write_member_string(w, key, text);
}

static void
write_client(struct json_writer *w, const struct auth_client *c)
{
	json_write_key(w, "client");
	json_write_object(w);
	write_text(w, "client_id", c->id);
	write_text(w, "client_secret", c->secret);
	write_text(w, "redirect_uri", c->redirect_uri);
	json_write_member_bool(w, "registered", c->source == AUTH_CLIENT_REGISTERED);
	if (c->method < AUTH_METHOD_COUNT)
		json_write_member_string(
		    w, "token_endpoint_auth_method", auth_method_name(c->method));
	if (c->secret_expires_s)
		json_write_member_int(w, "client_secret_expires_at", c->secret_expires_s);
	json_write_object_end(w);
}

static void
write_token(struct json_writer *w, const struct auth_token *t)
{
	json_write_key(w, "token");
	json_write_object(w);
	write_text(w, "access_token", t->access);
	write_text(w, "refresh_token", t->refresh);
	write_text(w, "scope", t->scope);
	if (t->expires_s)
		json_write_member_int(w, "expires_at", t->expires_s);
	json_write_object_end(w);
}

static void
write_entry(struct json_writer *w, const char *server_url, const struct auth_kept *kept)
{
	/* what the user gives on each start is not ours to keep */
	bool registered = kept->client.source == AUTH_CLIENT_REGISTERED;
	const char *issuer = kept->issuer ? kept->issuer : kept->client.issuer;

	if (!issuer || (!kept->token.access && !registered))
		return;
	json_write_object(w);
	json_write_member_string(w, "server", server_url);
	json_write_member_string(w, "issuer", issuer);
	write_text(w, "resource", kept->resource);
	if (registered)
		write_client(w, &kept->client);
	if (kept->token.access)
		write_token(w, &kept->token);
	json_write_object_end(w);
}

bool
tokens_save(const char *path, const char *server_url, const struct auth_kept *kept, struct err *err)
{
	struct err broken = { "" };
	struct json_doc *doc = read_file(path, &broken);
	struct buf out = BUF_INIT;
	struct json_writer w;

	if (broken.text[0])
		move_aside(path, &broken);
	else if (!doc && !kept)
		return true;
	json_write_init(&w, &out);
	json_write_object(&w);
	json_write_key(&w, "servers");
	json_write_array(&w);
	const cJSON *entry = doc ? json_first(json_get(json_root(doc), "servers")) : NULL;
	for (; entry; entry = entry->next)
		if (!is_of(entry, server_url))
			json_write_value(&w, entry);
	if (kept)
		write_entry(&w, server_url, kept);
	json_write_array_end(&w);
	json_write_object_end(&w);
	buf_add_char(&out, '\n');
	json_doc_destroy(doc);
	bool ok = path_write_private(path, out.data, out.len, err);
	explicit_bzero(out.data, out.cap);
	buf_finish(&out);
	return ok;
}
