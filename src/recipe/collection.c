/* SPDX-License-Identifier: MIT */
#include "recipe/collection.h"

#include "base/ascii.h"
#include "base/text_match.h"
#include "base/mem.h"
#include "base/secret.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "json/pointer.h"
#include "json/print.h"
#include "json/write.h"

#include <stdlib.h>
#include <string.h>

/* Strict readers of the files of a project. */

/* A strict reader of a small file, which reports the place of an error. */
struct file_reading {
	const char *text;
	size_t len;
	struct json_doc *doc;
	const cJSON *at; /* the node with the error; NULL: the whole file */
	struct err why;
};

/* Return false if the text is not JSON, or has a flaw that other readers interpret differently. */
static bool
reading_begin(struct file_reading *r, const char *text, size_t len)
{
	struct json_error error;

	*r = (struct file_reading){ .text = text, .len = len };
	r->doc = json_parse(text, len, NULL, &error);
	if (!r->doc)
		return err_set(&r->why, "%u:%u: %s", error.line, error.column, error.text);
	const struct json_flaws *flaws = json_flaws(r->doc);
	if (flaws->count > 0)
		return err_set(&r->why, "%u:%u: %s", flaws->items[0].line, flaws->items[0].column,
		    json_flaw_text(flaws->items[0].kind));
	return cJSON_IsObject(json_root(r->doc)) || err_set(&r->why, "1:1: expected an object");
}

/* Set err to "3:7: /arguments: expected an object" and return false. */
static bool
reading_refuse(const struct file_reading *r, struct err *err)
{
	struct json_position place = { 0 };
	struct buf pointer = BUF_INIT;

	if (r->at) {
		json_pointer_of(json_root(r->doc), r->at, &pointer);
		json_positions(r->text, r->len, json_root(r->doc), &r->at, 1, &place);
		err_set(err, "%u:%u: %.80s: %s", place.line, place.column, buf_text(&pointer),
		    r->why.text);
	} else {
		err_set(err, "%s", r->why.text);
	}
	buf_finish(&pointer);
	return false;
}

/* ---- saved calls ---- */

const char *const saved_kind_names[SAVED_KINDS] = { "call", "read", "template", "get" };
/* Members of a recipe with this one step, which are preserved. */
static const char *const others[] = { "$schema", "name", "description", "variables", "environments",
	"expect", "retry", NULL };
enum { FIRST_BEHIND = 5 }; /* "expect" and later members follow the arguments in the file */

void
saved_call_finish(struct saved_call *c)
{
	char *const texts[] = { c->name, c->key, c->server, c->arguments, c->rest, c->trouble };

	for (size_t i = 0; i < ARRAY_LEN(texts); i++)
		free(texts[i]);
	*c = (struct saved_call){ 0 };
}

void
saved_calls_finish(struct saved_calls *s)
{
	for (size_t i = 0; i < s->len; i++)
		saved_call_finish(&s->items[i]);
	free(s->items);
	*s = (struct saved_calls){ 0 };
}

const struct saved_call *
saved_calls_find(const struct saved_calls *s, const char *name)
{
	for (size_t i = 0; i < s->len; i++)
		if (strcmp(s->items[i].name, name) == 0)
			return &s->items[i];
	return NULL;
}

/* Whether a part of a name is safe on all file systems, in lists and in shells. */
static bool
is_part(const char *part, size_t len)
{
	if (len == 0 || len > SAVED_NAME_MAX || *part == '.' || *part == '-' || *part == ' ' ||
	    part[len - 1] == ' ' || utf8_first_invalid(part, len) < len)
		return false;
	for (size_t i = 0; i < len; i++)
		if ((unsigned char)part[i] < ' ' || part[i] == 0x7f ||
		    strchr("\\:*?\"<>|", part[i]))
			return false;
	return true;
}

bool
saved_call_is_name(const char *name, struct err *err)
{
	const char *slash = strchr(name, '/');
	size_t first = slash ? (size_t)(slash - name) : strlen(name);

	if (!is_part(name, first) ||
	    (slash && (strchr(slash + 1, '/') || !is_part(slash + 1, strlen(slash + 1)))))
		return err_set(err,
		    "\"%.60s\" cannot be a name: at most %d bytes, GROUP/NAME at most, no "
		    "\\ : * ? \" < > |, no . or - in front",
		    name, SAVED_NAME_MAX);
	return true;
}

