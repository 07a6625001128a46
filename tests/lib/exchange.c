/* SPDX-License-Identifier: MIT */
#include "exchange.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/mem.h"

extern char **environ;

static const char INITIALIZE[] =
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{"
    "\"protocolVersion\":\"2025-06-18\",\"capabilities\":{},"
    "\"clientInfo\":{\"name\":\"floor\",\"version\":\"1\"}}}\n";
static const char LIST[] = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n"
			   "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/list\"}\n";

struct process {
	pid_t pid;
	int in, out; /* standard input (-1 if it has none) and standard output */
};

static bool
start(struct process *p, const char *const *argv, bool with_input)
{
	int in[2] = { -1, -1 }, out[2];
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	sigset_t usual;

	if (pipe2(out, O_CLOEXEC) != 0 || (with_input && pipe2(in, O_CLOEXEC) != 0))
		return false;
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF);
	sigemptyset(&usual);
	sigaddset(&usual, SIGPIPE);
	posix_spawnattr_setsigdefault(&attributes, &usual);
	posix_spawn_file_actions_init(&actions);
	if (with_input)
		posix_spawn_file_actions_adddup2(&actions, in[0], 0);
	else
		posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_adddup2(&actions, out[1], 1);
	posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
	bool started = posix_spawnp(&p->pid, argv[0], &actions, &attributes, (char *const *)argv,
			   environ) == 0;
	posix_spawn_file_actions_destroy(&actions);
	posix_spawnattr_destroy(&attributes);
	if (with_input)
		close(in[0]);
	close(out[1]);
	p->in = in[1];
	p->out = out[0];
	return started;
}

static int
finish(struct process *p)
{
	int status = 0;

	if (p->in >= 0)
		close(p->in);
	close(p->out);
	waitpid(p->pid, &status, 0);
	return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

/* Read up to the end of the line that contains the text. */
static bool
read_reply(struct process *p, struct buf *seen, const char *text)
{
	char bytes[65536];

	for (;;) {
		char *end = seen->len ? memchr(seen->data, '\n', seen->len) : NULL;
		while (end) {
			size_t len = (size_t)(end - seen->data) + 1;
			bool found = memmem(seen->data, len, text, strlen(text)) != NULL;
			buf_consume(seen, len);
			if (found)
				return true;
			end = memchr(seen->data, '\n', seen->len);
		}
		ssize_t n = read(p->out, bytes, sizeof(bytes));
		if (n <= 0)
			return false;
		buf_add(seen, bytes, (size_t)n);
	}
}

static bool
say(struct process *p, const char *text, size_t len)
{
	return write(p->in, text, len) == (ssize_t)len;
}

/* ---- an exchange that stays open ---- */

struct exchange {
	struct process process; /* pid 0 for HTTP: in and out are then the socket */
	struct buf seen;
};

struct exchange *
exchange_open(const char *const *argv)
{
	struct exchange *e = mem_zalloc(sizeof(*e));
	struct process *p = &e->process;

	signal(SIGPIPE, SIG_IGN); /* end of file reports a server that ends early */
	if (start(p, argv, true)) {
		if (say(p, INITIALIZE, sizeof(INITIALIZE) - 1) &&
		    read_reply(p, &e->seen, "\"id\":1") && say(p, LIST, sizeof(LIST) - 1) &&
		    read_reply(p, &e->seen, "\"id\":2"))
			return e;
		exchange_close(e);
		return NULL;
	}
	free(e);
	return NULL;
}

struct exchange *
exchange_open_web(const char *url)
{
	struct sockaddr_in address = { .sin_family = AF_INET };
	const char *port = strrchr(url, ':');
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), on = 1;

	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	address.sin_port = htons((uint16_t)strtoul(port ? port + 1 : "", NULL, 10));
	if (fd < 0 || connect(fd, (struct sockaddr *)&address, sizeof(address)) != 0)
		return NULL;
	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
	struct exchange *e = mem_zalloc(sizeof(*e));
	e->process.in = e->process.out = fd;
	return e;
}

/* Read the answer to a POST: the head and Content-Length bytes of body. */
static bool
read_answer(struct exchange *e)
{
	static const char length[] = "\r\nContent-Length:";
	char bytes[65536];

	buf_clear(&e->seen);
	for (;;) {
		const char *text = buf_text(&e->seen), *end = strstr(text, "\r\n\r\n");
		const char *at = end ? strcasestr(text, length) : NULL;
		if (at && e->seen.len >=
			      (size_t)(end - text) + 4 + strtoul(at + sizeof(length) - 1, NULL, 10))
			return true;
		ssize_t n = read(e->process.out, bytes, sizeof(bytes));
		if (n <= 0)
			return false;
		buf_add(&e->seen, bytes, (size_t)n);
	}
}

bool
exchange_line(struct exchange *e, const char *line, size_t len)
{
	struct pollfd fd = { .fd = e->process.out, .events = POLLIN };
	char post[4096];

	if (e->process.pid)
		return say(&e->process, line, len) && poll(&fd, 1, -1) == 1 &&
		       read_reply(&e->process, &e->seen, "");
	int size = snprintf(post, sizeof(post),
	    "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
	    "Accept: application/json, text/event-stream\r\nContent-Length: %zu\r\n\r\n%s",
	    len, line);
	return say(&e->process, post, (size_t)size) && poll(&fd, 1, -1) == 1 && read_answer(e);
}

void
exchange_close(struct exchange *e)
{
	if (e->process.pid) {
		kill(-e->process.pid, SIGKILL);
		finish(&e->process);
	} else {
		close(e->process.in);
	}
	buf_finish(&e->seen);
	free(e);
}

bool
exchange_run(const char *const *argv)
{
	struct exchange *e = exchange_open(argv);

	if (e)
		exchange_close(e);
	return e != NULL;
}

int
exchange_run_to_end(const char *const *argv)
{
	struct process p;
	char bytes[65536];

	if (!start(&p, argv, false))
		return -1;
	while (read(p.out, bytes, sizeof(bytes)) > 0)
		continue;
	return finish(&p);
}
