#include "cmocka_all.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/scan.h"
#include "cargo/toml.h"

/* One case of the toml-test suite; see fixtures/toml/make.py. */
struct suite_case {
    struct slice name;
    struct slice toml;
    struct slice expected; /* tagged JSON; empty for a case that must be refused */
};

static bool next_case(struct scan *scan, struct suite_case *out)
{
    uint64_t toml_bytes = 0;
    uint64_t json_bytes = 0;

    return scan_word(scan, &out->name) && scan_byte(scan, ' ') && scan_decimal(scan, &toml_bytes) &&
           scan_byte(scan, ' ') && scan_decimal(scan, &json_bytes) && scan_byte(scan, '\n') &&
           scan_bytes(scan, toml_bytes, &out->toml) && scan_bytes(scan, json_bytes, &out->expected);
}

static const char *const type_names[] = {
    [TOML_STRING] = "string",         [TOML_INTEGER] = "integer",
    [TOML_FLOAT] = "float",           [TOML_BOOL] = "bool",
    [TOML_DATETIME] = "datetime",     [TOML_DATETIME_LOCAL] = "datetime-local",
    [TOML_DATE_LOCAL] = "date-local", [TOML_TIME_LOCAL] = "time-local",
};

static double float_of(struct slice text)
{
    SCOPED(text_done) struct text plain = {0};

    for (size_t i = 0; i < text.length; i++)
        if (text.data[i] != '_')
            text_add_byte(&plain, text.data[i]);
    return strtod(text_string(&plain), NULL);
}

static bool same_float(double a, double b)
{
    return isnan(a) ? isnan(b) : a == b && signbit(a) == signbit(b);
}

/* In capitals, with "T" between date and time, without zeros at the end of the fraction. */
static void add_time(struct text *text, struct slice time)
{
    size_t point = slice_find_byte(time, '.');
    size_t end = point;

    while (end < time.length && strchr(".0123456789", time.data[end]))
        end++;
    for (size_t i = 0; i < point; i++)
        text_add_byte(text, time.data[i] == ' ' || time.data[i] == 't' ? 'T' : time.data[i]);
    for (size_t kept = end; kept > point; kept--)
        if (!strchr(".0", time.data[kept - 1])) {
            text_add(text, slice_range(time, point, kept));
            break;
        }
    text_add(text, slice_range(time, end, time.length));
    if (text->length > 0 && text->data[text->length - 1] == 'z')
        text->data[text->length - 1] = 'Z';
}

static bool same_time(struct slice a, struct slice b)
{
    SCOPED(text_done) struct text plain_a = {0};
    SCOPED(text_done) struct text plain_b = {0};

    add_time(&plain_a, a);
    add_time(&plain_b, b);
    return slice_equal(text_slice(&plain_a), text_slice(&plain_b));
}

static bool same_scalar(const struct toml_node *node, const char *type, const char *value)
{
    if (node->kind > TOML_TIME_LOCAL || strcmp(type_names[node->kind], type) != 0)
        return false;
    switch (node->kind) {
    case TOML_INTEGER:
        return node->integer == strtoll(value, NULL, 10);
    case TOML_BOOL:
        return (node->integer == 1) == (strcmp(value, "true") == 0) && slice_is(node->text, value);
    case TOML_FLOAT:
        return same_float(float_of(node->text), strtod(value, NULL));
    case TOML_STRING:
        /* cJSON ends a string at a NUL. */
        return strcmp(node->text.data, value) == 0;
    default:
        return same_time(node->text, slice_of(value));
    }
}

/* cJSON ends a key at a NUL, too. */
static const struct toml_node *find_until_nul(const struct toml_node *table, const char *key)
{
    const struct toml_node *member = table->first_child;

    while (member && strcmp(member->key.data, key) != 0)
        member = member->next;
    return member;
}

static bool matches(const struct toml_node *node, const cJSON *expected)
{
    const cJSON *item = NULL;
    const struct toml_node *child = node->first_child;

    if (node->kind == TOML_ARRAY) {
        cJSON_ArrayForEach(item, expected)
        {
            if (!child || !matches(child, item))
                return false;
            child = child->next;
        }
        return cJSON_IsArray(expected) && !child;
    }
    if (node->kind != TOML_TABLE) {
        const cJSON *type = cJSON_GetObjectItem(expected, "type");
        const cJSON *value = cJSON_GetObjectItem(expected, "value");

        return cJSON_IsString(type) && cJSON_IsString(value) &&
               same_scalar(node, type->valuestring, value->valuestring);
    }
    int members = 0;
    for (; child; child = child->next)
        members++;
    cJSON_ArrayForEach(item, expected)
    {
        const struct toml_node *member = find_until_nul(node, item->string);

        if (!member || !matches(member, item))
            return false;
    }
    return cJSON_IsObject(expected) && members == cJSON_GetArraySize(expected);
}

