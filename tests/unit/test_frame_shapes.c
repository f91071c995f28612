#include "frame_shapes_fixture.h"

static void pushes_and_a_frame_pointer_are_followed(void **state)
{
    struct fixture *f = *state;

    read_code(f, SLICE("\x41\x57"                     /*  0 push r15 */
                       "\x53"                         /*  2 push rbx */
                       "\x55"                         /*  3 push rbp */
                       "\x48\x89\xe5"                 /*  4 mov rbp, rsp */
                       "\x48\x81\xec\x90\x00\x00\x00" /*  7 sub rsp, 144 */
                       "\x48\x83\xe4\xc0"             /*  e and rsp, -64 */
                       "\xc5\xf8\x77"                 /* 12 vzeroupper */
                       "\x48\x89\xec"                 /* 15 mov rsp, rbp */
                       "\x5d"                         /* 18 pop rbp */
                       "\x5b"                         /* 19 pop rbx */
                       "\x41\x5f"                     /* 1a pop r15 */
                       "\xc3"));                      /* 1c ret */
    ASSERT_SHAPE(0x0, "rsp+8");
    ASSERT_SHAPE(0x1, "rsp+8");
    ASSERT_SHAPE(0x2, "rsp+16");
    ASSERT_SHAPE(0x3, "rsp+24 rbx@-24");
    ASSERT_SHAPE(0x4, "rsp+32 rbp@-32 rbx@-24");
    ASSERT_SHAPE(0x7, "rbp+32 rbp@-32 rbx@-24");
    ASSERT_SHAPE(0x12, "rbp+32 rbp@-32 rbx@-24");
    ASSERT_SHAPE(0x18, "rbp+32 rbp@-32 rbx@-24");
    ASSERT_SHAPE(0x19, "rsp+24 rbx@-24");
    ASSERT_SHAPE(0x1a, "rsp+16");
    ASSERT_SHAPE(0x1c, "rsp+8");
}

static void code_behind_a_return_is_as_where_a_jump_to_it_stands(void **state)
{
    struct fixture *f = *state;

    read_code(f, SLICE("\x48\x83\xec\x18" /*  0 sub rsp, 24 */
                       "\x85\xff"         /*  4 test edi, edi */
                       "\x74\x05"         /*  6 je d */
                       "\x48\x83\xc4\x18" /*  8 add rsp, 24 */
                       "\xc3"             /*  c ret */
                       "\x90"             /*  d nop */
                       "\x48\x83\xc4\x18" /*  e add rsp, 24 */
                       "\xc3"             /* 12 ret */
                       "\x90"));          /* 13 nop */
    ASSERT_SHAPE(0x8, "rsp+32");
    ASSERT_SHAPE(0xc, "rsp+8");
    ASSERT_SHAPE(0xd, "rsp+32");
    ASSERT_SHAPE(0x12, "rsp+8");
    ASSERT_SHAPE(0x13, "?");
}

static void so_is_code_that_is_reached_by_jumping_back(void **state)
{
    struct fixture *f = *state;

    read_code(f, SLICE("\x53"     /* 0 push rbx */
                       "\xeb\x01" /* 1 jmp 4 */
                       "\x90"     /* 3 nop */
                       "\xff\xcf" /* 4 dec edi */
                       "\x75\xfb" /* 6 jne 3 */
                       "\x5b"     /* 8 pop rbx */
                       "\xc3"));  /* 9 ret */
    ASSERT_SHAPE(0x3, "rsp+16 rbx@-16");
    ASSERT_SHAPE(0x4, "rsp+16 rbx@-16");
    ASSERT_SHAPE(0x9, "rsp+8");
}

static void where_a_table_leads_is_as_where_it_is_used(void **state)
{
    struct fixture *f = *state;

    read_code(f, SLICE("\x48\x83\xec\x08" /* 0 sub rsp, 8 */
                       "\xff\xe0"         /* 4 jmp rax */
                       "\x90\x90"));      /* 6 nop; nop */
    ASSERT_SHAPE(0x4, "rsp+16");
    ASSERT_SHAPE(0x6, "rsp+16");
    ASSERT_SHAPE(0x7, "rsp+16");
}

static void a_jump_that_leaves_the_function_tells_nothing_of_what_follows(void **state)
{
    struct fixture *f = *state;

    read_code(f, SLICE("\x85\xff" /* 0 test edi, edi */
                       "\xff\xe0" /* 2 jmp rax */
                       "\x90"));  /* 4 nop */
    ASSERT_SHAPE(0x2, "rsp+8");
    ASSERT_SHAPE(0x4, "?");
}

