#include "cmocka_all.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/places.h"
#include "elf_builder.h"
#include "memory_file.h"
#include "symbolize/module_symbols.h"

enum { CODE_BYTES = 200, FIRST_SVMA = 0x1000, SECOND_SVMA = 0x1100, END_SVMA = SECOND_SVMA + CODE_BYTES };

/* What was recorded of the file, of the system whose root folder is `root`; "": ours. */
static struct recorded_file file_at(const char *path, const char *root)
{
    return (struct recorded_file){
        .name = path, .path = slice_of(path + strlen(root)), .root = slice_of(root)};
}

static uint32_t next(uint64_t *random, uint32_t below)
{
    *random = *random * 6364136223846793005U + 1442695040888963407U;
    return (uint32_t)(*random >> 33) % below;
}

/* Functions, objects and labels that begin anywhere, one within the other, many without a size. */
static void add_symbols(struct elf_builder *builder, const uint32_t *sections, uint64_t *random)
{
    static const unsigned infos[] = {
        FUNCTION_LOCAL, FUNCTION_GLOBAL, FUNCTION_GLOBAL,
        LABEL_GLOBAL,   LABEL_HIDDEN,    ELF64_ST_INFO(STB_LOCAL, STT_OBJECT),
        UNIT_NAME,      FUNCTION_LOCAL,  ELF64_ST_INFO(STB_GLOBAL, STT_GNU_IFUNC),
    };
    static const char *const starts[] = {"f", "f", "_f", "name", ".L", "$x", ""};
    uint32_t count = next(random, 24);

    for (uint32_t i = 0; i < count; i++) {
        uint32_t which = next(random, 2);
        uint64_t svma = (which ? SECOND_SVMA : FIRST_SVMA) + next(random, CODE_BYTES + 2) / 4 * 4;
        unsigned info = infos[next(random, ARRAY_COUNT(infos))];
        const char *start = starts[next(random, ARRAY_COUNT(starts))];
        char name[16];

        /* Only labels have names that say that they are none. */
        if ((info & 15) != STT_NOTYPE && (start[0] == '.' || start[0] == '$'))
            start = "f";
        snprintf(name, sizeof(name), "%s%u", start, i);
        builder_symbol(builder, start[0] ? name : "", info, sections[which], svma,
                       next(random, 2) ? next(random, 60) : 0);
    }
}

static void assert_same(bool is_found, const struct found_symbol *found, bool is_expected,
                        const struct found_symbol *expected)
{
    assert_int_equal(is_found, is_expected);
    if (!is_expected)
        return;
    assert_true(slice_equal(found->name, expected->name));
    assert_int_equal(found->offset, expected->offset);
    assert_int_equal(found->is_near, expected->is_near);
    assert_int_equal(found->is_unsized, expected->is_unsized);
}

/* Asks for some of the addresses, of which the file with all its symbols tells the same. */
static void compare_some(const char *path, const struct module_symbols *whole, uint64_t *random)
{
    uint64_t svmas[END_SVMA - FIRST_SVMA];
    const struct recorded_file file = file_at(path, "");
    struct places wanted = {svmas, 0};
    struct module_symbols around;

    for (uint64_t svma = FIRST_SVMA; svma < END_SVMA; svma++)
        if (next(random, 40) == 0)
            svmas[wanted.count++] = svma;
    module_symbols_open(&file, MODULE_NAMES, &wanted, &around);
    for (size_t i = 0; i < wanted.count; i++) {
        struct found_symbol found;
        struct found_symbol expected;
        bool is_found = module_symbols_find(&around, svmas[i], &found);
        bool is_expected = module_symbols_find(whole, svmas[i], &expected);

        assert_same(is_found, &found, is_expected, &expected);
    }
    module_symbols_close(&around);
}

static void symbols_around_places_tell_of_these_what_all_symbols_do(void **state)
{
    enum { FILES = 3000 };
    char code[CODE_BYTES] = {0};
    uint64_t random = 1;

    (void)state;
    for (int i = 0; i < FILES; i++) {
        SCOPED(builder_done) struct elf_builder builder = builder_new(true, false, EM_X86_64, ET_DYN);
        SCOPED(memory_file_done) struct memory_file file = {.descriptor = -1};
        struct recorded_file recorded;
        struct module_symbols whole;
        uint32_t sections[2];

        sections[0] = builder_code(&builder, ".text", FIRST_SVMA, (struct slice){code, sizeof(code)});
        sections[1] = builder_code(&builder, ".text.more", SECOND_SVMA, (struct slice){code, sizeof(code)});
        add_symbols(&builder, sections, &random);
        builder_symtab(&builder);
        file = memory_file_new(builder_finish(&builder));
        recorded = file_at(file.path, "");
        module_symbols_open(&recorded, MODULE_NAMES, NULL, &whole);
        compare_some(file.path, &whole, &random);
        module_symbols_close(&whole);
    }
}

