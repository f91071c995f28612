#include "cmocka_all.h"

#include "pprof_fixture.h"

static void several_lines_of_a_location_are_inlined_calls(void **state)
{
    struct pprof_fixture *f = *state;
    uint64_t inner =
        pprof_builder_function(&f->built, "core::cmp::min", NULL, "/rustc/0/library/core/src/cmp.rs");
    uint64_t outer =
        pprof_builder_function(&f->built, NULL, "_ZN3app4work17h0123456789abcdefE", "/app/src/main.rs");
    const uint64_t lines[] = {inner, 10, outer, 20, 0};
    const uint64_t locations[] = {pprof_builder_location(&f->built, 0, 0, lines),
                                  pprof_builder_call(&f->built, "main"), 0};

    pprof_builder_type(&f->built, "samples", "count");
    pprof_builder_sample(&f->built, locations, (const uint64_t[]){1}, 1);
    pprof_read_built(f);
    pprof_assert_stack(f, "main;app::work");
    pprof_assert_frame(f, 1, 0, "core::cmp::min", "/rustc/0/library/core/src/cmp.rs", 10);
    pprof_assert_frame(f, 1, 1, "app::work", "/app/src/main.rs", 20);
    assert_int_equal(f->profile.functions
                         .items[f->profile.frames.items[f->profile.locations.items[1].first_frame].function]
                         .category,
                     CATEGORY_STD);
}

static void a_linkage_name_of_rust_tells_more_than_the_name_beside_it(void **state)
{
    struct pprof_fixture *f = *state;
    const uint64_t lines[] = {pprof_builder_function(&f->built, "<T as app::Run>::run",
                                                     "_RNvXCs0_3appNtB2_4TaskNtB2_3Run3run", NULL),
                              1, 0};
    const uint64_t locations[] = {pprof_builder_location(&f->built, 0, 0, lines), 0};

    pprof_builder_type(&f->built, "samples", "count");
    pprof_builder_sample(&f->built, locations, (const uint64_t[]){1}, 1);
    pprof_read_built(f);
    pprof_assert_stack(f, "<app::Task as app::Run>::run");
}

static void names_of_other_languages_stay_as_they_are(void **state)
{
    struct pprof_fixture *f = *state;
    const uint64_t lines[] = {pprof_builder_function(&f->built, "foo::bar", "_ZN3foo3barEi", "/x/foo.cc"), 1,
                              0};
    const uint64_t locations[] = {pprof_builder_location(&f->built, 0, 0, lines),
                                  pprof_builder_call(&f->built, "main.(*T).Run"), 0};

    pprof_builder_type(&f->built, "samples", "count");
    pprof_builder_sample(&f->built, locations, (const uint64_t[]){1}, 1);
    pprof_read_built(f);
    pprof_assert_stack(f, "main.(*T).Run;foo::bar");
}

static void addresses_without_names_are_those_of_their_files(void **state)
{
    struct pprof_fixture *f = *state;
    const uint64_t none[] = {0};
    uint64_t library = pprof_builder_mapping(
        &f->built, (const uint64_t[]){0x7f0000001000, 0x7f0000002000, 0x3000}, "/none/libfoo.so", NULL);
    uint64_t own = pprof_builder_mapping(&f->built, (const uint64_t[]){0, 0x5000, 0}, "/none/app", NULL);
    const uint64_t locations[] = {pprof_builder_location(&f->built, library, 0x7f0000001234, none),
                                  pprof_builder_location(&f->built, own, 0x1234, none),
                                  pprof_builder_location(&f->built, 0, 0x99, none), 0};

    pprof_builder_type(&f->built, "samples", "count");
    pprof_builder_sample(&f->built, locations, (const uint64_t[]){1}, 1);
    pprof_read_built(f);
    pprof_assert_stack(f, "0x99;app+0x1234;libfoo.so+0x3234");
    assert_int_equal(f->profile.modules.items[0].kind, MODULE_EXECUTABLE);
    assert_int_equal(f->profile.modules.items[1].kind, MODULE_LIBRARY);
}

