#include "cmocka_all.h"

#include "subject/origins.h"

#define REGISTRY "registry+https://github.com/rust-lang/crates.io-index#"

static void assert_origins(const char *const *ids, const char *const *origins, size_t count)
{
    SCOPED(arena_done) struct arena arena = {0};
    struct build_package packages[4];

    for (size_t i = 0; i < count; i++)
        packages[i] = (struct build_package){.crate = i % 2 ? SLICE("my-util") : SLICE("my_util"),
                                             .version = SLICE("1.0.0"),
                                             .id = slice_of(ids[i])};
    origins_find(packages, count, &arena);
    for (size_t i = 0; i < count; i++)
        assert_true(slice_is(packages[i].origin, origins[i]));
}

static void packages_with_one_crates_name_and_version_are_told_by_their_own_names(void **state)
{
    const char *const ids[] = {"path+file:///home/me/my-util#1.0.0", "path+file:///home/me/z#zed@1.0.0",
                               "path+file:///home/me/z#zed@1.0.0"};
    const char *const origins[] = {"of my-util", "of zed", "of zed"};

    (void)state;
    assert_origins(ids, origins, 3);
}

static void packages_of_one_name_are_told_by_their_sources(void **state)
{
    const char *const ids[] = {"path+file:///home/me/my-util#1.0.0", REGISTRY "my-util@1.0.0",
                               "git+https://one.example/my-util?branch=main#1.0.0",
                               "git+https://two.example/u#my-util@1.0.0"};
    const char *const origins[] = {"from path", "from registry",
                                   "from https://one.example/my-util?branch=main",
                                   "from https://two.example/u"};

    (void)state;
    assert_origins(ids, origins, 4);
}

static void ids_of_older_cargo_tell_the_same(void **state)
{
    const char *const ids[] = {"my-util 1.0.0 (path+file:///home/me/my-util)",
                               "my-util 1.0.0 (registry+https://one.example/index)",
                               "my-util 1.0.0 (git+https://one.example/u#1f2e)",
                               "my-util 1.0.0 (git+https://two.example/u?branch=main#1f2e)"};
    const char *const origins[] = {"from path", "from registry", "from https://one.example/u",
                                   "from https://two.example/u?branch=main"};
    const char *const other_names[] = {"my-util 1.0.0 (path+file:///home/me/my-util)",
                                       "zed 1.0.0 (registry+https://one.example/index)"};
    const char *const packages[] = {"of my-util", "of zed"};

    (void)state;
    assert_origins(ids, origins, 4);
    assert_origins(other_names, packages, 2);
}

static void what_no_other_shares_needs_no_origin(void **state)
{
    SCOPED(arena_done) struct arena arena = {0};
    struct build_package packages[] = {
        {.crate = SLICE("util"), .version = SLICE("1.0.0"), .id = SLICE("path+file:///a#util@1.0.0")},
        {.crate = SLICE("util"), .version = SLICE("2.0.0"), .id = SLICE("path+file:///b#util@2.0.0")},
        {.crate = SLICE("tool"), .version = SLICE("1.0.0"), .id = SLICE("path+file:///c#tool@1.0.0")},
        {.crate = SLICE("util"), .version = SLICE("1.0.0"), .id = SLICE("path+file:///a#util@1.0.0")},
        {.crate = SLICE("util"), .version = SLICE("1.0.0")},
    };

    (void)state;
    origins_find(packages, 5, &arena);
    for (size_t i = 0; i < 5; i++)
        assert_int_equal(packages[i].origin.length, 0);
    assert_int_equal(build_package_crate(&packages[0]).origin.length, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(packages_with_one_crates_name_and_version_are_told_by_their_own_names),
        cmocka_unit_test(packages_of_one_name_are_told_by_their_sources),
        cmocka_unit_test(ids_of_older_cargo_tell_the_same),
        cmocka_unit_test(what_no_other_shares_needs_no_origin),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
