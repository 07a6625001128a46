#include "base/mem.h"
#include "base/needle.h"
#include "base/vec.h"
#include "model/journal.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct term;
typedef bool match_fn(const struct term *t, const struct journal_entry *e);

struct term {
	match_fn *match;
	struct needle text; /* in lower case */
	bool negated;
};

struct journal_filter {
	struct term *items;
	size_t len, cap;
};

/* Is what was typed the beginning of the word? */
static bool
begins(const struct term *t, const char *word)
{
	return strncmp(word, t->text.text, t->text.len) == 0;
}

static bool
match_text(const struct term *t, const struct journal_entry *e)
{
	return needle_is_in(&t->text, e->bytes->data, e->bytes->len);
}

static bool
match_method(const struct term *t, const struct journal_entry *e)
{
	return e->method && needle_is_in(&t->text, e->method, strlen(e->method));
}

static bool
match_dir(const struct term *t, const struct journal_entry *e)
{
	if (begins(t, "in") || begins(t, "received"))
		return e->kind == JOURNAL_RECEIVED;
	return e->kind == JOURNAL_SENT && (begins(t, "out") || begins(t, "sent"));
}

/* An id is looked for as a whole; one that is a string also without its quotes. */
static bool
match_id(const struct term *t, const struct journal_entry *e)
{
	if (!e->rpc_id)
		return false;
	size_t len = strlen(e->rpc_id);
	if (len == t->text.len + 2 && e->rpc_id[0] == '"')
		return strncasecmp(e->rpc_id + 1, t->text.text, t->text.len) == 0;
	return strcasecmp(e->rpc_id, t->text.text) == 0;
}

static bool
match_status(const struct term *t, const struct journal_entry *e)
{
	bool bad = e->is_error || e->flaw;

	return begins(t, "error") ? bad : begins(t, "ok") && !bad;
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
	return begins(t, kind_of(e));
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

/* A prefix that nothing follows yet says nothing yet. */
static void
add_word(struct journal_filter *f, const char *word, size_t len)
{
	struct term t = { .match = match_text };

	if (len > 1 && word[0] == '-') {
		t.negated = true;
		word++;
		len--;
	}
	for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++) {
		size_t n = strlen(prefixes[i].name);
		if (len < n || strncasecmp(word, prefixes[i].name, n) != 0)
			continue;
		t.match = prefixes[i].match;
		word += n;
		len -= n;
		if (len == 0)
			return;
		break;
	}
	needle_init(&t.text, word, len);
	*VEC_PUSH(f) = t;
}

struct journal_filter *
journal_filter_create(const char *text)
{
	struct journal_filter *f = mem_zalloc(sizeof(*f));

	for (const char *at = text; *(at += strspn(at, " \t"));) {
		size_t len = strcspn(at, " \t");
		add_word(f, at, len);
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
		needle_finish(&f->items[i].text);
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
