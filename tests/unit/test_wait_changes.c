/* What is told of waits that became longer or more. */
#include "change_fixture.h"

#include <string.h>

#include "changes/change_rows.h"
#include "changes/change_tree.h"
#include "profile_builder.h"

#define NAPS "own app main > own app nap > kernel [kernel] schedule"
#define SERVES "own app main > own app serve > kernel [kernel] schedule"

/* Samples of the builder's 1,000,000 each are waits of a second. */
static void make_waits(struct change_fixture *f)
{
    for (size_t i = 0; i < 2; i++) {
        struct profile *side = i == 0 ? &f->before : &f->after;

        side->series.items[0].event = profile_string(side, SLICE("off-cpu"));
        side->series.items[0].unit = profile_string(side, SLICE("us"));
        side->series.items[0].frequency_hz = 0;
    }
}

static void add_run(struct profile *profile, uint32_t run, const char *path, uint64_t count)
{
    uint32_t thread = profile_add_thread(profile, 100, 200 + run, SLICE("app"));

    profile->threads.items[thread].run = run;
    profile_builder_add(profile, thread, slice_of(path), count);
}

static void a_change_counts_beyond_what_so_many_waits_differ_by(void **state)
{
    struct change_fixture *f = *state;

    make_waits(f);
    profile_builder_add(&f->before, 0, SLICE(NAPS), 100);
    profile_builder_add(&f->after, 0, SLICE(NAPS), 200);
    profile_builder_add(&f->before, 0, SLICE(SERVES), 10);
    profile_builder_add(&f->after, 0, SLICE(SERVES), 15);
    change_fixture_compare(f, MEASURE_COUNT, JOINED_BY_FUNCTION);
    assert_int_equal(f->changes.measure.kind, MEASURE_WAITED);
    assert_int_equal(measure_all(&f->changes.measure.sides[JOINED_BEFORE]), 110000000000);
    assert_false(change_fixture_find(f, "nap")->total.is_noise);
    assert_true(change_fixture_find(f, "serve")->total.is_noise); /* 5 of 25, whose deviation is 5 */
    assert_int_equal(change_fixture_find(f, "nap")->rank, CHANGE_OWN_CALLER);
    assert_int_equal(change_fixture_find(f, "schedule")->rank, CHANGE_CALLER);
    assert_string_equal(measure_words(&f->changes.measure), "by time waited");
}

static void how_many_there_were_may_be_asked_for(void **state)
{
    struct change_fixture *f = *state;

    make_waits(f);
    profile_builder_add(&f->before, 0, SLICE(NAPS), 100);
    profile_builder_add(&f->after, 0, SLICE(NAPS), 200);
    profile_builder_add(&f->before, 0, SLICE(SERVES), 10);
    profile_builder_add(&f->after, 0, SLICE(SERVES), 15);
    profile_add_sample(&f->after, 0,
                       (struct profile_sample){.time_ns = UINT64_MAX, .value = 1, .stack = PROFILE_NONE});
    profile_builder_finish(&f->after);
    change_fixture_compare(f, MEASURE_WAITS, JOINED_BY_FUNCTION);
    assert_int_equal(measure_all(&f->changes.measure.sides[JOINED_BEFORE]), 110);
    assert_int_equal(measure_all(&f->changes.measure.sides[JOINED_AFTER]), 216);
    assert_int_equal(change_of(&change_fixture_find(f, "nap")->total), 100);
    assert_false(change_fixture_find(f, "nap")->total.is_noise);
    assert_true(change_fixture_find(f, "serve")->total.is_noise);
    assert_string_equal(measure_words(&f->changes.measure), "by how many there were");
}

static void only_waits_are_counted_as_waits(void **state)
{
    struct change_fixture *f = *state;
    const struct joined_part parts[JOINED_SIDES] = {{&f->before, 0}, {&f->after, 0}};
    struct measure measure;

    change_fixture_fill(f);
    assert_int_equal(measure_make(parts, MEASURE_WAITS, &measure, &f->err), -1);
    assert_string_equal(f->err.message, "--measure waits: not both sides are of waits");
}

static void one_long_wait_tells_no_more_than_itself(void **state)
{
    struct change_fixture *f = *state;

    make_waits(f);
    profile_builder_add(&f->before, 0, SLICE(NAPS), 100);
    profile_builder_add(&f->after, 0, SLICE(NAPS), 100);
    profile_add_sample(&f->after, 0,
                       (struct profile_sample){.time_ns = UINT64_MAX, .value = 100000000, .stack = 2});
    profile_builder_finish(&f->after);
    change_fixture_compare(f, MEASURE_COUNT, JOINED_BY_FUNCTION);
    assert_true(change_fixture_find(f, "nap")->total.is_noise); /* 100 s, by one */
}

