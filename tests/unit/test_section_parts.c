#include "cmocka_all.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/workers.h"
#include "elf/section_parts.h"
#include "elf_builder.h"
#include "memory_file.h"

enum { SECTION_BYTES = 100000, PAGE_BYTES = 4096 };

/* A file with one section, each byte of which tells its offset. */
struct fixture {
    struct memory_file file;
    struct image image;
    const struct section *section;
    struct section_parts *parts;
    char *expected;
};

static int open_file(void **state)
{
    SCOPED(builder_done) struct elf_builder builder = builder_new(true, false, EM_X86_64, ET_DYN);
    struct fixture *f = memory_new(1, sizeof(*f));
    struct error err = {0};

    f->expected = memory_new(SECTION_BYTES, 1);
    for (size_t i = 0; i < SECTION_BYTES; i++)
        f->expected[i] = (char)(1 + i % 127);
    builder_section(&builder, (struct built_section){.name = ".debug_info",
                                                     .type = SHT_PROGBITS,
                                                     .data = {f->expected, SECTION_BYTES}});
    f->file = memory_file_new(builder_finish(&builder));
    assert_int_equal(image_open(f->file.path, &f->image, &err), 0);
    f->section = &f->image.sections.items[1];
    assert_true(section_parts_can_be(&f->image, f->section));
    f->parts = section_parts_open(&f->image, f->section);
    *state = f;
    return 0;
}

static int close_file(void **state)
{
    struct fixture *f = *state;

    section_parts_close(f->parts);
    image_close(&f->image);
    memory_file_done(&f->file);
    free(f->expected);
    free(f);
    return 0;
}

static bool is_there(const struct fixture *f, size_t offset, size_t length)
{
    return memcmp(section_parts_bytes(f->parts).data + offset, f->expected + offset, length) == 0;
}

static void what_was_asked_for_is_there_and_the_rest_is_not_read(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(section_parts_bytes(f->parts).length, SECTION_BYTES);
    assert_true(section_parts_read(f->parts, 3 * PAGE_BYTES - 1, 2));
    assert_true(is_there(f, 3 * PAGE_BYTES - 1, 2));
    assert_int_equal(section_parts_bytes(f->parts).data[0], 0);
    assert_int_equal(section_parts_bytes(f->parts).data[SECTION_BYTES - 1], 0);
}

static void parts_may_overlap_what_is_there(void **state)
{
    struct fixture *f = *state;

    assert_true(section_parts_read(f->parts, 5 * PAGE_BYTES, 1));
    assert_true(section_parts_read(f->parts, 9 * PAGE_BYTES, 1));
    assert_true(section_parts_read(f->parts, 4 * PAGE_BYTES + 7, 6 * PAGE_BYTES));
    assert_true(is_there(f, 4 * PAGE_BYTES + 7, 6 * PAGE_BYTES));
}

static void a_part_past_the_end_is_what_there_is(void **state)
{
    struct fixture *f = *state;

    assert_true(section_parts_read(f->parts, SECTION_BYTES - 1, UINT64_MAX));
    assert_true(is_there(f, SECTION_BYTES - 1, 1));
    assert_true(section_parts_read(f->parts, SECTION_BYTES, 1));
    assert_true(section_parts_read(f->parts, UINT64_MAX, UINT64_MAX));
    assert_true(section_parts_read(f->parts, 0, 0));
    assert_int_equal(section_parts_bytes(f->parts).data[0], 0);
}

static void a_file_that_became_shorter_is_told(void **state)
{
    struct fixture *f = *state;

    assert_true(section_parts_read(f->parts, 0, PAGE_BYTES));
    assert_int_equal(ftruncate(f->file.descriptor, 2 * PAGE_BYTES), 0);
    assert_false(section_parts_read(f->parts, SECTION_BYTES / 2, 1));
    assert_true(section_parts_read(f->parts, 0, PAGE_BYTES));
}

static void read_one(void *context, size_t index)
{
    struct fixture *f = context;
    size_t offset = index * 7919 % (SECTION_BYTES - 300);

    assert_true(section_parts_read(f->parts, offset, 300));
    assert_true(is_there(f, offset, 300));
}

static void several_threads_may_read(void **state)
{
    workers_run(2000, 4, read_one, *state);
}

