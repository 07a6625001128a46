#include "text_data.h"

#include "base/mem.h"
#include "base/vec.h"
#include "json/number.h"
#include "json/print.h"

#include <stdio.h>
#include <stdlib.h>

void
text_rows_init(struct text_rows *r, struct buf *out, struct job *job)
{
	*r = (struct text_rows){ .out = out, .job = job };
}

void
text_rows_finish(struct text_rows *r)
{
	for (size_t i = 0; i < r->columns.len; i++) {
		free(r->columns.items[i].name);
		free(r->columns.items[i].key);
	}
	free(r->columns.items);
	map_finish(&r->by_name);
}

bool
text_rows_add_column(struct text_rows *r, const char *name, size_t len)
{
	uint64_t hash = text_hash(r, name, len);
	const char *other;
	struct buf key = BUF_INIT;

	MAP_EACH(&r->by_name, hash, other)
		if (strlen(other) == len && memcmp(other, name, len) == 0)
			return false;
	if (r->columns.len == TEXT_COLUMNS_MAX)
		return false;
	json_print_string(&key, name, len);
	buf_add_char(&key, ':');
	struct text_column *column = VEC_PUSH(&r->columns);
	*column = (struct text_column){ mem_strndup(name, len), buf_detach(&key) };
	map_add(&r->by_name, hash, column->name);
	return true;
}

void
text_rows_add_unnamed(struct text_rows *r)
{
	char name[40];

	for (size_t number = r->columns.len + 1;; number++) {
		int len = snprintf(name, sizeof(name), "column %zu", number);
		if (r->columns.len == TEXT_COLUMNS_MAX ||
		    text_rows_add_column(r, name, (size_t)len))
			return;
	}
}

void
text_rows_begin(struct text_rows *r)
{
	r->rows = 0;
	buf_add_char(r->out, '[');
}

void
text_rows_end(struct text_rows *r)
{
	buf_add_char(r->out, ']');
}

bool
text_rows_next(struct text_rows *r)
{
	buf_add_str(r->out, r->rows++ > 0 ? ",\n{" : "{");
	r->cell = 0;
	r->comma = false;
	return !r->out->overflowed && (!r->job || !job_is_stopped(r->job));
}

static bool
is_literal(const char *text, size_t len)
{
	return (len == 4 && memcmp(text, "true", 4) == 0) ||
	       (len == 5 && memcmp(text, "false", 5) == 0) || json_is_number_text(text, len);
}

void
text_rows_cell(struct text_rows *r, const char *text, size_t len, bool quoted)
{
	size_t column = r->cell++;

	if (column >= r->columns.len || (len == 0 && !quoted))
		return;
	if (r->comma)
		buf_add_char(r->out, ',');
	r->comma = true;
	buf_add_str(r->out, r->columns.items[column].key);
	if (is_literal(text, len))
		buf_add(r->out, text, len);
	else
		json_print_string(r->out, text, len);
}

void
text_rows_close(struct text_rows *r)
{
	buf_add_char(r->out, '}');
}
