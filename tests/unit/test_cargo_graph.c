#include "cmocka_all.h"

#include <string.h>

#include "base/file.h"
#include "cargo/choose.h"
#include "cargo_command.h"

struct fixture {
    struct text json;
    struct cargo_graph graph;
    struct arena arena;
    struct options options;
    struct cargo_selection selection;
    struct cargo_choice choice;
    struct error err;
};

static int set_up(void **state)
{
    static struct fixture fixture;

    fixture = (struct fixture){0};
    *state = &fixture;
    if (file_read(FIXTURES "/cargo/metadata.json", SIZE_MAX, &fixture.json, &fixture.err) < 0 ||
        cargo_graph_parse(text_slice(&fixture.json), &fixture.graph, &fixture.err) < 0)
        return -1;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;

    cargo_selection_done(&f->selection);
    options_done(&f->options);
    arena_done(&f->arena);
    cargo_graph_done(&f->graph);
    text_done(&f->json);
    return 0;
}

static int choose_line(struct fixture *f, const char *const *arguments)
{
    cargo_selection_done(&f->selection);
    options_done(&f->options);
    assert_int_equal(options_parse(&cargo_command, arguments, &f->options, &f->err), 0);
    cargo_selection_read(&f->arena, &f->options, &f->selection);
    f->err = (struct error){0};
    return cargo_choose("bloatc", &f->graph, &f->selection, &f->choice, &f->err);
}

#define CHOOSE(...) choose_line(f, (const char *const[]){__VA_ARGS__, NULL})

static void use_graph(struct fixture *f, const char *json)
{
    cargo_graph_done(&f->graph);
    assert_int_equal(cargo_graph_parse(slice_of(json), &f->graph, &f->err), 0);
}

static void the_graph_holds_what_cargo_said(void **state)
{
    struct fixture *f = *state;
    const struct cargo_package *app = cargo_graph_find(&f->graph, SLICE("path+file:///ws/app#0.1.0"));
    struct json_value table;
    uint64_t top = 0;

    assert_true(slice_is(f->graph.workspace_root, "/ws"));
    assert_true(slice_is(f->graph.target_directory, "/ws/target"));
    assert_true(slice_is(f->graph.build_directory, "/ws/target"));
    assert_int_equal(f->graph.package_count, 3);
    assert_int_equal(f->graph.default_members.count, 3);
    assert_non_null(app);
    assert_true(slice_is(app->name, "app"));
    assert_true(slice_is(app->version, "0.1.0"));
    assert_true(slice_is(app->manifest_path, "/ws/app/Cargo.toml"));
    assert_int_equal(app->default_run.length, 0);
    assert_int_equal(app->target_count, 5);
    assert_int_equal(app->feature_count, 4);
    assert_true(slice_is(app->features[0].name, "color"));
    assert_int_equal(json_get_object(&app->metadata, "bloatc", &table, &f->err), 0);
    assert_int_equal(json_get_u64(&table, "top", &top, &f->err), 0);
    assert_int_equal(top, 7);
    assert_int_equal(json_get_object(&f->graph.metadata, "bloatc", &table, &f->err), 0);
    assert_null(cargo_graph_find(&f->graph, SLICE("app")));
}

static void several_binaries_are_listed_as_commands(void **state)
{
    struct fixture *f = *state;

    f->choice.package = f->graph.packages;
    assert_int_equal(CHOOSE("--release"), -1);
    assert_int_equal(f->err.kind, ERROR_USAGE);
    assert_string_equal(f->err.message, "several targets could be meant: app, helper");
    assert_string_equal(f->err.hint,
                        "cargo bloatc --release --bin app, or cargo bloatc --release --bin helper");
    assert_ptr_equal(f->choice.package, f->graph.packages);
    assert_int_equal(CHOOSE("--all-targets"), -1);
    assert_string_equal(f->err.message, "several targets could be meant: app, helper, demo");
    assert_int_equal(CHOOSE("--bins", "--features", "fast"), -1);
    assert_string_equal(f->err.message, "several targets could be meant: app, helper, turbo");
}

