/* SPDX-License-Identifier: MIT */
/* A configuration of any bytes is refused with a reason, or every entry is usable or gives a
 * reason, and shows no secret of the environment. An input that begins with an E is a file of
 * environment variables. */
#include "fuzz.h"

#include "base/buf.h"
#include "host/server_file.h"
#include "host/server_file/entry.h"

#include <string.h>

static const char *
value(void *user, const struct target_input *input)
{
	return input->otherwise ? input->otherwise : input->options ? input->options[0] : "v";
}

static void
check_filled(const struct target *t)
{
	struct target filled;
	struct err err = { "" };

	if (!target_fill(&filled, t, value, NULL, &err)) {
		demand(err.text[0] && t->inputs.len > 0); /* an input does not take the value */
		return;
	}
	demand(!filled.argv == !t->argv && !filled.url == !t->url);
	for (size_t i = 0; t->argv && t->argv[i]; i++)
		demand(filled.argv[i] != NULL);
	target_finish(&filled);
}

static const char secret[] = "q9Zs7-the-value-of-a-secret";

static void
check_shown(const struct target *t)
{
	char *const *const lists[] = { t->argv, t->env, t->headers };

	demand(!strstr(t->label, secret));
	for (size_t i = 0; i < 3; i++)
		for (char *const *text = lists[i]; text && *text; text++)
			demand(!strstr(target_shown(t, *text), secret));
	demand(!t->cwd || !strstr(target_shown(t, t->cwd), secret));
}

static void
check_target(const struct target *t)
{
	size_t n = 0;

	demand(t->name && t->label && t->file);
	demand(t->trouble || (t->argv && t->argv[0] && t->argv[0][0]) || (t->url && t->url[0]));
	demand(!t->trouble || t->trouble[0]);
	while (t->env && t->env[n])
		demand(strchr(t->env[n++], '=') != NULL);
	for (n = 0; t->headers && t->headers[n] && !t->trouble; n++)
		demand(!strpbrk(t->headers[n], "\r\n") && strstr(t->headers[n], ": "));
	check_filled(t);
	check_shown(t);
}

static void
set(void *user, const char *name, const char *text)
{
	demand(name[0] && !strchr(name, '=') && text);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct server_file c;
	struct err err = { "" };
	unsigned line;

	setenv("A_KEY", secret, 1);
	if (memmem(data, size, secret, 9)) /* the file would show it itself */
		return 0;
	if (size > 0 && data[0] == 'E') {
		server_file_parse_env((const char *)data + 1, size - 1, set, NULL, &line);
		return 0;
	}
	if (!server_file_parse(&c, (const char *)data, size, "f", &err)) {
		demand(err.text[0] && !strchr(err.text, '\n'));
		server_file_finish(&c);
		return 0;
	}
	for (size_t i = 0; i < c.len; i++)
		check_target(&c.items[i]);
	server_file_finish(&c);
	return 0;
}
