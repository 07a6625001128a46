/* SPDX-License-Identifier: MIT */
/*
 * Secrets that are known by their bytes: values that were noted, and the shapes of well-known
 * tokens. All are found in one pass: noted values by the automaton of Aho and Corasick, shapes by
 * their beginning.
 */
#include "base/ascii.h"
#include "base/mem.h"
#include "base/secret.h"
#include "base/strings.h"
#include "base/url.h"
#include "base/vec.h"

#include <ctype.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- the automaton ---- */

enum { WHOLE_WORDS_BELOW = 8 };

struct trie_state {
	uint32_t child, next; /* the first child, and the next one of the parent; 0: none */
	uint32_t fail;        /* the longest other state that ends like this one */
	uint32_t match;       /* this state or the next by fail that ends a value; 0: none */
	uint32_t len;         /* of what led here */
	char byte;
	bool ends, is_given; /* a value ends here; one of secret_note_value() */
};

/* The states of all values. Searches of other threads hold it while a newer one is made. */
struct values {
	size_t refs;
	struct {
		struct trie_state *items;
		size_t len, cap;
	} states;              /* the first is the root */
	uint32_t of_byte[256]; /* children of the root */
	bool is_linked;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct values *newest; /* under the lock */
static atomic_bool any;

static uint32_t
find_child(const struct values *a, uint32_t at, char byte)
{
	if (at == 0)
		return a->of_byte[(unsigned char)byte];
	uint32_t child = a->states.items[at].child;
	while (child && a->states.items[child].byte != byte)
		child = a->states.items[child].next;
	return child;
}

static uint32_t
step(const struct values *a, uint32_t at, char byte)
{
	uint32_t child;

	while (!(child = find_child(a, at, byte)) && at)
		at = a->states.items[at].fail;
	return child;
}

static void
add_secret_values_value(struct values *a, const char *value, bool is_given)
{
	uint32_t at = 0;

	for (; *value; value++) {
		uint32_t child = find_child(a, at, *value);
		if (!child) {
			child = (uint32_t)a->states.len;
			*VEC_PUSH(&a->states) = (struct trie_state){
				.byte = *value,
				.len = a->states.items[at].len + 1,
				.next = at ? a->states.items[at].child : 0,
			};
			if (at)
				a->states.items[at].child = child;
			else
				a->of_byte[(unsigned char)*value] = child;
		}
		at = child;
	}
	a->states.items[at].ends = true;
	a->states.items[at].is_given |= is_given;
}

/* Level by level, because a state fails to one of a level above. */
static void
link_states(struct values *a)
{
	uint32_t *queue = mem_alloc(a->states.len * sizeof(*queue));
	size_t len = 0;

	for (size_t i = 0; i < 256; i++)
		if (a->of_byte[i])
			queue[len++] = a->of_byte[i];
	for (size_t i = 0; i < len; i++) {
		struct trie_state *s = &a->states.items[queue[i]];
		s->match = s->ends ? queue[i] : a->states.items[s->fail].match;
		for (uint32_t child = s->child; child; child = a->states.items[child].next) {
			struct trie_state *c = &a->states.items[child];
			c->fail = step(a, s->fail, c->byte);
			queue[len++] = child;
		}
	}
	free(queue);
	a->is_linked = true;
}

/* Builds a new automaton of all values, which no search uses yet. Call it under the lock. */
static struct values *
make_newest(void)
{
	struct values *a = newest;

	if (a && a->refs == 1) {
		for (size_t i = 0; i < a->states.len; i++)
			a->states.items[i].fail = a->states.items[i].match = 0;
		a->is_linked = false;
		return a;
	}
	newest = mem_zalloc(sizeof(*newest));
	newest->refs = 1;
	if (!a) {
		*VEC_PUSH(&newest->states) = (struct trie_state){ 0 };
		return newest;
	}
	memcpy(newest->of_byte, a->of_byte, sizeof(a->of_byte));
	for (size_t i = 0; i < a->states.len; i++) {
		*VEC_PUSH(&newest->states) = a->states.items[i];
		newest->states.items[i].fail = newest->states.items[i].match = 0;
	}
	a->refs--; /* the searches free it */
	return newest;
}

/* ---- noting ---- */

static bool
note(const char *value, bool is_given)
{
	size_t len = strlen(value);
	uint32_t at = 0;

	if (len < SECRET_VALUE_MIN)
		return false;
	pthread_mutex_lock(&lock);
	for (size_t i = 0; newest && i < len && (i == 0 || at); i++)
		at = find_child(newest, at, value[i]);
	const struct trie_state *s = at ? &newest->states.items[at] : NULL;
	bool ok = s && s->ends && (s->is_given || !is_given);
	if (!ok && (!newest || newest->states.len + len <= SECRET_VALUES_MAX)) {
		add_secret_values_value(make_newest(), value, is_given);
		atomic_store(&any, true);
		ok = true;
	}
	pthread_mutex_unlock(&lock);
	return ok;
}

static void
add_in_json(struct buf *out, const char *value)
{
	static const char from[] = "\b\f\n\r\t\"\\", to[] = "bfnrt\"\\";

	for (; *value; value++) {
		const char *short_form = strchr(from, *value);
		if (short_form)
			buf_addf(out, "\\%c", to[short_form - from]);
		else if ((unsigned char)*value < ' ')
			buf_addf(out, "\\u%04x", *value);
		else
			buf_add_char(out, *value);
	}
}

static bool
note_forms(const char *value, bool is_given)
{
	struct buf json = BUF_INIT, url = BUF_INIT;
	size_t len = strlen(value);
	bool ok = note(value, is_given);

	add_in_json(&json, value);
	percent_encode(&url, value, "-._~");
	if (ok && json.len > len)
		note(buf_text(&json), is_given);
	if (ok && url.len > len)
		note(buf_text(&url), is_given);
	buf_finish(&json);
	buf_finish(&url);
	return ok;
}

bool
secret_note_value(const char *value)
{
	return note_forms(value, true);
}

void
secret_note_typed(const char *name, const char *value)
{
	static const char *const common[] = { "null", "none", "true", "false", "undefined",
		"string", "number", "object", "secret", "password", "token", "bearer", "basic",
		"default", "example", "test", "demo", "admin", "user", "guest", SECRET_HIDDEN };
	enum { LEAST = 6 };
	size_t len = strlen(value);
	bool is_short_number = len < WHOLE_WORDS_BELOW && strspn(value, "0123456789.-") == len;
	bool is_filled_in = strncmp(value, "${", 2) == 0;

	for (size_t i = 0; i < ARRAY_LEN(common); i++)
		if (strcasecmp(value, common[i]) == 0)
			return; /* the value of much else */
	if (len >= LEAST && !is_short_number && !is_filled_in &&
	    secret_is_value(secret_kind(name, strlen(name)), value, len))
		note_forms(value, false);
}

/* ---- shapes ---- */

enum alphabet { ALNUM, WORD, DASHED, DOTTED, UPPER, HEX, PATH };

/* Tokens, by their first characters and the least number of the rest, as their issuers document
 * them. mixed: has an upper-case letter and a digit, because other words begin like this, too. */
/* clang-format off */
static const struct token_shape {
	const char *begin;
	enum alphabet alphabet;
	unsigned char least;
	bool mixed;
} shapes[] = {
	{ "ghp_", ALNUM, 30, false },
	{ "gho_", ALNUM, 30, false },
	{ "ghu_", ALNUM, 30, false },
	{ "ghs_", ALNUM, 30, false },
	{ "ghr_", ALNUM, 30, false },
	{ "github_pat_", WORD, 22, false },
	{ "glpat-", DOTTED, 20, false },
	{ "AKIA", UPPER, 16, false },
	{ "ASIA", UPPER, 16, false },
	{ "xapp-", DASHED, 10, false },
	{ "xoxa-", DASHED, 10, false },
	{ "xoxb-", DASHED, 10, false },
	{ "xoxp-", DASHED, 10, false },
	{ "xoxr-", DASHED, 10, false },
	{ "xoxs-", DASHED, 10, false },
	{ "hooks.slack.com/services/", PATH, 20, false },
	{ "sk-ant-", DASHED, 20, false },
	{ "sk-", DASHED, 20, true },
	{ "sk_live_", ALNUM, 16, false },
	{ "sk_test_", ALNUM, 16, false },
	{ "rk_live_", ALNUM, 16, false },
	{ "whsec_", ALNUM, 24, false },
	{ "AIza", DASHED, 35, false },
	{ "GOCSPX-", DASHED, 24, false },
	{ "ya29.", DASHED, 20, false },
	{ "npm_", ALNUM, 36, false },
	{ "pypi-", DASHED, 16, true },
	{ "hf_", ALNUM, 34, false },
	{ "SG.", DOTTED, 40, true },
	{ "dop_v1_", HEX, 64, false },
	{ "shpat_", HEX, 32, false },
};
/* clang-format on */

static bool
is_in(enum alphabet alphabet, char c)
{
	switch (alphabet) {
	case ALNUM:
		return ascii_is_alnum((unsigned char)c);
	case UPPER:
		return (c >= 'A' && c <= 'Z') || ascii_is_digit((unsigned char)c);
	case HEX:
		return hex_digit(c) >= 0;
	case DOTTED:
		return ascii_is_alnum((unsigned char)c) || c == '_' || c == '-' || c == '.';
	case WORD:
		return ascii_is_alnum((unsigned char)c) || c == '_';
	case PATH:
		return ascii_is_alnum((unsigned char)c) || c == '/';
	case DASHED:
		break;
	}
	return ascii_is_alnum((unsigned char)c) || c == '_' || c == '-';
}

static const char *
skip(enum alphabet alphabet, const char *at, const char *end)
{
	while (at < end && is_in(alphabet, *at))
		at++;
	return at;
}

/* Returns the end of a token of this shape, or NULL. Reads no further than the shortest token
 * unless it matches. */
static const char *
match_shape(const struct token_shape *shape, const char *at, const char *end)
{
	const char *from = at + strlen(shape->begin);

	if (!text_begins(at, end, shape->begin))
		return NULL;
	const char *least = from + shape->least;
	if (end - from < shape->least || skip(shape->alphabet, from, least) < least)
		return NULL;
	enum { MIXED_IN = 64 };
	bool upper = false, digit = false;
	for (const char *c = from; c < end && c - from < MIXED_IN && is_in(shape->alphabet, *c);
	     c++) {
		upper |= *c >= 'A' && *c <= 'Z';
		digit |= ascii_is_digit((unsigned char)*c) != 0;
	}
	if (shape->mixed && !(upper && digit))
		return NULL;
	if (shape->alphabet == UPPER) /* ids of AWS have exactly this length */
		return least < end && is_in(UPPER, *least) ? NULL : least;
	return skip(shape->alphabet, least, end);
}

/* Three parts of Base64, of which the first two begin as JSON does: eyJhbGciOi.eyJzdWIi.c2ln */
static const char *
match_jwt(const char *at, const char *end)
{
	enum { PART = 10 };

	if (!text_begins(at, end, "eyJ"))
		return NULL;
	const char *first = skip(DASHED, at, end), *second;
	if (first - at < PART || !text_begins(first, end, ".eyJ"))
		return NULL;
	second = skip(DASHED, first + 1, end);
	if (second - first <= PART || second == end || *second != '.')
		return NULL;
	return skip(DASHED, second + 1, end);
}

/* The lines between BEGIN and END, or as many as there are. Breaks may be those of JSON. */
static const char *
match_pem(const char *at, const char *end, const char **from)
{
	enum { LABEL = 64 };
	static const char dashes[] = "-----";
	const char *label = at + strlen("-----BEGIN "), *stop;

	if (!text_begins(at, end, "-----BEGIN "))
		return NULL;
	const char *last = end - label < LABEL ? end : label + LABEL;
	for (stop = label; stop < last && (isupper((unsigned char)*stop) || *stop == ' ' ||
					      ascii_is_digit((unsigned char)*stop));)
		stop++;
	if (!text_begins(stop, end, dashes) ||
	    !memmem(label, (size_t)(stop - label), "PRIVATE KEY", strlen("PRIVATE KEY")))
		return NULL;
	*from = stop += strlen(dashes);
	while (
	    stop < end && !text_begins(stop, end, dashes) &&
	    (ascii_is_alnum((unsigned char)*stop) || (*stop && strchr("+/=\r\n\t \\:,-", *stop))))
		stop++;
	return stop;
}

/* Returns the end of a token that begins here, or NULL; from: the first byte to hide. Base64 is
 * scanned from its beginning only, or each dash in it would scan it again. */
static const char *
find_shape(const char *at, char before, const char *end, const char **from)
{
	const char *stop = NULL;

	*from = at;
	if (!*at || !strchr("gAxsrwGSynphde-", *at))
		return NULL;
	for (size_t i = 0; !stop && i < ARRAY_LEN(shapes); i++)
		if (shapes[i].begin[0] == *at)
			stop = match_shape(&shapes[i], at, end);
	if (stop)
		return stop;
	if (*at == 'e' && before != '-')
		return match_jwt(at, end);
	return *at == '-' ? match_pem(at, end, from) : NULL;
}

/* ---- hiding ---- */

/* Bytes to hide. They are found by their ends, so a later one may begin before those found. */
struct found_bytes {
	struct hidden_bytes {
		size_t from, to;
	} * items;
	size_t len, cap;
};

static void
add_span(struct found_bytes *spans, size_t from, size_t to)
{
	while (spans->len > 0 && spans->items[spans->len - 1].to > from) {
		const struct hidden_bytes *last = &spans->items[--spans->len];
		from = last->from < from ? last->from : from;
		to = last->to > to ? last->to : to;
	}
	*VEC_PUSH(spans) = (struct hidden_bytes){ from, to };
}

static bool
is_word_char(char c)
{
	return ascii_is_alnum((unsigned char)c) || c == '_';
}

struct value_search {
	const char *text;
	size_t len;
	enum secret_values which;
	struct found_bytes found;
};

/* The longest value that ends before text[to], as far as values of that length count here. */
static void
add_match(struct value_search *s, const struct values *a, uint32_t match, size_t to)
{
	for (; match; match = a->states.items[a->states.items[match].fail].match) {
		const struct trie_state *v = &a->states.items[match];
		size_t from = to - v->len;
		bool is_word = (from == 0 || !is_word_char(s->text[from - 1])) &&
			       (to == s->len || !is_word_char(s->text[to]));
		if ((v->is_given || s->which != SECRET_VALUES_GIVEN) &&
		    (v->len >= WHOLE_WORDS_BELOW || is_word)) {
			add_span(&s->found, from, to);
			return;
		}
	}
}

static bool
hide_spans(struct buf *out, const char *text, size_t len, struct found_bytes *spans)
{
	bool has = spans->len > 0;
	size_t at = 0;

	for (size_t i = 0; i < spans->len; i++) {
		buf_add(out, text + at, spans->items[i].from - at);
		buf_add_str(out, SECRET_HIDDEN);
		at = spans->items[i].to;
	}
	if (has)
		buf_add(out, text + at, len - at);
	free(spans->items);
	return has;
}

bool
secret_hide_values(struct buf *out, const char *text, size_t len, enum secret_values which)
{
	enum { CUT_LEAST = 6 };
	struct value_search s = { .text = text, .len = len, .which = which };
	struct values *a = NULL;
	uint32_t at = 0;

	if (atomic_load(&any)) {
		pthread_mutex_lock(&lock);
		a = newest;
		if (!a->is_linked)
			link_states(a);
		a->refs++;
		pthread_mutex_unlock(&lock);
	}
	for (size_t i = 0; a && i < len; i++) {
		uint32_t before = a->states.items[at].len;
		at = step(a, at, text[i]);
		/* the screen may have cut a value that began before here */
		if (a->states.items[at].len <= before && which == SECRET_VALUES_CUT &&
		    before >= CUT_LEAST && !is_word_char(text[i]))
			add_span(&s.found, i - before, i);
		if (at && a->states.items[at].match)
			add_match(&s, a, a->states.items[at].match, i + 1);
	}
	if (a) {
		pthread_mutex_lock(&lock);
		bool is_last = --a->refs == 0;
		pthread_mutex_unlock(&lock);
		if (is_last) {
			free(a->states.items);
			free(a);
		}
	}
	return hide_spans(out, text, len, &s.found);
}

bool
secret_hide_tokens(struct buf *out, const char *text, size_t len)
{
	struct buf plain = BUF_INIT;
	struct found_bytes spans = { 0 };
	bool has = secret_hide_values(&plain, text, len, SECRET_VALUES_NOTED);
	const char *from, *stop;
	char before = ' ';

	if (has) {
		text = buf_text(&plain);
		len = plain.len;
	}
	for (const char *at = text, *end = text + len; at < end; before = *at++)
		if (!is_word_char(before) && (stop = find_shape(at, before, end, &from))) {
			add_span(&spans, (size_t)(from - text), (size_t)(stop - text));
			at = stop - 1;
		}
	bool has_shapes = hide_spans(out, text, len, &spans);
	if (has && !has_shapes)
		buf_add(out, text, len);
	buf_finish(&plain);
	return has || has_shapes;
}
