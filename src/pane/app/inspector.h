#ifndef PANE_APP_INSPECTOR_H
#define PANE_APP_INSPECTOR_H

#include "client/app.h"
#include "client/findings.h"
#include "ui/page.h"

/* inspector_page.c: all that is known of the app */
void inspector_write(struct page *page, const struct app_facts *f, const struct findings *found);

#endif