static void the_target_that_is_named_is_chosen(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(CHOOSE("--bin", "helper"), 0);
    assert_true(slice_is(f->choice.target->name, "helper"));
    assert_int_equal(f->choice.target->kind, CARGO_BIN);
    assert_int_equal(CHOOSE("--bin", "he*"), 0);
    assert_true(slice_is(f->choice.target->name, "helper"));
    assert_int_equal(CHOOSE("--examples"), 0);
    assert_true(slice_is(f->choice.target->name, "demo"));
    assert_true(slice_is(f->choice.package->name, "app"));
    /* cargo says itself which features are missing. */
    assert_int_equal(CHOOSE("--bin", "turbo"), 0);
    assert_true(slice_is(f->choice.target->name, "turbo"));
}

static void what_only_cargo_can_tell_is_left_to_it(void **state)
{
    static const char *const lines[][3] = {{"--bin", "nope"}, {"--example", "app"}, {"-p", "nope"},
                                           {"--bin", NULL},   {"-p", NULL},         {"--test", "t"},
                                           {"--bin", "tur*"}, {"-p", "app@2"},      {"-p", "toolbox@0.2.10"}};
    struct fixture *f = *state;

    for (size_t i = 0; i < ARRAY_COUNT(lines); i++) {
        f->choice.target = f->graph.packages->targets;
        assert_int_equal(choose_line(f, lines[i]), 0);
        assert_null(f->choice.target);
        assert_null(f->choice.package);
    }
}

static void a_library_is_no_program(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(CHOOSE("-p", "toolbox"), -1);
    assert_string_equal(
        f->err.message,
        "there is no program here: a library has its final code only in a program that uses it");
    assert_string_equal(f->err.hint, "write a small program that uses it, as examples/NAME.rs: cargo bloatc "
                                     "--package toolbox --example NAME; code that is compiled in the library "
                                     "itself is measured by its file, once built (cargo build "
                                     "--package=toolbox): cargo bloatc "
                                     "/ws/target/debug/libtoolbox.rlib");
    assert_int_equal(CHOOSE("-p", "toolbox", "--profile", "bench", "--target", "some-linux"), -1);
    assert_non_null(strstr(f->err.hint, " /ws/target/some-linux/release/libtoolbox.rlib"));
    assert_int_equal(CHOOSE("-p", "toolbox", "--target-dir", "/other"), -1);
    assert_non_null(strstr(f->err.hint, " /other/debug/libtoolbox.rlib"));
    assert_int_equal(CHOOSE("-p", "mac"), -1);
    assert_int_equal(CHOOSE("-p", "toolbox", "--lib"), -1);
    assert_int_equal(CHOOSE("--workspace", "--exclude", "app"), -1);
    assert_int_equal(CHOOSE("--lib"), -1);
    assert_string_equal(
        f->err.hint,
        "cargo bloatc --bin app, or cargo bloatc --bin helper, or cargo bloatc --features fast --bin turbo");
}

static void packages_are_named_in_every_form_cargo_takes(void **state)
{
    static const char *const forms[] = {"toolbox",
                                        "tool*",
                                        "toolbox@0.2.1",
                                        "toolbox@0.2",
                                        "path+file:///ws/lib#toolbox@0.2.1",
                                        "file:///ws/lib",
                                        "file:///ws/lib#toolbox",
                                        "file:///ws/lib#0.2",
                                        "path+file:///ws/lib",
                                        "file:///ws/lib#toolbox@0.2.1"};
    struct fixture *f = *state;
    const struct cargo_package *package =
        cargo_graph_find(&f->graph, SLICE("path+file:///ws/lib#toolbox@0.2.1"));

    for (size_t i = 0; i < ARRAY_COUNT(forms); i++)
        assert_true(cargo_package_is(package, forms[i]));
    assert_false(cargo_package_is(package, "tool"));
    assert_false(cargo_package_is(package, "file:///ws"));
    assert_false(cargo_package_is(package, "file:///ws/lib#0.3"));
    assert_false(cargo_package_is(package, "file:///ws/lib#other@0.2.1"));
    assert_false(cargo_package_is(package, "toolbox@0.3"));
    assert_false(
        cargo_package_is(&(struct cargo_package){.name = SLICE("a"), .version = SLICE("0.2.10")}, "a@0.2.1"));
    assert_false(cargo_package_is(package, "app@0.2.1"));
    /* As cargo had IDs before 1.77. */
    assert_true(cargo_package_is(&(struct cargo_package){.name = SLICE("a"),
                                                         .version = SLICE("0.2.1"),
                                                         .id = SLICE("a 0.2.1 (path+file:///ws/lib)")},
                                 "file:///ws/lib#a"));
}