static bool gives_what_is_expected(const struct suite_case *one)
{
    SCOPED(arena_done) struct arena arena = {0};
    const struct toml_node *root = NULL;
    struct error err = {0};
    bool parsed = toml_parse(&arena, one->toml, &root, &err) == 0;

    if (one->expected.length == 0) {
        uint64_t line = 0;
        struct scan message = scan_of(slice_of(err.message));

        return !parsed && !root && err.kind == ERROR_FORMAT && scan_text(&message, "line ") &&
               scan_decimal(&message, &line) && line > 0;
    }
    if (!parsed)
        return false;
    cJSON *expected = cJSON_ParseWithLength(one->expected.data, one->expected.length);
    bool same = expected && matches(root, expected);
    cJSON_Delete(expected);
    return same;
}

static void every_case_of_the_suite_is_read_or_refused_as_it_should(void **state)
{
    SCOPED(text_done) struct text content = {0};
    struct error err = {0};
    struct suite_case one;
    struct scan scan;
    size_t valid = 0;
    size_t invalid = 0;
    size_t wrong = 0;

    (void)state;
    assert_int_equal(file_read(FIXTURES "/toml/toml-1.0.cases", SIZE_MAX, &content, &err), 0);
    scan = scan_of(text_slice(&content));
    while (next_case(&scan, &one)) {
        bool is_valid = slice_starts_with(one.name, SLICE("valid/"));

        valid += is_valid;
        invalid += !is_valid;
        assert_true(is_valid == (one.expected.length > 0));
        if (!gives_what_is_expected(&one)) {
            wrong++;
            print_error("wrong: %.*s\n", SLICE_ARGUMENTS(one.name));
        }
    }
    assert_true(scan_at_end(&scan));
    assert_int_equal(valid, 208);
    assert_int_equal(invalid, 501);
    assert_int_equal(wrong, 0);
}

static void assert_refused(struct slice content, const char *message)
{
    SCOPED(arena_done) struct arena arena = {0};
    const struct toml_node *root = NULL;
    struct error err = {0};

    assert_int_equal(toml_parse(&arena, content, &root, &err), -1);
    assert_string_equal(err.message, message);
    assert_int_equal(err.kind, ERROR_FORMAT);
    assert_null(root);
}

static void refusals_name_the_line_and_the_cause(void **state)
{
    (void)state;
    assert_refused(SLICE("a = 1\n\n# x\r\na = 2\n"), "line 4: `a` is defined already in line 1");
    assert_refused(SLICE("[x]\ny.z = 1\n[x.y]\n"), "line 3: `y` is defined already in line 2");
    assert_refused(SLICE("a = \"\"\"\n\n\\q\"\"\""), "line 3: an unknown escape in a string");
    assert_refused(SLICE("a = [\n1,\n2"), "line 3: an array needs \",\" or \"]\" here");
    assert_refused(SLICE("a = {b = 1"), "line 1: an inline table needs \",\" or \"}\" here");
    assert_refused(SLICE("\na = \"\\ud800\""), "line 2: an escape names no Unicode character");
    assert_refused(SLICE("a = \"\\u12g4\""), "line 1: an escape needs 4 hexadecimal digits");
    assert_refused(SLICE("a = \"\\u12"), "line 1: an escape ends too early");
    assert_refused(SLICE("a = 9223372036854775808"), "line 1: `9223372036854775808` is no value");
    assert_refused(SLICE("a = -9223372036854775809"), "line 1: `-9223372036854775809` is no value");
    assert_refused(SLICE("a = 0x8000000000000000"), "line 1: `0x8000000000000000` is no value");
    assert_refused(SLICE("a = 99999999999999999999999999999999999999999999"),
                   "line 1: `9999999999999999999999999999999999999999` is no value");
    assert_refused(SLICE("a = 1979-05-"), "line 1: `1979-05-` is no value");
    assert_refused(SLICE("a = 1979-05-0a"), "line 1: `1979-05-0a` is no value");
    assert_refused(SLICE("a = 12:00:00.a"), "line 1: `12:00:00.a` is no value");
    assert_refused(SLICE("a = \"\\udfff\""), "line 1: an escape names no Unicode character");
    assert_refused(SLICE("a = 2023-02-29"), "line 1: `2023-02-29` is no value");
    assert_refused(SLICE("\n\xff"), "line 2: not UTF-8");
    assert_refused(SLICE("[[a]\n"), "line 1: a header does not end in ]]");
    assert_refused(SLICE("a = 1 b"), "line 1: something stands where the line should end");
}

