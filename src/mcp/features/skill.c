/* SPDX-License-Identifier: MIT */
#include "mcp/skill.h"

#include "base/mem.h"
#include "json/equal.h"
#include "json/from_yaml.h"
#include "json/number.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SKILL_FILE "SKILL.md"
#define NAME_MAX_BYTES 64
#define DIGEST_PREFIX "sha256:"

/* Never to be read: its files could not be compared with anything. */
static void __attribute__((format(printf, 2, 3)))
make_unusable(struct primitive *p, const char *format, ...)
{
	if (p->unusable)
		return;
	p->unusable = p->broken = true;
	FORMAT_INTO(p->problem, format);
}

/* The length of the skill's folder in its URI, with the slash; 0 if it has none. */
static size_t
folder_length(const char *skill)
{
	const char *slash = strrchr(skill, '/');

	return slash ? (size_t)(slash - skill) + 1 : 0;
}

const char *
skill_file_name(const char *skill, const char *uri)
{
	size_t folder = folder_length(skill);

	return folder > 0 && strncmp(skill, uri, folder) == 0 ? uri + folder : uri;
}

/* ".", ".." and empty segments lead elsewhere, so do their encoded forms. */
static bool
is_inside(const char *name)
{
	for (const char *at = name; *at;) {
		size_t len = strcspn(at, "/");
		size_t dots = 0, i = 0;
		while (i < len && (at[i] == '.' || strncasecmp(at + i, "%2e", 3) == 0)) {
			i += at[i] == '.' ? 1 : 3;
			dots++;
		}
		if (len == 0 || (dots > 0 && dots <= 2 && i == len))
			return false;
		at += len + (at[len] == '/');
	}
	for (const char *c = name; *c; c++)
		if ((unsigned char)*c < 0x20 || *c == 0x7f || *c == '\\' || *c == '?' || *c == '#')
			return false;
	return *name != '\0';
}

/* ---- the entry ---- */

size_t
skill_file_size(const cJSON *file)
{
	const cJSON *size = json_get(file, "size");
	size_t bytes;

	return cJSON_IsNumber(size) && json_number_to_size(size, SIZE_MAX - 1, &bytes) ? bytes
										       : SIZE_MAX;
}

size_t
skill_bytes(const cJSON *entry)
{
	size_t bytes = 0;

	for (const cJSON *f = json_first(skill_files(entry)); f && bytes <= SKILL_BYTES_MAX;
	     f = f->next) {
		size_t size = skill_file_size(f);
		if (size != SIZE_MAX)
			bytes = size > SKILL_BYTES_MAX ? SKILL_BYTES_MAX + 1 : bytes + size;
	}
	return bytes;
}

static const char *
digest_of(const cJSON *file)
{
	const char *digest = json_get_string(file, "digest");
	size_t prefix = strlen(DIGEST_PREFIX);

	if (!digest || strncmp(digest, DIGEST_PREFIX, prefix) != 0)
		return NULL;
	digest += prefix;
	return strspn(digest, "0123456789abcdef") == SHA256_HEX - 1 &&
		       strlen(digest) == SHA256_HEX - 1
		   ? digest
		   : NULL;
}

static void
check_file(struct primitive *p, const cJSON *file, size_t index)
{
	const char *uri = json_get_string(file, "uri");

	if (!uri || !*uri)
		make_unusable(p, "resources/%zu has no uri", index);
	else if (skill_file_name(p->key, uri) == uri || !is_inside(skill_file_name(p->key, uri)))
		make_unusable(p, "resources/%zu is not in the folder of the skill", index);
	else if (!digest_of(file))
		primitive_add_problem(
		    p, "resources/%zu: its digest is not sha256: and 64 digits", index);
	else if (skill_file_size(file) == SIZE_MAX)
		primitive_add_problem(p, "resources/%zu: its size is not a number of bytes", index);
}

