#include "compile.h"

#include "base/did_you_mean.h"
#include "base/vec.h"
#include "schema/check/check.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define ANNOTATION(word)                                                           \
	{                                                                          \
		.name = word, .drafts = ALL_DRAFTS, .vocabularies = VOCABULARY_ALL \
	}

#define CORE VOCABULARY_CORE
#define APPLICATOR VOCABULARY_APPLICATOR
#define UNEVALUATED VOCABULARY_UNEVALUATED
#define VALIDATION VOCABULARY_VALIDATION
#define FORMAT VOCABULARY_FORMAT
#define CONTENT VOCABULARY_CONTENT

/* clang-format off */
const struct keyword KEYWORDS[] = {
	/* any value */
	{ .name = "type", .drafts = ALL_DRAFTS, .vocabularies = VALIDATION, .applies = TYPE_ANY,
	  .compile = compile_type, .check = check_type, .expected = say_type, .line = line_type },
	{ .name = "enum", .drafts = ALL_DRAFTS, .vocabularies = VALIDATION, .applies = TYPE_ANY,
	  .compile = compile_enum, .check = check_enum, .expected = say_enum, .line = line_enum },
	{ .name = "const", .drafts = SINCE_06, .vocabularies = VALIDATION, .applies = TYPE_ANY,
	  .compile = compile_const, .check = check_const, .expected = say_const, .line = line_const },

	/* numbers */
	{ .name = "minimum", .drafts = ALL_DRAFTS, .vocabularies = VALIDATION, .applies = TYPE_NUMBER,
	  .compile = compile_bound, .check = check_bound, .expected = say_number_bound, .line = line_number_bound },
	{ .name = "maximum", .drafts = ALL_DRAFTS, .vocabularies = VALIDATION, .applies = TYPE_NUMBER,
	  .compile = compile_bound, .check = check_bound, .expected = say_number_bound, .line = line_number_bound },
	{ .name = "exclusiveMinimum", .drafts = SINCE_06, .vocabularies = VALIDATION, .applies = TYPE_NUMBER,
	  .compile = compile_bound, .check = check_bound, .expected = say_number_bound, .line = line_number_bound },
	{ .name = "exclusiveMaximum", .drafts = SINCE_06, .vocabularies = VALIDATION, .applies = TYPE_NUMBER,
	  .compile = compile_bound, .check = check_bound, .expected = say_number_bound, .line = line_number_bound },
	{ .name = "exclusiveMinimum", .drafts = D04, .vocabularies = VALIDATION,
	  .compile = compile_legacy_bound },
	{ .name = "exclusiveMaximum", .drafts = D04, .vocabularies = VALIDATION,
	  .compile = compile_legacy_bound },
	{ .name = "multipleOf", .drafts = ALL_DRAFTS, .vocabularies = VALIDATION, .applies = TYPE_NUMBER,
	  .compile = compile_multiple, .check = check_multiple, .expected = say_multiple, .line = line_multiple },

	/* strings */
	{ .name = "minLength", .drafts = ALL_DRAFTS, .vocabularies = VALIDATION, .applies = TYPE_STRING,
	  .compile = compile_count, .check = check_min_length, .expected = say_length, .line = line_length },
	{ .name = "maxLength", .drafts = ALL_DRAFTS, .vocabularies = VALIDATION, .applies = TYPE_STRING,
	  .compile = compile_count, .check = check_max_length, .expected = say_length, .line = line_length },
	{ .name = "pattern", .drafts = ALL_DRAFTS, .vocabularies = VALIDATION, .applies = TYPE_STRING,
	  .compile = compile_pattern, .check = check_pattern, .expected = say_pattern, .line = line_pattern },
	{ .name = "format", .drafts = ALL_DRAFTS, .vocabularies = FORMAT, .applies = TYPE_STRING,
	  .compile = compile_format, .check = check_format, .expected = say_format, .line = line_format },

	/* objects */
	{ .name = "minProperties", .drafts = ALL_DRAFTS, .vocabularies = VALIDATION, .applies = TYPE_OBJECT,
	  .compile = compile_count, .check = check_min_size, .expected = say_size },
	{ .name = "maxProperties", .drafts = ALL_DRAFTS, .vocabularies = VALIDATION, .applies = TYPE_OBJECT,
	  .compile = compile_count, .check = check_max_size, .expected = say_size },
	{ .name = "properties", .drafts = ALL_DRAFTS, .vocabularies = APPLICATOR, .holds = HOLDS_MAP, .applies = TYPE_OBJECT,
	  .compile = compile_properties, .check = check_members, .expected = say_nothing, .line = line_nothing },
	{ .name = "required", .drafts = ALL_DRAFTS, .vocabularies = VALIDATION, .applies = TYPE_OBJECT,
	  .compile = compile_required, .expected = say_name, .line = line_missing },
	{ .name = "patternProperties", .drafts = ALL_DRAFTS, .vocabularies = APPLICATOR, .holds = HOLDS_MAP, .applies = TYPE_OBJECT,
	  .compile = compile_pattern_properties, .expected = say_nothing, .line = line_nothing },
	{ .name = "additionalProperties", .drafts = ALL_DRAFTS, .vocabularies = APPLICATOR, .holds = HOLDS_SCHEMA, .applies = TYPE_OBJECT,
	  .compile = compile_additional_properties, .expected = say_not_declared, .line = line_not_declared },
	{ .name = "propertyNames", .drafts = SINCE_06, .vocabularies = APPLICATOR, .holds = HOLDS_SCHEMA, .applies = TYPE_OBJECT,
	  .compile = compile_schema, .check = check_property_names, .expected = say_nothing, .line = line_nothing },
	{ .name = "dependentRequired", .drafts = SINCE_19, .vocabularies = VALIDATION, .applies = TYPE_OBJECT,
	  .compile = compile_dependent_required, .check = check_dependent_required, .expected = say_name, .line = line_missing },

	/* arrays */
	{ .name = "minItems", .drafts = ALL_DRAFTS, .vocabularies = VALIDATION, .applies = TYPE_ARRAY,
	  .compile = compile_count, .check = check_min_size, .expected = say_size },
	{ .name = "maxItems", .drafts = ALL_DRAFTS, .vocabularies = VALIDATION, .applies = TYPE_ARRAY,
	  .compile = compile_count, .check = check_max_size, .expected = say_size },
	{ .name = "items", .drafts = D20, .vocabularies = APPLICATOR, .holds = HOLDS_SCHEMA, .applies = TYPE_ARRAY,
	  .compile = compile_items, .check = check_elements, .expected = say_surplus, .line = line_surplus },
	{ .name = "items", .drafts = UNTIL_07 | D19, .vocabularies = APPLICATOR, .holds = HOLDS_SCHEMA_OR_LIST, .applies = TYPE_ARRAY,
	  .compile = compile_items, .check = check_elements, .expected = say_surplus, .line = line_surplus },
	{ .name = "prefixItems", .drafts = D20, .vocabularies = APPLICATOR, .holds = HOLDS_LIST, .applies = TYPE_ARRAY,
	  .compile = compile_prefix_items, .expected = say_nothing, .line = line_nothing },
	{ .name = "additionalItems", .drafts = UNTIL_07 | D19, .vocabularies = APPLICATOR, .holds = HOLDS_SCHEMA, .applies = TYPE_ARRAY,
	  .compile = compile_additional_items, .expected = say_surplus, .line = line_surplus },
	{ .name = "contains", .drafts = SINCE_06, .vocabularies = APPLICATOR, .holds = HOLDS_SCHEMA, .applies = TYPE_ARRAY,
	  .compile = compile_schema, .check = check_contains, .expected = say_contains, .line = line_contains },
	{ .name = "minContains", .drafts = SINCE_19, .vocabularies = VALIDATION,
	  .compile = compile_contains_count, .expected = say_contains, .line = line_contains },
	{ .name = "maxContains", .drafts = SINCE_19, .vocabularies = VALIDATION,
	  .compile = compile_contains_count, .expected = say_contains, .line = line_contains },
	{ .name = "uniqueItems", .drafts = ALL_DRAFTS, .vocabularies = VALIDATION, .applies = TYPE_ARRAY,
	  .compile = compile_unique, .check = check_unique, .expected = say_unique, .line = line_unique },

	/* subschemas for the same value */
	{ .name = "$ref", .drafts = ALL_DRAFTS, .vocabularies = CORE, .applies = TYPE_ANY,
	  .compile = compile_ref, .check = check_ref },
	{ .name = "$dynamicRef", .drafts = D20, .vocabularies = CORE, .applies = TYPE_ANY,
	  .compile = compile_dynamic_ref, .check = check_dynamic_ref },
	{ .name = "$recursiveRef", .drafts = D19, .vocabularies = CORE, .applies = TYPE_ANY,
	  .compile = compile_ref, .check = check_recursive_ref },
	{ .name = "allOf", .drafts = ALL_DRAFTS, .vocabularies = APPLICATOR, .holds = HOLDS_LIST, .applies = TYPE_ANY,
	  .compile = compile_list, .check = check_all_of },
	{ .name = "anyOf", .drafts = ALL_DRAFTS, .vocabularies = APPLICATOR, .holds = HOLDS_LIST, .applies = TYPE_ANY,
	  .compile = compile_list, .check = check_any_of, .expected = say_alternatives, .line = line_alternatives },
	{ .name = "oneOf", .drafts = ALL_DRAFTS, .vocabularies = APPLICATOR, .holds = HOLDS_LIST, .applies = TYPE_ANY,
	  .compile = compile_list, .check = check_one_of, .expected = say_alternatives, .line = line_alternatives },
	{ .name = "not", .drafts = ALL_DRAFTS, .vocabularies = APPLICATOR, .holds = HOLDS_SCHEMA, .applies = TYPE_ANY,
	  .compile = compile_schema, .check = check_not, .expected = say_not, .line = line_not },
	{ .name = "if", .drafts = SINCE_07, .vocabularies = APPLICATOR, .holds = HOLDS_SCHEMA, .applies = TYPE_ANY,
	  .compile = compile_if, .check = check_if },
	{ .name = "then", .drafts = SINCE_07, .vocabularies = APPLICATOR, .holds = HOLDS_SCHEMA },
	{ .name = "else", .drafts = SINCE_07, .vocabularies = APPLICATOR, .holds = HOLDS_SCHEMA },
	{ .name = "dependentSchemas", .drafts = SINCE_19, .vocabularies = APPLICATOR, .holds = HOLDS_MAP, .applies = TYPE_OBJECT,
	  .compile = compile_dependent_schemas, .check = check_dependent_schemas },
	{ .name = "dependencies", .drafts = ALL_DRAFTS, .vocabularies = APPLICATOR, .holds = HOLDS_MAP_OR_NAMES, .applies = TYPE_OBJECT,
	  .compile = compile_dependencies, .check = check_dependencies, .expected = say_name, .line = line_missing },

	/* undecided rules, before unevaluated…, which depends on them */
	{ .name = "", .drafts = ALL_DRAFTS, .vocabularies = CORE, .applies = TYPE_ANY,
	  .check = check_doubtful },

	/* children that no keyword above has evaluated */
	{ .name = "unevaluatedProperties", .drafts = SINCE_19, .vocabularies = UNEVALUATED, .holds = HOLDS_SCHEMA, .applies = TYPE_OBJECT,
	  .compile = compile_unevaluated, .check = check_unevaluated_properties, .expected = say_not_declared, .line = line_not_declared },
	{ .name = "unevaluatedItems", .drafts = SINCE_19, .vocabularies = UNEVALUATED, .holds = HOLDS_SCHEMA, .applies = TYPE_ARRAY,
	  .compile = compile_unevaluated, .check = check_unevaluated_items, .expected = say_not_declared, .line = line_not_declared },

	/* definitions and annotations */
	{ .name = "$defs", .drafts = SINCE_19, .vocabularies = CORE, .holds = HOLDS_MAP,
	  .compile = compile_definitions },
	{ .name = "definitions", .drafts = ALL_DRAFTS, .vocabularies = CORE, .holds = HOLDS_MAP,
	  .compile = compile_definitions },
	{ .name = "contentSchema", .drafts = SINCE_19, .vocabularies = CONTENT, .holds = HOLDS_SCHEMA },
	ANNOTATION("$schema"), ANNOTATION("$id"), ANNOTATION("id"), ANNOTATION("$anchor"), ANNOTATION("$dynamicAnchor"),
	ANNOTATION("$recursiveAnchor"), ANNOTATION("$comment"), ANNOTATION("$vocabulary"),
	ANNOTATION("title"), ANNOTATION("description"), ANNOTATION("default"), ANNOTATION("examples"),
	ANNOTATION("deprecated"), ANNOTATION("readOnly"), ANNOTATION("writeOnly"),
	ANNOTATION("contentEncoding"), ANNOTATION("contentMediaType"),
};
/* clang-format on */
const size_t KEYWORD_COUNT = ARRAY_LEN(KEYWORDS);

