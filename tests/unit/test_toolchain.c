#include "cmocka_all.h"

#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/remove.h"
#include "cargo/toolchain.h"

static void who_chose_is_what_rustup_tells(void **state)
{
    static const struct {
        const char *source;
        enum toolchain_choice choice;
    } cases[] = {
        {"toolchain-file", TOOLCHAIN_OF_FOLDER}, {"default", TOOLCHAIN_OF_FOLDER}, {"cli", TOOLCHAIN_TYPED},
        {"path-override", TOOLCHAIN_TYPED},      {"env", TOOLCHAIN_EXPORTED},      {"", TOOLCHAIN_EXPORTED},
    };

    (void)state;
    setenv("RUSTUP_TOOLCHAIN", "nightly", 1);
    for (size_t i = 0; i < ARRAY_COUNT(cases); i++) {
        setenv("RUSTUP_TOOLCHAIN_SOURCE", cases[i].source, 1);
        assert_int_equal(toolchain_choice(), cases[i].choice);
    }
    unsetenv("RUSTUP_TOOLCHAIN_SOURCE");
    assert_int_equal(toolchain_choice(), TOOLCHAIN_EXPORTED);
    setenv("RUSTUP_TOOLCHAIN_SOURCE", "default", 1);
    unsetenv("RUSTUP_TOOLCHAIN");
    assert_int_equal(toolchain_choice(), TOOLCHAIN_NOT_SET);
}

static void assert_found(struct arena *arena, const char *folder, const char *root, const char *wanted)
{
    const char *found = toolchain_file_find(arena, folder, root);

    if (wanted)
        assert_string_equal(found, wanted);
    else
        assert_null(found);
}

static void the_nearest_file_up_to_the_root_is_found(void **state)
{
    SCOPED(arena_done) struct arena arena = {0};
    char folder[] = "/tmp/toolchain_XXXXXX";
    struct error err = {0};
    const char *root = NULL;
    const char *below = NULL;
    const char *file = NULL;

    (void)state;
    assert_non_null(mkdtemp(folder));
    root = arena_format(&arena, "%s/root", folder);
    below = arena_format(&arena, "%s/below", root);
    assert_int_equal(mkdir(root, 0755) | mkdir(below, 0755), 0);
    assert_int_equal(file_replace(arena_format(&arena, "%s/rust-toolchain", folder), SLICE("x"), &err), 0);
    assert_found(&arena, below, root, NULL);
    assert_found(&arena, root, root, NULL);
    file = arena_format(&arena, "%s/rust-toolchain.toml", root);
    assert_int_equal(file_replace(file, SLICE("x"), &err), 0);
    assert_found(&arena, below, root, file);
    assert_found(&arena, root, root, file);
    /* The older name counts first. */
    file = arena_format(&arena, "%s/rust-toolchain", root);
    assert_int_equal(file_replace(file, SLICE("x"), &err), 0);
    assert_found(&arena, below, root, file);
    file = arena_format(&arena, "%s/rust-toolchain.toml", below);
    assert_int_equal(file_replace(file, SLICE("x"), &err), 0);
    assert_found(&arena, below, root, file);
    assert_int_equal(remove_all(folder, NULL, &err), 0);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_chose_is_what_rustup_tells),
        cmocka_unit_test(the_nearest_file_up_to_the_root_is_found),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
