#include "cmocka_all.h"

#include <string.h>

#include "cargo_command.h"
#include "delta/budget.h"

struct fixture {
    struct arena arena;
    struct budget budget;
    struct rows before, after;
    struct delta delta;
    struct text doubts;
    struct error err;
};

static const struct delta_words words = {.subject = ".text"};

static void add(struct rows *rows, struct slice crate, struct slice name, uint64_t size)
{
    union cell *row = rows_add(rows);

    row[0].number = size;
    row[1].text = crate;
    row[2].text = name;
}

static void add_columns(struct rows *rows)
{
    rows->list_key = "functions";
    rows->noun = "function";
    rows_add_column(rows, (struct column){COLUMN_BYTES, "Size", "size", 0, 0});
    rows_add_column(rows, (struct column){COLUMN_TEXT, "Crate", "crate", 0, 0});
    rows_add_column(rows, (struct column){COLUMN_TEXT, "Name", "name", 0, 0});
}

static union cell *last_cell(struct rows *rows)
{
    return &rows->cells.items[rows->cells.count - 1];
}

/* 10,000 bytes before and 10,150 after: my_app by 100, of which one function by 130; lib by 50; padding by 0.
 */
static int set_up(void **state)
{
    static struct fixture fixture;
    struct fixture *f = &fixture;

    fixture = (struct fixture){0};
    add_columns(&f->before);
    add_columns(&f->after);
    add(&f->before, SLICE("my_app"), SLICE("my_app::run<A=B>"), 1000);
    add(&f->after, SLICE("my_app"), SLICE("my_app::run<A=B>"), 1130);
    add(&f->before, SLICE("my_app"), SLICE("my_app::small"), 100);
    add(&f->after, SLICE("my_app"), SLICE("my_app::small"), 70);
    add(&f->before, SLICE("lib"), SLICE("lib::kept"), 8800);
    add(&f->after, SLICE("lib"), SLICE("lib::kept"), 8800);
    add(&f->after, SLICE("lib"), SLICE("lib::fresh"), 50);
    add(&f->before, (struct slice){0}, SLICE("[padding]"), 100);
    add(&f->after, (struct slice){0}, SLICE("[padding]"), 100);
    delta_compute(&f->before, &f->after, NULL, &f->delta);
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;

    text_done(&f->doubts);
    budget_done(&f->budget);
    delta_done(&f->delta);
    rows_done(&f->before);
    rows_done(&f->after);
    arena_done(&f->arena);
    return 0;
}

/* Holds the one rule against the delta. */
static int check(struct fixture *f, const char *rule)
{
    f->err = (struct error){0};
    budget_done(&f->budget);
    assert_int_equal(budget_add(&f->arena, slice_of(rule), "--fail-over", &f->budget, &f->err), 0);
    f->doubts.length = 0;
    return budget_check(&f->budget, &f->delta, &words, &f->doubts, &f->err);
}

static void assert_kept(struct fixture *f, const char *rule)
{
    assert_int_equal(check(f, rule), 0);
}

static void assert_broken(struct fixture *f, const char *rule, const char *message)
{
    assert_int_equal(check(f, rule), -1);
    assert_int_equal(f->err.kind, ERROR_BUDGET);
    assert_int_equal(f->err.exit_code, 3);
    assert_string_equal(f->err.message, message);
}

static void the_total_may_grow_up_to_the_limit(void **state)
{
    struct fixture *f = *state;

    assert_kept(f, "150");
    assert_kept(f, "150B");
    assert_kept(f, "0.2 KiB");
    assert_kept(f, "0.146484375KiB");
    assert_kept(f, "0.0001430511474609375MiB");
    assert_kept(f, "0.000143051147460937500000000MiB");
    assert_broken(f, "0.000143051147460937MiB",
                  "over budget: .text grew by 150B (+1.5%), over --fail-over 0.000143051147460937MiB");
    assert_kept(f, "1.5%");
    assert_broken(f, "149", "over budget: .text grew by 150B (+1.5%), over --fail-over 149");
    assert_broken(f, "0.1KiB", "over budget: .text grew by 150B (+1.5%), over --fail-over 0.1KiB");
    assert_broken(f, "1.49%", "over budget: .text grew by 150B (+1.5%), over --fail-over 1.49%");
    assert_broken(f, "0", "over budget: .text grew by 150B (+1.5%), over --fail-over 0");
}

