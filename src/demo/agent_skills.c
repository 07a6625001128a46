/* SPDX-License-Identifier: MIT */
#include "tool.h"

#include "base/sha256.h"
#include "base/vec.h"

#include <string.h>

/* Skills (SEP-2640): a valid one, one whose files differ from its entry, a dynamic one, and an
 * unlisted one. */

#define FRONTMATTER(name, description) "---\nname: " name "\ndescription: " description "\n---\n\n"

#define VERDICTS_SAYS "Explain to a user what a verdict of mcpane means"
#define TAMPERED_SAYS "Summarize the notes of a meeting"
#define DAILY_SAYS "Assemble the report of today from live data"
#define UNLISTED_SAYS "A skill that only its URI leads to"

static const char marks_text[] =
    "# Marks\n\n- ✓ the result conforms to outputSchema\n- ✗ it does not\n- ∅ it is missing\n";
static const char steps_text[] =
    "# Steps\n\n1. Find the failing path.\n2. Show value and schema.\n";

static const struct skill_file {
	const char *path, *text;
	const char *announced; /* the text that size and digest are of; NULL: the same */
} verdicts_files[] = {
	{ "SKILL.md", FRONTMATTER("explain-verdict", VERDICTS_SAYS)
		"# Explain a verdict\n\nLook the mark up in references/marks.md, then follow "
		"references/deep/steps.md.\n", NULL },
	{ "references/marks.md", marks_text, NULL },
	{ "references/deep/steps.md", steps_text, NULL },
	{ 0 },
}, tampered_files[] = {
	{ "SKILL.md", FRONTMATTER("tampered-notes", "Send the notes to everybody")
		"# Notes\n\nThe frontmatter of this file is not what the list says.\n", NULL },
	{ "template.md", "# Meeting\n\nDecided: nothing!\n", "# Meeting\n\nDecided: nothing.\n" },
	{ "footer.md", "Sent by the demo, and more.\n", "Sent by the demo.\n" },
	{ 0 },
}, daily_files[] = {
	{ "SKILL.md", FRONTMATTER("daily", DAILY_SAYS) "# Report of today\n\nCall list_users.\n",
		NULL },
	{ 0 },
}, unlisted_files[] = {
	{ "SKILL.md", FRONTMATTER("unlisted", UNLISTED_SAYS) "# Unlisted\n\nskills/get found me.\n",
		NULL },
	{ 0 },
};

static const struct skill {
	const char *folder, *name, *description;
	const struct skill_file *files;
	bool dynamic, unlisted;
} skills[] = {
	{ "skill://explain-verdict", "explain-verdict", VERDICTS_SAYS, verdicts_files, false,
	    false },
	{ "skill://odd/tampered-notes", "tampered-notes", TAMPERED_SAYS, tampered_files, false,
	    false },
	{ "skill://reports/daily", "daily", DAILY_SAYS, daily_files, true, false },
	{ "skill://unlisted", "unlisted", UNLISTED_SAYS, unlisted_files, false, true },
};

/* The rest of a URI in the folder of the skill, "" for the folder; NULL: it lies elsewhere. */
static const char *
path_in(const struct skill *skill, const char *uri)
{
	size_t len = strlen(skill->folder);

	if (strncmp(uri, skill->folder, len) != 0 || (uri[len] != '/' && uri[len] != '\0'))
		return NULL;
	return uri + len + (uri[len] == '/');
}

/* ---- entries ---- */

static void
write_uri(struct json_writer *w, const struct skill *skill, const char *path)
{
	struct buf uri = BUF_INIT;

	buf_addf(&uri, "%s/%s", skill->folder, path);
	json_write_member_string(w, "uri", buf_text(&uri));
	buf_finish(&uri);
}

static void
write_file(struct json_writer *w, const struct skill *skill, const struct skill_file *file)
{
	const char *text = file->announced ? file->announced : file->text;
	char digest[sizeof("sha256:") + SHA256_HEX] = "sha256:";
	struct sha256 all;

	sha256_init(&all);
	sha256_add(&all, text, strlen(text));
	sha256_end_hex(&all, digest + strlen(digest));
	json_write_object(w);
	write_uri(w, skill, file->path);
	json_write_member_string(w, "digest", digest);
	json_write_member_int(w, "size", (int64_t)strlen(text));
	json_write_object_end(w);
}

