#include "cmocka_all.h"

#include <string.h>

#include "tables/tables.h"

/* The columns of the table of functions that the tests look at. */
enum { SIZE = 2, CRATE, SOURCE, NAME, VERSION, SYMBOL };

/* Those of the table of crates. */
enum { ROW_KNOWN = SIZE + 1, ROW_NAME, ROW_FUNCTIONS, ROW_INFERRED, ROW_VERSION };

struct fixture {
    struct measurement measurement;
    struct bloatc_settings settings;
    struct rows rows;
    struct error err;
};

static void add(struct fixture *f, struct slice crate, bool is_std, struct slice name, uint64_t size_bytes)
{
    *vec_add(&f->measurement.items) = (struct measured){
        .name = name,
        .symbol = name,
        .crate = crate,
        .size_bytes = size_bytes,
        .crate_source = crate.length > 0 ? CRATE_FROM_SYMBOL : CRATE_UNKNOWN,
        .is_std = is_std,
    };
    f->measurement.section_bytes += size_bytes;
}

static void add_padding(struct fixture *f, uint64_t size_bytes)
{
    *vec_add(&f->measurement.items) = (struct measured){
        .name = SLICE("[padding]"), .symbol = SLICE(""), .size_bytes = size_bytes, .kind = MEASURED_PADDING};
    f->measurement.section_bytes += size_bytes;
}

static int set_up(void **state)
{
    static struct fixture fixture;
    struct fixture *f = &fixture;

    fixture = (struct fixture){.settings = {.section = ".text"}, .measurement = {.file_bytes = 2000}};
    add(f, SLICE("my_app"), false, SLICE("my_app::main"), 400);
    add(f, SLICE("core"), true, SLICE("core::fmt::write"), 200);
    add(f, SLICE("std"), true, SLICE("std::io::print"), 150);
    add(f, SLICE("hashbrown"), true, SLICE("hashbrown::find"), 100);
    add(f, SLICE(""), false, SLICE("memcpy"), 60);
    add(f, (struct slice){0}, false, SLICE("_start"), 40);
    add_padding(f, 50);
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;

    rows_done(&f->rows);
    measurement_done(&f->measurement);
    return 0;
}

/* Fills the rows anew. */
static int fill(struct fixture *f, const char *filter)
{
    SCOPED(filter_done) struct filter wanted = {0};

    rows_done(&f->rows);
    f->err = (struct error){0};
    f->settings.filter = filter;
    if (filter_make(&f->measurement, filter, f->settings.split_std, &wanted, &f->err) < 0)
        return -1;
    return tables_fill(&f->measurement, &f->settings, &wanted, &f->rows, &f->err);
}

/* Fails when the column of texts does not hold these words, from the first row on. */
static void assert_column(const struct fixture *f, size_t column, const char *const *expected)
{
    size_t row = 0;

    for (; expected[row]; row++) {
        assert_true(row < rows_count(&f->rows));
        assert_true(slice_is(rows_at(&f->rows, row)[column].text, expected[row]));
    }
    assert_int_equal(rows_count(&f->rows), row);
}

#define ASSERT_COLUMN(column, ...) assert_column(f, column, (const char *const[]){__VA_ARGS__, NULL})

static uint64_t sum_bytes(const struct fixture *f)
{
    union cell sums[ROWS_COLUMNS_MAX];

    rows_sums(&f->rows, 0, sums);
    return sums[SIZE].number;
}

static void functions_stand_by_size_and_add_up_to_the_section(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(fill(f, NULL), 0);
    ASSERT_COLUMN(NAME, "my_app::main", "core::fmt::write", "std::io::print", "hashbrown::find", "memcpy",
                  "[padding]", "_start");
    ASSERT_COLUMN(CRATE, "my_app", "std", "std", "std", "", "", "");
    assert_int_equal(sum_bytes(f), 1000);
    assert_string_equal(f->rows.total_label, ".text section size, the file size is 2.0KiB");
}

static void full_names_have_the_hashes_and_gaps_keep_theirs(void **state)
{
    struct fixture *f = *state;

    f->measurement.items.items[0].symbol = SLICE("_ZN6my_app4main17h0123456789abcdefE");
    f->settings.full_names = true;
    assert_int_equal(fill(f, NULL), 0);
    ASSERT_COLUMN(NAME, "my_app::main::h0123456789abcdef", "core::fmt::write", "std::io::print",
                  "hashbrown::find", "memcpy", "[padding]", "_start");
}

static void what_is_not_known_of_a_function_has_no_text(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(fill(f, NULL), 0);
    /* memcpy: a symbol, no crate. The padding: neither. */
    assert_null(rows_at(&f->rows, 4)[CRATE].text.data);
    assert_null(rows_at(&f->rows, 4)[SOURCE].text.data);
    assert_non_null(rows_at(&f->rows, 4)[SYMBOL].text.data);
    assert_null(rows_at(&f->rows, 5)[CRATE].text.data);
    assert_null(rows_at(&f->rows, 5)[SYMBOL].text.data);
}

