/* SPDX-License-Identifier: MIT */
/* Protections by the loader and the compiler in the program's own ELF file. */
#include <elf.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>

#include "terminal.h"

#include "base/buf.h"
#include "base/path.h"
#include "test.h"

static struct buf file = { .max = (size_t)64 << 20 };

static int
read_program(void **state)
{
	struct err err;

#if defined(__SANITIZE_ADDRESS__) || !defined(OPTIMIZED)
	print_message("SKIPPED: a sanitizer's build, or one without optimization\n");
	exit(77);
#endif
	return path_read_file(terminal_program(), &file, &err) ? 0 : -1;
}

static int
free_program(void **state)
{
	buf_finish(&file);
	return 0;
}

static const ElfW(Ehdr) * head(void)
{
	return (const void *)file.data;
}

static const ElfW(Phdr) * segment(ElfW(Word) type)
{
	const ElfW(Phdr) *all = (const void *)(file.data + head()->e_phoff);

	for (size_t i = 0; i < head()->e_phnum; i++)
		if (all[i].p_type == type)
			return &all[i];
	return NULL;
}

static ElfW(Xword) dynamic(ElfW(Sxword) tag)
{
	const ElfW(Phdr) *segment_of = segment(PT_DYNAMIC);
	const ElfW(Dyn) *entry = (const void *)(file.data + segment_of->p_offset);

	for (; entry->d_tag != DT_NULL; entry++)
		if (entry->d_tag == tag)
			return entry->d_un.d_val;
	return 0;
}

/* Names of functions end with a zero byte, in this table too. */
static bool
imports(const char *name)
{
	return memmem(file.data, file.len, name, strlen(name) + 1) != NULL;
}

static void
test_layout_is_random(void **state)
{
	assert_int_equal(head()->e_type, ET_DYN);
	assert_true(dynamic(DT_FLAGS_1) & DF_1_PIE);
}

static void
test_the_table_of_functions_is_read_only(void **state)
{
	assert_non_null(segment(PT_GNU_RELRO));
	assert_true(dynamic(DT_FLAGS_1) & DF_1_NOW);
}

static void
test_the_stack_cannot_be_executed(void **state)
{
	assert_non_null(segment(PT_GNU_STACK));
	assert_false(segment(PT_GNU_STACK)->p_flags & PF_X);
}

static void
test_the_compiler_checks_buffers(void **state)
{
	assert_true(imports("__stack_chk_fail"));
	assert_true(imports("__snprintf_chk"));
}

TEST_FILE(hardening)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_layout_is_random),
		cmocka_unit_test(test_the_table_of_functions_is_read_only),
		cmocka_unit_test(test_the_stack_cannot_be_executed),
		cmocka_unit_test(test_the_compiler_checks_buffers),
	};

	return cmocka_run_group_tests(tests, read_program, free_program);
}
