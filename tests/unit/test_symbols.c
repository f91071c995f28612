#include "cmocka_all.h"

#include <stdio.h>

#include "elf/symbols.h"
#include "elf_builder.h"

static const struct {
    bool is_64;
    bool big_endian;
} forms[] = {{true, false}, {true, true}, {false, false}, {false, true}};

/* Opens what was built; both are to be closed. */
static int read_built(struct elf_builder *builder, struct image *image, struct symbols *symbols,
                      struct error *err)
{
    assert_int_equal(image_open_bytes(builder_finish(builder), "prog", image, err), 0);
    return symbols_read(image, symbols, err);
}

static void every_class_and_byte_order_reads_the_same(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(forms); i++) {
        SCOPED(builder_done)
        struct elf_builder builder = builder_new(forms[i].is_64, forms[i].big_endian, EM_MIPS, ET_DYN);
        SCOPED(image_close) struct image image = {0};
        SCOPED(symbols_done) struct symbols symbols = {0};
        struct error err = {0};
        const struct elf_symbol *symbol = NULL;

        builder_code(&builder, ".text", 0x1000, SLICE("12345678"));
        builder_symbol(&builder, "later", FUNCTION_GLOBAL, 1, 0x1004, 4);
        builder_symbol(&builder, "earlier", FUNCTION_LOCAL, 1, 0x1000, 3);
        builder_symbol(&builder, "undefined", FUNCTION_GLOBAL, SHN_UNDEF, 0, 0);
        builder_symbol(&builder, "absolute", FUNCTION_GLOBAL, SHN_ABS, 0x1000, 0);
        builder_symtab(&builder);
        assert_int_equal(read_built(&builder, &image, &symbols, &err), 0);
        assert_int_equal(symbols.source, SYMBOLS_FULL);
        assert_int_equal(symbols.count, 2);
        assert_int_equal(symbols.damaged_count, 0);
        symbol = &symbols.items[0];
        assert_true(slice_is(symbol->name, "earlier"));
        assert_int_equal(symbol->svma, 0x1000);
        assert_int_equal(symbol->size_bytes, 3);
        assert_int_equal(symbol->section, 1);
        assert_int_equal(symbol->type, STT_FUNC);
        assert_int_equal(symbol->binding, STB_LOCAL);
        assert_true(slice_is(symbols.items[1].name, "later"));
    }
}

static void local_symbols_belong_to_the_unit_named_before_them(void **state)
{
    SCOPED(builder_done) struct elf_builder builder = builder_new(true, false, EM_X86_64, ET_DYN);
    SCOPED(image_close) struct image image = {0};
    SCOPED(symbols_done) struct symbols symbols = {0};
    struct error err = {0};

    (void)state;
    builder_code(&builder, ".text", 0x1000, SLICE("12345678"));
    builder_symbol(&builder, "early", FUNCTION_LOCAL, 1, 0x1000, 1);
    builder_symbol(&builder, "fd.0123-cgu.0", UNIT_NAME, SHN_ABS, 0, 0);
    builder_symbol(&builder, "fd.0123-cgu.1", UNIT_NAME, SHN_ABS, 0, 0);
    builder_symbol(&builder, "mine", FUNCTION_LOCAL, 1, 0x1001, 1);
    builder_symbol(&builder, "shared", FUNCTION_GLOBAL, 1, 0x1002, 1);
    builder_symtab(&builder);
    assert_int_equal(read_built(&builder, &image, &symbols, &err), 0);
    assert_int_equal(symbols.unit_count, 2);
    assert_true(slice_is(symbols.units[1], "fd.0123-cgu.1"));
    assert_int_equal(symbols.items[0].unit, SYMBOL_NO_UNIT);
    assert_int_equal(symbols.items[1].unit, 1);
    assert_int_equal(symbols.items[2].unit, SYMBOL_NO_UNIT);
}

