#include "cmocka_all.h"

#include <stdlib.h>

#include "base/memory.h"
#include "elf/compression.h"
#include "elf_builder.h"

/* Reads the section `name` with that content and flags. Returns what compression_read does. */
static int read_one(const char *name, uint64_t flags, struct slice raw, struct slice expected,
                    struct error *err)
{
    SCOPED(builder_done) struct elf_builder builder = builder_new(true, false, EM_X86_64, ET_DYN);
    SCOPED(image_close) struct image image = {.descriptor = -1};
    const struct section *section = NULL;
    struct slice content = SLICE("untouched");
    char *owned = NULL;
    int result = 0;

    builder_section(&builder,
                    (struct built_section){.name = name, .type = SHT_PROGBITS, .flags = flags, .data = raw});
    assert_int_equal(image_open_bytes(builder_finish(&builder), "prog", &image, err), 0);
    section = &image.sections.items[1];
    assert_int_equal(compression_is_used(section),
                     (flags & SHF_COMPRESSED) != 0 || slice_starts_with(section->name, SLICE(".z")));
    result = compression_read(&image, section, &content, &owned, err);
    assert_true(slice_equal(content, result == 0 ? expected : SLICE("untouched")));
    assert_int_equal(owned != NULL, result == 0 && compression_is_used(section) && raw.length > 0);
    free(owned);
    return result;
}

/* "hello hello hello" with zlib, and Elf64_Chdr for 17 bytes. */
#define ZLIB_STREAM "\170\332\313\110\315\311\311\127\310\100\220\000\072\056\006\175"
#define HEADER(method, size) method "\0\0\0\0\0\0\0" size "\0\0\0\0\0\0\0\x01\0\0\0\0\0\0\0"

static void a_section_that_is_not_compressed_is_borrowed(void **state)
{
    struct error err = {0};

    (void)state;
    assert_int_equal(read_one(".debug_str", 0, SLICE("abc"), SLICE("abc"), &err), 0);
    assert_int_equal(read_one(".debug_str", SHF_COMPRESSED, SLICE(""), SLICE(""), &err), 0);
}

static void zlib_is_unpacked_in_both_of_its_forms(void **state)
{
    struct error err = {0};

    (void)state;
    assert_int_equal(read_one(".debug_str", SHF_COMPRESSED, SLICE(HEADER("\1", "\x11") ZLIB_STREAM),
                              SLICE("hello hello hello"), &err),
                     0);
    assert_int_equal(read_one(".zdebug_str", 0, SLICE("ZLIB\0\0\0\0\0\0\0\x11" ZLIB_STREAM),
                              SLICE("hello hello hello"), &err),
                     0);
}

static void assert_refused(const char *name, uint64_t flags, struct slice raw, const char *reason)
{
    struct error err = {0};

    assert_int_equal(read_one(name, flags, raw, (struct slice){0}, &err), -1);
    assert_int_equal(err.kind, ERROR_FORMAT);
    assert_non_null(strstr(err.message, reason));
}

static void damage_is_refused_with_the_section_named(void **state)
{
    const uint64_t flags = SHF_COMPRESSED;

    (void)state;
    assert_refused(".debug_str", flags, SLICE("\1\0\0\0"),
                   "prog: compressed section .debug_str: too short for its header");
    assert_refused(".zdebug_str", 0, SLICE("ZLIB\0\0"), "too short for its header");
    assert_refused(".debug_str", flags, SLICE(HEADER("\3", "\x11") ZLIB_STREAM), "neither zlib nor zstd");
    assert_refused(".zdebug_str", 0, SLICE("LZMA\0\0\0\0\0\0\0\x11" ZLIB_STREAM), "neither zlib nor zstd");
    assert_refused(".debug_str", flags, SLICE(HEADER("\1", "\x11") "\170\332\313\110\315"),
                   "damaged content");
    assert_refused(".debug_str", flags, SLICE(HEADER("\1", "\x10") ZLIB_STREAM), "damaged content");
    assert_refused(".debug_str", flags, SLICE(HEADER("\1", "\x12") ZLIB_STREAM), "damaged content");
    assert_refused(".debug_str", flags, SLICE(HEADER("\2", "\x11") ZLIB_STREAM), "damaged content");
}

/* 2^56 bytes in 16: not allocated first. */
static void a_size_that_cannot_be_is_refused_before_it_is_allocated(void **state)
{
    (void)state;
    assert_refused(".debug_str", SHF_COMPRESSED,
                   SLICE("\1\0\0\0\0\0\0\0\0\0\0\0\0\0\0\1\1\0\0\0\0\0\0\0" ZLIB_STREAM),
                   "says that it holds more than so few bytes can");
    assert_refused(".debug_str", SHF_COMPRESSED,
                   SLICE("\2\0\0\0\0\0\0\0\0\0\0\0\0\0\0\1\1\0\0\0\0\0\0\0" ZLIB_STREAM),
                   "says that it holds more than so few bytes can");
}

/* 1 GiB in 1 MiB: zlib can do that with zeros. */
static void what_would_fill_memory_and_is_no_debug_information_is_refused(void **state)
{
    SCOPED(text_done) struct text section = {0};

    (void)state;
    text_add(&section, SLICE("\1\0\0\0\0\0\0\0\0\0\0\x40\0\0\0\0\1\0\0\0\0\0\0\0"));
    text_add_repeated(&section, 'x', 1 << 20);
    assert_refused(".debug_str", SHF_COMPRESSED, text_slice(&section),
                   "holds far more than debug information does in so few bytes");
}

/* Hundreds of sections, each of a size that may be, fill memory too. */
static void what_fills_memory_together_with_what_was_read_before_is_refused(void **state)
{
    const struct slice raw = SLICE(HEADER("\1", "\x11") ZLIB_STREAM);
    SCOPED(builder_done) struct elf_builder builder = builder_new(true, false, EM_X86_64, ET_DYN);
    SCOPED(image_close) struct image image = {.descriptor = -1};
    SCOPED(memory_free_at) char *owned = NULL;
    struct slice content = {0};
    struct error err = {0};

    (void)state;
    builder_section(&builder,
                    (struct built_section){
                        .name = ".debug_str", .type = SHT_PROGBITS, .flags = SHF_COMPRESSED, .data = raw});
    assert_int_equal(image_open_bytes(builder_finish(&builder), "prog", &image, &err), 0);
    image.unpacked_bytes = 256 << 20;
    image.packed_bytes = 1 << 20;
    assert_int_equal(compression_read(&image, &image.sections.items[1], &content, &owned, &err), -1);
    assert_non_null(strstr(err.message, "holds far more than debug information does in so few bytes"));
    image.packed_bytes = 10 << 20;
    assert_int_equal(compression_read(&image, &image.sections.items[1], &content, &owned, &err), 0);
    assert_int_equal(image.unpacked_bytes, (256 << 20) + content.length);
    assert_true(image.packed_bytes > 10 << 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_section_that_is_not_compressed_is_borrowed),
        cmocka_unit_test(zlib_is_unpacked_in_both_of_its_forms),
        cmocka_unit_test(damage_is_refused_with_the_section_named),
        cmocka_unit_test(a_size_that_cannot_be_is_refused_before_it_is_allocated),
        cmocka_unit_test(what_would_fill_memory_and_is_no_debug_information_is_refused),
        cmocka_unit_test(what_fills_memory_together_with_what_was_read_before_is_refused),
    };

    return cmocka_run_group_tests_name("compression", tests, NULL, NULL);
}
