/* What TLS can go wrong with, against `openssl s_server` where there is one. */
#include "net/fetch.h"

#include "base/buf.h"
#include "base/mem.h"
#include "fixture.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <fcntl.h>
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
	(void)user;
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
	if (chdir(t.dir) == 0)
		execvp("openssl", (char **)argv);
	_exit(127);
}

/* False: there is no openssl. */
static bool
make_certificate(const char *name, const char *subject, const char *days)
{
	char key[64], file[64], subject_name[80], alternative[80];
	int status;

	snprintf(key, sizeof(key), "%s.key", name);
	snprintf(file, sizeof(file), "%s.pem", name);
	snprintf(subject_name, sizeof(subject_name), "/CN=%s", subject);
	snprintf(alternative, sizeof(alternative), "subjectAltName=DNS:%s", subject);
	pid_t pid = openssl((const char *[]){ "openssl", "req", "-x509", "-newkey", "ec",
	    "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", key, "-out", file,
	    "-subj", subject_name, "-addext", alternative, "-days", days, NULL });
	return waitpid(pid, &status, 0) == pid && status == 0;
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

/* Until it listens there is nobody: that is not what is tested. */
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

/* Asks a server with that certificate, at https://localhost. */
static void
ask(const char *certificate, const char *scheme, bool insecure)
{
	char key[64], file[64], port[16], url[80];

	snprintf(key, sizeof(key), "%s.key", certificate);
	snprintf(file, sizeof(file), "%s.pem", certificate);
	snprintf(port, sizeof(port), "%d", free_port());
	snprintf(url, sizeof(url), "%s://localhost:%s/", scheme, port);
	pid_t pid = openssl((const char *[]){ "openssl", "s_server", "-www", "-key", key, "-cert",
	    file, "-accept", port, "-quiet", NULL });
	fetch(url, insecure);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

static void
expect(const char *part)
{
	if (!strstr(t.error, part))
		fail_msg("\"%s\" is not in: %s", part, t.error);
}

static void
test_own_authority(void **state)
{
	char path[128];

	(void)state;
	if (!make_certificate("own", "localhost", "2"))
		skip();
	ask("own", "https", false);
	expect("the certificate of localhost port");
	expect("signed by itself");
	expect("SSL_CERT_FILE=FILE.pem adds an authority, --insecure skips the check");
	ask("own", "https", true);
	assert_int_equal(t.status, 200);
	snprintf(path, sizeof(path), "%s/own.pem", t.dir);
	setenv("SSL_CERT_FILE", path, 1);
	ask("own", "https", false);
	assert_string_equal(t.error, "");
	assert_int_equal(t.status, 200);
	setenv("SSL_CERT_FILE", "/nonexistent.pem", 1);
	ask("own", "https", false);
	expect("the file of trusted authorities cannot be used");
	unsetenv("SSL_CERT_FILE");
}

static void
test_other_name(void **state)
{
	char path[128];

	(void)state;
	if (!make_certificate("other", "example.com", "2"))
		skip();
	snprintf(path, sizeof(path), "%s/other.pem", t.dir);
	setenv("SSL_CERT_FILE", path, 1);
	ask("other", "https", false);
	expect("it is for another name than the one that was asked for");
	unsetenv("SSL_CERT_FILE");
}

static void
test_plain_http_to_tls(void **state)
{
	(void)state;
	if (!make_certificate("plain", "localhost", "2"))
		skip();
	ask("plain", "http", false);
	assert_int_equal(t.status, 0);
	expect("https://");
}

static int
set_up(void **state)
{
	(void)state;
	memset(&t, 0, sizeof(t));
	snprintf(t.dir, sizeof(t.dir), "/tmp/mcpane-tls-XXXXXX");
	t.loop = loop_create(NULL, NULL, NULL);
	return t.loop && mkdtemp(t.dir) ? 0 : -1;
}

static int
tear_down(void **state)
{
	static const char *const files[] = { "own", "other", "plain" };
	char path[128];

	(void)state;
	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++) {
		snprintf(path, sizeof(path), "%s/%s.key", t.dir, files[i]);
		unlink(path);
		snprintf(path, sizeof(path), "%s/%s.pem", t.dir, files[i]);
		unlink(path);
	}
	rmdir(t.dir);
	loop_destroy(t.loop);
	return 0;
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_own_authority, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_other_name, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_plain_http_to_tls, set_up, tear_down),
	};

	unsetenv("http_proxy");
	unsetenv("https_proxy");
	unsetenv("all_proxy");
	unsetenv("SSL_CERT_FILE");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
