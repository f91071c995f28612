#include "cmocka_all.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "elf/foreign.h"
#include "elf/image.h"
#include "elf_builder.h"

static const struct {
    bool is_64;
    bool big_endian;
} forms[] = {{true, false}, {true, true}, {false, false}, {false, true}};

static void put_u16(struct slice file, size_t offset, uint16_t value)
{
    char *at = (char *)(uintptr_t)file.data + offset;

    at[0] = (char)value;
    at[1] = (char)(value >> 8);
}

static struct slice build_program(struct elf_builder *builder)
{
    builder_code(builder, ".text", 0x1000, SLICE("\x90\x90\xc3"));
    builder_section(builder, (struct built_section){.name = ".bss",
                                                    .type = SHT_NOBITS,
                                                    .flags = SHF_ALLOC | SHF_WRITE,
                                                    .svma = 0x2000,
                                                    .size_lie = 0x10000,
                                                    .alignment = 32});
    return builder_finish(builder);
}

static void every_class_and_byte_order_reads_the_same(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(forms); i++) {
        SCOPED(builder_done)
        struct elf_builder builder = builder_new(forms[i].is_64, forms[i].big_endian, EM_RISCV, ET_DYN);
        struct slice file = build_program(&builder);
        struct error err = {0};
        struct image image;
        const struct section *text = NULL;
        const struct section *bss = NULL;
        struct slice bytes;

        assert_int_equal(image_open_bytes(file, "prog", &image, &err), 0);
        assert_int_equal(image.address_bytes, forms[i].is_64 ? 8 : 4);
        assert_int_equal(image.big_endian, forms[i].big_endian);
        assert_int_equal(image.machine, EM_RISCV);
        assert_int_equal(image.type, ET_DYN);
        assert_int_equal(image.size_bytes, file.length);
        assert_int_equal(image.sections.count, 4);
        text = sections_find(&image.sections, SLICE(".text"));
        bss = sections_find(&image.sections, SLICE(".bss"));
        assert_int_equal(text->svma, 0x1000);
        assert_int_equal(text->memory_bytes, 3);
        assert_int_equal(text->alignment, 16);
        assert_true(section_is_code(text));
        assert_false(section_is_code(bss));
        assert_int_equal(bss->file_bytes, 0);
        assert_int_equal(bss->memory_bytes, 0x10000);
        assert_int_equal(image_read_section(&image, text, &bytes, &err), 0);
        assert_true(slice_is(bytes, "\x90\x90\xc3"));
        assert_int_equal(image_read_section(&image, bss, &bytes, &err), 0);
        assert_int_equal(bytes.length, 0);
        assert_null(sections_find(&image.sections, SLICE(".data")));
        assert_ptr_equal(sections_find_type(&image.sections, SHT_NOBITS), bss);
        image_close(&image);
    }
}

/* Opening fails with this message, and leaves its result alone. */
static void assert_refused(struct slice file, const char *message)
{
    struct image image = {.machine = 4242};
    struct error err = {0};

    assert_int_equal(image_open_bytes(file, "prog", &image, &err), -1);
    assert_int_equal(err.kind, ERROR_FORMAT);
    assert_string_equal(err.message, message);
    assert_int_equal(image.machine, 4242);
}