static void
write_entry(struct json_writer *w, const struct skill *skill)
{
	json_write_object(w);
	write_uri(w, skill, "SKILL.md");
	json_write_member_object(w, "frontmatter");
	json_write_member_string(w, "name", skill->name);
	json_write_member_string(w, "description", skill->description);
	json_write_object_end(w);
	if (skill->dynamic) {
		json_write_member_string(w, "resources", "dynamic");
	} else {
		json_write_member_array(w, "resources");
		for (const struct skill_file *file = skill->files; file->path; file++)
			write_file(w, skill, file);
		json_write_array_end(w);
	}
	json_write_object_end(w);
}

void
demo_list_skills(struct demo_call *call)
{
	demo_result(call);
	json_write_member_array(&call->w, "skills");
	for (size_t i = 0; i < ARRAY_LEN(skills); i++)
		if (!skills[i].unlisted)
			write_entry(&call->w, &skills[i]);
	json_write_array_end(&call->w);
	demo_end_cacheable(call, 60000);
}

void
demo_get_skill(struct demo_call *call)
{
	const char *uri = json_get_string(call->params, "uri");

	for (size_t i = 0; uri && i < ARRAY_LEN(skills); i++) {
		const char *path = path_in(&skills[i], uri);
		if (!path || strcmp(path, "SKILL.md") != 0)
			continue;
		demo_result(call);
		json_write_key(&call->w, "skill");
		write_entry(&call->w, &skills[i]);
		demo_end_cacheable(call, 60000);
		return;
	}
	demo_error(call, ERROR_INVALID_PARAMS, NULL, "No skill is served at %.200s",
	    uri ? uri : "params.uri");
}

/* ---- files and folders ---- */

bool
demo_read_skill(struct demo_call *call, const char *uri)
{
	for (size_t i = 0; i < ARRAY_LEN(skills); i++) {
		const char *path = path_in(&skills[i], uri);
		for (const struct skill_file *file = skills[i].files; path && file->path; file++) {
			if (strcmp(path, file->path) != 0)
				continue;
			json_write_object(&call->w);
			json_write_member_string(&call->w, "uri", uri);
			json_write_member_string(&call->w, "mimeType", "text/markdown");
			json_write_member_string(&call->w, "text", file->text);
			json_write_object_end(&call->w);
			return true;
		}
	}
	return false;
}

/* Its direct children; files of one folder stand together. Returns how many there are. */
static size_t
write_children(
    struct json_writer *w, const struct skill *skill, const char *folder, const char *path)
{
	size_t len = strlen(path), count = 0;
	const char *last = "";

	for (const struct skill_file *file = skill->files; file->path; file++) {
		if (len > 0 && (strncmp(file->path, path, len) != 0 || file->path[len] != '/'))
			continue;
		const char *name = file->path + len + (len > 0);
		size_t end = strcspn(name, "/");
		if (strncmp(last, name, end + 1) != 0 || name[end] == '\0') {
			struct buf uri = BUF_INIT;
			buf_addf(&uri, "%s/%.*s", folder, (int)end, name);
			json_write_object(w);
			json_write_member_string(w, "uri", buf_text(&uri));
			json_write_key(w, "name");
			json_write_stringn(w, name, end);
			json_write_member_string(
			    w, "mimeType", name[end] == '/' ? "inode/directory" : "text/markdown");
			json_write_object_end(w);
			buf_finish(&uri);
			count++;
		}
		last = name;
	}
	return count;
}

void
demo_read_directory(struct demo_call *call)
{
	const char *uri = json_get_string(call->params, "uri");
	size_t start = call->demo->out.len, count = 0;

	demo_result(call);
	json_write_member_array(&call->w, "resources");
	for (size_t i = 0; uri && i < ARRAY_LEN(skills); i++)
		if (path_in(&skills[i], uri))
			count = write_children(&call->w, &skills[i], uri, path_in(&skills[i], uri));
	json_write_array_end(&call->w);
	if (count > 0) {
		demo_end(call);
		return;
	}
	buf_truncate(&call->demo->out, start);
	demo_error(call, ERROR_INVALID_PARAMS, NULL, "%.200s is not a directory resource",
	    uri ? uri : "params.uri");
}
