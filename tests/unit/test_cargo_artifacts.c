#include "cmocka_all.h"

#include "base/compiler.h"
#include "base/file.h"
#include "base/scan.h"
#include "cargo/artifacts.h"

struct fixture {
    struct text text;
    struct cargo_artifacts artifacts;
    struct cargo_package package;
    struct cargo_target target;
    struct cargo_choice choice;
    const struct cargo_artifact *artifact;
    struct slice path;
    struct error err;
};

static void add_lines(struct fixture *f, struct slice lines)
{
    struct scan scan = scan_of(lines);
    struct slice line;

    while (scan_line(&scan, &line))
        assert_int_equal(cargo_artifacts_add_line(&f->artifacts, line, &f->err), 0);
}

static int set_up(void **state)
{
    static struct fixture fixture;

    fixture = (struct fixture){.package = {.id = SLICE("path+file:///ws/app#0.1.0")}};
    fixture.choice = (struct cargo_choice){&fixture.package, &fixture.target, CARGO_NO_HARNESS, false};
    *state = &fixture;
    return file_read(FIXTURES "/cargo/messages.jsonl", SIZE_MAX, &fixture.text, &fixture.err);
}

static int tear_down(void **state)
{
    struct fixture *f = *state;

    cargo_artifacts_done(&f->artifacts);
    text_done(&f->text);
    return 0;
}

static int pick(struct fixture *f, enum cargo_kind kind, const char *name)
{
    f->target = (struct cargo_target){.kind = kind, .name = slice_of(name)};
    f->err = (struct error){0};
    return cargo_artifacts_pick("bloatc", &f->artifacts, &f->choice, &f->artifact, &f->path, &f->err);
}

static void the_artifact_is_picked_by_package_kind_and_name(void **state)
{
    struct fixture *f = *state;

    add_lines(f, text_slice(&f->text));
    assert_int_equal(pick(f, CARGO_BIN, "app"), 0);
    assert_string_equal(f->path.data, "/ws/target/debug/app");
    assert_false(f->artifact->is_test);
    assert_true(slice_is(f->artifact->opt_level, "0"));
    assert_true(slice_is(f->artifact->debuginfo, "2"));
    assert_true(f->artifact->debug_assertions);
    assert_false(f->artifact->is_fresh);
    assert_true(slice_is(f->artifact->manifest_path, "/ws/app/Cargo.toml"));
    assert_int_equal(pick(f, CARGO_EXAMPLE, "demo"), 0);
    assert_string_equal(f->path.data, "/ws/target/debug/examples/demo");
}

static void where_build_scripts_write_is_kept(void **state)
{
    struct fixture *f = *state;

    add_lines(f, SLICE("{\"reason\":\"build-script-executed\",\"package_id\":\"a#1.0.0\",\"linked_libs\":[],"
                       "\"out_dir\":\"/ws/target/debug/build/a-12/out\"}\n"
                       "{\"reason\":\"build-script-executed\",\"package_id\":\"b#1.0.0\"}\n"));
    assert_int_equal(f->artifacts.script_runs.count, 1);
    assert_true(slice_is(f->artifacts.script_runs.items[0].package_id, "a#1.0.0"));
    assert_string_equal(f->artifacts.script_runs.items[0].folder.data, "/ws/target/debug/build/a-12/out");
}

static void what_was_not_built_is_not_replaced_by_another(void **state)
{
    struct fixture *f = *state;

    add_lines(f, text_slice(&f->text));
    f->path = SLICE("before");
    assert_int_equal(pick(f, CARGO_BIN, "turbo"), -1);
    assert_int_equal(f->err.kind, ERROR_USAGE);
    assert_string_equal(f->err.message, "the options do not tell which of the programs cargo built is meant");
    assert_int_equal(pick(f, CARGO_EXAMPLE, "app"), -1);
    assert_true(slice_is(f->path, "before"));
    f->package.id = SLICE("path+file:///ws/other#0.1.0");
    assert_int_equal(pick(f, CARGO_BIN, "app"), -1);
    f->choice = (struct cargo_choice){0};
    assert_int_equal(pick(f, CARGO_BIN, "app"), -1);
}

#define MESSAGE(kind, test, executable, files)                                                               \
    "{\"reason\":\"compiler-artifact\",\"package_id\":\"path+file:///ws/"                                    \
    "app#0.1.0\",\"target\":{\"kind\":[\"" kind "\"],\"crate_types\":[\"" kind                               \
    "\"],\"name\":\"x\"},\"profile\":{\"opt_level\":\"s\",\"debuginfo\":"                                    \
    "\"line-tables-only\",\"debug_assertions\":false,\"test\":" test "},\"filenames\":[" files               \
    "],\"executable\":" executable ",\"fresh\":true}\n"

