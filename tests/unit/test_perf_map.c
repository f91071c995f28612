#include "cmocka_all.h"

#include <stdio.h>

#include "base/text.h"
#include "symbolize/jit/perf_map.h"

/* The name at the address; NULL for none. The result is in a buffer of its own. */
static const char *name_at(const char *lines, uint64_t avma)
{
    static char name[64];
    SCOPED(arena_done) struct arena arena = {0};
    SCOPED(perf_map_done) struct perf_map map = {0};
    struct slice found;

    perf_map_init(&map, &avma, 1, &found, &arena);
    perf_map_take(&map, slice_of(lines));
    assert_int_equal(map.named_count, found.length > 0);
    snprintf(name, sizeof(name), "%.*s", SLICE_ARGUMENTS(found));
    return found.length > 0 ? name : NULL;
}

static void code_has_the_name_that_its_line_tells(void **state)
{
    static const char lines[] = "1000 10 first\n"
                                "1020 8 py::f:/a b.py  \r\n"
                                "0x7fff00000000 0x20 last";

    (void)state;
    assert_null(name_at(lines, 0xfff));
    assert_string_equal(name_at(lines, 0x1000), "first");
    assert_string_equal(name_at(lines, 0x100f), "first");
    assert_null(name_at(lines, 0x1010));
    assert_string_equal(name_at(lines, 0x1027), "py::f:/a b.py");
    assert_string_equal(name_at(lines, 0x7fff0000001f), "last");
    assert_null(name_at(lines, 0x7fff00000020));
    assert_null(name_at("", 0));
}

static void of_code_in_one_place_the_last_told_counts(void **state)
{
    static const char lines[] = "1000 100 old\n"
                                "1010 20 inner\n"
                                "1020 20 across\n"
                                "0ff0 18 before\n";

    (void)state;
    assert_string_equal(name_at(lines, 0xff0), "before");
    assert_string_equal(name_at(lines, 0x1007), "before");
    assert_string_equal(name_at(lines, 0x1008), "old");
    assert_string_equal(name_at(lines, 0x1010), "inner");
    assert_string_equal(name_at(lines, 0x101f), "inner");
    assert_string_equal(name_at(lines, 0x1020), "across");
    assert_string_equal(name_at(lines, 0x103f), "across");
    assert_string_equal(name_at(lines, 0x1040), "old");
    assert_string_equal(name_at("1000 10 a\n1000 10 b\n", 0x1000), "b");
}

static void lines_of_another_form_are_left_out(void **state)
{
    static const char *const lines[] = {"1000",
                                        "1000 10",
                                        "1000 10 ",
                                        "1000 10  \t",
                                        "1000 0 f",
                                        "x000 10 f",
                                        "1000 1g f",
                                        "1000  10 f",
                                        " 1000 10 f",
                                        "1000\t10\tf",
                                        "ffffffffffffffff 1 f",
                                        "1ffffffffffffffff 1 f"};

    (void)state;
    for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
        if (name_at(lines[i], 0x1000) || name_at(lines[i], UINT64_MAX))
            fail_msg("\"%s\" is taken", lines[i]);
    assert_string_equal(name_at("nonsense\n1000 10 good\n", 0x1000), "good");
    assert_string_equal(name_at("fffffffffffffffe 1 f", UINT64_MAX - 1), "f");
}

/* Quadratic work would not end in time. */
static void many_lines_that_cover_each_other_take_no_longer(void **state)
{
    enum { LINES = 200000 };
    SCOPED(text_done) struct text line = {0};
    SCOPED(arena_done) struct arena arena = {0};
    SCOPED(perf_map_done) struct perf_map map = {0};
    uint64_t *avmas = ARENA_ARRAY(&arena, LINES, uint64_t);
    struct slice *names = ARENA_ARRAY(&arena, LINES, struct slice);

    (void)state;
    for (unsigned i = 0; i < LINES; i++)
        avmas[i] = 0x10000000 + i;
    perf_map_init(&map, avmas, LINES, names, &arena);
    for (unsigned i = LINES; i > 0; i--) {
        text_clear(&line);
        text_format(&line, "%x %x f%u\n", 0x10000000 - i, LINES + 1, i);
        perf_map_take(&map, text_slice(&line));
    }
    assert_int_equal(map.named_count, LINES);
    assert_true(slice_is(names[0], "f200000"));
    assert_true(slice_is(names[LINES - 1], "f1"));
}

