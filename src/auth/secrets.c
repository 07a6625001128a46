#include "auth/step.h"

#include "base/mem.h"
#include "base/secret.h"
#include "json/write.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* What is shorter is no secret, and may be a part of any word. */
#define MIN_SECRET 8

static void
add_header(struct auth_strings *out, const char *header)
{
	static const char name[] = "Authorization:";

	if (strncasecmp(header, name, strlen(name)) != 0)
		return;
	const char *scheme = header + strlen(name) + strspn(header + strlen(name), " ");
	const char *space = strchr(scheme, ' ');
	auth_strings_add(out, space ? space + 1 : scheme);
}

void
auth_secrets_add(struct auth_strings *out, const struct auth_request *request)
{
	const char *body = buf_text(&request->body);

	for (size_t i = 0; i < request->headers.len; i++)
		add_header(out, request->headers.items[i]);
	while (request->form && *body) {
		size_t member = strcspn(body, "&"), name = strcspn(body, "=&");
		if (body[name] == '=' && secret_is_named(body, name)) {
			char *key = mem_strndup(body, name);
			char *value = auth_form_get(body, member, key, NULL);
			if (value)
				auth_strings_take(out, value);
			free(key);
		}
		body += member;
		body += *body == '&';
	}
}

/* As it is, as it stands in a form, and as in a JSON string. */
static void
hide_one(struct buf *text, const char *secret)
{
	struct buf form = BUF_INIT, json = BUF_INIT;
	struct json_writer w;

	auth_form_add_encoded(&form, secret);
	json_write_init(&w, &json);
	json_write_string(&w, secret);
	buf_truncate(&json, json.len - 1); /* its quotes */
	buf_replace(text, secret, SECRET_HIDDEN);
	buf_replace(text, buf_text(&form), SECRET_HIDDEN);
	buf_replace(text, buf_text(&json) + 1, SECRET_HIDDEN);
	buf_finish(&form);
	buf_finish(&json);
}

void
auth_secrets_hide(const struct auth_strings *secrets, struct buf *text)
{
	for (size_t i = 0; i < secrets->len; i++)
		if (strlen(secrets->items[i]) >= MIN_SECRET)
			hide_one(text, secrets->items[i]);
}
