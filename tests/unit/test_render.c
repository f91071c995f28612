#include "cmocka_all.h"

#include <string.h>

#include "report/render.h"

struct fixture {
    struct rows rows;
    struct text out;
};

static void add(struct rows *rows, struct slice crate, struct slice name, uint64_t bytes)
{
    union cell *row = rows_add(rows);

    row[1].number = bytes;
    row[2].text = crate;
    row[3].text = name;
}

static int set_up(void **state)
{
    static struct fixture fixture;
    struct rows *rows = &fixture.rows;

    fixture = (struct fixture){0};
    rows->list_key = "functions";
    rows->noun = "function";
    rows->how_to_see_all = "-n 0 shows all";
    rows->total_label = "all of it";
    rows_add_fact(rows, "file-size", 4096);
    rows_add_column(rows, (struct column){COLUMN_SHARE, ".text", NULL, 1, 2048});
    rows_add_column(rows, (struct column){COLUMN_BYTES, "Size", "size", 0, 0});
    rows_add_column(rows, (struct column){COLUMN_TEXT, "Crate", "crate", 0, 0});
    rows_add_column(rows, (struct column){COLUMN_TEXT, "Name", "name", 0, 0});
    add(rows, SLICE("b"), SLICE("b::small"), 24);
    add(rows, SLICE("b"), SLICE("b::two|\"x\""), 500);
    add(rows, SLICE("a"), SLICE("a::large,\x1b[31m"), 1024);
    add(rows, (struct slice){0}, SLICE("[padding]"), 500);
    rows_sort(rows, 1);
    *state = &fixture;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;

    rows_done(&f->rows);
    text_done(&f->out);
    return 0;
}

static void rows_stand_from_large_to_small_and_ties_by_name(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(rows_count(&f->rows), 4);
    assert_true(slice_starts_with(rows_at(&f->rows, 0)[3].text, SLICE("a::large")));
    assert_true(slice_is(rows_at(&f->rows, 1)[3].text, "[padding]"));
    assert_true(slice_is(rows_at(&f->rows, 3)[3].text, "b::small"));
}

static void rows_sort_by_text_from_small_to_large(void **state)
{
    struct fixture *f = *state;

    rows_sort(&f->rows, 3);
    assert_true(slice_is(rows_at(&f->rows, 0)[3].text, "[padding]"));
    assert_true(slice_is(rows_at(&f->rows, 3)[3].text, "b::two|\"x\""));
}

static void ties_stand_by_another_number_where_one_is_named(void **state)
{
    struct fixture *f = *state;

    add(&f->rows, SLICE("b"), SLICE("b::last"), 24);
    rows_sort_by(&f->rows, 2, 1);
    assert_true(slice_is(rows_at(&f->rows, 0)[3].text, "[padding]"));
    assert_true(slice_starts_with(rows_at(&f->rows, 1)[3].text, SLICE("a::large")));
    assert_true(slice_starts_with(rows_at(&f->rows, 2)[3].text, SLICE("b::two")));
    /* And what is equal in both by its texts. */
    assert_true(slice_is(rows_at(&f->rows, 3)[3].text, "b::last"));
    assert_true(slice_is(rows_at(&f->rows, 4)[3].text, "b::small"));
}

static void a_table_shows_every_row_and_the_sum(void **state)
{
    struct fixture *f = *state;

    render_table(&f->out, &f->rows, (struct render_look){0});
    assert_string_equal(text_string(&f->out), " .text   Size Crate Name\n"
                                              " 50.0% 1.0KiB     a a::large,\\x1b[31m\n"
                                              " 24.4%   500B       [padding]\n"
                                              " 24.4%   500B     b b::two|\"x\"\n"
                                              "  1.2%    24B     b b::small\n"
                                              "100.0% 2.0KiB       all of it\n");
}

