#include "base/clock.h"
#include "base/text_match.h"
#include "base/path.h"
#include "cli/print/print.h"
#include "client.h"
#include "host/project.h"
#include "form/form.h"
#include "mcp/primitive.h"

#include <string.h>

/* The call that a command line describes. */

#define ARGUMENTS_MAX_BYTES ((size_t)64 << 20)

static bool
read_text(const char *text, struct buf *given, struct err *err)
{
	if (text[0] != '@') {
		buf_add_str(given, text);
		return true;
	}
	buf_init(given, ARGUMENTS_MAX_BYTES);
	return path_read_file(text + 1, given, err);
}

static bool
read_given(const struct options *o, struct buf *given, struct err *err)
{
	struct json_error error;

	if (!read_text(o->args_json, given, err))
		return false;
	struct json_doc *doc = json_parse(buf_text(given), given->len, NULL, &error);
	bool is_object = doc && json_type(json_root(doc)) == JSON_OBJECT;
	json_doc_destroy(doc);
	if (!doc)
		return err_set(
		    err, "--args: not JSON, %u:%u: %s", error.line, error.column, error.text);
	if (o->arguments.len > 0 && !is_object)
		return err_set(err, "--args: %s cannot be set: the value is not an object",
		    o->arguments.items[0].path);
	return true;
}

static bool
say_not_saved(const struct saved_calls *all, const char *name, struct err *err)
{
	struct did_you_mean meant;

	did_you_mean_init(&meant, name, strlen(name));
	for (size_t i = 0; i < all->len; i++)
		did_you_mean_try(&meant, all->items[i].name);
	if (meant.name)
		return err_set(
		    err, "no call is saved as %.80s; did you mean %.80s?", name, meant.name);
	return err_set(err, "no call is saved as %.80s: `mcpane saved` lists those that are", name);
}

static bool
take_saved(struct call_source *s, const struct options *o, struct err *err)
{
	struct saved_calls all;

	bool ok = project_host.calls(NULL, &all, err);
	struct saved_call *found =
	    ok ? (struct saved_call *)saved_calls_find(&all, o->saved) : NULL;
	if (ok && !found)
		ok = say_not_saved(&all, o->saved, err);
	else if (ok && found->trouble)
		ok = err_set(err, "%s.json: %s", found->name, found->trouble);
	else if (ok && found->kind != (int)o->kind &&
		 !(found->kind == PRIMITIVE_TEMPLATE && o->kind == PRIMITIVE_RESOURCE))
		ok = err_set(err, "--saved: %.80s is of the %s %.80s, not of a %s", o->saved,
		    primitive_kinds[(enum primitive_kind)found->kind].name, found->key,
		    primitive_kinds[o->kind].name);
	if (ok) {
		s->saved = *found;
		*found = (struct saved_call){ 0 };
		s->name = s->saved.key;
		s->kind = (enum primitive_kind)s->saved.kind;
		buf_add_str(&s->given, s->saved.arguments);
	}
	saved_calls_finish(&all);
	return ok;
}

static bool
read_variables(struct call_source *s, const struct options *o, struct err *err)
{
	struct environments all;

	bool ok = project_host.environments(NULL, &all, err) &&
		  project_environment(&all, o->environment, &o->variables, &s->environment, err);
	environments_finish(&all);
	return ok;
}

/* A value may come from a file that is read later. */
static void
leave_out(struct call_source *s, const struct options *o)
{
	struct buf text = BUF_INIT;
	bool unknown = false;

	buf_add(&text, buf_text(&s->given), s->given.len);
	for (size_t i = 0; i < o->arguments.len; i++) {
		buf_addf(&text, " %s", o->arguments.items[i].text);
		unknown = unknown || o->arguments.items[i].text[0] == '@';
	}
	if (!unknown)
		environment_leave_out(&s->environment, buf_text(&text), text.len);
	buf_finish(&text);
}

bool
call_source_read(struct call_source *s, const struct options *o, struct err *err)
{
	*s = (struct call_source){ .given = BUF_INIT,
		.name = o->kind == PRIMITIVE_RESOURCE ? o->uri : o->tool,
		.kind = o->kind };
	if (o->saved && o->args_json)
		return err_set(err, "--saved has the arguments: --args does not go with it");
	s->fills = o->saved || o->environment || o->variables.len > 0;
	if (s->fills && !read_variables(s, o, err))
		return false;
	if (o->saved && !take_saved(s, o, err))
		return false;
	if (o->args_json && !read_given(o, &s->given, err))
		return false;
	leave_out(s, o);
	return true;
}

void
call_source_finish(struct call_source *s)
{
	buf_finish(&s->given);
	saved_call_finish(&s->saved);
	environment_finish(&s->environment);
}

/* The declared property whose name is most like that of a field. */
static const char *
declared_name_like(const struct field_view *v)
{
	struct did_you_mean meant;

	did_you_mean_init(&meant, v->name, strlen(v->name));
	for (size_t i = 0; i < field_view(v->parent).child_count; i++) {
		struct field_view sibling = field_view(field_child(v->parent, i));
		if (!sibling.extra && !sibling.entry)
			did_you_mean_try(&meant, sibling.name);
	}
	return meant.name;
}

/* Arguments that the schema does not declare are sent all the same: they may be the test. */
static void
say_undeclared(struct form *form, const struct options *o, const struct primitive *primitive)
{
	bool is_tool = primitive->kind == PRIMITIVE_TOOL;

	form_check(form);
	for (size_t i = 0; i < o->arguments.len; i++) {
		const char *path = o->arguments.items[i].path;
		const struct field *field = form_find(form, path);
		struct field_view v = field ? field_view(field) : (struct field_view){ 0 };
		const char *meant = v.extra || v.entry ? declared_name_like(&v) : NULL;
		if (v.extra && v.problem && is_tool)
			say("warning: %s violates the inputSchema of %s: %s", path, primitive->name,
			    v.problem);
		else if (v.extra || meant)
			say("%s is not in the %s of %s%s%s%s", path,
			    is_tool ? "inputSchema" : "list of arguments", primitive->name,
			    meant ? "; did you mean " : "", meant ? meant : "", meant ? "?" : "");
	}
}

