/* SPDX-License-Identifier: MIT */
#include "recipe/variables.h"

#include "base/ascii.h"
#include "base/text_match.h"
#include "base/mem.h"
#include "base/secret.h"
#include "base/strings.h"
#include "base/vec.h"
#include "json/pointer.h"
#include "json/print.h"
#include "json/write.h"

#include <stdlib.h>
#include <string.h>

void
variables_finish(struct variables *v)
{
	for (size_t i = 0; i < v->len; i++) {
		free(v->items[i].name);
		json_doc_destroy(v->items[i].doc);
	}
	free(v->items);
	*v = (struct variables){ 0 };
}

const struct variable *
variables_find(const struct variables *v, const char *name, size_t len)
{
	for (size_t i = 0; i < v->len; i++)
		if (strncmp(v->items[i].name, name, len) == 0 && v->items[i].name[len] == '\0')
			return &v->items[i];
	return NULL;
}

void
variables_set(struct variables *v, const char *name, struct json_doc *doc, const cJSON *value)
{
	struct variable *known = (struct variable *)variables_find(v, name, strlen(name));

	if (known) {
		json_doc_destroy(known->doc);
	} else {
		known = VEC_PUSH(v);
		known->name = mem_strdup(name);
	}
	known->doc = doc;
	known->value = value;
	json_note_secrets(value, name, NULL);
}

/* ---- secrets in files ---- */

void
secret_names_finish(struct secret_names *n)
{
	for (size_t i = 0; i < n->len; i++) {
		free(n->items[i].name);
		free(n->items[i].wish);
		free(n->items[i].value);
	}
	free(n->items);
	*n = (struct secret_names){ 0 };
}

const char *
secret_names_take(struct secret_names *n, const char *wish, const char *value)
{
	size_t nth = 1;

	for (size_t i = 0; i < n->len; i++)
		if (strcmp(n->items[i].wish, wish) == 0) {
			if (strcmp(n->items[i].value, value) == 0)
				return n->items[i].name;
			nth++;
		}
	struct secret_name *new = VEC_PUSH(n);
	new->name = nth == 1 ? mem_strdup(wish) : mem_printf("%s_%zu", wish, nth);
	new->wish = mem_strdup(wish);
	new->value = mem_strdup(value);
	return new->name;
}

bool
variables_add_without_secrets(struct secret_names *n, const char *text, bool plain, struct buf *out)
{
	struct buf kept = BUF_INIT;
	bool has = secret_hide_text(&kept, text, strlen(text));
	const char *at = buf_text(&kept);

	for (;;) {
		const char *mark = has ? strstr(at, SECRET_HIDDEN) : NULL;
		struct buf part = BUF_INIT;
		buf_add(&part, at, mark ? (size_t)(mark - at) : strlen(at));
		if (plain)
			buf_replace(&part, "${", "$${");
		buf_add(out, buf_text(&part), part.len);
		buf_finish(&part);
		if (!mark)
			break;
		/* The text after a secret shows where the secret ends. */
		text += mark - at;
		at = mark + strlen(SECRET_HIDDEN);
		const char *next = strstr(at, SECRET_HIDDEN);
		size_t len = next ? (size_t)(next - at) : strlen(at);
		const char *end = next && len > 0 ? memmem(text, strlen(text), at, len)
						  : text + strlen(text) - len;
		if (!end || end < text)
			end = text;
		char *value = mem_strndup(text, (size_t)(end - text));
		buf_addf(out, "${%s}", secret_names_take(n, "secret", value));
		free(value);
		text = end;
	}
	buf_finish(&kept);
	return has;
}

static bool
set_json(struct variables *v, const char *name, const char *json, size_t len, struct err *err)
{
	struct json_error error;
	struct json_doc *doc = json_parse(json, len, NULL, &error);

	if (!doc)
		return err_set(
		    err, "%s: not JSON, %u:%u: %s", name, error.line, error.column, error.text);
	variables_set(v, name, doc, json_root(doc));
	return true;
}

