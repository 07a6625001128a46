#include "host/sampler.h"

#include "base/buf.h"
#include "base/mem.h"
#include "base/vec.h"

#include <stdlib.h>
#include <string.h>

struct words {
	char **items;
	size_t len, cap;
};

void
sampler_words_free(char **words)
{
	for (char **w = words; w && *w; w++)
		free(*w);
	free(words);
}

/* One word, quotes taken off. False: a quote is open. */
static bool
take_word(const char **at, struct buf *out)
{
	char quote = 0;

	for (; **at && (quote || !strchr(" \t\n", **at)); (*at)++) {
		if (quote ? **at == quote : **at == '"' || **at == '\'')
			quote = quote ? 0 : **at;
		else if (**at == '\\' && quote != '\'' && (*at)[1])
			buf_add_char(out, *++*at);
		else
			buf_add_char(out, **at);
	}
	return !quote;
}

char **
sampler_words(const char *line, struct err *err)
{
	struct words words = { 0 };
	bool ok = true;

	for (const char *at = line; ok && *(at += strspn(at, " \t\n"));) {
		struct buf word = BUF_INIT;
		ok = take_word(&at, &word);
		*VEC_PUSH(&words) = mem_strdup(buf_text(&word));
		buf_finish(&word);
	}
	size_t count = words.len;
	*VEC_PUSH(&words) = NULL;
	if (ok && count > 0)
		return words.items;
	sampler_words_free(words.items);
	err_set(err, ok ? "the command is empty" : "the command has an open quote: %.150s", line);
	return NULL;
}
