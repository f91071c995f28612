#include "emit/speedscope.h"

#include "profile_fixture.h"

#define START                                                                                                \
    "{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\"exporter\":\"cargo cprof\","

static void assert_document(struct profile_fixture *f, const char *expected)
{
    SCOPED(text_done) struct text document = {0};

    profile_builder_finish(&f->profile);
    assert_int_equal(speedscope_add(&document, &f->profile, 0, &f->err), 0);
    assert_string_equal(text_string(&document), expected);
}

static void samples_have_all_their_calls_outermost_first(void **state)
{
    struct profile_fixture *f = *state;

    profile_builder_add(&f->profile, 0, SLICE("main > parse + next"), 1);
    profile_builder_add(&f->profile, 0, SLICE("main"), 1);
    assert_document(f, START
                    "\"name\":\"cargo cprof\",\"profiles\":[{\"type\":\"sampled\",\"name\":\"app (100)\","
                    "\"unit\":\"nanoseconds\",\"startValue\":0,\"endValue\":2000000,"
                    "\"samples\":[[2,1,0],[2]],\"weights\":[1000000,1000000]}],\"activeProfileIndex\":0,"
                    "\"shared\":{\"frames\":[{\"name\":\"next\",\"file\":\"src/"
                    "lib.rs\"},{\"name\":\"parse\",\"file\":\"src/"
                    "lib.rs\"},{\"name\":\"main\",\"file\":\"src/lib.rs\"}]}}");
}

static void samples_of_one_stack_that_follow_each_other_are_one(void **state)
{
    struct profile_fixture *f = *state;

    profile_builder_add(&f->profile, 0, SLICE("main"), 3);
    profile_builder_add(&f->profile, 0, SLICE(""), 2);
    profile_builder_add(&f->profile, 0, SLICE("main"), 1);
    assert_document(
        f, START
        "\"name\":\"cargo cprof\",\"profiles\":[{\"type\":\"sampled\",\"name\":\"app (100)\","
        "\"unit\":\"nanoseconds\",\"startValue\":0,\"endValue\":6000000,"
        "\"samples\":[[0],[],[0]],\"weights\":[3000000,2000000,1000000]}],"
        "\"activeProfileIndex\":0,\"shared\":{\"frames\":[{\"name\":\"main\",\"file\":\"src/lib.rs\"}]}}");
}

static void the_thread_that_has_the_most_is_shown_first(void **state)
{
    struct profile_fixture *f = *state;
    uint32_t idle = profile_add_thread(&f->profile, 100, 101, SLICE("idle"));
    uint32_t busy = profile_add_thread(&f->profile, 100, 102, SLICE("busy"));

    (void)idle;
    profile_builder_add(&f->profile, 0, SLICE("main"), 1);
    profile_builder_add(&f->profile, busy, SLICE("work"), 2);
    f->profile.command = profile_string(&f->profile, SLICE("app --fast"));
    assert_document(f, START
                    "\"name\":\"app --fast\",\"profiles\":[{\"type\":\"sampled\",\"name\":\"app (100)\","
                    "\"unit\":\"nanoseconds\",\"startValue\":0,\"endValue\":1000000,\"samples\":[[0]],"
                    "\"weights\":[1000000]},{\"type\":\"sampled\",\"name\":\"busy (102)\","
                    "\"unit\":\"nanoseconds\",\"startValue\":0,\"endValue\":2000000,\"samples\":[[1]],"
                    "\"weights\":[2000000]}],\"activeProfileIndex\":1,"
                    "\"shared\":{\"frames\":[{\"name\":\"main\",\"file\":\"src/"
                    "lib.rs\"},{\"name\":\"work\",\"file\":\"src/lib.rs\"}]}}");
}

static void what_events_count_has_no_unit(void **state)
{
    struct profile_fixture *f = *state;

    f->profile.series.items[0].unit = profile_string(&f->profile, SLICE("page-faults"));
    profile_add_sample(&f->profile, 0, (struct profile_sample){.value = 7, .stack = PROFILE_NONE});
    assert_document(f, START
                    "\"name\":\"cargo cprof\",\"profiles\":[{\"type\":\"sampled\",\"name\":\"app (100)\","
                    "\"unit\":\"none\",\"startValue\":0,\"endValue\":7,\"samples\":[[]],\"weights\":[7]}],"
                    "\"activeProfileIndex\":0,\"shared\":{\"frames\":[]}}");
}

/* Stacks share their callers; the document's lists do not, and a small profile would make a huge one. */
static void more_calls_than_a_browser_reads_are_refused(void **state)
{
    enum { DEPTH = 100000, SAMPLES = 1100 };

    struct profile_fixture *f = *state;
    SCOPED(text_done) struct text document = {0};
    uint32_t stack = PROFILE_NONE;
    uint32_t location = 0;

    profile_builder_add(&f->profile, 0, SLICE("main"), 1);
    location = f->profile.stacks.items[0].location;
    for (int i = 0; i < DEPTH; i++)
        stack = profile_stack(&f->profile, stack, location);
    for (uint64_t i = 0; i < SAMPLES; i++)
        profile_add_sample(&f->profile, 0,
                           (struct profile_sample){.time_ns = i, .value = 1, .stack = stack - i % 2});
    profile_builder_finish(&f->profile);
    assert_int_equal(speedscope_add(&document, &f->profile, 0, &f->err), -1);
    assert_int_equal(f->err.kind, ERROR_FORMAT);
    assert_int_equal(document.length, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(samples_have_all_their_calls_outermost_first, profile_fixture_set_up,
                                        profile_fixture_tear_down),
        cmocka_unit_test_setup_teardown(samples_of_one_stack_that_follow_each_other_are_one,
                                        profile_fixture_set_up, profile_fixture_tear_down),
        cmocka_unit_test_setup_teardown(the_thread_that_has_the_most_is_shown_first, profile_fixture_set_up,
                                        profile_fixture_tear_down),
        cmocka_unit_test_setup_teardown(what_events_count_has_no_unit, profile_fixture_set_up,
                                        profile_fixture_tear_down),
        cmocka_unit_test_setup_teardown(more_calls_than_a_browser_reads_are_refused, profile_fixture_set_up,
                                        profile_fixture_tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
