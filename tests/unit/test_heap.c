/* What a program was given, has when it has the most, and when it ends. */
#include "cmocka_all.h"

#include "collect/heap/samples.h"
#include "collect/heap/untold.h"
#include "facts/cpu_time.h"
#include "record/heap_runs.h"
#include "sampler/perf/event_name.h"

enum { PID = 100, OTHER = 200, THREAD = 0 };

struct fixture {
    struct heap heap;
    struct profile profile;
    uint64_t now_ns;
    uint64_t slot; /* of the thread that is given */
};

static int set_up(void **state)
{
    static struct fixture fixture;

    fixture = (struct fixture){0};
    profile_init(&fixture.profile);
    profile_add_thread(&fixture.profile, PID, PID, SLICE("app"));
    for (unsigned i = SAMPLER_HEAP_PEAK; event_name_of_heap((enum sampler_heap)i); i++)
        profile_add_series(&fixture.profile, slice_of(event_name_of_heap((enum sampler_heap)i)),
                           SLICE("bytes"), 0);
    *state = &fixture;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;

    heap_done(&f->heap);
    profile_done(&f->profile);
    return 0;
}

/* One nanosecond after the one before; `kept` is what the process has then. */
static struct sampler_event event_of(struct fixture *f, uint32_t pid, uint64_t pointer, int64_t kept)
{
    return (struct sampler_event){
        .pid = pid, .tid = pid, .time_ns = ++f->now_ns, .heap = {.pointer = pointer, .kept_bytes = kept}};
}

/* Where one of `interval` bytes is picked, and `since` were given since the last was. */
static void give(struct fixture *f, uint32_t pid, uint64_t pointer, uint64_t size, uint64_t interval,
                 uint64_t since, int64_t kept)
{
    struct sampler_event event = event_of(f, pid, pointer, kept);

    event.heap.size_bytes = size;
    event.heap.interval_bytes = interval;
    event.heap.since_bytes = since;
    event.heap.since_count = since / size;
    event.heap.slot = f->slot;
    heap_set_stack(&f->heap, heap_give(&f->heap, &event, THREAD), PROFILE_NONE, STACK_COMPLETE);
}

static void give_one(struct fixture *f, uint32_t pid, uint64_t pointer, uint64_t size, int64_t kept)
{
    give(f, pid, pointer, size, 0, size, kept);
}

static void take(struct fixture *f, uint32_t pid, uint64_t pointer, int64_t kept)
{
    struct sampler_event event = event_of(f, pid, pointer, kept);

    heap_take(&f->heap, &event);
}

static uint64_t sum_of(struct fixture *f, enum sampler_heap what)
{
    uint32_t series = (uint32_t)what - SAMPLER_HEAP_PEAK;
    struct error err = {0};

    heap_add_samples(&f->heap, &f->profile, what, series);
    assert_int_equal(profile_finish(&f->profile, &err), 0);
    return series_sum_of_values(&f->profile.series.items[series]);
}

static uint64_t count_of(const struct fixture *f, enum sampler_heap what)
{
    return f->profile.series.items[what - SAMPLER_HEAP_PEAK].samples.count;
}

static void what_is_all_told_is_as_it_was(void **state)
{
    struct fixture *f = *state;

    give_one(f, PID, 0x10, 100, 100);
    give_one(f, PID, 0x20, 50, 150);
    take(f, PID, 0x10, 50);
    give_one(f, PID, 0x10, 70, 120);
    take(f, PID, 0x20, 70);
    assert_int_equal(sum_of(f, SAMPLER_HEAP_PEAK), 150);
    assert_int_equal(count_of(f, SAMPLER_HEAP_PEAK), 2);
    assert_int_equal(sum_of(f, SAMPLER_HEAP_END), 70);
    assert_int_equal(sum_of(f, SAMPLER_HEAP_BYTES), 220);
    assert_int_equal(sum_of(f, SAMPLER_HEAP_COUNT), 3);
    assert_int_equal(f->profile.series.items[SAMPLER_HEAP_BYTES - 1].happened_count, 220);
    assert_int_equal(f->profile.series.items[SAMPLER_HEAP_BYTES - 1].ended_counts[STACK_COMPLETE], 3);
    assert_int_equal(f->profile.series.items[SAMPLER_HEAP_BYTES - 1].intervals.count, 0);
}

