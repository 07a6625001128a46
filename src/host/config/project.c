/* SPDX-License-Identifier: MIT */
#include "host/project.h"

#include "base/beneath.h"
#include "base/mem.h"
#include "base/path.h"
#include "base/private_file.h"
#include "base/secret.h"
#include "base/vec.h"
#include "json/write.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FOLDER ".mcpane"
#define ENDING ".json"
#define CALLS_MAX 2000
#define CALLS_BYTES ((size_t)16 << 20) /* of all files together */
#define KEPT_MAX ((size_t)1 << 20)     /* bytes of the file of chosen environments */

/* ---- where it is ---- */

/* Searches upwards from the working directory, no higher than a repository or the home
 * directory. Returns the folder of the project; NULL without one, and with err if it cannot be
 * used. *fresh, unless NULL, is the path for a new one: in the root of the repository, else
 * here. The caller frees both. */
static char *
find_project(char **fresh, struct err *err)
{
	const char *home = getenv("HOME");
	char *start = getcwd(NULL, 0), *found = NULL;
	bool there = false, is_repository = false, ended = !start || *start != '/';
	char *here = mem_strdup(ended || !start[1] ? "" : start); /* "" is the root */
	struct stat st;

	while (!ended) {
		char *path = mem_printf("%s/" FOLDER, here), *git = mem_printf("%s/.git", here);
		is_repository = lstat(git, &st) == 0;
		there = lstat(path, &st) == 0;
		if (there && S_ISDIR(st.st_mode) && st.st_uid == geteuid())
			found = mem_strdup(path);
		else if (there)
			err_set(err, "%s is not used: it is not a folder of yours", path);
		free(git);
		free(path);
		ended = there || is_repository || !*here || (home && strcmp(home, here) == 0);
		if (!ended)
			*strrchr(here, '/') = '\0';
	}
	if (fresh)
		*fresh = mem_printf("%s/" FOLDER, is_repository ? here : start ? start : ".");
	free(here);
	free(start);
	return found;
}

/* ---- saved calls ---- */

/* The folder that FOLDER is in. */
static char *
root_of(const char *folder)
{
	size_t len = (size_t)(path_file_name(folder) - folder);

	return mem_strndup(folder, len > 1 ? len - 1 : len);
}

/* name: of a file in FOLDER, without its ending. */
static bool
read_file(const char *folder, const char *name, struct buf *text, bool *there, struct err *err)
{
	char *root = root_of(folder), *path = mem_printf(FOLDER "/%s" ENDING, name);
	bool ok = beneath_read(root, path, text, there, err);

	free(path);
	free(root);
	return ok;
}

/* The folder that the file of a call is in; *last: its name there. -1: err says why. */
static int
open_group(const char *folder, const char *name, bool make, char **file, const char **last,
    struct err *err)
{
	char *root = root_of(folder);

	*file = mem_printf(FOLDER "/calls/%s" ENDING, name);
	int fd = beneath_open(root, *file, make, last, err);
	free(root);
	return fd;
}

struct gathering {
	const char *folder;
	struct saved_calls *out;
	size_t bytes;
	bool full;
};

/* One that cannot be used, such as a link, is in the list with the reason. */
static void
add_call(struct gathering *r, const char *name)
{
	struct saved_call call = { 0 };
	struct err err = { "" };

	r->full = r->out->len >= CALLS_MAX || r->bytes > CALLS_BYTES;
	if (r->full || !saved_call_is_name(name, NULL))
		return;
	char *file = mem_printf("calls/%s", name);
	struct buf text = { .max = SAVED_CALL_MAX };
	if (!read_file(r->folder, file, &text, NULL, &err) ||
	    !saved_call_parse(&call, buf_text(&text), text.len, &err))
		call.trouble = mem_strdup(err.text);
	r->bytes += text.len;
	buf_finish(&text);
	free(file);
	call.name = mem_strdup(name);
	*VEC_PUSH(r->out) = call;
}

/* Returns the type of the file of that name in the folder, such as S_IFREG; 0 if it does not
 * exist. */
static mode_t
kind_in(int folder, const char *name)
{
	struct stat st;

	return fstatat(folder, name, &st, AT_SYMLINK_NOFOLLOW) == 0 ? st.st_mode & S_IFMT : 0;
}

