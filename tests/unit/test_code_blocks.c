#include "cmocka_all.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "process/machine_code/blocks.h"

/* This program's own file, in which blocks of the first 4 MiB and behind share places. */
struct fixture {
    struct image image;
    struct text all;
    struct code_blocks *blocks;
};

static int begin(void **state)
{
    static struct fixture fixture;
    struct error err = {0};

    fixture = (struct fixture){.blocks = code_blocks_new()};
    assert_int_equal(image_open("/proc/self/exe", &fixture.image, &err), 0);
    assert_int_equal(file_read("/proc/self/exe", SIZE_MAX, &fixture.all, &err), 0);
    *state = &fixture;
    return 0;
}

static int end(void **state)
{
    struct fixture *f = *state;

    code_blocks_free(f->blocks);
    text_done(&f->all);
    image_close(&f->image);
    return 0;
}

static void assert_bytes(struct fixture *f, uint64_t offset, size_t length)
{
    static char found[10000];

    assert_true(length <= sizeof(found));
    assert_true(code_blocks_read(f->blocks, &f->image, offset, length, found));
    assert_memory_equal(found, f->all.data + offset, length);
}

static void bytes_are_the_files_within_a_block_and_across(void **state)
{
    struct fixture *f = *state;

    for (int turn = 0; turn < 2; turn++)
        for (uint64_t offset = 0; offset + 64 < f->all.length; offset += 1021) {
            assert_bytes(f, offset, 7);
            assert_bytes(f, f->all.length - 64 - offset, 64);
        }
    assert_bytes(f, 4090, 4096);
    assert_bytes(f, 4090, 9000);
    assert_bytes(f, f->all.length - 1, 1);
    assert_bytes(f, 5, 0);
}

static void there_are_none_past_the_end(void **state)
{
    struct fixture *f = *state;
    char found[9000];

    assert_false(code_blocks_read(f->blocks, &f->image, f->all.length - 3, 4, found));
    assert_false(code_blocks_read(f->blocks, &f->image, f->all.length, 1, found));
    assert_false(code_blocks_read(f->blocks, &f->image, f->all.length - 10, sizeof(found), found));
    assert_false(code_blocks_read(f->blocks, &f->image, UINT64_MAX, 1, found));
    assert_false(code_blocks_read(f->blocks, &f->image, UINT64_MAX - 2, 8, found));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(bytes_are_the_files_within_a_block_and_across, begin, end),
        cmocka_unit_test_setup_teardown(there_are_none_past_the_end, begin, end),
    };

    code_blocks_free(NULL);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
