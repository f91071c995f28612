#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "annotate/source_rows.h"
#include "profile_fixture.h"
#include "report/render.h"

/* Ten lines, of which the fourth is indented. */
static void write_source(char *path)
{
    int file = mkstemp(path);
    const char text[] = "one\ntwo\nthree\n\tfour\nfive\r\nsix\nseven\neight\nnine\nten\n";

    assert_true(file >= 0);
    assert_int_equal(write(file, text, sizeof(text) - 1), sizeof(text) - 1);
    close(file);
}

static uint32_t function_named(const struct profile *profile, const char *name)
{
    for (uint32_t i = 0; i < profile->functions.count; i++)
        if (slice_is(profile_text(profile, profile->functions.items[i].name), name))
            return i;
    fail();
    return 0;
}

/* Puts every call of the function at the line. */
static void put_at(struct profile *profile, const char *name, const char *path, uint32_t line)
{
    uint32_t function = function_named(profile, name);
    uint32_t file = profile_string(profile, slice_of(path));

    for (size_t i = 0; i < profile->frames.count; i++)
        if (profile->frames.items[i].function == function) {
            profile->frames.items[i].file = file;
            profile->frames.items[i].line = line;
        }
}

struct listed {
    struct listing_rows rows;
    struct text table;
};

static void listed_done(struct listed *listed)
{
    listing_rows_done(&listed->rows);
    text_done(&listed->table);
}

/* Functions whose names begin with "hot". */
static int list(struct profile *profile, struct listing_look look, struct listed *out, struct error *err)
{
    bool chosen[64] = {0};

    for (size_t i = 0; i < profile->functions.count; i++)
        chosen[i] = slice_starts_with(profile_text(profile, profile->functions.items[i].name), SLICE("hot"));
    *out = (struct listed){0};
    if (source_rows_fill(profile, 0, chosen, &look, &out->rows, err) < 0)
        return -1;
    render_table(&out->table, &out->rows.people, (struct render_look){0});
    return 0;
}

static void assert_shows(struct listed *listed, const char *text)
{
    if (!strstr(text_string(&listed->table), text))
        fail_msg("no \"%s\" in:\n%s", text, text_string(&listed->table));
}

static void lines_have_what_is_taken_in_them_and_below(void **state)
{
    struct profile_fixture *fixture = *state;
    char path[] = "/tmp/source-rows-XXXXXX";
    struct listed listed;

    write_source(path);
    profile_builder_add(&fixture->profile, 0, SLICE("own app main > own app hot"), 30);
    profile_builder_add(&fixture->profile, 0, SLICE("own app main > own app hot::b > own app cold"), 20);
    profile_builder_add(&fixture->profile, 0, SLICE("own app main > own app cold"), 50);
    profile_builder_finish(&fixture->profile);
    put_at(&fixture->profile, "hot", path, 4);
    put_at(&fixture->profile, "hot::b", path, 9);
    put_at(&fixture->profile, "cold", path, 1);
    assert_int_equal(list(&fixture->profile, (struct listing_look){1, 0, true}, &listed, &fixture->err), 0);
    assert_shows(&listed, "30.0% 50.0%");
    assert_shows(&listed, "3 three\n");
    assert_shows(&listed, "30.0% 30.0%    4     four\n");
    assert_shows(&listed, "5 five\n");
    assert_shows(&listed, "...\n");
    assert_shows(&listed, "20.0%    9 nine\n");
    assert_shows(&listed, "10 ten\n");
    assert_null(strstr(text_string(&listed.table), "one"));
    assert_null(strstr(text_string(&listed.table), "six"));
    assert_int_equal(rows_count(&listed.rows.programs), 2);
    text_clear(&listed.table);
    render_table(&listed.table, &listed.rows.people, (struct render_look){.has_color = true});
    assert_shows(&listed, "\033[31m30.0% 30.0%    4     four\033[0m\n");
    assert_shows(&listed, "\n               3 three\n");
    listed_done(&listed);
    assert_int_equal(list(&fixture->profile, (struct listing_look){1, 0, false}, &listed, &fixture->err), 0);
    assert_shows(&listed, "30.0% 30.0%    4     four\n");
    assert_int_equal(rows_count(&listed.rows.programs), 0);
    unlink(path);
    listed_done(&listed);
}

