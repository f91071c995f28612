/* What of two sides --filter takes. */
#include "cmocka_all.h"

#include <string.h>

#include "delta/delta_filter.h"

struct fixture {
    struct rows before, after;
    struct delta delta;
    struct error err;
};

static void add_columns(struct rows *rows)
{
    rows->list_key = "functions";
    rows->noun = "function";
    rows_add_column(rows, (struct column){COLUMN_BYTES, "Size", "size", 0, 0});
    rows_add_column(rows, (struct column){COLUMN_TEXT, "Crate", "crate", 0, 0});
    rows_add_column(rows, (struct column){COLUMN_TEXT, "Name", "name", 0, 0});
}

static void add(struct rows *rows, struct slice crate, const char *name, uint64_t size)
{
    union cell *row = rows_add(rows);

    row[0].number = size;
    row[1].text = crate;
    row[2].text = slice_of(name);
}

static int set_up(void **state)
{
    static struct fixture fixture;
    struct fixture *f = &fixture;

    fixture = (struct fixture){0};
    add_columns(&f->before);
    add_columns(&f->after);
    add(&f->before, SLICE("app"), "app::same", 50);
    add(&f->after, SLICE("app"), "app::same", 50);
    add(&f->before, SLICE("app"), "app::grown", 100);
    add(&f->after, SLICE("app"), "app::grown", 130);
    add(&f->before, SLICE("lib_a"), "lib_a::old", 40);
    add(&f->after, SLICE("lib_a"), "lib_a::fresh", 64);
    add(&f->before, (struct slice){0}, "[padding]", 10);
    add(&f->after, (struct slice){0}, "[padding]", 8);
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;

    delta_done(&f->delta);
    rows_done(&f->before);
    rows_done(&f->after);
    return 0;
}

static int filter(struct fixture *f, const char *word, const char *pattern, bool may_be_crate)
{
    SCOPED(regex_free_at) struct regex *regex = NULL;

    delta_done(&f->delta);
    delta_compute(&f->before, &f->after, NULL, &f->delta);
    if (pattern)
        assert_int_equal(regex_compile(slice_of(pattern), &regex, &f->err), 0);
    return delta_filter_apply(&f->delta, &(struct delta_filter){word, may_be_crate, regex, false}, &f->err);
}

static void a_filter_takes_a_crate_of_either_side_or_names_that_match(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(filter(f, "lib-a", NULL, true), 0);
    assert_int_equal(f->delta.items.count, 2);
    assert_int_equal(filter(f, "grown$", "grown$", true), 0);
    assert_int_equal(f->delta.items.count, 1);
    assert_int_equal(filter(f, "app", "app", false), 0);
    assert_int_equal(f->delta.items.count, 2);
    assert_int_equal(filter(f, NULL, NULL, true), 0);
    assert_int_equal(f->delta.items.count, 5);
    add(&f->after, SLICE("core"), "core::ptr::drop_glue::<u8>", 10);
    assert_int_equal(filter(f, "drop_in_place", "drop_in_place", true), 0);
    assert_int_equal(f->delta.items.count, 1);
}

static void a_filter_takes_all_crates_of_a_name(void **state)
{
    struct fixture *f = *state;

    add(&f->before, SLICE("lib_a (of other)"), "lib_a::run", 11);
    add(&f->after, SLICE("lib_a 2.0.1"), "lib_a::walk", 12);
    add(&f->after, SLICE("lib_a[1f2e]"), "lib_a::stand", 13);
    add(&f->after, SLICE("lib_a (instantiated)"), "lib_a::other", 14);
    assert_int_equal(filter(f, "lib-a", NULL, true), 0);
    assert_int_equal(f->delta.items.count, 5);
}

static void a_filter_takes_functions_that_no_crate_is_known_of(void **state)
{
    struct fixture *f = *state;

    /* The padding has no crate either. */
    add(&f->before, (struct slice){0}, "memcpy", 10);
    add(&f->after, (struct slice){0}, "memcpy", 20);
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(filter(f, i ? "Unknown" : "[Unknown]", "[Unknown]", true), 0);
        assert_int_equal(f->delta.items.count, 1);
        assert_string_equal(f->delta.items.items[0].texts[1].data, "memcpy");
    }
    add(&f->after, SLICE("Unknown"), "Unknown::f", 20);
    assert_int_equal(filter(f, "Unknown", NULL, true), 0);
    assert_int_equal(f->delta.items.count, 1);
    assert_string_equal(f->delta.items.items[0].texts[1].data, "Unknown::f");
}

static int filter_joined(struct fixture *f, const char *word, bool joins_std)
{
    SCOPED(regex_free_at) struct regex *regex = NULL;

    delta_done(&f->delta);
    delta_compute(&f->before, &f->after, NULL, &f->delta);
    assert_int_equal(regex_compile(slice_of(word), &regex, &f->err), 0);
    return delta_filter_apply(&f->delta, &(struct delta_filter){word, true, regex, joins_std}, &f->err);
}

static void a_crate_that_std_alone_has_is_no_expression_where_rows_join_it(void **state)
{
    struct fixture *f = *state;

    add(&f->after, SLICE("std"), "hashbrown::raw::grow", 11);
    add(&f->after, SLICE("app"), "app::with<hashbrown::Map>", 12);
    assert_int_equal(filter_joined(f, "hashbrown", true), -1);
    assert_int_equal(f->err.kind, ERROR_USAGE);
    assert_string_equal(f->err.message, "--filter hashbrown: what is compared has this as a part of std");
    assert_non_null(strstr(f->err.hint, "--split-std"));
    assert_int_equal(filter_joined(f, "hashbrown::", true), 0);
    assert_int_equal(f->delta.items.count, 2);
    assert_int_equal(filter_joined(f, "hashbrown", false), 0);
    add(&f->after, SLICE("hashbrown"), "hashbrown::raw::grow", 13);
    assert_int_equal(filter_joined(f, "hashbrown", true), 0);
    assert_int_equal(f->delta.items.count, 1);
}

static void a_filter_that_matches_nothing_is_said(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(filter(f, "nowhere", "nowhere", true), -1);
    assert_int_equal(f->err.kind, ERROR_MISSING);
    assert_string_equal(f->err.message, "--filter nowhere matches nothing on either side");
    assert_int_equal(filter(f, "nowhere", NULL, true), -1);
    assert_int_equal(f->err.kind, ERROR_USAGE);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_filter_takes_a_crate_of_either_side_or_names_that_match),
        TEST(a_filter_takes_all_crates_of_a_name),
        TEST(a_filter_takes_functions_that_no_crate_is_known_of),
        TEST(a_crate_that_std_alone_has_is_no_expression_where_rows_join_it),
        TEST(a_filter_that_matches_nothing_is_said),
    };

    return cmocka_run_group_tests_name("delta_filter", tests, NULL, NULL);
}
