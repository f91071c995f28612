#include "cmocka_all.h"

#include "profile_builder.h"
#include "tree/call_tree.h"
#include "view/file_names.h"
#include "view/short_path.h"

struct fixture {
    struct profile profile;
    struct call_tree tree;
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

    call_tree_done(&f->tree);
    profile_done(&f->profile);
    return 0;
}

/* The tree as text: "name total/self", children in parentheses. */
static void assert_tree(struct fixture *f, enum call_order order, const char *expected)
{
    SCOPED(text_done) struct text text = {0};
    uint32_t depth = 0;

    call_tree_done(&f->tree);
    call_tree_make(&f->profile, 0, WEIGHT_SAMPLES, order, &f->tree);
    for (size_t i = 0; i < f->tree.nodes.count; i++) {
        const struct call_node *node = &f->tree.nodes.items[i];
        struct slice name = profile_text(&f->profile, node->name);

        if (i > 0)
            text_add_string(&text, node->depth > depth ? " (" : "");
        for (; depth > node->depth; depth--)
            text_add_byte(&text, ')');
        if (i > 0 && node->depth == depth)
            text_add_byte(&text, ' ');
        depth = node->depth;
        text_format(&text, "%.*s %llu/%llu", SLICE_ARGUMENTS(name), (unsigned long long)node->weights.total,
                    (unsigned long long)node->weights.self);
        assert_true(node->parent == PROFILE_NONE ? i == 0 : node->parent < i);
    }
    text_add_repeated(&text, ')', depth);
    assert_string_equal(text_string(&text), expected);
}

static void calls_of_one_function_from_different_places_are_one_node(void **state)
{
    struct fixture *f = *state;

    profile_builder_add(&f->profile, 0, SLICE("main > b > c"), 2);
    profile_builder_add(&f->profile, 0, SLICE("main > b + c"), 3);
    profile_builder_add(&f->profile, 0, SLICE("main > a"), 1);
    assert_tree(f, CALLS_BY_NAME, "all 6/0 (app 6/0 (main 6/0 (a 1/1 b 5/0 (c 5/5))))");
    assert_int_equal(f->tree.nodes.items[5].inlined_weight, 3);
}

static void a_text_shows_the_heaviest_first_and_a_picture_goes_by_name(void **state)
{
    struct fixture *f = *state;

    profile_builder_add(&f->profile, 0, SLICE("b"), 1);
    profile_builder_add(&f->profile, 0, SLICE("a"), 1);
    profile_builder_add(&f->profile, 0, SLICE("c"), 2);
    assert_tree(f, CALLS_BY_NAME, "all 4/0 (app 4/0 (a 1/1 b 1/1 c 2/2))");
    assert_tree(f, CALLS_BY_TOTAL, "all 4/0 (app 4/0 (c 2/2 a 1/1 b 1/1))");
}

static void threads_of_one_name_are_one_and_others_apart(void **state)
{
    struct fixture *f = *state;

    assert_true(profile_builder_add_lines(&f->profile, SLICE("2|worker|a\n1|app|a\n1|other|\n")));
    profile_builder_add(&f->profile, profile_add_thread(&f->profile, 100, 107, SLICE("worker")),
                        SLICE("a > b"), 1);
    assert_tree(f, CALLS_BY_NAME,
                "all 5/0 (app 1/0 (a 1/1) other 1/0 ([no stack] 1/1) worker 3/0 (a 3/2 (b 1/1)))");
}

static void functions_of_one_name_in_two_crates_stay_apart(void **state)
{
    struct fixture *f = *state;

    profile_builder_add(&f->profile, 0, SLICE("dep y read"), 1);
    profile_builder_add(&f->profile, 0, SLICE("dep x read"), 2);
    assert_tree(f, CALLS_BY_NAME, "all 3/0 (app 3/0 (read 2/2 read 1/1))");
}

static void a_profile_of_nothing_is_a_root(void **state)
{
    struct fixture *f = *state;

    f->profile.command = profile_string(&f->profile, SLICE("app --fast"));
    assert_tree(f, CALLS_BY_NAME, "app --fast 0/0");
}

static void a_node_knows_the_lines_it_was_seen_at(void **state)
{
    struct fixture *f = *state;
    struct profile *p = &f->profile;
    uint32_t function = profile_function(p, (struct profile_function){.name = profile_string(p, SLICE("f"))});
    static const struct {
        const char *file;
        uint32_t line;
    } seen[] = {{"a.rs", 0}, {"a.rs", 9}, {"a.rs", 4}, {"macro.rs", 1}, {"a.rs", 7}, {"a.rs", 0}};

    for (uint32_t i = 0; i < ARRAY_COUNT(seen); i++) {
        uint32_t location = profile_location(p, 0, i);

        profile_set_frames(p, location,
                           &(struct profile_frame){.function = function,
                                                   .file = profile_string(p, slice_of(seen[i].file)),
                                                   .line = seen[i].line},
                           1);
        profile_add_sample(p, 0, (struct profile_sample){.stack = profile_stack(p, PROFILE_NONE, location)});
    }
    profile_builder_finish(p);
    assert_tree(f, CALLS_BY_NAME, "all 6/0 (app 6/0 (f 6/6))");
    assert_true(slice_is(profile_text(p, f->tree.nodes.items[2].file), "a.rs"));
    assert_int_equal(f->tree.nodes.items[2].first_line, 4);
    assert_int_equal(f->tree.nodes.items[2].last_line, 9);
}

#define CHECKOUTS "/home/me/.cache/rust-performance-tools/revisions/"

static void assert_short(const char *path, const char *expected)
{
    SCOPED(text_done) struct text text = {0};

    short_path_add(&text, slice_of(path));
    assert_string_equal(text_string(&text), expected);
}

