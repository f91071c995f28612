#include "cmocka_all.h"

#include "change_fixture.h"
#include "profile_builder.h"

static void what_changed_is_told_in_the_order_of_its_difference(void **state)
{
    struct change_fixture *f = *state;

    change_fixture_fill(f);
    change_fixture_compare(f, MEASURE_CPU, JOINED_BY_FUNCTION);
    assert_changes(f, "hot +1000/+1000! old -300/-300! fresh +280/+280! main +0/+1000 parse +0/+1000 "
                      "| find +20/+20 ");
}

static void differences_add_up_to_that_of_the_wholes(void **state)
{
    struct change_fixture *f = *state;
    static const enum measure_kind kinds[] = {MEASURE_CPU, MEASURE_SHARE, MEASURE_COUNT};

    change_fixture_fill(f);
    profile_builder_add(&f->after, 0, SLICE(""), 7);
    f->before.cpu_ns = 1799999999;
    f->after.cpu_ns = 2900000003;
    for (size_t kind = 0; kind < ARRAY_COUNT(kinds); kind++) {
        int64_t sum = 0;

        change_fixture_compare(f, kinds[kind], JOINED_BY_FUNCTION);
        for (size_t i = 0; i < f->changes.items.count; i++)
            sum += change_of(&f->changes.items.items[i].self);
        assert_int_equal(sum, f->changes.measure.sides[JOINED_AFTER].whole -
                                  f->changes.measure.sides[JOINED_BEFORE].whole);
    }
    assert_non_null(change_fixture_find(f, "[no stack]"));
}

static void a_profile_against_itself_is_empty(void **state)
{
    struct change_fixture *f = *state;
    struct joined_part parts[] = {{&f->before, 0}, {&f->before, 0}};
    struct measure measure;

    change_fixture_fill(f);
    for (int kind = MEASURE_CPU; kind <= MEASURE_COUNT; kind++) {
        changes_done(&f->changes);
        assert_int_equal(measure_make(parts, (enum measure_kind)kind, &measure, &f->err), 0);
        changes_make(parts, JOINED_BY_FUNCTION, &measure, &f->changes);
        assert_int_equal(f->changes.items.count, 0);
    }
}

static void swapping_the_sides_negates(void **state)
{
    struct change_fixture *f = *state;
    struct changes forth = {0};
    struct profile kept;

    change_fixture_fill(f);
    f->before.cpu_ns = 1799999999;
    change_fixture_compare(f, MEASURE_CPU, JOINED_BY_FUNCTION);
    forth = f->changes;
    f->changes = (struct changes){0};
    kept = f->before;
    f->before = f->after;
    f->after = kept;
    change_fixture_compare(f, MEASURE_CPU, JOINED_BY_FUNCTION);
    assert_int_equal(f->changes.items.count, forth.items.count);
    for (size_t i = 0; i < forth.items.count; i++) {
        const struct change *a = &forth.items.items[i];
        const struct change *b = &f->changes.items.items[i];

        assert_true(slice_equal(change_name(&forth, a), change_name(&f->changes, b)));
        assert_int_equal(change_of(&a->self), -change_of(&b->self));
        assert_int_equal(change_of(&a->total), -change_of(&b->total));
        assert_int_equal(a->self.is_noise, b->self.is_noise);
    }
    changes_done(&forth);
}

static void names_that_differ_in_what_compilers_count_are_one_function(void **state)
{
    struct change_fixture *f = *state;

    profile_builder_add(&f->before, 0, SLICE("own app main > own app work::{closure#0}"), 400);
    profile_builder_add(&f->before, 0, SLICE("own app main > own app work::{closure#1}"), 300);
    profile_builder_add(&f->after, 0, SLICE("own app main > own app work::{closure#2}"), 700);
    change_fixture_compare(f, MEASURE_CPU, JOINED_BY_FUNCTION);
    assert_changes(f, "");
}

static void code_without_a_name_is_the_same_wherever_it_is(void **state)
{
    struct change_fixture *f = *state;

    profile_builder_add(&f->before, 0, SLICE("[libfoo.so+0x1f40]"), 10);
    f->before.functions.items[0].name = profile_string(&f->before, SLICE("libfoo.so+0x1f40"));
    profile_builder_add(&f->after, 0, SLICE("[libfoo.so+0x2a]"), 30);
    f->after.functions.items[0].name = profile_string(&f->after, SLICE("libfoo.so+0x2a"));
    change_fixture_compare(f, MEASURE_CPU, JOINED_BY_FUNCTION);
    assert_int_equal(f->changes.items.count, 1);
    assert_true(slice_is(change_name(&f->changes, &f->changes.items.items[0]), "libfoo.so"));
}

