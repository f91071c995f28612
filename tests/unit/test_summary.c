#include "cmocka_all.h"

#include <string.h>

#include "profile_builder.h"
#include "view/summary.h"

/* A profile of `count` samples of a millisecond each, of a program that took `cpu_ns` as the system tells. */
static void assert_sampled(uint64_t count, uint64_t cpu_ns, const char *expected)
{
    struct profile profile;
    SCOPED(text_done) struct text said = {0};

    profile_builder_init(&profile);
    profile_builder_add(&profile, 0, SLICE("own app main"), count);
    profile.cpu_ns = cpu_ns;
    summary_add_sampled(&said, &profile, 0);
    assert_string_equal(text_string(&said), expected);
    profile_done(&profile);
}

static void the_time_spent_is_the_systems_where_samples_were_lost(void **state)
{
    (void)state;
    assert_sampled(1000, 2000000000, "1,000 samples of cpu-clock at 1000 Hz: 2.00 s of CPU time, 1 thread");
}

static void the_time_spent_is_what_samples_stand_for_where_the_system_misses_children(void **state)
{
    (void)state;
    assert_sampled(3000, 1000000000, "3,000 samples of cpu-clock at 1000 Hz: 3.00 s of CPU time, 1 thread");
}

static void the_clocks_own_error_is_not_taken_for_children(void **state)
{
    (void)state;
    assert_sampled(2040, 2000000000, "2,040 samples of cpu-clock at 1000 Hz: 2.00 s of CPU time, 1 thread");
}

static void samples_tell_the_time_where_the_system_does_not(void **state)
{
    (void)state;
    assert_sampled(1, 0, "1 sample of cpu-clock at 1000 Hz: 1.0 ms of CPU time, 1 thread");
}

static void a_time_of_less_than_ten_milliseconds_is_not_told_as_none(void **state)
{
    (void)state;
    assert_sampled(9, 9400000, "9 samples of cpu-clock at 1000 Hz: 9.4 ms of CPU time, 1 thread");
    assert_sampled(10, 10000000, "10 samples of cpu-clock at 1000 Hz: 0.01 s of CPU time, 1 thread");
}

static void lost_samples_stand_for_time_where_the_system_tells_none(void **state)
{
    struct profile profile;
    SCOPED(text_done) struct text said = {0};

    (void)state;
    profile_builder_init(&profile);
    profile_builder_add(&profile, 0, SLICE("own app main"), 1500);
    profile.series.items[0].lost_count = 500;
    summary_add_sampled(&said, &profile, 0);
    assert_string_equal(text_string(&said),
                        "1,500 samples of cpu-clock at 1000 Hz: 2.00 s of CPU time, 1 thread");
    profile_done(&profile);
}

/* A millisecond of another thread of that run. */
static void add_thread(struct profile *profile, uint32_t run, uint32_t tid)
{
    uint32_t thread = profile_add_thread(profile, 100 + run, tid, SLICE("app"));

    profile->threads.items[thread].run = run;
    profile_builder_add(profile, thread, SLICE("own app main"), 1);
    profile_builder_finish(profile);
}

static void assert_threads(const struct profile *profile, const char *expected)
{
    SCOPED(text_done) struct text said = {0};

    summary_add_sampled(&said, profile, 0);
    if (!slice_ends_with(text_slice(&said), slice_of(expected)))
        fail_msg("%s does not end with %s", text_string(&said), expected);
}

static void each_run_has_the_programs_threads_anew(void **state)
{
    struct profile profile;

    (void)state;
    profile_builder_init(&profile);
    profile_builder_add(&profile, 0, SLICE("own app main"), 1);
    profile.run_count = 3;
    add_thread(&profile, 0, 700);
    assert_threads(&profile, " of CPU time, 3 runs, 2 threads in all");
    add_thread(&profile, 1, 701);
    add_thread(&profile, 1, 702);
    assert_threads(&profile, " of CPU time, 3 runs of up to 2 threads");
    add_thread(&profile, 2, 703);
    assert_threads(&profile, " of CPU time, 3 runs of up to 2 threads");
    add_thread(&profile, 2, 704);
    assert_threads(&profile, " of CPU time, 3 runs of 2 threads");
    profile.run_count = 0; /* as of a part of it */
    assert_threads(&profile, " of CPU time, 3 runs of 2 threads");
    profile_done(&profile);
}

