#include "commands_priv.h"

#include "base/base64.h"
#include "base/mem.h"
#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>

/* One field of a form: from a file, or by $EDITOR. */

#define FILE_MAX ((size_t)12 << 20)

/* The form that is being filled in: a question's where one is on top. */
static struct form *
form_in_hand(const struct workbench *wb)
{
	const struct question *q =
	    wb->overlay == PANE_questions ? workspace_question(&wb->ws) : NULL;

	if (q)
		return q->form;
	return wb->ws.desk ? wb->ws.desk->form : NULL;
}

static struct form *
need_form(struct workbench *wb)
{
	struct form *form = form_in_hand(wb);

	if (!form)
		workbench_refuse(wb, "nothing with a form is selected");
	return form;
}

static void
form_changed(struct workbench *wb, struct form *form)
{
	form_check_given(form);
	wb->ws.generation++;
}

/* ---- a file into a string ---- */

enum encoding { ENCODING_BY_SCHEMA, ENCODING_RAW, ENCODING_BASE64 };

/* "[raw|base64] PATH" */
static const char *
take_encoding(const char *arg, enum encoding *encoding)
{
	static const struct {
		const char *word;
		enum encoding encoding;
	} words[] = { { "raw ", ENCODING_RAW }, { "base64 ", ENCODING_BASE64 } };

	*encoding = ENCODING_BY_SCHEMA;
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		size_t len = strlen(words[i].word);
		if (strncmp(arg, words[i].word, len) != 0)
			continue;
		*encoding = words[i].encoding;
		arg += len;
	}
	return arg + strspn(arg, " ");
}

static bool
is_text(const struct buf *bytes)
{
	return !memchr(buf_text(bytes), 0, bytes->len) &&
	       utf8_first_invalid(buf_text(bytes), bytes->len) == bytes->len;
}

static bool
put_bytes(struct workbench *wb, struct field *field, const struct buf *bytes, enum encoding how)
{
	struct buf text = BUF_INIT;
	bool raw = how == ENCODING_RAW ||
		   (how == ENCODING_BY_SCHEMA && is_text(bytes) && !field_view(field).base64);

	if (raw && !is_text(bytes))
		return workbench_refuse(wb, "it is no text: base64 takes it");
	if (raw)
		buf_add(&text, bytes->data, bytes->len);
	else
		base64_add(&text, bytes->data, bytes->len, BASE64_PLAIN);
	field_put_string(field, buf_text(&text), text.len);
	workbench_say(wb, ROLE_OK, "%zu bytes as %s", bytes->len, raw ? "text" : "base64");
	buf_finish(&text);
	return true;
}

bool
cmd_file(struct workbench *wb, const char *arg)
{
	size_t len = strcspn(arg, " ");
	struct form *form = need_form(wb);
	struct buf bytes = { .max = FILE_MAX };
	struct err err = { "" };
	enum encoding encoding;

	if (!form)
		return false;
	const char *path = take_encoding(arg + len + strspn(arg + len, " "), &encoding);
	if (!*path)
		return workbench_refuse(wb, "usage: file FIELD [raw|base64] PATH");
	char *name = mem_strndup(arg, len);
	struct field *field = form_reach_field(form, name, &err);
	bool ok = field && wb->host->read_file(wb->user, path, &bytes, &err);
	free(name);
	ok = ok ? put_bytes(wb, field, &bytes, encoding) : workbench_refuse(wb, err.text);
	buf_finish(&bytes);
	form_changed(wb, form);
	return ok;
}

/* ---- in $EDITOR ---- */

static bool
edit_text_of(struct workbench *wb, const struct field *field)
{
	struct buf text = BUF_INIT;
	struct err err = { "" };

	field_to_text(field, &text);
	buf_add_char(&text, '\n');
	bool ok = wb->host->edit(wb->user, buf_text(&text), text.len, &err);
	buf_finish(&text);
	return ok ? true : workbench_refuse(wb, err.text);
}

bool
commands_edit_field(struct workbench *wb, const char *path)
{
	struct form *form = need_form(wb);
	struct err err = { "" };

	if (!form)
		return false;
	size_t len = strcspn(path, " ");
	char *name = mem_strndup(path, len);
	struct field *field = form_reach_field(form, name, &err);
	free(wb->edited_field);
	wb->edited_field = name;
	wb->edited = EDITED_FIELD;
	wb->edited_question = wb->overlay == PANE_questions ? workspace_question(&wb->ws)->id : 0;
	return field ? edit_text_of(wb, field) : workbench_refuse(wb, err.text);
}

void
commands_take_field(struct workbench *wb, const char *text, size_t len)
{
	const struct question *q = wb->edited_question && wb->ws.server
				       ? server_find_question(wb->ws.server, wb->edited_question)
				       : NULL;
	const struct desk *desk = wb->edited_question ? NULL : wb->ws.desk;
	struct form *form = q ? q->form : desk ? desk->form : NULL;
	struct field *field = form ? form_find(form, wb->edited_field) : NULL;

	if (!field) {
		workbench_refuse(wb, "the field has gone");
		return;
	}
	if (!field_from_text(field, text, len))
		workbench_say(wb, ROLE_WARNING, "kept as typed, but it is not JSON");
	form_changed(wb, form);
}
