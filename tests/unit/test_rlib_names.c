#include "cmocka_all.h"

#include <string.h>

#include "memory_file.h"
#include "size/rlib_names.h"

#define FIRST "_ZN4core3ptr31drop_in_place$LT$app..Input$GT$17h0123456789abcdefE"
#define SECOND "_ZN5alloc3vec12Vec$LT$T$GT$4push17hfedcba9876543210E"
#define THIRD "_ZN3dep3run17h00112233445566ffE"
#define V0 "_RNvCs1_3dep3run"

enum { DEP, OTHER, BLOCK_BYTES = 1 << 20 };

static void add_member(struct text *archive, const char *name, struct slice data)
{
    text_format(archive, "%-16s%-12s%-6s%-6s%-8s%-10zu`\n", name, "0", "0", "0", "644", data.length);
    text_add(archive, data);
    if (data.length % 2 > 0)
        text_add_byte(archive, '\n');
}

/* A library of one member, whose name is no longer than 15 bytes. */
static struct memory_file library_with(const char *member, struct slice data)
{
    SCOPED(text_done) struct text archive = {0};
    SCOPED(text_done) struct text name = {0};

    text_add_string(&archive, "!<arch>\n");
    text_format(&name, "%s/", member);
    add_member(&archive, text_string(&name), data);
    return memory_file_new(text_slice(&archive));
}

static void read_library(struct rlib_names *names, const char *member, struct slice data, uint32_t crate)
{
    struct memory_file file = library_with(member, data);

    assert_true(rlib_names_read(names, file.path, crate));
    memory_file_done(&file);
}

static void want_all(struct rlib_names *names)
{
    rlib_names_want(names, SLICE(FIRST));
    rlib_names_want(names, SLICE(SECOND ".llvm.123"));
    rlib_names_want(names, SLICE(THIRD));
    rlib_names_want(names, SLICE("main"));
    rlib_names_want(names, SLICE(V0));
}

static void assert_found(struct rlib_names *names, const char *symbol, uint32_t expected)
{
    uint32_t crate = 77;

    assert_true(rlib_names_find(names, slice_of(symbol), &crate));
    assert_int_equal(crate, expected);
}

static void the_only_library_with_a_name_is_found(void **state)
{
    SCOPED(rlib_names_done) struct rlib_names names = {0};
    uint32_t crate = 0;

    (void)state;
    want_all(&names);
    /* Bitcode has them one behind the other. */
    read_library(&names, "dep.rcgu.o", SLICE("BC17h_17h012" FIRST SECOND "17h01"), DEP);
    read_library(&names, "other.rcgu.o", SLICE(THIRD), OTHER);
    assert_found(&names, FIRST, DEP);
    assert_found(&names, FIRST ".cold", DEP);
    assert_found(&names, SECOND ".llvm.9", DEP);
    assert_found(&names, THIRD, OTHER);
    assert_false(rlib_names_find(&names, SLICE("main"), &crate));
    assert_false(rlib_names_find(&names, SLICE("_ZN3dep4stop17h0000000000000000E"), &crate));
}

static bool is_other(const char *library, const char *crate)
{
    SCOPED(rlib_names_done) struct rlib_names names = {0};
    struct memory_file file = library_with("dep.rcgu.o", slice_of(library));
    bool is_other = false;

    rlib_names_want(&names, SLICE("_ZN3dep3run17h0123456789abcdefE"));
    rlib_names_want(&names, SLICE("_ZN3dep4halt17h0123456789abcde1E"));
    rlib_names_want(&names, SLICE("_ZN38_$LT$dep..T$u20$as$u20$core..Clone$GT$5clone17h0123456789abcde2E"));
    rlib_names_want(&names, SLICE("_ZN4core3ops4drop17h0123456789abcde0E"));
    rlib_names_want(&names, SLICE("_ZN32_$LT$u64$u20$as$u20$dep..Num$GT$3fmt17h0123456789abcde3E"));
    assert_true(rlib_names_compare(&names, file.path, DEP, slice_of(crate), &is_other));
    assert_int_equal(rlib_names_has_path(&names, SLICE("_ZN3dep3run17h0123456789abcdefE")),
                     strcmp(crate, "dep") == 0 && strstr(library, "3run") != NULL);
    memory_file_done(&file);
    return is_other;
}

static void a_library_whose_own_functions_differ_in_the_hash_alone_is_of_another_build(void **state)
{
    (void)state;
    assert_true(is_other("x_ZN3dep4stop17h00000000000000aaE_ZN3dep3run17h00000000000000aaE", "dep"));
    /* Of a generic any crate has instances with hashes of their own. */
    assert_false(is_other("_ZN3dep3run17h00000000000000aaE_ZN3dep4halt17h0123456789abcde1E", "dep"));
    /* Libraries name what they call. */
    assert_true(is_other("_ZN3dep3run17h00000000000000aaE_ZN4core3ops4drop17h0123456789abcde0E", "dep"));
    assert_false(is_other("_ZN4core3ops4drop17h00000000000000aaE", "dep"));
    assert_false(is_other("_ZN3dep4stop17h00000000000000aaE", "dep"));
    assert_false(is_other("_ZN3dep3run17h00000000000000aaE", "de"));
    assert_true(is_other("_ZN38_$LT$dep..T$u20$as$u20$core..Clone$GT$5clone17h00000000000000aaE", "dep"));
    assert_false(is_other("_ZN38_$LT$dep..T$u20$as$u20$core..Clone$GT$5clone17h00000000000000aaE", "core"));
    /* An impl of its trait for a type of others. */
    assert_true(is_other("_ZN32_$LT$u64$u20$as$u20$dep..Num$GT$3fmt17h00000000000000aaE", "dep"));
}

