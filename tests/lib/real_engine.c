/* SPDX-License-Identifier: MIT */
#include "real_engine.h"

#include "engine/engine.h"
#include "fixture.h"
#include "loop/child.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

static bool
can_sandbox(void)
{
	static const struct engine_options options;
	struct loop *loop = loop_create(NULL, NULL, NULL);
	struct engine *engine = engine_create(loop, &options, NULL);
	const struct engine_status *status = engine_status(engine);

	engine_start(engine);
	TURN_UNTIL(loop, status->state == ENGINE_READY || status->state == ENGINE_FAILED);
	bool lacks = status->state == ENGINE_FAILED && strstr(status->reason, "sandbox");
	if (lacks)
		print_message("SKIPPED: %s\n", status->reason);
	engine_destroy(engine);
	child_end_all(loop);
	loop_destroy(loop);
	return !lacks;
}

bool
real_engine_is_here(void)
{
	static int known = -1;
	struct err err;
	char *program = known < 0 ? engine_find(NULL, &err) : NULL;

	if (known < 0 && !program)
		print_message("SKIPPED: %s\n", err.text);
	if (known < 0)
		known = program && can_sandbox();
	free(program);
	return known > 0;
}
