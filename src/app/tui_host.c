#include "tui.h"

#include "base/base64.h"
#include "base/beneath.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/path.h"
#include "base/vec.h"
#include "host/audio_decoder.h"
#include "host/picture_decoder.h"
#include "host/confined.h"
#include "ui/vterm_library.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

/* Implements the workbench's effects on the outside world. */

/* ---- the program ---- */

static void
host_quit(void *user)
{
	loop_stop(((struct tui *)user)->loop);
}

/* Stops the whole process group, as the terminal does: a parent such as make returns to the
 * shell too. */
static bool
host_suspend(void *user, struct err *err)
{
	if (getsid(0) == getpid())
		return err_set(err, "no shell to return to");
	kill(0, SIGTSTP);
	return true;
}

static bool
set_theme(struct tui *t, const char *name, struct err *err)
{
	bool chooses = strcmp(name, "auto") != 0;
	struct theme theme;

	if (chooses && !settings_theme(&theme, name, err))
		return false;
	if (chooses) {
		tui_show_theme(t, &theme);
		t->theme = theme;
	}
	free(t->settings.theme);
	t->settings.theme = chooses ? mem_strdup(name) : NULL;
	settings_keep_theme(t->settings.theme);
	return true;
}

static const struct workbench_setting *
host_setting(void *user, size_t index)
{
	return settings_at(index);
}

static void
host_add_setting(void *user, const char *name, struct buf *out)
{
	settings_add_value(&((struct tui *)user)->settings, name, out);
}

static bool
host_set_setting(void *user, const char *name, const char *value, struct err *err)
{
	struct tui *t = user;
	enum backend_pictures pictures = t->settings.pictures;

	if (strcmp(name, "theme") == 0 && *value)
		return set_theme(t, value, err);
	if (!settings_set(&t->settings, name, value, err))
		return false;
	tui_hand_out_settings(t);
	return pictures == t->settings.pictures ||
	       display_set_pictures(t->display, t->settings.pictures, err);
}

static void
host_preview_theme(void *user, const char *name)
{
	struct tui *t = user;
	struct theme theme;

	if (name && !settings_theme(&theme, name, NULL))
		return;
	tui_show_theme(t, name ? &theme : &t->theme);
}

