#ifndef ENGINE_ENGINE_H
#define ENGINE_ENGINE_H

#include "base/err.h"
#include "loop/loop.h"

#include <sys/types.h>

/*
 * A Chromium without a window, for the apps of all servers: one process tree, started when the
 * first view wants it and ended when none has for a while. It is driven over a socket by the loop;
 * there is neither a thread nor a port. It knows nothing of MCP.
 *
 * What an app runs is a stranger's program, so Chromium runs as nobody if we are root, without our
 * environment, in a network namespace without a network and in a mount namespace that hides the
 * users' files, and sandboxes its renderers itself. If it cannot sandbox them it does not run,
 * unless the options say so. Nothing of it is left when we end, even by SIGKILL.
 */
struct engine;

enum {
	ENGINE_MIN_VERSION = 121, /* Element.checkVisibility() with its options */
	ENGINE_MAX_MEMORY_MIB = 1024,
	ENGINE_IDLE_MS = 60000,
	ENGINE_START_MS = 15000,
};

/* Zero: the default. Borrowed for the life of the engine. */
struct engine_options {
	const char *program;    /* a path, or a name in PATH; NULL: the first one known */
	bool allow_unsandboxed; /* where it cannot sandbox, it runs all the same */
	bool webgl;             /* by software: slow, and more to attack */
	int max_memory_mib;     /* of all its processes; the biggest renderer is ended above it */
	int idle_ms;            /* without a view until it ends */
	int start_ms;           /* until it must answer */
	/* Tests: a socket to what plays Chromium, in place of a process; taken. 0: none. */
	int peer;
};

enum engine_state {
	ENGINE_STOPPED,
	ENGINE_STARTING,
	ENGINE_READY,
	ENGINE_FAILED, /* status.reason says why; engine_start() tries again */
};

struct engine_status {
	enum engine_state state;
	char program[256];    /* the path; "" before the first start */
	char version[64];     /* "HeadlessChrome/156.0.8078.79"; "" before it has said so */
	char reason[256];     /* of ENGINE_FAILED: one line, with what to type if that helps */
	char network[64];     /* how it has none; "" before the first start */
	bool unsandboxed;     /* by options.allow_unsandboxed */
	pid_t pid;            /* its process and process group; 0: does not run */
	int64_t memory_bytes; /* private and shared, of all its processes, half a second ago */
	int64_t started_ms;   /* on the loop's clock */
	int start_took_ms;    /* until it was ready */
	size_t views;
};

struct engine_events {
	void *user;
	void (*on_state)(void *user); /* state or reason has changed; NULL: nobody asks */
};

/* The program that would run, the caller frees it; NULL: err says in one line what to type. Starts
 * nothing. wanted: as options.program. */
char *engine_find(const char *wanted, struct err *err);

/* Starts nothing, but removes what earlier runs left behind in the folder for temporary files. */
struct engine *engine_create(
    struct loop *loop, const struct engine_options *options, const struct engine_events *events);
/* After all its views were closed, and not from a callback. The processes end in the background
 * while the loop turns, else by the guard (loop/child.h). NULL-safe. */
void engine_destroy(struct engine *engine);

/* Starts it, if it does not run: ahead of the first view, so that nobody waits for it. */
void engine_start(struct engine *engine);
const struct engine_status *engine_status(struct engine *engine);

#endif
