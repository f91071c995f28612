#include "cmocka_all.h"

#include <string.h>

#include "cargo/choose.h"

static const struct option_spec own_specs[] = {
    {"filter", 0, OPTION_VALUE, "REGEXP", "Which", NULL, NULL},
};
static const struct option_table own_options = {"Own", own_specs, ARRAY_COUNT(own_specs)};
static const struct option_table *const tables[] = {
    &own_options,
    &cargo_target_options,
    &cargo_package_options,
    &cargo_unit_options,
    &cargo_feature_options,
    &cargo_compilation_options,
    NULL,
};
static const struct command command = {.name = "sample", .tables = tables};

#define TARGET(name, kind, type)                                                                             \
    "{\"name\":\"" name "\",\"kind\":[\"" kind "\"],\"crate_types\":[\"" type "\"]}"
#define PACKAGE(name, targets)                                                                               \
    "{\"name\":\"" name "\",\"version\":\"1.2.3\",\"id\":\"id-" name                                         \
    "\",\"manifest_path\":\"/w/Cargo.toml\","                                                                \
    "\"features\":{},\"targets\":[" targets "]}"
#define WORKSPACE(packages, members)                                                                         \
    "{\"workspace_root\":\"/w\",\"target_directory\":\"/w/target\",\"packages\":[" packages                  \
    "],\"workspace_default_members\":[" members "]}"

static const char one_package[] =
    WORKSPACE(PACKAGE("app", TARGET("app", "bin", "bin") "," TARGET("tool", "bin",
                                                                    "bin") "," TARGET("app", "lib", "lib")),
              "\"id-app\"");
static const char two_packages[] = WORKSPACE(
    PACKAGE("a", TARGET("a", "bin", "bin")) "," PACKAGE("b", TARGET("b", "bin", "bin")), "\"id-a\",\"id-b\"");
static const char macro_package[] =
    WORKSPACE(PACKAGE("m", TARGET("m", "proc-macro", "proc-macro")), "\"id-m\"");
static const char hyphenated_package[] = WORKSPACE(
    PACKAGE("my-lib", TARGET("my_lib", "lib", "lib") "," TARGET("my-tool", "bin", "bin")), "\"id-my-lib\"");
static const char hyphenated_macro_package[] =
    WORKSPACE(PACKAGE("m", TARGET("my-m", "proc-macro", "proc-macro")), "\"id-m\"");

struct fixture {
    struct arena arena;
    struct options options;
    struct cargo_graph graph;
    struct cargo_selection selection;
    struct cargo_choice choice;
    struct error err;
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

    cargo_selection_done(&f->selection);
    cargo_graph_done(&f->graph);
    options_done(&f->options);
    arena_done(&f->arena);
    *f = (struct fixture){0};
    return 0;
}

static int choose(struct fixture *f, const char *metadata, const char *const *arguments)
{
    tear_down((void *[]){f});
    assert_int_equal(options_parse(&command, arguments, &f->options, &f->err), 0);
    assert_int_equal(cargo_graph_parse(slice_of(metadata), &f->graph, &f->err), 0);
    cargo_selection_read(&f->arena, &f->options, &f->selection);
    return cargo_choose("sample", &f->graph, &f->selection, &f->choice, &f->err);
}

#define CHOOSE(metadata, ...) choose(f, metadata, (const char *const[]){__VA_ARGS__, NULL})

static void several_targets_are_offered_with_the_other_options_typed(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(CHOOSE(one_package, "--bins", "-r", "-p", "app", "--filter", "^a|b"), -1);
    assert_int_equal(f->err.kind, ERROR_USAGE);
    assert_string_equal(f->err.message, "several targets could be meant: app, tool");
    assert_string_equal(f->err.hint, "cargo sample --release --package app --filter '^a|b' --bin app, or "
                                     "cargo sample --release --package app --filter '^a|b' --bin tool");
}

