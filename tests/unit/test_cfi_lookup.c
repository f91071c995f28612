#include "cmocka_all.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/text.h"
#include "dwarf/cfi_lookup.h"
#include "elf/image.h"

/* Over every row of a file, thousands in this program. What is looked up is read in parts. */
static void assert_same_rows(const char *path)
{
    struct image image;
    struct image in_parts;
    struct cfi all = {0};
    struct cfi_lookup *lookup = NULL;
    struct error err = {0};

    assert_int_equal(image_open(path, &image, &err), 0);
    assert_int_equal(cfi_read(&image, &all, &err), 0);
    assert_int_equal(image_open(path, &in_parts, &err), 0);
    assert_int_equal(cfi_lookup_open(&in_parts, &lookup, &err), 0);
    assert_true(all.rows.count > 10);
    for (size_t i = 0; i < all.rows.count; i++) {
        const struct cfi_row *expected = &all.rows.items[i];
        uint32_t return_register = 0;
        const struct cfi_row *row = cfi_lookup_find(lookup, expected->svma, &return_register);

        if (expected->cfa_rule == CFI_CFA_NONE) {
            assert_null(row);
            continue;
        }
        assert_non_null(row);
        assert_int_equal(return_register, all.return_register);
        assert_memory_equal(row, expected, sizeof(*row));
    }
    cfi_lookup_close(lookup);
    cfi_done(&all);
    image_close(&in_parts);
    image_close(&image);
}

static void each_address_has_the_row_that_reading_all_gives(void **state)
{
    Dl_info library;

    (void)state;
    assert_same_rows("/proc/self/exe");
    /* Its search table is larger than what is read of one at a time. */
    assert_true(dladdr(dlsym(RTLD_DEFAULT, "getauxval"), &library));
    assert_same_rows(library.dli_fname);
}

static void a_file_without_a_search_table_is_read_whole(void **state)
{
    struct image image;
    struct cfi all = {0};
    struct cfi_lookup *lookup = NULL;
    struct error err = {0};
    uint32_t return_register = 0;

    (void)state;
    assert_int_equal(image_open("/proc/self/exe", &image, &err), 0);
    assert_int_equal(cfi_read(&image, &all, &err), 0);
    for (size_t i = 0; i < image.sections.count; i++) {
        struct section *section = NULL;
        const struct section *found = &image.sections.items[i];

        memcpy(&section, &found, sizeof(void *)); /* what the image owns may be changed here */
        if (slice_is(section->name, ".eh_frame_hdr"))
            section->name = SLICE(".other");
    }
    assert_int_equal(cfi_lookup_open(&image, &lookup, &err), 0);
    assert_non_null(cfi_lookup_find(lookup, all.rows.items[0].svma, &return_register));
    assert_null(cfi_lookup_find(lookup, 0, &return_register));
    cfi_lookup_close(lookup);
    cfi_done(&all);
    image_close(&image);
}

static void the_last_function_may_have_ended(void **state)
{
    static const struct {
        uint64_t svma;
        uint64_t start;
        uint64_t end;
    } expected[] = {{0x4000b0, 0x4000b0, 0x4000b6},
                    {0x4000b5, 0x4000b0, 0x4000b6},
                    {0x4000b8, 0x4000b0, 0x4000b6},
                    {0x4000b9, 0x4000b9, 0x4000ba},
                    {0x500000, 0x4000b9, 0x4000ba}};
    struct image image;
    struct cfi_lookup *lookup = NULL;
    struct error err = {0};
    uint64_t start = 0;
    uint64_t end = 0;

    (void)state;
    assert_int_equal(image_open(FIXTURES "/elf/between", &image, &err), 0);
    assert_int_equal(cfi_lookup_open(&image, &lookup, &err), 0);
    assert_false(cfi_lookup_last(lookup, 0x4000af, &start, &end));
    for (size_t i = 0; i < ARRAY_COUNT(expected); i++) {
        bool is_within = expected[i].svma < expected[i].end;

        assert_true(cfi_lookup_last(lookup, expected[i].svma, &start, &end));
        assert_int_equal(start, expected[i].start);
        assert_int_equal(end, expected[i].end);
        assert_int_equal(cfi_lookup_range(lookup, expected[i].svma, &start, &end), is_within);
    }
    assert_false(cfi_lookup_last(NULL, 0x4000b0, &start, &end));
    cfi_lookup_close(lookup);
    image_close(&image);
}

static void of_what_a_file_has_no_more_nothing_is_found(void **state)
{
    char path[] = "/tmp/test_cfi_lookup.XXXXXX";
    SCOPED(file_close_descriptor) int descriptor = mkstemp(path);
    SCOPED(text_done) struct text program = {0};
    struct image image;
    struct cfi_lookup *lookup = NULL;
    struct error err = {0};
    uint32_t return_register = 0;

    (void)state;
    assert_true(descriptor >= 0);
    assert_int_equal(file_read("/proc/self/exe", SIZE_MAX, &program, &err), 0);
    assert_int_equal(write(descriptor, program.data, program.length), program.length);
    assert_int_equal(image_open(path, &image, &err), 0);
    assert_int_equal(cfi_lookup_open(&image, &lookup, &err), 0);
    assert_int_equal(ftruncate(descriptor, 4096), 0);
    for (uint64_t svma = 0; svma < image.size_bytes; svma += 4096)
        assert_null(cfi_lookup_find(lookup, svma, &return_register));
    cfi_lookup_close(lookup);
    image_close(&image);
    unlink(path);
}

static void nothing_is_found_outside_the_code(void **state)
{
    struct image image;
    struct cfi_lookup *lookup = NULL;
    struct error err = {0};
    uint32_t return_register = 77;

    (void)state;
    assert_int_equal(image_open("/proc/self/exe", &image, &err), 0);
    assert_int_equal(cfi_lookup_open(&image, &lookup, &err), 0);
    assert_null(cfi_lookup_find(lookup, 0, &return_register));
    assert_null(cfi_lookup_find(lookup, UINT64_MAX, &return_register));
    assert_null(cfi_lookup_find(NULL, 0x1000, &return_register));
    assert_int_equal(return_register, 77);
    cfi_lookup_close(lookup);
    cfi_lookup_close(NULL);
    image_close(&image);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_address_has_the_row_that_reading_all_gives),
        cmocka_unit_test(a_file_without_a_search_table_is_read_whole),
        cmocka_unit_test(the_last_function_may_have_ended),
        cmocka_unit_test(of_what_a_file_has_no_more_nothing_is_found),
        cmocka_unit_test(nothing_is_found_outside_the_code),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
