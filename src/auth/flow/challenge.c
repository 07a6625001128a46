#include "state.h"

#include "base/ascii.h"
#include "base/buf.h"
#include "base/mem.h"
#include "base/vec.h"

#include <stdlib.h>
#include <string.h>

struct cursor {
	const char *at, *end;
};

static void
challenge_finish(struct auth_challenge *c)
{
	for (size_t i = 0; i < c->len; i++) {
		free(c->items[i].name);
		free(c->items[i].value);
	}
	free(c->items);
	free(c->token68);
	free(c->scheme);
}

void
auth_challenges_finish(struct auth_challenges *c)
{
	for (size_t i = 0; i < c->len; i++)
		challenge_finish(&c->items[i]);
	free(c->items);
	*c = (struct auth_challenges){ 0 };
}

static bool
is_space(char c)
{
	return c == ' ' || c == '\t';
}

static bool
is_token(char c)
{
	return c != '\0' && strchr(HTTP_TOKEN, c);
}

static bool
is_token68(char c)
{
	return ascii_is_alnum(c) || (c != '\0' && strchr("-._~+/", c));
}

static void
skip_space(struct cursor *c)
{
	while (c->at < c->end && is_space(*c->at))
		c->at++;
}

static bool
at_item_end(const struct cursor *c)
{
	return c->at == c->end || *c->at == ',';
}

/* Up to the comma that ends the item; commas in quotes do not. */
static void
skip_item(struct cursor *c)
{
	for (bool quoted = false; c->at < c->end && (quoted || *c->at != ','); c->at++) {
		if (*c->at == '"')
			quoted = !quoted;
		else if (quoted && *c->at == '\\' && c->at + 1 < c->end)
			c->at++;
	}
}

static char *
take_word(struct cursor *c)
{
	const char *start = c->at;

	while (c->at < c->end && is_token(*c->at))
		c->at++;
	char *word = mem_strndup(start, (size_t)(c->at - start));
	for (char *p = word; *p; p++)
		*p = (char)ascii_lower(*p);
	return word;
}

/* At the opening quote. NULs become spaces, because the value is a C string. */
static char *
take_quoted(struct cursor *c, bool *flawed)
{
	struct buf out = BUF_INIT;

	for (c->at++; c->at < c->end && *c->at != '"'; c->at++) {
		if (*c->at == '\\' && c->at + 1 < c->end)
			c->at++;
		buf_add_char(&out, *c->at ? *c->at : ' ');
	}
	if (c->at < c->end)
		c->at++;
	else
		*flawed = true;
	return buf_detach(&out);
}

/* Also accepts values that need quotes, such as URLs. */
static char *
take_bare(struct cursor *c, bool *flawed)
{
	struct buf out = BUF_INIT;

	for (; c->at < c->end && *c->at != ',' && !is_space(*c->at); c->at++) {
		*flawed = *flawed || !is_token(*c->at);
		buf_add_char(&out, *c->at ? *c->at : ' ');
	}
	return buf_detach(&out);
}

/* token68 is the rest of the item: "Negotiate TlRM==". */
static char *
take_token68(struct cursor *c)
{
	struct cursor try = *c;

	while (try.at < try.end && is_token68(*try.at))
		try.at++;
	if (try.at == c->at)
		return NULL;
	while (try.at < try.end && *try.at == '=')
		try.at++;
	const char *after = try.at;
	skip_space(&try);
	if (!at_item_end(&try))
		return NULL;
	char *token = mem_strndup(c->at, (size_t)(after - c->at));
	*c = try;
	return token;
}

/* At the '='. Takes name. */
static void
take_param(struct auth_challenges *out, struct cursor *c, char *name)
{
	struct auth_challenge *to = out->len > 0 ? &out->items[out->len - 1] : NULL;

	c->at++;
	skip_space(c);
	char *value = c->at < c->end && *c->at == '"' ? take_quoted(c, &out->flawed)
						      : take_bare(c, &out->flawed);
	if (to && name[0] && to->len < AUTH_MAX_PARAMS) {
		*VEC_PUSH(to) = (struct auth_param){ name, value };
		return;
	}
	out->flawed = true;
	free(name);
	free(value);
}

/* One item of the header; a scheme together with the first parameter after it. */
static void
take_item(struct auth_challenges *out, struct cursor *c)
{
	char *word = take_word(c);
	bool spaced = c->at < c->end && is_space(*c->at);

	skip_space(c);
	if (c->at < c->end && *c->at == '=') {
		take_param(out, c, word);
	} else if (word[0] && (spaced || at_item_end(c)) && out->len < AUTH_MAX_CHALLENGES) {
		struct auth_challenge *new = VEC_PUSH(out);
		*new = (struct auth_challenge){ .scheme = word, .token68 = take_token68(c) };
		if (!at_item_end(c) && is_token(*c->at)) {
			char *name = take_word(c);
			skip_space(c);
			if (c->at < c->end && *c->at == '=')
				take_param(out, c, name);
			else
				free(name);
		}
	} else {
		free(word);
	}
	skip_space(c);
	out->flawed = out->flawed || !at_item_end(c);
	skip_item(c);
}

void
auth_challenges_parse(struct auth_challenges *c, const char *header, size_t len)
{
	struct cursor at = { header, header + (len < AUTH_MAX_HEADER ? len : AUTH_MAX_HEADER) };

	*c = (struct auth_challenges){ .flawed = len > AUTH_MAX_HEADER };
	while (at.at < at.end) {
		if (*at.at == ',' || is_space(*at.at))
			at.at++;
		else
			take_item(c, &at);
	}
}

const struct auth_challenge *
auth_challenges_find(const struct auth_challenges *c, const char *scheme)
{
	for (size_t i = 0; i < c->len; i++)
		if (strcmp(c->items[i].scheme, scheme) == 0)
			return &c->items[i];
	return NULL;
}

const char *
auth_challenge_get(const struct auth_challenge *c, const char *name)
{
	for (size_t i = 0; c && i < c->len; i++)
		if (strcmp(c->items[i].name, name) == 0)
			return c->items[i].value;
	return NULL;
}
