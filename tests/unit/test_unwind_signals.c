#include "unwind_fixture.h"

#define TEST(name) cmocka_unit_test_setup_teardown(name, unwind_fixture_set_up, unwind_fixture_tear_down)

/* The kernel's frame: the stack pointer, address and frame pointer of what was interrupted. */
static struct cfi_row signal_frame(void)
{
    return (struct cfi_row){.cfa_rule = CFI_CFA_MEMORY,
                            .cfa_register = REGISTERS_SP,
                            .cfa_offset = 16,
                            .return_rule = CFI_AT_BASE,
                            .return_offset = 24,
                            .frame_rule = CFI_AT_BASE,
                            .frame_offset = 32,
                            .is_signal_frame = 1};
}

static void a_signal_frame_leads_to_the_very_instruction_on_any_stack(void **state)
{
    struct fixture *f = *state;

    f->rows[1] = frame_of(1);
    f->rows[2] = signal_frame();
    f->rows[3] = frame_of(1);
    f->rows[4] = outermost();
    f->stack[4] = 0x201;
    f->request.registers = &f->registers;
    f->registers.values[REGISTERS_SP] = STACK_START + 32;
    f->stack[5 + 2] = STACK_START + 8; /* below: another stack */
    f->stack[5 + 3] = 0x300;
    f->stack[1] = 0x401;
    WALK(f, UNWIND_COMPLETE, 0x110, 0x200, 0x300, 0x400);
}

static void a_stack_that_the_copy_is_not_of_ends_the_walk_and_is_told(void **state)
{
    struct fixture *f = *state;
    static const uint64_t places[] = {STACK_START - 64, STACK_START + 8 * STACK_WORDS, 0x10000000};

    f->rows[1] = frame_of(1);
    f->rows[2] = signal_frame();
    f->rows[3] = frame_of(1);
    f->stack[0] = 0x201;
    f->stack[1 + 3] = 0x300;
    for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
        f->stack[1 + 2] = places[i];
        WALK(f, UNWIND_OTHER_STACK, 0x110, 0x200, 0x300);
    }
    f->stack[1 + 2] = STACK_START + 8 * STACK_WORDS - 4; /* the copy's own stack, past its end */
    WALK(f, UNWIND_UNREADABLE, 0x110, 0x200, 0x300);
}

static void a_stack_that_the_copy_is_not_of_is_told_where_code_without_a_rule_was_interrupted(void **state)
{
    struct fixture *f = *state;

    f->rows[1] = frame_of(1);
    f->rows[2] = signal_frame();
    f->stack[0] = 0x201;
    f->stack[1 + 3] = 0x300;
    f->stack[1 + 2] = STACK_START - 64;
    WALK(f, UNWIND_OTHER_STACK, 0x110, 0x200, 0x300);
    f->stack[1 + 2] = STACK_START + 64;
    WALK(f, UNWIND_NO_RULE, 0x110, 0x200, 0x300);
}

static void what_a_handler_returns_to_is_named_by_the_return_address(void **state)
{
    struct fixture *f = *state;

    f->rows[1] = frame_of(1);
    f->rows[2] = signal_frame();
    f->rows[4] = outermost();
    f->stack[0] = 0x300; /* the function's first instruction: what stands before it is another */
    f->stack[1 + 2] = STACK_START + 80;
    f->stack[1 + 3] = 0x400;
    f->request.generation++;
    assert_int_equal(unwind(&f->unwinder, &f->request), UNWIND_COMPLETE);
    assert_int_equal(f->unwinder.frame_count, 3);
    assert_int_equal(f->unwinder.frames[1].place, 3);
    assert_int_equal(f->unwinder.frames[2].address, 0x400);
}

/* AArch64's way: the return address is in a register until it is stored, if it ever is. */
static struct cfi_row leaf(void)
{
    return (struct cfi_row){
        .cfa_rule = CFI_CFA_REGISTER, .cfa_register = REGISTERS_SP, .return_rule = CFI_SAME};
}

