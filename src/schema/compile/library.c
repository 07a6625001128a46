/* SPDX-License-Identifier: MIT */
#include "compile.h"

#include "base/embedded.h"
#include "base/mem.h"
#include "base/vec.h"
#include "schema/schema.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* URIs are without scheme and trailing #. */
#define HOST "json-schema.org/"
#define MAX_HOPS 8 /* from a metaschema to its own metaschema */

static const struct {
	enum schema_draft draft;
	const char *name;
	const char *scheme;
	const char *uri;
} DIALECTS[] = {
	{ SCHEMA_DRAFT_04, "draft-04", "http://", HOST "draft-04/schema" },
	{ SCHEMA_DRAFT_06, "draft-06", "http://", HOST "draft-06/schema" },
	{ SCHEMA_DRAFT_07, "draft-07", "http://", HOST "draft-07/schema" },
	{ SCHEMA_DRAFT_2019_09, "2019-09", "https://", HOST "draft/2019-09/schema" },
	{ SCHEMA_DRAFT_2020_12, "2020-12", "https://", HOST "draft/2020-12/schema" },
	{ SCHEMA_DRAFT_V1, "v1", "https://", HOST "v1" },
	{ SCHEMA_DRAFT_V1, "v1", "https://", HOST "v1/2026" }, /* with the year of its release */
};
#define DIALECT_COUNT ARRAY_LEN(DIALECTS)

#define V19 HOST "draft/2019-09/vocab/"
#define V20 HOST "draft/2020-12/vocab/"
/* clang-format off */
static const struct {
	const char *uri;
	enum schema_draft draft;
	unsigned vocabularies;
	bool asserts_format; /* if required; in 2020-12 always */
} VOCABULARIES[] = {
	{ V20 "core", SCHEMA_DRAFT_2020_12, VOCABULARY_CORE, false },
	{ V20 "applicator", SCHEMA_DRAFT_2020_12, VOCABULARY_APPLICATOR, false },
	{ V20 "unevaluated", SCHEMA_DRAFT_2020_12, VOCABULARY_UNEVALUATED, false },
	{ V20 "validation", SCHEMA_DRAFT_2020_12, VOCABULARY_VALIDATION, false },
	{ V20 "format-annotation", SCHEMA_DRAFT_2020_12, VOCABULARY_FORMAT, false },
	{ V20 "format-assertion", SCHEMA_DRAFT_2020_12, VOCABULARY_FORMAT, true },
	{ V20 "content", SCHEMA_DRAFT_2020_12, VOCABULARY_CONTENT, false },
	{ V20 "meta-data", SCHEMA_DRAFT_2020_12, VOCABULARY_META, false },
	{ V19 "core", SCHEMA_DRAFT_2019_09, VOCABULARY_CORE, false },
	{ V19 "applicator", SCHEMA_DRAFT_2019_09, VOCABULARY_APPLICATOR | VOCABULARY_UNEVALUATED, false },
	{ V19 "validation", SCHEMA_DRAFT_2019_09, VOCABULARY_VALIDATION, false },
	{ V19 "format", SCHEMA_DRAFT_2019_09, VOCABULARY_FORMAT, true },
	{ V19 "content", SCHEMA_DRAFT_2019_09, VOCABULARY_CONTENT, false },
	{ V19 "meta-data", SCHEMA_DRAFT_2019_09, VOCABULARY_META, false },
};
/* clang-format on */
#define KNOWN_VOCABULARIES ARRAY_LEN(VOCABULARIES)

const char *
schema_draft_name(enum schema_draft draft)
{
	for (size_t i = 0; i < DIALECT_COUNT; i++)
		if (DIALECTS[i].draft == draft)
			return DIALECTS[i].name;
	return "unknown";
}

void
dialect_add_uri(enum schema_draft draft, struct buf *out)
{
	size_t i = 0;

	while (DIALECTS[i].draft != draft)
		i++;
	buf_addf(out, "%s%s", DIALECTS[i].scheme, DIALECTS[i].uri);
}

