#include "ui/backend.h"

#include "terminal.h"

#include "base/mem.h"
#include "base/vec.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SYNC_BEGIN "\033[?2026h"
#define SYNC_END "\033[?2026l"
#define CURSOR_HIDE "\033[?25l"
#define CURSOR_SHOW "\033[?25h"

struct backend {
	struct tty tty;
	struct screen *screen;
	int width, height;
	bool is_active; /* not suspended */
	bool is_gone;   /* the terminal hung up */
	bool cursor_shown;
	struct buf out; /* frames and extras in order; [sent, len) is still to be written */
	size_t sent;
	char enter[96], leave[96]; /* sequences that set the modes and reset them */
	size_t leave_len;
};

/* ---- which description of the terminal ---- */

static bool
starts_with(const char *text, const char *prefix)
{
	return strncmp(text, prefix, strlen(prefix)) == 0;
}

static bool
has_direct_colors(const char *term)
{
	static const char *known[] = { "xterm-kitty", "xterm-ghostty", "foot", "alacritty",
		"wezterm", "contour", "rio" };
	const char *colorterm = getenv("COLORTERM");

	/* GNU screen passes the outer COLORTERM on and then drops the colors */
	if (starts_with(term, "screen") && !getenv("TMUX"))
		return false;
	if (colorterm && (strcmp(colorterm, "truecolor") == 0 || strcmp(colorterm, "24bit") == 0))
		return true;
	for (size_t i = 0; i < ARRAY_LEN(known); i++)
		if (starts_with(term, known[i]))
			return true;
	return strstr(term, "-direct") != NULL;
}

static int
wanted_colors(int asked, const char *term)
{
	const char *no_color = getenv("NO_COLOR");

	if (asked != BACKEND_COLORS_AUTO)
		return asked;
	if (no_color && *no_color)
		return PAINT_MONO;
	return has_direct_colors(term) ? PAINT_RGB : PAINT_256;
}

static struct screen *
create_screen(const struct backend_options *options, int width, int height, struct err *err)
{
	const char *term = getenv("TERM");
	struct screen_options o = {
		.term = term && *term ? term : "unknown",
		.width = width,
		.height = height,
		.ascii = options->ascii,
	};

	o.most_colors = wanted_colors(options->colors, o.term);
	if (o.most_colors == PAINT_RGB) {
		o.term = TERMINFO_RGB_NAME;
		o.terminfo = terminfo_rgb;
		return screen_create(&o, err);
	}
	/* palette numbers mean nothing to a description of direct color */
	if (strstr(o.term, "-direct"))
		o.term = "xterm-256color";
	struct screen *s = screen_create(&o, err);
	if (!s && strcmp(o.term, "dumb") != 0 && strcmp(o.term, "unknown") != 0) {
		/* a terminal that this system has not heard of is most likely one of xterm's kin */
		o.term = "xterm-256color";
		s = screen_create(&o, NULL);
	}
	return s;
}

/* ---- modes ---- */

static void
prepare_modes(struct backend *b, const struct backend_options *o)
{
	const char *term = getenv("TERM");
	bool alternate = screen_info(b->screen)->has_alternate;
	bool ask = o->ask_background && !(term && starts_with(term, "linux"));

	snprintf(b->enter, sizeof(b->enter), "%s" CURSOR_HIDE "\033[?2004h%s%s",
	    alternate ? "\033[?1049h" : "", o->mouse ? "\033[?1002h\033[?1006h" : "",
	    ask ? "\033]11;?\033\\" : "");
	/* CAN and ST end a sequence that was cut in the middle */
	int len = snprintf(b->leave, sizeof(b->leave),
	    "\030\033\\" SYNC_END "\033[0m\033[r\033[?7h%s\033[?2004l" CURSOR_SHOW "%s",
	    o->mouse ? "\033[?1006l\033[?1002l" : "",
	    alternate ? "\033[?1049l" : "\033[999;1H\r\n");
	b->leave_len = (size_t)len;
}

static bool
enter(struct backend *b, struct err *err)
{
	if (!tty_set_raw(&b->tty))
		return err_set(err, "the terminal's modes cannot be set: %s", strerror(errno));
	b->is_active = true;
	b->cursor_shown = false;
	tty_write_all(&b->tty, b->enter, strlen(b->enter));
	return true;
}

