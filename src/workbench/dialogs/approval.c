/* SPDX-License-Identifier: MIT */
#include "workbench/state.h"

#include "base/glyph.h"
#include "base/secret.h"

#include <stdio.h>
#include <string.h>

/* The program or URL in a project's file, in full: it scrolls and is never cut. Only y approves,
 * and only after every row was on the screen. Values are shown, because any environment variable
 * can change what runs; secrets are hidden until v. */

enum { KEY_COLS = 11 };

struct facts {
	struct page *page;
	const struct server_choice *choice;
	bool reveal;
	size_t hidden;   /* hidden values */
	struct buf line; /* the row under construction */
};

static void
finish(struct workbench *wb)
{
	page_finish(&wb->approval.page);
	wb->approval = (struct approval){ 0 };
}

static bool
is_dangerous(const struct server_choice *c, const char *text)
{
	for (size_t i = 0; i < c->danger_count; i++)
		if (c->dangers[i].text == text)
			return true;
	return false;
}

/* A huge value in pieces, so that a frame wraps only the visible ones. */
static void
add_pieces(struct facts *f, const char *key, enum role role, struct buf *text)
{
	enum { MOST = 4096 };

	for (size_t at = 0; at < text->len; key = "") {
		size_t end = text->len - at > MOST ? at + MOST : text->len;
		while (end < text->len && end > at + MOST / 2 && text->data[end - 1] != ' ')
			end--;
		while (end < text->len && (text->data[end] & 0xc0) == 0x80) /* inside a character */
			end++;
		char after = text->data[end];
		text->data[end] = '\0';
		page_row(f->page, KEY_COLS, key, role, text->data + at);
		text->data[end] = after;
		at = end;
	}
}

/* Adds f->line as one line, so that no text can fake a row. text: its label. */
static void
add_line(struct facts *f, const char *key, enum role role, const char *text)
{
	struct buf safe = BUF_INIT;

	glyph_append_safe(&safe, buf_text(&f->line), f->line.len, false);
	if (safe.len == 0)
		buf_add_str(&safe, "(empty)");
	add_pieces(f, key, is_dangerous(f->choice, text) ? ROLE_WARNING : role, &safe);
	buf_finish(&safe);
	buf_clear(&f->line);
	for (size_t i = 0; i < f->choice->danger_count; i++)
		if (f->choice->dangers[i].text == text) {
			buf_addf(&f->line, "! %s", f->choice->dangers[i].why);
			page_text(f->page, KEY_COLS, ROLE_WARNING, buf_text(&f->line));
			buf_clear(&f->line);
		}
}

static void
add_text(struct facts *f, const char *key, enum role role, const char *text)
{
	const char *shown = target_shown(f->choice->target, text);

	f->hidden += shown != text;
	buf_add_str(&f->line, f->reveal ? text : shown);
	add_line(f, key, role, text);
}

/* One argument per row, so that a blank does not look like two arguments. */
static void
add_command(struct facts *f)
{
	const struct target *t = f->choice->target;
	char key[32];

	add_text(f, "command", ROLE_TITLE, t->argv[0]);
	for (size_t i = 1; t->argv[i]; i++) {
		snprintf(key, sizeof(key), "argument %zu", i);
		add_text(f, key, ROLE_TITLE, t->argv[i]);
	}
	bool hidden = t->cwd && target_shown(t, t->cwd) != t->cwd;
	f->hidden += hidden;
	buf_add_str(&f->line, hidden && !f->reveal ? target_shown(t, t->cwd)
			      : f->choice->folder  ? f->choice->folder
						   : "this one");
	add_line(f, "folder", ROLE_TEXT, t->cwd);
}

/* "NAME=value" or "Name: value". A secret in the file is recognized by its name. */
static void
add_pair(struct facts *f, const char *key, const char *pair, const char *between)
{
	const char *shown = target_shown(f->choice->target, pair);
	size_t name = strcspn(pair, between), value = name + strspn(pair + name, between);
	bool secret = shown == pair && pair[value] && secret_is_named(pair, name);

	if (!secret || f->reveal) {
		f->hidden += secret;
		add_text(f, key, ROLE_TEXT, pair);
		return;
	}
	f->hidden++;
	buf_addf(&f->line, "%.*s" SECRET_HIDDEN, (int)value, pair);
	add_line(f, key, ROLE_TEXT, pair);
}

