#include "workbench/palette/palette.h"

#include "base/ascii.h"
#include "base/vec.h"

#include <string.h>

/* The typed words are searched in the names, the other names, the kind and what a command does.
 * The result of a text that only grew is searched again in place of everything. */

/* A word in a sentence has to begin there; that says less than any match in a name does. */
static bool
begins_word(const struct fuzzy *f, const char *text, size_t len)
{
	for (size_t i = 0; i + f->len <= len; i++) {
		size_t k = 0;
		if (i > 0 && text[i - 1] != ' ')
			continue;
		while (k < f->len && (char)ascii_lower((unsigned char)text[i + k]) == f->word[k])
			k++;
		if (k == f->len)
			return true;
	}
	return false;
}

static int
word_points(const struct palette *p, const struct palette_item *item, const struct fuzzy *f)
{
	const char *kind = palette_kinds[item->kind];

	if ((item->letters & f->letters) != f->letters)
		return 0;
	int best = fuzzy_match(f, palette_text(p, item->name), item->name_len, NULL);
	int other = item->alias_len
			? fuzzy_match(f, palette_text(p, item->alias), item->alias_len, NULL)
			: 0;
	best = other - 1 > best ? other - 1 : best;
	if (best > (int)f->len)
		return best;
	bool told =
	    strncmp(kind, f->word, f->len) == 0 ||
	    (item->note_len > 0 && begins_word(f, palette_text(p, item->note), item->note_len));
	return told ? (int)f->len + 1 : best > 0 ? best : other;
}

/* Larger is better: how well it matches, whether it applies now, its use, a short name. */
static uint64_t
rank_of(const struct palette *p, const struct palette_item *item)
{
	uint64_t points = 0;

	for (size_t i = 0; i < p->word_count; i++) {
		int of_word = word_points(p, item, &p->words[i]);
		if (of_word == 0)
			return 0;
		points += (uint64_t)of_word;
	}
	uint64_t shortness = p->word_count ? FUZZY_TEXT_MAX - item->name_len : 0;
	uint64_t rank = points << 32 | (uint64_t)item->use << 16 | shortness;
	return rank | (uint64_t)item->applies << 31 | (uint64_t)1 << 62;
}

/* Keeps the best in order; of equal ones the first comes first. */
static void
take_rank(struct palette *p, uint64_t rank, uint32_t item)
{
	size_t at = p->best_count;

	if (at == PALETTE_SHOWN && p->best[at - 1].rank >= rank)
		return;
	at -= at == PALETTE_SHOWN;
	p->best_count = at + 1;
	for (; at > 0 && p->best[at - 1].rank < rank; at--)
		p->best[at] = p->best[at - 1];
	p->best[at] = (struct palette_rank){ rank, item };
}

static void
take_words(struct palette *p, const char *typed)
{
	p->word_count = 0;
	for (; *(typed += strspn(typed, " ")) && p->word_count < PALETTE_WORDS;) {
		size_t len = strcspn(typed, " ");
		fuzzy_init(&p->words[p->word_count++], typed, len);
		typed += len;
	}
}

void
palette_search(struct palette *p, const char *typed)
{
	size_t len = strlen(p->searched);
	bool narrows = p->has_result && strncmp(typed, p->searched, len) == 0;
	size_t count = narrows ? p->found.len : p->all.len, kept = 0;

	take_words(p, typed);
	p->best_count = 0;
	while (p->found.len < p->all.len) /* room for the first result */
		*VEC_PUSH(&p->found) = 0;
	for (size_t k = 0; k < count; k++) {
		uint32_t i = narrows ? p->found.items[k] : (uint32_t)k;
		uint64_t rank = rank_of(p, &p->all.items[i]);
		if (rank == 0)
			continue;
		p->found.items[kept++] = i;
		take_rank(p, rank, i);
	}
	p->found.len = kept;
	p->has_result = true;
	strncpy(p->searched, typed, PALETTE_TYPED_MAX);
	p->searched[PALETTE_TYPED_MAX] = '\0';
	list_set_count(&p->list, p->best_count);
	list_select(&p->list, 0);
}
