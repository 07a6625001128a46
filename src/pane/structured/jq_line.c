/* SPDX-License-Identifier: MIT */
#include "structured.h"

#include "base/ascii.h"
#include "base/glyph.h"
#include "base/mem.h"
#include "base/secret.h"
#include "base/units.h"
#include "base/vec.h"
#include "json/print.h"
#include "json/rows.h"
#include "pane/pane_text.h"

#include <stdlib.h>
#include <string.h>

/* The jq expression of a value: its completions, its result, and the line in which it is typed. */

/*
 * ---- completion ----
 *
 * Completes the end of a jq expression with the keys of the value there, and with functions of jq.
 * It follows paths, pipes and the arguments of common functions. After any other expression it
 * offers no keys.
 */

enum { NODES_MAX = 64, DEPTH_MAX = 32, WORDS_MAX = 200, NAME_MAX_BYTES = 200 };

/* Possible values of an expression; empty if unknown. */
struct nodes {
	const cJSON *items[NODES_MAX];
	size_t len;
	int wrapped; /* number of arrays that the expression made around them */
};

/* The input of a function's argument, and the function's result. */
enum flow { FLOW_UNKNOWN, FLOW_INPUT, FLOW_ITEMS, FLOW_ARRAY_OF_ARGUMENT };

static const struct jq_function {
	const char *name; /* with "(" if it takes an argument */
	enum flow argument, gives;
} functions[] = {
	{ "add", FLOW_UNKNOWN, FLOW_UNKNOWN },
	{ "all(", FLOW_ITEMS, FLOW_UNKNOWN },
	{ "any(", FLOW_ITEMS, FLOW_UNKNOWN },
	{ "arrays", FLOW_UNKNOWN, FLOW_INPUT },
	{ "ascii_downcase", FLOW_UNKNOWN, FLOW_UNKNOWN },
	{ "contains(", FLOW_UNKNOWN, FLOW_UNKNOWN },
	{ "del(", FLOW_INPUT, FLOW_INPUT },
	{ "empty", FLOW_UNKNOWN, FLOW_UNKNOWN },
	{ "endswith(", FLOW_UNKNOWN, FLOW_UNKNOWN },
	{ "first", FLOW_UNKNOWN, FLOW_ITEMS },
	{ "flatten", FLOW_UNKNOWN, FLOW_INPUT },
	{ "from_entries", FLOW_UNKNOWN, FLOW_UNKNOWN },
	{ "group_by(", FLOW_ITEMS, FLOW_UNKNOWN },
	{ "has(", FLOW_UNKNOWN, FLOW_UNKNOWN },
	{ "join(", FLOW_UNKNOWN, FLOW_UNKNOWN },
	{ "keys", FLOW_UNKNOWN, FLOW_UNKNOWN },
	{ "last", FLOW_UNKNOWN, FLOW_ITEMS },
	{ "length", FLOW_UNKNOWN, FLOW_UNKNOWN },
	{ "limit(", FLOW_UNKNOWN, FLOW_UNKNOWN },
	{ "map(", FLOW_ITEMS, FLOW_ARRAY_OF_ARGUMENT },
	{ "max_by(", FLOW_ITEMS, FLOW_ITEMS },
	{ "min_by(", FLOW_ITEMS, FLOW_ITEMS },
	{ "not", FLOW_UNKNOWN, FLOW_UNKNOWN },
	{ "numbers", FLOW_UNKNOWN, FLOW_INPUT },
	{ "objects", FLOW_UNKNOWN, FLOW_INPUT },
	{ "paths", FLOW_UNKNOWN, FLOW_UNKNOWN },
	{ "range(", FLOW_UNKNOWN, FLOW_UNKNOWN },
	{ "reverse", FLOW_UNKNOWN, FLOW_INPUT },
	{ "select(", FLOW_INPUT, FLOW_INPUT },
	{ "sort", FLOW_UNKNOWN, FLOW_INPUT },
	{ "sort_by(", FLOW_ITEMS, FLOW_INPUT },
	{ "split(", FLOW_UNKNOWN, FLOW_UNKNOWN },
	{ "startswith(", FLOW_UNKNOWN, FLOW_UNKNOWN },
	{ "strings", FLOW_UNKNOWN, FLOW_INPUT },
	{ "test(", FLOW_UNKNOWN, FLOW_UNKNOWN },
	{ "to_entries", FLOW_UNKNOWN, FLOW_UNKNOWN },
	{ "tonumber", FLOW_UNKNOWN, FLOW_UNKNOWN },
	{ "tostring", FLOW_UNKNOWN, FLOW_UNKNOWN },
	{ "type", FLOW_UNKNOWN, FLOW_UNKNOWN },
	{ "unique", FLOW_UNKNOWN, FLOW_INPUT },
	{ "unique_by(", FLOW_ITEMS, FLOW_INPUT },
	{ "values", FLOW_UNKNOWN, FLOW_INPUT },
	{ "with_entries(", FLOW_UNKNOWN, FLOW_UNKNOWN },
};

