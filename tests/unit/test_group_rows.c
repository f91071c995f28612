#include "cmocka_all.h"

#include <string.h>

#include "profile_builder.h"
#include "tree/path_tree.h"
#include "view/group_rows.h"
#include "view/runtime_calls.h"

struct fixture {
    struct profile profile;
    struct rows rows;
    struct grouping grouping;
    struct error err;
};

static int set_up(void **state)
{
    static struct fixture fixture;

    fixture = (struct fixture){0};
    profile_builder_init(&fixture.profile);
    *state = &fixture;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;

    rows_done(&f->rows);
    profile_done(&f->profile);
    return 0;
}

/* The rows as "self/total text,text; ..." in their order. */
static void assert_groups(struct fixture *f, const char *by, const char *expected)
{
    SCOPED(text_done) struct text text = {0};

    rows_done(&f->rows);
    assert_int_equal(grouping_read_keys(slice_of(by), &f->grouping, &f->err), 0);
    assert_int_equal(group_rows_fill(&f->profile, 0, &f->grouping, &f->rows, &f->err), 0);
    for (size_t row = 0; row < rows_count(&f->rows); row++) {
        const union cell *cells = rows_at(&f->rows, row);

        text_format(&text, "%s%llu/%llu", row ? "; " : "", (unsigned long long)cells[2].number,
                    (unsigned long long)cells[3].number);
        for (size_t i = 4; i < f->rows.column_count; i++)
            if (f->rows.columns[i].title)
                text_format(&text, "%s%.*s", i == 4 ? " " : ",", SLICE_ARGUMENTS(cells[i].text));
    }
    assert_string_equal(text_string(&text), expected);
}

static void a_sample_counts_once_in_the_total_of_each_group_of_its_stack(void **state)
{
    struct fixture *f = *state;

    assert_true(
        profile_builder_add_lines(&f->profile, SLICE("2|app|own a main > dep r f > own a g > dep r f\n"
                                                     "1|app|own a main + dep r f\n")));
    assert_groups(f, "function", "3/3 r,f; 0/3 a,main; 0/2 a,g");
    assert_groups(f, "crate", "3/3 r; 0/3 a");
    assert_groups(f, "function,crate", "3/3 f,r; 0/3 main,a; 0/2 g,a");
}

static void keys_of_samples_and_of_calls_may_be_mixed_in_any_order(void **state)
{
    struct fixture *f = *state;

    assert_true(profile_builder_add_lines(&f->profile,
                                          SLICE("2|app|own a main\n1|w|own a main > std core h\n4|w|\n")));
    assert_groups(f, "thread,crate", "4/4 w,[no stack]; 2/2 app,a; 1/1 w,core; 0/1 w,a");
    assert_groups(f, "crate,thread", "4/4 [no stack],w; 2/2 a,app; 1/1 core,w; 0/1 a,w");
    /* Samples without a stack are still some thread's. */
    assert_groups(f, "thread", "5/5 w; 2/2 app");
}

static void modules_files_and_lines_are_named_shortly(void **state)
{
    struct fixture *f = *state;

    profile_builder_add(&f->profile, 0, SLICE("own a main"), 1);
    assert_groups(f, "module", "1/1 a");
    assert_groups(f, "dso", "1/1 app");
    assert_groups(f, "file", "1/1 src/lib.rs");
    assert_groups(f, "srcline", "1/1 src/lib.rs:7");
}

static void code_without_lines_is_told_by_its_program_or_library(void **state)
{
    struct fixture *f = *state;
    uint32_t library = 0;

    assert_true(profile_builder_add_lines(&f->profile, SLICE("4|app|own a main > c libc.so.6 free\n"
                                                             "2|app|own a main > kernel [kernel] read\n")));
    library = profile_add_module(&f->profile, MODULE_LIBRARY, SLICE("/lib/libc.so.6"), (struct slice){0});
    for (size_t i = 0; i < f->profile.frames.count; i++)
        f->profile.frames.items[i].file = PROFILE_NO_STRING;
    for (size_t i = 0; i < f->profile.locations.count; i++) {
        uint32_t function = f->profile.frames.items[f->profile.locations.items[i].first_frame].function;

        if (f->profile.functions.items[function].category == CATEGORY_OTHER)
            f->profile.locations.items[i].module = library;
    }
    assert_groups(f, "file", "4/4 [libc.so.6]; 2/2 [kernel]; 0/6 [app]");
    assert_groups(f, "line", "4/4 [libc.so.6]; 2/2 [kernel]; 0/6 [app]");
    for (size_t i = 0; i < f->profile.locations.count; i++)
        f->profile.locations.items[i].module = PROFILE_NONE;
    assert_groups(f, "line", "4/6 [unknown]; 2/2 [kernel]");
}