static void paths_are_shown_without_what_is_one_machines(void **state)
{
    (void)state;
    assert_short("/home/me/.cargo/registry/src/index.example-6f17d22bba15001f/regex-1.11.1/src/lib.rs",
                 "regex-1.11.1/src/lib.rs");
    assert_short("/rustc/59807616e1b2c3d4/library/core/src/fmt/mod.rs", "core/src/fmt/mod.rs");
    assert_short("/home/me/shop/crates/weblog/src/bin/a/b.rs", "weblog/src/bin/a/b.rs");
    assert_short("/home/me/src/shop/crates/weblog/src/bin/a/b.rs", "weblog/src/bin/a/b.rs");
    assert_short("src/main.rs", "src/main.rs");
    assert_short("/src/main.rs", "/src/main.rs");
    assert_short("/build/glibc/malloc/malloc.c", "malloc/malloc.c");
    assert_short("main.c", "main.c");
    /* Of revisions that were checked out, as in the repository. */
    assert_short(CHECKOUTS "web-log-0123456789abcdef/1/tree/src/bin/basic.rs", "web-log/src/bin/basic.rs");
    assert_short(CHECKOUTS "web-log-0123456789abcdef/1/tree/build.rs", "web-log/build.rs");
    assert_short(CHECKOUTS "web-log-0123456789abcdef/1/tree/util/src/lib.rs", "util/src/lib.rs");
    assert_short(CHECKOUTS "web-log-0123456789abcdef/1/around/home/me/web-log/build.rs", "web-log/build.rs");
    assert_short("", "");
}

/* What the files are called that a profile's frames are of: pairs of a path and its name. */
static void assert_names(struct fixture *f, const char *const (*pairs)[2], size_t count)
{
    struct file_names names;

    for (size_t i = 0; i < count; i++) {
        struct profile_frame frame = {.file = profile_string(&f->profile, slice_of(pairs[i][0]))};

        profile_set_frames(&f->profile, profile_location(&f->profile, 0, 0x1000 + i), &frame, 1);
    }
    names = file_names_make(&f->profile);
    for (size_t i = 0; i < count; i++) {
        struct slice name = file_names_get(&names, profile_string(&f->profile, slice_of(pairs[i][0])));
        SCOPED(text_done) struct text text = {0};

        text_add(&text, name);
        assert_string_equal(text_string(&text), pairs[i][1]);
    }
    file_names_done(&names);
}

static void files_of_one_short_path_are_told_apart(void **state)
{
    static const char *const pairs[][2] = {
        {"/home/me/ws/x/util/src/lib.rs", "x/util/src/lib.rs"},
        {"/home/me/ws/y/util/src/lib.rs", "y/util/src/lib.rs"},
        {"/home/me/ws/other/src/lib.rs", "other/src/lib.rs"},
        {"/src/main.rs", "/src/main.rs"},
        {"/home/src/main.rs", "home/src/main.rs"},
        {"/rustc/59807616e1b2c3d4/library/core/src/fmt/mod.rs", "core/src/fmt/mod.rs"},
    };
    static const char *const told[][2] = {
        {"/home/me/ws/x/util/src/lib.rs", "ws/x/util/src/lib.rs"},
        {"/home/me/ws/y/util/src/lib.rs", "ws/y/util/src/lib.rs"},
        {"/home/me/deep/y/util/src/lib.rs", "deep/y/util/src/lib.rs"},
    };

    static const char *const checked_out[][2] = {
        {CHECKOUTS "ws-0123456789abcdef/0/tree/src/util/src/lib.rs", "src/util/src/lib.rs"},
        {CHECKOUTS "ws-0123456789abcdef/0/tree/x/util/src/lib.rs", "x/util/src/lib.rs"},
        {CHECKOUTS "ws-0123456789abcdef/0/tree/src/lib.rs", "ws/src/lib.rs"},
    };

    assert_names(*state, pairs, 2);
    tear_down(state);
    profile_builder_init(&((struct fixture *)*state)->profile);
    assert_names(*state, told, ARRAY_COUNT(told));
    tear_down(state);
    profile_builder_init(&((struct fixture *)*state)->profile);
    assert_names(*state, checked_out, ARRAY_COUNT(checked_out));
    tear_down(state);
    profile_builder_init(&((struct fixture *)*state)->profile);
    assert_names(*state, &pairs[2], 4);
}

static void spellings_of_one_file_have_one_name(void **state)
{
    static const char *const pairs[][2] = {
        {"/ws/shop/util/src/lib.rs", "util/src/lib.rs"},
        {"util/src/lib.rs", "util/src/lib.rs"},
        {"./util/src/lib.rs", "util/src/lib.rs"},
        {"/ws/shop/web/../util/src/lib.rs", "util/src/lib.rs"},
        {"../sysdeps/x86_64/memcpy.S", "x86_64/memcpy.S"},
        {"./string/../sysdeps/x86_64/memcpy.S", "x86_64/memcpy.S"},
        {"", ""},
    };

    assert_names(*state, pairs, ARRAY_COUNT(pairs));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(calls_of_one_function_from_different_places_are_one_node),
        TEST(a_text_shows_the_heaviest_first_and_a_picture_goes_by_name),
        TEST(threads_of_one_name_are_one_and_others_apart),
        TEST(functions_of_one_name_in_two_crates_stay_apart),
        TEST(a_profile_of_nothing_is_a_root),
        TEST(a_node_knows_the_lines_it_was_seen_at),
        TEST(files_of_one_short_path_are_told_apart),
        TEST(spellings_of_one_file_have_one_name),
        cmocka_unit_test(paths_are_shown_without_what_is_one_machines),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
