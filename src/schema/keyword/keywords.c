/* SPDX-License-Identifier: MIT */
#include "keyword.h"

#include "base/ascii.h"
#include "base/vec.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define CORE VOCABULARY_CORE
#define APPLICATOR VOCABULARY_APPLICATOR
#define UNEVALUATED VOCABULARY_UNEVALUATED
#define VALIDATION VOCABULARY_VALIDATION
#define FORMAT VOCABULARY_FORMAT
#define CONTENT VOCABULARY_CONTENT

/*
 * The keywords, in the order in which they are checked. ROW(NAME, FUNCTIONS, ...): FUNCTIONS is a
 * struct keyword_functions that a file of this folder defines, then follow the columns of struct
 * keyword: .kind says what rule it makes (RULE_LEAF, RULE_CHILDREN, RULE_IN_PLACE or one that
 * others must know; nothing for an annotation), .applies for which types of value, .holds where its
 * value has schemas. A keyword needs nothing else.
 */
/* clang-format off */
#define KEYWORDS(ROW) \
	/* any value */ \
	ROW("type", keyword_type, .kind = RULE_TYPE, .drafts = ALL_DRAFTS, .vocabularies = VALIDATION, .applies = TYPE_ANY) \
	ROW("enum", keyword_enum, .kind = RULE_ENUM, .drafts = ALL_DRAFTS, .vocabularies = VALIDATION, .applies = TYPE_ANY) \
	ROW("const", keyword_const, .kind = RULE_CONST, .drafts = SINCE_06, .vocabularies = VALIDATION, .applies = TYPE_ANY) \
	/* numbers */ \
	ROW("minimum", keyword_bound, .kind = RULE_BOUND, .drafts = ALL_DRAFTS, .vocabularies = VALIDATION, .applies = TYPE_NUMBER) \
	ROW("maximum", keyword_bound, .kind = RULE_BOUND, .drafts = ALL_DRAFTS, .vocabularies = VALIDATION, .applies = TYPE_NUMBER) \
	ROW("exclusiveMinimum", keyword_bound, .kind = RULE_BOUND, .drafts = SINCE_06, .vocabularies = VALIDATION, .applies = TYPE_NUMBER) \
	ROW("exclusiveMaximum", keyword_bound, .kind = RULE_BOUND, .drafts = SINCE_06, .vocabularies = VALIDATION, .applies = TYPE_NUMBER) \
	ROW("exclusiveMinimum", keyword_legacy_bound, .drafts = D04, .vocabularies = VALIDATION) \
	ROW("exclusiveMaximum", keyword_legacy_bound, .drafts = D04, .vocabularies = VALIDATION) \
	ROW("multipleOf", keyword_multiple, .kind = RULE_LEAF, .drafts = ALL_DRAFTS, .vocabularies = VALIDATION, .applies = TYPE_NUMBER) \
	/* strings */ \
	ROW("minLength", keyword_length, .kind = RULE_LEAF, .drafts = ALL_DRAFTS, .vocabularies = VALIDATION, .applies = TYPE_STRING) \
	ROW("maxLength", keyword_length, .kind = RULE_LEAF, .drafts = ALL_DRAFTS, .vocabularies = VALIDATION, .applies = TYPE_STRING) \
	ROW("pattern", keyword_pattern, .kind = RULE_PATTERN, .drafts = ALL_DRAFTS, .vocabularies = VALIDATION, .applies = TYPE_STRING) \
	ROW("format", keyword_format, .kind = RULE_LEAF, .drafts = ALL_DRAFTS, .vocabularies = FORMAT, .applies = TYPE_STRING) \
	ROW("contentEncoding", keyword_content_encoding, .kind = RULE_LEAF, .drafts = D07, .vocabularies = CONTENT, .applies = TYPE_STRING) \
	ROW("contentMediaType", keyword_content_media_type, .kind = RULE_LEAF, .drafts = D07, .vocabularies = CONTENT, .applies = TYPE_STRING) \
	/* objects */ \
	ROW("minProperties", keyword_size, .kind = RULE_LEAF, .drafts = ALL_DRAFTS, .vocabularies = VALIDATION, .applies = TYPE_OBJECT) \
	ROW("maxProperties", keyword_size, .kind = RULE_LEAF, .drafts = ALL_DRAFTS, .vocabularies = VALIDATION, .applies = TYPE_OBJECT) \
	ROW("properties", keyword_properties, .kind = RULE_MEMBERS, .drafts = ALL_DRAFTS, .vocabularies = APPLICATOR, .applies = TYPE_OBJECT, .holds = HOLDS_MAP) \
	ROW("required", keyword_required, .drafts = ALL_DRAFTS, .vocabularies = VALIDATION, .applies = TYPE_OBJECT) \
	ROW("patternProperties", keyword_pattern_properties, .drafts = ALL_DRAFTS, .vocabularies = APPLICATOR, .applies = TYPE_OBJECT, .holds = HOLDS_MAP) \
	ROW("additionalProperties", keyword_additional_properties, .drafts = ALL_DRAFTS, .vocabularies = APPLICATOR, .applies = TYPE_OBJECT, .holds = HOLDS_SCHEMA) \
	ROW("propertyNames", keyword_property_names, .kind = RULE_NAMES, .drafts = SINCE_06, .vocabularies = APPLICATOR, .applies = TYPE_OBJECT, .holds = HOLDS_SCHEMA) \
	ROW("dependentRequired", keyword_dependents, .kind = RULE_LEAF, .drafts = SINCE_19, .vocabularies = VALIDATION, .applies = TYPE_OBJECT) \
	/* arrays */ \
	ROW("minItems", keyword_size, .kind = RULE_LEAF, .drafts = ALL_DRAFTS, .vocabularies = VALIDATION, .applies = TYPE_ARRAY) \
	ROW("maxItems", keyword_size, .kind = RULE_LEAF, .drafts = ALL_DRAFTS, .vocabularies = VALIDATION, .applies = TYPE_ARRAY) \
	ROW("items", keyword_items, .kind = RULE_ELEMENTS, .drafts = SINCE_20, .vocabularies = APPLICATOR, .applies = TYPE_ARRAY, .holds = HOLDS_SCHEMA) \
	ROW("items", keyword_items, .kind = RULE_ELEMENTS, .drafts = UNTIL_07 | D19, .vocabularies = APPLICATOR, .applies = TYPE_ARRAY, .holds = HOLDS_SCHEMA_OR_LIST) \
	ROW("prefixItems", keyword_prefix_items, .drafts = SINCE_20, .vocabularies = APPLICATOR, .applies = TYPE_ARRAY, .holds = HOLDS_LIST) \
	ROW("additionalItems", keyword_additional_items, .drafts = UNTIL_07 | D19, .vocabularies = APPLICATOR, .applies = TYPE_ARRAY, .holds = HOLDS_SCHEMA) \
	ROW("contains", keyword_contains, .kind = RULE_CHILDREN, .drafts = SINCE_06, .vocabularies = APPLICATOR, .applies = TYPE_ARRAY, .holds = HOLDS_SCHEMA) \
	ROW("minContains", keyword_contains_count, .drafts = SINCE_19, .vocabularies = VALIDATION) \
	ROW("maxContains", keyword_contains_count, .drafts = SINCE_19, .vocabularies = VALIDATION) \
	ROW("uniqueItems", keyword_unique, .kind = RULE_LEAF, .drafts = ALL_DRAFTS, .vocabularies = VALIDATION, .applies = TYPE_ARRAY) \
	/* subschemas for the same value */ \
	ROW("$ref", keyword_ref, .kind = RULE_REF, .drafts = ALL_DRAFTS, .vocabularies = CORE, .applies = TYPE_ANY) \
	ROW("$dynamicRef", keyword_dynamic_ref, .kind = RULE_DYNAMIC_REF, .drafts = SINCE_20, .vocabularies = CORE, .applies = TYPE_ANY) \
	ROW("$recursiveRef", keyword_recursive_ref, .kind = RULE_RECURSIVE_REF, .drafts = D19, .vocabularies = CORE, .applies = TYPE_ANY) \
	ROW("allOf", keyword_all_of, .kind = RULE_ALL_OF, .drafts = ALL_DRAFTS, .vocabularies = APPLICATOR, .applies = TYPE_ANY, .holds = HOLDS_LIST) \
	ROW("anyOf", keyword_alternatives, .kind = RULE_ANY_OF, .drafts = ALL_DRAFTS, .vocabularies = APPLICATOR, .applies = TYPE_ANY, .holds = HOLDS_LIST) \
	ROW("oneOf", keyword_alternatives, .kind = RULE_ONE_OF, .drafts = ALL_DRAFTS, .vocabularies = APPLICATOR, .applies = TYPE_ANY, .holds = HOLDS_LIST) \
	ROW("not", keyword_not, .kind = RULE_NOT, .drafts = ALL_DRAFTS, .vocabularies = APPLICATOR, .applies = TYPE_ANY, .holds = HOLDS_SCHEMA) \
	ROW("if", keyword_if, .kind = RULE_IF, .drafts = SINCE_07, .vocabularies = APPLICATOR, .applies = TYPE_ANY, .holds = HOLDS_SCHEMA) \
	ROW("then", keyword_annotation, .drafts = SINCE_07, .vocabularies = APPLICATOR, .holds = HOLDS_SCHEMA) \
	ROW("else", keyword_annotation, .drafts = SINCE_07, .vocabularies = APPLICATOR, .holds = HOLDS_SCHEMA) \
	ROW("dependentSchemas", keyword_dependents, .kind = RULE_IN_PLACE, .drafts = SINCE_19, .vocabularies = APPLICATOR, .applies = TYPE_OBJECT, .holds = HOLDS_MAP) \
	ROW("dependencies", keyword_dependents, .kind = RULE_IN_PLACE, .drafts = ALL_DRAFTS, .vocabularies = APPLICATOR, .applies = TYPE_OBJECT, .holds = HOLDS_MAP_OR_NAMES) \
	/* undecided rules, before unevaluated…, which depends on them */ \
	ROW("", keyword_undecided, .kind = RULE_UNDECIDED, .drafts = ALL_DRAFTS, .vocabularies = CORE, .applies = TYPE_ANY) \
	/* children that no keyword above has evaluated */ \
	ROW("unevaluatedProperties", keyword_unevaluated, .kind = RULE_UNEVALUATED, .drafts = SINCE_19, .vocabularies = UNEVALUATED, .applies = TYPE_OBJECT, .holds = HOLDS_SCHEMA) \
	ROW("unevaluatedItems", keyword_unevaluated, .kind = RULE_UNEVALUATED, .drafts = SINCE_19, .vocabularies = UNEVALUATED, .applies = TYPE_ARRAY, .holds = HOLDS_SCHEMA) \
	/* definitions and annotations */ \
	ROW("$defs", keyword_definitions, .drafts = SINCE_19, .vocabularies = CORE, .holds = HOLDS_MAP) \
	ROW("definitions", keyword_definitions, .drafts = ALL_DRAFTS, .vocabularies = CORE, .holds = HOLDS_MAP) \
	ROW("contentSchema", keyword_annotation, .drafts = SINCE_19, .vocabularies = CONTENT, .holds = HOLDS_SCHEMA) \
	ROW("$schema", keyword_annotation, .drafts = ALL_DRAFTS, .vocabularies = VOCABULARY_ALL) \
	ROW("$id", keyword_annotation, .drafts = ALL_DRAFTS, .vocabularies = VOCABULARY_ALL) \
	ROW("id", keyword_annotation, .drafts = ALL_DRAFTS, .vocabularies = VOCABULARY_ALL) \
	ROW("$anchor", keyword_annotation, .drafts = ALL_DRAFTS, .vocabularies = VOCABULARY_ALL) \
	ROW("$dynamicAnchor", keyword_annotation, .drafts = ALL_DRAFTS, .vocabularies = VOCABULARY_ALL) \
	ROW("$recursiveAnchor", keyword_annotation, .drafts = ALL_DRAFTS, .vocabularies = VOCABULARY_ALL) \
	ROW("$comment", keyword_annotation, .drafts = ALL_DRAFTS, .vocabularies = VOCABULARY_ALL) \
	ROW("$vocabulary", keyword_annotation, .drafts = ALL_DRAFTS, .vocabularies = VOCABULARY_ALL) \
	ROW("title", keyword_annotation, .drafts = ALL_DRAFTS, .vocabularies = VOCABULARY_ALL) \
	ROW("description", keyword_annotation, .drafts = ALL_DRAFTS, .vocabularies = VOCABULARY_ALL) \
	ROW("default", keyword_annotation, .drafts = ALL_DRAFTS, .vocabularies = VOCABULARY_ALL) \
	ROW("examples", keyword_annotation, .drafts = ALL_DRAFTS, .vocabularies = VOCABULARY_ALL) \
	ROW("deprecated", keyword_annotation, .drafts = ALL_DRAFTS, .vocabularies = VOCABULARY_ALL) \
	ROW("readOnly", keyword_annotation, .drafts = ALL_DRAFTS, .vocabularies = VOCABULARY_ALL) \
	ROW("writeOnly", keyword_annotation, .drafts = ALL_DRAFTS, .vocabularies = VOCABULARY_ALL) \
	ROW("contentEncoding", keyword_annotation, .drafts = ALL_DRAFTS & ~D07, .vocabularies = VOCABULARY_ALL) \
	ROW("contentMediaType", keyword_annotation, .drafts = ALL_DRAFTS & ~D07, .vocabularies = VOCABULARY_ALL)
