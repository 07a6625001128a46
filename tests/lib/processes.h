/* SPDX-License-Identifier: MIT */
#ifndef PROCESSES_H
#define PROCESSES_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/*
 * Finds the processes of a program under test: its descendants, processes with its mark in their
 * environment, and orphans that this process adopted after the program started.
 */
struct processes {
	pid_t root;       /* the program, which is not counted */
	const char *mark; /* "NAME=value" */
	unsigned long long root_started;
};

void processes_adopt_orphans(void);
void processes_init(struct processes *p, pid_t root, const char *mark);
/* Store up to max living processes (no zombies) in pids. Returns how many there are. */
size_t processes_find(const struct processes *p, pid_t *pids, size_t max);
/* Write the name of a process, or "?" if it has ended. */
void processes_name(pid_t pid, char *name, size_t size);

#endif
