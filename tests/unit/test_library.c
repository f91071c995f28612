#include "cmocka_all.h"

#include <string.h>

#include "base/library.h"

static void the_functions_of_a_library_are_filled_in(void **state)
{
    (void)state;
    struct error err = {0};
    double (*cosine)(double) = NULL;
    void *sine = NULL;
    const struct library_symbol symbols[] = {{"cos", (void **)&cosine}, {"sin", &sine}};

    assert_int_equal(library_load("libm.so.6", "libc6", symbols, ARRAY_COUNT(symbols), &err), 0);
    assert_non_null(sine);
    assert_true(cosine(0.0) == 1.0);
}

static void a_library_that_is_not_there_is_named_with_its_package(void **state)
{
    (void)state;
    struct error err = {0};

    assert_int_equal(library_load("libnowhere.so.7", "libnowhere7", NULL, 0, &err), -1);
    assert_int_equal(err.kind, ERROR_MISSING);
    assert_string_equal(err.message, "the library libnowhere.so.7 is not installed");
    assert_non_null(strstr(err.hint, "apt-get install libnowhere7"));
}

static void a_file_that_is_no_library_is_said_to_be_none(void **state)
{
    (void)state;
    struct error err = {0};

    assert_int_equal(library_load("/etc/passwd", "libnowhere7", NULL, 0, &err), -1);
    assert_int_equal(err.kind, ERROR_MISSING);
    assert_non_null(strstr(err.message, "the library /etc/passwd cannot be loaded: /etc/passwd: "));
    assert_string_equal(err.hint, "");
}

static void a_function_that_is_not_there_is_named(void **state)
{
    (void)state;
    struct error err = {0};
    void *sine = NULL;
    void *missing = NULL;
    const struct library_symbol symbols[] = {{"sin", &sine}, {"no_such_function", &missing}};

    assert_int_equal(library_load("libm.so.6", "libc6", symbols, ARRAY_COUNT(symbols), &err), -1);
    assert_int_equal(err.kind, ERROR_MISSING);
    assert_string_equal(err.message, "the library libm.so.6 has no no_such_function");
    assert_non_null(strstr(err.hint, "apt-get install libc6"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_functions_of_a_library_are_filled_in),
        cmocka_unit_test(a_library_that_is_not_there_is_named_with_its_package),
        cmocka_unit_test(a_file_that_is_no_library_is_said_to_be_none),
        cmocka_unit_test(a_function_that_is_not_there_is_named),
    };

    return cmocka_run_group_tests_name("library", tests, NULL, NULL);
}
