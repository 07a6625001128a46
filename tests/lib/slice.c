/* SPDX-License-Identifier: MIT */
#include "slice.h"

#include <string.h>

static const char *
skip_space(const char *p)
{
	return p + strspn(p, " \t\r\n");
}

static const char *
skip_value(const char *p)
{
	int depth = 0;

	do {
		if (*p == '"') {
			for (p++; *p && *p != '"'; p++)
				p += *p == '\\' && p[1];
		} else if (*p == '{' || *p == '[') {
			depth++;
		} else if (*p == '}' || *p == ']') {
			depth--;
		} else if (depth == 0) {
			return p + strcspn(p, ",]} \t\r\n");
		}
		p += *p != '\0';
	} while (depth > 0 && *p);
	return p;
}

static bool
is(struct slice s, const char *text)
{
	return s.at && (size_t)s.len == strlen(text) && !memcmp(s.at, text, (size_t)s.len);
}

struct slice
slice_find(struct slice object, const char *key)
{
	if (!object.at || *object.at != '{')
		return (struct slice){ 0 };
	for (const char *p = skip_space(object.at + 1); *p == '"';) {
		const char *name = p, *name_end = skip_value(p);
		p = skip_space(skip_space(name_end) + 1); /* the colon */
		const char *end = skip_value(p);
		if (slice_names((struct slice){ name, (int)(name_end - name) }, key))
			return (struct slice){ p, (int)(end - p) };
		p = skip_space(end);
		p = *p == ',' ? skip_space(p + 1) : p;
	}
	return (struct slice){ 0 };
}

bool
slice_names(struct slice s, const char *name)
{
	return s.at && s.len >= 2 && *s.at == '"' &&
	       is((struct slice){ s.at + 1, s.len - 2 }, name);
}