static void callers_that_one_side_does_not_know_are_not_gone(void **state)
{
    struct change_fixture *f = *state;

    profile_builder_add(&f->before, 0, SLICE("own a a::main > own a a::f"), 300);
    profile_builder_add(&f->before, 0, SLICE("own a a::main > own a a::g"), 1000);
    profile_builder_add(&f->after, 0, SLICE("own a a::f"), 900);
    profile_builder_add(&f->after, 0, SLICE("own a a::g"), 1010);
    change_fixture_compare(f, MEASURE_CPU, JOINED_BY_FUNCTION);
    assert_changes(f, "a::f +600/+600! | a::g +10/+10 ");
    assert_true(f->changes.lacks_callers);
}

static void crates_are_compared_as_what_their_functions_take_together(void **state)
{
    struct change_fixture *f = *state;

    change_fixture_fill(f);
    change_fixture_compare(f, MEASURE_CPU, JOINED_BY_CRATE);
    assert_changes(f, "app +980/+1000! | regex +20/+20 ");
}

static void by_share_profiles_of_different_length_are_alike(void **state)
{
    struct change_fixture *f = *state;

    profile_builder_add(&f->before, 0, SLICE("own app a"), 300);
    profile_builder_add(&f->before, 0, SLICE("own app b"), 100);
    profile_builder_add(&f->after, 0, SLICE("own app a"), 3000);
    profile_builder_add(&f->after, 0, SLICE("own app b"), 1000);
    change_fixture_compare(f, MEASURE_SHARE, JOINED_BY_FUNCTION);
    assert_changes(f, "");
    change_fixture_compare(f, MEASURE_CPU, JOINED_BY_FUNCTION);
    assert_changes(f, "a +2700/+2700! b +900/+900! ");
}

static void a_run_of_a_given_time_is_compared_by_share(void **state)
{
    struct change_fixture *f = *state;
    struct joined_part parts[] = {{&f->before, 0}, {&f->after, 0}};

    change_fixture_fill(f);
    assert_int_equal(measure_usual(parts), MEASURE_CPU);
    f->before.is_part = true;
    assert_int_equal(measure_usual(parts), MEASURE_SHARE);
}

static void some_threads_are_compared_with_all_by_share(void **state)
{
    struct change_fixture *f = *state;
    struct joined_part parts[] = {{&f->before, 0}, {&f->after, 0}};

    change_fixture_fill(f);
    f->before.series.items[0].whole.sample_count = 10000;
    assert_int_equal(measure_usual(parts), MEASURE_SHARE);
    f->after.series.items[0].whole.sample_count = 10000;
    assert_int_equal(measure_usual(parts), MEASURE_CPU);
}

static void events_that_count_different_things_are_refused(void **state)
{
    struct change_fixture *f = *state;
    struct joined_part parts[] = {{&f->before, 0}, {&f->after, 0}};
    struct measure measure;

    change_fixture_fill(f);
    f->after.series.items[0].unit = profile_string(&f->after, SLICE("page-faults"));
    f->after.series.items[0].event = profile_string(&f->after, SLICE("page-faults"));
    assert_int_equal(measure_make(parts, MEASURE_SHARE, &measure, &f->err), -1);
    assert_int_equal(f->err.kind, ERROR_USAGE);
    f->before.series.items[0].unit = profile_string(&f->before, SLICE("page-faults"));
    assert_int_equal(measure_usual(parts), MEASURE_COUNT);
    assert_int_equal(measure_make(parts, MEASURE_CPU, &measure, &f->err), -1);
    assert_int_equal(f->err.kind, ERROR_USAGE);
}

static void what_moves_with_the_whole_is_told_as_such(void **state)
{
    struct change_fixture *f = *state;

    /* So little of each that none is beyond noise itself, but all together are. */
    for (char name[] = "own app main > own app a"; name[23] <= 'z'; name[23]++) {
        profile_builder_add(&f->before, 0, slice_of(name), 100);
        profile_builder_add(&f->after, 0, slice_of(name), 120);
    }
    change_fixture_compare(f, MEASURE_CPU, JOINED_BY_FUNCTION);
    assert_false(change_fixture_find(f, "main")->total.is_noise);
    assert_int_equal(f->changes.told_count, 0);
    assert_false(f->changes.moved_alike);
}

static void what_moves_alike_is_told_and_known(void **state)
{
    struct change_fixture *f = *state;

    profile_builder_add(&f->before, 0, SLICE("own app a"), 1000);
    profile_builder_add(&f->before, 0, SLICE("own app b"), 500);
    profile_builder_add(&f->after, 0, SLICE("own app a"), 1300);
    profile_builder_add(&f->after, 0, SLICE("own app b"), 650);
    change_fixture_compare(f, MEASURE_CPU, JOINED_BY_FUNCTION);
    assert_changes(f, "a +300/+300! b +150/+150! ");
    assert_true(f->changes.moved_alike);
    profile_builder_add(&f->after, 0, SLICE("own app b"), 400);
    change_fixture_compare(f, MEASURE_CPU, JOINED_BY_FUNCTION);
    assert_false(f->changes.moved_alike);
}