static void a_file_without_a_table_has_no_symbols_and_says_so(void **state)
{
    SCOPED(builder_done) struct elf_builder builder = builder_new(true, false, EM_X86_64, ET_DYN);
    SCOPED(image_close) struct image image = {0};
    SCOPED(symbols_done) struct symbols symbols = {0};
    struct error err = {0};

    (void)state;
    builder_code(&builder, ".text", 0x1000, SLICE("1"));
    assert_int_equal(read_built(&builder, &image, &symbols, &err), 0);
    assert_int_equal(symbols.source, SYMBOLS_NONE);
    assert_int_equal(symbols.count, 0);
}

static void a_stripped_file_gives_its_dynamic_symbols(void **state)
{
    SCOPED(builder_done) struct elf_builder builder = builder_new(true, false, EM_X86_64, ET_DYN);
    SCOPED(image_close) struct image image = {0};
    SCOPED(symbols_done) struct symbols symbols = {0};
    struct error err = {0};
    uint32_t table = 0;

    (void)state;
    builder_code(&builder, ".text", 0x1000, SLICE("1"));
    builder_symbol(&builder, "exported", FUNCTION_GLOBAL, 1, 0x1000, 1);
    table = builder_symtab(&builder);
    builder.sections[table].type = SHT_DYNSYM;
    assert_int_equal(read_built(&builder, &image, &symbols, &err), 0);
    assert_int_equal(symbols.source, SYMBOLS_DYNAMIC);
    assert_true(slice_is(symbols.items[0].name, "exported"));
}

static void names_and_sections_outside_the_file_are_counted_as_damaged(void **state)
{
    SCOPED(builder_done) struct elf_builder builder = builder_new(true, false, EM_X86_64, ET_DYN);
    SCOPED(image_close) struct image image = {0};
    SCOPED(symbols_done) struct symbols symbols = {0};
    struct error err = {0};

    (void)state;
    builder_code(&builder, ".text", 0x1000, SLICE("1"));
    builder_symbol(&builder, "whole", FUNCTION_GLOBAL, 1, 0x1000, 1);
    builder_symbol(&builder, "nowhere", FUNCTION_GLOBAL, 99, 0x1001, 1);
    builder_symbol(&builder, "unterminated", FUNCTION_GLOBAL, 1, 0x1002, 1);
    builder.strings.length--;
    builder_symtab(&builder);
    assert_int_equal(read_built(&builder, &image, &symbols, &err), 0);
    assert_int_equal(symbols.damaged_count, 2);
    assert_int_equal(symbols.count, 2);
    assert_true(slice_is(symbols.items[0].name, "whole"));
    assert_int_equal(symbols.items[1].name.length, 0);
}

/* Reading fails with this message, and leaves its result alone. */
static void assert_refused(struct elf_builder *builder, const char *message)
{
    SCOPED(image_close) struct image image = {0};
    struct symbols symbols = {.count = 4242};
    struct error err = {0};

    assert_int_equal(read_built(builder, &image, &symbols, &err), -1);
    assert_int_equal(err.kind, ERROR_FORMAT);
    assert_string_equal(err.message, message);
    assert_int_equal(symbols.count, 4242);
}

static void entries_of_a_wrong_size_are_refused(void **state)
{
    SCOPED(builder_done) struct elf_builder builder = builder_new(true, false, EM_X86_64, ET_DYN);

    (void)state;
    builder_symbol(&builder, "a", FUNCTION_GLOBAL, 1, 0, 0);
    builder.sections[builder_symtab(&builder)].entry_bytes = 0;
    assert_refused(&builder, "prog: damaged symbol table .symtab: entries of 0 bytes instead of 24");
}

static void a_table_without_a_string_table_is_refused(void **state)
{
    const uint32_t links[] = {0, 99, 2};

    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(links); i++) {
        SCOPED(builder_done) struct elf_builder builder = builder_new(false, true, EM_PPC, ET_DYN);
        char message[200];

        builder_symbol(&builder, "a", FUNCTION_GLOBAL, 1, 0, 0);
        builder.sections[builder_symtab(&builder)].link = links[i];
        snprintf(message, sizeof(message),
                 "prog: damaged symbol table .symtab: section %u should hold its names and does not",
                 links[i]);
        assert_refused(&builder, message);
    }
}