static void what_follows_the_options_is_offered_with_them(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(CHOOSE(one_package, "-r", "--bins", "--", "5", "a b"), -1);
    assert_string_equal(f->err.hint, "cargo sample --release --bin app -- 5 'a b', or "
                                     "cargo sample --release --bin tool -- 5 'a b'");
}

static void targets_of_several_packages_are_offered_with_one_package_each(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(CHOOSE(two_packages, "--workspace", "-r"), -1);
    assert_string_equal(f->err.hint,
                        "cargo sample --release -p a --bin a, or cargo sample --release -p b --bin b");
}

static void a_hint_holds_only_whole_commands(void **state)
{
    struct fixture *f = *state;
    char filter[300];

    memset(filter, 'x', sizeof(filter) - 1);
    filter[sizeof(filter) - 1] = '\0';
    assert_int_equal(CHOOSE(one_package, "--filter", filter), -1);
    assert_true(slice_ends_with(slice_of(f->err.hint), SLICE("x --bin app, or one of 1 more")));
}

static void the_package_that_is_named_settles_it(void **state)
{
    struct fixture *f = *state;
    static const char *const names[] = {"b", "b@1.2.3", "b@1", "b:1.2.3", "[b-z]", "id-b"};

    for (size_t i = 0; i < ARRAY_COUNT(names); i++) {
        assert_int_equal(CHOOSE(two_packages, "-p", names[i]), 0);
        assert_non_null(f->choice.package);
        assert_true(slice_is(f->choice.package->name, "b"));
    }
    assert_int_equal(CHOOSE(two_packages, "-p", "?"), -1);
}

static void what_is_not_in_the_graph_is_left_to_cargo(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(CHOOSE(one_package, "-p", "other"), 0);
    assert_null(f->choice.target);
    assert_int_equal(CHOOSE(one_package, "-p", "app:2"), 0);
    assert_null(f->choice.target);
    assert_int_equal(CHOOSE(one_package, "--bin", "other"), 0);
    assert_null(f->choice.target);
    assert_int_equal(CHOOSE(one_package, "--bin"), 0);
    assert_null(f->choice.target);
}

static void a_library_that_is_not_linked_is_no_program(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(CHOOSE(one_package, "--lib"), -1);
    assert_int_equal(f->err.kind, ERROR_USAGE);
    assert_non_null(strstr(f->err.message, "there is no program here"));
}

static void a_static_library_is_final(void **state)
{
    static const char library[] = WORKSPACE(
        PACKAGE("s", TARGET("s", "staticlib", "staticlib")) "," PACKAGE("l", TARGET("l", "lib", "lib")),
        "\"id-s\",\"id-l\"");
    struct fixture *f = *state;

    assert_int_equal(CHOOSE(library, "--release"), 0);
    assert_non_null(f->choice.target);
    assert_true(slice_is(f->choice.target->name, "s"));
    assert_int_equal(CHOOSE(library, "--lib"), 0);
    assert_non_null(f->choice.target);
    assert_int_equal(CHOOSE(library, "-p", "l"), -1);
}

static void neither_is_a_procedural_macro(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(CHOOSE(macro_package, "--release"), -1);
    assert_int_equal(CHOOSE(macro_package, "--lib"), -1);
    assert_int_equal(f->err.kind, ERROR_USAGE);
    assert_string_equal(f->err.hint, "a procedural macro is looked at by its file, once built "
                                     "(cargo build --lib): cargo sample /w/target/debug/libm.so");
    assert_int_equal(CHOOSE(macro_package, "--profile", "bench"), -1);
    assert_string_equal(f->err.hint, "a procedural macro is looked at by its file, once built "
                                     "(cargo build --profile=bench): cargo sample /w/target/release/libm.so");
    assert_int_equal(CHOOSE(macro_package, "--profile", "my profile"), -1);
    assert_string_equal(f->err.hint,
                        "a procedural macro is looked at by its file, once built "
                        "(cargo build '--profile=my profile'): cargo sample '/w/target/my profile/libm.so'");
    /* As cargo called it before 1.79. */
    assert_int_equal(CHOOSE(hyphenated_macro_package, "--release"), -1);
    assert_string_equal(f->err.hint, "a procedural macro is looked at by its file, once built "
                                     "(cargo build --release): cargo sample /w/target/release/libmy_m.so");
}

