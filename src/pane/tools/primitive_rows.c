/* SPDX-License-Identifier: MIT */
#include "tools.h"

#include "base/ascii.h"
#include "base/text_match.h"
#include "base/glyph.h"
#include "base/units.h"
#include "base/vec.h"
#include "client/notices.h"

#include <string.h>

/* ---- matching a filter ---- */

/* The place of a match, the worst first. The points of the letters decide between equals. */
enum match { IN_NOTHING, IN_DESCRIPTION, IN_TITLE, LETTERS, INSIDE, WORD, BEGINNING, WHOLE };

/* Return the best match of the word: at the start of the name, of one of its words, or inside. */
static enum match
find_in_name(const char *name, const char *word)
{
	enum match best = IN_NOTHING;

	for (const char *hit = name; best < WORD && (hit = strcasestr(hit, word)); hit++) {
		bool camel =
		    hit > name && hit[-1] >= 'a' && hit[-1] <= 'z' && *hit >= 'A' && *hit <= 'Z';
		best = hit == name                                        ? BEGINNING
		       : camel || !ascii_is_alnum((unsigned char)hit[-1]) ? WORD
									  : INSIDE;
	}
	return best == BEGINNING && strlen(name) == strlen(word) ? WHOLE : best;
}

unsigned
primitive_rank(const struct primitive *p, const char *filter)
{
	enum { LEVEL = 1 << 16 };
	struct fuzzy letters;
	unsigned found = find_in_name(p->name, filter) * LEVEL;

	fuzzy_init(&letters, filter, strlen(filter));
	int points = strlen(filter) > FUZZY_LETTERS
			 ? 0
			 : fuzzy_match(&letters, p->name, strlen(p->name), NULL);
	if (found == 0 && points > 0)
		found = LETTERS * LEVEL + (unsigned)points;
	if (found == 0 && ((p->title && strcasestr(p->title, filter)) ||
			      (p->kind != PRIMITIVE_TOOL && strcasestr(p->key, filter))))
		found = IN_TITLE * LEVEL;
	if (found == 0 && p->description && strcasestr(p->description, filter))
		found = IN_DESCRIPTION * LEVEL;
	return found;
}

/* ---- a row ---- */

/* Return whether the result has problems that are not in its verdict. */
static bool
has_problems(const struct view_env *env, const struct call *c)
{
	bool is_tool = c->kind == PRIMITIVE_TOOL;

	for (size_t i = 0; is_tool && i < c->findings.len; i++)
		if (c->findings.items[i].kind->severity < FINDING_NOTE &&
		    !workspace_mutes(env->ws, &c->findings.items[i]))
			return true;
	for (size_t i = 0; !is_tool && i < c->result.len; i++)
		if (c->result.blocks[i].problem)
			return true;
	return !is_tool && c->result.problem[0];
}

/* Draw the mark of the last call: ◐ running, ✗ error, ! problem, ✓ success. */
static void
draw_mark(
    const struct primitive *p, const struct call *c, const struct view_env *env, struct surface s)
{
	enum verdict_kind verdict = p->kind == PRIMITIVE_TOOL
					? server_last_verdict(env->ws->server, p->name)
					: VERDICT_NONE;
	bool failed = c && call_is_error(c);
	bool unchecked = verdict == VERDICT_NONE && (!c || p->kind == PRIMITIVE_TOOL);
	struct call_look look = pane_call_look(verdict, failed);

	if (c && c->state == CALL_RUNNING)
		look = (struct call_look){ "◐", ROLE_ACCENT };
	else if (unchecked)
		return;
	else if (verdict == VERDICT_NONE && c->state == CALL_CANCELLED)
		look = (struct call_look){ "–", ROLE_DIM };
	else if (c &&
		 (verdict == VERDICT_VALID || verdict == VERDICT_NO_SCHEMA ||
		     (verdict == VERDICT_NONE && !failed)) &&
		 has_problems(env, c))
		look = (struct call_look){ "!", ROLE_WARNING };
	else if (verdict == VERDICT_NONE && !failed)
		look = (struct call_look){ "✓", ROLE_OK };
	surface_text(s, s.width - 2, 0, 1, style_of(look.role), look.mark);
}

