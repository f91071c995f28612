#include <time.h>

#include "cmocka_all.h"

#include "process/address_space.h"

static void add(struct address_space *space, uint64_t start, uint64_t end, uint64_t offset, uint32_t module)
{
    address_space_add(
        space,
        (struct mapping){.start_avma = start, .end_avma = end, .file_offset = offset, .module = module});
}

/* What stands there: the offset of the address in its file, and the file. */
static void assert_at(const struct address_space *space, uint64_t avma, uint64_t offset, uint32_t module)
{
    const struct mapping *mapping = address_space_find(space, avma);

    assert_non_null(mapping);
    assert_int_equal(mapping->module, module);
    assert_int_equal(avma - mapping->start_avma + mapping->file_offset, offset);
}

static void assert_order(const struct address_space *space)
{
    for (size_t i = 0; i < address_space_count(space); i++) {
        const struct mapping *mapping = address_space_at(space, i);

        assert_true(mapping->start_avma < mapping->end_avma);
        assert_true(i == 0 || address_space_at(space, i - 1)->end_avma <= mapping->start_avma);
    }
}

static void an_address_is_found_in_the_mapping_that_holds_it(void **state)
{
    struct address_space space = {0};

    (void)state;
    assert_null(address_space_find(&space, 0));
    add(&space, 0x5000, 0x6000, 0x100, 2);
    add(&space, 0x1000, 0x2000, 0, 1);
    add(&space, 0x2000, 0x3000, 0x7000, 3);
    assert_null(address_space_find(&space, 0xfff));
    assert_at(&space, 0x1000, 0, 1);
    assert_at(&space, 0x1fff, 0xfff, 1);
    assert_at(&space, 0x2000, 0x7000, 3);
    assert_null(address_space_find(&space, 0x3000));
    assert_null(address_space_find(&space, 0x4fff));
    assert_at(&space, 0x5fff, 0x10ff, 2);
    assert_null(address_space_find(&space, 0x6000));
    assert_order(&space);
    address_space_done(&space);
}

static void a_new_mapping_takes_the_place_of_what_it_covers(void **state)
{
    struct address_space space = {0};

    (void)state;
    add(&space, 0x1000, 0x3000, 0x1000, 1);
    add(&space, 0x3000, 0x4000, 0, 2);
    add(&space, 0x4000, 0x6000, 0x4000, 3);
    add(&space, 0x2000, 0x5000, 0x9000, 4);
    assert_int_equal(address_space_count(&space), 3);
    assert_at(&space, 0x1fff, 0x1fff, 1);
    assert_at(&space, 0x2000, 0x9000, 4);
    assert_at(&space, 0x4fff, 0xbfff, 4);
    assert_at(&space, 0x5000, 0x5000, 3);
    assert_order(&space);
    address_space_done(&space);
}

static void a_mapping_inside_another_leaves_both_its_sides(void **state)
{
    struct address_space space = {0};

    (void)state;
    add(&space, 0x1000, 0x9000, 0, 1);
    add(&space, 0x4000, 0x5000, 0, 2);
    assert_int_equal(address_space_count(&space), 3);
    assert_at(&space, 0x3fff, 0x2fff, 1);
    assert_at(&space, 0x4000, 0, 2);
    assert_at(&space, 0x5000, 0x4000, 1);
    assert_order(&space);
    add(&space, 0x1000, 0x9000, 0, 3);
    assert_int_equal(address_space_count(&space), 1);
    assert_at(&space, 0x4000, 0x3000, 3);
    address_space_done(&space);
}

static void a_range_that_is_none_adds_nothing(void **state)
{
    struct address_space space = {0};

    (void)state;
    add(&space, 0x1000, 0x1000, 0, 1);
    add(&space, 0x2000, 0x1000, 0, 1);
    assert_int_equal(address_space_count(&space), 0);
    address_space_done(&space);
}

static void the_last_addresses_can_be_mapped(void **state)
{
    struct address_space space = {0};

    (void)state;
    add(&space, UINT64_MAX - 0x1000, UINT64_MAX, 0, 1);
    add(&space, UINT64_MAX - 0x800, UINT64_MAX, 0, 2);
    assert_at(&space, UINT64_MAX - 1, 0x7ff, 2);
    assert_null(address_space_find(&space, UINT64_MAX));
    assert_order(&space);
    address_space_done(&space);
}

static void a_copy_is_the_same_and_on_its_own(void **state)
{
    struct address_space space = {0};
    struct address_space copy = {0};

    (void)state;
    add(&copy, 0x8000, 0x9000, 0, 9);
    add(&space, 0x1000, 0x2000, 0, 1);
    address_space_copy(&copy, &space);
    address_space_clear(&space);
    assert_null(address_space_find(&space, 0x1000));
    assert_at(&copy, 0x1000, 0, 1);
    assert_null(address_space_find(&copy, 0x8000));
    address_space_done(&copy);
    address_space_done(&space);
}