static void a_limit_leaves_a_row_that_says_what_is_left_out(void **state)
{
    struct fixture *f = *state;

    f->rows.limit = 1;
    render_table(&f->out, &f->rows, (struct render_look){0});
    assert_string_equal(text_string(&f->out), " .text   Size Crate Name\n"
                                              " 50.0% 1.0KiB     a a::large,\\x1b[31m\n"
                                              " 50.0% 1.0KiB       and 3 more functions; -n 0 shows all\n"
                                              "100.0% 2.0KiB       all of it\n");
}

static void assert_left_out(struct fixture *f, size_t count, const char *expected)
{
    text_clear(&f->out);
    render_left_out(&f->out, &f->rows, count);
    assert_string_equal(text_string(&f->out), expected);
}

static void rows_that_are_no_such_things_are_left_out_by_name(void **state)
{
    static const char *const gaps[] = {"[padding]", "[unnamed]", NULL};
    struct fixture *f = *state;

    add(&f->rows, SLICE("c"), SLICE("[unnamed]"), 0);
    add(&f->rows, SLICE("c"), SLICE("[padding]"), 0);
    assert_left_out(f, 3, "and 3 more functions");
    f->rows.apart = gaps;
    assert_left_out(f, 1, "and [padding]");
    assert_left_out(f, 2, "and [unnamed] and [padding]");
    assert_left_out(f, 3, "and 1 more function, [unnamed] and [padding]");
}

static void a_line_is_cut_to_the_width_between_characters(void **state)
{
    struct fixture *f = *state;

    add(&f->rows, SLICE("c"), SLICE("\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4 and twenty more columns"), 0);
    f->rows.limit = 0;
    render_table(&f->out, &f->rows, (struct render_look){.columns = 30});
    assert_true(slice_find(text_slice(&f->out),
                           SLICE(" c \xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4...more columns\n")) <
                f->out.length);
}

static void lines_of_code_are_cut_at_their_end(void **state)
{
    struct fixture *f = *state;
    SCOPED(rows_done) struct rows rows = {.are_lines = true};

    rows_add_column(&rows, (struct column){COLUMN_TEXT, "Line", NULL, 0, 0});
    rows_add(&rows)[0].text = SLICE("\xc3\xa4 += a.iter().map(f).sum();");
    rows_add(&rows)[0].text = SLICE("\xc3\xa4 += a.iter().map(g).sum();");
    rows_add(&rows)[0].text = SLICE("return a + b + c + d + e;");
    render_table(&f->out, &rows, (struct render_look){.columns = 25});
    assert_string_equal(text_string(&f->out),
                        "Line\n\xc3\xa4 += a.iter().map(f).s...\n"
                        "\xc3\xa4 += a.iter().map(g).s...\nreturn a + b + c + d + e;\n");
}

/* What three names are in a table on a narrow terminal. */
static void assert_cut(struct fixture *f, const char *const names[3], const char *const cuts[3])
{
    SCOPED(rows_done) struct rows rows = {.noun = "function"};
    SCOPED(text_done) struct text expected = {0};

    rows_add_column(&rows, (struct column){COLUMN_TEXT, "Name", "name", 0, 0});
    for (size_t i = 0; i < 3; i++)
        rows_add(&rows)[0].text = slice_of(names[i]);
    text_clear(&f->out);
    render_table(&f->out, &rows, (struct render_look){.columns = 40});
    text_format(&expected, "Name\n%s\n%s\n%s\n", cuts[0], cuts[1], cuts[2]);
    assert_string_equal(text_string(&f->out), text_string(&expected));
}

