#ifndef SCHEMA_NFA_PRIV_H
#define SCHEMA_NFA_PRIV_H

#include "alphabet_priv.h"
#include "automaton_priv.h"

/*
 * A pattern as a nondeterministic automaton (Thompson's construction). Each
 * look-around is a separate part: run over the whole text, it tells for each
 * place whether it holds there, and the parts after it use that. A look-ahead
 * is built reversed and runs from the end of the text to its beginning.
 */

enum nfa_op {
	NFA_NEXT, /* on to the next step */
	NFA_SPLIT,
	NFA_SET,
	NFA_BEGIN, /* ^ */
	NFA_END,   /* $ */
	NFA_WORD,  /* \b */
	NFA_NOT_WORD,
	NFA_LOOK,
	NFA_NOT_LOOK,
	NFA_MATCH,
};

struct nfa_step {
	uint8_t op;
	uint16_t arg;       /* of NFA_SET: a set of the alphabet; of NFA_LOOK: a part */
	uint32_t to, other; /* other: of NFA_SPLIT */
};

struct nfa_part {
	uint32_t start;
	bool backward;
	const char *source; /* its text in the pattern */
};

struct nfa {
	struct alphabet alphabet;
	struct {
		struct nfa_step *items;
		size_t len, cap;
	} steps;
	struct nfa_part parts[AUTOMATON_MAX_LOOKS +
			      1]; /* a look before the parts that use it; the pattern itself last */
	unsigned part_count;
};

/* pattern: as ecma_translate() writes it. False if it has a back reference or is too large; call
 * nfa_finish() in either case. */
bool nfa_init(struct nfa *nfa, const char *pattern);
void nfa_finish(struct nfa *nfa);

#endif
