/* SPDX-License-Identifier: MIT */
#include "client.h"

#include "base/clock.h"
#include "base/path.h"
#include "base/url.h"
#include "cli/print/print.h"
#include "host/recording_file.h"
#include "host/tap.h"
#include "mcp/frame.h"
#include "mcp/replay.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* `mcpane record` and `mcpane tap`: a server for other clients, whose traffic can be seen. */

static bool
is_record(const struct options *o)
{
	return strcmp(o->subcommand->name, "record") == 0;
}

/* The URL operand; for record it follows the file. */
static const char *
url_of(const struct options *o)
{
	return is_record(o) ? o->call.uri : o->recording;
}

bool
tap_check(const struct options *o, struct err *err)
{
	if (o->attach)
		return (!o->command && !o->record.listen) ||
		       err_set(err, "tap: --attach shows a tap that runs, without a server");
	if (o->record.listen && o->command)
		return err_set(
		    err, "%s: --listen goes with a URL, not with a command", o->subcommand->name);
	if (o->record.listen)
		return url_of(o) ||
		       err_set(err, "%s: the server's URL is missing: --listen %.80s URL",
			   o->subcommand->name, o->record.listen);
	if (url_of(o) && is_web_url(url_of(o)))
		return err_set(err,
		    "%s: a URL goes with --listen, the address for clients: --listen "
		    "127.0.0.1:0 URL",
		    o->subcommand->name);
	if (url_of(o))
		return err_set(err, "%s: unexpected \"%.80s\"%s", o->subcommand->name, url_of(o),
		    is_record(o) ? "" : ": --output FILE records to a file");
	return o->command || err_set(err, "%s: the server's command is missing: -- COMMAND...",
				 o->subcommand->name);
}

static void
replay_tell(const char *text)
{
	say("%s", text);
}

/* On standard output, for scripts. */
static void
tell_url(const char *url)
{
	struct buf line = BUF_INIT;

	buf_addf(&line, "%s\n", url);
	output_write(&line, false);
	buf_finish(&line);
	say("clients use this URL now; mcpane tap --attach shows what passes, Ctrl-C ends it");
}

int
cli_tap(const struct options *o)
{
	const struct tap_options options = {
		.command = o->command,
		.listen = o->record.listen,
		.url = url_of(o),
		.insecure = o->insecure,
		.origins = o->record.origins.items,
		.origin_count = o->record.origins.len,
		.file = is_record(o) ? o->recording : o->call.output,
		.with_secrets = o->record.with_secrets,
		.tell = replay_tell,
		.listening = tell_url,
	};
	struct err err = { "" };
	int code = o->record.listen ? tap_http_run(&options, &err) : tap_run(&options, &err);

	if (code >= 0)
		return code;
	say("%s", err.text);
	return CLI_EXIT_UNREACHABLE;
}

/* `mcpane replay`: a server of the standard streams that answers as the recorded one did. */

#define LINE_MOST ((size_t)128 << 20)
#define READ_BYTES 65536
#define FLUSH_BYTES 65536

struct replay_server {
	struct recording_file file;
	struct replay *replay;
	struct frame in;
	struct buf out;
	bool broken; /* the reader closed the output */
};

static void
replay_flush(struct replay_server *s)
{
	s->broken |= !path_write_fd(STDOUT_FILENO, buf_text(&s->out), s->out.len);
	buf_clear(&s->out);
}

static void
on_send(void *user, const char *line, size_t len)
{
	struct replay_server *s = user;

	buf_add(&s->out, line, len);
	buf_add_char(&s->out, '\n');
	if (s->out.len >= FLUSH_BYTES)
		replay_flush(s);
}

static void
on_stderr(void *user, const char *line, size_t len)
{
	struct buf text = BUF_INIT;

	buf_add(&text, line, len);
	buf_add_char(&text, '\n');
	path_write_fd(STDERR_FILENO, text.data, text.len);
	buf_finish(&text);
}

static bool
on_load(void *user, uint64_t offset, size_t len, struct buf *out)
{
	return recording_file_load(&((struct replay_server *)user)->file, offset, len, out);
}

static void
on_tell(void *user, const char *text)
{
	say("%s", text);
}

