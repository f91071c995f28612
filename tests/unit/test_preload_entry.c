#include "cmocka_all.h"

#include <string.h>
#include <sys/mman.h>

#include "base/compiler.h"
#include "base/slice.h"
#include "preload/linked/entry.h"

enum { CODE_BYTES = 4096, WAY_AT = 2048 };

static bool can_be_diverted(struct slice code)
{
    struct entry entry;
    uint8_t bytes[64];

    memcpy(bytes, code.data, code.length);
    return entry_plan(bytes, code.length, &entry);
}

static void what_cannot_stand_elsewhere_is_refused(void **state)
{
    (void)state;
    assert_true(can_be_diverted(SLICE("\x55\x48\x89\xe5\x41\x57\xc3")));
    assert_true(can_be_diverted(SLICE("\x48\x85\xff\x74\1\x90\xc3"))); /* test rdi, rdi; je */
    assert_false(can_be_diverted(SLICE("\xe8\0\0\0\0\xc3")));          /* call */
    assert_false(can_be_diverted(SLICE("\xe2\1\x90\x90\x90\xc3")));    /* loop */
    assert_false(can_be_diverted(SLICE("\x55\x5d\xc3")));              /* shorter than a jump */
    assert_false(can_be_diverted(SLICE("\x06\x90\x90\x90\x90\xc3")));  /* no instruction */
    assert_false(can_be_diverted(SLICE("\x90\x90\x90\x90\x90\x06")));  /* nor after those that are moved */
}

static void what_is_jumped_into_is_refused(void **state)
{
    (void)state;
    /* To the second `nop`, by 8 bits and by 32; to the first instruction; to what stays. */
    assert_false(can_be_diverted(SLICE("\x90\x90\x90\x90\x90\x75\xfa\xc3")));
    assert_false(can_be_diverted(SLICE("\x90\x90\x90\x90\x90\x0f\x84\xf6\xff\xff\xff\xc3")));
    assert_true(can_be_diverted(SLICE("\x90\x90\x90\x90\x90\x75\xf9\xc3")));
    assert_true(can_be_diverted(SLICE("\x90\x90\x90\x90\x90\x90\x75\xfd\xc3")));
}

#if defined(__x86_64__)
typedef int (*number_fn)(int number);

static number_fn original;

static int ten_more(int number)
{
    return original(number) + 10;
}

/* Puts the function there, has it call ten_more first, and returns it. */
static number_fn divert(uint8_t *memory, struct slice code)
{
    struct entry entry;
    uintptr_t way = 0;
    number_fn function = NULL;

    memcpy(memory, code.data, code.length);
    assert_true(entry_plan(memory, code.length, &entry));
    way = entry_make_way(&entry, memory + WAY_AT, (uintptr_t)ten_more);
    assert_int_not_equal(way, 0);
    memcpy(&original, &way, sizeof(way));
    entry_divert(&entry, memory + WAY_AT);
    memcpy(&function, &memory, sizeof(memory));
    return function;
}

static void functions_are_entered_elsewhere_and_do_what_they_did(void **state)
{
    /* add 1; add 7, which is behind the function; 1 for 0, by a short jump, and 2 else; add 3, behind a jump.
     */
    static const struct slice add_one = SLICE("\x55\x48\x89\xe5\x8d\x47\1\x5d\xc3");
    static const struct slice add_seven = SLICE("\x8b\x05\3\0\0\0\1\xf8\xc3\7\0\0\0");
    static const struct slice one_or_two = SLICE("\x48\x85\xff\x74\6\xb8\2\0\0\0\xc3\xb8\1\0\0\0\xc3");
    static const struct slice add_three = SLICE("\x31\xc0\xe9\1\0\0\0\xcc\x8d\x47\3\xc3");
    static const struct slice short_jump = SLICE("\xeb\5\xcc\xcc\xcc\xcc\xcc\x8d\x47\4\xc3");
    uint8_t *memory =
        mmap(NULL, CODE_BYTES, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    (void)state;
    assert_ptr_not_equal(memory, MAP_FAILED);
    assert_int_equal(divert(memory, add_one)(5), 16);
    memcpy(memory + 9, add_seven.data + 9, 4);
    assert_int_equal(divert(memory, (struct slice){add_seven.data, 9})(5), 22);
    assert_int_equal(divert(memory, one_or_two)(0), 11);
    assert_int_equal(divert(memory, one_or_two)(5), 12);
    assert_int_equal(divert(memory, add_three)(5), 18);
    assert_int_equal(divert(memory, short_jump)(5), 19);
    munmap(memory, CODE_BYTES);
}
#endif

static void a_way_that_is_too_far_is_none(void **state)
{
    uint8_t code[] = {0x55, 0x48, 0x89, 0xe5, 0x41, 0x57, 0xc3};
    struct entry entry;
    uint8_t *far = NULL;
    uintptr_t address = (uintptr_t)code + (UINT64_C(3) << 30);

    (void)state;
    memcpy(&far, &address, sizeof(address));
    assert_true(entry_plan(code, sizeof(code), &entry));
    assert_int_equal(entry_make_way(&entry, far, 1), 0);
    assert_int_equal(code[0], 0x55);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_cannot_stand_elsewhere_is_refused),
        cmocka_unit_test(what_is_jumped_into_is_refused),
#if defined(__x86_64__)
        cmocka_unit_test(functions_are_entered_elsewhere_and_do_what_they_did),
#endif
        cmocka_unit_test(a_way_that_is_too_far_is_none),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
