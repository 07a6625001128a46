#include "keyword.h"

#include <string.h>

/* evenBytes: true for a string of an even number of bytes. */

static bool
compile_even(struct compiler *k, const cJSON *value)
{
	compile_rule(k, value);
	return true;
}

static bool
check_even(struct checker *c, const struct rule *rule, const struct subject *s)
{
	bool even = strlen(cJSON_GetStringValue(s->value)) % 2 == 0;

	return even == cJSON_IsTrue(rule->value) || report_add(c, rule, s, (struct fact){ 0 });
}

static void
say_even(const struct record *r, struct buf *out)
{
	buf_addf(out, "an %s number of bytes", cJSON_IsTrue(r->rule->value) ? "even" : "odd");
}

const struct keyword_functions keyword_even = {
	.compile = compile_even,
	.expects = JSON_BOOLEAN,
	.check = check_even,
	.expected = say_even,
};
