/* SPDX-License-Identifier: MIT */
#ifndef CLIENT_FINDINGS_H
#define CLIENT_FINDINGS_H

#include "base/buf.h"
#include "base/job.h"
#include "mcp/primitive.h"
#include "client/verdict.h"
#include "schema/findings.h"

/*
 * Findings for the authors of tools and servers: each is a neutral sentence with the sentence of
 * the specification that it relies on. A finding never changes a verdict. In case of doubt nothing
 * is reported.
 */
enum finding_severity {
	FINDING_ERROR,   /* breaks the specification, or tells a reader something wrong */
	FINDING_WARNING, /* some client loses or misreads a part */
	FINDING_NOTE,    /* a fact, neither good nor bad */
	FINDING_SEVERITIES
};
extern const char *const finding_severities[FINDING_SEVERITIES]; /* "error", "warning", "note" */

struct content_block;
struct finding_search;

/* A row of the tables in src/client/findings/. */
struct finding_kind {
	const char *name; /* its id: "content-contradicts" */
	enum finding_severity severity;
	void (*find)(struct finding_search *s); /* NULL if it has find_in_block */
	const char *source;                     /* a sentence of the specification and its place */
	const char *mend;
	bool is_said;   /* also by the verdict, the lines about compatibility, or the lenses */
	bool any_kind;  /* applies to the definitions of all primitives, not only tools */
	unsigned which; /* read by find, if several rows share it */
	void (*find_in_block)(
	    struct finding_search *s, size_t index, const struct content_block *block);
};

struct found {
	const struct finding_kind *kind;
	char *pointer; /* into the definition or the result: "/content/0/text" */
	char *text;    /* one line; not made safe for a terminal */
};

#define FINDINGS_MAX 200

struct findings {
	struct found *items;
	size_t len, cap;
	size_t rest; /* found, but not kept */
};

/* About the definition of a tool, appended; of anything else, about its texts alone. library: keeps
 * the metaschemas between calls. */
void findings_of_tool(
    struct findings *f, const struct primitive *tool, struct schema_library *library);

/* About the result of a tool. All is borrowed; it only reads, so it may run in any thread. */
struct call;
struct finding_result {
	const struct call *call;       /* CALL_DONE, of a tool */
	const struct verdict *verdict; /* its verdict, or the one it will have */
	const struct job *job;         /* ends the search early; may be NULL */
};
void findings_of_result(struct findings *f, const struct finding_result *result);
/* About the links in the result of a tool, after a read of a resource failed. */
void findings_of_read(struct findings *f, const struct call *call, const struct call *read);
/* About the page of an app. */
struct finding_app {
	const char *uri;     /* of its resource */
	const cJSON *result; /* of resources/read; can be NULL */
	const char *trouble; /* the reason if result is NULL */
	const cJSON *entry;  /* of resources/list; NULL: it has none */
};
void findings_of_app(struct findings *f, const struct finding_app *app);
/* About an app that runs: what only its run shows. */
struct app_facts;
struct finding_run {
	const struct app_facts *app;
	const struct call *call; /* that opened it; NULL: it is no longer kept */
	int64_t now_us;
};
void findings_of_run(struct findings *f, const struct finding_run *run);
void findings_finish(struct findings *f);

/* Flaws of a tool's schemas: violations of their metaschemas and of MCP's own rules. Pointers are
 * into the definition. */
void definition_find(
    struct schema_findings *findings, const struct primitive *p, struct schema_library *library);

/*
 * Flaws in how a server introduced itself: breaches of the specification's handshake rules, and
 * oddities a user would want to know. Plain sentences.
 */
struct handshake_finding {
	bool serious; /* breaks the specification */
	char text[200];
};

struct handshake_findings {
	struct handshake_finding *items;
	size_t len, cap;
};

struct server;
/* Appends the findings; none before the handshake. */
void handshake_lint(const struct server *s, struct handshake_findings *out);

#endif
