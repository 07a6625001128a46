/* SPDX-License-Identifier: MIT */
#ifndef APPS_READER_H
#define APPS_READER_H

#include "base/buf.h"
#include "json/doc.h"

/*
 * Append the page of an app as a screen reader presents it: a line for each element with its role,
 * name, value and state. nodes: an array of AXNode, the accessibility tree from DevTools. It is
 * untrusted; lines, depth and length are limited.
 */
void app_reader_add(struct buf *out, const cJSON *nodes);

#endif
