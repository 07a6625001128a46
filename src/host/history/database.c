/* SPDX-License-Identifier: MIT */
#include "database.h"

#include "base/ascii.h"
#include "base/mem.h"
#include "base/path.h"
#include "base/utf8.h"
#include "base/vec.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define APPLICATION_ID 0x6d637068 /* "mcph" */

/* Each makes the next version of the database: user_version counts them. */
static const char *const versions[] = {
	"CREATE TABLE call(id INTEGER PRIMARY KEY, server TEXT, kind INTEGER, key TEXT, uri TEXT,"
	" state INTEGER, verdict INTEGER, is_error INTEGER, pinned INTEGER, took_us INTEGER,"
	" bytes INTEGER, held INTEGER, name TEXT, arguments TEXT, text TEXT, error TEXT);"
	"CREATE INDEX call_of ON call(server, kind, key, id);"
	"CREATE TABLE body(id INTEGER PRIMARY KEY, label TEXT, error_code INTEGER, hash TEXT,"
	" arguments TEXT, reply BLOB);"
	"CREATE TABLE definition(hash TEXT PRIMARY KEY, json TEXT) WITHOUT ROWID;"
	"PRAGMA application_id=1835233384;",
	/* Whether the body has more of the texts than the row; unknown for older rows. */
	"ALTER TABLE call ADD COLUMN more INTEGER DEFAULT 1;",
};

/* After a call of SQLite failed: notes the state and why. False. */
static bool
database_fail(struct database *d)
{
	int code = d->handle ? d->f.sqlite3_errcode(d->handle) & 0xff : SQLITE_CANTOPEN;

	if (code == SQLITE_BUSY || code == SQLITE_LOCKED)
		d->state = DATABASE_LOCKED;
	else if (code == SQLITE_FULL || code == SQLITE_READONLY || code == SQLITE_IOERR)
		d->state = DATABASE_FULL;
	else if (code == SQLITE_CORRUPT || code == SQLITE_NOTADB)
		d->state = DATABASE_DAMAGED;
	else
		d->state = DATABASE_OFF;
	return err_set(&d->why, "%.150s",
	    d->handle ? d->f.sqlite3_errmsg(d->handle) : "SQLite cannot be used");
}

bool
database_run(struct database *d, const char *sql)
{
	return d->f.sqlite3_exec(d->handle, sql, NULL, NULL, NULL) == SQLITE_OK || database_fail(d);
}

/* Ends a transaction: COMMIT if ok, else ROLLBACK, whose result does not replace the error. */
static bool
database_end(struct database *d, bool ok)
{
	if (ok && database_run(d, "COMMIT"))
		return true;
	d->f.sqlite3_exec(d->handle, "ROLLBACK", NULL, NULL, NULL);
	return false;
}

/* NULL: failed. */
static sqlite3_stmt *
database_prepare(struct database *d, const char *sql)
{
	sqlite3_stmt *s = NULL;

	if (d->f.sqlite3_prepare_v2(d->handle, sql, -1, &s, NULL) != SQLITE_OK)
		database_fail(d);
	return s;
}

/* True: there is a row. */
static bool
database_next(struct database *d, sqlite3_stmt *s)
{
	int code = d->f.sqlite3_step(s);

	if (code != SQLITE_ROW && code != SQLITE_DONE)
		database_fail(d);
	return code == SQLITE_ROW;
}

/* Ends a statement that changes something: false, it failed. */
static bool
database_finish(struct database *d, sqlite3_stmt *s)
{
	bool ok = s && d->f.sqlite3_step(s) == SQLITE_DONE;

	if (s && !ok)
		database_fail(d);
	d->f.sqlite3_finalize(s);
	return ok;
}

static void
database_bind_text(struct database *d, sqlite3_stmt *s, int index, const char *text)
{
	if (text)
		d->f.sqlite3_bind_text64(s, index, text, strlen(text), SQLITE_STATIC, SQLITE_UTF8);
}