static void a_sample_counts_once_for_each_line_however_often_it_stands_there(void **state)
{
    struct profile_fixture *fixture = *state;
    char path[] = "/tmp/source-rows-XXXXXX";
    struct listed listed;

    write_source(path);
    profile_builder_add(&fixture->profile, 0,
                        SLICE("own app main > own app hot > own app hot > own app main > own app hot"), 10);
    profile_builder_finish(&fixture->profile);
    put_at(&fixture->profile, "hot", path, 2);
    assert_int_equal(
        list(&fixture->profile, (struct listing_look){LISTING_ALL, 0, true}, &listed, &fixture->err), 0);
    assert_shows(&listed, "100.0% 100.0%    2 two\n");
    assert_shows(&listed, "1 one\n");
    assert_int_equal(rows_at(&listed.rows.programs, 0)[0].number, 10);
    assert_int_equal(rows_at(&listed.rows.programs, 0)[1].number, 10);
    unlink(path);
    listed_done(&listed);
}

static void what_is_light_is_not_looked_for_but_told_where_it_stands(void **state)
{
    struct profile_fixture *fixture = *state;
    char path[] = "/tmp/source-rows-XXXXXX";
    struct listed listed;

    write_source(path);
    profile_builder_add(&fixture->profile, 0, SLICE("own app hot"), 97);
    profile_builder_add(&fixture->profile, 0, SLICE("own app hot::near"), 1);
    profile_builder_add(&fixture->profile, 0, SLICE("own app hot::far"), 2);
    profile_builder_finish(&fixture->profile);
    put_at(&fixture->profile, "hot", path, 2);
    put_at(&fixture->profile, "hot::near", path, 3);
    put_at(&fixture->profile, "hot::far", path, 8);
    assert_int_equal(list(&fixture->profile, (struct listing_look){1, 0.05, true}, &listed, &fixture->err),
                     0);
    assert_shows(&listed, "1.0%   1.0%    3 three\n");
    assert_null(strstr(text_string(&listed.table), "eight"));
    assert_shows(&listed, "1 line below 5% of its file's part is left out");
    assert_shows(&listed, "hot and 2 more functions");
    assert_int_equal(rows_count(&listed.rows.programs), 3);
    unlink(path);
    listed_done(&listed);
}

static void without_the_source_there_are_numbers_and_why(void **state)
{
    struct profile_fixture *fixture = *state;
    struct listed listed;

    profile_builder_add(&fixture->profile, 0, SLICE("own app hot"), 3);
    profile_builder_add(&fixture->profile, 0, SLICE("own app hot::b"), 1);
    profile_builder_finish(&fixture->profile);
    put_at(&fixture->profile, "hot", "/nowhere/src/a.rs", 7);
    put_at(&fixture->profile, "hot::b", "/nowhere/src/a.rs", 0);
    assert_int_equal(list(&fixture->profile, (struct listing_look){4, 0, true}, &listed, &fixture->err), 0);
    assert_shows(&listed, "75.0%  75.0%    7 \n");
    assert_shows(&listed, "25.0%  25.0%      [no line is known]\n");
    assert_shows(&listed, "no source of nowhere/src/a.rs: open /nowhere/src/a.rs: No such file or directory");
    listed_done(&listed);
}

static void functions_of_one_line_are_counted(void **state)
{
    struct profile_fixture *fixture = *state;
    char path[] = "/tmp/source-rows-XXXXXX";
    struct listed listed;

    write_source(path);
    profile_builder_add(&fixture->profile, 0, SLICE("own app hot::a"), 1);
    profile_builder_add(&fixture->profile, 0, SLICE("own app hot::b"), 3);
    profile_builder_add(&fixture->profile, 0, SLICE("own app hot::c"), 0);
    profile_builder_finish(&fixture->profile);
    put_at(&fixture->profile, "hot::a", path, 3);
    put_at(&fixture->profile, "hot::b", path, 3);
    put_at(&fixture->profile, "hot::c", path, 3);
    assert_int_equal(list(&fixture->profile, (struct listing_look){0, 0, true}, &listed, &fixture->err), 0);
    assert_shows(&listed, ": hot::b and 1 more function\n");
    assert_int_equal(rows_count(&listed.rows.programs), 1);
    assert_true(slice_is(rows_at(&listed.rows.programs, 0)[4].text, "hot::b"));
    unlink(path);
    listed_done(&listed);
}

