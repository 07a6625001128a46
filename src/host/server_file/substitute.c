#include "entry.h"

#include "base/ascii.h"
#include "base/mem.h"
#include "base/path.h"
#include "base/secret.h"
#include "base/vec.h"
#include "json/number.h"

#include <stdlib.h>
#include <string.h>

#define VARIABLE_CHARACTERS ASCII_ALNUM "_"

/* ---- inputs ---- */

/* The value goes to the server, the label is for people; VS Code has plain strings only. */
static char **
read_options(const cJSON *input)
{
	const cJSON *options = json_get(input, "options");
	char **texts = mem_zalloc((json_count(options) + 1) * sizeof(*texts));
	size_t n = 0;

	for (const cJSON *o = json_first(options); o; o = o->next)
		if (json_string(o))
			texts[n++] = mem_strdup(json_string(o));
	if (n > 0)
		return texts;
	free(texts);
	return NULL;
}

static char *
read_limit(const cJSON *input, const char *key)
{
	char text[JSON_NUMBER_TEXT_MAX];
	const cJSON *limit = json_get(input, key);

	return cJSON_IsNumber(limit) ? mem_strdup(json_number_text(limit, text)) : NULL;
}

static bool
is_noted(const struct target *t, const char *id)
{
	for (size_t i = 0; i < t->inputs.len; i++)
		if (strcmp(t->inputs.items[i].id, id) == 0)
			return true;
	return false;
}

static bool
note(struct target *t, const cJSON *inputs, const char *id)
{
	if (json_count(inputs) > SERVER_FILE_MOST) {
		server_file_trouble(t, "its file has more than %d inputs", SERVER_FILE_MOST);
		return false;
	}
	const cJSON *input = json_find_by(inputs, "id", id);
	const char *type = json_get_string(input, "type");
	const char *description = json_get_string(input, "description");
	bool pick = type && strcmp(type, "pickString") == 0;

	if (!input) {
		server_file_trouble(t, "no input with id %s", id);
		return false;
	}
	if (type && !pick && strcmp(type, "promptString") != 0) {
		server_file_trouble(t, "input %s has the unknown type %s", id, type);
		return false;
	}
	*VEC_PUSH(&t->inputs) = (struct target_input){
		.id = mem_strdup(id),
		.description = mem_strdup(description ? description : ""),
		.otherwise = mem_strdup(json_get_string(input, "default")),
		.options = pick ? read_options(input) : NULL,
		.password = json_is_true(json_get(input, "password")),
		.multiple = json_is_true(json_get(input, "multiple")),
		.number = json_is_true(json_get(input, "number")),
		.least = read_limit(input, "min"),
		.most = read_limit(input, "max"),
	};
	return true;
}

static bool
server_file_note_input(
    struct target *t, const char *id, size_t len, const struct server_file_scope *scope)
{
	char *name = mem_strndup(id, len);
	bool ok = is_noted(t, name) || note(t, scope->inputs, name);

	free(name);
	return ok;
}

/* ---- variables ---- */

/* Whoever approves an entry wants to know which of their variables it receives. */
static void
note_passed(struct target *t, const char *name)
{
	size_t n = 0;

	for (; t->passed && t->passed[n]; n++)
		if (strcmp(t->passed[n], name) == 0)
			return;
	t->passed = mem_realloc(t->passed, (n + 2) * sizeof(*t->passed));
	t->passed[n] = mem_strdup(name);
	t->passed[n + 1] = NULL;
}

/* A string being expanded: its value, and how it is shown. */
struct expansion {
	struct target *target;
	const struct server_file_scope *scope;
	enum server_file_hides hides;
	struct buf value, shown;
};

static void
add(struct expansion *e, const char *text, size_t len)
{
	buf_add(&e->value, text, len);
	buf_add(&e->shown, text, len);
}

static void
add_own(struct expansion *e, const char *name, const char *value)
{
	bool hidden = e->hides == SERVER_FILE_HIDES_ALL || secret_is_named(name, strlen(name)) ||
		      strpbrk(buf_text(&e->shown), "?#");

	buf_add_str(&e->value, value);
	if (hidden)
		buf_addf(&e->shown, "${%s}", name);
	else
		buf_add_str(&e->shown, value);
	note_passed(e->target, name);
}

/* An environment variable; otherwise: the default after ":-", NULL: none. */
static void
add_variable(
    struct expansion *e, const char *name, size_t len, const char *otherwise, size_t otherwise_len)
{
	char *copy = mem_strndup(name, len);
	const char *value = getenv(copy);

