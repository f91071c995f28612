#include "cmocka_all.h"

#include "size/crate_paths.h"

#define HASH "17h0123456789abcdefE"

enum { OLD, NEW };

struct fixture {
    struct crate_paths paths;
    struct symbol symbol;
};

static int set_up(void **state)
{
    static struct fixture fixture;

    fixture = (struct fixture){0};
    *state = &fixture;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;

    crate_paths_done(&f->paths);
    symbol_done(&f->symbol);
    return 0;
}

static void add(struct fixture *f, const char *name, uint32_t crate)
{
    symbol_parse(&f->symbol, slice_of(name));
    crate_paths_add(&f->paths, &f->symbol, crate);
}

static void assert_found(struct fixture *f, const char *name, uint32_t crate)
{
    symbol_parse(&f->symbol, slice_of(name));
    assert_int_equal(crate_paths_find(&f->paths, &f->symbol), crate);
}

static void a_function_is_of_the_crate_that_has_the_one_around_it(void **state)
{
    struct fixture *f = *state;

    add(f, "_ZN3dep4guts6refill" HASH, NEW);
    add(f, "_ZN3dep4guts4init" HASH, OLD);
    assert_found(f, "_ZN3dep4guts6refill3avx" HASH, NEW);
    assert_found(f, "_ZN3dep4guts4init3avx" HASH, OLD);
    assert_found(f, "_ZN3dep4guts4init3avx28_$u7b$$u7b$closure$u7d$$u7d$" HASH, OLD);
    assert_found(f, "_ZN3dep4guts5other" HASH, SIZE_NO_CRATE);
}

static void a_module_of_one_crate_alone_tells_of_all_in_it(void **state)
{
    struct fixture *f = *state;

    add(f, "_ZN3dep4guts6refill" HASH, NEW);
    add(f, "_ZN3dep4core3run" HASH, OLD);
    assert_found(f, "_ZN3dep4guts4init3avx" HASH, NEW);
    assert_found(f, "_ZN53_$LT$dep..guts..State$u20$as$u20$core..fmt..Debug$GT$3fmt" HASH, NEW);
    assert_found(f, "_ZN3dep4core4stop" HASH, OLD);
}

static void the_crate_alone_tells_nothing(void **state)
{
    struct fixture *f = *state;

    add(f, "_ZN3dep3run" HASH, NEW);
    assert_found(f, "_ZN3dep4stop" HASH, SIZE_NO_CRATE);
    assert_found(f, "_ZN3dep4guts4init" HASH, SIZE_NO_CRATE);
    assert_found(f, "_ZN3dep3run5inner" HASH, NEW);
}

static void names_without_a_legacy_path_tell_nothing(void **state)
{
    struct fixture *f = *state;

    add(f, "memcpy", NEW);
    add(f, "_RNvNtCs1_3dep4guts6refill", NEW);
    assert_found(f, "memcpy", SIZE_NO_CRATE);
    assert_found(f, "_RNvNtCs1_3dep4guts4init", SIZE_NO_CRATE);
    assert_found(f, "_ZN3dep4guts4init" HASH, SIZE_NO_CRATE);
}

static void a_library_that_cannot_be_read_tells_nothing(void **state)
{
    struct fixture *f = *state;

    crate_paths_read(&f->paths, "/nowhere/libdep.rlib", NEW);
    assert_found(f, "_ZN3dep4guts4init" HASH, SIZE_NO_CRATE);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_function_is_of_the_crate_that_has_the_one_around_it),
        TEST(a_module_of_one_crate_alone_tells_of_all_in_it),
        TEST(the_crate_alone_tells_nothing),
        TEST(names_without_a_legacy_path_tell_nothing),
        TEST(a_library_that_cannot_be_read_tells_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
