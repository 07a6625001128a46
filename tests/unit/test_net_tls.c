/* SPDX-License-Identifier: MIT */
/* TLS failures, against `openssl s_server` if it is installed. */
#include "net/fetch.h"

#include "base/buf.h"
#include "base/mem.h"
#include "fixture.h"
#include "test.h"

#include <fcntl.h>
#include <ftw.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static struct {
	struct loop *loop;
	char dir[64];
	bool done;
	int status;
	char error[400];
} t;

static void
on_done(void *user, const struct fetch_answer *answer)
{
	t.done = true;
	t.status = answer->status;
	snprintf(t.error, sizeof(t.error), "%s", answer->error ? answer->error : "");
}

static pid_t
openssl(const char *const *argv)
{
	pid_t pid = fork();

	if (pid != 0)
		return pid;
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	alarm(60);
	dup2(null, 0);
	dup2(null, 1);
	dup2(null, 2);
	if (chdir(t.dir[0] ? t.dir : "/") == 0)
		execvp("openssl", (char **)argv);
	_exit(127);
}

static bool
run(const char *const *argv)
{
	pid_t pid = openssl(argv);
	int status;

	return waitpid(pid, &status, 0) == pid && status == 0;
}

#define OPENSSL(...) run((const char *[]){ "openssl", __VA_ARGS__, NULL })
#define NEW_KEY "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout"
#define FOR(name) "-subj", "/CN=" name, "-addext", "subjectAltName=DNS:" name

/* Each makes NAME.key and NAME.pem. */
static void
make_own(void)
{
	assert_true(
	    OPENSSL("req", "-x509", NEW_KEY, "own.key", "-out", "own.pem", FOR("localhost")));
}

static void
make_other(void)
{
	assert_true(
	    OPENSSL("req", "-x509", NEW_KEY, "other.key", "-out", "other.pem", FOR("example.com")));
}

static void
make_issued(void)
{
	assert_true(
	    OPENSSL("req", "-x509", NEW_KEY, "ca.key", "-out", "ca.pem", "-subj", "/CN=ca"));
	assert_true(OPENSSL("req", NEW_KEY, "issued.key", "-out", "issued.csr", FOR("localhost")));
	assert_true(OPENSSL("x509", "-req", "-in", "issued.csr", "-CA", "ca.pem", "-CAkey",
	    "ca.key", "-CAcreateserial", "-copy_extensions", "copy", "-out", "issued.pem"));
}

static void
make_expired(void)
{
	assert_true(
	    OPENSSL("req", NEW_KEY, "expired.key", "-out", "expired.csr", FOR("localhost")));
	assert_true(OPENSSL("x509", "-req", "-in", "expired.csr", "-signkey", "expired.key",
	    "-days", "-1", "-out", "expired.pem"));
}

static int
free_port(void)
{
	struct sockaddr_in address = { .sin_family = AF_INET };
	socklen_t len = sizeof(address);
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	assert_int_equal(bind(fd, (struct sockaddr *)&address, len), 0);
	getsockname(fd, (struct sockaddr *)&address, &len);
	close(fd);
	return ntohs(address.sin_port);
}

/* Wait until it listens, because a refused connection is not what this tests. */
static void
fetch(const char *url, bool insecure)
{
	struct fetch_request request = { .url = url, .insecure = insecure };
	int64_t deadline_ms = clock_now_ms() + 10000;

	do {
		assert_true(clock_now_ms() < deadline_ms);
		t.done = false;
		assert_non_null(fetch_start(t.loop, &request, on_done, NULL, NULL));
		TURN_UNTIL(t.loop, t.done);
	} while (strstr(t.error, "Connection refused"));
}

