#include "cmocka_all.h"

#include "profile/profile.h"
#include "symbolize/versioned_crates.h"

#define INDEX "/home/u/.cargo/registry/src/index.crates.io-0123456789abcdef/"
#define OLD INDEX "dup-kind-0.4.8/src/lib.rs"
#define NEW INDEX "dup-kind-1.0.1/src/lib.rs"
#define OF_STD "/rust/deps/hashbrown-0.16.1/src/map.rs"
#define OF_APP INDEX "hashbrown-0.14.5/src/map.rs"

static int begin(void **state)
{
    static struct profile profile;

    profile_init(&profile);
    *state = &profile;
    return 0;
}

static int end(void **state)
{
    profile_done(*state);
    return 0;
}

/* A place in the code of that function, and its one frame. */
static uint32_t add_frame(struct profile *profile, enum category category, const char *crate,
                          const char *name, const char *file)
{
    uint32_t location = profile_location(profile, PROFILE_NONE, profile->locations.count + 1);
    struct profile_frame frame = {
        .function = profile_function(profile,
                                     (struct profile_function){
                                         .name = profile_string(profile, slice_of(name)),
                                         .crate = profile_string(profile, slice_of(crate)),
                                         .category = category,
                                     }),
        .file = profile_string(profile, slice_of(file)),
    };

    profile_set_frames(profile, location, &frame, 1);
    return location;
}

static const struct profile_function *function_of(const struct profile *profile, uint32_t location)
{
    const struct profile_frame *frame =
        &profile->frames.items[profile->locations.items[location].first_frame];

    return &profile->functions.items[frame->function];
}

static void assert_crate(const struct profile *profile, uint32_t location, const char *crate)
{
    struct slice found = profile_text(profile, function_of(profile, location)->crate);

    assert_true(slice_is(found, crate));
}

static void functions_of_two_versions_are_of_two_crates(void **state)
{
    struct profile *profile = *state;
    uint32_t old = add_frame(profile, CATEGORY_DEPENDENCY, "dup_kind", "dup_kind::same", OLD);
    uint32_t new = add_frame(profile, CATEGORY_DEPENDENCY, "dup_kind", "dup_kind::same", NEW);
    uint32_t again = add_frame(profile, CATEGORY_DEPENDENCY, "dup_kind", "dup_kind::same", OLD);
    uint32_t other = add_frame(profile, CATEGORY_DEPENDENCY, "other", "other::f", INDEX "other-1.0.0/a.rs");
    uint32_t foreign = add_frame(profile, CATEGORY_OTHER, "dup_kind", "c", OLD);

    versioned_crates_name(profile);
    assert_crate(profile, old, "dup_kind@0.4.8");
    assert_crate(profile, new, "dup_kind@1.0.1");
    assert_ptr_equal(function_of(profile, old), function_of(profile, again));
    assert_true(function_of(profile, old) != function_of(profile, new));
    assert_crate(profile, other, "other");
    assert_crate(profile, foreign, "dup_kind");
}

static void where_no_source_file_tells_what_else_is_known_of_the_function_does(void **state)
{
    struct profile *profile = *state;
    uint32_t blind = add_frame(profile, CATEGORY_DEPENDENCY, "dup_kind", "dup_kind::one", "");
    uint32_t lost = add_frame(profile, CATEGORY_DEPENDENCY, "dup_kind", "dup_kind::none", "");
    uint32_t mixed = add_frame(profile, CATEGORY_DEPENDENCY, "dup_kind", "dup_kind::both", "/ws/src/main.rs");

    add_frame(profile, CATEGORY_DEPENDENCY, "dup_kind", "dup_kind::one", OLD);
    add_frame(profile, CATEGORY_DEPENDENCY, "dup_kind", "dup_kind::both", OLD);
    add_frame(profile, CATEGORY_DEPENDENCY, "dup_kind", "dup_kind::both", NEW);
    versioned_crates_name(profile);
    assert_crate(profile, blind, "dup_kind@0.4.8");
    assert_crate(profile, lost, "dup_kind (version unknown)");
    assert_crate(profile, mixed, "dup_kind (version unknown)");
}

static void a_repository_tells_no_version(void **state)
{
    struct profile *profile = *state;
    uint32_t checked_out = add_frame(profile, CATEGORY_DEPENDENCY, "dup_kind", "dup_kind::same",
                                     "/home/u/.cargo/git/checkouts/dup-kind-0123456789abcdef/1a2b3c4/a.rs");

    add_frame(profile, CATEGORY_DEPENDENCY, "dup_kind", "dup_kind::same", OLD);
    versioned_crates_name(profile);
    assert_crate(profile, checked_out, "dup_kind");
}

static void one_version_is_not_told(void **state)
{
    struct profile *profile = *state;
    uint32_t only = add_frame(profile, CATEGORY_DEPENDENCY, "dup_kind", "dup_kind::same", OLD);

    add_frame(profile, CATEGORY_DEPENDENCY, "dup_kind", "dup_kind::none", "");
    versioned_crates_name(profile);
    assert_crate(profile, only, "dup_kind");
}

/* The category is that of whichever was met first, while they are one function. */
static void what_std_was_built_with_is_another_version_than_the_programs(void **state)
{
    struct profile *profile = *state;
    uint32_t of_std = add_frame(profile, CATEGORY_STD, "hashbrown", "hashbrown::f", OF_STD);
    uint32_t of_app = add_frame(profile, CATEGORY_DEPENDENCY, "hashbrown", "hashbrown::f", OF_APP);

    versioned_crates_name(profile);
    assert_crate(profile, of_std, "hashbrown@0.16.1");
    assert_int_equal(function_of(profile, of_std)->category, CATEGORY_STD);
    assert_crate(profile, of_app, "hashbrown@0.14.5");
    assert_int_equal(function_of(profile, of_app)->category, CATEGORY_DEPENDENCY);
}

static void what_comes_later_is_of_the_same_crates(void **state)
{
    struct profile *profile = *state;
    uint32_t old = add_frame(profile, CATEGORY_DEPENDENCY, "dup_kind", "dup_kind::same", OLD);
    uint32_t later = 0;

    add_frame(profile, CATEGORY_DEPENDENCY, "dup_kind", "dup_kind::same", NEW);
    versioned_crates_name(profile);
    later = add_frame(profile, CATEGORY_DEPENDENCY, "dup_kind", "dup_kind::same", OLD);
    versioned_crates_name(profile);
    assert_crate(profile, later, "dup_kind@0.4.8");
    assert_ptr_equal(function_of(profile, old), function_of(profile, later));
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
    const struct CMUnitTest tests[] = {
        TEST(functions_of_two_versions_are_of_two_crates),
        TEST(where_no_source_file_tells_what_else_is_known_of_the_function_does),
        TEST(a_repository_tells_no_version),
        TEST(one_version_is_not_told),
        TEST(what_std_was_built_with_is_another_version_than_the_programs),
        TEST(what_comes_later_is_of_the_same_crates),
    };
#undef TEST

    return cmocka_run_group_tests(tests, NULL, NULL);
}
