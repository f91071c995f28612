#include "cmocka_all.h"

#include <stdlib.h>
#include <string.h>

#include "report/render.h"
#include "view/callers.h"
#include "view/dups.h"
#include "view/instances.h"

/* Units made by hand; the symbols of each must be added in order. */
struct fixture {
    struct measurement measurement;
    struct program program;
    struct rows rows;
    struct dups dups;
    struct text seen;
    struct error err;
};

static int setup(void **state)
{
    struct fixture *f = calloc(1, sizeof(*f));

    f->measurement.groups.by = GROUP_BY_GENERIC;
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *f = *state;

    program_done(&f->program);
    measure_done(&f->measurement);
    rows_done(&f->rows);
    dups_done(&f->dups);
    text_done(&f->seen);
    free(f);
    return 0;
}

static struct unit_counts *add_unit(struct fixture *f, const char *crate, bool is_own, const char *dependency)
{
    struct measured_unit unit = {.label = crate, .stem = slice_of(crate), .is_own = is_own};

    unit.crate.name = slice_of(crate);
    if (is_own)
        own_crates_add(&f->measurement.own, unit.crate);
    *vec_add(&f->measurement.units) = unit;
    for (; *dependency; dependency++)
        *vec_add(&f->measurement.units.items[f->measurement.units.count - 1].counts.dependencies) =
            (struct slice){dependency, 1};
    return &f->measurement.units.items[f->measurement.units.count - 1].counts;
}

static uint32_t find_symbol(struct unit_counts *counts, const char *symbol)
{
    for (uint32_t i = 0; i < counts->symbols.count; i++)
        if (slice_is(counts->symbols.items[i], symbol))
            return i;
    *vec_add(&counts->symbols) = slice_of(symbol);
    return (uint32_t)counts->symbols.count - 1;
}

/* A node that uses up to three others; NULL for fewer. */
static void add_node(struct fixture *f, struct unit_counts *counts, struct counted_node node,
                     const char *const names[4])
{
    node.symbol = find_symbol(counts, names[0]);
    node.first_use = counts->uses.count;
    for (size_t i = 1; i < 4 && names[i]; i++) {
        uint32_t use = find_symbol(counts, names[i]);

        *vec_add(&counts->uses) = use;
        node.use_count++;
    }
    *vec_add(&counts->nodes) = node;
    if (node.kind == COUNTED_FUNCTION)
        groups_add(&f->measurement.groups, &(struct ir_function){.symbol = slice_of(names[0]),
                                                                 .lines = node.lines,
                                                                 .switches = node.switches});
}

#define FUNCTION(f, counts, line_count, ...)                                                                 \
    add_node(f, counts, (struct counted_node){.kind = COUNTED_FUNCTION, .lines = (line_count)},              \
             (const char *const[4]){__VA_ARGS__})
#define OTHER(f, counts, its_kind, ...)                                                                      \
    add_node(f, counts, (struct counted_node){.kind = (its_kind)}, (const char *const[4]){__VA_ARGS__})

#define A_MAIN "_RNvC1a4main"
#define A_REST "_RNvC1a4rest"
#define B_USED "_RNvC1b4used"
#define B_IDLE "_RNvC1b4idle"
/* b::g for a type, asked for by a crate. */
#define B_G(type, crate) "_RINvC1b1g" type "EC1" crate
/* core::h for a type, asked for by a crate. */
#define CORE_H(type, crate) "_RINvC4core1h" type "EC1" crate
#define PANIC_HANDLER "_RNvCsfLfy6EI15iL_7___rustc17rust_begin_unwind"
#define VTABLE                                                                                               \
    "\x01"                                                                                                   \
    "0"

static const char *csv(struct fixture *f, struct rows *rows)
{
    text_clear(&f->seen);
    render_csv(&f->seen, rows);
    return text_string(&f->seen);
}

static const char *callers(struct fixture *f, const char *name)
{
    program_build(&f->measurement, &f->program);
    assert_int_equal(callers_fill(&f->program, name, &f->rows, &f->err), 0);
    return csv(f, &f->rows);
}

