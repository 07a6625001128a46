#include "call_code.h"

#include "base/ascii.h"
#include "base/secret.h"

#include <string.h>

/* Plain text: without the two bytes that mark variables. */
static void
add_plain(struct buf *out, const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (text[i] != VARIABLE_BEGIN && text[i] != VARIABLE_END)
			buf_add_char(out, text[i]);
}

/* "X-Api-Key" becomes X_API_KEY. */
static void
add_variable(struct buf *out, const char *prefix, const char *name, size_t len)
{
	buf_add_char(out, VARIABLE_BEGIN);
	buf_add_str(out, prefix);
	if (*prefix == '\0' && (len == 0 || ascii_is_digit((unsigned char)name[0])))
		buf_add_char(out, '_');
	for (size_t i = 0; i < len && i < 64; i++) {
		unsigned char c = (unsigned char)name[i];
		buf_add_char(out, ascii_is_alnum(c) ? (char)ascii_upper(c) : '_');
	}
	buf_add_char(out, VARIABLE_END);
}

/* The shown form of a text has ${NAME} in place of values of the environment. */
static void
add_shown(struct buf *out, const char *shown)
{
	for (const char *at; (at = strstr(shown, "${")) != NULL;) {
		size_t len = strcspn(at + 2, "}:");
		const char *end = strchr(at, '}');
		if (!end || len == 0)
			break;
		add_plain(out, shown, (size_t)(at - shown));
		buf_add_char(out, VARIABLE_BEGIN);
		for (size_t i = 0; i < len; i++)
			buf_add_char(
			    out, ascii_is_alnum((unsigned char)at[2 + i]) ? at[2 + i] : '_');
		buf_add_char(out, VARIABLE_END);
		shown = end + 1;
	}
	add_plain(out, shown, strlen(shown));
}

/* A text of the target without what only the user's environment knows. True: it has such parts. */
static bool
add_known(struct buf *out, const struct target *t, const char *text)
{
	const char *shown = target_shown(t, text);

	if (shown == text)
		return false;
	add_shown(out, shown);
	return true;
}

void
code_mark_url(struct buf *out, const struct target *t)
{
	struct buf url = BUF_INIT;
	const char *text = target_shown(t, t->url);

	secret_hide_text(&url, text, strlen(text));
	text != t->url ? add_shown(out, buf_text(&url)) : add_plain(out, buf_text(&url), url.len);
	buf_finish(&url);
}

/* "--api-key=VALUE", "TOKEN=VALUE", or VALUE after "--api-key". */
void
code_mark_argument(struct buf *out, const struct target *t, size_t nth)
{
	const char *text = t->argv[nth], *before = nth > 0 ? t->argv[nth - 1] : "";
	size_t name = strcspn(text, "="), dashes = strspn(before, "-");
	size_t option = strspn(text, "-");

	if (add_known(out, t, text))
		return;
	if (text[name] == '=' && name > option && secret_is_named(text + option, name - option)) {
		add_plain(out, text, name + 1);
		add_variable(out, "", text + option, name - option);
	} else if (nth > 1 && dashes > 0 && option == 0 && !strchr(before, '=') &&
		   secret_is_named(before + dashes, strlen(before + dashes))) {
		add_variable(out, "", before + dashes, strlen(before + dashes));
	} else {
		struct buf plain = BUF_INIT;
		secret_hide_text(&plain, text, strlen(text));
		add_plain(out, buf_text(&plain), plain.len);
		buf_finish(&plain);
	}
}

void
code_mark_variable(struct buf *name, struct buf *value, const struct target *t, size_t nth)
{
	const char *text = t->env[nth];
	size_t len = strcspn(text, "=");

	add_plain(name, text, len);
	if (secret_is_named(text, len) || target_shown(t, text) != text)
		add_variable(value, "", text, len);
	else if (text[len])
		add_plain(value, text + len + 1, strlen(text + len + 1));
}

/* A secret that authorizes is called by its header. */
void
code_mark_header(struct buf *name, struct buf *value, const struct target *t, size_t nth)
{
	const char *text = t->headers[nth];
	size_t len = strcspn(text, ":");
	const char *rest = text + len + (text[len] == ':');

	rest += strspn(rest, " \t");
	add_plain(name, text, len);
	if (secret_is_named(text, len) || target_shown(t, text) != text) {
		add_variable(value, "MCP_", text, len);
		return;
	}
	struct buf plain = BUF_INIT;
	secret_hide_text(&plain, rest, strlen(rest));
	add_plain(value, buf_text(&plain), plain.len);
	buf_finish(&plain);
}