static void a_procedural_macro_that_is_to_be_run_has_its_tests_and_the_compiler(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(CHOOSE(macro_package, "--release", "--lib"), -1);
    f->selection.wants_program = true;
    assert_int_equal(cargo_choose("sample", &f->graph, &f->selection, &f->choice, &f->err), -1);
    assert_string_equal(f->err.hint, "a procedural macro runs in the compiler: cargo sample --release "
                                     "--unit-test for its own tests, or cargo cprof exec -- cargo build "
                                     "where it is used");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

static void unit_tests_are_those_of_the_library_or_binary_that_is_named(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(CHOOSE(one_package, "--unit-test", "tool"), 0);
    assert_true(slice_is(f->choice.target->name, "tool"));
    assert_int_equal(f->choice.harness, CARGO_TEST_HARNESS);
    assert_int_equal(CHOOSE(one_package, "--unit-bench", "--lib"), 0);
    assert_int_equal(f->choice.target->kind, CARGO_LIB);
    assert_int_equal(f->choice.harness, CARGO_BENCH_HARNESS);
    assert_int_equal(CHOOSE(one_package, "--unit-test", "app", "--bin", "app"), 0);
    assert_int_equal(f->choice.target->kind, CARGO_BIN);
    assert_int_equal(CHOOSE(macro_package, "--unit-test"), 0);
    assert_true(slice_is(f->choice.target->name, "m"));
    assert_int_equal(CHOOSE(one_package, "--bin", "tool"), 0);
    assert_int_equal(f->choice.harness, CARGO_NO_HARNESS);
}

static void unit_tests_of_a_library_are_found_by_its_packages_name(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(CHOOSE(hyphenated_package, "--unit-test", "my-lib"), 0);
    assert_true(slice_is(f->choice.target->name, "my_lib"));
    assert_int_equal(CHOOSE(hyphenated_package, "--unit-test", "my-tool"), 0);
    assert_int_equal(f->choice.target->kind, CARGO_BIN);
    assert_int_equal(CHOOSE(hyphenated_package, "--unit-test", "my-app"), -1);
    assert_string_equal(f->err.message, "there is no library or binary my-app here to run the unit tests of");
}

static void unit_tests_of_several_or_none_are_refused_with_what_there_is(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(CHOOSE(one_package, "--unit-test", "app", "-r"), -1);
    assert_string_equal(f->err.hint, "cargo sample --release --unit-test --bin app, or "
                                     "cargo sample --release --unit-test --lib");
    assert_int_equal(CHOOSE(one_package, "--unit-bench", "other"), -1);
    assert_string_equal(f->err.message, "there is no library or binary other here to run the unit tests of");
    assert_true(slice_find(slice_of(f->err.hint), SLICE("cargo sample --unit-bench --bin tool, or ")) <
                strlen(f->err.hint));
}

static void a_command_that_runs_programs_takes_no_shared_library(void **state)
{
    static const char library[] = WORKSPACE(PACKAGE("c", TARGET("c", "cdylib", "cdylib")), "\"id-c\"");
    struct fixture *f = *state;

    assert_int_equal(CHOOSE(library, "-r"), 0);
    assert_true(slice_is(f->choice.target->name, "c"));
    f->selection.wants_program = true;
    assert_int_equal(cargo_choose("sample", &f->graph, &f->selection, &f->choice, &f->err), -1);
    assert_int_equal(f->err.kind, ERROR_USAGE);
}

static void targets_of_one_name_are_told_apart(void **state)
{
    static const char one_name[] =
        WORKSPACE(PACKAGE("a", TARGET("a", "bin", "bin") "," TARGET("a", "lib", "lib") "," TARGET(
                                   "it", "test", "bin")) "," PACKAGE("b", TARGET("it", "test", "bin")),
                  "\"id-a\",\"id-b\"");
    struct fixture *f = *state;

    assert_int_equal(CHOOSE(one_name, "--workspace", "--tests"), -1);
    assert_string_equal(f->err.message, "several targets could be meant: it (test of a), it (test of b)");
    assert_int_equal(CHOOSE(one_name, "-p", "a", "--tests"), 0);
    f->selection.wants_program = true;
    assert_int_equal(cargo_choose("sample", &f->graph, &f->selection, &f->choice, &f->err), -1);
    assert_string_equal(f->err.message, "several targets could be meant: it, a (bin), a (lib)");
}

static void tests_in_general_are_left_to_what_cargo_built(void **state)
{
    static const char one_test[] =
        WORKSPACE(PACKAGE("a", TARGET("a", "bin", "bin") "," TARGET("it", "test", "bin")), "\"id-a\"");
    struct fixture *f = *state;

    assert_int_equal(CHOOSE(one_test, "--tests"), 0);
    assert_true(f->choice.is_any_test);
    assert_null(f->choice.target);
    assert_int_equal(CHOOSE(one_test, "--benches"), 0);
    assert_true(f->choice.is_any_test);
    assert_int_equal(CHOOSE(one_test, "--test", "it"), 0);
    assert_false(f->choice.is_any_test);
    assert_true(slice_is(f->choice.target->name, "it"));
    assert_int_equal(CHOOSE(one_test, "--tests", "--bin", "a"), -1);
    assert_string_equal(f->err.message, "several targets could be meant: a, it");
}

static void what_is_run_under_tests_in_general_is_asked_for(void **state)
{
    static const char test_and_program[] =
        WORKSPACE(PACKAGE("a", TARGET("a", "bin", "bin") "," TARGET("it", "test", "bin")), "\"id-a\"");
    static const char one_test[] = WORKSPACE(PACKAGE("a", TARGET("it", "test", "bin")), "\"id-a\"");
    struct fixture *f = *state;

    assert_int_equal(CHOOSE(test_and_program, "--tests"), 0);
    f->selection.wants_program = true;
    assert_int_equal(cargo_choose("sample", &f->graph, &f->selection, &f->choice, &f->err), -1);
    assert_string_equal(f->err.message, "several targets could be meant: it, a");
    assert_string_equal(f->err.hint, "cargo sample --test it, or cargo sample --unit-test --bin a");
    assert_int_equal(CHOOSE(one_test, "--tests"), 0);
    f->selection.wants_program = true;
    assert_int_equal(cargo_choose("sample", &f->graph, &f->selection, &f->choice, &f->err), 0);
    assert_true(slice_is(f->choice.target->name, "it"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(several_targets_are_offered_with_the_other_options_typed),
        TEST(what_follows_the_options_is_offered_with_them),
        TEST(targets_of_several_packages_are_offered_with_one_package_each),
        TEST(a_hint_holds_only_whole_commands),
        TEST(the_package_that_is_named_settles_it),
        TEST(what_is_not_in_the_graph_is_left_to_cargo),
        TEST(a_library_that_is_not_linked_is_no_program),
        TEST(a_static_library_is_final),
        TEST(neither_is_a_procedural_macro),
        TEST(a_procedural_macro_that_is_to_be_run_has_its_tests_and_the_compiler),
        cmocka_unit_test_setup_teardown(unit_tests_are_those_of_the_library_or_binary_that_is_named, set_up,
                                        tear_down),
        TEST(unit_tests_of_a_library_are_found_by_its_packages_name),
        cmocka_unit_test_setup_teardown(unit_tests_of_several_or_none_are_refused_with_what_there_is, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_command_that_runs_programs_takes_no_shared_library, set_up,
                                        tear_down),
        TEST(targets_of_one_name_are_told_apart),
        TEST(what_is_run_under_tests_in_general_is_asked_for),
        cmocka_unit_test_setup_teardown(tests_in_general_are_left_to_what_cargo_built, set_up, tear_down),
    };

    return cmocka_run_group_tests_name("choose", tests, NULL, NULL);
}