/* A copy of the column; NULL: it is null. len may be NULL. */
static char *
database_text(struct database *d, sqlite3_stmt *s, int column, size_t *len)
{
	const void *bytes = d->f.sqlite3_column_blob(s, column);
	int size = d->f.sqlite3_column_bytes(s, column);

	if (len)
		*len = bytes && size > 0 ? (size_t)size : 0;
	return bytes && size >= 0 ? mem_strndup(bytes, (size_t)size) : NULL;
}

/* The first number of the result. argument: of ?1; 0: none. */
static int64_t
database_number(struct database *d, const char *sql, int64_t argument)
{
	sqlite3_stmt *s = database_prepare(d, sql);

	if (s && argument)
		d->f.sqlite3_bind_int64(s, 1, argument);
	int64_t number = s && database_next(d, s) ? d->f.sqlite3_column_int64(s, 0) : 0;

	d->f.sqlite3_finalize(s);
	return number;
}

/* ---- opening ---- */

static bool
database_refuse(struct database *d, const char *why)
{
	d->state = DATABASE_OFF;
	return err_set(&d->why, "%s", why);
}

/* Creates the file for this user only; SQLite gives its other files the same mode. A file that
 * exists is not opened here: closing it would end all locks that this process has on it, and
 * another program would take the log of changes away under us. */
static bool
make_file(struct database *d, const char *path)
{
	struct stat st;

	path_make_folders(path);
	int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd >= 0)
		close(fd);
	if ((fd < 0 && errno != EEXIST) || lstat(path, &st) != 0)
		return database_refuse(d, strerror(errno));
	if (S_ISLNK(st.st_mode))
		return database_refuse(d, "it is a symbolic link, which is not followed");
	if (!S_ISREG(st.st_mode))
		return database_refuse(d, "it is not a regular file");
	if (st.st_uid != geteuid())
		return database_refuse(d, "it belongs to another user");
	return !(st.st_mode & 077) || chmod(path, 0600) == 0 || database_refuse(d, strerror(errno));
}

/* These are programs: a view instead of a table may never end, and a trigger runs at each call.
 * A view and a virtual table have no page. */
static const char foreign_parts[] =
    "SELECT count(*) FROM sqlite_schema WHERE type NOT IN('table','index') OR rootpage IS NULL"
    " OR rootpage<2 OR (type='table' AND name NOT IN('call','body','definition')"
    " AND name NOT LIKE 'sqlite_%')";

static bool
is_ours(struct database *d)
{
	d->state = DATABASE_OPEN;
	/* in this order, because another program may be making the tables */
	int64_t tables = database_number(d, "SELECT count(*) FROM sqlite_schema", 0);
	if (d->state != DATABASE_OPEN)
		return false; /* locked: the others would wait, too */
	int64_t version = database_number(d, "PRAGMA user_version", 0);
	int64_t id = database_number(d, "PRAGMA application_id", 0);

	if (d->state != DATABASE_OPEN)
		return false;
	if (tables > 0 && id != APPLICATION_ID)
		return database_refuse(d, "it is a database of another program");
	if (version > (int64_t)ARRAY_LEN(versions))
		return database_refuse(d, "it was written by a newer mcpane");
	if (database_number(d, foreign_parts, 0) > 0)
		return database_refuse(
		    d, "it has views, triggers or tables that mcpane does not make");
	if (version != (int64_t)ARRAY_LEN(versions)) { /* unless another program does it first */
		bool ok = database_run(d, "BEGIN IMMEDIATE");
		version = ok ? database_number(d, "PRAGMA user_version", 0) : 0;
		for (; ok && version < (int64_t)ARRAY_LEN(versions); version++) {
			char sql[64];
			snprintf(sql, sizeof(sql), "PRAGMA user_version=%d", (int)version + 1);
			ok = database_run(d, versions[version]) && database_run(d, sql);
		}
		if (!database_end(d, ok))
			return false;
	}
	database_number(d, "SELECT id FROM call ORDER BY id DESC LIMIT 1", 0); /* damage shows */
	return d->state == DATABASE_OPEN;
}

/*
 * SQLite publishes a commit in shared memory after it has written the log, which inotify does not
 * report. So the file gets a new time once others can read the commit.
 */
