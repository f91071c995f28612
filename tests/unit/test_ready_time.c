/* What a summary tells of threads that could have gone on and had no processor. */
#include "cmocka_all.h"

#include <string.h>

#include "profile_builder.h"
#include "view/summary.h"

static void time_without_a_processor_is_told_where_it_is_a_hundredth(void **state)
{
    static const char line[] = "\n  no processor: 10.0 ms more, in which threads could have gone on";
    struct profile profile;
    SCOPED(text_done) struct text told = {0};

    (void)state;
    profile_builder_init(&profile);
    profile.series.items[0].unit = profile_string(&profile, SLICE("us"));
    assert_true(
        profile_builder_add_lines(&profile, SLICE("3|app|own app main > kernel [kernel] schedule\n")));
    profile.wall_ns = 1000000000;
    profile.ready_ns = 10000000;
    summary_add_facts(&told, &profile, 0);
    assert_non_null(strstr(text_string(&told), line));
    profile.ready_ns--;
    text_clear(&told);
    summary_add_facts(&told, &profile, 0);
    assert_null(strstr(text_string(&told), "no processor"));
    profile_done(&profile);
}

static void time_without_a_processor_is_told_of_a_program_that_never_waits(void **state)
{
    struct profile profile;
    SCOPED(text_done) struct text told = {0};

    (void)state;
    profile_builder_init(&profile);
    profile.series.items[0].unit = profile_string(&profile, SLICE("us"));
    profile.wall_ns = 2000000000;
    profile.ready_ns = 1300000000;
    summary_add_facts(&told, &profile, 0);
    assert_non_null(strstr(text_string(&told), "\n  no processor: 1.30 s more"));
    profile_done(&profile);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(time_without_a_processor_is_told_where_it_is_a_hundredth),
        cmocka_unit_test(time_without_a_processor_is_told_of_a_program_that_never_waits),
    };

    return cmocka_run_group_tests_name("ready time", tests, NULL, NULL);
}
