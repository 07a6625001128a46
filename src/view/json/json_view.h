#ifndef VIEW_JSON_JSON_VIEW_H
#define VIEW_JSON_JSON_VIEW_H

#include "base/buf.h"
#include "base/job.h"
#include "json/doc.h"
#include "view/view.h"
#include "ui/wrap.h"

#include <stdbool.h>
#include <stddef.h>

#define JSON_OUTLINE_INDENT 2

/*
 * The containers of formatted JSON. Each of its tokens has a line, so the lines tell which
 * containers they open and close. Marks every few KiB say what is open there: whatever is asked
 * about a line costs no more in a long text than in a short one. The text is borrowed.
 */
struct json_outline {
	const char *text;
	size_t len;
	size_t deepest; /* level of a line */
	struct {
		struct outline_mark {
			size_t at, first, depth; /* a line, and its places */
		} * items;
		size_t len, cap;
	} marks;
	struct outline_places {
		struct outline_place {
			size_t open;  /* the line that opens the container */
			size_t index; /* children that begin before */
		} * items;
		size_t len, cap;
	} places;
};

/* Takes time in proportion to len; the job (may be NULL) stops it. */
void json_outline_read(struct json_outline *o, const char *text, size_t len, struct job *job);
void json_outline_finish(struct json_outline *o);
size_t json_outline_line(const struct json_outline *o, size_t at);  /* the start of its line */
bool json_outline_opens(const struct json_outline *o, size_t line); /* a container with children */
/* The end of the line that closes the container opened in `line`, and how many children it has; at
 * the end of the text it is not known. */
size_t json_outline_close(const struct json_outline *o, size_t line, size_t *children);
/* The containers around a line, from the outermost; of one that it closes, too. */
void json_outline_around(const struct json_outline *o, size_t line, struct outline_places *out);
/* Appends the JSON Pointer of what the line shows. */
void json_outline_pointer(const struct json_outline *o, size_t line, struct buf *pointer);
/* The line that shows the node, SIZE_MAX if it is not in the text. */
size_t json_outline_find(const struct json_outline *o, const char *pointer);

/* Which containers are folded: those at a level and deeper, but for the lines that were toggled. */
struct json_folds {
	struct wrap_folds wrap; /* first */
	unsigned level;         /* 0: none */
	struct {
		size_t *items; /* lines, in order */
		size_t len, cap;
	} toggled;
	struct json_outline outline;
};

void json_folds_init(struct json_folds *f);
/* All but the outline. */
void json_folds_copy(struct json_folds *f, const struct json_folds *from);
void json_folds_finish(struct json_folds *f);
bool json_folds_has(const struct json_folds *f, size_t line); /* it opens a folded container */
void json_folds_toggle(struct json_folds *f, size_t line);

/* ---- json_layout.c: the text, its rows, and what is folded in them ---- */

/* So much of a value is formatted at once, the rest in a job. */
#define JSON_VIEW_AT_ONCE ((size_t)256 << 10)

/* The value as formatted JSON: every digit and member exactly as received. A huge value is
 * formatted to its end when that comes into view. */
struct json_view {
	struct blob *text; /* a job may keep it */
	bool whole;        /* text is all of the value, not only its first lines */
	struct wrap wrap;
	struct json_folds folds;
	uint64_t folded; /* rises when they change */
	const cJSON *value;
	struct json_doc *doc;
	struct jobs *jobs;
	struct job *job;            /* formats or wraps; NULL: none */
	struct json_reader *reader; /* of the lazy array that was looked into last */
	const cJSON *lazy;
	size_t top, cursor; /* rows */
	int height;
	bool to_end;  /* once known */
	char *sought; /* a JSON Pointer, likewise; may be NULL */
};

void json_view_init(void *state);
void json_view_finish(void *state);
void json_view_sync(void *state, const struct view_env *env);
/* Of a value that goes on only whole lines are shown. */
void json_view_set_width(struct json_view *v, int width);
/* Formats and wraps all of it, in a job. */
void json_view_lay_out(struct json_view *v);
/* Moves the cursor as far as rows are known; drawing lets the window follow. */
void json_view_go_to(struct json_view *v, size_t cursor);
/* Where a row begins, and its line. If it is not known yet, of a row as near as a slice of work
 * gets. */
size_t json_view_row_start(struct json_view *v, size_t row);
size_t json_view_line(struct json_view *v, size_t row);
/* Folds or unfolds the container that the row's line opens. False: it opens none. */
bool json_view_fold(struct json_view *v, size_t row, bool open);
/* The folds behind this byte have changed. */
void json_view_refold(struct json_view *v, size_t at);
/* Opens all that hides a byte. */
void json_view_unfold_around(struct json_view *v, size_t at);
/* Selects the node that is in the value; once the text is long enough, if it is not yet. NULL:
 * none is sought any longer. */
void json_view_seek_node(struct json_view *v, const char *pointer);

#endif
