/* A stream that comes in parts. */
#include "cmocka_all.h"

#include <string.h>
#include <zstd.h>

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

/* Appends what the frame goes on with, as one block. */
static void add_block(ZSTD_CCtx *context, struct slice content, struct text *packed)
{
    size_t room = ZSTD_compressBound(content.length) + 64;
    size_t start = packed->length;
    ZSTD_inBuffer in = {content.data, content.length, 0};
    ZSTD_outBuffer out = {text_extend(packed, room), room, 0};

    assert_int_equal(ZSTD_compressStream2(context, &out, &in, ZSTD_e_flush), 0);
    packed->length = start + out.pos;
}

/* A block does not fit into what the one before it left of the room for a step: its rest comes with the next.
 */
static void what_a_part_holds_comes_with_it(void **state)
{
    enum { STEP_BYTES = 1 << 17 };
    SCOPED(text_done) struct text zeros = {0};
    SCOPED(text_done) struct text packed = {0};
    SCOPED(text_done) struct text content = {0};
    ZSTD_CCtx *context = ZSTD_createCCtx();
    struct zstd_stream *stream = NULL;
    struct error err = {0};

    (void)state;
    text_add_repeated(&zeros, '0', STEP_BYTES);
    add_block(context, SLICE("first"), &packed);
    add_block(context, text_slice(&zeros), &packed);
    ZSTD_freeCCtx(context);
    assert_int_equal(zstd_stream_open(&stream, &err), 0);
    assert_int_equal(zstd_stream_add(stream, text_slice(&packed), SIZE_MAX, &content, &err), 0);
    assert_int_equal(content.length, strlen("first") + zeros.length);
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
        cmocka_unit_test(what_a_part_holds_comes_with_it),
        cmocka_unit_test(what_is_damaged_adds_nothing),
        cmocka_unit_test(a_part_that_holds_too_much_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
