#include "cmocka_all.h"

#include "profile_fixture.h"
#include "view/narrow.h"

static void assert_range(const char *text, uint64_t from_ns, uint64_t to_ns)
{
    struct time_range range;
    struct error err = {0};

    assert_int_equal(time_range_read(slice_of(text), &range, &err), 0);
    assert_true(range.from_ns == from_ns && range.to_ns == to_ns);
}

static void times_are_ranges_of_seconds(void **state)
{
    static const char *const wrong[] = {
        "", "1", "..", "-", "2..1", "1..1", "a..b", "1..2x", "99999999999999..", "1:2"};
    struct time_range range = {7, 8};
    struct error err = {0};

    (void)state;
    assert_range("1.5..3", 1500000000, 3000000000);
    assert_range("500ms..1s", 500000000, 1000000000);
    assert_range("1.5s-2m", 1500000000, UINT64_C(120000000000));
    assert_range("1.5-3.25", 1500000000, 3250000000);
    assert_range("..0.0000000019", 0, 1);
    assert_range("2..", 2000000000, UINT64_MAX);
    for (size_t i = 0; i < ARRAY_COUNT(wrong); i++) {
        assert_int_equal(time_range_read(slice_of(wrong[i]), &range, &err), -1);
        assert_int_equal(err.kind, ERROR_USAGE);
    }
    assert_true(range.from_ns == 7 && range.to_ns == 8);
}

static void samples_of_a_time_are_those_from_its_start_up_to_its_end(void **state)
{
    struct profile_fixture *f = *state;
    struct profile *p = &f->profile;
    uint32_t stack = profile_stack(p, PROFILE_NONE, profile_location(p, 0, 1));

    for (uint64_t second = 10; second < 15; second++)
        profile_add_sample(
            p, 0, (struct profile_sample){.time_ns = second * 1000000000, .value = 1, .stack = stack});
    p->run_count = 5;
    assert_int_equal(narrow_to_time(p, (struct time_range){1000000000, 3000000000}, &f->err), 0);
    assert_int_equal(p->series.items[0].samples.count, 2);
    assert_true(p->is_part);
    assert_int_equal(p->run_count, 0);
    assert_int_equal(narrow_to_time(p, (struct time_range){9000000000, 10000000000}, &f->err), -1);
    assert_int_equal(f->err.kind, ERROR_MISSING);
}

static void samples_without_times_are_of_no_time(void **state)
{
    struct profile_fixture *f = *state;
    struct profile *p = &f->profile;

    assert_int_equal(narrow_to_time(p, (struct time_range){0, 1000000000}, &f->err), -1);
    assert_string_equal(f->err.message, "no sample is left by --time");
    profile_add_sample(p, 0, (struct profile_sample){.value = 42, .stack = PROFILE_NONE});
    assert_int_equal(narrow_to_time(p, (struct time_range){0, 1000000000}, &f->err), -1);
    assert_int_equal(f->err.kind, ERROR_MISSING);
    assert_string_equal(f->err.message,
                        "--time: the samples tell no times, as those of folded stacks do not");
    assert_int_equal(p->series.items[0].samples.count, 1);
}

static void all_series_are_narrowed_from_the_same_start(void **state)
{
    struct profile_fixture *f = *state;
    struct profile *p = &f->profile;
    uint32_t other = profile_add_series(p, SLICE("page-faults"), SLICE("page-faults"), 0);

    profile_add_sample(p, 0, (struct profile_sample){.time_ns = 5000000000, .stack = PROFILE_NONE});
    profile_add_sample(p, other, (struct profile_sample){.time_ns = 4000000000, .stack = PROFILE_NONE});
    profile_add_sample(p, other, (struct profile_sample){.time_ns = 6000000000, .stack = PROFILE_NONE});
    assert_int_equal(narrow_to_time(p, (struct time_range){1000000000, 2000000000}, &f->err), 0);
    assert_int_equal(p->series.items[0].samples.count, 1);
    assert_int_equal(p->series.items[other].samples.count, 0);
}

/* A choice by the names of threads. */
static struct thread_choice choice_of(const char *names)
{
    struct thread_choice choice = {0};
    struct error err = {0};