/* It crashed then, so it does now. */
static void
on_exit_code(void *user, int exit_code, int signal_number)
{
	/* no process is ended by these signals; a recording that has one would stop this process */
	bool only_stops = signal_number == SIGSTOP || signal_number == SIGTSTP ||
			  signal_number == SIGTTIN || signal_number == SIGTTOU;

	replay_flush(user);
	if (signal_number && !only_stops) {
		setrlimit(RLIMIT_CORE, &(struct rlimit){ 0 });
		signal(signal_number, SIG_DFL);
		raise(signal_number);
	}
	_exit(exit_code < 0 ? CLI_EXIT_USAGE : exit_code);
}

static void
replay_server_on_line(void *user, struct frame_line line)
{
	struct replay_server *s = user;

	if (line.dropped > 0)
		say("a line of %zu bytes is too long", line.bytes->len + line.dropped);
	else
		replay_on_line(s->replay, line.bytes->data, line.bytes->len, clock_now_us());
	blob_unref(line.bytes);
}

static void
replay_serve(struct replay_server *s)
{
	char bytes[READ_BYTES];

	replay_start(s->replay, clock_now_us());
	for (;;) {
		struct pollfd in = { .fd = STDIN_FILENO, .events = POLLIN };
		replay_flush(s);
		if (s->broken)
			return;
		ssize_t n = -1;
		int64_t next = replay_next_time(s->replay);
		int64_t ms = (next - clock_now_us() + 999) / 1000;
		ms = next == INT64_MAX ? -1 : ms < 0 ? 0 : ms > INT_MAX ? INT_MAX : ms;
		if (poll(&in, 1, (int)ms) > 0)
			n = read(STDIN_FILENO, bytes, sizeof(bytes));
		else
			errno = EAGAIN;
		if (n > 0)
			frame_feed(&s->in, bytes, (size_t)n);
		else if (n == 0 || (errno != EINTR && errno != EAGAIN))
			break;
		replay_on_time(s->replay, clock_now_us());
	}
	frame_end(&s->in);
	replay_on_closed(s->replay, clock_now_us());
	replay_flush(s);
}

static bool
read_speed(const char *text, double *speed)
{
	char *end;

	*speed = text ? strtod(text, &end) : 1;
	if (text && strcmp(text, "max") == 0)
		*speed = 0;
	else if (text && (*end || end == text || !(*speed > 0) || *speed > 1e6))
		return false;
	return true;
}

bool
replay_check(const struct options *o, struct err *err)
{
	double speed;

	return (!o->command || err_set(err, "%s: takes no command", o->subcommand->name)) &&
	       (read_speed(o->record.speed, &speed) ||
		   err_set(err, "--speed: \"%.40s\" is neither a number such as 2 or 0.5 nor max",
		       o->record.speed));
}

int
cli_replay(const struct options *o)
{
	static const struct replay_events events = {
		.on_send = on_send,
		.on_stderr = on_stderr,
		.load = on_load,
		.tell = on_tell,
		.on_exit = on_exit_code,
	};
	struct replay_server s = { .file.fd = -1 };
	struct replay_options options = { .strict = o->record.strict };
	struct err err = { "" };

	signal(SIGPIPE, SIG_IGN);
	read_speed(o->record.speed, &options.speed);
	s.replay = replay_create(&options, &events, &s);
	frame_init(&s.in, LINE_MOST, replay_server_on_line, &s);
	bool ok = recording_file_open(&s.file, o->recording, &err) &&
		  recording_file_scan(&s.file, s.replay, &err);
	if (ok && s.file.damaged)
		say("%s: %zu of %zu lines are damaged and left out: %s", o->recording,
		    s.file.damaged, s.file.lines, s.file.trouble);
	if (ok && replay_info(s.replay).requests == 0)
		ok = err_set(&err, "%s has no request of a client", o->recording);
	if (ok)
		replay_serve(&s);
	else
		say("%s", err.text);
	size_t unknown = replay_info(s.replay).unknown;
	frame_finish(&s.in);
	buf_finish(&s.out);
	replay_destroy(s.replay);
	recording_file_close(&s.file);
	return !ok                           ? CLI_EXIT_USAGE
	       : o->record.strict && unknown ? CLI_EXIT_DIFFERENT
					     : CLI_EXIT_OK;
}
