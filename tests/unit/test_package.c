#include "dwarf/debug_info.h"

#include <elf.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "elf_builder.h"
#include "scratch_folder.h"

/* Ids that belong into one slot; the third is of no unit. */
enum { FIRST = 0x10, SECOND = 0x20, OTHER = 0x30 };

/* A .dwp file to be written: that of two units unless a test changes it. */
struct packed {
    uint32_t version;
    bool big_endian;
    uint32_t slot_count;
    uint32_t second_length; /* of the second unit's entries */
    size_t index_bytes;     /* that are left of the index; SIZE_MAX: all */
    bool has_index;
};

static const struct packed usual = {
    .version = 5, .slot_count = 4, .second_length = 6, .index_bytes = SIZE_MAX, .has_index = true};

static void add_numbers(struct text *out, const struct elf_builder *builder, const uint32_t *numbers,
                        size_t count)
{
    for (size_t i = 0; i < count; i++)
        builder_number(builder, out, numbers[i], 4);
}

static void add_header(struct text *out, const struct elf_builder *builder, const struct packed *packed)
{
    const uint32_t counts[] = {3, 2, packed->slot_count};

    if (packed->version == 2) {
        builder_number(builder, out, packed->version, 4);
    } else {
        builder_number(builder, out, packed->version, 2);
        builder_number(builder, out, 0, 2);
    }
    add_numbers(out, builder, counts, ARRAY_COUNT(counts));
}

/* Units have parts of the entries, the abbreviations and a section that is not read, in this order. */
static void add_index(struct text *out, const struct elf_builder *builder, const struct packed *packed)
{
    /* With four slots both belong into the first one: the second unit goes on to the next. */
    const uint64_t ids[] = {FIRST, SECOND, 0, 0};
    const uint32_t rows[] = {2, 1, 0, 0};
    const uint32_t columns[] = {1, 3, 5};
    const uint32_t offsets[] = {0, 3, 0, 4, 0, 7};
    const uint32_t lengths[] = {packed->second_length, 2, 9, 5, 3, 9};

    add_header(out, builder, packed);
    for (size_t i = 0; i < ARRAY_COUNT(ids); i++)
        builder_number(builder, out, ids[i], 8);
    add_numbers(out, builder, rows, ARRAY_COUNT(rows));
    add_numbers(out, builder, columns, ARRAY_COUNT(columns));
    add_numbers(out, builder, offsets, ARRAY_COUNT(offsets));
    add_numbers(out, builder, lengths, ARRAY_COUNT(lengths));
}

static void write_package(const struct packed *packed)
{
    SCOPED(builder_done)
    struct elf_builder builder = builder_new(true, packed->big_endian, EM_X86_64, ET_REL);
    SCOPED(text_done) struct text index = {0};
    struct error err = {0};

    add_index(&index, &builder, packed);
    builder_section(&builder, (struct built_section){.name = ".debug_info.dwo",
                                                     .type = SHT_PROGBITS,
                                                     .data = SLICE("onetwothree")});
    builder_section(&builder, (struct built_section){
                                  .name = ".debug_abbrev.dwo", .type = SHT_PROGBITS, .data = SLICE("abcde")});
    builder_section(&builder, (struct built_section){.name = ".debug_str.dwo",
                                                     .type = SHT_PROGBITS,
                                                     .data = (struct slice){"main", 5}});
    if (packed->has_index)
        builder_section(&builder, (struct built_section){
                                      .name = ".debug_cu_index",
                                      .type = SHT_PROGBITS,
                                      .data = slice_range(text_slice(&index), 0, packed->index_bytes)});
    if (file_replace("p.dwp", builder_finish(&builder), &err) < 0)
        fail_msg("%s", err.message);
}

static void open_package(const struct packed *packed, enum debug_extent extent, struct package *out)
{
    struct error err = {0};

    write_package(packed);
    if (package_open("p.dwp", extent, out, &err) < 0)
        fail_msg("%s", err.message);
}

static void assert_section(const struct debug_sections *sections, enum debug_section which,
                           const char *expected)
{
    assert_int_equal(sections->data[which].length, strlen(expected));
    assert_memory_equal(sections->data[which].data, expected, strlen(expected));
}

static void assert_units_of(const struct packed *packed, enum debug_extent extent)
{
    struct debug_sections sections;
    struct package package;

    open_package(packed, extent, &package);
    assert_true(package_find(&package, FIRST, &sections));
    assert_true(sections.is_split);
    assert_int_equal(sections.big_endian, packed->big_endian);
    assert_section(&sections, DEBUG_INFO, "wothr");
    assert_section(&sections, DEBUG_ABBREV, "abc");
    assert_section(&sections, DEBUG_STR_OFFSETS, "");
    assert_true(slice_is(debug_sections_string(&sections, DEBUG_STR, 1), "ain"));
    assert_true(package_find(&package, SECOND, &sections));
    assert_section(&sections, DEBUG_INFO, "onetwo");
    assert_section(&sections, DEBUG_ABBREV, "de");
    assert_false(package_find(&package, OTHER, &sections));
    assert_false(package_find(&package, 0, &sections));
    package_close(&package);
}

