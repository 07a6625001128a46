/* SPDX-License-Identifier: MIT */
/* A DNS lookup that never returns: the loop continues and nothing waits for it. */
#include "net/fetch.h"

#include "base/mem.h"
#include "fixture.h"
#include "net/transport.h"
#include "test.h"

#include <dlfcn.h>
#include <netdb.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static bool slow; /* only while the tests of this file run */
static atomic_int asked, answered;

/* Replaces the system's function, for libcurl too: the program of the unit tests exports it. */
int
getaddrinfo(
    const char *node, const char *service, const struct addrinfo *hints, struct addrinfo **result)
{
	int (*system)(const char *, const char *, const struct addrinfo *, struct addrinfo **);

	if (!slow) {
		*(void **)&system = dlsym(RTLD_NEXT, "getaddrinfo");
		return system(node, service, hints, result);
	}
	atomic_fetch_add(&asked, 1);
	nanosleep(&(struct timespec){ .tv_sec = 600 }, NULL); /* longer than any test */
	atomic_fetch_add(&answered, 1);
	return EAI_AGAIN;
}

static struct loop *loop;
static struct loop_timer ticker;
static int ticks;
static char *error;

static void
on_tick(void *user)
{
	ticks++;
	loop_timer_set(loop, &ticker, loop_now_ms(loop) + 5);
}

static void
on_done(void *user, const struct fetch_answer *answer)
{
	error = mem_strdup(answer->error ? answer->error : "");
}

static void
test_the_loop_goes_on(void **state)
{
	struct fetch_request request = { .url = "http://slow.example/", .timeout_ms = 1000 };

	assert_non_null(fetch_start(loop, &request, on_done, NULL, NULL));
	TURN_UNTIL(loop, atomic_load(&asked) == 1);
	int before = ticks;
	TURN_UNTIL(loop, error && ticks > before + 10);
	assert_non_null(strstr(error, "slow.example port 80: not done within 1 s (name look-up)"));
	assert_int_equal(atomic_load(&answered), 0);
}

static void
no_message(void *user, struct raw_message *m)
{
	raw_message_finish(m);
}

static void
take_lost(void *user, const struct transport_error *lost)
{
	assert_int_equal(lost->kind, TRANSPORT_UNREACHABLE);
	error = mem_strdup(lost->text);
}

static void
no_note(void *user, const char *text, uint64_t id)
{
}

/* libcurl's own bound says which part took too long. */
static void
test_the_transport_says_what(void **state)
{
	static const struct transport_events events = {
		.on_message = no_message, .on_error = take_lost, .on_note = no_note
	};
	struct http_options options = { .url = "http://slow.example/mcp", .connect_ms = 200 };
	struct transport *h = http_create(loop, &options, &events, NULL, NULL);

	const struct outbound message = {
		.kind = MESSAGE_REQUEST, .id = 1, .method = "x", .line = "{}", .len = 2
	};
	h->ops->send(h, &message, NULL);
	TURN_UNTIL(loop, error);
	assert_string_equal(error, "the name look-up of slow.example took more than 0.2 s");
	assert_int_equal(atomic_load(&answered), 0);
	transport_destroy(h);
}

static void
test_the_end_does_not_wait(void **state)
{
	struct fetch_request request = { .url = "http://slower.example/" };
	int before = atomic_load(&asked);

	struct fetch *f = fetch_start(loop, &request, on_done, NULL, NULL);
	TURN_UNTIL(loop, atomic_load(&asked) > before);
	fetch_cancel(f);
	loop_timer_cancel(&ticker);
	loop_destroy(loop);
	loop = NULL;
	assert_int_equal(atomic_load(&answered), 0);
}

static int
set_up(void **state)
{
	loop = loop_create(NULL, NULL, NULL);
	ticker = (struct loop_timer){ .fn = on_tick };
	ticks = 0;
	loop_timer_set(loop, &ticker, 0);
	return 0;
}

static int
tear_down(void **state)
{
	loop_timer_cancel(&ticker);
	loop_destroy(loop);
	free(error);
	error = NULL;
	return 0;
}

TEST_FILE(net_dns)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_the_loop_goes_on, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_the_transport_says_what, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_the_end_does_not_wait, set_up, tear_down),
	};

	slow = true;
	unsetenv("http_proxy");
	unsetenv("all_proxy");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
