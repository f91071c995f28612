#include "change_fixture.h"

#include "changes/unlike.h"
#include "profile_builder.h"

static void assert_unlike(const struct change_fixture *f, const char *expected)
{
    const struct joined_part parts[JOINED_SIDES] = {{&f->before, 0}, {&f->after, 0}};
    const struct change_words words = {"old", "new"};
    SCOPED(arena_done) struct arena arena = {0};
    SCOPED(text_done) struct text lines = {0};
    const char *unlike[UNLIKE_MOST];
    size_t count = unlike_find(parts, &words, &arena, unlike);

    for (size_t i = 0; i < count; i++)
        text_format(&lines, "%s\n", unlike[i]);
    assert_string_equal(text_string(&lines), expected);
}

static void sides_that_were_recorded_alike_are_not_told_of(void **state)
{
    struct change_fixture *f = *state;

    profile_builder_add(&f->before, 0, SLICE("own a a::main > own a a::f + own a a::g::<u8>"), 3);
    profile_builder_add(&f->after, 0, SLICE("own a a::main > own a a::f + own a a::g::<u16>"), 3);
    profile_builder_add(&f->after, 0, SLICE("own a a::main > own a a::h::<u16>"), 3);
    assert_unlike(f, "");
}

static void add_functions(struct profile *profile, unsigned count)
{
    SCOPED(text_done) struct text call = {0};

    for (unsigned i = 0; i < count; i++) {
        text_clear(&call);
        text_format(&call, "own a a::main > own a a::f%u", i);
        profile_builder_add(profile, 0, text_slice(&call), 1);
    }
}

static void inlined_calls_on_one_side_are_told_of(void **state)
{
    struct change_fixture *f = *state;

    profile_builder_add(&f->before, 0, SLICE("own a a::main > own a a::f + own a a::g"), 3);
    profile_builder_add(&f->after, 0, SLICE("own a a::main > own a a::f"), 3);
    assert_unlike(f, ""); /* may be by chance */
    add_functions(&f->after, 8);
    assert_unlike(
        f, "new has no inlined calls (no debug information, or --no-inline), old has them: what they take "
           "is that of the functions that they are in there, so only what functions take with all that "
           "they call (Total) is alike\n");
}

static void callers_on_one_side_are_told_of(void **state)
{
    struct change_fixture *f = *state;

    profile_builder_add(&f->before, 0, SLICE("own a a::f"), 3);
    profile_builder_add(&f->after, 0, SLICE("own a a::main > own a a::f"), 3);
    assert_unlike(f, "old has no callers (--call-graph none, or fp of a program that keeps no frame "
                     "pointers), new has them: only what functions take themselves is "
                     "alike\n");
}

/* What was found of callers then is who called a few functions that change no register. */
static void callers_that_frame_pointers_did_not_tell_are_missing(void **state)
{
    struct change_fixture *f = *state;

    profile_builder_add(&f->before, 0, SLICE("own a a::main > own a a::run > own a a::f"), 30);
    profile_builder_add(&f->after, 0, SLICE("own a a::run > own a a::f"), 30);
    assert_unlike(f, "");
    f->before.series.items[0].ended_counts[STACK_UNCHECKED] = 30;
    f->after.series.items[0].ended_counts[STACK_UNCHECKED] = 30;
    assert_unlike(f, "new has no callers (--call-graph none, or fp of a program that keeps no frame "
                     "pointers), old has them: only what functions take themselves is "
                     "alike\n");
}

/* As in a file that another program wrote. */
static void code_without_names_is_nobodys(void **state)
{
    struct change_fixture *f = *state;
    struct profile *sides[] = {&f->before, &f->after};

    for (size_t i = 0; i < ARRAY_COUNT(sides); i++) {
        uint32_t caller = profile_stack(sides[i], PROFILE_NONE, profile_location(sides[i], PROFILE_NONE, 1));
        uint32_t stack = profile_stack(sides[i], caller, profile_location(sides[i], PROFILE_NONE, 2));

        profile_add_sample(sides[i], 0, (struct profile_sample){.stack = stack, .value = 1});
    }
    assert_unlike(f, "");
}

