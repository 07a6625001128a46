#include "salvage_priv.h"

#include <stdbool.h>
#include <string.h>

struct scan {
	const char *at, *end;
	size_t depth;
	uint64_t id;
	bool is_answer, is_call;
};

static void
skip_blanks(struct scan *s)
{
	while (s->at < s->end && (*s->at == ' ' || *s->at == '\t'))
		s->at++;
}

/* At the byte after the opening quote; leaves behind the closing one. */
static void
skip_string(struct scan *s)
{
	while (s->at < s->end && *s->at != '"')
		s->at += *s->at == '\\' && s->at + 1 < s->end ? 2 : 1;
	if (s->at < s->end)
		s->at++;
}

static uint64_t
read_whole(const struct scan *s)
{
	const char *at = s->at;
	uint64_t n = 0;

	for (; at < s->end && *at >= '0' && *at <= '9'; at++) {
		if (n > UINT64_MAX / 100)
			return 0;
		n = n * 10 + (uint64_t)(*at - '0');
	}
	return at < s->end && (*at == ',' || *at == '}' || *at == ' ') ? n : 0;
}

static void
on_string(struct scan *s)
{
	const char *key = s->at;

	skip_string(s);
	size_t len = (size_t)(s->at - key);
	if (s->depth != 1)
		return;
	skip_blanks(s);
	if (s->at == s->end || *s->at != ':')
		return;
	s->at++;
	skip_blanks(s);
	if (len == 3 && memcmp(key, "id\"", 3) == 0)
		s->id = read_whole(s);
	else if ((len == 7 && memcmp(key, "result\"", 7) == 0) ||
		 (len == 6 && memcmp(key, "error\"", 6) == 0))
		s->is_answer = true;
	else if (len == 7 && memcmp(key, "method\"", 7) == 0)
		s->is_call = true;
}

uint64_t
salvage_answer_id(const char *bytes, size_t len)
{
	struct scan s = { .at = bytes, .end = bytes + len };

	skip_blanks(&s);
	if (s.at == s.end || *s.at != '{')
		return 0;
	while (s.at < s.end) {
		char c = *s.at++;
		if (c == '"')
			on_string(&s);
		else if (c == '{' || c == '[')
			s.depth++;
		else if ((c == '}' || c == ']') && --s.depth == 0)
			break;
	}
	return s.is_answer && !s.is_call ? s.id : 0;
}
