#include "cmocka_all.h"

#include <stdlib.h>

#include <lzma.h>

#include "base/bytes.h"
#include "base/packing.h"

static void what_was_packed_is_unpacked_to_exactly_its_length(void **state)
{
    static const char content[] =
        "the same words, the same words, the same words, the same words, the same words";
    struct text packed = {0};
    struct error err = {0};
    char out[sizeof(content)];

    (void)state;
    assert_int_equal(packing_zstd(&packed, slice_of(content), PACKING_USUAL_LEVEL, &err), 0);
    assert_true(packed.length < sizeof(content));
    assert_true(packing_unpack_zstd(text_slice(&packed), out, sizeof(content) - 1));
    assert_memory_equal(out, content, sizeof(content) - 1);
    assert_false(packing_unpack_zstd(text_slice(&packed), out, sizeof(content)));
    assert_false(packing_unpack_zstd(text_slice(&packed), out, sizeof(content) - 2));
    assert_false(
        packing_unpack_zstd((struct slice){packed.data, packed.length - 1}, out, sizeof(content) - 1));
    text_done(&packed);
}

static void nothing_packs_to_something(void **state)
{
    struct text packed = {0};
    struct error err = {0};

    (void)state;
    assert_int_equal(packing_zstd(&packed, (struct slice){0}, PACKING_USUAL_LEVEL, &err), 0);
    assert_true(packing_unpack_zstd(text_slice(&packed), NULL, 0));
    text_done(&packed);
}

static void xz_is_unpacked_to_no_more_than_is_wanted(void **state)
{
    enum { CONTENT_BYTES = 200000 };
    SCOPED(text_done) struct text content = {0};
    SCOPED(text_done) struct text out = {0};
    uint8_t packed[4096];
    size_t packed_bytes = 0;
    struct error err = {0};

    (void)state;
    text_add_repeated(&content, 'x', CONTENT_BYTES);
    assert_int_equal(lzma_easy_buffer_encode(LZMA_PRESET_DEFAULT, LZMA_CHECK_CRC32, NULL,
                                             (const uint8_t *)content.data, content.length, packed,
                                             &packed_bytes, sizeof(packed)),
                     LZMA_OK);
    text_add_string(&out, "before");
    assert_int_equal(
        packing_unpack_xz((struct slice){(char *)packed, packed_bytes}, CONTENT_BYTES - 1, &out, &err), -1);
    assert_string_equal(err.message, "it holds more than 199999 bytes");
    assert_true(slice_is(text_slice(&out), "before"));
    text_clear(&out);
    assert_int_equal(
        packing_unpack_xz((struct slice){(char *)packed, packed_bytes}, CONTENT_BYTES, &out, &err), 0);
    assert_true(slice_equal(text_slice(&out), text_slice(&content)));
    /* Cut short anywhere, and what is something else. */
    for (size_t length = 0; length < packed_bytes; length++) {
        text_clear(&out);
        assert_int_equal(packing_unpack_xz((struct slice){(char *)packed, length}, CONTENT_BYTES, &out, &err),
                         -1);
        assert_int_equal(err.kind, ERROR_FORMAT);
        assert_int_equal(out.length, 0);
    }
}

static void a_gzip_file_has_its_head_and_the_length_at_its_end(void **state)
{
    struct text content = {0};
    struct text packed = {0};
    struct error err = {0};
    struct bytes end;

    (void)state;
    for (unsigned i = 0; i < 100000; i++)
        text_format(&content, "%u ", i * 2654435761U);
    text_add_string(&packed, "before");
    assert_int_equal(packing_gzip(&packed, text_slice(&content), &err), 0);
    assert_true(slice_starts_with(text_slice(&packed), SLICE("before\x1f\x8b\x08")));
    end = bytes_of(slice_range(text_slice(&packed), packed.length - 4, packed.length), false);
    assert_int_equal(bytes_u32(&end), content.length);
    text_done(&content);
    text_done(&packed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_packed_is_unpacked_to_exactly_its_length),
        cmocka_unit_test(nothing_packs_to_something),
        cmocka_unit_test(xz_is_unpacked_to_no_more_than_is_wanted),
        cmocka_unit_test(a_gzip_file_has_its_head_and_the_length_at_its_end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
