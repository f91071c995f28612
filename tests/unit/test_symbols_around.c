#include "cmocka_all.h"

#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "base/file.h"
#include "base/text.h"
#include "elf/symbols.h"
#include "elf_builder.h"

enum { PLACES = 40, FUNCTIONS = 3000, FUNCTION_BYTES = 8, TEXT = 0x1000 };

/* A file with more symbols than are read at a time. */
struct fixture {
    int descriptor;
    struct image image; /* to read all from, */
    struct image parts; /* and a few */
    struct symbols all;
    uint64_t svmas[PLACES];
    struct places places;
};

static int write_file(const char *path)
{
    SCOPED(builder_done) struct elf_builder builder = builder_new(true, false, EM_X86_64, ET_DYN);
    static const char code[FUNCTIONS * FUNCTION_BYTES];
    struct slice file;
    int descriptor = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

    builder_code(&builder, ".text", TEXT, (struct slice){code, sizeof(code)});
    for (unsigned i = 0; i < FUNCTIONS; i++) {
        char name[16];
        unsigned place = i * 7 % FUNCTIONS; /* each once, but not in their order */

        snprintf(name, sizeof(name), "f%u", i);
        builder_symbol(&builder, name, ELF64_ST_INFO(STB_GLOBAL, STT_FUNC), 1,
                       TEXT + (uint64_t)place * FUNCTION_BYTES, FUNCTION_BYTES);
    }
    builder_symtab(&builder);
    file = builder_finish(&builder);
    assert_int_equal(write(descriptor, file.data, file.length), file.length);
    return descriptor;
}

static int begin(void **state)
{
    static const char path[] = "test_symbols_around.elf";
    static struct fixture fixture;
    struct fixture *f = &fixture;
    struct error err = {0};

    *f = (struct fixture){.descriptor = write_file(path), .places = {f->svmas, PLACES}};
    assert_int_equal(image_open(path, &f->image, &err), 0);
    assert_int_equal(image_open(path, &f->parts, &err), 0);
    unlink(path);
    assert_int_equal(symbols_read(&f->image, &f->all, &err), 0);
    assert_int_equal(f->all.count, FUNCTIONS);
    for (unsigned i = 0; i < PLACES; i++)
        f->svmas[i] = TEXT + i * (FUNCTIONS / PLACES) * FUNCTION_BYTES + 1;
    *state = f;
    return 0;
}

static int end(void **state)
{
    struct fixture *f = *state;

    symbols_done(&f->all);
    image_close(&f->parts);
    image_close(&f->image);
    file_close_descriptor(&f->descriptor);
    return 0;
}

/* The symbols of functions that hold the place, by name, one after the other. */
static void add_holders(const struct symbols *symbols, uint64_t svma, struct text *out)
{
    for (size_t i = 0; i < symbols->count; i++) {
        const struct elf_symbol *symbol = &symbols->items[i];

        if (symbol->type != STT_FUNC || svma < symbol->svma || svma - symbol->svma >= symbol->size_bytes)
            continue;
        text_add(out, symbol->name);
        text_add_byte(out, ' ');
    }
}

static void what_holds_a_place_is_what_reading_all_gives(void **state)
{
    struct fixture *f = *state;
    SCOPED(symbols_done) struct symbols around = {0};
    struct error err = {0};

    assert_int_equal(symbols_read_around(&f->parts, &f->places, &around, &err), 0);
    assert_int_equal(around.source, f->all.source);
    assert_true(around.count < f->all.count);
    for (size_t i = 0; i < PLACES; i++) {
        SCOPED(text_done) struct text expected = {0};
        SCOPED(text_done) struct text found = {0};

        add_holders(&f->all, f->svmas[i], &expected);
        add_holders(&around, f->svmas[i], &found);
        assert_true(expected.length > 0);
        assert_string_equal(text_string(&found), text_string(&expected));
    }
}

static void a_file_cut_short_meanwhile_is_an_error(void **state)
{
    struct fixture *f = *state;
    struct symbols around = {.count = 77};
    struct error err = {0};

    assert_int_equal(ftruncate(f->descriptor, 4096), 0);
    assert_int_equal(symbols_read_around(&f->parts, &f->places, &around, &err), -1);
    assert_int_equal(err.kind, ERROR_IO);
    assert_int_equal(around.count, 77);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_holds_a_place_is_what_reading_all_gives, begin, end),
        cmocka_unit_test_setup_teardown(a_file_cut_short_meanwhile_is_an_error, begin, end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