static int
on_commit(void *d, sqlite3 *handle, const char *name, int pages)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	utimensat(AT_FDCWD, ((struct database *)d)->path, (const struct timespec[]){ now, now },
	    AT_SYMLINK_NOFOLLOW);
	return SQLITE_OK;
}

bool
database_open(struct database *d, const char *path, int wait_ms)
{
	const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_NOFOLLOW;

	*d = (struct database){ 0 };
	if (!SHARED_LIBRARY_LOAD("libsqlite3.so.0", DATABASE_FUNCTIONS, &d->f, NULL))
		return database_refuse(d, "it needs libsqlite3: install the package libsqlite3-0");
	if (!make_file(d, path))
		return false;
	d->path = realpath(path, NULL); /* a folder above it may be a link */
	if (!d->path)
		d->path = mem_strdup(path);
	bool ok =
	    d->f.sqlite3_open_v2(d->path, &d->handle, flags, NULL) == SQLITE_OK || database_fail(d);
	if (ok)
		d->f.sqlite3_busy_timeout(d->handle, wait_ms);
	/* A transaction is safe once it is written: a kill loses nothing, a power cut at most
	 * the last ones. A job waits for the disk, see history_prune(). */
	if (ok && is_ours(d) &&
	    database_run(d, "PRAGMA journal_mode=WAL;PRAGMA synchronous=NORMAL;"
			    "PRAGMA wal_autocheckpoint=0;PRAGMA secure_delete=FAST;"
			    "PRAGMA trusted_schema=OFF;PRAGMA mmap_size=0;")) {
		d->f.sqlite3_wal_hook(d->handle, on_commit, d); /* wal_autocheckpoint removes it */
		return true;
	}
	enum database_state state = d->state;
	database_close(d);
	d->state = state;
	return false;
}

void
database_close(struct database *d)
{
	if (d->handle)
		d->f.sqlite3_close_v2(d->handle);
	d->handle = NULL;
	free(d->path);
	d->path = NULL;
	d->state = DATABASE_CLOSED;
}

/* The bytes of a row without its texts, for the bounds. */
#define ROW_BYTES 400

/* ---- writing ---- */

static bool
bind_numbers(struct database *d, sqlite3_stmt *s, const int64_t *numbers, size_t count)
{
	for (size_t i = 0; s && i < count; i++)
		d->f.sqlite3_bind_int64(s, (int)i + 1, numbers[i]);
	return s != NULL;
}

static bool
write_call(struct database *d, const struct history_call *h)
{
	struct buf arguments = BUF_INIT;
	size_t len = strlen(h->arguments);
	int64_t held = (int64_t)(h->reply_len + 2 * len) + ROW_BYTES;
	const int64_t numbers[] = { (int64_t)h->id, h->kind, h->state, h->verdict, h->is_error,
		h->pinned, h->took_us, h->bytes, held, h->more || len > HISTORY_LIST_MAX };
	const char *const texts[] = { h->server, h->key, h->uri, h->name, NULL, h->text, h->error };
	sqlite3_stmt *s = database_prepare(d,
	    "INSERT OR REPLACE INTO call(id, kind, state, verdict, is_error, pinned, took_us,"
	    " bytes, held, more, server, key, uri, name, arguments, text, error)"
	    " VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)");

	if (!bind_numbers(d, s, numbers, ARRAY_LEN(numbers)))
		return false;
	utf8_add_cut(&arguments, h->arguments, len, HISTORY_LIST_MAX);
	for (size_t i = 0; i < ARRAY_LEN(texts); i++)
		database_bind_text(d, s, (int)(ARRAY_LEN(numbers) + i) + 1,
		    i == 4 ? buf_text(&arguments) : texts[i]);
	bool ok = database_finish(d, s);
	buf_finish(&arguments);
	return ok;
}