/* Keywords of editors, forms and code generators that occur in schemas. Sorted. */
static const char *const FOREIGN[] = { "advanced", "alias", "allowComments", "allowTrailingCommas",
	"category", "chance", "collectionFormat", "defaultSnippets", "deprecationMessage",
	"discriminator", "doNotSuggest", "enumDescriptions", "enumLabels", "enumNames",
	"enumTitles", "errorMessage", "errorMessages", "example", "exampleSetFlag",
	"existingJavaType", "externalDocs", "faker", "goType", "group", "headerTemplate", "help",
	"hidden", "hint", "icon", "javaType", "label", "labels", "links", "markdownDescription",
	"markdownEnumDescriptions", "media", "meta", "metadata", "multiline", "note", "notes",
	"nullable", "options", "order", "patternErrorMessage", "placeholder", "propertyOrder",
	"propertyOrdering", "secret", "sensitive", "suggestSortText", "tags", "transient",
	"tsEnumNames", "tsType", "ui", "uiSchema", "unit", "units", "version", "when", "widget",
	"xml" };

bool
keyword_in_dialect(const struct keyword *keyword, const struct dialect *dialect)
{
	return (keyword->drafts >> dialect->draft & 1) &&
	       (keyword->vocabularies & dialect->vocabularies);
}

