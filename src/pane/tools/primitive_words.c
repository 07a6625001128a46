/* SPDX-License-Identifier: MIT */
#include "tools.h"

#include "json/number.h"
#include "pane/pane_text.h"

#include <string.h>

const struct primitive_words primitive_words[PRIMITIVE_KINDS] = {
	[PRIMITIVE_TOOL] = {
		.tab = "Tools",
		.brief = "T",
		.button = " Call F5 ",
		.no_fields = "takes no arguments",
		.idle = "Not called yet: F5 calls the tool.",
		.none = "This server has no tools.",
		.title = "content · for the model",
		.member = "content",
		.empty = "empty: a model that reads content sees nothing",
		.absent = "absent: a model that reads content sees nothing",
	},
	[PRIMITIVE_RESOURCE] = {
		.tab = "Resources",
		.brief = "R",
		.button = " Read F5 ",
		.no_fields = "",
		.idle = "Not read yet: Enter or F5 reads the resource.",
		.none = "This server has no resources.",
		.title = "contents",
		.member = "contents",
		.empty = "empty: the resource has no contents",
		.absent = "absent: the resource has no contents",
	},
	[PRIMITIVE_TEMPLATE] = {
		.tab = "Resources",
		.brief = "R",
		.button = " Read F5 ",
		.no_fields = "has no variables",
		.idle = "Not read yet: F5 expands the URI template and reads the resource.",
		.title = "contents",
		.member = "contents",
		.empty = "empty: the resource has no contents",
		.absent = "absent: the resource has no contents",
	},
	[PRIMITIVE_SKILL] = {
		.tab = "Skills",
		.brief = "S",
		.button = " Read F5 ",
		.no_fields = "",
		.idle = "Not read yet: F5 reads the file.",
		.none = "This server has no skills.",
		.title = "contents",
		.member = "contents",
		.empty = "empty: the file has no contents",
		.absent = "absent: the file has no contents",
	},
	[PRIMITIVE_PROMPT] = {
		.tab = "Prompts",
		.brief = "P",
		.button = " Get F5 ",
		.no_fields = "takes no arguments",
		.idle = "Not fetched yet: F5 gets the prompt and shows its messages.",
		.none = "This server has no prompts.",
		.title = "messages · for the model",
		.member = "messages",
		.empty = "empty: the prompt has no messages",
		.absent = "absent: the prompt has no messages",
	},
};

const struct primitive_words *
primitive_words_of(const struct view_env *env)
{
	return &primitive_words[env->ws->desk ? env->ws->desk->kind : PRIMITIVE_TOOL];
}

static void
add_fact(struct buf *out, const char *fact)
{
	if (fact && *fact)
		buf_addf(out, "%s%s", out->len ? " · " : "", fact);
}

void
primitive_facts(const struct primitive *p, bool listed, struct buf *out)
{
	char number[JSON_NUMBER_TEXT_MAX];
	size_t bytes;

	if (p->kind == PRIMITIVE_PROMPT)
		add_fact(out, p->title);
	else if (strcmp(p->key, p->name) != 0)
		add_fact(out, p->key);
	add_fact(out, p->mime);
	if (p->size && json_number_to_size(p->size, SIZE_MAX, &bytes))
		buf_addf(out, " · %s", pane_bytes(bytes).text);
	else if (p->size)
		add_fact(out, json_number_text(p->size, number));
	if (!listed)
		add_fact(out, "not listed");
	buf_addf(out, "%sdefinition F2", out->len ? "   " : "");
}

void
primitive_write_empty(struct page *page, const struct view_env *env, enum primitive_kind tab)
{
	const struct lister *lister = &server_info(env->ws->server)->lists[tab];
	const struct session *session = server_info(env->ws->server)->session;

	if (lister->error[0]) {
		page_text(page, 0, ROLE_ERROR, lister->error);
		page_text(page, 0, ROLE_HINT, ":relist asks again, w shows the messages.");
		return;
	}
	if (lister_is_busy(lister)) {
		page_text(page, 0, ROLE_DIM, "listing");
		return;
	}
	page_text(page, 0, ROLE_HINT, primitive_words[tab].none);
	page_text(page, 0, ROLE_HINT,
	    session && lister_is_declared(lister, session)
		? "Its list is empty: :relist asks again."
		: "The server does not declare any.");
	page_text(page, 0, ROLE_HINT, "[ and ] show the other lists, F3 shows the server.");
}
