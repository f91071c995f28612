#include "cmocka_all.h"

#include "base/compiler.h"
#include "base/intervals.h"
#include "base/text.h"

/* The rows as text: "start:id start:id", holes as "-". */
static void assert_rows(struct interval *intervals, size_t count, const char *expected)
{
    struct interval_rows rows = intervals_flatten(intervals, count);
    SCOPED(text_done) struct text actual = {0};

    for (size_t i = 0; i < rows.count; i++) {
        text_format(&actual, i > 0 ? " %llu:" : "%llu:", (unsigned long long)rows.items[i].start);
        if (rows.items[i].id == INTERVAL_NONE)
            text_add_byte(&actual, '-');
        else
            text_format(&actual, "%u", rows.items[i].id);
    }
    assert_string_equal(text_string(&actual), expected);
    intervals_done(&rows);
}

static void nothing_is_one_hole(void **state)
{
    (void)state;
    assert_rows(NULL, 0, "0:-");
}

static void inner_intervals_are_cut_out_of_outer_ones(void **state)
{
    struct interval intervals[] = {{10, 90, 1}, {20, 30, 2}, {30, 10, 3}, {60, 10, 4}};

    (void)state;
    assert_rows(intervals, ARRAY_COUNT(intervals), "0:- 10:1 20:2 30:3 40:2 50:1 60:4 70:1 100:-");
}

static void of_crossing_intervals_the_later_has_the_common_part(void **state)
{
    struct interval intervals[] = {{10, 20, 1}, {20, 20, 2}, {25, 3, 3}};

    (void)state;
    assert_rows(intervals, ARRAY_COUNT(intervals), "0:- 10:1 20:2 25:3 28:2 40:-");
}

static void of_equal_intervals_the_last_counts(void **state)
{
    struct interval intervals[] = {{5, 5, 1}, {5, 5, 2}, {5, 8, 3}};

    (void)state;
    assert_rows(intervals, ARRAY_COUNT(intervals), "0:- 5:2 10:3 13:-");
}

static void order_does_not_matter_and_neighbours_of_one_id_are_one_row(void **state)
{
    struct interval intervals[] = {{30, 10, 7}, {10, 10, 7}, {20, 10, 7}, {0, 5, 6}};

    (void)state;
    assert_rows(intervals, ARRAY_COUNT(intervals), "0:6 5:- 10:7 40:-");
}

static void empty_and_overflowing_intervals_are_left_out(void **state)
{
    struct interval intervals[] = {{5, 0, 1}, {UINT64_MAX - 2, 5, 2}, {7, 1, 3}};

    (void)state;
    assert_rows(intervals, ARRAY_COUNT(intervals), "0:- 7:3 8:-");
}

/* Long enough to be merged, and compared with the obvious way. */
static void many_intervals_agree_with_painting_them_one_by_one(void **state)
{
    enum { PLACES = 512, COUNT = 200 };
    struct interval intervals[COUNT];
    struct interval sorted[COUNT];
    struct interval_rows rows;
    uint32_t random = 1;

    (void)state;
    for (uint32_t i = 0; i < COUNT; i++) {
        random = random * 1103515245 + 12345;
        intervals[i] = (struct interval){random >> 8 & 255, (random >> 16 & 127) + 1, i};
        sorted[i] = intervals[i];
    }
    rows = intervals_flatten(sorted, COUNT);
    for (uint64_t place = 0; place < PLACES; place++) {
        const struct interval *best = NULL;

        for (size_t i = 0; i < COUNT; i++) {
            const struct interval *one = &intervals[i];

            if (place >= one->start && place < one->start + one->length &&
                (!best || one->start > best->start ||
                 (one->start == best->start && one->length <= best->length)))
                best = one;
        }
        assert_int_equal(intervals_find(&rows, place), best ? best->id : INTERVAL_NONE);
    }
    intervals_done(&rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_one_hole),
        cmocka_unit_test(inner_intervals_are_cut_out_of_outer_ones),
        cmocka_unit_test(of_crossing_intervals_the_later_has_the_common_part),
        cmocka_unit_test(of_equal_intervals_the_last_counts),
        cmocka_unit_test(order_does_not_matter_and_neighbours_of_one_id_are_one_row),
        cmocka_unit_test(empty_and_overflowing_intervals_are_left_out),
        cmocka_unit_test(many_intervals_agree_with_painting_them_one_by_one),
    };

    return cmocka_run_group_tests_name("intervals", tests, NULL, NULL);
}
