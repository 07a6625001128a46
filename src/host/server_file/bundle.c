/* SPDX-License-Identifier: MIT */
#include "host/bundle.h"

#include "entry.h"
#include "base/mem.h"
#include "base/path.h"
#include "base/sha256.h"
#include "base/shared_library.h"
#include "base/strings.h"
#include "base/vec.h"
#include "host/server_file.h"
#include "json/print.h"
#include "json/write.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <zip.h>

struct manifest {
	const cJSON *root, *server;
	const cJSON *config, *override; /* mcp_config, and its members for this platform */
	const char *folder;
	struct json_writer w;
};

/* ---- variables ---- */

/* The folders that a manifest may name. False: another name. */
static bool
add_place(const struct manifest *m, const char *name, size_t len, struct buf *out)
{
	static const struct {
		const char *name, *below; /* the home folder */
	} places[] = {
		{ "HOME", "" },
		{ "DESKTOP", "/Desktop" },
		{ "DOCUMENTS", "/Documents" },
		{ "DOWNLOADS", "/Downloads" },
	};
	const char *home = getenv("HOME");

	if (len == 9 && memcmp(name, "__dirname", len) == 0)
		return buf_add_str(out, m->folder);
	for (size_t i = 0; i < ARRAY_LEN(places); i++)
		if (strlen(places[i].name) == len && memcmp(places[i].name, name, len) == 0)
			return buf_addf(out, "%s%s", home ? home : "", places[i].below);
	return false;
}

/* ${user_config.KEY} becomes an input; variables that no manifest has stay. */
static void
expand(const struct manifest *m, const char *text, struct buf *out)
{
	static const char key[] = "user_config.";
	enum { MOST = 4096, KEY = sizeof(key) - 1 };

	for (const char *open; (open = strstr(text, "${"));) {
		const char *name = open + 2, *close = memchr(name, '}', strnlen(name, MOST));
		buf_add(out, text, (size_t)(open - text));
		text = close ? close + 1 : name;
		size_t len = close ? (size_t)(close - name) : 0;
		if (len > KEY && memcmp(name, key, KEY) == 0)
			buf_addf(out, "${input:%.*s}", (int)(len - KEY), name + KEY);
		else if (len == 0 || !add_place(m, name, len, out))
			buf_add(out, open, (size_t)(text - open));
	}
	buf_add_str(out, text);
}

static void
write_expanded(struct manifest *m, const char *key, const char *text)
{
	struct buf out = BUF_INIT;

	expand(m, text, &out);
	if (key)
		json_write_member_string(&m->w, key, buf_text(&out));
	else
		json_write_string(&m->w, buf_text(&out));
	buf_finish(&out);
}

/* ---- inputs ---- */

static void
add_default(const struct manifest *m, const cJSON *value, struct buf *out)
{
	if (cJSON_GetStringValue(value))
		expand(m, cJSON_GetStringValue(value), out);
	else if (json_type(value) == JSON_ARRAY)
		for (const cJSON *item = json_first(value); item; item = item->next) {
			buf_add_str(out, item == json_first(value) ? "" : ",");
			add_default(m, item, out);
		}
	else if (cJSON_IsNumber(value) || cJSON_IsBool(value))
		json_print(out, value);
}