static bool
take_member(
    struct file_reading *r, struct saved_call *c, const cJSON *member, struct json_writer *rest)
{
	const char *key = member->string, *string = cJSON_GetStringValue(member);
	int kind = 0;

	r->at = member;
	while (kind < SAVED_KINDS && strcmp(saved_kind_names[kind], key) != 0)
		kind++;
	if (kind < SAVED_KINDS) {
		if (c->key)
			return err_set(
			    &r->why, "there is \"%s\" already", saved_kind_names[c->kind]);
		if (!string || !*string)
			return err_set(&r->why, "expected a name");
		c->kind = kind;
		c->key = mem_strdup(string);
	} else if (strcmp(key, "arguments") == 0) {
		if (!cJSON_IsObject(member))
			return err_set(&r->why, "expected an object");
		c->arguments = json_text(member);
	} else if (strcmp(key, "server") == 0) {
		if (!string)
			return err_set(&r->why, "expected a string");
		c->server = mem_strdup(string);
	} else if (words_have(others, key)) {
		json_write_member_value(rest, key, member);
	} else {
		struct did_you_mean meant;
		did_you_mean_init(&meant, key, strlen(key));
		for (int i = 0; i < SAVED_KINDS; i++)
			did_you_mean_try(&meant, saved_kind_names[i]);
		for (size_t i = 0; others[i]; i++)
			did_you_mean_try(&meant, others[i]);
		did_you_mean_try(&meant, "arguments");
		did_you_mean_try(&meant, "server");
		return err_set(
		    &r->why, "unknown member \"%.60s\"%s", key, did_you_mean_or(&meant, ""));
	}
	return true;
}

bool
saved_call_parse(struct saved_call *out, const char *text, size_t len, struct err *err)
{
	struct saved_call c = { 0 };
	struct buf rest = BUF_INIT;
	struct json_writer w;
	struct file_reading r;

	json_write_init(&w, &rest);
	json_write_object(&w);
	bool ok = reading_begin(&r, text, len);
	for (const cJSON *m = ok ? json_first(json_root(r.doc)) : NULL; m && ok; m = m->next)
		ok = take_member(&r, &c, m, &w);
	json_write_object_end(&w);
	if (ok && !c.key) {
		r.at = NULL;
		ok = err_set(&r.why, "\"call\", \"get\", \"read\" or \"template\" is missing");
	}
	c.rest = buf_detach(&rest);
	if (!c.arguments)
		c.arguments = mem_strdup("{}");
	if (ok) {
		*out = c;
	} else {
		reading_refuse(&r, err);
		saved_call_finish(&c);
	}
	json_doc_destroy(r.doc);
	return ok;
}

void
saved_call_add(const struct saved_call *c, struct buf *out)
{
	struct buf line = BUF_INIT;
	struct json_writer w;
	struct json_doc *rest = c->rest ? json_parse(c->rest, strlen(c->rest), NULL, NULL) : NULL;

	json_write_init(&w, &line);
	json_write_object(&w);
	for (size_t i = 0; others[i]; i++) {
		const cJSON *other = rest ? json_get(json_root(rest), others[i]) : NULL;
		if (i == FIRST_BEHIND) {
			json_write_member_string(&w, saved_kind_names[c->kind], c->key);
			if (c->server)
				json_write_member_string(&w, "server", c->server);
			json_write_member_json(&w, "arguments", c->arguments);
		}
		if (other)
			json_write_member_value(&w, others[i], other);
	}
	json_write_object_end(&w);
	struct json_doc *doc = json_parse(buf_text(&line), line.len, NULL, NULL);
	if (doc)
		json_print_pretty(out, json_root(doc), 2);
	buf_add_char(out, '\n');
	json_doc_destroy(doc);
	json_doc_destroy(rest);
	buf_finish(&line);
}

/* ---- environments ---- */

/*
 * { "variables": { "base": "http://localhost", "limit": 20 },
 *   "environments": { "staging": { "base": "https://staging.example.com",
 *                                  "token": { "env": "STAGING_TOKEN" } } } }
 * The variables are the defaults of all environments. The file has the names of secrets, never the
 * values.
 */
#define ENVIRONMENTS_MAX 200
#define VARIABLES_MAX 1000

