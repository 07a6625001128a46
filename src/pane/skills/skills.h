#ifndef PANE_SKILLS_SKILLS_H
#define PANE_SKILLS_SKILLS_H

#include "client/skills.h"
#include "pane/pane_text.h"

extern const struct skill_look {
	const char *mark;
	enum role role;
} skill_looks[]; /* by enum skill_state */

/* "3 files, 343 B", or "dynamic". */
void skills_add_facts(const struct primitive *skill, struct buf *out);
/* The verdict on the file that was read, the entry if wanted, the content. c: NULL if it was not
 * read. */
void skills_page_write(struct page *page, const struct view_env *env, const struct primitive *skill,
    bool with_entry, const struct call *c);

#endif
