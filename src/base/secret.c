#include "base/secret.h"

#include "base/ascii.h"
#include "base/vec.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>

#define NAME_BYTES 64 /* its end decides */

/* Endings of names, in lower-case letters alone, so that "idToken" and "id_token" are one. */
static const char *const ends[] = { "token", "secret", "password", "passwd", "passphrase", "pwd",
	"key", "signature", "sig", "credential", "credentials", "assertion", "jwt", "sessionid" };

/* Whole names: as an end they would be that of many a word. */
static const char *const names[] = { "code", "authorizationcode", "devicecode", "codeverifier",
	"auth", "authorization", "proxyauthorization", "cookie", "setcookie", "pass" };

/* The last letters and digits of the name; returns how many. */
static size_t
simplify(char out[NAME_BYTES + 1], const char *name, size_t len)
{
	size_t n = 0;

	for (size_t i = 0; i < len; i++) {
		char c = name[i];
		int byte = c == '%' && len - i > 2 ? hex_number(name + i + 1, 2) : -1;
		if (byte >= 0) {
			c = (char)byte;
			i += 2;
		}
		if (!isalnum((unsigned char)c))
			continue;
		if (n == NAME_BYTES)
			memmove(out, out + 1, --n);
		out[n++] = (char)tolower((unsigned char)c);
	}
	out[n] = '\0';
	return n;
}

bool
secret_is_named(const char *name, size_t len)
{
	char simple[NAME_BYTES + 1];
	size_t n = simplify(simple, name, len);

	for (size_t i = 0; i < ARRAY_LEN(ends); i++)
		if (n >= strlen(ends[i]) && strcmp(simple + n - strlen(ends[i]), ends[i]) == 0)
			return true;
	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		if (strcmp(simple, names[i]) == 0)
			return true;
	return false;
}

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

/* "https://user:password@host", "//user@host": who is named before the host. */
static void
add_without_users(struct buf *out, const char *text, size_t len)
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
	add_without_users(&text, line, strnlen(line, len));
	secret_hide_url(out, buf_text(&text));
	buf_finish(&text);
}

void
secret_shield_process(void)
{
	if (!getenv("MCPANE_DEBUG"))
		prctl(PR_SET_DUMPABLE, 0);
}
