/* What other crates have than before, at the same size in all. */
#include "cmocka_all.h"

#include <string.h>

#include "delta/delta_rows.h"
#include "delta/moved.h"
#include "report/render.h"

struct fixture {
    struct rows before, after, out;
    struct delta delta;
};

static const struct delta_words words = {.subject = ".text", .base = "main", .head = "the working tree"};

static void add_columns(struct rows *rows, const char *crate_key)
{
    rows->list_key = "functions";
    rows->noun = "function";
    rows_add_column(rows, (struct column){COLUMN_BYTES, "Size", "size", 0, 0});
    rows_add_column(rows, (struct column){COLUMN_TEXT, "Crate", crate_key, 0, 0});
    rows_add_column(rows, (struct column){COLUMN_TEXT, "Name", "name", 0, 0});
}

static void add(struct rows *rows, const char *crate, const char *name, uint64_t size)
{
    union cell *row = rows_add(rows);

    row[0].number = size;
    row[1].text = slice_of(crate);
    row[2].text = slice_of(name);
}

/* `drop` goes from one crate to two, and `next` from one to another; `grow` goes and grows. */
static void add_functions(struct fixture *f)
{
    add(&f->before, "app", "drop::h0123456789abcdef", 279);
    add(&f->after, "cli", "drop::h1123456789abcdef", 141);
    add(&f->after, "pool", "drop::h2123456789abcdef", 138);
    add(&f->before, "app", "next", 472);
    add(&f->after, "cli", "next", 472);
    add(&f->before, "app", "grow", 40);
    add(&f->after, "cli", "grow", 41);
    add(&f->before, "app", "main", 7);
    add(&f->after, "app", "main", 9);
    add(&f->before, "app", "same", 7);
    add(&f->after, "app", "same", 7);
    add(&f->after, "cli", "same", 0);
}

static int set_up(void **state)
{
    static struct fixture fixture;

    fixture = (struct fixture){0};
    *state = &fixture;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;

    delta_done(&f->delta);
    rows_done(&f->before);
    rows_done(&f->after);
    rows_done(&f->out);
    return 0;
}

static void compute(struct fixture *f, const char *crate_key)
{
    add_columns(&f->before, crate_key);
    add_columns(&f->after, crate_key);
    add_functions(f);
    delta_compute(&f->before, &f->after, NULL, &f->delta);
    delta_find_moved(&f->delta);
    delta_rows_fill(&f->delta, &words, &f->before, &f->after, &f->out);
}

static void what_is_as_large_in_other_crates_comes_last_and_is_told_to_have_moved(void **state)
{
    struct fixture *f = *state;
    SCOPED(text_done) struct text text = {0};

    compute(f, "crate");
    render_csv(&text, &f->out);
    assert_string_equal(strstr(text_string(&text), "\r\n") + 2,
                        "0,41,41,new,cli,grow\r\n"
                        "40,0,-40,gone,app,grow\r\n"
                        "7,9,2,changed,app,main\r\n"
                        "0,0,0,new,cli,same\r\n"
                        "472,0,-472,moved,app,next\r\n"
                        "0,472,472,moved,cli,next\r\n"
                        "279,0,-279,moved,app,drop::h0123456789abcdef\r\n"
                        "0,141,141,moved,cli,drop::h1123456789abcdef\r\n"
                        "0,138,138,moved,pool,drop::h2123456789abcdef\r\n");
    assert_int_equal(f->out.minor_from, 4);
    assert_int_equal(delta_total(&f->delta, 0).after, 808);
}

static void people_see_how_many_moved(void **state)
{
    struct fixture *f = *state;
    SCOPED(text_done) struct text text = {0};

    compute(f, "crate");
    f->out.is_brief = true;
    render(&text, &f->out, RENDER_TABLE, (struct render_look){0});
    assert_non_null(strstr(text_string(&text), "and 5 more changed functions, moved between crates"));
    assert_null(strstr(text_string(&text), "next"));
}

static void without_crates_nothing_moves(void **state)
{
    struct fixture *f = *state;

    compute(f, "module");
    assert_null(f->out.minor_label);
    for (size_t i = 0; i < f->delta.items.count; i++)
        assert_false(f->delta.items.items[i].is_moved);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(what_is_as_large_in_other_crates_comes_last_and_is_told_to_have_moved),
        TEST(people_see_how_many_moved),
        TEST(without_crates_nothing_moves),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
