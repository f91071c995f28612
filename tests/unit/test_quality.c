#include "cmocka_all.h"

#include <string.h>

#include "facts/quality.h"

static void assert_lines(const struct profile_series *series, const char *expected)
{
    SCOPED(text_done) struct text said = {0};

    quality_add(&said, series);
    assert_string_equal(text_string(&said), expected);
}

static void what_was_lost_leads_with_its_share_and_what_to_do(void **state)
{
    struct profile_series series = {.lost_count = 50, .samples.count = 950, .frequency_hz = 997};
    SCOPED(text_done) struct text said = {0};

    (void)state;
    quality_add_loss(&said, &series, false);
    assert_string_equal(text_string(&said),
                        "lost: 50 of 1,000 samples (5.0%): the machine could not keep up; "
                        "a lower frequency (-F) loses less\n");
    said.length = 0;
    series.frequency_hz = 0;
    quality_add_loss(&said, &series, false);
    assert_non_null(strstr(text_string(&said), "; sampling more seldom (a larger -c) loses less\n"));
}

static void every_way_to_be_cut_has_a_line(void **state)
{
    struct profile_series series = {.lost_count = 2};

    (void)state;
    assert_lines(&(struct profile_series){0}, "");
    for (size_t i = 0; i < STACK_END_COUNT; i++)
        series.ended_counts[i] = i == STACK_UNCHECKED ? 0 : 1 + i;
    assert_lines(
        &series,
        "2 lost, 3.8% of stacks complete\n"
        "  completed: 9 deeper than what is copied of a stack, or on several, the rest read a little later\n"
        "  cut: 2 deeper than what is copied of a stack\n"
        "  cut: 3 code without unwind information\n"
        "  cut: 4 unwind information that leads nowhere\n"
        "  cut: 5 more frames than are kept\n"
        "  cut: 6 taken without the program's stack\n"
        "  cut: 7 deeper than what is copied of a stack, changed before the rest was read\n"
        "  cut: 8 deeper than what is copied of a stack, and the rest could not be read\n"
        "  cut: 11 in a signal handler on a stack of its own, what it interrupted being on another\n"
        "  cut: 12 deeper than the 9 MiB that are read of a stack\n"
        "  cut: 13 on a stack of its own, as of a coroutine or made by stacker, its callers being on "
        "another\n"
        "  cut: 14 code made at run time\n"
        "  cut: 15 code of a file that could not be read any more\n"
        "  cut: 16 code of a file that may not be read\n"
        "  cut: 17 of processes outside of this container\n"
        "  cut: 18 deeper than what is copied of a stack, and gone by an exit or exec before the rest was "
        "read\n"
        "  cut: 19 code of a file that could not be opened beside so many others\n"
        "  cut: 20 more calls than are followed by frame pointers\n"
        "  cut: 21 in processes of other users, of which we may not see what code is where\n"
        "  cut: 22 without a stack, for which there was no room\n"
        "  cut: 23 taken as the stack grew, of which nothing could be copied\n");
}

static void stacks_that_nobody_can_check_are_told_of(void **state)
{
    struct profile_series series = {.lost_count = 2, .ended_counts[STACK_UNCHECKED] = 5};
    SCOPED(text_done) struct text said = {0};

    (void)state;
    assert_lines(&series, "2 lost, whether stacks are complete is not known\n");
    assert_false(quality_add_warning(&said, &series, false));
    series.ended_counts[STACK_COMPLETE] = 3;
    assert_lines(&series, "2 lost, 100.0% of stacks complete, whether the others are is not known\n");
}

static void cut_stacks_are_told_of_where_none_is_known_to_be_whole(void **state)
{
    struct profile_series series = {.ended_counts = {[STACK_UNCHECKED] = 95, [STACK_CUT_CALLS] = 5}};
    SCOPED(text_done) struct text said = {0};

    (void)state;
    assert_lines(&series, "0 lost, whether other stacks are complete is not known\n"
                          "  cut: 5 more calls than are followed by frame pointers\n");
    assert_false(quality_add_warning(&said, &series, false));
    series.ended_counts[STACK_UNCHECKED] = 94;
    assert_true(quality_add_warning(&said, &series, false));
    assert_string_equal(text_string(&said),
                        "5.1% of stacks end before their thread's start, mostly for this reason: more calls "
                        "than are followed "
                        "by frame pointers; --call-graph dwarf follows 16,384, fp as many as it is given and "
                        "kernel.perf_event_max_stack allows: 127 unless that was changed");
}

