#include "state.h"

#include <stdlib.h>
#include <string.h>

struct fields {
	char *code, *state, *iss, *error, *description;
	bool doubled;
};

static char *
take(struct fields *f, const char *query, size_t len, const char *name)
{
	size_t count;
	char *value = auth_form_get(query, len, name, &count);

	f->doubled = f->doubled || count > 1;
	return value;
}

static void
fields_take(struct fields *f, const char *query, size_t len)
{
	*f = (struct fields){ 0 };
	f->code = take(f, query, len, "code");
	f->state = take(f, query, len, "state");
	f->iss = take(f, query, len, "iss");
	f->error = take(f, query, len, "error");
	f->description = take(f, query, len, "error_description");
}

static void
fields_finish(struct fields *f)
{
	free(f->code);
	free(f->state);
	free(f->iss);
	free(f->error);
	free(f->description);
}

/* In constant time. */
static bool
equal(const char *a, const char *b)
{
	size_t len = strlen(a);
	unsigned char different = 0;

	if (strlen(b) != len)
		return false;
	for (size_t i = 0; i < len; i++)
		different |= (unsigned char)(a[i] ^ b[i]);
	return different == 0;
}

/* RFC 9207, 2.4: must be identical; advertised but absent is an error as well. */
static bool
check_issuer(const struct fields *f, const struct auth_pending *p, struct err *err)
{
	if (!f->iss && !p->sends_iss)
		return true;
	if (!f->iss)
		return err_set(err,
		    "the response does not name its issuer, `iss`, although the metadata of %.90s "
		    "say that it always does (RFC 9207, 2.4)",
		    p->issuer);
	if (strcmp(f->iss, p->issuer) == 0)
		return true;
	return err_set(err,
	    "the response comes from another issuer than %.90s%s%.90s (RFC 9207, 2.4)", p->issuer,
	    auth_url_is_safe(f->iss, NULL) ? ": its `iss` is " : "",
	    auth_url_is_safe(f->iss, NULL) ? f->iss : "");
}

static enum auth_redirect
check(struct fields *f, const struct auth_pending *p, char **code, struct err *err)
{
	if (!f->state || !equal(p->state, f->state)) {
		err_set(err, "not the response to our request: %s",
		    f->state ? "its `state` differs from the one that was sent (RFC 6749, 4.1.2)"
		    : f->code || f->error ? "it has no `state` (RFC 6749, 4.1.2)"
					  : "it has no `state`, `code` or `error`; the part "
					    "after # reaches no program");
		return AUTH_REDIRECT_STRAY;
	}
	if (f->doubled) {
		err_set(err, "the response has a parameter twice (RFC 6749, 3.1)");
		return AUTH_REDIRECT_UNSAFE;
	}
	if (!check_issuer(f, p, err))
		return AUTH_REDIRECT_UNSAFE;
	if (f->error) {
		err_set(err, "the authorization server says %.80s%s%.120s", f->error,
		    f->description ? ": " : "", f->description ? f->description : "");
		return AUTH_REDIRECT_REFUSED;
	}
	if (!f->code || !auth_is_plain(f->code)) {
		err_set(err, "the response has no code (RFC 6749, 4.1.2)");
		return AUTH_REDIRECT_UNSAFE;
	}
	*code = f->code;
	f->code = NULL;
	return AUTH_REDIRECT_CODE;
}

/* An absolute URL must be our redirect URI. */
static bool
is_ours(const char *url, const struct auth_pending *p)
{
	size_t len = strcspn(p->redirect_uri, "?#");

	return strncmp(url, p->redirect_uri, len) == 0 && (url[len] == '?' || url[len] == '\0');
}

enum auth_redirect
auth_redirect_parse(
    const char *url, const struct auth_pending *pending, char **code, struct err *err)
{
	const char *query = strchr(url, '?');
	struct fields f;

	*code = NULL;
	url += strspn(url, " ");
	if (strncmp(url, "http", 4) == 0 && !is_ours(url, pending)) {
		err_set(err, "not the address that the browser should return to (%.150s)",
		    pending->redirect_uri);
		return AUTH_REDIRECT_STRAY;
	}
	query = query ? query + 1 : url;
	fields_take(&f, query, strcspn(query, "# "));
	enum auth_redirect result = check(&f, pending, code, err);
	fields_finish(&f);
	return result;
}
