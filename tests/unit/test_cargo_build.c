#include "cmocka_all.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "cargo/build.h"
#include "cargo_command.h"

struct fixture {
    char log[64]; /* how cargo was called, a line each */
    struct options options;
    struct cargo_built built;
    struct error err;
};

static int set_up(void **state)
{
    static struct fixture fixture;

    fixture = (struct fixture){.log = "/tmp/test_cargo_build.XXXXXX"};
    *state = &fixture;
    close(mkstemp(fixture.log));
    setenv("FAKE_LOG", fixture.log, 1);
    setenv("CARGO", FIXTURES "/cargo/fake-cargo", 1);
    unsetenv("FAKE_METADATA_EXIT");
    unsetenv("FAKE_BUILD_EXIT");
    return chdir("/");
}

static int tear_down(void **state)
{
    struct fixture *f = *state;

    cargo_built_done(&f->built);
    options_done(&f->options);
    unlink(f->log);
    return 0;
}

static int build_line(struct fixture *f, const char *const *arguments)
{
    static const char *const extra[] = {"--extra", NULL};
    struct cargo_request request = {.verb = "bloatc", .options = &f->options, .extra = extra};

    assert_int_equal(options_parse(&cargo_command, arguments, &f->options, &f->err), 0);
    return cargo_build(&request, &f->built, &f->err);
}

#define BUILD(...) build_line(f, (const char *const[]){__VA_ARGS__, NULL})

static void assert_calls(struct fixture *f, const char *expected)
{
    SCOPED(text_done) struct text log = {0};

    assert_int_equal(file_read(f->log, 4096, &log, &f->err), 0);
    assert_string_equal(text_string(&log), expected);
}

static void cargo_is_asked_once_and_builds_once(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(BUILD("-p", "app", "--bin", "helper", "--offline"), 0);
    assert_string_equal(f->built.path.data, "/ws/target/debug/helper");
    assert_true(slice_is(f->built.artifact->target.name, "helper"));
    assert_true(slice_is(f->built.choice.package->version, "0.1.0"));
    assert_calls(
        f, "metadata --no-deps --format-version=1 --offline\n"
           "build --message-format=json-render-diagnostics --package=app --bin=helper --offline --extra\n");
}

static void what_is_ambiguous_is_refused_before_building(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(BUILD("-r"), -1);
    assert_int_equal(f->err.exit_code, EXIT_CODE_USAGE);
    assert_string_equal(f->err.hint, "cargo bloatc --bin app, or cargo bloatc --bin helper");
    assert_calls(f, "metadata --no-deps --format-version=1\n");
    assert_null(f->built.artifact);
}

static void a_build_that_fails_hands_on_cargos_exit_code(void **state)
{
    struct fixture *f = *state;

    setenv("FAKE_BUILD_EXIT", "101", 1);
    assert_int_equal(BUILD("--bin", "app"), -1);
    assert_int_equal(f->err.kind, ERROR_CHILD);
    assert_int_equal(f->err.exit_code, 101);
    assert_string_equal(f->err.message, "cargo build failed with exit code 101");
    assert_string_equal(f->err.hint, "");
}

static void a_profile_that_is_mistyped_is_offered(void **state)
{
    struct fixture *f = *state;

    setenv("FAKE_BUILD_EXIT", "101", 1);
    assert_int_equal(BUILD("--bin", "app", "--profile", "relaese"), -1);
    assert_string_equal(f->err.hint, "did you mean --profile release?");
}

static void a_folder_without_a_package_gets_a_hint(void **state)
{
    struct fixture *f = *state;

    setenv("FAKE_METADATA_EXIT", "101", 1);
    assert_int_equal(BUILD("--bin", "app"), -1);
    assert_int_equal(f->err.exit_code, 101);
    assert_string_equal(f->err.message, "cargo metadata failed with exit code 101");
    assert_string_equal(f->err.hint,
                        "go to a package's folder, or name a file instead: cargo bloatc target/release/app");
}

static void a_manifest_that_cargo_refuses_gets_none(void **state)
{
    struct fixture *f = *state;

    setenv("FAKE_METADATA_EXIT", "101", 1);
    assert_int_equal(BUILD("--bin", "app", "--manifest-path", "x/Cargo.toml"), -1);
    assert_string_equal(f->err.hint, "");
    assert_calls(f, "metadata --no-deps --format-version=1 --manifest-path=x/Cargo.toml\n");
}

static void without_cargo_the_remedy_is_told(void **state)
{
    struct fixture *f = *state;

    setenv("CARGO", "/nowhere/cargo", 1);
    assert_int_equal(BUILD("--bin", "app"), -1);
    assert_int_equal(f->err.kind, ERROR_MISSING);
    assert_string_equal(f->err.message, "/nowhere/cargo: no such program");
    assert_string_equal(f->err.hint, "install Rust from https://rustup.rs, or put cargo in PATH");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
        CASE(cargo_is_asked_once_and_builds_once),
        CASE(what_is_ambiguous_is_refused_before_building),
        CASE(a_build_that_fails_hands_on_cargos_exit_code),
        CASE(a_profile_that_is_mistyped_is_offered),
        CASE(a_folder_without_a_package_gets_a_hint),
        CASE(a_manifest_that_cargo_refuses_gets_none),
        CASE(without_cargo_the_remedy_is_told),
    };

    return cmocka_run_group_tests_name("cargo_build", tests, NULL, NULL);
}
