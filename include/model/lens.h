#ifndef MODEL_LENS_H
#define MODEL_LENS_H

#include "base/job.h"
#include "mcp/content.h"
#include "model/verdict.h"

/*
 * A lens is one way in which clients treat a result: what of it reaches the model, what that costs,
 * what is lost, whether the call looks failed. The parts of a result are outputs, each for an
 * audience, so a later protocol only has to say which outputs a result has.
 */
enum output_audience { OUTPUT_MODEL, OUTPUT_PROGRAM };

struct lens_input {
	struct result result;
	enum verdict_kind verdict;
	bool has_app; /* the tool names a ui:// resource */
};

struct lens {
	const char *name;   /* for :lens and --lens */
	const char *title;  /* "conversational host" */
	const char *rule;   /* what it does */
	const char *source; /* who does so */
	unsigned first;     /* audiences, as bits: their outputs reach the model */
	unsigned then;      /* if there are none of those, these */
	/* An error in place of the result; NULL: none. May be NULL. */
	const char *(*refuse)(const struct lens_input *in);
	bool old;  /* knows neither resource_link nor structuredContent */
	bool apps; /* structuredContent goes to the app of the tool */
};

enum { LENS_COUNT = 6 };
extern const struct lens lenses[LENS_COUNT];

/* The beginning of the text that reaches the model is kept. */
#define LENS_TEXT_MAX ((size_t)64 << 10)

struct lens_view {
	struct buf text;
	size_t bytes, tokens; /* of all of it */
	size_t media;         /* blocks that are not text, whose tokens nobody can tell */
	bool failed;
	struct buf lost; /* what does not reach the model; "": nothing */
};

/* All lenses at once, because printing structuredContent may take long. It only reads. */
void lens_look(
    struct lens_view views[LENS_COUNT], const struct lens_input *in, struct job *job);
void lens_views_finish(struct lens_view views[LENS_COUNT]);
/* Does the definition of a tool name an app? */
bool lens_has_app(const cJSON *definition);

/* An estimate for English, code and JSON; docs/ARCHITECTURE.md says how good it is. */
size_t tokens_estimate(const char *text, size_t len);

#endif