static void a_growth_that_reads_as_its_limit_is_told_exactly(void **state)
{
    struct fixture *f = *state;

    add(&f->before, SLICE("lib"), SLICE("lib::large"), 100000);
    add(&f->after, SLICE("lib"), SLICE("lib::large"), 106400);
    add(&f->after, SLICE("new"), SLICE("new::large"), 2050);
    delta_done(&f->delta);
    delta_compute(&f->before, &f->after, NULL, &f->delta);
    assert_broken(f, "function:lib::large=6348",
                  "over budget: function lib::large grew by 6.2KiB (+6.4%; 6,400 bytes, 6,348 allowed), over "
                  "--fail-over function:lib::large=6348");
    assert_broken(f, "function:lib::large=6.39%",
                  "over budget: function lib::large grew by 6.2KiB (+6.4%; 6,400 bytes, 6,390 allowed), over "
                  "--fail-over function:lib::large=6.39%");
    assert_broken(f, "function:new::large=2KiB",
                  "over budget: function new::large grew by 2.0KiB (2,050 bytes, 2,048 allowed), over "
                  "--fail-over function:new::large=2KiB");
    assert_broken(f, "function:lib::large=6KiB",
                  "over budget: function lib::large grew by 6.2KiB (+6.4%), over "
                  "--fail-over function:lib::large=6KiB");
}

static void a_limit_has_the_unit_of_what_is_compared(void **state)
{
    struct fixture *f = *state;
    enum column_kind *kind = &f->delta.values[f->delta.primary].kind;

    assert_int_equal(check(f, "10ms"), -1);
    assert_int_equal(f->err.kind, ERROR_USAGE);
    assert_int_equal(check(f, "1pp"), -1);
    *kind = COLUMN_TIME;
    assert_kept(f, "0.15us");
    assert_kept(f, "1s");
    assert_broken(f, "0.149us",
                  "over budget: .text grew by 0 us (+1.5%; 150 ns, 149 allowed), over --fail-over 0.149us");
    assert_int_equal(check(f, "10KiB"), -1);
    assert_int_equal(f->err.kind, ERROR_USAGE);
    assert_int_equal(check(f, "150"), -1);
    assert_kept(f, "crate:other=0");
    *kind = COLUMN_PART;
    assert_kept(f, "0.1pp");
    assert_broken(f, "0.000014pp", "over budget: .text grew by 0.00 pp (+1.5%), over --fail-over 0.000014pp");
}

static void what_is_within_noise_keeps_every_limit_but_counts_in_the_total(void **state)
{
    struct fixture *f = *state;

    for (size_t i = 0; i < f->delta.items.count; i++)
        f->delta.items.items[i].is_noise = true;
    assert_kept(f, "crate=0");
    assert_kept(f, "function=0");
    assert_broken(f, "149", "over budget: .text grew by 150B (+1.5%), over --fail-over 149");
}

static void a_crate_s_growth_is_that_of_all_its_functions(void **state)
{
    struct fixture *f = *state;

    assert_kept(f, "crate:my-app=100");
    assert_broken(f, "crate:my_app=99",
                  "over budget: crate my_app grew by 100B (+9.1%), over --fail-over crate:my_app=99");
    assert_broken(f, "crate:lib=0.5%",
                  "over budget: crate lib grew by 50B (+0.6%), over --fail-over crate:lib=0.5%");
    assert_kept(f, "crate:lib=0.6%");
    assert_kept(f, "crate:other=0");
    assert_broken(f, "crate=60", "over budget: crate my_app grew by 100B (+9.1%), over --fail-over crate=60");
}

static void a_new_function_is_over_any_percentage(void **state)
{
    struct fixture *f = *state;

    assert_kept(f, "function:lib::fresh=50");
    assert_broken(f, "function:lib::fresh=1000%",
                  "over budget: function lib::fresh grew by 50B, over --fail-over function:lib::fresh=1000%");
    assert_broken(f, "function:my_app::run<A=B>=1%",
                  "over budget: function my_app::run<A=B> grew by 130B (+13.0%), over --fail-over "
                  "function:my_app::run<A=B>=1%");
    assert_kept(f, "function=130");
}

static void a_rule_about_what_neither_side_has_is_told(void **state)
{
    struct fixture *f = *state;

    assert_kept(f, "crate:my-app=100");
    assert_int_equal(f->doubts.length, 0);
    assert_kept(f, "crate:misspelt=100");
    assert_string_equal(text_string(&f->doubts),
                        "neither side has what this limit names: --fail-over crate:misspelt=100");
    assert_kept(f, "function:lib::misspelt=1%");
    assert_string_equal(text_string(&f->doubts),
                        "neither side has what this limit names: --fail-over function:lib::misspelt=1%");
}