struct path_level {
	char close;
	bool steps;                         /* [...] after a value: an index into it */
	const struct jq_function *function; /* whose argument this is; NULL: none */
	struct nodes input, before;         /* the outer input, and the indexed value */
};

struct path_walk {
	const char *text;
	size_t len, at;
	struct nodes input; /* the value of `.` */
	struct nodes value; /* of the term before `at` */
	bool glued;         /* a step may follow that term */
	bool binds;         /* `as $x |` keeps the input */
	struct path_level levels[DEPTH_MAX];
	size_t depth;
	struct {
		struct json_reader **items;
		size_t len, cap;
	} readers; /* of the lazy arrays; they own the nodes of the items */
	struct query_words *out;
};

/* ---- values ---- */

static void
add_node(struct nodes *n, const cJSON *node)
{
	if (node && n->len < NODES_MAX)
		n->items[n->len++] = node;
}

static struct nodes
items_of(struct path_walk *w, const struct nodes *of)
{
	struct nodes n = *of;

	if (of->wrapped > 0) {
		n.wrapped--;
		return n;
	}
	n.len = 0;
	for (size_t i = 0; i < of->len; i++) {
		const cJSON *node = of->items[i];
		if (json_is_lazy(node)) {
			struct json_reader *r = json_reader_create(node, NODES_MAX);
			*VEC_PUSH(&w->readers) = r;
			for (size_t at = 0; at < json_count(node) && n.len < NODES_MAX; at++)
				add_node(&n, json_reader_at(r, at));
		}
		for (const cJSON *c = json_first(node); c && n.len < NODES_MAX; c = c->next)
			add_node(&n, c);
	}
	return n;
}

static struct nodes
flow(struct path_walk *w, enum flow flow)
{
	return flow == FLOW_INPUT   ? w->input
	       : flow == FLOW_ITEMS ? items_of(w, &w->input)
				    : (struct nodes){ .len = 0 };
}

/* ---- words ---- */

static bool
starts_name(char c)
{
	return ascii_is_letter(c) || c == '_';
}

static size_t
name_end(const struct path_walk *w, size_t at)
{
	while (at < w->len && (starts_name(w->text[at]) || ascii_is_digit(w->text[at])))
		at++;
	return at;
}

static void
offer(struct query_words *out, const char *word, const char *note)
{
	if (out->words.len >= WORDS_MAX || strings_have(&out->words, word))
		return;
	strings_add(&out->words, word);
	strings_add(&out->notes, note);
}

