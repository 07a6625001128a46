#ifndef CLI_OPTIONS_PRIV_H
#define CLI_OPTIONS_PRIV_H

#include "cli/options.h"

struct word {
	const char *text;
	int value;
};

enum kind { FLAG, TEXT, TIME, SIZE, WORD, MODE, STRINGS };

/* A row without a name is a heading of the help; one without help ends the table. An option goes
 * with its own modes, else with its heading's; 0: with all. */
#define OPTION_MODE(mode) (1u << (mode))
enum { OPTIONS_MAX = 64 };
struct option {
	const char *name;
	char letter;       /* 0: none */
	const char *value; /* what follows it, for people; NULL: nothing */
	enum kind kind;
	size_t offset; /* in struct cli_options */
	const char *help;
	unsigned modes;
	const struct word *words; /* of WORD */
	enum cli_mode mode;       /* of MODE */
};
extern const struct option option_table[];

struct parser {
	struct cli_options *o;
	struct err *err;
	char *const *next; /* the argument after the one being looked at; NULL-terminated */
	bool has_command;  /* a command was said, or --serve-demo */
	const struct option *seen[OPTIONS_MAX]; /* each once */
	size_t seen_count;
	int operands;                           /* of the command */
	bool done;
};

bool options_take_mode(struct parser *p, enum cli_mode mode);

/* ---- operands.c: what is no option ---- */
const char *options_mode_name(enum cli_mode mode); /* "list"; NULL: it has none */
bool options_take_operand(struct parser *p, const char *text);
/* Is all there that the command needs? May move a URI that was taken for the server's URL. */
bool options_check_operands(struct parser *p);

#endif
