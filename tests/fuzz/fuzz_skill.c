/* SPDX-License-Identifier: MIT */
/* An entry of skills/list in the first line, the text of its SKILL.md after it: a read skill has a
 * state and a reason, a verified file has the announced size, no file leaves the skill's folder,
 * and only a valid entry can be approved. */
#include "fuzz.h"

#include "json/write.h"
#include "mcp/skill.h"

#include <string.h>

static void
check_files(const struct primitive *p)
{
	for (const cJSON *f = json_first(skill_files(p->definition)); f && !p->unusable;
	     f = f->next) {
		const char *uri = json_get_string(f, "uri"), *name = skill_file_name(p->key, uri);
		struct buf found = BUF_INIT;
		struct err err;
		demand(skill_add_uri(p, name, &found, &err));
		demand(skill_file(p->definition, buf_text(&found)) && !strstr(name, "/../") &&
		       strncmp(name, "../", 3) != 0);
		buf_finish(&found);
	}
}

static void
check_read(const struct primitive *p, const char *text, size_t len)
{
	struct buf json = BUF_INIT;
	struct json_writer w;
	struct skill_check check;
	struct result result;

	json_write_init(&w, &json);
	json_write_object(&w);
	json_write_member_array(&w, "contents");
	json_write_object(&w);
	json_write_member_string(&w, "uri", p->key);
	json_write_key(&w, "text");
	json_write_stringn(&w, text, len);
	json_write_object_end(&w);
	json_write_array_end(&w);
	json_write_object_end(&w);
	struct json_doc *doc = json_parse(buf_text(&json), json.len, NULL, NULL);
	if (doc) {
		result_init_of(&result, PRIMITIVE_SKILL, doc, json_root(doc));
		skill_verify(&check, p->definition, p->key, &result);
		demand(check.state != SKILL_UNREAD && check.text[0]);
		demand(check.state != SKILL_VERIFIED || skill_files(p->definition));
		result_finish(&result);
	}
	json_doc_destroy(doc);
	buf_finish(&json);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data, *newline = size ? memchr(text, '\n', size) : NULL;
	char hex[SHA256_HEX];
	struct primitive p;

	if (!newline)
		return 0;
	struct json_doc *doc = json_parse(text, (size_t)(newline - text), NULL, NULL);
	if (doc) {
		primitive_decode(&p, PRIMITIVE_SKILL, doc, json_root(doc));
		demand(!p.unusable || (p.broken && p.problem[0]));
		demand(!skill_set_digest(&p, hex) || !p.broken);
		check_files(&p);
		check_read(&p, newline + 1, size - (size_t)(newline + 1 - text));
	}
	json_doc_destroy(doc);
	return 0;
}