/* Offer a key in its form after the dot, or the items of a key that is complete. */
static void
offer_key(struct path_walk *w, const cJSON *member, const char *typed, size_t typed_len)
{
	const char *key = member->string, *type = json_type_name(json_type(member));
	struct path_walk name = { .text = key, .len = strlen(key) };
	struct buf word = BUF_INIT;
	bool quoted = typed_len > 0 && *typed == '"';
	size_t skip = quoted;

	if (strncmp(key, typed + skip, typed_len - skip) != 0 || name.len > NAME_MAX_BYTES)
		return;
	if (!quoted && starts_name(*key) && name_end(&name, 0) == name.len)
		buf_add_str(&word, key);
	else
		json_print_string(&word, key, name.len);
	bool exact = word.len == typed_len, is_array = json_type(member) == JSON_ARRAY;
	if (exact && is_array)
		buf_add_str(&word, "[]");
	if (!exact || is_array)
		offer(w->out, buf_text(&word), exact ? "its items" : type);
	buf_finish(&word);
}

/* ---- the expression ---- */

/* Return the end of the string that begins at `at`, past the text if it is not closed. */
static size_t
string_end(const struct path_walk *w, size_t at)
{
	for (at++; at < w->len && w->text[at] != '"'; at++)
		if (w->text[at] == '\\')
			at++;
	return at < w->len ? at + 1 : w->len + 1;
}

static void
set_value(struct path_walk *w, struct nodes value)
{
	w->value = value;
	w->glued = true;
}

/* `.name`, `."name"`, `.`, `..`; the dot follows a value or begins one. */
static void
take_dot(struct path_walk *w)
{
	struct nodes of = w->glued ? w->value : w->input;
	char next = w->at + 1 < w->len ? w->text[w->at + 1] : '\0';
	size_t from = w->at + 1;
	char key[NAME_MAX_BYTES + 1];

	w->at = next == '"' ? string_end(w, from) : starts_name(next) ? name_end(w, from) : from;
	bool is_end = w->at > w->len || (w->at == w->len && next != '"');
	if (is_end)
		w->out->from = from;
	for (size_t i = 0; is_end && of.wrapped == 0 && i < of.len; i++) {
		const cJSON *m = cJSON_IsObject(of.items[i]) ? json_first(of.items[i]) : NULL;
		for (; m && w->out->words.len < WORDS_MAX; m = m->next)
			offer_key(w, m, w->text + from, w->len - from);
	}
	if (next == '.')
		set_value(w, (struct nodes){ .len = 0 });
	else if (w->at == from || w->at > w->len)
		set_value(w, of);
	else {
		size_t quote = next == '"', n = w->at - from - 2 * quote;
		n = n < NAME_MAX_BYTES ? n : NAME_MAX_BYTES;
		memcpy(key, w->text + from + quote, n);
		key[n] = '\0';
		struct nodes members = { .len = 0 };
		for (size_t i = 0; of.wrapped == 0 && i < of.len; i++)
			add_node(&members, json_get(of.items[i], key));
		set_value(w, members);
	}
	w->at += next == '.';
}

static void
open_level(struct path_walk *w, char close, bool steps, const struct jq_function *function)
{
	struct path_level *l = &w->levels[w->depth];

	if (w->depth + 1 < DEPTH_MAX)
		w->depth++;
	*l = (struct path_level){ close, steps, function, w->input, w->value };
	if (function)
		w->input = flow(w, function->argument);
	w->glued = false;
	w->value.len = 0;
}

static void
close_level(struct path_walk *w, char close)
{
	struct nodes inside = w->value;

	if (w->depth == 0 || w->levels[w->depth - 1].close != close)
		return;
	const struct path_level *l = &w->levels[--w->depth];
	w->input = l->input;
	if (close == ']' && l->steps)
		set_value(w, items_of(w, &l->before));
	else if (close == '}')
		set_value(w, (struct nodes){ .len = 0 });
	else if (l->function && l->function->gives != FLOW_ARRAY_OF_ARGUMENT)
		set_value(w, flow(w, l->function->gives));
	else {
		inside.wrapped += close == ']' || l->function;
		set_value(w, inside);
	}
}