static size_t
name_slot(const char *name)
{
	size_t len = strlen(name);
	unsigned char first = (unsigned char)name[0], last = (unsigned char)name[len - (len > 0)];

	return (len * 37 + first * 11u + last * 5u + (unsigned char)name[len / 2]) &
	       (KEYWORD_SLOTS - 1);
}

void
keyword_index_init(struct keyword_index *index)
{
	static_assert(ARRAY_LEN(KEYWORDS) < KEYWORD_SLOTS / 2, "room for all");
	memset(index, 0, sizeof(*index));
	for (size_t i = 0; i < KEYWORD_COUNT; i++) {
		size_t slot = name_slot(KEYWORDS[i].name);
		while (index->rows[slot])
			slot = (slot + 1) & (KEYWORD_SLOTS - 1);
		index->rows[slot] = (uint8_t)(i + 1);
	}
}

const struct keyword *
keyword_find(const struct keyword_index *index, const char *name, enum schema_draft draft)
{
	const struct keyword *other = NULL;

	for (size_t i = name_slot(name); index->rows[i]; i = (i + 1) & (KEYWORD_SLOTS - 1)) {
		const struct keyword *row = &KEYWORDS[index->rows[i] - 1];
		if (strcmp(row->name, name) != 0)
			continue;
		if (row->drafts >> draft & 1)
			return row;
		other = row;
	}
	return other;
}

