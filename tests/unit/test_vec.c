#include "cmocka_all.h"

#include "base/vec.h"

static int compare_numbers(const void *a, const void *b)
{
    const int *left = a;
    const int *right = b;

    return (*left > *right) - (*left < *right);
}

static void items_stay_in_the_order_they_were_added(void **state)
{
    (void)state;
    VEC(int) numbers = {0};

    for (int i = 0; i < 1000; i++)
        *vec_add(&numbers) = i * 3;
    assert_int_equal(numbers.count, 1000);
    assert_true(numbers.capacity >= numbers.count);
    for (int i = 0; i < 1000; i++)
        assert_int_equal(numbers.items[i], i * 3);
    vec_done(&numbers);
}

static void an_array_that_is_done_is_empty_and_ready(void **state)
{
    (void)state;
    VEC(char) letters = {0};

    vec_done(&letters);
    *vec_add(&letters) = 'a';
    vec_done(&letters);
    assert_null(letters.items);
    assert_int_equal(letters.count, 0);
    assert_int_equal(letters.capacity, 0);
    *vec_add(&letters) = 'b';
    assert_int_equal(letters.items[0], 'b');
    vec_done(&letters);
}

static void sorting_takes_none_one_and_many(void **state)
{
    (void)state;
    VEC(int) numbers = {0};

    vec_sort(&numbers, compare_numbers);
    for (int i = 0; i < 100; i++) {
        *vec_add(&numbers) = i * 37 % 100;
        vec_sort(&numbers, compare_numbers);
    }
    for (int i = 0; i < 100; i++)
        assert_int_equal(numbers.items[i], i);
    vec_done(&numbers);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(items_stay_in_the_order_they_were_added),
        cmocka_unit_test(an_array_that_is_done_is_empty_and_ready),
        cmocka_unit_test(sorting_takes_none_one_and_many),
    };

    return cmocka_run_group_tests_name("vec", tests, NULL, NULL);
}