/* Three samples, of a million page faults each. */
static void init_faults(struct profile *profile)
{
    profile_builder_init(profile);
    profile_builder_add(profile, 0, SLICE("own app main"), 3);
    profile->series.items[0].unit = profile_string(profile, SLICE("page-faults"));
    profile->series.items[0].frequency_hz = 0;
}

static void what_lost_samples_stand_for_is_counted_where_each_stands_for_as_many(void **state)
{
    struct profile profile;
    SCOPED(text_done) struct text said = {0};

    (void)state;
    init_faults(&profile);
    profile.series.items[0].lost_count = 2;
    summary_add_sampled(&said, &profile, 0);
    assert_string_equal(text_string(&said),
                        "3,000,000 of 5,000,000 page-faults in 3 samples, 1,000,000 each, 1 thread");
    said.length = 0;
    profile.series.items[0].frequency_hz = 99;
    summary_add_sampled(&said, &profile, 0);
    assert_string_equal(text_string(&said), "3,000,000 page-faults in 3 samples at 99 Hz, 1 thread");
    profile_done(&profile);
}

static void what_the_kernel_counted_is_the_whole_and_what_has_no_sample_leads(void **state)
{
    struct profile profile;
    SCOPED(text_done) struct text said = {0};

    (void)state;
    init_faults(&profile);
    profile.series.items[0].happened_count = 30000000;
    summary_add_facts(&said, &profile, 0);
    assert_true(slice_starts_with(
        text_slice(&said),
        SLICE("missed: samples stand for 10.0% of its page-faults; threads and processes in which few happen "
              "have none (-c 1 samples each)\n3,000,000 of 30,000,000 page-faults in 3 samples, 1,000,000 "
              "each, 1 thread\n")));
    said.length = 0;
    profile.series.items[0].happened_count = 3000001;
    summary_add_facts(&said, &profile, 0);
    assert_true(slice_starts_with(text_slice(&said), SLICE("3,000,000 of 3,000,001 page-faults")));
    profile_done(&profile);
}

static void waits_without_callers_are_told_as_such(void **state)
{
    static const char told[] = "  callers were not recorded (--call-graph none), so that nobody knows where "
                               "threads waited, and what for\n";
    struct profile profile;
    SCOPED(text_done) struct text said = {0};

    (void)state;
    profile_builder_init(&profile);
    profile.series.items[0].unit = profile_string(&profile, SLICE("us"));
    assert_true(profile_builder_add_lines(&profile, SLICE("3|app|kernel [kernel] schedule\n")));
    summary_add_facts(&said, &profile, 0);
    assert_true(slice_ends_with(text_slice(&said), slice_of(told)));
    said.length = 0;
    profile_builder_add(&profile, 0, SLICE("own app main > kernel [kernel] schedule"), 1);
    profile_builder_finish(&profile);
    summary_add_facts(&said, &profile, 0);
    assert_false(slice_ends_with(text_slice(&said), slice_of(told)));
    profile_done(&profile);
}

/* How much of a part is missed nobody knows, but that it is a part of what clearly was. */
static void a_part_of_what_was_missed_or_lost_is_at_least_so_much(void **state)
{
    struct profile profile;
    struct series_whole *whole = NULL;
    SCOPED(text_done) struct text said = {0};

    (void)state;
    init_faults(&profile);
    whole = &profile.series.items[0].whole;
    *whole = (struct series_whole){.sample_count = 10, .value_sum = 10000000, .happened_count = 10000000};
    summary_add_facts(&said, &profile, 0);
    assert_true(slice_starts_with(text_slice(&said), SLICE("3,000,000 page-faults in 3 samples, ")));
    said.length = 0;
    whole->happened_count = 40000000;
    summary_add_facts(&said, &profile, 0);
    assert_true(slice_starts_with(
        text_slice(&said),
        SLICE("missed: samples stand for 25.0% of the whole recording's page-faults; threads and processes "
              "in which few happen have none (-c 1 samples each)\nat least 3,000,000 page-faults in 3 "
              "samples, ")));
    said.length = 0;
    whole->happened_count = 15000000;
    whole->lost_count = 5;
    summary_add_facts(&said, &profile, 0);
    assert_true(slice_starts_with(
        text_slice(&said),
        SLICE("lost: 5 of 15 samples of the whole recording (33.3%): the machine could not keep up; sampling "
              "more seldom (a larger -c) loses less\nat least 3,000,000 page-faults in 3 samples, ")));
    profile_done(&profile);
}