static void the_nearest_own_function_is_the_cause_of_each_copy(void **state)
{
    struct fixture *f = *state;
    struct unit_counts *a = add_unit(f, "a", true, "");

    FUNCTION(f, a, 1, A_MAIN, B_G("h", "a"), A_REST);
    FUNCTION(f, a, 1, A_REST, CORE_H("h", "a"));
    FUNCTION(f, a, 30, B_G("h", "a"), CORE_H("t", "a"));
    FUNCTION(f, a, 5, CORE_H("h", "a"), NULL);
    FUNCTION(f, a, 7, CORE_H("t", "a"), NULL);
    assert_string_equal(callers(f, "core::h"), "lines,copies,name,own,path\r\n"
                                               "7,1,a::main,yes,a::main > b::g > core::h\r\n"
                                               "5,1,a::rest,yes,a::rest > core::h\r\n");
}

static void a_way_goes_through_vtables_statics_and_other_units(void **state)
{
    struct fixture *f = *state;
    struct unit_counts *a = add_unit(f, "a", true, "");
    struct unit_counts *b = NULL;

    FUNCTION(f, a, 1, A_MAIN, VTABLE);
    OTHER(f, a, COUNTED_DATA, VTABLE, B_USED);
    b = add_unit(f, "b", false, "");
    OTHER(f, b, COUNTED_STATIC, "_RNvC1b4HOOK", CORE_H("h", "b"));
    FUNCTION(f, b, 1, B_USED, "_RNvC1b4HOOK");
    FUNCTION(f, b, 5, CORE_H("h", "b"), NULL);
    assert_string_equal(callers(f, "core::h"), "lines,copies,name,own,path\r\n"
                                               "5,1,a::main,yes,a::main > b::used > b::HOOK > core::h\r\n");
}

static void what_no_own_function_leads_to_is_told_apart(void **state)
{
    struct fixture *f = *state;
    struct unit_counts *b = NULL;

    FUNCTION(f, add_unit(f, "a", true, ""), 1, A_MAIN, NULL);
    b = add_unit(f, "b", false, "");
    FUNCTION(f, b, 1, B_IDLE, CORE_H("h", "b"));
    FUNCTION(f, b, 5, CORE_H("h", "b"), NULL);
    FUNCTION(f, b, 3, CORE_H("t", "b"), NULL);
    assert_string_equal(callers(f, "core::h"), "lines,copies,name,own,path\r\n"
                                               "5,1,b::idle,no,b::idle > core::h\r\n"
                                               "3,1,[nothing in the IR],no,[nothing in the IR]\r\n");
}

static void an_own_generic_is_not_its_own_cause(void **state)
{
    struct fixture *f = *state;
    struct unit_counts *a = add_unit(f, "a", true, "");

    FUNCTION(f, a, 1, A_MAIN, "_RINvC1a1ghEC1a");
    FUNCTION(f, a, 5, "_RINvC1a1ghEC1a", "_RINvC1a1gtEC1a");
    FUNCTION(f, a, 6, "_RINvC1a1gtEC1a", "_RINvC1a1ghEC1a");
    assert_string_equal(callers(f, "a::g"), "lines,copies,name,own,path\r\n"
                                            "11,2,a::main,yes,a::main > a::g (x2)\r\n");
}

static void a_name_that_is_not_rusts_is_of_the_crate_that_it_is_compiled_with(void **state)
{
    struct fixture *f = *state;
    struct unit_counts *a = add_unit(f, "a", true, "");

    FUNCTION(f, a, 1, "plain", CORE_H("h", "a"));
    FUNCTION(f, a, 1, PANIC_HANDLER, CORE_H("t", "a"));
    FUNCTION(f, a, 5, CORE_H("h", "a"), NULL);
    FUNCTION(f, a, 4, CORE_H("t", "a"), NULL);
    assert_string_equal(callers(f, "core::h"),
                        "lines,copies,name,own,path\r\n"
                        "5,1,plain,yes,plain > core::h\r\n"
                        "4,1,__rustc::rust_begin_unwind,yes,__rustc::rust_begin_unwind > core::h\r\n");
}

