#include "cmocka_all.h"

#include "collect/collect.h"

static void each_time_that_the_kernel_holds_sampling_back_counts(void **state)
{
    struct profile profile;
    struct recorder *recorder = NULL;
    const struct sampler_event throttled = {.kind = SAMPLER_THROTTLED, .pid = 7, .tid = 7};
    const struct sampler_event other = {.kind = SAMPLER_OTHER, .pid = 7, .tid = 7};

    (void)state;
    profile_init(&profile);
    recorder = recorder_new(&profile);
    recorder_take(recorder, &throttled);
    recorder_take(recorder, &other);
    /* Of a further run of the program as well. */
    recorder_forget_processes(recorder);
    recorder_take(recorder, &throttled);
    assert_int_equal(recorder_throttled_count(recorder), 2);
    recorder_free(recorder);
    profile_done(&profile);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_time_that_the_kernel_holds_sampling_back_counts),
    };

    return cmocka_run_group_tests_name("recorder", tests, NULL, NULL);
}