static void the_test_harness_counts_for_tests_and_benchmarks_alone(void **state)
{
    struct fixture *f = *state;

    add_lines(f, SLICE(MESSAGE("bin", "true", "\"/t/x-1\"", "\"/t/x-1\"")));
    add_lines(f, SLICE(MESSAGE("test", "true", "\"/t/x-2\"", "\"/t/x-2\"")));
    assert_int_equal(pick(f, CARGO_BIN, "x"), -1);
    assert_int_equal(pick(f, CARGO_TEST, "x"), 0);
    assert_string_equal(f->path.data, "/t/x-2");
    assert_true(slice_is(f->artifact->opt_level, "s"));
    assert_true(slice_is(f->artifact->debuginfo, "line-tables-only"));
    assert_true(f->artifact->is_fresh);
    assert_int_equal(f->artifact->manifest_path.length, 0);
}

static void what_std_is_made_of_has_a_feature(void **state)
{
    struct fixture *f = *state;
    static const char *const features[] = {"\"read\",\"rustc-dep-of-std\"", "\"rustc-dep-of-std-not\"", ""};
    SCOPED(text_done) struct text line = {0};

    for (size_t i = 0; i < ARRAY_COUNT(features); i++) {
        text_clear(&line);
        text_add(&line, SLICE(MESSAGE("lib", "false", "null", "\"/t/libx.rlib\"")));
        line.length -= SLICE("}\n").length;
        text_format(&line, ",\"features\":[%s]}\n", features[i]);
        add_lines(f, text_slice(&line));
        assert_int_equal(f->artifacts.items.items[i].is_for_std, i == 0);
    }
}

static void any_test_is_the_only_one_of_tests_and_not_one_of_several(void **state)
{
    struct fixture *f = *state;

    f->choice = (struct cargo_choice){.is_any_test = true};
    add_lines(f, SLICE(MESSAGE("bin", "false", "\"/t/x\"", "\"/t/x\"")));
    assert_int_equal(pick(f, CARGO_TEST, "x"), -1);
    assert_int_equal(f->err.kind, ERROR_MISSING);
    add_lines(f, SLICE(MESSAGE("bin", "true", "\"/t/x-1\"", "\"/t/x-1\"")));
    assert_int_equal(pick(f, CARGO_TEST, "x"), 0);
    assert_string_equal(f->path.data, "/t/x-1");
    add_lines(f, SLICE(MESSAGE("test", "true", "\"/t/x-2\"", "\"/t/x-2\"")));
    assert_int_equal(pick(f, CARGO_TEST, "x"), -1);
    assert_int_equal(f->err.kind, ERROR_USAGE);
    assert_string_equal(f->err.hint,
                        "name one file: cargo bloatc /t/x-1 (tests of bin x), or cargo bloatc /t/x-2");
}

static void a_shared_library_is_found_among_its_files(void **state)
{
    struct fixture *f = *state;

    add_lines(f, SLICE(MESSAGE("cdylib", "false", "null", "\"/t/libx.a\",\"/t/libx.so\"")));
    assert_int_equal(pick(f, CARGO_LIB, "x"), 0);
    assert_string_equal(f->path.data, "/t/libx.so");
}

static void a_library_of_another_machine_is_found(void **state)
{
    struct fixture *f = *state;

    add_lines(f, SLICE(MESSAGE("cdylib", "false", "null", "\"/t/libx.rlib\",\"/t/x.wasm\"")));
    assert_int_equal(pick(f, CARGO_LIB, "x"), 0);
    assert_string_equal(f->path.data, "/t/x.wasm");
}

static void a_static_library_is_found_where_there_is_no_shared_one(void **state)
{
    struct fixture *f = *state;

    add_lines(f, SLICE(MESSAGE("staticlib", "false", "null", "\"/t/libx.rlib\",\"/t/libx.a\"")));
    assert_int_equal(pick(f, CARGO_LIB, "x"), 0);
    assert_string_equal(f->path.data, "/t/libx.a");
}

static void two_files_for_one_target_are_named(void **state)
{
    struct fixture *f = *state;

    add_lines(f, SLICE(MESSAGE("bin", "false", "\"/a/x\"", "") MESSAGE("bin", "false", "\"/b/x\"", "")));
    assert_int_equal(pick(f, CARGO_BIN, "x"), -1);
    assert_int_equal(f->err.kind, ERROR_USAGE);
    assert_string_equal(f->err.message, "cargo built x more than once");
    assert_string_equal(f->err.hint, "name one file: cargo bloatc /a/x, or cargo bloatc /b/x");
}

