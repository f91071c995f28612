#include "cmocka_all.h"

#include "collect/collect.h"

enum { NO_PROCESS = 0x7ffffff0 }; /* more than the kernel gives to any (PID_MAX_LIMIT) */

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

/* A recording of one source, in `profile`, of which these samples were taken. */
static void record(struct profile *profile, struct sampler_source source, const struct sample_raw *samples,
                   size_t count)
{
    struct recorder *recorder = NULL;

    profile_init(profile);
    recorder = recorder_new(profile);
    recorder_add_source(recorder, source);
    for (size_t i = 0; i < count; i++) {
        const struct sampler_event event = {
            .kind = SAMPLER_SAMPLE, .time_ns = 1 + i, .pid = 7, .tid = 7, .sample = samples[i]};

        recorder_take(recorder, &event);
    }
    recorder_end(recorder);
    recorder_free(recorder);
}

static uint64_t kept_of(struct sampler_source source, const uint64_t *periods, size_t count)
{
    struct profile profile;
    struct sample_raw samples[16] = {{0}};
    uint64_t kept = 0;

    assert_in_range(count, 1, ARRAY_COUNT(samples));
    for (size_t i = 0; i < count; i++)
        samples[i].period = periods[i];
    record(&profile, source, samples, count);
    kept = profile.series.items[0].samples.count;
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
        6);
    assert_int_equal(
        kept_of((struct sampler_source){.event = "cycles", .unit = "cycles", .frequency_hz = 0}, periods, 14),
        14);
    assert_int_equal(
        kept_of((struct sampler_source){.event = "instructions", .unit = "instructions", .frequency_hz = 997},
                periods, 14),
        14);
}

static bool has_kernel_calls(bool is_user_only)
{
    const struct sampler_source source = {
        .event = "instructions", .unit = "instructions", .is_user_only = is_user_only};
    const struct sample_raw sample = {.address = 0xffffffff81000030, .in_kernel = true, .period = 1};
    struct profile profile;
    bool has = false;

    record(&profile, source, &sample, 1);
    assert_int_equal(profile.series.items[0].samples.count, 1);
    has = profile.locations.count > 0;
    profile_done(&profile);
    return has;
}

/* Counters interrupt late. */
static void what_is_not_to_be_of_the_kernel_has_no_calls_of_it(void **state)
{
    (void)state;
    assert_true(has_kernel_calls(false));
    assert_false(has_kernel_calls(true));
}

/* How many locations a sample by frame pointers has, of a thread that is gone and had this name. */
static size_t locations_of(const char *thread, const uint64_t *user_calls, size_t count)
{
    static const uint64_t kernel_calls[] = {0xffffffff81000030, 0xffffffff81000040};
    struct sampler_event name = {.kind = SAMPLER_NAME, .pid = NO_PROCESS, .tid = NO_PROCESS};
    struct sampler_event sample = {
        .kind = SAMPLER_SAMPLE, .time_ns = 1, .pid = NO_PROCESS, .tid = NO_PROCESS};
    struct profile profile;
    struct recorder *recorder = NULL;
    size_t locations = 0;

    name.name.name = slice_of(thread);
    sample.sample = (struct sample_raw){
        .address = kernel_calls[0],
        .in_kernel = true,
        .period = 1,
        .kernel_calls = {(const char *)kernel_calls, sizeof(kernel_calls)},
        .user_calls = {(const char *)user_calls, count * sizeof(*user_calls)},
    };
    profile_init(&profile);
    recorder = recorder_new(&profile);
    recorder_set_stacks(recorder, SAMPLER_STACKS_FRAME_POINTERS, 127);
    recorder_add_source(recorder, (struct sampler_source){.event = "instructions", .unit = "instructions"});
    recorder_take(recorder, &name);
    recorder_take(recorder, &sample);
    recorder_end(recorder);
    recorder_free(recorder);
    assert_int_equal(profile.series.items[0].samples.count, 1);
    locations = profile.locations.count;
    profile_done(&profile);
    return locations;
}

/* perf script of an io_uring's worker on Linux 6.1: its last line is "0 [unknown] ([unknown])". */
static void what_a_thread_of_the_kernels_began_with_is_no_call_of_a_program(void **state)
{
    static const uint64_t begun[] = {0};
    static const uint64_t called[] = {0x400000};

    (void)state;
    assert_int_equal(locations_of("iou-wrk-7", begun, 1), 2);
    assert_int_equal(locations_of("iou-wrk-7", called, 1), 3);
    /* Of a program that was told to go on where nothing is. */
    assert_int_equal(locations_of("app", begun, 1), 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_time_that_the_kernel_holds_sampling_back_counts),
        cmocka_unit_test(samples_by_which_the_kernel_finds_the_period_of_cycles_are_none),
        cmocka_unit_test(what_is_not_to_be_of_the_kernel_has_no_calls_of_it),
        cmocka_unit_test(what_a_thread_of_the_kernels_began_with_is_no_call_of_a_program),
    };

    return cmocka_run_group_tests_name("recorder", tests, NULL, NULL);
}