static void assert_counted(const char *event, const char *unit, const char *expected)
{
    struct profile profile;
    SCOPED(text_done) struct text said = {0};

    init_faults(&profile);
    profile.series.items[0].event = profile_string(&profile, slice_of(event));
    profile.series.items[0].unit = profile_string(&profile, slice_of(unit));
    summary_add_sampled(&said, &profile, 0);
    assert_string_equal(text_string(&said), expected);
    profile_done(&profile);
}

static void an_event_that_its_unit_does_not_tell_is_named(void **state)
{
    (void)state;
    assert_counted("sched:sched_switch", "events",
                   "3,000,000 events of sched:sched_switch in 3 samples, 1,000,000 each, 1 thread");
    assert_counted("r1a8", "events", "3,000,000 events of r1a8 in 3 samples, 1,000,000 each, 1 thread");
    assert_counted("mem:0x404028:w", "writes",
                   "3,000,000 writes of mem:0x404028:w in 3 samples, 1,000,000 each, 1 thread");
    assert_counted("page-faults:u", "page-faults",
                   "3,000,000 page-faults in 3 samples, 1,000,000 each, 1 thread");
    assert_counted("cs", "context-switches",
                   "3,000,000 context-switches in 3 samples, 1,000,000 each, 1 thread");
}

static void what_each_sample_stands_for_is_told_where_it_is_the_same_for_all(void **state)
{
    struct profile profile;
    SCOPED(text_done) struct text said = {0};

    (void)state;
    profile_builder_init(&profile);
    profile_builder_add(&profile, 0, SLICE("own app main"), 60);
    profile.series.items[0].frequency_hz = 0;
    summary_add_sampled(&said, &profile, 0);
    assert_string_equal(text_string(&said),
                        "60 samples of cpu-clock, 1.0 ms each: 0.06 s of CPU time, 1 thread");
    said.length = 0;
    profile_add_sample(&profile, 0, (struct profile_sample){.value = 999999, .stack = PROFILE_NONE});
    profile_builder_finish(&profile);
    summary_add_sampled(&said, &profile, 0);
    assert_string_equal(text_string(&said), "61 samples of cpu-clock: 0.06 s of CPU time, 1 thread");
    profile_done(&profile);
}

static void a_smaller_count_is_not_advised_where_each_event_has_its_sample(void **state)
{
    struct profile profile;
    SCOPED(text_done) struct text said = {0};

    (void)state;
    profile_builder_init(&profile);
    profile.series.items[0].event = profile_string(&profile, SLICE("sched:sched_wakeup"));
    profile.series.items[0].unit = profile_string(&profile, SLICE("events"));
    profile.series.items[0].frequency_hz = 0;
    for (uint64_t i = 0; i < 100; i++)
        profile_add_sample(
            &profile, 0,
            (struct profile_sample){.time_ns = i, .value = 1, .thread = 0, .stack = PROFILE_NONE});
    profile_builder_finish(&profile);
    profile.series.items[0].happened_count = 250;
    summary_add_facts(&said, &profile, 0);
    assert_true(slice_starts_with(
        text_slice(&said),
        SLICE("missed: samples stand for 40.0% of its events; the kernel counted the others "
              "without a sample, as it counts a wakeup for the thread that is woken, too\n"
              "100 of 250 events of sched:sched_wakeup in 100 samples, 1 thread\n")));
    profile_done(&profile);
}

/* What is said of 990 samples and so many lost ones begins with the loss. */
static bool begins_with_the_loss(uint64_t lost_count)
{
    struct profile profile;
    SCOPED(text_done) struct text said = {0};
    bool begins = false;

    profile_builder_init(&profile);
    profile_builder_add(&profile, 0, SLICE("own app main"), 990);
    profile.series.items[0].lost_count = lost_count;
    summary_add_facts(&said, &profile, 0);
    begins = slice_starts_with(text_slice(&said), SLICE("lost: "));
    profile_done(&profile);
    return begins;
}

static void more_than_one_lost_in_a_hundred_leads(void **state)
{
    (void)state;
    assert_true(begins_with_the_loss(11));
    assert_false(begins_with_the_loss(10));
    assert_false(begins_with_the_loss(0));
}

