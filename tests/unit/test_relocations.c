#include <inttypes.h>

#include "cmocka_all.h"

#include "elf/constants.h"
#include "elf/relocations.h"
#include "elf_builder.h"

struct fixture {
    struct elf_builder builder;
    struct text entries;
    struct image image;
    struct relocations found;
    struct error err;
};

static void begin_machine(struct fixture *f, bool is_64, uint16_t machine)
{
    builder_done(&f->builder);
    f->builder = builder_new(is_64, false, machine, ET_DYN);
}

static int begin(void **state)
{
    static struct fixture fixture;

    fixture = (struct fixture){.builder = builder_new(true, false, EM_X86_64, ET_DYN)};
    *state = &fixture;
    return 0;
}

static int end(void **state)
{
    struct fixture *f = *state;

    relocations_done(&f->found);
    image_close(&f->image);
    text_done(&f->entries);
    builder_done(&f->builder);
    return 0;
}

static void add_numbers(struct fixture *f, size_t count, const uint64_t *numbers)
{
    for (size_t i = 0; i < count; i++)
        builder_number(&f->builder, &f->entries, numbers[i], f->builder.is_64 ? 8 : 4);
}

#define ADD(f, ...)                                                                                          \
    add_numbers(f, sizeof((const uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t),                               \
                (const uint64_t[]){__VA_ARGS__})

static void add_data(struct fixture *f, uint64_t svma, struct slice bytes)
{
    builder_section(&f->builder, (struct built_section){.name = ".data",
                                                        .type = SHT_PROGBITS,
                                                        .flags = SHF_ALLOC | SHF_WRITE,
                                                        .svma = svma,
                                                        .data = bytes,
                                                        .alignment = 1});
}

static void add_table(struct fixture *f, uint32_t type, uint64_t entry_bytes, uint32_t link)
{
    builder_section(&f->builder, (struct built_section){.name = ".rela.dyn",
                                                        .type = type,
                                                        .flags = SHF_ALLOC,
                                                        .data = text_slice(&f->entries),
                                                        .link = link,
                                                        .alignment = 1,
                                                        .entry_bytes = entry_bytes});
}

/* What --emit-relocs leaves: a table that is not loaded, of the section `changed`. */
static void add_left_table(struct fixture *f, uint32_t type, uint64_t flags, uint32_t link, uint32_t changed)
{
    builder_section(&f->builder, (struct built_section){.name = ".rela.left",
                                                        .type = type,
                                                        .flags = flags,
                                                        .data = text_slice(&f->entries),
                                                        .link = link,
                                                        .info = changed,
                                                        .alignment = 1,
                                                        .entry_bytes = type == SHT_RELA ? 24 : 8});
}

static void add_debug_information(struct fixture *f)
{
    builder_section(&f->builder, (struct built_section){.name = ".debug_info",
                                                        .type = SHT_PROGBITS,
                                                        .data = SLICE("0123456789abcdef"),
                                                        .alignment = 1});
}

static void read_all(struct fixture *f)
{
    assert_int_equal(image_open_bytes(builder_finish(&f->builder), "prog", &f->image, &f->err), 0);
    assert_int_equal(relocations_read(&f->image, &f->found, &f->err), 0);
}

static const struct relocation *at(const struct fixture *f, size_t index)
{
    assert_true(index < f->found.items.count);
    return &f->found.items.items[index];
}

static void an_addend_is_the_target_of_a_relative_one(void **state)
{
    struct fixture *f = *state;

    ADD(f, 0x3000, R_X86_64_RELATIVE, 0x1234, 0x3008, R_X86_64_DTPMOD64, 0);
    add_table(f, SHT_RELA, 24, 0);
    read_all(f);
    assert_int_equal(f->found.items.count, 2);
    assert_int_equal(at(f, 0)->place_svma, 0x3000);
    assert_true(at(f, 0)->has_target);
    assert_int_equal(at(f, 0)->target_svma, 0x1234);
    assert_int_equal(at(f, 0)->entry_offset, 0);
    assert_int_equal(at(f, 0)->entry_bytes, 24);
    assert_int_equal(at(f, 1)->entry_offset, 24);
    assert_false(at(f, 1)->has_target);
}

static void a_symbol_that_the_file_defines_is_a_target(void **state)
{
    struct fixture *f = *state;
    uint32_t symtab = 0;

    add_data(f, 0x2000, SLICE("0123456789abcdef"));
    builder_symbol(&f->builder, "here", ELF64_ST_INFO(STB_GLOBAL, STT_OBJECT), 1, 0x2004, 4);
    builder_symbol(&f->builder, "elsewhere", ELF64_ST_INFO(STB_GLOBAL, STT_OBJECT), SHN_UNDEF, 0, 0);
    symtab = builder_symtab(&f->builder);
    ADD(f, 0x2000, ELF64_R_INFO((uint64_t)1, R_X86_64_64), 2);
    ADD(f, 0x2008, ELF64_R_INFO((uint64_t)1, R_X86_64_GLOB_DAT), 2);
    ADD(f, 0x2008, ELF64_R_INFO((uint64_t)2, R_X86_64_64), 2);
    ADD(f, 0x2008, ELF64_R_INFO((uint64_t)77, R_X86_64_64), 2);
    add_table(f, SHT_RELA, 24, symtab);
    read_all(f);
    assert_int_equal(f->found.items.count, 4);
    assert_int_equal(at(f, 0)->target_svma, 0x2006);
    assert_int_equal(at(f, 1)->target_svma, 0x2004);
    assert_int_equal(at(f, 1)->symbol, 1);
    assert_false(at(f, 2)->has_target);
    assert_int_equal(at(f, 2)->symbol, 2);
    assert_false(at(f, 3)->has_target);
}

static void tables_without_addends_take_what_stands_there(void **state)
{
    struct fixture *f = *state;

    begin_machine(f, false, EM_386);
    add_data(f, 0x2000, SLICE("\x00\x00\x00\x00\x78\x56\x00\x00"));
    ADD(f, 0x2004, R_386_RELATIVE, 0x9999, R_386_RELATIVE);
    add_table(f, SHT_REL, 8, 0);
    read_all(f);
    assert_int_equal(f->found.items.count, 2);
    assert_int_equal(at(f, 0)->target_svma, 0x5678);
    assert_int_equal(at(f, 0)->entry_bytes, 8);
    assert_int_equal(at(f, 1)->target_svma, 0);
}

static void what_is_not_loaded_is_changed_at_offsets_and_refers_to_nothing(void **state)
{
    struct fixture *f = *state;

    add_data(f, 4, SLICE("0123456789abcdef"));
    add_debug_information(f);
    ADD(f, 8, R_X86_64_RELATIVE, 0x1234);
    add_left_table(f, SHT_RELA, 0, 0, 2);
    read_all(f);
    assert_int_equal(f->found.items.count, 1);
    assert_true(at(f, 0)->place_svma == RELOCATION_NOT_LOADED);
    assert_int_equal(at(f, 0)->place_offset, 8);
    assert_false(at(f, 0)->has_target);
}

static void what_is_loaded_is_changed_at_addresses_whoever_the_table_is_for(void **state)
{
    struct fixture *f = *state;

    add_data(f, 0x2000, SLICE("0123456789abcdef"));
    add_debug_information(f);
    ADD(f, 0x2008, R_X86_64_RELATIVE, 0x1234);
    add_left_table(f, SHT_RELA, 0, 0, 1);         /* the linker's */
    add_left_table(f, SHT_RELA, SHF_ALLOC, 0, 2); /* the loader's, which knows of no sections */
    add_left_table(f, SHT_RELA, 0, 0, 77);
    read_all(f);
    assert_int_equal(f->found.items.count, 3);
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(at(f, i)->place_svma, 0x2008);
        assert_int_equal(at(f, i)->place_offset, 0);
        assert_int_equal(at(f, i)->target_svma, 0x1234);
    }
}

