/* Text of any bytes is refused with a reason, is none of other clients, or becomes an object of
 * entries that a server file can hold. */
#include "fuzz.h"

#include "base/mem.h"
#include "config/pasted.h"
#include "config/server_file.h"

#include <stdlib.h>
#include <string.h>

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = mem_strndup((const char *)data, size);
	struct buf out = BUF_INIT;
	struct err err = { "" };
	enum pasted found = pasted_to_entries(text, &out, &err);

	demand((found == PASTED_BROKEN) == (err.text[0] != '\0'));
	if (found == PASTED_SERVERS) {
		struct server_file c;
		char *file = mem_printf("{\"mcpServers\":%s}", buf_text(&out));
		demand(server_file_parse(&c, file, strlen(file), "f", &err) ||
		       strstr(err.text, "nested"));
		server_file_finish(&c);
		free(file);
	}
	buf_finish(&out);
	free(text);
	return 0;
}
