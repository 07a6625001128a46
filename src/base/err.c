#include "base/err.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static char bug[256];

bool
err_set(struct err *err, const char *format, ...)
{
	if (err) {
		va_list args;
		va_start(args, format);
		vsnprintf(err->text, sizeof(err->text), format, args);
		va_end(args);
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
