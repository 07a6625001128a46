#include "salvage_priv.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

struct scan {
	const char *at, *end;
	size_t depth;
	const char *id; /* where its value begins; NULL: there is none */
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

/* 0: it is no number of ours. */
static uint64_t
read_whole(const struct scan *s)
{
	const char *at = s->id;
	uint64_t n = 0;

	for (; at && at < s->end && *at >= '0' && *at <= '9'; at++) {
		if (n > UINT64_MAX / 100)
			return 0;
		n = n * 10 + (uint64_t)(*at - '0');
	}
	return at && at < s->end && (*at == ',' || *at == '}' || *at == ' ') ? n : 0;
}

/* The id as it may be written back; "" when it is too odd for that. */
static void
copy_id(const struct scan *s, char *out)
{
	const char *at = s->id;
	size_t len = 0;
	bool quoted = at < s->end && *at == '"';

	for (at += quoted; at + len < s->end && len < SALVAGED_ID_MAX - 3; len++) {
		unsigned char c = (unsigned char)at[len];
		if (quoted ? c == '"' || c == '\\' || c < 0x20 || c > 0x7e : !isdigit(c))
			break;
	}
	bool ends = at + len < s->end && (quoted ? at[len] == '"' : strchr(",} ", at[len]) != NULL);
	if (!ends || (!quoted && (len == 0 || (len > 1 && *at == '0'))))
		return;
	at -= quoted;
	len += 2 * (size_t)quoted;
	memcpy(out, at, len);
	out[len] = '\0';
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
		s->id = s->at;
	else if ((len == 7 && memcmp(key, "result\"", 7) == 0) ||
		 (len == 6 && memcmp(key, "error\"", 6) == 0))
		s->is_answer = true;
	else if (len == 7 && memcmp(key, "method\"", 7) == 0)
		s->is_call = true;
}

void
salvage(struct salvaged *out, const char *bytes, size_t len)
{
	struct scan s = { .at = bytes, .end = bytes + len };

	*out = (struct salvaged){ 0 };
	skip_blanks(&s);
	if (s.at == s.end || *s.at != '{')
		return;
	while (s.at < s.end) {
		char c = *s.at++;
		if (c == '"')
			on_string(&s);
		else if (c == '{' || c == '[')
			s.depth++;
		else if ((c == '}' || c == ']') && --s.depth == 0)
			break;
	}
	if (s.is_answer && !s.is_call)
		out->answers = read_whole(&s);
	else if (s.is_call && !s.is_answer && s.id)
		copy_id(&s, out->asks);
}
