/* SPDX-License-Identifier: MIT */
#include "host/history.h"

#include "database.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/path.h"
#include "base/private_file.h"
#include "base/vec.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

/* The history and its two connections. */

/* A connection and who uses it. */
struct lane {
	pthread_mutex_t mutex;
	struct database db;
	int wait_ms;
	size_t file; /* as in struct history, when it was opened */
	ino_t inode; /* of the file that was opened */
};

/* Sizes and times of the file and its log. */
struct file_mark {
	int64_t numbers[6];
};

struct history {
	struct history_options options;
	char *path, *log; /* of the file, and of its log of changes */
	struct {
		struct file_mark mark; /* at the last look */
		struct loop_watch *loop_watch;
		struct loop_timer timer;
		int fd;
		bool waits; /* for the next change */
	} watch;
	unsigned salt;          /* so that no two programs give the same id */
	struct lane now, later; /* for short work, also in jobs; and for long work */
	atomic_size_t changes;
	atomic_size_t open; /* calls that a job is to write, or the rest of them */
	bool is_stuck; /* at the end the database cannot be had: no further call waits for it */
	atomic_size_t file; /* rises when a damaged one is put aside */
	size_t until_prune;
	struct job *waiting[2]; /* if the end is to run them */
	struct lane *long_work; /* one of the lanes: a program that keeps one call opens one */
	atomic_bool is_off;     /* and not the one of the options, which may change */
	int zone_s;
	struct err off; /* why the history is unavailable; "" if it is available */
	atomic_bool has_news;
	struct err news; /* of the lane of jobs, under its mutex, to be reported */
};

/* Connections that outlive what happens to the file. */

/* Renames a damaged file and its logs to unused names. */
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
	/* closing does not wait for the disk: the next program finds the log next to the file */
	if (ok && h->options.brief)
		lane->db.f.sqlite3_db_config(
		    lane->db.handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
	return ok;
}

static bool
open_lane(struct history *h, struct lane *lane, struct err *told)
{
	bool was_damaged = lane->db.state == DATABASE_DAMAGED;

	database_close(&lane->db);
	struct private_file turn;
	struct stat st;

	if (!was_damaged && open_file(h, lane))
		return true;
	/* Programs that find a damaged file take turns, so that none moves the new file of another
	 * away. */
	if ((!was_damaged && lane->db.state != DATABASE_DAMAGED) ||
	    !private_file_open(&turn, h->path, false, NULL))
		return false;
	if (stat(h->path, &st) == 0 && st.st_ino == lane->inode && set_aside(h->path, told))
		atomic_fetch_add(&h->file, 1);
	bool ok = open_file(h, lane);
	private_file_close(&turn);
	return ok;
}

/* Locks the mutex of the lane, also on failure. False: the database is unavailable,
 * with the reason in *told. */
static bool
lane_take(struct history *h, struct lane *lane, struct err *told)
{
	pthread_mutex_lock(&lane->mutex);
	if (lane->db.handle && lane->file != atomic_load(&h->file))
		database_close(&lane->db);
	if (lane->db.handle && lane->db.state != DATABASE_DAMAGED) {
		lane->db.state = DATABASE_OPEN;
		lane->db.f.sqlite3_busy_timeout(lane->db.handle, lane->wait_ms);
		return true;
	}
	if (lane->db.state != DATABASE_OFF && open_lane(h, lane, told))
		return true;
	if (!told->text[0])
		err_set(told, "no history: %s: %s", path_file_name(h->path), lane->db.why.text);
	return false;
}

/* Work on a lane, twice if the file turns out to be damaged: then on a new one. */
typedef bool work_fn(struct database *d, void *with);
static bool
lane_work(struct history *h, struct lane *lane, work_fn *fn, void *with, struct err *told)
{
	bool ok = false;

	for (int attempt = 0; attempt < 2 && !ok; attempt++) {
		ok = lane_take(h, lane, told) && fn(&lane->db, with);
		bool again = lane->db.state == DATABASE_DAMAGED;
		if (!ok && lane->db.state == DATABASE_LOCKED)
			err_set(told, "the history is locked by another program");
		else if (!ok && lane->db.state == DATABASE_FULL)
			err_set(told, "the history cannot be written: %.150s", lane->db.why.text);
		else if (!ok && !again && lane->db.state != DATABASE_OPEN && !told->text[0])
			err_set(told, "the history cannot be used: %.150s", lane->db.why.text);
		pthread_mutex_unlock(&lane->mutex);
		if (!again)
			break;
	}
	return ok;
}

