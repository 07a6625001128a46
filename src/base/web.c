#include "base/web.h"

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
