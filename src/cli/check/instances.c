#include "check.h"

#include "base/url_text.h"
#include "base/mem.h"
#include "base/path.h"
#include "base/vec.h"
#include "cli/print/print.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_MIB 256 /* per instance */
#define MAX_BYTES ((size_t)MAX_MIB << 20)
#define CHUNK ((size_t)256 << 10)

bool
instances_has_lines(const char *file)
{
	const char *dot = strrchr(file, '.');

	return dot && (strcmp(dot, ".jsonl") == 0 || strcmp(dot, ".ndjson") == 0);
}

struct lines {
	const struct instance_events *input;
	struct origin origin;
	struct buf text;
	size_t scanned; /* bytes of text known to contain no newline */
	bool dropping;  /* skipping the rest of a line that is too long */
};

static void
take_line(struct lines *l, const char *line, size_t len)
{
	l->origin.line++;
	for (size_t i = 0; i < len; i++) {
		if (line[i] == ' ' || line[i] == '\t' || line[i] == '\r')
			continue;
		l->input->on_instance(l->input->ctx, &l->origin, line, len);
		break;
	}
}

static void
take_lines(struct lines *l)
{
	size_t start = 0;
	const char *end;

	while ((end = memchr(l->text.data + l->scanned, '\n', l->text.len - l->scanned))) {
		if (!l->dropping)
			take_line(l, l->text.data + start, (size_t)(end - l->text.data) - start);
		l->dropping = false;
		start = l->scanned = (size_t)(end - l->text.data) + 1;
	}
	buf_consume(&l->text, l->dropping ? l->text.len : start);
	l->scanned = l->text.len;
}

/* Skips the current line only; later lines are read. */
static void
drop_line(struct lines *l)
{
	char why[80];

	l->origin.line++;
	snprintf(why, sizeof(why), "longer than %d MiB: skipped", MAX_MIB);
	l->input->on_unreadable(l->input->ctx, &l->origin, why);
	buf_finish(&l->text);
	l->scanned = 0;
	l->dropping = true;
}

/* Processes each line as it arrives: the input may be a pipe. */
static bool
read_lines(struct lines *l, int fd, struct err *err)
{
	for (;;) {
		char *to = buf_reserve(&l->text, CHUNK);
		if (!to) {
			drop_line(l);
			continue;
		}
		l->input->on_pause(l->input->ctx);
		ssize_t got = read(fd, to, CHUNK);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return err_set(err, "cannot read %s: %s", l->origin.file, strerror(errno));
		if (got == 0)
			break;
		buf_commit(&l->text, (size_t)got);
		take_lines(l);
	}
	if (l->text.len > 0)
		take_line(l, l->text.data, l->text.len);
	return true;
}