static void what_nobody_was_seen_to_be_given_is_taken_back_without_a_trace(void **state)
{
    struct fixture *f = *state;

    give_one(f, PID, 0x10, 100, 100);
    take(f, PID, 0x30, 100);
    take(f, OTHER, 0x10, 0); /* of a process that was forked off */
    take(f, PID, 0x10, 0);
    take(f, PID, 0x10, 0);
    assert_int_equal(sum_of(f, SAMPLER_HEAP_END), 0);
    assert_int_equal(sum_of(f, SAMPLER_HEAP_PEAK), 100);
}

static void what_is_not_taken_back_after_all_is_there(void **state)
{
    struct fixture *f = *state;
    struct sampler_event event;

    give_one(f, PID, 0x10, 100, 100);
    take(f, PID, 0x10, 0);
    event = event_of(f, PID, 0x10, 100);
    heap_keep(&f->heap, &event);
    event = event_of(f, PID, 0x20, 100);
    heap_keep(&f->heap, &event);
    assert_int_equal(sum_of(f, SAMPLER_HEAP_END), 100);
    assert_int_equal(sum_of(f, SAMPLER_HEAP_COUNT), 1);
    take(f, PID, 0x10, 0);
    assert_int_equal(f->heap.blocks.items[0].freed_ns, f->now_ns);
}

static void what_is_given_where_something_was_has_that_taken_back(void **state)
{
    struct fixture *f = *state;

    give_one(f, PID, 0x10, 100, 100);
    /* That it was taken back was not told, as another thread was stopped as it told something. */
    give_one(f, PID, 0x10, 70, 70);
    assert_int_equal(sum_of(f, SAMPLER_HEAP_END), 70);
    assert_int_equal(sum_of(f, SAMPLER_HEAP_BYTES), 170);
}

static void of_several_runs_each_begins_with_all_told(void **state)
{
    struct fixture *f = *state;
    const struct profile_series *series = &f->profile.series.items[SAMPLER_HEAP_BYTES - 1];

    give(f, PID, 0x10, 100, 5000, 4000, 4000);
    heap_add_samples(&f->heap, &f->profile, SAMPLER_HEAP_BYTES, SAMPLER_HEAP_BYTES - 1);
    heap_done(&f->heap);
    give_one(f, PID, 0x10, 100, 100);
    give(f, PID, 0x20, 100, 3000, 4000, 4000);
    heap_add_samples(&f->heap, &f->profile, SAMPLER_HEAP_BYTES, SAMPLER_HEAP_BYTES - 1);
    assert_int_equal(series->intervals.count, 3);
    assert_int_equal(series->intervals.items[0].bytes, 5000);
    assert_int_equal(series->intervals.items[1].bytes, 0);
    assert_int_equal(series->intervals.items[1].from_ns, 2);
    assert_int_equal(series->intervals.items[2].bytes, 3000);
}

static void the_peak_is_that_of_all_processes_together(void **state)
{
    struct fixture *f = *state;

    give_one(f, PID, 0x10, 1000, 1000);
    heap_end_process(&f->heap, PID, ++f->now_ns);
    heap_begin_process(&f->heap, PID);
    give_one(f, OTHER, 0x10, 700, 700);
    give_one(f, PID, 0x10, 600, 600); /* another one with that number */
    take(f, OTHER, 0x10, 0);
    assert_int_equal(sum_of(f, SAMPLER_HEAP_PEAK), 1300);
    /* What each had to its end. */
    assert_int_equal(sum_of(f, SAMPLER_HEAP_END), 1600);
}

static void those_that_are_picked_stand_for_as_many_as_there_were(void **state)
{
    struct fixture *f = *state;
    struct sampler_event ended = event_of(f, PID, 0, 10000);

    /* Two of a hundred of 100 bytes, one in 5000 of which is picked. */
    give(f, PID, 0x10, 100, 5000, 4000, 4000);
    give(f, PID, 0x20, 100, 5000, 5000, 9000);
    ended.time_ns = ++f->now_ns;
    ended.heap.interval_bytes = 5000;
    ended.heap.since_bytes = 1000;
    ended.heap.since_count = 10;
    heap_count(&f->heap, &ended);
    assert_int_equal(sum_of(f, SAMPLER_HEAP_BYTES), 10000);
    assert_int_equal(sum_of(f, SAMPLER_HEAP_COUNT), 100);
    assert_int_equal(sum_of(f, SAMPLER_HEAP_PEAK), 10000);
    assert_int_equal(sum_of(f, SAMPLER_HEAP_END), 10000);
    assert_int_equal(f->profile.series.items[SAMPLER_HEAP_BYTES - 1].intervals.items[0].bytes, 5000);
}

