#include "cmocka_all.h"

#include <stdlib.h>
#include <string.h>

#include "build/uncounted.h"
#include "build/units.h"

/* A workspace of "app", the default member, and "dep"; "serde" comes from elsewhere. */
struct fixture {
    struct arena arena;
    struct cargo_package packages[2];
    struct slice default_members[1];
    struct cargo_graph graph;
    struct cargo_selection selection;
    struct cargo_artifacts artifacts;
    struct units units;
    struct text seen;
};

#define APP "path+file:///w/app#0.1.0"
#define DEP "path+file:///w/dependency#dep@0.2.0"
#define SERDE "registry+https://github.com/rust-lang/crates.io-index#serde@1.0.200"

static int setup(void **state)
{
    struct fixture *f = calloc(1, sizeof(*f));

    f->packages[0] =
        (struct cargo_package){.name = SLICE("app"), .version = SLICE("0.1.0"), .id = SLICE(APP)};
    f->packages[1] =
        (struct cargo_package){.name = SLICE("dep"), .version = SLICE("0.2.0"), .id = SLICE(DEP)};
    f->default_members[0] = SLICE(APP);
    f->graph.packages = f->packages;
    f->graph.package_count = 2;
    f->graph.default_members = (struct cargo_names){f->default_members, 1};
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *f = *state;

    units_done(&f->units);
    cargo_artifacts_done(&f->artifacts);
    cargo_selection_done(&f->selection);
    arena_done(&f->arena);
    text_done(&f->seen);
    free(f);
    return 0;
}

static void add(struct fixture *f, const char *id, enum cargo_kind kind, const char *name, bool is_test)
{
    struct cargo_artifact artifact = {.package_id = slice_of(id), .is_test = is_test};
    struct slice *file = ARENA_NEW(&f->arena, struct slice);

    *file = slice_of(arena_format(&f->arena, "/t/deps/lib%s-0%d.rmeta", name, is_test));
    artifact.target = (struct cargo_target){.name = slice_of(name), .kind = kind};
    artifact.filenames = (struct cargo_names){file, 1};
    *vec_add(&f->artifacts.items) = artifact;
}

/* All that `--all-targets -p app -p dep -p serde` compiles. */
static void add_all(struct fixture *f)
{
    add(f, SERDE, CARGO_LIB, "serde", false);
    add(f, DEP, CARGO_LIB, "dep", false);
    add(f, DEP, CARGO_PROC_MACRO, "macro", false);
    add(f, APP, CARGO_BUILD_SCRIPT, "build-script-build", false);
    add(f, APP, CARGO_LIB, "app", false);
    add(f, APP, CARGO_LIB, "app", true);
    add(f, APP, CARGO_BIN, "one", false);
    add(f, APP, CARGO_BIN, "two", false);
    add(f, APP, CARGO_TEST, "outside", true);
    add(f, APP, CARGO_BENCH, "speed", true);
    add(f, APP, CARGO_EXAMPLE, "demo", false);
}

static void wish(struct fixture *f, enum cargo_kind kind, const char *name)
{
    *vec_add(&f->selection.wishes) = (struct cargo_wish){kind, name};
}

static const char *select_labels(struct fixture *f)
{
    text_clear(&f->seen);
    units_done(&f->units);
    units_select(&f->arena, &f->graph, &f->selection, &f->artifacts, &f->units);
    for (size_t i = 0; i < f->units.items.count; i++) {
        if (!f->units.items.items[i].is_selected)
            continue;
        unit_add_label(&f->seen, &f->units.items.items[i]);
        text_add_byte(&f->seen, ';');
    }
    return text_string(&f->seen);
}

static void what_two_packages_have_is_called_after_its_package(void **state)
{
    struct fixture *f = *state;

    f->selection.workspace = true;
    add(f, DEP, CARGO_BIN, "extra", false);
    add(f, APP, CARGO_BIN, "extra", false);
    add(f, APP, CARGO_EXAMPLE, "extra", false);
    add(f, APP, CARGO_BIN, "one", false);
    assert_string_equal(select_labels(f), "bin extra of app;bin extra of dep;bin one;");
    f->selection.profile = "test";
    add(f, APP, CARGO_BIN, "extra", true);
    assert_string_equal(select_labels(f), "bin extra (test);");
    add(f, DEP, CARGO_BIN, "extra", true);
    assert_string_equal(select_labels(f), "bin extra (test) of app;bin extra (test) of dep;");
}

