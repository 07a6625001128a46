/* SPDX-License-Identifier: MIT */
/* Retry-After, seconds or a date: the wait is never negative, digits give their number, and other
 * text gives none. */
#include "fuzz.h"

#include "../../src/net/exchange/curl.h"

#include <string.h>

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct exchange_request request = { .method = "GET", .url = "http://a" };
	static const struct exchange_events events;
	static struct exchange *x;
	struct err err;

	if (memchr(data, '\n', size) || memchr(data, '\0', size))
		return 0;
	if (!x)
		x = exchange_create(loop_create(NULL, NULL, &err), &request, &events, NULL, &err);
	if (!x)
		return 0; /* no libcurl here */
	buf_clear(&x->head);
	buf_add_str(&x->head, "Date: x\nretry-AFTER: ");
	buf_add(&x->head, data, size);
	buf_add_str(&x->head, "\nRetry-After: 7\n");
	int64_t seconds = exchange_retry_after_s(x);
	demand(seconds >= -1);
	char *value = exchange_header(x, "Retry-After", 0);
	size_t digits = strspn(value, "0123456789");
	if (digits > 0 && digits < 19 && value[digits] == '\0')
		demand(seconds == strtoll(value, NULL, 10));
	else if (digits == strlen(value))
		demand(seconds == (digits ? INT64_MAX : -1) || value[0] == '0' || digits == 19);
	if (*value && strspn(value, "+-.eEx ") == strlen(value))
		demand(seconds == -1);
	free(value);
	return 0;
}
