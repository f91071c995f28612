#include "cmocka_all.h"

#include "elf/link_alone.h"
#include "elf/relocations.h"
#include "elf/symbols.h"
#include "elf_builder.h"

enum { TEXT = 1, DATA, DEBUG, TABLE, SYMTAB = TABLE + 2 };

struct fixture {
    struct elf_builder builder;
    struct text entries;
    struct image image;
    struct error err;
};

static int begin(void **state)
{
    static struct fixture fixture;

    fixture = (struct fixture){.builder = builder_new(true, false, EM_X86_64, ET_REL)};
    *state = &fixture;
    return 0;
}

static int end(void **state)
{
    struct fixture *f = *state;

    image_close(&f->image);
    text_done(&f->entries);
    builder_done(&f->builder);
    return 0;
}

static void add_section(struct fixture *f, const char *name, uint64_t flags, struct slice bytes,
                        uint64_t alignment)
{
    builder_section(
        &f->builder,
        (struct built_section){
            .name = name, .type = SHT_PROGBITS, .flags = flags, .data = bytes, .alignment = alignment});
}

static void add_entry(struct fixture *f, uint64_t place, uint32_t symbol, uint32_t type, uint64_t addend)
{
    builder_number(&f->builder, &f->entries, place, 8);
    builder_number(&f->builder, &f->entries, ELF64_R_INFO((uint64_t)symbol, type), 8);
    builder_number(&f->builder, &f->entries, addend, 8);
}

/* Sections of 8 bytes of code, 16 of data, 8 that are not loaded; a table for `changed`; symbols 1 to 3. */
static void open_object(struct fixture *f, uint32_t changed)
{
    uint32_t symtab = 0;

    add_section(f, ".text", SHF_ALLOC | SHF_EXECINSTR, SLICE("\x90\x90\x90\x90\x90\x90\x90\x90"), 16);
    add_section(f, ".data", SHF_ALLOC | SHF_WRITE, SLICE("\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"), 4096);
    add_section(f, ".debug_info", 0, SLICE("\1\0\0\0\0\0\0\0"), 1);
    builder_symbol(&f->builder, "code", FUNCTION_GLOBAL, TEXT, 4, 4);
    builder_symbol(&f->builder, "table", ELF64_ST_INFO(STB_GLOBAL, STT_OBJECT), DATA, 8, 8);
    builder_symbol(&f->builder, "elsewhere", ELF64_ST_INFO(STB_GLOBAL, STT_OBJECT), SHN_UNDEF, 0, 0);
    builder_section(&f->builder, (struct built_section){.name = ".rela",
                                                        .type = SHT_RELA,
                                                        .data = text_slice(&f->entries),
                                                        .link = SYMTAB,
                                                        .info = changed,
                                                        .alignment = 1,
                                                        .entry_bytes = 24});
    symtab = builder_symtab(&f->builder);
    assert_int_equal(symtab, SYMTAB);
    assert_int_equal(image_open_bytes(builder_finish(&f->builder), "object", &f->image, &f->err), 0);
    assert_int_equal(link_alone(&f->image, &f->err), 0);
}

static const struct section *section(const struct fixture *f, uint32_t index)
{
    return &f->image.sections.items[index];
}

static uint64_t number_at(struct fixture *f, uint32_t index, uint64_t offset, unsigned width)
{
    struct slice bytes;
    struct bytes cursor;

    assert_int_equal(image_read_section(&f->image, section(f, index), &bytes, &f->err), 0);
    cursor = image_cursor(&f->image, bytes);
    bytes_seek(&cursor, offset);
    return bytes_unsigned(&cursor, width);
}

static void loaded_sections_get_addresses_of_their_own(void **state)
{
    struct fixture *f = *state;

    open_object(f, 0);
    assert_true(f->image.is_linked_alone);
    assert_true(section(f, TEXT)->svma > 0);
    assert_true(section(f, DATA)->svma > section(f, TEXT)->svma + 8);
    assert_int_equal(section(f, DATA)->svma % 4096, 0);
    assert_int_equal(section(f, DEBUG)->svma, 0);
}

static void symbols_stand_at_these_addresses(void **state)
{
    struct fixture *f = *state;
    struct symbols symbols;

    open_object(f, 0);
    assert_int_equal(symbols_read(&f->image, &symbols, &f->err), 0);
    assert_int_equal(symbols.count, 2);
    assert_int_equal(symbols.items[0].svma, section(f, TEXT)->svma + 4);
    assert_int_equal(symbols.items[1].svma, section(f, DATA)->svma + 8);
    symbols_done(&symbols);
}