static void mappings_of_one_file_are_one_module_with_its_build_id(void **state)
{
    struct pprof_fixture *f = *state;
    const uint64_t none[] = {0};
    uint64_t text =
        pprof_builder_mapping(&f->built, (const uint64_t[]){0x1000, 0x2000, 0}, "/none/app", "0a1b2c3d");
    uint64_t more =
        pprof_builder_mapping(&f->built, (const uint64_t[]){0x3000, 0x4000, 0x2000}, "/none/app", "0a1b2c3d");
    const uint64_t locations[] = {pprof_builder_location(&f->built, text, 0x1001, none),
                                  pprof_builder_location(&f->built, more, 0x3001, none), 0};

    pprof_builder_type(&f->built, "samples", "count");
    pprof_builder_sample(&f->built, locations, (const uint64_t[]){1}, 1);
    pprof_read_built(f);
    assert_int_equal(f->profile.modules.count, 1);
    assert_true(slice_equal(profile_text(&f->profile, f->profile.modules.items[0].build_id),
                            SLICE("\x0a\x1b\x2c\x3d")));
    pprof_assert_stack(f, "app+0x2001;app+0x1");
}

static void labels_tell_threads(void **state)
{
    struct pprof_fixture *f = *state;
    uint64_t call = pprof_builder_call(&f->built, "a");

    pprof_builder_type(&f->built, "samples", "count");
    pprof_builder_labelled(&f->built, call, 1, "thread", "worker", 0);
    pprof_builder_labelled(&f->built, call, 2, "thread", "worker", 0);
    pprof_builder_labelled(&f->built, call, 4, "tid", NULL, 77);
    pprof_builder_labelled(&f->built, call, 32, "thread", NULL, 77);
    pprof_builder_labelled(&f->built, call, 8, "thread_id", "78", 0);
    pprof_builder_labelled(&f->built, call, 16, "bytes", NULL, 512);
    pprof_read_built(f);
    assert_int_equal(f->profile.threads.count, 4);
    assert_true(slice_is(profile_text(&f->profile, f->profile.threads.items[0].name), "worker"));
    assert_int_equal(f->profile.threads.items[1].tid, 77);
    assert_int_equal(f->profile.threads.items[2].tid, 78);
    assert_int_equal(f->profile.threads.items[3].tid, 0);
}

static void functions_that_are_to_be_dropped_are_so_below_the_first_other(void **state)
{
    struct pprof_fixture *f = *state;
    const uint64_t lines[] = {pprof_builder_function(&f->built, "tcmalloc::take", NULL, NULL),
                              1,
                              pprof_builder_function(&f->built, "operator new(unsigned long)", NULL, NULL),
                              2,
                              pprof_builder_function(&f->built, "app::work", NULL, NULL),
                              3,
                              0};
    const uint64_t locations[] = {
        pprof_builder_call(&f->built, "brk"), pprof_builder_location(&f->built, 0, 0, lines),
        pprof_builder_call(&f->built, "main"), pprof_builder_call(&f->built, "malloc_init"), 0};

    pprof_builder_type(&f->built, "samples", "count");
    pprof_builder_sample(&f->built, locations, (const uint64_t[]){1}, 1);
    pprof_put_number(&f->built.message, 7, pprof_builder_string(&f->built, "operator new|malloc.*|m.*n"));
    pprof_put_number(&f->built.message, 8, pprof_builder_string(&f->built, "main"));
    pprof_read_built(f);
    pprof_assert_stack(f, "malloc_init;main;app::work");
    assert_int_equal(f->profile.locations.items[2].frame_count, 1);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, pprof_set_up, pprof_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(several_lines_of_a_location_are_inlined_calls),
        TEST(a_linkage_name_of_rust_tells_more_than_the_name_beside_it),
        TEST(names_of_other_languages_stay_as_they_are),
        TEST(addresses_without_names_are_those_of_their_files),
        TEST(mappings_of_one_file_are_one_module_with_its_build_id),
        TEST(labels_tell_threads),
        TEST(functions_that_are_to_be_dropped_are_so_below_the_first_other),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
