#include "cmocka_all.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/scan.h"
#include "dwarf/debug_info.h"
#include "elf/find_debug.h"

#define FOLDER FIXTURES "/dwarf/"

/* An open fixture. */
struct opened {
    struct image image;
    struct debug_info info;
};

static void open_fixture(const char *name, struct opened *out)
{
    SCOPED(text_done) struct text path = {0};
    struct error err = {0};

    text_format(&path, FOLDER "%s", name);
    if (image_open(text_string(&path), &out->image, &err) < 0 ||
        debug_info_open(&out->image, DEBUG_WHOLE, &out->info, &err) < 0)
        fail_msg("%s", err.message);
}

static void close_fixture(struct opened *opened)
{
    debug_info_close(&opened->info);
    image_close(&opened->image);
}

/* What has no linkage name stands under its module; llvm-symbolizer gives the name alone. */
static struct slice without_crate(struct function_name name)
{
    const struct slice crate = SLICE("tiny::");

    if (name.text.length == 0)
        return SLICE("??");
    if (name.is_mangled || !slice_starts_with(name.text, crate))
        return name.text;
    return slice_range(name.text, crate.length, name.text.length);
}

/* The calls at an address as the fixtures write them. */
static void add_calls(struct debug_info *info, uint64_t svma, struct text *out)
{
    struct source_frame frames[SOURCE_FRAMES_MOST];
    size_t count = debug_info_find(info, svma, frames);

    for (size_t i = 0; i < count; i++) {
        text_add(out, i > 0 ? SLICE("\t") : SLICE(""));
        text_add(out, without_crate(frames[i].name));
        text_add_byte(out, '\t');
        if (!debug_info_add_path(info, &frames[i], out))
            text_add_string(out, "??");
        text_format(out, "\t%u", frames[i].line);
    }
    if (count == 0)
        text_add_string(out, "??\t??\t0");
}

static void assert_same_calls(struct debug_info *info, struct debug_info *other, uint64_t svma)
{
    SCOPED(text_done) struct text found = {0};
    SCOPED(text_done) struct text expected = {0};

    add_calls(info, svma, &found);
    add_calls(other, svma, &expected);
    assert_string_equal(text_string(&found), text_string(&expected));
}

/* Each address from `start` up to `end` has these calls. Returns how many addresses that were. */
static size_t compare_run(struct debug_info *info, uint64_t start, uint64_t end, struct slice expected)
{
    for (uint64_t svma = start; svma < end; svma++) {
        SCOPED(text_done) struct text calls = {0};

        add_calls(info, svma, &calls);
        if (!slice_equal(text_slice(&calls), expected))
            fail_msg("at %llx: %s\ninstead of: %.*s", (unsigned long long)svma, text_string(&calls),
                     SLICE_ARGUMENTS(expected));
    }
    return end - start;
}

static void assert_as_llvm_symbolizer(const char *name, const char *expected_name)
{
    SCOPED(text_done) struct text path = {0};
    SCOPED(text_done) struct text content = {0};
    struct opened opened;
    struct error err = {0};
    struct scan scan;
    struct slice line;
    struct slice calls = {0};
    uint64_t start = 0;
    size_t compared = 0;

    text_format(&path, FOLDER "%s.calls", expected_name);
    assert_int_equal(file_read(text_string(&path), SIZE_MAX, &content, &err), 0);
    open_fixture(name, &opened);
    assert_true(find_debug_is_inside(&opened.image));
    scan = scan_of(text_slice(&content));
    while (scan_line(&scan, &line)) {
        struct scan fields = scan_of(line);
        uint64_t svma = 0;

        assert_true(scan_hex(&fields, &svma));
        if (calls.length > 0)
            compared += compare_run(&opened.info, start, svma, calls);
        start = svma;
        calls = scan_byte(&fields, '\t') ? fields.rest : (struct slice){0};
    }
    assert_true(compared > 100);
    assert_int_equal(opened.info.units.damaged_count, 0);
    close_fixture(&opened);
}

static void functions_tell_the_file_that_they_stand_in(void **state)
{
    static const char *const names[] = {"rust-full4", "rust-limited5", "rust-full5"};
    const uint64_t sum = 0x2011e0; /* of inlined calls of four files, in each of the fixtures */
    struct source_frame frames[SOURCE_FRAMES_MOST];

    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(names); i++) {
        struct opened opened;
        size_t count = 0;

        open_fixture(names[i], &opened);
        count = debug_info_find(&opened.info, sum, frames);
        assert_in_range(count, 8, SOURCE_FRAMES_MOST);
        for (size_t at = 0; at < count; at++)
            assert_int_equal(frames[at].name.file, frames[at].file);
        close_fixture(&opened);
    }
}

