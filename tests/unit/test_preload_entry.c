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
    return entry_x86_64.plan(bytes, code.length, &entry);
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
    assert_true(entry_x86_64.plan(memory, code.length, &entry));
    way = entry_x86_64.make_way(&entry, memory + WAY_AT, (uintptr_t)ten_more);
    assert_int_not_equal(way, 0);
    memcpy(&original, &way, sizeof(way));
    entry_x86_64.divert(&entry, memory + WAY_AT);
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
    assert_true(entry_x86_64.plan(code, sizeof(code), &entry));
    assert_int_equal(entry_x86_64.make_way(&entry, far, 1), 0);
    assert_int_equal(entry_aarch64.make_way(&entry, far, 1), 0);
    assert_int_equal(code[0], 0x55);
}

/* --- AArch64 ------------------------------------------------------------------------------------------- */

/* What a function is moved by, and how far the jump behind what was moved leads back, in words. */
enum { MOVED_BY = 0x1000, WAY_WORDS = ENTRY_WAY_BYTES / 4, STUB_WORDS = 4 };

static uint32_t jump_of(int words)
{
    return 0x14000000 | ((uint32_t)words & 0x03ffffff);
}

/* Moves a function that begins with `word`; compares what is written behind the jump to what stands in for
 * it. */
static void assert_moved(uint32_t word, const uint32_t *expected, size_t count)
{
    static _Alignas(4096) uint32_t memory[2 * MOVED_BY / 4];
    uint8_t *function = (uint8_t *)memory;
    uint8_t *way = function + MOVED_BY;
    struct entry entry;

    memory[0] = word;
    assert_true(entry_aarch64.plan(function, 8, &entry));
    assert_int_equal(entry.moved_bytes, 4);
    assert_int_equal(entry_aarch64.make_way(&entry, way, 0x1122334455667788), (uintptr_t)way + 16);
    assert_int_equal(memory[MOVED_BY / 4], 0x58000050);
    assert_int_equal(memory[MOVED_BY / 4 + 1], 0xd61f0200);
    assert_int_equal(memory[MOVED_BY / 4 + 2], 0x55667788);
    assert_memory_equal(&memory[MOVED_BY / 4 + STUB_WORDS], expected, count * sizeof(*expected));
    entry_aarch64.divert(&entry, way);
    assert_int_equal(memory[0], jump_of(MOVED_BY / 4));
}

/* From the n-th word behind the stub to the n-th of the function. */
static int back(int from, int to)
{
    return to - (MOVED_BY / 4 + STUB_WORDS + from);
}

static void instructions_of_aarch64_do_elsewhere_what_they_did(void **state)
{
    const uint32_t push[] = {0xa9bf7bfd, jump_of(back(1, 1))};  /* stp x29, x30, [sp, #-16]! */
    const uint32_t signs[] = {0xd503233f, jump_of(back(1, 1))}; /* paciasp */
    const uint32_t jumps[] = {jump_of(back(0, -3))};            /* b .-12 */
    const uint32_t if_zero[] = {0xb4000040, jump_of(back(1, 1)), jump_of(back(2, 5))};  /* cbz x0, .+20 */
    const uint32_t if_bit[] = {0x37180041, jump_of(back(1, 1)), jump_of(back(2, -2))};  /* tbnz w1, #3, .-8 */
    const uint32_t if_equal[] = {0x54000040, jump_of(back(1, 1)), jump_of(back(2, 2))}; /* b.eq .+8 */

    (void)state;
    assert_moved(push[0], push, ARRAY_COUNT(push));
    assert_moved(signs[0], signs, ARRAY_COUNT(signs));
    assert_moved(0x17fffffd, jumps, ARRAY_COUNT(jumps));
    assert_moved(0xb40000a0, if_zero, ARRAY_COUNT(if_zero));
    assert_moved(0x371fffc1, if_bit, ARRAY_COUNT(if_bit));
    assert_moved(0x54000040, if_equal, ARRAY_COUNT(if_equal));
}

/* Writes the address that an instruction at the start of a page makes of that, into x3. */
static uint64_t address_moved(uint32_t word)
{
    static _Alignas(4096) uint32_t memory[2 * MOVED_BY / 4];
    uint8_t *function = (uint8_t *)memory;
    struct entry entry;
    uint64_t address = 0;

    memory[0] = word;
    assert_true(entry_aarch64.plan(function, 8, &entry));
    assert_int_not_equal(entry_aarch64.make_way(&entry, function + MOVED_BY, 1), 0);
    assert_int_equal(memory[MOVED_BY / 4 + STUB_WORDS], 0x58000043);
    assert_int_equal(memory[MOVED_BY / 4 + STUB_WORDS + 1], 0x14000003);
    assert_int_equal(memory[MOVED_BY / 4 + STUB_WORDS + 4], jump_of(back(4, 1)));
    memcpy(&address, &memory[MOVED_BY / 4 + STUB_WORDS + 2], sizeof(address));
    return address - (uintptr_t)memory;
}

static void addresses_of_aarch64_stay_what_they_were(void **state)
{
    (void)state;
    assert_int_equal(address_moved(0x10000023), 4);                               /* adr x3, .+4 */
    assert_int_equal(address_moved(0x70ffffe3), (uint64_t)-1);                    /* adr x3, .-1 */
    assert_int_equal(address_moved(0xd0000023), 6 << 12);                         /* adrp x3, 6 pages on */
    assert_int_equal(address_moved(0xf0ffffe3), (uint64_t) - (INT64_C(1) << 12)); /* adrp x3, a page before */
}

static void what_aarch64_cannot_have_elsewhere_is_refused(void **state)
{
    uint32_t call = 0x94000010;
    uint32_t load = 0x58000089;
    struct entry entry;

    (void)state;
    assert_false(entry_aarch64.plan((uint8_t *)&call, sizeof(call), &entry));
    assert_false(entry_aarch64.plan((uint8_t *)&load, sizeof(load), &entry));
    assert_false(entry_aarch64.plan((uint8_t *)&call, 0, &entry));
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
        cmocka_unit_test(instructions_of_aarch64_do_elsewhere_what_they_did),
        cmocka_unit_test(addresses_of_aarch64_stay_what_they_were),
        cmocka_unit_test(what_aarch64_cannot_have_elsewhere_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
