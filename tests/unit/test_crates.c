#include "cmocka_all.h"

#include "dwarf/units.h"
#include "size/crates.h"

static struct size_crates *crates;

static int set_up(void **state)
{
    static struct size_crates fresh;

    fresh = (struct size_crates){0};
    crates = &fresh;
    *state = crates;
    return 0;
}

static int tear_down(void **state)
{
    size_crates_done(*state);
    return 0;
}

static uint32_t add(const char *name, const char *version, uint64_t id, enum crate_kind kind)
{
    struct crate_fact fact = {.name = slice_of(name), .version = slice_of(version), .id = id, .kind = kind};

    return size_crates_add(crates, &fact);
}

static void what_sources_tell_of_a_crate_is_put_together(void **state)
{
    uint32_t crate = add("regex-syntax", "0.8.5", 0, CRATE_KIND_DEPENDENCY);

    (void)state;
    assert_int_equal(add("regex_syntax", NULL, 0x12, CRATE_KIND_UNKNOWN), crate);
    assert_int_equal(add("regex_syntax", NULL, 0, CRATE_KIND_UNKNOWN), crate);
    assert_int_equal(add("regex_syntax", NULL, 0x12, CRATE_KIND_UNKNOWN), crate);
    assert_true(slice_is(crates->items.items[crate].name, "regex_syntax"));
    assert_true(slice_is(crates->items.items[crate].version, "0.8.5"));
    assert_int_equal(crates->items.items[crate].id, 0x12);
    assert_int_equal(crates->items.items[crate].kind, CRATE_KIND_DEPENDENCY);
}

static uint32_t add_own(const char *root, uint64_t id)
{
    struct unit unit = {.name = slice_of(root), .directory = SLICE("/ws")};
    struct crate_fact fact = {.name = SLICE("util"), .id = id};

    crate_fact_locate(&unit, &fact);
    return size_crates_add(crates, &fact);
}

static void crates_of_one_name_in_two_folders_are_two(void **state)
{
    uint32_t one = add_own("u1/src/lib.rs/@/util.1-cgu.0", 1);

    (void)state;
    assert_int_equal(crates->items.items[one].kind, CRATE_KIND_OWN);
    assert_int_not_equal(add_own("u2/src/lib.rs/@/util.2-cgu.0", 2), one);
    assert_int_equal(add_own("u1/src/main.rs/@/util.3-cgu.0", 3), one);
    assert_int_equal(add("util", NULL, 1, CRATE_KIND_UNKNOWN), one);
}

static void of_one_package_files_may_be_anywhere(void **state)
{
    uint32_t one = add("util", "1.0.0", 0, CRATE_KIND_OWN);

    (void)state;
    assert_int_equal(add_own("lib/src/lib.rs/@/util.1-cgu.0", 1), one);
    assert_int_equal(add_own("bin/src/main.rs/@/util.2-cgu.0", 2), one);
}

static void a_version_that_comes_later_is_kept(void **state)
{
    uint32_t crate = add("zstd_sys", NULL, 0, CRATE_KIND_UNKNOWN);

    (void)state;
    assert_int_equal(add("zstd-sys", "2.0.13", 0, CRATE_KIND_DEPENDENCY), crate);
    assert_true(slice_is(crates->items.items[crate].version, "2.0.13"));
}

static void one_of_a_name_is_not_the_one_whose_version_is_known(void **state)
{
    uint32_t bare = size_crates_add_doubtful(crates, SLICE("gimli"));
    uint32_t known = add("hashbrown", "0.15.5", 0, CRATE_KIND_DEPENDENCY);
    uint32_t one = size_crates_add_doubtful(crates, SLICE("hashbrown"));

    (void)state;
    assert_int_equal(size_crates_add_doubtful(crates, SLICE("gimli")), bare);
    assert_false(crates->items.items[bare].is_ambiguous);
    assert_int_not_equal(one, known);
    assert_true(crates->items.items[one].is_ambiguous);
    assert_int_equal(size_crates_add_doubtful(crates, SLICE("hashbrown")), one);
    assert_int_equal(add("hashbrown", NULL, 0, CRATE_KIND_UNKNOWN), known);
}

static void two_versions_are_two_crates_and_a_bare_name_stands_for_both(void **state)
{
    uint32_t old = add("rand", "0.7.3", 1, CRATE_KIND_DEPENDENCY);
    uint32_t new = add("rand", "0.8.5", 2, CRATE_KIND_DEPENDENCY);
    uint32_t either = add("rand", NULL, 0, CRATE_KIND_UNKNOWN);

    (void)state;
    assert_int_not_equal(old, new);
    assert_int_equal(add("rand", NULL, 1, CRATE_KIND_UNKNOWN), old);
    assert_int_equal(add("rand", NULL, 2, CRATE_KIND_UNKNOWN), new);
    assert_int_equal(add("rand", "0.8.5", 3, CRATE_KIND_DEPENDENCY), new);
    assert_int_not_equal(either, old);
    assert_int_not_equal(either, new);
    assert_true(crates->items.items[either].is_ambiguous);
    assert_int_equal(add("rand", NULL, 0, CRATE_KIND_UNKNOWN), either);
    assert_int_equal(crates->items.items[either].version.length, 0);
}