static void
add_pairs(struct facts *f, const char *key, char *const *pairs, size_t max, const char *between)
{
	for (size_t i = 0; pairs && i < max && pairs[i]; i++)
		add_pair(f, i == 0 ? key : "", pairs[i], between);
}

static void
add_env(struct facts *f)
{
	const struct target *t = f->choice->target;

	add_pairs(f, "env", t->env, t->env_file ? t->env_own : SIZE_MAX, "=");
	if (!t->env_file)
		return;
	add_text(f, "envFile", ROLE_TEXT, t->env_file);
	if (t->env)
		add_pairs(f, "", t->env + t->env_own, SIZE_MAX, "=");
}

/* Environment values that the file refers to. */
static void
add_passed(struct facts *f)
{
	const struct target *t = f->choice->target;

	for (size_t i = 0; t->passed && t->passed[i]; i++)
		buf_addf(&f->line, "%s%s", i ? ", " : "", t->passed[i]);
	if (f->line.len == 0)
		return;
	add_line(f, "receives", ROLE_WARNING, NULL);
	page_text(
	    f->page, KEY_COLS, ROLE_WARNING, "! the values of these variables in your environment");
}

static void
add_facts(struct facts *f)
{
	const struct target *t = f->choice->target;

	bool typed = t->file && t->file[0] == '/'; /* files that are found here have no path */
	buf_addf(&f->line, "%s%s%s configures a %s",
	    f->choice->origin == CHOICE_OWN      ? "Your own file"
	    : f->choice->origin == CHOICE_CLIENT ? "A file of "
	    : typed                              ? "A file"
						 : "A file in this folder",
	    f->choice->origin != CHOICE_CLIENT ? ""
	    : t->client                        ? t->client
					       : "another client",
	    f->choice->origin == CHOICE_OWN ? ", changed without mcpane," : "",
	    t->url ? "server to connect to. Nothing was sent yet."
		   : "program to run. It has not run yet.");
	page_text(f->page, 0, ROLE_TEXT, buf_text(&f->line));
	buf_clear(&f->line);
	page_gap(f->page);
	add_text(f, "server", ROLE_TITLE, t->name);
	add_text(f, "file", ROLE_TEXT, t->file ? t->file : "");
	page_gap(f->page);
	if (t->url) { /* the label is the URL without secrets */
		f->hidden += strcmp(t->label, t->url) != 0;
		buf_add_str(&f->line, f->reveal ? t->url : t->label);
		add_line(f, "URL", ROLE_TITLE, t->url);
	} else {
		add_command(f);
	}
	add_env(f);
	add_pairs(f, "headers", t->headers, SIZE_MAX, ": ");
	add_passed(f);
}

static void
fill(struct approval *a, const struct server_choice *c)
{
	struct page *p = &a->page;
	struct facts f = { .page = p, .choice = c, .reveal = a->reveal, .line = BUF_INIT };

	page_clear(p);
	p->in_order = true;
	add_facts(&f);
	page_gap(p);
	if (f.hidden > 0)
		page_text(p, 0, ROLE_DIM,
		    a->reveal ? "Secrets are shown; v hides them."
			      : "Secrets are (hidden), and ${NAME} means a variable in your "
				"environment: v shows them.");
	page_text(p, 0, ROLE_TEXT,
	    c->target->url
		? "The server sees everything that you send to it."
		: "The program runs with your permissions: it can read and change your files and "
		  "use the network. Run only programs that you trust.");
	page_text(p, 0, ROLE_DIM,
	    "The answer y is saved for exactly this configuration: if it changes, you are asked "
	    "again.");
	a->hides = f.hidden > 0;
	buf_finish(&f.line);
}

void
approval_open(struct workbench *wb)
{
	finish(wb);
	fill(&wb->approval, start_choice(wb));
	find_clear(wb, FIND_APPROVAL);
	wb->dialog = &dialog_approval;
	asked_appear(wb);
}

