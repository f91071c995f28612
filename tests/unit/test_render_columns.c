#include "cmocka_all.h"

#include "report/render.h"

static void assert_table(const char *const names[2][2], size_t columns, const char *expected)
{
    SCOPED(rows_done) struct rows rows = {.noun = "group"};
    SCOPED(text_done) struct text out = {0};

    rows_add_column(&rows, (struct column){COLUMN_COUNT, "Samples", "samples", 0, 0});
    rows_add_column(&rows, (struct column){COLUMN_TEXT, "Task", "task", 0, 0});
    rows_add_column(&rows, (struct column){COLUMN_TEXT, "Function", "function", 0, 0});
    for (size_t i = 0; i < 2; i++) {
        union cell *row = rows_add(&rows);

        row[0].number = 12;
        row[1].text = slice_of(names[i][0]);
        row[2].text = slice_of(names[i][1]);
    }
    render_table(&out, &rows, (struct render_look){.columns = columns});
    assert_string_equal(text_string(&out), expected);
}

static void names_share_a_line_that_has_not_room_for_all(void **state)
{
    const char *const names[2][2] = {
        {"<hyper::proto::h2::server::H2Stream<F,B,Ex> as core::future::future::Future>::poll",
         "<greet::GreeterServer<T> as tower_service::Service<http::Request<B>>>::call"},
        {"[no task]", "schedule"}};

    (void)state;
    assert_table(names, 70,
                 "Samples                           Task Function\n"
                 "     12 <hyper::p...ure::Future>::poll <greet::G...:Request<B>>>::call\n"
                 "     12                      [no task] schedule\n");
}

static void one_that_needs_less_than_its_part_leaves_the_rest_to_the_other(void **state)
{
    const char *const names[2][2] = {
        {"<hyper::proto::h2::server::H2Stream<F,B,Ex> as core::future::future::Future>::poll", "epoll_wait"},
        {"[no task]", "futex"}};

    (void)state;
    assert_table(names, 70,
                 "Samples                                                Task Function\n"
                 "     12 <hyper::proto::h...e::future::future::Future>::poll epoll_wait\n"
                 "     12                                           [no task] futex\n");
}

static void where_nothing_leaves_room_for_it_twenty_columns_are_left_of_a_name(void **state)
{
    const char *const names[2][2] = {
        {"<hyper::proto::h2::server::H2Stream<F,B,Ex> as core::future::future::Future>::poll", "epoll_wait"},
        {"[no task]", "futex"}};

    (void)state;
    assert_table(names, 10,
                 "Samples                 Task Function\n"
                 "     12 <hype...uture>::poll epoll_wait\n"
                 "     12            [no task] futex\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_share_a_line_that_has_not_room_for_all),
        cmocka_unit_test(one_that_needs_less_than_its_part_leaves_the_rest_to_the_other),
        cmocka_unit_test(where_nothing_leaves_room_for_it_twenty_columns_are_left_of_a_name),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