static void by_default_libraries_and_binaries_of_the_default_members_are_selected(void **state)
{
    struct fixture *f = *state;

    add_all(f);
    assert_string_equal(select_labels(f), "lib app;bin one;bin two;");
}

static void a_wish_for_one_target_selects_it_alone(void **state)
{
    static const struct {
        enum cargo_kind kind;
        const char *name;
        const char *labels;
    } cases[] = {
        {CARGO_LIB, NULL, "lib app;"},
        {CARGO_BIN, "two", "bin two;"},
        {CARGO_BIN, "t*", "bin two;"},
        {CARGO_BIN, NULL, "bin one;bin two;"},
        {CARGO_TEST, "outside", "test outside;"},
        {CARGO_TEST, NULL, "lib app (test);test outside;bench speed;"},
        {CARGO_BENCH, "speed", "bench speed;"},
        {CARGO_TEST, "speed", ""},
        {CARGO_EXAMPLE, NULL, "example demo;"},
        {CARGO_EXAMPLE, "none", ""},
    };
    struct fixture *f = *state;

    add_all(f);
    for (size_t i = 0; i < ARRAY_COUNT(cases); i++) {
        vec_done(&f->selection.wishes);
        wish(f, cases[i].kind, cases[i].name);
        assert_string_equal(select_labels(f), cases[i].labels);
    }
    wish(f, CARGO_LIB, NULL);
    wish(f, CARGO_BIN, "one");
    assert_string_equal(select_labels(f), "lib app;bin one;");
}

static void all_targets_are_all_but_build_scripts(void **state)
{
    struct fixture *f = *state;

    add_all(f);
    f->selection.all_targets = true;
    f->selection.workspace = true;
    assert_string_equal(select_labels(f),
                        "lib app;lib app (test);example demo;lib dep;proc-macro macro;bin one;"
                        "test outside;bench speed;bin two;");
}

static void the_profile_for_tests_asks_for_the_harness(void **state)
{
    struct fixture *f = *state;

    add_all(f);
    add(f, APP, CARGO_BIN, "one", true);
    add(f, APP, CARGO_PROC_MACRO, "macro", true);
    f->selection.profile = "test";
    assert_string_equal(select_labels(f), "lib app (test);proc-macro macro (test);bin one (test);");
    wish(f, CARGO_LIB, NULL);
    assert_string_equal(select_labels(f), "lib app (test);proc-macro macro (test);");
    f->selection.wishes.items[0] = (struct cargo_wish){CARGO_BIN, "one"};
    assert_string_equal(select_labels(f), "bin one (test);");
    f->selection.profile = "tests";
    assert_string_equal(select_labels(f), "bin one;");
}

static void packages_are_selected_by_name_wherever_they_come_from(void **state)
{
    struct fixture *f = *state;

    add_all(f);
    *vec_add(&f->selection.packages) = "serde";
    assert_string_equal(select_labels(f), "lib serde@1.0.200;");
    f->selection.packages.items[0] = "serde@1.0";
    assert_string_equal(select_labels(f), "lib serde@1.0.200;");
    f->selection.packages.items[0] = SERDE;
    assert_string_equal(select_labels(f), "lib serde@1.0.200;");
    f->selection.packages.items[0] = "serd";
    assert_string_equal(select_labels(f), "");
    f->selection.packages.items[0] = "dep";
    assert_string_equal(select_labels(f), "lib dep;proc-macro macro;");
}

static void an_id_without_a_name_has_that_of_its_folder(void **state)
{
    struct fixture *f = *state;

    add(f, "path+file:///elsewhere/tool#1.2.3", CARGO_LIB, "tool", false);
    add(f, "git+https://host/things/gadget.x?branch=b/c#0.1.0", CARGO_LIB, "gadget", false);
    *vec_add(&f->selection.packages) = "tool";
    assert_string_equal(select_labels(f), "lib tool@1.2.3;");
    f->selection.packages.items[0] = "gadget.x@0.1.0";
    assert_string_equal(select_labels(f), "lib gadget@0.1.0;");
}

static void the_names_of_a_units_files_follow_from_its_metadata(void **state)
{
    struct fixture *f = *state;
    const struct unit *unit = NULL;

    add(f, APP, CARGO_LIB, "app_x", false);
    assert_string_equal(select_labels(f), "lib app_x;");
    unit = &f->units.items.items[0];
    assert_string_equal(unit->metadata_path, "/t/deps/libapp_x-00.rmeta");
    assert_string_equal(unit->stem, "/t/deps/app_x-00");
    assert_true(slice_is(unit->crate_name, "app_x"));
    assert_true(slice_is(unit->hash, "00"));
}

