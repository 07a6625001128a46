#include "words.h"

#include "base/buf.h"
#include "base/mem.h"
#include "base/vec.h"
#include "dialogs_priv.h"

#include <string.h>

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
	while (at && *at && *at != ' ' && *at != '\t') {
		if (*at == '\'' || *at == '"') {
			at = add_quoted(word, at);
			continue;
		}
		at += *at == '\\' && at[1];
		buf_add_char(word, *at++);
	}
	return at;
}

bool
words_split(const char *text, struct strings *out, struct err *err)
{
	for (text += strspn(text, " \t"); *text; text += strspn(text, " \t")) {
		struct buf word = BUF_INIT;
		text = add_word(&word, text);
		if (text)
			*VEC_PUSH(out) = mem_strdup(buf_text(&word));
		buf_finish(&word);
		if (!text)
			return err_set(err, "a quote does not end");
	}
	return true;
}
