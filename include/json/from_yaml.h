/* SPDX-License-Identifier: MIT */
#ifndef JSON_FROM_YAML_H
#define JSON_FROM_YAML_H

#include "json/doc.h"

/*
 * YAML as JSON: one document, its plain scalars typed by the core schema of YAML 1.2 (no "yes", no
 * dates). Documents that JSON cannot express are refused: keys that are not scalars, a key twice,
 * an alias in its own value. The parser is libyaml, loaded at first use.
 */
#define YAML_MAX_BYTES ((size_t)16 << 20)

/* NULL: *why has the reason and the place in the YAML. An empty text is null. */
struct json_doc *yaml_parse(const char *text, size_t len, struct json_error *why);

#endif