struct dialect
dialect_of_draft(enum schema_draft draft)
{
	return (struct dialect){ .draft = draft,
		.vocabularies = VOCABULARY_ALL,
		.asserts_format = draft == SCHEMA_DRAFT_V1 };
}

/* A URI without http or https and without an empty fragment; NULL for other schemes. */
static const char *
bare_uri(const char *uri, size_t *len)
{
	if (strncmp(uri, "http://", 7) == 0)
		uri += 7;
	else if (strncmp(uri, "https://", 8) == 0)
		uri += 8;
	else
		return NULL;
	*len = strlen(uri);
	if (*len > 0 && uri[*len - 1] == '#')
		--*len;
	return uri;
}

/* The URI of the latest draft. Schemas should not use it. */
#define LATEST HOST "schema"

enum schema_draft
dialect_named(const char *uri, bool *as_written)
{
	const char *whole = uri;
	size_t len = 0;

	uri = bare_uri(uri, &len);
	size_t exact = len;
	while (uri && len > 0 && (uri[len - 1] == '/' || uri[len - 1] == '#'))
		len--;
	for (size_t i = 0; uri && i < DIALECT_COUNT; i++) {
		const char *known = DIALECTS[i].uri, *scheme = DIALECTS[i].scheme;
		if (strlen(known) != len || memcmp(known, uri, len) != 0)
			continue;
		*as_written = len == exact && strncmp(whole, scheme, strlen(scheme)) == 0;
		return DIALECTS[i].draft;
	}
	*as_written = false;
	return uri && len == strlen(LATEST) && memcmp(LATEST, uri, len) == 0 ? SCHEMA_DRAFT_2020_12
									     : SCHEMA_DRAFT_UNKNOWN;
}

/* Applies the $vocabulary of a metaschema to the dialect. */
static bool
from_vocabularies(
    struct compiler *k, const cJSON *where, const cJSON *vocabularies, struct dialect *dialect)
{
	*dialect = (struct dialect){ .draft = SCHEMA_DRAFT_2020_12 };
	for (const cJSON *v = json_first(vocabularies); v; v = v->next) {
		size_t len = 0, i = 0;
		const char *uri = bare_uri(v->string, &len);
		while (uri && i < KNOWN_VOCABULARIES &&
		       (strlen(VOCABULARIES[i].uri) != len ||
			   memcmp(VOCABULARIES[i].uri, uri, len) != 0))
			i++;
		i = uri ? i : KNOWN_VOCABULARIES;
		if (i == KNOWN_VOCABULARIES && !cJSON_IsTrue(v))
			continue;
		if (i == KNOWN_VOCABULARIES)
			return compile_fail(
			    k, where, "its dialect requires the unknown vocabulary %s", v->string);
		dialect->draft = VOCABULARIES[i].draft;
		dialect->vocabularies |= VOCABULARIES[i].vocabularies;
		if (VOCABULARIES[i].asserts_format)
			dialect->asserts_format =
			    cJSON_IsTrue(v) || dialect->draft == SCHEMA_DRAFT_2020_12;
	}
	dialect->vocabularies |= VOCABULARY_CORE;
	return true;
}

bool
dialect_from_uri(struct compiler *k, const cJSON *where, const char *uri, struct dialect *dialect)
{
	const char *at = uri;
	bool as_written;

	for (unsigned hops = 0; at && hops < MAX_HOPS; hops++) {
		enum schema_draft draft = dialect_named(at, &as_written);
		if (draft != SCHEMA_DRAFT_UNKNOWN) {
			*dialect = dialect_of_draft(draft);
			return true;
		}
		const cJSON *metaschema = schema_library_find(k->schema->library, at);
		const cJSON *vocabularies = json_get(metaschema, "$vocabulary");
		if (cJSON_IsObject(vocabularies))
			return from_vocabularies(k, where, vocabularies, dialect);
		at = json_get_string(metaschema, "$schema");
	}
	dialect->unknown = true;
	return true;
}

/* A document by its URI; root is NULL if the library lacks it. */
struct library_entry {
	char *uri;
	const cJSON *root;
	struct json_doc *own;
	struct schema *compiled; /* compiled as a metaschema */
};