static bool
write_body(struct database *d, const struct history_call *h)
{
	const int64_t numbers[] = { (int64_t)h->id, h->error_code };
	sqlite3_stmt *s = database_prepare(d, "INSERT OR REPLACE INTO body(id, error_code, label,"
					      " hash, arguments, reply) VALUES(?,?,?,?,?,?)");

	if (!bind_numbers(d, s, numbers, ARRAY_LEN(numbers)))
		return false;
	database_bind_text(d, s, 3, h->label);
	database_bind_text(d, s, 4, h->hash);
	database_bind_text(d, s, 5, h->arguments);
	if (h->reply)
		d->f.sqlite3_bind_blob64(s, 6, h->reply, h->reply_len, SQLITE_STATIC);
	return database_finish(d, s);
}

bool
rows_write(struct database *d, void *call)
{
	struct history_call *h = call;

	if (!database_run(d, "BEGIN IMMEDIATE"))
		return false;
	/* two calls may begin in the same microsecond: neither replaces the other */
	sqlite3_stmt *s = database_prepare(d, "SELECT 1 FROM call WHERE id=?");
	for (bool taken = s != NULL; taken;) {
		d->f.sqlite3_bind_int64(s, 1, (int64_t)h->id);
		taken = database_next(d, s);
		d->f.sqlite3_reset(s);
		h->id += taken;
	}
	d->f.sqlite3_finalize(s);
	bool ok = d->state == DATABASE_OPEN;
	if (ok && h->hash && h->definition) {
		s = database_prepare(d, "INSERT OR IGNORE INTO definition(hash, json) VALUES(?,?)");
		if (s) {
			database_bind_text(d, s, 1, h->hash);
			database_bind_text(d, s, 2, h->definition);
		}
		ok = database_finish(d, s);
	}
	return database_end(d, ok && write_body(d, h) && write_call(d, h));
}

/* text: of ?2; NULL: it is the number. */
static bool
row_change(struct database *d, const char *sql, uint64_t id, const char *text, int64_t number)
{
	sqlite3_stmt *s = database_prepare(d, sql);

	if (!s)
		return false;
	d->f.sqlite3_bind_int64(s, 1, (int64_t)id);
	if (text)
		database_bind_text(d, s, 2, text);
	else
		d->f.sqlite3_bind_int64(s, 2, number);
	return database_finish(d, s);
}

static bool
write_reply(struct database *d, const struct history_call *h)
{
	int64_t held = (int64_t)(h->reply_len + 2 * strlen(h->arguments)) + ROW_BYTES;
	sqlite3_stmt *s = database_prepare(d, "UPDATE body SET reply=?2 WHERE id=?1");

	if (!bind_numbers(d, s, (const int64_t[]){ (int64_t)h->id }, 1))
		return false;
	bool fits = d->f.sqlite3_bind_zeroblob64(s, 2, h->reply_len) == SQLITE_OK;
	if (!database_finish(d, s))
		return false;
	if (fits && d->f.sqlite3_changes(d->handle) > 0) {
		/* The place for the reply is made first, and filled then: SQLite would copy a bound
		 * value whole. */
		sqlite3_int64 id = (sqlite3_int64)h->id;
		sqlite3_blob *blob = NULL;
		bool ok =
		    d->f.sqlite3_blob_open(d->handle, "main", "body", "reply", id, 1, &blob) ==
			SQLITE_OK &&
		    d->f.sqlite3_blob_write(blob, h->reply, (int)h->reply_len, 0) == SQLITE_OK;
		if (!ok)
			database_fail(d);
		d->f.sqlite3_blob_close(blob);
		if (!ok)
			return false;
	}
	return row_change(d, "UPDATE call SET held=?2 WHERE id=?1", h->id, NULL, held);
}

bool
rows_complete(struct database *d, void *call)
{
	const struct history_call *h = call;

	if (!database_run(d, "BEGIN IMMEDIATE"))
		return false;
	bool ok = !h->reply || write_reply(d, h);
	if (ok && h->verdict != VERDICT_UNDECIDED) /* as it was written */
		ok = row_change(
		    d, "UPDATE call SET verdict=?2 WHERE id=?1", h->id, NULL, h->verdict);
	return database_end(d, ok);
}