static void what_is_told_alone_is_not_changed_by_those_that_stand_for_others(void **state)
{
    struct fixture *f = *state;

    give_one(f, PID, 0x10, 1000000, 1000000);
    give(f, PID, 0x20, 10, 1000, 2000, 1002000);
    take(f, PID, 0x20, 1001990);
    take(f, PID, 0x10, 1990);
    assert_int_equal(sum_of(f, SAMPLER_HEAP_BYTES), 1002000);
    assert_int_equal(sum_of(f, SAMPLER_HEAP_PEAK), 1002000);
    /* 199 that are there have no sample. */
    assert_int_equal(sum_of(f, SAMPLER_HEAP_END), 1990);
}

/* What the sample of the last block of that size has; 0: there is none. */
static uint64_t value_of_size(struct fixture *f, enum sampler_heap what, uint64_t size)
{
    const struct profile_series *series = &f->profile.series.items[(uint32_t)what - SAMPLER_HEAP_PEAK];
    struct sample_cursor cursor = sample_cursor_of(&series->samples);
    struct profile_sample sample;
    uint64_t time_ns = 0;
    uint64_t value = 0;

    for (size_t i = 0; i < f->heap.blocks.count; i++)
        if (f->heap.blocks.items[i].size_bytes == size)
            time_ns = f->heap.blocks.items[i].sample.time_ns;
    /* What no sample stands for comes last. */
    while (value == 0 && sample_cursor_next(&cursor, &sample))
        value = sample.time_ns == time_ns ? sample.value : 0;
    sample_cursor_done(&cursor);
    return value;
}

static void what_makes_the_peak_as_it_is_picked_stands_for_itself(void **state)
{
    struct fixture *f = *state;

    /* Requests need 5,000 bytes for a while, of which one of 200 is picked; all else is kept. */
    give_one(f, PID, 0x10, 1000, 1000);
    for (int64_t i = 1; i <= 20; i++) {
        give(f, PID, 0x20, 5000, 1000000, 1000000, 6000 + i * 100);
        take(f, PID, 0x20, 1000 + i * 100);
    }
    assert_int_equal(sum_of(f, SAMPLER_HEAP_PEAK), 8000);
    assert_int_equal(value_of_size(f, SAMPLER_HEAP_PEAK, 5000), 5000);
    assert_int_equal(sum_of(f, SAMPLER_HEAP_END), 3000);
    assert_int_equal(count_of(f, SAMPLER_HEAP_END), 2);
}

static void few_samples_do_not_stand_for_all_there_is(void **state)
{
    struct fixture *f = *state;
    struct sampler_event more = event_of(f, PID, 0, 1000000);

    give(f, PID, 0x10, 100, 5000, 5000, 5000);
    more.time_ns = ++f->now_ns;
    heap_count(&f->heap, &more);
    assert_int_equal(sum_of(f, SAMPLER_HEAP_PEAK), 1000000);
    assert_in_range(value_of_size(f, SAMPLER_HEAP_PEAK, 100), 5000, 10200);
    assert_int_equal(sum_of(f, SAMPLER_HEAP_BYTES), 5000);
}

static void much_less_than_samples_stand_for_is_less_of_each(void **state)
{
    struct fixture *f = *state;

    give(f, PID, 0x10, 4000, 100000, 4000, 4000);
    give(f, PID, 0x20, 100, 100000, 100, 4100);
    take(f, PID, 0x30, 4100);
    assert_int_equal(sum_of(f, SAMPLER_HEAP_END), 4100);
    assert_int_equal(value_of_size(f, SAMPLER_HEAP_END, 4000), 4000);
}

static void a_process_that_gives_back_what_its_parent_had_has_nothing(void **state)
{
    struct fixture *f = *state;

    give_one(f, PID, 0x10, 100, 100);
    take(f, OTHER, 0x10, -100);
    give_one(f, OTHER, 0x20, 30, -70);
    give_one(f, PID, 0x20, 10, 110);
    assert_int_equal(sum_of(f, SAMPLER_HEAP_PEAK), 140);
}

