#include "cmocka_all.h"

#include "profile_builder.h"
#include "tree/path_tree.h"

struct fixture {
    struct profile profile;
    struct call_tree all;
    struct call_tree some;
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

/* Makes both trees: of all nodes, and of about so many. */
static void make(struct fixture *f, const char *lines, size_t most_nodes)
{
    struct path_choice choice = {.shape = PATHS_REVERSED};

    assert_true(profile_builder_add_lines(&f->profile, slice_of(lines)));
    path_tree_make(&f->profile, 0, CALLS_BY_NAME, &choice, &f->all);
    choice.most_nodes = most_nodes;
    path_tree_make(&f->profile, 0, CALLS_BY_NAME, &choice, &f->some);
}

/* The tree as text: "name start+total", in the order of a walk, with a '.' before it for each caller. */
static void assert_nodes(const struct fixture *f, const struct call_tree *tree, const char *expected)
{
    SCOPED(text_done) struct text text = {0};

    for (size_t i = 1; i < tree->nodes.count; i++) {
        const struct call_node *node = &tree->nodes.items[i];

        text_add_string(&text, i > 1 ? " " : "");
        text_add_repeated(&text, '.', node->depth - 1);
        text_format(&text, "%.*s %llu+%llu", SLICE_ARGUMENTS(profile_text(&f->profile, node->name)),
                    (unsigned long long)node->start, (unsigned long long)node->weights.total);
        assert_int_equal(tree->nodes.items[node->parent].depth + 1, node->depth);
    }
    assert_string_equal(text_string(&text), expected);
}

#define LINES "1|app|m > a > h\n4|app|m > b > h\n2|app|m > c > b > h\n3|app|m > k\n1|w|\n"

static void calls_tell_where_they_start_beside_each_other(void **state)
{
    struct fixture *f = *state;

    make(f, LINES, 0);
    assert_true(f->all.has_starts);
    assert_nodes(f, &f->all,
                 "[no stack] 0+1 h 1+7 .a 1+1 ..m 1+1 .b 2+6 ..c 2+2 ...m 2+2 ..m 4+4 k 8+3 .m 8+3");
}

static void the_heaviest_stay_where_they_were_when_others_are_left_out(void **state)
{
    struct fixture *f = *state;

    make(f, LINES, 4);
    assert_int_equal(f->some.left_out_count + f->some.nodes.count, f->all.nodes.count);
    /* The root's calls, and what is among the four heaviest. */
    assert_nodes(f, &f->some, "[no stack] 0+1 h 1+7 .b 2+6 ..m 4+4 k 8+3");
}

/* What has something of its own is told by what has none. */
static void the_calls_of_the_root_stay(void **state)
{
    struct fixture *f = *state;

    make(f, LINES, 1);
    assert_nodes(f, &f->some, "[no stack] 0+1 h 1+7 k 8+3");
    assert_int_equal(f->some.left_out_count, 7);
}

static void without_samples_there_is_the_root(void **state)
{
    struct fixture *f = *state;

    make(f, "", 1);
    assert_int_equal(f->all.nodes.count, 1);
    assert_int_equal(f->some.nodes.count, 1);
    assert_int_equal(f->some.nodes.items[0].weights.total, 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(calls_tell_where_they_start_beside_each_other),
        TEST(the_heaviest_stay_where_they_were_when_others_are_left_out),
        TEST(the_calls_of_the_root_stay),
        TEST(without_samples_there_is_the_root),
    };

    return cmocka_run_group_tests_name("reversed_tree", tests, NULL, NULL);
}
