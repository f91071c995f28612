#include "cmocka_all.h"

#include "import/pprof.h"
#include "pprof_fixture.h"

/* --- Types --------------------------------------------------------------------------------------- */

static void samples_and_their_time_are_one_series(void **state)
{
    struct pprof_fixture *f = *state;
    const uint64_t first[] = {pprof_builder_call(&f->built, "a"), 0};
    const uint64_t second[] = {pprof_builder_call(&f->built, "b"), first[0], 0};

    pprof_builder_type(&f->built, "samples", "count");
    pprof_builder_type(&f->built, "cpu", "milliseconds");
    pprof_builder_period(&f->built, "cpu", "milliseconds", 10);
    pprof_builder_sample(&f->built, first, (const uint64_t[]){3, 31}, 2);
    pprof_builder_sample(&f->built, second, (const uint64_t[]){1, 10}, 2);
    pprof_put_number(&f->built.message, 9, 1700000000000000000);
    pprof_put_number(&f->built.message, 10, 5000000000);
    pprof_read_built(f);
    assert_int_equal(f->profile.series.count, 1);
    pprof_assert_series(f, 0, "cpu", "ns");
    pprof_assert_all(f, 0, 4, 41000000);
    assert_int_equal(f->profile.series.items[0].frequency_hz, 100);
    assert_false(f->profile.series.items[0].is_summed);
    assert_int_equal(f->profile.started_unix_ns, 1700000000000000000);
    assert_int_equal(f->profile.wall_ns, 5000000000);
}

static void a_comment_is_what_was_run_where_it_names_the_program(void **state)
{
    static const char *const comments[] = {"./app --fast", "executableInfo=3;0;0", ""};

    for (size_t i = 0; i < ARRAY_COUNT(comments); i++) {
        struct pprof_fixture *f = *state;

        pprof_builder_type(&f->built, "samples", "count");
        pprof_builder_mapping(&f->built, (const uint64_t[]){0, 0x5000, 0}, "/none/app", NULL);
        pprof_put_number(&f->built.message, 13, pprof_builder_string(&f->built, comments[i]));
        pprof_read_built(f);
        assert_true(slice_is(profile_text(&f->profile, f->profile.command), i == 0 ? "./app --fast" : ""));
        pprof_tear_down(state);
        pprof_set_up(state);
    }
}

static void what_is_counted_is_called_as_several_are(void **state)
{
    struct pprof_fixture *f = *state;
    const uint64_t locations[] = {pprof_builder_call(&f->built, "a"), 0};

    pprof_builder_type(&f->built, "goroutine", "count");
    pprof_builder_type(&f->built, "contentions", "count");
    pprof_builder_type(&f->built, "sched:sched_switch", "count");
    pprof_builder_type(&f->built, "inuse_space", "bytes");
    pprof_builder_sample(&f->built, locations, (const uint64_t[]){8, 2, 3, 4}, 4);
    pprof_read_built(f);
    pprof_assert_series(f, 0, "inuse_space", "bytes");
    pprof_assert_series(f, 1, "goroutine", "goroutines");
    pprof_assert_series(f, 2, "contentions", "contentions");
    pprof_assert_series(f, 3, "sched:sched_switch", "sched:sched_switch");
}

static void what_nobody_counted_the_samples_of_is_told_as_a_sum(void **state)
{
    struct pprof_fixture *f = *state;
    const uint64_t locations[] = {pprof_builder_call(&f->built, "a"), 0};

    pprof_builder_type(&f->built, "alloc_objects", "count");
    pprof_builder_type(&f->built, "alloc_space", "bytes");
    pprof_builder_type(&f->built, "inuse_objects", "count");
    pprof_builder_type(&f->built, "inuse_space", "kilobytes");
    pprof_builder_type(&f->built, "delay", "nanoseconds");
    pprof_put_number(&f->built.message, 14, pprof_builder_string(&f->built, "inuse_space"));
    pprof_builder_sample(&f->built, locations, (const uint64_t[]){5, 500, 0, 4, 7}, 5);
    pprof_read_built(f);
    pprof_assert_series(f, 0, "inuse_space", "bytes");
    pprof_assert_all(f, 0, 1, 4096);
    pprof_assert_series(f, 1, "alloc_objects", "alloc_objects");
    pprof_assert_all(f, 1, 1, 5);
    pprof_assert_series(f, 3, "inuse_objects", "inuse_objects");
    pprof_assert_all(f, 3, 0, 0);
    pprof_assert_series(f, 4, "delay", "nanoseconds");
    for (uint32_t i = 0; i < 5; i++)
        assert_true(f->profile.series.items[i].is_summed);
}

