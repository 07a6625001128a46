#include "config_priv.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

#define VARIABLE_CHARACTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789"

/* Whoever approves an entry wants to know what of theirs it is given. */
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

/* A variable of the environment; otherwise: what follows ":-", NULL when nothing does. */
static void
add_variable(struct buf *out, struct target *t, const char *name, size_t len, const char *otherwise,
    size_t otherwise_len)
{
	char *copy = mem_strndup(name, len);
	const char *value = getenv(copy);

	if (value && (*value || !otherwise)) {
		buf_add_str(out, value);
		note_passed(t, copy);
	} else if (otherwise)
		buf_add(out, otherwise, otherwise_len);
	else
		config_trouble(t, "the environment has no %s", copy);
	free(copy);
}

/* What other clients call places. */
static bool
add_place(struct buf *out, const char *name, size_t len, const struct config_scope *scope)
{
	const char *home = getenv("HOME"), *slash = strrchr(scope->folder, '/');
	const struct {
		const char *name, *value;
	} places[] = {
		{ "userHome", home ? home : "" },
		{ "workspaceFolder", scope->folder },
		{ "workspaceFolderBasename", slash ? slash + 1 : scope->folder },
		{ "pathSeparator", "/" },
		{ "/", "/" },
	};

	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		if (strlen(places[i].name) == len && memcmp(places[i].name, name, len) == 0) {
			buf_add_str(out, places[i].value);
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

/* What stands between "${" and "}". False: that is no variable of ours, such as a shell's. */
static bool
add_value(struct buf *out, struct target *t, const char *name, size_t len,
    const struct config_scope *scope)
{
	size_t word = strspn(name, VARIABLE_CHARACTERS);

	if (add_place(out, name, len, scope))
		return true;
	if (starts(name, len, "input:")) {
		if (config_note_input(t, name + 6, len - 6, scope))
			buf_addf(out, "${%.*s}", (int)len, name);
		return true;
	}
	if (starts(name, len, "env:")) {
		add_variable(out, t, name + 4, len - 4, NULL, 0);
		return true;
	}
	if (word > 0 && word < len && starts(name + word, len - word + 1, ":-")) {
		add_variable(out, t, name, word, name + word + 2, len - word - 2);
		return true;
	}
	if (word != len || len == 0)
		return false;
	add_variable(out, t, name, len, NULL, 0);
	return true;
}

char *
config_expand(struct target *t, const char *text, const struct config_scope *scope)
{
	struct buf out = BUF_INIT;

	for (;;) {
		const char *open = strstr(text, "${");
		const char *close = open ? strchr(open, '}') : NULL;
		if (!close)
			break;
		buf_add(&out, text, (size_t)(open - text));
		text = open;
		if (add_value(&out, t, open + 2, (size_t)(close - open) - 2, scope)) {
			text = close + 1;
		} else {
			buf_add(&out, text, 2);
			text += 2;
		}
	}
	buf_add_str(&out, text);
	return buf_detach(&out);
}