void
environments_finish(struct environments *e)
{
	json_doc_destroy(e->doc);
	strings_finish(&e->names);
	*e = (struct environments){ 0 };
}

static bool
check_variables(struct file_reading *r, const cJSON *object)
{
	r->at = object;
	if (!cJSON_IsObject(object))
		return err_set(&r->why, "expected an object");
	if (json_count(object) > VARIABLES_MAX)
		return err_set(&r->why, "more than %d variables", VARIABLES_MAX);
	for (const cJSON *v = json_first(object); v; v = v->next) {
		const char *string = cJSON_GetStringValue(v), *env = json_get_string(v, "env");
		r->at = v;
		if (!variables_check_name(v->string, &r->why))
			return false;
		if (cJSON_IsObject(v) && json_count(v) == 1 && env && *env && strlen(env) <= 200 &&
		    !ascii_is_digit(*env) && !env[strspn(env, ASCII_ALNUM "_")])
			continue;
		if (cJSON_IsObject(v))
			return err_set(&r->why,
			    "an object can only be { \"env\": \"NAME\" }, a variable of the "
			    "environment");
		if (secret_is_named(v->string, strlen(v->string)) &&
		    (cJSON_IsNumber(v) || json_first(v) || (string && *string)))
			return err_set(&r->why,
			    "by its name it is a secret, which does not belong into this file: "
			    "write { \"env\": \"NAME\" }, the variable of the environment that "
			    "has it");
	}
	return true;
}

static bool
take_environments(struct file_reading *r, const cJSON *object, struct strings *names)
{
	r->at = object;
	if (!cJSON_IsObject(object))
		return err_set(&r->why, "expected an object");
	if (json_count(object) > ENVIRONMENTS_MAX)
		return err_set(&r->why, "more than %d environments", ENVIRONMENTS_MAX);
	for (const cJSON *m = json_first(object); m; m = m->next) {
		r->at = m;
		if (!*m->string || strlen(m->string) > VARIABLE_NAME_MAX ||
		    strpbrk(m->string, " /\"'") || *m->string == '-')
			return err_set(&r->why,
			    "that cannot be a name: no blank, / or quote, no - in front, at most "
			    "%d bytes",
			    VARIABLE_NAME_MAX);
		if (!check_variables(r, m))
			return false;
		strings_add(names, m->string);
	}
	return true;
}

bool
environments_parse(struct environments *out, const char *text, size_t len, struct err *err)
{
	struct file_reading r;

	*out = (struct environments){ 0 };
	bool ok = reading_begin(&r, text, len);
	for (const cJSON *m = ok ? json_first(json_root(r.doc)) : NULL; m && ok; m = m->next) {
		r.at = m;
		if (strcmp(m->string, "variables") == 0)
			ok = check_variables(&r, m);
		else if (strcmp(m->string, "environments") == 0)
			ok = take_environments(&r, m, &out->names);
		else
			ok = err_set(&r.why,
			    "unknown member: only \"variables\" and \"environments\" are known");
	}
	out->doc = r.doc;
	if (!ok) {
		reading_refuse(&r, err);
		environments_finish(out);
	}
	return ok;
}

/* The variables of an environment, and their values. */
#define ENVIRONMENT_FILLED_MAX ((size_t)64 << 20)

void
environment_finish(struct environment *e)
{
	free(e->name);
	variables_finish(&e->variables);
	strings_finish(&e->secrets);
	strings_finish(&e->sources);
	strings_finish(&e->lacking);
	*e = (struct environment){ 0 };
}

/* Set the members of object, except those that instead has; instead may be NULL. */
static void
set_all(struct environment *e, struct json_doc *doc, const cJSON *object, const cJSON *instead,
    const struct collection_host *host, void *user)
{
	for (const cJSON *v = json_first(object); v; v = v->next) {
		const char *env = json_get_string(v, "env"); /* of an object: a secret */
		if (json_get(instead, v->string))
			continue;
		if (env) {
			const char *value = host->secret(user, env);
			if (!strings_have(&e->secrets, v->string)) {
				strings_add(&e->secrets, v->string);
				strings_add(&e->sources, env);
			}
			if (value)
				variables_set_string(&e->variables, v->string, value);
			else
				strings_take(&e->lacking, mem_printf("%s: %s", v->string, env));
		} else
			variables_set(&e->variables, v->string, json_doc_ref(doc), v);
	}
}

