#include "cmocka_all.h"

#include "json/json_in.h"

#define SAMPLE                                                                                               \
    "{\"targets\":[{\"name\":\"a\"},{\"name\":7,\"deep\":{\"x\":null}}],\"n\":9007199254740992,"             \
    "\"big\":9007199254740994,\"half\":0.5,\"zero\":0,\"minus\":-1,\"yes\":true,\"no\":false,\"list\":[1,"   \
    "\"b\"]}"

struct fixture {
    struct json_document document;
    struct json_value root;
    struct error err;
};

static int set_up(void **state)
{
    static struct fixture fixture;

    fixture = (struct fixture){0};
    if (json_parse(slice_of(SAMPLE), 4096, &fixture.document, &fixture.err) < 0)
        return -1;
    fixture.root = json_root(&fixture.document);
    *state = &fixture;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;

    json_document_done(&f->document);
    return 0;
}

static void members_of_the_right_type_are_given(void **state)
{
    struct fixture *f = *state;
    uint64_t number = 0;
    double half = 0;
    bool yes = false;
    bool no = true;
    struct json_value targets;
    struct json_value first;
    struct slice name;

    assert_int_equal(json_get_u64(&f->root, "n", &number, &f->err), 0);
    assert_int_equal(number, UINT64_C(1) << 53);
    assert_int_equal(json_get_u64(&f->root, "zero", &number, &f->err), 0);
    assert_int_equal(number, 0);
    assert_int_equal(json_get_double(&f->root, "half", &half, &f->err), 0);
    assert_true(half == 0.5);
    assert_int_equal(json_get_bool(&f->root, "yes", &yes, &f->err), 0);
    assert_int_equal(json_get_bool(&f->root, "no", &no, &f->err), 0);
    assert_true(yes && !no);
    assert_int_equal(json_get_array(&f->root, "targets", &targets, &f->err), 0);
    assert_int_equal(json_count(&targets), 2);
    assert_true(json_first(&targets, &first));
    assert_int_equal(json_get_string(&first, "name", &name, &f->err), 0);
    assert_true(slice_is(name, "a"));
}

static void what_is_not_there_or_of_another_type_is_named_with_its_place(void **state)
{
    struct fixture *f = *state;
    struct json_value targets;
    struct json_value second;
    struct json_value deep;
    struct slice name = SLICE("before");
    uint64_t number = 42;

    assert_int_equal(json_get_array(&f->root, "targets", &targets, &f->err), 0);
    assert_true(json_first(&targets, &second) && json_next(&second));
    assert_int_equal(json_get_string(&second, "name", &name, &f->err), -1);
    assert_string_equal(f->err.message, "targets[1].name: not a string");
    assert_int_equal(f->err.kind, ERROR_FORMAT);
    assert_true(slice_is(name, "before"));
    assert_int_equal(json_get_object(&second, "deep", &deep, &f->err), 0);
    assert_int_equal(json_get_u64(&deep, "x", &number, &f->err), -1);
    assert_string_equal(f->err.message, "targets[1].deep.x: missing");
    assert_int_equal(number, 42);
    assert_int_equal(json_get_u64(&f->root, "y", &number, &f->err), -1);
    assert_string_equal(f->err.message, "y: missing");
    assert_int_equal(json_get_array(&f->root, "n", &deep, &f->err), -1);
    assert_string_equal(f->err.message, "n: not an array");
    assert_int_equal(json_get_object(&f->root, "targets", &deep, &f->err), -1);
    assert_string_equal(f->err.message, "targets: not an object");
    assert_int_equal(json_get_bool(&f->root, "n", &(bool){false}, &f->err), -1);
    assert_string_equal(f->err.message, "n: not true or false");
    assert_int_equal(json_get_double(&f->root, "yes", &(double){0}, &f->err), -1);
    assert_string_equal(f->err.message, "yes: not a number");
    assert_int_equal(json_as_string(&f->root, &name, &f->err), -1);
    assert_string_equal(f->err.message, "the outermost value: not a string");
}

static void only_whole_numbers_that_a_double_holds_are_u64(void **state)
{
    static const char *const not_whole[] = {"big", "half", "minus", "yes"};
    struct fixture *f = *state;
    uint64_t number = 42;

    for (size_t i = 0; i < ARRAY_COUNT(not_whole); i++)
        assert_int_equal(json_get_u64(&f->root, not_whole[i], &number, &f->err), -1);
    assert_int_equal(number, 42);
}