static void names_that_are_cut_can_still_be_told_apart(void **state)
{
    struct fixture *f = *state;
    const char *const by_ends[] = {"<usize as core::slice::index::SliceIndex<[T]>>::get",
                                   "<usize as core::slice::index::SliceIndex<[T]>>::index",
                                   "core::slice::index::name_that_just_fits"};
    const char *const ends[] = {"<usize as co...ex::SliceIndex<[T]>>::get",
                                "<usize as co...::SliceIndex<[T]>>::index",
                                "core::slice::index::name_that_just_fits"};
    const char *const by_the_middle[] = {"<aho::teddy::x86::Slim<1> as aho::teddy::builder::Searcher>::find",
                                         "<aho::teddy::x86::Slim<2> as aho::teddy::builder::Searcher>::find",
                                         "<aho::teddy::x86::Fat<2> as aho::teddy::builder::Searcher>::find"};
    const char *const middles[] = {"<aho::te...Slim<1> ...r::Searcher>::find",
                                   "<aho::te...Slim<2> ...r::Searcher>::find",
                                   "<aho::te...Fat<2> a...r::Searcher>::find"};
    const char *const by_two_places[] = {
        "sort::<(u8, u8), [a::very::long::Name]>::by::<[a::very::long::Name], "
        "b::Key>::merge_the_runs_of_both",
        "sort::<(u8, u8), [a::very::long::Name]>::by::<[a::very::long::Name], "
        "c::Key>::merge_the_runs_of_both",
        "sort::<(u8, u8), [the::other::long::Name]>::by::<[a::very::long::Name], "
        "c::Key>::merge_the_runs_of_both"};
    const char *const places[] = {"sort::...a::ver...b::Key..._runs_of_both",
                                  "sort::...a::ver...c::Key..._runs_of_both",
                                  "sort::<(...the::oth...e_the_runs_of_both"};

    assert_cut(f, by_ends, ends);
    assert_cut(f, by_the_middle, middles);
    assert_cut(f, by_two_places, places);
}

/* Calls below each other, the last of them with a longer name, as they are on a narrow terminal. */
static void assert_tree(struct fixture *f, size_t depth, const char *end)
{
    SCOPED(rows_done) struct rows rows = {.noun = "call", .level_column = 1};

    rows_add_column(&rows, (struct column){COLUMN_TEXT, "Function", NULL, 0, 0});
    rows_add_column(&rows, (struct column){COLUMN_INCLUSIVE, NULL, "depth", 0, 0});
    for (size_t i = 0; i <= depth; i++) {
        union cell *row = rows_add(&rows);

        row[0].text = i < depth ? SLICE("a") : SLICE("a::name_of_exactly::30_columns");
        row[1].number = i;
    }
    text_clear(&f->out);
    render_table(&f->out, &rows, (struct render_look){.columns = 42});
    assert_true(slice_ends_with(text_slice(&f->out), slice_of(end)));
}

static void deep_calls_are_indented_less_where_their_names_would_not_fit(void **state)
{
    struct fixture *f = *state;

    assert_tree(f, 2, "\na\n  a\n    a::name_of_exactly::30_columns\n");
    assert_tree(f, 6, "\n          a\n            a::name_of_exactly::30_columns\n");
    assert_tree(f, 7, "\n            a\n              a::name_...actly::30_columns\n");
    assert_tree(f, 8, "\n       a\n        a::name_of_exactly::30_columns\n");
    assert_tree(f, 16, "\n              [15] a\n              [16] a::nam...ly::30_columns\n");
}

static void rows_stand_out_where_there_are_colours(void **state)
{
    struct fixture *f = *state;

    add(&f->rows, SLICE("c"), SLICE("c::hot"), 7);
    rows_set_look(&f->rows, ROW_HOT);
    add(&f->rows, SLICE("c"), SLICE("c::plain"), 6);
    render_table(&f->out, &f->rows, (struct render_look){0, true});
    assert_non_null(strstr(text_string(&f->out), "\033[31m  0.3%     7B     c c::hot\033[0m\n"));
    assert_non_null(strstr(text_string(&f->out), "\n  0.3%     6B     c c::plain\n"));
    text_clear(&f->out);
    render_table(&f->out, &f->rows, (struct render_look){0});
    assert_null(strstr(text_string(&f->out), "\033"));
}

