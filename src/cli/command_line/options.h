/* SPDX-License-Identifier: MIT */
#ifndef CLI_COMMAND_LINE_OPTIONS_H
#define CLI_COMMAND_LINE_OPTIONS_H

#include "cli/command_line.h"

struct option_word {
	const char *text;
	int value;
	unsigned group; /* of the subcommands that accept it; 0: all that accept the option */
};

enum option_kind {
	FLAG,
	TEXT,
	TIME,
	SIZE,
	COUNT,
	COLUMNS,
	CELLS,
	WORD,
	SUBCOMMAND,
	STRINGS,
	STEPS
};

/* A row without a name is a heading of --help; a row without help ends the table. A row without
 * a group belongs to its heading's group; 0: every subcommand accepts it. */
struct option {
	const char *name;
	char letter;       /* 0: none */
	const char *value; /* its value's name in --help; NULL: it takes none */
	enum option_kind kind;
	size_t offset; /* in struct options */
	const char *help;
	const char *tap_help;            /* what it does for tap; NULL: the same */
	unsigned group;                  /* OPTIONS_SERVER ... */
	const struct option_word *words; /* of WORD */
	const char *subcommand;          /* of SUBCOMMAND: its name */
	enum option_step_kind step;      /* of STEPS */
};
extern const struct option option_table[];
/* The group of the row, or else of its heading. */
unsigned option_group(const struct option *row);

struct command_line;
struct operand {
	/* more: operands this row took before this one. */
	bool (*take)(
	    struct command_line *line, const struct operand *operand, const char *text, int more);
	size_t offset;            /* in struct options */
	const char *missing;      /* the error if it is absent; NULL: optional */
	bool is_many;             /* a list takes it and all that follow */
	bool is_uri;              /* a URL may be this operand rather than the server */
	bool is_file;             /* a path of JSON is this operand, never a server file */
	bool may_begin_with_dash; /* "-word" is this operand unless it is an option */
};

extern const struct operand operands_of_call[], operands_of_check[], operands_of_complete[],
    operands_of_completions[], operands_of_diff[], operands_of_get[], operands_of_history[],
    operands_of_list[], operands_of_read[], operands_of_record[], operands_of_replay[],
    operands_of_run[], operands_of_skill[], operands_of_snapshot[], operands_of_tap[];

#endif