static void
write_input(struct manifest *m, const cJSON *option)
{
	const char *type = json_get_string(option, "type");
	const char *title = json_get_string(option, "title");
	const char *description = json_get_string(option, "description");
	const cJSON *value = json_get(option, "default");
	bool multiple = cJSON_IsTrue(json_get(option, "multiple"));
	bool is_flag = type && strcmp(type, "boolean") == 0;
	static const char *const limits[][2] = { { "min", "from" }, { "max", "to" } };
	struct buf text = BUF_INIT;

	json_write_object(&m->w);
	json_write_member_string(&m->w, "id", option->string);
	/* "Title: description (number from 1 to 5)" */
	buf_addf(&text, "%s%s%s", title ? title : "", title && description ? ": " : "",
	    description ? description : "");
	if ((type && strcmp(type, "string") != 0) || multiple) {
		buf_addf(&text, " (%s", type ? type : "string");
		for (size_t i = 0; i < ARRAY_LEN(limits); i++)
			if (cJSON_IsNumber(json_get(option, limits[i][0]))) {
				buf_addf(&text, " %s ", limits[i][1]);
				json_print(&text, json_get(option, limits[i][0]));
			}
		buf_addf(&text, "%s)", multiple ? ", or several with a comma between" : "");
	}
	json_write_member_string(&m->w, "description", buf_text(&text));
	buf_clear(&text);
	add_default(m, value, &text);
	if (value || !cJSON_IsTrue(json_get(option, "required")))
		json_write_member_string(
		    &m->w, "default", is_flag && !value ? "false" : buf_text(&text));
	json_write_member_string(&m->w, "type", is_flag ? "pickString" : "promptString");
	if (is_flag)
		json_write_member_json(&m->w, "options", "[\"true\",\"false\"]");
	json_write_member_bool(&m->w, "multiple", multiple);
	json_write_member_bool(&m->w, "number", type && strcmp(type, "number") == 0);
	for (size_t i = 0; i < ARRAY_LEN(limits); i++)
		if (cJSON_IsNumber(json_get(option, limits[i][0])))
			json_write_member_value(
			    &m->w, limits[i][0], json_get(option, limits[i][0]));
	json_write_member_bool(&m->w, "password", cJSON_IsTrue(json_get(option, "sensitive")));
	json_write_object_end(&m->w);
	buf_finish(&text);
}

/* ---- the command ---- */

/* Commands by type of server, for a manifest without mcp_config. */
static const struct {
	const char *type;
	const char *words[4]; /* the last is followed by the path of the entry point */
} runs[] = {
	{ "node", { "node" } },
	{ "python", { "python3" } },
	{ "uv", { "uv", "run", "--directory", "${__dirname}" } },
	{ "binary", { NULL } },
};

static const char *
find_trouble(const struct manifest *m)
{
	static const char *const versions[] = { "0.1", "0.2", "0.3", "0.4", NULL };
	const char *version = json_get_string(m->root, "manifest_version");
	const char *type = json_get_string(m->server, "type");

	if (!version)
		version = json_get_string(m->root, "dxt_version");
	if (version ? !words_have(versions, version)
		    : !json_get(m->root, "manifest_version") && !json_get(m->root, "dxt_version"))
		return "its manifest_version is none of 0.1 to 0.4";
	if (!json_has_at_most(m->server, SERVER_FILE_MOST))
		return "a list in its manifest has more than 1000 items";
	if (json_get_string(m->override, "command") || json_get_string(m->config, "command"))
		return NULL;
	for (size_t i = 0; type && i < ARRAY_LEN(runs); i++)
		if (strcmp(runs[i].type, type) == 0 && json_get_string(m->server, "entry_point"))
			return NULL;
	return "its manifest names no command and no entry point of a known type";
}

static void
write_command(struct manifest *m)
{
	const char *command = json_get_string(m->override, "command");
	const cJSON *args = json_get(m->override, "args");

	if (!command)
		command = json_get_string(m->config, "command");
	if (!command) {
		const char *type = json_get_string(m->server, "type");
		char *entry =
		    mem_printf("${__dirname}/%s", json_get_string(m->server, "entry_point"));
		size_t i = 0;
		while (strcmp(runs[i].type, type) != 0)
			i++;
		const char *const *words = runs[i].words;
		write_expanded(m, "command", words[0] ? words[0] : entry);
		json_write_member_array(&m->w, "args");
		for (size_t n = 1; n < ARRAY_LEN(runs[i].words) && words[n]; n++)
			write_expanded(m, NULL, words[n]);
		if (words[0])
			write_expanded(m, NULL, entry);
		json_write_array_end(&m->w);
		free(entry);
		return;
	}
	write_expanded(m, "command", command);
	json_write_member_array(&m->w, "args");
	for (const cJSON *a = json_first(args ? args : json_get(m->config, "args")); a; a = a->next)
		if (cJSON_GetStringValue(a))
			write_expanded(m, NULL, cJSON_GetStringValue(a));
		else
			json_write_value(&m->w, a);
	json_write_array_end(&m->w);
}

