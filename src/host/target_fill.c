#include "host/target.h"

#include "base/buf.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

struct filling {
	const struct target *target;
	target_input_fn *value;
	void *user;
};

static const struct target_input *
find_input(const struct target *t, const char *id, size_t len)
{
	for (size_t i = 0; i < t->inputs.len; i++)
		if (strlen(t->inputs.items[i].id) == len &&
		    memcmp(t->inputs.items[i].id, id, len) == 0)
			return &t->inputs.items[i];
	return NULL;
}

/* All inputs are known to have values. */
static char *
fill(const struct filling *f, const char *text)
{
	struct buf out = BUF_INIT;

	if (!text)
		return NULL;
	for (const char *open; (open = strstr(text, "${input:"));) {
		const char *id = open + 8;
		size_t len = strcspn(id, "}");
		const struct target_input *input = find_input(f->target, id, len);
		buf_add(&out, text, (size_t)((input ? open : id) - text));
		if (input)
			buf_add_str(&out, f->value(f->user, input));
		text = input ? id + len + 1 : id;
	}
	buf_add_str(&out, text);
	return buf_detach(&out);
}

static char **
fill_all(const struct filling *f, char *const *texts)
{
	size_t n = 0;

	if (!texts)
		return NULL;
	while (texts[n])
		n++;
	char **copy = mem_zalloc((n + 1) * sizeof(*copy));
	for (size_t i = 0; i < n; i++)
		copy[i] = fill(f, texts[i]);
	return copy;
}

bool
target_fill(
    struct target *out, const struct target *t, target_input_fn *value, void *user, struct err *err)
{
	struct filling f = { t, value, user };

	*out = (struct target){ 0 };
	for (size_t i = 0; i < t->inputs.len; i++)
		if (!value || !value(user, &t->inputs.items[i]))
			return err_set(
			    err, "%s: the input %s has no value", t->name, t->inputs.items[i].id);
	*out = (struct target){
		.name = mem_strdup(t->name),
		.label = mem_strdup(t->label), /* is shown: what was typed stays out of it */
		.argv = fill_all(&f, t->argv),
		.env = fill_all(&f, t->env),
		.cwd = fill(&f, t->cwd),
		.url = fill(&f, t->url),
		.headers = fill_all(&f, t->headers),
		.insecure = t->insecure,
		.sse = t->sse,
		.trouble = mem_strdup(t->trouble),
		.file = mem_strdup(t->file),
		.disabled = t->disabled,
	};
	target_hide_login(out);
	return true;
}