/* Strings of every length up to one that is too long, one after the other, each of its own letter. */
static void write_strings(struct fixture *f, size_t longest)
{
    size_t at = 0;

    for (size_t length = 0; length <= longest; length++, at++) {
        memset(f->expected + at, 'a' + (int)length % 26, length);
        at += length;
        f->expected[at] = '\0';
    }
    assert_int_equal(pwrite(f->file.descriptor, f->expected, at, (off_t)f->section->file_offset), at);
}

static void short_strings_are_copied_and_their_pages_not_kept(void **state)
{
    enum { LONGEST = 255 };
    struct fixture *f = *state;
    struct slice strings[LONGEST + 1] = {0};
    size_t at = 0;

    write_strings(f, LONGEST);
    for (size_t length = 0; length <= LONGEST; at += length + 1, length++)
        assert_true(section_parts_copy_string(f->parts, at, &strings[length]));
    at = 0;
    for (size_t length = 0; length <= LONGEST; at += length + 1, length++) {
        assert_int_equal(strings[length].length, length);
        assert_string_equal(strings[length].data, f->expected + at);
    }
    assert_int_equal(section_parts_bytes(f->parts).data[1], 0);
}

static void long_strings_are_found_where_they_stand(void **state)
{
    static const size_t lengths[] = {256, 4095, 4096, 65535, 70000};
    struct fixture *f = *state;

    for (size_t i = 0; i < ARRAY_COUNT(lengths); i++) {
        struct slice string = {0};
        struct section_parts *parts = section_parts_open(&f->image, f->section);

        memset(f->expected, 'x', SECTION_BYTES);
        f->expected[10 + lengths[i]] = '\0';
        assert_int_equal(
            pwrite(f->file.descriptor, f->expected, SECTION_BYTES, (off_t)f->section->file_offset),
            SECTION_BYTES);
        assert_true(section_parts_copy_string(parts, 10, &string));
        assert_int_equal(string.length, lengths[i]);
        assert_memory_equal(string.data, f->expected + 10, lengths[i]);
        section_parts_close(parts);
    }
}

static void a_string_without_an_end_is_none(void **state)
{
    struct fixture *f = *state;
    struct slice string = {0};

    assert_false(section_parts_copy_string(f->parts, SECTION_BYTES - 3, &string));
    assert_false(section_parts_copy_string(f->parts, SECTION_BYTES, &string));
    assert_false(section_parts_copy_string(f->parts, UINT64_MAX, &string));
    assert_int_equal(ftruncate(f->file.descriptor, 2 * PAGE_BYTES), 0);
    assert_false(section_parts_copy_string(f->parts, 3 * PAGE_BYTES, &string));
    assert_null(string.data);
}

static void what_is_in_memory_or_compressed_is_not_read_in_parts(void **state)
{
    struct fixture *f = *state;
    struct section compressed = *f->section;
    struct slice content;
    struct error err = {0};

    compressed.flags |= SHF_COMPRESSED;
    assert_false(section_parts_can_be(&f->image, &compressed));
    assert_int_equal(image_read_section(&f->image, f->section, &content, &err), 0);
    assert_false(section_parts_can_be(&f->image, f->section));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_was_asked_for_is_there_and_the_rest_is_not_read, open_file,
                                        close_file),
        cmocka_unit_test_setup_teardown(parts_may_overlap_what_is_there, open_file, close_file),
        cmocka_unit_test_setup_teardown(a_part_past_the_end_is_what_there_is, open_file, close_file),
        cmocka_unit_test_setup_teardown(a_file_that_became_shorter_is_told, open_file, close_file),
        cmocka_unit_test_setup_teardown(long_strings_are_found_where_they_stand, open_file, close_file),
        cmocka_unit_test_setup_teardown(short_strings_are_copied_and_their_pages_not_kept, open_file,
                                        close_file),
        cmocka_unit_test_setup_teardown(a_string_without_an_end_is_none, open_file, close_file),
        cmocka_unit_test_setup_teardown(several_threads_may_read, open_file, close_file),
        cmocka_unit_test_setup_teardown(what_is_in_memory_or_compressed_is_not_read_in_parts, open_file,
                                        close_file),
    };

    return cmocka_run_group_tests_name("section_parts", tests, NULL, NULL);
}
