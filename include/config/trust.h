#ifndef CONFIG_TRUST_H
#define CONFIG_TRUST_H

#include "base/sha256.h"
#include "config/target.h"
#include "model/choice.h"

/*
 * What a project's file wants to run is shown to the user before it first runs. The answer is
 * remembered for just that: command, arguments, environment and folder, or URL and headers, as a
 * hash in <state>/approved, which is the user's alone.
 */
void trust_mark(const struct target *t, char mark[SHA256_HEX]);
bool trust_is_given(const char *mark);
bool trust_give(const struct target *t, const char *mark, struct err *err);
/* In the text of that file, whose lines are a mark, a blank, and the file that it came from. */
bool trust_has_mark(const char *text, size_t len, const char *mark);

/* What to look at in t. Appends; the texts are the target's own. folder: where the project is,
 * absolute. */
struct dangers {
	struct choice_danger *items;
	size_t len, cap;
};
void trust_find_dangers(const struct target *t, const char *folder, struct dangers *out);

#endif
