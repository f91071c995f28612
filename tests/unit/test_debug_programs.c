/*
 * The calls at 10,000 addresses of real programs, as llvm-symbolizer finds them: the fixtures that
 * tests/peers/compare_dwarf.py --store makes.
 */
#include "cmocka_all.h"

#include <inttypes.h>

#include "base/scan.h"
#include "dwarf/debug_info.h"

#include "memory_file.h"
#include "packed_fixture.h"

enum { FAILURES_SHOWN = 5 };

static void read_fixture(const char *name, const char *kind, struct text *out)
{
    SCOPED(text_done) struct text path = {0};

    text_format(&path, FIXTURES "/dwarf/programs/%s.%s.zst", name, kind);
    read_packed_fixture(text_string(&path), out);
}

static bool next_field(struct scan *scan, struct slice *field)
{
    if (scan_at_end(scan))
        return false;
    if (!scan_until(scan, '\t', field)) {
        *field = scan->rest;
        scan->rest = (struct slice){0};
    }
    return true;
}

/*
 * Whether the frame is the next one of the answer. What has no linkage name stands under its module here and
 * alone there.
 */
static bool is_next(struct debug_info *info, const struct source_frame *frame, struct scan *answer)
{
    SCOPED(text_done) struct text place = {0};
    struct slice name;
    struct slice file;
    struct slice line;

    if (!next_field(answer, &name) || !next_field(answer, &file) || !next_field(answer, &line))
        return false;
    if (!slice_equal(frame->name.text, name) &&
        (frame->name.is_mangled || !slice_ends_with(frame->name.text, name)) &&
        !(frame->name.text.length == 0 && slice_is(name, "??")))
        return false;
    if (!debug_info_add_path(info, frame, &place))
        text_add_string(&place, "??");
    if (!slice_equal(text_slice(&place), file))
        return false;
    text_clear(&place);
    text_add_decimal(&place, frame->line);
    return slice_equal(text_slice(&place), line);
}

static bool is_as_answered(struct debug_info *info, uint64_t svma, struct slice calls)
{
    struct source_frame frames[SOURCE_FRAMES_MOST];
    struct scan answer = scan_of(calls);
    size_t count = debug_info_find(info, svma, frames);

    if (count == 0)
        return slice_is(calls, "??\t??\t0");
    for (size_t i = 0; i < count; i++)
        if (!is_next(info, &frames[i], &answer))
            return false;
    return scan_at_end(&answer);
}

/* How many addresses are compared, and how many of them differ. */
static size_t compare(struct debug_info *info, struct slice answers, size_t *wrong)
{
    struct scan lines = scan_of(answers);
    struct slice line;
    size_t count = 0;

    for (; scan_line(&lines, &line); count++) {
        struct scan fields = scan_of(line);
        uint64_t svma = 0;

        assert_true(scan_hex(&fields, &svma) && scan_byte(&fields, '\t'));
        if (is_as_answered(info, svma, fields.rest))
            continue;
        if (++*wrong <= FAILURES_SHOWN)
            print_error("at %" PRIx64 " not: %.*s\n", svma, SLICE_ARGUMENTS(fields.rest));
    }
    return count;
}

static void check_program(const char *name)
{
    SCOPED(text_done) struct text elf = {0};
    SCOPED(text_done) struct text answers = {0};
    struct image image;
    struct debug_info info;
    struct error err = {0};
    size_t wrong = 0;

    read_fixture(name, "elf", &elf);
    read_fixture(name, "calls", &answers);
    assert_int_equal(image_open_bytes(text_slice(&elf), name, &image, &err), 0);
    assert_int_equal(debug_info_open(&image, DEBUG_WHOLE, &info, &err), 0);
    debug_info_read_all(&info, 2);
    assert_int_equal(compare(&info, text_slice(&answers), &wrong), 10000);
    assert_int_equal(wrong, 0);
    assert_int_equal(info.units.damaged_count, 0);
    debug_info_close(&info);
    image_close(&image);
}

typedef VEC(uint64_t) svmas;

/* The answers' addresses at every `step`-th line from line `first` on, and those lines. */
static void choose(struct slice answers, size_t first, size_t step, svmas *addresses, struct text *lines)
{
    struct scan all = scan_of(answers);
    struct slice line;

    for (size_t number = 0; scan_line(&all, &line); number++) {
        struct scan fields = scan_of(line);

        if (number % step != first)
            continue;
        assert_true(scan_hex(&fields, vec_add(addresses)));
        text_format(lines, "%.*s\n", SLICE_ARGUMENTS(line));
    }
}

/* A file of which only what the addresses need is read gives the same answers. */
static void calls_are_the_same_when_parts_are_read(void **state)
{
    enum { STEP = 500, ROUNDS = 10 };
    static const char *const programs[] = {"b3sum-full-4", "b3sum-limited-5", "b3sum-line-tables-only-5"};

    (void)state;
    for (size_t i = 0; i < ROUNDS * ARRAY_COUNT(programs); i++) {
        const char *name = programs[i % ARRAY_COUNT(programs)];
        SCOPED(text_done) struct text elf = {0};
        SCOPED(text_done) struct text answers = {0};
        SCOPED(text_done) struct text some = {0};
        SCOPED(image_close) struct image image = {.descriptor = -1};
        struct memory_file file;
        struct debug_info info;
        svmas addresses = {0};
        struct error err = {0};
        size_t wrong = 0;

        read_fixture(name, "elf", &elf);
        read_fixture(name, "calls", &answers);
        file = memory_file_new(text_slice(&elf));
        assert_int_equal(image_open(file.path, &image, &err), 0);
        assert_int_equal(debug_info_open(&image, DEBUG_PARTS, &info, &err), 0);
        choose(text_slice(&answers), i, STEP, &addresses, &some);
        debug_info_read_places(&info, addresses.items, addresses.count, 2);
        assert_int_equal(compare(&info, text_slice(&some), &wrong), addresses.count);
        assert_int_equal(wrong, 0);
        debug_info_close(&info);
        memory_file_done(&file);
        vec_done(&addresses);
    }
}

static void calls_are_as_llvm_symbolizer_finds_them_with_full_debug_information(void **state)
{
    (void)state;
    check_program("b3sum-full-4");
}

static void calls_are_as_llvm_symbolizer_finds_them_with_limited_debug_information(void **state)
{
    (void)state;
    check_program("b3sum-limited-5");
}

static void calls_are_as_llvm_symbolizer_finds_them_with_line_tables_only(void **state)
{
    (void)state;
    check_program("b3sum-line-tables-only-5");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls_are_as_llvm_symbolizer_finds_them_with_full_debug_information),
        cmocka_unit_test(calls_are_as_llvm_symbolizer_finds_them_with_limited_debug_information),
        cmocka_unit_test(calls_are_as_llvm_symbolizer_finds_them_with_line_tables_only),
        cmocka_unit_test(calls_are_the_same_when_parts_are_read),
    };

    return cmocka_run_group_tests_name("debug_programs", tests, NULL, NULL);
}
