#include "cmocka_all.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "cargo/args.h"
#include "cargo/user_wrapper.h"

static const struct option_table *const tables[] = {&cargo_general_options, NULL};
static const char *const usages[] = {"[OPTIONS]", NULL};
static const struct command command = {.name = "test", .usages = usages, .tables = tables};

/* A folder that is the working directory, with "home" as CARGO_HOME and "above/below" in it. */
struct fixture {
    char *before;
    char folder[PATH_MAX];
    struct arena arena;
    struct options options;
};

static int setup(void **state)
{
    struct fixture *f = calloc(1, sizeof(*f));

    *state = f;
    f->before = getcwd(NULL, 0);
    strcpy(f->folder, "/tmp/user_wrapper_XXXXXX");
    if (!f->before || !mkdtemp(f->folder) || chdir(f->folder) < 0)
        return -1;
    if (mkdir("home", 0755) || mkdir("above", 0755) || mkdir("above/.cargo", 0755) ||
        mkdir("above/below", 0755) || mkdir("above/below/.cargo", 0755) || chdir("above/below") < 0)
        return -1;
    unsetenv("RUSTC_WRAPPER");
    unsetenv("CARGO_BUILD_RUSTC_WRAPPER");
    setenv("CARGO_HOME", arena_format(&f->arena, "%s/home", f->folder), 1);
    return 0;
}

static int teardown(void **state)
{
    static const char *const files[] = {"home/config",
                                        "home/config.toml",
                                        "above/.cargo/config.toml",
                                        "above/below/.cargo/config",
                                        "above/below/.cargo/config.toml",
                                        "above/below/other.toml"};
    static const char *const folders[] = {
        "above/below/.cargo", "above/below", "above/.cargo", "above", "home", "."};
    struct fixture *f = *state;

    if (chdir(f->folder) < 0)
        return -1;
    for (size_t i = 0; i < ARRAY_COUNT(files); i++)
        unlink(files[i]);
    for (size_t i = 0; i < ARRAY_COUNT(folders) - 1; i++)
        rmdir(folders[i]);
    rmdir(f->folder);
    if (chdir(f->before) < 0)
        return -1;
    free(f->before);
    options_done(&f->options);
    arena_done(&f->arena);
    free(f);
    return 0;
}

/* A file below the fixture's folder. */
static void put(struct fixture *f, const char *name, const char *content)
{
    struct error err = {0};

    assert_int_equal(file_replace(arena_format(&f->arena, "%s/%s", f->folder, name), slice_of(content), &err),
                     0);
}

static const char *find(struct fixture *f, const char *const *arguments)
{
    static const char *const none[] = {NULL};
    struct error err = {0};

    options_done(&f->options);
    f->options = (struct options){0};
    assert_int_equal(options_parse(&command, arguments ? arguments : none, &f->options, &err), 0);
    return user_wrapper_find(&f->arena, &f->options);
}

static const char *in_folder(struct fixture *f, const char *name)
{
    return arena_format(&f->arena, "%s/%s", f->folder, name);
}

static void there_is_none_unless_it_was_set_up(void **state)
{
    struct fixture *f = *state;

    assert_null(find(f, NULL));
    put(f, "above/.cargo/config.toml", "[build]\njobs = 2\n[target.x]\nrustc-wrapper = \"no\"\n");
    assert_null(find(f, NULL));
}

static void the_nearest_file_counts_and_that_of_the_user_last(void **state)
{
    struct fixture *f = *state;

    put(f, "home/config.toml", "[build]\nrustc-wrapper = \"from-home\"\n");
    assert_string_equal(find(f, NULL), "from-home");
    put(f, "above/.cargo/config.toml", "build.rustc-wrapper = 'from-above'\n");
    assert_string_equal(find(f, NULL), "from-above");
    put(f, "above/below/.cargo/config.toml", "build = { rustc-wrapper = \"from-here\" }\n");
    assert_string_equal(find(f, NULL), "from-here");
    put(f, "above/below/.cargo/config", "build.rustc-wrapper = 'old-name'\n");
    assert_string_equal(find(f, NULL), "old-name");
}

static void a_path_in_a_file_is_relative_to_the_folder_that_holds_the_files(void **state)
{
    struct fixture *f = *state;

    put(f, "home/config.toml", "build.rustc-wrapper = 'home/tools/x'\n");
    assert_string_equal(find(f, NULL), in_folder(f, "home/tools/x"));
    put(f, "above/.cargo/config.toml", "build.rustc-wrapper = 'tools/x'\n");
    assert_string_equal(find(f, NULL), in_folder(f, "above/tools/x"));
    put(f, "above/.cargo/config.toml", "build.rustc-wrapper = '/bin/x'\n");
    assert_string_equal(find(f, NULL), "/bin/x");
}