static void what_sums_stand_for_is_never_cut(void **state)
{
    struct fixture *f = *state;

    f->rows.limit = 1;
    f->rows.total_label = "a section whose name is longer than the terminal is wide";
    render_table(&f->out, &f->rows, (struct render_look){.columns = 30});
    assert_true(slice_find(text_slice(&f->out), SLICE("; -n 0 shows all\n")) < f->out.length);
    assert_true(slice_ends_with(text_slice(&f->out), SLICE("than the terminal is wide\n")));
}

static void json_has_all_rows_and_leaves_unknown_texts_out(void **state)
{
    struct fixture *f = *state;

    render_json(&f->out, &f->rows);
    assert_string_equal(text_string(&f->out),
                        "{\"file-size\":4096,\"functions\":["
                        "{\"size\":1024,\"crate\":\"a\",\"name\":\"a::large,\\u001b[31m\"},"
                        "{\"size\":500,\"name\":\"[padding]\"},"
                        "{\"size\":500,\"crate\":\"b\",\"name\":\"b::two|\\\"x\\\"\"},"
                        "{\"size\":24,\"crate\":\"b\",\"name\":\"b::small\"}]}\n");
}

static void json_has_bytes_that_are_no_utf8_as_a_table_has_them(void **state)
{
    struct fixture *f = *state;

    f->rows.cells.items[3].text = SLICE("b\xff\xc3\xa9\n");
    rows_make_utf8(&f->rows);
    render_json(&f->out, &f->rows);
    assert_non_null(strstr(text_string(&f->out), "\"name\":\"b\\\\xff\xc3\xa9\\u000a\""));
    assert_non_null(strstr(text_string(&f->out), "\"name\":\"[padding]\""));
}

static void json_says_what_a_limit_leaves_out(void **state)
{
    struct fixture *f = *state;

    f->rows.limit = 3;
    render_json(&f->out, &f->rows);
    assert_true(slice_ends_with(text_slice(&f->out), SLICE("],\"omitted\":{\"count\":1,\"size\":24}}\n")));
}

static void csv_quotes_what_needs_quotes(void **state)
{
    struct fixture *f = *state;

    f->rows.limit = 3;
    render_csv(&f->out, &f->rows);
    assert_string_equal(text_string(&f->out), "size,crate,name\r\n"
                                              "1024,a,\"a::large,\\x1b[31m\"\r\n"
                                              "500,,[padding]\r\n"
                                              "500,b,\"b::two|\"\"x\"\"\"\r\n");
}

static void words_in_markdown_mention_nobody_and_link_nothing(void **state)
{
    struct fixture *f = *state;

    render_words(&f->out,
                 SLICE("all, @octocat/fix|#2 (421a6a8) against x@y and user-@z`s, a|b #[inline] #7"));
    assert_string_equal(text_string(&f->out),
                        "all, `@octocat/fix|#2` (421a6a8) against x@y and `` user-@z`s, "
                        "`` a\\|b #\\[inline] `#7`");
    text_clear(&f->out);
    f->rows.total_label = ".text, @octocat/a|b against main";
    render_markdown(&f->out, &f->rows);
    assert_true(slice_ends_with(text_slice(&f->out), SLICE("| *.text, `@octocat/a\\|b` against main* |\n")));
}

static void code_in_a_sentence_has_no_escapes(void **state)
{
    struct fixture *f = *state;

    render_code(&f->out, SLICE("fix|x<b>#12@y"));
    assert_string_equal(text_string(&f->out), "`fix|x<b>#12@y`");
    text_clear(&f->out);
    render_code(&f->out, SLICE("a``b`"));
    assert_string_equal(text_string(&f->out), "``` a``b` ```");
}