#define BIN(name, more) "{\"kind\":[\"bin\"],\"crate_types\":[\"bin\"],\"name\":\"" name "\"" more "}"
#define PACKAGE(name, targets, features, more)                                                               \
    "{\"name\":\"" name "\",\"version\":\"1.2.3\",\"id\":\"id-" name                                         \
    "\",\"manifest_path\":\"/m\",\"targets\":[" targets "],\"features\":{" features "}" more "}"
#define GRAPH(packages, members)                                                                             \
    "{\"packages\":[" packages "],\"workspace_members\":[" members                                           \
    "],\"workspace_root\":\"/\",\"target_directory\":\"/target\"}"

static void older_cargo_tells_of_no_folder_of_intermediate_files(void **state)
{
    struct fixture *f = *state;

    use_graph(f, GRAPH("", ""));
    assert_int_equal(f->graph.build_directory.length, 0);
    assert_int_equal(cargo_graph_parse(SLICE("{\"packages\":[],\"workspace_members\":[],\"workspace_root\":"
                                             "\"/\",\"target_directory\":\"/t\",\"build_directory\":1}"),
                                       &f->graph, &f->err),
                     -1);
}

static void default_run_decides_when_one_package_sets_it(void **state)
{
    struct fixture *f = *state;

    use_graph(f,
              GRAPH(PACKAGE("a", BIN("x", "") "," BIN("y", ""), "", ",\"default_run\":\"y\""), "\"id-a\""));
    assert_int_equal(CHOOSE("-r"), 0);
    assert_true(slice_is(f->choice.target->name, "y"));
    /* A name on the command line comes first. */
    assert_int_equal(CHOOSE("--bin", "x"), 0);
    assert_true(slice_is(f->choice.target->name, "x"));
    use_graph(f, GRAPH(PACKAGE("a", BIN("x", "") "," BIN("y", ""), "", ",\"default_run\":\"y\"") "," PACKAGE(
                           "b", BIN("z", ""), "", ",\"default_run\":\"z\""),
                       "\"id-a\",\"id-b\""));
    assert_int_equal(CHOOSE("-r"), -1);
    assert_string_equal(f->err.hint,
                        "cargo bloatc --release -p a --bin x, or cargo bloatc --release -p a --bin y, "
                        "or cargo bloatc --release -p b --bin z");
}

static void binaries_need_their_features(void **state)
{
    struct fixture *f = *state;

    use_graph(f,
              GRAPH(PACKAGE("a", BIN("x", ",\"required-features\":[\"deep\",\"dep/any\"]"),
                            "\"top\":[\"mid\"],\"mid\":[\"deep\",\"top\"],\"deep\":[],\"weak\":[\"deep?/x\"],"
                            "\"strong\":[\"deep/x\"],\"indirect\":[\"dep:deep\"]",
                            ""),
                    "\"id-a\""));
    assert_int_equal(CHOOSE("-r"), -1);
    assert_string_equal(f->err.message, "every binary here needs a feature that is off");
    assert_string_equal(f->err.hint, "cargo bloatc --release --features deep,dep/any --bin x");
    assert_int_equal(CHOOSE("-F", "weak"), -1);
    assert_int_equal(CHOOSE("-F", "indirect"), -1);
    assert_int_equal(CHOOSE("-F", "b/deep"), -1);
    assert_int_equal(CHOOSE("-F", "top"), 0);
    assert_int_equal(CHOOSE("-F", "strong"), 0);
    assert_int_equal(CHOOSE("-F", "a/deep"), 0);
    assert_int_equal(CHOOSE("--all-features"), 0);
}

