#include "cmocka_all.h"

#include <stdlib.h>
#include <string.h>

#include "groups.h"

struct fixture {
    struct groups groups;
    struct arena arena;
};

static int setup(void **state)
{
    *state = calloc(1, sizeof(struct fixture));
    return *state ? 0 : -1;
}

static int teardown(void **state)
{
    struct fixture *f = *state;

    groups_done(&f->groups);
    arena_done(&f->arena);
    free(f);
    return 0;
}

/* core::ptr::drop_in_place::<sample::db::TYPE>, instantiated by sample. */
#define DROP(type) "_RINvNtCsgEmfK2I1SDS_4core3ptr13drop_in_placeNtNtCsh8XBZYaBucJ_6sample2db" type "EBK_"
/* <sample::frame::Error as From<…>>::from of impl number N + 2, made for str. */
#define FROM_STR(n)                                                                                          \
    "_RNvXs" n "_NtCsh8XBZYaBucJ_6sample5frameNtB5_5ErrorINtNtCsgEmfK2I1SDS_4core7convert4FromReE4from"
#define MAIN "_RNvCsh8XBZYaBucJ_6sample4main"
#define MAIN_OF_ANOTHER_VERSION "_RNvCsgXBZYaBucJ_6sample4main"

static void add(struct fixture *f, const char *symbol, uint64_t lines)
{
    groups_add(&f->groups, slice_of(symbol), lines);
}

static void assert_label(struct fixture *f, size_t index, const char *label)
{
    struct slice found = groups_labels(&f->groups, &f->arena)[index];

    assert_string_equal(found.data, label);
    assert_int_equal(found.length, strlen(label));
}

static void instances_of_one_generic_are_one_group(void **state)
{
    struct fixture *f = *state;

    add(f, DROP("5Entry"), 10);
    add(f, MAIN, 1);
    add(f, DROP("5State"), 5);
    assert_int_equal(f->groups.items.count, 2);
    assert_int_equal(f->groups.items.items[0].lines, 15);
    assert_int_equal(f->groups.items.items[0].copies, 2);
    assert_int_equal(f->groups.items.items[1].lines, 1);
    assert_int_equal(f->groups.lines, 16);
    assert_int_equal(f->groups.copies, 3);
    assert_label(f, 0, "core::ptr::drop_in_place");
    assert_label(f, 1, "sample::main");
}

static void impls_of_one_name_are_told_apart_by_their_numbers(void **state)
{
    struct fixture *f = *state;

    add(f, FROM_STR("1"), 1);
    assert_label(f, 0, "<sample::frame::Error as core::convert::From>::from");
    add(f, FROM_STR("2"), 1);
    assert_label(f, 0, "<sample::frame::Error as core::convert::From>::from (impl#3)");
    assert_label(f, 1, "<sample::frame::Error as core::convert::From>::from (impl#4)");
}

static void two_versions_of_a_crate_are_told_apart_by_their_hashes(void **state)
{
    struct fixture *f = *state;

    add(f, MAIN, 1);
    add(f, MAIN_OF_ANOTHER_VERSION, 2);
    assert_int_equal(f->groups.items.count, 2);
    assert_label(f, 0, "sample[c7b16cb26e97d847]::main");
    assert_label(f, 1, "sample[32fbc6a462e8447]::main");
}

static void names_that_are_not_rusts_stay_as_they_are(void **state)
{
    struct fixture *f = *state;

    add(f, "main", 1);
    add(f, "quoted \"name\"", 2);
    add(f, "main", 3);
    assert_int_equal(f->groups.items.count, 2);
    assert_label(f, 0, "main");
    assert_label(f, 1, "quoted \"name\"");
}

static void nothing_is_no_group(void **state)
{
    struct fixture *f = *state;

    assert_non_null(groups_labels(&f->groups, &f->arena));
    assert_int_equal(f->groups.items.count, 0);
    assert_int_equal(f->groups.lines, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(instances_of_one_generic_are_one_group, setup, teardown),
        cmocka_unit_test_setup_teardown(impls_of_one_name_are_told_apart_by_their_numbers, setup, teardown),
        cmocka_unit_test_setup_teardown(two_versions_of_a_crate_are_told_apart_by_their_hashes, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(names_that_are_not_rusts_stay_as_they_are, setup, teardown),
        cmocka_unit_test_setup_teardown(nothing_is_no_group, setup, teardown),
    };

    return cmocka_run_group_tests_name("groups", tests, NULL, NULL);
}
