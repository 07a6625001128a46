#include "display.h"

#include "base/err.h"
#include "base/mem.h"
#include "base/vec.h"
#include "loop/child.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct {
	struct loop *loop;
	struct display *display;
} guarded;

/* Signals that end a program and that we do not watch: crashes, resource limits, kill by another
 * program. The real-time signals are among them. */
static const struct {
	int number;
	bool is_crash;
} signals[] = { { SIGSEGV, true }, { SIGBUS, true }, { SIGFPE, true }, { SIGILL, true },
	{ SIGABRT, true }, { SIGSYS, true }, { SIGTRAP, true }, { SIGXCPU, false },
	{ SIGUSR1, false }, { SIGUSR2, false }, { SIGALRM, false }, { SIGVTALRM, false },
	{ SIGPROF, false }, { SIGIO, false }, { SIGPWR, false }, { SIGSTKFLT, false } };
enum { SIGNAL_COUNT = ARRAY_LEN(signals) };

static void
say(const char *text)
{
	if (write(STDERR_FILENO, text, strlen(text)) < 0)
		return;
}

static void
say_why(int signal_number)
{
	const char *name = sigabbrev_np(signal_number);
	bool is_crash = false;

	for (size_t i = 0; i < SIGNAL_COUNT; i++)
		is_crash |= signals[i].number == signal_number && signals[i].is_crash;
	if (bug_text()[0]) {
		say(bug_text());
	} else {
		say(is_crash ? "mcpane: crashed by " : "mcpane: ended by ");
		say(name ? "SIG" : "a real-time signal");
		say(name ? name : "");
		say("; the terminal was restored, the servers are ended");
	}
	say("\n");
}

/* Only once: leaving the alternate screen twice would restore an old cursor position. */
static void
tidy_up(void)
{
	struct display *display = guarded.display;
	struct loop *loop = guarded.loop;

	guarded.display = NULL;
	guarded.loop = NULL;
	if (display)
		display_restore_async(display);
	if (loop)
		child_hand_over(loop);
}

/* Async-signal-safe calls only. SA_RESETHAND restored the default action. */
static void
on_signal(int signal_number)
{
	tidy_up();
	say_why(signal_number);
	raise(signal_number);
}

/* A signal ignored at startup (nohup) stays ignored. */
static void
handle(int signal_number)
{
	struct sigaction before;
	struct sigaction action = { .sa_handler = on_signal,
		.sa_flags = SA_RESETHAND | SA_ONSTACK | SA_NODEFER };

	if (sigaction(signal_number, NULL, &before) == 0 && before.sa_handler != SIG_IGN)
		sigaction(signal_number, &action, NULL);
}

void
crash_guard(struct loop *loop, struct display *display)
{
	static bool registered;
	static char stack[16384]; /* so that a stack overflow can be handled */

	guarded.loop = loop;
	guarded.display = display;
	if (registered)
		return;
	registered = true;
	mem_before_exit(tidy_up);
	sigaltstack(&(stack_t){ .ss_sp = stack, .ss_size = sizeof(stack) }, NULL);
	for (size_t i = 0; i < SIGNAL_COUNT; i++)
		handle(signals[i].number);
	for (int number = SIGRTMIN; number <= SIGRTMAX; number++)
		handle(number);
}
