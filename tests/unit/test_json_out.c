#include "cmocka_all.h"

#include <locale.h>
#include <math.h>

#include "json/json_out.h"

static void put_nested(struct json_out *out)
{
    json_begin_object(out);
    json_put_key(out, "rows");
    json_begin_array(out);
    json_begin_object(out);
    json_put_key(out, "size");
    json_put_u64(out, UINT64_MAX);
    json_put_key(out, "delta");
    json_put_i64(out, INT64_MIN);
    json_end_object(out);
    json_put_bool(out, true);
    json_put_bool(out, false);
    json_put_null(out);
    json_end_array(out);
    json_put_key(out, "none");
    json_begin_array(out);
    json_end_array(out);
    json_put_key(out, "empty");
    json_begin_object(out);
    json_end_object(out);
    json_end_object(out);
}

static void one_line_has_no_spaces(void **state)
{
    SCOPED(text_done) struct text text = {0};
    struct json_out out = json_out_of(&text);

    (void)state;
    put_nested(&out);
    assert_string_equal(text_string(&text),
                        "{\"rows\":[{\"size\":18446744073709551615,\"delta\":-9223372036854775808},"
                        "true,false,null],\"none\":[],\"empty\":{}}");
}

static void items_down_to_the_broken_depth_stand_on_their_own_lines(void **state)
{
    SCOPED(text_done) struct text text = {0};
    struct json_out out = json_out_of(&text);

    (void)state;
    out.broken_depth = 2;
    put_nested(&out);
    assert_string_equal(text_string(&text), "{\n"
                                            "  \"rows\": [\n"
                                            "    {\"size\": 18446744073709551615, \"delta\": "
                                            "-9223372036854775808},\n"
                                            "    true,\n"
                                            "    false,\n"
                                            "    null\n"
                                            "  ],\n"
                                            "  \"none\": [],\n"
                                            "  \"empty\": {}\n"
                                            "}");
}

static void strings_and_keys_are_escaped(void **state)
{
    SCOPED(text_done) struct text text = {0};
    struct json_out out = json_out_of(&text);

    (void)state;
    json_begin_object(&out);
    json_put_key(&out, "a\"b");
    json_put_string(&out, SLICE("\n\\\xff"));
    json_put_key_slice(&out, SLICE(""));
    json_put_string(&out, (struct slice){0});
    json_end_object(&out);
    assert_string_equal(text_string(&text), "{\"a\\\"b\":\"\\u000a\\\\\xef\xbf\xbd\",\"\":\"\"}");
}

static void assert_double(double value, const char *expected)
{
    SCOPED(text_done) struct text text = {0};
    struct json_out out = json_out_of(&text);

    json_put_double(&out, value);
    assert_string_equal(text_string(&text), expected);
}

static void doubles_read_back_as_the_same_and_are_short(void **state)
{
    (void)state;
    assert_double(0.1, "0.1");
    assert_double(1.0 / 3, "0.3333333333333333");
    assert_double(0.1 + 0.2, "0.30000000000000004");
    assert_double(-2, "-2");
    assert_double(1e300, "1e+300");
    assert_double(5e-324, "4.94065645841247e-324");
    assert_double(NAN, "null");
    assert_double(-INFINITY, "null");
}

static void doubles_have_a_point_in_every_locale(void **state)
{
    (void)state;
    if (!setlocale(LC_NUMERIC, "de_DE.UTF-8") && !setlocale(LC_NUMERIC, "fr_FR.UTF-8"))
        skip();
    assert_double(-1.5e-7, "-1.5e-07");
    setlocale(LC_NUMERIC, "C");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_line_has_no_spaces),
        cmocka_unit_test(items_down_to_the_broken_depth_stand_on_their_own_lines),
        cmocka_unit_test(strings_and_keys_are_escaped),
        cmocka_unit_test(doubles_read_back_as_the_same_and_are_short),
        cmocka_unit_test(doubles_have_a_point_in_every_locale),
    };

    return cmocka_run_group_tests_name("json_out", tests, NULL, NULL);
}
