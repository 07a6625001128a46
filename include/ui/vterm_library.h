/* SPDX-License-Identifier: MIT */
#ifndef UI_VTERM_LIBRARY_H
#define UI_VTERM_LIBRARY_H

#include "base/err.h"
#include "base/shared_library.h"
#include "ui/theme.h"

#include <vterm.h>

/*
 * libvterm's functions, loaded at first use (base/shared_library.h). Releases 0.1 and 0.3 have the
 * same file name and different structs, so a build works with the kind that it was built with.
 */
#define VTERM_FUNCTIONS(X)               \
	X(vterm_new_with_allocator)      \
	X(vterm_free)                    \
	X(vterm_set_size)                \
	X(vterm_set_utf8)                \
	X(vterm_input_write)             \
	X(vterm_output_set_callback)     \
	X(vterm_keyboard_unichar)        \
	X(vterm_keyboard_key)            \
	X(vterm_keyboard_start_paste)    \
	X(vterm_keyboard_end_paste)      \
	X(vterm_mouse_move)              \
	X(vterm_mouse_button)            \
	X(vterm_obtain_state)            \
	X(vterm_state_focus_in)          \
	X(vterm_state_focus_out)         \
	X(vterm_state_get_cursorpos)     \
	X(vterm_obtain_screen)           \
	X(vterm_screen_set_callbacks)    \
	X(vterm_screen_enable_altscreen) \
	X(vterm_screen_set_damage_merge) \
	X(vterm_screen_reset)            \
	X(vterm_screen_get_cell)

struct vterm_functions {
	VTERM_FUNCTIONS(SHARED_LIBRARY_POINTER)
};

/* On any thread. NULL: err says that the library is missing, or of the other kind. */
const struct vterm_functions *vterm_library(struct err *err);
/* A terminal of this size with UTF-8; its memory is ours (base/mem.h). */
VTerm *vterm_library_open(const struct vterm_functions *f, int width, int height);

/*
 * Filters the bytes for libvterm, which has these faults: REP (CSI b) before any character loops
 * for ever and writes past a row, parameters after the 16th overwrite memory, a C1 control in UTF-8
 * moves the cursor to column -1, and combining characters are kept without a limit. Zeroed memory
 * is a new filter; each terminal has its own.
 */
struct vterm_feeder {
	char sequence[4]; /* of UTF-8, not complete */
	unsigned char have;
	bool holds_esc;
	unsigned char escape;             /* how far in an escape sequence */
	unsigned char parameters, digits; /* of the control sequence */
	unsigned marks;                   /* combining characters since the last other one */
};
void vterm_library_feed(const struct vterm_functions *f, VTerm *vt, struct vterm_feeder *feeder,
    const char *bytes, size_t len);

/* Colors of the palette's first 16 on the default ground become ones that can be read on any theme.
 */
struct style vterm_cell_style(const VTermScreenCell *c);
/* Is the cell blank? */
bool vterm_cell_is_blank(const VTermScreenCell *c);

#endif
