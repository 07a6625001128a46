#include "tape.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/path.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void
on_recorded(void *user, const char *text, size_t len)
{
	struct tape *t = user;
	char why[300];

	if (t->listener)
		listener_add(t->listener, text, len);
	if (t->file < 0 || path_write_fd(t->file, text, len))
		return;
	snprintf(
	    why, sizeof(why), "cannot write %s any more: %s", t->options->file, strerror(errno));
	close(t->file);
	t->file = -1;
	t->options->tell(why);
}

bool
tape_open(struct tape *t, const struct tap_options *options, struct err *err)
{
	char *name, *told;

	*t = (struct tape){ .options = options, .file = -1 };
	if (!options->file)
		return true;
	t->file = path_create_new(options->file, 0600, &name, err);
	if (t->file < 0)
		return false;
	if (strcmp(name, options->file) != 0) {
		told =
		    mem_printf("%s is there already: this session goes to %s", options->file, name);
		options->tell(told);
		free(told);
	}
	free(name);
	return true;
}

void
tape_start(struct tape *t, struct loop *loop, const char *server)
{
	t->listener = listener_create(loop, NULL); /* without it nobody can attach */
	t->writer.on_line = on_recorded;
	t->writer.user = t;
	t->writer.with_secrets = t->options->with_secrets;
	recording_writer_init(&t->writer);
	tape_add(t, RECORDING_HEADING, server, strlen(server));
}

void
tape_add(struct tape *t, enum recording_kind kind, const char *bytes, size_t len)
{
	recording_writer_add(
	    &t->writer, &(struct recording_entry){
			    .kind = kind, .wall_us = clock_wall_us(), .bytes = bytes, .len = len });
}

void
tape_close(struct tape *t, const struct recording_entry *ending)
{
	if (t->writer.on_line) {
		recording_writer_finish(&t->writer, clock_wall_us());
		if (ending)
			recording_writer_add(&t->writer, ending);
		buf_finish(&t->writer.line);
	}
	listener_destroy(t->listener);
	if (t->file >= 0)
		close(t->file);
}
