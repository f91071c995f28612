#include "cmocka_all.h"

#include <string.h>

#include "rust/format_template.h"

/* What the bytes are, or NULL for bytes that are no template. */
static void assert_template(const char *bytes, size_t length, const char *expected)
{
    struct text text = {0};
    bool is_template = false;

    text_add_string(&text, "before ");
    is_template = format_template_add(&text, (struct slice){bytes, length});
    assert_int_equal(is_template, expected != NULL);
    assert_true(slice_starts_with(text_slice(&text), SLICE("before ")));
    assert_true(slice_is(slice_range(text_slice(&text), 7, text.length), expected ? expected : ""));
    text_done(&text);
}

#define TEMPLATE(bytes, expected) assert_template(bytes, sizeof(bytes) - 1, expected)

/* Bytes that rustc 1.95 makes of eprintln!("error: {s}") and of println! with "{:>8}", "{:08.3}", "{:>w$}".
 */
static void a_template_reads_as_the_source_has_it(void **state)
{
    (void)state;
    TEMPLATE("\x07"
             "error: \xc0\x01\n\0",
             "error: {}\n");
    TEMPLATE("\x06"
             "hello \xc0\x05 and \xc3 \0\0(\x08\0\x06 with \xc7 \0\0y\x08\0\x03\0\x05 pre \xd3 "
             "\0\0(\x06\0\x01\n\0",
             "hello {} and {} with {} pre {}\n");
    TEMPLATE("\xc8\x01\0\x02: \xc0\0\0\0\0", "{}: {}");
    TEMPLATE("\x0a\x1b[1mnote: \xc0\0", "\x1b[1mnote: {}");
}

static void long_text_has_a_length_of_two_bytes(void **state)
{
    char bytes[3 + 0x102 + 2] = "\x80\x02\x01";
    char expected[0x102 + 3] = "";

    (void)state;
    memset(bytes + 3, 'x', 0x102);
    bytes[3 + 0x102] = '\xc0';
    memset(expected, 'x', 0x102);
    memcpy(expected + 0x102, "{}", 3);
    assert_template(bytes, sizeof(bytes), expected);
    assert_template(bytes, sizeof(bytes) - 1, NULL);
    assert_template(bytes, 100, NULL);
}

static void other_bytes_are_none(void **state)
{
    (void)state;
    TEMPLATE("", NULL);
    TEMPLATE("\0", NULL);
    TEMPLATE("\xc0", NULL);
    /* Also four bytes of a number. */
    TEMPLATE("\xc0\x01\n\0", NULL);
    /* Text alone, text that is none, what goes on behind the end, and what ends too early. */
    TEMPLATE("\x05hello\0", NULL);
    TEMPLATE("\x03\x01\x02\x03\xc0\0", NULL);
    TEMPLATE("\x03\xff"
             "ab\xc0\0",
             NULL);
    TEMPLATE("\x03"
             "abc\xc0\0\x03"
             "abc",
             NULL);
    TEMPLATE("\x03"
             "abc\xc0",
             NULL);
    TEMPLATE("\x03"
             "abc\xc3 \0\0",
             NULL);
    TEMPLATE("\x09"
             "abc\xc0\0",
             NULL);
    TEMPLATE("\x03"
             "abc\x81\xc0\0",
             NULL);
    TEMPLATE("\x80\0\0\xc0\x03"
             "abc\0",
             NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_template_reads_as_the_source_has_it),
        cmocka_unit_test(long_text_has_a_length_of_two_bytes),
        cmocka_unit_test(other_bytes_are_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
