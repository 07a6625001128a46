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

/*
 * One word as sh, bash, dash, zsh and fish read it, and tcsh too unless a byte of it is written by
 * its number. A single quote, a backslash before what fish takes it for, and the ! of csh's history
 * stand outside of the quotes, behind a backslash, which all of them read alike. A byte that no
 * text shows is written by its number, so that it cannot be overlooked; tcsh refuses that line.
 */
struct shell_word {
	struct buf *out;
	enum { BETWEEN, QUOTED, NUMBERS } in;
};

static void
go_into(struct shell_word *w, int in)
{
	static const char *const ends[] = { "", "'", "')\"" };
	static const char *const begins[] = { "", "'", "\"$(printf '" };

	if ((int)w->in == in)
		return;
	buf_add_str(w->out, ends[w->in]);
	buf_add_str(w->out, begins[in]);
	w->in = in;
}

/* Does a backslash before this byte stay one between quotes, and the byte with it? */
static bool
stays_behind_backslash(char next)
{
	return next >= ' ' && next <= '~' && !strchr("\\'!", next);
}

/* c: the character of these n bytes; next: the byte behind them. */
static void
add_character(struct shell_word *w, const char *bytes, size_t n, uint32_t c, char next)
{
	bool escaped = c == '\'' || c == '!' || (c == '\\' && !stays_behind_backslash(next));

	go_into(w, escaped ? BETWEEN : QUOTED);
	buf_add_str(w->out, escaped ? "\\" : "");
	buf_add(w->out, bytes, n);
}

/* A shell drops line breaks from the end of a command's output, so one more character is there. */
static void
add_shell_part(struct shell_word *w, const char *text, size_t len)
{
	bool broken = false; /* the last byte was a line break, written by its number */

	for (size_t i = 0; i < len;) {
		uint32_t c = 0;
		size_t n = utf8_decode(text + i, len - i, &c);
		bool odd = n == 0 || glyph_is_unseen(c);
		n = n ? n : 1;
		if (odd || broken) {
			go_into(w, NUMBERS);
			for (size_t k = 0; k < n; k++)
				buf_addf(w->out, "\\%03o", (unsigned char)text[i + k]);
			broken = odd && c == '\n';
		} else {
			add_character(w, text + i, n, c, i + n < len ? text[i + n] : '\0');
		}
		i += n;
	}
}

static bool
is_plain(const char *text)
{
	size_t len = strspn(text, ASCII_ALNUM "-_./:@%+,=");

	/* zsh replaces =PROGRAM, and fish %self */
	return len > 0 && text[len] == '\0' && text[0] != '=' && text[0] != '%';
}

/* ---- texts with variables ---- */

static void
add_variable(struct buf *out, enum code_language language, const char *name, size_t len)
{
	static const char *const forms[] = {
		[CODE_SHELL] = "\"$%.*s\"",
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
	struct shell_word word = { .out = out };

	if (shell && (is_plain(text) || !*text)) {
		buf_add_str(out, *text ? text : "''");
		return;
	}
	for (const char *at = text; *at || first; first = false) {
		size_t len = needs ? strcspn(at, begins) : strlen(at);
		if (!shell && !first)
			buf_add_str(out, " + ");
		if (len > 0 || !*at) {
			if (shell)
				add_shell_part(&word, at, len);
			else
				add_string(out, language, at, len);
			at += len;
			continue;
		}
		len = strcspn(++at, ends);
		go_into(&word, BETWEEN);
		add_variable(out, language, at, len);
		need(needs, at, len);
		at += len + (at[len] != '\0');
	}
	go_into(&word, BETWEEN);
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
	else if (cJSON_IsNumber(value))
		buf_add_str(out, json_number_text(value, number));
	else
		buf_add_str(
		    out, words[language][cJSON_IsNull(value) ? 0 : 1 + json_is_true(value)]);
}

void
code_add_value(struct buf *out, enum code_language language, const cJSON *value)
{
	bool object = cJSON_IsObject(value);

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
