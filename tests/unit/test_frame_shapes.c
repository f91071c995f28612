#include "cmocka_all.h"

#include "base/text.h"
#include "code/frame_shapes.h"

enum { START = 0x1000 };

struct fixture {
    struct frame_shapes shapes;
    struct text text;
};

static int begin(void **state)
{
    static struct fixture fixture;

    fixture = (struct fixture){0};
    *state = &fixture;
    return 0;
}

static int end(void **state)
{
    struct fixture *f = *state;

    frame_shapes_done(&f->shapes);
    text_done(&f->text);
    return 0;
}

static void read_code(struct fixture *f, struct slice bytes)
{
    struct code_bytes function = {.bytes = bytes, .svma = START};
    struct error err = {0};

    assert_int_equal(frame_shapes_read(&function, &f->shapes, &err), 0);
    assert_int_equal(f->shapes.items.items[0].svma, START);
    for (size_t i = 1; i < f->shapes.items.count; i++)
        assert_true(f->shapes.items.items[i - 1].svma < f->shapes.items.items[i].svma);
    assert_null(frame_shapes_find(&f->shapes, START - 1));
    assert_null(frame_shapes_find(&f->shapes, START + bytes.length));
}

static void add_register(struct text *text, const char *name, const struct frame_register *value)
{
    if (value->saved == FRAME_STORED)
        text_format(text, value->is_by_register ? " %s@register%+d" : " %s@%d", name, value->offset);
    else if (value->saved == FRAME_LOST)
        text_format(text, " %s-lost", name);
}

/*
 * "rsp+16 rbp@-16"; "[rbp-8]+16" where the CFA is 16 above the address stored there; "?" where nothing is
 * known.
 */
static const char *shape_at(struct fixture *f, uint64_t offset)
{
    static const char *const registers[] = {"rax", "rdx", "rcx", "rbx", "rsi", "rdi", "rbp", "rsp",
                                            "r8",  "r9",  "r10", "r11", "r12", "r13", "r14", "r15"};
    const struct frame_shape *shape = frame_shapes_find(&f->shapes, START + offset);

    text_clear(&f->text);
    if (!shape)
        return "?";
    assert_true(shape->cfa_register < ARRAY_COUNT(registers));
    if (shape->is_in_memory)
        text_format(&f->text, "[%s%+d]+%d", registers[shape->cfa_register], shape->cfa_offset,
                    shape->stored_below);
    else
        text_format(&f->text, "%s+%d", registers[shape->cfa_register], shape->cfa_offset);
    add_register(&f->text, "rbp", &shape->frame);
    add_register(&f->text, "rbx", &shape->base);
    return text_string(&f->text);
}

#define ASSERT_SHAPE(offset, expected) assert_string_equal(shape_at(f, offset), expected)

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