static void depth_and_size_have_an_end(void **state)
{
    SCOPED(text_done) struct text content = {0};
    SCOPED(arena_done) struct arena arena = {0};
    const struct toml_node *root = NULL;
    struct error err = {0};

    (void)state;
    text_add_string(&content, "a = ");
    text_add_repeated(&content, '[', TOML_LIMIT_NESTING);
    text_add_repeated(&content, ']', TOML_LIMIT_NESTING);
    assert_int_equal(toml_parse(&arena, text_slice(&content), &root, &err), 0);
    text_clear(&content);
    text_add_string(&content, "a = ");
    text_add_repeated(&content, '[', TOML_LIMIT_NESTING + 1);
    assert_refused(text_slice(&content), "line 1: nested deeper than 256");
    text_clear(&content);
    text_add_repeated(&content, '\n', TOML_LIMIT_BYTES);
    assert_int_equal(toml_parse(&arena, text_slice(&content), &root, &err), 0);
    text_add_byte(&content, '\n');
    root = NULL;
    assert_refused(text_slice(&content), "larger than 1048576 bytes");
}

static void every_node_knows_its_line(void **state)
{
    SCOPED(arena_done) struct arena arena = {0};
    const struct toml_node *root = NULL;
    const struct toml_node *node = NULL;
    struct error err = {0};

    (void)state;
    assert_int_equal(
        toml_parse(
            &arena,
            SLICE("# top\n[a.b]\nk = \"\"\"\nx\n\"\"\"\nlist = [\n  1,\n  # no\n\n  -9223372036854775808\n]\n"
                  "[[c]]\n[[c]]\n[a]\n"),
            &root, &err),
        0);
    node = toml_find(root, SLICE("a"));
    assert_int_equal(node->line, 14);
    node = toml_find(node, SLICE("b"));
    assert_int_equal(node->line, 2);
    assert_int_equal(toml_find(node, SLICE("k"))->line, 3);
    assert_true(slice_is(toml_find(node, SLICE("k"))->text, "x\n"));
    node = toml_find(node, SLICE("list"));
    assert_int_equal(node->line, 6);
    assert_int_equal(node->first_child->line, 7);
    assert_int_equal(node->last_child->line, 10);
    assert_true(node->last_child->integer == INT64_MIN);
    assert_true(slice_is(node->last_child->text, "-9223372036854775808"));
    node = toml_find(root, SLICE("c"));
    assert_int_equal(node->first_child->line, 12);
    assert_int_equal(node->last_child->line, 13);
    assert_null(toml_find(root, SLICE("d")));
}

static void escapes_become_utf8_of_every_length(void **state)
{
    SCOPED(arena_done) struct arena arena = {0};
    const struct toml_node *root = NULL;
    struct error err = {0};

    (void)state;
    assert_int_equal(
        toml_parse(&arena,
                   SLICE("a = \"\\u007f\\u0080\\u07ff\\u0800\\ud7ff\\ue000\\uffff\\U00010000\\U0010ffff\""),
                   &root, &err),
        0);
    assert_string_equal(toml_find(root, SLICE("a"))->text.data,
                        "\x7f\xc2\x80\xdf\xbf\xe0\xa0\x80\xed\x9f\xbf\xee\x80\x80\xef\xbf\xbf\xf0\x90\x80\x80"
                        "\xf4\x8f\xbf\xbf");
}

static void the_largest_and_smallest_integers_are_read(void **state)
{
    SCOPED(arena_done) struct arena arena = {0};
    const struct toml_node *root = NULL;
    struct error err = {0};

    (void)state;
    assert_int_equal(
        toml_parse(&arena,
                   SLICE("a = 9223372036854775807\nb = 0x7fffffffffffffff\nc = -9223372036854775808\n"
                         "d = -0\n"),
                   &root, &err),
        0);
    assert_true(toml_find(root, SLICE("a"))->integer == INT64_MAX);
    assert_true(toml_find(root, SLICE("b"))->integer == INT64_MAX);
    assert_true(toml_find(root, SLICE("c"))->integer == INT64_MIN);
    assert_true(toml_find(root, SLICE("d"))->integer == 0);
}

/* Members are found by an index: 170,000 of them, and as many again in dotted keys, take no time. */
static void large_tables_are_read_in_linear_time(void **state)
{
    SCOPED(text_done) struct text content = {0};
    SCOPED(arena_done) struct arena arena = {0};
    const struct toml_node *root = NULL;
    struct error err = {0};

    (void)state;
    for (unsigned i = 0; content.length < TOML_LIMIT_BYTES - 40; i++)
        text_format(&content, "%x=1\n%x.%x=1\n", 2 * i, 2 * i + 1, i);
    assert_int_equal(toml_parse(&arena, text_slice(&content), &root, &err), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_case_of_the_suite_is_read_or_refused_as_it_should),
        cmocka_unit_test(refusals_name_the_line_and_the_cause),
        cmocka_unit_test(depth_and_size_have_an_end),
        cmocka_unit_test(every_node_knows_its_line),
        cmocka_unit_test(escapes_become_utf8_of_every_length),
        cmocka_unit_test(the_largest_and_smallest_integers_are_read),
        cmocka_unit_test(large_tables_are_read_in_linear_time),
    };

    return cmocka_run_group_tests_name("toml", tests, NULL, NULL);
}
