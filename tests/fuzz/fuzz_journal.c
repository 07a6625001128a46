/* SPDX-License-Identifier: MIT */
/*
 * The journal with any bytes: the row of a message, and its export in every format. Each line of
 * the input is a message; its first letter gives the source: s we sent, r we received, e stderr, n
 * a note about HTTP. Every exported file is valid UTF-8; a JSON one is JSON.
 */
#include "fuzz.h"

#include "base/utf8.h"
#include "client/journal.h"

#include <string.h>

static enum journal_kind
kind_of(char letter)
{
	return letter == 's'   ? JOURNAL_SENT
	       : letter == 'e' ? JOURNAL_STDERR
	       : letter == 'n' ? JOURNAL_NOTE
			       : JOURNAL_RECEIVED;
}

/* In a note \r means a line break. */
static void
take(struct journal *j, char letter, char *text, size_t len, int64_t at_us)
{
	enum journal_kind kind = kind_of(letter);
	struct message m = { .kind = MESSAGE_NOT_JSON };

	for (size_t i = 0; kind == JOURNAL_NOTE && i < len; i++)
		text[i] = text[i] == '\r' ? '\n' : text[i];
	struct blob *bytes = blob_from_bytes(text, len);
	struct json_doc *doc = json_parse(text, len, NULL, NULL);
	if (doc)
		message_classify(json_root(doc), &m);
	journal_add(j, &(struct journal_args){ .kind = kind,
			   .message = m.kind,
			   .at_us = at_us,
			   .bytes = bytes,
			   .method = m.method,
			   .rpc_id = kind == JOURNAL_NOTE ? NULL : "1",
			   .carried = 1,
			   .doc = doc });
	json_doc_destroy(doc);
	blob_unref(bytes);
}

static void
check_file(const struct journal_export *x, const char *format, bool is_json)
{
	struct buf out = BUF_INIT;
	struct err err;

	if (journal_export(x, format, &out, &err)) {
		/* strings of JSON may be lone surrogates and NUL in a curl command of raw bytes */
		for (char *line = out.data, *end; is_json && (end = strchr(line, '\n'));
		     line = end + 1) {
			struct json_doc *doc = json_parse(line, (size_t)(end - line), NULL, NULL);
			demand(doc);
			json_doc_destroy(doc);
		}
		demand(!is_json || utf8_first_invalid(out.data, out.len) == out.len);
	}
	buf_finish(&out);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct journal *j = journal_create(100000);
	struct buf copy = BUF_INIT;
	uint64_t ids[64];
	size_t count = 0;

	buf_add(&copy, data, size);
	char *at = (char *)buf_text(&copy), *end = at + copy.len;
	while (at < end && count < 64) {
		char *stop = memchr(at, '\n', (size_t)(end - at));
		size_t len = (size_t)((stop ? stop : end) - at);
		if (len > 0)
			take(j, *at, at + 1, len - 1, (int64_t)count * 1000);
		ids[count] = count + 1;
		count++;
		at += len + (stop != NULL);
	}
	for (size_t i = 0; i < journal_info(j)->count; i++) {
		const char *brief = journal_at(j, i)->brief;
		demand(!brief || strlen(brief) < 1000);
		for (int secrets = 0; secrets < 2; secrets++) {
			const struct journal_export x = { .journal = j,
				.ids = ids,
				.count = count,
				.selected = journal_at(j, i)->id,
				.url = "https://a.example/mcp",
				.with_secrets = secrets };
			check_file(&x, "curl", false);
		}
	}
	const struct journal_export all = {
		.journal = j, .ids = ids, .count = count, .url = "https://a.example/mcp"
	};
	check_file(&all, "jsonl", true);
	check_file(&all, "har", true);
	journal_destroy(j);
	buf_finish(&copy);
	return 0;
}
