#include "host/trust.h"

#include "base/buf.h"
#include "base/path.h"
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
	add(&h, "mcpane 1");
	add_all(&h, t->argv);
	add_all(&h, t->env);
	add(&h, here);
	add(&h, t->cwd);
	add(&h, t->url);
	add_all(&h, t->headers);
	sha256_end_hex(&h, mark);
	free(here);
}

/* Lines of a hash, a blank, and the file it came from. */
static bool
read_approved(struct buf *text, struct err *err)
{
	char *path = path_state("approved");

	buf_init(text, APPROVED_MAX_BYTES);
	bool ok = path && (access(path, F_OK) != 0 || path_read_file(path, text, err));
	if (!path)
		err_set(err, "neither XDG_STATE_HOME nor HOME is set");
	free(path);
	return ok;
}

static bool
has_mark(const struct buf *text, const char *mark)
{
	const char *at = buf_text(text);
	size_t len = strlen(mark);

	while (*at) {
		if (strncmp(at, mark, len) == 0 && (at[len] == ' ' || at[len] == '\n'))
			return true;
		at += strcspn(at, "\n");
		at += *at == '\n';
	}
	return false;
}

bool
trust_is_given(const char *mark)
{
	struct buf text;

	bool given = read_approved(&text, NULL) && has_mark(&text, mark);
	buf_finish(&text);
	return given;
}

bool
trust_give(const struct target *t, const char *mark, struct err *err)
{
	struct buf text;
	char *path = path_state("approved");

	bool ok = read_approved(&text, err);
	if (ok && !has_mark(&text, mark)) {
		buf_addf(&text, "%s ", mark);
		json_print_string(&text, t->file ? t->file : "", t->file ? strlen(t->file) : 0);
		buf_add_char(&text, '\n');
		ok = !text.overflowed || err_set(err, "%s is too long", path);
		ok = ok && path_write_private(path, buf_text(&text), text.len, err);
	}
	buf_finish(&text);
	free(path);
	return ok;
}