static void copies_are_one_until_either_changes(void **state)
{
    struct address_space parent = {0};
    struct address_space child = {0};
    struct address_space other = {0};

    (void)state;
    add(&parent, 0x1000, 0x3000, 0, 1);
    add(&child, 0x9000, 0xa000, 0, 2);
    address_space_copy(&child, &parent);
    address_space_copy(&other, &child);
    assert_ptr_equal(address_space_at(&child, 0), address_space_at(&parent, 0));
    add(&child, 0x2000, 0x3000, 0, 3);
    assert_at(&child, 0x2000, 0, 3);
    assert_at(&parent, 0x2000, 0x1000, 1);
    add(&parent, 0x1000, 0x2000, 0, 4);
    assert_at(&parent, 0x1000, 0, 4);
    assert_at(&child, 0x1000, 0, 1);
    assert_at(&other, 0x2000, 0x1000, 1);
    address_space_clear(&parent);
    assert_int_equal(address_space_count(&parent), 0);
    address_space_copy(&other, &parent);
    assert_int_equal(address_space_count(&other), 0);
    address_space_done(&parent);
    address_space_done(&child);
    address_space_done(&other);
}

static void each_page_shows_what_was_mapped_there_last(void **state)
{
    enum { PAGES = 64, ADDITIONS = 2000 };
    uint32_t last[PAGES] = {0};
    struct address_space space = {0};
    unsigned random = 1;

    (void)state;
    for (uint32_t module = 1; module <= ADDITIONS; module++) {
        unsigned start = (random = random * 1103515245 + 12345) >> 16 & (PAGES - 1);
        unsigned end = start + 1 + ((random = random * 1103515245 + 12345) >> 16) % 6;

        if (end > PAGES)
            end = PAGES;
        add(&space, start, end, start, module);
        for (unsigned page = start; page < end; page++)
            last[page] = module;
        assert_order(&space);
        for (unsigned page = 0; page < PAGES; page++)
            if (last[page])
                assert_at(&space, page, page, last[page]);
            else
                assert_null(address_space_find(&space, page));
    }
    address_space_done(&space);
}

static double cpu_s(void)
{
    struct timespec now;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* What as many mappings take that start at `start` and further on by `step`, between a program and its stack.
 */
static double seconds_of_many(uint64_t start, int64_t step)
{
    enum { MAPPINGS = 60000 };
    struct address_space space = {0};
    double began_s = cpu_s();

    add(&space, 0x1000, 0x2000, 0, 1);
    add(&space, UINT64_MAX - 0x1000, UINT64_MAX, 0, 1);
    for (int64_t i = 0; i < MAPPINGS; i++) {
        uint64_t at = start + (uint64_t)(i * step);

        add(&space, at, at + 0x1000, 0, 2);
    }
    assert_int_equal(address_space_count(&space), MAPPINGS + 2);
    address_space_done(&space);
    return cpu_s() - began_s;
}

static void many_mappings_are_added_as_fast_downward_as_upward(void **state)
{
    const uint64_t middle = UINT64_C(1) << 46;
    double upward_s = seconds_of_many(middle, 0x2000);

    (void)state;
    assert_true(seconds_of_many(middle, -0x2000) < 20 * upward_s);
}

static void what_may_be_a_copy_is_the_files_once_it_is_one(void **state)
{
    static const struct mapping copy = {.start_avma = 0x2000,
                                        .end_avma = 0x3000,
                                        .file_offset = 0x500,
                                        .module = UINT32_MAX,
                                        .may_be_copy = true,
                                        .original = 4};
    struct address_space space = {0};
    struct address_space forked = {0};

    (void)state;
    address_space_settle(&space, 0x2000, true);
    add(&space, 0x1000, 0x2000, 0, 1);
    address_space_add(&space, copy);
    address_space_copy(&forked, &space);
    address_space_settle(&space, 0x1fff, true);
    address_space_settle(&space, 0x3000, true);
    assert_at(&space, 0x2010, 0x510, UINT32_MAX);
    address_space_settle(&space, 0x2fff, true);
    assert_at(&space, 0x2010, 0x510, 4);
    assert_at(&forked, 0x2010, 0x510, 4);
    assert_at(&space, 0x1fff, 0xfff, 1);
    address_space_add(&space, copy);
    address_space_settle(&space, 0x2000, false);
    address_space_settle(&space, 0x2000, true);
    assert_at(&space, 0x2010, 0x510, UINT32_MAX);
    address_space_done(&space);
    address_space_done(&forked);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(copies_are_one_until_either_changes),
        cmocka_unit_test(an_address_is_found_in_the_mapping_that_holds_it),
        cmocka_unit_test(a_new_mapping_takes_the_place_of_what_it_covers),
        cmocka_unit_test(a_mapping_inside_another_leaves_both_its_sides),
        cmocka_unit_test(a_range_that_is_none_adds_nothing),
        cmocka_unit_test(the_last_addresses_can_be_mapped),
        cmocka_unit_test(a_copy_is_the_same_and_on_its_own),
        cmocka_unit_test(each_page_shows_what_was_mapped_there_last),
        cmocka_unit_test(what_may_be_a_copy_is_the_files_once_it_is_one),
        cmocka_unit_test(many_mappings_are_added_as_fast_downward_as_upward),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
