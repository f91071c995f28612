#include "cmocka_all.h"

#include "elf_builder.h"
#include "size/code_map.h"

struct fixture {
    struct elf_builder builder;
    struct image image;
    struct symbols symbols;
    struct code_map map;
    struct error err;
};

static int begin(void **state)
{
    static struct fixture fixture;

    fixture = (struct fixture){.builder = builder_new(true, false, EM_X86_64, ET_EXEC)};
    *state = &fixture;
    return 0;
}

static int end(void **state)
{
    struct fixture *f = *state;

    code_map_done(&f->map);
    symbols_done(&f->symbols);
    image_close(&f->image);
    builder_done(&f->builder);
    return 0;
}

/* .text at 0x1000 is section 1 in every test. */
static void code(struct fixture *f, struct slice bytes)
{
    builder_code(&f->builder, ".text", 0x1000, bytes);
}

static void function(struct fixture *f, const char *name, uint64_t offset, uint64_t size)
{
    builder_symbol(&f->builder, name, FUNCTION_GLOBAL, 1, 0x1000 + offset, size);
}

static void build(struct fixture *f)
{
    struct slice file;

    builder_symtab(&f->builder);
    file = builder_finish(&f->builder);
    assert_int_equal(image_open_bytes(file, "prog", &f->image, &f->err), 0);
    assert_int_equal(symbols_read(&f->image, &f->symbols, &f->err), 0);
    assert_int_equal(code_map_build(&f->image, &f->symbols, SLICE(".text"), &f->map, &f->err), 0);
}

/* The map as text: "name:size name:size", padding as "-", unnamed code as "?". */
static void assert_map(const struct fixture *f, const char *expected)
{
    SCOPED(text_done) struct text actual = {0};
    uint64_t sum = 0;

    for (size_t i = 0; i < f->map.ranges.count; i++) {
        const struct code_range *range = &f->map.ranges.items[i];

        if (range->function == CODE_PADDING)
            text_add_byte(&actual, '-');
        else if (range->function == CODE_UNNAMED)
            text_add_byte(&actual, '?');
        else
            text_add(&actual, f->map.functions.items[range->function].names[0]->name);
        text_format(&actual, ":%llu ", (unsigned long long)range->size_bytes);
        sum += range->size_bytes;
    }
    assert_string_equal(text_string(&actual), expected);
    assert_int_equal(sum, f->map.total_bytes);
}

static void functions_and_the_padding_between_them_sum_to_the_section(void **state)
{
    struct fixture *f = *state;

    code(f, SLICE("\x31\xc0\xc3\xcc\xcc\x31\xc0\xc3\x0f\x1f\x40\0"));
    function(f, "a", 0, 3);
    function(f, "b", 5, 3);
    build(f);
    assert_map(f, "a:3 -:2 b:3 -:4 ");
    assert_int_equal(f->map.padding_bytes, 6);
    assert_int_equal(f->map.unnamed_bytes, 0);
    assert_int_equal(f->map.functions.items[1].size_bytes, 3);
}

static void names_of_one_address_are_one_function_with_the_plainest_first(void **state)
{
    struct fixture *f = *state;

    code(f, SLICE("\x31\xc0\xc3"));
    builder_symbol(&f->builder, "aa", FUNCTION_LOCAL, 1, 0x1000, 3);
    builder_symbol(&f->builder, "a", LABEL_GLOBAL, 1, 0x1000, 0);
    function(f, "__open", 0, 3);
    function(f, "open64", 0, 3);
    function(f, "open", 0, 2);
    build(f);
    assert_map(f, "open:3 ");
    assert_int_equal(f->map.functions.count, 1);
    assert_int_equal(f->map.functions.items[0].name_count, 5);
    assert_true(slice_is(f->map.functions.items[0].names[1]->name, "open64"));
    assert_true(slice_is(f->map.functions.items[0].names[2]->name, "__open"));
    assert_true(slice_is(f->map.functions.items[0].names[3]->name, "aa"));
    assert_true(slice_is(f->map.functions.items[0].names[4]->name, "a"));
}

static void a_version_behind_a_name_makes_it_no_longer(void **state)
{
    struct fixture *f = *state;

    code(f, SLICE("\x31\xc0\xc3"));
    function(f, "powf64", 0, 3);
    function(f, "pow@@GLIBC_2.29", 0, 3);
    build(f);
    assert_map(f, "pow@@GLIBC_2.29:3 ");
}

static void an_inner_function_is_cut_out_of_the_outer(void **state)
{
    struct fixture *f = *state;

    code(f, SLICE("\xc3\xc3\xc3\xc3\xc3\xc3\xc3\xc3\xc3\xc3"));
    function(f, "outer", 0, 9);
    function(f, "inner", 2, 3);
    function(f, "innermost", 3, 1);
    build(f);
    assert_map(f, "outer:2 inner:1 innermost:1 inner:1 outer:4 ?:1 ");
    assert_int_equal(f->map.functions.items[0].size_bytes, 6);
}

