#include "decoding.h"

#include "base/base64.h"
#include "base/mem.h"
#include "base/vec.h"
#include "mcp/content.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

bool
picture_allocate(struct picture *p, size_t width, size_t height, struct err *err)
{
	if (width == 0 || height == 0 || width > PICTURE_MAX_PIXELS ||
	    height > PICTURE_MAX_PIXELS || width * height > PICTURE_MAX_PIXELS)
		return err_set(err, "%zu x %zu pixels are too many to draw", width, height);
	*p = (struct picture){ (int)width, (int)height, mem_zalloc(width * height * 4) };
	return true;
}

static const struct {
	const char *type;
	bool (*load)(struct err *err);
	bool (*decode)(const void *bytes, size_t len, struct picture *out, struct err *err);
} decoders[] = {
	{ "image/png", picture_load_png, picture_decode_png },
	{ "image/jpeg", picture_load_jpeg, picture_decode_jpeg },
};

bool
picture_decode(const void *bytes, size_t len, struct picture *out, struct err *err)
{
	const char *type = media_type_of(bytes, len);

	*out = (struct picture){ 0 };
	if (len > PICTURE_MAX_BYTES)
		return err_set(err, "too large to draw");
	for (size_t i = 0; type && i < ARRAY_LEN(decoders); i++) {
		if (strcmp(decoders[i].type, type) != 0)
			continue;
		if (decoders[i].decode(bytes, len, out, err))
			return true;
		picture_finish(out);
		return false;
	}
	return err_set(err, "only PNG and JPEG can be drawn");
}

static void
picture_load_libraries(void)
{
	for (size_t i = 0; i < ARRAY_LEN(decoders); i++)
		decoders[i].load(NULL); /* decode() reports a missing library */
}

/* Scales the picture down to the size the job asks for. */
static void
shrink(struct picture *whole, int most, struct picture *out)
{
	int width, height;

	picture_fit(whole, most, most, &width, &height);
	if (width == whole->width && height == whole->height) {
		*out = *whole;
		return;
	}
	picture_reduce(whole, width, height, out);
	picture_finish(whole);
}

void
picture_job_run(struct picture_job *job)
{
	struct buf bytes = BUF_INIT;
	struct picture whole;

	if (!base64_decode(&bytes, job->base64, job->len))
		err_set(&job->trouble, "not base64");
	else if (picture_decode(buf_text(&bytes), bytes.len, &whole, &job->trouble))
		shrink(&whole, job->most, &job->picture);
	buf_finish(&bytes);
}

/* The process that decodes one picture. Input that exploits it can only compute and send pixels. */

enum { CPU_SECONDS = 5 };
#define MEMORY_BYTES ((size_t)256 << 20)

#if defined(__x86_64__) && !defined(__ILP32__)
#define ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define ARCH AUDIT_ARCH_AARCH64
#endif

#if defined(__SANITIZE_ADDRESS__)
/* sanitizers map terabytes, open files of /proc and send signals: limits only */
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED 1
#endif
#endif

static void
limit(int what, size_t most)
{
	setrlimit(what, &(struct rlimit){ most, most });
}

#if defined(ARCH) && !defined(SANITIZED)

/* System calls allowed unconditionally. malloc() may map memory, but never executable memory. */
static const uint32_t allowed[] = { SYS_read, SYS_write, SYS_exit, SYS_exit_group, SYS_brk,
	SYS_munmap, SYS_mremap, SYS_madvise, SYS_futex, SYS_rt_sigreturn };
static const uint32_t mapping[] = { SYS_mmap, SYS_mprotect };

#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define SKIP_UNLESS_EQUAL(value, skipped) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (value), 0, (skipped))
#define SKIP_UNLESS_BIT(value, skipped) BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, (value), 0, (skipped))
#define RETURN(action) BPF_STMT(BPF_RET | BPF_K, (action))

static void
filter_calls(void)
{
	struct sock_filter code[5 + 2 * ARRAY_LEN(allowed) + 5 * ARRAY_LEN(mapping)] = {
		LOAD(arch),
		SKIP_UNLESS_EQUAL(ARCH, 1),
		LOAD(nr),
	};
	size_t n = 3;

	for (size_t i = 0; i < ARRAY_LEN(allowed); i++) {
		code[n++] = (struct sock_filter)SKIP_UNLESS_EQUAL(allowed[i], 1);
		code[n++] = (struct sock_filter)RETURN(SECCOMP_RET_ALLOW);
	}
	for (size_t i = 0; i < ARRAY_LEN(mapping); i++) {
		code[n++] = (struct sock_filter)SKIP_UNLESS_EQUAL(mapping[i], 4);
		code[n++] = (struct sock_filter)LOAD(args[2]); /* the low half: little-endian */
		code[n++] = (struct sock_filter)SKIP_UNLESS_BIT(PROT_EXEC, 1);
		code[n++] = (struct sock_filter)RETURN(SECCOMP_RET_KILL_PROCESS);
		code[n++] = (struct sock_filter)RETURN(SECCOMP_RET_ALLOW);
	}
	code[n++] = (struct sock_filter)RETURN(SECCOMP_RET_KILL_PROCESS);
	struct sock_fprog program = { .len = (unsigned short)n, .filter = code };
	/* If the kernel or container refuses the filter, the limits and the empty process
	 * remain. */
	prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

#else

static void
filter_calls(void)
{
}

#endif

void
picture_confine(void)
{
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	limit(RLIMIT_CORE, 0);
	limit(RLIMIT_CPU, CPU_SECONDS);
	limit(RLIMIT_FSIZE, 0);
	limit(RLIMIT_NOFILE, 0);
#ifndef SANITIZED
	limit(RLIMIT_AS, MEMORY_BYTES);
#endif
	filter_calls();
}

static bool
read_all(void *to, size_t len)
{
	for (char *at = to; len > 0;) {
		ssize_t n = read(STDIN_FILENO, at, len);
		if (n == 0 || (n < 0 && errno != EINTR))
			return false;
		at += n > 0 ? n : 0;
		len -= n > 0 ? (size_t)n : 0;
	}
	return true;
}

static bool
write_all(const void *from, size_t len)
{
	for (const char *at = from; len > 0;) {
		ssize_t n = write(STDOUT_FILENO, at, len);
		if (n < 0 && errno != EINTR)
			return false;
		at += n > 0 ? n : 0;
		len -= n > 0 ? (size_t)n : 0;
	}
	return true;
}

int
picture_serve(void)
{
	struct picture_request request;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (!read_all(&request, sizeof(request)) || request.len > PICTURE_MAX_BASE64)
		return 1;
	char *base64 = mem_alloc(request.len);
	if (!read_all(base64, request.len))
		return 1;
	picture_load_libraries();
	picture_confine();
	struct picture_job job = {
		.base64 = base64, .len = request.len, .most = (int)request.most
	};
	picture_job_run(&job);
	struct picture_answer answer = {
		.width = (uint32_t)job.picture.width,
		.height = (uint32_t)job.picture.height,
		.trouble = job.trouble,
	};
	size_t pixels = (size_t)answer.width * answer.height * 4;
	bool ok = write_all(&answer, sizeof(answer)) && write_all(job.picture.rgba, pixels);
	_exit(ok ? 0 : 1); /* exit handlers may need forbidden system calls */
}
