/* SPDX-License-Identifier: MIT */
/* Text of any bytes is refused with a reason, is none of other clients, or becomes a
 * server file. */
#include "fuzz.h"

#include "base/mem.h"
#include "host/user_config.h"
#include "host/server_file.h"

#include <stdlib.h>
#include <string.h>

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = mem_strndup((const char *)data, size);
	struct buf out = BUF_INIT;
	struct err err = { "" };
	enum pasted found = pasted_to_file(text, &out, &err);

	demand((found == PASTED_BROKEN) == (err.text[0] != '\0'));
	if (found == PASTED_SERVERS) {
		struct server_file c;
		demand(server_file_parse(&c, buf_text(&out), out.len, "f", &err) ||
		       strstr(err.text, "nested"));
		server_file_finish(&c);
	}
	buf_finish(&out);
	free(text);
	return 0;
}
