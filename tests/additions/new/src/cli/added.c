#include "client.h"

#include "cli/print/print.h"

int
cli_added(const struct options *o)
{
	struct buf out = BUF_INIT;

	buf_add_str(&out, "said by the added subcommand");
	int code = output_write(&out, false);
	buf_finish(&out);
	return code;
}
