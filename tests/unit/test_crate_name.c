#include "cmocka_all.h"

#include "rust/crate_name.h"

static void a_crate_is_found_by_its_name_and_by_its_packages(void **state)
{
    (void)state;
    assert_true(crate_name_is(SLICE("my_util"), SLICE("my_util")));
    assert_true(crate_name_is(SLICE("my_util"), SLICE("my-util")));
    assert_true(crate_name_is(SLICE("a_b_c"), SLICE("a-b_c")));
}

/* Labels of crates are packages' names where these tell more. */
static void a_label_with_a_dash_is_found_by_either(void **state)
{
    (void)state;
    assert_true(crate_name_is(SLICE("util (of my-util)"), SLICE("util (of my-util)")));
    assert_true(crate_name_is(SLICE("util (of my-util)"), SLICE("util (of my_util)")));
    assert_true(crate_name_is(SLICE("dup@1.0.0-rc.1"), SLICE("dup@1.0.0-rc.1")));
    assert_true(crate_name_is(SLICE("my-util"), SLICE("my_util")));
}

static void other_names_are_others(void **state)
{
    (void)state;
    assert_false(crate_name_is(SLICE("my_util"), SLICE("myutil")));
    assert_false(crate_name_is(SLICE("my_util"), SLICE("my-utils")));
    assert_false(crate_name_is(SLICE("my_utils"), SLICE("my-util")));
    assert_false(crate_name_is(SLICE("my_util"), SLICE("My_util")));
    assert_false(crate_name_is(SLICE("my_util"), SLICE("my.util")));
    assert_false(crate_name_is(SLICE("my_util"), SLICE("")));
    assert_true(crate_name_is(SLICE(""), SLICE("")));
}

static void a_package_is_called_in_code_as_its_crate(void **state)
{
    SCOPED(text_done) struct text text = {0};

    (void)state;
    crate_name_add(&text, SLICE("my-own_util"));
    assert_string_equal(text_string(&text), "my_own_util");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_crate_is_found_by_its_name_and_by_its_packages),
        cmocka_unit_test(a_label_with_a_dash_is_found_by_either),
        cmocka_unit_test(other_names_are_others),
        cmocka_unit_test(a_package_is_called_in_code_as_its_crate),
    };

    return cmocka_run_group_tests_name("crate_name", tests, NULL, NULL);
}
