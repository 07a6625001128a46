/* SPDX-License-Identifier: MIT */
/* A row of a history with anything in it: it is refused, or becomes a call. */
#include "fuzz.h"

#include "base/mem.h"
#include "json/doc.h"
#include "client/history.h"

#include <stdlib.h>
#include <string.h>

static void
on_send(void *user, const struct outbound *message)
{
}

/* The next text, up to a 0xff; NULL: it begins with one. */
static char *
take_text(const uint8_t **data, size_t *size, size_t *len)
{
	const uint8_t *end = memchr(*data, 0xff, *size);
	size_t n = end ? (size_t)(end - *data) : *size;
	char *text = n > 0 ? mem_strndup((const char *)*data, n) : NULL;

	if (len)
		*len = text ? n : 0;
	*data += n + (end != NULL);
	*size -= n + (end != NULL);
	return text;
}

static void
read_row(struct history_call *h, const uint8_t *data, size_t size)
{
	char **const texts[] = { &h->server, &h->key, &h->arguments, &h->uri, &h->error, &h->name,
		&h->text, &h->label, &h->definition };
	int8_t numbers[6] = { 0 };
	size_t head = size < sizeof(numbers) ? size : sizeof(numbers);

	memcpy(numbers, data, head);
	data += head;
	size -= head;
	h->kind = numbers[0];
	h->state = numbers[1];
	h->verdict = numbers[2];
	h->is_error = numbers[3] & 1;
	h->took_us = numbers[4];
	h->id = HISTORY_ID(INT64_C(1785240000000000), numbers[5]);
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		*texts[i] = take_text(&data, &size, NULL);
	h->reply = take_text(&data, &size, &h->reply_len);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct server_options options = { .calls_after = 0 };
	struct history_call h = { 0 };
	struct filter filter = { 0 };
	struct buf json = BUF_INIT;

	read_row(&h, data, size);
	if (history_check(&h)) {
		struct server *s = server_create("s", "s", &options, on_send, NULL);
		uint64_t id = server_recall(s, &h, 0);
		demand(server_find_call(s, id)->is_past);
		demand(server_recall(s, &h, 0) == id);
		history_add_json(&h, true, &json);
		struct json_doc *doc = json_parse(buf_text(&json), json.len, NULL, NULL);
		demand(doc != NULL);
		json_doc_destroy(doc);
		filter_set(&filter, history_words, h.text, &(struct filter_clock){ 1, 2 });
		filter_matches(&filter, &h);
		server_destroy(s);
	}
	filter_finish(&filter);
	buf_finish(&json);
	history_finish(&h);
	return 0;
}
