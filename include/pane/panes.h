#ifndef PANE_PANES_H
#define PANE_PANES_H

/* The table of panes: one row and one file each. */
#define PANES(X)         \
	X(tools)         \
	X(form)          \
	X(content)       \
	X(structured)    \
	X(validation)    \
	X(journal)       \
	X(schema)        \
	X(logs)          \
	X(tasks)         \
	X(overview)      \
	X(authorization) \
	X(servers)       \
	X(questions)

enum pane_id {
#define X(id) PANE_##id,
	PANES(X)
#undef X
	    PANE_COUNT
};

#endif
