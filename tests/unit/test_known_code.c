#include "cmocka_all.h"

#include <elf.h>

#include "code_fixture.h"
#include "process/machine_code/known.h"

enum { TEXT = 0x1000 };

/* nop; mov x8, #139; svc #0 - as the vdso has it - and: blr x1; mov x8, #93; svc #0 - as musl has it */
#define AARCH64_CODE                                                                                         \
    "\x1f\x20\x03\xd5\x68\x11\x80\xd2\x01\0\0\xd4"                                                           \
    "\x20\0\x3f\xd6\xa8\x0b\x80\xd2\x01\0\0\xd4"

/* nop; mov $15, %rax; syscall - and: call *%r9; mov %eax, %edi; xor %eax, %eax; mov $60, %al; syscall */
#define X86_64_CODE "\x90\x48\xc7\xc0\x0f\0\0\0\x0f\x05\x41\xff\xd1\x89\xc7\x31\xc0\xb0\x3c\x0f\x05"

static void open_code(struct code_fixture *f, uint16_t machine, struct slice code)
{
    code_fixture_begin(f, machine);
    builder_code(&f->builder, ".text", TEXT, code);
    code_fixture_open(f);
}

static void a_signals_frame_of_aarch64_has_all_whatever_the_file_says_of_it(void **state)
{
    /* From the vdso of Linux 5.7 and before. */
    static const struct cfi_row told = {.cfa_rule = CFI_CFA_REGISTER, .cfa_register = 29};
    struct code_fixture f;
    uint32_t return_register = 0;
    const struct cfi_row *row = NULL;

    (void)state;
    open_code(&f, EM_AARCH64, SLICE(AARCH64_CODE));
    row = known_code_signal_return(&f.module, TEXT + 3, NULL, &return_register);
    assert_non_null(row);
    assert_int_equal(return_register, 30);
    assert_true(row->is_signal_frame);
    assert_int_equal(row->cfa_rule, CFI_CFA_MEMORY);
    assert_int_equal(row->cfa_register, 31);
    /* struct siginfo of 128 bytes, ucontext's flags, link, stack and mask in 176, the fault's address */
    assert_int_equal(row->cfa_offset, 128 + 176 + 8 + 8 * 31);
    assert_int_equal(row->return_offset, 128 + 176 + 8 + 8 * 32);
    assert_int_equal(row->frame_offset, 128 + 176 + 8 + 8 * 29);
    assert_int_equal(row->base_offset, 128 + 176 + 8 + 8 * 19);
    assert_ptr_equal(known_code_signal_return(&f.module, TEXT + 3, &told, &return_register), row);
    /* Interrupted there, in the kernel most of all. */
    assert_ptr_equal(known_code_signal_return(&f.module, TEXT + 4, NULL, &return_register), row);
    assert_ptr_equal(known_code_signal_return(&f.module, TEXT + 8, NULL, &return_register), row);
    assert_null(known_code_signal_return(&f.module, TEXT, NULL, &return_register));
    assert_null(known_code_signal_return(&f.module, TEXT + 7, NULL, &return_register));
    assert_null(known_code_signal_return(&f.module, TEXT + 12, NULL, &return_register));
    assert_null(known_code_signal_return(&f.module, TEXT + 15, NULL, &return_register));
    code_fixture_close(&f);
}

static void one_of_x86_64_is_as_the_file_says(void **state)
{
    static const struct cfi_row told = {.cfa_rule = CFI_CFA_MEMORY};
    struct code_fixture f;
    uint32_t return_register = 0;
    const struct cfi_row *row = NULL;

    (void)state;
    open_code(&f, EM_X86_64, SLICE(X86_64_CODE));
    row = known_code_signal_return(&f.module, TEXT, NULL, &return_register);
    assert_non_null(row);
    assert_int_equal(return_register, 16);
    assert_int_equal(row->cfa_register, 7);
    assert_ptr_equal(known_code_signal_return(&f.module, TEXT + 1, NULL, &return_register), row);
    assert_ptr_equal(known_code_signal_return(&f.module, TEXT + 8, NULL, &return_register), row);
    assert_null(known_code_signal_return(&f.module, TEXT, &told, &return_register));
    code_fixture_close(&f);
}

static void it_is_found_in_a_file_that_nobody_has_mapped(void **state)
{
    struct code_fixture f;
    uint64_t start = 0;

    (void)state;
    open_code(&f, EM_X86_64, SLICE(X86_64_CODE));
    for (uint64_t offset = 0; offset < sizeof(X86_64_CODE); offset++)
        assert_int_equal(known_code_find_signal_return(&f.image, f.module.blocks, TEXT + offset, &start),
                         offset == 0 || offset == 1 || offset == 8);
    assert_int_equal(start, TEXT + 1);
    code_fixture_close(&f);
    open_code(&f, EM_AARCH64, SLICE(AARCH64_CODE));
    assert_true(known_code_find_signal_return(&f.image, f.module.blocks, TEXT + 3, &start));
    assert_int_equal(start, TEXT + 4);
    assert_false(known_code_find_signal_return(&f.image, f.module.blocks, 0, &start));
    code_fixture_close(&f);
    open_code(&f, EM_386, SLICE(X86_64_CODE));
    assert_false(known_code_find_signal_return(&f.image, f.module.blocks, TEXT, &start));
    code_fixture_close(&f);
    open_code(&f, EM_X86_64, slice_range(SLICE(X86_64_CODE), 0, 9)); /* the last byte is missing */
    assert_false(known_code_find_signal_return(&f.image, f.module.blocks, TEXT, &start));
    code_fixture_close(&f);
}

static void a_thread_of_musl_ends_behind_its_first_call(void **state)
{
    struct code_fixture f;

    (void)state;
    open_code(&f, EM_AARCH64, SLICE(AARCH64_CODE));
    assert_true(known_code_is_thread_exit(&f.module, TEXT + 15));
    assert_false(known_code_is_thread_exit(&f.module, TEXT + 11));
    code_fixture_close(&f);
    open_code(&f, EM_X86_64, SLICE(X86_64_CODE));
    assert_true(known_code_is_thread_exit(&f.module, TEXT + 12));
    code_fixture_close(&f);
    open_code(&f, EM_386, SLICE(X86_64_CODE));
    assert_false(known_code_is_thread_exit(&f.module, TEXT + 12));
    code_fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_signals_frame_of_aarch64_has_all_whatever_the_file_says_of_it),
        cmocka_unit_test(one_of_x86_64_is_as_the_file_says),
        cmocka_unit_test(it_is_found_in_a_file_that_nobody_has_mapped),
        cmocka_unit_test(a_thread_of_musl_ends_behind_its_first_call),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
