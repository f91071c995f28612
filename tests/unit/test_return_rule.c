#include "cmocka_all.h"

#include <elf.h>

#include "code_fixture.h"
#include "process/machine_code/return_rule.h"

enum { TEXT = 0x1000, STUBS = 0x2000, RSP = 7 };

/* push rbx; sub rsp, 16; call rax; nop; add rsp, 16; pop rbx; ret; and what never returns: jmp to itself */
#define CODE "\x53\x48\x83\xec\x10\xff\xd0\x90\x48\x83\xc4\x10\x5b\xc3\xeb\xfe"

static void open_code(struct code_fixture *f, uint16_t machine)
{
    code_fixture_begin(f, machine);
    builder_code(&f->builder, ".text", TEXT, SLICE(CODE));
    builder_code(&f->builder, ".plt", STUBS, SLICE(CODE));
    code_fixture_open(f);
}

static void assert_above_sp(struct code_fixture *f, uint64_t svma, int32_t cfa_offset)
{
    struct cfi_row row;

    assert_true(return_rule_of_module(&f->module, svma, &row));
    assert_int_equal(row.cfa_rule, CFI_CFA_REGISTER);
    assert_int_equal(row.cfa_register, RSP);
    assert_int_equal(row.cfa_offset, cfa_offset);
    assert_int_equal(row.return_rule, CFI_AT_CFA);
    assert_int_equal(row.return_offset, -8);
}

static void code_without_a_symbol_is_left_by_what_it_does_until_it_returns(void **state)
{
    struct code_fixture f;

    (void)state;
    open_code(&f, EM_X86_64);
    assert_above_sp(&f, TEXT, 8);
    assert_above_sp(&f, TEXT + 5, 32);
    assert_above_sp(&f, TEXT + 6, 32); /* the return address behind the call, less one */
    assert_above_sp(&f, TEXT + 12, 16);
    assert_above_sp(&f, TEXT + 13, 8);
    code_fixture_close(&f);
}

static void where_none_is_found_and_outside_of_code_nothing_is_told(void **state)
{
    const struct cfi_row before = {.cfa_offset = 42};
    struct cfi_row row = before;
    struct code_fixture f;

    (void)state;
    open_code(&f, EM_X86_64);
    assert_false(return_rule_of_module(&f.module, TEXT + 14, &row));
    assert_false(return_rule_of_module(&f.module, TEXT - 1, &row));
    assert_false(return_rule_of_module(&f.module, STUBS, &row));
    code_fixture_close(&f);
    open_code(&f, EM_AARCH64);
    assert_false(return_rule_of_module(&f.module, TEXT, &row));
    code_fixture_close(&f);
    assert_memory_equal(&row, &before, sizeof(row));
}

/* So many functions of 512 bytes, of which each `every`th sets a frame pointer up. */
static bool keeps_frame(size_t count, size_t every)
{
    enum { FUNCTION_BYTES = 512 };
    struct code_fixture f;
    SCOPED(text_done) struct text code = {0};
    bool result = false;

    for (size_t i = 0; i < count; i++) {
        text_add(&code, i % every == 0 ? SLICE("\x55\x48\x89\xe5") : SLICE("\x55\x55\x48\x89"));
        text_add_repeated(&code, '\x90', FUNCTION_BYTES - 4);
    }
    code_fixture_begin(&f, EM_X86_64);
    builder_code(&f.builder, ".text", TEXT, text_slice(&code));
    code_fixture_open(&f);
    result = return_rule_keeps_frame(&f.module, TEXT + 8);
    code_fixture_close(&f);
    return result;
}

static void code_keeps_frame_pointers_where_a_function_in_two_or_more_sets_one_up(void **state)
{
    (void)state;
    assert_true(keeps_frame(32, 1));
    assert_true(keeps_frame(32, 2));
    assert_false(keeps_frame(32, 3));
    assert_true(keeps_frame(2, 1));
    assert_false(keeps_frame(1, 1));
}

static void outside_of_code_no_frame_pointers_are_kept(void **state)
{
    struct code_fixture f;

    (void)state;
    open_code(&f, EM_X86_64);
    assert_false(return_rule_keeps_frame(&f.module, TEXT - 1));
    assert_false(return_rule_keeps_frame(&f.module, TEXT + sizeof(CODE)));
    assert_false(return_rule_keeps_frame(&f.module, UINT64_MAX));
    code_fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(code_without_a_symbol_is_left_by_what_it_does_until_it_returns),
        cmocka_unit_test(code_keeps_frame_pointers_where_a_function_in_two_or_more_sets_one_up),
        cmocka_unit_test(outside_of_code_no_frame_pointers_are_kept),
        cmocka_unit_test(where_none_is_found_and_outside_of_code_nothing_is_told),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