static void a_crate_over_its_limit_that_is_inferred_is_told(void **state)
{
    struct fixture *f = *state;

    /* 200 before, of which 110 are inferred, and 220 after. */
    for (size_t i = 0; i < 2; i++) {
        struct rows *rows = i == 0 ? &f->before : &f->after;

        rows->cells.count = 0;
        rows_add_column(rows, (struct column){COLUMN_TEXT, NULL, "crate-source", 0, 0});
        add(rows, SLICE("lib"), SLICE("lib::sure"), 90);
        last_cell(rows)->text = SLICE("symbol");
        add(rows, SLICE("lib"), SLICE("lib::guess"), i == 0 ? 110 : 130);
        last_cell(rows)->text = SLICE("inferred");
    }
    delta_done(&f->delta);
    f->delta.inferred_key = "inferred-size";
    delta_compute(&f->before, &f->after, NULL, &f->delta);
    assert_int_equal(check(f, "crate:lib=10"), -1);
    assert_string_equal(
        text_string(&f->doubts),
        "crate lib, over --fail-over crate:lib=10, is inferred from names alone for more than "
        "half of it: what grew may be another crate's");
    assert_int_equal(check(f, "function:lib::guess=10"), -1);
    assert_int_equal(f->doubts.length, 0);
    assert_kept(f, "crate:lib=20");
    assert_int_equal(f->doubts.length, 0);
}

static void all_rules_that_are_not_kept_are_named(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(budget_add(&f->arena, SLICE("1B"), "here", &f->budget, &f->err), 0);
    assert_int_equal(budget_add(&f->arena, SLICE("1GiB"), "here", &f->budget, &f->err), 0);
    assert_int_equal(budget_add(&f->arena, SLICE("function=49"), "there", &f->budget, &f->err), 0);
    assert_int_equal(budget_check(&f->budget, &f->delta, &words, &f->doubts, &f->err), -1);
    assert_string_equal(
        f->err.message,
        "over budget: .text grew by 150B (+1.5%), over here 1B; function my_app::run<A=B> grew by "
        "130B (+13.0%), function lib::fresh by 50B, over there function=49");
}

/* Twenty rows, of which those in the middle are the largest. */
static void hold_many(struct over_limits *over, const char *limit, size_t name_length)
{
    over_limits_begin(over, limit, "crate");
    for (size_t i = 0; i < 20; i++) {
        SCOPED(text_done) struct text name = {0};
        SCOPED(text_done) struct text growth = {0};
        size_t size = i < 10 ? i : 19 - i;

        text_add_repeated(&name, (char)('a' + i), name_length);
        text_format(&growth, "%zuB", size);
        over_limits_add(over, text_slice(&name), text_slice(&growth), (double)size);
    }
}

static void of_many_over_a_limit_the_largest_are_named_and_the_others_counted(void **state)
{
    struct fixture *f = *state;
    SCOPED(over_limits_done) struct over_limits over = {0};

    over_limits_begin(&over, "kept", "crate");
    assert_int_equal(over_limits_check(&over, NULL, &f->err), 0);
    hold_many(&over, "one", 2);
    assert_int_equal(over_limits_check(&over, "b against a", &f->err), -1);
    assert_string_equal(
        f->err.message,
        "over budget: jj grew by 9B, kk by 9B, ii by 8B and 17 more crates, over one: b against a");
}

static void every_limit_is_named_however_long_names_are(void **state)
{
    struct fixture *f = *state;
    SCOPED(over_limits_done) struct over_limits over = {0};

    hold_many(&over, "one", 90);
    hold_many(&over, "two", 90);
    assert_int_equal(over_limits_check(&over, NULL, &f->err), -1);
    assert_non_null(strstr(f->err.message, "j grew by 9B, k"));
    assert_non_null(strstr(f->err.message, " and 18 more crates, over one; j"));
    assert_non_null(strstr(f->err.message, " and 18 more crates, over two"));
    hold_many(&over, "three", 600);
    over_limits_begin(&over, "four", "function");
    over_limits_add(&over, SLICE("f"), SLICE("1B"), 1);
    assert_int_equal(over_limits_check(&over, NULL, &f->err), -1);
    assert_string_equal(f->err.message, "over budget: 20 crates are over one; 20 crates are over two; "
                                        "20 crates are over three; 1 function is over four");
}