static void assert_units(const struct packed *packed)
{
    assert_units_of(packed, DEBUG_WHOLE);
    assert_units_of(packed, DEBUG_PARTS);
}

static void a_unit_has_its_parts_of_the_sections(void **state)
{
    struct packed packed = usual;

    (void)state;
    assert_units(&packed);
    packed.version = 2;
    assert_units(&packed);
    packed.big_endian = true;
    assert_units(&packed);
    packed.version = 5;
    assert_units(&packed);
}

static void parts_that_end_past_their_section_are_none(void **state)
{
    struct packed packed = usual;
    struct debug_sections sections;
    struct package package;

    (void)state;
    packed.second_length = 12;
    open_package(&packed, DEBUG_PARTS, &package);
    assert_true(package_find(&package, FIRST, &sections));
    assert_false(package_find(&package, SECOND, &sections));
    package_close(&package);
}

static void a_file_without_an_index_has_no_units(void **state)
{
    struct packed packed = usual;
    struct debug_sections sections;
    struct package package;

    (void)state;
    packed.has_index = false;
    open_package(&packed, DEBUG_PARTS, &package);
    assert_false(package_find(&package, FIRST, &sections));
    package_close(&package);
}

static void assert_refused(const struct packed *packed)
{
    struct package package;
    struct error err = {0};

    write_package(packed);
    assert_int_equal(package_open("p.dwp", DEBUG_WHOLE, &package, &err), -1);
    assert_int_equal(err.kind, ERROR_FORMAT);
    assert_string_equal(err.message,
                        "p.dwp: its index of units is damaged, or of a version that is not known");
}

static void a_damaged_index_is_refused(void **state)
{
    (void)state;
    for (size_t left = 1; left < 16 + 4 * 12 + 15 * 4; left++) {
        struct packed packed = usual;

        packed.index_bytes = left;
        assert_refused(&packed);
    }
    for (uint32_t version = 0; version < 8; version++) {
        struct packed packed = usual;

        packed.version = version;
        if (version != 2 && version != 5)
            assert_refused(&packed);
    }
}

static void a_table_that_is_no_power_of_two_is_refused(void **state)
{
    struct packed packed = usual;

    (void)state;
    packed.slot_count = 3;
    assert_refused(&packed);
}

static void a_file_that_is_none_is_refused_by_name(void **state)
{
    struct package package;
    struct error err = {0};

    (void)state;
    write_file("p.dwp", "no ELF file, surely");
    assert_int_equal(package_open("p.dwp", DEBUG_WHOLE, &package, &err), -1);
    assert_non_null(strstr(err.message, "p.dwp"));
    assert_int_equal(package_open("none.dwp", DEBUG_WHOLE, &package, &err), -1);
    assert_int_equal(err.kind, ERROR_IO);
}

/* What is told of the units of a program beside a package of such content. */
static void assert_problem(struct slice content, const char *expected)
{
    SCOPED(text_done) struct text program = {0};
    struct image image;
    struct debug_info info;
    struct error err = {0};

    assert_int_equal(file_read(FIXTURES "/dwarf/rust-packed5", SIZE_MAX, &program, &err), 0);
    assert_int_equal(file_replace("p", text_slice(&program), &err), 0);
    assert_int_equal(file_replace("p.dwp", content, &err), 0);
    assert_int_equal(image_open("p", &image, &err), 0);
    assert_int_equal(debug_info_open(&image, DEBUG_WHOLE, &info, &err), 0);
    debug_info_read_all(&info, 1);
    assert_non_null(debug_info_problem(&info));
    assert_string_equal(debug_info_problem(&info)->message, expected);
    debug_info_close(&info);
    image_close(&image);
}

static void a_program_tells_why_its_package_is_of_no_use(void **state)
{
    SCOPED(text_done) struct text other = {0};
    struct error err = {0};

    (void)state;
    assert_int_equal(file_read(FIXTURES "/dwarf/rust-packed4.dwp", SIZE_MAX, &other, &err), 0);
    assert_problem(text_slice(&other), "p.dwp: does not belong to the program");
    assert_problem(SLICE("no package"), "p.dwp: not an ELF file: it is text");
}

/* Which package the program at `path` is found to have. */
static void assert_package(const char *path, const char *expected)
{
    struct image image;
    struct debug_info info;
    struct error err = {0};

    assert_int_equal(image_open(path, &image, &err), 0);
    assert_int_equal(debug_info_open(&image, DEBUG_PARTS, &info, &err), 0);
    assert_non_null(info.package);
    assert_string_equal(info.package->image.name, expected);
    debug_info_close(&info);
    image_close(&image);
}

static void copy_file(const char *from, const char *to)
{
    SCOPED(text_done) struct text content = {0};
    struct error err = {0};

    assert_int_equal(file_read(from, SIZE_MAX, &content, &err), 0);
    assert_int_equal(file_replace(to, text_slice(&content), &err), 0);
}

static void make_folders(const char *const *paths, size_t count)
{
    for (size_t i = 0; i < count; i++)
        assert_int_equal(mkdir(paths[i], 0700), 0);
}

