#include "cmocka_all.h"

#include <string.h>

#include "base/text.h"
#include "delta/delta_rows.h"
#include "report/render.h"

struct fixture {
    struct rows before, after, out;
    struct delta delta;
    struct error err;
};

static const struct delta_words words = {.subject = ".text",
                                         .fact = "file-size",
                                         .fact_subject = "the file",
                                         .base = "main",
                                         .head = "the working tree"};

static void add_columns(struct rows *rows)
{
    rows->list_key = "functions";
    rows->noun = "function";
    rows_add_column(rows, (struct column){COLUMN_SHARE, ".text", NULL, 1, 1000});
    rows_add_column(rows, (struct column){COLUMN_BYTES, "Size", "size", 0, 0});
    rows_add_column(rows, (struct column){COLUMN_COUNT, "Copies", "copies", 0, 0});
    rows_add_column(rows, (struct column){COLUMN_COUNT, NULL, "hidden", 0, 0});
    rows_add_column(rows, (struct column){COLUMN_TEXT, "Crate", "crate", 0, 0});
    rows_add_column(rows, (struct column){COLUMN_TEXT, "Name", "name", 0, 0});
    rows_add_column(rows, (struct column){COLUMN_TEXT, NULL, "symbol", 0, 0});
    rows_add_column(rows, (struct column){COLUMN_TEXT, NULL, "crate-version", 0, 0});
}

static void add(struct rows *rows, struct slice crate, const char *name, uint64_t size)
{
    union cell *row = rows_add(rows);

    row[1].number = size;
    row[2].number = 1;
    row[3].number = size * 7;
    row[4].text = crate;
    row[5].text = slice_of(name);
    row[6].text = (struct slice){arena_format(&rows->arena, "%p", (void *)row), 4};
}

