#include "unwind_fixture.h"

#define TEST(name) cmocka_unit_test_setup_teardown(name, unwind_fixture_set_up, unwind_fixture_tear_down)

static void a_walk_ends_complete_where_the_return_address_is_undefined(void **state)
{
    struct fixture *f = *state;

    f->rows[1] = frame_of(2);
    f->rows[2] = frame_of(1);
    f->rows[3] = outermost();
    f->stack[1] = 0x220;
    f->stack[2] = 0x300; /* the call was the last instruction of what stands before 0x300 */
    f->rows[2].cfa_offset = 8;
    WALK(f, UNWIND_COMPLETE, 0x110, 0x21f, 0x2ff);
    f->stack[2] = 0x301;
    WALK(f, UNWIND_COMPLETE, 0x110, 0x21f, 0x300);
    assert_int_equal(f->unwinder.frames[0].cfa, STACK_START + 16);
    assert_int_equal(f->unwinder.frames[1].cfa, STACK_START + 24);
}

static void a_function_whose_address_was_pushed_by_hand_may_be_a_stacks_first(void **state)
{
    struct fixture *f = *state;

    /* 1 returns to the start of 3, which was not called from the end of 2. */
    f->rows[1] = frame_of(2);
    f->rows[2] = frame_of(9);
    f->rows[3] = frame_of(1);
    f->rows[4] = outermost();
    f->code_end = 0x500;
    f->before_entry = 0x2ff;
    f->request.is_call = unwind_fixture_is_call;
    f->callees[4] = 3;
    f->stack[1] = 0x300;
    f->stack[2] = 0x9999; /* no code: what makecontext(3) puts there is a context */
    WALK(f, UNWIND_COMPLETE, 0x110, 0x300);
    f->stack[2] = 0x420; /* or it has a caller after all */
    WALK(f, UNWIND_COMPLETE, 0x110, 0x300, 0x41f);
    f->callees[4] = 5; /* that calls another */
    WALK(f, UNWIND_COMPLETE, 0x110, 0x300);
    f->request.stack.length = 16;
    WALK(f, UNWIND_UNREADABLE, 0x110, 0x300);
}

static void whether_a_function_begins_is_asked_once_of_each_return_address(void **state)
{
    struct fixture *f = *state;

    f->rows[1] = frame_of(2);
    f->rows[2] = outermost();
    f->stack[1] = 0x210;
    WALK(f, UNWIND_COMPLETE, 0x110, 0x20f);
    assert_int_equal(unwind(&f->unwinder, &f->request), UNWIND_COMPLETE);
    assert_int_equal(f->entry_count, 1);
}

static void a_return_address_of_zero_ends_a_walk_too(void **state)
{
    struct fixture *f = *state;

    f->rows[1] = frame_of(2);
    WALK(f, UNWIND_COMPLETE, 0x110);
}

/* Where AArch64's _dl_runtime_resolve keeps it, behind two words that it leaves out of the CFA. */
static void a_callers_frame_begins_above_the_return_address(void **state)
{
    struct fixture *f = *state;

    f->rows[1] = frame_of(1);
    f->rows[1].return_offset = 8;
    f->rows[2] = frame_of(2);
    f->rows[3] = outermost();
    f->stack[2] = 0x220; /* CFA + 8: the caller's frame begins behind it */
    f->stack[3] = 0x220; /* what would be found if it began at the CFA */
    f->stack[4] = 0x320;
    WALK(f, UNWIND_COMPLETE, 0x110, 0x21f, 0x31f);
}

