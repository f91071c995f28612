#include "cmocka_all.h"

#include <elf.h>

#include "elf_builder.h"
#include "process/known_code.h"

enum { TEXT = 0x1000 };

/* nop; mov x8, #139; svc #0 - as the vdso has it - and: blr x1; mov x8, #93; svc #0 - as musl has it */
#define AARCH64_CODE                                                                                         \
    "\x1f\x20\x03\xd5\x68\x11\x80\xd2\x01\0\0\xd4"                                                           \
    "\x20\0\x3f\xd6\xa8\x0b\x80\xd2\x01\0\0\xd4"

/* nop; mov $15, %rax; syscall - and: call *%r9; mov %eax, %edi; xor %eax, %eax; mov $60, %al; syscall */
#define X86_64_CODE "\x90\x48\xc7\xc0\x0f\0\0\0\x0f\x05\x41\xff\xd1\x89\xc7\x31\xc0\xb0\x3c\x0f\x05"

struct fixture {
    struct elf_builder builder;
    struct image image;
    struct module module;
};

static void open_code(struct fixture *f, uint16_t machine, struct slice code)
{
    struct error err = {0};

    *f = (struct fixture){.builder = builder_new(true, false, machine, ET_DYN)};
    builder_code(&f->builder, ".text", TEXT, code);
    assert_int_equal(image_open_bytes(builder_finish(&f->builder), "code", &f->image, &err), 0);
    f->module.image = &f->image;
    f->module.blocks = code_blocks_new();
    for (size_t i = 0; i < f->image.sections.count; i++) {
        const struct section *section = &f->image.sections.items[i];

        if (section->svma == TEXT)
            *vec_add(&f->module.code) =
                (struct module_code){section->svma, section->file_offset, section->file_bytes};
    }
}

static void close_code(struct fixture *f)
{
    vec_done(&f->module.code);
    code_blocks_free(f->module.blocks);
    image_close(&f->image);
    builder_done(&f->builder);
}

static void a_signals_frame_of_aarch64_has_all_whatever_the_file_says_of_it(void **state)
{
    /* From the vdso of Linux 5.7 and before. */
    static const struct cfi_row told = {.cfa_rule = CFI_CFA_REGISTER, .cfa_register = 29};
    struct fixture f;
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
    close_code(&f);
}

static void one_of_x86_64_is_as_the_file_says(void **state)
{
    static const struct cfi_row told = {.cfa_rule = CFI_CFA_MEMORY};
    struct fixture f;
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
    close_code(&f);
}

static void it_is_found_in_a_file_that_nobody_has_mapped(void **state)
{
    struct fixture f;
    uint64_t start = 0;

    (void)state;
    open_code(&f, EM_X86_64, SLICE(X86_64_CODE));
    for (uint64_t offset = 0; offset < sizeof(X86_64_CODE); offset++)
        assert_int_equal(known_code_find_signal_return(&f.image, f.module.blocks, TEXT + offset, &start),
                         offset == 0 || offset == 1 || offset == 8);
    assert_int_equal(start, TEXT + 1);
    close_code(&f);
    open_code(&f, EM_AARCH64, SLICE(AARCH64_CODE));
    assert_true(known_code_find_signal_return(&f.image, f.module.blocks, TEXT + 3, &start));
    assert_int_equal(start, TEXT + 4);
    assert_false(known_code_find_signal_return(&f.image, f.module.blocks, 0, &start));
    close_code(&f);
    open_code(&f, EM_386, SLICE(X86_64_CODE));
    assert_false(known_code_find_signal_return(&f.image, f.module.blocks, TEXT, &start));
    close_code(&f);
    open_code(&f, EM_X86_64, slice_range(SLICE(X86_64_CODE), 0, 9)); /* the last byte is missing */
    assert_false(known_code_find_signal_return(&f.image, f.module.blocks, TEXT, &start));
    close_code(&f);
}

static void a_thread_of_musl_ends_behind_its_first_call(void **state)
{
    struct fixture f;

    (void)state;
    open_code(&f, EM_AARCH64, SLICE(AARCH64_CODE));
    assert_true(known_code_is_thread_exit(&f.module, TEXT + 15));
    assert_false(known_code_is_thread_exit(&f.module, TEXT + 11));
    close_code(&f);
    open_code(&f, EM_X86_64, SLICE(X86_64_CODE));
    assert_true(known_code_is_thread_exit(&f.module, TEXT + 12));
    close_code(&f);
    open_code(&f, EM_386, SLICE(X86_64_CODE));
    assert_false(known_code_is_thread_exit(&f.module, TEXT + 12));
    close_code(&f);
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
