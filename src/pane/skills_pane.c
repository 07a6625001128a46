/* SPDX-License-Identifier: MIT */
#include "client/skills.h"
#include "base/vec.h"
#include "json/print.h"
#include "pane/pane_text.h"
#include "view/rows.h"

#include <stdlib.h>
#include <string.h>

static const struct {
	const char *mark;
	enum role role;
} skill_looks[] = {
	[SKILL_UNREAD] = { "·", ROLE_DIM },
	[SKILL_CHECKING] = { "◐", ROLE_ACCENT },
	[SKILL_VERIFIED] = { "✓", ROLE_OK },
	[SKILL_DYNAMIC] = { "?", ROLE_WARNING },
	[SKILL_FAILED] = { "✗", ROLE_ERROR },
};

/* "3 files, 343 B", or "dynamic". */
static void
skills_add_facts(const struct primitive *skill, struct buf *out)
{
	const cJSON *files = skill_files(skill->definition);

	if (files)
		buf_addf(out, "%zu file%s, %s", json_count(files), plural(json_count(files)),
		    pane_bytes(skill_bytes(skill->definition)).text);
	else
		buf_add_str(out, "dynamic");
}

#define KEY_COLS 15

static void
write_frontmatter(struct page *page, const cJSON *frontmatter)
{
	if (json_type(frontmatter) != JSON_OBJECT)
		return;
	for (const cJSON *m = json_first(frontmatter); m; m = m->next) {
		struct buf text = BUF_INIT;
		if (cJSON_GetStringValue(m))
			buf_add_str(&text, cJSON_GetStringValue(m));
		else
			json_print_brief(&text, m, 2000);
		if (strcmp(m->string, "allowed-tools") == 0)
			buf_add_str(&text, "  (grants nothing here)");
		page_row(page, KEY_COLS, m->string, ROLE_TEXT, buf_text(&text));
		buf_finish(&text);
	}
}

static void
write_folder(struct page *page, const struct primitive *skill, const struct skills_info *info)
{
	const struct primitive_list *list = &info->files->list;

	if (strncmp(info->folder, skill->key, strlen(info->folder)) != 0 || !*info->folder)
		return;
	page_head(page, info->folder);
	if (info->files->error[0])
		page_text(page, 0, ROLE_ERROR, info->files->error);
	for (size_t i = 0; i < list->len; i++) {
		const struct primitive *f = &list->items[i];
		bool is_folder = f->mime && strcmp(f->mime, "inode/directory") == 0;
		bool is_new = !is_folder && skill_files(skill->definition) &&
			      !skill_file(skill->definition, f->key);
		page_row(page, KEY_COLS, f->name, is_new ? ROLE_WARNING : ROLE_DIM,
		    is_folder ? "folder"
		    : is_new  ? "not in the entry: the skill has changed, f asks for it again"
			      : f->key);
	}
}

static void
write_entry(struct page *page, const struct view_env *env, const struct primitive *skill)
{
	const struct skills_info info = server_skills(env->ws->server);
	struct buf facts = BUF_INIT;
	bool approved = server_skill_is_approved(env->ws->server, skill);

	skills_add_facts(skill, &facts);
	if (info.trouble[0])
		page_text(page, 0, ROLE_ERROR, info.trouble);
	if (skill->broken)
		page_text(page, 0, ROLE_ERROR, skill->problem);
	page_row(page, KEY_COLS, "server", ROLE_TEXT, server_info(env->ws->server)->name);
	page_row(page, KEY_COLS, "uri", ROLE_TEXT, skill->key);
	write_frontmatter(page, json_get(skill->definition, "frontmatter"));
	page_row(page, KEY_COLS, "files", ROLE_TEXT, buf_text(&facts));
	page_row(page, KEY_COLS, "consent", approved ? ROLE_OK : ROLE_TEXT,
	    approved                         ? "given for these exact files; O revokes it"
	    : skill_files(skill->definition) ? "not given: Enter shows a file here, O allows "
					       "copying and saving it"
					     : "cannot be given: without digests there is nothing "
					       "to approve");
	write_folder(page, skill, &info);
	buf_finish(&facts);
}

