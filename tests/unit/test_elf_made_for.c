/* Which machine and C library files tell they were made for. */
#include "cmocka_all.h"

#include "elf/made_for.h"
#include "elf_builder.h"

#define GLIBC_LOADER "/nix/store/0a-glibc-2.40/lib/ld-linux-x86-64.so.2"
#define MUSL_LOADER "/lib/ld-musl-x86_64.so.1"

/* What a file has that tells. */
struct made {
    uint16_t type;
    uint16_t machine;
    const char *loader; /* NULL: statically linked */
    bool has_note;      /* of glibc's programs */
    const char *function;
};

static void add_note(struct elf_builder *builder, struct text *note)
{
    builder_number(builder, note, 4, 4);
    builder_number(builder, note, 16, 4);
    builder_number(builder, note, NT_GNU_ABI_TAG, 4);
    text_add(note, SLICE("GNU\0"));
    for (uint64_t number = 0; number < 4; number++)
        builder_number(builder, note, number, 4);
    builder_section(builder, (struct built_section){.name = ".note.ABI-tag",
                                                    .type = SHT_NOTE,
                                                    .flags = SHF_ALLOC,
                                                    .data = text_slice(note)});
}

static struct made_for read_made(struct made made)
{
    SCOPED(builder_done) struct elf_builder builder = builder_new(true, false, made.machine, made.type);
    SCOPED(text_done) struct text note = {0};
    uint32_t code = builder_code(&builder, ".text", 0x1000, SLICE("\xc3\xc3\xc3\xc3"));
    struct made_for made_for = {0};
    struct image image;
    struct error err = {0};

    if (made.loader)
        builder_section(&builder, (struct built_section){.name = ".interp",
                                                         .type = SHT_PROGBITS,
                                                         .flags = SHF_ALLOC,
                                                         .data = {made.loader, strlen(made.loader) + 1}});
    if (made.has_note)
        add_note(&builder, &note);
    builder_symbol(&builder, made.function ? made.function : "main", FUNCTION_LOCAL, code, 0x1000, 4);
    builder_symtab(&builder);
    assert_int_equal(image_open_bytes(builder_finish(&builder), "file", &image, &err), 0);
    made_for_read(&image, &made_for);
    image_close(&image);
    return made_for;
}

static void assert_told(struct made made, const char *expected)
{
    SCOPED(text_done) struct text text = {0};
    struct made_for made_for = read_made(made);

    made_for_add(&text, &made_for);
    assert_string_equal(text_string(&text), expected);
}

static void the_c_library_is_told_by_what_each_program_of_it_has(void **state)
{
    (void)state;
    assert_told((struct made){ET_DYN, EM_X86_64, MUSL_LOADER, false, NULL}, "x86_64 with musl");
    assert_told((struct made){ET_DYN, EM_X86_64, GLIBC_LOADER, true, NULL}, "x86_64 with glibc");
    assert_told((struct made){ET_EXEC, EM_X86_64, NULL, true, NULL}, "x86_64 with glibc");
    assert_told((struct made){ET_EXEC, EM_AARCH64, NULL, false, "__init_libc"}, "aarch64 with musl");
}

/* A function of another's, of which the name is but a part, no library, and an object. */
static void what_does_not_tell_its_library_is_told_without(void **state)
{
    (void)state;
    assert_told((struct made){ET_EXEC, EM_X86_64, NULL, false, NULL}, "x86_64");
    assert_told((struct made){ET_EXEC, EM_X86_64, NULL, false, "my__init_libc"}, "x86_64");
    assert_told((struct made){ET_EXEC, EM_X86_64, NULL, false, "__init_libc2"}, "x86_64");
    assert_told((struct made){ET_REL, EM_AARCH64, NULL, true, "__init_libc"}, "aarch64");
    assert_told((struct made){ET_REL, 0xfff0, NULL, false, NULL}, "the machine 65520 of 64 bits");
}

static void only_what_is_surely_unlike_differs(void **state)
{
    struct made_for glibc = {EM_X86_64, 8, false, C_LIBRARY_GLIBC};
    struct made_for musl = {EM_X86_64, 8, false, C_LIBRARY_MUSL};
    struct made_for untold = {EM_X86_64, 8, false, C_LIBRARY_UNTOLD};
    struct made_for x32 = {EM_X86_64, 4, false, C_LIBRARY_GLIBC};
    struct made_for arm = {EM_AARCH64, 8, false, C_LIBRARY_UNTOLD};

    (void)state;
    assert_true(made_for_differ(&glibc, &musl));
    assert_true(made_for_differ(&glibc, &x32));
    assert_true(made_for_differ(&untold, &arm));
    assert_false(made_for_differ(&glibc, &glibc));
    assert_false(made_for_differ(&glibc, &untold));
    assert_false(made_for_differ(&untold, &musl));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_c_library_is_told_by_what_each_program_of_it_has),
        cmocka_unit_test(what_does_not_tell_its_library_is_told_without),
        cmocka_unit_test(only_what_is_surely_unlike_differs),
    };

    return cmocka_run_group_tests_name("elf made for", tests, NULL, NULL);
}
