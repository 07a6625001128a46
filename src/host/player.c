#include "host/player.h"

#include "base/buf.h"
#include "base/mem.h"
#include "base/path.h"
#include "base/strings.h"
#include "base/vec.h"
#include "loop/child.h"
#include "loop/stream.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Of its standard error; the rest is read and dropped, so that it need not wait. */
#define WORDS_MAX ((size_t)1024)

struct player {
	char *path, *name;
	struct child *child;
	struct stream_in out, errors;
	struct buf words; /* the beginning of its standard error */
	struct child_status status;
	bool exited, errors_ended;
	void (*on_end)(void *user, const char *why);
	void *user;
};

/* aplay would play as noise what is no WAV. */
static const struct {
	const char *command, *only; /* only: files with that ending; NULL: all */
} known[] = {
	{ "paplay", NULL },
	{ "pw-play", NULL },
	{ "aplay -q", ".wav" },
	{ "ffplay -nodisp -autoexit -loglevel error", NULL },
	{ "mpv --no-video --no-terminal", NULL },
	{ "afplay", NULL },
};

void
player_destroy(struct player *p)
{
	if (!p)
		return;
	stream_in_finish(&p->out);
	stream_in_finish(&p->errors);
	child_destroy(p->child);
	if (p->path)
		unlink(p->path);
	buf_finish(&p->words);
	free(p->path);
	free(p->name);
	free(p);
}

/* ---- while it plays ---- */

static void
check_end(struct player *p)
{
	struct buf why = BUF_INIT;
	char how[64];

	if (!p->exited || !p->errors_ended)
		return;
	if (p->status.exit_code != 0) {
		child_status_text(&p->status, how, sizeof(how));
		const char *words = buf_text(&p->words);
		buf_addf(&why, "%s ended with %s%s%.*s", p->name, how, *words ? ": " : "",
		    (int)strcspn(words, "\n"), words);
	}
	p->on_end(p->user, buf_text(&why));
	buf_finish(&why);
}

static void
on_exit_status(void *user, const struct child_status *status)
{
	struct player *p = user;

	p->exited = true;
	p->status = *status;
	check_end(p);
}

static void
on_output(void *user, const char *bytes, size_t len)
{
}

static void
on_output_end(void *user, int error)
{
}

static void
on_errors(void *user, const char *bytes, size_t len)
{
	struct player *p = user;
	size_t room = WORDS_MAX - p->words.len;

	buf_add(&p->words, bytes, len < room ? len : room);
}

static void
on_errors_end(void *user, int error)
{
	struct player *p = user;

	p->errors_ended = true;
	check_end(p);
}

/* ---- starting ---- */

static bool
spawn(struct player *p, struct loop *loop, const char *command, struct err *err)
{
	static const struct child_ladder ladder = { .grace_ms = 0, .kill_ms = 500 };
	struct strings words = { 0 };

	if (!strings_split_command_on(&words, command, p->path, err))
		return false;
	struct child_options options = { .argv = (const char *const *)strings_argv(&words),
		.ladder = &ladder };
	p->name = mem_strdup(path_file_name(words.items[0]));
	p->child = child_spawn(loop, &options, on_exit_status, p, err);
	strings_finish(&words);
	if (!p->child) {
		free(p->name);
		p->name = NULL;
		return false;
	}
	child_close_fd(p->child, STDIN_FILENO);
	stream_in_init(
	    &p->out, loop, child_fd(p->child, STDOUT_FILENO), on_output, on_output_end, p);
	stream_in_init(
	    &p->errors, loop, child_fd(p->child, STDERR_FILENO), on_errors, on_errors_end, p);
	return true;
}

static bool
spawn_known(struct player *p, struct loop *loop, const char *ending, struct err *err)
{
	struct buf names = BUF_INIT;
	bool ok = false;

	for (size_t i = 0; i < ARRAY_LEN(known) && !ok; i++) {
		bool fits = !known[i].only || strcmp(known[i].only, ending) == 0;
		ok = fits && spawn(p, loop, known[i].command, err);
		if (fits)
			buf_addf(&names, "%s%.*s", names.len ? ", " : "",
			    (int)strcspn(known[i].command, " "), known[i].command);
	}
	if (!ok)
		err_set(err, "no player of sounds is installed (%s), and the settings name none",
		    buf_text(&names));
	buf_finish(&names);
	return ok;
}

struct player *
player_start(struct loop *loop, const struct player_job *job, struct err *err)
{
	struct player *p = mem_zalloc(sizeof(*p));

	p->on_end = job->on_end;
	p->user = job->user;
	p->path = path_write_temporary(job->ending, job->bytes, job->len, err);
	if (p->path && (job->command ? spawn(p, loop, job->command, err)
				     : spawn_known(p, loop, job->ending, err)))
		return p;
	player_destroy(p);
	return NULL;
}
