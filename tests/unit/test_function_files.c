#include "emit/function_files.h"

#include <string.h>

#include "emit/firefox.h"
#include "profile_fixture.h"

static uint32_t place_of(struct profile_fixture *f, uint32_t module, uint64_t svma, const char *function,
                         const char *file)
{
    uint32_t location = profile_location(&f->profile, module, svma);
    struct profile_frame frame = {
        .function = profile_function(
            &f->profile, (struct profile_function){.name = profile_string(&f->profile, slice_of(function))}),
        .file = profile_string(&f->profile, slice_of(file)),
    };

    profile_set_frames(&f->profile, location, &frame, 1);
    return location;
}

static void assert_file(struct profile_fixture *f, const struct function_files *files, uint32_t location,
                        const char *expected)
{
    const struct profile_location *at = &f->profile.locations.items[location];
    uint32_t file = function_file(files, &f->profile.frames.items[at->first_frame], at->module);

    assert_true(slice_is(profile_text(&f->profile, file), expected));
}

static void a_place_without_a_file_has_that_of_its_function_in_its_module(void **state)
{
    struct profile_fixture *f = *state;
    SCOPED(function_files_done) struct function_files files = {0};
    uint32_t library = profile_add_module(&f->profile, MODULE_LIBRARY, SLICE("lib.so"), SLICE(""));
    uint32_t bare = place_of(f, 0, 0x10, "sift_up", "");
    uint32_t told = place_of(f, 0, 0x20, "sift_up", "heap.rs");
    uint32_t macro = place_of(f, 0, 0x30, "sift_up", "macros.rs");
    uint32_t other_function = place_of(f, 0, 0x40, "sift_down", "");
    uint32_t other_module = place_of(f, library, 0x10, "sift_up", "");

    function_files_init(&files, &f->profile);
    assert_file(f, &files, bare, "heap.rs");
    assert_file(f, &files, told, "heap.rs");
    assert_file(f, &files, macro, "macros.rs");
    assert_file(f, &files, other_function, "");
    assert_file(f, &files, other_module, "");
}

static void a_function_with_places_that_tell_no_line_is_one_to_firefox(void **state)
{
    struct profile_fixture *f = *state;
    SCOPED(text_done) struct text document = {0};

    profile_builder_add(&f->profile, 0, SLICE("own app app::main > bare std alloc alloc::sift_up"), 2);
    profile_builder_add(&f->profile, 0, SLICE("own app app::main > std alloc alloc::sift_up"), 3);
    profile_builder_finish(&f->profile);
    assert_int_equal(firefox_add(&document, &f->profile, 0, &f->err), 0);
    assert_non_null(strstr(text_string(&document), "\"funcTable\":{\"length\":2,"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_place_without_a_file_has_that_of_its_function_in_its_module,
                                        profile_fixture_set_up, profile_fixture_tear_down),
        cmocka_unit_test_setup_teardown(a_function_with_places_that_tell_no_line_is_one_to_firefox,
                                        profile_fixture_set_up, profile_fixture_tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
