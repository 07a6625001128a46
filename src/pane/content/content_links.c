#include "content.h"

#include "base/mem.h"
#include "base/url.h"
#include "pane/tools/tools.h"

#include <stdlib.h>
#include <string.h>

/* A link is the URI of a block, or one in its text: the block and a number, 0 for the former. */
struct link_place {
	size_t block;
	uint32_t link;
};

static uint32_t
links_in(const struct content *p, size_t block)
{
	const struct rich *rich = meant_rich(&p->blocks[block]);

	return rich ? (uint32_t)rich->links.len : 0;
}

/* A link without text has no row. */
static bool
is_link(const struct content *p, struct link_place at)
{
	const struct block_view *b = &p->blocks[at.block];

	if (at.link == 0)
		return b->uri != NULL;
	return at.link <= links_in(p, at.block) &&
	       meant_rich(b)->links.items[at.link - 1].row != UINT32_MAX;
}

static struct link_place
neighbor(const struct content *p, struct link_place at, bool forward)
{
	if (forward) {
		if (at.link < links_in(p, at.block))
			return (struct link_place){ at.block, at.link + 1 };
		return (struct link_place){ (at.block + 1) % p->len, 0 };
	}
	if (at.link > 0)
		return (struct link_place){ at.block, at.link - 1 };
	size_t block = (at.block + p->len - 1) % p->len;
	return (struct link_place){ block, links_in(p, block) };
}

static struct link_place
selected(const struct content *p)
{
	struct link_place at = { p->link < p->len ? p->link : 0, p->link_in };

	if (at.link > links_in(p, at.block))
		at.link = 0;
	return at;
}

/* The link there, or the next in that direction; NO_LINK: there is no link. */
static struct link_place
find(const struct content *p, struct link_place at, bool forward)
{
	struct link_place start = at;

	while (!is_link(p, at)) {
		at = neighbor(p, at, forward);
		if (at.block == start.block && at.link == start.link)
			return (struct link_place){ NO_LINK, 0 };
	}
	return at;
}

void
content_first_link(struct content *p)
{
	p->link = NO_LINK;
	p->link_in = 0;
	for (size_t i = 0; i < p->len && p->link == NO_LINK; i++)
		if (p->blocks[i].uri)
			p->link = i;
}

/* ---- in sight ---- */

static size_t
line_of_block(struct content *p, size_t index)
{
	size_t line = 0, budget = WRAP_SLICE;

	for (size_t i = 0; i < index; i++)
		line += content_block_lines(p, &p->blocks[i], p->width, &budget);
	return line;
}

static void
show_line(struct content *p, size_t line)
{
	if (line < p->top || line >= p->top + (size_t)p->height)
		p->top = line;
}

void
content_show_block(struct content *p, size_t index)
{
	show_line(p, line_of_block(p, index));
}

/* The first line of its text; the block's other lines are above. */
static size_t
line_of_text(struct content *p, size_t block)
{
	size_t budget = WRAP_SLICE;

	return content_block_lines(p, &p->blocks[block], p->width, &budget) -
	       meant_rich(&p->blocks[block])->rows.len;
}

size_t
content_block_at(struct content *p, int y, size_t *row)
{
	size_t line = p->top + (size_t)(y - p->blocks_y), budget = WRAP_SLICE;

	for (size_t i = 0; y >= p->blocks_y && i < p->len; i++) {
		size_t lines = content_block_lines(p, &p->blocks[i], p->width, &budget);
		*row = line;
		if (line < lines)
			return i;
		line -= lines;
	}
	return NO_LINK;
}

/* ---- actions ---- */

static const char no_link[] = "this content has no link";

static const char *
uri_of(const struct content *p, const struct view_env *env)
{
	struct link_place at = p->len > 0 ? selected(p) : (struct link_place){ 0 };

	if (p->len > 0 && p->link < p->len && is_link(p, at))
		return at.link > 0 ? rich_uri(meant_rich(&p->blocks[at.block]), at.link)
				   : p->blocks[at.block].uri;
	bool none = p->len == 0 || find(p, (struct link_place){ 0 }, true).block == NO_LINK;
	env->host->say(env->user, ROLE_WARNING,
	    none ? no_link : "no link is selected: n goes to the next one");
	return NULL;
}