static void the_default_feature_is_on_unless_switched_off(void **state)
{
    struct fixture *f = *state;

    use_graph(f, GRAPH(PACKAGE("a", BIN("x", ",\"required-features\":[\"cli\"]"),
                               "\"default\":[\"cli\"],\"cli\":[]", ""),
                       "\"id-a\""));
    assert_int_equal(CHOOSE("-r"), 0);
    assert_int_equal(CHOOSE("--no-default-features"), -1);
    assert_int_equal(CHOOSE("--no-default-features", "-F", "cli"), 0);
}

static void a_shared_or_static_library_is_chosen_where_there_is_no_binary(void **state)
{
    struct fixture *f = *state;

    use_graph(
        f,
        GRAPH(PACKAGE("a",
                      "{\"kind\":[\"cdylib\",\"rlib\"],\"crate_types\":[\"cdylib\",\"rlib\"],\"name\":\"a\"}",
                      "", ""),
              "\"id-a\""));
    assert_int_equal(CHOOSE("-r"), 0);
    assert_int_equal(f->choice.target->kind, CARGO_LIB);
    assert_int_equal(f->choice.target->crate_types, CARGO_TYPE_CDYLIB | CARGO_TYPE_LIB);
    assert_int_equal(CHOOSE("--lib"), 0);
    use_graph(f, GRAPH(PACKAGE("a",
                               "{\"kind\":[\"staticlib\"],\"crate_types\":[\"staticlib\"],\"name\":\"a\"},"
                               "{\"kind\":[\"test\"],\"crate_types\":[\"bin\"],\"name\":\"t\"}",
                               "", ""),
                       "\"id-a\""));
    assert_int_equal(CHOOSE("-r"), 0);
    assert_int_equal(f->choice.target->crate_types, CARGO_TYPE_STATICLIB);
    use_graph(f, GRAPH(PACKAGE("a",
                               "{\"kind\":[\"lib\"],\"crate_types\":[\"lib\"],\"name\":\"a\"},"
                               "{\"kind\":[\"test\"],\"crate_types\":[\"bin\"],\"name\":\"t\"}",
                               "", ""),
                       "\"id-a\""));
    assert_int_equal(CHOOSE("-r"), -1);
    assert_string_equal(f->err.hint, "cargo bloatc --release --test t");
}

static void packages_that_are_not_selected_do_not_count(void **state)
{
    struct fixture *f = *state;

    use_graph(f, GRAPH(PACKAGE("a", BIN("x", ""), "", "") "," PACKAGE("b", BIN("y", "") "," BIN("z", ""), "",
                                                                      ",\"default_run\":\"y\""),
                       "\"id-a\""));
    assert_int_equal(CHOOSE("-r"), 0);
    assert_true(slice_is(f->choice.target->name, "x"));
    assert_int_equal(CHOOSE("-p", "b"), 0);
    assert_true(slice_is(f->choice.target->name, "y"));
    assert_int_equal(CHOOSE("--workspace", "--exclude", "b"), 0);
    assert_true(slice_is(f->choice.target->name, "x"));
}

static void only_what_is_linked_is_offered(void **state)
{
    struct fixture *f = *state;

    use_graph(
        f,
        GRAPH(
            PACKAGE("a",
                    "{\"kind\":[\"lib\"],\"crate_types\":[\"lib\"],\"name\":\"a\"},"
                    "{\"kind\":[\"custom-build\"],\"crate_types\":[\"bin\"],\"name\":\"build-script-build\"},"
                    "{\"kind\":[\"proc-macro\"],\"crate_types\":[\"proc-macro\"],\"name\":\"m\"},"
                    "{\"kind\":[\"later\"],\"crate_types\":[\"later\"],\"name\":\"l\"},"
                    "{\"kind\":[],\"crate_types\":[],\"name\":\"n\"},"
                    "{\"kind\":[\"example\"],\"crate_types\":[\"staticlib\"],\"name\":\"s\"},"
                    "{\"kind\":[\"bench\"],\"crate_types\":[\"bin\"],\"name\":\"speed\"}",
                    "", ""),
            "\"id-a\""));
    assert_int_equal(CHOOSE("-r"), -1);
    assert_string_equal(f->err.hint, "cargo bloatc --release --bench speed");
    assert_int_equal(CHOOSE("--all-targets"), 0);
    assert_true(slice_is(f->choice.target->name, "speed"));
    assert_int_equal(CHOOSE("--benches"), 0);
}