static bool
host_has_file(void *user, const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

static bool
host_write_file(void *user, const char *path, const char *bytes, size_t len, struct err *err)
{
	return path_write_export(path, bytes, len, err);
}

static char *
host_write_new(void *user, const char *path, const char *bytes, size_t len, struct err *err)
{
	return path_write_new(path, bytes, len, err);
}

static int
host_create_new(void *user, const char *path, char **name, struct err *err)
{
	return path_create_new(path, 0600, name, err);
}

static bool
host_append_new(void *user, int file, const char *bytes, size_t len, struct err *err)
{
	return path_write_fd(file, bytes, len) || err_set(err, "%s", strerror(errno));
}

static void
host_close_new(void *user, int file)
{
	close(file);
}

static bool
host_read_file(void *user, const char *path, struct buf *out, struct err *err)
{
	return path_read_regular(path, out, NULL, err);
}

static bool
host_read_beneath(
    void *user, const char *folder, const char *name, struct buf *out, struct err *err)
{
	return beneath_read(folder, name, out, NULL, err);
}

/* Another machine could keep us waiting. */
static bool
is_local(int fd)
{
	static const long remote[] = { 0x6969, 0x517b, 0xfe534d42, 0xff534d42, 0x65735546,
		0x01021997, 0x5346414f, 0x00c36400 }; /* NFS, SMB, FUSE, 9P, AFS, Ceph */
	struct statfs fs;
	bool local = fstatfs(fd, &fs) == 0;

	for (size_t i = 0; local && i < ARRAY_LEN(remote); i++)
		local = ((unsigned long)fs.f_type & 0xffffffff) != (unsigned long)remote[i];
	return local;
}

/* Opens only the folder: the entry has its type. */
static void
host_list_folder(void *user, const char *folder,
    void (*each)(void *ctx, const char *name, bool is_folder), void *ctx)
{
	enum { ENTRIES_MAX = 5000 };
	DIR *dir = opendir(folder);
	bool local = dir && is_local(dirfd(dir));
	const struct dirent *e;

	if (!dir)
		return;
	for (int i = 0; local && i < ENTRIES_MAX && (e = readdir(dir)); i++)
		if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
			each(ctx, e->d_name, e->d_type == DT_DIR);
	closedir(dir);
}

static void
on_theme_file(void *user, const char *name, bool is_folder)
{
	static const char ending[] = ".theme";
	size_t len = strlen(name);

	if (!is_folder && len >= sizeof(ending) && path_has_ending(name, ending))
		strings_take(user, mem_strndup(name, len - strlen(ending)));
}

static void
host_list_themes(void *user, struct strings *out)
{
	char *folder = path_config("themes");

	if (folder)
		host_list_folder(user, folder, on_theme_file, out);
	free(folder);
}

/* OSC 52: the terminal sets the clipboard, also over SSH. */
static void
host_copy(void *user, const char *text, size_t len)
{
	struct tui *t = user;
	struct buf out = BUF_INIT;

	buf_add_str(&out, "\033]52;c;");
	base64_add(&out, text, len, BASE64_PLAIN);
	buf_add_str(&out, "\033\\");
	display_write(t->display, buf_text(&out), out.len);
	buf_finish(&out);
}

static void
on_browser_end(void *user, bool ok, const char *how)
{
	struct tui *t = user;

	workbench_tell(t->wb, ok ? ROLE_OK : ROLE_ERROR, how);
	display_dirty(t->display);
}

static bool
host_open_url(void *user, const char *url, struct err *err)
{
	struct tui *t = user;

	browser_destroy(t->browser);
	t->browser = browser_open(t->loop, url, on_browser_end, t, err);
	return t->browser != NULL;
}

static bool
host_sample(void *user, uint64_t question, struct err *err)
{
	struct tui *t = user;

	return sampler_draft(t->sampler, workbench_workspace(t->wb)->server, question, err);
}

static bool
host_picture(void *user, struct picture_job *job)
{
	enum { PIXELS_FOR_A_CELL = 2 }; /* a pane asks for what cells resolve */
	struct tui *t = user;

	if (display_draws_pixels(t->display))
		job->most *= PIXELS_FOR_A_CELL;
	return decoder_submit(t->pictures, job);
}

static bool
host_audio(void *user, struct audio_job *job)
{
	struct tui *t = user;

	return audio_submit(t->pictures, job);
}

static void
on_played(void *user, const char *why)
{
	struct tui *t = user;

	workbench_tell(t->wb, *why ? ROLE_ERROR : ROLE_OK, *why ? why : "the sound has ended");
	player_destroy(t->player);
	t->player = NULL;
	display_dirty(t->display);
}

static bool
host_play(void *user, const char *bytes, size_t len, const char *ending, struct err *err)
{
	struct tui *t = user;
	struct player_job job = { t->settings.player, bytes, len, ending, on_played, t };

	player_destroy(t->player);
	t->player = player_start(t->loop, &job, err);
	if (t->player)
		workbench_tell(t->wb, ROLE_OK, "playing the sound; the same key stops it");
	return t->player != NULL;
}

static bool
host_stop_playing(void *user)
{
	struct tui *t = user;
	bool plays = t->player != NULL;

	player_destroy(t->player);
	t->player = NULL;
	return plays;
}

static const char *
host_program_for(void *user, const char *type)
{
	return settings_program_for(&((struct tui *)user)->settings, type);
}

static bool
host_query(void *user, struct query_job *job)
{
	struct tui *t = user;

	return query_submit(t->queries, job);
}

static void
host_stop_query(void *user, struct query_job *job)
{
	struct tui *t = user;

	query_stop(t->queries, job);
}

static void
host_submit(void *user, struct job *job)
{
	worker_submit(((struct tui *)user)->worker, job);
}

static void
host_changed(void *user)
{
	struct tui *t = user;

	if (!t->display)
		return; /* the program ends: the servers may be gone */
	display_dirty(t->display);
	workbench_advance(t->wb, clock_now_us()); /* a command may wait for the job that ended */
	servers_touch(t->servers);                /* a recipe may have called */
}

static char *
host_absolute_path(void *user, const char *path, struct err *err)
{
	char *real = realpath(path, NULL);

	if (!real)
		err_set(err, "%.150s: %s", path, strerror(errno));
	return real;
}

/* ---- $EDITOR and the pager ---- */

/* Takes the terminal back. False: it is gone, and the program ends. */
static bool
take_screen_back(struct tui *t)
{
	struct err why = { "" };
	bool was_away = t->screen_is_away;

	t->editor = NULL;
	t->screen_is_away = false;
	if (!was_away || display_resume(t->display, &why))
		return true;
	loop_stop(t->loop);
	return false;
}

/* Starts it in the terminal pane, or on the whole terminal if the user prefers that or libvterm is
 * missing. */
static bool
start_editor(struct tui *t, struct editor_job job, struct err *err)
{
	struct err ignored;

	if (t->editor)
		return err_set(err, "an editor is already open (:terminal shows it)");
	job.user = t;
	job.wb = t->settings.editor_on_screen || !vterm_library(&ignored) ? NULL : t->wb;
	t->screen_is_away = !job.wb;
	if (t->screen_is_away)
		display_suspend(t->display);
	t->editor = editor_start(t->loop, &job, err);
	return t->editor != NULL || (take_screen_back(t) && false);
}

static void
on_file_edited(void *user, const struct buf *text, const struct err *err)
{
	struct tui *t = user;

	if (!take_screen_back(t))
		return;
	servers_reload(t->servers);
	workbench_on_server_edited(t->wb, text ? NULL : err->text);
}

static bool
host_edit_server(void *user, size_t choice, struct err *err)
{
	struct tui *t = user;
	char *path = servers_file(t->servers, choice);

	if (!path)
		return err_set(err, "no file to edit");
	bool ok =
	    start_editor(t, (struct editor_job){ .path = path, .on_done = on_file_edited }, err);
	free(path);
	return ok;
}

static void
on_edited(void *user, const struct buf *text, const struct err *err)
{
	struct tui *t = user;

	if (take_screen_back(t))
		workbench_on_edited(t->wb, text ? buf_text(text) : NULL, text ? text->len : 0,
		    err->text, clock_now_us());
}

static bool
host_edit(void *user, const char *text, size_t len, struct err *err)
{
	struct editor_job job = {
		.text = text,
		.len = len,
		.ending = ".json",
		.on_done = on_edited,
	};

	return start_editor(user, job, err);
}

static void
on_paged(void *user, const struct buf *text, const struct err *err)
{
	((struct tui *)user)->pager = NULL;
}

static bool
host_page(void *user, const char *text, size_t len, const char *ending, struct err *err)
{
	struct tui *t = user;
	const char *pager = getenv("PAGER");
	struct editor_job job = {
		.command = t->settings.pager ? t->settings.pager
			   : pager && *pager ? pager
					     : "less",
		.text = text,
		.len = len,
		.ending = ending,
		.wb = t->wb,
		.on_done = on_paged,
		.user = t,
	};

	if (t->pager)
		return err_set(err, "a pager is already open (:terminal shows it)");
	t->pager = editor_start(t->loop, &job, err);
	return t->pager != NULL;
}

const struct workbench_host tui_host = {
	.quit = host_quit,
	.running = servers_running,
	.suspend = host_suspend,
	.start = servers_start,
	.stop = servers_stop,
	.approve = servers_approve,
	.wanted = servers_wanted,
	.give = servers_give,
	.authorize = servers_authorize,
	.add_pasted = servers_add_pasted,
	.add_server = servers_add,
	.remove_server = servers_remove,
	.disable_server = servers_disable,
	.edit_server = host_edit_server,
	.setting = host_setting,
	.set_setting = host_set_setting,
	.add_setting = host_add_setting,
	.list_themes = host_list_themes,
	.preview_theme = host_preview_theme,
	.has_file = host_has_file,
	.write_file = host_write_file,
	.write_new = host_write_new,
	.create_new = host_create_new,
	.append_new = host_append_new,
	.close_new = host_close_new,
	.read_file = host_read_file,
	.read_beneath = host_read_beneath,
	.list_folder = host_list_folder,
	.edit = host_edit,
	.page = host_page,
	.terminal = &tui_terminal_host,
	.copy = host_copy,
	.open_url = host_open_url,
	.sample = host_sample,
	.picture = host_picture,
	.audio = host_audio,
	.play = host_play,
	.stop_playing = host_stop_playing,
	.program_for = host_program_for,
	.open_file = open_file,
	.query = host_query,
	.stop_query = host_stop_query,
	.submit = host_submit,
	.changed = host_changed,
	.absolute_path = host_absolute_path,
};