static void runs_tell_how_much_they_differ(void **state)
{
    struct change_fixture *f = *state;

    make_waits(f);
    for (uint32_t run = 0; run < 4; run++) {
        add_run(&f->before, run, NAPS, 10);
        add_run(&f->after, run, NAPS, 12);
        add_run(&f->before, run, SERVES, run % 2 ? 5 : 15);
        add_run(&f->after, run, SERVES, run % 2 ? 17 : 7);
    }
    f->before.run_count = f->after.run_count = 4;
    change_fixture_compare(f, MEASURE_COUNT, JOINED_BY_FUNCTION);
    assert_true(measure_tells_runs(&f->changes.measure));
    assert_false(change_fixture_find(f, "nap")->total.is_noise); /* as much in each */
    assert_true(change_fixture_find(f, "serve")->total.is_noise);
    assert_string_equal(measure_words(&f->changes.measure), "by time waited in a run");
}

static void people_see_it_of_functions_with_what_they_call(void **state)
{
    static const struct change_words words = {"old", "new"};
    struct change_fixture *f = *state;
    SCOPED(rows_done) struct rows rows = {0};

    make_waits(f);
    profile_builder_add(&f->before, 0, SLICE(NAPS), 100);
    profile_builder_add(&f->after, 0, SLICE(NAPS), 200);
    change_fixture_compare(f, MEASURE_COUNT, JOINED_BY_FUNCTION);
    change_rows_fill(&f->changes, JOINED_BY_FUNCTION, &words, &rows);
    assert_non_null(
        strstr(rows.headline, "time waited grew by 100.00 s (+100.0%), from 100.00 s to 200.00 s; "));
    assert_non_null(strstr(rows.headline, "with what it calls"));
    for (size_t i = 0; i < rows.column_count; i++)
        if (rows.columns[i].title && strcmp(rows.columns[i].title, "Before") == 0)
            assert_string_equal(rows.columns[i].key, "total-before");
    assert_non_null(strstr(rows.notes.items[0], "in functions and what they call: 100 and 200 waits; "));
}

static int make_tree(void *context, struct profile *joined, uint32_t series, struct call_tree *out,
                     struct error *err)
{
    (void)context;
    (void)err;
    call_tree_make(joined, series, WEIGHT_VALUE, CALLS_BY_NAME, out);
    return 0;
}

/* The only node of a function of this name. */
static const struct change_node *node_of(const struct change_fixture *f, const struct change_tree *tree,
                                         const char *name)
{
    for (size_t i = 0; i < tree->calls.nodes.count; i++)
        if (slice_is(profile_text(&f->changes.joined, tree->calls.nodes.items[i].name), name))
            return &tree->nodes[i];
    return NULL;
}

static void in_pictures_calls_differ_by_chance_as_their_functions_do(void **state)
{
    struct change_fixture *f = *state;
    SCOPED(change_tree_done) struct change_tree tree = {0};

    make_waits(f);
    profile_builder_add(&f->before, 0, SLICE("own app main > own app nap"), 100);
    profile_builder_add(&f->after, 0, SLICE("own app main > own app nap"), 200);
    profile_builder_add(&f->before, 0, SLICE("own app main > own app serve"), 10);
    profile_builder_add(&f->after, 0, SLICE("own app main > own app serve"), 15);
    profile_builder_add(&f->before, 0, SLICE("own app main > own app rare"), 1);
    change_fixture_compare(f, MEASURE_COUNT, JOINED_BY_FUNCTION);
    assert_int_equal(change_tree_make(&f->changes, make_tree, NULL, &tree, &f->err), 0);
    assert_false(node_of(f, &tree, "nap")->self.is_noise);
    assert_false(node_of(f, &tree, "main")->total.is_noise);
    assert_false(tree.nodes[0].total.is_noise);
    assert_true(node_of(f, &tree, "serve")->self.is_noise);
    assert_true(node_of(f, &tree, "serve")->total.is_noise);
    assert_int_equal(node_of(f, &tree, "rare")->gone, 0);
}

static void in_pictures_all_of_a_thread_differs_as_its_parts_do(void **state)
{
    struct change_fixture *f = *state;
    SCOPED(change_tree_done) struct change_tree tree = {0};

    make_waits(f);
    profile_builder_add(&f->before, 0, SLICE("own app main > own app serve"), 10);
    profile_builder_add(&f->after, 0, SLICE("own app main > own app serve"), 15);
    change_fixture_compare(f, MEASURE_COUNT, JOINED_BY_FUNCTION);
    assert_int_equal(change_tree_make(&f->changes, make_tree, NULL, &tree, &f->err), 0);
    for (size_t i = 0; i < tree.calls.nodes.count; i++)
        assert_true(tree.nodes[i].total.is_noise);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, change_fixture_set_up, change_fixture_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_change_counts_beyond_what_so_many_waits_differ_by),
        TEST(how_many_there_were_may_be_asked_for),
        TEST(only_waits_are_counted_as_waits),
        TEST(one_long_wait_tells_no_more_than_itself),
        TEST(runs_tell_how_much_they_differ),
        TEST(in_pictures_calls_differ_by_chance_as_their_functions_do),
        TEST(in_pictures_all_of_a_thread_differs_as_its_parts_do),
        TEST(people_see_it_of_functions_with_what_they_call),
    };

    return cmocka_run_group_tests_name("wait_changes", tests, NULL, NULL);
}
