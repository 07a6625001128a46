#include "config/server_list.h"

#include "base/mem.h"
#include "base/path.h"
#include "base/vec.h"
#include "config/server_file.h"
#include "config/user_config.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static void
trouble_finish(struct server_list_trouble *t)
{
	free(t->path);
	free(t->why);
}

void
server_list_finish(struct server_list *list)
{
	for (size_t i = 0; i < list->len; i++)
		target_finish(&list->items[i].target);
	for (size_t i = 0; i < list->troubles.len; i++)
		trouble_finish(&list->troubles.items[i]);
	free(list->items);
	free(list->troubles.items);
	*list = (struct server_list){ 0 };
}

void
server_list_take(struct server_list *list, struct target *target, enum choice_origin origin)
{
	*VEC_PUSH(list) = (struct server_list_entry){ .target = *target, .origin = origin };
	*target = (struct target){ 0 };
}

static void
take_all(struct server_list *list, struct server_file *c, enum choice_origin origin)
{
	for (size_t i = 0; i < c->len; i++)
		server_list_take(list, &c->items[i], origin);
	server_file_finish(c);
}

bool
server_list_add_file(
    struct server_list *list, const char *path, enum choice_origin origin, struct err *err)
{
	struct server_file c;

	if (!server_file_load(&c, path, NULL, err)) {
		server_file_finish(&c);
		return false;
	}
	bool any = c.len > 0;
	take_all(list, &c, origin);
	return any || err_set(err, "%s: contains no server", path);
}

static void
add_found(struct server_list *list, const char *path, enum choice_origin origin)
{
	struct server_file c;
	struct err err;
	bool there;

	if (!path)
		return;
	if (!server_file_load(&c, path, &there, &err))
		*VEC_PUSH(&list->troubles) =
		    (struct server_list_trouble){ mem_strdup(path), mem_strdup(err.text), origin };
	take_all(list, &c, origin);
}

void
server_list_add_own(struct server_list *list)
{
	char *own = user_config_path();

	add_found(list, own, CHOICE_OWN);
	free(own);
}

void
server_list_add_found(struct server_list *list)
{
	add_found(list, ".mcp.json", CHOICE_PROJECT);
	add_found(list, ".vscode/mcp.json", CHOICE_PROJECT);
	server_list_add_own(list);
}

size_t
server_list_find(const struct server_list *list, const char *name)
{
	char *end;

	for (size_t i = 0; i < list->len; i++)
		if (strcmp(list->items[i].target.name, name) == 0)
			return i;
	if (*name < '1' || *name > '9')
		return SIZE_MAX;
	unsigned long n = strtoul(name, &end, 10);
	return *end == '\0' && n <= list->len ? n - 1 : SIZE_MAX;
}
