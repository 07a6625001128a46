#include "workbench_priv.h"

#include "base/mem.h"
#include "ui/wrap.h"

#include <stdlib.h>
#include <string.h>

void
confirm_finish(struct confirm *c)
{
	free(c->text);
	free(c->command);
	*c = (struct confirm){ 0 };
}

void
confirm_open(struct workbench *wb, const char *command, char *text_taken)
{
	confirm_finish(&wb->confirm);
	wb->confirm = (struct confirm){ .text = text_taken, .command = mem_strdup(command) };
	wb->modal = MODAL_CONFIRM;
}

static void
answer(struct workbench *wb, bool yes)
{
	char *command = wb->confirm.command;

	wb->confirm.command = NULL;
	confirm_finish(&wb->confirm);
	wb->modal = MODAL_NONE;
	if (yes)
		workbench_run(wb, command, wb->now_us);
	free(command);
}

void
confirm_key(struct workbench *wb, const struct key *key)
{
	uint32_t ch = key->kind == KEY_CHAR ? key->ch : 0;
	int clicked = buttons_at(&wb->confirm.buttons, key);

	if (key->kind == KEY_ENTER || ch == 'y' || ch == 'Y' || clicked == 0)
		answer(wb, true);
	else if (key->kind == KEY_ESCAPE || ch == 'n' || ch == 'N' || ch == 'q' || clicked == 1 ||
		 (ch == 'c' && key->mods == MOD_CTRL))
		answer(wb, false);
}

void
confirm_draw(struct workbench *wb, struct surface s)
{
	const char *text = wb->confirm.text;
	int width = s.width < 64 ? s.width : 64;
	struct wrap wrap;

	wrap_init(&wrap);
	wrap_set(&wrap, text, strlen(text), width - 4);
	wrap_work(&wrap, SIZE_MAX, SIZE_MAX);
	int lines = (int)wrap_rows(&wrap);
	int height = lines + 4 < s.height ? lines + 4 : s.height;
	struct surface box =
	    surface_sub(s, (s.width - width) / 2, (s.height - height) / 2, width, height);
	surface_clear(box, style_on(ROLE_TEXT, ROLE_DIALOG));
	struct surface inner = surface_frame(box, true, "Sure?", NULL, ROLE_DIM);
	wrap_draw(&wrap, surface_sub(inner, 0, 0, inner.width, inner.height - 2),
	    style_on(ROLE_TEXT, ROLE_DIALOG), 0);
	struct buttons *buttons = &wb->confirm.buttons;
	int y = inner.height - 1, x = inner.width - 20;
	buttons_clear(buttons);
	x = buttons_add(buttons, inner, x, y, ROLE_BUTTON_FOCUS, " Yes  y ") + 2;
	buttons_add(buttons, inner, x, y, ROLE_BUTTON, " No  Esc ");
	wrap_finish(&wrap);
}