static void write_file(const char *folder, const char *name, struct slice content)
{
    char path[64];
    struct error err = {0};

    snprintf(path, sizeof(path), "%s/%s", folder, name);
    assert_int_equal(file_replace(path, content, &err), 0);
}

/* Why nothing has a name in the program that has this debug link. */
static void assert_why(const char *folder, const char *root, struct slice link, const char *expected)
{
    struct recorded_file file;
    SCOPED(builder_done) struct elf_builder builder = builder_new(true, false, EM_X86_64, ET_DYN);
    SCOPED(text_done) struct text path = {0};
    SCOPED(text_done) struct text said = {0};
    struct module_symbols module;
    char code[16] = {0};

    builder_code(&builder, ".text", FIRST_SVMA, (struct slice){code, sizeof(code)});
    if (link.length > 0)
        builder_section(&builder,
                        (struct built_section){.name = ".gnu_debuglink", .type = SHT_PROGBITS, .data = link});
    write_file(folder, "prog", builder_finish(&builder));
    text_format(&path, "%s/prog", folder);
    file = file_at(text_string(&path), root);
    module_symbols_open(&file, MODULE_NAMES, NULL, &module);
    text_format(&said, "the file has neither symbols nor debug information%s", expected);
    assert_string_equal(module.why_not, text_string(&said));
    module_symbols_close(&module);
}

static void a_debug_file_that_is_named_and_not_there_or_of_another_build_is_told(void **state)
{
    char folder[] = "/tmp/test_module_symbols.XXXXXX";
    SCOPED(builder_done) struct elf_builder other = builder_new(true, false, EM_X86_64, ET_DYN);
    SCOPED(text_done) struct text expected = {0};
    struct slice link = SLICE("prog.debug\0\0\1\2\3\4");

    (void)state;
    assert_non_null(mkdtemp(folder));
    assert_why(folder, "", SLICE(""), "");
    assert_why(folder, "", link,
               ", and its debug file, prog.debug, is neither beside it, nor in .debug there, nor below "
               "/usr/lib/debug");
    assert_why(folder, folder, link,
               ", and its debug file, prog.debug, is neither beside it, nor in .debug there, nor below "
               "/usr/lib/debug of its root folder or ours");
    write_file(folder, "prog.debug", builder_finish(&other));
    text_format(&expected,
                ", and its debug file was not taken: %s/prog.debug does not belong to %s/prog: its ", folder,
                folder);
    text_add_string(&expected, "checksum is 0f3ea834 instead of 04030201");
    assert_why(folder, "", link, text_string(&expected));
    text_clear(&expected);
    text_format(&expected, "rm -r %s", folder);
    assert_int_equal(system(text_string(&expected)), 0); /* NOLINT(cert-env33-c): a folder of our own name */
}

/* In an incremental build of the file, only what stands in shapes.rs having been asked for. */
static void assert_crate_of_hashed_unit(const char *unit_name, const char *crate)
{
    const uint64_t shapes_total = 0x201210;
    const struct recorded_file file = file_at(FIXTURES "/dwarf/rust-symbols", "");
    struct source_frame *frames = calloc(SOURCE_FRAMES_MOST, sizeof(*frames));
    struct module_symbols module;

    module_symbols_open(&file, MODULE_LINES, &(struct places){&shapes_total, 1}, &module);
    assert_true(debug_info_find(&module.debug, shapes_total, frames) > 0);
    module.debug.units.items.items[0].name = slice_of(unit_name);
    assert_true(slice_is(module_symbols_unit_crate(&module, &frames[0]), crate));
    module_symbols_close(&module);
    free(frames);
}

static void a_unit_that_is_named_by_a_hash_is_of_the_crate_whose_root_file_it_names(void **state)
{
    (void)state;
    assert_crate_of_hashed_unit("tiny.rs/@/0di2v8s2khp89y46lxuyx8a6k", "tiny");
    assert_crate_of_hashed_unit("other.rs/@/0di2v8s2khp89y46lxuyx8a6k", "");
    assert_crate_of_hashed_unit("other.rs/@/other.0a1b2c3d-cgu.0", "other");
}

