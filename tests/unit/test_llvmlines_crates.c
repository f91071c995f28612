#include "cmocka_all.h"

#include "crates.h"

static void add(struct crates *crates, const char *name, uint64_t hash, const char *version)
{
    crates_add(crates, (struct crate){.name = slice_of(name),
                                      .disambiguator = hash,
                                      .version = slice_of(version),
                                      .kind = SLICE("lib"),
                                      .package = slice_of(name)});
}

static void assert_label(const struct crates *crates, const char *name, uint64_t hash, const char *expected)
{
    SCOPED(text_done) struct text label = {0};

    crates_add_label(crates, slice_of(name), hash, &label);
    assert_string_equal(text_string(&label), expected);
}

static void assert_readable(const struct crates *crates, const char *key, const char *readable,
                            const char *expected)
{
    SCOPED(text_done) struct text label = {0};

    crates_add_readable(crates, slice_of(key), slice_of(readable), &label);
    assert_string_equal(text_string(&label), expected);
}

static void a_crate_that_the_build_has_and_std_has_too_is_told_from_stds(void **state)
{
    SCOPED(crates_done) struct crates crates = {0};

    (void)state;
    add(&crates, "app", 1, "0.1.0");
    add(&crates, "hashbrown", 0x15, "0.15.1");
    assert_label(&crates, "hashbrown", 0x15, "hashbrown");
    assert_label(&crates, "hashbrown", 0xc0, "hashbrown@std");
    assert_label(&crates, "gimli", 0xc0, "gimli");
    /* What std has not is of another build. */
    assert_label(&crates, "app", 0xc0, "app[c0]");
    /* One that is not known may be that one. */
    add(&crates, "hashbrown", 0, "0.14.0");
    assert_label(&crates, "hashbrown", 0xc0, "hashbrown[c0]");
}

static void where_v0_is_stds_alone_a_crate_it_was_built_with_is_its_own_copy(void **state)
{
    struct crates crates = {.is_std_v0 = true};

    (void)state;
    assert_label(&crates, "hashbrown", 0xc0, "hashbrown@std");
    assert_label(&crates, "hashbrown", 0, "hashbrown");
    assert_label(&crates, "app", 0xc0, "app[c0]");
}

static void crates_are_named_in_what_people_read(void **state)
{
    SCOPED(crates_done) struct crates crates = {0};

    (void)state;
    add(&crates, "syn", 1, "1.0.109");
    add(&crates, "syn", 2, "2.0.90");
    assert_readable(&crates, "syn[2]::parse::<impl#3>::run", "<syn::parse::Stream as app::syn::Run>::run",
                    "<syn@2.0.90::parse::Stream as app::syn::Run>::run");
    assert_readable(&crates, "<syn[1]::A as syn[2]::B>::run", "<syn::A as syn::B>::run",
                    "<syn::A as syn::B>::run");
    assert_readable(&crates, "syn[1]::my_syn::syn", "syn::my_syn::syn", "syn@1.0.109::my_syn::syn");
    assert_readable(&crates, "", "", "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_crate_that_the_build_has_and_std_has_too_is_told_from_stds),
        cmocka_unit_test(where_v0_is_stds_alone_a_crate_it_was_built_with_is_its_own_copy),
        cmocka_unit_test(crates_are_named_in_what_people_read),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