static void the_last_type_is_the_first_series_unless_another_is_named(void **state)
{
    struct pprof_fixture *f = *state;

    pprof_builder_type(&f->built, "one", "count");
    pprof_builder_type(&f->built, "two", "count");
    pprof_builder_type(&f->built, "three", "count");
    pprof_read_built(f);
    pprof_assert_series(f, 0, "three", "threes");
    pprof_assert_series(f, 1, "one", "ones");
    pprof_assert_series(f, 2, "two", "twos");
}

static void time_alone_is_of_as_many_samples_as_it_has_periods(void **state)
{
    struct pprof_fixture *f = *state;
    const uint64_t locations[] = {pprof_builder_call(&f->built, "a"), 0};

    pprof_builder_type(&f->built, "cpu", "nanoseconds");
    pprof_builder_period(&f->built, "cpu", "nanoseconds", 10);
    pprof_builder_sample(&f->built, locations, (const uint64_t[]){30}, 1);
    pprof_read_built(f);
    pprof_assert_series(f, 0, "cpu", "ns");
    pprof_assert_all(f, 0, 3, 30);
}

static void time_that_is_no_multiple_of_the_period_is_a_sum(void **state)
{
    struct pprof_fixture *f = *state;
    const uint64_t locations[] = {pprof_builder_call(&f->built, "a"), 0};

    pprof_builder_type(&f->built, "cpu", "nanoseconds");
    pprof_builder_period(&f->built, "cpu", "nanoseconds", 10);
    pprof_builder_sample(&f->built, locations, (const uint64_t[]){30}, 1);
    pprof_builder_sample(&f->built, locations, (const uint64_t[]){31}, 1);
    pprof_read_built(f);
    pprof_assert_series(f, 0, "cpu", "nanoseconds");
    pprof_assert_all(f, 0, 2, 61);
    assert_true(f->profile.series.items[0].is_summed);
}

static void samples_that_contradict_their_time_are_a_series_of_their_own(void **state)
{
    struct pprof_fixture *f = *state;
    const uint64_t locations[] = {pprof_builder_call(&f->built, "a"), 0};

    pprof_builder_type(&f->built, "samples", "count");
    pprof_builder_type(&f->built, "cpu", "nanoseconds");
    pprof_builder_sample(&f->built, locations, (const uint64_t[]){2, 20}, 2);
    pprof_builder_sample(&f->built, locations, (const uint64_t[]){0, 10}, 2);
    pprof_read_built(f);
    pprof_assert_series(f, 0, "cpu", "nanoseconds");
    pprof_assert_all(f, 0, 2, 30);
    pprof_assert_series(f, 1, "samples", "samples");
    pprof_assert_all(f, 1, 1, 2);
}

static void no_more_samples_are_made_than_a_recording_has(void **state)
{
    const uint64_t many = (1 << 22) + 1;
    struct pprof_fixture *f = *state;
    const uint64_t locations[] = {pprof_builder_call(&f->built, "a"), 0};

    pprof_builder_type(&f->built, "samples", "count");
    pprof_builder_type(&f->built, "cpu", "nanoseconds");
    pprof_builder_sample(&f->built, locations, (const uint64_t[]){many, UINT64_C(1) << 50}, 2);
    pprof_read_built(f);
    pprof_assert_series(f, 0, "cpu", "nanoseconds");
    pprof_assert_all(f, 0, 1, UINT64_C(1) << 50);
    pprof_assert_series(f, 1, "samples", "samples");
    pprof_assert_all(f, 1, 1, many);
}

