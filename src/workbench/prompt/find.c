/* SPDX-License-Identifier: MIT */
#include "base/glyph.h"
#include "base/mem.h"
#include "base/units.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "workbench/commands/commands.h"

#include <stdlib.h>
#include <string.h>

#define FOUND_A_SLICE 256 /* counted as one slice */
#define SLICES_A_FRAME 3
/* The rest of a longer text is searched in a job, a part between two looks at it. */
#define AT_ONCE ((size_t)1 << 20)
#define PART ((size_t)256 << 10)
#define NOT_THERE SIZE_MAX

void
find_finish(struct find *f)
{
	job_drop(&f->job);
	edit_finish(&f->edit);
	substring_finish(&f->needle);
	completions_finish(&f->words);
	free(f->before);
	free(f->text);
	free(f->found.items);
	*f = (struct find){ 0 };
}

/* The owner of the keyboard: a pane or a dialog. */
static int
front(const struct workbench *wb)
{
	return wb->dialog && wb->dialog->seek ? (int)wb->dialog->front : (int)workbench_focused(wb);
}

/* NULL: it is searched. */
static const char *
filtered(struct workbench *wb, int pane)
{
	const struct view *v = pane < PANE_COUNT ? view_inner(&wb->panes[pane]) : NULL;
	const struct find *f = &wb->find;

	if (f->in_rows &&
	    ((f->open && f->typed_in == pane) || (f->needle.len > 0 && f->pane == pane)))
		return NULL;
	return v ? view_filtered(v) : NULL;
}

static bool
seekable(struct workbench *wb, int pane, struct view_env *env, struct seekable *out)
{
	*out = (struct seekable){ 0 };
	if (pane >= PANE_COUNT && pane == front(wb))
		*out = wb->dialog->seek(wb);
	if (pane >= PANE_COUNT)
		return pane == front(wb);
	const struct view_env outer = workbench_env(wb, (enum pane_id)pane);
	const struct view *v = view_inner(&wb->panes[pane]);
	*env = view_env_of(v, &outer);
	bool can = !filtered(wb, pane) && view_seek(v, env, out);
	out->y += v->y;
	return can;
}

static void
set_filter(struct workbench *wb, int pane, const char *text)
{
	const struct view_env env = workbench_env(wb, (enum pane_id)pane);

	view_filter(view_inner(&wb->panes[pane]), &env, text);
}

bool
find_applies(struct workbench *wb, const char **filter)
{
	struct view_env env;
	struct seekable s;

	*filter = filtered(wb, front(wb));
	return *filter || seekable(wb, front(wb), &env, &s);
}

/* ---- searching ---- */

static void
start_over(struct find *f, const struct seekable *s, size_t origin, bool shows)
{
	job_drop(&f->job);
	f->of = s->of;
	f->version = s->version;
	f->found.len = 0;
	f->next = 0;
	f->done = f->needle.len == 0;
	f->at = NOT_THERE;
	f->origin = origin;
	f->shows = shows;
}

/* Finds the matches in the rest of a text. */
struct find_job {
	struct job job; /* first */
	struct find *find;
	struct blob *text;
	struct substring needle;
	size_t next;
	struct {
		size_t *items;
		size_t len, cap;
	} found;
	size_t most;
};

static void
find_run(struct job *job)
{
	struct find_job *k = (struct find_job *)job;
	size_t len = k->text->len;

	while (k->next < len && k->found.len < k->most && job_goes_on(job, k->next)) {
		size_t left = len - k->next, part = left < PART ? left : PART + k->needle.len;
		part = part < left ? part : left;
		size_t at = substring_find(&k->needle, k->text->data + k->next, part);
		if (at == SUBSTRING_NONE) {
			k->next += PART;
			continue;
		}
		*VEC_PUSH(&k->found) = k->next + at;
		k->next += at + 1;
	}
}

static void
done(struct job *job)
{
	struct find_job *k = (struct find_job *)job;

	if (!job_is_stopped(job)) {
		for (size_t i = 0; i < k->found.len; i++)
			*VEC_PUSH(&k->find->found) = k->found.items[i];
		k->find->done = true;
	}
	substring_finish(&k->needle);
	blob_unref(k->text);
	free(k->found.items);
	free(k);
}