static void a_part_is_told_from_a_whole(void **state)
{
    struct change_fixture *f = *state;

    profile_builder_add(&f->before, 0, SLICE("own a a::f"), 3);
    profile_builder_add(&f->after, 0, SLICE("own a a::f"), 3);
    f->after.series.items[0].whole.sample_count = 10;
    assert_unlike(f, "new is a part of its recording, some threads or some time of it, old is not\n");
}

static void waits_and_the_heap_recorded_on_one_side_are_told_of(void **state)
{
    static const char *const of_waits = "old was recorded without waits (--off-cpu), new with them: noting "
                                        "each costs a program CPU time, which "
                                        "is no change of its own; record both alike\n";
    static const char *const of_heap =
        "new was recorded without the heap (--heap), old with it: each request for memory takes longer then, "
        "which is no change of the program's own; record both alike\n";
    struct change_fixture *f = *state;

    profile_builder_add(&f->before, 0, SLICE("own a a::f"), 3);
    profile_builder_add(&f->after, 0, SLICE("own a a::f"), 3);
    profile_add_series(&f->after, SLICE("off-cpu"), SLICE("us"), 0);
    assert_unlike(f, of_waits);
    profile_add_series(&f->before, SLICE("off-cpu"), SLICE("us"), 0);
    profile_add_series(&f->before, SLICE("alloc-bytes"), SLICE("bytes"), 0);
    assert_unlike(f, of_heap);
    profile_add_series(&f->after, SLICE("alloc-bytes"), SLICE("bytes"), 0);
    assert_unlike(f, "");
}

/* What is counted, and what memory is asked for, is the same with them; folded stacks are of one event. */
static void what_recording_more_does_not_change_is_compared_in_silence(void **state)
{
    struct change_fixture *f = *state;

    profile_builder_add(&f->before, 0, SLICE("own a a::f"), 3);
    profile_builder_add(&f->after, 0, SLICE("own a a::f"), 3);
    f->after.series.items[0].unit = profile_string(&f->after, SLICE("page-faults"));
    f->before.series.items[0].unit = profile_string(&f->before, SLICE("page-faults"));
    profile_add_series(&f->after, SLICE("off-cpu"), SLICE("us"), 0);
    assert_unlike(f, "");
    f->before.series.items[0].unit = profile_string(&f->before, SLICE("samples"));
    profile_add_series(&f->after, SLICE("alloc-bytes"), SLICE("bytes"), 0);
    assert_unlike(f, "");
}

static void names_with_and_without_type_arguments_are_told_of(void **state)
{
    struct change_fixture *f = *state;
    static const char *const expected = "old has names without type arguments (legacy mangling), new with "
                                        "them (v0): they are compared without, and "
                                        "methods that are called otherwise even so are gone and new, however "
                                        "little they changed; one mangling for "
                                        "both tells more\n";

    /* One name in both tells nothing: of std's own there are such, too. */
    profile_builder_add(&f->before, 0, SLICE("own a a::main > own a a::f > own a a::g::{closure}"), 3);
    profile_builder_add(&f->before, 0, SLICE("own a core::num::<impl u64>::h > std core core::x::<u8>"), 3);
    profile_builder_add(&f->after, 0, SLICE("own a a::main > own a a::f::<dyn Fn() -> Vec<u8>>"), 3);
    profile_builder_add(&f->after, 0, SLICE("own a a::main > std core core::x::<u8>"), 3);
    assert_unlike(f, "");
    profile_builder_add(&f->after, 0, SLICE("own a a::main > own a a::g::<u8>::{closure#0}"), 3);
    assert_unlike(f, expected);
}

int main(void)
{
#define TEST(test) cmocka_unit_test_setup_teardown(test, change_fixture_set_up, change_fixture_tear_down)
    const struct CMUnitTest tests[] = {
        TEST(sides_that_were_recorded_alike_are_not_told_of),
        TEST(inlined_calls_on_one_side_are_told_of),
        TEST(callers_on_one_side_are_told_of),
        TEST(callers_that_frame_pointers_did_not_tell_are_missing),
        TEST(code_without_names_is_nobodys),
        TEST(a_part_is_told_from_a_whole),
        TEST(waits_and_the_heap_recorded_on_one_side_are_told_of),
        TEST(what_recording_more_does_not_change_is_compared_in_silence),
        TEST(names_with_and_without_type_arguments_are_told_of),
    };

    return cmocka_run_group_tests_name("unlike", tests, NULL, NULL);
}
