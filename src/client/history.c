/* SPDX-License-Identifier: MIT */
#include "client/history.h"

#include "base/mem.h"
#include "base/secret.h"
#include "base/utf8.h"
#include "base/moment.h"
#include "base/vec.h"
#include "json/print.h"
#include "json/write.h"

#include <stdlib.h>
#include <string.h>

#define DEFINITION_MAX ((size_t)1 << 20) /* of memory */
#define PIECE_BYTES ((size_t)64 << 10)   /* as much of a reply gets a tree at once */

bool
history_add_definition(const struct json_doc *doc, struct buf *out, char hash[SHA256_HEX])
{
	struct sha256 digest;
	size_t before = out->len;

	if (!doc || json_doc_memory(doc) > DEFINITION_MAX)
		return false;
	json_print(out, json_root(doc));
	sha256_init(&digest);
	sha256_add(&digest, buf_text(out) + before, out->len - before);
	sha256_end_hex(&digest, hash);
	return true;
}

/* Return the beginning of the texts and the data of the result. */
static char *
excerpt(const struct call *c, bool *more)
{
	struct buf text = BUF_INIT;

	*more = c->raw && (call_is_error(c) || c->kind != PRIMITIVE_TOOL);
	for (size_t i = 0; i < c->result.len; i++) {
		const char *block = c->result.blocks[i].text;
		size_t len = block ? strnlen(block, HISTORY_LIST_MAX + 8) : 0;
		*more |= !block || text.len + len + 1 > HISTORY_LIST_MAX;
		if (!block || text.len >= HISTORY_LIST_MAX)
			continue;
		if (text.len > 0)
			buf_add_char(&text, ' ');
		utf8_add_cut(&text, block, len, HISTORY_LIST_MAX - text.len);
	}
	if (c->result.structured && c->raw && c->raw->len < HISTORY_LIST_MAX) {
		buf_add_str(&text, text.len > 0 ? " " : "");
		json_print(&text, c->result.structured);
	} else {
		*more |= c->result.structured != NULL;
	}
	if (text.len == 0 && c->result.structured)
		json_print_brief(&text, c->result.structured, HISTORY_LIST_MAX);
	return buf_detach(&text);
}

void
history_take(struct history_call *h, const struct server *s, const struct call *c, unsigned salt)
{
	const struct server_info *info = server_info(s);
	const struct journal_info *clock = journal_info(info->journal);

	*h = (struct history_call){
		.id = c->kept ? c->kept
			      : HISTORY_ID(c->started_us + clock->wall_us, salt + (unsigned)c->id),
		.kind = (int)c->kind,
		.state = (int)c->state,
		.verdict =
		    c->verdict.kind == VERDICT_CHECKING ? VERDICT_UNDECIDED : (int)c->verdict.kind,
		.is_error = call_is_error(c),
		.took_us = c->ended_us - c->started_us,
		.error_code = c->error_code,
		.bytes = c->raw ? (int64_t)c->raw->len : 0,
		.server = mem_strdup(info->name),
		.label = mem_strdup(info->label),
		.key = mem_strdup(c->key),
		.arguments = mem_strdup(c->arguments),
		.uri = c->uri ? mem_strdup(c->uri) : NULL,
		.error = c->error_text ? mem_strdup(c->error_text) : NULL,
		.raw = c->raw ? blob_ref(c->raw) : NULL,
		.zone_s = clock->zone_s,
	};
	h->text = excerpt(c, &h->more);
	struct buf text = BUF_INIT;
	char hash[SHA256_HEX];
	if (!history_add_definition(c->definition, &text, hash))
		return;
	h->hash = mem_strdup(hash);
	h->definition = buf_detach(&text);
}

/* Hide the arguments that the definition declares as passwords. */
static void
hide_passwords(struct history_call *h)
{
	struct json_doc *tool =
	    h->definition ? json_parse(h->definition, strlen(h->definition), NULL, NULL) : NULL;
	struct json_doc *doc =
	    tool ? json_parse(h->arguments, strlen(h->arguments), NULL, NULL) : NULL;
	struct buf out = BUF_INIT;
	struct json_writer w;
	bool any = false;

	json_write_init(&w, &out);
	json_write_object(&w);
	for (const cJSON *m = doc ? json_first(json_root(doc)) : NULL; m && m->string;
	     m = m->next) {
		bool hide = json_is_password_argument(json_root(tool), m->string);
		json_write_key(&w, m->string);
		hide ? json_write_string(&w, SECRET_HIDDEN) : json_write_value(&w, m);
		any |= hide;
	}
	json_write_object_end(&w);
	if (any) {
		free(h->arguments);
		h->arguments = buf_detach(&out);
	}
	buf_finish(&out);
	json_doc_destroy(doc);
	json_doc_destroy(tool);
}

/* Return a copy without secrets; NULL: the text is JSON without a secret. Most replies have none,
 * so the copy, which can be as large, is written only if it is needed. */
