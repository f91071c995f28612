#include "cmocka_all.h"

#include "size/lines.h"

struct fixture {
    struct image image;
    struct symbols symbols;
    struct code_map map;
    struct debug_info debug;
    struct error err;
    uint64_t bytes;
    uint64_t bytes_with_line;
};

static void open_file(struct fixture *f, const char *path)
{
    *f = (struct fixture){0};
    assert_int_equal(image_open(path, &f->image, &f->err), 0);
    assert_int_equal(symbols_read(&f->image, &f->symbols, &f->err), 0);
    assert_int_equal(code_map_build(&f->image, &f->symbols, SLICE(".text"), &f->map, &f->err), 0);
    assert_int_equal(debug_info_open(&f->image, DEBUG_WHOLE, &f->debug, &f->err), 0);
}

static void close_file(struct fixture *f)
{
    debug_info_close(&f->debug);
    code_map_done(&f->map);
    symbols_done(&f->symbols);
    image_close(&f->image);
}

/* At both ends of a piece the same source is found as address by address. */
static void check_piece(void *context, const struct code_piece *piece)
{
    struct fixture *f = context;
    struct source_frame frames[SOURCE_FRAMES_MOST];
    uint64_t ends[] = {piece->svma, piece->svma + piece->size_bytes - 1};

    assert_int_not_equal(piece->size_bytes, 0);
    f->bytes += piece->size_bytes;
    for (size_t i = 0; piece->function < f->map.functions.count && i < ARRAY_COUNT(ends); i++) {
        size_t count = debug_info_find(&f->debug, ends[i], frames);

        if (count == 0) {
            assert_int_equal(piece->file, LINE_NO_FILE);
            assert_int_equal(piece->name, FRAME_NONE);
            continue;
        }
        assert_int_equal(piece->unit, frames[0].unit);
        assert_int_equal(piece->file, frames[0].file);
        assert_int_equal(piece->line, frames[0].line);
        if (piece->name != FRAME_NONE)
            assert_true(slice_equal(f->debug.details[piece->unit].functions.names.items[piece->name].text,
                                    frames[0].name.text));
        f->bytes_with_line += i == 0 && piece->line > 0 ? piece->size_bytes : 0;
    }
}

static void pieces_add_up_to_the_map_and_have_the_source_of_their_addresses(void **state)
{
    static const char *const files[] = {
        FIXTURES "/dwarf/rust-symbols",
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(files); i++) {
        struct fixture f;

        open_file(&f, files[i]);
        lines_walk(&f.debug, &f.map, check_piece, &f);
        assert_int_equal(f.bytes, f.map.total_bytes);
        assert_true(f.bytes_with_line > 0);
        close_file(&f);
    }
}

static void count_piece(void *context, const struct code_piece *piece)
{
    struct fixture *f = context;

    f->bytes += piece->size_bytes;
    assert_int_equal(piece->unit, UNIT_NONE);
    assert_int_equal(piece->file, LINE_NO_FILE);
}

static void without_debug_information_pieces_are_functions(void **state)
{
    struct fixture f;

    (void)state;
    open_file(&f, FIXTURES "/elf/sample");
    lines_walk(&f.debug, &f.map, count_piece, &f);
    assert_int_equal(f.bytes, f.map.total_bytes);
    close_file(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_add_up_to_the_map_and_have_the_source_of_their_addresses),
        cmocka_unit_test(without_debug_information_pieces_are_functions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
