#include "cmocka_all.h"

#include <elf.h>
#include <string.h>

#include "code/instructions.h"
#include "code/x86_64_text.h"

enum { START = 0x1000 };

static struct instructions read_with(uint16_t machine, struct slice bytes, enum instruction_syntax syntax)
{
    struct instructions found = {0};
    struct error err = {0};

    assert_int_equal(instructions_read(machine, &(struct code_bytes){bytes, START}, syntax, &found, &err), 0);
    return found;
}

static void assert_text(const struct instructions *found, size_t at, const char *text)
{
    assert_in_range(at, 0, found->items.count - 1);
    assert_string_equal(found->items.items[at].text.data, text);
}

/* mov rax, [rdi + 8]; jne START + 4; call START + 0x20; ret */
#define PLAIN "\x48\x8b\x47\x08\x75\xfe\xe8\x15\x00\x00\x00\xc3"

static void they_follow_each_other_from_the_first_byte_to_the_last(void **state)
{
    struct instructions found = read_with(EM_X86_64, SLICE(PLAIN), SYNTAX_INTEL);
    uint64_t svma = START;

    (void)state;
    assert_int_equal(found.items.count, 4);
    for (size_t i = 0; i < found.items.count; i++) {
        assert_int_equal(found.items.items[i].svma, svma);
        svma += found.items.items[i].size_bytes;
    }
    assert_int_equal(svma, START + sizeof(PLAIN) - 1);
    assert_text(&found, 0, "mov rax, qword ptr [rdi + 8]");
    assert_text(&found, 3, "ret");
    instructions_done(&found);
}

static void both_syntaxes_are_written(void **state)
{
    struct instructions found = read_with(EM_X86_64, SLICE(PLAIN), SYNTAX_ATT);

    (void)state;
    assert_text(&found, 0, "movq 8(%rdi), %rax");
    instructions_done(&found);
}

static void jumps_and_calls_have_targets(void **state)
{
    /* and: call [rip + 0x10]; jmp rax; lea rax, [rip + 1] */
    struct instructions found = read_with(
        EM_X86_64, SLICE(PLAIN "\xff\x15\x10\x00\x00\x00\xff\xe0\x48\x8d\x05\x01\x00\x00\x00"), SYNTAX_INTEL);

    (void)state;
    assert_false(found.items.items[0].has_target);
    assert_true(found.items.items[1].has_target);
    assert_int_equal(found.items.items[1].target_svma, START + 4);
    assert_false(found.items.items[1].is_indirect);
    assert_int_equal(found.items.items[2].target_svma, START + 0x20);
    assert_false(found.items.items[3].has_target);
    assert_true(found.items.items[4].is_indirect);
    assert_int_equal(found.items.items[4].target_svma, START + 18 + 0x10);
    assert_false(found.items.items[5].has_target);
    assert_false(found.items.items[6].has_target);
    instructions_done(&found);
}

static void what_is_not_known_is_bytes(void **state)
{
    /* A byte that begins nothing; nop; an instruction that is cut */
    struct instructions found = read_with(EM_X86_64, SLICE("\x06\x90\xe8\x00"), SYNTAX_INTEL);

    (void)state;
    assert_int_equal(found.items.count, 4);
    assert_text(&found, 0, ".byte 0x06");
    assert_text(&found, 1, "nop");
    assert_text(&found, 2, ".byte 0xe8");
    instructions_done(&found);
}

/* Two that capstone 4 does not know, of AVX-512 and AVX2, and one that begins another line. */
static void vector_instructions_are_known(void **state)
{
    const struct slice code = SLICE("\x62\xf1\x7d\x48\x72\xc0\x10\xc4\xe2\x7d\x5a\x47\x30\xc3");
    struct instructions intel = read_with(EM_X86_64, code, SYNTAX_INTEL);
    struct instructions att = read_with(EM_X86_64, code, SYNTAX_ATT);

    (void)state;
    assert_text(&intel, 0, "vprord zmm0, zmm0, 0x10");
    assert_text(&intel, 1, "vbroadcasti128 ymm0, xmmword ptr [rdi + 0x30]");
    assert_text(&intel, 2, "ret");
    assert_text(&att, 0, "vprord $0x10, %zmm0, %zmm0");
    assert_text(&att, 1, "vbroadcasti128 0x30(%rdi), %ymm0");
    instructions_done(&intel);
    instructions_done(&att);
}

