#include "backend_priv.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

bool
tty_open(struct tty *t, int fd, struct err *err)
{
	char path[40];

	*t = (struct tty){ .fd = -1, .saved_flags = -1 };
	if (!isatty(fd))
		return err_set(err, "not a terminal");
	/* O_NONBLOCK belongs to the open description, which others may share with us (a shell, a
	 * child): only a description of our own gets it. */
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	t->fd = open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
	if (t->fd < 0) {
		t->fd = fd;
		t->is_shared = true;
		t->saved_flags = fcntl(fd, F_GETFL);
		fcntl(fd, F_SETFL, t->saved_flags | O_NONBLOCK);
	}
	if (tcgetattr(t->fd, &t->saved) == 0)
		return true;
	err_set(err, "the terminal's modes cannot be read: %s", strerror(errno));
	tty_close(t);
	return false;
}

void
tty_close(struct tty *t)
{
	if (t->is_shared)
		fcntl(t->fd, F_SETFL, t->saved_flags);
	else if (t->fd >= 0)
		close(t->fd);
	t->fd = -1;
}

bool
tty_set_raw(const struct tty *t)
{
	struct termios raw = t->saved;

	cfmakeraw(&raw);
	raw.c_cc[VMIN] = 1;
	raw.c_cc[VTIME] = 0;
	return tcsetattr(t->fd, TCSANOW, &raw) == 0;
}

void
tty_set_saved(const struct tty *t)
{
	tcflush(t->fd, TCIFLUSH); /* mouse reports and answers nobody will read */
	tcsetattr(t->fd, TCSANOW, &t->saved);
}

void
tty_size(const struct tty *t, int *width, int *height)
{
	enum { MOST = 4096 };
	struct winsize size;

	*width = 80;
	*height = 24;
	if (ioctl(t->fd, TIOCGWINSZ, &size) != 0 || size.ws_col == 0 || size.ws_row == 0)
		return;
	*width = size.ws_col < MOST ? size.ws_col : MOST;
	*height = size.ws_row < MOST ? size.ws_row : MOST;
}

void
tty_write_all(const struct tty *t, const char *bytes, size_t len)
{
	enum { PATIENCE_MS = 300 }; /* a terminal stopped by ctrl-s must not keep us from ending */

	while (len > 0) {
		ssize_t n = write(t->fd, bytes, len);
		if (n > 0) {
			bytes += n;
			len -= (size_t)n;
			continue;
		}
		struct pollfd p = { .fd = t->fd, .events = POLLOUT };
		if (n < 0 && errno == EINTR)
			continue;
		if (n == 0 || errno != EAGAIN || poll(&p, 1, PATIENCE_MS) <= 0)
			return;
	}
}
