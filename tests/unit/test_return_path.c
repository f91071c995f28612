/* How to leave a function, read from an instruction of it on. */
#include "cmocka_all.h"

#include <stdio.h>

#include "code/frame_shapes.h"
#include "code/return_path.h"

enum { START = 0x7f0000001000 };

static struct x86_64_reader reader;

static int open_reader(void **state)
{
    struct error unread = {0};

    (void)state;
    return x86_64_load(&reader, &unread);
}

/* "rsp+16 rbp@-16": the CFA, and where the caller's frame pointer is unless it is in its register. */
static const char *path_from(struct slice code, uint64_t offset)
{
    static char text[64];
    const struct code_bytes bytes = {code, START};
    struct return_path path;
    size_t length = 0;

    if (!return_path_find(&reader, &bytes, START + offset, &path))
        return "?";
    length = (size_t)snprintf(text, sizeof(text), "%s+%d", path.cfa_register == FRAME_RSP ? "rsp" : "rbp",
                              path.cfa_offset);
    if (path.frame.kind == CALLER_STORED)
        snprintf(text + length, sizeof(text) - length, " rbp@%d", path.frame.offset);
    else if (path.frame.kind == CALLER_LOST)
        snprintf(text + length, sizeof(text) - length, " rbp?");
    return text;
}

#define ASSERT_PATH(code, offset, path) assert_string_equal(path_from(code, offset), path)

static void what_is_done_until_the_return_tells_where_it_is(void **state)
{
    const struct slice code = SLICE("\x48\x83\xec\x08"     /*  0 sub rsp, 8 */
                                    "\xff\xd1"             /*  4 call rcx */
                                    "\x48\x83\xc4\x08"     /*  6 add rsp, 8 */
                                    "\xc3"                 /*  a ret */
                                    "\xc5\xf8\x77"         /*  b vzeroupper */
                                    "\x53"                 /*  e push rbx */
                                    "\x9c"                 /*  f pushfq */
                                    "\x9d"                 /* 10 popfq */
                                    "\x48\x8d\x64\x24\x10" /* 11 lea rsp, [rsp + 16] */
                                    "\x8f\x00"             /* 16 pop [rax] */
                                    "\xc3");               /* 18 ret */

    (void)state;
    ASSERT_PATH(code, 0x0, "rsp+8");
    ASSERT_PATH(code, 0x4, "rsp+16");
    ASSERT_PATH(code, 0x6, "rsp+16");
    ASSERT_PATH(code, 0xa, "rsp+8");
    ASSERT_PATH(code, 0xb, "rsp+24");
    ASSERT_PATH(code, 0x10, "rsp+40");
    ASSERT_PATH(code, 0x16, "rsp+16");
}

static void the_frame_pointer_is_followed(void **state)
{
    const struct slice with_frame = SLICE("\x55"               /*  0 push rbp */
                                          "\x48\x89\xe5"       /*  1 mov rbp, rsp */
                                          "\x48\x83\xe4\xc0"   /*  4 and rsp, -64 */
                                          "\x90"               /*  8 nop */
                                          "\xc9"               /*  9 leave */
                                          "\xc3");             /*  a ret */
    const struct slice without = SLICE("\x55"                  /*  0 push rbp */
                                       "\xbd\x07\x00\x00\x00"  /*  1 mov ebp, 7 */
                                       "\x53"                  /*  6 push rbx */
                                       "\x5b"                  /*  7 pop rbx */
                                       "\x5d"                  /*  8 pop rbp */
                                       "\xc3");                /*  9 ret */
    const struct slice restored = SLICE("\x48\x8b\x6c\x24\x10" /* 0 mov rbp, [rsp + 16] */
                                        "\x48\x83\xc4\x18"     /* 5 add rsp, 24 */
                                        "\xc3");               /* 9 ret */
    const struct slice lost = SLICE("\x48\x89\xc5"             /* 0 mov rbp, rax */
                                    "\xc3");                   /* 3 ret */

    (void)state;
    ASSERT_PATH(with_frame, 0x0, "rsp+8");
    ASSERT_PATH(with_frame, 0x1, "rsp+16 rbp@-16");
    ASSERT_PATH(with_frame, 0x4, "rbp+16 rbp@-16");
    ASSERT_PATH(with_frame, 0x8, "rbp+16 rbp@-16");
    ASSERT_PATH(with_frame, 0xa, "rsp+8");
    ASSERT_PATH(without, 0x0, "rsp+8");
    ASSERT_PATH(without, 0x1, "rsp+16 rbp@-16");
    ASSERT_PATH(without, 0x7, "rsp+24 rbp@-16");
    ASSERT_PATH(without, 0x9, "rsp+8");
    ASSERT_PATH(restored, 0x0, "rsp+32 rbp@-16");
    ASSERT_PATH(restored, 0x5, "rsp+32");
    ASSERT_PATH(lost, 0x0, "rsp+8 rbp?");
}