static void events_of_ours_have_their_samples_beside_them(void **state)
{
    struct pprof_fixture *f = *state;
    const uint64_t locations[] = {pprof_builder_call(&f->built, "a"), 0};

    pprof_builder_type(&f->built, "samples", "count");
    pprof_builder_type(&f->built, "page-faults", "count");
    pprof_builder_type(&f->built, "off-cpu-samples", "count");
    pprof_builder_type(&f->built, "off-cpu", "microseconds");
    pprof_builder_type(&f->built, "heap-peak-samples", "count");
    pprof_builder_type(&f->built, "heap-peak", "bytes");
    pprof_put_number(&f->built.message, 14, pprof_builder_string(&f->built, "page-faults"));
    pprof_builder_sample(&f->built, locations, (const uint64_t[]){2, 7, 3, 30, 4, 400}, 6);
    pprof_read_built(f);
    assert_int_equal(f->profile.series.count, 3);
    pprof_assert_series(f, 0, "page-faults", "page-faults");
    pprof_assert_all(f, 0, 2, 7);
    pprof_assert_series(f, 1, "off-cpu", "us");
    pprof_assert_all(f, 1, 3, 30);
    pprof_assert_series(f, 2, "heap-peak", "bytes");
    assert_int_equal(f->profile.series.items[2].heap, HEAP_EVENT_PEAK);
    assert_true(f->profile.series.items[2].is_summed);
}

/* --- Hostile ------------------------------------------------------------------------------------- */

static void a_whole_profile(struct pprof_fixture *f)
{
    uint64_t function = pprof_builder_function(&f->built, "app::work", NULL, "/app/src/main.rs");
    uint64_t mapping =
        pprof_builder_mapping(&f->built, (const uint64_t[]){0x1000, 0x2000, 0}, "/none/app", "0a1b2c3d");
    const uint64_t lines[] = {function, 5, 0};
    const uint64_t locations[] = {pprof_builder_location(&f->built, mapping, 0x1001, lines), 0};

    pprof_builder_type(&f->built, "samples", "count");
    pprof_builder_type(&f->built, "cpu", "nanoseconds");
    pprof_builder_sample(&f->built, locations, (const uint64_t[]){2, 20}, 2);
    pprof_builder_labelled(&f->built, locations[0], 1, "thread", "worker", 0);
}

static void one_cut_anywhere_is_refused_or_lacks_something(void **state)
{
    struct pprof_fixture *f = *state;
    struct slice all;

    a_whole_profile(f);
    all = pprof_builder_bytes(&f->built);
    for (size_t length = 0; length < all.length; length++) {
        assert_int_equal(pprof_read(slice_range(all, 0, length), &f->profile, &f->err), -1);
        assert_int_equal(f->err.kind, ERROR_FORMAT);
        profile_done(&f->profile);
        profile_init(&f->profile);
    }
}

static void what_refers_to_nothing_is_refused(void **state)
{
    struct pprof_fixture *f = *state;

    pprof_builder_type(&f->built, "samples", "count");
    pprof_builder_sample(&f->built, (const uint64_t[]){7, 0}, (const uint64_t[]){1}, 1);
    pprof_assert_refused(f, "damaged: a sample is in a location that is not there");
    pprof_tear_down(state);
    pprof_set_up(state);
    pprof_builder_type(&f->built, "samples", "count");
    pprof_put_bytes(&f->built.message, 5, SLICE("\x08\x01\x10\x7f"));
    pprof_assert_refused(f, "damaged: a name is none of its strings");
}

static void two_of_one_id_are_refused(void **state)
{
    struct pprof_fixture *f = *state;

    pprof_builder_type(&f->built, "samples", "count");
    pprof_put_bytes(&f->built.message, 4, SLICE("\x08\x05"));
    pprof_put_bytes(&f->built.message, 4, SLICE("\x08\x05"));
    pprof_assert_refused(f, "damaged: a mapping, a location or a function");
}

static void functions_that_are_not_there_are_not_known(void **state)
{
    struct pprof_fixture *f = *state;
    const uint64_t lines[] = {99, 5, 0};
    const uint64_t locations[] = {pprof_builder_location(&f->built, 98, 0x10, lines), 0};

    pprof_builder_type(&f->built, "samples", "count");
    pprof_builder_sample(&f->built, locations, (const uint64_t[]){1}, 1);
    pprof_read_built(f);
    pprof_assert_stack(f, "[unknown]");
}