static void rows_are_chosen_by_text_and_by_crate(void **state)
{
    struct fixture *f = *state;
    SCOPED(regex_free_at) struct regex *filter = NULL;

    assert_true(
        profile_builder_add_lines(&f->profile, SLICE("2|app|own a main > dep rx find\n1|app|own a find\n")));
    assert_int_equal(regex_compile(SLICE("^find$"), &filter, &f->err), 0);
    f->grouping.filter = filter;
    assert_groups(f, "function", "2/2 rx,find; 1/1 a,find");
    f->grouping.crate = SLICE("a");
    assert_groups(f, "function", "1/1 a,find");
}

static void a_crate_is_asked_for_with_its_version_or_without(void **state)
{
    struct fixture *f = *state;

    assert_true(profile_builder_add_lines(&f->profile, SLICE("2|app|own a main > dep rx@1.2.0 find\n"
                                                             "1|app|own a main > dep rx@2.0.0 find\n")));
    f->grouping.crate = SLICE("rx");
    assert_groups(f, "function", "2/2 rx@1.2.0,find; 1/1 rx@2.0.0,find");
    f->grouping.crate = SLICE("rx@2.0.0");
    assert_groups(f, "function", "1/1 rx@2.0.0,find");
    f->grouping.crate = SLICE("rx@2");
    assert_groups(f, "function", "");
}

static void modules_are_rusts_or_crates_and_files_of_code_are_dsos(void **state)
{
    struct fixture *f = *state;

    assert_true(profile_builder_add_lines(&f->profile,
                                          SLICE("1|app|own a a::parse::line\n2|app|c libc.so.6 free\n"
                                                "4|app|own a <a::parse::Line as core::fmt::Display>::fmt\n"
                                                "8|app|dep rx <rx::set::Set<T>>::add::<u32>\n")));
    assert_groups(f, "module", "8/8 rx::set; 5/5 a::parse; 2/2 libc.so.6");
    assert_groups(f, "dso", "15/15 app");
    profile_builder_add(&f->profile, 0, SLICE("own a block_on<core::pin::Pin<T>>"), 1);
    assert_groups(f, "module", "8/8 rx::set; 5/5 a::parse; 2/2 libc.so.6; 1/1 a");
}

static void a_task_is_the_outermost_future_below_the_runtime(void **state)
{
    struct fixture *f = *state;

    assert_true(profile_builder_add_lines(
        &f->profile,
        SLICE(
            "1|app|own a main > own a work\n"
            "2|app|async dep tokio tokio::task::local::LocalSet::run_until > async own a serve > own a work\n"
            "4|app|async dep tokio tokio::task::local::run_until > async own a serve + async own a answer\n"
            "8|app|dep tokio <tokio::runtime::task::core::Core as core::future::future::Future>::poll > "
            "own a <a::Timer as core::future::future::Future>::poll > async own a serve\n"
            "16|w|\n32|w|async own a serve\n")));
    assert_groups(f, "task",
                  "38/38 serve; 17/17 [no task]; 8/8 <a::Timer as core::future::future::Future>::poll");
    assert_groups(f, "thread,task",
                  "32/32 w,serve; 16/16 w,[no task]; "
                  "8/8 app,<a::Timer as core::future::future::Future>::poll; 6/6 app,serve; "
                  "1/1 app,[no task]");
    assert_groups(
        f, "task,crate",
        "38/38 serve,a; 16/16 [no task],[no stack]; 8/8 <a::Timer as core::future::future::Future>::poll,a; "
        "1/1 [no task],a; 0/8 <a::Timer as core::future::future::Future>::poll,tokio; "
        "0/6 serve,tokio");
}