bool
rows_change(struct database *d, void *request)
{
	const struct row_request *r = request;

	if (r->sql)
		return row_change(d, r->sql, r->id, r->text, r->number);
	return database_run(d, "BEGIN IMMEDIATE") &&
	       database_end(
		   d, row_change(d, "DELETE FROM call WHERE id=?1 AND ?2=0", r->id, NULL, 0) &&
			  row_change(d, "DELETE FROM body WHERE id=?1 AND ?2=0", r->id, NULL, 0));
}

/* ---- reading ---- */

#define COLUMNS                                                                                \
	"id, kind, state, verdict, is_error, pinned, took_us, bytes, more, server, key, uri, " \
	"name,"                                                                                \
	" arguments, text, error"

#define BODY                                                                               \
	"SELECT label, arguments, reply, error_code, body.hash, json FROM body LEFT JOIN " \
	"definition"                                                                       \
	" USING(hash) WHERE id=?"

/* A column of the row, as long as the statement stays there. */
static char *
peek(struct database *d, sqlite3_stmt *s, int column)
{
	return (char *)d->f.sqlite3_column_text(s, column);
}

/* A number that has few values; -1: it is out of range. */
static int
peek_small(struct database *d, sqlite3_stmt *s, int column)
{
	int64_t number = d->f.sqlite3_column_int64(s, column);

	return number >= 0 && number < 100 ? (int)number : -1;
}

/* The row; its texts live as long as the statement stays there. */
static bool
look_at(struct database *d, sqlite3_stmt *s, struct history_call *h)
{
	static char none[] = "";
	char **const texts[] = { &h->server, &h->key, &h->uri, &h->name, &h->arguments, &h->text,
		&h->error };

	h->id = (uint64_t)d->f.sqlite3_column_int64(s, 0);
	h->kind = peek_small(d, s, 1);
	h->state = peek_small(d, s, 2);
	h->verdict = peek_small(d, s, 3);
	h->is_error = d->f.sqlite3_column_int64(s, 4) != 0;
	h->pinned = d->f.sqlite3_column_int64(s, 5) != 0;
	h->took_us = d->f.sqlite3_column_int64(s, 6);
	h->bytes = d->f.sqlite3_column_int64(s, 7);
	h->more = d->f.sqlite3_column_int64(s, 8) != 0;
	for (int i = 0; i < (int)ARRAY_LEN(texts); i++)
		*texts[i] = peek(d, s, 9 + i);
	h->label = none;
	h->server = h->server ? h->server : none;
	h->key = h->key ? h->key : none;
	h->arguments = h->arguments ? h->arguments : none;
	h->text = h->text ? h->text : none;
	return history_check(h);
}

bool
rows_find(struct database *d, void *request)
{
	const struct row_request *r = request;
	struct history_call *out = r->out;
	char **const texts[] = { &out->server, &out->label, &out->key, &out->uri, &out->name,
		&out->arguments, &out->text, &out->error };
	sqlite3_stmt *s = database_prepare(d, "SELECT " COLUMNS " FROM call WHERE id=?");

	*out = (struct history_call){ 0 };
	if (!s)
		return false;
	d->f.sqlite3_bind_int64(s, 1, (int64_t)r->id);
	bool has_row = database_next(d, s), ok = has_row && look_at(d, s, out);
	for (size_t i = 0; has_row && i < ARRAY_LEN(texts); i++)
		*texts[i] = mem_strdup(*texts[i]); /* it is the statement's */
	d->f.sqlite3_finalize(s);
	s = ok && r->whole ? database_prepare(d, BODY) : NULL;
	if (s) {
		d->f.sqlite3_bind_int64(s, 1, (int64_t)r->id);
		if (database_next(d, s)) {
			char *arguments = database_text(d, s, 1, NULL),
			     *label = database_text(d, s, 0, NULL);
			if (label) {
				free(out->label);
				out->label = label;
			}
			if (arguments) {
				free(out->arguments);
				out->arguments = arguments;
			}
			out->reply = database_text(d, s, 2, &out->reply_len);
			out->error_code = d->f.sqlite3_column_int64(s, 3);
			out->hash = database_text(d, s, 4, NULL);
			out->definition = database_text(d, s, 5, NULL);
		}
		d->f.sqlite3_finalize(s);
	}
	if (!ok)
		history_finish(out);
	return ok;
}