static void files_without_names_that_hardly_count_take_one_line(void **state)
{
    struct profile profile;
    SCOPED(text_done) struct text said = {0};

    (void)state;
    profile_builder_init(&profile);
    profile_builder_add(&profile, 0, SLICE("own app main"), 9990);
    profile_builder_add(&profile, 0, SLICE("[large.so]"), 10);
    for (int i = 0; i < 3; i++) {
        uint32_t small = 0;

        profile_builder_add(&profile, 0, slice_of(i == 0 ? "[a.so]" : i == 1 ? "[b.so]" : "[c.so]"), 2);
        small = (uint32_t)profile.functions.count - 1;
        profile.functions.items[small].crate = profile.functions.items[small].name;
    }
    summary_add_facts(&said, &profile, 0);
    assert_non_null(strstr(text_string(&said), "\n  no name: 0.1%, because no symbol covers it\n"
                                               "  no name: 0.1% in 3 more files, less than 0.1% in each\n"));
    profile_done(&profile);
}

static void missing_debug_information_is_told(void **state)
{
    struct profile profile;
    SCOPED(text_done) struct text said = {0};

    (void)state;
    profile_builder_init(&profile);
    profile_builder_add(&profile, 0, SLICE("own app main"), 3);
    profile.why_no_calls = profile_string(&profile, SLICE("app.dwp: packed\x1b"));
    summary_add_facts(&said, &profile, 0);
    assert_non_null(strstr(text_string(&said),
                           "  no inlined calls or lines: of some code, whose lines may be those of "
                           "other functions: app.dwp: packed"));
    assert_null(strchr(text_string(&said), '\x1b'));
    profile_done(&profile);
}

/* What the facts begin with. */
static void assert_begins(uint64_t count, uint64_t lost_count, bool is_user_only, const char *expected)
{
    struct profile profile;
    SCOPED(text_done) struct text said = {0};

    profile_builder_init(&profile);
    profile_builder_add(&profile, 0, SLICE("own app main"), count);
    profile.cpu_ns = 2000000000;
    profile.user_ns = 1000000000;
    profile.series.items[0].lost_count = lost_count;
    profile.series.items[0].is_user_only = is_user_only;
    summary_add_facts(&said, &profile, 0);
    if (!slice_starts_with(text_slice(&said), slice_of(expected)))
        assert_string_equal(text_string(&said), expected);
    profile_done(&profile);
}

static void time_that_samples_do_not_stand_for_leads(void **state)
{
#define WHY                                                                                                  \
    "the first 1.0 ms of each thread on each processor have none (a higher frequency, -F, meets more), nor " \
    "has the time that switching from thread to thread takes, or in which a busy machine lets no clock tick"
    (void)state;
    assert_begins(600, 0, false,
                  "missed: samples stand for 30.0% of its CPU time; " WHY
                  "; exec --all-cpus (as root) meets short ones as it does others\n600 samples");
    assert_begins(1200, 0, false, "missed: samples stand for 60.0% of its CPU time; " WHY "\n1,200 samples");
#undef WHY
    assert_begins(1800, 0, false, "1,800 samples");
    assert_begins(300, 0, true,
                  "missed: samples stand for 30.0% of its CPU time outside of the kernel; the first");
}

static void samples_that_come_too_fast_are_asked_for_more_seldom(void **state)
{
    struct profile profile;
    SCOPED(text_done) struct text said = {0};

    (void)state;
    profile_builder_init(&profile);
    profile_builder_add(&profile, 0, SLICE("own app main"), 1200);
    profile.cpu_ns = 2000000000;
    profile.series.items[0].frequency_hz = 100000;
    summary_add_facts(&said, &profile, 0);
    assert_true(
        slice_starts_with(text_slice(&said),
                          SLICE("missed: samples stand for 60.0% of its CPU time; at one each 10 us the next "
                                "is due before the last is taken: a lower frequency, -F, misses less\n")));
    profile_done(&profile);
}

static void what_was_lost_or_not_asked_for_was_not_missed(void **state)
{
    (void)state;
    assert_begins(600, 1400, false,
                  "lost: 1,400 of 2,000 samples (70.0%): the machine could not keep up; a lower "
                  "frequency (-F) loses less\n600 samples");
    assert_begins(800, 0, true, "800 samples");
}