static void the_last_parts_of_a_name_are_enough(void **state)
{
    struct fixture *f = *state;
    const bool *is_meant = NULL;
    struct unit_counts *a = add_unit(f, "a", true, "");

    FUNCTION(f, a, 1, "_RNvNtC1a1m4main", NULL);
    FUNCTION(f, a, 1, A_MAIN, NULL);
    FUNCTION(f, a, 1, "_RNvC1a6domain", NULL);
    program_build(&f->measurement, &f->program);
    assert_int_equal(program_find_groups(&f->program, "main", &is_meant, &f->err), 0);
    assert_true(is_meant[0] && is_meant[1] && !is_meant[2]);
    assert_int_equal(program_find_groups(&f->program, "a::main", &is_meant, &f->err), 0);
    assert_true(!is_meant[0] && is_meant[1]);
    assert_int_equal(program_find_groups(&f->program, "ain", &is_meant, &f->err), -1);
    assert_int_equal(f->err.kind, ERROR_MISSING);
    assert_string_equal(f->err.message, "no function is called \"ain\"");
    assert_non_null(strstr(f->err.hint, "-n 0 alone shows all names"));
}

static void what_std_was_built_with_is_meant_without_saying_so_too(void **state)
{
    struct fixture *f = *state;
    const bool *is_meant = NULL;
    struct unit_counts *a = add_unit(f, "a", true, "");

    f->measurement.crates.has_namesakes_of_std = true;
    FUNCTION(f, a, 1, "_RNvNtCs1_9hashbrown3raw4find", NULL);
    FUNCTION(f, a, 1, A_MAIN, NULL);
    program_build(&f->measurement, &f->program);
    assert_true(slice_is(f->program.labels[0], "hashbrown@std::raw::find"));
    assert_int_equal(program_find_groups(&f->program, "hashbrown::raw::find", &is_meant, &f->err), 0);
    assert_true(is_meant[0] && !is_meant[1]);
    assert_int_equal(program_find_groups(&f->program, "hashbrown@std::raw::find", &is_meant, &f->err), 0);
    assert_int_equal(program_find_groups(&f->program, "hashbrown::raw", &is_meant, &f->err), -1);
    assert_int_equal(program_find_groups(&f->program, "hash", &is_meant, &f->err), -1);
}

static void a_name_means_all_impls_that_have_it(void **state)
{
    struct fixture *f = *state;
    const bool *is_meant = NULL;
    struct unit_counts *a = add_unit(f, "a", true, "");

    FUNCTION(f, a, 1, "_RNvXs_C1aRhNtC1a1T1f", NULL);
    FUNCTION(f, a, 1, "_RNvXs0_C1amNtC1a1T1f", NULL);
    FUNCTION(f, a, 1, "_RNvC1a1g", NULL);
    program_build(&f->measurement, &f->program);
    assert_int_equal(program_find_groups(&f->program, "f", &is_meant, &f->err), 0);
    assert_true(is_meant[0] && is_meant[1] && !is_meant[2]);
    assert_int_equal(program_find_groups(&f->program, "<_ as a::T>::f", &is_meant, &f->err), 0);
    assert_true(is_meant[0] && is_meant[1] && !is_meant[2]);
    assert_int_equal(program_find_groups(&f->program, "<_ as a::T>::f (impl#2 for u32)", &is_meant, &f->err),
                     0);
    assert_true(!is_meant[0] && is_meant[1] && !is_meant[2]);
}

