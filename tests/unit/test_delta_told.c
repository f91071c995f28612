#include "cmocka_all.h"

#include <string.h>

#include "base/text.h"
#include "delta/delta_rows.h"
#include "report/render.h"

struct fixture {
    struct rows before, after, out;
    struct delta delta;
};

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

/* A crate's row of 100 and 120 bytes, of which that many are inferred. */
static void add_crates(struct fixture *f, uint64_t inferred_before, uint64_t inferred_after)
{
    const uint64_t cells[][2] = {{100, inferred_before}, {120, inferred_after}};

    for (size_t i = 0; i < 2; i++) {
        struct rows *rows = i == 0 ? &f->before : &f->after;
        union cell *row = NULL;

        rows_done(rows);
        *rows = (struct rows){.list_key = "crates", .noun = "crate"};
        rows_add_column(rows, (struct column){COLUMN_BYTES, "Size", "size", 0, 0});
        rows_add_column(rows, (struct column){COLUMN_TEXT, "Crate", "name", 0, 0});
        rows_add_column(rows, (struct column){COLUMN_BYTES, NULL, "inferred-size", 0, 0});
        row = rows_add(rows);
        row[0].number = cells[i][0];
        row[1].text = SLICE("lib");
        row[2].number = cells[i][1];
    }
}

static void assert_marked(struct fixture *f, const char *mark, const char *hint, const char *expected)
{
    SCOPED(text_done) struct text text = {0};
    const struct delta_words words = {
        .subject = ".text", .base = "main", .head = "the working tree", .mark = mark, .inferred_hint = hint};

    delta_done(&f->delta);
    rows_done(&f->out);
    f->out = (struct rows){0};
    f->delta.inferred_key = "inferred-size";
    delta_compute(&f->before, &f->after, NULL, &f->delta);
    delta_rows_fill(&f->delta, &words, &f->before, &f->after, &f->out);
    render_table(&text, &f->out, (struct render_look){0});
    assert_string_equal(text_string(&text), expected);
}

#define MARKED                                                                                               \
    "Before After Change      %   Crate\n"                                                                   \
    "  100B  120B   +20B +20.0% ~ lib\n"                                                                     \
    "  100B  120B   +20B +20.0%   .text, the working tree against main\n\n"                                  \
    "~: more than half of the row, of one side at least, is inferred from names alone, so that what "        \
    "changed may be another crate's"
#define UNMARKED                                                                                             \
    "Before After Change      % Crate\n"                                                                     \
    "  100B  120B   +20B +20.0% lib\n"                                                                       \
    "  100B  120B   +20B +20.0% .text, the working tree against main\n"

static void rows_that_are_inferred_for_the_most_part_are_marked(void **state)
{
    struct fixture *f = *state;
    SCOPED(text_done) struct text text = {0};

    add_crates(f, 51, 0);
    assert_marked(f, "~", NULL, MARKED ".\n");
    add_crates(f, 0, 61);
    assert_marked(f, "~", "ask", MARKED ": ask.\n");
    render_json(&text, &f->out);
    assert_non_null(strstr(text_string(&text), "\"inferred-size-before\":0,\"inferred-size-after\":61,"));
    text_clear(&text);
    render_markdown(&text, &f->out);
    assert_non_null(strstr(text_string(&text), "| `~` | `lib` |"));
    assert_true(slice_ends_with(text_slice(&text), SLICE("another crate's: ask.\n")));
    assert_marked(f, NULL, NULL,
                  UNMARKED "\nThe crates of 1 changed crate are inferred from names alone, so that what "
                           "changed may be another crate's.\n");
    add_crates(f, 50, 60);
    assert_marked(f, "~", NULL, UNMARKED);
}

/* Another row, which changed by less than the first. */
static void add_second(struct rows *rows, uint64_t size_bytes, uint64_t inferred_bytes)
{
    union cell *row = rows_add(rows);

    row[0].number = size_bytes;
    row[1].text = SLICE("small");
    row[2].number = inferred_bytes;
}

static void a_mark_is_shown_and_told_where_a_row_shown_has_it(void **state)
{
    struct fixture *f = *state;
    SCOPED(text_done) struct text text = {0};
    const struct delta_words words = {
        .subject = ".text", .base = "main", .head = "the working tree", .mark = "~"};

    add_crates(f, 0, 0);
    add_second(&f->before, 10, 10);
    add_second(&f->after, 11, 11);
    f->delta.inferred_key = "inferred-size";
    delta_compute(&f->before, &f->after, NULL, &f->delta);
    delta_rows_fill(&f->delta, &words, &f->before, &f->after, &f->out);
    f->out.limit = 1;
    render_table(&text, &f->out, (struct render_look){0});
    assert_string_equal(
        text_string(&text),
        "Before After Change      % Crate\n"
        "  100B  120B   +20B +20.0% lib\n"
        "   10B   11B    +1B +10.0% and 1 more changed crate\n"
        "  110B  131B   +21B +19.1% .text, the working tree against main\n\n"
        "The crates of 1 changed crate are inferred from names alone, so that what changed may be "
        "another crate's.\n");
    text_clear(&text);
    f->out.limit = 2;
    render_table(&text, &f->out, (struct render_look){0});
    assert_non_null(strstr(text_string(&text), " ~ small\n"));
    assert_non_null(strstr(text_string(&text), "~: more than half of the row"));
    /* Folded rows keep theirs. */
    text_clear(&text);
    f->out.limit = 1;
    render_markdown(&text, &f->out);
    assert_non_null(strstr(text_string(&text), "| `~` | `small` |"));
    assert_non_null(strstr(text_string(&text), "more than half of the row"));
}

static void without_a_comparison_what_is_beyond_the_limit_is_added_up(void **state)
{
    struct fixture *f = *state;
    SCOPED(text_done) struct text text = {0};

    add_crates(f, 0, 0);
    for (uint64_t i = 0; i < 3; i++)
        *rows_add(&f->after) = (union cell){.number = 10};
    f->after.limit = 1;
    f->after.total_label = "all";
    delta_rows_tell_none(&f->after, "the working tree", "main: gone");
    render_markdown(&text, &f->after);
    assert_string_equal(text_string(&text),
                        "**No comparison: `main: gone`.** Shown is `the working tree` alone.\n\n"
                        "| Size | Crate |\n|---:|:---|\n"
                        "| 120B | `lib` |\n"
                        "| 30B | *and 3 more crates* |\n"
                        "| 150B | *all* |\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(rows_that_are_inferred_for_the_most_part_are_marked, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_mark_is_shown_and_told_where_a_row_shown_has_it, set_up, tear_down),
        cmocka_unit_test_setup_teardown(without_a_comparison_what_is_beyond_the_limit_is_added_up, set_up,
                                        tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
