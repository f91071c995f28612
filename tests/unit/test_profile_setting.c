#include "cmocka_all.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "cargo/profile_setting.h"

#define VARIABLE "CARGO_PROFILE_SHIP_BUILD_OVERRIDE_OPT_LEVEL"
#define PACKAGE_VARIABLE "CARGO_PROFILE_SHIP_PACKAGE_my-crate_OPT_LEVEL"

static const struct option_table *const tables[] = {&cargo_general_options, NULL};
static const char *const usages[] = {"[OPTIONS]", NULL};
static const struct command command = {.name = "test", .usages = usages, .tables = tables};

struct fixture {
    struct arena arena;
    struct options options;
    struct cargo_profile profile;
    struct text packages;
    struct error err;
    char folder[32]; /* with the workspace's Cargo.toml */
};

static int setup(void **state)
{
    struct fixture *f = calloc(1, sizeof(*f));

    unsetenv(VARIABLE);
    unsetenv(PACKAGE_VARIABLE);
    setenv("CARGO_HOME", "/proc/none", 1);
    strcpy(f->folder, "/tmp/profile-XXXXXX");
    *state = f;
    return mkdtemp(f->folder) ? chdir("/proc") : -1;
}

static int teardown(void **state)
{
    struct fixture *f = *state;

    unlink(arena_format(&f->arena, "%s/Cargo.toml", f->folder));
    rmdir(f->folder);
    cargo_profile_done(&f->profile);
    options_done(&f->options);
    text_done(&f->packages);
    arena_done(&f->arena);
    free(f);
    return 0;
}

/* The profile "ship" of this Cargo.toml, with `setting` by --config unless it is NULL. */
static void read_profile(struct fixture *f, const char *manifest, const char *setting)
{
    const char *const arguments[] = {setting ? "--config" : NULL, setting, NULL};
    const struct cargo_graph graph = {.workspace_root = slice_of(f->folder)};
    const char *path = arena_format(&f->arena, "%s/Cargo.toml", f->folder);

    cargo_profile_done(&f->profile);
    options_done(&f->options);
    f->options = (struct options){0};
    assert_int_equal(file_replace(path, slice_of(manifest), &f->err), 0);
    assert_int_equal(options_parse(&command, arguments, &f->options, &f->err), 0);
    cargo_profile_read(&f->arena, &f->options, &graph, "ship", &f->profile);
}

static const char *find(struct fixture *f, const char *const *keys)
{
    struct cargo_profile_setting setting;

    return cargo_profile_find(&f->profile, keys, &setting) ? arena_copy(&f->arena, setting.value) : NULL;
}

#define FIND(...) find(f, (const char *const[]){__VA_ARGS__, NULL})

/* "my-crate serde " */
static const char *packages(struct fixture *f)
{
    SCOPED(cargo_words_done) struct cargo_words words = {0};

    text_clear(&f->packages);
    cargo_profile_packages(&f->profile, &words);
    for (size_t i = 0; i < words.items.count; i++)
        text_format(&f->packages, "%s ", words.items.items[i]);
    return text_string(&f->packages);
}

#define SHIP                                                                                                 \
    "[profile.ship]\ninherits = 'release'\nlto = true\n"                                                     \
    "[profile.ship.package.'my-crate@1.0.0']\ndebug = 1\n"                                                   \
    "[profile.release.package]\nserde.opt-level = 2\n'my-crate@1.0.0'.opt-level = 's'\n"                     \
    "[profile.release.build-override]\nopt-level = 1\n"

static void what_packages_are_given_is_inherited_setting_by_setting(void **state)
{
    struct fixture *f = *state;

    read_profile(f, SHIP, NULL);
    assert_string_equal(packages(f), "my-crate@1.0.0 serde ");
    assert_string_equal(FIND("package", "my-crate@1.0.0", "debug"), "1");
    assert_string_equal(FIND("package", "my-crate@1.0.0", "opt-level"), "s");
    assert_string_equal(FIND("build-override", "opt-level"), "1");
    assert_string_equal(FIND("lto"), "true");
    assert_null(FIND("opt-level"));
    assert_null(FIND("package", "other", "opt-level"));
    assert_null(FIND("package", "serde", "debug"));
}

static void the_configuration_counts_more_than_the_manifest(void **state)
{
    struct fixture *f = *state;

    read_profile(f, SHIP, "profile.ship.package = { '*' = { debug = 2 }, serde = { opt-level = 'z' } }");
    assert_string_equal(packages(f), "* my-crate@1.0.0 serde ");
    assert_string_equal(FIND("package", "serde", "opt-level"), "z");
    assert_string_equal(FIND("package", "*", "debug"), "2");
}

static void a_variable_of_a_package_counts_where_the_configuration_names_it(void **state)
{
    struct fixture *f = *state;

    setenv(VARIABLE, "3", 1);
    setenv(PACKAGE_VARIABLE, "3", 1);
    read_profile(f, "[profile.ship.package.my-crate]\nopt-level = 1\n", NULL);
    assert_string_equal(FIND("build-override", "opt-level"), "3");
    assert_string_equal(FIND("package", "my-crate", "opt-level"), "1");
    read_profile(f, "", "profile.ship.package.my-crate.debug = 1");
    assert_string_equal(FIND("package", "my-crate", "opt-level"), "3");
    read_profile(f, "", "profile.ship.package.my-crate.opt-level = 2");
    assert_string_equal(FIND("package", "my-crate", "opt-level"), "2");
}

static void without_settings_of_packages_there_are_none(void **state)
{
    struct fixture *f = *state;

    read_profile(f, "[profile.ship]\npackage = 3\n", NULL);
    assert_string_equal(packages(f), "");
    assert_null(FIND("package", "serde", "debug"));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(what_packages_are_given_is_inherited_setting_by_setting),
        TEST(the_configuration_counts_more_than_the_manifest),
        TEST(a_variable_of_a_package_counts_where_the_configuration_names_it),
        TEST(without_settings_of_packages_there_are_none),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