static void lines_that_are_taken_first_count(void **state)
{
    static const uint64_t avmas[] = {0x1000, 0x1010, 0x2000};
    SCOPED(arena_done) struct arena arena = {0};
    SCOPED(perf_map_done) struct perf_map map = {0};
    struct slice names[3];

    (void)state;
    perf_map_init(&map, avmas, 3, names, &arena);
    perf_map_take(&map, SLICE("1000 8 late\n"));
    perf_map_take(&map, SLICE("1000 100 early\n"));
    assert_int_equal(map.named_count, 2);
    assert_true(slice_is(names[0], "late"));
    assert_true(slice_is(names[1], "early"));
    assert_int_equal(names[2].length, 0);
}

/* Whether the lines tell more than one name of the first byte of code at 0x1000. */
static bool has_other_name(const char *lines)
{
    static const uint64_t avmas[] = {0xf00, 0x1000, 0x1010};
    SCOPED(arena_done) struct arena arena = {0};
    SCOPED(perf_map_done) struct perf_map map = {0};
    struct slice names[3];

    perf_map_init(&map, avmas, 3, names, &arena);
    perf_map_take(&map, slice_of(lines));
    assert_false(perf_map_is_reused(&map, 0));
    return perf_map_is_reused(&map, 1);
}

static void an_address_that_had_another_name_is_told_of(void **state)
{
    SCOPED(text_done) struct text lines = {0};

    (void)state;
    assert_false(has_other_name("1000 8 f\n"));
    assert_false(has_other_name("1000 8 f\n1000 10 f\n1008 8 g\nff0 10 h\n"));
    assert_true(has_other_name("1000 8 f\n1000 10 g\n"));
    assert_true(has_other_name("ff0 18 f\n1000 10 g\n1000 8 g\n"));
    assert_true(has_other_name("1000 8 f\n1000 8 g\n1000 8 f\n"));
    /* Not however often it is told again with the same name. */
    text_add_string(&lines, "1000 8 f\n");
    for (int i = 0; i < 1000; i++)
        text_add_string(&lines, "1000 8 g\n");
    assert_false(has_other_name(text_string(&lines)));
}

static void what_others_told_before_is_no_other_name(void **state)
{
    static const uint64_t avma = 0x1000;
    SCOPED(arena_done) struct arena arena = {0};
    SCOPED(perf_map_done) struct perf_map map = {0};
    struct slice name;

    (void)state;
    perf_map_init(&map, &avma, 1, &name, &arena);
    perf_map_take(&map, SLICE("1000 8 own\n"));
    assert_true(perf_map_wants_more(&map));
    map.has_elders = true;
    assert_false(perf_map_wants_more(&map));
    perf_map_take(&map, SLICE("1000 8 parents\n"));
    assert_true(slice_is(name, "own"));
    assert_false(perf_map_is_reused(&map, 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(code_has_the_name_that_its_line_tells),
        cmocka_unit_test(of_code_in_one_place_the_last_told_counts),
        cmocka_unit_test(lines_of_another_form_are_left_out),
        cmocka_unit_test(many_lines_that_cover_each_other_take_no_longer),
        cmocka_unit_test(lines_that_are_taken_first_count),
        cmocka_unit_test(an_address_that_had_another_name_is_told_of),
        cmocka_unit_test(what_others_told_before_is_no_other_name),
    };

    return cmocka_run_group_tests_name("perf_map", tests, NULL, NULL);
}
