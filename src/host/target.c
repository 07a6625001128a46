#include "host/target.h"

#include "base/buf.h"
#include "base/mem.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void
free_strings(char **strings)
{
	for (char **s = strings; s && *s; s++)
		free(*s);
	free(strings);
}

static void
finish_input(struct target_input *input)
{
	free(input->id);
	free(input->description);
	free(input->otherwise);
	free_strings(input->options);
}

void
target_finish(struct target *t)
{
	free(t->name);
	free(t->label);
	free(t->cwd);
	free(t->url);
	free(t->trouble);
	free_strings(t->headers);
	free_strings(t->passed);
	free(t->file);
	free(t->env_file);
	for (size_t i = 0; i < t->inputs.len; i++)
		finish_input(&t->inputs.items[i]);
	free(t->inputs.items);
	for (size_t i = 0; i < t->shown.len; i++)
		free(t->shown.items[i].shown);
	free(t->shown.items);
	free_strings(t->argv);
	free_strings(t->env);
	*t = (struct target){ 0 };
}

static char **
copy_strings(char *const *strings)
{
	size_t n = 0;

	while (strings[n])
		n++;
	char **copy = mem_zalloc((n + 1) * sizeof(*copy));
	for (size_t i = 0; i < n; i++)
		copy[i] = mem_strdup(strings[i]);
	return copy;
}

void
target_from_command(struct target *t, char *const *argv)
{
	const char *slash = strrchr(argv[0], '/');
	struct buf label = BUF_INIT;

	for (size_t i = 0; argv[i]; i++)
		buf_addf(&label, "%s%s", i ? " " : "", argv[i]);
	*t = (struct target){
		.name = mem_strdup(slash ? slash + 1 : argv[0]),
		.label = buf_detach(&label),
		.argv = copy_strings(argv),
	};
}

void
target_from_url(struct target *t, const char *url, char **headers)
{
	char *plain = target_url_to_show(url);
	const char *host = strstr(plain, "://");

	host = host ? host + 3 : plain;
	*t = (struct target){
		.name = mem_strndup(host, strcspn(host, "/?#")),
		.label = plain,
		.url = mem_strdup(url),
		.headers = headers,
	};
	target_hide_login(t);
}

bool
target_from_demo(struct target *t, struct err *err)
{
	char self[4096], option[] = "--serve-demo";
	ssize_t len = readlink("/proc/self/exe", self, sizeof(self) - 1);

	if (len < 0)
		return err_set(
		    err, "cannot find this program to run its demo server: %s", strerror(errno));
	self[len] = '\0';
	target_from_command(t, (char *[]){ self, option, NULL });
	free(t->name);
	t->name = mem_strdup("demo");
	free(t->label);
	t->label = mem_strdup("the built-in demo server");
	return true;
}
