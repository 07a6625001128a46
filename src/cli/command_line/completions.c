/* SPDX-License-Identifier: MIT */
#include "cli/client.h"
#include "options.h"

#include "base/embedded.h"
#include "base/glyph.h"
#include "base/mem.h"
#include "base/path.h"
#include "base/vec.h"
#include "cli/print/print.h"
#include "host/project.h"
#include "host/history.h"
#include "client/lens.h"
#include "ui/theme.h"
#include "ui/theme_files.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Completion in a shell. The scripts, page/completion.SHELL, hand the words typed so far to
 * `mcpane __words`, which prints a line for each candidate: the word, a tab and a description. */

static const char *const shells[] = { "bash", "zsh", "fish" };

int
cli_completions(const struct options *o)
{
	char *name = mem_printf("completion.%s", o->shell);
	const struct embedded_file *script = embedded_find(page_files, name);

	free(name);
	if (!script) {
		say("completions: unknown shell %s; known: bash, zsh, fish", o->shell);
		return CLI_EXIT_USAGE;
	}
	struct buf out = BUF_INIT;
	buf_add(&out, script->bytes, script->len);
	int code = output_write(&out, true);
	buf_finish(&out);
	return code;
}

/* ---- the words typed so far ---- */

struct words {
	const char *current; /* the last one, to be completed */
	const char *lead;    /* the beginning of the same word, such as --config= */
	int lead_len;
	const struct subcommand *subcommand;
	const struct option *option; /* the one whose value is current; NULL: none */
	int operands;
	const char *first; /* operand of the subcommand */
	char *server[16];  /* the options that choose a server */
	int server_count;
	bool command; /* behind -- */
	int past;     /* calls of the history offered */
	struct buf out;
};

/* Both texts may come from a server. Skips words that are not printed verbatim. */
static void
offer(struct words *w, const char *word, const char *what)
{
	enum { MOST = 200 };
	size_t len = strcspn(what, "\r\n");
	struct buf safe = BUF_INIT;

	glyph_append_safe(&safe, word, strlen(word), false);
	if (strcmp(buf_text(&safe), word) == 0 &&
	    strncmp(word, w->current, strlen(w->current)) == 0) {
		buf_addf(&w->out, "%.*s%s\t", w->lead_len, w->lead, word);
		glyph_append_safe(&w->out, what, len < MOST ? len : MOST, false);
		buf_add_char(&w->out, '\n');
	}
	buf_finish(&safe);
}

static const struct option *
find_option(const char *word)
{
	size_t len = strcspn(word, "=");

	for (const struct option *row = option_table; row->help; row++)
		if (row->name &&
		    ((word[0] == '-' && word[1] == row->letter && row->letter && !word[2]) ||
			(len > 2 && strncmp(word, "--", 2) == 0 && strlen(row->name) == len - 2 &&
			    memcmp(word + 2, row->name, len - 2) == 0)))
			return row;
	return NULL;
}

/* Keeps a word of an option that chooses the server. */
static void
keep_server_word(struct words *w, const struct option *row, char *word)
{
	static const char *const names[] = { "demo", "config", "server", "input", "era" };

	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		if (strcmp(row->name, names[i]) == 0 && w->server_count < (int)ARRAY_LEN(w->server))
			w->server[w->server_count++] = word;
}

static void
read_words(struct words *w, char *const *words)
{
	w->current = w->lead = "";
	for (; *words; words++) {
		bool last = !words[1];
		w->option = NULL;
		w->current = *words;
		const struct option *row = find_option(*words);
		const char *equals = strchr(*words, '=');
		if (last && !w->command && row && row->value && equals) { /* "--config=FI" */
			w->option = row;
			w->lead = *words;
			w->current = equals + 1;
			w->lead_len = (int)(w->current - *words);
		}
		if (last || w->command)
			continue;
		w->command = strcmp(*words, "--") == 0;
		if (!row && (*words)[0] != '-') {
			const struct subcommand *sub = subcommands + 1;
			while (sub->name && strcmp(sub->name, *words) != 0)
				sub++;
			if (!w->subcommand && sub->name)
				w->subcommand = sub;
			else if (w->operands++ == 0)
				w->first = *words;
		}
		if (row)
			keep_server_word(w, row, *words);
		if (!row || !row->value || equals)
			continue;
		words++;
		w->current = *words;
		w->option = words[1] ? NULL : row;
		if (w->option)
			return;
		keep_server_word(w, row, *words);
	}
}

