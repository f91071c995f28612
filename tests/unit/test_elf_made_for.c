/* Which machine and C library files tell they were made for. */
#include "cmocka_all.h"

#include "elf/made_for.h"
#include "elf_builder.h"

#define GLIBC_LOADER "/nix/store/0a-glibc-2.40/lib/ld-linux-x86-64.so.2"
#define ABI_NOTE ".note.ABI-tag"
#define MUSL_LOADER "/lib/ld-musl-x86_64.so.1"

/* What a file has that tells. */
struct made {
    uint16_t type;
    uint16_t machine;
    const char *loader;        /* NULL: statically linked */
    const char *note;          /* its section; NULL: none. It is of glibc's programs */
    const char *function;      /* NULL: none but main */
    const char *const *needed; /* DT_NEEDED; NULL: there is no table for the loader. Ends in NULL */
};

static void add_note(struct elf_builder *builder, const char *section, struct text *note)
{
    builder_number(builder, note, 4, 4);
    builder_number(builder, note, 16, 4);
    builder_number(builder, note, NT_GNU_ABI_TAG, 4);
    text_add(note, SLICE("GNU\0"));
    for (uint64_t number = 0; number < 4; number++)
        builder_number(builder, note, number, 4);
    builder_section(builder,
                    (struct built_section){
                        .name = section, .type = SHT_NOTE, .flags = SHF_ALLOC, .data = text_slice(note)});
}

static void add_needed(struct elf_builder *builder, const char *const *needed, struct text *strings,
                       struct text *dynamic)
{
    uint32_t index = 0;

    text_add_byte(strings, '\0');
    for (; *needed; needed++) {
        builder_number(builder, dynamic, DT_NEEDED, 8);
        builder_number(builder, dynamic, strings->length, 8);
        text_add(strings, (struct slice){*needed, strlen(*needed) + 1});
    }
    builder_number(builder, dynamic, DT_NULL, 8);
    builder_number(builder, dynamic, 0, 8);
    index = builder_section(
        builder, (struct built_section){.name = ".dynstr", .type = SHT_STRTAB, .data = text_slice(strings)});
    builder_section(builder,
                    (struct built_section){
                        .name = ".dynamic", .type = SHT_DYNAMIC, .data = text_slice(dynamic), .link = index});
}

static struct made_for read_made(struct arena *arena, struct made made)
{
    SCOPED(builder_done) struct elf_builder builder = builder_new(true, false, made.machine, made.type);
    SCOPED(text_done) struct text note = {0};
    uint32_t code = builder_code(&builder, ".text", 0x1000, SLICE("\xc3\xc3\xc3\xc3"));
    SCOPED(text_done) struct text strings = {0};
    SCOPED(text_done) struct text dynamic = {0};
    struct made_for made_for = {0};
    struct image image;
    struct error err = {0};

    if (made.loader)
        builder_section(&builder, (struct built_section){.name = ".interp",
                                                         .type = SHT_PROGBITS,
                                                         .flags = SHF_ALLOC,
                                                         .data = {made.loader, strlen(made.loader) + 1}});
    if (made.note)
        add_note(&builder, made.note, &note);
    if (made.needed)
        add_needed(&builder, made.needed, &strings, &dynamic);
    builder_symbol(&builder, made.function ? made.function : "main", FUNCTION_LOCAL, code, 0x1000, 4);
    builder_symtab(&builder);
    assert_int_equal(image_open_bytes(builder_finish(&builder), "file", &image, &err), 0);
    made_for_read(arena, &image, &made_for);
    image_close(&image);
    return made_for;
}

static void assert_told(struct made made, const char *expected)
{
    SCOPED(arena_done) struct arena arena = {0};
    SCOPED(text_done) struct text text = {0};
    struct made_for made_for = read_made(&arena, made);

    made_for_add(&text, &made_for);
    assert_string_equal(text_string(&text), expected);
}

static void the_c_library_is_told_by_what_each_program_of_it_has(void **state)
{
    (void)state;
    assert_told((struct made){ET_DYN, EM_X86_64, MUSL_LOADER, NULL, NULL, NULL}, "x86_64 with musl");
    assert_told((struct made){ET_DYN, EM_X86_64, GLIBC_LOADER, ABI_NOTE, NULL, NULL}, "x86_64 with glibc");
    assert_told((struct made){ET_EXEC, EM_X86_64, NULL, ABI_NOTE, NULL, NULL}, "x86_64 with glibc");
    assert_told((struct made){ET_EXEC, EM_AARCH64, NULL, NULL, "__init_libc", NULL}, "aarch64 with musl");
}

