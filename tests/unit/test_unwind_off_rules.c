/* Where the stack pointer is not where call frame information expects it: inline assembly that pushes. */
#include "unwind_fixture.h"

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, unwind_fixture_tear_down)

/* What the code of 1 tells, and what all others' does. */
static struct cfi_row of_code;

static void read_code(void *context, uint64_t address, struct unwind_rule *out)
{
    (void)context;
    *out = (struct unwind_rule){0};
    if (address >> 8 == 1)
        out->row = of_code;
}

/* The call in 5 is another function's for sure. */
static enum unwind_caller ask_caller(void *context, uint64_t call, uint64_t callee)
{
    const struct fixture *f = context;

    if (call >> 8 == 5 && f->callees[5] != callee >> 8)
        return UNWIND_CALLER_NOT;
    return f->callees[call >> 8] != 0 ? UNWIND_CALLER_POSSIBLE : UNWIND_CALLER_UNLIKELY;
}

/* 1, whose frame is of two words, is called by 2 and has pushed two more. No call is in 4. */
static int set_up(void **state)
{
    struct fixture *f = NULL;

    (void)unwind_fixture_set_up(state);
    f = *state;
    f->code_end = 0x500;
    f->request.read_code = read_code;
    f->request.ask_caller = ask_caller;
    f->request.is_call = unwind_fixture_is_call;
    f->callees[2] = 1;
    f->callees[3] = 2;
    f->rows[1] = frame_of(2);
    f->rows[2] = frame_of(1);
    f->rows[3] = outermost();
    f->stack[1] = 0x5678; /* no code */
    f->stack[3] = 0x220;
    f->stack[4] = 0x320;
    of_code = frame_of(4);
    return 0;
}

static void the_code_tells_how_to_leave_a_function_whose_rule_leads_to_no_call(void **state)
{
    static const uint64_t no_calls[] = {0x5678, 0x420, 0, UINT64_MAX};
    struct fixture *f = *state;

    if (REGISTERS_HAVE_LINK)
        skip();
    for (size_t i = 0; i < 4; i++) {
        f->stack[1] = no_calls[i];
        WALK(f, UNWIND_COMPLETE, 0x110, 0x21f, 0x31f);
        assert_int_equal(f->unwinder.frames[0].cfa, STACK_START + 32);
    }
    f->request.read_code = NULL;
    WALK(f, UNWIND_BAD, 0x110);
}

static void so_it_is_where_the_rule_leads_to_a_call_of_another_function(void **state)
{
    struct fixture *f = *state;

    if (REGISTERS_HAVE_LINK)
        skip();
    f->code_end = 0x600;
    f->rows[5] = frame_of(1);
    f->stack[1] = 0x520;
    f->stack[2] = 0x320;
    WALK(f, UNWIND_COMPLETE, 0x110, 0x21f, 0x31f);
    of_code = (struct cfi_row){0}; /* what is known not to be the caller is not shown */
    WALK(f, UNWIND_BAD, 0x110);
    f->callees[5] = 1;
    WALK(f, UNWIND_COMPLETE, 0x110, 0x51f, 0x31f);
    f->callees[5] = 2;
    f->rows[5].is_signal_frame = 1; /* what a handler returns to was not called */
    WALK(f, UNWIND_COMPLETE, 0x110, 0x51f, 0x320);
}

static void a_rule_that_leads_to_a_call_counts(void **state)
{
    struct fixture *f = *state;

    f->stack[1] = 0x320;
    f->callees[3] = 1;
    WALK(f, UNWIND_COMPLETE, 0x110, 0x31f);
}

static void what_the_code_tells_counts_where_it_leads_to_a_call_of_this_function(void **state)
{
    struct fixture *f = *state;

    f->callees[2] = 3;
    WALK(f, UNWIND_NO_RULE, 0x110, 0x5677);
    f->callees[2] = 1;
    of_code = (struct cfi_row){0};
    WALK(f, UNWIND_NO_RULE, 0x110, 0x5677);
    of_code = frame_of(STACK_WORDS + 9); /* past what can be read */
    WALK(f, UNWIND_NO_RULE, 0x110, 0x5677);
    f->stack[1] = 0; /* a thread's start may be there */
    WALK(f, UNWIND_COMPLETE, 0x110);
}

static void a_frame_pointer_that_was_taken_for_something_else_is_where_the_code_stored_it(void **state)
{
    struct fixture *f = *state;

    if (REGISTERS_HAVE_LINK)
        skip();
    f->rows[1].cfa_register = REGISTERS_FP;
    f->rows[2] = frame_of(2);
    f->rows[2].cfa_register = REGISTERS_FP;
    f->registers.values[REGISTERS_FP] = 17;
    of_code.frame_rule = CFI_AT_CFA;
    of_code.frame_offset = -32;
    f->stack[0] = STACK_START + 72;
    f->stack[10] = 0x320;
    WALK(f, UNWIND_COMPLETE, 0x110, 0x21f, 0x31f);
}

static void registers_are_where_call_frame_information_has_them(void **state)
{
    struct fixture *f = *state;

    if (REGISTERS_HAVE_LINK)
        skip();
    f->rows[1].frame_rule = CFI_AT_CFA;
    f->rows[1].frame_offset = -16;
    f->rows[2] = frame_of(2);
    f->rows[2].cfa_register = REGISTERS_FP;
    of_code.frame_rule = CFI_SAME;
    f->stack[2] = STACK_START + 72;
    f->stack[10] = 0x320;
    WALK(f, UNWIND_COMPLETE, 0x110, 0x21f, 0x31f);
}

/* 2 has pushed, too, before it called 1. */
static void callers_are_left_so_as_well(void **state)
{
    struct fixture *f = *state;

    if (REGISTERS_HAVE_LINK)
        skip();
    f->registers.values[REGISTERS_IP] = 0x210;
    f->rows[2] = frame_of(1);
    f->rows[1] = frame_of(2);
    f->callees[1] = 2;
    f->callees[3] = 1;
    f->stack[0] = 0x120;
    f->stack[2] = 0x5678;
    f->stack[4] = 0x320;
    WALK(f, UNWIND_COMPLETE, 0x210, 0x11f, 0x31f);
    f->request.stack.length = 16; /* of what is past the copy nothing is known */
    WALK(f, UNWIND_UNREADABLE, 0x210, 0x11f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(the_code_tells_how_to_leave_a_function_whose_rule_leads_to_no_call),
        TEST(so_it_is_where_the_rule_leads_to_a_call_of_another_function),
        TEST(a_rule_that_leads_to_a_call_counts),
        TEST(what_the_code_tells_counts_where_it_leads_to_a_call_of_this_function),
        TEST(a_frame_pointer_that_was_taken_for_something_else_is_where_the_code_stored_it),
        TEST(registers_are_where_call_frame_information_has_them),
        TEST(callers_are_left_so_as_well),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
