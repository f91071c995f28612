#include "cmocka_all.h"

#include "code/aarch64_flow.h"

enum { START = 0x1000 };

/* A function of up to 8 instructions; 0 ends it. */
struct function {
    unsigned char bytes[8 * AARCH64_INSTRUCTION_BYTES];
    struct code_bytes code;
};

static void assemble(struct function *function, const uint32_t *instructions)
{
    size_t length = 0;

    for (size_t i = 0; instructions[i] != 0; i++)
        for (unsigned byte = 0; byte < AARCH64_INSTRUCTION_BYTES; byte++)
            function->bytes[length++] = (unsigned char)(instructions[i] >> 8 * byte);
    function->code = (struct code_bytes){{(const char *)function->bytes, length}, START};
}

enum {
    NOP = 0xd503201f,
    RET = 0xd65f03c0,
    PACIASP = 0xd503233f,
    BL_UP_16 = 0x94000004,
    STP_RECORD = 0xa9be7bfd, /* stp x29, x30, [sp, #-32]! */
    MOV_FP_SP = 0x910003fd,
    ADD_FP_SP_16 = 0x910043fd,
};

/* How many instructions the frame is as it was called. */
static uint64_t count_as_called(const uint32_t *instructions)
{
    struct function function;

    assemble(&function, instructions);
    return (aarch64_frame_read(&function.code).as_called_until_svma - START) / AARCH64_INSTRUCTION_BYTES;
}

static bool has_frame_pointer(const uint32_t *instructions)
{
    struct function function;

    assemble(&function, instructions);
    return aarch64_frame_read(&function.code).has_frame_pointer;
}

static bool may_jump_out(const uint32_t *instructions)
{
    struct function function;

    assemble(&function, instructions);
    return aarch64_may_jump_out(&function.code);
}

#define CODE(...) ((const uint32_t[]){__VA_ARGS__, 0})

static void a_function_that_calls_none_is_as_it_was_called_to_its_end(void **state)
{
    (void)state;
    assert_int_equal(count_as_called(CODE(NOP, NOP, RET)), 3);
    assert_int_equal(count_as_called(CODE(PACIASP, NOP, 0xd50323bf, RET)), 4); /* autiasp */
    assert_int_equal(count_as_called(CODE(0xeb1f001f, RET)), 2);               /* cmp x0, xzr */
    assert_int_equal(count_as_called(CODE(0xf100041f, RET)), 2);               /* cmp x0, #1 */
    assert_int_equal(count_as_called(CODE(0xf240001f, RET)), 2);               /* tst x0, #1 */
    assert_int_equal(count_as_called(CODE(0x910043e3, RET)), 2);               /* add x3, sp, #16 */
    assert_int_equal(count_as_called(CODE(0xf81f03e3, RET)), 2);               /* stur x3, [sp, #-16] */
    assert_int_equal(count_as_called(CODE(0xa9bf0c02, RET)), 2);               /* stp x2, x3, [x0, #-16]! */
    assert_int_equal(count_as_called(CODE(0xf90003fe, RET)), 2);               /* str x30, [sp] */
    assert_int_equal(count_as_called(CODE(0x3dc0001e, RET)), 2);               /* ldr q30, [x0] */
    assert_int_equal(count_as_called(CODE(0xf84107e0, RET)), 1);               /* ldr x0, [sp], #16 */
    assert_int_equal(count_as_called(CODE(0xf9400fe0, RET)), 2);               /* ldr x0, [sp, #24] */
}