/* ---- candidates ---- */

static void
offer_files(struct words *w)
{
	enum { MOST = 2000 };
	const char *name = path_file_name(w->current);
	size_t len = (size_t)(name - w->current);
	char *folder = len ? mem_strndup(w->current, len) : mem_strdup(".");
	DIR *dir = opendir(folder);
	struct dirent *e;
	struct stat is;

	for (int n = 0; dir && n < MOST && (e = readdir(dir)); n++) {
		if (e->d_name[0] == '.' && name[0] != '.')
			continue;
		char *path = mem_printf("%.*s%s", (int)len, w->current, e->d_name);
		char *shown = mem_printf(
		    "%s%s", path, stat(path, &is) == 0 && S_ISDIR(is.st_mode) ? "/" : "");
		offer(w, shown, "");
		free(shown);
		free(path);
	}
	if (dir)
		closedir(dir);
	free(folder);
}

static void
offer_servers(struct words *w)
{
	static const char glued[] = "--config=";
	struct server_list list = { 0 };
	struct options o = { 0 };

	for (int i = 0; i < w->server_count; i++)
		if (strncmp(w->server[i], glued, sizeof(glued) - 1) == 0)
			*VEC_PUSH(&o.configs) = w->server[i] + sizeof(glued) - 1;
		else if (strcmp(w->server[i], "--config") == 0 && i + 1 < w->server_count)
			*VEC_PUSH(&o.configs) = w->server[++i];
	server_list_choose(&list, &o, NULL);
	for (size_t i = 0; i < list.len; i++)
		offer(w, list.items[i].target.name, list.items[i].target.label);
	server_list_finish(&list);
	free(o.configs.items);
}

static void
offer_value(struct words *w, const struct option *row)
{
	unsigned accepts = w->subcommand ? w->subcommand->options : ~0u;

	for (const struct option_word *v = row->words; v && v->text; v++)
		if (v->group == 0 || v->group & accepts)
			offer(w, v->text, "");
	for (size_t i = 0; strcmp(row->name, "lens") == 0 && i < LENS_COUNT; i++)
		offer(w, lenses[i].name, lenses[i].title);
	if (strcmp(row->name, "lens") == 0)
		offer(w, "all", "a line for each");
	if (strcmp(row->name, "server") == 0)
		offer_servers(w);
	if (strcmp(row->name, "saved") == 0) {
		struct saved_calls all;
		project_host.calls(NULL, &all, NULL);
		for (size_t i = 0; i < all.len; i++)
			offer(w, all.items[i].name, all.items[i].key ? all.items[i].key : "");
		saved_calls_finish(&all);
	}
	if (strcmp(row->name, "env") == 0) {
		struct environments all;
		project_host.environments(NULL, &all, NULL);
		for (size_t i = 0; i < all.names.len; i++)
			offer(w, all.names.items[i], "");
		environments_finish(&all);
	}
	for (size_t i = 0; strcmp(row->name, "theme") == 0 && theme_files[i].name; i++)
		offer(w, theme_files[i].name, "");
	if (strcmp(row->value, "FILE") == 0 || strcmp(row->value, "PATH") == 0)
		offer_files(w);
}

static void
offer_options(struct words *w)
{
	const struct subcommand *subcommand = w->subcommand ? w->subcommand : subcommands;

	for (const struct option *row = option_table; row->help; row++) {
		unsigned group = option_group(row);
		if (!row->name || (group != 0 && !(subcommand->options & group)))
			continue;
		bool of_tap = row->tap_help && subcommand->options & OPTIONS_TAP;
		char *word = mem_printf("--%s", row->name);
		offer(w, word, of_tap ? row->tap_help : row->help);
		free(word);
	}
}

/* "NAME=" of each argument, or its values behind that. */
static void
offer_arguments(struct words *w, const struct primitive *p)
{
	const cJSON *properties = json_get(p->input_schema, "properties");
	size_t len = strcspn(w->current, "=");

	for (const cJSON *a = json_first(properties); a; a = a->next) {
		const char *what = json_get_string(a, "description");
		char *word = mem_printf("%s=", a->string);
		bool named = w->current[len] && strlen(a->string) == len &&
			     memcmp(a->string, w->current, len) == 0;
		if (!named)
			offer(w, word, what ? what : "");
		for (const cJSON *v = named ? json_first(json_get(a, "enum")) : NULL; v;
		     v = v->next) {
			char *value = mem_printf(
			    "%s%s", word, cJSON_GetStringValue(v) ? cJSON_GetStringValue(v) : "");
			offer(w, value, "");
			free(value);
		}
		free(word);
	}
}