static void places_get_what_relocations_say(void **state)
{
    struct fixture *f = *state;

    add_entry(f, 0, 1, R_X86_64_64, 2);
    add_entry(f, 8, 1, R_X86_64_PC32, (uint64_t)-4);
    open_object(f, DATA);
    assert_int_equal(number_at(f, DATA, 0, 8), section(f, TEXT)->svma + 6);
    assert_int_equal((int32_t)number_at(f, DATA, 8, 4),
                     (int32_t)(section(f, TEXT)->svma + 4 - 4 - (section(f, DATA)->svma + 8)));
    assert_true(image_is_settled(&f->image, section(f, DATA)));
}

static void code_refers_to_what_a_slot_would_hold(void **state)
{
    struct fixture *f = *state;

    add_entry(f, 3, 2, R_X86_64_REX_GOTPCRELX, (uint64_t)-4);
    open_object(f, TEXT);
    assert_int_equal((int32_t)number_at(f, TEXT, 3, 4),
                     (int32_t)(section(f, DATA)->svma + 8 - 4 - (section(f, TEXT)->svma + 3)));
}

static void what_other_objects_define_stays_open(void **state)
{
    struct fixture *f = *state;

    add_entry(f, 0, 3, R_X86_64_32, 5);
    open_object(f, DEBUG);
    assert_int_equal(number_at(f, DEBUG, 0, 8), 1);
    assert_true(image_is_settled(&f->image, section(f, DEBUG)));
}

static void a_kind_that_is_not_known_leaves_the_section_unsettled(void **state)
{
    struct fixture *f = *state;

    add_entry(f, 0, 1, 999, 0);
    open_object(f, DEBUG);
    assert_false(image_is_settled(&f->image, section(f, DEBUG)));
    assert_true(image_is_settled(&f->image, section(f, DATA)));
}

static void places_past_the_end_are_passed_over(void **state)
{
    struct fixture *f = *state;

    add_entry(f, 5, 1, R_X86_64_32, 0);
    add_entry(f, UINT64_MAX, 1, R_X86_64_64, 0);
    open_object(f, DEBUG);
    assert_int_equal(number_at(f, DEBUG, 0, 8), 1);
}

static void relocations_tell_places_and_targets(void **state)
{
    struct fixture *f = *state;
    struct relocations found;

    add_entry(f, 8, 1, R_X86_64_64, 2);
    open_object(f, DATA);
    assert_int_equal(relocations_read(&f->image, &found, &f->err), 0);
    assert_int_equal(found.items.count, 1);
    assert_int_equal(found.items.items[0].place_svma, section(f, DATA)->svma + 8);
    assert_int_equal(found.items.items[0].place_offset, 8);
    assert_true(found.items.items[0].has_target);
    assert_int_equal(found.items.items[0].target_svma, section(f, TEXT)->svma + 6);
    relocations_done(&found);
}

static void places_that_are_not_loaded_have_no_address(void **state)
{
    struct fixture *f = *state;
    struct relocations found;

    add_entry(f, 0, 1, R_X86_64_64, 0);
    open_object(f, DEBUG);
    assert_int_equal(relocations_read(&f->image, &found, &f->err), 0);
    assert_true(found.items.items[0].place_svma == RELOCATION_NOT_LOADED);
    assert_false(found.items.items[0].has_target);
    relocations_done(&found);
}

static void linked_files_are_left_as_they_are(void **state)
{
    struct fixture *f = *state;

    f->builder.type = ET_DYN;
    open_object(f, DATA);
    assert_false(f->image.is_linked_alone);
    assert_int_equal(section(f, TEXT)->svma, 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(loaded_sections_get_addresses_of_their_own),
        TEST(symbols_stand_at_these_addresses),
        TEST(places_get_what_relocations_say),
        TEST(code_refers_to_what_a_slot_would_hold),
        TEST(what_other_objects_define_stays_open),
        TEST(a_kind_that_is_not_known_leaves_the_section_unsettled),
        TEST(places_past_the_end_are_passed_over),
        TEST(relocations_tell_places_and_targets),
        TEST(places_that_are_not_loaded_have_no_address),
        TEST(linked_files_are_left_as_they_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
