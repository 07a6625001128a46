#include "flow_priv.h"

#include "base/mem.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is said and recorded: the one door to sentences and steps, where secrets stay behind. */

void
flow_set_text(char **slot, const char *text)
{
	char *copy = mem_strdup(text);

	free(*slot);
	*slot = copy;
}

void
auth_flow_hide(const struct auth_flow *f, struct buf *text)
{
	char *held[] = { f->token.access, f->token.refresh, f->client.secret, f->given.secret,
		f->verifier };

	for (size_t i = 0; i < sizeof(held) / sizeof(held[0]); i++)
		if (held[i])
			auth_secrets_hide(&(struct auth_strings){ &held[i], 1, 1 }, text);
	auth_secrets_hide(&f->sent, text);
}

void
flow_hide_in_place(const struct auth_flow *f, char **text)
{
	struct buf out = BUF_INIT;

	buf_add_str(&out, *text);
	auth_flow_hide(f, &out);
	free(*text);
	*text = buf_detach(&out);
}

/* One line, whatever others had to say in it. Caller frees. */
static __attribute__((format(printf, 2, 0))) char *
make_line(struct auth_flow *f, const char *format, va_list args)
{
	char text[600];

	vsnprintf(text, sizeof(text), format, args);
	for (char *c = text; *c; c++)
		if ((unsigned char)*c < ' ' || *c == 127)
			*c = ' ';
	char *line = mem_strdup(text);
	flow_hide_in_place(f, &line);
	return line;
}

void
flow_set(struct auth_flow *f, enum auth_state state, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	char *line = make_line(f, format, args);
	va_end(args);
	free(f->sentence);
	f->sentence = line;
	f->state = state;
	f->generation++;
}

struct auth_step *
flow_open_step(struct auth_flow *f)
{
	struct auth_step *last = f->steps.len > 0 ? &f->steps.items[f->steps.len - 1] : NULL;

	return last && last->open ? last : NULL;
}

void
flow_step_done(struct auth_flow *f, bool ok, const char *format, ...)
{
	struct auth_step *step = flow_open_step(f);
	va_list args;

	va_start(args, format);
	char *line = make_line(f, format, args);
	va_end(args);
	if (step)
		auth_step_close(step, ok, line);
	free(line);
	f->generation++;
}

/* Whole, as an address is. */
void
flow_note(struct auth_flow *f, bool ok, const char *title, const char *outcome)
{
	char *text = mem_strdup(outcome);

	flow_hide_in_place(f, &text);
	auth_step_close(auth_steps_add(&f->steps, title, NULL), ok, text);
	free(text);
	f->generation++;
}

void
flow_fail(struct auth_flow *f, const char *format, ...)
{
	const struct auth_step *last;
	va_list args;

	va_start(args, format);
	char *line = make_line(f, format, args);
	va_end(args);
	free(f->sentence);
	f->sentence = line;
	last = f->steps.len > 0 ? &f->steps.items[f->steps.len - 1] : NULL;
	if (flow_open_step(f))
		flow_step_done(f, false, "%s", f->sentence);
	else if (!last || !last->failed)
		flow_note(f, false, "given up", f->sentence);
	auth_request_finish(&f->request);
	f->fetching = FETCHING_NOTHING;
	f->go = false;
	if (!f->challenged && f->token.access) /* it was to be renewed in time */
		flow_set(f, AUTH_AUTHORIZED, "authorized; the token could not be renewed: %.450s",
		    f->sentence);
	else
		f->state = AUTH_FAILED;
	f->generation++;
}

void
flow_fetch(struct auth_flow *f, enum fetching what, const char *title)
{
	f->fetching = what;
	auth_strings_finish(&f->sent);
	auth_secrets_add(&f->sent, &f->request);
	auth_steps_add(&f->steps, title, &f->request);
	flow_set(f, AUTH_WORKING, "%s: %s %.300s", title, f->request.method, f->request.url);
}