/* LocalSet of tokio is awaited in a future of the user's, executors of smol in each other. */
static void a_task_begins_where_an_executor_polls_it(void **state)
{
#define LOCAL "async own a main > dep tokio tokio::task::local::LocalSet::tick"
#define HARNESS " > dep tokio tokio::runtime::task::harness::Harness<T,S>::poll"
#define SMOL                                                                                                 \
    "async dep async_executor async_executor::Executor::run > dep futures_lite "                             \
    "<futures_lite::future::Or<F1,F2> as core::future::future::Future>::poll + dep async_task "              \
    "async_task::raw::RawTask<F,T,S,M>::run"
    struct fixture *f = *state;

    assert_true(profile_builder_add_lines(
        &f->profile,
        SLICE("1|app|" LOCAL "\n"
              "2|app|" LOCAL HARNESS "\n"
              "4|app|" LOCAL HARNESS " > async own a parse > async own a read\n"
              "8|app|" LOCAL
              " > dep tokio <tokio::runtime::task::harness::Harness<F, S>>::poll > async dep h serve\n"
              "16|app|" SMOL " > dep async_executor "
              "<async_executor::AsyncCallOnDrop<Fut,Cleanup> as core::future::future::Future>::poll"
              " > async own a render > async own a draw\n"
              "32|app|" SMOL " + async own a parse > dep tokio "
              "tokio::runtime::task::harness::Harness<T,S>::drop_join_handle_slow\n")));
    assert_groups(f, "task", "36/36 parse; 16/16 render; 8/8 serve; 2/2 [no task]; 1/1 main");
    assert_groups(f, "future", "32/32 parse; 16/16 draw; 8/8 serve; 4/4 read; 2/2 [no task]; 1/1 main");
#undef LOCAL
#undef HARNESS
#undef SMOL
}

static void a_future_is_the_innermost_of_the_users_own_and_else_the_task(void **state)
{
    struct fixture *f = *state;

    assert_true(profile_builder_add_lines(
        &f->profile, SLICE("1|app|async dep axum axum::serve > dep hyper read\n"
                           "2|app|async dep axum axum::serve > async own a list > std core sort\n"
                           "4|app|async dep axum axum::serve > async own a add + async own a store\n"
                           "8|app|async own a add > async own a store > async dep t t::sleep > own a helper\n"
                           "16|app|async dep axum axum::serve > async own a add > own a helper\n"
                           "32|app|async dep axum axum::serve > "
                           "own a <a::Timer as core::future::future::Future>::poll\n"
                           "64|app|own a main\n")));
    assert_groups(f, "future",
                  "64/64 [no task]; 32/32 <a::Timer as core::future::future::Future>::poll; 16/16 add; "
                  "12/12 store; 2/2 list; 1/1 axum::serve");
    assert_groups(f, "task,future",
                  "64/64 [no task],[no task]; "
                  "32/32 axum::serve,<a::Timer as core::future::future::Future>::poll; "
                  "16/16 axum::serve,add; 8/8 add,store; 4/4 axum::serve,store; 2/2 axum::serve,list; "
                  "1/1 axum::serve,axum::serve");
}

/* With lines-only debug information inlined async fns have no other name. */
static void tasks_of_one_empty_name_are_not_taken_for_one_task(void **state)
{
    struct fixture *f = *state;

    profile_builder_add(&f->profile, 0, SLICE("async own a {async_fn#0} > own a work"), 3);
    assert_int_equal(grouping_read_keys(SLICE("task"), &f->grouping, &f->err), 0);
    assert_int_equal(group_rows_fill(&f->profile, 0, &f->grouping, &f->rows, &f->err), -1);
    assert_string_equal(f->err.message, "--by task: the profile tells of no future");
    profile_builder_add(&f->profile, 0, SLICE("async own a a::serve > async own a {async_fn#0}"), 1);
    assert_groups(f, "task", "3/3 [task without a name]; 1/1 a::serve");
}

