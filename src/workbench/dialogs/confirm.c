/* SPDX-License-Identifier: MIT */
#include "workbench/state.h"

#include "base/mem.h"
#include "base/units.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { NO, YES };

static void
confirm_finish(struct workbench *wb)
{
	struct confirm *c = &wb->confirm;

	page_finish(&c->page);
	free(c->command);
	*c = (struct confirm){ 0 };
}

bool
confirm_open(struct workbench *wb, const struct confirm_words *words, char *text_taken,
    const char *format, ...)
{
	size_t len = strlen(text_taken);
	va_list args;

	va_start(args, format);
	char *command = mem_vprintf(format, args); /* before the dialog that is open is freed */
	va_end(args);
	while (len > 0 && strchr(" \n", text_taken[len - 1]))
		text_taken[--len] = '\0';
	confirm_finish(wb);
	workbench_tell(wb, ROLE_TEXT, ""); /* the bottom bar has the keys of the dialog */
	wb->confirm = (struct confirm){
		.words = words,
		.command = command,
		.focus = NO,
	};
	page_text(&wb->confirm.page, 0, ROLE_TEXT, text_taken);
	free(text_taken);
	find_clear(wb, FIND_CONFIRM); /* n means no until one searches here */
	wb->dialog = &dialog_confirm;
	asked_appear(wb);
	return true;
}

static bool
confirm_key(struct workbench *wb, const struct key *key)
{
	struct confirm *c = &wb->confirm;
	bool chord = key->mods & (MOD_CTRL | MOD_ALT);
	uint32_t ch = key->kind == KEY_CHAR && !chord ? key->ch : 0;
	int clicked = buttons_at(&c->buttons, key);

	int button = clicked >= 0             ? clicked
		     : key->kind == KEY_ENTER ? c->focus
		     : ch == 'y' || ch == 'Y' ? YES
		     : ch == 'n' || ch == 'N' ? NO
					      : -1;
	const char *command = button == YES ? c->command : button == NO ? c->words->instead : NULL;

	if (command)
		dialog_leave_for(wb, mem_strdup(command));
	else if (button >= 0 || dialog_closes(key) || ch == 'q')
		dialog_leave(wb);
	else if (key->kind == KEY_LEFT || key->kind == KEY_RIGHT || key->kind == KEY_TAB)
		c->focus = c->focus == NO ? YES : NO;
	else
		return page_key(&c->page, key);
	return true;
}

static struct seekable
confirm_seek(struct workbench *wb)
{
	return seek_page(&wb->confirm.page);
}

static void
confirm_add_keys(const struct workbench *wb, struct buf *out)
{
	const struct confirm_words *words = wb->confirm.words;

	buf_addf(out, "Enter %s  y %s  ←→ choose  %sEsc close",
	    wb->confirm.focus == NO ? words->no : words->yes, words->yes,
	    wb->confirm.more ? "PgDn more  / search  " : "");
}

static void
confirm_draw(struct workbench *wb, struct surface s, struct surface bar)
{
	struct confirm *c = &wb->confirm;
	int width = s.width < 64 ? s.width : 64;
	int rows = (int)page_rows(&c->page, width - 4);
	struct surface box = dialog_box(s, width, rows + 4);

	c->more = rows > box.height - 4;
	struct surface inner = frame_draw(wb, box, FIND_CONFIRM, c->words->title,
	    c->more ? "PgDn: there is more" : "", ROLE_WARNING);
	struct surface text = surface_sub(inner, 0, 0, inner.width, inner.height - 2);
	page_draw(&c->page, text, ROLE_DIALOG, true);
	find_light(wb, FIND_CONFIRM, text);
	const char *const labels[] = { [NO] = c->words->no, [YES] = c->words->yes };
	int x = 0;
	c->buttons.len = 0;
	for (int i = NO; i <= YES; i++) {
		char *label = mem_printf(" %s ", labels[i]);
		x = buttons_add(&c->buttons, inner, x, inner.height - 1,
			i == c->focus ? ROLE_BUTTON_FOCUS : ROLE_BUTTON, label) +
		    2;
		free(label);
	}
}

const struct dialog dialog_confirm = {
	.key = confirm_key,
	.draw = confirm_draw,
	.finish = confirm_finish,
	.add_keys = confirm_add_keys,
	.seek = confirm_seek,
	.front = FIND_CONFIRM,
	.decides = true,
};

/* ---- the problems of a form ---- */

enum { MISSING_NAMED = 8, WRONG_NAMED = 4 };

struct problems {
	struct buf missing, wrong;
	size_t missing_count, wrong_count;
};

static void
add_confirm_name(const struct field *field, struct buf *out)
{
	struct buf pointer = BUF_INIT;

	field_pointer(field, &pointer);
	const char *name = buf_text(&pointer);
	bool nested = *name && strchr(name + 1, '/');
	buf_addf(out, "%.60s", *name && !nested ? name + 1 : name);
	buf_finish(&pointer);
}

static void
find_problems(struct problems *p, const struct field *field)
{
	const struct field_view v = field_view(field);

	if (v.problem && v.required && !v.filled) {
		if (p->missing_count++ < MISSING_NAMED) {
			buf_add_str(&p->missing, p->missing_count > 1 ? ", " : "");
			add_confirm_name(field, &p->missing);
		}
	} else if (v.problem && p->wrong_count++ < WRONG_NAMED) {
		add_confirm_name(field, &p->wrong);
		buf_addf(&p->wrong, "%s%s\n", v.parent ? ": " : "", v.problem);
	}
	for (size_t i = 0; v.problems_below > 0 && i < v.child_count; i++)
		find_problems(p, field_child(field, i));
}

void
confirm_add_problems(const struct form *form, const char *noun, struct buf *out)
{
	struct problems p = { .missing = BUF_INIT, .wrong = BUF_INIT };

	find_problems(&p, form_view(form).root);
	if (p.missing_count > 0) {
		units_add_counted(out, p.missing_count, noun);
		buf_addf(out, " %s missing: %s", p.missing_count == 1 ? "is" : "are",
		    buf_text(&p.missing));
		if (p.missing_count > MISSING_NAMED)
			buf_addf(out, " and %zu more", p.missing_count - MISSING_NAMED);
		buf_add_str(out, ".\n");
	}
	buf_add_str(out, buf_text(&p.wrong));
	if (p.wrong_count > WRONG_NAMED)
		buf_addf(out, "and %zu more.\n", p.wrong_count - WRONG_NAMED);
	buf_finish(&p.missing);
	buf_finish(&p.wrong);
}
