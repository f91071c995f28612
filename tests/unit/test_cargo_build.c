#include "cmocka_all.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "cargo/build.h"
#include "cargo_command.h"

struct fixture {
    char folder[64]; /* of its own */
    char log[128];   /* how cargo was called, a line each */
    struct options options;
    struct cargo_built built;
    struct error err;
};

/* A file in the folder; valid until the next call. */
static const char *path_of(const struct fixture *f, const char *name)
{
    static char path[128];

    snprintf(path, sizeof(path), "%s/%s", f->folder, name);
    return path;
}

static void write_file(const struct fixture *f, const char *name, const char *content)
{
    struct error err = {0};

    assert_int_equal(file_replace(path_of(f, name), slice_of(content), &err), 0);
}

static int set_up(void **state)
{
    static struct fixture fixture;

    fixture = (struct fixture){.folder = "/tmp/test_cargo_build.XXXXXX"};
    *state = &fixture;
    assert_non_null(mkdtemp(fixture.folder));
    snprintf(fixture.log, sizeof(fixture.log), "%s/log", fixture.folder);
    setenv("FAKE_LOG", fixture.log, 1);
    setenv("CARGO", FIXTURES "/cargo/fake-cargo", 1);
    unsetenv("SUDO_UID");
    unsetenv("FAKE_METADATA");
    unsetenv("FAKE_METADATA_EXIT");
    unsetenv("FAKE_BUILD_EXIT");
    return chdir("/");
}

static int tear_down(void **state)
{
    struct fixture *f = *state;

    static const char *const files[] = {"log", "Cargo.toml", "metadata.json", "below"};

    cargo_built_done(&f->built);
    options_done(&f->options);
    for (size_t i = 0; i < ARRAY_COUNT(files); i++)
        remove(path_of(f, files[i]));
    return chdir("/") < 0 || rmdir(f->folder) < 0;
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
        f, "metadata --no-deps --format-version=1 --quiet --offline\n"
           "build --message-format=json-render-diagnostics --package=app --bin=helper --offline --extra\n");
}

static void what_is_ambiguous_is_refused_before_building(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(BUILD("-r"), -1);
    assert_int_equal(f->err.exit_code, EXIT_CODE_USAGE);
    assert_string_equal(f->err.hint,
                        "cargo bloatc --release --bin app, or cargo bloatc --release --bin helper");
    assert_calls(f, "metadata --no-deps --format-version=1 --quiet\n");
    assert_null(f->built.artifact);
}

static void a_hint_repeats_what_was_typed_and_not_what_was_added(void **state)
{
    struct fixture *f = *state;
    SCOPED(options_done) struct options typed = {0};
    struct cargo_request request = {.verb = "cprof", .options = &f->options, .typed = &typed};

    assert_int_equal(options_parse(&cargo_command, (const char *const[]){"-q", NULL}, &typed, &f->err), 0);
    assert_int_equal(options_parse(&cargo_command, (const char *const[]){"-q", "--profile=other", NULL},
                                   &f->options, &f->err),
                     0);
    assert_int_equal(cargo_build(&request, &f->built, &f->err), -1);
    assert_string_equal(f->err.hint, "cargo cprof --quiet --bin app, or cargo cprof --quiet --bin helper");
}

/* Has cargo answer with a workspace in the folder, of one package with one target of this kind. */
static void answer_with(const struct fixture *f, const char *kind)
{
    SCOPED(text_done) struct text json = {0};

    text_format(
        &json,
        "{\"packages\":[{\"name\":\"app\",\"version\":\"1.0.0\",\"id\":\"id\",\"manifest_path\":\"m\","
        "\"targets\":[{\"name\":\"only\",\"kind\":[\"%s\"],\"crate_types\":[\"%s\"]}],\"features\":{}}],"
        "\"workspace_default_members\":[\"id\"],\"workspace_root\":\"%s\",\"target_directory\":\"%s/t\"}",
        kind, kind, f->folder, f->folder);
    write_file(f, "metadata.json", text_string(&json));
    setenv("FAKE_METADATA", path_of(f, "metadata.json"), 1);
}

static void a_build_that_fails_hands_on_cargos_exit_code(void **state)
{
    struct fixture *f = *state;

    answer_with(f, "bin");
    setenv("FAKE_BUILD_EXIT", "101", 1);
    assert_int_equal(BUILD("--bin", "only"), -1);
    assert_int_equal(f->err.kind, ERROR_CHILD);
    assert_int_equal(f->err.exit_code, 101);
    assert_string_equal(f->err.message, "cargo build failed with exit code 101");
    assert_string_equal(f->err.hint, "");
}

static void a_profile_that_is_mistyped_is_offered(void **state)
{
    struct fixture *f = *state;

    answer_with(f, "bin");
    setenv("FAKE_BUILD_EXIT", "101", 1);
    assert_int_equal(BUILD("--bin", "only", "--profile", "relaese"), -1);
    assert_string_equal(f->err.hint, "did you mean --profile release?");
}

