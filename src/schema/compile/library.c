#include "schema/library.h"

#include "base/embedded.h"
#include "base/mem.h"
#include "compile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The document under a URI, or the fact that there is none. */
struct shelf {
	char *uri;
	const cJSON *root;
	struct json_doc *own;
	struct schema *compiled; /* compiled as a metaschema */
};

struct schema_library {
	struct map shelves; /* by URI */
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
	struct shelf *s;

	if (!library)
		return;
	MAP_ALL(&library->shelves, s)
		schema_destroy(s->compiled);
	MAP_ALL(&library->shelves, s) {
		json_doc_destroy(s->own);
		free(s->uri);
		free(s);
	}
	map_finish(&library->shelves);
	free(library);
}

void
schema_library_ask(struct schema_library *library, schema_finder *finder, void *ctx)
{
	library->finder = finder;
	library->ctx = ctx;
}

/* The shelf of a URI, without its fragment; a new shelf has no root. */
static struct shelf *
shelf_of(struct schema_library *library, const char *uri, bool *is_new)
{
	size_t len = strcspn(uri, "#");
	uint64_t hash = text_hash(library, uri, len);
	struct shelf *s;

	*is_new = false;
	MAP_EACH(&library->shelves, hash, s)
		if (strncmp(s->uri, uri, len) == 0 && s->uri[len] == '\0')
			return s;
	*is_new = true;
	s = mem_zalloc(sizeof(*s));
	s->uri = mem_strndup(uri, len);
	map_add(&library->shelves, hash, s);
	return s;
}

void
schema_library_add(struct schema_library *library, const char *uri, const cJSON *root)
{
	bool is_new;
	struct shelf *s = shelf_of(library, uri, &is_new);

	if (!s->root)
		s->root = root;
}

static const struct embedded_file *
embedded(const char *uri)
{
	const char *const hosts[] = { "http://json-schema.org/", "https://json-schema.org/" };

	for (size_t h = 0; h < 2; h++) {
		size_t skip = strlen(hosts[h]);
		if (strncmp(uri, hosts[h], skip) == 0)
			return embedded_find(meta_files, uri + skip);
	}
	return NULL;
}

static void
fill(struct schema_library *library, struct shelf *s)
{
	const struct embedded_file *file = embedded(s->uri);

	if (file) {
		s->own = json_parse(file->bytes, file->len, NULL, NULL);
		s->root = json_root(s->own);
	} else if (library->finder) {
		schema_library_add(library, s->uri, library->finder(library->ctx, s->uri));
	}
}

const cJSON *
schema_library_find(struct schema_library *library, const char *uri)
{
	bool is_new;
	struct shelf *s = shelf_of(library, uri, &is_new);

	if (is_new)
		fill(library, s);
	return s->root;
}

/* The document with this URI as a schema, compiled once. */
static struct schema *
metaschema(struct schema_library *library, const char *uri, struct schema_problem *problem)
{
	bool is_new;
	struct shelf *s = shelf_of(library, uri, &is_new);

	if (!s->compiled) {
		const struct schema_options options = { .library = library, .uri = uri };
		s->compiled = schema_compile(s->root, &options, problem);
	}
	return s->compiled;
}

/* The metaschema of the dialect that the schema declares. Returns false for an unknown dialect
 * and uses the metaschema of the draft it is read as. */
static bool
add_metaschema_uri(struct schema_library *library, const cJSON *root,
    const struct schema_options *options, struct buf *out)
{
	const char *declared = json_get_string(root, "$schema");
	enum schema_draft draft = options ? options->draft : SCHEMA_DRAFT_UNKNOWN, named;
	bool as_written, known = true;

	if (declared && (named = dialect_named(declared, &as_written)) != SCHEMA_DRAFT_UNKNOWN) {
		dialect_add_uri(named, out);
	} else if (declared && schema_library_find(library, declared)) {
		buf_add_str(out, declared);
	} else {
		dialect_add_uri(draft ? draft : SCHEMA_DRAFT_2020_12, out);
		known = !declared;
	}
	return known;
}

struct report *
schema_review(struct schema_library *library, const cJSON *root,
    const struct schema_options *options, struct schema_problem *problem)
{
	struct schema_problem unwanted;
	struct buf uri = BUF_INIT;

	problem = problem ? problem : &unwanted;
	*problem = (struct schema_problem){ 0 };
	if (!add_metaschema_uri(library, root, options, &uri)) {
		snprintf(problem->pointer, sizeof(problem->pointer), "/$schema");
		snprintf(problem->text, sizeof(problem->text), "unknown dialect %.200s",
		    json_get_string(root, "$schema"));
	}
	schema_library_find(library, buf_text(&uri));
	struct schema *schema = metaschema(library, buf_text(&uri), problem);
	buf_finish(&uri);
	return schema ? schema_check(schema, root, NULL) : NULL;
}
