#include "host/history.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/path.h"
#include "base/private_file.h"
#include "base/vec.h"
#include "database.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Replies up to this are written at once; the parts of a longer one wait for a job. */
#define AT_ONCE_BYTES ((size_t)64 << 10)
/* How long the screen, and a job, wait for another program that writes. */
enum { LOG_LONG_BYTES = 1 << 20 };
enum { NOW_WAIT_MS = 20, LATER_WAIT_MS = 5000, PRUNE_EACH = 100 };

/* A connection and who uses it. */
struct lane {
	pthread_mutex_t mutex;
	struct database db;
	int wait_ms;
	size_t file; /* as in struct history, when it was opened */
	ino_t inode; /* of the file that was opened */
};

struct history {
	struct history_options options;
	char *path;
	unsigned salt;          /* so that no two programs give the same id */
	struct lane now, later; /* the loop's thread, and jobs */
	atomic_size_t changes;
	atomic_size_t file; /* rises when a damaged one is put aside */
	size_t until_prune;
	atomic_bool is_off; /* and not the one of the options, which may change */
	int zone_s;
	struct err off; /* why there is none; "" if there is one */
	atomic_bool has_news;
	struct err news; /* of the lane of jobs, under its mutex: to be told */
};

/* ---- connections ---- */

/* A damaged file gets a name that no other has, with the files beside it. */
static bool
set_aside(const char *path, struct err *err)
{
	static const char *const beside[] = { "", "-wal", "-shm" };
	char *to = NULL;
	bool ok = false;

	for (int i = 1; i < 100 && !ok; i++) {
		free(to);
		to = i == 1 ? mem_printf("%s.broken", path) : mem_printf("%s.broken%d", path, i);
		ok = access(to, F_OK) != 0;
	}
	for (size_t i = 0; ok && i < ARRAY_LEN(beside); i++) {
		char *from = mem_printf("%s%s", path, beside[i]);
		char *name = mem_printf("%s%s", to, beside[i]);
		ok = rename(from, name) == 0 || errno == ENOENT;
		free(from);
		free(name);
	}
	if (ok)
		err_set(err, "the history was damaged: it is now %s, and a new one begins", to);
	free(to);
	return ok;
}

static bool
open_file(struct history *h, struct lane *lane)
{
	struct stat st;

	lane->file = atomic_load(&h->file);
	bool ok = database_open(&lane->db, h->path, lane->wait_ms);
	lane->inode = stat(h->path, &st) == 0 ? st.st_ino : 0;
	if (ok && h->options.brief)
		database_leave_log(&lane->db);
	return ok;
}

/* Opens it, past the damaged file that the lane has seen. Programs that find one take turns, so
 * that none moves the new file of another. */
static bool
open_past_damage(struct history *h, struct lane *lane, struct err *told)
{
	struct private_file turn;
	struct stat st;

	if (!private_file_open(&turn, h->path, NULL))
		return false;
	if (stat(h->path, &st) == 0 && st.st_ino == lane->inode && set_aside(h->path, told))
		atomic_fetch_add(&h->file, 1);
	bool ok = open_file(h, lane);
	private_file_close(&turn);
	return ok;
}

static bool
open_lane(struct history *h, struct lane *lane, struct err *told)
{
	bool was_damaged = lane->db.state == DATABASE_DAMAGED;

	database_close(&lane->db);
	if (!was_damaged && open_file(h, lane))
		return true;
	return (was_damaged || lane->db.state == DATABASE_DAMAGED) &&
	       open_past_damage(h, lane, told);
}

/* Takes the lane; give_back() gives it back. False: there is no database, and *told says it. */
static bool
take(struct history *h, struct lane *lane, struct err *told)
{
	pthread_mutex_lock(&lane->mutex);
	if (lane->db.handle && lane->file != atomic_load(&h->file))
		database_close(&lane->db);
	if (lane->db.handle && lane->db.state != DATABASE_DAMAGED) {
		lane->db.state = DATABASE_OPEN;
		return true;
	}
	if (lane->db.state != DATABASE_OFF && open_lane(h, lane, told))
		return true;
	if (!told->text[0])
		err_set(told, "no history: %s: %s", path_file_name(h->path), lane->db.why.text);
	return false;
}