/* group: NULL for the folder of all, which may have groups. */
static void
read_group(struct gathering *r, const char *group)
{
	const char *last;
	char *path = mem_printf(FOLDER "/calls/%s/", group ? group : "");
	char *root = root_of(r->folder);
	int fd = beneath_open(root, path, false, &last, NULL);
	DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
	const struct dirent *entry;

	while (dir && !r->full && (entry = readdir(dir))) {
		mode_t kind = kind_in(fd, entry->d_name);
		char *name =
		    mem_printf("%s%s%s", group ? group : "", group ? "/" : "", entry->d_name);
		if (path_has_ending(name, ENDING) && (kind == S_IFREG || kind == S_IFLNK)) {
			name[strlen(name) - strlen(ENDING)] = '\0';
			add_call(r, name);
		} else if (!group && *name != '.' && kind == S_IFDIR) {
			read_group(r, name);
		}
		free(name);
	}
	if (dir)
		closedir(dir);
	free(root);
	free(path);
}

static int
by_name(const void *a, const void *b)
{
	const struct saved_call *x = a, *y = b;

	return strcmp(x->name, y->name);
}

static bool
calls(void *user, struct saved_calls *out, struct err *err)
{
	char *folder = find_project(NULL, err);
	struct gathering r = { .folder = folder, .out = out };

	*out = (struct saved_calls){ 0 };
	if (folder)
		read_group(&r, NULL);
	free(folder);
	if (out->len > 1)
		qsort(out->items, out->len, sizeof(*out->items), by_name);
	return !r.full ||
	       err_set(err, "only %zu saved calls are shown: there are too many", out->len);
}

static bool
save(void *user, const struct saved_call *call, char **path, struct err *err)
{
	struct err why = { "" };
	char *fresh, *folder = find_project(&fresh, &why), *root, *file;
	struct buf text = BUF_INIT;

	*path = NULL;
	if (!folder && why.text[0]) {
		free(fresh);
		return err_set(err, "%s", why.text);
	}
	if (folder)
		free(fresh);
	else
		folder = fresh;
	*path = mem_printf("%s/calls/%s" ENDING, folder, call->name);
	root = root_of(folder);
	file = mem_printf(FOLDER "/calls/%s" ENDING, call->name);
	saved_call_add(call, &text);
	bool ok = saved_call_is_name(call->name, err) &&
		  (text.len <= SAVED_CALL_MAX ||
		      err_set(err, "the arguments are too long to be saved")) &&
		  beneath_write(root, file, buf_text(&text), text.len, err);
	buf_finish(&text);
	free(file);
	free(root);
	free(folder);
	if (!ok) {
		free(*path);
		*path = NULL;
	}
	return ok;
}

/* The folder that a call is in, as open_group(); -1: there is no such call. */
static int
project_find(const char *folder, const char *name, char **file, const char **last, struct err *err)
{
	*file = NULL;
	int fd = folder && saved_call_is_name(name, NULL)
		     ? open_group(folder, name, false, file, last, NULL)
		     : -1;

	if (fd >= 0 && kind_in(fd, *last) == S_IFREG)
		return fd;
	if (fd >= 0)
		close(fd);
	err_set(err, "no call is saved as %.80s", name);
	return -1;
}

static bool
rename_call(void *user, const char *name, const char *new_name, struct err *err)
{
	const char *from_last, *to_last;
	char *folder = find_project(NULL, NULL), *from, *to = NULL;
	int from_fd = project_find(folder, name, &from, &from_last, err);
	int to_fd = from_fd >= 0 && saved_call_is_name(new_name, err)
			? open_group(folder, new_name, true, &to, &to_last, err)
			: -1;
	bool ok =
	    to_fd >= 0 && (renameat2(from_fd, from_last, to_fd, to_last, RENAME_NOREPLACE) == 0 ||
			      err_set(err, "%s: %s", to,
				  errno == EEXIST ? "there is one already" : strerror(errno)));

	if (to_fd >= 0)
		close(to_fd);
	if (from_fd >= 0)
		close(from_fd);
	free(to);
	free(from);
	free(folder);
	return ok;
}

static bool
remove_call(void *user, const char *name, struct err *err)
{
	const char *last;
	char *folder = find_project(NULL, NULL), *file;
	int fd = project_find(folder, name, &file, &last, err);
	bool ok = fd >= 0 && (unlinkat(fd, last, 0) == 0 ||
				 err_set(err, "%s cannot be removed: %s", file, strerror(errno)));

	if (fd >= 0)
		close(fd);
	free(file);
	free(folder);
	return ok;
}

/* ---- environments ---- */

