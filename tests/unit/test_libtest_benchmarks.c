#include "cmocka_all.h"

#include "diffed/libtest_benchmarks.h"
#include "profile_builder.h"
#include "profile_fixture.h"

#define HARNESS "own lt main > std test test::bench::benchmark::<fn()> > std core core::ops::call_once > "

static void what_the_harness_calls_beside_stds_own_are_benchmarks(void **state)
{
    struct profile_fixture *f = *state;
    struct profile *p = &f->profile;

    profile_builder_add(p, 0, SLICE("own lt main > own lt lt::set_up"), 3);
    assert_int_equal(libtest_benchmarks_count(p), 0);
    profile_builder_add(p, 0,
                        SLICE(HARNESS "own lt <lt::a::{closure#0} as FnOnce>::call_once > own lt lt::a"), 3);
    profile_builder_add(p, 0, SLICE(HARNESS "own lt lt::a > std test test::bench::iter > own lt lt::f"), 3);
    profile_builder_add(p, 0, SLICE(HARNESS "std alloc alloc::free"), 3);
    assert_int_equal(libtest_benchmarks_count(p), 1);
    profile_builder_add(p, 0, SLICE(HARNESS "own lt lt::b"), 3);
    assert_int_equal(libtest_benchmarks_count(p), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_the_harness_calls_beside_stds_own_are_benchmarks,
                                        profile_fixture_set_up, profile_fixture_tear_down),
    };

    return cmocka_run_group_tests_name("libtest_benchmarks", tests, NULL, NULL);
}
