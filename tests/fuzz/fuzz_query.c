/* SPDX-License-Identifier: MIT */
/* jq: an error of libjq becomes one line and a position in the expression; completions start inside
 * the expression, are limited in number, and extend the typed text. */
#include "fuzz.h"

#include "json/doc.h"
#include "pane/structured/structured.h"

#include <string.h>

static void
complete(const char *text, size_t len)
{
	static const char value[] =
	    "{\"a\":[{\"b\":1,\"c d\":[1]},[2]],\"select\":{\"x\":{}},\"\":0}";
	struct json_doc *doc = json_parse(value, sizeof(value) - 1, NULL, NULL);
	struct query_words words = { .from = 0 };

	query_complete(text, len, json_root(doc), &words);
	demand(words.from <= len && words.words.len == words.notes.len);
	for (size_t i = 0; i < words.words.len; i++) {
		size_t typed = len - words.from;
		const char *word = words.words.items[i];
		demand(*word && strncmp(word + (*word == '"' && text[words.from] != '"'),
				    text + words.from, typed) == 0);
	}
	strings_finish(&words.words);
	strings_finish(&words.notes);
	json_doc_destroy(doc);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct query_answer answer = { .at = 0 };
	struct buf expression = BUF_INIT, said = BUF_INIT;
	const uint8_t *end = size > 0 ? memchr(data, '\1', size) : NULL;
	size_t len = end ? (size_t)(end - data) : size;

	buf_add(&expression, data, len);
	buf_add(&said, data + len, size - len);
	complete(buf_text(&expression), strlen(buf_text(&expression))); /* none has a NUL */
	query_read_error(buf_text(&expression), buf_text(&said), &answer);
	demand(answer.at == QUERY_NOWHERE || answer.at <= strlen(buf_text(&expression)));
	demand(!strchr(answer.trouble.text, '\n'));
	buf_finish(&expression);
	buf_finish(&said);
	return 0;
}