static void rows_that_do_not_tell_of_crates_are_a_mistake(void **state)
{
    struct fixture *f = *state;

    f->delta.list_key = "sections";
    assert_int_equal(check(f, "function=1"), -1);
    assert_int_equal(f->err.kind, ERROR_USAGE);
    assert_string_equal(f->err.message,
                        "--fail-over function=1 is about functions, and these options show sections");
    assert_string_equal(f->err.hint, "--by function shows functions");
    f->delta.list_key = "crates";
    assert_broken(f, "crate:lib::fresh=1",
                  "over budget: crate lib::fresh grew by 50B, over --fail-over crate:lib::fresh=1");
}

static void rules_of_cargo_toml_are_passed_over_where_the_rows_do_not_tell(void **state)
{
    struct fixture *f = *state;
    const char *from = "package.metadata.bloatc of one";

    assert_int_equal(budget_add(&f->arena, SLICE("crate=0"), from, &f->budget, &f->err), 0);
    assert_int_equal(budget_add(&f->arena, SLICE("10ms"), from, &f->budget, &f->err), 0);
    assert_int_equal(budget_add(&f->arena, SLICE("149"), from, &f->budget, &f->err), 0);
    for (size_t i = 0; i < f->budget.rules.count; i++)
        f->budget.rules.items[i].is_standing = true;
    f->delta.texts[0].key = "other";
    assert_int_equal(budget_check(&f->budget, &f->delta, &words, &f->doubts, &f->err), -1);
    assert_string_equal(
        text_string(&f->doubts),
        "not checked: package.metadata.bloatc of one: crate=0 is about crates, and these options show "
        "functions; "
        "not checked: package.metadata.bloatc of one: 10ms has another unit than what is compared");
    assert_string_equal(f->err.message,
                        "over budget: .text grew by 150B (+1.5%), over package.metadata.bloatc of one: 149");
    assert_int_equal(f->err.kind, ERROR_BUDGET);
    assert_string_equal(f->err.hint, "");
    f->budget.rules.count--;
    assert_int_equal(budget_check(&f->budget, &f->delta, &words, &f->doubts, &f->err), 0);
}

static void what_is_no_limit_is_refused(void **state)
{
    struct fixture *f = *state;
    static const char *const bad[] = {"",   "much", "-1",      "1KiBs",  "1.KiB",      "1..2%",
                                      "%",  "1 2",  "crate",   "crate=", "crate:=1",   "module=1KiB",
                                      "=1", "1%%",  "10 KiB ", "1e3",    "function:=1"};

    for (size_t i = 0; i < ARRAY_COUNT(bad); i++) {
        f->err = (struct error){0};
        assert_int_equal(budget_add(&f->arena, slice_of(bad[i]), "--fail-over", &f->budget, &f->err), -1);
        assert_int_equal(f->err.kind, ERROR_USAGE);
        assert_non_null(strstr(f->err.message, "is no limit"));
    }
    assert_int_equal(f->budget.rules.count, 0);
}

#define GRAPH(package, workspace)                                                                            \
    "{\"workspace_root\":\"/w\",\"target_directory\":\"/w/target\",\"metadata\":" workspace                  \
    ",\"workspace_members\":[\"one\",\"two\"],\"workspace_default_members\":[\"one\"],\"packages\":["        \
    "{\"name\":\"one\",\"version\":\"1.0.0\",\"id\":\"one\",\"manifest_path\":\"/w/one\",\"targets\":[],"    \
    "\"features\":{},\"metadata\":" package "},"                                                             \
    "{\"name\":\"two\",\"version\":\"1.0.0\",\"id\":\"two\",\"manifest_path\":\"/w/two\",\"targets\":[],"    \
    "\"features\":{},\"metadata\":{\"bloatc\":{\"fail-over\":\"2\"}}}]}"

/* Adds the rules of the graph for the default members. */
static int add_graph(struct fixture *f, const char *json)
{
    static const char *const arguments[] = {NULL};
    struct cargo_graph graph = {0};
    struct options options = {0};
    int done = 0;

    f->err = (struct error){0};
    assert_int_equal(options_parse(&cargo_command, arguments, &options, &f->err), 0);
    assert_int_equal(cargo_graph_parse(slice_of(json), &graph, &f->err), 0);
    done = budget_read_metadata(&f->arena, &options, &graph, &f->budget, &f->err);
    cargo_graph_done(&graph);
    options_done(&options);
    return done;
}

static int read_graph(struct fixture *f, const char *json)
{
    budget_done(&f->budget);
    return add_graph(f, json);
}

