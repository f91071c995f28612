/* Which kernel runs, and where its modules are. */
#include "cmocka_all.h"

#include "elf/notes.h"
#include "import/recorded_kernel.h"

static void the_build_id_is_found_among_the_notes(void **state)
{
    /* Name, content and type; then both, filled up to multiples of 4 (elf(5)). */
    static const char notes[] = "\6\0\0\0\1\0\0\0\0\1\0\0Linux\0\0\0\1\0\0\0"
                                "\4\0\0\0\3\0\0\0\3\0\0\0GNU\0abc";
    struct slice all = {notes, sizeof(notes) - 1};

    (void)state;
    assert_true(slice_is(notes_build_id(bytes_of_ours(all), 4), "abc"));
    for (size_t length = 0; length < all.length; length++)
        assert_int_equal(notes_build_id(bytes_of_ours(slice_range(all, 0, length)), 4).length, 0);
}

static const struct slice modules = SLICE("ext4 1011712 1 - Live 0xffffffffc0800000\n"
                                          "crc32c_generic 16384 1 - Live 0xffffffffc07f0000\n"
                                          "hidden 16384 0 - Live 0x0000000000000000\n");

static void a_module_is_found_by_its_name_and_by_its_file(void **state)
{
    uint64_t start = 0;

    (void)state;
    assert_true(recorded_kernel_find_module(modules, SLICE("[ext4]"), &start));
    assert_int_equal(start, 0xffffffffc0800000);
    assert_true(recorded_kernel_find_module(
        modules, SLICE("/lib/modules/6.1.0-9/kernel/crypto/crc32c-generic.ko.xz"), &start));
    assert_int_equal(start, 0xffffffffc07f0000);
    assert_true(recorded_kernel_find_module(modules, SLICE("[hidden]"), &start));
    assert_int_equal(start, 0);
}

static void what_is_not_loaded_is_not_found(void **state)
{
    uint64_t start = 5;

    (void)state;
    assert_false(recorded_kernel_find_module(modules, SLICE("[ext]"), &start));
    assert_false(recorded_kernel_find_module(modules, SLICE("[]"), &start));
    assert_false(recorded_kernel_find_module(modules, SLICE(""), &start));
    assert_false(recorded_kernel_find_module(SLICE(""), SLICE("[ext4]"), &start));
    assert_false(recorded_kernel_find_module(SLICE("ext4 1 0 - Live"), SLICE("[ext4]"), &start));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_build_id_is_found_among_the_notes),
        cmocka_unit_test(a_module_is_found_by_its_name_and_by_its_file),
        cmocka_unit_test(what_is_not_loaded_is_not_found),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
