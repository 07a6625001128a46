#ifndef SCHEMA_ALPHABET_PRIV_H
#define SCHEMA_ALPHABET_PRIV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The alphabet of a pattern. Characters that belong to the same sets of the
 * pattern form one class, so a table needs a few columns instead of 1 114 112.
 * A character is a code point of the text; lone surrogates and NUL count too.
 */
#define MAX_CLASSES 250
#define CLASS_WIDE 255
#define MAX_SETS 1000
#define MAX_PROPERTIES 4

struct char_range {
	uint32_t from, to;
};

/* A set of characters in a pattern; zero it before use. */
struct char_set {
	uint64_t ascii[2];
	struct {
		struct char_range *items;
		size_t len, cap;
	} wide;                             /* ranges above ASCII, in any order */
	uint8_t properties, not_properties; /* bits: \p and \P of the alphabet's properties */
	bool negated;
	uint8_t classes[32]; /* bits, set by alphabet_complete() */
};

struct property;

struct alphabet {
	struct {
		struct char_set *items;
		size_t len, cap;
	} sets;
	struct property *properties[MAX_PROPERTIES];
	unsigned property_count;
	unsigned class_count;
	bool tells_words;   /* for \b: a class has only word characters, or none */
	uint8_t ascii[128]; /* class of each character */
	uint8_t bytes[256]; /* the same by byte of the text; CLASS_WIDE above ASCII, class_count at
			       the NUL */
	uint32_t *bounds;   /* starts of the intervals above ASCII */
	size_t bound_count;
	uint8_t *wide; /* class by interval and properties; 2^property_count for each interval */
	uint8_t words[32]; /* bits: the classes of [A-Za-z0-9_], if tells_words */
};

void alphabet_finish(struct alphabet *alphabet);
void char_set_add(struct char_set *set, uint32_t from, uint32_t to);
/* text: "{L}", "{sc:Greek}", len bytes. False if the alphabet has too many properties. */
bool char_set_add_property(
    struct alphabet *alphabet, struct char_set *set, const char *text, size_t len, bool inverted);
/* Takes the set and returns its number; equal sets share one. -1 if there are too many. */
int alphabet_add(struct alphabet *alphabet, struct char_set *set);
/* Computes the classes once all sets are added. False if there are too many. */
bool alphabet_complete(struct alphabet *alphabet);
uint8_t alphabet_wide_class(const struct alphabet *alphabet, uint32_t ch);

static inline bool
class_in(const uint8_t classes[32], unsigned class)
{
	return classes[class / 8] >> (class % 8) & 1;
}

/* Reads the character at *at and moves *at past it. C0 80 is a NUL, ED xx xx a lone surrogate; any
 * other byte that is not UTF-8 reads as U+FFFD. */
uint32_t take_character(const char **at);

#endif
