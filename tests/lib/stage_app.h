/* SPDX-License-Identifier: MIT */
#ifndef STAGE_APP_H
#define STAGE_APP_H

#include "client/app.h"
#include "stage.h"

/* Apps on a stage: the test scripts their pages. */
void stage_use_apps(struct stage *s);
void stage_lack_engine(struct stage *s, const char *trouble); /* trouble: why apps cannot run */
struct app *stage_app(struct stage *s); /* the first open app; fails without one */
/* The page of the first app sends a message. */
void stage_app_says(struct stage *s, const char *json);
/* "violation img-src https://a.example/x.png": kind, level or directive, URL, then text; "-" for an
 * empty word. */
void stage_app_note(struct stage *s, const char *words);

#endif