static char *
without_secrets(const char *text, size_t len, size_t *out_len)
{
	struct buf out = BUF_INIT;
	struct json_writer w;
	bool any;

	bool is_json = json_write_redacted_text(NULL, text, len, PIECE_BYTES, &any);
	if (is_json && !any)
		return NULL;
	json_write_init(&w, &out);
	if (is_json)
		json_write_redacted_text(&w, text, len, PIECE_BYTES, &any);
	else
		secret_hide_text(&out, text, len);
	*out_len = out.len;
	return buf_detach(&out);
}

void
history_redact(struct history_call *h)
{
	hide_passwords(h);
	size_t len = strlen(h->arguments);
	char *plain = len <= HISTORY_ARGUMENTS_MAX ? without_secrets(h->arguments, len, &len)
						   : mem_strdup("");

	if (plain) {
		free(h->arguments);
		h->arguments = plain;
	}
	char **const texts[] = { &h->label, &h->text, &h->error };
	for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
		struct buf shown = BUF_INIT;
		if (!*texts[i] || **texts[i] == '\0')
			continue;
		secret_hide_text(&shown, *texts[i], strlen(*texts[i]));
		free(*texts[i]);
		*texts[i] = buf_detach(&shown);
	}
	if (h->uri) {
		struct buf uri = BUF_INIT;
		secret_hide_url(&uri, h->uri);
		free(h->uri);
		h->uri = uri.len > 0 ? buf_detach(&uri) : mem_strdup("");
	}
	if (!h->raw || h->reply)
		return;
	h->reply_len = h->raw->len;
	h->reply = without_secrets(h->raw->data, h->raw->len, &h->reply_len);
	if (!h->reply)
		h->reply = h->raw->data;
}

bool
history_check(struct history_call *h)
{
	char **const texts[] = { &h->server, &h->label, &h->key, &h->arguments, &h->text };

	for (size_t i = 0; i < ARRAY_LEN(texts); i++)
		if (!*texts[i])
			*texts[i] = mem_strdup("");
	if (h->took_us < 0)
		h->took_us = 0;
	if (h->bytes < 0)
		h->bytes = 0;
	return h->id != 0 && h->id <= INT64_MAX && h->kind >= 0 && h->kind < PRIMITIVE_SKILL &&
	       h->state > CALL_RUNNING && h->state <= CALL_INPUT && h->verdict >= 0 &&
	       h->verdict < VERDICT_CHECKING;
}

void
history_finish(struct history_call *h)
{
	char *const texts[] = { h->server, h->label, h->key, h->arguments, h->uri, h->error,
		h->name, h->text, h->definition, h->hash };

	for (size_t i = 0; i < ARRAY_LEN(texts); i++)
		free(texts[i]);
	if (!h->raw || h->reply != h->raw->data)
		free(h->reply);
	blob_unref(h->raw);
	*h = (struct history_call){ 0 };
}

void
history_add_time(const struct history_call *h, struct buf *out)
{
	int64_t second = HISTORY_STARTED_US(h->id) / 1000000 + h->zone_s;
	struct moment_parts p = moment_parts_of((double)second);

	buf_addf(out, "%04d-%02d-%02d %02d:%02d:%02d", p.year, p.month, p.day, p.hour, p.minute,
	    p.second);
}

static void
write_json_text(struct json_writer *w, const char *key, const char *text, size_t len)
{
	struct json_doc *doc = json_parse(text, len, NULL, NULL);

	json_write_key(w, key);
	if (doc)
		json_write_value(w, json_root(doc));
	else
		json_write_stringn(w, text, len);
	json_doc_destroy(doc);
}

void
history_add_json(const struct history_call *h, bool whole, struct buf *out)
{
	struct json_writer w;
	char id[32];
	struct buf time = BUF_INIT;

	snprintf(id, sizeof(id), "%llu", (unsigned long long)h->id);
	moment_add_now(&time, MOMENT_DATE_TIME, HISTORY_STARTED_US(h->id), h->zone_s);
	json_write_init(&w, out);
	json_write_object(&w);
	json_write_member_string(&w, "id", id); /* over 2^53: many programs would round it */
	json_write_member_string(&w, "time", buf_text(&time));
	json_write_member_string(&w, "server", h->server);
	json_write_member_string(&w, "kind", primitive_kinds[h->kind].name);
	json_write_member_string(&w, "name", h->uri ? h->uri : h->key);
	json_write_member_string(&w, "state", call_state_names[h->state]);
	json_write_member_string(&w, "verdict", verdict_looks[h->verdict].name);
	json_write_member_ms(&w, "ms", h->took_us);
	json_write_member_int(&w, "bytes", h->bytes);
	if (h->error)
		json_write_member_string(&w, "error", h->error);
	if (h->name)
		json_write_member_string(&w, "title", h->name);
	if (h->pinned)
		json_write_member_bool(&w, "pinned", true);
	if (h->arguments[0])
		write_json_text(&w, "arguments", h->arguments, strlen(h->arguments));
	if (whole) {
		json_write_member_string(&w, "label", h->label);
		if (h->hash)
			json_write_member_string(&w, "definitionSha256", h->hash);
		if (h->definition)
			write_json_text(&w, "definition", h->definition, strlen(h->definition));
		if (h->reply)
			write_json_text(&w, "reply", h->reply, h->reply_len);
	}
	json_write_object_end(&w);
	buf_finish(&time);
}