/* Return a detail that distinguishes primitives of the same name, or describes this one. */
static const char *
beside(const struct primitive *p)
{
	bool has_title = p->title && strcmp(p->title, p->name) != 0;

	if (p->broken)
		return p->problem;
	if (p->kind == PRIMITIVE_TOOL && !has_title)
		return p->description ? p->description : "";
	if (p->kind == PRIMITIVE_TOOL || p->kind == PRIMITIVE_PROMPT)
		return has_title ? p->title : "";
	return strcmp(p->key, p->name) == 0 ? "" : p->key;
}

enum { BESIDE_LEAST = 12, BESIDE_BYTES = 500 };

/* Draw the detail. Details of tools form a column and give way to a long name. The column of a
 * narrow list begins within the longest names, for the details of the other tools. */
static void
draw_beside(const struct primitive_row *row, struct surface s, int x, int y)
{
	bool in_column = row->primitive->kind == PRIMITIVE_TOOL && !row->primitive->broken;
	const char *text = beside(row->primitive);
	size_t len = strnlen(text, BESIDE_BYTES);
	const char *newline = memchr(text, '\n', len);

	int last = s.width - PRIMITIVE_MARKS - 2 - BESIDE_LEAST - 2;
	int column = row->beside < last ? row->beside : last;
	x = in_column && x < column ? column : x;
	int room = s.width - PRIMITIVE_MARKS - 2 - x;
	if (len > 0 && (!in_column || room >= BESIDE_LEAST))
		surface_textn(surface_sub(s, x + 2, y, room, 1), 0, 0, style_of(ROLE_HINT), text,
		    newline ? (size_t)(newline - text) : len);
}

static bool
is_destructive(const struct primitive *p)
{
	return p->kind == PRIMITIVE_TOOL && primitive_is_destructive(p);
}

/* ◫: the tool has an app, ⊘: only apps may call it */
static const char *
app_badge(const struct primitive *p)
{
	if (p->kind != PRIMITIVE_TOOL)
		return NULL;
	return !p->app.for_model ? "⊘" : p->app.resource ? "◫" : NULL;
}

static int
badge_columns(const struct primitive *p)
{
	return (is_destructive(p) ? 2 : 0) + (app_badge(p) ? 2 : 0);
}

int
primitive_row_columns(const struct primitive *p)
{
	return label_columns(p->name) + badge_columns(p) + PRIMITIVE_MARKS;
}

/* Draw the mark of a subscribed resource: ◉, ◆ if it changed since the last read, ○ until the
 * server confirms. */
static void
draw_watch(const struct view_env *env, const struct primitive *p, struct surface s, int y)
{
	static const struct {
		const char *mark;
		enum role role;
	} looks[] = {
		[WATCH_ASKED] = { "○", ROLE_DIM },
		[WATCH_ON] = { "◉", ROLE_OK },
		[WATCH_REFUSED] = { "○", ROLE_ERROR },
	};
	enum watch_state state = server_watch_state(env->ws->server, p->key);

	if (state == WATCH_NONE)
		return;
	bool changed = server_watch_changed(env->ws->server, p->key);
	surface_text(s, s.width - 4, y, 1, style_of(changed ? ROLE_WARNING : looks[state].role),
	    changed ? "◆" : looks[state].mark);
}

/* Highlight the letters of a name that the filter matches. */
static void
light_name(struct surface s, int y, const char *name, const char *filter)
{
	struct style style = style_of(ROLE_MATCH);
	uint16_t at[FUZZY_LETTERS];
	struct fuzzy letters;

	style.attr = ATTR_BOLD;
	fuzzy_init(&letters, filter, strlen(filter));
	bool matched = fuzzy_match(&letters, name, strlen(name), at) > 0;
	for (size_t i = 0; matched && i < letters.len; i++)
		if (((unsigned char)name[at[i]] & 0x80) == 0)
			surface_textn(
			    s, (int)glyph_columns(name, at[i]), y, style, name + at[i], 1);
}

