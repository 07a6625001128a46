#include "host/tap.h"

#include "base/buf.h"
#include "base/clock.h"
#include "base/vec.h"
#include "passage.h"
#include "loop/child.h"
#include "tape.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TO_SERVER, TO_CLIENT, ERRORS, PASSAGES };

struct tap {
	const struct tap_options *options;
	struct loop *loop;
	struct child *child;
	struct passage passages[PASSAGES];
	struct child_status status;
	bool exited;
	struct tape tape;
};

static const enum recording_kind kinds[PASSAGES] = {
	[TO_SERVER] = RECORDING_SENT,
	[TO_CLIENT] = RECORDING_RECEIVED,
	[ERRORS] = RECORDING_STDERR,
};

static void
start_tape(struct tap *t)
{
	struct buf server = BUF_INIT;

	for (char *const *word = t->options->command; *word; word++)
		buf_addf(&server, "%s%s", word == t->options->command ? "" : " ", *word);
	tape_start(&t->tape, t->loop, buf_text(&server));
	buf_finish(&server);
}

/* ---- the streams ---- */

static void
on_bytes(struct passage *p, const char *bytes, size_t len)
{
	struct tap *t = p->user;

	recording_writer_feed(&t->tape.writer, kinds[p - t->passages], bytes, len, clock_wall_us());
}

/* The other side learns of the end by the same means: the end of a stream, or EPIPE. */
static void
close_standard(int fd)
{
	int null = open("/dev/null", (fd == STDIN_FILENO ? O_RDONLY : O_WRONLY) | O_CLOEXEC);

	if (null >= 0) {
		dup2(null, fd);
		close(null);
	}
}

static void
on_done(struct passage *p)
{
	struct tap *t = p->user;
	int which = (int)(p - t->passages);

	close_standard(which);
	child_close_fd(t->child, which);
	if (which == TO_SERVER && !t->exited)
		tape_add(&t->tape, RECORDING_CLOSED, "", 0);
	if (t->exited && t->passages[TO_CLIENT].done && t->passages[ERRORS].done)
		loop_stop(t->loop);
}

static void
on_exit_status(void *user, const struct child_status *status)
{
	struct tap *t = user;

	t->exited = true;
	t->status = *status;
	passage_end_soon(&t->passages[TO_CLIENT]);
	passage_end_soon(&t->passages[ERRORS]);
	if (t->passages[TO_CLIENT].done && t->passages[ERRORS].done)
		loop_stop(t->loop);
}

/* Others may share our streams, and would not expect that reads of them fail: what can be opened
 * again is, and only a socket, which cannot, is changed. */
static void
make_non_blocking(int fd)
{
	struct stat status;
	char path[40];
	int mode = fd == STDIN_FILENO ? O_RDONLY : O_WRONLY, again = -1;

	if (fstat(fd, &status) < 0 || S_ISREG(status.st_mode))
		return;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (S_ISFIFO(status.st_mode) || S_ISCHR(status.st_mode))
		again = open(path, mode | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
	if (again >= 0) {
		dup2(again, fd);
		close(again);
	} else {
		fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
	}
}

static void
start_passages(struct tap *t)
{
	for (int i = 0; i < PASSAGES; i++) {
		int theirs = child_fd(t->child, i);
		make_non_blocking(i);
		t->passages[i] = (struct passage){
			.from = i == TO_SERVER ? STDIN_FILENO : theirs,
			.to = i == TO_SERVER ? theirs : i,
			.on_bytes = on_bytes,
			.on_done = on_done,
			.user = t,
		};
		passage_start(&t->passages[i], t->loop);
	}
}

/* ---- signals and the end ---- */

static void
on_signal(void *user, int signal_number)
{
	struct tap *t = user;

	if (!t->exited)
		kill(child_pid(t->child), signal_number);
}

static void
watch_signals(struct tap *t)
{
	static const int all[] = { SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2 };

	for (size_t i = 0; i < ARRAY_LEN(all); i++)
		loop_watch_signal(t->loop, all[i], on_signal, t);
}

/* As the server did; it has left the core file, if there is one. */
static int
end_alike(const struct child_status *status)
{
	sigset_t only;

	if (status->signal_number == 0)
		return status->exit_code;
	setrlimit(RLIMIT_CORE, &(struct rlimit){ 0 });
	signal(status->signal_number, SIG_DFL);
	sigemptyset(&only);
	sigaddset(&only, status->signal_number);
	sigprocmask(SIG_UNBLOCK, &only, NULL);
	raise(status->signal_number);
	return 128 + status->signal_number;
}

static bool
start(struct tap *t, struct err *err)
{
	struct child_options options = { .argv = (const char *const *)t->options->command };

	t->loop = loop_create(NULL, NULL, err);
	if (!t->loop || !tape_open(&t->tape, t->options, err))
		return false;
	t->child = child_spawn(t->loop, &options, on_exit_status, t, err);
	if (!t->child)
		return false;
	start_tape(t);
	watch_signals(t);
	start_passages(t);
	return true;
}

static void
finish(struct tap *t)
{
	char how[64];

	for (int i = 0; t->child && i < PASSAGES; i++)
		passage_finish(&t->passages[i]);
	child_status_text(&t->status, how, sizeof(how));
	tape_close(&t->tape, &(struct recording_entry){ .kind = RECORDING_EXIT,
				 .wall_us = clock_wall_us(),
				 .bytes = how,
				 .len = strlen(how),
				 .exit_code = t->status.exit_code,
				 .signal_number = t->status.signal_number });
	if (t->child) {
		child_hand_over(t->loop);
		child_destroy(t->child);
	}
	loop_destroy(t->loop);
}

int
tap_run(const struct tap_options *options, struct err *err)
{
	struct tap t = { .options = options, .tape.file = -1 };
	bool ok = start(&t, err);

	if (ok)
		loop_run(t.loop);
	finish(&t);
	return ok ? end_alike(&t.status) : -1;
}