static void behind_a_call_that_may_not_return_a_jump_tells_more(void **state)
{
    struct fixture *f = *state;

    read_code(f, SLICE("\x53"                 /* 0 push rbx */
                       "\x85\xff"             /* 1 test edi, edi */
                       "\x74\x06"             /* 3 je b */
                       "\x51"                 /* 5 push rcx */
                       "\xe8\x04\x00\x00\x00" /* 6 call f */
                       "\x90"                 /* b nop */
                       "\x5b"                 /* c pop rbx */
                       "\xc3"                 /* d ret */
                       "\x90"                 /* e nop */
                       "\xc3"));              /* f ret */
    ASSERT_SHAPE(0x6, "rsp+24 rbx@-16");
    ASSERT_SHAPE(0xb, "rsp+16 rbx@-16");
    ASSERT_SHAPE(0xd, "rsp+8");
}

static void a_frame_of_changing_size_is_known_by_its_frame_pointer(void **state)
{
    struct fixture *f = *state;

    read_code(f, SLICE("\x55"         /* 0 push rbp */
                       "\x48\x89\xe5" /* 1 mov rbp, rsp */
                       "\x48\x29\xc4" /* 4 sub rsp, rax */
                       "\xc9"         /* 7 leave */
                       "\xc3"));      /* 8 ret */
    ASSERT_SHAPE(0x7, "rbp+16 rbp@-16");
    ASSERT_SHAPE(0x8, "rsp+8");
}

static void addresses_computed_from_either_register_are_followed(void **state)
{
    struct fixture *f = *state;

    read_code(f, SLICE("\x55"                 /*  0 push rbp */
                       "\x48\x8d\x6c\x24\xf8" /*  1 lea rbp, [rsp - 8] */
                       "\x48\x8d\x64\x24\xe0" /*  6 lea rsp, [rsp - 32] */
                       "\x90"                 /*  b nop */
                       "\x48\x8d\x65\x08"     /*  c lea rsp, [rbp + 8] */
                       "\x5d"                 /* 10 pop rbp */
                       "\xc3"));              /* 11 ret */
    ASSERT_SHAPE(0xb, "rbp+24 rbp@-16");
    ASSERT_SHAPE(0x11, "rsp+8");
}

static void registers_stored_by_moves_are_found_and_given_back(void **state)
{
    struct fixture *f = *state;

    read_code(f, SLICE("\x48\x83\xec\x18"     /*  0 sub rsp, 24 */
                       "\x48\x89\x6c\x24\x08" /*  4 mov [rsp + 8], rbp */
                       "\x48\x89\x1c\x24"     /*  9 mov [rsp], rbx */
                       "\x31\xed"             /*  d xor ebp, ebp */
                       "\x48\x8b\x6c\x24\x08" /*  f mov rbp, [rsp + 8] */
                       "\xb3\x01"             /* 14 mov bl, 1 */
                       "\xc3"));              /* 16 ret */
    ASSERT_SHAPE(0x9, "rsp+32 rbp@-24");
    ASSERT_SHAPE(0xd, "rsp+32 rbp@-24 rbx@-32");
    ASSERT_SHAPE(0xf, "rsp+32 rbp@-24 rbx@-32");
    ASSERT_SHAPE(0x14, "rsp+32 rbx@-32");
    ASSERT_SHAPE(0x16, "rsp+32 rbx@-32");
}

static void registers_that_were_not_stored_are_lost_when_they_change(void **state)
{
    struct fixture *f = *state;

    read_code(f, SLICE("\x31\xed"             /* 0 xor ebp, ebp */
                       "\xbb\x01\x00\x00\x00" /* 2 mov ebx, 1 */
                       "\x53"                 /* 7 push rbx */
                       "\x0f\xa2"             /* 8 cpuid */
                       "\xc3"));              /* a ret */
    ASSERT_SHAPE(0x2, "rsp+8 rbp-lost");
    ASSERT_SHAPE(0x7, "rsp+8 rbp-lost rbx-lost");
    ASSERT_SHAPE(0x8, "rsp+16 rbp-lost rbx-lost");
}

static void what_an_instruction_writes_without_naming_it_counts(void **state)
{
    struct fixture *f = *state;

    read_code(f, SLICE("\x0f\xa2" /* 0 cpuid */
                       "\x9c"     /* 2 pushfq */
                       "\x9d"     /* 3 popfq */
                       "\xc3"));  /* 4 ret */
    ASSERT_SHAPE(0x0, "rsp+8");
    ASSERT_SHAPE(0x2, "rsp+8 rbx-lost");
    ASSERT_SHAPE(0x3, "rsp+16 rbx-lost");
    ASSERT_SHAPE(0x4, "rsp+8 rbx-lost");
}