static void markdown_keeps_its_cells_whatever_the_names_hold(void **state)
{
    struct fixture *f = *state;

    f->rows.limit = 3;
    render_markdown(&f->out, &f->rows);
    assert_string_equal(text_string(&f->out), "| .text | Size | Crate | Name |\n"
                                              "|---:|---:|:---|:---|\n"
                                              "| 50.0% | 1.0KiB | `a` | `a::large,\\x1b[31m` |\n"
                                              "| 24.4% | 500B |  | `[padding]` |\n"
                                              "| 24.4% | 500B | `b` | `b::two\\|\"x\"` |\n"
                                              "| 1.2% | 24B |  | *and 1 more function; -n 0 shows all* |\n"
                                              "| 100.0% | 2.0KiB |  | *all of it* |\n");
}

static void in_markdown_words_and_amounts_are_no_code(void **state)
{
    struct fixture *f = *state;
    struct rows rows = {.list_key = "figures", .noun = "figure"};
    union cell *row = NULL;

    rows_add_column(&rows, (struct column){COLUMN_AMOUNT, "Before", NULL, 0, 0});
    rows_add_column(&rows, (struct column){COLUMN_WORD, "Verdict", "verdict", 0, 0});
    row = rows_add(&rows);
    row[0].text = SLICE("9.25 us");
    row[1].text = SLICE("a|b");
    render_markdown(&f->out, &rows);
    assert_string_equal(text_string(&f->out), "| Before | Verdict |\n|---:|:---|\n| 9.25 us | a\\|b |\n");
    text_clear(&f->out);
    render_json(&f->out, &rows);
    assert_non_null(strstr(text_string(&f->out), "[{\"verdict\":\"a|b\"}]"));
    rows_done(&rows);
}

static void warnings_are_for_those_who_read_no_standard_error(void **state)
{
    struct fixture *f = *state;
    const char *said[] = {"the profile differs: release, now dev", "a|b"};
    const struct warnings none = {0};
    struct warnings two = {.items = {said, 2, 2}};

    f->rows.warnings = &none;
    render_json(&f->out, &f->rows);
    assert_null(strstr(text_string(&f->out), "warnings"));
    f->rows.warnings = &two;
    text_clear(&f->out);
    render_json(&f->out, &f->rows);
    assert_non_null(strstr(text_string(&f->out),
                           "\"warnings\":[\"the profile differs: release, now dev\",\"a|b\"],\"functions\""));
    text_clear(&f->out);
    render_markdown(&f->out, &f->rows);
    assert_true(slice_starts_with(
        text_slice(&f->out),
        SLICE("> [!WARNING]\n> the profile differs: release, now dev\n>\n> a\\|b\n\n| .text |")));
    f->rows.headline = "**It grew.**";
    text_clear(&f->out);
    render_markdown(&f->out, &f->rows);
    assert_true(
        slice_starts_with(text_slice(&f->out), SLICE("**It grew.**\n\n> [!WARNING]\n> the profile differs: "
                                                     "release, now dev\n>\n> a\\|b\n\n| .text |")));
}

static void the_format_follows_from_a_files_name(void **state)
{
    enum render_format format = RENDER_TABLE;

    (void)state;
    assert_true(render_format_of_name("a/b.json", &format));
    assert_int_equal(format, RENDER_JSON);
    assert_true(render_format_of_name("b.md", &format));
    assert_int_equal(format, RENDER_MARKDOWN);
    assert_false(render_format_of_name("b.doc", &format));
    assert_false(render_format_of_name("b.speedscope.json", &format));
    assert_int_equal(format, RENDER_MARKDOWN);
}

