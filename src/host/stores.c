/* SPDX-License-Identifier: MIT */
#include "host/stores.h"

#include "auth/book.h"
#include "base/path.h"
#include "base/private_file.h"
#include "base/secret.h"
#include "client/tasks.h"
#include "host/trust.h"
#include "json/write.h"

#include <stdlib.h>
#include <string.h>

#define STORE_MAX_BYTES ((size_t)4 << 20)

void
task_store_load(const struct target *t, struct server *s)
{
	char *path = path_of(PATH_STATE, "tasks.json");
	char mark[SHA256_HEX];
	struct buf text;
	bool there;

	buf_init(&text, STORE_MAX_BYTES);
	bool ok = path && private_file_look(path, &text, &there, NULL);
	struct json_doc *doc = ok ? json_parse(buf_text(&text), text.len, NULL, NULL) : NULL;
	trust_mark(t, mark);
	if (doc)
		server_tasks_load(s, json_get(json_root(doc), mark));
	json_doc_destroy(doc);
	buf_finish(&text);
	free(path);
}

/* Replaces the entry of the server in the file; a malformed file is moved aside. */
static bool
write_tasks(const struct private_file *f, const char *mark, const struct server *s, struct err *err)
{
	struct buf before, text, own = BUF_INIT;
	struct json_doc *doc = NULL;
	struct json_writer w;
	bool there;

	buf_init(&before, STORE_MAX_BYTES);
	bool ok = private_file_read(f, &before, &there, err);
	if (ok && before.len > 0)
		doc = json_parse(buf_text(&before), before.len, NULL, NULL);
	if (ok && before.len > 0 && !doc)
		ok = private_file_set_aside(f, err);
	buf_finish(&before);
	if (!ok)
		return false;
	buf_init(&text, STORE_MAX_BYTES);
	json_write_init(&w, &text);
	json_write_object(&w);
	if (doc && cJSON_IsObject(json_root(doc)))
		for (const cJSON *e = json_first(json_root(doc)); e; e = e->next)
			if (strcmp(e->string, mark) != 0)
				json_write_member_value(&w, e->string, e);
	server_tasks_save(s, &own);
	if (server_info(s)->tasks > 0)
		json_write_member_json(&w, mark, buf_text(&own));
	json_write_object_end(&w);
	ok = text.overflowed ? err_set(err, "%s would be too long: not written", f->path)
			     : private_file_write(f, buf_text(&text), text.len, err);
	json_doc_destroy(doc);
	buf_finish(&text);
	buf_finish(&own);
	return ok;
}

bool
task_store_save(const struct target *t, const struct server *s, struct err *err)
{
	char *path = path_of(PATH_STATE, "tasks.json");
	char mark[SHA256_HEX];
	struct private_file f;

	trust_mark(t, mark);
	bool ok = path ? private_file_open(&f, path, false, err)
		       : err_set(err, "no folder to store tasks in");
	if (ok) {
		ok = write_tasks(&f, mark, s, err);
		private_file_close(&f);
	}
	free(path);
	return ok;
}

static void
wipe_text(struct buf *text)
{
	if (text->data)
		explicit_bzero(text->data, text->cap);
	buf_finish(text);
}

/* ---- reading ---- */

/* Parses the book; a missing file is an empty book. */
static bool
parse_book(
    struct auth_book *b, const struct buf *text, bool there, const char *path, struct err *err)
{
	struct err why = { "" };

	*b = (struct auth_book){ 0 };
	if (there)
		secret_shield_process();
	if (!there || auth_book_parse(b, buf_text(text), text->len, &why))
		return true;
	auth_book_finish(b);
	return err_set(err, "%.120s holds no tokens: %.100s", path, why.text);
}

/* While holding the lock: moves an unreadable file aside; said explains it. False with err:
 * leave the file alone. */
static bool
read_book(const struct private_file *f, struct auth_book *b, struct err *said, struct err *err)
{
	struct err why = { "" };
	struct buf text;
	bool there;

	*b = (struct auth_book){ 0 };
	buf_init(&text, STORE_MAX_BYTES);
	bool ok = private_file_read(f, &text, &there, err);
	bool good = ok && parse_book(b, &text, there, f->path, &why);
	wipe_text(&text);
	if (!ok || good)
		return ok;
	err_set(said, "%s; it was renamed to %.30s.broken", why.text, path_file_name(f->path));
	return private_file_set_aside(f, err);
}

static bool
look_at_book(const char *path, struct auth_book *b, struct err *err)
{
	struct buf text;
	bool there;

	*b = (struct auth_book){ 0 };
	buf_init(&text, STORE_MAX_BYTES);
	bool ok = private_file_look(path, &text, &there, err);
	bool good = ok && parse_book(b, &text, there, path, NULL);
	wipe_text(&text);
	struct private_file f;
	if (ok && !good && private_file_open(&f, path, false, err)) {
		struct auth_book again; /* another process may have repaired it in the meantime */
		if (read_book(&f, &again, err, err))
			auth_book_finish(&again);
		private_file_close(&f);
	}
	return good;
}

bool
token_store_find(const char *path, const char *server_url, const char *issuer, const char *resource,
    struct auth_kept *out, struct err *err)
{
	struct auth_book b;

	*out = (struct auth_kept){ 0 };
	bool found =
	    look_at_book(path, &b, err) && auth_book_find(&b, server_url, issuer, resource, out);
	auth_book_finish(&b);
	return found;
}

void
token_store_find_clients(
    const char *path, const char *issuer, struct auth_clients *out, struct err *err)
{
	struct auth_book b;

	if (look_at_book(path, &b, err))
		auth_book_find_clients(&b, issuer, out);
	auth_book_finish(&b);
}

bool
token_store_change(const char *path, const char *server_url, const struct auth_change *change,
    bool *found, struct err *err)
{
	struct private_file f;
	struct auth_book b;
	bool ignored, *there = found ? found : &ignored;

	*there = false;
	if (change->forget) { /* does not create a folder for nothing */
		struct auth_kept kept;
		bool any = token_store_find(path, server_url, NULL, NULL, &kept, err);
		auth_kept_finish(&kept);
		if (!any)
			return true;
	}
	if (!private_file_open(&f, path, false, err))
		return false;
	bool ok = read_book(&f, &b, err, err);
	*there = ok && auth_book_change(&b, server_url, change);
	if (*there) {
		struct buf text;
		secret_shield_process();
		buf_init(&text, STORE_MAX_BYTES);
		auth_book_print(&b, &text);
		ok = text.overflowed ? err_set(err, "%s would be too long: not written", f.path)
				     : private_file_write(&f, text.data, text.len, err);
		wipe_text(&text);
	}
	auth_book_finish(&b);
	private_file_close(&f);
	return ok;
}

bool
token_store_claim(const char *path, const char *issuer, const char *resource, int *fd)
{
	uint32_t hash = 2166136261u; /* FNV-1a: two tokens with the same hash share a lock */

	for (; *issuer; issuer++)
		hash = (hash ^ (unsigned char)*issuer) * 16777619u;
	for (; *resource; resource++)
		hash = (hash ^ (unsigned char)*resource) * 16777619u;
	return private_file_claim(path, hash, fd);
}
