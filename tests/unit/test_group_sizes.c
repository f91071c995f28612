#include "cmocka_all.h"

#include <stdlib.h>
#include <string.h>

#include "groups/group_sizes.h"
#include "sizes/code_sizes.h"

/* Crates as they are called when they are checked and when they are built; std's are the same in both. */
#define CHECKED "Csh8XBZYaBucJ_6sample"
#define BUILT "CsgXBZYaBucJ_6sample"
#define OTHER "CsaXBZYaBucJ_6sample"
#define CORE "CsgEmfK2I1SDS_4core"
#define STD "CsjrHSEGnQ3l9_3std"

/* core::ptr::drop_in_place::<sample::db::Entry>, instantiated by that sample, and by std for a String. */
#define DROP(sample) "_RINvNt" CORE "3ptr13drop_in_placeNtNt" sample "2db5EntryEBK_"
#define DROP_BY_STD "_RINvNt" CORE "3ptr13drop_in_placeNtNtCslNYArtu3iFV_5alloc6string6StringE" STD
#define MAIN(sample) "_RNv" sample "4main"
#define PANIC_HANDLER "_RNvCsfLfy6EI15iL_7___rustc17rust_begin_unwind"
#define LEGACY_MAIN "_ZN6sample4main17h0123456789abcdefE"

struct fixture {
    struct groups groups;
    struct counted_crates counted;
    struct crate_match match;
    struct code_sizes code;
    struct group_sizes sizes;
    struct symbol symbol;
};

static int setup(void **state)
{
    struct fixture *f = calloc(1, sizeof(*f));

    f->groups.by = GROUP_BY_GENERIC;
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *f = *state;

    groups_done(&f->groups);
    counted_crates_done(&f->counted);
    crate_match_done(&f->match);
    code_sizes_done(&f->code);
    group_sizes_done(&f->sizes);
    symbol_done(&f->symbol);
    free(f);
    return 0;
}

/* The crate at the root of a name; its own name stays in the symbol's text. */
static struct symbol_crate crate_of(struct fixture *f, const char *symbol)
{
    symbol_parse(&f->symbol, slice_of(symbol));
    return symbol_defining_crate(&f->symbol).crate;
}

static uint32_t count_function(struct fixture *f, const char *symbol)
{
    groups_add(&f->groups, &(struct ir_function){.symbol = slice_of(symbol), .lines = 10});
    symbol_parse(&f->symbol, slice_of(symbol));
    crate_match_see_symbol(&f->match, CRATE_COUNTED, &f->symbol);
    if (!symbol_is_rust(&f->symbol))
        intern_add(&f->counted.plain, slice_of(symbol));
    return groups_find(&f->groups, slice_of(symbol));
}

/* `holder` is any name of a function of the crate that holds it; NULL: nobody knows. */
static void add_code(struct fixture *f, const char *symbol, uint64_t size_bytes, const char *holder)
{
    struct symbol_crate crate = holder ? crate_of(f, holder) : (struct symbol_crate){0};

    *vec_add(&f->code.functions) = (struct sized_function){slice_of(symbol), size_bytes, crate};
    f->code.total_bytes += size_bytes;
    if (crate.disambiguator != 0)
        (void)crate_match_see(&f->match, CRATE_BUILT, crate);
    symbol_parse(&f->symbol, slice_of(symbol));
    crate_match_see_symbol(&f->match, CRATE_BUILT, &f->symbol);
}

static void join(struct fixture *f)
{
    crate_match_settle(&f->match);
    group_sizes_join(&f->groups, &f->counted, &f->match, &f->code, &f->sizes);
    assert_int_equal(f->sizes.size_bytes + f->sizes.elsewhere_bytes + f->sizes.ambiguous_bytes +
                         f->sizes.other_bytes + f->sizes.gap_bytes,
                     f->sizes.total_bytes);
    assert_int_equal(f->sizes.items.count, f->groups.items.count);
}

