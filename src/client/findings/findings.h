/* SPDX-License-Identifier: MIT */
#ifndef CLIENT_FINDINGS_FINDINGS_H
#define CLIENT_FINDINGS_FINDINGS_H

#include "apps/policy.h"
#include "client/call.h"
#include "client/findings.h"

/* One search: runs the rows of a table in order. */
struct finding_search {
	struct findings *out;
	const struct finding_kind *kind;     /* the row that runs */
	const struct primitive *tool;        /* of a search in a definition; else NULL */
	const struct schema_findings *flaws; /* of its schemas */
	const struct call *call;             /* of a search in a result; else NULL */
	const struct result *result;
	const struct verdict *verdict;
	const struct job *job;
	size_t blocks_reported;        /* by the row that runs */
	struct agreement *agreement;   /* of the result's two parts */
	const struct call *read;       /* a read of a resource that failed; else NULL */
	const struct found_app *app;   /* of a search in the page of an app; else NULL */
	const struct finding_run *run; /* of a search in the run of an app; else NULL */
};

/* The page of an app, as far as it is readable. */
struct found_app {
	const struct finding_app *from;
	struct app_html page;
	bool fits;      /* it can be shown */
	struct err why; /* why not */
};

struct finding_table {
	const struct finding_kind *kinds;
	size_t count;
};
extern const struct finding_table findings_about_tool, findings_about_app_tool,
    findings_about_app_page, findings_about_result, findings_about_content;

void findings_run(struct finding_search *s, const struct finding_table *table);
void finding_add(struct finding_search *s, const char *pointer, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
bool text_begins_html(const char *text); /* begins as an HTML page */
/* Adds a finding for the first string of the definition, or of each part of the result, that has
 * invisible characters. */
void find_hidden(struct finding_search *s);

/* ---- sentences of the specification ---- */

#define CONFORM                                                                     \
	"\"Servers MUST provide structured results that conform to this schema.\" " \
	"(2025-06-18 and later, server/tools#output-schema)"
#define FALLBACK                                                                             \
	"\"For backwards compatibility, a tool that returns structured content SHOULD also " \
	"return the serialized JSON in a TextContent block.\" (2025-06-18 and later, "       \
	"server/tools#structured-content)"
#define LINKED                                                                               \
	"\"the tool will return a URI that can be subscribed to or fetched by the client\" " \
	"(2025-06-18 and later, server/tools#resource-links)"
#define ANY_VALUE                                                                           \
	"\"This can be any JSON value (object, array, string, number, boolean, or null)\" " \
	"(2026-07-28, server/tools#structured-content; an object before)"
#define NO_SENTENCE "No sentence of the specification"
#define MEANING                                                                   \
	NO_SENTENCE ": SEP-2200, which was not accepted, asked that content and " \
		    "structuredContent be semantically equivalent"

/* ---- agreement.c: content compared with structuredContent ---- */

enum agreement_kind {
	AGREEMENT_UNSURE,     /* nothing that is certain */
	AGREEMENT_MIRROR,     /* the same value */
	AGREEMENT_PART,       /* JSON: a part of the value */
	AGREEMENT_SUMMARY,    /* prose with its values or counts */
	AGREEMENT_OTHER_JSON, /* JSON that gives a member another value */
	AGREEMENT_CONTRADICTS,
	AGREEMENT_UNRELATED, /* prose that names nothing of it */
};

struct agreement {
	enum agreement_kind kind;
	size_t block;       /* of the deciding text */
	struct buf pointer; /* in structuredContent, of the value in question */
	struct buf text;    /* "says 5 users, the array has 3" */
};

/* Compares by meaning: the order of keys and the spelling of numbers do not count, null equals
 * absent. The kind is UNSURE in case of doubt. */
void agreement_init(struct agreement *a, const struct result *result, const struct job *job);
void agreement_finish(struct agreement *a);

#endif