static void
take_jq_line_name(struct path_walk *w)
{
	size_t from = w->at, end = name_end(w, from), len = end - from;
	bool argument = end < w->len && w->text[end] == '(';

	w->at = end;
	if (end == w->len)
		w->out->from = from;
	const struct jq_function *f = NULL;
	for (size_t i = 0; i < ARRAY_LEN(functions); i++) {
		const char *name = functions[i].name;
		if (strncmp(name, w->text + from, len) != 0)
			continue;
		if (end == w->len && name[len])
			offer(w->out, name, "jq");
		if (strcmp(name + len, argument ? "(" : "") == 0)
			f = &functions[i];
	}
	w->binds |= len == 2 && strncmp(w->text + from, "as", 2) == 0;
	if (argument && f) {
		open_level(w, ')', false, f);
		w->at++;
	} else if (!w->binds) {
		set_value(w, f ? flow(w, f->gives) : (struct nodes){ .len = 0 });
	}
}

void
query_complete(const char *text, size_t len, const cJSON *value, struct query_words *out)
{
	struct path_walk w = { .text = text, .len = len, .out = out };

	strings_finish(&out->words);
	strings_finish(&out->notes);
	out->from = len;
	add_node(&w.input, value);
	while (w.at < len) {
		char c = text[w.at];
		if (c == '.') {
			take_dot(&w);
		} else if (c == '"' || c == '$' || c == '@') {
			w.at = c == '"' ? string_end(&w, w.at) : name_end(&w, w.at + 1);
			set_value(&w, (struct nodes){ .len = 0 });
		} else if (starts_name(c)) {
			take_jq_line_name(&w);
		} else if (c == '[' || c == '(' || c == '{') {
			open_level(&w, c == '[' ? ']' : c == '(' ? ')' : '}', w.glued, NULL);
			w.at++;
		} else if (c == ']' || c == ')' || c == '}') {
			close_level(&w, c);
			w.at++;
		} else {
			w.at++;
			if (c == '|') {
				w.input = w.binds ? w.input : w.value;
				w.binds = false;
			} else if (c == ';' && w.depth > 0) {
				w.input = w.levels[w.depth - 1].input;
			}
			w.glued = w.glued && c == '?';
			if (c != ' ' && c != '?')
				w.value.len = 0;
		}
	}
	for (size_t i = 0; i < w.readers.len; i++)
		json_reader_destroy(w.readers.items[i]);
	free(w.readers.items);
}

/* ---- remembered expressions: the history, and a default for the results of a tool ---- */

/* These limits keep the file below 64 KiB. */
#define HISTORY_MAX 100
#define DEFAULTS_MAX 100
#define KEPT_BYTES 300

/* Return "SERVER\tTOOL\t", the beginning of a desk's default; NULL if it cannot be kept. */
static char *
key_of(const struct desk *desk)
{
	const char *server = desk && desk->server ? server_info(desk->server)->label : NULL;

	if (!server || strpbrk(server, "\t\r\n") || strpbrk(desk->key, "\t\r\n"))
		return NULL;
	return mem_printf("%s\t%s\t", server, desk->key);
}

/* Return whether an expression can be kept: one line, not too long, without a secret. */
static bool
may_be_kept(const char *line)
{
	struct buf hidden = BUF_INIT;
	bool plain = *line && strlen(line) <= KEPT_BYTES;

	for (const char *c = line; plain && *c; c++)
		plain = ((unsigned char)*c >= ' ' || *c == '\t') && *c != 0x7f;
	if (plain)
		secret_hide_text(&hidden, line, strlen(line));
	plain = plain && strcmp(buf_text(&hidden), line) == 0;
	buf_finish(&hidden);
	return plain;
}

static void
put(struct strings *s, const char *line, size_t most)
{
	size_t same = strings_index(s, line);

	if (same < s->len)
		strings_remove(s, same);
	else if (s->len == most)
		strings_remove(s, 0);
	strings_add(s, line);
}

void
queries_finish(struct queries *q)
{
	strings_finish(&q->history);
	strings_finish(&q->defaults);
}

