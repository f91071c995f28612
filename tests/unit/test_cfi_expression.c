#include "cmocka_all.h"

#include "base/text.h"
#include "dwarf/cfi_expression.h"

/* Registers N < 20 hold 100 + N; memory holds at each address up to 0x1000 its own double. */
static bool find_register(const void *context, uint32_t number, uint64_t *out)
{
    (void)context;
    *out = 100 + number;
    return number < 20;
}

static bool read_memory(const void *context, uint64_t address, uint64_t *out)
{
    (void)context;
    *out = 2 * address;
    return address <= 0x1000;
}

static const struct cfi_surroundings surroundings = {find_register, read_memory, NULL};

static enum cfi_value run(struct slice code, const uint64_t *initial, uint64_t *out)
{
    SCOPED(text_done) struct text section = {0};

    text_add_byte(&section, '?');
    text_add_byte(&section, (char)code.length);
    text_add(&section, code);
    return cfi_expression_run(text_slice(&section), 1, initial, &surroundings, out);
}

static void assert_value(struct slice code, uint64_t expected)
{
    uint64_t value = 0x5555;

    assert_int_equal(run(code, NULL, &value), CFI_VALUE_KNOWN);
    assert_int_equal(value, expected);
}

static void assert_none(struct slice code, enum cfi_value why)
{
    uint64_t value = 0x5555;

    assert_int_equal(run(code, NULL, &value), why);
    assert_int_equal(value, 0x5555);
}

static void numbers_stand_in_the_code(void **state)
{
    (void)state;
    assert_value(SLICE("\x30"), 0);
    assert_value(SLICE("\x4f"), 31);
    assert_value(SLICE("\x08\xff"), 255);
    assert_value(SLICE("\x09\xff"), UINT64_MAX);
    assert_value(SLICE("\x0a\1\2"), 0x201);
    assert_value(SLICE("\x0b\xfe\xff"), UINT64_MAX - 1);
    assert_value(SLICE("\x0c\1\2\3\4"), 0x4030201);
    assert_value(SLICE("\x0d\xfe\xff\xff\xff"), UINT64_MAX - 1);
    assert_value(SLICE("\x0e\1\0\0\0\0\0\0\x80"), UINT64_C(0x8000000000000001));
    assert_value(SLICE("\3\1\0\0\0\0\0\0\0"), 1);
    assert_value(SLICE("\x10\x80\1"), 128);
    assert_value(SLICE("\x11\x7f"), UINT64_MAX);
}

static void registers_and_memory_are_asked_for(void **state)
{
    (void)state;
    assert_value(SLICE("\x77\x08"), 115);
    assert_value(SLICE("\x77\x78"), 99);
    assert_value(SLICE("\x92\x10\2"), 118);
    assert_value(SLICE("\x77\0\6"), 214);
    assert_value(SLICE("\x0a\0\4\x94\1"), 0);
    assert_value(SLICE("\x0a\x01\4\x94\1"), 2);
    assert_none(SLICE("\x92\x14\0"), CFI_VALUE_UNKNOWN);
    assert_none(SLICE("\x0a\1\x10\6"), CFI_VALUE_UNREADABLE);
    assert_none(SLICE("\x31\x94\x09"), CFI_VALUE_UNKNOWN);
    assert_none(SLICE("\x31\x94\0"), CFI_VALUE_UNKNOWN);
}

/* As the assembly that starts Wasmtime's fibers does: DW_OP_reg7, DW_OP_deref, DW_OP_plus_uconst. */
static void a_registers_place_is_its_value(void **state)
{
    (void)state;
    assert_value(SLICE("\x50"), 100);
    assert_value(SLICE("\x57\6\x23\x38"), 270);
    assert_none(SLICE("\x64"), CFI_VALUE_UNKNOWN);
}

static void two_values_make_one(void **state)
{
    static const struct {
        uint8_t operation;
        uint64_t value; /* of 13 and 3 */
    } expected[] = {{0x1a, 1},  {0x1b, 4},   {0x1c, 10}, {0x1d, 1}, {0x1e, 39}, {0x21, 15},
                    {0x22, 16}, {0x24, 104}, {0x25, 1},  {0x26, 1}, {0x27, 14}, {0x29, 0},
                    {0x2a, 1},  {0x2b, 1},   {0x2c, 0},  {0x2d, 0}, {0x2e, 1}};

    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(expected); i++) {
        const char code[] = {0x3d, 0x33, (char)expected[i].operation};

        assert_value((struct slice){code, sizeof(code)}, expected[i].value);
    }
}

