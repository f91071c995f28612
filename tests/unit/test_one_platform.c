#include "cmocka_all.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "cargo/one_platform.h"
#include "cargo_command.h"

#define GNU "x86_64-unknown-linux-gnu"
#define MUSL "x86_64-unknown-linux-musl"

struct fixture {
    char folder[64]; /* of its own, with below/ in it, the current one */
    struct error err;
};

static int set_up(void **state)
{
    static struct fixture fixture;

    fixture = (struct fixture){.folder = "/tmp/test_one_platform.XXXXXX"};
    *state = &fixture;
    unsetenv("CARGO_BUILD_TARGET");
    setenv("CARGO_HOME", "/proc/none", 1);
    return !mkdtemp(fixture.folder) || chdir(fixture.folder) || mkdir(".cargo", 0700) ||
           mkdir("below", 0700) || mkdir("below/.cargo", 0700) || chdir("below");
}

static int tear_down(void **state)
{
    const struct fixture *f = *state;

    remove(".cargo/config.toml");
    remove("../.cargo/config.toml");
    return rmdir(".cargo") || chdir("..") || rmdir("below") || rmdir(".cargo") || chdir("/") ||
           rmdir(f->folder);
}

static void configure(const char *path, const char *content)
{
    struct error err = {0};

    assert_int_equal(file_replace(path, slice_of(content), &err), 0);
}

static int check_line(struct fixture *f, const char *const *arguments)
{
    SCOPED(options_done) struct options options = {0};

    f->err = (struct error){0};
    assert_int_equal(options_parse(&cargo_command, arguments, &options, &f->err), 0);
    return cargo_one_platform_check(&options, &f->err);
}

#define CHECK(...) check_line(f, (const char *const[]){__VA_ARGS__ __VA_OPT__(, ) NULL})

static void assert_refused(const struct fixture *f, const char *targets, const char *hint)
{
    char message[256];

    snprintf(message, sizeof(message), "cargo would build for several targets: %s", targets);
    assert_int_equal(f->err.kind, ERROR_USAGE);
    assert_string_equal(f->err.message, message);
    assert_string_equal(f->err.hint, hint);
}

static void targets_that_are_typed_are_to_be_one(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(CHECK(), 0);
    assert_int_equal(CHECK("--target", GNU), 0);
    assert_int_equal(CHECK("--target", GNU, "--target", GNU), 0);
    assert_int_equal(CHECK("--target", GNU, "--target=" MUSL), -1);
    assert_refused(f, GNU ", " MUSL, "choose one with a single --target TRIPLE");
}

static void a_list_in_the_configuration_is_to_be_one_target(void **state)
{
    struct fixture *f = *state;

    configure(".cargo/config.toml", "build.target = \"" GNU "\"");
    assert_int_equal(CHECK(), 0);
    configure(".cargo/config.toml", "[build]\ntarget = [\"" GNU "\"]");
    assert_int_equal(CHECK(), 0);
    configure(".cargo/config.toml", "[build]\ntarget = [\"" GNU "\", \"" MUSL "\"]");
    assert_int_equal(CHECK(), -1);
    assert_refused(f, GNU ", " MUSL,
                   "choose one with --target TRIPLE; build.target of .cargo/config.toml names several");
    assert_int_equal(CHECK("--target", MUSL), 0);
}

static void lists_of_all_places_are_joined(void **state)
{
    struct fixture *f = *state;

    configure("../.cargo/config.toml", "build.target = [\"" MUSL "\"]");
    configure(".cargo/config.toml", "net.offline = true");
    assert_int_equal(CHECK(), 0);
    assert_int_equal(CHECK("--config", "build.target=[\"" GNU "\"]"), -1);
    assert_non_null(strstr(f->err.message, GNU ", " MUSL));
    assert_non_null(strstr(f->err.hint, "/.cargo/config.toml names several"));
    configure(".cargo/config.toml", "build.target = [\"" GNU "\"]");
    assert_int_equal(CHECK(), -1);
}

/* Without a list it is one target, whatever it holds: rustc does not know one with a space. */
static void the_variable_adds_to_a_list(void **state)
{
    struct fixture *f = *state;

    setenv("CARGO_BUILD_TARGET", GNU " " MUSL, 1);
    assert_int_equal(CHECK(), 0);
    configure(".cargo/config.toml", "build.target = \"" GNU "\"");
    assert_int_equal(CHECK(), 0);
    configure(".cargo/config.toml", "build.target = [\"" GNU "\"]");
    assert_int_equal(CHECK(), -1);
    setenv("CARGO_BUILD_TARGET", " " GNU " ", 1);
    assert_int_equal(CHECK(), 0);
}

static void host_tuple_is_the_host(void **state)
{
    struct fixture *f = *state;

    configure("rustc", "#!/bin/sh\necho rustc\necho host: " GNU "\n");
    assert_int_equal(chmod("rustc", 0700), 0);
    setenv("RUSTC", "./rustc", 1);
    assert_int_equal(CHECK("--target", "host-tuple", "--target", GNU), 0);
    assert_int_equal(CHECK("--target", "host-tuple", "--target", MUSL), -1);
    assert_refused(f, GNU ", " MUSL, "choose one with a single --target TRIPLE");
    assert_int_equal(remove("rustc"), 0);
    assert_int_equal(CHECK("--target", "host-tuple"), 0);
    assert_int_equal(CHECK("--target", "host-tuple", "--target", MUSL), -1);
    assert_int_equal(f->err.kind, ERROR_MISSING);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(targets_that_are_typed_are_to_be_one),
        CASE(a_list_in_the_configuration_is_to_be_one_target),
        CASE(lists_of_all_places_are_joined),
        CASE(the_variable_adds_to_a_list),
        CASE(host_tuple_is_the_host),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
