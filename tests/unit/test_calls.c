#include "cmocka_all.h"

#include "code/calls.h"

enum { START = 0x1000 };

static struct call_target target(struct slice bytes, uint64_t return_offset)
{
    struct code_bytes function = {bytes, START};
    struct call_target found;
    struct error err = {0};

    assert_int_equal(calls_target(&function, START + return_offset, &found, &err), 0);
    return found;
}

static enum calls_jumps jumps(struct slice bytes)
{
    struct code_bytes function = {bytes, START};
    struct error err = {0};
    enum calls_jumps found = CALLS_JUMPS_WITHIN;

    assert_int_equal(calls_find_jumps(&function, &found, &err), 0);
    return found;
}

static bool may_jump_out(struct slice bytes)
{
    return jumps(bytes) != CALLS_JUMPS_WITHIN;
}

/* push rbx; call START + 0x106; nop */
#define DIRECT "\x53\xe8\x00\x01\x00\x00\x90"

static void the_target_of_a_direct_call_is_in_the_instruction(void **state)
{
    struct call_target found = target(SLICE(DIRECT), 6);

    (void)state;
    assert_int_equal(found.kind, CALL_DIRECT);
    assert_int_equal(found.svma, START + 0x106);
}

static void the_target_of_a_call_through_a_table_is_behind_an_address(void **state)
{
    /* nop; call *-0x10(%rip) */
    struct call_target found = target(SLICE("\x90\xff\x15\xf0\xff\xff\xff"), 7);

    (void)state;
    assert_int_equal(found.kind, CALL_THROUGH);
    assert_int_equal(found.svma, START + 7 - 0x10);
}

static void other_calls_and_what_is_no_call_have_no_known_target(void **state)
{
    (void)state;
    assert_int_equal(target(SLICE("\xff\xd0"), 2).kind, CALL_NOT_KNOWN);             /* call *%rax */
    assert_int_equal(target(SLICE("\xff\x50\x08"), 3).kind, CALL_NOT_KNOWN);         /* call *8(%rax) */
    assert_int_equal(target(SLICE(DIRECT), 1).kind, CALL_NOT_KNOWN);                 /* behind the push */
    assert_int_equal(target(SLICE(DIRECT), 7).kind, CALL_NOT_KNOWN);                 /* behind the nop */
    assert_int_equal(target(SLICE(DIRECT), 4).kind, CALL_NOT_KNOWN);                 /* within the call */
    assert_int_equal(target(SLICE(DIRECT), 8).kind, CALL_NOT_KNOWN);                 /* past the end */
    assert_int_equal(target(SLICE("\xe9\x00\x01\x00\x00"), 5).kind, CALL_NOT_KNOWN); /* a jump */
    assert_int_equal(target(SLICE(""), 0).kind, CALL_NOT_KNOWN);
}

/* mov $0xe8, %eax; the last bytes are not taken for a call: B8 E8 00 00 00 */
static void numbers_within_instructions_are_no_calls(void **state)
{
    (void)state;
    assert_int_equal(target(SLICE("\x90\xb8\xe8\x00\x00\x00\x90"), 7).kind, CALL_NOT_KNOWN);
}

/* An instruction of vectors stands before: vpternlogd, EVEX. */
static void calls_behind_vector_instructions_are_found(void **state)
{
    struct call_target found = target(SLICE("\x62\xf3\x7d\x48\x25\xc1\xff\xe8\x00\x00\x00\x00"), 12);

    (void)state;
    assert_int_equal(found.kind, CALL_DIRECT);
    assert_int_equal(found.svma, START + 12);
}

static void a_function_with_its_own_jumps_alone_does_not_jump_out(void **state)
{
    (void)state;
    /* 0: dec eax; jne 0; jmp 7; nop; 7: ret */
    assert_false(may_jump_out(SLICE("\xff\xc8\x75\xfc\xeb\x01\x90\xc3")));
    assert_false(may_jump_out(SLICE(DIRECT "\xc3")));
    assert_false(may_jump_out(SLICE("\xc3")));
}

static void jumps_to_elsewhere_and_through_registers_may_jump_out(void **state)
{
    (void)state;
    assert_true(may_jump_out(SLICE("\xe9\x00\x01\x00\x00")));     /* jmp START + 0x105 */
    assert_true(may_jump_out(SLICE("\x75\xf0\xc3")));             /* jne before the start */
    assert_true(may_jump_out(SLICE("\x74\x01\xc3")));             /* je just behind the end */
    assert_true(may_jump_out(SLICE("\xff\xe0")));                 /* jmp *%rax */
    assert_true(may_jump_out(SLICE("\xff\x25\x00\x00\x00\x00"))); /* jmp *(%rip) */
}

/* lea (%rip), %rcx */
#define LEA "\x48\x8d\x0d\x00\x00\x00\x00"
/* movslq (%rcx,%rax,4), %rax */
#define LOAD "\x48\x63\x04\x81"
/* add %rcx, %rax */
#define ADD "\x48\x01\xc8"
/* jmp *%rax */
#define JUMP "\xff\xe0"

static void a_table_of_distances_is_of_a_switch(void **state)
{
    (void)state;
    assert_int_equal(jumps(SLICE(LEA LOAD ADD JUMP)), CALLS_JUMPS_BY_TABLE);
    assert_int_equal(jumps(SLICE(LEA LOAD ADD "\x3e\xff\xe0")), CALLS_JUMPS_BY_TABLE);     /* notrack */
    assert_int_equal(jumps(SLICE(LEA LOAD "\x48\x01\xc1\xff\xe1")), CALLS_JUMPS_BY_TABLE); /* to rcx */
    assert_int_equal(jumps(SLICE(LEA LOAD ADD JUMP "\xe9\x00\x01\x00\x00")), CALLS_JUMPS_OUT);
}