static void what_threads_counted_beyond_what_they_told_counts(void **state)
{
    struct fixture *f = *state;
    /* Of the second no thread told anything; the third is of another process. */
    const struct heap_counts counted[] = {{10000, 100, 8000}, {40, 4, 30}, {500, 1, (uint64_t)-100}};
    const struct heap_slots slots = {NULL, counted, 0, 3, false};
    struct sampler_event other = event_of(f, OTHER, 0, 600);

    f->slot = 1;
    give(f, PID, 0x10, 100, 5000, 4000, 4000);
    give(f, PID, 0x20, 100, 5000, 5000, 9000);
    other.heap.slot = 3;
    heap_know(&f->heap, &other);
    heap_end_process(&f->heap, PID, f->now_ns += 2);
    f->slot = 0;
    give_one(f, OTHER, 0x10, 600, 600);
    heap_untold_add(&f->heap, &slots);
    assert_int_equal(sum_of(f, SAMPLER_HEAP_BYTES), 10000 + 500 + 600);
    assert_int_equal(sum_of(f, SAMPLER_HEAP_COUNT), 100 + 1 + 1);
    assert_int_equal(f->heap.all_bytes, 10000 + 40 + 500 + 600);
    assert_int_equal(f->heap.all_count, 100 + 4 + 1 + 1);
    /* At its end the first has less than it told last, and what is below nothing is nothing. */
    assert_int_equal(sum_of(f, SAMPLER_HEAP_PEAK), 9000);
    assert_int_equal(f->heap.moments.items[2].kept_bytes, 8000);
    assert_int_equal(f->heap.moments.items[2].time_ns, f->now_ns - 2);
    assert_int_equal(f->heap.moments.items[4].kept_bytes, 0);
}

static void what_they_counted_before_the_window_does_not(void **state)
{
    struct fixture *f = *state;
    const struct heap_counts before[] = {{3000, 30, 100}};
    const struct heap_counts now[] = {{10000, 100, 100}};
    const struct heap_slots slots = {before, now, 1, 1, true};

    f->slot = 1;
    /* With 1,000 of before. */
    give(f, PID, 0x10, 100, 1000, 8000, 4000);
    heap_untold_add(&f->heap, &slots);
    assert_int_equal(f->heap.all_bytes, 7000);
    assert_int_equal(f->heap.all_count, 70);
    assert_int_equal(f->heap.processes.items[0].sampled_bytes, 7000);
    /* Not all threads had one, so nothing is known of the end. */
    assert_int_equal(f->heap.moments.count, 1);
}

static void of_several_runs_what_is_of_a_moment_is_the_mean(void **state)
{
    struct fixture *f = *state;
    struct error err = {0};

    for (int run = 0; run < 3; run++) {
        give_one(f, PID, 0x10, 100, 100);
        give_one(f, PID, 0x20, 1, 101);
        for (uint32_t i = 0; i < f->profile.series.count; i++)
            heap_add_samples(&f->heap, &f->profile, SAMPLER_HEAP_PEAK + i, i);
        heap_done(&f->heap);
        f->profile.run_count++;
    }
    assert_int_equal(profile_finish(&f->profile, &err), 0);
    assert_int_equal(heap_runs_take_mean(&f->profile, &err), 0);
    for (uint32_t i = 0; i < f->profile.series.count; i++) {
        const uint64_t sums[] = {101, 101, 303, 6};

        assert_int_equal(series_sum_of_values(&f->profile.series.items[i]), sums[i]);
        assert_int_equal(f->profile.series.items[i].samples.count, 6);
    }
}

/* Where each run has the same, no part of it is rounded, whatever is left of those around it. */
static void of_several_runs_each_stack_has_its_own_mean(void **state)
{
    enum { RUNS = 12 };
    static const uint64_t values[] = {1000000, 100, 7};
    struct fixture *f = *state;
    struct profile *profile = &f->profile;
    struct sample_cursor cursor;
    struct profile_sample sample;
    uint64_t sums[ARRAY_COUNT(values)] = {0};
    uint32_t stacks[ARRAY_COUNT(values)] = {PROFILE_NONE, PROFILE_NONE, PROFILE_NONE};
    uint32_t module = profile_add_module(profile, MODULE_EXECUTABLE, SLICE("/app"), SLICE(""));
    struct error err = {0};

    for (uint32_t i = 1; i < ARRAY_COUNT(values); i++)
        stacks[i] = profile_stack(profile, PROFILE_NONE, profile_location(profile, module, i));
    for (int run = 0; run < RUNS; run++)
        for (size_t i = 0; i < ARRAY_COUNT(values); i++)
            profile_add_sample(
                profile, 0,
                (struct profile_sample){.time_ns = ++f->now_ns, .value = values[i], .stack = stacks[i]});
    profile->run_count = RUNS;
    assert_int_equal(profile_finish(profile, &err), 0);
    assert_int_equal(heap_runs_take_mean(profile, &err), 0);
    cursor = sample_cursor_of(&profile->series.items[0].samples);
    while (sample_cursor_next(&cursor, &sample))
        for (size_t i = 0; i < ARRAY_COUNT(values); i++)
            sums[i] += stacks[i] == sample.stack ? sample.value : 0;
    sample_cursor_done(&cursor);
    assert_memory_equal(sums, values, sizeof(values));
}