static void whether_the_code_is_of_counted_crates_at_all_is_told_by_who_holds_it(void **state)
{
    struct fixture *f = *state;

    for (int is_ours = 0; is_ours < 2; is_ours++) {
        count_function(f, MAIN(CHECKED));
        count_function(f, "main");
        *vec_add(&f->counted.items) = crate_of(f, MAIN(CHECKED));
        add_code(f, "main", 5, NULL);
        add_code(f, DROP_BY_STD, 6, "_RNv" STD "4main");
        if (is_ours)
            add_code(f, DROP(BUILT), 12, MAIN(BUILT));
        join(f);
        assert_int_equal(f->sizes.size_bytes, 5);
        assert_int_equal(f->sizes.has_counted, is_ours);
        groups_done(&f->groups);
        group_sizes_done(&f->sizes);
        f->sizes = (struct group_sizes){0};
        f->code.functions.count = 0;
        f->code.total_bytes = 0;
    }
}

static void copies_are_found_though_their_crate_has_another_number(void **state)
{
    struct fixture *f = *state;
    uint32_t drop = count_function(f, DROP(CHECKED));
    uint32_t main_group = count_function(f, MAIN(CHECKED));

    *vec_add(&f->counted.items) = crate_of(f, MAIN(CHECKED));
    add_code(f, DROP(BUILT), 12, MAIN(BUILT));
    add_code(f, DROP(BUILT) ".llvm.123", 8, MAIN(BUILT));
    f->code.padding_bytes = 3;
    f->code.unnamed_bytes = 4;
    f->code.total_bytes += 7;
    join(f);
    assert_int_equal(f->sizes.items.items[drop].size_bytes, 20);
    assert_int_equal(f->sizes.items.items[drop].left, 2);
    assert_int_equal(f->sizes.items.items[drop].inferred_bytes, 0);
    assert_int_equal(f->sizes.items.items[main_group].size_bytes, 0);
    assert_int_equal(f->sizes.items.items[main_group].left, 0);
    assert_int_equal(f->sizes.gap_bytes, 7);
}

static void copies_that_crates_hold_which_were_not_counted_stand_apart(void **state)
{
    struct fixture *f = *state;
    uint32_t drop = count_function(f, DROP(CHECKED));

    *vec_add(&f->counted.items) = crate_of(f, MAIN(CHECKED));
    add_code(f, DROP(BUILT), 12, MAIN(BUILT));
    add_code(f, DROP_BY_STD, 6, "_RNv" STD "4main");
    add_code(f, MAIN(BUILT), 5, MAIN(BUILT));
    join(f);
    assert_int_equal(f->sizes.items.items[drop].size_bytes, 12);
    assert_int_equal(f->sizes.items.items[drop].elsewhere_bytes, 6);
    assert_int_equal(f->sizes.elsewhere_bytes, 6);
    assert_int_equal(f->sizes.other_bytes, 5);
}

static void of_two_crates_of_one_name_that_nothing_tells_apart_neither_is_guessed(void **state)
{
    struct fixture *f = *state;

    f->groups.by = GROUP_BY_FUNCTION;
    count_function(f, MAIN(CHECKED));
    count_function(f, MAIN("CskXBZYaBucJ_6sample"));
    f->counted.are_all = true;
    add_code(f, MAIN(BUILT), 5, NULL);
    add_code(f, MAIN(OTHER), 7, NULL);
    join(f);
    assert_int_equal(f->sizes.size_bytes, 0);
    assert_int_equal(f->sizes.ambiguous_bytes, 12);
}

static void copies_of_a_library_and_a_program_of_one_name_are_there_and_inferred(void **state)
{
    struct fixture *f = *state;
    uint32_t drop = count_function(f, DROP(CHECKED));

    *vec_add(&f->counted.items) = crate_of(f, MAIN(CHECKED));
    add_code(f, DROP(BUILT), 12, MAIN(BUILT));
    add_code(f, DROP(OTHER), 7, MAIN(OTHER));
    add_code(f, DROP_BY_STD, 6, "_RNv" STD "4main");
    join(f);
    assert_int_equal(f->sizes.items.items[drop].size_bytes, 19);
    assert_int_equal(f->sizes.items.items[drop].inferred_bytes, 19);
    assert_int_equal(f->sizes.items.items[drop].elsewhere_bytes, 6);
}

