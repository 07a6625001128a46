#include "base/url_scheme.h"

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