/* Its share is nearly the same whatever it takes, and what is beside it did not move. */
static void what_has_nearly_all_of_the_time_did_not_move_alike(void **state)
{
    struct change_fixture *f = *state;

    profile_builder_add(&f->before, 0, SLICE("own app a"), 1000);
    profile_builder_add(&f->before, 0, SLICE("own app b"), 10);
    profile_builder_add(&f->after, 0, SLICE("own app a"), 3000);
    profile_builder_add(&f->after, 0, SLICE("own app b"), 11);
    change_fixture_compare(f, MEASURE_CPU, JOINED_BY_FUNCTION);
    assert_int_equal(f->changes.itself_count, 1);
    assert_false(f->changes.moved_alike);
    assert_true(f->changes.moved_alone);
    change_fixture_compare(f, MEASURE_CPU, JOINED_BY_CRATE);
    assert_false(f->changes.moved_alike);
    assert_true(f->changes.moved_alone);
}

/* Nor where nothing is beside it at all. */
static void what_has_all_of_the_time_did_not_move_alike(void **state)
{
    struct change_fixture *f = *state;

    profile_builder_add(&f->before, 0, SLICE("own app a"), 1000);
    profile_builder_add(&f->after, 0, SLICE("own app a"), 3000);
    change_fixture_compare(f, MEASURE_CPU, JOINED_BY_FUNCTION);
    assert_int_equal(f->changes.itself_count, 1);
    assert_false(f->changes.moved_alike);
}

/* As one that failed at its start: what it has none of may be as large a part of it as of the other. */
static void what_so_few_samples_do_not_tell_is_not_alike(void **state)
{
    struct change_fixture *f = *state;

    profile_builder_add(&f->before, 0, SLICE("own app c"), 5);
    profile_builder_add(&f->after, 0, SLICE("own app a"), 1000);
    profile_builder_add(&f->after, 0, SLICE("own app b"), 500);
    change_fixture_compare(f, MEASURE_CPU, JOINED_BY_FUNCTION);
    assert_int_equal(f->changes.itself_count, 2);
    assert_false(f->changes.moved_alike);
}

/* It has all of the time on both sides, whatever it did with it. */
static void a_crate_moved_alike_if_its_functions_did(void **state)
{
    struct change_fixture *f = *state;

    profile_builder_add(&f->before, 0, SLICE("own app a"), 1000);
    profile_builder_add(&f->before, 0, SLICE("own app b"), 500);
    profile_builder_add(&f->after, 0, SLICE("own app a"), 1000);
    profile_builder_add(&f->after, 0, SLICE("own app b"), 1000);
    change_fixture_compare(f, MEASURE_CPU, JOINED_BY_CRATE);
    assert_int_equal(f->changes.itself_count, 1);
    assert_false(f->changes.moved_alike);
    profile_builder_add(&f->after, 0, SLICE("own app a"), 1000);
    change_fixture_compare(f, MEASURE_CPU, JOINED_BY_CRATE);
    assert_true(f->changes.moved_alike);
}

/* All are slower in what they call alone, and one of the two that call it calls it more often. */
static void what_is_called_more_often_from_one_place_did_not_move_alike(void **state)
{
    struct change_fixture *f = *state;

    profile_builder_add(&f->before, 0, SLICE("own app a > own app burn"), 1000);
    profile_builder_add(&f->before, 0, SLICE("own app b > own app burn"), 800);
    profile_builder_add(&f->after, 0, SLICE("own app a > own app burn"), 1000);
    profile_builder_add(&f->after, 0, SLICE("own app b > own app burn"), 2000);
    change_fixture_compare(f, MEASURE_CPU, JOINED_BY_FUNCTION);
    assert_int_equal(f->changes.itself_count, 1);
    assert_false(f->changes.moved_alike);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, change_fixture_set_up, change_fixture_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(what_changed_is_told_in_the_order_of_its_difference),
        TEST(differences_add_up_to_that_of_the_wholes),
        TEST(a_profile_against_itself_is_empty),
        TEST(swapping_the_sides_negates),
        TEST(names_that_differ_in_what_compilers_count_are_one_function),
        TEST(code_without_a_name_is_the_same_wherever_it_is),
        TEST(callers_that_one_side_does_not_know_are_not_gone),
        TEST(crates_are_compared_as_what_their_functions_take_together),
        TEST(by_share_profiles_of_different_length_are_alike),
        TEST(a_run_of_a_given_time_is_compared_by_share),
        TEST(some_threads_are_compared_with_all_by_share),
        TEST(events_that_count_different_things_are_refused),
        TEST(what_moves_with_the_whole_is_told_as_such),
        TEST(what_moves_alike_is_told_and_known),
        TEST(what_has_nearly_all_of_the_time_did_not_move_alike),
        TEST(what_has_all_of_the_time_did_not_move_alike),
        TEST(what_so_few_samples_do_not_tell_is_not_alike),
        TEST(a_crate_moved_alike_if_its_functions_did),
        TEST(what_is_called_more_often_from_one_place_did_not_move_alike),
    };

    return cmocka_run_group_tests_name("changes", tests, NULL, NULL);
}