    assert_int_equal(regex_compile(slice_of(names), &choice.names, &err), 0);
    return choice;
}

static void threads_are_chosen_by_name(void **state)
{
    struct profile_fixture *f = *state;
    SCOPED(thread_choice_done) struct thread_choice choice = choice_of("work");
    const struct sample_store *samples = &f->profile.series.items[0].samples;
    struct sample_cursor cursor = sample_cursor_of(samples);
    struct profile_sample sample;

    assert_true(profile_builder_add_lines(&f->profile, SLICE("2|app|a\n1|worker 1|a\n4|worker 2|b\n")));
    assert_int_equal(narrow_to_threads(&f->profile, &choice, &f->err), 0);
    assert_int_equal(samples->count, 5);
    while (sample_cursor_next(&cursor, &sample))
        assert_false(
            slice_is(profile_text(&f->profile, f->profile.threads.items[sample.thread].name), "app"));
    sample_cursor_done(&cursor);
}

/* Two processes of one name with two threads each, and another; as many samples of each as its number tells.
 */
static void add_processes(struct profile *p)
{
    static const struct {
        uint32_t pid;
        uint32_t tid;
        const char *name;
        const char *process;
    } threads[] = {
        {10, 10, "rustc", "rustc"}, {10, 11, "opt", "rustc"}, {20, 20, "rustc", "rustc"},
        {20, 21, "opt", "rustc"},   {30, 30, "ld", "ld"},
    };

    for (size_t i = 0; i < ARRAY_COUNT(threads); i++) {
        uint32_t thread = profile_add_thread(p, threads[i].pid, threads[i].tid, slice_of(threads[i].name));

        p->threads.items[thread].process_name = profile_string(p, slice_of(threads[i].process));
        for (uint32_t sample = 0; sample < threads[i].tid; sample++)
            profile_add_sample(p, 0,
                               (struct profile_sample){.thread = thread, .value = 1, .stack = PROFILE_NONE});
    }
    profile_builder_finish(p);
}

static void processes_and_threads_are_chosen_by_name_and_by_number(void **state)
{
    struct profile_fixture *f = *state;
    struct profile *p = &f->profile;
    SCOPED(thread_choice_done) struct thread_choice choice = {0};

    add_processes(p);
    assert_false(thread_choice_is_set(&choice));
    assert_int_equal(regex_compile(SLICE("^rust"), &choice.processes, &f->err), 0);
    assert_true(thread_choice_is_set(&choice));
    assert_int_equal(narrow_to_threads(p, &choice, &f->err), 0);
    assert_int_equal(p->series.items[0].samples.count, 10 + 11 + 20 + 21);
    assert_int_equal(pid_list_read("pid", SLICE("20,30"), &choice.pids, &f->err), 0);
    assert_int_equal(narrow_to_threads(p, &choice, &f->err), 0);
    assert_int_equal(p->series.items[0].samples.count, 20 + 21);
    assert_int_equal(pid_list_read("tid", SLICE("11 21"), &choice.tids, &f->err), 0);
    assert_int_equal(narrow_to_threads(p, &choice, &f->err), 0);
    assert_int_equal(p->series.items[0].samples.count, 21);
    choice.tids.count = 1;
    assert_int_equal(narrow_to_threads(p, &choice, &f->err), -1);
    assert_string_equal(f->err.message, "no sample is left by --process and --pid and --tid");
    assert_string_equal(f->err.hint, "which there are: cargo cprof report FILE --by process,pid,thread,tid");
}

