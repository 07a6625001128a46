/* SPDX-License-Identifier: MIT */
#include "findings.h"

#include "base/ascii.h"
#include "base/mem.h"
#include "base/units.h"
#include "base/vec.h"
#include "json/equal.h"
#include "json/number.h"
#include "json/pointer.h"
#include "json/print.h"
#include "json/rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- prose ---- */

/*
 * Compares prose with a value: the number of items in an array ("Found 5 users"), the value of a
 * member ("count: 5"). A sentence counts only if nothing in the text limits or qualifies it,
 * because a false alarm is worse than silence.
 */

#define TEXT_MAX ((size_t)16 << 10)
#define VALUES_MAX 64 /* searched for in the text */
#define WORD_MAX 40
#define PROSE_STEPS_MAX ((size_t)1 << 18) /* members compared with all sentences */

struct prose {
	struct agreement *out;
	const char *text; /* lower case, cut */
	const cJSON *value;
	size_t steps; /* members compared */
	bool agrees, contradicts;
	enum { QUALIFIED_UNKNOWN, QUALIFIED, UNQUALIFIED } qualified;
};

static bool
is_word(char c)
{
	return ascii_is_alnum((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}

/* Whether the text has a word with which a count may be about something else. */
static bool
is_qualified(struct prose *p)
{
	static const char *const WORDS[] = { "of", "out", "first", "last", "top", "showing",
		"shown", "limit", "limited", "more", "less", "least", "most", "over", "under",
		"than", "page", "pages", "next", "previous", "remaining", "about", "approximately",
		"around", "roughly", "nearly", "almost", "up", "max", "min", "maximum", "minimum",
		"only", "skipped", "filtered", "excluding", "except", "deleted", "removed", "added",
		"created", "updated", "unique", "distinct", "truncated", "per", "each", "every",
		"other", "another", "additional", "but", "however", "not", "if", "would", "should",
		"was", "were", "before", "previously", "expected", "after" };

	if (p->qualified != QUALIFIED_UNKNOWN)
		return p->qualified == QUALIFIED;
	p->qualified = strpbrk(p->text, "~<>") ? QUALIFIED : UNQUALIFIED;
	for (size_t i = 0; i < ARRAY_LEN(WORDS) && p->qualified == UNQUALIFIED; i++) {
		const char *at = p->text;
		size_t len = strlen(WORDS[i]);
		for (; p->qualified == UNQUALIFIED && (at = strstr(at, WORDS[i])); at++)
			if ((at == p->text || !is_word(at[-1])) && !is_word(at[len]))
				p->qualified = QUALIFIED;
	}
	return p->qualified == QUALIFIED;
}

/* Return whether the budget allows to compare another sentence with all members. */
static bool
may_look(struct prose *p)
{
	p->steps += json_count(p->value) + 1;
	return p->steps <= PROSE_STEPS_MAX;
}

/* Return whether a member shows that the array is one page of several. */
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

/* Return whether the number is a member or counts the items of one. */
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

/* Return the only array that the noun can count, or NULL. */
static const cJSON *
find_array(const cJSON *value, const char *noun)
{
	static const char *const GENERIC[] = { "result", "item", "row", "record", "entry", "match",
		"entries", "matches" };
	const cJSON *found = NULL;
	bool is_generic = false;
	size_t arrays = 0;

	for (size_t i = 0; i < ARRAY_LEN(GENERIC); i++)
		is_generic |= names_key(noun, GENERIC[i]);
	if (json_type(value) == JSON_ARRAY)
		return is_generic ? value : NULL;
	for (const cJSON *m = json_first(value); m; m = m->next) {
		arrays += json_type(m) == JSON_ARRAY;
		if (json_type(m) == JSON_ARRAY && names_key(noun, m->string))
			return m;
		if (json_type(m) == JSON_ARRAY)
			found = m;
	}
	return arrays == 1 && is_generic ? found : NULL;
}

/* Return whether the sentence begins with the number, or with a verb that reports the whole. */
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

/* Return whether the sentence ends after the noun. */
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
			return NULL; /* a line may be about a nested value */
		if (strlen(m->string) == len && strncasecmp(m->string, name, len) == 0)
			found = found ? NULL : m;
	}
	return found;
}

