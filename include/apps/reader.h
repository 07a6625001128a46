#ifndef APPS_READER_H
#define APPS_READER_H

#include "base/buf.h"
#include "json/doc.h"

/*
 * Adds the page of an app as a screen reader tells it: a line per thing with its role, name, value
 * and state. nodes: an array of AXNode, the accessibility tree as DevTools has it. Of any shape: a
 * process of the app wrote it. Bounded in lines, depth and length; the texts are untrusted.
 */
void app_reader_add(struct buf *out, const cJSON *nodes);

#endif
