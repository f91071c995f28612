/* Programs and libraries, told apart by the table for the dynamic loader. */
#include "cmocka_all.h"

#include "elf/program.h"
#include "elf_builder.h"

static const struct {
    bool is_64;
    bool big_endian;
} forms[] = {{true, false}, {true, true}, {false, false}, {false, true}};

/* What a file has that tells what it is; tags and values in turn. */
struct kind {
    uint16_t type;
    bool has_loader;
    uint64_t dynamic[6];
    size_t numbers;
};

static bool is_program(struct kind kind, bool is_64, bool big_endian)
{
    SCOPED(builder_done) struct elf_builder builder = builder_new(is_64, big_endian, EM_X86_64, kind.type);
    SCOPED(text_done) struct text dynamic = {0};
    struct image image;
    struct error err = {0};
    bool is = false;

    for (size_t i = 0; i < kind.numbers; i++)
        builder_number(&builder, &dynamic, kind.dynamic[i], is_64 ? 8 : 4);
    if (kind.has_loader)
        builder_section(&builder, (struct built_section){.name = ".interp",
                                                         .type = SHT_PROGBITS,
                                                         .flags = SHF_ALLOC,
                                                         .data = SLICE("/lib64/ld-linux-x86-64.so.2")});
    if (kind.numbers > 0)
        builder_section(&builder, (struct built_section){.name = ".dynamic",
                                                         .type = SHT_DYNAMIC,
                                                         .flags = SHF_ALLOC,
                                                         .data = text_slice(&dynamic)});
    assert_int_equal(image_open_bytes(builder_finish(&builder), "file", &image, &err), 0);
    is = image_is_program(&image);
    image_close(&image);
    return is;
}

static void assert_program(struct kind kind, bool expected)
{
    for (size_t i = 0; i < ARRAY_COUNT(forms); i++)
        assert_int_equal(is_program(kind, forms[i].is_64, forms[i].big_endian), expected);
}

static void programs_are_marked_or_have_a_loader_and_no_name(void **state)
{
    (void)state;
    assert_program((struct kind){.type = ET_EXEC}, true);
    assert_program((struct kind){ET_DYN, true, {DT_NEEDED, 1, DT_FLAGS_1, DF_1_NOW | DF_1_PIE}, 4}, true);
    assert_program((struct kind){ET_DYN, false, {DT_FLAGS_1, DF_1_PIE, DT_NULL, 0}, 4}, true);
    assert_program((struct kind){ET_DYN, true, {DT_NEEDED, 1, DT_NULL, 0}, 4}, true);
}

static void libraries_are_no_programs_even_with_a_loader(void **state)
{
    (void)state;
    assert_program((struct kind){ET_DYN, false, {DT_NEEDED, 1}, 2}, false);
    assert_program((struct kind){ET_DYN, true, {DT_SONAME, 1, DT_FLAGS_1, DF_1_NOW, DT_NULL, 0}, 6}, false);
    assert_program((struct kind){.type = ET_REL, .has_loader = true}, false);
}

/* What stands behind the end of the table, or is cut, tells nothing. */
static void damaged_tables_end_where_they_are_damaged(void **state)
{
    (void)state;
    assert_program((struct kind){ET_DYN, false, {DT_NULL, 0, DT_FLAGS_1, DF_1_PIE}, 4}, false);
    assert_program((struct kind){ET_DYN, false, {DT_NEEDED, 1, DT_FLAGS_1}, 3}, false);
    assert_program((struct kind){ET_DYN, true, {DT_SONAME}, 1}, true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(programs_are_marked_or_have_a_loader_and_no_name),
        cmocka_unit_test(libraries_are_no_programs_even_with_a_loader),
        cmocka_unit_test(damaged_tables_end_where_they_are_damaged),
    };

    return cmocka_run_group_tests_name("elf program", tests, NULL, NULL);
}