bool
rows_last(struct database *d, void *request)
{
	const struct row_request *r = request;
	sqlite3_stmt *s = database_prepare(d,
	    "SELECT call.id, body.hash, json FROM call JOIN body USING(id) LEFT JOIN definition"
	    " USING(hash) WHERE server=? AND kind=? AND key=? AND call.id<? AND bytes>0"
	    " ORDER BY call.id DESC LIMIT 1");

	if (!s)
		return false;
	database_bind_text(d, s, 1, r->server);
	d->f.sqlite3_bind_int64(s, 2, (int64_t)r->kind);
	database_bind_text(d, s, 3, r->key);
	d->f.sqlite3_bind_int64(s, 4, (int64_t)r->id);
	bool ok = database_next(d, s);
	if (ok) {
		r->out->id = (uint64_t)d->f.sqlite3_column_int64(s, 0);
		r->out->hash = database_text(d, s, 1, NULL);
		r->out->definition = database_text(d, s, 2, NULL);
	}
	d->f.sqlite3_finalize(s);
	return ok;
}

/* The words of a filter that look into the texts, of which the rows have only the beginning. They
 * have no name. */
struct sought {
	const struct filter *filter;
	bool text, negated; /* any word; one that must not be there */
	sqlite3_stmt *body; /* arguments and reply by id */
	struct buf plain;
};

/* Adds the text with the escapes of JSON strings decoded: a server may escape each letter. */
static void
unescape(struct buf *out, const char *at, const char *end)
{
	static const char letters[] = "nrtbf", meant[] = "\n\r\t\b\f";
	char utf8[4];

	while (at < end) {
		const char *slash = memchr(at, '\\', (size_t)(end - at));
		buf_add(out, at, (size_t)((slash ? slash : end) - at));
		if (!slash || slash + 1 == end)
			return;
		const char *letter = slash[1] ? strchr(letters, slash[1]) : NULL;
		int high = slash[1] == 'u' && end - slash > 5 ? hex_number(slash + 2, 4) : -1;
		int low = high >= 0xd800 && high < 0xdc00 && end - slash > 11 && slash[6] == '\\' &&
				  slash[7] == 'u'
			      ? hex_number(slash + 8, 4)
			      : -1;
		bool pair = low >= 0xdc00 && low < 0xe000;
		if (high > 0)
			buf_add(out, utf8,
			    utf8_encode(pair ? 0x10000 + ((uint32_t)(high & 1023) << 10 |
							     (uint32_t)(low & 1023))
					     : (uint32_t)high,
				utf8));
		else
			buf_add_char(out, letter ? meant[letter - letters] : slash[1]);
		at = slash + (high > 0 ? (pair ? 12 : 6) : 2);
	}
}

/* Matches the whole texts instead of their beginnings. */
static bool
matches_whole(struct database *d, struct sought *a, struct history_call *h)
{
	for (size_t i = 0; i < a->filter->len;
	     i++) { /* the other words, before the texts are read */
		const struct filter_term *term = &a->filter->items[i];
		if (term->word->name && !filter_term_holds(term, h))
			return false;
	}
	d->f.sqlite3_bind_int64(a->body, 1, (int64_t)h->id);
	if (!database_next(d, a->body)) {
		d->f.sqlite3_reset(a->body);
		return filter_matches(a->filter, h);
	}
	const struct history_call begun = *h;
	const char *reply = d->f.sqlite3_column_blob(a->body, 1);
	int len = d->f.sqlite3_column_bytes(a->body, 1);
	char *arguments = peek(d, a->body, 0);

	buf_clear(&a->plain);
	unescape(&a->plain, reply, reply + (reply ? len : 0));
	h->arguments = arguments ? arguments : h->arguments;
	buf_add_char(&a->plain, '\0');
	h->text = a->plain.data;
	bool ok = filter_matches(a->filter, h);
	d->f.sqlite3_reset(a->body);
	h->arguments = begun.arguments;
	h->text = begun.text;
	return ok;
}

