#include "questions_priv.h"

#include <string.h>

const struct question_button *
question_buttons(const struct question *q)
{
	static const struct question_button url[] = {
		{ " Open F5 ", "open-url" },
		{ " Copy ", "copy-url" },
		{ " Decline F8 ", "decline" },
		{ " Cancel F9 ", "dismiss" },
		{ NULL, NULL },
	}, unsafe[] = {
		{ " Copy ", "copy-url" },
		{ " Decline F8 ", "decline" },
		{ " Cancel F9 ", "dismiss" },
		{ NULL, NULL },
	}, opened[] = {
		{ " Done F5 ", "answer" },
		{ " Open again ", "open-url" },
		{ " Copy ", "copy-url" },
		{ " Decline F8 ", "decline" },
		{ " Cancel F9 ", "dismiss" },
		{ NULL, NULL },
	}, sampling[] = {
		{ " Send F5 ", "answer" },
		{ " Type ", "type-answer" },
		{ " $EDITOR ", "edit-answer" },
		{ " Command ", "sample" },
		{ " Decline F8 ", "decline" },
		{ NULL, NULL },
	}, roots[] = {
		{ " Tell F5 ", "answer" },
		{ " Add ", "command root add" },
		{ " Remove ", "remove-root" },
		{ " Decline F8 ", "decline" },
		{ NULL, NULL },
	};

	if (q->kind == QUESTION_SAMPLING)
		return sampling;
	if (q->kind == QUESTION_ROOTS)
		return roots;
	if (q->opened)
		return opened;
	return q->link.openable ? url : unsafe;
}

void
question_draw_buttons(struct questions *p, const struct question *q, struct surface s, bool focused)
{
	const struct question_button *buttons = question_buttons(q);
	int x = s.width, count = 0;

	for (; buttons[count].label; count++)
		x -= (int)strlen(buttons[count].label) + (count > 0) * 2;
	if (x < 0)
		x = 0;
	if (p->button >= count)
		p->button = count - 1;
	for (int i = 0; i < count; i++) {
		bool selected = i == p->button && focused && !p->editing;
		struct style style = style_of(selected ? ROLE_BUTTON_FOCUS : ROLE_BUTTON);
		style.attr = selected ? ATTR_BOLD : 0;
		p->buttons_x[i] = x;
		x += surface_text(s, x, 0, -1, style, buttons[i].label) + 2;
	}
	for (int i = count; i <= QUESTION_BUTTONS; i++)
		p->buttons_x[i] = x;
}
