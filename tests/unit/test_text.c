#include "cmocka_all.h"

#include <string.h>

#include "base/text.h"

typedef void escape_fn(struct text *text, struct slice bytes);

/* Fails when `escape` makes anything but `expected` of `bytes`. */
static void assert_escaped(escape_fn *escape, struct slice bytes, const char *expected)
{
    SCOPED(text_done) struct text text = {0};

    text_add_byte(&text, '<');
    escape(&text, bytes);
    text_add_byte(&text, '>');
    assert_true(slice_starts_with(text_slice(&text), SLICE("<")));
    assert_true(slice_ends_with(text_slice(&text), SLICE(">")));
    text.length--;
    assert_string_equal(text_string(&text) + 1, expected);
}

static void numbers_have_as_many_digits_as_they_need(void **state)
{
    SCOPED(text_done) struct text text = {0};

    (void)state;
    for (uint64_t number = 1; number <= 1000000000; number *= 10) {
        text_add_decimal(&text, number - 1);
        text_add_byte(&text, ' ');
        text_add_decimal(&text, number);
        text_add_byte(&text, ' ');
    }
    text_add_decimal(&text, UINT64_MAX);
    assert_string_equal(text_string(&text),
                        "0 1 9 10 99 100 999 1000 9999 10000 99999 100000 999999 1000000 9999999 10000000 "
                        "99999999 100000000 999999999 1000000000 18446744073709551615");
    text_clear(&text);
    text_add_hex(&text, 0);
    text_add_hex(&text, 15);
    text_add_hex(&text, 16);
    text_add_hex(&text, UINT64_MAX);
    assert_string_equal(text_string(&text), "0f10ffffffffffffffff");
}

static void text_grows_as_it_is_written(void **state)
{
    (void)state;
    SCOPED(text_done) struct text text = {0};

    assert_string_equal(text_string(&text), "");
    for (int i = 0; i < 1000; i++) {
        text_add(&text, SLICE("ab"));
        text_add_string(&text, "c");
        text_add_byte(&text, 'd');
        text_format(&text, "%03d", i);
    }
    assert_int_equal(text.length, 7000);
    assert_true(slice_starts_with(text_slice(&text), SLICE("abcd000abcd001")));
    assert_int_equal(strlen(text_string(&text)), 7000);
}

static void adding_nothing_changes_nothing(void **state)
{
    (void)state;
    SCOPED(text_done) struct text text = {0};

    text_add(&text, (struct slice){0});
    text_add_string(&text, NULL);
    text_add_repeated(&text, 'x', 0);
    text_format(&text, "%s", "");
    assert_int_equal(text.length, 0);
    assert_non_null(text_extend(&text, 0));
    assert_int_equal(text.length, 0);
}

static void the_end_of_the_string_is_no_part_of_the_text(void **state)
{
    (void)state;
    SCOPED(text_done) struct text text = {0};

    text_add_repeated(&text, 'x', 64);
    assert_int_equal(strlen(text_string(&text)), 64);
    assert_int_equal(text.length, 64);
    text_add_byte(&text, 'y');
    assert_int_equal(strlen(text_string(&text)), 65);
}

static void room_is_made_for_what_is_written(void **state)
{
    (void)state;
    SCOPED(text_done) struct text text = {0};

    text_add(&text, SLICE("ab"));
    memcpy(text_extend(&text, 3), "cde", 3);
    assert_string_equal(text_string(&text), "abcde");
    text_clear(&text);
    text_format(&text, "%064d", 1);
    assert_int_equal(text.length, 64);
}

static void clearing_keeps_the_memory_and_done_gives_it_back(void **state)
{
    (void)state;
    struct text text = {0};

    text_add(&text, SLICE("abc"));
    text_clear(&text);
    assert_int_equal(text.length, 0);
    assert_true(text.capacity > 0);
    text_done(&text);
    assert_null(text.data);
    assert_int_equal(text.capacity, 0);
}

