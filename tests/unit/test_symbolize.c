#include "cmocka_all.h"

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <unistd.h>

#include "base/file.h"
#include "elf/image.h"
#include "profile/totals.h"
#include "symbolize/module_symbols.h"
#include "symbolize/names.h"
#include "symbolize/symbolize.h"

struct fixture {
    struct profile profile;
    struct symbolize_request request;
    char kernel_list[64];
};

static int set_up(void **state)
{
    static struct fixture fixture;

    fixture = (struct fixture){0};
    profile_init(&fixture.profile);
    *state = &fixture;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;

    profile_done(&f->profile);
    if (f->kernel_list[0])
        unlink(f->kernel_list);
    return 0;
}

static uint32_t add_module(struct fixture *f, const char *path)
{
    return profile_add_module(&f->profile, MODULE_EXECUTABLE, slice_of(path), SLICE(""));
}

static const struct profile_frame *frame_of(struct fixture *f, uint32_t location, uint32_t index)
{
    const struct profile_location *of = &f->profile.locations.items[location];

    assert_true(index < of->frame_count);
    return &f->profile.frames.items[of->first_frame + index];
}

static const struct profile_function *function_at(struct fixture *f, uint32_t location)
{
    return &f->profile.functions.items[frame_of(f, location, 0)->function];
}

static void assert_text(struct fixture *f, uint32_t string, const char *expected)
{
    struct slice text = profile_text(&f->profile, string);

    if (!slice_is(text, expected))
        fail_msg("\"%.*s\" instead of \"%s\"", SLICE_ARGUMENTS(text), expected);
}

/* What the place at `svma` of the file is found to be. */
static void assert_found_in(struct fixture *f, const char *path, uint64_t svma, const char *name,
                            const char *crate, enum category category)
{
    uint32_t module = add_module(f, path);
    uint32_t location = profile_location(&f->profile, module, svma);
    const struct profile_function *function = NULL;

    symbolize_profile(&f->profile, &f->request);
    function = function_at(f, location);
    assert_text(f, function->name, name);
    assert_text(f, function->crate, crate);
    assert_int_equal(function->category, category);
    assert_int_equal(function->why_unnamed, PROFILE_NO_STRING);
}

/* Of the sample program. */
static void assert_found(struct fixture *f, uint64_t svma, const char *name, const char *crate,
                         enum category category)
{
    assert_found_in(f, FIXTURES "/elf/sample", svma, name, crate, category);
}

static void code_is_named_by_the_symbol_that_covers_it(void **state)
{
    struct fixture *f = *state;
    struct intern own = {0};

    intern_add(&own, SLICE("sample"));
    f->request.own_crates = &own;
    assert_found(f, 0x4000d0, "sample::main", "sample", CATEGORY_OWN);
    assert_found(f, 0x4004b7, "sample::main", "sample", CATEGORY_OWN);
    assert_found(f, 0x400820, "sample::parse", "sample", CATEGORY_OWN);
    assert_found(f, 0x400ba0, "std::io::stdio", "std", CATEGORY_STD);
    assert_found(f, 0x4007e0, "serde::de::Error::custom", "serde", CATEGORY_DEPENDENCY);
    assert_found(f, 0x400760, "alloc::raw_vec::RawVec<T,A>::grow_one", "alloc", CATEGORY_STD);
    assert_found(f, 0x400c00, "compress_block", "sample (C)", CATEGORY_OTHER);
    intern_done(&own);
}

static void of_two_names_at_one_address_the_plainer_is_shown(void **state)
{
    assert_found(*state, 0x400de5, "memcpy", "sample", CATEGORY_OTHER);
}

