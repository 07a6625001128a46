/* SPDX-License-Identifier: MIT */
#ifndef UI_THEME_FILES_H
#define UI_THEME_FILES_H

/* The files of themes/, embedded at build time; the last entry has no name. */
struct theme_file {
	const char *name;
	const char *text;
};

extern const struct theme_file theme_files[];

#endif
