#include "cmocka_all.h"

#include <string.h>

#include "facts/cpu_time.h"
#include "facts/missed.h"
#include "profile_builder.h"

/* Of 2 s of CPU time, 1 s of it outside of the kernel, with samples at 1,000 Hz. */
static void assert_told(uint64_t count, const char *event, bool is_user_only, const char *expected)
{
    struct profile profile;
    struct profile_series *series = NULL;
    SCOPED(text_done) struct text said = {0};

    profile_builder_init(&profile);
    profile_builder_add(&profile, 0, SLICE("own app main"), count);
    profile.cpu_ns = 2000000000;
    profile.user_ns = 1000000000;
    series = &profile.series.items[0];
    series->event = profile_string(&profile, slice_of(event));
    series->unit = profile_string(&profile, SLICE("cycles"));
    series->frequency_hz = 1000;
    series->happened_count = series_sum_of_values(series);
    series->is_user_only = is_user_only;
    missed_add(&said, &profile, 0);
    assert_int_equal(said.length > 0, expected[0] != '\0');
    if (!slice_starts_with(text_slice(&said), slice_of(expected)))
        assert_string_equal(text_string(&said), expected);
    profile_done(&profile);
}

static void cycles_that_were_not_counted_are_known_by_the_time(void **state)
{
    (void)state;
    assert_told(
        20, "cycles", false,
        "missed: samples stand for 1.0% of its CPU time; the counter stood still, which the kernel does "
        "not tell: others use it");
    assert_told(499, "cpu-cycles", false, "missed: samples stand for 24.9% of its CPU time;");
    assert_told(500, "cycles", false, "");
    assert_told(20, "cycles:u", true,
                "missed: samples stand for 2.0% of its CPU time outside of the kernel;");
    assert_told(20, "instructions", false, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cycles_that_were_not_counted_are_known_by_the_time),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
