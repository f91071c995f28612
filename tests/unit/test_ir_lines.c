#include "ir/lines.h"

#include <string.h>

#include "cmocka_all.h"

enum { TEXT_BYTES = 700 };

/* The same, a byte at a time: whole lines up to one that may end the body or holds a NUL. */
static size_t take_slowly(struct slice bytes, struct ir_lines *lines)
{
    size_t start = 0;

    for (size_t at = 0; at < bytes.length && bytes.data[at] != '\0'; at++) {
        if (at == start && (bytes.data[at] == '}' || bytes.data[at] == 'd'))
            break;
        if (bytes.data[at] != '\n')
            continue;
        lines->all++;
        lines->counted += ir_line_counts(slice_range(bytes, start, at));
        start = at + 1;
    }
    return start;
}

/* What of `bytes` is taken counts as it does a byte at a time, and little is left that could be. */
static void check_taken(struct slice bytes)
{
    struct ir_lines found = {0};
    struct ir_lines expected = {0};
    struct ir_lines most = {0};
    size_t taken = ir_lines_take(bytes, &found);

    assert_true(taken == 0 || bytes.data[taken - 1] == '\n');
    assert_int_equal(take_slowly(slice_range(bytes, 0, taken), &expected), taken);
    assert_int_equal(found.all, expected.all);
    assert_int_equal(found.counted, expected.counted);
    take_slowly(bytes, &most);
    assert_in_range(most.all - found.all, 0, 3);
}

/* Text of the bytes that matter, in which lines that stop are rare. */
static void fill(char *text, size_t length, uint64_t *random)
{
    static const char bytes[] = "\n\n\n\n          xxxx}ddd";

    for (size_t i = 0; i < length; i++) {
        *random = *random * 6364136223846793005U + 1442695040888963407U;
        text[i] = bytes[(*random >> 33) % (sizeof(bytes) - 1)];
        if ((text[i] == '}' || text[i] == 'd') && (i == 0 || text[i - 1] == '\n') && (*random >> 60) != 0)
            text[i] = ' ';
        if ((*random >> 40) % 4096 == 0)
            text[i] = '\0';
    }
}

static void lines_are_counted_alike_many_or_one_byte_at_a_time(void **state)
{
    uint64_t random = 1;

    (void)state;
    for (size_t round = 0; round < 20000; round++) {
        char text[TEXT_BYTES];
        size_t length = round % TEXT_BYTES;
        size_t start = round % 64 < length ? round % 64 : 0;

        fill(text, length, &random);
        check_taken((struct slice){text + start, length - start});
    }
}

static void a_line_ends_at_a_newline_a_nul_or_the_end(void **state)
{
    char text[100];

    (void)state;
    memset(text, 'x', sizeof(text));
    for (size_t length = 0; length < sizeof(text); length++) {
        struct slice bytes = {text, length};

        assert_int_equal(ir_line_length(bytes), length);
        for (size_t end = 0; end < length; end++) {
            text[end] = end % 2 ? '\n' : '\0';
            assert_int_equal(ir_line_length(bytes), end);
            text[end] = 'x';
        }
    }
}

static bool may_be_in_a_name(int byte)
{
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || (byte >= '0' && byte <= '9') ||
           (byte != '\0' && strchr("-$._", byte));
}

static void a_name_ends_at_the_first_byte_that_none_has(void **state)
{
    char text[100];

    (void)state;
    for (int byte = 0; byte < 256; byte++) {
        memset(text, may_be_in_a_name(byte) ? byte : 'x', sizeof(text));
        for (size_t length = 0; length < sizeof(text); length++) {
            struct slice bytes = {text, length};

            assert_int_equal(ir_name_length(bytes), length);
            if (length == 0 || may_be_in_a_name(byte))
                continue;
            text[length / 2] = (char)byte;
            assert_int_equal(ir_name_length(bytes), length / 2);
            text[length / 2] = 'x';
        }
    }
}

static void nothing_is_taken_of_what_may_end_the_body(void **state)
{
    struct ir_lines lines = {0};

    (void)state;
    assert_int_equal(ir_lines_take(SLICE("}\n  ret void\n  ret void\n"), &lines), 0);
    assert_int_equal(ir_lines_take(SLICE("define void @f() {\n  ret void\n"), &lines), 0);
    assert_int_equal(ir_lines_take((struct slice){0}, &lines), 0);
    assert_int_equal(lines.all, 0);
}

static void a_line_with_a_nul_and_all_behind_it_are_left(void **state)
{
    enum { LINE = 11 };
    char text[20 * LINE + 1] = "";

    (void)state;
    for (int i = 0; i < 20; i++)
        memcpy(text + (size_t)i * LINE, "  ret void\n", LINE);
    for (size_t nul = 0; nul < sizeof(text) - 1; nul++) {
        struct ir_lines lines = {0};
        char kept = text[nul];

        text[nul] = '\0';
        assert_true(ir_lines_take((struct slice){text, sizeof(text) - 1}, &lines) <= nul);
        assert_true(lines.all <= nul / LINE);
        text[nul] = kept;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_are_counted_alike_many_or_one_byte_at_a_time),
        cmocka_unit_test(a_line_ends_at_a_newline_a_nul_or_the_end),
        cmocka_unit_test(a_name_ends_at_the_first_byte_that_none_has),
        cmocka_unit_test(nothing_is_taken_of_what_may_end_the_body),
        cmocka_unit_test(a_line_with_a_nul_and_all_behind_it_are_left),
    };

    return cmocka_run_group_tests_name("ir_lines", tests, NULL, NULL);
}