static void what_is_not_elf_is_named(void **state)
{
    static const struct {
        struct slice start;
        const char *description;
    } cases[] = {
        {SLICE("MZ\x90\0"), "a Windows program (PE)"},
        {SLICE("\xcf\xfa\xed\xfe\x07\0\0\x01"), "a macOS program (Mach-O)"},
        {SLICE("\xca\xfe\xba\xbe\0\0\0\x02"), "a macOS program for several processors (Mach-O)"},
        {SLICE("\xca\xfe\xba\xbe\0\0\0\x41"), "a Java class"},
        {SLICE("\0asm\x01\0\0\0"), "WebAssembly"},
        {SLICE("!<arch>\n/"), "an archive (an rlib or a static library)"},
        {SLICE("BC\xc0\xde"), "LLVM bitcode"},
        {SLICE("\217cprof\r\n\x01"), "a profile of cargo cprof"},
        {SLICE("PERFILE2\x68"), "a recording of perf"},
        {SLICE("#!/bin/sh\n"), "a script"},
        {SLICE("[package]\n"), "text"},
        {SLICE("\x01\x02\x03"), "of an unknown format"},
        {SLICE(""), "empty"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(cases); i++) {
        char message[200];

        snprintf(message, sizeof(message), "prog: not an ELF file: it is %s", cases[i].description);
        assert_refused(cases[i].start, message);
    }
}

static void a_remedy_is_given_where_one_is_known(void **state)
{
    struct error err = {0};
    struct image image;

    (void)state;
    assert_int_equal(image_open_bytes(SLICE("!<arch>\n"), "libx.rlib", &image, &err), -1);
    assert_string_equal(err.hint, "name the program or shared library that it was linked into");
    assert_null(foreign_remedy(SLICE("some text")));
}

static void a_file_cut_anywhere_is_refused_as_truncated(void **state)
{
    SCOPED(builder_done) struct elf_builder builder = builder_new(true, false, EM_X86_64, ET_EXEC);
    struct slice file = build_program(&builder);

    (void)state;
    for (size_t length = 4; length < file.length; length++) {
        struct image image;
        struct error err = {0};

        assert_int_equal(image_open_bytes(slice_range(file, 0, length), "prog", &image, &err), -1);
        assert_true(slice_starts_with(slice_of(err.message), SLICE("prog: truncated: ")));
    }
}

static void an_unknown_class_or_byte_order_is_damage(void **state)
{
    SCOPED(builder_done) struct elf_builder builder = builder_new(true, false, EM_X86_64, ET_EXEC);
    struct slice file = build_program(&builder);

    (void)state;
    builder.file.data[EI_CLASS] = 3;
    assert_refused(file, "prog: damaged ELF file: class 3 is neither 32 nor 64 bit");
    builder.file.data[EI_CLASS] = ELFCLASS64;
    builder.file.data[EI_DATA] = 0;
    assert_refused(file, "prog: damaged ELF file: unknown byte order 0");
}

static void section_headers_of_another_size_are_damage(void **state)
{
    SCOPED(builder_done) struct elf_builder builder = builder_new(true, false, EM_X86_64, ET_EXEC);
    struct slice file = build_program(&builder);

    (void)state;
    put_u16(file, offsetof(Elf64_Ehdr, e_shentsize), 40);
    assert_refused(file, "prog: damaged ELF file: section headers of 40 bytes instead of 64");
}

static void more_sections_than_fit_are_refused(void **state)
{
    SCOPED(builder_done) struct elf_builder builder = builder_new(false, false, EM_386, ET_EXEC);
    struct slice file = build_program(&builder);

    (void)state;
    put_u16(file, offsetof(Elf32_Ehdr, e_shnum), 5);
    assert_refused(file, "prog: truncated: the section table goes past the end of the file (237 bytes)");
}

static void a_section_larger_than_the_file_is_named(void **state)
{
    const uint64_t lies[] = {4000, UINT64_MAX, UINT64_MAX - 63};

    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(lies); i++) {
        SCOPED(builder_done) struct elf_builder builder = builder_new(true, false, EM_X86_64, ET_EXEC);
        char message[200];
        struct slice file;

        builder_section(&builder, (struct built_section){
                                      .name = ".debug_info", .type = SHT_PROGBITS, .size_lie = lies[i]});
        file = builder_finish(&builder);
        snprintf(message, sizeof(message),
                 "prog: truncated: section 1 (.debug_info, %llu bytes at offset 64) goes past the end of the "
                 "file (%zu bytes)",
                 (unsigned long long)lies[i], file.length);
        assert_refused(file, message);
    }
}

static void an_offset_past_the_end_is_refused(void **state)
{
    SCOPED(builder_done) struct elf_builder builder = builder_new(true, false, EM_X86_64, ET_EXEC);

    (void)state;
    builder_section(&builder, (struct built_section){.name = ".data",
                                                     .type = SHT_PROGBITS,
                                                     .data = SLICE("abc"),
                                                     .offset_lie = UINT64_MAX - 1});
    assert_refused(builder_finish(&builder),
                   "prog: truncated: section 1 (.data, 3 bytes at offset 18446744073709551614) goes past the "
                   "end of the file (276 bytes)");
}

static void a_name_table_that_is_no_section_is_damage(void **state)
{
    SCOPED(builder_done) struct elf_builder builder = builder_new(true, false, EM_X86_64, ET_EXEC);
    struct slice file = build_program(&builder);

    (void)state;
    put_u16(file, offsetof(Elf64_Ehdr, e_shstrndx), 4);
    assert_refused(file, "prog: damaged ELF file: section 4 should hold the names of 4 sections");
}

