/* SPDX-License-Identifier: MIT */
#include "base/vec.h"
#include "mcp/primitive.h"
#include "test.h"

#include <string.h>

static struct json_doc *
parse(const char *text)
{
	struct json_doc *doc = json_parse(text, strlen(text), NULL, NULL);

	assert_non_null(doc);
	return doc;
}

static void
test_said(void **state)
{
	static const struct {
		const char *first, *second; /* pages; NULL: only one */
		const char *text;
	} rows[] = {
		{ "{}", NULL, "" },
		{ "{\"ttlMs\":30000,\"cacheScope\":\"private\"}", NULL, "fresh for 30 s, private" },
		{ "{\"ttlMs\":1500}", NULL, "fresh for 1500 ms" },
		{ "{\"ttlMs\":300000}", NULL, "fresh for 5 min" },
		{ "{\"ttlMs\":7200000}", NULL, "fresh for 2 h" },
		{ "{\"ttlMs\":0,\"cacheScope\":\"public\"}", NULL, "stale at once, public" },
		{ "{\"ttlMs\":-1}", NULL, "stale at once" },
		{ "{\"ttlMs\":\"1\"}", NULL, "stale at once" },
		{ "{\"ttlMs\":1e300}", NULL, "fresh for 277777777 h" },
		{ "{\"cacheScope\":7,\"ttlMs\":1000}", NULL, "fresh for 1 s" },
		{ "{\"cacheScope\":\"a scope that nobody knows\"}", NULL,
		    "stale at once, a scope that no" },
		{ "{\"ttlMs\":9000,\"cacheScope\":\"public\"}",
		    "{\"ttlMs\":4000,\"cacheScope\":\"private\"}", "fresh for 4 s, private" },
		{ "{\"ttlMs\":9000,\"cacheScope\":\"private\"}",
		    "{\"ttlMs\":90000,\"cacheScope\":\"public\"}", "fresh for 9 s, private" },
		{ "{\"ttlMs\":9000,\"cacheScope\":\"public\"}", "{}", "stale at once" },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct json_doc *first = parse(rows[i].first);
		struct buf out = BUF_INIT;
		struct caching c;
		caching_read(&c, json_root(first));
		if (rows[i].second) {
			struct json_doc *second = parse(rows[i].second);
			caching_join(&c, json_root(second));
			json_doc_destroy(second);
		}
		caching_describe(&c, &out);
		assert_string_equal(buf_text(&out), rows[i].text);
		buf_finish(&out);
		json_doc_destroy(first);
	}
}

TEST_FILE(mcp_caching)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_said),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