/* Write the verdict on the file that was read, the entry if wanted, and the content. c: NULL if the
 * file was not read. */
static void
skills_page_write(struct page *page, const struct view_env *env, const struct primitive *skill,
    bool with_entry, const struct call *c)
{
	if (c && c->state == CALL_RUNNING) {
		page_text(page, 0, ROLE_DIM, "reading");
	} else if (c && c->state != CALL_DONE) {
		page_text(page, 0, ROLE_ERROR, c->error_text);
	} else if (c) {
		enum role role = skill_looks[c->skill.state].role;
		page_mark_row(page, 2, role, skill_looks[c->skill.state].mark, role, c->skill.text);
	}
	if (c)
		page_gap(page);
	if (with_entry)
		write_entry(page, env, skill);
	if (c && with_entry)
		page_gap(page);
	if (!c && !with_entry)
		page_text(page, 0, ROLE_HINT, "Not read yet: Enter reads it.");
	for (size_t i = 0; c && i < c->result.len; i++) {
		const char *text = c->result.blocks[i].text;
		if (i > 0)
			page_gap(page);
		page_text(page, 0, text ? ROLE_TEXT : ROLE_HINT,
		    text ? text : "not a text: y copies the bytes, :write FILE saves them");
	}
}

/*
 * The skills of the server with their files. The page below them shows the entry of the selected
 * skill, or the file with the result of the comparison. A file is read on request, and can be
 * copied only after the user approved its skill.
 */
struct skill_row {
	uint32_t skill; /* of server_skill_at() */
	uint32_t file;  /* from 1; 0: the skill */
};

/* The subject of the page: it is written again if a member changes. */
struct skills_shown {
	const struct server *server;
	uint64_t lists, call;
	const cJSON *entry;
	uint32_t state, skill, file;
	uint32_t approved : 1, asking : 1, listing : 1,
	    unused : 29; /* no padding: compared as bytes */
};

struct skills_pane {
	struct rows rows;
	struct {
		struct skill_row *items;
		size_t len, cap;
	} shown_rows;
	size_t all; /* skills regardless of the filter */
	struct page page;
	struct skills_shown shown;
	const struct server *server; /* the server of the rows, and the state of its skills */
	uint64_t entries;
};

static void
skills_finish(void *state)
{
	struct skills_pane *p = state;

	free(p->shown_rows.items);
	page_finish(&p->page);
}

/* ---- the list ---- */

/* Add a row for each skill that passes the filter, and for each of its files. */
static void
skills_renew(void *state, const struct view_env *env)
{
	struct skills_pane *p = state;
	const struct server *s = env->ws->server;
	const char *filter = buf_text(&p->rows.filter);

	p->shown_rows.len = 0;
	p->all = s ? server_skill_count(s) : 0;
	for (size_t i = 0; i < p->all; i++) {
		const struct primitive *skill = server_skill_at(s, i);
		const cJSON *files = skill->unusable ? NULL : skill_files(skill->definition);
		uint32_t file = 1;
		if (!strcasestr(skill->name, filter) && !strcasestr(skill->key, filter) &&
		    !(skill->description && strcasestr(skill->description, filter)))
			continue;
		*VEC_PUSH(&p->shown_rows) = (struct skill_row){ .skill = (uint32_t)i };
		for (const cJSON *f = json_first(files); f; f = f->next, file++)
			if (strcmp(json_get_string(f, "uri"), skill->key) != 0)
				*VEC_PUSH(&p->shown_rows) =
				    (struct skill_row){ .skill = (uint32_t)i, .file = file };
	}
	list_set_count(&p->rows.list, p->shown_rows.len);
}

static void
skills_sync(void *state, const struct view_env *env)
{
	struct skills_pane *p = state;
	const struct server *s = env->ws->server;
	uint64_t entries = s ? server_skills(s).entries : 0;

	if (p->server == s && p->entries == entries)
		return;
	p->server = s;
	p->entries = entries;
	skills_renew(p, env);
}