/* clang-format on */

#define DECLARE(word, functions, ...) extern const struct keyword_functions functions;
KEYWORDS(DECLARE)

const struct keyword_functions keyword_annotation;

#define ROW(word, functions, ...) { .name = (word), .does = &(functions), __VA_ARGS__ },
const struct keyword keywords[] = { KEYWORDS(ROW) };
const size_t KEYWORD_COUNT = ARRAY_LEN(keywords);

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
	static_assert(ARRAY_LEN(keywords) < KEYWORD_SLOTS / 2, "room for all");
	memset(index, 0, sizeof(*index));
	for (size_t i = 0; i < KEYWORD_COUNT; i++) {
		size_t slot = name_slot(keywords[i].name);
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
		const struct keyword *row = &keywords[index->rows[i] - 1];
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

	while (i < KEYWORD_COUNT && strcmp(keywords[i].name, name) != 0)
		i++;
	BUG_IF(i == KEYWORD_COUNT);
	return &keywords[i];
}

static int
by_name(const void *name, const void *entry)
{
	return strcmp(name, *(const char *const *)entry);
}

/* x-order, ui:widget, @type: no draft has keywords like these. */
bool
keyword_is_foreign(const char *name)
{
	return strncmp(name, "x-", 2) == 0 ||
	       (!ascii_is_letter((unsigned char)*name) && *name != '$') ||
	       strpbrk(name, ":./") != NULL ||
	       bsearch(name, FOREIGN, ARRAY_LEN(FOREIGN), sizeof(*FOREIGN), by_name) != NULL;
}