const struct keyword *
keyword_row(const char *name)
{
	size_t i = 0;

	while (i < KEYWORD_COUNT && strcmp(KEYWORDS[i].name, name) != 0)
		i++;
	BUG_IF(i == KEYWORD_COUNT);
	return &KEYWORDS[i];
}

static int
by_name(const void *name, const void *entry)
{
	return strcmp(name, *(const char *const *)entry);
}

/* x-order, ui:widget, @type: no draft has keywords like these. */
static bool
has_namespace(const char *name)
{
	bool letter = (*name >= 'a' && *name <= 'z') || (*name >= 'A' && *name <= 'Z');

	return strncmp(name, "x-", 2) == 0 || (!letter && *name != '$') ||
	       strpbrk(name, ":./") != NULL;
}

bool
keyword_is_foreign(const char *name)
{
	return has_namespace(name) ||
	       bsearch(name, FOREIGN, ARRAY_LEN(FOREIGN), sizeof(*FOREIGN), by_name) != NULL;
}

static const char *
without_dollar(const char *name)
{
	return name + (*name == '$');
}

/* A wrong guess makes a result undecided, so at most one letter in four may differ, fewer than
 * for a suggestion. Misspelled annotations do no harm. */
const struct keyword *
keyword_meant(const char *name)
{
	struct did_you_mean likely;
	const struct keyword *meant = NULL;
	size_t len = strlen(name);

	did_you_mean_init(&likely, name, len);
	for (size_t i = 0; i < KEYWORD_COUNT; i++) {
		const struct keyword *row = &KEYWORDS[i];
		if (!*row->name || strcmp(row->name, name) == 0)
			continue;
		did_you_mean_try(&likely, row->name);
		if (likely.name == row->name)
			meant = row;
		if (strcasecmp(without_dollar(row->name), without_dollar(name)) == 0) {
			meant = row;
			likely.changes = 0;
			break;
		}
	}
	bool demands = meant && (meant->compile || meant->vocabularies == APPLICATOR);
	return demands && likely.changes * 4 <= len ? meant : NULL;
}