static void a_name_alone_leaves_a_doubt_where_crates_of_several_versions_have_it(void **state)
{
    struct crate_fact fact = {.name = SLICE("rand")};

    (void)state;
    assert_false(size_crates_leave_doubt(crates, &fact));
    add("rand", "0.7.3", 0, CRATE_KIND_DEPENDENCY);
    add("rand", "0.8.5", 0, CRATE_KIND_STD);
    assert_true(size_crates_leave_doubt(crates, &fact));
    fact.kind = CRATE_KIND_DEPENDENCY;
    assert_false(size_crates_leave_doubt(crates, &fact));
    add("rand", "0.8.5", 0, CRATE_KIND_DEPENDENCY);
    assert_true(size_crates_leave_doubt(crates, &fact));
    fact.version = SLICE("0.8.5");
    assert_false(size_crates_leave_doubt(crates, &fact));
}

static uint32_t add_of(const char *origin, const char *version, uint64_t id)
{
    return size_crates_add(crates, &(struct crate_fact){.name = SLICE("util"),
                                                        .version = slice_of(version),
                                                        .id = id,
                                                        .kind = CRATE_KIND_OWN,
                                                        .origin = slice_of(origin)});
}

static void two_packages_of_one_version_are_two_crates(void **state)
{
    uint32_t one = add_of("of util", "0.1.0", 0);
    uint32_t two = add_of("of zed", "0.1.0", 0);
    uint32_t either = 0;

    (void)state;
    assert_int_not_equal(one, two);
    assert_true(slice_is(crates->items.items[two].origin, "of zed"));
    assert_int_equal(add_of("of zed", "0.1.0", 0x12), two);
    assert_int_equal(add("util", NULL, 0x12, CRATE_KIND_UNKNOWN), two);
    assert_int_equal(add_of("of util", "0.1.0", 0x34), one);
    assert_int_equal(add("util", NULL, 0x34, CRATE_KIND_UNKNOWN), one);
    /* Name and version may be of either's. */
    either = add("util", "0.1.0", 0, CRATE_KIND_DEPENDENCY);
    assert_true(either != one && either != two);
    assert_int_equal(add("util", "0.1.0", 0, CRATE_KIND_UNKNOWN), either);
    assert_int_equal(crates->items.items[either].origin.length, 0);
}

static void a_package_that_comes_later_is_kept(void **state)
{
    uint32_t crate = add("util", "0.1.0", 0, CRATE_KIND_OWN);

    (void)state;
    assert_int_equal(add_of("of zed", "0.1.0", 0), crate);
    assert_true(slice_is(crates->items.items[crate].origin, "of zed"));
    assert_int_equal(add("util", "0.1.0", 0, CRATE_KIND_OWN), crate);
}

static void a_hash_that_no_library_of_the_name_has_is_the_programs(void **state)
{
    struct crate_fact library = {.name = SLICE("sd"), .version = SLICE("1.0.0"), .origin = SLICE("of sd")};
    struct crate_fact program = {
        .name = SLICE("sd"), .version = SLICE("1.0.0"), .origin = SLICE("of sd-cli")};
    uint32_t of_library;
    uint32_t of_program;

    (void)state;
    library.kind = program.kind = CRATE_KIND_OWN;
    program.is_last = true;
    of_library = size_crates_add(crates, &library);
    library.id = 0xde;
    assert_int_equal(size_crates_add(crates, &library), of_library);
    of_program = size_crates_add(crates, &program);
    assert_int_not_equal(of_program, of_library);
    assert_int_equal(add("sd", NULL, 0xfd, CRATE_KIND_UNKNOWN), of_program);
    assert_int_equal(add("sd", NULL, 0xde, CRATE_KIND_UNKNOWN), of_library);
    assert_int_not_equal(add("sd", NULL, 0x57, CRATE_KIND_STD), of_program);
}

static void hashes_tell_crates_apart_where_versions_are_not_known(void **state)
{
    uint32_t one = add("rand", NULL, 1, CRATE_KIND_UNKNOWN);

    (void)state;
    assert_int_not_equal(add("rand", NULL, 2, CRATE_KIND_UNKNOWN), one);
    assert_int_equal(add("rand", NULL, 1, CRATE_KIND_UNKNOWN), one);
}

