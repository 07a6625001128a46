#include "mcp/session/internals.h"

#include "json/print.h"

void
added_on_message(struct session *s, const struct message *m)
{
	static const char RESULT[] = "{\"added\":true}";
	struct buf id = BUF_INIT;

	json_print(&id, m->id);
	outgoing_answer(s, m->method, buf_text(&id), MESSAGE_RESULT, RESULT, sizeof(RESULT) - 1);
	buf_finish(&id);
}