static void
give_back(struct lane *lane)
{
	pthread_mutex_unlock(&lane->mutex);
}

/* On the loop's thread. The same is told once. */
static void
tell(struct history *h, const struct err *told)
{
	if (!told->text[0] || strcmp(told->text, h->off.text) == 0)
		return;
	h->off = *told;
	if (h->options.tell)
		h->options.tell(h->options.user, told->text);
}

/* Work on a lane, twice if the file turns out to be damaged: then on a new one. */
typedef bool work_fn(struct database *d, void *with);

static bool
work(struct history *h, struct lane *lane, work_fn *fn, void *with, struct err *told)
{
	bool ok = false;

	for (int attempt = 0; attempt < 2 && !ok; attempt++) {
		ok = take(h, lane, told) && fn(&lane->db, with);
		bool again = lane->db.state == DATABASE_DAMAGED;
		if (!ok && lane->db.state == DATABASE_LOCKED)
			err_set(told, "the history is locked by another program");
		else if (!ok && lane->db.state == DATABASE_FULL)
			err_set(told, "the history cannot be written: %.150s", lane->db.why.text);
		else if (!ok && !again && lane->db.state != DATABASE_OPEN && !told->text[0])
			err_set(told, "the history cannot be used: %.150s", lane->db.why.text);
		give_back(lane);
		if (!again)
			break;
	}
	return ok;
}

/* ---- keeping ---- */

struct keeping {
	struct job job; /* first */
	struct history *history;
	struct history_call call;
	struct err told;
	bool ran;
};

static bool
write_row(struct database *d, void *call)
{
	return rows_write(d, call);
}

static uint64_t
before_days(int days)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	int64_t s = (int64_t)now.tv_sec - (int64_t)days * 86400;
	return s > 0 ? HISTORY_ID(s * 1000000, 0) : 0;
}

static bool
prune(struct database *d, void *with)
{
	const struct history_options *o = &((struct history *)with)->options;
	size_t bytes = o->max_bytes ? o->max_bytes : HISTORY_DEFAULT_BYTES;
	int days = o->max_days ? o->max_days : HISTORY_DEFAULT_DAYS;

	return rows_prune(d, (int64_t)bytes, before_days(days)) &&
	       database_run(d, "PRAGMA wal_checkpoint(PASSIVE)");
}

struct pruning {
	struct job job; /* first */
	struct history *history;
	struct err told;
};

static void
run_prune(struct job *job)
{
	struct pruning *p = (struct pruning *)job;

	work(p->history, &p->history->later, prune, p->history, &p->told);
}

static void
end_prune(struct job *job)
{
	free(job);
}

static void
submit(struct history *h, struct job *job)
{
	if (h->options.worker) {
		worker_submit(h->options.worker, job);
		return;
	}
	job->run(job);
	job->done(job);
}

/* A program that keeps one call leaves the bounds to others, until the log of changes is long. */
static bool
is_short_log(const struct history *h)
{
	char *log = mem_printf("%s-wal", h->path);
	struct stat st;
	bool is_short = stat(log, &st) != 0 || st.st_size < LOG_LONG_BYTES;

	free(log);
	return is_short;
}

static void
prune_later(struct history *h)
{
	if (h->until_prune-- > 0 || (h->options.brief && is_short_log(h)))
		return;
	h->until_prune = PRUNE_EACH;
	struct pruning *p = mem_zalloc(sizeof(*p));
	p->job = (struct job){ .run = run_prune, .done = end_prune };
	p->history = h;
	submit(h, &p->job);
}

