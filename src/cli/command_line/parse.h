#ifndef CLI_COMMAND_LINE_PARSE_H
#define CLI_COMMAND_LINE_PARSE_H

#include "cli/command_line.h"

struct option_word {
	const char *text;
	int value;
};

enum option_kind { FLAG, TEXT, TIME, SIZE, WORD, SUBCOMMAND, STRINGS };

/* A row without a name is a heading of --help; one without help ends the table. A row without a
 * group of its own has its heading's; 0: every subcommand takes it. */
struct option {
	const char *name;
	char letter;       /* 0: none */
	const char *value; /* what --help calls its value; NULL: it takes none */
	enum option_kind kind;
	size_t offset; /* in struct options */
	const char *help;
	unsigned group;                  /* OPTIONS_SERVER ... */
	const struct option_word *words; /* of WORD */
	const char *subcommand;          /* of SUBCOMMAND: the name of its row */
};
extern const struct option option_table[];
enum { OPTIONS_MAX = 64 };

struct command_line {
	struct options *o;
	struct err *err;
	char *const *next;   /* the argument after the current one; NULL-terminated */
	bool has_subcommand; /* by a word or by --serve-demo */
	const struct option *seen[OPTIONS_MAX]; /* each once */
	size_t seen_count;
	int operands; /* of the subcommand so far, its server's URL not among them */
	bool done;    /* --help or --version: the rest is not read */
};

/* ---- operands.c: every argument that is not an option ---- */

struct operand {
	/* more: how many the same row took before. */
	bool (*take)(
	    struct command_line *line, const struct operand *operand, const char *text, int more);
	size_t offset;       /* in struct options */
	const char *missing; /* the error when it is not given; NULL: it may be left out */
	bool is_uri;         /* a URL may be this one, not the server's */
};

extern const struct operand operands_of_call[], operands_of_check[], operands_of_complete[],
    operands_of_get[], operands_of_list[], operands_of_read[];

void command_line_take_subcommand(struct command_line *line, const struct subcommand *row);
bool command_line_take_operand(struct command_line *line, const char *text);
/* False: a required operand is missing. A URL taken for the server's may become the URI of `read`.
 */
bool command_line_check_operands(struct command_line *line);

#endif
