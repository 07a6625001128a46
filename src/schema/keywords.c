#include "compile_priv.h"

#include "check_priv.h"

#include <string.h>

#define ANNOTATION(name)                                                \
	{                                                               \
		name, ALL_DRAFTS, HOLDS_NONE, 0, NULL, NULL, NULL, NULL \
	}

/* clang-format off */
const struct keyword KEYWORDS[] = {
	/* any value */
	{ "type", ALL_DRAFTS, HOLDS_NONE, TYPE_ANY, compile_type, check_type, say_type, NULL },
	{ "enum", ALL_DRAFTS, HOLDS_NONE, TYPE_ANY, compile_enum, check_enum, say_enum, line_enum },
	{ "const", SINCE_06, HOLDS_NONE, TYPE_ANY, compile_const, check_const, say_const, line_const },

	/* numbers */
	{ "minimum", ALL_DRAFTS, HOLDS_NONE, TYPE_NUMBER, compile_bound, check_bound, say_number_bound, line_number_bound },
	{ "maximum", ALL_DRAFTS, HOLDS_NONE, TYPE_NUMBER, compile_bound, check_bound, say_number_bound, line_number_bound },
	{ "exclusiveMinimum", SINCE_06, HOLDS_NONE, TYPE_NUMBER, compile_bound, check_bound, say_number_bound, line_number_bound },
	{ "exclusiveMaximum", SINCE_06, HOLDS_NONE, TYPE_NUMBER, compile_bound, check_bound, say_number_bound, line_number_bound },
	{ "exclusiveMinimum", D04, HOLDS_NONE, 0, compile_legacy_bound, NULL, NULL, NULL },
	{ "exclusiveMaximum", D04, HOLDS_NONE, 0, compile_legacy_bound, NULL, NULL, NULL },
	{ "multipleOf", ALL_DRAFTS, HOLDS_NONE, TYPE_NUMBER, compile_multiple, check_multiple, say_multiple, line_multiple },

	/* text */
	{ "minLength", ALL_DRAFTS, HOLDS_NONE, TYPE_STRING, compile_count, check_min_length, say_length, line_length },
	{ "maxLength", ALL_DRAFTS, HOLDS_NONE, TYPE_STRING, compile_count, check_max_length, say_length, line_length },
	{ "pattern", ALL_DRAFTS, HOLDS_NONE, TYPE_STRING, compile_pattern, check_pattern, say_pattern, line_pattern },
	{ "format", ALL_DRAFTS, HOLDS_NONE, TYPE_STRING, compile_format, check_format, say_format, line_format },

	/* objects */
	{ "minProperties", ALL_DRAFTS, HOLDS_NONE, TYPE_OBJECT, compile_count, check_min_size, say_size, NULL },
	{ "maxProperties", ALL_DRAFTS, HOLDS_NONE, TYPE_OBJECT, compile_count, check_max_size, say_size, NULL },
	{ "properties", ALL_DRAFTS, HOLDS_MAP, TYPE_OBJECT, compile_properties, check_members, say_nothing, line_nothing },
	{ "required", ALL_DRAFTS, HOLDS_NONE, TYPE_OBJECT, compile_required, NULL, say_name, line_missing },
	{ "patternProperties", ALL_DRAFTS, HOLDS_MAP, TYPE_OBJECT, compile_pattern_properties, NULL, say_nothing, line_nothing },
	{ "additionalProperties", ALL_DRAFTS, HOLDS_SCHEMA, TYPE_OBJECT, compile_additional_properties, NULL, say_not_declared, line_not_declared },
	{ "propertyNames", SINCE_06, HOLDS_SCHEMA, TYPE_OBJECT, compile_property_names, check_property_names, say_nothing, line_nothing },
	{ "dependentRequired", SINCE_19, HOLDS_NONE, TYPE_OBJECT, compile_dependent_required, check_dependent_required, say_name, line_missing },

	/* arrays */
	{ "minItems", ALL_DRAFTS, HOLDS_NONE, TYPE_ARRAY, compile_count, check_min_size, say_size, NULL },
	{ "maxItems", ALL_DRAFTS, HOLDS_NONE, TYPE_ARRAY, compile_count, check_max_size, say_size, NULL },
	{ "items", D20, HOLDS_SCHEMA, TYPE_ARRAY, compile_items, check_elements, say_surplus, line_surplus },
	{ "items", UNTIL_07 | D19, HOLDS_SCHEMA_OR_LIST, TYPE_ARRAY, compile_items, check_elements, say_surplus, line_surplus },
	{ "prefixItems", D20, HOLDS_LIST, TYPE_ARRAY, compile_prefix_items, NULL, say_nothing, line_nothing },
	{ "additionalItems", UNTIL_07 | D19, HOLDS_SCHEMA, TYPE_ARRAY, compile_additional_items, NULL, say_surplus, line_surplus },
	{ "contains", SINCE_06, HOLDS_SCHEMA, TYPE_ARRAY, compile_contains, check_contains, say_contains, line_contains },
	{ "minContains", SINCE_19, HOLDS_NONE, 0, compile_contains_count, NULL, say_contains, line_contains },
	{ "maxContains", SINCE_19, HOLDS_NONE, 0, compile_contains_count, NULL, say_contains, line_contains },
	{ "uniqueItems", ALL_DRAFTS, HOLDS_NONE, TYPE_ARRAY, compile_unique, check_unique, say_unique, line_unique },

	/* the same value by other schemas */
	{ "$ref", ALL_DRAFTS, HOLDS_NONE, TYPE_ANY, compile_ref, check_ref, NULL, NULL },
	{ "$dynamicRef", D20, HOLDS_NONE, TYPE_ANY, compile_dynamic_ref, check_dynamic_ref, NULL, NULL },
	{ "$recursiveRef", D19, HOLDS_NONE, TYPE_ANY, compile_recursive_ref, check_recursive_ref, NULL, NULL },
	{ "allOf", ALL_DRAFTS, HOLDS_LIST, TYPE_ANY, compile_list, check_all_of, NULL, NULL },
	{ "anyOf", ALL_DRAFTS, HOLDS_LIST, TYPE_ANY, compile_list, check_any_of, say_alternatives, line_alternatives },
	{ "oneOf", ALL_DRAFTS, HOLDS_LIST, TYPE_ANY, compile_list, check_one_of, say_alternatives, line_alternatives },
	{ "not", ALL_DRAFTS, HOLDS_SCHEMA, TYPE_ANY, compile_not, check_not, say_not, line_not },
	{ "if", SINCE_07, HOLDS_SCHEMA, TYPE_ANY, compile_if, check_if, NULL, NULL },
	{ "then", SINCE_07, HOLDS_SCHEMA, 0, NULL, NULL, NULL, NULL },
	{ "else", SINCE_07, HOLDS_SCHEMA, 0, NULL, NULL, NULL, NULL },
	{ "dependentSchemas", SINCE_19, HOLDS_MAP, TYPE_OBJECT, compile_dependent_schemas, check_dependent_schemas, NULL, NULL },
	{ "dependencies", ALL_DRAFTS, HOLDS_MAP_OR_NAMES, TYPE_OBJECT, compile_dependencies, check_dependencies, say_name, line_missing },

	/* what none of the above has looked at */
	{ "unevaluatedProperties", SINCE_19, HOLDS_SCHEMA, TYPE_OBJECT, compile_unevaluated, check_unevaluated_properties, say_not_declared, line_not_declared },
	{ "unevaluatedItems", SINCE_19, HOLDS_SCHEMA, TYPE_ARRAY, compile_unevaluated, check_unevaluated_items, say_not_declared, line_not_declared },

	/* definitions and annotations */
	{ "$defs", SINCE_19, HOLDS_MAP, 0, compile_definitions, NULL, NULL, NULL },
	{ "definitions", ALL_DRAFTS, HOLDS_MAP, 0, compile_definitions, NULL, NULL, NULL },
	{ "contentSchema", SINCE_19, HOLDS_SCHEMA, 0, NULL, NULL, NULL, NULL },
	ANNOTATION("$schema"), ANNOTATION("$id"), ANNOTATION("id"), ANNOTATION("$anchor"), ANNOTATION("$dynamicAnchor"),
	ANNOTATION("$recursiveAnchor"), ANNOTATION("$comment"), ANNOTATION("$vocabulary"),
	ANNOTATION("title"), ANNOTATION("description"), ANNOTATION("default"), ANNOTATION("examples"),
	ANNOTATION("deprecated"), ANNOTATION("readOnly"), ANNOTATION("writeOnly"),
	ANNOTATION("contentEncoding"), ANNOTATION("contentMediaType"),

	/* words of other vocabularies that are known to say nothing about validity */
	ANNOTATION("errorMessage"), ANNOTATION("enumNames"), ANNOTATION("example"), ANNOTATION("externalDocs"),
	ANNOTATION("markdownDescription"), ANNOTATION("enumDescriptions"), ANNOTATION("markdownEnumDescriptions"),
	ANNOTATION("deprecationMessage"), ANNOTATION("patternErrorMessage"), ANNOTATION("defaultSnippets"),
	ANNOTATION("doNotSuggest"), ANNOTATION("allowComments"), ANNOTATION("allowTrailingCommas"),
	ANNOTATION("tsType"), ANNOTATION("tsEnumNames"),

	/* a keyword that is in no row */
	{ "", ALL_DRAFTS, HOLDS_NONE, TYPE_ANY, NULL, check_unknown, NULL, NULL },
};
/* clang-format on */
const size_t KEYWORD_COUNT = sizeof(KEYWORDS) / sizeof(*KEYWORDS);

bool
keyword_in_draft(const struct keyword *keyword, enum schema_draft draft)
{
	return keyword->drafts >> draft & 1;
}

const struct keyword *
keyword_find(const char *name, enum schema_draft draft)
{
	const struct keyword *other = NULL;

	for (size_t i = 0; i < KEYWORD_COUNT; i++) {
		const struct keyword *row = &KEYWORDS[i];
		if (row->name[0] != name[0] || strcmp(row->name, name) != 0)
			continue;
		if (keyword_in_draft(row, draft))
			return row;
		other = row;
	}
	return other;
}
