#include "url_priv.h"

#include "base/mem.h"
#include "base/secret.h"
#include "base/web.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

char *
url_resolve(const struct curl_api *api, const char *base, const char *reference)
{
	CURLU *url = api->url();
	char *whole = NULL, *copy = NULL;

	if (api->url_set(url, CURLUPART_URL, base, 0) == CURLUE_OK &&
	    api->url_set(url, CURLUPART_URL, reference, 0) == CURLUE_OK &&
	    api->url_set(url, CURLUPART_USER, NULL, 0) == CURLUE_OK &&
	    api->url_set(url, CURLUPART_PASSWORD, NULL, 0) == CURLUE_OK &&
	    api->url_get(url, CURLUPART_URL, &whole, 0) == CURLUE_OK && is_web_url(whole))
		copy = mem_strdup(whole);
	api->free(whole);
	api->url_cleanup(url);
	return copy;
}

char *
url_to_show(const char *url)
{
	struct buf out = BUF_INIT;

	secret_hide_url(&out, url);
	return buf_detach(&out);
}

bool
url_check(const struct curl_api *api, const char *text, struct err *err)
{
	CURLU *url = api->url();
	CURLUcode code = api->url_set(url, CURLUPART_URL, text, 0);

	api->url_cleanup(url);
	if (code == CURLUE_OK && is_web_url(text))
		return true;
	char *shown = url_to_show(text);
	err_set(err, "%.150s: this is not an http or https URL%s%s%s", shown, code ? " (" : "",
	    code ? api->url_strerror(code) : "", code ? ")" : "");
	free(shown);
	return false;
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