static void so_is_another_up_to_where_it_makes_its_frame_or_calls(void **state)
{
    (void)state;
    assert_int_equal(count_as_called(CODE(NOP, STP_RECORD, MOV_FP_SP, BL_UP_16, RET)), 2);
    assert_int_equal(count_as_called(CODE(NOP, BL_UP_16, NOP, RET)), 2);
    assert_int_equal(count_as_called(CODE(NOP, 0xd63f0020, RET)), 2); /* blr x1 */
    assert_int_equal(count_as_called(CODE(0xd10043ff, NOP, RET)), 1); /* sub sp, sp, #16 */
    assert_int_equal(count_as_called(CODE(0x9100001f, NOP, RET)), 1); /* mov sp, x0 */
    assert_int_equal(count_as_called(CODE(0x927cec1f, NOP, RET)), 1); /* and sp, x0, #-16 */
    assert_int_equal(count_as_called(CODE(0xcb2063ff, NOP, RET)), 1); /* sub sp, sp, x0 */
    assert_int_equal(count_as_called(CODE(0xaa0003fe, NOP, RET)), 1); /* mov x30, x0 */
    assert_int_equal(count_as_called(CODE(0xf94007fe, NOP, RET)), 1); /* ldr x30, [sp, #8] */
    assert_int_equal(count_as_called(CODE(0xa9407bfd, NOP, RET)), 1); /* ldp x29, x30, [sp] */
    assert_int_equal(count_as_called(CODE(0x6dbf27e8, NOP, RET)), 1); /* stp d8, d9, [sp, #-16]! */
    assert_int_equal(count_as_called(CODE(0xf81f0ff3, NOP, RET)), 1); /* str x19, [sp, #-16]! */
}

static void a_function_with_a_frame_pointer_of_its_own_points_it_into_its_frame(void **state)
{
    (void)state;
    assert_true(has_frame_pointer(CODE(STP_RECORD, MOV_FP_SP, RET)));
    assert_true(has_frame_pointer(CODE(STP_RECORD, ADD_FP_SP_16, RET)));
    assert_false(has_frame_pointer(CODE(STP_RECORD, 0x910003fc, RET))); /* mov x28, sp */
}

static void calls_and_what_they_lead_to_are_known(void **state)
{
    uint64_t target = 0;

    (void)state;
    assert_true(aarch64_is_direct_call(BL_UP_16, START, &target));
    assert_int_equal(target, START + 16);
    assert_true(aarch64_is_direct_call(0x97ffffff, START, &target));
    assert_int_equal(target, START - 4);
    assert_false(aarch64_is_direct_call(0x14000004, START, &target)); /* b */
    assert_true(aarch64_is_call(BL_UP_16));
    assert_true(aarch64_is_call(0xd63f0020));  /* blr x1 */
    assert_true(aarch64_is_call(0xd73f0822));  /* blraa x1, x2 */
    assert_false(aarch64_is_call(0xd61f0020)); /* br x1 */
    assert_false(aarch64_is_call(RET));
    assert_true(aarch64_is_jump(0xd61f0020));
    assert_true(aarch64_is_jump(0x14000004));
    assert_false(aarch64_is_jump(RET));
}

static void a_jump_out_of_a_function_is_one_past_its_ends_or_by_a_register(void **state)
{
    (void)state;
    assert_false(may_jump_out(CODE(NOP, BL_UP_16, RET)));
    assert_false(may_jump_out(CODE(0x14000001, RET)));      /* b + 4 */
    assert_true(may_jump_out(CODE(0x14000002, RET)));       /* b + 8: past the end */
    assert_true(may_jump_out(CODE(0x17ffffff, RET)));       /* b - 4 */
    assert_true(may_jump_out(CODE(0x54000040, RET)));       /* b.eq + 8 */
    assert_false(may_jump_out(CODE(NOP, 0x54ffffe0, RET))); /* b.eq - 4 */
    assert_true(may_jump_out(CODE(0xb4ffffe0, RET)));       /* cbz x0, - 4 */
    assert_true(may_jump_out(CODE(0x37ffffe0, RET)));       /* tbnz w0, #31, - 4 */
    assert_true(may_jump_out(CODE(NOP, 0xd61f0020, RET)));  /* br x1 */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_function_that_calls_none_is_as_it_was_called_to_its_end),
        cmocka_unit_test(so_is_another_up_to_where_it_makes_its_frame_or_calls),
        cmocka_unit_test(a_function_with_a_frame_pointer_of_its_own_points_it_into_its_frame),
        cmocka_unit_test(calls_and_what_they_lead_to_are_known),
        cmocka_unit_test(a_jump_out_of_a_function_is_one_past_its_ends_or_by_a_register),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
