#include "frame_shapes_fixture.h"

static void a_loop_that_touches_pages_moves_the_stack_pointer_to_where_it_ends(void **state)
{
    struct fixture *f = *state;

    read_code(f, SLICE("\x4c\x8d\x9c\x24\x00\xe0\xff\xff" /*  0 lea r11, [rsp - 8192] */
                       "\x48\x81\xec\x00\x10\x00\x00"     /*  8 sub rsp, 4096 */
                       "\x48\xc7\x04\x24\x00\x00\x00\x00" /*  f mov qword [rsp], 0 */
                       "\x4c\x39\xdc"                     /* 17 cmp rsp, r11 */
                       "\x75\xec"                         /* 1a jne 8 */
                       "\x90"));                          /* 1c nop */
    ASSERT_SHAPE(0x8, "rsp+8");
    ASSERT_SHAPE(0x1c, "rsp+8200");
}

static void so_where_its_end_is_computed_apart(void **state)
{
    struct fixture *f = *state;

    read_code(f, SLICE("\x49\x89\xe3"                 /*  0 mov r11, rsp */
                       "\x49\x81\xeb\x00\x20\x00\x00" /*  3 sub r11, 8192 */
                       "\x48\x81\xec\x00\x10\x00\x00" /*  a sub rsp, 4096 */
                       "\x48\x83\x0c\x24\x00"         /* 11 or qword [rsp], 0 */
                       "\x4c\x39\xdc"                 /* 16 cmp rsp, r11 */
                       "\x75\xef"                     /* 19 jne a */
                       "\x48\x83\xec\x10"             /* 1b sub rsp, 16 */
                       "\xe8\x00\x10\x00\x00"         /* 1f call */
                       "\x48\x81\xc4\x10\x20\x00\x00" /* 24 add rsp, 8208 */
                       "\xc3"));                      /* 2b ret */
    ASSERT_SHAPE(0x1b, "rsp+8200");
    ASSERT_SHAPE(0x24, "rsp+8216");
    ASSERT_SHAPE(0x2b, "rsp+8");
}

static void another_loop_that_moves_the_stack_pointer_leaves_it_unknown(void **state)
{
    struct fixture *f = *state;

    read_code(f, SLICE("\x50"         /* 0 push rax */
                       "\x48\x39\xfc" /* 1 cmp rsp, rdi */
                       "\x75\xfa"     /* 4 jne 0 */
                       "\x90"));      /* 6 nop */
    ASSERT_SHAPE(0x1, "rsp+16");
    ASSERT_SHAPE(0x6, "?");
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

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, frame_shapes_set_up, frame_shapes_tear_down)
    const struct CMUnitTest tests[] = {
        TEST(a_loop_that_touches_pages_moves_the_stack_pointer_to_where_it_ends),
        TEST(so_where_its_end_is_computed_apart),
        TEST(another_loop_that_moves_the_stack_pointer_leaves_it_unknown),
        TEST(a_stack_pointer_computed_otherwise_is_unknown),
        TEST(an_aligned_frame_is_known_by_what_keeps_the_stack_pointer),
        TEST(registers_stored_below_the_alignment_are_found_beside_the_stored_address),
        TEST(an_aligned_frame_that_overwrites_the_address_is_unknown),
        TEST(a_stack_that_is_aligned_twice_is_unknown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