static void without_samples_there_are_no_tasks_and_nothing_is_refused(void **state)
{
    struct fixture *f = *state;

    assert_groups(f, "task", "");
    assert_groups(f, "future", "");
}

static void groups_that_are_none_are_refused(void **state)
{
    struct fixture *f = *state;

    f->grouping.key_count = 7;
    assert_int_equal(grouping_read_keys(SLICE("function,colour"), &f->grouping, &f->err), -1);
    assert_int_equal(f->err.kind, ERROR_USAGE);
    assert_string_equal(f->err.message, "--by colour: there is no such group");
    assert_int_equal(grouping_read_keys(SLICE("test"), &f->grouping, &f->err), -1);
    assert_string_equal(f->err.hint, "libtest calls each test's thread as the test: --by thread");
    assert_int_equal(grouping_read_keys(SLICE(" , "), &f->grouping, &f->err), -1);
    assert_int_equal(grouping_read_keys(SLICE("function,module,crate,file,line"), &f->grouping, &f->err), -1);
    assert_int_equal(f->grouping.key_count, 7);
    assert_int_equal(grouping_read_keys(SLICE("overhead,comm, dso,symbol,sym"), &f->grouping, &f->err), 0);
    assert_int_equal(f->grouping.key_count, 3);
}

static void threads_and_processes_of_one_name_are_told_apart_by_their_numbers(void **state)
{
    struct fixture *f = *state;
    uint32_t other = profile_add_thread(&f->profile, 4242, 4243, SLICE("app"));

    f->profile.threads.items[other].process_name = profile_string(&f->profile, SLICE("app"));
    f->profile.threads.items[0].process_name = profile_string(&f->profile, SLICE("app"));
    profile_builder_add(&f->profile, 0, SLICE("own a main"), 2);
    profile_builder_add(&f->profile, other, SLICE("own a main"), 1);
    assert_groups(f, "process", "3/3 app");
    assert_groups(f, "pid", "2/2 app (100); 1/1 app (4242)");
    assert_groups(f, "thread", "3/3 app");
    assert_groups(f, "tid", "2/2 app (100); 1/1 app (4243)");
}

static void who_had_several_names_is_one_with_all_of_them(void **state)
{
    static const char *const names[] = {"sh", "cc", "sh", "ld", "as", "cc"};
    struct fixture *f = *state;

    for (size_t i = 0; i < ARRAY_COUNT(names); i++) {
        uint32_t thread = profile_add_thread(&f->profile, 42, 42, slice_of(names[i]));

        f->profile.threads.items[thread].process_name = profile_string(&f->profile, slice_of(names[i / 3]));
        profile_builder_add(&f->profile, thread, SLICE("own a main"), 1);
    }
    assert_groups(f, "pid", "6/6 sh, cc (42)");
    assert_groups(f, "tid", "6/6 sh, cc, ld, ... (42)");
    assert_groups(f, "process,pid", "3/3 cc,sh, cc (42); 3/3 sh,sh, cc (42)");
}

static void what_ended_before_it_had_a_name_is_unknown(void **state)
{
    struct fixture *f = *state;
    uint32_t thread = profile_add_thread(&f->profile, 7, 7, SLICE(""));

    profile_builder_add(&f->profile, thread, SLICE("own a main"), 1);
    assert_groups(f, "thread,process", "1/1 [unknown],[unknown]");
    assert_groups(f, "pid", "1/1 [unknown] (7)");
}

static void overhead_alone_asks_for_functions(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(grouping_read_keys(SLICE("overhead,sample"), &f->grouping, &f->err), 0);
    assert_int_equal(f->grouping.key_count, 1);
    assert_int_equal(f->grouping.keys[0], GROUP_FUNCTION);
}

static void self_and_total_are_orders_and_no_groups(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(grouping_read_keys(SLICE("self"), &f->grouping, &f->err), 0);
    assert_int_equal(f->grouping.keys[0], GROUP_FUNCTION);
    assert_false(f->grouping.by_total);
    assert_int_equal(grouping_read_keys(SLICE("total,crate"), &f->grouping, &f->err), 0);
    assert_int_equal(f->grouping.key_count, 1);
    assert_int_equal(f->grouping.keys[0], GROUP_CRATE);
    assert_true(f->grouping.by_total);
}