static void other_jumps_through_registers_are_not(void **state)
{
    (void)state;
    assert_int_equal(jumps(SLICE(LEA LOAD JUMP)), CALLS_JUMPS_OUT);
    assert_int_equal(jumps(SLICE(LEA ADD JUMP)), CALLS_JUMPS_OUT);
    assert_int_equal(jumps(SLICE(LEA LOAD ADD "\x5b" JUMP)), CALLS_JUMPS_OUT); /* pop %rbx: it leaves */
    assert_int_equal(jumps(SLICE(LEA LOAD "\x90" ADD JUMP)), CALLS_JUMPS_OUT);
    assert_int_equal(jumps(SLICE(LEA LOAD ADD "\xff\xe1")), CALLS_JUMPS_OUT);         /* jmp *%rcx */
    assert_int_equal(jumps(SLICE(LEA LOAD ADD "\xff\x20")), CALLS_JUMPS_OUT);         /* jmp *(%rax) */
    assert_int_equal(jumps(SLICE(LEA LOAD "\x48\x01\xd0" JUMP)), CALLS_JUMPS_OUT);    /* add %rdx, %rax */
    assert_int_equal(jumps(SLICE("\x48\x63\x04\xc1" ADD JUMP)), CALLS_JUMPS_OUT);     /* of 8 bytes */
    assert_int_equal(jumps(SLICE("\x48\x63\x44\x81\x04" ADD JUMP)), CALLS_JUMPS_OUT); /* 4(%rcx,%rax,4) */
    assert_int_equal(jumps(SLICE("\x48\x8b\x04\x81" ADD JUMP)), CALLS_JUMPS_OUT);     /* mov */
}

static void so_do_returns_to_an_address_that_was_put_there(void **state)
{
    (void)state;
    assert_true(may_jump_out(SLICE("\x50\xc3")));                      /* push %rax; ret */
    assert_true(may_jump_out(SLICE("\x4c\x89\x1c\x24\xc3")));          /* mov %r11, (%rsp); ret */
    assert_false(may_jump_out(SLICE("\x50\x58\xc3")));                 /* push %rax; pop %rax; ret */
    assert_false(may_jump_out(SLICE("\x48\x89\x04\x24\x58\xc3")));     /* mov %rax, (%rsp); pop %rax; ret */
    assert_true(may_jump_out(SLICE("\xe8\x01\x00\x00\x00\x90\xc3")));  /* call the ret */
    assert_false(may_jump_out(SLICE("\x90\xe8\xfa\xff\xff\xff\xc3"))); /* call START */
}

static void what_comes_to_its_end_goes_on_behind_it(void **state)
{
    (void)state;
    assert_true(may_jump_out(SLICE("\x90")));
    assert_true(may_jump_out(SLICE("\xc3\x75\xfd"))); /* ret; jne to it */
    assert_true(may_jump_out(SLICE("")));
    assert_false(may_jump_out(SLICE("\xe8\x00\x00\x00\x00"))); /* of what does not return */
    assert_false(may_jump_out(SLICE("\x0f\x0b")));
    assert_false(may_jump_out(SLICE("\xf4")));
    assert_false(may_jump_out(SLICE("\xcc")));
    assert_false(may_jump_out(SLICE("\x90\xeb\xfd"))); /* jmp START */
}

/* Bytes that look like a jump out are taken for one; those of one to within, or to very far, are not. */
static void what_looks_like_a_jump_out_may_be_one(void **state)
{
    (void)state;
    assert_true(may_jump_out(SLICE("\x0f\x84\x00\x01\x00\x00\xc3")));                 /* je START + 0x106 */
    assert_true(may_jump_out(SLICE("\x48\xb8\xe9\x00\x01\x00\x00\x00\x00\x00\xc3"))); /* a number */
    assert_false(may_jump_out(SLICE("\x48\xb8\xe9\x01\x00\x00\x00\x00\x00\x00\xc3")));
    assert_false(may_jump_out(SLICE("\x48\xb8\xe9\x01\x00\x00\x70\x00\x00\x00\xc3")));
    assert_false(may_jump_out(SLICE("\xb8\x00\x00\x00\xe9\xc3")));         /* no distance is behind it */
    assert_false(may_jump_out(SLICE("\x0f\x1f\x80\x00\x01\x00\x00\xc3"))); /* a nop */
}

static void code_that_is_not_known_may_jump_anywhere(void **state)
{
    (void)state;
    assert_true(may_jump_out(SLICE("\x06\xc3"))); /* push %es, which is none in 64 bits */
    assert_true(may_jump_out(SLICE("\xe8\x00\x00")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_target_of_a_direct_call_is_in_the_instruction),
        cmocka_unit_test(the_target_of_a_call_through_a_table_is_behind_an_address),
        cmocka_unit_test(other_calls_and_what_is_no_call_have_no_known_target),
        cmocka_unit_test(numbers_within_instructions_are_no_calls),
        cmocka_unit_test(calls_behind_vector_instructions_are_found),
        cmocka_unit_test(a_function_with_its_own_jumps_alone_does_not_jump_out),
        cmocka_unit_test(jumps_to_elsewhere_and_through_registers_may_jump_out),
        cmocka_unit_test(a_table_of_distances_is_of_a_switch),
        cmocka_unit_test(other_jumps_through_registers_are_not),
        cmocka_unit_test(so_do_returns_to_an_address_that_was_put_there),
        cmocka_unit_test(what_comes_to_its_end_goes_on_behind_it),
        cmocka_unit_test(what_looks_like_a_jump_out_may_be_one),
        cmocka_unit_test(code_that_is_not_known_may_jump_anywhere),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