static void of_crossing_functions_the_later_one_has_the_common_bytes(void **state)
{
    struct fixture *f = *state;

    code(f, SLICE("\xc3\xc3\xc3\xc3\xc3\xc3\xc3\xc3"));
    function(f, "a", 0, 7);
    function(f, "b", 1, 2);
    function(f, "c", 2, 3);
    build(f);
    assert_map(f, "a:1 b:1 c:3 a:2 ?:1 ");
}

static void a_function_is_cut_at_the_end_of_its_section(void **state)
{
    struct fixture *f = *state;

    code(f, SLICE("\xc3\xc3\xc3\xc3"));
    function(f, "a", 1, UINT64_MAX);
    function(f, "outside", 4, 8);
    function(f, "before", (uint64_t)-8, 12);
    build(f);
    assert_map(f, "?:1 a:3 ");
}

static void a_symbol_without_a_size_owns_its_gap_but_not_the_padding_behind(void **state)
{
    struct fixture *f = *state;

    code(f, SLICE("\xc3\xcc\xcc\x90\x31\xc0\xc3\x90\x90\xc3\xcc\xc3"));
    function(f, "a", 0, 1);
    function(f, "stub", 3, 0);
    builder_symbol(&f->builder, "label", LABEL_GLOBAL, 1, 0x1009, 0);
    function(f, "z", 11, 1);
    build(f);
    assert_map(f, "a:1 -:2 stub:4 -:2 label:1 -:1 z:1 ");
}

static void a_label_on_padding_alone_owns_nothing(void **state)
{
    struct fixture *f = *state;

    code(f, SLICE("\xc3\xcc\xcc\xc3"));
    function(f, "a", 0, 1);
    builder_symbol(&f->builder, "end_of_a", LABEL_GLOBAL, 1, 0x1001, 0);
    function(f, "b", 3, 1);
    build(f);
    assert_map(f, "a:1 -:2 b:1 ");
}

static void a_label_inside_a_function_owns_nothing(void **state)
{
    struct fixture *f = *state;

    code(f, SLICE("\xc3\xc3\xc3\xc3\xc3"));
    function(f, "a", 0, 3);
    builder_symbol(&f->builder, "inside", LABEL_GLOBAL, 1, 0x1001, 0);
    build(f);
    assert_map(f, "a:3 ?:2 ");
    assert_int_equal(f->map.functions.items[1].size_bytes, 0);
}

static void a_label_ends_where_a_sized_function_starts(void **state)
{
    struct fixture *f = *state;

    code(f, SLICE("\xc3\xc3\xc3\xc3\xc3"));
    builder_symbol(&f->builder, "label", LABEL_GLOBAL, 1, 0x1000, 0);
    function(f, "a", 2, 1);
    build(f);
    assert_map(f, "label:2 a:1 ?:2 ");
}

static void a_section_without_symbols_is_unnamed_except_for_its_padding(void **state)
{
    struct fixture *f = *state;

    code(f, SLICE("\x90\x31\xc0\xc3\xcc\x31\xc0\xc3\xcc\xcc"));
    build(f);
    assert_map(f, "-:1 ?:7 -:2 ");
    assert_int_equal(f->map.unnamed_bytes, 7);
}

static void marks_of_sections_units_and_mapping_are_no_functions(void **state)
{
    struct fixture *f = *state;

    code(f, SLICE("\xc3\xc3"));
    builder_symbol(&f->builder, "lib.0-cgu.0", UNIT_NAME, SHN_ABS, 0, 0);
    builder_symbol(&f->builder, "$x", LABEL_GLOBAL, 1, 0x1000, 0);
    builder_symbol(&f->builder, "", FUNCTION_LOCAL, 1, 0x1000, 2);
    builder_symbol(&f->builder, "sec", ELF64_ST_INFO(STB_LOCAL, STT_SECTION), 1, 0x1000, 2);
    build(f);
    assert_map(f, "?:2 ");
}

static void data_in_code_with_a_size_counts_by_its_name(void **state)
{
    struct fixture *f = *state;

    code(f, SLICE("\xc3table"));
    function(f, "a", 0, 1);
    builder_symbol(&f->builder, "table", ELF64_ST_INFO(STB_LOCAL, STT_OBJECT), 1, 0x1001, 5);
    build(f);
    assert_map(f, "a:1 table:5 ");
}

