#include "base/secret.h"

#include "base/ascii.h"
#include "base/vec.h"

#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>

#define NAME_BYTES 64 /* its end decides */

/* What stands before "token" where a list goes on, and in a language model. */
static const char *const open_tokens[] = { "next", "page", "continuation", "progress", "sync",
	"start", "stop", "eos", "bos", "pad", "unk", "sep", "cls", "mask", NULL };
/* And before "key" in tables, stores and other words. */
static const char *const open_keys[] = { "primary", "foreign", "public", "sort", "partition",
	"issue", "object", "cache", "row", "parent", "project", "routing", "range", "unique",
	"idempotency", "message", "translation", "group", "column", "index", "hot", "mon", "don",
	"tur", "hoc", "joc", "whis", NULL };

/* Endings of names, in lower-case letters alone, so that "idToken" and "id_token" are one. */
static const struct ending {
	const char *letters;
	size_t len;
	enum secret_kind kind;
	bool whole; /* as an end it would be that of many a word */
	const char *const *open;
} endings[] = {
#define ENDING(letters) letters, sizeof(letters) - 1
	/* the first that fits decides */
	{ ENDING("key"), SECRET_BY_VALUE, true, NULL },
	{ ENDING("keys"), SECRET_BY_VALUE, true, NULL },
	{ ENDING("tokens"), SECRET_BY_VALUE, true, NULL },
	{ ENDING("signature"), SECRET_BY_VALUE, false, NULL },
	{ ENDING("sig"), SECRET_BY_VALUE, false, NULL },
	{ ENDING("assertion"), SECRET_BY_VALUE, false, NULL },
	{ ENDING("pass"), SECRET_NOT_NUMBER, true, NULL },
	{ ENDING("token"), SECRET_ALWAYS, false, open_tokens },
	{ ENDING("key"), SECRET_ALWAYS, false, open_keys },
	{ ENDING("secret"), SECRET_ALWAYS, false, NULL },
	{ ENDING("password"), SECRET_ALWAYS, false, NULL },
	{ ENDING("passwd"), SECRET_ALWAYS, false, NULL },
	{ ENDING("passphrase"), SECRET_ALWAYS, false, NULL },
	{ ENDING("pwd"), SECRET_ALWAYS, false, NULL },
	{ ENDING("credential"), SECRET_ALWAYS, false, NULL },
	{ ENDING("jwt"), SECRET_ALWAYS, false, NULL },
	{ ENDING("sessionid"), SECRET_ALWAYS, false, NULL },
	{ ENDING("secretstring"), SECRET_ALWAYS, false, NULL },
	{ ENDING("credentials"), SECRET_ALWAYS, false, NULL },
	{ ENDING("code"), SECRET_ALWAYS, true, NULL },
	{ ENDING("authorizationcode"), SECRET_ALWAYS, true, NULL },
	{ ENDING("devicecode"), SECRET_ALWAYS, true, NULL },
	{ ENDING("codeverifier"), SECRET_ALWAYS, true, NULL },
	{ ENDING("auth"), SECRET_ALWAYS, true, NULL },
	{ ENDING("authorization"), SECRET_ALWAYS, true, NULL },
	{ ENDING("proxyauthorization"), SECRET_ALWAYS, true, NULL },
	{ ENDING("cookie"), SECRET_ALWAYS, true, NULL },
	{ ENDING("setcookie"), SECRET_ALWAYS, true, NULL },
#undef ENDING
};

/* The last letters and digits of the name, from out + the result to the end; NAME_BYTES: none. It
 * begins at the end, so a long name costs no more than its last bytes. */
static size_t
simplify(char out[NAME_BYTES + 1], const char *name, size_t len)
{
	size_t first = NAME_BYTES;

	out[first] = '\0';
	while (len > 0 && first > 0) {
		int byte = len > 2 && name[len - 3] == '%' ? hex_number(name + len - 2, 2) : -1;
		char c = byte >= 0 ? (char)byte : name[len - 1];
		len -= byte >= 0 ? 3 : 1;
		if (ascii_is_alnum((unsigned char)c))
			out[--first] = (char)ascii_lower((unsigned char)c);
	}
	return first;
}

static bool
ends_with(const char *simple, size_t len, const char *end, size_t end_len)
{
	return len >= end_len && memcmp(simple + len - end_len, end, end_len) == 0;
}

static const struct ending *
find_ending(const char *simple, size_t len)
{
	for (size_t i = 0; len > 0 && i < ARRAY_LEN(endings); i++) {
		const struct ending *e = &endings[i];
		if (e->letters[e->len - 1] != simple[len - 1] ||
		    !ends_with(simple, len, e->letters, e->len) || (e->whole && e->len != len))
			continue;
		for (const char *const *o = e->open; o && *o; o++)
			if (ends_with(simple, len - e->len, *o, strlen(*o)))
				return NULL;
		return e;
	}
	return NULL;
}