void
bundle_manifest_to_servers(const cJSON *manifest, const char *folder, struct buf *out)
{
	struct manifest m = { .root = manifest, .folder = folder };
	const char *name = json_get_string(manifest, "name");

	m.server = json_get(manifest, "server");
	m.config = json_get(m.server, "mcp_config");
	m.override = json_get(json_get(m.config, "platform_overrides"), "linux");
	json_write_init(&m.w, out);
	json_write_object(&m.w);
	json_write_member_object(&m.w, "mcpServers");
	json_write_member_object(&m.w, name && *name ? name : "bundle");
	if (find_trouble(&m)) {
		json_write_member_string(&m.w, "trouble", find_trouble(&m));
	} else {
		json_write_member_string(&m.w, "type", "stdio");
		write_command(&m);
		json_write_member_string(&m.w, "cwd", folder);
		json_write_member_object(&m.w, "env"); /* items of an array have no names */
		const cJSON *here = json_get(m.override, "env");
		for (const cJSON *v = json_first(json_get(m.config, "env")); v; v = v->next)
			if (v->string && cJSON_GetStringValue(v) && !json_get(here, v->string))
				write_expanded(&m, v->string, cJSON_GetStringValue(v));
		for (const cJSON *v = json_first(here); v; v = v->next)
			if (v->string && cJSON_GetStringValue(v))
				write_expanded(&m, v->string, cJSON_GetStringValue(v));
		json_write_object_end(&m.w);
	}
	json_write_object_end(&m.w);
	json_write_object_end(&m.w);
	json_write_member_array(&m.w, "inputs");
	for (const cJSON *o = json_first(json_get(manifest, "user_config")); o; o = o->next)
		if (o->string)
			write_input(&m, o);
	json_write_array_end(&m.w);
	json_write_object_end(&m.w);
}

#define FUNCTIONS(X)                        \
	X(zip_fdopen)                       \
	X(zip_discard)                      \
	X(zip_get_num_entries)              \
	X(zip_name_locate)                  \
	X(zip_stat_index)                   \
	X(zip_file_get_external_attributes) \
	X(zip_fopen_index)                  \
	X(zip_fread)                        \
	X(zip_fclose)

enum { MOST_ENTRIES = 20000, MOST_NAME = 1024, MOST_PART = 255, MOST_RATIO = 200, PIECE = 65536 };
#define MOST_BYTES ((uint64_t)512 << 20)
#define MOST_MANIFEST ((uint64_t)1 << 20)

struct bundle {
	struct {
		FUNCTIONS(SHARED_LIBRARY_POINTER)
	} api;
	zip_t *zip;
	uint64_t size; /* of the file */
	char digest[SHA256_HEX];
	const struct job *job; /* that unpacks it; NULL: none */
};

static bool
is_stopped(const struct bundle *b)
{
	return b->job && job_is_stopped(b->job);
}

bool
bundle_is_named(const char *path)
{
	return path_has_ending(path, ".mcpb") || path_has_ending(path, ".dxt");
}

/* ---- the file ---- */

static bool
hash_file(struct bundle *b, int fd, const char *path, struct err *err)
{
	enum { END = 65535 + 22 }; /* the record and its comment */
	struct sha256 h;
	char *piece = mem_zalloc(END);
	uint64_t done = 0;
	ssize_t n = -1;

	sha256_init(&h);
	while (
	    !is_stopped(b) && (n = pread(fd, piece, END, (off_t)done)) > 0 && done <= MOST_BYTES) {
		sha256_add(&h, piece, (size_t)n);
		done += (uint64_t)n;
	}
	sha256_end_hex(&h, b->digest);
	b->size = done;
	if (is_stopped(b))
		n = -1;
	bool ok = n == 0 ||
		  err_set(err, "%.200s: %s", path, n < 0 ? strerror(errno) : "more than 512 MiB");
	if (ok) {
		n = pread(fd, piece, END, done > END ? (off_t)(done - END) : 0);
		ok = n >= 0;
		/* libzip allocates memory for as many entries as the end announces */
		for (const unsigned char *at = (unsigned char *)piece; ok && n >= 12; at++, n--)
			ok = memcmp(at, "PK\6\7", 4) != 0 &&
			     (memcmp(at, "PK\5\6", 4) != 0 ||
				 (at[10] | at[11] << 8) <= MOST_ENTRIES);
		ok = ok || err_set(err, "%.200s: more than %d entries", path, MOST_ENTRIES);
	}
	free(piece);
	return ok;
}

