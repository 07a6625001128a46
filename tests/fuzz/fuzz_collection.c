/* SPDX-License-Identifier: MIT */
/* Project files of any bytes are refused, or survive a round trip through a file; the values they
 * fill in are JSON. */
#include "fuzz.h"

#include "base/mem.h"
#include "json/doc.h"
#include "recipe/collection.h"

#include <stdlib.h>
#include <string.h>

static const char *
secret(void *user, const char *env)
{
	return strlen(env) % 2 ? "some \"secret\"" : NULL;
}

static void
check_call(const char *text, size_t size)
{
	struct saved_call call, again;
	struct buf out = BUF_INIT, second = BUF_INIT;
	struct err err = { "" };

	if (!saved_call_parse(&call, text, size, &err)) {
		demand(err.text[0] != '\0');
		return;
	}
	saved_call_add(&call, &out);
	demand(saved_call_parse(&again, buf_text(&out), out.len, &err));
	demand(strcmp(call.key, again.key) == 0 && strcmp(call.arguments, again.arguments) == 0);
	saved_call_add(&again, &second);
	demand(strcmp(buf_text(&out), buf_text(&second)) == 0);
	saved_call_finish(&call);
	saved_call_finish(&again);
	buf_finish(&out);
	buf_finish(&second);
}

/* The file also refers to its own variables. */
static void
check_filling(const struct environments *all, const char *name, const char *text, size_t size)
{
	static const struct collection_host host = { .secret = secret };
	struct environment e;
	struct buf out = BUF_INIT;
	struct err err = { "" };

	demand(environments_use(all, name, &host, NULL, &e, &err));
	if (environment_fill(&e, text, size, &out, &err)) {
		struct json_doc *doc = json_parse(buf_text(&out), out.len, NULL, NULL);
		demand(doc != NULL);
		json_doc_destroy(doc);
	} else {
		demand(err.text[0] != '\0');
	}
	environment_secret_in(&e, text, size);
	environment_finish(&e);
	buf_finish(&out);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = mem_strndup((const char *)data, size);
	struct environments all;
	struct err err = { "" };

	check_call(text, size);
	if (environments_parse(&all, text, size, &err)) {
		check_filling(&all, NULL, text, size);
		for (size_t i = 0; i < all.names.len && i < 4; i++)
			check_filling(&all, all.names.items[i], text, size);
		environments_finish(&all);
	} else {
		demand(err.text[0] != '\0');
	}
	saved_call_is_name(text, NULL);
	free(text);
	return 0;
}
