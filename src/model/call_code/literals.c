#include "call_code.h"

#include "base/ascii.h"
#include "base/glyph.h"
#include "base/utf8.h"
#include "json/number.h"
#include "json/print.h"

#include <stdlib.h>
#include <string.h>

/* "Quoted" as JSON, which Python and TypeScript read, but for what lies above U+FFFF. */
static void
add_string(struct buf *out, enum code_language language, const char *text, size_t len)
{
	struct buf json = BUF_INIT;

	json_print_string(&json, text, len);
	for (size_t i = 0; i < json.len;) {
		uint32_t c = 0;
		size_t n = utf8_decode(json.data + i, json.len - i, &c);
		if (n == 0)
			buf_add_str(out, "\\ufffd");
		else if (!glyph_is_unseen(c))
			buf_add(out, json.data + i, n);
		else if (c < 0x10000)
			buf_addf(out, "\\u%04x", c);
		else if (language == CODE_PYTHON)
			buf_addf(out, "\\U%08x", c);
		else
			buf_addf(out, "\\u%04x\\u%04x", 0xd800 + ((c - 0x10000) >> 10),
			    0xdc00 + (c & 0x3ff));
		i += n ? n : 1;
	}
	buf_finish(&json);
}

/* ---- words of a shell ---- */

/* A byte that no text shows: by its number, so that it cannot be overlooked. */
static void
add_odd_bytes(struct buf *out, const char *bytes, size_t len)
{
	buf_add_str(out, "'\"$(printf '");
	for (size_t i = 0; i < len; i++)
		buf_addf(out, "\\%03o", (unsigned char)bytes[i]);
	buf_add_str(out, "')\"'");
}

/* Between single quotes, which are open before and after. Line breaks are seen. */
static void
add_shell_part(struct buf *out, const char *text, size_t len)
{
	for (size_t i = 0; i < len;) {
		uint32_t c = 0;
		size_t n = utf8_decode(text + i, len - i, &c);
		if (n == 0 || (glyph_is_unseen(c) && c != '\n'))
			add_odd_bytes(out, text + i, n ? n : 1);
		else if (c == '\'')
			buf_add_str(out, "'\\''");
		else
			buf_add(out, text + i, n);
		i += n ? n : 1;
	}
}

static bool
is_plain(const char *text)
{
	size_t len = strspn(text, ASCII_ALNUM "-_./:@%+,=");

	return len > 0 && text[len] == '\0';
}

/* ---- texts with variables ---- */

static void
add_part(struct buf *out, enum code_language language, const char *text, size_t len)
{
	if (language == CODE_SHELL) {
		add_shell_part(out, text, len);
		return;
	}
	add_string(out, language, text, len);
}

static void
add_variable(struct buf *out, enum code_language language, const char *name, size_t len)
{
	static const char *const forms[] = {
		[CODE_SHELL] = "'\"$%.*s\"'",
		[CODE_PYTHON] = "os.environ[\"%.*s\"]",
		[CODE_TYPESCRIPT] = "process.env[\"%.*s\"]!",
	};
	const char *form = forms[language], *at = strstr(form, "%.*s");

	buf_add(out, form, (size_t)(at - form));
	buf_add(out, name, len);
	buf_add_str(out, at + 4);
}

static void
need(struct strings *needs, const char *name, size_t len)
{
	struct buf text = BUF_INIT;

	buf_add(&text, name, len);
	if (needs && !strings_have(needs, buf_text(&text)))
		strings_add(needs, buf_text(&text));
	buf_finish(&text);
}

void
code_add_text(struct buf *out, enum code_language language, const char *text, struct strings *needs)
{
	static const char begins[] = { VARIABLE_BEGIN, '\0' }, ends[] = { VARIABLE_END, '\0' };
	bool shell = language == CODE_SHELL, first = true;
	size_t start = out->len;

	if (shell && is_plain(text)) {
		buf_add_str(out, text);
		return;
	}
	buf_add_str(out, shell ? "'" : "");
	for (const char *at = text; *at || first; first = false) {
		size_t len = needs ? strcspn(at, begins) : strlen(at);
		if (!shell && !first)
			buf_add_str(out, " + ");
		if (len > 0 || !*at) {
			add_part(out, language, at, len);
			at += len;
			continue;
		}
		len = strcspn(++at, ends);
		add_variable(out, language, at, len);
		need(needs, at, len);
		at += len + (at[len] != '\0');
	}
	buf_add_str(out, shell ? "'" : "");
	if (shell && out->len - start > 4) { /* no empty quotes around a variable */
		if (memcmp(out->data + start, "''\"", 3) == 0) {
			memmove(out->data + start, out->data + start + 2, out->len - start - 2);
			buf_truncate(out, out->len - 2);
		}
		if (memcmp(out->data + out->len - 3, "\"''", 3) == 0)
			buf_truncate(out, out->len - 2);
	}
}

/* ---- values ---- */

static void
add_scalar(struct buf *out, enum code_language language, const cJSON *value)
{
	static const char *const words[][3] = {
		[CODE_PYTHON] = { "None", "False", "True" },
		[CODE_TYPESCRIPT] = { "null", "false", "true" },
	};
	char number[JSON_NUMBER_TEXT_MAX];
	const char *text = json_string(value);

	if (text)
		add_string(out, language, text, strlen(text));
	else if (json_type(value) == JSON_NUMBER)
		buf_add_str(out, json_number_text(value, number));
	else
		buf_add_str(out,
		    words[language][json_type(value) == JSON_NULL ? 0 : 1 + json_is_true(value)]);
}

void
code_add_value(struct buf *out, enum code_language language, const cJSON *value)
{
	bool object = json_type(value) == JSON_OBJECT;

	if (!object && json_type(value) != JSON_ARRAY) {
		add_scalar(out, language, value);
		return;
	}
	buf_add_char(out, object ? '{' : '[');
	for (const cJSON *m = json_first(value); m; m = m->next) {
		bool sets_prototype =
		    object && language == CODE_TYPESCRIPT && strcmp(m->string, "__proto__") == 0;
		buf_add_str(out, m == json_first(value) ? "" : ", ");
		buf_add_str(out, sets_prototype ? "[" : "");
		if (object)
			add_string(out, language, m->string, strlen(m->string));
		buf_add_str(out, sets_prototype ? "]" : "");
		buf_add_str(out, object ? ": " : "");
		code_add_value(out, language, m);
	}
	buf_add_char(out, object ? '}' : ']');
}

/* In JSON an odd character can only be in a string, and there an escape says the same. */
void
code_add_json(struct buf *out, enum code_language language, const char *json)
{
	struct buf plain = BUF_INIT;
	size_t len = strlen(json);

	for (size_t i = 0; i < len;) {
		uint32_t c = 0;
		size_t n = utf8_decode(json + i, len - i, &c);
		if (n > 0 && c >= 0x7f && glyph_is_unseen(c)) {
			struct buf one = BUF_INIT;
			add_string(&one, CODE_TYPESCRIPT, json + i, n);
			buf_add(&plain, one.data + 1, one.len - 2);
			buf_finish(&one);
		} else {
			buf_add(&plain, json + i, n ? n : 1);
		}
		i += n ? n : 1;
	}
	code_add_text(out, language, buf_text(&plain), NULL);
	buf_finish(&plain);
}
