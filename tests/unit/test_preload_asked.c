#include "cmocka_all.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/mman.h>

#include "preload/linked/asked.h"
#include "preload/records.h"

static bool has_memory;

void *records_memory(size_t size)
{
    void *memory = MAP_FAILED;

    if (has_memory)
        memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

static void what_was_asked_for_is_known_once(void **state)
{
    static const uint64_t sizes[] = {1, 8, 254, 255, 256, 70000, UINT64_C(1) << 40};
    uintptr_t pointer = 0x555500001000;

    (void)state;
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        assert_int_equal(asked_take(pointer), 0);
        asked_note(pointer, sizes[i]);
        assert_int_equal(asked_take(pointer), sizes[i]);
        assert_int_equal(asked_take(pointer), 0);
    }
}

static void the_smallest_blocks_have_places_of_their_own(void **state)
{
    enum { BLOCKS = 1000 };
    uintptr_t pointer = 0x7ffff0000000;

    (void)state;
    for (unsigned i = 0; i < BLOCKS; i++)
        asked_note(pointer + i * 8, 1 + i % 8);
    for (unsigned i = 0; i < BLOCKS; i++)
        assert_int_equal(asked_take(pointer + i * 8), 1 + i % 8);
}

/* What is noted of memory by 256 MiB of addresses is in one piece, and this is the last place of one. */
static void a_large_block_may_begin_at_the_last_place(void **state)
{
    uintptr_t pointer = 0x60000000 - 8;

    (void)state;
    asked_note(pointer, 1 << 20);
    asked_note(pointer + (1 << 20), 24);
    assert_int_equal(asked_take(pointer), 1 << 20);
    assert_int_equal(asked_take(pointer + (1 << 20)), 24);
}

static void without_memory_nothing_is_known(void **state)
{
    (void)state;
    has_memory = false;
    asked_note(0x123400000000, 100);
    assert_int_equal(asked_take(0x123400000000), 0);
    has_memory = true;
}

static int begin(void **state)
{
    (void)state;
    has_memory = true;
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_asked_for_is_known_once),
        cmocka_unit_test(the_smallest_blocks_have_places_of_their_own),
        cmocka_unit_test(a_large_block_may_begin_at_the_last_place),
        cmocka_unit_test(without_memory_nothing_is_known),
    };

    return cmocka_run_group_tests(tests, begin, NULL);
}