static bool
read_environments(void *user, struct environments *out, struct err *err)
{
	struct buf text = { .max = SAVED_CALL_MAX };
	struct err why = { "" };
	char *folder = find_project(NULL, err);
	bool there = false;

	*out = (struct environments){ 0 };
	bool ok = !folder || read_file(folder, "environments", &text, &there, err);
	if (ok && there)
		ok = environments_parse(out, buf_text(&text), text.len, &why) ||
		     err_set(err, "%s/environments" ENDING ": %s", folder, why.text);
	buf_finish(&text);
	free(folder);
	return ok;
}

static const char *
secret(void *user, const char *env)
{
	const char *value = getenv(env);

	if (!value || !secret_note_value(value))
		return NULL;
	secret_shield_process();
	return value;
}

bool
project_environment(const struct environments *all, const char *name,
    const struct option_strings *given, struct environment *out, struct err *err)
{
	bool ok = environments_use(all, name, &project_host, NULL, out, err);

	for (size_t i = 0; ok && i < given->len; i++) {
		ok = variables_set_given(&out->variables, given->items[i], err);
		/* Because the user gave another value, it is not a secret of the environment. */
		char *own = mem_strndup(given->items[i], strcspn(given->items[i], ":="));
		size_t at = strings_index(&out->secrets, own);
		if (at < out->secrets.len) {
			strings_remove(&out->secrets, at);
			strings_remove(&out->sources, at);
		}
		free(own);
	}
	return ok;
}

/* ---- the environment that the user chose ---- */

/* {"FOLDER": "NAME"}; NULL: there is no such file, or it is damaged. */
static struct json_doc *
parse_kept(const struct buf *text)
{
	struct json_doc *doc = json_parse(buf_text(text), text->len, NULL, NULL);

	if (doc && cJSON_IsObject(json_root(doc)))
		return doc;
	json_doc_destroy(doc);
	return NULL;
}

static char *
kept_environment(void *user)
{
	char *path = path_of(PATH_STATE, "environments"), *folder = NULL;
	struct buf text = { .max = KEPT_MAX };
	bool there = false;
	struct json_doc *doc = path && private_file_look(path, &text, &there, NULL) && there
				   ? parse_kept(&text)
				   : NULL;

	if (doc)
		folder = find_project(NULL, NULL);
	const char *name = folder ? json_get_string(json_root(doc), folder) : NULL;
	char *kept = name ? mem_strdup(name) : NULL;
	json_doc_destroy(doc);
	buf_finish(&text);
	free(folder);
	free(path);
	return kept;
}

/* Keeps the entries of other projects that still exist. */
static bool
change_kept(const struct private_file *f, const char *folder, const char *name, struct err *err)
{
	struct buf before = { .max = KEPT_MAX }, now = { .max = KEPT_MAX };
	struct json_writer w;
	struct stat st;
	bool there;

	bool ok = private_file_read(f, &before, &there, err);
	struct json_doc *doc = ok ? parse_kept(&before) : NULL;
	json_write_init(&w, &now);
	json_write_object(&w);
	for (const cJSON *m = doc ? json_first(json_root(doc)) : NULL; m; m = m->next)
		if (strcmp(m->string, folder) != 0 && cJSON_GetStringValue(m) &&
		    lstat(m->string, &st) == 0 && S_ISDIR(st.st_mode))
			json_write_member_string(&w, m->string, cJSON_GetStringValue(m));
	if (name)
		json_write_member_string(&w, folder, name);
	json_write_object_end(&w);
	ok = ok && (!now.overflowed || err_set(err, "%s is too long", f->path)) &&
	     private_file_write(f, buf_text(&now), now.len, err);
	json_doc_destroy(doc);
	buf_finish(&before);
	buf_finish(&now);
	return ok;
}

static bool
keep_environment(void *user, const char *name, struct err *err)
{
	char *kept = kept_environment(user);
	bool same = name ? kept && strcmp(kept, name) == 0 : !kept;
	char *folder = same ? NULL : find_project(NULL, err);
	char *path = folder ? path_of(PATH_STATE, "environments") : NULL;
	struct private_file f;
	bool ok = same;

	if (path && private_file_open(&f, path, false, err)) {
		ok = change_kept(&f, folder, name, err);
		private_file_close(&f);
	} else if (folder && !path) {
		err_set(err, "neither XDG_STATE_HOME nor HOME is set");
	}
	free(path);
	free(folder);
	free(kept);
	return ok;
}

const struct collection_host project_host = {
	.calls = calls,
	.environments = read_environments,
	.save = save,
	.rename = rename_call,
	.remove = remove_call,
	.kept_environment = kept_environment,
	.keep_environment = keep_environment,
	.secret = secret,
};