static const struct skill_row *
skills_selected(const struct skills_pane *p)
{
	return p->rows.list.selected < p->shown_rows.len
		   ? &p->shown_rows.items[p->rows.list.selected]
		   : NULL;
}

static const struct primitive *
selected_skill(const struct skills_pane *p, const struct view_env *env)
{
	const struct skill_row *row = skills_selected(p);

	return row && env->ws->server ? server_skill_at(env->ws->server, row->skill) : NULL;
}

static const char *
uri_of(const struct primitive *skill, const struct skill_row *row)
{
	const cJSON *file = row->file > 0 ? json_first(skill_files(skill->definition)) : NULL;

	for (uint32_t i = 1; file && i < row->file; i++)
		file = file->next;
	return file && json_get_string(file, "uri") ? json_get_string(file, "uri") : skill->key;
}

static const char *
selected_uri(const struct skills_pane *p, const struct view_env *env)
{
	const struct primitive *skill = selected_skill(p, env);

	return skill ? uri_of(skill, skills_selected(p)) : "";
}

static const struct call *
selected_call(const struct skills_pane *p, const struct view_env *env)
{
	const struct primitive *skill = selected_skill(p, env);

	return skill ? server_skill_call(env->ws->server, skill, selected_uri(p, env)) : NULL;
}

/* ---- the rows ---- */

/* The columns of sizes and the consent, at the right. */
#define FACTS_COLS 32

static void
draw_skill(const struct view_env *env, const struct primitive *skill, struct surface s, int y)
{
	struct buf facts = BUF_INIT;
	bool approved = server_skill_is_approved(env->ws->server, skill);

	if (approved)
		buf_add_str(&facts, "approved · ");
	skills_add_facts(skill, &facts);
	int x = 2 + surface_text(s, 2, y, s.width - 2 - FACTS_COLS,
			style_of(skill->broken ? ROLE_ERROR : ROLE_TITLE), skill->name);
	const char *rest = skill->broken ? skill->problem : skill->description;
	if (rest)
		surface_text(s, x + 2, y, s.width - x - 3 - FACTS_COLS, style_of(ROLE_HINT), rest);
	surface_text_right(s, s.width - 2, y, FACTS_COLS - 2,
	    style_of(approved ? ROLE_OK : ROLE_DIM), buf_text(&facts));
	buf_finish(&facts);
}

static void
skills_draw_row(void *state, const struct view_env *env, struct surface s, int y, size_t index)
{
	const struct server *server = env->ws->server;
	const struct skill_row *row = &((struct skills_pane *)state)->shown_rows.items[index];
	const struct primitive *skill = server_skill_at(server, row->skill);
	const char *uri = uri_of(skill, row);
	const struct call *c = server_skill_call(server, skill, uri);
	enum skill_state mark = c ? c->skill.state : SKILL_UNREAD;

	if (row->file == 0) {
		draw_skill(env, skill, s, y);
	} else {
		size_t size = skill_file_size(skill_file(skill->definition, uri));
		surface_text(s, 6, y, s.width - 6 - FACTS_COLS, style_of(ROLE_TEXT),
		    skill_file_name(skill->key, uri));
		surface_text_right(s, s.width - 2, y, FACTS_COLS - 2, style_of(ROLE_DIM),
		    size != SIZE_MAX ? pane_bytes(size).text : "");
	}
	if (c && c->state != CALL_DONE) /* running, or ended with an error */
		mark = c->state == CALL_RUNNING ? SKILL_CHECKING : SKILL_FAILED;
	surface_text(
	    s, row->file ? 4 : 0, y, 1, style_of(skill_looks[mark].role), skill_looks[mark].mark);
}

/* ---- the page below ---- */