static void the_environment_counts_more_than_files(void **state)
{
    struct fixture *f = *state;

    put(f, "above/.cargo/config.toml", "build.rustc-wrapper = 'from-above'\n");
    setenv("CARGO_BUILD_RUSTC_WRAPPER", "./set", 1);
    assert_string_equal(find(f, NULL), in_folder(f, "above/below/./set"));
    setenv("CARGO_BUILD_RUSTC_WRAPPER", "", 1);
    assert_null(find(f, NULL));
}

static void the_command_line_counts_more_than_the_environment_of_the_configuration(void **state)
{
    static const char *const one[] = {"--config", "build.rustc-wrapper='first'", NULL};
    static const char *const two[] = {"--config", "build.rustc-wrapper='first'",
                                      "--config", "build.rustc-wrapper='second'",
                                      "--config", "build.jobs=1",
                                      NULL};
    static const char *const file[] = {"--config", "other.toml", NULL};
    struct fixture *f = *state;

    setenv("CARGO_BUILD_RUSTC_WRAPPER", "set", 1);
    assert_string_equal(find(f, one), "first");
    assert_string_equal(find(f, two), "second");
    put(f, "above/below/other.toml", "[build]\nrustc-wrapper = 'third'\n");
    assert_string_equal(find(f, file), "third");
    /* As in cargo's own files: relative to the folder above the file's. */
    put(f, "above/below/other.toml", "[build]\nrustc-wrapper = 'x/third'\n");
    assert_string_equal(find(f, file), arena_format(&f->arena, "%s/above/x/third", f->folder));
}

static void the_variable_of_rustc_counts_most_and_may_be_empty(void **state)
{
    static const char *const one[] = {"--config", "build.rustc-wrapper='first'", NULL};
    struct fixture *f = *state;

    setenv("RUSTC_WRAPPER", "sccache", 1);
    assert_string_equal(find(f, one), "sccache");
    setenv("RUSTC_WRAPPER", "", 1);
    assert_null(find(f, one));
}

static void files_that_a_file_includes_count_less_than_it_and_the_last_most(void **state)
{
    struct fixture *f = *state;

    put(f, "above/below/other.toml", "include = ['other.toml']\nbuild.rustc-wrapper = 'x/other'\n");
    put(f, "above/.cargo/config.toml", "build.rustc-wrapper = 'included'\n");
    put(f, "above/below/.cargo/config.toml", "include = ['../../.cargo/config.toml']\n");
    assert_string_equal(user_wrapper_find(&f->arena, &f->options), "included");
    put(f, "above/below/.cargo/config.toml",
        "include = ['../../.cargo/config.toml', {path = '../other.toml'}, {path = 'gone', optional = "
        "true}]\n");
    assert_non_null(strstr(user_wrapper_find(&f->arena, &f->options), "/x/other"));
    put(f, "above/below/.cargo/config.toml", "include = ['../other.toml']\nbuild.rustc-wrapper = 'own'\n");
    assert_string_equal(user_wrapper_find(&f->arena, &f->options), "own");
    /* One that includes itself is cargo's to refuse. */
    put(f, "above/.cargo/config.toml", "");
    put(f, "above/below/.cargo/config.toml", "include = ['config.toml', 1, {}]\n");
    assert_null(user_wrapper_find(&f->arena, &f->options));
}

static void a_file_that_is_no_configuration_is_let_pass(void **state)
{
    struct fixture *f = *state;

    put(f, "above/below/.cargo/config.toml", "[build\n");
    put(f, "above/.cargo/config.toml", "build = 1\n");
    put(f, "home/config.toml", "build.rustc-wrapper = 7\n");
    assert_null(find(f, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(there_is_none_unless_it_was_set_up, setup, teardown),
        cmocka_unit_test_setup_teardown(the_nearest_file_counts_and_that_of_the_user_last, setup, teardown),
        cmocka_unit_test_setup_teardown(a_path_in_a_file_is_relative_to_the_folder_that_holds_the_files,
                                        setup, teardown),
        cmocka_unit_test_setup_teardown(the_environment_counts_more_than_files, setup, teardown),
        cmocka_unit_test_setup_teardown(
            the_command_line_counts_more_than_the_environment_of_the_configuration, setup, teardown),
        cmocka_unit_test_setup_teardown(the_variable_of_rustc_counts_most_and_may_be_empty, setup, teardown),
        cmocka_unit_test_setup_teardown(files_that_a_file_includes_count_less_than_it_and_the_last_most,
                                        setup, teardown),
        cmocka_unit_test_setup_teardown(a_file_that_is_no_configuration_is_let_pass, setup, teardown),
    };

    return cmocka_run_group_tests_name("user_wrapper", tests, NULL, NULL);
}