static void crates_add_up_to_the_section_too(void **state)
{
    struct fixture *f = *state;

    f->settings.by = BY_CRATE;
    assert_int_equal(fill(f, NULL), 0);
    ASSERT_COLUMN(ROW_NAME, "std", "my_app", "[Unknown]", "[padding]");
    assert_int_equal(rows_at(&f->rows, 0)[SIZE].number, 450);
    assert_int_equal(rows_at(&f->rows, 0)[ROW_FUNCTIONS].number, 3);
    assert_int_equal(rows_at(&f->rows, 3)[ROW_FUNCTIONS].number, 0);
    assert_int_equal(sum_bytes(f), 1000);
}

static void a_row_says_what_its_crates_are_known_from(void **state)
{
    struct fixture *f = *state;

    f->measurement.items.items[1].crate_source = CRATE_INFERRED;
    f->settings.by = BY_CRATE;
    f->settings.show_known = true;
    assert_int_equal(fill(f, NULL), 0);
    ASSERT_COLUMN(ROW_NAME, "std", "my_app", "[Unknown]", "[padding]");
    ASSERT_COLUMN(ROW_KNOWN, "symbol, inferred", "symbol", "", "");
}

static void a_crate_that_is_mostly_inferred_is_marked_for_people_alone(void **state)
{
    struct fixture *f = *state;

    f->settings.by = BY_CRATE;
    assert_int_equal(fill(f, NULL), 0);
    assert_null(f->rows.columns[ROW_KNOWN].title);
    f->measurement.items.items[0].crate_source = CRATE_INFERRED;
    f->measurement.items.items[1].crate_source = CRATE_INFERRED;
    assert_int_equal(fill(f, NULL), 0);
    ASSERT_COLUMN(ROW_NAME, "std", "my_app", "[Unknown]", "[padding]");
    ASSERT_COLUMN(ROW_KNOWN, "", "~", "", "");
    assert_non_null(f->rows.columns[ROW_KNOWN].title);
    assert_null(f->rows.columns[ROW_KNOWN].key);
    assert_non_null(strstr(f->rows.notes.items[0], "alone (~: more than half of the row): line tables"));
}

static void the_crates_of_std_can_be_shown_apart(void **state)
{
    struct fixture *f = *state;

    f->settings.by = BY_CRATE;
    f->settings.split_std = true;
    assert_int_equal(fill(f, NULL), 0);
    ASSERT_COLUMN(ROW_NAME, "my_app", "core", "std", "[Unknown]", "hashbrown", "[padding]");
}

/* By which a comparison tells std's copy of a crate from the program's. */
static void so_are_their_versions(void **state)
{
    struct fixture *f = *state;

    f->measurement.items.items[3].version = SLICE("0.15.2");
    f->settings.by = BY_CRATE;
    assert_int_equal(fill(f, NULL), 0);
    assert_string_equal(f->rows.columns[ROW_VERSION].key, "version");
    ASSERT_COLUMN(ROW_VERSION, "", "", "", "");
    f->settings.split_std = true;
    assert_int_equal(fill(f, NULL), 0);
    ASSERT_COLUMN(ROW_VERSION, "", "", "", "", "0.15.2", "");
}

static void a_filter_that_is_a_crate_takes_its_functions(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(fill(f, "my-app"), 0);
    ASSERT_COLUMN(NAME, "my_app::main");
    assert_int_equal(fill(f, "core"), 0);
    ASSERT_COLUMN(NAME, "core::fmt::write");
    assert_int_equal(fill(f, "std"), 0);
    ASSERT_COLUMN(NAME, "core::fmt::write", "std::io::print", "hashbrown::find");
    assert_string_equal(f->rows.total_label, "filtered data size, the file size is 2.0KiB");
    f->settings.split_std = true;
    assert_int_equal(fill(f, "std"), 0);
    ASSERT_COLUMN(NAME, "std::io::print");
}

static void a_filter_takes_every_row_of_the_table_of_crates(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(fill(f, "[Unknown]"), 0);
    ASSERT_COLUMN(NAME, "memcpy", "_start");
    assert_int_equal(fill(f, "[padding]"), 0);
    ASSERT_COLUMN(NAME, "[padding]");
}

static void unknown_is_what_no_crate_is_known_of_unless_a_crate_has_that_name(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(fill(f, "Unknown"), 0);
    ASSERT_COLUMN(NAME, "memcpy", "_start");
    assert_int_equal(fill(f, "unknown"), -1);
    add(f, SLICE("Unknown"), false, SLICE("Unknown::main"), 10);
    assert_int_equal(fill(f, "Unknown"), 0);
    ASSERT_COLUMN(NAME, "Unknown::main");
    /* Where all crates are known the word is an expression as any other. */
    f->measurement.items.count = 3;
    add(f, SLICE("my_app"), false, SLICE("my_app::Unknown::fmt"), 10);
    assert_int_equal(fill(f, "Unknown"), 0);
    ASSERT_COLUMN(NAME, "my_app::Unknown::fmt");
}