static size_t
place_of(const struct queries *q, const char *key)
{
	size_t at = 0;

	while (at < q->defaults.len && strncmp(q->defaults.items[at], key, strlen(key)) != 0)
		at++;
	return at;
}

bool
queries_set_default(struct queries *q, const struct desk *desk, const char *expression)
{
	char *key = key_of(desk), *line = key ? mem_printf("%s%s", key, expression) : NULL;
	bool ok = key && (!*expression || may_be_kept(line));
	size_t at = ok ? place_of(q, key) : q->defaults.len;

	if (at < q->defaults.len)
		strings_remove(&q->defaults, at);
	if (ok && *expression)
		put(&q->defaults, line, DEFAULTS_MAX);
	free(key);
	free(line);
	return ok;
}

/* ---- as text: "history EXPRESSION", "default SERVER\tTOOL\tEXPRESSION" ---- */

void
queries_load(struct queries *q, const char *text)
{
	static const char history[] = "history ", defaults[] = "default ";

	queries_finish(q);
	while (*text) {
		size_t len = strcspn(text, "\n");
		char *line = mem_strndup(text, len);
		text += len + (text[len] == '\n');
		const char *rest = line + sizeof(history) - 1;
		bool is_history = strncmp(line, history, sizeof(history) - 1) == 0;
		bool is_default = strncmp(line, defaults, sizeof(defaults) - 1) == 0;
		const char *tab = is_default ? strchr(rest, '\t') : NULL;
		tab = tab && tab > rest ? strchr(tab + 1, '\t') : NULL;
		if (is_history && may_be_kept(rest))
			put(&q->history, rest, HISTORY_MAX);
		else if (tab && tab[1] && may_be_kept(rest))
			put(&q->defaults, rest, DEFAULTS_MAX);
		free(line);
	}
}

void
queries_add(const struct queries *q, struct buf *out)
{
	for (size_t i = 0; i < q->defaults.len; i++)
		buf_addf(out, "default %s\n", q->defaults.items[i]);
	for (size_t i = 0; i < q->history.len; i++)
		if (may_be_kept(q->history.items[i]))
			buf_addf(out, "history %s\n", q->history.items[i]);
}

/* ---- the query ---- */

/* Whether the query runs at each key, not only on Enter. */
static bool
is_live(const struct query *q)
{
	enum { LIVE_MAX = 1 << 20 };

	return q->of.bytes <= LIVE_MAX;
}

/* ---- the expression of each owner ---- */

static char **
remembered_by(struct query *q, const struct desk *owner)
{
	for (size_t i = 0; i < q->remembered.len; i++)
		if (q->remembered.items[i].owner == owner)
			return &q->remembered.items[i].expression;
	const struct strings *defaults = &q->kept->defaults;
	char *key = defaults->len > 0 ? key_of(owner) : NULL;
	size_t at = key ? place_of(q->kept, key) : defaults->len;
	const char *first = at < defaults->len ? defaults->items[at] + strlen(key) : NULL;
	*VEC_PUSH(&q->remembered) = (struct remembered){ owner, first ? mem_strdup(first) : NULL };
	free(key);
	return &q->remembered.items[q->remembered.len - 1].expression;
}

/* ---- results ---- */

/* Stop the query and drop its result. */
static void
drop_result(struct query *q)
{
	job_drop(&q->printing);
	pane_query_stop(&q->run);
	if (q->doc)
		q->version++;
	json_doc_destroy(q->doc);
	q->doc = NULL;
	q->result = NULL;
	query_answer_finish(&q->answer);
}

