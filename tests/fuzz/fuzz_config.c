/* A configuration of any bytes is refused with a reason, or every entry can be used or says why
 * not. */
#include "base/buf.h"
#include "host/target.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
demand(bool holds)
{
	if (!holds)
		abort();
}

static void
check_target(const struct target *t)
{
	size_t n = 0;

	demand(t->name && t->label);
	demand(t->trouble || (t->argv && t->argv[0] && t->argv[0][0]));
	demand(!t->trouble || t->trouble[0]);
	while (t->env && t->env[n])
		demand(strchr(t->env[n++], '=') != NULL);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct config c;
	struct err err = { "" };

	if (!config_parse(&c, (const char *)data, size, "f", &err)) {
		demand(err.text[0] && !strchr(err.text, '\n'));
		config_finish(&c);
		return 0;
	}
	demand(c.len > 0);
	for (size_t i = 0; i < c.len; i++) {
		check_target(&c.items[i]);
		demand(config_find(&c, c.items[i].name) != NULL);
	}
	demand(config_find(&c, "1") != NULL);
	config_finish(&c);
	return 0;
}
