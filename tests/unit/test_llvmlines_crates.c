#include "cmocka_all.h"

#include "ir/crates.h"

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

    crates_add_readable(crates, slice_of(key), slice_of(readable), CRATES_ALL, &label);
    assert_string_equal(text_string(&label), expected);
}

static void assert_std(const struct crates *crates, const char *key, const char *readable,
                       const char *expected)
{
    SCOPED(text_done) struct text label = {0};

    crates_add_readable(crates, slice_of(key), slice_of(readable), CRATES_OF_STD, &label);
    assert_string_equal(text_string(&label), expected);
    /* What tells the other crates of such a name leaves it alone. */
    assert_readable(crates, "std[3]::x", expected, expected);
}

static void a_crate_that_std_was_built_with_is_called_the_same_whatever_else_a_build_has(void **state)
{
    SCOPED(crates_done) struct crates crates = {.has_namesakes_of_std = true};

    (void)state;
    add(&crates, "app", 1, "0.1.0");
    assert_label(&crates, "hashbrown", 0xc0, "hashbrown@std");
    assert_label(&crates, "core", 0xc0, "core");
    add(&crates, "hashbrown", 0x15, "0.15.1");
    assert_label(&crates, "hashbrown", 0x15, "hashbrown");
    assert_label(&crates, "hashbrown", 0xc0, "hashbrown@std");
    assert_label(&crates, "gimli", 0xc0, "gimli@std");
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

static void of_files_std_s_copy_is_what_their_sources_show(void **state)
{
    SCOPED(crates_done) struct crates crates = {.is_partial = true};
    struct crate of_std = {.name = SLICE("hashbrown"),
                           .disambiguator = 0xc0,
                           .version = SLICE("0.16.1"),
                           .kind = SLICE("lib"),
                           .package = SLICE("hashbrown"),
                           .is_std = true};

    (void)state;
    crates_add(&crates, of_std);
    assert_std(&crates, "hashbrown[c0]::raw", "hashbrown::raw", "hashbrown@std::raw");
    assert_std(&crates, "hashbrown[15]::raw", "hashbrown::raw", "hashbrown::raw");
    assert_readable(&crates, "hashbrown[15]::raw", "hashbrown::raw", "hashbrown[15]::raw");
    add(&crates, "hashbrown", 0x15, "0.15.1");
    assert_label(&crates, "hashbrown", 0xc0, "hashbrown@std");
    assert_label(&crates, "hashbrown", 0x15, "hashbrown");
    add(&crates, "hashbrown", 0x14, "0.14.1");
    assert_label(&crates, "hashbrown", 0x15, "hashbrown@0.15.1");
    /* What nothing is known of is told from others by its hash. */
    assert_label(&crates, "syn", 0x15, "syn[15]");
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
    assert_readable(&crates, "syn[1]::f", "a@1.0.0-syn::f", "a@1.0.0-syn::f");
    assert_readable(&crates, "syn[1]::my_syn::syn", "syn::my_syn::syn", "syn@1.0.109::my_syn::syn");
    assert_readable(&crates, "", "", "");
}

static void of_what_people_read_stds_copies_alone_can_be_told(void **state)
{
    SCOPED(crates_done) struct crates crates = {.has_namesakes_of_std = true};

    (void)state;
    add(&crates, "syn", 1, "1.0.109");
    add(&crates, "syn", 2, "2.0.90");
    add(&crates, "hashbrown", 0x15, "0.15.1");
    assert_std(&crates, "hashbrown[c0]", "hashbrown", "hashbrown@std");
    assert_std(&crates, "hashbrown[15]", "hashbrown", "hashbrown");
    assert_std(&crates, "hashbrown[c0]::raw", "hashbrown::raw", "hashbrown@std::raw");
    assert_std(&crates, "<hashbrown[c0]::raw::<impl#1 core[2]::A>::f", "<hashbrown::raw::T as core::A>::f",
               "<hashbrown@std::raw::T as core::A>::f");
    assert_std(&crates, "syn[1]::f::<hashbrown[c0]::A>", "syn::f::<hashbrown::A>",
               "syn::f::<hashbrown@std::A>");
    /* Of both at once the key does not tell which is which. */
    assert_std(&crates, "hashbrown[c0]::f::<hashbrown[15]::A>", "hashbrown::f::<hashbrown::A>",
               "hashbrown::f::<hashbrown::A>");
    assert_std(&crates, "app[3]::hashbrown", "app::hashbrown", "app::hashbrown");
}

static void add_target(struct crates *crates, uint64_t hash, const char *kind, const char *package)
{
    crates_add(crates, (struct crate){.name = SLICE("sd"),
                                      .disambiguator = hash,
                                      .version = SLICE("1.1.0"),
                                      .kind = slice_of(kind),
                                      .package = slice_of(package)});
}

static void crates_of_one_name_and_version_are_told_by_package_then_by_target(void **state)
{
    SCOPED(crates_done) struct crates crates = {0};

    (void)state;
    add_target(&crates, 1, "lib", "sd");
    assert_label(&crates, "sd", 1, "sd");
    add_target(&crates, 2, "bin", "sd-cli");
    assert_label(&crates, "sd", 1, "sd (of sd)");
    assert_label(&crates, "sd", 2, "sd (of sd-cli)");
    add_target(&crates, 3, "bin", "sd");
    assert_label(&crates, "sd", 1, "sd (lib)");
    assert_label(&crates, "sd", 2, "sd (of sd-cli)");
    assert_label(&crates, "sd", 3, "sd (bin of sd)");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_crate_that_std_was_built_with_is_called_the_same_whatever_else_a_build_has),
        cmocka_unit_test(where_v0_is_stds_alone_a_crate_it_was_built_with_is_its_own_copy),
        cmocka_unit_test(of_files_std_s_copy_is_what_their_sources_show),
        cmocka_unit_test(crates_are_named_in_what_people_read),
        cmocka_unit_test(of_what_people_read_stds_copies_alone_can_be_told),
        cmocka_unit_test(crates_of_one_name_and_version_are_told_by_package_then_by_target),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