/* Whether one number may be the other, rounded or in another unit: percent, milliseconds,
 * kilobytes, Fahrenheit. */
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

/* Compare the value of a line "NAME: VALUE" with the member. A number that something follows does
 * not count, because that can be a unit. */
static void
read_named(struct prose *p, const char *name, size_t name_len, const char *value, size_t len)
{
	char number[32], word[WORD_MAX];

	if (len == 0 || len >= sizeof(number) || !may_look(p))
		return;
	const cJSON *member = find_named(p->value, name, name_len);
	const char *point = memchr(value, '.', len);
	if (!member || name_len == 0 || name_len >= sizeof(word))
		return;
	memcpy(word, name, name_len);
	word[name_len] = '\0';
	const char *first = strstr(p->text, word);
	if (!first || strstr(first + 1, word)) /* the text says it more than once */
		return;
	memcpy(number, value, len);
	number[len] = '\0';
	bool is_bool = strcmp(number, "true") == 0 || strcmp(number, "false") == 0;
	if (cJSON_IsBool(member) && is_bool) {
		if ((*number == 't') == cJSON_IsTrue(member)) {
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
	    : cJSON_IsTrue(member) ? "true"
				   : "false");
}

/* ---- values and names in the text ---- */

struct mentions {
	const char *text;
	size_t values;
	bool any;  /* a value is in the text, possibly by chance */
	bool some; /* a value too long to be there by chance */
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

/* Search for every value and every member name. */
static void
look_for_all(struct mentions *m, const cJSON *node, int depth)
{
	char number[JSON_NUMBER_TEXT_MAX];

	if (m->some || m->values > VALUES_MAX || depth == 0)
		return;
	m->values += cJSON_IsString(node) || cJSON_IsNumber(node);
	if (cJSON_GetStringValue(node))
		look_for(m, cJSON_GetStringValue(node));
	else if (cJSON_IsNumber(node))
		look_for(m, json_number_text(node, number));
	else if (json_type(node) == JSON_ARRAY) {
		struct json_items it;
		for (json_items_init(&it, node, NULL); it.item && m->values <= VALUES_MAX;
		     json_items_next(&it))
			look_for_all(m, it.item, (depth - 1));
		json_items_finish(&it);
	} else
		for (const cJSON *member = json_first(node); member && m->values <= VALUES_MAX;
		     member = member->next) {
			look_for(m, member->string);
			look_for_all(m, member, depth - 1);
		}
}

static void
agreement_read_prose(struct agreement *a, const char *text, size_t len, const cJSON *structured)
{
	char *lower = mem_strndup(text, len < TEXT_MAX ? len : TEXT_MAX);
	struct prose p = { .out = a, .text = lower, .value = structured };
	struct mentions m = { .text = lower };

	for (char *at = lower; *at; at++)
		*at = (char)ascii_lower((unsigned char)*at);
	if (len <= TEXT_MAX) {
		for (const char *at = p.text; *at && !p.contradicts;) {
			bool starts = at == p.text || at[-1] == ' ' || at[-1] == '\n';
			size_t digits = strspn(at, "0123456789");
			if (starts && digits > 0 && digits < 10 && at[digits] == ' ')
				read_count(&p, at, strtod(at, NULL), at + digits);
			else if (starts && strncmp(at, "no ", 3) == 0)
				read_count(&p, at, 0, at + 2);
			at += digits > 0 ? digits : 1;
		}
		for (const char *line = p.text; *line && !p.contradicts;) {
			size_t end = strcspn(line, "\n"), name = strspn(line, ASCII_ALNUM "_");
			const char *sign = line + name + strspn(line + name, " ");
			const char *value = sign + strspn(sign, ":= ");
			size_t value_len = (size_t)(line + end - value);
			while (value_len > 0 && strchr(" .\r", value[value_len - 1]))
				value_len--;
			if (value < line + end && (*sign == ':' || *sign == '='))
				read_named(&p, line, name, value, value_len);
			line += end + (line[end] == '\n');
		}
	}
	look_for_all(&m, structured, 20);
	bool all = len <= TEXT_MAX && m.values >= 3 && m.values <= VALUES_MAX;
	a->kind = p.contradicts        ? AGREEMENT_CONTRADICTS
		  : p.agrees || m.some ? AGREEMENT_SUMMARY
		  : all && !m.any      ? AGREEMENT_UNRELATED
				       : AGREEMENT_UNSURE;
	free(lower);
}

/* ---- JSON in content ---- */

/*
 * Compares JSON in content with structuredContent. Servers print the same value in many ways, so
 * only a difference that no spelling explains counts.
 */

#define STEPS_MAX ((size_t)4 << 20)    /* pairs of values compared before it gives up */
#define LAZY_BYTES ((size_t)1 << 20)   /* longer texts are not parsed to trees */
#define SHUFFLED_MAX ((size_t)1 << 10) /* items compared regardless of their order */

struct both_sides {
	struct buf *pointer; /* of the difference */
	struct buf *text;
	size_t steps;
	const struct job *job;
	bool part;   /* `said` is incomplete */
	bool unsure; /* given up */
};

static bool is_same(struct both_sides *c, const cJSON *said, const cJSON *is);

static bool
is_void(const cJSON *node)
{
	return !node || cJSON_IsNull(node);
}

static bool
is_container(const cJSON *node)
{
	return json_type(node) == JSON_ARRAY || cJSON_IsObject(node);
}

/* Return whether one number is the other, rounded to its decimals. */
static bool
is_same_number(const cJSON *a, const cJSON *b)
{
	char text[JSON_NUMBER_TEXT_MAX];
	double x = a->valuedouble, y = b->valuedouble, off = fabs(x - y);

	if (json_number_compare(a, b) == 0 || off <= fmax(fabs(x), fabs(y)) * 1e-9)
		return true;
	for (int i = 0; i < 2; i++) {
		const char *point = strchr(json_number_text(i ? b : a, text), '.');
		size_t decimals = point ? strspn(point + 1, "0123456789") : 0;
		if (point && off <= pow(10, -(double)decimals) * 1.0000001)
			return true;
	}
	return false;
}

/* "3" and 3, "true" and true, "OK" and "ok"; dates of one day; a text that ends in dots. */
static bool
is_same_text(struct both_sides *c, const cJSON *said, const cJSON *is)
{
	char numbers[2][JSON_NUMBER_TEXT_MAX];
	const char *texts[2];
	const cJSON *nodes[2] = { said, is };

	for (int i = 0; i < 2; i++)
		texts[i] = cJSON_GetStringValue(nodes[i]) ? cJSON_GetStringValue(nodes[i])
			   : cJSON_IsNumber(nodes[i])     ? json_number_text(nodes[i], numbers[i])
			   : cJSON_IsTrue(nodes[i])       ? "true"
							  : "false";
	size_t len = strlen(texts[0]), day = strspn(texts[0], "0123456789-");
	if (strcasecmp(texts[0], texts[1]) == 0 ||
	    (day >= 10 && strncmp(texts[0], texts[1], 10) == 0))
		return true;
	size_t dots = len >= 3 && strcmp(texts[0] + len - 3, "...") == 0 ? 3
		      : len >= 3 && strcmp(texts[0] + len - 3, "…") == 0 ? 3
									 : 0;
	c->part = c->part || dots > 0;
	return dots > 0 && strncmp(texts[0], texts[1], len - dots) == 0;
}

/* Return whether each item of `said` is in `is`, in any order. */
static bool
is_shuffled(struct both_sides *c, const cJSON *said, const cJSON *is)
{
	struct json_items x, y;
	bool found = true;

	if (json_count(said) > SHUFFLED_MAX || json_count(is) > SHUFFLED_MAX) {
		c->unsure = true;
		return true;
	}
	for (json_items_init(&x, said, NULL); x.item && found; json_items_next(&x)) {
		uint64_t hash = json_hash(x.item);
		found = false;
		for (json_items_init(&y, is, NULL); y.item && !found; json_items_next(&y))
			found = json_hash_counted(y.item, &c->steps) == hash;
		json_items_finish(&y);
		c->unsure = c->unsure || c->steps > STEPS_MAX;
		if (c->unsure)
			break;
	}
	json_items_finish(&x);
	return found || c->unsure;
}

static bool
are_same_items(struct both_sides *c, const cJSON *said, const cJSON *is)
{
	size_t len = c->pointer->len;
	struct json_items x, y;
	bool same = true;

	if (json_count(said) > json_count(is)) {
		buf_addf(c->text, "%s items in the text, %s in structuredContent",
		    units_count(json_count(said)).text, units_count(json_count(is)).text);
		return false;
	}
	json_items_init(&x, said, NULL);
	json_items_init(&y, is, NULL);
	for (; x.item && y.item && same; json_items_next(&x), json_items_next(&y)) {
		buf_truncate(c->pointer, len);
		json_pointer_add_index(c->pointer, x.index);
		same = is_same(c, x.item, y.item);
	}
	json_items_finish(&x);
	json_items_finish(&y);
	if (!same && is_shuffled(c, said, is)) {
		buf_clear(c->text);
		same = true;
	}
	if (same)
		buf_truncate(c->pointer, len);
	c->part = c->part || json_count(said) < json_count(is);
	return same;
}

/* A member that only one of them has is not a difference. */
static bool
are_same_members(struct both_sides *c, const cJSON *said, const cJSON *is)
{
	size_t len = c->pointer->len, shared = 0, own = 0;
	const cJSON *next = json_first(is);

	for (const cJSON *m = json_first(said); m && !c->unsure; m = m->next) {
		const cJSON *other =
		    next && strcmp(next->string, m->string) == 0 ? next : json_get(is, m->string);
		c->steps += other == next ? 1 : json_count(is);
		next = other ? other->next : next;
		own += !is_void(m);
		if (is_void(m) || is_void(other))
			continue;
		shared++;
		json_pointer_add_key(c->pointer, m->string);
		if (!is_same(c, m, other))
			return false;
		buf_truncate(c->pointer, len);
	}
	c->part = c->part || shared < json_count(is);
	if (shared * 2 < own || (shared == 0 && json_count(is) > 0))
		c->unsure = true; /* objects about different things */
	return true;
}

/* False: *c has the place and the difference, unless it is unsure. */
static bool
is_same(struct both_sides *c, const cJSON *said, const cJSON *is)
{
	enum json_type a = json_type(said), b = json_type(is);

	if (++c->steps > STEPS_MAX || (c->job && job_is_stopped(c->job)))
		c->unsure = true;
	if (c->unsure || is_void(said) || is_void(is))
		return true;
	if (a == JSON_ARRAY && b == JSON_ARRAY)
		return are_same_items(c, said, is);
	if (a == JSON_OBJECT && b == JSON_OBJECT)
		return are_same_members(c, said, is);
	if (is_container(said) || is_container(is)) {
		c->unsure = true; /* written in another shape */
		return true;
	}
	bool same = a == JSON_NUMBER && b == JSON_NUMBER ? is_same_number(said, is)
							 : is_same_text(c, said, is);
	c->unsure = c->unsure || (!same && a != b); /* formatted, such as "$12.50" */
	if (same || c->unsure)
		return true;
	if (c->text->len == 0) {
		json_print_brief(c->text, said, 60);
		buf_add_str(c->text, " in the text, ");
		json_print_brief(c->text, is, 60);
		buf_add_str(c->text, " in structuredContent");
	}
	return false;
}

/* Whether `is` has enough members of `said` for both to be about the same thing. */
static bool
is_alike(const cJSON *said, const cJSON *is)
{
	size_t shared = 0, own = 0;

	if (json_type(said) != json_type(is) || !cJSON_IsObject(said))
		return json_type(said) == json_type(is);
	if (json_count(said) > SHUFFLED_MAX || json_count(is) > SHUFFLED_MAX)
		return true;
	for (const cJSON *m = json_first(said); m; m = m->next) {
		own += !is_void(m);
		shared += !is_void(m) && json_get(is, m->string) != NULL;
	}
	return shared * 2 > own && shared > 0;
}

static enum agreement_kind
compare(struct agreement *a, const cJSON *said, const cJSON *is, const struct job *job)
{
	struct both_sides c = { .pointer = &a->pointer, .text = &a->text, .job = job };

	buf_clear(&a->pointer);
	buf_clear(&a->text);
	if (!is_alike(said, is))
		return AGREEMENT_UNSURE;
	bool same = is_same(&c, said, is);
	if (c.unsure)
		return AGREEMENT_UNSURE;
	if (!same)
		return AGREEMENT_OTHER_JSON;
	return c.part ? AGREEMENT_PART : AGREEMENT_MIRROR;
}

/* Return whether `inner` is a member or an item of `outer`. */
static bool
is_inside(const cJSON *inner, const cJSON *outer)
{
	size_t cost = 0;
	bool found = false;
	struct json_items it;

	if (json_type(outer) == JSON_ARRAY) {
		for (json_items_init(&it, outer, NULL); it.item && !found && cost < STEPS_MAX;
		     json_items_next(&it))
			found = json_equal_counted(inner, it.item, &cost);
		json_items_finish(&it);
		return found;
	}
	for (const cJSON *m = json_first(outer); m && !found && cost < STEPS_MAX; m = m->next)
		found = json_equal_counted(inner, m, &cost) ||
			(json_type(m) == JSON_ARRAY && json_count(m) <= SHUFFLED_MAX &&
			    !json_is_lazy(m) && is_inside(inner, m));
	return found;
}

static enum agreement_kind
compare_all_ways(struct agreement *a, const cJSON *said, const cJSON *is, const struct job *job)
{
	const cJSON *only = cJSON_IsObject(is) && json_count(is) == 1 ? json_first(is) : NULL;

	if (json_equal(said, is) || (only && json_equal(said, only)))
		return AGREEMENT_MIRROR;
	if (is_inside(said, is) || is_inside(is, said))
		return AGREEMENT_PART;
	enum agreement_kind kind = compare(a, said, is, job);
	if (kind != AGREEMENT_UNSURE || !only || !is_container(only))
		return kind;
	kind = compare(a, said, only, job);
	if (kind == AGREEMENT_OTHER_JSON) {
		struct buf pointer = BUF_INIT;
		json_pointer_add_key(&pointer, only->string);
		buf_add(&pointer, buf_text(&a->pointer), a->pointer.len);
		buf_finish(&a->pointer);
		a->pointer = pointer;
	}
	return kind;
}

/* ---- texts ---- */

/* Parse the JSON that is the whole text or most of it, after a sentence or between fences. */
static struct json_doc *
find_json(const char *text, size_t len, const struct job *job)
{
	struct json_options options = { .job = job };
	const char *end = text + len, *first = text;

	while (first < end && *first != '{' && *first != '[')
		first++;
	while (end > first && end[-1] != '}' && end[-1] != ']')
		end--;
	if ((size_t)(end - first) * 2 <= len)
		return NULL;
	len = (size_t)(end - first);
	if (len > LAZY_BYTES) {
		options.blob = blob_from_bytes(first, len);
		options.lazy_bytes = LAZY_BYTES;
		first = options.blob->data;
	}
	struct json_doc *doc = json_parse(first, len, &options, NULL);
	blob_unref(options.blob);
	return doc;
}

/* Compare a scalar with a text that can be the same scalar. */
static enum agreement_kind
compare_scalar(struct agreement *a, const char *text, size_t len, const cJSON *is)
{
	struct both_sides c = { .pointer = &a->pointer, .text = &a->text };

	struct json_doc *doc = len < 100 ? json_parse(text, len, NULL, NULL) : NULL;
	const cJSON *said = doc ? json_root(doc) : NULL;
	enum agreement_kind kind = AGREEMENT_UNSURE;
	if (cJSON_GetStringValue(is) && strlen(cJSON_GetStringValue(is)) == len &&
	    memcmp(cJSON_GetStringValue(is), text, len) == 0)
		kind = AGREEMENT_MIRROR;
	else if (said && json_type(said) == json_type(is) && !cJSON_IsString(is))
		kind = is_same(&c, said, is) ? AGREEMENT_MIRROR : AGREEMENT_CONTRADICTS;
	json_doc_destroy(doc);
	return kind;
}

static enum agreement_kind
read_text(
    struct agreement *a, const struct content_block *b, const cJSON *is, const struct job *job)
{
	const cJSON *only = cJSON_IsObject(is) && json_count(is) == 1 ? json_first(is) : is;
	enum agreement_kind kind = AGREEMENT_UNSURE;

	buf_clear(&a->pointer);
	buf_clear(&a->text);
	if (!is_container(only)) {
		kind = compare_scalar(a, b->text, b->text_len, only);
		if (kind != AGREEMENT_UNSURE)
			return kind;
	}
	struct json_doc *doc = find_json(b->text, b->text_len, job);
	if (doc) {
		kind = compare_all_ways(a, json_root(doc), is, job);
		json_doc_destroy(doc);
		return kind;
	}
	agreement_read_prose(a, b->text, b->text_len, is);
	return a->kind;
}

/* ---- all blocks ---- */

/* The block with the greatest weight decides. */
static const unsigned char weights[] = {
	[AGREEMENT_UNRELATED] = 1,
	[AGREEMENT_UNSURE] = 2,
	[AGREEMENT_SUMMARY] = 3,
	[AGREEMENT_PART] = 4,
	[AGREEMENT_MIRROR] = 5,
	[AGREEMENT_OTHER_JSON] = 6,
	[AGREEMENT_CONTRADICTS] = 7,
};

#define BLOCKS_MAX 100 /* texts compared */

/* Return whether each block is an item of the array, as text or as JSON: some SDKs write arrays
 * like this. */
static bool
are_items(const struct result *r, const struct job *job)
{
	const cJSON *array = r->structured;
	struct json_items it;
	bool same = true;

	if (cJSON_IsObject(array) && json_count(array) == 1)
		array = json_first(array);
	if (json_type(array) != JSON_ARRAY || json_count(array) != r->len)
		return false;
	for (json_items_init(&it, array, NULL); it.item && same; json_items_next(&it)) {
		const struct content_block *b = &r->blocks[it.index];
		const char *text = cJSON_GetStringValue(it.item);
		same = b->kind == CONTENT_TEXT && b->text && !(job && job_is_stopped(job));
		if (same && !(text && strcmp(text, b->text) == 0)) {
			struct json_doc *doc = json_parse(b->text, b->text_len, NULL, NULL);
			same = doc && json_equal(json_root(doc), it.item);
			json_doc_destroy(doc);
		}
	}
	json_items_finish(&it);
	return same;
}

void
agreement_init(struct agreement *a, const struct result *r, const struct job *job)
{
	struct agreement next = { .pointer = { .max = 4096 } };
	size_t texts = 0;

	*a = (struct agreement){ .pointer = { .max = 4096 } };
	if (!r->structured || r->is_error)
		return;
	if (r->len > 0 && are_items(r, job)) {
		a->kind = AGREEMENT_MIRROR;
		return;
	}
	for (size_t i = 0; i < r->len && texts < BLOCKS_MAX; i++) {
		if (r->blocks[i].kind != CONTENT_TEXT || !r->blocks[i].text)
			continue;
		next.block = i;
		next.kind = read_text(&next, &r->blocks[i], r->structured, job);
		if (texts++ > 0 && weights[next.kind] <= weights[a->kind])
			continue;
		struct agreement other = *a;
		*a = next;
		next = other;
	}
	agreement_finish(&next);
}

void
agreement_finish(struct agreement *a)
{
	buf_finish(&a->pointer);
	buf_finish(&a->text);
}