/* The whole texts, as long as the statement stays there. The row may have the beginning alone. */
static void
look_at_body(struct database *d, sqlite3_stmt *s, bool whole, struct history_call *h)
{
	d->f.sqlite3_bind_int64(s, 1, (int64_t)h->id);
	if (!database_next(d, s))
		return;
	char *label = peek(d, s, 0), *arguments = peek(d, s, 1);
	h->label = label ? label : h->label;
	h->arguments = arguments ? arguments : h->arguments;
	if (!whole)
		return;
	h->reply = (char *)d->f.sqlite3_column_blob(s, 2);
	h->reply_len = (size_t)d->f.sqlite3_column_bytes(s, 2);
	h->error_code = d->f.sqlite3_column_int64(s, 3);
	h->hash = peek(d, s, 4);
	h->definition = peek(d, s, 5);
}

bool
rows_each(struct database *d, const struct rows_wanted *w, history_each_fn *fn, void *user)
{
	bool ids_only = w->filter->len == 0 && w->part == HISTORY_IDS, goes_on = true;
	sqlite3_stmt *s = database_prepare(
	    d, ids_only ? "SELECT id FROM call WHERE id>0 ORDER BY id DESC"
			: "SELECT " COLUMNS " FROM call WHERE id>0 ORDER BY id DESC");
	sqlite3_stmt *body = s && w->part != HISTORY_IDS ? database_prepare(d, BODY) : NULL;

	if (!s || (w->part != HISTORY_IDS && !body)) {
		d->f.sqlite3_finalize(s);
		return false;
	}
	struct sought sought = { .filter = w->filter, .plain = BUF_INIT };
	for (size_t i = 0; i < w->filter->len; i++) {
		sought.text |= !w->filter->items[i].word->name;
		sought.negated |= !w->filter->items[i].word->name && w->filter->items[i].negated;
	}
	if (sought.text)
		sought.body = database_prepare(d, "SELECT arguments, reply FROM body WHERE id=?");
	d->state = DATABASE_OPEN;
	for (size_t seen = 0;
	     goes_on && database_next(d, s) && (!w->job || job_goes_on(w->job, seen)); seen++) {
		struct history_call h = { .zone_s = w->zone_s };
		h.id = (uint64_t)d->f.sqlite3_column_int64(s, 0);
		if (!ids_only && !look_at(d, s, &h))
			continue;
		bool fits = ids_only || filter_matches(sought.filter, &h);
		if (!ids_only && sought.text && h.more && sought.body && (!fits || sought.negated))
			fits = matches_whole(d, &sought, &h);
		if (!fits)
			continue;
		bool whole = w->part == HISTORY_WHOLE;
		bool is_cut =
		    h.more && strnlen(h.arguments, HISTORY_LIST_MAX) > HISTORY_LIST_MAX - 8;
		bool looks = whole || (w->part == HISTORY_ROWS && is_cut);
		if (looks)
			look_at_body(d, body, whole, &h);
		goes_on = fn(user, &h);
		if (looks)
			d->f.sqlite3_reset(body);
	}
	d->f.sqlite3_finalize(sought.body);
	buf_finish(&sought.plain);
	d->f.sqlite3_finalize(body);
	d->f.sqlite3_finalize(s);
	return d->state == DATABASE_OPEN;
}

/* The limit of all sets together: more would delay the entry into a field. */
#define ARGUMENTS_BYTES ((size_t)256 << 10)

bool
rows_arguments(struct database *d, void *request)
{
	const struct row_request *r = request;
	sqlite3_stmt *s = database_prepare(d,
	    "SELECT body.arguments FROM call JOIN body USING(id) WHERE server=? AND key=? AND"
	    " kind=? ORDER BY pinned DESC, call.id DESC LIMIT 500");

	if (!s)
		return false;
	database_bind_text(d, s, 1, r->server);
	database_bind_text(d, s, 2, r->key);
	d->f.sqlite3_bind_int64(s, 3, (int64_t)r->kind);
	for (size_t bytes = 0;
	     r->arguments->len < r->max && bytes < ARGUMENTS_BYTES && database_next(d, s);) {
		char *text = database_text(d, s, 0, NULL);
		bytes += text ? strlen(text) : 0;
		if (text && *text && !strings_have(r->arguments, text))
			strings_take(r->arguments, text);
		else
			free(text);
	}
	d->f.sqlite3_finalize(s);
	return true;
}