static void a_debug_file_has_the_package_of_its_program(void **state)
{
    SCOPED(image_close) struct image image;
    struct debug_info info;
    struct error err = {0};

    (void)state;
    copy_file(FIXTURES "/dwarf/rust-packed5", "p.debug");
    copy_file(FIXTURES "/dwarf/rust-packed5.dwp", "p.dwp");
    assert_int_equal(image_open("p.debug", &image, &err), 0);
    image.place = "p";
    assert_int_equal(debug_info_open(&image, DEBUG_PARTS, &info, &err), 0);
    assert_non_null(info.package);
    debug_info_close(&info);
}

static void a_link_leads_to_its_programs_package(void **state)
{
    SCOPED(memory_free_at) char *folder = realpath(".", NULL);
    SCOPED(text_done) struct text expected = {0};

    (void)state;
    assert_int_equal(mkdir("there", 0700), 0);
    copy_file(FIXTURES "/dwarf/rust-packed5", "there/p");
    copy_file(FIXTURES "/dwarf/rust-packed5.dwp", "there/p.dwp");
    assert_int_equal(symlink("there/p", "p"), 0);
    text_format(&expected, "%s/there/p.dwp", folder);
    assert_package("p", text_string(&expected));

    /* What is beside the link, but not the program's, is not taken instead. */
    copy_file(FIXTURES "/dwarf/rust-packed4.dwp", "p.dwp");
    assert_package("p", text_string(&expected));
    copy_file(FIXTURES "/dwarf/rust-packed5.dwp", "p.dwp");
    assert_package("p", "p.dwp");
}

#define DWO "rust-split5.tiny.aa3ef0f87614fec-cgu.0.rcgu.dwo"

/* The debug information of a program at /bin/p of the system whose root is the folder "root". */
static void open_below_root(const char *name, struct image *image, struct debug_info *info)
{
    SCOPED(text_done) struct text fixture = {0};
    struct error err = {0};

    text_format(&fixture, FIXTURES "/dwarf/%s", name);
    copy_file(text_string(&fixture), "p");
    assert_int_equal(image_open("p", image, &err), 0);
    image_set_place(image, SLICE("root"), SLICE("/bin/p"));
    assert_int_equal(debug_info_open(image, DEBUG_WHOLE, info, &err), 0);
    debug_info_read_all(info, 1);
}

/* With a file of split debug information there, and one of another build besides, or NULL. */
static void assert_split_file_below_root(const char *path, const char *of_another)
{
    struct image image;
    struct debug_info info;

    copy_file(FIXTURES "/dwarf/" DWO, path);
    if (of_another)
        copy_file(FIXTURES "/dwarf/rust-split4.tiny.aa3ef0f87614fec-cgu.0.rcgu.dwo", of_another);
    open_below_root("rust-split5", &image, &info);
    assert_null(debug_info_problem(&info));
    debug_info_close(&info);
    image_close(&image);
    assert_int_equal(unlink(path), 0);
}

static void below_another_root_split_files_are_looked_for_there(void **state)
{
    struct image image;
    struct debug_info info;

    (void)state;
    make_folders((const char *const[]){"root", "root/bin", "root/tiny"}, 3);
    assert_split_file_below_root("root/tiny/" DWO, NULL);
    assert_split_file_below_root("root/bin/" DWO, NULL);
    assert_split_file_below_root("root/bin/" DWO, "root/tiny/" DWO);
    open_below_root("rust-split5", &image, &info);
    assert_non_null(debug_info_problem(&info));
    assert_int_equal(debug_info_problem(&info)->kind, ERROR_FORMAT); /* the one of another build */
    debug_info_close(&info);
    image_close(&image);
}

static void so_are_packages(void **state)
{
    static const char *const places[] = {"root/bin/p.dwp", "root/tiny/rust-packed5.dwp"};

    (void)state;
    make_folders((const char *const[]){"root", "root/bin", "root/tiny"}, 3);
    for (size_t i = 0; i < ARRAY_COUNT(places); i++) {
        struct image image;
        struct debug_info info;

        copy_file(FIXTURES "/dwarf/rust-packed5.dwp", places[i]);
        open_below_root("rust-packed5", &image, &info);
        assert_non_null(info.package);
        assert_string_equal(info.package->image.name, places[i]);
        assert_null(debug_info_problem(&info));
        debug_info_close(&info);
        image_close(&image);
        assert_int_equal(unlink(places[i]), 0);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, enter_folder, leave_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_debug_file_has_the_package_of_its_program),
        TEST(a_link_leads_to_its_programs_package),
        TEST(a_unit_has_its_parts_of_the_sections),
        TEST(parts_that_end_past_their_section_are_none),
        TEST(a_file_without_an_index_has_no_units),
        TEST(a_damaged_index_is_refused),
        TEST(a_table_that_is_no_power_of_two_is_refused),
        TEST(a_file_that_is_none_is_refused_by_name),
        TEST(a_program_tells_why_its_package_is_of_no_use),
        TEST(below_another_root_split_files_are_looked_for_there),
        TEST(so_are_packages),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