static void a_point_within_a_name_does_not_end_it(void **state)
{
    static const char shim[] = "_ZN4core3ops8function6FnOnce40call_once$u7b$$u7b$vtable.shim$u7d$$u7d$"
                               "17h0123456789abcdefE";
    SCOPED(rlib_names_done) struct rlib_names names = {0};

    (void)state;
    rlib_names_want(&names, slice_of(shim));
    read_library(&names, "dep.rcgu.o", slice_of(shim), DEP);
    assert_found(&names, shim, DEP);
}

static void what_several_have_or_none_is_no_ones(void **state)
{
    SCOPED(rlib_names_done) struct rlib_names names = {0};
    uint32_t crate = 0;

    (void)state;
    want_all(&names);
    read_library(&names, "dep.rcgu.o", SLICE(FIRST SECOND SECOND), DEP);
    read_library(&names, "other.rcgu.o", SLICE(FIRST), OTHER);
    read_library(&names, "lib.rmeta", SLICE(THIRD), OTHER);
    assert_false(rlib_names_find(&names, SLICE(FIRST), &crate));
    assert_found(&names, SECOND, DEP);
    assert_found(&names, THIRD, SIZE_NO_CRATE);
    assert_false(rlib_names_read(&names, "/nowhere/libdep.rlib", DEP));
}

static void assert_found_across_blocks(struct slice name)
{
    for (size_t before = 0; before <= name.length; before++) {
        SCOPED(rlib_names_done) struct rlib_names names = {0};
        SCOPED(text_done) struct text data = {0};

        want_all(&names);
        text_add_repeated(&data, 'x', BLOCK_BYTES - before);
        text_add(&data, name);
        text_add_byte(&data, '_');
        read_library(&names, "dep.rcgu.o", text_slice(&data), DEP);
        assert_found(&names, name.data, DEP);
    }
}

static void a_name_may_go_from_block_to_block(void **state)
{
    (void)state;
    assert_found_across_blocks(SLICE(SECOND));
    assert_found_across_blocks(SLICE(V0));
}

static void a_v0_name_ends_where_it_says(void **state)
{
    SCOPED(rlib_names_done) struct rlib_names names = {0};

    (void)state;
    rlib_names_want(&names, SLICE(V0));
    rlib_names_want(&names, SLICE("_RNvCs1_3dep4stop.llvm.5"));
    rlib_names_want(&names, SLICE("_RNvCs1_3dep4halt"));
    rlib_names_want(&names, SLICE("_RNvCs1_3dep1a"));
    read_library(&names, "dep.rcgu.o", SLICE("BC_R_RNv" V0 "_RNvCs1_3dep4stop_ZN_RNvCs1_3dep1b_RNvCs1_"),
                 DEP);
    /* Of an instance the crate follows that has made it. */
    read_library(&names, "other.rcgu.o", SLICE(V0 "Cs2_5other_RNvCs1_3dep4haltllvm.memcpy"), OTHER);
    assert_found(&names, V0, DEP);
    assert_found(&names, "_RNvCs1_3dep4stop.cold", DEP);
    assert_found(&names, "_RNvCs1_3dep4halt", OTHER);
    assert_found(&names, "_RNvCs1_3dep1a", SIZE_NO_CRATE);
}

static void another_name_with_the_same_hash_is_another(void **state)
{
    SCOPED(rlib_names_done) struct rlib_names names = {0};
    uint32_t crate = 0;

    (void)state;
    rlib_names_want(&names, SLICE(THIRD));
    read_library(&names, "dep.rcgu.o", SLICE("_ZN3dep3fun17h00112233445566ffE"), DEP);
    assert_found(&names, THIRD, SIZE_NO_CRATE);
    assert_false(rlib_names_find(&names, SLICE("_ZN3dep3fun17h00112233445566ffE"), &crate));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_only_library_with_a_name_is_found),
        cmocka_unit_test(a_library_whose_own_functions_differ_in_the_hash_alone_is_of_another_build),
        cmocka_unit_test(a_point_within_a_name_does_not_end_it),
        cmocka_unit_test(what_several_have_or_none_is_no_ones),
        cmocka_unit_test(a_name_may_go_from_block_to_block),
        cmocka_unit_test(a_v0_name_ends_where_it_says),
        cmocka_unit_test(another_name_with_the_same_hash_is_another),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
