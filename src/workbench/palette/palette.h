/* SPDX-License-Identifier: MIT */
#ifndef WORKBENCH_PALETTE_PALETTE_H
#define WORKBENCH_PALETTE_PALETTE_H

#include "base/buf.h"
#include "base/text_match.h"
#include "base/map.h"
#include "ui/edit.h"
#include "ui/list.h"
#include "workbench/frame/frame.h"

struct workbench;

#define PALETTE_KINDS(X)            \
	X(COMMAND, command)         \
	X(PANE, pane)               \
	X(TOOL, tool)               \
	X(RESOURCE, resource)       \
	X(TEMPLATE, template)       \
	X(PROMPT, prompt)           \
	X(SAVED, saved)             \
	X(ENVIRONMENT, environment) \
	X(SKILL, skill)             \
	X(CALL, call)               \
	X(SETTING, setting)         \
	X(SERVER, server)           \
	X(THEME, theme)

enum palette_kind {
#define X(id, name) PALETTE_##id,
	PALETTE_KINDS(X)
#undef X
	    PALETTE_KIND_COUNT
};
extern const char *const palette_kinds[PALETTE_KIND_COUNT];

/* A row: something that a command line does. Texts are offsets, see palette_text(). */
struct palette_item {
	uint32_t line;   /* as typed after ":" */
	uint32_t name;   /* a part of the line, or another text */
	uint32_t alias;  /* other names */
	uint32_t note;   /* a description; its index if it is in a list of a server */
	uint32_t server; /* a choice, from 1, that is shown first; 0: none */
	uint16_t name_len, alias_len, note_len;
	uint8_t kind;
	bool asks;           /* the line lacks arguments */
	bool applies;        /* now */
	uint16_t use;        /* more: used more often and lately */
	uint64_t letters;    /* of all that is searched */
	const char *context; /* of the key of a command; NULL: the pane in front */
};

/* How often and how lately lines were run: newest first. */
enum { USES_MAX = 100, USES_LINE_MAX = 300, USES_COUNT_MAX = 999 };
struct uses {
	struct use {
		char *line;
		unsigned count;
	} items[USES_MAX];
	size_t len;
};

/* A past call: the text to search, and its verdict, server and time. */
struct palette_calls {
	struct palette_call {
		uint64_t id; /* in the history */
		char *text, *note;
	} * items;
	size_t len, cap;
};

enum { PALETTE_SHOWN = 200, PALETTE_WORDS = 6, PALETTE_TYPED_MAX = 200 };
struct palette {
	struct edit edit;
	struct list list; /* of `best` */
	int y;            /* of its first row, on the screen */
	struct rect box;
	int name_cols; /* the most that names have taken since it is open */
	bool previews; /* a theme; the screen is not dimmed */

	/* The index, made when the palette opens. */
	struct buf text;
	struct {
		struct palette_item *items;
		size_t len, cap;
	} all;
	uint64_t made_of; /* what there was to index: changes make it again */
	struct palette_calls calls;
	uint64_t calls_changes; /* of the history, when they were read */
	struct job *calls_job;

	/* The result: all that match, for the next letter, and the best of them. */
	struct fuzzy words[PALETTE_WORDS];
	size_t word_count;
	char searched[PALETTE_TYPED_MAX + 1];
	bool has_result;
	struct {
		uint32_t *items;
		size_t len, cap;
	} found;
	struct palette_rank {
		uint64_t rank;
		uint32_t item;
	} best[PALETTE_SHOWN];
	size_t best_count;
};

static inline const char *
palette_text(const struct palette *p, uint32_t offset)
{
	return p->text.data + offset;
}

void uses_note(struct uses *u, const char *line);

#endif
