/* The tree of very many stacks is that of few, as far as it is kept. */
#include "cmocka_all.h"

#include "emit/flame.h"
#include "emit/folded.h"
#include "profile_builder.h"
#include "tree/heavy_tree.h"

struct fixture {
    struct profile profile;
    struct call_tree all;  /* as call_tree_make makes it */
    struct call_tree some; /* as heavy_tree_make does */
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

    call_tree_done(&f->all);
    call_tree_done(&f->some);
    profile_done(&f->profile);
    return 0;
}

static void make(struct fixture *f, size_t most_nodes)
{
    profile_builder_finish(&f->profile);
    call_tree_make(&f->profile, 0, weight_of_series(&f->profile, 0), CALLS_BY_NAME, &f->all);
    heavy_tree_make(&f->profile, 0, most_nodes, &f->some);
}

/* The same numbers on every run (Knuth's MMIX). */
static uint32_t next_number(uint64_t *state, uint32_t below)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*state >> 33) % below;
}

static void add_call(struct text *path, uint64_t *state)
{
    static const char *const owners[] = {"own app ", "dep regex ", "std core ", "c libc.so.6 ",
                                         "kernel [kernel] "};
    uint32_t function = next_number(state, 10);

    text_add_string(path, path->length == 0 ? "" : next_number(state, 4) == 0 ? " + " : " > ");
    text_format(path, "%sf%u", owners[function % 5], function);
}

/* Stacks of ten functions, so that calls of one are at many places, inlined and not. */
static void add_stacks(struct fixture *f, size_t count, bool with_threads)
{
    static const char *const names[] = {"worker", "main", "worker", "a"};
    uint32_t threads[4] = {0};
    uint64_t state = 4;

    f->profile.threads.items[0].name = PROFILE_NO_STRING;
    for (uint32_t i = 0; i < 4 && with_threads; i++)
        threads[i] = profile_add_thread(&f->profile, 1, 1 + i, slice_of(names[i]));
    for (size_t i = 0; i < count; i++) {
        uint32_t depth = next_number(&state, 9);
        SCOPED(text_done) struct text path = {0};

        while (depth-- > 0)
            add_call(&path, &state);
        profile_builder_add(&f->profile, threads[next_number(&state, 4)], text_slice(&path),
                            1 + next_number(&state, 20));
    }
}

static void assert_same_node(const struct call_node *is, const struct call_node *was, uint32_t parent)
{
    assert_int_equal(is->parent, parent);
    assert_int_equal(is->name, was->name);
    assert_int_equal(is->function, was->function);
    assert_int_equal(is->kind, was->kind);
    assert_int_equal(is->depth, was->depth);
    assert_int_equal(is->file, was->file);
    assert_int_equal(is->first_line, was->first_line);
    assert_int_equal(is->last_line, was->last_line);
    assert_int_equal(is->inlined_weight, was->inlined_weight);
    assert_int_equal(is->weights.self, was->weights.self);
    assert_int_equal(is->weights.total, was->weights.total);
}

static void assert_all_are_there(struct fixture *f)
{
    make(f, 0);
    assert_int_equal(f->some.nodes.count, f->all.nodes.count);
    assert_int_equal(f->some.left_out_count, 0);
    for (size_t i = 0; i < f->all.nodes.count; i++)
        assert_same_node(&f->some.nodes.items[i], &f->all.nodes.items[i], f->all.nodes.items[i].parent);
}

static void with_room_for_all_it_is_the_usual_tree(void **state)
{
    add_stacks(*state, 3000, true);
    assert_all_are_there(*state);
}

static void so_it_is_where_threads_have_no_names(void **state)
{
    add_stacks(*state, 3000, false);
    assert_all_are_there(*state);
}

static void without_samples_there_is_the_root(void **state)
{
    assert_all_are_there(*state);
}

/* What samples of code of this kind add up to, in nodes and left out. */
static uint64_t self_of_category(const struct fixture *f, const struct call_tree *tree,
                                 enum category category)
{
    uint64_t self = tree->left_out_weights[category];

    for (size_t i = 0; i < tree->nodes.count; i++) {
        const struct call_node *node = &tree->nodes.items[i];
        enum category of = node->kind == CALL_FUNCTION ? f->profile.functions.items[node->function].category
                                                       : CATEGORY_UNKNOWN;

        if (of == category)
            self += node->weights.self;
    }
    return self;
}

static void what_is_left_out_is_light_and_adds_up(void **state)
{
    enum { MOST = 300 };
    struct fixture *f = *state;
    uint64_t least = UINT64_MAX;
    size_t kept = 0;

    add_stacks(f, 3000, true);
    make(f, MOST);
    assert_true(f->some.nodes.count >= MOST && f->some.nodes.count < f->all.nodes.count / 4);
    assert_true(f->some.left_out_count > 0);
    for (size_t category = 0; category < CATEGORY_COUNT; category++)
        assert_int_equal(self_of_category(f, &f->some, category), self_of_category(f, &f->all, category));
    for (size_t i = 1; i < f->some.nodes.count; i++)
        if (f->some.nodes.items[i].weights.total < least && f->some.nodes.items[i].depth > 1)
            least = f->some.nodes.items[i].weights.total;
    /* Each node that is heavier than the lightest one has its like; both trees are in one order. */
    for (size_t i = 0; i < f->all.nodes.count; i++) {
        const struct call_node *node = &f->all.nodes.items[i];

        if (kept == f->some.nodes.count || f->some.nodes.items[kept].name != node->name ||
            f->some.nodes.items[kept].depth != node->depth ||
            f->some.nodes.items[kept].weights.total != node->weights.total)
            continue;
        assert_same_node(&f->some.nodes.items[kept], node, f->some.nodes.items[kept].parent);
        kept++;
    }
    assert_int_equal(kept, f->some.nodes.count);
    for (size_t i = 1; i < f->some.nodes.count; i++)
        assert_int_equal(f->some.nodes.items[f->some.nodes.items[i].parent].depth + 1,
                         f->some.nodes.items[i].depth);
}