static void
take_answer(struct pane_query *run)
{
	struct query *q = (struct query *)run;
	struct query_answer *answer = &run->job.answer;
	struct json_error error;
	struct json_doc *doc = NULL;

	bool failed = answer->count == 0 && answer->trouble.text[0];
	if (!failed)
		doc = json_parse(buf_text(&answer->text), answer->text.len, NULL, &error);
	if (!failed && !doc)
		err_set(&answer->trouble, "its result cannot be shown: %s", error.text);
	if (doc) {
		json_doc_destroy(q->doc);
		q->doc = doc;
		q->result = answer->count > 1    ? json_root(doc)
			    : answer->count == 1 ? json_first(json_root(doc))
						 : NULL;
		q->count = answer->count;
		q->more = answer->more;
		q->bytes = answer->text.len - (answer->count > 1 ? 0 : 2);
		free(q->title);
		q->title = mem_printf("jq %s", q->asked);
		q->version++;
	}
	buf_finish(&answer->text);
	q->answer = *answer;
	if (!q->typing && answer->trouble.text[0]) {
		char *text = mem_printf("jq %s: %s", q->asked, answer->trouble.text);
		run->host->say(run->user, ROLE_ERROR, text);
		free(text);
	}
}

/* ---- running a query ---- */

/* A job that prints the value for jq. */
struct printing {
	struct job job; /* first */
	struct query *query;
	struct json_doc *doc;
	const cJSON *value;
	struct buf text;
};

static void
print_value(struct job *job)
{
	struct printing *p = (struct printing *)job;

	json_print(&p->text, p->value);
}

static void
on_printed(struct job *job)
{
	struct printing *p = (struct printing *)job;
	struct query *q = p->query;

	if (!job_is_stopped(job) && p->text.overflowed) {
		q->answer = (struct query_answer){ .at = QUERY_NOWHERE };
		err_set(&q->answer.trouble, "a value of more than 64 MiB is too large for jq");
	} else if (!job_is_stopped(job)) {
		pane_query_run(&q->run, q->asked, p->text);
		p->text = (struct buf)BUF_INIT;
	}
	buf_finish(&p->text);
	json_doc_destroy(p->doc);
	free(p);
}

/* Run an expression on the value, which is printed in a job if it is large. */
static void
run_query(struct query *q, const char *expression)
{
	struct printing *p = mem_zalloc(sizeof(*p));

	job_drop(&q->printing);
	pane_query_stop(&q->run);
	free(q->asked);
	q->asked = mem_strdup(expression);
	*p = (struct printing){ .job = { .run = print_value, .done = on_printed },
		.query = q,
		.doc = q->of.doc ? json_doc_ref(q->of.doc) : NULL,
		.value = q->of.value,
		.text = { .max = QUERY_MAX_BYTES } };
	job_start(is_live(q) ? NULL : q->run.jobs, &p->job, &q->printing);
}

void
query_set(struct query *q, const char *expression)
{
	char **kept = remembered_by(q, q->of.owner);

	expression += strspn(expression, " ");
	free(*kept);
	size_t len = strlen(expression);
	while (len > 0 && expression[len - 1] == ' ')
		len--;
	*kept = len > 0 ? mem_strndup(expression, len) : NULL;
	if (len > 0 && q->of.value) {
		run_query(q, *kept);
		return;
	}
	drop_result(q);
}

void
query_set_value(struct query *q, struct queried of)
{
	drop_result(q);
	q->typing = q->typing && q->of.owner == of.owner && of.value;
	q->of = of;
	const char *expression = of.value ? *remembered_by(q, of.owner) : NULL;
	if (expression)
		run_query(q, expression);
}

bool
query_is_on(const struct query *q)
{
	for (size_t i = 0; i < q->remembered.len; i++)
		if (q->remembered.items[i].owner == q->of.owner)
			return q->remembered.items[i].expression != NULL;
	return false;
}

void
query_add_count(const struct query *q, struct buf *out)
{
	if (!q->doc || q->count == 1)
		return;
	if (q->count == 0)
		buf_add_str(out, "no result");
	else
		units_add_counted(out, q->count, "result");
	buf_add_str(out, q->more ? ", and there are more" : "");
}

void
query_init(struct query *q)
{
	edit_init(&q->edit, false, QUERY_MAX_EXPRESSION);
	q->run.take = take_answer;
}