static void a_loop_that_moves_the_stack_pointer_leaves_it_unknown(void **state)
{
    struct fixture *f = *state;

    read_code(f, SLICE("\x4c\x8d\x9c\x24\x00\xe0\xff\xff" /*  0 lea r11, [rsp - 8192] */
                       "\x48\x81\xec\x00\x10\x00\x00"     /*  8 sub rsp, 4096 */
                       "\x48\xc7\x04\x24\x00\x00\x00\x00" /*  f mov qword [rsp], 0 */
                       "\x4c\x39\xdc"                     /* 17 cmp rsp, r11 */
                       "\x75\xec"                         /* 1a jne 8 */
                       "\x90"));                          /* 1c nop */
    ASSERT_SHAPE(0x8, "rsp+8");
    ASSERT_SHAPE(0x1c, "r11+8200");
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

static void a_stack_pointer_computed_otherwise_is_unknown(void **state)
{
    struct fixture *f = *state;

    read_code(f, SLICE("\x48\x89\xf8"     /* 0 mov rax, rdi */
                       "\x48\x83\xe4\xc0" /* 3 and rsp, -64 */
                       "\x48\x89\xc4"     /* 7 mov rsp, rax */
                       "\xc3"));          /* a ret */
    ASSERT_SHAPE(0x3, "rsp+8");
    ASSERT_SHAPE(0x7, "?");
    ASSERT_SHAPE(0xa, "?");
}

static void an_aligned_frame_is_known_by_what_keeps_the_stack_pointer(void **state)
{
    struct fixture *f = *state;

    read_code(f, SLICE("\x53"                 /*  0 push rbx */
                       "\x55"                 /*  1 push rbp */
                       "\x48\x89\xe5"         /*  2 mov rbp, rsp */
                       "\x48\x83\xec\x60"     /*  5 sub rsp, 96 */
                       "\x48\x83\xe4\xe0"     /*  9 and rsp, -32 */
                       "\x48\x89\x6c\x24\x40" /*  d mov [rsp + 64], rbp */
                       "\x48\x89\xfd"         /* 12 mov rbp, rdi */
                       "\x48\x83\xec\x08"     /* 15 sub rsp, 8 */
                       "\xe8\x00\x10\x00\x00" /* 19 call */
                       "\x48\x83\xc4\x08"     /* 1e add rsp, 8 */
                       "\x48\x8b\x64\x24\x40" /* 22 mov rsp, [rsp + 64] */
                       "\x5d"                 /* 27 pop rbp */
                       "\x5b"                 /* 28 pop rbx */
                       "\xc3"));              /* 29 ret */
    ASSERT_SHAPE(0xd, "rbp+24 rbp@-24 rbx@-16");
    ASSERT_SHAPE(0x15, "[rsp+64]+24 rbp@-24 rbx@-16");
    ASSERT_SHAPE(0x1e, "[rsp+72]+24 rbp@-24 rbx@-16");
    ASSERT_SHAPE(0x27, "rsp+24 rbp@-24 rbx@-16");
    ASSERT_SHAPE(0x28, "rsp+16 rbx@-16");
    ASSERT_SHAPE(0x29, "rsp+8");
}

static void registers_stored_below_the_alignment_are_found_beside_the_stored_address(void **state)
{
    struct fixture *f = *state;

    read_code(f, SLICE("\x4c\x8d\x54\x24\x08" /*  0 lea r10, [rsp + 8] */
                       "\x48\x83\xe4\xc0"     /*  5 and rsp, -64 */
                       "\x41\xff\x72\xf8"     /*  9 push [r10 - 8] */
                       "\x55"                 /*  d push rbp */
                       "\x48\x89\xe5"         /*  e mov rbp, rsp */
                       "\x41\x54"             /* 11 push r12 */
                       "\x41\x52"             /* 13 push r10 */
                       "\x53"                 /* 15 push rbx */
                       "\x48\x83\xec\x68"     /* 16 sub rsp, 104 */
                       "\x31\xdb"             /* 1a xor ebx, ebx */
                       "\xe8\x00\x10\x00\x00" /* 1c call */
                       "\x48\x83\xc4\x68"     /* 21 add rsp, 104 */
                       "\x5b"                 /* 25 pop rbx */
                       "\x41\x5a"             /* 26 pop r10 */
                       "\x41\x5c"             /* 28 pop r12 */
                       "\x5d"                 /* 2a pop rbp */
                       "\x49\x8d\x62\xf8"     /* 2b lea rsp, [r10 - 8] */
                       "\xc3"));              /* 2f ret */
    ASSERT_SHAPE(0x9, "r10+0");
    ASSERT_SHAPE(0x13, "r10+0 rbp-lost");
    ASSERT_SHAPE(0x15, "[rbp-16]+0 rbp@register+0");
    ASSERT_SHAPE(0x21, "[rbp-16]+0 rbp@register+0 rbx@register-24");
    ASSERT_SHAPE(0x26, "[rbp-16]+0 rbp@register+0");
    ASSERT_SHAPE(0x28, "r10+0 rbp-lost");
    ASSERT_SHAPE(0x2b, "r10+0");
    ASSERT_SHAPE(0x2f, "rsp+8");
}

static void an_aligned_frame_that_overwrites_the_address_is_unknown(void **state)
{
    struct fixture *f = *state;

    read_code(f, SLICE("\x48\x89\xe0"         /*  0 mov rax, rsp */
                       "\x48\x83\xe4\xf0"     /*  3 and rsp, -16 */
                       "\x50"                 /*  7 push rax */
                       "\x48\x89\x3c\x24"     /*  8 mov [rsp], rdi */
                       "\xe8\x00\x10\x00\x00" /*  c call */
                       "\x90"));              /* 11 nop */
    ASSERT_SHAPE(0x7, "rax+8");
    ASSERT_SHAPE(0x8, "[rsp+0]+8");
    ASSERT_SHAPE(0xc, "rax+8");
    ASSERT_SHAPE(0x11, "?");
}

static void a_stack_that_is_aligned_twice_is_unknown(void **state)
{
    struct fixture *f = *state;

    read_code(f, SLICE("\x54"             /* 0 push rsp */
                       "\x48\x83\xe4\xf0" /* 1 and rsp, -16 */
                       "\x50"             /* 5 push rax */
                       "\x48\x83\xe4\xc0" /* 6 and rsp, -64 */
                       "\x90"));          /* a nop */
    ASSERT_SHAPE(0x1, "rsp+16");
    ASSERT_SHAPE(0xa, "?");
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
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(pushes_and_a_frame_pointer_are_followed, begin, end),
        cmocka_unit_test_setup_teardown(code_behind_a_return_is_as_where_a_jump_to_it_stands, begin, end),
        cmocka_unit_test_setup_teardown(so_is_code_that_is_reached_by_jumping_back, begin, end),
        cmocka_unit_test_setup_teardown(where_a_table_leads_is_as_where_it_is_used, begin, end),
        cmocka_unit_test_setup_teardown(a_jump_that_leaves_the_function_tells_nothing_of_what_follows, begin,
                                        end),
        cmocka_unit_test_setup_teardown(behind_a_call_that_may_not_return_a_jump_tells_more, begin, end),
        cmocka_unit_test_setup_teardown(a_loop_that_moves_the_stack_pointer_leaves_it_unknown, begin, end),
        cmocka_unit_test_setup_teardown(a_frame_of_changing_size_is_known_by_its_frame_pointer, begin, end),
        cmocka_unit_test_setup_teardown(a_stack_pointer_computed_otherwise_is_unknown, begin, end),
        cmocka_unit_test_setup_teardown(an_aligned_frame_is_known_by_what_keeps_the_stack_pointer, begin,
                                        end),
        cmocka_unit_test_setup_teardown(
            registers_stored_below_the_alignment_are_found_beside_the_stored_address, begin, end),
        cmocka_unit_test_setup_teardown(an_aligned_frame_that_overwrites_the_address_is_unknown, begin, end),
        cmocka_unit_test_setup_teardown(a_stack_that_is_aligned_twice_is_unknown, begin, end),
        cmocka_unit_test_setup_teardown(addresses_computed_from_either_register_are_followed, begin, end),
        cmocka_unit_test_setup_teardown(registers_stored_by_moves_are_found_and_given_back, begin, end),
        cmocka_unit_test_setup_teardown(registers_that_were_not_stored_are_lost_when_they_change, begin, end),
        cmocka_unit_test_setup_teardown(what_an_instruction_writes_without_naming_it_counts, begin, end),
        cmocka_unit_test_setup_teardown(another_values_pop_is_no_return_of_the_callers, begin, end),
        cmocka_unit_test_setup_teardown(a_call_to_what_follows_is_a_push, begin, end),
        cmocka_unit_test_setup_teardown(
            vector_instructions_are_passed_and_what_reads_as_none_ends_what_is_known, begin, end),
        cmocka_unit_test_setup_teardown(an_instruction_that_is_cut_ends_the_function, begin, end),
        cmocka_unit_test_setup_teardown(more_pops_than_pushes_leave_nothing_known, begin, end),
        cmocka_unit_test_setup_teardown(a_function_that_is_too_long_is_known_up_to_the_limit, begin, end),
        cmocka_unit_test_setup_teardown(no_code_has_no_shape, begin, end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
