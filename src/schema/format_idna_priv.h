#ifndef SCHEMA_FORMAT_IDNA_PRIV_H
#define SCHEMA_FORMAT_IDNA_PRIV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Labels of internationalised host names: IDNA2008, RFC 5890 to 5893. */

#define LABEL_MAX 63 /* octets as sent, so also code points */

struct label {
	uint32_t points[LABEL_MAX];
	size_t count;
};

/* What is wrong with a U-label but its length (see fault_fn); not normal: NFC is not asked for. */
const char *label_fault(const struct label *label, bool normal);
bool label_is_rtl(const struct label *label);     /* it makes its host a Bidi domain name */
bool label_is_ordered(const struct label *label); /* the Bidi rule, RFC 5893 section 2 */
bool label_is_normal(const struct label *label);  /* NFC, of letters that labels may hold */

/* Punycode, RFC 3492, without "xn--". Encoding says how many octets, 0 when they are too many. */
#define PUNYCODE_MAX (LABEL_MAX - 4)
size_t punycode_encode(const struct label *label, char out[PUNYCODE_MAX]);
bool punycode_decode(const char *text, size_t len, struct label *label);

/* ---- the tables ---- */
enum {
	LETTER_ALWAYS = 1 << 0, /* in any label */
	LETTER_IN_CONTEXT = 1 << 1,
	LETTER_MARK = 1 << 2, /* general category M */
	LETTER_GREEK = 1 << 3,
	LETTER_HEBREW = 1 << 4,
	LETTER_JAPANESE = 1 << 5, /* Hiragana, Katakana or Han */
	LETTER_JOINS_LAST = 1 << 6,
	LETTER_JOINS_NEXT = 1 << 7,
	LETTER_JOINS_THROUGH = 1 << 8,
	LETTER_L = 1 << 9, /* Bidi classes; R is also AL, no bit is another one */
	LETTER_R = 1 << 10,
	LETTER_AN = 1 << 11,
	LETTER_EN = 1 << 12,
	LETTER_NSM = 1 << 13,
};

struct letter {
	unsigned short traits; /* 0: in no label */
	unsigned char order;   /* canonical combining class */
};

/* Never NULL. */
const struct letter *letter_of(uint32_t point);

/* Where runs of equal letters from `first` on are told in idna_runs. */
struct letter_block {
	uint32_t first;
	unsigned short at;
};

struct composite {
	uint32_t whole, first, second;
};

extern const struct letter idna_letters[];
extern const struct letter_block idna_blocks[];
extern const size_t idna_block_count;
extern const unsigned char idna_runs[];
extern const struct composite idna_composites[]; /* by whole */
extern const size_t idna_composite_count;

#endif