static void rust_calls_are_as_llvm_symbolizer_finds_them(void **state)
{
    static const char *const names[] = {"rust-full4", "rust-limited4", "rust-lines4",
                                        "rust-full5", "rust-limited5", "rust-lines5"};

    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(names); i++)
        assert_as_llvm_symbolizer(names[i], names[i]);
}

static void other_compilers_machines_and_forms_of_dwarf_are_too(void **state)
{
    static const char *const names[] = {"gcc2", "gcc5", "gcc5-64", "powerpc4", "i386-5"};

    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(names); i++)
        assert_as_llvm_symbolizer(names[i], names[i]);
}

static void compressed_sections_read_like_plain_ones(void **state)
{
    (void)state;
    assert_as_llvm_symbolizer("rust-zlib", "rust-full4");
    assert_as_llvm_symbolizer("rust-zlib-gnu", "rust-full4");
    assert_as_llvm_symbolizer("rust-zstd", "rust-full4");
}

static void split_units_are_read_from_the_files_beside_the_program(void **state)
{
    (void)state;
    assert_as_llvm_symbolizer("rust-split4", "rust-full4");
    assert_as_llvm_symbolizer("rust-split5", "rust-full5");
}

static void without_its_split_file_a_unit_has_lines_alone_and_says_why(void **state)
{
    struct source_frame frames[SOURCE_FRAMES_MOST];
    const struct error *problem = NULL;
    struct opened opened;

    (void)state;
    open_fixture("rust-split5", &opened);
    opened.info.file = (struct file_place){"/nowhere/prog", "/nowhere/prog", 0};
    assert_int_equal(debug_info_find(&opened.info, opened.info.units.rows.items[1].start, frames), 1);
    assert_int_equal(frames[0].name.text.length, 0);
    assert_true(frames[0].line > 0);
    problem = debug_info_problem(&opened.info);
    assert_non_null(problem);
    assert_int_equal(problem->kind, ERROR_MISSING);
    assert_non_null(strstr(problem->message, "is not there"));
    assert_non_null(strstr(problem->hint, "split-debuginfo"));
    close_fixture(&opened);
}

static void packed_split_units_are_read_from_the_package(void **state)
{
    (void)state;
    assert_as_llvm_symbolizer("rust-packed4", "rust-full4");
    assert_as_llvm_symbolizer("rust-packed5", "rust-full5");
}

static void a_split_file_of_another_build_is_refused(void **state)
{
    struct opened opened;

    (void)state;
    open_fixture("rust-split5", &opened);
    opened.info.units.items.items[0].split_id++;
    debug_info_read_all(&opened.info, 1);
    assert_int_equal(debug_info_problem(&opened.info)->kind, ERROR_FORMAT);
    assert_non_null(strstr(debug_info_problem(&opened.info)->message, "does not belong to the program"));
    close_fixture(&opened);
}

static void a_unit_knows_its_crate(void **state)
{
    struct opened opened;
    const struct unit *unit = NULL;

    (void)state;
    open_fixture("rust-limited5", &opened);
    assert_int_equal(opened.info.units.items.count, 1);
    unit = &opened.info.units.items.items[0];
    assert_true(slice_is(unit_crate(unit), "tiny"));
    assert_true(slice_is(unit_root(unit), "tiny.rs"));
    assert_true(slice_is(unit->directory, "/tiny"));
    close_fixture(&opened);
    open_fixture("gcc5", &opened);
    unit = &opened.info.units.items.items[0];
    assert_int_equal(unit_crate(unit).length, 0);
    assert_true(slice_is(unit_root(unit), "tiny.cpp"));
    close_fixture(&opened);
}

/* What the unit at that address of the fixture tells. */
static void assert_rust_unit(const char *fixture, uint64_t svma)
{
    struct opened opened;
    struct source_frame frames[SOURCE_FRAMES_MOST];
    const struct unit *unit = NULL;

    open_fixture(fixture, &opened);
    assert_true(debug_info_find(&opened.info, svma, frames) > 0);
    unit = debug_info_unit(&opened.info, &frames[0]);
    assert_int_equal(unit->language, 0x1c); /* DW_LANG_Rust */
    assert_true(slice_is(unit_crate(unit), "tiny"));
    close_fixture(&opened);
}

static void of_split_units_language_and_crate_are_told_by_the_split_file(void **state)
{
    (void)state;
    assert_rust_unit("rust-lines4", 0x2011e7);
    assert_rust_unit("rust-split4", 0x2011e7);
    assert_rust_unit("rust-split5", 0x2011e7);
    assert_rust_unit("rust-split-lines4", 0x2011e7);
}

