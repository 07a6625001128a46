/* SPDX-License-Identifier: MIT */
#include "json/write.h"

#include "json/print.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void
separate(struct json_writer *w)
{
	if (w->comma)
		buf_add_char(w->out, ',');
	w->comma = true;
}

void
json_write_init(struct json_writer *w, struct buf *out)
{
	*w = (struct json_writer){ .out = out };
}

void
json_write_object(struct json_writer *w)
{
	separate(w);
	buf_add_char(w->out, '{');
	w->comma = false;
}

void
json_write_object_end(struct json_writer *w)
{
	buf_add_char(w->out, '}');
	w->comma = true;
}

void
json_write_array(struct json_writer *w)
{
	separate(w);
	buf_add_char(w->out, '[');
	w->comma = false;
}

void
json_write_array_end(struct json_writer *w)
{
	buf_add_char(w->out, ']');
	w->comma = true;
}

void
json_write_key(struct json_writer *w, const char *key)
{
	separate(w);
	json_print_string(w->out, key, strlen(key));
	buf_add_char(w->out, ':');
	w->comma = false;
}

void
json_write_string(struct json_writer *w, const char *text)
{
	if (text)
		json_write_stringn(w, text, strlen(text));
	else
		json_write_null(w);
}

void
json_write_stringn(struct json_writer *w, const char *text, size_t len)
{
	separate(w);
	json_print_string(w->out, text, len);
}

void
json_write_int(struct json_writer *w, int64_t value)
{
	separate(w);
	buf_addf(w->out, "%" PRId64, value);
}

void
json_write_bool(struct json_writer *w, bool value)
{
	separate(w);
	buf_add_str(w->out, value ? "true" : "false");
}

void
json_write_null(struct json_writer *w)
{
	separate(w);
	buf_add_str(w->out, "null");
}

void
json_write_value(struct json_writer *w, const cJSON *value)
{
	separate(w);
	json_print(w->out, value);
}

void
json_write_raw(struct json_writer *w, const char *json, size_t len)
{
	separate(w);
	buf_add(w->out, json, len);
}

void
json_write_member_string(struct json_writer *w, const char *key, const char *text)
{
	json_write_key(w, key);
	json_write_string(w, text);
}

void
json_write_member_int(struct json_writer *w, const char *key, int64_t value)
{
	json_write_key(w, key);
	json_write_int(w, value);
}

void
json_write_member_bool(struct json_writer *w, const char *key, bool value)
{
	json_write_key(w, key);
	json_write_bool(w, value);
}

void
json_write_member_value(struct json_writer *w, const char *key, const cJSON *value)
{
	json_write_key(w, key);
	json_write_value(w, value);
}

void
json_write_member_json(struct json_writer *w, const char *key, const char *json)
{
	json_write_key(w, key);
	json_write_raw(w, json, strlen(json));
}

void
json_write_member_ms(struct json_writer *w, const char *key, int64_t us)
{
	char ms[32];

	snprintf(ms, sizeof(ms), "%.3f", (double)us / 1000);
	json_write_member_json(w, key, ms);
}

void
json_write_member_object(struct json_writer *w, const char *key)
{
	json_write_key(w, key);
	json_write_object(w);
}

void
json_write_member_array(struct json_writer *w, const char *key)
{
	json_write_key(w, key);
	json_write_array(w);
}
