#include "mcp/skill.h"

#include "base/mem.h"
#include "json/equal.h"
#include "json/from_yaml.h"

#include <stdio.h>
#include <string.h>

/* Does a file of a skill agree with the entry that announced it? */

#define FRONTMATTER_MAX_BYTES ((size_t)64 << 10)

static void __attribute__((format(printf, 2, 3)))
fail(struct skill_check *check, const char *format, ...)
{
	check->state = SKILL_FAILED;
	FORMAT_INTO(check->text, format);
}

static size_t
line_length(const char *at, const char *end)
{
	const char *newline = memchr(at, '\n', (size_t)(end - at));

	return newline ? (size_t)(newline - at) + 1 : (size_t)(end - at);
}

/* Three hyphens and only white space. */
static bool
is_fence(const char *line, size_t len)
{
	if (len < 3 || memcmp(line, "---", 3) != 0)
		return false;
	for (size_t i = 3; i < len; i++)
		if (!memchr(" \t\r\n", line[i], 4))
			return false;
	return true;
}

/* The lines between the first two fences; NULL: the file does not begin with frontmatter. */
static const char *
find_frontmatter(const struct buf *file, size_t *len)
{
	const char *at = buf_text(file), *end = at + file->len;
	size_t line = line_length(at, end);

	if (!is_fence(at, line))
		return NULL;
	const char *start = at += line;
	while (at < end && !is_fence(at, line_length(at, end)))
		at += line_length(at, end);
	*len = (size_t)(at - start);
	return at < end ? start : NULL;
}

/* The first field in which two objects differ; NULL: they are equal. */
static const char *
find_difference(const cJSON *announced, const cJSON *found)
{
	size_t count = json_count(found); /* announced may be huge: no more are looked up */

	for (const cJSON *m = json_first(announced); m; m = m->next)
		if (count-- == 0 || !json_get(found, m->string) ||
		    !json_equal(m, json_get(found, m->string)))
			return m->string;
	for (const cJSON *m = json_first(found); m; m = m->next)
		if (!json_get(announced, m->string))
			return m->string;
	return NULL;
}

static void
check_frontmatter(struct skill_check *check, const cJSON *announced, const struct buf *file)
{
	struct json_error why;
	size_t len = 0;
	const char *text = find_frontmatter(file, &len);

	if (!text) {
		fail(check, "it does not begin with frontmatter between lines of ---");
		return;
	}
	if (len > FRONTMATTER_MAX_BYTES) {
		fail(check, "its frontmatter is longer than 64 KiB");
		return;
	}
	struct json_doc *doc = yaml_parse(text, len, &why);
	const cJSON *found = doc ? json_root(doc) : NULL;
	if (!doc)
		fail(check, "its frontmatter is not read: line %u: %s", why.line, why.text);
	else if (!cJSON_IsObject(found))
		fail(check, "its frontmatter is of type %s", json_type_name(json_type(found)));
	else if (find_difference(announced, found))
		fail(check, "its frontmatter differs from the entry: %.100s",
		    find_difference(announced, found));
	json_doc_destroy(doc);
}

static void
check_digest(struct skill_check *check, const cJSON *file, const struct buf *bytes)
{
	const char *announced = json_get_string(file, "digest");
	size_t size = skill_file_size(file);
	char hex[SHA256_HEX], found[sizeof("sha256:") + SHA256_HEX];
	struct sha256 all;

	if (bytes->len != size) {
		if (size == SIZE_MAX)
			fail(check, "the entry announces no size");
		else
			fail(check, "it has %zu bytes, the entry announces %zu", bytes->len, size);
		return;
	}
	sha256_init(&all);
	sha256_add(&all, buf_text(bytes), bytes->len);
	sha256_end_hex(&all, hex);
	snprintf(found, sizeof(found), "sha256:%s", hex);
	if (!announced || strcmp(announced, found) != 0)
		fail(check, "its digest is sha256:%.12s..., the entry announces %.19s...", hex,
		    announced ? announced : "none");
}

void
skill_verify(
    struct skill_check *check, const cJSON *entry, const char *uri, const struct result *result)
{
	const char *skill = json_get_string(entry, "uri");
	const cJSON *file = skill_file(entry, uri);
	bool is_dynamic = !skill_files(entry);
	struct buf bytes = BUF_INIT;

	*check = (struct skill_check){ .state = is_dynamic ? SKILL_DYNAMIC : SKILL_VERIFIED };
	if (result->len != 1 || !result->blocks[0].uri || strcmp(result->blocks[0].uri, uri) != 0)
		fail(check, "the answer is not this file and nothing else");
	else if (!content_add_bytes(&bytes, &result->blocks[0]))
		fail(check, "it has neither text nor data");
	else if (!is_dynamic && !file)
		fail(check, "the entry does not list it");
	else if (!is_dynamic)
		check_digest(check, file, &bytes);
	if (check->state != SKILL_FAILED && skill && strcmp(skill, uri) == 0)
		check_frontmatter(check, json_get(entry, "frontmatter"), &bytes);
	buf_finish(&bytes);
	if (check->state == SKILL_VERIFIED)
		snprintf(
		    check->text, sizeof(check->text), "size and digest are those of the entry");
	else if (check->state == SKILL_DYNAMIC)
		snprintf(check->text, sizeof(check->text),
		    "the skill is dynamic: there are no digests to compare with");
}
