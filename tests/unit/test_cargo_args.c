#include "cmocka_all.h"

#include <stdlib.h>
#include <string.h>

#include "cargo_command.h"

struct fixture {
    struct arena arena;
    struct options options;
    struct cargo_selection selection;
    struct error err;
};

static int set_up(void **state)
{
    static struct fixture fixture;

    fixture = (struct fixture){0};
    *state = &fixture;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;

    cargo_selection_done(&f->selection);
    options_done(&f->options);
    arena_done(&f->arena);
    return 0;
}

static void read_line(struct fixture *f, const char *const *arguments)
{
    assert_int_equal(options_parse(&cargo_command, arguments, &f->options, &f->err), 0);
    cargo_selection_read(&f->arena, &f->options, &f->selection);
}

#define READ(...) read_line(f, (const char *const[]){__VA_ARGS__, NULL})

static void assert_words(const struct cargo_words *words, const char *expected)
{
    SCOPED(text_done) struct text joined = {0};

    for (size_t i = 0; i < words->items.count; i++)
        text_format(&joined, "%s%s", i ? " " : "", words->items.items[i]);
    assert_string_equal(text_string(&joined), expected);
}

static void cargo_gets_its_flags_in_the_order_typed_and_no_others(void **state)
{
    struct fixture *f = *state;
    SCOPED(cargo_words_done) struct cargo_words words = {0};

    READ("-rv", "--bin", "a", "-n", "3", "-p", "x@1", "-Fone,two", "--color=always", "-j2", "--all", "-Z",
         "y=z", "--config", "a.b='c d'", "--bin=-odd", "--target", "t", "--ignore-rust-version", "-v", "--",
         "--release");
    cargo_words_add_build(&f->arena, &f->options, &words);
    assert_words(&words,
                 "--release --verbose --bin=a --package=x@1 --features=one,two --color=always --jobs=2 "
                 "--workspace -Z=y=z --config=a.b='c d' --bin=-odd --target=t "
                 "--ignore-rust-version --verbose");
}

static void what_tells_cargo_what_to_build_is_known_by_its_name(void **state)
{
    struct fixture *f = *state;
    /* As of a command with tables of its own. */
    const struct option_spec features = {.name = "features"};
    const struct option_spec unit_test = {.name = "unit-test"};
    const struct option_spec top = {.name = "top"};

    assert_true(cargo_option_tells_what_to_build(&features));
    assert_true(cargo_option_tells_what_to_build(&unit_test));
    assert_false(cargo_option_tells_what_to_build(&top));
    READ("-v", "--color=always");
    assert_null(cargo_first_option(&f->options));
    tear_down(state);
    set_up(state);
    READ("-v", "--offline", "--bin", "a");
    assert_string_equal(cargo_first_option(&f->options)->name, "offline");
}

static void metadata_gets_only_what_it_takes(void **state)
{
    struct fixture *f = *state;
    SCOPED(cargo_words_done) struct cargo_words words = {0};

    READ("-r", "--manifest-path", "a/Cargo.toml", "--locked", "--offline", "--frozen", "--config=x", "-Zy",
         "-F", "a", "--ignore-rust-version", "--color", "never", "-q", "-p", "b");
    cargo_words_add_metadata(&f->arena, &f->options, &words);
    assert_words(&words,
                 "--manifest-path=a/Cargo.toml --locked --offline --frozen --config=x -Z=y --color=never");
}

