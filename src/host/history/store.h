#ifndef HOST_HISTORY_STORE_H
#define HOST_HISTORY_STORE_H

#include "database.h"
#include "host/history.h"

#include <pthread.h>
#include <stdatomic.h>
#include <sys/types.h>

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
		struct file_mark mark; /* as it was seen last */
		struct loop_watch *loop_watch;
		struct loop_timer timer;
		int fd;
		bool waits; /* for the next change */
	} watch;
	unsigned salt;          /* so that no two programs give the same id */
	struct lane now, later; /* for short work, also in jobs; and for long work */
	atomic_size_t changes;
	atomic_size_t open; /* calls that a job is to write, or the rest of them */
	bool is_stuck;      /* at the end the database cannot be had: no further call waits for it */
	atomic_size_t file; /* rises when a damaged one is put aside */
	size_t until_prune;
	struct job *waiting[2]; /* if the end is to run them */
	struct lane *long_work; /* one of the lanes: a program that keeps one call opens one */
	atomic_bool is_off;     /* and not the one of the options, which may change */
	int zone_s;
	struct err off; /* why there is none; "" if there is one */
	atomic_bool has_news;
	struct err news; /* of the lane of jobs, under its mutex: to be told */
};

/* ---- lanes.c ---- */
/* Takes the lane; give_back() gives it back. False: there is no database, and *told says it. */
bool lane_take(struct history *h, struct lane *lane, struct err *told);
void lane_give_back(struct lane *lane);
/* Work on a lane, twice if the file turns out to be damaged: then on a new one. */
typedef bool work_fn(struct database *d, void *with);
bool lane_work(struct history *h, struct lane *lane, work_fn *fn, void *with, struct err *told);

#endif
