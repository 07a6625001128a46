#include "curl_api_priv.h"

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

/* CURLOPT_QUICK_EXIT: without it a name look-up that hangs is waited for when it is given up. */
#define OLDEST 0x075700

static const struct function {
	const char *name;
	size_t offset;
} functions[] = {
#define ROW(name) { "curl_" #name, offsetof(struct curl_api, name) },
	CURL_FUNCTIONS(ROW)
#undef ROW
};

static void *
open_library(void)
{
	static const char *const names[] = { "libcurl.so.4", "libcurl-gnutls.so.4" };
	void *library = NULL;

	for (size_t i = 0; i < sizeof(names) / sizeof(*names) && !library; i++)
		library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
	return library;
}

bool
curl_api_load(struct curl_api *api, struct err *err)
{
	void *library = open_library();

	if (!library)
		return err_set(
		    err, "HTTP needs the library libcurl, which is not there: %s", dlerror());
	for (size_t i = 0; i < sizeof(functions) / sizeof(*functions); i++) {
		void *function = dlsym(library, functions[i].name);
		if (!function)
			return err_set(err, "libcurl is too old: it has no %s", functions[i].name);
		memcpy((char *)api + functions[i].offset, &function, sizeof(function));
	}
	const curl_version_info_data *version = api->version_info(CURLVERSION_NOW);
	if (version->version_num < OLDEST)
		return err_set(
		    err, "libcurl %s is too old: 7.87 or later is needed", version->version);
	if (!(version->features & CURL_VERSION_ASYNCHDNS))
		return err_set(
		    err, "this libcurl (%s) would block at each name look-up", version->version);
	return true;
}
