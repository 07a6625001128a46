#ifndef PROCESSES_H
#define PROCESSES_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/*
 * Which processes belong to a program under test: those that descend from it, those whose
 * environment holds its mark, and those that lost their parent and came to this process, which
 * adopts orphans, after the program had started.
 */
struct processes {
	pid_t root;       /* the program; never counted itself */
	const char *mark; /* "NAME=value" */
	unsigned long long root_started;
};

void processes_adopt_orphans(void);
void processes_init(struct processes *p, pid_t root, const char *mark);
/* Fills up to max living ones (zombies are not) and returns how many there are. */
size_t processes_find(const struct processes *p, pid_t *pids, size_t max);
/* The name of a process, "?" when it is gone. */
void processes_name(pid_t pid, char *name, size_t size);

#endif
