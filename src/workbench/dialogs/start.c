/* SPDX-License-Identifier: MIT */
#include "workbench/state.h"

#include "base/glyph.h"
#include "base/secret.h"

#include <stdio.h>
#include <string.h>

/* A server starts in steps, each of which may wait for the user: approve the command of a project's
 * file, enter missing input values, run. */

static bool start_go_on(struct workbench *wb); /* after a dialog */

static const struct server_choice *
start_choice(const struct workbench *wb)
{
	return wb->start.choice < wb->ws.choice_count ? &wb->ws.choices[wb->start.choice] : NULL;
}

/* ---- approval ---- */

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
approval_finish(struct workbench *wb)
{
	page_finish(&wb->approval.page);
	wb->approval = (struct approval){ 0 };
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
add_start_line(struct facts *f, const char *key, enum role role, const char *text)
{
	struct buf safe = BUF_INIT;
	bool dangerous = false;

	for (size_t i = 0; i < f->choice->danger_count; i++)
		dangerous |= f->choice->dangers[i].text == text;
	glyph_append_safe(&safe, buf_text(&f->line), f->line.len, false);
	if (safe.len == 0)
		buf_add_str(&safe, "(empty)");
	add_pieces(f, key, dangerous ? ROLE_WARNING : role, &safe);
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
add_start_text(struct facts *f, const char *key, enum role role, const char *text)
{
	const char *shown = target_shown(f->choice->target, text);

	f->hidden += shown != text;
	buf_add_str(&f->line, f->reveal ? text : shown);
	add_start_line(f, key, role, text);
}

/* One argument per row, so that a blank does not look like two arguments. */
static void
add_command(struct facts *f)
{
	const struct target *t = f->choice->target;
	char key[32];

	add_start_text(f, "command", ROLE_TITLE, t->argv[0]);
	for (size_t i = 1; t->argv[i]; i++) {
		snprintf(key, sizeof(key), "argument %zu", i);
		add_start_text(f, key, ROLE_TITLE, t->argv[i]);
	}
	bool hidden = t->cwd && target_shown(t, t->cwd) != t->cwd;
	f->hidden += hidden;
	buf_add_str(&f->line, hidden && !f->reveal ? target_shown(t, t->cwd)
			      : f->choice->folder  ? f->choice->folder
						   : "this one");
	add_start_line(f, "folder", ROLE_TEXT, t->cwd);
}

/* "NAME=value" or "Name: value". A secret in the file is recognized by its name. */
static void
add_pairs(struct facts *f, const char *key, char *const *pairs, size_t max, const char *between)
{
	for (size_t i = 0; pairs && i < max && pairs[i]; i++, key = "") {
		const char *pair = pairs[i], *shown = target_shown(f->choice->target, pair);
		size_t name = strcspn(pair, between), value = name + strspn(pair + name, between);
		bool secret = shown == pair && pair[value] && secret_is_named(pair, name);
		f->hidden += secret;
		if (!secret || f->reveal) {
			add_start_text(f, key, ROLE_TEXT, pair);
			continue;
		}
		buf_addf(&f->line, "%.*s" SECRET_HIDDEN, (int)value, pair);
		add_start_line(f, key, ROLE_TEXT, pair);
	}
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
	add_start_text(f, "server", ROLE_TITLE, t->name);
	add_start_text(f, "file", ROLE_TEXT, t->file ? t->file : "");
	page_gap(f->page);
	if (t->url) { /* the label is the URL without secrets */
		f->hidden += strcmp(t->label, t->url) != 0;
		buf_add_str(&f->line, f->reveal ? t->url : t->label);
		add_start_line(f, "URL", ROLE_TITLE, t->url);
	} else {
		add_command(f);
	}
	add_pairs(f, "env", t->env, t->env_file ? t->env_own : SIZE_MAX, "=");
	if (t->env_file)
		add_start_text(f, "envFile", ROLE_TEXT, t->env_file);
	if (t->env_file && t->env)
		add_pairs(f, "", t->env + t->env_own, SIZE_MAX, "=");
	add_pairs(f, "headers", t->headers, SIZE_MAX, ": ");
	for (size_t i = 0; t->passed && t->passed[i]; i++)
		buf_addf(&f->line, "%s%s", i ? ", " : "", t->passed[i]);
	if (f->line.len > 0) {
		add_start_line(f, "receives", ROLE_WARNING, NULL);
		page_text(f->page, KEY_COLS, ROLE_WARNING,
		    "! the values of these variables in your environment");
	}
}

static void
fill_approval(struct approval *a, const struct server_choice *c)
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

static void
approve_server(struct workbench *wb)
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
approval_key(struct workbench *wb, const struct key *key)
{
	bool chord = key->mods & (MOD_CTRL | MOD_ALT);
	uint32_t ch = key->kind == KEY_CHAR && !chord ? key->ch : 0;
	int clicked = buttons_at(&wb->approval.buttons, key);
	const struct server_choice *c = start_choice(wb);

	if (page_key(&wb->approval.page, key))
		return true;
	if (ch == 'y' || ch == 'Y' || clicked == 0)
		approve_server(wb);
	else if (wb->approval.hides && (ch == 'v' || clicked == 2)) {
		wb->approval.reveal = !wb->approval.reveal;
		if (c) /* changed content has to be read again */
			fill_approval(&wb->approval, c);
	} else if (dialog_closes(key) || key->kind == KEY_ENTER || clicked == 1 || ch == 'n' ||
		   ch == 'N' || ch == 'q') {
		dialog_leave(wb);
		workbench_say(wb, ROLE_DIM, "%s was not started", c ? c->target->name : "it");
	} else {
		return false;
	}
	return true;
}

/* It goes no further than was read: the next match may need another step. */
static struct seekable
approval_seek(struct workbench *wb)
{
	return seek_page(&wb->approval.page);
}

static void
approval_draw(struct workbench *wb, struct surface s, struct surface bar)
{
	struct page *p = &wb->approval.page;
	int width = s.width < 100 ? s.width : 100;
	struct surface box = dialog_box(s, width, (int)page_rows(p, width - 4) + 4);
	const struct server_choice *c = start_choice(wb);
	bool url = c && c->target->url;

	const char *title = url ? "Connect to this server?" : "Run this program?";
	const char *more = "PgDn: there is more";
	struct surface inner =
	    frame_draw(wb, box, FIND_APPROVAL, title, p->read ? "" : more, ROLE_WARNING);
	struct surface text = surface_sub(inner, 0, 0, inner.width, inner.height - 2);
	page_draw(p, text, ROLE_DIALOG, true);
	find_light(wb, FIND_APPROVAL, text);
	/* again: whether it is read is known only after drawing */
	frame_draw(wb, box, FIND_APPROVAL, title, p->read ? "" : more, ROLE_WARNING);
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
	.key = approval_key,
	.draw = approval_draw,
	.finish = approval_finish,
	.seek = approval_seek,
	.front = FIND_APPROVAL,
	.keys = "Enter no  y yes  ↑↓ scroll  / search  Esc close",
	.decides = true,
};

/* ---- a value that the server's configuration requires as input, used only to start it ---- */

static void
ask_finish(struct workbench *wb)
{
	struct ask *a = &wb->ask;

	if (a->edit.text.data)
		explicit_bzero(a->edit.text.data, a->edit.text.cap);
	edit_finish(&a->edit);
	*a = (struct ask){ 0 };
}

static void
ask_open(struct workbench *wb, const struct target_input *input)
{
	struct ask *a = &wb->ask;
	const char *text = input->otherwise ? input->otherwise
			   : input->options ? input->options[0]
					    : "";

	ask_finish(wb);
	a->input = input;
	edit_init(&a->edit, false, 65536);
	edit_set(&a->edit, text, strlen(text));
	edit_select(&a->edit, 0);
	wb->dialog = &dialog_ask;
	asked_appear(wb);
}

/* Cycles through the options. */
static void
step_option(struct ask *a, bool back)
{
	char *const *options = a->input->options;
	size_t count = 0, at = 0;

	for (; options && options[count]; count++)
		if (strcmp(options[count], edit_text(&a->edit)) == 0)
			at = count;
	if (count == 0)
		return;
	const char *next = options[(at + (back ? count - 1 : 1)) % count];
	edit_set(&a->edit, next, strlen(next));
}

static bool
ask_key(struct workbench *wb, const struct key *key)
{
	struct ask *a = &wb->ask;
	struct err err = { "" };

	if (dialog_closes(key)) {
		dialog_leave(wb);
		workbench_say(wb, ROLE_DIM, "not started");
	} else if (key->kind == KEY_ENTER) {
		if (!wb->effects->give(wb->user, wb->start.choice, edit_text(&a->edit), &err))
			return workbench_say(wb, ROLE_WARNING, "%s%s", err.text,
			    a->input->options ? "; Tab cycles through them" : "");
		dialog_leave(wb);
		start_go_on(wb);
	} else if (key->kind == KEY_TAB || key->kind == KEY_UP || key->kind == KEY_DOWN) {
		step_option(a, key->kind == KEY_UP || (key->mods & MOD_SHIFT));
	} else {
		return edit_key(&a->edit, key, NULL);
	}
	return true;
}

static void
draw_field(struct ask *a, struct surface line)
{
	if (!a->input->password) {
		edit_draw(&a->edit, line, style_on(ROLE_TEXT, ROLE_FIELD_FOCUS), true, NULL);
		return;
	}
	int cols = (int)glyph_columns(edit_text(&a->edit), a->edit.text.len);
	int most = line.width - 1;
	surface_clear(line, style_on(ROLE_TEXT, ROLE_FIELD_FOCUS));
	surface_repeat(
	    line, 0, 0, cols < most ? cols : most, style_on(ROLE_TEXT, ROLE_FIELD_FOCUS), 0x2022);
	surface_repeat(
	    line, cols < most ? cols : most, 0, 1, style_on(ROLE_TEXT, ROLE_CURSOR), ' ');
}

static void
ask_draw(struct workbench *wb, struct surface s, struct surface bar)
{
	struct ask *a = &wb->ask;
	const struct server_choice *c = start_choice(wb);
	struct page page = { 0 };
	int width = s.width < 72 ? s.width : 72;

	page_text(
	    &page, 0, ROLE_TITLE, a->input->description[0] ? a->input->description : a->input->id);
	page_text(&page, 0, ROLE_DIM,
	    a->input->password ? "Asked once, not shown, not stored." : "Asked once, not stored.");
	for (size_t i = 0; a->input->options && a->input->options[i]; i++) {
		bool taken = strcmp(a->input->options[i], edit_text(&a->edit)) == 0;
		page_row(&page, 2, taken ? "▸" : "", taken ? ROLE_TITLE : ROLE_TEXT,
		    a->input->options[i]);
	}
	struct surface box = dialog_box(s, width, (int)page_rows(&page, width - 4) + 6);
	struct surface inner =
	    surface_frame(box, true, c ? c->target->name : "", a->input->id, ROLE_DIM);
	page_draw(
	    &page, surface_sub(inner, 0, 0, inner.width, inner.height - 4), ROLE_DIALOG, true);
	draw_field(a, surface_sub(inner, 0, inner.height - 3, inner.width, 1));
	surface_text(inner, 0, inner.height - 1, -1, style_on(ROLE_HINT, ROLE_NONE),
	    a->input->options ? "Enter continue   Tab next choice   Esc do not start"
			      : "Enter continue   Esc do not start");
	page_finish(&page);
}

const struct dialog dialog_ask = {
	.key = ask_key,
	.draw = ask_draw,
	.finish = ask_finish,
	.keys = "Enter continue  Esc close", /* the box names Tab if there are choices */
	.decides = true,
	.types = true,
};

/* ---- the steps ---- */

size_t
start_shown(const struct workbench *wb)
{
	for (size_t i = 0; i < wb->ws.choice_count; i++)
		if (wb->ws.server && wb->ws.choices[i].server == wb->ws.server)
			return i;
	return SIZE_MAX;
}

static bool
show_server(struct workbench *wb, size_t choice)
{
	struct server *server = wb->ws.choices[choice].server;

	if (server && server != wb->ws.server)
		workspace_set_server(&wb->ws, server);
	wb->overlay = -1;
	return true;
}

static bool
start_go_on(struct workbench *wb)
{
	const struct server_choice *c = start_choice(wb);
	struct err err = { "" };

	if (!c)
		return workbench_say(wb, ROLE_ERROR, "no such server");
	if (c->target->trouble)
		return workbench_say(wb, ROLE_ERROR, "%s: %s", c->target->name, c->target->trouble);
	if (c->unapproved) {
		approval_finish(wb);
		fill_approval(&wb->approval, c);
		find_clear(wb, FIND_APPROVAL);
		wb->dialog = &dialog_approval;
		asked_appear(wb);
		return true;
	}
	const struct target_input *input = wb->effects->wanted(wb->user, wb->start.choice);
	if (input) {
		ask_open(wb, input);
		return true;
	}
	if (!wb->effects->start(wb->user, wb->start.choice, &err))
		return workbench_say(wb, ROLE_ERROR, "%s", err.text);
	wb->ws.generation++;
	return wb->start.shows ? show_server(wb, wb->start.choice) : true;
}

bool
start_show(struct workbench *wb, size_t choice)
{
	const struct server *server = wb->ws.choices[choice].server;

	if (server && server_info(server)->phase != SERVER_IDLE)
		return show_server(wb, choice);
	wb->start = (struct start){ choice, true };
	return start_go_on(wb);
}

bool
start_again(struct workbench *wb, size_t choice)
{
	wb->start = (struct start){ choice, false };
	return start_go_on(wb);
}