static void the_selection_is_plain_data(void **state)
{
    struct fixture *f = *state;

    READ("-p", "a", "--package=b", "--exclude", "c", "--workspace", "--bin", "x", "--lib", "--examples",
         "--test=t", "--benches", "-F", "one, two", "--features", "a/three four", "--no-default-features",
         "--profile", "profiling", "--manifest-path", "m");
    assert_int_equal(f->selection.packages.count, 2);
    assert_string_equal(f->selection.packages.items[1], "b");
    assert_string_equal(f->selection.excluded.items[0], "c");
    assert_true(f->selection.workspace);
    assert_int_equal(f->selection.wishes.count, 5);
    assert_int_equal(f->selection.wishes.items[0].kind, CARGO_BIN);
    assert_string_equal(f->selection.wishes.items[0].name, "x");
    assert_int_equal(f->selection.wishes.items[1].kind, CARGO_LIB);
    assert_int_equal(f->selection.wishes.items[2].kind, CARGO_EXAMPLE);
    assert_null(f->selection.wishes.items[2].name);
    assert_int_equal(f->selection.wishes.items[3].kind, CARGO_TEST);
    assert_string_equal(f->selection.wishes.items[3].name, "t");
    assert_int_equal(f->selection.wishes.items[4].kind, CARGO_BENCH);
    assert_int_equal(f->selection.features.count, 4);
    assert_string_equal(f->selection.features.items[1], "two");
    assert_string_equal(f->selection.features.items[2], "a/three");
    assert_true(f->selection.no_default_features);
    assert_false(f->selection.all_features);
    assert_false(f->selection.asks_for_names);
    assert_string_equal(f->selection.profile, "profiling");
    assert_string_equal(f->selection.manifest_path, "m");
}

static void plurals_ask_for_no_names(void **state)
{
    struct fixture *f = *state;

    READ("--bins", "--lib", "--examples", "--tests", "--benches", "--all-targets");
    assert_int_equal(f->selection.wishes.count, 5);
    assert_false(f->selection.asks_for_names);
    assert_true(f->selection.all_targets);
}

static void without_options_it_is_the_dev_profile(void **state)
{
    struct fixture *f = *state;

    read_line(f, (const char *const[]){NULL});
    assert_string_equal(f->selection.profile, "dev");
    assert_int_equal(f->selection.wishes.count, 0);
    assert_null(f->selection.manifest_path);
}

static void a_missing_name_asks_cargo_for_the_names(void **state)
{
    static const char *const options[] = {"--bin", "--example", "--test", "--bench", "-p"};
    struct fixture *f = *state;

    for (size_t i = 0; i < ARRAY_COUNT(options); i++) {
        SCOPED(cargo_words_done) struct cargo_words words = {0};

        READ(options[i], "-r", "--all-features");
        assert_true(f->selection.asks_for_names);
        assert_true(f->selection.all_features);
        assert_string_equal(f->selection.profile, "release");
        cargo_words_add_build(&f->arena, &f->options, &words);
        assert_string_equal(words.items.items[0], i == 4 ? "--package" : options[i]);
        cargo_selection_done(&f->selection);
        options_done(&f->options);
    }
}

static void the_cargo_that_started_us_is_run(void **state)
{
    (void)state;
    setenv("CARGO", "/x/cargo", 1);
    assert_string_equal(cargo_program(), "/x/cargo");
    setenv("CARGO", "", 1);
    assert_string_equal(cargo_program(), "cargo");
    unsetenv("CARGO");
    assert_string_equal(cargo_program(), "cargo");
}

static void no_name_or_letter_is_used_twice(void **state)
{
    (void)state;
    for (const struct option_table *const *a = all_tables; *a; a++)
        for (size_t i = 0; i < (*a)->count; i++) {
            const struct option_spec *spec = &(*a)->specs[i];

            assert_ptr_equal(command_find_option(&cargo_command, spec->name), spec);
            for (const struct option_table *const *b = all_tables; *b; b++)
                for (size_t at = 0; at < (*b)->count; at++)
                    assert_true(&(*b)->specs[at] == spec || !spec->letter ||
                                (*b)->specs[at].letter != spec->letter);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(cargo_gets_its_flags_in_the_order_typed_and_no_others, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(what_tells_cargo_what_to_build_is_known_by_its_name, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(metadata_gets_only_what_it_takes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_selection_is_plain_data, set_up, tear_down),
        cmocka_unit_test_setup_teardown(plurals_ask_for_no_names, set_up, tear_down),
        cmocka_unit_test_setup_teardown(without_options_it_is_the_dev_profile, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_missing_name_asks_cargo_for_the_names, set_up, tear_down),
        cmocka_unit_test(the_cargo_that_started_us_is_run),
        cmocka_unit_test(no_name_or_letter_is_used_twice),
    };

    return cmocka_run_group_tests_name("cargo_args", tests, NULL, NULL);
}