enum secret_kind
secret_kind(const char *name, size_t len)
{
	char letters[NAME_BYTES + 1];
	size_t first = simplify(letters, name, len);
	size_t n = NAME_BYTES - first;
	const struct ending *e = find_ending(letters + first, n);

	if (e)
		return e->kind;
	/* "passwords", "access_tokens"; their counts are numbers. */
	if (n < 2 || letters[NAME_BYTES - 1] != 's' ||
	    !(e = find_ending(letters + first, n - 1)) || e->whole)
		return SECRET_NONE;
	return e->kind == SECRET_ALWAYS ? SECRET_NOT_NUMBER : e->kind;
}

bool
secret_is_named(const char *name, size_t len)
{
	return secret_kind(name, len) != SECRET_NONE;
}

bool
secret_is_whole_line(const char *name, size_t len)
{
	static const char *const lines[] = { "authorization", "proxyauthorization", "cookie",
		"setcookie" };
	char letters[NAME_BYTES + 1];
	const char *simple = letters + simplify(letters, name, len);

	for (size_t i = 0; i < ARRAY_LEN(lines); i++)
		if (strcmp(simple, lines[i]) == 0)
			return true;
	return false;
}

/* Letters and digits in a row, so many and of both, as no word or UUID has. */
static bool
looks_random(const char *value, size_t len)
{
	enum { LEAST = 20 };
	size_t letters = 0, digits = 0;
	bool found = false;

	for (size_t i = 0; i < len; i++) {
		bool is_digit = ascii_is_digit((unsigned char)value[i]);
		bool is_letter = ascii_is_letter((unsigned char)value[i]);
		if (!is_digit && !is_letter && (!value[i] || !strchr("_+/=~.-", value[i])))
			return false;
		letters = is_letter ? letters + 1 : is_digit ? letters : 0;
		digits = is_digit ? digits + 1 : is_letter ? digits : 0;
		found |= letters > 0 && digits > 0 && letters + digits >= LEAST;
	}
	return found;
}

bool
secret_is_value(enum secret_kind kind, const char *value, size_t len)
{
	size_t i = 0;

	if (kind == SECRET_BY_VALUE)
		return looks_random(value, len);
	if (kind != SECRET_NOT_NUMBER)
		return kind == SECRET_ALWAYS;
	while (i < len && (ascii_is_digit((unsigned char)value[i]) ||
			      (value[i] && strchr("+-.,_%eE", value[i]))))
		i++;
	return i < len;
}

const char *const secret_pair_names[] = { "name", "key", "header", "field", "variable", "parameter",
	"option", "k", NULL };
const char *const secret_pair_values[] = { "value", "values", "val", "v", "plaintext", NULL };

static bool
is_reference(const char *value, size_t len)
{
	return len > 3 && memcmp(value, "${", 2) == 0 && memchr(value, '}', len) == value + len - 1;
}

void
secret_hide_member(struct buf *out, const char *member, size_t len)
{
	const char *equals = memchr(member, '=', len);
	size_t name = equals ? (size_t)(equals - member) : len;

	if (equals && secret_is_named(member, name) && !is_reference(equals + 1, len - name - 1))
		buf_addf(out, "%.*s=" SECRET_HIDDEN, (int)name, member);
	else
		buf_add(out, member, len);
}

void
secret_hide_url(struct buf *out, const char *url)
{
	size_t before = strcspn(url, "?#");

	buf_add(out, url, before);
	for (const char *at = url + before; *at;) {
		buf_add_char(out, *at++);
		size_t member = strcspn(at, "&#");
		secret_hide_member(out, at, member);
		at += member;
	}
}

void
secret_hide_users(struct buf *out, const char *text, size_t len)
{
	const char *end = text + len;

	for (const char *mark; (mark = memmem(text, (size_t)(end - text), "//", 2)) != NULL;) {
		const char *host = mark + 2, *stop = host, *at;
		while (stop < end && !strchr("/?#\\ ,;\"<>", *stop))
			stop++;
		at = memrchr(host, '@', (size_t)(stop - host));
		buf_add(out, text, (size_t)(host - text));
		buf_add_str(out, at ? SECRET_HIDDEN : "");
		text = at ? at : host;
	}
	buf_add(out, text, (size_t)(end - text));
}

void
secret_hide_header(struct buf *out, const char *line, size_t len)
{
	size_t name = 0;

	while (name < len && !strchr(" /?#&=:", line[name]))
		name++;
	if (name < len && line[name] == ':' && secret_is_named(line, name)) {
		buf_add(out, line, name);
		buf_add_str(out, ": " SECRET_HIDDEN);
		return;
	}
	struct buf text = BUF_INIT;
	secret_hide_users(&text, line, strnlen(line, len));
	secret_hide_url(out, buf_text(&text));
	buf_finish(&text);
}

void
secret_shield_process(void)
{
	if (!getenv("MCPANE_DEBUG"))
		prctl(PR_SET_DUMPABLE, 0);
}