static void sections_named_after_it_belong_to_it(void **state)
{
    struct fixture *f = *state;

    code(f, SLICE("\xc3"));
    builder_code(&f->builder, ".text.hot", 0x2000, SLICE("\xc3\xc3"));
    builder_code(&f->builder, ".textual", 0x3000, SLICE("\xc3\xc3"));
    builder_section(
        &f->builder,
        (struct built_section){.name = ".text.bss", .type = SHT_NOBITS, .flags = SHF_ALLOC, .size_lie = 64});
    function(f, "a", 0, 1);
    builder_symbol(&f->builder, "hot", FUNCTION_GLOBAL, 2, 0x2000, 2);
    build(f);
    assert_map(f, "a:1 hot:2 ");
    assert_int_equal(f->map.ranges.items[1].section, 2);
    assert_int_equal(f->map.total_bytes, 3);
}

static void a_range_is_found_by_address(void **state)
{
    struct fixture *f = *state;

    code(f, SLICE("\xc3\xc3\xcc\xc3"));
    function(f, "a", 0, 2);
    function(f, "b", 3, 1);
    build(f);
    assert_null(code_map_find(&f->map, 1, 0xfff));
    assert_ptr_equal(code_map_find(&f->map, 1, 0x1001), &f->map.ranges.items[0]);
    assert_ptr_equal(code_map_find(&f->map, 1, 0x1003), &f->map.ranges.items[2]);
    assert_null(code_map_find(&f->map, 1, 0x1004));
    assert_null(code_map_find(&f->map, 2, 0x1001));
    assert_null(code_map_find(&f->map, 0, 0x1001));
}

static bool is_first(const struct section *section)
{
    return section->index == 1;
}

static void for_names_alone_no_bytes_are_looked_at(void **state)
{
    struct fixture *f = *state;

    code(f, SLICE("\x31\xc0\xc3\xcc\xcc\x31\xc0\xc3\x0f\x1f\x40\0\xc3"));
    builder_code(&f->builder, ".text.b", 0x2000, SLICE("\xc3"));
    function(f, "a", 0, 3);
    function(f, "b", 5, 2);
    builder_symbol(&f->builder, "label", LABEL_GLOBAL, 1, 0x1007, 0);
    function(f, "c", 12, 1);
    build(f);
    assert_map(f, "a:3 -:2 b:2 label:1 -:4 c:1 ?:1 ");
    code_map_done(&f->map);
    code_map_build_names(&f->image, &f->symbols, is_first, &f->map);
    assert_map(f, "a:3 ?:2 b:2 label:5 c:1 ");
    assert_ptr_equal(code_map_find(&f->map, 1, 0x1007), &f->map.ranges.items[3]);
}

static void a_missing_section_is_an_error(void **state)
{
    struct fixture *f = *state;
    struct code_map map = {.total_bytes = 77};

    code(f, SLICE("\xc3"));
    build(f);
    assert_int_equal(code_map_build(&f->image, &f->symbols, SLICE(".txt"), &map, &f->err), -1);
    assert_int_equal(f->err.kind, ERROR_MISSING);
    assert_string_equal(f->err.message, "prog: no section .txt");
    assert_int_equal(map.total_bytes, 77);
}

#define WITH_FIXTURE(test) cmocka_unit_test_setup_teardown(test, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_FIXTURE(functions_and_the_padding_between_them_sum_to_the_section),
        WITH_FIXTURE(names_of_one_address_are_one_function_with_the_plainest_first),
        WITH_FIXTURE(a_version_behind_a_name_makes_it_no_longer),
        WITH_FIXTURE(an_inner_function_is_cut_out_of_the_outer),
        WITH_FIXTURE(of_crossing_functions_the_later_one_has_the_common_bytes),
        WITH_FIXTURE(a_function_is_cut_at_the_end_of_its_section),
        WITH_FIXTURE(a_symbol_without_a_size_owns_its_gap_but_not_the_padding_behind),
        WITH_FIXTURE(a_label_on_padding_alone_owns_nothing),
        WITH_FIXTURE(a_label_inside_a_function_owns_nothing),
        WITH_FIXTURE(a_label_ends_where_a_sized_function_starts),
        WITH_FIXTURE(a_section_without_symbols_is_unnamed_except_for_its_padding),
        WITH_FIXTURE(marks_of_sections_units_and_mapping_are_no_functions),
        WITH_FIXTURE(data_in_code_with_a_size_counts_by_its_name),
        WITH_FIXTURE(sections_named_after_it_belong_to_it),
        WITH_FIXTURE(a_range_is_found_by_address),
        WITH_FIXTURE(for_names_alone_no_bytes_are_looked_at),
        WITH_FIXTURE(a_missing_section_is_an_error),
    };

    return cmocka_run_group_tests_name("code map", tests, NULL, NULL);
}