static void another_filter_is_matched_against_the_names_of_functions(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(fill(f, "^(core|my_app)::|padding"), 0);
    ASSERT_COLUMN(NAME, "my_app::main", "core::fmt::write");
    assert_int_equal(fill(f, ""), 0);
    assert_int_equal(rows_count(&f->rows), 6);
}

static void drop_glue_is_found_by_the_name_that_it_had_before(void **state)
{
    struct fixture *f = *state;

    add(f, SLICE("core"), true, SLICE("core::ptr::drop_glue::<my_app::Foo>"), 10);
    assert_int_equal(fill(f, "drop_in_place"), 0);
    ASSERT_COLUMN(NAME, "core::ptr::drop_glue::<my_app::Foo>");
}

/* One of the two crates of the name "dup". */
static void add_dup(struct fixture *f, struct slice symbol, struct slice label, uint64_t size_bytes)
{
    add(f, SLICE("dup"), false, SLICE("dup::plain"), size_bytes);
    f->measurement.items.items[f->measurement.items.count - 1].symbol = symbol;
    f->measurement.items.items[f->measurement.items.count - 1].definer =
        (struct generic_definer){.crate = SLICE("dup"), .label = label, .is_hash = true};
}

static void instances_are_named_as_tables_show_them(void **state)
{
    struct fixture *f = *state;

    add_dup(f, SLICE("_ZN3dup5plain17h0123456789abcdefE"), SLICE("dup[1f2e]"), 10);
    add_dup(f, SLICE("_ZN3dup5plain17h1123456789abcdefE"), SLICE("dup[2f2e]"), 20);
    f->settings.instances = "dup::plain";
    assert_int_equal(fill(f, NULL), 0);
    assert_int_equal(rows_count(&f->rows), 2);
    f->settings.instances = "dup[2f2e]::plain";
    assert_int_equal(fill(f, NULL), 0);
    assert_int_equal(rows_count(&f->rows), 1);
    assert_int_equal(rows_at(&f->rows, 0)[SIZE].number, 20);
    f->settings.instances = "dup[3f2e]::plain";
    assert_int_equal(fill(f, NULL), -1);
    assert_string_equal(f->err.message, "no function is called \"dup[3f2e]::plain\"");
}

static void a_filter_that_takes_nothing_is_refused_with_the_nearest_crate(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(fill(f, "my_ap$"), -1);
    assert_int_equal(f->err.kind, ERROR_MISSING);
    assert_string_equal(f->err.hint, "did you mean the crate my_app?");
    assert_int_equal(fill(f, "nothing like it"), -1);
    assert_non_null(strstr(f->err.hint, "--crates lists the crates"));
    assert_int_equal(fill(f, "(core"), -1);
    assert_int_equal(f->err.kind, ERROR_USAGE);
}

static void rows_can_stand_by_name(void **state)
{
    struct fixture *f = *state;

    f->settings.sort_by_name = true;
    f->settings.by = BY_CRATE;
    assert_int_equal(fill(f, NULL), 0);
    ASSERT_COLUMN(ROW_NAME, "[Unknown]", "[padding]", "my_app", "std");
    f->settings.by = BY_FUNCTION;
    assert_int_equal(fill(f, "[Unknown]"), 0);
    ASSERT_COLUMN(NAME, "_start", "memcpy");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(functions_stand_by_size_and_add_up_to_the_section),
        TEST(full_names_have_the_hashes_and_gaps_keep_theirs),
        TEST(what_is_not_known_of_a_function_has_no_text),
        TEST(crates_add_up_to_the_section_too),
        TEST(a_row_says_what_its_crates_are_known_from),
        TEST(a_crate_that_is_mostly_inferred_is_marked_for_people_alone),
        TEST(the_crates_of_std_can_be_shown_apart),
        TEST(so_are_their_versions),
        TEST(a_filter_that_is_a_crate_takes_its_functions),
        TEST(a_filter_takes_every_row_of_the_table_of_crates),
        TEST(unknown_is_what_no_crate_is_known_of_unless_a_crate_has_that_name),
        TEST(another_filter_is_matched_against_the_names_of_functions),
        TEST(drop_glue_is_found_by_the_name_that_it_had_before),
        TEST(instances_are_named_as_tables_show_them),
        TEST(a_filter_that_takes_nothing_is_refused_with_the_nearest_crate),
        TEST(rows_can_stand_by_name),
    };

    return cmocka_run_group_tests_name("bloatc tables", tests, NULL, NULL);
}