static void what_the_linker_has_put_in_place_holds_the_symbol_already(void **state)
{
    struct fixture *f = *state;
    uint32_t symtab = 0;

    begin_machine(f, false, EM_386);
    add_data(f, 0x2000, SLICE("\x06\x20\x00\x00"));
    builder_symbol(&f->builder, "here", ELF32_ST_INFO(STB_GLOBAL, STT_OBJECT), 1, 0x2004, 4);
    symtab = builder_symtab(&f->builder);
    ADD(f, 0x2000, ELF32_R_INFO(1, R_386_32));
    add_left_table(f, SHT_REL, 0, symtab, 1);
    add_left_table(f, SHT_REL, SHF_ALLOC, symtab, 0);
    read_all(f);
    assert_int_equal(at(f, 0)->target_svma, 0x2006);
    assert_int_equal(at(f, 1)->target_svma, 0x2004 + 0x2006);
}

static void an_entry_of_packed_ones_may_stand_for_many(void **state)
{
    struct fixture *f = *state;
    static const char data[64] = {[0] = 0x11, [8] = 0x22, [24] = 0x33};

    add_data(f, 0x2000, (struct slice){data, sizeof(data)});
    /* 0x2000; then of the words behind it the first and the third; then a place outside. */
    ADD(f, 0x2000, 1 | 1 << 1 | 1 << 3, 0x9000);
    add_table(f, SHT_RELR, 8, 0);
    read_all(f);
    assert_int_equal(f->found.items.count, 3);
    assert_int_equal(at(f, 0)->target_svma, 0x11);
    assert_int_equal(at(f, 1)->place_svma, 0x2008);
    assert_int_equal(at(f, 1)->target_svma, 0x22);
    assert_int_equal(at(f, 2)->place_svma, 0x2018);
    assert_int_equal(at(f, 2)->target_svma, 0x33);
    assert_int_equal(at(f, 2)->entry_offset, 8);
    assert_int_equal(f->found.damaged_count, 1);
}

