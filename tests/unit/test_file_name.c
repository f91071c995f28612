#include "cmocka_all.h"

#include "base/file.h"

static void a_bare_name_that_nothing_has_may_be_meant_as_something_else(void **state)
{
    (void)state;
    assert_true(file_is_unknown_name("parse::line"));
    assert_false(file_is_unknown_name("./parse::line"));
    assert_false(file_is_unknown_name("/none/there"));
    assert_false(file_is_unknown_name("."));
    assert_false(file_is_unknown_name("-"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bare_name_that_nothing_has_may_be_meant_as_something_else),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