static void the_frame_pointer_is_followed_through_functions_that_save_it(void **state)
{
    struct fixture *f = *state;

    /* 1 saves the frame pointer; 2 has its frame by it. */
    f->rows[1] = frame_of(2);
    f->rows[1].frame_rule = CFI_AT_CFA;
    f->rows[1].frame_offset = -16;
    f->rows[2] = frame_of(2);
    f->rows[2].cfa_register = REGISTERS_FP;
    f->rows[3] = outermost();
    f->stack[0] = STACK_START + 80;
    f->stack[1] = 0x220;
    f->stack[11] = 0x320;
    WALK(f, UNWIND_COMPLETE, 0x110, 0x21f, 0x31f);
    f->rows[1].frame_rule = CFI_UNDEFINED;
    WALK(f, UNWIND_NO_RULE, 0x110, 0x21f);
}

static void a_frame_pointer_stored_below_the_stack_pointer_is_back_in_its_register(void **state)
{
    struct fixture *f = *state;

    /* 1 is at its return; 2 has its frame by the frame pointer. */
    f->rows[1] = frame_of(1);
    f->rows[1].frame_rule = CFI_AT_CFA;
    f->rows[1].frame_offset = -16;
    f->rows[2] = frame_of(2);
    f->rows[2].cfa_register = REGISTERS_FP;
    f->rows[3] = outermost();
    f->registers.values[REGISTERS_FP] = STACK_START + 80;
    f->stack[0] = 0x220;
    f->stack[11] = 0x320;
    WALK(f, UNWIND_COMPLETE, 0x110, 0x21f, 0x31f);
    f->registers.known = ~(UINT64_C(1) << REGISTERS_FP);
    WALK(f, UNWIND_NO_RULE, 0x110, 0x21f);
}

static void the_base_pointer_is_followed_too(void **state)
{
    struct fixture *f = *state;

    /* 1 saves the base pointer; 2 has its frame by it, as the dynamic loader's lazy binding has. */
    f->rows[1] = frame_of(2);
    f->rows[1].base_rule = CFI_AT_CFA;
    f->rows[1].base_offset = -16;
    f->rows[2] = frame_of(2);
    f->rows[2].cfa_register = REGISTERS_BP;
    f->rows[3] = outermost();
    f->stack[0] = STACK_START + 80;
    f->stack[1] = 0x220;
    f->stack[11] = 0x320;
    WALK(f, UNWIND_COMPLETE, 0x110, 0x21f, 0x31f);
    f->rows[1].base_rule = CFI_UNDEFINED;
    WALK(f, UNWIND_NO_RULE, 0x110, 0x21f);
}

/* DW_OP_breg of the stack pointer */
#if defined(__aarch64__)
#define BREG_SP "\x8f"
#else
#define BREG_SP "\x77"
#endif

/* BREG_SP: sp +, 0x71: register 1 +, 0x06: dereference, 0x23: plus, 0x12: dup, 0x22: add. */
static void expressions_are_computed(void **state)
{
    struct fixture *f = *state;

    f->section = SLICE("?\5" BREG_SP "\x08\6\x23\x10\4\x38\x1c\x23\0\2" BREG_SP "\0");
    f->rows[1] = frame_of(0);
    f->rows[1].cfa_rule = CFI_CFA_EXPRESSION; /* what is at sp + 8, plus 16 */
    f->rows[1].cfa_offset = 1;
    f->rows[1].return_rule = CFI_AT_EXPRESSION; /* at CFA - 8 + 0 */
    f->rows[1].return_offset = 7;
    f->rows[1].frame_rule = CFI_IS_EXPRESSION; /* sp of the callee */
    f->rows[1].frame_offset = 12;
    f->rows[2] = frame_of(8);
    f->rows[2].cfa_register = REGISTERS_FP;
    f->rows[3] = outermost();
    f->stack[1] = STACK_START + 16;
    f->stack[3] = 0x220;
    f->stack[7] = 0x320;
    WALK(f, UNWIND_COMPLETE, 0x110, 0x21f, 0x31f);
    assert_int_equal(f->unwinder.frames[0].cfa, STACK_START + 32);
    f->stack[1] = 0x9000;
    WALK(f, UNWIND_UNREADABLE, 0x110);
    f->rows[1].cfa_offset = 100;
    WALK(f, UNWIND_NO_RULE, 0x110);
}

