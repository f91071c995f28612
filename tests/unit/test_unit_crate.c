#include "cmocka_all.h"

#include "counts/unit_crate.h"

/* core::h, asked for by app with the number 1; app::f; the same of a crate "dep". */
#define INSTANCE_OF_APP "_RINvC4core1hhECs0_3app"
#define APP "_RNvCs4_3app1f"
#define DEP "_RNvC3dep1f"
#define LEGACY "_ZN4core3fmt5write17h0123456789abcdefE"
#define LEGACY_APP "_ZN3app1f17h0123456789abcdefE"

static void assert_crate(struct symbol_crate told, const char *const *symbols, const char *name,
                         uint64_t disambiguator)
{
    SCOPED(arena_done) struct arena arena = {0};
    struct unit_counts counts = {.crate_name = told.name, .crate_disambiguator = told.disambiguator};
    struct symbol_crate crate;

    for (; *symbols; symbols++) {
        *vec_add(&counts.nodes) = (struct counted_node){.symbol = (uint32_t)counts.symbols.count};
        *vec_add(&counts.symbols) = slice_of(*symbols);
    }
    /* What is no function is no matter. */
    *vec_add(&counts.nodes) =
        (struct counted_node){.symbol = (uint32_t)counts.symbols.count, .kind = COUNTED_STATIC};
    *vec_add(&counts.symbols) = SLICE("_RNvC5other1S");
    crate = unit_crate_of_counts(&arena, &counts);
    unit_counts_done(&counts);
    assert_true(slice_is(crate.name, name));
    assert_true(crate.disambiguator == disambiguator);
}

#define SYMBOLS(...)                                                                                         \
    (const char *const[])                                                                                    \
    {                                                                                                        \
        __VA_ARGS__, NULL                                                                                    \
    }

static const struct symbol_crate nothing = {0};
static const struct symbol_crate app = {SLICE("app"), 0};
static const struct symbol_crate app_9 = {SLICE("app"), 9};

static void what_was_instantiated_says_which_it_is(void **state)
{
    (void)state;
    assert_crate(nothing, SYMBOLS(DEP, APP, INSTANCE_OF_APP), "app", 2);
    assert_crate(app_9, SYMBOLS(APP, INSTANCE_OF_APP), "app", 2);
    assert_crate((struct symbol_crate){SLICE("dep"), 9}, SYMBOLS(INSTANCE_OF_APP), "dep", 9);
}

static void else_what_it_defines_is_a_guess_of_the_name_that_the_ir_tells(void **state)
{
    (void)state;
    assert_crate(nothing, SYMBOLS("_RNvC4core1f", DEP, APP), "dep", 0);
    assert_crate(app, SYMBOLS(DEP, APP), "app", 6);
}

static void without_either_the_ir_tells_which_it_is(void **state)
{
    (void)state;
    assert_crate(app_9, SYMBOLS("main"), "app", 9);
    assert_crate(app_9, SYMBOLS(DEP), "app", 9);
    assert_crate(app_9, SYMBOLS(APP), "app", 9);
    assert_crate(app, SYMBOLS("main"), "app", 0);
    assert_crate(nothing, SYMBOLS("main"), "", 0);
}

static void legacy_names_have_no_disambiguator_to_be_met_by(void **state)
{
    (void)state;
    assert_crate(app_9, SYMBOLS(LEGACY), "app", 0);
    assert_crate(app_9, SYMBOLS(LEGACY, LEGACY_APP), "app", 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_instantiated_says_which_it_is),
        cmocka_unit_test(else_what_it_defines_is_a_guess_of_the_name_that_the_ir_tells),
        cmocka_unit_test(without_either_the_ir_tells_which_it_is),
        cmocka_unit_test(legacy_names_have_no_disambiguator_to_be_met_by),
    };

    return cmocka_run_group_tests_name("unit_crate", tests, NULL, NULL);
}