/* ---- bounds ---- */

/* The id up to which calls that are not pinned go, so that the others are of max_bytes at most. */
static uint64_t
last_to_go(struct database *d, int64_t max_bytes)
{
	int64_t over = database_number(d, "SELECT sum(held) FROM call", 0) - max_bytes;
	sqlite3_stmt *s =
	    over > 0 ? database_prepare(d, "SELECT id, held FROM call WHERE pinned=0 ORDER BY id")
		     : NULL;
	uint64_t last = 0;

	over += max_bytes / 10; /* room, so that not every call drops another */
	while (s && over > 0 && database_next(d, s)) {
		last = (uint64_t)d->f.sqlite3_column_int64(s, 0);
		over -= d->f.sqlite3_column_int64(s, 1);
	}
	d->f.sqlite3_finalize(s);
	return last;
}

bool
rows_prune(struct database *d, const struct rows_bounds *bounds, struct rows_dropped *dropped)
{
	static const char *const some[] = {
		"DELETE FROM body WHERE id IN (SELECT id FROM call WHERE id<=?1 AND pinned=0"
		" ORDER BY id LIMIT ?2)",
		"DELETE FROM call WHERE id IN (SELECT id FROM call WHERE id<=?1 AND pinned=0"
		" ORDER BY id LIMIT ?2)",
	};

	d->state = DATABASE_OPEN;
	uint64_t last = bounds->most ? 0 : last_to_go(d, bounds->max_bytes);
	/* Counts from the newest call of an earlier day, and not from now: a clock that is wrong
	 * for a day makes nothing old. */
	const int64_t day_us = INT64_C(86400000000);
	uint64_t day_ago = bounds->now_us > day_us ? HISTORY_ID(bounds->now_us - day_us, 0) : 0;
	uint64_t newest = day_ago ? (uint64_t)database_number(d,
					"SELECT id FROM call WHERE id<=?1 ORDER BY id DESC LIMIT 1",
					(int64_t)day_ago)
				  : 0;
	int64_t newest_us = newest ? (int64_t)HISTORY_STARTED_US(newest) : 0;
	uint64_t old =
	    newest_us > bounds->max_age_us ? HISTORY_ID(newest_us - bounds->max_age_us, 0) : 0;

	*dropped = (struct rows_dropped){ 0 };
	if (old)
		dropped->old = (size_t)database_number(
		    d, "SELECT count(*) FROM call WHERE id<=?1 AND pinned=0", (int64_t)old);
	if (dropped->old > 0)
		dropped->of = (size_t)database_number(d, "SELECT count(*) FROM call", 0);
	if (bounds->most > 0 && dropped->old > bounds->most)
		dropped->old = bounds->most;
	if (bounds->most > 0 && d->state == DATABASE_OPEN) {
		/* unused definitions stay until the next complete prune */
		bool ok = dropped->old == 0 || database_run(d, "BEGIN IMMEDIATE");
		for (size_t i = 0; i < ARRAY_LEN(some) && ok && dropped->old > 0; i++)
			ok = row_change(d, some[i], old, NULL, (int64_t)bounds->most);
		return dropped->old == 0 || database_end(d, ok);
	}
	if (last < old)
		last = old;
	if (d->state != DATABASE_OPEN ||
	    !row_change(d, "DELETE FROM call WHERE id<=?1 AND pinned=?2", last, NULL, 0))
		return false;
	if (d->f.sqlite3_changes(d->handle) == 0)
		return true;
	return database_run(d, "DELETE FROM body WHERE id NOT IN (SELECT id FROM call);"
			       "DELETE FROM definition WHERE hash NOT IN"
			       " (SELECT hash FROM body WHERE hash IS NOT NULL)");
}
