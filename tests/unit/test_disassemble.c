#include <elf.h>

#include "cmocka_all.h"

#include "base/text.h"
#include "code/disassemble.h"

struct fixture {
    struct code_bytes code[2];
    struct disassemble_request request;
    struct code_references found;
    struct error err;
};

/* Code at 0x1000, targets from 0x2000 to 0x5000. */
static int begin(void **state)
{
    static struct fixture fixture;

    fixture = (struct fixture){
        .request = {.machine = EM_X86_64, .code_count = 1, .targets_start = 0x2000, .targets_end = 0x5000}};
    fixture.code[0].svma = 0x1000;
    *state = &fixture;
    return 0;
}

static int end(void **state)
{
    struct fixture *f = *state;

    code_references_done(&f->found);
    return 0;
}

static void read_code(struct fixture *f)
{
    f->request.code = f->code;
    code_references_done(&f->found);
    assert_int_equal(disassemble_references(&f->request, &f->found, &f->err), 0);
}

static void read_bytes(struct fixture *f, struct slice bytes)
{
    f->code[0].bytes = bytes;
    read_code(f);
}

#define assert_reference(f, index, from, to)                                                                 \
    do {                                                                                                     \
        assert_true((index) < (f)->found.items.count);                                                       \
        assert_int_equal((f)->found.items.items[index].from_svma, from);                                     \
        assert_int_equal((f)->found.items.items[index].to_svma, to);                                         \
    } while (0)

static void operands_relative_to_the_instruction_are_references(void **state)
{
    struct fixture *f = *state;

    /* lea 0x1000(%rip),%rax; mov 0xff0(%rip),%rcx; ret */
    read_bytes(f, SLICE("\x48\x8d\x05\x00\x10\x00\x00"
                        "\x48\x8b\x0d\xf3\x0f\x00\x00"
                        "\xc3"));
    assert_int_equal(f->found.items.count, 2);
    assert_reference(f, 0, 0x1000, 0x2007);
    assert_reference(f, 1, 0x1007, 0x2001);
    assert_false(f->found.items.items[0].is_absolute);
}

static void an_immediate_behind_the_displacement_counts_in(void **state)
{
    struct fixture *f = *state;

    /* cmpb $7,0x1000(%rip); movl $0x11223344,0xff0(%rip); vmovups 0x1200(%rip),%ymm0 */
    read_bytes(f, SLICE("\x80\x3d\x00\x10\x00\x00\x07"
                        "\xc7\x05\xf4\x0f\x00\x00\x44\x33\x22\x11"
                        "\xc5\xfc\x10\x05\x00\x12\x00\x00"));
    assert_int_equal(f->found.items.count, 3);
    assert_reference(f, 0, 0x1000, 0x2007);
    assert_reference(f, 1, 0x1007, 0x2005);
    assert_reference(f, 2, 0x1011, 0x2219);
}

static void a_target_just_in_reach_of_an_immediate_is_found(void **state)
{
    struct fixture *f = *state;

    /* movl $0,disp(%rip) to the very first target: 4 bytes less without the immediate. */
    read_bytes(f, SLICE("\xc7\x05\xf6\x0f\x00\x00\x00\x00\x00\x00"));
    assert_int_equal(f->found.items.count, 1);
    assert_reference(f, 0, 0x1000, 0x2000);
}

static void what_lies_outside_of_the_targets_is_left_out(void **state)
{
    struct fixture *f = *state;

    /* lea to 0x1fff; lea to 0x5000; lea to 0x4fff; call 0x2000 */
    read_bytes(f, SLICE("\x48\x8d\x05\xf8\x0f\x00\x00"
                        "\x48\x8d\x05\xf2\x3f\x00\x00"
                        "\x48\x8d\x05\xea\x3f\x00\x00"
                        "\xe8\xe6\x0f\x00\x00"));
    assert_int_equal(f->found.items.count, 1);
    assert_reference(f, 0, 0x100e, 0x4fff);
}

static void bytes_that_only_look_like_an_operand_are_none(void **state)
{
    struct fixture *f = *state;

    /* movabs $0x00001000058d48,%rax holds the bytes of a lea; nop */
    read_bytes(f, SLICE("\x48\xb8\x48\x8d\x05\x00\x10\x00\x00\x00\x90"));
    assert_int_equal(f->found.items.count, 0);
}

static void what_is_no_instruction_is_passed_over(void **state)
{
    struct fixture *f = *state;

    /* 0x06 is invalid in 64-bit mode. */
    read_bytes(f, SLICE("\x06\x48\x8d\x05\x00\x10\x00\x00\xc3"));
    assert_int_equal(f->found.items.count, 1);
    assert_reference(f, 0, 0x1001, 0x2008);
    read_bytes(f, SLICE("\x48\x8d\x05\x00\x10"));
    assert_int_equal(f->found.items.count, 0);
    read_bytes(f, (struct slice){0});
    assert_int_equal(f->found.items.count, 0);
}