static void the_only_target_is_named_to_cargo(void **state)
{
    struct fixture *f = *state;

    answer_with(f, "bin");
    assert_int_equal(BUILD("-q"), -1);
    assert_string_equal(f->err.message, "the options do not tell which of the programs cargo built is meant");
    assert_calls(f, "metadata --no-deps --format-version=1 --quiet\n"
                    "build --message-format=json-render-diagnostics --quiet --bin=only --extra\n");
}

static void a_shared_library_is_named_to_cargo(void **state)
{
    struct fixture *f = *state;

    answer_with(f, "cdylib");
    assert_int_equal(BUILD("-q"), -1);
    assert_calls(f, "metadata --no-deps --format-version=1 --quiet\n"
                    "build --message-format=json-render-diagnostics --quiet --lib --extra\n");
}

static void profiles_of_the_manifest_are_offered_too(void **state)
{
    struct fixture *f = *state;

    answer_with(f, "bin");
    write_file(f, "Cargo.toml", "[profile.profiling]\ninherits = \"release\"\n");
    setenv("FAKE_BUILD_EXIT", "101", 1);
    assert_int_equal(BUILD("--profile", "profilin"), -1);
    assert_string_equal(f->err.hint, "did you mean --profile profiling?");
    options_done(&f->options);
    f->err = (struct error){0};
    assert_int_equal(BUILD("--profile", "profiling"), -1);
    assert_string_equal(f->err.hint, "");
}

static void below_a_package_nothing_is_hinted(void **state)
{
    struct fixture *f = *state;

    write_file(f, "Cargo.toml", "not = [");
    assert_int_equal(mkdir(path_of(f, "below"), 0777), 0);
    assert_int_equal(chdir(path_of(f, "below")), 0);
    setenv("FAKE_METADATA_EXIT", "101", 1);
    assert_int_equal(BUILD("-q"), -1);
    assert_string_equal(f->err.hint, "");
    assert_int_equal(f->err.exit_code, 101);
}

static void a_folder_without_a_package_gets_a_hint(void **state)
{
    struct fixture *f = *state;

    setenv("FAKE_METADATA_EXIT", "101", 1);
    assert_int_equal(BUILD("--bin", "app"), -1);
    assert_int_equal(f->err.exit_code, 101);
    assert_string_equal(f->err.message, "cargo metadata failed with exit code 101");
    assert_string_equal(f->err.hint,
                        "go to a package's folder, or name one: --manifest-path PATH/Cargo.toml");
}

static void a_manifest_that_cargo_refuses_gets_none(void **state)
{
    struct fixture *f = *state;

    setenv("FAKE_METADATA_EXIT", "101", 1);
    assert_int_equal(BUILD("--bin", "app", "--manifest-path", "x/Cargo.toml"), -1);
    assert_string_equal(f->err.hint, "");
    assert_calls(f, "metadata --no-deps --format-version=1 --quiet --manifest-path=x/Cargo.toml\n");
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

static void under_sudo_it_is_another_one(void **state)
{
    struct fixture *f = *state;

    setenv("CARGO", "/nowhere/cargo", 1);
    setenv("SUDO_UID", "1000", 1);
    assert_int_equal(BUILD("--bin", "app"), -1);
    unsetenv("SUDO_UID");
    assert_string_equal(f->err.message, "/nowhere/cargo: no such program");
    assert_string_equal(f->err.hint, "sudo has a PATH of its own: sudo -E env \"PATH=$PATH\" cargo ...");
}

/* Here a file that nobody may start stands for one in a folder of root's. */
static void under_sudo_the_cargo_of_root_may_be_closed_to_us(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(symlink("/proc/version", path_of(f, "below")), 0);
    setenv("CARGO", path_of(f, "below"), 1);
    setenv("SUDO_UID", "1000", 1);
    assert_int_equal(BUILD("--bin", "app"), -1);
    unsetenv("SUDO_UID");
    assert_int_equal(f->err.kind, ERROR_DENIED);
    assert_string_equal(f->err.hint,
                        "builds run as who called sudo, who may not start root's cargo; with your "
                        "own: sudo -E env \"PATH=$PATH\" cargo ...");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
        CASE(cargo_is_asked_once_and_builds_once),
        CASE(what_is_ambiguous_is_refused_before_building),
        CASE(a_hint_repeats_what_was_typed_and_not_what_was_added),
        CASE(a_build_that_fails_hands_on_cargos_exit_code),
        CASE(a_profile_that_is_mistyped_is_offered),
        CASE(the_only_target_is_named_to_cargo),
        CASE(a_shared_library_is_named_to_cargo),
        CASE(profiles_of_the_manifest_are_offered_too),
        CASE(below_a_package_nothing_is_hinted),
        CASE(a_folder_without_a_package_gets_a_hint),
        CASE(a_manifest_that_cargo_refuses_gets_none),
        CASE(without_cargo_the_remedy_is_told),
        CASE(under_sudo_it_is_another_one),
        CASE(under_sudo_the_cargo_of_root_may_be_closed_to_us),
    };

    return cmocka_run_group_tests_name("cargo_build", tests, NULL, NULL);
}