/* The tree as text: "name total/self" from the root's calls on, children in parentheses. */
static void assert_paths(struct fixture *f, const struct path_choice *choice, const char *expected)
{
    SCOPED(text_done) struct text text = {0};
    SCOPED(call_tree_done) struct call_tree tree = {0};
    uint32_t depth = 1;

    path_tree_make(&f->profile, 0, CALLS_BY_NAME, choice, &tree);
    for (size_t i = 1; i < tree.nodes.count; i++) {
        const struct call_node *node = &tree.nodes.items[i];

        text_add_string(&text, node->depth > depth ? " (" : "");
        for (; depth > node->depth; depth--)
            text_add_byte(&text, ')');
        if (i > 1 && node->depth == depth && text.data[text.length - 1] != '(')
            text_add_byte(&text, ' ');
        depth = node->depth;
        text_format(&text, "%.*s %llu/%llu", SLICE_ARGUMENTS(profile_text(&f->profile, node->name)),
                    (unsigned long long)node->weights.total, (unsigned long long)node->weights.self);
    }
    text_add_repeated(&text, ')', depth - 1);
    assert_string_equal(text_string(&text), expected);
}

/* By function: whether it is called so. */
static const bool *called(const struct fixture *f, const char *name)
{
    static bool chosen[16];

    for (size_t i = 0; i < f->profile.functions.count; i++)
        chosen[i] = slice_is(profile_text(&f->profile, f->profile.functions.items[i].name), name);
    return chosen;
}

static void paths_may_be_turned_cut_and_begun_at_a_function(void **state)
{
    struct fixture *f = *state;

    assert_true(profile_builder_add_lines(&f->profile,
                                          SLICE("2|app|m > f > g > f > h\n1|app|m > k\n1|w|f > h\n1|w|\n")));
    assert_paths(
        f, &(struct path_choice){0},
        "app 3/0 (m 3/0 (f 2/0 (g 2/0 (f 2/0 (h 2/2))) k 1/1)) w 2/0 ([no stack] 1/1 f 1/0 (h 1/1))");
    assert_paths(f, &(struct path_choice){.shape = PATHS_REVERSED},
                 "[no stack] 1/1 h 3/0 (f 3/1 (g 2/0 (f 2/0 (m 2/2)))) k 1/0 (m 1/1)");
    assert_paths(f, &(struct path_choice){.shape = PATHS_CALLEES, .chosen = called(f, "f")},
                 "f 3/0 (g 2/0 (f 2/0 (h 2/2)) h 1/1)");
    assert_paths(f, &(struct path_choice){.shape = PATHS_CALLERS, .chosen = called(f, "f")},
                 "f 3/1 (g 2/0 (f 2/0 (m 2/2)))");
    assert_paths(f, &(struct path_choice){.skip_after = called(f, "g")},
                 "app 3/0 (g 2/0 (f 2/0 (h 2/2)) m 1/0 (k 1/1)) w 2/0 ([no stack] 1/1 f 1/0 (h 1/1))");
    assert_paths(f, &(struct path_choice){.left_out = called(f, "f")},
                 "app 3/0 (m 3/0 (g 2/0 (h 2/2) k 1/1)) w 2/0 ([no stack] 1/1 h 1/1)");
    assert_paths(
        f, &(struct path_choice){.shape = PATHS_REVERSED, .per_thread = true, .left_out = called(f, "f")},
        "app (100) 3/0 (h 2/0 (g 2/0 (m 2/2)) k 1/0 (m 1/1)) w (101) 2/0 ([no stack] 1/1 h 1/1)");
}

