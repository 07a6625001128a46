#ifndef DEMO_TOOLS_H
#define DEMO_TOOLS_H

#include <stdbool.h>

/* The tools in the order of tools/list. A new one is a demo_tool_NAME next to its handler and a row
 * here. */
#define DEMO_TOOLS(X)                \
	X(list_users)                \
	X(list_users_before)         \
	X(get_weather_data)          \
	X(search_orders)             \
	X(update_order)              \
	X(test_call)                 \
	X(test_call_structured_only) \
	X(bad_rows)                  \
	X(contradiction)             \
	X(mixed_content)             \
	X(rows)                      \
	X(slow)                      \
	X(fail)                      \
	X(crash)                     \
	X(array_result)              \
	X(scalar_result)             \
	X(nested)                    \
	X(big_numbers)               \
	X(draw_shape)                \
	X(ask)                       \
	X(ask_form)                  \
	X(ask_url)                   \
	X(ask_sampling)              \
	X(ask_roots)                 \
	X(hostile)                   \
	X(hostile_name)

/* JSON as it is read, made a string: tokens are kept, a run of white space becomes one space. */
#define JSON_TEXT(...) #__VA_ARGS__

#define DEMO_READ_ONLY JSON_TEXT({"readOnlyHint":true,"idempotentHint":true})
#define DEMO_NO_INPUT JSON_TEXT({"type":"object","properties":{},"additionalProperties":false})

struct demo_call;

struct demo_tool {
	const char *name, *title, *description;
	const char *annotations;   /* JSON, NULL for none */
	const char *input_schema;  /* JSON */
	const char *output_schema; /* JSON, NULL for none */
	/* structuredContent need not be an object, which it must be before 2026-07-28: there both
	 * it and the schema stand in an object, as its member `result`. */
	bool any_value;
	void (*run)(struct demo_call *call); /* answers, or sees to it that somebody will */
};

#define X(tool) extern const struct demo_tool demo_tool_##tool;
DEMO_TOOLS(X)
#undef X

#endif
