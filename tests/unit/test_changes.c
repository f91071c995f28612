#include "cmocka_all.h"

#include <stdio.h>

#include "change_fixture.h"
#include "changes/change_rows.h"
#include "changes/change_tree.h"
#include "profile_builder.h"
#include "report/render.h"

static void fill(struct change_fixture *f)
{
    profile_builder_add(&f->before, 0, SLICE("own app main > own app parse > own app hot"), 1000);
    profile_builder_add(&f->before, 0, SLICE("own app main > own app old"), 300);
    profile_builder_add(&f->before, 0, SLICE("own app main > dep regex find"), 500);
    profile_builder_add(&f->after, 0, SLICE("own app main > own app parse > own app hot"), 2000);
    profile_builder_add(&f->after, 0, SLICE("own app main > own app fresh"), 280);
    profile_builder_add(&f->after, 0, SLICE("own app main > dep regex find"), 520);
}

static void what_changed_is_told_in_the_order_of_its_difference(void **state)
{
    struct change_fixture *f = *state;

    fill(f);
    change_fixture_compare(f, MEASURE_CPU, JOINED_BY_FUNCTION);
    assert_changes(f, "hot +1000/+1000! old -300/-300! fresh +280/+280! main +0/+1000 parse +0/+1000 "
                      "| find +20/+20 ");
}

static void differences_add_up_to_that_of_the_wholes(void **state)
{
    struct change_fixture *f = *state;
    static const enum measure_kind kinds[] = {MEASURE_CPU, MEASURE_SHARE, MEASURE_COUNT};

    fill(f);
    profile_builder_add(&f->after, 0, SLICE(""), 7);
    f->before.cpu_ns = 1799999999;
    f->after.cpu_ns = 2900000003;
    for (size_t kind = 0; kind < ARRAY_COUNT(kinds); kind++) {
        int64_t sum = 0;

        change_fixture_compare(f, kinds[kind], JOINED_BY_FUNCTION);
        for (size_t i = 0; i < f->changes.items.count; i++)
            sum += change_of(&f->changes.items.items[i].self);
        assert_int_equal(sum, f->changes.measure.sides[JOINED_AFTER].whole -
                                  f->changes.measure.sides[JOINED_BEFORE].whole);
    }
    assert_non_null(change_fixture_find(f, "[no stack]"));
}

static void a_profile_against_itself_is_empty(void **state)
{
    struct change_fixture *f = *state;
    struct joined_part parts[] = {{&f->before, 0}, {&f->before, 0}};
    struct measure measure;

    fill(f);
    for (int kind = MEASURE_CPU; kind <= MEASURE_COUNT; kind++) {
        changes_done(&f->changes);
        assert_int_equal(measure_make(parts, (enum measure_kind)kind, &measure, &f->err), 0);
        changes_make(parts, JOINED_BY_FUNCTION, &measure, &f->changes);
        assert_int_equal(f->changes.items.count, 0);
    }
}

static void swapping_the_sides_negates(void **state)
{
    struct change_fixture *f = *state;
    struct changes forth = {0};
    struct profile kept;

    fill(f);
    f->before.cpu_ns = 1799999999;
    change_fixture_compare(f, MEASURE_CPU, JOINED_BY_FUNCTION);
    forth = f->changes;
    f->changes = (struct changes){0};
    kept = f->before;
    f->before = f->after;
    f->after = kept;
    change_fixture_compare(f, MEASURE_CPU, JOINED_BY_FUNCTION);
    assert_int_equal(f->changes.items.count, forth.items.count);
    for (size_t i = 0; i < forth.items.count; i++) {
        const struct change *a = &forth.items.items[i];
        const struct change *b = &f->changes.items.items[i];

        assert_true(slice_equal(change_name(&forth, a), change_name(&f->changes, b)));
        assert_int_equal(change_of(&a->self), -change_of(&b->self));
        assert_int_equal(change_of(&a->total), -change_of(&b->total));
        assert_int_equal(a->self.is_noise, b->self.is_noise);
    }
    changes_done(&forth);
}

