/* SPDX-License-Identifier: MIT */
#include "quoted.h"

#include "base/mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *
quoted(const char *text)
{
	char *copy = mem_strdup(text);

	for (char *at = copy; (at = strchr(at, '\''));)
		*at = '"';
	return copy;
}

struct json_doc *
parse_quoted(const char *text)
{
	char *json = quoted(text);
	struct json_error error;
	struct json_doc *doc = json_parse(json, strlen(json), NULL, &error);

	if (!doc) {
		fprintf(stderr, "%s\n%s\n", json, error.text);
		abort();
	}
	free(json);
	return doc;
}