static void rules_of_the_package_come_before_those_of_the_workspace(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(read_graph(f, GRAPH("{\"bloatc\":{\"fail-over\":[\"1%\",\"crate=5\"]}}",
                                         "{\"bloatc\":{\"fail-over\":\"9\"}}")),
                     0);
    assert_int_equal(f->budget.rules.count, 2);
    assert_string_equal(f->budget.rules.items[0].from, "package.metadata.bloatc of one");
    assert_string_equal(f->budget.rules.items[1].text, "crate=5");
    assert_true(f->budget.rules.items[0].is_standing && f->budget.rules.items[1].is_standing);
    assert_int_equal(read_graph(f, GRAPH("null", "{\"bloatc\":{\"fail-over\":\"9\"}}")), 0);
    assert_int_equal(f->budget.rules.count, 1);
    assert_string_equal(f->budget.rules.items[0].from, "workspace.metadata.bloatc");
    assert_int_equal(read_graph(f, GRAPH("{\"llvmlines\":{\"fail-over\":\"1\"}}", "null")), 0);
    assert_int_equal(f->budget.rules.count, 0);
}

static void a_rule_of_the_command_line_stands_for_those_about_the_same(void **state)
{
    static const char *const typed[] = {"50%", "crate:my-app=2%", "function=1"};
    static const char graph[] =
        GRAPH("{\"bloatc\":{\"fail-over\":[\"1%\",\"10KiB\",\"crate=16KiB\",\"crate:my_app=0\","
              "\"crate:my_apps=0\",\"function=2\",\"function:f=3\"]}}",
              "null");
    static const char *const kept[] = {"50%",         "crate:my-app=2%", "function=1",
                                       "crate=16KiB", "crate:my_apps=0", "function:f=3"};
    struct fixture *f = *state;

    for (size_t i = 0; i < ARRAY_COUNT(typed); i++)
        assert_int_equal(budget_add(&f->arena, slice_of(typed[i]), "--fail-over", &f->budget, &f->err), 0);
    assert_int_equal(add_graph(f, graph), 0);
    assert_int_equal(f->budget.rules.count, ARRAY_COUNT(kept));
    for (size_t i = 0; i < ARRAY_COUNT(kept); i++) {
        assert_string_equal(f->budget.rules.items[i].text, kept[i]);
        assert_int_equal(f->budget.rules.items[i].is_standing, i >= ARRAY_COUNT(typed));
    }
}

static void rules_of_another_type_are_a_mistake(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(read_graph(f, GRAPH("{\"bloatc\":{\"fail-over\":5}}", "null")), -1);
    assert_string_equal(f->err.message,
                        "package.metadata.bloatc of one: fail-over is a string or an array of strings");
    assert_int_equal(read_graph(f, GRAPH("{\"bloatc\":{\"fail-over\":[5]}}", "null")), -1);
    assert_int_equal(read_graph(f, GRAPH("{\"bloatc\":{\"fail-over\":\"big\"}}", "null")), -1);
    assert_string_equal(f->err.message, "package.metadata.bloatc of one: \"big\" is no limit");
    assert_int_equal(read_graph(f, GRAPH("{\"bloatc\":{\"fail-over\":[\"1%\",\"big\"]}}", "null")), -1);
    assert_string_equal(f->err.message, "package.metadata.bloatc of one: \"big\" is no limit");
    assert_int_equal(read_graph(f, GRAPH("{\"bloatc\":{\"fail_over\":\"1%\"}}", "null")), -1);
    assert_string_equal(f->err.message, "package.metadata.bloatc of one: nothing reads fail_over");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_limit_has_the_unit_of_what_is_compared, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_is_within_noise_keeps_every_limit_but_counts_in_the_total,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_total_may_grow_up_to_the_limit, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_growth_that_reads_as_its_limit_is_told_exactly, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_crate_s_growth_is_that_of_all_its_functions, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_new_function_is_over_any_percentage, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_rule_about_what_neither_side_has_is_told, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_crate_over_its_limit_that_is_inferred_is_told, set_up, tear_down),
        cmocka_unit_test_setup_teardown(all_rules_that_are_not_kept_are_named, set_up, tear_down),
        cmocka_unit_test_setup_teardown(of_many_over_a_limit_the_largest_are_named_and_the_others_counted,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(every_limit_is_named_however_long_names_are, set_up, tear_down),
        cmocka_unit_test_setup_teardown(rows_that_do_not_tell_of_crates_are_a_mistake, set_up, tear_down),
        cmocka_unit_test_setup_teardown(rules_of_cargo_toml_are_passed_over_where_the_rows_do_not_tell,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_is_no_limit_is_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(rules_of_the_package_come_before_those_of_the_workspace, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_rule_of_the_command_line_stands_for_those_about_the_same, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(rules_of_another_type_are_a_mistake, set_up, tear_down),
    };

    return cmocka_run_group_tests_name("budget", tests, NULL, NULL);
}