static void members_are_walked_with_their_names(void **state)
{
    struct fixture *f = *state;
    struct json_value item;
    struct json_value list;
    SCOPED(text_done) struct text path = {0};
    SCOPED(text_done) struct text json = {0};

    assert_true(json_first(&f->root, &item));
    assert_true(slice_is(json_name(&item), "targets"));
    assert_true(json_next(&item));
    assert_true(slice_is(json_name(&item), "n"));
    assert_false(json_first(&item, &list));
    assert_int_equal(json_count(&item), 0);
    assert_true(json_find(&f->root, "list", &list));
    assert_true(json_first(&list, &item) && json_next(&item) && !json_next(&item));
    json_add_path(&path, &item);
    assert_string_equal(text_string(&path), "list[1]");
    json_add_value(&json, &list);
    assert_string_equal(text_string(&json), "[1,\"b\"]");
    assert_false(json_find(&list, "x", &item));
}

static void assert_refused(struct slice content, const char *message)
{
    struct json_document document = {0};
    struct error err = {0};

    assert_int_equal(json_parse(content, 64, &document, &err), -1);
    assert_string_equal(err.message, message);
    assert_int_equal(err.kind, ERROR_FORMAT);
    assert_null(document.root);
}

static void what_is_no_json_is_refused_with_its_line(void **state)
{
    (void)state;
    assert_refused(SLICE(""), "not JSON, or nested too deep: line 1");
    assert_refused(SLICE("{\n\"a\": }"), "not JSON, or nested too deep: line 2");
    assert_refused(SLICE("{} x"), "not JSON, or nested too deep: line 1");
    assert_refused(SLICE("42 {"), "not JSON, or nested too deep: line 1");
    assert_refused(SLICE("]"), "not JSON, or nested too deep: line 1");
    assert_refused(SLICE("{\"a\" \"b\": \"c"), "not JSON, or nested too deep: line 1");
    assert_refused(SLICE("\n{}\0"), "not JSON: a NUL byte in line 2");
    assert_refused(SLICE("[\"1234567890123456789012345678901234567890123456789012345678901234567890\"]"),
                   "larger than 64 bytes");
}

static void what_stops_in_its_midst_is_cut_short(void **state)
{
    static const char *const cut[] = {
        "{", "{\"1\":1,", "{\"1", "{\"1\"", "{\"1\":", "{\"1\":tru", "[[\"a\\\"b], {\"", "[{}, 12", "\"a",
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(cut); i++)
        assert_refused(slice_of(cut[i]), "cut short: the JSON stops in line 1");
    assert_refused(SLICE("{\n\"a\": [\n"), "cut short: the JSON stops in line 3");
}

static void the_limit_is_the_size_that_is_still_read(void **state)
{
    struct json_document document = {0};
    struct error err = {0};

    (void)state;
    assert_int_equal(json_parse(SLICE("[1]"), 2, &document, &err), -1);
    assert_int_equal(json_parse(SLICE("[1]"), 3, &document, &err), 0);
    json_document_done(&document);
}

static void nesting_has_an_end(void **state)
{
    SCOPED(text_done) struct text text = {0};
    struct json_document document = {0};
    struct error err = {0};

    (void)state;
    text_add_repeated(&text, '[', 100000);
    text_add_repeated(&text, ']', 100000);
    assert_int_equal(json_parse(text_slice(&text), SIZE_MAX, &document, &err), -1);
    text_clear(&text);
    text_add_repeated(&text, '[', 900);
    text_add_repeated(&text, ']', 900);
    assert_int_equal(json_parse(text_slice(&text), SIZE_MAX, &document, &err), 0);
    json_document_done(&document);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(members_of_the_right_type_are_given, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_is_not_there_or_of_another_type_is_named_with_its_place, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(only_whole_numbers_that_a_double_holds_are_u64, set_up, tear_down),
        cmocka_unit_test_setup_teardown(members_are_walked_with_their_names, set_up, tear_down),
        cmocka_unit_test(what_is_no_json_is_refused_with_its_line),
        cmocka_unit_test(what_stops_in_its_midst_is_cut_short),
        cmocka_unit_test(the_limit_is_the_size_that_is_still_read),
        cmocka_unit_test(nesting_has_an_end),
    };

    return cmocka_run_group_tests_name("json_in", tests, NULL, NULL);
}