static void crates_that_are_known_to_be_one_are(void **state)
{
    struct fixture *f = *state;
    uint32_t first = count_function(f, MAIN(CHECKED));
    uint32_t second = count_function(f, MAIN("CskXBZYaBucJ_6sample"));
    struct symbol_crate counted = crate_of(f, MAIN("CskXBZYaBucJ_6sample"));

    f->counted.are_all = true;
    crate_match_pair(&f->match, counted, crate_of(f, MAIN(BUILT)));
    add_code(f, MAIN(BUILT), 5, MAIN(BUILT));
    add_code(f, MAIN(OTHER), 7, MAIN(OTHER));
    join(f);
    assert_int_equal(f->sizes.items.items[first].size_bytes, 7);
    assert_int_equal(f->sizes.items.items[second].size_bytes, 5);
}

static void instances_are_told_apart_where_each_is_a_row(void **state)
{
    struct fixture *f = *state;
    uint32_t entry = INTERN_NONE;
    uint32_t string = INTERN_NONE;

    f->groups.by = GROUP_BY_FUNCTION;
    entry = count_function(f, DROP(CHECKED));
    string = count_function(f, DROP_BY_STD);
    f->counted.are_all = true;
    add_code(f, DROP(BUILT), 12, MAIN(BUILT));
    join(f);
    assert_int_not_equal(entry, string);
    assert_int_equal(f->sizes.items.items[entry].size_bytes, 12);
    assert_int_equal(f->sizes.items.items[string].size_bytes, 0);
}

static void legacy_names_tell_the_path_alone(void **state)
{
    struct fixture *f = *state;
    uint32_t main_group = count_function(f, MAIN(CHECKED));

    *vec_add(&f->counted.items) = crate_of(f, MAIN(CHECKED));
    *vec_add(&f->code.functions) = (struct sized_function){slice_of(LEGACY_MAIN), 9, {SLICE("sample"), 0}};
    f->code.total_bytes = 9;
    join(f);
    assert_int_equal(f->sizes.items.items[main_group].size_bytes, 9);
    assert_int_equal(f->sizes.items.items[main_group].inferred_bytes, 9);
    assert_int_equal(f->sizes.inferred_bytes, 9);
}

static void a_name_that_is_not_rusts_is_that_function_or_none(void **state)
{
    struct fixture *f = *state;
    uint32_t own = INTERN_NONE;

    f->groups.by = GROUP_BY_CRATE;
    own = count_function(f, MAIN(CHECKED));
    count_function(f, "main");
    count_function(f, PANIC_HANDLER);
    groups_end_unit(&f->groups, crate_of(f, MAIN(CHECKED)));
    *vec_add(&f->counted.items) = crate_of(f, MAIN(CHECKED));
    add_code(f, "main", 4, NULL);
    add_code(f, PANIC_HANDLER, 20, MAIN(BUILT));
    add_code(f, "memcpy", 100, NULL);
    join(f);
    assert_int_equal(f->sizes.items.items[own].size_bytes, 24);
    assert_int_equal(f->sizes.items.items[own].elsewhere_bytes, 0);
    assert_int_equal(f->sizes.other_bytes, 100);
}

static void code_is_read_from_a_file_to_the_last_byte(void **state)
{
    struct fixture *f = *state;
    struct error err = {0};
    uint64_t size_bytes = 0;

    assert_int_equal(code_sizes_read(FIXTURES "/elf/left", NULL, &f->code, &err), 0);
    for (size_t i = 0; i < f->code.functions.count; i++)
        size_bytes += f->code.functions.items[i].size_bytes;
    assert_int_equal(f->code.functions.count, 9);
    assert_int_equal(size_bytes, 56);
    assert_int_equal(size_bytes + f->code.padding_bytes + f->code.unnamed_bytes, f->code.total_bytes);
}

