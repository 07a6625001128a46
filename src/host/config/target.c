/* SPDX-License-Identifier: MIT */
#include "host/target.h"

#include "base/ascii.h"
#include "base/base64.h"
#include "base/buf.h"
#include "base/mem.h"
#include "base/path.h"
#include "base/secret.h"
#include "base/strings.h"
#include "base/url.h"
#include "base/vec.h"
#include "json/number.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

static void
free_strings(char **strings)
{
	for (char **s = strings; s && *s; s++)
		free(*s);
	free(strings);
}

void
target_finish(struct target *t)
{
	free(t->name);
	free(t->label);
	free(t->cwd);
	free(t->url);
	free(t->recording);
	free(t->trouble);
	free_strings(t->headers);
	free_strings(t->passed);
	free(t->file);
	free(t->place);
	free(t->also);
	free(t->env_file);
	for (size_t i = 0; i < t->inputs.len; i++) {
		struct target_input *input = &t->inputs.items[i];
		free(input->id);
		free(input->description);
		free(input->otherwise);
		free(input->least);
		free(input->most);
		free_strings(input->options);
	}
	free(t->inputs.items);
	for (size_t i = 0; i < t->shown.len; i++)
		free(t->shown.items[i].shown);
	free(t->shown.items);
	free_strings(t->argv);
	free_strings(t->env);
	*t = (struct target){ 0 };
}

