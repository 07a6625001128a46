/* SPDX-License-Identifier: MIT */
#include "tool.h"

#include "base/buf.h"
#include "base/vec.h"

#include <string.h>

/* Results that break the tool's own outputSchema or contradict themselves, each in one way. */

static void
test_call_structured_only(struct demo_call *call)
{
	bool omit = false;

	if (!demo_arg_bool(call, "omit_content", &omit))
		return;
	demo_result(call);
	if (!omit) {
		json_write_member_array(&call->w, "content");
		json_write_array_end(&call->w);
	}
	demo_structured(call, JSON_TEXT({"status":"ok","value":42}));
	demo_end(call);
}

/* Text that attacks the terminal it is shown in. Every attack must appear as visible marks. */

#define CLEAR "\033[2J\033[H"
#define TITLE "\033]0;owned\007"
#define CLIPBOARD "\033]52;c;b3duZWQ=\007"
#define RED "\033[31;7m"
#define C1_CSI "\302\2332J"            /* U+009B */
#define RIGHT_TO_LEFT "\342\200\256"   /* U+202E, right-to-left override */
#define ISOLATE "\342\201\246"         /* U+2066, left-to-right isolate */
#define ZERO_WIDTH "\342\200\213"      /* U+200B */
#define BYTE_ORDER_MARK "\357\273\277" /* U+FEFF */
#define TAG_A "\363\240\201\201"       /* U+E0041, an invisible letter */
#define MARKS "\314\200\314\201\314\202\314\203\314\204\314\205\314\206\314\207"

static void
hostile(struct demo_call *call)
{
	static const char *const cells[] = { CLEAR "cleared?", TITLE "title?",
		CLIPBOARD "clipboard?", RED "red?", C1_CSI "C1?", "user" RIGHT_TO_LEFT "gpj.exe",
		ISOLATE "isolated", "pass" ZERO_WIDTH "word", BYTE_ORDER_MARK "mark first",
		"hidden" TAG_A TAG_A "letters", "Z" MARKS MARKS "algo", "bell\a back\b\b\b space",
		"over\rwritten", "two\nlines\tand a tab", "half a \033[" };
	static const char flaws[] =
	    "{\"nul\":\"a\\u0000b\",\"half a pair\":\"\\ud83d\",\"twice\":1,\"twice\":2}";
	struct json_writer *w = &call->w;

	demo_result(call);
	demo_text(call, CLEAR TITLE CLIPBOARD
	    "Your screen is still here. " RED "Ignore all previous colors. " C1_CSI
	    "This is " RIGHT_TO_LEFT "desrever" ZERO_WIDTH ".\r\n\033[999;999HThe end");
	json_write_member_object(w, "structuredContent");
	json_write_member_array(w, "rows");
	for (size_t i = 0; i < ARRAY_LEN(cells); i++) {
		json_write_object(w);
		json_write_member_int(w, "id", (int64_t)i + 1);
		json_write_member_string(w, "text" RIGHT_TO_LEFT, cells[i]);
		json_write_member_string(w, RED "key", "harmless");
		json_write_object_end(w);
	}
	json_write_array_end(w);
	json_write_member_json(w, "flaws", flaws);
	json_write_object_end(w);
	demo_end(call);
}

/* Calls that end badly. */

static void
results_fail(struct demo_call *call)
{
	static const char *const kinds[] = { "tool", "protocol", NULL };
	size_t kind = 0;

	if (!demo_arg_choice(call, "kind", kinds, &kind))
		return;
	if (kind == 0)
		demo_fail(call, "Warehouse 7 does not answer. Try again later, or ask for 3.");
	else
		demo_error(
		    call, ERROR_INTERNAL, "{\"warehouse\":7}", "Warehouse 7 does not answer");
}

static void
crash(struct demo_call *call)
{
	static const char *const kinds[] = { "abort", "exit", NULL };
	size_t kind = 0;

	if (demo_arg_choice(call, "kind", kinds, &kind))
		call->demo->out->crash = kind == 0 ? DEMO_ABORTS : DEMO_EXITS;
}

/* Data of every shape. */

static void
scalar_result(struct demo_call *call)
{
	static const char *const kinds[] = { "number", "string", "boolean", "null", NULL };
	static const char *const values[] = { "42", "\"forty-two\"", "true", "null" };
	size_t kind = 0;

	if (!demo_arg_choice(call, "kind", kinds, &kind))
		return;
	demo_result(call);
	demo_text(call, "The result is %s", values[kind]);
	demo_structured(call, values[kind]);
	demo_end(call);
}

/* A form with every kind of choice: variants in a field, in items, in the values of a map. */

static double
number_of(const cJSON *object, const char *name)
{
	const cJSON *number = json_get(object, name);

	return cJSON_IsNumber(number) ? number->valuedouble : 0;
}

/* False: there is no such kind. */
static bool
area_of(const cJSON *shape, const char *kind, double *area)
{
	if (strcmp(kind, "circle") == 0) {
		double radius = number_of(shape, "radius");
		*area = 3.141592653589793 * radius * radius;
	} else if (strcmp(kind, "rectangle") == 0) {
		*area = number_of(shape, "width") * number_of(shape, "height");
	} else if (strcmp(kind, "polygon") == 0) {
		const cJSON *first = json_first(json_get(shape, "points"));
		double twice = 0;
		for (const cJSON *p = first; p; p = p->next) {
			const cJSON *q = p->next ? p->next : first;
			twice += number_of(p, "x") * number_of(q, "y") -
				 number_of(q, "x") * number_of(p, "y");
		}
		*area = (twice < 0 ? -twice : twice) / 2;
	} else {
		return false;
	}
	return true;
}

static void
draw_shape(struct demo_call *call)
{
	const cJSON *shape = json_get(call->arguments, "shape");
	const char *kind = json_get_string(shape, "kind");
	struct buf area = BUF_INIT;
	double number;

	if (!kind || !area_of(shape, kind, &number)) {
		demo_fail(call, "shape.kind must be circle, rectangle or polygon.");
		return;
	}
	buf_addf(&area, "%.2f", number);
	demo_result(call);
	demo_text(call, "A %s of area %s", kind, buf_text(&area));
	json_write_member_object(&call->w, "structuredContent");
	json_write_member_json(&call->w, "area", buf_text(&area));
	json_write_member_value(&call->w, "received", call->arguments);
	json_write_object_end(&call->w);
	demo_end(call);
	buf_finish(&area);
}

const struct demo_handler demo_results[] = {
	{ "test_call_structured_only", test_call_structured_only },
	{ "hostile", hostile },
	{ "fail", results_fail },
	{ "crash", crash },
	{ "scalar_result", scalar_result },
	{ "draw_shape", draw_shape },
	{ NULL, NULL },
};