static void a_name_may_be_typed_as_cargo_llvm_lines_writes_it(void **state)
{
    struct fixture *f = *state;
    const bool *is_meant = NULL;
    struct unit_counts *a = add_unit(f, "a", true, "");

    FUNCTION(f, a, 1, "_RNvMNtC5alloc3vecINtB2_3VechE4push", NULL);
    FUNCTION(f, a, 1, "_RNvXNtC5alloc3vecINtB2_3VechENtNtC4core3ops4Drop4drop", NULL);
    FUNCTION(f, a, 1, "_RNCNvC1a1f0", NULL);
    FUNCTION(f, a, 1, "_RNvXs_NtC4core3opsRhNtB4_4Drop4drop", NULL);
    program_build(&f->measurement, &f->program);
    assert_int_equal(program_find_groups(&f->program, "alloc::vec::Vec<T,A>::push", &is_meant, &f->err), 0);
    assert_true(is_meant[0] && !is_meant[1] && !is_meant[2]);
    assert_int_equal(program_find_groups(&f->program, "Vec<T>::push", &is_meant, &f->err), 0);
    assert_true(is_meant[0] && !is_meant[1] && !is_meant[2]);
    assert_int_equal(program_find_groups(&f->program, "<alloc::vec::Vec<T,A> as core::ops::Drop>::drop",
                                         &is_meant, &f->err),
                     0);
    assert_true(!is_meant[0] && is_meant[1] && !is_meant[2]);
    assert_int_equal(program_find_groups(&f->program, "a::f::{{closure}}", &is_meant, &f->err), 0);
    assert_true(!is_meant[0] && !is_meant[1] && is_meant[2]);
    /* One copy, of which the others would be shown too. */
    assert_int_equal(program_find_groups(&f->program, "alloc::vec::Vec<u8>::push", &is_meant, &f->err), -1);
    assert_int_equal(program_find_groups(&f->program, "push::<u8>", &is_meant, &f->err), -1);
    assert_int_equal(program_find_groups(&f->program, "<&T as core::ops::Drop>::drop", &is_meant, &f->err),
                     -1);
    assert_int_equal(program_find_groups(&f->program, "<<<", &is_meant, &f->err), -1);
}

static void drop_glue_is_meant_by_either_of_its_names(void **state)
{
    struct fixture *f = *state;
    const bool *is_meant = NULL;
    struct unit_counts *a = add_unit(f, "a", true, "");

    FUNCTION(f, a, 1, "_RINvNtC4core3ptr9drop_gluehE", NULL);
    FUNCTION(f, a, 1, "_RNvC1a1g", NULL);
    program_build(&f->measurement, &f->program);
    assert_int_equal(program_find_groups(&f->program, "drop_in_place", &is_meant, &f->err), 0);
    assert_true(is_meant[0] && !is_meant[1]);
    assert_int_equal(program_find_groups(&f->program, "drop_glue", &is_meant, &f->err), 0);
    assert_true(is_meant[0] && !is_meant[1]);
}

static void each_copy_is_listed_with_what_it_was_made_for(void **state)
{
    struct fixture *f = *state;
    struct unit_counts *a = add_unit(f, "a", true, "");

    FUNCTION(f, a, 1, A_MAIN, NULL);
    add_node(f, a, (struct counted_node){.lines = 5, .switches = 1, .inlining = IR_INLINE_HINT},
             (const char *const[4]){CORE_H("h", "a")});
    FUNCTION(f, a, 7, CORE_H("te", "a"), NULL);
    FUNCTION(f, add_unit(f, "b", false, ""), 5, CORE_H("h", "b"), NULL);
    program_build(&f->measurement, &f->program);
    assert_int_equal(instances_list(&f->program, "core::h", &f->rows, &f->err), 0);
    assert_string_equal(csv(f, &f->rows), "lines,inline,target,name,types\r\n"
                                          "7,,a,core::h,\"u16, str\"\r\n"
                                          "5,,b,core::h,u8\r\n"
                                          "5,inline,a,core::h,u8\r\n");
    f->measurement.groups.counts_instructions = true;
    assert_int_equal(program_lines(&f->program, 1), 4);
}

static const char *dups(struct fixture *f)
{
    program_build(&f->measurement, &f->program);
    dups_fill(&f->program, &f->dups);
    return csv(f, &f->dups.groups);
}