static void another_values_pop_is_no_return_of_the_callers(void **state)
{
    struct fixture *f = *state;

    read_code(f, SLICE("\x53"    /* 0 push rbx */
                       "\x51"    /* 1 push rcx */
                       "\x5b"    /* 2 pop rbx */
                       "\x59"    /* 3 pop rcx */
                       "\xc3")); /* 4 ret */
    ASSERT_SHAPE(0x3, "rsp+16 rbx@-16");
    ASSERT_SHAPE(0x4, "rsp+8 rbx@-16");
}

static void a_call_to_what_follows_is_a_push(void **state)
{
    struct fixture *f = *state;

    read_code(f, SLICE("\xe8\x00\x00\x00\x00" /* 0 call 5 */
                       "\x58"                 /* 5 pop rax */
                       "\xe8\x01\x00\x00\x00" /* 6 call c */
                       "\xc3"                 /* b ret */
                       "\xc3"));              /* c ret */
    ASSERT_SHAPE(0x5, "rsp+16");
    ASSERT_SHAPE(0x6, "rsp+8");
    ASSERT_SHAPE(0xb, "rsp+8");
    ASSERT_SHAPE(0xc, "?");
}

static void vector_instructions_are_passed_and_what_reads_as_none_ends_what_is_known(void **state)
{
    struct fixture *f = *state;

    read_code(f, SLICE("\x53"                     /* 0 push rbx */
                       "\x62\xf2\x6d\x48\x7e\xcb" /* 1 vpermt2d zmm1, zmm2, zmm3 */
                       "\x90"                     /* 7 nop */
                       "\x06"                     /* 8 none in 64-bit code */
                       "\x90"));                  /* 9 nop */
    ASSERT_SHAPE(0x7, "rsp+16 rbx@-16");
    ASSERT_SHAPE(0x8, "rsp+16 rbx@-16");
    ASSERT_SHAPE(0x9, "?");
}

static void an_instruction_that_is_cut_ends_the_function(void **state)
{
    struct fixture *f = *state;

    read_code(f, SLICE("\x53\x48\x81\xec\x90"));
    ASSERT_SHAPE(0x1, "rsp+16 rbx@-16");
    ASSERT_SHAPE(0x2, "?");
}

static void more_pops_than_pushes_leave_nothing_known(void **state)
{
    struct fixture *f = *state;

    read_code(f, SLICE("\x58\x58\x58\x58\xc3"));
    ASSERT_SHAPE(0x1, "rsp+0");
    ASSERT_SHAPE(0x2, "?");
}

static void a_function_that_is_too_long_is_known_up_to_the_limit(void **state)
{
    struct fixture *f = *state;
    SCOPED(text_done) struct text bytes = {0};

    for (size_t i = 0; i < FRAME_SHAPES_MOST_BYTES + 16; i++)
        text_add_byte(&bytes, '\x90');
    read_code(f, text_slice(&bytes));
    ASSERT_SHAPE(FRAME_SHAPES_MOST_BYTES - 1, "rsp+8");
    ASSERT_SHAPE(FRAME_SHAPES_MOST_BYTES, "?");
}

static void no_code_has_no_shape(void **state)
{
    struct fixture *f = *state;

    read_code(f, (struct slice){0});
    ASSERT_SHAPE(0, "?");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, frame_shapes_set_up, frame_shapes_tear_down)
    const struct CMUnitTest tests[] = {
        TEST(pushes_and_a_frame_pointer_are_followed),
        TEST(code_behind_a_return_is_as_where_a_jump_to_it_stands),
        TEST(so_is_code_that_is_reached_by_jumping_back),
        TEST(where_a_table_leads_is_as_where_it_is_used),
        TEST(a_jump_that_leaves_the_function_tells_nothing_of_what_follows),
        TEST(behind_a_call_that_may_not_return_a_jump_tells_more),
        TEST(a_frame_of_changing_size_is_known_by_its_frame_pointer),
        TEST(addresses_computed_from_either_register_are_followed),
        TEST(registers_stored_by_moves_are_found_and_given_back),
        TEST(registers_that_were_not_stored_are_lost_when_they_change),
        TEST(what_an_instruction_writes_without_naming_it_counts),
        TEST(another_values_pop_is_no_return_of_the_callers),
        TEST(a_call_to_what_follows_is_a_push),
        TEST(vector_instructions_are_passed_and_what_reads_as_none_ends_what_is_known),
        TEST(an_instruction_that_is_cut_ends_the_function),
        TEST(more_pops_than_pushes_leave_nothing_known),
        TEST(a_function_that_is_too_long_is_known_up_to_the_limit),
        TEST(no_code_has_no_shape),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
