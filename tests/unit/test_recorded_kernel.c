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

static void a_kept_list_tells_where_symbols_and_modules_were(void **state)
{
    SCOPED(kept_kernel_done) struct kept_kernel kept = {0};

    (void)state;
    text_add_string(&kept.list,
                    "ffffffff81000000 T _stext\nffffffff81000000 T _text\n"
                    "ffffffff81000040 t not_text\n"
                    "ffffffffc0800000 t ext4_first\t[ext4]\nffffffffc0800fff t ext4_last\t[ext4]\n"
                    "ffffffffc0900000 t one\t[snd_pcm]\nno number\t[odd]\n"
                    "0000000000000000 t hidden\t[hid]\n0000000000000000 T hidden_text\n");
    assert_int_equal(kept_kernel_symbol(&kept, SLICE("_text")), 0xffffffff81000000);
    assert_int_equal(kept_kernel_symbol(&kept, SLICE("_tex")), 0);
    assert_int_equal(kept_kernel_symbol(&kept, SLICE("hidden_text")), 0);
    assert_int_equal(kept_kernel_symbol(&kept, SLICE("")), 0);
    assert_true(kept_kernel_has_module(&kept, SLICE("ext4"), 0xffffffffc0800000, 0xffffffffc0801000));
    assert_true(kept_kernel_has_module(&kept, SLICE("snd-pcm"), 0xffffffffc0900000, 0xffffffffc0900001));
    /* It was elsewhere when the list was made. */
    assert_false(kept_kernel_has_module(&kept, SLICE("ext4"), 0xffffffffc0800001, 0xffffffffc0801000));
    assert_false(kept_kernel_has_module(&kept, SLICE("ext4"), 0xffffffffc0800000, 0xffffffffc0800fff));
    assert_false(kept_kernel_has_module(&kept, SLICE("ext"), 0, UINT64_MAX));
    assert_false(kept_kernel_has_module(&kept, SLICE("odd"), 1, UINT64_MAX));
    assert_false(kept_kernel_has_module(&kept, SLICE("hid"), 1, UINT64_MAX));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_build_id_is_found_among_the_notes),
        cmocka_unit_test(a_module_is_found_by_its_name_and_by_its_file),
        cmocka_unit_test(what_is_not_loaded_is_not_found),
        cmocka_unit_test(a_kept_list_tells_where_symbols_and_modules_were),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
