#include "model/target.h"

const char *
target_shown(const struct target *t, const char *text)
{
	for (size_t i = 0; i < t->shown.len; i++)
		if (t->shown.items[i].text == text)
			return t->shown.items[i].shown;
	return text;
}
