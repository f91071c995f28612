/* A profile in the order of time. */
#include "cmocka_all.h"

#include "profile_builder.h"
#include "tree/time_tree.h"

/* Two waits of one stack, 3 us with 5 us between, and one that began as the second ended. */
static void init_waits(struct profile *profile)
{
    struct profile_sample sample = {.value = 3};

    profile_builder_init(profile);
    profile_builder_add(profile, 0, SLICE("own app main > own app waits"), 1);
    sample.stack = (uint32_t)profile->stacks.count - 1;
    profile_add_series(profile, SLICE("off-cpu"), SLICE("us"), 0);
    for (size_t i = 0; i < 3; i++) {
        static const uint64_t ends_ns[] = {10003000, 10011000, 10014000};

        sample.time_ns = ends_ns[i];
        profile_add_sample(profile, 1, sample);
    }
    profile_builder_finish(profile);
}

static void make(struct profile *profile, bool with_gaps, struct text *out)
{
    struct error err = {0};
    struct call_tree tree = {0};

    text_clear(out);
    assert_int_equal(time_tree_make(profile, 1, with_gaps, &tree, &err), 0);
    for (size_t i = 1; i < tree.nodes.count; i++) {
        const struct call_node *node = &tree.nodes.items[i];

        text_format(out, "%.*s %llu+%llu; ", SLICE_ARGUMENTS(profile_text(profile, node->name)),
                    (unsigned long long)node->start, (unsigned long long)node->weights.total);
    }
    call_tree_done(&tree);
}

static void waits_stand_where_they_were_in_the_time_of_their_thread(void **state)
{
    struct profile profile;
    SCOPED(text_done) struct text said = {0};

    (void)state;
    init_waits(&profile);
    make(&profile, true, &said);
    assert_string_equal(text_string(&said),
                        "app (100) 0+14; main 0+3; waits 0+3; [not waiting] 3+5; main 8+6; "
                        "waits 8+6; ");
    make(&profile, false, &said);
    assert_string_equal(text_string(&said), "app (100) 0+9; main 0+9; waits 0+9; ");
    profile_done(&profile);
}

static void samples_of_cpu_time_stand_side_by_side(void **state)
{
    struct profile profile;
    SCOPED(text_done) struct text said = {0};

    (void)state;
    init_waits(&profile);
    profile.series.items[1].unit = profile_string(&profile, SLICE("ns"));
    make(&profile, true, &said);
    assert_string_equal(text_string(&said), "app (100) 0+3; main 0+3; waits 0+3; ");
    profile_done(&profile);
}

/* Of waits and gaps that are all of one length, with two nodes a wait: the tree moves at some of either. */
static void no_gap_is_lost_as_the_tree_grows(void **state)
{
    enum { WAITS = 200, LENGTH_US = 5 };
    struct profile profile;
    struct profile_sample sample = {.value = LENGTH_US};
    struct error err = {0};
    struct call_tree tree = {0};

    (void)state;
    profile_builder_init(&profile);
    profile_builder_add(&profile, 0, SLICE("own app main > own app waits"), 1);
    sample.stack = (uint32_t)profile.stacks.count - 1;
    profile_add_series(&profile, SLICE("off-cpu"), SLICE("us"), 0);
    for (uint64_t i = 1; i <= WAITS; i++) {
        sample.time_ns = 10000000 + i * 2 * LENGTH_US * 1000;
        profile_add_sample(&profile, 1, sample);
    }
    profile_builder_finish(&profile);
    assert_int_equal(time_tree_make(&profile, 1, true, &tree, &err), 0);
    for (size_t i = 2; i < tree.nodes.count; i++)
        assert_int_equal(tree.nodes.items[i].weights.total, LENGTH_US);
    assert_int_equal(tree.nodes.count, 2 + 2 * WAITS + WAITS - 1);
    call_tree_done(&tree);
    profile_done(&profile);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(waits_stand_where_they_were_in_the_time_of_their_thread),
        cmocka_unit_test(samples_of_cpu_time_stand_side_by_side),
        cmocka_unit_test(no_gap_is_lost_as_the_tree_grows),
    };

    return cmocka_run_group_tests_name("time_tree", tests, NULL, NULL);
}