/* The bytes to send: --args unchanged, or --args with every NAME=VALUE and NAME:=JSON applied. */
static bool
arguments_build(const struct options *o, const struct buf *given, const struct primitive *primitive,
    struct buf *out, struct err *err)
{
	if (o->arguments.len == 0 && given->len > 0) { /* unchanged */
		buf_add_str(out, buf_text(given));
		return true;
	}
	struct json_doc *schema = primitive_make_schema(primitive);
	struct form *form =
	    schema ? form_create(schema, json_root(schema), FORM_DEFAULTS_SHOWN)
		   : form_create(primitive->doc, primitive->input_schema, FORM_DEFAULTS_SHOWN);
	const char *base = given->len > 0 ? buf_text(given) : "{}";
	form_load_json(form, base, strlen(base), NULL);
	bool ok = client_set_arguments(form, o, err);
	if (ok && given->len == 0)
		form_fill_required(form);
	if (ok) {
		form_to_json(form, out);
		say_undeclared(form, o, primitive);
	}
	form_destroy(form);
	json_doc_destroy(schema);
	return ok;
}

#define NAMES_MAX 200 /* bytes of tool names listed in an error */

static int
say_unknown(struct client *client, const struct lister *lister, const char *name)
{
	const struct primitive_list *list = &lister->list;
	struct buf names = BUF_INIT;
	struct did_you_mean meant;

	did_you_mean_init(&meant, name, strlen(name));
	for (size_t i = 0; i < list->len; i++)
		did_you_mean_try(&meant, list->items[i].name);
	if (meant.name) {
		client_fail(client, "there is no %s %s; did you mean %s?",
		    primitive_kinds[lister->kind].name, name, meant.name);
		return CLI_EXIT_TOOL_ERROR;
	}
	for (size_t i = 0; i < list->len && names.len < NAMES_MAX; i++)
		buf_addf(&names, "%s%s", i ? ", " : "", list->items[i].name);
	client_fail(client, "there is no %s %s; there %s: %s%s", primitive_kinds[lister->kind].name,
	    name, list->len == 1 ? "is" : "are", list->len ? buf_text(&names) : "none",
	    names.len < NAMES_MAX ? "" : "...");
	buf_finish(&names);
	return CLI_EXIT_TOOL_ERROR;
}

/* The same with the values of the variables. */
static bool
arguments_fill(const struct call_source *s, struct buf *arguments, struct err *err)
{
	struct buf filled = BUF_INIT;

	if (!s->fills)
		return true;
	bool ok =
	    environment_fill(&s->environment, buf_text(arguments), arguments->len, &filled, err);
	buf_finish(arguments);
	*arguments = filled;
	return ok;
}

/* Sends the request. Returns 0, or the exit code after reporting the failure. */
static int
send_call(struct client *client, const struct options *o, const struct call_source *source,
    const struct primitive *primitive, uint64_t *call)
{
	struct server *s = client_server(client);
	struct buf arguments = BUF_INIT;
	struct err err = { "" };
	int code = 0;

	if (!arguments_build(o, &source->given, primitive, &arguments, &err) ||
	    !arguments_fill(source, &arguments, &err)) {
		client_fail(client, "%s", err.text);
		code = CLI_EXIT_USAGE;
	} else if (!(*call = server_ask(s, primitive, buf_text(&arguments), arguments.len,
			 clock_now_us(), &err))) {
		client_fail(client, "%s: %s", server_info(s)->label,
		    *server_info(s)->trouble ? server_info(s)->trouble : err.text);
		code = CLI_EXIT_UNREACHABLE;
	}
	buf_finish(&arguments);
	return code;
}

/* A resource can be read without being listed. */
static int
send_read(struct client *client, const struct options *o, const struct call_source *source,
    uint64_t *call)
{
	struct primitive resource = {
		.kind = PRIMITIVE_RESOURCE,
		.name = source->name,
		.key = source->name,
		.has_key = true,
	};

	return send_call(client, o, source, &resource, call);
}

static int
send_named(struct client *client, const struct options *o, const struct call_source *source,
    uint64_t *call)
{
	const struct lister *lister = &server_info(client_server(client))->lists[source->kind];
	const struct primitive *primitive = primitive_list_find(&lister->list, source->name, 0);

	if (!primitive)
		return say_unknown(client, lister, source->name);
	if (primitive->unusable) {
		client_fail(client, "%s: %s", primitive->name, primitive->problem);
		return CLI_EXIT_TOOL_ERROR;
	}
	return send_call(client, o, source, primitive, call);
}

int
client_send_call(struct client *client, const struct options *o, const struct call_source *source,
    uint64_t *call)
{
	if (!client_set_meta(client, o))
		return CLI_EXIT_USAGE;
	int code =
	    (source->kind == PRIMITIVE_RESOURCE ? send_read : send_named)(client, o, source, call);
	if (code)
		return code;
	client_say_trace(client, o);
	connection_touch(client->connection);
	return 0;
}

int
client_call_code(const struct client *client, const struct call *c)
{
	if (call_is_error(c))
		return client_failure(client, call_is_answered(c));
	if (c->verdict.kind == VERDICT_INVALID || c->verdict.kind == VERDICT_MISSING)
		return CLI_EXIT_BROKEN_RESULT;
	return CLI_EXIT_OK;
}
