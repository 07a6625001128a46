#include "host/task_store.h"

#include "base/path.h"
#include "base/private_file.h"
#include "host/trust.h"
#include "json/write.h"
#include "client/tasks.h"

#include <stdlib.h>
#include <string.h>

#define MAX_BYTES ((size_t)4 << 20)

void
task_store_load(const struct target *t, struct server *s)
{
	char *path = path_state("tasks.json");
	char mark[SHA256_HEX];
	struct buf text;
	bool there;

	buf_init(&text, MAX_BYTES);
	bool ok = path && private_file_look(path, &text, &there, NULL);
	struct json_doc *doc = ok ? json_parse(buf_text(&text), text.len, NULL, NULL) : NULL;
	trust_mark(t, mark);
	if (doc)
		server_tasks_load(s, json_get(json_root(doc), mark));
	json_doc_destroy(doc);
	buf_finish(&text);
	free(path);
}

static void
write_others(struct json_writer *w, const cJSON *all, const char *mark)
{
	if (!cJSON_IsObject(all))
		return;
	for (const cJSON *entry = json_first(all); entry; entry = entry->next) {
		if (strcmp(entry->string, mark) == 0)
			continue;
		json_write_member_value(w, entry->string, entry);
	}
}

/* *doc: the entries of all servers, NULL if there are none. Moves a malformed file aside. */
static bool
read_others(const struct private_file *f, struct json_doc **doc, struct err *err)
{
	struct buf text;
	bool there;

	*doc = NULL;
	buf_init(&text, MAX_BYTES);
	bool ok = private_file_read(f, &text, &there, err);
	if (ok && text.len > 0)
		*doc = json_parse(buf_text(&text), text.len, NULL, NULL);
	if (ok && text.len > 0 && !*doc)
		ok = private_file_set_aside(f, err);
	buf_finish(&text);
	return ok;
}

static bool
write_all(const struct private_file *f, const struct json_doc *others, const char *mark,
    const struct server *s, struct err *err)
{
	struct buf text, own = BUF_INIT;
	struct json_writer w;

	buf_init(&text, MAX_BYTES);
	json_write_init(&w, &text);
	json_write_object(&w);
	write_others(&w, others ? json_root(others) : NULL, mark);
	server_tasks_save(s, &own);
	if (server_info(s)->tasks > 0) {
		json_write_member_json(&w, mark, buf_text(&own));
	}
	json_write_object_end(&w);
	bool ok = text.overflowed ? err_set(err, "%s would be too long: not written", f->path)
				  : private_file_write(f, buf_text(&text), text.len, err);
	buf_finish(&text);
	buf_finish(&own);
	return ok;
}

bool
task_store_save(const struct target *t, const struct server *s, struct err *err)
{
	char *path = path_state("tasks.json");
	char mark[SHA256_HEX];
	struct private_file f;
	struct json_doc *others = NULL;

	trust_mark(t, mark);
	bool ok =
	    path ? private_file_open(&f, path, err) : err_set(err, "no folder to store tasks in");
	if (ok) {
		ok = read_others(&f, &others, err) && write_all(&f, others, mark, s, err);
		private_file_close(&f);
	}
	json_doc_destroy(others);
	free(path);
	return ok;
}