static void arithmetic_has_no_undefined_corner(void **state)
{
    (void)state;
    assert_none(SLICE("\x31\x30\x1b"), CFI_VALUE_UNKNOWN);                       /* 1 / 0 */
    assert_none(SLICE("\x31\x30\x1d"), CFI_VALUE_UNKNOWN);                       /* 1 % 0 */
    assert_none(SLICE("\x0e\0\0\0\0\0\0\0\x80\x11\x7f\x1b"), CFI_VALUE_UNKNOWN); /* the least / -1 */
    assert_value(SLICE("\x31\x08\x40\x24"), 0);
    assert_value(SLICE("\x31\x08\x40\x25"), 0);
    assert_value(SLICE("\x11\x7f\x08\x40\x26"), UINT64_MAX);
    assert_value(SLICE("\x11\x70\x32\x26"), UINT64_MAX - 3);
    assert_value(SLICE("\x11\x7f\x19"), 1);
    assert_value(SLICE("\x35\x1f"), UINT64_MAX - 4);
    assert_value(SLICE("\x35\x20"), UINT64_MAX - 5);
    assert_value(SLICE("\x35\x23\x80\1"), 133);
}

static void values_move_about_on_the_stack(void **state)
{
    (void)state;
    assert_value(SLICE("\x33\x12\x22"), 6);
    assert_value(SLICE("\x33\x35\x14\x1c\x1c"), 1); /* 3 - (5 - 3) */
    assert_value(SLICE("\x33\x35\x37\x15\2"), 3);
    assert_value(SLICE("\x33\x35\x13"), 3);
    assert_value(SLICE("\x33\x35\x16\x1c"), 2);
    assert_value(SLICE("\x33\x35\x37\x17\x1c"), UINT64_MAX - 1); /* 7 3 5: 3 - 5 */
    assert_value(SLICE("\x33\x96"), 3);
}

static void the_stack_may_begin_with_a_value(void **state)
{
    uint64_t initial = 0x700;
    uint64_t value = 0;

    (void)state;
    assert_int_equal(run(SLICE("\x38\x1c"), &initial, &value), CFI_VALUE_KNOWN);
    assert_int_equal(value, 0x6f8);
}

static void branches_are_taken_within_the_code(void **state)
{
    (void)state;
    assert_value(SLICE("\x31\x28\2\0\x35\x35\x37"), 7);
    assert_value(SLICE("\x30\x28\1\0\x35"), 5);
    assert_value(SLICE("\x33\x2f\1\0\x35"), 3);
    assert_none(SLICE("\x33\x2f\xfd\xff"), CFI_VALUE_UNKNOWN); /* for ever */
    assert_none(SLICE("\x33\x2f\x10\0"), CFI_VALUE_UNKNOWN);
    assert_none(SLICE("\x33\x2f\0\x80"), CFI_VALUE_UNKNOWN);
}

static void damaged_code_has_no_value(void **state)
{
    static const struct slice damaged[] = {
        SLICE(""),     SLICE("\x22"), SLICE("\x31\x22"), SLICE("\x12"), SLICE("\x16"), SLICE("\x31\x17"),
        SLICE("\x08"), SLICE("\x13"), SLICE("\xff"),     SLICE("\x93"), SLICE("\x9c"), SLICE("\x15\7")};
    uint64_t value = 0;

    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(damaged); i++)
        assert_none(damaged[i], CFI_VALUE_UNKNOWN);
    assert_int_equal(cfi_expression_run(SLICE("\5\x30"), 0, NULL, &surroundings, &value), CFI_VALUE_UNKNOWN);
    assert_int_equal(cfi_expression_run(SLICE("\1\x30"), 7, NULL, &surroundings, &value), CFI_VALUE_UNKNOWN);
}

static void depth_and_steps_are_bounded(void **state)
{
    SCOPED(text_done) struct text deep = {0};
    uint64_t value = 0;

    (void)state;
    text_add_byte(&deep, 40);
    text_add_repeated(&deep, '\x31', 40);
    assert_int_equal(cfi_expression_run(text_slice(&deep), 0, NULL, &surroundings, &value),
                     CFI_VALUE_UNKNOWN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_stand_in_the_code),
        cmocka_unit_test(registers_and_memory_are_asked_for),
        cmocka_unit_test(a_registers_place_is_its_value),
        cmocka_unit_test(two_values_make_one),
        cmocka_unit_test(arithmetic_has_no_undefined_corner),
        cmocka_unit_test(values_move_about_on_the_stack),
        cmocka_unit_test(the_stack_may_begin_with_a_value),
        cmocka_unit_test(branches_are_taken_within_the_code),
        cmocka_unit_test(damaged_code_has_no_value),
        cmocka_unit_test(depth_and_steps_are_bounded),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
