#include "render/render.h"

#include "base/vec.h"

#include <assert.h>

const struct render_ops *const renderer_table[] = {
#define X(id) &render_##id,
	RENDERERS(X)
#undef X
};
static_assert(ARRAY_LEN(renderer_table) == RENDERER_COUNT, "one row each");

enum renderer_id
renderer_best(const struct render_input *in)
{
	int best = 0, claim = -1;

	for (int i = 0; i < RENDERER_COUNT; i++) {
		int c = renderer_table[i]->claim(in);
		if (c > claim) {
			claim = c;
			best = i;
		}
	}
	return (enum renderer_id)best;
}