/* A deep tree of light calls, of which no picture has room for all. */
static void a_picture_of_it_is_that_of_the_usual_tree(void **state)
{
    struct fixture *f = *state;
    struct flame_look look = {.title = SLICE("a"), .unit = "sample"};
    SCOPED(text_done) struct text usual = {0};
    SCOPED(text_done) struct text heavy = {0};
    uint64_t numbers = 9;

    for (size_t i = 0; i < 230; i++) {
        SCOPED(text_done) struct text path = {0};

        text_format(&path, "own app main > own app f%zu", i + 10);
        for (size_t depth = 0; depth < 1000; depth++)
            add_call(&path, &numbers);
        profile_builder_add(&f->profile, 0, text_slice(&path), 1 + i % 7);
    }
    make(f, FLAME_MOST_BOXES);
    assert_true(f->some.left_out_count > 0);
    flame_add(&usual, &f->profile, &f->all, &look);
    flame_add(&heavy, &f->profile, &f->some, &look);
    assert_int_equal(usual.length, heavy.length);
    assert_memory_equal(usual.data, heavy.data, usual.length);
}

static void folded_stacks_of_it_are_those_of_the_usual_tree(void **state)
{
    struct fixture *f = *state;

    for (int with_threads = 0; with_threads < 2; with_threads++) {
        SCOPED(text_done) struct text usual = {0};
        SCOPED(text_done) struct text heavy = {0};

        assert_int_equal(tear_down(state) + set_up(state), 0);
        add_stacks(f, 3000, with_threads);
        profile_builder_add(&f->profile, 0, SLICE(""), 3);
        make(f, 0);
        folded_add(&usual, &f->profile, &f->all);
        folded_add_heavy(&heavy, &f->profile, 0);
        assert_true(usual.length > 10000);
        assert_int_equal(usual.length, heavy.length);
        assert_memory_equal(usual.data, heavy.data, usual.length);
    }
}

struct met {
    const struct call_tree *tree;
    size_t next; /* node of it that is expected */
    uint64_t least;
    size_t count;
};

static void meet(void *context, const struct call_node *node)
{
    struct met *met = context;

    while (met->tree->nodes.items[met->next].weights.total < met->least)
        met->next++;
    assert_same_node(node, &met->tree->nodes.items[met->next], node->parent);
    met->next++;
    met->count++;
}

static void a_walk_meets_what_is_not_too_light_in_the_order_wanted(void **state)
{
    struct fixture *f = *state;
    struct call_tree tree = {0};
    struct met met = {.tree = &tree};
    size_t expected = 0;

    add_stacks(f, 3000, true);
    profile_builder_finish(&f->profile);
    call_tree_make(&f->profile, 0, weight_of_series(&f->profile, 0), CALLS_BY_TOTAL, &tree);
    met.least = tree.nodes.items[0].weights.total / 200;
    for (size_t i = 0; i < tree.nodes.count; i++)
        expected += tree.nodes.items[i].weights.total >= met.least;
    heavy_tree_walk(&f->profile, 0, &(struct heavy_tree_walk){CALLS_BY_TOTAL, met.least, meet, &met});
    assert_int_equal(met.count, expected);
    assert_true(expected > 20 && expected < tree.nodes.count);
    call_tree_done(&tree);
}

static void it_is_for_many_stacks_of_threads_with_names_or_without(void **state)
{
    struct fixture *f = *state;

    add_stacks(f, 10, false);
    assert_false(heavy_tree_is_for(&f->profile, 0));
    f->profile.stacks.count += 1000000; /* as far as is asked */
    assert_true(heavy_tree_is_for(&f->profile, 0));
    f->profile.series.items[0].heap = HEAP_EVENT_PEAK;
    assert_false(heavy_tree_is_for(&f->profile, 0));
    f->profile.series.items[0].heap = HEAP_EVENT_NONE;
    profile_add_thread(&f->profile, 1, 1, SLICE("named"));
    assert_false(heavy_tree_is_for(&f->profile, 0));
    f->profile.stacks.count -= 1000000;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(with_room_for_all_it_is_the_usual_tree),
        TEST(so_it_is_where_threads_have_no_names),
        TEST(without_samples_there_is_the_root),
        TEST(what_is_left_out_is_light_and_adds_up),
        TEST(a_picture_of_it_is_that_of_the_usual_tree),
        TEST(folded_stacks_of_it_are_those_of_the_usual_tree),
        TEST(a_walk_meets_what_is_not_too_light_in_the_order_wanted),
        TEST(it_is_for_many_stacks_of_threads_with_names_or_without),
    };

    return cmocka_run_group_tests_name("heavy_tree", tests, NULL, NULL);
}