static void add_of_version(struct rows *rows, struct slice crate, struct slice version, const char *name,
                           uint64_t size)
{
    add(rows, crate, name, size);
    rows->cells.items[rows->cells.count - 1].text = version;
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
    rows_add_fact(&f->before, "file-size", 2000);
    rows_add_fact(&f->after, "file-size", 2048);
    rows_add_fact(&f->after, "only-here", 1);
    *state = f;
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

static void compute(struct fixture *f)
{
    rows_done(&f->out);
    delta_done(&f->delta);
    delta_compute(&f->before, &f->after, NULL, &f->delta);
    delta_rows_fill(&f->delta, &words, &f->before, &f->after, &f->out);
}

/* The rows as CSV, one line each, without the line of keys; to be freed. */
static void assert_csv(struct fixture *f, const char *expected)
{
    SCOPED(text_done) struct text text = {0};

    render_csv(&text, &f->out);
    assert_string_equal(strstr(text_string(&text), "\r\n") + 2, expected);
}

static void changed_things_stand_by_absolute_difference_with_new_and_gone_marked(void **state)
{
    struct fixture *f = *state;

    compute(f);
    assert_csv(f, "0,64,64,0,1,1,new,lib_a,lib_a::fresh\r\n"
                  "40,0,-40,1,0,-1,gone,lib_a,lib_a::old\r\n"
                  "100,130,30,1,1,0,changed,app,app::grown\r\n"
                  "10,8,-2,1,1,0,changed,,[padding]\r\n");
}

static void the_differences_add_up_to_that_of_the_total(void **state)
{
    struct fixture *f = *state;
    union cell sums[ROWS_COLUMNS_MAX];

    compute(f);
    rows_sums(&f->out, 0, sums);
    assert_int_equal((int64_t)sums[2].number, 252 - 200);
    assert_int_equal(f->out.total[0].number, 200);
    assert_int_equal(f->out.total[1].number, 252);
    assert_int_equal(f->out.total[2].number, 52);
}

static void a_result_against_itself_is_empty(void **state)
{
    struct fixture *f = *state;

    delta_compute(&f->after, &f->after, NULL, &f->delta);
    delta_rows_fill(&f->delta, &words, &f->after, &f->after, &f->out);
    assert_int_equal(rows_count(&f->out), 0);
    assert_int_equal(f->delta.items.count, 4);
    assert_non_null(strstr(f->out.total_label, "nothing changed"));
    assert_non_null(strstr(f->out.headline, "`.text` stayed at 252B; the file stayed at 2.0KiB."));
}

static void swapping_negates(void **state)
{
    struct fixture *f = *state;
    struct delta back = {0};

    compute(f);
    delta_compute(&f->after, &f->before, NULL, &back);
    assert_int_equal(back.items.count, f->delta.items.count);
    for (size_t i = 0; i < back.items.count; i++) {
        const struct delta_entry *there = &f->delta.items.items[i];
        const struct delta_entry *here = &back.items.items[i];

        assert_true(slice_equal(there->texts[1], here->texts[1]));
        assert_int_equal(there->values[0].before, here->values[0].after);
        assert_int_equal(there->values[0].after, here->values[0].before);
        assert_int_equal(there->was_there, here->is_there);
    }
    delta_done(&back);
}

static void rows_of_one_name_are_added_up(void **state)
{
    struct fixture *f = *state;

    add(&f->before, SLICE("app"), "app::same", 5);
    add(&f->after, SLICE("app"), "app::same", 7);
    add(&f->after, SLICE("app"), "app::same", 1);
    compute(f);
    assert_csv(f, "0,64,64,0,1,1,new,lib_a,lib_a::fresh\r\n"
                  "40,0,-40,1,0,-1,gone,lib_a,lib_a::old\r\n"
                  "100,130,30,1,1,0,changed,app,app::grown\r\n"
                  "55,58,3,2,3,1,changed,app,app::same\r\n"
                  "10,8,-2,1,1,0,changed,,[padding]\r\n");
}

static void a_closure_that_got_another_number_is_the_same_thing(void **state)
{
    struct fixture *f = *state;

    add(&f->before, SLICE("app"), "app::run::{closure#0}", 300);
    add(&f->after, SLICE("app"), "app::run::{closure#1}", 300);
    compute(f);
    assert_int_equal(rows_count(&f->out), 4);
    add(&f->after, SLICE("app"), "app::run::{closure#0}", 500);
    compute(f);
    assert_true(slice_is(rows_at(&f->out, 0)[9].text, "app::run::{closure}"));
    assert_int_equal(rows_at(&f->out, 0)[0].number, 300);
    assert_int_equal(rows_at(&f->out, 0)[1].number, 800);
}

static void closures_that_kept_their_numbers_are_compared_one_by_one(void **state)
{
    struct fixture *f = *state;

    add(&f->before, SLICE("app"), "app::run::{closure#0}", 300);
    add(&f->before, SLICE("app"), "app::run::{closure#1}", 200);
    add(&f->after, SLICE("app"), "app::run::{closure#0}", 300);
    add(&f->after, SLICE("app"), "app::run::{closure#1}", 700);
    compute(f);
    assert_true(slice_is(rows_at(&f->out, 0)[9].text, "app::run::{closure#1}"));
    assert_int_equal(rows_at(&f->out, 0)[2].number, 500);
}

static void impls_for_other_types_are_other_things_where_both_sides_tell_types(void **state)
{
    struct fixture *f = *state;

    add(&f->before, SLICE("app"), "<_ as app::T>::f (impl#0 for u8)", 300);
    add(&f->before, SLICE("app"), "<_ as app::T>::f (impl#1 for u16)", 200);
    add(&f->after, SLICE("app"), "<_ as app::T>::f (impl#0 for u16)", 250);
    add(&f->after, SLICE("app"), "<_ as app::T>::f (impl#1 for i64)", 310);
    compute(f);
    assert_true(slice_is(rows_at(&f->out, 0)[9].text, "<_ as app::T>::f (impl#1 for i64)"));
    assert_true(slice_is(rows_at(&f->out, 1)[9].text, "<_ as app::T>::f (impl#0 for u8)"));
    assert_int_equal(rows_at(&f->out, 3)[2].number, 50);
    assert_true(slice_is(rows_at(&f->out, 3)[9].text, "<_ as app::T>::f (impl for u16)"));
}

static void an_impl_that_was_alone_is_compared_with_all_of_its_name(void **state)
{
    struct fixture *f = *state;

    add(&f->before, SLICE("app"), "<_ as app::T>::f", 300);
    add(&f->after, SLICE("app"), "<_ as app::T>::f (impl#0 for u8)", 300);
    add(&f->after, SLICE("app"), "<_ as app::T>::f (impl#1 for u16)", 310);
    compute(f);
    assert_true(slice_is(rows_at(&f->out, 0)[9].text, "<_ as app::T>::f"));
    assert_int_equal(rows_at(&f->out, 0)[2].number, 310);
}

static void words_tell_of_things_and_do_not_name_them(void **state)
{
    struct fixture *f = *state;
    struct rows sides[2] = {0};
    const char *const known[2][3] = {{"inferred", "symbol", "rlib"}, {"rlib", "unit-symbol", "symbol"}};
    const char *const names[2][3] = {{"app::f", "app::g::{closure#0}", "app::gone"},
                                     {"app::f", "app::g::{closure#1}", "app::g::{closure#2}"}};

    for (size_t side = 0; side < 2; side++) {
        sides[side].list_key = "functions";
        rows_add_column(&sides[side], (struct column){COLUMN_BYTES, "Size", "size", 0, 0});
        rows_add_column(&sides[side], (struct column){COLUMN_WORD, "Known from", "known", 0, 0});
        rows_add_column(&sides[side], (struct column){COLUMN_TEXT, "Name", "name", 0, 0});
        for (size_t i = 0; i < 3; i++) {
            union cell *row = rows_add(&sides[side]);

            row[0].number = 10 + side;
            row[1].text = slice_of(known[side][i]);
            row[2].text = slice_of(names[side][i]);
        }
    }
    delta_compute(&sides[0], &sides[1], NULL, &f->delta);
    delta_rows_fill(&f->delta, &words, &sides[0], &sides[1], &f->out);
    assert_csv(f, "10,22,12,changed,\"unit-symbol, symbol\",app::g::{closure}\r\n"
                  "10,0,-10,gone,rlib,app::gone\r\n"
                  "10,11,1,changed,rlib,app::f\r\n");
    rows_done(&sides[0]);
    rows_done(&sides[1]);
}

static void one_name_in_two_crates_is_two_things(void **state)
{
    struct fixture *f = *state;

    add(&f->before, SLICE("left"), "run", 300);
    add(&f->after, SLICE("right"), "run", 300);
    compute(f);
    assert_int_equal(rows_count(&f->out), 6);
    assert_true(slice_is(rows_at(&f->out, 0)[7].text, "gone"));
    assert_true(slice_is(rows_at(&f->out, 1)[7].text, "new"));
}

static void a_second_version_of_a_crate_leaves_the_first_as_it_was(void **state)
{
    struct fixture *f = *state;

    add_of_version(&f->before, SLICE("syn"), SLICE("2.0.1"), "syn::parse", 300);
    add_of_version(&f->after, SLICE("syn 1.0.9"), SLICE("1.0.9"), "syn::parse", 200);
    add_of_version(&f->after, SLICE("syn 2.0.1"), SLICE("2.0.1"), "syn::parse", 300);
    compute(f);
    assert_csv(f, "0,200,200,0,1,1,new,syn 1.0.9,syn::parse\r\n"
                  "0,64,64,0,1,1,new,lib_a,lib_a::fresh\r\n"
                  "40,0,-40,1,0,-1,gone,lib_a,lib_a::old\r\n"
                  "100,130,30,1,1,0,changed,app,app::grown\r\n"
                  "10,8,-2,1,1,0,changed,,[padding]\r\n");
}

static void what_is_gone_of_a_crate_is_of_the_version_that_took_its_place(void **state)
{
    struct fixture *f = *state;

    add_of_version(&f->before, SLICE("syn 1.0.9"), SLICE("1.0.9"), "syn::parse", 200);
    add_of_version(&f->before, SLICE("syn 2.0.1"), SLICE("2.0.1"), "syn::parse", 300);
    add_of_version(&f->before, SLICE("syn 2.0.1"), SLICE("2.0.1"), "syn::old", 400);
    add_of_version(&f->after, SLICE("syn 1.0.9"), SLICE("1.0.9"), "syn::parse", 200);
    add_of_version(&f->after, SLICE("syn 2.1.0"), SLICE("2.1.0"), "syn::parse", 350);
    compute(f);
    assert_csv(f, "400,0,-400,1,0,-1,gone,syn 2.1.0,syn::old\r\n"
                  "0,64,64,0,1,1,new,lib_a,lib_a::fresh\r\n"
                  "300,350,50,1,1,0,changed,syn 2.1.0,syn::parse\r\n"
                  "40,0,-40,1,0,-1,gone,lib_a,lib_a::old\r\n"
                  "100,130,30,1,1,0,changed,app,app::grown\r\n"
                  "10,8,-2,1,1,0,changed,,[padding]\r\n");
}

static void a_name_with_the_version_is_the_one_without_it(void **state)
{
    struct fixture *f = *state;

    /* As in lists of crates, where names are those of crates. */
    f->before.columns[4].key = f->after.columns[4].key = NULL;
    add_of_version(&f->before, SLICE(""), SLICE("2.0.1"), "syn::parse", 300);
    add_of_version(&f->before, SLICE(""), SLICE("2.0.1"), "syn::same", 300);
    add_of_version(&f->after, SLICE(""), SLICE("2.0.1"), "syn::same", 300);
    add_of_version(&f->before, SLICE(""), SLICE("2.0.1"), "<syn::A as syn::B>::b", 300);
    add_of_version(&f->after, SLICE(""), (struct slice){0}, "<syn@2.0.1::A as syn@2.0.1::B>::b", 300);
    add_of_version(&f->after, SLICE(""), (struct slice){0}, "syn@2.0.1::parse", 700);
    add_of_version(&f->after, SLICE(""), (struct slice){0}, "syn@1.0.9::parse", 200);
    compute(f);
    assert_int_equal(rows_count(&f->out), 6);
    assert_true(slice_is(rows_at(&f->out, 0)[8].text, "syn@2.0.1::parse"));
    assert_int_equal(rows_at(&f->out, 0)[2].number, 400);
    assert_true(slice_is(rows_at(&f->out, 1)[8].text, "syn@1.0.9::parse"));
    assert_true(slice_is(rows_at(&f->out, 1)[7].text, "new"));
}

static void the_order_goes_by_the_value_asked_for(void **state)
{
    struct fixture *f = *state;

    delta_compute(&f->before, &f->after, "copies", &f->delta);
    assert_int_equal(f->delta.primary, 1);
    assert_true(slice_is(f->delta.items.items[0].texts[1], "lib_a::fresh"));
    delta_done(&f->delta);
    delta_compute(&f->before, &f->after, "no such key", &f->delta);
    assert_int_equal(f->delta.primary, 0);
}

static void facts_of_both_sides_are_told(void **state)
{
    struct fixture *f = *state;
    SCOPED(text_done) struct text text = {0};

    compute(f);
    f->out.limit = 1;
    render_json(&text, &f->out);
    assert_string_equal(
        text_string(&text),
        "{\"file-size-before\":2000,\"file-size-after\":2048,\"size-difference\":52,\"copies-difference\":0,"
        "\"diff\":{\"base\":\"main\",\"head\":\"the working tree\"},\"functions\":[{\"size-before\":0,"
        "\"size-after\":64,\"size-difference\":64,\"copies-before\":0,\"copies-after\":1,\"copies-"
        "difference\":1,"
        "\"status\":\"new\",\"crate\":\"lib_a\",\"name\":\"lib_a::fresh\"}],\"omitted\":{\"count\":3,"
        "\"size-before\":150,\"size-after\":138,\"size-difference\":-12,\"copies-before\":3,\"copies-after\":"
        "2,"
        "\"copies-difference\":-1}}\n");
}

static void people_see_the_signs_and_what_is_new(void **state)
{
    struct fixture *f = *state;
    SCOPED(text_done) struct text text = {0};

    compute(f);
    render_table(&text, &f->out, (struct render_look){0});
    assert_string_equal(text_string(&text), "Before After Change      % Copies Crate Name\n"
                                            "    0B   64B   +64B    new     +1 lib_a lib_a::fresh\n"
                                            "   40B    0B   -40B   gone     -1 lib_a lib_a::old\n"
                                            "  100B  130B   +30B +30.0%      0   app app::grown\n"
                                            "   10B    8B    -2B -20.0%      0       [padding]\n"
                                            "  200B  252B   +52B +26.0%      0       .text, the working tree "
                                            "against main\n");
}

static void a_comment_has_one_sentence_the_first_rows_and_the_rest_folded(void **state)
{
    struct fixture *f = *state;
    SCOPED(text_done) struct text text = {0};

    compute(f);
    f->out.limit = 3;
    render_markdown(&text, &f->out);
    assert_non_null(strstr(text_string(&text),
                           "**`.text` grew by 52B (+26.0%), from 200B to 252B; the file grew by "
                           "48B to 2.0KiB.** Compared: `main` with `the working tree`.\n"));
    assert_non_null(strstr(text_string(&text),
                           "| 100B | 130B | +30B | +30.0% | 0 | `app` | `app::grown` |\n"
                           "| 200B | 252B | +52B | +26.0% | 0 |  | *.text, the working tree"));
    assert_non_null(
        strstr(text_string(&text), "<details><summary>and 1 more changed function</summary>\n\n|"));
    assert_non_null(strstr(text_string(&text), "`[padding]` |\n\n</details>\n"));
}

/* Fails unless a comment of that many rows, each name that long, fits. */
static void assert_comment_fits(struct fixture *f, size_t count, size_t name_bytes, size_t limit)
{
    SCOPED(text_done) struct text name = {0};
    SCOPED(text_done) struct text text = {0};

    for (size_t i = 0; i < count; i++) {
        text_clear(&name);
        text_format(&name, "|<b>`%zu", i);
        text_add_repeated(&name, '\x01', name_bytes);
        add(&f->after, SLICE("big"), arena_copy(&f->after.arena, text_slice(&name)), i + 1000000);
    }
    compute(f);
    f->out.limit = limit;
    render_markdown(&text, &f->out);
    assert_true(text.length <= 65536);
    assert_true(text.length > 50000);
    assert_true(slice_ends_with(text_slice(&text), SLICE("</details>\n")));
    assert_non_null(strstr(text_string(&text), "more changed functions*"));
}

static void a_comment_fits_whatever_the_size(void **state)
{
    assert_comment_fits(*state, 20000, 3, 20);
    assert_comment_fits(*state, 1000, 3000, 20);
    assert_comment_fits(*state, 1000, 3000, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(changed_things_stand_by_absolute_difference_with_new_and_gone_marked,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_differences_add_up_to_that_of_the_total, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_result_against_itself_is_empty, set_up, tear_down),
        cmocka_unit_test_setup_teardown(swapping_negates, set_up, tear_down),
        cmocka_unit_test_setup_teardown(rows_of_one_name_are_added_up, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_closure_that_got_another_number_is_the_same_thing, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(closures_that_kept_their_numbers_are_compared_one_by_one, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(impls_for_other_types_are_other_things_where_both_sides_tell_types,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(an_impl_that_was_alone_is_compared_with_all_of_its_name, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(words_tell_of_things_and_do_not_name_them, set_up, tear_down),
        cmocka_unit_test_setup_teardown(one_name_in_two_crates_is_two_things, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_second_version_of_a_crate_leaves_the_first_as_it_was, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(what_is_gone_of_a_crate_is_of_the_version_that_took_its_place, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_name_with_the_version_is_the_one_without_it, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_order_goes_by_the_value_asked_for, set_up, tear_down),
        cmocka_unit_test_setup_teardown(facts_of_both_sides_are_told, set_up, tear_down),
        cmocka_unit_test_setup_teardown(people_see_the_signs_and_what_is_new, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_comment_has_one_sentence_the_first_rows_and_the_rest_folded, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_comment_fits_whatever_the_size, set_up, tear_down),
    };

    return cmocka_run_group_tests_name("delta", tests, NULL, NULL);
}