struct schema_library {
	struct map entries; /* by URI */
	schema_finder *finder;
	void *ctx;
};

struct schema_library *
schema_library_create(void)
{
	return mem_zalloc(sizeof(struct schema_library));
}

void
schema_library_destroy(struct schema_library *library)
{
	struct library_entry *s;

	if (!library)
		return;
	MAP_ALL(&library->entries, s)
		schema_destroy(s->compiled);
	MAP_ALL(&library->entries, s) {
		json_doc_destroy(s->own);
		free(s->uri);
		free(s);
	}
	map_finish(&library->entries);
	free(library);
}

void
schema_library_ask(struct schema_library *library, schema_finder *finder, void *ctx)
{
	library->finder = finder;
	library->ctx = ctx;
}

/* The entry of a URI without its fragment, added without a root if it is new. */
static struct library_entry *
entry_of(struct schema_library *library, const char *uri, bool *is_new)
{
	size_t len = strcspn(uri, "#");
	uint64_t hash = text_hash(library, uri, len);
	struct library_entry *s;

	*is_new = false;
	MAP_EACH(&library->entries, hash, s)
		if (strncmp(s->uri, uri, len) == 0 && s->uri[len] == '\0')
			return s;
	*is_new = true;
	s = mem_zalloc(sizeof(*s));
	s->uri = mem_strndup(uri, len);
	map_add(&library->entries, hash, s);
	return s;
}

void
schema_library_add(struct schema_library *library, const char *uri, const cJSON *root)
{
	bool is_new;
	struct library_entry *s = entry_of(library, uri, &is_new);

	if (!s->root)
		s->root = root;
}

const cJSON *
schema_library_find(struct schema_library *library, const char *uri)
{
	bool is_new;
	struct library_entry *s = entry_of(library, uri, &is_new);

	if (is_new) {
		const struct embedded_file *file = NULL;
		size_t len = 0;
		const char *bare = bare_uri(s->uri, &len);
		if (bare && strncmp(bare, HOST, strlen(HOST)) == 0)
			file = embedded_find(meta_files, bare + strlen(HOST));
		if (file) {
			s->own = json_parse(file->bytes, file->len, NULL, NULL);
			s->root = json_root(s->own);
		} else if (library->finder) {
			schema_library_add(library, s->uri, library->finder(library->ctx, s->uri));
		}
	}
	return s->root;
}

struct report *
schema_review(struct schema_library *library, const cJSON *root,
    const struct schema_options *options, struct schema_problem *problem)
{
	struct schema_problem unwanted;
	const char *declared = json_get_string(root, "$schema");
	enum schema_draft draft = options ? options->draft : SCHEMA_DRAFT_UNKNOWN, named;
	struct buf uri = BUF_INIT;
	bool as_written, is_new;

	problem = problem ? problem : &unwanted;
	*problem = (struct schema_problem){ 0 };
	if (declared && (named = dialect_named(declared, &as_written)) != SCHEMA_DRAFT_UNKNOWN) {
		dialect_add_uri(named, &uri);
	} else if (declared && schema_library_find(library, declared)) {
		buf_add_str(&uri, declared);
	} else { /* the metaschema of the draft it is read as */
		dialect_add_uri(draft ? draft : SCHEMA_DRAFT_2020_12, &uri);
		if (declared) {
			snprintf(problem->pointer, sizeof(problem->pointer), "/$schema");
			snprintf(problem->text, sizeof(problem->text),
			    "unknown dialect %.150s, read as %s", declared,
			    schema_draft_name(draft ? draft : SCHEMA_DRAFT_2020_12));
		}
	}
	schema_library_find(library, buf_text(&uri));
	struct library_entry *s = entry_of(library, buf_text(&uri), &is_new);
	if (!s->compiled) {
		const struct schema_options own = { .library = library, .uri = buf_text(&uri) };
		struct schema_problem broken;
		s->compiled = schema_compile(s->root, &own, &broken);
		if (!s->compiled)
			*problem = broken;
	}
	buf_finish(&uri);
	return s->compiled ? schema_check(s->compiled, root, NULL) : NULL;
}
