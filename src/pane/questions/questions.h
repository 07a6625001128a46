#ifndef PANE_QUESTIONS_QUESTIONS_H
#define PANE_QUESTIONS_QUESTIONS_H

#include "pane/form/form_pane.h"

#define QUESTION_BUTTONS 5
#define URL_INDENT 2 /* columns before a URL */

/* Lines in sequence; those from `top` on are visible. */
struct flow {
	struct surface s;
	struct wrap *wrap;
	size_t top, row; /* the next one */
};

struct questions {
	struct form_pane form; /* first, because form actions cast to it */
	uint64_t question;     /* the question that the members below belong to */
	int button;
	size_t top, rows; /* of the text */
	int page;
	struct wrap wrap;
	struct edit answer; /* of a sampling */
	bool editing;
	bool reading, cut; /* the message is shown whole; it is longer than its rows */
	size_t root;       /* selected */
	int form_y;        /* position of the form */
	int buttons_y, buttons_x[QUESTION_BUTTONS + 1];
};

struct question_button {
	const char *label, *command;
};

/* question_page.c */
void questions_draw(void *state, const struct pane_env *env, struct surface s);
int questions_want(void *state, const struct pane_env *env, int width);

/* question_look.c */
void question_draw_buttons(
    struct questions *p, const struct question *q, struct surface s, bool focused);

/* question_text.c */
void flow_add(struct flow *f, enum role role, int indent, const char *text, size_t len);
void __attribute__((format(printf, 4, 5)))
flow_addf(struct flow *f, enum role role, int indent, const char *format, ...);

/* question_sampling.c */
void question_draw_sampling(const struct question *q, struct flow *f);
void question_draw_answer(
    struct questions *p, const struct question *q, struct surface s, bool focused);

#endif
