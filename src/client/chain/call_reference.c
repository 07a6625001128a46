#include "client/chain.h"

#include "base/ascii.h"
#include "json/print.h"

#include <stdlib.h>
#include <string.h>

enum { NAME_MAX_BYTES = 512 };

/* The tool with the longest name that the text begins with; NULL: there is none. */
static const struct primitive *
find_tool(const struct primitive_list *tools, const char *text, size_t *name_len)
{
	char name[NAME_MAX_BYTES + 1];
	const struct primitive *found = NULL;

	for (size_t len = 1; len <= NAME_MAX_BYTES && text[len - 1]; len++) {
		name[len - 1] = text[len - 1];
		name[len] = '\0';
		if (text[len] && !strchr("(.[| ", text[len]))
			continue;
		const struct primitive *tool = primitive_list_find(tools, name, 0);
		found = tool ? tool : found;
		*name_len = tool ? len : *name_len;
	}
	return found;
}

static int64_t
unit_us(char unit)
{
	static const struct {
		char letter;
		int64_t seconds;
	} units[] = { { 's', 1 }, { 'm', 60 }, { 'h', 3600 }, { 'd', 86400 } };

	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (units[i].letter == unit)
			return units[i].seconds * 1000000;
	return 0;
}

/* "(5m)" at *at, which is then behind it. */
static bool
read_age(const char **at, int64_t *age_us, struct err *err)
{
	enum { MOST = 100000 };
	const char *digit = *at + 1;
	int64_t count = 0;

	while (ascii_is_digit((unsigned char)*digit) && count <= MOST)
		count = count * 10 + (*digit++ - '0');
	if (digit == *at + 1 || count > MOST || unit_us(*digit) == 0 || digit[1] != ')')
		return err_set(err, "an age is a number and s, m, h or d, such as (5m)");
	*age_us = count * unit_us(*digit);
	*at = digit + 2;
	return true;
}

bool
call_reference_read(
    struct call_reference *r, const char *text, const struct primitive_list *tools, struct err *err)
{
	size_t len = 0;

	*r = (struct call_reference){ .max_age_us = INT64_MAX };
	*err = (struct err){ "" };
	if (text[0] != '@' || !(r->tool = find_tool(tools, text + 1, &len)))
		return false;
	const char *at = text + 1 + len;
	if (*at == '(' && !read_age(&at, &r->max_age_us, err))
		return false;
	at += strspn(at, " ");
	buf_add_str(&r->query, *at == '\0' || *at == '[' || *at == '|' ? "." : "");
	buf_add_str(&r->query, at);
	return true;
}

void
call_reference_finish(struct call_reference *r)
{
	buf_finish(&r->query);
	*r = (struct call_reference){ 0 };
}

const struct call *
call_reference_find(const struct server *s, const char *tool)
{
	for (size_t i = server_info(s)->calls; i-- > 0;) {
		const struct call *c = server_call_at(s, i);
		if (c->kind == PRIMITIVE_TOOL && c->state == CALL_DONE && !call_is_error(c) &&
		    strcmp(c->key, tool) == 0)
			return c;
	}
	return NULL;
}