static void other_registers_are_known_of_the_innermost_frame_alone(void **state)
{
    struct fixture *f = *state;

    f->rows[1] = frame_of(1);
    f->rows[1].cfa_register = 2;
    f->registers.values[2] = STACK_START + 8;
    f->stack[1] = 0x120;
    WALK(f, UNWIND_NO_RULE, 0x110, 0x11f);
    f->registers.known = 0;
    WALK(f, UNWIND_NO_RULE, 0x110);
}

static void unless_they_lead_from_a_later_one_to_its_caller(void **state)
{
    struct fixture *f = *state;

    f->code_end = 0x500;
    f->rows[1] = frame_of(1);
    f->rows[2] = frame_of(1);
    f->rows[2].cfa_register = 2;
    f->rows[3] = outermost();
    f->registers.values[2] = STACK_START + 32;
    f->stack[0] = 0x220;
    f->stack[4] = 0x320;
    WALK(f, UNWIND_NO_RULE, 0x110, 0x21f); /* nothing tells calls */
    f->request.is_call = unwind_fixture_is_call;
    f->callees[2] = 1;
    WALK(f, UNWIND_NO_RULE, 0x110, 0x21f);
    f->callees[3] = 2;
    WALK(f, UNWIND_COMPLETE, 0x110, 0x21f, 0x31f);
    f->registers.values[2] = STACK_START - 8; /* down the stack */
    WALK(f, UNWIND_NO_RULE, 0x110, 0x21f);
    f->registers.values[2] = STACK_START + 32;
    f->registers.known = ~(UINT64_C(1) << 2);
    WALK(f, UNWIND_NO_RULE, 0x110, 0x21f);
}

static void what_is_kept_in_the_red_zone_is_found_where_it_was_kept_first(void **state)
{
    struct fixture *f = *state;

    f->section = SLICE("?\5" BREG_SP "\x78\6\x23\x08"); /* what is at sp - 8, plus 8 */
    f->code_end = 0x500;
    f->rows[1] = frame_of(0);
    f->rows[1].cfa_rule = CFI_CFA_EXPRESSION;
    f->rows[1].cfa_offset = 1;
    f->rows[2] = outermost();
    f->stack[3] = STACK_START + 8;     /* down the stack */
    f->stack[4] = STACK_START + 8 * 7; /* to no return address */
    f->stack[5] = STACK_START + 8 * 9;
    f->stack[9] = 0x220;
    WALK(f, UNWIND_UNREADABLE, 0x110); /* nothing tells calls */
    f->request.is_call = unwind_fixture_is_call;
    WALK(f, UNWIND_UNREADABLE, 0x110);
    f->callees[2] = 1;
    WALK(f, UNWIND_COMPLETE, 0x110, 0x21f);
    assert_int_equal(f->unwinder.frames[0].cfa, STACK_START + 80);
    f->stack[5]++;
    WALK(f, UNWIND_UNREADABLE, 0x110);
    f->stack[5]--;
    f->section = SLICE("?\6" BREG_SP "\xf0\x7e\6\x23\x08"); /* at sp - 144, which is none of it */
    WALK(f, UNWIND_UNREADABLE, 0x110);
}

static void a_register_number_that_is_none_is_no_rule(void **state)
{
    struct fixture *f = *state;

    f->rows[1] = frame_of(1);
    f->rows[1].cfa_register = 255;
    WALK(f, UNWIND_NO_RULE, 0x110);
    f->rows[1] = frame_of(1);
    f->rows[1].return_rule = CFI_IN_REGISTER;
    f->rows[1].return_offset = -1;
    WALK(f, UNWIND_NO_RULE, 0x110);
}