static void names_outside_their_table_are_empty(void **state)
{
    SCOPED(builder_done) struct elf_builder builder = builder_new(true, false, EM_X86_64, ET_EXEC);
    struct slice file = build_program(&builder);
    struct error err = {0};
    struct image image;

    (void)state;
    /* Section 0 has no bytes: a name table without names. */
    put_u16(file, offsetof(Elf64_Ehdr, e_shstrndx), 2);
    assert_int_equal(image_open_bytes(file, "prog", &image, &err), 0);
    assert_int_equal(image.sections.items[1].name.length, 0);
    image_close(&image);
}

/* e_shnum 0 and SHN_XINDEX: the counts stand in section 0 (gABI, "ELF Header"). */
static void counts_too_large_for_the_header_are_found_in_section_0(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(forms); i++) {
        SCOPED(builder_done)
        struct elf_builder builder = builder_new(forms[i].is_64, forms[i].big_endian, EM_PPC, ET_DYN);
        size_t count_at = forms[i].is_64 ? offsetof(Elf64_Ehdr, e_shnum) : offsetof(Elf32_Ehdr, e_shnum);
        struct error err = {0};
        struct image image;
        struct slice file;

        builder.sections[0].size_lie = 4;
        builder.sections[0].link = 3;
        file = build_program(&builder);
        put_u16(file, count_at, 0);
        put_u16(file, count_at + 2, SHN_XINDEX);
        assert_int_equal(image_open_bytes(file, "prog", &image, &err), 0);
        assert_int_equal(image.sections.count, 4);
        assert_true(slice_is(image.sections.items[1].name, ".text"));
        image_close(&image);
    }
}

/* e_phnum PN_XNUM: the count stands in section 0. */
static void program_headers_too_many_for_the_header_are_counted_in_section_0(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(forms); i++) {
        SCOPED(builder_done)
        struct elf_builder builder = builder_new(forms[i].is_64, forms[i].big_endian, EM_PPC, ET_DYN);
        size_t count_at = forms[i].is_64 ? offsetof(Elf64_Ehdr, e_phnum) : offsetof(Elf32_Ehdr, e_phnum);
        struct error err = {0};
        struct image image;
        struct slice file;

        builder.sections[0].info = 3;
        file = build_program(&builder);
        put_u16(file, count_at, PN_XNUM);
        assert_int_equal(image_open_bytes(file, "prog", &image, &err), 0);
        assert_int_equal(image.program_count, 3);
        image_close(&image);
    }
}

static void program_headers_past_the_end_are_refused(void **state)
{
    SCOPED(builder_done) struct elf_builder builder = builder_new(true, false, EM_X86_64, ET_EXEC);
    struct slice file = build_program(&builder);
    struct error err = {0};
    struct image image;
    uint16_t fit = 0;

    (void)state;
    put_u16(file, offsetof(Elf64_Ehdr, e_phoff), sizeof(Elf64_Ehdr));
    put_u16(file, offsetof(Elf64_Ehdr, e_phentsize), 1);
    fit = (uint16_t)(file.length - sizeof(Elf64_Ehdr));
    put_u16(file, offsetof(Elf64_Ehdr, e_phnum), fit);
    assert_int_equal(image_open_bytes(file, "prog", &image, &err), 0);
    assert_int_equal(image.program_count, fit);
    image_close(&image);
    put_u16(file, offsetof(Elf64_Ehdr, e_phnum), fit + 1);
    assert_refused(file,
                   "prog: truncated: the table of program headers goes past the end of the file (345 bytes)");
    /* Where section 0 does not tell, it is that many. */
    put_u16(file, offsetof(Elf64_Ehdr, e_phnum), PN_XNUM);
    assert_refused(file,
                   "prog: truncated: the table of program headers goes past the end of the file (345 bytes)");
}

static void a_file_without_a_section_table_has_no_sections(void **state)
{
    SCOPED(builder_done) struct elf_builder builder = builder_new(true, false, EM_X86_64, ET_EXEC);
    struct slice file = build_program(&builder);
    struct error err = {0};
    struct image image;

    (void)state;
    for (size_t i = 0; i < 8; i++)
        builder.file.data[offsetof(Elf64_Ehdr, e_shoff) + i] = 0;
    assert_int_equal(image_open_bytes(file, "prog", &image, &err), 0);
    assert_int_equal(image.sections.count, 0);
    image_close(&image);
}