static void
renew_page(struct skills_pane *p, const struct view_env *env)
{
	const struct primitive *skill = selected_skill(p, env);
	const struct call *c = selected_call(p, env);
	const struct skills_info info = server_skills(env->ws->server);
	struct skills_shown now = {
		.server = env->ws->server,
		.lists = info.entries + info.files->generation,
		.call = c ? c->id : 0,
		.entry = skill->definition,
		.state = c ? (uint32_t)c->state << 8 | (uint32_t)c->skill.state : CALL_RUNNING,
		.approved = server_skill_is_approved(env->ws->server, skill),
		.asking = info.asking,
		.listing = lister_is_busy(info.files),
		.skill = skills_selected(p)->skill,
		.file = skills_selected(p)->file,
	};

	if (memcmp(&now, &p->shown, sizeof(now)) == 0)
		return;
	if (now.skill != p->shown.skill || now.file != p->shown.file)
		p->page.top = 0;
	p->shown = now;
	page_clear(&p->page);
	skills_page_write(&p->page, env, skill, now.file == 0, c);
}

static void
skills_draw(void *state, const struct view_env *env, struct surface s)
{
	struct skills_pane *p = state;
	int rows = s.height / 2;

	if (!env->ws->server) {
		pane_draw_server_state(env, s);
		return;
	}
	pane_draw_filter(s, &p->rows, NULL);
	if (p->shown_rows.len == 0) {
		const struct lister *l = &server_info(env->ws->server)->lists[PRIMITIVE_SKILL];
		pane_draw_text(surface_sub(s, 0, 1, s.width, s.height - 1), 0, ROLE_HINT,
		    p->all > 0          ? "nothing matches: Esc shows all"
		    : l->error[0]       ? l->error
		    : lister_is_busy(l) ? "listing"
		    : l->list.note[0]   ? l->list.note
				      : "The server lists no skills; :get-skill URI asks for one.");
		return;
	}
	if (p->shown_rows.len < (size_t)rows)
		rows = (int)p->shown_rows.len;
	rows_draw(p, env, s, 1, rows);
	renew_page(p, env);
	pane_draw_below(s, rows + 1, ROLE_DIM, selected_uri(p, env), &p->page);
}

static enum role
skills_heading(void *state, const struct view_env *env, struct buf *title, struct buf *facts)
{
	const struct skills_pane *p = state;

	buf_add_str(title, "skills · instructions for a model");
	if (p->all > 0)
		buf_addf(facts, "%zu skill%s", p->all, plural(p->all));
	return ROLE_DIM;
}

/* ---- commands and keys ---- */

static bool
act_read(void *state, const struct view_env *env, const char *arg)
{
	struct skills_pane *p = state;
	const struct primitive *skill = selected_skill(p, env);
	struct buf arguments = BUF_INIT;
	struct err err = { "no skill is selected" };
	const char *name = skill ? skill_file_name(skill->key, selected_uri(p, env)) : "";
	uint64_t call = 0;

	if (skill && server_skill_read_before(env->ws->server, skill, selected_uri(p, env))) {
		env->host->say(env->user, ROLE_DIM,
		    "read before, and nothing has changed; f asks for the entry again");
		return true;
	}
	buf_add_str(&arguments, "{\"file\":");
	json_print_string(&arguments, name, strlen(name));
	buf_add_char(&arguments, '}');
	if (skill)
		call = server_ask(
		    env->ws->server, skill, buf_text(&arguments), arguments.len, env->now_us, &err);
	buf_finish(&arguments);
	return call || view_refuse(env, "%s", err.text);
}

static bool
act_approve(void *state, const struct view_env *env, const char *arg)
{
	struct skills_pane *p = state;
	const struct primitive *skill = selected_skill(p, env);
	struct err err = { "no skill is selected" };

	if (skill && server_skill_is_approved(env->ws->server, skill)) {
		server_skill_revoke(env->ws->server, skill);
		env->host->say(env->user, ROLE_OK, "approval revoked");
		return true;
	}
	if (!skill || !server_skill_approve(env->ws->server, skill, &err))
		return view_refuse(env, "%s", err.text);
	env->host->say(env->user, ROLE_OK,
	    "approved with these files and digests; if they change, you are asked again");
	return true;
}

static bool
act_get(void *state, const struct view_env *env, const char *uri)
{
	struct skills_pane *p = state;
	const struct primitive *skill = selected_skill(p, env);
	struct err err = { "no server is connected" };

	if (*uri == '\0' && !skill)
		return view_refuse(env, "give the URI of a skill");
	return (env->ws->server &&
		   server_skill_get(env->ws->server, *uri ? uri : skill->key, env->now_us, &err)) ||
	       view_refuse(env, "%s", err.text);
}

