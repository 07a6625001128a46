/* SPDX-License-Identifier: MIT */
/* A template in the first line, values as JSON after it: it is refused with a reason, or its
 * variables are listed and the expansion has only characters allowed in a URI. */
#include "fuzz.h"

#include "base/buf.h"
#include "mcp/uri_template.h"

#include <stdlib.h>
#include <string.h>

static void
check_uri(const struct buf *uri)
{
	for (size_t i = 0; i < uri->len; i++) {
		unsigned char c = (unsigned char)uri->data[i];
		demand(c > ' ' && c < 127 && !strchr("\"<>\\^`{|}", c));
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct buf text = BUF_INIT, uri = BUF_INIT;
	struct uri_variables v;
	struct err err = { "" };

	buf_add(&text, data, size);
	char *line = buf_detach(&text);
	char *rest = line ? strchr(line, '\n') : NULL;
	if (!rest) {
		free(line);
		return 0;
	}
	*rest++ = '\0';
	struct json_doc *doc = json_parse(rest, strlen(rest), NULL, NULL);
	bool sound = uri_template_variables(line, &v, &err);
	demand(sound || err.text[0]);
	demand(uri_template_expand(line, doc ? json_root(doc) : NULL, &uri, &err) <= sound);
	demand(sound || uri.len == 0);
	check_uri(&uri);
	uri_variables_finish(&v);
	json_doc_destroy(doc);
	buf_finish(&uri);
	free(line);
	return 0;
}
