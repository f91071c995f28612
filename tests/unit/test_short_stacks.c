/* Which stacks by frame pointers are whole though they have a call or two. */
#include "cmocka_all.h"

#include "facts/short_stacks.h"
#include "profile_builder.h"

enum { KINDS = 4 };

/* Where the calls are, by the letter that tells it. */
struct fixture {
    struct profile profile;
    uint32_t modules[KINDS];
};

static const char letters[] = "plrk";

static int begin(void **state)
{
    static const struct {
        enum module_kind kind;
        const char *path;
    } modules[KINDS] = {{MODULE_EXECUTABLE, "/bin/program"},
                        {MODULE_LIBRARY, "/lib/libc.so.6"},
                        {MODULE_LIBRARY, "/lib/libregex.so"},
                        {MODULE_KERNEL, "[kernel]"}};
    static struct fixture fixture;

    fixture = (struct fixture){0};
    profile_builder_init(&fixture.profile);
    for (size_t i = 0; i < KINDS; i++)
        fixture.modules[i] =
            profile_add_module(&fixture.profile, modules[i].kind, slice_of(modules[i].path), SLICE(""));
    *state = &fixture;
    return 0;
}

static int end(void **state)
{
    struct fixture *f = *state;

    profile_done(&f->profile);
    return 0;
}

/* A call "l:name", in the C library. A path is Rust's. */
static uint32_t location_of(struct fixture *f, struct slice call)
{
    struct profile *profile = &f->profile;
    size_t kind = slice_find_byte(slice_of(letters), call.data[0]);
    struct slice name = slice_range(call, 2, call.length);
    bool is_rust = slice_find(name, SLICE("::")) < name.length;
    struct profile_function function = {.name = profile_string(profile, name),
                                        .category = is_rust ? CATEGORY_OWN : CATEGORY_OTHER};
    struct profile_frame frame = {.function = profile_function(profile, function)};
    uint32_t location = profile_location(profile, f->modules[kind], frame.function);

    if (profile->locations.items[location].frame_count == 0)
        profile_set_frames(profile, location, &frame, 1);
    return location;
}

/* Whether a sample with these calls, from the outermost in, is counted, and as a short one. */
static struct short_stacks count_of(const char *calls)
{
    struct fixture *f = NULL;
    void *state = NULL;
    uint32_t stack = PROFILE_NONE;
    struct slice rest = slice_of(calls);
    struct short_stacks counts;

    begin(&state);
    f = state;
    while (rest.length > 0) {
        size_t length = slice_find_byte(rest, ' ');

        stack = profile_stack(&f->profile, stack, location_of(f, slice_range(rest, 0, length)));
        rest = slice_range(rest, length + 1, rest.length);
    }
    profile_add_sample(&f->profile, 0, (struct profile_sample){.value = 1, .stack = stack});
    profile_builder_finish(&f->profile);
    counts = short_stacks_count(&f->profile, &f->profile.series.items[0]);
    end(&state);
    return counts;
}

static void assert_short(const char *calls)
{
    struct short_stacks counts = count_of(calls);

    assert_int_equal(counts.program_count, 1);
    assert_int_equal(counts.short_count, 1);
}

static void assert_long(const char *calls)
{
    struct short_stacks counts = count_of(calls);

    assert_int_equal(counts.program_count, 1);
    assert_int_equal(counts.short_count, 0);
}

static void one_or_two_calls_are_short_and_more_are_not(void **state)
{
    (void)state;
    assert_short("p:leaf");
    assert_short("p:parse p:leaf");
    assert_short("p:parse p:leaf k:fault k:handle");
    assert_long("p:load p:parse p:leaf");
}

static void what_the_c_library_calls_is_whole(void **state)
{
    (void)state;
    assert_long("l:__libc_start_call_main p:main");
    assert_long("l:0x1507 p:main k:fault");
    assert_short("r:match p:callback");
    assert_short("l:strlen");
    assert_short("l:qsort l:memcpy");
}

static void what_starts_programs_and_threads_is_known_by_its_name_too(void **state)
{
    (void)state;
    assert_long("p:start_thread p:work");
    assert_long("p:libc_start_main_stage2 p:main");
    assert_short("p:_start");
    assert_short("p:work p:start_thread");
}

static void of_rust_nothing_but_one_function_starts_threads(void **state)
{
    (void)state;
    assert_short("l:start_thread p:app::chunk");
    assert_short("p:start_thread p:app::chunk");
    assert_long("l:start_thread p:std::sys::thread::unix::Thread::new::thread_start");
}

static void those_without_calls_of_the_program_do_not_count(void **state)
{
    (void)state;
    assert_int_equal(count_of("k:kthread k:worker").program_count, 0);
    assert_int_equal(count_of("").program_count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_or_two_calls_are_short_and_more_are_not),
        cmocka_unit_test(what_the_c_library_calls_is_whole),
        cmocka_unit_test(what_starts_programs_and_threads_is_known_by_its_name_too),
        cmocka_unit_test(of_rust_nothing_but_one_function_starts_threads),
        cmocka_unit_test(those_without_calls_of_the_program_do_not_count),
    };

    return cmocka_run_group_tests_name("short_stacks", tests, NULL, NULL);
}