static void a_crate_that_std_is_built_with_is_the_programs_when_it_was_built_for_it(void **state)
{
    struct fixture *f = *state;
    struct intern program = {0};

    f->request.program_crates = &program;
    assert_found(f, 0x4007e0, "serde::de::Error::custom", "serde", CATEGORY_DEPENDENCY);
    assert_found(f, 0x400a20, "<hashbrown::Map>::get::<i32>", "hashbrown", CATEGORY_STD);
    profile_done(&f->profile);
    profile_init(&f->profile);
    intern_add(&program, SLICE("hashbrown"));
    assert_found(f, 0x400a20, "<hashbrown::Map>::get::<i32>", "hashbrown", CATEGORY_DEPENDENCY);
    intern_done(&program);
}

static void assert_unnamed(struct fixture *f, const char *path, uint64_t svma, const char *name,
                           const char *why)
{
    uint32_t location = profile_location(&f->profile, path ? add_module(f, path) : PROFILE_NONE, svma);
    const struct profile_function *function = NULL;

    symbolize_profile(&f->profile, &f->request);
    function = function_at(f, location);
    assert_text(f, function->name, name);
    assert_text(f, function->why_unnamed, why);
    assert_int_equal(function->category, CATEGORY_UNKNOWN);
}

static void code_without_a_name_says_where_it_is_and_why(void **state)
{
    struct fixture *f = *state;

    assert_unnamed(f, FIXTURES "/elf/sample", 0x400ba0 + 90 + 1, "std::io::stdio+0x5b",
                   "no symbol covers it, only one before it is known");
    assert_unnamed(f, FIXTURES "/elf/sample-stripped", 0x4000d0, "sample-stripped+0x4000d0",
                   "the file has neither symbols nor debug information");
    assert_unnamed(f, "/nonexistent/libgone.so", 0x10, "[libgone.so]", "the file cannot be read");
    assert_unnamed(f, FIXTURES "/elf/sample.s", 0x10, "[sample.s]", "the file cannot be read");
    assert_unnamed(
        f, NULL, 0x7f0012345678, "[unknown]",
        "it is in no file: made at run time, or its mapping was not seen; what has such code named: node "
        "--perf-basic-prof, python -X perf, java -XX:+UnlockDiagnosticVMOptions -XX:+DumpPerfMapAtExit "
        "(while it runs, jcmd PID Compiler.perfmap), wasmtime run --profile perfmap, in a program with the "
        "crate wasmtime Config::profiler(ProfilingStrategy::JitDump), or PerfMap where no code is "
        "thrown away; a compiler of your own by a line for each function in /tmp/perf-PID.map: where it "
        "starts and its bytes, both in hexadecimal, and its name");
}

static void programs_of_tests_are_called_without_cargos_hash(void **state)
{
    struct fixture *f = *state;
    const char *why = "the file cannot be read";

    assert_unnamed(f, "/no/deps/app-2f6e3c32a88cddc6", 0x10, "[app]", why);
    assert_unnamed(f, "/no/bin/app-2f6e3c32a88cddc6", 0x10, "[app-2f6e3c32a88cddc6]", why);
    assert_unnamed(f, "/no/deps/app-2f6e3c32a88cddcx", 0x10, "[app-2f6e3c32a88cddcx]", why);
}

static void code_of_a_process_that_may_not_be_read_says_so(void **state)
{
    struct fixture *f = *state;
    uint32_t module =
        profile_add_module(&f->profile, MODULE_JIT, SLICE("/tmp/perf-4294967295.map"), SLICE(""));
    uint32_t location = profile_location(&f->profile, module, 0x7f0012345678);

    f->profile.modules.items[module].is_denied = true;
    symbolize_profile(&f->profile, &f->request);
    assert_text(f, function_at(f, location)->name, "[unknown]");
    assert_text(f, function_at(f, location)->why_unnamed,
                "it is of another user's process, of which we may not see what code is where: record with "
                "--root, or give cargo-cprof the capability cap_sys_ptrace");
}

static void samples_of_one_function_of_a_stripped_file_stay_together(void **state)
{
    struct fixture *f = *state;
    const char *path = FIXTURES "/elf/unwind-stripped";
    const char *why = "the file has neither symbols nor debug information";

    assert_unnamed(f, path, 0x4000b0, "unwind-stripped+0x4000b0", why);
    assert_unnamed(f, path, 0x4000b5, "unwind-stripped+0x4000b0", why);
    assert_unnamed(f, path, 0x4000b7, "unwind-stripped+0x4000b6", why);
}