/* Changed content has to be read again. */
static void
reveal(struct workbench *wb)
{
	const struct server_choice *c = start_choice(wb);

	wb->approval.reveal = !wb->approval.reveal;
	if (c)
		fill(&wb->approval, c);
}

static void
decline(struct workbench *wb)
{
	const struct server_choice *c = start_choice(wb);

	dialog_leave(wb);
	workbench_say(wb, ROLE_DIM, "%s was not started", c ? c->target->name : "it");
}

static void
approve(struct workbench *wb)
{
	struct err err = { "" };

	if (!wb->approval.page.read) {
		workbench_say(wb, ROLE_WARNING, "there is more: read to the end first");
		return;
	}
	dialog_leave(wb);
	bool remembered = wb->effects->approve(wb->user, wb->start.choice, &err);
	wb->ws.generation++;
	if (start_go_on(wb) && !remembered)
		workbench_say(wb, ROLE_WARNING, "not saved: %s", err.text);
}

static bool
on_key(struct workbench *wb, const struct key *key)
{
	bool chord = key->mods & (MOD_CTRL | MOD_ALT);
	uint32_t ch = key->kind == KEY_CHAR && !chord ? key->ch : 0;
	int clicked = buttons_at(&wb->approval.buttons, key);

	if (page_key(&wb->approval.page, key))
		return true;
	if (ch == 'y' || ch == 'Y' || clicked == 0)
		approve(wb);
	else if (wb->approval.hides && (ch == 'v' || clicked == 2))
		reveal(wb);
	else if (dialog_closes(key) || key->kind == KEY_ENTER || clicked == 1 || ch == 'n' ||
		 ch == 'N' || ch == 'q')
		decline(wb);
	else
		return false;
	return true;
}

/* It goes no further than was read: the next match may need another step. */
static bool
seek(struct workbench *wb, struct seekable *out)
{
	*out = seek_page(&wb->approval.page);
	return true;
}

static struct surface
draw_frame(struct workbench *wb, struct surface box, bool url)
{
	struct buf title = BUF_INIT, facts = BUF_INIT;

	buf_add_str(&title, url ? "Connect to this server?" : "Run this program?");
	if (!wb->approval.page.read)
		buf_add_str(&facts, "PgDn: there is more");
	struct surface inner = frame_draw(wb, box, FIND_APPROVAL, &title, &facts, ROLE_WARNING);
	buf_finish(&title);
	buf_finish(&facts);
	return inner;
}

static void
draw(struct workbench *wb, struct surface s, struct surface bar)
{
	struct page *p = &wb->approval.page;
	int width = s.width < 100 ? s.width : 100;
	struct surface box = dialog_box(s, width, (int)page_rows(p, width - 4) + 4);
	const struct server_choice *c = start_choice(wb);
	bool url = c && c->target->url;

	struct surface inner = draw_frame(wb, box, url);
	struct surface text = surface_sub(inner, 0, 0, inner.width, inner.height - 2);
	page_draw(p, text, ROLE_DIALOG, true);
	find_light(wb, FIND_APPROVAL, text);
	draw_frame(wb, box, url); /* whether it is read is known only after drawing */
	surface_scrollbar(text, true, p->rows, p->top);
	struct buttons *b = &wb->approval.buttons;
	int y = inner.height - 1;
	b->len = 0;
	int x = buttons_add(b, inner, 0, y, p->read ? ROLE_BUTTON : ROLE_HINT,
	    url ? " Connect  y " : " Run it  y ");
	x = buttons_add(b, inner, x + 2, y, ROLE_BUTTON_FOCUS,
	    url ? " Do not connect  Enter " : " Do not run it  Enter ");
	if (wb->approval.hides)
		buttons_add(b, inner, x + 2, y, ROLE_BUTTON,
		    wb->approval.reveal ? " Hide secrets  v " : " Show all  v ");
}

const struct dialog dialog_approval = {
	.key = on_key,
	.draw = draw,
	.finish = finish,
	.seek = seek,
	.front = FIND_APPROVAL,
	.keys = "Enter no  y yes  ↑↓ scroll  / search  Esc close",
	.decides = true,
};