void
target_from_command(struct target *t, char *const *argv)
{
	struct strings words = { 0 };
	struct buf label = BUF_INIT;

	for (size_t i = 0; argv[i]; i++)
		strings_add(&words, argv[i]);
	strings_join(&words, " ", &label);
	*t = (struct target){
		.name = mem_strdup(path_file_name(argv[0])),
		.label = buf_detach(&label),
		.argv = strings_argv(&words),
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
	t->demo = true;
	free(t->name);
	t->name = mem_strdup("demo");
	free(t->label);
	t->label = mem_strdup("the built-in demo server");
	return true;
}

char *
target_url_without_login(const char *url)
{
	struct url u;

	url_split(&u, url, strlen(url));
	if (!u.user.at)
		return mem_strdup(url);
	return mem_printf("%.*s%s", (int)(u.user.at - url), url, u.authority.at);
}

char *
target_url_to_show(const char *url)
{
	char *plain = target_url_without_login(url);
	struct buf out = BUF_INIT;

	secret_hide_url(&out, plain);
	free(plain);
	return buf_detach(&out);
}

void
target_hide_login(struct target *t)
{
	struct url u;

	if (t->url)
		url_split(&u, t->url, strlen(t->url));
	if (!t->url || !u.user.at || memmem(u.user.at, u.user.len, "${", 2))
		return;
	bool has_authorization = false;
	size_t n = 0;
	for (; t->headers && t->headers[n]; n++)
		has_authorization |= strncasecmp(t->headers[n], "Authorization:", 14) == 0;
	if (u.user.len > 0 && !has_authorization) {
		/* RFC 7617; without a colon the password is empty */
		struct buf plain = BUF_INIT, line = BUF_INIT;
		percent_decode(&plain, u.user.at, u.user.len);
		if (!memchr(u.user.at, ':', u.user.len))
			buf_add_char(&plain, ':');
		buf_add_str(&line, "Authorization: Basic ");
		base64_add(&line, buf_text(&plain), plain.len, BASE64_PLAIN);
		t->headers = mem_realloc(t->headers, (n + 2) * sizeof(*t->headers));
		t->headers[n] = buf_detach(&line);
		t->headers[n + 1] = NULL;
		buf_finish(&plain);
	}
	char *url = target_url_without_login(t->url);
	free(t->url);
	t->url = url;
}

struct filling {
	const struct target *target;
	target_input_fn *value;
	void *user;
};

const struct target_input *
target_find_input(const struct target *t, const char *id, size_t len)
{
	for (size_t i = 0; i < t->inputs.len; i++)
		if (strlen(t->inputs.items[i].id) == len &&
		    memcmp(t->inputs.items[i].id, id, len) == 0)
			return &t->inputs.items[i];
	return NULL;
}

/* The caller made sure that every input has a value. */
static char *
fill_text(const struct filling *f, const char *text)
{
	struct buf out = BUF_INIT;

	if (!text)
		return NULL;
	for (const char *open; (open = strstr(text, "${input:"));) {
		const char *id = open + 8;
		size_t len = strcspn(id, "}");
		const struct target_input *input =
		    id[len] ? target_find_input(f->target, id, len) : NULL;
		buf_add(&out, text, (size_t)((input ? open : id) - text));
		if (input)
			buf_add_str(&out, f->value(f->user, input));
		text = input ? id + len + 1 : id;
	}
	buf_add_str(&out, text);
	return buf_detach(&out);
}

/* An argument that is only an input with several values becomes an argument for each. */
static char **
fill_all(const struct filling *f, char *const *texts, bool are_arguments)
{
	struct strings filled = { 0 };

	for (size_t i = 0; texts && texts[i]; i++) {
		size_t len = strlen(texts[i]);
		bool only = are_arguments && i > 0 && len > 9 &&
			    memcmp(texts[i], "${input:", 8) == 0 &&
			    strcspn(texts[i], "}") == len - 1;
		const struct target_input *input =
		    only ? target_find_input(f->target, texts[i] + 8, len - 9) : NULL;
		if (!input || !input->multiple) {
			strings_take(&filled, fill_text(f, texts[i]));
			continue;
		}
		for (const char *values = f->value(f->user, input); *values;
		     values += len + (values[len] == ',')) {
			len = strcspn(values, ",");
			strings_take(&filled, mem_strndup(values, len));
		}
	}
	return texts ? strings_argv(&filled) : NULL;
}

bool
target_fill(
    struct target *out, const struct target *t, target_input_fn *value, void *user, struct err *err)
{
	struct filling f = { t, value, user };

	*out = (struct target){ 0 };
	for (size_t i = 0; i < t->inputs.len; i++) {
		const struct target_input *input = &t->inputs.items[i];
		const char *text = value ? value(user, input) : NULL;
		struct err why = { "has no value" };
		if (!text || !inputs_take(input, text, &why))
			return err_set(err, "%.60s: the input %.60s%s %s", t->name, input->id,
			    text ? ":" : "", why.text);
	}
	*out = (struct target){
		.name = mem_strdup(t->name),
		.label = mem_strdup(t->label), /* shown instead: hides the typed value */
		.argv = fill_all(&f, t->argv, true),
		.env = fill_all(&f, t->env, false),
		.cwd = fill_text(&f, t->cwd),
		.url = fill_text(&f, t->url),
		.recording = mem_strdup(t->recording),
		.headers = fill_all(&f, t->headers, false),
		.insecure = t->insecure,
		.demo = t->demo,
		.sse = t->sse,
		.trouble = mem_strdup(t->trouble),
		.file = mem_strdup(t->file),
		.client = t->client,
		.disabled = t->disabled,
	};
	target_hide_login(out);
	return true;
}

void
inputs_finish(struct inputs *in)
{
	for (size_t i = 0; i < in->len; i++) {
		explicit_bzero(in->items[i].value, strlen(in->items[i].value));
		free(in->items[i].file);
		free(in->items[i].id);
		free(in->items[i].value);
	}
	free(in->items);
	*in = (struct inputs){ 0 };
}

void
inputs_set(struct inputs *in, const char *file, const char *id, const char *value)
{
	secret_shield_process(); /* most values are passwords and keys */
	*VEC_PUSH(in) = (struct input_value){ mem_strdup(file), mem_strdup(id), mem_strdup(value) };
}

/* ---- values that an input takes ---- */

static bool
takes_number(const struct target_input *input, const char *value, struct err *err)
{
	if (!json_is_number_text(value, strlen(value)))
		return err_set(
		    err, *value ? "%.60s is not a number" : "a number is needed%s", value);
	double number = strtod(value, NULL);
	const char *least = input->least, *most = input->most;
	if (!(least && number < strtod(least, NULL)) && !(most && number > strtod(most, NULL)))
		return true;
	if (least && most)
		return err_set(err, "%.60s is not from %.40s to %.40s", value, least, most);
	return err_set(err, "%.60s is %s %.40s", value, least ? "less than" : "more than",
	    least ? least : most);
}

bool
inputs_take(const struct target_input *input, const char *value, struct err *err)
{
	bool empty = !*value && input->otherwise && !*input->otherwise;

	if (input->options && !words_have((const char *const *)input->options, value))
		return err_set(err, "%.60s is not one of the choices", value);
	if (!input->number || empty) /* it need not have a value */
		return true;
	if (!input->multiple)
		return takes_number(input, value, err);
	for (bool more = true; more;) {
		size_t len = strcspn(value, ",");
		char *part = mem_strndup(value, len);
		bool ok = takes_number(input, part, err);
		free(part);
		if (!ok)
			return false;
		more = value[len] == ',';
		value += len + more;
	}
	return true;
}

/* ---- the values ---- */

/* The latest value counts. */
const char *
inputs_find(const struct inputs *in, const char *file, const char *id)
{
	for (size_t i = in->len; i-- > 0;) {
		const struct input_value *v = &in->items[i];
		if (strcmp(v->id, id) == 0 && (!v->file || (file && strcmp(v->file, file) == 0)))
			return v->value;
	}
	char *name = mem_printf("MCPANE_INPUT_%s", id);
	for (char *at = name; *at; at++)
		*at = ascii_is_alnum(*at) ? (char)ascii_upper(*at) : '_';
	const char *value = getenv(name);
	free(name);
	return value;
}

const struct target_input *
inputs_missing(const struct inputs *in, const struct target *t)
{
	for (size_t i = 0; i < t->inputs.len; i++) {
		const char *value = inputs_find(in, t->file, t->inputs.items[i].id);
		if (!value || !inputs_take(&t->inputs.items[i], value, NULL))
			return &t->inputs.items[i];
	}
	return NULL;
}

struct look_up {
	const struct inputs *in;
	const char *file;
};

static const char *
value_of(void *user, const struct target_input *input)
{
	const struct look_up *l = user;

	return inputs_find(l->in, l->file, input->id);
}

bool
inputs_fill(const struct inputs *in, struct target *out, const struct target *t, struct err *err)
{
	struct look_up l = { in, t->file };

	return target_fill(out, t, value_of, &l, err);
}