/* Draw a name. A long name is cut in the middle because names that begin alike differ at the end.
 */
static int
draw_name(struct surface s, int y, int room, struct style style, const char *name)
{
	enum { TAIL = 12 };
	size_t len = label_length(name), at = len > TAIL ? len - TAIL : 0;

	if (label_columns(name) <= room || room < 2 * TAIL)
		return surface_text(s, 0, y, room, style, name);
	while (at < len && ((unsigned char)name[at] & 0xc0) == 0x80)
		at++;
	int tail = (int)glyph_columns(name + at, len - at);
	int head = surface_textn(surface_sub(s, 0, y, room - tail, 1), 0, 0, style, name, at);
	return head + surface_textn(s, head, y, style, name + at, len - at);
}

void
primitive_row_draw(
    const struct view_env *env, const struct primitive_row *row, struct surface s, int y)
{
	const struct primitive *p = row->primitive;
	const struct call *c = server_last_call(env->ws->server, p->kind, p->key);
	struct style style = style_of(p->broken       ? ROLE_ERROR
				      : row->selected ? ROLE_TITLE
						      : ROLE_TEXT);
	const char *shape = !p->output_schema ? "" : primitive_returns_array(p) ? "▦" : "▤";

	if (row->selected)
		style.attr = ATTR_BOLD;
	int room = s.width - PRIMITIVE_MARKS - badge_columns(p);
	int x = draw_name(s, y, room, style, p->name);
	if (*row->filter && label_columns(p->name) <= room)
		light_name(s, y, p->name, row->filter);
	if (is_destructive(p))
		x += 1 + surface_text(s, x + 1, y, 1, style_of(ROLE_WARNING), "†");
	if (app_badge(p))
		x += 1 + surface_text(s, x + 1, y, 1, style_of(ROLE_ACCENT), app_badge(p));
	if (p->of > 1)
		x += surface_textf(s, x + 1, y, s.width - 6 - x, style_of(ROLE_WARNING),
			 "%zu of %zu", p->nth + 1, p->of) +
		     1;
	draw_beside(row, s, x, y);
	bool wrong = p->broken || row->definition == DEFINITION_WRONG;
	surface_text(s, s.width - 4, y, 1,
	    style_of(wrong                               ? ROLE_ERROR
		     : row->definition == DEFINITION_ODD ? ROLE_WARNING
							 : ROLE_DIM),
	    wrong || row->definition == DEFINITION_ODD ? "!" : shape);
	bool called = c && c->definition && json_root(c->definition) == p->definition;
	if (row->drift != DRIFT_NONE && !called) /* changed since the last call of any run */
		surface_text(s, s.width - 3, y, 1,
		    style_of(row->drift == DRIFT_BREAKS ? ROLE_WARNING : ROLE_ACCENT), "◆");
	draw_mark(p, c, env, surface_sub(s, 0, y, s.width, 1));
	if (p->kind == PRIMITIVE_RESOURCE)
		draw_watch(env, p, s, y);
}

/* ---- the tabs ---- */

static const enum primitive_kind tabs[] = { PRIMITIVE_TOOL, PRIMITIVE_RESOURCE, PRIMITIVE_PROMPT };
#define TAB_COUNT ARRAY_LEN(tabs)

/* Names are shortened, the active one last. */
enum room { ROOM_ALL, ROOM_SHOWN, ROOM_NONE };

struct tab_row {
	const struct view_env *env;
	size_t passing;
	enum room room;
	int gap; /* between two */
};

/* Return whether a subscribed resource in a hidden list changed and was not read since. */
static bool
has_changed(const struct view_env *env, enum primitive_kind tab)
{
	const struct server *s = env->ws->server;

	return tab == PRIMITIVE_RESOURCE && env->ws->tab != tab && s && server_watch_any_changed(s);
}

