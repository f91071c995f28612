#include "cmocka_all.h"

#include <stdlib.h>
#include <unistd.h>

#include "cargo/args.h"
#include "cargo/rust_flags.h"

#define VARIABLE "CARGO_TARGET_A64_B_LINUX_RUSTFLAGS"
#define LINKER_VARIABLE "CARGO_TARGET_A64_B_LINUX_LINKER"

static const struct option_table *const tables[] = {&cargo_general_options, NULL};
static const char *const usages[] = {"[OPTIONS]", NULL};
static const struct command command = {.name = "test", .usages = usages, .tables = tables};

struct fixture {
    struct arena arena;
    struct options options;
    struct cargo_configuration configuration;
    struct text flags;
    struct error err;
};

static int setup(void **state)
{
    static const char *const variables[] = {"CARGO_ENCODED_RUSTFLAGS", "RUSTFLAGS", "CARGO_BUILD_RUSTFLAGS",
                                            VARIABLE, LINKER_VARIABLE};

    for (size_t i = 0; i < ARRAY_COUNT(variables); i++)
        unsetenv(variables[i]);
    setenv("CARGO_HOME", "/proc/none", 1);
    *state = calloc(1, sizeof(struct fixture));
    return chdir("/proc");
}

static int teardown(void **state)
{
    struct fixture *f = *state;

    cargo_configuration_done(&f->configuration);
    options_done(&f->options);
    text_done(&f->flags);
    arena_done(&f->arena);
    free(f);
    return 0;
}

/* What the configuration, one --config after the other, gives the platform; NULL for a failure. */
static const char *flags(struct fixture *f, const char *rustc, const char *const *settings)
{
    const struct cargo_platform platform = {.triple = "a64-b-linux", .rustc = rustc};
    const char *arguments[8] = {NULL};

    for (size_t i = 0; settings[i]; i++) {
        arguments[2 * i] = "--config";
        arguments[2 * i + 1] = settings[i];
    }
    cargo_configuration_done(&f->configuration);
    options_done(&f->options);
    f->options = (struct options){0};
    text_clear(&f->flags);
    assert_int_equal(options_parse(&command, arguments, &f->options, &f->err), 0);
    cargo_configuration_read(&f->arena, &f->options, &f->configuration);
    return cargo_rust_flags_add(&f->configuration, &platform, &f->flags, &f->err) == 0
               ? text_string(&f->flags)
               : NULL;
}

#define FLAGS(f, ...) flags(f, "false", (const char *const[]){__VA_ARGS__, NULL})

static void without_any_there_is_nothing(void **state)
{
    assert_string_equal(FLAGS(*state, "build.jobs = 2"), "");
    assert_string_equal(FLAGS(*state, "build.rustflags = 2"), "");
}

static void those_of_the_target_count_instead_of_those_of_all_builds(void **state)
{
    const char *of_all = "build.rustflags = ['-Ca', '-Cb']";

    setenv("CARGO_BUILD_RUSTFLAGS", " -Cc  -Cd ", 1);
    assert_string_equal(FLAGS(*state, of_all), "-Ca -Cb -Cc -Cd");
    assert_string_equal(FLAGS(*state, of_all, "target.a64-b-linux.rustflags = '-Ce  -Cf'"), "-Ce -Cf");
    setenv(VARIABLE, "-Cg", 1);
    assert_string_equal(FLAGS(*state, of_all), "-Cg");
}

static void lists_are_joined_and_what_counts_more_comes_last(void **state)
{
    assert_string_equal(FLAGS(*state, "build.rustflags = ['-Ca']", "build.rustflags = ['-Cb', '-Cc']"),
                        "-Ca -Cb -Cc");
    assert_string_equal(FLAGS(*state, "build.rustflags = '-Ca'", "build.rustflags = '-Cb'"), "-Cb");
}

static void the_environment_s_count_alone_even_where_there_are_none(void **state)
{
    const char *set = "build.rustflags = ['-Ca']";

    setenv("RUSTFLAGS", "-Cb -Cc", 1);
    assert_string_equal(FLAGS(*state, set), "-Cb -Cc");
    setenv("CARGO_ENCODED_RUSTFLAGS", "--cfg\x1fx y", 1);
    assert_string_equal(FLAGS(*state, set), "--cfg x y");
    setenv("CARGO_ENCODED_RUSTFLAGS", "", 1);
    assert_string_equal(FLAGS(*state, set), "");
}

static void the_linker_is_told_as_a_flag(void **state)
{
    const char *set = "target.a64-b-linux.linker = 'clang'";

    setenv("RUSTFLAGS", "-Cb", 1);
    assert_string_equal(FLAGS(*state, set), "-Cb -Clinker=clang");
    setenv(LINKER_VARIABLE, "mold", 1);
    assert_string_equal(FLAGS(*state, "build.jobs = 2"), "-Cb -Clinker=mold");
    assert_string_equal(FLAGS(*state, set), "-Cb -Clinker=clang"); /* --config counts more */
}

static void a_compiler_that_tells_no_platform_is_a_failure(void **state)
{
    struct fixture *f = *state;

    assert_null(FLAGS(f, "target.'cfg(unix)'.rustflags = ['-Ca']"));
    assert_int_equal(f->err.kind, ERROR_CHILD);
    assert_int_equal(f->flags.length, 0);
    /* The answer is this text, by which nothing holds. */
    assert_string_equal(
        flags(f, "echo", (const char *const[]){"target.'cfg(unix)'.rustflags = ['-Ca']", NULL}), "");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(without_any_there_is_nothing),
        TEST(those_of_the_target_count_instead_of_those_of_all_builds),
        TEST(lists_are_joined_and_what_counts_more_comes_last),
        TEST(the_environment_s_count_alone_even_where_there_are_none),
        TEST(the_linker_is_told_as_a_flag),
        TEST(a_compiler_that_tells_no_platform_is_a_failure),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