static void vector_instructions_keep_their_length(void **state)
{
    struct fixture *f = *state;

    /* vbroadcasti128 0x30(%rdi),%ymm0; vbroadcasti128 0x1000(%rip),%ymm0; vpaddq 0x1000(%rip),%ymm0,%ymm12 */
    read_bytes(f, SLICE("\xc4\xe2\x7d\x5a\x47\x30"
                        "\xc4\xe2\x7d\x5a\x05\x00\x10\x00\x00"
                        "\xc5\x7d\xd4\x25\x00\x10\x00\x00"));
    assert_int_equal(f->found.items.count, 2);
    assert_reference(f, 0, 0x1006, 0x200f);
    assert_reference(f, 1, 0x100f, 0x2017);
    /* The same with an index and no base, cut inside. */
    read_bytes(f, SLICE("\xc4\xe2\x7d\x5a\x04\x25\x00\x10"));
    assert_int_equal(f->found.items.count, 0);
}

static void numbers_count_only_where_addresses_are_fixed_and_are_marked(void **state)
{
    struct fixture *f = *state;
    /* mov $0x2010,%edi; mov 0x2018(,%rax,8),%rax; mov $0x1fff,%edi */
    struct slice bytes = SLICE("\xbf\x10\x20\x00\x00"
                               "\x48\x8b\x04\xc5\x18\x20\x00\x00"
                               "\xbf\xff\x1f\x00\x00");

    read_bytes(f, bytes);
    assert_int_equal(f->found.items.count, 0);
    f->request.takes_absolute = true;
    read_bytes(f, bytes);
    assert_int_equal(f->found.items.count, 2);
    assert_reference(f, 0, 0x1000, 0x2010);
    assert_reference(f, 1, 0x1005, 0x2018);
    assert_true(f->found.items.items[0].is_absolute);
    assert_true(f->found.items.items[1].is_absolute);
    /* movq $0x2018,0x1000(%rip): by both of its numbers */
    read_bytes(f, SLICE("\x48\xc7\x05\x00\x10\x00\x00\x18\x20\x00\x00"));
    assert_int_equal(f->found.items.count, 2);
    assert_reference(f, 0, 0x1000, 0x200b);
    assert_reference(f, 1, 0x1000, 0x2018);
    /* movabs $0x2010,%rax; movabs 0x2020,%eax; cmpl $0x2030,0x40(%rdi); call 0x2000; jne 0x2000 */
    read_bytes(f, SLICE("\x48\xb8\x10\x20\x00\x00\x00\x00\x00\x00"
                        "\xa1\x20\x20\x00\x00\x00\x00\x00\x00"
                        "\x81\x7f\x40\x30\x20\x00\x00"
                        "\xe8\xe1\x0f\x00\x00"
                        "\x0f\x85\xdb\x0f\x00\x00"));
    assert_int_equal(f->found.items.count, 3);
    assert_reference(f, 0, 0x1000, 0x2010);
    assert_reference(f, 1, 0x100a, 0x2020);
    assert_reference(f, 2, 0x1013, 0x2030);
}

/* clang's bytes of each instruction that is named. */
static void pages_and_what_is_added_to_them_are_references_on_aarch64(void **state)
{
    struct fixture *f = *state;

    f->request.machine = EM_AARCH64;
    f->code[0].svma = 0;
    read_bytes(f, SLICE("\x00\x00\x00\xf0"    /* adrp x0, 0x3000 */
                        "\x00\x60\x00\x91"    /* add x0, x0, #24 */
                        "\x08\x00\x00\xf0"    /* adrp x8, 0x3000 */
                        "\x09\x11\x40\xf9"    /* ldr x9, [x8, #32] */
                        "\x00\x11\xc0\x3d"    /* ldr q0, [x8, #64] */
                        "\x02\x45\x00\xb9"    /* str w2, [x8, #68] */
                        "\x03\x41\x41\x39")); /* ldrb w3, [x8, #80] */
    assert_int_equal(f->found.items.count, 5);
    assert_reference(f, 0, 4, 0x3018);
    assert_reference(f, 1, 12, 0x3020);
    assert_reference(f, 2, 16, 0x3040);
    assert_reference(f, 3, 20, 0x3044);
    assert_reference(f, 4, 24, 0x3050);
}

static void addresses_near_by_need_no_page_on_aarch64(void **state)
{
    struct fixture *f = *state;

    f->request.machine = EM_AARCH64;
    f->code[0].svma = 0x2000;
    read_bytes(f, SLICE("\x01\x01\x00\x10"    /* adr x1, 32 further */
                        "\x05\x80\x00\x58")); /* ldr x5, 0x1000 further */
    assert_int_equal(f->found.items.count, 2);
    assert_reference(f, 0, 0x2000, 0x2020);
    assert_reference(f, 1, 0x2004, 0x3004);
}

