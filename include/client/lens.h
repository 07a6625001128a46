/* SPDX-License-Identifier: MIT */
#ifndef CLIENT_LENS_H
#define CLIENT_LENS_H

#include "base/job.h"
#include "mcp/content.h"
#include "client/verdict.h"

/*
 * A lens shows how a kind of client treats a result: the part that reaches the model, its cost, the
 * loss, and whether the call looks failed. The parts of a result are outputs, each for some
 * audience: a later protocol adds its outputs to lens_look(), a client a row to the lenses
 * in src/client/lens.c.
 */
enum output_audience { OUTPUT_MODEL, OUTPUT_PROGRAM, OUTPUT_USER };

struct lens_input {
	struct result result;
	enum verdict_kind verdict;
	bool has_app;          /* the tool names a ui:// resource */
	bool for_app_alone;    /* a host with apps keeps it out of the model's list */
	const char *tool;      /* its name; NULL: unknown */
	const char *arguments; /* of the call, JSON; NULL: unknown */
};

/* One output of a result: a block of content, or structuredContent. */
struct result_output {
	unsigned audiences;                /* as bits: for whom the protocol has it */
	const struct content_block *block; /* NULL: it is the value */
	const char *text;                  /* the value as JSON; the block's text, or NULL */
	size_t len, tokens;
};

struct lens_view;

struct lens {
	const char *name;   /* for :lens and --lens */
	const char *title;  /* "conversational host" */
	const char *rule;   /* its treatment of a result */
	const char *source; /* who does so; of a named client, the public text that says it */
	const char *date;   /* of that source; NULL: no named client */
	enum output_audience reader; /* the text is for it: a model, or a program */
	unsigned first;              /* audiences, as bits: their outputs reach the reader */
	unsigned then;               /* if a result has none of the first */
	/* Does an output of these audiences reach it after all? NULL: each does. */
	bool (*takes)(const struct lens_input *in, const struct result_output *o);
	/* Writes an output in the client's words; false: the output is unchanged. May be NULL. */
	bool (*write)(
	    struct lens_view *v, const struct lens_input *in, const struct result_output *o);
	/* The error instead of a result without structuredContent, or with one that breaks the
	 * outputSchema; %s is the tool. NULL: the client does not check. */
	const char *missing, *invalid;
	/* Rewrites that error, which can be empty. May be NULL. */
	void (*wrap)(const struct lens_input *in, struct buf *error);
	bool apps;          /* structuredContent goes to the app of the tool */
	size_t most_tokens; /* of a result without media: more go to a file. 0: any number */
};

enum { LENS_COUNT = 13 };
extern const struct lens lenses[LENS_COUNT];

/* The beginning of the text that reaches the model is kept. */
#define LENS_TEXT_MAX ((size_t)64 << 10)

struct lens_view {
	struct buf text;
	size_t bytes, tokens; /* of all of it */
	size_t media;         /* blocks other than text, with an unknown number of tokens */
	bool failed;
	struct buf lost; /* the parts that do not reach the model; "": none */
};

/* All lenses at once, because printing structuredContent may take long. It only reads. */
void lens_look(struct lens_view views[LENS_COUNT], const struct lens_input *in, struct job *job);
void lens_views_finish(struct lens_view views[LENS_COUNT]);
/* Reads the members about apps from the definition of a tool; NULL: it is unknown. */
void lens_read_tool(struct lens_input *in, const cJSON *definition);

/* An estimate for English, code and JSON; docs/decisions/results.md says how good it is. */
size_t tokens_estimate(const char *text, size_t len);
/* The same at a bounded cost: of the beginning of a long text, in proportion. */
size_t tokens_estimate_soon(const char *text, size_t len);

#endif