static void
scan(struct find *f, const struct seekable *s, struct jobs *jobs)
{
	int slices = SLICES_A_FRAME;

	f->waits = f->job != NULL;
	if (!f->done && !f->waits && s->whole && f->next < s->whole->len &&
	    s->whole->len - f->next > AT_ONCE) {
		struct find_job *k = mem_zalloc(sizeof(*k)); /* for the rest of the text */
		*k = (struct find_job){ .job = { .run = find_run, .done = done },
			.find = f,
			.text = blob_ref(s->whole),
			.next = f->next,
			.most = FIND_MAX - f->found.len };
		substring_init(&k->needle, f->needle.text, f->needle.len);
		job_start(jobs, &k->job, &f->job);
		f->waits = f->job != NULL;
	}
	while (!f->done && !f->waits && slices > 0) {
		enum seek_result result = s->seek(s, &f->needle, &f->next);
		f->waits = result == SEEK_LATER;
		if (result == SEEK_FOUND)
			*VEC_PUSH(&f->found) = f->next++;
		f->done = result == SEEK_DONE || f->found.len == FIND_MAX;
		slices -= result == SEEK_MORE || f->found.len % FOUND_A_SLICE == 0;
	}
}

/* The first match after the starting position, or else the first of all. */
static void
settle(struct find *f, const struct seekable *s)
{
	size_t low = 0, high = f->found.len;

	if (f->at != NOT_THERE || high == 0)
		return;
	while (low < high) {
		size_t mid = (low + high) / 2;
		if (f->found.items[mid] < f->origin)
			low = mid + 1;
		else
			high = mid;
	}
	if (low == f->found.len && !f->done)
		return;
	f->at = low < f->found.len ? low : 0;
	if (f->shows)
		s->show(s, f->found.items[f->at]);
}

/* Is a search active in front? Restarts it if the text changed, and continues it. */
static bool
is_on(struct workbench *wb, int pane, struct view_env *env, struct seekable *s)
{
	struct find *f = &wb->find;

	if (f->needle.len == 0 || f->pane != pane || !seekable(wb, pane, env, s))
		return false;
	if (f->of != s->of || f->version != s->version || f->seen != wb->synced) {
		bool same = f->of == s->of && f->at != NOT_THERE;
		start_over(f, s, same ? f->found.items[f->at] : s->place(s), false);
		f->seen = wb->synced;
	}
	scan(f, s, &wb->jobs);
	settle(f, s);
	return true;
}

static void
search(struct workbench *wb, const char *text, size_t origin)
{
	struct find *f = &wb->find;
	struct view_env env;
	struct seekable s;

	substring_finish(&f->needle);
	substring_init(&f->needle, text, strlen(text));
	char *kept = mem_strdup(text);
	free(f->text);
	f->text = kept;
	f->pane = front(wb);
	if (!seekable(wb, f->pane, &env, &s))
		return;
	start_over(f, &s, origin, true);
	f->seen = wb->synced;
	scan(f, &s, &wb->jobs);
	settle(f, &s);
}

static bool
cmd_step_match(struct workbench *wb, const char *arg, int by)
{
	struct find *f = &wb->find;
	struct view_env env;
	struct seekable s;

	if (!is_on(wb, front(wb), &env, &s))
		return workbench_refuse(wb, "no search is active: / starts one");
	if (f->found.len == 0)
		return workbench_say(wb, ROLE_WARNING, "%s was not found", f->text);
	size_t last = f->found.len - 1;
	if (f->at == NOT_THERE)
		f->at = by > 0 ? last : 0;
	f->at = by > 0 ? (f->at < last ? f->at + 1 : 0) : (f->at > 0 ? f->at - 1 : last);
	s.show(&s, f->found.items[f->at]);
	return true;
}

bool
find_clear(struct workbench *wb, int pane)
{
	struct find *f = &wb->find;
	const char *text = filtered(wb, pane);

	if (text && *text) {
		set_filter(wb, pane, "");
		return true;
	}
	if (text || f->pane != pane || f->needle.len == 0)
		return false;
	substring_finish(&f->needle);
	substring_init(&f->needle, "", 0);
	job_drop(&f->job);
	f->pane = FIND_NOWHERE;
	return true;
}

static bool
cmd_clear_find(struct workbench *wb, const char *arg)
{
	return find_clear(wb, front(wb)) ||
	       workbench_refuse(wb, "no filter or search is active here");
}

/* ---- the line ---- */

static void
apply(struct workbench *wb, const char *text)
{
	struct find *f = &wb->find;
	int pane = front(wb);

	if (filtered(wb, pane))
		set_filter(wb, pane, text);
	else if (*text)
		search(wb, text, f->from);
	else
		find_clear(wb, pane);
}

static void
renew_words(struct workbench *wb)
{
	struct find *f = &wb->find;

	completions_finish(&f->words);
	f->word = 0;
	if (f->typed_in < PANE_COUNT && filtered(wb, f->typed_in))
		f->words_at = complete_find(wb, edit_text(&f->edit), &f->words);
}