static void what_a_signal_interrupts_may_have_its_return_address_in_a_register(void **state)
{
    struct fixture *f = *state;

    f->rows[1] = frame_of(1);
    f->rows[2] = signal_frame();
    f->rows[3] = leaf();
    f->rows[4] = frame_of(1);
    f->rows[5] = outermost();
    f->stack[0] = 0x201;
    f->stack[1 + 2] = STACK_START + 80; /* where the leaf's caller has its frame, too */
    f->stack[1 + 3] = 0x310;
    f->stack[1 + 5] = 0x420; /* behind the frame pointer */
    f->stack[10] = 0x520;
    WALK(f, UNWIND_COMPLETE, 0x110, 0x200, 0x310, 0x41f, 0x51f);
    WALK(f, UNWIND_COMPLETE, 0x110, 0x200, 0x310, 0x41f, 0x51f);
    f->rows[3].has_signed_return_address = 1;
    f->stack[1 + 5] = UINT64_C(0x5a12000000000420);
    WALK(f, UNWIND_COMPLETE, 0x110, 0x200, 0x310, 0x41f, 0x51f);
    f->rows[4] = leaf(); /* whose caller's is not known */
    WALK(f, UNWIND_NO_RULE, 0x110, 0x200, 0x310, 0x41f);
}

static void what_has_no_rule_is_left_by_the_link_register_where_it_leads_to_code_that_has_one(void **state)
{
    struct fixture *f = *state;

    f->rows[1] = frame_of(1);
    f->rows[2] = signal_frame();
    f->rows[4] = frame_of(2);
    f->rows[4].cfa_register = REGISTERS_FP;
    f->rows[5] = outermost();
    f->code_end = 0x600;
    f->stack[0] = 0x201;
    f->stack[1 + 2] = STACK_START + 80;
    f->stack[1 + 3] = 0x310;
    f->stack[1 + 4] = STACK_START + 160;
    f->stack[1 + 5] = UINT64_C(0x5a12000000000420); /* signed */
    f->stack[21] = 0x520;
    WALK(f, UNWIND_COMPLETE, 0x110, 0x200, 0x310, 0x41f, 0x51f);
    f->rows[4].cfa_register = REGISTERS_SP; /* nothing tells whether the first has moved it, */
    f->stack[11] = 0x520;
    WALK(f, UNWIND_NO_RULE, 0x110, 0x200, 0x310, 0x41f);
    f->request.is_call = unwind_fixture_is_call; /* but the frame pointer where a frame is, if so */
    f->callees[4] = 3;
    f->callees[5] = 4;
    f->rows[4].frame_rule = CFI_AT_CFA;
    f->rows[4].frame_offset = -16;
    if (REGISTERS_HAVE_LINK)
        WALK(f, UNWIND_COMPLETE, 0x110, 0x200, 0x310, 0x41f, 0x51f);
    else /* where it is a register like others, that tells nothing */
        WALK(f, UNWIND_NO_RULE, 0x110, 0x200, 0x310, 0x41f);
    f->callees[5] = 6;
    WALK(f, UNWIND_NO_RULE, 0x110, 0x200, 0x310, 0x41f);
    f->stack[1 + 5] = 0x320; /* it has made calls itself */
    WALK(f, UNWIND_NO_RULE, 0x110, 0x200, 0x310);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_signal_frame_leads_to_the_very_instruction_on_any_stack),
        TEST(a_stack_that_the_copy_is_not_of_ends_the_walk_and_is_told),
        TEST(a_stack_that_the_copy_is_not_of_is_told_where_code_without_a_rule_was_interrupted),
        TEST(what_a_handler_returns_to_is_named_by_the_return_address),
        TEST(what_a_signal_interrupts_may_have_its_return_address_in_a_register),
        TEST(what_has_no_rule_is_left_by_the_link_register_where_it_leads_to_code_that_has_one),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
