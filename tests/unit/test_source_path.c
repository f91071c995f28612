#include "cmocka_all.h"

#include "dwarf/source_path.h"

static void assert_origin(const char *path, enum source_kind kind, const char *package, const char *version,
                          const char *inside)
{
    struct source_origin origin = source_path_origin(slice_of(path));

    assert_int_equal(origin.kind, kind);
    assert_true(slice_is(origin.package, package));
    assert_true(slice_is(origin.version, version));
    assert_true(slice_is(origin.path, inside));
}

static void a_registry_package_has_its_version_in_the_folder(void **state)
{
    (void)state;
    assert_origin(
        "/home/me/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/regex-automata-0.4.8/src/lib.rs",
        SOURCE_REGISTRY, "regex-automata", "0.4.8", "src/lib.rs");
    assert_origin("/c/registry/src/i/sha-1-0.10.0/src/a/b.rs", SOURCE_REGISTRY, "sha-1", "0.10.0",
                  "src/a/b.rs");
    assert_origin("/c/registry/src/i/x-1.0.0-beta.2/l.rs", SOURCE_REGISTRY, "x", "1.0.0-beta.2", "l.rs");
    assert_origin("/c/registry/src/i/x-86-0.1.0+5.3.0-patched/l.rs", SOURCE_REGISTRY, "x-86",
                  "0.1.0+5.3.0-patched", "l.rs");
}

static void std_and_its_dependencies_are_told_from_their_paths(void **state)
{
    (void)state;
    assert_origin("/rustc/59807616e1fa/library/core/src/ptr/mod.rs", SOURCE_STD, "core", "",
                  "src/ptr/mod.rs");
    assert_origin("/rustc/59807616e1fa/library/std/src/../../backtrace/src/lib.rs", SOURCE_STD, "std", "",
                  "src/../../backtrace/src/lib.rs");
    assert_origin("/rustc/1/library/stdarch/crates/core_arch/src/x.rs", SOURCE_STD, "core_arch", "",
                  "src/x.rs");
    assert_origin("/rustc/1/library/compiler-builtins/compiler-builtins/src/lib.rs", SOURCE_STD,
                  "compiler-builtins", "", "src/lib.rs");
    assert_origin("/r/lib/rustlib/src/rust/library/alloc/src/vec/mod.rs", SOURCE_STD, "alloc", "",
                  "src/vec/mod.rs");
    assert_origin("/cargo/registry/25cdd57fae9f0462/rustc-demangle-0.1.28/src/v0.rs", SOURCE_STD_DEPS,
                  "rustc-demangle", "0.1.28", "src/v0.rs");
    assert_origin("/cargo/registry/25cdd57fae9f0462/clap-4.5.1/src/lib.rs", SOURCE_REGISTRY, "clap", "4.5.1",
                  "src/lib.rs");
    assert_origin("/rust/deps/hashbrown-0.16.1/src/raw.rs", SOURCE_STD_DEPS, "hashbrown", "0.16.1",
                  "src/raw.rs");
}

static void a_git_checkout_has_its_revision_in_the_folder(void **state)
{
    (void)state;
    assert_origin("/c/git/checkouts/my-crate-1a2b3c4d5e6f7a8b/abc1234/sub/src/lib.rs", SOURCE_GIT, "my-crate",
                  "abc1234", "sub/src/lib.rs");
}

static void everything_else_is_local(void **state)
{
    static const char *const paths[] = {
        "src/main.rs",
        "/home/me/app/src/main.rs",
        "",
        "/rustc/1/compiler/x.rs",
        "/rustc/",
        "/c/registry/src/i/no-version/src/lib.rs",
        "/c/registry/src/i/x-1.0/src/lib.rs",
        "/c/registry/src/i/x-1.0.0",
        "/c/git/checkouts/x-1",
        "/rust/deps/x",
        "/my/rust/deps/x-1.0.0/lib.rs",
        "/my/cargo/registry/25cdd57fae9f0462/x-1.0.0/lib.rs",
        "/cargo/registry/mine/x-1.0.0/lib.rs",
    };

    (void)state;
    for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++)
        assert_origin(paths[i], SOURCE_LOCAL, "", "", paths[i]);
}

static void assert_package(const char *path, const char *folder)
{
    assert_true(slice_is(source_path_package_folder(slice_of(path)), folder));
}

static void a_package_has_its_sources_in_a_folder_of_its_own(void **state)
{
    (void)state;
    assert_package("/ws/util/src/lib.rs", "/ws/util");
    assert_package("/ws/util/src/a/b.rs", "/ws/util");
    assert_package("/usr/src/util/src/a/b.rs", "/usr/src/util");
    assert_package("/src/src/lib.rs", "/src");
    assert_package("/ws/tests/a.rs", "");
    assert_package("/ws/src", "");
    assert_package("src/lib.rs", "");
}

static void a_build_script_writes_into_a_folder_with_its_packages_name(void **state)
{
    struct slice package = SLICE("untouched");

    (void)state;
    assert_false(source_path_of_build_script(SLICE("/ws/build/out/a.c"), &package));
    assert_false(source_path_of_build_script(SLICE("/ws/build/zlib-sys/out/a.c"), &package));
    assert_false(source_path_of_build_script(SLICE("/t/build/zlib-sys-0123456789abcdef/in/a.c"), &package));
    assert_false(source_path_of_build_script(SLICE("/t/build/-0123456789abcdef/out/a.c"), &package));
    assert_false(source_path_of_build_script(SLICE("/t/build/zlib-sys/0123456789abcdef/in/a.c"), &package));
    assert_false(source_path_of_build_script(SLICE("/t/build//0123456789abcdef/out/a.c"), &package));
    assert_true(slice_is(package, "untouched"));
    assert_true(source_path_of_build_script(SLICE("/t/build/lz4-sys/0123456789abcdef/out/a.c"), &package));
    assert_true(slice_is(package, "lz4-sys"));
    assert_true(source_path_of_build_script(
        SLICE("/build/x/t/release/build/zlib-sys-0123456789abcdef/out/build/a.c"), &package));
    assert_true(slice_is(package, "zlib-sys"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_registry_package_has_its_version_in_the_folder),
        cmocka_unit_test(std_and_its_dependencies_are_told_from_their_paths),
        cmocka_unit_test(a_git_checkout_has_its_revision_in_the_folder),
        cmocka_unit_test(everything_else_is_local),
        cmocka_unit_test(a_build_script_writes_into_a_folder_with_its_packages_name),
        cmocka_unit_test(a_package_has_its_sources_in_a_folder_of_its_own),
    };

    return cmocka_run_group_tests_name("source path", tests, NULL, NULL);
}