static void
run_keep(struct job *job)
{
	struct keeping *k = (struct keeping *)job;

	k->ran = true;
	history_redact(&k->call);
	if (work(k->history, &k->history->later, write_row, &k->call, &k->told))
		atomic_fetch_add(&k->history->changes, 1);
}

/* At the end of the program its turn may not have come: nothing is lost. */
static void
end_keep(struct job *job)
{
	struct keeping *k = (struct keeping *)job;
	struct history *h = k->history;

	if (!k->ran)
		run_keep(job);
	tell(h, &k->told);
	if (h->options.changed)
		h->options.changed(h->options.user);
	history_finish(&k->call);
	free(k);
}

static void
keep_later(struct history *h, struct history_call *call)
{
	struct keeping *k = mem_zalloc(sizeof(*k));

	k->job = (struct job){ .run = run_keep, .done = end_keep };
	k->history = h;
	k->call = *call;
	submit(h, &k->job);
}

uint64_t
history_keep(void *user, const struct server *s, const struct call *c)
{
	struct history *h = user;
	struct history_call call;
	struct err told = { "" };

	if (h->is_off || h->now.db.state == DATABASE_OFF)
		return 0;
	history_take(&call, s, c, h->salt);
	uint64_t id = call.id;
	bool small = !call.raw || call.raw->len <= AT_ONCE_BYTES;
	if (small)
		history_redact(&call);
	bool done = small && work(h, &h->now, write_row, &call, &told);
	if (done) {
		id = call.id;
		atomic_fetch_add(&h->changes, 1);
	}
	if (done || h->now.db.state == DATABASE_OFF) {
		tell(h, &told);
		history_finish(&call);
	} else {
		keep_later(h, &call); /* it is big, or another program writes */
	}
	prune_later(h);
	return h->now.db.state == DATABASE_OFF ? 0 : id;
}

bool
history_add(struct history *h, const struct history_call *call, struct err *err)
{
	struct history_call row = *call;

	err->text[0] = '\0';
	bool ok = work(h, &h->now, write_row, &row, err);
	atomic_fetch_add(&h->changes, ok);
	return ok;
}

bool
history_prune(struct history *h, struct err *err)
{
	err->text[0] = '\0';
	return work(h, &h->later, prune, h, err);
}

/* ---- what the panes ask ---- */

static const char *
host_off(void *user)
{
	struct history *h = user;
	struct err told = { "" };

	if (h->is_off)
		return "the history is switched off";
	bool ok = take(h, &h->now, &told);
	give_back(&h->now);
	tell(h, &told);
	return ok ? NULL : h->off.text;
}

static uint64_t
host_changes(void *user)
{
	struct history *h = user;

	if (atomic_exchange(&h->has_news, false)) {
		pthread_mutex_lock(&h->later.mutex);
		struct err news = h->news;
		pthread_mutex_unlock(&h->later.mutex);
		tell(h, &news);
	}
	return atomic_load(&h->changes);
}

struct wanted {
	const struct filter *filter;
	int zone_s;
	struct job *job;
	struct history_ids *out;
};

static bool
list(struct database *d, void *with)
{
	struct wanted *l = with;

	l->out->len = 0;
	return rows_list(d, l->filter, l->zone_s, l->job, l->out);
}

static void
host_list(void *user, const struct filter *filter, struct job *job, struct history_ids *out)
{
	struct history *h = user;
	struct err told = { "" };

	if (h->is_off)
		return;
	work(h, &h->later, list, &(struct wanted){ filter, h->zone_s, job, out }, &told);
	if (!told.text[0])
		return;
	pthread_mutex_lock(&h->later.mutex);
	h->news = told;
	pthread_mutex_unlock(&h->later.mutex);
	atomic_store(&h->has_news, true);
}

struct finding_row {
	uint64_t id;
	bool whole;
	struct history_call *out;
};

static bool
find(struct database *d, void *with)
{
	struct finding_row *f = with;

	return rows_find(d, f->id, f->whole, f->out);
}

