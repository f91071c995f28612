#include "cmocka_all.h"

#include <elf.h>

#include "base/compiler.h"
#include "size/padding.h"

static void assert_split(struct padding_style style, struct slice gap, size_t start, size_t end)
{
    struct padding_split split = padding_split(&style, gap, 0x1000);

    assert_int_equal(split.content_start, start);
    assert_int_equal(split.content_end, end);
}

/* All of the gap is padding. */
static void assert_padding(uint16_t machine, bool big_endian, struct slice gap)
{
    assert_split((struct padding_style){machine, big_endian, true}, gap, gap.length, gap.length);
}

static const struct padding_style x86_64 = {EM_X86_64, false, true};

static void every_long_nop_of_x86_is_padding(void **state)
{
    static const struct slice forms[] = {
        SLICE("\x90"),
        SLICE("\xcc\xcc\xcc"),
        SLICE("\x66\x90"),
        SLICE("\x0f\x1f\0"),
        SLICE("\x0f\x1f\x40\0"),
        SLICE("\x0f\x1f\x44\0\0"),
        SLICE("\x66\x0f\x1f\x44\0\0"),
        SLICE("\x0f\x1f\x80\0\0\0\0"),
        SLICE("\x0f\x1f\x84\0\0\0\0\0"),
        SLICE("\x66\x0f\x1f\x84\0\0\0\0\0"),
        SLICE("\x66\x2e\x0f\x1f\x84\0\0\0\0\0"),
        SLICE("\x66\x66\x66\x66\x66\x66\x2e\x0f\x1f\x84\0\0\0\0\0"),
        SLICE("\0\0\0"),
        SLICE("\x66\x90\xcc\0\0\x0f\x1f\0"),
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(forms); i++)
        assert_padding(EM_X86_64, false, forms[i]);
    assert_padding(EM_386, false, SLICE("\x8d\xb4\x26\0\0\0\0\x8d\x76\0\x89\xf6\x2e\x8d\x74\x26\0"));
    assert_split(x86_64, SLICE("\x8d\x76\0"), 0, 3);
}

static void code_between_padding_is_content(void **state)
{
    (void)state;
    assert_split(x86_64, SLICE("\xcc\x31\xc0\xc3\x0f\x1f\x40\0\xcc"), 1, 4);
    assert_split(x86_64, SLICE("\x31\xc0"), 0, 2);
    assert_split(x86_64, SLICE(""), 0, 0);
}

static void padding_inside_code_is_content(void **state)
{
    (void)state;
    assert_split(x86_64, SLICE("\x31\xc0\x90\x90\xc3"), 0, 5);
}

/* mov $0, %eax: the zeros belong to the instruction. */
static void zeros_beside_code_are_content(void **state)
{
    (void)state;
    assert_split(x86_64, SLICE("\0\0\xc3\xb8\0\0\0\0\xcc"), 0, 8);
}

static void a_nop_cut_short_is_content(void **state)
{
    static const struct slice forms[] = {SLICE("\x0f\x1f"),     SLICE("\x0f\x1f\x44\0"),
                                         SLICE("\x66"),         SLICE("\x0f\x1f\x05"),
                                         SLICE("\x0f\x1f\xc0"), SLICE("\x0f\x1f\x48\0")};

    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(forms); i++)
        assert_split(x86_64, forms[i], 0, forms[i].length);
}

/* The processor refuses instructions of more than 15 bytes: the first byte is something else. */
static void a_nop_with_too_many_prefixes_is_content(void **state)
{
    (void)state;
    assert_split(x86_64, SLICE("\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x0f\x1f\0"), 0, 1);
    assert_split(x86_64, SLICE("\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x0f\x1f\0"), 15, 15);
}

static void each_machine_has_its_own_fillers(void **state)
{
    (void)state;
    assert_padding(EM_AARCH64, false, SLICE("\x1f\x20\x03\xd5\0\0\0\0"));
    assert_padding(EM_AARCH64, true, SLICE("\x1f\x20\x03\xd5"));
    assert_padding(EM_ARM, false, SLICE("\0\xf0\x20\xe3\xc0\x46\0\xbf"));
    assert_padding(EM_RISCV, false, SLICE("\x01\0\x13\0\0\0"));
    assert_padding(EM_PPC64, true, SLICE("\x60\0\0\0"));
    assert_padding(EM_PPC64, false, SLICE("\0\0\0\x60"));
    assert_padding(EM_S390, true, SLICE("\x07\x07"));
    assert_split((struct padding_style){EM_PPC64, true, true}, SLICE("\0\0\0\x60"), 0, 4);
    assert_split((struct padding_style){EM_AARCH64, false, true}, SLICE("\x90\x90\x90\x90"), 0, 4);
    assert_split((struct padding_style){EM_AARCH64, false, true}, SLICE("\0\0\0\x60"), 0, 4);
}

static void fillers_stand_on_their_own_boundaries(void **state)
{
    const struct padding_style aarch64 = {EM_AARCH64, false, true};
    const struct padding_style arm = {EM_ARM, false, true};

    (void)state;
    /* lld's trap of four bytes, begun behind Thumb code of an odd number of halfwords. */
    assert_int_equal(padding_split(&arm, SLICE("\xd4\xd4"), 0x1002).content_start, 2);
    assert_int_equal(padding_split(&arm, SLICE("\xd4\xd4\xd4\xd4\xd4\xd4"), 0x1002).content_start, 6);
    assert_int_equal(padding_split(&arm, SLICE("\xd4\xd4"), 0x1001).content_start, 0);
    assert_int_equal(padding_split(&aarch64, SLICE("\x1f\x20\x03\xd5"), 0x1002).content_start, 0);
    assert_int_equal(padding_split(&aarch64, SLICE("\0\0\x1f\x20\x03\xd5"), 0x1002).content_start, 6);
}

static void on_unknown_machines_a_short_gap_up_to_a_boundary_is_padding(void **state)
{
    const struct padding_style unknown = {EM_XTENSA, false, true};

    (void)state;
    assert_split(unknown, SLICE("abcd"), 4, 4);
    assert_split(unknown, SLICE("abc"), 0, 3);
    assert_split(unknown, SLICE("0123456789abcdef"), 0, 16);
    assert_split(unknown, SLICE("\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"), 19, 19);
}

static void in_data_only_zeros_are_padding(void **state)
{
    const struct padding_style data = {EM_X86_64, false, false};

    (void)state;
    assert_split(data, SLICE("\0\0"), 2, 2);
    assert_split(data, SLICE("\x90\x90"), 0, 2);
    assert_split(data, SLICE("\0x\0"), 0, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_long_nop_of_x86_is_padding),
        cmocka_unit_test(code_between_padding_is_content),
        cmocka_unit_test(padding_inside_code_is_content),
        cmocka_unit_test(zeros_beside_code_are_content),
        cmocka_unit_test(a_nop_cut_short_is_content),
        cmocka_unit_test(a_nop_with_too_many_prefixes_is_content),
        cmocka_unit_test(each_machine_has_its_own_fillers),
        cmocka_unit_test(fillers_stand_on_their_own_boundaries),
        cmocka_unit_test(on_unknown_machines_a_short_gap_up_to_a_boundary_is_padding),
        cmocka_unit_test(in_data_only_zeros_are_padding),
    };

    return cmocka_run_group_tests_name("padding", tests, NULL, NULL);
}
