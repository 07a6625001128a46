#include "demo_priv.h"

#include <string.h>

static const char *const roles[] = { "admin", "editor", "viewer", NULL };

static const struct {
	int id;
	const char *name;
	size_t role;
} users[] = {
	{ 1, "Alice", 0 },
	{ 2, "Bob", 1 },
	{ 3, "Charlie", 2 },
};

#define USER_COUNT (sizeof(users) / sizeof(*users))
#define ANY_ROLE (sizeof(roles) / sizeof(*roles))

static const char users_input[] = JSON_TEXT({"type":"object","properties":{
	"role":{"type":"string","enum":["admin","editor","viewer"],
		"description":"Only users with this role"},
	"limit":{"type":"integer","minimum":1,"maximum":500,"default":50,
		"description":"How many users at most"}}});

struct selection {
	size_t index[USER_COUNT];
	size_t shown, total;
};

static bool
select_users(struct demo_call *call, struct selection *s)
{
	size_t role = ANY_ROLE, limit = 50;

	*s = (struct selection){ 0 };
	if (!demo_arg_choice(call, "role", roles, &role) ||
	    !demo_arg_size(call, "limit", 1, 500, &limit))
		return false;
	for (size_t i = 0; i < USER_COUNT; i++) {
		if (role != ANY_ROLE && users[i].role != role)
			continue;
		if (s->total++ < limit)
			s->index[s->shown++] = i;
	}
	return true;
}

static void
list_users(struct demo_call *call)
{
	struct json_writer *w = &call->w;
	struct selection s;

	if (!select_users(call, &s))
		return;
	demo_result(call);
	demo_text(call, "Found %zu user%s", s.total, s.total == 1 ? "" : "s");
	json_write_key(w, "structuredContent");
	json_write_object(w);
	json_write_key(w, "users");
	json_write_array(w);
	for (size_t i = 0; i < s.shown; i++) {
		json_write_object(w);
		json_write_member_int(w, "id", users[s.index[i]].id);
		json_write_member_string(w, "name", users[s.index[i]].name);
		json_write_member_string(w, "role", roles[users[s.index[i]].role]);
		json_write_object_end(w);
	}
	json_write_array_end(w);
	json_write_member_int(w, "total", (int64_t)s.total);
	json_write_object_end(w);
	demo_end(call);
}

static void
list_users_before(struct demo_call *call)
{
	struct buf text = BUF_INIT;
	struct selection s;

	if (!select_users(call, &s))
		return;
	buf_addf(&text, "Found %zu user%s:", s.total, s.total == 1 ? "" : "s");
	for (size_t i = 0; i < s.shown; i++)
		buf_addf(&text, "\n- %s (id %d, %s)", users[s.index[i]].name, users[s.index[i]].id,
		    roles[users[s.index[i]].role]);
	demo_result(call);
	demo_text(call, "%s", buf_text(&text));
	demo_end(call);
	buf_finish(&text);
}

static const char list_users_output[] = JSON_TEXT({"type":"object","properties":{
	"users":{"type":"array","items":{"type":"object","properties":{
		"id":{"type":"integer"},
		"name":{"type":"string"},
		"role":{"type":"string","enum":["admin","editor","viewer"]}},
		"required":["id","name","role"]}},
	"total":{"type":"integer","minimum":0,"description":"Users before limit was applied"}},
	"required":["users","total"]});

const struct demo_tool demo_tool_list_users = {
	.name = "list_users",
	.title = "List users",
	.description =
	    "Returns a list of users in the system. The content is one line for a model; "
	    "the rows come as structuredContent, checked against outputSchema.",
	.annotations = DEMO_READ_ONLY,
	.input_schema = users_input,
	.output_schema = list_users_output,
	.run = list_users,
};

const struct demo_tool demo_tool_list_users_before = {
	.name = "list_users_before",
	.title = "List users, the old way",
	.description = "The same users as one block of text, no data, no outputSchema. All that a "
		       "program can do here is parse prose: compare with list_users.",
	.annotations = DEMO_READ_ONLY,
	.input_schema = users_input,
	.run = list_users_before,
};
