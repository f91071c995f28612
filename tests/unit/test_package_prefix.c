#include "cmocka_all.h"

#include "rust/package_prefix.h"

static void assert_read(const char *symbol, const char *expected, const char *expected_version)
{
    SCOPED(text_done) struct text version = {0};
    struct slice package = {0};

    assert_int_equal(package_prefix_read(slice_of(symbol), &package, &version), expected != NULL);
    assert_true(slice_equal(package, slice_of(expected)));
    assert_string_equal(text_string(&version), expected_version);
}

static void the_package_and_its_version_stand_before_the_symbol(void **state)
{
    (void)state;
    assert_read("aws_lc_0_47_0_SHA256", "aws-lc-sys", "0.47.0");
    assert_read("aws_lc_fips_0_13_7_SHA256", "aws-lc-fips-sys", "0.13.7");
    assert_read("ring_core_0_17_14__x25519_sc_mask", "ring", "0.17.14");
}

static void any_other_symbol_tells_nothing(void **state)
{
    static const char *const symbols[] = {
        "",
        "SHA256",
        "aws_lc_",
        "aws_lc_rs_init",
        "aws_lc_0_47_SHA256",
        "aws_lc_0_47_0",
        "aws_lc_0_47_0_",
        "aws_lc_0_47_99999999999999999999_SHA256",
        "my_aws_lc_0_47_0_SHA256",
        "ring_core_0_17_14_x25519_sc_mask",
        "ring_core_0_17_14__",
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(symbols); i++)
        assert_read(symbols[i], NULL, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_package_and_its_version_stand_before_the_symbol),
        cmocka_unit_test(any_other_symbol_tells_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