/* Replies up to this are written at once; a longer one follows its call in a job. */
#define AT_ONCE_BYTES ((size_t)64 << 10)
enum { LOG_LONG_BYTES = 1 << 20, PRUNE_EACH = 100 };
/* How long the screen, and a job, wait for another program that writes. A call that has to wait
 * longer is lost if this program is killed before the job. */
enum { NOW_WAIT_MS = 250, LATER_WAIT_MS = 5000, BRIEF_WAIT_MS = 2000 };
/* Old calls that a program that keeps one call drops at its end. */
#define BRIEF_DROPS 1000

/* Reports an error once; on the loop's thread. */
static void
history_tell(struct history *h, const struct err *told)
{
	if (!told->text[0] || strcmp(told->text, h->off.text) == 0)
		return;
	h->off = *told;
	if (h->options.tell)
		h->options.tell(h->options.user, told->text);
}

/* Stores an error of any thread; the loop's thread reports it. */
static void
tell_later(struct history *h, const struct err *told)
{
	if (!told->text[0])
		return;
	pthread_mutex_lock(&h->later.mutex);
	h->news = *told;
	pthread_mutex_unlock(&h->later.mutex);
	atomic_store(&h->has_news, true);
}

/* ---- keeping ---- */

struct keeping {
	struct job job; /* first */
	struct history *history;
	struct history_call call;
	struct err told;
	bool ran;
	bool begun; /* its row is there */
};

struct pruning {
	struct job job; /* first */
	struct history *history;
	struct rows_dropped dropped;
	struct err told;
	bool ok;
};

static bool
prune(struct database *d, void *with)
{
	struct pruning *p = with;
	const struct history_options *o = &p->history->options;
	struct stat st;
	/* a program that keeps one call drops old ones only, until the log is long */
	bool some = o->brief && (stat(p->history->log, &st) != 0 || st.st_size < LOG_LONG_BYTES);
	const struct rows_bounds bounds = {
		.most = some ? BRIEF_DROPS : 0,
		.max_bytes = (int64_t)(o->max_bytes ? o->max_bytes : HISTORY_DEFAULT_BYTES),
		.max_age_us =
		    (o->max_days ? o->max_days : HISTORY_DEFAULT_DAYS) * INT64_C(86400000000),
		.now_us = o->wall_us ? o->wall_us() : clock_wall_us(),
	};

	bool ok = rows_prune(d, &bounds, &p->dropped);
	if (!ok || some)
		return ok;
	/* The last program that ends forgets how much of the log is in the file, so a log that is
	 * not emptied is read and copied by each program that follows. */
	if (o->brief)
		d->f.sqlite3_busy_timeout(d->handle, 0);
	return database_run(
	    d, o->brief ? "PRAGMA wal_checkpoint(TRUNCATE)" : "PRAGMA wal_checkpoint(PASSIVE)");
}

/* More than a tenth at once may surprise. */
static void
run_prune(struct job *job)
{
	struct pruning *p = (struct pruning *)job;
	struct history *h = p->history;

	p->ok = lane_work(h, h->long_work, prune, p, &p->told);
	if (p->ok && p->dropped.old > 0)
		atomic_fetch_add(&h->changes, 1);
	if (!p->ok && h->options.brief)
		p->told.text[0] = '\0'; /* another program does it */
	if (p->ok && p->dropped.old > p->dropped.of / 10)
		err_set(&p->told,
		    "the history dropped %zu of %zu calls: they were over %d days old",
		    p->dropped.old, p->dropped.of,
		    h->options.max_days ? h->options.max_days : HISTORY_DEFAULT_DAYS);
}

static void
end_prune(struct job *job)
{
	struct pruning *p = (struct pruning *)job;

	history_tell(p->history, &p->told);
	free(p);
}

/* A brief history keeps one call: its reply, and the bounds. */
static void
submit(struct history *h, struct job *job)
{
	size_t slot = h->waiting[0] != NULL;

	if (h->options.worker) {
		worker_submit(h->options.worker, job);
	} else if (h->options.brief && !h->waiting[slot]) {
		h->waiting[slot] = job;
	} else {
		job->run(job);
		job->done(job);
	}
}