static void long_lists_are_cut(void **state)
{
    struct fixture *f = *state;

    use_graph(f, GRAPH(PACKAGE("a",
                               BIN("1", "") "," BIN("2", "") "," BIN("3", "") "," BIN("4", "") "," BIN(
                                   "5", "") "," BIN("6", "") "," BIN("7", "") "," BIN("8", ""),
                               "", ""),
                       "\"id-a\""));
    assert_int_equal(CHOOSE("-r"), -1);
    assert_non_null(strstr(f->err.hint, "--bin 6, or one of 2 more"));
    assert_null(strstr(f->err.hint, "--bin 7"));
    use_graph(f, GRAPH(PACKAGE("a",
                               BIN("1", "") "," BIN("2", "") "," BIN("3", "") "," BIN("4", "") "," BIN(
                                   "5", "") "," BIN("6", ""),
                               "", ""),
                       "\"id-a\""));
    assert_int_equal(CHOOSE("-r"), -1);
    assert_null(strstr(f->err.hint, "more"));
}

static void assert_no_graph(const char *json, const char *message)
{
    struct cargo_graph graph = {0};
    struct error err = {0};

    assert_int_equal(cargo_graph_parse(slice_of(json), &graph, &err), -1);
    assert_string_equal(err.message, message);
    assert_int_equal(err.kind, ERROR_FORMAT);
    assert_null(graph.document.root);
}

static void what_is_no_metadata_is_refused_with_its_place(void **state)
{
    (void)state;
    assert_no_graph("", "reading what cargo metadata says: not JSON, or nested too deep: line 1");
    assert_no_graph("{}", "reading what cargo metadata says: workspace_root: missing");
    assert_no_graph(GRAPH("1", ""), "reading what cargo metadata says: packages[0].name: missing");
    assert_no_graph(GRAPH(PACKAGE("a", "{\"name\":1}", "", ""), ""),
                    "reading what cargo metadata says: packages[0].targets[0].name: not a string");
    assert_no_graph(
        GRAPH(PACKAGE("a", BIN("x", ",\"required-features\":[1]"), "", ""), ""),
        "reading what cargo metadata says: packages[0].targets[0].required-features[0]: not a string");
    assert_no_graph(GRAPH(PACKAGE("a", "", "\"f\":[{}]", ""), ""),
                    "reading what cargo metadata says: packages[0].features.f[0]: not a string");
    assert_no_graph(GRAPH(PACKAGE("a", "", "", ",\"default_run\":1"), ""),
                    "reading what cargo metadata says: packages[0].default_run: not a string");
    assert_no_graph(GRAPH("", "7"), "reading what cargo metadata says: workspace_members[0]: not a string");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
        CASE(the_graph_holds_what_cargo_said),
        CASE(several_binaries_are_listed_as_commands),
        CASE(the_target_that_is_named_is_chosen),
        CASE(what_only_cargo_can_tell_is_left_to_it),
        CASE(a_library_is_no_program),
        CASE(packages_are_named_in_every_form_cargo_takes),
        CASE(older_cargo_tells_of_no_folder_of_intermediate_files),
        CASE(default_run_decides_when_one_package_sets_it),
        CASE(binaries_need_their_features),
        CASE(the_default_feature_is_on_unless_switched_off),
        CASE(a_shared_or_static_library_is_chosen_where_there_is_no_binary),
        CASE(packages_that_are_not_selected_do_not_count),
        CASE(only_what_is_linked_is_offered),
        CASE(long_lists_are_cut),
        cmocka_unit_test(what_is_no_metadata_is_refused_with_its_place),
    };

    return cmocka_run_group_tests_name("cargo_graph", tests, NULL, NULL);
}