static void code_behind_a_function_that_has_ended_is_not_called_after_it(void **state)
{
    struct fixture *f = *state;
    const char *path = FIXTURES "/elf/between";

    assert_unnamed(f, path, 0x4000b6, "between+0x4000b6..", "no symbol covers it");
    assert_unnamed(f, path, 0x4000b8, "between+0x4000b6..", "no symbol covers it");
}

/* As those of musl's assembly. */
static void without_a_table_for_unwinding_a_symbol_of_no_size_reaches_to_the_next(void **state)
{
    assert_found(*state, 0x4000c4, "_start", "sample", CATEGORY_OTHER);
}

/* As musl's copies and system calls, in a stripped library. */
static void where_some_symbols_are_left_one_of_no_size_reaches_as_far_as_its_code_leads(void **state)
{
    struct fixture *f = *state;
    const char *path = FIXTURES "/elf/exported";
    const char *why = "the file is stripped";

    assert_found_in(f, path, 0x222, "copy", "exported", CATEGORY_OTHER);
    assert_found_in(f, path, 0x22a, "copy", "exported", CATEGORY_OTHER);
    assert_found_in(f, path, 0x22b, "copy", "exported", CATEGORY_OTHER);
    assert_unnamed(f, path, 0x22c, "exported+0x222..", why);
    assert_unnamed(f, path, 0x22e, "exported+0x222..", why);
}

/* This very program: its path, and where a function of it stands in its file. */
static uint64_t svma_of(void *function, char *path, size_t path_bytes)
{
    Dl_info info;
    ssize_t length = readlink("/proc/self/exe", path, path_bytes - 1);

    assert_true(length > 0);
    path[length] = '\0';
    assert_int_not_equal(dladdr(function, &info), 0);
    return (uint64_t)((char *)function - (char *)info.dli_fbase);
}

static void debug_information_gives_file_and_line(void **state)
{
    struct fixture *f = *state;
    char path[4096];
    uint64_t svma = svma_of((void *)debug_information_gives_file_and_line, path, sizeof(path));
    uint32_t location = profile_location(&f->profile, add_module(f, path), svma);
    const struct profile_frame *frame = NULL;

    symbolize_profile(&f->profile, &f->request);
    frame = frame_of(f, location, 0);
    assert_text(f, function_at(f, location)->name, "debug_information_gives_file_and_line");
    assert_text(f, function_at(f, location)->crate, "test_symbolize");
    assert_int_equal(function_at(f, location)->category, CATEGORY_OTHER);
    assert_true(slice_ends_with(profile_text(&f->profile, frame->file), SLICE("unit/test_symbolize.c")));
    assert_in_range(frame->line, __LINE__ - 15, __LINE__);
    assert_false(frame->is_inlined);
}

/* The calls at `times` of `area` in `total` of a fixture whose debug information has lines only. */
static void assert_calls_without_modules(struct fixture *f, const char *path)
{
    static const struct {
        const char *name, *crate;
        enum category category;
    } calls[] = {{"mul", "core", CATEGORY_STD},
                 {"times<u64>", "tiny", CATEGORY_OWN},
                 {"area", "tiny", CATEGORY_OWN},
                 {"{closure#0}", "tiny", CATEGORY_OWN}};
    uint32_t location = profile_location(&f->profile, add_module(f, path), 0x2011e7);
    uint32_t last = 0;

    symbolize_profile(&f->profile, &f->request);
    for (uint32_t i = 0; i < ARRAY_COUNT(calls); i++) {
        const struct profile_function *function =
            &f->profile.functions.items[frame_of(f, location, i)->function];

        assert_text(f, function->name, calls[i].name);
        assert_text(f, function->crate, calls[i].crate);
        assert_int_equal(function->category, calls[i].category);
    }
    last = f->profile.locations.items[location].frame_count - 1;
    assert_text(f, f->profile.functions.items[frame_of(f, location, last)->function].name,
                "tiny::shapes::total");
}

