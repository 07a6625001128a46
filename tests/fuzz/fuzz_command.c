/* Lines of the `:` prompt on the demo server, run and typed: whatever they say, the interface
 * draws, answers Escape, and a line it refused changed neither the server shown nor what was
 * called. */
#include "fuzz.h"

#include "stage.h"

#include <locale.h>
#include <string.h>

static size_t
calls(struct stage *s)
{
	return server_info(s->server)->calls;
}

static void
run(struct stage *s, const char *line)
{
	size_t before = calls(s);
	bool ok = stage_run(s, line);

	demand(ok || calls(s) <= before);
	demand(ok || workbench_message(s->wb)[0]);
	stage_settle(s, 20);
	demand(*stage_text(s));
}

static void
type(struct stage *s, const char *line)
{
	stage_keys(s, ":");
	stage_type(s, line);
	stage_keys(s, "tab");
	demand(*stage_text(s));
	stage_keys(s, "esc esc esc");
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct stage s;
	char line[512];

	setlocale(LC_CTYPE, "C.UTF-8");
	stage_open(&s, 80, 24);
	for (int lines = 0; size > 0 && lines < 12; lines++) {
		const uint8_t *end = memchr(data, '\n', size);
		size_t len = end ? (size_t)(end - data) : size;
		size_t kept = len < sizeof(line) ? len : sizeof(line) - 1;
		memcpy(line, data, kept);
		line[kept] = '\0';
		run(&s, line);
		if (lines % 4 == 0)
			type(&s, line);
		data += end ? len + 1 : len;
		size -= end ? len + 1 : len;
	}
	stage_close(&s);
	return 0;
}