static void what_is_too_light_to_be_shown_is_only_counted(void **state)
{
    static const size_t kept_counts[] = {[PATHS_DOWN] = 6, [PATHS_REVERSED] = 5, [PATHS_CALLERS] = 5};
    struct fixture *f = *state;

    assert_true(profile_builder_add_lines(
        &f->profile, SLICE("5|app|m > f > g > h\n1|app|m > f > h\n1|app|k > g > h\n1|w|a > k > b > h\n")));
    for (int shape = PATHS_DOWN; shape <= PATHS_CALLERS; shape++) {
        struct path_choice choice = {.shape = (enum path_shape)shape, .chosen = called(f, "h")};
        struct call_tree all;
        struct call_tree kept;

        if (shape == PATHS_CALLEES)
            continue;
        path_tree_make(&f->profile, 0, CALLS_BY_TOTAL, &choice, &all);
        choice.least_share = 0.25;
        path_tree_make(&f->profile, 0, CALLS_BY_TOTAL, &choice, &kept);
        assert_int_equal(all.left_out_count, 0);
        assert_int_equal(kept.nodes.count, kept_counts[shape]);
        assert_int_equal(kept.nodes.count + kept.left_out_count, all.nodes.count);
        assert_int_equal(kept.nodes.items[0].weights.total, 8);
        call_tree_done(&kept);
        call_tree_done(&all);
    }
}

static void what_starts_and_drives_is_told_from_what_people_wrote(void **state)
{
    static const char *const runtime[] = {
        "_start",
        "main",
        "clone3",
        "std::rt::lang_start::{{closure}}",
        "<&dyn core::ops::function::Fn<(), Output = i32> as core::ops::function::FnOnce<()>>::call_once",
        "core::ops::function::FnOnce::call_once{{vtable.shim}}",
        "<alloc::boxed::Box<F,A> as core::ops::function::FnOnce<Args>>::call_once",
        "tokio::runtime::task::harness::Harness<T,S>::poll",
        "<futures_util::future::future::Map<Fut,F> as core::future::future::Future>::poll",
        "rayon_core::registry::WorkerThread::wait_until_cold",
        "<async_executor::AsyncCallOnDrop<Fut,Cleanup> as core::future::future::Future>::poll",
        "async_std::task::task_locals_wrapper::TaskLocalsWrapper::set_current",
        "smol::spawn::spawn::global::{{closure}}",
        "<core::pin::Pin<P> as core::future::future::Future>::poll",
    };
    static const char *const others[] = {"app::main",
                                         "main2",
                                         "tokio::net::tcp::stream::TcpStream::poll_read",
                                         "rayon::slice::quicksort::recurse",
                                         "<async_io::Async<T> as futures_io::AsyncRead>::poll_read",
                                         "core::fmt::write",
                                         "read",
                                         ""};

    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(runtime); i++)
        if (!runtime_calls_has(slice_of(runtime[i])))
            fail_msg("%s", runtime[i]);
    for (size_t i = 0; i < ARRAY_COUNT(others); i++)
        if (runtime_calls_has(slice_of(others[i])))
            fail_msg("%s", others[i]);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_sample_counts_once_in_the_total_of_each_group_of_its_stack),
        TEST(keys_of_samples_and_of_calls_may_be_mixed_in_any_order),
        TEST(modules_files_and_lines_are_named_shortly),
        TEST(code_without_lines_is_told_by_its_program_or_library),
        TEST(rows_are_chosen_by_text_and_by_crate),
        TEST(a_crate_is_asked_for_with_its_version_or_without),
        TEST(modules_are_rusts_or_crates_and_files_of_code_are_dsos),
        TEST(a_task_is_the_outermost_future_below_the_runtime),
        TEST(a_task_begins_where_an_executor_polls_it),
        TEST(a_future_is_the_innermost_of_the_users_own_and_else_the_task),
        TEST(tasks_of_one_empty_name_are_not_taken_for_one_task),
        TEST(without_samples_there_are_no_tasks_and_nothing_is_refused),
        TEST(groups_that_are_none_are_refused),
        TEST(overhead_alone_asks_for_functions),
        TEST(self_and_total_are_orders_and_no_groups),
        TEST(threads_and_processes_of_one_name_are_told_apart_by_their_numbers),
        TEST(who_had_several_names_is_one_with_all_of_them),
        TEST(what_ended_before_it_had_a_name_is_unknown),
        TEST(what_starts_and_drives_is_told_from_what_people_wrote),
        TEST(what_is_too_light_to_be_shown_is_only_counted),
        TEST(paths_may_be_turned_cut_and_begun_at_a_function),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
