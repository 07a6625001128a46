#include "workbench_priv.h"

#include "base/secret.h"

#include <stdio.h>
#include <string.h>

/* What a project's file wants to run or reach, whole: it scrolls and is never cut. Only y approves,
 * and only once all of it was on the screen. */

enum { KEY_COLS = 11 };

void
approval_finish(struct approval *a)
{
	page_finish(&a->page);
	*a = (struct approval){ 0 };
}

static void
add_dangers(struct page *p, const struct server_choice *c, const char *text)
{
	for (size_t i = 0; i < c->danger_count; i++) {
		if (c->dangers[i].text != text)
			continue;
		char line[160];
		snprintf(line, sizeof(line), "! %s", c->dangers[i].why);
		page_text(p, KEY_COLS, ROLE_WARNING, line);
	}
}

static bool
is_dangerous(const struct server_choice *c, const char *text)
{
	for (size_t i = 0; i < c->danger_count; i++)
		if (c->dangers[i].text == text)
			return true;
	return false;
}

static void
add_text(struct page *p, const struct server_choice *c, const char *key, const char *text)
{
	page_row(p, KEY_COLS, key, is_dangerous(c, text) ? ROLE_WARNING : ROLE_TITLE,
	    *text ? text : "(empty)");
	add_dangers(p, c, text);
}

/* An argument a row: a blank in one is not mistaken for two. */
static void
add_command(struct page *p, const struct server_choice *c)
{
	char key[32];

	add_text(p, c, "command", c->target->argv[0]);
	for (size_t i = 1; c->target->argv[i]; i++) {
		snprintf(key, sizeof(key), "argument %zu", i);
		add_text(p, c, key, c->target->argv[i]);
	}
}

static void
add_url(struct page *p, const struct server_choice *c)
{
	const char *url = c->target->url;
	struct buf shown = BUF_INIT;

	secret_hide_url(&shown, url);
	page_row(p, KEY_COLS, "URL", is_dangerous(c, url) ? ROLE_WARNING : ROLE_TITLE,
	    shown.len ? shown.data : "(empty)");
	add_dangers(p, c, url);
	buf_finish(&shown);
}

/* Names only: values may be secrets, and are the hash's. */
static void
add_names(struct page *p, const struct server_choice *c, const char *key, char *const *pairs,
    const char *end)
{
	struct buf name = BUF_INIT;

	for (size_t i = 0; pairs && pairs[i]; i++) {
		buf_clear(&name);
		buf_addf(&name, "%.*s  (value not shown)", (int)strcspn(pairs[i], end), pairs[i]);
		page_row(p, KEY_COLS, i == 0 ? key : "",
		    is_dangerous(c, pairs[i]) ? ROLE_WARNING : ROLE_TEXT, buf_text(&name));
		add_dangers(p, c, pairs[i]);
	}
	buf_finish(&name);
}

/* Values of the user's environment that the file put into it. */
static void
add_passed(struct page *p, const struct target *t)
{
	struct buf names = BUF_INIT;

	for (size_t i = 0; t->passed && t->passed[i]; i++)
		buf_addf(&names, "%s%s", i ? ", " : "", t->passed[i]);
	if (names.len > 0)
		page_row(p, KEY_COLS, "is given", ROLE_WARNING, buf_text(&names));
	if (names.len > 0)
		page_text(p, KEY_COLS, ROLE_WARNING, "! values of these variables of yours");
	buf_finish(&names);
}

