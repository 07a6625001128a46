#include "base/url_text.h"

#include "base/ascii.h"

#include <string.h>
#include <strings.h>

bool
is_plain_web_url(const char *text)
{
	return strncasecmp(text, "http://", 7) == 0;
}

bool
is_web_url(const char *text)
{
	return is_plain_web_url(text) || strncasecmp(text, "https://", 8) == 0;
}

const char *
web_url_host(const char *url, size_t *len)
{
	const char *host = strstr(url, "://");

	host = host ? host + 3 : url;
	size_t end = strcspn(host, "/?#\\"), login = end;
	while (login > 0 && host[login - 1] != '@')
		login--;
	*len = host[login] == ':' ? 0 : end - login;
	return host + login;
}

void
percent_encode(struct buf *out, const char *text, const char *plain)
{
	for (; *text; text++) {
		if (ascii_is_alnum(*text) || strchr(plain, *text))
			buf_add_char(out, *text);
		else
			buf_addf(out, "%%%02X", (unsigned char)*text);
	}
}

bool
percent_decode(struct buf *out, const char *text, size_t len)
{
	bool ok = true;

	for (size_t i = 0; i < len; i++) {
		int byte = text[i] == '%' && len - i > 2 ? hex_number(text + i + 1, 2) : -1;
		ok = ok && (byte >= 0 || text[i] != '%');
		buf_add_char(out, byte < 0 ? text[i] : (char)byte);
		i += byte < 0 ? 0 : 2;
	}
	return ok;
}
