#ifndef STAGE_APP_H
#define STAGE_APP_H

#include "client/app.h"
#include "stage.h"

/* Apps on a stage: their pages are made up, and the test says what happens in them. */
void stage_use_apps(struct stage *s);
void stage_lack_engine(struct stage *s, const char *trouble); /* none runs: why */
struct app *stage_app(struct stage *s); /* the first that is open; fails without one */
/* The page of that app sends a message. */
void stage_app_says(struct stage *s, const char *json);
/* "violation img-src https://a.example/x.png": the kind, then its level or directive, its URL, and
 * the rest is its text; "-" for none. */
void stage_app_note(struct stage *s, const char *words);

#endif
