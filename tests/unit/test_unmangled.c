#include "cmocka_all.h"

#include <elf.h>

#include "size/unmangled.h"

enum { FUNCTIONS_MAX = 12, FUNCTION_BYTES = 16, APP = 0, DEP = 1, RUNTIME = 2, NONE = -1 };

struct fixture {
    struct elf_symbol items[FUNCTIONS_MAX];
    const struct elf_symbol *names[FUNCTIONS_MAX];
    struct code_map map;
    struct size_crates crates;
    struct used used[FUNCTIONS_MAX];
    struct unmangled_program program;
};

static int set_up(void **state)
{
    static struct fixture fixture;
    const struct crate_fact facts[] = {
        {.name = SLICE("app")}, {.name = SLICE("dep")}, {.name = SLICE("compiler_builtins")}};

    fixture = (struct fixture){.program = {.map = &fixture.map, .crates = &fixture.crates, .crate = APP}};
    for (uint32_t i = 0; i < 3; i++)
        assert_int_equal(size_crates_add(&fixture.crates, &facts[i]), i);
    *state = &fixture;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;

    vec_done(&f->map.functions);
    vec_done(&f->map.ranges);
    size_crates_done(&f->crates);
    return 0;
}

static void add_range(struct fixture *f, uint32_t function)
{
    uint64_t svma = (uint64_t)f->map.ranges.count * FUNCTION_BYTES;

    *vec_add(&f->map.ranges) = (struct code_range){svma, FUNCTION_BYTES, 1, function};
}

/* A global function behind those that are there, of a crate or NONE; which it is. */
static size_t add(struct fixture *f, const char *symbol, int crate)
{
    uint32_t at = (uint32_t)f->map.functions.count;

    f->items[at] = (struct elf_symbol){.name = slice_of(symbol), .type = STT_FUNC, .binding = STB_GLOBAL};
    f->names[at] = &f->items[at];
    f->used[at] = crate == NONE ? (struct used){SIZE_NO_CRATE, USED_UNKNOWN}
                                : (struct used){(uint32_t)crate, USED_FROM_FILE_SYMBOL};
    *vec_add(&f->map.functions) =
        (struct code_function){.names = &f->names[at], .name_count = 1, .size_bytes = FUNCTION_BYTES};
    add_range(f, at);
    return at;
}

static void assert_programs(const struct fixture *f, size_t function)
{
    assert_int_equal(f->used[function].source, USED_INFERRED);
    assert_int_equal(f->used[function].crate, APP);
}

static void assert_left(const struct fixture *f, size_t function)
{
    assert_int_equal(f->used[function].source, USED_UNKNOWN);
    assert_int_equal(f->used[function].crate, SIZE_NO_CRATE);
}

static void what_stands_among_the_program_s_code_is_its(void **state)
{
    struct fixture *f = *state;
    size_t sorted_first = add(f, "exit", NONE);
    size_t start = add(f, "_start", NONE);
    size_t before = add(f, "on_event", NONE);
    size_t among = 0;
    size_t main_function = 0;
    size_t of_c = 0;

    add(f, "run", APP);
    among = add(f, "on_signal", NONE);
    main_function = add(f, "main", APP);
    add(f, "help", DEP);
    of_c = add(f, "malloc", NONE);
    unmangled_find(&f->program, f->used);
    assert_left(f, sorted_first);
    assert_left(f, start);
    assert_programs(f, before);
    assert_programs(f, among);
    assert_int_equal(f->used[main_function].source, USED_FROM_FILE_SYMBOL);
    assert_left(f, of_c);
}

static void a_program_that_is_not_started_by_c_has_a_start_of_its_own(void **state)
{
    struct fixture *f = *state;
    size_t start = add(f, "_start", NONE);
    size_t handler = 0;

    add_range(f, CODE_PADDING);
    handler = add(f, "SysTick", NONE);
    unmangled_find(&f->program, f->used);
    assert_programs(f, start);
    assert_programs(f, handler);
}

static void behind_the_program_s_last_function_all_up_to_the_next_crate_s_is_its(void **state)
{
    struct fixture *f = *state;
    size_t behind = 0;
    size_t beyond = 0;

    add(f, "run", APP);
    add_range(f, CODE_PADDING);
    behind = add(f, "on_event", NONE);
    add(f, "help", DEP);
    beyond = add(f, "unknown", NONE);
    unmangled_find(&f->program, f->used);
    assert_programs(f, behind);
    assert_left(f, beyond);
}