static void the_build_id_is_found_among_the_notes(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(forms); i++) {
        SCOPED(builder_done)
        struct elf_builder builder = builder_new(forms[i].is_64, forms[i].big_endian, EM_X86_64, ET_DYN);
        SCOPED(text_done) struct text notes = {0};
        struct error err = {0};
        struct image image;

        builder_number(&builder, &notes, 4, 4);
        builder_number(&builder, &notes, 3, 4);
        builder_number(&builder, &notes, NT_GNU_ABI_TAG, 4);
        text_add(&notes, SLICE("GNU\0abc\0"));
        builder_number(&builder, &notes, 4, 4);
        builder_number(&builder, &notes, 5, 4);
        builder_number(&builder, &notes, NT_GNU_BUILD_ID, 4);
        text_add(&notes, SLICE("GNU\0\x01\x02\x03\x04\x05\0\0\0"));
        builder_section(&builder, (struct built_section){.name = ".note.gnu.build-id",
                                                         .type = SHT_NOTE,
                                                         .data = text_slice(&notes),
                                                         .alignment = 4});
        assert_int_equal(image_open_bytes(builder_finish(&builder), "prog", &image, &err), 0);
        assert_true(slice_equal(image.build_id, SLICE("\x01\x02\x03\x04\x05")));
        image_close(&image);
    }
}

/* Type 3 of another owner, then nothing of ours. */
static void notes_of_other_owners_are_no_build_id(void **state)
{
    SCOPED(builder_done) struct elf_builder builder = builder_new(true, false, EM_X86_64, ET_DYN);
    struct error err = {0};
    struct image image;

    (void)state;
    builder_section(&builder, (struct built_section){.name = ".note",
                                                     .type = SHT_NOTE,
                                                     .data = SLICE("\4\0\0\0\4\0\0\0\3\0\0\0XEN\0abcd")});
    assert_int_equal(image_open_bytes(builder_finish(&builder), "prog", &image, &err), 0);
    assert_int_equal(image.build_id.length, 0);
    image_close(&image);
}

static void a_note_longer_than_its_section_is_no_build_id(void **state)
{
    SCOPED(builder_done) struct elf_builder builder = builder_new(true, false, EM_X86_64, ET_DYN);
    struct error err = {0};
    struct image image;

    (void)state;
    builder_section(&builder,
                    (struct built_section){.name = ".note",
                                           .type = SHT_NOTE,
                                           .data = SLICE("\4\0\0\0\xff\xff\xff\xff\3\0\0\0GNU\0abcd")});
    assert_int_equal(image_open_bytes(builder_finish(&builder), "prog", &image, &err), 0);
    assert_int_equal(image.build_id.length, 0);
    image_close(&image);
}

static void a_file_is_read_as_its_bytes_are(void **state)
{
    SCOPED(builder_done) struct elf_builder builder = builder_new(true, true, EM_PPC64, ET_EXEC);
    struct slice file = build_program(&builder);
    char path[] = "/tmp/test_elf_image.XXXXXX";
    SCOPED(file_close_descriptor) int descriptor = mkstemp(path);
    struct error err = {0};
    struct image image;
    struct slice bytes;

    (void)state;
    assert_int_equal(write(descriptor, file.data, file.length), file.length);
    assert_int_equal(image_open(path, &image, &err), 0);
    assert_string_equal(image.name, path);
    assert_int_equal(image_read_section(&image, &image.sections.items[1], &bytes, &err), 0);
    assert_true(slice_is(bytes, "\x90\x90\xc3"));
    image_close(&image);

    /* Cut after it was opened: an error, not a signal. */
    assert_int_equal(image_open(path, &image, &err), 0);
    assert_int_equal(ftruncate(descriptor, 66), 0);
    assert_int_equal(image_read_section(&image, &image.sections.items[1], &bytes, &err), -1);
    assert_int_equal(err.kind, ERROR_IO);
    assert_non_null(strstr(err.message, "the file became shorter while it was read"));
    image_close(&image);
    unlink(path);
}