static bool
input_lines(const char *file, const struct instance_events *input, struct err *err)
{
	struct lines l = {
		.input = input,
		.origin = { .file = file },
		.text = { .max = MAX_BYTES },
	};
	bool is_stdin = strcmp(file, "-") == 0;
	int fd = is_stdin ? STDIN_FILENO : open(file, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return err_set(err, "cannot open %s: %s", file, strerror(errno));
	bool ok = read_lines(&l, fd, err);
	if (!is_stdin)
		close(fd);
	buf_finish(&l.text);
	return ok;
}

static bool
input_whole(const char *file, const struct instance_events *input, struct err *err)
{
	struct buf text = { .max = MAX_BYTES };
	const struct origin origin = { .file = file };
	bool ok = path_read_file(file, &text, err);

	if (ok)
		input->on_instance(input->ctx, &origin, buf_text(&text), text.len);
	buf_finish(&text);
	return ok;
}

void
instances_read(const char *file, bool lines, const struct instance_events *input)
{
	const struct origin origin = { .file = file };
	struct err err;

	if (!(lines ? input_lines : input_whole)(file, input, &err))
		input->on_unreadable(input->ctx, &origin, err.text);
}

#define MAX_MAPPED_BYTES ((size_t)16 << 20)

static bool
add_folder(struct schema_map *map, const char *text, struct err *err)
{
	const char *equals = strchr(text, '=');
	struct stat info;

	if (!equals || !equals[1])
		return err_set(err, "--map: \"%.80s\" is not URI-PREFIX=DIR", text);
	char *path = realpath(equals + 1, NULL);
	if (!path || stat(path, &info) != 0 || !S_ISDIR(info.st_mode)) {
		free(path);
		return err_set(err, "--map: folder %.150s does not exist", equals + 1);
	}
	if (strcmp(path, "/") == 0)
		path[0] = '\0';
	*VEC_PUSH(&map->folders) = (struct schema_folder){
		.prefix = text,
		.len = (size_t)(equals - text),
		.path = path,
	};
	return true;
}

bool
schema_map_init(struct schema_map *map, const struct option_strings *maps, struct err *err)
{
	*map = (struct schema_map){ 0 };
	for (size_t i = 0; i < maps->len; i++) {
		if (add_folder(map, maps->items[i], err))
			continue;
		schema_map_finish(map);
		return false;
	}
	return true;
}

void
schema_map_finish(struct schema_map *map)
{
	for (size_t i = 0; i < map->folders.len; i++)
		free(map->folders.items[i].path);
	free(map->folders.items);
	for (size_t i = 0; i < map->docs.len; i++)
		json_doc_destroy(map->docs.items[i]);
	free(map->docs.items);
	*map = (struct schema_map){ 0 };
}

/* The part of the URI after the folder's prefix; NULL if the prefix does not match. */
static const char *
below(const struct schema_folder *folder, const char *uri)
{
	if (strncmp(uri, folder->prefix, folder->len) != 0)
		return NULL;
	const char *rest = uri + folder->len;
	if (folder->len == 0 || folder->prefix[folder->len - 1] == '/')
		return rest;
	return *rest == '/' ? rest + 1 : NULL; /* http://a is not a prefix of http://ab */
}

/* Decodes %XX; false if it is malformed, a NUL or a slash. */
static bool
add_decoded(const char *text, struct buf *out)
{
	return !strstr(text, "%00") && !strcasestr(text, "%2f") &&
	       percent_decode(out, text, strlen(text));
}

/* Names separated by single slashes; no name consists of dots only. */
static bool
is_plain(const char *path)
{
	for (;;) {
		size_t len = strcspn(path, "/");
		if (len == 0 || strspn(path, ".") == len)
			return false;
		if (path[len] == '\0')
			return true;
		path += len + 1;
	}
}

/* The real path of a regular file inside the folder after resolving links; else NULL. */
static char *
real_file(const struct schema_folder *folder, const char *name, const char *ending)
{
	char *path = mem_printf("%s/%s%s", folder->path, name, ending);
	char *real = realpath(path, NULL);
	size_t len = strlen(folder->path);
	struct stat info;

	free(path);
	if (real && strncmp(real, folder->path, len) == 0 && real[len] == '/' &&
	    stat(real, &info) == 0 && S_ISREG(info.st_mode))
		return real;
	free(real);
	return NULL;
}

static char *
file_of(const struct schema_folder *folder, const char *uri)
{
	const char *rest = below(folder, uri);
	struct buf name = BUF_INIT;
	char *path = NULL;

	if (rest && !strchr(rest, '?') && add_decoded(rest, &name) && is_plain(buf_text(&name))) {
		path = real_file(folder, buf_text(&name), "");
		if (!path)
			path = real_file(folder, buf_text(&name), ".json");
	}
	buf_finish(&name);
	return path;
}

static const cJSON *
load(struct schema_map *map, const char *path)
{
	struct buf text = { .max = MAX_MAPPED_BYTES };
	struct json_error error;
	struct err err;
	struct json_doc *doc = NULL;

	if (!path_read_regular(path, &text, NULL, &err))
		say("%s", err.text);
	else if (!(doc = json_parse(buf_text(&text), text.len, NULL, &error)))
		say("%s:%u:%u: %s", path, error.line, error.column, error.text);
	buf_finish(&text);
	if (!doc)
		return NULL;
	*VEC_PUSH(&map->docs) = doc;
	return json_root(doc);
}

/* A metaschema name that is not built in is a misspelled $schema: no folder has it. */
static bool
is_dialect(const char *uri)
{
	return strncmp(uri, "http://json-schema.org/", 23) == 0 ||
	       strncmp(uri, "https://json-schema.org/", 24) == 0;
}

const cJSON *
schema_map_find(void *ctx, const char *uri)
{
	struct schema_map *map = ctx;
	bool missed = true;

	for (size_t i = 0; i < map->folders.len; i++) {
		const struct schema_folder *folder = &map->folders.items[i];
		char *path = file_of(folder, uri);
		const cJSON *root = path ? load(map, path) : NULL;
		free(path);
		if (path)
			return root;
		if (below(folder, uri)) {
			say("--map: %s has no %s", folder->path, below(folder, uri));
			missed = false;
		}
	}
	map->missed |= missed && !is_dialect(uri);
	return NULL;
}

bool
schema_map_add_uri(const char *path, struct buf *out)
{
	char *real = realpath(path, NULL);

	if (!real)
		return false;
	buf_add_str(out, "file://");
	percent_encode(out, real, "-._~/");
	free(real);
	return true;
}