static void the_library_and_the_program_of_a_package_are_one(void **state)
{
    uint32_t library = add("app", NULL, 1, CRATE_KIND_OWN);

    (void)state;
    assert_int_equal(add("app", NULL, 2, CRATE_KIND_OWN), library);
}

static void stds_copy_of_a_crate_is_not_the_programs(void **state)
{
    uint32_t own = add("hashbrown", "0.14.0", 0, CRATE_KIND_DEPENDENCY);

    (void)state;
    assert_int_not_equal(add("hashbrown", "0.15.2", 7, CRATE_KIND_STD), own);
}

/* Whose sources are where those of dependencies are. */
static void what_cargo_has_built_for_std_is_stds(void **state)
{
    struct crate_fact fact = {
        .name = SLICE("gimli"), .version = SLICE("0.32.3"), .kind = CRATE_KIND_STD, .is_for_std = true};
    uint32_t stds = size_crates_add(crates, &fact);

    (void)state;
    assert_int_equal(add("gimli", "0.32.3", 7, CRATE_KIND_DEPENDENCY), stds);
    assert_int_equal(crates->items.items[stds].kind, CRATE_KIND_STD);
    assert_int_not_equal(add("gimli", "0.31.0", 8, CRATE_KIND_DEPENDENCY), stds);
    assert_int_not_equal(add("gimli", "", 9, CRATE_KIND_DEPENDENCY), stds);
}

static void a_version_means_its_crate_beside_others_of_unknown_versions(void **state)
{
    uint32_t programs = add("memchr", "2.6.4", 0, CRATE_KIND_DEPENDENCY);
    uint32_t stds = add("memchr", "", 7, CRATE_KIND_STD);

    (void)state;
    assert_int_not_equal(programs, stds);
    assert_int_equal(add("memchr", "2.6.4", 0, CRATE_KIND_UNKNOWN), programs);
    assert_int_equal(add("memchr", "", 0, CRATE_KIND_DEPENDENCY), programs);
}

static void names_are_shared_only_by_crates_that_have_bytes(void **state)
{
    uint32_t old = add("rand", "0.7.3", 1, CRATE_KIND_DEPENDENCY);
    uint32_t new = add("rand", "0.8.5", 2, CRATE_KIND_DEPENDENCY);
    bool is_used[2] = {false};

    (void)state;
    is_used[old] = true;
    assert_false(size_crates_share_name(crates, old, is_used));
    is_used[new] = true;
    assert_true(size_crates_share_name(crates, old, is_used));
}

static void codegen_units_name_their_crate(void **state)
{
    struct crate_fact fact = {0};

    (void)state;
    assert_true(crate_fact_of_codegen_unit(SLICE("fd.1a2b3c-cgu.0"), &fact));
    assert_true(slice_is(fact.name, "fd"));
    assert_int_equal(fact.id, 0x1a2b3c);
    assert_int_equal(fact.kind, CRATE_KIND_UNKNOWN);
    assert_true(crate_fact_of_codegen_unit(SLICE("core.12-cgu.11"), &fact));
    assert_int_equal(fact.kind, CRATE_KIND_STD);
    assert_false(crate_fact_of_codegen_unit(SLICE("crtstuff.c"), &fact));
    assert_false(crate_fact_of_codegen_unit(SLICE(".12-cgu.0"), &fact));
    assert_false(crate_fact_of_codegen_unit(SLICE("fd.xyz-cgu.0"), &fact));
    assert_false(crate_fact_of_codegen_unit(SLICE("fd.12-abc"), &fact));
}

static void assert_path(const char *directory, const char *path, const char *name, const char *version,
                        enum crate_kind kind)
{
    struct crate_fact fact = crate_fact_of_path(slice_of(directory), slice_of(path));

    assert_true(slice_is(fact.name, name));
    assert_true(slice_is(fact.version, version));
    assert_int_equal(fact.kind, kind);
}

static void paths_of_sources_name_their_package(void **state)
{
    (void)state;
    assert_path("/home/u/.cargo/registry/src/index.crates.io-1/zstd-sys-2.0.13", "zstd/lib/compress.c",
                "zstd-sys", "2.0.13", CRATE_KIND_DEPENDENCY);
    assert_path("/work", "/home/u/.cargo/registry/src/index/memchr-2.7.4/src/lib.rs", "memchr", "2.7.4",
                CRATE_KIND_DEPENDENCY);
    assert_path("/t/release/build/jemalloc-sys-0123456789abcdef/out/build", "src/arena.c", "jemalloc-sys", "",
                CRATE_KIND_DEPENDENCY);
    assert_path("/x", "/rust/deps/hashbrown-0.16.0/src/lib.rs", "hashbrown", "0.16.0", CRATE_KIND_STD);
    assert_path("/work", "src/main.rs", "", "", CRATE_KIND_UNKNOWN);
    assert_path("/t/build/short-01/out", "a.c", "", "", CRATE_KIND_UNKNOWN);
    /* What counts is the file, wherever it was compiled. */
    assert_path("/home/u/.cargo/registry/src/index/a-1.0.0", "/usr/include/x.h", "", "", CRATE_KIND_UNKNOWN);
}

