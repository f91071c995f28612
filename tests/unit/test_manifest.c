#include "cmocka_all.h"

#include "base/text.h"
#include "cargo/manifest.h"

#define SAMPLE                                                                                               \
    "[package]\nname = \"demo\"\n\n[profile.release]\nlto = \"fat\"\nstrip = true\n"                         \
    "package.\"*\".opt-level = 3\n\n[profile.profiling]\ninherits = \"release\"\n"

static void assert_place(const char *setting, const char *expected)
{
    SCOPED(arena_done) struct arena arena = {0};
    SCOPED(text_done) struct text text = {0};
    struct manifest manifest;
    struct error err = {0};

    assert_int_equal(manifest_parse(&arena, "a/Cargo.toml", slice_of(SAMPLE), &manifest, &err), 0);
    manifest_add_place(&text, &manifest, manifest_find(&manifest, setting));
    assert_string_equal(text_string(&text), expected);
}

static void a_setting_is_told_with_its_place_and_value(void **state)
{
    (void)state;
    assert_place("profile.release.strip", "a/Cargo.toml:6 sets strip = true");
    assert_place("profile.release.lto", "a/Cargo.toml:5 sets lto = \"fat\"");
    assert_place("profile.release", "a/Cargo.toml:4 sets release");
}

static void what_is_not_set_has_no_place(void **state)
{
    (void)state;
    assert_place("profile.dev.strip", "");
    assert_place("profile.release.strip.more", "");
    assert_place("strip", "");
}

static void profiles_are_found(void **state)
{
    SCOPED(arena_done) struct arena arena = {0};
    struct manifest manifest;
    struct error err = {0};
    const struct toml_node *profile = NULL;

    (void)state;
    assert_int_equal(manifest_parse(&arena, "Cargo.toml", slice_of(SAMPLE), &manifest, &err), 0);
    profile = manifest_first_profile(&manifest);
    assert_true(slice_is(profile->key, "release"));
    assert_true(slice_is(profile->next->key, "profiling"));
    assert_null(profile->next->next);
    assert_int_equal(
        manifest_parse(&arena, "Cargo.toml", SLICE("profile = 1\npackage = [{name = 1}]"), &manifest, &err),
        0);
    assert_null(manifest_first_profile(&manifest));
    assert_int_equal(manifest_parse(&arena, "Cargo.toml", SLICE(""), &manifest, &err), 0);
    assert_null(manifest_first_profile(&manifest));
}

static void a_file_that_is_no_manifest_is_named(void **state)
{
    SCOPED(arena_done) struct arena arena = {0};
    struct manifest manifest = {0};
    struct error err = {0};

    (void)state;
    assert_int_equal(manifest_parse(&arena, "x/Cargo.toml", SLICE("a\n"), &manifest, &err), -1);
    assert_string_equal(err.message, "x/Cargo.toml: line 1: a key without \"=\"");
    assert_int_equal(manifest_read(&arena, "/nowhere/Cargo.toml", &manifest, &err), -1);
    assert_int_equal(err.kind, ERROR_IO);
    assert_null(manifest.root);
    assert_int_equal(manifest_read(&arena, FIXTURES "/../../common/CMakeLists.txt", &manifest, &err), -1);
    assert_int_equal(err.kind, ERROR_FORMAT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_setting_is_told_with_its_place_and_value),
        cmocka_unit_test(what_is_not_set_has_no_place),
        cmocka_unit_test(profiles_are_found),
        cmocka_unit_test(a_file_that_is_no_manifest_is_named),
    };

    return cmocka_run_group_tests_name("manifest", tests, NULL, NULL);
}
