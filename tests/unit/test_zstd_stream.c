/* A stream that comes in parts. */
#include "cmocka_all.h"

#include "base/packing.h"
#include "base/zstd_stream.h"

static void parts_are_unpacked_as_they_come(void **state)
{
    SCOPED(text_done) struct text packed = {0};
    SCOPED(text_done) struct text content = {0};
    struct zstd_stream *stream = NULL;
    struct error err = {0};

    (void)state;
    assert_int_equal(packing_zstd(&packed, SLICE("first, second, third"), PACKING_USUAL_LEVEL, &err), 0);
    assert_int_equal(zstd_stream_open(&stream, &err), 0);
    for (size_t i = 0; i < packed.length; i++)
        assert_int_equal(
            zstd_stream_add(stream, slice_range(text_slice(&packed), i, i + 1), 64, &content, &err), 0);
    assert_true(slice_is(text_slice(&content), "first, second, third"));
    zstd_stream_close(stream);
}

static void what_is_damaged_adds_nothing(void **state)
{
    SCOPED(text_done) struct text content = {0};
    struct zstd_stream *stream = NULL;
    struct error err = {0};

    (void)state;
    text_add_string(&content, "before");
    assert_int_equal(zstd_stream_open(&stream, &err), 0);
    assert_int_equal(zstd_stream_add(stream, SLICE("no zstd at all"), 64, &content, &err), -1);
    assert_int_equal(err.kind, ERROR_FORMAT);
    assert_true(slice_is(text_slice(&content), "before"));
    zstd_stream_close(stream);
    zstd_stream_close(NULL);
}

static void a_part_that_holds_too_much_is_refused(void **state)
{
    SCOPED(text_done) struct text zeros = {0};
    SCOPED(text_done) struct text packed = {0};
    SCOPED(text_done) struct text content = {0};
    struct zstd_stream *stream = NULL;
    struct error err = {0};

    (void)state;
    for (int i = 0; i < 1 << 20; i++)
        text_add_byte(&zeros, '0');
    assert_int_equal(packing_zstd(&packed, text_slice(&zeros), PACKING_USUAL_LEVEL, &err), 0);
    assert_int_equal(zstd_stream_open(&stream, &err), 0);
    assert_int_equal(zstd_stream_add(stream, text_slice(&packed), zeros.length - 1, &content, &err), -1);
    assert_int_equal(content.length, 0);
    zstd_stream_close(stream);
    assert_int_equal(zstd_stream_open(&stream, &err), 0);
    assert_int_equal(zstd_stream_add(stream, text_slice(&packed), zeros.length, &content, &err), 0);
    assert_int_equal(content.length, zeros.length);
    zstd_stream_close(stream);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_are_unpacked_as_they_come),
        cmocka_unit_test(what_is_damaged_adds_nothing),
        cmocka_unit_test(a_part_that_holds_too_much_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
