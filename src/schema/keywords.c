#include "compile_priv.h"

#include "check_priv.h"

#include "base/likely.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define ANNOTATION(name)                                                                \
	{                                                                               \
		name, ALL_DRAFTS, VOCABULARY_ALL, HOLDS_NONE, 0, NULL, NULL, NULL, NULL \
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
	{ "type", ALL_DRAFTS, VALIDATION, HOLDS_NONE, TYPE_ANY, compile_type, check_type, say_type, line_type },
	{ "enum", ALL_DRAFTS, VALIDATION, HOLDS_NONE, TYPE_ANY, compile_enum, check_enum, say_enum, line_enum },
	{ "const", SINCE_06, VALIDATION, HOLDS_NONE, TYPE_ANY, compile_const, check_const, say_const, line_const },

	/* numbers */
	{ "minimum", ALL_DRAFTS, VALIDATION, HOLDS_NONE, TYPE_NUMBER, compile_bound, check_bound, say_number_bound, line_number_bound },
	{ "maximum", ALL_DRAFTS, VALIDATION, HOLDS_NONE, TYPE_NUMBER, compile_bound, check_bound, say_number_bound, line_number_bound },
	{ "exclusiveMinimum", SINCE_06, VALIDATION, HOLDS_NONE, TYPE_NUMBER, compile_bound, check_bound, say_number_bound, line_number_bound },
	{ "exclusiveMaximum", SINCE_06, VALIDATION, HOLDS_NONE, TYPE_NUMBER, compile_bound, check_bound, say_number_bound, line_number_bound },
	{ "exclusiveMinimum", D04, VALIDATION, HOLDS_NONE, 0, compile_legacy_bound, NULL, NULL, NULL },
	{ "exclusiveMaximum", D04, VALIDATION, HOLDS_NONE, 0, compile_legacy_bound, NULL, NULL, NULL },
	{ "multipleOf", ALL_DRAFTS, VALIDATION, HOLDS_NONE, TYPE_NUMBER, compile_multiple, check_multiple, say_multiple, line_multiple },

	/* text */
	{ "minLength", ALL_DRAFTS, VALIDATION, HOLDS_NONE, TYPE_STRING, compile_count, check_min_length, say_length, line_length },
	{ "maxLength", ALL_DRAFTS, VALIDATION, HOLDS_NONE, TYPE_STRING, compile_count, check_max_length, say_length, line_length },
	{ "pattern", ALL_DRAFTS, VALIDATION, HOLDS_NONE, TYPE_STRING, compile_pattern, check_pattern, say_pattern, line_pattern },
	{ "format", ALL_DRAFTS, FORMAT, HOLDS_NONE, TYPE_STRING, compile_format, check_format, say_format, line_format },

	/* objects */
	{ "minProperties", ALL_DRAFTS, VALIDATION, HOLDS_NONE, TYPE_OBJECT, compile_count, check_min_size, say_size, NULL },
	{ "maxProperties", ALL_DRAFTS, VALIDATION, HOLDS_NONE, TYPE_OBJECT, compile_count, check_max_size, say_size, NULL },
	{ "properties", ALL_DRAFTS, APPLICATOR, HOLDS_MAP, TYPE_OBJECT, compile_properties, check_members, say_nothing, line_nothing },
	{ "required", ALL_DRAFTS, VALIDATION, HOLDS_NONE, TYPE_OBJECT, compile_required, NULL, say_name, line_missing },
	{ "patternProperties", ALL_DRAFTS, APPLICATOR, HOLDS_MAP, TYPE_OBJECT, compile_pattern_properties, NULL, say_nothing, line_nothing },
	{ "additionalProperties", ALL_DRAFTS, APPLICATOR, HOLDS_SCHEMA, TYPE_OBJECT, compile_additional_properties, NULL, say_not_declared, line_not_declared },
	{ "propertyNames", SINCE_06, APPLICATOR, HOLDS_SCHEMA, TYPE_OBJECT, compile_schema, check_property_names, say_nothing, line_nothing },
	{ "dependentRequired", SINCE_19, VALIDATION, HOLDS_NONE, TYPE_OBJECT, compile_dependent_required, check_dependent_required, say_name, line_missing },

	/* arrays */
	{ "minItems", ALL_DRAFTS, VALIDATION, HOLDS_NONE, TYPE_ARRAY, compile_count, check_min_size, say_size, NULL },
	{ "maxItems", ALL_DRAFTS, VALIDATION, HOLDS_NONE, TYPE_ARRAY, compile_count, check_max_size, say_size, NULL },
	{ "items", D20, APPLICATOR, HOLDS_SCHEMA, TYPE_ARRAY, compile_items, check_elements, say_surplus, line_surplus },
	{ "items", UNTIL_07 | D19, APPLICATOR, HOLDS_SCHEMA_OR_LIST, TYPE_ARRAY, compile_items, check_elements, say_surplus, line_surplus },
	{ "prefixItems", D20, APPLICATOR, HOLDS_LIST, TYPE_ARRAY, compile_prefix_items, NULL, say_nothing, line_nothing },
	{ "additionalItems", UNTIL_07 | D19, APPLICATOR, HOLDS_SCHEMA, TYPE_ARRAY, compile_additional_items, NULL, say_surplus, line_surplus },
	{ "contains", SINCE_06, APPLICATOR, HOLDS_SCHEMA, TYPE_ARRAY, compile_schema, check_contains, say_contains, line_contains },
	{ "minContains", SINCE_19, VALIDATION, HOLDS_NONE, 0, compile_contains_count, NULL, say_contains, line_contains },
	{ "maxContains", SINCE_19, VALIDATION, HOLDS_NONE, 0, compile_contains_count, NULL, say_contains, line_contains },
	{ "uniqueItems", ALL_DRAFTS, VALIDATION, HOLDS_NONE, TYPE_ARRAY, compile_unique, check_unique, say_unique, line_unique },

	/* the same value by other schemas */
	{ "$ref", ALL_DRAFTS, CORE, HOLDS_NONE, TYPE_ANY, compile_ref, check_ref, NULL, NULL },
	{ "$dynamicRef", D20, CORE, HOLDS_NONE, TYPE_ANY, compile_dynamic_ref, check_dynamic_ref, NULL, NULL },
	{ "$recursiveRef", D19, CORE, HOLDS_NONE, TYPE_ANY, compile_ref, check_recursive_ref, NULL, NULL },
	{ "allOf", ALL_DRAFTS, APPLICATOR, HOLDS_LIST, TYPE_ANY, compile_list, check_all_of, NULL, NULL },
	{ "anyOf", ALL_DRAFTS, APPLICATOR, HOLDS_LIST, TYPE_ANY, compile_list, check_any_of, say_alternatives, line_alternatives },
	{ "oneOf", ALL_DRAFTS, APPLICATOR, HOLDS_LIST, TYPE_ANY, compile_list, check_one_of, say_alternatives, line_alternatives },
	{ "not", ALL_DRAFTS, APPLICATOR, HOLDS_SCHEMA, TYPE_ANY, compile_schema, check_not, say_not, line_not },
	{ "if", SINCE_07, APPLICATOR, HOLDS_SCHEMA, TYPE_ANY, compile_if, check_if, NULL, NULL },
	{ "then", SINCE_07, APPLICATOR, HOLDS_SCHEMA, 0, NULL, NULL, NULL, NULL },
	{ "else", SINCE_07, APPLICATOR, HOLDS_SCHEMA, 0, NULL, NULL, NULL, NULL },
	{ "dependentSchemas", SINCE_19, APPLICATOR, HOLDS_MAP, TYPE_OBJECT, compile_dependent_schemas, check_dependent_schemas, NULL, NULL },
	{ "dependencies", ALL_DRAFTS, APPLICATOR, HOLDS_MAP_OR_NAMES, TYPE_OBJECT, compile_dependencies, check_dependencies, say_name, line_missing },

	/* what cannot be known; before unevaluated…, which depends on it */
	{ "", ALL_DRAFTS, CORE, HOLDS_NONE, TYPE_ANY, NULL, check_doubtful, NULL, NULL },

	/* what none of the above has looked at */
	{ "unevaluatedProperties", SINCE_19, UNEVALUATED, HOLDS_SCHEMA, TYPE_OBJECT, compile_unevaluated, check_unevaluated_properties, say_not_declared, line_not_declared },
	{ "unevaluatedItems", SINCE_19, UNEVALUATED, HOLDS_SCHEMA, TYPE_ARRAY, compile_unevaluated, check_unevaluated_items, say_not_declared, line_not_declared },

	/* definitions and annotations */
	{ "$defs", SINCE_19, CORE, HOLDS_MAP, 0, compile_definitions, NULL, NULL, NULL },
	{ "definitions", ALL_DRAFTS, CORE, HOLDS_MAP, 0, compile_definitions, NULL, NULL, NULL },
	{ "contentSchema", SINCE_19, CONTENT, HOLDS_SCHEMA, 0, NULL, NULL, NULL, NULL },
	ANNOTATION("$schema"), ANNOTATION("$id"), ANNOTATION("id"), ANNOTATION("$anchor"), ANNOTATION("$dynamicAnchor"),
	ANNOTATION("$recursiveAnchor"), ANNOTATION("$comment"), ANNOTATION("$vocabulary"),
	ANNOTATION("title"), ANNOTATION("description"), ANNOTATION("default"), ANNOTATION("examples"),
	ANNOTATION("deprecated"), ANNOTATION("readOnly"), ANNOTATION("writeOnly"),
	ANNOTATION("contentEncoding"), ANNOTATION("contentMediaType"),
};
/* clang-format on */
const size_t KEYWORD_COUNT = sizeof(KEYWORDS) / sizeof(*KEYWORDS);

/* Words for people, forms, editors and code generators that are found in schemas. In order. */
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
	static_assert(sizeof(KEYWORDS) / sizeof(*KEYWORDS) < KEYWORD_SLOTS / 2, "room for all");
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

/* x-order, ui:widget, @type: no keyword of any draft is written like these. */
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
	return has_namespace(name) || bsearch(name, FOREIGN, sizeof(FOREIGN) / sizeof(*FOREIGN),
					  sizeof(*FOREIGN), by_name) != NULL;
}

static const char *
without_dollar(const char *name)
{
	return name + (*name == '$');
}

/* A wrong guess makes a verdict undecided, so at most one letter in four may differ, fewer than for
 * a suggestion. Misspelt annotations do no harm. */
const struct keyword *
keyword_meant(const char *name)
{
	struct likely likely;
	const struct keyword *meant = NULL;
	size_t len = strlen(name);

	likely_init(&likely, name, len);
	for (size_t i = 0; i < KEYWORD_COUNT; i++) {
		const struct keyword *row = &KEYWORDS[i];
		if (!*row->name || strcmp(row->name, name) == 0)
			continue;
		likely_try(&likely, row->name);
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