static void packed_ones_under_androids_number_are_read_too(void **state)
{
    const uint32_t android = 0x6fffff00;
    struct fixture *f = *state;

    add_data(f, 0x2000, SLICE("\x11\x00\x00\x00\x00\x00\x00\x00"));
    ADD(f, 0x2000);
    add_table(f, android, 8, 0);
    read_all(f);
    assert_int_equal(f->found.items.count, 1);
    assert_int_equal(at(f, 0)->target_svma, 0x11);
}

static void a_table_with_entries_of_another_size_is_left_out(void **state)
{
    struct fixture *f = *state;

    ADD(f, 0x3000, R_X86_64_RELATIVE, 0x1234);
    add_table(f, SHT_RELA, 16, 0);
    read_all(f);
    assert_int_equal(f->found.items.count, 0);
    assert_int_equal(f->found.damaged_count, 1);
}

static void what_is_left_of_a_cut_entry_is_not_read(void **state)
{
    struct fixture *f = *state;

    ADD(f, 0x3000, R_X86_64_RELATIVE, 0x1234, 0x3008, R_X86_64_RELATIVE);
    add_table(f, SHT_RELA, 24, 0);
    read_all(f);
    assert_int_equal(f->found.items.count, 1);
}

static void objects_have_none(void **state)
{
    struct fixture *f = *state;

    f->builder.type = ET_REL;
    ADD(f, 0x3000, R_X86_64_RELATIVE, 0x1234);
    add_table(f, SHT_RELA, 24, 0);
    read_all(f);
    assert_int_equal(f->found.items.count, 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(an_addend_is_the_target_of_a_relative_one),
        TEST(a_symbol_that_the_file_defines_is_a_target),
        TEST(tables_without_addends_take_what_stands_there),
        TEST(what_is_not_loaded_is_changed_at_offsets_and_refers_to_nothing),
        TEST(what_is_loaded_is_changed_at_addresses_whoever_the_table_is_for),
        TEST(what_the_linker_has_put_in_place_holds_the_symbol_already),
        TEST(an_entry_of_packed_ones_may_stand_for_many),
        TEST(packed_ones_under_androids_number_are_read_too),
        TEST(a_table_with_entries_of_another_size_is_left_out),
        TEST(what_is_left_of_a_cut_entry_is_not_read),
        TEST(objects_have_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
