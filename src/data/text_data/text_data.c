#include "text_data.h"

#include <string.h>

const char *const text_data_names[] = {
	[TEXT_DATA_NONE] = "",
	[TEXT_DATA_JSON] = "JSON",
	[TEXT_DATA_JSON_LINES] = "JSON Lines",
	[TEXT_DATA_CSV] = "CSV",
	[TEXT_DATA_TSV] = "TSV",
	[TEXT_DATA_MARKDOWN] = "Markdown",
	[TEXT_DATA_TABLES] = "Markdown tables",
};

#define LAZY_BYTES ((size_t)2 << 20)

/* Takes text's memory, or with data alone copies it if the doc has to keep it. */
static struct json_doc *
parse(struct buf *text, const char *data, size_t len, struct job *job)
{
	struct blob *blob = text                ? blob_take_buf(text)
			    : len >= LAZY_BYTES ? blob_from_bytes(data, len)
						: NULL;
	struct json_options options = {
		.job = job, .blob = blob, .lazy_bytes = blob ? LAZY_BYTES : 0
	};
	struct json_doc *doc =
	    json_parse(blob ? blob->data : data, blob ? blob->len : len, &options, NULL);

	blob_unref(blob);
	return doc;
}

static bool
is_container(const char *at, size_t len)
{
	return len >= 2 &&
	       ((at[0] == '{' && at[len - 1] == '}') || (at[0] == '[' && at[len - 1] == ']'));
}

static struct json_doc *
read_json(const char *text, size_t len, struct job *job)
{
	return is_container(text, len) ? parse(NULL, text, len, job) : NULL;
}

/* {" [{ [[ [" and maybe blanks between: prose has a [1] or an [INFO]. */
static bool
is_meant_as_json(const char *text, size_t len)
{
	const char *at = text + 1;
	size_t rest = len > 0 ? len - 1 : 0;

	if (len == 0)
		return false;
	text_trim(&at, &rest);
	return rest > 0 && ((*text == '{' && *at == '"') ||
			       (*text == '[' && (*at == '{' || *at == '[' || *at == '"')));
}

/* Says why it is not JSON. */
static void
explain(const char *text, size_t len, struct job *job, struct json_error *error)
{
	struct json_options options = { .job = job };

	*error = (struct json_error){ 0 };
	if (is_meant_as_json(text, len))
		json_doc_destroy(json_parse(text, len, &options, error));
}

/* One container a line, of one kind; and no line is part of a value. */
static bool
join_lines(const char *text, size_t len, struct job *job, struct buf *out)
{
	const char *end = text + len;
	size_t rows = 0, size;

	buf_add_char(out, '[');
	for (const char *at = text; at < end; at += size + (at + size < end)) {
		size = text_line_length(at, end);
		const char *line = at;
		size_t trimmed = size;
		text_trim(&line, &trimmed);
		if (trimmed == 0)
			continue;
		bool is_like = is_container(line, trimmed) && *line == *text;
		struct json_doc *doc =
		    is_like ? json_parse(line, trimmed, &(struct json_options){ .job = job }, NULL)
			    : NULL;
		json_doc_destroy(doc);
		if (!doc || (job && job_is_stopped(job)))
			return false;
		buf_add_str(out, rows++ > 0 ? ",\n" : "");
		buf_add(out, line, trimmed);
	}
	buf_add_char(out, ']');
	return rows >= 2 && !out->overflowed;
}

static struct json_doc *
read_lines(const char *text, size_t len, struct job *job)
{
	struct buf out = { .max = TEXT_OUT_MAX };
	bool begins = *text == '{' || *text == '[';
	struct json_doc *doc =
	    begins && join_lines(text, len, job, &out) ? parse(&out, NULL, 0, job) : NULL;

	buf_finish(&out);
	return doc;
}

static struct json_doc *
read_csv(const char *text, size_t len, char separator, struct job *job)
{
	struct buf out = { .max = TEXT_OUT_MAX };
	struct json_doc *doc =
	    text_csv(text, len, separator, job, &out) ? parse(&out, NULL, 0, job) : NULL;

	buf_finish(&out);
	return doc;
}

static struct json_doc *
read_markdown(const char *text, size_t len, struct job *job, bool *whole)
{
	struct buf out = { .max = TEXT_OUT_MAX };
	struct json_doc *doc =
	    text_markdown(text, len, job, &out, whole) ? parse(&out, NULL, 0, job) : NULL;

	buf_finish(&out);
	return doc;
}

/* Leaves what is between ``` and ```, if that is all of the text. */
static bool
open_fence(const char **text, size_t *len)
{
	size_t line = text_line_length(*text, *text + *len);

	if (*len < 8 || memcmp(*text, "```", 3) != 0 || line == *len ||
	    memcmp(*text + *len - 4, "\n```", 4) != 0 || line + 4 > *len ||
	    memchr(*text + 3, '`', line - 3))
		return false;
	*text += line;
	*len -= line + 4;
	text_trim(text, len);
	return true;
}

static void
drop_line_ends(const char **text, size_t *len)
{
	while (*len > 0 && (**text == '\n' || **text == '\r')) {
		++*text;
		--*len;
	}
	while (*len > 0 && ((*text)[*len - 1] == '\n' || (*text)[*len - 1] == '\r'))
		--*len;
}

enum text_data_kind
text_data_read(
    const char *text, size_t len, struct job *job, struct json_doc **doc, struct json_error *error)
{
	static const char mark[] = "\xef\xbb\xbf";

	if (len >= 3 && memcmp(text, mark, 3) == 0) {
		text += 3;
		len -= 3;
	}
	const char *at = text;
	size_t rest = len;
	bool whole;
	text_trim(&at, &rest);
	bool fenced = open_fence(&at, &rest);
	*doc = NULL;
	if (rest > 0 && (*doc = read_json(at, rest, job)))
		return TEXT_DATA_JSON;
	if (rest > 0 && (*doc = read_lines(at, rest, job)))
		return TEXT_DATA_JSON_LINES;
	text = fenced ? at : text;
	len = fenced ? rest : len;
	drop_line_ends(&text, &len); /* a tab may be an empty cell */
	char separator = text_csv_separator(text, len);
	if (separator && (*doc = read_csv(text, len, separator, job)))
		return separator == '\t' ? TEXT_DATA_TSV : TEXT_DATA_CSV;
	if ((*doc = read_markdown(text, len, job, &whole)))
		return whole ? TEXT_DATA_MARKDOWN : TEXT_DATA_TABLES;
	if (error)
		explain(at, rest, job, error);
	return TEXT_DATA_NONE;
}

bool
text_data_begins_json(const char *text, size_t len)
{
	const size_t most = len < 64 ? len : 64;
	size_t i = 0;

	while (i < most && strchr(" \t\r\n\xef\xbb\xbf", text[i]) && text[i])
		i++;
	return i < most && (text[i] == '{' || text[i] == '[' || text[i] == '`');
}
