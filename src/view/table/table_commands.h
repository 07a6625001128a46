#ifndef VIEW_TABLE_TABLE_COMMANDS_H
#define VIEW_TABLE_TABLE_COMMANDS_H

#include "table_view.h"

/* Commands that lie in other files than the table of commands. */

/* table_rows.c */
bool act_filter_cell(void *state, const struct view_env *env, const char *arg);
bool act_filter_out(void *state, const struct view_env *env, const char *arg);
bool act_filter_invalid(void *state, const struct view_env *env, const char *arg);
bool act_filter_selected(void *state, const struct view_env *env, const char *arg);
bool act_select(void *state, const struct view_env *env, const char *arg);
bool act_select_row(void *state, const struct view_env *env, const char *arg);
bool act_select_range(void *state, const struct view_env *env, const char *arg);
bool act_select_equal(void *state, const struct view_env *env, const char *arg);
bool act_select_shown(void *state, const struct view_env *env, const char *arg);
bool act_select_others(void *state, const struct view_env *env, const char *arg);
bool act_unselect(void *state, const struct view_env *env, const char *arg);

/* table_sheets.c */
bool act_statistics(void *state, const struct view_env *env, const char *arg);
bool act_frequency(void *state, const struct view_env *env, const char *arg);
bool act_group(void *state, const struct view_env *env, const char *arg);
bool act_join(void *state, const struct view_env *env, const char *arg);
bool act_transpose(void *state, const struct view_env *env, const char *arg);

#endif
