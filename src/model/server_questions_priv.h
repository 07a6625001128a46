#ifndef MODEL_SERVER_QUESTIONS_PRIV_H
#define MODEL_SERVER_QUESTIONS_PRIV_H

#include "model/answers.h"

struct server_questions {
	struct question **items;
	size_t len, cap;
	uint64_t last;
	struct roots roots;
	bool roots_allowed; /* by the user: told without asking */
	uint64_t ended;     /* the last that went without an answer; 0: none */
	char *end;          /* why */
};

void server_questions_init(struct server *s);
void server_questions_finish(struct server *s);
bool server_on_question(struct server *s, const struct session_question *asked, uint64_t call);
void server_on_question_gone(struct server *s, uint64_t session, const char *why);
void server_on_elicited(struct server *s, const cJSON *params);

#endif
