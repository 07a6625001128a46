/* SPDX-License-Identifier: MIT */
#ifndef ENGINE_ENGINE_H
#define ENGINE_ENGINE_H

#include "base/err.h"
#include "loop/loop.h"

#include <sys/types.h>

/*
 * A headless Chromium for the apps of all servers: one process tree, started for the first view and
 * ended some time after the last one was closed. The loop drives it over a socket, without threads
 * or ports. This layer is independent of MCP.
 *
 * Apps are untrusted programs. Chromium therefore runs without our environment, in a network
 * namespace without a network and a mount namespace that hides the users' files, under an
 * unprivileged user if we are root, and sandboxes its renderers. It does not start if it cannot
 * sandbox them, unless the options allow that. No process or file remains when we end, even by
 * SIGKILL.
 */
struct engine;

enum {
	ENGINE_MIN_VERSION = 121, /* Element.checkVisibility() with options */
	ENGINE_MAX_MEMORY_MIB = 1024,
	ENGINE_IDLE_MS = 60000,
	ENGINE_START_MS = 15000,
};

/* Zero: the default. Borrowed for the life of the engine. */
struct engine_options {
	const char *program;    /* a path, or a name in PATH; NULL: the first one known */
	bool allow_unsandboxed; /* run even if it cannot sandbox its renderers */
	bool webgl;             /* in software: slow, and a larger attack surface */
	int max_memory_mib;     /* of all processes; above it the biggest renderer is ended */
	int idle_ms;            /* without views until it ends */
	int start_ms;           /* to answer after the start */
	/* Tests: a socket to a simulated Chromium instead of a process; taken. 0: none. */
	int peer;
};

enum engine_state {
	ENGINE_STOPPED,
	ENGINE_STARTING,
	ENGINE_READY,
	ENGINE_FAILED, /* see status.reason; engine_start() tries again */
};

struct engine_status {
	enum engine_state state;
	char program[256]; /* the path; "" before the first start */
	char version[64];  /* "HeadlessChrome/156.0.8078.79"; "" until it is known */
	char reason[256];  /* of ENGINE_FAILED: one line, with a command that helps, if there is one
			    */
	char network[64];  /* how it is cut off; "" before the first start */
	bool unsandboxed;  /* by options.allow_unsandboxed */
	pid_t pid;         /* process and process group; 0: not running */
	int64_t memory_bytes; /* private and shared memory of all processes, half a second ago */
	int64_t started_ms;   /* on the loop's clock */
	int start_took_ms;    /* until it was ready */
	size_t views;
};

struct engine_events {
	void *user;
	void (*on_state)(void *user); /* state or reason has changed; may be NULL */
};

/* Find the program without starting it; the caller frees it. NULL: err has one line with the
 * command to install one. wanted: as options.program. */
char *engine_find(const char *wanted, struct err *err);

/* Create an engine without starting it, and remove folders of earlier runs in the folder for
 * temporary files. */
struct engine *engine_create(
    struct loop *loop, const struct engine_options *options, const struct engine_events *events);
/* Call after all views were closed, and not from a callback. The processes end in the background
 * while the loop runs, else by the guard (loop/child.h). NULL-safe. */
void engine_destroy(struct engine *engine);

/* Start it if it is not running, for example before the first view is opened. */
void engine_start(struct engine *engine);
const struct engine_status *engine_status(struct engine *engine);

#endif