static void fewer_than_95_whole_stacks_in_a_hundred_are_warned_of(void **state)
{
    struct profile_series series = {0};
    SCOPED(text_done) struct text said = {0};

    (void)state;
    assert_false(quality_add_warning(&said, &series, false));
    series.ended_counts[STACK_COMPLETE] = 90;
    series.ended_counts[STACK_COMPLETED] = 5;
    series.ended_counts[STACK_CUT_NO_RULE] = 3;
    series.ended_counts[STACK_CUT_CHANGED] = 2;
    assert_false(quality_add_warning(&said, &series, false));
    assert_int_equal(said.length, 0);
    series.ended_counts[STACK_CUT_NO_RULE] = 4;
    assert_true(quality_add_warning(&said, &series, false));
    assert_string_equal(
        text_string(&said),
        "only 94.1% of stacks reach their thread's start, the others mostly end for this reason: code "
        "without unwind "
        "information; code is read, and best where the file has symbols: do not strip it; build C with "
        "-fasynchronous-unwind-tables, Rust with -Cforce-unwind-tables=yes; or record with --call-graph fp");
}

static void every_way_to_be_cut_is_warned_of_with_its_reason(void **state)
{
    SCOPED(text_done) struct text said = {0};

    (void)state;
    for (size_t i = 0; i < STACK_END_COUNT; i++) {
        struct profile_series series = {.ended_counts = {[STACK_COMPLETE] = 10}};

        if (i == STACK_COMPLETE || i == STACK_COMPLETED || i == STACK_UNCHECKED)
            continue;
        series.ended_counts[i] = 90;
        said.length = 0;
        assert_true(quality_add_warning(&said, &series, false));
        assert_non_null(strstr(text_string(&said), "the others mostly end for this reason: "));
        assert_non_null(strstr(text_string(&said), "; "));
    }
}

/* Of a program that keeps none, frame pointers tell less than was cut. */
static void what_frame_pointers_tell_is_said_of_programs_that_keep_them(void **state)
{
    const enum stack_end ends[] = {STACK_CUT_CHANGED, STACK_CUT_GONE};

    (void)state;
    for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++) {
        struct profile_series series = {.ended_counts = {[STACK_COMPLETE] = 10}};
        SCOPED(text_done) struct text said = {0};

        series.ended_counts[ends[i]] = 90;
        assert_true(quality_add_warning(&said, &series, false));
        assert_non_null(strstr(text_string(&said),
                               "--call-graph fp needs no copy of them where the program keeps frame "
                               "pointers, as what cargo builds for it does"));
    }
}

static void what_has_no_stack_may_be_in_an_exec(void **state)
{
    struct profile_series series = {.ended_counts = {[STACK_COMPLETE] = 90, [STACK_NO_USER] = 10}};
    SCOPED(text_done) struct text said = {0};

    (void)state;
    assert_true(quality_add_warning(&said, &series, false));
    assert_non_null(strstr(text_string(&said), "threads that are ending or in the middle of an exec, and "));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_lost_leads_with_its_share_and_what_to_do),
        cmocka_unit_test(every_way_to_be_cut_has_a_line),
        cmocka_unit_test(stacks_that_nobody_can_check_are_told_of),
        cmocka_unit_test(cut_stacks_are_told_of_where_none_is_known_to_be_whole),
        cmocka_unit_test(fewer_than_95_whole_stacks_in_a_hundred_are_warned_of),
        cmocka_unit_test(every_way_to_be_cut_is_warned_of_with_its_reason),
        cmocka_unit_test(what_frame_pointers_tell_is_said_of_programs_that_keep_them),
        cmocka_unit_test(what_has_no_stack_may_be_in_an_exec),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
