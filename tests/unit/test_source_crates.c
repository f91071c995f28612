#include "cmocka_all.h"

#include "size/source_crates.h"

struct fixture {
    struct size_crates crates;
    struct source_crates sources;
};

static int set_up(void **state)
{
    static struct fixture f;

    f = (struct fixture){0};
    *state = &f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;

    source_crates_done(&f->sources);
    size_crates_done(&f->crates);
    return 0;
}

static void assert_crate(struct fixture *f, const char *path, const char *name, const char *version)
{
    uint32_t crate = source_crates_find(&f->sources, slice_of(path), &f->crates);

    assert_int_not_equal(crate, SIZE_NO_CRATE);
    assert_true(slice_is(f->crates.items.items[crate].name, name));
    assert_true(slice_is(f->crates.items.items[crate].version, version));
}

static void give_units(struct fixture *f, struct unit *units, uint32_t *crates, size_t count)
{
    struct units found = {.items = {.items = units, .count = count}};

    source_crates_add_units(&f->sources, &found, &(struct unit_crates){.of_unit = crates});
}

static void a_file_is_of_the_innermost_package_of_the_build_that_holds_it(void **state)
{
    struct fixture *f = *state;
    const struct build_package packages[] = {
        {.crate = SLICE("app"), .version = SLICE("0.1.0"), .root = SLICE("/ws"), .is_own = true},
        {.crate = SLICE("dup"), .version = SLICE("1.0.0"), .root = SLICE("/ws/vendor/dup1")},
        {.crate = SLICE("dup"), .version = SLICE("2.0.0"), .root = SLICE("/outside/dup2")},
        {.crate = SLICE("folderless"), .version = SLICE("3.0.0")},
    };

    f->sources.packages = packages;
    f->sources.package_count = ARRAY_COUNT(packages);
    assert_crate(f, "/ws/src/main.rs", "app", "0.1.0");
    assert_crate(f, "/ws/vendor/dup1/src/lib.rs", "dup", "1.0.0");
    assert_crate(f, "/ws/vendor/dup10/src/lib.rs", "app", "0.1.0");
    assert_crate(f, "/outside/dup2/src/lib.rs", "dup", "2.0.0");
    assert_crate(f, "/ws/.cargo/registry/src/index/itoa-1.0.1/src/lib.rs", "itoa", "1.0.1");
    assert_crate(f, "/ws/target/debug/build/dup-0123456789abcdef/out/made.rs", "dup", "");
    assert_int_equal(source_crates_find(&f->sources, SLICE("/elsewhere/x.rs"), &f->crates), SIZE_NO_CRATE);
}

static void without_a_build_it_is_of_the_unit_whose_root_file_is_closest(void **state)
{
    struct fixture *f = *state;
    struct unit units[] = {
        {.name = SLICE("src/lib.rs/@/dup.1a-cgu.0"), .directory = SLICE("/outside/dup1")},
        {.name = SLICE("/outside/dup2/src/lib.rs/@/dup.2b-cgu.0"), .directory = SLICE("/outside/dup2")},
        {.name = SLICE("src/main.rs/@/0di2v8s2khp89y46lxuyx8a6k"), .directory = SLICE("/ws")},
    };
    uint32_t crates[] = {0, 0, SIZE_NO_CRATE};

    for (uint64_t id = 1; id <= 2; id++)
        crates[id - 1] = size_crates_add(&f->crates, &(struct crate_fact){.name = SLICE("dup"), .id = id});
    assert_int_not_equal(crates[0], crates[1]);
    give_units(f, units, crates, ARRAY_COUNT(units));
    assert_int_equal(source_crates_find(&f->sources, SLICE("/outside/dup1/src/a/b.rs"), &f->crates),
                     crates[0]);
    assert_int_equal(source_crates_find(&f->sources, SLICE("/outside/dup2/src/lib.rs"), &f->crates),
                     crates[1]);
    assert_int_equal(source_crates_find(&f->sources, SLICE("/ws/src/main.rs"), &f->crates), SIZE_NO_CRATE);
    assert_crate(f, "/rustc/0123/library/core/src/option.rs", "core", "");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_file_is_of_the_innermost_package_of_the_build_that_holds_it),
        TEST(without_a_build_it_is_of_the_unit_whose_root_file_is_closest),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
