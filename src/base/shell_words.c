#include "base/shell_words.h"

#include "base/buf.h"
#include "base/mem.h"
#include "base/vec.h"

#include <stdlib.h>
#include <string.h>

#define BLANKS " \t\n"

/* From an opening quote to behind the closing one; NULL: there is none. */
static const char *
add_quoted(struct buf *word, const char *at)
{
	char quote = *at++;

	for (; *at && *at != quote; at++) {
		if (quote == '"' && *at == '\\' && (at[1] == '"' || at[1] == '\\'))
			at++;
		buf_add_char(word, *at);
	}
	return *at ? at + 1 : NULL;
}

static const char *
add_word(struct buf *word, const char *at)
{
	while (at && *at && !strchr(BLANKS, *at)) {
		if (*at == '\'' || *at == '"') {
			at = add_quoted(word, at);
			continue;
		}
		at += *at == '\\' && at[1];
		buf_add_char(word, *at++);
	}
	return at;
}

char **
shell_words_split(const char *text, struct err *err)
{
	struct {
		char **items;
		size_t len, cap;
	} words = { 0 };

	for (text += strspn(text, BLANKS); text && *text;) {
		struct buf word = BUF_INIT;
		text = add_word(&word, text);
		*VEC_PUSH(&words) = mem_strdup(buf_text(&word));
		buf_finish(&word);
		text = text ? text + strspn(text, BLANKS) : NULL;
	}
	*VEC_PUSH(&words) = NULL;
	if (text && words.len > 1)
		return words.items;
	shell_words_free(words.items);
	err_set(err, text ? "there is no word in it" : "a quote does not end");
	return NULL;
}

void
shell_words_free(char **words)
{
	for (char **w = words; w && *w; w++)
		free(*w);
	free(words);
}
