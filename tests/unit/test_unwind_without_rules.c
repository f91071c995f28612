#include "unwind_fixture.h"

static void code_without_rules_is_left_by_its_frame_pointer(void **state)
{
    struct fixture *f = *state;

    f->code_end = 0x400;
    f->rows[3] = outermost();
    f->registers.values[REGISTERS_FP] = STACK_START + 16;
    f->stack[2] = STACK_START + 48;
    f->stack[3] = 0x220;
    f->stack[6] = 0;
    f->stack[7] = 0x320;
    WALK(f, UNWIND_COMPLETE, 0x110, 0x21f, 0x31f);
    assert_int_equal(f->unwinder.frames[1].cfa, STACK_START + 64);
    f->rows[3] = (struct cfi_row){0};
    WALK(f, UNWIND_NO_RULE, 0x110, 0x21f, 0x31f);
}

/* As the C library musl calls main: without rules or frame pointers. */
static void code_without_rules_right_below_the_threads_start_is_outermost(void **state)
{
    struct fixture *f = *state;

    f->code_end = 0x500;
    f->rows[1] = frame_of(1);
    f->rows[3] = outermost();
    f->rows[4] = frame_of(1);
    f->stack[0] = 0x220;
    f->stack[5] = 0x320;
    WALK(f, UNWIND_COMPLETE, 0x110, 0x21f);
    f->stack[4] = 0x420; /* it was called by other code */
    WALK(f, UNWIND_NO_RULE, 0x110, 0x21f);
}

static void code_without_rules_right_below_the_arguments_is_outermost(void **state)
{
    struct fixture *f = *state;

    f->code_end = 0x400;
    f->rows[1] = frame_of(1);
    f->stack[0] = 0x220;
    f->stack[3] = 3; /* not so many: */
    f->stack[4] = STACK_START + 400;
    f->stack[7] = 2;
    f->stack[8] = STACK_START + 400;
    f->stack[9] = STACK_START + 410;
    WALK(f, UNWIND_COMPLETE, 0x110, 0x21f);
    f->stack[9] = 7;
    WALK(f, UNWIND_NO_RULE, 0x110, 0x21f);
    f->stack[9] = STACK_START + 410;
    f->stack[10] = 1;
    WALK(f, UNWIND_NO_RULE, 0x110, 0x21f);
    f->stack[10] = 0;
    f->code_end = 0x200; /* nor is what is no code called from anywhere */
    WALK(f, UNWIND_NO_RULE, 0x110, 0x21f);
}

static void a_leaf_without_rules_has_its_return_address_on_top(void **state)
{
    struct fixture *f = *state;

    if (REGISTERS_HAVE_LINK)
        skip();
    f->code_end = 0x400;
    f->rows[2] = outermost();
    f->stack[0] = 0x220;
    f->registers.values[REGISTERS_FP] = 5; /* not one */
    WALK(f, UNWIND_COMPLETE, 0x110, 0x21f);
    f->stack[0] = 0x520; /* no code there */
    WALK(f, UNWIND_NO_RULE, 0x110);
}

static void a_frame_pointer_that_cannot_be_is_not_followed(void **state)
{
    static const uint64_t bad[] = {STACK_START - 16, STACK_START + 12, STACK_START + (2 << 20), 0};
    struct fixture *f = *state;

    f->code_end = 0x400;
    f->stack[1] = 0x220;
    f->stack[2] = 0x220;
    f->stack[3] = 0x220;
    for (size_t i = 0; i < 4; i++) {
        f->registers.values[REGISTERS_FP] = bad[i];
        WALK(f, UNWIND_NO_RULE, 0x110);
    }
}

static void a_rule_read_from_the_code_counts_where_it_leads_to_code(void **state)
{
    struct fixture *f = *state;

    f->code_end = 0x400;
    f->inferred = 1 << 1 | 1 << 2;
    f->rows[1] = frame_of(2);
    f->rows[2] = frame_of(3);
    f->rows[3] = outermost();
    f->registers.values[REGISTERS_FP] = STACK_START + 64; /* a frame pointer that was left as it was */
    f->stack[1] = 0x210;
    f->stack[4] = 0x310;
    f->stack[9] = 0x350;
    WALK(f, UNWIND_COMPLETE, 0x110, 0x20f, 0x30f);
}

static void else_the_frame_pointer_is_followed(void **state)
{
    struct fixture *f = *state;

    f->code_end = 0x400;
    f->inferred = 1 << 1;
    f->rows[1] = frame_of(2);
    f->rows[3] = outermost();
    f->registers.values[REGISTERS_FP] = STACK_START + 64;
    f->stack[1] = 0x5678; /* no code */
    f->stack[9] = 0x350;
    WALK(f, UNWIND_COMPLETE, 0x110, 0x34f);
    f->rows[1].cfa_offset = 8 * STACK_WORDS + 64; /* past what is there */
    WALK(f, UNWIND_COMPLETE, 0x110, 0x34f);
    f->registers.known = ~(UINT64_C(1) << REGISTERS_FP);
    WALK(f, UNWIND_NO_RULE, 0x110);
}