static void split_units_have_their_names_once_all_is_read(void **state)
{
    static const char *const names[] = {"rust-split4", "rust-split5"};

    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(names); i++) {
        struct opened opened;

        open_fixture(names[i], &opened);
        debug_info_read_all(&opened.info, 1);
        assert_true(slice_is(unit_crate(&opened.info.units.items.items[0]), "tiny"));
        assert_true(opened.info.units.items.items[0].directory.length > 0);
        close_fixture(&opened);
    }
}

/* Makes the code at `svma` that of `count` calls inlined into each other, the first one at line 1 of file 1
 * of the function that stands there. */
static void inline_calls(struct functions *functions, uint64_t svma, uint32_t count)
{
    struct interval_row *row = &functions->rows.items[intervals_after(&functions->rows, svma) - 1];

    while (functions->frames.items[row->id].parent != FRAME_NONE)
        row->id = functions->frames.items[row->id].parent;
    for (uint32_t i = 1; i <= count; i++) {
        *vec_add(&functions->frames) = (struct function_frame){row->id, 0, i, i};
        row->id = (uint32_t)functions->frames.count - 1;
    }
}

static void the_function_itself_is_found_however_many_calls_are_inlined_there(void **state)
{
    static const uint32_t depths[] = {SOURCE_FRAMES_MOST - 1, SOURCE_FRAMES_MOST, 3 * SOURCE_FRAMES_MOST};
    const uint32_t last = SOURCE_FRAMES_MOST - 1;
    struct source_frame frames[SOURCE_FRAMES_MOST];

    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(depths); i++) {
        struct opened opened;
        uint64_t svma = 0;

        open_fixture("rust-full5", &opened);
        svma = opened.info.units.rows.items[1].start;
        debug_info_read_all(&opened.info, 1);
        inline_calls(&opened.info.details[0].functions, svma, depths[i]);
        assert_int_equal(debug_info_find(&opened.info, svma, frames), SOURCE_FRAMES_MOST);
        assert_true(frames[last - 1].is_inlined);
        assert_int_equal(frames[last - 1].line, depths[i] - last + 2);
        assert_false(frames[last].is_inlined);
        assert_int_equal(frames[last].file, 1);
        assert_int_equal(frames[last].line, 1);
        close_fixture(&opened);
    }
}

static void outside_the_code_nothing_is_found(void **state)
{
    struct source_frame frames[SOURCE_FRAMES_MOST];
    struct opened opened;

    (void)state;
    open_fixture("rust-full5", &opened);
    assert_int_equal(debug_info_find(&opened.info, 0, frames), 0);
    assert_int_equal(debug_info_find(&opened.info, UINT64_MAX, frames), 0);
    assert_null(debug_info_problem(&opened.info));
    close_fixture(&opened);
}

static void all_units_at_once_give_the_same_and_the_entries_back(void **state)
{
    static const char *const names[] = {"rust-full4", "rust-full5", "rust-lines5", "gcc2",
                                        "gcc5",       "i386-5",     "rust-zstd",   "powerpc4"};

    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(names); i++) {
        struct opened one_by_one;
        struct opened all;
        struct code_bounds code;

        open_fixture(names[i], &one_by_one);
        open_fixture(names[i], &all);
        debug_info_read_all(&all.info, 2);
        assert_int_equal(all.info.sections.data[DEBUG_INFO].length, 0);
        assert_int_equal(all.info.sections.data[DEBUG_RANGES].length, 0);
        code = all.info.sections.code;
        for (uint64_t svma = code.start; svma < code.end; svma++)
            assert_same_calls(&all.info, &one_by_one.info, svma);
        close_fixture(&all);
        close_fixture(&one_by_one);
    }
}

static void a_section_can_be_read_again_once_it_was_given_back(void **state)
{
    struct opened opened;
    struct debug_info again;
    struct error err = {0};

    (void)state;
    open_fixture("rust-full5", &opened);
    debug_info_read_all(&opened.info, 1);
    assert_int_equal(debug_info_open(&opened.image, DEBUG_WHOLE, &again, &err), 0);
    assert_int_equal(again.units.items.count, opened.info.units.items.count);
    assert_true(again.sections.data[DEBUG_INFO].length > 0);
    debug_info_close(&again);
    close_fixture(&opened);
}