static bool
begin(struct workbench *wb, const char *arg)
{
	struct find *f = &wb->find;
	int pane = front(wb);
	struct view_env env;
	struct seekable s;

	const char *text = filtered(wb, pane);
	if (!text)
		text = f->pane == pane && f->needle.len > 0 ? f->text : "";
	f->from = seekable(wb, pane, &env, &s) ? s.place(&s) : 0;
	if (*arg) {
		apply(wb, arg);
		return true;
	}
	free(f->before);
	f->before = mem_strdup(text);
	f->before_index = wb->ws.desk ? workspace_primitive_index(&wb->ws) : SIZE_MAX;
	f->before_kind = wb->ws.desk ? wb->ws.desk->kind : PRIMITIVE_TOOL;
	edit_set(&f->edit, text, strlen(text));
	edit_select(&f->edit, 0);
	f->typed_in = pane;
	f->open = true;
	renew_words(wb);
	return true;
}

static bool
cmd_find(struct workbench *wb, const char *arg)
{
	if (wb->find.in_rows && wb->find.needle.len > 0)
		find_clear(wb, wb->find.pane);
	wb->find.in_rows = false;
	return begin(wb, arg);
}

/* The rows stay, n and N go from match to match. */
static bool
cmd_search(struct workbench *wb, const char *arg)
{
	struct find *f = &wb->find;
	struct view_env env;
	struct seekable s;

	f->in_rows = true;
	f->open = true;
	f->typed_in = front(wb);
	bool can = seekable(wb, f->typed_in, &env, &s);
	if (can)
		begin(wb, arg);
	f->open = can && !*arg;
	f->in_rows = can;
	return can || workbench_refuse(wb, "this pane cannot be searched: / filters it");
}

/* False: not a key of the line, which closes and keeps its text. */
static bool
line_key(struct workbench *wb, const struct key *key)
{
	struct find *f = &wb->find;
	bool empty = edit_text(&f->edit)[0] == '\0', changed = false;

	if (key->kind == KEY_MOUSE && key->action != MOUSE_PRESS)
		return false;
	if (dialog_closes(key) || (key->kind == KEY_BACKSPACE && empty)) {
		if (f->typed_in == PANE_tools && f->before_index != SIZE_MAX)
			workspace_select(&wb->ws, f->before_kind, f->before_index);
		apply(wb, f->before);
		f->open = false;
		return true;
	}
	if (key->kind == KEY_ENTER || key->kind == KEY_MOUSE) {
		f->open = false;
		return key->kind == KEY_ENTER;
	}
	if (key->kind == KEY_UP || key->kind == KEY_DOWN) { /* moves the selection */
		int pane = front(wb);
		if (filtered(wb, pane)) {
			struct view_env env = workbench_env(wb, (enum pane_id)pane);
			view_key(&wb->panes[pane], &env, key);
		} else {
			cmd_step_match(wb, "", key->kind == KEY_UP ? -1 : 1);
		}
		return true;
	}
	/* Tab inserts a word, and the next Tab replaces it by the next word. */
	const char *line = key->kind == KEY_TAB
			       ? completions_take(&f->words, &f->word, edit_text(&f->edit),
				     key->mods & MOD_SHIFT ? -1 : 1)
			       : NULL;
	if (line) {
		edit_set(&f->edit, line, strlen(line));
		apply(wb, line);
		return true;
	}
	if (!edit_key(&f->edit, key, &changed)) {
		f->open = key->kind == KEY_CHAR && !(key->mods & (MOD_CTRL | MOD_ALT));
		return f->open;
	}
	if (changed) {
		apply(wb, edit_text(&f->edit));
		renew_words(wb);
	}
	return true;
}

bool
find_key(struct workbench *wb, const struct key *key)
{
	struct find *f = &wb->find;
	struct view_env env;
	struct seekable s;

	if (f->open && f->typed_in != front(wb))
		f->open = false;
	if (f->open)
		return line_key(wb, key);
	bool plain =
	    key->kind == KEY_CHAR && key->mods == 0 && !workbench_types(wb, workbench_focused(wb));
	bool next = plain && key->ch == 'n', previous = plain && key->ch == 'N';
	if ((!next && !previous && key->kind != KEY_ESCAPE) || !is_on(wb, front(wb), &env, &s))
		return false;
	return key->kind == KEY_ESCAPE ? find_clear(wb, front(wb))
				       : cmd_step_match(wb, "", next ? 1 : -1) || true;
}

/* ---- for those who draw ---- */

bool
find_is_on(struct workbench *wb)
{
	struct view_env env;
	struct seekable s;

	return is_on(wb, front(wb), &env, &s);
}

static void
find_look(struct workbench *wb, int pane, struct find_look *out)
{
	const struct view *v = pane < PANE_COUNT ? view_inner(&wb->panes[pane]) : NULL;

	*out = (struct find_look){ .filter = filtered(wb, pane) };
	if (v && v->ops->filter_note && v->ops->filtered(v->state))
		out->note = v->ops->filter_note(v->state);
	if (!out->filter)
		out->on = is_on(wb, pane, &out->env, &out->s);
	if (wb->find.open && wb->find.typed_in == pane)
		out->can = out->filter || out->on || seekable(wb, pane, &out->env, &out->s);
}