struct backend *
backend_open(const struct backend_options *options, struct err *err)
{
	struct backend *b = mem_zalloc(sizeof(*b));

	if (!tty_open(&b->tty, options->fd, err)) {
		free(b);
		return NULL;
	}
	tty_size(&b->tty, &b->width, &b->height);
	b->screen = create_screen(options, b->width, b->height, err);
	if (b->screen)
		prepare_modes(b, options);
	if (!b->screen || !enter(b, err)) {
		backend_close(b);
		return NULL;
	}
	return b;
}

void
backend_restore_async(const struct backend *b)
{
	if (!b || !b->is_active)
		return;
	tty_write_all(&b->tty, b->leave, b->leave_len);
	tty_set_saved(&b->tty);
}

void
backend_suspend(struct backend *b)
{
	backend_drain(b);
	backend_restore_async(b);
	b->is_active = false;
	buf_clear(&b->out);
	b->sent = 0;
}

bool
backend_resume(struct backend *b, struct err *err)
{
	if (!enter(b, err))
		return false;
	backend_resize(b);
	screen_repaint(b->screen);
	return true;
}

void
backend_close(struct backend *b)
{
	if (!b)
		return;
	if (b->is_active)
		backend_suspend(b);
	screen_destroy(b->screen);
	tty_close(&b->tty);
	buf_finish(&b->out);
	free(b);
}

/* ---- facts ---- */

struct backend_info
backend_info(const struct backend *b)
{
	return (struct backend_info){
		.fd = b->tty.fd,
		.colors = screen_info(b->screen)->colors,
		.width = b->width,
		.height = b->height,
	};
}

bool
backend_resize(struct backend *b)
{
	int width, height;

	tty_size(&b->tty, &width, &height);
	if (width == b->width && height == b->height)
		return false;
	b->width = width;
	b->height = height;
	screen_resize(b->screen, width, height);
	return true;
}

void
backend_repaint(struct backend *b)
{
	screen_repaint(b->screen);
}

/* ---- frames ---- */

bool
backend_wants_write(const struct backend *b)
{
	return b->is_active && !b->is_gone && b->sent < b->out.len;
}

bool
backend_drain(struct backend *b)
{
	if (!backend_wants_write(b))
		return !b->is_gone;
	ssize_t n = write(b->tty.fd, b->out.data + b->sent, b->out.len - b->sent);
	if (n > 0)
		b->sent += (size_t)n;
	else if (n == 0 || (errno != EAGAIN && errno != EINTR))
		b->is_gone = true;
	if (b->sent == b->out.len || b->is_gone) {
		buf_clear(&b->out);
		b->sent = 0;
	}
	return !b->is_gone;
}

/* Puts the bytes of one frame between the marks of a synchronized update; none for an empty one. */
static void
add_frame(struct backend *b, const struct grid *grid, const struct theme *theme, int x, int y)
{
	size_t start = b->out.len;

	buf_add_str(&b->out, SYNC_BEGIN);
	if (b->cursor_shown)
		buf_add_str(&b->out, CURSOR_HIDE);
	size_t before = b->out.len;
	screen_draw(b->screen, grid, theme, x, y, &b->out);
	bool show = x >= 0;
	if (b->out.len == before && show == b->cursor_shown) {
		buf_truncate(&b->out, start);
		return;
	}
	if (show)
		buf_add_str(&b->out, CURSOR_SHOW);
	b->cursor_shown = show;
	buf_add_str(&b->out, SYNC_END);
}

bool
backend_flush(struct backend *b, const struct grid *grid, const struct theme *theme, int cursor_x,
    int cursor_y)
{
	if (!b->is_active || b->is_gone)
		return true;
	if (backend_wants_write(b) && (!backend_drain(b) || backend_wants_write(b)))
		return false;
	add_frame(b, grid, theme, cursor_x, cursor_y);
	backend_drain(b);
	return true;
}

void
backend_write_extra(struct backend *b, const char *bytes, size_t len)
{
	if (b->is_active && !b->is_gone)
		buf_add(&b->out, bytes, len);
}
