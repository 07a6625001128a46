#include "overview.h"

#include <string.h>

const char *const overview_asked_names[OVERVIEW_ASKED] = {
	"elicitation/create", "sampling/createMessage", "roots/list", "ping",
	"input within a call", /* 2026-07-28: results of type input_required */
};

static bool
wants_input(const struct journal_entry *e)
{
	static const char sign[] = "\"input_required\"";
	size_t most = e->bytes->len < 4096 ? e->bytes->len : 4096;

	return e->message == MESSAGE_RESULT && memmem(e->bytes->data, most, sign, strlen(sign));
}

static void
count(struct overview_asked *asked, const struct journal_entry *e)
{
	if (e->kind != JOURNAL_RECEIVED)
		return;
	if (wants_input(e))
		asked->count[OVERVIEW_ASKED - 1]++;
	if (e->message != MESSAGE_REQUEST || !e->method)
		return;
	for (size_t i = 0; i + 1 < OVERVIEW_ASKED; i++)
		asked->count[i] += strcmp(e->method, overview_asked_names[i]) == 0;
}

void
overview_count_asked(struct overview_asked *asked, const struct journal *journal)
{
	size_t i = asked->seen ? journal_index(journal, asked->seen) + 1 : 0;

	if (asked->seen && !journal_find(journal, asked->seen))
		i = 0; /* went: all that is left came after it */
	for (; i < journal_count(journal); i++) {
		const struct journal_entry *e = journal_at(journal, i);
		asked->seen = e->id;
		count(asked, e);
	}
}