static bool
host_find(void *user, uint64_t id, bool whole, struct history_call *out)
{
	struct history *h = user;
	struct err told = { "" };

	*out = (struct history_call){ 0 };
	bool ok =
	    !h->is_off && work(h, &h->now, find, &(struct finding_row){ id, whole, out }, &told);
	tell(h, &told);
	out->zone_s = h->zone_s;
	return ok;
}

struct change {
	const char *sql; /* NULL: remove it */
	uint64_t id;
	const char *text;
	int64_t number;
};

static bool
change(struct database *d, void *with)
{
	struct change *c = with;

	return c->sql ? rows_change(d, c->sql, c->id, c->text, c->number) : rows_remove(d, c->id);
}

static bool
make_change(struct history *h, struct change c, struct err *err)
{
	struct err told = { "" };
	bool ok = !h->is_off && work(h, &h->now, change, &c, &told);

	atomic_fetch_add(&h->changes, ok);
	return ok || err_set(err, "%s", told.text[0] ? told.text : "the history is switched off");
}

static bool
host_set_name(void *user, uint64_t id, const char *name, struct err *err)
{
	return make_change(user,
	    (struct change){ "UPDATE call SET name=nullif(?2,'') WHERE id=?1", id, name, 0 }, err);
}

static bool
host_set_pinned(void *user, uint64_t id, bool pinned, struct err *err)
{
	return make_change(user,
	    (struct change){ "UPDATE call SET pinned=?2 WHERE id=?1", id, NULL, pinned }, err);
}

static bool
host_remove(void *user, uint64_t id, struct err *err)
{
	return make_change(user, (struct change){ .id = id }, err);
}

struct recalling {
	const char *server, *key;
	enum primitive_kind kind;
	size_t max;
	struct strings *out;
};

static bool
arguments(struct database *d, void *with)
{
	struct recalling *r = with;

	return rows_arguments(d, r->server, r->kind, r->key, r->max, r->out);
}

static void
host_arguments(void *user, const char *server, enum primitive_kind kind, const char *key,
    size_t max, struct strings *out)
{
	struct history *h = user;
	struct err told = { "" };

	if (!h->is_off)
		work(h, &h->now, arguments, &(struct recalling){ server, key, kind, max, out },
		    &told);
	tell(h, &told);
}

const struct history_host history_host = {
	.off = host_off,
	.changes = host_changes,
	.list = host_list,
	.find = host_find,
	.set_name = host_set_name,
	.set_pinned = host_set_pinned,
	.remove = host_remove,
	.arguments = host_arguments,
};

/* ---- life ---- */

struct history *
history_create(const struct history_options *options)
{
	struct history *h = mem_zalloc(sizeof(*h));
	time_t now = time(NULL);
	struct tm local = { 0 };

	localtime_r(&now, &local);
	h->options = *options;
	h->path = options->path ? mem_strdup(options->path) : path_state("history.db");
	h->is_off = options->off || !h->path;
	h->salt = (unsigned)getpid();
	h->zone_s = (int)local.tm_gmtoff;
	h->now.wait_ms = NOW_WAIT_MS;
	h->later.wait_ms = LATER_WAIT_MS;
	pthread_mutex_init(&h->now.mutex, NULL);
	pthread_mutex_init(&h->later.mutex, NULL);
	return h;
}

/* Jobs prune, with the mutex of their lane. */
void
history_limit(struct history *h, bool off, size_t max_bytes, int max_days)
{
	pthread_mutex_lock(&h->later.mutex);
	h->is_off = off || !h->path;
	h->options.max_bytes = max_bytes;
	h->options.max_days = max_days;
	pthread_mutex_unlock(&h->later.mutex);
}

void
history_destroy(struct history *h)
{
	if (!h)
		return;
	database_close(&h->now.db);
	database_close(&h->later.db);
	pthread_mutex_destroy(&h->now.mutex);
	pthread_mutex_destroy(&h->later.mutex);
	free(h->path);
	free(h);
}