static void stds_own_copy_is_none_of_the_counted_crates(void **state)
{
    struct fixture *f = *state;
    uint32_t group = 0;

    for (int is_known = 0; is_known < 2; is_known++) {
        f->groups.by = GROUP_BY_CRATE;
        group = count_function(f, MAIN(CHECKED));
        *vec_add(&f->counted.items) = crate_of(f, MAIN(CHECKED));
        add_code(f, MAIN(BUILT), 9, MAIN(BUILT));
        add_code(f, MAIN(OTHER), 5, MAIN(OTHER));
        if (is_known)
            crate_match_set_std(&f->match, crate_of(f, MAIN(OTHER)));
        assert_int_equal(crate_match_is_std(&f->match, crate_of(f, MAIN(OTHER))), is_known);
        assert_false(crate_match_is_std(&f->match, crate_of(f, MAIN(BUILT))));
        join(f);
        assert_int_equal(f->sizes.items.items[group].size_bytes, is_known ? 9 : 14);
        assert_int_equal(f->sizes.inferred_bytes, is_known ? 0 : 14);
        groups_done(&f->groups);
        group_sizes_done(&f->sizes);
        f->sizes = (struct group_sizes){0};
        crate_match_done(&f->match);
        f->match = (struct crate_match){0};
        code_sizes_done(&f->code);
        f->code = (struct code_sizes){0};
    }
}

static void where_several_were_counted_stds_own_copy_is_none_either(void **state)
{
    struct fixture *f = *state;

    f->groups.by = GROUP_BY_CRATE;
    count_function(f, MAIN(CHECKED));
    count_function(f, MAIN("Csg_6sample"));
    *vec_add(&f->counted.items) = crate_of(f, MAIN(CHECKED));
    *vec_add(&f->counted.items) = crate_of(f, MAIN("Csg_6sample"));
    add_code(f, MAIN(OTHER), 5, MAIN(OTHER));
    crate_match_set_std(&f->match, crate_of(f, MAIN(OTHER)));
    join(f);
    assert_int_equal(f->sizes.size_bytes, 0);
    assert_int_equal(f->sizes.other_bytes, 5);
}

static void libraries_of_bitcode_and_stripped_files_are_refused(void **state)
{
    struct fixture *f = *state;
    struct error err = {0};

    assert_int_equal(code_sizes_read(FIXTURES "/elf/sample-stripped", NULL, &f->code, &err), -1);
    assert_int_equal(err.kind, ERROR_MISSING);
    assert_int_equal(code_sizes_read(FIXTURES "/elf/bitcode.rlib", NULL, &f->code, &err), -1);
    assert_int_equal(err.kind, ERROR_MISSING);
    assert_non_null(strstr(err.message, "holds LLVM bitcode for link-time optimisation, and no code yet"));
    assert_int_equal(f->code.functions.count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(whether_the_code_is_of_counted_crates_at_all_is_told_by_who_holds_it,
                                        setup, teardown),
        cmocka_unit_test_setup_teardown(copies_are_found_though_their_crate_has_another_number, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(copies_that_crates_hold_which_were_not_counted_stand_apart, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(of_two_crates_of_one_name_that_nothing_tells_apart_neither_is_guessed,
                                        setup, teardown),
        cmocka_unit_test_setup_teardown(copies_of_a_library_and_a_program_of_one_name_are_there_and_inferred,
                                        setup, teardown),
        cmocka_unit_test_setup_teardown(crates_that_are_known_to_be_one_are, setup, teardown),
        cmocka_unit_test_setup_teardown(instances_are_told_apart_where_each_is_a_row, setup, teardown),
        cmocka_unit_test_setup_teardown(legacy_names_tell_the_path_alone, setup, teardown),
        cmocka_unit_test_setup_teardown(a_name_that_is_not_rusts_is_that_function_or_none, setup, teardown),
        cmocka_unit_test_setup_teardown(code_is_read_from_a_file_to_the_last_byte, setup, teardown),
        cmocka_unit_test_setup_teardown(stds_own_copy_is_none_of_the_counted_crates, setup, teardown),
        cmocka_unit_test_setup_teardown(where_several_were_counted_stds_own_copy_is_none_either, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(libraries_of_bitcode_and_stripped_files_are_refused, setup, teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
