/* SPDX-License-Identifier: MIT */
/* For any output of a program and any input of a user, the cells are harmless. The first byte of
 * each piece selects output, keys, a size, or a scroll. */
#include "fuzz.h"

#include "base/utf8.h"
#include "ui/emulator.h"

#include <locale.h>
#include <string.h>
#include <wchar.h>

enum { MOST = 64, END = 0xff };

static void
on_output(void *user, const char *bytes, size_t len)
{
	demand(bytes && len > 0);
}

static void
on_key(void *user, const struct key *key)
{
	emulator_key(user, key);
}

static void
check_cell(const struct grid *g, int x, const struct cell *c)
{
	if (c->ch == 0) {
		demand(x > 0 && wcwidth((wchar_t)c[-1].ch) == 2);
		return;
	}
	demand(c->ch >= ' ' && (c->ch < 0x7f || c->ch > 0x9f));
	demand(wcwidth((wchar_t)c->ch) == 1 || (x + 1 < g->width && c[1].ch == 0));
	for (int i = 0; i < 2; i++)
		demand(c->marks[i] == 0 || wcwidth((wchar_t)c->marks[i]) == 0);
}

static void
check_screen(struct emulator *e)
{
	struct grid g;
	const struct emulator_facts *facts = emulator_facts(e);

	grid_init(&g, MOST + 3, MOST);
	emulator_draw(e, surface_whole(&g), true);
	for (int i = 0; i < g.width * g.height; i++)
		check_cell(&g, i % g.width, &g.cells[i]);
	demand(strlen(facts->title) < EMULATOR_TITLE_BYTES);
	demand(facts->back <= facts->history);
	grid_finish(&g);
}

static void
run_piece(struct emulator *e, struct input *in, const uint8_t *data, size_t size)
{
	const char *text = (const char *)data + 1;

	switch (data[0] % 4) {
	case 0:
		emulator_feed(e, text, size - 1);
		break;
	case 1:
		input_feed(in, text, size - 1);
		input_timeout(in);
		break;
	case 2:
		if (size > 2)
			emulator_resize(e, data[1] % MOST, data[2] % MOST);
		break;
	case 3:
		emulator_scroll(e, size > 1 ? (int8_t)data[1] : 1);
		check_screen(e);
		break;
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct emulator_events events = { on_output };
	struct input in;
	struct err err;

	demand(setlocale(LC_CTYPE, "C.UTF-8") != NULL);
	struct emulator *e = emulator_create(20, 5, &events, NULL, &err);
	demand(e != NULL);
	input_init(&in, on_key, e);
	while (size > 0) {
		const uint8_t *end = memchr(data, END, size);
		size_t len = end ? (size_t)(end - data) : size;
		if (len > 0)
			run_piece(e, &in, data, len);
		size -= end ? len + 1 : len;
		data += end ? len + 1 : len;
	}
	check_screen(e);
	input_finish(&in);
	emulator_destroy(e);
	return 0;
}