static void the_thumb_bit_is_no_part_of_the_address(void **state)
{
    SCOPED(builder_done) struct elf_builder builder = builder_new(false, false, EM_ARM, ET_DYN);
    SCOPED(image_close) struct image image = {0};
    SCOPED(symbols_done) struct symbols symbols = {0};
    struct error err = {0};

    (void)state;
    builder_code(&builder, ".text", 0x1000, SLICE("12345678"));
    builder_symbol(&builder, "thumb", FUNCTION_GLOBAL, 1, 0x1003, 4);
    builder_symtab(&builder);
    assert_int_equal(read_built(&builder, &image, &symbols, &err), 0);
    assert_int_equal(symbols.items[0].svma, 0x1002);
}

static void functions_described_in_opd_stand_at_their_code(void **state)
{
    SCOPED(builder_done) struct elf_builder builder = builder_new(true, true, EM_PPC64, ET_EXEC);
    SCOPED(image_close) struct image image = {0};
    SCOPED(symbols_done) struct symbols symbols = {0};
    struct error err = {0};

    (void)state;
    builder_code(&builder, ".text", 0x1000, SLICE("12345678"));
    builder_section(&builder,
                    (struct built_section){.name = ".opd",
                                           .type = SHT_PROGBITS,
                                           .flags = SHF_ALLOC | SHF_WRITE,
                                           .svma = 0x2000,
                                           .data = SLICE("\0\0\0\0\0\0\x10\x04\0\0\0\0\0\0\x90\0")});
    builder_symbol(&builder, "plain", FUNCTION_GLOBAL, 1, 0x1006, 2);
    builder_symbol(&builder, "before", FUNCTION_GLOBAL, 2, 0x1ff8, 4);
    builder_symbol(&builder, "f", FUNCTION_GLOBAL, 2, 0x2000, 4);
    builder_symbol(&builder, "no_code", FUNCTION_GLOBAL, 2, 0x2008, 4);
    builder_symbol(&builder, "past_the_end", FUNCTION_GLOBAL, 2, 0x2010, 4);
    builder_symtab(&builder);
    assert_int_equal(read_built(&builder, &image, &symbols, &err), 0);
    assert_int_equal(symbols.count, 5);
    assert_true(slice_is(symbols.items[0].name, "f"));
    assert_int_equal(symbols.items[0].section, 1);
    assert_int_equal(symbols.items[0].svma, 0x1004);
    assert_true(slice_is(symbols.items[1].name, "plain"));
    assert_int_equal(symbols.items[1].svma, 0x1006);
    assert_true(slice_is(symbols.items[2].name, "before"));
    assert_int_equal(symbols.items[2].section, 2);
    assert_int_equal(symbols.items[3].section, 2);
}

/* Object files have no addresses yet, and other machines give .opd no meaning. */
static void only_linked_files_of_64_bit_powerpc_have_function_descriptors(void **state)
{
    static const struct {
        uint16_t machine;
        uint16_t type;
    } cases[] = {{EM_PPC64, ET_REL}, {EM_X86_64, ET_DYN}};

    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(cases); i++) {
        SCOPED(builder_done)
        struct elf_builder builder = builder_new(true, true, cases[i].machine, cases[i].type);
        SCOPED(image_close) struct image image = {0};
        SCOPED(symbols_done) struct symbols symbols = {0};
        struct error err = {0};

        builder_code(&builder, ".text", 0, SLICE("12345678"));
        builder_section(&builder, (struct built_section){.name = ".opd",
                                                         .type = SHT_PROGBITS,
                                                         .flags = SHF_ALLOC,
                                                         .data = SLICE("\0\0\0\0\0\0\0\4")});
        builder_symbol(&builder, "f", FUNCTION_GLOBAL, 2, 0, 4);
        builder_symtab(&builder);
        assert_int_equal(read_built(&builder, &image, &symbols, &err), 0);
        assert_int_equal(symbols.items[0].section, 2);
    }
}