/* A row of times and parts, which no other rows of a test are beside. */
static void fill_times(struct rows *rows)
{
    union cell *row = NULL;

    rows->list_key = "functions";
    rows->noun = "function";
    rows_add_column(rows, (struct column){COLUMN_TIME, "Time", "time", 0, 0});
    rows_add_column(rows, (struct column){COLUMN_TIME_CHANGE, "Change", "time-change", 0, 0});
    rows_add_column(rows, (struct column){COLUMN_PART, "Part", "part", 0, 0});
    rows_add_column(rows, (struct column){COLUMN_PART_CHANGE, "Moved", "part-change", 0, 0});
    rows_add_column(rows, (struct column){COLUMN_INCLUSIVE_TIME_CHANGE, "Total", "total", 0, 0});
    rows_add_column(rows, (struct column){COLUMN_TEXT, "Name", "name", 0, 0});
    for (int i = 0; i < 2; i++) {
        row = rows_add(rows);
        row[0].number = 1250000000;
        row[1].number = (uint64_t)-40000000;
        row[2].number = 50000000;
        row[3].number = (uint64_t)-10000001;
        row[4].number = 7000;
        row[5].text = SLICE("f");
    }
    rows->limit = 1;
}

static void times_and_parts_are_for_people_and_exact_for_programs(void **state)
{
    struct fixture *f = *state;
    SCOPED(rows_done) struct rows rows = {0};

    fill_times(&rows);
    render_table(&f->out, &rows, (struct render_look){0});
    assert_string_equal(text_string(&f->out), "  Time   Change  Part    Moved Total Name\n"
                                              "1.25 s -40.0 ms 5.00% -1.00 pp +7 us f\n"
                                              "1.25 s -40.0 ms 5.00% -1.00 pp       and 1 more function\n");
    text_clear(&f->out);
    render_csv(&f->out, &rows);
    assert_string_equal(text_string(&f->out), "time,time-change,part,part-change,total,name\r\n"
                                              "1250000000,-40000000,0.050000000,-0.010000001,7000,f\r\n");
}

static void json_gives_no_sum_of_what_rows_share(void **state)
{
    struct fixture *f = *state;
    SCOPED(rows_done) struct rows rows = {0};

    fill_times(&rows);
    render_json(&f->out, &rows);
    assert_string_equal(text_string(&f->out),
                        "{\"functions\":[{\"time\":1250000000,\"time-change\":-40000000,\"part\":0.050000000,"
                        "\"part-change\":-0.010000001,\"total\":7000,\"name\":\"f\"}],"
                        "\"omitted\":{\"count\":1,\"time\":1250000000,\"time-change\":-40000000,"
                        "\"part\":0.050000000,\"part-change\":-0.010000001}}\n");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(rows_stand_from_large_to_small_and_ties_by_name),
        TEST(rows_sort_by_text_from_small_to_large),
        TEST(ties_stand_by_another_number_where_one_is_named),
        TEST(a_table_shows_every_row_and_the_sum),
        TEST(a_limit_leaves_a_row_that_says_what_is_left_out),
        TEST(rows_that_are_no_such_things_are_left_out_by_name),
        TEST(a_line_is_cut_to_the_width_between_characters),
        TEST(lines_of_code_are_cut_at_their_end),
        TEST(names_that_are_cut_can_still_be_told_apart),
        TEST(deep_calls_are_indented_less_where_their_names_would_not_fit),
        TEST(rows_stand_out_where_there_are_colours),
        TEST(what_sums_stand_for_is_never_cut),
        TEST(json_has_all_rows_and_leaves_unknown_texts_out),
        TEST(json_has_bytes_that_are_no_utf8_as_a_table_has_them),
        TEST(json_says_what_a_limit_leaves_out),
        TEST(csv_quotes_what_needs_quotes),
        TEST(words_in_markdown_mention_nobody_and_link_nothing),
        TEST(code_in_a_sentence_has_no_escapes),
        TEST(markdown_keeps_its_cells_whatever_the_names_hold),
        TEST(in_markdown_words_and_amounts_are_no_code),
        TEST(times_and_parts_are_for_people_and_exact_for_programs),
        TEST(json_gives_no_sum_of_what_rows_share),
        TEST(warnings_are_for_those_who_read_no_standard_error),
        TEST(the_format_follows_from_a_files_name),
    };

    return cmocka_run_group_tests_name("render", tests, NULL, NULL);
}