static bool
act_folder(void *state, const struct view_env *env, const char *name)
{
	struct skills_pane *p = state;
	const struct primitive *skill = selected_skill(p, env);
	struct err err = { "no skill is selected" };

	return (skill && server_skill_browse(
			     env->ws->server, skill, *name ? name : "./", env->now_us, &err)) ||
	       view_refuse(env, "%s", err.text);
}

/* Copy the content if the skill is approved, else the URI. */
static void
skills_copy(void *state, const struct view_env *env, const char *part, struct buf *out)
{
	struct skills_pane *p = state;
	const struct call *c = selected_call(p, env);

	if (c && server_skill_may_use(env->ws->server, c, NULL))
		content_add_bytes(out, &c->result.blocks[0]);
	else
		buf_add_str(out, selected_uri(p, env));
}

static bool
act_copy(void *state, const struct view_env *env, const char *arg)
{
	struct skills_pane *p = state;
	const struct call *c = selected_call(p, env);
	struct err err = { "not read yet: Enter reads it" };

	if (!c || !server_skill_may_use(env->ws->server, c, &err))
		return view_refuse(env, "%s", err.text);
	return pane_act_copy(state, env, arg);
}

static const char *
filtered(const void *state)
{
	const struct skills_pane *p = state;

	return p->all > 0 ? buf_text(&p->rows.filter) : NULL;
}

/* Select a skill by its URI or name; clears the filter. */
static bool
act_show(void *state, const struct view_env *env, const char *name)
{
	struct skills_pane *p = state;
	const struct server *s = env->ws->server;

	if (s && buf_text(&p->rows.filter)[0]) {
		buf_clear(&p->rows.filter);
		skills_renew(p, env);
	}
	for (size_t row = 0; s && row < p->shown_rows.len; row++) {
		const struct skill_row *r = &p->shown_rows.items[row];
		const struct primitive *skill = server_skill_at(s, r->skill);
		if (r->file > 0 ||
		    (strcmp(skill->key, name) != 0 && strcmp(skill->name, name) != 0))
			continue;
		list_select(&p->rows.list, row);
		return env->host->run(env->user, "pane skills");
	}
	return view_refuse(env, "the server lists no such skill; :get-skill URI asks for one");
}

static const struct view_action actions[] = {
	{ "read-skill", "enter", "", "read the SKILL.md or the file, and compare it with the entry",
	    act_read, "read" },
	{ "approve-skill", "O", "",
	    "approve the skill, so that its files can be copied and saved, or revoke that",
	    act_approve, "approve" },
	{ "skill", "", "URI", "show a skill in the list, by its URI or name", act_show, NULL },
	{ "get-skill", "f", "[URI]", "request the current entry, or a skill by its URI", act_get,
	    "ask again" },
	{ "list-folder", "F", "[FOLDER/]", "list a folder of the skill, if the server can",
	    act_folder, "folder" },
	{ "copy-skill", "y", "", "copy the file of an approved skill; :write FILE saves it",
	    act_copy, "copy" },
	{ 0 },
};

static bool
skills_key(void *state, const struct view_env *env, const struct key *key)
{
	return page_key_below_list(&((struct skills_pane *)state)->page, key);
}

static const char *
skills_hint(void *state, const struct view_env *env, const struct view_action *action)
{
	return selected_skill(state, env) ? action->hint : NULL;
}

static const struct row_ops row_ops = {
	.draw = skills_draw_row, .open = act_read, .filter = skills_renew
};

const struct view_ops pane_skills = {
	.title = "skills",
	.help = "the server's skills, compared with their digests",
	.state_size = sizeof(struct skills_pane),
	.actions = actions,
	.finish = skills_finish,
	.sync = skills_sync,
	.heading = skills_heading,
	.draw = skills_draw,
	.key = skills_key,
	.filtered = filtered,
	.rows = &row_ops,
	.hint = skills_hint,
	.copy = skills_copy,
};