void
variables_set_string(struct variables *v, const char *name, const char *text)
{
	struct buf json = BUF_INIT;

	json_print_string(&json, text, strlen(text));
	set_json(v, name, json.data, json.len, NULL);
	buf_finish(&json);
}

bool
variables_set_given(struct variables *v, const char *given, struct err *err)
{
	const char *equals = strchr(given, '=');
	bool is_json = equals && equals > given && equals[-1] == ':';
	char *name = equals ? mem_strndup(given, (size_t)(equals - given) - is_json) : NULL;
	bool ok = true;

	if (!name)
		ok = err_set(err, "\"%.80s\" is neither NAME=VALUE nor NAME:=JSON", given);
	else if (!variables_check_name(name, err))
		ok = false;
	else if (is_json)
		ok = set_json(v, name, equals + 1, strlen(equals + 1), err);
	else
		variables_set_string(v, name, equals + 1);
	free(name);
	return ok;
}

static size_t
name_length(const char *text)
{
	size_t len = 0;

	while (ascii_is_alnum((unsigned char)text[len]) || text[len] == '_')
		len++;
	return ascii_is_digit((unsigned char)text[0]) ? 0 : len;
}

bool
variables_check_name(const char *name, struct err *err)
{
	/* Keywords and predefined names of jq, which cannot be names of variables. */
	static const char *const taken[] = { "ENV", "__loc__", "__prog_args", "and", "as", "catch",
		"def", "elif", "else", "end", "foreach", "if", "import", "include", "label",
		"module", "or", "reduce", "then", "try", NULL };
	size_t len = name_length(name);

	if (len == 0 || name[len])
		return err_set(err,
		    "\"%.80s\" cannot be a name: a letter or _, then letters, digits and _", name);
	if (len > VARIABLE_NAME_MAX)
		return err_set(
		    err, "\"%.40s...\" is longer than %d characters", name, VARIABLE_NAME_MAX);
	return !words_have(taken, name) ||
	       err_set(err, "\"%s\" is a word of jq, and cannot be a name", name);
}

/* ---- references ---- */

/* ${name.path}; name and path point into the text. */
struct reference {
	const char *name;
	size_t name_len;
	const char *way; /* ".member.0", or "" */
	size_t way_len;
	const char *next; /* after the brace */
};

/* Read the reference that begins at text with ${. */
static bool
read_reference(const char *text, struct reference *r, struct err *err)
{
	const char *end = strchr(text, '}');

	if (!end)
		return err_set(
		    err, "\"%.40s\" does not end: } is missing; $${ is a plain ${", text);
	r->name = text + 2;
	r->name_len = name_length(r->name);
	r->way = r->name + r->name_len;
	r->way_len = (size_t)(end - r->way);
	r->next = end + 1;
	if (r->name_len == 0 || r->name_len > VARIABLE_NAME_MAX ||
	    (r->way_len > 0 && r->way[0] != '.'))
		return err_set(err,
		    "\"%.*s\" has no name: write ${name} or ${name.member.0}; $${ is a plain ${",
		    (int)(end + 1 - text < 60 ? end + 1 - text : 60), text);
	return true;
}

/* Append the plain text before the next reference to out, which may be NULL. Return NULL if there
 * is no reference. */
static const char *
next_reference(const char *text, struct buf *out)
{
	for (;;) {
		const char *at = strstr(text, "${");
		bool escaped = at && at > text && at[-1] == '$';
		size_t len = at ? (size_t)(at - text) : strlen(text);
		if (out)
			buf_add(out, text, len - escaped);
		if (!escaped)
			return at;
		if (out)
			buf_add_str(out, "${");
		text = at + 2;
	}
}

