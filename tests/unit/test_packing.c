#include "cmocka_all.h"

#include <stdlib.h>

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
        cmocka_unit_test(a_gzip_file_has_its_head_and_the_length_at_its_end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
