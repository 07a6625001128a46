#include "base/mem.h"
#include "base/vec.h"
#include "model/journal.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct term;
typedef bool match_fn(const struct term *t, const struct journal_entry *e);

struct term {
	match_fn *match;
	char *text;
	size_t len;
	bool negated;
};

struct journal_filter {
	struct term *items;
	size_t len, cap;
};

static char
lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
}

static bool
match_text(const struct term *t, const struct journal_entry *e)
{
	const char *data = e->bytes->data;
	size_t len = e->bytes->len;

	for (size_t i = 0; i + t->len <= len; i++) {
		size_t k = 0;
		while (k < t->len && lower(data[i + k]) == lower(t->text[k]))
			k++;
		if (k == t->len)
			return true;
	}
	return false;
}

static bool
match_method(const struct term *t, const struct journal_entry *e)
{
	return e->method && strcasestr(e->method, t->text);
}

static bool
match_dir(const struct term *t, const struct journal_entry *e)
{
	if (t->len == 0)
		return true;
	if (strncasecmp("in", t->text, t->len) == 0 ||
	    strncasecmp("received", t->text, t->len) == 0)
		return e->kind == JOURNAL_RECEIVED;
	return e->kind == JOURNAL_SENT && (strncasecmp("out", t->text, t->len) == 0 ||
					      strncasecmp("sent", t->text, t->len) == 0);
}

static bool
match_id(const struct term *t, const struct journal_entry *e)
{
	if (!e->rpc_id)
		return t->len == 0;
	size_t len = strlen(e->rpc_id);
	if (len == t->len + 2 && e->rpc_id[0] == '"')
		return memcmp(e->rpc_id + 1, t->text, t->len) == 0;
	return strcmp(e->rpc_id, t->text) == 0;
}

static bool
match_status(const struct term *t, const struct journal_entry *e)
{
	bool bad = e->is_error || e->flaw;

	if (strncasecmp("error", t->text, t->len) == 0)
		return bad;
	return strncasecmp("ok", t->text, t->len) == 0 && !bad;
}

static const char *
kind_of(const struct journal_entry *e)
{
	if (e->kind == JOURNAL_STDERR)
		return "stderr";
	if (e->kind == JOURNAL_NOTE)
		return "note";
	switch (e->message) {
	case MESSAGE_REQUEST:
		return "request";
	case MESSAGE_NOTIFICATION:
		return "notification";
	case MESSAGE_RESULT:
	case MESSAGE_ERROR:
		return "reply";
	default:
		return "bad";
	}
}

static bool
match_kind(const struct term *t, const struct journal_entry *e)
{
	return strncasecmp(kind_of(e), t->text, t->len) == 0;
}

static const struct {
	const char *name;
	match_fn *match;
} prefixes[] = {
	{ "method:", match_method },
	{ "dir:", match_dir },
	{ "id:", match_id },
	{ "status:", match_status },
	{ "kind:", match_kind },
};

static struct term
term_from_word(const char *word, size_t len)
{
	struct term t = { .match = match_text };

	if (len > 1 && word[0] == '-') {
		t.negated = true;
		word++;
		len--;
	}
	for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++) {
		size_t n = strlen(prefixes[i].name);
		if (len >= n && strncasecmp(word, prefixes[i].name, n) == 0) {
			t.match = prefixes[i].match;
			word += n;
			len -= n;
			break;
		}
	}
	t.text = mem_strndup(word, len);
	t.len = len;
	return t;
}

struct journal_filter *
journal_filter_create(const char *text)
{
	struct journal_filter *f = mem_zalloc(sizeof(*f));

	for (const char *at = text; *(at += strspn(at, " \t"));) {
		size_t len = strcspn(at, " \t");
		*VEC_PUSH(f) = term_from_word(at, len);
		at += len;
	}
	return f;
}

void
journal_filter_destroy(struct journal_filter *f)
{
	if (!f)
		return;
	for (size_t i = 0; i < f->len; i++)
		free(f->items[i].text);
	free(f->items);
	free(f);
}

bool
journal_filter_matches(const struct journal_filter *f, const struct journal_entry *e)
{
	for (size_t i = 0; i < f->len; i++)
		if (f->items[i].match(&f->items[i], e) == f->items[i].negated)
			return false;
	return true;
}