bool
environments_use(const struct environments *all, const char *name,
    const struct collection_host *host, void *user, struct environment *out, struct err *err)
{
	const cJSON *root = all->doc ? json_root(all->doc) : NULL, *named = NULL;
	struct did_you_mean meant;
	struct buf names = BUF_INIT;

	*out = (struct environment){ 0 };
	if (name && *name && !(named = json_get(json_get(root, "environments"), name))) {
		did_you_mean_init(&meant, name, strlen(name));
		for (size_t i = 0; i < all->names.len; i++)
			did_you_mean_try(&meant, all->names.items[i]);
		strings_join(&all->names, ", ", &names);
		if (names.len > 0 && !meant.name)
			err_set(err, "there is no environment %.60s; there %s: %.100s", name,
			    all->names.len == 1 ? "is" : "are", buf_text(&names));
		else
			err_set(err, "there is no environment %.60s%s", name,
			    did_you_mean_or(&meant, ", nor any other"));
		buf_finish(&names);
		return false;
	}
	out->name = named ? mem_strdup(name) : NULL;
	set_all(out, all->doc, json_get(root, "variables"), named, host, user);
	set_all(out, all->doc, named, NULL, host, user);
	return true;
}

/* ---- secrets that need no consent ---- */

void
environment_leave_out(struct environment *e, const char *text, size_t len)
{
	struct variables *v = &e->variables;

	for (size_t i = e->secrets.len; i-- > 0;) {
		const char *name = e->secrets.items[i];
		const struct variable *found = variables_find(v, name, strlen(name));
		if (found && memmem(text, len, name, strlen(name)))
			continue;
		if (found) {
			free(found->name);
			json_doc_destroy(found->doc);
			VEC_REMOVE(v, (size_t)(found - v->items));
		}
		strings_remove(&e->secrets, i);
		strings_remove(&e->sources, i);
	}
}

/* ---- references ---- */

/* Set err if the variable of the process with this value is not set. */
static bool
explain(void *user, const char *name, size_t len, struct err *err)
{
	const struct environment *e = user;

	for (size_t i = 0; i < e->lacking.len; i++) {
		const char *lacking = e->lacking.items[i];
		if (strcspn(lacking, ":") == len && memcmp(lacking, name, len) == 0)
			return err_set(err,
			    "${%.*s} needs %.80s, which is not set in the environment, has fewer "
			    "than %d bytes, or brings all secrets to over %zu KiB",
			    (int)len, lacking, lacking + len + 2, SECRET_VALUE_MIN,
			    SECRET_VALUES_MAX >> 10);
	}
	return true;
}

bool
environment_fill(
    const struct environment *e, const char *json, size_t len, struct buf *out, struct err *err)
{
	struct json_doc *doc =
	    memmem(json, len, "${", 2) ? json_parse(json, len, NULL, NULL) : NULL;
	struct variables_walk walk = { .each = explain, .user = (void *)e };
	struct buf filled = { .max = ENVIRONMENT_FILLED_MAX };

	if (!doc) {
		buf_add(out, json, len);
		return true;
	}
	bool ok = variables_fill(&e->variables, json_root(doc), &filled, err);
	if (ok)
		buf_add(out, buf_text(&filled), filled.len);
	else
		variables_walk(&walk, json_root(doc), err);
	buf_finish(&filled);
	json_doc_destroy(doc);
	return ok;
}

struct looking {
	const struct environment *environment;
	const char *found;
};

static bool
look(void *user, const char *name, size_t len, struct err *err)
{
	struct looking *l = user;

	for (size_t i = 0; i < l->environment->secrets.len && !l->found; i++) {
		const char *secret = l->environment->secrets.items[i];
		if (strlen(secret) == len && memcmp(secret, name, len) == 0)
			l->found = secret;
	}
	return !l->found;
}

const char *
environment_secret_in(const struct environment *e, const char *json, size_t len)
{
	struct json_doc *doc =
	    memmem(json, len, "${", 2) ? json_parse(json, len, NULL, NULL) : NULL;
	struct looking l = { e, NULL };
	struct variables_walk walk = { .each = look, .user = &l };

	if (doc)
		variables_walk(&walk, json_root(doc), NULL);
	json_doc_destroy(doc);
	return l.found;
}
