#include "database.h"

#include "base/mem.h"
#include "base/path.h"
#include "base/vec.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
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
	/* Does the body have more of the texts than the row? Of older rows nobody knows. */
	"ALTER TABLE call ADD COLUMN more INTEGER DEFAULT 1;",
};

bool
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

bool
database_end(struct database *d, bool ok)
{
	if (ok && database_run(d, "COMMIT"))
		return true;
	enum database_state state = d->state;
	struct err why = d->why;
	database_run(d, "ROLLBACK");
	d->state = state;
	d->why = why;
	return false;
}

sqlite3_stmt *
database_prepare(struct database *d, const char *sql)
{
	sqlite3_stmt *s = NULL;

	if (d->f.sqlite3_prepare_v2(d->handle, sql, -1, &s, NULL) != SQLITE_OK)
		database_fail(d);
	return s;
}

bool
database_next(struct database *d, sqlite3_stmt *s)
{
	int code = d->f.sqlite3_step(s);

	if (code != SQLITE_ROW && code != SQLITE_DONE)
		database_fail(d);
	return code == SQLITE_ROW;
}

bool
database_finish(struct database *d, sqlite3_stmt *s)
{
	bool ok = s && d->f.sqlite3_step(s) == SQLITE_DONE;

	if (s && !ok)
		database_fail(d);
	d->f.sqlite3_finalize(s);
	return ok;
}

void
database_bind_text(struct database *d, sqlite3_stmt *s, int index, const char *text)
{
	if (text)
		d->f.sqlite3_bind_text64(s, index, text, strlen(text), SQLITE_STATIC, SQLITE_UTF8);
}

char *
database_text(struct database *d, sqlite3_stmt *s, int column, size_t *len)
{
	const void *bytes = d->f.sqlite3_column_blob(s, column);
	int size = d->f.sqlite3_column_bytes(s, column);

	if (len)
		*len = bytes && size > 0 ? (size_t)size : 0;
	return bytes && size >= 0 ? mem_strndup(bytes, (size_t)size) : NULL;
}

int64_t
database_number(struct database *d, const char *sql)
{
	sqlite3_stmt *s = database_prepare(d, sql);
	int64_t number = s && database_next(d, s) ? d->f.sqlite3_column_int64(s, 0) : 0;

	d->f.sqlite3_finalize(s);
	return number;
}

/* ---- opening ---- */

static bool
off(struct database *d, const char *why)
{
	d->state = DATABASE_OFF;
	return err_set(&d->why, "%s", why);
}

/* Of this user, and for nobody else; SQLite gives the files beside it the same mode. A file that
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
		return off(d, strerror(errno));
	if (S_ISLNK(st.st_mode))
		return off(d, "it is a symbolic link, which is not followed");
	if (!S_ISREG(st.st_mode))
		return off(d, "it is not a regular file");
	if (st.st_uid != geteuid())
		return off(d, "it belongs to another user");
	return !(st.st_mode & 077) || chmod(path, 0600) == 0 || off(d, strerror(errno));
}

static bool
upgrade(struct database *d)
{
	bool ok = database_run(d, "BEGIN IMMEDIATE");
	int64_t version = ok ? database_number(d, "PRAGMA user_version") : 0;
	char sql[64];

	for (; ok && version < (int64_t)ARRAY_LEN(versions); version++) {
		snprintf(sql, sizeof(sql), "PRAGMA user_version=%d", (int)version + 1);
		ok = database_run(d, versions[version]) && database_run(d, sql);
	}
	return database_end(d, ok);
}

/* They are programs: a view in place of a table may never end, and a trigger runs at each call. A
 * view and a virtual table have no page. */
static const char foreign_parts[] =
    "SELECT count(*) FROM sqlite_schema WHERE type NOT IN('table','index') OR rootpage IS NULL"
    " OR rootpage<2 OR (type='table' AND name NOT IN('call','body','definition')"
    " AND name NOT LIKE 'sqlite_%')";

static bool
is_ours(struct database *d)
{
	d->state = DATABASE_OPEN;
	/* in this order, because another program may be making the tables */
	int64_t tables = database_number(d, "SELECT count(*) FROM sqlite_schema");
	if (d->state != DATABASE_OPEN)
		return false; /* locked: the others would wait, too */
	int64_t version = database_number(d, "PRAGMA user_version");
	int64_t id = database_number(d, "PRAGMA application_id");

	if (d->state != DATABASE_OPEN)
		return false;
	if (tables > 0 && id != APPLICATION_ID)
		return off(d, "it is a database of another program");
	if (version > (int64_t)ARRAY_LEN(versions))
		return off(d, "it was written by a newer mcpane");
	if (database_number(d, foreign_parts) > 0)
		return off(d, "it has views, triggers or tables that mcpane does not make");
	if (version != (int64_t)ARRAY_LEN(versions) && !upgrade(d))
		return false;
	database_number(d, "SELECT id FROM call ORDER BY id DESC LIMIT 1"); /* damage shows */
	return d->state == DATABASE_OPEN;
}

bool
database_open(struct database *d, const char *path, int wait_ms)
{
	const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_NOFOLLOW;

	*d = (struct database){ 0 };
	if (!SHARED_LIBRARY_LOAD("libsqlite3.so.0", DATABASE_FUNCTIONS, &d->f, NULL))
		return off(d, "it needs libsqlite3: install the package libsqlite3-0");
	if (!make_file(d, path))
		return false;
	char *real = realpath(path, NULL); /* a folder above it may be a link */
	bool ok = d->f.sqlite3_open_v2(real ? real : path, &d->handle, flags, NULL) == SQLITE_OK ||
		  database_fail(d);
	free(real);
	if (ok)
		d->f.sqlite3_busy_timeout(d->handle, wait_ms);
	/* A transaction is safe once it is written: a kill loses nothing, a power cut at most the
	 * last ones. Whoever waits for the disk does so in a job, see history_prune(). */
	if (ok && is_ours(d) &&
	    database_run(d, "PRAGMA journal_mode=WAL;PRAGMA synchronous=NORMAL;"
			    "PRAGMA wal_autocheckpoint=0;PRAGMA secure_delete=FAST;"
			    "PRAGMA trusted_schema=OFF;PRAGMA mmap_size=0;"))
		return true;
	enum database_state state = d->state;
	struct err why = d->why;
	database_close(d);
	d->state = state;
	d->why = why;
	return false;
}

void
database_leave_log(struct database *d)
{
	d->f.sqlite3_db_config(d->handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
}

void
database_close(struct database *d)
{
	if (d->handle)
		d->f.sqlite3_close_v2(d->handle);
	d->handle = NULL;
	d->state = DATABASE_CLOSED;
}
