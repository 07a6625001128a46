#ifndef DEMO_TOOL_H
#define DEMO_TOOL_H

#include "json/doc.h"
#include "json/write.h"

#include <stdbool.h>
#include <stdint.h>

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
	X(plan_trip)                 \
	X(ask)                       \
	X(ask_form)                  \
	X(ask_url)                   \
	X(ask_sampling)              \
	X(ask_roots)                 \
	X(edit_orders)               \
	X(plan_budget)               \
	X(watch_machine)             \
	X(machine_stats)             \
	X(hostile)                   \
	X(hostile_name)

/* JSON as it is read, made a string: tokens are kept, a run of white space becomes one space. */
#define JSON_TEXT(...) #__VA_ARGS__

#define DEMO_READ_ONLY JSON_TEXT({"readOnlyHint":true,"idempotentHint":true})

struct demo;

/* A request that is being handled. A handler answers between demo_result() and demo_end(), by one
 * of the helpers for whole replies, or later. */
struct demo_call {
	struct demo *demo;
	struct json_writer w; /* inside the result object between demo_result() and demo_end() */
	const char *id;       /* as JSON; lives as long as the handler runs */
	const cJSON *params;
	const cJSON *arguments; /* of a tools/call: an object or NULL */
	bool modern;
	int64_t now_ms;
	const struct demo_tool *tool; /* of a tools/call */
};

struct demo_tool {
	const char *name, *title, *description;
	const char *annotations;   /* JSON, NULL for none */
	const char *input_schema;  /* JSON, NULL: it takes no arguments */
	const char *output_schema; /* JSON, NULL for none */
	/* structuredContent need not be an object. Before 2026-07-28 it must be: there it and its
	 * schema are wrapped in an object, as its member `result`. */
	bool any_value;
	void (*run)(struct demo_call *call); /* answers, now or later */
	const char *text, *data;             /* of demo_reply(); data is JSON */
	const char *method, *params;         /* of a tool that only asks; params are JSON */
	const char *app;                     /* the URI of the resource that shows the result, or NULL */
	bool app_only;                       /* its visibility: only the app calls it */
};

#define X(tool) extern const struct demo_tool demo_tool_##tool;
DEMO_TOOLS(X)
#undef X

/* ---- reply.c ---- */

void demo_reply(struct demo_call *call);  /* the whole reply: the text and data of the tool */
void demo_result(struct demo_call *call); /* opens the reply and its result */
void demo_end(struct demo_call *call);    /* closes both as "complete" */
void demo_end_as(struct demo_call *call, const char *result_type);
void demo_end_cacheable(struct demo_call *call, int ttl_ms); /* by the modern client */
/* content: one text block */
void demo_text(struct demo_call *call, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void demo_structured(struct demo_call *call, const char *json); /* structuredContent as it stands */
/* The same for a tool whose any_value is set. */
void demo_any_value(struct demo_call *call, const char *json);
/* The whole reply: isError and a sentence. */
void demo_fail(struct demo_call *call, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* The whole reply: a JSON-RPC error; data is JSON or NULL. */
void demo_error(struct demo_call *call, int code, const char *data, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Set *value to the argument; it stays if the argument is absent. A bad argument is answered with a
 * sentence, and the result is false. */
bool demo_arg_size(struct demo_call *call, const char *name, size_t min, size_t max, size_t *value);
bool demo_arg_bool(struct demo_call *call, const char *name, bool *value);
bool demo_arg_text(struct demo_call *call, const char *name, const char **value);
/* One of choices (ended by NULL), as its index. */
bool demo_arg_choice(
    struct demo_call *call, const char *name, const char *const *choices, size_t *value);

#endif
