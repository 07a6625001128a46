#include "host/roster.h"

#include "base/mem.h"
#include "base/path.h"
#include "base/vec.h"
#include "host/config.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static void
trouble_finish(struct roster_trouble *t)
{
	free(t->path);
	free(t->why);
}

void
roster_finish(struct roster *r)
{
	for (size_t i = 0; i < r->len; i++)
		target_finish(&r->items[i].target);
	for (size_t i = 0; i < r->troubles.len; i++)
		trouble_finish(&r->troubles.items[i]);
	free(r->items);
	free(r->troubles.items);
	*r = (struct roster){ 0 };
}

void
roster_take(struct roster *r, struct target *target, enum choice_origin origin)
{
	*VEC_PUSH(r) = (struct roster_entry){ .target = *target, .origin = origin };
	*target = (struct target){ 0 };
}

static void
take_all(struct roster *r, struct config *c, enum choice_origin origin)
{
	for (size_t i = 0; i < c->len; i++)
		roster_take(r, &c->items[i], origin);
	config_finish(c);
}

bool
roster_add_file(struct roster *r, const char *path, enum choice_origin origin, struct err *err)
{
	struct config c;

	if (!config_load(&c, path, NULL, err)) {
		config_finish(&c);
		return false;
	}
	bool any = c.len > 0;
	take_all(r, &c, origin);
	return any || err_set(err, "%s: no server is in it", path);
}

static void
add_found(struct roster *r, const char *path, enum choice_origin origin)
{
	struct config c;
	struct err err;
	bool there;

	if (!path)
		return;
	if (!config_load(&c, path, &there, &err))
		*VEC_PUSH(&r->troubles) =
		    (struct roster_trouble){ mem_strdup(path), mem_strdup(err.text), origin };
	take_all(r, &c, origin);
}

void
roster_add_own(struct roster *r)
{
	char *own = roster_own_file();

	add_found(r, own, CHOICE_OWN);
	free(own);
}

void
roster_add_found(struct roster *r)
{
	add_found(r, ".mcp.json", CHOICE_PROJECT);
	add_found(r, ".vscode/mcp.json", CHOICE_PROJECT);
	roster_add_own(r);
}

size_t
roster_find(const struct roster *r, const char *name)
{
	char *end;

	for (size_t i = 0; i < r->len; i++)
		if (strcmp(r->items[i].target.name, name) == 0)
			return i;
	if (*name < '1' || *name > '9')
		return SIZE_MAX;
	unsigned long n = strtoul(name, &end, 10);
	return *end == '\0' && n <= r->len ? n - 1 : SIZE_MAX;
}

char *
roster_own_file(void)
{
	return path_config("servers.json");
}