void
query_finish(struct query *q)
{
	drop_result(q);
	edit_finish(&q->edit);
	free(q->before);
	free(q->asked);
	free(q->title);
	strings_finish(&q->completion.words);
	strings_finish(&q->completion.notes);
	for (size_t i = 0; i < q->remembered.len; i++)
		free(q->remembered.items[i].expression);
	free(q->remembered.items);
}

/* ---- the line below the result, in which an expression is typed ---- */

enum { FIELD_X = 3 };
#define NONE SIZE_MAX

static void
find_words(struct query *q)
{
	const char *text = edit_text(&q->edit);

	query_complete(text, q->edit.cursor, q->of.value, &q->completion);
	q->completed = NONE;
	q->menu.list = (struct list){ .count = q->completion.words.len };
}

void
query_open(struct query *q)
{
	const char *text = query_is_on(q) ? q->asked : "";

	free(q->before);
	q->before = mem_strdup(text);
	q->typing = true;
	q->recalled = q->kept->history.len;
	edit_set(&q->edit, text, strlen(text));
	find_words(q);
}

/* Replace the typed beginning of a word by the word. */
static void
put_word(struct query *q, size_t index)
{
	const char *rest = edit_text(&q->edit) + q->edit.cursor;
	struct buf text = BUF_INIT;

	buf_add(&text, edit_text(&q->edit), q->completion.from);
	buf_add_str(&text, q->completion.words.items[index]);
	size_t cursor = text.len;
	buf_add_str(&text, rest);
	edit_set(&q->edit, buf_text(&text), text.len);
	q->edit.cursor = cursor;
	buf_finish(&text);
	q->completed = index;
	list_select(&q->menu.list, index);
	if (is_live(q))
		query_set(q, edit_text(&q->edit));
	if (q->completion.words.len == 1)
		find_words(q);
}

bool
query_key(struct query *q, const struct key *key)
{
	bool ctrl_c = key->kind == KEY_CHAR && key->ch == 'c' && key->mods == MOD_CTRL;
	bool is_edited = false, is_changed = false;
	size_t words = q->completion.words.len;

	if (key->kind == KEY_MOUSE) {
		struct key at = *key;
		at.x += q->menu_x;
		at.y += q->menu_y;
		if (key->action != MOUSE_PRESS)
			return dropdown_key(&q->menu, &at);
		if (words == 0 || dropdown_press(&q->menu, &at) != DROPDOWN_ENTRY)
			return false;
		put_word(q, q->menu.list.selected);
	} else if (key->kind == KEY_ESCAPE || ctrl_c) {
		q->typing = false;
		query_set(q, q->before);
	} else if (key->kind == KEY_ENTER) {
		query_set(q, edit_text(&q->edit));
		/* The line stays open if the expression is wrong; the reason is below it. */
		q->typing = !q->run.running && !q->printing && query_is_on(q) &&
			    q->answer.trouble.text[0] && q->answer.count == 0;
		if (!q->typing && edit_text(&q->edit)[0])
			put(&q->kept->history, edit_text(&q->edit), HISTORY_MAX);
	} else if (key->kind == KEY_TAB) { /* again: the next word */
		bool back = key->mods & MOD_SHIFT;
		size_t from = q->completed != NONE ? q->completed : back ? 0 : words - 1;
		if (words > 0)
			put_word(q, (from + (back ? words - 1 : 1)) % words);
	} else if (key->kind == KEY_UP || key->kind == KEY_DOWN) {
		const struct strings *history = &q->kept->history;
		bool back = key->kind == KEY_UP;
		if (back ? q->recalled == 0 : q->recalled >= history->len)
			return true;
		q->recalled += back ? -1 : 1;
		const char *text = q->recalled < history->len ? history->items[q->recalled] : "";
		edit_set(&q->edit, text, strlen(text));
		is_edited = is_changed = true;
	} else {
		is_edited = edit_key(&q->edit, key, &is_changed);
		if (!is_edited)
			return false;
	}
	if (is_edited)
		find_words(q);
	if (is_changed && is_live(q))
		query_set(q, edit_text(&q->edit));
	return true;
}

