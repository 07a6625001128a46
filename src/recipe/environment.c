#include "recipe/collection.h"

#include "base/text_match.h"
#include "base/mem.h"
#include "base/secret.h"
#include "base/vec.h"

#include <stdlib.h>
#include <string.h>

/* The variables as an environment has them, and what they stand for. */
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

struct using
{
	const struct environments *all;
	const struct collection_host *host;
	void *user;
	struct environment *out;
};

static void
set_secret(const struct using *u, const char *name, const char *env)
{
	const char *value = u->host->secret(u->user, env);
	struct environment *e = u->out;

	if (!strings_have(&e->secrets, name)) {
		strings_add(&e->secrets, name);
		strings_add(&e->sources, env);
	}
	if (value)
		variables_set_string(&e->variables, name, value);
	else
		strings_take(&e->lacking, mem_printf("%s: %s", name, env));
}

/* member: in place of what another object has for it, NULL: none has. */
static void
set_all(const struct using *u, const cJSON *object, const cJSON *instead)
{
	for (const cJSON *v = json_first(object); v; v = v->next) {
		const char *env = json_get_string(v, "env"); /* of an object: a secret */
		if (json_get(instead, v->string))
			continue;
		if (env)
			set_secret(u, v->string, env);
		else
			variables_set(&u->out->variables, v->string, json_doc_ref(u->all->doc), v);
	}
}

static bool
refuse_name(const struct environments *all, const char *name, struct err *err)
{
	struct did_you_mean meant;
	struct buf names = BUF_INIT;

	did_you_mean_init(&meant, name, strlen(name));
	for (size_t i = 0; i < all->names.len; i++)
		did_you_mean_try(&meant, all->names.items[i]);
	strings_join(&all->names, ", ", &names);
	if (meant.name)
		err_set(err, "there is no environment %.60s; did you mean %s?", name, meant.name);
	else if (names.len > 0)
		err_set(err, "there is no environment %.60s; there %s: %.100s", name,
		    all->names.len == 1 ? "is" : "are", buf_text(&names));
	else
		err_set(err, "there is no environment %.60s, nor any other", name);
	buf_finish(&names);
	return false;
}

bool
environments_use(const struct environments *all, const char *name,
    const struct collection_host *host, void *user, struct environment *out, struct err *err)
{
	const cJSON *root = all->doc ? json_root(all->doc) : NULL, *named = NULL;
	struct using u = { all, host, user, out };

	*out = (struct environment){ 0 };
	if (name && *name && !(named = json_get(json_get(root, "environments"), name)))
		return refuse_name(all, name, err);
	out->name = named ? mem_strdup(name) : NULL;
	set_all(&u, json_get(root, "variables"), named);
	set_all(&u, named, NULL);
	return true;
}

/* ---- what nobody is asked about ---- */

static void
leave_out(struct environment *e, size_t secret)
{
	struct variables *v = &e->variables;

	for (size_t i = v->len; i-- > 0;) {
		if (strcmp(v->items[i].name, e->secrets.items[secret]) != 0)
			continue;
		free(v->items[i].name);
		json_doc_destroy(v->items[i].doc);
		VEC_REMOVE(v, i);
	}
	strings_remove(&e->secrets, secret);
	strings_remove(&e->sources, secret);
}

void
environment_leave_out(struct environment *e, const char *text, size_t len)
{
	for (size_t i = e->secrets.len; i-- > 0;) {
		const char *name = e->secrets.items[i];
		if (memmem(text, len, name, strlen(name)) &&
		    variables_find(&e->variables, name, strlen(name)))
			continue;
		leave_out(e, i);
	}
}

/* ---- filling in ---- */

/* Why a value is not there: the variable of the process that it is in is not set. */
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