static void symbols_at_one_address_are_in_order_of_size_and_name(void **state)
{
    SCOPED(builder_done) struct elf_builder builder = builder_new(true, false, EM_X86_64, ET_DYN);
    SCOPED(image_close) struct image image = {0};
    SCOPED(symbols_done) struct symbols symbols = {0};
    struct error err = {0};

    (void)state;
    builder_code(&builder, ".text", 0x1000, SLICE("12345678"));
    builder_symbol(&builder, "a", FUNCTION_GLOBAL, 1, 0x1000, 8);
    builder_symbol(&builder, "c", FUNCTION_GLOBAL, 1, 0x1000, 4);
    builder_symbol(&builder, "b", FUNCTION_GLOBAL, 1, 0x1000, 4);
    builder_symtab(&builder);
    assert_int_equal(read_built(&builder, &image, &symbols, &err), 0);
    assert_true(slice_is(symbols.items[0].name, "b"));
    assert_true(slice_is(symbols.items[1].name, "c"));
    assert_true(slice_is(symbols.items[2].name, "a"));
}

static void section_indexes_too_wide_for_the_table_stand_beside_it(void **state)
{
    SCOPED(builder_done) struct elf_builder builder = builder_new(true, false, EM_X86_64, ET_REL);
    SCOPED(image_close) struct image image = {0};
    SCOPED(symbols_done) struct symbols symbols = {0};
    struct error err = {0};
    uint32_t table = 0;

    (void)state;
    builder_code(&builder, ".text", 0, SLICE("1"));
    builder_symbol(&builder, "wide", FUNCTION_GLOBAL, SHN_XINDEX, 0, 1);
    builder_symbol(&builder, "no_entry", FUNCTION_GLOBAL, SHN_XINDEX, 0, 1);
    table = builder_symtab(&builder);
    builder_section(&builder, (struct built_section){.name = ".other_shndx",
                                                     .type = SHT_SYMTAB_SHNDX,
                                                     .data = SLICE("\0\0\0\0\7\0\0\0"),
                                                     .link = table + 1});
    builder_section(&builder, (struct built_section){.name = ".symtab_shndx",
                                                     .type = SHT_SYMTAB_SHNDX,
                                                     .data = SLICE("\0\0\0\0\1\0\0\0"),
                                                     .link = table});
    assert_int_equal(read_built(&builder, &image, &symbols, &err), 0);
    assert_int_equal(symbols.count, 1);
    assert_true(slice_is(symbols.items[0].name, "wide"));
    assert_int_equal(symbols.items[0].section, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_class_and_byte_order_reads_the_same),
        cmocka_unit_test(local_symbols_belong_to_the_unit_named_before_them),
        cmocka_unit_test(a_file_without_a_table_has_no_symbols_and_says_so),
        cmocka_unit_test(a_stripped_file_gives_its_dynamic_symbols),
        cmocka_unit_test(names_and_sections_outside_the_file_are_counted_as_damaged),
        cmocka_unit_test(entries_of_a_wrong_size_are_refused),
        cmocka_unit_test(a_table_without_a_string_table_is_refused),
        cmocka_unit_test(the_thumb_bit_is_no_part_of_the_address),
        cmocka_unit_test(functions_described_in_opd_stand_at_their_code),
        cmocka_unit_test(only_linked_files_of_64_bit_powerpc_have_function_descriptors),
        cmocka_unit_test(symbols_at_one_address_are_in_order_of_size_and_name),
        cmocka_unit_test(section_indexes_too_wide_for_the_table_stand_beside_it),
    };

    return cmocka_run_group_tests_name("symbols", tests, NULL, NULL);
}
