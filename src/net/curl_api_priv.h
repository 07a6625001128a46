#ifndef NET_CURL_API_PRIV_H
#define NET_CURL_API_PRIV_H

#include "base/err.h"

#include <curl/curl.h>

/*
 * libcurl by function pointers: it is loaded when a server is first reached by HTTP, so
 * that a session without one never pays for its thirty libraries. The names are
 * libcurl's own without "curl_".
 */
#define CURL_FUNCTIONS(X)      \
	X(global_init)         \
	X(global_cleanup)      \
	X(free)                \
	X(version_info)        \
	X(easy_init)           \
	X(easy_setopt)         \
	X(easy_getinfo)        \
	X(easy_pause)          \
	X(easy_strerror)       \
	X(easy_reset)          \
	X(easy_cleanup)        \
	X(multi_init)          \
	X(multi_setopt)        \
	X(multi_add_handle)    \
	X(multi_remove_handle) \
	X(multi_socket_action) \
	X(multi_assign)        \
	X(multi_info_read)     \
	X(multi_cleanup)       \
	X(slist_append)        \
	X(slist_free_all)      \
	X(url)                 \
	X(url_set)             \
	X(url_get)             \
	X(url_cleanup)         \
	X(url_strerror)        \
	X(getdate)

struct curl_api {
#define FIELD(name) __typeof__(curl_##name) *name;
	CURL_FUNCTIONS(FIELD)
#undef FIELD
};

/* Loads the library, which stays loaded. False: it is not there, or too old (7.87 is needed). */
bool curl_api_load(struct curl_api *api, struct err *err);

#endif