static void lines_that_are_no_messages_are_let_pass(void **state)
{
    struct fixture *f = *state;

    add_lines(f, SLICE("hello\n\n{not json\n[1]\n{\"reason\":1}\n{}\n{\"reason\":\"build-finished\"}\n"));
    assert_int_equal(f->artifacts.items.count, 0);
}

static void a_message_without_its_members_is_refused(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(
        cargo_artifacts_add_line(&f->artifacts, SLICE("{\"reason\":\"compiler-artifact\"}"), &f->err), -1);
    assert_string_equal(f->err.message, "reading a message of cargo build: package_id: missing");
    assert_int_equal(cargo_artifacts_add_line(&f->artifacts, SLICE(MESSAGE("bin", "7", "null", "")), &f->err),
                     -1);
    assert_string_equal(f->err.message, "reading a message of cargo build: profile.test: not true or false");
    assert_int_equal(cargo_artifacts_add_line(&f->artifacts, SLICE(MESSAGE("bin", "true", "7", "")), &f->err),
                     -1);
    assert_string_equal(f->err.message, "reading a message of cargo build: executable: not a string");
    assert_int_equal(
        cargo_artifacts_add_line(&f->artifacts, SLICE(MESSAGE("bin", "true", "null", "{}")), &f->err), -1);
    assert_string_equal(f->err.message, "reading a message of cargo build: filenames[0]: not a string");
    assert_int_equal(f->artifacts.items.count, 0);
}

static void assert_id(const char *id, const char *name, const char *version, const char *source)
{
    struct cargo_package_id read = cargo_package_id_read(slice_of(id));

    assert_true(slice_is(read.name, name));
    assert_true(slice_is(read.version, version));
    assert_true(slice_is(read.source, source));
}

static void an_id_tells_name_and_version(void **state)
{
    (void)state;
    assert_id("registry+https://example.org/index#serde@1.0.2", "serde", "1.0.2",
              "registry+https://example.org/index");
    assert_id("path+file:///home/me/app#0.1.0", "app", "0.1.0", "path+file:///home/me/app");
    assert_id("git+https://example.org/me/app?branch=a/b#0.1.0", "app", "0.1.0",
              "git+https://example.org/me/app?branch=a/b");
    assert_id("git+https://example.org/me/app?branch=a/b#core@0.1.0", "core", "0.1.0",
              "git+https://example.org/me/app?branch=a/b");
    assert_id("path+file:///home/me/app#core", "core", "", "path+file:///home/me/app");
    assert_id("path+file:///home/me/app", "app", "", "path+file:///home/me/app");
    /* As cargo had them before 1.77. */
    assert_id("serde 1.0.2 (registry+https://example.org/index)", "serde", "1.0.2",
              "registry+https://example.org/index");
    assert_id("core 0.1.0 (git+https://example.org/me/app?branch=a/b#1f2e)", "core", "0.1.0",
              "git+https://example.org/me/app?branch=a/b");
    assert_id("app 0.1.0 (path+file:///home/me/a b)", "app", "0.1.0", "path+file:///home/me/a b");
    assert_id("", "", "", "");
}

static void the_library_is_the_rlib(void **state)
{
    struct cargo_artifact artifact = {0};

    (void)state;
    assert_null(cargo_artifact_rlib(&artifact));
    artifact.filenames.items = (struct slice[]){SLICE("/t/libapp.rmeta"), SLICE("/t/libapp.rlib")};
    artifact.filenames.count = 2;
    assert_string_equal(cargo_artifact_rlib(&artifact), "/t/libapp.rlib");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
        cmocka_unit_test(an_id_tells_name_and_version),
        cmocka_unit_test(the_library_is_the_rlib),
        CASE(the_artifact_is_picked_by_package_kind_and_name),
        CASE(where_build_scripts_write_is_kept),
        CASE(what_std_is_made_of_has_a_feature),
        CASE(what_was_not_built_is_not_replaced_by_another),
        CASE(the_test_harness_counts_for_tests_and_benchmarks_alone),
        CASE(any_test_is_the_only_one_of_tests_and_not_one_of_several),
        CASE(a_shared_library_is_found_among_its_files),
        CASE(a_library_of_another_machine_is_found),
        CASE(a_static_library_is_found_where_there_is_no_shared_one),
        CASE(two_files_for_one_target_are_named),
        CASE(lines_that_are_no_messages_are_let_pass),
        CASE(a_message_without_its_members_is_refused),
    };

    return cmocka_run_group_tests_name("cargo_artifacts", tests, NULL, NULL);
}