/* Return the value of a reference; NULL with err: unknown. */
static const cJSON *
resolve(const struct variables *v, const struct reference *r, struct err *err)
{
	const struct variable *found = variables_find(v, r->name, r->name_len);
	const cJSON *value = found ? found->value : NULL;

	if (!found) {
		struct did_you_mean meant;
		did_you_mean_init(&meant, r->name, r->name_len);
		for (size_t i = 0; i < v->len; i++)
			did_you_mean_try(&meant, v->items[i].name);
		err_set(err, "${%.*s}: there is no such variable%s%s%s", (int)r->name_len, r->name,
		    meant.name ? "; did you mean ${" : "", meant.name ? meant.name : "",
		    meant.name ? "}?" : "");
		return NULL;
	}
	for (size_t at = 1; value && at <= r->way_len;) {
		size_t len = 0;
		while (at + len < r->way_len && r->way[at + len] != '.')
			len++;
		char *token = mem_strndup(r->way + at, len);
		const cJSON *part = json_pointer_step(value, token);
		if (!part)
			err_set(err, "${%.*s%.*s}: the %s has no %s \"%.40s\"", (int)r->name_len,
			    r->name, (int)(r->way_len < 60 ? r->way_len : 60), r->way,
			    json_type_name(json_type(value)),
			    json_type(value) == JSON_ARRAY ? "item" : "member", token);
		free(token);
		value = part;
		at += len + 1;
	}
	return value;
}

bool
variables_fill_text(const struct variables *v, const char *text, struct buf *out, struct err *err)
{
	struct reference r;

	while ((text = next_reference(text, out))) {
		const cJSON *value;
		if (!read_reference(text, &r, err) || !(value = resolve(v, &r, err)))
			return false;
		const char *string = cJSON_GetStringValue(value);
		if (string)
			buf_add_str(out, string);
		else
			json_print(out, value);
		text = r.next;
	}
	return !out->overflowed || err_set(err, "the text is longer than %zu bytes", out->max);
}

static bool
fill_string(const struct variables *v, const char *text, struct json_writer *w, struct err *err)
{
	/* A string that consists of one reference becomes its value. */
	struct reference r;
	struct buf filled = { .max = w->out->max };

	if (strncmp(text, "${", 2) == 0 && read_reference(text, &r, NULL) && *r.next == '\0') {
		const cJSON *value = resolve(v, &r, err);
		if (value)
			json_write_value(w, value);
		return value != NULL;
	}
	bool ok = variables_fill_text(v, text, &filled, err);
	if (ok)
		json_write_string(w, buf_text(&filled));
	buf_finish(&filled);
	return ok;
}

/* Recursive; the parser limits the depth. */
static bool
fill(const struct variables *v, const cJSON *value, struct json_writer *w, struct err *err)
{
	enum json_type type = json_type(value);
	bool ok = true;

	if (type == JSON_STRING && strstr(value->valuestring, "${"))
		return fill_string(v, value->valuestring, w, err);
	if (type != JSON_OBJECT && type != JSON_ARRAY) {
		json_write_value(w, value);
		return true;
	}
	(type == JSON_OBJECT ? json_write_object : json_write_array)(w);
	for (const cJSON *child = json_first(value); child && ok; child = child->next) {
		if (type == JSON_OBJECT)
			json_write_key(w, child->string);
		ok = fill(v, child, w, err);
	}
	(type == JSON_OBJECT ? json_write_object_end : json_write_array_end)(w);
	return ok;
}

bool
variables_fill(const struct variables *v, const cJSON *value, struct buf *out, struct err *err)
{
	struct json_writer w;

	json_write_init(&w, out);
	return fill(v, value, &w, err) &&
	       (!out->overflowed || err_set(err, "the value is longer than %zu bytes", out->max));
}

bool
variables_walk(struct variables_walk *walk, const cJSON *value, struct err *err)
{
	struct reference r;

	if (cJSON_IsString(value)) {
		const char *text = value->valuestring;
		walk->at = value;
		while ((text = next_reference(text, NULL))) {
			if (!read_reference(text, &r, err) ||
			    (walk->each && !walk->each(walk->user, r.name, r.name_len, err)))
				return false;
			text = r.next;
		}
	}
	for (const cJSON *child = json_first(value); child; child = child->next)
		if (!variables_walk(walk, child, err))
			return false;
	return true;
}
