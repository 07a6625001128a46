#include "flow_priv.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

static void
send_token(struct auth_flow *f, bool made, enum fetching what, const char *title, struct err *err)
{
	if (made)
		flow_fetch(f, what, title);
	else
		flow_fail(f, "%s", err->text);
}

static void
use_given(struct auth_flow *f)
{
	if (!f->given.id)
		return;
	auth_client_finish(&f->client);
	auth_client_copy(&f->client, &f->given);
}

void
flow_refresh(struct auth_flow *f)
{
	struct err err = { "" };

	use_given(f);
	auth_request_finish(&f->request);
	struct auth_token_input in = flow_token_input(f);
	bool made = auth_token_by_refresh(&f->request, &in, f->token.refresh, &err);
	send_token(f, made, FETCHING_REFRESH, "token request by refresh token", &err);
}

void
flow_by_credentials(struct auth_flow *f)
{
	struct err err = { "" };

	if (!f->given.id) {
		flow_fail(f, "there are no client credentials: --client-id names the client");
		return;
	}
	if (!flow_count_attempt(f))
		return;
	use_given(f);
	auth_request_finish(&f->request);
	struct auth_token_input in = flow_token_input(f);
	bool made = auth_token_by_credentials(&f->request, &in, f->scope, &err);
	send_token(f, made, FETCHING_TOKEN, "token request by client credentials", &err);
}

void
flow_by_code(struct auth_flow *f, const char *code)
{
	struct err err = { "" };

	auth_request_finish(&f->request);
	struct auth_token_input in = flow_token_input(f);
	bool made = auth_token_by_code(&f->request, &in, code, f->verifier, f->redirect_uri, &err);
	flow_set_text(&f->verifier, NULL);
	flow_set_text(&f->state_nonce, NULL);
	flow_set_text(&f->browser_url, NULL);
	send_token(f, made, FETCHING_TOKEN, "token request", &err);
}

/* Also of the server's refusal. */
static bool
take_token(struct auth_flow *f, const struct auth_answer *a, bool refreshed, struct err *err)
{
	struct auth_token token;
	struct buf words = BUF_INIT;

	if (a->status == 0)
		return err_set(err, "%s", a->error ? a->error : "no answer");
	if (a->status < 200 || a->status > 299) {
		auth_error_words(&words, a->body ? a->body : "", a->len);
		err_set(err, "the token endpoint refuses (%d%s%.150s)", a->status,
		    words.len > 0 ? " " : "", buf_text(&words));
		buf_finish(&words);
		return false;
	}
	const char *asked = refreshed ? f->token.scope : f->scope;
	if (!auth_token_parse(&token, a->body, a->len, asked, f->now_s, err))
		return false;
	if (refreshed && !token.refresh) {
		token.refresh = f->token.refresh; /* it stays good when no other came */
		f->token.refresh = NULL;
	}
	char *resource = mem_strdup(flow_resource(f));
	flow_drop_token(f);
	f->token = token;
	f->token_issuer = mem_strdup(f->server.issuer);
	f->token_resource = resource;
	return true;
}

static void
authorized(struct auth_flow *f)
{
	struct buf text = BUF_INIT;

	buf_addf(&text, "a token%s", f->token.refresh ? " and a refresh token" : "");
	if (f->token.scope)
		buf_addf(&text, " for %.200s", f->token.scope);
	if (f->token.expires_s)
		buf_addf(&text, ", good for %lld s", (long long)(f->token.expires_s - f->now_s));
	flow_step_done(f, true, "%s", buf_text(&text));
	buf_finish(&text);
	f->go = false;
	f->challenged = false;
	flow_set(f, AUTH_AUTHORIZED, "authorized by %.200s%s%.200s", f->token_issuer,
	    f->token.scope ? ", for " : "", f->token.scope ? f->token.scope : "");
}

void
flow_on_token(struct auth_flow *f, const struct auth_answer *a)
{
	struct err err = { "" };

	if (take_token(f, a, false, &err))
		authorized(f);
	else
		flow_fail(f, "no token: %s", err.text);
}

/* What refuses a refresh token refuses it for good: the user is asked again. */
void
flow_on_refresh(struct auth_flow *f, const struct auth_answer *a)
{
	struct err err = { "" };

	if (take_token(f, a, true, &err)) {
		f->refreshed_s = f->now_s;
		authorized(f);
		return;
	}
	flow_step_done(f, false, "%s", err.text);
	if (a->status == 0 && !f->challenged) {
		flow_set(
		    f, AUTH_AUTHORIZED, "authorized; the token could not be renewed: %s", err.text);
		return;
	}
	flow_drop_token(f);
	flow_on_known(f);
}
