#include "host/task_store.h"

#include "base/path.h"
#include "host/trust.h"
#include "json/write.h"
#include "model/tasks.h"

#include <stdlib.h>
#include <string.h>

#define MAX_BYTES ((size_t)4 << 20)

static struct json_doc *
read_all(const char *path)
{
	struct buf text = BUF_INIT;

	buf_init(&text, MAX_BYTES);
	bool ok = path && path_read_file(path, &text, NULL);
	struct json_doc *doc = ok ? json_parse(buf_text(&text), text.len, NULL, NULL) : NULL;
	buf_finish(&text);
	return doc;
}

void
task_store_load(const struct target *t, struct server *s)
{
	char *path = path_state("tasks.json");
	struct json_doc *doc = read_all(path);
	char mark[SHA256_HEX];

	trust_mark(t, mark);
	if (doc)
		server_tasks_load(s, json_get(json_root(doc), mark));
	json_doc_destroy(doc);
	free(path);
}

static void
write_others(struct json_writer *w, const cJSON *all, const char *mark)
{
	if (json_type(all) != JSON_OBJECT)
		return;
	for (const cJSON *entry = json_first(all); entry; entry = entry->next) {
		if (strcmp(entry->string, mark) == 0)
			continue;
		json_write_key(w, entry->string);
		json_write_value(w, entry);
	}
}

bool
task_store_save(const struct target *t, const struct server *s, struct err *err)
{
	char *path = path_state("tasks.json");
	struct json_doc *doc = read_all(path);
	struct buf text = BUF_INIT, own = BUF_INIT;
	char mark[SHA256_HEX];
	struct json_writer w;

	trust_mark(t, mark);
	json_write_init(&w, &text);
	json_write_object(&w);
	write_others(&w, doc ? json_root(doc) : NULL, mark);
	server_tasks_save(s, &own);
	if (server_task_count(s) > 0) {
		json_write_key(&w, mark);
		json_write_raw(&w, buf_text(&own), own.len);
	}
	json_write_object_end(&w);
	bool ok = path ? path_write_private(path, buf_text(&text), text.len, err)
		       : err_set(err, "there is no folder to keep tasks in");
	json_doc_destroy(doc);
	buf_finish(&text);
	buf_finish(&own);
	free(path);
	return ok;
}