/* The `/` line, the chip in a title, and the matches that are lit. */
enum { WORD_BYTES = 24 }; /* of a completion in the hint */

static void
add_count(const struct find *f, struct buf *out)
{
	if (f->found.len == 0) {
		buf_add_str(out, f->done ? "nothing found" : "…");
		return;
	}
	if (f->at != SIZE_MAX) {
		units_add_count(out, f->at + 1);
		buf_add_str(out, " of ");
	}
	units_add_count(out, f->found.len);
	if (f->found.len == FIND_MAX || !f->done)
		buf_add_char(out, '+');
}

void
find_chip(struct workbench *wb, int pane, struct buf *out)
{
	struct find_look look;

	find_look(wb, pane, &look);
	if (look.filter && *look.filter) {
		bool expression = look.note && look.note->is_expression;
		buf_addf(out, "%s%s ✕", expression ? "if " : "/", look.filter);
	} else if (look.on) {
		buf_addf(out, "/%s ", wb->find.text);
		add_count(&wb->find, out);
		buf_add_str(out, " ✕");
	}
}

void
find_light(struct workbench *wb, int pane, struct surface inner)
{
	const struct find *f = &wb->find;
	struct find_look look;

	find_look(wb, pane, &look);
	if (look.filter && *look.filter && look.note && !look.note->is_expression) {
		struct substring needle;
		substring_init(&needle, look.filter, strlen(look.filter));
		surface_light(inner, &needle, -1);
		substring_finish(&needle);
	}
	if (!look.on)
		return;
	inner.grid->unfinished |= !f->done && !f->waits;
	int row = f->at != SIZE_MAX ? look.s.row(&look.s, f->found.items[f->at]) : -1;
	surface_light(inner, &f->needle, row);
}

void
find_draw(struct workbench *wb, struct surface bar)
{
	struct find *f = &wb->find;
	const char *text = edit_text(&f->edit);
	struct style style = style_on(ROLE_TEXT, ROLE_BAR);
	struct buf right = BUF_INIT;
	struct find_look look;

	find_look(wb, f->typed_in, &look);
	const struct filter_note *note = look.note;
	bool wrong = note && note->trouble[0];
	if (!look.can)
		buf_add_str(&right, "nothing to search here   ");
	else if (look.on)
		add_count(f, &right);
	/* "Tab price (3)": what Tab writes, and how many words fit */
	size_t at = f->word, count = f->words.lines.len, len = strlen(text);
	const char *word = completions_take(&f->words, &at, text, 1);
	if (word && strcmp(word, text) != 0) {
		const char *from = word + f->words_at;
		buf_add_str(&right, "Tab ");
		utf8_add_cut(&right, from, strlen(from), WORD_BYTES);
		if (count > 1)
			buf_addf(&right, " (%zu)", count);
	}
	if (wrong)
		buf_addf(&right, "%s%s", right.len > 0 ? "   " : "", note->trouble);
	else
		buf_addf(&right, "%s%sEnter keep  Esc leave%s", right.len > 0 ? "   " : "",
		    note && note->is_expression ? "expression   " : "",
		    look.filter ? "  ↑↓ select" : "");
	surface_clear(bar, style);
	int used = surface_text_right(
	    bar, bar.width - 1, 0, bar.width / 2, style_on(ROLE_DIM, ROLE_BAR), buf_text(&right));
	surface_text(bar, 1, 0, 1, style_on(ROLE_BAR_KEY, ROLE_BAR), "/");
	struct surface line = surface_sub(bar, 2, 0, bar.width - used - 4, 1);
	edit_draw(&f->edit, line, style, true, NULL);
	if (wrong && note->at + note->len <= len) { /* the place that the note complains about */
		int x = (int)glyph_columns(text, note->at) - f->edit.left;
		int width = (int)glyph_columns(text + note->at, note->len);
		surface_restyle(line, x, 0, width > 0 ? width : 1, ROLE_ERROR_CELL, ATTR_UNDERLINE);
	}
	buf_finish(&right);
}

/* clang-format off */
const struct command find_commands[] = {
	COMMAND("find", "/", "[TEXT]", "filter a list or a table; search everything else", cmd_find),
	COMMAND("search", "'", "[TEXT]", "search the cells of a table without hiding rows", cmd_search),
	COMMAND_WITH("next-match", "", "", "go to the next match; n during a search", cmd_step_match, 1),
	COMMAND_WITH("previous-match", "", "", "go to the previous match; N during a search", cmd_step_match, -1),
	COMMAND("clear-find", "", "", "clear the filter or search, as Esc does", cmd_clear_find),
	{ 0 },
};
/* clang-format on */