static void
run_keep(struct job *job)
{
	struct keeping *k = (struct keeping *)job;

	k->ran = true;
	history_redact(&k->call);
	bool ok = lane_work(k->history, k->history->long_work,
	    k->begun ? rows_complete : rows_write, &k->call, &k->told);
	atomic_fetch_add(&k->history->changes, ok);
	if (!ok && !k->begun && k->told.text[0]) {
		struct err why = k->told;
		err_set(&k->told, "%.200s; the call is not kept", why.text);
	}
	atomic_fetch_sub(&k->history->open, 1);
}

/* Writes the row, and the reply if it is small. */
static bool
begin_row(struct history *h, struct history_call *call, struct err *told)
{
	struct blob *raw = call->raw;

	call->raw = raw && raw->len > AT_ONCE_BYTES ? NULL : raw;
	history_redact(call);
	call->raw = raw;
	bool ok = lane_work(h, &h->now, rows_write, call, told);
	atomic_fetch_add(&h->changes, ok);
	return ok;
}

static void
end_keep(struct job *job)
{
	struct keeping *k = (struct keeping *)job;
	struct history *h = k->history;

	/* At the end of the program there may have been no time for its turn: the call is kept, but
	 * without a long reply. */
	if (!k->ran && !k->begun && !h->is_stuck) {
		bool is_small = k->call.raw && k->call.raw->len <= AT_ONCE_BYTES;
		h->is_stuck = !begin_row(h, &k->call, &k->told);
		if (!h->is_stuck && is_small)
			atomic_fetch_sub(&h->open, 1);
	}
	history_tell(h, &k->told);
	if (h->options.changed)
		h->options.changed(h->options.user);
	history_finish(&k->call);
	free(k);
}

/* A job may use this lane, too: it looks up last calls. */
static bool
is_unusable(struct history *h)
{
	pthread_mutex_lock(&h->now.mutex);
	bool unusable = h->now.db.state == DATABASE_OFF;
	pthread_mutex_unlock(&h->now.mutex);
	return unusable;
}

uint64_t
history_keep(void *user, const struct server *s, const struct call *c)
{
	struct history *h = user;
	struct history_call call;
	struct err told = { "" };

	if (h->is_off || is_unusable(h))
		return 0;
	history_take(&call, s, c, h->salt);
	bool checked = c->kept, begun = checked || begin_row(h, &call, &told);
	bool is_big = call.raw && call.raw->len > AT_ONCE_BYTES;
	uint64_t id = begun || !c->check ? call.id : 0;
	if (checked) { /* its reply is there, or under way */
		blob_unref(call.raw);
		call.raw = NULL;
	}
	if (is_unusable(h))
		id = 0;
	if (id != 0 && (is_big || checked || !begun)) {
		struct keeping *k = mem_zalloc(sizeof(*k));
		*k = (struct keeping){ .history = h, .call = call, .begun = begun };
		k->job = (struct job){ .run = run_keep, .done = end_keep, .at_end = true };
		atomic_fetch_add(&h->open, 1);
		submit(h, &k->job);
	} else {
		history_tell(h, &told);
		history_finish(&call);
	}
	if (h->until_prune-- == 0) {
		struct pruning *p = mem_zalloc(sizeof(*p));
		h->until_prune = PRUNE_EACH;
		p->job = (struct job){ .run = run_prune, .done = end_prune };
		p->history = h;
		submit(h, &p->job);
	}
	return id;
}

bool
history_add(struct history *h, const struct history_call *call, struct err *err)
{
	struct history_call row = *call;

	err->text[0] = '\0';
	bool ok = lane_work(h, &h->now, rows_write, &row, err);
	atomic_fetch_add(&h->changes, ok);
	return ok;
}

bool
history_prune(struct history *h, struct err *err)
{
	struct pruning p = { .history = h };

	run_prune(&p.job);
	*err = p.told;
	return p.ok;
}

/* ---- the interface for the panes ---- */

static const char *
host_off(void *user)
{
	struct history *h = user;
	struct err told = { "" };

	if (h->is_off)
		return "the history is switched off";
	bool ok = lane_take(h, &h->now, &told);
	pthread_mutex_unlock(&h->now.mutex);
	history_tell(h, &told);
	return ok ? NULL : h->off.text;
}