/* Asks a server with that certificate, at https://localhost; options: two more of s_server's. */
static void
ask_with(const char *certificate, const char *scheme, bool insecure, const char *const *options)
{
	char key[64], file[64], port[16], url[80];

	snprintf(key, sizeof(key), "%s.key", certificate);
	snprintf(file, sizeof(file), "%s.pem", certificate);
	snprintf(port, sizeof(port), "%d", free_port());
	snprintf(url, sizeof(url), "%s://localhost:%s/", scheme, port);
	pid_t pid = openssl((const char *[]){ "openssl", "s_server", "-www", "-key", key, "-cert",
	    file, "-accept", port, "-quiet", options[0], options[0] ? options[1] : NULL,
	    options[0] ? options[2] : NULL, NULL });
	fetch(url, insecure);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

static void
ask(const char *certificate, const char *scheme, bool insecure)
{
	ask_with(certificate, scheme, insecure, (const char *[]){ NULL });
}

static void
expect(const char *part)
{
	if (!strstr(t.error, part))
		fail_msg("\"%s\" is not in: %s", part, t.error);
}

static void
trust(const char *certificate)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/%s.pem", t.dir, certificate);
	setenv("SSL_CERT_FILE", path, 1);
}

static void
test_signed_by_itself(void **state)
{
	make_own();
	ask("own", "https", false);
	expect("the certificate of localhost port");
	expect("self-signed");
	expect("SSL_CERT_FILE=FILE.pem adds an authority, --insecure skips the check");
	ask("own", "https", true);
	assert_int_equal(t.status, 200);
	trust("own");
	ask("own", "https", false);
	assert_string_equal(t.error, "");
	assert_int_equal(t.status, 200);
	setenv("SSL_CERT_FILE", "/nonexistent.pem", 1);
	ask("own", "https", false);
	expect("the file of trusted authorities cannot be used");
}

static void
test_unknown_authority(void **state)
{
	make_issued();
	ask("issued", "https", false);
	expect("its authority is not known on this computer, or the server does not send an");
	expect("SSL_CERT_FILE=FILE.pem adds an authority, --insecure skips the check");
	trust("ca");
	ask("issued", "https", false);
	assert_string_equal(t.error, "");
	assert_int_equal(t.status, 200);
}

static void
test_expired(void **state)
{
	make_expired();
	trust("expired");
	ask("expired", "https", false);
	expect("it has expired (the server needs a new one; --insecure skips the check)");
	ask("expired", "https", true);
	assert_int_equal(t.status, 200);
}

static void
test_other_name(void **state)
{
	make_other();
	trust("other");
	ask("other", "https", false);
	expect("it is for another host name (use a name that it is "
	       "for; --insecure skips the check)");
}

static void
test_old_versions(void **state)
{
	static const char *const versions[] = { "-tls1", "-tls1_1" };

	make_own();
	for (size_t i = 0; i < 2; i++) {
		ask_with("own", "https", true,
		    (const char *[]){ versions[i], "-cipher", "ALL:@SECLEVEL=0" });
		expect(
		    "speaks only versions of TLS that are no longer safe: it needs TLS 1.2 or 1.3");
	}
}

static void
test_wants_a_certificate(void **state)
{
	make_own();
	ask_with("own", "https", true, (const char *[]){ "-Verify", "1", "-verify_return_error" });
	expect("wants a client certificate");
}

static void
test_plain_http_to_tls(void **state)
{
	make_own();
	ask("own", "http", false);
	assert_int_equal(t.status, 0);
	expect("https://");
}

static int
set_up(void **state)
{
	memset(&t, 0, sizeof(t));
	snprintf(t.dir, sizeof(t.dir), "/tmp/mcpane-tls-XXXXXX");
	t.loop = loop_create(NULL, NULL, NULL);
	return t.loop && mkdtemp(t.dir) ? 0 : -1;
}

static int
remove_entry(const char *path, const struct stat *s, int kind, struct FTW *where)
{
	return remove(path);
}

static int
tear_down(void **state)
{
	unsetenv("SSL_CERT_FILE");
	nftw(t.dir, remove_entry, 4, FTW_DEPTH | FTW_PHYS);
	loop_destroy(t.loop);
	return 0;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

TEST_FILE(net_tls)
{
	const struct CMUnitTest tests[] = {
		TEST(test_signed_by_itself),
		TEST(test_unknown_authority),
		TEST(test_expired),
		TEST(test_other_name),
		TEST(test_old_versions),
		TEST(test_wants_a_certificate),
		TEST(test_plain_http_to_tls),
	};

	if (!OPENSSL("version")) {
		printf("SKIPPED: there is no openssl to make certificates with\n");
		return 77;
	}
	unsetenv("http_proxy");
	unsetenv("https_proxy");
	unsetenv("all_proxy");
	unsetenv("SSL_CERT_FILE");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