static void a_page_is_forgotten_when_its_register_changes_on_aarch64(void **state)
{
    struct fixture *f = *state;
    static const struct {
        struct slice between; /* adrp x10 or x11 and the load through it */
        size_t found;
    } cases[] = {
        {SLICE("\x0a\x00\x00\xf0\x49\x41\x40\xf9"), 1},                 /* nothing */
        {SLICE("\x0a\x00\x00\xf0\xea\x03\x01\xaa\x49\x41\x40\xf9"), 0}, /* mov x10, x1 */
        {SLICE("\x0b\x00\x00\xf0\xeb\x33\x40\xa9\x69\x45\x40\xf9"), 0}, /* ldp x11, x12, [sp] */
        {SLICE("\x0a\x00\x00\xf0\x40\x00\x00\x94\x49\x41\x40\xf9"), 0}, /* bl: x10 is the callee's */
        {SLICE("\x0a\x00\x00\xf0\xc0\x03\x5f\xd6\x49\x41\x40\xf9"), 0}, /* ret */
        {SLICE("\x0a\x00\x00\xf0\x80\x00\x00\x54\x49\x41\x40\xf9"), 1}, /* b.eq */
        {SLICE("\x0a\x00\x00\xf0\x4a\x00\x21\xf8\x49\x41\x40\xf9"), 0}, /* ldadd x1, x10, [x2] */
        {SLICE("\x0a\x00\x00\xf0\x4a\x80\x21\xf8\x49\x41\x40\xf9"), 0}, /* swp x1, x10, [x2] */
        {SLICE("\x0a\x00\x00\xf0\x41\x7c\xaa\xc8\x49\x41\x40\xf9"), 0}, /* cas x10, x1, [x2] */
        {SLICE("\x0a\x00\x00\xf0\x41\x7c\x0a\xc8\x49\x41\x40\xf9"), 0}, /* stxr w10, x1, [x2] */
        {SLICE("\x0a\x00\x00\xf0\x41\x28\x7f\xc8\x49\x41\x40\xf9"), 0}, /* ldxp x1, x10, [x2] */
        {SLICE("\x0a\x00\x00\xf0\x4a\xfc\xdf\xc8\x49\x41\x40\xf9"), 0}, /* ldar x10, [x2] */
    };

    f->request.machine = EM_AARCH64;
    for (size_t i = 0; i < ARRAY_COUNT(cases); i++) {
        read_bytes(f, cases[i].between);
        assert_int_equal(f->found.items.count, cases[i].found);
    }
}

static void a_call_keeps_the_registers_that_callees_save_on_aarch64(void **state)
{
    struct fixture *f = *state;

    f->request.machine = EM_AARCH64;
    f->code[0].svma = 0;
    read_bytes(f, SLICE("\x13\x00\x00\xf0"    /* adrp x19, 0x3000 */
                        "\x40\x00\x00\x94"    /* bl */
                        "\x69\x3a\x40\xf9")); /* ldr x9, [x19, #112] */
    assert_int_equal(f->found.items.count, 1);
    assert_reference(f, 0, 8, 0x3070);
}

static void references_come_in_the_order_of_the_code(void **state)
{
    struct fixture *f = *state;
    struct text many = {0};

    /* Enough for several threads: each lea refers to 0x3000 bytes behind itself, then nothing does. */
    f->request.targets_end = UINT64_MAX;
    for (int i = 0; i < 50000; i++)
        text_add(&many, SLICE("\x48\x8d\x05\x00\x30\x00\x00"));
    f->code[0].bytes = text_slice(&many);
    f->code[1] = (struct code_bytes){text_slice(&many), 0x1000 + many.length};
    f->request.code_count = 2;
    read_code(f);
    assert_int_equal(f->found.items.count, 100000);
    for (size_t i = 0; i < 100000; i++)
        assert_int_equal(f->found.items.items[i].from_svma, 0x1000 + 7 * i);
    text_done(&many);
}

static void a_machine_that_is_not_known_has_no_references(void **state)
{
    struct fixture *f = *state;

    f->request.machine = EM_RISCV;
    assert_false(disassemble_knows(EM_RISCV));
    assert_true(disassemble_knows(EM_X86_64));
    assert_true(disassemble_knows(EM_AARCH64));
    read_bytes(f, SLICE("\x48\x8d\x05\x00\x10\x00\x00"));
    assert_int_equal(f->found.items.count, 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(operands_relative_to_the_instruction_are_references),
        TEST(an_immediate_behind_the_displacement_counts_in),
        TEST(a_target_just_in_reach_of_an_immediate_is_found),
        TEST(what_lies_outside_of_the_targets_is_left_out),
        TEST(bytes_that_only_look_like_an_operand_are_none),
        TEST(what_is_no_instruction_is_passed_over),
        TEST(vector_instructions_keep_their_length),
        TEST(numbers_count_only_where_addresses_are_fixed_and_are_marked),
        TEST(pages_and_what_is_added_to_them_are_references_on_aarch64),
        TEST(addresses_near_by_need_no_page_on_aarch64),
        TEST(a_page_is_forgotten_when_its_register_changes_on_aarch64),
        TEST(a_call_keeps_the_registers_that_callees_save_on_aarch64),
        TEST(references_come_in_the_order_of_the_code),
        TEST(a_machine_that_is_not_known_has_no_references),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