static void the_allocator_s_calls_stand_behind_all_of_the_program(void **state)
{
    struct fixture *f = *state;
    size_t handler = 0;

    add(f, "run", APP);
    add(f, "generic", DEP);
    handler = add(f, "on_event", NONE);
    add(f, "_RNvCs1_7___rustc12___rust_alloc", DEP);
    unmangled_find(&f->program, f->used);
    assert_programs(f, handler);
}

static void where_crates_were_merged_the_program_s_may_be_among_all_of_them(void **state)
{
    struct fixture *f = *state;
    size_t handler = 0;
    size_t of_c = 0;

    add(f, "run", APP);
    handler = add(f, "on_event", NONE);
    add(f, "help", DEP);
    f->used[add(f, "deflate", DEP)].source = USED_FROM_RLIB;
    of_c = add(f, "malloc", NONE);
    add(f, "memcpy", RUNTIME);
    add(f, "__libc_start_main", NONE);
    f->program.is_merged = true;
    unmangled_find(&f->program, f->used);
    assert_programs(f, handler);
    assert_left(f, of_c);
}

static void behind_merged_crates_comes_the_c_library_if_it_is_there_at_all(void **state)
{
    struct fixture *f = *state;
    size_t last = 0;

    add(f, "run", APP);
    last = add(f, "SysTick", NONE);
    add(f, "memcpy", RUNTIME);
    f->program.is_merged = true;
    f->items[2].name = SLICE("__libc_start_main");
    unmangled_find(&f->program, f->used);
    assert_left(f, last);
    f->items[2].name = SLICE("memcpy");
    unmangled_find(&f->program, f->used);
    assert_programs(f, last);
}

static void what_no_other_file_could_call_data_and_the_c_library_s_are_left(void **state)
{
    struct fixture *f = *state;
    size_t local = add(f, "frame_dummy", NONE);
    size_t hidden = add(f, "__dls2", NONE);
    size_t data = add(f, "_IO_stdin_used", NONE);
    size_t of_c = add(f, "__libc_csu_init", NONE);

    f->items[local].binding = STB_LOCAL;
    f->items[hidden].visibility = STV_HIDDEN;
    f->items[data].type = STT_OBJECT;
    unmangled_find(&f->program, f->used);
    for (size_t i = 0; i <= of_c; i++)
        assert_left(f, i);
}

static void of_a_file_alone_what_stands_between_its_own_functions_is_the_program_s(void **state)
{
    struct fixture *f = *state;
    size_t first = add(f, "on_load", NONE);
    size_t among = 0;
    size_t behind = 0;
    size_t beyond = 0;

    f->program.is_alone = true;
    add(f, "run", APP);
    among = add(f, "on_event", NONE);
    add(f, "_RNvCs1_7___rustc12___rust_alloc", RUNTIME);
    behind = add(f, "deps_export", NONE);
    add(f, "help", DEP);
    beyond = add(f, "another", NONE);
    add(f, "sorted_last", APP);
    f->program.is_beside_c = true;
    unmangled_find(&f->program, f->used);
    assert_left(f, first);
    assert_programs(f, among);
    f->program.is_beside_c = false;
    unmangled_find(&f->program, f->used);
    assert_programs(f, first);
    assert_left(f, behind);
    assert_left(f, beyond);
}

/* Names alone give it to the program, as they may give others' instances of std's. */
static void an_instance_that_is_inferred_bounds_nothing(void **state)
{
    struct fixture *f = *state;
    size_t among = 0;
    size_t inferred = 0;

    f->program.is_alone = f->program.is_beside_c = true;
    add(f, "run", APP);
    among = add(f, "_rjem_mallocx", NONE);
    inferred = add(f, "new", APP);
    f->used[inferred].source = USED_INFERRED;
    add(f, "help", DEP);
    unmangled_find(&f->program, f->used);
    assert_left(f, among);
    f->program.is_merged = true;
    unmangled_find(&f->program, f->used);
    assert_programs(f, among);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(what_stands_among_the_program_s_code_is_its),
        TEST(a_program_that_is_not_started_by_c_has_a_start_of_its_own),
        TEST(behind_the_program_s_last_function_all_up_to_the_next_crate_s_is_its),
        TEST(the_allocator_s_calls_stand_behind_all_of_the_program),
        TEST(where_crates_were_merged_the_program_s_may_be_among_all_of_them),
        TEST(behind_merged_crates_comes_the_c_library_if_it_is_there_at_all),
        TEST(an_instance_that_is_inferred_bounds_nothing),
        TEST(of_a_file_alone_what_stands_between_its_own_functions_is_the_program_s),
        TEST(what_no_other_file_could_call_data_and_the_c_library_s_are_left),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