static bool
step(struct content *p, const struct view_env *env, bool forward)
{
	struct link_place at = { NO_LINK, 0 };

	if (p->len > 0)
		at = find(p,
		    p->link < p->len ? neighbor(p, selected(p), forward) : (struct link_place){ 0 },
		    forward);
	if (at.block == NO_LINK) {
		env->host->say(env->user, ROLE_WARNING, no_link);
		return false;
	}
	p->link = at.block;
	p->link_in = at.link;
	if (at.link == 0) {
		content_show_block(p, at.block);
		return true;
	}
	const struct rich *rich = meant_rich(&p->blocks[at.block]);
	show_line(p, line_of_block(p, at.block) + line_of_text(p, at.block) +
			 rich->links.items[at.link - 1].row);
	char *told = mem_printf("Enter follows %s", rich_uri(rich, at.link));
	env->host->say(env->user, ROLE_TEXT, told);
	free(told);
	return true;
}

bool
act_next_link(void *state, const struct view_env *env, const char *arg)
{
	return step(state, env, true);
}

bool
act_previous_link(void *state, const struct view_env *env, const char *arg)
{
	return step(state, env, false);
}

bool
content_run(const struct view_env *env, const char *command, const char *arg)
{
	char *line = mem_printf("%s %s", command, arg);
	bool ok = env->host->run(env->user, line);

	free(line);
	return ok;
}

/* The trail of another result is forgotten; of a long one the beginning. */
static bool
read_link(struct content *p, const struct view_env *env, const char *uri)
{
	struct trail_step step = {
		.from = p->call, .top = p->top, .link = p->link, .link_in = p->link_in
	};

	if (!content_can_go_back(p))
		p->trail_len = 0;
	if (!content_run(env, "resource", uri))
		return false;
	const struct call *call = workspace_call(env->ws);
	if (!call || call->id == step.from)
		return true;
	step.to = call->id;
	if (p->trail_len == TRAIL_MAX)
		memmove(p->trail, p->trail + 1, (size_t)--p->trail_len * sizeof(p->trail[0]));
	p->trail[p->trail_len++] = step;
	return true;
}

/* A listed resource is read in place, whatever its scheme; a web page that is not listed is never
 * fetched, and the browser opens it only after a question. */
bool
act_follow(void *state, const struct view_env *env, const char *arg)
{
	struct content *p = state;
	const char *uri = uri_of(p, env);
	const struct server *server = env->ws->server;

	if (!uri)
		return false;
	bool listed =
	    primitive_list_find(&server_info(server)->lists[PRIMITIVE_RESOURCE].list, uri, 0);
	if (!listed && is_web_url(uri))
		return content_run(env, "browse", uri);
	if (!listed && selected(p).link > 0 && !strstr(uri, "://")) {
		env->host->say(env->user, ROLE_WARNING,
		    "a link to nothing that can be read: it is no URI of a resource or web page");
		return false;
	}
	return read_link(p, env, uri);
}

/* ---- and back ---- */

bool
content_can_go_back(const void *state)
{
	const struct content *p = state;

	return p->trail_len > 0 && p->trail[p->trail_len - 1].to == p->call;
}

void
content_go_back(struct content *p, const struct view_env *env)
{
	p->back = p->trail[--p->trail_len];
	const struct call *call = server_find_call(env->ws->server, p->back.from);
	if (!call) {
		env->host->say(env->user, ROLE_WARNING, "the result with the link is gone");
		return;
	}
	workspace_select_call(env->ws, call);
}

void
content_add_trail(const struct content *p, const struct view_env *env, struct buf *out)
{
	for (int i = 0; i < p->trail_len && content_can_go_back(p); i++) {
		const struct call *c = server_find_call(env->ws->server, p->trail[i].from);
		if (c)
			buf_addf(out, "%s ▸ ", c->uri ? c->uri : c->key);
	}
}

bool
act_copy_link(void *state, const struct view_env *env, const char *arg)
{
	const char *uri = uri_of(state, env);

	return uri && content_run(env, "copy", uri);
}

bool
content_press(struct content *p, const struct view_env *env, int x, int y)
{
	size_t row = 0, block = content_block_at(p, y, &row);

	if (block == NO_LINK)
		return true;
	const struct rich *rich = meant_rich(&p->blocks[block]);
	size_t above = rich ? line_of_text(p, block) : 0;
	struct link_place at = { block, 0 };
	if (rich && row >= above)
		at.link = rich_link_at(rich, row - above, x - p->label_cols);
	if (!is_link(p, at))
		return true;
	if (at.block == p->link && at.link == p->link_in && !env->entered)
		return act_follow(p, env, "") || true;
	p->link = at.block;
	p->link_in = at.link;
	return true;
}