/* Of the heap: so many bytes of one allocation that was sampled, and `rest` that no sample stands for. */
static void tell_of_rest(uint64_t rest, uint64_t without_stack, struct text *out)
{
    struct profile profile;
    struct profile_sample sample = {.stack = PROFILE_NONE, .value = rest};

    text_clear(out);
    profile_builder_init(&profile);
    profile.series.items[0].event = profile_string(&profile, SLICE("heap-end"));
    profile.series.items[0].unit = profile_string(&profile, SLICE("bytes"));
    profile.series.items[0].heap = HEAP_EVENT_END;
    profile_builder_add(&profile, 0, SLICE("own app main"), 1);
    profile.series.items[0].ended_counts[STACK_NO_USER] = without_stack;
    profile_add_sample(&profile, 0, sample);
    profile_builder_finish(&profile);
    summary_add_facts(out, &profile, 0);
    profile_done(&profile);
}

static void memory_of_which_no_sample_tells_who_asked_for_it_is_told(void **state)
{
    SCOPED(text_done) struct text told = {0};

    (void)state;
    tell_of_rest(250000, 0, &told);
    assert_non_null(strstr(text_string(&told), "\n  no stack: 20.0%, as too few allocations were sampled"));
    tell_of_rest(9000, 0, &told);
    assert_null(strstr(text_string(&told), "no stack"));
    tell_of_rest(250000, 1, &told);
    assert_null(strstr(text_string(&told), "no stack"));
}

static void the_table_by_self_ends_before_functions_that_only_call_others(void **state)
{
    const struct render_look look = {0};
    struct profile profile;
    SCOPED(text_done) struct text told = {0};

    (void)state;
    profile_builder_init(&profile);
    assert_true(
        profile_builder_add_lines(&profile, SLICE("3|app|c libc.so.6 start > own app main > own app a\n")));
    summary_add(&told, &profile, 0, 10, look);
    assert_null(strstr(text_string(&told), "libc.so.6"));
    assert_non_null(strstr(text_string(&told), "app main"));
    text_clear(&told);
    summary_add(&told, &profile, 0, 0, look);
    assert_non_null(strstr(text_string(&told), "libc.so.6"));
    profile_done(&profile);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_each_sample_stands_for_is_told_where_it_is_the_same_for_all),
        cmocka_unit_test(a_smaller_count_is_not_advised_where_each_event_has_its_sample),
        cmocka_unit_test(an_event_that_its_unit_does_not_tell_is_named),
        cmocka_unit_test(the_time_spent_is_the_systems_where_samples_were_lost),
        cmocka_unit_test(the_time_spent_is_what_samples_stand_for_where_the_system_misses_children),
        cmocka_unit_test(the_clocks_own_error_is_not_taken_for_children),
        cmocka_unit_test(samples_tell_the_time_where_the_system_does_not),
        cmocka_unit_test(a_time_of_less_than_ten_milliseconds_is_not_told_as_none),
        cmocka_unit_test(lost_samples_stand_for_time_where_the_system_tells_none),
        cmocka_unit_test(each_run_has_the_programs_threads_anew),
        cmocka_unit_test(time_that_samples_do_not_stand_for_leads),
        cmocka_unit_test(samples_that_come_too_fast_are_asked_for_more_seldom),
        cmocka_unit_test(a_part_of_what_was_missed_or_lost_is_at_least_so_much),
        cmocka_unit_test(what_was_lost_or_not_asked_for_was_not_missed),
        cmocka_unit_test(what_lost_samples_stand_for_is_counted_where_each_stands_for_as_many),
        cmocka_unit_test(what_the_kernel_counted_is_the_whole_and_what_has_no_sample_leads),
        cmocka_unit_test(waits_without_callers_are_told_as_such),
        cmocka_unit_test(more_than_one_lost_in_a_hundred_leads),
        cmocka_unit_test(files_without_names_that_hardly_count_take_one_line),
        cmocka_unit_test(missing_debug_information_is_told),
        cmocka_unit_test(the_table_by_self_ends_before_functions_that_only_call_others),
        cmocka_unit_test(memory_of_which_no_sample_tells_who_asked_for_it_is_told),
    };

    return cmocka_run_group_tests_name("summary", tests, NULL, NULL);
}