static void
fill(struct page *p, const struct server_choice *c)
{
	const struct target *t = c->target;

	page_text(p, 0, ROLE_TEXT,
	    t->url
		? "A file of this folder wants to connect to a server. Nothing was sent to it yet."
		: "A file of this folder wants to run a program. It has not run yet.");
	page_gap(p);
	page_row(p, KEY_COLS, "server", ROLE_TITLE, t->name);
	page_row(p, KEY_COLS, "file", ROLE_TEXT, t->file ? t->file : "");
	page_gap(p);
	if (t->url)
		add_url(p, c);
	else
		add_command(p, c);
	if (!t->url)
		page_row(p, KEY_COLS, "folder",
		    t->cwd && is_dangerous(c, t->cwd) ? ROLE_WARNING : ROLE_TEXT,
		    c->folder ? c->folder : "this one");
	if (t->cwd)
		add_dangers(p, c, t->cwd);
	add_names(p, c, "env", t->env, "=");
	add_names(p, c, "headers", t->headers, ":");
	if (t->env_file)
		add_text(p, c, "envFile", t->env_file);
	add_passed(p, t);
	page_gap(p);
	page_text(p, 0, ROLE_TEXT,
	    t->url ? "It will see what you send to it, and what it answers is shown here."
		   : "It runs with all your rights: it can read and change your files and use the "
		     "network. Run only what you know.");
	page_text(p, 0, ROLE_DIM,
	    "The answer y is remembered for exactly this; if the file changes, you are asked "
	    "again.");
}

void
approval_open(struct workbench *wb)
{
	approval_finish(&wb->approval);
	fill(&wb->approval.page, start_choice(wb));
	wb->modal = MODAL_APPROVAL;
}

static void
decline(struct workbench *wb)
{
	const struct server_choice *c = start_choice(wb);

	wb->modal = MODAL_NONE;
	approval_finish(&wb->approval);
	workbench_say(wb, ROLE_DIM, "%s was not started", c ? c->target->name : "it");
}

static void
approve(struct workbench *wb)
{
	struct err err = { "" };

	if (!wb->approval.page.read) {
		workbench_say(wb, ROLE_WARNING, "there is more of it: read to the end first");
		return;
	}
	wb->modal = MODAL_NONE;
	approval_finish(&wb->approval);
	bool remembered = wb->host->approve(wb->user, wb->starting, &err);
	wb->ws.generation++;
	if (start_go_on(wb) && !remembered)
		workbench_say(wb, ROLE_WARNING, "not remembered: %s", err.text);
}

void
approval_key(struct workbench *wb, const struct key *key)
{
	uint32_t ch = key->kind == KEY_CHAR ? key->ch : 0;
	int clicked = buttons_at(&wb->approval.buttons, key);

	if (page_key(&wb->approval.page, key))
		return;
	if (ch == 'y' || ch == 'Y' || clicked == 0)
		approve(wb);
	else if (key->kind == KEY_ESCAPE || key->kind == KEY_ENTER || clicked == 1 || ch == 'n' ||
		 ch == 'N' || ch == 'q' || (ch == 'c' && key->mods == MOD_CTRL))
		decline(wb);
}

void
approval_draw(struct workbench *wb, struct surface s)
{
	struct page *p = &wb->approval.page;
	int width = s.width < 100 ? s.width : 100;
	int rows = (int)page_rows(p, width - 4) + 4;
	int height = rows < s.height ? rows : s.height;
	struct surface box =
	    surface_sub(s, (s.width - width) / 2, (s.height - height) / 2, width, height);
	const struct server_choice *c = start_choice(wb);
	bool url = c && c->target->url;

	surface_clear(box, style_on(ROLE_TEXT, ROLE_DIALOG));
	struct surface inner =
	    surface_frame(box, true, url ? "Connect to this server?" : "Run this program?",
		rows > height && !p->read ? "PgDn: there is more" : "", ROLE_WARNING);
	page_draw(p, surface_sub(inner, 0, 0, inner.width, inner.height - 2), ROLE_DIALOG, true);
	struct buttons *b = &wb->approval.buttons;
	int y = inner.height - 1;
	buttons_clear(b);
	int x = buttons_add(b, inner, 0, y, p->read ? ROLE_BUTTON : ROLE_HINT,
	    url ? " Connect  y " : " Run it  y ");
	buttons_add(b, inner, x + 2, y, ROLE_BUTTON_FOCUS,
	    url ? " Do not connect  Enter " : " Do not run it  Enter ");
}