/*
 * Changes by other programs. A pane that shows calls looks at each frame, by two calls of stat(2),
 * and subscribes to the next change. So the program does not wake up if no pane shows the file, or
 * if it does not change.
 */
enum { LOOK_MS = 1000 }; /* where the kernel does not tell */

static void
tell_change(void *user)
{
	struct history *h = user;

	h->watch.waits = false;
	if (h->options.changed)
		h->options.changed(h->options.user);
}

static void
on_written(void *user, unsigned ready)
{
	char events[4096] __attribute__((aligned(8)));
	struct history *h = user;
	bool any = false;

	while (read(h->watch.fd, events, sizeof(events)) > 0)
		any = true;
	if (any && h->watch.waits)
		tell_change(h);
}

/* One change of any file of the folder: the log comes and goes, and a commit sets the time of the
 * database. */
static bool
wait_for_kernel(struct history *h)
{
	const uint32_t what = IN_MODIFY | IN_ATTRIB | IN_CREATE | IN_MOVED_TO | IN_ONESHOT;

	if (!h->watch.loop_watch) {
		h->watch.fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
		if (h->watch.fd < 0)
			return false;
		h->watch.loop_watch =
		    loop_watch_fd(h->options.loop, h->watch.fd, LOOP_READ, on_written, h);
	}
	char *slash = strrchr(h->path, '/');
	char *folder =
	    slash ? mem_strndup(h->path, (size_t)(slash - h->path) + 1) : mem_strdup(".");
	bool ok = inotify_add_watch(h->watch.fd, folder, what) >= 0;
	free(folder);
	return ok;
}

static void
host_look(void *user)
{
	struct history *h = user;

	if (h->is_off)
		return;
	if (h->options.loop && !h->watch.waits) {
		h->watch.waits = true; /* first, so no change is missed */
		h->watch.timer.fn = tell_change;
		h->watch.timer.user = h;
		if (!wait_for_kernel(h))
			loop_timer_set(h->options.loop, &h->watch.timer, clock_now_ms() + LOOK_MS);
	}
	const char *const files[] = { h->path, h->log };
	struct file_mark mark = { { 0 } }; /* differs after any program has written */
	struct stat st;
	for (size_t i = 0; i < ARRAY_LEN(files); i++)
		if (stat(files[i], &st) == 0) {
			mark.numbers[3 * i] = (int64_t)st.st_size;
			mark.numbers[3 * i + 1] = (int64_t)st.st_mtim.tv_sec;
			mark.numbers[3 * i + 2] = (int64_t)st.st_mtim.tv_nsec;
		}
	if (memcmp(&mark, &h->watch.mark, sizeof(mark)) != 0) {
		h->watch.mark = mark;
		atomic_fetch_add(&h->changes, 1);
	}
}

static uint64_t
host_changes(void *user)
{
	struct history *h = user;

	if (atomic_exchange(&h->has_news, false)) {
		pthread_mutex_lock(&h->later.mutex);
		struct err news = h->news;
		pthread_mutex_unlock(&h->later.mutex);
		history_tell(h, &news);
	}
	return atomic_load(&h->changes);
}

struct wanted {
	struct rows_wanted rows;
	history_each_fn *fn;
	void *user;
	struct history_ids *ids; /* emptied first: after damage it begins once more; may be NULL */
};

static bool
each_row(struct database *d, void *with)
{
	struct wanted *w = with;

	if (w->ids)
		w->ids->len = 0;
	return rows_each(d, &w->rows, w->fn, w->user);
}

bool
history_each(struct history *h, const struct filter *filter, enum history_part part,
    history_each_fn *fn, void *user, struct err *err)
{
	struct wanted w = { { filter, h->zone_s, NULL, part }, fn, user, NULL };

	err->text[0] = '\0';
	return lane_work(h, h->long_work, each_row, &w, err);
}

static bool
add_id(void *user, const struct history_call *call)
{
	*VEC_PUSH((struct history_ids *)user) = call->id;
	return true;
}

static void
host_list(void *user, const struct filter *filter, struct job *job, struct history_ids *out)
{
	struct history *h = user;
	struct err told = { "" };

	if (h->is_off)
		return;
	struct wanted w = { { filter, h->zone_s, job, HISTORY_IDS }, add_id, out, out };
	lane_work(h, h->long_work, each_row, &w, &told);
	tell_later(h, &told);
}