/* A function of another's, of which the name is but a part, no library, and an object. */
static void what_does_not_tell_its_library_is_told_without(void **state)
{
    (void)state;
    assert_told((struct made){ET_EXEC, EM_X86_64, NULL, NULL, NULL, NULL}, "x86_64");
    assert_told((struct made){ET_EXEC, EM_X86_64, NULL, NULL, "my__init_libc", NULL}, "x86_64");
    assert_told((struct made){ET_EXEC, EM_X86_64, NULL, NULL, "__init_libc2", NULL}, "x86_64");
    assert_told((struct made){ET_REL, EM_AARCH64, NULL, ABI_NOTE, "__init_libc", NULL}, "aarch64");
    assert_told((struct made){ET_REL, 0xfff0, NULL, NULL, NULL, NULL}, "the machine 65520 of 64 bits");
}

/* DT_NEEDED of what cc -shared and musl-gcc -shared link; distributions call musl otherwise than itself. */
static void a_shared_library_tells_by_what_it_needs(void **state)
{
    static const struct {
        const char *const needed[3];
        const char *expected;
    } cases[] = {
        {{"libgcc_s.so.1", "libc.so.6", NULL}, "x86_64 with glibc"},
        {{"libgcc_s.so.1", "libc.so", NULL}, "x86_64 with musl"},
        {{"libc.musl-x86_64.so.1", NULL}, "x86_64 with musl"},
        {{"libcurl.so.4", NULL}, "x86_64"},
        {{NULL}, "x86_64"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(cases); i++)
        assert_told((struct made){.type = ET_DYN, .machine = EM_X86_64, .needed = cases[i].needed},
                    cases[i].expected);
    assert_told(
        (struct made){
            .type = ET_DYN, .machine = EM_AARCH64, .needed = cases[1].needed, .note = ".note.android.ident"},
        "aarch64 with bionic");
}

static void assert_triple(const char *triple, const char *expected)
{
    SCOPED(text_done) struct text text = {0};
    struct made_for made_for = {0};

    assert_true(made_for_read_triple(slice_of(triple), &made_for));
    made_for_add(&text, &made_for);
    assert_string_equal(text_string(&text), expected);
}

/* rustc's and LLVM's name of one target tell the same. */
static void a_triple_tells_as_files_do(void **state)
{
    struct made_for made_for;

    (void)state;
    assert_triple("x86_64-unknown-linux-gnu", "x86_64 with glibc");
    assert_triple("x86_64-unknown-linux-gnux32", "x32 with glibc");
    assert_triple("x86_64-unknown-linux-musl", "x86_64 with musl");
    assert_triple("riscv64gc-unknown-linux-gnu", "riscv64 with glibc");
    assert_triple("armv7-unknown-linux-musleabihf", "arm with musl");
    assert_triple("armeb-unknown-linux-gnueabi", "armeb with glibc");
    assert_triple("i686-unknown-linux-gnu", "x86 with glibc");
    assert_triple("powerpc64le-unknown-linux-gnu", "powerpc64le with glibc");
    assert_triple("aarch64-linux-android", "aarch64 with bionic");
    assert_triple("arm64-apple-macosx11.0.0", "aarch64 for macOS");
    assert_triple("x86_64-pc-windows-gnu", "x86_64 for Windows");
    assert_triple("wasm32-unknown-unknown", "wasm32");
    assert_false(made_for_read_triple(SLICE("a64-b-linux"), &made_for));
}

static void only_what_is_surely_unlike_differs(void **state)
{
    struct made_for glibc = {SLICE("x86_64"), SLICE("glibc"), SLICE("Linux")};
    struct made_for musl = {SLICE("x86_64"), SLICE("musl"), {0}};
    struct made_for untold = {SLICE("x86_64"), {0}, {0}};
    struct made_for x32 = {SLICE("x32"), SLICE("glibc"), {0}};
    struct made_for windows = {SLICE("x86_64"), {0}, SLICE("Windows")};
    struct made_for nothing = {0};

    (void)state;
    assert_true(made_for_differ(&glibc, &musl));
    assert_true(made_for_differ(&glibc, &x32));
    assert_true(made_for_differ(&untold, &x32));
    assert_true(made_for_differ(&glibc, &windows));
    assert_false(made_for_differ(&glibc, &glibc));
    assert_false(made_for_differ(&glibc, &untold));
    assert_false(made_for_differ(&untold, &musl));
    assert_false(made_for_differ(&nothing, &musl));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_c_library_is_told_by_what_each_program_of_it_has),
        cmocka_unit_test(what_does_not_tell_its_library_is_told_without),
        cmocka_unit_test(a_shared_library_tells_by_what_it_needs),
        cmocka_unit_test(a_triple_tells_as_files_do),
        cmocka_unit_test(only_what_is_surely_unlike_differs),
    };

    return cmocka_run_group_tests_name("elf made for", tests, NULL, NULL);
}