/* Whether the line has the expression that was run; blanks around it do not matter. */
static bool
is_asked(const struct query *q)
{
	const char *text = edit_text(&q->edit);
	size_t len = q->asked ? strlen(q->asked) : 0;

	text += strspn(text, " ");
	return len > 0 && strncmp(text, q->asked, len) == 0 && !text[len + strspn(text + len, " ")];
}

static void
add_query_state(const struct query *q, struct buf *out)
{
	const char *trouble = q->answer.trouble.text;

	if (!edit_text(&q->edit)[0]) {
		buf_add_str(out, "an expression of jq: .users[] | select(.age > 30) | .name");
	} else if (q->run.running || q->printing) {
		buf_add_str(out, "…");
	} else if (!is_live(q) && !is_asked(q)) {
		buf_add_str(out, "Enter runs it: the value is large");
	} else if (*trouble && q->answer.count == 0) {
		buf_add_str(out, trouble);
	} else {
		buf_add_str(out, q->count == 1 ? "one result" : "");
		query_add_count(q, out);
		if (*trouble)
			buf_addf(out, " · then: %s", trouble);
	}
}

void
query_draw(struct query *q, bool focused, struct surface s)
{
	bool failed = !q->run.running && q->answer.trouble.text[0];
	const char *text = edit_text(&q->edit);
	size_t len = strlen(text), at = q->answer.at + strspn(text, " ");
	struct buf state = BUF_INIT;

	struct surface line = surface_sub(s, 0, 0, s.width, 1);
	surface_clear(line, style_on(ROLE_TEXT, ROLE_FIELD));
	surface_text(line, 0, 0, 2, style_on(ROLE_BAR_KEY, ROLE_FIELD), "jq");
	struct surface field = surface_sub(line, FIELD_X, 0, s.width - FIELD_X, 1);
	edit_draw(&q->edit, field, style_on(ROLE_TEXT, ROLE_FIELD), focused, NULL);
	if (failed && q->answer.at != QUERY_NOWHERE && is_asked(q)) {
		/* Underline the place of jq's error up to the end of the word. */
		at = at < len ? at : len;
		size_t end = at + strcspn(text + at, " |()[]{},;:");
		int x = (int)glyph_columns(text, at) - q->edit.left;
		int width = (int)glyph_columns(text + at, end - at);
		surface_restyle(
		    field, x, 0, width > 0 ? width : 1, ROLE_ERROR_CELL, ATTR_UNDERLINE);
	}
	add_query_state(q, &state);
	surface_text(s, FIELD_X, 1, -1, style_of(failed && *text ? ROLE_ERROR : ROLE_HINT),
	    buf_text(&state));
	buf_finish(&state);
}

static enum role
draw_word(void *user, size_t index, struct buf *out)
{
	const struct query *q = user;

	buf_add_str(out, q->completion.words.items[index]);
	return ROLE_TEXT;
}

static void
draw_word_note(void *user, size_t index, struct buf *out)
{
	const struct query *q = user;

	buf_add_str(out, q->completion.notes.items[index]);
}

struct surface
query_pop_up(struct query *q, struct surface screen, struct surface inner)
{
	int column = (int)glyph_columns(edit_text(&q->edit), q->completion.from) - q->edit.left;

	q->menu_x = inner.x - screen.x;
	q->menu_y = inner.y - screen.y;
	struct dropdown_look look = {
		.x = q->menu_x + FIELD_X + column,
		.y = q->menu_y + inner.height - QUERY_LINE_ROWS,
		.rows = QUERY_LINE_ROWS,
		.unselected = q->completed == NONE,
		.title = "Tab",
		.entry = draw_word,
		.aside = draw_word_note,
		.user = q,
	};
	if (q->completion.words.len == 0)
		return surface_sub(screen, 0, 0, 0, 0);
	return dropdown_draw(&q->menu, screen, &look);
}