static void a_symbol_is_near_up_to_a_page_behind_its_end(void **state)
{
    struct elf_builder builder = builder_new(true, false, EM_X86_64, ET_DYN);
    char *code = memory_new(3, 4096);
    uint32_t text = builder_code(&builder, ".text", 0x10000, (struct slice){code, (size_t)3 * 4096});
    struct module_symbols module;
    struct found_symbol found;

    (void)state;
    builder_symbol(&builder, "work", FUNCTION_GLOBAL, text, 0x10000, 16);
    builder_symtab(&builder);
    module_symbols_open_bytes(builder_finish(&builder), "built", &module);
    assert_true(module_symbols_find(&module, 0x1000f, &found));
    assert_false(found.is_near);
    assert_true(module_symbols_find(&module, 0x10010 + 4096, &found));
    assert_true(found.is_near);
    assert_int_equal(found.offset, 0x1010);
    assert_false(module_symbols_find(&module, 0x10010 + 4097, &found));
    assert_false(module_symbols_find(&module, 0xffff, &found));
    assert_false(module_symbols_find(&module, 0x13000, &found));
    module_symbols_close(&module);
    builder_done(&builder);
    free(code);
}

static void a_name_comes_without_the_version_that_linkers_add(void **state)
{
    struct elf_builder builder = builder_new(true, false, EM_X86_64, ET_DYN);
    char code[64] = {0};
    uint32_t text = builder_code(&builder, ".text", 0x10000, (struct slice){code, sizeof(code)});
    struct module_symbols module;
    struct found_symbol found;

    (void)state;
    builder_symbol(&builder, "copy@@GLIBC_2.14", FUNCTION_GLOBAL, text, 0x10000, 16);
    builder_symbol(&builder, "old@GLIBC_2.2.5", FUNCTION_GLOBAL, text, 0x10010, 16);
    builder_symbol(&builder, "@odd", FUNCTION_GLOBAL, text, 0x10020, 16);
    builder_symtab(&builder);
    module_symbols_open_bytes(builder_finish(&builder), "built", &module);
    assert_true(module_symbols_find(&module, 0x10008, &found));
    assert_true(slice_is(found.name, "copy"));
    assert_true(module_symbols_find(&module, 0x10018, &found));
    assert_true(slice_is(found.name, "old"));
    assert_true(module_symbols_find(&module, 0x10028, &found));
    assert_true(slice_is(found.name, "@odd"));
    module_symbols_close(&module);
    builder_done(&builder);
}

static void a_symbol_that_does_not_say_its_size_is_not_known_to_cover_what_follows(void **state)
{
    struct elf_builder builder = builder_new(true, false, EM_X86_64, ET_DYN);
    uint32_t text = builder_code(&builder, ".text", 0x10000, SLICE("\x90\x90\x90\x90\x90\x90\x90\x90"));
    struct module_symbols module;
    struct found_symbol found;

    (void)state;
    builder_symbol(&builder, "sized", FUNCTION_GLOBAL, text, 0x10000, 2);
    builder_symbol(&builder, "unsized", FUNCTION_GLOBAL, text, 0x10002, 0);
    builder_symtab(&builder);
    module_symbols_open_bytes(builder_finish(&builder), "built", &module);
    assert_true(module_symbols_find(&module, 0x10001, &found));
    assert_false(found.is_near);
    assert_false(found.is_unsized);
    assert_true(module_symbols_find(&module, 0x10006, &found));
    assert_true(slice_is(found.name, "unsized"));
    assert_true(found.is_near);
    assert_true(found.is_unsized);
    module_symbols_close(&module);
    builder_done(&builder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(symbols_around_places_tell_of_these_what_all_symbols_do),
        cmocka_unit_test(a_debug_file_that_is_named_and_not_there_or_of_another_build_is_told),
        cmocka_unit_test(a_unit_that_is_named_by_a_hash_is_of_the_crate_whose_root_file_it_names),
        cmocka_unit_test(a_symbol_is_near_up_to_a_page_behind_its_end),
        cmocka_unit_test(a_name_comes_without_the_version_that_linkers_add),
        cmocka_unit_test(a_symbol_that_does_not_say_its_size_is_not_known_to_cover_what_follows),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
