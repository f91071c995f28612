#include "cmocka_all.h"

#include "base/compiler.h"
#include "collect/copy_size.h"

enum { MANY = 1000, ROUND = 7, HZ = 997 };

static enum copy_change changes(struct copy_size *size)
{
    uint32_t from_round = 0;

    return copy_size_changes(size, HZ, &from_round);
}

/* Many are completed, and one is known to stand. */
static void note_good(struct copy_size *size, uint32_t round)
{
    copy_size_note(size, COPY_USE_COMPLETED, MANY, round);
    copy_size_note(size, COPY_USE_STANDS, 1, round);
}

static void fewer_are_copied_once_many_deeper_stacks_were_completed(void **state)
{
    struct copy_size size = {0};

    (void)state;
    copy_size_note(&size, COPY_USE_COMPLETED, 100, ROUND);
    copy_size_note(&size, COPY_USE_STANDS, 1, ROUND);
    assert_int_equal(changes(&size), COPY_STAYS);
    copy_size_note(&size, COPY_USE_COMPLETED, 100, ROUND);
    assert_int_equal(changes(&size), COPY_FEWER);
    assert_true(size.is_small);
    assert_int_equal(changes(&size), COPY_STAYS);
}

static void more_are_asked_for_where_samples_come_more_often(void **state)
{
    struct copy_size size = {0};
    uint32_t from_round = 0;

    (void)state;
    copy_size_note(&size, COPY_USE_COMPLETED, 499, ROUND);
    copy_size_note(&size, COPY_USE_STANDS, 1, ROUND);
    assert_int_equal(copy_size_changes(&size, 4000, &from_round), COPY_STAYS);
    copy_size_note(&size, COPY_USE_COMPLETED, 1, ROUND);
    assert_int_equal(copy_size_changes(&size, 4000, &from_round), COPY_FEWER);
}

static void nothing_changes_before_one_is_known_to_stand(void **state)
{
    struct copy_size size = {0};

    (void)state;
    copy_size_note(&size, COPY_USE_COMPLETED, MANY, ROUND);
    copy_size_note(&size, COPY_USE_STANDS, 0, ROUND);
    assert_int_equal(changes(&size), COPY_STAYS);
}

static void one_that_needs_the_most_or_is_cut_speaks_against_it(void **state)
{
    static const enum copy_use against[] = {COPY_USE_LARGE, COPY_USE_IS_WRONG};

    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(against); i++) {
        struct copy_size size = {0};

        note_good(&size, ROUND);
        copy_size_note(&size, against[i], 0, ROUND);
        copy_size_note(&size, against[i], 1, ROUND);
        copy_size_note(&size, COPY_USE_COMPLETED, 10, ROUND);
        assert_int_equal(changes(&size), COPY_STAYS);
        note_good(&size, ROUND);
        assert_int_equal(changes(&size), COPY_FEWER);
    }
}

static void nothing_changes_for_a_few_deep_ones_among_many(void **state)
{
    struct copy_size size = {0};

    (void)state;
    copy_size_note(&size, COPY_USE_STANDS, 1, ROUND);
    for (int i = 0; i < MANY; i++) {
        copy_size_note(&size, COPY_USE_COMPLETED, 4, ROUND);
        copy_size_note(&size, COPY_USE_SMALL, 1, ROUND);
    }
    assert_int_equal(changes(&size), COPY_STAYS);
}

static void the_most_are_copied_again_for_good_where_too_many_are_cut(void **state)
{
    struct copy_size size = {0};
    uint32_t from_round = 0;

    (void)state;
    note_good(&size, ROUND);
    assert_int_equal(changes(&size), COPY_FEWER);
    note_good(&size, ROUND + 1);
    copy_size_note(&size, COPY_USE_IS_WRONG, 10, ROUND + 2);
    assert_int_equal(changes(&size), COPY_STAYS);
    copy_size_note(&size, COPY_USE_IS_WRONG, 1, ROUND + 20);
    assert_int_equal(changes(&size), COPY_STAYS);
    copy_size_note(&size, COPY_USE_IS_WRONG, 20, ROUND + 21);
    assert_int_equal(copy_size_changes(&size, HZ, &from_round), COPY_MOST);
    assert_int_equal(from_round, ROUND + 19);
    assert_false(size.is_small);
    note_good(&size, ROUND + 22);
    assert_int_equal(changes(&size), COPY_STAYS);
    copy_size_begin(&size);
    note_good(&size, 1);
    assert_int_equal(changes(&size), COPY_STAYS);
}

static void another_run_begins_with_the_most(void **state)
{
    struct copy_size size = {0};

    (void)state;
    note_good(&size, ROUND);
    assert_int_equal(changes(&size), COPY_FEWER);
    copy_size_begin(&size);
    assert_false(size.is_small);
    assert_int_equal(changes(&size), COPY_STAYS);
    note_good(&size, 1);
    assert_int_equal(changes(&size), COPY_FEWER);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fewer_are_copied_once_many_deeper_stacks_were_completed),
        cmocka_unit_test(more_are_asked_for_where_samples_come_more_often),
        cmocka_unit_test(nothing_changes_before_one_is_known_to_stand),
        cmocka_unit_test(one_that_needs_the_most_or_is_cut_speaks_against_it),
        cmocka_unit_test(nothing_changes_for_a_few_deep_ones_among_many),
        cmocka_unit_test(the_most_are_copied_again_for_good_where_too_many_are_cut),
        cmocka_unit_test(another_run_begins_with_the_most),
    };

    return cmocka_run_group_tests_name("copy_size", tests, NULL, NULL);
}