static void jumps_are_followed_where_straight_on_nothing_returns(void **state)
{
    const struct slice code = SLICE("\x48\x83\xc4\x08"       /*  0 add rsp, 8 */
                                    "\xc3"                   /*  4 ret */
                                    "\x48\x83\xec\x08"       /*  5 sub rsp, 8 */
                                    "\x85\xff"               /*  9 test edi, edi */
                                    "\x74\xf3"               /*  b je 0 */
                                    "\x53"                   /*  d push rbx */
                                    "\xeb\xfd"               /*  e jmp d */
                                    "\x75\xee"               /* 10 jne 0 */
                                    "\xff\xe0"               /* 12 jmp rax */
                                    "\x0f\x0b"               /* 14 ud2 */
                                    "\xe9\x00\x00\x00\x10"); /* 16 jmp far away */

    (void)state;
    ASSERT_PATH(code, 0x5, "rsp+8");
    ASSERT_PATH(code, 0xb, "rsp+16");
    ASSERT_PATH(code, 0xd, "?");
    ASSERT_PATH(code, 0x10, "rsp+16");
    ASSERT_PATH(code, 0x12, "?");
    ASSERT_PATH(code, 0x14, "?");
    ASSERT_PATH(code, 0x16, "?");
}

static void what_moves_the_stack_by_nobody_knows_how_much_leads_nowhere(void **state)
{
    static const struct slice codes[] = {
        SLICE("\x48\x89\xc4\xc3"),           /* mov rsp, rax; ret */
        SLICE("\x48\x8d\x24\x04\xc3"),       /* lea rsp, [rsp + rax]; ret */
        SLICE("\x48\x83\xe4\xf0\xc3"),       /* and rsp, -16; ret */
        SLICE("\x48\x94\xc3"),               /* xchg rsp, rax; ret */
        SLICE("\x5c\xc3"),                   /* pop rsp; ret */
        SLICE("\xc8\x10\x00\x00\xc3"),       /* enter 16, 0; ret */
        SLICE("\x50\xc3"),                   /* push rax; ret, which goes on elsewhere */
        SLICE("\xc2\x08\x00"),               /* ret 8 */
        SLICE("\x48\x83\xc4"),               /* cut */
        SLICE("\x48\x81\xc4\0\0\0\x40\xc3"), /* add rsp, 1 GiB; ret */
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(codes); i++)
        ASSERT_PATH(codes[i], 0, "?");
    ASSERT_PATH(SLICE("\xc3"), 1, "?");
    ASSERT_PATH(SLICE("\xc3"), UINT64_MAX, "?");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_done_until_the_return_tells_where_it_is),
        cmocka_unit_test(the_frame_pointer_is_followed),
        cmocka_unit_test(jumps_are_followed_where_straight_on_nothing_returns),
        cmocka_unit_test(what_moves_the_stack_by_nobody_knows_how_much_leads_nowhere),
    };

    return cmocka_run_group_tests_name("return_path", tests, open_reader, NULL);
}
