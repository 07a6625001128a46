#include "check_priv.h"

#include "base/path.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define MAX_MIB 256 /* of one instance */
#define MAX_BYTES ((size_t)MAX_MIB << 20)
#define CHUNK ((size_t)256 << 10)

bool
input_has_lines(const char *file)
{
	const char *dot = strrchr(file, '.');

	return dot && (strcmp(dot, ".jsonl") == 0 || strcmp(dot, ".ndjson") == 0);
}

struct lines {
	const struct input *input;
	struct origin origin;
	struct buf text;
	size_t scanned; /* bytes of text known to hold no line end */
	bool dropping;  /* what is left of a line that is too long */
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

/* The line in hand is left out; those after it are not. */
static void
drop_line(struct lines *l)
{
	char why[80];

	l->origin.line++;
	snprintf(why, sizeof(why), "longer than %d MiB: left out", MAX_MIB);
	l->input->on_unreadable(l->input->ctx, &l->origin, why);
	buf_finish(&l->text);
	l->scanned = 0;
	l->dropping = true;
}

/* Lines are looked at as they come: they may come out of a pipe. */
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
input_lines(const char *file, const struct input *input, struct err *err)
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
input_whole(const char *file, const struct input *input, struct err *err)
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
input_read(const char *file, bool lines, const struct input *input)
{
	const struct origin origin = { .file = file };
	struct err err;

	if (!(lines ? input_lines : input_whole)(file, input, &err))
		input->on_unreadable(input->ctx, &origin, err.text);
}