static void that_rusts_own_source_is_not_here_is_said_once(void **state)
{
    struct profile_fixture *fixture = *state;
    struct listed listed;

    profile_builder_add(&fixture->profile, 0, SLICE("std core hot"), 3);
    profile_builder_add(&fixture->profile, 0, SLICE("std core hot::b"), 1);
    profile_builder_finish(&fixture->profile);
    put_at(&fixture->profile, "hot", "/rustc/0123456789abcdef/library/core/src/a.rs", 7);
    put_at(&fixture->profile, "hot::b", "/rustc/0123456789abcdef/library/core/src/b.rs", 8);
    assert_int_equal(list(&fixture->profile, (struct listing_look){4, 0, true}, &listed, &fixture->err), 0);
    assert_shows(&listed, "core/src/b.rs: hot::b");
    assert_shows(&listed, "no source of Rust's own libraries: ");
    assert_null(strstr(strstr(text_string(&listed.table), "no source of") + 1, "no source of"));
    listed_done(&listed);
}

static void lines_behind_the_end_of_a_file_stand_alone(void **state)
{
    static const uint32_t contexts[] = {0, 4, UINT32_MAX - 1, LISTING_ALL};
    struct profile_fixture *fixture = *state;
    char path[] = "/tmp/source-rows-XXXXXX";

    write_source(path);
    profile_builder_add(&fixture->profile, 0, SLICE("own app hot"), 3);
    profile_builder_add(&fixture->profile, 0, SLICE("own app hot::b"), 1);
    profile_builder_add(&fixture->profile, 0, SLICE("own app hot::c"), 2);
    profile_builder_finish(&fixture->profile);
    put_at(&fixture->profile, "hot", path, 3);
    put_at(&fixture->profile, "hot::b", path, 12);
    put_at(&fixture->profile, "hot::c", path, UINT32_MAX);
    for (size_t i = 0; i < ARRAY_COUNT(contexts); i++) {
        struct listed listed;

        assert_int_equal(
            list(&fixture->profile, (struct listing_look){contexts[i], 0, true}, &listed, &fixture->err), 0);
        assert_shows(&listed, "50.0%  50.0%          3 three\n");
        assert_shows(&listed, "...\n 16.7%  16.7%         12 \n");
        assert_shows(&listed, "...\n 33.3%  33.3% 4294967295 \n\n");
        assert_shows(&listed, "is not what the program was built from: it has 10 lines");
        listed_done(&listed);
    }
    unlink(path);
}

static void what_is_nowhere_is_refused(void **state)
{
    struct profile_fixture *fixture = *state;
    struct listed listed;

    profile_builder_add(&fixture->profile, 0, SLICE("own app bare hot"), 3);
    profile_builder_finish(&fixture->profile);
    put_at(&fixture->profile, "bare hot", "", 0);
    fixture->profile.functions.items[function_named(&fixture->profile, "bare hot")].name =
        profile_string(&fixture->profile, SLICE("hot"));
    assert_int_equal(list(&fixture->profile, (struct listing_look){4, 0, true}, &listed, &fixture->err), -1);
    assert_string_equal(fixture->err.message, "no line is known of the functions that match");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(lines_have_what_is_taken_in_them_and_below, profile_fixture_set_up,
                                        profile_fixture_tear_down),
        cmocka_unit_test_setup_teardown(a_sample_counts_once_for_each_line_however_often_it_stands_there,
                                        profile_fixture_set_up, profile_fixture_tear_down),
        cmocka_unit_test_setup_teardown(what_is_light_is_not_looked_for_but_told_where_it_stands,
                                        profile_fixture_set_up, profile_fixture_tear_down),
        cmocka_unit_test_setup_teardown(without_the_source_there_are_numbers_and_why, profile_fixture_set_up,
                                        profile_fixture_tear_down),
        cmocka_unit_test_setup_teardown(functions_of_one_line_are_counted, profile_fixture_set_up,
                                        profile_fixture_tear_down),
        cmocka_unit_test_setup_teardown(that_rusts_own_source_is_not_here_is_said_once,
                                        profile_fixture_set_up, profile_fixture_tear_down),
        cmocka_unit_test_setup_teardown(lines_behind_the_end_of_a_file_stand_alone, profile_fixture_set_up,
                                        profile_fixture_tear_down),
        cmocka_unit_test_setup_teardown(what_is_nowhere_is_refused, profile_fixture_set_up,
                                        profile_fixture_tear_down),
    };

    return cmocka_run_group_tests_name("source rows", tests, NULL, NULL);
}