static void where_names_have_no_crate_the_source_file_tells_what_others_have_inlined(void **state)
{
    struct fixture *f = *state;
    struct intern own = {0};

    intern_add(&own, SLICE("tiny"));
    f->request.own_crates = &own;
    assert_calls_without_modules(f, FIXTURES "/dwarf/rust-split-lines4");
    intern_done(&own);
}

static void what_rustc_makes_of_a_global_allocator_is_nobodys_own(void **state)
{
    struct fixture *f = *state;
    SCOPED(naming_done) struct naming naming = {.profile = &f->profile};
    struct found_name found = {.text = SLICE("__rust_dealloc"),
                               .is_readable = true,
                               .is_rust = true,
                               .unit_crate = SLICE("app"),
                               .unit_root = SLICE("src/main.rs"),
                               .file = SLICE("/home/me/app/src/main.rs"),
                               .module = SLICE("app")};
    uint32_t id = naming_function(&naming, &found);

    assert_text(f, f->profile.functions.items[id].crate, "__rustc");
    assert_int_equal(f->profile.functions.items[id].category, CATEGORY_STD);
    found.text = SLICE("dealloc");
    id = naming_function(&naming, &found);
    assert_text(f, f->profile.functions.items[id].crate, "app");
    assert_int_equal(f->profile.functions.items[id].category, CATEGORY_OWN);
}

static void of_the_c_library_only_names_are_read(void **state)
{
    struct fixture *f = *state;
    char path[4096];
    char folder[] = "/tmp/symbolize-XXXXXX";
    char library[sizeof(folder) + sizeof("/libc.so.6")];
    uint64_t svma = svma_of((void *)of_the_c_library_only_names_are_read, path, sizeof(path));
    uint32_t location = 0;

    assert_non_null(mkdtemp(folder));
    snprintf(library, sizeof(library), "%s/libc.so.6", folder);
    assert_int_equal(symlink(path, library), 0);
    location = profile_location(&f->profile, add_module(f, library), svma);
    symbolize_profile(&f->profile, &f->request);
    unlink(library);
    rmdir(folder);
    assert_text(f, function_at(f, location)->name, "of_the_c_library_only_names_are_read");
    assert_int_equal(profile_text(&f->profile, frame_of(f, location, 0)->file).length, 0);
    assert_int_equal(frame_of(f, location, 0)->line, 0);
}

static void a_file_with_another_build_id_is_not_believed(void **state)
{
    struct fixture *f = *state;
    char path[4096];
    uint64_t svma = svma_of((void *)debug_information_gives_file_and_line, path, sizeof(path));
    uint32_t module = profile_add_module(&f->profile, MODULE_EXECUTABLE, slice_of(path), SLICE("\1\2\3\4"));
    uint32_t location = profile_location(&f->profile, module, svma);
    struct image image;
    struct error err = {0};
    bool has_id = false;

    assert_int_equal(image_open(path, &image, &err), 0);
    has_id = image.build_id.length > 0;
    image_close(&image);
    if (!has_id)
        skip();
    symbolize_profile(&f->profile, &f->request);
    assert_text(f, function_at(f, location)->why_unnamed, "the file is another one by now");
}

static void the_vdso_is_read_from_memory(void **state)
{
    struct fixture *f = *state;
    void *library = dlopen("linux-vdso.so.1", RTLD_LAZY | RTLD_NOLOAD);
    void *function = library ? dlsym(library, "__vdso_clock_gettime") : NULL;
    char path[4096];
    uint32_t location = 0;

    if (!function)
        skip();
    location = profile_location(&f->profile,
                                profile_add_module(&f->profile, MODULE_VDSO, SLICE("[vdso]"), SLICE("")),
                                svma_of(function, path, sizeof(path)));
    dlclose(library);
    symbolize_profile(&f->profile, &f->request);
    assert_true(
        slice_ends_with(profile_text(&f->profile, function_at(f, location)->name), SLICE("clock_gettime")));
    assert_text(f, function_at(f, location)->crate, "[vdso]");
}

