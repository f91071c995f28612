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

static uint64_t kept_of(struct sampler_source source, const uint64_t *periods, size_t count)
{
    struct profile profile;
    struct recorder *recorder = NULL;
    uint64_t kept = 0;

    profile_init(&profile);
    recorder = recorder_new(&profile);
    recorder_add_source(recorder, source);
    for (size_t i = 0; i < count; i++) {
        const struct sampler_event sample = {
            .kind = SAMPLER_SAMPLE, .time_ns = 1 + i, .pid = 7, .tid = 7, .sample.period = periods[i]};

        recorder_take(recorder, &sample);
    }
    recorder_end(recorder);
    kept = profile.series.items[0].samples.count;
    recorder_free(recorder);
    profile_done(&profile);
    return kept;
}

/* The first of `perf record -e cycles -F 997` of a program on AArch64 (Linux 6.1). */
static void samples_by_which_the_kernel_finds_the_period_of_cycles_are_none(void **state)
{
    static const uint64_t periods[] = {1,   1,    1,     2,     8,      25,     121,
                                       508, 2422, 15447, 54632, 265443, 598721, 1532093};

    (void)state;
    assert_int_equal(
        kept_of((struct sampler_source){.event = "cycles", .unit = "cycles", .frequency_hz = 997}, periods,
                14),
        5);
    assert_int_equal(
        kept_of((struct sampler_source){.event = "cycles", .unit = "cycles", .frequency_hz = 0}, periods, 14),
        14);
    assert_int_equal(
        kept_of((struct sampler_source){.event = "instructions", .unit = "instructions", .frequency_hz = 997},
                periods, 14),
        14);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_time_that_the_kernel_holds_sampling_back_counts),
        cmocka_unit_test(samples_by_which_the_kernel_finds_the_period_of_cycles_are_none),
    };

    return cmocka_run_group_tests_name("recorder", tests, NULL, NULL);
}
