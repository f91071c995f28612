#include "cmocka_all.h"

#include <lzma.h>

#include "elf/symbols.h"
#include "elf_builder.h"

enum { CODE_SVMA = 0x1000, CODE_BYTES = 16 };

static const char code[CODE_BYTES];

static struct text packed_with_xz(struct slice content)
{
    struct text packed = {0};
    size_t room = lzma_stream_buffer_bound(content.length);
    uint8_t *into = (uint8_t *)text_extend(&packed, room);
    size_t length = 0;

    assert_int_equal(lzma_easy_buffer_encode(LZMA_PRESET_DEFAULT, LZMA_CHECK_CRC64, NULL,
                                             (const uint8_t *)content.data, content.length, into, &length,
                                             room),
                     LZMA_OK);
    packed.length = length;
    return packed;
}

/* .gnu_debugdata as GDB's manual makes it, whose sections have no bytes, and here other indexes. */
static struct text packed_functions(void)
{
    SCOPED(builder_done) struct elf_builder builder = builder_new(true, false, EM_X86_64, ET_DYN);
    uint32_t data = builder_section(
        &builder,
        (struct built_section){
            .name = ".data", .type = SHT_NOBITS, .flags = SHF_ALLOC, .svma = 0x3000, .size_lie = 8});
    uint32_t text = builder_section(&builder, (struct built_section){.name = ".text",
                                                                     .type = SHT_NOBITS,
                                                                     .flags = SHF_ALLOC | SHF_EXECINSTR,
                                                                     .svma = CODE_SVMA,
                                                                     .size_lie = CODE_BYTES});
    uint32_t gone = builder_code(&builder, ".text.gone", CODE_SVMA, SLICE("1234"));

    builder_symbol(&builder, "unit.0-cgu.0", UNIT_NAME, SHN_ABS, 0, 0);
    builder_symbol(&builder, "hidden", FUNCTION_LOCAL, text, CODE_SVMA, 4);
    builder_symbol(&builder, "datum", FUNCTION_LOCAL, data, 0x3000, 4);
    builder_symbol(&builder, "elsewhere", FUNCTION_LOCAL, gone, CODE_SVMA, 4);
    builder_symtab(&builder);
    return packed_with_xz(builder_finish(&builder));
}

/* A program that has this .gnu_debugdata, and "exported" in a table of that type behind 4 bytes. */
static void open_program(struct elf_builder *builder, struct slice debug_data, uint32_t table_type,
                         struct image *image)
{
    uint32_t text = builder_code(builder, ".text", CODE_SVMA, (struct slice){code, sizeof(code)});
    struct error err = {0};

    builder_section(builder, (struct built_section){.name = ".data",
                                                    .type = SHT_PROGBITS,
                                                    .flags = SHF_ALLOC,
                                                    .svma = 0x3000,
                                                    .data = SLICE("12345678")});
    builder_section(
        builder, (struct built_section){.name = ".gnu_debugdata", .type = SHT_PROGBITS, .data = debug_data});
    builder_symbol(builder, "exported", FUNCTION_GLOBAL, text, CODE_SVMA + 4, 4);
    builder->sections[builder_symtab(builder)].type = table_type;
    assert_int_equal(image_open_bytes(builder_finish(builder), "prog", image, &err), 0);
}

static void assert_both(const struct symbols *symbols)
{
    assert_int_equal(symbols->source, SYMBOLS_FUNCTIONS);
    assert_true(symbols_name_all_functions(symbols));
    assert_int_equal(symbols->mini_problem.kind, ERROR_NONE);
    assert_int_equal(symbols->count, 2);
    assert_true(slice_is(symbols->items[0].name, "hidden"));
    assert_int_equal(symbols->items[0].section, 1);
    assert_int_equal(symbols->items[0].svma, CODE_SVMA);
    assert_int_equal(symbols->items[0].unit, SYMBOL_NO_UNIT);
    assert_true(slice_is(symbols->items[1].name, "exported"));
}

static void functions_that_a_stripped_file_keeps_packed_are_beside_those_that_others_see(void **state)
{
    const uint64_t wanted = CODE_SVMA + 1;
    SCOPED(text_done) struct text packed = packed_functions();
    SCOPED(builder_done) struct elf_builder builder = builder_new(true, false, EM_X86_64, ET_DYN);
    SCOPED(image_close) struct image image = {0};
    SCOPED(symbols_done) struct symbols all = {0};
    SCOPED(symbols_done) struct symbols around = {0};
    struct error err = {0};

    (void)state;
    open_program(&builder, text_slice(&packed), SHT_DYNSYM, &image);
    assert_int_equal(symbols_read(&image, &all, &err), 0);
    assert_both(&all);
    assert_int_equal(symbols_read_around(&image, &(struct places){&wanted, 1}, &around, &err), 0);
    assert_int_equal(around.source, SYMBOLS_FUNCTIONS);
    assert_true(slice_is(around.items[0].name, "hidden"));
}

static void a_full_table_needs_no_packed_one(void **state)
{
    SCOPED(text_done) struct text packed = packed_functions();
    SCOPED(builder_done) struct elf_builder builder = builder_new(true, false, EM_X86_64, ET_DYN);
    SCOPED(image_close) struct image image = {0};
    SCOPED(symbols_done) struct symbols symbols = {0};
    struct error err = {0};

    (void)state;
    open_program(&builder, text_slice(&packed), SHT_SYMTAB, &image);
    assert_int_equal(symbols_read(&image, &symbols, &err), 0);
    assert_int_equal(symbols.source, SYMBOLS_FULL);
    assert_int_equal(symbols.count, 1);
}

/* What others see is there all the same. */
static void assert_problem(struct slice debug_data, const char *message)
{
    SCOPED(builder_done) struct elf_builder builder = builder_new(true, false, EM_X86_64, ET_DYN);
    SCOPED(image_close) struct image image = {0};
    SCOPED(symbols_done) struct symbols symbols = {0};
    struct error err = {0};

    open_program(&builder, debug_data, SHT_DYNSYM, &image);
    assert_int_equal(symbols_read(&image, &symbols, &err), 0);
    assert_int_equal(symbols.source, SYMBOLS_DYNAMIC);
    assert_false(symbols_name_all_functions(&symbols));
    assert_int_equal(symbols.count, 1);
    assert_int_equal(symbols.mini_problem.kind, ERROR_FORMAT);
    assert_string_equal(symbols.mini_problem.message, message);
}

static void what_is_packed_and_damaged_is_told_and_costs_only_what_it_holds(void **state)
{
    SCOPED(text_done) struct text packed = packed_functions();
    SCOPED(text_done) struct text words = packed_with_xz(SLICE("no ELF file at all"));

    (void)state;
    assert_problem(text_slice(&words), "prog: .gnu_debugdata: not an ELF file: it is text");
    packed.length--;
    assert_problem(text_slice(&packed), "prog: .gnu_debugdata: what was packed with xz is damaged");
    packed.data[packed.length / 2] ^= 1;
    assert_problem(text_slice(&packed), "prog: .gnu_debugdata: what was packed with xz is damaged");
    assert_problem(SLICE("\xfd"), "prog: .gnu_debugdata: what was packed with xz is damaged");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(functions_that_a_stripped_file_keeps_packed_are_beside_those_that_others_see),
        cmocka_unit_test(a_full_table_needs_no_packed_one),
        cmocka_unit_test(what_is_packed_and_damaged_is_told_and_costs_only_what_it_holds),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