static void names_that_differ_in_what_compilers_count_are_one_function(void **state)
{
    struct change_fixture *f = *state;

    profile_builder_add(&f->before, 0, SLICE("own app main > own app work::{closure#0}"), 400);
    profile_builder_add(&f->before, 0, SLICE("own app main > own app work::{closure#1}"), 300);
    profile_builder_add(&f->after, 0, SLICE("own app main > own app work::{closure#2}"), 700);
    change_fixture_compare(f, MEASURE_CPU, JOINED_BY_FUNCTION);
    assert_changes(f, "");
}

static void code_without_a_name_is_the_same_wherever_it_is(void **state)
{
    struct change_fixture *f = *state;

    profile_builder_add(&f->before, 0, SLICE("[libfoo.so+0x1f40]"), 10);
    f->before.functions.items[0].name = profile_string(&f->before, SLICE("libfoo.so+0x1f40"));
    profile_builder_add(&f->after, 0, SLICE("[libfoo.so+0x2a]"), 30);
    f->after.functions.items[0].name = profile_string(&f->after, SLICE("libfoo.so+0x2a"));
    change_fixture_compare(f, MEASURE_CPU, JOINED_BY_FUNCTION);
    assert_int_equal(f->changes.items.count, 1);
    assert_true(slice_is(change_name(&f->changes, &f->changes.items.items[0]), "libfoo.so"));
}

static void crates_are_compared_as_what_their_functions_take_together(void **state)
{
    struct change_fixture *f = *state;

    fill(f);
    change_fixture_compare(f, MEASURE_CPU, JOINED_BY_CRATE);
    assert_changes(f, "app +980/+1000! | regex +20/+20 ");
}

static void by_share_profiles_of_different_length_are_alike(void **state)
{
    struct change_fixture *f = *state;

    profile_builder_add(&f->before, 0, SLICE("own app a"), 300);
    profile_builder_add(&f->before, 0, SLICE("own app b"), 100);
    profile_builder_add(&f->after, 0, SLICE("own app a"), 3000);
    profile_builder_add(&f->after, 0, SLICE("own app b"), 1000);
    change_fixture_compare(f, MEASURE_SHARE, JOINED_BY_FUNCTION);
    assert_changes(f, "");
    change_fixture_compare(f, MEASURE_CPU, JOINED_BY_FUNCTION);
    assert_changes(f, "a +2700/+2700! b +900/+900! ");
}

static void a_run_of_a_given_time_is_compared_by_share(void **state)
{
    struct change_fixture *f = *state;
    struct joined_part parts[] = {{&f->before, 0}, {&f->after, 0}};

    fill(f);
    assert_int_equal(measure_usual(parts), MEASURE_CPU);
    f->before.is_part = true;
    assert_int_equal(measure_usual(parts), MEASURE_SHARE);
}

static void events_that_count_different_things_are_refused(void **state)
{
    struct change_fixture *f = *state;
    struct joined_part parts[] = {{&f->before, 0}, {&f->after, 0}};
    struct measure measure;

    fill(f);
    f->after.series.items[0].unit = profile_string(&f->after, SLICE("page-faults"));
    f->after.series.items[0].event = profile_string(&f->after, SLICE("page-faults"));
    assert_int_equal(measure_make(parts, MEASURE_SHARE, &measure, &f->err), -1);
    assert_int_equal(f->err.kind, ERROR_USAGE);
    f->before.series.items[0].unit = profile_string(&f->before, SLICE("page-faults"));
    assert_int_equal(measure_usual(parts), MEASURE_COUNT);
    assert_int_equal(measure_make(parts, MEASURE_CPU, &measure, &f->err), -1);
    assert_int_equal(f->err.kind, ERROR_USAGE);
}

static void what_moves_with_the_whole_is_told_as_such(void **state)
{
    struct change_fixture *f = *state;

    /* So little of each that none is beyond noise itself, but all together are. */
    for (char name[] = "own app main > own app a"; name[23] <= 'z'; name[23]++) {
        profile_builder_add(&f->before, 0, slice_of(name), 100);
        profile_builder_add(&f->after, 0, slice_of(name), 120);
    }
    change_fixture_compare(f, MEASURE_CPU, JOINED_BY_FUNCTION);
    assert_false(change_fixture_find(f, "main")->total.is_noise);
    assert_int_equal(f->changes.told_count, 0);
    assert_false(f->changes.moved_alike);
}

