/* symbolize/thread_names.h: names that the kernel has cut are made whole again, and no others. */
#include "cmocka_all.h"

#include "profile_builder.h"
#include "symbolize/thread_names.h"

/* The name of a thread of this name with these stacks. */
static void assert_named(const char *name, const char *lines, const char *expected)
{
    struct profile profile;
    uint32_t thread = 0;

    profile_builder_init(&profile);
    assert_true(profile_builder_add_lines(&profile, slice_of(lines)));
    while (!slice_is(profile_text(&profile, profile.threads.items[thread].name), name))
        thread++;
    thread_names_complete(&profile);
    assert_true(slice_equal(profile_text(&profile, profile.threads.items[thread].name), slice_of(expected)));
    profile_done(&profile);
}

static void a_test_has_its_whole_name(void **state)
{
    (void)state;
    assert_named(
        "parser_tests::p",
        "3|parser_tests::p|std std::rt::start > c test test::run > own app app::spin\n"
        "5|parser_tests::p|std std::rt::start > c test test::run > "
        "own app app::parser_tests::parses_all::{{closure}} > own app app::parser_tests::parses_all > "
        "own app app::parser_tests::prepare\n",
        "parser_tests::parses_all");
}

static void v0_names_of_closures_are_no_part_of_it(void **state)
{
    (void)state;
    assert_named(
        "parser_tests::p",
        "5|parser_tests::p|std std::rt::start > c test test::run > "
        "std <app::parser_tests::parses_all::{closure#0} as core::ops::function::FnOnce<()>>::call_once > "
        "own app app::parser_tests::parses_all::{closure#0} > "
        "own app app::parser_tests::parses_all > own app app::parser_tests::prepare\n",
        "parser_tests::parses_all");
    assert_named(
        "parser_tests::p",
        "5|parser_tests::p|std std::rt::start > own app app::parser_tests::parses_all::{closure#0}\n",
        "parser_tests::parses_all");
}

static void a_name_that_is_whole_is_not_that_of_a_function_it_calls(void **state)
{
    (void)state;
    assert_named("tests::compress",
                 "5|tests::compress|std std::rt::start > own app app::tests::compress > "
                 "own app app::tests::compress_with\n"
                 "2|tests::compress|own app app::tests::compress_with\n",
                 "tests::compress");
}

static void what_no_function_begins_with_stays(void **state)
{
    (void)state;
    assert_named("tokio-runtime-w", "3|tokio-runtime-w|std std::rt::start > own app app::work\n",
                 "tokio-runtime-w");
    assert_named("parser_tests::", "3|parser_tests::|own app app::parser_tests::parses_all\n",
                 "parser_tests::");
    assert_named("parser_tests::p", "3|parser_tests::p|own app parser_tests::parses_all\n",
                 "parser_tests::p");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_test_has_its_whole_name),
        cmocka_unit_test(v0_names_of_closures_are_no_part_of_it),
        cmocka_unit_test(a_name_that_is_whole_is_not_that_of_a_function_it_calls),
        cmocka_unit_test(what_no_function_begins_with_stays),
    };

    return cmocka_run_group_tests_name("thread names", tests, NULL, NULL);
}