/* Starts the server, or reaches its URL, only if it is the demo, one of the user's own file, or one
 * that was approved. An unfinished line approves nothing, so a server
 * that only --config names is not started. */
static void
offer_listed(struct words *w)
{
	static char program[] = "mcpane", list_word[] = "list", limit[] = "--timeout=3s";
	char *argv[ARRAY_LEN(w->server) + 4] = { program, list_word, limit };
	struct options o;

	/* the words that choose the server, as `mcpane list` with them */
	memcpy(argv + 3, w->server, (size_t)w->server_count * sizeof(*argv));
	if (w->server_count == 0 || w->command ||
	    !options_parse(&o, 3 + w->server_count, argv, NULL))
		return;
	o.call.kind = w->subcommand->kind;
	o.unfinished = true;
	struct client client = { .lists = 1u << o.call.kind };
	if (client_open(&client, &o) == 0) {
		const struct primitive_list *list =
		    &server_info(client_server(&client))->lists[o.call.kind].list;
		for (size_t i = 0; i < list->len; i++) {
			const struct primitive *p = &list->items[i];
			if (w->operands == 0)
				offer(w, p->key, p->description ? p->description : "");
			else if (strcmp(p->key, w->first) == 0)
				offer_arguments(w, p);
		}
	}
	client_close(&client);
	options_finish(&o);
}

static bool
offer_past_call(void *user, const struct history_call *h)
{
	enum { MOST = 50 };
	struct words *w = user;
	struct buf what = BUF_INIT;
	char id[32];

	snprintf(id, sizeof(id), "%llu", (unsigned long long)h->id);
	history_add_time(h, &what);
	buf_addf(&what, " %s %.100s", h->uri ? h->uri : h->key, h->arguments);
	offer(w, id, buf_text(&what));
	buf_finish(&what);
	return ++w->past < MOST;
}

static void
offer_search(struct words *w)
{
	bool is_verb = w->first && words_have(past_verbs, w->first);

	for (size_t i = 0; w->operands == 0 && past_verbs[i]; i++)
		offer(w, past_verbs[i], "a call by its id");
	for (const struct filter_word *word = history_words; !is_verb && word->name; word++) {
		char *text = mem_printf("%s:", word->name);
		offer(w, text, word->example ? word->example : "");
		free(text);
	}
	if (!is_verb)
		return;
	offer(w, "last", "the newest call");
	char *path = path_of(PATH_STATE, "history.db");
	if (path && access(path, F_OK) == 0) { /* it is not made for this */
		const struct filter all = { 0 };
		struct err err;
		struct history *history = history_create(&(struct history_options){ .off = false });
		history_each(history, &all, HISTORY_ROWS, offer_past_call, w, &err);
		history_destroy(history);
	}
	free(path);
}

static void
offer_operands(struct words *w)
{
	const struct subcommand *row = w->subcommand;

	for (const struct subcommand *s = subcommands + 1; !row && w->operands == 0 && s->name; s++)
		if (s->usage || s->ends_parsing)
			offer(w, s->name, s->usage ? s->usage : "");
	if (!row || row->run == cli_check || row->run == cli_diff || row->run == cli_snapshot ||
	    row->run == cli_run)
		offer_files(w);
	else if (row->run == cli_list && w->operands == 0)
		for (int kind = 0; kind < PRIMITIVE_KINDS; kind++)
			offer(w, primitive_kinds[kind].plural, "");
	else if (row->run == cli_completions)
		for (size_t i = 0; i < ARRAY_LEN(shells); i++)
			offer(w, shells[i], "");
	else if (row->run == cli_history)
		offer_search(w);
	else if (row->run == cli_call || row->run == cli_render)
		offer_listed(w);
}

int
cli_words(const struct options *o)
{
	struct words w = { .out = BUF_INIT };

	read_words(&w, o->words);
	if (w.option)
		offer_value(&w, w.option);
	else if (!w.command && w.current[0] == '-')
		offer_options(&w);
	else if (!w.command)
		offer_operands(&w);
	if (w.out.len > 0)
		output_write(&w.out, true);
	buf_finish(&w.out);
	return CLI_EXIT_OK;
}