static void the_unit_that_all_others_depend_on_could_have_the_only_copy(void **state)
{
    struct fixture *f = *state;

    FUNCTION(f, add_unit(f, "a", true, "c"), 5, B_G("h", "a"), NULL);
    FUNCTION(f, add_unit(f, "b", false, ""), 6, B_G("h", "b"), NULL);
    FUNCTION(f, add_unit(f, "c", false, "b"), 7, B_G("h", "c"), NULL);
    assert_string_equal(dups(f), "extra-lines,extra-copies,owner,name\r\n12,2,b,b::g\r\n");
    assert_string_equal(csv(f, &f->dups.crates), "extra-lines,extra-copies,target\r\n7,1,c\r\n5,1,a\r\n");
}

static void a_crate_that_the_name_shows_could_have_it_without_having_it_now(void **state)
{
    struct fixture *f = *state;

    FUNCTION(f, add_unit(f, "a", true, "b"), 5, B_G("h", "a"), NULL);
    FUNCTION(f, add_unit(f, "b", false, ""), 1, B_USED, NULL);
    FUNCTION(f, add_unit(f, "c", false, "b"), 7, B_G("h", "c"), NULL);
    assert_string_equal(dups(f), "extra-lines,extra-copies,owner,name\r\n5,1,b,b::g\r\n");
}

static void a_unit_that_does_not_know_all_types_could_not_have_it(void **state)
{
    struct fixture *f = *state;

    /* b::g for a type of c, which b does not know; c knows b, and all have it from c. */
    FUNCTION(f, add_unit(f, "a", true, "c"), 5, B_G("NtC1c1T", "a"), NULL);
    FUNCTION(f, add_unit(f, "b", false, ""), 1, B_USED, NULL);
    FUNCTION(f, add_unit(f, "c", false, "b"), 1, "_RNvC1c1f", NULL);
    FUNCTION(f, add_unit(f, "d", false, "c"), 5, B_G("NtC1c1T", "d"), NULL);
    assert_string_equal(dups(f), "extra-lines,extra-copies,owner,name\r\n5,1,c,b::g\r\n");
}

static void nobody_could_have_what_strangers_asked_for(void **state)
{
    struct fixture *f = *state;

    FUNCTION(f, add_unit(f, "a", true, ""), 5, CORE_H("h", "a"), NULL);
    FUNCTION(f, add_unit(f, "b", false, ""), 8, CORE_H("h", "b"), NULL);
    FUNCTION(f, &f->measurement.units.items[1].counts, 8, CORE_H("t", "b"), NULL);
    assert_string_equal(dups(f), "extra-lines,extra-copies,owner,name\r\n5,1,,core::h\r\n");
    assert_string_equal(csv(f, &f->dups.crates), "extra-lines,extra-copies,target\r\n5,1,a\r\n");
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(the_nearest_own_function_is_the_cause_of_each_copy),
        CASE(a_way_goes_through_vtables_statics_and_other_units),
        CASE(what_no_own_function_leads_to_is_told_apart),
        CASE(an_own_generic_is_not_its_own_cause),
        CASE(a_name_that_is_not_rusts_is_of_the_crate_that_it_is_compiled_with),
        CASE(the_last_parts_of_a_name_are_enough),
        CASE(what_std_was_built_with_is_meant_without_saying_so_too),
        CASE(a_name_means_all_impls_that_have_it),
        CASE(a_name_may_be_typed_as_cargo_llvm_lines_writes_it),
        CASE(drop_glue_is_meant_by_either_of_its_names),
        CASE(each_copy_is_listed_with_what_it_was_made_for),
        CASE(the_unit_that_all_others_depend_on_could_have_the_only_copy),
        CASE(a_crate_that_the_name_shows_could_have_it_without_having_it_now),
        CASE(a_unit_that_does_not_know_all_types_could_not_have_it),
        CASE(nobody_could_have_what_strangers_asked_for),
    };

    return cmocka_run_group_tests_name("program", tests, NULL, NULL);
}