static int
compare_uris(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void
check_files(struct primitive *p, const cJSON *files)
{
	const char *uris[SKILL_FILES_MAX];
	size_t count = 0;

	if (json_count(files) > SKILL_FILES_MAX) {
		make_unusable(
		    p, "it has %zu files, more than %d", json_count(files), SKILL_FILES_MAX);
		return;
	}
	for (const cJSON *f = json_first(files); f; f = f->next) {
		check_file(p, f, count);
		uris[count++] = json_get_string(f, "uri");
	}
	if (p->unusable)
		return;
	if (skill_bytes(p->definition) > SKILL_BYTES_MAX)
		make_unusable(p, "its files are larger than 16 MiB");
	else if (!skill_file(p->definition, p->key))
		make_unusable(p, "resources does not list its " SKILL_FILE);
	if (p->unusable)
		return;
	qsort(uris, count, sizeof(uris[0]), compare_uris);
	for (size_t i = 1; i < count; i++)
		if (strcmp(uris[i - 1], uris[i]) == 0)
			make_unusable(p, "resources lists a file twice");
}

void
skill_decode(struct primitive *p)
{
	const cJSON *frontmatter = json_get(p->definition, "frontmatter");
	const cJSON *files = json_get(p->definition, "resources");
	const char *name = json_get_string(frontmatter, "name");
	/* agentskills.io: 1 to 64 lower case letters, digits and single hyphens inside. */
	size_t spelled = name ? strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-") : 0;
	bool is_name = spelled > 0 && spelled <= NAME_MAX_BYTES && name[spelled] == '\0' &&
		       name[0] != '-' && name[spelled - 1] != '-' && !strstr(name, "--");

	if (!cJSON_IsObject(frontmatter)) {
		make_unusable(p, "frontmatter must be an object, but is of type %s",
		    json_type_name(json_type(frontmatter)));
	} else if (name && p->has_key) {
		/* The last segment before /SKILL.md is the name. */
		size_t folder = folder_length(p->key), len = strlen(name);
		if (strcmp(p->key + folder, SKILL_FILE) != 0)
			primitive_add_problem(p, "the uri does not end with /" SKILL_FILE);
		else if (folder < len + 2 || p->key[folder - len - 2] != '/' ||
			 strncmp(p->key + folder - len - 1, name, len) != 0)
			primitive_add_problem(p, "the folder in its uri is not its name");
	}
	if (name && !is_name)
		primitive_add_problem(p, "its name breaks the rules: a-z, 0-9 and single hyphens");
	if (!p->description || !*p->description)
		primitive_add_problem(p, "the skill has no description");
	if (json_type(files) == JSON_ARRAY)
		check_files(p, files);
	else if (!cJSON_GetStringValue(files) ||
		 strcmp(cJSON_GetStringValue(files), "dynamic") != 0)
		make_unusable(p, "resources must be an array or \"dynamic\"");
}

const cJSON *
skill_files(const cJSON *entry)
{
	const cJSON *files = json_get(entry, "resources");

	return json_type(files) == JSON_ARRAY ? files : NULL;
}

const cJSON *
skill_file(const cJSON *entry, const char *uri)
{
	return json_find_by(skill_files(entry), "uri", uri);
}

bool
skill_add_uri(const struct primitive *skill, const char *name, struct buf *uri, struct err *err)
{
	size_t len = strlen(name);
	bool is_folder = len > 0 && name[len - 1] == '/';

	if (!is_inside(name) && !(is_folder && strcmp(name, "./") == 0))
		return err_set(err, "%.100s leads out of the skill", name);
	buf_add(uri, skill->key, folder_length(skill->key));
	if (is_folder)
		len = strcmp(name, "./") == 0 ? 0 : len;
	buf_add(uri, name, len);
	if (is_folder)
		buf_truncate(uri, uri->len - 1);
	else if (skill_files(skill->definition) && !skill_file(skill->definition, buf_text(uri)))
		return err_set(err, "the skill does not list %.100s", name);
	return true;
}

bool
skill_set_digest(const struct primitive *skill, char hex[SHA256_HEX])
{
	const cJSON *files = skill_files(skill->definition);
	struct sha256 all;

	if (!files || skill->broken)
		return false;
	sha256_init(&all);
	for (const cJSON *f = json_first(files); f; f = f->next) {
		const char *uri = json_get_string(f, "uri");
		sha256_add(&all, uri, strlen(uri) + 1);
		sha256_add(&all, digest_of(f), SHA256_HEX);
	}
	sha256_end_hex(&all, hex);
	return true;
}

/* Does a file of a skill agree with the entry that announced it? */

#define FRONTMATTER_MAX_BYTES ((size_t)64 << 10)

static void __attribute__((format(printf, 2, 3)))
fail_check(struct skill_check *check, const char *format, ...)
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
		fail_check(check, "it does not begin with frontmatter between lines of ---");
		return;
	}
	if (len > FRONTMATTER_MAX_BYTES) {
		fail_check(check, "its frontmatter is longer than 64 KiB");
		return;
	}
	struct json_doc *doc = yaml_parse(text, len, &why);
	const cJSON *found = doc ? json_root(doc) : NULL;
	if (!doc)
		fail_check(check, "its frontmatter is not read: line %u: %s", why.line, why.text);
	else if (!cJSON_IsObject(found))
		fail_check(
		    check, "its frontmatter is of type %s", json_type_name(json_type(found)));
	else if (find_difference(announced, found))
		fail_check(check, "its frontmatter differs from the entry: %.100s",
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
			fail_check(check, "the entry announces no size");
		else
			fail_check(
			    check, "it has %zu bytes, the entry announces %zu", bytes->len, size);
		return;
	}
	sha256_init(&all);
	sha256_add(&all, buf_text(bytes), bytes->len);
	sha256_end_hex(&all, hex);
	snprintf(found, sizeof(found), "sha256:%s", hex);
	if (!announced || strcmp(announced, found) != 0)
		fail_check(check, "its digest is sha256:%.12s..., the entry announces %.19s...",
		    hex, announced ? announced : "none");
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
		fail_check(check, "the answer is not this file and nothing else");
	else if (!content_add_bytes(&bytes, &result->blocks[0]))
		fail_check(check, "it has neither text nor data");
	else if (!is_dynamic && !file)
		fail_check(check, "the entry does not list it");
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
