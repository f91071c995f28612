#include "cmocka_all.h"

#include "symbolize/symbolize.h"

static void assert_text(const struct profile *profile, uint32_t string, const char *expected)
{
    struct slice text = profile_text(profile, string);

    if (!slice_is(text, expected))
        fail_msg("\"%.*s\" instead of \"%s\"", SLICE_ARGUMENTS(text), expected);
}

static void assert_refused(struct slice build_id, const struct symbolize_request *request)
{
    const struct profile_location *location = NULL;
    const struct profile_function *function = NULL;
    struct profile profile;

    profile_init(&profile);
    profile_location(&profile, profile_add_module(&profile, MODULE_VDSO, SLICE("[vdso]"), build_id), 0x900);
    symbolize_profile(&profile, request);
    location = &profile.locations.items[0];
    assert_int_equal(location->frame_count, 1);
    function = &profile.functions.items[profile.frames.items[location->first_frame].function];
    assert_text(&profile, function->name, "[vdso]");
    assert_text(&profile, function->why_unnamed, "it is of another kernel than the one that runs here");
    profile_done(&profile);
}

static void that_of_another_kernel_gets_no_names_of_ours(void **state)
{
    (void)state;
    assert_refused(SLICE("another"), &(struct symbolize_request){0});
    assert_refused((struct slice){0}, &(struct symbolize_request){.is_of_other_kernel = true});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(that_of_another_kernel_gets_no_names_of_ours),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
