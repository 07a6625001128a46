/* SPDX-License-Identifier: MIT */
/* Lines of the `:` prompt on the demo server, run and typed, there and in the palette: for any text
 * the interface draws and handles Escape, and a refused line changes neither the shown server nor
 * its calls. Lines run by the palette are stored in a form that parses again. */
#include "fuzz.h"

#include "stage.h"
#include "workbench/state.h"

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

/* The matches are the same for text typed at once and letter by letter. */
static void
find(struct stage *s, const char *line)
{
	struct palette *p = &s->wb->palette;

	stage_keys(s, "esc esc esc ctrl-p"); /* the line may have opened something */
	stage_type(s, line);
	demand(*stage_text(s));
	size_t found = p->found.len, best = p->best_count;
	stage_keys(s, "esc ctrl-p");
	struct key paste = { .kind = KEY_PASTE, .text = line, .len = strlen(line) };
	workbench_key(s->wb, &paste, s->now_us);
	demand(p->found.len == found && p->best_count == best);
	stage_keys(s, "down down up tab esc");
	stage_keys(s, "esc esc esc");
}

static void
keep_uses(struct stage *s, const char *line)
{
	struct buf first = BUF_INIT, second = BUF_INIT;

	uses_note(&s->wb->uses, line);
	workbench_add_uses(s->wb, &first);
	workbench_load_uses(s->wb, buf_text(&first));
	workbench_add_uses(s->wb, &second);
	demand(strcmp(buf_text(&first), buf_text(&second)) == 0);
	workbench_load_uses(s->wb, line);
	buf_finish(&first);
	buf_finish(&second);
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
		if (lines % 4 == 1)
			find(&s, line);
		keep_uses(&s, line);
		data += end ? len + 1 : len;
		size -= end ? len + 1 : len;
	}
	stage_close(&s);
	return 0;
}
