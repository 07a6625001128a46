/* SPDX-License-Identifier: MIT */
/* URLs, as servers name them, headers of HTTP, and any text with their secrets hidden. */
#include "fuzz.h"

#include "base/secret.h"

#include <stdlib.h>
#include <string.h>

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *url = malloc(size + 1);
	struct buf once = BUF_INIT, twice = BUF_INIT;

	/* values that begin, end and overlap alike */
	secret_note_value("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab");
	secret_note_value("aaaaaaaaaaaaaaaa");
	secret_note_value("a/a/a/a/");
	secret_note_value("/a/a");
	memcpy(url, data, size);
	url[size] = '\0';
	secret_hide_url(&once, url);
	secret_hide_url(&twice, buf_text(&once));
	demand(strcmp(buf_text(&once), buf_text(&twice)) == 0);
	demand(strncmp(buf_text(&once), url, strcspn(url, "?#")) == 0);
	buf_clear(&once);
	buf_clear(&twice);
	secret_hide_header(&once, url, size);
	demand(once.len <= 10 * size);
	buf_clear(&once);
	buf_add_str(&once, "X-Api-Key: ");
	buf_add(&once, url, size);
	secret_hide_header(&twice, buf_text(&once), once.len);
	demand(strcmp(buf_text(&twice), "X-Api-Key: " SECRET_HIDDEN) == 0);
	buf_clear(&once);
	buf_clear(&twice);
	secret_hide_text(&once, url, size);
	demand(once.len <= 10 * size);
	secret_hide_text(&twice, buf_text(&once), once.len);
	demand(twice.len <= 10 * once.len);
	buf_clear(&twice);
	secret_hide_values(&twice, url, size, SECRET_VALUES_CUT);
	buf_finish(&once);
	buf_finish(&twice);
	free(url);
	return 0;
}