static const char no_library[] =
    "a bundle is read by the library libzip: install it (apt install libzip4)";

static bool
load_library(struct bundle *b)
{
	return SHARED_LIBRARY_LOAD("libzip.so.4", FUNCTIONS, &b->api, NULL);
}

static bool
open_zip(struct bundle *b, int fd, const char *path, struct err *err)
{
	struct stat is;
	int why;

	if (fstat(fd, &is) != 0 || !S_ISREG(is.st_mode))
		return err_set(err, "%.200s: not a regular file", path);
	if (!hash_file(b, fd, path, err))
		return false;
	if (!load_library(b))
		return err_set(err, "%.200s: %s", path, no_library);
	int copy = fcntl(fd, F_DUPFD_CLOEXEC, 3);
	lseek(fd, 0, SEEK_SET);
	b->zip = copy < 0 ? NULL : b->api.zip_fdopen(copy, 0, &why);
	if (b->zip)
		return true;
	if (copy >= 0)
		close(copy);
	return err_set(err, "%.200s: not a zip", path);
}

/* ---- the entries ---- */

static const char *
check_name(const char *name)
{
	size_t len = strlen(name);

	if (len == 0 || len > MOST_NAME)
		return len ? "a name that is too long" : "a name that is empty";
	if (name[0] == '/' || strchr(name, '\\') || (len > 1 && name[1] == ':'))
		return "an absolute path";
	for (const char *c = name; *c; c++)
		if ((unsigned char)*c < 0x20 || *c == 0x7f)
			return "a control character in a name";
	for (const char *part = name; *part;) {
		size_t n = strcspn(part, "/");
		if (n == 0 || n > MOST_PART || (n == 1 && part[0] == '.') ||
		    (n == 2 && memcmp(part, "..", 2) == 0))
			return "a path that leaves the folder";
		part += n + (part[n] == '/');
	}
	return NULL;
}

/* The mode of a file of Unix; 0: unknown. */
static unsigned
mode_of(const struct bundle *b, zip_uint64_t i)
{
	zip_uint8_t system = 0;
	zip_uint32_t attributes = 0;

	b->api.zip_file_get_external_attributes(b->zip, i, 0, &system, &attributes);
	return system == ZIP_OPSYS_UNIX || system == ZIP_OPSYS_OS_X ? attributes >> 16 : 0;
}

static const char *
check_entry(const struct bundle *b, zip_uint64_t i, uint64_t *all)
{
	const zip_uint64_t needs = ZIP_STAT_NAME | ZIP_STAT_SIZE | ZIP_STAT_ENCRYPTION_METHOD;
	zip_stat_t is;
	unsigned kind = mode_of(b, i) & S_IFMT;

	if (b->api.zip_stat_index(b->zip, i, ZIP_FL_ENC_RAW, &is) != 0 ||
	    (is.valid & needs) != needs)
		return "a broken entry";
	if (kind && kind != S_IFREG && kind != S_IFDIR)
		return kind == S_IFLNK ? "a symbolic link" : "a device or the like";
	if (is.encryption_method != ZIP_EM_NONE)
		return "an encrypted entry";
	if (is.size > MOST_BYTES || (*all += is.size) > MOST_BYTES)
		return "more than 512 MiB unpacked";
	if (*all > ((uint64_t)1 << 20) + MOST_RATIO * b->size)
		return "far more bytes than the file can hold";
	return check_name(is.name);
}

static bool
open_bundle(struct bundle *b, const char *path, const struct job *job, struct err *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);

	*b = (struct bundle){ .job = job };
	if (fd < 0)
		return err_set(err, "%.200s: %s", path, strerror(errno));
	bool ok = open_zip(b, fd, path, err);
	close(fd);
	if (!ok)
		return false;
	zip_int64_t count = b->api.zip_get_num_entries(b->zip, 0);
	const char *found = count > MOST_ENTRIES ? "more than 20000 entries" : NULL;
	uint64_t all = 0;
	for (zip_int64_t i = 0; !found && i < count; i++)
		found = check_entry(b, (zip_uint64_t)i, &all);
	return !found || err_set(err, "%.200s: refused: it contains %s", path, found);
}