static bool
host_find(void *user, uint64_t id, bool whole, struct history_call *out)
{
	struct history *h = user;
	struct err told = { "" };

	*out = (struct history_call){ 0 };
	bool ok =
	    !h->is_off && lane_work(h, &h->now, rows_find,
			      &(struct row_request){ .id = id, .whole = whole, .out = out }, &told);
	history_tell(h, &told);
	out->zone_s = h->zone_s;
	return ok;
}

/* Does not create the file, because the user has not asked for the history. */
static bool
host_last(void *user, const char *server, enum primitive_kind kind, const char *key,
    uint64_t before, struct history_call *out)
{
	struct history *h = user;
	struct err told = { "" };

	*out = (struct history_call){ .zone_s = h->zone_s };
	bool ok = !h->is_off && access(h->path, F_OK) == 0 &&
		  lane_work(h, &h->now, rows_last,
		      &(struct row_request){
			  .id = before, .server = server, .key = key, .kind = kind, .out = out },
		      &told);
	tell_later(h, &told);
	return ok;
}

static bool
host_change(void *user, uint64_t id, enum history_change change, const char *name, struct err *err)
{
	static const char *const statements[] = {
		[HISTORY_NAME] = "UPDATE call SET name=nullif(?2,'') WHERE id=?1",
		[HISTORY_PIN] = "UPDATE call SET pinned=?2 WHERE id=?1",
		[HISTORY_UNPIN] = "UPDATE call SET pinned=?2 WHERE id=?1",
		[HISTORY_REMOVE] = NULL,
	};
	struct history *h = user;
	struct row_request r = {
		.sql = statements[change], .id = id, .text = name, .number = change == HISTORY_PIN
	};
	struct err told = { "" };
	bool ok = !h->is_off && lane_work(h, &h->now, rows_change, &r, &told);

	atomic_fetch_add(&h->changes, ok);
	return ok || err_set(err, "%s", told.text[0] ? told.text : "the history is switched off");
}

static void
host_arguments(void *user, const char *server, enum primitive_kind kind, const char *key,
    size_t max, struct strings *out)
{
	struct history *h = user;
	struct err told = { "" };

	if (!h->is_off)
		lane_work(h, &h->now, rows_arguments,
		    &(struct row_request){
			.server = server, .key = key, .kind = kind, .max = max, .arguments = out },
		    &told);
	history_tell(h, &told);
}

const struct history_host history_host = {
	.off = host_off,
	.look = host_look,
	.changes = host_changes,
	.list = host_list,
	.find = host_find,
	.last = host_last,
	.change = host_change,
	.arguments = host_arguments,
};

/* ---- life ---- */

struct history *
history_create(const struct history_options *options)
{
	struct history *h = mem_zalloc(sizeof(*h));

	h->options = *options;
	h->path = options->path ? mem_strdup(options->path) : path_of(PATH_STATE, "history.db");
	h->log = h->path ? mem_printf("%s-wal", h->path) : NULL;
	h->is_off = options->off || !h->path;
	h->salt = (unsigned)getpid();
	h->zone_s = clock_zone_s();
	h->now.wait_ms = NOW_WAIT_MS;
	h->long_work = options->brief ? &h->now : &h->later;
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

size_t
history_lost(const struct history *h)
{
	return h ? atomic_load(&h->open) : 0;
}

void
history_destroy(struct history *h)
{
	if (!h)
		return;
	h->now.wait_ms = BRIEF_WAIT_MS; /* the answer has been printed */
	for (size_t i = 0; i < ARRAY_LEN(h->waiting) && h->waiting[i]; i++) {
		h->waiting[i]->run(h->waiting[i]);
		h->waiting[i]->done(h->waiting[i]);
	}
	database_close(&h->now.db);
	database_close(&h->later.db);
	pthread_mutex_destroy(&h->now.mutex);
	pthread_mutex_destroy(&h->later.mutex);
	loop_timer_cancel(&h->watch.timer);
	loop_watch_remove(h->watch.loop_watch);
	if (h->watch.loop_watch)
		close(h->watch.fd);
	free(h->path);
	free(h->log);
	free(h);
}
