#include "result_priv.h"

#include "base/base64.h"
#include "base/path.h"
#include "cli/subcommands.h"
#include "output_priv.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static bool
add_payload(struct buf *out, const struct content_block *b)
{
	if (b->text)
		result_add_exact(out, b->text, b->text_len);
	else if (b->data)
		return base64_decode(out, b->data, b->data_len);
	return b->text != NULL;
}

static bool
write_out(const char *path, const struct buf *bytes, struct err *err)
{
	if (strcmp(path, "-") != 0)
		return path_write_file(path, buf_text(bytes), bytes->len, err);
	if (fwrite(buf_text(bytes), 1, bytes->len, stdout) == bytes->len && fflush(stdout) == 0)
		return true;
	return err_set(err, "cannot write: %s", strerror(errno));
}

int
result_write(const struct call *c, const char *path)
{
	struct buf bytes = BUF_INIT;
	struct err err = { "" };
	int code = CLI_EXIT_OK;

	for (size_t i = 0; i < c->result.len; i++)
		if (!add_payload(&bytes, &c->result.blocks[i])) {
			say("%s: content %zu: %s", call_name(c), i, c->result.blocks[i].problem);
			code = CLI_EXIT_TOOL_ERROR;
		}
	if (code == CLI_EXIT_OK && !write_out(path, &bytes, &err)) {
		say("%s", err.text);
		code = CLI_EXIT_USAGE;
	}
	buf_finish(&bytes);
	return code;
}
