/* SPDX-License-Identifier: MIT */
#include "recorded.h"

#include "base/path.h"
#include "test.h"

#include <sys/stat.h>

static void
on_line(void *user, const char *line, size_t len, uint64_t offset)
{
	struct recorded *r = user;
	struct recording_entry e;
	struct buf bytes = BUF_INIT;

	assert_true(recording_read(line, len, &e, &bytes, NULL));
	r->lines++;
	if (e.kind == r->kind) {
		buf_add(&r->bytes, e.bytes, e.len);
		if (!e.unterminated)
			buf_add_char(&r->bytes, '\n');
	}
	buf_finish(&bytes);
}

void
recorded_read(struct recorded *r, const char *path, enum recording_kind kind)
{
	struct recording_lines lines = { .on_line = on_line, .user = r };
	struct buf file = BUF_INIT;
	struct stat status;

	*r = (struct recorded){ .kind = kind };
	assert_true(path_read_regular(path, &file, NULL, NULL));
	assert_int_equal(stat(path, &status), 0);
	assert_int_equal(status.st_mode & 0777, 0600);
	recording_feed(&lines, file.data, file.len);
	recording_feed_end(&lines);
	buf_finish(&file);
}
