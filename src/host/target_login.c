#include "host/target.h"

#include "base/base64.h"
#include "base/hex.h"
#include "base/mem.h"
#include "base/secret.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Where the user information of a URL begins, and its length without the @; 0: there is none. */
static size_t
find_login(const char *url, const char **begin)
{
	const char *authority = strstr(url, "://");

	authority = authority ? authority + 3 : url;
	size_t len = strcspn(authority, "/?#\\");
	*begin = authority;
	while (len > 0 && authority[len - 1] != '@')
		len--;
	return len > 0 ? len - 1 : 0;
}

static void
unescape(struct buf *out, const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		int byte = text[i] == '%' && i + 2 < len ? hex_number(text + i + 1, 2) : -1;
		buf_add_char(out, byte < 0 ? text[i] : (char)byte);
		i += byte < 0 ? 0 : 2;
	}
}

static bool
has_authorization(char *const *headers)
{
	for (; headers && *headers; headers++)
		if (strncasecmp(*headers, "Authorization:", 14) == 0)
			return true;
	return false;
}

static void
add_header(struct target *t, char *line)
{
	size_t n = 0;

	while (t->headers && t->headers[n])
		n++;
	t->headers = mem_realloc(t->headers, (n + 2) * sizeof(*t->headers));
	t->headers[n] = line;
	t->headers[n + 1] = NULL;
}

/* RFC 7617. Without a colon the password is empty. */
static void
add_basic(struct target *t, const char *login, size_t len)
{
	struct buf plain = BUF_INIT, line = BUF_INIT;

	unescape(&plain, login, len);
	if (!memchr(login, ':', len))
		buf_add_char(&plain, ':');
	buf_add_str(&line, "Authorization: Basic ");
	base64_add(&line, buf_text(&plain), plain.len, BASE64_PLAIN);
	add_header(t, buf_detach(&line));
	buf_finish(&plain);
}

char *
target_url_without_login(const char *url)
{
	const char *begin;
	size_t len = find_login(url, &begin);
	bool has = begin[len] == '@';

	return mem_printf("%.*s%s", (int)(begin - url), url, begin + len + has);
}

char *
target_url_to_show(const char *url)
{
	char *plain = target_url_without_login(url);
	struct buf out = BUF_INIT;

	secret_hide_url(&out, plain);
	free(plain);
	return buf_detach(&out);
}

void
target_hide_login(struct target *t)
{
	const char *begin;
	size_t len = t->url ? find_login(t->url, &begin) : 0;

	if (!t->url || begin[len] != '@' || (len > 0 && memmem(begin, len, "${", 2)))
		return;
	if (len > 0 && !has_authorization(t->headers))
		add_basic(t, begin, len);
	char *url = target_url_without_login(t->url);
	free(t->url);
	t->url = url;
}
