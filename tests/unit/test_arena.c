#include "cmocka_all.h"

#include <stdalign.h>
#include <string.h>

#include "base/arena.h"

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#define SEES_POISON 1
#else
#define SEES_POISON 0
#define __asan_address_is_poisoned(address) ((void)(address), 0)
#endif

static void memory_is_zeroed_and_aligned_for_any_type(void **state)
{
    (void)state;
    SCOPED(arena_done) struct arena arena = {0};

    for (size_t size = 1; size < 200; size++) {
        char *memory = arena_array(&arena, size, 1);

        assert_int_equal((uintptr_t)memory % alignof(max_align_t), 0);
        for (size_t i = 0; i < size; i++)
            assert_int_equal(memory[i], 0);
        memset(memory, 0xff, size);
    }
}

static void objects_never_overlap_and_never_move(void **state)
{
    (void)state;
    enum { COUNT = 5000 };
    SCOPED(arena_done) struct arena arena = {0};
    size_t **numbers = ARENA_ARRAY(&arena, COUNT, size_t *);

    for (size_t i = 0; i < COUNT; i++) {
        numbers[i] = ARENA_ARRAY(&arena, 1 + i % 40, size_t);
        for (size_t j = 0; j <= i % 40; j++)
            numbers[i][j] = i;
    }
    for (size_t i = 0; i < COUNT; i++)
        for (size_t j = 0; j <= i % 40; j++)
            assert_int_equal(numbers[i][j], i);
}

static void an_object_larger_than_a_block_is_fine(void **state)
{
    (void)state;
    enum { LARGE = 1000 * 1000 };
    SCOPED(arena_done) struct arena arena = {0};
    char *small = arena_copy(&arena, SLICE("before"));
    char *large = arena_array(&arena, LARGE, 1);
    char *after = arena_copy(&arena, SLICE("after"));

    memset(large, 'x', LARGE);
    assert_string_equal(small, "before");
    assert_string_equal(after, "after");
}

static void nothing_asked_for_is_still_an_address(void **state)
{
    (void)state;
    SCOPED(arena_done) struct arena arena = {0};

    assert_non_null(arena_array(&arena, 0, 8));
    assert_non_null(arena_array(&arena, 8, 0));
}

static void a_copy_is_terminated_and_holds_nul_bytes(void **state)
{
    (void)state;
    SCOPED(arena_done) struct arena arena = {0};
    const char *copy = arena_copy(&arena, SLICE("a\0b"));

    assert_memory_equal(copy, "a\0b", 4);
    assert_string_equal(arena_copy(&arena, (struct slice){0}), "");
}

static void a_formatted_string_is_as_long_as_it_needs_to_be(void **state)
{
    (void)state;
    SCOPED(arena_done) struct arena arena = {0};

    assert_string_equal(arena_format(&arena, "%s-%d", "cgu", 7), "cgu-7");
    assert_string_equal(arena_format(&arena, "%s", ""), "");
    assert_int_equal(strlen(arena_format(&arena, "%50000d", 1)), 50000);
}

static void an_arena_that_is_done_is_empty_and_ready(void **state)
{
    (void)state;
    struct arena arena = {0};

    arena_done(&arena);
    arena_copy(&arena, SLICE("one"));
    arena_done(&arena);
    assert_null(arena.newest);
    assert_string_equal(arena_copy(&arena, SLICE("two")), "two");
    arena_done(&arena);
}

static void the_byte_past_an_object_is_poisoned_under_address_sanitizer(void **state)
{
    (void)state;
    SCOPED(arena_done) struct arena arena = {0};
    char *text = arena_array(&arena, 5, 1);

    arena_array(&arena, 5, 1);
    assert_false(__asan_address_is_poisoned(text + 4));
    assert_int_equal(__asan_address_is_poisoned(text + 5) != 0, SEES_POISON);
    assert_int_equal(__asan_address_is_poisoned(text + 16) != 0, SEES_POISON);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_is_zeroed_and_aligned_for_any_type),
        cmocka_unit_test(objects_never_overlap_and_never_move),
        cmocka_unit_test(an_object_larger_than_a_block_is_fine),
        cmocka_unit_test(nothing_asked_for_is_still_an_address),
        cmocka_unit_test(a_copy_is_terminated_and_holds_nul_bytes),
        cmocka_unit_test(a_formatted_string_is_as_long_as_it_needs_to_be),
        cmocka_unit_test(an_arena_that_is_done_is_empty_and_ready),
        cmocka_unit_test(the_byte_past_an_object_is_poisoned_under_address_sanitizer),
    };

    return cmocka_run_group_tests_name("arena", tests, NULL, NULL);
}