	if (value && (*value || !otherwise))
		add_own(e, copy, value);
	else if (otherwise)
		add(e, otherwise, otherwise_len);
	else
		server_file_trouble(e->target, "the environment has no %s", copy);
	free(copy);
}

/* Predefined names of other clients. */
static bool
add_place(struct expansion *e, const char *name, size_t len)
{
	const char *folder = e->scope->folder;
	const char *home = getenv("HOME");
	const struct {
		const char *name, *value;
	} places[] = {
		{ "userHome", home ? home : "" },
		{ "workspaceFolder", folder },
		{ "workspaceFolderBasename", path_file_name(folder) },
		{ "pathSeparator", "/" },
		{ "/", "/" },
	};

	for (size_t i = 0; i < ARRAY_LEN(places); i++) {
		if (strlen(places[i].name) == len && memcmp(places[i].name, name, len) == 0) {
			add(e, places[i].value, strlen(places[i].value));
			return true;
		}
	}
	return false;
}

static bool
starts(const char *text, size_t len, const char *with)
{
	size_t n = strlen(with);

	return len > n && memcmp(text, with, n) == 0;
}

/* name is between "${" and "}". False: not one of our variables, perhaps a shell's. */
static bool
add_value(struct expansion *e, const char *name, size_t len)
{
	size_t word = strspn(name, VARIABLE_CHARACTERS);

	if (add_place(e, name, len))
		return true;
	if (starts(name, len, "input:")) {
		if (server_file_note_input(e->target, name + 6, len - 6, e->scope))
			add(e, name - 2, len + 3);
		return true;
	}
	if (starts(name, len, "env:")) {
		add_variable(e, name + 4, len - 4, NULL, 0);
		return true;
	}
	if (word > 0 && word < len && starts(name + word, len - word + 1, ":-")) {
		add_variable(e, name, word, name + word + 2, len - word - 2);
		return true;
	}
	if (word != len || len == 0)
		return false;
	add_variable(e, name, len, NULL, 0);
	return true;
}

static char *
finish(struct expansion *e)
{
	char *value = buf_detach(&e->value);

	if (strcmp(value, buf_text(&e->shown)) != 0)
		*VEC_PUSH(&e->target->shown) =
		    (struct target_shown){ value, buf_detach(&e->shown) };
	buf_finish(&e->shown);
	return value;
}

/* A project's file may be full of them. */
static bool
may_use_another(const struct expansion *e)
{
	if (++*e->scope->variables <= SERVER_FILE_MOST_VARIABLES)
		return true;
	server_file_trouble(
	    e->target, "its file uses more than %d variables", SERVER_FILE_MOST_VARIABLES);
	return false;
}

/* The next variable of text: "${NAME}", "{env:NAME}" of opencode, or "$NAME" if the client knows
 * it. *name and *len: what add_value() takes. Returns its end; NULL: there is none. */
static const char *
find_variable(
    const struct expansion *e, const char *text, const char **open, const char **name, size_t *len)
{
	enum { MOST = 4096 }; /* so that each is searched for its end in little time */
	bool dollar = e->scope->client && e->scope->client->dollar;

	for (; (*open = strpbrk(text, "${")); text = *open + 1) {
		bool braces = strncmp(*open, "${", 2) == 0;
		*name = *open + (braces ? 2 : 1);
		bool may_close = braces || strncmp(*open, "{env:", 5) == 0;
		if ((may_close || dollar) && !may_use_another(e))
			return NULL;
		const char *close = may_close ? memchr(*name, '}', strnlen(*name, MOST)) : NULL;
		if (close) {
			*len = (size_t)(close - *name);
			return close + 1;
		}
		*name = *open + 1;
		*len = strspn(*name, VARIABLE_CHARACTERS);
		if (dollar && **open == '$' && *len > 0 && !ascii_is_digit((unsigned char)**name))
			return *name + *len;
	}
	return NULL;
}

char *
server_file_expand(struct target *t, const char *before, const char *text,
    enum server_file_hides hides, const struct server_file_scope *scope)
{
	struct expansion e = {
		.target = t, .scope = scope, .hides = hides, .value = BUF_INIT, .shown = BUF_INIT
	};
	const char *open, *name, *end;
	size_t len;

	add(&e, before, strlen(before));
	while ((end = find_variable(&e, text, &open, &name, &len))) {
		add(&e, text, (size_t)(open - text));
		if (!add_value(&e, name, len)) {
			add(&e, open, (size_t)(name - open));
			end = name;
		}
		text = end;
	}
	add(&e, text, strlen(text));
	return finish(&e);
}
