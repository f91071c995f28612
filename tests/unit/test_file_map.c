#include "cmocka_all.h"

#include "account/file_map.h"
#include "elf_builder.h"

static uint64_t bytes_of_kind(const struct file_map *map, enum file_part_kind kind)
{
    uint64_t bytes = 0;

    for (size_t i = 0; i < map->parts.count; i++)
        bytes += map->parts.items[i].kind == kind ? map->parts.items[i].file_bytes : 0;
    return bytes;
}

static uint64_t all_bytes(const struct file_map *map)
{
    uint64_t bytes = 0;

    for (size_t i = 0; i < map->parts.count; i++)
        bytes += map->parts.items[i].file_bytes;
    return bytes;
}

static const struct file_part *part_named(const struct file_map *map, const char *name)
{
    for (size_t i = 0; i < map->parts.count; i++)
        if (map->parts.items[i].section && slice_is(map->parts.items[i].section->name, name))
            return &map->parts.items[i];
    fail_msg("no section %s", name);
    return NULL;
}

struct fixture {
    struct elf_builder builder;
    struct image image;
    struct file_map map;
};

static int begin(void **state)
{
    static struct fixture fixture;

    fixture = (struct fixture){.builder = builder_new(true, false, EM_X86_64, ET_EXEC)};
    *state = &fixture;
    return 0;
}

static int end(void **state)
{
    struct fixture *f = *state;

    file_map_done(&f->map);
    image_close(&f->image);
    builder_done(&f->builder);
    return 0;
}

static void map_it(struct fixture *f)
{
    struct error err = {0};

    assert_int_equal(image_open_bytes(builder_finish(&f->builder), "prog", &f->image, &err), 0);
    file_map_build(&f->image, &f->map);
}

static void headers_sections_and_gaps_are_the_whole_file(void **state)
{
    struct fixture *f = *state;

    builder_code(&f->builder, ".text", 0x1000, SLICE("\x90\x90\xc3"));
    map_it(f);
    assert_int_equal(bytes_of_kind(&f->map, FILE_PART_HEADER), 64);
    assert_int_equal(bytes_of_kind(&f->map, FILE_PART_SECTION_HEADERS), 64 * f->image.sections.count);
    assert_int_equal(part_named(&f->map, ".text")->file_bytes, 3);
    assert_int_equal(bytes_of_kind(&f->map, FILE_PART_GAPS), f->map.gap_bytes);
    assert_int_equal(all_bytes(&f->map), f->image.size_bytes);
}

static void a_section_without_bytes_takes_memory_alone(void **state)
{
    struct fixture *f = *state;

    builder_section(&f->builder, (struct built_section){.name = ".bss",
                                                        .type = SHT_NOBITS,
                                                        .flags = SHF_ALLOC | SHF_WRITE,
                                                        .size_lie = 0x10000,
                                                        .alignment = 1});
    map_it(f);
    assert_int_equal(part_named(&f->map, ".bss")->file_bytes, 0);
    assert_int_equal(part_named(&f->map, ".bss")->memory_bytes, 0x10000);
    assert_int_equal(all_bytes(&f->map), f->image.size_bytes);
}

static void bytes_that_sections_share_count_once(void **state)
{
    struct fixture *f = *state;

    builder_code(&f->builder, ".text", 0x1000, SLICE("0123456789"));
    builder_section(&f->builder, (struct built_section){.name = ".whole",
                                                        .type = SHT_PROGBITS,
                                                        .data = SLICE("x"),
                                                        .alignment = 1,
                                                        .offset_lie = 1,
                                                        .size_lie = 100});
    map_it(f);
    /* What the header has already: bytes 0 to 63. */
    assert_int_equal(part_named(&f->map, ".whole")->file_bytes, 101 - 64);
    assert_int_equal(part_named(&f->map, ".text")->file_bytes, 0);
    assert_int_equal(all_bytes(&f->map), f->image.size_bytes);
}

static void program_headers_that_others_overlap_count_once(void **state)
{
    struct fixture *f = *state;
    struct slice file;
    struct error err = {0};

    builder_code(&f->builder, ".text", 0x1000, SLICE("\xc3"));
    file = builder_finish(&f->builder);
    f->builder.file.data[offsetof(Elf64_Ehdr, e_phoff)] = 60;
    f->builder.file.data[offsetof(Elf64_Ehdr, e_phentsize)] = 8;
    f->builder.file.data[offsetof(Elf64_Ehdr, e_phnum)] = 1;
    assert_int_equal(image_open_bytes(file, "prog", &f->image, &err), 0);
    file_map_build(&f->image, &f->map);
    assert_int_equal(all_bytes(&f->map), f->image.size_bytes);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(headers_sections_and_gaps_are_the_whole_file),
        TEST(a_section_without_bytes_takes_memory_alone),
        TEST(bytes_that_sections_share_count_once),
        TEST(program_headers_that_others_overlap_count_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
