/* SPDX-License-Identifier: MIT */
#include "auth/metadata.h"

#include "base/mem.h"
#include "json/doc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Inserted before the path: origin, well-known part, path. */
static void
add_inserted(
    struct strings *out, const struct auth_url *u, const char *well_known, const char *path)
{
	struct buf url = BUF_INIT;

	auth_url_add_origin(u, &url);
	buf_addf(&url, "/.well-known/%s%s", well_known, path);
	if (u->query && path[0])
		buf_addf(&url, "?%s", u->query);
	if (strings_have(out, buf_text(&url)))
		buf_finish(&url);
	else
		strings_take(out, buf_detach(&url));
}

/* Without a '/' at the end. */
static char *
bare_path(const struct auth_url *u)
{
	size_t len = strlen(u->path);

	while (len > 0 && u->path[len - 1] == '/')
		len--;
	return mem_strndup(u->path, len);
}

void
auth_resource_urls(const char *server_url, const char *given, struct strings *out)
{
	struct auth_url u;

	if (given)
		strings_add(out, given);
	if (!auth_url_parse(&u, server_url, NULL))
		return;
	char *path = bare_path(&u);
	add_inserted(out, &u, "oauth-protected-resource", path);
	add_inserted(out, &u, "oauth-protected-resource", "");
	free(path);
	auth_url_finish(&u);
}

void
auth_server_urls(const char *issuer, struct strings *out)
{
	struct auth_url u;

	if (!auth_url_parse(&u, issuer, NULL))
		return;
	char *path = bare_path(&u);
	add_inserted(out, &u, "oauth-authorization-server", path);
	add_inserted(out, &u, "openid-configuration", path);
	if (path[0]) {
		struct buf url = BUF_INIT;
		auth_url_add_origin(&u, &url);
		buf_addf(&url, "%s/.well-known/openid-configuration", path);
		strings_take(out, buf_detach(&url));
	}
	free(path);
	auth_url_finish(&u);
}

const char *const auth_method_names[AUTH_METHOD_COUNT] = {
	[AUTH_METHOD_NONE] = "none",
	[AUTH_METHOD_BASIC] = "client_secret_basic",
	[AUTH_METHOD_POST] = "client_secret_post",
	[AUTH_METHOD_PRIVATE_KEY] = "private_key_jwt",
};

enum auth_method
auth_method_find(const char *name)
{
	for (int i = 0; i < AUTH_METHOD_COUNT; i++)
		if (strcmp(name, auth_method_names[i]) == 0)
			return (enum auth_method)i;
	return AUTH_METHOD_COUNT;
}

static struct json_doc *
parse_object(const char *json, size_t len, struct err *err)
{
	struct json_options options = { .max_depth = 64 };
	struct json_error error;
	struct json_doc *doc = json_parse(json, len, &options, &error);

	if (!doc)
		err_set(err, "not JSON: line %u: %s", error.line, error.text);
	if (doc && !cJSON_IsObject(json_root(doc))) {
		err_set(err, "not a JSON object");
		json_doc_destroy(doc);
		doc = NULL;
	}
	return doc;
}

/* The strings of an array; false: not an array. */
static bool
take_list(const cJSON *root, const char *key, size_t max, struct strings *out)
{
	const cJSON *list = json_get(root, key);

	for (const cJSON *i = json_first(list); i && out->len < max; i = i->next)
		if (cJSON_GetStringValue(i))
			strings_add(out, cJSON_GetStringValue(i));
	return json_type(list) == JSON_ARRAY;
}

/* ---- the protected resource ---- */

void
auth_resource_finish(struct auth_resource *r)
{
	free(r->resource);
	strings_finish(&r->servers);
	strings_finish(&r->scopes);
	*r = (struct auth_resource){ 0 };
}

static bool
take_servers(struct auth_resource *r, const cJSON *root, enum auth_host near, struct err *err)
{
	struct strings named = { 0 };
	struct err why = { "" };
	char first[128];

	take_list(root, "authorization_servers", AUTH_MAX_URLS, &named);
	for (size_t i = 0; i < named.len; i++)
		if (auth_url_may_fetch(named.items[i], near, &why))
			strings_add(&r->servers, named.items[i]);
	enum json_type named_type = json_type(json_get(root, "authorization_servers"));
	bool any = named.len > 0;
	snprintf(first, sizeof(first), "%s", any ? named.items[0] : "");
	strings_finish(&named);
	if (r->servers.len > 0)
		return true;
	if (!any)
		return err_set(err,
		    named_type != JSON_ABSENT && named_type != JSON_ARRAY
			? "its authorization_servers is not an array of URLs (RFC 9728, 2)"
			: "it names no authorization_servers (MCP authorization, server location)");
	return err_set(
	    err, "its authorization server %.120s must not be used: %s", first, why.text);
}

bool
auth_resource_parse(struct auth_resource *r, const char *json, size_t len, const char *server_url,
    enum auth_host near, struct err *err)
{
	struct json_doc *doc = parse_object(json, len, err);
	const cJSON *root = doc ? json_root(doc) : NULL;
	const char *resource = json_get_string(root, "resource");
	bool ok = false;