static void values_are_one_of_each_type_and_not_below_0(void **state)
{
    struct pprof_fixture *f = *state;
    const uint64_t none[] = {0};

    pprof_builder_type(&f->built, "samples", "count");
    pprof_builder_sample(&f->built, none, (const uint64_t[]){1, 2}, 2);
    pprof_assert_refused(f, "damaged: a sample has more or fewer values than there are types");
    pprof_tear_down(state);
    pprof_set_up(state);
    pprof_builder_type(&f->built, "samples", "count");
    pprof_builder_sample(&f->built, none, (const uint64_t[]){(uint64_t)-1}, 1);
    pprof_assert_refused(f, "it has values below 0, as a difference of two profiles");
}

static void values_that_add_up_to_too_much_are_refused(void **state)
{
    struct pprof_fixture *f = *state;
    const uint64_t none[] = {0};

    pprof_builder_type(&f->built, "space", "bytes");
    pprof_builder_sample(&f->built, none, (const uint64_t[]){INT64_MAX}, 1);
    pprof_builder_sample(&f->built, none, (const uint64_t[]){1}, 1);
    pprof_assert_refused(f, "its values of space add up to 2^63 or more");
    pprof_tear_down(state);
    pprof_set_up(state);
    pprof_builder_type(&f->built, "space", "gigabytes");
    pprof_builder_sample(&f->built, none, (const uint64_t[]){UINT64_C(1) << 34}, 1);
    pprof_assert_refused(f, "its values of space add up to 2^63 or more");
}

static void what_tells_no_types_is_refused(void **state)
{
    struct pprof_fixture *f = *state;

    pprof_put_number(&f->built.message, 9, 1);
    pprof_assert_refused(f, "it does not tell what its samples are of");
    pprof_tear_down(state);
    pprof_set_up(state);
    for (int i = 0; i < 257; i++)
        pprof_builder_type(&f->built, "x", "count");
    pprof_assert_refused(f, "its samples have 257 values each, and 256 are read");
}

static void numbers_need_not_be_packed(void **state)
{
    struct pprof_fixture *f = *state;
    SCOPED(text_done) struct text sample = {0};

    pprof_put_number(&sample, 1, pprof_builder_call(&f->built, "b"));
    pprof_put_number(&sample, 1, pprof_builder_call(&f->built, "a"));
    pprof_put_number(&sample, 2, 5);
    pprof_put_bytes(&f->built.message, 2, text_slice(&sample));
    pprof_builder_type(&f->built, "samples", "count");
    pprof_read_built(f);
    pprof_assert_stack(f, "a;b");
    pprof_assert_all(f, 0, 1, 5);
}

static void a_start_tells_it_from_text_and_other_files(void **state)
{
    struct pprof_fixture *f = *state;
    struct slice all;

    a_whole_profile(f);
    all = pprof_builder_bytes(&f->built);
    assert_true(pprof_begins(all));
    assert_true(pprof_begins(slice_range(all, 0, all.length / 2)));
    assert_false(pprof_begins(SLICE("")));
    assert_false(pprof_begins(SLICE("\nmain;work 12\nmain;parse 30\nmain;write 1\n")));
    assert_false(pprof_begins(SLICE("main;work 12\n")));
    assert_false(pprof_begins(SLICE("\177ELF\2\1\1")));
    assert_false(pprof_begins(SLICE("PERFILE2\x68\0\0\0")));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, pprof_set_up, pprof_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(samples_and_their_time_are_one_series),
        TEST(a_comment_is_what_was_run_where_it_names_the_program),
        TEST(what_is_counted_is_called_as_several_are),
        TEST(what_nobody_counted_the_samples_of_is_told_as_a_sum),
        TEST(the_last_type_is_the_first_series_unless_another_is_named),
        TEST(time_alone_is_of_as_many_samples_as_it_has_periods),
        TEST(time_that_is_no_multiple_of_the_period_is_a_sum),
        TEST(samples_that_contradict_their_time_are_a_series_of_their_own),
        TEST(no_more_samples_are_made_than_a_recording_has),
        TEST(events_of_ours_have_their_samples_beside_them),
        TEST(one_cut_anywhere_is_refused_or_lacks_something),
        TEST(what_refers_to_nothing_is_refused),
        TEST(two_of_one_id_are_refused),
        TEST(functions_that_are_not_there_are_not_known),
        TEST(values_are_one_of_each_type_and_not_below_0),
        TEST(values_that_add_up_to_too_much_are_refused),
        TEST(what_tells_no_types_is_refused),
        TEST(numbers_need_not_be_packed),
        TEST(a_start_tells_it_from_text_and_other_files),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
