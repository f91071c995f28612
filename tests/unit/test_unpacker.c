#include "cmocka_all.h"

#include <stdlib.h>

#include <lzma.h>

#include "base/packing.h"
#include "base/unpacker.h"

/* `content` packed so, behind what is there. */
static void pack(struct text *packed, const char *kind, struct slice content)
{
    struct error err = {0};
    char *room = text_extend(packed, 1 << 16);
    size_t bytes = 0;

    packed->length -= 1 << 16;
    if (slice_is(slice_of(kind), "gzip")) {
        assert_int_equal(packing_gzip(packed, content, &err), 0);
    } else if (slice_is(slice_of(kind), "zstd")) {
        assert_int_equal(packing_zstd(packed, content, PACKING_USUAL_LEVEL, &err), 0);
    } else {
        assert_int_equal(lzma_easy_buffer_encode(LZMA_PRESET_DEFAULT, LZMA_CHECK_CRC32, NULL,
                                                 (const uint8_t *)content.data, content.length,
                                                 (uint8_t *)room, &bytes, 1 << 16),
                         LZMA_OK);
        packed->length += bytes;
    }
}

/* Unpacks with parts and room of a few bytes; whether it was whole, or -1. */
static int unpack(struct slice packed, size_t part_bytes, size_t room_bytes, struct text *out,
                  struct error *err)
{
    struct unpacker *unpacker = NULL;
    int result = -1;
    size_t got = 0;
    bool is_end = false;
    struct slice part = {0};

    assert_int_equal(unpacker_open(packed, &unpacker, err), 0);
    while (got > 0 || !is_end) {
        if (part.length == 0) {
            part = slice_range(packed, 0, part_bytes < packed.length ? part_bytes : packed.length);
            packed = slice_range(packed, part.length, packed.length);
        }
        is_end = part.length == 0;
        if (unpacker_step(unpacker, &part, text_extend(out, room_bytes), room_bytes, &got, err) < 0) {
            unpacker_close(unpacker);
            return -1;
        }
        out->length -= room_bytes - got;
    }
    result = unpacker_is_at_end(unpacker);
    unpacker_close(unpacker);
    return result;
}

static const char *const kinds[] = {"gzip", "zstd", "xz"};

static void files_are_unpacked_through_parts_and_room_of_any_length(void **state)
{
    static const size_t sizes[] = {1, 7, 4096, 1 << 20};

    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(kinds); i++) {
        SCOPED(text_done) struct text content = {0};
        SCOPED(text_done) struct text packed = {0};

        for (unsigned word = 0; word < 2000; word++)
            text_format(&content, "%u ", word * 2654435761U);
        pack(&packed, kinds[i], slice_range(text_slice(&content), 0, 15000));
        pack(&packed, kinds[i], slice_range(text_slice(&content), 15000, content.length));
        assert_string_equal(unpacker_kind(text_slice(&packed)), kinds[i]);
        for (size_t of_part = 0; of_part < ARRAY_COUNT(sizes); of_part++)
            for (size_t of_room = 0; of_room < ARRAY_COUNT(sizes); of_room++) {
                SCOPED(text_done) struct text out = {0};
                struct error err = {0};

                assert_int_equal(unpack(text_slice(&packed), sizes[of_part], sizes[of_room], &out, &err), 1);
                assert_true(slice_equal(text_slice(&out), text_slice(&content)));
            }
    }
    assert_null(unpacker_kind(SLICE("main;work 1\n")));
}

static void what_is_cut_short_is_not_whole(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(kinds); i++) {
        SCOPED(text_done) struct text packed = {0};

        pack(&packed, kinds[i], SLICE("some words, some words"));
        for (size_t length = 6; length < packed.length; length++) {
            SCOPED(text_done) struct text out = {0};
            struct error err = {0};

            assert_int_equal(unpack(slice_range(text_slice(&packed), 0, length), 100, 100, &out, &err), 0);
        }
    }
}

static void damaged_bytes_are_refused(void **state)
{
    static const char *const messages[] = {
        "what was packed with gzip is damaged",
        "what was packed with zstd is damaged",
        "what was packed with xz is damaged",
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(kinds); i++) {
        SCOPED(text_done) struct text packed = {0};
        SCOPED(text_done) struct text out = {0};
        struct error err = {0};

        pack(&packed, kinds[i], SLICE("some words, some words"));
        text_add_string(&packed, "nor does this belong to it");
        assert_int_equal(unpack(text_slice(&packed), 100, 100, &out, &err), -1);
        assert_string_equal(err.message, messages[i]);
    }
}

/* The head of a frame with a window of 256 MiB, as of zstd --long=28, and that of a block. */
static void what_takes_much_memory_is_refused_as_that(void **state)
{
    SCOPED(text_done) struct text out = {0};
    struct error err = {0};

    (void)state;
    assert_int_equal(unpack(SLICE("\x28\xb5\x2f\xfd\x00\x90\x01\x00\x00"), 100, 100, &out, &err), -1);
    assert_string_equal(err.message, "what was packed with zstd takes more than 128 MiB of memory to unpack");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_are_unpacked_through_parts_and_room_of_any_length),
        cmocka_unit_test(what_is_cut_short_is_not_whole),
        cmocka_unit_test(damaged_bytes_are_refused),
        cmocka_unit_test(what_takes_much_memory_is_refused_as_that),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
