#include "workbench_priv.h"

#include "model/answers.h"

#include <string.h>

/* A question of the call that the user has just made opens by itself, as nobody is doing anything
 * else: no key came since, no text is being typed, nothing is open. All others are told of by the
 * bottom bar. What opened by itself, or took the place of what was answered, has to be looked at
 * before a key can answer it: the key may have been meant for what was there before. */
#define LOOK_US ((int64_t)400000)

void
asked_await(struct workbench *wb, uint64_t call)
{
	wb->awaited_call = call;
}

void
asked_touch(struct workbench *wb)
{
	wb->awaited_call = 0;
	wb->appeared = false;
}

void
asked_appear(struct workbench *wb)
{
	wb->appeared_us = wb->now_us;
	wb->appeared = true;
}

static bool
is_busy(const struct workbench *wb)
{
	const struct pane_ops *ops = pane_table[workbench_focused(wb)];

	return wb->overlay >= 0 || wb->modal != MODAL_NONE ||
	       (ops->captures && ops->captures(wb->states[workbench_focused(wb)]));
}

void
asked_open(struct workbench *wb)
{
	const struct server *s = wb->ws.server;

	if (!s || wb->awaited_call == 0 || is_busy(wb))
		return;
	for (size_t i = 0; i < server_question_count(s); i++) {
		const struct question *q = server_question_at(s, i);
		if (q->call != wb->awaited_call)
			continue;
		wb->awaited_call = 0;
		wb->ws.question = q->id;
		wb->ws.generation++;
		workbench_focus(wb, PANE_questions);
		asked_appear(wb);
		return;
	}
}

bool
asked_is_fresh(struct workbench *wb)
{
	wb->appeared = wb->appeared && wb->now_us - wb->appeared_us < LOOK_US;
	return wb->appeared;
}

/* Would it answer, close what has just opened, or is it part of a text meant for elsewhere? */
static bool
acts(const struct workbench *wb, const struct key *key)
{
	static const char *const answering[] = { "answer", "press", "questions" };
	const char *command = keymap_find(&wb->keymap, pane_table[PANE_questions]->name, key);

	if (key->kind == KEY_MOUSE)
		return key->action == MOUSE_PRESS;
	if (key->kind == KEY_CHAR && !(key->mods & (MOD_CTRL | MOD_ALT)))
		return !command || strcmp(command, "command") != 0;
	for (size_t i = 0; command && i < sizeof(answering) / sizeof(*answering); i++)
		if (strcmp(command, answering[i]) == 0)
			return true;
	return false;
}

/* One that is held down never gets through, nor does the rest of the text. */
bool
asked_ignores(struct workbench *wb, const struct key *key)
{
	if (wb->overlay != PANE_questions || wb->modal != MODAL_NONE || !asked_is_fresh(wb) ||
	    !acts(wb, key))
		return false;
	asked_appear(wb);
	return true;
}
