#include "cmocka_all.h"

#include "profile_builder.h"
#include "view/group_rows.h"

/* The functions in their order, each behind what it takes itself. */
static void assert_order(bool by_total, const char *expected)
{
    struct grouping grouping = {.by_total = by_total};
    SCOPED(text_done) struct text text = {0};
    SCOPED(rows_done) struct rows rows = {0};
    struct profile profile;
    struct error err;

    profile_builder_init(&profile);
    assert_true(profile_builder_add_lines(
        &profile, SLICE("3|app|c libc.so.6 start > own app main > own app a > kernel [kernel] schedule\n"
                        "1|app|c libc.so.6 start > own app main > own app b > std std park\n")));
    assert_int_equal(grouping_read_keys(SLICE("function"), &grouping, &err), 0);
    assert_int_equal(group_rows_fill(&profile, 0, &grouping, &rows, &err), 0);
    for (size_t row = 0; row < rows_count(&rows); row++)
        text_format(&text, "%s%llu %.*s", row ? ", " : "", (unsigned long long)rows_at(&rows, row)[2].number,
                    SLICE_ARGUMENTS(rows_at(&rows, row)[5].text));
    assert_string_equal(text_string(&text), expected);
    profile_done(&profile);
}

static void of_those_that_take_nothing_themselves_own_functions_are_first(void **state)
{
    (void)state;
    assert_order(false, "3 schedule, 1 park, 0 main, 0 a, 0 b, 0 start");
}

static void with_what_they_call_all_are_in_one_order(void **state)
{
    (void)state;
    assert_order(true, "0 main, 0 start, 3 schedule, 0 a, 1 park, 0 b");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_those_that_take_nothing_themselves_own_functions_are_first),
        cmocka_unit_test(with_what_they_call_all_are_in_one_order),
    };

    return cmocka_run_group_tests_name("own_first", tests, NULL, NULL);
}
