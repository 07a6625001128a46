#ifndef PANE_QUESTIONS_QUESTIONS_H
#define PANE_QUESTIONS_QUESTIONS_H

#include "pane/form/form_pane.h"
#include "ui/page.h"

#define QUESTION_BUTTONS 5
#define URL_INDENT 2 /* columns before a URL */

struct questions {
	struct form_pane form; /* first, because form actions cast to it */
	uint64_t question;     /* the question that the members below belong to */
	int button;
	struct page text;       /* of what is no form, or the whole message */
	int text_y, origin_y;   /* of the text in the pane; of the pane */
	size_t url, first_root; /* items of the text */
	struct wrap wrap;
	struct edit answer; /* of a sampling */
	bool editing;
	bool asks_text; /* a sampling: letters begin its answer */
	bool reading, cut; /* the message is shown whole; it is longer than its rows */
	size_t root;       /* selected */
	int form_y;        /* position of the form */
	int buttons_y, buttons_x[QUESTION_BUTTONS + 1];
};

struct question_button {
	const char *label, *command;
};

/* question_page.c */
void questions_write(struct questions *p, const struct view_env *env); /* the text */
void questions_draw(void *state, const struct view_env *env, struct surface s);
int questions_want(void *state, const struct view_env *env, int width);
/* Adds a paragraph, of a huge one the beginning. */
void question_add(struct page *page, enum role role, int indent, const char *text, size_t len);
void __attribute__((format(printf, 4, 5)))
question_addf(struct page *page, enum role role, int indent, const char *format, ...);

/* questions_pane.c */
void question_draw_buttons(
    struct questions *p, const struct question *q, struct surface s, bool focused);

/* sampling.c */
void question_write_sampling(const struct question *q, struct page *page);
void question_draw_answer(
    struct questions *p, const struct question *q, struct surface s, bool focused);

#endif
