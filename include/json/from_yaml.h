#ifndef JSON_FROM_YAML_H
#define JSON_FROM_YAML_H

#include "json/doc.h"

/*
 * YAML as JSON: one document, its plain scalars typed by the core schema of YAML 1.2 (no "yes", no
 * dates). What JSON cannot say is refused: anchors and aliases, keys that are not scalars, a key
 * twice. The parser is libyaml, loaded at first use.
 */
#define YAML_MAX_BYTES ((size_t)1 << 20)
#define YAML_MAX_DEPTH 64

/* NULL: err has the reason, with the line. An empty text is null. */
struct json_doc *yaml_parse(const char *text, size_t len, struct err *err);

#endif
