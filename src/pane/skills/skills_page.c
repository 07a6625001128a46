#include "skills.h"

#include "json/print.h"

#include <string.h>

const struct skill_look skill_looks[] = {
	[SKILL_UNREAD] = { "·", ROLE_DIM },
	[SKILL_CHECKING] = { "◐", ROLE_ACCENT },
	[SKILL_VERIFIED] = { "✓", ROLE_OK },
	[SKILL_DYNAMIC] = { "?", ROLE_WARNING },
	[SKILL_FAILED] = { "✗", ROLE_ERROR },
};

void
skills_add_facts(const struct primitive *skill, struct buf *out)
{
	const cJSON *files = skill_files(skill->definition);

	if (!files) {
		buf_add_str(out, "dynamic");
		return;
	}
	buf_addf(out, "%zu file%s, ", json_count(files), json_count(files) == 1 ? "" : "s");
	pane_add_bytes(out, skill_bytes(skill->definition));
}

#define KEY_COLS 15

static void
write_frontmatter(struct page *page, const cJSON *frontmatter)
{
	if (json_type(frontmatter) != JSON_OBJECT)
		return;
	for (const cJSON *m = json_first(frontmatter); m; m = m->next) {
		struct buf text = BUF_INIT;
		if (json_string(m))
			buf_add_str(&text, json_string(m));
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
	page_gap(page);
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
	    approved                         ? "given for these files, as they are; O takes it back"
	    : skill_files(skill->definition) ? "not given: Enter shows a file here, O lets it "
					       "be copied and saved"
					     : "cannot be given: without digests there is nothing "
					       "to approve");
	write_folder(page, skill, &info);
	buf_finish(&facts);
}

static void
write_verdict(struct page *page, const struct call *c)
{
	enum role role = skill_looks[c->skill.state].role;

	if (c->state == CALL_RUNNING)
		page_text(page, 0, ROLE_DIM, "reading");
	else if (c->state != CALL_DONE)
		page_text(page, 0, ROLE_ERROR, c->error_text);
	else
		page_mark_row(page, 2, role, skill_looks[c->skill.state].mark, role, c->skill.text);
	page_gap(page);
}

static void
write_content(struct page *page, const struct call *c)
{
	for (size_t i = 0; i < c->result.len; i++) {
		if (i > 0)
			page_gap(page);
		if (c->result.blocks[i].text)
			page_text(page, 0, ROLE_TEXT, c->result.blocks[i].text);
		else
			page_text(page, 0, ROLE_HINT,
			    "bytes that are no text: y copies them, :write FILE saves them");
	}
}

void
skills_page_write(struct page *page, const struct view_env *env, const struct primitive *skill,
    bool with_entry, const struct call *c)
{
	if (c)
		write_verdict(page, c);
	if (with_entry)
		write_entry(page, env, skill);
	if (c && with_entry)
		page_gap(page);
	if (c)
		write_content(page, c);
	else if (!with_entry)
		page_text(page, 0, ROLE_HINT, "Not read yet: Enter reads it.");
}
