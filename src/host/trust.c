#include "host/trust.h"

#include "base/buf.h"
#include "base/path.h"
#include "base/private_file.h"
#include "json/print.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define APPROVED_MAX_BYTES ((size_t)4 << 20)

/* With its length, so that no two lists look alike. */
static void
add(struct sha256 *h, const char *text)
{
	char length[32];
	size_t len = text ? strlen(text) : 0;

	snprintf(length, sizeof(length), "%s%zu:", text ? "" : "-", len);
	sha256_add(h, length, strlen(length));
	sha256_add(h, text, len);
}

static void
add_all(struct sha256 *h, char *const *texts)
{
	for (; texts && *texts; texts++)
		add(h, *texts);
	add(h, NULL);
}

/* A relative command means another one in another folder. */
void
trust_mark(const struct target *t, char mark[SHA256_HEX])
{
	struct sha256 h;
	char *here = getcwd(NULL, 0);

	sha256_init(&h);
	add(&h, "mcpane 2");
	add_all(&h, t->argv);
	add_all(&h, t->env);
	add(&h, here);
	add(&h, t->cwd);
	add(&h, t->url);
	add_all(&h, t->headers);
	add(&h, t->sse ? "sse" : NULL);
	sha256_end_hex(&h, mark);
	free(here);
}

bool
trust_has_mark(const char *text, size_t len, const char *mark)
{
	const char *end = text + len;
	size_t n = strlen(mark);

	for (const char *at = text; (at = memmem(at, (size_t)(end - at), mark, n)); at++)
		if ((at == text || at[-1] == '\n') && end - at > (ptrdiff_t)n &&
		    (at[n] == ' ' || at[n] == '\n'))
			return true;
	return false;
}

bool
trust_is_given(const char *mark)
{
	char *path = path_state("approved");
	struct buf text;
	bool there;

	buf_init(&text, APPROVED_MAX_BYTES);
	bool given = path && private_file_look(path, &text, &there, NULL) &&
		     trust_has_mark(buf_text(&text), text.len, mark);
	buf_finish(&text);
	free(path);
	return given;
}

static bool
add_mark(struct private_file *f, const struct target *t, const char *mark, struct err *err)
{
	struct buf text;
	bool there;

	buf_init(&text, APPROVED_MAX_BYTES);
	bool ok = private_file_read(f, &text, &there, err);
	if (ok && !trust_has_mark(buf_text(&text), text.len, mark)) {
		if (text.len > 0 && text.data[text.len - 1] != '\n') /* cut off by a full disk */
			buf_add_char(&text, '\n');
		buf_addf(&text, "%s ", mark);
		json_print_string(&text, t->file ? t->file : "", t->file ? strlen(t->file) : 0);
		buf_add_char(&text, '\n');
		ok = text.overflowed ? err_set(err, "%s is too long", f->path)
				     : private_file_write(f, buf_text(&text), text.len, err);
	}
	buf_finish(&text);
	return ok;
}

bool
trust_give(const struct target *t, const char *mark, struct err *err)
{
	char *path = path_state("approved");
	struct private_file f;

	bool ok = path ? private_file_open(&f, path, err)
		       : err_set(err, "neither XDG_STATE_HOME nor HOME is set");
	if (ok) {
		ok = add_mark(&f, t, mark, err);
		private_file_close(&f);
	}
	free(path);
	return ok;
}
