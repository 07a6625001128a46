#include "host/confined.h"

#include "base/vec.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Input that exploits this process can only compute and send bytes. */

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
	SYS_munmap, SYS_mremap, SYS_madvise, SYS_futex, SYS_rt_sigreturn, SYS_getrandom };
static const uint32_t mapping[] = { SYS_mmap, SYS_mprotect };

#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define SKIP_UNLESS_EQUAL(value, skipped) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (value), 0, (skipped))
#define SKIP_UNLESS_BIT(value, skipped) BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, (value), 0, (skipped))
#define RETURN(action) BPF_STMT(BPF_RET | BPF_K, (action))

static void
filter_calls(const struct confined_limits *limits)
{
	uint32_t forbidden =
	    limits->calls_fail ? SECCOMP_RET_ERRNO | EPERM : SECCOMP_RET_KILL_PROCESS;
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
		code[n++] = (struct sock_filter)RETURN(forbidden);
		code[n++] = (struct sock_filter)RETURN(SECCOMP_RET_ALLOW);
	}
	code[n++] = (struct sock_filter)RETURN(forbidden);
	struct sock_fprog program = { .len = (unsigned short)n, .filter = code };
	/* If the kernel or container refuses the filter, the limits and the empty process
	 * remain. */
	prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

#else

static void
filter_calls(const struct confined_limits *limits)
{
}

#endif

void
confined_enter(const struct confined_limits *limits)
{
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	limit(RLIMIT_CORE, 0);
	limit(RLIMIT_CPU, limits->cpu_seconds);
	limit(RLIMIT_FSIZE, 0);
	limit(RLIMIT_NOFILE, 0);
#ifndef SANITIZED
	limit(RLIMIT_AS, limits->memory_bytes);
#endif
	filter_calls(limits);
}

bool
confined_read(void *to, size_t len)
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

bool
confined_write(const void *from, size_t len)
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