static void what_is_linked_is_for_the_host_and_not_selected(void **state)
{
    static const struct slice linked[] = {
        {"/t/deps/libapp-1.rmeta", sizeof("/t/deps/libapp-1.rmeta") - 1},
        {"/t/deps/libapp-1.rlib", sizeof("/t/deps/libapp-1.rlib") - 1},
        {"/t/deps/libapp-1.rmeta", sizeof("/t/deps/libapp-1.rmeta") - 1},
    };
    struct fixture *f = *state;

    add(f, APP, CARGO_LIB, "app", false);
    f->artifacts.items.items[0].filenames = (struct cargo_names){linked, 2};
    assert_string_equal(select_labels(f), "");
    f->artifacts.items.items[0].filenames = (struct cargo_names){linked + 1, 1};
    assert_string_equal(select_labels(f), "");
    f->artifacts.items.items[0].filenames = (struct cargo_names){linked, 0};
    assert_string_equal(select_labels(f), "");
    f->artifacts.items.items[0].filenames = (struct cargo_names){linked, 1};
    assert_string_equal(select_labels(f), "lib app;");
}

static void add_linked(struct fixture *f, const char *folder, const char *name, const char *manifest)
{
    struct slice *file = ARENA_NEW(&f->arena, struct slice);

    add(f, APP, CARGO_LIB, name, false);
    *file = slice_of(arena_format(&f->arena, "/t/%s/lib%s-00.rlib", folder, name));
    f->artifacts.items.items[f->artifacts.items.count - 1].package_id = slice_of(name);
    f->artifacts.items.items[f->artifacts.items.count - 1].filenames = (struct cargo_names){file, 1};
    f->artifacts.items.items[f->artifacts.items.count - 1].manifest_path = slice_of(manifest);
}

static void std_that_cargo_built_is_told_from_what_runs_while_compiling(void **state)
{
    struct fixture *f = *state;
    const struct cargo_artifact *artifacts = NULL;

    add_linked(f, "release/deps", "syn", "/home/me/.cargo/registry/src/index/syn-2.0.1/Cargo.toml");
    add_linked(f, "triple/release/deps", "core", "/tools/lib/rustlib/src/rust/library/core/Cargo.toml");
    add_linked(f, "triple/release/deps", "gimli",
               "/home/me/.cargo/registry/src/index/gimli-0.32.3/Cargo.toml");
    add(f, APP, CARGO_LIB, "app", false);
    assert_string_equal(select_labels(f), "lib app;");
    artifacts = f->artifacts.items.items;
    assert_string_equal(uncounted_why(&f->artifacts, &artifacts[0]), "which runs while compiling");
    assert_string_equal(uncounted_why(&f->artifacts, &artifacts[1]), "which is std's, built for it");
    assert_string_equal(uncounted_why(&f->artifacts, &artifacts[2]), "which is std's, built for it");
    text_clear(&f->seen);
    uncounted_add_note(&f->seen, &f->units, &f->artifacts);
    assert_string_equal(text_string(&f->seen),
                        "1 crate runs while compiling and is not counted: syn; std was "
                        "built for it and is not counted: core, gimli");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(by_default_libraries_and_binaries_of_the_default_members_are_selected,
                                        setup, teardown),
        cmocka_unit_test_setup_teardown(what_two_packages_have_is_called_after_its_package, setup, teardown),
        cmocka_unit_test_setup_teardown(a_wish_for_one_target_selects_it_alone, setup, teardown),
        cmocka_unit_test_setup_teardown(all_targets_are_all_but_build_scripts, setup, teardown),
        cmocka_unit_test_setup_teardown(the_profile_for_tests_asks_for_the_harness, setup, teardown),
        cmocka_unit_test_setup_teardown(packages_are_selected_by_name_wherever_they_come_from, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(an_id_without_a_name_has_that_of_its_folder, setup, teardown),
        cmocka_unit_test_setup_teardown(the_names_of_a_units_files_follow_from_its_metadata, setup, teardown),
        cmocka_unit_test_setup_teardown(what_is_linked_is_for_the_host_and_not_selected, setup, teardown),
        cmocka_unit_test_setup_teardown(std_that_cargo_built_is_told_from_what_runs_while_compiling, setup,
                                        teardown),
    };

    return cmocka_run_group_tests_name("selected_units", tests, NULL, NULL);
}