static void write_kernel_list(struct fixture *f, struct slice list)
{
    struct error err = {0};

    snprintf(f->kernel_list, sizeof(f->kernel_list), "test_symbolize.%d.kallsyms", (int)getpid());
    assert_int_equal(file_replace(f->kernel_list, list, &err), 0);
    f->request.kernel_symbols = f->kernel_list;
}

static uint32_t add_kernel_location(struct fixture *f, uint64_t avma)
{
    return profile_location(
        &f->profile, profile_add_module(&f->profile, MODULE_KERNEL, SLICE("[kernel]"), SLICE("")), avma);
}

static void the_kernels_list_names_its_code(void **state)
{
    struct fixture *f = *state;
    uint32_t read = add_kernel_location(f, 0xffffffff81000123);
    uint32_t in_module = add_kernel_location(f, 0xffffffffc0000010);

    write_kernel_list(f, SLICE("ffffffff81000100 T ksys_read\nffffffff81000110 D data\n"
                               "ffffffff81000200 t later\nffffffffc0000000 t ext4_read\t[ext4]\n"));
    symbolize_profile(&f->profile, &f->request);
    assert_text(f, function_at(f, read)->name, "ksys_read");
    assert_text(f, function_at(f, read)->crate, "[kernel]");
    assert_int_equal(function_at(f, read)->category, CATEGORY_KERNEL);
    assert_text(f, function_at(f, in_module)->name, "ext4_read");
    assert_text(f, function_at(f, in_module)->crate, "[ext4]");
}

static void a_kernel_that_hides_its_symbols_is_one_function_with_the_reason(void **state)
{
    struct fixture *f = *state;
    uint32_t location = add_kernel_location(f, 0xffffffff81000123);

    write_kernel_list(f, SLICE("0000000000000000 T ksys_read\n0000000000000000 t later\n"));
    symbolize_profile(&f->profile, &f->request);
    assert_text(f, function_at(f, location)->name, "[kernel]");
    assert_int_equal(function_at(f, location)->category, CATEGORY_KERNEL);
    assert_text(f, function_at(f, location)->why_unnamed,
                "the kernel hides its symbols from all but root and cap_syslog "
                "(sysctl kernel.kptr_restrict=0 kernel.perf_event_paranoid=1)");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(code_is_named_by_the_symbol_that_covers_it),
        TEST(of_two_names_at_one_address_the_plainer_is_shown),
        TEST(a_crate_that_std_is_built_with_is_the_programs_when_it_was_built_for_it),
        TEST(code_without_a_name_says_where_it_is_and_why),
        TEST(programs_of_tests_are_called_without_cargos_hash),
        TEST(code_of_a_process_that_may_not_be_read_says_so),
        TEST(samples_of_one_function_of_a_stripped_file_stay_together),
        TEST(code_behind_a_function_that_has_ended_is_not_called_after_it),
        TEST(without_a_table_for_unwinding_a_symbol_of_no_size_reaches_to_the_next),
        TEST(where_some_symbols_are_left_one_of_no_size_reaches_as_far_as_its_code_leads),
        TEST(debug_information_gives_file_and_line),
        TEST(where_names_have_no_crate_the_source_file_tells_what_others_have_inlined),
        TEST(what_rustc_makes_of_a_global_allocator_is_nobodys_own),
        TEST(of_the_c_library_only_names_are_read),
        TEST(a_file_with_another_build_id_is_not_believed),
        TEST(the_vdso_is_read_from_memory),
        TEST(the_kernels_list_names_its_code),
        TEST(a_kernel_that_hides_its_symbols_is_one_function_with_the_reason),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
