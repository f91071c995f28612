#include "facts/series_unit.h"
#include "profile_fixture.h"

static bool lags(struct profile *profile, const char *event, const char *unit)
{
    return series_lags(profile, profile_add_series(profile, slice_of(event), slice_of(unit), 0));
}

static void what_is_sampled_where_it_happens_does_not_lag(void **state)
{
    struct profile *profile = &((struct profile_fixture *)*state)->profile;

    assert_true(lags(profile, "cpu-clock", "ns"));
    assert_true(lags(profile, "cycles:uppp", "cycles"));
    assert_true(lags(profile, "cache-misses", "cache-misses"));
    assert_false(lags(profile, "page-faults", "page-faults"));
    assert_false(lags(profile, "minor-faults:u", "minor-faults"));
    assert_false(lags(profile, "context-switches", "context-switches"));
    assert_false(lags(profile, "off-cpu", "us"));
    assert_false(lags(profile, "heap-peak", "bytes"));
    assert_false(lags(profile, "sched:sched_switch", "sched:sched_switch"));
    assert_false(lags(profile, "mem:0x404028/8:w", "accesses"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_is_sampled_where_it_happens_does_not_lag, profile_fixture_set_up,
                                        profile_fixture_tear_down),
    };

    return cmocka_run_group_tests_name("series unit", tests, NULL, NULL);
}
