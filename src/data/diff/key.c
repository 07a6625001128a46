#include "match.h"

#include "base/map.h"
#include "base/mem.h"
#include "base/vec.h"
#include "json/equal.h"
#include "json/number.h"

#include <stdlib.h>
#include <string.h>

/*
 * The member that tells the rows of two tables apart: a string or a whole number in nearly each
 * row, never the same twice. Names that people give to keys count most, then how many rows of one
 * table the other has by it. A sample ranks the members, then the best are looked at in all rows.
 */
enum { SAMPLE = 256, TRIES = 4, LEAST = 50 };

static const struct {
	const char *name;
	int points;
} names[] = { { "id", 100 }, { "_id", 98 }, { "uuid", 96 }, { "guid", 95 }, { "key", 80 },
	{ "uri", 78 }, { "url", 72 }, { "slug", 70 }, { "sku", 70 }, { "code", 66 }, { "path", 66 },
	{ "name", 64 }, { "email", 60 }, { "symbol", 60 }, { "number", 55 }, { "hash", 55 },
	{ "sha", 55 }, { "timestamp", 50 }, { "date", 45 }, { "time", 45 }, { "day", 40 },
	{ "month", 40 }, { "title", 40 }, { "index", 30 }, { "rank", 10 } };

static int
points_of_name(const char *name)
{
	size_t len = strlen(name);

	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		if (strcasecmp(names[i].name, name) == 0)
			return names[i].points;
	if (len > 2 && (strcmp(name + len - 2, "Id") == 0 || strcmp(name + len - 2, "ID") == 0))
		return 85;
	return len > 3 && strcasecmp(name + len - 3, "_id") == 0 ? 85 : 0;
}

static const cJSON *
key_value(const struct offspring *c, size_t row, const char *key)
{
	return c->nodes ? json_get(c->nodes[row], key)
			: json_reader_member(c->reader, row, &key, 1);
}

uint64_t *
match_hash_keys(const struct matching *m, int side, const char *key)
{
	const struct offspring *c = &m->sides[side];
	uint64_t *hashes = mem_alloc(c->count * sizeof(*hashes));

	for (size_t i = 0; i < c->count; i++) {
		const cJSON *value = key_value(c, i, key);
		hashes[i] = value ? json_hash(value) : 0;
	}
	return hashes;
}

static int
compare_hashes(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

/* Hashes in order: how many different ones there are. */
static size_t
count_different(const uint64_t *sorted, size_t count)
{
	size_t different = count > 0;

	for (size_t i = 1; i < count; i++)
		different += sorted[i] != sorted[i - 1];
	return different;
}

static size_t
count_common(uint64_t *const sorted[2], const size_t counts[2])
{
	size_t common = 0;

	for (size_t i = 0, j = 0; i < counts[0] && j < counts[1];) {
		common += sorted[0][i] == sorted[1][j];
		bool first = sorted[0][i] <= sorted[1][j];
		j += sorted[1][j] <= sorted[0][i];
		i += first;
	}
	return common;
}

static bool
can_be_key(const cJSON *value)
{
	if (json_type(value) == JSON_STRING)
		return strlen(value->valuestring) <= 1024;
	return json_type(value) == JSON_NUMBER && json_number_is_integer(value);
}

static size_t
sampled(const struct offspring *c)
{
	return c->count < SAMPLE ? c->count : SAMPLE;
}

/* In the first rows of both tables. -1: it cannot be the key. */
static int
rank(const struct matching *m, const char *key)
{
	uint64_t *hashes[2] = { NULL, NULL };
	size_t counts[2];
	bool good = true;

	for (int side = 0; side < 2; side++) {
		const struct offspring *c = &m->sides[side];
		counts[side] = sampled(c);
		hashes[side] = mem_alloc(counts[side] * sizeof(uint64_t));
		for (size_t i = 0; good && i < counts[side]; i++) {
			const cJSON *value = key_value(c, i, key);
			good = value && can_be_key(value);
			hashes[side][i] = good ? json_hash(value) : 0;
		}
		if (good)
			qsort(hashes[side], counts[side], sizeof(uint64_t), compare_hashes);
		good = good && count_different(hashes[side], counts[side]) == counts[side];
	}
	size_t fewer = counts[0] < counts[1] ? counts[0] : counts[1];
	int points = good ? points_of_name(key) : -1;
	if (good && fewer > 1) /* any member of one row is there once */
		points += (int)(100 * count_common(hashes, counts) / fewer);
	free(hashes[0]);
	free(hashes[1]);
	return points;
}

static bool
is_unique(const struct matching *m, const char *key)
{
	bool unique = true;

	for (int side = 0; unique && side < 2; side++) {
		uint64_t *hashes = match_hash_keys(m, side, key);
		size_t count = m->sides[side].count;
		qsort(hashes, count, sizeof(*hashes), compare_hashes);
		unique = count_different(hashes, count) == count;
		free(hashes);
	}
	return unique;
}

struct ranked {
	const char *key;
	int points;
};

/* Better ones first, equal ones in the order of the members. */
static void
insert(struct ranked *list, size_t *count, size_t max, struct ranked one)
{
	size_t at = *count;

	while (at > 0 && list[at - 1].points < one.points)
		at--;
	if (at >= max)
		return;
	size_t last = *count < max ? *count : max - 1;
	memmove(list + at + 1, list + at, (last - at) * sizeof(*list));
	list[at] = one;
	*count = last + 1;
}

static size_t
rank_all(const struct matching *m, struct ranked *list, size_t max)
{
	const struct offspring *c = &m->sides[1];
	/* The names have to outlive the item that a reader parses. */
	const cJSON *row = c->nodes ? c->nodes[0] : json_reader_keep(c->reader, 0);
	size_t count = 0, looked_at = 0;

	for (const cJSON *member = row->child; member && looked_at < 64; member = member->next) {
		looked_at++;
		struct ranked one = { member->string, rank(m, member->string) };
		if (one.points >= 0)
			insert(list, &count, max, one);
	}
	return count;
}

const char *
match_guess_key(const struct matching *m)
{
	struct ranked best[TRIES];
	size_t count = rank_all(m, best, TRIES);

	for (size_t i = 0; i < count && best[i].points >= LEAST; i++)
		if (is_unique(m, best[i].key))
			return best[i].key;
	return NULL;
}

size_t
match_rank_keys(const struct matching *m, const char **out, size_t max)
{
	struct ranked list[DIFF_KEYS_MAX];
	size_t count = rank_all(m, list, max < DIFF_KEYS_MAX ? max : DIFF_KEYS_MAX);

	for (size_t i = 0; i < count; i++)
		out[i] = list[i].key;
	return count;
}