static void a_return_address_may_still_be_in_its_register(void **state)
{
    struct fixture *f = *state;

    f->rows[1] = frame_of(0);
    f->rows[1].return_rule = CFI_IN_REGISTER;
    f->rows[1].return_offset = 3;
    f->rows[2] = outermost();
    f->registers.values[3] = 0x220;
    WALK(f, UNWIND_COMPLETE, 0x110, 0x21f);
}

static void an_address_without_rule_ends_the_walk(void **state)
{
    struct fixture *f = *state;

    f->rows[1] = frame_of(1);
    f->stack[0] = 0xabcde;
    WALK(f, UNWIND_NO_RULE, 0x110, 0xabcdd);
    assert_int_equal(f->unwinder.frames[1].cfa, 0);
    f->rows[1].cfa_rule = CFI_CFA_OTHER;
    WALK(f, UNWIND_NO_RULE, 0x110);
    f->rows[1] = frame_of(1);
    f->rows[1].return_rule = CFI_OTHER;
    WALK(f, UNWIND_NO_RULE, 0x110);
}

static void what_lies_past_the_copy_is_asked_of_the_caller(void **state)
{
    struct fixture *f = *state;

    f->rows[1] = frame_of((0x9008 - STACK_START) / 8);
    f->rows[2] = outermost();
    WALK(f, UNWIND_UNREADABLE, 0x110);
    f->request.read = unwind_fixture_read;
    WALK(f, UNWIND_UNREADABLE, 0x110);
    f->outside = 0x220;
    WALK(f, UNWIND_COMPLETE, 0x110, 0x21f);
}

static void the_last_word_of_the_copy_is_read_and_none_past_it(void **state)
{
    struct fixture *f = *state;

    f->rows[1] = frame_of(STACK_WORDS);
    f->rows[2] = outermost();
    f->stack[STACK_WORDS - 1] = 0x220;
    WALK(f, UNWIND_COMPLETE, 0x110, 0x21f);
    f->rows[1].cfa_offset++;
    WALK(f, UNWIND_UNREADABLE, 0x110);
    f->request.stack.length = 7;
    f->rows[1] = frame_of(1);
    WALK(f, UNWIND_UNREADABLE, 0x110);
    f->request.stack = (struct slice){0};
    WALK(f, UNWIND_UNREADABLE, 0x110);
}

static void a_frame_below_its_callee_is_bad(void **state)
{
    struct fixture *f = *state;

    f->rows[1] = frame_of(2);
    f->rows[2] = frame_of(0);
    f->rows[2].return_offset = 0;
    f->stack[1] = 0x220;
    f->stack[2] = 0x220;
    WALK(f, UNWIND_BAD, 0x110, 0x21f);
    f->rows[2].cfa_offset = -8;
    WALK(f, UNWIND_BAD, 0x110, 0x21f);
}

static void an_address_that_no_program_has_is_bad(void **state)
{
    struct fixture *f = *state;

    f->rows[1] = frame_of(1);
    f->stack[0] = UINT64_C(0xffff800000001234);
    WALK(f, UNWIND_BAD, 0x110);
}

static void the_plt_pushes_half_way_through_an_entry(void **state)
{
    struct fixture *f = *state;

    f->rows[1] = (struct cfi_row){.cfa_rule = CFI_CFA_PLT,
                                  .cfa_register = 11,
                                  .cfa_offset = 8,
                                  .return_rule = CFI_AT_CFA,
                                  .return_offset = -8,
                                  .frame_rule = CFI_SAME};
    f->rows[2] = outermost();
    f->rows[3] = outermost();
    f->stack[0] = 0x220;
    f->stack[1] = 0x320;
    f->registers.values[REGISTERS_IP] = 0x10a;
    WALK(f, UNWIND_COMPLETE, 0x10a, 0x21f);
    f->registers.values[REGISTERS_IP] = 0x10b;
    WALK(f, UNWIND_COMPLETE, 0x10b, 0x31f);
}

