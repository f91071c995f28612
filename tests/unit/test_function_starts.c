#include "cmocka_all.h"

#include "elf_builder.h"
#include "symbolize/function_starts.h"

enum { HEADER_SVMA = 0x2000 };

struct header {
    uint8_t version;
    uint8_t pointer_encoding;
    uint8_t count_encoding;
    uint8_t table_encoding;
    uint32_t count;
};

static const struct header usual = {1, 0x1b, 0x03, 0x3b, 3};

/* The starts that are read from a file with this header and these entries: offsets from the section. */
static struct function_starts read_starts(struct header header, const int32_t *offsets, size_t offset_count)
{
    struct elf_builder builder = builder_new(true, false, EM_X86_64, ET_DYN);
    SCOPED(text_done) struct text data = {0};
    struct function_starts starts;
    struct image image;
    struct error err = {0};

    text_add_byte(&data, (char)header.version);
    text_add_byte(&data, (char)header.pointer_encoding);
    text_add_byte(&data, (char)header.count_encoding);
    text_add_byte(&data, (char)header.table_encoding);
    builder_number(&builder, &data, 0x1234, (header.pointer_encoding & 0x07) == 4 ? 8 : 4);
    builder_number(&builder, &data, header.count, 4);
    for (size_t i = 0; i < offset_count; i++) {
        builder_number(&builder, &data, (uint32_t)offsets[i], 4);
        builder_number(&builder, &data, 0x55, 4);
    }
    builder_section(&builder, (struct built_section){.name = ".eh_frame_hdr",
                                                     .type = SHT_PROGBITS,
                                                     .flags = SHF_ALLOC,
                                                     .svma = HEADER_SVMA,
                                                     .data = text_slice(&data)});
    assert_int_equal(image_open_bytes(builder_finish(&builder), "built", &image, &err), 0);
    function_starts_read(&image, &starts);
    image_close(&image);
    builder_done(&builder);
    return starts;
}

static const int32_t offsets[] = {-0x1000, -0xf00, 0x40};

static void each_entry_is_a_start_counted_from_the_section(void **state)
{
    struct function_starts starts = read_starts(usual, offsets, 3);
    uint64_t start = 0;

    (void)state;
    assert_int_equal(starts.items.count, 3);
    assert_false(function_starts_find(&starts, 0xfff, &start));
    assert_true(function_starts_find(&starts, 0x1000, &start));
    assert_int_equal(start, 0x1000);
    assert_true(function_starts_find(&starts, 0x10ff, &start));
    assert_int_equal(start, 0x1000);
    assert_true(function_starts_find(&starts, 0x1100, &start));
    assert_int_equal(start, 0x1100);
    assert_true(function_starts_find(&starts, UINT64_MAX, &start));
    assert_int_equal(start, 0x2040);
    vec_done(&starts.items);
}

static void a_table_of_another_form_gives_nothing(void **state)
{
    static const struct header others[] = {
        {2, 0x1b, 0x03, 0x3b, 3}, {1, 0x19, 0x03, 0x3b, 3}, {1, 0x1b, 0x04, 0x3b, 3},
        {1, 0x1b, 0x03, 0x3c, 3}, {1, 0xff, 0xff, 0xff, 3}, {1, 0x1b, 0x03, 0x3b, 0},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(others); i++) {
        struct function_starts starts = read_starts(others[i], offsets, 3);

        assert_int_equal(starts.items.count, 0);
        vec_done(&starts.items);
    }
}

static void a_pointer_of_eight_bytes_is_stepped_over(void **state)
{
    struct function_starts starts = read_starts((struct header){1, 0x1c, 0x03, 0x3b, 3}, offsets, 3);

    (void)state;
    assert_int_equal(starts.items.count, 3);
    vec_done(&starts.items);
}

static void a_damaged_table_ends_where_the_damage_is(void **state)
{
    static const int32_t falling[] = {-0x1000, -0x1001, 0x40};
    struct function_starts cut = read_starts((struct header){1, 0x1b, 0x03, 0x3b, UINT32_MAX}, offsets, 2);
    struct function_starts unsorted = read_starts(usual, falling, 3);

    (void)state;
    assert_int_equal(cut.items.count, 2);
    assert_int_equal(unsorted.items.count, 1);
    vec_done(&cut.items);
    vec_done(&unsorted.items);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_entry_is_a_start_counted_from_the_section),
        cmocka_unit_test(a_table_of_another_form_gives_nothing),
        cmocka_unit_test(a_pointer_of_eight_bytes_is_stepped_over),
        cmocka_unit_test(a_damaged_table_ends_where_the_damage_is),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