static void on_a_terminal_control_characters_are_shown_not_obeyed(void **state)
{
    (void)state;
    assert_escaped(text_add_terminal, SLICE("plain \xc3\xa9 \xe2\x82\xac \xf0\x9f\xa6\x80 \\"),
                   "plain \xc3\xa9 \xe2\x82\xac \xf0\x9f\xa6\x80 \\");
    assert_escaped(text_add_terminal, SLICE("a\nb\tc\rd\x1b[31m\x7f"), "a\\nb\\tc\\x0dd\\x1b[31m\\x7f");
    assert_escaped(text_add_terminal, SLICE("nul\0end"), "nul\\x00end");
    assert_escaped(text_add_terminal, SLICE("\xc2\x80 \xc2\x9b 1m\xc2\x9f"), "\\u{80} \\u{9b} 1m\\u{9f}");
    assert_escaped(text_add_terminal, SLICE("\xc2\xa0"), "\xc2\xa0");
    assert_escaped(text_add_terminal, SLICE(""), "");
}

static void on_a_terminal_characters_that_turn_text_round_are_shown_not_obeyed(void **state)
{
    (void)state;
    const char *const turning[][2] = {
        {"\xd8\x9c", "\\u{61c}"},      {"\xe2\x80\x8e", "\\u{200e}"}, {"\xe2\x80\x8f", "\\u{200f}"},
        {"\xe2\x80\xa8", "\\u{2028}"}, {"\xe2\x80\xaa", "\\u{202a}"}, {"\xe2\x80\xae", "\\u{202e}"},
        {"\xe2\x81\xa6", "\\u{2066}"}, {"\xe2\x81\xa9", "\\u{2069}"}, {"\xef\xbb\xbf", "\\u{feff}"}};
    const char *const beside[] = {"\xd8\x9b",     "\xd8\x9d",     "\xe2\x80\x8d", "\xe2\x80\x90",
                                  "\xe2\x80\xa7", "\xe2\x80\xaf", "\xe2\x81\xa5", "\xe2\x81\xaa",
                                  "\xef\xbb\xbe", "\xd7\xa9"};

    for (size_t i = 0; i < ARRAY_COUNT(turning); i++)
        assert_escaped(text_add_terminal, slice_of(turning[i][0]), turning[i][1]);
    for (size_t i = 0; i < ARRAY_COUNT(beside); i++)
        assert_escaped(text_add_terminal, slice_of(beside[i]), beside[i]);
    assert_escaped(text_add_xml_line, SLICE("<\xe2\x80\xae>"), "&#60;\\u{202e}&#62;");
    assert_escaped(text_add_csv, SLICE("a\xe2\x80\xae"), "a\\u{202e}");
}