static void a_prefix_stands_before_the_name(void **state)
{
    struct code_bytes code = {SLICE("\x3e\xff\xe0"), START}; /* notrack jmp rax */
    struct x86_64_reader reader;
    struct error err = {0};
    SCOPED(text_done) struct text text = {0};

    (void)state;
    assert_int_equal(x86_64_load(&reader, &err), 0);
    assert_true(x86_64_next(&reader, &code));
    x86_64_text_write(&reader, SYNTAX_INTEL, &text);
    assert_string_equal(text_string(&text), "notrack jmp rax");
}

static void an_index_behind_an_evex_prefix_is_no_vector(void **state)
{
    /* vinserti64x4 zmm16, zmm16, [rdx + r12 - 0x40], 1; vpgatherdd zmm0{k1}, [rax + zmm1] */
#define INSERT "\x62\xa3\xfd\x40\x3a\x44\x22\xfe\x01"
    struct instructions intel = read_with(EM_X86_64, SLICE(INSERT), SYNTAX_INTEL);
    struct instructions att = read_with(EM_X86_64, SLICE(INSERT), SYNTAX_ATT);
    struct instructions gather = read_with(EM_X86_64, SLICE("\x62\xf2\x7d\x49\x90\x04\x08"), SYNTAX_INTEL);

    (void)state;
    assert_text(&intel, 0, "vinserti64x4 zmm16, zmm16, ymmword ptr [rdx + r12 - 0x40], 0x1");
    assert_text(&att, 0, "vinserti64x4 $0x1, -0x40(%rdx,%r12), %zmm16, %zmm16");
    assert_non_null(strstr(gather.items.items[0].text.data, "[rax + zmm1]"));
    instructions_done(&intel);
    instructions_done(&att);
    instructions_done(&gather);
}

static void aarch64_is_read_too(void **state)
{
    /* bl START + 0x100; tbz w0, #3, START + 0x10; ret; a word that is none, and half of one */
    struct instructions found = read_with(
        EM_AARCH64, SLICE("\x40\x00\x00\x94\x60\x00\x18\x36\xc0\x03\x5f\xd6\xff\xff\xff\xff\x00\x00"),
        SYNTAX_INTEL);

    (void)state;
    assert_int_equal(found.items.count, 5);
    assert_int_equal(found.items.items[0].target_svma, START + 0x100);
    assert_int_equal(found.items.items[1].target_svma, START + 0x10);
    assert_text(&found, 2, "ret");
    assert_text(&found, 3, ".byte 0xff, 0xff, 0xff, 0xff");
    assert_int_equal(found.items.items[4].size_bytes, 2);
    instructions_done(&found);
}

static void other_machines_are_refused(void **state)
{
    struct instructions found = {0};
    struct error err = {0};

    (void)state;
    assert_int_equal(instructions_read(EM_RISCV, &(struct code_bytes){SLICE("\x13\x00"), START}, SYNTAX_INTEL,
                                       &found, &err),
                     -1);
    assert_int_equal(err.kind, ERROR_FORMAT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(they_follow_each_other_from_the_first_byte_to_the_last),
        cmocka_unit_test(both_syntaxes_are_written),
        cmocka_unit_test(jumps_and_calls_have_targets),
        cmocka_unit_test(what_is_not_known_is_bytes),
        cmocka_unit_test(vector_instructions_are_known),
        cmocka_unit_test(a_prefix_stands_before_the_name),
        cmocka_unit_test(an_index_behind_an_evex_prefix_is_no_vector),
        cmocka_unit_test(aarch64_is_read_too),
        cmocka_unit_test(other_machines_are_refused),
    };

    return cmocka_run_group_tests_name("instructions", tests, NULL, NULL);
}