/* Passes the bytes of an entry to take(). False: it is broken, or longer than it says. */
static bool
read_entry(
    const struct bundle *b, zip_uint64_t i, bool (*take)(void *, const char *, size_t), void *user)
{
	char *piece = mem_zalloc(PIECE);
	zip_file_t *file = b->api.zip_fopen_index(b->zip, i, 0);
	zip_stat_t is;
	uint64_t done = 0;
	zip_int64_t n = -1;

	b->api.zip_stat_index(b->zip, i, 0, &is);
	while (file && !is_stopped(b) && (n = b->api.zip_fread(file, piece, PIECE)) > 0) {
		done += (uint64_t)n;
		if (done > is.size || !take(user, piece, (size_t)n))
			break;
	}
	if (file)
		b->api.zip_fclose(file);
	free(piece);
	return n == 0 && done == is.size;
}

/* ---- the manifest ---- */

static bool
take_text(void *user, const char *bytes, size_t len)
{
	return buf_add(user, bytes, len);
}

static bool
read_manifest(const struct bundle *b, const char *path, struct buf *out, struct err *err)
{
	zip_int64_t at = b->api.zip_name_locate(b->zip, "manifest.json", 0);
	char *name = mem_printf("bundles/%s", b->digest), *folder = path_of(PATH_CACHE, name);
	struct json_error where;
	struct buf text;

	free(name);
	buf_init(&text, MOST_MANIFEST);
	bool ok = folder || err_set(err, "neither XDG_CACHE_HOME nor HOME is set");
	if (ok && (at < 0 || !read_entry(b, (zip_uint64_t)at, take_text, &text)))
		ok = err_set(err, "%.200s: it has no manifest.json that can be read", path);
	struct json_doc *doc = ok ? json_parse(buf_text(&text), text.len, NULL, &where) : NULL;
	if (doc)
		bundle_manifest_to_servers(json_root(doc), folder, out);
	else if (ok)
		ok = err_set(err, "%.150s: manifest.json:%u:%u: %s", path, where.line, where.column,
		    where.text);
	json_doc_destroy(doc);
	buf_finish(&text);
	free(folder);
	return ok;
}

/* The bundles read last, or why they could not be read. The list of servers is read again after
 * each change of a file, and a job reads big bundles ahead. */
enum { KNOWN = 16 };
static struct known {
	struct stat is;
	char *text; /* NULL: why */
	struct err why;
} known[KNOWN];
static size_t next_known;

static const struct known *
find_known(const struct stat *is)
{
	for (size_t i = 0; i < KNOWN; i++) {
		const struct known *k = &known[i];
		if ((k->text || k->why.text[0]) && is->st_dev == k->is.st_dev &&
		    is->st_ino == k->is.st_ino && is->st_size == k->is.st_size &&
		    is->st_mtim.tv_sec == k->is.st_mtim.tv_sec &&
		    is->st_mtim.tv_nsec == k->is.st_mtim.tv_nsec &&
		    is->st_ctim.tv_sec == k->is.st_ctim.tv_sec &&
		    is->st_ctim.tv_nsec == k->is.st_ctim.tv_nsec)
			return k;
	}
	return NULL;
}

static bool
read_bundle(const char *path, const struct stat *is, const struct job *job, struct buf *out,
    struct err *err)
{
	struct bundle b;

	bool ok = open_bundle(&b, path, job, err) && read_manifest(&b, path, out, err);
	if (is && !is_stopped(&b)) {
		struct known *k = &known[next_known++ % KNOWN];
		free(k->text);
		*k = (struct known){ .is = *is, .text = ok ? mem_strdup(buf_text(out)) : NULL };
		if (!ok)
			k->why = *err;
	}
	if (b.zip)
		b.api.zip_discard(b.zip);
	return ok;
}