static void a_thread_without_samples_in_that_time_is_there(void **state)
{
    struct profile_fixture *f = *state;
    struct profile *p = &f->profile;
    SCOPED(thread_choice_done) struct thread_choice early = choice_of("early");
    SCOPED(thread_choice_done) struct thread_choice other = choice_of("other");

    assert_true(profile_builder_add_lines(p, SLICE("1|early|a\n1|late|a\n")));
    for (uint32_t thread = 1; thread <= 2; thread++)
        profile_add_sample(p, 0,
                           (struct profile_sample){.time_ns = thread * UINT64_C(1000000000),
                                                   .thread = thread,
                                                   .stack = PROFILE_NONE});
    profile_builder_finish(p);
    assert_int_equal(narrow_to_time(p, (struct time_range){1500000000, 3000000000}, &f->err), 0);
    assert_int_equal(narrow_to_threads(p, &early, &f->err), -1);
    assert_string_equal(f->err.message,
                        "no sample is left by --thread and --time together, though by each of them");
    assert_int_equal(narrow_to_threads(p, &other, &f->err), -1);
    assert_string_equal(f->err.message, "no sample is left by --thread");
}

static struct profile_series *add_five_seconds(struct profile *p)
{
    struct profile_series *series = &p->series.items[0];
    struct error err = {0};

    for (uint64_t second = 10; second < 15; second++)
        profile_add_sample(
            p, 0,
            (struct profile_sample){.time_ns = second * 1000000000, .value = 1000000, .stack = PROFILE_NONE});
    assert_int_equal(profile_finish(p, &err), 0);
    series->lost_count = 3;
    series->ended_counts[STACK_NO_USER] = 5;
    p->cpu_ns = 900000000;
    p->user_ns = 800000000;
    return series;
}

static void time_counts_from_where_the_recording_began(void **state)
{
    struct profile_fixture *f = *state;
    struct profile_series *series = add_five_seconds(&f->profile);

    f->profile.started_ns = UINT64_C(8000000000);
    assert_int_equal(narrow_to_time(&f->profile, (struct time_range){0, 2000000000}, &f->err), -1);
    assert_string_equal(f->err.hint, "its samples are of 2.000 s to 6.000 s since it began");
    assert_int_equal(narrow_to_time(&f->profile, (struct time_range){3000000000, 5000000000}, &f->err), 0);
    assert_int_equal(series->samples.count, 2);
    assert_int_equal(sample_store_start_ns(&series->samples), 11000000000);
}

static void where_all_samples_stay_all_figures_do(void **state)
{
    struct profile_fixture *f = *state;
    struct profile_series *series = add_five_seconds(&f->profile);

    assert_int_equal(narrow_to_time(&f->profile, (struct time_range){0, UINT64_MAX}, &f->err), 0);
    assert_int_equal(series->samples.count, 5);
    assert_int_equal(series->lost_count, 3);
    assert_int_equal(series->ended_counts[STACK_NO_USER], 5);
    assert_int_equal(series->whole.sample_count, 0);
    assert_int_equal(f->profile.cpu_ns, 900000000);
    assert_false(f->profile.is_part);
}

static void a_part_tells_of_what_it_was(void **state)
{
    struct profile_fixture *f = *state;
    struct profile_series *series = add_five_seconds(&f->profile);

    assert_int_equal(narrow_to_time(&f->profile, (struct time_range){0, 3000000000}, &f->err), 0);
    assert_int_equal(narrow_to_time(&f->profile, (struct time_range){0, 2000000000}, &f->err), 0);
    assert_int_equal(series->samples.count, 2);
    assert_int_equal(series->lost_count, 0);
    assert_int_equal(series->whole.sample_count, 5);
    assert_int_equal(series->whole.value_sum, 5000000);
    assert_int_equal(series->whole.lost_count, 3);
    assert_int_equal(series->whole.cpu_ns, 900000000);
    assert_int_equal(series->whole.user_ns, 800000000);
    assert_int_equal(f->profile.cpu_ns, 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, profile_fixture_set_up, profile_fixture_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(times_are_ranges_of_seconds),
        TEST(samples_of_a_time_are_those_from_its_start_up_to_its_end),
        TEST(samples_without_times_are_of_no_time),
        TEST(all_series_are_narrowed_from_the_same_start),
        TEST(threads_are_chosen_by_name),
        TEST(processes_and_threads_are_chosen_by_name_and_by_number),
        TEST(a_thread_without_samples_in_that_time_is_there),
        TEST(time_counts_from_where_the_recording_began),
        TEST(where_all_samples_stay_all_figures_do),
        TEST(a_part_tells_of_what_it_was),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
