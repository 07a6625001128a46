/* SPDX-License-Identifier: MIT */
#include "base/err.h"

#include "base/mem.h"

#include <stdio.h>
#include <stdlib.h>

static char bug[256];

bool
err_set(struct err *err, const char *format, ...)
{
	if (err) {
		FORMAT_INTO(err->text, format);
	}
	return false;
}

const char *
bug_text(void)
{
	return bug;
}

_Noreturn void
bug_at(const char *file, int line, const char *what)
{
	snprintf(bug, sizeof(bug), "mcpane: bug at %s:%d: %s", file, line, what);
	abort();
}