bool
bundle_read(const char *path, struct buf *out, struct err *err)
{
	struct bundle b = { .zip = NULL };
	struct stat is;
	bool there = stat(path, &is) == 0;
	const struct known *k = there ? find_known(&is) : NULL;

	if (k && k->text)
		return buf_add_str(out, k->text);
	if (k)
		return err_set(err, "%s", k->why.text);
	if (there && !load_library(&b)) {
		server_file_write_unusable(out, path_file_name(path), no_library);
		return true;
	}
	return read_bundle(path, there ? &is : NULL, NULL, out, err);
}

bool
bundle_is_slow(const char *path)
{
	enum { AT_ONCE = 1 << 20 };
	struct stat is;

	return bundle_is_named(path) && stat(path, &is) == 0 && S_ISREG(is.st_mode) &&
	       is.st_size > AT_ONCE && !find_known(&is);
}

void
bundle_read_ahead(const char *path, const struct job *job)
{
	struct bundle b = { .zip = NULL };
	struct buf text = BUF_INIT;
	struct err err = { "" };
	struct stat is;

	if (load_library(&b) && stat(path, &is) == 0)
		read_bundle(path, &is, job, &text, &err);
	buf_finish(&text);
}

/* ---- unpacking ---- */

static bool
take_bytes(void *user, const char *bytes, size_t len)
{
	return fwrite(bytes, 1, len, user) == len;
}

/* The folder is new and ours, so a file that is there already is an entry that came twice. */
static bool
unpack_entry(const struct bundle *b, zip_uint64_t i, const char *folder)
{
	zip_stat_t is;

	b->api.zip_stat_index(b->zip, i, ZIP_FL_ENC_RAW, &is);
	char *path = mem_printf("%s/%s", folder, is.name);
	bool is_folder = path_has_ending(path, "/");
	path_make_folders(path);
	int fd = is_folder ? -1
			   : open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
				 mode_of(b, i) & 0111 ? 0700 : 0600);
	FILE *file = fd < 0 ? NULL : fdopen(fd, "w");
	bool ok = file ? read_entry(b, i, take_bytes, file) : is_folder;
	if (file)
		ok = fclose(file) == 0 && ok;
	free(path);
	return ok;
}

static int
remove_one(const char *path, const struct stat *is, int kind, struct FTW *walk)
{
	return remove(path);
}

/* The rename makes the folder appear whole, or not at all. */
static bool
unpack_all(const struct bundle *b, const char *folder, struct err *err)
{
	char *partly = mem_printf("%s.XXXXXX", folder);
	zip_int64_t count = b->api.zip_get_num_entries(b->zip, 0), i = 0;

	path_make_folders(folder);
	if (!mkdtemp(partly)) {
		err_set(err, "cannot make %.200s: %s", partly, strerror(errno));
		free(partly);
		return false;
	}
	while (i < count && !is_stopped(b) && unpack_entry(b, (zip_uint64_t)i, partly))
		i++;
	bool ok = i == count && (rename(partly, folder) == 0 || access(folder, F_OK) == 0);
	if (access(partly, F_OK) == 0)
		nftw(partly, remove_one, 16, FTW_DEPTH | FTW_PHYS);
	free(partly);
	return ok ||
	       (i == count ? err_set(err, "cannot make %.200s", folder)
			   : err_set(err,
				 "the bundle cannot be unpacked: entry %lld is broken or there "
				 "twice, or the disk is full",
				 (long long)i + 1));
}

bool
bundle_is_packed(const struct target *t)
{
	return !t->trouble && t->file && t->cwd && bundle_is_named(t->file) &&
	       access(t->cwd, F_OK) != 0;
}

bool
bundle_unpack(const struct target *t, const struct job *job, struct err *err)
{
	struct bundle b;

	if (!bundle_is_packed(t))
		return true;
	bool ok = open_bundle(&b, t->file, job, err);
	if (ok && strcmp(path_file_name(t->cwd), b.digest) != 0)
		ok = err_set(err, "%.200s has changed: start again", t->file);
	ok = ok && unpack_all(&b, t->cwd, err);
	if (b.zip)
		b.api.zip_discard(b.zip);
	return ok;
}