static void what_moves_alike_is_told_and_known(void **state)
{
    struct change_fixture *f = *state;

    profile_builder_add(&f->before, 0, SLICE("own app a"), 1000);
    profile_builder_add(&f->before, 0, SLICE("own app b"), 500);
    profile_builder_add(&f->after, 0, SLICE("own app a"), 1300);
    profile_builder_add(&f->after, 0, SLICE("own app b"), 650);
    change_fixture_compare(f, MEASURE_CPU, JOINED_BY_FUNCTION);
    assert_changes(f, "a +300/+300! b +150/+150! ");
    assert_true(f->changes.moved_alike);
    profile_builder_add(&f->after, 0, SLICE("own app b"), 400);
    change_fixture_compare(f, MEASURE_CPU, JOINED_BY_FUNCTION);
    assert_false(f->changes.moved_alike);
}

/* --- Generated series, whose answer is known ------------------------------------------------------ */

enum { FUNCTIONS = 60, SAMPLES = 3000, COMPARISONS = 400 };

/* The same numbers on every run (Numerical Recipes, a linear congruential generator). */
static double next_number(uint64_t *seed)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(*seed >> 11) / 9007199254740992.0;
}

/* So many samples on average, each of function i with a share that falls as 1 / (i + 1). */
static void draw(struct profile *profile, uint64_t *seed, double factor_of_third)
{
    uint64_t counts[FUNCTIONS] = {0};
    double weights[FUNCTIONS];
    double whole = 0;
    char path[32];

    for (int i = 0; i < FUNCTIONS; i++) {
        weights[i] = (i == 2 ? factor_of_third : 1) / (i + 1);
        whole += 1.0 / (i + 1);
    }
    /* Each slot is of one function or of none: so counts vary as in a program that is sampled. */
    for (int sample = 0; sample < 2 * SAMPLES; sample++) {
        double at = next_number(seed) * 2 * whole;
        int i = 0;

        while (i < FUNCTIONS && at >= weights[i])
            at -= weights[i++];
        if (i < FUNCTIONS)
            counts[i]++;
    }
    for (int i = 0; i < FUNCTIONS; i++) {
        snprintf(path, sizeof(path), "own app f%d", i);
        if (counts[i] > 0)
            profile_builder_add(profile, 0, slice_of(path), counts[i]);
    }
}

static size_t told_of_drawn(enum measure_kind kind, uint64_t *seed, double factor_of_third, bool *has_third)
{
    struct change_fixture f = {0};
    size_t told = 0;

    profile_builder_init(&f.before);
    profile_builder_init(&f.after);
    draw(&f.before, seed, 1);
    draw(&f.after, seed, factor_of_third);
    change_fixture_compare(&f, kind, JOINED_BY_FUNCTION);
    told = f.changes.told_count;
    *has_third = told > 0 && slice_is(change_name(&f.changes, &f.changes.items.items[0]), "f2");
    changes_done(&f.changes);
    profile_done(&f.before);
    profile_done(&f.after);
    return told;
}

/* One in twenty is what the rule allows; three deviations of so many comparisons are 3.3 in a hundred. */
static void runs_that_do_not_differ_are_told_to_at_most_once_in_twenty(void **state)
{
    uint64_t seed = 1;
    bool ignored = false;

    (void)state;
    for (int kind = MEASURE_CPU; kind <= MEASURE_SHARE; kind++) {
        int told = 0;

        for (int i = 0; i < COMPARISONS; i++)
            told += told_of_drawn((enum measure_kind)kind, &seed, 1, &ignored) > 0;
        assert_in_range(told, 1, COMPARISONS * 83 / 1000);
    }
}

static void a_function_of_twice_the_time_is_always_found_and_alone(void **state)
{
    uint64_t seed = 2;
    int others = 0;

    (void)state;
    for (int i = 0; i < COMPARISONS; i++) {
        bool has_third = false;
        size_t told = told_of_drawn(MEASURE_CPU, &seed, 2, &has_third);

        assert_true(has_third);
        others += told > 1;
    }
    assert_in_range(others, 0, COMPARISONS * 83 / 1000);
}

