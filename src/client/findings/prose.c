#include "findings.h"

#include "base/ascii.h"
#include "base/mem.h"
#include "base/vec.h"
#include "json/number.h"
#include "json/pointer.h"
#include "json/rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/*
 * What prose says about a value: how many items an array has ("Found 5 users"), what a member is
 * ("count: 5"). A sentence counts only if nothing in the text limits or qualifies it, because a
 * false alarm is worse than silence.
 */

#define TEXT_MAX ((size_t)16 << 10)
#define VALUES_MAX 64 /* looked for in the text */
#define WORD_MAX 40
#define STEPS_MAX ((size_t)1 << 18) /* members looked at for all sentences */

struct prose {
	struct agreement *out;
	const char *text; /* lower case, cut */
	const cJSON *value;
	size_t steps; /* members looked at */
	bool agrees, contradicts;
	enum { QUALIFIED_UNKNOWN, QUALIFIED, UNQUALIFIED } qualified;
};

static bool
is_word(char c)
{
	return ascii_is_alnum((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}

static bool
has_word(const char *text, const char *word)
{
	size_t len = strlen(word);

	for (const char *at = text; (at = strstr(at, word)); at++)
		if ((at == text || !is_word(at[-1])) && !is_word(at[len]))
			return true;
	return false;
}

/* Words that make a count one of something else. */
static bool
has_qualifier(const char *text)
{
	static const char *const WORDS[] = { "of", "out", "first", "last", "top", "showing",
		"shown", "limit", "limited", "more", "less", "least", "most", "over", "under",
		"than", "page", "pages", "next", "previous", "remaining", "about", "approximately",
		"around", "roughly", "nearly", "almost", "up", "max", "min", "maximum", "minimum",
		"only", "skipped", "filtered", "excluding", "except", "deleted", "removed", "added",
		"created", "updated", "unique", "distinct", "truncated", "per", "each", "every",
		"other", "another", "additional", "but", "however", "not", "if", "would", "should",
		"was", "were", "before", "previously", "expected", "after" };

	for (size_t i = 0; i < ARRAY_LEN(WORDS); i++)
		if (has_word(text, WORDS[i]))
			return true;
	return strpbrk(text, "~<>") != NULL;
}

static bool
is_qualified(struct prose *p)
{
	if (p->qualified == QUALIFIED_UNKNOWN)
		p->qualified = has_qualifier(p->text) ? QUALIFIED : UNQUALIFIED;
	return p->qualified == QUALIFIED;
}

/* May one more sentence be compared with all members? */
static bool
may_look(struct prose *p)
{
	p->steps += json_count(p->value) + 1;
	return p->steps <= STEPS_MAX;
}

/* Members that say the array is a page of more. */
static bool
is_page(const cJSON *value)
{
	static const char *const PARTS[] = { "more", "next", "cursor", "page", "offset", "limit",
		"truncated", "remaining", "skip" };

	for (const cJSON *m = json_first(value); m && m->string; m = m->next)
		for (size_t i = 0; i < ARRAY_LEN(PARTS); i++)
			if (strcasestr(m->string, PARTS[i]))
				return true;
	return false;
}

/* ---- counts ---- */

/* Is it a member, or the number of things in one? */
static bool
has_number(const cJSON *value, double number, int depth)
{
	if (!cJSON_IsObject(value))
		return false;
	for (const cJSON *m = json_first(value); m; m = m->next) {
		bool several = json_type(m) == JSON_ARRAY || (m->child && m->child->child);
		if ((cJSON_IsNumber(m) && m->valuedouble == number) ||
		    (several && (double)json_count(m) == number) ||
		    (depth > 0 && has_number(m, number, depth - 1)))
			return true;
	}
	return false;
}

/* "users" for "user", "user(s)" and "search_users". */
static bool
names_key(const char *noun, const char *key)
{
	size_t len = strlen(noun), key_len = strlen(key);

	len -= len > 1 && noun[len - 1] == 's';
	key_len -= key_len > 1 && ascii_lower((unsigned char)key[key_len - 1]) == 's';
	return key_len == len && strncasecmp(noun, key, len) == 0;
}

static bool
is_generic(const char *noun)
{
	static const char *const NOUNS[] = { "result", "item", "row", "record", "entry", "match",
		"entries", "matches" };

	for (size_t i = 0; i < ARRAY_LEN(NOUNS); i++)
		if (names_key(noun, NOUNS[i]))
			return true;
	return false;
}

/* The one array that the noun counts; NULL: none or several. */
static const cJSON *
find_array(const cJSON *value, const char *noun)
{
	const cJSON *found = NULL;
	size_t arrays = 0;

	if (json_type(value) == JSON_ARRAY)
		return is_generic(noun) ? value : NULL;
	for (const cJSON *m = json_first(value); m; m = m->next) {
		arrays += json_type(m) == JSON_ARRAY;
		if (json_type(m) == JSON_ARRAY && names_key(noun, m->string))
			return m;
		if (json_type(m) == JSON_ARRAY)
			found = m;
	}
	return arrays == 1 && is_generic(noun) ? found : NULL;
}

/* Does the sentence begin with the number, or with a verb that reports the whole? */
static bool
is_introduced(const char *text, const char *number)
{
	static const char *const VERBS[] = { "found", "returned", "returning", "retrieved",
		"fetched", "listed", "listing", "loaded", "there are", "there is", "here are" };
	const char *end = number;

	while (end > text && end[-1] == ' ')
		end--;
	if (end == text || end[-1] == '\n')
		return true;
	for (size_t i = 0; i < ARRAY_LEN(VERBS); i++) {
		size_t len = strlen(VERBS[i]);
		const char *start = end - len;
		if ((size_t)(end - text) >= len && strncmp(start, VERBS[i], len) == 0 &&
		    (start == text || start[-1] == '\n' || start[-1] == ' '))
			return start == text || start[-1] == '\n' ||
			       (start - text > 1 && start[-2] == '.');
	}
	return false;
}

/* Nothing but the end of the sentence comes after the noun. */
static bool
is_end_of_sentence(const char *after)
{
	static const char *const ENDS[] = { " found", " returned", " retrieved", " in total" };

	for (size_t i = 0; i < ARRAY_LEN(ENDS); i++)
		if (strncmp(after, ENDS[i], strlen(ENDS[i])) == 0) {
			after += strlen(ENDS[i]);
			break;
		}
	return *after == '\0' || *after == '\n' || *after == ':' || *after == '!' ||
	       (*after == '.' && !is_word(after[1]));
}

/* A number and its noun. */
static void
read_count(struct prose *p, const char *number, double count, const char *after)
{
	char noun[WORD_MAX];
	size_t len = 0;

	while (*after == ' ')
		after++;
	while (len + 1 < sizeof(noun) &&
	       (ascii_is_letter((unsigned char)after[len]) || after[len] == '_'))
		len++;
	memcpy(noun, after, len);
	noun[len] = '\0';
	after += len;
	if (strncmp(after, "(s)", 3) == 0)
		after += 3;
	const cJSON *array = len > 1 && may_look(p) ? find_array(p->value, noun) : NULL;
	if (!array)
		return;
	if ((double)json_count(array) == count || has_number(p->value, count, 1)) {
		p->agrees = true;
		return;
	}
	if (!is_introduced(p->text, number) || !is_end_of_sentence(after) || is_qualified(p) ||
	    is_page(p->value))
		return;
	p->contradicts = true;
	buf_clear(&p->out->pointer);
	buf_clear(&p->out->text);
	if (array->string && array != p->value)
		json_pointer_add_key(&p->out->pointer, array->string);
	buf_addf(&p->out->text, "the text says %.0f %s, the array has %zu", count, noun,
	    json_count(array));
}

static void
read_counts(struct prose *p)
{
	for (const char *at = p->text; *at && !p->contradicts;) {
		bool starts = at == p->text || at[-1] == ' ' || at[-1] == '\n';
		size_t digits = strspn(at, "0123456789");
		if (starts && digits > 0 && digits < 10 && at[digits] == ' ')
			read_count(p, at, strtod(at, NULL), at + digits);
		else if (starts && strncmp(at, "no ", 3) == 0)
			read_count(p, at, 0, at + 2);
		at += digits > 0 ? digits : 1;
	}
}

/* ---- named values: a line "NAME: VALUE" ---- */

/* The member of that name, if there is only one anywhere near. */
static const cJSON *
find_named(const cJSON *value, const char *name, size_t len)
{
	const cJSON *found = NULL;

	if (!cJSON_IsObject(value))
		return NULL;
	for (const cJSON *m = json_first(value); m; m = m->next) {
		if (cJSON_IsObject(m) || json_type(m) == JSON_ARRAY)
			return NULL; /* a line may be about what is in it */
		if (strlen(m->string) == len && strncasecmp(m->string, name, len) == 0)
			found = found ? NULL : m;
	}
	return found;
}

/* Rounded, or in another unit: percent, milliseconds, kilobytes, Fahrenheit. */
static bool
may_be_same(double said, double is, size_t decimals)
{
	static const double SCALES[] = { 10, 24, 60, 100, 1e3, 1024, 3600, 86400, 1e6, 1048576,
		1e9 };

	if (fabs(said - is) <= pow(10, -(double)decimals) * 1.0000001 ||
	    fabs(said - (is * 1.8 + 32)) <= 1 || fabs(is - (said * 1.8 + 32)) <= 1)
		return true;
	for (size_t i = 0; i < ARRAY_LEN(SCALES); i++)
		if (fabs(said - is * SCALES[i]) <= fabs(said) * 0.02 ||
		    fabs(is - said * SCALES[i]) <= fabs(is) * 0.02)
			return true;
	return false;
}

static bool
is_said_once(const char *text, const char *name, size_t len)
{
	char word[WORD_MAX];

	if (len == 0 || len >= sizeof(word))
		return false;
	memcpy(word, name, len);
	word[len] = '\0';
	const char *first = strstr(text, word);
	return first && !strstr(first + 1, word);
}

/* Only if nothing follows a number: it may be a unit. */
static void
read_named(struct prose *p, const char *name, size_t name_len, const char *value, size_t len)
{
	char number[32];

	if (len == 0 || len >= sizeof(number) || !may_look(p))
		return;
	const cJSON *member = find_named(p->value, name, name_len);
	const char *point = memchr(value, '.', len);
	if (!member || !is_said_once(p->text, name, name_len))
		return;
	memcpy(number, value, len);
	number[len] = '\0';
	bool is_bool = strcmp(number, "true") == 0 || strcmp(number, "false") == 0;
	if (cJSON_IsBool(member) && is_bool) {
		if ((*number == 't') == json_is_true(member)) {
			p->agrees = true;
			return;
		}
	} else if (cJSON_IsNumber(member) && json_is_number_text(number, len)) {
		size_t decimals = point ? (size_t)(value + len - point - 1) : 0;
		if (may_be_same(strtod(number, NULL), member->valuedouble, decimals)) {
			p->agrees = true;
			return;
		}
	} else {
		return;
	}
	if (is_qualified(p))
		return;
	p->contradicts = true;
	buf_clear(&p->out->pointer);
	buf_clear(&p->out->text);
	json_pointer_add_key(&p->out->pointer, member->string);
	char exact[JSON_NUMBER_TEXT_MAX];
	buf_addf(&p->out->text, "the text says %s, structuredContent %.60s", number,
	    cJSON_IsNumber(member) ? json_number_text(member, exact)
	    : json_is_true(member) ? "true"
				   : "false");
}

static void
read_lines(struct prose *p)
{
	for (const char *line = p->text; *line && !p->contradicts;) {
		size_t len = strcspn(line, "\n"), name = strspn(line, ASCII_ALNUM "_");
		const char *sign = line + name + strspn(line + name, " ");
		const char *value = sign + strspn(sign, ":= ");
		size_t value_len = (size_t)(line + len - value);
		while (value_len > 0 && strchr(" .\r", value[value_len - 1]))
			value_len--;
		if (value < line + len && (*sign == ':' || *sign == '='))
			read_named(p, line, name, value, value_len);
		line += len + (line[len] == '\n');
	}
}

/* ---- does it name anything? ---- */

struct mentions {
	const char *text;
	size_t values;
	bool any;  /* something is in the text, maybe by chance */
	bool some; /* something long enough not to be there by chance */
};

static void
look_for(struct mentions *m, const char *text)
{
	char lower[WORD_MAX];
	size_t len = 0;

	for (; text[len] && len + 1 < sizeof(lower); len++)
		lower[len] = (char)ascii_lower((unsigned char)text[len]);
	lower[len] = '\0';
	if (len == 0 || !strstr(m->text, lower))
		return;
	m->any = true;
	m->some = m->some || len >= 3;
}

static void look_for_all(struct mentions *m, const cJSON *node, int depth);

static void
look_for_items(struct mentions *m, const cJSON *array, int depth)
{
	struct json_items it;

	for (json_items_init(&it, array, NULL); it.item && m->values <= VALUES_MAX;
	     json_items_next(&it))
		look_for_all(m, it.item, depth);
	json_items_finish(&it);
}

/* Every value and every name of a member. */
static void
look_for_all(struct mentions *m, const cJSON *node, int depth)
{
	char number[JSON_NUMBER_TEXT_MAX];

	if (m->some || m->values > VALUES_MAX || depth == 0)
		return;
	m->values += cJSON_IsString(node) || cJSON_IsNumber(node);
	if (json_string(node))
		look_for(m, json_string(node));
	else if (cJSON_IsNumber(node))
		look_for(m, json_number_text(node, number));
	else if (json_type(node) == JSON_ARRAY)
		look_for_items(m, node, depth - 1);
	else
		for (const cJSON *member = json_first(node); member && m->values <= VALUES_MAX;
		     member = member->next) {
			look_for(m, member->string);
			look_for_all(m, member, depth - 1);
		}
}

void
agreement_read_prose(struct agreement *a, const char *text, size_t len, const cJSON *structured)
{
	char *lower = mem_strndup(text, len < TEXT_MAX ? len : TEXT_MAX);
	struct prose p = { .out = a, .text = lower, .value = structured };
	struct mentions m = { .text = lower };

	for (char *at = lower; *at; at++)
		*at = (char)ascii_lower((unsigned char)*at);
	if (len <= TEXT_MAX) {
		read_counts(&p);
		read_lines(&p);
	}
	look_for_all(&m, structured, 20);
	bool all = len <= TEXT_MAX && m.values >= 3 && m.values <= VALUES_MAX;
	a->kind = p.contradicts        ? AGREEMENT_CONTRADICTS
		  : p.agrees || m.some ? AGREEMENT_SUMMARY
		  : all && !m.any      ? AGREEMENT_UNRELATED
				       : AGREEMENT_UNSURE;
	free(lower);
}
