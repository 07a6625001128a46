#include "crash.h"

#include "base/err.h"
#include "loop/child.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct {
	struct loop *loop;
	struct display *display;
} guarded;

static const int signals[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT };

static void
say(const char *text)
{
	if (write(STDERR_FILENO, text, strlen(text)) < 0)
		return;
}

/* Only async-signal-safe calls. SA_RESETHAND has put the default action back. */
static void
on_crash(int signal_number)
{
	if (guarded.display)
		display_restore_async(guarded.display);
	if (guarded.loop)
		child_hand_over(guarded.loop);
	say(bug_text()[0] ? bug_text()
			  : "mcpane: crashed; the terminal and the servers were tidied up");
	say("\n");
	raise(signal_number);
}

/* exit() from somewhere deep (no memory): the screen must not stay in its mode. */
static void
on_exit_restore(void)
{
	if (guarded.display)
		display_restore_async(guarded.display);
	if (guarded.loop)
		child_hand_over(guarded.loop);
}

void
crash_guard(struct loop *loop, struct display *display)
{
	static bool registered;
	static char stack[16384]; /* a stack overflow is handled too */

	guarded.loop = loop;
	guarded.display = display;
	if (registered)
		return;
	registered = true;
	atexit(on_exit_restore);
	sigaltstack(&(stack_t){ .ss_sp = stack, .ss_size = sizeof(stack) }, NULL);
	struct sigaction action = { .sa_handler = on_crash,
		.sa_flags = SA_RESETHAND | SA_ONSTACK | SA_NODEFER };
	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		sigaction(signals[i], &action, NULL);
}
