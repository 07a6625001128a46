#include "url_priv.h"

#include "base/mem.h"

#include <string.h>
#include <strings.h>

static bool
is_web(const char *url)
{
	return strncasecmp(url, "http://", 7) == 0 || strncasecmp(url, "https://", 8) == 0;
}

char *
url_resolve(const struct curl_api *api, const char *base, const char *reference)
{
	CURLU *url = api->url();
	char *whole = NULL, *copy = NULL;

	if (api->url_set(url, CURLUPART_URL, base, 0) == CURLUE_OK &&
	    api->url_set(url, CURLUPART_URL, reference, 0) == CURLUE_OK &&
	    api->url_get(url, CURLUPART_URL, &whole, 0) == CURLUE_OK && is_web(whole))
		copy = mem_strdup(whole);
	api->free(whole);
	api->url_cleanup(url);
	return copy;
}

static bool
is_same_part(const struct curl_api *api, CURLU *a, CURLU *b, CURLUPart part)
{
	char *left = NULL, *right = NULL;

	bool same = api->url_get(a, part, &left, CURLU_DEFAULT_PORT) == CURLUE_OK &&
		    api->url_get(b, part, &right, CURLU_DEFAULT_PORT) == CURLUE_OK &&
		    strcasecmp(left, right) == 0;
	api->free(left);
	api->free(right);
	return same;
}

bool
url_same_origin(const struct curl_api *api, const char *a, const char *b)
{
	CURLU *left = api->url(), *right = api->url();

	bool same = api->url_set(left, CURLUPART_URL, a, 0) == CURLUE_OK &&
		    api->url_set(right, CURLUPART_URL, b, 0) == CURLUE_OK &&
		    is_same_part(api, left, right, CURLUPART_SCHEME) &&
		    is_same_part(api, left, right, CURLUPART_HOST) &&
		    is_same_part(api, left, right, CURLUPART_PORT);
	api->url_cleanup(left);
	api->url_cleanup(right);
	return same;
}