/* --- Trees --------------------------------------------------------------------------------------- */

static int make_tree(void *context, struct profile *joined, uint32_t series, struct call_tree *out,
                     struct error *err)
{
    (void)context;
    (void)err;
    call_tree_make(joined, series, WEIGHT_SAMPLES, CALLS_BY_NAME, out);
    return 0;
}

/* "name before>after", samples of the total; "~" where self is noise, "[3]" for what is gone of it. */
static void assert_tree(struct change_fixture *f, const char *expected)
{
    SCOPED(change_tree_done) struct change_tree tree = {0};
    SCOPED(text_done) struct text text = {0};

    assert_int_equal(change_tree_make(&f->changes, make_tree, NULL, &tree, &f->err), 0);
    for (size_t i = 0; i < tree.calls.nodes.count; i++) {
        const struct change_node *node = &tree.nodes[i];

        text_add_repeated(&text, ' ', tree.calls.nodes.items[i].depth);
        text_add(&text, profile_text(&f->changes.joined, tree.calls.nodes.items[i].name));
        text_format(&text, " %llu>%llu%s", (unsigned long long)node->total.weights[JOINED_BEFORE],
                    (unsigned long long)node->total.weights[JOINED_AFTER], node->self.is_noise ? "~" : "");
        if (node->gone > 0)
            text_format(&text, " [%llu]", (unsigned long long)node->gone / 1000000);
        text_add_byte(&text, '\n');
    }
    assert_string_equal(text_string(&text), expected);
}

static void a_tree_has_the_calls_of_both_sides(void **state)
{
    struct change_fixture *f = *state;

    fill(f);
    profile_builder_add(&f->before, 0, SLICE("own app main > own app parse > dep regex find"), 3);
    change_fixture_compare(f, MEASURE_CPU, JOINED_BY_FUNCTION);
    assert_tree(f, "all 1803>2800~ [300]\n"
                   " app 1803>2800~ [300]\n"
                   "  main 1803>2800~ [300]\n"
                   "   find 500>520~\n"
                   "   fresh 0>280\n"
                   "   old 300>0 [300]\n"
                   "   parse 1003>2000~\n"
                   "    find 3>0~\n"
                   "    hot 1000>2000\n");
}

static void calls_below_what_is_gone_are_gone_too(void **state)
{
    struct change_fixture *f = *state;

    profile_builder_add(&f->before, 0, SLICE("own app main > own app old > own app kept"), 100);
    profile_builder_add(&f->before, 0, SLICE("own app main > own app kept > own app rare"), 2);
    profile_builder_add(&f->after, 0, SLICE("own app main > own app kept"), 100);
    change_fixture_compare(f, MEASURE_CPU, JOINED_BY_FUNCTION);
    /* Two samples of a function may be missing by chance. */
    assert_tree(f, "all 102>100~ [100]\n"
                   " app 102>100~ [100]\n"
                   "  main 102>100~ [100]\n"
                   "   kept 2>100\n"
                   "    rare 2>0~\n"
                   "   old 100>0~ [100]\n"
                   "    kept 100>0 [100]\n");
}

/* --- Rows ---------------------------------------------------------------------------------------- */

static void rows_say_what_happened_and_leave_noise_to_the_end(void **state)
{
    struct change_fixture *f = *state;
    SCOPED(rows_done) struct rows rows = {0};
    SCOPED(text_done) struct text text = {0};

    fill(f);
    change_fixture_compare(f, MEASURE_CPU, JOINED_BY_FUNCTION);
    change_rows_fill(&f->changes, JOINED_BY_FUNCTION, &(struct change_words){"old", "new"}, &rows);
    assert_int_equal(rows.minor_from, 5);
    assert_string_equal(
        rows.headline,
        "**CPU time grew by 1.00 s (+55.6%), from 1.80 s to 2.80 s; `hot` +1.00 s (+100.0%).** "
        "Compared: `old` with `new`, by CPU seconds; beyond noise: 3 functions.");
    render_csv(&text, &rows);
    assert_true(slice_find(text_slice(&text), SLICE(",changed,slower,app,hot\r\n")) < text.length);
    assert_true(slice_find(text_slice(&text), SLICE(",gone,gone,app,old\r\n")) < text.length);
    assert_true(slice_find(text_slice(&text), SLICE(",new,new,app,fresh\r\n")) < text.length);
    assert_true(slice_find(text_slice(&text), SLICE(",changed,calls,app,parse\r\n")) < text.length);
    assert_true(slice_find(text_slice(&text), SLICE(",changed,noise,regex,find\r\n")) < text.length);
}