static void on_a_terminal_bytes_that_are_not_utf8_are_shown_in_hex(void **state)
{
    (void)state;
    assert_escaped(text_add_terminal,
                   SLICE("\x9b"
                         "1m"),
                   "\\x9b1m");
    assert_escaped(text_add_terminal,
                   SLICE("\xc2"
                         "A"),
                   "\\xc2A");
    assert_escaped(text_add_terminal, SLICE("a\xc2"), "a\\xc2");
    assert_escaped(text_add_terminal, SLICE("\xc0\x8a"), "\\xc0\\x8a");
    assert_escaped(text_add_terminal, SLICE("\xc1\xbf"), "\\xc1\\xbf");
    assert_escaped(text_add_terminal, SLICE("\xe0\x9f\xbf"), "\\xe0\\x9f\\xbf");
    assert_escaped(text_add_terminal, SLICE("\xed\xa0\x80"), "\\xed\\xa0\\x80");
    assert_escaped(text_add_terminal, SLICE("\xf0\x8f\xbf\xbf"), "\\xf0\\x8f\\xbf\\xbf");
    assert_escaped(text_add_terminal, SLICE("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");
    assert_escaped(text_add_terminal, SLICE("\xf5\x80\x80\x80"), "\\xf5\\x80\\x80\\x80");
    assert_escaped(text_add_terminal, SLICE("\xe2\x82"), "\\xe2\\x82");
    assert_escaped(text_add_terminal, SLICE("\xe2\x82\x41"),
                   "\\xe2\\x82"
                   "A");
    assert_escaped(text_add_terminal, SLICE("\xf0\x9f\xa6\xc0"), "\\xf0\\x9f\\xa6\\xc0");
}

static void the_borders_of_utf8_are_kept(void **state)
{
    (void)state;
    const char *const borders[] = {"\xc3\x80",         "\xdf\xbf",         "\xe0\xa0\x80",
                                   "\xed\x9f\xbf",     "\xee\x80\x80",     "\xef\xbf\xbd",
                                   "\xf0\x90\x80\x80", "\xf4\x8f\xbf\xbf", "\xf1\x80\x80\x80"};

    for (size_t i = 0; i < ARRAY_COUNT(borders); i++) {
        assert_escaped(text_add_terminal, slice_of(borders[i]), borders[i]);
        assert_escaped(text_add_json, slice_of(borders[i]), borders[i]);
        assert_escaped(text_add_xml, slice_of(borders[i]), borders[i]);
        assert_int_equal(text_columns(slice_of(borders[i])), 1);
    }
}

static void utf8_is_what_it_was_and_has_other_bytes_in_hex(void **state)
{
    (void)state;
    assert_escaped(text_add_utf8, SLICE("\n\x01\x7f\\ \"\xc3\xa9\""), "\n\x01\x7f\\ \"\xc3\xa9\"");
    assert_escaped(text_add_utf8, SLICE("a\xff\xfe-\xc3"), "a\\xff\\xfe-\\xc3");
    assert_true(text_is_utf8(SLICE("")));
    assert_true(text_is_utf8(SLICE("\n\xc3\xa9x")));
    assert_false(text_is_utf8(SLICE("x\xc3")));
    for (size_t at = 0; at + 2 <= 20; at++) {
        char bytes[21] = "aaaaaaaaaaaaaaaaaaaa";

        bytes[at] = '\xc3';
        assert_false(text_is_utf8((struct slice){bytes, 20}));
        bytes[at + 1] = '\xa9';
        assert_true(text_is_utf8((struct slice){bytes, 20}));
    }
}

static void json_strings_hold_any_bytes(void **state)
{
    (void)state;
    assert_escaped(text_add_json, SLICE("say \"hi\" c:\\x / \xc3\xa9 \x7f"),
                   "say \\\"hi\\\" c:\\\\x / \xc3\xa9 \x7f");
    assert_escaped(text_add_json, SLICE("\n\t\x1f\0"), "\\u000a\\u0009\\u001f\\u0000");
    assert_escaped(text_add_json,
                   SLICE("a\xff"
                         "b\xc3"),
                   "a\xef\xbf\xbd"
                   "b\xef\xbf\xbd");
}

/* Character by character the same as a terminal's form put into XML. */
static void a_line_of_xml_is_what_a_terminal_shows(void **state)
{
    (void)state;
    SCOPED(text_done) struct text line = {0};
    SCOPED(text_done) struct text shown = {0};
    SCOPED(text_done) struct text expected = {0};
    char bytes[3] = {0};

    for (unsigned first = 0; first < 256; first++)
        for (unsigned second = 0; second < 256; second++)
            for (unsigned third = 0x7f; third < 256; third += third == 0x7f ? 1 : 0x3f) {
                struct slice all = {bytes, sizeof(bytes)};

                bytes[0] = (char)first;
                bytes[1] = (char)second;
                bytes[2] = (char)third;
                text_clear(&line);
                text_clear(&shown);
                text_clear(&expected);
                text_add_xml_line(&line, all);
                text_add_terminal(&shown, all);
                text_add_xml(&expected, text_slice(&shown));
                assert_string_equal(text_string(&line), text_string(&expected));
            }
    assert_escaped(text_add_xml_line, SLICE("Vec<T>\n\xef\xbf\xbe"), "Vec&#60;T&#62;\\n\xef\xbf\xbd");
}

static void xml_gets_references_for_marks_and_a_replacement_for_what_it_cannot_hold(void **state)
{
    (void)state;
    assert_escaped(text_add_xml, SLICE("<a href='x'>\"&\"</a>"),
                   "&#60;a href=&#39;x&#39;&#62;&#34;&#38;&#34;&#60;/a&#62;");
    assert_escaped(text_add_xml, SLICE("a\nb\tc\rd\x7f"), "a\nb\tc&#13;d\x7f");
    assert_escaped(text_add_xml, SLICE("\x1b\0"), "\xef\xbf\xbd\xef\xbf\xbd");
    assert_escaped(text_add_xml, SLICE("\xff"), "\xef\xbf\xbd");
    assert_escaped(text_add_xml, SLICE("\xef\xbf\xbe\xef\xbf\xbf"), "\xef\xbf\xbd\xef\xbf\xbd");
}

static void a_csv_field_is_quoted_only_where_it_must_be(void **state)
{
    (void)state;
    assert_escaped(text_add_csv, SLICE("plain text"), "plain text");
    assert_escaped(text_add_csv, SLICE(""), "");
    assert_escaped(text_add_csv, SLICE("Vec<a, b>"), "\"Vec<a, b>\"");
    assert_escaped(text_add_csv, SLICE("say \"hi\""), "\"say \"\"hi\"\"\"");
    assert_escaped(text_add_csv, SLICE("a\nb"), "a\\nb");
    assert_escaped(text_add_csv, SLICE("\x1b[1m,\r\xff"), "\"\\x1b[1m,\\x0d\\xff\"");
    assert_escaped(text_add_csv, slice_range(SLICE("ab,"), 0, 2), "ab");
}

static void a_word_for_the_shell_is_quoted_only_where_it_must_be(void **state)
{
    (void)state;
    assert_escaped(text_add_shell, SLICE("--config=a.b=1,c:d/E_f@2%+"), "--config=a.b=1,c:d/E_f@2%+");
    assert_escaped(text_add_shell, SLICE(""), "''");
    assert_escaped(text_add_shell, SLICE("two words"), "'two words'");
    assert_escaped(text_add_shell, SLICE("^core::fmt"), "'^core::fmt'");
    assert_escaped(text_add_shell, SLICE("=ls"), "'=ls'");
    assert_escaped(text_add_shell, SLICE("~"), "'~'");
    assert_escaped(text_add_shell, SLICE("it's"), "'it'\\''s'");
    assert_escaped(text_add_shell, SLICE("\xc3\xbc"), "'\xc3\xbc'");
}

static void a_nul_in_a_csv_field_is_written_out(void **state)
{
    (void)state;
    SCOPED(text_done) struct text text = {0};

    text_add_csv(&text, SLICE("a\0b"));
    assert_string_equal(text_string(&text), "a\\x00b");
}

static void a_code_point_is_a_column_and_so_is_a_stray_byte(void **state)
{
    (void)state;
    assert_int_equal(text_columns((struct slice){0}), 0);
    assert_int_equal(text_columns(SLICE("abc")), 3);
    assert_int_equal(text_columns(SLICE("\xc3\xa9\xe2\x82\xac\xf0\x9f\xa6\x80")), 3);
    assert_int_equal(text_columns(SLICE("\xff\xe2\x82")), 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_have_as_many_digits_as_they_need),
        cmocka_unit_test(text_grows_as_it_is_written),
        cmocka_unit_test(adding_nothing_changes_nothing),
        cmocka_unit_test(the_end_of_the_string_is_no_part_of_the_text),
        cmocka_unit_test(room_is_made_for_what_is_written),
        cmocka_unit_test(clearing_keeps_the_memory_and_done_gives_it_back),
        cmocka_unit_test(on_a_terminal_control_characters_are_shown_not_obeyed),
        cmocka_unit_test(on_a_terminal_characters_that_turn_text_round_are_shown_not_obeyed),
        cmocka_unit_test(on_a_terminal_bytes_that_are_not_utf8_are_shown_in_hex),
        cmocka_unit_test(the_borders_of_utf8_are_kept),
        cmocka_unit_test(utf8_is_what_it_was_and_has_other_bytes_in_hex),
        cmocka_unit_test(json_strings_hold_any_bytes),
        cmocka_unit_test(a_line_of_xml_is_what_a_terminal_shows),
        cmocka_unit_test(xml_gets_references_for_marks_and_a_replacement_for_what_it_cannot_hold),
        cmocka_unit_test(a_csv_field_is_quoted_only_where_it_must_be),
        cmocka_unit_test(a_word_for_the_shell_is_quoted_only_where_it_must_be),
        cmocka_unit_test(a_nul_in_a_csv_field_is_written_out),
        cmocka_unit_test(a_code_point_is_a_column_and_so_is_a_stray_byte),
    };

    return cmocka_run_group_tests_name("text", tests, NULL, NULL);
}
