/* SPDX-License-Identifier: MIT */
#include "at_once.h"
#include "test.h"

#include <sys/wait.h>
#include <unistd.h>

enum { MOST = 16 };

void
at_once(int programs, bool (*body)(int number))
{
	pid_t pids[MOST];
	int start[2];
	char none;

	assert_true(programs <= MOST && pipe(start) == 0);
	for (int i = 0; i < programs; i++) {
		pids[i] = fork();
		if (pids[i] == 0) {
			close(start[1]);
			(void)!read(start[0], &none, 1); /* until all may start */
			_exit(body(i) ? 0 : 1);
		}
	}
	close(start[0]);
	close(start[1]);
	for (int i = 0; i < programs; i++) {
		int status;
		assert_int_equal(waitpid(pids[i], &status, 0), pids[i]);
		assert_int_equal(status, 0);
	}
}