static void what_a_limit_leaves_out_is_told_by_what_it_is(void **state)
{
    static const char *const left_out[] = {
        [1] = " 5 more functions, 3 of them within noise or changed by what they call",
        [2] = " 4 more functions, 3 of them within noise or changed by what they call",
        [3] = " 3 more functions, within noise or changed by what they call",
        [4] = " 2 more functions, within noise or changed by what they call",
        [5] = " 1 more function, within noise\n",
    };
    struct change_fixture *f = *state;
    SCOPED(rows_done) struct rows rows = {0};
    SCOPED(text_done) struct text text = {0};

    fill(f);
    change_fixture_compare(f, MEASURE_CPU, JOINED_BY_FUNCTION);
    change_rows_fill(&f->changes, JOINED_BY_FUNCTION, &(struct change_words){"old", "new"}, &rows);
    for (rows.limit = 1; rows.limit <= 5; rows.limit++) {
        text_clear(&text);
        render_table(&text, &rows, (struct render_look){0});
        assert_true(slice_find(text_slice(&text), slice_of(left_out[rows.limit])) < text.length);
    }
}

static void limits_hold_the_whole_and_what_is_beyond_noise(void **state)
{
    struct change_fixture *f = *state;
    SCOPED(delta_done) struct delta delta = {0};
    struct delta_words words = {0};
    uint64_t noise = 0;

    fill(f);
    change_fixture_compare(f, MEASURE_CPU, JOINED_BY_FUNCTION);
    change_delta_fill(&f->changes, JOINED_BY_FUNCTION, &delta, &words);
    assert_string_equal(words.subject, "CPU time");
    assert_int_equal(delta_total(&delta, 0).before, 1800000000);
    assert_int_equal(delta_total(&delta, 0).after, 2800000000);
    for (size_t i = 0; i < delta.items.count; i++)
        noise += delta.items.items[i].is_noise && slice_is(delta.items.items[i].texts[0], "find");
    assert_int_equal(noise, 1);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, change_fixture_set_up, change_fixture_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(what_changed_is_told_in_the_order_of_its_difference),
        TEST(differences_add_up_to_that_of_the_wholes),
        TEST(a_profile_against_itself_is_empty),
        TEST(swapping_the_sides_negates),
        TEST(names_that_differ_in_what_compilers_count_are_one_function),
        TEST(code_without_a_name_is_the_same_wherever_it_is),
        TEST(crates_are_compared_as_what_their_functions_take_together),
        TEST(by_share_profiles_of_different_length_are_alike),
        TEST(a_run_of_a_given_time_is_compared_by_share),
        TEST(events_that_count_different_things_are_refused),
        TEST(what_moves_with_the_whole_is_told_as_such),
        TEST(what_moves_alike_is_told_and_known),
        cmocka_unit_test(runs_that_do_not_differ_are_told_to_at_most_once_in_twenty),
        cmocka_unit_test(a_function_of_twice_the_time_is_always_found_and_alone),
        TEST(a_tree_has_the_calls_of_both_sides),
        TEST(calls_below_what_is_gone_are_gone_too),
        TEST(rows_say_what_happened_and_leave_noise_to_the_end),
        TEST(what_a_limit_leaves_out_is_told_by_what_it_is),
        TEST(limits_hold_the_whole_and_what_is_beyond_noise),
    };

    return cmocka_run_group_tests_name("changes", tests, NULL, NULL);
}