static void a_unit_that_is_split_is_named_by_its_file(void **state)
{
    struct unit unit = {.directory = SLICE("/work"),
                        .split_name = SLICE("/t/app.1/app-01.app.12-cgu.0.rcgu.dwo")};
    struct crate_fact fact = {0};

    (void)state;
    assert_true(crate_fact_of_unit(&unit, &fact));
    assert_true(slice_is(fact.name, "app"));
    assert_int_equal(fact.id, 0x12);
    assert_int_equal(fact.kind, CRATE_KIND_UNKNOWN);
    unit.directory = SLICE("/home/u/.cargo/registry/src/index/dep-1.0.0");
    unit.split_name = SLICE("dep-02.dep.34-cgu.1.rcgu.dwo");
    assert_true(crate_fact_of_unit(&unit, &fact));
    assert_true(slice_is(fact.name, "dep"));
    assert_true(slice_is(fact.version, "1.0.0"));
    assert_int_equal(fact.kind, CRATE_KIND_DEPENDENCY);
    unit.split_name = SLICE("main.dwo");
    assert_false(crate_fact_of_unit(&unit, &fact));
    unit.split_name = SLICE("");
    assert_false(crate_fact_of_unit(&unit, &fact));
}

static void assert_object(const char *file, const char *unit, const char *name)
{
    struct crate_fact fact = {0};

    assert_true(slice_is(codegen_unit_of_object(slice_of(file)), unit));
    assert_int_equal(crate_fact_of_object(slice_of(file), &fact), name != NULL);
    assert_true(slice_is(fact.name, name ? name : ""));
}

static void an_object_of_an_incremental_build_has_its_crate_before_the_hash(void **state)
{
    (void)state;
    assert_object("my_app-0123.0di2v8s2khp89y46lxuyx8a6k.06tbsqy.rcgu.o", "0di2v8s2khp89y46lxuyx8a6k",
                  "my_app");
    assert_object("app-0123.4kzn7wq8x1c2v3b4.rcgu.dwo", "4kzn7wq8x1c2v3b4", "app");
    assert_object("textindexer-0123.textindexer.12-cgu.0.rcgu.o", "textindexer.12-cgu.0", "textindexer");
    assert_object("0di2v8s2khp89y46lxuyx8a6k.rcgu.o", "", NULL);
    assert_object("0123456789abcdef-compressed01.o", "", NULL);
    assert_object("", "", NULL);
    assert_true(codegen_unit_is_hashed(SLICE("0di2v8s2khp89y46lxuyx8a6k")));
    assert_false(codegen_unit_is_hashed(SLICE("0di2v8s2khp89y46lxuyx8a6kx")));
    assert_false(codegen_unit_is_hashed(SLICE("0di2v8s2k")));
    assert_false(codegen_unit_is_hashed(SLICE("app.1a2b3c-cgu.0")));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(what_sources_tell_of_a_crate_is_put_together),
        TEST(crates_of_one_name_in_two_folders_are_two),
        TEST(of_one_package_files_may_be_anywhere),
        TEST(a_version_that_comes_later_is_kept),
        TEST(one_of_a_name_is_not_the_one_whose_version_is_known),
        TEST(two_versions_are_two_crates_and_a_bare_name_stands_for_both),
        TEST(a_name_alone_leaves_a_doubt_where_crates_of_several_versions_have_it),
        TEST(two_packages_of_one_version_are_two_crates),
        TEST(a_package_that_comes_later_is_kept),
        TEST(a_hash_that_no_library_of_the_name_has_is_the_programs),
        TEST(hashes_tell_crates_apart_where_versions_are_not_known),
        TEST(the_library_and_the_program_of_a_package_are_one),
        TEST(stds_copy_of_a_crate_is_not_the_programs),
        TEST(what_cargo_has_built_for_std_is_stds),
        TEST(a_version_means_its_crate_beside_others_of_unknown_versions),
        TEST(names_are_shared_only_by_crates_that_have_bytes),
        TEST(codegen_units_name_their_crate),
        TEST(paths_of_sources_name_their_package),
        TEST(a_unit_that_is_split_is_named_by_its_file),
        TEST(an_object_of_an_incremental_build_has_its_crate_before_the_hash),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