static void each_run_picks_anew(void **state)
{
    struct fixture *f = *state;
    const struct profile_series *bytes = &f->profile.series.items[SAMPLER_HEAP_BYTES - SAMPLER_HEAP_PEAK];

    for (int run = 0; run < 2; run++) {
        give_one(f, PID, 0x10, 100, 100);
        give(f, PID, 0x20, 100, 5000, 5000, 5100);
        heap_add_samples(&f->heap, &f->profile, SAMPLER_HEAP_BYTES, SAMPLER_HEAP_BYTES - SAMPLER_HEAP_PEAK);
        heap_done(&f->heap);
    }
    assert_int_equal(bytes->intervals.count, 3);
    assert_int_equal(bytes->intervals.items[1].from_ns, 3);
    assert_int_equal(bytes->intervals.items[1].bytes, 0);
}

static void of_many_processes_those_without_samples_count(void **state)
{
    enum { PROCESSES = 3000, INTERVAL = 100, BYTES = 100 };
    struct fixture *f = *state;
    uint64_t told = 0;

    /* 1 - 1 / e of them have a sample. */
    for (uint32_t i = 0; i < PROCESSES; i++) {
        struct sampler_event ended = event_of(f, PID + i, 0, BYTES);

        ended.heap.interval_bytes = INTERVAL;
        if (i * 632 / 1000 != (i + 1) * 632 / 1000) {
            give(f, PID + i, 0x10, BYTES, INTERVAL, BYTES, BYTES);
            told++;
        } else {
            ended.heap.since_bytes = BYTES;
            ended.heap.since_count = 1;
            heap_count(&f->heap, &ended);
        }
    }
    assert_int_equal(sum_of(f, SAMPLER_HEAP_COUNT), PROCESSES);
    assert_int_equal(count_of(f, SAMPLER_HEAP_COUNT), told);
    assert_int_equal(sum_of(f, SAMPLER_HEAP_BYTES), PROCESSES * BYTES);
    assert_int_equal(sum_of(f, SAMPLER_HEAP_END), PROCESSES * BYTES);
}

static void names_of_what_is_recorded_are_those_of_profiles(void **state)
{
    (void)state;
    assert_int_equal(heap_event_of(slice_of(event_name_of_heap(SAMPLER_HEAP_PEAK))), HEAP_EVENT_PEAK);
    assert_int_equal(heap_event_of(slice_of(event_name_of_heap(SAMPLER_HEAP_END))), HEAP_EVENT_END);
    assert_int_equal(heap_event_of(slice_of(event_name_of_heap(SAMPLER_HEAP_BYTES))), HEAP_EVENT_BYTES);
    assert_int_equal(heap_event_of(slice_of(event_name_of_heap(SAMPLER_HEAP_COUNT))), HEAP_EVENT_COUNT);
    assert_int_equal(heap_event_of(SLICE("page-faults")), HEAP_EVENT_NONE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_is_all_told_is_as_it_was, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_nobody_was_seen_to_be_given_is_taken_back_without_a_trace,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_is_not_taken_back_after_all_is_there, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_is_given_where_something_was_has_that_taken_back, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(of_several_runs_each_begins_with_all_told, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_peak_is_that_of_all_processes_together, set_up, tear_down),
        cmocka_unit_test_setup_teardown(those_that_are_picked_stand_for_as_many_as_there_were, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(what_is_told_alone_is_not_changed_by_those_that_stand_for_others,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_makes_the_peak_as_it_is_picked_stands_for_itself, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(few_samples_do_not_stand_for_all_there_is, set_up, tear_down),
        cmocka_unit_test_setup_teardown(much_less_than_samples_stand_for_is_less_of_each, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_process_that_gives_back_what_its_parent_had_has_nothing, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(what_threads_counted_beyond_what_they_told_counts, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_they_counted_before_the_window_does_not, set_up, tear_down),
        cmocka_unit_test_setup_teardown(of_several_runs_what_is_of_a_moment_is_the_mean, set_up, tear_down),
        cmocka_unit_test_setup_teardown(of_several_runs_each_stack_has_its_own_mean, set_up, tear_down),
        cmocka_unit_test_setup_teardown(each_run_picks_anew, set_up, tear_down),
        cmocka_unit_test_setup_teardown(of_many_processes_those_without_samples_count, set_up, tear_down),
        cmocka_unit_test(names_of_what_is_recorded_are_those_of_profiles),
    };

    return cmocka_run_group_tests_name("heap", tests, NULL, NULL);
}
