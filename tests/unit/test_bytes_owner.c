#include "cmocka_all.h"

#include "account/owner.h"

/* Functions 0 and 1 are of group 0, function 2 is of group 1. */
static const uint32_t groups[] = {0, 0, 1};
static const struct owner_space space = {groups, 3};

static void one_function_stays_the_owner(void **state)
{
    (void)state;
    assert_int_equal(owner_join(&space, 1, 1), 1);
    assert_int_equal(owner_join(&space, OWNER_NONE, 1), 1);
    assert_int_equal(owner_join(&space, 1, OWNER_NONE), 1);
    assert_int_equal(owner_join(&space, OWNER_NONE, OWNER_NONE), OWNER_NONE);
}

static void functions_of_one_group_make_the_group_the_owner(void **state)
{
    uint32_t group = owner_of_group(&space, 0);

    (void)state;
    assert_int_equal(owner_join(&space, 0, 1), group);
    assert_int_equal(owner_join(&space, group, 0), group);
    assert_int_equal(owner_join(&space, 1, group), group);
    assert_int_equal(owner_group(&space, group), 0);
    assert_int_equal(owner_group(&space, 2), 1);
}

static void several_groups_share(void **state)
{
    (void)state;
    assert_int_equal(owner_join(&space, 0, 2), OWNER_SHARED);
    assert_int_equal(owner_join(&space, owner_of_group(&space, 0), 2), OWNER_SHARED);
    assert_int_equal(owner_join(&space, OWNER_SHARED, 0), OWNER_SHARED);
    assert_int_equal(owner_join(&space, OWNER_SHARED, OWNER_NONE), OWNER_SHARED);
    assert_int_equal(owner_group(&space, OWNER_SHARED), OWNER_SHARED);
}

static void the_order_of_joining_makes_no_difference(void **state)
{
    const uint32_t owners[] = {OWNER_NONE,  0, 1, 2, owner_of_group(&space, 0), owner_of_group(&space, 1),
                               OWNER_SHARED};
    enum { COUNT = sizeof(owners) / sizeof(owners[0]) };

    (void)state;
    for (size_t a = 0; a < COUNT; a++)
        for (size_t b = 0; b < COUNT; b++)
            for (size_t c = 0; c < COUNT; c++) {
                uint32_t left = owner_join(&space, owner_join(&space, owners[a], owners[b]), owners[c]);
                uint32_t right = owner_join(&space, owners[a], owner_join(&space, owners[c], owners[b]));

                assert_int_equal(left, right);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_function_stays_the_owner),
        cmocka_unit_test(functions_of_one_group_make_the_group_the_owner),
        cmocka_unit_test(several_groups_share),
        cmocka_unit_test(the_order_of_joining_makes_no_difference),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
