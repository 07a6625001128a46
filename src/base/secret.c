/* SPDX-License-Identifier: MIT */
#include "base/secret.h"

#include "base/ascii.h"
#include "base/base64.h"
#include "base/strings.h"
#include "base/vec.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/prctl.h>

#define NAME_BYTES 64 /* its end decides */

/* Words before "token" that continue a list or belong to a language model. */
static const char *const open_tokens[] = { "next", "page", "continuation", "progress", "sync",
	"start", "stop", "eos", "bos", "pad", "unk", "sep", "cls", "mask", NULL };
/* And before "key" in tables, stores and other words. */
static const char *const open_keys[] = { "primary", "foreign", "public", "sort", "partition",
	"issue", "object", "cache", "row", "parent", "project", "routing", "range", "unique",
	"idempotency", "message", "translation", "group", "column", "index", "hot", "mon", "don",
	"tur", "hoc", "joc", "whis", "space", "board", "lookup", "feature", "flag", "natural",
	"composite", "item", "doc", "document", "field", "component", "rule", "metric", "legend",
	"answer", "i18n", NULL };

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
	{ ENDING("workspacekey"), SECRET_ALWAYS, false, NULL },
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

static const struct ending *
find_ending(const char *simple, size_t len)
{
	for (size_t i = 0; len > 0 && i < ARRAY_LEN(endings); i++) {
		const struct ending *e = &endings[i];
		if (e->letters[e->len - 1] != simple[len - 1] ||
		    !text_ends(simple, len, e->letters) || (e->whole && e->len != len))
			continue;
		for (const char *const *o = e->open; o && *o; o++)
			if (text_ends(simple, len - e->len, *o))
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
	if (n < 2 || letters[NAME_BYTES - 1] != 's' || !(e = find_ending(letters + first, n - 1)) ||
	    e->whole)
		return SECRET_NONE;
	return e->kind == SECRET_ALWAYS ? SECRET_NOT_NUMBER : e->kind;
}

bool
secret_is_named(const char *name, size_t len)
{
	return secret_kind(name, len) != SECRET_NONE;
}

/* A run of letters and digits, mixed and longer than in any word or UUID. */
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

void
secret_hide_member(struct buf *out, const char *member, size_t len)
{
	const char *equals = memchr(member, '=', len);
	size_t name = equals ? (size_t)(equals - member) : len;
	const char *value = equals ? equals + 1 : member + len;
	size_t rest = (size_t)(member + len - value);
	bool is_reference =
	    rest > 3 && memcmp(value, "${", 2) == 0 && memchr(value, '}', rest) == value + rest - 1;

	if (equals && secret_is_named(member, name) && !is_reference)
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

/*
 * ---- any text ----
 *
 * Each byte is read a bounded number of times: a look-ahead either consumes the bytes it read, or
 * stops where the next look-ahead starts.
 */

struct name {
	const char *at; /* in the text; NULL: none */
	size_t len;
};

struct hider {
	struct buf *out;
	const char *from, *at, *end;
	struct name of_value; /* of the "value" that comes in this object */
};

#define NAME_SIGNS "_-.%[]" /* of names, beside letters and digits */
#define BREAKS " \t\r\n\"'`,;<>\x1b\\"

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
is_in(char c, const char *signs)
{
	return ascii_is_alnum((unsigned char)c) || (c && strchr(signs, c));
}

static const char *
skip_in(const char *at, const char *end, const char *signs)
{
	while (at < end && is_in(*at, signs))
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

/* Blanks, also those that break no line, and the colors of a terminal: ESC [ 3 2 m. */
static const char *
secret_skip_blanks(const char *at, const char *end)
{
	static const char *const wide[] = { "\xc2\xa0", "\xe2\x80\x87", "\xe2\x80\xaf",
		"\xe3\x80\x80" };

	for (;;) {
		while (at < end && (*at == ' ' || *at == '\t'))
			at++;
		size_t i = 0;
		while (i < ARRAY_LEN(wide) && !text_begins(at, end, wide[i]))
			i++;
		if (i < ARRAY_LEN(wide)) {
			at += strlen(wide[i]);
			continue;
		}
		if (!text_begins(at, end, "\x1b["))
			return at;
		const char *last = at + 2;
		while (last < end && (ascii_is_digit((unsigned char)*last) || *last == ';'))
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

/* The closing quote and its escapes; without one, the end of the line. */
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

static bool
is_one_of(struct name word, const char *const *words)
{
	for (; *words; words++)
		if (word.len == strlen(*words) && strncasecmp(word.at, *words, word.len) == 0)
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
	return stop - value > 3 && text_begins(value, stop, "${") &&
	       memchr(value, '}', (size_t)(stop - value)) == stop - 1;
}

/* ---- arrays ---- */

/* Behind the bracket that closes the array, or the end. */
static const char *
skip_array(const char *at, const char *end)
{
	for (size_t depth = 0; at < end;) {
		size_t slashes;
		const char *in = skip_quote(at, end, &slashes);
		if (in > at) {
			const char *stop = find_closing(in, end, in[-1], slashes);
			at = stop == end || *stop == '\n' ? stop : stop + slashes + 1;
			continue;
		}
		at += slashes;
		if (at == end)
			break;
		depth += *at == '[';
		depth -= *at == ']';
		at++;
		if (depth == 0)
			break;
	}
	return at;
}

/* A JSON array is hidden as a whole, even if its end is missing. Others, such as a parser's quotes,
 * are hidden only if they end on the same line. */
static const char *
find_array_end(const char *at, const char *end)
{
	const char *first = at + 1, *from;
	size_t slashes;

	do { /* lines may also be those of a text in a text: \n */
		from = first;
		first = secret_skip_blanks(first, end);
		while (first < end && (*first == '\n' || *first == '\r'))
			first++;
		while (end - first > 1 && *first == '\\' && strchr("nrt", first[1]))
			first += 2;
	} while (first > from);
	if (first > at + 1 && first == end)
		return end;
	if (skip_quote(first, end, &slashes) > first ||
	    (first < end && strchr("[{", *first) && *first))
		return skip_array(at, end);
	const char *stop = skip_to(at + 1, end, "[]\n");
	return stop < end && *stop == ']' ? stop + 1 : NULL;
}

/* ---- values ---- */

/* Not a secret, for its name is also that of much else; copied, or its one word hidden. */
static bool
hide_doubtful(struct hider *t, enum secret_kind kind, const char *value)
{
	if (kind == SECRET_BY_VALUE) {
		const char *stop = skip_in(value, t->end, "_+/=~.-");
		if (secret_is_value(kind, value, (size_t)(stop - value)))
			hide_to(t, stop);
		return true;
	}
	if (kind != SECRET_NOT_NUMBER)
		return false;
	value += value < t->end && *value == '[';
	const char *stop = skip_in(value, t->end, "+-.,_%");
	return stop > value && !secret_is_value(kind, value, (size_t)(stop - value));
}

/* The value of this name, which begins here. */
static void
hide_value(struct hider *t, struct name name, enum secret_kind kind)
{
	static const char *const with_blanks[] = { "authorization", "proxyauthorization", "cookie",
		"setcookie", NULL };
	static const char *const nothing[] = { "null", "none", "nil", "true", "false", "undefined",
		NULL };
	size_t slashes;
	const char *value = skip_quote(t->at, t->end, &slashes), *stop = NULL;
	bool quoted = value > t->at;
	char letters[NAME_BYTES + 1];

	copy_to(t, value);
	if (hide_doubtful(t, kind, value))
		return;
	if (!quoted && value < t->end && *value == '{') {
		copy_to(t, value + 1);
		t->of_value = name;
		return;
	}
	if (quoted)
		stop = find_closing(value, t->end, value[-1], slashes);
	else if (value < t->end && *value == '[')
		stop = find_array_end(value, t->end);
	if (!stop && words_have(with_blanks, letters + simplify(letters, name.at, name.len)))
		stop = skip_to(value, t->end, "\"'\r\n\x1b");
	if (!stop)
		stop = skip_to(
		    value, t->end, text_begins(value, t->end, "${") ? BREAKS "&" : BREAKS "&{}");
	const char *last = stop; /* in code a bracket may follow */
	while (last > value && (last[-1] == ')' || last[-1] == ']'))
		last--;
	struct name bare = { value, (size_t)(last - value) };
	if (is_reference_line(value, stop) || (!quoted && is_one_of(bare, nothing)))
		copy_to(t, stop);
	else
		hide_to(t, stop);
}

/* "Bearer eyJhb...": not "a bearer token". "Basic dXNlcjpwYXNz": a user and a password. The word is
 * checked first: the rest may be as long as the text, and each of its words would scan it again. */
static void
hide_after_scheme(struct hider *t, struct name word)
{
	bool is_bearer = word.len == 6 && strncasecmp(word.at, "bearer", 6) == 0;
	bool is_basic = word.len == 5 && strncasecmp(word.at, "basic", 5) == 0;
	struct buf user = BUF_INIT;

	if (!is_bearer && !is_basic)
		return;
	const char *value = secret_skip_blanks(t->at, t->end);
	if (value == t->at)
		return;
	const char *stop = skip_to(value, t->end, BREAKS "{}");
	bool is_secret = false;
	for (const char *at = value; is_bearer && at < stop; at++)
		is_secret |= ascii_is_digit((unsigned char)*at) != 0;
	if (is_basic)
		is_secret = base64_decode(&user, value, (size_t)(stop - value)) &&
			    memchr(buf_text(&user), ':', user.len);
	buf_finish(&user);
	if (!is_secret || stop - value < 8)
		return;
	copy_to(t, value);
	hide_to(t, stop);
}

/* After a name: "=", ":", "=>", ":=", "==" of code, and those of East Asian texts. NULL: none of
 * them. */
static const char *
skip_sign(const char *at, const char *end)
{
	static const char *const signs[] = { "===", "==", "=>", ":=", "=", ":", "\xef\xbc\x9d",
		"\xef\xbc\x9a" };

	for (size_t i = 0; i < ARRAY_LEN(signs); i++)
		if (text_begins(at, end, signs[i]))
			return at + strlen(signs[i]);
	return NULL;
}

/* The value is on the next lines: a string, items of a list, or one word alone on a line. False: it
 * is not; for instance, named members follow. */
static bool
hide_lines(struct hider *t, struct name name, enum secret_kind kind)
{
	const char *at = t->at, *stop, *next;
	bool is_list = false;

	for (;; at = stop) {
		at += at < t->end && *at == '\r';
		if (at == t->end || *at != '\n')
			return is_list;
		at = secret_skip_blanks(at + 1, t->end);
		if (at < t->end && (*at == '"' || *at == '\'' || *at == '[')) {
			copy_to(t, at);
			hide_value(t, name, kind);
			return true;
		}
		bool is_item = text_begins(at, t->end, "- ");
		at = is_item ? secret_skip_blanks(at + 2, t->end) : at;
		stop = skip_to(at, t->end, BREAKS "{}:=");
		next = secret_skip_blanks(stop, t->end);
		if ((is_list && !is_item) || stop - at < SECRET_VALUE_MIN ||
		    (next < t->end && !strchr("\r\n", *next)) ||
		    !secret_is_value(kind, at, (size_t)(stop - at)))
			return is_list;
		copy_to(t, at);
		hide_to(t, stop);
		if (!is_item)
			return true;
		is_list = true;
	}
}

/* <password>VALUE</password> */
static bool
hide_element(struct hider *t, enum secret_kind kind, const char *word)
{
	enum { LONGEST = 32 }; /* of the name of a namespace */
	const char *next = secret_skip_blanks(t->at, t->end), *at = word;

	if (at > t->from && at[-1] == ':') /* "<ns:password" */
		for (at--; at > t->from && word - at < LONGEST && is_in(at[-1], NAME_SIGNS);)
			at--;
	if (at == t->from || at[-1] != '<' || skip_sign(next, t->end) ||
	    (next == t->at && !text_begins(next, t->end, ">")))
		return false;
	const char *stop = skip_to(t->at, t->end, "<>\n");
	if (stop == t->end || *stop != '>' || stop[-1] == '/')
		return true;
	copy_to(t, stop + 1);
	stop = skip_to(t->at, t->end, "<");
	if (kind == SECRET_ALWAYS || secret_is_value(kind, t->at, (size_t)(stop - t->at)))
		hide_to(t, stop);
	return true;
}

/* The value after this name, if it has one. */
static void
hide_named(struct hider *t, struct name name, enum secret_kind kind)
{
	size_t slashes;
	const char *at = secret_skip_blanks(skip_quote(t->at, t->end, &slashes), t->end);
	const char *value = skip_sign(at, t->end);
	bool is_option = name.len > 2 && memcmp(name.at, "--", 2) == 0 && at > t->at;

	if (value) {
		/* "exit code: 1", "code: -32601", "PWD=/home/me" */
		if (*at == ':' && name.len == 4 && strncasecmp(name.at, "code", 4) == 0)
			return;
		if (name.len >= 3 && strncasecmp(name.at + name.len - 3, "pwd", 3) == 0 &&
		    text_begins(value, t->end, "/"))
			return;
		/* a key of much else is written "key: value" */
		if (kind == SECRET_BY_VALUE && *at == '=')
			kind = SECRET_ALWAYS;
		value = secret_skip_blanks(value, t->end);
	} else if (is_option) {
		bool is_list = at < t->end && *at == ',';
		value = is_list ? secret_skip_blanks(at + 1, t->end) : at;
		kind = SECRET_ALWAYS;
	} else {
		return;
	}
	copy_to(t, value);
	if (value < t->end && (*value == '\n' || *value == '\r'))
		hide_lines(t, name, kind);
	else
		hide_value(t, name, kind);
}

/* ---- pairs: {"name": "Authorization", "value": "..."} ---- */

/* The kind of name that this word announces, as "name" and "key" do. */
static void
note_pair(struct hider *t, struct name word)
{
	enum { LONGEST = 64 };
	size_t slashes;

	if (!is_one_of(word, secret_pair_names))
		return;
	const char *at = secret_skip_blanks(skip_quote(t->at, t->end, &slashes), t->end);
	if (at == t->end || *at != ':')
		return;
	at = secret_skip_blanks(at + 1, t->end);
	const char *name = skip_quote(at, t->end, &slashes);
	const char *stop =
	    skip_in(name, t->end - name < LONGEST ? t->end : name + LONGEST, NAME_SIGNS);
	size_t len = (size_t)(stop - name);
	t->of_value = secret_is_named(name, len) ? (struct name){ name, len } : (struct name){ 0 };
}

/* ---- the text ---- */

static void
hide_names(struct buf *out, const char *text, size_t len)
{
	enum { NEAR = 1024 }; /* a pair is small */
	struct hider t = { .out = out, .from = text, .at = text, .end = text + len };

	while (t.at < t.end) {
		const char *word = t.at, *stop = skip_in(word, t.end, NAME_SIGNS);
		if (stop == word) {
			if (*word == '{' || *word == '}')
				t.of_value.at = NULL;
			copy_to(&t, word + 1);
		} else if (text_begins(stop, t.end, "://")) {
			struct buf url = BUF_INIT, plain = BUF_INIT;
			t.at = skip_to(stop, t.end, " \t\r\n\"'`<>\x1b\\");
			add_without_users(&plain, word, (size_t)(t.at - word));
			secret_hide_url(&url, buf_text(&plain));
			buf_add(out, buf_text(&url), url.len);
			buf_finish(&url);
			buf_finish(&plain);
		} else {
			struct name name = { word, (size_t)(stop - word) }, of = name;
			if (t.of_value.at && word - t.of_value.at < NEAR &&
			    is_one_of(name, secret_pair_values))
				of = t.of_value;
			enum secret_kind kind = secret_kind(of.at, of.len);
			copy_to(&t, stop);
			if (kind == SECRET_NONE)
				hide_after_scheme(&t, name);
			note_pair(&t, name);
			if (kind != SECRET_NONE && !hide_element(&t, kind, word))
				hide_named(&t, of, kind);
		}
	}
}

bool
secret_hide_text(struct buf *out, const char *text, size_t len)
{
	struct buf plain = BUF_INIT;
	size_t before = out->len;

	if (secret_hide_tokens(&plain, text, len))
		hide_names(out, buf_text(&plain), plain.len);
	else
		hide_names(out, text, len);
	buf_finish(&plain);
	return out->len - before != len || (len > 0 && memcmp(out->data + before, text, len) != 0);
}

void
secret_shield_process(void)
{
	if (!getenv("MCPANE_DEBUG"))
		prctl(PR_SET_DUMPABLE, 0);
}