static void a_signed_return_address_is_stripped(void **state)
{
    struct fixture *f = *state;

    f->rows[1] = frame_of(1);
    f->rows[1].has_signed_return_address = 1;
    f->rows[2] = outermost();
    f->stack[0] = UINT64_C(0x00b3000000000220);
    WALK(f, UNWIND_COMPLETE, 0x110, 0x21f);
}

static void a_rule_is_asked_for_once_in_a_generation(void **state)
{
    struct fixture *f = *state;

    f->rows[1] = frame_of(1);
    f->rows[2] = outermost();
    f->stack[0] = 0x220;
    WALK(f, UNWIND_COMPLETE, 0x110, 0x21f);
    assert_int_equal(f->find_count, 2);
    assert_int_equal(unwind(&f->unwinder, &f->request), UNWIND_COMPLETE);
    assert_int_equal(f->find_count, 2);
    assert_int_equal(f->unwinder.frame_count, 2);
    f->rows[1] = outermost();
    WALK(f, UNWIND_COMPLETE, 0x110);
    assert_int_equal(f->find_count, 3);
}

static void rules_of_other_generations_are_never_taken(void **state)
{
    enum { GENERATIONS = 30000 }; /* more than the cache has places */
    struct fixture *f = *state;

    f->rows[2] = outermost();
    f->stack[0] = 0x220;
    for (int i = 0; i < GENERATIONS; i++) {
        bool is_short = i / 3 % 2 == 0;

        f->rows[1] = is_short ? outermost() : frame_of(1);
        f->request.generation++;
        assert_int_equal(unwind(&f->unwinder, &f->request), UNWIND_COMPLETE);
        assert_int_equal(f->unwinder.frame_count, is_short ? 1 : 2);
    }
}

static bool read_anything(void *context, uint64_t address, uint64_t *out)
{
    (void)context;
    (void)address;
    *out = 0x120;
    return true;
}

static void a_stack_without_end_is_cut(void **state)
{
    struct fixture *f = *state;

    f->rows[1] = frame_of(1);
    f->request.read = read_anything;
    f->request.stack = (struct slice){0};
    assert_int_equal(unwind(&f->unwinder, &f->request), UNWIND_DEEP);
    assert_int_equal(f->unwinder.frame_count, UNWIND_MOST_FRAMES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_walk_ends_complete_where_the_return_address_is_undefined),
        TEST(a_function_whose_address_was_pushed_by_hand_may_be_a_stacks_first),
        TEST(whether_a_function_begins_is_asked_once_of_each_return_address),
        TEST(a_return_address_of_zero_ends_a_walk_too),
        TEST(a_callers_frame_begins_above_the_return_address),
        TEST(the_frame_pointer_is_followed_through_functions_that_save_it),
        TEST(a_frame_pointer_stored_below_the_stack_pointer_is_back_in_its_register),
        TEST(the_base_pointer_is_followed_too),
        TEST(expressions_are_computed),
        TEST(other_registers_are_known_of_the_innermost_frame_alone),
        TEST(unless_they_lead_from_a_later_one_to_its_caller),
        TEST(what_is_kept_in_the_red_zone_is_found_where_it_was_kept_first),
        TEST(a_register_number_that_is_none_is_no_rule),
        TEST(a_return_address_may_still_be_in_its_register),
        TEST(an_address_without_rule_ends_the_walk),
        TEST(what_lies_past_the_copy_is_asked_of_the_caller),
        TEST(the_last_word_of_the_copy_is_read_and_none_past_it),
        TEST(a_frame_below_its_callee_is_bad),
        TEST(an_address_that_no_program_has_is_bad),
        TEST(the_plt_pushes_half_way_through_an_entry),
        TEST(a_signed_return_address_is_stripped),
        TEST(a_rule_is_asked_for_once_in_a_generation),
        TEST(rules_of_other_generations_are_never_taken),
        TEST(a_stack_without_end_is_cut),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