/* Append the count, unless it is unknown because the list has not arrived. */
static void
add_tab_count(const struct tab_row *row, enum primitive_kind tab, size_t count, struct buf *out)
{
	const struct server *s = row->env->ws->server;
	bool shown = row->env->ws->tab == tab;

	if (count == 0 && (!s || server_info(s)->phase != SERVER_READY ||
			      lister_is_busy(&server_info(s)->lists[tab])))
		return;
	buf_add_char(out, ' ');
	if (shown && row->passing < count) {
		units_add_count(out, row->passing);
		buf_add_str(out, " of ");
	}
	units_add_count(out, count);
}

static int
tab_text(const struct tab_row *row, size_t i, struct buf *out)
{
	const struct primitive_words *words = &primitive_words[tabs[i]];
	const struct server *s = row->env->ws->server;
	bool shown = row->env->ws->tab == tabs[i];
	const char *name =
	    row->room == ROOM_ALL || (row->room == ROOM_SHOWN && shown) ? words->tab : words->brief;
	size_t count = s ? server_info(s)->lists[tabs[i]].list.len : 0;

	if (s && tabs[i] == PRIMITIVE_RESOURCE)
		count += server_info(s)->lists[PRIMITIVE_TEMPLATE].list.len;
	buf_clear(out);
	buf_add_str(out, name);
	add_tab_count(row, tabs[i], count, out);
	buf_add_str(out, has_changed(row->env, tabs[i]) ? " ◆" : "");
	return (int)glyph_columns(buf_text(out), out->len);
}

static struct tab_row
tabs_within(const struct view_env *env, size_t passing, int width)
{
	static const struct {
		enum room room;
		int gap;
	} ways[] = { { ROOM_ALL, 2 }, { ROOM_ALL, 1 }, { ROOM_SHOWN, 2 }, { ROOM_NONE, 2 } };
	struct tab_row row = { .env = env, .passing = passing };
	struct buf text = BUF_INIT;
	int all = width + 1;

	for (size_t w = 0; w < ARRAY_LEN(ways) && all > width; w++) {
		row.room = ways[w].room;
		row.gap = ways[w].gap;
		all = 0;
		for (size_t i = 0; i < TAB_COUNT; i++)
			all += tab_text(&row, i, &text) + (i > 0 ? row.gap : 0);
	}
	buf_finish(&text);
	return row;
}

void
primitive_tabs_draw(const struct view_env *env, size_t passing, struct surface s)
{
	struct tab_row row = tabs_within(env, passing, s.width);
	struct buf text = BUF_INIT;
	int x = 0;

	for (size_t i = 0; i < TAB_COUNT && x < s.width; i++) {
		bool shown = env->ws->tab == tabs[i];
		struct style style = style_of(shown                       ? ROLE_TITLE
					      : has_changed(env, tabs[i]) ? ROLE_WARNING
									  : ROLE_DIM);
		style.attr = shown ? ATTR_BOLD : 0;
		if (shown) /* weight alone is hard to see without colors */
			style.ground = env->focused ? ROLE_SELECTION : ROLE_SELECTION_DIM;
		tab_text(&row, i, &text);
		surface_spot(s, x, 0);
		x += surface_text(s, x, 0, -1, style, buf_text(&text));
		for (int gap = i + 1 < TAB_COUNT ? row.gap : 1; gap > 0 && x < s.width; gap--)
			surface_put(s, x++, 0, style_of(ROLE_TEXT), ' ');
	}
	buf_finish(&text);
}

enum primitive_kind
primitive_tab_at(const struct view_env *env, size_t passing, int width, int x)
{
	struct tab_row row = tabs_within(env, passing, width);
	enum primitive_kind tab = PRIMITIVE_KINDS;
	struct buf text = BUF_INIT;
	int at = 0;

	for (size_t i = 0; i < TAB_COUNT && tab == PRIMITIVE_KINDS; i++) {
		int end = at + tab_text(&row, i, &text);
		if (x >= at && x < end)
			tab = tabs[i];
		at = end + row.gap;
	}
	buf_finish(&text);
	return tab;
}

enum primitive_kind
primitive_tab_next(enum primitive_kind tab, int step)
{
	size_t at = 0;

	while (at + 1 < TAB_COUNT && tabs[at] != tab)
		at++;
	return tabs[(at + TAB_COUNT + (size_t)step) % TAB_COUNT];
}