static void only_what_was_asked_for_is_kept(void **state)
{
    struct opened opened;
    uint64_t svma = 0;
    size_t kept = 0;

    (void)state;
    open_fixture("rust-full5", &opened);
    debug_info_read_places(&opened.info, NULL, 0, 2);
    svma = 77;
    debug_info_read_places(&opened.info, &svma, 1, 2);
    assert_false(opened.info.details[0].has_functions);
    svma = opened.info.units.rows.items[1].start;
    debug_info_read_places(&opened.info, &svma, 1, 2);
    assert_true(opened.info.details[0].has_functions);
    assert_int_not_equal(functions_find(&opened.info.details[0].functions, svma), FRAME_NONE);
    assert_true(opened.info.sections.data[DEBUG_INFO].length > 0);
    kept = opened.info.details[0].functions.frames.count;
    debug_info_read_all(&opened.info, 1);
    assert_true(opened.info.details[0].functions.frames.count > kept);
    assert_int_equal(opened.info.sections.data[DEBUG_INFO].length, 0);
    close_fixture(&opened);
}

/* Every `step`th address of the code, the last one first. */
static void read_some_places(struct debug_info *info, uint64_t step)
{
    const struct code_bounds code = info->sections.code;
    size_t count = (size_t)((code.end - code.start) / step);
    uint64_t *svmas = calloc(count, sizeof(*svmas));

    assert_non_null(svmas);
    for (size_t i = 0; i < count; i++)
        svmas[i] = code.end - step * (i + 1);
    debug_info_read_places(info, svmas, count, 2);
    free(svmas);
}

static void what_was_asked_for_is_found_as_among_all(void **state)
{
    static const char *const names[] = {"rust-full4", "rust-full5", "rust-lines5", "rust-split5", "gcc2",
                                        "gcc5",       "i386-5",     "rust-zstd",   "powerpc4"};

    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(names); i++) {
        struct opened some;
        struct opened all;

        open_fixture(names[i], &some);
        open_fixture(names[i], &all);
        debug_info_read_all(&all.info, 1);
        read_some_places(&some.info, 3);
        for (uint64_t svma = all.info.sections.code.end - 3; svma >= all.info.sections.code.start; svma -= 3)
            assert_same_calls(&some.info, &all.info, svma);
        close_fixture(&some);
        close_fixture(&all);
    }
}

/* Asked for in two goes, and then for what nobody asked for. */
static void what_was_not_asked_for_is_found_all_the_same(void **state)
{
    static const char *const names[] = {"rust-full4", "rust-split5", "rust-packed4", "gcc5"};

    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(names); i++) {
        for (int goes = 1; goes <= 2; goes++) {
            struct opened some;
            struct opened all;

            open_fixture(names[i], &some);
            open_fixture(names[i], &all);
            read_some_places(&some.info, 64);
            if (goes == 2)
                read_some_places(&some.info, 11);
            for (uint64_t svma = all.info.sections.code.start; svma < all.info.sections.code.end; svma++) {
                SCOPED(text_done) struct text found = {0};
                SCOPED(text_done) struct text expected = {0};

                add_calls(&some.info, svma, &found);
                add_calls(&all.info, svma, &expected);
                assert_string_equal(text_string(&found), text_string(&expected));
            }
            close_fixture(&some);
            close_fixture(&all);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(functions_tell_the_file_that_they_stand_in),
        cmocka_unit_test(rust_calls_are_as_llvm_symbolizer_finds_them),
        cmocka_unit_test(other_compilers_machines_and_forms_of_dwarf_are_too),
        cmocka_unit_test(compressed_sections_read_like_plain_ones),
        cmocka_unit_test(split_units_are_read_from_the_files_beside_the_program),
        cmocka_unit_test(without_its_split_file_a_unit_has_lines_alone_and_says_why),
        cmocka_unit_test(packed_split_units_are_read_from_the_package),
        cmocka_unit_test(split_units_have_their_names_once_all_is_read),
        cmocka_unit_test(a_split_file_of_another_build_is_refused),
        cmocka_unit_test(a_unit_knows_its_crate),
        cmocka_unit_test(of_split_units_language_and_crate_are_told_by_the_split_file),
        cmocka_unit_test(the_function_itself_is_found_however_many_calls_are_inlined_there),
        cmocka_unit_test(outside_the_code_nothing_is_found),
        cmocka_unit_test(all_units_at_once_give_the_same_and_the_entries_back),
        cmocka_unit_test(a_section_can_be_read_again_once_it_was_given_back),
        cmocka_unit_test(only_what_was_asked_for_is_kept),
        cmocka_unit_test(what_was_asked_for_is_found_as_among_all),
        cmocka_unit_test(what_was_not_asked_for_is_found_all_the_same),
    };

    return cmocka_run_group_tests_name("debug info", tests, NULL, NULL);
}
