#include "base/secret.h"

#include "base/ascii.h"
#include "base/mem.h"
#include "base/vec.h"

#include <ctype.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/prctl.h>

#define NAME_BYTES 64 /* its end decides */

/* Endings of names, in lower-case letters alone, so that "idToken" and "id_token" are one. */
static const char *const ends[] = { "token", "secret", "password", "passwd", "passphrase", "pwd",
	"key", "signature", "sig", "credential", "credentials", "assertion", "jwt", "sessionid" };

/* Whole names: as an end they would be that of many a word. */
static const char *const names[] = { "code", "authorizationcode", "devicecode", "codeverifier",
	"auth", "authorization", "proxyauthorization", "cookie", "setcookie", "pass" };

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

bool
secret_is_named(const char *name, size_t len)
{
	char letters[NAME_BYTES + 1];
	size_t n = simplify(letters, name, len);
	const char *simple = letters + n;

	n = NAME_BYTES - n;
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

/* ---- any text ---- */

struct hider {
	struct buf *out;
	const char *at, *end;
};

static void
copy_to(struct hider *t, const char *to)
{
	buf_add(t->out, t->at, (size_t)(to - t->at));
	t->at = to;
}

static void
hide_to(struct hider *t, const char *to)
{
	if (to > t->at)
		buf_add_str(t->out, SECRET_HIDDEN);
	t->at = to;
}

static bool
is_name_char(char c)
{
	return isalnum((unsigned char)c) || (c && strchr("_-.%[]", c));
}

static const char *
skip_name(const char *at, const char *end)
{
	while (at < end && is_name_char(*at))
		at++;
	return at;
}

static const char *
skip_to(const char *at, const char *end, const char *stops)
{
	while (at < end && !strchr(stops, *at)) /* NUL stops too */
		at++;
	return at;
}

/* Blanks, and the colors of a terminal: ESC [ 3 2 m. */
static const char *
skip_blanks(const char *at, const char *end)
{
	for (;;) {
		while (at < end && (*at == ' ' || *at == '\t'))
			at++;
		if (end - at < 2 || at[0] != '\x1b' || at[1] != '[')
			return at;
		const char *last = at + 2;
		while (last < end && (isdigit((unsigned char)*last) || *last == ';'))
			last++;
		if (last == end || *last != 'm')
			return at;
		at = last + 1;
	}
}

/* A quote may be within a quoted text: \". */
static const char *
skip_quote(const char *at, const char *end, size_t *slashes)
{
	const char *quote = at;

	while (quote < end && *quote == '\\')
		quote++;
	*slashes = (size_t)(quote - at);
	return quote < end && (*quote == '"' || *quote == '\'') ? quote + 1 : at;
}

/* The closing quote with what belongs to it; the end of the line if there is none. */
static const char *
find_closing(const char *at, const char *end, char quote, size_t slashes)
{
	size_t run = 0;

	for (; at < end && *at != '\n'; at++) {
		if (*at == quote && (slashes ? run == slashes : run % 2 == 0))
			return at - slashes;
		run = *at == '\\' ? run + 1 : 0;
	}
	return at;
}

/* Values of more than one word. */
static bool
is_whole_line(const char *name, size_t len)
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

/* "${...}", or "Bearer ${...}". */
static bool
is_reference_line(const char *value, const char *stop)
{
	static const char *const schemes[] = { "Bearer ", "Basic " };

	for (size_t i = 0; i < ARRAY_LEN(schemes); i++) {
		size_t len = strlen(schemes[i]);
		if ((size_t)(stop - value) > len && strncasecmp(value, schemes[i], len) == 0)
			value += len;
	}
	return is_reference(value, (size_t)(stop - value));
}

/* The value of this name, which begins here. */
static void
hide_value(struct hider *t, const char *name, size_t len)
{
	size_t slashes;
	const char *value = skip_quote(t->at, t->end, &slashes);
	const char *stop;

	if (value > t->at)
		stop = find_closing(value, t->end, value[-1], slashes);
	else if (is_whole_line(name, len))
		stop = skip_to(value, t->end, "\"'\r\n\x1b");
	else if (t->end - value > 2 && memcmp(value, "${", 2) == 0)
		stop = skip_to(value, t->end, " \t\r\n\"'`,;&<>\x1b\\");
	else
		stop = skip_to(value, t->end, " \t\r\n\"'`,;&<>{}\x1b\\");
	copy_to(t, value);
	if (is_reference_line(value, stop))
		copy_to(t, stop);
	else
		hide_to(t, stop);
}

/* "Bearer eyJhb...": not "a bearer token". The word is looked at first, because what follows may be
 * as long as the text, and every word of it would look again. */
static void
hide_bearer(struct hider *t, const char *word)
{
	if (t->at - word != 6 || strncasecmp(word, "bearer", 6) != 0)
		return;
	const char *value = skip_blanks(t->at, t->end);
	if (value == t->at)
		return;
	const char *stop = skip_to(value, t->end, " \t\r\n\"'`,;<>{}\x1b\\");
	bool digits = false;

	for (const char *at = value; at < stop; at++)
		digits |= isdigit((unsigned char)*at) != 0;
	if (stop - value < 8 || !digits)
		return;
	copy_to(t, value);
	hide_to(t, stop);
}

/* After a name: copies what is between it and its value. False: it has none. */
static bool
find_value(struct hider *t, const char *name, size_t len)
{
	size_t slashes;
	const char *at = skip_blanks(skip_quote(t->at, t->end, &slashes), t->end);
	bool is_option = len > 2 && memcmp(name, "--", 2) == 0 && at > t->at;

	if (at < t->end && (*at == '=' || *at == ':')) {
		/* "exit code: 1", "code: -32601" */
		if (*at == ':' && len == 4 && strncasecmp(name, "code", 4) == 0)
			return false;
		at = skip_blanks(at + 1, t->end);
	} else if (!is_option) {
		return false;
	} else if (at < t->end && *at == ',') { /* a list of arguments */
		at = skip_blanks(at + 1, t->end);
	}
	copy_to(t, at);
	return true;
}

static void
hide_word_url(struct hider *t, const char *word)
{
	const char *stop = skip_to(t->at, t->end, " \t\r\n\"'`<>\x1b\\");
	struct buf url = BUF_INIT, plain = BUF_INIT;

	add_without_users(&plain, word, (size_t)(stop - word));
	secret_hide_url(&url, buf_text(&plain));
	buf_add(t->out, buf_text(&url), url.len);
	t->at = stop;
	buf_finish(&url);
	buf_finish(&plain);
}

/* ---- values ---- */

/* Only ever longer: other threads read it meanwhile. */
enum { VALUES_MAX = 64 };
static const char *values[VALUES_MAX];
static atomic_size_t value_count;

bool
secret_note_value(const char *value)
{
	size_t count = atomic_load(&value_count);

	for (size_t i = 0; i < count; i++)
		if (strcmp(values[i], value) == 0)
			return true;
	if (strlen(value) < SECRET_VALUE_MIN || count == VALUES_MAX)
		return false;
	values[count] = mem_strdup(value);
	atomic_store(&value_count, count + 1);
	return true;
}

/* The first of the values in the text; of those that begin there the longest. NULL: none. */
static const char *
find_noted(const char *text, size_t len, size_t *found_len)
{
	const char *found = NULL;

	for (size_t i = 0; i < atomic_load(&value_count); i++) {
		size_t value = strlen(values[i]);
		const char *at = memmem(text, len, values[i], value);
		if (at && (!found || at < found || (at == found && value > *found_len))) {
			found = at;
			*found_len = value;
		}
	}
	return found;
}

bool
secret_hide_values(struct buf *out, const char *text, size_t len)
{
	const char *end = text + len, *at;
	size_t value = 0;

	if (atomic_load(&value_count) == 0 || !find_noted(text, len, &value))
		return false;
	while ((at = find_noted(text, (size_t)(end - text), &value))) {
		buf_add(out, text, (size_t)(at - text));
		buf_add_str(out, SECRET_HIDDEN);
		text = at + value;
	}
	buf_add(out, text, (size_t)(end - text));
	return true;
}

static void
hide_named(struct buf *out, const char *text, size_t len)
{
	struct hider t = { .out = out, .at = text, .end = text + len };

	while (t.at < t.end) {
		const char *word = t.at, *stop = skip_name(word, t.end);
		size_t name = (size_t)(stop - word);
		if (name == 0) {
			copy_to(&t, word + 1);
		} else if (t.end - stop > 3 && memcmp(stop, "://", 3) == 0) {
			t.at = stop;
			hide_word_url(&t, word);
		} else {
			copy_to(&t, stop);
			if (!secret_is_named(word, name))
				hide_bearer(&t, word);
			else if (find_value(&t, word, name))
				hide_value(&t, word, name);
		}
	}
}

bool
secret_hide_text(struct buf *out, const char *text, size_t len)
{
	struct buf plain = BUF_INIT;
	size_t before = out->len;

	if (secret_hide_values(&plain, text, len))
		hide_named(out, buf_text(&plain), plain.len);
	else
		hide_named(out, text, len);
	buf_finish(&plain);
	return out->len - before != len || (len > 0 && memcmp(out->data + before, text, len) != 0);
}

void
secret_shield_process(void)
{
	if (!getenv("MCPANE_DEBUG"))
		prctl(PR_SET_DUMPABLE, 0);
}