static void what_is_no_regular_file_is_not_opened(void **state)
{
    struct error err = {0};
    struct image image;
    char folder[] = "/tmp/test_elf_image.XXXXXX";
    char pipe_path[64];

    (void)state;
    assert_non_null(mkdtemp(folder));
    snprintf(pipe_path, sizeof(pipe_path), "%s/pipe", folder);
    assert_int_equal(mkfifo(pipe_path, 0600), 0);
    assert_int_equal(image_open(pipe_path, &image, &err), -1);
    assert_non_null(strstr(err.message, "not a regular file"));
    unlink(pipe_path);
    assert_int_equal(image_open(folder, &image, &err), -1);
    assert_non_null(strstr(err.message, "is a folder, not an ELF file"));
    rmdir(folder);
    assert_int_equal(image_open(folder, &image, &err), -1);
    assert_int_equal(err.kind, ERROR_IO);
    assert_non_null(strstr(err.message, "No such file or directory"));
}

static void any_bytes_of_the_file_are_read_and_none_past_its_end(void **state)
{
    SCOPED(builder_done) struct elf_builder builder = builder_new(true, false, EM_X86_64, ET_DYN);
    struct slice file = build_program(&builder);
    struct error err = {0};
    struct image image;
    char read[4] = "";

    (void)state;
    assert_int_equal(image_open_bytes(file, "prog", &image, &err), 0);
    assert_int_equal(image_read_at(&image, 0, read, 4, &err), 0);
    assert_memory_equal(read, ELFMAG, 4);
    assert_int_equal(image_read_at(&image, file.length - 4, read, 4, &err), 0);
    assert_int_equal(image_read_at(&image, file.length, read, 0, &err), 0);
    assert_int_equal(image_read_at(&image, file.length - 3, read, 4, &err), -1);
    assert_int_equal(err.kind, ERROR_FORMAT);
    assert_int_equal(image_read_at(&image, UINT64_MAX, read, 4, &err), -1);
    image_close(&image);
}

static void sections_that_hold_one_thing_each_are_of_a_family(void **state)
{
    static const struct slice families[] = {SLICE(".text"),         SLICE(".ltext"), SLICE(".lrodata"),
                                            SLICE(".ldata.rel.ro"), SLICE(".ldata"), SLICE(".lbss"),
                                            SLICE(".rela.ltext")};

    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(families); i++) {
        SCOPED(text_done) struct text name = {0};

        text_add(&name, families[i]);
        text_add_string(&name, ".main");
        assert_true(slice_equal(section_family(text_slice(&name)), families[i]));
        assert_true(slice_equal(section_family(families[i]), families[i]));
    }
    assert_true(slice_is(section_family(SLICE(".ltextual")), ".ltextual"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sections_that_hold_one_thing_each_are_of_a_family),
        cmocka_unit_test(any_bytes_of_the_file_are_read_and_none_past_its_end),
        cmocka_unit_test(every_class_and_byte_order_reads_the_same),
        cmocka_unit_test(what_is_not_elf_is_named),
        cmocka_unit_test(a_remedy_is_given_where_one_is_known),
        cmocka_unit_test(a_file_cut_anywhere_is_refused_as_truncated),
        cmocka_unit_test(an_unknown_class_or_byte_order_is_damage),
        cmocka_unit_test(section_headers_of_another_size_are_damage),
        cmocka_unit_test(more_sections_than_fit_are_refused),
        cmocka_unit_test(a_section_larger_than_the_file_is_named),
        cmocka_unit_test(an_offset_past_the_end_is_refused),
        cmocka_unit_test(a_name_table_that_is_no_section_is_damage),
        cmocka_unit_test(names_outside_their_table_are_empty),
        cmocka_unit_test(counts_too_large_for_the_header_are_found_in_section_0),
        cmocka_unit_test(program_headers_too_many_for_the_header_are_counted_in_section_0),
        cmocka_unit_test(program_headers_past_the_end_are_refused),
        cmocka_unit_test(a_file_without_a_section_table_has_no_sections),
        cmocka_unit_test(the_build_id_is_found_among_the_notes),
        cmocka_unit_test(notes_of_other_owners_are_no_build_id),
        cmocka_unit_test(a_note_longer_than_its_section_is_no_build_id),
        cmocka_unit_test(a_file_is_read_as_its_bytes_are),
        cmocka_unit_test(what_is_no_regular_file_is_not_opened),
    };

    return cmocka_run_group_tests_name("elf image", tests, NULL, NULL);
}