/* What another function left on the stack may be a return address, but not of a call of this one. */
static void a_word_behind_another_call_is_no_return_address(void **state)
{
    struct fixture *f = *state;

    f->code_end = 0x500;
    f->inferred = 1 << 1;
    f->rows[1] = frame_of(2);
    f->rows[3] = outermost();
    f->rows[4] = outermost();
    f->request.is_call = unwind_fixture_is_call;
    f->callees[3] = 1;
    f->callees[4] = 2;
    f->registers.values[REGISTERS_FP] = STACK_START + 64;
    f->stack[1] = 0x450;
    f->stack[9] = 0x350;
    WALK(f, UNWIND_COMPLETE, 0x110, 0x34f);
    f->stack[9] = 0x460; /* nor is it one where the frame pointer leads */
    WALK(f, UNWIND_NO_RULE, 0x110);
    f->callees[4] = 1;
    WALK(f, UNWIND_COMPLETE, 0x110, 0x44f);
}

static void a_frame_pointer_that_is_the_callers_does_not_lead_there(void **state)
{
    struct fixture *f = *state;

    f->code_end = 0x400;
    f->rows[3] = outermost();
    f->registers.values[REGISTERS_FP] = STACK_START + 64;
    f->stack[9] = 0x350;
    WALK(f, UNWIND_COMPLETE, 0x110, 0x34f);
    f->fp_is_callers = 1 << 1;
    f->moved_stack = 1 << 1;
    WALK(f, UNWIND_NO_RULE, 0x110);
}

/* gcc's frames of a larger alignment have a copy of the return address beside the frame pointer. */
static void behind_a_stack_pointer_that_was_moved_only_a_frame_pointer_leads_on(void **state)
{
    struct fixture *f = *state;

    f->code_end = 0x500;
    f->moved_stack = 1 << 1;
    f->rows[2] = frame_of(2);
    f->rows[3] = outermost();
    f->registers.values[REGISTERS_FP] = STACK_START + 64;
    f->stack[0] = 0x320; /* and nothing is on top */
    f->stack[8] = STACK_START + 128;
    f->stack[9] = 0x250;
    f->stack[11] = 0x350;
    f->stack[17] = 0x360;
    WALK(f, UNWIND_NO_RULE, 0x110, 0x24f);
    f->rows[2].cfa_register = REGISTERS_FP;
    WALK(f, UNWIND_COMPLETE, 0x110, 0x24f, 0x35f);
}

/* As HotSpot's interpreter does, which was called with arguments on the stack. */
static void code_made_at_run_time_may_keep_the_callers_stack_pointer(void **state)
{
    static const uint64_t kept[] = {STACK_START + 80, STACK_START + 81, STACK_START + 40, UINT64_MAX};
    struct fixture *f = *state;

    if (REGISTERS_HAVE_LINK)
        skip();
    f->code_end = 0x400;
    f->rows[2] = frame_of(2);
    f->rows[3] = outermost();
    f->registers.values[REGISTERS_FP] = STACK_START + 32;
    f->stack[4] = STACK_START + 128;
    f->stack[5] = 0x220;
    f->stack[7] = 0x310;  /* right behind, */
    f->stack[11] = 0x320; /* and behind what is kept */
    for (size_t i = 0; i < sizeof(kept) / sizeof(kept[0]); i++) {
        f->stack[3] = kept[i];
        f->made = 1U << 1 | 1U << 2;
        WALK(f, UNWIND_COMPLETE, 0x110, 0x21f, i == 0 ? 0x31f : 0x30f);
        f->made = 1U << 1; /* a program's call of code that keeps nothing, as of Cranelift */
        WALK(f, UNWIND_COMPLETE, 0x110, 0x21f, 0x30f);
        f->made = 0;
        WALK(f, UNWIND_COMPLETE, 0x110, 0x21f, 0x30f);
    }
}

/* As Cranelift's of each other, in which what looks like a stack pointer was left by others. */
static void code_that_is_left_by_frame_pointers_needs_no_stack_pointer(void **state)
{
    struct fixture *f = *state;

    if (REGISTERS_HAVE_LINK)
        skip();
    f->code_end = 0x400;
    f->rows[3] = outermost();
    f->made = 1U << 1 | 1U << 2;
    f->registers.values[REGISTERS_FP] = STACK_START + 32;
    f->stack[3] = STACK_START + 128; /* above the caller's frame */
    f->stack[4] = STACK_START + 64;
    f->stack[5] = 0x220;
    f->stack[8] = 0;
    f->stack[9] = 0x320;
    WALK(f, UNWIND_COMPLETE, 0x110, 0x21f, 0x31f);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, unwind_fixture_set_up, unwind_fixture_tear_down)
    const struct CMUnitTest tests[] = {
        TEST(code_without_rules_is_left_by_its_frame_pointer),
        TEST(code_without_rules_right_below_the_threads_start_is_outermost),
        TEST(code_without_rules_right_below_the_arguments_is_outermost),
        TEST(a_leaf_without_rules_has_its_return_address_on_top),
        TEST(a_rule_read_from_the_code_counts_where_it_leads_to_code),
        TEST(else_the_frame_pointer_is_followed),
        TEST(a_frame_pointer_that_cannot_be_is_not_followed),
        TEST(a_word_behind_another_call_is_no_return_address),
        TEST(a_frame_pointer_that_is_the_callers_does_not_lead_there),
        TEST(code_made_at_run_time_may_keep_the_callers_stack_pointer),
        TEST(code_that_is_left_by_frame_pointers_needs_no_stack_pointer),
        TEST(behind_a_stack_pointer_that_was_moved_only_a_frame_pointer_leads_on),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
