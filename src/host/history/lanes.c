#include "store.h"

#include "base/mem.h"
#include "base/path.h"
#include "base/private_file.h"
#include "base/vec.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* Connections that outlive what happens to the file. */

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

bool
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

void
lane_give_back(struct lane *lane)
{
	pthread_mutex_unlock(&lane->mutex);
}

bool
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
		lane_give_back(lane);
		if (!again)
			break;
	}
	return ok;
}