	*r = (struct auth_resource){ 0 };
	if (!doc)
		return false;
	if (!resource) {
		err_set(err, "it has no `resource` (RFC 9728, 2)");
	} else if (!auth_resource_covers(resource, server_url)) {
		err_set(err, "it is for another resource: %.90s, not %.90s (RFC 9728, 3.3)",
		    resource, server_url);
	} else {
		r->resource = mem_strdup(resource);
		r->has_scopes = take_list(root, "scopes_supported", AUTH_MAX_SCOPES, &r->scopes);
		ok = take_servers(r, root, near, err);
	}
	json_doc_destroy(doc);
	if (!ok)
		auth_resource_finish(r);
	return ok;
}

/* ---- the authorization server ---- */

void
auth_server_finish(struct auth_server *s)
{
	free(s->issuer);
	free(s->authorization_endpoint);
	free(s->token_endpoint);
	free(s->registration_endpoint);
	free(s->revocation_endpoint);
	strings_finish(&s->scopes);
	*s = (struct auth_server){ 0 };
}

static bool
take_endpoint(char **out, const cJSON *root, const char *key, enum auth_host near, struct err *err)
{
	const char *url = json_get_string(root, key);
	struct err why = { "" };

	if (!url)
		return true;
	if (!auth_url_may_fetch(url, near, &why))
		return err_set(err, "its %s must not be used: %.120s: %s", key, url, why.text);
	*out = mem_strdup(url);
	return true;
}

static bool
take_server(struct auth_server *s, const cJSON *root, enum auth_host near, struct err *err)
{
	struct strings challenges = { 0 };

	if (!take_endpoint(&s->authorization_endpoint, root, "authorization_endpoint", near, err) ||
	    !take_endpoint(&s->token_endpoint, root, "token_endpoint", near, err) ||
	    !take_endpoint(&s->registration_endpoint, root, "registration_endpoint", near, err))
		return false;
	take_endpoint(&s->revocation_endpoint, root, "revocation_endpoint", near, NULL);
	if (!s->token_endpoint)
		return err_set(err, "it has no token_endpoint (RFC 8414, 2)");
	s->has_scopes = take_list(root, "scopes_supported", AUTH_MAX_SCOPES, &s->scopes);
	struct strings names = { 0 };
	s->has_methods = take_list(root, "token_endpoint_auth_methods_supported", 64, &names);
	for (size_t i = 0; i < names.len; i++) {
		enum auth_method method = auth_method_find(names.items[i]);
		if (method < AUTH_METHOD_COUNT)
			s->methods[method] = true;
	}
	strings_finish(&names);
	if (!s->has_methods)
		s->methods[AUTH_METHOD_BASIC] = true;
	s->has_challenges = take_list(root, "code_challenge_methods_supported", 16, &challenges);
	s->s256 = strings_have(&challenges, "S256");
	strings_finish(&challenges);
	s->cimd = cJSON_IsTrue(json_get(root, "client_id_metadata_document_supported"));
	s->sends_iss =
	    cJSON_IsTrue(json_get(root, "authorization_response_iss_parameter_supported"));
	return true;
}

static bool
differ_by_slash(const char *issuer, const char *wanted)
{
	size_t len = strlen(issuer), wanted_len = strlen(wanted);
	bool slash = (len == wanted_len + 1 && issuer[wanted_len] == '/') ||
		     (wanted_len == len + 1 && wanted[len] == '/');

	return slash && strncmp(issuer, wanted, len < wanted_len ? len : wanted_len) == 0;
}

char *
auth_server_slash_issuer(const char *json, size_t len, const char *issuer)
{
	struct json_doc *doc = parse_object(json, len, NULL);
	const char *own = doc ? json_get_string(json_root(doc), "issuer") : NULL;
	char *found = own && differ_by_slash(own, issuer) ? mem_strdup(own) : NULL;

	json_doc_destroy(doc);
	return found;
}

bool
auth_server_parse(struct auth_server *s, const char *json, size_t len, const char *issuer,
    enum auth_host near, struct err *err)
{
	struct json_doc *doc = parse_object(json, len, err);

	*s = (struct auth_server){ 0 };
	if (!doc)
		return false;
	const cJSON *root = json_root(doc);
	const char *own = json_get_string(root, "issuer");
	bool ok = false;
	if (!own)
		err_set(err, "it has no `issuer` (RFC 8414, 2)");
	else if (strcmp(own, issuer) != 0)
		err_set(err, "its issuer is %.80s, not %.80s%s (RFC 8414, 3.3)", own, issuer,
		    differ_by_slash(own, issuer) ? ": they differ by the `/` at the end" : "");
	else
		ok = take_server(s, root, near, err);
	s->issuer = mem_strdup(issuer);
	json_doc_destroy(doc);
	if (!ok)
		auth_server_finish(s);
	return ok;
}
